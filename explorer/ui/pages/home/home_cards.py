"""What stands around the table of Home: whose page it is, how the connection is, the one sentence, the last run."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from explorer.ui.kit.layout import STRETCH, column, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import restyle
from explorer.ui.own_pages import RUNS
from explorer.ui.page import PageContext
from explorer.ui.pages.home.home_state import Act, HomeState
from explorer.ui.pages.home.last_run import LastRun

_GUARDS = {"read only": "Read only", "ask first": "Asks before each write", "open": "Writes are sent at once"}
_VERDICTS = ("fail", "suspect", "hold")
CARD = 264
"""Pixels: the width of a card beside the table."""


class HomeHead(QFrame):
    """Whose page it is, the connection check, and the one primary button."""

    wanted = Signal(object)
    """An `Act`."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setProperty("bar", "head")
        self._state: HomeState | None = None
        profile = context.session.profile
        title = PlainLabel(profile.name, role="title")
        connection = PlainLabel(profile.connection, role="path", elide=True, selectable=True)
        self.check = push_button(
            "", tip="Opens its page: a check is a write, and nothing is sent by opening it"
        )
        self.pull = push_button("Pull what is here")
        self.first = push_button("", kind="primary")
        self.check.clicked.connect(
            lambda: self._state and self._state.check and self.wanted.emit(self._state.check)
        )
        self.first.clicked.connect(lambda: self._state and self.wanted.emit(self._state.first))
        row(
            title,
            (connection, 1),
            self.check,
            self.pull,
            self.first,
            of=self,
            margins=(12, 7, 12, 7),
            spacing=8,
        )

    def show_state(self, state: HomeState) -> None:
        """Show what the buttons do now."""
        self._state = state
        self.check.setVisible(state.check is not None)
        self.check.setText(state.check.text if state.check is not None else "")
        self.first.setText(state.first.text)
        self.pull.setVisible(bool(state.pulls))
        self.pull.setToolTip(tooltip(state.pulls_tip))


class InfoStrip(QFrame):
    """Which connector it is, whether its last read went well, and how the profile reaches it."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setProperty("bar", "strip")
        profile = context.session.profile
        self.connector = PlainLabel(role="heading")
        self.badge, self.since = PlainLabel(), PlainLabel(role="muted")
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        about = f"{_GUARDS[profile.guard.value]}  ·  Interface: {context.session.registry.interface.title}"
        settings = push_button("Connection settings…", kind="link")
        if context.elsewhere is not None:
            settings.clicked.connect(context.elsewhere.edit_profile)
        parts = (self.connector, self.badge, self.since, 8, (PlainLabel(about, role="muted", elide=True), 1))
        row(*parts, settings, of=self, margins=(12, 2, 8, 2), spacing=8)

    def show_state(self, state: HomeState) -> None:
        """Show the connector and its health."""
        self.connector.setText(state.connector)
        said, kind = state.badge
        self.badge.setText(said)
        self.badge.setProperty("badge", kind)
        restyle(self.badge)
        self.since.setText(state.since)


class SentenceCard(QFrame):
    """The one sentence that matters most, and what can be done about it."""

    wanted = Signal(object)
    """An `Act`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._act: Act | None = None
        self.title, self.text = PlainLabel(role="title"), PlainLabel(role="muted", wrap=True)
        self.button = push_button("")
        self.button.clicked.connect(lambda: self._act and self.wanted.emit(self._act))
        said = column(self.title, self.text, spacing=2)
        row((said, 1), self.button, of=self, margins=(16, 8, 12, 8), spacing=16)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_state(self, state: HomeState) -> None:
        """Show the sentence."""
        said = state.sentence
        self._act = said.act
        self.title.setText(said.title)
        self.text.setText(said.text)
        self.button.setVisible(said.act is not None)
        self.button.setText(said.act.text if said.act is not None else "")
        self.setAccessibleName(f"{said.title} {said.text}")


class LastRunCard(QFrame):
    """The last quality run: its sentence, how many results have which verdict, and the way to it."""

    wanted = Signal(object)
    """An `Act`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.setAccessibleName("Last run")
        self._low, self._is_empty = False, True
        self.when = PlainLabel(role="faint")
        self.said = PlainLabel("No quality run of this connection is saved.", wrap=True)
        self.badges = [PlainLabel() for _ in range(3)]
        for label, kind in zip(self.badges, ("fails", "caution", "holds"), strict=True):
            label.setProperty("badge", kind)
            label.hide()
        self.looked = PlainLabel(role="faint", wrap=True)
        self.open = push_button("Open quality runs", kind="link")
        self.open.clicked.connect(lambda: self.wanted.emit(Act("", "open", RUNS.key)))
        self._top = row(PlainLabel("Last run", role="heading"), (self.when, 1), self.open, spacing=8)
        self._counts = row(*self.badges, STRETCH, spacing=6)
        parts = (self._top, self.said, self._counts, self.looked)
        self._parts = column(*parts, of=self, margins=(12, 4, 8, 8), spacing=4)

    def show_run(self, run: LastRun | None) -> None:
        """Show ``run``."""
        if run is None:
            return
        self._is_empty = False
        self.when.setText(f"{run.at.astimezone():%d %b %H:%M}".removeprefix("0"))
        self.said.setText(run.sentence)
        for label, number, word in zip(self.badges, run.counts, _VERDICTS, strict=True):
            label.setText(f"{number:,} {word}")
        self.looked.setText(run.looked)
        self.open.setText("Open the run")
        self._fold()

    def fit(self, *, narrow: bool, low: bool) -> None:
        """Take less room: under the table (``narrow``), and in one line where the page is ``low``."""
        self.setMinimumWidth(0 if narrow else CARD)
        self.setMaximumWidth(16_777_215 if narrow else CARD)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred,
            QSizePolicy.Policy.Maximum if narrow else QSizePolicy.Policy.Preferred,
        )
        self._low = low
        self._fold()

    def _fold(self) -> None:
        line = self._low
        if self._is_empty:
            self.when.setText("None of this connection is saved" if line else "")
        for place, label in enumerate(self.badges):
            label.hide()  # moved while it shows, it would be a window of its own for a moment
            (self._top if line else self._counts).insertWidget(place + 1 if line else place, label)
            label.setVisible(bool(label.text()) and not label.text().startswith("0 "))
        self._parts.setContentsMargins(12, 4, 8, 4 if line else 8)
        self._parts.setSpacing(0 if line else 4)
        self.said.setVisible(not line)
        self.looked.setVisible(not (self._is_empty or line))
