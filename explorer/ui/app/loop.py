"""The one loop of the window: asyncio's on Qt's, with Python's collector in the window's own thread."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable, Iterator
from contextvars import Context
from typing import Any

import qasync
from PySide6.QtCore import QObject, QTimer, QTimerEvent
from PySide6.QtWidgets import QApplication

_COLLECT_MS = 500


class Loop(qasync.QEventLoop):  # type: ignore[misc]
    """asyncio on Qt's loop, in which a call at a later time goes with all that it holds once it is called off.

    qasync keeps it until its time has come: for each answer that kept its deadline, a timer and a context for minutes.
    """

    def __init__(self, app: QApplication) -> None:
        self._timers = _Timers()
        super().__init__(app)

    def call_later(
        self, delay: float, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> asyncio.Handle:
        if delay <= 0:
            soon: asyncio.Handle = super().call_later(delay, callback, *args, context=context)
            return soon
        call = _LateCall(self.time() + delay, callback, args, self, context)
        call.timers, call.number = self._timers, self._timers.start(call, delay)
        return call

    def close(self) -> None:
        super().close()
        self._timers.end_all()


class _LateCall(asyncio.TimerHandle):
    """A call that is scheduled for later."""

    timers: _Timers
    number: int

    def cancel(self) -> None:
        super().cancel()
        self.timers.end(self.number)


class _Timers(QObject):
    """A Qt timer for each call that is still to come."""

    def __init__(self) -> None:
        super().__init__()
        self._calls: dict[int, asyncio.TimerHandle] = {}

    def start(self, call: asyncio.TimerHandle, seconds: float) -> int:
        number = self.startTimer(int(seconds * 1000))
        self._calls[number] = call
        return number

    def end(self, number: int) -> None:
        if self._calls.pop(number, None) is not None:
            self.killTimer(number)

    def end_all(self) -> None:
        for number in tuple(self._calls):
            self.end(number)

    def timerEvent(self, event: QTimerEvent) -> None:
        call = self._calls.get(event.timerId())
        self.end(event.timerId())
        if call is not None:
            call._run()


def run_with(app: QApplication, main: Callable[[], Any]) -> int:
    """Runs an async ``main`` on Qt's loop and returns its result."""
    # On 3.11 asyncio.run takes no loop_factory, the Runner does.
    with _collecting_here(), asyncio.Runner(loop_factory=lambda: Loop(app)) as runner:
        return int(runner.run(main()))


@contextlib.contextmanager
def _collecting_here() -> Iterator[None]:
    """Runs Python's garbage collector in the window's thread alone: a widget freed in another thread crashes Qt."""

    def collect() -> None:
        for generation in (2, 1, 0):
            if gc.get_count()[generation] > gc.get_threshold()[generation] > 0:
                gc.collect(generation)
                return

    was_on = gc.isenabled()
    gc.disable()
    timer = QTimer()
    timer.setInterval(_COLLECT_MS)
    timer.timeout.connect(collect)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        if was_on:
            gc.enable()
