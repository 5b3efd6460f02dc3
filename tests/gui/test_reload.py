"""Reload of a complete list: its rows stay in front until the new pull is complete, and can be looked at afterwards."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer import words
from explorer.paths import Folders
from explorer.store.store import Store
from explorer.store.values import PullKey
from explorer.ui.app.application import Application
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.list_pulls import NONE
from explorer.ui.pages.snapshots.snapshots_page import SnapshotsPage
from tests.gui.conftest import RunWindow
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns, until, wheel
from tests.gui.test_exporting import held
from tests.mirror.quality.kept_rows import keep


@pytest.fixture
def play(qapp: QApplication, tmp_path: Path) -> Play:
    return playing(qapp, tmp_path)


async def whole(at: Stage) -> ListPage:
    """The page of a complete list."""
    page = at.open()
    await settled(page)
    page.load_all()
    await settled(page)
    assert page.model.state == "complete"
    return page


def renew(server: ListServer) -> None:
    """The service has other records from now on."""
    server.record = lambda i: {"id": f"new-{i}", "name": f"Job {i}"}


def first(page: ListPage) -> str:
    return str(page.model.index(0, 1).data())


def acts(page: ListPage) -> list[str]:
    return [button.text() for button in page.banner.buttons()] if page.banner.isVisible() else []


def test_the_rows_stay_until_the_new_pull_is_complete(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        renew(server)
        third = server.held["200"] = threading.Event()
        page.reload()
        await until(lambda: len(server.asked) == 6, "the third page being asked for")
        await turns()
        assert (page.model.rowCount(), first(page)) == (300, "0")
        await until(lambda: page.count.whole() == "300 kept  ·  reloading: 200 so far", page.count.whole())
        assert page.head.primary_button.text() == "Stop"
        page.head.primary_button.click()
        await until(page.banner.isVisible, "a word about it")
        assert (page.model.rowCount(), first(page)) == (300, "0")
        assert page.banner.title == "Reload under way: 200 rows of 2 pages so far"
        assert acts(page) == ["Continue", "Drop it"]
        third.set()
        page.banner.buttons()[0].click()
        await until(lambda: first(page) == "new-0", "the new rows")
        await settled(page)
        assert page.count.whole() == "300, complete"
        assert not page.banner.isVisible()
        assert [q.get("cursor", "") for q in server.asked[3:]].count("") == 1, "no page is asked for twice"

    play(server, scene)


async def reloaded(at: Stage, server: ListServer) -> ListPage:
    """A complete list that was reloaded: new records in front, and a previous pull."""
    page = await whole(at)
    renew(server)
    page.reload()
    await until(lambda: first(page) == "new-0", "the new rows")
    await settled(page)
    return page


def test_the_previous_pull_is_looked_at_and_nothing_is_asked(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        counts: list[int] = []
        page = await reloaded(at, server)
        asked = len(server.asked)
        page.rows_changed.connect(lambda _, rows: counts.append(rows))
        server.rows = 250
        button = page.tools.previous_button
        assert button.isVisible()
        assert button.text().startswith("Previous pull, ")
        look, compare = button.menu().actions()
        assert (look.text(), compare.text()) == ("Look at its 300 rows", "Compare with the newest")
        look.trigger()
        await turns()
        assert first(page) == "0"
        assert page.banner.title == button.text().rstrip("…")
        assert acts(page) == ["Back to the newest", "Compare with the newest"]
        assert not page.head.primary_button.isEnabled()
        assert not button.isVisible()
        page.load_all()
        wheel(page.table, times=80)
        page.tools.finder.field.setText("Job 29")
        await until(lambda: page.model.rowCount() == 11, "what was looked for in the previous pull")
        page.tools.finder.field.setText("")
        await until(lambda: page.model.rowCount() == 300, "all rows again")
        page.banner.buttons()[0].click()
        await turns()
        assert first(page) == "new-0"
        assert not page.banner.isVisible()
        assert len(server.asked) == asked
        assert counts == [300] * len(counts), "the sidebar counts the newest"
        look.trigger()
        page.reload()
        await until(lambda: page.model.rowCount() == 250, "a reload goes back to the newest first")
        await settled(page)
        look.trigger()
        await until(lambda: first(page) == "new-0", "the pull before the last one")
        assert page.model.rowCount() == 300
        assert [info.rows for info in at.session._store.pulls()] == [300, 300, 250], "all three are kept"

    play(server, scene)


def test_other_parameters_hide_no_pull_and_lead_back_to_it(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        counts: list[int] = []
        page = await whole(at)
        assert page.head.since.isHidden(), "there is one pull"
        page.rows_changed.connect(lambda _, rows: counts.append(rows))
        server.rows = 7
        page.head.set_asked({"sync_mode": "incremental"}, [])
        page.reload()
        await until(lambda: page.model.rowCount() == 7, "what changed")
        await settled(page)
        assert set(counts) <= {300}, "the sidebar's count stays that of the whole list"
        assert page.head.since.text().startswith("Pulled without parameters: 300 rows, complete, today")
        asked = len(server.asked)
        page.head.since.click()
        await until(lambda: page.model.rowCount() == 300, "the whole list")
        assert page.head.asked() == ({}, ())
        said = "Pulled with other parameters: sync_mode incremental, 7 rows, complete, today"
        assert page.head.since.text().startswith(said), "and back"
        assert len(server.asked) == asked

    play(server, scene)


def test_a_page_that_fails_leaves_the_rows_and_can_be_asked_for_again(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        renew(server)
        server.fail = {"": (400, b'{"message":"No."}')}
        page.reload()
        await until(page.banner.isVisible, "a word about it")
        assert page.banner.title.startswith("Reload: page 1 failed: 400")
        assert page.banner.text.startswith("The pull of ")
        assert (page.model.state, first(page)) == ("complete", "0")
        assert acts(page) == ["Show response", "Try page 1 again", "Drop it"]
        server.fail = {"200": (400, b'{"message":"No."}')}
        page.banner.buttons()[1].click()
        await until(lambda: page.banner.title.startswith("Reload: page 3 failed: 400"), "page 3")
        await until(page.banner.isVisible, "a word about it")
        assert "with 300 rows is still shown" in page.banner.text
        assert first(page) == "0"
        server.fail = {}
        await settled(page)
        assert page.head.primary_button.text() == "Continue"
        page.head.primary_button.click()
        await until(lambda: first(page) == "new-0", "the new rows")
        assert [q.get("cursor", "") for q in server.asked[3:]] == ["", "", "100", "200", "200"]

    play(server, scene)


def test_one_that_is_dropped_leaves_nothing_behind(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        server.fail = {"200": (400, b'{"message":"No."}')}
        page.reload()
        await until(page.banner.isVisible, "a word about it")
        page.banner.buttons()[2].click()
        await until(lambda: not page.banner.isVisible(), "the end of it")
        assert page.head.primary_button.text() == "Load all"
        assert not page.head.primary_button.isEnabled()
        assert [info.rows for info in at.session._store.pulls()] == [300]
        await page.shutdown()
        again = at.open()
        await settled(again)
        await turns()
        assert not again.banner.isVisible()

    play(server, scene)


def test_one_that_is_not_shown_to_be_complete_stays_behind_until_the_user_says_so(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        renew(server)
        server.loop_at = 200
        page.reload()
        await until(page.banner.isVisible, "a word about it")
        assert page.banner.kind == "caution"
        assert page.banner.text.endswith("the new pull with 200 rows is not complete.")
        assert acts(page) == ["Show the new one", "Go on anyway", "Drop it"]
        assert (page.count.whole(), first(page)) == ("300, complete", "0")
        page.banner.buttons()[0].click()
        await until(lambda: first(page) == "new-0", "the new rows")
        assert page.model.state == "stopped"
        assert page.tools.previous_button.isVisible()
        await page.shutdown()
        again = at.open()
        await settled(again)
        assert first(again) == "new-0", "it stays so"
        server.loop_at = 0
        again.reload()
        await until(lambda: again.model.state == "complete", "the end of a reload of it")
        assert again.count.whole() == "300, complete"

    play(server, scene)


def test_a_reload_that_was_stopped_is_there_again_when_the_list_is_opened(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        renew(server)
        third = server.held["200"] = threading.Event()
        page.reload()
        await until(lambda: len(server.asked) == 6, "the third page being asked for")
        await page.shutdown()
        third.set()
        again = at.open()
        await until(again.banner.isVisible, "a word about it")
        assert again.banner.title == "Reload under way: 200 rows of 2 pages so far"
        assert (first(again), again.count.whole()) == ("0", "300, complete")
        assert at.session.kept() == {"ats/job": 300}
        again.load_all()
        await until(lambda: first(again) == "new-0", "the new rows")

    play(server, scene)


def test_another_window_s_reload_is_seen_when_the_list_is_looked_at_again(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        renew(server)
        other = at.session.pull(page.listing, {}, which="newest")
        await other.restart()
        page.activated()
        assert page.banner.title == "Reload under way: 100 rows of 1 page so far"
        assert first(page) == "0"
        await other.load_all()
        assert first(page) == "0"
        page.activated()
        assert first(page) == "new-0"
        assert not page.banner.isVisible()
        other.close()

    play(server, scene)


def test_a_second_reload_takes_the_place_of_the_one_under_way(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        third = server.held["200"] = threading.Event()
        page.reload()
        await until(lambda: len(server.asked) == 6, "the third page being asked for")
        renew(server)
        page.reload()
        third.set()
        await until(lambda: first(page) == "new-0", "the new rows")
        await settled(page)
        assert page.model.raw(299).startswith(b'{"id": "new-299"')
        assert [info.rows for info in at.session._store.pulls()] == [300, 300]

    play(server, scene)


def test_an_export_of_the_rows_in_front_is_waited_for(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ListServer(rows=300)
    out = tmp_path / "jobs.jsonl"

    async def scene(at: Stage) -> None:
        page = await whole(at)
        renew(server)
        with held(monkeypatch) as gate:
            page.menu.export(out, "jsonl")
            await until(lambda: page.count.text().startswith("Exporting 200"))
            page.reload()
            await until(lambda: page.reloading.complete, "the new pull")
            await turns()
            assert page.tasks.busy("export")
            gate.set()
            await until(lambda: first(page) == "new-0", "the new rows")
        assert at.notices[-1].title == "Exported 300 rows"

    play(server, scene)
    assert [json.loads(line)["id"] for line in out.read_bytes().splitlines()] == [str(i) for i in range(300)]


def test_a_filter_and_the_row_stay_over_a_reload(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        server.record = lambda i: {"id": f"{i}", "name": f"Job {i}", "confidential": None}
        page.table.setCurrentIndex(page.model.index(250, 1))
        page.reload()
        await until(lambda: page.model.index(0, 3).data() == "null", "the new rows")
        await until(lambda: page.table.currentIndex().row() == 250, "the row again")
        page.tools.finder.field.setText("Job 29")
        await until(lambda: page.model.rowCount() == 11, "what was looked for")
        server.record = lambda i: {"id": f"newer-{i}", "name": f"Job {i}"}
        page.reload()
        await until(lambda: page.model.shows_result and first(page) == "newer-29", "the same in the new rows")
        await until(lambda: page.count.whole() == "11 match, of 300 loaded", "how many there are")

    play(server, scene)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_two_clicks_lead_from_the_list_to_what_changed(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page("file-storage/drive")
        page = app.window.tabs.current
        assert isinstance(page, ListPage)
        await settled(page)
        page.load_all()
        await until(lambda: page.model.state == "complete", "all drives")
        app.window.commands.run("rows.compare")
        assert page.hint.whole() == NONE
        rows = page.model.rowCount()
        page.reload()
        await until(page.tools.previous_button.isVisible, "the previous pull")
        page.tools.previous_button.menu().actions()[1].trigger()
        snapshots = app.window.tabs.current
        assert isinstance(snapshots, SnapshotsPage)
        await until(lambda: snapshots.differences.made is not None, "the comparison")
        one, other = snapshots.choice.chosen
        assert one is not None
        assert other is not None
        assert (one.key, other.key) == (
            one.key.replace("pull:", "previous:"),
            one.key.replace("previous:", "pull:"),
        )
        made = snapshots.differences.made
        assert made is not None
        assert (made.counts.different, [side.rows for side in made.sides]) == (False, [rows, rows])

    run_window(body)


def test_two_clicks_lead_from_the_start_to_what_changed_since_yesterday(
    run_window: RunWindow, folders: Folders
) -> None:
    key = PullKey("conn_sandbox_clean", "sandbox", "file-storage/drive", '{"query": [], "extra": []}')
    store = Store.of_profile(folders, "sandbox")
    records = [{"id": str(n), "name": f"Drive {n}"} for n in range(40)]
    keep(store, records, of=key)
    keep(
        store,
        [one | {"name": "Other"} if one["id"] in ("1", "2", "3") else one for one in records[:-2]],
        of=key,
    )
    when = words.day_and_time(store.pulls()[0].updated_at)
    store.close()

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page("file-storage/drive")  # the first click
        page = app.window.tabs.current
        assert isinstance(page, ListPage)
        said = page.head.since
        await until(said.isVisible, "the sentence")
        assert said.text() == f"2 gone, 3 changed since {when} →"
        assert said.accessibleName() == f"2 gone, 3 changed since {when}: compare"
        assert app.session is not None
        asked = {one.operation for one in app.session.exchanges.all()}
        assert asked <= {"ats/job"}, "of the service the tab of the start alone asked"
        QTest.mouseClick(said, Qt.MouseButton.LeftButton)
        snapshots = app.window.tabs.current
        assert isinstance(snapshots, SnapshotsPage)
        await until(lambda: snapshots.differences.made is not None, "the comparison")
        made = snapshots.differences.made
        assert made is not None
        assert (made.counts.added, made.counts.gone, made.counts.changed) == (0, 2, 3)
        await until(snapshots.differences.explained.isVisible, "the sentences above the lines")
        app.window.open_page("file-storage/drive")
        page.pulls.look_at_previous()
        assert said.isHidden(), "an earlier pull says nothing of itself"
        page.pulls.look_at_newest()
        await until(said.isVisible, "it again, with the newest")

    run_window(body)


def test_a_page_that_closes_ends_the_comparison(
    run_window: RunWindow, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = PullKey("conn_sandbox_clean", "sandbox", "file-storage/drive", '{"query": [], "extra": []}')
    store = Store.of_profile(folders, "sandbox")
    for _ in range(2):
        keep(store, [{"id": "1"}], of=key)
    store.close()
    asked, ended = threading.Event(), threading.Event()

    def endless(*given: Any) -> None:
        asked.set()
        while given[4]():
            pass
        ended.set()

    monkeypatch.setattr("explorer.quality.compare.since.since", endless)

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page("file-storage/drive")
        await until(asked.is_set, "the comparison")
        app.window.tabs.close_current()
        await until(ended.is_set, "its end")

    run_window(body)


def choose(page: ListPage, ident: str) -> None:
    """Click the row of a record."""
    rows = range(page.model.rowCount())
    row = next(row for row in rows if page.model.index(row, 1).data() == ident)
    index = page.model.index(row, 2)
    page.table.scrollTo(index)
    at = page.table.visualRect(index).center()
    QTest.mouseClick(page.table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen(page) == ident


def chosen(page: ListPage) -> str:
    """The id in the row that is selected and current; empty for none."""
    at = page.table.currentIndex()
    assert page.table.selected_count() == (1 if at.isValid() else 0)
    return str(page.model.index(at.row(), 1).data()) if at.isValid() else ""


def shift(server: ListServer, *, gone: int = -1) -> None:
    """From now on the list begins with a record that is new; the record with the id ``gone`` is another."""
    server.record = lambda i: {"id": "new" if i in (0, gone + 1) else f"{i - 1}", "name": f"Job {i:04}"}


def test_after_a_reload_the_selection_is_on_the_record_and_not_on_the_row(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        inspected: list[object] = []
        page.record_chosen.connect(inspected.append)
        choose(page, "5")
        shift(server)
        page.reload()
        await until(lambda: first(page) == "new" and chosen(page) == "5", "the record in its new row")
        assert page.table.currentIndex().row() == 6
        page.asking.sort(("name", True))
        await until(lambda: page.model.shows_result, "the order")
        choose(page, "298")
        shift(server, gone=298)
        page.reload()
        await until(lambda: page.hint.whole() == "Record 298 is no longer in this list", page.hint.whole())
        assert (chosen(page), inspected[-1]) == ("", None)
        choose(page, "297")
        assert page.hint.whole() == ""

    play(server, scene)


def test_after_a_restart_of_a_part_the_selection_is_on_the_record(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        inspected: list[object] = []
        page.record_chosen.connect(inspected.append)
        choose(page, "5")
        shift(server)
        page.reload()
        await until(lambda: first(page) == "new" and chosen(page) == "5", "the record in its new row")
        choose(page, "98")
        server.record = lambda i: {"id": f"other-{i}", "name": f"Job {i}"}
        page.reload()
        said = "Record 98 is not among the 100 rows loaded so far"
        await until(lambda: page.hint.whole() == said, page.hint.whole())
        assert (chosen(page), inspected[-1]) == ("", None)

    play(server, scene)


def test_at_the_next_start_the_selection_is_on_the_record(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        choose(page, "5")
        kept = [json.loads(json.dumps(page.save_state()))]
        choose(page, "9")
        kept.append(json.loads(json.dumps(page.save_state())))
        shift(server, gone=9)
        page.reload()
        await until(lambda: first(page) == "new", "the new rows")
        await settled(page)

        async def left(state: dict[str, Any]) -> ListPage:
            again = ListPage(page.resource, at.context)
            at.pages.append(again)
            again.restore_state(state)
            assert again.save_state() == state, "also before it was ever shown"
            again.resize(1000, 500)
            again.show()
            await settled(again)
            await until(lambda: bool(again.hint.whole() or chosen(again)), "where it stands")
            return again

        assert chosen(await left(kept[0])) == "5"
        gone = await left(kept[1])
        assert (chosen(gone), gone.hint.whole()) == ("", "Record 9 is no longer in this list")
        gone.table.clearFocus()
        gone.table.setFocus()
        assert chosen(gone) == "", "nobody chose a row by that"
        QTest.keyClick(gone.table, Qt.Key.Key_Down)
        assert chosen(gone) == "new", "Down begins at the first"

    play(server, scene)
