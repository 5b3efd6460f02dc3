"""The question before a write: what, where, as whom and with which body. On production the profile's name is typed.

The dialog is opened and awaited, never run, so that the window's loop goes on. The client decides whether a write may
be sent (api.guard); this only asks the user.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from explorer.api.guard import Permit, effect, why_write
from explorer.api.interface import reached
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.ui.kit.dialogs import Question, answered, press_on_enter
from explorer.ui.kit.layout import STRETCH, Part, column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import set_look

_MOST_SHOWN = 20_000


class WriteConsent:
    """The user's consent to writes. On production it lasts ten minutes, for one profile while that is not edited."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], Permit] = {}

    def remaining(self, profile: Profile) -> float:
        """For how many more seconds writes on ``profile`` are allowed without another question."""
        permit = self._held.get(_key(profile))
        return permit.remaining() if permit is not None else 0.0

    def withdraw(self) -> None:
        """End the consent: the next write is asked about."""
        self._held.clear()

    async def ask(self, request: Request, profile: Profile, parent: QWidget | None = None) -> Permit | None:
        """A permit for ``request``, after a question where the profile wants one; None when the user declined.

        For a profile that allows writes, or is read only, nothing is asked: the client sends or refuses.
        """
        production = profile.environment is Environment.PRODUCTION
        if effect(profile, request) == "read" or profile.guard is Guard.READ_ONLY:
            return Permit.for_request(profile, request)
        if production and self.remaining(profile) > 0:
            return self._held[_key(profile)]
        if not production and profile.guard is Guard.OPEN:
            return Permit.for_request(profile, request)
        if not await answered(WriteDialog(request, profile, parent)):
            return None
        if not production:
            return Permit.for_request(profile, request)
        permit = Permit.for_profile(profile)
        self._held[_key(profile)] = permit
        return permit


_consent = WriteConsent()


async def confirm_write(request: Request, profile: Profile, parent: QWidget | None = None) -> Permit | None:
    """`WriteConsent.ask` of the program's one consent."""
    return await _consent.ask(request, profile, parent)


def consent() -> WriteConsent:
    """The program's one consent, for the status bar's countdown and for closing a profile."""
    return _consent


class WriteDialog(Question):
    """Shows what is about to be written. Enter does not confirm where nothing was tabbed to: Cancel is the default."""

    def __init__(self, request: Request, profile: Profile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._profile = profile
        self.production = profile.environment is Environment.PRODUCTION
        self.setWindowTitle("Write on production?" if self.production else "Send this write?")
        self.setModal(True)
        self.setMinimumWidth(520)
        self.typed = QLineEdit()
        self.send = QPushButton("Send")
        self.cancel = QPushButton("Cancel")
        self._build(request)

    def _build(self, request: Request) -> None:
        title = request.operation.title if request.operation else "This call changes something"
        parts: list[Part] = [PlainLabel(f"{title}: this writes", role="title")]
        if why := why_write(self._profile, request):
            parts.append(PlainLabel(f"It counts as a write, because {why}.", role="caution", wrap=True))
        parts.append(self._facts(request))
        if request.body is not None:
            parts.append((self._body(request.body), 1))
        if self.production:
            words = f"Type the profile's name, {self._profile.name}, to allow writes for ten minutes."
            self.typed.setAccessibleName("The profile's name")
            self.typed.textChanged.connect(self._typed)
            self.typed.returnPressed.connect(self._entered)
            parts += [PlainLabel(words, wrap=True), self.typed]
        column(*parts, self._buttons(), of=self, margins=16, spacing=12)
        if not self.production:  # where a name is typed, Enter must not cancel
            press_on_enter(self.cancel)
        self._typed()
        (self.typed if self.production else self.cancel).setFocus()

    def _facts(self, request: Request) -> QFormLayout:
        form = QFormLayout(horizontalSpacing=16, verticalSpacing=4)
        profile = self._profile
        bearer = request.operation is not None and request.operation.bearer
        facts = (
            ("Call", f"{request.method} {request.target}", "mono"),
            ("Host", reached(profile, request).base_url, "mono"),
            (
                "Connection",
                "none: the webhook takes no connection" if bearer else profile.connection or "none",
                "mono",
            ),
            ("Profile", f"{profile.name} ({profile.environment.value})", ""),
        )
        for name, value, role in facts:
            label = PlainLabel(value, role=role, wrap=True, selectable=True)
            label.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            label.setAccessibleName(f"{name}: {value}")
            form.addRow(PlainLabel(name, role="muted"), label)
        return form

    def _body(self, body: bytes) -> QPlainTextEdit:
        text = shown_as_text(Redactor(()).data(body))
        shown = QPlainTextEdit(text[:_MOST_SHOWN] + ("\n…" if len(text) > _MOST_SHOWN else ""), readOnly=True)
        shown.setProperty("mono", "true")
        shown.setAccessibleName("Body")
        shown.setTabChangesFocus(True)
        shown.setMinimumHeight(120)
        return shown

    def _buttons(self) -> QHBoxLayout:
        self.send.setAutoDefault(False)
        self.send.clicked.connect(self.accept)
        self.cancel.setAutoDefault(not self.production)
        self.cancel.clicked.connect(self.reject)
        return row(STRETCH, self.cancel, self.send, spacing=8)

    def _typed(self) -> None:
        ready = not self.production or self.typed.text().strip() == self._profile.name
        self.send.setEnabled(ready)
        set_look(self.send, kind="danger" if ready else "")

    def _entered(self) -> None:
        """Enter confirms once the whole name is typed, as that is no accident; before, it does nothing."""
        if self.send.isEnabled():
            self.accept()


class PermitClock(PlainLabel):
    """A countdown of how long writes on a production profile are still allowed; hidden when they are not."""

    def __init__(self, profile: Profile, consent: WriteConsent, parent: QWidget | None = None) -> None:
        super().__init__("", parent, role="caution")
        self._profile = profile
        self._consent = consent
        self._timer = QTimer(self, interval=1000)
        self._timer.timeout.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the time that is left."""
        left = int(self._consent.remaining(self._profile))
        self.setVisible(left > 0)
        if left:
            self.setText(f"Writes allowed for {left // 60}:{left % 60:02d}")
            self._timer.start()
        else:
            self._timer.stop()


def _key(profile: Profile) -> tuple[str, str]:
    return profile.id, profile.base_url
