"""One profile's store: every page that arrived, with its cursor, in one SQLite file that several windows may share.

A page's rows and its cursor are written in one transaction, which first checks that the page is the next one. So a kill
leaves whole pages and the cursor that follows them, and two windows on one pull never store a page twice. Call what
writes in a worker thread; for reading see `KeptPages`.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakSet

from pydantic import BaseModel

from explorer.api.pages import Page
from explorer.paths import Folders
from explorer.store.columns import (
    COLUMNS,
    INFO,
    KEYED,
    blob,
    info_of,
    key_values,
    moved,
    now,
    stamp,
    to_bytes,
)
from explorer.store.indexed_columns import Extractor, IndexedColumns
from explorer.store.kept_pages import CACHE_BYTES, KeptPages
from explorer.store.packing import Packer
from explorer.store.page_integrity import UNREADABLE, damaged, seal_of
from explorer.store.reader import Reader
from explorer.store.schema import (
    FOR_SNAPSHOT,
    READABLE,
    UNREADABLE_PULL,
    faults,
    file_damaged,
    open_file,
    transaction,
)
from explorer.store.values import (
    ALL_FIT,
    KEPT_PULLS,
    ChangeCounts,
    Fit,
    PullInfo,
    PullKey,
    PullState,
    Standing,
)

REAP_PAGES = 64
"""Pages of a removed pull that one transaction deletes, so that no other write waits long."""


@dataclass(frozen=True, slots=True)
class _Blocks:
    """The bytes that are stored for one page."""

    packed: bytes
    digest: bytes
    shape: IndexedColumns | None = None
    narrow: bytes = b""
    fit: Fit | None = None


class PageWrite(NamedTuple):
    """A page to store, and the state of its pull after it."""

    page: Page
    state: PullState
    why: str
    block: bytes = b""
    """The result of `Packer.lay_out`, where it was made before; empty: it is made when the page is stored."""
    with_key: int = 0
    """How many of its records contain the key or token of the request."""


class Store(KeptPages):
    """The pulls of one profile and their pages: begun, added to, put in front, removed; read as `KeptPages` says.

    Every method raises StoreFault when the file cannot be read or written.
    """

    def __init__(self, path: Path, *, cache_bytes: int = CACHE_BYTES) -> None:
        """Opens or creates the file. ``notices`` then has a sentence for each file that was set aside."""
        self.notices: list[str] = []
        self._writer = open_file(path, self.notices)
        try:
            super().__init__(path, cache_bytes)
        except BaseException:
            self._writer.close()
            raise
        self._write_lock = threading.Lock()
        self._packer = Packer()
        self._extractor: Extractor | None = None
        self._readers: WeakSet[Reader] = WeakSet()

    @classmethod
    def of_profile(cls, folders: Folders, profile_id: str) -> Store:
        """The store of the profile with that id."""
        return cls(cls.path_of(folders, profile_id))

    @staticmethod
    def path_of(folders: Folders, profile_id: str) -> Path:
        """The file of that store: ``data/ID.sqlite3``."""
        return folders.data / f"{profile_id}.sqlite3"

    def close(self) -> None:
        """Closes every connection. SQLite merges the WAL into the file when the last one to it is closed."""
        with self._read_lock:
            readers = tuple(self._readers)
        for reader in readers:
            reader.close()
        with self._write_lock:
            super().close()
            self._writer.close()

    # ------------------------------------------------------------------ pulls

    def pulls(self) -> tuple[PullInfo, ...]:
        """Every pull that has a page, oldest first."""
        return tuple(self._infos(f"SELECT {INFO} FROM pull WHERE NOT gone AND pages > 0 ORDER BY id"))  # noqa: S608

    def newest(self, key: PullKey) -> PullInfo | None:
        """The newest pull of ``key`` that has a page, else the newest without one, else None."""
        sql = f"SELECT {INFO} FROM pull WHERE {KEYED} AND NOT gone ORDER BY pages > 0 DESC, id DESC"  # noqa: S608
        found = self._infos(sql, key_values(key))
        return found[0] if found else None

    def pull(self, pull_id: int) -> PullInfo:
        """The state of a pull, of a list or kept for a snapshot. Raises PullMoved when it was removed."""
        found = self._infos(f"SELECT {INFO} FROM pull NOT INDEXED WHERE id = ? AND {READABLE}", (pull_id,))  # noqa: S608
        if not found:
            raise moved("removed or restarted")
        return found[0]

    def checked(self, info: PullInfo, *, ended: bool = False) -> None:
        """Compares a pull's row with its last page, and raises PageDamaged when they differ. Takes 40 µs.

        Compared are the numbers of pages and rows and the next cursor; with ``ended`` also whether the state fits the
        last page.
        """
        sql = "SELECT number, first_row + rows, flag, next_cursor FROM page WHERE pull = ? ORDER BY number DESC LIMIT 1"
        [last] = self.read(sql, (info.id,)) or [(0, 0, None, None)]
        more = last[3] is not None and last[2] != 0
        fits = {"complete": not more, "ready": last[3] is not None or not info.pages}.get(info.state, True)
        if (*last[:2], last[3]) != (info.pages, info.rows, blob(info.next_cursor)) or (ended and not fits):
            raise damaged(max(info.pages, 1))
        if self.pull(info.id).key != info.key:
            raise file_damaged(self.path)  # the index led to another pull than the table has

    def start(self, key: PullKey) -> PullInfo:
        """Inserts a new pull without pages."""
        with self.writing():
            pull_id = self._insert_pull(key)
        return self.pull(pull_id)

    def begin(
        self,
        key: PullKey,
        page: Page,
        state: PullState,
        why: str,
        *,
        after: int | None,
        shape: IndexedColumns | None = None,
        model: type[BaseModel] | None = None,
        with_key: int = 0,
    ) -> PullInfo:
        """Inserts a new pull with its first page, in one transaction. The other parameters are those of `extend`.

        ``after``: the id of the newest pull of ``key`` that the caller knows, None for none. Raises PullMoved when
        there is a newer one by now: another window began it. The new pull replaces every pull of ``key`` that is not
        settled; a settled one stays current until the new one is settled too.
        """
        data = self._blocks_of(page, shape, model)
        with self.writing():
            sql = f"SELECT max(id) FROM pull WHERE {KEYED} AND NOT gone AND pages > 0"  # noqa: S608
            [newest] = self._writer.execute(sql, key_values(key)).fetchone()
            if newest != after:
                raise moved("started or restarted")
            self._remove(f"{KEYED} AND NOT settled", key_values(key))
            pull_id = self._insert_pull(key)
            self._insert_page(pull_id, PageWrite(page, state, why, with_key=with_key), data)
        return self.pull(pull_id)

    def keep(
        self,
        pull_id: int,
        page: Page,
        state: PullState,
        why: str,
        *,
        shape: IndexedColumns | None = None,
        model: type[BaseModel] | None = None,
        with_key: int = 0,
    ) -> PullInfo:
        """Adds the next page of a pull; see `extend`."""
        kept = PageWrite(page, state, why, with_key=with_key)
        return self.extend(pull_id, (kept,), shape=shape, model=model)

    def extend(
        self,
        pull_id: int,
        kept: Sequence[PageWrite],
        *,
        shape: IndexedColumns | None = None,
        model: type[BaseModel] | None = None,
    ) -> PullInfo:
        """Adds the next pages of a pull and sets its state after the last, all in one transaction.

        ``shape``: the columns to index. ``model``: what the records are validated against; the number that do not fit
        is stored. Raises PullMoved, and stores nothing, unless each page has the next number and was requested with
        the next cursor of the page before it.
        """
        made = [self._blocks_of(each.page, shape, model, each.block) for each in kept]
        with self.writing():
            for each, data in zip(kept, made, strict=True):
                self._insert_page(pull_id, each, data)
        return self.pull(pull_id)

    def mend(
        self,
        pull_id: int,
        page: Page,
        *,
        shape: IndexedColumns | None = None,
        model: type[BaseModel] | None = None,
    ) -> None:
        """Replaces the damaged page of that number by ``page``. Call `recount` after the last one."""
        data = self._blocks_of(page, shape, model)
        with self.writing():
            self._writer.execute("DELETE FROM page WHERE pull = ? AND number = ?", (pull_id, page.number))
            self._write_page(pull_id, 0, page, data)
            for column, cursor, number in (
                ("next_cursor", page.cursor, page.number - 1),
                ("cursor", page.next_cursor, page.number + 1),
            ):
                sql = f"UPDATE page SET {column} = ? WHERE pull = ? AND number = ?"  # noqa: S608
                self._writer.execute(sql, (blob(cursor), pull_id, number))

    def recount(self, pull_id: int, last: int) -> PullInfo:
        """Derives first rows, totals and state of a pull from its pages 1 to ``last``, and deletes all other pages."""
        with self.writing():
            run = self._writer.execute
            run("DELETE FROM page WHERE pull = ? AND number NOT BETWEEN 1 AND ?", (pull_id, last))
            sql = "SELECT id, rows, bytes, flag, next_cursor, notes FROM page WHERE pull = ? ORDER BY number"
            first = size = 0
            flag, following, notes = None, None, b"[]"
            for page, rows, length, *ends in run(sql, (pull_id,)).fetchall():
                flag, following, notes = ends
                run("UPDATE page SET first_row = ? WHERE id = ? AND first_row != ?", (first, page, first))
                first, size = first + rows, size + length
            [(pages, state, why)] = run(
                "SELECT pages, state, why FROM pull WHERE id = ?", (pull_id,)
            ).fetchall()
            if pages != last or state != "stopped":
                state = "ready"
                if last and (flag == 0 or (following is None and flag is None and notes == b"[]")):
                    state = "complete"
                elif last and following is None:
                    # The page has notes, so its end was odd: it does not show that the list is complete.
                    said = f"The service ended the list at page {last}, but it may be incomplete."
                    state, why = "stopped", to_bytes(said)
            counted, unfit, observed = run(
                "SELECT count(*) = count(f.page), total(f.unfit), total(f.observed) FROM page p"
                " LEFT JOIN fit f ON f.page = p.id WHERE p.pull = ?",
                (pull_id,),
            ).fetchone()
            fit = (int(unfit), int(observed)) if counted else (None, None)
            run(
                "UPDATE pull SET pages = ?, rows = ?, bytes = ?, next_cursor = ?, state = ?, why = ?, unfit = ?,"
                " observed = ? WHERE id = ?",
                (last, first, size, following, state, why, *fit, pull_id),
            )
            if state == "complete":
                self._settle(pull_id)
        self.forget_opened(pull_id)
        return self.pull(pull_id)

    def count_with_key(self, pull_id: int, rows: int) -> None:
        """Stores how many rows of a pull contain the key or token of the request."""
        with self.writing():
            self._writer.execute("UPDATE pull SET with_key = ? WHERE id = ?", (rows, pull_id))

    def mark(self, pull_id: int, state: PullState, why: str = "") -> PullInfo:
        """Sets the state and its reason, and nothing else. Raises PullMoved when the pull was removed."""
        with self.writing():
            sql = "UPDATE pull SET state = ?, why = ?, updated_at = ? WHERE id = ? AND NOT gone"
            changed = self._writer.execute(sql, (state, to_bytes(why), now(), pull_id)).rowcount
            if not changed:
                raise moved("removed or restarted")
            if state == "complete":
                self._settle(pull_id)
        return self.pull(pull_id)

    finish = mark

    def settle(self, pull_id: int) -> PullInfo:
        """Makes a pull the current one of its key, complete or not; the one before becomes an earlier one.

        Raises PullMoved when it was removed.
        """
        with self.writing():
            self._settle(pull_id)
        info = self.pull(pull_id)
        if not info.settled:
            raise moved("removed or restarted")
        return info

    def forget(self, pull_id: int) -> None:
        """Removes a pull: it is hidden at once, and `reap` frees its space unless a snapshot is of it."""
        with self.writing():
            self._remove("id = ?", (pull_id,))

    def forget_unreadable(self) -> None:
        """Removes the pulls that were hidden because they cannot be read."""
        with self.writing():
            sql = "UPDATE pull SET gone = 1 WHERE gone = ? AND id NOT IN (SELECT pull FROM snapshot)"
            self._writer.execute(sql, (UNREADABLE_PULL,))

    def reap(self) -> bool:
        """Deletes up to `REAP_PAGES` pages of removed pulls; False when nothing is left.

        Call it until then, between other writes, which would have to wait for a longer transaction.
        """
        with self.writing():
            gone = self._writer.execute("SELECT id FROM pull WHERE gone = 1 LIMIT 1").fetchone()
            if gone is None:
                return False
            sql = "DELETE FROM page WHERE id IN (SELECT id FROM page WHERE pull = ? LIMIT ?)"
            if not self._writer.execute(sql, (gone[0], REAP_PAGES)).rowcount:
                self._writer.execute("DELETE FROM pull WHERE id = ?", gone)
        with faults(self.path), self._write_lock:
            # A step of this pragma frees one page, and only a script is stepped to its end.
            self._writer.executescript("PRAGMA incremental_vacuum(4096)")
        return True

    def standing(self, key: PullKey) -> Standing:
        """The current, begun and earlier pulls of ``key``, of those that have a page."""
        sql = f"SELECT {INFO} FROM pull WHERE {KEYED} AND NOT gone AND pages > 0 ORDER BY id"  # noqa: S608
        return Standing.of(map(info_of, self.read(sql, key_values(key))))

    def difference(self, now: PullInfo, before: PullInfo) -> ChangeCounts | None:
        """What `keep_difference` stored of two pulls, as far as both still have the same pages; else None."""
        sql = (
            "SELECT added, gone, changed FROM difference"
            " WHERE pull = ? AND before = ? AND pages = ? AND before_pages = ?"
        )
        found = self.read(sql, (now.id, before.id, now.pages, before.pages))
        return ChangeCounts(*found[0]) if found else None

    def keep_difference(self, now: PullInfo, before: PullInfo, counts: ChangeCounts) -> None:
        """Stores what two pulls differ in. It goes with either of them."""
        sql = (
            "INSERT OR REPLACE INTO difference SELECT a.id, b.id, ?, ?, ?, ?, ? FROM pull a, pull b"
            " WHERE a.id = ? AND b.id = ?"
        )
        with self.writing() as run:
            run(sql, (now.pages, before.pages, *counts, now.id, before.id))

    # ------------------------------------------------------------------ queries and size

    def reader(self, pull_id: int, shape: IndexedColumns, wanted: Callable[[], bool]) -> Reader:
        """A `Reader` over the pull as it is now, for the thread of a query. Close it at the end.

        ``wanted``: see `Reader`. Raises PullMoved, PageDamaged.
        """
        info = self.pull(pull_id)
        self.checked(info)
        with faults(self.path):
            made = Reader(self.path, info, shape, wanted, self._keep_narrow)
        with self._read_lock:
            self._readers.add(made)
        return made

    def _keep_narrow(self, shape: IndexedColumns, blocks: list[tuple[int, bytes]]) -> None:
        with self.writing():
            self._insert_narrow(shape, blocks)

    # ------------------------------------------------------------------ inside

    def _blocks_of(
        self, page: Page, shape: IndexedColumns | None, model: type[BaseModel] | None, block: bytes = b""
    ) -> _Blocks:
        with self._write_lock:
            packed, digest = self._packer.pack(page.body, page.records, block), page.digest
            if not page.records:
                return _Blocks(packed, digest, fit=ALL_FIT)
            if shape is None:
                return _Blocks(packed, digest)
            extractor = self._extractor
            if extractor is None or extractor.shape.text != shape.text or extractor.model is not model:
                extractor = self._extractor = Extractor(shape, model)
            narrow, fit = extractor.block_and_fit(page.records)
            return _Blocks(packed, digest, shape, narrow + seal_of(shape.text, digest), fit)

    def _insert_narrow(self, shape: IndexedColumns, blocks: Iterable[tuple[int, bytes]]) -> None:
        found = self._writer.execute("SELECT id FROM shape WHERE fields = ?", (shape.text,)).fetchone()
        number = found[0] if found else None
        if number is None:
            number = self._writer.execute("INSERT INTO shape (fields) VALUES (?)", (shape.text,)).lastrowid
        # Pages may have been removed in the meantime: for these the SELECT gives nothing.
        sql = "INSERT OR REPLACE INTO narrow SELECT id, ?, ? FROM page WHERE id = ?"
        self._writer.executemany(sql, [(number, block, page) for page, block in blocks])

    def _insert_pull(self, key: PullKey) -> int:
        sql = "INSERT INTO pull (connection, origin, resource, params, state, why, started_at, updated_at, unfit,"
        sql += " observed)"
        values = (*key_values(key), "ready", b"", now(), now())
        made = self._writer.execute(f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 0)", values).lastrowid
        assert made is not None  # noqa: S101 - sqlite3 gives it after every insert
        return made

    def _insert_page(self, pull_id: int, kept: PageWrite, data: _Blocks) -> None:
        page = kept.page
        sql = "SELECT pages, rows, next_cursor FROM pull WHERE id = ? AND NOT gone"
        found = self._writer.execute(sql, (pull_id,)).fetchone()
        if found is None:
            raise moved("removed or restarted")
        pages, first_row, next_cursor = found
        # The first page may have been requested with a cursor that the user gave.
        if page.number != pages + 1 or (pages and blob(page.cursor) != next_cursor):
            raise moved("continued")
        self._write_page(pull_id, first_row, page, data)
        rows, following = len(page.records), blob(page.next_cursor)
        # When the number of misfits is unknown for one page it is for the pull: NULL plus a number is NULL.
        self._writer.execute(
            "UPDATE pull SET pages = pages + 1, rows = rows + ?, bytes = bytes + ?, next_cursor = ?,"
            " state = ?, why = ?, updated_at = ?, unfit = unfit + ?, observed = observed + ?,"
            " with_key = with_key + ? WHERE id = ?",
            (
                rows,
                len(page.body),
                following,
                kept.state,
                to_bytes(kept.why),
                now(),
                *(data.fit or (None, None)),
                kept.with_key,
                pull_id,
            ),
        )
        if kept.state == "complete":
            self._settle(pull_id)

    def _write_page(self, pull_id: int, first_row: int, page: Page, data: _Blocks) -> None:
        rows, cursor, following = len(page.records), blob(page.cursor), blob(page.next_cursor)
        head = (pull_id, page.number, first_row, rows, len(page.body), page.flag, page.elapsed_ms)
        notes = json.dumps(page.notes).encode()
        tail = (stamp(page.received_at), page.exchange, data.digest, notes, cursor, following, data.packed)
        sql = f"INSERT INTO page ({COLUMNS}) VALUES ({', '.join('?' * 14)})"  # noqa: S608
        page_id = self._writer.execute(sql, head + tail).lastrowid
        if data.shape is not None and page_id is not None:
            self._insert_narrow(data.shape, [(page_id, data.narrow)])
        if data.fit is not None:
            sql = "INSERT OR REPLACE INTO fit (page, unfit, observed) VALUES (?, ?, ?)"
            self._writer.execute(sql, (page_id, *data.fit))

    def _settle(self, pull_id: int) -> None:
        """Marks a pull as settled and removes all but the newest `KEPT_PULLS` settled ones of its key.

        Call it within a transaction.
        """
        if not self._writer.execute(
            "UPDATE pull SET settled = 1 WHERE id = ? AND NOT settled AND NOT gone", (pull_id,)
        ).rowcount:
            return
        same = (
            "SELECT id FROM pull JOIN (SELECT connection, origin, resource, params FROM pull WHERE id = ?)"
            " USING (connection, origin, resource, params) WHERE NOT gone AND settled"
        )
        where = f"id IN ({same}) AND id NOT IN ({same} ORDER BY id DESC LIMIT ?)"
        self._remove(where, (pull_id, pull_id, KEPT_PULLS))

    def _remove(self, where: str, values: tuple[Any, ...]) -> None:
        """Takes pulls out of their lists, within a transaction. Those that a snapshot is of stay in the file."""
        there = "CASE WHEN id IN (SELECT pull FROM snapshot) THEN ? ELSE 1 END"
        sql = f"UPDATE pull SET gone = {there} WHERE NOT gone AND {where}"  # noqa: S608
        self._writer.execute(sql, (FOR_SNAPSHOT, *values))

    def _infos(self, sql: str, values: tuple[Any, ...] = ()) -> list[PullInfo]:
        """The pulls that ``sql`` selects, without those whose row cannot be read."""
        made = []
        for row in self.read(sql, values):
            with contextlib.suppress(*UNREADABLE, OSError):
                made.append(info_of(row))
        return made

    @contextlib.contextmanager
    def writing(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """One transaction: all that is run with what this gives takes place, or nothing of it."""
        with faults(self.path), self._write_lock, transaction(self._writer):
            yield self._writer.execute
