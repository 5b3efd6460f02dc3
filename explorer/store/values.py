"""What the store is asked with and answers: the key of a pull, how far it came, one page of it, and its
faults.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal

from explorer.api.errors import ExplorerError

PullState = Literal["ready", "complete", "stopped"]


@dataclass(frozen=True, slots=True)
class PullKey:
    """What tells one pull from another: where from, on which connection, which list, with which
    parameters.
    """

    connection: str
    origin: str
    """The base address; ``sandbox`` for the built-in profile, whose port changes."""
    resource: str
    """The key of the list operation."""
    params: str
    """Canonical JSON (ASCII) of the query and the extra parameters, without the cursor."""


@dataclass(frozen=True, slots=True)
class PullInfo:
    """How far a pull came. Rows and next cursor are always of one moment."""

    id: int
    key: PullKey
    state: PullState
    """``stopped`` without a next cursor: the service ended it, and it is not shown to be complete."""
    why: str
    """One sentence when it is stopped, else empty."""
    pages: int
    rows: int
    bytes: int
    """Of the pages as received, before compression."""
    next_cursor: str | None
    """What the next page is asked with; None at the start and at the end."""
    started_at: datetime
    updated_at: datetime
    unfit: int | None = None
    """Records that do not fit their contract; None while that is not known of every page."""
    with_key: int = 0
    """Records that hold the key or token that they were asked for with. They are kept as they were received."""
    settled: bool = False
    """It was complete at some time, or the user takes it as it is: it is in front until a later one is settled."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the pulls of one key stand to each other."""

    front: PullInfo | None = None
    """What is shown, searched, counted and exported: the newest that is settled, else the newest."""
    begun: PullInfo | None = None
    """A reload under way or stopped: newer than the one in front, and not settled."""
    previous: PullInfo | None = None
    """The one that was in front before."""

    @classmethod
    def of(cls, pulls: Iterable[PullInfo]) -> Standing:
        """How these pulls of one key stand, given oldest first."""
        found = list(pulls)
        settled = [one for one in found if one.settled]
        front = settled[-1] if settled else found[-1] if found else None
        begun = found[-1] if found and found[-1] is not front else None
        return cls(front, begun, settled[-2] if len(settled) > 1 else None)


def standings(pulls: Iterable[PullInfo]) -> dict[PullKey, Standing]:
    """How the pulls of each key stand, given oldest first."""
    by_key: dict[PullKey, list[PullInfo]] = {}
    for one in pulls:
        by_key.setdefault(one.key, []).append(one)
    return {key: Standing.of(found) for key, found in by_key.items()}


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One kept page, without its bytes."""

    number: int
    """Counted from 1."""
    cursor: str | None
    next_cursor: str | None
    flag: bool | None
    first_row: int
    """Counted from 0 over the pull."""
    rows: int
    bytes: int
    """Of the body as received."""
    elapsed_ms: float
    received_at: datetime
    notes: tuple[str, ...]
    exchange: int
    """Its number in the log of the run that received it."""
    unfit: int | None = None
    """Records that do not fit their contract; None where that is not known: kept before it was counted."""


@dataclass(frozen=True, slots=True)
class Field:
    """One column as the store knows it: a top-level field of the records."""

    name: str
    summary: str = ""
    """For arrays and objects: the inner field that stands for an item."""
    kind: str = "any"
    """What the catalog expects. It only decides which way of reading is tried first, never what a value is."""


class StoreFault(ExplorerError):
    """The store cannot keep or read: the disk is full, the file is locked, damaged or read only."""

    exit_code: ClassVar[int] = 3


class PageDamaged(StoreFault):
    """A kept page cannot be given as it was received. It can be fetched again by its cursor (`Pull.retry`)."""

    def __init__(self, sentence: str, advice: str = "", *, page: int = 0, **more: Any) -> None:
        super().__init__(sentence, advice, **more)
        self.page = page
        """Its number, from 1."""


class PullMoved(StoreFault):
    """Another window went on with this pull, started it anew or removed it: reload to see its rows."""
