"""What one column holds: how much is missing, how many values there are, the least and the greatest, the commonest,
and how numbers and dates are spread.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from explorer.store.keys import EMPTY, NULL, NUMBER, TEXT, number_of, text_of
from explorer.store.reader import Reader

DISTINCT_BOUND = 50_000
"""Different values that are counted; beyond, there are "more than" so many."""
TOP = 10
BINS = 20


class Valued(NamedTuple):
    """One value of the column."""

    text: str
    """For a person; the beginning of a long text."""
    row: int
    """A row that holds it, where it can be had as received."""
    rows: int
    """How many rows hold it; 0 where that was not counted."""


class Bin(NamedTuple):
    """One bar of the histogram: values from ``low`` to below ``high`` (the last one includes it)."""

    low: float
    high: float
    rows: int


@dataclass(frozen=True, slots=True)
class Summary:
    """One column over the rows asked about. Null, absent and empty cells count in none of what follows them."""

    rows: int
    nulls: int
    absents: int
    empties: int
    distinct: int
    more: bool
    """There are more than `distinct` different values, and `top` names only values met before that many had been."""
    least: Valued | None
    """In the order of sorting."""
    greatest: Valued | None
    top: tuple[Valued, ...]
    """The commonest, most first."""
    spread: tuple[Bin, ...]
    """Of numbers, or of dates as seconds since 1970, whichever the column has; empty when it has neither."""
    of_dates: bool


def summarise(reader: Reader, column: tuple[str, str], within: Sequence[int] | None = None) -> Summary:
    """The summary of ``column`` (name and summary field) over all rows of the pull, or only those ``within``."""
    mask = None
    if within is not None:
        mask = bytearray(reader.info.rows)
        for row in within:
            mask[row] = 1
    counts: Counter[str | None] = Counter()
    others = 0
    first: dict[str | None, int] = {}
    least: tuple[str, int] | None = None
    greatest: tuple[str, int] | None = None
    numbers, dates = array("d"), array("d")
    for leaf in reader.leaves():
        keys = reader.keys(leaf, column)
        places: Sequence[int] = range(leaf.rows)
        if mask is not None:
            chosen = mask[leaf.first : leaf.first + leaf.rows]
            places = [place for place in places if chosen[place]]
        for place in places:
            key = keys[place]
            if key in counts:
                counts[key] += 1
            elif len(counts) < DISTINCT_BOUND + len(EMPTY) + 2 or key is None or key == NULL or key in EMPTY:
                counts[key], first[key] = 1, leaf.first + place
            else:
                others += 1
            if key is None or key == NULL or key in EMPTY:
                continue
            if least is None or key < least[0]:
                least = key, leaf.first + place
            if greatest is None or key > greatest[0]:
                greatest = key, leaf.first + place
            _spread(key, numbers, dates)
    values: Counter[str] = Counter()
    for key, n in counts.items():
        if key is not None and key != NULL and key not in EMPTY:
            values[key] = n
    known = min(len(values), DISTINCT_BOUND)
    of_dates = len(dates) > len(numbers)
    return Summary(
        rows=counts.total() + others,
        nulls=counts[NULL],
        absents=counts[None],
        empties=sum(counts[key] for key in EMPTY),
        distinct=known,
        more=bool(others) or len(values) > known,
        least=_valued(least, counts),
        greatest=_valued(greatest, counts),
        top=tuple(Valued(text_of(key), first[key], n) for key, n in values.most_common(TOP)),
        spread=_bins(dates if of_dates else numbers),
        of_dates=of_dates,
    )


def _valued(found: tuple[str, int] | None, counts: Counter[str | None]) -> Valued | None:
    return None if found is None else Valued(text_of(found[0]), found[1], counts.get(found[0], 0))


def _spread(key: str, numbers: array[float], dates: array[float]) -> None:
    if key[0] == NUMBER:
        number = number_of(key)
        if number is not None and number.is_finite():
            as_float = float(number)
            if math.isfinite(as_float):
                numbers.append(as_float)
    elif key[0] == TEXT and "1" <= key[1:2] <= "2" and 10 < key.index("\n") < 40:
        at = _moment(text_of(key))
        if at is not None:
            dates.append(at)


def _moment(text: str) -> float | None:
    """A date's seconds since 1970: ISO 8601, or milliseconds since 1970 as text (observed). Without a zone: UTC."""
    try:
        if text.isdigit():
            return int(text) / 1000 if 12 <= len(text) <= 14 else None
        at = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()


def _bins(values: array[float]) -> tuple[Bin, ...]:
    if not values:
        return ()
    low, high = min(values), max(values)
    width = high / BINS - low / BINS
    if not width:
        return (Bin(low, high, len(values)),)
    counts = [0] * BINS
    for value in values:
        counts[min(int((value / BINS - low / BINS) / width * BINS), BINS - 1)] += 1
    return tuple(
        Bin(low + n * width, high if n == BINS - 1 else low + (n + 1) * width, c)
        for n, c in enumerate(counts)
    )
