"""*Why is it empty?* over real HTTP and a real store: from a column's head, for chosen rows, and its links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from explorer.session import Filter, Query
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.why_empty import WhyEmpty, kinds, sample_words, source_words
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, until
from tests.gui.test_find_filter_sort import answered, ids

ROWS = 240
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # said of menus


def record(number: int) -> dict[str, Any]:
    """A job whose name is its title in raw data: null in some rows, absent or empty in a few, another one in one."""
    title = f"Engineer of department {number * 7}"
    made: dict[str, Any] = {
        "id": str(number),
        "name": title,
        "raw_data": {"job": {"title": title}, "n": number},
    }
    if number % 10 == 3:
        made["name"] = None
    if number == 5:
        made["name"] = "Another one altogether"
    if number == 6:
        del made["name"]
    if number == 8:
        made["name"], made["raw_data"]["job"]["title"] = "", None
    return made


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    return playing(qapp, tmp_path)


async def opened(at: Stage) -> ListPage:
    page = at.open(size=(1100, 700))
    await settled(page)
    page.load_all()
    await settled(page)
    page.activateWindow()
    return page


def column(page: ListPage, field: str) -> int:
    return [c.field for c in page.model.columns].index(field) + 1


def pressed(page: ListPage, begins: str) -> None:
    """Trigger the entry of the open menu that begins so, and close the menu."""
    menu = next(menu for menu in page.table.findChildren(QMenu) if menu.isVisible())
    entry = next(a for a in menu.actions() if a.text().startswith(begins))
    entry.trigger()
    menu.close()


async def looked(page: ListPage) -> WhyEmpty:
    popups = page.window().findChildren(WhyEmpty)
    await until(lambda: popups[-1].reason is not None, "the answer")
    return popups[-1]


def link(popup: WhyEmpty, name: Callable[[str], bool]) -> QPushButton:
    return next(b for b in popup.findChildren(QPushButton) if name(b.accessibleName()))


def test_alt_down_and_a_click_say_how_a_column_is_empty_and_what_raw_data_has(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setFocus()
        page.table.setCurrentIndex(page.model.index(3, column(page, "name")))
        QTest.keyClick(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        pressed(page, "Why is it empty?")
        popup = await looked(page)
        reason = popup.reason
        assert reason is not None
        assert source_words(reason) == "Filled by raw_data.job.title; it has a value in 239 rows."
        assert [(said, places.count) for said, places in kinds(reason)] == [
            ("raw_data has a value and name has none", 25),
            ("Both have a value, and they differ", 1),
            ("Neither has a value", 1),
        ]
        assert sample_words(reason) == "All 240 rows looked at"
        texts = [button.text() for button in popup.findChildren(QPushButton)]
        assert {"Null 24", "Absent 1", "Empty 1"} <= set(texts)
        assert "Null 24" not in popup.accessibleDescription()  # a link says its own name
        assert "they differ 1" in popup.accessibleDescription()

    play(ListServer(rows=ROWS, record=record), scene)


def test_a_row_that_is_named_is_gone_to_and_the_frame_closes(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.asking.explain("name")
        popup = await looked(page)
        QTest.mouseClick(link(popup, lambda name: name == "Go to row 6"), Qt.MouseButton.LeftButton)
        await until(lambda: not any(p.isVisible() for p in page.window().findChildren(WhyEmpty)))
        assert page.table.currentIndex().row() == 5
        assert page.table.hasFocus()

    play(ListServer(rows=ROWS, record=record), scene)


def test_its_counts_filter(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.asking.explain("name")
        popup = await looked(page)
        QTest.mouseClick(
            link(popup, lambda name: name.startswith("Absent: 1 row")), Qt.MouseButton.LeftButton
        )
        await answered(page)
        assert page.tools.chips.filters() == (Filter("name", "is absent"),)
        assert ids(page) == ["6"]

    play(ListServer(rows=ROWS, record=record), scene)


def test_chosen_rows_are_looked_at_alone(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setFocus()
        page.table.setCurrentIndex(page.model.index(3, column(page, "name")))
        for _ in range(5):
            QTest.keyClick(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
        place = page.table.viewport().mapToGlobal(QPoint(5, 5))
        event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), place)
        QApplication.sendEvent(page.table.viewport(), event)
        pressed(page, "Why is it empty in these 6 rows?")
        popup = await looked(page)
        assert popup.reason is not None
        assert (popup.reason.rows, popup.reason.summary) == (6, None)
        assert sample_words(popup.reason) == "All 6 rows looked at"

    play(ListServer(rows=ROWS, record=record), scene)


def test_a_sample_is_said_to_be_one(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.ui.pages.list.query_controls.SAMPLE", 100)

    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.asking.explain("name")
        popup = await looked(page)
        assert popup.reason is not None
        assert sample_words(popup.reason) == "A sample: 100 of 240 rows"
        assert popup.reason.summary is not None
        assert popup.reason.summary.nulls == 24, "what is counted by kind is of all rows"

    play(ListServer(rows=ROWS, record=record), scene)


@pytest.mark.parametrize(
    ("row", "given", "found"),
    [
        (0, Filter("name", "equals", "Engineer of department 0"), 1),
        (3, Filter("name", "is null"), 24),
        (6, Filter("name", "is absent"), 1),
        (8, Filter("name", "is empty"), 1),
    ],
)
def test_the_rows_with_the_same_value_are_filtered(play: Play, row: int, given: Filter, found: int) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setFocus()
        page.table.setCurrentIndex(page.model.index(row, column(page, "name")))
        QTest.keyClick(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        pressed(page, "Filter by this value")
        await answered(page)
        assert page.tools.chips.filters() == (given,)
        assert page.model.rowCount() == found

    play(ListServer(rows=ROWS, record=record), scene)


def test_columns_without_a_value_are_hidden_and_said(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        assert "departments" in page.columns.shown()
        page.asking.hide_empty()
        await until(lambda: page.hint.whole())
        assert page.columns.shown() == ["id", "name"]
        assert page.hint.whole().endswith("hidden, empty in 240 rows loaded")
        page.asking.hide_empty()
        await until(lambda: page.hint.whole().startswith("No column"))
        page.question.ask(Query(filters=(Filter("name", "is null"),)))
        await answered(page)
        assert page.hint.whole() == "", "it was about other rows"

    play(ListServer(rows=ROWS, record=record), scene)
