"""The form of a customer: its id completed from what was seen, and beside the metadata what replacing it will lose."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from explorer.catalog.fields import Field
from explorer.catalog.spec import ABSENT, Operation
from explorer.jsontext.pointer import dotted
from explorer.quality.compare.changes import Change, differences
from explorer.quality.values.merge import has, leaves
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.pages.core.effect_view import Effect
from explorer.ui.pages.core.known_editor import AdvisedJson, SeenIdEditor, hint_of
from explorer.ui.pages.core.known_entities import Entity, KnownEntities
from explorer.ui.pages.core.pipeline_effect import mask_sentence, read

_MOST = 8
REPLACES = "This replaces the whole customer: what is not sent will be lost."


def _editor(seen: KnownEntities, field: Field, place: Place) -> Editor:
    if field.name == "id":
        return SeenIdEditor(field, place, seen, "customer")
    return AdvisedJson(field, place) if field.name == "metadata" else editor_of(field, place)


def metadata_of(thing: Entity | None) -> Any:
    """The last known metadata; ABSENT where it is not known. An answer without any says that there is none: ``{}``."""
    if thing is None or not thing.known:
        return ABSENT
    return thing.data.get("metadata", {} if thing.source == "answer" else ABSENT)


def lost(old: Any, new: Any) -> list[str]:
    """Paths within the metadata that are known and will be gone; ``metadata`` itself where it is no object."""
    if old is ABSENT or old is None:
        return []
    if isinstance(old, Mapping):
        return [dotted(("metadata", *path)) for path in leaves(old) if not has(new, path)]
    return ["metadata"] if new is ABSENT else []


def cautions(thing: Entity | None, ident: str, typed: Any) -> list[str]:
    """What to mind before the customer is put, a sentence each; ``typed`` is the metadata or ABSENT."""
    new = read(typed)
    if typed is not ABSENT and new is ABSENT:
        return ["metadata is not valid JSON yet"]
    if not ident:
        return []
    if metadata_of(thing) is ABSENT:
        return [f"The stored metadata of {ident} is not known: whatever of it is not sent will be lost"]
    gone = lost(metadata_of(thing), new)
    if not gone:
        return []
    more = f" and {len(gone) - _MOST} more" if len(gone) > _MOST else ""
    return [f"Will be lost: {', '.join(gone[:_MOST])}{more}"]


def effect_of(thing: Entity | None, ident: str, typed: Any) -> Effect:
    """What putting the customer with this metadata does to what is known of it."""
    if not ident:
        return Effect("Enter the id of a customer, or choose a known one.", nothing="")
    said = cautions(thing, ident, typed)
    if thing is None or metadata_of(thing) is ABSENT:
        seen = "is not known in this profile" if thing is None else f"is known by its id only ({thing.seen})"
        return Effect(f"{ident} {seen}.", [REPLACES, *said], nothing="There is nothing to compare with")
    before = {"metadata": thing.data["metadata"]} if "metadata" in thing.data else {}
    new = read(typed)
    after = {"metadata": new} if new is not ABSENT else {}
    if "metadata" in before and not after and isinstance(before["metadata"], Mapping):
        after = {"metadata": {}}  # so that each key is named, and not the whole as one
    changes = [
        Change(c.path, c.sent, c.returned, c.what, "new" if c.what == "added" else "")
        for c in differences(before, after)
    ]
    against = f"Compared with {ident} as it was {thing.seen}"
    return Effect(against, [REPLACES, *said], (), changes, "It has no metadata, and none is sent")


class CustomerForm(OperationForm):
    """Id and metadata. A value that the program masked is not put back by it."""

    body: ModelForm

    def __init__(self, operation: Operation, seen: KnownEntities) -> None:
        super().__init__(operation, make=partial(_editor, seen))
        self.seen = seen
        editor = self.body.grid.editors["metadata"]
        if isinstance(editor, AdvisedJson):
            editor.refusal = lambda: mask_sentence(read(self.metadata()))
        self.changed.connect(self.advise)

    @property
    def ident(self) -> str:
        """The id that was typed."""
        return self.path_values().get("id", "")

    def known(self) -> Entity | None:
        """The last known record of the customer."""
        return self.seen.find("customer", self.ident)

    def metadata(self) -> Any:
        """The metadata as typed, or ABSENT."""
        value = self.body.value()
        return value.get("metadata", ABSENT) if isinstance(value, dict) else ABSENT

    def restore(self, draft: Mapping[str, Any]) -> None:
        super().restore(draft)
        self.advise()

    def advise(self) -> None:
        """Say below the metadata what will be lost."""
        editor = self.body.grid.editors["metadata"]
        if isinstance(editor, AdvisedJson):
            editor.advise(hint_of(cautions(self.known(), self.ident, self.metadata())))
