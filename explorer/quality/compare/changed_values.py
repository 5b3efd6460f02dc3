"""The differences between two states of a record, value by value: nested fields and array items by their path.

Items of two arrays are matched by their ``id``, without ids by index if there are equally many. An array with items
added or removed, or in another order, counts as one value.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import dotted
from explorer.jsontext.read import equal as equal_exactly
from explorer.quality.values.transform import equal

ITEMS = "[]"
_DEEPEST = 40
_LARGE = 10**40
_LONGEST = 4_000
"""Digits of a whole number; a longer one stays a decimal."""


@dataclass(slots=True)
class ChangedValue:
    """The difference in one field of one record: a pair of values, or a pair for each differing item of an array."""

    field: str
    """Its path: ``owner.name``, ``departments[].name``; empty for a record that is not an object."""
    befores: list[Any]
    nows: list[Any]
    """As many values as before; ABSENT where there is none."""
    line: int = 0
    """The caller's number for these values."""

    @property
    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Each old value with its new one."""
        return zip(self.befores, self.nows, strict=True)


@dataclass(slots=True)
class ChangedRecord:
    """A record that differs, with its context."""

    id: str
    values: dict[str, ChangedValue]
    """By field."""
    now: Callable[[], Any] = lambda: None
    """The whole record in its new state."""
    neighbour: Callable[[], Any] = lambda: None
    """The record before it in the earlier state; None without one."""
    before: Callable[[], Any] = lambda: None
    """The whole record in its earlier state, with what is left out; None where it is not known."""


class Sample(NamedTuple):
    """A changed value with its record."""

    value: ChangedValue
    record: ChangedRecord


def changed_values(path: str, before: Any, now: Any, line: int = 0) -> dict[str, ChangedValue]:
    """Each field at or below ``path`` that differs."""
    found: dict[str, ChangedValue] = {}
    waiting: list[tuple[str, Any, Any, int]] = [] if _same(before, now) else [(path, before, now, 0)]
    while waiting:
        name, one, other, depth = waiting.pop()
        if depth < _DEEPEST:
            if isinstance(one, dict) and isinstance(other, dict) and one and other:
                waiting += reversed(
                    [(below(name, key), *pair, depth + 1) for key, *pair in _members(one, other)]
                )
                continue
            if isinstance(one, list) and isinstance(other, list):
                items, one, other = _items(name, one, other)
                waiting += [(*each, depth + 1) for each in reversed(items)]
                if one is ABSENT or _same(one, other):
                    continue
        known = found.get(name)
        if known is None:
            found[name] = ChangedValue(name, [one], [other], line)
        else:
            known.befores.append(one)
            known.nows.append(other)
    return found


def first_difference(before: Any, now: Any) -> tuple[str, Any, Any]:
    """Where two values differ first: the path inside them, as ``[].name``, and what is there; of others both whole."""
    if isinstance(before, list) and isinstance(now, list):
        for name, value in changed_values("", before, now).items():
            return (name, *next(value.pairs))
    return "", before, now


def _members(one: dict[str, Any], other: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The members that differ."""
    for key, before in one.items():
        now = other.get(key, ABSENT)
        if not _same(before, now):
            yield key, before, now
    for key, now in other.items():
        if key not in one:
            yield key, ABSENT, now


def _items(name: str, one: list[Any], other: list[Any]) -> tuple[list[tuple[str, Any, Any]], Any, Any]:
    """The pairs of items that differ, and the change of the arrays as a whole; ABSENT without one."""
    ids = _ids(one), _ids(other)
    if ids[0] is not None and ids[1] is not None and ids[0].keys() & ids[1].keys():
        both = ids[0].keys() & ids[1].keys()
        pairs = [(name + ITEMS, item, ids[1][key]) for key, item in ids[0].items() if key in both]
        pairs = [pair for pair in pairs if not _same(*pair[1:])]
        # What remains for the arrays themselves is which items they have, and in which order.
        left = [ids[0][key] if key in both else item for key, item in ids[1].items()]
        return pairs, one, left
    if len(one) == len(other) and one and not same_items(one, other):
        return (
            [(name + ITEMS, a, b) for a, b in zip(one, other, strict=True) if not _same(a, b)],
            ABSENT,
            ABSENT,
        )
    return [], one, other


def _ids(items: list[Any]) -> dict[Any, Any] | None:
    found: dict[Any, Any] = {}
    for item in items:
        key = item.get("id") if isinstance(item, dict) else None
        if not isinstance(key, str | int | Decimal) or isinstance(key, bool) or key in found:
            return None
        found[key] = item
    return found


def _same(one: Any, other: Any) -> bool:
    kind = type(one)
    if kind is not type(other):
        return one is not ABSENT and other is not ABSENT and equal(one, other)
    if kind is str or kind is int or kind is bool or one is None:
        return bool(one == other)
    if kind is dict or kind is list:
        # Values unequal in Python differ; among equal ones 1 and true still do.
        return bool(one == other) and (repr(one) == repr(other) or equal(one, other))
    return one is other or equal(one, other) or equal_exactly(one, other)


@lru_cache(maxsize=8192)
def below(path: str, name: str) -> str:
    """The path of a member, as `dotted` writes it."""
    step = dotted((name,)) or '[""]'
    return path + step if step.startswith("[") or not path else f"{path}.{step}"


def same_items(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two arrays have the same items in any order."""
    return len(one) == len(other) and counted(one) == counted(other)


def counted(items: Sequence[Any]) -> Counter[str]:
    """Items by their content, with their number of occurrences."""
    return Counter(map(canonical, items))


def canonical(value: Any) -> str:
    """A text that is the same for equal values."""
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(name)}:{canonical(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < _LARGE else str(value)
    if isinstance(value, Decimal):
        whole = value.is_finite() and abs(value) < _LARGE and value == value.to_integral_value()
        return str(int(value)) if whole else str(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return "absent" if value is ABSENT else str(value)


def is_empty(value: Any) -> bool:
    """Whether a value is absent, null, or an empty text, array or object."""
    return value is ABSENT or value is None or (isinstance(value, str | list | dict) and not value)


def plain_json(text: str | bytes) -> Any:
    """A JSON text with numbers as int or float where these are exact, else as decimals.

    Raises ValueError.
    """
    try:
        return json.loads(text, parse_float=_float, parse_int=_whole)
    except RecursionError:
        raise ValueError("too deep to be read") from None


def _whole(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < _LONGEST else Decimal(digits)


def _float(digits: str) -> float | Decimal:
    made = float(digits)
    exact = Decimal(digits)
    return made if Decimal(repr(made)) == exact else exact
