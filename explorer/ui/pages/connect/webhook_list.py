"""The webhooks that were sent in a profile: when, where to, what came of it, and a way to load one into the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from explorer.ui.forms.duration_editor import moment_text
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.rows_table import Action, Column, RowsModel, RowsTable, Tone
from explorer.ui.pages.connect.link_words import made_words
from explorer.ui.pages.connect.webhook_form import KINDS

if TYPE_CHECKING:
    from explorer.session.journal import Entry

KIND = "webhook"
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


class WebhookList(QWidget):
    """The table under the acknowledgment. Loading one fills the form; sending it stays an act of its own."""

    load_wanted = Signal(object)
    """The `SentWebhook`."""
    forget_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = PlainLabel("Webhooks sent in this profile", role="heading")
        self.table = RowsTable(
            RowsModel(_COLUMNS, actions=self._actions), "Webhooks sent in this profile", most=15
        )
        self.note = PlainLabel(role="muted", wrap=True)
        column(self.title, self.table, self.note, of=self, spacing=8)
        self.show_webhooks(())

    def show_webhooks(self, sent: Sequence[SentWebhook]) -> None:
        """Show ``sent``, newest first."""
        self.table.show_rows(sent, lambda one, other: one.entry == other.entry)
        self.table.setVisible(bool(sent))
        self.note.setVisible(not sent)
        self.note.setText("None yet.")

    def say(self, words: str) -> None:
        """Show a line in place of the table."""
        self.show_webhooks(())
        self.note.setText(words)

    def _actions(self, one: SentWebhook) -> tuple[Action, ...]:
        return (
            ("Load into form", lambda: self.load_wanted.emit(one)),
            ("Forget this entry", lambda: self.forget_wanted.emit(one)),
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
