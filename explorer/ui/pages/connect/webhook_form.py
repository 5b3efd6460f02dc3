"""The form of a webhook: connector, bearer token (contract 5.2), and a body of any kind, sent exactly as it was typed.

A token that is entered here, and not the profile's own, is in no draft, history or log. It stays in memory, or goes to
the secret store if the user says so.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.jsontext.typed import JsonFault
from explorer.profiles.credential import Auth, Credential, clean_secret
from explorer.profiles.fault import ProfileFault
from explorer.ui.forms.grid import EditorMaker
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.kit.check_buttons import CheckBox
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import set_look
from explorer.ui.page import PageContext
from explorer.work import in_thread

NAME = "webhook-token"
_TASK = "webhook token"
_NOTE = "An organization API key, a customer API key, or a customer authentication token"
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


class WebhookToken(QWidget):
    """A choice, and a field for the other token."""

    changed = Signal()

    def __init__(self, context: PageContext, tasks: Tasks) -> None:
        super().__init__()
        self._context = context
        self._tasks = tasks
        self._asked = False
        self.choice = QComboBox()
        self.choice.setAccessibleName("Bearer token")
        for words in ("The profile's own key", "Another token, entered here"):
            self.choice.addItem(words)
        self.line = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self.line.setAccessibleName("The other token")
        self.line.setPlaceholderText("Token")
        self.reveal = push_button("Show", name="Show the token", checkable=True)
        self.keep = CheckBox("Save it in the secret store")
        self.below = PlainLabel(role="faint", wrap=True)
        self._other = QWidget()
        self._build()
        self._wire()
        self._show_choice()
        self._fetch()

    def _build(self) -> None:
        label = PlainLabel("Bearer token", role="muted")
        label.setBuddy(self.choice)
        line = row((self.line, 1), self.reveal, spacing=8)
        column(line, self.below, self.keep, of=self._other, spacing=4)
        column(label, self.choice, self._other, of=self, spacing=4)

    def _wire(self) -> None:
        self.choice.currentIndexChanged.connect(lambda _: self._show_choice())
        self.line.textChanged.connect(lambda _: self._edited())
        self.reveal.toggled.connect(self._show_text)
        self.keep.clicked.connect(self._keep)

    @property
    def is_other(self) -> bool:
        """A token is entered here."""
        return self.choice.currentIndex() == 1

    def credential(self) -> Credential | None:
        """The token that was entered, None for the profile's own. Raises ProfileFault when no header could carry it."""
        return Credential(Auth.BEARER, self.line.text()) if self.is_other else None

    def fault(self) -> str:
        """Why the token cannot be used, in one sentence, or an empty text."""
        try:
            self.credential()
        except ProfileFault as fault:
            return fault.sentence
        return ""

    def show_fault(self) -> None:
        """The user wants to send: say what is wrong, and go there."""
        self._asked = True
        self._say_below()
        self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- what is shown

    def _show_choice(self) -> None:
        self._other.setVisible(self.is_other)
        self._asked = False
        self._say_below()
        self.changed.emit()

    def _show_text(self, on: bool) -> None:
        self.line.setEchoMode(QLineEdit.EchoMode.Normal if on else QLineEdit.EchoMode.Password)
        self.reveal.setText("Hide" if on else "Show")

    def _edited(self) -> None:
        was_kept = self.keep.isChecked()
        self.keep.setChecked(False)
        self._say_below("A different token is saved: tick to save this one." if was_kept else "")
        self.changed.emit()

    def _say_below(self, words: str = "", role: str = "faint") -> None:
        fault = self.fault() if self._asked or self.line.text() else ""
        set_look(self.line, invalid=bool(fault))
        self.below.setText(fault or words or self._taken_off() or _NOTE)
        set_look(self.below, role="error" if fault else role)

    def _taken_off(self) -> str:
        text = self.line.text()
        return clean_secret(text, Auth.BEARER)[1] if text else ""

    # ---- the secret store

    @property
    def _key(self) -> str:
        return f"webhook/{self._context.session.profile.id}/token"

    def _fetch(self) -> None:
        """The token that was kept, if one was: only then is the store asked, as a locked one asks its owner."""
        if self._context.settings.get(self._key) and self._context.secrets is not None:
            self.choice.setCurrentIndex(1)
            self._tasks.start(_TASK, self._recall())

    async def _recall(self) -> None:
        secrets = self._context.secrets
        if secrets is None:
            return
        try:
            text = await in_thread(secrets.recall, self._context.session.profile, NAME)
        except ProfileFault as fault:
            self._say_below(fault.sentence, "error")
            return
        if self.line.text():
            return  # typed meanwhile
        if text is None:
            self._say_below("The saved token is gone: enter it again.", "caution")
            return
        self.line.setText(text)
        self.keep.setChecked(True)
        self._say_below("The saved token")

    def _keep(self, on: bool) -> None:
        if on and self.fault():
            self.keep.setChecked(False)
            self.show_fault()
            return
        self._tasks.start(_TASK, self._hold(on))

    async def _hold(self, on: bool) -> None:
        secrets, profile = self._context.secrets, self._context.session.profile
        credential = self.credential()
        if secrets is None or credential is None:
            self.keep.setChecked(False)
            self._say_below("It could not be saved: this window has no secret store.", "caution")
            return
        try:
            if on:
                words = (await in_thread(secrets.keep, profile, NAME, credential.reveal())).words
            else:
                await in_thread(secrets.drop, profile, NAME)
                words = "No longer saved: it is gone when this page closes."
        except ProfileFault as fault:
            self.keep.setChecked(False)
            self._say_below(fault.sentence, "error")
            return
        self._context.settings.set(self._key, on)
        self._say_below(words)


class WebhookForm(OperationForm):
    """`OperationForm` with a kind of body and samples for it. ``token`` stands between connector and body."""

    free: BodyEdit

    def __init__(self, operation: Operation, token: QWidget, make: EditorMaker) -> None:
        super().__init__(operation, make=make)
        box = self.layout()
        if isinstance(box, QVBoxLayout):
            box.insertWidget(1, token)

    def make_free(self) -> BodyEdit:
        return BodyEdit()

    def free_head(self, edit: JsonEdit) -> QHBoxLayout:
        self.kind = ElidedCombo("Send the body as")
        for name, (words, content_type) in KINDS.items():
            self.kind.addItem(words, name)
            tip = tooltip(content_type or "none is sent")
            self.kind.setItemData(self.kind.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.samples = push_button("Samples", kind="link")
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
