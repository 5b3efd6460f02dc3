"""The main job, start to end, in the real window on the real sandbox: open, scroll, look, close, come back."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.api.exchanges import Exchange
from explorer.ui.app.application import Application
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.conftest import RunWindow, dressed, folders, run_window
from tests.gui.stage import until

__all__ = ["dressed", "folders", "run_window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def jobs(app: Application) -> ListPage:
    """The page that stands in front after a start, with rows."""
    await until(lambda: isinstance(app.window.tabs.current, ListPage), "the page")
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    assert page.resource.key == "ats/job"
    await until(lambda: page.model.rowCount() > 0, "the first rows")
    return page


async def scrolled(page: ListPage, rows: int) -> None:
    """Page Down until more than ``rows`` rows are there."""

    def further() -> bool:
        QTest.keyClick(page.table, Qt.Key.Key_PageDown)
        return page.model.rowCount() > rows

    await until(further, f"rows beyond {rows}")
    await until(lambda: not page.tasks.busy("pull"), "the end of the page")


def test_open_scroll_look_close_and_come_back(run_window: RunWindow) -> None:
    together: list[int] = []
    left: list[tuple[int, str | None]] = []

    async def first(app: Application) -> None:
        page = await jobs(app)
        assert app.session is not None
        exchanges = app.session.exchanges

        def heard(_: Exchange) -> None:
            together.append(sum(1 for each in exchanges.all() if each.state == "waiting"))

        exchanges.subscribe(heard)
        page.table.setFocus()
        for pages in (1, 2, 3):
            rows = page.model.rowCount()
            assert (rows, len(exchanges.all())) == (100 * pages, pages), (
                "a page is asked for when it is scrolled to"
            )
            await scrolled(page, rows)
        requests = app.window.requests
        requests.model.flush()
        assert requests.model.rowCount() == len(exchanges.all()) == 4
        assert [each.page for each in exchanges.all()] == [1, 2, 3, 4]
        for row in (3, 250):
            page.table.setCurrentIndex(page.model.index(row, 1))
            await until(lambda: app.window.inspector.view is not None, "the inspector")
            view = app.window.inspector.view
            assert view is not None
            assert page.pull is not None
            assert (view.row, view.raw) == (row, page.pull.window(row, row + 1)[0])
            assert json.loads(view.raw)["id"] == page.model.index(row, 1).data()
            assert view.page is not None
            assert view.page.number == row // 100 + 1
        assert page.pull is not None
        left.append((page.pull.rows, page.pull.next_cursor))

    async def again(app: Application) -> None:
        page = await jobs(app)
        assert app.session is not None
        assert page.pull is not None
        assert (page.pull.rows, page.pull.next_cursor) == left[0]
        assert list(app.session.exchanges.all()) == [], "what is kept is shown without a request"
        await scrolled(page, 400)
        [asked] = app.session.exchanges.all()
        assert asked.page == 5
        ids = [json.loads(row)["id"] for row in page.pull.window(0, 500)]
        assert len(set(ids)) == 500

    assert run_window(first) == 0
    assert max(together) == 1, "one page in flight"
    assert run_window(again) == 0
