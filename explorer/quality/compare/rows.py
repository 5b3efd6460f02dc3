"""Stored rows to read from end to end: a pull, or a snapshot of one. Ledger and comparison read nothing else.

Everything here blocks and belongs into a worker thread; each object belongs to one thread at a time.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Self

from explorer.paths import Folders
from explorer.store import IndexedColumns, PageInfo, PullInfo, Store, StoreFault
from explorer.store.columns import moved
from explorer.store.packing import Packed
from explorer.store.reader import Leaf as StoredLeaf
from explorer.store.reader import Reader, Unwanted

Wanted = Callable[[], bool]
"""Asked between pages: False calls the work off."""


class CalledOff(Exception):
    """Nobody waits for the answer any more. Never shown."""


def always() -> bool:
    """For work that nobody calls off."""
    return True


@dataclass(frozen=True, slots=True)
class About:
    """Where kept rows come from, and how much there is of them."""

    resource: str
    """The key of the list."""
    connection: str
    origin: str
    """The base address; ``sandbox`` for the built-in profile."""
    params: str
    """Canonical JSON of what was asked with, as in `explorer.store.PullKey`."""
    state: str
    """``complete``, or how far it came: ``ready`` (more to come) or ``stopped``."""
    pages: int
    rows: int
    bytes: int
    """Of the pages as received."""
    started_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, info: PullInfo) -> About:
        """What the store says about a pull."""
        key = info.key
        return cls(
            key.resource,
            key.connection,
            key.origin,
            key.params,
            info.state,
            info.pages,
            info.rows,
            info.bytes,
            info.started_at,
            info.updated_at,
        )


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page with rows."""

    number: int
    """Of the page, counted from 1."""
    first: int
    """Its first row, counted from 0 over the list."""
    rows: int
    digest: bytes
    """The same for the same records in the same order (`explorer.digest`)."""
    _open: Callable[[], Packed]

    @property
    def packed(self) -> Packed:
        """Its content, which is opened when it is first asked for. Raises StoreFault."""
        return self._open()

    def records(self) -> list[bytes]:
        """Each record's own bytes, as received. Raises StoreFault."""
        return self.packed.records(0, self.rows)


class Starts:
    """Finds the page of a row."""

    def __init__(self, starts: list[tuple[int, int, int]]) -> None:
        """``starts``: number, first row and rows of each page with rows, in order."""
        self.numbers = [number for number, _, _ in starts]
        self._firsts = [first for _, first, _ in starts]
        self.total = starts[-1][1] + starts[-1][2] if starts else 0

    def number_of(self, row: int) -> int:
        """The number of the page. Raises IndexError."""
        if not 0 <= row < self.total:
            raise IndexError(row)
        return self.numbers[bisect_right(self._firsts, row) - 1]


class PullRows:
    """The rows of a stored pull as they were at one time. What another window adds meanwhile is not seen."""

    def __init__(self, store: Store, info: PullInfo, name: str = "", wanted: Wanted = always) -> None:
        """The pages that ``info`` has. For one who has the store, which stays open; `of_file` opens one of its own."""
        self.name = name or f"pull:{info.key.resource}"
        self.info, self.about = info, About.of(info)
        self._wanted = wanted
        self._store, self._owned = store, False
        self._reader: Reader = store.reader(info.id, IndexedColumns(()), wanted)
        if self._reader.info.pages < info.pages:
            self._reader.close()
            raise moved("restarted")
        # The pull may have gone on since, as one that a snapshot is of does.
        self._reader.info = info
        self._starts: Starts | None = None
        self._held: Leaf | None = None

    @classmethod
    def of_profile(
        cls,
        folders: Folders,
        profile_id: str,
        choose: Callable[[Store], PullInfo | None],
        name: str = "",
        wanted: Wanted = always,
    ) -> Self:
        """With the profile's store, opened for it; see `of_file`."""
        return cls.of_file(Store.path_of(folders, profile_id), choose, name, wanted)

    @classmethod
    def of_file(
        cls,
        path: Path,
        choose: Callable[[Store], PullInfo | None],
        name: str = "",
        wanted: Wanted = always,
    ) -> Self:
        """With a store of its own, closed with it. Raises StoreFault, also when ``choose`` finds no pull."""
        store = Store(path)
        try:
            info = choose(store)
            if info is None:
                raise StoreFault(f"No rows are saved for {name or 'this list'}.", "Pull the list first.")
            made = cls(store, info, name, wanted)
        except BaseException:
            store.close()
            raise
        made._owned = True
        return made

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes what this opened."""
        self._reader.close()
        if self._owned:
            self._store.close()

    def leaves(self) -> Iterator[Leaf]:
        """Every page with rows, in order. Raises StoreFault, CalledOff."""
        try:
            for leaf in self._reader.leaves(narrow=False):
                yield self._made(leaf)
        except Unwanted:
            raise CalledOff from None

    def leaf_at(self, row: int) -> Leaf:
        """The page that holds ``row``; the one read last is at hand."""
        if self._starts is None:
            self._starts = Starts(self._reader.starts())
        held = self._held
        if held is None or not held.first <= row < held.first + held.rows:
            if not self._wanted():
                raise CalledOff
            held = self._held = self._made(self._reader.leaf(self._starts.number_of(row)))
        return held

    def page_infos(self) -> list[PageInfo]:
        """The pages, empty ones included."""
        return [page for page in self._store.pages(self.info.id) if page.number <= self.info.pages]

    def body(self, number: int) -> bytes:
        """A page's whole body as received."""
        return self._store.body(self.info.id, number)

    def _made(self, leaf: StoredLeaf) -> Leaf:
        return Leaf(leaf.number, leaf.first, leaf.rows, leaf.digest, partial(self._reader.packed, leaf))


def record_at(rows: PullRows, row: int) -> bytes:
    """One record as received. Raises IndexError, StoreFault, CalledOff."""
    leaf = rows.leaf_at(row)
    return leaf.packed.record(row - leaf.first)
