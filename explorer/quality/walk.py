"""One streaming walk of a list for its watchers: every page and every record once, in memory that does not grow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, WalkStopped
from explorer.api.pages import Page, PageWalk
from explorer.api.slicing import Sliced, Unsliceable, slice_list
from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.quality.check import Latency, counted
from explorer.quality.probe import is_lacking
from explorer.quality.row import read_row
from explorer.quality.service import Send
from explorer.quality.watch import SeenPage, Walked, Watcher


@dataclass(slots=True)
class Budget:
    """What a run may use in all. None is no bound."""

    calls: int | None = None
    records: int | None = None
    pages: int | None = None
    """Of one list."""
    seconds: float | None = None
    used_calls: int = 0
    used_records: int = 0
    started: float = field(default_factory=time.monotonic)

    @property
    def spent(self) -> str:
        """Which bound is reached, in words; empty when none is."""
        if self.calls is not None and self.used_calls >= self.calls:
            return f"the budget of {counted(self.calls, 'call')} is used"
        if self.records is not None and self.used_records >= self.records:
            return f"the budget of {counted(self.records, 'record')} is used"
        if self.seconds is not None and time.monotonic() - self.started >= self.seconds:
            return f"the budget of {self.seconds:g} seconds is used"
        return ""


class Walker:
    """Walks one list with some parameters and tells the watchers."""

    def __init__(
        self,
        send: Send,
        resource: Resource,
        watchers: Sequence[Watcher],
        budget: Budget,
        *,
        query: Mapping[str, Any] | None = None,
        on_page: Callable[[Page], Awaitable[None]] | None = None,
    ) -> None:
        """``on_page`` is awaited after each page, so that others get their turn and progress is seen."""
        if resource.listing is None:
            raise ValueError(f"{resource.key} is no list")
        self._send, self._resource, self._listing = send, resource, resource.listing
        self._watchers, self._budget, self._on_page = watchers, budget, on_page
        self._walk = PageWalk(self._ask, resource.listing, query or {})
        self._answer: Answer | None = None
        self._digests: set[bytes] = set()
        self._pages = 0
        self._rows = 0
        self._over = False
        self.latencies: list[Latency] = []
        self.lacks = ""
        """Why the connection has no such list, when it says so."""

    async def run(self) -> Walked:
        """To the end of the list, of the budget or of what can be read. Raises nothing but CancelledError."""
        error: ExplorerError | None = None
        why: WalkStopped | None = None
        limit = ""
        while True:
            limit = self._budget.spent
            if not limit and self._budget.pages is not None and self._pages >= self._budget.pages:
                limit = f"the budget of {counted(self._budget.pages, 'page')} is used"
            if limit or self._walk.state == "stopped":
                why = self._walk.why
                break
            past = self._walk.state == "complete"
            if past and not self._walk.go_past():
                break
            error = await self._step(past=past)
            if error is not None or self._over:
                break
        complete = (self._over or self._walk.state == "complete") and error is None and not limit
        return Walked(self._resource, self._listing, self._pages, self._rows, complete, why, error, limit)

    async def _step(self, *, past: bool) -> ExplorerError | None:
        """One more page. ``past``: the flag said that there is none, and a cursor leads on all the same."""
        self._answer = None
        try:
            page = await self._walk.advance()
        except ExplorerError as error:
            if past:
                self._over = True
                return None
            if is_lacking(error) and not self._pages:
                self.lacks = error.sentence
                return error
            seen = SeenPage(self._walk.number + 1, self._answer, self._sliced(), None, error)
            await asyncio.to_thread(self._tell, seen, ())
            return error
        repeats = bool(page.records) and page.digest in self._digests
        if past and (repeats or not page.records):
            self._over = True
            return None
        self._pages += 1
        self._digests.add(page.digest)
        self._budget.used_records += 0 if repeats else len(page.records)
        self.latencies.append(Latency(self._resource.key, page.number, page.elapsed_ms))
        seen = SeenPage(page.number, self._answer, self._sliced(), page, None, repeats)
        # Off the loop: a page takes some ten milliseconds to look at, and a window may live on this loop.
        await asyncio.to_thread(self._tell, seen, page.records)
        if self._on_page is not None:
            await self._on_page(page)
        return None

    async def _ask(self, request: Request) -> Answer:
        self._budget.used_calls += 1
        self._answer = await self._send(request)
        return self._answer

    def _sliced(self) -> Sliced | None:
        if self._answer is None or self._answer.sliced is not None:
            return self._answer.sliced if self._answer else None
        try:
            return slice_list(self._answer.body, self._listing.envelope)
        except Unsliceable:
            return None

    def _tell(self, seen: SeenPage, records: Iterable[bytes]) -> None:
        for watcher in self._watchers:
            watcher.page(seen)
        if seen.repeats:
            return
        for raw in records:
            self._rows += 1
            row = read_row(raw, self._rows, seen.number, seen.exchange)
            for watcher in self._watchers:
                watcher.row(row)
