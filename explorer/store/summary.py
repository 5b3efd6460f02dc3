"""The summary of one column: missing and distinct values, minimum, maximum, mean, the commonest values, a histogram.

It takes one walk over the pages, which can be cancelled between any two. A value that occurs often is processed once;
only beyond `DISTINCT_BOUND` distinct values each further one is processed by itself. Measured for a million rows: 0.6 s
for a few distinct values, 3 s where every row has its own.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import NamedTuple, TypeGuard

from explorer.store.keys import EMPTY, NESTED, NULL, NUMBER, TEXT, number_of, text_of
from explorer.store.reader import Reader

DISTINCT_BOUND = 50_000
"""Distinct values that are counted; beyond, the summary says "more than" so many."""
TOP = 10
BINS = 20
_EXACT = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)


class Valued(NamedTuple):
    """One value of the column."""

    text: str
    """For display; of a long text the beginning."""
    row: int
    """The number of a row that has it, from which it can be read as received."""
    rows: int
    """How many rows have it; 0 where that was not counted."""


class Bin(NamedTuple):
    """One bar of the histogram: values from ``low`` to below ``high`` (the last one includes it)."""

    low: float
    high: float
    rows: int


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of one column. Null, absent and empty cells are counted in these three fields and in no later one."""

    rows: int
    nulls: int
    absents: int
    empties: int
    distinct: int
    more: bool
    """There are more than `distinct` different values; `top` has only values from before that bound was reached."""
    least: Valued | None
    """The minimum, in the order of `explorer.store.keys`."""
    greatest: Valued | None
    top: tuple[Valued, ...]
    """The commonest values, most frequent first."""
    spread: tuple[Bin, ...]
    """The histogram of the numbers, or of the dates as seconds since 1970, whichever are more; empty without both."""
    of_dates: bool
    numbers: int = 0
    """Cells with a finite number, over which `mean` is taken."""
    mean: Decimal | None = None
    """Of the numbers, exact to some 50 digits; None when there are none."""

    @property
    def present(self) -> int:
        """Cells with a value: neither null nor absent nor empty."""
        return self.rows - self.nulls - self.absents - self.empties


def summarise(reader: Reader, column: tuple[str, str], within: Sequence[int] | None = None) -> Summary:
    """The summary of ``column`` (name and summary field) over all rows of the pull, or over ``within`` alone.

    Raises Unwanted when cancelled, PullMoved, StoreFault.
    """
    counted = _Counted()
    for leaf, among in reader.leaves_with(within):
        keys: Sequence[str | None] = reader.keys(leaf, column)
        places: Sequence[int] = range(leaf.first, leaf.first + leaf.rows)
        if among is not None:
            keys, places = [keys[place] for place in among], [places[place] for place in among]
        counted.add(keys, places)
    return counted.summary(reader.check)


def _told(key: str | None) -> TypeGuard[str]:
    """Whether the cell has a value: neither null nor absent nor empty."""
    return key is not None and key != NULL and key not in EMPTY


class _Counted:
    """The counts so far. A value that occurs often is processed once, at the end."""

    def __init__(self) -> None:
        self._counts: dict[str | None, int] = {}
        self._first: dict[str | None, int] = {}
        self._others = 0
        self._least: tuple[str, int] | None = None
        self._greatest: tuple[str, int] | None = None
        self._spread = _Spread()
        # Null, absent and empty take places too, and one value beyond the bound shows that there are more.
        self._room = DISTINCT_BOUND + len(EMPTY) + 2

    def add(self, keys: Sequence[str | None], rows: Sequence[int]) -> None:
        """Adds the keys of one page and the numbers of their rows."""
        counts = self._counts
        first = dict(zip(reversed(keys), reversed(rows), strict=True))
        for key, n in Counter(keys).items():
            if key in counts:
                counts[key] += n
            elif len(counts) < self._room or not _told(key):
                counts[key], self._first[key] = n, first[key]
            else:
                self._others += n
                self._ends(key, first[key])
                self._spread.add(key, n)

    def _ends(self, key: str, row: int) -> None:
        if self._least is None or key < self._least[0]:
            self._least = key, row
        if self._greatest is None or key > self._greatest[0]:
            self._greatest = key, row

    def summary(self, check: Callable[[], None]) -> Summary:
        """The summary of all that was added. ``check`` is called now and then and raises when cancelled."""
        counts, values = self._counts, Counter[str]()
        for at, (key, n) in enumerate(counts.items()):
            if _told(key):
                values[key] = n
                self._ends(key, self._first[key])
                self._spread.add(key, n)
            if not at % 4096:
                check()
        known = min(len(values), DISTINCT_BOUND)
        spread = self._spread
        of_dates = len(spread.dates) > len(spread.numbers)
        return Summary(
            rows=sum(counts.values()) + self._others,
            nulls=counts.get(NULL, 0),
            absents=counts.get(None, 0),
            empties=sum(counts.get(key, 0) for key in EMPTY),
            distinct=known,
            more=bool(self._others) or len(values) > known,
            least=self._valued(self._least),
            greatest=self._valued(self._greatest),
            top=tuple(Valued(_shown(key), self._first[key], n) for key, n in values.most_common(TOP)),
            spread=(spread.dates if of_dates else spread.numbers).bins(check),
            of_dates=of_dates,
            numbers=spread.count,
            mean=_EXACT.divide(spread.total, Decimal(spread.count)) if spread.count else None,
        )

    def _valued(self, found: tuple[str, int] | None) -> Valued | None:
        return None if found is None else Valued(_shown(found[0]), found[1], self._counts.get(found[0], 0))


class _Values:
    """Floats with their frequencies: 12 bytes each, where a million tuples would take 100 MB."""

    def __init__(self) -> None:
        self._values, self._weights = array("d"), array("I")
        self.low, self.high = math.inf, -math.inf

    def add(self, value: float, n: int) -> None:
        """``value``, ``n`` times."""
        self._values.append(value)
        self._weights.append(n)
        self.low, self.high = min(self.low, value), max(self.high, value)

    def __len__(self) -> int:
        return len(self._values)

    def bins(self, check: Callable[[], None]) -> tuple[Bin, ...]:
        """The histogram: `BINS` bars of equal width. ``check``: as in `_Counted.summary`."""
        low, high = self.low, self.high
        width = high / BINS - low / BINS if self._values else 0.0
        if not width:
            return (Bin(low, high, sum(self._weights)),) if self._values else ()
        counts = [0] * BINS
        for at, (value, n) in enumerate(zip(self._values, self._weights, strict=True)):
            counts[min(int((value / BINS - low / BINS) / width * BINS), BINS - 1)] += n
            if not at % 65536:
                check()
        edges = [low + n * width for n in range(BINS)] + [high]
        return tuple(Bin(edges[n], edges[n + 1], count) for n, count in enumerate(counts))


class _Spread:
    """The numbers and the dates of the column, each with its frequency."""

    def __init__(self) -> None:
        self.numbers, self.dates = _Values(), _Values()
        self.total, self.count = Decimal(0), 0

    def add(self, key: str, n: int) -> None:
        """Adds the value of ``key``, ``n`` times. Values that are neither numbers nor dates are ignored."""
        if key[0] == NUMBER:
            number = number_of(key)
            if number is None or not number.is_finite():
                return
            self.total = _EXACT.add(self.total, _EXACT.multiply(number, Decimal(n)))
            self.count += n
            as_float = _as_float(number)
            if math.isfinite(as_float):
                self.numbers.add(as_float, n)
        elif key[0] == TEXT and "1" <= key[1:2] <= "2" and 10 < (mark := key.index("\n")) < 40:
            at = _moment(key[1:mark] if key[mark + 1] == "2" else key[mark + 2 :])
            if at is not None:
                self.dates.add(at, n)


def _as_float(number: Decimal) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _shown(key: str) -> str:
    """As `text_of`; for an array also how many items it has beside the one that labels it: ``Design +1``."""
    text = text_of(key)
    if key[0] != NESTED or key in EMPTY:
        return text
    length = key.rindex("\n") + 1
    count = int(key[length + 1 : -1])
    if not count:
        return text or "{…}"
    return f"{text} +{count - 1}" if text and count > 1 else text or f"[…] of {count}"


def _moment(text: str) -> float | None:
    """A date as seconds since 1970; None for other texts.

    Read are ISO 8601 (without a time zone: UTC) and milliseconds since 1970 as text, which one service was seen to
    send.
    """
    try:
        if text.isdigit():
            return int(text) / 1000 if 12 <= len(text) <= 14 else None
        at = datetime.fromisoformat(text)
    except (ValueError, OverflowError):
        return None
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
