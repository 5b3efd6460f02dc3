"""The webhook page: connector, token and body as typed, the acknowledgment in words, and the last ones to load."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.profiles.secrets import Secrets
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.application import Application
from explorer.ui.pages.connect.webhook_form import SAMPLES
from tests.gui.conftest import RunWindow
from tests.gui.stage import until
from tests.gui.write_stage import (
    Scene,
    Stage,
    banner,
    below,
    cells,
    editor,
    everywhere,
    on_service,
    play,
    send,
    stored,
    texts,
    type_in,
)
from tests.recording import Got, Recording, Reply

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

KEY = "webhook"
CANARY = "tok-canary-51f3a7"
Play = Callable[..., None]
Wire = Callable[..., list[Got]]


@pytest.fixture
def on_sandbox(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    """Plays a scene on the real sandbox."""

    def begin(scene: Scene, secrets: Secrets | None = None, **fields: Any) -> None:
        play(dressed, folders, on_service(service, **fields), service.apikey, scene, secrets)

    return begin


@pytest.fixture
def on_wire(dressed: QApplication, qtbot: QtBot, folders: Folders) -> Wire:
    """Plays a scene on a plain server, and gives what arrived there."""

    def begin(scene: Scene, *replies: Reply, secrets: Secrets | None = None) -> list[Got]:
        with Recording(list(replies) or [Reply(200, b'{"status":"ok"}')]) as server:
            play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), "own-key", scene, secrets)
            return list(server.got)

    return begin


def put_body(page: Any, text: str) -> None:
    """Type a body in the place of what is there."""
    free: Any = page.pane.form.free
    free.setFocus()
    free.selectAll()
    QTest.keyClicks(free, text)


def sent(page: Any) -> list[list[str]]:
    """What the list of webhooks shows."""
    return cells(page.pane.list.table)


def card(page: Any) -> tuple[str, str, str]:
    """What the acknowledgment says: badge, sentence, info."""
    shown = page.pane.card
    info = shown.info.text() if shown.info.isVisibleTo(shown) else ""
    return shown.badge.whole(), shown.sentence.whole(), "".join(info.split())


# ---------------------------------------------------------------- from typing to the acknowledgment


@pytest.mark.parametrize(
    ("connector", "badge", "sentence", "info", "status"),
    [
        ("hubspot", "ok", "hubspot accepted the webhook.", '{"received":1,"connector":"hubspot"}', "200 OK"),
        (
            "greenhouse",
            "error",
            "greenhouse answered error.",
            '{"reason":"signaturemissing"}',
            "200 OK, error",
        ),
        ("bamboohr", "501", "This connector takes no webhooks.", "", "501 Not Implemented"),
    ],
)
def test_the_body_goes_as_typed_and_what_comes_back_is_said_in_words(
    on_sandbox: Play,
    service: SandboxProcess,
    connector: str,
    badge: str,
    sentence: str,
    info: str,
    status: str,
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name=connector)
        put_body(page, '{ "n": 1.10,  "id": "e" }')
        assert below(page, "path:connector_name") == ""
        await send(page)
        last = stored(service)[-1]
        assert (last["method"], last["path"]) == ("POST", f"/v1/webhook/{connector}")
        assert last["body"] == '{ "n": 1.10,  "id": "e" }'
        assert "authorization" in last["headers"]
        assert not {"x-apikey", "x-connection-id"} & set(last["headers"])
        assert page.pane.panel.front == "Acknowledgment"
        assert card(page) == (badge, sentence, info)
        assert page.pane.panel.badge.whole() == status
        assert banner(page).startswith("This connector takes no webhooks." if badge == "501" else "")
        assert sent(page)[0][:2] == [connector, '{ "n": 1.10, "id": "e" }']
        assert sent(page)[0][3:] == [badge, "Load into form"]
        assert page.pane.history.entries()[0].data["outcome"].startswith(("200 OK", "The connector of"))

    on_sandbox(scene)


def test_an_answer_that_is_no_acknowledgment_is_said(on_wire: Wire) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        await send(page)
        assert card(page) == ("no status", "The response is not an acknowledgment.", "")
        assert page.pane.panel.badge.whole() == "200 OK, no status"

    on_wire(scene, Reply(200, b'{"status":"fine"}'))


@pytest.mark.parametrize(
    ("name", "kind", "body"), [(name, kind, text) for name, kind, text in SAMPLES if "cut off" not in name]
)
def test_each_sample_is_sent_as_it_stands(on_wire: Wire, name: str, kind: str, body: str) -> None:
    types = {
        "json": "application/json",
        "form": "application/x-www-form-urlencoded",
        "text": "text/plain; charset=utf-8",
    }

    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        menu = page.pane.form.samples.menu()
        next(action for action in menu.actions() if action.text() == name).trigger()
        assert not page.pane.form.faults()
        await send(page)
        assert card(page)[0] == "ok"

    [got] = on_wire(scene)
    assert got.target == "/v1/webhook/hubspot"
    assert got.body == body.encode()
    assert got.header("content-type") == (types[kind] if body else None)
    assert got.header("authorization") == "Bearer own-key"


def test_a_name_beyond_the_list_gets_a_word_and_goes_out(on_sandbox: Play, service: SandboxProcess) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="acme-erp")
        said = "acme-erp is not among the 171 names known in August 2025. It is sent anyway."
        assert below(page, "path:connector_name") == said
        await send(page)
        assert stored(service)[-1]["path"] == "/v1/webhook/acme-erp"
        assert below(page, "path:connector_name").startswith("The service says: Invalid enum value.")
        assert sent(page)[0][3] == "400 Bad Request"

    on_sandbox(scene)


def test_the_known_names_are_offered(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        line = editor(page, "path:connector_name").input()
        page.activateWindow()
        line.setFocus()
        await until(line.hasFocus, "the focus")
        QTest.keyClicks(line, "sheet")
        popup = line.completer().popup()
        await until(popup.isVisible, "the list of names")
        offered = [popup.model().index(row, 0).data() for row in range(popup.model().rowCount())]
        assert offered
        assert all("sheet" in name for name in offered)
        QTest.keyClick(popup, Qt.Key.Key_Down)
        QTest.keyClick(popup, Qt.Key.Key_Return)
        assert line.text() == offered[0]

    on_sandbox(scene)


# ---------------------------------------------------------------- what is to mend


def test_without_a_connector_there_is_no_address(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        await send(page)
        assert below(page, "path:connector_name") == "Required"
        assert (
            page.pane.panel.preview.note.whole() == "Missing: connector_name. Without it there is no address."
        )
        assert page.head.anyway.isHidden()
        assert not at.session.exchanges.all()

    on_sandbox(scene)


def test_what_is_no_json_is_said_and_goes_out_only_on_purpose(
    on_sandbox: Play, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.form.take_sample("json", '{"id": ')
        sentence = page.pane.form._free_below.whole()
        assert "line 1" in sentence
        await send(page)
        assert not at.session.exchanges.all()
        page.pane.form.kind.setCurrentIndex(page.pane.form.kind.findData("text"))
        assert not page.pane.form._free_below.isVisibleTo(page)
        page.pane.form.kind.setCurrentIndex(0)
        assert page.pane.form._free_below.whole() == sentence
        page.head.anyway.click()
        await until(lambda: not page.pane.busy)
        assert stored(service)[-1]["body"] == '{"id": '
        assert card(page)[0] == "400 Bad Request"

    on_sandbox(scene)


@pytest.mark.parametrize(
    ("token", "sentence"),
    [
        ("", "The token is empty."),
        ("two words", "The token has a space inside. Paste it in one piece."),
        ("clé", "The token has a character that a header cannot contain."),
    ],
)
def test_a_token_that_cannot_be_sent_is_said(on_sandbox: Play, token: str, sentence: str) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.token.choice.setCurrentIndex(1)
        page.pane.token.line.insert(token)
        await send(page)
        assert page.pane.token.below.whole() == sentence
        assert page.status_text == sentence
        assert not at.session.exchanges.all()

    on_sandbox(scene)


def test_a_token_that_is_not_accepted_is_said(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.token.choice.setCurrentIndex(1)
        page.pane.token.line.insert("tok_wrong")
        await send(page)
        assert (
            banner(page)
            == "The service does not accept this token. Check the bearer token, or enter another."
        )
        assert card(page)[:2] == ("401 Unauthorized", "The service does not accept this token.")

    on_sandbox(scene)


# ---------------------------------------------------------------- the token


def test_the_other_token_goes_out_and_is_nowhere_else(on_wire: Wire, own_home: Path) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.token.choice.setCurrentIndex(1)
        page.pane.token.line.insert(f" Bearer {CANARY}\n")
        assert page.pane.token.line.echoMode() is QLineEdit.EchoMode.Password
        assert "at its ends and the word Bearer before it: removed" in page.pane.token.below.whole()
        put_body(page, f'{{"echo": "{CANARY}"}}')
        await send(page)
        page.pane.keep_draft()
        at.layout.save()
        page.copy_as_curl()
        log = everywhere(at, own_home)
        shown = "\n".join(texts(page.pane.list)) + "\n".join(texts(page.pane.token))
        for text in (log, shown, QApplication.clipboard().text(), repr(page.save_state())):
            assert CANARY not in text
        assert "Bearer ••••••" in log
        assert "$UNIFIED_EXPLORER_TOKEN" in log

    [got] = on_wire(scene)
    assert got.header("authorization") == f"Bearer {CANARY}"
    assert CANARY in got.body.decode()


def test_a_token_is_kept_on_wish_and_comes_back_with_the_page(on_wire: Wire, folders: Folders) -> None:
    secrets = Secrets(folders, environ={})

    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        assert not page.pane.token.is_other
        page.pane.token.choice.setCurrentIndex(1)
        page.pane.token.line.insert(CANARY)
        page.pane.token.keep.click()
        await until(lambda: page.pane.token.below.whole() == "Kept in memory until the program ends.")
        await at.close(page)
        again = at.open(KEY)
        await until(lambda: again.pane.token.below.whole() == "The saved token")
        assert again.pane.token.is_other
        type_in(again, connector_name="hubspot")
        await send(again)
        again.pane.token.line.insert("x")
        assert not again.pane.token.keep.isChecked()
        assert again.pane.token.below.whole().startswith("A different token is saved")
        again.pane.token.line.backspace()
        again.pane.token.keep.click()
        await until(lambda: again.pane.token.below.whole() == "Kept in memory until the program ends.")
        again.pane.token.keep.click()
        await until(lambda: again.pane.token.below.whole().startswith("No longer saved"))
        await at.close(again)
        assert not at.open(KEY).pane.token.is_other

    [got] = on_wire(scene, secrets=secrets)
    assert got.header("authorization") == f"Bearer {CANARY}"


# ---------------------------------------------------------------- the last ones


def test_one_that_was_sent_is_loaded_and_sending_it_stays_an_act_of_its_own(
    on_sandbox: Play, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.form.take_sample("form", "a=1&b=2")
        await send(page)
        page.clear()
        assert page.pane.form.body_kind == "json"
        count = len(stored(service))
        page.pane.list.table.setFocus()
        page.pane.list.table.setCurrentIndex(page.pane.list.table.model().index(0, 0))
        QTest.keyClick(page.pane.list.table, Qt.Key.Key_Return)
        request = page.pane.form.request()
        assert (request.path, request.body, request.content_type) == (
            "/v1/webhook/hubspot",
            b"a=1&b=2",
            "application/x-www-form-urlencoded",
        )
        assert page.status_text == "Loaded into the form, nothing was sent"
        assert len(stored(service)) == count
        await send(page)
        assert len(stored(service)) == count + 1
        page.pane.list.table.menu(0).actions()[1].trigger()
        assert len(sent(page)) == 1

    on_sandbox(scene)


def test_what_was_hidden_when_it_was_kept_is_said_when_it_is_loaded(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.form.take_sample("json", json.dumps({"access_token": CANARY, "id": 1}))
        await send(page)
        page.pane.list.table.act(0)
        assert page.pane.form.free.text() == '{"access_token": "••••••", "id": 1}'
        assert banner(page).startswith("Some values were hidden when this call was saved")

    on_sandbox(scene)


def test_the_draft_holds_kind_and_text(on_sandbox: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        page.pane.form.take_sample("none", "<ping/>")
        await at.close(page)
        again = at.open(KEY).pane.form
        assert (again.body_kind, again.free.text()) == ("none", "<ping/>")
        assert again.request().content_type == ""
        assert not at.session.exchanges.all()

    on_sandbox(scene)


def test_a_read_only_profile_sends_no_webhook(on_sandbox: Play, service: SandboxProcess) -> None:
    async def scene(at: Stage) -> None:
        count = len(stored(service))
        page = at.open(KEY)
        type_in(page, connector_name="hubspot")
        await send(page)
        assert banner(page).startswith("This profile is read only: nothing was sent.")
        assert not sent(page)
        assert len(stored(service)) == count

    on_sandbox(scene, guard=Guard.READ_ONLY)


def test_in_the_window_by_keyboard(run_window: RunWindow) -> None:
    async def scene(app: Application) -> None:
        window = app.window
        await until(lambda: window.context is not None)
        window.open_page(KEY)
        page: Any = window.tabs.current
        QTest.keyClicks(editor(page, "path:connector_name").input(), "hubspot")
        window.commands.run("request.send")
        await until(lambda: card(page)[0] == "ok", "the acknowledgment")

    run_window(scene)
