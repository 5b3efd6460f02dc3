"""The kept pages of a store as they are read: rows by their number, pages, cursors. `Store` adds the writing.

Reading takes microseconds where a page is in memory. It has a connection of its own, so that it waits for no writer.
"""

from __future__ import annotations

import sqlite3
import threading
from array import array
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any

from explorer.store.columns import MOST_ROWS, PAGE, moved, page_of, to_text
from explorer.store.packing import Packed, Packer
from explorer.store.page_integrity import ONE_PAGE, damaged, verified_page
from explorer.store.schema import READABLE, connect, fault_of, faults
from explorer.store.values import PageInfo, StoreFault

CACHE_BYTES = 8 * 2**20
"""Of unpacked pages; the page used last stays even when it alone is larger."""
_EMPTY_PAGE = "SELECT data, rows, bytes FROM page WHERE pull = ? AND number = ?"


class Places:
    """The first row of each page of one pull, to find the page of a row by bisection. Pages are appended in order."""

    __slots__ = ("firsts", "lost", "numbers", "read_to", "rows", "total")

    def __init__(self) -> None:
        self.firsts, self.numbers, self.rows = array("Q"), array("Q"), array("Q")
        self.total = 0
        self.read_to = 0
        self.lost = 0
        """The number of the first page that is missing or misplaced; 0 when none is."""

    def add(self, number: int, first: int, rows: int) -> None:
        """Appends the next page, with or without rows. One whose number or first row is impossible is left out."""
        if number != self.read_to + 1 or first != self.total:
            self.lost = self.lost or self.read_to + 1
        if number > self.read_to and self.total <= first <= MOST_ROWS and 0 <= rows <= MOST_ROWS:
            self.read_to, self.total = number, first + rows
            if rows:
                self.firsts.append(first)
                self.numbers.append(number)
                self.rows.append(rows)

    def at(self, row: int) -> tuple[int, int]:
        """The number of the page that holds ``row``, and the first row of that page. Raises PageDamaged."""
        place = bisect_right(self.firsts, row) - 1
        if place < 0 or row >= self.firsts[place] + self.rows[place]:
            after = self.numbers[place] if place >= 0 else 0
            raise damaged(after + 1, self.firsts[place] + self.rows[place] if place >= 0 else 0)
        return self.numbers[place], self.firsts[place]


class KeptPages:
    """Reads the pages of every pull in one file. Every method raises StoreFault when the file cannot be read."""

    def __init__(self, path: Path, cache_bytes: int = CACHE_BYTES) -> None:
        """``path``: of a file of the present version. ``cache_bytes`` bounds the pages that are held unpacked."""
        self.path = path
        try:
            self._reader = connect(path)
        except sqlite3.Error as error:
            raise fault_of(error, path) from None
        self._read_lock = threading.Lock()
        self._unpacker = Packer()
        self._cache: OrderedDict[tuple[int, int], Packed] = OrderedDict()
        self._cache_bytes, self._cached = cache_bytes, 0
        self._places: dict[int, Places] = {}

    def close(self) -> None:
        """Closes the connection and drops what is held."""
        with self._read_lock:
            self._reader.close()
            self._cache.clear()
            self._cached = 0

    def rows(self, pull_id: int, start: int, stop: int) -> list[bytes]:
        """The records of rows ``start`` to before ``stop`` (counted from 0) as received; fewer at the end of the pull.

        Raises PullMoved when the pull was removed in the meantime, PageDamaged when a page fails its integrity check.
        """
        made: list[bytes] = []
        row = max(start, 0)
        with faults(self.path), self._read_lock:
            places = self._places_to(pull_id, stop)
            stop = min(stop, places.total)
            while row < stop:
                number, first = places.at(row)
                page = self._unpacked(pull_id, number, first)
                made += page.records(row - first, min(stop - first, page.rows))
                row = first + page.rows
        return made

    def rows_at(self, pull_id: int, rows: Sequence[int]) -> list[bytes]:
        """The records of ``rows``, in that order. Raises PullMoved, StoreFault."""
        made = []
        for row in rows:
            found = self.rows(pull_id, row, row + 1)
            if not found:
                raise moved("removed or restarted")
            made += found
        return made

    def rows_apart(self, pull_id: int, rows: Sequence[int]) -> list[bytes]:
        """As `rows_at`, for thousands of rows anywhere in the pull: each page is unpacked once and not cached.

        Takes about 0.5 ms a page: call it in a thread.
        """
        made: list[bytes] = [b""] * len(rows)
        unpacker, page, first = Packer(), None, 0
        for place in sorted(range(len(rows)), key=rows.__getitem__):
            row = rows[place]
            if page is None or not first <= row < first + page.rows:
                with faults(self.path), self._read_lock:
                    places = self._places_to(pull_id, row + 1)
                    if row >= places.total:
                        raise moved("removed or restarted")
                    number, first = places.at(row)
                    found = self._page_data(pull_id, number)
                page = verified_page(unpacker, found, number, first)
            made[place] = page.record(row - first)
        return made

    def page_of(self, pull_id: int, row: int) -> PageInfo:
        """The page that holds ``row``. Raises IndexError beyond the last row."""
        with faults(self.path), self._read_lock:
            places = self._places_to(pull_id, row + 1)
            if not 0 <= row < places.total:
                raise IndexError(row)
            number, _ = places.at(row)
        return self.pages(pull_id, number)[0]

    def pages(
        self, pull_id: int, number: int | None = None, *, after: int = 0, noted: bool = False
    ) -> list[PageInfo]:
        """The pages of a pull after page ``after``, in order; with ``number`` that page alone (a list of one or none).

        ``noted``: only pages that have notes, which takes a tenth of the time for ten thousand pages.
        """
        only = "AND number > ?" if number is None else "AND number = ?"
        only += " AND notes != CAST('[]' AS BLOB)" if noted else ""
        values = (pull_id, after if number is None else number)
        table = "page LEFT JOIN fit ON fit.page = page.id"
        sql = f"SELECT {PAGE} FROM {table} WHERE pull = ? {only} ORDER BY number"  # noqa: S608
        return [page_of(row) for row in self.read(sql, values)]

    def body(self, pull_id: int, number: int) -> bytes:
        """A page's whole body as received. Raises PullMoved when it is gone, PageDamaged."""
        found = self.pages(pull_id, number)
        if not found:
            raise self._lost(pull_id, number)
        page = found[0]
        with faults(self.path), self._read_lock:
            if not page.rows:  # without rows there is no digest to compare with
                [(data, rows, size)] = self._reader.execute(_EMPTY_PAGE, (pull_id, number)).fetchall()
                return self._unpacker.unpack(data, rows, size, None).body
            return self._unpacked(pull_id, number, page.first_row).body

    def cursors(self, pull_id: int, pages: int) -> Iterator[tuple[int, str | None]]:
        """The number of each of the first ``pages`` pages and the cursor that it was requested with, in order."""
        sql = "SELECT number, cursor FROM page WHERE pull = ? AND number > ? AND number <= ? ORDER BY number LIMIT 1000"
        after = 0
        while found := self.read(sql, (pull_id, after, pages)):
            yield from ((number, None if cursor is None else to_text(cursor)) for number, cursor in found)
            after = found[-1][0]

    def seen_cursors(self, pull_id: int) -> set[str]:
        """Every cursor that a page of this pull was requested with. A resumed walk needs them to recognise a loop.

        Raises PageDamaged unless the pages are numbered without a gap and each was requested with the next cursor of
        the page before it.
        """
        seen, following = set[str](), None
        sql = "SELECT number, cursor, next_cursor FROM page WHERE pull = ? ORDER BY number"
        for at, (number, cursor, then) in enumerate(self.read(sql, (pull_id,)), start=1):
            if number != at or (at > 1 and cursor != following):
                raise damaged(at)
            following = then
            if cursor is not None:
                seen.add(to_text(cursor))
        return seen

    def digests(self, pull_id: int) -> list[bytes]:
        """The `Page.digest` of each page with rows, in order, by which a resumed walk recognises a repeated page."""
        sql = "SELECT digest FROM page WHERE pull = ? AND rows > 0 ORDER BY number"
        return [digest for (digest,) in self.read(sql, (pull_id,))]

    def forget_opened(self, pull_id: int) -> None:
        """Drops what is held of this pull, whose pages were replaced, so that they are read from the file again."""
        with self._read_lock:
            self._drop_opened({pull_id})

    # ------------------------------------------------------------------ inside

    def _places_to(self, pull_id: int, stop: int) -> Places:
        """The `Places` of a pull, read from the file as far as rows before ``stop`` need them."""
        places = self._places.get(pull_id)
        if places is None:
            self._let_go()
            places = self._places[pull_id] = Places()
        if stop > places.total:
            sql = "SELECT number, first_row, rows FROM page WHERE pull = ? AND number > ? ORDER BY number"
            for number, first, rows in self._reader.execute(sql, (pull_id, places.read_to)):
                places.add(number, first, rows)
        return places

    def _unpacked(self, pull_id: int, number: int, first: int) -> Packed:
        key = (pull_id, number)
        if (page := self._cache.get(key)) is not None:
            self._cache.move_to_end(key)
            return page
        page = verified_page(self._unpacker, self._page_data(pull_id, number), number, first)
        self._cache[key] = page
        self._cached += page.size
        while self._cached > self._cache_bytes and len(self._cache) > 1:
            _, oldest = self._cache.popitem(last=False)
            self._cached -= oldest.size
        return page

    def _page_data(self, pull_id: int, number: int) -> list[Any]:
        found = self._reader.execute(ONE_PAGE, (pull_id, number)).fetchall()
        if not found:
            self._places.pop(pull_id, None)
            raise self._gone(pull_id, number)
        return found

    def _gone(self, pull_id: int, number: int) -> StoreFault:
        """The fault of a missing page: PullMoved when its pull was removed, PageDamaged when only the page is lost."""
        sql = f"SELECT 1 FROM pull WHERE id = ? AND {READABLE} AND pages >= ?"  # noqa: S608
        there = self._reader.execute(sql, (pull_id, number)).fetchone()
        return damaged(number) if there else moved("removed or restarted")

    def _lost(self, pull_id: int, number: int) -> StoreFault:
        with faults(self.path), self._read_lock:
            return self._gone(pull_id, number)

    def _let_go(self) -> None:
        """Drops what is held of pulls that no longer exist; called when another pull is opened."""
        sql = f"SELECT id FROM pull WHERE {READABLE}"  # noqa: S608
        there = {pull_id for (pull_id,) in self._reader.execute(sql)}
        self._drop_opened(({key[0] for key in self._cache} | self._places.keys()) - there)

    def _drop_opened(self, pull_ids: Set[int]) -> None:
        for pull_id in pull_ids:
            self._places.pop(pull_id, None)
        for key in [key for key in self._cache if key[0] in pull_ids]:
            self._cached -= self._cache.pop(key).size

    def read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        """The rows that ``sql`` selects in the file."""
        with faults(self.path), self._read_lock:
            return self._reader.execute(sql, values).fetchall()
