"""Reads a pull from its first page to its last, for queries, in a thread and with a connection of its own.

It reads `BITE` pages with each statement, because a long read would keep SQLite from truncating the WAL, and checks
between pages whether the query was cancelled. Pages that were stored without indexed columns, or with other ones, get
them here.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from explorer.store.columns import moved
from explorer.store.indexed_columns import Blocks, Extractor, IndexedColumns, read_record
from explorer.store.packing import Packed, Packer
from explorer.store.page_integrity import ONE_PAGE, UNREADABLE, damaged, seal_of, verified_page
from explorer.store.schema import READABLE, connect, fault_of
from explorer.store.values import PullInfo, StoreFault

BITE = 64
"""Pages that one statement reads, or that one transaction adds indexed columns to; a few milliseconds."""


class Unwanted(Exception):
    """The query was cancelled. Never shown to the user."""


@dataclass(slots=True)
class Leaf:
    """One page with rows, as the walk over a pull meets it."""

    id: int
    number: int
    first: int
    rows: int
    shape: int | None
    block: bytes | None
    digest: bytes
    unfit: int | None = None
    """How many of its records do not fit their contract; None where that was not counted."""
    observed: int | None = None
    """How many fit but for nulls that running services are known to send."""
    known: dict[tuple[str, str], list[str | None]] = field(default_factory=dict)
    packed: Packed | None = None


class Reader:
    """The rows that one pull had when this was made. Used by one thread; `close` may be called from any."""

    def __init__(
        self,
        path: Path,
        info: PullInfo,
        shape: IndexedColumns,
        wanted: Callable[[], bool],
        write: Callable[[IndexedColumns, list[tuple[int, bytes]]], None],
    ) -> None:
        """``wanted`` is called between pages: False cancels. ``write`` stores indexed columns that were missing."""
        self.info, self.shape, self.path = info, shape, path
        self.passed = 0
        """Rows read so far by the present walk, for progress."""
        self._wanted, self._write = wanted, write
        self._lock = threading.Lock()
        self._connection = connect(path)
        self._connection.execute("PRAGMA query_only = ON")
        self._shapes: dict[int, IndexedColumns] = {}
        self._blocks, self._unpacker = Blocks(), Packer()
        self._extractor: Extractor | None = None
        self._made: list[tuple[int, bytes]] = []

    def close(self) -> None:
        """Closes the connection. A walk that is under way fails with StoreFault or Unwanted."""
        with self._lock:
            self._connection.close()

    # ------------------------------------------------------------------ pages

    def starts(self) -> list[tuple[int, int, int]]:
        """Number, first row and rows of each page with rows, in order."""
        sql = "SELECT number, first_row, rows FROM page WHERE pull = ? AND number <= ? AND rows > 0 ORDER BY number"
        return self._read(sql, (self.info.id, self.info.pages))

    def leaves(self, *, narrow: bool = True) -> Iterator[Leaf]:
        """Every page with rows, in order; ``narrow``: with its indexed columns.

        Raises Unwanted when cancelled, PullMoved when the pull was removed, PageDamaged when a page is missing.
        """
        self.passed = 0
        after, pull, last = 0, self.info.id, self.info.pages
        columns = "n.shape, n.data" if narrow else "NULL, NULL"
        join = "LEFT JOIN narrow n ON n.page = p.id" if narrow else ""
        sql = (
            f"SELECT p.id, p.number, p.first_row, p.rows, {columns}, p.digest, f.unfit, f.observed"  # noqa: S608
            f" FROM page p {join}"
            " LEFT JOIN fit f ON f.page = p.id"
            " WHERE p.pull = ? AND p.number > ? AND p.number <= ? AND p.rows > 0 ORDER BY p.number LIMIT ?"
        )
        while True:
            found = self._read(sql, (pull, after, last, BITE))
            for row in found:
                self.check()
                leaf = Leaf(*row)
                if leaf.first != self.passed or leaf.rows < 0:
                    raise self._lost(after + 1)
                yield leaf
                self.passed += leaf.rows
                after = leaf.number
            if len(found) < BITE:
                break
        self._flush()
        if self.passed < self.info.rows:
            raise self._lost(after + 1)

    def leaves_with(
        self, within: Sequence[int] | None, *, narrow: bool = True
    ) -> Iterator[tuple[Leaf, list[int] | None]]:
        """Every page that has any of the rows ``within``, with their positions in it; for None every page, with None.

        ``narrow`` and what it raises: as `leaves`.
        """
        if within is None:
            yield from ((leaf, None) for leaf in self.leaves(narrow=narrow))
            return
        mask = bytearray(self.info.rows)
        for row in within:
            mask[row] = 1
        for leaf in self.leaves(narrow=narrow):
            chosen = mask[leaf.first : leaf.first + leaf.rows]
            if 1 in chosen:
                yield leaf, [place for place, one in enumerate(chosen) if one]

    def leaf(self, number: int) -> Leaf:
        """The page of that number. Raises PullMoved or PageDamaged when it is missing."""
        sql = (
            "SELECT p.id, p.number, p.first_row, p.rows, n.shape, n.data, p.digest FROM page p"
            " LEFT JOIN narrow n ON n.page = p.id WHERE p.pull = ? AND p.number = ?"
        )
        found = self._read(sql, (self.info.id, number))
        if len(found) != 1:
            raise self._lost(number)
        return Leaf(*found[0])

    def check(self) -> None:
        """Raises Unwanted when the query was cancelled."""
        if not self._wanted():
            raise Unwanted

    # ------------------------------------------------------------------ the content of a page

    def keys(self, leaf: Leaf, column: tuple[str, str]) -> list[str | None]:
        """The keys of one indexed column (name and summary field) in a page, one for each row."""
        found = leaf.known.get(column)
        if found is None:
            found = leaf.known[column] = self._kept_keys(leaf, column) or self._made_keys(leaf, column)
        return found

    def packed(self, leaf: Leaf) -> Packed:
        """The page unpacked. Raises PageDamaged."""
        if leaf.packed is None:
            found = self._read(ONE_PAGE, (self.info.id, leaf.number))
            if not found:
                raise self._lost(leaf.number)
            leaf.packed = verified_page(self._unpacker, found, leaf.number, leaf.first)
            if leaf.packed.rows != leaf.rows:
                raise damaged(leaf.number, leaf.first)
        return leaf.packed

    def whole_text(self, leaf: Leaf, place: int, column: tuple[str, str]) -> str | None:
        """The whole text of a cell, or the label of an array or object in it; None where it has neither."""
        record = read_record(self.packed(leaf).record(place))
        value = record.get(column[0]) if isinstance(record, dict) else None
        if isinstance(value, list):
            value = value[0] if value else None
        if isinstance(value, dict):
            value = value.get(column[1])
        return value if type(value) is str else None

    def _kept_keys(self, leaf: Leaf, column: tuple[str, str]) -> list[str | None] | None:
        if leaf.block is None or leaf.shape is None:
            return None
        shape = self._shape(leaf.shape)
        place = shape.places.get(column) if shape else None
        if shape is None or place is None:
            return None
        try:
            seal = seal_of(shape.text, leaf.digest)
            found = self._blocks.keys(leaf.block, len(shape.fields), place, seal)
        except ValueError:
            return None
        return found if len(found) == leaf.rows else None

    def _made_keys(self, leaf: Leaf, column: tuple[str, str]) -> list[str | None]:
        """Extracts all indexed columns from the page's records, and has them stored for later queries."""
        if self._extractor is None:
            self._extractor = Extractor(self.shape)
        packed = self.packed(leaf)
        made = self._extractor.keys(packed.records(0, packed.rows))
        for known, keys in zip(self.shape.places, made, strict=True):
            leaf.known[known] = keys
        block = self._extractor.packed(made) + seal_of(self.shape.text, leaf.digest)
        self._made.append((leaf.id, block))
        if len(self._made) >= BITE:
            self._flush()
        return leaf.known[column]

    def _flush(self) -> None:
        made, self._made = self._made, []
        if made:
            self._write(self.shape, made)

    def _shape(self, number: int) -> IndexedColumns | None:
        if number not in self._shapes:
            found = self._read("SELECT fields FROM shape WHERE id = ?", (number,))
            if not found:
                return None
            try:
                self._shapes[number] = IndexedColumns.of_text(found[0][0])
            except UNREADABLE:
                return None
        return self._shapes[number]

    def _lost(self, number: int) -> StoreFault:
        """The fault of a missing page: PullMoved when its pull was removed, PageDamaged when only the page is lost."""
        there = self._read(f"SELECT 1 FROM pull WHERE id = ? AND {READABLE}", (self.info.id,))  # noqa: S608
        return damaged(number) if there else moved("removed or restarted")

    def _read(self, sql: str, values: tuple[object, ...]) -> list[tuple]:  # type: ignore[type-arg]
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self.check()
            raise fault_of(error, self.path) from None
