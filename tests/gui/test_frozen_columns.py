"""The row's number and the first column stay in sight while a list is scrolled sideways."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.ui.pages.list.list_page import ListPage
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns, wheel


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    return playing(qapp, tmp_path)


async def opened(at: Stage, width: int = 620) -> ListPage:
    page = at.open(size=(width, 400))
    await settled(page)
    page.activateWindow()
    page.table.setFocus()
    await turns()
    return page


async def scrolled(page: ListPage) -> None:
    """Scroll to the last column, as a drag of the scroll bar does."""
    bar = page.table.horizontalScrollBar()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    await turns()


def test_they_are_there_only_while_the_table_is_scrolled_sideways(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        frozen = page.table.frozen
        assert (frozen.isVisible(), frozen.model()) == (False, None), "rows that come cost nothing"
        await scrolled(page)
        assert frozen.isVisible()
        shown = [n for n in range(page.model.columnCount()) if not frozen.isColumnHidden(n)]
        assert [page.model.headerData(n, Qt.Orientation.Horizontal) for n in shown] == ["", "id"]
        assert frozen.geometry().left() == page.table.viewport().geometry().left()
        assert frozen.width() == page.table.columnWidth(0) + page.table.columnWidth(1) + 1
        page.table.horizontalScrollBar().setValue(0)
        assert (frozen.isVisible(), frozen.model()) == (False, None)

    play(ListServer(rows=300), scene)


def test_rows_stay_beside_their_numbers(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        await scrolled(page)
        wheel(page.table, times=3)
        await turns()
        assert page.table.verticalScrollBar().value() > 0
        assert page.table.rowAt(0) == page.table.frozen.rowAt(0)
        wheel(page.table.frozen, times=2)
        await turns()
        assert page.table.rowAt(0) == page.table.frozen.rowAt(0) > 0

    play(ListServer(rows=300), scene)


def test_a_click_on_an_id_chooses_its_row_and_leaves_the_columns_where_they_are(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        await scrolled(page)
        frozen, bar = page.table.frozen, page.table.horizontalScrollBar()
        before = bar.value()
        at_id = frozen.visualRect(page.model.index(4, 1)).center()
        QTest.mouseClick(frozen.viewport(), Qt.MouseButton.LeftButton, pos=at_id)
        assert (page.table.currentIndex().row(), page.table.ranges()) == (4, [(4, 5)])
        assert bar.value() == before
        assert page.table.hasFocus()
        wanted: list[QPoint] = []
        page.table.menu_wanted.disconnect()
        page.table.menu_wanted.connect(wanted.append)
        there = frozen.visualRect(page.model.index(6, 1)).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, there, frozen.viewport().mapToGlobal(there))
        QApplication.sendEvent(frozen.viewport(), event)
        assert len(wanted) == 1
        assert (page.table.currentIndex().row(), page.table.currentIndex().column()) == (6, 1)

    play(ListServer(rows=300), scene)


def test_a_click_on_its_head_sorts(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        await scrolled(page)
        head = page.table.frozen.horizontalHeader()
        x = head.sectionViewportPosition(1) + 10
        QTest.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
        assert page.question.question.sort == (("id", False),)

    play(ListServer(rows=300), scene)


def test_the_keyboard_brings_a_cell_out_from_under_them(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setCurrentIndex(page.model.index(2, page.model.columnCount() - 2))
        await scrolled(page)
        for _ in range(page.model.columnCount()):
            QTest.keyClick(page.table, Qt.Key.Key_Left)
            now, frozen = page.table.currentIndex(), page.table.frozen
            if frozen.isVisible() and now.column() not in frozen.columns:
                assert page.table.visualRect(now).left() >= frozen.width()

    play(ListServer(rows=300), scene)


def test_where_they_would_take_half_of_the_table_they_are_left_out(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setColumnWidth(1, 400)
        await scrolled(page)
        assert not page.table.frozen.isVisible()

    play(ListServer(rows=300), scene)
