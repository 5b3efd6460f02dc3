"""The base of all editors of one field: a value that is absent, null or set, and the menu that sets each state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeGuard

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.exact import RawJson, plain
from explorer.ui.forms.faults import Fault, Path
from explorer.ui.kit.theme import set_look

Place = Literal["body", "query", "path"]
"""Where a value goes: a body has null, a query has none, a path parameter has neither null nor empty text."""

State = Literal["left out", "null", "empty", "value"]


class Hint(NamedTuple):
    """What an editor says of the value it holds, where there is nothing to mend."""

    words: str
    role: Literal["faint", "caution"] = "faint"


class Editor(QWidget):
    """An editor of one field. Its value is ABSENT, None, a plain JSON value, or a `RawJson` where plain would lose."""

    changed = Signal()
    hint_changed = Signal()
    """`hint` would answer differently now, though the value is the same."""
    has_title = False
    """Whether it has a title of its own and needs no name above it."""
    advice: Hint | None = None
    """A word of caution from the page about the value, shown below the field."""
    refusal: Callable[[], str] = staticmethod(str)
    """Why a page thinks that the value should not be sent as it is, or an empty text."""

    def __init__(self, field: Field, place: Place, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.place = place
        self.setAccessibleName(field.name)
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(0)

    def value(self) -> Any:
        """What the user set."""
        raise NotImplementedError

    def set_value(self, value: Any) -> bool:
        """Take ``value``. False, and nothing is changed, when this editor cannot hold it exactly."""
        raise NotImplementedError

    def faults(self) -> list[Fault]:
        """Faults that only the editor can see (text that is no JSON), with paths from this field."""
        sentence = self.refusal()
        return [Fault((), sentence, "json")] if sentence else []

    def hint(self) -> Hint | None:
        """A line for below the input while it has no fault: what the value means, or a word of caution."""
        return self.advice

    def advise(self, sentences: Sequence[str]) -> None:
        """Say ``sentences`` below the field as a word of caution, each on a line of its own."""
        words = "\n".join(map(sentence_case, sentences))
        advice = Hint(words, "caution") if words else None
        if advice != self.advice:
            self.advice = advice
            self.hint_changed.emit()

    def show_faults(self, faults: list[Fault]) -> None:
        """Mark the input; the sentence stands below it."""
        self.mark(self.input(), bool(faults))

    def show_inside(self, faults: list[Fault], *, untouched: bool) -> list[Fault]:
        """Show the faults that belong to fields within this one; gives back the rest, which stand below it."""
        return faults

    def focus_on(self, path: Path) -> None:
        """Put the focus into the field, at the place within it that ``path`` names."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def input(self) -> QWidget:
        """The widget that has the focus."""
        raise NotImplementedError

    def first_input(self) -> QWidget:
        """Where filling in this field begins; a group has that in its first field."""
        return self.input()

    @property
    def state(self) -> State:
        """The state: left out, null, empty, or a value."""
        value = self.value()
        if value is ABSENT:
            return "left out"
        if value is None:
            return "null"
        return "empty" if value in ("", [], {}) and not isinstance(value, RawJson) else "value"

    @property
    def may_be_null(self) -> bool:
        """Whether null is offered: the contract, or what was observed, allows it. A query has no null."""
        seen = self.field.observed
        allowed = self.field.nullable or self.field.kind == "any" or (seen is not None and seen.nullable)
        return self.place == "body" and allowed

    @property
    def left_out_words(self) -> str:
        """What an input says while its field is left out."""
        if self.place == "path" or self.field.required:
            return "Required"
        default = self.field.default
        if isinstance(default, bool):
            return f"{str(default).lower()} if left out"
        if default is not ABSENT and default is not None:
            return f"{default:,} if left out" if isinstance(default, int) else f"{default} if left out"
        if self.place == "body" or (self.field.observed is not None and self.field.observed.required):
            return "Left out"
        return "default" if self.field.kind in ("number", "boolean") or self.field.choices else "any"

    def choices_of_state(self) -> list[tuple[str, Any]]:
        """The states of the menu: what it says, and the value it sets."""
        made: list[tuple[str, Any]] = [("Leave out", ABSENT)]
        if self.may_be_null:
            made.append(("Send null", None))
        empty = self.empty_value()
        if empty is not None and self.place != "path":
            words = {"": "Send as empty text", "[]": "Send as empty list", "{}": "Send as empty object"}
            made.append((words[str(empty)], empty))
        return made

    def empty_value(self) -> Any:
        """The empty value of this field's kind, or None where there is none."""
        return {"array": [], "object": {}, "number": None, "boolean": None}.get(self.field.kind, "")

    def open_menu(self, at: QPoint | None = None) -> QMenu:
        """Open the menu of states at a place on the screen, by default under the input."""
        menu = self.fill_menu(QMenu(self))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setAccessibleName(f"What to send as {self.field.name}")
        menu.popup(at or self.mapToGlobal(QPoint(0, self.height())))
        return menu

    def fill_menu(self, menu: QMenu) -> QMenu:
        """Add the states to ``menu``, the one in force ticked."""
        for words, value in self.choices_of_state():
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(same(self.value(), value))
            action.triggered.connect(lambda _=False, v=value: self._choose(v))
        return menu

    def open_standard(self, menu: QMenu, at: QPoint) -> None:
        """Open an input's own menu (copy, paste, …) with the states in front of it."""
        menu.setParent(self, menu.windowFlags())
        menu.aboutToHide.connect(menu.deleteLater)
        standard = menu.actions()
        states = self.fill_menu(QMenu(menu)).actions()
        if standard:
            menu.insertActions(standard[0], states)
            menu.insertSeparator(standard[0])
        menu.popup(at)

    def _choose(self, value: Any) -> None:
        if self.set_value(value):
            self.changed.emit()

    def hold(self, widget: QWidget, around: QWidget | None = None) -> None:
        """Make ``widget`` the input: focus, name, and the keys and menu that reach the states.

        ``around`` is what stands in the form, where that is more than the input itself.
        """
        self.box.addWidget(around or widget)
        self.setFocusProxy(widget)
        widget.setAccessibleName(self.field.name)
        widget.setAccessibleDescription(described(self.field))
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self.key_pressed(event):
            return True
        if isinstance(event, QContextMenuEvent) and self.context_menu(event):
            return True
        return super().eventFilter(watched, event)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Alt Down opens the menu of states; Backspace or Delete in a null or empty field leaves it out."""
        if event.key() == Qt.Key.Key_Down and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.open_menu()
            return True
        if event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete) and self.state in ("null", "empty"):
            self._choose(ABSENT)
            return True
        return False

    def context_menu(self, event: QContextMenuEvent) -> bool:
        """True when the editor opened a menu of its own."""
        self.open_menu(event.globalPos())
        return True

    @staticmethod
    def mark(widget: QWidget, invalid: bool) -> None:
        """Give ``widget`` the look of one that has a fault, or take it away."""
        set_look(widget, invalid=invalid)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same. 1 and true are not, nor are 1 and 1.0, nor absent and null."""
    if one is other or one is ABSENT or other is ABSENT:
        return one is other
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)


def same_content(one: Any, other: Any) -> bool:
    """Whether two values write the same JSON, whichever of them is raw; the order of names does not count."""
    left = [(plain(one), plain(other))]  # a stack of its own: a value may be deeper than Python's
    while left:
        mine, its = left.pop()
        if type(mine) is not type(its):
            return False
        if isinstance(mine, dict):
            if mine.keys() != its.keys():
                return False
            left += [(mine[name], its[name]) for name in mine]
        elif isinstance(mine, list):
            if len(mine) != len(its):
                return False
            left += zip(mine, its, strict=True)
        elif mine != its:
            return False
    return True


def described(field: Field) -> str:
    """What a screen reader adds to the name: the rule of the contract, what the field is, what was observed."""
    seen = field.observed.note if field.observed else ""
    parts = (sentence_case(field.rule), field.description, f"Observed: {seen}" if seen else "")
    return ". ".join(part.rstrip(".") for part in parts if part)


def are_texts(value: object) -> TypeGuard[list[str]]:
    """Whether it is a list of texts alone."""
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def sentence_case(text: str) -> str:
    """``text`` with a capital first letter."""
    return text[:1].upper() + text[1:]
