"""Customers from typing to what the service stored: a PUT replaces, and what would be lost is said before."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.sandbox.process import SandboxProcess
from tests.gui.core_stage import QUIET, Play, Stage, badge, editor_at, player, send, sentences, type_in
from tests.gui.stage import until

pytestmark = QUIET


@pytest.fixture
def play(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    return player(dressed, folders, service)


async def put(at: Stage, ident: str, metadata: str) -> Any:
    page = at.open("core/customer/put")
    type_in(page, {"path:id": ident, "body:metadata": metadata})
    await send(page)
    assert badge(page) == "200 OK"
    return page


def test_what_is_typed_is_stored_and_remembered(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = await put(at, "acme/1", '{"plan": "pro", "n": 1.50}')
        assert at.session.exchanges.all()[-1].path == "/v0/core/customer/acme%2F1"
        assert at.session.exchanges.all()[-1].request_body == b'{"metadata":{"plan":"pro","n":1.50}}'
        assert at.state()["customers"]["acme/1"]["metadata"] == {"plan": "pro", "n": 1.5}
        assert "This replaces the whole customer: what is not sent will be lost." in sentences(page)
        [seen] = at.session.journal.each("customer")
        assert (seen.key, seen.source) == ("acme/1", "answer")
        assert seen.data["metadata"] == {"plan": "pro", "n": 1.5}

    play(scene)


def test_what_will_be_lost_is_said_before(play: Play) -> None:
    async def scene(at: Stage) -> None:
        await put(at, "globex", '{"plan": "pro", "owner": {"team": "a", "name": "b"}, "x": null}')
        page = at.open("core/customer/put")
        assert page.pane.panel.front == "Known"
        page.pane.fill(page.pane.table.model.rows[0])
        assert editor_at(page, "path:id").text() == "globex"
        assert not any(s.startswith("Will be lost") for s in sentences(page))
        type_in(page, {"body:metadata": '{"plan": "free", "owner": {"name": "b"}}'})
        said = sentences(page)
        assert "Will be lost: metadata.owner.team, metadata.x" in said
        became = {c.field: c.what for c in page.pane.effect.table.changes}
        assert became == {
            "metadata.plan": "changed",
            "metadata.owner.team": "dropped",
            "metadata.owner.name": "kept",
            "metadata.x": "dropped",
        }
        type_in(page, {"body:metadata": ""})
        assert (
            "Will be lost: metadata.plan, metadata.owner.team, metadata.owner.name, metadata.x"
            in sentences(page)
        )
        await send(page)
        assert at.bodies()[-1] == {}
        assert "metadata" not in at.state()["customers"]["globex"]
        type_in(page, {"body:metadata": "null"})
        assert not any(s.startswith("Will be lost") for s in sentences(page)), "there is nothing left to lose"

    play(scene)


def test_of_an_unknown_customer_it_says_so(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/customer/put")
        type_in(page, {"path:id": "stranger"})
        assert (
            "The stored metadata of stranger is not known: whatever of it is not sent will be lost"
            in sentences(page)
        )

    play(scene)


@pytest.mark.parametrize(
    ("typing", "sentence"),
    [
        ({"body:metadata": "{}"}, "Required"),
        ({"path:id": "acme", "body:metadata": "{"}, "Line 1: the { of line 1 is not closed"),
        ({"path:id": "acme", "body:metadata": "{a: 1}"}, "Line 1: the name a must be in double quotes"),
        ({"path:id": ".."}, "id cannot be '..': it would change the path"),
        (
            {"path:id": "acme", "body:metadata": '{"auth": {"token": "••••••"}}'},
            "auth.token is ••••••, which hides a secret that was not saved: type the value, or leave the key out",
        ),
    ],
)
def test_what_is_wrong_is_told_and_not_sent(play: Play, typing: dict[str, str], sentence: str) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/customer/put")
        type_in(page, typing)
        await send(page)
        await until(lambda: any(sentence in s for s in sentences(page)), sentence)
        assert list(at.session.exchanges.all()) == []

    play(scene)


def test_a_masked_secret_is_not_put_in_the_place_of_the_real_one(play: Play) -> None:
    async def scene(at: Stage) -> None:
        await put(at, "initech", '{"auth": {"token": "FAKE-9"}, "a": 1}')
        page = at.open("core/customer/put")
        page.pane.fill(page.pane.table.model.rows[0])
        calls = len(at.session.exchanges.all())
        await send(page)
        assert any(s.startswith("auth.token is ••••••, which hides a secret") for s in sentences(page))
        assert len(at.session.exchanges.all()) == calls
        assert at.state()["customers"]["initech"]["metadata"]["auth"]["token"] == "FAKE-9"

    play(scene)
