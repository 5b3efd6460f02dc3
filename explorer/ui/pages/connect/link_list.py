"""The links that were made in a profile, without the links themselves: whom for, what for, and when they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.ui.forms.duration_editor import moment_text
from explorer.ui.kit.action_table import ActionCell, ActionRow, ActionTable
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.pages.connect.link_words import end_words, made_words

if TYPE_CHECKING:
    from explorer.session.journal import Entry

KIND = "link"
_TICK_MS = 20_000
_HEADS = ("customerId", "view", "connectors", "Created", "Expires")


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


class LinkList(QWidget):
    """The table under the card. It asks; the page does."""

    copy_wanted = Signal(object)
    """The `MadeLink` whose link is at hand and wanted on the clipboard."""
    again_wanted = Signal(object)
    forget_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._links: Sequence[MadeLink] = ()
        self._at_hand: Callable[[MadeLink], bool] = lambda _: False
        self.title = PlainLabel("Links created in this profile", role="heading")
        self.table = ActionTable(_HEADS, "Links created in this profile")
        self.note = PlainLabel(role="muted", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for widget in (self.title, self.table, self.note):
            box.addWidget(widget)
        self._clock = QTimer(self, interval=_TICK_MS)
        self._clock.timeout.connect(self.refresh)
        self._clock.start()

    def show_links(self, links: Sequence[MadeLink], at_hand: Callable[[MadeLink], bool]) -> None:
        """Show ``links``, newest first; ``at_hand`` says which of them can still be copied."""
        self._links, self._at_hand = links, at_hand
        self.refresh()

    def say(self, words: str) -> None:
        """Show a line in place of the table."""
        self._links = ()
        self.table.deeds.show(())
        self.table.hide()
        self.note.setText(words)
        self.note.show()

    def refresh(self) -> None:
        """Say anew how long each of them holds."""
        if not self._links:
            self.say(
                "None yet. Links are listed here without the link itself; that is saved only if you "
                "choose so."
            )
            return
        now = datetime.now(UTC)
        self.table.deeds.show([self._deed(link, now) for link in self._links])
        self.table.show()
        self.note.hide()

    def _deed(self, link: MadeLink, now: datetime) -> ActionRow:
        words, look = end_words(link.ends, now)
        cells = (
            ActionCell(link.customer),
            ActionCell(link.view) if link.view else ActionCell("left out", "muted"),
            ActionCell(link.connectors.replace(",", ", ")) if link.connectors else ActionCell("any", "muted"),
            ActionCell(made_words(link.made, now), tip=moment_text(link.made)),
            ActionCell(
                words, look, tip=f"{moment_text(link.ends)}, by its token, not verified" if link.ends else ""
            ),
        )
        again = ("Create again", lambda: self.again_wanted.emit(link))
        copy = ("Copy", lambda: self.copy_wanted.emit(link))
        forget = ("Forget this entry", lambda: self.forget_wanted.emit(link))
        usable = self._at_hand(link) and look != "fails"
        return ActionRow(link.entry, cells, (copy, again, forget) if usable else (again, forget))
