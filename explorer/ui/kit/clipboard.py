"""The one way to the clipboard. What is copied is said; a large text is made a bounded piece a turn of the loop.

A text is handed over as bytes. Qt's own `setText` turns the whole into its own characters at once: 32 MB of signs
beyond the first plane took 260 ms. As bytes they are copied in 8 ms, and turned into text when somebody pastes them.
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable, Generator
from functools import cache

from PySide6.QtCore import QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QGuiApplication

from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.visible import encodable

CURL = "cURL command"
_VARIABLE = re.compile(r"(?<!\w)UNIFIED_EXPLORER_[A-Z0-9_]+")
_LINGER_MS = 6000
"""For how long it is said what was copied."""


class Copies(QObject):
    """Says what was copied, so that the window can show it."""

    copied = Signal(str)
    """What it was, in a few words that have nothing of the text itself: ``cURL command``."""


@cache
def copies() -> Copies:
    """The one that there is, as there is one clipboard."""
    return Copies()


class CopiedLabel(PlainLabel):
    """Says what was copied, to screen readers too; for every window in which something can be copied."""

    def __init__(self) -> None:
        super().__init__()
        self.timer = QTimer(self, singleShot=True, interval=_LINGER_MS)
        self.timer.timeout.connect(lambda: self.setText(""))
        copies().copied.connect(self._say)

    def _say(self, what: str) -> None:
        self.setText(f"Copied: {what}")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.whole()))
        self.timer.start()


def copy_text(text: str, what: str) -> None:
    """Put ``text`` on the clipboard and say that it is ``what``."""
    put_text(encodable(text).encode(), what)


def copy_curl(text: str, what: str = CURL) -> None:
    """Put a cURL command on the clipboard; it is said which variables of it have to be set, as else it sends no key."""
    copy_text(text, f"{what}{variables_words(text)}")


def variables_words(text: str) -> str:
    """``; set UNIFIED_EXPLORER_APIKEY before you run it``; empty where a command has no variable."""
    names = " and ".join(dict.fromkeys(_VARIABLE.findall(text)))
    return f"; set {names} before you run it" if names else ""


def put_text(octets: bytes, what: str) -> None:
    """Put a text on the clipboard and say that it is ``what``; ``octets`` are UTF-8 (`visible.encodable_octets`)."""
    _cleared_at_the_end()
    data = QMimeData()
    data.setData("text/plain;charset=utf-8", octets)
    data.setData("text/plain", octets)
    QGuiApplication.clipboard().setMimeData(data)
    copies().copied.emit(what)


class Copying(QObject):
    """Puts the result of ``steps`` on the clipboard, one step a turn of the loop. The newest request counts."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Generator[None, None, bytes] | None = None
        self._what = ""
        self._done: Callable[[], None] | None = None
        self._pace = QTimer(self, interval=0)
        self._pace.timeout.connect(self._go_on)

    @property
    def going(self) -> bool:
        """Whether a text is still being made for the clipboard."""
        return self._pace.isActive()

    def start(
        self, steps: Generator[None, None, bytes], what: str, done: Callable[[], None] | None = None
    ) -> None:
        """Starts; ``what`` is said at the end. What takes a single step is on the clipboard when this returns."""
        self._steps, self._what, self._done = steps, what, done
        self._pace.start()
        self._go_on()

    def _go_on(self) -> None:
        try:
            if self._steps is not None:
                next(self._steps)
        except StopIteration as over:
            self._pace.stop()
            self._steps = None
            put_text(over.value, self._what)
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
