"""One result in full: its findings by rule and field, where each shows, and the command that reproduces it. Its buttons
lead to the evidence: the row or page in its list, the call in the request log.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QSizePolicy, QSplitter, QToolButton, QWidget

from explorer import words
from explorer.api.exchange import Exchange
from explorer.api.exchanges import as_curl
from explorer.quality.checks.records import MISFITS
from explorer.quality.engine.check import Example, Finding, Result, Run, Verdict
from explorer.quality.reports.report import more_words
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.help import Guides
from explorer.ui.kit.clipboard import copy_curl, copy_text
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import STRETCH, column, dressed, push_button, row
from explorer.ui.kit.plain import PlainLabel, tooltip, visible
from explorer.ui.kit.rows_table import Column, RowsModel, RowsTable
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import icon, set_look
from explorer.ui.pages.quality.quality_table import ResultsTable
from explorer.ui.pages.quality.quality_words import Line, Place, where

_MOST_ROWS, _FEW_ROWS = 6, 2
"""Rows of a table that are shown at once; of the findings on a low page, so that the places of one are in sight."""
_ROOM = 360
"""Pixels at 100 % from which on the examples have columns for what their field is made of, which is said below too, and
for the number of the request.
"""
_RECORD = 260
"""The least height of the record, in pixels at 100 %."""
_LEAST, _MOST = 320, 440
"""Bounds of the finding's width, in pixels at 100 %."""
_CUT_ID = 100
"""Characters of an id that an example gives at most."""


class FindingView(QScrollArea):
    """Shows one `Line`. Its buttons only emit signals; `EvidenceNavigator` follows them."""

    closed = Signal()
    row_wanted = Signal(object)
    page_wanted = Signal(object)
    request_wanted = Signal(object)
    more_wanted = Signal(object)
    """These four carry a `Place`."""
    hand_over_wanted = Signal()
    accept_wanted = Signal()
    """Accept what is shown, or, where it is accepted, no longer."""

    def __init__(
        self,
        exchange_of: Callable[[Run, int | None], Exchange | None],
        stored: Callable[[Run, str], str] = lambda *_: "",
        record_of: Callable[[Place], bytes | None] | None = None,
    ) -> None:
        """``exchange_of`` gives a run's call by its number, while the log still has it; ``stored`` says that the stored
        rows of a list are of another time than a run; ``record_of`` gives the record as the run received it, for a
        thread, None where it is not kept.
        """
        super().__init__()
        self._exchange_of, self._stored, self._record_of = exchange_of, stored, record_of
        self._tasks = Tasks(self, lambda _: self._say_record(b""))
        self._has_record = self._low = False
        self._run: Run | None = None
        self._line: Line | None = None
        self._here = True
        self.leads_on = True
        """Whether there are lists to go to, with more rows than a finding names."""
        self.setObjectName("finding")
        self.setAccessibleName("Finding")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumWidth(300)
        self._labels()
        self._tables()
        self._buttons()
        inside = dressed(QWidget(), ground="surface")
        self._build(inside)
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        return QSize(400, 300)

    def _labels(self) -> None:
        self.badge = PlainLabel("")
        self.badge.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.title = PlainLabel("", role="heading", wrap=True)
        self.about = PlainLabel("", role="muted", wrap=True)
        self.seen = PlainLabel("", wrap=True, selectable=True)
        self.seen.setAccessibleName("What was seen")
        self.hint = PlainLabel("", role="muted", wrap=True)
        self.beside = PlainLabel("", role="mono", wrap=True, selectable=True)
        self.beside.setAccessibleName("The chosen value and its source")
        self.record_of = PlainLabel("The record as the run received it", role="caption")
        self.record = JsonView(name="The record as the run received it")
        self.record.setMinimumHeight(_RECORD)
        self.command = PlainLabel("", role="mono", wrap=True, selectable=True)
        self.command.setAccessibleName("The command that reproduces it")
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close", "muted"))
        self.close_button.setAccessibleName("Close the finding")
        self.close_button.setToolTip("Close (Escape)")
        self.close_button.clicked.connect(self.closed)

    def _tables(self) -> None:
        self.findings = RowsTable(
            RowsModel[Finding](
                (
                    Column("What was found", lambda f: f.sentence, share=5),
                    Column("Field", lambda f: f.field or "the whole", "mono", share=3),
                    Column("Times", lambda f: words.count(f.count), "muted", fit=True),
                )
            ),
            "Findings by rule and field",
        )
        self.examples = RowsTable(
            RowsModel[Example](
                (
                    Column("Page", lambda e: words.count(e.page) if e.page else "", fit=True),
                    Column("Row", lambda e: words.count(e.row) if e.row else "", "link", fit=True),
                    Column("Id", lambda e: e.id, "mono"),
                    Column("Value", lambda e: e.value, "mono"),
                    Column("Source", _source_words, "mono", lambda e: e.source_words, spare=_ROOM),
                    Column(
                        "Request",
                        lambda e: f"{e.exchange}" if e.exchange else "",
                        "muted",
                        fit=True,
                        spare=_ROOM,
                    ),
                )
            ),
            "Where it shows",
        )
        self.findings.chosen.connect(self._show_examples)
        self.examples.chosen.connect(lambda _: self._say_example())
        self.examples.taken.connect(lambda _: self.open_first())
        self.examples.link_clicked.connect(lambda _: self.open_first())

    def _buttons(self) -> None:
        self.row_button = self._button("Open row", lambda: self.row_wanted.emit(self.place()))
        self.page_button = self._button("Open page", lambda: self.page_wanted.emit(self.place()))
        self.request_button = self._button("Show request", lambda: self.request_wanted.emit(self.place()))
        self.curl_button = self._button("Copy as cURL", self.copy_curl)
        self.hand_over_button = self._button("Hand this over…", self.hand_over_wanted.emit)
        self.hand_over_button.setProperty("kind", "primary")
        self.hand_over_button.setToolTip(tooltip("As the text of an issue, or as a bundle that proves it"))
        self.accept_button = self._button("Accept…", self.accept_wanted.emit)
        self.accepts = False
        """Whether there is a profile for which a finding can be accepted."""
        self.more_button = self._button("", lambda: self.more_wanted.emit(self.place()))
        self.more_button.setProperty("kind", "link")
        self.about_button = self._button("About this check", self.explain)
        self.copy_button = self._button("Copy command", self.copy_command)
        self.fold_button = push_button("Hide the evidence", kind="link", checkable=True, name="Evidence")
        self.fold_button.setChecked(True)
        self.fold_button.toggled.connect(lambda _: self._show_evidence())

    def _button(self, text: str, run: Callable[[], object]) -> QPushButton:
        button = push_button(text, name=text)
        button.clicked.connect(lambda *_: run())
        return button

    def _build(self, inside: QWidget) -> None:
        above = Qt.AlignmentFlag.AlignTop
        top = row((self.badge, above), (self.title, 1), (self.close_button, above), spacing=8)
        done = row(self.hand_over_button, self.accept_button, STRETCH, spacing=8)
        ways = QWidget()
        flow = FlowLayout(ways, gap=8, line_gap=4)
        shown_at = (self.row_button, self.page_button, self.request_button, self.curl_button)
        for button in (*shown_at, self.about_button):
            flow.addWidget(button)
        self._again = PlainLabel("Reproduce it in a shell", role="caption")
        # First what is wrong and its rows, which are in sight in a small window; what proves it folds.
        left = Qt.AlignmentFlag.AlignLeft
        shown = (self.about, self.seen, done, self.findings, self.examples, self.beside)
        ways_on = ((self.more_button, left), ways, self.hint, (self.fold_button, left))
        record = (self.record_of, self.record)
        again = (self._again, self.command, (self.copy_button, left))
        column(
            top, *shown, *ways_on, *record, *again, STRETCH, of=inside, margins=(16, 10, 12, 12), spacing=8
        )

    # ---------------------------------------------------------------- what is shown

    def show_line(self, run: Run, line: Line, *, here: bool) -> None:
        """Show ``line`` of ``run``; ``here`` is whether the run was made on the connection in use."""
        self._run, self._line, self._here = run, line, here
        result = line.result
        self.badge.setText(line.word)
        set_look(self.badge, badge=line.badge)
        self.title.setText(result.check.sentence)
        alone = result.findings[0] if len(result.findings) == 1 else None
        field = f"field {visible(alone.field)}" if alone is not None and alone.field else ""
        self.about.setText(" · ".join(filter(None, (where(result.resource), field, result.found_in))))
        self.seen.setText(line.seen)
        self.seen.setVisible(bool(line.seen))
        self.accept_button.setText("Take back" if result.accepted else "Accept…")
        name = (
            "Accept it no longer: it counts as a finding again" if result.accepted else "Accept this finding"
        )
        self.accept_button.setAccessibleName(name)
        self.accept_button.setVisible(
            self.accepts and not line.gone and (result.is_bad or bool(result.accepted))
        )
        self.findings.show_rows(result.findings)
        # A single finding is already said in full above.
        self.findings.setVisible(len(result.findings) > 1)
        _fit(self.findings, _FEW_ROWS if self._low else _MOST_ROWS)
        if result.findings:
            self.findings.selectRow(0)
        self._show_examples()
        self.command.setText(shlex.join(run.command(result)))
        self._show_evidence()
        self.verticalScrollBar().setValue(0)

    def _show_examples(self) -> None:
        if self._line is None:
            return
        finding = self.findings.row()
        calls = [Example(exchange=number) for number in self._line.result.exchanges]
        shown = list(finding.examples) if isinstance(finding, Finding) else calls
        self.examples.show_rows(shown)
        for place, has in enumerate(
            any(getattr(example, name) for example in shown)
            for name in ("page", "row", "id", "value", "source")
        ):
            self.examples.leave_out(place, not has)
        self.examples.setVisible(bool(shown))
        _fit(self.examples)
        self._say_finding(finding)
        if shown:
            self.examples.selectRow(0)
        more = more_words(finding, len(shown)) if isinstance(finding, Finding) else ""
        has_list = self.leads_on and any(example.row or example.page for example in shown)
        self.more_button.setText(f"{more} in the list" if has_list else more)
        self.more_button.setAccessibleName(self.more_button.text())
        self.more_button.setEnabled(has_list)
        self.more_button.setVisible(bool(more))
        self._say_example()

    def _say_finding(self, finding: object) -> None:
        """Say the chosen one of several findings in full, as its row may be cut."""
        several = self._line.result.findings if self._line is not None else ()
        if self._line is None or len(several) < 2 or not isinstance(finding, Finding):
            return
        before, first, _ = self._line.seen.partition(several[0].sentence)
        if first:
            self.seen.setText(f"{before}{finding.sentence}")

    @property
    def result(self) -> Result | None:
        """The result that is shown, the chosen finding before its others; None before the first."""
        if self._line is None:
            return None
        result, chosen = self._line.result, self.findings.row()
        return replace(result, findings=tuple(sorted(result.findings, key=lambda one: one is not chosen)))

    @property
    def chosen_result(self) -> Result | None:
        """The result with the chosen finding alone; None before the first."""
        result, chosen = self.result, self.findings.row()
        if result is None or not isinstance(chosen, Finding) or len(result.findings) < 2:
            return result
        affected = min(chosen.count, result.affected)
        return replace(result, findings=(chosen,), affected=affected, seen=chosen.sentence)

    def place(self) -> Place | None:
        """The place of the chosen example, or None."""
        example = self.examples.row()
        if self._run is None or self._line is None or not isinstance(example, Example):
            return None
        result = self._line.result
        unfit = result.check.id in MISFITS and result.verdict is Verdict.FAILS
        ident = example.id if len(example.id) < _CUT_ID else ""
        finding = self.findings.row()
        ids, field = (finding.ids, finding.field) if isinstance(finding, Finding) else ((), "")
        at = example.page, example.row, example.exchange
        return Place(self._run, result.resource, *at, ident, ids, unfit, field)

    def all_places(self) -> Place | None:
        """The place of the chosen example, with the records of all findings of its result."""
        place = self.place()
        if place is None or self._line is None:
            return place
        ids = dict.fromkeys(one for finding in self._line.result.findings for one in finding.ids)
        return replace(place, ids=tuple(ids))

    def exchange(self) -> Exchange | None:
        """The call of the chosen example, while the log still has it."""
        place = self.place()
        return self._exchange_of(place.run, place.exchange) if place else None

    def _say_example(self) -> None:
        """Say the chosen value with its source in full, and what can be done with it."""
        example = self.examples.row()
        beside = example.source_words if isinstance(example, Example) else ""
        value = f"{visible(example.value)}, where " if beside and example.value else ""
        self.beside.setText(f"{value}{visible(beside)}")
        self.beside.setVisible(bool(beside))
        place, call = self.place(), self.exchange()
        self.row_button.setVisible(place is not None and place.row is not None)
        self.page_button.setVisible(place is not None and place.page is not None)
        has_call = place is not None and place.exchange is not None
        for button in (self.request_button, self.curl_button):
            button.setVisible(has_call)
            button.setEnabled(call is not None)
            button.setToolTip(tooltip("" if call else "The request log no longer holds this request"))
        said = ""
        if has_call and call is None:
            said = "Its request is no longer in the log: run it again to see it."
        if not self._here and place is not None and place.page is not None:
            said = f"It was found on {visible(place.run.connection)}: opening it goes to that connection."
        elif place is not None and place.page is not None:
            said = f"{said} {self._stored(place.run, place.resource)}".strip()
        finding = self.findings.row()
        if isinstance(finding, Finding) and 1 < len(finding.ids) < finding.count:
            known = words.count(len(finding.ids), "record")
            said = f"{said} The list marks the {known} of them that are known by their ids.".strip()
        self.hint.setText(said)
        self.hint.setVisible(bool(said))
        self._show_record(place)

    def _show_record(self, place: Place | None) -> None:
        """Show the record of the chosen example as the run received it, where its page is kept."""
        read = self._record_of
        if read is None or place is None or place.row is None or place.exchange is None:
            self._tasks.cancel("record")
            self._say_record(b"")
        else:
            self._tasks.give("record", sys.maxsize, read, place, done=self._say_record)

    def _say_record(self, record: bytes | None) -> None:
        self._has_record = bool(record)
        if record:
            self.record.show_bytes(record)
        self._show_evidence()

    def _show_evidence(self) -> None:
        """Show the record and the command, or fold them away."""
        is_open, gone = self.fold_button.isChecked(), self._line is not None and self._line.gone
        self.fold_button.setText("Hide the evidence" if is_open else "Show the evidence")
        self.fold_button.setVisible(not gone or self._has_record)
        self.record_of.setVisible(is_open and self._has_record)
        self.record.setVisible(is_open and self._has_record)
        for widget in (self._again, self.command, self.copy_button):
            widget.setVisible(is_open and not gone)

    def set_low(self, low: bool) -> None:
        """Fold the evidence where the page is low, as its rows go before, and show it again where there is room."""
        if low != self._low:
            self._low = low
            _fit(self.findings, _FEW_ROWS if low else _MOST_ROWS)
            self.fold_button.setChecked(not low)

    # ---------------------------------------------------------------- what is done

    def open_first(self) -> None:
        """Open the chosen example: its row, else its page, else its request."""
        place = self.place()
        if place is None:
            return
        if place.row is not None:
            self.row_wanted.emit(place)
        elif place.page is not None:
            self.page_wanted.emit(place)
        else:
            self.request_wanted.emit(place)

    def explain(self) -> bool:
        """Open what the reference says of the check; False before the first finding."""
        if self._line is not None:
            Guides("checks", self.window(), check=self._line.result.check.id).open()
        return self._line is not None

    def copy_command(self) -> None:
        """Copy the command that reproduces the finding, as a line for a shell."""
        if self._run is not None and self._line is not None:
            copy_text(shlex.join(self._run.command(self._line.result)), "command")

    def copy_curl(self) -> None:
        """Copy the chosen example's call as a cURL command, with a variable in place of the key."""
        call = self.exchange()
        if call is not None:
            copy_curl(as_curl(call))


class FindingSplit(QSplitter):
    """The results of a run, and beside them the finding that is open, with its share of the width."""

    def __init__(self, results: ResultsTable, finding: FindingView, left: QWidget | None = None) -> None:
        """``left`` is the widget that contains the results, where there is more than them on that side."""
        super().__init__()
        self.run: Run | None = None
        """The run whose results are shown; without one no finding can be opened."""
        self.here = True
        """Whether the run was made on the connection in use."""
        self._results, self._finding = results, finding
        self._share = 0.0
        """The finding's width as the user set it; None until then."""
        self.setChildrenCollapsible(False)
        self.addWidget(left or results)
        self.addWidget(finding)
        self.setStretchFactor(0, 1)
        finding.hide()
        self.splitterMoved.connect(self._moved)
        results.chosen.connect(self.open)
        results.taken.connect(self._open_evidence)
        finding.closed.connect(self.close_finding)

    def open(self, line: Line | None) -> None:
        """Open the finding of a line; None closes it."""
        if line is None or self.run is None:
            self._finding.hide()
            return
        self._finding.show_line(self.run, line, here=self.here)
        if not self._finding.isVisible():
            self._finding.show()
            self._give_room()

    def _open_evidence(self, line: Line) -> None:
        if line.need:
            return  # its link leads to what it needs, which the page opens
        self.open(line)
        place = self._finding.all_places()
        if place is not None and place.row is not None and len(place.ids) > 1:
            self._finding.more_wanted.emit(place)
        else:
            self._finding.open_first()

    def close_finding(self) -> None:
        """Close the finding; the results get the focus if it was inside."""
        focus: QWidget | None = self.window().focusWidget()
        inside = focus is not None and self._finding.isAncestorOf(focus)
        self._finding.hide()
        if inside:
            self._results.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _give_room(self) -> None:
        """Give the finding its share of the width, also where it was opened before the page was laid out."""
        room = self.width()
        share = int(room * self._share) or max(_LEAST, min(_MOST, room * 2 // 5))
        if not self._finding.isHidden():
            self.setSizes([max(room - share, 1), share])

    def _moved(self, at: int, _: int) -> None:
        self._share = 1 - at / max(self.width(), 1)


def _source_words(example: Example) -> str:
    """The values that a field is made of; where they are, `Example.source_words` says."""
    return ", ".join(one.value_words for one in example.source)


def _fit(table: RowsTable, most: int = _MOST_ROWS) -> None:
    """Make a table as high as its rows, up to ``most`` of them."""
    table.setFixedHeight(table.height_of(most) + 2)
