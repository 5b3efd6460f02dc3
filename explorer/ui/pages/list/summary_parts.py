"""The drawn parts of a column's summary: a commonest value with its bar, and the histogram."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QToolTip, QWidget

from explorer import words
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.theme import colors, small, tabular, theme
from explorer.ui.pages.list import summary_words

if TYPE_CHECKING:
    from explorer.session import Summary, Valued

_LINE = 24
_TALL, _FOOT = 72, 18
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ValueRow(QAbstractButton):
    """One of the commonest values: its text, how many rows hold it, and that share as a bar. Pressing it filters."""

    def __init__(self, value: Valued, present: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.value = value
        self._part = value.rows / present if present else 0.0
        self._said = summary_words.short(value.text)
        self._count = words.count(value.rows)
        self._share = summary_words.share(value.rows, present)
        self.setText(self._said.replace("&", "&&"))
        self.setAccessibleName(
            f"{self._said}: {words.count(value.rows, 'row')}, {self._share}. Press to filter by it"
        )
        self.setToolTip(tooltip(f"{value.text}\nPress to show only the rows that hold it"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(240, _LINE)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens, rect = QPainter(self), colors(), self.rect()
        if self.underMouse() or self.isDown():
            painter.fillRect(rect, tokens.color("hover"))
        wide = max(int((rect.width() - 8) * self._part), 2)
        painter.fillRect(QRect(4, rect.bottom() - 3, wide, 3), tokens.color("accent"))
        figures = tabular(small())
        painter.setFont(figures)
        painter.setPen(tokens.color("muted_strong"))
        metrics = QFontMetrics(figures)
        inner = rect.adjusted(4, 0, -4, -3)
        painter.drawText(inner, _RIGHT, self._share)
        inner.setRight(inner.right() - metrics.horizontalAdvance("under 0.1 %") - 8)
        painter.drawText(inner, _RIGHT, self._count)
        inner.setRight(inner.right() - metrics.horizontalAdvance(self._count) - 8)
        painter.setFont(self.font())
        painter.setPen(tokens.color("text"))
        shown = QFontMetrics(self.font()).elidedText(self._said, Qt.TextElideMode.ElideRight, inner.width())
        painter.drawText(inner, _LEFT, shown)
        if self.hasFocus():
            painter.setPen(tokens.color("accent"))
            painter.drawRect(rect.adjusted(0, 0, -1, -1))


class Histogram(QWidget):
    """How numbers or dates are spread. Arrow keys walk along the bars, the pointer rests on one: it says its words."""

    def __init__(self, found: Summary, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found = found
        self.current = 0
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(f"Histogram of {words.count(len(found.spread), 'bar')}")
        self.setAccessibleDescription("; ".join(summary_words.bar(one, found) for one in found.spread))
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(240, _TALL + _FOOT)

    def _at(self, number: int) -> QRect:
        wide = self.width() / len(self._found.spread)
        left, right = int(number * wide), int((number + 1) * wide)
        most = max(one.rows for one in self._found.spread)
        rows = self._found.spread[number].rows
        # A bar that is there can be seen, however small it is beside the largest.
        tall = max(round((_TALL - 4) * rows / most), 2) if rows else 0
        return QRect(left, _TALL - tall, max(right - left - 1, 1), tall)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, tokens = QPainter(self), colors()
        for number in range(len(self._found.spread)):
            here = number == self.current and self.hasFocus()
            painter.fillRect(self._at(number), tokens.color("text" if here else "accent"))
        painter.setPen(tokens.color("control"))
        painter.drawLine(0, _TALL, self.width(), _TALL)
        painter.setFont(tabular(small()))
        painter.setPen(tokens.color("muted_strong"))
        foot = QRect(0, _TALL, self.width(), _FOOT)
        if self.hasFocus():
            painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, self.words(self.current))
            painter.setPen(tokens.color("accent"))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            return
        spread = self._found.spread
        painter.drawText(foot, _LEFT, summary_words.edge(spread[0].low, self._found))
        painter.drawText(foot, _RIGHT, summary_words.edge(spread[-1].high, self._found))

    def words(self, number: int) -> str:
        """One bar in words."""
        return summary_words.bar(self._found.spread[number], self._found)

    def choose(self, number: int) -> None:
        """Make that bar the current one, as an arrow key or a click does."""
        self.current = min(max(number, 0), len(self._found.spread) - 1)
        self.update()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words(self.current)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        last = len(self._found.spread) - 1
        places = {
            Qt.Key.Key_Left: self.current - 1,
            Qt.Key.Key_Right: self.current + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if (place := places.get(Qt.Key(event.key()))) is not None:
            self.choose(place)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        self.choose(self._place(int(event.position().x())))

    def _place(self, x: int) -> int:
        return x * len(self._found.spread) // max(self.width(), 1)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            place = min(self._place(event.pos().x()), len(self._found.spread) - 1)
            QToolTip.showText(event.globalPos(), tooltip(self.words(place)), self)
            return True
        return super().event(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
