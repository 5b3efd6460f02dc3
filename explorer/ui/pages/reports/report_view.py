"""The view of a report: totals with their currency, whether they add up, a bar chart and the entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QSplitter, QStackedWidget, QWidget

from explorer import words
from explorer.catalog.spec import Report, Resource
from explorer.jsontext.pieces import AT_ONCE
from explorer.quality.values.arithmetic import SHAPES, Arithmetic, check, shown
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row, scrolled
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import HEADER, ROW, set_look
from explorer.ui.pages.reports.entries import Figure, ReportBody, chart_rows, report_of
from explorer.ui.pages.reports.report_entries import MOST_AT_FIRST, BarChart, EntriesTable

_TASK = "reckon"
_READ = "read the report"
_ROWS_IN_SIGHT = 5
_SERIES = {"accounting/customer-income": ("totalIncome", "totalExpenses")}
"""Fields that are charted side by side; a report without them is charted by the first number of an entry."""
_LABELS = ("customerName", "customerId")
_GAP = 12
_VERDICT = 220
"""Pixels at 100 % that the verdict needs beside the totals; with less it is below them."""
_CARD = 150
_ANY = 16_777_215  # Qt's QWIDGETSIZE_MAX: no maximum
_SENTENCES = 4
"""Findings that are shown until the user asks for all."""
_MOST = 100
"""Most findings that are shown here, as a label lays out all of its text at once."""


class Card(QFrame):
    """A framed card."""

    def __init__(self) -> None:
        super().__init__()
        dressed(self, card="true")


class FigureCard(Card):
    """One total: its name, and the amount as received with the currency behind it."""

    def __init__(self, figure: Figure, currency: str) -> None:
        super().__init__()
        cell = figure.cell
        number = cell.kind == "number"
        text = f"{cell.text} {currency}".strip() if number else cell.text
        self.name = PlainLabel(figure.name, role="muted", elide=True)
        self.amount = PlainLabel(text, role="title" if number else "caution")
        self.amount.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(f"{figure.name}: {text if number else cell.spoken}")
        column(self.name, self.amount, of=self, margins=(16, 10, 16, 12), spacing=4)
        self.setMinimumWidth(_CARD)


class VerdictCard(Card):
    """Whether the report adds up, in a word and in sentences that name what does not, and where."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(200)
        self.badge = PlainLabel()
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.words = PlainLabel(wrap=True, role="faint")
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.more = push_button("", kind="link")
        self.more.setStyleSheet("QPushButton { padding-left: 0; }")  # aligned with the text above it
        self.more.clicked.connect(self._show_all)
        self._sentences: tuple[str, ...] = ()
        left = Qt.AlignmentFlag.AlignLeft
        parts = ((self.badge, left), self.words, (self.more, left), STRETCH)
        column(*parts, of=self, margins=(16, 10, 16, 12), spacing=4)

    def show_checking(self) -> None:
        """Show that the sums are being calculated."""
        self.show_verdict(Verdict("Checking…", "info", ()))

    def show_verdict(self, verdict: Verdict) -> None:
        """Show a verdict."""
        word, kind, self._sentences = verdict
        self.badge.setText(word)
        set_look(self.badge, badge=kind)
        set_look(self.words, role="faint" if kind == "holds" else "")
        self._put(_SENTENCES)
        self.setAccessibleName(". ".join((word, *self._shown(_MOST))))

    def _put(self, most: int) -> None:
        self.words.setText("\n".join(self._shown(most)))
        self.words.setVisible(bool(self._sentences))
        hidden = min(len(self._sentences), _MOST) - most
        self.more.setText(f"Show {hidden} more")
        self.more.setVisible(hidden > 0)

    def _shown(self, most: int) -> tuple[str, ...]:
        """The first ``most`` sentences; where more are never shown, the last one says how many are left out."""
        beyond = len(self._sentences) - _MOST
        more = (f"{beyond:,} more: the table marks each in its row",) if most >= _MOST and beyond > 0 else ()
        return (*self._sentences[:most], *more)

    def _show_all(self) -> None:
        self._put(_MOST)

    @property
    def word(self) -> str:
        """The verdict in up to three words."""
        return self.badge.whole()

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that was found, shown or not."""
        return self._sentences


class Verdict(NamedTuple):
    """Whether a report adds up: a word, its colour, and sentences that name what does not, and where."""

    word: str
    kind: str
    sentences: tuple[str, ...]


def verdict_of(found: Arithmetic | None) -> Verdict:
    """The verdict for ``found``, with a sentence for each finding; None is a report without a known rule."""
    if found is None:
        return Verdict("Not checked", "plain", ("No rule is known for what this report must add up to",))
    adds_up = found.adds_up
    if adds_up:
        return Verdict("Adds up", "holds", (found.sentence, *found.notes))
    if adds_up is False:
        return Verdict("Does not add up", "fails", (*found.findings, *found.notes))
    sentence = found.sentence
    said = (*(found.findings or (sentence,)), *_partial(found))
    return Verdict("Cannot be checked", "caution", (*said, *(n for n in found.notes if n not in sentence)))


def _partial(found: Arithmetic) -> tuple[str, ...]:
    """Sentences about totals that cannot be checked: what the entries that have a number sum to."""
    return tuple(
        f"{one.field} is {shown(one.stated)}, the entries with a number sum to {shown(one.reckoned)}"
        for one in found.sums
        if one.holds is None and one.stated is not None and one.reckoned is not None
    )


class CardRow(QWidget):
    """The totals side by side, and the verdict to their right, or below them where the width is too small."""

    def __init__(self) -> None:
        super().__init__()
        self.cards: list[FigureCard] = []
        self.verdict = VerdictCard()
        self._figures = QWidget()
        self._flow = FlowLayout(self._figures, gap=_GAP, line_gap=_GAP)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(_GAP)
        self._box.addWidget(self._figures)
        self._box.addWidget(self.verdict, 1)

    def show_report(self, report: ReportBody) -> None:
        """Show the totals of ``report``; the verdict is set later, as it is calculated in a thread."""
        for old in self.cards:
            self._flow.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.cards = [FigureCard(figure, report.currency) for figure in report.figures]
        for made in self.cards:
            self._flow.addWidget(made)
        self._figures.setVisible(bool(self.cards))
        self._turn()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        for made in self.cards:
            made.ensurePolished()
        widths = [max(_CARD, made.sizeHint().width()) for made in self.cards]
        needed = sum(widths) + _GAP * max(0, len(widths) - 1)
        beside = needed + _GAP + _VERDICT <= self.width()
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._box.direction() != way:
            self._box.setDirection(way)
        self._figures.setMinimumWidth(needed if beside else 0)
        self._figures.setMaximumWidth(needed if beside else _ANY)


class ReportView(QWidget):
    """Shows the last report, or says that there is none yet."""

    def __init__(self, operation: Report, resource: Resource, tasks: Tasks, hint: str) -> None:
        super().__init__()
        self._operation, self._resource, self._tasks = operation, resource, tasks
        self._hint = hint
        self.report: ReportBody | None = None
        self.verdict: Arithmetic | None = None
        self.masked = b""
        self._moved = self._all = False
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._share)
        self.older = PlainLabel(role="caution", wrap=True)
        self.cards = CardRow()
        self.chart = BarChart()
        self.subtitle = PlainLabel(role="muted", elide=True)
        self.chart.chosen.connect(self._show_entry)
        self.show_all = push_button("", kind="link")
        self.show_all.clicked.connect(self._show_all)
        self.table = EntriesTable(tasks)
        self.no_entries = PlainLabel(role="muted", wrap=True)
        self.no_entries.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._heading = PlainLabel(role="heading")
        self._words = PlainLabel(role="muted", wrap=True)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedWidget()
        self._build()
        self.clear()

    def _build(self) -> None:
        self._chart_card = Card()
        self.subtitle.setContentsMargins(8, 0, 0, 0)
        head = row((self.subtitle, 1), self.show_all, spacing=8)
        column(head, self.chart, of=self._chart_card, margins=(8, 8, 16, 4), spacing=4)
        self._top = QWidget()
        self._top.installEventFilter(self)
        parts = (self.older, self.cards, self._chart_card, STRETCH)
        column(*parts, of=self._top, margins=(16, 12, 16, 12), spacing=12)
        self._area = scrolled(self._top)
        rows = QStackedWidget()
        rows.addWidget(self.table)
        rows.addWidget(self.no_entries)
        rows.setMinimumHeight(HEADER + 2 * ROW)
        self._rows = rows
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._area)
        self._split.addWidget(rows)
        self._split.setStretchFactor(1, 1)
        self._split.splitterMoved.connect(self._keep_sizes)
        for page in (self._calm(), self._split):
            self._stack.addWidget(page)
        column(self._stack, of=self)

    def _calm(self) -> QWidget:
        """The placeholder while there is no report."""
        page = QFrame()
        for label in (self._heading, self._words):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column((None, 2), self._heading, self._words, (None, 3), of=page, margins=24, spacing=4)
        return page

    # ---- showing

    def clear(self, heading: str = "No report yet", why: str = "") -> None:
        """Show no report, and say why there is none."""
        self._tasks.cancel(_READ)
        self._tasks.cancel(_TASK)
        self.report = self.verdict = None
        self._heading.setText(heading)
        self._words.setText(why or self._hint)
        self._stack.setCurrentIndex(0)

    def show_body(self, body: bytes, masked: bytes, done: Callable[[bool], None]) -> None:
        """Show the report in ``masked`` (``body`` with its secrets masked), or a sentence where that is none, and call
        ``done`` with whether there was one. A large report is read in pieces.
        """
        now = len(masked) <= AT_ONCE
        if not now:
            self.clear("Reading the report…", words.size(len(masked)))

        def show(found: ReportBody | None) -> None:
            self._show(found, body, masked)
            done(found is not None)

        self._tasks.take(_READ, report_of(masked, self._resource, self._operation), done=show, now=now)

    def _show(self, found: ReportBody | None, body: bytes, masked: bytes) -> None:
        if found is None:
            self.clear(
                "This response is not a report as the contract shows it",
                "It is shown as received under Response; its lists are under Table.",
            )
            return
        self.report, self.masked = found, masked
        self._all = False
        self.older.hide()
        self.cards.show_report(found)
        self._show_rows(found)
        self._show_chart()
        self._reckon(body)
        self._stack.setCurrentIndex(1)
        self._share()

    def mark_older(self) -> None:
        """Show that the report is from an earlier run, as the last run returned none."""
        self.older.setText("This is the report of the previous run: the last run returned none.")
        self.older.setVisible(self.report is not None)
        self._share()

    def _show_rows(self, found: ReportBody) -> None:
        self.table.show_entries(found.rows or (), found.columns)
        count = words.count(len(found.rows or ()), "entry", "entries")
        self.table.setAccessibleName(f"Entries of the report: {count}")
        self.no_entries.setText(
            f"{self._operation.entries} is {found.entries_words}, an array expected: there are no entries to show"
        )
        self._rows.setCurrentIndex(0 if found.rows is not None else 1)

    @property
    def series(self) -> tuple[str, ...]:
        """The fields that are charted."""
        numbers = tuple(column.field for column in self._resource.columns if column.kind == "number")
        return _SERIES.get(self._operation.key, numbers[:1])

    def _show_chart(self) -> None:
        found = self.report
        if found is None:
            return
        rows = chart_rows(found, _LABELS, self.series)
        total = len(found.rows or ())
        shown = rows if self._all else rows[:MOST_AT_FIRST]
        self.chart.show_rows(shown, self.series, found.currency)
        part = f"the first {len(shown):,} of {total:,} entries" if len(shown) < total else ""
        self.subtitle.setText("  ·  ".join(filter(None, (found.subtitle, part))))
        self.show_all.setText(f"Show all {len(rows):,}" if len(rows) == total else f"Show {len(rows):,}")
        self.show_all.setVisible(len(shown) < len(rows))
        self._chart_card.setVisible(bool(rows))

    def _show_all(self) -> None:
        self._all = True
        self._show_chart()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._share()

    def _show_entry(self, number: int) -> None:
        """Scroll to an entry in the chart, and select it in the table."""
        rect = self.chart.rect_of(number)
        place = self.chart.mapTo(self._top, rect.center())
        self._area.ensureVisible(0, place.y(), 0, rect.height())
        self.table.selectRow(number)

    # ---- the sums

    def _reckon(self, body: bytes) -> None:
        self.cards.verdict.show_checking()
        self._tasks.give(_TASK, len(body), _judged, body, self._operation.key, done=self._judge)

    def _judge(self, found: _Judged) -> None:
        self.verdict = found.arithmetic
        self.cards.verdict.show_verdict(found.verdict)
        self.table.entries.mark(found.marks)
        self._share()

    # ---- room

    def _keep_sizes(self) -> None:
        self._moved = True

    def _share(self) -> None:
        """Give the upper part its full height as long as some entries stay visible; else it scrolls."""
        if self._moved or self._stack.currentIndex() == 0:
            return
        layout = self._top.layout()
        room = self._split.height()
        if layout is None or room < ROW:
            return
        layout.activate()
        wanted = layout.totalHeightForWidth(self._split.width()) if layout.hasHeightForWidth() else -1
        wanted = max(wanted, layout.totalSizeHint().height() if wanted < 0 else 0)
        count = len(self.report.rows or ()) if self.report else 0
        least = HEADER + ROW * min(max(count, 1), _ROWS_IN_SIGHT) + 4
        top = min(wanted, max(room - least, room // 2))
        self._split.setSizes([top, room - top])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The height of the upper part changes with the lines of the verdict and with the font.
        if watched is self._top and event.type() == QEvent.Type.LayoutRequest:
            self._soon.start()
        return super().eventFilter(watched, event)


class _Judged(NamedTuple):
    """The check of a report's sums, ready to be shown; made in a thread where there are many entries."""

    arithmetic: Arithmetic | None
    verdict: Verdict
    marks: Mapping[tuple[int, str], str]


def _judged(body: bytes, key: str) -> _Judged:
    shape = SHAPES.get(key)
    found = check(body, shape) if shape is not None else None
    return _Judged(found, verdict_of(found), _marks(found) if found is not None else {})


def _marks(found: Arithmetic) -> dict[tuple[int, str], str]:
    """What is wrong with single cells: a sentence by entry and field."""
    made = {
        (net.row, net.field): net.sentence for net in found.nets if net.row is not None and net.holds is False
    }
    for flaw in found.flaws:
        place, _, field = flaw.path.removeprefix(f"{found.shape.entries}[").partition("].")
        if place.isdigit() and field:
            made[int(place), field] = flaw.sentence
    return made
