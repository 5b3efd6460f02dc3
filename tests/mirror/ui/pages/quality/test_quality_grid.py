"""The grid of several connections and the tree of one: what their cells say and how they are coloured."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from explorer.quality.engine.check import Example, Finding, Result, Verdict
from explorer.quality.engine.every import CHECKS
from explorer.ui.pages.quality.quality_grid import BADGE, PARTS, GridModel
from explorer.ui.pages.quality.quality_results import CHECK, EVIDENCE, RESULT, SEEN, ResultsModel
from explorer.ui.pages.quality.quality_words import sections_of
from tests.mirror.quality.made import made_run

pytestmark = pytest.mark.usefixtures("qapp")
BY_ID = {check.id: check for check in CHECKS}
SPOKEN = Qt.ItemDataRole.AccessibleTextRole


def result(check: str, verdict: Verdict) -> Result:
    findings = (Finding("null", "name", "name is null", 2, (Example(1, 3, 7),)),)
    return Result(BY_ID[check], "ats/job", verdict, "name is null\u202e", 9, 2, findings)


def watched(model: QAbstractItemModel) -> QAbstractItemModelTester:
    return QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)


def cells(model: GridModel, role: int = int(Qt.ItemDataRole.DisplayRole)) -> list[list[object]]:
    return [
        [model.index(row, column).data(role) for column in range(model.columnCount())]
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
    model = GridModel()
    tester = watched(model)
    model.show([one, two], by_check=False)
    assert cells(model) == [
        ["Paging", "1 hold", "Not looked at"],
        ["Records", "1 observed", "1 fails · 1 hold"],
    ]
    assert cells(model, BADGE) == [[None, "holds", None], [None, "info", "fails"]]
    # The colour is that of the gravest alone; what else there is stands beside it.
    assert model.index(1, 2).data(PARTS) == ("1 fails", "1 hold")
    assert "1 fails · 1 hold" in model.index(1, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert model.index(1, 2).data(SPOKEN) == "Records, conn_two: 1 fails · 1 hold"
    model.show([one, two], by_check=True)
    assert next(row[0] for row in cells(model)) == BY_ID["records.types"].sentence
    assert len(cells(model)) == 3
    del tester


def test_a_line_says_its_verdict_and_where_it_leads() -> None:
    run = replace(
        made_run(), results=(result("records.types", Verdict.FAILS), result("paging.ends", Verdict.HOLDS))
    )
    model = ResultsModel()
    tester = watched(model)
    model.show(sections_of(run))
    index = model.index_of("records.types", "ats/job")
    assert index.data() == "Fails"
    assert index.siblingAtColumn(RESULT).data(SPOKEN) == "Result: Fails"
    assert index.siblingAtColumn(CHECK).data() == BY_ID["records.types"].sentence
    assert index.siblingAtColumn(SEEN).data() == "name is null‹U+202E›"
    assert index.siblingAtColumn(EVIDENCE).data() == "Open records"
    assert index.parent().data(SPOKEN) == "Findings: 1 fails"
    assert not model.index_of("records.types", "file-storage/file").isValid()
    model.show(())
    assert model.rowCount(QModelIndex()) == 0
    del tester
