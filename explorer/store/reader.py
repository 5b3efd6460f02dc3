"""Reading a pull from end to end, in a thread of its own and with a connection of its own: what answers questions.

It reads a bite of pages at a time, so that no read holds the WAL back, and looks between pages whether it is still
wanted. Pages that were kept without narrow columns, or with others, get them here, in bites.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from explorer.store.columns import moved
from explorer.store.indexed_columns import Blocks, Extractor, IndexedColumns, loosely
from explorer.store.packing import Packed, Packer
from explorer.store.schema import connect, fault_of
from explorer.store.values import PullInfo, StoreFault
from explorer.store.whole import ONE_PAGE, UNREADABLE, damaged, opened, seal_of

BITE = 64
"""Pages that one statement reads, or one transaction adds columns to: some milliseconds."""


class Unwanted(Exception):
    """The question was called off. Never shown."""


@dataclass(slots=True)
class Leaf:
    """One page with rows, as it is passed by."""

    id: int
    number: int
    first: int
    rows: int
    shape: int | None
    block: bytes | None
    digest: bytes
    known: dict[tuple[str, str], list[str | None]] = field(default_factory=dict)
    packed: Packed | None = None


class Reader:
    """The rows of one pull as they were at one moment. Belongs to one thread; `close` may come from any."""

    def __init__(
        self,
        path: Path,
        info: PullInfo,
        shape: IndexedColumns,
        wanted: Callable[[], bool],
        write: Callable[[IndexedColumns, list[tuple[int, bytes]]], None],
    ) -> None:
        """``wanted`` is asked between pages; ``write`` keeps narrow columns that were missing."""
        self.info, self.shape, self.path = info, shape, path
        self.passed = 0
        """Rows gone by in the present walk, for progress."""
        self._wanted, self._write = wanted, write
        self._lock = threading.Lock()
        self._connection = connect(path)
        self._connection.execute("PRAGMA query_only = ON")
        self._shapes: dict[int, IndexedColumns] = {}
        self._blocks, self._unpacker = Blocks(), Packer()
        self._extractor: Extractor | None = None
        self._made: list[tuple[int, bytes]] = []

    def close(self) -> None:
        """Ends it; a walk under way fails."""
        with self._lock:
            self._connection.close()

    # ------------------------------------------------------------------ pages

    def starts(self) -> list[tuple[int, int, int]]:
        """Number, first row and rows of each page with rows, in order."""
        sql = "SELECT number, first_row, rows FROM page WHERE pull = ? AND number <= ? AND rows > 0 ORDER BY number"
        return self._read(sql, (self.info.id, self.info.pages))

    def leaves(self, *, narrow: bool = True) -> Iterator[Leaf]:
        """Every page with rows, in order. Raises Unwanted, and PullMoved when pages are gone."""
        self.passed = 0
        after, pull, last = 0, self.info.id, self.info.pages
        columns = "n.shape, n.data, p.digest" if narrow else "NULL, NULL, x''"
        join = "LEFT JOIN narrow n ON n.page = p.id" if narrow else ""
        sql = (
            f"SELECT p.id, p.number, p.first_row, p.rows, {columns} FROM page p {join}"  # noqa: S608
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

    def leaf(self, number: int) -> Leaf:
        """The page of that number. Raises PullMoved when it is gone."""
        sql = (
            "SELECT p.id, p.number, p.first_row, p.rows, n.shape, n.data, p.digest FROM page p"
            " LEFT JOIN narrow n ON n.page = p.id WHERE p.pull = ? AND p.number = ?"
        )
        found = self._read(sql, (self.info.id, number))
        if len(found) != 1:
            raise self._lost(number)
        return Leaf(*found[0])

    def check(self) -> None:
        """Raises Unwanted when nobody waits for the answer any more."""
        if not self._wanted():
            raise Unwanted

    # ------------------------------------------------------------------ what is in a page

    def keys(self, leaf: Leaf, column: tuple[str, str]) -> list[str | None]:
        """The keys of a column (name and summary, one of the shape's) in a page."""
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
            leaf.packed = opened(self._unpacker, found, leaf.number, leaf.first)
            if leaf.packed.rows != leaf.rows:
                raise damaged(leaf.number, leaf.first)
        return leaf.packed

    def whole_text(self, leaf: Leaf, place: int, column: tuple[str, str]) -> str | None:
        """The whole text of a cell: the text itself, or the one that stands for an array or object."""
        record = loosely(self.packed(leaf).record(place))
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
        """Takes the columns out of the records, all of the shape's, and keeps them for the next time."""
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
        """Why a page is not where it should be: its pull was removed, or the page alone is lost."""
        there = self._read("SELECT 1 FROM pull WHERE id = ? AND NOT gone", (self.info.id,))
        return damaged(number) if there else moved("removed or restarted")

    def _read(self, sql: str, values: tuple[object, ...]) -> list[tuple]:  # type: ignore[type-arg]
        try:
            with self._lock:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self.check()
            raise fault_of(error, self.path) from None
