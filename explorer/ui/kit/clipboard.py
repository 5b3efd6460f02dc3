"""Large text on the clipboard: made a bounded piece a turn of the loop, and handed over as bytes.

Qt's own `setText` turns the whole into its own characters at once: 32 MB of signs beyond the first plane took 260 ms.
As bytes they are copied in 8 ms, and turned into text when somebody pastes them.
"""

from __future__ import annotations

import atexit
from collections.abc import Callable, Generator
from functools import cache

from PySide6.QtCore import QMimeData, QObject, QTimer
from PySide6.QtGui import QGuiApplication


def put_text(octets: bytes) -> None:
    """Put a text on the clipboard; ``octets`` are UTF-8 (`visible.encodable_octets`)."""
    _cleared_at_the_end()
    data = QMimeData()
    data.setData("text/plain;charset=utf-8", octets)
    data.setData("text/plain", octets)
    QGuiApplication.clipboard().setMimeData(data)


class Copying(QObject):
    """Puts the result of ``steps`` on the clipboard, one step a turn of the loop. The newest request counts."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Generator[None, None, bytes] | None = None
        self._done: Callable[[], None] | None = None
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)

    @property
    def going(self) -> bool:
        """Whether a text is still being made for the clipboard."""
        return self._pace.isActive()

    def start(self, steps: Generator[None, None, bytes], done: Callable[[], None] | None = None) -> None:
        """Starts. What takes a single step is on the clipboard when this returns."""
        self._steps, self._done = steps, done
        self._pace.start()
        self._go_on()

    def _go_on(self) -> None:
        try:
            if self._steps is not None:
                next(self._steps)
        except StopIteration as over:
            self._pace.stop()
            self._steps = None
            put_text(over.value)
            if self._done is not None:
                self._done()


@cache
def _cleared_at_the_end() -> None:
    """Without a window system Qt drops what is on its clipboard after Python has ended, which ends in a crash."""
    if QGuiApplication.platformName() in ("offscreen", "minimal"):
        atexit.register(_clear)


def _clear() -> None:
    if QGuiApplication.instance() is not None:
        QGuiApplication.clipboard().clear()
