"""Pipelines from typing to what the service stored: create, update with only what differs, one click to disable."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.profiles.profile import Guard
from explorer.sandbox.process import SandboxProcess
from explorer.ui.call.changes_view import ChangesView
from tests.gui.core_stage import QUIET, Play, Stage, badge, player, send, sentences, type_in
from tests.gui.stage import until

pytestmark = QUIET


@pytest.fixture
def play(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    return player(dressed, folders, service)


def known(at: Stage, ident: str, **fields: Any) -> None:
    record = {"id": ident, "disabled": False, "metadata": None, "streams": None, **fields}
    at.session.journal.add("pipeline", ident, record, source="answer", connection="conn_a")


def rows(page: Any) -> list[list[str]]:
    table: ChangesView = page.pane.effect.table
    return [
        [table.table.model().index(r, c).data() for c in range(4)]
        for r in range(table.table.model().rowCount())
    ]


def stream(page: Any, name: str, fields: str = "") -> Any:
    editor = page.pane.form.body.grid.editors["streams"]
    QTest.mouseClick(editor.add_button, Qt.MouseButton.LeftButton)
    row = editor.rows[-1]
    QTest.keyClicks(row.name, name)
    QTest.keyClicks(row.fields.input(), fields)
    return row


def test_what_is_typed_is_created_and_remembered(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/pipeline/create")
        assert page.pane.panel.front == "Request", "nothing was seen yet"
        type_in(
            page,
            {
                "body:id": "pipe_made",
                "body:sourceId": "conn_one",
                "body:destinationId": "conn_two",
                "body:metadata": '{"owner": {"team": "a", "n": 1.50}}',
            },
        )
        row = stream(page, "contact", "id,email,")
        QTest.keyClick(row.disabled.input(), Qt.Key.Key_Down)
        assert page.pane.form.request().body == (
            b'{"id":"pipe_made","metadata":{"owner":{"team":"a","n":1.50}},"sourceId":"conn_one",'
            b'"streams":{"contact":{"disabled":true,"fields":["id","email"]}},"destinationId":"conn_two"}'
        )
        await send(page)
        assert badge(page) == "200 OK"
        stored = at.state()["pipelines"]["pipe_made"]
        assert stored["metadata"] == {"owner": {"team": "a", "n": 1.5}}
        assert stored["streams"] == {"contact": {"disabled": True, "fields": ["id", "email"]}}
        assert (stored["sourceId"], stored["destinationId"]) == ("conn_one", "conn_two")
        [seen] = at.session.journal.each("pipeline")
        assert (seen.key, seen.source, seen.data["sourceId"]) == ("pipe_made", "answer", "conn_one")
        assert {e.key for e in at.session.journal.each("connection")} == {"conn_one", "conn_two"}
        await until(lambda: len(page.pane.table.model.rows) == 1, "the row of what was seen")

    play(scene)


def test_an_update_sends_only_what_differs_and_says_what_is_lost(play: Play) -> None:
    async def scene(at: Stage) -> None:
        create = at.open("core/pipeline/create")
        metadata = '{"owner": {"team": "a", "name": "Ada"}, "tier": 1, "note": null}'
        type_in(create, {"body:id": "pipe_up", "body:metadata": metadata})
        stream(create, "contact", "id,")
        await send(create)
        page = at.open("core/pipeline/update")
        assert page.pane.panel.front == "Known"
        table = page.pane.table.table
        table.setCurrentIndex(table.model().index(0, 0))
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert page.pane.panel.front == "Preview"
        form = page.pane.form
        assert form.ident == "pipe_up"
        assert form.typed()["metadata"] == json.loads(metadata)
        assert form.request().body == b"{}", "nothing differs yet"

        type_in(page, {"body:metadata": '{"owner": {"name": "Grace"}, "tier": 1, "note": null, "x": null}'})
        assert form.request().body == b'{"metadata":{"owner":{"name":"Grace"},"x":null}}'
        said = sentences(page)
        assert any("ested key owner.team will be lost" in s for s in said)
        assert any(s.startswith("Sent: metadata.owner, metadata.x · left out") for s in said)
        became = {row[0]: row[3] for row in rows(page)}
        assert became == {
            "metadata.owner.name": "changes",
            "metadata.owner.team": "will be lost",
            "metadata.x": "is added",
        }
        await send(page)
        assert badge(page) == "200 OK"
        assert at.state()["pipelines"]["pipe_up"]["metadata"] == {
            "owner": {"name": "Grace"},
            "tier": 1,
            "note": None,
            "x": None,
        }
        assert "before the last edit" not in page.pane.panel.figures.whole()
        assert form.request().body == at.session.exchanges.all()[-1].request_body, "again sends the same"

    play(scene)


def test_nothing_that_differs_is_not_sent_without_a_word(play: Play) -> None:
    async def scene(at: Stage) -> None:
        create = at.open("core/pipeline/create")
        type_in(create, {"body:id": "pipe_same", "body:metadata": '{"a": 1}'})
        await send(create)
        before = len(at.session.exchanges.all())
        page = at.open("core/pipeline/update")
        type_in(page, {"path:id": "pipe_same", "body:metadata": '{"a": 1.0}'})
        await send(page)
        assert page.pane.banner.title == "Nothing was sent: nothing differs from the last known record"
        assert len(at.session.exchanges.all()) == before
        page.pane.send_all()
        await until(lambda: not page.tasks.busy())
        assert at.session.exchanges.all()[-1].request_body == b'{"metadata":{"a":1.0}}'

    play(scene)


def test_null_clears_and_absent_does_not(play: Play) -> None:
    async def scene(at: Stage) -> None:
        create = at.open("core/pipeline/create")
        type_in(create, {"body:id": "pipe_null", "body:metadata": '{"a": {"b": 1}}'})
        stream(create, "deal")
        await send(create)
        page = at.open("core/pipeline/update")
        type_in(page, {"path:id": "pipe_null", "body:metadata": "null"})
        assert any("null clears all of metadata: a.b will be lost" in s.lower() for s in sentences(page))
        await send(page)
        stored = at.state()["pipelines"]["pipe_null"]
        assert stored["metadata"] is None
        assert stored["streams"] == {"deal": {}}

    play(scene)


def test_of_an_unknown_pipeline_it_says_that_nothing_is_known_and_sends_all(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/pipeline/update")
        type_in(page, {"path:id": "pipe_far", "body:metadata": '{"owner": {"name": "x"}}'})
        said = sentences(page)
        assert "What is stored is not known: keys inside nested objects may be lost" in said
        page.pane.panel.turn_to("Preview")
        assert "pipe_far is not known in this profile." in sentences(page)
        assert page.pane.form.request().body == b'{"metadata":{"owner":{"name":"x"}}}'
        await send(page)
        assert badge(page) == "404 Not Found"
        assert page.pane.banner is not None
        assert "pipeline not found: pipe_far" in page.pane.banner.title + page.pane.banner.text

    play(scene)


@pytest.mark.parametrize(
    ("operation", "typing", "sentence"),
    [
        ("core/pipeline/create", {"body:id": "line_1"}, "Must start with pipe_"),
        ("core/pipeline/create", {"body:sourceId": "source"}, "Must start with conn_"),
        ("core/pipeline/create", {"body:destinationId": "conn-2"}, "Must start with conn_"),
        ("core/pipeline/create", {"body:metadata": '{"a" 1}'}, 'Line 1: a colon is missing after "a"'),
        ("core/pipeline/update", {"body:disabled": "1"}, "Required, must start with pipe_"),
        ("core/pipeline/update", {"path:id": "conn_1"}, "Must start with pipe_"),
        (
            "core/pipeline/update",
            {"path:id": "pipe_x", "body:metadata": "{"},
            "Line 1: the { of line 1 is not closed",
        ),
        (
            "core/pipeline/update",
            {"path:id": "pipe_x", "body:metadata": '{"apiKey": "••••••"}'},
            "apiKey is ••••••, which hides a secret that was not saved: type the value, or leave the key out",
        ),
    ],
)
def test_what_is_wrong_is_told_and_not_sent(
    play: Play, operation: str, typing: dict[str, str], sentence: str
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(operation)
        type_in(page, typing)
        await send(page)
        assert sentence in sentences(page)
        assert list(at.session.exchanges.all()) == []

    play(scene)


def test_streams_that_no_object_can_hold_are_told(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/pipeline/update")
        type_in(page, {"path:id": "pipe_x"})
        stream(page, "deal", "id,")
        stream(page, "deal")
        stream(page, "", "name,")
        await send(page)
        assert "A stream has no name" in sentences(page)
        editor = page.pane.form.body.grid.editors["streams"]
        editor.remove_row(editor.rows[-1])
        assert "The stream deal appears twice" in sentences(page)
        assert page.pane.form.request().body == b'{"streams":{"deal":{"fields":["id"]},"deal":{}}}'
        assert list(at.session.exchanges.all()) == []

    play(scene)


def test_one_click_disables_and_enables_again(play: Play) -> None:
    async def scene(at: Stage) -> None:
        create = at.open("core/pipeline/create")
        type_in(create, {"body:id": "pipe_click", "body:metadata": '{"a": 1}'})
        await send(create)
        assert create.switch.text() == "Disable"
        QTest.mouseClick(create.switch, Qt.MouseButton.LeftButton)
        await until(lambda: not create.tasks.busy() and create.pane.panel.badge.text() == "200 OK")
        assert at.session.exchanges.all()[-1].request_body == b'{"disabled":true}'
        assert at.state()["pipelines"]["pipe_click"]["disabled"] is True
        assert at.state()["pipelines"]["pipe_click"]["metadata"] == {"a": 1}
        table = create.pane.table
        create.pane.panel.turn_to("Known")
        await until(lambda: table.model.rows and table.model.rows[0].data["disabled"] is True)
        link = table.table.visualRect(table.model.index(0, table.model.columnCount() - 1)).center()
        QTest.mouseClick(
            table.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, link
        )
        await until(lambda: at.bodies()[-1] == {"disabled": False} and not create.tasks.busy())
        assert at.state()["pipelines"]["pipe_click"]["disabled"] is False
        assert len(at.asked) == 3, "each was asked about as any write"

    play(scene)


def test_one_click_on_a_read_only_profile_is_refused_and_in_the_log(
    dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        known(at, "pipe_ro")
        page = at.open("core/pipeline/update")
        type_in(page, {"path:id": "pipe_ro"})
        wire = at.state()["request_count"]
        QTest.mouseClick(page.switch, Qt.MouseButton.LeftButton)
        await until(lambda: not page.tasks.busy() and page.pane.banner is not None)
        assert badge(page) == "Refused"
        [refused] = at.session.exchanges.all()
        assert refused.state == "refused"
        assert at.state()["request_count"] - wire <= 1, "no more than the question for the state itself"
        assert "pipe_ro" not in at.state()["pipelines"]

    player(dressed, folders, service, guard=Guard.READ_ONLY)(scene)


def test_a_masked_secret_is_never_put_back(play: Play) -> None:
    async def scene(at: Stage) -> None:
        create = at.open("core/pipeline/create")
        type_in(
            create, {"body:id": "pipe_sec", "body:metadata": '{"auth": {"apiKey": "FAKE-77", "user": "a"}}'}
        )
        await send(create)
        page = at.open("core/pipeline/update")
        page.pane.fill(page.pane.table.model.rows[0])
        assert page.pane.form.faults() == [], "what is the same is not sent"
        type_in(page, {"body:metadata": '{"auth": {"apiKey": "••••••", "user": "b"}}'})
        calls = len(at.session.exchanges.all())
        await send(page)
        assert any(s.startswith("auth.apiKey is ••••••, which hides a secret") for s in sentences(page))
        assert len(at.session.exchanges.all()) == calls

    play(scene)


def test_filling_can_be_undone_and_drafts_keep_the_choice(play: Play) -> None:
    async def scene(at: Stage) -> None:
        known(
            at, "pipe_a", metadata={"k": 1}, streams={"deal": {"cursor": "x", "disabled": False, "own": [1]}}
        )
        page = at.open("core/pipeline/update")
        type_in(page, {"path:id": "pipe_b", "body:metadata": '{"mine": 1}'})
        before = page.pane.form.draft()
        page.pane.fill(page.pane.table.model.rows[0])
        assert page.pane.form.typed()["streams"] == {"deal": {"cursor": "x", "disabled": False, "own": [1]}}
        [(label, undo)] = at.told[-1].actions
        assert label == "Undo"
        undo()
        assert page.pane.form.draft() == before
        page.pane.form.only.setChecked(False)
        page.pane.keep_draft()
        assert at.open("core/pipeline/update").pane.form.only.isChecked() is False

    play(scene)
