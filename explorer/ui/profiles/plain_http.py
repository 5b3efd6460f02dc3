"""The question before anything goes over plain http to another machine. Enter does not allow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.ui.kit.dialogs import Question, answered, press_on_enter
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile

_WIDTH = 480


class PlainHttpDialog(Question):
    """Says what plain http means for this address; the safe button is the default one and has the focus."""

    def __init__(self, profile: Profile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Allow plain http?")
        self.setModal(True)
        self.setFixedWidth(_WIDTH)
        title = PlainLabel("Send key and data unencrypted?", role="title", wrap=True)
        address = PlainLabel(profile.base_url, role="mono", wrap=True)
        address.setAccessibleName(f"Address: {profile.base_url}")
        words = (
            f"{profile.in_clear_words} Anyone on the network can read and change them. Use https "
            "where the service offers it. Nothing is sent until you allow it; your choice is saved "
            "with the profile, for this address."
        )
        self.allow = QPushButton("Allow plain http")
        self.allow.setAutoDefault(False)
        self.allow.setProperty("kind", "danger")
        self.allow.clicked.connect(self.accept)
        self.refuse = QPushButton("Do not send")
        self.refuse.clicked.connect(self.reject)
        buttons = row(STRETCH, self.allow, self.refuse, spacing=8)
        column(title, address, PlainLabel(words, wrap=True), buttons, of=self, margins=16, spacing=12)
        press_on_enter(self.refuse)
        self.refuse.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its words are in this width: Qt takes the height that they have in the width they would like."""
        self.resize(_WIDTH, self.heightForWidth(_WIDTH))
        super().showEvent(event)


async def ask_for_http(profile: Profile, parent: QWidget | None = None) -> Profile | None:
    """``profile`` with plain http allowed to its address, after a question where it takes one; None for a no."""
    if not profile.asks_for_http:
        return profile
    if not await answered(PlainHttpDialog(profile, parent)):
        return None
    return profile.allowing_http()
