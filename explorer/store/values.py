"""The store's values: the key of a pull, its state, one page of it, and the errors."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Literal, NamedTuple

from explorer.api.errors import ExplorerError

PullState = Literal["ready", "complete", "stopped"]
KEPT_PULLS = 5
"""How many settled pulls of one key are kept: the current one, and those that were current before."""


@dataclass(frozen=True, slots=True)
class PullKey:
    """Identifies a list with its parameters: service, connection, list and query. Pulls of the same key replace
    each other.
    """

    connection: str
    origin: str
    """The base address; ``sandbox`` for the built-in profile, whose port changes."""
    resource: str
    """The key of the list operation."""
    params: str
    """The query and extra parameters without the cursor, as canonical JSON (ASCII); see `pull_storage.key_of`."""

    @property
    def asked(self) -> tuple[dict[str, Any], list[tuple[str, str]]]:
        """The query by name, and the extra parameters."""
        asked = json.loads(self.params)
        return dict(asked.get("query", ())), [(name, value) for name, value in asked.get("extra", ())]


class Fit(NamedTuple):
    """How many records fit their contract, of some."""

    unfit: int
    """Those that do not fit."""
    observed: int
    """Those that fit but for nulls that running services are known to send."""

    @classmethod
    def sum(cls, parts: Iterable[Fit | None]) -> Fit | None:
        """The sum; None when one of them is None (unknown)."""
        unfit = observed = 0
        for one in parts:
            if one is None:
                return None
            unfit, observed = unfit + one.unfit, observed + one.observed
        return cls(unfit, observed)


ALL_FIT = Fit(0, 0)


@dataclass(frozen=True, slots=True)
class PullInfo:
    """The state of a pull. Its rows and next cursor are always from the same transaction."""

    id: int
    key: PullKey
    state: PullState
    """``stopped`` without a next cursor means that the service ended the list without showing that it is complete."""
    why: str
    """Why it is stopped, one sentence; else empty."""
    pages: int
    rows: int
    bytes: int
    """Of the pages as received, before compression."""
    next_cursor: str | None
    """The cursor of the next page; None at the start and at the end."""
    started_at: datetime
    updated_at: datetime
    unfit: int | None = None
    """Records that do not fit their contract; None while that is unknown for some page."""
    with_key: int = 0
    """Records that contain the key or token of the request. They are stored as received all the same."""
    settled: bool = False
    """It was complete at some time, or the user accepted it as it is. The newest settled pull is the current one."""
    observed: int | None = None
    """Records that fit but for nulls that running services are known to send; None where ``unfit`` is unknown."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Which of the pulls of one key is current, begun, or from before the last reloads."""

    front: PullInfo | None = None
    """The current pull, which is shown, searched, counted and exported: the newest settled one, else the newest."""
    begun: PullInfo | None = None
    """A reload that is under way or was stopped: newer than the current pull and not settled."""
    earlier: tuple[PullInfo, ...] = ()
    """The pulls that were current before, the newest first."""

    @property
    def previous(self) -> PullInfo | None:
        """The pull that was current before the last reload."""
        return self.earlier[0] if self.earlier else None

    @classmethod
    def of(cls, pulls: Iterable[PullInfo]) -> Standing:
        """The standing of these pulls, all of one key, given oldest first."""
        found = list(pulls)
        settled = [one for one in found if one.settled]
        front = settled[-1] if settled else found[-1] if found else None
        begun = found[-1] if found and found[-1] is not front else None
        return cls(front, begun, tuple(reversed(settled[:-1])))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A pull under a name, as it was when it was pinned."""

    id: int
    name: str
    info: PullInfo
    """With state, pages and rows of that moment, and without what only counts for a pull of a list (cursor, ``unfit``,
    ``settled``). The pull itself may have gone on.
    """
    kept_at: datetime
    size: int
    """Bytes of its pages on the disk, which its pull and other snapshots of it share."""
    digest: str
    """Over the digests of its pages, in hexadecimal: the same for the same pages."""


class ChangeCounts(NamedTuple):
    """How many records differ between two pulls of a list."""

    added: int
    gone: int
    changed: int


def standings(pulls: Iterable[PullInfo]) -> dict[PullKey, Standing]:
    """The standing of the pulls of each key, given oldest first."""
    by_key: dict[PullKey, list[PullInfo]] = {}
    for one in pulls:
        by_key.setdefault(one.key, []).append(one)
    return {key: Standing.of(found) for key, found in by_key.items()}


@dataclass(frozen=True, slots=True)
class PageInfo:
    """One stored page, without its bytes."""

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
    """The number of its request in the log of the program run that received it."""
    unfit: int | None = None
    """Records that do not fit their contract; None for a page that was stored before they were counted."""
    observed: int | None = None
    """Records that fit but for nulls that running services are known to send."""


@dataclass(frozen=True, slots=True)
class Field:
    """One indexed column: a top-level field of the records."""

    name: str
    summary: str = ""
    """For arrays and objects: the inner field whose text labels them."""
    kind: str = "any"
    """The kind that the catalog declares. It only decides which decoder is tried first, never what a value is."""


class StoreFault(ExplorerError):
    """The store cannot be read or written: the disk is full, or the file is locked, damaged or read only."""

    exit_code: ClassVar[int] = 3


class PageDamaged(StoreFault):
    """A stored page is missing or not as it was received. It can be fetched again by its cursor (`Pull.retry`)."""

    def __init__(self, sentence: str, advice: str = "", *, page: int = 0, **more: Any) -> None:
        super().__init__(sentence, advice, **more)
        self.page = page
        """Its number, from 1."""


class PullMoved(StoreFault):
    """Another window continued, restarted or removed this pull. Reload to see its rows."""
