"""The page that makes magic links (contract 2.13, endpoint 17): nine fields, the link hidden, and what was made so far.

The link is a credential. It stays in memory until the page closes, or goes to the secret store if the user says so;
the journal gets everything about it but the link.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.api.links import read_link
from explorer.catalog.builtin.connect import connector_names
from explorer.catalog.fields import Field
from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.jsontext.read import read_or_none
from explorer.profiles.fault import ProfileFault
from explorer.session import Session
from explorer.session.journal import Entry
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.journal_list import JournalList, scrolling
from explorer.ui.call.page_spec import PageSpec, Tab
from explorer.ui.forms.connector_editor import ConnectorChips, JoinedChips
from explorer.ui.forms.duration_editor import DurationEditor, moment_text
from explorer.ui.forms.editor import Place
from explorer.ui.forms.operation_form import focus_first
from explorer.ui.forms.text_editor import TextEditor
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import push_button
from explorer.ui.kit.rows_table import Action, Column, Tone
from explorer.ui.page import PageContext
from explorer.ui.pages.connect.link_card import LinkCard
from explorer.ui.pages.connect.link_look import LinkLook
from explorer.ui.pages.connect.link_words import end_words, made_words
from explorer.work import in_thread

KIND = "link"
_STORE = "link store"
_LOOKED_AT = 200
"""The newest links among which one to a connection is looked for."""
_NO_ENTRY = "It cannot be saved: its entry in the list is gone."
_NO_STORE = "It could not be saved: this window has no secret store."
_NONE = "None yet. Links are listed here without the link itself; that is saved only if you choose so."


@dataclass(frozen=True, slots=True)
class MadeLink:
    """One link of the list, as the journal keeps it."""

    entry: int
    customer: str
    view: str
    connectors: str
    made: datetime
    ends: datetime | None
    form: Mapping[str, Any]
    kept: bool
    """The link itself lies in the secret store, or in memory until the program ends."""


def made_link(entry: Entry) -> MadeLink:
    """A journal's entry as a link; what an older or newer program wrote is taken as far as it goes."""
    data = entry.data
    form = data.get("form")
    return MadeLink(
        entry.id,
        entry.key,
        _text(data.get("view")),
        _text(data.get("connectors")),
        moment(data.get("created")) or entry.at,
        moment(data.get("expires")),
        form if isinstance(form, dict) else {},
        bool(data.get("kept")),
    )


def moment(value: object) -> datetime | None:
    """A kept time, in UTC unless it says otherwise; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        at = datetime.fromisoformat(value)
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _customers(session: Session) -> list[tuple[str, str]]:
    """The customers that stored answers and links made before name, each with where: for the form to choose from."""
    found: dict[str, str] = {}
    for kind, where in (("customer", "read before"), (KIND, "has a link")):
        with suppress(ExplorerError):  # then none is offered, and any can be typed
            for entry in session.journal.each(kind, _LOOKED_AT):
                found[entry.key] = ", ".join(filter(None, (found.get(entry.key), where)))
    return [(key, where) for key, where in found.items() if key]


def _customer_editor(field: Field, place: Place, pane: LinkPane) -> TextEditor:
    made = TextEditor(field, place, pane)
    made.offer(partial(_customers, pane.session), "Customers that answers and links name")
    return made


def _leads_to(link: MadeLink) -> str:
    """The one connection that it is for, as ``conn_1 alone``; empty where none was named."""
    body = link.form.get("body")
    connection = _text(body.get("connectionId")) if isinstance(body, dict) else ""
    return f"{connection} alone" if connection else ""


def _end(link: MadeLink) -> tuple[str, Tone]:
    return end_words(link.ends, datetime.now(UTC))


def _end_tip(link: MadeLink) -> str:
    return f"{moment_text(link.ends)}, by its token, not verified" if link.ends else _end(link)[0]


_COLUMNS: tuple[Column[MadeLink], ...] = (
    Column("customerId", lambda link: link.customer),
    Column(
        "view",
        lambda link: link.view or "left out",
        lambda link: "text" if link.view else "quiet",
        spare=True,
    ),
    Column(
        "connectors",
        lambda link: link.connectors.replace(",", ", ") or _leads_to(link) or "any",
        lambda link: "text" if link.connectors or _leads_to(link) else "quiet",
        lambda link: "\n".join(filter(None, (link.connectors.replace(",", ", "), _leads_to(link)))),
    ),
    Column(
        "Created",
        lambda link: made_words(link.made, datetime.now(UTC)),
        tip=lambda link: moment_text(link.made),
        spare=True,
    ),
    Column("Expires", lambda link: _end(link)[0], lambda link: _end(link)[1], _end_tip),
)


class LinkPane(CallPane):
    """Form, card and list, and the keeping of links."""

    card: LinkCard
    list: JournalList[MadeLink]

    def make_card(self) -> QWidget:
        """The link that was made last, and below it those that were made before."""
        self._urls: dict[int, str] = {}
        self._current: int | None = None
        self.card = LinkCard()
        self.card.keep_wanted.connect(self._keep)
        self.card.said.connect(self.say)
        self.list = JournalList(
            self._context, KIND, "links", _COLUMNS, made_link, self._actions, made="created", none=_NONE
        )
        return scrolling(self.card, self.list)

    def _actions(self, link: MadeLink) -> tuple[Action, ...]:
        again = ("Create again", lambda: self.load(link.form))
        copy = ("Copy", lambda: self._copy(link))
        forget = ("Forget this entry", lambda: self._forget(link))
        usable = self._at_hand(link) and _end(link)[1] != "fails"
        return (copy, again, forget) if usable else (again, forget)

    def said_of(self, outcome: Outcome) -> str:
        """``Link created 12:04``."""
        return f"Link created {datetime.now(UTC).astimezone():%H:%M}"

    @property
    def session(self) -> Session:
        """The open profile."""
        return self._context.session

    def end(self) -> None:
        self._urls.clear()
        self.card.clear()

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
        self.card.show_link(url, body)
        self._current = self._note(url, body)
        if self._current is not None:
            self._urls[self._current] = url
            self.list.refresh()

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
        connection = self._context.session.connection
        return self.list.add(str(body.get("customerId", "")), data, source="answer", connection=connection)

    # ---- the list

    def _at_hand(self, link: MadeLink) -> bool:
        return link.entry in self._urls or link.kept

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
                self.say(fault.sentence)
                return
        if url:
            self._to_clipboard(url)
            return
        self._mark_kept(link.entry, "")
        self.say("That link is no longer saved: create it again.")

    def _to_clipboard(self, url: str) -> None:
        copy_text(url, "link")
        self.say("Link copied. Whoever has it acts as this customer.")

    def _forget(self, link: MadeLink) -> None:
        if link.entry == self._current:
            self._current = None
        self._urls.pop(link.entry, None)
        if link.kept:
            self._tasks.start(_STORE, self._drop(link.entry))
        self.list.forget(link.entry)

    # ---- the secret store

    def _keep(self, on: bool) -> None:
        entry, card = self._current, self.card
        if entry is None or self._context.secrets is None:
            card.show_place(_NO_ENTRY if entry is None else _NO_STORE, kept=False)
            return
        card.show_place("Asking the secret store…", kept=on)
        self._tasks.start(_STORE, self._hold(entry, card.url) if on else self._drop(entry))

    async def _hold(self, entry: int, url: str) -> None:
        secrets, card = self._context.secrets, self.card
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
        secrets, card = self._context.secrets, self.card
        if secrets is None:
            return
        try:
            await in_thread(secrets.drop, self._context.session.profile, _name(entry))
        except ProfileFault as fault:
            self.say(fault.sentence)
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

    def fill_in(self, given: Mapping[str, Any], title: str, text: str) -> None:
        """Fill in fields of the body beside what is typed there, and say why. Nothing is sent."""
        body = self.form.body
        if body is None:
            return
        typed = body.value()
        body.set_value({**(typed if isinstance(typed, dict) else {}), **given})
        self._notify("info", title, text, ())
        self._edited()
        focus_first(self.form)


class MagicLinkPage(CallPage):
    """Adds the way to look at a link that somebody sent."""

    def __init__(self, resource: Resource, context: PageContext, spec: PageSpec) -> None:
        super().__init__(resource, context, spec)
        tip = "What a link that somebody sent opens, for whom and until when"
        self.look_button = push_button("Look at a link…", tip=tip)
        self.look_button.clicked.connect(lambda _=False: self.look())
        self.head.add(self.look_button, behind=self.head.copy_button)
        self.head.folds.append(self.look_button)

    def reconnect(self, connection: str) -> None:
        # The customer of an earlier link to the same connection is the one who manages it.
        customer = self._customer_of(connection)
        named = {"customerId": customer} if customer else {}
        missing = "" if customer else " Name the customer who is to open it."
        text = f"Who opens the link manages {connection} alone, and can connect it again there.{missing}"
        title = "A link to this connection is filled in, nothing was sent"
        pane = self.pane
        if isinstance(pane, LinkPane):
            pane.fill_in({**named, "connectionId": connection}, title, text)

    def _customer_of(self, connection: str) -> str:
        try:
            entries = self.session.journal.latest(KIND, _LOOKED_AT)
        except ExplorerError:
            return ""
        for link in map(made_link, entries):
            body = link.form.get("body")
            if link.customer and isinstance(body, dict) and body.get("connectionId") == connection:
                return link.customer
        return ""

    def look(self, link: str = "") -> LinkLook:
        """The dialog for a link; it is held against the customer of the form."""
        body = self.pane.form.sent()
        customer = str(body.get("customerId", "")) if isinstance(body, dict) else ""
        dialog = LinkLook(self.session, self, link=link, customer=customer)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog


def _name(entry: int) -> str:
    return f"link-{entry}"


def _object(body: bytes | None) -> dict[str, Any]:
    value = read_or_none(body or b"{}")
    return value if isinstance(value, dict) else {}


PAGE = PageSpec(
    send="Create link",
    tabs=(Tab("Link", LinkPane.make_card, turn="good answer"),),
    editors={
        "customerId": _customer_editor,
        "validityInSeconds": DurationEditor,
        "connectorNames": lambda field, place, pane: ConnectorChips(field, place, connector_names(), pane),
        "integrationIds": JoinedChips,
    },
    pane=LinkPane,
    page=MagicLinkPage,
)
