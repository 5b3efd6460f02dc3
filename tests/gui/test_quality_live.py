"""A quality run that is seen: how far each list is, what it tries, its findings as they come; Stop keeps them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.quality.engine.check import Run
from explorer.quality.engine.progress import State
from explorer.quality.reports.read import read_runs
from explorer.ui.app.application import Application
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from explorer.ui.pages.quality.quality_table import EVIDENCE
from tests.gui.conftest import RunWindow, until
from tests.gui.spoken import heard
from tests.gui.test_keyboard_tour import key
from tests.gui.test_quality_page import chip, click, opened, titles

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
Keys = Qt.Key
CONTROL = Qt.KeyboardModifier.ControlModifier
MESSY, LARGE, REVOKED = "conn_sandbox_messy", "conn_sandbox_large", "conn_sandbox_revoked"
CLEAN = "conn_sandbox_clean"
SPOKEN = Qt.ItemDataRole.AccessibleTextRole


async def ended(page: QualityPage) -> None:
    await until(lambda: not page.tasks.busy(RUN) and page.runs, "the end of the run")


@pytest.mark.usefixtures("small_sandbox")
def test_lists_and_findings_are_seen_while_the_run_goes_on(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Files"))
        click(chip(page, "Lists and endpoints: Drives"))
        click(chip(page, "Groups of checks: Records"))
        seen: list[tuple[bool, list[str], str, bool]] = []

        def look(_: tuple[Run, ...]) -> None:
            saved = page.head.save.isEnabled() or page.shown.cards.isVisible()
            seen.append((page.tasks.busy(RUN), titles(page), page.shown.so_far.whole(), saved))

        page.running.found.connect(look)
        click(page.head.primary_button)
        await until(lambda: page.parts.parts.rows, "the lists")
        assert page.parts.isVisible()
        assert heard(page) == []
        assert [part.title for part in page.parts.parts.rows if "/" in part.key] == ["Files", "Drives"]
        first = page.parts.parts.index(0, 0).data(SPOKEN)
        assert first.startswith("Files, ")
        assert first.endswith(("calls", "left"))
        await ended(page)
        assert seen, "something was shown before the end"
        busy, sections, words, saved = seen[0]
        assert busy
        assert sections[0] == "Findings so far"
        assert "Hold so far" in sections
        assert words.endswith(" so far")
        assert not saved, "a report of a part is not saved as that of a run"
        assert page.parts.isHidden()
        assert page.shown.so_far.isHidden()
        assert titles(page)[0] == "Findings"
        assert {part.state for part in page.parts.parts.rows if "/" in part.key} <= set(State)

    run_window(body, connection=MESSY)


def test_findings_are_saved_while_the_run_goes_on(run_window: RunWindow) -> None:
    """So that nothing is lost when the program is killed; at its end there is one saved run, the whole one."""

    async def body(app: Application) -> None:
        page = await opened(app)
        click(page.head.primary_button)
        await until(lambda: page.tasks.busy(RUN) and page.kept.all(), "something saved")
        (kept,) = page.kept.all()
        (run,) = read_runs(await page.kept.read(kept))
        assert run.stopped.startswith("Broken off, or still under way, at ")
        assert run.head.little, "it is not taken for a whole run"
        assert any(result.findings for result in run.results)
        assert kept.calls[0], "its evidence is found in the log of requests"
        assert "stopped" in kept.about["words"]
        assert not page.runs[0].stopped, "on the page it goes on"
        key(Keys.Key_Period, CONTROL)
        await until(lambda: page.runs and page.runs[0].stopped, "the end")
        assert page.runs[0].stopped.startswith("Stopped at ")
        (last,) = page.kept.all()
        assert last.name != kept.name
        assert [path.name for path in page.kept.folder.glob("*.json")] == [last.name]

    run_window(body, connection=MESSY)


def test_stop_keeps_the_findings_and_says_after_how_many_calls(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(page.head.primary_button)
        await until(lambda: page.tasks.busy(RUN) and page.runs, "something found")
        assert page.shown.results.isVisible()
        key(Keys.Key_Period, CONTROL)
        await until(lambda: page.runs and page.runs[0].stopped, "the end")
        assert page.runs[0].stopped.startswith("Stopped at ")
        assert page.runs[0].stopped.endswith((" calls", " call"))
        assert page.head.save.isEnabled()
        assert page.head.primary_button.text() == "Continue"
        stopped = page.runs
        click(page.head.again)
        assert page.head.again.isHidden()
        await until(lambda: page.tasks.busy(RUN) and page.runs and page.runs != stopped, "it begins anew")
        page.stop()
        await until(lambda: not page.tasks.busy(RUN), "the end")

    run_window(body, connection=LARGE)


@pytest.mark.usefixtures("small_sandbox")
def test_a_quick_run_is_the_first_choice_and_whole_lists_go_on_from_it(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app, quick=True)
        assert page.setup.extent.is_quick
        click(chip(page, "Lists and endpoints: Jobs"))
        click(chip(page, "Groups of checks: Envelope"))  # a walk, and no further calls
        log = page.session.exchanges
        await until(lambda: [e for e in log.all() if e.state == "answered"], "the first page of Jobs itself")
        calls = len(log)
        click(page.head.primary_button)
        await ended(page)
        [quick] = page.runs
        assert (quick.quick, quick.pages, quick.stopped) == (True, 3, "")
        assert page.shown.cards.checks.number.whole() == "Nothing found"
        assert page.tools.runs.currentText().endswith("quick")
        assert page.head.primary_button.text() == "Run again"
        click(page.setup.extent.whole)
        assert page.head.primary_button.text() == "Go on"
        assert page.head.again.isVisible()
        click(page.head.primary_button)
        await until(lambda: not page.tasks.busy(RUN) and not page.runs[0].quick, "the rest of the list")
        [whole] = page.runs
        assert whole.pages > 3
        assert page.shown.cards.checks.number.whole() == "All hold"
        assert page.tools.runs.count() == 1, "it is one run, and kept as one"
        asked = [e.path for e in log.all()[calls:] if e.state == "answered"]
        assert len(asked) == len(set(asked)) == whole.pages, "nothing is read twice"

    run_window(body, connection=CLEAN)


@pytest.mark.usefixtures("small_sandbox")
def test_whole_lists_chosen_while_it_runs_take_effect_at_once(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app, quick=True)
        click(chip(page, "Lists and endpoints: Jobs"))
        click(chip(page, "Groups of checks: Envelope"))
        click(page.head.primary_button)
        await until(lambda: (s := page.running.step) and s.progress and s.progress.pages, "a page")
        click(page.setup.extent.whole)
        await ended(page)
        assert not page.runs[0].quick
        assert page.runs[0].pages > 3

    run_window(body, connection=CLEAN)


def test_proof_takes_whole_lists(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app, quick=True)
        page.setup.prove.click()
        assert "choose Whole lists" in page.head.about.whole()
        assert not page.head.primary_button.isEnabled()
        click(page.setup.extent.whole)
        assert page.head.primary_button.isEnabled()

    run_window(body, connection=CLEAN)


def test_a_list_that_failed_can_be_tried_again(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Drives"))
        click(chip(page, "Groups of checks: Envelope"))
        click(page.head.primary_button)
        await ended(page)
        assert page.parts.isVisible(), "what failed stays in sight"
        [part] = page.parts.parts.rows
        assert part.state is State.FAILED
        calls = len(page.session.exchanges)
        at = page.parts.visualRect(page.parts.parts.index(0, page.parts.parts.columnCount() - 1)).center()
        QTest.mouseClick(page.parts.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert page.tasks.busy(RUN)
        await until(lambda: not page.tasks.busy(RUN), "the second attempt")
        assert len(page.session.exchanges) > calls
        assert page.tools.runs.count() == 1, "it is the same run"

    run_window(body, connection=REVOKED)


def test_what_skipped_checks_need_is_one_line_that_leads_to_the_field(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app, quick=True)
        click(chip(page, "Lists and endpoints: Drives"))
        click(chip(page, "Lists and endpoints: Accounts"))
        for group in ("Envelope", "Completeness", "Batch read"):
            click(chip(page, f"Groups of checks: {group}"))
        click(page.head.primary_button)
        await ended(page)
        table = page.shown.results
        fold = table.results.headings[-1]
        assert fold.title.endswith("skipped, need something")
        place = table.results.index(len(table.results.headings) - 1, 0)
        assert not table.isExpanded(place)
        table.setCurrentIndex(place)
        QTest.keyClick(table, Keys.Key_Return)
        assert table.isExpanded(place)
        ids = table.results.first(lambda line: line.need == "--ids").siblingAtColumn(EVIDENCE)
        table.scrollTo(ids)
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(ids).center())
        assert page.setup.isVisible()
        assert app.window.focusWidget() is page.setup.told["ids"]
        click(page.head.setup)
        whole = table.results.first(lambda line: line.need == "--no-quick")
        table.choose(whole)
        QTest.keyClick(table, Keys.Key_Return)
        assert not page.setup.extent.is_quick
        assert page.head.primary_button.text() == "Go on"
        assert app.window.focusWidget() is page.head.primary_button

    run_window(body, connection=CLEAN)


def test_saving_shows_how_far_it_is_and_can_be_stopped(run_window: RunWindow, tmp_path: Path) -> None:
    async def body(app: Application) -> None:
        told: list[str] = []
        page = await opened(app)
        app.notices.posted.connect(lambda notice: told.append(notice.title))
        click(chip(page, "Lists and endpoints: Drives"))
        click(chip(page, "Groups of checks: Envelope"))
        click(page.head.primary_button)
        await ended(page)
        await until(lambda: not page.tasks.busy(), "the run before")
        assert page.saving.isHidden()
        for name, save in (
            ("stopped.zip", lambda path: page.save_bundle(path, [])),
            ("stopped.html", lambda path: page.save(path, "html")),
        ):
            save(tmp_path / name)
            assert page.saving.isVisible()
            click(page.saving.stop)
            await until(lambda: not page.tasks.busy(), "its end")
            assert not (tmp_path / name).exists()
            assert page.saving.isHidden()
        assert told[-2:] == ["Saving the bundle was stopped", "Saving the report was stopped"]
        page.save_bundle(tmp_path / "whole.zip", [])
        await until((tmp_path / "whole.zip").exists, "the bundle")
        await until(lambda: not page.tasks.busy(), "its end")
        assert page.saving.what.whole() == "Writing the file", "each step was shown, to the last"
        assert page.saving.bar.value() == 100

    run_window(body, connection=CLEAN)


def test_calls_that_are_meant_to_be_refused_trouble_nobody(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        page = await opened(app)
        click(chip(page, "Lists and endpoints: Drives"))
        click(chip(page, "Groups of checks: Credentials"))
        said: set[str] = set()
        page.session.exchanges.subscribe(lambda _: said.add(app.window.status.words()))
        click(page.head.primary_button)
        await ended(page)
        assert not [words for words in said if re.match(r"●\s+4\d\d ", words)], (
            "the status bar calls no refusal a failure"
        )
        refused = [one for one in page.session.exchanges.all() if one.status == 401]
        assert refused
        badges = {app.window.requests.model.columns[0].tone_of(one) for one in refused}
        assert badges == {"plain"}

    run_window(body, connection=CLEAN)
