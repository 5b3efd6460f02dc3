"""Labelled fields below each other, each with room for a sentence about what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import restyle

_EDITS = ("textChanged", "currentIndexChanged", "valueChanged")


class FormRows(QWidget):
    """The rows of a form, by the names of their fields."""

    edited = Signal(str)
    """A field was edited; what was said of it is gone."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("ground", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.editors: dict[str, QWidget] = {}
        self.parts: dict[str, tuple[PlainLabel, QWidget]] = {}
        """Label and field of each row, in their order."""
        self._faults: dict[str, PlainLabel] = {}
        self.grid = QGridLayout(self)
        self.grid.setContentsMargins(20, 16, 20, 16)
        self.grid.setHorizontalSpacing(16)
        self.grid.setVerticalSpacing(4)
        self.grid.setColumnStretch(1, 1)

    def add(
        self,
        field: str,
        label: str,
        editor: QWidget,
        below: QWidget | None = None,
        *,
        place: QWidget | None = None,
        at: int | None = None,
    ) -> None:
        """Adds a row, at the end unless ``at`` says where.

        ``place``: a widget that has the editor in it, and says by itself when that was edited unless it is an editor
        with something beside it.
        """
        fault = PlainLabel("", role="error", wrap=True)
        fault.hide()
        box = QWidget()
        parts = [part for part in (place or editor, below, fault) if part is not None]
        column(*parts, of=box, margins=(0, 0, 0, 4), spacing=2)
        name = PlainLabel(label, role="muted")
        name.setBuddy(editor)
        name.setMinimumHeight(28)
        name.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        editor.setAccessibleName(label)
        at = self.grid.rowCount() if at is None else at
        self.grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop)
        self.grid.addWidget(box, at, 1)
        self._faults[field] = fault
        self.editors[field] = editor
        self.parts[field] = (name, box)
        for part in (name, box) if self.isVisible() else ():
            part.show()  # a row that comes later would appear one turn of the loop after the others
        for signal in _EDITS if not hasattr(place, "changed") else ():
            if hasattr(editor, signal):
                getattr(editor, signal).connect(lambda *_: self.note_edited(field))

    def remove(self, field: str) -> None:
        """Takes a row away."""
        for part in self.parts.pop(field):
            self.grid.removeWidget(part)
            part.deleteLater()
        del self.editors[field], self._faults[field]

    def rename(self, field: str, label: str) -> None:
        """Gives a row another label; one without a label is hidden."""
        self.parts[field][0].setText(label)
        self.editors[field].setAccessibleName(label)
        self.show_row(field, bool(label))

    def show_row(self, field: str, shown: bool) -> None:
        """Shows or hides a row."""
        for part in self.parts[field]:
            part.setVisible(shown)

    def note_edited(self, field: str) -> None:
        """Takes away what was said of a field that was edited, and says that it was."""
        self._clear(field)
        self.edited.emit(field)

    # ---- what is wrong

    def faults(self) -> dict[str, str]:
        """What stands under which field."""
        return {field: label.whole() for field, label in self._faults.items() if label.whole()}

    def show_fault(self, field: str, sentence: str) -> QWidget:
        """Writes ``sentence`` under its field, and gives the label for who scrolls to it."""
        self._faults[field].setText(sentence)
        self._faults[field].show()
        editor = self.editors[field]
        editor.setProperty("invalid", True)
        editor.setAccessibleDescription(sentence)
        restyle(editor)
        return self._faults[field]

    def clear_faults(self) -> None:
        """Takes all sentences away."""
        for field in self._faults:
            self._clear(field)

    def _clear(self, field: str) -> None:
        if self._faults[field].whole():
            self._faults[field].setText("")
            self._faults[field].hide()
            editor = self.editors[field]
            editor.setProperty("invalid", False)
            editor.setAccessibleDescription("")
            restyle(editor)
