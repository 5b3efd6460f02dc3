"""The filters of a list: the popup in which one is made or changed, and the chips of active ones."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from explorer import words
from explorer.catalog.spec import Column
from explorer.session import Filter, Query, QueryFault, steps_of
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.check_buttons import CheckButton
from explorer.ui.kit.layout import STRETCH, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.popover import Popover
from explorer.ui.pages.list.row_state import OPS

Value = str | Decimal | bool
_SAID = {"<": "less than (<)", ">": "greater than (>)"}
_TEXT, _NUMBER, _YES = "Text", "Number", "True or false"
_TYPED = ("equals", "<", ">", "between")
"""Conditions whose value is compared as the chosen type: as text, as number, or as true and false."""
_NESTED = ("array", "object", "any")
"""Kinds of columns that may have something inside."""
_EACH_ITEM = (
    "Of an array on the way each item counts. Values there are read from the stored rows: many take a while."
)
_TALL, _GAP = 22, 4
_PATHS_TALL = 108
_NAMED = {"": "Paths that loaded rows have", "to": "Upper end"}
"""What assistive technology calls an input, where that is not the word beside it."""
_LONGEST = 32
"""Characters of a filter that its chip shows; the tooltip shows all."""


class FilterPopup(Popover):
    """The popup for a filter. It closes when the filter is added, on Esc, and when it loses the focus."""

    made = Signal(object)
    """Carries the new `Filter`."""
    paths_wanted = Signal(str)
    """A column is chosen that has something inside: which paths are there, for `offer_paths`."""

    def __init__(self, columns: Sequence[Column], parent: QWidget, given: Filter | None = None) -> None:
        """``given``: the filter to change, where it is none of its own."""
        super().__init__("Change filter" if given is not None else "New filter", parent)
        self._columns = tuple(columns)
        self.column = QComboBox()
        self.column.addItems([c.field for c in self._columns])
        self.path = QLineEdit()
        self.path.setPlaceholderText("owner.name; empty: all of it")
        self.paths = QListWidget()
        self.paths.setFixedHeight(_PATHS_TALL)
        self.paths.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.paths.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.paths.itemClicked.connect(self._take_path)
        self.op = QComboBox()
        for op in OPS:
            self.op.addItem(_SAID.get(op, op), op)
        self.kind = QComboBox()
        self.kind.addItems([_TEXT, _NUMBER, _YES])
        self.value, self.upper = QLineEdit(), QLineEdit()
        self.truth = QComboBox()
        self.truth.addItems(["true", "false"])
        self.note = PlainLabel("", role="faint", wrap=True)
        self.fault = PlainLabel("", role="error", wrap=True)
        self.empty = push_button("Rows where it is empty", kind="link")
        self.empty.clicked.connect(self._take_empty)
        self.add = push_button("Change filter" if given is not None else "Add filter", kind="primary")
        self.add.clicked.connect(self.take)
        self._rows: list[tuple[PlainLabel, QWidget]] = []
        self._build()
        self.column.currentIndexChanged.connect(self._column_chosen)
        self.path.textChanged.connect(self._path_typed)
        self.op.currentIndexChanged.connect(self._show)
        self.kind.currentIndexChanged.connect(self._show)
        self._column_chosen()
        if given is not None:
            self._fill(given)
        for line in (self.path, self.paths):
            line.installEventFilter(self)

    def _fill(self, given: Filter) -> None:
        """Show ``given`` in the fields."""
        self.column.setCurrentText(given.column)
        self.path.setText(given.path)
        self.op.setCurrentIndex(self.op.findData(given.op))
        values = (given.value, given.upper)
        if given.op in _TYPED:
            yes, text = isinstance(given.value, bool), isinstance(given.value, str)
            self.kind.setCurrentText(_YES if yes else _TEXT if text else _NUMBER)
            self.truth.setCurrentText("true" if given.value is True else "false")
        for editor, value in zip((self.value, self.upper), values, strict=True):
            editor.setText("" if value is None or isinstance(value, bool) else str(value))

    def _build(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 12, 12, 12)
        grid.setSpacing(8)
        named = (
            ("Column", self.column),
            ("Path inside it", self.path),
            ("", self.paths),
            ("Condition", self.op),
            ("Compare as", self.kind),
            ("Value", self.value),
            ("Value", self.truth),
            ("to", self.upper),
        )
        for at, (name, widget) in enumerate(named):
            label = PlainLabel(name, role="muted")
            label.setBuddy(widget)
            widget.setAccessibleName(_NAMED.get(name, name))
            widget.setMinimumWidth(210)
            grid.addWidget(label, at, 0)
            grid.addWidget(widget, at, 1)
            self._rows.append((label, widget))
        grid.addWidget(self.note, len(named), 0, 1, 2)
        grid.addWidget(self.fault, len(named) + 1, 0, 1, 2)
        grid.addLayout(row(self.empty, STRETCH, self.add), len(named) + 2, 0, 1, 2)

    def open_below(self, button: QWidget, field: str = "") -> None:
        """Open below ``button``, with ``field`` chosen. On closing, the focus goes back to where it was."""
        if field:
            self.column.setCurrentText(field)
        self._want_paths()
        self.show_below(button, QPoint(0, button.height() + 2), self.column)

    def _want_paths(self) -> None:
        if self._has_inside:
            self.paths_wanted.emit(self.column.currentText())

    def offer_paths(self, field: str, paths: Sequence[str]) -> None:
        """Offer ``paths`` below the line, if ``field`` is still the column."""
        if field == self.column.currentText():
            self.paths.clear()
            for path in paths:
                QListWidgetItem(path, self.paths).setToolTip(tooltip(path))
            self._narrow()

    def _path_typed(self) -> None:
        self._narrow()
        self._show()

    def _narrow(self) -> None:
        """Show the paths that hold what is typed; all, where that is one of them."""
        items = [self.paths.item(at) for at in range(self.paths.count())]
        typed = self.path.text().strip().casefold()
        whole = any(item.text().casefold() == typed for item in items)
        for item in items:
            item.setHidden(not whole and typed not in item.text().casefold())

    def _take_path(self, item: QListWidgetItem) -> None:
        self.path.setText(item.text())
        self.op.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down goes from the line into the paths; Return there takes one, and no filter is made by it."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        shown = [one for one in map(self.paths.item, range(self.paths.count())) if not one.isHidden()]
        if watched is self.path and event.key() == Qt.Key.Key_Down and shown:
            if self.paths.currentItem() not in shown:
                self.paths.setCurrentItem(shown[0])
            self.paths.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        if watched is self.paths and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self.paths.currentItem() in shown:
                self._take_path(self.paths.currentItem())
            return True
        return super().eventFilter(watched, event)

    @property
    def _has_inside(self) -> bool:
        return self._columns[self.column.currentIndex()].kind in _NESTED

    def _column_chosen(self) -> None:
        kind = self._columns[self.column.currentIndex()].kind
        self.path.clear()
        self.paths.clear()
        if self.isVisible():
            self._want_paths()
        self.kind.setCurrentText({"number": _NUMBER, "boolean": _YES}.get(kind, _TEXT))
        self.op.setCurrentIndex(OPS.index("equals" if kind in ("number", "boolean") else "contains"))
        self._show()

    def _show(self) -> None:
        op, kind = self.op.currentData(), self.kind.currentText()
        typed = op in _TYPED
        truth = typed and kind == _YES
        wanted = {
            self.path: self._has_inside,
            self.paths: self._has_inside,
            self.kind: typed,
            self.value: (op == "contains" or typed) and not truth,
            self.truth: truth,
            self.upper: op == "between" and not truth,
        }
        for label, widget in self._rows:
            label.setVisible(wanted.get(widget, True))
            widget.setVisible(wanted.get(widget, True))
        column, path = self._columns[self.column.currentIndex()], self.path.text().strip()
        self.note.setText(_EACH_ITEM if path else looks_at(column, op))
        self.note.setVisible(bool(self.note.whole()))
        self._set_text("")
        self.adjustSize()

    def _set_text(self, sentence: str, *, empty: bool = False) -> None:
        """Show what is wrong; ``empty``: with the condition beside it that needs no value."""
        self.fault.setText(sentence)
        self.fault.setVisible(bool(sentence))
        self.empty.setVisible(empty)

    def _take_empty(self) -> None:
        self.op.setCurrentIndex(OPS.index("is empty"))
        self.take()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.take()
        else:
            super().keyPressEvent(event)

    def take(self) -> None:
        """Emit the filter and close; where the value is missing or wrong, say so instead."""
        op = self.op.currentData()
        needed = 2 if op == "between" else 1 if op in _TYPED or op == "contains" else 0
        values = [self._value(editor) for editor in (self.value, self.upper)[:needed]]
        for editor, value in zip((self.value, self.upper), values, strict=False):
            if value is None:
                typed = editor.text().strip()
                missing = "Type a value to compare with."
                self._set_text(f"{typed[:40]} is no number." if typed else missing, empty=not typed)
                self.adjustSize()
                editor.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        column, path = self.column.currentText(), self.path.text().strip() if self._has_inside else ""
        path = path.removeprefix(f"{column}.")  # as findings name it
        try:
            if path:
                steps_of(path)
        except QueryFault as fault:
            self._set_text(f"{fault.sentence} {fault.advice}".strip())
            self.adjustSize()
            self.path.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        value, upper = (*values, None, None)[:2]
        self.made.emit(Filter(column, op, value, upper, path))
        self.close()

    def _value(self, editor: QLineEdit) -> Value | None:
        """What was typed, as text, number or boolean; None when it is no such value."""
        op, kind, text = self.op.currentData(), self.kind.currentText(), editor.text()
        if op in _TYPED and kind == _YES:
            return self.truth.currentText() == "true"
        if op in _TYPED and kind == _NUMBER:
            return _number(text)
        return text or None


def looks_at(column: Column, op: str) -> str:
    """A sentence on what a filter with that condition compares of an array or object; empty for other columns."""
    if column.kind not in ("array", "object") or op.startswith("is "):
        return ""
    if op in ("<", ">", "between"):
        return (
            "Arrays and objects have no such order: only rows that hold a text or a number there can match."
        )
    if column.kind == "object":
        by = f"Only their {column.summary} is" if column.summary else "Nothing inside them is"
    else:
        by = f"Only the first item{f'’s {column.summary}' if column.summary else ''} is"
    return f"{by} searched. Find (Ctrl F) searches whole records."


def _number(text: str) -> Decimal | None:
    """The typed number, exact, however long; None when it is none."""
    try:
        made = Decimal(text.strip())
    except ArithmeticError:
        return None
    return made if made.is_finite() else None


def filter_words(given: Filter) -> str:
    """A filter in words, as on its chip: ``confidential is false``, ``raw_data.status contains “clos”``."""
    what = given.column
    if given.path:
        what += given.path if given.path.startswith("/") else f".{given.path}"
    if given.op == "equals":
        return f"{what} is {_shown(given.value)}"
    if given.op == "between":
        return f"{what} between {_shown(given.value)} and {_shown(given.upper)}"
    if given.op in ("contains", "<", ">"):
        return f"{what} {given.op} {_shown(given.value)}"
    if given.op == "is one of":
        return f"{what} is one of {words.count(len(str(given.value).splitlines()))}"
    return f"{what} {given.op}"


def among_words(query: Query) -> str:
    """What rows a query leaves, in words; empty where it leaves all."""
    said = [filter_words(one) for one in query.filters]
    said += [f"“{query.find}” found in them"] if query.find else []
    said += ["a value that does not fit the contract"] if query.unfit else []
    said += ["usual nulls"] if query.observed else []
    return "; ".join(said)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"“{value}”" if isinstance(value, str) else str(value)


class FilterChip(QFrame):
    """One active filter: a click on its words changes it, the cross or Delete removes it."""

    removed = Signal()

    def __init__(self, given: Filter) -> None:
        super().__init__()
        self.change = push_button("", kind="chip")
        self.remove = push_button("×", kind="chip", tip="Remove this filter")
        for button, part in ((self.change, "words"), (self.remove, "cross")):
            button.setProperty("part", part)
            button.setFixedHeight(_TALL)
            button.installEventFilter(self)
        self.remove.clicked.connect(self.removed)
        row(self.change, self.remove, of=self)
        self.show_filter(given)

    def show_filter(self, given: Filter) -> None:
        """Be the chip of ``given``."""
        self.given = given
        said = visible(filter_words(given))
        cut = said if len(said) <= _LONGEST else said[: _LONGEST - 1] + "…"
        self.change.setText(cut.replace("&", "&&"))
        self.change.setEnabled(given.op in OPS)  # the form makes no other
        self.change.setAccessibleName(f"Filter: {said}")
        self.change.setAccessibleDescription("Press to change it, Delete to remove it")
        self.change.setToolTip(tooltip(f"{said}\nPress to change this filter"))
        self.remove.setAccessibleName(f"Remove filter: {said}")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Delete removes the filter; Return is a click, as in the count chips."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self.remove.click()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                (self.change if watched is self.change else self.remove).click()
                return True
        return super().eventFilter(watched, event)


class CountChip(CheckButton):
    """How many records are of one sort. Pressed it shows these alone; × or Backspace takes that off."""

    def __init__(self, tip: str, tone: str) -> None:
        """``tip`` says which records they are; ``tone``: its colour in the style sheet."""
        super().__init__()
        self._tip = tip
        self.setFixedHeight(_TALL)
        self.setProperty("kind", "chip")
        self.setProperty("tone", tone)
        self.hide()

    def say(self, said: str, on: bool) -> None:
        """Show ``said``, and whether only these records are shown; nothing to say hides it."""
        self.setVisible(bool(said))
        self.setChecked(on)
        self.setText(f"{said} ×" if on else said)
        self.setAccessibleName(f"{said}. {'Press to show all rows' if on else 'Press to show only these'}")
        self.setToolTip(tooltip("Show all rows again" if on else self._tip))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        away = event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter or (away and self.isChecked()):
            self.click()
        else:
            super().keyPressEvent(event)


class FilterChips(QWidget):
    """All active filters, in the order in which they were made."""

    changed = Signal()
    change_wanted = Signal(object)
    """Carries the chip whose filter the user wants to change."""
    emptied = Signal()
    """The last chip was removed, so the keyboard focus has to go elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.chips: list[FilterChip] = []
        """From left to right."""
        self._flow = FlowLayout(self, gap=_GAP, line_gap=_GAP)
        self.hide()

    def filters(self) -> tuple[Filter, ...]:
        """The active filters."""
        return tuple(chip.given for chip in self.chips)

    def add(self, given: Filter) -> None:
        """Add a filter, unless the same one is there already."""
        if given in self.filters():
            return
        chip = FilterChip(given)
        chip.removed.connect(lambda: self._remove(chip))
        chip.change.clicked.connect(lambda: self.change_wanted.emit(chip))
        self.chips.append(chip)
        self._flow.addWidget(chip)
        self.show()
        self.changed.emit()

    def replace(self, chip: FilterChip, given: Filter) -> None:
        """Make the filter of ``chip`` another; where that is there already, the chip goes."""
        if given == chip.given:
            return
        if given in self.filters():
            self._remove(chip)
            return
        chip.show_filter(given)
        self.changed.emit()

    def _remove(self, chip: FilterChip) -> None:
        left = self.chips
        place = left.index(chip)
        left.remove(chip)
        focused = chip.change.hasFocus() or chip.remove.hasFocus()
        self._flow.removeWidget(chip)
        chip.hide()
        chip.deleteLater()
        if left and focused:
            left[min(place, len(left) - 1)].remove.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setVisible(bool(left))
        if not left:
            self.emptied.emit()
        self.changed.emit()

    def sizeHint(self) -> QSize:
        """All in one line."""
        wide = sum(chip.sizeHint().width() + _GAP for chip in self.chips) - _GAP
        return QSize(max(wide, 0), super().sizeHint().height())
