"""Which fields of a record changed between two sights of it, told from a few bytes a field and no record kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

import msgspec

from explorer.quality.engine.finding_collector import named

_WIDTH = 4
_encoder = msgspec.json.Encoder(order="sorted")


class FieldMarks:
    """Marks of records: four bytes for each of some fields, absent told from null."""

    def __init__(self, names: Iterable[str]) -> None:
        """``names`` are the fields that are told apart; the others of a record share the last mark."""
        self.names = tuple(dict.fromkeys(names))
        self._known = frozenset(self.names)

    def of(self, record: Mapping[str, Any]) -> bytes:
        """The marks of a record: ``4 * (len(names) + 1)`` bytes, good within any process."""
        made = [_mark(record[name]) if name in record else bytes(_WIDTH) for name in self.names]
        others = {name: value for name, value in record.items() if name not in self._known}
        return b"".join((*made, _mark(others) if others else bytes(_WIDTH)))

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


def _mark(value: Any) -> bytes:
    try:
        data = _encoder.encode(value)
    except (ValueError, TypeError, OverflowError, RecursionError):
        data = repr(type(value)).encode()
    # Zero stands for absent.
    return (crc32(data) or 1).to_bytes(_WIDTH, "little")
