"""What must not leave: writes on a read-only profile however they are asked for, writes that the person did not
confirm, and a second copy of a write whose outcome is unknown.

The other side is a plain recording server; what it did not see did not leave.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from functools import partial
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton

from explorer.api import guard
from explorer.api.errors import Refused
from explorer.api.guard import Permit
from explorer.catalog.request import build
from explorer.cli import call as command
from explorer.cli.app import run as run_command
from explorer.paths import Folders
from explorer.profiles.profile import Environment, Guard, Profile, Profiles
from explorer.ui.app.application import Application
from explorer.ui.call.call_history import KIND, HistoryDialog
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.write_dialog import WriteDialog, consent
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until
from tests.gui.write_stage import CONTROL, Stage, editor, play, send, type_in
from tests.recording import Recording, Reply, reply

# Completion opens a popup, which the offscreen platform remarks on.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

KEY = "guard-key-8d20"
CONNECTION = "conn_guard"
READ_ONLY = "This profile is read only: nothing was sent."
LEFT = Qt.MouseButton.LeftButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def server() -> Any:
    with Recording() as made:
        yield made


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The profile's key, for the window and for the command line alike."""
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", KEY)


def save(folders: Folders, server: Recording, **fields: Any) -> Profile:
    """A profile of the user's own on the recording server."""
    profile = Profile(name="Acme", base_url=server.url, connection=CONNECTION, **fields)
    Profiles(folders).save(profile)
    return profile


async def opened(app: Application) -> None:
    await until(lambda: app.session is not None, "the session")


def page_of(app: Application, operation: str) -> Any:
    """The page of an operation, in front."""
    resources = app.window.registry.resources()
    resource = next(r for r in resources if any(o.key == operation for o in r.operations))
    app.window.open_page(resource.key)
    page = app.window.tabs.current
    assert isinstance(page, CallPage)
    page.choose([o.key for o in resource.operations].index(operation))
    return page


async def offered(app: Application, command: str) -> None:
    """The page's commands reach menus and shortcuts in the loop's next turn."""
    await until(lambda: app.window.commands.action(command) in app.window.actions(), command)


# ------------------------------------------------------------------ ways to write


async def primary_button(app: Application) -> None:
    page = page_of(app, "crm/contact/create")
    inner(page, "record", "first_name", "Ada")
    QTest.mouseClick(page.head.send_button, LEFT)


async def control_enter(app: Application) -> None:
    page = page_of(app, "crm/contact/update")
    QTest.keyClicks(editor(page, "path:id").input(), "101")
    QTest.keyClick(editor(page, "path:id").input(), Qt.Key.Key_Return, CONTROL)


async def palette(app: Application) -> None:
    page_of(app, "crm/contact/upsert")
    QTest.keyClick(app.window, Qt.Key.Key_K, CONTROL)
    field = app.window.palette_.field
    QTest.keyClicks(field, "Send")
    assert field.accessibleDescription().startswith("Send, Command")
    QTest.keyClick(field, Qt.Key.Key_Return)


async def menu(app: Application) -> None:
    page = page_of(app, "core/customer/put")
    QTest.keyClicks(editor(page, "path:id").input(), "cus_1")
    await offered(app, "request.history")
    found = app.window.menus.menu("Request")
    next(action for action in found.actions() if action.text() == "Send").trigger()


async def loaded_from_history(app: Application) -> None:
    page = page_of(app, "crm/contact/create")
    page.clear()
    form = {"path": {}, "query": {}, "body": {"record": {"email": "old@example.org"}}, "raw": None}
    data = {"form": form, "extra": [], "outcome": "200 OK", "badge": "holds"}
    page.session.journal.add(KIND, "crm/contact/create", data, source="form", connection=CONNECTION)
    await offered(app, "request.history")
    QTest.keyClick(app.window, Qt.Key.Key_H, CONTROL | SHIFT)
    dialog = page.findChild(HistoryDialog)
    await until(lambda: dialog is not None and dialog.isVisible(), "the history")
    QTest.mouseClick(dialog.load, LEFT)
    assert page.pane.form.request().body == b'{"record":{"email":"old@example.org"}}'
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)


async def send_anyway(app: Application) -> None:
    page = page_of(app, "core/pipeline/create")
    type_in(page, id="without-prefix")
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)
    assert page.head.anyway.isVisible()
    QTest.mouseClick(page.head.anyway, LEFT)


async def one_click(app: Application) -> None:
    page = page_of(app, "core/pipeline/update")
    page.session.journal.add("pipeline", "pipe_7", {"id": "pipe_7", "disabled": False}, source="answer")
    QTest.keyClicks(editor(page, "path:id").input(), "pipe_7")
    await until(lambda: page.switch.text() == "Disable", "the button")
    QTest.mouseClick(page.switch, LEFT)


async def link_of_a_row(app: Application) -> None:
    page = page_of(app, "core/pipeline/update")
    await until(lambda: page.pane.table.model.rows, "the row of what was seen")
    page.pane.table.table.link_clicked.emit(0)


async def palette_command_of_the_page(app: Application) -> None:
    page_of(app, "core/pipeline/update")
    QTest.keyClick(app.window, Qt.Key.Key_K, CONTROL)
    field = app.window.palette_.field
    QTest.keyClicks(field, "enable pipeline")
    assert field.accessibleDescription().startswith("Enable pipeline")
    QTest.keyClick(field, Qt.Key.Key_Return)


async def check_with_no_flag(app: Application) -> None:
    page = page_of(app, "core/connection/check")
    QTest.mouseClick(page.head.send_button, LEFT)


async def batch_read_with_an_unknown_key(app: Application) -> None:
    page = page_of(app, "crm/account/batch_read")
    page.pane.form.body.set_raw('{"ids": ["1"], "properties": [], "import": true}')
    page.pane.form.changed.emit()
    QTest.mouseClick(page.head.send_button, LEFT)


async def report_with_another_method(app: Application) -> None:
    page = page_of(app, "accounting/customer-balance")
    page.pane.form.extra.set_pairs([("customer", "1"), ("_method", "DELETE")])
    QTest.mouseClick(page.head.send_button, LEFT)


async def magic_link(app: Application) -> None:
    page = page_of(app, "connect/magic-link")
    type_in(page, customerId="cus_1")
    QTest.mouseClick(page.head.send_button, LEFT)


async def webhook_with_a_token_of_its_own(app: Application) -> None:
    page = page_of(app, "webhook")
    type_in(page, connector_name="hubspot")
    page.pane.token.choice.setCurrentIndex(1)
    QTest.keyClicks(page.pane.token.line, "another-token-5")
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)


async def forged_permit(app: Application) -> None:
    session = app.session
    assert session is not None
    request = build(registry.operation("crm/contact/create"), body={"record": {}})
    for permit in (Permit.for_request(session.profile, request), Permit.for_profile(session.profile)):
        with pytest.raises(Refused, match="read only"):
            await session.send(request, permit=permit)


async def two_at_once(app: Application) -> None:
    first, second = page_of(app, "crm/contact/create"), page_of(app, "core/customer/put")
    first.send()
    second.send()
    assert first.pane.busy
    assert second.pane.busy


def inner(page: CallPage, group: str, name: str, text: str) -> None:
    QTest.keyClicks(editor(page, f"body:{group}").grid.editors[name].input(), text)


Way = Callable[[Application], Awaitable[None]]

WAYS: tuple[tuple[Way, int], ...] = (
    (primary_button, 1),
    (control_enter, 1),
    (palette, 1),
    (menu, 1),
    (loaded_from_history, 1),
    (send_anyway, 1),
    (one_click, 1),
    (link_of_a_row, 1),
    (palette_command_of_the_page, 1),
    (check_with_no_flag, 1),
    (batch_read_with_an_unknown_key, 1),
    (report_with_another_method, 1),
    (magic_link, 1),
    (webhook_with_a_token_of_its_own, 1),
    (two_at_once, 2),
    (forged_permit, 2),
)


def test_every_way_through_the_window_is_refused_on_a_read_only_profile(
    run_window: RunWindow, folders: Folders, server: Recording, keyed: None
) -> None:
    save(folders, server, guard=Guard.READ_ONLY)

    async def body(app: Application) -> None:
        await opened(app)
        assert app.session is not None
        log, expected = app.session.exchanges, 0
        for way, calls in WAYS:
            expected += calls
            await way(app)
            await until(partial(at_rest, app), way.__name__)
            assert [e.state for e in log.all()] == ["refused"] * expected, way.__name__
            front = app.window.tabs.current
            assert isinstance(front, CallPage)
            if way is not forged_permit:
                shown = front.pane.banner
                assert shown is not None, way.__name__
                assert shown.title == READ_ONLY, way.__name__
        assert {e.status for e in log.all()} == {None}
        app.window.requests.model.flush()
        assert app.window.requests.model.rowCount() == expected
        entries = app.session.journal.latest(KIND)
        assert [e.source for e in entries] == ["form"], "what was refused is no call that was sent"

    run_window(body, profile="Acme")
    assert server.got == []
    assert server.connections == 0


def test_no_call_can_be_replayed_from_the_log(
    run_window: RunWindow, folders: Folders, server: Recording, keyed: None
) -> None:
    """The log offers to look and to copy, and nothing that sends."""
    save(folders, server, guard=Guard.OPEN)

    async def body(app: Application) -> None:
        await opened(app)
        page = page_of(app, "core/customer/put")
        QTest.keyClicks(editor(page, "path:id").input(), "cus_1")
        await send(page)
        log = app.window.requests
        await until(lambda: log.model.rowCount() == 1, "the call in the log")
        log.table.selectRow(0)
        log._menu(log.table.rect().center())
        offered = [a.text() for m in log.findChildren(QMenu) for a in m.actions() if a.text()]
        shells = [f"Copy as cURL for {shell}" for shell in ("bash", "cmd", "PowerShell")]
        looks = ["Open", "Copy as cURL", *shells, "Copy URL", "Copy response body", "Hand this over…"]
        assert offered == looks
        for one in log.findChildren(QMenu):
            one.close()
        dialog = log.open_detail()
        assert dialog is not None
        words = {b.text().strip("&") for b in dialog.findChildren(QPushButton)} - {""}
        assert not [w for w in words if "end" in w.lower().split() or "again" in w.lower()], words
        QTest.keyClick(dialog, Qt.Key.Key_Return, CONTROL)
        dialog.close()

    run_window(body, profile="Acme")
    assert len(server.got) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["crm/contact/create", "--yes"],
        ["crm/contact/create", "--yes", "--confirm-profile", "Acme"],
        ["POST", "/v0/unified/crm/contact"],
        ["POST", "/v0/unified/crm/contact/_batch_read", "--yes"],
        ["post", "/v0/unified/crm/account/%5Fbatch_read", "--yes"],
        ["DELETE", "/v0/unified/crm/contact/1", "--yes"],
        ["core/connection/check", "--param", "id=conn_x", "--yes"],
        ["core/connection/check", "--param", "id=conn_x", "--param", "import=1", "--yes"],
        ["GET", "/v0/unified/ats/job", "--param", "_Method=DELETE", "--yes"],
        ["GET", "/v0/unified/ats/job?X-HTTP-Method-Override=PUT", "--yes"],
        ["GET", "/v0/unified/ats/job", "--body", os.devnull, "--yes"],
        ["crm/account/batch_read", "--body", os.devnull, "--yes"],
        ["webhook", "--param", "connector_name=hubspot", "--yes"],
    ],
    ids=lambda given: " ".join(given),
)
def test_the_command_line_is_refused_too(
    arguments: list[str],
    folders: Folders,
    server: Recording,
    keyed: None,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    save(folders, server, guard=Guard.READ_ONLY)
    logged: list[str] = []
    received = command._received

    def seen(session: Any, error: Any) -> Any:
        logged.extend(exchange.state for exchange in session.exchanges.all())
        return received(session, error)

    monkeypatch.setattr(command, "_received", seen)
    assert run_command(["call", *arguments, "--profile", "Acme"]) != 0
    assert READ_ONLY in capfd.readouterr().err
    assert logged == ["refused"]
    assert server.got == []
    assert server.connections == 0


def test_the_copied_line_is_refused_when_it_is_run(
    run_window: RunWindow, folders: Folders, server: Recording, keyed: None
) -> None:
    save(folders, server, guard=Guard.READ_ONLY)

    async def body(app: Application) -> None:
        await opened(app)
        page = page_of(app, "crm/contact/create")
        inner(page, "record", "first_name", "Ada")
        page.copy_as_command()

    run_window(body, profile="Acme")
    line = QApplication.clipboard().text()
    assert line.startswith('printf %s \'{"record":{"first_name":"Ada"}}\' | unified-explorer call ')
    line = line.replace("unified-explorer", f"'{sys.executable}' -m explorer", 1)
    ended = subprocess.run(
        ["sh", "-c", line], capture_output=True, text=True, timeout=60, check=False, env=os.environ
    )
    assert ended.returncode != 0
    assert READ_ONLY in ended.stderr
    assert server.got == []


# ------------------------------------------------------------------ what the person did not confirm


def question() -> WriteDialog | None:
    found = (w for w in QApplication.topLevelWidgets() if isinstance(w, WriteDialog) and w.isVisible())
    return next(found, None)


async def asked(page: CallPage, what: Callable[[WriteDialog], object]) -> None:
    """Send, answer the question, and wait for the end."""
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)
    await until(question, "the question")
    dialog = question()
    assert dialog is not None
    what(dialog)
    await until(lambda: not page.pane.busy, "the end")
    assert question() is None


NOES: tuple[Callable[[WriteDialog], object], ...] = (
    lambda d: QTest.mouseClick(d.cancel, LEFT),
    lambda d: QTest.keyClick(d, Qt.Key.Key_Escape),
    lambda d: QTest.keyClick(d.cancel, Qt.Key.Key_Return),
    lambda d: d.close(),
)


def test_ask_first_sends_nothing_after_a_no_and_one_call_after_a_yes(
    run_window: RunWindow, folders: Folders, server: Recording, keyed: None
) -> None:
    save(folders, server, guard=Guard.ASK)

    async def body(app: Application) -> None:
        await opened(app)
        page = page_of(app, "crm/contact/create")
        inner(page, "record", "first_name", "Ada")
        for no in NOES:
            await asked(page, no)
            assert page.status_text == "Not sent"
        assert server.got == []
        assert app.session is not None
        assert list(app.session.exchanges.all()) == []
        await asked(page, lambda d: QTest.mouseClick(d.send, LEFT))
        assert [g.body for g in server.got] == [b'{"record":{"first_name":"Ada"}}']
        # The word was for that one call: the same again asks again.
        await asked(page, NOES[0])
        assert len(server.got) == 1

    run_window(body, profile="Acme")


@contextmanager
def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> Any:
    """Within it the guard's clock is ahead."""

    class Ahead(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + by

    with monkeypatch.context() as patched:
        patched.setattr(guard, "datetime", Ahead)
        yield


def named(text: str) -> Callable[[WriteDialog], object]:
    def act(dialog: WriteDialog) -> None:
        QTest.keyClicks(dialog.typed, text)
        QTest.keyClick(dialog.typed, Qt.Key.Key_Return)
        if dialog.isVisible():
            assert not dialog.send.isEnabled(), text
            QTest.mouseClick(dialog.send, LEFT)
            assert dialog.isVisible()
            QTest.keyClick(dialog, Qt.Key.Key_Escape)

    return act


def test_production_wants_the_name_and_forgets_it_after_ten_minutes(
    run_window: RunWindow, folders: Folders, server: Recording, keyed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(folders, server, environment=Environment.PRODUCTION, guard=Guard.OPEN)
    consent().withdraw()

    async def body(app: Application) -> None:
        await opened(app)
        page = page_of(app, "crm/contact/create")
        for wrong in ("", "Acm", "acme", "Acme!", "yes"):
            await asked(page, named(wrong))
            assert server.got == [], wrong
        await asked(page, named("Acme"))
        assert len(server.got) == 1
        with later(monkeypatch, timedelta(minutes=9, seconds=30)):
            await send(page)
            assert len(server.got) == 2, "within the ten minutes nobody is asked"
        held = consent()._held[page.session.profile.id, page.session.profile.base_url]
        with later(monkeypatch, timedelta(minutes=10, seconds=1)):
            await asked(page, NOES[1])
            assert len(server.got) == 2
            with pytest.raises(Refused, match="ten minutes"):
                await page.session.send(page.pane.form.request(), permit=held)
            assert page.session.exchanges.all()[-1].state == "refused"
        with later(monkeypatch, timedelta(minutes=-30)), pytest.raises(Refused):
            await page.session.send(page.pane.form.request(), permit=held)
        assert len(server.got) == 2

    try:
        run_window(body, profile="Acme")
    finally:
        consent().withdraw()


# ------------------------------------------------------------------ a write that was lost

FORMS: dict[str, dict[str, Any]] = {
    "crm/contact/create": {"body": {"record": {"first_name": "Ada"}}},
    "crm/contact/update": {"path": {"id": "101"}, "body": {"record": {"first_name": "Ada"}}},
    "crm/contact/upsert": {"body": {"record": {"first_name": "Ada"}}},
    "core/pipeline/create": {"body": {"id": "pipe_1"}},
    "core/pipeline/update": {"path": {"id": "pipe_1"}, "body": {"disabled": True}},
    "core/connection/check": {"path": {"id": "conn_1"}, "body": {"import": True}},
    "core/customer/put": {"path": {"id": "cus_1"}, "body": {}},
    "connect/magic-link": {"body": {"customerId": "cus_1"}},
    "webhook": {"path": {"connector_name": "hubspot"}},
}
LOST = {
    "reset": Reply(reset=True),
    "reset within the answer": Reply(body=b'{"record": {}}', cut=5, reset=True),
    "broken off": Reply(body=b'{"record": {}}', cut=5),
    "no HTTP": Reply(raw=b"\0\1\2 what\r\n\r\n"),
    "closed": Reply(raw=b""),
}


@pytest.mark.parametrize("operation", FORMS)
def test_a_lost_write_is_unknown_and_goes_once(
    operation: str, dressed: QApplication, folders: Folders, server: Recording
) -> None:
    server.answer(Reply(reset=True), reply({"second": "copy"}))

    async def scene(stage: Stage) -> None:
        resource = next(r for r in registry.resources() if any(o.key == operation for o in r.operations))
        page = stage.open(resource.key)
        page.choose([o.key for o in resource.operations].index(operation))
        page.pane.load(FORMS[operation])
        await lose(page)
        [kept] = stage.session.journal.of(KIND, operation)
        assert "may or may not have happened" in kept.data["outcome"]

    play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), KEY, scene)
    assert len(server.got) == 1


@pytest.mark.parametrize("how", LOST)
def test_however_it_was_lost(how: str, dressed: QApplication, folders: Folders, server: Recording) -> None:
    server.answer(LOST[how], reply({"second": "copy"}))

    async def scene(stage: Stage) -> None:
        page = stage.open("crm/contact")
        page.pane.load(FORMS["crm/contact/create"])
        await lose(page)

    play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), KEY, scene)
    assert len(server.got) == 1


async def lose(page: CallPage) -> None:
    """Send; what is said is that nobody knows, and nothing offers to do it again."""
    await send(page)
    shown = page.pane.banner
    assert shown is not None
    assert "may or may not have happened" in shown.title
    assert "It was not resent automatically" in shown.text
    assert page.pane.panel.badge.text() == "Outcome unknown"
    assert [button.text() for button in shown.buttons()] == ["Show what was sent"]
    assert page.session.exchanges.all()[-1].attempt == 1
    shown.buttons()[0].click()
    page.activated()


def test_a_stopped_write_is_unknown_too(dressed: QApplication, folders: Folders, server: Recording) -> None:
    server.answer(Reply(silent=True))

    async def scene(stage: Stage) -> None:
        page = stage.open("crm/contact")
        page.pane.load(FORMS["crm/contact/create"])
        QTest.keyClick(page.pane.form, Qt.Key.Key_Return, CONTROL)
        await until(lambda: server.got, "the request")
        QTest.keyClick(page.pane.form, Qt.Key.Key_Escape)
        await until(lambda: not page.pane.busy, "the end")
        assert page.pane.banner is not None
        assert page.pane.banner.title == "Stopped: outcome unknown"
        [kept] = stage.session.journal.of(KIND, "crm/contact/create")
        assert kept.data["outcome"] == "Stopped, outcome unknown"

    play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), KEY, scene)
    assert len(server.got) == 1


def test_after_a_restart_the_form_is_there_and_nothing_is_sent_again(
    run_window: RunWindow, folders: Folders, server: Recording, keyed: None
) -> None:
    save(folders, server, guard=Guard.OPEN)
    server.answer(Reply(reset=True), reply({"second": "copy"}))

    async def first(app: Application) -> None:
        await opened(app)
        page = page_of(app, "crm/contact/create")
        inner(page, "record", "first_name", "Ada")
        await lose(page)

    async def again(app: Application) -> None:
        await opened(app)
        page = app.window.tabs.current
        assert isinstance(page, CallPage)
        assert page.resource.key == "crm/contact"
        assert page.pane.form.request().body == b'{"record":{"first_name":"Ada"}}'
        for resource in registry.resources():
            if resource.listing is None:
                app.window.open_page(resource.key)
        await app_at_rest(app)
        assert app.session is not None
        assert list(app.session.exchanges.all()) == []
        [kept] = app.session.journal.of(KIND, "crm/contact/create")
        assert "may or may not have happened" in kept.data["outcome"]
        app.window.open_page("crm/contact")
        dialog = page.show_history()
        QTest.mouseClick(dialog.load, LEFT)
        await app_at_rest(app)

    run_window(first, profile="Acme")
    assert len(server.got) == 1
    run_window(again, profile="Acme")
    assert len(server.got) == 1
    assert server.connections == 1
    layout = (folders.state / "layout.json").read_text("utf-8")
    assert "Ada" in json.dumps(json.loads(layout)), "the draft is kept"


def at_rest(app: Application) -> bool:
    return not any(page.tasks.busy() for page in app.window.tabs.pages())


async def app_at_rest(app: Application) -> None:
    """Nothing is under way, and nothing begins within some turns of the loop."""
    for _ in range(20):
        await asyncio.sleep(0)
        await until(partial(at_rest, app), "rest")
