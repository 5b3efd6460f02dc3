"""The links that were made in a profile, without the links themselves: whom for, what for, and when they end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from explorer.ui.forms.duration_editor import moment_text
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Action, Column, RowsModel, RowsTable, Tone
from explorer.ui.pages.connect.link_words import end_words, made_words

if TYPE_CHECKING:
    from explorer.session.journal import Entry

KIND = "link"
_TICK_MS = 20_000


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
        self.table = RowsTable(
            RowsModel(_COLUMNS, actions=self._actions), "Links created in this profile", most=15
        )
        self.note = PlainLabel(role="muted", wrap=True)
        column(self.title, self.table, self.note, of=self, spacing=8)
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
        self.table.show_rows(())
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
        self.table.show_rows(self._links, lambda one, other: one.entry == other.entry)
        self.table.show()
        self.note.hide()

    def _actions(self, link: MadeLink) -> tuple[Action, ...]:
        again = ("Create again", lambda: self.again_wanted.emit(link))
        copy = ("Copy", lambda: self.copy_wanted.emit(link))
        forget = ("Forget this entry", lambda: self.forget_wanted.emit(link))
        usable = self._at_hand(link) and _end(link)[1] != "fails"
        return (copy, again, forget) if usable else (again, forget)


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
        lambda link: link.connectors.replace(",", ", ") or "any",
        lambda link: "text" if link.connectors else "quiet",
    ),
    Column(
        "Created",
        lambda link: made_words(link.made, datetime.now(UTC)),
        tip=lambda link: moment_text(link.made),
        spare=True,
    ),
    Column("Expires", lambda link: _end(link)[0], lambda link: _end(link)[1], _end_tip),
)
