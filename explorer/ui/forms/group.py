"""An editor of an object whose fields are known: a heading, and the fields below it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.editor import Editor, Place, sentence_case
from explorer.ui.forms.faults import Fault, Path
from explorer.ui.forms.grid import FieldGrid
from explorer.ui.plain import PlainLabel, tooltip


class GroupEditor(Editor):
    """An object. With no field set it is left out, empty ``{}`` or null, as chosen; with one set it has a value."""

    has_title = True

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        if field.model is None:
            raise ValueError(f"{field.name}: a group needs a model")
        self._bare: Any = ABSENT
        self._state = PlainLabel(role="faint")
        self._menu = QToolButton()
        self.grid = FieldGrid(field.model, place)
        self.box.addLayout(self._head())
        self.box.addWidget(self.grid)
        self.grid.changed.connect(self._inner_changed)
        self._show_state()

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setContentsMargins(0, 4, 0, 8)
        head.setSpacing(8)
        words = sentence_case(self.field.name.replace("_", " "))
        title = PlainLabel(f"{words} *" if self.field.required else words, role="heading")
        title.setToolTip(tooltip(self.field.name))
        self._menu.setText("⋯")
        self._menu.setFixedSize(20, 16)
        self._menu.setAccessibleName(f"What to send as {self.field.name}")
        self._menu.setToolTip(tooltip("Leave out, send null or an empty object"))
        self._menu.clicked.connect(lambda _: self.open_menu())
        head.addWidget(title)
        head.addWidget(self._state)
        head.addStretch(1)
        head.addWidget(self._menu)
        return head

    def input(self) -> QWidget:
        """The button of its menu: the fields have inputs of their own."""
        return self._menu

    def first_input(self) -> QWidget:
        return self.grid.first_input() or self._menu

    def value(self) -> Any:
        return self.grid.value() or (self._bare if self._bare is ABSENT or self._bare is None else {})

    def set_value(self, value: Any) -> bool:
        if not (value is ABSENT or value is None or isinstance(value, dict)):
            return False
        if not self.grid.set_value(value or {}):
            return False
        self._bare = ABSENT if value else value
        self._show_state()
        return True

    def faults(self) -> list[Fault]:
        return self.grid.faults()

    def show_inside(self, faults: list[Fault], *, untouched: bool) -> list[Fault]:
        inner = [Fault(f.path[1:], f.sentence, f.source) for f in faults if len(f.path) > 1]
        rest = self.grid.show_faults(inner, untouched=untouched)
        return [
            *(f for f in faults if len(f.path) == 1),
            *(Fault((self.field.name, *f.path), f.sentence) for f in rest),
        ]

    def show_faults(self, faults: list[Fault]) -> None:
        """A fault of the whole stands below it; there is no input to mark."""

    def focus_on(self, path: Path) -> None:
        if not self.grid.focus_on(path):
            self._menu.setFocus(Qt.FocusReason.OtherFocusReason)

    def empty_value(self) -> Any:
        return {}

    def _inner_changed(self, _name: str) -> None:
        if self.grid.value():
            # The contract's own group stays there when its last field is emptied; another goes with it.
            self._bare = {} if self.field.required else ABSENT
        self._show_state()
        self.changed.emit()

    def _show_state(self) -> None:
        words = {"left out": "left out", "null": "null", "empty": "{ } with no fields", "value": ""}[
            self.state
        ]
        self._state.setText(words)
