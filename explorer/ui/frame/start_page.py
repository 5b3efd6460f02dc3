"""The page shown while no profile is open: ways to open or create one. With a profile, Home takes its place."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from explorer.ui.kit.layout import STRETCH, column, dressed, row
from explorer.ui.kit.plain import PlainLabel


class StartPage(QWidget):
    """Offers to create a profile, and the palette."""

    new_profile_wanted = Signal()
    goto_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Start")
        dressed(self, ground="surface")
        title = PlainLabel("No profile is open", role="title")
        said = "For data of your own, make a profile with its address, key and connection. Go to… switches to another."
        text = PlainLabel(said, role="muted", wrap=True)
        buttons = []
        for name, signal in (("New profile…", self.new_profile_wanted), ("Go to…", self.goto_wanted)):
            button = QPushButton(name)
            button.clicked.connect(signal)
            buttons.append(button)
        self._inner = QWidget()
        self._inner.setFixedWidth(520)
        below = row(*buttons, STRETCH, spacing=8)
        column(title, text, below, of=self._inner, margins=24, spacing=12)
        middle = row(STRETCH, self._inner, STRETCH, spacing=-1)
        column((None, 2), middle, (None, 3), of=self, margins=-1, spacing=-1)

    def offer(self, offered: bool) -> None:
        """Show what can be done next, or nothing: while a profile is being opened, its tabs are about to appear."""
        self._inner.setVisible(offered)
