"""What carries a long pull: the next page is asked for while those that came are being kept, in order, a few at most.

The walk takes the cursor out of a page as soon as it is there (0.2 ms for 140 kB), so the service is never waited for
while a page is packed and written in the store's thread (1.5 ms). Nothing is counted before it is kept: a page
that comes counts with its cursor, in one transaction, and a failure further on leaves all that came before it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from explorer.api.errors import ExplorerError
from explorer.api.pages import Page, PageWalk

AHEAD = 6
"""Pages that may have come and not be kept yet."""
ALONE = 8
"""Pages of one run after which a process is started to keep the rest: a short pull ends before it would be ready."""


class FetchPipeline:
    """One run over the pages of a walk. Two hands: one asks, the other keeps what came."""

    def __init__(
        self, walk: PageWalk, came: Callable[[Page], None], keep: Callable[[], Awaitable[int]]
    ) -> None:
        """``came`` is given each page in order; ``keep`` keeps the first that are left and says how many, 0 to end."""
        self._walk, self._came, self._keep = walk, came, keep
        self._room = asyncio.Semaphore(AHEAD)
        self._waiting = 0
        self._wake = asyncio.Event()
        self._asking: asyncio.Task[Exception | None] | None = None
        self._beside: asyncio.Task[None] | None = None
        self._group = asyncio.TaskGroup()

    async def run(self, most: int | None) -> None:
        """Until the walk ends, ``most`` pages with rows have come, or something fails; then all that came is kept.

        Raises what failed: the error of a page, or what ``keep`` raises. Cancelled, it may leave pages that came.
        """
        fault: Exception | None = None
        async with self._group:
            self._asking = self._group.create_task(self._ask(most))
            self._asking.add_done_callback(lambda _: self._wake.set())
            try:
                await self._keep_all()
            except Exception as error:  # noqa: BLE001 - raised below, outside of the group, which would wrap it
                fault = error
            self.cancel()
            if self._beside is not None:
                self._beside.cancel()
        if fault is None and not self._asking.cancelled():
            fault = self._asking.result()
        if fault is not None:
            raise fault

    def beside(self, work: Coroutine[Any, Any, None]) -> None:
        """Does ``work`` while this runs, and calls it off then."""
        self._beside = self._group.create_task(work)

    def cancel(self) -> None:
        """Asks for nothing more."""
        if self._asking is not None:
            self._asking.cancel()

    async def _ask(self, most: int | None) -> Exception | None:
        try:
            while self._walk.state == "ready" and most != 0:
                await self._room.acquire()
                page = await self._walk.advance()
                self._came(page)
                self._waiting += 1
                self._wake.set()
                if most is not None and page.records:
                    most -= 1
        except Exception as error:  # noqa: BLE001 - told once the pages before it are kept
            return error
        return None

    async def _keep_all(self) -> None:
        while True:
            if not self._waiting:
                if self._asking is None or self._asking.done():
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            kept = await self._keep()
            if not kept:
                return
            self._waiting -= kept
            for _ in range(kept):
                self._room.release()


async def drained(keep: Callable[[], Awaitable[bool]], seconds: float) -> None:
    """Keeps what is left, as long as ``seconds`` allow: after a Stop."""
    try:
        async with asyncio.timeout(seconds):
            while await keep():
                pass
    except (TimeoutError, ExplorerError):
        return
