"""Export to Parquet, for Spark, Trino, DuckDB, Polars and others. Needs pyarrow: the extra ``parquet``.

There is one column for each field of the resource's record, in the contract's order: numbers as double, booleans as
boolean, texts (also dates) as received, and everything else as JSON as received. A date has a second column beside it,
``<field>_time``: a timestamp in UTC, null where the text is no date with time and zone, or is finer than microseconds.
So has a list, ``<field>_items``: a list of texts, with items that are no text as JSON; null where it is no list.

Two further columns keep what would be lost: ``other_fields``, a JSON object with fields that the contract does not name
and with values that do not fit their column (a text for a number, a number that a double would change, a lone
surrogate); and ``null_fields``, the names of fields that were null. A field that is null in its column and in neither
of these was absent. A record that cannot be written as received is marked in ``other_fields``, as in a CSV.

Up to `ROWS_A_FILE` rows are one file; more are a folder of that name with ``part-00000.parquet`` and so on.
"""

from __future__ import annotations

import errno
import math
import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from explorer.catalog.spec import Kind
from explorer.export.beside import Beside
from explorer.export.text import OTHER_FIELDS, is_utf8, joined, json_text, members, one_line, string, whole
from explorer.files import rename
from explorer.jsontext.strict import ARRAY, REFUSED

NULL_FIELDS = "null_fields"
ROWS_A_FILE = 500_000
"""The most rows of one file."""
_GROUP_BYTES = 16_000_000
"""Uncompressed bytes of one row group, about."""
_PART = re.compile(r"part-\d{5,}\.parquet")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?(?:[Zz]|[+-]\d\d:?\d\d)", re.ASCII)
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class ArrowRows:
    """Makes Arrow batches of records, with the columns that the top of this module describes."""

    def __init__(self, fields: Sequence[tuple[str, Kind]]) -> None:
        """``fields``: name and kind of each field of the record. Raises ImportError without pyarrow."""
        import pyarrow  # in functions: the extra ``parquet`` may not be installed

        self._fields = tuple(fields)
        self._known = frozenset(name for name, _ in fields)
        types = {"number": pyarrow.float64(), "boolean": pyarrow.bool_()}
        typed = {"date": pyarrow.timestamp("us", "UTC"), "array": pyarrow.list_(pyarrow.string())}
        self._typed = {
            name: _TYPED[kind][1]
            for name, kind in fields
            if kind in _TYPED and name + _TYPED[kind][0] not in self._known
        }
        columns = []
        for name, kind in fields:
            columns.append((name, types.get(kind, pyarrow.string())))
            if name in self._typed:
                columns.append((name + _TYPED[kind][0], typed[kind]))
        self.schema: Any = pyarrow.schema(
            [*columns, (OTHER_FIELDS, pyarrow.string()), (NULL_FIELDS, pyarrow.list_(pyarrow.string()))]
        )
        """The columns, as a ``pyarrow.Schema``."""
        self.marked = 0
        """How many records so far could not be written as received."""

    def batch(self, records: Sequence[bytes]) -> Any:
        """The records as a ``pyarrow.RecordBatch``, one row each, in order."""
        import pyarrow

        rows = [self._row(record) for record in records]
        cells = zip(*rows, strict=True) if rows else ((),) * len(self.schema)
        arrays = [pyarrow.array(column, field.type) for column, field in zip(cells, self.schema, strict=True)]
        return pyarrow.RecordBatch.from_arrays(arrays, schema=self.schema)

    def _row(self, record: bytes) -> list[Any]:
        """The cells of one record, in the order of the columns."""
        found, mark = members(record)
        self.marked += bool(mark)
        if found is None:
            empty = [None] * (len(self._fields) + len(self._typed))
            return [*empty, _encodable(whole(record, mark)), []]
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
            if name in self._typed:
                cells.append(None if cell is None else self._typed[name](cell))
        return [*cells, _encodable(joined(rest, mark)) if rest or mark else None, nulls]


class ParquetOut:
    """Writes rows to ``path``. Nothing is there before `finish`, which moves the complete file or folder there."""

    def __init__(
        self, path: Path, fields: Sequence[tuple[str, Kind]], rows_a_file: int = ROWS_A_FILE
    ) -> None:
        """Raises FileExistsError when ``path`` is a folder with other files, OSError when it cannot be written."""
        if path.is_dir() and not all(_PART.fullmatch(each.name) for each in path.iterdir()):
            raise FileExistsError(
                errno.EEXIST,
                "a folder of that name holds other files: choose another name or folder",
                path.name,
            )
        self._path, self._rows_a_file, self._made = path, rows_a_file, ArrowRows(fields)
        self._place = Beside(path)
        self._part: Any = None
        self._parts = self._in_part = self._waiting_bytes = 0
        self._waiting: list[Any] = []
        self.rows = 0
        """The number of rows so far."""

    @property
    def marked(self) -> int:
        """How many of the rows could not be written as received."""
        return self._made.marked

    def write(self, records: Iterable[bytes]) -> None:
        """Adds rows, in order. Raises OSError."""
        rows = list(records)
        while rows:
            taken, rows = rows[: self._rows_a_file - self._in_part], rows[self._rows_a_file - self._in_part :]
            batch = self._made.batch(taken)
            self._waiting.append(batch)
            self._waiting_bytes += batch.nbytes
            self._in_part += len(taken)
            self.rows += len(taken)
            if self._in_part >= self._rows_a_file:
                self._end_part()
            elif self._waiting_bytes >= _GROUP_BYTES:
                self._flush()

    def finish(self) -> None:
        """Moves what was written to ``path``, replacing what is there. Raises OSError; then call `drop`."""
        if self._in_part or not self._parts:
            self._end_part()
        # A folder, or a file where a folder is to be, cannot be replaced in one step: it is renamed in the meantime.
        aside = self._place.before
        moved = self._path.is_dir() or (self._parts > 1 and self._path.exists())
        if moved:
            rename(self._path, aside)
        try:
            if self._parts == 1:
                rename(self._name(0), self._path)
            else:
                rename(self._place.folder, self._path)
        except OSError:
            if moved:
                rename(aside, self._path)
            raise
        if moved:
            shutil.rmtree(aside) if aside.is_dir() else aside.unlink()
        self._place.close()

    def drop(self) -> None:
        """Discards what was written."""
        if self._part is not None:
            self._part.close()
            self._part = None
        self._place.close()

    # ------------------------------------------------------------------ inside

    def _name(self, part: int) -> Path:
        return self._place.folder / f"part-{part:05}.parquet"

    def _flush(self) -> None:
        import pyarrow.parquet

        if self._part is None:
            name = self._name(self._parts)
            os.close(self._place.file(name.name))
            self._part = pyarrow.parquet.ParquetWriter(name, self._made.schema, compression="zstd")
        if self._waiting:
            table = pyarrow.Table.from_batches(self._waiting, self._made.schema)
            self._part.write_table(table, row_group_size=max(len(table), 1))
        self._waiting, self._waiting_bytes = [], 0

    def _end_part(self) -> None:
        self._flush()
        self._part.close()
        self._part = None
        self._parts += 1
        self._in_part = 0


def _cell(raw: bytes, kind: Kind) -> Any:
    """The value for a column; None when the column would change it."""
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


def _time(text: str) -> datetime | None:
    """The moment in UTC that a text names; None when it is no date with time and zone, or finer than microseconds."""
    if not _MOMENT.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # a month 13, or a moment before year 1 in UTC
        return None


def _items(text: str) -> list[str] | None:
    """The items of a list: texts as they are, others as JSON as received; None when ``text`` is no list."""
    try:
        items = ARRAY.decode(text.encode())
    except REFUSED:
        return None
    cells = [string(raw) if raw.startswith(b'"') else raw.decode() for raw in map(bytes, items)]
    return cells if all(map(_is_whole, cells)) else None


_TYPED: dict[str, tuple[str, Callable[[str], Any]]] = {"date": ("_time", _time), "array": ("_items", _items)}
"""By the kind of a field: what follows its name in the name of the typed column, and what makes a cell of its text."""


def _number(raw: bytes) -> float | None:
    if not _NUMBER.fullmatch(raw):
        return None
    number = float(raw)
    try:
        return number if math.isfinite(number) and Decimal(repr(number)) == Decimal(raw.decode()) else None
    except InvalidOperation:  # an exponent that Decimal cannot hold
        return None


def _is_whole(text: str) -> bool:
    return text.isascii() or not any(0xD800 <= ord(c) <= 0xDFFF for c in text)


def _encodable(text: str) -> str:
    """JSON text with lone surrogates as escapes: the same value, and encodable as UTF-8."""
    return text if _is_whole(text) else text.encode("utf-8", "backslashreplace").decode()
