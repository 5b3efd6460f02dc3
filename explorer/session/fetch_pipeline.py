"""One walk over a list: the next page is asked for while those that came are being kept, in order, a few at most.

The walk takes the cursor out of a page as soon as it is there (0.2 ms for 140 kB), so the service is never waited for
while a page is packed and written in the store's thread (1.5 ms). Nothing is counted before it is kept: a page
that comes counts with its cursor, in one transaction, and a failure further on leaves all that came before it.
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
from explorer.store import PullInfo, PullState
from explorer.store.store import PageWrite

AHEAD = 6
"""Pages that may have come and not be kept yet."""
ALONE = 8
"""Pages of one run after which a process is started to keep the rest: a short pull ends before it would be ready."""
STOP_SECONDS = 0.15
"""A Stop that meets a write waits for it this long; a slower one ends by itself and is taken up by the next call."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A page that has come, and how the walk stood after it."""

    page: Page
    state: PullState
    why: WalkStopped | None

    @property
    def write(self) -> PageWrite:
        """What the store is given."""
        return PageWrite(self.page, self.state, self.why.sentence if self.why else "")


class FetchPipeline:
    """One walk and what came of it. A restart or reload of the pull begins another: this one is `over` then, and
    whatever comes late for it is dropped.
    """

    def __init__(
        self,
        storage: PullStorage,
        walk: Callable[[bool], Awaitable[PageWalk]],
        *,
        restart: bool = False,
        before: FetchPipeline | None = None,
    ) -> None:
        """``walk`` makes the walk when it is wanted, told whether it begins anew. ``before``: the one before it, whose
        last write may still be under way.
        """
        self.restart = restart
        """The first page that comes begins a new pull."""
        self.over = False
        self.walk: PageWalk | None = None
        self.arrived: deque[Arrived] = deque()
        """Pages that came and are not kept yet. They outlive a Stop or a full disk: none is asked for twice."""
        self.last: Arrived | None = None
        """The page that was kept last; None where the state is none of this walk's."""
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
        """Whether the page that was kept last is one that none follows by itself, and nothing is left to keep."""
        left = self._writing is not None or self.arrived
        return not left and self.last is not None and self.last.state != "ready"

    async def run(self, most: int | None, kept: Callable[[], bool]) -> None:
        """Keeps what an earlier run left, then page after page: until the walk ends, ``most`` pages with rows came,
        something fails, or ``kept``, called after each write, is False; then all that came is kept.

        Raises what failed. Cancelled, it keeps what has come as far as `STOP_SECONDS` allow.
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
        """Asks for nothing more; what comes late is dropped."""
        self.over, self._storage.writer = True, None
        if self._asking is not None:
            self._asking.cancel()

    # ------------------------------------------------------------------ asking

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
                # The walk has moved: a Stop that comes just now must not lose the page.
                state: PullState = "ready" if walk.state in ("ready", "loading") else walk.state
                self.arrived.append(Arrived(page, state, walk.why))
                self._moved.set()
                if most is not None and page.records:
                    most -= 1
        except Exception as error:  # noqa: BLE001 - told once the pages before it are kept
            return error
        return None

    async def _any_arrived(self, asking: asyncio.Task[Exception | None]) -> bool:
        """Waits for a page to keep; False when none comes any more."""
        while not self.arrived and not asking.done():
            self._moved.clear()
            await self._moved.wait()
        return bool(self.arrived)

    # ------------------------------------------------------------------ keeping

    @property
    def _rows(self) -> int:
        return self._storage.info.rows if self._storage.info else 0

    async def _keep(self) -> int:
        """Keeps the first pages that arrived, or waits for them to be kept, and returns how many those are.

        0 when this is over. Raises StoreFault; the next run tries again.
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
                # The page may be in the file by now: what is shown must say so.
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.wait({writing}, timeout=STOP_SECONDS)
                if writing.done():
                    self._take(writing)
                raise
            except PageWriterEnded:
                pass  # what it kept of them is found in the store, and the rest is kept in a thread
            except Exception:
                self._take(writing)
                if not self.over:
                    raise
            if kept := self._take(writing):
                return kept
        return 0

    def _take(self, writing: asyncio.Future[PullInfo]) -> int:
        """What was written becomes what is shown; how many pages that is."""
        if self.over or self._writing is not writing:
            return 0
        self._writing = None
        fault = None if writing.cancelled() else writing.exception()
        if isinstance(fault, PageWriterEnded):
            self._storage.without_writer()
        elif fault is not None or writing.cancelled():
            return 0
        else:
            self._storage.take(writing.result())
            self.restart = False
        kept, pages = 0, self._storage.info.pages if self._storage.info else 0
        while self.arrived and self.arrived[0].page.number <= pages:
            self.last = self.arrived.popleft()
            kept += 1
        return kept

    async def _take_late(self) -> None:
        """Waits for a page of the pipeline before that was still being written."""
        if self._late is None:
            return
        await asyncio.wait({self._late})
        late, self._late = self._late, None
        if not self.over and not late.cancelled() and late.exception() is None:
            self._storage.take(late.result())

    async def _drain(self) -> None:
        """Keeps what had come when Stop was pressed, as far as there is time for it."""
        with contextlib.suppress(Exception):  # what fails here fails again with the next run
            async with asyncio.timeout(STOP_SECONDS):
                while self._writing is not None or self.arrived:
                    if not await self._keep():
                        return
