"""The page writer process (store/page_writer.py), seen from the session: pages are sent to it to be packed and written.

Fetching a page of 140 kB (1.3 ms) and storing it (1.5 ms) both hold Python's global lock, so that only a second process
lets them overlap: a long pull then runs at 1.0 of the speed of a bare fetch loop or better, with a thread at 0.6 to
0.9. While the process is not ready, or after it ended, pages are written in a thread: it is needed for speed only.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from explorer.api.errors import ExplorerError
from explorer.session.worker_process import Ended, WorkerProcess
from explorer.store.page_writer import Opening
from explorer.store.store import PageWrite
from explorer.store.values import PullInfo, StoreFault

END_SECONDS = 0.1


class PageWriterEnded(StoreFault):
    """The process ended while it was writing. The store shows which of the pages it has written."""


class PageWriterProcess:
    """One process that writes the pages of one pull. Use it on one event loop."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._process = WorkerProcess("keep", self._answer)
        self._greeted = False
        self._waiting: asyncio.Future[PullInfo] | None = None
        self.given = 0
        """Pages that were sent to it so far."""

    @property
    def ready(self) -> bool:
        """Whether pages may be sent to it now: it has started and is not writing."""
        return self._greeted and self._process.running and self._waiting is None

    @property
    def pid(self) -> int:
        """The process id; 0 before it runs."""
        return self._process.pid

    async def work(self) -> None:
        """Starts the process and waits until it ends; a write under way then fails. Cancelled, it ends the process."""
        try:
            await self._process.start(self._opening)
            await self._process.ended()
        except OSError:
            return
        finally:
            await self._process.close(END_SECONDS)
            self._lost()

    def keep(self, pull_id: int, pages: Sequence[PageWrite]) -> asyncio.Future[PullInfo]:
        """Starts writing these pages. The future fails with StoreFault, or with PageWriterEnded when the process ended
        and only the store shows what was written.
        """
        waiting = self._waiting = asyncio.get_running_loop().create_future()
        self.given += len(pages)
        try:
            # The process is waiting for a message, so that sending takes no longer than copying.
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
            # The waiting task may have been cancelled: mark the exception as retrieved.
            with contextlib.suppress(StoreFault):
                waiting.exception()
