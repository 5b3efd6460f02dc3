"""The request log of a profile on the disk: the calls of every window and command, within a budget, oldest out.

It is stored in ``data/<profile id>.requests.sqlite3``. `Exchanges` hands over what was redacted and nothing else. A
number is given once: each open log takes a block of them, so that windows and commands may log side by side.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import sqlite3
import threading
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import zstandard

from explorer.api.exchange import Exchange
from explorer.api.exchanges import BODY_LIMIT, PastCalls, unreadable
from explorer.session.profile_database import FileKind, open_database
from explorer.store.columns import moment, stamp, to_bytes
from explorer.store.page_integrity import UNREADABLE
from explorer.store.schema import connect, faults, transaction
from explorer.store.values import StoreFault
from explorer.work import StoreThreads

BUDGET = 200 * 10**6
"""Bytes that the calls of a profile may take, unless the user set another limit: some ten thousand with bodies."""
BLOCK = 10_000
"""Numbers that an open log takes at a time."""
_SOON = 0.1
"""Seconds until what was logged is written: calls that end meanwhile are written once, and several together."""
_HELD = 32 * 2**20
"""The most bytes of calls that wait in memory while the file cannot be written; of more, the newest."""
_AROUND = 200
"""Bytes of a call beside its texts and bodies."""
_LARGEST = 8 * BODY_LIMIT
"""More bytes than a head or body can have: whoever says so is damaged."""
_READS = ("GET", "HEAD")
_BODIES = ("request_body", "response_body")
_FIELDS = tuple(
    field.name for field in dataclasses.fields(Exchange) if field.name not in ("id", "started_at", *_BODIES)
)
_PAIRS = ("request_headers", "response_headers")
_KIND = FileKind(
    "request log",
    0x55455852,  # the letters UEXR
    1,
    (
        "CREATE TABLE state (following INTEGER NOT NULL, budget INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT",
        f"INSERT INTO state VALUES (1, {BUDGET}, 0)",  # noqa: S608 - a number
        """CREATE TABLE call (
            number INTEGER PRIMARY KEY, at INTEGER NOT NULL, size INTEGER NOT NULL,
            searched BLOB NOT NULL, head BLOB NOT NULL
        ) STRICT""",
        "CREATE INDEX call_at ON call (at, number)",
        # A table of its own: a search reads all of the other.
        "CREATE TABLE body (number INTEGER PRIMARY KEY, request BLOB, answer BLOB NOT NULL) STRICT",
    ),
    busy_ms=10_000,
    checked=False,
)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a request log takes."""

    calls: int
    bytes: int
    budget: int
    since: datetime | None
    """When its oldest call was sent; None without any."""


class RequestArchive:
    """An `Archive` of a log. Made in a thread; `number`, `keep` and `read` may be called on the loop."""

    def __init__(self, path: Path, threads: StoreThreads, notices: list[str]) -> None:
        """Opens or creates the file; see `open_database`. Later it writes in the writing thread of ``threads``."""
        self.path = path
        self.fault = ""
        """Why the last calls could not be written, in a sentence; empty when they were."""
        self._threads = threads
        self._lock = threading.Lock()
        self._pending: dict[int, Exchange] = {}
        self._under_way: dict[int, Exchange] = {}
        self._held = 0
        """The weight of those that are pending."""
        self._scheduled = self._closed = False
        self._packer = zstandard.ZstdCompressor(level=1)
        self._writer = open_database(path, _KIND, notices)
        try:
            with faults(path):
                self._reader = connect(path)
            self._blocks: list[tuple[int, int]] = []
            self._reserve()
        except BaseException:
            self._writer.close()
            raise
        self._next = self._blocks[0][0]

    def close(self) -> None:
        """Writes what waits, gives the numbers back that were not used, and closes the file. Call it in the writer."""
        self._write()
        self._closed = True
        first, end = self._blocks[-1]
        if first <= self._next <= end:
            with contextlib.suppress(StoreFault), faults(self.path), transaction(self._writer):
                # Another log may have taken the block behind this one.
                sql = "UPDATE state SET following = ? WHERE following = ?"
                self._writer.execute(sql, (self._next, end))
        with self._lock:
            self._reader.close()
            self._writer.close()

    # ------------------------------------------------------------------ writing

    def number(self) -> int:
        """A number that no other call of the profile has."""
        number = self._next
        if not self._is_own(number):
            number = next((first for first, _ in self._blocks if first > number), number)
        self._next = number + 1
        return number

    def keep(self, exchange: Exchange) -> None:
        """Has a call written soon; a write at once, as it may be carried out though the program ends."""
        if self._closed:
            return
        reads = exchange.method in _READS
        # Without a number of its own it could take the place of another window's.
        if self._is_own(exchange.id) and not (reads and exchange.state == "waiting"):
            with self._lock:
                self._hold({exchange.id: exchange})
        if not reads:
            self._start()
        elif not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_later(_SOON, self._start)

    def grant(self, budget: int) -> asyncio.Future[None]:
        """Takes another budget from now on, in bytes (0: nothing is written), and frees what is beyond it.

        The future fails with StoreFault.
        """
        return self._threads.submit(self._grant, budget)

    def _hold(self, calls: dict[int, Exchange]) -> None:
        """Has these calls wait behind the others. Call it with the lock."""
        for number, exchange in calls.items():
            before = self._pending.get(number)
            self._held += exchange.weight - (before.weight if before else 0)
            self._pending[number] = exchange
        while self._held > _HELD:
            self._held -= self._pending.pop(next(iter(self._pending))).weight

    def _start(self) -> None:
        self._scheduled = False
        if not self._closed:
            self._threads.submit(self._write)

    def _write(self) -> None:
        if self._closed:
            return
        with self._lock:
            batch, self._pending, self._held = self._pending, {}, 0
            self._under_way = batch
        try:
            with faults(self.path):
                if batch:
                    with transaction(self._writer):
                        [budget] = self._writer.execute("SELECT budget FROM state").fetchone()
                        # Without any room nothing is written, not even to be deleted at once.
                        self._put(sum(self._insert(one) for one in batch.values()) if budget else 0)
                if self._blocks[-1][1] - self._next < BLOCK // 2:
                    self._reserve()
            self.fault = ""
        except StoreFault as fault:
            self.fault = fault.sentence
            with self._lock:
                newer, self._pending, self._held = self._pending, {}, 0
                self._hold(batch | newer)
        finally:
            with self._lock:
                self._under_way = {}

    def _insert(self, exchange: Exchange) -> int:
        """Writes one call; the bytes that it takes more than before."""
        run = self._writer.execute
        head, request, answer = self._packed(exchange)
        searched = to_bytes(exchange.searched)
        size = _AROUND + len(searched) + len(head) + len(request or b"") + len(answer)
        [before] = run("SELECT size FROM call WHERE number = ?", (exchange.id,)).fetchone() or (0,)
        values = (exchange.id, stamp(exchange.started_at), size, searched, head)
        run("INSERT OR REPLACE INTO call VALUES (?, ?, ?, ?, ?)", values)
        run("INSERT OR REPLACE INTO body VALUES (?, ?, ?)", (exchange.id, request, answer))
        return size - before

    def _put(self, more: int) -> None:
        """Counts the bytes, and deletes the oldest calls beyond the budget. Call it within a transaction."""
        run = self._writer.execute
        sql = "UPDATE state SET bytes = bytes + ? RETURNING bytes, budget"
        [(size, budget)] = run(sql, (more,)).fetchall()
        freed, gone = 0, list[tuple[int]]()
        oldest = run("SELECT number, size FROM call ORDER BY at, number") if size > budget else ()
        for number, its_size in oldest:
            if size - freed <= budget:
                break
            freed += its_size
            gone.append((number,))
        for table in ("call", "body") if gone else ():
            self._writer.executemany(f"DELETE FROM {table} WHERE number = ?", gone)  # noqa: S608
        run("UPDATE state SET bytes = bytes - ?", (freed,))

    def _grant(self, budget: int) -> None:
        with faults(self.path):
            with transaction(self._writer):
                self._writer.execute("UPDATE state SET budget = ?", (budget,))
                self._put(0)
            # A step of this pragma frees one page, and only a script is stepped to its end.
            self._writer.executescript("PRAGMA incremental_vacuum")
            self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _reserve(self) -> None:
        """Takes the next block of numbers."""
        with faults(self.path), transaction(self._writer):
            sql = "UPDATE state SET following = following + ? RETURNING following"
            [(end,)] = self._writer.execute(sql, (BLOCK,)).fetchall()
        self._blocks.append((end - BLOCK, end))

    def _is_own(self, number: int) -> bool:
        return any(first <= number < end for first, end in self._blocks)

    def _packed(self, exchange: Exchange) -> tuple[bytes, bytes | None, bytes]:
        head = json.dumps({name: getattr(exchange, name) for name in _FIELDS}).encode()
        request = exchange.request_body
        pack = self._packer.compress
        return pack(head), None if request is None else pack(request), pack(exchange.response_body)

    # ------------------------------------------------------------------ reading

    def read(self, number: int) -> Exchange | None:
        """The call of that number with its bodies; None when it went by the budget, or cannot be read."""
        waiting = self._waiting(number)
        if waiting is not None:
            return waiting
        found = self._select("call.number, at, head, request, answer", "JOIN body USING (number)", (number,))
        return next(iter(found), None)

    def heads(self, numbers: Sequence[int]) -> list[Exchange]:
        """Those of these calls that are there, without their bodies."""
        waiting = [call.bare() for call in map(self._waiting, numbers) if call is not None]
        there = {call.id for call in waiting}
        rest = [number for number in numbers if number not in there]
        return waiting + self._select("number, at, head, NULL, NULL", "", rest)

    def _waiting(self, number: int) -> Exchange | None:
        """A call that is not written yet."""
        with self._lock:
            return self._pending.get(number) or self._under_way.get(number)

    async def find(self, words: Sequence[str] = (), without: Collection[int] = ()) -> PastCalls:
        """The calls in which all these words (in lower case) stand, but for those numbers. Raises StoreFault."""
        await self._threads.write(self._write)
        return await self._threads.read(self._find, words, without)

    async def usage(self) -> Usage:
        """What it takes. Raises StoreFault."""
        await self._threads.write(self._write)
        return await self._threads.read(self._usage)

    def _find(self, words: Sequence[str], without: Collection[int]) -> PastCalls:
        where = f"WHERE {' AND '.join('instr(searched, ?)' for _ in words)}" if words else ""
        found = PastCalls(array("q"), array("q"))
        with self._connected() as database:
            sql = f"SELECT number, at FROM call {where} ORDER BY at, number"  # noqa: S608
            for number, at in database.execute(sql, [to_bytes(word) for word in words]):
                if number not in without:
                    found.numbers.append(number)
                    found.ats.append(at)
        return found

    def _usage(self) -> Usage:
        with self._connected() as database:
            [(size, budget)] = database.execute("SELECT bytes, budget FROM state").fetchall()
            [(calls, since)] = database.execute("SELECT count(*), min(at) FROM call").fetchall()
        return Usage(calls, size, budget, None if since is None else moment(since))

    @contextlib.contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """A connection for one search, so that what reads a call on the loop does not wait for it."""
        with faults(self.path), contextlib.closing(connect(self.path)) as database:
            yield database

    def _select(self, columns: str, join: str, numbers: Sequence[int]) -> list[Exchange]:
        places = ", ".join("?" * len(numbers))
        sql = f"SELECT {columns} FROM call {join} WHERE call.number IN ({places})"  # noqa: S608
        try:
            with faults(self.path), self._lock:
                rows = self._reader.execute(sql, list(numbers)).fetchall()
        except StoreFault:
            return []
        return [self._exchange_of(*row) for row in rows]

    def _exchange_of(
        self, number: int, at: int, head: bytes, request: bytes | None, answer: bytes | None
    ) -> Exchange:
        try:
            values: dict[str, Any] = json.loads(_unpacked(head))
            for name in _PAIRS:
                values[name] = tuple((str(one), str(other)) for one, other in values[name])
            values["request_body"] = None if request is None else _unpacked(request)
            values["response_body"] = b"" if answer is None else _unpacked(answer)
            made = Exchange(id=number, started_at=moment(at), **values)
        except (*UNREADABLE, zstandard.ZstdError, OSError, TypeError, KeyError):
            words = "This entry of the request log is damaged and cannot be read."
            return unreadable(number, moment(min(max(at, 0), 2**53)), words)
        if made.state != "waiting" or self._is_own(number):
            return made
        end = "the program ended, or another window waits: it may or may not have happened"
        return dataclasses.replace(made, state="stopped", summary=f"no answer: {end}", verdict="caution")


def _unpacked(packed: bytes) -> bytes:
    if not 0 <= zstandard.frame_content_size(packed) <= _LARGEST:
        raise ValueError("a size that no body has")
    return zstandard.ZstdDecompressor().decompress(packed)
