"""Editors of connector names: the known ones are offered as one types, any other is taken with a word of caution.

The set of names grows (observed): a name that is not known is no fault.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.chips_editor import ChipsEditor, split
from explorer.ui.forms.editor import Hint, Place
from explorer.ui.forms.text_editor import TextEditor, completer
from explorer.ui.kit.plain import visible

_MOST_NAMED = 3
_LONGEST = 40


def unknown_names(names: Sequence[str], known: Sequence[str]) -> Hint | None:
    """A word of caution on those of ``names`` that are not ``known``, or None."""
    held = frozenset(known)
    strange = [_short(name) for name in dict.fromkeys(names) if name not in held]
    if not strange or not held:
        return None
    shown = ", ".join(strange[:_MOST_NAMED])
    if len(strange) > _MOST_NAMED:
        shown += f" and {len(strange) - _MOST_NAMED} more"
    are, they = ("is", "It is") if len(strange) == 1 else ("are", "They are")
    known_words = f"the {len(known)} names known in August 2025"
    return Hint(f"{shown} {are} not among {known_words}. {they} sent anyway.", "caution")


def _short(name: str) -> str:
    shown = visible(name[: _LONGEST + 1])
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


class ConnectorEditor(TextEditor):
    """One connector's name; the names are those that the field's observation lists."""

    def hint(self) -> Hint | None:
        value = self.value()
        seen = self.field.observed
        return unknown_names([value], seen.choices if seen else ()) if isinstance(value, str) else None


class JoinedChips(ChipsEditor):
    """A list that the contract wants as one text with commas between (contract 4, endpoint 17): chips here.

    A text whose parts have spaces around them, or that has empty parts, is not the same text when it is put
    together again: it cannot be held here and is edited as JSON.
    """

    empty_words = '"" (empty text)'

    def value(self) -> Any:
        held = super().value()
        return ",".join(held) if isinstance(held, list) else held

    def set_value(self, value: Any) -> bool:
        if value is ABSENT or value is None:
            return super().set_value(value)
        if not isinstance(value, str) or ",".join(split(value)) != value:
            return False
        return super().set_value(split(value))


class ConnectorChips(JoinedChips):
    """Connector names with completion over ``names``."""

    def __init__(
        self, field: Field, place: Place, names: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(field, place, parent)
        self._names = tuple(names)
        offer = completer(names, self)
        if (popup := offer.popup()) is not None:
            popup.setAccessibleName(f"Values of {field.name}")
        # The line takes the chosen text after this signal: the chip is made of it in the next turn.
        self._chosen_soon = QTimer(self, singleShot=True, interval=0)
        self._chosen_soon.timeout.connect(self.commit)
        offer.activated.connect(lambda _: self._chosen_soon.start())
        self.input().setCompleter(offer)

    def hint(self) -> Hint | None:
        value = self.value()
        return unknown_names(split(value), self._names) if isinstance(value, str) else None
