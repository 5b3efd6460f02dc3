"""A form for any model: an editor for each field, faults under their fields, and the whole as JSON if wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.catalog.fields import fields_of
from explorer.catalog.spec import ABSENT
from explorer.jsontext.typed import check
from explorer.ui.forms import exact
from explorer.ui.forms.editor import Place, same, same_content
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.faults import Fault, faults_of
from explorer.ui.forms.grid import Arrangement, EditorMaker, FieldGrid, editor_of
from explorer.ui.forms.json_edit import JsonEdit, laid_out
from explorer.ui.kit.check_buttons import CheckButton
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.plain import PlainLabel


class ModelForm(QWidget):
    """A form for ``model``. Its value is exactly what the user set: absent, null, empty and value are four things.

    With ``as_json`` a button turns the whole into one JSON text, in which the contract can be broken on purpose; a
    value that the fields cannot hold (an unknown name, a wrong type) is shown that way by itself.
    """

    changed = Signal()

    def __init__(
        self,
        model: type[BaseModel],
        place: Place = "body",
        *,
        arrangement: Arrangement = "columns",
        as_json: bool | None = None,
        make: EditorMaker = editor_of,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = model
        self.place = place
        self._service: list[Fault] = []
        self._all_shown = False
        self._known: tuple[Any, list[Fault]] | None = None
        """A value and what of it breaks the contract."""
        self._written: tuple[Any, bytes] | None = None
        """A value and the bytes that it is sent as."""
        self.grid = FieldGrid(model, place, arrangement, make=make)
        self.raw = JsonEdit(lines=14)
        self.raw.setAccessibleName("The whole body as JSON")
        self._raw_below = PlainLabel(role="error", wrap=True)
        self._loose = PlainLabel(role="error", wrap=True)
        self.toggle = CheckButton("Edit as JSON")
        self._build(place == "body" if as_json is None else as_json)
        self.set_value(self._skeleton())
        self.grid.changed.connect(self._edited)
        self.raw.edited.connect(lambda: self._edited(""))

    def _build(self, as_json: bool) -> None:
        raw = QWidget()
        column((self.raw, 1), self._raw_below, of=raw, spacing=4)
        self._pages = [self.grid, raw]
        head = [self._head()] if as_json else []
        column(*head, self.grid, (raw, 1), self._loose, of=self, spacing=8)
        raw.hide()
        self._loose.hide()

    def _head(self) -> QHBoxLayout:
        said = PlainLabel("Fields left empty are left out of the request", role="faint", wrap=True)
        self.toggle.setProperty("kind", "link")
        self.toggle.clicked.connect(self._toggled)
        return row((said, 1), self.toggle, spacing=-1)

    def _skeleton(self) -> dict[str, Any]:
        """What the contract asks for in any case: its required groups, with nothing in them."""
        if self.place != "body":
            return {}
        return {f.name: {} for f in fields_of(self.model) if f.required and f.model and f.kind == "object"}

    @property
    def is_raw(self) -> bool:
        """Whether the whole is edited as one JSON text."""
        return self._pages[0].isHidden()

    def value(self) -> Any:
        """What was set: a dict, or as raw text whatever was typed there (`RawJson` when it is no plain JSON)."""
        if not self.is_raw:
            return self.grid.value()
        value = self.raw.value()
        return RawJson(self.raw.text()) if value is ABSENT else value

    def set_value(self, value: Any) -> None:
        """Take ``value``. What the fields cannot hold is shown as one JSON text."""
        fits = isinstance(value, Mapping) and self.grid.set_value(value)
        if fits and not same_content(self.grid.value(), value):
            fits = False
        if not fits:
            self._put_raw(value)
        self._show_raw(not fits)
        self.grid.forget_touches()
        self._all_shown = False
        self._service = []
        self.refresh()

    def set_raw(self, text: str) -> None:
        """Show the whole as JSON, with ``text`` in it, valid or not."""
        blocked = self.raw.blockSignals(True)
        self.raw.set_text(text)
        self.raw.blockSignals(blocked)
        self._show_raw(True)
        self._service = []
        self.refresh()

    def clear(self) -> None:
        """Resets the form to its first state."""
        self.set_value(self._skeleton())
        self.changed.emit()

    def body(self) -> bytes:
        """The bytes that the value is sent as; raw text goes as it was typed."""
        value = self.value()
        if self._written is None or not same(self._written[0], value):
            self._written = (value, exact.encode(value))
        return self._written[1]

    def faults(self) -> list[Fault]:
        """What to mend before sending: text that is no JSON, or values against the contract; one a field at most."""
        if self.is_raw:
            return self._raw_faults()
        own = self.grid.faults()
        seen = {fault.path for fault in own}
        return own + [f for f in self._broken(self.grid.value()) if f.path not in seen]

    def _broken(self, value: Any) -> list[Fault]:
        """What of ``value`` breaks the contract, looked for once: it is asked for several times a key."""
        try:
            if self._known is None or not same(self._known[0], value):
                self._known = (value, faults_of(self.model, value))
        except RecursionError:  # deeper than Python goes, which no field of a contract is
            return []
        return self._known[1]

    def show_service_faults(self, faults: list[Fault]) -> None:
        """Show what the service said against fields, until these are edited."""
        self._service = faults
        self.refresh()

    def show_all_faults(self) -> None:
        """Show the faults of fields that were not touched as well: the user wants to send."""
        self._all_shown = True
        self.refresh()

    def first_input(self) -> QWidget | None:
        """Where filling in begins; None for a model without fields."""
        return self.raw if self.is_raw else self.grid.first_input()

    def focus_on(self, fault: Fault) -> None:
        """Put the focus where ``fault`` is."""
        if self.is_raw:
            self.raw.go_to_fault() if self.raw.fault() else self.raw.setFocus()
        else:
            self.grid.focus_on(fault.path)

    def refresh(self) -> None:
        """Show the faults as they are now."""
        faults = self.faults() + self._service
        if self.is_raw:
            self._raw_below.setText(
                "\n".join(f"{f.name}: {f.sentence}" if f.path else f.sentence for f in faults)
            )
            self._raw_below.setVisible(bool(faults))
            return
        loose = self.grid.show_faults(faults, untouched=self._all_shown)
        self._loose.setText("\n".join(f"{f.name}: {f.sentence}" if f.path else f.sentence for f in loose))
        self._loose.setVisible(bool(loose))

    def _raw_faults(self) -> list[Fault]:
        text = self.raw.text()
        fault = self.raw.fault() if text.strip() else check(text)
        if fault is not None:
            return [Fault((), fault.sentence, "json")]
        value = self.value()
        if isinstance(value, RawJson):
            value = exact.plain(value)
        if isinstance(value, RawJson) and value.text.startswith("{"):  # too large or too deep to look into
            return []
        return self._broken(value) if isinstance(value, dict) else [Fault((), "Must be an object, as { … }")]

    def _edited(self, name: str) -> None:
        self._service = [f for f in self._service if f.path and f.path[0] != name and name]
        self.refresh()
        self.changed.emit()

    def _toggled(self, raw: bool) -> None:
        if raw:
            self._put_raw(self.grid.value())
            self._show_raw(True)
        else:
            value = self.value()
            if (
                not isinstance(value, dict)
                or not self.grid.set_value(value)
                or not same_content(self.grid.value(), value)
            ):
                self.toggle.setChecked(True)
                self._raw_below.setText(self._why_raw(value))
                self._raw_below.setVisible(True)
                return
            self._show_raw(False)
        self.refresh()
        self.changed.emit()

    def _why_raw(self, value: Any) -> str:
        if self.raw.fault() is not None:
            return "Fix the JSON first: fields cannot hold it as it is"
        if isinstance(value, RawJson) and len(value.text) > exact.LARGE:
            return "This is too large for the fields: it can be edited as JSON only"
        inner = exact.plain(value)
        if not isinstance(inner, dict):
            return "The fields need an object, and this is not one"
        unknown = [name for name in inner if name not in self.grid.editors]
        if unknown:
            return f"{unknown[0]} is not a field of the contract: it can be edited as JSON only"
        return "The fields cannot hold these values exactly: they can be edited as JSON only"

    def _put_raw(self, value: Any) -> None:
        text = value.text if isinstance(value, RawJson) else exact.encode(value).decode()
        blocked = self.raw.blockSignals(True)
        self.raw.set_text(laid_out(text))
        self.raw.blockSignals(blocked)

    def _show_raw(self, raw: bool) -> None:
        self._pages[0].setVisible(not raw)
        self._pages[1].setVisible(raw)
        self.toggle.setChecked(raw)
