"""The fields of one model as rows of editors: which editor a field gets, what stands above and below it.

A grid makes editors, and the editor of an object holds a grid of its own: so both stand here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QEnterEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.chips_editor import ChipsEditor
from explorer.ui.forms.choice_editor import BooleanEditor, ChoiceEditor
from explorer.ui.forms.editor import Editor, Place, described, sentence_case
from explorer.ui.forms.faults import Fault, Path
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.forms.json_edit import JsonEditor
from explorer.ui.forms.text_editor import NumberEditor, TextEditor
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import set_look

Arrangement = Literal["columns", "flow", "line"]

EditorMaker = Callable[[Field, Place], Editor]


def editor_of(field: Field, place: Place) -> Editor:
    """An editor for one field by its kind: choices, text, number, boolean, list of texts, group, or JSON."""
    if field.choices and field.kind in ("text", "id", "date"):
        return ChoiceEditor(field, place)
    if field.kind in ("text", "id", "date"):
        return TextEditor(field, place)
    if field.kind == "number":
        return NumberEditor(field, place)
    if field.kind == "boolean":
        return BooleanEditor(field, place)
    if field.kind == "array" and field.items in ("text", "id", "date"):
        return ChipsEditor(field, place)
    if field.kind == "object" and field.model is not None:
        return GroupEditor(field, place)
    return JsonEditor(field, place)


def is_short(field: Field) -> bool:
    """Whether half the width is enough: numbers, choices, true and false, dates, and a person's names."""
    if field.kind in ("number", "boolean", "date") or field.choices:
        return True
    return field.kind == "text" and field.name.endswith("_name")


def rows_of(fields: tuple[Field, ...]) -> list[tuple[Field, ...]]:
    """The fields in rows: as the catalog says (`Field.row`), else one or two by how short they are.

    A short field takes the next short one of its group beside it. Fields that say nothing stand below those that do.
    """
    numbers = sorted({f.row for f in fields if f.row})
    rows = [tuple(f for f in fields if f.row == number) for number in numbers]
    left = [f for f in fields if not f.row]
    while left:
        first = left.pop(0)
        mate = None
        if is_short(first) and not numbers:
            mate = next((f for f in left if is_short(f)), None)
        if mate is not None:
            left.remove(mate)
        rows.append((first, mate) if mate else (first,))
    return rows


_WIDTHS = {"number": 90, "boolean": 100, "date": 120, "id": 150, "text": 120}


def label_of(field: Field) -> str:
    """A field's own name, with a star where the contract requires it."""
    return f"{field.name} *" if field.required else field.name


def note_of(field: Field) -> str:
    """The one line under a field that has no fault: what the contract asks and does not show otherwise."""
    rule = ", ".join(
        part
        for part in (
            f"must start with {field.prefix}" if field.prefix else "",
            f"at least {field.min_length} characters" if field.min_length > 1 else "",
        )
        if part
    )
    seen = field.observed
    told = []
    if rule:
        told.append(sentence_case(rule))
    if field.kind == "array" and field.items in ("text", "id"):
        told.append("Paste a list to split it")
    if seen is not None and seen.required and not field.required:
        told.append("Observed: the service requires it")
    return " · ".join(told)


class FieldRow(QWidget):
    """Name above, editor, and one line below. Faults are shown once the field was touched, or all were asked for."""

    def __init__(
        self, editor: Editor, parent: QWidget | None = None, *, title: bool = True, note: bool = True
    ) -> None:
        super().__init__(parent)
        self.editor = editor
        field = editor.field
        self.setToolTip(tooltip(described(field)))
        self._menu = QToolButton(self) if title else None
        self._note = note_of(field) if note else ""
        self._below = PlainLabel(self._note, role="faint", wrap=True)
        head = [self._head(field, self._menu)] if self._menu is not None else []
        column(*head, editor, self._below, of=self, spacing=4)
        if self._menu is not None:
            self._menu.hide()
            editor.input().installEventFilter(self)
        # Not before it has a parent: it would be a window until then.
        self._below.setVisible(bool(self._note))
        self.touched = False
        self._shown: list[Fault] = []
        editor.changed.connect(self._touch)
        editor.hint_changed.connect(self._show_below)

    def _head(self, field: Field, menu: QToolButton) -> QHBoxLayout:
        label = PlainLabel(label_of(field), role="muted", elide=True)
        label.setBuddy(self.editor)
        policy = menu.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # it comes and goes with pointer and focus: nothing may jump
        menu.setSizePolicy(policy)
        menu.setText("⋯")
        menu.setFixedSize(20, 16)
        menu.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Alt Down and the menu key open the same from the field
        menu.setAccessibleName(f"What to send as {field.name}")
        menu.setToolTip(tooltip("Left out, null or empty (Alt Down)"))
        menu.clicked.connect(lambda _: self.editor.open_menu())
        return row((label, 1), menu, spacing=4)

    @property
    def name_width(self) -> int:
        """Pixels that its name and menu need."""
        return self.fontMetrics().horizontalAdvance(label_of(self.editor.field)) + 28

    def show_faults(self, faults: list[Fault], *, untouched: bool = False) -> None:
        """Show the faults of this field; those of the contract only if it was touched, unless ``untouched``."""
        shown = [f for f in faults if untouched or self.touched or f.source != "contract"]
        self.editor.show_faults(shown)
        self._shown = shown
        self._show_below()

    def _show_below(self) -> None:
        """Faults first; else what the editor says of its value; else the rule."""
        hint = None if self._shown else self.editor.hint()
        text = "\n".join(dict.fromkeys(self._sentence(fault) for fault in self._shown))
        text = text or (hint.words if hint else self._note)
        self._below.setText(text)
        self._role("error" if self._shown else hint.role if hint else "faint")
        self._below.setVisible(bool(text))
        told = text if self._shown or hint else described(self.editor.field)
        self.editor.input().setAccessibleDescription(told)

    def _sentence(self, fault: Fault) -> str:
        inner = [step for step in fault.path[1:] if isinstance(step, int)]
        value = self.editor.value()
        if inner and isinstance(value, list) and len(value) > 1:
            return f"Value {inner[0] + 1}: {fault.sentence}"
        return fault.sentence

    def _role(self, role: str) -> None:
        set_look(self._below, role=role)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._show_menu(True)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._show_menu(self.editor.input().hasFocus())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._show_menu(event.type() == QEvent.Type.FocusIn or self.underMouse())
        return super().eventFilter(watched, event)

    def _show_menu(self, on: bool) -> None:
        if self._menu is not None:
            self._menu.setVisible(on)

    def _touch(self) -> None:
        self.touched = self.touched or self.editor.value() is not ABSENT


class FieldGrid(QWidget):
    """Editors for the fields of ``model``. Its value holds only what was set."""

    changed = Signal(str)
    """The name of the field that was edited."""

    def __init__(
        self,
        model: type[BaseModel],
        place: Place,
        arrangement: Arrangement = "columns",
        hide: Collection[str] = (),
        parent: QWidget | None = None,
        *,
        make: EditorMaker = editor_of,
    ) -> None:
        """``make`` gives another editor to a field."""
        super().__init__(parent)
        self._fields = tuple(field for field in fields_of(model) if field.name not in hide)
        self.editors: dict[str, Editor] = {f.name: make(f, place) for f in self._fields}
        self.rows: dict[str, FieldRow] = {}
        self._lines: Sequence[tuple[Field, ...]] = ()
        """The fields that stand beside each other, where there is room for it."""
        self._narrow: bool | None = None
        {"columns": self._columns, "flow": self._flow, "line": self._line}[arrangement]()
        # After the rows, which note that a field was touched before anybody asks for its faults.
        for name, editor in self.editors.items():
            editor.changed.connect(lambda n=name: self.changed.emit(n))

    def __len__(self) -> int:
        return len(self.editors)

    def value(self) -> dict[str, Any]:
        """The values that were set, in the order of the fields; None is null."""
        values = {name: editor.value() for name, editor in self.editors.items()}
        return {name: value for name, value in values.items() if value is not ABSENT}

    def set_value(self, values: Mapping[str, Any]) -> bool:
        """Take ``values``; fields that are not in it are left out. False, and unchanged, when they do not fit."""
        if not set(values) <= set(self.editors):
            return False
        before = self.value()
        if all(editor.set_value(values.get(name, ABSENT)) for name, editor in self.editors.items()):
            return True
        for name, editor in self.editors.items():
            editor.set_value(before.get(name, ABSENT))
        return False

    def faults(self) -> list[Fault]:
        """The faults that the editors find themselves: text that is no JSON."""
        return [
            Fault((name, *fault.path), fault.sentence, fault.source)
            for name, editor in self.editors.items()
            for fault in editor.faults()
        ]

    def show_faults(self, faults: list[Fault], *, untouched: bool = False) -> list[Fault]:
        """Show each fault at its field; gives back those that belong to none of them."""
        for name, line in self.rows.items():
            own = [fault for fault in faults if fault.path and fault.path[0] == name]
            line.show_faults(line.editor.show_inside(own, untouched=untouched), untouched=untouched)
        return [fault for fault in faults if not fault.path or fault.path[0] not in self.rows]

    def forget_touches(self) -> None:
        """Treat every field as one that was not edited yet."""
        for line in self.rows.values():
            line.touched = False

    def first_input(self) -> QWidget | None:
        """Where filling in begins: the first field as they stand; None without fields."""
        names = [*self.rows, *self.editors]
        return self.editors[names[0]].first_input() if names else None

    def focus_on(self, path: tuple[str | int, ...]) -> bool:
        """Put the focus into the field at ``path``."""
        editor = self.editors.get(str(path[0])) if path else None
        if editor is None:
            return False
        editor.focus_on(path[1:])
        return True

    def _row(self, field: Field, *, note: bool = True) -> FieldRow:
        editor = self.editors[field.name]
        made = self.rows[field.name] = FieldRow(editor, title=not editor.has_title, note=note)
        return made

    def _columns(self) -> None:
        box = QGridLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setHorizontalSpacing(12)
        box.setVerticalSpacing(12)
        box.setColumnStretch(0, 1)
        box.setColumnStretch(1, 1)
        made = rows_of(self._fields)
        for fields in made:
            for field in fields:
                cell = self._row(field)
                cell.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._lines = made
        self._place(box)
        for previous, following in zip(self._in_order(made), self._in_order(made)[1:], strict=False):
            QWidget.setTabOrder(previous, following)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        box = self.layout()
        if isinstance(box, QGridLayout):
            self._place(box)

    def _place(self, box: QGridLayout) -> None:
        """Fields beside each other where their names have the room, else below each other."""
        most = max(
            (self.rows[f.name].name_width for line in self._lines if len(line) > 1 for f in line), default=0
        )
        narrow = self.width() < 2 * most + box.horizontalSpacing()
        if narrow == self._narrow:
            return
        self._narrow = narrow
        lines = [(field,) for line in self._lines for field in line] if narrow else self._lines
        for at, fields in enumerate(lines):
            for place, field in enumerate(fields):
                cell = self.rows[field.name]
                box.removeWidget(cell)
                box.addWidget(cell, at, place, 1, 2 if len(fields) == 1 else 1)
                box.setAlignment(cell, Qt.AlignmentFlag.AlignTop)

    def _in_order(self, rows: Sequence[tuple[Field, ...]]) -> list[QWidget]:
        """Every stop of Tab, as they stand: all of an editor's, or its further ones are left in a ring of their own."""
        return [
            stop
            for fields in rows
            for f in fields
            if not self.editors[f.name].has_title
            for stop in _stops(self.editors[f.name])
        ]

    def _flow(self) -> None:
        box = FlowLayout(self, gap=12, line_gap=8)
        for field in self._fields:
            cell = self._row(field, note=False)
            cell.setFixedWidth(
                max(width_of(field), cell.fontMetrics().horizontalAdvance(label_of(field)) + 34)
            )
            box.addWidget(cell)

    def _line(self) -> None:
        box = FlowLayout(self, gap=12, line_gap=6)
        for field in self._fields:
            cell = QWidget()
            label = PlainLabel(label_of(field), role="muted")
            label.setToolTip(tooltip(described(field)))
            editor = self.editors[field.name]
            label.setBuddy(editor)
            editor.setFixedWidth(width_of(field))
            row(label, editor, of=cell, spacing=8)
            box.addWidget(cell)


def _stops(editor: Editor) -> list[QWidget]:
    """What Tab comes to within ``editor``, its input first; a list that opens in a window of its own is not in it."""
    found = [
        one
        for one in editor.findChildren(QWidget)
        if one.focusPolicy().value & Qt.FocusPolicy.TabFocus.value
        and one.focusProxy() is None
        and one.window() is editor.window()
    ]
    return sorted(found, key=lambda one: one is not editor.input())


def width_of(field: Field) -> int:
    """The first width of an editor in a line, in pixels at 100 %."""
    if field.choices:
        return 112
    return _WIDTHS.get(field.kind, 180) + (40 if field.required else 0)


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
        words = sentence_case(self.field.name.replace("_", " "))
        title = PlainLabel(f"{words} *" if self.field.required else words, role="heading")
        title.setToolTip(tooltip(self.field.name))
        self._menu.setText("⋯")
        self._menu.setFixedSize(20, 16)
        self._menu.setAccessibleName(f"What to send as {self.field.name}")
        self._menu.setToolTip(tooltip("Leave out, send null or an empty object"))
        self._menu.clicked.connect(lambda _: self.open_menu())
        return row(title, self._state, STRETCH, self._menu, margins=(0, 4, 0, 8), spacing=8)

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
        """Shows a fault of the whole object below it, as there is no input to mark."""

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
