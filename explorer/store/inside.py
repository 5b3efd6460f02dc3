"""What stands inside a field of a record, as the third party's own record in raw data, for filters by a path there.

A path is the names on the way, with a point between them: ``status``, ``owner.name``. Where a name has a point itself
it is written as a JSON pointer (RFC 6901): ``/a.b/name``. Of an array on the way, and at its end, each item counts, so
``tags[]`` and ``tags`` are the same.

Nothing of that is indexed: a page's records are parsed, only as far as the path needs it. Measured for records of
1.2 kB: 2 µs a record, and 8 µs where an array is on the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from explorer.store.find import QueryFault
from explorer.store.indexed_columns import read_record
from explorer.store.keys import Token

_ABSENT = msgspec.UNSET
_NAME = "found"
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError)
_ITEM = re.compile(r"\[\d+\]\Z")
_DEEPEST = 40
"""Most names on the way."""


def steps_of(path: str) -> tuple[str, ...]:
    """The names of a path. Raises QueryFault where it is none."""
    if path.startswith("/"):
        steps = [one.replace("~1", "/").replace("~0", "~") for one in path[1:].split("/")]
    else:
        steps = [one.removesuffix("[]") for one in path.removeprefix(".").split(".")]
        if any(_ITEM.search(one) for one in steps):
            raise QueryFault(
                "A path takes no number of an item: each item counts.", "Leave it out: items[].name."
            )
        if not all(steps):
            raise QueryFault(f"{path[:40] or 'An empty text'} is no path.", "Write it as owner.name.")
    if len(steps) > _DEEPEST:
        raise QueryFault("The path has too many names.", f"At most {_DEEPEST} are looked through.")
    return tuple(steps)


def path_of(steps: Sequence[str]) -> str:
    """The path that `steps_of` reads back."""
    if all(one and not one.endswith("]") and "." not in one for one in steps) and steps[0][:1] != "/":
        return ".".join(steps)
    return "".join("/" + one.replace("~", "~0").replace("/", "~1") for one in steps)


def paths_in(values: Iterable[Any]) -> list[str]:
    """Every path in ``values`` that leads to something else than an object, in the order met."""
    found: dict[tuple[str, ...], None] = {}
    for value in values:
        _collect(value, (), found)
    return [path_of(steps) for steps in found]


def _collect(value: Any, before: tuple[str, ...], found: dict[tuple[str, ...], None]) -> None:
    if isinstance(value, list):
        for item in value:
            _collect(item, before, found)
    if isinstance(value, dict) and len(before) < _DEEPEST:
        for name, inner in value.items():
            _collect(inner, (*before, name), found)
    elif before:
        found.setdefault(before)


class Inside:
    """Reads what stands at one path inside one field. Use one instance in one thread at a time. Raises QueryFault."""

    def __init__(self, field: str, path: str) -> None:
        self._steps = (field, *steps_of(path))
        kind: Any = Any
        for name in reversed(self._steps):
            kind = msgspec.defstruct("Inner", [(_NAME, kind, _ABSENT)], rename={_NAME: name}, gc=False)
        first = msgspec.defstruct("Outer", [(_NAME, Any, _ABSENT)], rename={_NAME: field}, gc=False)
        self._page = msgspec.json.Decoder(list[kind], float_hook=Token)
        self._one = msgspec.json.Decoder(first, float_hook=Token)
        self._plain = True
        """Whether no record so far had an array on the way, so that pages are read at once."""

    def values(self, records: Sequence[bytes]) -> list[list[Any]]:
        """For each record what stands there: numbers as int or `Token`; nothing where the path leads nowhere."""
        if self._plain:
            try:
                rows = self._page.decode(b"[%b]" % b",".join(records))
                if len(rows) == len(records):
                    return [self._at_end(row) for row in rows]
            except _UNREADABLE:
                self._plain = False
        return [list(self._read(record)) for record in records]

    def _at_end(self, row: Any) -> list[Any]:
        for _ in self._steps:
            row = getattr(row, _NAME)
            if row is _ABSENT:
                return []
        return list(_walk(row, ()))

    def _read(self, record: bytes) -> Iterator[Any]:
        try:
            found: Any = getattr(self._one.decode(record), _NAME)
            return _walk(found, self._steps[1:]) if found is not _ABSENT else iter(())
        except _UNREADABLE:
            whole = read_record(record)
        return _walk(whole, self._steps) if isinstance(whole, dict) else iter(())


def _walk(value: Any, steps: tuple[str, ...]) -> Iterator[Any]:
    if isinstance(value, list) and (value or steps):
        for item in value:
            yield from _walk(item, steps)
    elif not steps:
        yield value
    elif isinstance(value, dict) and steps[0] in value:
        yield from _walk(value[steps[0]], steps[1:])
