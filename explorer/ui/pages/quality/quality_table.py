"""The tables of results: those of one run below headings that fold, and the verdicts of several connections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from PySide6.QtCore import QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView

from explorer.quality.engine.check import Run
from explorer.ui.kit.columns import Column, Tone
from explorer.ui.kit.plain import visible
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.rows_tree import RowsTree, RowsTreeModel
from explorer.ui.pages.quality.quality_words import Line, Section, where
from explorer.ui.pages.quality.several_runs import GridRow, grid_rows

RESULT, CHECK, WHERE, SEEN, MEASURED, EVIDENCE = range(6)
_NARROW, _TIGHT = 860, 560
"""Pixels at 100 %: below the first, as beside an open finding, what was seen has room before all else; below the second
it is left out, as the finding says it whole.
"""
_HIGH = 30
"""Pixels at 100 %."""
_COLUMNS: tuple[Column[Line], ...] = (
    Column("Result", lambda line: line.word, lambda line: cast(Tone, line.badge), width=112),
    Column(
        "Check",
        lambda line: line.result.check.sentence,
        "strong",
        share=11,
        least=150,
        most=lambda room: 290 if room >= _NARROW else 190,
    ),
    Column(
        "Where",
        lambda line: where(line.result.resource),
        "quiet",
        fit=True,
        least=64,
        most=lambda room: 130 if room >= _NARROW else 96,
    ),
    Column("What was seen", lambda line: line.seen, "quiet", share=9, spare=_TIGHT),
    Column("Found in", lambda line: line.result.found_in, "quiet", width=190, right=True, spare=_NARROW),
    Column(
        "Evidence",
        lambda line: line.link,
        "link",
        width=104,
        spare=_TIGHT,
    ),
)


class ResultsTable(RowsTree):
    """The results of one run. Enter, or the link in a line, opens the evidence of a result."""

    def __init__(self) -> None:
        self.results = RowsTreeModel(_COLUMNS)
        super().__init__(self.results, "Results")

    def show_sections(self, sections: Sequence[Section], *, keep: bool = True) -> None:
        """Show ``sections``; the line that was chosen stays chosen if it is still there.

        Without ``keep``, for another run, it stays only if it is a finding in that one too; else the table begins at
        its top.
        """
        before: Line | None = self.row()
        self.show_headings(sections)
        if before is not None and (keep or self._found_again(before)):
            self.go_to(before.result.check.id, before.result.resource)
        elif not keep:
            self.scrollToTop()
        if not self.currentIndex().isValid():
            self.chosen.emit(None)

    def renew(self, sections: Sequence[Section]) -> None:
        """Show ``sections`` of the same run a moment later: what is chosen and what is in sight stays, and nothing
        opens or closes.
        """
        if self.is_held:
            return  # a mouse button is down; what comes next shows this too
        chosen, at_top = self._key_of(self.currentIndex()), self.indexAt(QPoint(1, 1))
        top, offset = self._key_of(at_top), self.verticalScrollBar().value()
        with QSignalBlocker(self.selectionModel()):
            self.show_headings(sections)
            self.setCurrentIndex(self._index_of_key(chosen))
        self.verticalScrollBar().setValue(offset)
        if offset and top is not None:
            self.scrollTo(self._index_of_key(top), QAbstractItemView.ScrollHint.PositionAtTop)

    def _key_of(self, index: QModelIndex) -> tuple[str, str] | None:
        """What names a line or a heading from one state of the run to the next."""
        line = self.results.row_at(index)
        if line is not None:
            return line.result.check.id, line.result.resource
        return (self.results.headings[index.row()].title, "") if index.isValid() else None

    def _index_of_key(self, key: tuple[str, str] | None) -> QModelIndex:
        if key is None:
            return QModelIndex()
        heads = [place for place, one in enumerate(self.results.headings) if (one.title, "") == key]
        return self.results.index(heads[0], 0) if heads else self.index_of(*key)

    def _found_again(self, before: Line) -> bool:
        now = self.results.row_at(self.index_of(before.result.check.id, before.result.resource))
        return before.result.is_bad and now is not None and now.result.is_bad

    def index_of(self, check: str, resource: str) -> QModelIndex:
        """The index of the first line of that check and resource; an invalid one when there is none."""
        return self.results.first(
            lambda line: (line.result.check.id, line.result.resource) == (check, resource) and not line.gone
        )

    def go_to(self, check: str, resource: str) -> bool:
        """Select the line of that check and resource. Returns whether there is one."""
        index = self.index_of(check, resource)
        if index.isValid():
            self.choose(index)
        return index.isValid()

    def go_to_name(self, name: str) -> None:
        """Select the heading of that title, or the first line of the check of that sentence."""
        for place, section in enumerate(self.results.headings):
            if section.title == name:
                self.expand(self.results.index(place, 0))
                self.setCurrentIndex(self.results.index(place, 0))
        index = self.results.first(lambda line: line.result.check.sentence == name)
        if index.isValid():
            self.choose(index)


def _verdicts(at: int, run: Run, width: Callable[[int], int]) -> Column[GridRow]:
    """The column for the connection of ``run``, the run of number ``at``."""
    return Column(
        visible(run.connection or run.profile),
        lambda row: row.cells[at].words,
        lambda row: cast(Tone, row.cells[at].badge or "quiet"),
        lambda row: row.cells[at].tip,
        width=width,
        parts=lambda row: row.cells[at].parts,
        spoken=lambda row: f"{row.name}, {run.connection}: {row.cells[at].words}",
    )


class ConnectionsGrid(RowsTable):
    """The verdicts of several connections. Enter or a click on a cell opens that connection's run."""

    cell_taken = Signal(int, str)
    """Carries a run's number, counted from 0, and the row's group or the sentence of its check."""

    def __init__(self) -> None:
        self.grid = RowsModel[GridRow](())
        super().__init__(self.grid, "Verdicts by connection", height=_HIGH)
        self.by_check = False
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.horizontalHeader().setAccessibleName("Connections")
        self.horizontalHeader().setMinimumSectionSize(60)

    def show_runs(self, runs: Sequence[Run], *, by_check: bool) -> None:
        """Show ``runs``: a row for each check that ran, or for each group."""
        self.by_check = by_check

        def first(room: int) -> int:
            return min(260 if by_check else 160, room // 3)

        def others(room: int) -> int:
            return max((room - first(room)) // max(len(runs), 1), 170)

        name = Column[GridRow]("Check" if by_check else "Group", lambda row: row.name, width=first)
        columns = (name, *(_verdicts(at, run, others) for at, run in enumerate(runs)))
        self.grid.show_columns(columns, grid_rows(runs, by_check=by_check))
        self.share()

    def _clicked(self, index: QModelIndex) -> None:
        self._take(index)

    def _take(self, index: QModelIndex) -> None:
        if index.isValid() and index.column() > 0:
            self.cell_taken.emit(index.column() - 1, self.grid.rows[index.row()].name)
