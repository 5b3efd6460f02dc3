"""The summary of a column in the window, over real HTTP and a real store: its figures, filters of them, calling off."""

import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.session import Filter
from explorer.session import query_result as session_view
from explorer.store.reader import Reader, Unwanted
from explorer.store.summary import Summary, summarise
from explorer.ui.pages.list.column_summary import LOOK, ColumnSummary, Histogram, ValueRow
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.list_server import ListServer, Stage, run, settled, stage, until

Play = Callable[[Callable[[Stage], Awaitable[None]]], None]


def record(number: int) -> dict[str, Any]:
    """A job: one of three names, none or null now and then, and one, two or no departments."""
    made: dict[str, Any] = {
        "id": str(number),
        "name": ("Ada", "Grace", "Ada", "Mei")[number % 4],
        "departments": [{"name": "Design"}, {"name": "Sales"}][: number % 3],
        "modified_at": f"2026-01-{number % 28 + 1:02d}T00:00:00Z",
    }
    if number % 10 == 9:
        made["name"] = None
    if number % 20 == 5:
        del made["name"]
    return made


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    """Runs a scene on a page with 200 rows, with everything closed in order afterwards."""

    def played(scene: Callable[[Stage], Awaitable[None]]) -> None:
        async def whole(base_url: str) -> None:
            made = await stage(base_url, tmp_path)
            try:
                await scene(made)
            finally:
                await made.close()

        with ListServer(rows=200, record=record).running() as base_url:
            run(qapp, whole(base_url))

    return played


async def opened(at: Stage) -> ListPage:
    page = at.open(size=(1000, 700))
    await settled(page)
    page.load_all()
    await settled(page)
    page.activateWindow()
    return page


def head_menu(page: ListPage, field: str) -> QMenu:
    """The menu of a column's head, by the right mouse button."""
    head = page.table.horizontalHeader()
    number = next(i for i, c in enumerate(page.model.columns, start=1) if c.field == field)
    at = QPoint(head.sectionViewportPosition(number) + 8, 8)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, head.viewport().mapToGlobal(at))
    QApplication.sendEvent(head.viewport(), event)
    return next(m for m in page.table.findChildren(QMenu) if m.accessibleName() == f"Column {field}")


async def summary_of(page: ListPage, field: str) -> ColumnSummary:
    page.asking.summarise(field)
    popup = page.window().findChildren(ColumnSummary)[-1]
    await until(lambda: popup.found is not None, "the summary")
    return popup


def test_figures_agree_and_a_value_makes_a_filter(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        popup = await summary_of(page, "name")
        names = [record(n).get("name", "absent") for n in range(200)]
        assert popup.found is not None
        found = popup.found
        assert (found.rows, found.nulls, found.absents) == (200, names.count(None), names.count("absent"))
        assert found.present == 200 - names.count(None) - names.count("absent")
        rows = popup.findChildren(ValueRow)
        assert [r.value.text for r in rows] == ["Ada", "Mei", "Grace"]
        assert [r.value.rows for r in rows] == [names.count(n) for n in ("Ada", "Mei", "Grace")]
        assert "Null 20" in popup.accessibleDescription()
        popup.copy_button.click()
        text = QGuiApplication.clipboard().text()
        assert text.startswith("name of Jobs: 200 rows loaded\nWith a value: 170\nDistinct: 3\n")
        assert f"  {names.count('Ada')} (" in text
        QTest.mouseClick(rows[0], Qt.MouseButton.LeftButton)
        await until(lambda: page.question.view is not None and page.question.view.state == "complete")
        assert [c.given for c in page.tools.chips.chips] == [Filter("name", "equals", "Ada")]
        assert page.model.rowCount() == names.count("Ada")
        again = await summary_of(page, "departments")
        assert again.found is not None
        assert again.found.rows == names.count("Ada"), "the rows as filtered"
        assert again.state.whole() == f"array  ·  {names.count('Ada')} match, of 200 loaded"
        assert {v.text for v in again.found.top} == {"Design", "Design +1"}
        again.close()
        await until(page.table.hasFocus, "the keys back in the table")

    play(scene)


def test_it_is_used_by_the_keyboard(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.table.setFocus()
        page.table.setCurrentIndex(page.model.index(3, 2))
        commands = {c.id: (c, r) for c, r in page.commands()}
        assert commands["rows.summary"][0].shortcut
        commands["rows.summary"][1]()
        popup = page.window().findChildren(ColumnSummary)[-1]
        await until(lambda: popup.found is not None, "the summary")
        assert popup.close_button.hasFocus()
        for _ in range(20):
            focus = QApplication.focusWidget()
            if isinstance(focus, ValueRow):
                break
            assert focus is not None
            QTest.keyClick(focus, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
        assert isinstance(focus, ValueRow)
        QTest.keyClick(focus, Qt.Key.Key_Return)
        await until(lambda: bool(page.tools.chips.chips), "the filter")
        popup = await summary_of(page, "modified_at")
        chart = popup.findChild(Histogram)
        assert isinstance(chart, Histogram)
        chart.setFocus()
        QTest.keyClick(chart, Qt.Key.Key_End)
        assert chart.current == len(popup.found.spread) - 1 if popup.found else False
        assert chart.words(0).startswith("2026-01-01 to 2026-01-02: ")
        QTest.keyClick(chart, Qt.Key.Key_Escape)
        await until(lambda: not page.window().findChildren(ColumnSummary), "the end of the summary")
        await until(page.table.hasFocus, "the keys back in the table")

    play(scene)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_head_of_a_column_has_a_menu(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        menu = head_menu(page, "departments")
        said = {a.text(): a for a in menu.actions()}
        assert "first item" in said["Sort ascending"].toolTip()
        said["Sort descending"].trigger()
        assert page.question.question.sort == (("departments", True),)
        assert page.tools.hint.whole() == "Sorted by their first item’s name"
        said["Summary of this column"].trigger()
        popup = page.window().findChildren(ColumnSummary)[-1]
        await until(lambda: popup.found is not None, "the summary")
        popup.close()
        said["Hide this column"].trigger()
        assert "departments" in page.columns.hidden()
        menu.close()

    play(scene)


def test_missing_values_are_one_press_away(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await opened(at)
        popup = await summary_of(page, "name")
        button = next(b for b in popup.findChildren(type(popup.copy_button)) if b.text() == "Absent 10")
        button.click()
        await until(lambda: page.model.rowCount() == 10, "the rows without a name")
        assert page.tools.chips.filters() == (Filter("name", "is absent"),)

    play(scene)


def test_closing_calls_it_off(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    started, ended = threading.Event(), threading.Event()

    def endless(reader: Reader, column: tuple[str, str], within: Any = None) -> Summary:
        """Goes on looking as long as it is wanted."""
        try:
            while True:
                started.set()
                summarise(reader, column, within)
        except Unwanted:
            ended.set()
            raise

    monkeypatch.setattr(session_view, "summarise", endless)

    async def scene(at: Stage) -> None:
        page = await opened(at)
        page.asking.summarise("name")
        popup = page.window().findChildren(ColumnSummary)[-1]
        await until(started.is_set, "the look")
        assert popup.found is None
        assert not ended.is_set()
        QTest.keyClick(popup.close_button, Qt.Key.Key_Escape)
        assert not page.tasks.busy(LOOK)
        await until(ended.is_set, "the end of the look")

    play(scene)
