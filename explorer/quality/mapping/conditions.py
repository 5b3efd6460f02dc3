"""What raw data says of the records in which a field is odd: something that all of them have, and hardly any other.

Then they are made by another rule, which may be meant. What is in no raw record decides nothing that can be told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from explorer.quality.mapping.name_match import is_folder, is_kind, is_of_itself
from explorer.quality.mapping.normal_forms import agreement, forms
from explorer.quality.mapping.origin import is_empty
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.transforms import equal, is_number

_FEWEST = 3
"""Fewer odd records tell nothing."""
_PURE = 0.02
"""The share of the other records that may have the value of the odd ones."""
_REASON = 0.06
"""The share of the other records that may have something where the odd ones all have."""
_SOME = 0.1
"""The share of the other records that may have one of a few values of the odd ones."""
_WAYS = 6
"""The most values of a raw path that decides something together with another."""
Laid = Mapping[str, Any]
"""The scalars of a raw record by pointer."""


def share_a_value(odd: Sequence[Laid], usual: Sequence[Laid]) -> bool:
    """Whether all odd records have one raw value that hardly any other has."""
    for path, value in odd[0].items() if len(odd) >= _FEWEST else ():
        if is_empty(value) or not all(equal(one.get(path), value) for one in odd):
            continue
        if sum(equal(one.get(path), value) for one in usual) <= _PURE * len(usual):
            return True
    return False


def have_something(odd: Sequence[Laid], usual: Sequence[Laid]) -> bool:
    """Whether all odd records, which may be among the others, have a value at a path where few others have one."""
    filled = [{path for path, value in one.items() if not is_empty(value)} for one in odd]
    paths = set.intersection(*filled) if len(filled) >= _FEWEST else set()
    rest = [one for one in usual if one not in odd]
    return any(sum(not is_empty(one.get(path)) for one in rest) <= _REASON * len(rest) for path in paths)


def are_told_apart(odd: Sequence[Laid], others: Sequence[Laid]) -> bool:
    """Whether the values at some path, few of them different, hardly occur in the others."""
    for path in set().union(*odd, *others):
        its = {repr(one.get(path)) for one in odd}
        usual = [repr(one.get(path)) for one in others]
        few = len(its | set(usual)) <= (len(odd) + len(usual)) / 3
        if few and sum(one in its for one in usual) <= _SOME * len(usual):
            return True
    return False


def divide(odd: Sequence[Laid], others: Sequence[Laid]) -> bool:
    """Whether a number or a date divides two groups, or two raw values together do, each of few."""
    both = [*odd, *others]
    paths = [path for path in set().union(*both) if all(not is_empty(one.get(path)) for one in both)]
    for path in paths:
        order = [_order(one[path], both[0][path]) for one in both]
        mine, its = order[: len(odd)], order[len(odd) :]
        if max(mine) < min(its) or max(its) < min(mine):
            return True
    columns = [[repr(one.get(path)) for one in both] for path in set().union(*both)]
    columns = [column for column in columns if 1 < len(set(column)) <= _WAYS]
    least = _REASON * min(len(odd), len(others))
    for at, one in enumerate(columns):
        for other in columns[at + 1 :]:
            groups: dict[tuple[str, str], list[bool]] = {}
            for number, key in enumerate(zip(one, other, strict=True)):
                groups.setdefault(key, []).append(number < len(odd))
            if sum(min(sum(its), len(its) - sum(its)) for its in groups.values()) <= least:
                return True
    return False


def are_of_a_kind(odd: Sequence[Laid], others: Sequence[Laid]) -> bool:
    """Whether the odd records are of a kind that no other is of: folders and links are no files to download, whatever
    somebody may do with them.
    """
    return min(len(odd), len(others)) >= _FEWEST and any(
        is_of_itself(path)
        and all(_says_kind(path, one.get(path)) for one in odd)
        and {one[path] for one in odd}.isdisjoint(one.get(path) for one in others)
        for path in odd[0]
    )


def _says_kind(path: str, value: Any) -> bool:
    """Whether a value says of which kind its record is: a word for it, or the flag of a folder."""
    return is_kind(path) if isinstance(value, str) else value is True and is_folder(path)


def is_the_later(kept: Sequence[tuple[Any, Any]], taken: Sequence[tuple[Any, Any]]) -> bool:
    """Whether of two dates or numbers the first is never before the second in ``kept``, and always in ``taken``."""
    rest = [_order(*both) for both in kept if not any(map(is_empty, both))]
    order = [_order(*both) for both in taken if not any(map(is_empty, both))]
    return bool(rest and order) and min(rest) >= 0 > max(order)


def _order(one: Any, other: Any) -> float:
    """How much one date or number is after another; 0 where that cannot be told."""
    if is_number(one) and is_number(other):
        return float(one - other)
    mine, its = date_readings(one), date_readings(other)
    return (mine[0].utc - its[0].utc).total_seconds() if mine and its else 0.0


def is_exact(value: Any) -> bool:
    """Whether a value is a date, a number or an id, which no wording changes."""
    if isinstance(value, str):
        return bool(date_readings(value)) or (any(map(str.isdigit, value)) and " " not in value.strip())
    return is_number(value)


def is_told(value: Any, there: Iterable[Any]) -> bool:
    """Whether one of some raw values agrees with a value, or has it in it."""
    mine, text = forms(value), str(value)
    return any(
        agreement(mine, forms(one)) or (isinstance(one, str) and (text in one or one in text))
        for one in there
        if not is_empty(one)
    )
