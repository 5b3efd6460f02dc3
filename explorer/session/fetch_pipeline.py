"""Fetches the pages of one walk while earlier ones are still being stored, a bounded number ahead.

The walk reads the next cursor from a page as soon as it arrives (0.2 ms for 140 kB), so that the next request does not
wait until the page is packed and written in the store's thread (1.5 ms). A page counts only when it is stored with its
cursor, in one transaction; a later failure leaves every page before it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from explorer.api.errors import WalkStopped
from explorer.api.pages import Page, PageWalk
from explorer.session.page_writer_process import PageWriterEnded
from explorer.session.pull_storage import PullStorage
from explorer.store.store import PageWrite
from explorer.store.values import PullInfo, PullState

AHEAD = 6
"""Pages that may have arrived and not be stored yet."""
ALONE = 8
"""Pages of a run after which a process is started to store the rest. A shorter pull ends before it would be ready."""
STOP_SECONDS = 0.15
"""How long Stop waits for a write under way. A slower one ends by itself, and the next run takes its result."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A page that has arrived, and the state of the walk after it."""

    page: Page
    state: PullState
    why: WalkStopped | None

    @property
    def write(self) -> PageWrite:
        """The page as the store takes it."""
        return PageWrite(self.page, self.state, self.why.sentence if self.why else "")


class FetchPipeline:
    """One walk and the pages that arrived from it.

    A restart or reload of the pull begins another pipeline. This one is `over` then, and a page that still arrives for
    it is dropped.
    """

    def __init__(
        self,
        storage: PullStorage,
        walk: Callable[[bool], Awaitable[PageWalk]],
        *,
        restart: bool = False,
        before: FetchPipeline | None = None,
    ) -> None:
        """``walk`` makes the walk when it is needed; its argument says whether to begin at the first page.

        ``before``: the pipeline before this one, whose last write may still be under way.
        """
        self.restart = restart
        """Whether the next page begins a new pull."""
        self.over = False
        self.walk: PageWalk | None = None
        self.arrived: deque[Arrived] = deque()
        """Pages that arrived and are not stored yet. A Stop or a full disk leaves them here: none is fetched twice."""
        self.last: Arrived | None = None
        """The page that was stored last; None when the pull's state does not come from this walk."""
        self._storage, self._open_walk = storage, walk
        self._writing: asyncio.Future[PullInfo] | None = None
        late = (before._writing or before._late) if before is not None else None
        self._late: asyncio.Future[PullInfo] | None = (
            late if late is not None and (restart or not late.done()) else None
        )
        self._asking: asyncio.Task[Exception | None] | None = None
        self._moved = asyncio.Event()
        self._room = asyncio.Semaphore(AHEAD)

    @property
    def ended(self) -> bool:
        """Whether the walk has ended (complete or stopped) and every page that arrived is stored."""
        left = self._writing is not None or self.arrived
        return not left and self.last is not None and self.last.state != "ready"

    async def run(self, most: int | None, kept: Callable[[], bool]) -> None:
        """Stores the pages that an earlier run left, then fetches and stores further ones.

        It ends when the walk ends, after ``most`` pages with rows, on an error, or when ``kept``, which is called after
        each write, returns False. Pages that have arrived by then are stored. Raises the error. Cancelled, it stores
        what has arrived as far as `STOP_SECONDS` allows.
        """
        before = 0 if self.restart else self._rows
        await self._take_late()
        while (self._writing is not None or self.arrived) and not self.over:
            if not await self._keep() or not kept():
                return
        if self.over or most == 0 or (most is not None and not self.restart and self._rows > before):
            return
        if self.walk is None:
            self.walk = await self._open_walk(self.restart)
        try:
            if not self.over:
                await self._ask_and_keep(self.walk, most, kept)
        except asyncio.CancelledError:
            await self._drain()
            raise
        finally:
            if not self.over:
                self._storage.writer = None

    def end(self) -> None:
        """Ends the walk. A page that still arrives is dropped."""
        self.over, self._storage.writer = True, None
        if self._asking is not None:
            self._asking.cancel()

    # ------------------------------------------------------------------ fetching

    async def _ask_and_keep(self, walk: PageWalk, most: int | None, kept: Callable[[], bool]) -> None:
        fault: Exception | None = None
        here, self._room, writing = 0, asyncio.Semaphore(AHEAD), None
        async with asyncio.TaskGroup() as group:
            asking = self._asking = group.create_task(self._ask(walk, most))
            asking.add_done_callback(lambda _: self._moved.set())
            try:
                while await self._any_arrived(asking):
                    pages = await self._keep()
                    for _ in range(pages):
                        self._room.release()
                    here += pages
                    if not pages or not kept():
                        break
                    if here >= ALONE and writing is None:
                        writing = group.create_task(self._storage.start_writer().work())
            except Exception as error:  # noqa: BLE001 - raised below, outside of the group, which would wrap it
                fault = error
            asking.cancel()
            if writing is not None:
                writing.cancel()
        if fault is None and not asking.cancelled():
            fault = asking.result()
        if fault is not None:
            raise fault

    async def _ask(self, walk: PageWalk, most: int | None) -> Exception | None:
        try:
            while walk.state == "ready" and most != 0:
                await self._room.acquire()
                page = await walk.advance()
                # The walk has advanced: there is no await before the append, so a Stop cannot lose the page.
                state: PullState = "ready" if walk.state in ("ready", "loading") else walk.state
                self.arrived.append(Arrived(page, state, walk.why))
                self._moved.set()
                if most is not None and page.records:
                    most -= 1
        except Exception as error:  # noqa: BLE001 - raised by the caller once the pages before it are stored
            return error
        return None

    async def _any_arrived(self, asking: asyncio.Task[Exception | None]) -> bool:
        """Waits until a page has arrived; False when no further one will."""
        while not self.arrived and not asking.done():
            self._moved.clear()
            await self._moved.wait()
        return bool(self.arrived)

    # ------------------------------------------------------------------ storing

    @property
    def _rows(self) -> int:
        return self._storage.info.rows if self._storage.info else 0

    async def _keep(self) -> int:
        """Stores the first pages that arrived, or waits for a write under way, and returns how many were stored.

        Returns 0 when this is `over`. Raises StoreFault; the next run tries again.
        """
        while not self.over:
            if self._writing is None:
                self._writing = self._storage.keep(
                    [each.write for each in self.arrived], restart=self.restart
                )
            writing = self._writing
            try:
                await asyncio.shield(writing)
            except asyncio.CancelledError:
                # The page may have been written by now; then the pull's state must include it.
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait({writing}, timeout=STOP_SECONDS)
                if writing.done():
                    self._take(writing)
                raise
            except PageWriterEnded:
                pass  # what it had written is found in the store, and a thread writes the rest
            except Exception:
                self._take(writing)
                if not self.over:
                    raise
            if kept := self._take(writing):
                return kept
        return 0

    def _take(self, writing: asyncio.Future[PullInfo]) -> int:
        """Takes the result of a finished write into the pull's state; returns how many pages it stored."""
        if self.over or self._writing is not writing:
            return 0
        self._writing = None
        fault = None if writing.cancelled() else writing.exception()
        if isinstance(fault, PageWriterEnded):
            self._storage.without_writer()
        elif fault is not None or writing.cancelled():
            return 0
        else:
            self._storage.accept(writing.result())
            self.restart = False
        kept, pages = 0, self._storage.info.pages if self._storage.info else 0
        while self.arrived and self.arrived[0].page.number <= pages:
            self.last = self.arrived.popleft()
            kept += 1
        return kept

    async def _take_late(self) -> None:
        """Waits for the last write of the pipeline before, and takes its result."""
        if self._late is None:
            return
        await asyncio.wait({self._late})
        late, self._late = self._late, None
        if not self.over and not late.cancelled() and late.exception() is None:
            self._storage.accept(late.result())

    async def _drain(self) -> None:
        """After a Stop: stores the pages that had arrived, as far as `STOP_SECONDS` allows."""
        with contextlib.suppress(Exception):  # an error here comes again with the next run
            async with asyncio.timeout(STOP_SECONDS):
                while self._writing is not None or self.arrived:
                    if not await self._keep():
                        return
