"""The form of a webhook: connector, bearer token, and a body of any kind that is sent exactly as it was typed."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from explorer.catalog.fields import Field
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.jsontext.typed import JsonFault
from explorer.ui.forms.connector_editor import ConnectorEditor
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.layout import row
from explorer.ui.kit.plain import PlainLabel, tooltip

KINDS: dict[str, tuple[str, str]] = {
    "json": ("JSON", "application/json"),
    "form": ("Form", "application/x-www-form-urlencoded"),
    "text": ("Plain text", "text/plain; charset=utf-8"),
    "none": ("No content type", ""),
}
"""What the body is sent as: its name here, and the content type."""

SAMPLES: tuple[tuple[str, str, str], ...] = (
    ("Empty object", "json", "{}"),
    (
        "A typical event",
        "json",
        '{\n  "id": "evt_1001",\n  "type": "contact.updated",\n  "data": {\n    "id": "101",\n    "done": true\n  }\n}',
    ),
    (
        "A list of events",
        "json",
        '[\n  {"id": "evt_1001", "type": "contact.created"},\n  {"id": "evt_1002", "type": "contact.deleted"}\n]',
    ),
    ("Form-encoded text", "form", "id=evt_1001&type=contact.updated&email=ada%40example.org"),
    ("Plain text", "text", "ping"),
    ("JSON that is cut off", "json", '{"id": "evt_1001", "type":'),
    ("No body", "json", ""),
)
"""Made up: the contract shows no body (endpoint 18). Name, kind and text."""


class BodyEdit(JsonEdit):
    """A text that is looked at as JSON only while it is to be sent as that."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, lines=10)
        self.as_json = True

    def fault(self) -> JsonFault | None:
        return super().fault() if self.as_json else None

    def look_as(self, *, as_json: bool) -> None:
        """Look at the text as JSON, or as any text."""
        self.as_json = as_json
        self._colors.setDocument(self.document() if as_json else None)
        self._underline()


def webhook_editor(field: Field, place: Place) -> Editor:
    """Completion and a word of caution for the connector's name."""
    return ConnectorEditor(field, place) if field.name == "connector_name" else editor_of(field, place)


class WebhookForm(OperationForm):
    """`OperationForm` with a kind of body and samples for it. ``token`` stands between connector and body."""

    free: BodyEdit

    def __init__(self, operation: Operation, token: QWidget) -> None:
        super().__init__(operation, make=webhook_editor)
        box = self.layout()
        if isinstance(box, QVBoxLayout):
            box.insertWidget(1, token)

    def make_free(self) -> BodyEdit:
        return BodyEdit()

    def free_head(self, edit: JsonEdit) -> QHBoxLayout:
        self.kind = QComboBox()
        self.kind.setAccessibleName("Send the body as")
        for name, (words, content_type) in KINDS.items():
            self.kind.addItem(words, name)
            tip = tooltip(content_type or "none is sent")
            self.kind.setItemData(self.kind.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.samples = QPushButton("Samples")
        self.samples.setProperty("kind", "link")
        menu = QMenu("Samples", self.samples)
        menu.setAccessibleName("Samples")
        for words, kind, text in SAMPLES:
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, kind=kind, text=text: self.take_sample(kind, text))
        self.samples.setMenu(menu)
        label = PlainLabel("Body", role="muted")
        label.setBuddy(edit)
        self.kind.currentIndexChanged.connect(lambda _: self._kind_changed())
        return row((label, 1), self.samples, self.kind, spacing=8)

    def take_sample(self, kind: str, text: str) -> None:
        """Put a sample in the place of the body; it can be undone."""
        self._choose_kind(kind)
        self.free.set_text(text)

    @property
    def body_kind(self) -> str:
        """What the body is sent as, a key of `KINDS`."""
        return str(self.kind.currentData())

    def _choose_kind(self, kind: object) -> None:
        place = self.kind.findData(kind)
        self.kind.setCurrentIndex(max(place, 0))

    def _kind_changed(self) -> None:
        self.free.look_as(as_json=self.body_kind == "json")
        self._free_edited()

    def request(self) -> Request:
        """As typed, with the content type that was chosen. Raises PathFault while the connector is missing."""
        return dataclasses.replace(super().request(), content_type=KINDS[self.body_kind][1])

    def draft(self) -> dict[str, Any]:
        return {**super().draft(), "kind": self.body_kind}

    def restore(self, draft: Mapping[str, Any]) -> None:
        self._choose_kind(draft.get("kind", "json"))
        super().restore(draft)

    def clear(self) -> None:
        self._choose_kind("json")
        super().clear()
