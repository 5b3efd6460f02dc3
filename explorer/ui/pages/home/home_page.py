"""Home: the first page of a connection. What matters most in one sentence, what the connection has, and its last run.

It asks for nothing by itself. *Try* sends one read; a page that writes is only opened.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, Qt, QTimer
from PySide6.QtGui import QKeySequence, QPainter, QResizeEvent, QShortcut
from PySide6.QtWidgets import QBoxLayout, QFrame, QStyle, QStyleOptionViewItem, QWidget

from explorer.api.errors import CannotSend, ExplorerError, Refused
from explorer.catalog.request import Request, build
from explorer.catalog.spec import Resource
from explorer.session import PageDamaged, Standing, StoreFault
from explorer.session.connection_facts import Learning, connector_of, standings_of
from explorer.session.connection_test import probes
from explorer.session.kept_runs import KIND, KeptRun, kept_runs
from explorer.ui.kit.columns import Column, Tone
from explorer.ui.kit.layout import STRETCH, column, push_button, row, scrolled, type_scale
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.rows_tree import RowsTree, RowsTreeModel
from explorer.ui.kit.theme import HEADER, ROW, colors, icon
from explorer.ui.own_pages import HOME, RUNS, SNAPSHOTS, icon_name
from explorer.ui.page import Page, PageContext
from explorer.ui.pages.home.home_cards import (
    CARD,
    HomeHead,
    InfoStrip,
    LastRunCard,
    Recent,
    RecentCard,
    SentenceCard,
    earlier_calls,
    requests_of,
    snapshots_of,
)
from explorer.ui.pages.home.home_state import Act, HomeFacts, HomeState, Line, state_of
from explorer.ui.pages.home.last_run import READ, LastRun, last_run
from explorer.work import cancellable, in_thread

if TYPE_CHECKING:
    from explorer.api.exchange import Exchange
    from explorer.quality.compare.since import Since
    from explorer.session import PullInfo, PullKey, Session

_SOON_MS = 300
"""Milliseconds from an answer to the next refresh, so that many answers make one."""
_AGAIN_MS, TRIES = 2_000, 3
"""Milliseconds from a comparison that failed to its next try, and how often it is tried before the fault is said."""
_NARROW, _LOW = 1060, 470
"""Pixels of the page below which the last run stands under the table, and below which it is one line."""
_LEAST_ROWS = 4
"""Rows of the table that are always in sight; in a lower page all below its head is scrolled."""
_QUICK = 50_000
"""Rows of two pulls together that Home compares by itself; larger ones when their list is opened."""
_ICON = 15


class HomePage(Page):
    """The table of all lists and operations, below a sentence and beside the last run."""

    def __init__(self, resource: Resource, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(resource, context, parent)
        self._learning = context.learning or Learning(self.session)
        self._requests = _requests(self.session.registry.resources(), self.session.profile)
        self._run: LastRun | None = None
        self._runs_read: tuple[list[str], bytes | None] | None = None
        """The names of the saved runs that were read, and the profile's baseline as it was then."""
        self._stored: dict[str, Standing] = {}
        self._changes: dict[int, Since] = {}
        self._compared: set[int] = set()
        self._refused: Counter[int] = Counter()
        """How often a comparison failed, by the current pull's id; those that will be tried again wait for `_again`."""
        self._waiting: set[int] = set()
        self._again = QTimer(self, singleShot=True, interval=_AGAIN_MS)
        self._again.timeout.connect(self._try_changes_again)
        self._run_calls, self._calls_of = "", (frozenset[str](), frozenset[str]())
        """About how many calls a quick run makes, and the lists that were not there and that were stored whole then."""
        self._trying: set[str] = set()
        self._folded: set[str] = set()
        self.state: HomeState | None = None
        self.head, self.strip = HomeHead(context), InfoStrip(context)
        self.sentence, self.card, self.recent = SentenceCard(), LastRunCard(), RecentCard()
        self._earlier: list[Exchange] = []
        self._snapshots: tuple[Recent, ...] = ()
        self.model = RowsTreeModel[Line](COLUMNS)
        self.tree = RowsTree(self.model, "What this connection has", height=ROW, links=self._link)
        self.counts = PlainLabel(role="muted")
        self.try_all = push_button("", kind="link")
        self._beside = self._build()
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.refresh)
        self._connect()
        self.refresh()

    def _build(self) -> QBoxLayout:
        framed = QFrame()
        framed.setProperty("card", "true")
        column(self.tree, of=framed, margins=1)
        foot = row((self.counts, 1), self.try_all, spacing=8)
        table = column((framed, 1), foot, spacing=4)
        self.recent.setFixedWidth(round(CARD * type_scale(self)))
        cards = column(self.card, self.recent, STRETCH, spacing=12)
        beside = row((table, 1), cards, spacing=16)
        self.tree.setMinimumHeight(HEADER + _LEAST_ROWS * ROW)
        inner = QWidget()
        column(self.sentence, (beside, 1), of=inner, margins=(16, 12, 16, 6), spacing=12)
        column(self.head, self.strip, (scrolled(inner), 1), of=self)
        return beside

    def _connect(self) -> None:
        for part in (self.head, self.sentence, self.card):
            part.wanted.connect(self.do)
        self.head.pull.clicked.connect(self.pull_here)
        self.recent.wanted.connect(self._open_recent)
        self.tree.taken.connect(lambda line: self._open(line.key))
        QShortcut(QKeySequence("T"), self.tree, self._try_row, context=Qt.ShortcutContext.WidgetShortcut)
        self.tree.collapsed.connect(lambda index: self._folded.add(self.model.headings[index.row()].title))
        self.tree.expanded.connect(lambda index: self._folded.discard(self.model.headings[index.row()].title))
        self.try_all.clicked.connect(
            lambda: self.try_these(self.state.tries if self.state is not None else ())
        )
        self._ends = [
            self._learning.subscribe(self._look_soon),
            self.session.exchanges.subscribe(lambda _: self._look_soon()),
            self.session.subscribe_pulls(self._look_soon),
        ]
        with contextlib.suppress(StoreFault):  # without a journal there is no run either
            heard = self.session.journal.subscribe
            self._ends.append(heard(lambda kind: self._read_runs() if kind == KIND else None))

    def _look_soon(self) -> None:
        """Rows may be stored meanwhile, whichever page asked for them. While many come, it looks all the same."""
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    # ---- the window's side

    @property
    def status_text(self) -> str:
        return self.state.counts if self.state is not None else ""

    def activated(self) -> None:
        self.refresh()
        self._look_for_changes()  # it may not be visible yet
        self._read_runs()
        self.tasks.start("recent", self._find_recent())
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    async def shutdown(self) -> None:
        for end in self._ends:
            end()
        self._soon.stop()
        self._again.stop()
        await super().shutdown()
        if self.context.learning is None:
            self._learning.close()

    # ---- what is shown

    def refresh(self) -> None:
        """Show what is known now."""
        beside: dict[str, PullInfo] = {}
        try:
            self._stored = standings_of(self.session)
            fronts = (one.front for one in self._stored.values() if one.front is not None)
            beside = {one.key.resource: other for one in fronts if (other := self.session.beside(one.key))}
        except StoreFault as fault:
            self.report(fault)
        for key, standing in self._stored.items():
            if standing.front is not None:
                self.rows_changed.emit(key, standing.front.rows)
        learned = self._learning.known()
        state = state_of(
            HomeFacts(
                verticals=self.session.registry.interface.verticals,
                learned=learned,
                connector=connector_of(self.session, learned),
                stored=self._stored,
                beside=beside,
                changes=self._changes,
                run=self._run,
                run_calls=self._run_calls,
                trying=frozenset(self._trying),
                probed=frozenset(self._requests),
                folded=frozenset(self._folded),
                sandbox=self.session.profile.is_builtin,
            )
        )
        if self.isVisible():
            self._look_for_changes()
            self._look_for_calls(state)
        self._show_recent()
        before, self.state = self.state, state
        if state == before:
            return
        self.head.show_state(state)
        self.strip.show_state(state)
        self.sentence.show_state(state)
        self.counts.setText(state.counts)
        self.try_all.setText(state.tries_words)
        self.try_all.setToolTip(tooltip(state.tries_tip))
        self.try_all.setVisible(bool(state.tries))
        if before is None or before.groups != state.groups:
            self._show_groups(state)
        self.status.emit(self.status_text)

    def _show_groups(self, state: HomeState) -> None:
        line, at = self.tree.row(), self.tree.verticalScrollBar().value()
        self.tree.show_headings(state.groups)
        index = self.model.first(lambda one: line is None or one.key == line.key)
        if index.isValid() and self.tree.isExpanded(index.parent()):
            self.tree.setCurrentIndex(index)
        self.tree.verticalScrollBar().setValue(at)

    def _read_runs(self) -> None:
        self.tasks.start("runs", self._find_run())

    def _look_for_changes(self) -> None:
        if self._uncompared() and not self.tasks.busy("changes"):
            # What became whole meanwhile is looked at then.
            self.tasks.start("changes", self._find_changes(), done=lambda _: self._look_for_changes())

    def _uncompared(self) -> list[PullInfo]:
        """The current pulls that have one before them and were not compared with it yet."""
        found = (one.front for one in self._stored.values() if one.previous is not None)
        done = self._compared | self._waiting
        return [front for front in found if front is not None and front.id not in done]

    async def _find_changes(self) -> None:
        """Work out what changed in each list since the pull before, one after another, where that is quick or kept."""
        for front in self._uncompared():
            try:
                found = await cancellable(partial(_changes_of, self.session, front.key))
            except PageDamaged:
                found = None  # a page that cannot be read is told where it is shown
            except ExplorerError as error:
                self._refused[front.id] += 1
                if self._refused[front.id] < TRIES:  # another program may use the store just now
                    self._waiting.add(front.id)
                    self._again.start()
                    continue
                found = None
                self.report(error)
            self._compared.add(front.id)
            if found is not None and found.now.id == front.id:
                self._changes[front.id] = found
                self.refresh()

    def _look_for_calls(self, state: HomeState) -> None:
        """Estimate the calls of a quick run, where what is known of the lists is not what it was."""
        lines = [line for group in state.groups for line in group.lines]
        absent = frozenset(line.key for line in lines if line.has.state == "no")
        whole = (one.front for one in self._stored.values())
        known = (
            absent,
            frozenset(front.key.resource for front in whole if front and front.state == "complete"),
        )
        if self.tasks.busy("calls") or (self._run_calls and known == self._calls_of):
            return
        self._calls_of = known
        self.tasks.start("calls", in_thread(_calls_of_run, self.session, absent), done=self._say_calls)

    def _say_calls(self, said: str) -> None:
        self._run_calls = said
        self.refresh()

    def _try_changes_again(self) -> None:
        self._waiting.clear()
        self._look_for_changes()

    async def _find_run(self) -> None:
        """Read the last saved runs of the connection, unless they are those that are shown."""
        connection, documents, own = self.session.connection, list[bytes](), list[KeptRun]()
        accepted: bytes | None = None
        with contextlib.suppress(StoreFault):  # gone or damaged: the page of runs says so
            runs = kept_runs(self.session)
            own = runs.of(connection, READ)
            accepted = await in_thread(runs.accepted_bytes)
            if ([run.name for run in own], accepted) == self._runs_read:
                return
            for run in own:
                documents.append(await runs.read(run))
        self._run = await in_thread(last_run, documents, connection, accepted)
        self._runs_read = [run.name for run in own], accepted
        self.card.show_run(self._run)
        self.refresh()

    async def _find_recent(self) -> None:
        self._earlier = await earlier_calls(self.session)
        self._snapshots = await snapshots_of(self.session)
        self._show_recent()

    def _show_recent(self) -> None:
        requests = requests_of(self.session, self._earlier)
        self.recent.show_recent(requests, self._snapshots)
        # In a narrow page the log and the snapshots are as near, and the table needs the room.
        self.recent.setVisible(bool(requests or self._snapshots) and self.width() >= _NARROW)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._beside.setDirection(way)
        self._show_recent()
        self.card.fit(narrow=narrow, low=self.height() < _LOW)

    # ---- what is done

    def do(self, act: Act) -> None:
        """Do what a button says."""
        if act.does == "try":
            self.try_these([act.key])
        elif act.does == "compare":
            self.compare(act.key)
        elif act.does == "run":
            page = self._open(act.key)
            if page is not None:
                page.run_quick()
        elif act.does == "finding":
            self.show_worst()
        elif act.does == "reconnect":
            page = self._open(act.key)
            if page is not None:
                page.reconnect(self.session.connection)
        elif act.does == "profile" and self.context.elsewhere is not None:
            self.context.elsewhere.edit_profile()
        else:
            self._open(act.key)

    def _open(self, key: str) -> Page | None:
        return self.context.elsewhere.open_page(key) if self.context.elsewhere is not None else None

    def _link(self, line: Line, place: int) -> None:
        if COLUMNS[place] is _TRY:
            self._try(line)
        else:
            self.compare(line.key)

    def _try_row(self) -> None:
        line = self.tree.row()
        if line is not None and line.link:
            self._try(line)

    def _try(self, line: Line) -> None:
        if line.link == "Try":
            self.try_these([line.key])
        else:
            self._open(line.key)

    def try_these(self, keys: Sequence[str]) -> None:
        """Ask for these resources, one after another, with a read each. Nothing of the answers is kept but what they
        show.
        """
        wanted = [key for key in keys if key in self._requests and key not in self._trying]
        self._trying.update(wanted)
        self.refresh()
        self.tasks.start(f"try {' '.join(wanted)}", self._ask(wanted))

    async def _ask(self, keys: Sequence[str]) -> None:
        try:
            for key in keys:
                try:
                    await self.session.send(self._requests[key])
                except (Refused, CannotSend) as error:
                    self.report(error)  # it was not sent: no answer can be learned from
                    return
                except ExplorerError:
                    pass  # learned from the log, as every answer is
                self._trying.discard(key)
                self.refresh()
            health, elsewhere = self._learning.known().health, self.context.elsewhere
            if elsewhere is not None and health is not None and health.good:
                elsewhere.say_connected()  # what it does not have is no fault of the connection
        finally:
            self._trying.difference_update(keys)
            self._look_soon()

    def _open_recent(self, one: Recent) -> None:
        if self.context.elsewhere is not None and one.request:
            self.context.elsewhere.show_request(one.request)
        else:
            self._open(SNAPSHOTS.key)

    def pull_here(self) -> None:
        """Load all rows of each list that the connection has, on the page of each; again where they are complete."""
        elsewhere = self.context.elsewhere
        for key in self.state.pulls if self.state is not None and elsewhere is not None else ():
            page = elsewhere.open_page(key) if elsewhere is not None else None
            run = getattr(page, "load_or_reload", None)
            if run is not None:
                run()
        self._open(HOME.key)

    def show_worst(self) -> None:
        """Open the worst finding of the last run."""
        worst, elsewhere = self._run.worst if self._run is not None else None, self.context.elsewhere
        page = elsewhere.open_page(RUNS.key) if elsewhere is not None else None
        if page is not None and worst is not None and self._runs_read is not None:
            page.show_finding(self._runs_read[0][worst.document], worst.check, worst.resource)

    def compare(self, key: str) -> None:
        """Open the comparison of a list's current pull with the one before."""
        listing = self.session.registry.resource(key).listing
        standing = self._stored.get(listing.key) if listing is not None else None
        elsewhere = self.context.elsewhere
        page = elsewhere.open_page(SNAPSHOTS.key) if elsewhere is not None else None
        run = getattr(page, "compare_with_previous", None)
        if run is not None and standing is not None and standing.front is not None:
            run(standing.front.key)


def _changes_of(session: Session, key: PullKey, wanted: Callable[[], bool]) -> Since | None:
    # Not at the top: a window's start needs no comparison, and importing it takes a while.
    from explorer.quality.compare.since import since, standard_mask

    mask = standard_mask(session.registry)
    return since(session.folders, session.profile.id, key, mask, wanted, _QUICK)


def _calls_of_run(session: Session, absent: frozenset[str]) -> str:
    # Not at the top, as above.
    from explorer.quality.engine.run import QualityRun
    from explorer.quality.engine.run_options import RunOptions

    run = QualityRun(session, RunOptions(quick=True), stored=session.stored)
    return run.progress("").expected(absent).range


def _requests(resources: Sequence[Resource], profile: Any) -> dict[str, Request]:
    """The read that *Try* sends for each resource that can be asked for by one, by its key: of a list one row where it
    takes a page size, of others one with an id that is made up.
    """
    found: dict[str, Request] = {}
    by_key = {probe.operation.key: probe for probe in probes(profile)}
    for resource in resources:
        probe = next((by_key[one.key] for one in resource.operations if one.key in by_key), None)
        if probe is None:
            continue
        size = resource.listing.size_param if resource.listing is not None else ""
        one_row = not probe.made_up and size in probe.operation.query.model_fields
        found[resource.key] = build(probe.operation, query={size: 1}) if one_row else probe.request
    return found


# ---------------------------------------------------------------- the table


def _paint_title(painter: QPainter, option: QStyleOptionViewItem, line: Line) -> None:
    chosen = bool(option.state & QStyle.StateFlag.State_Selected)
    quiet = line.has.state == "no"
    rect: QRect = option.rect
    sign = QRect(rect.left() + 4, rect.center().y() - _ICON // 2, _ICON, _ICON)
    icon(icon_name(line.resource), "muted_strong").paint(painter, sign)
    painter.setFont(option.font)
    painter.setPen(colors().color(("muted_strong" if chosen else "muted") if quiet else "text"))
    room = rect.adjusted(27, 0, -4, 0)
    shown = option.fontMetrics.elidedText(visible(line.title), Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def _has_text(line: Line) -> str:
    return f"✓ {line.has_words}" if line.has.state == "yes" else line.has_words


def _has_tone(line: Line) -> Tone:
    return "good" if line.has.state == "yes" else "muted"


def _rows_tip(line: Line) -> str:
    return "\n".join(filter(None, (line.beside, line.fit)))


def _verdict_tone(line: Line) -> Tone:
    return _TONES.get(line.verdict, "text")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


_TONES: dict[str, Tone] = {"fails": "fails", "suspect": "caution", "holds": "holds"}
_TIPS = {
    "Try": "Sends one read and writes nothing (T); without an id to ask for, one is made up",
    "Try…": "Opens its page and sends nothing",
}
_TRY = Column[Line]("", lambda line: line.link, "link", tip=lambda line: _TIPS.get(line.link, ""), width=52)
COLUMNS: tuple[Column[Line], ...] = (
    Column("Page", lambda line: line.title, spoken=lambda line: line.spoken, paint=_paint_title, width=178),
    Column("Has it", _has_text, _has_tone),
    _TRY,
    Column("Rows stored", lambda line: line.rows, "number", _rows_tip, fit=True, spare=700),
    Column("Last pull", lambda line: _upper(line.last), "muted", fit=True, spare=860),
    Column(
        "Since the pull before",
        lambda line: line.since,
        "link",
        lambda line: line.since_tip,
        fit=True,
    ),
    Column("Last verdict", lambda line: _upper(line.verdict), _verdict_tone, width=96),
)
