"""Which bearer token a webhook carries: the profile's own, or one entered on the page (contract 5.2).

An entered token is in no draft, history or log. It stays in memory, or goes to the secret store if the user says so.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPushButton, QWidget

from explorer.profiles.credential import Auth, Credential, clean_secret
from explorer.profiles.fault import ProfileFault
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import restyle
from explorer.ui.page import PageContext
from explorer.work import in_thread

NAME = "webhook-token"
_TASK = "webhook token"
_NOTE = "An organization API key, a customer API key, or a customer authentication token"


class WebhookToken(QWidget):
    """A choice, and a field for the other token."""

    changed = Signal()

    def __init__(self, context: PageContext, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._tasks = tasks
        self._asked = False
        self.choice = QComboBox()
        self.choice.setAccessibleName("Bearer token")
        for words in ("The profile's own key", "Another token, entered here"):
            self.choice.addItem(words)
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setAccessibleName("The other token")
        self.line.setPlaceholderText("Token")
        self.reveal = QPushButton("Show")
        self.reveal.setCheckable(True)
        self.reveal.setAccessibleName("Show the token")
        self.keep = QCheckBox("Save it in the secret store")
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
        invalid = bool(fault)
        if bool(self.line.property("invalid")) != invalid:
            self.line.setProperty("invalid", invalid)
            restyle(self.line)
        self.below.setText(fault or words or self._taken_off() or _NOTE)
        role = "error" if fault else role
        if self.below.property("role") != role:
            self.below.setProperty("role", role)
            restyle(self.below)

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
