"""Owned asynchronous work: every task has a name and an owner, and ends with it. The only place that makes tasks.

A bare task has nobody who keeps it, cancels it, or hears of its failure (practice: a model deleted while a page was
awaited raised "C++ object gone"). Here it has all three.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Generator, Mapping
from typing import Any, TypeVar, cast

import shiboken6
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.jsontext.pieces import AT_ONCE
from explorer.work import in_thread

Result = TypeVar("Result")
_PACE_MS = 500
"""Milliseconds between two words about how long late work has been running."""


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


class LateTasks(QObject):
    """Tells which of an owner's tasks have been running for some time, and for how long."""

    changed = Signal()
    """A task became late or ended; also emitted regularly while there are late tasks, to update their time."""

    def __init__(
        self, tasks: Tasks, patience: Mapping[str, int], still: Callable[[str], bool], parent: QObject
    ) -> None:
        """``patience`` gives milliseconds by a task's name; ``still`` says whether a task's work is still running."""
        super().__init__(parent)
        self._still = still
        self._since: dict[str, float] = {}
        self._late = set[str]()
        self._timers = {name: QTimer(self, singleShot=True, interval=ms) for name, ms in patience.items()}
        for name, timer in self._timers.items():
            timer.timeout.connect(lambda name=name: self._grew_late(name))
        self._pace = QTimer(self, interval=_PACE_MS)
        self._pace.timeout.connect(self._look)
        tasks.changed.connect(self._task_changed)

    def late(self, name: str) -> bool:
        """Whether the task has been running for long enough to be shown."""
        return name in self._late and self._still(name)

    def seconds(self, name: str) -> float:
        """For how many seconds the task has been running."""
        return time.monotonic() - self._since.get(name, 0.0)

    def release(self) -> None:
        """Stop watching."""
        for timer in (self._pace, *self._timers.values()):
            timer.stop()

    def _task_changed(self, name: str, busy: bool) -> None:
        timer = self._timers.get(name)
        if timer is not None and busy:
            self._late.discard(name)
            self._since[name] = time.monotonic()
            timer.start()
        elif timer is not None and not timer.isActive():
            self._look()

    def _grew_late(self, name: str) -> None:
        if self._still(name):
            self._late.add(name)
            self._pace.start()
            self.changed.emit()

    def _look(self) -> None:
        self._late = {name for name in self._late if self._still(name)}
        if not self._late:
            self._pace.stop()
        self.changed.emit()


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
