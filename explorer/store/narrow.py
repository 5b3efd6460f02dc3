"""Narrow columns: beside each page's bytes the keys of its declared fields, so that sorting, filtering and summaries
need not open the records.

One block a page: a little-endian uint32 for each field, the length of its part, then the parts, each the zstd of a JSON
array of keys (`keys`), null where the field is absent. Place n of each part is row n of the page. Measured: 60 bytes a
row of 1.4 kB and ten fields, where a table row for each record takes 320; and one field of a million rows is read in
a quarter of a second.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import msgspec
import zstandard

from explorer.store.keys import EMPTY_OBJECT, FULL_OBJECT, Token, key_of, nested_key, text_keys

LEVEL = 1
_MEMO_BOUND = 4000
_MEMO_BYTES = 2000
_ABSENT = msgspec.UNSET
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)


@dataclass(frozen=True, slots=True)
class Field:
    """One column as the store knows it: a top-level field of the records."""

    name: str
    summary: str = ""
    """For arrays and objects: the inner field that stands for an item."""
    kind: str = "any"
    """What the catalog expects. It only decides which way of reading is tried first, never what a value is."""


class Shape:
    """The fields that are taken out of a pull's records, in order."""

    def __init__(self, fields: Iterable[Field]) -> None:
        self.fields = tuple(fields)
        self.text = json.dumps([[field.name, field.summary] for field in self.fields])
        """Names it in the file."""
        self.places = {(field.name, field.summary): n for n, field in enumerate(self.fields)}

    @classmethod
    def of_text(cls, text: str) -> Shape:
        """The shape that `text` names."""
        return cls(Field(name, summary) for name, summary in json.loads(text))


class Extractor:
    """Takes the keys of one shape's fields out of records. Belongs to one thread at a time."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self._compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
        self._items = [_items_type(field.summary) for field in shape.fields]
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

    def _type(self, place: int, field: Field) -> Any:
        if field.kind == "array":
            return self._items[place] | str | int | bool | None
        return msgspec.Raw if field.kind in ("object", "any") else Any

    def block(self, records: Sequence[bytes]) -> bytes:
        """The block of a page with these records, whatever they are."""
        return self.packed(self.keys(records))

    def packed(self, columns: Sequence[list[str | None]]) -> bytes:
        """The block of what `keys` gave."""
        parts = [self._packed(keys) for keys in columns]
        return b"".join((struct.pack(f"<{len(parts)}I", *map(len, parts)), *parts))

    def keys(self, records: Sequence[bytes]) -> list[list[str | None]]:
        """For each field the keys of the records, in order."""
        if self._values is None:
            return []
        try:
            rows = self._page.decode(b"[%b]" % b",".join(records))
            if len(rows) == len(records):
                return self._columns(rows)
        except _UNREADABLE:
            pass
        rows_of_keys = [self._keys_of(record) for record in records]
        return [list(column) for column in zip(*rows_of_keys, strict=True)] or [[] for _ in self.shape.fields]

    def _keys_of(self, record: bytes) -> list[str | None]:
        """The keys of one record by itself: strictly, else as loosely as Python reads JSON."""
        try:
            return [column[0] for column in self._columns([self._record.decode(record)])]
        except _UNREADABLE:
            found = loosely(record)
        if not isinstance(found, dict):
            return [None] * len(self.shape.fields)
        return [
            key_of(found[field.name], field.summary) if field.name in found else None
            for field in self.shape.fields
        ]

    def _columns(self, rows: Sequence[Any]) -> list[list[str | None]]:
        values = self._values
        if not rows or values is None:
            return [[] for _ in self.shape.fields]
        if len(self.shape.fields) == 1:
            return [self._column(0, [values(row) for row in rows])]
        return [self._column(n, column) for n, column in enumerate(zip(*map(values, rows), strict=True))]

    def _column(self, place: int, values: Sequence[Any]) -> list[str | None]:
        kinds = set(map(type, values))
        if kinds == {str}:
            return text_keys(values)  # type: ignore[return-value]
        if msgspec.Raw in kinds:
            raws = [None if value is _ABSENT else bytes(value) for value in values]
            return self._list_keys(place, raws) or [
                None if raw is None else self._raw_key(place, raw) for raw in raws
            ]
        if self.shape.fields[place].kind == "array":
            return [self._array_key(place, value) for value in values]
        summary = self.shape.fields[place].summary
        return [None if value is _ABSENT else key_of(value, summary) for value in values]

    def _list_keys(self, place: int, raws: Sequence[bytes | None]) -> list[str | None] | None:
        """The keys of a column that holds nothing but arrays, read in one go; None when it does not."""
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
            key = self._raw_key_anew(place, raw)
            if len(raw) <= _MEMO_BYTES:
                _remember(memo, raw, key)
        return key

    def _raw_key_anew(self, place: int, raw: bytes) -> str:
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
        item = item.label  # type: ignore[attr-defined]
    return item if type(item) is str else ""


_LOOSE = json.JSONDecoder(parse_float=Token, parse_int=Token, parse_constant=Token, strict=False)


def loosely(record: bytes) -> Any:
    """A record as Python reads JSON, numbers as `Token`; None when it cannot. The last of two equal keys counts."""
    try:
        return _LOOSE.decode(record.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None


class Blocks:
    """Reads blocks. Belongs to one thread at a time."""

    def __init__(self) -> None:
        self._decompressor = zstandard.ZstdDecompressor()
        self._strict = msgspec.json.Decoder(list[str | None])

    def keys(self, block: bytes, fields: int, place: int) -> list[str | None]:
        """The keys of the field at ``place`` of ``fields``. Raises ValueError when the block is damaged."""
        try:
            lengths = struct.unpack_from(f"<{fields}I", block)
            start = 4 * fields + sum(lengths[:place])
            text = self._decompressor.decompress(block[start : start + lengths[place]])
        except (struct.error, zstandard.ZstdError, IndexError, MemoryError):
            raise ValueError("damaged block") from None
        try:
            return self._strict.decode(text)
        except msgspec.DecodeError:
            return list(json.loads(text))
