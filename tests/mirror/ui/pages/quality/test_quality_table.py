"""The grid of several connections and the tree of one: what their cells say, how they are painted, what Enter does."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QAbstractItemModelTester, QTest

from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import Example, Finding, Result, Run, Verdict
from explorer.ui.kit.theme import colors, theme
from explorer.ui.pages.quality.quality_table import (
    CHECK,
    EVIDENCE,
    RESULT,
    SEEN,
    ConnectionsGrid,
    ResultsTable,
)
from explorer.ui.pages.quality.quality_words import sections_of, sections_so_far
from tests.mirror.quality.made import made_run

pytestmark = pytest.mark.usefixtures("qapp")
BY_ID = {check.id: check for check in CHECKS}
RECORDS = [check for check in CHECKS if check.group == "records"]
SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def result(check: str, verdict: Verdict) -> Result:
    findings = (Finding("null", "name", "name is null", 2, (Example(1, 3, 7),)),)
    return Result(BY_ID[check], "ats/job", verdict, "name is null\u202e", 9, 2, findings)


def watched(model: QAbstractItemModel) -> QAbstractItemModelTester:
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def cells(grid: ConnectionsGrid) -> list[list[object]]:
    model = grid.grid
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_a_row_for_each_group_or_check_with_the_gravest_as_its_colour() -> None:
    one = replace(
        made_run(),
        connection="conn_one",
        results=(result("paging.ends", Verdict.HOLDS), result("records.types", Verdict.OBSERVED)),
    )
    two = replace(
        made_run(),
        connection="conn_two",
        results=(result("records.types", Verdict.FAILS), result("records.ids", Verdict.HOLDS)),
    )
    grid = ConnectionsGrid()
    model, tester = grid.grid, watched(grid.grid)
    grid.show_runs([one, two], by_check=False)
    assert cells(grid) == [
        ["Paging", "1 hold", "Not looked at"],
        ["Records", "1 observed", "1 fail · 1 hold"],
    ]
    assert [[cell.badge for cell in row.cells] for row in model.rows] == [["holds", ""], ["info", "fails"]]
    # The colour is that of the gravest alone; what else there is stands beside it.
    assert model.rows[1].cells[1].parts == ("1 fail", "1 hold")
    assert "1 fail · 1 hold" in model.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(1, 2).data(SPOKEN) == "Records, conn_two: 1 fail · 1 hold"
    grid.show_runs([one, two], by_check=True)
    assert next(row[0] for row in cells(grid)) == BY_ID["records.types"].sentence
    assert len(cells(grid)) == 3
    del tester


def test_a_line_says_its_verdict_and_where_it_leads() -> None:
    run = replace(
        made_run(), results=(result("records.types", Verdict.FAILS), result("paging.ends", Verdict.HOLDS))
    )
    table = ResultsTable()
    model, tester = table.results, watched(table.results)
    table.show_sections(sections_of(run))
    index = table.index_of("records.types", "ats/job")
    assert index.data() == "Fails"
    assert index.siblingAtColumn(RESULT).data(SPOKEN) == "Result: Fails"
    assert index.siblingAtColumn(CHECK).data() == BY_ID["records.types"].sentence
    assert index.siblingAtColumn(SEEN).data() == "name is null‹U+202E›"
    assert index.siblingAtColumn(EVIDENCE).data() == "Open records"
    assert index.parent().data(SPOKEN) == "Findings: 1 fail"
    assert not table.index_of("records.types", "file-storage/file").isValid()
    table.show_sections(())
    assert model.rowCount(QModelIndex()) == 0
    del tester


def made() -> ConnectionsGrid:
    theme().install("light")
    fails = Result(RECORDS[0], "ats/job", Verdict.FAILS, "seen", 9, 2)
    rest = tuple(Result(check, "ats/job", Verdict.SKIPPED, "none came") for check in RECORDS[1:])
    one = replace(made_run(), connection="conn_one", results=(fails, *rest))
    two = replace(made_run(), connection="conn_two", results=rest)
    grid = ConnectionsGrid()
    grid.show_runs([one, two], by_check=False)
    grid.resize(700, 200)
    grid.show()
    return grid


def painted(picture: QImage, cell: QRect, token: str) -> list[int]:
    """The columns of pixels in the middle of a cell that have that colour."""
    wanted, y = colors().color(token).rgb(), cell.center().y() + 6
    return [x for x in range(cell.left(), cell.right()) if picture.pixel(x, y) == wanted]


def test_only_the_gravest_verdict_has_its_colour() -> None:
    grid = made()
    picture = grid.viewport().grab().toImage()
    first, second = (grid.visualRect(grid.grid.index(0, column)) for column in (1, 2))
    ground = painted(picture, first, "fails_ground")
    assert ground, "the verdict that fails"
    assert max(ground) < first.left() + first.width() // 2, "what was skipped is no failure"
    assert not painted(picture, second, "fails_ground")


def test_enter_goes_to_the_connection_of_the_cell() -> None:
    grid = made()
    taken: list[tuple[int, str]] = []
    grid.cell_taken.connect(lambda at, name: taken.append((at, name)))
    grid.setCurrentIndex(grid.grid.index(0, 0))
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert taken == []
    grid.setCurrentIndex(grid.grid.index(0, 2))
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert taken == [(1, "Records")]


def test_what_comes_while_a_run_goes_on_slots_in_and_moves_nothing() -> None:
    def run_of(*verdicts: Verdict) -> Run:
        pairs = zip(RECORDS, verdicts, strict=False)
        return replace(made_run(), results=tuple(result(check.id, verdict) for check, verdict in pairs))

    few, many = [Verdict.HOLDS, *[Verdict.FAILS] * 14], [Verdict.FAILS] * 15
    table = ResultsTable()
    table.resize(700, 160)
    table.show_sections(sections_so_far(run_of(*few), ()), keep=False)
    table.show()
    chosen: list[object] = []
    table.chosen.connect(chosen.append)
    assert table.go_to(RECORDS[9].id, "ats/job")
    bar = table.verticalScrollBar()
    bar.setValue(6)
    top = table.indexAt(QPoint(1, 1))
    first = table.results.row_at(top)
    assert first is not None
    told = len(chosen)
    table.renew(sections_so_far(run_of(*many), {(RECORDS[0].id, "ats/job")}))
    line = table.row()
    assert line is not None
    assert line.result.check is RECORDS[9]
    now = table.results.row_at(table.indexAt(QPoint(1, 1)))
    assert now is not None
    assert now.result.check is first.result.check, "what is in sight stays there"
    assert len(chosen) == told, "nothing opens or closes"
    new = table.results.row_at(table.index_of(RECORDS[0].id, "ats/job"))
    assert new is not None
    assert new.new
    QTest.mousePress(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(top).center())
    table.renew(sections_so_far(run_of(*few), ()))
    assert len(table.results.headings) == 1, "nothing moves below a button that is down"
    QTest.mouseRelease(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(top).center())
