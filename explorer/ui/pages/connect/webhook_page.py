"""The page that sends a webhook to a named connector (endpoint 18): nothing goes out but by Send."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtWidgets import QWidget

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.api.guard import Permit
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.profiles.fault import ProfileFault
from explorer.ui.call.answer_changes import Change
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.kit.notices import Notice
from explorer.ui.pages.connect.link_panel import scrolling
from explorer.ui.pages.connect.webhook_answer import (
    Acknowledgment,
    AcknowledgmentCard,
    acknowledgment,
    status_of,
    told,
)
from explorer.ui.pages.connect.webhook_form import WebhookForm
from explorer.ui.pages.connect.webhook_list import KIND, SentWebhook, WebhookList, sent_webhook
from explorer.ui.pages.connect.webhook_token import WebhookToken

TAB = "Acknowledgment"
_READ = "read the acknowledgment"


class WebhookPanel(AnswerPanel):
    """Tabs Acknowledgment, Request and Response."""

    def __init__(self, operation: Operation, parent: QWidget | None = None) -> None:
        super().__init__(operation, parent)
        self.card = AcknowledgmentCard()
        self.list = WebhookList()
        self.add_tab(TAB, scrolling(self.card, self.list), 0)

    def show_outcome(self, outcome: Outcome, changes: Sequence[Change]) -> None:
        super().show_outcome(outcome, changes)
        self.turn_to(TAB)


class WebhookPane(CallPane):
    """Connector, token and body; the acknowledgment in words; those that were sent before."""

    form: WebhookForm
    panel: WebhookPanel

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._unsubscribe: Callable[[], None] | None = None
        self.token.changed.connect(self._token_changed)
        self.panel.list.load_wanted.connect(lambda sent: self.load(sent.form))
        self.panel.list.forget_wanted.connect(self._forget)
        try:
            self._unsubscribe = self._context.session.journal.subscribe(self._journal_changed)
        except ExplorerError as fault:
            self.panel.list.say(f"Earlier webhooks cannot be shown: {fault.sentence}")
        else:
            self._list()

    def make_form(self) -> WebhookForm:
        self.token = WebhookToken(self._context, self._tasks)
        return WebhookForm(self.operation, self.token)

    def make_panel(self) -> WebhookPanel:
        return WebhookPanel(self.operation)

    def end(self) -> None:
        """Hear no more of the journal: the page closes."""
        if self._unsubscribe is not None:
            self._unsubscribe()

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

    def copy_as_command(self) -> None:
        """As everywhere; the line cannot carry the token that was entered here, and that is said."""
        super().copy_as_command()
        if self.token.is_other and self._said.startswith("Copied"):
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
        self.panel.card.show_acknowledgment(said)
        if request is None:
            return
        data = {"form": self._form_sent, "outcome": said.word, "badge": said.badge}
        session = self._context.session
        try:
            session.journal.add(KIND, connector, data, source="form", connection="")
        except ExplorerError as fault:
            self._context.notices.report(fault)

    def _connector(self) -> str:
        path = self._form_sent.get("path") or {}
        return str(path.get("connector_name", ""))

    # ---- the list

    def _token_changed(self) -> None:
        self.changed.emit()

    def _journal_changed(self, kind: str) -> None:
        if kind == KIND:
            self._list()

    def _list(self) -> None:
        try:
            entries = self._context.session.journal.latest(KIND)
        except ExplorerError as fault:
            self.panel.list.say(f"Earlier webhooks cannot be shown: {fault.sentence}")
            return
        self.panel.list.show_webhooks([sent_webhook(entry) for entry in entries])

    def _forget(self, sent: SentWebhook) -> None:
        try:
            self._context.session.journal.remove(sent.entry)
        except ExplorerError as fault:
            self._context.notices.report(fault)


class WebhookPage(CallPage):
    """A call page whose answer may say no with status 200."""

    def make_pane(self, operation: Operation) -> CallPane:
        return WebhookPane(operation, self.context, self.tasks)

    async def shutdown(self) -> None:
        await super().shutdown()
        for pane in self.panes:
            if isinstance(pane, WebhookPane):
                pane.end()
