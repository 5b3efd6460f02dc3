"""A report as people read it: totals, verdict, bars, entries; and the panel that has it before the raw answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from explorer import words
from explorer.catalog.spec import Report, Resource
from explorer.jsontext.pieces import AT_ONCE
from explorer.quality.values.arithmetic import SHAPES, Arithmetic, check
from explorer.ui.call.answer_changes import Change
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.kit.layout import STRETCH, column, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import HEADER, ROW
from explorer.ui.pages.reports.entries import ReportBody, chart_rows, report_of
from explorer.ui.pages.reports.report_cards import CardRow, Verdict, card, verdict_of
from explorer.ui.pages.reports.report_chart import MOST_AT_FIRST, BarChart
from explorer.ui.pages.reports.report_entries import EntriesTable
from explorer.ui.pages.reports.report_tables import TabledPanel

_TASK = "reckon"
_READ = "read the report"
_ROWS_IN_SIGHT = 5
_SERIES = {"accounting/customer-income": ("totalIncome", "totalExpenses")}
"""Fields that are charted side by side; elsewhere the first number of an entry."""
_LABELS = ("customerName", "customerId")


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
        self.show_all = QPushButton()
        self.show_all.setProperty("kind", "link")
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
        self._chart_card = card()
        self.subtitle.setContentsMargins(8, 0, 0, 0)
        head = row((self.subtitle, 1), self.show_all, spacing=8)
        column(head, self.chart, of=self._chart_card, margins=(8, 8, 16, 4), spacing=4)
        self._top = QWidget()
        self._top.installEventFilter(self)
        parts = (self.older, self.cards, self._chart_card, STRETCH)
        column(*parts, of=self._top, margins=(16, 12, 16, 12), spacing=12)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._top)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area = area
        rows = QStackedWidget()
        rows.addWidget(self.table)
        rows.addWidget(self.no_entries)
        rows.setMinimumHeight(HEADER + 2 * ROW)
        self._rows = rows
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(area)
        self._split.addWidget(rows)
        self._split.setStretchFactor(1, 1)
        self._split.splitterMoved.connect(self._keep_sizes)
        for page in (self._calm(), self._split):
            self._stack.addWidget(page)
        column(self._stack, of=self)

    def _calm(self) -> QWidget:
        """What stands here before there is a report."""
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
        """Show a report, and say whether there is one in ``masked`` (what may be seen of ``body``); if not, words stand
        in its place. A large one is read in pieces.
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
        """The run after this report failed: what is shown is from before, and that is said."""
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
        """The entry that the user is on in the chart, in sight there and in the table."""
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
        """The upper part as high as it is, as long as some entries stay in sight; then it scrolls."""
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
        # A verdict of more lines, another font: what lies above wants another height.
        if watched is self._top and event.type() == QEvent.Type.LayoutRequest:
            self._soon.start()
        return super().eventFilter(watched, event)


class _Judged(NamedTuple):
    """What the sums of a report say, in the form in which it is shown: of many entries made in a thread."""

    arithmetic: Arithmetic | None
    verdict: Verdict
    marks: Mapping[tuple[int, str], str]


def _judged(body: bytes, key: str) -> _Judged:
    shape = SHAPES.get(key)
    found = check(body, shape) if shape is not None else None
    return _Judged(found, verdict_of(found), _marks(found) if found is not None else {})


def _marks(found: Arithmetic) -> dict[tuple[int, str], str]:
    """The cells that something is wrong with, by entry and field."""
    made = {
        (net.row, net.field): net.sentence for net in found.nets if net.row is not None and net.holds is False
    }
    for flaw in found.flaws:
        place, _, field = flaw.path.removeprefix(f"{found.shape.entries}[").partition("].")
        if place.isdigit() and field:
            made[int(place), field] = flaw.sentence
    return made


class ReportPanel(TabledPanel):
    """The report in front, request and response as they are behind it."""

    ready = Signal()
    """A report is shown."""

    def __init__(self, operation: Report, resource: Resource, tasks: Tasks, hint: str) -> None:
        super().__init__(operation, tasks)
        self.report = ReportView(operation, resource, tasks, hint)
        self.add_tab("Report", self.report, 0)
        self.report.table.said.connect(self.said)

    def show_outcome(self, outcome: Outcome, changes: Sequence[Change]) -> None:
        """Show a report as one; a failure leaves the last report, and stands under Response itself."""
        super().show_outcome(outcome, changes)
        if outcome.badge != "holds":
            self.report.mark_older()
            return
        masked = b"" if outcome.is_bytes else outcome.masked
        self.report.show_body(outcome.body, masked, self._shown)

    def _shown(self, is_report: bool) -> None:
        found = self.report.report
        if is_report and found is not None:
            self.offer_tables(b"")  # its one table stands under Report
            self.turn_to("Report")
            self.ready.emit()
