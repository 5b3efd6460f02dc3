"""The acknowledgment of a webhook in words (contract 2.15): status ok or error, info, and what a 501 means."""

from __future__ import annotations

import json
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from explorer.api.errors import ExplorerError, KeyRefused, NotSupported
from explorer.ui.call.answer_outcome import Badge, Outcome
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.kit.layout import column, row
from explorer.ui.kit.notices import Notice, notice_of
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.text_shown import shown_as_text
from explorer.ui.kit.theme import restyle
from explorer.ui.records.cells import field_bytes

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
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
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
        self.setProperty("card", "true")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
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
        self.badge.setProperty("badge", said.badge)
        restyle(self.badge)
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
