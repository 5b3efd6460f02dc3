"""What stands in the middle while no tab is open: what to do next, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.catalog.spec import Resource
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile


class StartPage(QWidget):
    """Offers the first list, one's own connection, and the palette."""

    open_wanted = Signal(str)
    new_profile_wanted = Signal()
    goto_wanted = Signal()

    def __init__(self, lists: Sequence[Resource], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Start")
        self.setProperty("ground", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title = PlainLabel("Choose what to look at", role="title")
        self._text = PlainLabel("", role="muted", wrap=True)
        self._first = QPushButton()
        self._first.setProperty("kind", "primary")
        self._first.clicked.connect(lambda: self.open_wanted.emit(self._key))
        buttons = [self._first]
        for text, signal in (("New profile…", self.new_profile_wanted), ("Go to…", self.goto_wanted)):
            button = QPushButton(text)
            button.clicked.connect(signal)
            buttons.append(button)
        self._inner = QWidget()
        self._inner.setFixedWidth(520)
        below = row(*buttons, STRETCH, spacing=8)
        column(self._title, self._text, below, of=self._inner, margins=24, spacing=12)
        middle = row(STRETCH, self._inner, STRETCH, spacing=-1)
        column((None, 2), middle, (None, 3), of=self, margins=-1, spacing=-1)
        self.show_lists(lists)
        self.show_profile(None)

    def offer(self, offered: bool) -> None:
        """Show what can be done next, or nothing: while a profile is opened, its tabs may be about to come."""
        self._inner.setVisible(offered)

    def show_lists(self, lists: Sequence[Resource]) -> None:
        """Offer the first of ``lists``, or none where there is no list."""
        self._key = lists[0].key if lists else ""
        self._first.setText(f"Open {lists[0].title}" if lists else "")
        self._first.setVisible(bool(lists))

    def show_profile(self, profile: Profile | None) -> None:
        """Say whose data it would be, and on the sandbox how to come to one's own."""
        said = ["The profile is being opened."]
        if profile is not None:
            whose = f", connection {profile.connection}" if profile.connection else ""
            said = [f"You are on {profile.name}{whose}."]
        said.append("Pick a page on the left: a square reads, a circle writes.")
        if profile is None or profile.is_builtin:
            said.append("For data of your own, make a profile with its address, key and connection.")
        self._text.setText(" ".join(said))
