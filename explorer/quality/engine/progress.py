"""How far a run is: a value for each list and each group of calls, and one for all of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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

    def seconds_of(self, calls: int | None) -> float | None:
        """How long so many further calls take at the pace so far; None where the pace or their number is not known."""
        return self.seconds / self.calls * calls if calls is not None and self.calls >= CERTAIN else None

    @property
    def seconds_left(self) -> float | None:
        """How long the run still takes, about; None while that is not known."""
        return self.seconds_of(None if self.about is None else self.about - self.calls)
