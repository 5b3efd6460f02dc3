"""The page that makes magic links (contract 2.13, endpoint 17): nine fields, the link hidden, and what was made so far.

The link is a credential. It stays in memory until the page closes, or goes to the secret store if the user says so;
the journal gets everything about it but the link.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from PySide6.QtWidgets import QApplication

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.api.links import read_link
from explorer.catalog.builtin.webhook import connector_names
from explorer.catalog.fields import Field
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.profiles.fault import ProfileFault
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.forms.connector_editor import ConnectorChips, JoinedChips
from explorer.ui.forms.duration_editor import DurationEditor
from explorer.ui.forms.editor import Editor, Place
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.pages.connect.link_list import KIND, MadeLink, made_link
from explorer.ui.pages.connect.link_panel import LinkPanel
from explorer.work import in_thread

# How a person asks for a link: for whom, how long, what for. Fields that are not named here follow in their order.
_ROWS = (
    ("customerId",),
    ("displayName",),
    ("validityInSeconds", "theme"),
    ("view",),
    ("redirectUrl",),
    ("connectorNames",),
    ("integrationIds",),
    ("connectionId",),
)
_STORE = "link store"
_NO_ENTRY = "It cannot be saved: its entry in the list is gone."
_NO_STORE = "It could not be saved: this window has no secret store."


def link_editor(field: Field, place: Place) -> Editor:
    """A length of time for the validity, chips for the two lists, and for the rest what every form has."""
    if field.name == "validityInSeconds":
        return DurationEditor(field, place)
    if field.name == "connectorNames":
        return ConnectorChips(field, place, connector_names())
    if field.name == "integrationIds":
        return JoinedChips(field, place)
    return editor_of(field, place)


def link_rows(fields: tuple[Field, ...]) -> list[tuple[Field, ...]]:
    """The rows of the form; a field that the contract gains later stands at their end."""
    known = {field.name: field for field in fields}
    rows = [tuple(known.pop(name) for name in names if name in known) for names in _ROWS]
    return [row for row in rows if row] + [(field,) for field in known.values()]


class LinkPane(CallPane):
    """Form, card and list, and the keeping of links."""

    panel: LinkPanel

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._urls: dict[int, str] = {}
        self._current: int | None = None
        self._unsubscribe: Callable[[], None] | None = None
        card, links = self.panel.card, self.panel.list
        card.keep_wanted.connect(self._keep)
        card.said.connect(self._set_text)
        links.copy_wanted.connect(self._copy)
        links.again_wanted.connect(self.create_again)
        links.forget_wanted.connect(self._forget)
        try:
            self._unsubscribe = self._context.session.journal.subscribe(self._journal_changed)
        except ExplorerError as fault:
            links.say(f"Earlier links cannot be shown: {fault.sentence}")
        else:
            self._list()

    def make_form(self) -> OperationForm:
        return OperationForm(self.operation, make=link_editor, rows=link_rows)

    def make_panel(self) -> LinkPanel:
        return LinkPanel(self.operation)

    def said_of(self, outcome: Outcome) -> str:
        """``Link created 12:04``."""
        return f"Link created {datetime.now(UTC).astimezone():%H:%M}"

    def end(self) -> None:
        """Forget the links and hear no more of the journal: the page closes."""
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._urls.clear()
        self.panel.card.clear()

    # ---- a link came

    def came_back(
        self, request: Request | None, outcome: Outcome, answer: Answer | None, error: ExplorerError | None
    ) -> None:
        if request is None or answer is None:
            return
        url, body = outcome.link, _object(request.body)
        if not url:
            self._notify(
                "caution", "No link came", "The response has no url, which the contract promises.", ()
            )
            self.panel.turn_to("Response")
            return
        self.panel.card.show_link(url, body)
        self._current = self._note(url, body)
        if self._current is not None:
            self._urls[self._current] = url
            self._list()

    def _note(self, url: str, body: dict[str, Any]) -> int | None:
        """Keep what was made, without the link."""
        link = read_link(url)
        data = {
            "form": self._form_sent,
            "created": (link.made or datetime.now(UTC)).isoformat(),
            "expires": link.ends.isoformat() if link.ends else None,
            "view": body.get("view"),
            "connectors": body.get("connectorNames"),
            "kept": "",
        }
        session = self._context.session
        try:
            entry = session.journal.add(
                KIND, str(body.get("customerId", "")), data, source="answer", connection=session.connection
            )
        except ExplorerError as fault:
            self._context.notices.report(fault)
            return None
        return entry.id

    # ---- the list

    def _journal_changed(self, kind: str) -> None:
        if kind == KIND:
            self._list()

    def _list(self) -> None:
        try:
            entries = self._context.session.journal.latest(KIND)
        except ExplorerError as fault:
            self.panel.list.say(f"Earlier links cannot be shown: {fault.sentence}")
            return
        self.panel.list.show_links([made_link(entry) for entry in entries], self._at_hand)

    def _at_hand(self, link: MadeLink) -> bool:
        return link.entry in self._urls or link.kept

    def create_again(self, link: MadeLink) -> None:
        """Load what asked for the link into the form. Nothing is sent."""
        self.load(link.form)

    def _copy(self, link: MadeLink) -> None:
        if link.entry in self._urls:
            self._to_clipboard(self._urls[link.entry])
        else:
            self._tasks.start(_STORE, self._copy_kept(link))

    async def _copy_kept(self, link: MadeLink) -> None:
        secrets, profile = self._context.secrets, self._context.session.profile
        url = None
        if secrets is not None:
            try:
                url = await in_thread(secrets.recall, profile, _name(link.entry))
            except ProfileFault as fault:
                self._set_text(fault.sentence)
                return
        if url:
            self._to_clipboard(url)
            return
        self._mark_kept(link.entry, "")
        self._set_text("That link is no longer saved: create it again.")

    def _to_clipboard(self, url: str) -> None:
        QApplication.clipboard().setText(url)
        self._set_text("Link copied. Whoever has it acts as this customer.")

    def _forget(self, link: MadeLink) -> None:
        if link.entry == self._current:
            self._current = None
        self._urls.pop(link.entry, None)
        if link.kept:
            self._tasks.start(_STORE, self._drop(link.entry))
        try:
            self._context.session.journal.remove(link.entry)
        except ExplorerError as fault:
            self._context.notices.report(fault)

    # ---- the secret store

    def _keep(self, on: bool) -> None:
        entry, card = self._current, self.panel.card
        if entry is None or self._context.secrets is None:
            card.show_place(_NO_ENTRY if entry is None else _NO_STORE, kept=False)
            return
        card.show_place("Asking the secret store…", kept=on)
        self._tasks.start(_STORE, self._hold(entry, card.url) if on else self._drop(entry))

    async def _hold(self, entry: int, url: str) -> None:
        secrets, card = self._context.secrets, self.panel.card
        if secrets is None:
            return
        try:
            place = await in_thread(secrets.keep, self._context.session.profile, _name(entry), url)
        except ProfileFault as fault:
            card.show_place(fault.sentence, kept=False)
            return
        self._mark_kept(entry, place.value)
        if entry == self._current:
            card.show_place(place.words, kept=True)

    async def _drop(self, entry: int) -> None:
        secrets, card = self._context.secrets, self.panel.card
        if secrets is None:
            return
        try:
            await in_thread(secrets.drop, self._context.session.profile, _name(entry))
        except ProfileFault as fault:
            self._set_text(fault.sentence)
            return
        self._mark_kept(entry, "")
        if entry == self._current:
            card.show_place("No longer saved: it is gone when this page closes.", kept=False)

    def _mark_kept(self, entry: int, place: str) -> None:
        try:
            found = [one for one in self._context.session.journal.latest(KIND, 500) if one.id == entry]
            if found:
                self._context.session.journal.update(entry, {**found[0].data, "kept": place})
        except ExplorerError as fault:
            self._context.notices.report(fault)

    def _set_text(self, words: str) -> None:
        self._said = words
        self.changed.emit()


def _name(entry: int) -> str:
    return f"link-{entry}"


def _object(body: bytes | None) -> dict[str, Any]:
    try:
        value = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class MagicLinkPage(CallPage):
    """A call page whose answer is a credential."""

    def make_pane(self, operation: Operation) -> CallPane:
        return LinkPane(operation, self.context, self.tasks)

    async def shutdown(self) -> None:
        await super().shutdown()
        for pane in self.panes:
            if isinstance(pane, LinkPane):
                pane.end()
