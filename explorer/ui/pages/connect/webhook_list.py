"""The webhooks that were sent in a profile: when, where to, what came of it, and a way to load one into the form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.ui.forms.duration_editor import moment_text
from explorer.ui.kit.action_table import ActionCell, ActionRow, ActionTable, Look
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.pages.connect.link_words import made_words
from explorer.ui.pages.connect.webhook_form import KINDS

if TYPE_CHECKING:
    from explorer.session.journal import Entry

KIND = "webhook"
_HEADS = ("connector", "Body", "Sent", "Answer")
_BADGES = ("holds", "caution", "fails")


@dataclass(frozen=True, slots=True)
class SentWebhook:
    """One of the list, as the journal keeps it."""

    entry: int
    connector: str
    at: datetime
    word: str
    badge: Look
    form: Mapping[str, Any]


def sent_webhook(entry: Entry) -> SentWebhook:
    """A journal's entry; what an older or newer program wrote is taken as far as it goes."""
    form, badge = entry.data.get("form"), entry.data.get("badge")
    return SentWebhook(
        entry.id,
        entry.key,
        entry.at,
        str(entry.data.get("outcome", "")),
        cast("Look", badge) if badge in _BADGES else "muted",
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
        self.table = ActionTable(_HEADS, "Webhooks sent in this profile")
        self.note = PlainLabel(role="muted", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for widget in (self.title, self.table, self.note):
            box.addWidget(widget)
        self.show_webhooks(())

    def show_webhooks(self, sent: Sequence[SentWebhook]) -> None:
        """Show ``sent``, newest first."""
        now = datetime.now(UTC)
        self.table.deeds.show([self._deed(one, now) for one in sent])
        self.table.setVisible(bool(sent))
        self.note.setVisible(not sent)
        self.note.setText("None yet.")

    def say(self, words: str) -> None:
        """Show a line in place of the table."""
        self.show_webhooks(())
        self.note.setText(words)

    def _deed(self, one: SentWebhook, now: datetime) -> ActionRow:
        body = str(one.form.get("free") or "")
        kind = KINDS.get(str(one.form.get("kind")), ("", ""))[0]
        line = " ".join(body.split())[:200]
        cells = (
            ActionCell(one.connector),
            ActionCell(line, tip=f"{kind}\n{body[:1000]}") if line else ActionCell("no body", "muted"),
            ActionCell(made_words(one.at, now), tip=moment_text(one.at)),
            ActionCell(one.word, one.badge),
        )
        load = ("Load into form", lambda: self.load_wanted.emit(one))
        return ActionRow(
            one.entry, cells, (load, ("Forget this entry", lambda: self.forget_wanted.emit(one)))
        )
