"""Which fields of a record changed between two times it was received, from a few bytes a field and no stored record."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any
from zlib import crc32

import msgspec

from explorer.catalog.spec import ABSENT
from explorer.quality.engine.finding_collector import named
from explorer.quality.engine.rows import Column, Rows

_WIDTH, _MOST = 4, 0xFFFF_FFFF
_PLAIN = frozenset((bool, type(None), type(ABSENT)))
"""Types of few values, of which each is hashed once."""
_encode = msgspec.json.Encoder(order="sorted").encode


class FieldMarks:
    """Short hashes of records: four bytes for each of some fields; absent differs from null."""

    def __init__(self, names: Iterable[str]) -> None:
        """``names`` are the fields that are told apart; all others of a record share the last hash."""
        self.names = tuple(dict.fromkeys(names))
        self._known = frozenset(self.names)

    def of(self, record: Mapping[str, Any]) -> bytes:
        """The hashes of a record: ``4 * (len(names) + 1)`` bytes, valid within this process."""
        made = [_mark(record.get(name, ABSENT)) for name in self.names]
        return array("I", (*made, self._others(record))).tobytes()

    def of_all(self, rows: Rows) -> bytes:
        """The hashes of several sound records one after another, each as `of` returns it."""
        marks = [_marks(rows.column(name)) for name in self.names]
        has_more = not rows.names <= self._known
        marks.append([self._others(record) if has_more else 0 for record in rows.records])
        return array("I", chain.from_iterable(zip(*marks, strict=True))).tobytes()

    def _others(self, record: Mapping[str, Any]) -> int:
        if record.keys() <= self._known:
            return 0
        return _mark({name: value for name, value in record.items() if name not in self._known})

    def changed(self, before: bytes, now: bytes) -> tuple[str, ...]:
        """The fields that differ, in declared order; an empty name stands for those beyond ``names``."""
        names = (*self.names, "")
        return tuple(
            name
            for at, name in zip(range(0, len(before), _WIDTH), names, strict=False)
            if before[at : at + _WIDTH] != now[at : at + _WIDTH]
        )


def changed_words(names: Iterable[str]) -> str:
    """``name and size``, for a sentence; ``undeclared fields`` for those without a name."""
    return named(name or "undeclared fields" for name in names) or "nothing"


def _mark(value: Any) -> int:
    """A four-byte hash of a value; zero stands for absent."""
    if value is ABSENT:
        return 0
    if type(value) is str:
        return hash(value) & _MOST or 1
    try:
        data = _encode(value)
    except (ValueError, TypeError, OverflowError, RecursionError):
        data = repr(type(value)).encode()
    return crc32(data) or 1


def _marks(column: Column) -> list[int]:
    if column.types == {str}:
        return [made & _MOST or 1 for made in map(hash, column.values)]
    if str in column.types:
        return [hash(value) & _MOST or 1 if type(value) is str else _mark(value) for value in column.values]
    if len(column.types) == 1 and column.types <= _PLAIN:
        known = {value: _mark(value) for value in set(column.values)}
        return [known[value] for value in column.values]
    if type(ABSENT) in column.types:
        return list(map(_mark, column.values))
    try:
        made = list(map(crc32, map(_encode, column.values)))
    except (ValueError, TypeError, OverflowError, RecursionError):
        made = [0]
    return list(map(_mark, column.values)) if 0 in made else made
