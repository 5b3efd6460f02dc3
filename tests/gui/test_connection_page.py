"""The connection check from typing to the service's state: flags, guard, masked answers, bare texts, the timeline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from explorer.api.exchanges import as_curl, as_har
from explorer.paths import Folders
from explorer.profiles.profile import Guard
from explorer.sandbox.process import SandboxProcess
from explorer.ui.kit.plain import PlainLabel
from tests.gui.core_stage import QUIET, Play, Stage, badge, editor_at, player, send, sentences, type_in
from tests.gui.stage import until

pytestmark = QUIET

FLAGS = ("skipCache", "import", "updateWebhook", "sandboxSimulateUpdate", "sandboxSimulateDisconnect")
CANARIES = ("FAKE-ACCESS", "FAKE-REFRESH", "FAKE-KEY")


@pytest.fixture
def play(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    return player(dressed, folders, service, connection="conn_sandbox_clean")


def files_under(folder: Path) -> str:
    """All that any file holds."""
    return "".join(path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file())


def timeline(page: Any) -> list[tuple[str, ...]]:
    model = page.pane.timeline.model
    return [
        tuple(str(model.index(row, column).data()) for column in (2, 3, 4)) for row in range(model.rowCount())
    ]


WRITES = "A check is a write: the service may change the stored connection, whatever the flags say"


def test_the_connection_in_use_is_checked_with_one_key_after_a_question(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        assert list(at.session.exchanges.all()) == []
        assert editor_at(page, "path:id").text() == "conn_sandbox_clean"
        assert any(said.startswith(WRITES) for said in sentences(page))
        await send(page)
        assert badge(page) == "200 OK"
        assert [request.body for request in at.asked] == [b"{}"], "a check without any flag is a write too"
        assert at.bodies() == [{}]
        assert "conn_sandbox_clean" in at.state()["connections"], "and the service did change it"
        assert any(s.startswith("healthy · Sandbox (clean)") for s in sentences(page))
        [seen] = at.session.journal.each("connection")
        assert (seen.key, seen.data["connectorName"]) == ("conn_sandbox_clean", "sandbox-suite")
        assert [c.key for c in at.session.journal.each("customer")] == ["cust_sandbox"]

    play(scene)


def test_each_flag_has_its_states_and_each_check_is_asked_about(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        # Down from "left out": true, false, null.
        type_in(page, {"body:skipCache": "1", "body:import": "2", "body:updateWebhook": "3"})
        assert page.pane.form.request().body == b'{"skipCache":true,"import":false,"updateWebhook":null}'
        await send(page)
        assert len(at.asked) == 1
        type_in(page, {"body:sandboxSimulateDisconnect": "1"})
        await send(page)
        assert len(at.asked) == 2
        assert "conn_sandbox_clean" in at.state()["disconnected"]
        type_in(page, {"body:sandboxSimulateUpdate": "1"})
        editor_at(page, "body:sandboxSimulateDisconnect").setCurrentIndex(0)
        await send(page)
        assert "conn_sandbox_clean" not in at.state()["disconnected"]

    play(scene)


def test_the_request_that_is_shown_follows_the_form(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        preview = page.pane.panel.preview
        type_in(page, {"body:skipCache": "1"})
        await until(lambda: preview.whole, "the request")
        assert preview.text.toPlainText().endswith('{\n  "skipCache": true\n}')
        type_in(page, {"path:id": "conn_other"})
        await until(lambda: preview.whole, "the request")
        assert "/connection/conn_other/_check" in preview.text.toPlainText()

    play(scene)


@pytest.mark.parametrize(
    "body", ["{}", '{"skipCache": true}', json.dumps(dict.fromkeys(FLAGS, False)), '{"new": null}']
)
def test_a_check_is_refused_on_a_read_only_profile_whatever_its_flags(
    body: str, dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        type_in(page, {"path:id": "conn_sandbox_lever"})
        page.pane.form.body.set_raw(body)
        page.pane.form.changed.emit()
        await send(page)
        assert badge(page) == "Refused"
        assert "This profile is read only: nothing was sent." in sentences(page)
        assert "conn_sandbox_lever" not in at.state()["connections"]
        assert at.session.journal.latest("check") == [], "what never left is no check"

    player(dressed, folders, service, guard=Guard.READ_ONLY)(scene)


def test_secrets_are_masked_until_asked_and_are_nowhere_else(play: Play, own_home: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        await send(page)
        answer = page.pane.panel.answer
        assert not any(canary in answer.shown.decode() for canary in CANARIES)
        QTest.mouseClick(answer.hidden.button, Qt.MouseButton.LeftButton)
        assert all(canary in answer.shown.decode() for canary in CANARIES), (
            "and they are there when asked for"
        )
        await send(page)
        assert not any(canary in answer.shown.decode() for canary in CANARIES), "of each answer anew"
        page.pane.keep_draft()
        page.pane.panel.turn_to("Timeline")
        page.pane.timeline.open.setChecked(True)
        shown = " ".join(label.whole() for label in page.findChildren(PlainLabel))
        shown += " ".join(text.toPlainText() for text in page.findChildren(QPlainTextEdit))
        shown += page.pane.timeline.answer.model.data_bytes.decode()
        log = at.session.exchanges.all()
        kept = repr(log) + as_har(log).decode() + "".join(map(as_curl, log))
        kept += "".join(e.response_body.decode() for e in log) + repr(at.session.journal.latest("check"))
        kept += repr(at.session.journal.latest("history")) + repr(at.told) + json.dumps(at.settings)
        kept += files_under(own_home)
        assert "conn_sandbox_clean" in files_under(own_home), "the journal is among them"
        assert not [canary for canary in CANARIES if canary in shown + kept]

    play(scene)


def test_a_bare_text_is_said_to_be_one(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        type_in(page, {"path:id": "conn_sandbox_box"})
        await send(page)
        assert page.pane.panel.answer.shown == b'"Connection is healthy"'
        assert "The response is a bare text, not an object: “Connection is healthy”" in sentences(page)
        await until(lambda: timeline(page) == [("200 OK", "“Connection is healthy”", "first check")])

    play(scene)


def test_the_timeline_says_what_changed_since_the_last(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        type_in(page, {"path:id": "conn_sandbox_ashby"})
        await send(page)
        type_in(page, {"body:sandboxSimulateDisconnect": "1"})
        await send(page)
        page.pane.panel.turn_to("Timeline")
        await until(lambda: len(timeline(page)) == 2)
        assert timeline(page)[1] == ("200 OK", "healthy", "first check")
        assert timeline(page)[0][:2] == ("200 OK", "disconnected")
        assert timeline(page)[0][2].startswith("status: healthy → disconnected, updatedAt")
        changed = {c.field: (c.sent, c.returned) for c in page.pane.timeline.changes.changes}
        assert changed["status"] == ("healthy", "disconnected")
        assert set(changed) == {"status", "updatedAt"}
        type_in(page, {"path:id": "conn_nowhere"})
        editor_at(page, "body:sandboxSimulateDisconnect").setCurrentIndex(0)
        await send(page)
        await until(lambda: len(timeline(page)) == 1)
        assert timeline(page)[0][0] == "404 Not Found"
        assert timeline(page)[0][2] == "no response to compare"
        again = at.open("core/connection/check")
        type_in(again, {"path:id": "conn_sandbox_ashby", "body:sandboxSimulateUpdate": "1"})
        assert len(timeline(again)) == 2, "the checks are there again"
        await send(again)
        QTest.mouseClick(again.pane.timeline.forget, Qt.MouseButton.LeftButton)
        await until(lambda: not at.session.journal.of("check", "conn_sandbox_ashby"))

    play(scene)


@pytest.mark.parametrize(
    ("typing", "sentence"),
    [
        ({"path:id": "sandbox_clean"}, "Must start with conn_"),
        ({"path:id": ""}, "Required, must start with conn_"),
        ({"raw": '{"import": "yes"}'}, "import: Must be true or false"),
        ({"raw": '{"skipCache": tru}'}, "Line 1: the text tru must be in double quotes"),
    ],
)
def test_what_is_wrong_is_told_and_not_sent(play: Play, typing: dict[str, str], sentence: str) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        if "raw" in typing:
            page.pane.form.body.set_raw(typing["raw"])
            page.pane.form.changed.emit()
        else:
            type_in(page, typing)
        await send(page)
        assert sentence in sentences(page)
        assert list(at.session.exchanges.all()) == []

    play(scene)


def test_an_unknown_connection_is_told_in_the_services_words(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        type_in(page, {"path:id": "conn_gone"})
        await send(page)
        assert badge(page) == "404 Not Found"
        await until(
            lambda: "The service does not know the connection conn_gone for this key." in sentences(page)
        )
        assert at.session.journal.each("connection") == [], "what is not there was not seen"

    play(scene)


def test_seen_connections_fill_the_form_are_added_imported_and_forgotten(play: Play, tmp_path: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        table = page.pane.table
        own = list(at.session.profile.connections)
        assert [t.key for t in table.model.rows] == own, "the profile's own count as seen"
        table.table.setCurrentIndex(table.model.index(0, 0))
        assert not table.forget.isEnabled()
        dialog = table.ask()
        QTest.keyClicks(dialog.text, "conn_b, wrong")
        assert dialog.add.text() == "Add 1 connection"
        assert dialog.faults.whole() == ""  # beside an id, other words are columns of a table
        QTest.keyClick(dialog.text, Qt.Key.Key_Return)
        QTest.keyClicks(dialog.text, "wrong")
        assert dialog.faults.whole() == "Line 2: wrong must start with conn_"
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        await until(lambda: [t.key for t in table.model.rows] == ["conn_b", *own])
        file = tmp_path / "list.json"
        file.write_text(
            '[{"id": "conn_c", "connectorName": "hubspot", "settings": {"token": "s3cret"}}, "conn_b"]'
        )
        imported = table.import_file(file)
        assert imported is not None
        imported.accept()
        await until(lambda: len(table.model.rows) == len(own) + 2)
        [thing] = [t for t in table.model.rows if t.key == "conn_c"]
        assert (thing.source, thing.data["connectorName"]) == ("import", "hubspot")
        assert "s3cret" not in repr(thing)
        assert at.told[-1].text == "1 already there"
        row = [t.key for t in table.model.rows].index("conn_c")
        table.table.setCurrentIndex(table.model.index(row, 0))
        QTest.mouseClick(table.fill, Qt.MouseButton.LeftButton)
        assert editor_at(page, "path:id").text() == "conn_c"
        QTest.keyClicks(table.filter, "hub")
        assert [t.key for t in table.model.rows] == ["conn_c"]
        table.table.setCurrentIndex(table.model.index(0, 0))
        QTest.mouseClick(table.forget, Qt.MouseButton.LeftButton)
        await until(lambda: not table.model.rows)
        assert at.told[-1].title == "Forgot conn_c"
        at.told[-1].actions[0][1]()
        await until(lambda: [t.key for t in table.model.rows] == ["conn_c"])
        assert table.import_file(tmp_path / "none.txt") is None
        assert at.told[-1].title == "Nothing was imported"
        assert list(at.session.exchanges.all()) == []

    play(scene)
