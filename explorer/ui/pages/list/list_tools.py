"""The line under a list's head: find, filters, how far the pull is, columns and export. Nothing in it is cut.

What does not fit beside the rest (chips, a hint, the word of rows that came later) gets a second line.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from explorer import words
from explorer.catalog.spec import Resource
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.pages.list.filter_chips import FilterChips
from explorer.ui.pages.list.filter_popup import FilterPopup
from explorer.ui.pages.list.find_bar import FindBar
from explorer.ui.records.columns import ColumnChoice, columns_menu
from explorer.ui.records.pull_line import PullLine
from explorer.ui.records.row_menu import RowMenu

_GAP, _SIDE = 8, 12
_LEAST_LINE, _LONGEST_LINE = 60, 220


class ListTools(QFrame):
    """One or two lines. The page says the words; the editors tell what is asked."""

    again = Signal()
    """Answer the question anew, over all rows at hand by now."""
    stop = Signal()
    """End what the stop button names."""
    filters_changed = Signal()

    def __init__(self, resource: Resource, columns: ColumnChoice, menu: RowMenu) -> None:
        super().__init__()
        self._resource, self._columns = resource, columns
        self.setProperty("bar", "tools")
        self.finder = FindBar()
        self.chips = FilterChips()
        self.filter_button = QPushButton("+ Filter")
        self.filter_button.setAccessibleName("Add a filter")
        self.filter_button.clicked.connect(lambda _: self.open_filter(""))
        self.hint = PlainLabel("", role="muted", elide=True)
        self.again_button = QPushButton("")
        self.again_button.clicked.connect(self.again)
        self.again_button.hide()
        self.stop_button = QPushButton("")
        self.stop_button.clicked.connect(self.stop)
        self.stop_button.hide()
        self.previous_button = QPushButton("")
        self.previous_button.setProperty("kind", "quiet")
        self.previous_button.hide()
        self.fault = PlainLabel("", role="error", wrap=True)
        self.fault.hide()
        self.line = PullLine()
        self.count = PlainLabel("")
        self.count.setAccessibleDescription("Loaded rows")
        self.columns_button = QPushButton("Columns…")
        self.columns_button.setMenu(columns_menu(columns, self))
        self.export_button = QPushButton("Export…")
        self.export_button.setAccessibleName("Export the loaded rows")
        self.export_button.setMenu(menu.export_menu())
        for button in (self.filter_button, self.columns_button, self.export_button):
            button.setProperty("kind", "quiet")
        for button in (self.again_button, self.stop_button):
            button.setProperty("kind", "link")
        self._build()
        columns.changed.connect(self._say_columns)
        self.chips.changed.connect(self.arrange)
        self.chips.changed.connect(self.filters_changed)
        self.chips.emptied.connect(lambda: self.filter_button.setFocus(Qt.FocusReason.OtherFocusReason))
        self._say_columns()

    def _build(self) -> None:
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.line.setMaximumWidth(_LONGEST_LINE)
        right = ((self.line, 1), self.count, self.columns_button, self.export_button)
        self._first = row((self.finder, 12), self.filter_button, STRETCH, *right, spacing=_GAP)
        self._below = QWidget()
        self._second = row(STRETCH, of=self._below, spacing=_GAP)
        column(self._first, self._below, self.fault, of=self, margins=(_SIDE, 6, _SIDE, 6), spacing=4)
        self._placed: tuple[bool, ...] = ()
        self.arrange()

    # ---- words

    def show_view(self, said: str, later: int, fault: str, rows: int, *, stopped: bool = False) -> None:
        """What is to be said of the question: how many came later, why it cannot be answered, how many rows it asks,
        whether it was stopped.
        """
        self.finder.field.show_rows(rows)
        self.finder.show_fault(fault)
        self.fault.setText(fault)
        self.fault.setVisible(bool(fault))
        more = bool(said) and later > 0
        self.again_button.setText(f"{later:,} more: run it again" if more else "Run again")
        came = f"{words.count(later, 'row')} loaded since: run it again" if more else "Run again"
        self.again_button.setAccessibleName(f"{came} over all loaded rows")
        self.again_button.setVisible(more or stopped)
        self.arrange()

    def show_stop(self, what: str) -> None:
        """Offer to end ``what`` (``export``, ``copying``, ``looking``); empty: there is nothing to end."""
        if what:
            self.stop_button.setText(f"Stop {what}")
        elif self.stop_button.hasFocus():
            self.finder.focus()  # the button goes, and Qt would pick a parameter
        if self.stop_button.isHidden() == bool(what):
            self.stop_button.setVisible(bool(what))
            self.arrange()

    def _say_columns(self) -> None:
        hidden = len(self._columns.hidden())
        self.columns_button.setText(f"Columns ({hidden} hidden)…" if hidden else "Columns…")
        self.columns_button.setAccessibleName(f"Columns, {hidden} hidden")
        self.arrange()

    # ---- filters

    def open_filter(self, field: str = "") -> None:
        """Make a filter, of column ``field`` to begin with."""
        popup = FilterPopup(self._resource.columns, self)
        popup.made.connect(self.chips.add)
        popup.open_below(self.filter_button, field)

    # ---- room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        """Another text in a label is a request for another layout, and comes here, not to the label."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """Without the loose parts: they give way."""
        return QSize(self._least(), super().minimumSizeHint().height())

    def _least(self) -> int:
        fixed = (self.filter_button, self.count, self.columns_button, self.export_button)
        taken = sum(widget.sizeHint().width() + _GAP for widget in fixed)
        return 2 * _SIDE + self.finder.minimumSizeHint().width() + taken

    def arrange(self) -> None:
        """Put each loose part where it has room."""
        left = self.width() - self._least()
        self.line.setVisible(left >= _LEAST_LINE + _GAP)
        left -= _LEAST_LINE + _GAP
        loose: tuple[QWidget, ...] = (
            self.stop_button,
            self.chips,
            self.again_button,
            self.hint,
            self.previous_button,
        )
        said = (
            not self.stop_button.isHidden(),
            bool(self.chips.chips),
            not self.again_button.isHidden(),
            bool(self.hint.whole()),
            not self.previous_button.isHidden(),
        )
        below = []
        for widget, shown in zip(loose, said, strict=True):
            wide = widget.sizeHint().width() + _GAP if shown else 0
            below.append(wide > max(left, 0))
            left -= 0 if below[-1] else wide
        half = (self.width() - 2 * _SIDE) // 2
        # Where it stands beside the find field, that field gives way, not the words.
        wide = self.hint.sizeHint().width() if said[3] else 0
        self.hint.setMinimumWidth(min(wide, half) if below[3] else wide)
        self._below.setVisible(any(below))
        if tuple(below) != self._placed:
            self._placed = tuple(below)
            self._place(loose, below)

    def _place(self, loose: tuple[QWidget, ...], below: list[bool]) -> None:
        for widget in loose:
            for layout in (self._first, self._second):
                layout.removeWidget(widget)
        stop, chips, again, hint, previous = loose
        if below[1]:
            self._second.insertWidget(0, chips, 1)
        else:
            self._first.insertWidget(1, chips)
        self._put(hint, below[3], self.line, 1)
        self._put(stop, below[0], self.columns_button)
        self._put(again, below[2], self.columns_button)
        self._put(previous, below[4], self.columns_button)

    def _put(self, widget: QWidget, below: bool, before: QWidget, stretch: int = 0) -> None:
        """At the end of the second line, or in the first one ``before`` another."""
        if below:
            self._second.addWidget(widget, stretch)
        else:
            self._first.insertWidget(self._first.indexOf(before), widget, stretch)
