"""Accounts: pasted and imported ids, in one call or several, what came held against what was asked, rows as a table."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import qasync
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from explorer.ui.pages.crm.account_page import AccountPage, IdsEditor
from explorer.ui.records.record_view import RecordView
from tests.gui.conftest import until
from tests.gui.core_stage import QUIET, Play, Stage, badge, player, send, sentences
from tests.recording import Got, Recording, Reply, reply

pytestmark = QUIET
READ = "crm/account/batch_read"


def ident(number: int) -> str:
    return f"001SB{number:010d}AAA"


@pytest.fixture
def play(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    return player(dressed, folders, service)


def ids_of(page: AccountPage) -> IdsEditor:
    editor = page.pane.form.body.grid.editors["ids"]  # type: ignore[union-attr]  # it has a body
    assert isinstance(editor, IdsEditor)
    return editor


def paste(page: AccountPage, text: str, properties: str = "Name") -> None:
    """Paste ids as from a spreadsheet, and type the properties as chips."""
    QApplication.clipboard().setText(text)
    ids_of(page).text.setFocus()
    QTest.keyClick(ids_of(page).text, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    if properties:
        QTest.keyClicks(page.pane.form.body.grid.editors["properties"].input(), f"{properties},")  # type: ignore[union-attr]


def row_ids(page: AccountPage) -> list[str]:
    model = page.rows.model
    return [json.loads(model.raw(row))["id"] for row in range(model.rowCount())]


def test_a_column_of_a_spreadsheet_becomes_one_call_and_a_table(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        assert isinstance(page, AccountPage)
        table = f"name\taccount id\nAcme\t{ident(3)}\nBolt\t{ident(1)}\nAcme\t{ident(3)}\nNone\tnobody\n"
        paste(page, table, "Name,Industry")
        assert ids_of(page).column.currentText() == "Ids from account id"
        assert "3 ids from account id, 1 repeated" in sentences(page)
        await send(page)
        asked = {"ids": [ident(3), ident(1), "nobody"], "properties": ["Name", "Industry"]}
        assert at.bodies() == [asked]
        assert json.loads(at.state()["requests"][-1]["body"]) == asked
        assert sorted(row_ids(page)) == [ident(1), ident(3)]
        assert page.rows.count.text() == "3 ids asked, 2 rows"
        assert page.rows.verdict.badge.text() == "Differs"
        assert page.rows.verdict.buttons[0].text() == "1 missing"
        assert badge(page) == "200 OK"

    play(scene)


def test_the_inspector_follows_and_the_rows_are_counted(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        seen: list[Any] = []
        counts: list[tuple[str, int]] = []
        page.record_chosen.connect(seen.append)
        page.rows_changed.connect(lambda key, rows: counts.append((key, rows)))
        paste(page, f"{ident(1)}\n{ident(2)}")
        await send(page)
        page.rows.table.setCurrentIndex(page.rows.model.index(1, 1))
        view = seen[-1]
        assert isinstance(view, RecordView)
        assert view.raw == page.rows.model.raw(1)
        assert view.page is not None
        assert view.page.number == 1
        assert counts[-1] == ("crm/account", 2)
        assert page.body() is page.pane.split

    play(scene)


def test_a_long_list_goes_in_calls_one_after_the_other(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        page.rows.a_call.setValue(2)
        paste(page, ", ".join(map(ident, (1, 2, 3, 4, 5))))
        assert page.pane.panel.preview.note.text() == "This is the first of 3 calls"
        page.copy_as_curl()
        assert QApplication.clipboard().text().count("curl ") == 3
        await send(page)
        assert [body["ids"] for body in at.bodies()] == [
            [ident(1), ident(2)],
            [ident(3), ident(4)],
            [ident(5)],
        ]
        assert sorted(row_ids(page)) == [ident(n) for n in range(1, 6)]
        assert page.rows.count.text() == "5 ids asked, 5 rows, 3 calls"
        assert page.rows.model.pull.page_at(4).number == 3
        [entry] = page.pane.history.entries()
        assert entry.data["outcome"] == "200 OK, 3 calls, 5 rows"
        assert at.settings["crm/account/ids_a_call"] == 2
        assert at.open(READ).rows.a_call.value() == 2, "the size is kept"

    play(scene)


def test_a_body_with_an_unknown_key_is_asked_about_call_by_call(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        page.rows.a_call.setValue(2)
        page.pane.form.body.set_raw(
            json.dumps({"ids": [ident(1), ident(2), ident(3)], "properties": [], "all": True})
        )
        page.pane.form.changed.emit()
        at.answer = False
        await send(page)
        assert len(at.asked) == 1
        assert at.bodies() == []
        assert page.status_text == "Not sent"
        assert page.pane.history.entries() == [], "what was not sent is not in the history"
        at.answer = True
        await send(page)
        assert [json.loads(request.body or b"")["ids"] for request in at.asked[1:]] == [
            [ident(1), ident(2)],
            [ident(3)],
        ]
        assert len(at.bodies()) == 2

    play(scene)


@pytest.mark.parametrize(
    ("defect", "name", "count"),
    [("account-extra", "not asked for", 1), ("account-double", "more than once", 1)],
)
def test_what_came_beyond_what_was_asked(
    dressed: QApplication,
    qtbot: QtBot,
    folders: Folders,
    service: SandboxProcess,
    defect: str,
    name: str,
    count: int,
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        paste(page, f"{ident(5)}\n{ident(6)}")
        await send(page)
        button = next(b for b in page.rows.verdict.buttons if b.text() == f"{count} {name}")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        asked = page.pane.asked
        assert page.pane.panel.front == "Asked and returned"
        assert asked.front == name
        QTest.mouseClick(asked.copy, Qt.MouseButton.LeftButton)
        copied = QApplication.clipboard().text().splitlines()
        assert len(copied) == count
        assert set(copied) <= set(row_ids(page))

    player(dressed, folders, service, connection=f"conn_sandbox_messy.{defect}")(scene)


def test_a_value_that_does_not_fit_is_marked_and_explained(
    dressed: QApplication, folders: Folders, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        seen: list[Any] = []
        page.record_chosen.connect(seen.append)
        paste(page, f"{ident(3)}\n{ident(7)}")
        await send(page)
        model, table = page.rows.model, page.rows.table
        place = next(n for n, one in enumerate(model.columns, start=1) if one.field == "number_of_employees")
        row = row_ids(page).index(ident(7))
        assert [bool(model.cell(one, place).misfit) for one in range(2)] == [one == row for one in range(2)]
        table.setFocus()
        table.setCurrentIndex(model.index(row, place))
        QTest.keyClick(table, Qt.Key.Key_F2)
        assert table.card.card is not None
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert seen[-1].explain == "number_of_employees"
        assert seen[-1].raw == model.raw(row)

    connection = "conn_sandbox_messy.account-employees-text"
    player(dressed, folders, service, connection=connection)(scene)


def test_another_order_is_told_with_both_places(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        paste(page, "\n".join(map(ident, range(1, 9))))
        await send(page)
        assert row_ids(page) != [ident(n) for n in range(1, 9)]
        page.pane.show_finding("in another order")
        first = page.pane.asked.text.toPlainText().splitlines()[0]
        assert "requested at position" in first
        place = row_ids(page).index(first.split("\t")[0]) + 1
        assert first.endswith(f"returned at position {place}")

    play(scene)


def test_the_names_of_the_columns_stand_whole_before_there_are_rows(play: Play) -> None:
    async def scene(at: Stage) -> None:
        table = at.open(READ).rows.table
        await until(table.isVisible, "the table")
        cut = [
            column.field
            for number, column in enumerate(table.columns, start=1)
            if not table.isColumnHidden(number) and table.columnWidth(number) < table.name_width(number)
        ]
        assert cut == []

    play(scene)


def test_rows_are_exported_and_copied_as_from_any_table(play: Play, tmp_path: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        assert not page.rows.export_button.isEnabled()
        paste(page, f"{ident(1)}\n{ident(2)}")
        await send(page)
        target = tmp_path / "accounts.csv"
        page.rows.menu.export(target, "csv")
        await until(lambda: not page.tasks.busy("export"), "the export")
        found = list(csv.DictReader(target.read_text("utf-8-sig").splitlines()))
        assert [row["id"] for row in found] == row_ids(page)
        page.rows.table.selectAll()
        page.rows.menu.copy_rows("ids")
        await until(lambda: not page.tasks.busy("copy"), "the copy")
        assert QApplication.clipboard().text().split() == row_ids(page)

    play(scene)


def test_ids_are_imported_from_a_file_and_another_column_can_be_chosen(play: Play, tmp_path: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        source = tmp_path / "accounts.csv"
        source.write_bytes(f"id;owner\r\n{ident(1)};{ident(7)}\r\n{ident(2)};{ident(8)}\r\n".encode("utf-16"))
        editor = ids_of(page)
        editor.take(source)
        assert editor.value() == [ident(1), ident(2)]
        editor.column.setFocus()
        QTest.keyClick(editor.column, Qt.Key.Key_Down)
        assert editor.value() == [ident(7), ident(8)]
        editor.header.click()
        assert editor.value() == ["owner", ident(7), ident(8)]
        book = tmp_path / "accounts.xlsx"
        book.write_bytes(b"PK\x03\x04rest")
        editor.take(book)
        assert any("save it as CSV" in said for said in sentences(page))
        editor.take(tmp_path / "none.csv")
        assert any("none.csv cannot be read" in said for said in sentences(page))
        assert editor.value() == ["owner", ident(7), ident(8)], "what was there stays"

    play(scene)


BAD: list[tuple[str, str, str]] = [
    ("lines", ident(1), "properties: Required"),
    ("lines", "", "ids: Required"),
    ("json", '{"ids": "a", "properties": []}', "ids: Must be a list, as [ … ]"),
    ("json", '{"ids": [1], "properties": ["Name"]}', "ids[0]: Each must be text"),
    ("json", '{"ids": ["a"] "properties": []}', "Line 1: a comma is missing"),
]


@pytest.mark.parametrize(("kind", "text", "sentence"), BAD)
def test_bad_input_is_told_and_not_sent(play: Play, kind: str, text: str, sentence: str) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        if kind == "json":
            page.pane.form.body.set_raw(text)
        else:
            paste(page, text, "")
        await send(page)
        body = page.pane.form.body
        told = [f"{name}: {row._below.whole()}" for name, row in body.grid.rows.items()] + sentences(page)
        assert any(sentence in said for said in told), told
        assert list(at.session.exchanges.all()) == []
        assert "to mend before sending" in page.status_text

    play(scene)


def test_a_body_broken_on_purpose_goes_as_it_is(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        page.pane.form.body.set_raw('{"ids": [1, 2], "properties": "Name"}')
        await send(page)
        QTest.mouseClick(page.head.anyway, Qt.MouseButton.LeftButton)
        await until(lambda: not page.tasks.busy())
        assert at.bodies() == [{"ids": [1, 2], "properties": "Name"}]
        assert badge(page) == "400 Bad Request"

    play(scene)


Scene = Callable[[Stage], Awaitable[None]]


@pytest.fixture
def on_recording(dressed: QApplication, qtbot: QtBot, folders: Folders) -> Callable[[Recording, Scene], None]:
    """Runs a scene against a plain recording server."""

    def run(server: Recording, scene: Scene) -> None:
        async def whole() -> None:
            profile = Profile(
                name="Box", base_url=server.url, connection="conn_1", environment=Environment.DEVELOPMENT
            )
            session = await Session.open(profile, Credential(Auth.APIKEY, "sbx_key_of_a_test"), folders)
            stage = Stage(session, None)  # type: ignore[arg-type]  # no sandbox here
            try:
                await scene(stage)
            finally:
                for page in stage.pages:
                    await page.shutdown()
                    page.close()
                    page.deleteLater()
                await session.close()

        with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(dressed)) as runner:
            runner.run(whole())

    return run


def echo(got: Got) -> Reply:
    """Each id that was asked for, in order."""
    return reply([{"id": one, "updated_at": "2026-01-01"} for one in json.loads(got.body)["ids"]])


def test_stop_keeps_what_came_and_continue_asks_for_the_rest_alone(
    on_recording: Callable[[Recording, Scene], None],
) -> None:
    with Recording() as server:
        silent = [True]
        server.answering = lambda got: Reply(silent=True) if silent[0] and b'"c"' in got.body else echo(got)

        async def scene(at: Stage) -> None:
            page = at.open(READ)
            page.rows.a_call.setValue(2)
            paste(page, "a\nb\nc\nd\ne")
            QTest.keyClick(page.pane.form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
            await until(lambda: len(server.got) == 2, "the second call")
            assert page.rows.count.text() == "Call 2 of 3: 2 ids answered, 2 rows"
            assert badge(page) == "Call 2 of 3"
            QTest.mouseClick(page.head.stop_button, Qt.MouseButton.LeftButton)
            assert not page.tasks.busy(), "at once"
            assert row_ids(page) == ["a", "b"]
            assert page.rows.count.text() == "2 of 5 ids asked, 2 rows"
            assert page.head.send_button.text() == "Continue"
            assert not page.rows.verdict.buttons, "what was not asked yet is not missing"
            silent[0] = False
            page.send()
            await until(lambda: not page.tasks.busy(), "the rest")
            assert row_ids(page) == list("abcde")
            assert [json.loads(got.body)["ids"] for got in server.got] == [
                ["a", "b"],
                ["c", "d"],
                ["c", "d"],
                ["e"],
            ]
            assert page.head.send_button.text() == "Read"
            said = "Each requested id was returned once, in the same order."
            assert said in page.rows.verdict.said.whole()
            assert page.rows.verdict.badge.text() == "As asked"

        on_recording(server, scene)


def test_a_call_that_fails_keeps_the_rows_before_it(on_recording: Callable[[Recording, Scene], None]) -> None:
    with Recording() as server:
        broken = [True]
        refusal = {"message": "conn not found: conn_1", "code": "NOT_FOUND"}
        server.answering = lambda got: reply(refusal, 404) if broken[0] and b'"b"' in got.body else echo(got)

        async def scene(at: Stage) -> None:
            page = at.open(READ)
            page.rows.a_call.setValue(1)
            paste(page, "a\nb\nc")
            await send(page)
            banner = page.pane.banner
            assert banner is not None
            assert banner.title.startswith("Call 2 of 3 failed: ")
            assert "The 1 row before it is kept." in banner.text
            assert page.pane.panel.front == "Rows"
            assert row_ids(page) == ["a"]
            broken[0] = False
            banner.buttons()[0].click()
            await until(lambda: not page.tasks.busy(), "the rest")
            assert row_ids(page) == ["a", "b", "c"]
            assert page.pane.banner is None
            outcomes = [entry.data["outcome"] for entry in page.pane.history.entries()]
            assert outcomes[0] == "200 OK, 3 calls, 3 rows"
            assert len(outcomes) == 2

        on_recording(server, scene)


def test_start_again_begins_with_the_first_id(on_recording: Callable[[Recording, Scene], None]) -> None:
    with Recording() as server:
        server.answering = lambda got: reply({}, 404) if b'"b"' in got.body else echo(got)

        async def scene(at: Stage) -> None:
            page = at.open(READ)
            page.rows.a_call.setValue(1)
            paste(page, "a\nb")
            await send(page)
            assert page.rows.again_button.isVisible()
            server.answering = echo
            QTest.mouseClick(page.rows.again_button, Qt.MouseButton.LeftButton)
            await until(lambda: not page.tasks.busy(), "the whole")
            assert [json.loads(got.body)["ids"] for got in server.got][2:] == [["a"], ["b"]]
            assert row_ids(page) == ["a", "b"]
            assert not page.rows.again_button.isVisible()

        on_recording(server, scene)


@pytest.mark.parametrize(
    ("answer", "sentence", "rows"),
    [
        (reply({"items": [{"id": "a"}]}), "The rows come inside an object", ["a"]),
        (reply({"message": "?"}), "The response is an object, not an array of accounts", []),
        (Reply(body=b"[", headers=(("content-type", "application/json"),)), "not a JSON array", []),
    ],
)
def test_an_answer_of_another_shape_is_told(
    on_recording: Callable[[Recording, Scene], None], answer: Reply, sentence: str, rows: list[str]
) -> None:
    with Recording(replies=[answer]) as server:

        async def scene(at: Stage) -> None:
            page = at.open(READ)
            paste(page, "a")
            await send(page)
            shown = " ".join(sentences(page))
            if page.pane.banner is not None:
                shown += page.pane.banner.title
            assert sentence in shown
            assert row_ids(page) == rows

        on_recording(server, scene)


def test_in_a_low_window_the_form_gives_room_to_the_first_rows(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(READ)
        page.setMinimumSize(400, 200)
        page.resize(792, 400)
        paste(page, f"{ident(1)}\n{ident(2)}")
        await send(page)
        form, rows = page.pane.split.sizes()
        assert form < rows
        assert page.rows.table.height() >= 3 * 26
        page.pane.split.setSizes([rows, form])
        kept = page.pane.split.sizes()
        await send(page)
        assert page.pane.split.sizes() == kept, "what the user chose stays"

    play(scene)
