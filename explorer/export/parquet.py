"""Rows to Parquet, which Spark, Trino, DuckDB and Polars read as it is. Needs pyarrow: the extra ``parquet``.

One column for each field of the resource's record, in the contract's order: numbers as double, true and false as
boolean, texts (dates among them) as text as received, all else as the JSON that was received. Two columns follow, so
that nothing is lost or made up: ``other_fields``, an object of what the contract does not name and of each value that
does not fit its column (a text for a number, a number that a double would change, half a character), and
``null_fields``, the names of fields that were null: a field that is null in its column and named in neither was absent.
A record that cannot be held as it came is marked in ``other_fields`` as in a CSV.

Up to `ROWS_A_FILE` rows make one file; more make a folder of that name with ``part-00000.parquet`` and so on.
"""

from __future__ import annotations

import errno
import math
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from explorer.catalog.spec import Kind
from explorer.export.beside import Beside
from explorer.export.text import OTHER_FIELDS, is_utf8, joined, json_text, members, one_line, string, whole

NULL_FIELDS = "null_fields"
ROWS_A_FILE = 500_000
"""Beyond this many rows a further part begins."""
_GROUP_BYTES = 16_000_000
"""Of unpacked columns that are gathered into one row group."""
_PART = re.compile(r"part-\d{5,}\.parquet")
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class ParquetOut:
    """Rows on their way to ``path``: nothing stands there before `finish`, which puts all of it there at once."""

    def __init__(
        self, path: Path, fields: Sequence[tuple[str, Kind]], rows_a_file: int = ROWS_A_FILE
    ) -> None:
        """Raises FileExistsError when ``path`` is a folder of other things, OSError when it cannot be written."""
        if path.is_dir() and not all(_PART.fullmatch(each.name) for each in path.iterdir()):
            raise FileExistsError(
                errno.EEXIST,
                "a folder of that name holds other files: choose another name or folder",
                path.name,
            )
        import pyarrow

        self._path, self._fields, self._rows_a_file = path, tuple(fields), rows_a_file
        self._known = frozenset(name for name, _ in fields)
        self._types = {"number": pyarrow.float64(), "boolean": pyarrow.bool_()}
        self._schema = pyarrow.schema(
            [(name, self._types.get(kind, pyarrow.string())) for name, kind in fields]
            + [(OTHER_FIELDS, pyarrow.string()), (NULL_FIELDS, pyarrow.list_(pyarrow.string()))]
        )
        self._place = Beside(path)
        self._part: Any = None
        self._parts = self._in_part = self._waiting_bytes = 0
        self._waiting: list[Any] = []
        self.rows = 0
        """Rows that were taken."""
        self.marked = 0
        """Of them, those that could not be held as they came."""

    def write(self, records: Iterable[bytes]) -> None:
        """Takes further rows, in order. Raises OSError."""
        import pyarrow

        rows = [self._row(record) for record in records]
        while rows:
            taken, rows = rows[: self._rows_a_file - self._in_part], rows[self._rows_a_file - self._in_part :]
            arrays = [
                pyarrow.array(cells, field.type)
                for cells, field in zip(zip(*taken, strict=True), self._schema, strict=True)
            ]
            batch = pyarrow.RecordBatch.from_arrays(arrays, schema=self._schema)
            self._waiting.append(batch)
            self._waiting_bytes += batch.nbytes
            self._in_part += len(taken)
            self.rows += len(taken)
            if self._in_part >= self._rows_a_file:
                self._end_part()
            elif self._waiting_bytes >= _GROUP_BYTES:
                self._flush()

    def finish(self) -> None:
        """Puts what was written in place of ``path``. Raises OSError; then call `drop`."""
        if self._in_part or not self._parts:
            self._end_part()
        # A folder, and a file that gives way to a folder, cannot be replaced in one step: it stands aside meanwhile.
        aside = self._place.before
        moved = self._path.is_dir() or (self._parts > 1 and self._path.exists())
        if moved:
            self._path.replace(aside)
        try:
            if self._parts == 1:
                self._name(0).replace(self._path)
            else:
                self._place.folder.replace(self._path)
        except OSError:
            if moved:
                aside.replace(self._path)
            raise
        if moved:
            shutil.rmtree(aside) if aside.is_dir() else aside.unlink()
        self._place.close()

    def drop(self) -> None:
        """Leaves nothing behind."""
        if self._part is not None:
            self._part.close()
            self._part = None
        self._place.close()

    # ------------------------------------------------------------------ inside

    def _row(self, record: bytes) -> list[Any]:
        """The cells of one record, in the order of the columns."""
        found, mark = members(record)
        self.marked += bool(mark)
        if found is None:
            return [*(None for _ in self._fields), _encodable(whole(record, mark)), []]
        rest = {name: raw for name, raw in found.items() if name not in self._known}
        cells: list[Any] = []
        nulls: list[str] = []
        for name, kind in self._fields:
            raw = found.get(name)
            cell = None
            if raw == b"null":
                nulls.append(name)
            elif raw is not None:
                cell = _cell(raw, kind)
                if cell is None:
                    rest[name] = raw
            cells.append(cell)
        return [*cells, _encodable(joined(rest, mark)) if rest or mark else None, nulls]

    def _name(self, part: int) -> Path:
        return self._place.folder / f"part-{part:05}.parquet"

    def _flush(self) -> None:
        import pyarrow.parquet

        if self._part is None:
            name = self._name(self._parts)
            os.close(self._place.file(name.name))
            self._part = pyarrow.parquet.ParquetWriter(name, self._schema, compression="zstd")
        if self._waiting:
            table = pyarrow.Table.from_batches(self._waiting, self._schema)
            self._part.write_table(table, row_group_size=max(len(table), 1))
        self._waiting, self._waiting_bytes = [], 0

    def _end_part(self) -> None:
        self._flush()
        self._part.close()
        self._part = None
        self._parts += 1
        self._in_part = 0


def _cell(raw: bytes, kind: Kind) -> Any:
    """The value for a column, or None when it would not be the same there."""
    if not is_utf8(raw):
        return None
    if kind == "number":
        return _number(raw)
    if kind == "boolean":
        return {b"true": True, b"false": False}.get(raw)
    if kind in ("object", "array", "any"):
        text = json_text(one_line(raw))
    elif raw.startswith(b'"'):
        text = string(raw)
    else:
        return None
    return text if _is_whole(text) else None


def _number(raw: bytes) -> float | None:
    if not _NUMBER.fullmatch(raw):
        return None
    number = float(raw)
    try:
        return number if math.isfinite(number) and Decimal(repr(number)) == Decimal(raw.decode()) else None
    except InvalidOperation:  # an exponent that no decimal holds
        return None


def _is_whole(text: str) -> bool:
    return text.isascii() or not any(0xD800 <= ord(c) <= 0xDFFF for c in text)


def _encodable(text: str) -> str:
    """JSON with half characters as their escapes: the same value, in UTF-8."""
    return text if _is_whole(text) else text.encode("utf-8", "backslashreplace").decode()
