"""The summary of one column over the rows that the table shows: opened at the column's head, closed with Esc.

The rows are read once, in a thread; closing the summary cancels that. Pressing one of the commonest values, or null,
absent or empty, makes a filter of it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QFocusEvent,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QFrame,
    QGridLayout,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QWidget,
)

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column
from explorer.session import Superseded
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row, scrolled
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.popover import Popover
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import colors, icon, small, tabular, theme
from explorer.ui.pages.list import summary_words

if TYPE_CHECKING:
    from explorer.session import Summary, Valued

LOOK = "summary"
"""The name of the task that reads the rows."""
_WIDE = 380
_IN = 4
"""Pixels by which a widget with a focus frame reaches beyond the text around it."""
_FEW = 5
"""Commonest values that are shown of a column with very many different ones, where none is really common."""
_EDGE = 96
"""Pixels of the window's height that the summary leaves free."""
_LINE = 24
_TALL, _FOOT = 72, 18
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class ColumnSummary(Popover):
    """What one column holds. ``look`` computes the summary; ``said`` says in words over which rows."""

    value_wanted = Signal(object)
    """A `Valued`: show only the rows that hold it."""
    missing_wanted = Signal(str)
    """``is null``, ``is absent`` or ``is empty``: show only those rows."""

    def __init__(
        self,
        title: str,
        of: Column,
        said: str,
        look: Callable[[], Awaitable[Summary]],
        tasks: Tasks,
        parent: QWidget,
    ) -> None:
        super().__init__(f"Summary of {of.field}", parent)
        self.found: Summary | None = None
        self._title, self._column, self._over = title, of, said
        self._look, self._tasks = look, tasks
        self.state = PlainLabel(f"Looking at {said}…", role="muted", wrap=True)
        self.copy_button = push_button("Copy", kind="quiet", name="Copy the summary as text")
        self.copy_button.setToolTip("Copy the summary as text (Ctrl C)")
        self.copy_button.setEnabled(False)
        self.copy_button.clicked.connect(self.copy)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "muted"))
        self.close_button.setAccessibleName("Close the summary")
        self.close_button.setToolTip("Close (Esc)")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.close_button.clicked.connect(self.close)
        self._build()

    def _build(self) -> None:
        self.state.setContentsMargins(_IN, 0, 0, 0)
        name = PlainLabel(self._column.field, role="heading", elide=True)
        head = row((name, 1), self.copy_button, self.close_button, margins=(_IN, 0, 0, 0), spacing=4)
        self._body = dressed(QWidget(), ground="surface")
        self._rows = column(of=self._body, margins=(0, 0, 8, 0), spacing=4)
        self._area = scrolled(self._body)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setAccessibleName("Figures")
        self._area.hide()
        column(head, self.state, (self._area, 1), of=self, margins=(8, 8, 4, 12), spacing=4)
        self.setFixedWidth(_WIDE)

    def open_at(self, anchor: QWidget, at: QPoint, back: QWidget) -> None:
        """Open at ``at`` of ``anchor`` and compute the summary. On closing, ``back`` gets the keyboard focus."""
        self.show_below(anchor, at, self.close_button, back)
        self._tasks.start(LOOK, self._looked())

    async def _looked(self) -> None:
        try:
            found = await self._look()
        except Superseded:
            self.state.setText("Cancelled: the rows have changed. Open it again.")
        except ExplorerError as error:
            self.state.setText(f"{error.sentence} {error.advice}".strip())
        else:
            self._show(found)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._tasks.cancel(LOOK)
        super().closeEvent(event)

    # ---- what was found

    def _show(self, found: Summary) -> None:
        self.found = found
        self.state.setText(f"{self._column.kind}  ·  {self._over}")
        self.copy_button.setEnabled(True)
        self._rows.addLayout(self._facts(found))
        self._add_values(found)
        if len(found.spread) > 1:
            self._rows.addWidget(_caption("Spread"))
            self._rows.addWidget(Histogram(found))
        for note in summary_words.notes(found, self._column):
            self._rows.addWidget(_inset(PlainLabel(note, role="faint", wrap=True)))
        self._rows.addStretch(1)
        self._area.show()
        self._fit()
        said = f"{self.accessibleName()}, {self._over}: " + ", ".join(
            f"{name} {value}" for name, value in self._figures(found)
        )
        self.setAccessibleDescription(said)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    @staticmethod
    def _figures(found: Summary) -> list[tuple[str, str]]:
        lacking = [(name, words.count(rows)) for name, rows, _ in summary_words.missing(found)]
        return [*summary_words.facts(found), *lacking]

    def _facts(self, found: Summary) -> QGridLayout:
        grid = QGridLayout()
        grid.setContentsMargins(_IN, 4, 0, 4)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for at, (name, value) in enumerate(summary_words.facts(found)):
            share = summary_words.share(found.present, found.rows)
            label = PlainLabel(f"{value}  ({share})" if not at else value, elide=True)
            label.setAccessibleName(f"{name}: {value}")
            grid.addWidget(PlainLabel(name, role="muted"), at, 0)
            grid.addWidget(label, at, 1)
        grid.addWidget(PlainLabel("Without", role="muted"), grid.rowCount(), 0)
        grid.addLayout(
            row(*missing_links(found, self._take_missing), STRETCH, spacing=12), grid.rowCount() - 1, 1
        )
        return grid

    def _add_values(self, found: Summary) -> None:
        if not found.top:
            return
        if summary_words.unique(found):
            self._rows.addWidget(_inset(PlainLabel(summary_words.none_twice(found), role="muted")))
            return
        self._rows.addWidget(_caption("Commonest values"))
        for value in found.top[: _FEW if found.more else len(found.top)]:
            shown = ValueRow(value, found.present)
            shown.clicked.connect(lambda _=False, value=value: self._take(value))
            self._rows.addWidget(shown)

    def _fit(self) -> None:
        """Make it as high as its content, at most as high as the window allows; the rest is scrolled to."""
        for layout in (self._rows, self.layout()):
            if layout is not None:
                layout.activate()
        room = self.window().height() - _EDGE
        inner = self._body.sizeHint().height()
        around = self.sizeHint().height() - self._area.sizeHint().height()
        tall = min(inner + around + 8, room)
        self.resize(QSize(_WIDE, tall))
        self.move(self.x(), max(0, min(self.y(), self.window().height() - tall - 8)))

    # ---- what is done with it

    def _take(self, value: Valued) -> None:
        self.close()
        self.value_wanted.emit(value)

    def _take_missing(self, condition: str) -> None:
        self.close()
        self.missing_wanted.emit(condition)

    def copy(self) -> None:
        """Copy all figures as text."""
        if self.found is not None:
            text = summary_words.as_text(self._title, self._column, self._over, self.found)
            copy_text(text, "summary of the column")
            self.copy_button.setText("Copied")
            self.copy_button.setToolTip(tooltip("The summary is on the clipboard"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)


def _caption(text: str) -> PlainLabel:
    label = PlainLabel(text, role="caption")
    label.setContentsMargins(_IN, 6, 0, 0)
    return label


def _inset(label: PlainLabel) -> PlainLabel:
    label.setContentsMargins(_IN, 0, 0, 0)
    return label


def missing_links(found: Summary, take: Callable[[str], None]) -> Iterator[QWidget]:
    """How many rows have no value, in each way that there is; one that is pressed hands its condition to ``take``."""
    for name, rows, condition in summary_words.missing(found):
        if not rows:
            yield PlainLabel(f"{name} 0", role="muted")
            continue
        link = push_button(f"{name} {words.count(rows)}", kind="link")
        link.setAccessibleName(f"{name}: {words.count(rows, 'row')}. Press to show only these")
        link.clicked.connect(lambda _=False, condition=condition: take(condition))
        yield link


class ValueRow(QAbstractButton):
    """One of the commonest values: its text, how many rows hold it, and a bar of their share. Pressing it filters."""

    def __init__(self, value: Valued, present: int) -> None:
        super().__init__()
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
    """The distribution of numbers or dates. The bar chosen by arrow key or under the pointer is said in words."""

    def __init__(self, found: Summary) -> None:
        super().__init__()
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
        # A bar that is not zero stays visible, however small it is beside the largest.
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
        """Make that bar the current one."""
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
