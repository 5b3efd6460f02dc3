"""The other end of explorer/store/page_writer.py: pages go to a process of its own, which packs and writes them.

Asking (1.3 ms a page of 140 kB) and keeping (1.5 ms) both hold Python's lock; in two processes they go on side by side.
Whoever is asked while it is not ready, or gone, keeps the pages in a thread as ever: it only makes a long pull faster.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

from explorer.session.worker_process import Ended, WorkerProcess
from explorer.store import IndexedColumns, PullInfo, StoreFault
from explorer.store.page_writer import Batch, Opening, PageMessage, done_of, encode
from explorer.store.store import PageWrite

END_SECONDS = 0.1


class PageWriterEnded(StoreFault):
    """The process went away over these pages. What it had kept of them shows in the store."""


class PageWriterProcess:
    """One process that keeps pages of one pull. Belongs to one event loop."""

    def __init__(self, path: Path, shape: IndexedColumns, listing: str = "", interface: str = "") -> None:
        """``listing``: the key of the list of that interface, against whose model its records are held."""
        self._path, self._shape, self._list = path, shape, (listing, interface)
        self._apart = WorkerProcess("keep", self._frame)
        self._greeted = False
        self._waiting: asyncio.Future[PullInfo] | None = None

    @property
    def ready(self) -> bool:
        """Whether pages may be given to it now."""
        return self._greeted and self._apart.running and self._waiting is None

    @property
    def pid(self) -> int:
        """The number of its process; 0 before it runs."""
        return self._apart.pid

    async def work(self) -> None:
        """Starts it and stays until it is gone; what it was doing then fails. Cancelled, it ends it."""
        try:
            await self._apart.start()
            fields = [(field.name, field.summary, field.kind) for field in self._shape.fields]
            self._apart.send(encode(Opening(str(self._path), fields, *self._list)))
            await self._apart.ended()
        except (OSError, Ended):
            return
        finally:
            await self._apart.close(END_SECONDS)
            self._lost()

    def keep(self, pull_id: int, kept: Sequence[PageWrite]) -> asyncio.Future[PullInfo]:
        """Starts keeping these pages. Fails with StoreFault, KeepingEnded where it is not known what was kept."""
        waiting = self._waiting = asyncio.get_running_loop().create_future()
        try:
            # It waits for a message just now, so that this takes as long as copying.
            self._apart.send(encode(Batch(pull_id, [PageMessage.of(each) for each in kept])))
        except Ended:
            self._lost()
        return waiting

    def _frame(self, data: bytes) -> None:
        waiting, self._waiting = self._waiting, None
        done = done_of(data)
        fault, info = done.fault(), done.info()
        if waiting is None:
            self._greeted = fault is None
        elif waiting.done():
            return
        elif info is not None:
            waiting.set_result(info)
        else:
            waiting.set_exception(
                fault or PageWriterEnded("The process that saves the pages did not answer.")
            )

    def _lost(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(PageWriterEnded("The process that saves the pages ended too early."))
            # Whoever waited may have been stopped meanwhile.
            with contextlib.suppress(StoreFault):
                waiting.exception()
