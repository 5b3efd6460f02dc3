"""The summary of one column, over the rows at hand as they are filtered: opened at its head, gone with Esc.

It looks at the rows once, in a thread; closing it calls that off. A commonest value, or a way in which values are
missing, makes a filter of itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.popover import Popover
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import icon
from explorer.ui.pages.list import summary_words
from explorer.ui.pages.list.summary_parts import Histogram, ValueRow

if TYPE_CHECKING:
    from explorer.session import Summary, Valued

LOOK = "summary"
"""The name of the task that looks."""
_WIDE = 380
_IN = 4
"""What is drawn with a frame of its own when it has the focus stands that far out of the text around it."""
_FEW = 5
"""Commonest values that are shown of very many: none of them is common then."""
_EDGE = 96
"""Pixels of the window's height that stay free of it."""


class ColumnSummary(Popover):
    """What one column holds. ``look`` gives the summary; ``said`` is what rows it is over, in words."""

    value_wanted = Signal(object)
    """A `Valued`: show only the rows that hold it."""
    missing_wanted = Signal(str)
    """``is null``, ``is absent`` or ``is empty``: show only those rows."""

    def __init__(
        self,
        title: str,
        column: Column,
        said: str,
        look: Callable[[], Awaitable[Summary]],
        tasks: Tasks,
        parent: QWidget,
    ) -> None:
        super().__init__(f"Summary of {column.field}", parent)
        self.found: Summary | None = None
        self._title, self._column, self._over = title, column, said
        self._look, self._tasks = look, tasks
        self.state = PlainLabel(f"Looking at {said}…", role="muted", wrap=True)
        self.copy_button = QPushButton("Copy")
        self.copy_button.setProperty("kind", "quiet")
        self.copy_button.setAccessibleName("Copy the summary as text")
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
        head = QHBoxLayout()
        head.setSpacing(4)
        head.setContentsMargins(_IN, 0, 0, 0)
        self.state.setContentsMargins(_IN, 0, 0, 0)
        name = PlainLabel(self._column.field, role="heading", elide=True)
        head.addWidget(name, 1)
        head.addWidget(self.copy_button)
        head.addWidget(self.close_button)
        self._body = QWidget()
        self._body.setProperty("ground", "surface")
        self._body.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._rows = QVBoxLayout(self._body)
        self._rows.setContentsMargins(0, 0, 8, 0)
        self._rows.setSpacing(4)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setAccessibleName("Figures")
        self._area.setWidget(self._body)
        self._area.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 4, 12)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.state)
        column.addWidget(self._area, 1)
        self.setFixedWidth(_WIDE)

    def open_at(self, anchor: QWidget, at: QPoint, back: QWidget) -> None:
        """Show it at ``at`` of ``anchor`` and look; afterwards the keys go to ``back``."""
        self.show_below(anchor, at, self.close_button, back)
        self._tasks.start(LOOK, self._looked())

    async def _looked(self) -> None:
        from explorer.session import Superseded

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
        for row, (name, value) in enumerate(summary_words.facts(found)):
            share = summary_words.share(found.present, found.rows)
            label = PlainLabel(f"{value}  ({share})" if not row else value, elide=True)
            label.setAccessibleName(f"{name}: {value}")
            grid.addWidget(PlainLabel(name, role="muted"), row, 0)
            grid.addWidget(label, row, 1)
        line = QHBoxLayout()
        line.setSpacing(12)
        for name, rows, condition in summary_words.missing(found):
            if not rows:
                line.addWidget(PlainLabel(f"{name} 0", role="muted"))
                continue
            button = QPushButton(f"{name} {words.count(rows)}")
            button.setProperty("kind", "link")
            button.setAccessibleName(f"{name}: {words.count(rows, 'row')}. Press to show only these")
            button.clicked.connect(lambda _=False, condition=condition: self._take_missing(condition))
            line.addWidget(button)
        line.addStretch(1)
        grid.addWidget(PlainLabel("Without", role="muted"), grid.rowCount(), 0)
        grid.addLayout(line, grid.rowCount() - 1, 1)
        return grid

    def _add_values(self, found: Summary) -> None:
        if not found.top:
            return
        if summary_words.unique(found):
            self._rows.addWidget(_inset(PlainLabel(summary_words.none_twice(found), role="muted")))
            return
        self._rows.addWidget(_caption("Commonest values"))
        for value in found.top[: _FEW if found.more else len(found.top)]:
            row = ValueRow(value, found.present)
            row.clicked.connect(lambda _=False, value=value: self._take(value))
            self._rows.addWidget(row)

    def _fit(self) -> None:
        """As tall as its figures, and no taller than the window leaves room for; the rest is scrolled to."""
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
        """All figures as text to the clipboard."""
        if self.found is not None:
            text = summary_words.as_text(self._title, self._column, self._over, self.found)
            QGuiApplication.clipboard().setText(text)
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
