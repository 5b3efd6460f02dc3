"""One streaming walk of a list for its watchers: every page and every record once, in memory that does not grow."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import EndNotShown, ExplorerError, ServiceRefused
from explorer.api.page_parser import Sliced, Unsliceable, raw_of_rows, slice_list
from explorer.api.pages import Page, PageWalk
from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.quality.engine.check import QUICK_WORDS, Latency
from explorer.quality.engine.probe import is_lacking
from explorer.quality.engine.record_check import RecordCheck, SeenPage, Walked
from explorer.quality.engine.row import TOGETHER, read_row, read_rows
from explorer.quality.engine.rows import Rows, tell
from explorer.quality.engine.service import Send
from explorer.quality.engine.source import Source
from explorer.words import count
from explorer.work import in_thread, to_end


class Spent(Exception):
    """The budget is used up, so a call was not made or not waited for. Not a failure of the service."""


@dataclass(slots=True)
class Budget:
    """What a run may use in all. None means no limit. A request that the client retries counts as one call."""

    calls: int | None = None
    records: int | None = None
    pages: int | None = None
    """The most pages of one list."""
    seconds: float | None = None
    first: int | None = None
    """How many pages of a list, from its first one on, a quick run looks at; its end is none that came early."""
    used_calls: int = 0
    used_records: int = 0
    started: float = field(default_factory=time.monotonic)
    cut: dict[str, None] = field(default_factory=dict)
    """What ended early because of it, in words, each once."""

    @property
    def spent(self) -> str:
        """Which limit is reached, in words; empty when none is."""
        if self.records is not None and self.used_records >= self.records:
            return f"the budget of {count(self.records, 'record')} is used up"
        return self.no_calls

    @property
    def no_calls(self) -> str:
        """Why no further call may be made, in words; empty when one may."""
        if self.calls is not None and self.used_calls >= self.calls:
            return f"the budget of {count(self.calls, 'call')} is used up"
        if self.is_over:
            return f"the budget of {self.seconds:g} seconds is used up"
        return ""

    @property
    def is_over(self) -> bool:
        """Whether its time is over."""
        return self.seconds is not None and time.monotonic() - self.started >= self.seconds

    @property
    def records_left(self) -> int | None:
        """How many records may still be looked at; None when there is no limit."""
        return None if self.records is None else max(0, self.records - self.used_records)

    async def call(self, send: Send, request: Request) -> Answer:
        """Sends a request within the budget. A read in progress when the time is over is abandoned.

        Raises Spent, and what ``send`` raises.
        """
        if words := self.no_calls:
            raise Spent(words)
        self.used_calls += 1
        left = None if self.seconds is None else self.seconds - (time.monotonic() - self.started)
        if request.method != "GET":
            return await send(request)  # a write is awaited, so that its outcome is known
        try:
            async with asyncio.timeout(left):
                return await send(request)
        except TimeoutError:
            raise Spent(f"the budget of {self.seconds:g} seconds is used up") from None


class Walker:
    """Walks one list with some parameters and informs the watchers."""

    def __init__(
        self,
        send: Send,
        resource: Resource,
        watchers: Sequence[RecordCheck],
        budget: Budget,
        *,
        query: Mapping[str, Any] | None = None,
        on_page: Callable[[Page, int], Awaitable[None]] | None = None,
        source: Source | None = None,
    ) -> None:
        """``on_page`` is awaited after each page, so that other tasks get their turn and progress shows; its second
        argument is the number of rows looked at. ``source`` supplies the pages in place of the service.
        """
        if resource.listing is None:
            raise ValueError(f"{resource.key} is no list")
        self._send, self._resource, self._listing = send, resource, resource.listing
        self._watchers, self._budget, self._on_page, self._source = watchers, budget, on_page, source
        self._query = dict(query or {})
        self._walk = PageWalk(self._ask, resource.listing, self._query)
        self._answer: Answer | None = None
        self._told_now = Rows(())
        self._watching: deque[RecordCheck] = deque()
        """The watchers that have not received `_told_now` yet."""
        self._digests: set[bytes] = set()
        self._pages = 0
        self._rows = 0
        self.lock = Lock()
        """Held while a page is looked at, so that another thread can read the results so far."""
        self._over = self._repeated = self._open_end = self._odd_cursor = False
        self._withheld = 0
        self._detour: Mapping[str, Any] | None = None
        self._onward: tuple[str | None, ExplorerError | None] = (None, None)
        self._cut = ""
        self._beyond: tuple[Page, SeenPage, Sequence[bytes]] | None = None
        self.error: ExplorerError | None = None
        """The failure that ended it."""
        self.latencies: list[Latency] = []
        self.last: Page | None = None
        """The page that came last, one that came before included."""
        self.lacks = ""
        """Why the connection does not have the list, when it says so."""

    @property
    def _is_stored(self) -> bool:
        return self._source is not None

    @property
    def rows(self) -> int:
        """How many rows were looked at."""
        return self._rows

    @property
    def cursor(self) -> str | None:
        """The cursor of the next page, or of the one that failed."""
        return self._walk.cursor

    def go_on(self, front: Mapping[str, Any] | None, onward: str | None) -> None:
        """Continues around the record because of which the page failed: with the rows before it, then behind it.

        ``front`` are parameters with which the same cursor returns only the rows before it, None where there are none;
        ``onward`` is a cursor that leads behind it, None where none is known. The list then counts as incomplete.
        """
        self._detour, self._onward, self._withheld = front, (onward, self.error), self._withheld + 1
        self.error = None
        if front is None:
            self._go_behind(max(1, self._walk.number))
        else:
            number, cursor = self._walk.number, self._walk.cursor
            query = {**self._query, **front}
            self._walk = PageWalk(self._ask, self._listing, query, number=number, cursor=cursor)

    def _go_behind(self, number: int) -> None:
        onward, error = self._onward
        self._detour, self._onward = None, (None, None)
        if onward is None:
            self.error = error
        else:
            self._walk = PageWalk(self._ask, self._listing, self._query, number=number, cursor=onward)

    def use(self, budget: Budget) -> None:
        """Replaces the budget from now on."""
        self._budget = budget

    async def run(self) -> Walked:
        """Walks to the end of the list, of the budget or of what can be read. Raises nothing but CancelledError.

        After the end of a budget or a cancellation it may be called again and resumes.
        """
        before = self._pages
        while True:
            limit = self._budget.spent
            if self._beyond is not None and not limit:
                await self._rest(*self._beyond)
                limit = self._cut
            if not limit and self._budget.pages is not None and self._pages - before >= self._budget.pages:
                limit = f"the budget of {count(self._budget.pages, 'page')} is used up"
            if self._walk.state == "stopped" or self._over:
                return self.walked()
            past = self._walk.state == "complete"
            if past and (self._walk.cursor is None or limit or self._source is not None):
                return self.walked()
            if not limit and self._budget.first is not None and self._pages >= self._budget.first:
                return self.walked(QUICK_WORDS)
            if not limit:
                try:
                    self.error = await self._step(past=past and self._walk.go_past())
                    if self._detour is not None:
                        self._go_behind(self._walk.number)
                except Spent as spent:
                    limit = str(spent)
            if limit or self._cut:
                self._budget.cut[limit or self._cut] = None
                return self.walked(limit or self._cut)
            if self.error is not None:
                return self.walked()

    def walked(self, limit: str = "") -> Walked:
        """How the walk went so far; ``limit`` is why it goes no further now."""
        why = None if self._over else self._walk.why
        ended = self._over or self._walk.state == "complete" or isinstance(why, EndNotShown)
        complete = ended and self.error is None and not limit
        complete = complete and not self._repeated  # a repeated page stands in place of other rows
        return Walked(
            self._resource,
            self._listing,
            self._pages,
            self._rows,
            complete,
            why,
            self.error,
            limit,
            self._open_end,
            self._withheld,
        )

    async def _step(self, *, past: bool) -> ExplorerError | None:
        """Takes one more page. ``past``: the flag said that there is none, and a cursor leads on all the same."""
        self._answer = None
        try:
            page = await self._walk.advance()
        except ExplorerError as error:
            if past or (self._odd_cursor and isinstance(error, ServiceRefused)):
                # A cursor of a type other than the contract's may mean none: its type is reported already.
                self._over = True
                return None
            if is_lacking(error) and not self._pages:
                self.lacks = error.sentence
                return error
            seen = SeenPage(
                self._walk.number + 1, self._answer, self._sliced(), None, error, stored=self._is_stored
            )
            await self._told(seen, ())
            return error
        repeats = bool(page.records) and page.digest in self._digests
        if past and (repeats or not page.records):
            self._over = True
            return None
        self._pages += 1
        self.last = page
        self._repeated = self._repeated or repeats
        self._digests.add(page.digest)
        self.latencies.append(Latency(self._resource.key, page.number, page.elapsed_ms))
        seen = SeenPage(page.number, self._answer, self._sliced(), page, None, repeats, self._is_stored)
        self._odd_cursor = _is_odd(seen.sliced) and page.next_cursor is not None
        bare = seen.sliced is not None and seen.sliced.bare
        self._open_end = self._odd_cursor or bool(page.open_end) or (page.next_cursor is None and bare)
        await self._rest(page, seen, () if repeats else page.records, begun=False)
        return None

    async def _rest(
        self, page: Page, seen: SeenPage, records: Sequence[bytes], *, begun: bool = True
    ) -> None:
        """Passes on as many rows of a page as the budget allows; the rest waits for the next budget."""
        left = self._budget.records_left
        now = records if left is None else records[:left]
        over = len(records) > len(now)
        self._cut = f"the budget of {count(self._budget.records or 0, 'record')} is used up" if over else ""
        self._beyond = (page, seen, records[len(now) :]) if over else None
        self._budget.used_records += len(now)
        looked = self._rows
        await self._told(seen, now, begun=begun)
        if self._on_page is not None:
            await self._on_page(page, self._rows - looked)

    async def _told(self, seen: SeenPage, records: Sequence[bytes], *, begun: bool = False) -> None:
        """Informs the watchers in a thread: a page takes some ten milliseconds, and a window may use this loop."""
        await to_end(self._notify, seen, records, begun)  # a page is looked at whole or not at all

    async def _ask(self, request: Request) -> Answer:
        self._answer = await (
            self._budget.call(self._send, request) if self._source is None else self._stored()
        )
        return self._answer

    async def _stored(self) -> Answer:
        """The next page of the source. Raises Spent where there is none, or it cannot be read."""
        source = self._source
        assert source is not None  # noqa: S101 - the caller has looked
        try:
            found = await in_thread(source.answer, self._walk.number + 1)
        except ExplorerError as error:
            raise Spent(f"the stored rows cannot be read: {error.sentence}") from None
        if found is None:
            raise Spent(f"no more than {count(source.rows, 'row')} of it are stored")
        return found

    def _sliced(self) -> Sliced | None:
        if self._answer is None or self._answer.sliced is not None:
            return self._answer.sliced if self._answer else None
        try:
            return slice_list(self._answer.body, self._listing.envelope)
        except Unsliceable:
            return None

    def _notify(self, seen: SeenPage, records: Sequence[bytes], begun: bool) -> None:
        with self.lock:
            for watcher in () if begun else self._watchers:
                watcher.page(seen)
            looked = 0
            beside = self._beside(seen)
            while looked < len(records) or self._watching:
                if self._budget.is_over and seen.page is not None:
                    # The rest of the page, and of the current records, waits for the next budget.
                    left = self._beyond[2] if self._beyond else ()
                    self._cut, self._beyond = (
                        self._budget.no_calls,
                        (seen.page, seen, (*records[looked:], *left)),
                    )
                    self._budget.used_records -= len(records) - looked
                    return
                if not self._watching:
                    some = records[looked : looked + TOGETHER]
                    rows = read_rows(some, self._rows + 1, seen.number, seen.exchange)
                    for row in rows if beside else ():
                        row.beside = read_row(beside[row.raw], 0, None, 0).value
                    self._told_now = Rows(rows)
                    self._watching.extend(self._watchers)
                    self._rows += len(rows)
                    looked += len(rows)
                tell(self._watching.popleft(), self._told_now)

    def _beside(self, seen: SeenPage) -> Mapping[bytes, bytes]:
        """The raw data of each record of a page, where it stands in the envelope; else empty."""
        sliced = seen.sliced if self._listing.envelope.raw else None
        raws = raw_of_rows(sliced) if sliced is not None else ()
        return dict(zip(sliced.records or (), raws, strict=True)) if sliced is not None and raws else {}


def _is_odd(sliced: Sliced | None) -> bool:
    """Whether a page's cursor is neither text nor null."""
    if sliced is None:
        return False
    cursor = sliced.cursor if sliced.elsewhere is None else sliced.elsewhere[1]
    return cursor is not None and cursor != b"null" and cursor[:1] != b'"'
