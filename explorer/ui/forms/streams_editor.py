"""An editor of a pipeline's streams: a small table of name, disabled and fields, or the same as JSON.

The contract says only that streams are an object; the shape ``{name: {disabled?, fields?}}`` was observed. Other keys
of a stream are kept as they are, and what the table cannot hold is edited as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QToolButton, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.jsontext.typed import check, pretty
from explorer.ui.forms import exact
from explorer.ui.forms.chips_editor import ChipsEditor
from explorer.ui.forms.choice_editor import BooleanEditor
from explorer.ui.forms.editor import Editor, Place, are_texts, same_content
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.faults import Fault, Path
from explorer.ui.forms.held_line import HeldLine
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import CONTROL
from explorer.ui.kit.visible import shortened

_DISABLED = Field("disabled", "boolean", required=False, nullable=False)
_FIELDS = Field("fields", "array", required=False, nullable=False, items="text")
_OWN = ("disabled", "fields")
_CHOICE = 104  # width of true and false, in pixels at 100 %
_NARROWEST = 200
_WIDE = 360  # pixels at 100 %: below, the fields of a stream stand under its name


class StreamsEditor(Editor):
    """Streams as rows. With no row the field is left out, null or ``{}``, as chosen in its menu."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(field, place, parent)
        self.rows: list[StreamRow] = []
        self._bare: Any = ABSENT
        self._frame = QWidget()
        self._box = column(spacing=6)
        self._head = _Head()
        self.add_button = push_button("+ Add a stream", kind="link")
        self.add_button.setStyleSheet("QPushButton { padding-left: 0; }")  # in line with what stands above it
        self.toggle = push_button(
            "Edit as JSON", kind="link", name=f"Edit {field.name} as JSON", checkable=True
        )
        self.edit = JsonEdit(lines=5)
        self.edit.setAccessibleName(f"{field.name} as JSON")
        self.said = PlainLabel(role="faint", wrap=True)
        self._build()
        self.hold(self.add_button, around=self._frame)
        self.add_button.setAccessibleName("Add a stream")
        self.add_button.clicked.connect(lambda _: self.add_row().name.setFocus())
        self.toggle.clicked.connect(self._toggled)
        self.edit.edited.connect(self.changed)
        self._show_json(False)

    def _build(self) -> None:
        foot = row(self.add_button, STRETCH, self.toggle, spacing=-1)
        column(self._head, self._box, self.edit, self.said, foot, of=self._frame, spacing=4)

    def input(self) -> QWidget:
        """The button that adds a stream: the rows have inputs of their own."""
        return self.edit if self.is_json else self.add_button

    @property
    def is_json(self) -> bool:
        """The whole is edited as one JSON text."""
        return not self.edit.isHidden()

    # ---- the value

    def value(self) -> Any:
        if self.is_json:
            return self.edit.value()
        named = [(row.name.whole(), row.value()) for row in self.rows if row.says_something]
        if not named:
            return self._bare
        if len({name for name, _ in named}) < len(named):  # no dict can hold a name twice, and JSON can
            pairs = (f"{exact.encode(n).decode()}:{exact.encode(v).decode()}" for n, v in named)
            return RawJson("{" + ",".join(pairs) + "}")
        return dict(named)

    def set_value(self, value: Any) -> bool:
        self._clear()
        self._show_json(False)
        if value is ABSENT or value is None or value == {}:
            self._bare = value
        elif self._fits(value):
            for name, stream in value.items():
                self._put(StreamRow(name, stream))
        else:
            self._put_json(value)
            self._show_json(True)
        self._show_state()
        return same_content(self.value(), value) if value is not ABSENT else self.value() is ABSENT

    def _fits(self, value: Any) -> bool:
        """Whether rows can hold ``value`` exactly."""
        return isinstance(value, dict) and all(
            isinstance(stream, dict)
            and isinstance(stream.get("disabled", False), bool)
            and are_texts(stream.get("fields", []))
            for stream in value.values()
        )

    def add_row(self, name: str = "") -> StreamRow:
        """Add a stream at the end."""
        row = self._put(StreamRow(name, {}))
        self._bare = ABSENT
        self._show_state()
        if name:
            self.changed.emit()
        return row

    def remove_row(self, row: StreamRow) -> None:
        """Take a stream away; after the last one the field is left out."""
        place = self.rows.index(row)
        self._drop(row)
        self._bare = ABSENT
        self._show_state()
        (self.rows[max(place - 1, 0)].name if self.rows else self.add_button).setFocus()
        self.changed.emit()

    def faults(self) -> list[Fault]:
        if self.is_json:
            fault = self.edit.fault()
            return [Fault((), fault.sentence, "json")] if fault is not None else super().faults()
        names = [row.name.whole() for row in self.rows if row.says_something]
        found = []
        if "" in names:
            found.append(Fault((), "A stream has no name", "json"))
        twice = next((name for name in names if name and names.count(name) > 1), None)
        if twice is not None:
            found.append(Fault((), f"The stream {shortened(twice)} appears twice", "json"))
        return found[:1] or super().faults()

    def show_faults(self, faults: list[Fault]) -> None:
        names = [row.name.whole() for row in self.rows if row.says_something]
        for one in self.rows:
            name = one.name.whole()
            own = not name or names.count(name) > 1
            self.mark(one.name, bool(faults) and one.says_something and own)
        self.mark(self.edit, bool(faults) and self.is_json)

    def focus_on(self, path: Path) -> None:
        wrong = next((row.name for row in self.rows if row.name.property("invalid")), None)
        (wrong or self.input()).setFocus(Qt.FocusReason.OtherFocusReason)

    def empty_value(self) -> Any:
        return {}

    def context_menu(self, event: QContextMenuEvent) -> bool:
        self.open_menu(event.globalPos())
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_state()

    # ---- rows and text

    def _put(self, row: StreamRow) -> StreamRow:
        row.changed.connect(self._edited)
        row.removed.connect(lambda: self.remove_row(row))
        self.rows.append(row)
        self._box.addWidget(row)
        before = self.add_button.previousInFocusChain() or self.add_button
        for widget in (*row.stops, self.add_button):
            QWidget.setTabOrder(before, widget)
            before = widget
        return row

    def _drop(self, row: StreamRow) -> None:
        self.rows.remove(row)
        self._box.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _clear(self) -> None:
        for one in list(self.rows):
            self._drop(one)
        self._bare = ABSENT

    def _edited(self) -> None:
        self._bare = ABSENT
        self.changed.emit()

    def _toggled(self, json: bool) -> None:
        value = self.value()
        if json:
            self._put_json(value)
            self._show_json(True)
        elif value is ABSENT or value is None or (self._fits(value) and not isinstance(value, RawJson)):
            self.set_value(value)
        else:
            self.toggle.setChecked(True)
            self.said.setText("The table cannot hold this: it can be edited as JSON only")
            self.said.show()
            return
        self._show_state()
        self.changed.emit()

    def _put_json(self, value: Any) -> None:
        text = "" if value is ABSENT else exact.encode(value).decode()
        blocked = self.edit.blockSignals(True)
        self.edit.set_text(pretty(text) if text and check(text) is None else text)
        self.edit.blockSignals(blocked)

    def _show_json(self, json: bool) -> None:
        self.toggle.setChecked(json)
        self.edit.setVisible(json)
        self.add_button.setVisible(not json)
        for one in self.rows:
            one.setVisible(not json)

    def _show_state(self) -> None:
        self._head.setVisible(bool(self.rows) and not self.is_json and self.width() >= _WIDE)
        bare = {"null": "null", "empty": "{} (empty object)", "left out": self.left_out_words}
        words = "" if self.rows or self.is_json else bare.get(self.state, "")
        self.said.setText(words)
        self.said.setVisible(bool(words))


class StreamRow(QWidget):
    """One stream. Keys that the table has no column for are kept, and counted behind the row."""

    changed = Signal()
    removed = Signal()

    def __init__(self, name: str, stream: Mapping[str, Any]) -> None:
        super().__init__()
        self._stream = dict(stream)
        self.name = HeldLine(name)
        self.name.setPlaceholderText("name")
        self.name.setAccessibleName("Name of the stream")
        self.disabled = BooleanEditor(_DISABLED, "body")
        self.fields = ChipsEditor(_FIELDS, "body")
        self.fields.input().setAccessibleName("Fields of the stream")
        self.disabled.input().setAccessibleName("Disabled")
        self.disabled.set_value(stream.get("disabled", ABSENT))
        self.fields.set_value(stream.get("fields", ABSENT))
        others = [key for key in stream if key not in _OWN]
        self.others = PlainLabel(
            f"also kept: {', '.join(others)}" if others else "", role="faint", elide=True
        )
        self.others.setVisible(bool(others))
        self._cross = QToolButton()
        self._cross.setText("×")
        self._cross.setFixedSize(24, CONTROL)
        self._name_cross()
        self._cross.setToolTip(tooltip("Take this stream out of the request"))
        self._wide: bool | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4)
        self._grid.setVerticalSpacing(2)
        self.disabled.setFixedWidth(_CHOICE)
        for stretched in (self.name, self.fields):
            stretched.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._arrange(wide=True)
        self.name.whole_changed.connect(self._renamed)
        self.disabled.changed.connect(self.changed)
        self.fields.changed.connect(self.changed)
        self._cross.clicked.connect(lambda _: self.removed.emit())

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """Where Tab goes, in order."""
        return self.name, self.disabled.input(), self.fields.input(), self._cross

    @property
    def says_something(self) -> bool:
        """Whether anything was entered: an untouched row is not sent."""
        return bool(self.name.whole() or self.value())

    def value(self) -> dict[str, Any]:
        """What the row holds, keys in the order in which they came."""
        own = {"disabled": self.disabled.value(), "fields": self.fields.value()}
        made = {key: own.get(key, value) for key, value in self._stream.items()}
        made |= {key: value for key, value in own.items() if key not in made}
        return {key: value for key, value in made.items() if value is not ABSENT}

    def _renamed(self) -> None:
        self._name_cross()
        self.changed.emit()

    def _name_cross(self) -> None:
        self._cross.setAccessibleName(f"Remove the stream {shortened(self.name.whole())}".strip())

    def _arrange(self, *, wide: bool) -> None:
        if wide == self._wide:
            return
        self._wide = wide
        top = Qt.AlignmentFlag.AlignTop
        for widget in (self.name, self.disabled, self.fields, self._cross, self.others):
            self._grid.removeWidget(widget)
        self._grid.addWidget(self.name, 0, 0, top)
        self._grid.addWidget(self.disabled, 0, 1, top)
        self._grid.addWidget(self._cross, 0, 3, top)
        if wide:
            self._grid.addWidget(self.fields, 0, 2, top)
        else:
            self._grid.addWidget(self.fields, 1, 0, 1, 3)
        self._grid.addWidget(self.others, 2, 0, 1, 4)
        for place, share in enumerate((3, 0, 4 if wide else 0)):
            self._grid.setColumnStretch(place, share)

    def minimumSizeHint(self) -> QSize:
        """Narrower than the wide arrangement needs, or it would never give way to the other."""
        return QSize(_NARROWEST, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(wide=event.size().width() >= _WIDE)


class _Head(QWidget):
    """The header with the names of the columns."""

    def __init__(self) -> None:
        super().__init__()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 28, 0)
        grid.setHorizontalSpacing(4)
        grid.setColumnMinimumWidth(1, _CHOICE)
        for place, (text, share) in enumerate((("Name", 3), ("Disabled", 0), ("Fields", 4))):
            grid.addWidget(PlainLabel(text, role="caption", elide=True), 0, place)
            grid.setColumnStretch(place, share)
