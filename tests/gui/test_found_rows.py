"""The rows that a run's findings name are marked in their list until it is pulled again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.quality.engine.check import BAD, Verdict
from explorer.ui.app.application import Application
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.quality_words import Line
from tests.gui.conftest import RunWindow
from tests.gui.list_server import settled
from tests.gui.stage import until
from tests.gui.test_quality_page import NULL, only_drives, opened, ran

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
DRIVES = "file-storage/drive"
CLEAN = "conn_sandbox_clean"
TIP, SPOKEN = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole


def is_on(app: Application, connection: str) -> bool:
    there = app.session is not None and app.session.connection == connection
    return there and app.window.tabs.current is not None


def marked(page: ListPage) -> dict[str, Any]:
    """What the tooltips of the row numbers say of findings, by the ids of the rows."""
    rows = range(page.model.rowCount())
    return {
        page.model.cell(row, 1).text: page.model.index(row, 0).data(TIP)
        for row in rows
        if page.model.found(row)
    }


def test_rows_that_a_finding_names_are_marked_until_the_next_pull(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page(DRIVES)
        await until(lambda: isinstance(app.window.tabs.current, ListPage), "the list")
        drives = app.window.tabs.current
        assert isinstance(drives, ListPage)
        drives.load_all()
        await settled(drives)
        await until(lambda: drives.pull is not None and drives.pull.state == "complete", "all rows")
        assert marked(drives) == {}

        quality = await opened(app)
        only_drives(quality)
        await ran(quality)
        findings = [f for r in quality.runs[0].results if r.verdict in BAD for f in r.findings]
        named = {example.id for finding in findings for example in finding.examples if example.id}
        assert named
        assert set(marked(drives)) == named
        assert any("name" in tip and "null" in tip for tip in marked(drives).values())
        chip = drives.tools.found
        assert chip.text().startswith(f"{len(named)} named by the run of today ")
        assert "fit the contract" not in drives.tools.fit.whole() or drives.tools.fit.whole()[0] == "t"
        app.window.open_page(DRIVES)
        await until(chip.isVisible, "the chip")
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        await until(lambda: drives.model.rowCount() == len(named), "these alone")
        assert chip.isChecked()
        QTest.keyClick(chip, Qt.Key.Key_Backspace)
        await until(lambda: drives.model.rowCount() > len(named), "all rows")
        assert not chip.isChecked()
        row = next(row for row in range(drives.model.rowCount()) if drives.model.found(row))
        assert drives.model.index(row, 0).data(SPOKEN).startswith(f"row {row + 1}, ")

        drives.reload()
        await until(lambda: drives.reloading.pull is None and not drives.tasks.busy("pull"), "the new pull")
        await settled(drives)
        assert drives.model.rowCount() > 0
        assert marked(drives) == {}, "they may be other rows now"
        assert not chip.text()

    run_window(body, connection=NULL)


def test_the_rows_are_marked_again_once_the_connection_is_opened_again(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page(DRIVES)
        drives = app.window.tabs.current
        assert isinstance(drives, ListPage)
        drives.load_all()
        await settled(drives)
        quality = await opened(app)
        only_drives(quality)
        await ran(quality)
        app.window.open_page(DRIVES)
        named = marked(drives)
        assert named
        # A later run that broke off before it got to the list says nothing of its rows.
        [run] = quality.runs
        none = tuple(replace(one, verdict=Verdict.SKIPPED, findings=()) for one in run.results)
        quality.context.found.tell(replace(run, results=none, started_at=datetime.now(UTC)))
        assert marked(drives) == named
        for connection in (CLEAN, NULL):
            app.window.connection_wanted.emit(connection)
            await until(partial(is_on, app, connection), connection)
        app.window.open_page(DRIVES)
        again = app.window.tabs.current
        assert isinstance(again, ListPage)
        assert again is not drives
        await until(lambda: marked(again) == named, "the marks")
        assert again.tools.found.text().startswith(f"{len(named)} named by the run of today ")

    run_window(body, connection=NULL)


def test_all_records_that_a_finding_knows_are_marked_and_its_link_shows_these_alone(
    run_window: RunWindow,
) -> None:
    async def body(app: Application) -> None:
        quality = await opened(app)
        only_drives(quality)
        await ran(quality)
        [run] = quality.runs
        result = run.result("records.nulls", DRIVES)
        assert result is not None
        [finding] = result.findings
        assert finding.ids == tuple(one.id for one in finding.examples)
        app.window.open_page(DRIVES)
        await until(lambda: isinstance(app.window.tabs.current, ListPage), "the list")
        drives = app.window.tabs.current
        assert isinstance(drives, ListPage)
        drives.load_all()
        await settled(drives)
        await until(lambda: drives.pull is not None and drives.pull.state == "complete", "all rows")
        ids = tuple(page_id(drives, row) for row in range(0, 14, 2))
        many = replace(result, affected=9, findings=(replace(finding, count=9, ids=ids),))
        app.window.open_page(RUNS.key)
        later = datetime.now(UTC)
        quality.context.found.tell(replace(run, results=(many,), started_at=later))
        assert set(marked(drives)) == {*ids, *finding.ids}
        quality.finding.show_line(run, Line(many), here=True)
        assert "marks the 7 records of them" in quality.finding.hint.whole()
        quality.finding.more_wanted.emit(quality.finding.all_places())
        await until(lambda: drives.model.shows_result and drives.model.rowCount() == 7, "these alone")
        assert [chip.change.text() for chip in drives.tools.chips.chips] == ["id is one of 7"]
        drives.show_place(2)
        await until(lambda: drives.table.currentIndex().row() == 1, "another row")
        assert drives.tools.chips.chips == [], "of another question"

    run_window(body, connection=NULL)


def page_id(page: ListPage, row: int) -> str:
    return page.model.cell(row, 1).text
