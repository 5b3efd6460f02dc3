"""The form of a pipeline: ids completed from what was seen, streams as a table, and only what differs is sent."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtWidgets import QCheckBox, QVBoxLayout

from explorer.catalog.fields import Field
from explorer.catalog.request import Request
from explorer.catalog.spec import ABSENT, Operation
from explorer.ui.forms import exact
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.plain import tooltip
from explorer.ui.pages.core.known_editor import AdvisedJson, AdvisedStreams, SeenIdEditor, hint_of
from explorer.ui.pages.core.known_entities import Entity, KnownEntities
from explorer.ui.pages.core.pipeline_effect import advice, changed_only, mask_sentence, read


def _editor(seen: KnownEntities, field: Field, place: Place) -> Editor:
    if field.name == "id":
        return SeenIdEditor(field, place, seen, "pipeline")
    if field.name in ("sourceId", "destinationId"):
        return SeenIdEditor(field, place, seen, "connection")
    if field.name == "metadata":
        return AdvisedJson(field, place)
    return AdvisedStreams(field, place) if field.name == "streams" else editor_of(field, place)


class PipelineForm(OperationForm):
    """Create or update. An update sends what differs from the last known record, unless the user wants all of it."""

    body: ModelForm

    def __init__(self, operation: Operation, seen: KnownEntities) -> None:
        super().__init__(operation, make=partial(_editor, seen))
        self.seen = seen
        self.updates = operation.method == "PATCH"
        self._base: Entity | None = None
        self._base_of: tuple[str, bytes] | None = None
        self.only = QCheckBox("Send only what differs")
        self.only.setChecked(self.updates)
        self.only.setToolTip(
            tooltip(
                "From the last known record: sending the same again changes nothing. Off: all that "
                "is typed is sent."
            )
        )
        self.only.toggled.connect(lambda _: self._again())
        layout = self.layout()
        if isinstance(layout, QVBoxLayout):
            layout.insertWidget(layout.indexOf(self.body) + 1, self.only)
        # Only now: shown without a parent it would be a window of its own for a moment.
        self.only.setVisible(self.updates)
        for name in ("metadata", "streams"):
            editor = self.body.grid.editors[name]
            if isinstance(editor, AdvisedJson | AdvisedStreams):
                editor.refusal = partial(self._refusal, name)
        self.path.changed.connect(self.body.refresh)
        self.changed.connect(self.advise)

    @property
    def ident(self) -> str:
        """The id that was typed; empty while there is none."""
        found = self.path.value().get("id", "") if self.updates else self.typed().get("id", "")
        return found if isinstance(found, str) else ""

    def typed(self) -> dict[str, Any]:
        """The body as typed; empty while it is no object."""
        value = self.body.value()
        return value if isinstance(value, dict) else {}

    def known(self) -> Entity | None:
        """The last known record of the pipeline."""
        return self.seen.find("pipeline", self.ident)

    def to_send(self) -> dict[str, Any] | None:
        """What goes of what was typed, where only what differs goes; None: all of it.

        It is compared with what was known when the form was edited last: sending the same again sends the same.
        """
        if not self.updates or not self.only.isChecked() or self.body.is_raw:
            return None
        typed = self.typed()
        now = (self.ident, exact.encode(typed))
        if now != self._base_of:
            self._base_of, self._base = now, self.known()
        if self._base is None or not self._base.known:
            return None
        return changed_only(self._base.data, typed)

    def request(self) -> Request:
        made = super().request()
        sent = self.to_send()
        return made if sent is None else dataclasses.replace(made, body=exact.encode(sent))

    def draft(self) -> dict[str, Any]:
        return {**super().draft(), **({"only": self.only.isChecked()} if self.updates else {})}

    def restore(self, draft: Mapping[str, Any]) -> None:
        self._base_of = None
        if self.updates and isinstance(draft.get("only"), bool):
            blocked = self.only.blockSignals(True)
            self.only.setChecked(draft["only"])
            self.only.blockSignals(blocked)
        super().restore(draft)
        self.advise()

    def advise(self) -> None:
        """Say below metadata and streams what their merge will do."""
        known, typed = self.known(), {} if self.body.is_raw else self.typed()
        for name in ("metadata", "streams"):
            editor = self.body.grid.editors[name]
            if not isinstance(editor, AdvisedJson | AdvisedStreams):
                continue
            given = typed.get(name, ABSENT)
            old = known.data.get(name, ABSENT) if known is not None else ABSENT
            said = advice(name, old, given) if known is not None or self.updates else []
            editor.advise(hint_of(said))

    def _refusal(self, name: str) -> str:
        sent = self.to_send()
        given = (self.typed() if sent is None else sent).get(name, ABSENT)
        return mask_sentence(read(given)) if given is not ABSENT else ""

    def _again(self) -> None:
        self.body.refresh()
        self.changed.emit()
