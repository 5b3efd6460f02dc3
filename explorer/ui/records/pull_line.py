"""The thin line beside the count: full when complete, open-ended while more is to come, moving while it loads."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from explorer.session import PullPhase
from explorer.ui.kit.theme import colors, theme

_HEIGHT = 4
_STEP_MS = 90


class PullLine(QWidget):
    """Shows the state of a pull, not a share of it: the total is not known. The words beside it say the same."""

    def __init__(self) -> None:
        super().__init__()
        self._state = PullPhase.READY
        self._any = False
        self._at = 0
        self.setFixedHeight(_HEIGHT)
        self.setMinimumWidth(60)
        self.setAccessibleName("Progress")
        self._pace = QTimer(self, interval=_STEP_MS)
        self._pace.timeout.connect(self._step)
        theme().changed.connect(self.update)

    def show_state(self, state: PullPhase, any_rows: bool) -> None:
        """Show a pull's state; ``any_rows`` is whether it has any yet."""
        self._state, self._any = state, any_rows
        if state == "loading" and not self._pace.isActive():
            self._pace.start()
        elif state != "loading":
            self._pace.stop()
        self.update()

    def _step(self) -> None:
        self._at = (self._at + 1) % 40
        if self.isVisible():
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        tokens = colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        whole = QRectF(self.rect())
        painter.setBrush(tokens.color("line"))
        painter.drawRoundedRect(whole, 2, 2)
        if self._state == "loading":
            width = whole.width() * 0.3
            left = (whole.width() + width) * self._at / 39 - width
            painter.setBrush(tokens.color("accent"))
            painter.drawRoundedRect(QRectF(left, 0, width, _HEIGHT), 2, 2)
        elif self._state == "complete":
            painter.setBrush(tokens.color("accent"))
            painter.drawRoundedRect(whole, 2, 2)
        elif self._any:
            token = (
                "fails" if self._state == "failed" else "caution" if self._state == "stopped" else "accent"
            )
            fade = QLinearGradient(0, 0, whole.width(), 0)
            solid = tokens.color(token)
            clear = tokens.color(token)
            clear.setAlpha(0)
            fade.setColorAt(0, solid)
            fade.setColorAt(0.6, solid)
            fade.setColorAt(0.62 if self._state != "ready" else 0.95, clear)
            painter.setBrush(fade)
            painter.drawRoundedRect(whole, 2, 2)
        painter.end()
