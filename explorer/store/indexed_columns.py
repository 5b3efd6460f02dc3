"""Indexed columns: for each page, the sort keys of the declared fields of its records, stored beside the page's bytes.

With them sorting, filtering and column summaries need not unpack and parse the records. Format of a page's block: for
each field a little-endian uint32, the length of its part; then the parts, each a zstd-compressed JSON array of keys
(see `keys`), in which item n belongs to row n of the page and null means that the field is absent.

Measured for records of 1.4 kB with ten fields: 60 bytes a row, where one table row for each record takes 320. One field
of a million rows is read in a quarter of a second. In the file the tables are called ``narrow`` and ``shape``.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import msgspec
import zstandard
from pydantic import BaseModel

from explorer.jsontext.read import read_loosely
from explorer.store.keys import EMPTY_OBJECT, FULL_OBJECT, NULL, Token, key_of, nested_key, text_keys
from explorer.store.schema_validator import SchemaValidator, all_full
from explorer.store.values import ALL_FIT, Field, Fit

LEVEL = 1
_MEMO_BOUND = 4000
_MEMO_BYTES = 2000
_ABSENT = msgspec.UNSET
_TEXTS = {str, type(None), type(_ABSENT)}
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)


class IndexedColumns:
    """Which fields of a pull's records are indexed, in order."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self.text = json.dumps([[field.name, field.summary] for field in self.fields])
        """Identifies this set of columns in the file: JSON of [name, summary field] pairs."""
        self.places = {(field.name, field.summary): n for n, field in enumerate(self.fields)}

    @classmethod
    def of_text(cls, text: str) -> IndexedColumns:
        """The columns that `text` identifies. Raises ValueError, TypeError for any other text."""
        return cls(Field(name, summary) for name, summary in json.loads(text))


class Extractor:
    """Extracts the keys of the indexed fields from records, and counts the records that do not fit their model.

    Use one instance in one thread at a time.
    """

    def __init__(self, shape: IndexedColumns, model: type[BaseModel] | None = None) -> None:
        self.shape, self.model = shape, model
        self._fit = SchemaValidator(model, shape.fields) if model is not None else None
        self._compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        self._items = [self._items_of(n, field.summary) for n, field in enumerate(shape.fields)]
        self._arrays = [msgspec.json.Decoder(items) for items in self._items]
        self._lists = [msgspec.json.Decoder(list[items]) for items in self._items]  # type: ignore[valid-type]
        self._objects = [msgspec.json.Decoder(_item_type(field.summary)) for field in shape.fields]
        self._memos: list[dict[Any, str]] = [{} for _ in shape.fields]
        row = msgspec.defstruct(
            "Row",
            [(f"f{n}", self._type(n, field), _ABSENT) for n, field in enumerate(shape.fields)],
            rename={f"f{n}": field.name for n, field in enumerate(shape.fields)},
            gc=False,
        )
        self._page = msgspec.json.Decoder(list[row], float_hook=Token)  # type: ignore[valid-type]
        self._record = msgspec.json.Decoder(row, float_hook=Token)
        self._values = attrgetter(*(f"f{n}" for n in range(len(shape.fields)))) if shape.fields else None

    def _items_of(self, place: int, summary: str) -> Any:
        typed = self._fit.items(place) if self._fit is not None else None
        return _items_type(summary) if typed is None else list[typed]  # type: ignore[valid-type]

    def _type(self, place: int, field: Field) -> Any:
        if field.kind == "array":
            return self._items[place] | str | int | bool | None
        return msgspec.Raw if field.kind in ("object", "any") else Any

    def block(self, records: Sequence[bytes]) -> bytes:
        """The block of a page with these records. Never raises, whatever the records are."""
        return self.packed(self.keys(records))

    def block_and_fit(self, records: Sequence[bytes]) -> tuple[bytes, Fit | None]:
        """The block, and how many of the records do not fit the model (None when that was not determined)."""
        keys, fit = self._read(records)
        return self.packed(keys), fit

    def packed(self, columns: Sequence[list[str | None]]) -> bytes:
        """The block made of the keys that `keys` returned."""
        parts = [self._packed(keys) for keys in columns]
        return b"".join((struct.pack(f"<{len(parts)}I", *map(len, parts)), *parts))

    def keys(self, records: Sequence[bytes]) -> list[list[str | None]]:
        """For each field, a list with one key for each record; None where the field is absent."""
        return self._read(records)[0]

    def _read(self, records: Sequence[bytes]) -> tuple[list[list[str | None]], Fit | None]:
        """As `keys`, with how many records do not fit the model."""
        if self._values is None:
            return [], self._fit.fit((), records) if self._fit is not None else None
        try:
            rows = self._page.decode(b"[%b]" % b",".join(records))
            if len(rows) == len(records):
                return self._columns(rows, records)
        except _UNREADABLE:
            pass
        read = [self._read_one(record) for record in records]
        keys = [list(column) for column in zip(*(keys for keys, _ in read), strict=True)]
        return keys or [[] for _ in self.shape.fields], Fit.sum(fit for _, fit in read)

    def _read_one(self, record: bytes) -> tuple[list[str | None], Fit | None]:
        """The same for a single record: with the strict decoder, else as leniently as Python reads JSON."""
        try:
            columns, fit = self._columns([self._record.decode(record)], (record,))
            return [column[0] for column in columns], fit
        except _UNREADABLE:
            found = read_record(record)
        if not isinstance(found, dict):
            return [None] * len(self.shape.fields), self._fit_of(record)
        return [
            key_of(found[field.name], field.summary) if field.name in found else None
            for field in self.shape.fields
        ], self._fit_of(record)

    def _fit_of(self, record: bytes) -> Fit | None:
        return self._fit.fit_of(record) if self._fit is not None else None

    def _columns(
        self, rows: Sequence[Any], records: Sequence[bytes]
    ) -> tuple[list[list[str | None]], Fit | None]:
        values = self._values
        if not rows or values is None:
            return [[] for _ in self.shape.fields], ALL_FIT
        if len(self.shape.fields) == 1:
            columns: list[Sequence[Any]] = [[values(row) for row in rows]]
        else:
            columns = list(zip(*map(values, rows), strict=True))
        fit = self._fit.fit(columns, records) if self._fit is not None else None
        return [self._column(n, column) for n, column in enumerate(columns)], fit

    def _column(self, place: int, values: Sequence[Any]) -> list[str | None]:
        kinds = set(map(type, values))
        if kinds == {str}:
            return text_keys(values)  # type: ignore[return-value]
        if str in kinds and kinds <= _TEXTS:
            keys = iter(text_keys([value for value in values if type(value) is str]))
            return [
                next(keys) if type(value) is str else None if value is _ABSENT else NULL for value in values
            ]
        if msgspec.Raw in kinds:
            if len(kinds) == 1 and not self.shape.fields[place].summary and all_full(values):
                return [FULL_OBJECT] * len(values)
            raws = [None if value is _ABSENT else bytes(value) for value in values]
            return self._list_keys(place, raws) or [
                None if raw is None else self._raw_key(place, raw) for raw in raws
            ]
        if self.shape.fields[place].kind == "array":
            return [self._array_key(place, value) for value in values]
        summary = self.shape.fields[place].summary
        return [None if value is _ABSENT else key_of(value, summary) for value in values]

    def _list_keys(self, place: int, raws: Sequence[bytes | None]) -> list[str | None] | None:
        """The keys of a column of arrays, decoded at once; None when a value is something else."""
        lists = [raw for raw in raws if raw is not None and raw[:1] == b"["]
        if len(lists) < len(raws):
            return None
        try:
            found = self._lists[place].decode(b"[%b]" % b",".join(lists))
        except _UNREADABLE:
            return None
        return [self._array_key(place, value) for value in found]

    def _array_key(self, place: int, value: Any) -> str | None:
        if type(value) is not list:
            return None if value is _ABSENT else key_of(value)
        label = _label(value[0]) if value else ""
        memo, known = self._memos[place], (label, len(value))
        key = memo.get(known)
        if key is None:
            key = _remember(memo, known, nested_key("[", label, len(value)))
        return key

    def _raw_key(self, place: int, raw: bytes) -> str:
        memo = self._memos[place]
        if raw[:1] == b"{" and not self.shape.fields[place].summary:
            return FULL_OBJECT if raw[1:2] == b'"' or raw[1:-1].strip() else EMPTY_OBJECT
        key = memo.get(raw)
        if key is None:
            key = self._new_raw_key(place, raw)
            if len(raw) <= _MEMO_BYTES:
                _remember(memo, raw, key)
        return key

    def _new_raw_key(self, place: int, raw: bytes) -> str:
        opening = raw[:1]
        if opening == b"[":
            items = self._arrays[place].decode(raw)
            return nested_key("[", _label(items[0]) if items else "", len(items))
        if opening == b"{":
            full = bool(raw[1:-1].strip())
            return nested_key("{", _label(self._objects[place].decode(raw)) if full else "", int(full))
        return key_of(msgspec.json.decode(raw) if opening in b'"tfn' else Token(raw.decode()))

    def _packed(self, keys: list[str | None]) -> bytes:
        try:
            text = msgspec.json.encode(keys)
        except UnicodeEncodeError:
            text = json.dumps(keys).encode()
        return self._compressor.compress(text)


def _remember(memo: dict[Any, str], known: Any, key: str) -> str:
    if len(memo) >= _MEMO_BOUND:
        memo.clear()
    memo[known] = key
    return key


def _item_type(summary: str) -> Any:
    if not summary:
        return Any
    return msgspec.defstruct("Item", [("label", Any, _ABSENT)], rename={"label": summary}, gc=False)


def _items_type(summary: str) -> Any:
    if not summary:
        return list[Any]
    return list[_item_type(summary) | str | int | float | bool | None]  # type: ignore[misc]


def _label(item: Any) -> str:
    if isinstance(item, msgspec.Struct):
        item = getattr(item, "label", "")
    return item if type(item) is str else ""


def read_record(record: bytes) -> Any:
    """A record parsed as leniently as Python reads JSON, numbers as `Token`; None when even that fails.

    Of two equal keys the last one counts.
    """
    try:
        return read_loosely(record, number=Token, constant=Token)
    except ValueError:
        return None


class Blocks:
    """Reads blocks of indexed columns. Use one instance in one thread at a time."""

    def __init__(self) -> None:
        self._decompressor = zstandard.ZstdDecompressor()
        self._strict = msgspec.json.Decoder(list[str | None])

    def keys(self, block: bytes, fields: int, place: int, seal: bytes = b"") -> list[str | None]:
        """The keys of the field at position ``place`` of ``fields``. Raises ValueError when the block is damaged.

        ``seal``: the bytes that must follow the parts (`page_integrity.seal_of`). Blocks of earlier versions have none.
        """
        try:
            lengths = struct.unpack_from(f"<{fields}I", block)
            if block[4 * fields + sum(lengths) :] not in (b"", seal):
                raise ValueError("the block of another page")
            start = 4 * fields + sum(lengths[:place])
            text = self._decompressor.decompress(block[start : start + lengths[place]])
        except (struct.error, zstandard.ZstdError, IndexError, TypeError, MemoryError):
            raise ValueError("damaged block") from None
        try:
            return self._strict.decode(text)
        except msgspec.DecodeError:
            return list(json.loads(text))
