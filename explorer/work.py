"""The only way off the event loop: threads for what computes, reads, writes or waits for somebody.

`in_thread` is for what may be left behind when whoever waits for it goes, `to_end` for what has to come to its end, and
`StoreThreads` for a store: one thread that writes, in order, and two that read. All of them are awaited, so that they
are cancelled with the task that waits, and in the window a task ends with its widget (`explorer.ui.kit.tasks`).
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import Any, ParamSpec, TypeVar

from explorer.jsontext.pieces import AT_ONCE

P = ParamSpec("P")
T = TypeVar("T")
READERS = 2
_KEPT_FREE = 256 * 1024
"""Bytes at the end of a heap that `trim_heap` leaves for the next time."""


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What ``call`` returns, from a thread of its own. Cancelled, the thread is left behind, unheard.

    It does not keep the program alive: a locked password store blocks its caller for as long as nobody answers it.
    """
    return await _started(call, *args, **kwargs)


async def to_end(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The same for what writes, or must not be heard of in the middle: cancelled, it is waited for first."""
    future = _started(call, *args, **kwargs)
    future.add_done_callback(_seen)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise


async def by_size(size: int, call: Callable[..., T], *args: Any, at_once: int = AT_ONCE) -> T:
    """What ``call`` returns of ``size`` bytes: at once where they are few, else from a thread."""
    return call(*args) if size <= at_once else await in_thread(call, *args)


def _started(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
    loop, context = asyncio.get_running_loop(), copy_context()
    future: asyncio.Future[T] = loop.create_future()

    def give(set_it: Callable[[Any], None], what: Any) -> None:
        if not future.done():
            set_it(what)

    def work() -> None:
        told: tuple[Callable[[Any], None], Any]
        try:
            told = future.set_result, context.run(call, *args, **kwargs)
        except BaseException as error:  # noqa: BLE001 - it goes to whoever waits
            told = future.set_exception, error
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile: nobody waits any more
            loop.call_soon_threadsafe(give, *told)

    threading.Thread(target=work, daemon=True, name=f"work:{getattr(call, '__name__', 'call')}").start()
    return future


class StoreThreads:
    """Of one store: a thread that writes one thing after another, and two that read. Belongs to the running loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")
        self._closing = False

    def read(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Starts ``call`` beside what is written. Cancelled: it is not begun any more, or goes on, unheard."""
        return self._submitted(self._readers, call, *args, **kwargs)

    async def write(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Does ``call`` after what was to be written before. Cancelled: it is done all the same, unheard."""
        return await asyncio.shield(self.submit(call, *args, **kwargs))

    def submit(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Starts a `write`. Its future may be left alone: it is done all the same."""
        future = self._submitted(self._writer, call, *args, **kwargs)
        # Whoever stops waiting has said so to the user; an unseen failure comes back with the next write.
        future.add_done_callback(_seen)
        return future

    def soon(self, call: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Does ``call`` on the loop, after what is being done there now."""
        self._loop.call_soon(lambda: call(*args, **kwargs))

    def reap(self, bite: Callable[[], bool]) -> None:
        """Writes ``bite`` again and again while it returns True, each time behind what else is waiting.

        Then gives memory back. A bite that fails is the last one.
        """

        def one() -> None:
            if self._closing:
                return
            if bite():
                self._writer.submit(one)
            else:
                trim_heap()  # what went had been in memory: a reload after another leaves gaps of a page's size

        with contextlib.suppress(RuntimeError):  # it is closed
            self._writer.submit(one)

    async def close(self, last: Callable[[], None]) -> None:
        """Waits for what is being written, does ``last``, and ends the threads."""
        self._closing = True
        try:
            await self.write(last)
        finally:
            self._writer.shutdown(wait=False)
            self._readers.shutdown(wait=False, cancel_futures=True)

    def _submitted(
        self, pool: ThreadPoolExecutor, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Future[T]:
        return asyncio.wrap_future(pool.submit(call, *args, **kwargs), loop=self._loop)


def _seen(future: asyncio.Future[T]) -> None:
    if not future.cancelled():
        future.exception()


class EventLoopYield:
    """Called between small pieces of work, by one thread, which then rests while the loop is busy.

    Python runs one thread at a time. A thread that computes gives way to the loop only every five milliseconds, and the
    loop, which lets go at each call into the system or Qt, has to wait as long each time: a repaint of 20 ms took up to
    240 (measured). So the thread asks the loop for a sign of life every now and then, and while none comes it rests.
    What it does not do: make a long piece shorter.
    """

    EVERY = 0.002
    """Seconds between two questions to the loop."""
    LONGEST = 0.05
    """Seconds after which a small piece of work is done though the loop is busy still, so that it does end."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._answered = threading.Event()
        self._answered.set()
        self._asked = 0.0

    def __call__(self) -> None:
        """Returns at once, or when the loop has come round."""
        now = time.monotonic()
        if not self._answered.is_set():
            if now - self._asked > self.EVERY / 2:
                self._answered.wait(self.LONGEST)
        elif now - self._asked > self.EVERY:
            self._answered.clear()
            self._asked = now
            try:
                self._loop.call_soon_threadsafe(self._answered.set)
            except RuntimeError:  # the loop has ended: nobody is held up any more
                self._answered.set()
                self._asked = float("inf")


def trim_heap() -> None:
    """Gives freed memory back to the system, where it can be asked to (glibc keeps some 30 MB after a sort).

    Some milliseconds; in any thread.
    """
    with contextlib.suppress(OSError):
        trim = _trim()
        if trim is not None:
            trim(_KEPT_FREE)


@cache
def _trim() -> Callable[[int], object] | None:
    """The ``malloc_trim`` of glibc; None where the C library is another."""
    if not sys.platform.startswith("linux"):
        return None
    found: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
