"""The one loop of the window: asyncio's on Qt's, with Python's collector in the window's own thread."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

import qasync
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

_COLLECT_MS = 500


def run_with(app: QApplication, main: Callable[[], Any]) -> int:
    """Run an async ``main`` on Qt's loop and return what it returns."""
    # On 3.11 asyncio.run takes no loop_factory, the Runner does.
    with _collecting_here(), asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        return int(runner.run(main()))


@contextlib.contextmanager
def _collecting_here() -> Iterator[None]:
    """Let Python look for cycles in the window's thread alone: a widget freed by a worker's turn would crash Qt."""

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
