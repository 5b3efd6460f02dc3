"""A list that needs parameters: asked for in its head, with the parent's ids offered, and nothing is sent before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.catalog import interfaces
from explorer.catalog.interface import Interface
from explorer.cli.app import run as command
from explorer.openapi.interface import interface_of
from explorer.openapi.proposal import read
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.ui.forms.text_editor import TextEditor
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from explorer.ui.pages.list.list_page import ListPage
from tests.gui.list_server import Kept, Stage, run, settled, turns
from tests.gui.spoken import heard
from tests.recording import Got, Recording, Reply, reply

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def in_query(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "in": "query", "schema": {"type": "string"}, **more}


def listing(title: str, *parameters: dict[str, object]) -> dict[str, Any]:
    row = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
        "required": ["id"],
    }
    page = {"results": {"type": "array", "items": row}, "next": {"type": "string", "nullable": True}}
    body = {"schema": {"type": "object", "properties": page}}
    said = [in_query("connection_id", required=True), in_query("cursor"), *parameters]
    return {
        "get": {
            "summary": title,
            "parameters": said,
            "responses": {"200": {"content": {"application/json": body}}},
        }
    }


COMPANY = {"name": "companyId", "in": "path", "required": True, "schema": {"type": "string"}}
DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Ledger", "version": "1"},
    "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    "security": [{"key": []}],
    "paths": {
        "/companies": listing("Companies"),
        "/companies/{companyId}/contacts": listing("Contacts", COMPANY, in_query("since", required=True)),
        "/deals/search": {"post": listing("Find deals", in_query("lang"))["get"]},
    },
}
_PAGING = {"type": "object", "properties": {"after": {"type": "string"}, "limit": {"type": "integer"}}}
_SEARCH = {
    "stage": {"type": "string", "enum": ["open", "won"]},
    "owner": {"type": "string"},
    "filter": {"type": "object"},
    "paging": _PAGING,
}
_POST = DOCUMENT["paths"]["/deals/search"]["post"]
_POST["parameters"] = [in_query("connection_id", required=True), in_query("lang")]
_POST["requestBody"] = {
    "content": {"application/json": {"schema": {"type": "object", "properties": _SEARCH}}}
}
COMPANIES = [{"id": "c 1/2", "name": "Acme <b>"}, {"id": "c2", "name": "Globex"}]


def answered(got: Got) -> Reply:
    """Companies, and of each the contacts on two pages."""
    parts = urlsplit(got.target)
    query = parse_qs(parts.query)
    if got.header("authorization") != "Bearer key-of-the-test" or query.get("connection_id") != ["acme"]:
        return reply({"message": "no"}, status=401)
    if parts.path == "/companies":
        return reply({"results": COMPANIES, "next": None})
    if parts.path == "/deals/search":
        after = json.loads(got.body).get("paging", {}).get("after")
        return reply({"results": [{"id": f"d{after}", "name": "x"}], "next": None if after else "two"})
    company = parts.path.split("/")[2]
    if query.get("since") != ["2025"]:
        return reply({"message": "since is required"}, status=400)
    rows = [{"id": f"{company}-{n}", "name": "x"} for n in range(3)]
    return reply({"results": rows, "next": None if "cursor" in query else "two"})


def ledger() -> Interface:
    """The interface of the document; a helper process makes it with this."""
    return interface_of(read(json.dumps(DOCUMENT).encode()), "ledger")


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(interfaces, "REGISTRIES", dict(interfaces.REGISTRIES))
    interfaces.register(ledger(), ledger)
    yield
    interfaces.forget("ledger")


async def opened(url: str, home: Path, *, in_window: bool = False) -> Stage:
    profile = Profile(id="0ff", name="Ledger", base_url=url, connection="acme", interface="ledger")
    key = Credential(Auth.APIKEY, "key-of-the-test")
    session = await Session.open(profile, key, Folders.of_user(home), in_window=in_window)
    notices = Notices()

    async def no_write(_request: object) -> None:
        return None

    return Stage(session, [], PageContext(session, notices, Commands(), theme(), Kept(), no_write))


def type_into(page: ListPage, name: str, text: str) -> None:
    line = page.head.strip.grid.editors[name].input()
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)


def test_nothing_is_sent_before_they_are_there(qapp: QApplication, own_home: Path, known: None) -> None:
    async def scene() -> None:
        stage = await opened(server.url, own_home)
        page = stage.open(stage.session.registry.resource("companies/contacts"))
        await turns()
        assert list(page.head.strip.grid.editors) == ["companyId", "since"], "the profile has the connection"
        assert page.table.empty.whole() == "Enter companyId and since: the list cannot be asked for without."
        assert (page.head.primary_button.isEnabled(), page.head.reload_button.isEnabled()) == (False, False)
        QTest.keyClick(page.head.strip.grid.editors["since"].input(), Qt.Key.Key_Return)
        page.load_all()
        page.reload()
        type_into(page, "companyId", "c2")
        assert "Enter since:" in page.head.reload_button.toolTip()
        page.reload()
        QTest.keyClick(page.head.strip.grid.editors["companyId"].input(), Qt.Key.Key_Return)
        await turns()
        assert server.got == []
        type_into(page, "since", "2025")
        assert page.head.primary_button.isEnabled()
        QTest.keyClick(page.head.strip.grid.editors["since"].input(), Qt.Key.Key_Return)
        await settled(page)
        assert server.got[0].target == "/companies/c2/contacts?since=2025&connection_id=acme"
        assert page.count.whole() == "6, complete", "two short pages fill the view"
        type_into(page, "companyId", "")
        page.reload()
        assert page.count.whole() == "6, complete", "the rows stay while another value is being entered"
        calls = len(server.got)
        type_into(page, "companyId", "c1")
        page.load_all()
        await turns()
        assert len(server.got) == calls, "Load all is about the rows that are shown, and they are complete"
        page.reload()
        await settled(page)
        assert json.loads(page.model.raw(0))["id"] == "c1-0"
        type_into(page, "companyId", "c2")
        calls = len(server.got)
        page.reload()
        await settled(page)
        assert (page.count.whole(), len(server.got)) == ("6, complete", calls), "a pull of its own, as stored"
        state = page.save_state()
        again = stage.open(page.resource)
        again.restore_state(state)
        await settled(again)
        assert (again.model.rowCount(), len(server.got)) == (6, calls)
        await stage.close()

    with Recording(answering=answered) as server:
        run(qapp, scene())


def test_what_a_search_takes_in_its_body_stands_in_the_head(
    qapp: QApplication, own_home: Path, known: None
) -> None:
    async def scene() -> None:
        stage = await opened(server.url, own_home)
        page = stage.open(stage.session.registry.resource("deals"))
        await settled(page)
        assert list(page.head.strip.grid.editors) == ["lang", "stage", "owner"]
        assert heard(page) == []
        first = len(server.got)
        type_into(page, "owner", "u 1")
        type_into(page, "lang", "en")
        QTest.keyClick(page.head.strip.grid.editors["owner"].input(), Qt.Key.Key_Return)
        await settled(page)
        assert page.count.whole() == "2, complete"
        assert [json.loads(got.body) for got in server.got[first:]] == [
            {"owner": "u 1"},
            {"owner": "u 1", "paging": {"after": "two"}},
        ]
        assert all(parse_qs(urlsplit(got.target).query)["lang"] == ["en"] for got in server.got[first:])
        await stage.close()

    with Recording(answering=answered) as server:
        run(qapp, scene())


def test_load_all_takes_what_was_entered(qapp: QApplication, own_home: Path, known: None) -> None:
    async def scene() -> None:
        stage = await opened(server.url, own_home, in_window=True)  # Load all in a process
        page = stage.open(stage.session.registry.resource("companies/contacts"))
        await turns()
        type_into(page, "companyId", "c2")
        type_into(page, "since", "2025")
        page.head.primary_button.click()
        await settled(page)
        assert page.count.whole() == "6, complete"
        page.show_place(row=5)
        await settled(page)
        assert page.head.asked() == ({"companyId": "c2", "since": "2025"}, ())
        await stage.close()

    with Recording(answering=answered) as server:
        run(qapp, scene())


def test_the_parents_stored_ids_are_offered(qapp: QApplication, own_home: Path, known: None) -> None:
    async def scene() -> None:
        stage = await opened(server.url, own_home)
        page = stage.open(stage.session.registry.resource("companies/contacts"))
        await turns()
        editor = page.head.strip.grid.editors["companyId"]
        assert isinstance(editor, TextEditor)
        line = editor.input()
        line.setFocus()
        QTest.keyClick(line, Qt.Key.Key_Down)
        assert editor._choices is not None
        popup = editor._choices.popup()
        assert popup is not None
        assert not popup.isVisible(), "nothing is stored of the parent"
        await settled(stage.open(stage.session.registry.resource("companies")))
        calls = len(server.got)
        QTest.keyClick(line, Qt.Key.Key_Down)
        model = popup.model()
        assert [model.index(n, 0).data() for n in range(model.rowCount())] == [
            "c 1/2   Acme <b>",
            "c2   Globex",
        ]
        assert popup.accessibleName() == "Ids of Companies that are stored"
        QTest.keyClick(popup, Qt.Key.Key_Down)
        QTest.keyClick(popup, Qt.Key.Key_Return)
        assert page.head.asked() == ({"companyId": "c 1/2"}, ())
        assert len(server.got) == calls
        type_into(page, "since", "2025")
        page.reload()
        await settled(page)
        assert server.got[-1].target.startswith("/companies/c%201%2F2/contacts?")
        await stage.close()

    with Recording(answering=answered) as server:
        run(qapp, scene())


def test_the_command_line_asks_for_them_too(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ledger.json"
    file.write_text(json.dumps(DOCUMENT))
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "key-of-the-test")
    monkeypatch.setattr(interfaces, "REGISTRIES", dict(interfaces.REGISTRIES))
    assert command(["interfaces", "add", str(file), "--name", "ledger"]) == 0
    with Recording(answering=answered) as server:
        of = ["--interface", "ledger", "--base-url", server.url, "--connection-id", "acme"]
        capsys.readouterr()
        assert command(["pull", "companies/contacts", *of, "--param", "companyId=c2"]) == 2
        assert capsys.readouterr() == (
            "",
            "companies/contacts needs since: add --param since=VALUE. Nothing was sent.\n",
        )
        assert server.got == []
        given = ["--param", "companyId=c2", "--param", "since=2025"]
        assert command(["pull", "companies/contacts", *of, *given]) == 0
        assert len(capsys.readouterr().out.splitlines()) == 6
