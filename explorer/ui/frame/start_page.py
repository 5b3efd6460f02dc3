"""What stands in the middle while no tab is open: what to do next, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from explorer.catalog.spec import Resource
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
        row = QHBoxLayout()
        row.setSpacing(8)
        self._first = QPushButton()
        self._first.setProperty("kind", "primary")
        self._first.clicked.connect(lambda: self.open_wanted.emit(self._key))
        row.addWidget(self._first)
        for text, signal in (("New profile…", self.new_profile_wanted), ("Go to…", self.goto_wanted)):
            button = QPushButton(text)
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addStretch(1)
        self._inner = QWidget()
        self._inner.setFixedWidth(520)
        column = QVBoxLayout(self._inner)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addWidget(self._title)
        column.addWidget(self._text)
        column.addLayout(row)
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(self._inner)
        middle.addStretch(1)
        outer.addLayout(middle)
        outer.addStretch(3)
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
