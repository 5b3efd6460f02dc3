"""Which items of a raw array a unified one has, where others are left out by what they say: by role, kind, or state.

What is left out by its content is no loss. What has the content of those that are taken, and is not there, is one: so
both have to be told apart before anything is counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.quality.mapping.origin import reader

_VALUES = 12
"""The most values of a condition."""
_FEWEST = 5
"""The fewest items that are left out by one."""
_PURE = 0.02
"""The share of those that may be taken all the same."""
_MOSTLY = 0.6
"""The share of the others that has to be taken."""
_TOLD = 0.5
"""The share of what is left out that a condition has to explain."""
_CONDITIONS = 2
"""The most conditions."""
Items = Sequence[tuple[Mapping[str, Any], bool]]


@dataclass(frozen=True, slots=True)
class Choice:
    """The values at some paths of raw items by which they are taken."""

    taken: tuple[tuple[str, frozenset[str]], ...]

    def takes(self, item: Any) -> bool:
        """Whether a raw item is one of those that are taken; a value that was never seen is none of theirs."""
        return all(_text(reader(path)(item)) in values for path, values in self.taken)


def choice_of(items: Items, without: str) -> Choice | None:
    """The choice that some raw items show, each as scalars by path and whether it was taken; None where there is none.

    ``without`` is the path that names an item.
    """
    made: list[tuple[str, frozenset[str]]] = []
    left = list(items)
    for _ in range(_CONDITIONS):
        best = max(
            (
                found
                for path in dict.fromkeys(path for one, _ in left for path in one if path != without)
                if (found := _condition(left, path)) is not None
            ),
            key=lambda one: one[0],
            default=None,
        )
        if best is None:
            break
        made.append((best[1], best[2]))
        left = [(one, kept) for one, kept in left if _text(one.get(best[1])) in best[2]]
    return Choice(tuple(made)) if made else None


def _condition(items: Items, path: str) -> tuple[int, str, frozenset[str]] | None:
    """The values at one path that items are taken by, with how many items it leaves out."""
    counts: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0])
    for one, kept in items:
        counts[_text(one.get(path))][kept] += 1
        if len(counts) > _VALUES:
            return None
    out = {value for value, (lost, kept) in counts.items() if kept <= _PURE * (lost + kept)}
    lost = sum(counts[value][0] for value in out)
    rest = {value: both for value, both in counts.items() if value not in out}
    all_lost = sum(both[0] for both in counts.values())
    taken, left = sum(both[1] for both in rest.values()), sum(both[0] for both in rest.values())
    if lost < _FEWEST or not rest or lost < _TOLD * all_lost or taken < _MOSTLY * (taken + left):
        return None
    return lost - left, path, frozenset(rest)


def _text(value: Any) -> str:
    return "" if value is None or value == "" else repr(value)[:100]
