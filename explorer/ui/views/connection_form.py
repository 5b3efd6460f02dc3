"""The form of a connection check: which connection, one flag that only looks, and apart from it those that act."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QVBoxLayout

from explorer.api.guard import effect
from explorer.catalog.fields import Field
from explorer.catalog.request import PathFault
from explorer.catalog.spec import Operation
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import Heading
from explorer.ui.forms.make import editor_of
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.plain import PlainLabel
from explorer.ui.theme import restyle
from explorer.ui.views.seen_editor import SeenIdEditor
from explorer.ui.views.seen_things import Seen

_SHORT = 16  # letters of a name that half a row has room for
TITLE = "These change something"
WORDS = (
    "Set to true, each of them does more than look: it acts on the connection, at the service or at the third party. "
    "Left out, false and null only look."
)


def _editor(seen: Seen, field: Field, place: Place) -> Editor:
    return SeenIdEditor(field, place, seen, "connection") if field.name == "id" else editor_of(field, place)


def _acts(field: Field) -> bool:
    return field.observed is not None and field.observed.side_effect


def rows_apart(fields: tuple[Field, ...]) -> Sequence[tuple[Field, ...] | Heading]:
    """First the flags that only look, then under a heading those that act, two in a row where they are short."""
    looks, acts = [f for f in fields if not _acts(f)], [f for f in fields if _acts(f)]
    short = [field for field in acts if len(field.name) <= _SHORT]
    pairs = [tuple(short[place : place + 2]) for place in range(0, len(short), 2)]
    alone = [(field,) for field in acts if field not in short]
    return [*((field,) for field in looks), *([Heading(TITLE, WORDS)] if acts else []), *pairs, *alone]


class ConnectionForm(OperationForm):
    """Says in words whether the check as it stands only looks or acts, as the guard will take it."""

    body: ModelForm

    def __init__(self, operation: Operation, seen: Seen) -> None:
        super().__init__(operation, make=partial(_editor, seen), rows=rows_apart)
        self.said = PlainLabel(wrap=True)
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(layout.indexOf(self.body) + 1, self.said)
        self.changed.connect(self.say)
        self.say()

    @property
    def ident(self) -> str:
        """The id that was typed."""
        return self.path_values().get("id", "")

    def say(self) -> None:
        """Say what the check would do now."""
        acts = self._acting()
        words = "As it stands, the check only looks."
        if acts:
            words = f"As it stands, the check acts: {', '.join(acts)}. The profile's guard applies, as for any write."
        self.said.setText(words)
        role = "caution" if acts else "muted"
        if self.said.property("role") != role:
            self.said.setProperty("role", role)
            restyle(self.said)

    def _acting(self) -> list[str]:
        try:
            request = self.request() if self.ident else None
        except (PathFault, ValueError):
            request = None
        value = self.body.value()
        flags = (
            [n for n, v in value.items() if v is True and n != "skipCache"] if isinstance(value, dict) else []
        )
        if request is not None and effect(request) == "write":
            return flags or ["what is typed as JSON"]
        return flags if request is None else []
