"""Around the table of Home: whose page it is, the connection, the one sentence, the last run, what was done last."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.api.exchange import Exchange
from explorer.session import Session
from explorer.ui.kit.columns import Column
from explorer.ui.kit.folding_bar import FoldingBar
from explorer.ui.kit.layout import STRETCH, column, push_button, row, type_scale
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.rows_tree import RowsTree, RowsTreeModel
from explorer.ui.kit.theme import HEADER, ROW, set_look
from explorer.ui.own_pages import RUNS
from explorer.ui.page import PageContext
from explorer.ui.pages.home.home_state import Act, HomeState
from explorer.ui.pages.home.last_run import LastRun
from explorer.work import in_thread

_GUARDS = {"read only": "Read only", "ask first": "Asks before each write", "open": "Writes are sent at once"}
_VERDICTS = ("fail", "suspect", "hold")
CARD = 264
"""Pixels: the width of a card beside the table."""
_LEAST = 60
"""Pixels of a longer id of the connection that buttons fold to keep."""


_RUN_QUICK = (
    "Checks the first pages of each list now, with reads alone. It can be stopped, and keeps what it found."
)
_RUN = Act("", "run", RUNS.key)
_SET_UP = "Choose lists, checks and limits before a quality run"


class HomeHead(FoldingBar):
    """Whose page it is, the connection check, and the one primary button, which begins a quick run."""

    wanted = Signal(object)
    """An `Act`."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self._state: HomeState | None = None
        profile = context.session.profile
        title = PlainLabel(profile.name, role="title")
        connection = PlainLabel(profile.connection, role="path", elide=True, selectable=True)
        self.check = push_button(
            "", tip="Opens its page: a check is a write, and nothing is sent by opening it"
        )
        self.pull = push_button("Pull what is here")
        self.run = push_button("Run quick", kind="primary", tip=_RUN_QUICK)
        self.setup = push_button("Set up…", name="Set up a quality run", tip=_SET_UP)
        self.setup.clicked.connect(lambda: self.wanted.emit(Act("", "open", RUNS.key)))
        self.check.clicked.connect(
            lambda: self._state and self._state.check and self.wanted.emit(self._state.check)
        )
        self.run.clicked.connect(lambda: self.wanted.emit(_RUN))
        self.folds = [self.setup, self.pull, self.check]
        parts = (title, (connection, 1), self.more, self.check, self.pull, self.setup, self.run)
        self.fill(*parts, label=connection, least=_LEAST, margins=(12, 7, 12, 7))

    def show_state(self, state: HomeState) -> None:
        """Show what the buttons do now."""
        self._state = state
        self.check.setText(state.check.text if state.check is not None else "")
        self.offer(self.check, state.check is not None)
        self.run.setText(state.run)
        self.offer(self.pull, bool(state.pulls))
        self.pull.setToolTip(tooltip(state.pulls_tip))


class InfoStrip(QFrame):
    """Which connector it is, whether its last read went well, and how the profile reaches it."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        self.setProperty("bar", "strip")
        profile = context.session.profile
        self.connector = PlainLabel(role="heading", elide=True)
        self.badge, self.since = PlainLabel(), PlainLabel(role="muted", elide=True)
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        for label in (self.connector, self.since):  # as wide as their words, where there is room
            label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        about = f"{_GUARDS[profile.guard.value]}  ·  Interface: {context.session.registry.interface.title}"
        settings = push_button("Connection settings…", kind="link")
        elsewhere = context.elsewhere
        if elsewhere is not None:
            settings.clicked.connect(lambda _: elsewhere.edit_profile())
        parts = (self.connector, self.badge, self.since, 8, (PlainLabel(about, role="muted", elide=True), 1))
        row(*parts, settings, of=self, margins=(12, 2, 8, 2), spacing=8)

    def show_state(self, state: HomeState) -> None:
        """Show the connector and its health."""
        self.connector.setText(state.connector)
        said, kind = state.badge
        self.badge.setText(said)
        set_look(self.badge, badge=kind)
        self.since.setText(state.since)


class SentenceCard(QFrame):
    """The one sentence that matters most, and what can be done about it."""

    wanted = Signal(object)
    """An `Act`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self._act: Act | None = None
        self._further: Act | None = None
        self.title, self.text = PlainLabel(role="title", wrap=True), PlainLabel(role="muted", wrap=True)
        self.button, self.further = push_button(""), push_button("", kind="link")
        self.button.clicked.connect(lambda: self._act and self.wanted.emit(self._act))
        self.further.clicked.connect(lambda: self._further and self.wanted.emit(self._further))
        said = column(self.title, self.text, spacing=2)
        ways = column(self.button, self.further, spacing=4)
        row((said, 1), ways, of=self, margins=(16, 8, 12, 8), spacing=16)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def show_state(self, state: HomeState) -> None:
        """Show the sentence."""
        said = state.sentence
        self._act, self._further = said.act, said.further
        self.title.setText(said.title)
        self.text.setText(said.text)
        for button, act in ((self.button, said.act), (self.further, said.further)):
            button.setVisible(act is not None)
            button.setText(act.text if act is not None else "")
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
        self.when = PlainLabel(role="faint", elide=True)
        self.said = PlainLabel("No quality run of this connection is saved.", wrap=True)
        self.badges = [PlainLabel() for _ in _VERDICTS]
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
        # A fourth badge would be cut.
        accepted = f"{run.accepted:,} accepted · " if run.accepted else ""
        self.looked.setText(f"{accepted}{run.looked}")
        self.open.setText("Open the run")
        self._fold()

    def fit(self, *, narrow: bool, low: bool) -> None:
        """Take less room: under the table (``narrow``), and in one line where the page is ``low``."""
        wide = round(CARD * type_scale(self))
        self.setMinimumWidth(0 if narrow else wide)
        self.setMaximumWidth(16_777_215 if narrow else wide)
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


_MOST = 3
"""The most of each kind."""
_LOOKED_AT = 60
"""The newest calls of the log on the disk among which those of the connection are looked for."""


@dataclass(frozen=True, slots=True)
class Recent:
    """One line."""

    text: str
    detail: str
    request: int = 0
    """The number of the call; 0: a snapshot."""


@dataclass(frozen=True, slots=True)
class RecentGroup:
    """Lines below one heading, as `RowsTree` takes it."""

    title: str
    lines: tuple[Recent, ...]
    words: str = ""
    open: bool = True


async def earlier_calls(session: Session) -> list[Exchange]:
    """The newest calls on this connection in the log on the disk, the newest first; none where it cannot be read."""
    archive = session.exchanges.archive
    if archive is None:
        return []
    with contextlib.suppress(ExplorerError):
        past = await archive.find()
        found = archive.heads(past.numbers[-_LOOKED_AT:])
        return sorted(_own(session, found), key=lambda call: -call.id)[:_MOST]
    return []


async def snapshots_of(session: Session) -> tuple[Recent, ...]:
    """The newest snapshots of this connection; none where they cannot be read."""

    def read() -> tuple[Recent, ...]:
        # Not at the top: Home may be the first page that a window shows.
        from explorer.quality.compare.snapshots import Snapshots

        kept, _ = Snapshots.of_profile(session.folders, session.profile.id).all()
        own = [one for one in kept if one.info.key.connection == session.connection][:_MOST]
        return tuple(Recent(one.name, f"{one.info.rows:,} · {_when(one.kept_at)}") for one in own)

    with contextlib.suppress(ExplorerError):
        return await in_thread(read)
    return ()


def requests_of(session: Session, earlier: Sequence[Exchange]) -> tuple[Recent, ...]:
    """The newest requests of this session, and of ``earlier`` ones."""
    calls = {call.id: call for call in (*earlier, *_own(session, session.exchanges.all()[-_LOOKED_AT:]))}
    newest = sorted(calls.values(), key=lambda call: -call.id)[:_MOST]
    return tuple(
        Recent(
            f"{call.method} …/{call.path.partition('?')[0].rpartition('/')[2]}",
            f"{call.status_words} · {_when(call.started_at)}",
            call.id,
        )
        for call in newest
    )


def _when(at: datetime) -> str:
    """The time of today, else the day as well."""
    return words.near_time(at).removeprefix("today ")


def _own(session: Session, calls: Iterable[Exchange]) -> list[Exchange]:
    return [call for call in calls if call.connection == session.connection]


class RecentCard(QFrame):
    """The newest requests and snapshots; hidden while there is none."""

    wanted = Signal(object)
    """A `Recent`: go there."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", "true")
        self.setAccessibleName("Recent")
        columns = (
            Column[Recent]("What", lambda one: one.text),
            Column[Recent]("When", lambda one: one.detail, "muted", fit=True),
        )
        self.model = RowsTreeModel[Recent](columns)
        self.tree = RowsTree(self.model, "Recent requests and snapshots", height=ROW)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(0)
        self.tree.setItemsExpandable(False)
        self.tree.taken.connect(self.wanted)
        column(PlainLabel("Recent", role="heading"), self.tree, of=self, margins=(12, 8, 8, 8), spacing=4)
        self.hide()

    def show_recent(self, requests: Sequence[Recent], snapshots: Sequence[Recent]) -> None:
        """Show these, the newest first."""
        parts = (RecentGroup("Requests", tuple(requests)), RecentGroup("Snapshots", tuple(snapshots)))
        groups = [part for part in parts if part.lines]
        if groups == self.model.headings:
            return
        self.tree.show_headings(groups)
        self.tree.setFixedHeight(sum(HEADER + ROW * len(group.lines) for group in groups))
