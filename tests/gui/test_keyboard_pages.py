"""Interface, two lists side by side, the ledger of fields and a run with its finding: each by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.ui.app.application import Application
from explorer.ui.pages.quality.quality_page import RUN, QualityPage
from explorer.ui.pages.snapshots.snapshots_page import FIELDS_TAB, SIDES_TAB, SnapshotsPage
from tests.gui.conftest import RunWindow, until
from tests.gui.test_interface_page import document, imported, written
from tests.gui.test_keyboard_tour import (
    CONTROL,
    SHIFT,
    Keys,
    awake,
    by_palette,
    focused,
    front,
    key,
    on,
    reach,
)
from tests.gui.test_side_by_side import drives, reloaded
from tests.gui.test_snapshots_page import quiet

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.mark.parametrize("size", [(1440, 900), (900, 560)])
def test_a_document_is_gone_through_corrected_and_saved(
    run_window: RunWindow, tmp_path: Path, size: tuple[int, int]
) -> None:
    async def walk(app: Application) -> None:
        app.window.resize(*size)
        page = await imported(app, written(tmp_path, document("http://127.0.0.1:9")))
        await awake(app)
        assert focused() is page.tree
        first = page.chosen
        for _ in range(8):
            key(Keys.Key_Down)
            if page.chosen not in ("", first):
                break
        assert page.chosen != first
        key(Keys.Key_F8)
        assert page.settings.isAncestorOf(focused())
        name = focused().accessibleName()
        assert name.endswith("guessed")
        left = page.draft.guessed_words if page.draft is not None else ""
        key(Keys.Key_Tab)
        assert on(f"Keep: {name.split(',')[0]}"), "the next stop is what can be done with it"
        key(Keys.Key_Space)
        assert page.draft is not None
        assert page.draft.guessed_words != left
        reach(lambda: focused() is page.included, "whether a list is one")
        key(Keys.Key_Space)
        assert not page.draft.includes(page.chosen)
        if page.which.isVisible():
            reach(lambda: focused() is page.which, "the tabs")
            places = [page.which.currentIndex()]
            key(Keys.Key_Right)
            assert page.which.currentIndex() not in places
        reach(lambda: focused() is page.save, "Save pack")
        key(Keys.Key_Space)
        await until(lambda: page.draft is not None and page.draft.name, "the pack")

    async def body(app: Application) -> None:
        try:
            await walk(app)
        finally:
            app.window.end()  # which does not ask about a pack that is not saved

    run_window(body)


def test_two_states_and_the_ledger_of_their_fields(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await drives(app)
        reloaded(app)
        await awake(app)
        key(Keys.Key_B, CONTROL | SHIFT)
        page = front(app)
        assert isinstance(page, SnapshotsPage)
        await until(lambda: page.sides.pairs is not None, "both states")
        await quiet(page)
        assert page.tabs.currentIndex() == SIDES_TAB
        left, right = page.sides.tables
        reach(lambda: focused() is left, "the rows")
        at = left.currentIndex().row()
        key(Keys.Key_F8)
        assert left.currentIndex().row() == right.currentIndex().row() > at
        reach(lambda: focused() in page.sides.switches, "what is shown of them")
        key(Keys.Key_Right)
        key(Keys.Key_Right)
        assert page.sides.switches[2].isChecked()
        await until(lambda: page.sides.pairs is not None and len(page.sides.pairs.lines) == 1, "the one line")
        reach(lambda: focused() is page.tabs, "the tabs", most=120)
        key(Keys.Key_Right)
        assert page.tabs.currentIndex() == FIELDS_TAB
        await until(lambda: page.fields.model.rows, "the fields")
        reach(lambda: focused() is page.fields.table, "the ledger")
        key(Keys.Key_Down)
        key(Keys.Key_Down)
        assert page.fields.table.currentIndex().row() > 0

    run_window(body)


@pytest.mark.usefixtures("small_sandbox")
def test_a_run_is_started_and_its_finding_opened_and_left(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.window.tabs.current is not None, "the page")
        await awake(app)
        await by_palette(app, "Runs")
        page = front(app)
        assert isinstance(page, QualityPage)
        key(Keys.Key_Return, CONTROL)
        await until(lambda: page.tasks.busy(RUN), "the run")
        await until(lambda: not page.tasks.busy(RUN) and page.runs, "its end")
        await awake(app)
        reach(lambda: focused() is page.shown.results, "the results", most=120)
        for _ in range(4):
            key(Keys.Key_Down)
            if page.finding.isVisible():
                break
        assert page.finding.isVisible()
        reach(lambda: page.finding.isAncestorOf(focused()), "a way on from it")
        key(Keys.Key_Escape)
        assert not page.finding.isVisible()

    run_window(body, connection="conn_sandbox_messy")
