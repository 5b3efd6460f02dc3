"""Sources inside other values: an array entry whose index changes, and whole words of a longer text.

Both compare with many values at once, so that chance matches are likely: they count only where the neighbours' records
do not contain the value as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from explorer.quality.mapping.normal_forms import Key, forms, likeness
from explorer.quality.mapping.sample import FEWEST, Found, Sample

_M = TypeVar("_M")
_H = TypeVar("_H")
_CHANCE = 0.5
"""The share of records whose value may occur in another record as well."""


def of_entry(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """A value that is at different indexes of an array: that of the entry of the right kind."""
    if not _varies(values, rows):
        return None
    mine = {row: set(forms(values[row])) for row in rows}
    fit: list[tuple[tuple[float, ...], str, float]] = []
    for array in sample.box_pointers:
        if any(isinstance(sample.boxes[row].get(array), list) for row in rows):
            inside = _Below(sample, array)
            share = _telling_share(rows, mine, inside, _is_among, sample.often)
            fit.append(((share, likeness(name, array), float(array.count("/"))), array, share))
    return _likeliest(fit, "entry", sample.often)


class _Below(dict[int, set[Key]]):
    """The forms of all values below one array by record, computed when first needed, as few are."""

    def __init__(self, sample: Sample, array: str) -> None:
        super().__init__()
        self._sample, self._array = sample, array

    def __missing__(self, row: int) -> set[Key]:
        found = self[row] = _keys_below(self._sample.flat[row], self._array)
        return found


def of_piece(sample: Sample, name: str, values: list[Any], rows: list[int]) -> Found | None:
    """A text that is a part of a longer one, in whole words."""
    if not _varies(values, rows) or not all(isinstance(values[row], str) for row in rows):
        return None
    mine = {row: _piece(values[row].strip()) for row in rows}
    fit: list[tuple[tuple[float, ...], str, float]] = []
    for pointer in sample.pointers:
        texts = {row: sample.plain[row].get(pointer) for row in rows}
        share = _telling_share(rows, mine, texts, _is_inside, sample.often)
        fit.append(((share, likeness(name, pointer), -float(pointer.count("/"))), pointer, share))
    return _likeliest(fit, "piece", sample.often)


def _likeliest(fit: list[tuple[tuple[float, ...], str, float]], how: str, often: float) -> Found | None:
    best = max(fit, default=None)
    return None if best is None or best[2] < often else Found((best[1],), how, best[2])


def _is_among(mine: set[Key], keys: set[Key]) -> bool:
    return not mine.isdisjoint(keys)


def _is_inside(mine: re.Pattern[str], text: Any) -> bool:
    return isinstance(text, str) and mine.search(text) is not None


def _piece(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")


def _varies(values: list[Any], rows: list[int]) -> bool:
    """Whether there are enough different values, none of them too short, for a match to be significant."""
    texts = {str(values[row]).strip() for row in rows}
    return len(rows) >= 2 * FEWEST and len(texts) > 2 and "" not in texts


def _telling_share(
    rows: list[int],
    mine: Mapping[int, _M],
    held: Mapping[int, _H],
    holds: Callable[[_M, _H], bool],
    often: float,
) -> float:
    """The share of records that contain their own value; 0 where other records contain it nearly as often."""
    misses, most = 0, (1 - often) * len(rows)
    for row in rows:
        misses += not holds(mine[row], held[row])
        if misses > most:
            return 0.0
    beside = sum(holds(mine[row], held[rows[at - 1]]) for at, row in enumerate(rows))
    return 1 - misses / len(rows) if beside <= _CHANCE * len(rows) else 0.0


def _keys_below(flat: Mapping[str, tuple[Key, ...]], array: str) -> set[Key]:
    """The forms of every value below an array, without plain equality, which the others imply."""
    return {key for path, keys in flat.items() if path.startswith(f"{array}/") for key in keys}
