"""The window of an evidence bundle: its run, findings, rows and calls, all read from the file and from nowhere else."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QSplitter, QWidget

from explorer.api.exchange import Exchange
from explorer.quality.baseline.baseline import Standing
from explorer.quality.bundle.masking_kinds import masked_words
from explorer.quality.bundle.read import Bundle, Sample
from explorer.quality.engine.check import Run
from explorer.ui.kit.clipboard import CopiedLabel
from explorer.ui.kit.dialogs import resize_within
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.json_view import JsonView
from explorer.ui.kit.layout import bar, column
from explorer.ui.kit.plain import PlainLabel, visible
from explorer.ui.kit.theme import theme
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.pages.quality.quality_finding import FindingSplit, FindingView
from explorer.ui.pages.quality.quality_table import ResultsTable
from explorer.ui.pages.quality.quality_words import Place, Section, run_words, sections_of
from explorer.ui.pages.quality.run_results import Cards

_LOW = 620
"""Pixels at 100 %: in a window that is lower the cards leave a line out."""


class BundleWindow(QWidget):
    """Shows one run of a bundle at a time. There is no session, so that nothing is requested."""

    def __init__(self, bundle: Bundle, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        if parent is None:
            theme().dress(self)
        self.bundle = bundle
        self.at = 0
        """The number of the run that is shown, counted from 0."""
        self.setWindowTitle(f"{visible(bundle.path.name)} — Unified Explorer")
        self.title = PlainLabel("Evidence of a quality run", role="title")
        self.about = PlainLabel("", role="muted", elide=True)
        self.masked = PlainLabel(
            f"Masked: {masked_words(bundle.masked)}. Made by Unified Explorer {bundle.version}.",
            role="muted",
            wrap=True,
        )
        self.runs = ElidedCombo("Connection")
        self.runs.addItems([visible(run.connection or run.profile) for run in bundle.runs])
        self.runs.setVisible(len(bundle.runs) > 1)
        self.cards, self.results = Cards(), ResultsTable()
        self.finding = FindingView(self.exchange_of)
        self.finding.leads_on = False
        self.finding.hand_over_button.hide()  # the bundle is what was handed over
        self.row = JsonView(name="Row")
        self.row_title = PlainLabel("", role="heading", elide=True)
        self._below = QWidget()
        self._build()
        self._connect()
        resize_within(self, 1200, 800)
        # Begin with the run that found something, as the bundle was made for that.
        first = next((at for at, run in enumerate(bundle.runs) if run.bad), 0)
        self.runs.setCurrentIndex(first)
        self._show_run(first)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.results.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.cards.set_low(self.height() < _LOW)

    def _build(self) -> None:
        head = bar(self.title, (self.about, 1), self.runs, kind="head", margins=(12, 7, 12, 7))
        self.copied = CopiedLabel()
        tools = bar((self.masked, 1), self.copied, margins=(12, 4, 12, 4))
        self._beside = FindingSplit(self.results, self.finding)
        column(self.row_title, (self.row, 1), of=self._below, margins=(12, 8, 12, 8), spacing=-1)
        self._below.hide()
        self._over = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        self._over.addWidget(self._beside)
        self._over.addWidget(self._below)
        column(head, tools, self.cards, (self._over, 1), of=self)

    def _connect(self) -> None:
        self.runs.activated.connect(self._show_run)
        self.finding.row_wanted.connect(self.open_row)
        self.finding.page_wanted.connect(self.open_request)
        self.finding.request_wanted.connect(self.open_request)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._fold)
        escape.setContext(Qt.ShortcutContext.WindowShortcut)
        QShortcut(
            QKeySequence(Qt.Key.Key_F1), self, lambda: self.finding.isVisible() and self.finding.explain()
        )
        close = QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        close.setContext(Qt.ShortcutContext.WindowShortcut)

    # ---------------------------------------------------------------- showing

    @property
    def run_shown(self) -> Run | None:
        """The run that is shown; None for a bundle without any."""
        return self.bundle.runs[self.at] if self.bundle.runs else None

    def _show_run(self, at: int) -> None:
        self.at = at
        self._beside.run = run = self.run_shown
        self.about.setText(
            "" if run is None else run_words(run) + (f" · {run.stopped}" if run.stopped else "")
        )
        self.finding.hide()
        self._below.hide()
        if run is not None:
            self.cards.show_run(run)
            self.results.show_sections(self._sections(run), keep=False)
            if len(run.bad) == 1:  # the bundle of one finding, as a rule: nothing else is to be looked for
                self.results.go_to(run.bad[0].check.id, run.bad[0].resource)

    def _sections(self, run: Run) -> list[Section]:
        """The sections of the run; beside a baseline its findings say what is new, and the known ones come last."""
        standings: dict[int, set[str]] = {}
        for found in self.bundle.findings:
            if found.run == self.at + 1 and found.standing:
                standings.setdefault(id(found.result), set()).add(found.standing)
        made = sections_of(run, give=False)
        if not standings:
            return made
        first, *rest = made
        lines = sorted(first.lines, key=lambda line: standings.get(id(line.result)) == {Standing.KNOWN})
        marked = (replace(line, new=Standing.NEW in standings.get(id(line.result), ())) for line in lines)
        return [replace(first, lines=tuple(marked)), *rest]

    def _fold(self) -> None:
        """Close the finding with its row; where neither is open, the window."""
        if not self.finding.isVisible():
            self.close()
            return
        self._below.hide()
        self.finding.hide()
        self.results.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---------------------------------------------------------------- evidence

    def sample(self, place: Place) -> Sample | None:
        """The row of a finding's place; None when the bundle does not hold it."""
        return next(
            (
                sample
                for found in self.bundle.findings
                if found.run == self.at + 1 and found.result.resource == place.resource
                for sample in self.bundle.rows(found.number)
                if (sample.exchange, sample.row) == (place.exchange, place.row)
            ),
            None,
        )

    def exchange_of(self, _run: Run, number: int | None) -> Exchange | None:
        """The call of that number in the shown run, or None."""
        return None if number is None else self.bundle.exchange(self.at + 1, number)

    def open_row(self, place: Place) -> None:
        """Show the record as received, but for what was masked."""
        sample = self.sample(place)
        if sample is None:
            self.row_title.setText(f"Row {place.row} is not in the bundle: there was no room for it")
            self.row.clear()
        else:
            where = f"Page {sample.page}, row" if sample.page else "Row"
            self.row_title.setText(f"{where} {sample.row}{f', id {sample.id}' if sample.id else ''}")
            self.row.show_bytes(sample.record, "row")
        if not self._below.isVisible():
            self._below.show()
            self._over.setSizes([self._over.height() * 3 // 5, self._over.height() * 2 // 5])

    def open_request(self, place: Place) -> None:
        """Show the call in full."""
        call = self.exchange_of(place.run, place.exchange)
        if call is not None:
            ExchangeDialog(call, self).open()
