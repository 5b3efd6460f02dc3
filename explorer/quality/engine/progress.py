"""How far a run is: a value for each list and each group of calls, and one for all of it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from explorer import words as words_of

CERTAIN = 5
"""Calls after which the time of those that are left is estimated."""


class State(StrEnum):
    """How a list or group of calls stands."""

    WAITS = "waits"
    RUNS = "runs"
    DONE = "done"
    ABSENT = "not here"
    """The connection has none of it, or what it needs was not given."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Part:
    """One list, or one group of calls."""

    key: str
    """The key of a list, or the name of a group."""
    title: str
    state: State
    words: str
    """What it is doing, or how it ended: ``Reading page 3``, ``Trying page_size=7, page 2``."""
    rows: int = 0
    calls: int = 0
    left: int | None = 0
    """About how many calls it still makes; None where nothing tells."""
    more: int = 0
    """How many more than that it may make."""

    @property
    def about(self) -> int | None:
        """About how many calls it makes in all; None where nothing tells. Of one that is over, exactly."""
        return None if self.left is None else self.calls + self.left


@dataclass(frozen=True, slots=True)
class Expected:
    """About how many calls a run will make, before it begins."""

    least: int
    most: int
    unknown: tuple[str, ...] = ()
    """Titles of lists of which nothing tells how long they are: each is counted as one call."""

    def times(self, number: int) -> Expected:
        """Of so many connections."""
        return Expected(self.least * number, self.most * number, self.unknown)

    @property
    def range(self) -> str:
        """``80 to 120 calls``: in tens, as it is an estimate; ``6 calls`` where it is as good as known."""
        ten = 10 if self.most > 2 * 10 else 1
        least, most = self.least // ten * ten, -(-self.most // ten) * ten
        return f"{f'{least:,} to ' if 0 < least < most else ''}{words_of.count(most, 'call')}"

    @property
    def words(self) -> str:
        """In words; empty where nothing will be sent."""
        if not self.most:
            return ""
        if not self.unknown:
            return f"About {self.range}"
        which = f"{len(self.unknown)} lists are" if len(self.unknown) > 1 else f"{self.unknown[0]} is"
        return f"At least {words_of.count(self.least, 'call')}: nobody knows yet how long {which}"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    what: str
    """In words: ``Jobs, page 12``."""
    records: int
    pages: int
    calls: int
    seconds: float = 0.0
    parts: tuple[Part, ...] = ()
    """Each list and group of the run, in the order in which they are looked at."""
    most: int | None = None
    """The most calls that it may make; None without a bound."""

    @property
    def is_certain(self) -> bool:
        """Whether nothing is left whose number of calls is only estimated."""
        return all(part.left == 0 for part in self.parts)

    @property
    def about(self) -> int | None:
        """About how many calls it makes in all; None where nothing tells of a list how long it is."""
        left = [part.left for part in self.parts]
        if None in left:
            return self.most
        whole = self.calls + sum(filter(None, left))
        return whole if self.most is None else min(whole, self.most)

    def expected(self, absent: Collection[str] = ()) -> Expected:
        """Of a run that has not begun; ``absent`` names lists that are not there, where one call tells so."""
        here = [part for part in self.parts if part.key not in absent]
        least = sum(1 if part.left is None else part.left for part in here) + len(self.parts) - len(here)
        most = least + sum(part.more for part in here)
        if self.most is not None:
            least, most = min(least, self.most), min(most, self.most)
        unknown = tuple(part.title for part in here if part.left is None)
        return Expected(least, most, () if self.most == least else unknown)

    def seconds_of(self, calls: int | None) -> float | None:
        """How long so many further calls take at the pace so far; None where the pace or their number is not known."""
        return self.seconds / self.calls * calls if calls is not None and self.calls >= CERTAIN else None

    @property
    def seconds_left(self) -> float | None:
        """How long the run still takes, about; None while that is not known."""
        return self.seconds_of(None if self.about is None else self.about - self.calls)
