"""Load all as the program's window does it: in a process of its own, killed in the middle, stopped, gone on with."""

import os
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.session.loading import Loading
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, until


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    """Runs a scene against a server, with everything closed in order afterwards."""
    return playing(qapp, tmp_path, in_window=True)


def loading(page: ListPage) -> Loading:
    assert page.pull is not None
    assert page.pull.loading is not None
    return page.pull.loading


def ids(page: ListPage) -> list[str]:
    return [page.model.cell(row, 1).text for row in range(page.model.rowCount())]


def test_rows_enter_while_it_loads_and_the_log_has_each_request(play: Play) -> None:
    server = ListServer(rows=2500)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.load_all()
        assert page.head.primary_button.text() == "Stop"
        await until(lambda: page.model.rowCount() > 100)
        assert loading(page).pid != os.getpid()
        await settled(page)
        assert page.count.whole() == "2,500, complete"
        assert len({*ids(page)}) == 2500
        log = at.session.exchanges.all()
        assert [e.page for e in log] == list(range(1, 26))
        assert {e.state for e in log} == {"answered"}

    play(server, scene)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_killed_it_is_said_and_continue_goes_on(play: Play) -> None:
    server = ListServer(rows=20_000)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.load_all()
        await until(lambda: page.model.rowCount() > 100)
        os.kill(loading(page).pid, signal.SIGKILL)
        await settled(page)
        assert page.model.state == "failed"
        assert page.banner.title.endswith("The loading process ended too early.")
        assert "Continue goes on" in page.banner.text
        assert page.head.primary_button.text() == "Continue"
        kept = page.model.rowCount()
        page.head.primary_button.click()
        await until(lambda: page.model.rowCount() > kept)
        page.stop()
        await settled(page)
        assert page.model.state == "ready"
        assert page.head.primary_button.text() == "Continue"
        assert len({*ids(page)}) == page.model.rowCount()
        assert page.pull is not None
        assert page.pull.rows == page.model.rowCount()

    play(server, scene)


def test_a_reload_of_a_complete_list_runs_there_and_is_stopped_and_gone_on_with(play: Play) -> None:
    server = ListServer(rows=2500)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.load_all()
        await settled(page)
        server.record = lambda i: {"id": f"new-{i}", "name": f"Job {i}"}
        page.reload()
        new = page.reloading
        await until(lambda: new.info is not None and new.info.rows > 100)
        assert new.pull is not None
        assert new.pull.loading is not None
        assert page.head.primary_button.text() == "Stop"
        page.head.primary_button.click()
        await until(lambda: not new.running, "the end of it")
        assert page.model.rowCount() == 2500
        assert ids(page)[0] == "0"
        assert page.banner.title.startswith("Reload under way: ")
        assert new.info is not None
        stopped = new.info.pages
        page.head.primary_button.click()
        await until(lambda: page.model.cell(0, 1).text == "new-0", "the new rows")
        assert ids(page) == [f"new-{i}" for i in range(2500)]
        asked = [q.get("cursor", "") for q in server.asked[25:]]
        assert len(asked) <= 26, f"one page may be asked for again, stopped after {stopped}"

    play(server, scene)
