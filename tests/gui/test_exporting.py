"""Rows to a file from a list's page: which rows, where to, Stop, and nothing lost or half without a word."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.session import Filter
from explorer.store.find import Finder
from explorer.ui.app.application import Application
from explorer.ui.kit.ask_file import FileAsk, first_folder
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.row_query import ASK
from explorer.ui.records import row_output
from tests.gui.conftest import RunWindow
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns, until
from tests.gui.test_find_filter_sort import answered


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    """Runs a scene against a server, its store beside the folder ``out``."""
    (tmp_path / "out").mkdir()
    return playing(qapp, tmp_path / "home")


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[asyncio.Event]:
    """Exports and copies wait after their first piece for the event."""
    gate, each = asyncio.Event(), row_output._each

    async def waiting(pieces: row_output.Pieces) -> AsyncIterator[list[bytes]]:
        async for piece in each(pieces):
            yield piece
            await gate.wait()

    with monkeypatch.context() as patch:
        patch.setattr(row_output, "_each", waiting)
        yield gate


async def whole(at: Stage) -> ListPage:
    page = at.open()
    await settled(page)
    page.load_all()
    await settled(page)
    page.activateWindow()
    return page


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def written(path: Path) -> list[str]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_rows_go_out_as_shown_or_all_of_them_as_received(play: Play, tmp_path: Path) -> None:
    out = tmp_path / "out" / "jobs.jsonl"

    async def scene(at: Stage) -> None:
        page = await whole(at)
        page.tools.chips.add(Filter("confidential", "equals", True))
        page.asking.sort(("id", True))
        await answered(page)
        menu = page.export_button.menu()
        menu.aboutToShow.emit()
        assert "150 rows as shown as CSV…" in texts(menu)
        inner = next(a for a in menu.actions() if a.text() == "All 300 rows loaded, as received").menu()
        assert isinstance(inner, QMenu)
        assert texts(inner) == ["JSON Lines…", "JSON…", "CSV…", "Parquet…"]
        page.menu.export(out, "jsonl")
        await until(lambda: not page.tasks.busy("export"))
        assert len(written(out)) == 150
        page.menu.export(out, "jsonl", "all")
        await until(lambda: not page.tasks.busy("export"))
        assert written(out) == [str(n) for n in range(300)]
        page.tools.finder.field.setText("nothing of the kind")
        await answered(page)
        assert (page.model.rowCount(), page.export_button.isEnabled()) == (0, True)
        menu.aboutToShow.emit()
        assert texts(menu)[0] == "All 300 rows loaded, as received"

    play(ListServer(rows=300), scene)


def test_stop_stands_beside_the_count_and_says_what_became_of_the_file(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out" / "jobs.jsonl"
    out.write_text("before")

    async def scene(at: Stage) -> None:
        page = await whole(at)
        link = page.tools.stop_button
        assert link.isHidden()
        with held(monkeypatch):
            page.menu.export(out, "jsonl")
            await until(link.isVisible, "the link")
            assert link.text() == "Stop export"
            assert page.count.text().startswith("Exporting 200 of 1,000 rows")
            link.setFocus()
            QTest.mouseClick(link, Qt.MouseButton.LeftButton)
            assert not page.tasks.busy("export")
        assert page.hint.text() == "The export was stopped; nothing was written"
        assert link.isHidden()
        assert not page.head.isAncestorOf(QApplication.focusWidget() or page.head), (
            "no parameter gets the keys"
        )
        assert page.count.text() == "1,000, complete"
        await until(lambda: list(out.parent.iterdir()) == [out], "nothing left behind")

    play(ListServer(rows=1000), scene)
    assert out.read_text() == "before"


def test_what_is_said_beside_the_find_field_is_not_cut(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(size=(1400, 500))
        await settled(page)
        for said in ("Copied 1 row", "The export was stopped; nothing was written"):
            page.hint.setText(said)
            await until(lambda: page.hint.width() >= page.hint.sizeHint().width(), f"room for {said}")

    play(ListServer(rows=100), scene)


def test_a_list_that_is_asked_anew_ends_what_still_reads_its_rows(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is not complete: a complete one is kept beside the new one (test_reload)."""
    out = tmp_path / "out" / "jobs.jsonl"

    async def some(page: ListPage) -> None:
        await settled(page)
        pull = page.pull
        assert pull is not None
        page.pulls.run(lambda: pull.load_all(most=8))
        await settled(page)
        assert (pull.state, pull.rows) == ("ready", 900)

    async def scene(at: Stage) -> None:
        page = at.open()
        await some(page)
        with held(monkeypatch) as gate:
            page.menu.export(out, "jsonl")
            await until(lambda: page.count.text().startswith("Exporting 200"))
            page.reload()
            assert not page.tasks.busy("export")
            assert page.hint.text().startswith("The export was stopped: the list shows other rows now.")
            await some(page)
            page.menu.export(out, "jsonl")
            await until(lambda: page.count.text().startswith("Exporting 200"))
            # As another window on the same list would: no word comes of it.
            assert page.pull is not None
            page.tasks.start("elsewhere", page.pull.restart())
            await until(lambda: not page.tasks.busy("elsewhere"))
            gate.set()
            await until(lambda: not page.tasks.busy("export"))
        told = at.notices[-1]
        assert told.title == "The rows were not exported"
        assert told.text.startswith("The list was reloaded or cleared meanwhile.")

    play(ListServer(rows=1000), scene)
    assert list(out.parent.iterdir()) == [], "no file of old and new rows"


def test_a_file_that_cannot_be_written_says_why(play: Play, tmp_path: Path) -> None:
    mine = tmp_path / "out" / "mine.parquet"
    mine.mkdir()
    (mine / "letter.txt").touch()

    async def scene(at: Stage) -> None:
        page = await whole(at)
        for target, why in ((mine, "holds other files"), (tmp_path / "gone" / "x", "No such file")):
            page.menu.export(target, "parquet")
            await until(lambda: not page.tasks.busy("export"))
            assert at.notices[-1].title == "The rows were not exported"
            assert why in at.notices[-1].text

    play(ListServer(rows=100), scene)


def test_the_file_is_asked_for_where_the_last_one_went_and_never_in_the_programs_folder(
    play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, out = tmp_path / "documents", tmp_path / "out"
    documents.mkdir()
    monkeypatch.setattr(FileAsk, "last", "")
    monkeypatch.setattr(
        "explorer.ui.kit.ask_file.QStandardPaths.writableLocation", lambda _place: str(documents)
    )
    assert first_folder() == str(documents)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        page.menu.exports.ask("csv")
        dialog = page.findChild(FileAsk)
        assert dialog is not None
        assert (dialog.directory().absolutePath(), dialog.defaultSuffix()) == (str(documents), "csv")
        dialog.setDirectory(str(out))
        dialog.selectFile("mine.csv")
        dialog.accept()
        await until((out / "mine.csv").exists, "the file")
        assert first_folder() == str(out)

    play(ListServer(rows=100), scene)


def test_a_long_question_is_said_to_be_long_and_can_be_stopped(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    matches = Finder.matches

    def slow(finder: Finder, record: bytes) -> bool:
        gate.wait(20)
        return matches(finder, record)

    monkeypatch.setattr(Finder, "matches", slow)

    async def scene(at: Stage) -> None:
        page = await whole(at)
        finder, link = page.tools.finder, page.tools.stop_button
        finder.regex.click()
        finder.field.setText("[0-9]{3}")
        try:
            await until(link.isVisible, "the link")
            assert (page.late.late(ASK), link.text()) == (True, "Stop looking")
            assert page.count.text().startswith("Searching 1,000 rows")
            link.click()
            assert page.count.text() == "1,000, complete"
            assert page.hint.text() == "Stopped. The rows are those of the previous query."
            assert page.model.rowCount() == 1000
            assert (page.tools.again_button.isVisible(), page.tools.again_button.text()) == (
                True,
                "Run again",
            )
            page.tools.again_button.click()
            await until(link.isVisible, "the link once more")
            assert page.hint.text() == "", "it is being looked for again"
            gate.set()
            await answered(page)
            assert page.count.text() == "900 match, of 1,000 loaded"
            await until(lambda: page.tools.again_button.isHidden() and link.isHidden(), "the end of looking")
            assert page.hint.text() == ""
        finally:
            gate.set()

    play(ListServer(rows=1000), scene)


def test_the_last_page_leaves_the_keys_in_the_rows(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.activateWindow()
        page.head.primary_button.setFocus()
        await until(page.head.primary_button.hasFocus)
        QTest.keyClick(page.head.primary_button, Qt.Key.Key_Space)
        await settled(page)
        await until(lambda: not page.head.primary_button.isEnabled())
        assert page.table.hasFocus(), "not a parameter, which the next arrow key would change"

    play(ListServer(rows=300), scene)


def test_a_tab_and_the_window_ask_once_before_an_export_is_lost(
    run_window: RunWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "jobs.jsonl"

    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: window.tabs.current is not None)
        told: list[str] = []
        app.notices.posted.connect(lambda notice: told.append(notice.title))
        with held(monkeypatch):
            page = window.tabs.current
            assert isinstance(page, ListPage)
            await settled(page)
            page.menu.export(out, "jsonl")
            window.tabs.close_current()
            assert window.tabs.current is page, "asked first"
            assert told == ["The tab was not closed yet"]
            window.close()
            await turns()
            assert window.isVisible()
            assert told[1:] == ["The window was not closed yet"]
            window.tabs.close_current()
            assert window.tabs.current is not page
            await until(lambda: "Jobs was not exported" in told)
            window.open_page("ats/job")
            again = window.tabs.current
            assert isinstance(again, ListPage)
            await settled(again)
            again.menu.export(out, "jsonl")
            window.close()  # asked about this export only now, as the other has ended
            await turns()
            assert window.isVisible()

    assert run_window(body) == 0, "the second close closes"
    assert not out.exists()
