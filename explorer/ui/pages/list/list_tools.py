"""The line under a list's head: find, filters, the pull's progress, columns and export. Nothing in it is cut off.

What does not fit (chips, a hint, the link to run the query again) goes into a second line.
What is typed into the find field is searched for after a short pause; Esc clears it and goes to the rows.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QMenu, QPushButton, QSizePolicy, QWidget

from explorer import words
from explorer.catalog.spec import Resource
from explorer.ui.kit.check_buttons import CheckButton
from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import set_look
from explorer.ui.pages.list.filters import CountChip, FilterChip, FilterChips, FilterPopup
from explorer.ui.pages.list.list_state import ListState
from explorer.ui.records.columns import ColumnChoice, columns_menu
from explorer.ui.records.pull_line import PullLine
from explorer.ui.records.row_menu import RowMenu

_GAP, _SIDE = 8, 12
_LEAST_LINE, _LONGEST_LINE = 60, 220
_TYPING_MS = 30
"""Milliseconds from a key press to the search. The first matches in a million rows come within 30 ms, and the next key
press cancels the search before.
"""
_LEAST, _MOST = 96, 300
_AROUND = 7
"""Pixels beside the letters of an option."""
_OPTION = 32
_LOOKED_AT = (
    "Each value was held against what the contract says of its field: its type, whether it may be null, whether it may "
    "be left out. Whether a value is the right one is what a quality run looks at."
)


class FindField(QLineEdit):
    """The field for the text to find."""

    left = Signal()
    """Esc, which clears the field, or Down: the keyboard focus should go to the rows."""
    entered = Signal(int)
    """Enter was pressed: 1, with Shift -1."""

    def __init__(self) -> None:
        super().__init__(clearButtonEnabled=True)
        self.setAccessibleName("Find in the loaded rows")
        self.setMinimumWidth(_LEAST)
        self.setMaximumWidth(_MOST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows = 0

    def show_rows(self, rows: int) -> None:
        """Show how many rows are searched."""
        self._rows = rows
        self._set_text()

    def _set_text(self) -> None:
        rows = words.count(self._rows, "row")
        said = (f"Find in {words.count(self._rows, 'loaded row')}…", f"Find in {rows}…", "Find…")
        room = self.width() - 24
        fits = [s for s in said if self.fontMetrics().horizontalAdvance(s) <= room]
        self.setPlaceholderText(fits[0] if fits else said[-1])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._set_text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Escape, Qt.Key.Key_Down):
            if key == Qt.Key.Key_Escape:
                self.clear()
            self.left.emit()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """The find field and its options. ``asked`` carries the text, whether it is a pattern, and whether case matters."""

    asked = Signal(str, bool, bool)
    step = Signal(int)
    """Go to the next (1) or the previous (-1) match."""
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.field = FindField()
        self.regex = _option(".*", "Regular expression", "Read the text as a regular expression")
        self.case = _option("Aa", "Match case", "Distinguish upper and lower case")
        row((self.field, 1), self.regex, self.case, of=self, spacing=2)
        self.setMaximumWidth(_MOST + 2 * _OPTION + 4)
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self.tell)
        self.field.textChanged.connect(self._typed)
        self.field.entered.connect(self._entered)
        self.field.left.connect(self.left)
        for option in (self.regex, self.case):
            option.toggled.connect(lambda _: self.tell())

    def focus(self) -> None:
        """Move the keyboard focus into the field and select its text."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def tell(self) -> None:
        """Search now for the text in the field."""
        self._typing.stop()
        self.asked.emit(self.field.text(), self.regex.isChecked(), self.case.isChecked())

    def show_fault(self, sentence: str) -> None:
        """Mark the text as one that cannot be searched for, with the reason; an empty ``sentence`` takes that back."""
        self.field.setToolTip(tooltip(sentence))
        self.field.setAccessibleDescription(sentence)
        set_look(self.field, invalid=bool(sentence))

    def _typed(self, text: str) -> None:
        if text:
            self._typing.start()
        else:
            self.tell()

    def _entered(self, by: int) -> None:
        if self._typing.isActive():
            self.tell()
        else:
            self.step.emit(by)


class ListTools(QFrame):
    """One or two lines that paint a `ListState`. Signals say what the user asks for."""

    again = Signal()
    """Run the query again, over all rows that are loaded by now."""
    stop = Signal()
    """Stop what the stop link names."""
    filters_changed = Signal()
    unfit_wanted = Signal(bool)
    """Show only the records that do not fit the contract, or all again."""
    found_wanted = Signal(bool)
    """Show only the rows that the last quality run names, or all again."""
    paths_wanted = Signal(object, str)
    """Carries a `FilterPopup` and a column of which it wants the paths inside."""
    observed_wanted = Signal(bool)
    """The same for those that fit but for nulls that running services are known to send."""
    previous = Signal()
    """Look at the previous pull."""
    compare = Signal()
    """Compare with the previous pull."""

    def __init__(self, resource: Resource, columns: ColumnChoice, menu: RowMenu) -> None:
        super().__init__()
        self._resource, self._columns = resource, columns
        self.setProperty("bar", "tools")
        self.finder = FindBar()
        self.chips = FilterChips()
        self.filter_button = push_button("+ Filter", name="Add a filter")
        self.filter_button.clicked.connect(lambda _: self.open_filter(""))
        self.unfit = CountChip("Show only the records that do not fit", "caution")
        self.unfit.clicked.connect(self.unfit_wanted)
        self.observed = CountChip(
            "These have a null where the contract has none, just where running services are known to send one: it was "
            "seen, and is no defect. Show only these",
            "quiet",
        )
        self.observed.clicked.connect(self.observed_wanted)
        self.found = CountChip(
            "A quality run found something wrong or suspect in these, which the number of their row says. Show only "
            "these",
            "caution",
        )
        self.found.clicked.connect(self.found_wanted)
        self.fit = PlainLabel("", role="muted")
        self.fit.setToolTip(tooltip(_LOOKED_AT))
        self.hint = PlainLabel("", role="muted", elide=True)
        self.again_button = QPushButton("")
        self.again_button.clicked.connect(self.again)
        self.again_button.hide()
        self.stop_button = QPushButton("")
        self.stop_button.clicked.connect(self.stop)
        self.stop_button.hide()
        self.previous_button = push_button("", kind="quiet")
        self.previous_button.hide()
        earlier = QMenu("Previous pull", self.previous_button)
        self._look = earlier.addAction("", self.previous.emit)
        earlier.addAction("Compare with the newest", self.compare.emit)
        self.previous_button.setMenu(earlier)
        self.fault = PlainLabel("", role="error", wrap=True)
        self.fault.hide()
        self.line = PullLine()
        self.count = PlainLabel("")
        self.count.setAccessibleDescription("Loaded rows")
        self.columns_button = QPushButton("Columns…")
        self.columns_button.setMenu(columns_menu(columns, self))
        self.export_button = push_button("Export…", name="Export the loaded rows")
        self.export_button.setMenu(menu.export_menu())
        for button in (self.filter_button, self.columns_button, self.export_button):
            button.setProperty("kind", "quiet")
        for button in (self.again_button, self.stop_button):
            button.setProperty("kind", "link")
        self._build()
        columns.changed.connect(self._say_columns)
        self.chips.changed.connect(self.arrange)
        self.chips.changed.connect(self.filters_changed)
        self.chips.change_wanted.connect(self._change_filter)
        self.chips.emptied.connect(lambda: self.filter_button.setFocus(Qt.FocusReason.OtherFocusReason))
        self._say_columns()

    def _build(self) -> None:
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.line.setMaximumWidth(_LONGEST_LINE)
        right = ((self.line, 1), self.count, self.columns_button, self.export_button)
        self._first = row((self.finder, 12), self.filter_button, STRETCH, self.fit, *right, spacing=_GAP)
        self._below = QWidget()
        self._second = row(STRETCH, of=self._below, spacing=_GAP)
        column(self._first, self._below, self.fault, of=self, margins=(_SIDE, 6, _SIDE, 6), spacing=4)
        self._placed: tuple[bool, ...] = ()
        self.arrange()

    # ---- words

    def show_state(self, state: ListState) -> None:
        """Show the state of the pull and of the query."""
        self.line.show_state(state.line, state.any_rows)
        if state.count is not None:
            self.count.setText(state.count)
        self.finder.field.show_rows(state.rows)
        self.finder.show_fault(state.fault)
        self.fault.setText(state.fault)
        self.fault.setVisible(bool(state.fault))
        if state.again is not None:
            self.again_button.setText(state.again[0])
            self.again_button.setAccessibleName(state.again[1])
        self.again_button.setVisible(state.again is not None)
        if state.stop:
            self.stop_button.setText(f"Stop {state.stop}")
        elif self.stop_button.hasFocus():
            self.finder.focus()  # the button goes, and Qt would pick a parameter
        self.stop_button.setVisible(bool(state.stop))
        if state.previous is not None:
            self.previous_button.setText(state.previous[0])
            self._look.setText(state.previous[1])
        self.previous_button.setVisible(state.previous is not None)
        self.export_button.setEnabled(state.export)
        self.fit.setText(state.fit)
        for chip, said, only in (
            (self.unfit, state.unfit, state.unfit_only),
            (self.observed, state.observed, state.observed_only),
            (self.found, state.found, state.found_only),
        ):
            if not said and chip.hasFocus():
                self.finder.focus()  # as with the button above
            chip.say(said, only)
        self.arrange()

    def _say_columns(self) -> None:
        hidden = len(self._columns.hidden())
        self.columns_button.setText(f"Columns ({hidden} hidden)…" if hidden else "Columns…")
        self.columns_button.setAccessibleName(f"Columns, {hidden} hidden")
        self.arrange()

    # ---- filters

    def open_filter(self, field: str = "") -> None:
        """Open the popup for a new filter, with column ``field`` chosen."""
        popup = FilterPopup(self._resource.columns, self)
        popup.made.connect(self.chips.add)
        self._open(popup, self.filter_button, field)

    def _change_filter(self, chip: FilterChip) -> None:
        popup = FilterPopup(self._resource.columns, self, chip.given)
        popup.made.connect(lambda made: self.chips.replace(chip, made))
        self._open(popup, chip.change)

    def _open(self, popup: FilterPopup, button: QPushButton, field: str = "") -> None:
        popup.paths_wanted.connect(lambda chosen: self.paths_wanted.emit(popup, chosen))
        popup.open_below(button, field)

    # ---- room

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def event(self, event: QEvent) -> bool:
        """Arrange the parts again when a label's text changes: Qt sends that layout request here, not to the label."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.arrange()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """The size without the parts that can move to the second line."""
        return QSize(self._least(), super().minimumSizeHint().height())

    def _least(self) -> int:
        fixed = (self.filter_button, self.columns_button, self.export_button)
        taken = sum(widget.sizeHint().width() + _GAP for widget in fixed)
        return 2 * _SIDE + self.finder.minimumSizeHint().width() + taken

    def arrange(self) -> None:
        """Put each movable part into the line that has room for it."""
        left = self.width() - self._least()
        wide = self.count.sizeHint().width() + _GAP
        is_count_below = wide > max(left, 0)  # in large type, in a small window
        left -= 0 if is_count_below else wide
        self.hint.setVisible(bool(self.hint.whole()))  # an empty one takes room, too
        self.line.setVisible(left >= _LEAST_LINE + _GAP)
        left -= _LEAST_LINE + _GAP
        loose = (
            self.stop_button,
            self.chips,
            self.again_button,
            self.hint,
            self.previous_button,
            self.unfit,
            self.observed,
            self.found,
        )
        below = []
        for widget in loose:
            shown = bool(self.hint.whole()) if widget is self.hint else not widget.isHidden()
            wide = widget.sizeHint().width() + _GAP if shown else 0
            below.append(wide > max(left, 0))
            left -= 0 if below[-1] else wide
        wide = self.fit.sizeHint().width() + _GAP + _MOST - _LEAST
        # Not at the cost of the find field: the status bar says it too.
        self.fit.setVisible(bool(self.fit.whole()) and wide <= left)
        half = (self.width() - 2 * _SIDE) // 2
        # In the first line the find field gets narrower, not the words.
        wide = self.hint.sizeHint().width() if self.hint.whole() else 0
        self.hint.setMinimumWidth(min(wide, half) if below[3] else wide)
        self._below.setVisible(is_count_below or any(below))
        if (is_count_below, *below) != self._placed:
            self._placed = (is_count_below, *below)
            self._place(loose, below, is_count_below)

    def _place(self, loose: tuple[QWidget, ...], below: list[bool], is_count_below: bool) -> None:
        for widget in (self.count, *loose):
            for layout in (self._first, self._second):
                layout.removeWidget(widget)
        stop, chips, again, hint, previous, unfit, observed, found = loose
        if below[1]:
            self._second.insertWidget(0, chips, 1)
        else:
            self._first.insertWidget(1, chips, 0, Qt.AlignmentFlag.AlignVCenter)
        for chip, is_below in ((found, below[7]), (observed, below[6]), (unfit, below[5])):
            line, place = (self._second, 0) if is_below else (self._first, 1)
            line.insertWidget(place, chip, 0, Qt.AlignmentFlag.AlignVCenter)
        self._put(hint, below[3], self.line, 1)
        self._put(self.count, is_count_below, self.columns_button)
        self._put(stop, below[0], self.columns_button)
        self._put(again, below[2], self.columns_button)
        self._put(previous, below[4], self.columns_button)

    def _put(self, widget: QWidget, below: bool, before: QWidget, stretch: int = 0) -> None:
        """Put ``widget`` at the end of the second line (``below``), or into the first one in front of ``before``."""
        if below:
            self._second.addWidget(widget, stretch)
        else:
            self._first.insertWidget(self._first.indexOf(before), widget, stretch)


class _Option(CheckButton):
    """As wide as its two letters need, where a button has room around its words."""

    def sizeHint(self) -> QSize:
        wide = self.fontMetrics().horizontalAdvance(self.text()) + 2 * _AROUND
        return QSize(max(wide, _OPTION), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _option(text: str, name: str, what: str) -> QPushButton:
    button = _Option(text)
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    button.setProperty("kind", "quiet")
    button.setAccessibleName(name)
    button.setToolTip(tooltip(f"{name}: {what}"))
    return button
