"""The session's one worker thread: whatever packs, unpacks or writes runs there, in order, off the event loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from explorer.api.errors import ExplorerError
from explorer.session.heap import trim_heap

P = ParamSpec("P")
T = TypeVar("T")


class Worker:
    """A thread that does one thing after another. Belongs to the event loop that made it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._closing = False

    def submit(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Starts ``work`` in the thread. Its future may be left alone: the work is done all the same."""
        future = asyncio.wrap_future(self._pool.submit(work, *args, **kwargs), loop=self._loop)
        # Whoever stops waiting has said so to the user; an unseen failure comes back with the next write.
        future.add_done_callback(_seen)
        return future

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does ``work`` in the thread and returns what it returns. Cancelled: it goes on, unheard."""
        return await asyncio.shield(self.submit(work, *args, **kwargs))

    def soon(self, work: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Does ``work`` on the loop, after what is being done there now."""
        self._loop.call_soon(lambda: work(*args, **kwargs))

    def reap(self, bite: Callable[[], bool]) -> None:
        """Does ``bite`` again and again while it returns True, each time behind what else is waiting.

        Then gives memory back.
        """

        def one() -> None:
            with contextlib.suppress(ExplorerError, RuntimeError):
                if self._closing:
                    return
                if bite():
                    self._pool.submit(one)
                else:
                    trim_heap()  # what went had been in memory: a reload after another leaves gaps of a page's size

        with contextlib.suppress(RuntimeError):
            self._pool.submit(one)

    async def close(self, last: Callable[[], None]) -> None:
        """Waits for what is under way, does ``last``, and ends the thread."""
        self._closing = True
        try:
            await self.run(last)
        finally:
            self._pool.shutdown(wait=False)


def _seen(future: asyncio.Future[T]) -> None:
    if not future.cancelled():
        future.exception()
