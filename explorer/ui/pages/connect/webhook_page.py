"""The page that sends a webhook to a named connector (endpoint 18): nothing goes out but by Send."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, KeyRefused, NotSupported
from explorer.api.guard import Permit
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.jsontext.read import read_or_none
from explorer.profiles.fault import ProfileFault
from explorer.session.journal import Entry
from explorer.ui.call.answer_outcome import Badge, Outcome
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.journal_list import JournalList, scrolling
from explorer.ui.call.page_spec import PageSpec, Tab
from explorer.ui.call.request_preview import Copy, as_command
from explorer.ui.forms.connector_editor import ConnectorEditor
from explorer.ui.forms.duration_editor import moment_text
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.kit.layout import column, dressed, row
from explorer.ui.kit.notices import Notice, notice_of
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.rows_table import Action, Column, Tone
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import set_look
from explorer.ui.pages.connect.link_words import made_words
from explorer.ui.pages.connect.webhook_form import KINDS, WebhookForm, WebhookToken
from explorer.ui.records.cells import field_bytes

KIND = "webhook"
_READ = "read the acknowledgment"
_BADGES = ("holds", "caution", "fails")


@dataclass(frozen=True, slots=True)
class SentWebhook:
    """One of the list, as the journal keeps it."""

    entry: int
    connector: str
    at: datetime
    word: str
    tone: Tone
    form: Mapping[str, Any]


def sent_webhook(entry: Entry) -> SentWebhook:
    """A journal's entry; what an older or newer program wrote is taken as far as it goes."""
    form, badge = entry.data.get("form"), entry.data.get("badge")
    return SentWebhook(
        entry.id,
        entry.key,
        entry.at,
        str(entry.data.get("outcome", "")),
        cast("Tone", badge) if badge in _BADGES else "quiet",
        form if isinstance(form, dict) else {},
    )


def _body(one: SentWebhook) -> str:
    return str(one.form.get("free") or "")


def _line(one: SentWebhook) -> str:
    return " ".join(_body(one).split())[:200]


def _body_tip(one: SentWebhook) -> str:
    kind = KINDS.get(str(one.form.get("kind")), ("", ""))[0]
    return f"{kind}\n{_body(one)[:1000]}" if _line(one) else "no body"


_COLUMNS: tuple[Column[SentWebhook], ...] = (
    Column("connector", lambda one: one.connector),
    Column(
        "Body", lambda one: _line(one) or "no body", lambda one: "text" if _line(one) else "quiet", _body_tip
    ),
    Column("Sent", lambda one: made_words(one.at, datetime.now(UTC)), tip=lambda one: moment_text(one.at)),
    Column("Answer", lambda one: one.word, lambda one: one.tone),
)


NO_WEBHOOKS = "This connector takes no webhooks."
_MOST = 20_000


@dataclass(frozen=True, slots=True)
class Acknowledgment:
    """What came of one webhook."""

    badge: Badge
    word: str
    """``ok``, ``error``, ``501``: what the badge says."""
    sentence: str
    text: str = ""
    info: bytes = b""
    """As received, secrets masked; empty where there is none."""


def status_of(body: bytes) -> str:
    """``ok``, ``error``, or an empty text where the body is no acknowledgment."""
    value = read_or_none(body)
    status = value.get("status") if isinstance(value, dict) else None
    return status if status in ("ok", "error") else ""


def told(error: ExplorerError) -> Notice:
    """A failed webhook as a notice: it goes to a connector, not to a connection, and carries a token."""
    notice = notice_of(error)
    if isinstance(error, NotSupported):
        return Notice("caution", NO_WEBHOOKS, "The service answered 501. Another connector may take them.")
    if isinstance(error, KeyRefused):
        return Notice(
            notice.kind,
            "The service does not accept this token.",
            "Check the bearer token, or enter another.",
        )
    return notice


def acknowledgment(outcome: Outcome, connector: str, error: ExplorerError | None) -> Acknowledgment:
    """An outcome in words."""
    name = visible(connector)
    if isinstance(error, NotSupported):
        return Acknowledgment("caution", "501", NO_WEBHOOKS, f"{name} answered that it does not handle them.")
    if error is not None:
        notice = told(error)
        return Acknowledgment(outcome.badge, outcome.status, notice.title, notice.text)
    status = status_of(outcome.body)
    info = field_bytes(outcome.masked, "info") if status else None
    if status == "ok":
        return Acknowledgment("holds", "ok", f"{name} accepted the webhook.", "", info or b"")
    if status == "error":
        sentence = f"{name} answered error."
        return Acknowledgment(
            "fails",
            "error",
            sentence,
            f"The call itself returned {outcome.status.partition(',')[0]}.",
            info or b"",
        )
    return Acknowledgment(
        "caution",
        "no status",
        "The response is not an acknowledgment.",
        "The contract requires a status, ok or error.",
    )


class AcknowledgmentCard(QFrame):
    """Shows the last one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dressed(self, card="true")
        self.setAccessibleName("Acknowledgment")
        self.badge = PlainLabel()
        self.sentence = PlainLabel(role="heading", wrap=True)
        self.text = PlainLabel(role="muted", wrap=True)
        self.info_title = PlainLabel("info", role="muted")
        self.info = JsonEdit(lines=3)
        self.info.setReadOnly(True)
        self.info.setAccessibleName("info")
        head = row((self.badge, Qt.AlignmentFlag.AlignTop), (self.sentence, 1), spacing=8)
        parts = (head, self.text, self.info_title, self.info)
        column(*parts, of=self, margins=(18, 16, 18, 16), spacing=8)
        self.clear()

    def clear(self) -> None:
        """Say that nothing was sent."""
        self.badge.hide()
        self.sentence.hide()
        self._show_info(b"")
        self.text.setText("Nothing was sent yet. What the connector answers will appear here, in words.")

    def show_acknowledgment(self, said: Acknowledgment) -> None:
        """Show one."""
        self.badge.setText(said.word)
        set_look(self.badge, badge=said.badge)
        self.badge.show()
        self.sentence.setText(said.sentence)
        self.sentence.show()
        self.text.setText(said.text)
        self.text.setVisible(bool(said.text))
        self._show_info(said.info)

    def _show_info(self, info: bytes) -> None:
        text = shown_as_text(info)
        cut = text if len(text) <= _MOST else f"{text[:_MOST]}…"
        self.info.set_text(cut)
        for widget in (self.info_title, self.info):
            widget.setVisible(bool(info))
        self.info_title.setText(
            "info" if cut == text else "the beginning of info: all of it is under Response"
        )


class WebhookPane(CallPane):
    """Connector, token and body; the acknowledgment in words; those that were sent before."""

    form: WebhookForm
    card: AcknowledgmentCard
    list: JournalList[SentWebhook]

    def make_form(self) -> WebhookForm:
        self.token = WebhookToken(self._context, self._tasks)
        self.token.changed.connect(self.changed)
        return WebhookForm(self.operation, self.token, self.editor)

    def make_card(self) -> QWidget:
        """The last acknowledgment, and below it the webhooks that were sent before."""
        self.card = AcknowledgmentCard()
        self.list = JournalList(
            self._context, KIND, "webhooks", _COLUMNS, sent_webhook, self._actions, made="sent"
        )
        return scrolling(self.card, self.list)

    def _actions(self, one: SentWebhook) -> tuple[Action, ...]:
        return (
            ("Load into form", lambda: self.load(one.form)),
            ("Forget this entry", lambda: self.list.forget(one.entry)),
        )

    # ---- sending

    def send(self, *, anyway: bool = False) -> None:
        """As everywhere; a token that no header could carry holds back, as it would not be sent as it stands."""
        if self.token.fault() and not self.busy:
            self.token.show_fault()
            self._said = self.token.fault()
            self.changed.emit()
            return
        super().send(anyway=anyway)
        self._form_sent = self._clean(self._form_sent)  # before the history keeps it

    def keep_draft(self) -> None:
        """As everywhere, but for the token, if it was typed into the body as well."""
        super().keep_draft()
        self._context.settings.set(self._draft_key, self._clean(self.form.draft()))

    def _clean(self, form: Mapping[str, Any]) -> dict[str, Any]:
        """``form`` without the token that was entered here: the journal's own rules do not know that one."""
        if not self.token.is_other:
            return dict(form)
        hidden = self._hidden()
        return {
            name: hidden.text(part) if isinstance(part, str) else hidden.json(part)
            for name, part in form.items()
        }

    async def transmit(self, request: Request, permit: Permit | None) -> Answer:
        credential = self.token.credential()
        return await self._context.session.send(request, permit=permit, credential=credential)

    def _hidden(self) -> Redactor:
        try:
            secret = self.token.credential()
        except ProfileFault:
            secret = None
        return Redactor([secret.reveal()] if secret is not None else [])

    def to_copy(self) -> Sequence[Request]:
        hidden = self._hidden()
        return [
            dataclasses.replace(one, body=hidden.data(one.body)) if one.body and self.token.is_other else one
            for one in super().to_copy()
        ]

    def copy_as(self, copy: Copy) -> None:
        """As everywhere; a command line cannot carry the token that was entered here, and that is said."""
        super().copy_as(copy)
        if copy is as_command and self.token.is_other and self._said.startswith("Copied"):
            self._said = "Copied as a command, which sends the profile's own key and not this token"
            self.changed.emit()

    def outcome_of(self, answer: Answer) -> Outcome:
        """The status of the acknowledgment counts, not that of HTTP: error comes with 200 (observed)."""
        outcome = super().outcome_of(answer)
        status = status_of(answer.body)
        if status == "ok":
            return outcome
        word = f"{outcome.status}, {status or 'no status'}"
        return dataclasses.replace(outcome, badge="fails" if status else "caution", status=word)

    def told_of(self, error: ExplorerError) -> Notice:
        return told(error)

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        connector = self._connector()
        done = partial(self._acknowledged, connector, request if outcome.answered else None)
        arguments = outcome, connector, error
        self._tasks.give(_READ, len(outcome.body), acknowledgment, *arguments, done=done)

    def _acknowledged(self, connector: str, request: Request | None, said: Acknowledgment) -> None:
        self.card.show_acknowledgment(said)
        if request is None:
            return
        data = {"form": self._form_sent, "outcome": said.word, "badge": said.badge}
        self.list.add(connector, data, source="form")

    def _connector(self) -> str:
        path = self._form_sent.get("path") or {}
        return str(path.get("connector_name", ""))


PAGE = PageSpec(
    tabs=(Tab("Acknowledgment", WebhookPane.make_card, turn="answer"),),
    editors={"connector_name": ConnectorEditor},
    pane=WebhookPane,
)
