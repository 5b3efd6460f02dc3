"""The page of quality runs, by real events on a real sandbox: what it asks, what it shows, where its findings lead."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget

from explorer.api.exchanges import Exchange
from explorer.quality.engine.check import SourceValue, Verdict
from explorer.quality.reports.read import read_runs
from explorer.ui.app.application import Application
from explorer.ui.own_pages import RUNS
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from explorer.ui.pages.quality.quality_table import EVIDENCE
from explorer.ui.pages.quality.quality_words import Line
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import heard
from tests.gui.test_keyboard_tour import by_palette, focused, key, reach, walked

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Keys, Button = Qt.Key, Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
NULL = "conn_sandbox_messy.drive-name-null"
CLEAN = "conn_sandbox_clean"


async def opened(app: Application, *, quick: bool = False) -> QualityPage:
    """The page, from its entry in the sidebar; unless ``quick``, its runs look at whole lists."""
    await until(lambda: app.session is not None and app.window.tabs.current is not None, "the session")
    tree = app.window.sidebar.tree
    app.window.resize(1200, 800)
    index = app.window.sidebar.model.index_of(RUNS.key)
    tree.scrollTo(index)
    QTest.mouseClick(tree.viewport(), Button, pos=tree.visualRect(index).center())
    page = front(app)
    if not quick:
        page.setup.extent.whole.click()
        page.head.primary_button.setFocus()
    return page


def front(app: Application) -> QualityPage:
    page = app.window.tabs.current
    assert isinstance(page, QualityPage)
    return page


def click(button: QWidget) -> None:
    assert isinstance(button, QAbstractButton)
    assert button.isVisible(), button.text()
    assert button.isEnabled(), button.text()
    QTest.mouseClick(button, Button)


def chip(page: QualityPage, name: str) -> QAbstractButton:
    """The chip of that accessible name."""
    return next(b for b in page.setup.findChildren(QAbstractButton) if b.accessibleName() == name)


def only_drives(page: QualityPage, groups: Iterable[str] = ("Records", "Paging")) -> None:
    """A run that stays quick."""
    click(chip(page, "Lists and endpoints: Drives"))
    for group in groups:
        click(chip(page, f"Groups of checks: {group}"))


async def ran(page: QualityPage) -> None:
    """Press the primary button, wait for the end."""
    before = page.runs
    click(page.head.primary_button)
    assert page.head.primary_button.text() == "Stop"
    await until(lambda: not page.tasks.busy(RUN) and page.runs != before, "the end of the run")
    await until(lambda: not page.tasks.busy(), "the run before")


def titles(page: QualityPage) -> list[str]:
    return [section.title for section in page.shown.results.results.headings]


def test_a_finding_leads_to_its_row_its_request_and_its_command(
    run_window: RunWindow, qapp: QApplication
) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        QAbstractItemModelTester(
            page.shown.results.results, QAbstractItemModelTester.FailureReportingMode.Fatal
        )
        assert page.setup.isVisible()
        assert not page.setup.writes.isChecked()
        only_drives(page)
        await ran(page)
        assert page.shown.cards.checks.number.whole() == "1 fail"
        assert page.shown.cards.records.number.whole() == "40"
        assert titles(page) == ["Findings", "Records", "Paging"]
        assert page.head.primary_button.text() == "Run again"
        assert app.window.status.words().startswith("●  Connected")

        found = page.shown.results.index_of("records.nulls", "file-storage/drive")
        page.shown.results.scrollTo(found)
        QTest.mouseClick(
            page.shown.results.viewport(), Button, pos=page.shown.results.visualRect(found).center()
        )
        assert page.finding.isVisible()
        assert page.finding.findings.row().field == "name"
        assert page.finding.examples.row().value == "null"
        click(page.finding.copy_button)
        command = qapp.clipboard().text()
        assert command == (
            f"unified-explorer check file-storage/drive --profile Sandbox --connections {NULL} --only records.nulls"
        )
        click(page.finding.curl_button)
        assert qapp.clipboard().text().startswith("curl")
        assert "$UNIFIED_EXPLORER_APIKEY" in qapp.clipboard().text()

        example = page.finding.examples.row()
        click(page.finding.request_button)
        shown = app.window.requests.current()
        assert shown is not None
        assert (shown.id, shown.operation, shown.page) == (
            example.exchange,
            "file-storage/drive",
            example.page,
        )

        link = found.siblingAtColumn(EVIDENCE)
        page.shown.close_finding()
        QTest.mouseClick(
            page.shown.results.viewport(), Button, pos=page.shown.results.visualRect(link).center()
        )
        drives = app.window.tabs.current
        assert isinstance(drives, ListPage)
        await until(lambda: drives.table.currentIndex().row() == example.row - 1, "the row")
        assert json.loads(drives.model.raw(drives.table.currentIndex().row()))["name"] is None

    run_window(body, connection=NULL)


def test_more_rows_than_a_finding_names_are_a_click_away(run_window: RunWindow) -> None:
    """Of a break of the contract the list shows these alone, though nothing is wrong with them by now."""

    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        await ran(page)
        [run] = page.runs
        found = run.result("records.nulls", "file-storage/drive")
        assert found is not None
        assert page.shown.results.go_to("records.nulls", "file-storage/drive")
        assert not page.finding.more_button.isVisible(), "all of them are named"
        [finding] = found.findings
        [example] = finding.examples
        beside = replace(
            example, source=(SourceValue("raw_data.title", '"a"'), SourceValue("raw_data.label"))
        )
        many = replace(finding, count=40, examples=(beside,))
        page.finding.show_line(run, Line(replace(found, findings=(many,))), here=True)
        assert page.finding.beside.text() == 'null, where raw_data.title is "a", raw_data.label is absent'
        index = page.finding.examples.model().index(0, 4)
        assert index.data() == '"a", absent'
        assert page.finding.more_button.text() == "and 39 more in the list"
        click(page.finding.more_button)
        drives = app.window.tabs.current
        assert isinstance(drives, ListPage)
        await until(lambda: drives.question.question.unfit and drives.model.shows_result, "these alone")
        await until(lambda: drives.model.rowCount() == 1, "the only one that there is")

    run_window(body, connection=NULL)


def test_a_finding_says_that_its_list_was_loaded_after_the_run(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        await ran(page)
        assert page.shown.results.go_to("records.nulls", "file-storage/drive")
        assert page.finding.isVisible()
        assert "loaded after" not in page.finding.hint.whole()
        app.window.open_page("file-storage/drive")
        shown = app.window.tabs.current
        assert isinstance(shown, ListPage)
        await until(lambda: shown.model.rowCount() > 0 and not shown.tasks.busy(), "the list")
        app.window.open_page(RUNS.key)
        page.shown.split.open(page.shown.results.row())
        assert "The list was loaded after this run" in page.finding.hint.whole()

    run_window(body, connection=NULL)


def test_on_another_start_findings_lead_to_their_calls_in_the_log(run_window: RunWindow) -> None:
    kept: list[Exchange] = []

    async def monday(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        await ran(page)
        assert page.shown.results.go_to("records.nulls", "file-storage/drive")
        call = page.finding.exchange()
        assert call is not None
        kept.append(call)

    async def friday(app: Application) -> None:
        page = await opened(app)
        await until(lambda: bool(page.runs), "the saved run")
        assert app.session is not None
        assert kept[0].id not in {e.id for e in app.session.exchanges.all()}
        assert page.shown.results.go_to("records.nulls", "file-storage/drive")
        assert page.finding.exchange() == kept[0]
        click(page.finding.request_button)
        log = app.window.requests
        await until(lambda: log.table.currentIndex().row() >= 0 and not log._tasks.busy(), "the call")
        assert log.current() == kept[0]
        assert page.head.bundle.isEnabled()

    run_window(monday, connection=NULL)
    run_window(friday, connection=NULL)


def test_a_clean_run_is_kept_compared_and_saved(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        await ran(page)
        assert page.shown.cards.checks.number.whole() == "All hold"
        assert not page.tools.again.isEnabled()
        await ran(page)
        assert page.tools.runs.count() == 2
        assert page.tools.difference.whole().startswith("The same findings as on ")
        page._fill_compare()
        assert len([a for a in page.head.compare_menu.actions() if a.isEnabled()]) == 1

        page.head.save_wanted.emit("json")
        dialog = page.findChild(QFileDialog)
        assert isinstance(dialog, QFileDialog)
        dialog.close()
        for form in ("json", "html", "junit", "markdown", "sarif", "summary"):
            page.save(tmp_path / f"run.{form}", form)
            await until(lambda: not page.tasks.busy(), "the report")
        assert read_runs((tmp_path / "run.json").read_bytes())[0].results == page.runs[0].results
        assert (
            b"<svg" in (tmp_path / "run.html").read_bytes()
            or b"<table" in (tmp_path / "run.html").read_bytes()
        )

        # At the next start the newest run stands there again, without anything being asked.
        calls = len(page.session.exchanges)
        app.window.tabs.close_current()
        again = await opened(app)
        assert again is not page
        await until(lambda: again.runs, "the kept run")
        assert [r.check.id for r in again.runs[0].results] == [r.check.id for r in page.runs[0].results]
        assert again.setup.resources.chosen() == ("file-storage/drive",)
        assert len(again.session.exchanges) == calls

    run_window(body, connection=CLEAN)


def test_several_connections_stand_side_by_side_and_what_failed_runs_again(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        click(chip(page, f"Connections: {CLEAN}"))
        await ran(page)
        grid = page.shown.grid.grid
        assert page.shown.grid.isVisible()
        heads = [grid.headerData(c, Qt.Orientation.Horizontal) for c in range(grid.columnCount())]
        assert heads == ["Group", CLEAN, NULL]
        words = {
            grid.index(r, 0).data(): [grid.index(r, c).data() for c in (1, 2)] for r in range(grid.rowCount())
        }
        assert "fails" not in words["Records"][0]
        assert words["Records"][1].startswith("1 fail · ")
        page.tools.rows.setCurrentIndex(1)
        page.tools.rows.activated.emit(1)
        assert grid.index(0, 0).data() == "Null appears only where the contract allows it"
        page.shown.grid.setFocus()
        page.shown.grid.setCurrentIndex(grid.index(0, 2))
        QTest.keyClick(page.shown.grid, Keys.Key_Return)
        assert page.run_shown is not None
        assert page.run_shown.connection == NULL
        assert page.finding.isVisible()

        calls = len(page.session.exchanges)
        before = page.runs
        click(page.tools.again)
        await until(lambda: not page.tasks.busy(RUN) and page.runs != before, "the second run")
        [run] = page.runs
        assert [(r.check.id, r.verdict) for r in run.results] == [("records.nulls", Verdict.FAILS)]
        asked = page.session.exchanges.all()[calls:]
        assert {e.connection for e in asked} == {NULL}

    run_window(body, connection=NULL)


def test_another_connections_finding_is_one_click_away_and_the_run_is_there_too(
    run_window: RunWindow,
) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page)
        click(chip(page, f"Connections: {CLEAN}"))
        await ran(page)
        app.switch_connection(CLEAN)
        await until(
            lambda: app.session is not None and app.session.connection == CLEAN, "the other connection"
        )
        page = await opened(app)
        await until(lambda: len(page.runs) == 2, "the kept run")
        said = page.shown.apart
        assert said.isVisible()
        assert f"First, Drives on {NULL}: " in said.whole()
        assert said.whole().endswith(f"{CLEAN}: holds.")
        QTest.mouseClick(page.shown.apart_button, Qt.MouseButton.LeftButton)
        assert page.run_shown is not None
        assert page.run_shown.connection == NULL
        assert page.shown.results.row().result.check.id == "records.nulls"
        assert page.finding.isVisible()
        assert not said.isVisible(), "one connection is shown"
        page.shown.choose_connection(-1)
        assert said.isVisible()
        page.shown.choose_connection(1)
        assert page.shown.results.go_to("records.nulls", "file-storage/drive")
        assert page.finding.isVisible()
        assert "opening it goes to that connection" in page.finding.hint.whole()
        row = page.finding.examples.row().row
        click(page.finding.row_button)
        await until(lambda: app.session is not None and app.session.connection == NULL, "the way back")
        await until(lambda: isinstance(app.window.tabs.current, ListPage), "the list")
        there = app.window.tabs.current
        assert isinstance(there, ListPage)
        assert there.listing.key == "file-storage/drive"
        await until(lambda: there.table.currentIndex().row() == row - 1, "its row")
        page = await opened(app)
        await until(lambda: page.finding.isVisible(), "the finding")
        assert "opening it" not in page.finding.hint.whole()
        assert page.ways.going is None
        assert page.save_state()["going"] is None

    run_window(body, connection=NULL)


@pytest.mark.usefixtures("small_sandbox")
def test_stop_keeps_what_was_found_and_continue_reads_nothing_twice(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Jobs"))
        click(chip(page, "Groups of checks: Envelope"))  # a walk, and no further calls
        click(chip(page, f"Connections: {CLEAN}"))
        log = page.session.exchanges
        await until(lambda: [e for e in log.all() if e.state == "answered"], "the first page of Jobs itself")
        calls = len(log)
        click(page.head.primary_button)
        await until(lambda: (s := page.running.step) and s.progress and s.progress.pages >= 2, "two pages")
        assert "Jobs, page" in page.line.what.whole()
        await until(
            lambda: (s := page.running.step) and s.number == 2 and s.progress and s.progress.pages >= 2,
            "two pages of the second connection",
        )
        key(Keys.Key_Period, CONTROL)
        assert not page.tasks.busy(RUN)
        await until(lambda: len(page.runs) == 2 and page.tools.runs.count(), "what was found")
        before = page.runs
        assert [bool(run.stopped) for run in before] == [False, True]
        assert page.head.primary_button.text() == "Continue"
        click(page.head.primary_button)
        await until(lambda: not page.tasks.busy(RUN) and page.runs is not before, "the rest")
        assert [bool(run.stopped) for run in page.runs] == [False, False]
        assert page.runs[0].pages == page.runs[1].pages > before[1].pages >= 2
        assert page.head.primary_button.text() == "Run again"
        assert page.tools.runs.count() == 1, "it is one run, and kept as one"
        asked = [(e.connection, e.path) for e in log.all()[calls:] if e.state == "answered"]
        assert len(asked) == len(set(asked)) == sum(run.pages for run in page.runs)

    run_window(body, connection=NULL)


@pytest.mark.usefixtures("small_sandbox")
def test_a_run_that_follows_a_stop_at_once_waits_for_its_end(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Jobs"))
        click(chip(page, "Groups of checks: Envelope"))
        click(page.head.primary_button)
        await until(lambda: (s := page.running.step) and s.progress and s.progress.pages, "a page")
        page.stop()
        page.start()
        assert page.tasks.busy(RUN)
        await until(lambda: not page.tasks.busy(RUN) and page.tools.runs.count() == 2, "both ends")
        assert not page.runs[0].stopped
        assert "stopped" in page.tools.runs.itemText(1)

    run_window(body, connection=CLEAN)


@pytest.mark.usefixtures("small_sandbox")
def test_a_budget_ends_a_run_and_is_shown_as_it_is_used(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Files"))
        click(chip(page, "Groups of checks: Records"))
        page.setup.budget["records"].setFocus()
        QTest.keyClicks(page.setup.budget["records"], "250")
        assert page.setup.asked().records == 250
        click(page.head.primary_button)
        await until(
            lambda: (s := page.running.step) and s.progress and s.progress.records, "the first records"
        )
        page._tick()
        assert "of 250 records" in page.line.used.whole()
        assert page.line.bar.value() >= 40
        await until(lambda: not page.tasks.busy(RUN) and page.runs, "the end")
        assert page.runs[0].records == 250
        assert "budget of 250 records" in page.runs[0].stopped
        assert page.head.primary_button.text() == "Continue"

    run_window(body, connection=CLEAN)


def test_switching_while_it_runs_ends_it_and_keeps_what_it_had(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        old = app.session
        assert old is not None
        click(page.head.primary_button)
        await until(lambda: (s := page.running.step) and s.progress and s.progress.pages >= 2, "two pages")
        app.switch_connection(CLEAN)
        await until(lambda: app.session not in (None, old), "the other connection")
        calls = len(old.exchanges)
        page = await opened(app)
        await until(lambda: page.runs, "the run that was stopped")
        assert page.runs[0].stopped
        assert page.runs[0].connection == "conn_sandbox_large"
        assert [e for e in old.exchanges.all() if e.state == "waiting"] == []
        assert len(old.exchanges) == calls
        assert page.head.primary_button.text() == f"Run on {CLEAN}"

    run_window(body, connection="conn_sandbox_large")


def test_writes_are_offered_only_where_the_profile_lets_them_through(run_window: RunWindow) -> None:
    from explorer.profiles.profile import Guard

    async def body(app: Application) -> None:
        page = await opened(app)
        writing = chip(page, "Lists and endpoints: Contacts")
        assert writing.isHidden()
        for group in ("Writes", "Links"):
            click(chip(page, f"Groups of checks: {group}"))
        assert page.head.about.whole().startswith("All that is chosen writes: tick it below")
        assert not page.head.primary_button.isEnabled()
        click(chip(page, "Groups of checks: Paging"))
        assert page.head.primary_button.isEnabled()
        click(chip(page, "Groups of checks: Paging"))
        click(page.setup.writes)
        assert page.head.primary_button.isEnabled()
        click(chip(page, "All groups"))
        assert not writing.isHidden()
        assert page.setup.asked().writes
        assert "quality-run.example" in page.setup.writes_words.whole()
        assert "writes" not in json.dumps(page.setup.save()), "it is decided each time"
        assert app.session is not None
        from explorer.ui.pages.quality.quality_setup import Setup

        careful = Setup(app.session.profile.changed(guard=Guard.ASK))
        assert not careful.writes.isEnabled()
        assert "does not allow writes" in careful.writes_words.whole()
        careful.deleteLater()

    run_window(body, connection=CLEAN)


def test_all_of_it_by_keyboard_and_with_a_name(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None and app.window.tabs.current is not None, "the session")
        app.window.activateWindow()
        await until(lambda: QApplication.focusWidget() is not None, "the focus")
        await by_palette(app, "Runs")
        page = front(app)
        faults = walked(page, app.window, "what to check")
        silent = [f"what to check: {one}" for one in heard(app.window)]
        for name in ("Lists and endpoints: Drives", "Groups of checks: Records"):
            reach(lambda name=name: focused().accessibleName() == name, name)  # type: ignore[misc]
            key(Keys.Key_Space)
        key(Keys.Key_Return, CONTROL)
        await until(lambda: page.runs and not page.tasks.busy(), "the results")
        reach(lambda: focused() is page.shown.results, "the results")
        key(Keys.Key_Down)
        assert page.finding.isVisible()
        faults += walked(page, app.window, "results")
        silent += [f"results: {one}" for one in heard(app.window)]
        reach(lambda: focused().accessibleName() == "Close the finding", "the finding's cross")
        key(Keys.Key_Escape)
        assert not page.finding.isVisible()
        assert focused() is page.shown.results
        assert faults == [], "\n".join(faults)
        assert silent == [], "\n".join(silent)

    run_window(body, connection=NULL)


def test_the_bars_say_what_each_page_took(run_window: RunWindow, qapp: QApplication) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        only_drives(page, ("Transport",))
        await ran(page)
        bars = page.shown.cards.bars
        assert bars.accessibleDescription().endswith(("Drives, page 1", "Drives, page 2"))
        assert bars.grab().toImage().pixelColor(3, bars.height() - 2) != bars.grab().toImage().pixelColor(
            bars.width() - 2, 2
        )
        root = page.shown.results.results.index(0, 0, QModelIndex())
        at = page.shown.results.visualRect(root).center()
        QTest.mouseClick(page.shown.results.viewport(), Button, pos=QPoint(40, at.y()))

    run_window(body, connection=CLEAN)


def test_what_a_run_made_and_cannot_take_back_is_named(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(page.setup.writes)
        click(chip(page, "Groups of checks: Writes"))
        await ran(page)
        assert page.head.about.whole().startswith("7 records made that stay · ")
        page.shown.results.go_to("writes.left-behind", "core/pipeline")
        QTest.keyClick(page.shown.results, Keys.Key_Return)
        seen = page.shown.finding.seen.whole()
        assert seen.startswith("Pipeline pipe_quality_run_")
        assert seen.endswith("find it at the service by its id (it is disabled)")

    run_window(body, connection=CLEAN)
