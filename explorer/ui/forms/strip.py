"""The parameters of a list in one line: each name followed by its editor."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.ui.forms.faults import Fault, faults_of
from explorer.ui.forms.grid import FieldGrid
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel, tooltip


class ParameterStrip(QWidget):
    """Editors for the query of ``model`` but for the fields in ``hide``; the line goes on below where it is too long.

    What was not set is not in the value, and so not sent.
    """

    changed = Signal()

    def __init__(
        self, model: type[BaseModel], hide: Collection[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._model = model
        self._hidden = frozenset(hide)
        self.grid = FieldGrid(model, "query", "line", hide)
        self._below = PlainLabel(role="error", wrap=True)
        self._below.hide()
        column(self.grid, self._below, of=self, spacing=4)
        self.grid.changed.connect(self._edited)

    def value(self) -> dict[str, Any]:
        """What was set: text, int, float or bool by field name."""
        return self.grid.value()

    def set_value(self, values: Mapping[str, Any]) -> None:
        """Take ``values``; names that are no field of the strip, and nulls, are passed over."""
        known = {
            name: value for name, value in values.items() if name in self.grid.editors and value is not None
        }
        if not self.grid.set_value(known):
            self.grid.set_value(
                {name: str(value) for name, value in known.items() if not isinstance(value, bool)}
            )
        self.refresh()

    def faults(self) -> list[Fault]:
        """What breaks the contract, at most one a field."""
        return [f for f in faults_of(self._model, self.value()) if f.path[0] not in self._hidden]

    def refresh(self) -> None:
        """Show the faults as they are now."""
        faults = self.faults()
        wrong = {str(fault.path[0]): fault.sentence for fault in faults if fault.sentence != "Required"}
        for name, editor in self.grid.editors.items():
            editor.mark(editor.input(), name in wrong)
            editor.input().setToolTip(tooltip(wrong.get(name, "")))
        self._below.setText(" · ".join(f"{name}: {sentence}" for name, sentence in wrong.items()))
        self._below.setVisible(bool(wrong))

    def _edited(self, _name: str) -> None:
        self.refresh()
        self.changed.emit()
