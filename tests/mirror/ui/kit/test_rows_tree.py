"""The tree of headings and rows: what folds, what is told and when, and how its columns share the room."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAccessible, QAccessibleActionInterface
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.kit.columns import Column
from explorer.ui.kit.rows_tree import RowsTree, RowsTreeModel
from explorer.ui.kit.theme import theme

SPOKEN = Qt.ItemDataRole.AccessibleTextRole


@dataclass(frozen=True)
class Group:
    title: str
    lines: tuple[str, ...]
    open: bool = False
    words: str = "some"


GROUPS = (Group("Findings", ("one", "two"), open=True), Group("Records", ("three",)), Group("Paging", ()))


@pytest.fixture
def tree(qtbot: QtBot) -> RowsTree:
    theme().install("light")
    columns = (
        Column[str]("Result", str, width=100),
        Column[str]("Check", str.upper, "strong", share=1, least=150, most=290),
        Column[str]("Seen", str, "quiet", share=1, spare=560),
        Column[str]("Evidence", lambda row: "" if row == "two" else "Open", "link", width=100),
    )
    model = RowsTreeModel(columns)
    made = RowsTree(model, "Results")
    qtbot.addWidget(made)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    made.resize(700, 300)
    made.show_headings(GROUPS)
    made.show()
    return made


def at(tree: RowsTree, row: str, column: int = 0) -> QModelIndex:
    model = tree.model()
    assert isinstance(model, RowsTreeModel)
    return model.first(lambda one: one == row).siblingAtColumn(column)


def click(tree: RowsTree, index: QModelIndex) -> None:
    spot = QPoint(tree.visualRect(index).left() + 20, tree.visualRect(index).center().y())
    QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def test_cells_and_headings_say_what_they_are(tree: RowsTree) -> None:
    assert at(tree, "one", 1).data() == "ONE"
    assert at(tree, "one", 1).data(SPOKEN) == "Check: ONE"
    assert at(tree, "one").parent().data() == "Findings"
    assert at(tree, "one").parent().data(SPOKEN) == "Findings: some"
    assert not at(tree, "four").isValid()


def test_enter_and_a_click_fold_a_heading_and_take_a_row(tree: RowsTree) -> None:
    taken, chosen = list[str](), list[str | None]()
    tree.taken.connect(taken.append)
    tree.chosen.connect(chosen.append)
    findings = tree.model().index(0, 0)
    assert [tree.isExpanded(tree.model().index(place, 0)) for place in range(3)] == [True, False, False]
    tree.setCurrentIndex(findings)
    for folded in (True, False):
        QTest.keyClick(tree, Qt.Key.Key_Return)
        assert tree.isExpanded(findings) is not folded
    click(tree, findings)
    assert not tree.isExpanded(findings)
    tree.choose(at(tree, "one"))
    assert tree.isExpanded(findings)
    QTest.keyClick(tree, Qt.Key.Key_Return)
    QTest.keyClick(tree, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)  # sends the page's form
    assert taken == ["one"]
    click(tree, at(tree, "one", 3))
    assert taken == ["one", "one"]
    click(tree, at(tree, "two", 3))
    assert taken == ["one", "one"], "a link without words leads nowhere"
    assert (chosen[-1], tree.row()) == ("two", "two")


def test_a_press_is_told_when_the_button_is_let_go(tree: RowsTree) -> None:
    chosen = list[str | None]()
    tree.chosen.connect(chosen.append)
    spot = tree.visualRect(at(tree, "two", 1)).center()
    QTest.mousePress(tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert (tree.row(), chosen) == ("two", [])
    QTest.mouseRelease(tree.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert set(chosen) == {"two"}


def test_what_was_unfolded_stays_so(tree: RowsTree) -> None:
    tree.expand(tree.model().index(1, 0))
    tree.show_headings((Group("Gone", ("five",)), *GROUPS))
    assert [tree.isExpanded(tree.model().index(place, 0)) for place in range(4)] == [False, True, True, False]


def test_the_columns_take_the_room_and_the_current_place_is_never_hidden(tree: RowsTree) -> None:
    tree.setCurrentIndex(at(tree, "one", 2))
    for width, hidden in ((900, False), (500, True), (700, False)):
        tree.resize(width, 300)
        shown = [tree.columnWidth(place) for place in range(4) if not tree.isColumnHidden(place)]
        assert sum(shown) == tree.viewport().width()
        assert tree.isColumnHidden(2) is hidden
        assert not tree.isColumnHidden(tree.currentIndex().column())
    assert tree.row() == "one"


def test_toggle_of_assistive_technology_chooses_a_row(tree: RowsTree, qtbot: QtBot) -> None:
    spoken = QAccessible.queryAccessibleInterface(tree)
    assert spoken is not None
    lines = [spoken.child(place) for place in range(spoken.childCount())]
    line = next(one for one in lines if "two" in one.text(QAccessible.Text.Name))
    with qtbot.waitSignal(tree.chosen) as told:
        line.actionInterface().doAction("Toggle")
    assert told.args == ["two"]
    assert tree.row() == "two"


def test_toggle_of_assistive_technology_folds_a_heading_and_unfolds_it(tree: RowsTree, qtbot: QtBot) -> None:
    def toggle(name: str) -> None:
        spoken = QAccessible.queryAccessibleInterface(tree)
        assert spoken is not None
        cells = (spoken.child(at) for at in range(spoken.childCount()))
        action = next(one for one in cells if one.text(QAccessible.Text.Name) == name).actionInterface()
        assert action is not None
        action.doAction(QAccessibleActionInterface.toggleAction())

    head = tree.model().index(0, 0)
    for unfolded in (False, True, False):
        toggle("Findings: some")
        qtbot.waitUntil(lambda unfolded=unfolded: tree.isExpanded(head) is unfolded)  # type: ignore[misc]
        assert tree.currentIndex() == head
    tree.choose(at(tree, "three"))
    assert tree.isExpanded(tree.model().index(1, 0)), "what the program chooses folds nothing"
    QTest.keyClick(tree, Qt.Key.Key_Up)
    assert tree.currentIndex() == tree.model().index(1, 0)
    QApplication.processEvents()
    assert tree.isExpanded(tree.model().index(1, 0)), "nor do the arrows"
