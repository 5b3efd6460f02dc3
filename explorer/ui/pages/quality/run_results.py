"""The results of a run: its cards, the table or grid of results, and beside them the finding that is open.

The cards at its head: verdicts, records and pages, mapping coverage, and the latency of each page.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QHelpEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QStackedWidget, QToolTip, QWidget

from explorer import words
from explorer.quality.engine.check import Head, Latency, Run, Verdict
from explorer.quality.reports.report import fault_words
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.theme import colors, theme
from explorer.ui.pages.quality.accepting import Accepting
from explorer.ui.pages.quality.evidence_navigator import EvidenceNavigator
from explorer.ui.pages.quality.quality_finding import FindingSplit, FindingView
from explorer.ui.pages.quality.quality_head import ResultTools
from explorer.ui.pages.quality.quality_table import ConnectionsGrid, ResultsTable
from explorer.ui.pages.quality.quality_words import (
    Section,
    asked_words,
    difference_words,
    sections_of,
    sections_so_far,
    short_moment,
    so_far_words,
    where,
)
from explorer.ui.pages.quality.several_runs import Apart, apart
from explorer.words import count

_MOST_BARS = 120
_SLOW = 3
_REASONS = 3
"""A bar is red from this many times the median on."""


def peaks(latencies: Sequence[Latency], most: int = _MOST_BARS) -> list[Latency]:
    """At most ``most`` latencies in order: where there are more, the slowest of every few pages stands for them."""
    step = max(1, -(-len(latencies) // most))
    groups = (latencies[start : start + step] for start in range(0, len(latencies), step))
    return [max(group, key=lambda one: one.milliseconds) for group in groups]


class LatencyBars(QWidget):
    """A bar for each page or few pages, with the time in its tooltip; median and slowest page are said in words."""

    def __init__(self) -> None:
        super().__init__()
        self._bars: list[Latency] = []
        self._middle = self._most = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Latency by page")
        theme().changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(200, 34)

    def show_latencies(self, latencies: Sequence[Latency]) -> None:
        """Show latencies; without any the place is empty."""
        self._bars = peaks(latencies)
        times = sorted(one.milliseconds for one in latencies)
        self._middle = times[len(times) // 2] if times else 0.0
        self._most = times[-1] if times else 0.0
        slowest = max(latencies, key=lambda one: one.milliseconds, default=None)
        said = f"Median {words.duration(self._middle)}" if times else "Nothing was read"
        if slowest is not None:
            said += f", slowest {words.duration(self._most)}: {place(slowest)}"
        self.setAccessibleDescription(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        room, height = self.width(), self.height()
        step = min(room / max(len(self._bars), 1), 14.0)
        for number, one in enumerate(self._bars):
            share = max(one.milliseconds / self._most if self._most else 0.0, 0.06)
            token = "fails" if one.milliseconds > _SLOW * self._middle else "accent"
            painter.setBrush(colors().color(token))
            gap = 1.5 if step > 4 else 0.0
            painter.drawRect(
                QRectF(number * step, height * (1 - share), max(step - gap, 1.0), height * share)
            )
        painter.end()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._bars:
            step = min(self.width() / len(self._bars), 14.0)
            number = int(event.pos().x() / step)
            if 0 <= number < len(self._bars):
                one = self._bars[number]
                said = f"{place(one)}: {words.duration(one.milliseconds)}"
                QToolTip.showText(event.globalPos(), tooltip(said), self)
                return True
        return super().event(event)


def place(one: Latency) -> str:
    """``Jobs, page 12``."""
    return where(one.resource) + (f", page {one.page}" if one.page else "")


class NumberCard(QFrame):
    """A card with a name, a number in words, and a line below it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dressed(self, card="true")
        self.setObjectName(f"card:{name}")
        self._name = name
        self.name = PlainLabel(name, role="muted")
        self.number = PlainLabel("", role="title")
        self.more = PlainLabel("", role="faint", wrap=True)
        self.box = column(
            self.name, self.number, self.more, STRETCH, of=self, margins=(16, 8, 16, 8), spacing=2
        )

    def say(self, number: str, more: str) -> None:
        """Set the number and the line below it."""
        self.number.setText(number)
        self.more.setText(more)
        self.setAccessibleName(", ".join(filter(None, (f"{self._name}: {number}", more))))

    def set_low(self, low: bool) -> None:
        """Hide the line below the number, or show it again."""
        self.more.setVisible(not low)
        self.box.setContentsMargins(16, 4 if low else 8, 16, 4 if low else 8)


class Cards(QWidget):
    """The cards of one run, side by side."""

    def __init__(self) -> None:
        super().__init__()
        self.checks, self.records, self.mapping = map(
            NumberCard, ("Checks", "Records read", "Mapping coverage")
        )
        self.latency = NumberCard("Latency by page")
        self.bars = LatencyBars()
        self.latency.box.removeWidget(self.latency.number)
        self.latency.number.hide()
        self.latency.box.insertWidget(1, self.bars)
        self.looked = PlainLabel("", role="muted", wrap=True)
        self.looked.setObjectName("looked at")
        self.line = PlainLabel("", role="muted", elide=True)
        self.line.hide()
        cards = row((self.checks, 5), (self.records, 4), (self.mapping, 4), (self.latency, 6), spacing=12)
        column(cards, self.looked, self.line, of=self, margins=(16, 8, 16, 8), spacing=6)

    def show_run(self, run: Run, before: Run | None = None) -> None:
        """Show the numbers of ``run``, and the mapping coverage of the run ``before``."""
        head = run.head
        self.checks.say(head.checks_words[:1].upper() + head.checks_words[1:], head.others_words)
        for label in (self.looked, self.line):
            label.setText(sentence(head))
        pages = words.count(head.pages, "page")
        self.records.say(f"{head.records:,}", f"{pages} in {words.duration(run.seconds * 1000)}")
        coverage = "Not known" if head.coverage is None else f"{head.coverage:.0%}"
        self.mapping.say(coverage, _was(before) or "of the fields that hold values")
        self.bars.show_latencies(head.latencies)
        self.latency.say("", self.bars.accessibleDescription())
        self.latency.setAccessibleName(f"Latency by page: {self.bars.accessibleDescription()}")

    def set_low(self, low: bool) -> None:
        """Use less height, as the page has little."""
        for card in (self.checks, self.records, self.mapping, self.latency):
            card.set_low(low)
        self.bars.setFixedHeight(24 if low else 34)
        self.looked.setVisible(not low)
        self.line.setVisible(low)
        box = self.layout()
        if box is not None:
            box.setContentsMargins(12, 4 if low else 8, 12, 4 if low else 8)


def sentence(head: Head) -> str:
    """How much was checked, and why not all; where little could be judged, that comes first."""
    skipped = head.verdicts.get(Verdict.SKIPPED, 0)
    reasons = [f"{why} ({words.count(times, 'check')})" for why, times in head.because[:_REASONS]]
    if rest := len(head.because) - len(reasons):
        reasons.append(words.count(rest, "other reason"))
    why = f" {words.count(skipped)} skipped: {'; '.join(reasons)}." if reasons else ""
    made = head.one_of_words or f"{words.count(head.looked_at, 'check')} made"
    parts = (fault_words(head), head.little_words, head.quick_words, made)
    return ". ".join(f"{part[:1].upper()}{part[1:]}" for part in parts if part) + "." + why


def _was(before: Run | None) -> str:
    coverage = before.head.coverage if before is not None else None
    return (
        f"was {coverage:.0%} on {short_moment(before.started_at)}" if before and coverage is not None else ""
    )


Choice = tuple[str, str] | None
"""A check and a resource: the line to select."""
_TO_COME = "Findings appear as they are found."
_NEW_FOR = 10.0
"""Seconds for which a finding of a run under way counts as new."""
_SPOKEN_EACH = 5.0
"""The least seconds between two announcements of new findings."""


class RunResults(QWidget):
    """The runs of one report: the results of one connection, or those of several side by side."""

    changed = Signal()
    """Another run, or another part of one, is shown."""
    need_wanted = Signal(str)
    """Carries the option that skipped checks need, as ``--ids``."""
    connection_chosen = Signal()
    """The user chose another connection of the report."""

    def __init__(self, connection: str, ways: EvidenceNavigator, accepting: Accepting) -> None:
        """``connection`` is the one in use; ``ways`` opens the evidence of a finding; ``accepting`` has what was
        accepted.
        """
        super().__init__()
        self._here, self._accepting = connection, accepting
        accepting.changed.connect(self._show_accepted)
        self.runs: tuple[Run, ...] = ()
        """As they were found."""
        self.judged: tuple[Run, ...] = ()
        """The same beside what was accepted."""
        self.at = 0
        """The number of the shown run, counted from 0; -1: all side by side."""
        self.before: Run | None = None
        """The earlier run that the shown one is compared with."""
        self.choice: Choice = None
        """The line to select once the run is shown."""
        self._only: Verdict | None = None
        self._last = ""
        """The connection whose results are in the table."""
        self.tools, self.cards = ResultTools(), Cards()
        self.results, self.grid = ResultsTable(), ConnectionsGrid()
        self.finding = FindingView(ways.exchange_of, ways.stored, ways.record_of)
        ways.follow(self.finding)
        self.empty = PlainLabel(_TO_COME, role="muted", wrap=True)
        self.so_far = PlainLabel("", role="heading")
        self.apart, self.apart_button = PlainLabel("", wrap=True), push_button("Show it", kind="link")
        self.apart_button.setAccessibleName("Show the first difference")
        self.apart_button.clicked.connect(lambda *_: self._open_apart())
        self._apart = Apart("")
        self._first_seen: dict[tuple[str, str], float] = {}
        """Of the run under way, when each finding was shown first, by check and resource."""
        self._spoken_at = 0.0
        self._build()
        self.tools.connection_chosen.connect(self.choose_connection)
        self.tools.verdict_chosen.connect(self._choose_verdict)
        self.tools.by_check.connect(self._show_grid)
        self.grid.cell_taken.connect(self._open_cell)
        self.results.taken.connect(lambda line: self.need_wanted.emit(line.need) if line.need else None)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self.split, self.close_finding)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    def _build(self) -> None:
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(32, 24, 32, 24)
        self._middle = QStackedWidget()
        self._middle.addWidget(self.results)
        self._middle.addWidget(self.grid)
        self.split = FindingSplit(self.results, self.finding, self._middle)
        self.so_far.setContentsMargins(12, 6, 12, 6)
        self._apart_line = QWidget()
        parts = ((self.apart, 1), self.apart_button)
        row(*parts, of=self._apart_line, margins=(12, 6, 12, 6), spacing=12)
        lines = (self.cards, self.tools, self.so_far, self._apart_line)
        column(*lines, (self.empty, 1), (self.split, 1), of=self)

    @property
    def run_shown(self) -> Run | None:
        """The run of one connection that is shown; None while all are side by side, or nothing was run."""
        return self.judged[self.at] if self.judged and self.at >= 0 else None

    # ---------------------------------------------------------------- what is shown

    def show_runs(self, runs: Sequence[Run], at: int | None = None) -> None:
        """Show ``runs``: the one of number ``at``, else all of several side by side."""
        first, old = 0 if len(runs) == 1 else -1, self.run_shown
        self._accepting.read()  # a command may have written it
        self._take(runs)
        self.before, self._only = None, None
        self.at = at if at is not None and -1 <= at < len(runs) else first
        self._show_run(same=_same(old, self.run_shown))

    def _take(self, runs: Sequence[Run]) -> None:
        self.runs = tuple(runs)
        self.judged = self._accepting.judged(runs)

    def _show_accepted(self) -> None:
        """Show the same runs beside what is accepted now."""
        self._take(self.runs)
        if self.runs:
            self._show_run()

    def show_so_far(self, runs: Sequence[Run]) -> None:
        """Show what a run under way has found: new findings slot in, and all else stays where it is."""
        old = self.run_shown
        if len(runs) != len(self.runs):
            self.at = 0 if len(runs) == 1 else -1
        self._take(runs)
        run, before = self.run_shown, set(self._first_seen)
        now = time.monotonic()
        for result in run.bad if run is not None else ():
            self._first_seen.setdefault((result.check.id, result.resource), now)
        if run is None or not _same(old, run):
            self._show_run(same=False, so_far=True)
        else:
            self.split.run = run
            self.results.renew(self._sections_so_far(run))
            self.changed.emit()
        self._announce(len(self._first_seen.keys() - before), now)

    def _sections_so_far(self, run: Run) -> list[Section]:
        since = time.monotonic() - _NEW_FOR
        first = min(self._first_seen.values(), default=0.0)
        # What came with the first rows is no news.
        new = {key for key, at in self._first_seen.items() if at > max(since, first)}
        return sections_so_far(run, new)

    def _announce(self, found: int, now: float) -> None:
        if found and now - self._spoken_at >= _SPOKEN_EACH:
            self._spoken_at = now
            said = f"{count(found, 'new finding')}: {self.so_far.text()}"
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.results, said))

    def clear(self) -> None:
        """Show nothing, until a run has results."""
        self._first_seen = {}
        self._take(())
        self.at, self.before, self.choice = 0, None, None
        self.split.run = None
        self.changed.emit()

    def compare(self, before: Run) -> None:
        """Show what is new and what is gone since ``before``."""
        self.before = before
        self._show_run()

    def arrange(self, busy: bool) -> None:
        """Show the parts that have content; ``busy`` is whether a run is under way."""
        run, there = self.run_shown, bool(self.runs)
        self.cards.setVisible(run is not None and not busy)
        self.tools.setVisible(there and (len(self.runs) > 1 or not busy))
        self.so_far.setVisible(busy and run is not None)
        self._apart = apart(self.judged) if run is None and len(self.runs) > 1 and not busy else Apart("")
        self.apart.setText(self._apart.words)
        self._apart_line.setVisible(bool(self._apart.words))
        self.apart_button.setVisible(self._apart.at >= 0)
        self.so_far.setText(so_far_words(run) if busy and run is not None else "")
        self.split.setVisible(there)
        self.empty.setVisible(not there)
        self.tools.verdicts.setVisible(run is not None and not busy)
        self.tools.rows.setVisible(run is None and there)
        self.tools.runs.setVisible(not busy)  # a run under way is not among the saved ones
        bad = [one.connection for one in self.judged if one.bad]
        self.tools.offer_again(asked_words(bad, self._here) if bad else "", there=not busy and bool(bad))

    def _show_run(self, *, same: bool = True, so_far: bool = False) -> None:
        """Show the chosen run; ``same`` is whether it was shown already, so that the place in it stays; ``so_far``,
        whether it is under way.
        """
        run, before = self.run_shown, self.before
        self.split.run, self.split.here = run, run is not None and run.connection == self._here
        self.tools.offer_connections(self.runs, self.at)
        self.tools.offer_verdicts(run, self._only)
        if run is not None:
            self.cards.show_run(run, before)
            if self._last != run.connection:
                self.results.show_sections((), keep=False)
            self._last = run.connection
            sections = (
                self._sections_so_far(run)
                if so_far
                else sections_of(run, before, self._only, unseen=self._accepting.unseen([run]))
            )
            self.results.show_sections(sections, keep=same)
            if self.choice is not None:
                self.results.go_to(*self.choice)
                self.choice = None
        else:
            self._show_grid(self.grid.by_check)
        self._middle.setCurrentWidget(self.results if run is not None else self.grid)
        self.tools.difference.setText(difference_words(run, before) if run and before else "")
        self.changed.emit()

    def _show_grid(self, by_check: bool) -> None:
        self.grid.show_runs(self.judged, by_check=by_check)
        self.close_finding()

    def choose_connection(self, at: int) -> None:
        """Show the run of that number in the report; -1: all of them."""
        self.show_runs(self.runs, at)
        self.connection_chosen.emit()

    def _open_apart(self) -> None:
        found = self._apart
        self.choice = (found.check, found.resource)
        self.choose_connection(found.at)
        self.results.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_finding(self) -> None:
        """Close the open finding."""
        self.split.close_finding()

    def _choose_verdict(self, verdict: Verdict | None) -> None:
        self._only = verdict
        self._show_run()

    def _open_cell(self, at: int, name: str) -> None:
        self.choose_connection(at)
        self.results.setFocus(Qt.FocusReason.OtherFocusReason)
        self.results.go_to_name(name)


def _same(old: Run | None, new: Run | None) -> bool:
    """Whether ``new`` is the same run as ``old``, or its continuation."""
    return (
        old is not None and new is not None and (old.connection, old.span[0]) == (new.connection, new.span[0])
    )
