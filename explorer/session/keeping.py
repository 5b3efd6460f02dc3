"""The other end of explorer/store/keeper.py: pages go to a process of its own, which packs and writes them.

Asking (1.3 ms a page of 140 kB) and keeping (1.5 ms) both hold Python's lock; in two processes they go on side by side.
Whoever is asked while it is not ready, or gone, keeps the pages in a thread as ever: it only makes a long pull faster.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

from explorer.session.apart import Apart, Ended
from explorer.store import PullInfo, Shape, StoreFault
from explorer.store.keeper import Batch, Laid, Opening, done_of, encode
from explorer.store.store import Keep

END_SECONDS = 0.1


class KeepingEnded(StoreFault):
    """The process went away over these pages. What it had kept of them shows in the store."""


class Keeping:
    """One process that keeps pages of one pull. Belongs to one event loop."""

    def __init__(self, path: Path, shape: Shape, listing: str = "", interface: str = "") -> None:
        """``listing``: the key of the list of that interface, against whose model its records are held."""
        self._path, self._shape, self._list = path, shape, (listing, interface)
        self._apart = Apart("keep", self._frame)
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

    def keep(self, pull_id: int, kept: Sequence[Keep]) -> asyncio.Future[PullInfo]:
        """Starts keeping these pages. Fails with StoreFault, KeepingEnded where it is not known what was kept."""
        waiting = self._waiting = asyncio.get_running_loop().create_future()
        try:
            # It waits for a message just now, so that this takes as long as copying.
            self._apart.send(encode(Batch(pull_id, [Laid.of(each) for each in kept])))
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
            waiting.set_exception(fault or KeepingEnded("The process that keeps the pages gave no answer."))

    def _lost(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and not waiting.done():
            waiting.set_exception(KeepingEnded("The process that keeps the pages ended before it was done."))
            # Whoever waited may have been stopped meanwhile.
            with contextlib.suppress(StoreFault):
                waiting.exception()
