"""Editors that offer a few values: an enumeration of the contract, and true or false."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.editor import Editor, Place, same
from explorer.ui.forms.held_line import LINE_MOST, held_words
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.plain import visible


class ChoiceEditor(Editor):
    """One of the contract's values, or left out, or null. A value from elsewhere joins the list and gets its fault."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._values: list[Any] = []
        self._box = ElidedCombo(field.name)
        self._box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._box.setMinimumContentsLength(6)
        self._box.view().setAccessibleName(f"Values of {field.name}")
        self.hold(self._box)
        self._fill()
        self._show_state()
        self._box.currentIndexChanged.connect(self._chosen)

    def options(self) -> list[tuple[str, Any]]:
        """The values of the contract, as words and value."""
        return [(choice, choice) for choice in self.field.choices]

    def _fill(self) -> None:
        self._add(self.left_out_words, ABSENT)
        for words, value in self.options():
            self._add(words, value)
        if self.may_be_null:
            self._add("null", None)

    def _add(self, words: str, value: Any) -> None:
        self._values.append(value)
        self._box.addItem(held_words(words) if len(words) > LINE_MOST else visible(words))

    def input(self) -> QComboBox:
        """The box."""
        return self._box

    def value(self) -> Any:
        return self._values[max(self._box.currentIndex(), 0)]

    def set_value(self, value: Any) -> bool:
        place = next((i for i, known in enumerate(self._values) if same(known, value)), -1)
        if place < 0:
            if not self.may_join(value):
                return False
            words = "null" if value is None else '"" (empty text)' if value == "" else str(value)
            self._add(words, value)
            place = len(self._values) - 1
        blocked = self._box.blockSignals(True)
        self._box.setCurrentIndex(place)
        self._box.blockSignals(blocked)
        self._show_state()
        return True

    def _chosen(self, _place: int) -> None:
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        """Left out looks as it does in an empty line; the colour is the palette's."""
        left_out = self.value() is ABSENT
        self._box.setStyleSheet("QComboBox { color: palette(placeholder-text); }" if left_out else "")

    def may_join(self, value: Any) -> bool:
        """Whether a value that the contract does not list can be held."""
        return isinstance(value, str) or value is None

    def choices_of_state(self) -> list[tuple[str, Any]]:
        made = super().choices_of_state()
        return [*made, *((f"Send {words}", value) for words, value in self.options())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent):  # scrolling the form must not change what it will send
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """The box has its own list on Alt Down, in which every state stands; Backspace leaves the field out."""
        if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and self.value() is not ABSENT:
            self._box.setCurrentIndex(0)
            return True
        return False

    def context_menu(self, event: QContextMenuEvent) -> bool:
        self.open_menu(event.globalPos())
        return True


class BooleanEditor(ChoiceEditor):
    """True, false, left out, or null: four different things."""

    def options(self) -> list[tuple[str, Any]]:
        return [("true", True), ("false", False)]

    def empty_value(self) -> Any:
        return None

    def may_join(self, value: Any) -> bool:
        return value is None
