"""The page of a list, over real HTTP and a real store: what fetches, what does not, and what is said."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from explorer.export.text import FileForm
from explorer.ui.log.exchange_detail import ExchangeDialog
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.pages.list.pull_banner import NotesDialog
from explorer.ui.records.record_view import RecordView
from tests.builtin import registry
from tests.gui.list_server import ListServer, Play, Stage, playing, settled, turns, until, wheel


@pytest.fixture
def play(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Play:
    """Runs a scene against a server, with everything closed in order afterwards."""
    return playing(qapp, tmp_path)


def _has_rows(page: ListPage, rows: int) -> bool:
    return page.model.rowCount() == rows


def test_opening_fetches_the_first_page_and_scrolling_the_next_ones(play: Play) -> None:
    server = ListServer(rows=350)

    async def scene(at: Stage) -> None:
        page = at.open()
        tester = QAbstractItemModelTester(page.model, QAbstractItemModelTester.FailureReportingMode.Fatal)
        await settled(page)
        assert page.count.whole() == "100 loaded, more to come"
        assert page.status_text.endswith("stored  ·  all fit the contract’s types")
        await turns()
        assert len(server.asked) == 1
        for rows in (200, 300, 350):
            wheel(page.table, times=60)
            await until(partial(_has_rows, page, rows))
            await settled(page)
        assert page.count.whole() == "350, complete"
        wheel(page.table, times=60)
        await turns()
        assert [q.get("cursor", "") for q in server.asked] == ["", "100", "200", "300"]
        assert [json.loads(page.model.raw(i))["id"] for i in range(350)] == [str(i) for i in range(350)]
        assert not page.head.primary_button.isEnabled()
        tester.deleteLater()

    play(server, scene)


def test_short_pages_are_fetched_until_the_view_is_full(play: Play) -> None:
    server = ListServer(rows=300, size=12)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        shown = page.table.viewport().height() // page.table.rowHeight(0)
        assert shown < page.model.rowCount() <= shown + 12
        assert page.count.whole() == f"{page.model.rowCount()} loaded, more to come"
        asked = len(server.asked)
        page.resize(page.width(), page.height() + 400)
        await turns()
        assert len(server.asked) == asked, "a window that grows fetches nothing"

    play(server, scene)


def test_a_long_id_is_read_whole_where_there_is_room(play: Play) -> None:
    server = ListServer(rows=20)
    server.record = lambda i: {"id": f"0d1b7c9e-335e-4001-a101-{i:012d}", "name": f"Job {i}"}

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        await until(lambda: page.table.columnWidth(1) >= page.table.sizeHintForColumn(1), "the whole id")
        assert page.table.columnWidth(1) <= page.table.viewport().width() * 2 // 5

    play(server, scene)


def test_filling_the_view_ends_after_some_pages_and_where_one_fails(play: Play) -> None:
    server = ListServer(rows=300, size=1)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        assert len(server.asked) == page.model.rowCount() == 5
        wheel(page.table, times=1)
        await until(lambda: page.model.rowCount() > 5, "the next page")
        await settled(page)
        server.fail["12"] = (500, b"{}")
        wheel(page.table, times=1)
        await settled(page)
        assert page.model.state == "failed"
        assert page.model.rowCount() == 12

    play(server, scene)


def test_nothing_but_scrolling_fetches(play: Play) -> None:
    server = ListServer(rows=1000)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        table = page.table
        table.setCurrentIndex(page.model.index(0, 1))
        QTest.keyClick(table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
        await turns()
        assert table.currentIndex().row() == 99, "Ctrl End goes to the last row at hand"
        table.selectAll()
        page.columns.fit()
        page.model.sort(2)
        for _ in range(3):  # sorted up, down, and as received again
            QTest.mouseClick(
                table.horizontalHeader().viewport(), Qt.MouseButton.LeftButton, pos=QPoint(150, 10)
            )
        for width in range(700, 1000, 20):
            page.resize(width, 300 + width // 2)
            await turns(2)
        page.columns.show("confidential", False)
        page.columns.set_zone("utc")
        table.scrollToBottom()
        await turns(30)
        assert len(server.asked) == 1
        assert page.count.whole() == "100 loaded, more to come"
        QTest.keyClick(table, Qt.Key.Key_Down)
        await until(lambda: page.model.rowCount() == 200)

    play(server, scene)


def test_one_page_in_flight_however_much_is_scrolled(play: Play) -> None:
    server = ListServer(rows=1000)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        server.gate.clear()
        for _ in range(5):
            wheel(page.table, times=40)
            QTest.keyClick(page.table, Qt.Key.Key_PageDown)
            page.resize(page.width() + 5, page.height() + 5)
            await turns(3)
        await until(lambda: len(server.asked) == 2)
        await turns()
        assert len(server.asked) == 2
        assert page.model.state == "loading"
        server.gate.set()
        await settled(page)
        assert page.model.rowCount() == 200

    play(server, scene)


def test_a_failed_page_keeps_its_rows_and_is_asked_for_only_on_wish(play: Play) -> None:
    server = ListServer(rows=400)
    server.fail["200"] = (
        500,
        b'{"message":"Output validation failed","code":"INTERNAL_SERVER_ERROR","data":{}}',
    )

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.load_all()
        await settled(page)
        assert page.model.state == "failed"
        assert page.count.whole() == "200, stopped at page 3"
        assert page.banner.isVisible()
        assert page.banner.title.startswith("Page 3 failed: 500")
        assert "200 rows before it are kept" in page.banner.text
        assert page.head.primary_button.text() == "Continue"
        asked = len(server.asked)
        for _ in range(10):
            wheel(page.table, times=30)
            page.resize(page.width() + 7, page.height() + 3)
            await turns(2)
        assert len(server.asked) == asked
        show, again = page.banner.buttons()
        assert (show.text(), again.text()) == ("Show response", "Try page 3 again")
        show.click()
        await until(lambda: page.findChild(ExchangeDialog) is not None)
        dialog = page.findChild(ExchangeDialog)
        assert isinstance(dialog, ExchangeDialog)
        assert b"Output validation failed" in dialog.detail.answer.body.model.data_bytes
        dialog.close()
        again.click()
        await settled(page)
        assert (page.model.state, len(server.asked)) == ("failed", asked + 1)
        server.fail.clear()
        page.activateWindow()
        page.banner.buttons()[1].setFocus()
        page.banner.buttons()[1].click()
        await settled(page)
        assert page.focusWidget() is page.table, "the button is gone: the keys go to the rows"
        assert (page.model.rowCount(), page.model.state) == (300, "ready")
        assert not page.banner.isVisible()
        page.head.primary_button.click()
        await settled(page)
        assert page.count.whole() == "400, complete"
        assert [q.get("cursor", "") for q in server.asked].count("300") == 1

    play(server, scene)


def test_stop_acts_at_once_and_continue_goes_on(play: Play) -> None:
    server = ListServer(rows=5000)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.head.primary_button.click()
        await until(lambda: page.model.rowCount() >= 300)
        assert page.head.primary_button.text() == "Stop"
        server.gate.clear()
        await turns()
        page.head.primary_button.click()
        await until(lambda: page.pull is not None and page.pull.state == "ready")
        assert page.head.primary_button.text() == "Continue"
        rows = page.model.rowCount()
        server.gate.set()
        await turns(30)
        assert page.model.rowCount() == rows, "a late answer adds nothing"
        page.head.primary_button.click()
        await settled(page)
        assert page.count.whole() == "5,000, complete"
        assert [json.loads(r)["id"] for r in page.pull.window(0, 5000)] == [str(i) for i in range(5000)]  # type: ignore[union-attr]

    play(server, scene)


def test_the_command_of_a_chosen_row_is_that_of_its_page(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.load_all()
        await settled(page)
        page.table.setCurrentIndex(page.model.index(120, 1))
        page.copy_curl()
        assert "cursor=100" in QGuiApplication.clipboard().text()
        page.table.setCurrentIndex(page.model.index(5, 1))
        page.copy_curl()
        assert "cursor" not in QGuiApplication.clipboard().text()

    play(ListServer(rows=350), scene)


def test_load_all_in_the_moment_in_which_a_page_has_come_is_not_lost(play: Play) -> None:
    server = ListServer(rows=350)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)

        async def one_more() -> None:
            assert page.pull is not None
            await page.pull.more()
            asyncio.get_running_loop().call_soon(
                page.load_all
            )  # the task has ended by then, and counts as busy

        page.pulls.run(one_more)
        await until(partial(_has_rows, page, 350), "all rows")
        await settled(page)
        assert page.count.whole() == "350, complete"
        assert len(server.asked) == 4

    play(server, scene)


def test_load_all_while_one_page_is_on_its_way_goes_on_after_it(play: Play) -> None:
    server = ListServer(rows=350)

    async def scene(at: Stage) -> None:
        server.gate.clear()
        page = at.open()
        await until(lambda: len(server.asked) == 1)
        assert page.head.primary_button.text() == "Load all", "one page is no reason for the button to change"
        page.head.primary_button.click()
        assert page.head.primary_button.text() == "Stop"
        page.load_all()  # pressed again: nothing more happens
        server.gate.set()
        await settled(page)
        assert page.count.whole() == "350, complete"
        assert [q.get("cursor", "") for q in server.asked] == ["", "100", "200", "300"]

    play(server, scene)


def test_one_page_that_takes_long_can_be_stopped(play: Play) -> None:
    server = ListServer(rows=350)

    async def scene(at: Stage) -> None:
        server.gate.clear()
        page = at.open()
        await until(lambda: page.head.primary_button.text() == "Stop")
        page.head.primary_button.click()
        await until(lambda: page.pull is not None and page.pull.state == "ready")
        assert page.head.primary_button.text() == "Continue"
        server.gate.set()
        await turns(30)
        assert page.model.rowCount() == 0

    play(server, scene)


def test_pages_that_break_the_contract_are_counted_and_shown(play: Play) -> None:
    server = ListServer(rows=500, record=lambda i: i if 100 <= i < 103 or i == 250 else {"id": f"{i}"})

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        assert not page.banner.isVisible()
        page.load_all()
        await settled(page)
        assert page.banner.title == "2 of 5 pages break the contract"
        assert page.banner.text.startswith("Page 3: 1 of 100 rows")
        assert page.status_text.endswith("stored  ·  4 records do not fit the contract")
        page.banner.buttons()[0].click()
        dialog = page.findChild(NotesDialog)
        assert dialog is not None
        dialog.table.taken.emit(0)
        assert page.table.currentIndex().row() == 100
        await page.shutdown()
        again = at.open()
        await until(lambda: again.banner.isVisible())
        assert again.banner.title == "2 of 5 pages break the contract", "of an earlier run too"
        assert again.status_text.endswith("  ·  4 records do not fit the contract")
        server.record = lambda i: {"id": f"{i}"}
        again.reload()
        await settled(again)
        await until(lambda: not again.banner.isVisible(), "the pages of the new pull are in order")
        assert again.status_text.endswith("  ·  all fit the contract’s types")

    play(server, scene)


def test_a_loop_is_stopped_said_and_can_be_overruled(play: Play) -> None:
    server = ListServer(rows=1000, loop_at=400)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.load_all()
        await settled(page)
        assert page.model.state == "stopped"
        assert page.count.whole() == f"{page.model.rowCount()}, stopped at page 4"
        assert page.banner.kind == "caution"
        past = page.banner.buttons()[-1]
        assert past.text() == "Go on anyway"
        asked = len(server.asked)
        past.click()
        await until(lambda: len(server.asked) == asked + 1)
        await settled(page)

    play(server, scene)


def test_kept_rows_are_there_at_once_and_the_pull_goes_on(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        first = at.open()
        await settled(first)
        await first.shutdown()
        again = at.open()
        await until(lambda: again.pull is not None)
        assert again.count.whole() == "100 loaded, more to come"
        await turns()
        assert len(server.asked) == 1
        again.load_all()
        await settled(again)
        assert [q.get("cursor", "") for q in server.asked] == ["", "100", "200"]

    play(server, scene)


def test_changed_parameters_are_asked_with_on_reload_only(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.head.strip.set_value({"page_size": 40})
        page.head.changed.emit()
        page.head.extra.add_row("flavour", "sweet & sour")
        await turns()
        assert len(server.asked) == 1
        assert page.hint.whole() == "Parameters changed: Reload uses them"
        page.head.reload_button.click()
        await settled(page)
        assert server.asked[-1] == {"page_size": "40", "flavour": "sweet & sour"}
        assert page.model.rowCount() == 40
        assert page.hint.whole() == ""
        page.head.set_asked({}, [])
        page.reload()
        await until(lambda: page.model.rowCount() == 100)
        await turns()
        assert len(server.asked) == 2, "the rows of the first parameters are kept and shown"

    play(server, scene)


def test_reload_replaces_the_rows_only_once_new_ones_are_there(play: Play) -> None:
    server = ListServer(rows=300)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        wheel(page.table, times=60)
        await settled(page)
        server.record = lambda i: {"id": f"new-{i}"}
        server.gate.clear()
        page.reload()
        await until(lambda: len(server.asked) == 3)
        assert page.model.rowCount() == 200
        server.gate.set()
        await settled(page)
        await until(lambda: page.model.rowCount() == 100)
        assert page.model.index(0, 1).data() == "new-0"
        server.fail[""] = (500, b"")
        page.reload()
        await settled(page)
        assert page.model.rowCount() == 100
        assert page.banner.title.startswith("Page 1 failed")

    play(server, scene)


def test_an_empty_list_says_so(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        assert page.count.whole() == "0, complete"
        assert page.table.empty.isVisible()
        assert "empty list" in page.table.empty.whole()

    play(ListServer(rows=0), scene)


def test_the_chosen_row_goes_to_the_inspector(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        seen: list[RecordView | None] = []
        page.record_chosen.connect(seen.append)
        await settled(page)
        page.table.setCurrentIndex(page.model.index(3, 1))
        view = seen[-1]
        assert view is not None
        assert (json.loads(view.raw)["id"], view.row, view.label) == ("3", 3, "Job 3")
        assert view.page is not None
        assert view.page.number == 1
        QTest.keyClick(page.table, Qt.Key.Key_Down)
        assert seen[-1] is not None
        assert seen[-1].row == 4

    play(ListServer(), scene)


def test_copying_cells_rows_and_ids(play: Play) -> None:
    server = ListServer(rows=50, record=lambda i: {"id": f"{i}", "name": "=1+1\tx" if i == 1 else f"Job {i}"})

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        clipboard = QGuiApplication.clipboard()
        page.table.setCurrentIndex(page.model.index(2, 2))
        QTest.keyClick(page.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
        assert clipboard.text() == "Job 2"
        both = page.table.selectionModel()
        both.select(
            page.model.index(0, 0),
            QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
        )
        both.select(
            page.model.index(1, 0),
            QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows,
        )
        menu = QMenu()
        page.menu.fill(menu, page.table.selected_count())
        texts = {a.text(): a for a in menu.actions()}
        for label, expected in (
            ("Copy 2 ids", "0\n1\n"),
            ("Copy 2 rows as JSON Lines", "".join(page.model.raw(i).decode() + "\n" for i in range(2))),
            ("Copy 2 rows as JSON", "[\n" + ",\n".join(page.model.raw(i).decode() for i in range(2)) + "\n]"),
        ):
            texts[label].trigger()
            await until(lambda: not page.tasks.busy("copy"))
            assert clipboard.text() == expected, label
        texts["Copy 2 rows as TSV"].trigger()
        await until(lambda: not page.tasks.busy("copy"))
        lines = clipboard.text().split("\n")
        assert lines[0].split("\t")[:2] == ["id", "name"]
        assert lines[2].split("\t")[:2] == ["1", "'=1+1 x"], "no tab breaks a cell, no formula runs"
        menu.deleteLater()

    play(server, scene)


def test_export_writes_the_rows_at_hand_whole(play: Play, tmp_path: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        for form in ("jsonl", "csv"):
            target = tmp_path / f"jobs.{form}"
            page.menu.export(target, form)
            await until(lambda: not page.tasks.busy("export"))
            lines = target.read_text().splitlines()
            assert len(lines) == 100 + (form == "csv")
        forms: tuple[FileForm, ...] = ("json", "parquet")
        for each in forms:
            page.menu.export(tmp_path / f"jobs.{each}", each)
            await until(lambda: not page.tasks.busy("export"))
        assert at.notices[-1].title == "Exported 100 rows"
        assert page.count.whole() == "100 loaded, more to come", "the count is back in its place"
        rows.extend(page.model.raw(i) + b"\n" for i in range(100))

    rows: list[bytes] = []
    play(ListServer(), scene)
    assert (tmp_path / "jobs.jsonl").read_bytes() == b"".join(rows)
    assert json.loads((tmp_path / "jobs.json").read_bytes()) == [json.loads(row) for row in rows]
    assert parquet.read_table(tmp_path / "jobs.parquet")["id"].to_pylist() == [
        json.loads(row)["id"] for row in rows
    ]
    assert list(tmp_path.glob(".export-*")) == []


def test_columns_are_kept_by_resource(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.columns.show("confidential", False)
        page.table.horizontalHeader().moveSection(2, 1)
        page.table.setColumnWidth(2, 333)
        page.columns.set_zone("received")
        await page.shutdown()
        again = at.open()
        await settled(again)
        assert again.columns.shown()[:2] == ["name", "id"]
        assert "confidential" in again.columns.hidden()
        assert again.table.columnWidth(2) == 333
        assert again.columns.reading.zone is None
        assert "hidden" in again.tools.columns_button.text()
        again.columns.as_declared()
        assert again.columns.shown()[:3] == ["id", "name", "confidential"]
        other = at.open(registry.resource("file-storage/drive"))
        await settled(other)
        assert other.columns.hidden() == [c.field for c in other.model.columns if c.hidden]

    play(ListServer(), scene)


def test_the_first_columns_fill_the_view_until_the_user_chooses(play: Play) -> None:
    wide = {"departments": [{"name": "Customer Success"}], "modified_at": "2026-11-20T09:00:00Z"}
    server = ListServer(record=lambda i: {"id": f"{4_000_000_000 + i}", "name": "Senior Engineer", **wide})

    async def scene(at: Stage) -> None:
        page = at.open(size=(806, 560))
        await settled(page)
        table, head = page.table, page.table.horizontalHeader()

        def whole() -> list[str]:
            room = table.viewport().width()
            ends = {f: head.sectionViewportPosition(n) + head.sectionSize(n) for n, f in enumerate(fields, 1)}
            return [f for f in fields if ends[f] <= room]

        fields = [c.field for c in page.model.columns]
        await until(lambda: len(whole()) >= 6)
        assert whole()[:6] == ["id", "name", "confidential", "departments", "offices", "modified_at"]
        for number, kind in ((1, "id"), (6, "date")):
            assert page.model.columns[number - 1].kind == kind
            assert table.columnWidth(number) >= table.sizeHintForColumn(number), "read whole or not at all"
        page.resize(1300, 560)
        await until(lambda: len(whole()) > 6)
        ends = max(head.sectionViewportPosition(n) + head.sectionSize(n) for n in range(1, len(whole()) + 1))
        assert table.viewport().width() - ends <= 2, "no room is left empty"
        assert page.context.settings.get("ats/job/columns") is None, "nothing was chosen, so nothing is kept"
        table.setColumnWidth(2, 333)
        page.resize(900, 560)
        await turns()
        assert table.columnWidth(2) == 333, "what the user chose stays"
        page.columns.as_declared()
        assert table.columnWidth(2) != 333
        page.resize(700, 560)
        await turns()
        assert page.context.settings.get("ats/job/columns") is None

    play(server, scene)


def test_the_last_column_cannot_be_hidden(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        for column in page.model.columns:
            page.columns.show(column.field, False)
        assert len(page.columns.shown()) == 1

    play(ListServer(), scene)


def test_a_page_closed_while_it_loads_ends_quietly(play: Play) -> None:
    server = ListServer()

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        server.gate.clear()
        page.load_all()
        await until(lambda: len(server.asked) == 2)
        at.pages.remove(page)
        await page.shutdown()
        page.deleteLater()
        server.gate.set()
        await turns(30)
        assert at.notices == []

    play(server, scene)


def test_everything_has_a_name(play: Play) -> None:
    from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QComboBox, QLineEdit

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        for kind in (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView):
            for widget in page.findChildren(kind):
                named = widget.accessibleName() or getattr(widget, "text", str)() or widget.isHidden()
                inner = widget.objectName().startswith("qt_") or isinstance(widget.parent(), QComboBox)
                assert named or inner, widget

    play(ListServer(), scene)


def test_selecting_a_million_rows_is_one_range(qtbot: QtBot) -> None:
    from explorer.catalog.builtin.ats import JOBS
    from explorer.ui.records.records import RecordsModel
    from explorer.ui.records.records_table import RecordsTable

    class Many(RecordsModel):
        def rowCount(self, parent: object = None) -> int:
            return 1_000_000

    table = RecordsTable(Many(JOBS.columns, lambda: None))
    qtbot.addWidget(table)
    table.selectAll()
    assert table.ranges() == [(0, 1_000_000)]
    assert table.selected_count() == 1_000_000
    table.model().deleteLater()


def test_stopping_right_after_asking_leaves_nothing_loading(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        page.table.reach()
        page.model.scrolled_to_end()
        page.stop()
        await asyncio.wait_for(settled(page), 5)
        assert page.model.state == "ready"
        page.load_all()
        await settled(page)
        assert page.model.state == "complete"

    play(ListServer(rows=300), scene)


def test_a_list_that_the_service_ends_without_showing_it_is_not_called_complete(play: Play) -> None:
    body = json.dumps({"items": [{"id": "1"}, {"id": "2"}], "has_next_page": True}).encode()
    server = ListServer(fail={"": (200, body)})

    async def scene(at: Stage) -> None:
        for _ in ("as it comes", "as it is kept"):
            page = at.open()
            await settled(page)
            assert page.count.whole() == "2, ended by the service, not shown to be complete"
            assert "no cursor to continue with" in page.banner.title
            assert [button.text() for button in page.banner.buttons()] in (["Show response"], [])
            assert not page.head.primary_button.isEnabled()
            assert len(server.asked) == 1
            await page.shutdown()

    play(server, scene)


def test_one_page_of_a_usual_size_is_said_to_be_perhaps_cut(play: Play) -> None:
    server = ListServer(rows=100)

    async def scene(at: Stage) -> None:
        page = at.open()
        await settled(page)
        assert page.count.whole() == "100, complete"
        assert page.banner.kind == "info"
        assert "one page of exactly 100 rows: it may be cut off there" in page.banner.title
        await turns()
        assert len(server.asked) == 1

    play(server, scene)
