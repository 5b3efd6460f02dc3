"""The history of a page, the command line that does the same, and a draft that outlives a killed process."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.api.redact import MASK
from explorer.catalog.request import Request
from explorer.paths import Folders
from explorer.profiles.profile import Environment, Guard, Profile, Profiles
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.call.call_history import HistoryDialog
from explorer.ui.call.call_page import CallPage
from tests.builtin import registry
from tests.forked import WINDOWS
from tests.gui.conftest import RunWindow, until
from tests.gui.core_stage import QUIET, Play, Stage, player, send, type_in
from tests.recording import Recording

pytestmark = QUIET
PUT = "core/customer/put"


@pytest.fixture
def play(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    return player(dressed, folders, service)


def outcomes(page: CallPage) -> list[Any]:
    return [entry.data["outcome"] for entry in page.pane.history.entries()]


def loaded(page: CallPage, row: int) -> None:
    """Open the history by its button and load a call by keys alone."""
    page.head.history_button.click()
    dialog = page.findChildren(HistoryDialog)[-1]
    dialog.table.setFocus()
    for _ in range(row):
        QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    QTest.mouseClick(dialog.load, Qt.MouseButton.LeftButton)


def test_each_sent_call_is_listed_and_loading_one_sends_nothing(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(PUT)
        type_in(page, {"path:id": "acme", "body:metadata": '{"tier": 1.10}'})
        page.pane.form.extra.set_pairs([("trace", "1")])
        await send(page)
        first = page.pane.form.request()
        type_in(page, {"path:id": "other", "body:metadata": "[2]"})
        await send(page)
        assert outcomes(page) == ["200 OK", "200 OK"]
        entry = page.pane.history.entries()[0]
        assert entry.connection == at.session.connection
        assert entry.data["exchange"] == at.session.exchanges.all()[-1].id
        assert entry.data["ms"] >= 0
        calls = len(at.session.exchanges.all())
        loaded(page, 1)
        assert page.pane.form.request() == first
        assert page.status_text == "Loaded into the form, nothing was sent"
        assert len(at.session.exchanges.all()) == calls
        again = at.open(PUT)
        assert outcomes(again) == ["200 OK", "200 OK"], "it outlives its page"

    play(scene)


def test_every_call_page_offers_history_and_the_command(play: Play) -> None:
    async def scene(at: Stage) -> None:
        for resource in registry.resources():
            if resource.listing is not None:
                continue
            page = at.open(resource.operations[0].key)
            offered = {command.id for command, _ in page.commands()}
            assert {"request.history", "request.copy_command", "request.copy_curl"} <= offered
            dialog = page.show_history()
            assert dialog.said.text() == "Nothing was sent from this form yet."
            assert not dialog.load.isEnabled()
            dialog.reject()

    play(scene)


def test_a_failure_is_listed_in_words_and_a_refusal_is_not(
    dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess
) -> None:
    async def fails(at: Stage) -> None:
        page = at.open("crm/contact/update")
        page.pane.form.path.set_value({"id": "nobody"})
        page.pane.form.body.set_raw('{"record": {}}')
        await send(page)
        assert "404 Not Found" in outcomes(page)[0]
        loaded(page, 0)
        assert page.pane.form.body.raw.text() == '{"record": {}}'
        assert page.pane.form.path_values() == {"id": "nobody"}

    async def refused(at: Stage) -> None:
        page = at.open(PUT)
        type_in(page, {"path:id": "acme"})
        await send(page)
        assert page.pane.panel.badge.text() == "Refused"
        assert outcomes(page) == []

    player(dressed, folders, service)(fails)
    player(dressed, folders, service, guard=Guard.READ_ONLY)(refused)


def test_a_stopped_write_is_listed_as_unknown(
    dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        page.pane.form.body.set_value({"record": {"first_name": "Ada"}})
        page.send()
        await until(lambda: len(at.session.exchanges.all()) == 1, "the call")
        assert outcomes(page) == ["Sent, response not known"], (
            "kept before the answer, a crash does not lose it"
        )
        page.stop()
        assert outcomes(page) == ["Stopped, outcome unknown"]

    player(dressed, folders, service, connection="conn_sandbox_slow")(scene)


def test_a_secret_in_a_form_is_not_kept_and_its_mask_is_pointed_out(play: Play, own_home: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(PUT)
        type_in(page, {"path:id": "acme", "body:metadata": '{"password": "hunter-two", "tier": 1}'})
        page.copy_as_command()
        assert "hunter-two" not in QApplication.clipboard().text()
        assert "masked" in page.status_text
        page.copy_as_curl()
        assert "hunter-two" not in QApplication.clipboard().text()
        await send(page)
        loaded(page, 0)
        assert page.pane.form.body.value() == {"metadata": {"password": MASK, "tier": 1}}
        assert page.pane.banner is not None
        assert page.pane.banner.title == "Some values were hidden when this call was saved"

    play(scene)
    kept = list(own_home.rglob("*.journal.sqlite3*"))
    assert kept
    assert all(b"hunter-two" not in path.read_bytes() for path in kept)


def test_a_link_is_in_no_history(play: Play, own_home: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("connect/magic-link")
        page.pane.form.body.set_value({"customerId": "acme"})
        await send(page)
        outcome = page.pane.panel.answer.outcome
        assert outcome is not None
        tokens.append(json.loads(outcome.body)["url"].partition("?")[2].encode())
        assert outcomes(page) == ["200 OK"]

    tokens: list[bytes] = []
    play(scene)
    assert tokens[0]
    assert all(tokens[0] not in path.read_bytes() for path in own_home.rglob("*") if path.is_file())


def test_forgetting_empties_the_list_of_this_form_alone(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(PUT)
        type_in(page, {"path:id": "acme"})
        await send(page)
        other = at.open("core/pipeline/create")
        at.session.journal.add("history", "core/pipeline/create", {"form": {}, "outcome": "200 OK"})
        dialog = page.show_history()
        dialog.forget.click()
        assert outcomes(page) == []
        assert not dialog.load.isEnabled()
        assert outcomes(other) == ["200 OK"]

    play(scene)


def test_a_journal_that_cannot_be_used_is_told_of_once_and_stops_no_call(play: Play) -> None:
    async def scene(at: Stage) -> None:
        at.session.journal.close()
        page = at.open("accounting/payment-receipt")
        type_in(page, {"query:customer_transaction_id": "1001"})
        for _ in range(2):
            await send(page)
            assert page.pane.panel.badge.text() == "200 OK"
        assert len(at.told) == 1

    play(scene)


def test_the_copied_command_does_the_same(
    dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess, own_home: Path
) -> None:
    profile = Profile(
        name="Box 'one'",
        environment=Environment.DEVELOPMENT,
        base_url=service.base_url,
        connection="conn_sandbox_clean",
        guard=Guard.OPEN,
    )
    Profiles(folders).save(profile)

    async def scene(at: Stage) -> None:
        at.session.profile = profile
        page = at.open(PUT)
        page.pane.form.path.grid.editors["id"].input().setText("it's/ünï")  # no key of a test keyboard
        type_in(page, {"body:metadata": '{"note": "a\'b $HOME `x` \\n", "n": 1.10}'})
        page.pane.form.extra.set_pairs([("q", "a b&c"), ("e", "")])
        page.copy_as_command()
        line = QApplication.clipboard().text()
        assert "--profile 'Box '\"'\"'one'\"'\"''" in line
        assert service.apikey not in line
        assert list(at.session.exchanges.all()) == [], "copying sends nothing"
        made.append((at, line, page.pane.form.request()))

    made: list[tuple[Stage, str, Request]] = []
    player(dressed, folders, service)(scene)
    [(at, line, sent)] = made
    given = {
        **os.environ,
        "UNIFIED_EXPLORER_HOME": str(own_home),
        "UNIFIED_EXPLORER_APIKEY": service.apikey,
    }
    run = line.replace("unified-explorer call", f"{shlex.quote(sys.executable)} -m explorer call")
    done = subprocess.run(["sh", "-c", run], env=given, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    state = at.state()
    got = state["requests"][-1]
    assert (got["method"], got["path"], got["query"]) == ("PUT", sent.path, [list(p) for p in sent.query])
    assert got["body"].encode() == sent.body
    assert state["customers"]["it's/ünï"]["metadata"] == {"note": "a'b $HOME `x` \n", "n": 1.1}


WALK = """
import asyncio, sys
from PySide6.QtTest import QTest
from explorer.paths import Folders
from explorer.ui.app.application import Application, application, run_with

async def life():
    app = Application(Folders.of_user(sys.argv[1]))
    async def script():
        loop = asyncio.get_running_loop()
        async def turn():
            future = loop.create_future()
            loop.call_later(0.01, future.set_result, None)
            await future
        while app.session is None:
            await turn()
        app.window.open_page("crm/contact")
        page = app.window.tabs.current
        page.choose(2)
        record = page.pane.form.body.grid.editors["record"].grid.editors
        QTest.keyClicks(record["first_name"].input(), "Ada")
        record["passthrough_fields"].input().insertPlainText('{"half": ')
        while True:
            await turn()
    code, _ = await asyncio.gather(app.main(), script())
    return code

run_with(application(), life)
"""


def test_a_draft_outlives_kill_9_and_nothing_was_sent(
    run_window: RunWindow, folders: Folders, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Recording() as server:
        profile = Profile(
            name="Box", environment=Environment.DEVELOPMENT, base_url=server.url, connection="conn_1"
        )
        profiles = Profiles(folders)
        profiles.save(profile)
        profiles.last_used = profile.id
        monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", "sbx_key_of_a_test")
        process = subprocess.Popen(
            WINDOWS.quick([sys.executable, "-c", WALK, str(own_home)]),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ.copy(),
        )
        kept = folders.state / "layout.json"
        draft = f"drafts/{profile.id}/conn_1/crm/contact/upsert"

        def is_kept() -> bool:
            if not kept.exists():
                return False
            values = json.loads(kept.read_text("utf-8"))["values"]
            return "half" in json.dumps(values.get(draft, ""))

        try:
            _wait(is_kept, process)
        finally:
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=10)

        async def again(app: Application) -> None:
            await until(lambda: app.session is not None, "the session")
            assert app.session is not None
            app.window.open_page("crm/contact")
            page = app.window.tabs.current
            assert isinstance(page, CallPage)
            page.choose(2)
            record = page.pane.form.body.grid.editors["record"].grid.editors  # type: ignore[union-attr]
            assert record["first_name"].value() == "Ada"
            assert record["passthrough_fields"].input().text() == '{"half": '
            assert list(app.session.exchanges.all()) == []
            assert page.pane.history.entries() == []

        assert run_window(again) == 0
        assert server.got == [], "nothing was sent, before the kill or after it"


def _wait(holds: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    pause = threading.Event()
    for _ in range(2000):
        if holds():
            return
        assert process.poll() is None, "the window ended by itself"
        pause.wait(0.01)
    raise AssertionError("the draft did not reach the disk")
