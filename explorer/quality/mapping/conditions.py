"""What raw data says of the records in which a field is odd: something that all of them have, and hardly any other.

Then they are made by another rule, which may be meant. What is in no raw record decides nothing that can be told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from explorer.quality.mapping.origin import is_empty
from explorer.quality.values.transforms import equal

_FEWEST, _PURE, _REASON, _SOME = 3, 0.02, 0.06, 0.1
"""Fewer odd records tell nothing; the shares of the others that may have a value, something, or some values."""
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
