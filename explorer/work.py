"""Running blocking work in threads; the only place where the program creates threads for that.

`in_thread` is for work that may be abandoned when its task is cancelled, `to_end` for work that must finish, and
`StoreThreads` for a store: one thread that writes in order, and two that read. All are awaited, so that they are
cancelled with the waiting task; in the window a task ends with its widget (`explorer.ui.kit.tasks`).

`LoopThread` is an event loop for callers that await nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from explorer.jsontext.pieces import AT_ONCE

P = ParamSpec("P")
T = TypeVar("T")
READERS = 2
_KEPT_FREE = 256 * 1024
"""Bytes at the end of the heap that `trim_heap` keeps for further allocations."""


async def in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs ``call`` in a thread of its own and returns its result. When cancelled, its result is ignored.

    It is a daemon thread, which does not keep the program alive: a locked password store blocks until the user answers.
    """
    return await _started(call, *args, **kwargs)


async def to_end(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """As `in_thread`, for work that must finish, such as writing: when cancelled, it waits for the end first."""
    future = _started(call, *args, **kwargs)
    future.add_done_callback(_seen)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        raise


async def cancellable(
    work: Callable[[Callable[[], bool]], T],
    *,
    drop: Callable[[T], None] = lambda _: None,
    start: Callable[[Callable[[], T]], Awaitable[T]] = in_thread,
) -> T:
    """The result of long ``work``, which runs in a thread and asks between its pieces whether it is still wanted.

    With each question it lets the event loop run. When cancelled, a result that comes too late goes to ``drop``.
    ``start`` has it run in another thread, such as `StoreThreads.read`.
    """
    off, courtesy, late = threading.Event(), EventLoopYield(asyncio.get_running_loop()), list[T]()

    def wanted() -> bool:
        courtesy()
        return not off.is_set()

    def give_up() -> None:
        # By whoever comes last: the thread, or the task that was cancelled when the thread had ended.
        with contextlib.suppress(IndexError):
            drop(late.pop())

    def run() -> T:
        made = work(wanted)
        late.append(made)
        if off.is_set():
            give_up()
        return made

    try:
        return await start(run)
    except asyncio.CancelledError:
        off.set()
        give_up()
        raise


async def by_size(size: int, call: Callable[..., T], *args: Any, at_once: int = AT_ONCE) -> T:
    """The result of ``call``, which handles ``size`` bytes: run at once up to ``at_once`` bytes, else in a thread."""
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
        except BaseException as error:  # noqa: BLE001 - the waiting task gets it
            told = future.set_exception, error
        with contextlib.suppress(RuntimeError):  # the loop was closed in the meantime: no task waits
            loop.call_soon_threadsafe(give, *told)

    try:
        thread = _IDLE.pop()
    except IndexError:
        thread = _Thread()
    thread.do(work)
    return future


class _Thread:
    """A daemon thread that does one thing after another, and ends when enough others have nothing to do.

    To start one takes longer than most of what is done in it: the loop waits until it runs, which under load is until
    another thread gives up the interpreter.
    """

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None]] = SimpleQueue()
        threading.Thread(target=self._run, daemon=True, name="work").start()

    def do(self, call: Callable[[], None]) -> None:
        """Does it; nothing else is given before that is over."""
        self._calls.put(call)

    def _run(self) -> None:
        while True:
            self._calls.get()()
            if len(_IDLE) >= _MOST_IDLE:
                return
            _IDLE.append(self)


_MOST_IDLE = 4
_IDLE: list[_Thread] = []
"""Threads that wait for something to do. Taking one and putting one back are each a single step of the interpreter."""


class StoreThreads:
    """The threads of one store: one that writes in order, and two that read. Use it on the loop that made it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="store-read")
        self._closing = False

    def read(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Starts ``call`` in a reading thread. When cancelled, it is not begun, or its result is ignored."""
        return self._submitted(self._readers, call, *args, **kwargs)

    async def write(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs ``call`` in the writing thread, after earlier writes. When cancelled, it is done all the same."""
        return await asyncio.shield(self.submit(call, *args, **kwargs))

    def submit(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> asyncio.Future[T]:
        """Starts a `write` and returns its future, which need not be awaited."""
        future = self._submitted(self._writer, call, *args, **kwargs)
        # A failure that no task awaits is not logged: it comes again with the next write.
        future.add_done_callback(_seen)
        return future

    def soon(self, call: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls ``call`` on the loop in its next turn."""
        self._loop.call_soon(lambda: call(*args, **kwargs))

    def reap(self, bite: Callable[[], bool]) -> None:
        """Runs ``bite`` in the writing thread until it returns False or raises, each time after waiting writes.

        Then it trims the heap.
        """

        def one() -> None:
            if self._closing:
                return
            if bite():
                self._writer.submit(one)
            else:
                trim_heap()  # reloads leave free blocks of a page's size

        with contextlib.suppress(RuntimeError):  # the thread pool was shut down
            self._writer.submit(one)

    async def close(self, last: Callable[[], None]) -> None:
        """Waits for pending writes, runs ``last`` in the writing thread, and ends the threads."""
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


class LoopThread:
    """An event loop in a thread of its own, for callers that are not asynchronous or have a loop (notebooks)."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="work:loop")
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs ``work`` on the loop and returns its result. It is cancelled when the wait is interrupted (Ctrl C)."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Ends the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def _seen(future: asyncio.Future[T]) -> None:
    if not future.cancelled():
        future.exception()


class EventLoopYield:
    """Lets the event loop run: a thread that computes calls this between small pieces of its work.

    Python runs one thread at a time. A computing thread releases the interpreter lock only every five milliseconds, and
    the loop's thread, which releases it with each call into the system or Qt, waits that long each time to get it back:
    a repaint of 20 ms took up to 240 ms (measured). So the thread regularly schedules a callback on the loop, and waits
    while the loop does not run it. This does not shorten a long piece of work.
    """

    EVERY = 0.002
    """Seconds between two callbacks on the loop."""
    LONGEST = 0.05
    """Seconds after which the work continues although the loop is still busy, so that it does finish."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._answered = threading.Event()
        self._answered.set()
        self._asked = 0.0

    def __call__(self) -> None:
        """Returns at once, or when the loop has run the callback, or after `LONGEST`."""
        now = time.monotonic()
        if not self._answered.is_set():
            if now - self._asked > self.EVERY / 2:
                self._answered.wait(self.LONGEST)
        elif now - self._asked > self.EVERY:
            self._answered.clear()
            self._asked = now
            try:
                self._loop.call_soon_threadsafe(self._answered.set)
            except RuntimeError:  # the loop was closed: there is nothing to wait for
                self._answered.set()
                self._asked = float("inf")


def trim_heap() -> None:
    """Returns freed memory to the system where the C library can do that (glibc keeps some 30 MB after a sort).

    Takes some milliseconds; may be called in any thread.
    """
    with contextlib.suppress(OSError):
        trim = _trim()
        if trim is not None:
            trim(_KEPT_FREE)


@cache
def _trim() -> Callable[[int], object] | None:
    """Glibc's ``malloc_trim``; None with another C library."""
    if not sys.platform.startswith("linux"):
        return None
    found: Callable[[int], object] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found
