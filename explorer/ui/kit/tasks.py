"""Owned asynchronous work: every task has a name and an owner, and ends with it. The only place that makes tasks.

A bare task has nobody who keeps it, cancels it, or hears of its failure (practice: a model deleted while a page was
awaited raised "C++ object gone"). Here it has all three.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from typing import Any, TypeVar, cast

import shiboken6
from PySide6.QtCore import QObject, Signal

from explorer.jsontext.pieces import AT_ONCE
from explorer.work import in_thread

Result = TypeVar("Result")


class Tasks(QObject):
    """The running work of ``owner``. What fails goes to ``report``, on the window's thread; stopping is no failure."""

    changed = Signal(str, bool)
    """Sent with a name and whether work of that name is running now."""

    def __init__(self, owner: QObject, report: Callable[[BaseException], None]) -> None:
        super().__init__(owner)
        self._report = report
        self._running: dict[str, asyncio.Task[Any]] = {}
        running = self._running
        # By the time `destroyed` is sent self is half gone: only the plain dict is touched.
        owner.destroyed.connect(lambda: _cancel_all(running))

    def start(
        self, name: str, work: Coroutine[Any, Any, Any], *, done: Callable[[Any], None] | None = None
    ) -> None:
        """Run ``work`` under ``name``; a run of that name that is still going on is cancelled first.

        ``done`` gets the result, unless the work failed, was stopped or was replaced. Raises RuntimeError when no
        event loop runs.
        """
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            work.close()
            raise
        self.cancel(name)
        task = loop.create_task(work, name=name)
        self._running[name] = task
        task.add_done_callback(lambda finished: self._finish(name, finished, done))
        self.changed.emit(name, True)

    def take(
        self, name: str, steps: Generator[None, None, Result], *, done: Callable[[Result], None], now: bool
    ) -> None:
        """Give ``done`` what ``steps`` comes to: ``now``, or of what is large a step each time the loop turns."""
        if not now:
            self.start(name, _in_turns(steps), done=done)
            return
        self.cancel(name)
        while True:
            try:
                next(steps)
            except StopIteration as over:
                done(over.value)
                return

    def give(
        self,
        name: str,
        size: int,
        call: Callable[..., Result],
        *arguments: Any,
        done: Callable[[Result], None],
    ) -> None:
        """Give ``done`` what ``call`` returns of ``size`` bytes: at once where they are few, else from a thread."""
        if size > AT_ONCE:
            self.start(name, in_thread(call, *arguments), done=done)
        else:
            self.cancel(name)
            done(call(*arguments))

    def cancel(self, name: str) -> None:
        """Cancels the work of that name, if there is any. It may take a moment to end, but no longer counts as busy."""
        task = self._running.pop(name, None)
        if task is not None:
            task.cancel()
            self.changed.emit(name, False)

    def cancel_all(self) -> None:
        """Cancels all work."""
        for name in list(self._running):
            self.cancel(name)

    def busy(self, name: str | None = None) -> bool:
        """Whether work of that name, or any work when no name is given, is running."""
        return bool(self._running) if name is None else name in self._running

    async def close(self) -> None:
        """Cancels all work and waits until it has ended."""
        tasks = list(self._running.values())
        self.cancel_all()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _finish(self, name: str, task: asyncio.Task[Any], done: Callable[[Any], None] | None) -> None:
        error = None if task.cancelled() else task.exception()
        if not shiboken6.isValid(self):
            return
        current = self._running.get(name) is task
        if current:
            del self._running[name]
            self.changed.emit(name, False)
        if error is not None:
            if current:
                self._report(error)
        elif current and done is not None and not task.cancelled():
            done(task.result())


async def _in_turns(steps: Generator[None, None, Result]) -> Result:
    while True:
        try:
            next(steps)
        except StopIteration as over:
            return cast(Result, over.value)
        await asyncio.sleep(0)


def _cancel_all(running: dict[str, asyncio.Task[Any]]) -> None:
    for task in running.values():
        if not task.get_loop().is_closed():
            task.cancel()
    running.clear()
