"""Stored rows for reading from start to end: of a pull, or of a snapshot. Ledger and comparison read nothing else.

Everything here blocks and belongs in a worker thread; each object is used by one thread at a time.
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
from explorer.store.columns import moved
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.packing import Packed
from explorer.store.reader import Leaf as StoredLeaf
from explorer.store.reader import Reader, Unwanted
from explorer.store.store import Store
from explorer.store.values import PageInfo, PullInfo, StoreFault

Wanted = Callable[[], bool]
"""Called between pages: False cancels the work."""


class CalledOff(Exception):
    """The work was cancelled because nobody waits for its result. Never shown."""


def always() -> bool:
    """For work that is never cancelled."""
    return True


@dataclass(frozen=True, slots=True)
class About:
    """Where stored rows come from, and how many there are."""

    resource: str
    """The key of the list."""
    connection: str
    origin: str
    """The base address; ``sandbox`` for the built-in profile."""
    params: str
    """Canonical JSON of the parameters, as in `explorer.store.PullKey`."""
    state: str
    """``complete``, or the state of an unfinished pull: ``ready`` (more to come) or ``stopped``."""
    pages: int
    rows: int
    bytes: int
    """Of the pages as received."""
    started_at: datetime
    updated_at: datetime

    @classmethod
    def of(cls, info: PullInfo) -> About:
        """From the store's description of a pull."""
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
    """The number of the page, counted from 1."""
    first: int
    """Its first row, counted from 0 over the list."""
    rows: int
    digest: bytes
    """The same for the same records in the same order (`explorer.digest`)."""
    _open: Callable[[], Packed]

    @property
    def packed(self) -> Packed:
        """Its content, opened on first use. Raises StoreFault."""
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
        """The number of the page that contains a row. Raises IndexError."""
        if not 0 <= row < self.total:
            raise IndexError(row)
        return self.numbers[bisect_right(self._firsts, row) - 1]


class PullRows:
    """The rows of a stored pull at one point in time. Pages that another window adds later are not included."""

    def __init__(self, store: Store, info: PullInfo, name: str = "", wanted: Wanted = always) -> None:
        """Reads the pages that ``info`` counts, from a store that stays open; `of_file` opens one of its own."""
        self.name = name or f"pull:{info.key.resource}"
        self.info, self.about = info, About.of(info)
        self._wanted = wanted
        self._store, self._owned = store, False
        self._reader: Reader = store.reader(info.id, IndexedColumns(()), wanted)
        if self._reader.info.pages < info.pages:
            self._reader.close()
            raise moved("restarted")
        # The pull may have grown since, as the pull behind a snapshot does.
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
        """From the profile's store, opened for it; see `of_file`."""
        return cls.of_file(Store.path_of(folders, profile_id), choose, name, wanted)

    @classmethod
    def of_file(
        cls,
        path: Path,
        choose: Callable[[Store], PullInfo | None],
        name: str = "",
        wanted: Wanted = always,
    ) -> Self:
        """From a store of its own, which is closed with it. Raises StoreFault, also when ``choose`` finds no pull."""
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
        """Closes what it opened."""
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
        """The page that contains ``row``; the last one read is kept."""
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
