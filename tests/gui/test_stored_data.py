"""Stored data in the real window: what is kept, clearing what a tab shows, and the budget that lets the oldest go."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.paths import Folders
from explorer.quality.compare.snapshots import Snapshots
from explorer.session.stored import stored
from explorer.ui.app import entries, stored_room
from explorer.ui.app.application import Application
from explorer.ui.app.stored_data import LogSpace, StoredData
from explorer.ui.app.stored_room import BUDGET, room_of
from explorer.ui.kit.notices import Notice
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.list_state import CLEARED
from tests.gui.conftest import RunWindow, until

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def listed(app: Application, key: str) -> ListPage:
    """The page of a list, with its first rows."""
    await until(lambda: app.session is not None, "the session")
    app.window.open_page(key)
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    await until(lambda: page.model.rowCount() > 0 and page.model.state != "loading", f"rows of {key}")
    return page


async def dialog_of(app: Application) -> StoredData:
    found, _ = entries.elsewhere(app.window)
    next(one for one in found if one.text == "Stored data…").run()
    dialog = app.window.findChild(StoredData)
    assert isinstance(dialog, StoredData)
    await until(lambda: dialog.table.row() is not None, "what is kept")
    return dialog


def kept(folder: Path) -> dict[str, int]:
    """Rows by list of the sandbox's profile."""
    found = next((one for one in stored(folder) if one.id == "sandbox"), None)
    return {each.info.key.resource: each.info.rows for each in found.pulls} if found else {}


def test_a_list_that_is_shown_is_cleared_after_a_question(run_window: RunWindow, folders: Folders) -> None:
    async def body(app: Application) -> None:
        page = await listed(app, "ats/job")
        await listed(app, "file-storage/drive")
        app.window.open_page("ats/job")
        page.load_all()
        dialog = await dialog_of(app)
        titles = [line.info and stored_room.title_of(line.info) for line in dialog.table.model().rows]  # type: ignore[attr-defined]
        assert titles[0] is None, "the profile as a whole comes first"
        assert set(titles[1:]) == {"Jobs", "Drives"}
        assert dialog.clear_button.text() == "Clear this profile…"
        QTest.keyClick(dialog.table, Qt.Key.Key_Down)
        if titles[1] != "Jobs":
            QTest.keyClick(dialog.table, Qt.Key.Key_Down)
        assert dialog.clear_button.text() == "Clear this list…"
        dialog.ask()
        assert dialog.question.title == "Clear Jobs of Sandbox?"
        assert "rows" in dialog.question.text
        focus = QApplication.focusWidget()
        assert focus is dialog.question.buttons()[0], "the safe answer has the keys"
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert dialog.isVisible()
        assert not dialog.question.isVisible()
        assert kept(folders.data)["ats/job"] > 0
        dialog.ask()
        dialog.question.buttons()[1].click()
        await until(lambda: "ats/job" not in kept(folders.data), "the end of what was kept")
        await until(lambda: page.model.rowCount() == 0, "the empty table")
        assert app.session is not None
        asked = len(app.session.exchanges.all())
        assert page.table.empty.whole() == CLEARED
        assert not page.tasks.busy("pull")
        await until(lambda: len(dialog.table.model().rows) == 2, "the list anew")  # type: ignore[attr-defined]
        dialog.close()
        assert kept(folders.data)["file-storage/drive"] > 0
        assert len(app.session.exchanges.all()) == asked, "clearing asks nothing of the service"
        page.reload()
        await until(lambda: page.model.rowCount() > 0, "the rows again")

    run_window(body)


def test_a_list_that_is_cleared_leaves_its_snapshot_and_that_says_where_it_is_deleted(
    run_window: RunWindow, folders: Folders
) -> None:
    async def body(app: Application) -> None:
        await listed(app, "file-storage/drive")
        [info] = [each.info for one in stored(folders.data) for each in one.pulls]
        Snapshots.of_profile(folders, "sandbox").keep("Morning", info)
        dialog = await dialog_of(app)
        QTest.keyClick(dialog.table, Qt.Key.Key_Down)
        dialog.ask()
        assert dialog.question.text.endswith("Its rows stay on the disk for the snapshot Morning.")
        dialog.question.buttons()[1].click()
        await until(lambda: "snapshot Morning" in dialog.foot.whole(), "the list anew")
        assert not dialog.clear_button.isEnabled()
        assert dialog.foot.whole() == "The snapshot Morning is deleted on the page Snapshots."
        dialog.close()

    run_window(body)


def test_the_oldest_goes_beyond_the_budget_and_what_is_open_stays(
    run_window: RunWindow, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stored_room, "LEAST", 1)

    async def body(app: Application) -> None:
        told: list[Notice] = []
        app.notices.posted.connect(told.append)
        await listed(app, "file-storage/drive")
        await listed(app, "file-storage/file")
        await listed(app, "ats/job")
        app.window.tabs.close_at(
            next(i for i in range(9) if app.window.tabs.bar.tabData(i) == "file-storage/drive")
        )
        await until(lambda: app.window.tabs.page("file-storage/drive") is None, "the end of a tab")
        assert room_of(app.window).budget == 2_000_000_000
        room_of(app.window).grant(1)
        assert app.layout.get(BUDGET) == 1
        await until(lambda: "file-storage/drive" not in kept(folders.data), "the end of the oldest")
        await until(lambda: bool(told), "a word about it")
        assert set(kept(folders.data)) == {"ats/job", "file-storage/file"}
        [notice] = told
        assert notice.kind == "info"
        assert "Drives (" in notice.text
        room_of(app.window).look()
        await until(lambda: not app.window.tasks.busy("look at the room"), "another look")
        assert len(told) == 1
        assert set(kept(folders.data)) == {"ats/job", "file-storage/file"}

    run_window(body)


def test_a_damaged_file_is_set_aside_and_said(run_window: RunWindow, folders: Folders) -> None:
    folders.data.mkdir(parents=True)
    (folders.data / "sandbox.sqlite3").write_bytes(b"no database at all" * 100)

    async def body(app: Application) -> None:
        told: list[Notice] = []
        app.notices.posted.connect(told.append)
        await listed(app, "file-storage/drive")
        await until(lambda: bool(told), "a word about it")
        assert told[0].title.startswith("The store sandbox.sqlite3 is damaged. It was kept unchanged as ")
        dialog = await dialog_of(app)
        assert dialog.foot.whole().startswith("1.8 kB of it set aside: sandbox.damaged-")
        dialog.ask()
        assert "what was set aside" in dialog.question.text
        dialog.question.buttons()[1].click()
        await until(lambda: not list(folders.data.glob("*.damaged-*")), "the end of what was set aside")
        dialog.close()

    run_window(body)


def test_the_request_log_says_what_it_takes_and_keeps_what_it_may(
    run_window: RunWindow, folders: Folders
) -> None:
    async def body(app: Application) -> None:
        await listed(app, "ats/job")
        assert app.session is not None
        archive = app.session.archive
        assert archive is not None
        dialog = await dialog_of(app)
        space = dialog.findChild(LogSpace)
        assert isinstance(space, LogSpace)
        await until(space.budget.isEnabled, "what the log takes")
        assert space.budget.value() == 200
        calls = (await archive.usage()).calls
        assert calls >= 1
        assert space.said.whole().startswith(f"Sandbox: {calls} call")
        space.budget.setFocus()
        space.budget.selectAll()
        QTest.keyClicks(space.budget, "50")
        QTest.keyClick(space.budget, Qt.Key.Key_Return)
        await until(lambda: not space._tasks.busy(), "the new limit")
        assert (await archive.usage()).budget == 50_000_000
        assert space.budget.value() == 50
        dialog.close()

    run_window(body)
