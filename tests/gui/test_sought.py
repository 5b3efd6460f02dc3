"""A finding leads to its record: rows that are older than the run say so, a click loads those of now, and the finding
shows the record as the run received it.
"""

from __future__ import annotations

import json

import pytest
from PySide6.QtWidgets import QAbstractButton

from explorer.ui.app.application import Application
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.sought import row_of
from tests.gui.conftest import RunWindow
from tests.gui.list_server import settled
from tests.gui.stage import until
from tests.gui.test_quality_page import NULL, click, front, only_drives, opened, ran

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
DRIVES = "file-storage/drive"


async def loaded(app: Application) -> ListPage:
    """The list of drives with all its rows."""
    await until(lambda: app.session is not None, "the session")
    app.window.open_page(DRIVES)
    await until(lambda: isinstance(app.window.tabs.current, ListPage), "the list")
    drives = app.window.tabs.current
    assert isinstance(drives, ListPage)
    drives.load_all()
    await settled(drives)
    await until(lambda: drives.pull is not None and drives.pull.state == "complete", "all rows")
    return drives


def test_rows_older_than_the_run_say_so_and_a_click_loads_those_of_now(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        drives = await loaded(app)
        assert drives.banner.isHidden()
        page = await opened(app)
        only_drives(page)
        await ran(page)
        assert page.shown.results.go_to("records.nulls", DRIVES)
        assert "before this run of today" in page.finding.hint.whole()
        example = page.finding.examples.row()
        click(page.finding.row_button)
        assert app.window.tabs.current is drives
        await until(lambda: drives.table.currentIndex().row() == example.row - 1, "the row")
        field = page.finding.findings.row().field
        shown = drives.table.currentIndex()
        assert drives.model.columns[shown.column() - 1].field == field, "the column that the finding is about"
        assert drives.table.viewport().rect().intersects(drives.table.visualRect(shown)), "in sight"
        assert drives.banner.isVisible()
        assert drives.banner.title.startswith("These rows are older than the quality run of today ")
        assert "They were loaded today " in drives.banner.text
        old = drives.pull.stored_id if drives.pull is not None else 0
        [button] = [one for one in drives.banner.findChildren(QAbstractButton) if one.text()]
        assert button.text() == "Load the rows of now"
        click(button)
        await until(lambda: drives.pull is not None and drives.pull.stored_id != old, "the new pull")
        await settled(drives)
        assert drives.banner.isHidden()
        await until(lambda: drives.table.currentIndex().row() == example.row - 1, "the row again")
        app.window.open_page(RUNS.key)
        assert front(app) is page
        page.finding.examples.selectRow(0)
        page.finding.show_line(page.runs[0], page.shown.results.row(), here=True)
        assert "after this run" in page.finding.hint.whole()

    run_window(body, connection=NULL)


def test_the_finding_shows_the_record_that_the_run_received(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        await ran(page)
        assert page.shown.results.go_to("records.nulls", DRIVES)
        example = page.finding.examples.row()
        view = page.finding.record
        await until(lambda: not view.isHidden(), "the record")
        shown = json.loads(view.model.data_bytes)
        assert (shown["id"], shown["name"]) == (example.id, None)

    run_window(body, connection=NULL)


def test_a_record_is_found_by_its_id_in_whichever_row_it_stands(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        drives = await loaded(app)
        assert drives.pull is not None
        third = json.loads(drives.model.raw(2))["id"]
        assert await row_of(drives.pull, third) == 2
        assert await row_of(drives.pull, "of nobody") is None
        drives.show_place(9, None, ident=third)
        await until(lambda: drives.table.currentIndex().row() == 2, "its row")
        drives.show_place(9, None, ident="of nobody")
        await until(
            lambda: drives.hint.text() == "Record of nobody was not loaded this time", "that it is not here"
        )

    run_window(body, connection=NULL)


def test_rows_that_are_asked_for_before_the_one_to_go_to_is_found_are_no_failure(
    run_window: RunWindow,
) -> None:
    """So it is behind "and 47 more in the list": the list goes to the example, then shows all of the finding."""

    async def body(app: Application) -> None:
        drives = await loaded(app)
        ids = [json.loads(raw)["id"] for raw in drives.pull.window(2, 5)] if drives.pull is not None else []
        drives.show_place(3, None, ident=ids[0])
        drives.show_only(ids)
        await until(lambda: drives.model.shows_result and drives.model.rowCount() == 3, "these alone")
        await until(lambda: not drives.tasks.busy(), "the list at rest")
        assert app.window.strip.banners() == []

    run_window(body, connection=NULL)
