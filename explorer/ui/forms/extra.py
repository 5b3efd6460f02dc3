"""Further query parameters by name and value, so that parameters outside the contract can be tried."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from explorer.ui.forms.held_line import HeldLine
from explorer.ui.kit.layout import column, push_button, row


class ExtraParameters(QWidget):
    """Rows of name and value, each sent as it stands; a name may stand more than once, a value may be empty.

    Enter in a value goes to the next row, or makes one; Ctrl Delete takes the row away.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self._add = push_button("+ Add a query parameter", kind="link", name="Add a query parameter")
        self._add.setStyleSheet("QPushButton { padding-left: 0; }")  # in line with what stands above it
        self._add.clicked.connect(lambda _: self.add_row().name.setFocus())
        self._box = column((self._add, Qt.AlignmentFlag.AlignLeft), of=self, spacing=4)

    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Name and value of each row that has a name, in order."""
        pairs = ((row.name.whole(), row.text.whole()) for row in self._rows)
        return tuple((name, text) for name, text in pairs if name)

    def set_pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Replaces the rows by ``pairs``."""
        for one in list(self._rows):
            self._drop(one)
        for name, value in pairs:
            self.add_row(name, value)

    def add_row(self, name: str = "", value: str = "") -> _Row:
        """Adds a row at the end."""
        row = _Row(name, value, len(self._rows) + 1)
        row.changed.connect(self.changed)
        row.removed.connect(lambda: self.remove_row(row))
        row.entered.connect(lambda: self._next(row))
        self._rows.append(row)
        self._box.insertWidget(len(self._rows) - 1, row)
        return row

    def remove_row(self, row: _Row) -> None:
        """Take ``row`` away; the focus goes to the one before it, or to the button."""
        place = self._rows.index(row)
        self._drop(row)
        (self._rows[max(place - 1, 0)].name if self._rows else self._add).setFocus()
        self.changed.emit()

    def _drop(self, row: _Row) -> None:
        self._rows.remove(row)
        self._box.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _next(self, row: _Row) -> None:
        place = self._rows.index(row) + 1
        (self._rows[place] if place < len(self._rows) else self.add_row()).name.setFocus()


class _Row(QWidget):
    changed = Signal()
    removed = Signal()
    entered = Signal()

    def __init__(self, name: str, value: str, number: int) -> None:
        super().__init__()
        self.name = HeldLine(name)
        self.name.setAccessibleName(f"Name of query parameter {number}")
        self.text = HeldLine(value)
        self.text.setAccessibleName(f"Value of query parameter {number}")
        remove = QToolButton()
        remove.setText("×")
        remove.setFixedSize(24, 24)
        remove.setAccessibleName(f"Remove query parameter {number}")
        for line in (self.name, self.text):
            line.whole_changed.connect(self.changed)
            line.installEventFilter(self)
        self.name.setPlaceholderText("name")
        self.text.setPlaceholderText("value (empty text)")
        self.name.returnPressed.connect(self.text.setFocus)
        self.text.returnPressed.connect(self.entered)
        remove.clicked.connect(lambda _: self.removed.emit())
        row((self.name, 2), (self.text, 3), remove, of=self, spacing=4)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl Delete is taken before the line edits, which would delete a word."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if control and event.key() == Qt.Key.Key_Delete:
                self.removed.emit()
                return True
        return super().eventFilter(watched, event)
