"""Editors of one line: a text, and a number that is kept as it was typed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms import exact
from explorer.ui.forms.editor import Editor, Place, same
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.held_line import HeldLine
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.kit.theme import icon

Offer = Callable[[], Sequence[tuple[str, str]]]
"""Values to choose from, each with what it is called; asked for each time that they are shown."""


class TextEditor(Editor):
    """A text. An empty input leaves the field out; empty text and null are reached by the menu."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self._held: Any = ABSENT
        self._offer: Offer | None = None
        self._choices: _Choices | None = None
        self._line = HeldLine()
        self.hold(self._line)
        self._line.whole_changed.connect(self._typed)
        if field.observed is not None and field.observed.choices:
            self._line.setCompleter(completer(field.observed.choices, self._line))
        self._show_state()

    def input(self) -> HeldLine:
        """The line edit."""
        return self._line

    def value(self) -> Any:
        return self._held

    def set_value(self, value: Any) -> bool:
        if not (value is ABSENT or value is None or isinstance(value, str)):
            return False
        return self._take(value, value or "")

    def _take(self, value: Any, text: str) -> bool:
        before = self._line.whole()
        self._line.set_whole(text)
        kept = self._line.whole() == text
        if not kept:  # a lone surrogate, or a byte order mark turned round, does not survive in Qt
            self._line.set_whole(before)
        if kept:
            self._line.setCursorPosition(0)
            self._held = value
            self._show_state()
        return kept

    def _typed(self) -> None:
        text = self._line.whole()
        self._held = self.read(text) if text else ABSENT
        self._show_state()
        self.changed.emit()

    def offer(self, values: Offer, what: str) -> None:
        """Let the user choose from ``values`` with Down or the arrow in the line; ``what`` says which they are."""
        self._offer = values
        self._choices = _Choices(self._line)
        self._choices.activated.connect(self._take_chosen)
        if (popup := self._choices.popup()) is not None:
            popup.setAccessibleName(what)
        arrow = self._line.addAction(icon("chevron-down"), QLineEdit.ActionPosition.TrailingPosition)
        arrow.setText(what)
        arrow.setToolTip(tooltip(f"{what} (Down)"))
        arrow.triggered.connect(self.show_offer)

    def show_offer(self) -> None:
        """Open the list of what can be chosen; nothing where there is none."""
        if self._offer is not None and self._choices is not None:
            self._choices.show_values(self._offer())

    def _take_chosen(self, value: str) -> None:
        self._line.set_whole(value)
        self._typed()

    def key_pressed(self, event: QKeyEvent) -> bool:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self._offer is not None and plain and event.key() == Qt.Key.Key_Down:
            self.show_offer()
            return True
        return super().key_pressed(event)

    def read(self, text: str) -> Any:
        """The value that a text in the line stands for."""
        return text

    def _show_state(self) -> None:
        words = self.left_out_words
        if self._held is None:
            words = "null"
        elif self._held == "":
            words = '"" (empty text)'
        self._line.setPlaceholderText(words)
        font = self._line.font()
        if font.italic() != (self._held is None or self._held == ""):
            font.setItalic(not font.italic())
            self._line.setFont(font)

    def context_menu(self, event: QContextMenuEvent) -> bool:
        self.open_standard(self._line.createStandardContextMenu(), event.globalPos())
        return True


def completer(words: Iterable[str], parent: QWidget) -> QCompleter:
    """Offers the values that were seen; any other can be typed."""
    made = QCompleter(list(words), parent, caseSensitivity=Qt.CaseSensitivity.CaseInsensitive)
    made.setFilterMode(Qt.MatchFlag.MatchContains)
    made.setMaxVisibleItems(12)
    return made


class _Choices(QCompleter):
    """A list below a line of values with what each is called; only the value is taken."""

    def __init__(self, line: QLineEdit) -> None:
        super().__init__(line)
        self._values = QStandardItemModel(self)
        self.setModel(self._values)
        self.setWidget(line)
        self.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self.setMaxVisibleItems(12)

    def show_values(self, values: Sequence[tuple[str, str]]) -> None:
        """Open the list with ``values``."""
        self._values.clear()
        for value, name in values:
            item = QStandardItem(f"{visible(value)}   {visible(name)}" if name else visible(value))
            item.setData(value, Qt.ItemDataRole.UserRole)
            self._values.appendRow(item)
        if values:
            self.complete()

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        return str(index.data(Qt.ItemDataRole.UserRole))


class NumberEditor(TextEditor):
    """A number as typed: nothing is rounded or rewritten. What is no number goes as text, and its fault says so."""

    def read(self, text: str) -> Any:
        found = exact.number(text.strip())
        if found is None:
            return text
        return str(found) if self.place != "body" and isinstance(found, RawJson) else found

    def set_value(self, value: Any) -> bool:
        if value is ABSENT or value is None:
            return self._take(value, "")
        if isinstance(value, bool) or not isinstance(value, int | float | str | RawJson):
            return False
        text = self.written(value)
        return bool(text) and same(self.read(text), value) and self._take(value, text)

    def written(self, value: float | str | RawJson) -> str:
        """The text of the line for ``value``."""
        return str(value)
