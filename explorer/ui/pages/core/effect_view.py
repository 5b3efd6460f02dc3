"""What a write will do to the last known record, before it is sent: field by field, and what will be lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.ui.call.answer_changes import Change, Kind
from explorer.ui.call.changes_view import ChangesView
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel

WORDS: dict[Kind, str] = {
    "changed": "changes",
    "dropped": "will be lost",
    "new": "is added",
    "not sent": "is new",
    "not answered": "goes",
    "kept": "stays",
}
_MOST = 500


@dataclass(frozen=True, slots=True)
class Effect:
    """What is to be told: with what it was compared, what to mind, and each field before and after."""

    against: str
    """``Compared with pipe_x, seen 5 minutes ago, from an answer``."""
    cautions: Sequence[str] = ()
    notes: Sequence[str] = ()
    changes: Sequence[Change] = ()
    nothing: str = "Nothing would change"
    """In place of the table when it would be empty."""


class EffectView(QWidget):
    """Shows an `Effect`; it follows the form."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("ground", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.against = PlainLabel(role="muted", wrap=True)
        self.cautions = PlainLabel(role="caution", wrap=True)
        self.notes = PlainLabel(role="muted", wrap=True)
        self.table = ChangesView(
            heads=("Field", "Last known", "Afterwards", "Result"),
            words=WORDS,
            name="The record before and after, field by field",
        )
        labels = (self.against, self.cautions, self.notes)
        for label in labels:
            label.setContentsMargins(12, 0, 12, 0)
        column(*labels, (self.table, 1), of=self, margins=(0, 12, 0, 0), spacing=8)

    def show_effect(self, effect: Effect) -> None:
        """Show ``effect`` in place of what was there."""
        self.against.setText(effect.against)
        self.cautions.setText("\n".join(effect.cautions))
        self.cautions.setVisible(bool(effect.cautions))
        self.notes.setText("\n".join(effect.notes))
        self.notes.setVisible(bool(effect.notes))
        self.table.show_changes(effect.changes[:_MOST], effect.nothing)
