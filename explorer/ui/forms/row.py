"""One field as it stands in a form: its name, its editor, and below it the rule, a note, or what is to mend."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.editor import Editor, described, sentence_case
from explorer.ui.forms.faults import Fault
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import restyle


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
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        if self._menu is not None:
            box.addLayout(self._head(field, self._menu))
        box.addWidget(editor)
        self._note = note_of(field) if note else ""
        if self._menu is not None:
            self._menu.hide()
            editor.input().installEventFilter(self)
        self._below = PlainLabel(self._note, role="faint", wrap=True)
        box.addWidget(self._below)
        self._below.setVisible(
            bool(self._note)
        )  # not before it has a parent: it would be a window until then
        self.touched = False
        self._shown: list[Fault] = []
        editor.changed.connect(self._touch)
        editor.hint_changed.connect(self._show_below)

    def _head(self, field: Field, menu: QToolButton) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(4)
        label = PlainLabel(label_of(field), role="muted", elide=True)
        label.setBuddy(self.editor)
        policy = menu.sizePolicy()
        policy.setRetainSizeWhenHidden(
            True
        )  # it comes and goes with the pointer and the focus: nothing may jump
        menu.setSizePolicy(policy)
        menu.setText("⋯")
        menu.setFixedSize(20, 16)
        menu.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Alt Down and the menu key open the same from the field
        menu.setAccessibleName(f"What to send as {field.name}")
        menu.setToolTip(tooltip("Left out, null or empty (Alt Down)"))
        menu.clicked.connect(lambda _: self.editor.open_menu())
        head.addWidget(label, 1)
        head.addWidget(menu)
        return head

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
        if self._below.property("role") != role:
            self._below.setProperty("role", role)
            restyle(self._below)

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
