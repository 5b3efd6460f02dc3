"""The other end of explorer/store/page_writer.py: pages go to a process of its own, which packs and writes them.

Asking (1.3 ms a page of 140 kB) and keeping (1.5 ms) both hold Python's lock; in two processes they go on side by side.
With a thread in place of the process a pull goes at 0.6 to 0.9 of the bare loop, and at 1.0 or better with it.
Whoever is asked while it is not ready, or gone, keeps the pages in a thread as ever: it only makes a long pull faster.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from explorer.api.errors import ExplorerError
from explorer.session.worker_process import Ended, WorkerProcess
from explorer.store import PullInfo, StoreFault
from explorer.store.page_writer import Opening
from explorer.store.store import PageWrite

END_SECONDS = 0.1


class PageWriterEnded(StoreFault):
    """The process went away over these pages. What it had kept of them shows in the store."""


class PageWriterProcess:
    """One process that keeps pages of one pull. Belongs to one event loop."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._process = WorkerProcess("keep", self._answer)
        self._greeted = False
        self._waiting: asyncio.Future[PullInfo] | None = None
        self.given = 0
        """Pages that it was given."""

    @property
    def ready(self) -> bool:
        """Whether pages may be given to it now."""
        return self._greeted and self._process.running and self._waiting is None

    @property
    def pid(self) -> int:
        """The number of its process; 0 before it runs."""
        return self._process.pid

    async def work(self) -> None:
        """Starts it and stays until it is gone; what it was doing then fails. Cancelled, it ends it."""
        try:
            await self._process.start(self._opening)
            await self._process.ended()
        except OSError:
            return
        finally:
            await self._process.close(END_SECONDS)
            self._lost()

    def keep(self, pull_id: int, pages: Sequence[PageWrite]) -> asyncio.Future[PullInfo]:
        """Starts keeping these pages. Fails with StoreFault, PageWriterEnded where it is not known what was kept."""
        waiting = self._waiting = asyncio.get_running_loop().create_future()
        self.given += len(pages)
        try:
            # It waits for a message just now, so that this takes as long as copying.
            self._process.send((pull_id, pages))
        except Ended:
            self._lost()
        return waiting

    def _answer(self, answer: PullInfo | ExplorerError | None) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            self._greeted = answer is None
        elif waiting.done():
            return
        elif isinstance(answer, PullInfo):
            waiting.set_result(answer)
        else:
            waiting.set_exception(
                answer or PageWriterEnded("The process that saves the pages did not answer.")
            )

    def _lost(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(PageWriterEnded("The process that saves the pages ended too early."))
            # Whoever waited may have been stopped meanwhile.
            with contextlib.suppress(StoreFault):
                waiting.exception()
