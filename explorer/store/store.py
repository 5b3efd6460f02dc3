"""One profile's store: every page that arrived, with its cursor, in one SQLite file that several windows
may share.

Rows and cursor enter in one transaction, which first looks whether the page is the next one: so a kill
leaves whole pages and the cursor after them, and two windows on one pull never keep a page twice. Writing
belongs in a worker thread; reading takes microseconds and has a connection of its own, so that it waits
for no writer.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
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
    PAGE,
    Places,
    blob,
    info_of,
    key_values,
    moved,
    now,
    page_of,
    stamp,
    to_bytes,
    to_text,
)
from explorer.store.indexed_columns import Extractor, IndexedColumns
from explorer.store.packing import Packed, Packer
from explorer.store.reader import Reader
from explorer.store.schema import UNREADABLE_PULL, connect, fault_of, open_file, transaction
from explorer.store.values import PageInfo, PullInfo, PullKey, PullState, Standing, StoreFault
from explorer.store.whole import ONE_PAGE, UNREADABLE, damaged, opened, seal_of

_EMPTY_PAGE = "SELECT data, rows, bytes FROM page WHERE pull = ? AND number = ?"
CACHE_BYTES = 8 * 2**20
"""Of unpacked pages; the page used last stays even when it alone is larger."""
KEPT_PULLS = 2
"""Pulls of one key that are kept once they are settled: the one in front, and the previous one."""
REAP_PAGES = 64
"""Pages of a forgotten pull that one transaction removes, so that no other write waits long."""


@dataclass(frozen=True, slots=True)
class _Blocks:
    """What one page becomes in the file."""

    packed: bytes
    digest: bytes
    shape: IndexedColumns | None = None
    narrow: bytes = b""
    unfit: int | None = None


class PageWrite(NamedTuple):
    """A page to be kept, and how its pull stands with it."""

    page: Page
    state: PullState
    why: str
    block: bytes = b""
    """The page as `Packer.lay_out` makes it, where that was done before; else it is done now."""
    with_key: int = 0
    """How many of its records hold the key that they were asked for with."""


class Store:
    """The pages of one profile. Every method raises StoreFault when the file cannot be read or written."""

    def __init__(self, path: Path, *, cache_bytes: int = CACHE_BYTES) -> None:
        """Opens or makes the file. ``notices`` then says what was set aside."""
        self.path = path
        self.notices: list[str] = []
        self._writer = open_file(path, self.notices)
        try:
            self._reader = connect(path)
        except sqlite3.Error as error:
            self._writer.close()
            raise fault_of(error, path) from None
        self._write_lock, self._read_lock = threading.Lock(), threading.Lock()
        self._packer, self._unpacker = Packer(), Packer()
        self._cache: OrderedDict[tuple[int, int], Packed] = OrderedDict()
        self._cache_bytes, self._cached = cache_bytes, 0
        self._places: dict[int, Places] = {}
        self._extractor: Extractor | None = None
        self._readers: WeakSet[Reader] = WeakSet()

    @classmethod
    def of_profile(cls, folders: Folders, profile_id: str) -> Store:
        """The store of the profile of that id."""
        return cls(folders.data / f"{profile_id}.sqlite3")

    def close(self) -> None:
        """Closes every connection; the last one out folds the WAL into the file."""
        with self._read_lock:
            readers = tuple(self._readers)
        for reader in readers:
            reader.close()
        with self._read_lock, self._write_lock:
            self._reader.close()
            self._writer.close()
            self._cache.clear()
            self._cached = 0

    # ------------------------------------------------------------------ pulls

    def pulls(self) -> tuple[PullInfo, ...]:
        """Every pull that holds a page, oldest first."""
        return tuple(self._infos(f"SELECT {INFO} FROM pull WHERE NOT gone AND pages > 0 ORDER BY id"))  # noqa: S608

    def newest(self, key: PullKey) -> PullInfo | None:
        """The newest pull of ``key`` that holds a page, else the newest that was started, else None."""
        sql = f"SELECT {INFO} FROM pull WHERE {KEYED} AND NOT gone ORDER BY pages > 0 DESC, id DESC"  # noqa: S608
        found = self._infos(sql, key_values(key))
        return found[0] if found else None

    def pull(self, pull_id: int) -> PullInfo:
        """How far that pull came. Raises PullMoved when it is gone."""
        found = self._infos(f"SELECT {INFO} FROM pull NOT INDEXED WHERE id = ? AND NOT gone", (pull_id,))  # noqa: S608
        if not found:
            raise moved("removed or restarted")
        return found[0]

    def checked(self, info: PullInfo, *, ended: bool = False) -> None:
        """Holds what a pull says of itself against its last page. Raises PageDamaged when the two differ.

        What it says is: how many pages and rows, which cursor leads on, and with ``ended`` whether that is all. Takes
        40 µs.
        """
        sql = "SELECT number, first_row + rows, flag, next_cursor FROM page WHERE pull = ? ORDER BY number DESC LIMIT 1"
        [last] = self._read(sql, (info.id,)) or [(0, 0, None, None)]
        more = last[3] is not None and last[2] != 0
        fits = {"complete": not more, "ready": last[3] is not None or not info.pages}.get(info.state, True)
        if (*last[:2], last[3]) != (info.pages, info.rows, blob(info.next_cursor)) or (ended and not fits):
            raise damaged(max(info.pages, 1))
        if self.pull(info.id).key != info.key:
            raise fault_of(sqlite3.DatabaseError("malformed"), self.path)

    def start(self, key: PullKey) -> PullInfo:
        """A new pull without pages."""
        with self._writing():
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
        """A new pull with its first page, begun after the pull ``after`` (None: there was none), in one transaction.

        It takes the place of every pull of ``key`` that is not settled. A settled one stays in front of it until it is
        settled itself. Raises PullMoved when the newest pull of ``key`` is another than ``after``: a second window
        began one in the meantime.
        """
        data = self._blocks_of(page, shape, model)
        with self._writing():
            sql = f"SELECT max(id) FROM pull WHERE {KEYED} AND NOT gone AND pages > 0"  # noqa: S608
            [newest] = self._writer.execute(sql, key_values(key)).fetchone()
            if newest != after:
                raise moved("started or restarted")
            sql = f"UPDATE pull SET gone = 1 WHERE {KEYED} AND NOT gone AND NOT settled"  # noqa: S608
            self._writer.execute(sql, key_values(key))
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
        """Adds the next pages of a pull, each with its cursor, the narrow columns of ``shape`` and how many records do
        not fit ``model``, and the pull's state after the last, in one transaction.

        Raises PullMoved, and keeps nothing, unless the first is the one after the last kept, asked with its cursor, and
        so on.
        """
        made = [self._blocks_of(each.page, shape, model, each.block) for each in kept]
        with self._writing():
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
        """Puts ``page`` in the place of the page of that number, which was damaged; `recount` has to follow."""
        data = self._blocks_of(page, shape, model)
        with self._writing():
            self._writer.execute("DELETE FROM page WHERE pull = ? AND number = ?", (pull_id, page.number))
            self._write_page(pull_id, 0, page, data)
            for column, cursor, number in (
                ("next_cursor", page.cursor, page.number - 1),
                ("cursor", page.next_cursor, page.number + 1),
            ):
                sql = f"UPDATE page SET {column} = ? WHERE pull = ? AND number = ?"  # noqa: S608
                self._writer.execute(sql, (blob(cursor), pull_id, number))

    def recount(self, pull_id: int, last: int) -> PullInfo:
        """Makes what is said about the pages 1 to ``last`` anew from the pages themselves; others are removed."""
        with self._writing():
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
                    # What is odd about its end is in its notes: by them it was not shown to be one.
                    said = f"The service ended the list at page {last}, but it may be incomplete."
                    state, why = "stopped", to_bytes(said)
            unfit = run(
                "SELECT CASE WHEN count(*) = count(f.unfit) THEN total(f.unfit) END FROM page p"
                " LEFT JOIN fit f ON f.page = p.id WHERE p.pull = ?",
                (pull_id,),
            ).fetchone()[0]
            run(
                "UPDATE pull SET pages = ?, rows = ?, bytes = ?, next_cursor = ?, state = ?, why = ?, unfit = ?"
                " WHERE id = ?",
                (last, first, size, following, state, why, None if unfit is None else int(unfit), pull_id),
            )
            if state == "complete":
                self._settle(pull_id)
        self.forget_opened(pull_id)
        return self.pull(pull_id)

    def count_with_key(self, pull_id: int, rows: int) -> None:
        """Sets how many rows of a pull hold the key that they were asked for with."""
        with self._writing():
            self._writer.execute("UPDATE pull SET with_key = ? WHERE id = ?", (rows, pull_id))

    def mark(self, pull_id: int, state: PullState, why: str = "") -> PullInfo:
        """Sets the state alone. Raises PullMoved when the pull is gone."""
        with self._writing():
            sql = "UPDATE pull SET state = ?, why = ?, updated_at = ? WHERE id = ? AND NOT gone"
            changed = self._writer.execute(sql, (state, to_bytes(why), now(), pull_id)).rowcount
            if not changed:
                raise moved("removed or restarted")
            if state == "complete":
                self._settle(pull_id)
        return self.pull(pull_id)

    finish = mark

    def settle(self, pull_id: int) -> PullInfo:
        """Puts a pull in front, complete or not; the one before becomes the previous one. Raises PullMoved."""
        with self._writing():
            self._settle(pull_id)
        return self.pull(pull_id)

    def forget(self, pull_id: int) -> None:
        """Removes a pull from sight at once; `reap` gives its space back."""
        with self._writing():
            self._writer.execute("UPDATE pull SET gone = 1 WHERE id = ?", (pull_id,))

    def forget_unreadable(self) -> None:
        """The same for pulls that were left out because they cannot be read."""
        with self._writing():
            self._writer.execute("UPDATE pull SET gone = 1 WHERE gone = ?", (UNREADABLE_PULL,))

    def reap(self) -> bool:
        """Frees one bite of what was forgotten; False when nothing is left. Call until then, between
        other writes.
        """
        with self._writing():
            gone = self._writer.execute("SELECT id FROM pull WHERE gone = 1 LIMIT 1").fetchone()
            if gone is None:
                return False
            sql = "DELETE FROM page WHERE id IN (SELECT id FROM page WHERE pull = ? LIMIT ?)"
            if not self._writer.execute(sql, (gone[0], REAP_PAGES)).rowcount:
                self._writer.execute("DELETE FROM pull WHERE id = ?", gone)
        with self._faults(), self._write_lock:
            # A step of this pragma frees one page, and only a script is stepped to its end.
            self._writer.executescript("PRAGMA incremental_vacuum(4096)")
        return True

    def standing(self, key: PullKey) -> Standing:
        """How the pulls of ``key`` that hold a page stand to each other."""
        sql = f"SELECT {INFO} FROM pull WHERE {KEYED} AND NOT gone AND pages > 0 ORDER BY id"  # noqa: S608
        return Standing.of(map(info_of, self._read(sql, key_values(key))))

    # ------------------------------------------------------------------ rows and pages

    def rows(self, pull_id: int, start: int, stop: int) -> list[bytes]:
        """Each record's own bytes, of rows ``start`` to before ``stop``, counted from 0; fewer at the end.

        Raises PullMoved when the pull was forgotten meanwhile, PageDamaged when a page of them is not as it was kept.
        """
        made: list[bytes] = []
        row = max(start, 0)
        with self._faults(), self._read_lock:
            places = self._places_to(pull_id, stop)
            stop = min(stop, places.total)
            while row < stop:
                number, first = places.at(row)
                page = self._unpacked(pull_id, number, first)
                made += page.records(row - first, min(stop - first, page.rows))
                row = first + page.rows
        return made

    def rows_at(self, pull_id: int, rows: Sequence[int]) -> list[bytes]:
        """The records of those rows, in their order. Raises PullMoved, StoreFault."""
        made = []
        for row in rows:
            found = self.rows(pull_id, row, row + 1)
            if not found:
                raise moved("removed or restarted")
            made += found
        return made

    def rows_apart(self, pull_id: int, rows: Sequence[int]) -> list[bytes]:
        """As `rows_at`, for thousands of rows: each page is opened once and none is kept. Takes its time."""
        made: list[bytes] = [b""] * len(rows)
        unpacker, page, first = Packer(), None, 0
        for place in sorted(range(len(rows)), key=rows.__getitem__):
            row = rows[place]
            if page is None or not first <= row < first + page.rows:
                with self._faults(), self._read_lock:
                    places = self._places_to(pull_id, row + 1)
                    if row >= places.total:
                        raise moved("removed or restarted")
                    number, first = places.at(row)
                    found = self._page_data(pull_id, number)
                page = opened(unpacker, found, number, first)
            made[place] = page.record(row - first)
        return made

    def page_of(self, pull_id: int, row: int) -> PageInfo:
        """The page that holds ``row``. Raises IndexError."""
        with self._faults(), self._read_lock:
            places = self._places_to(pull_id, row + 1)
            if not 0 <= row < places.total:
                raise IndexError(row)
            number, _ = places.at(row)
        return self.pages(pull_id, number)[0]

    def pages(
        self, pull_id: int, number: int | None = None, *, after: int = 0, noted: bool = False
    ) -> list[PageInfo]:
        """The kept pages of a pull behind page ``after``, in order, or that of ``number`` (a list of one, or none).

        With ``noted`` only those that have notes: of ten thousand pages that takes a tenth of the time.
        """
        only = "AND number > ?" if number is None else "AND number = ?"
        only += " AND notes != CAST('[]' AS BLOB)" if noted else ""
        values = (pull_id, after if number is None else number)
        table = "page LEFT JOIN fit ON fit.page = page.id"
        sql = f"SELECT {PAGE} FROM {table} WHERE pull = ? {only} ORDER BY number"  # noqa: S608
        return [page_of(row) for row in self._read(sql, values)]

    def body(self, pull_id: int, number: int) -> bytes:
        """A page's whole body as received. Raises PullMoved when it is gone, PageDamaged."""
        found = self.pages(pull_id, number)
        if not found:
            raise self._lost(pull_id, number)
        page = found[0]
        with self._faults(), self._read_lock:
            if not page.rows:  # there is nothing that a digest could be of
                [(data, rows, size)] = self._reader.execute(_EMPTY_PAGE, (pull_id, number)).fetchall()
                return self._unpacker.unpack(data, rows, size, None).body
            return self._unpacked(pull_id, number, page.first_row).body

    def seen_cursors(self, pull_id: int) -> set[str]:
        """Every cursor that a page of this pull was asked with: what a resumed walk must know.

        Raises PageDamaged unless the pages follow each other, each asked with the cursor that the one before it gave.
        """
        seen, following = set[str](), None
        sql = "SELECT number, cursor, next_cursor FROM page WHERE pull = ? ORDER BY number"
        for at, (number, cursor, then) in enumerate(self._read(sql, (pull_id,)), start=1):
            if number != at or (at > 1 and cursor != following):
                raise damaged(at)
            following = then
            if cursor is not None:
                seen.add(to_text(cursor))
        return seen

    def digests(self, pull_id: int) -> list[bytes]:
        """`Page.digest` of each page with rows, in order."""
        sql = "SELECT digest FROM page WHERE pull = ? AND rows > 0 ORDER BY number"
        return [digest for (digest,) in self._read(sql, (pull_id,))]

    # ------------------------------------------------------------------ questions and room

    def reader(self, pull_id: int, shape: IndexedColumns, wanted: Callable[[], bool]) -> Reader:
        """Reads that pull as it is now, for a thread that answers questions. Close it when it is done."""
        info = self.pull(pull_id)
        self.checked(info)
        with self._faults():
            made = Reader(self.path, info, shape, wanted, self._keep_narrow)
        with self._read_lock:
            self._readers.add(made)
        return made

    def _keep_narrow(self, shape: IndexedColumns, blocks: list[tuple[int, bytes]]) -> None:
        with self._writing():
            self._insert_narrow(shape, blocks)

    def size_bytes(self) -> int:
        """On the disk, with what waits in the WAL."""
        files = (self.path, self.path.with_name(self.path.name + "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    # ------------------------------------------------------------------ inside

    def _blocks_of(
        self, page: Page, shape: IndexedColumns | None, model: type[BaseModel] | None, block: bytes = b""
    ) -> _Blocks:
        with self._write_lock:
            packed, digest = self._packer.pack(page.body, page.records, block), page.digest
            if not page.records:
                return _Blocks(packed, digest, unfit=0)
            if shape is None:
                return _Blocks(packed, digest)
            extractor = self._extractor
            if extractor is None or extractor.shape.text != shape.text or extractor.model is not model:
                extractor = self._extractor = Extractor(shape, model)
            narrow, unfit = extractor.judged(page.records)
            return _Blocks(packed, digest, shape, narrow + seal_of(shape.text, digest), unfit)

    def _insert_narrow(self, shape: IndexedColumns, blocks: Iterable[tuple[int, bytes]]) -> None:
        found = self._writer.execute("SELECT id FROM shape WHERE fields = ?", (shape.text,)).fetchone()
        number = found[0] if found else None
        if number is None:
            number = self._writer.execute("INSERT INTO shape (fields) VALUES (?)", (shape.text,)).lastrowid
        # Pages may have been removed meanwhile.
        sql = "INSERT OR REPLACE INTO narrow SELECT id, ?, ? FROM page WHERE id = ?"
        self._writer.executemany(sql, [(number, block, page) for page, block in blocks])

    def _insert_pull(self, key: PullKey) -> int:
        sql = "INSERT INTO pull (connection, origin, resource, params, state, why, started_at, updated_at, unfit)"
        values = (*key_values(key), "ready", b"", now(), now())
        made = self._writer.execute(f"{sql} VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)", values).lastrowid
        assert made is not None  # noqa: S101 - sqlite3 gives it after every insert
        return made

    def _insert_page(self, pull_id: int, kept: PageWrite, data: _Blocks) -> None:
        page = kept.page
        sql = "SELECT pages, rows, next_cursor FROM pull WHERE id = ? AND NOT gone"
        found = self._writer.execute(sql, (pull_id,)).fetchone()
        if found is None:
            raise moved("removed or restarted")
        pages, first_row, next_cursor = found
        # The first page may be asked with a cursor of the user's own.
        if page.number != pages + 1 or (pages and blob(page.cursor) != next_cursor):
            raise moved("continued")
        self._write_page(pull_id, first_row, page, data)
        rows, following = len(page.records), blob(page.next_cursor)
        # Unknown for one page is unknown for the pull: adding NULL gives NULL.
        self._writer.execute(
            "UPDATE pull SET pages = pages + 1, rows = rows + ?, bytes = bytes + ?, next_cursor = ?,"
            " state = ?, why = ?, updated_at = ?, unfit = unfit + ?, with_key = with_key + ? WHERE id = ?",
            (
                rows,
                len(page.body),
                following,
                kept.state,
                to_bytes(kept.why),
                now(),
                data.unfit,
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
        if data.unfit is not None:
            self._writer.execute("INSERT OR REPLACE INTO fit VALUES (?, ?)", (page_id, data.unfit))

    def _settle(self, pull_id: int) -> None:
        """Within a transaction. Of the settled pulls of its key the newest `KEPT_PULLS` stay."""
        if not self._writer.execute(
            "UPDATE pull SET settled = 1 WHERE id = ? AND NOT settled AND NOT gone", (pull_id,)
        ).rowcount:
            return
        same = (
            "SELECT id FROM pull JOIN (SELECT connection, origin, resource, params FROM pull WHERE id = ?)"
            " USING (connection, origin, resource, params) WHERE NOT gone AND settled"
        )
        self._writer.execute(
            f"UPDATE pull SET gone = 1 WHERE id IN ({same}) AND id NOT IN ({same} ORDER BY id DESC LIMIT ?)",  # noqa: S608
            (pull_id, pull_id, KEPT_PULLS),
        )

    def _places_to(self, pull_id: int, stop: int) -> Places:
        """Where the pages with rows of a pull begin, read as far as is needed for rows before ``stop``."""
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
        page = opened(self._unpacker, self._page_data(pull_id, number), number, first)
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
        """Why a page is not there: its pull was removed, or the page alone is lost."""
        sql = "SELECT 1 FROM pull WHERE id = ? AND NOT gone AND pages >= ?"
        there = self._reader.execute(sql, (pull_id, number)).fetchone()
        return damaged(number) if there else moved("removed or restarted")

    def _lost(self, pull_id: int, number: int) -> StoreFault:
        with self._faults(), self._read_lock:
            return self._gone(pull_id, number)

    def forget_opened(self, pull_id: int) -> None:
        """Pages of this pull were put in place anew: they are read from the file again."""
        with self._read_lock:
            self._drop_opened({pull_id})

    def _let_go(self) -> None:
        """When a pull is opened: what is still held of others that this window or another one has removed, goes."""
        there = {pull_id for (pull_id,) in self._reader.execute("SELECT id FROM pull WHERE NOT gone")}
        self._drop_opened(({key[0] for key in self._cache} | self._places.keys()) - there)

    def _drop_opened(self, pull_ids: Set[int]) -> None:
        for pull_id in pull_ids:
            self._places.pop(pull_id, None)
        for key in [key for key in self._cache if key[0] in pull_ids]:
            self._cached -= self._cache.pop(key).size

    def _infos(self, sql: str, values: tuple[Any, ...] = ()) -> list[PullInfo]:
        """The pulls that ``sql`` finds, without those that cannot be read."""
        made = []
        for row in self._read(sql, values):
            with contextlib.suppress(*UNREADABLE, OSError):
                made.append(info_of(row))
        return made

    def _read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._faults(), self._read_lock:
            return self._reader.execute(sql, values).fetchall()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        with self._faults(), self._write_lock, transaction(self._writer):
            yield

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise fault_of(error, self.path) from None
