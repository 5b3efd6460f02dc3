"""The fields of one model as rows of editors: in columns, side by side, or in one line with the names in front."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QWidget

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.editor import Editor, Place, described
from explorer.ui.forms.faults import Fault
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.forms.make import editor_of, rows_of
from explorer.ui.forms.row import FieldRow, label_of
from explorer.ui.plain import PlainLabel, tooltip

Arrangement = Literal["columns", "flow", "line"]

EditorMaker = Callable[[Field, Place], Editor]


RowMaker = Callable[[tuple[Field, ...]], Sequence[tuple[Field, ...]]]

_WIDTHS = {"number": 90, "boolean": 100, "date": 120, "id": 150, "text": 120}


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
        rows: RowMaker = rows_of,
    ) -> None:
        """``make`` and ``rows`` give another editor to a field, and another order to the rows of ``columns``."""
        super().__init__(parent)
        self._rows_of = rows
        self._fields = tuple(field for field in fields_of(model) if field.name not in hide)
        self.editors: dict[str, Editor] = {f.name: make(f, place) for f in self._fields}
        self.rows: dict[str, FieldRow] = {}
        {"columns": self._columns, "flow": self._flow, "line": self._line}[arrangement]()
        # After the rows, which note that a field was touched before anybody asks for its faults.
        for name, editor in self.editors.items():
            editor.changed.connect(lambda n=name: self.changed.emit(n))

    def __len__(self) -> int:
        return len(self.editors)

    def value(self) -> dict[str, Any]:
        """What was set, in the order of the fields; None is null."""
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
        """What the editors themselves find: text that is no JSON."""
        return [
            Fault((name, *fault.path), fault.sentence, fault.source)
            for name, editor in self.editors.items()
            for fault in editor.faults()
        ]

    def show_faults(self, faults: list[Fault], *, untouched: bool = False) -> list[Fault]:
        """Show each fault at its field; gives back those that belong to none of them."""
        for name, row in self.rows.items():
            own = [fault for fault in faults if fault.path and fault.path[0] == name]
            row.show_faults(row.editor.show_inside(own, untouched=untouched), untouched=untouched)
        return [fault for fault in faults if not fault.path or fault.path[0] not in self.rows]

    def forget_touches(self) -> None:
        """Treat every field as one that was not edited yet."""
        for row in self.rows.values():
            row.touched = False

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
        row = FieldRow(editor, title=not editor.has_title, note=note)
        self.rows[field.name] = row
        return row

    def _columns(self) -> None:
        box = QGridLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setHorizontalSpacing(12)
        box.setVerticalSpacing(12)
        box.setColumnStretch(0, 1)
        box.setColumnStretch(1, 1)
        made = self._rows_of(self._fields)
        for line, fields in enumerate(made):
            for column, field in enumerate(fields):
                row = self._row(field)
                row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
                box.addWidget(row, line, column, 1, 2 if len(fields) == 1 else 1)
                box.setAlignment(row, Qt.AlignmentFlag.AlignTop)
        for previous, following in zip(self._in_order(made), self._in_order(made)[1:], strict=False):
            QWidget.setTabOrder(previous, following)

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
            row = self._row(field, note=False)
            row.setFixedWidth(max(width_of(field), row.fontMetrics().horizontalAdvance(label_of(field)) + 34))
            box.addWidget(row)

    def _line(self) -> None:
        box = FlowLayout(self, gap=12, line_gap=6)
        for field in self._fields:
            cell = QWidget()
            inside = QHBoxLayout(cell)
            inside.setContentsMargins(0, 0, 0, 0)
            inside.setSpacing(8)
            label = PlainLabel(label_of(field), role="muted")
            label.setToolTip(tooltip(described(field)))
            editor = self.editors[field.name]
            label.setBuddy(editor)
            editor.setFixedWidth(width_of(field))
            inside.addWidget(label)
            inside.addWidget(editor)
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
