"""The status bar: the connection, the message of the current page, and at the right the source of the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtWidgets import QSizePolicy, QStatusBar, QWidget

from explorer.ui.kit.clipboard import CopiedLabel
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.theme import set_look
from explorer.ui.kit.visible import shortened, visible

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange
    from explorer.profiles.profile import Profile

State = Literal["idle", "opening", "connected", "retrying", "failed"]

_WHOM = 36
"""Characters of a connection's id, the longest of which are cut."""
_GUARDS = {"read only": "read only", "ask first": "asks before writes", "open": "writes are sent at once"}
"""How the profile treats a write, in words that stand alone."""


class Status(QStatusBar):
    """Words first: the dot only repeats their meaning in colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.setContentsMargins(12, 0, 12, 0)
        self._connection = PlainLabel("")
        self._whom = PlainLabel("", role="path", elide=True)
        # As wide as its words, and cut only where there is no room for them beside how writes are guarded.
        self._whom.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._whom.setContentsMargins(0, 0, 14, 0)
        self._whom.setAccessibleDescription("Connection")
        self._whom.hide()
        self._page = PlainLabel("", elide=True)
        self._source = PlainLabel("")
        self.copied = CopiedLabel()
        self._clear = PlainLabel("Plain http: key and data unencrypted", role="caution")
        self._clear.setContentsMargins(0, 0, 14, 0)
        self._clear.hide()
        self._connection.setAccessibleDescription("State of the connection")
        self._source.setAccessibleDescription("Where the data comes from")
        self._connection.setContentsMargins(0, 0, 14, 0)
        self.copied.setContentsMargins(0, 0, 14, 0)
        self.addWidget(self._whom)
        self.addWidget(self._connection)
        self.addWidget(self._page, 1)
        self.addPermanentWidget(self.copied)
        self.addPermanentWidget(self._clear)
        self.addPermanentWidget(self._source)
        self.connection("idle")

    def connection(self, state: State, words: str = "") -> None:
        """Show the state of the service."""
        said = (
            words
            or {
                "idle": "Connection opened, nothing asked since",
                "opening": "Opening…",
                "connected": "Connected",
                "retrying": "Trying again…",
                "failed": "Failed",
            }[state]
        )
        self._connection.setText(f"{'○' if state in ('idle', 'opening', 'retrying') else '●'}  {said}")
        set_look(self._connection, role="fails" if state == "failed" else "")

    def heard(self, exchange: Exchange) -> None:
        """Take what an exchange says about the connection."""
        if exchange.on_purpose:
            return
        if exchange.verdict == "caution" and exchange.summary.startswith(("retry in", "sent again")):
            failed = f"{exchange.status} {exchange.reason}" if exchange.status is not None else "No answer"
            self.connection("retrying", f"{failed}, {exchange.summary}")
        elif exchange.state == "answered" and exchange.status is not None:
            if exchange.status < 300 and exchange.verdict == "fails":
                self.connection("failed", "Sign-in page")
            elif exchange.status < 300:
                self.connection("connected")
            else:
                page = f"Page {exchange.page}: " if exchange.page else ""
                self.connection("failed", f"{page}{exchange.status} {exchange.reason}".strip())
        elif exchange.state == "failed":
            self.connection("failed", "No answer")

    def page(self, words: str) -> None:
        """Show the message of the current page."""
        self._page.setText(words)

    def name_connection(self, named: bool) -> None:
        """Name the connection, where the sidebar does not."""
        self._whom.setVisible(named)

    def source(self, profile: Profile) -> None:
        """Show address and guard of the current profile, with a caution where the connection is not encrypted."""
        self._whom.setText(shortened(visible(profile.connection or "No connection"), _WHOM))
        self._clear.setVisible(profile.in_clear)
        address = profile.base_url.split("://", 1)[-1]
        where = address if not profile.is_builtin else f"Sandbox {address}"
        self._source.setText(f"{where}  ·  {_GUARDS[profile.guard.value]}")

    def words(self) -> str:
        """All of it, for tests and the tour."""
        parts = (self._whom, self._connection, self._page, self.copied, self._clear, self._source)
        return "  ".join(p.whole() for p in parts if p.whole() and not p.isHidden())
