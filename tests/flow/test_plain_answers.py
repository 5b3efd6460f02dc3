"""What is said of the answers of a plain server, and what is sent to it, through the window and the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from explorer.cli.app import run as run_command
from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile, Profiles
from explorer.ui.app.application import Application
from explorer.ui.call.call_page import CallPage
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.builtin import registry
from tests.gui.conftest import RunWindow, dressed, folders, run_window
from tests.gui.stage import until
from tests.plain_service import GOOD_KEY, PlainService

__all__ = ["dressed", "folders", "run_window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

CHECK = "core/connection/check"
FLAGS = ("skipCache", "import", "updateWebhook", "sandboxSimulateUpdate", "sandboxSimulateDisconnect")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> Iterator[PlainService]:
    """The server, with its key where the program looks for it."""
    monkeypatch.setenv("UNIFIED_EXPLORER_APIKEY", GOOD_KEY)
    with PlainService() as service:
        yield service


def save(folders: Folders, service: PlainService, connection: str, guard: Guard) -> None:
    """A profile on the plain server."""
    Profiles(folders).save(
        Profile(name="Acme", base_url=service.base_url, connection=connection, guard=guard)
    )


def page_of(app: Application, operation: str) -> CallPage:
    """The page of an operation, in front."""
    resource = next(r for r in registry.resources() if any(o.key == operation for o in r.operations))
    app.window.open_page(resource.key)
    page = app.window.tabs.current
    assert isinstance(page, CallPage)
    page.choose([o.key for o in resource.operations].index(operation))
    return page


async def send(page: CallPage) -> None:
    """Press its button, and wait for what becomes of it."""
    QTest.mouseClick(page.head.send_button, Qt.MouseButton.LeftButton)
    await until(lambda: not page.tasks.busy(), "the answer")


# ------------------------------------------------------------------ the connection check


BODIES = ["{}", json.dumps(dict.fromkeys(FLAGS, False)), '{"import": false}', '{"new": null}']


def test_no_check_leaves_a_read_only_profile(
    run_window: RunWindow,
    folders: Folders,
    plain: PlainService,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Any,
) -> None:
    save(folders, plain, "conn_hubspot_1", Guard.READ_ONLY)

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        page = page_of(app, CHECK)
        for typed in BODIES:
            assert page.pane.form.body is not None
            page.pane.form.body.set_raw(typed)
            page.pane.form.changed.emit()
            await send(page)
            assert page.pane.banner is not None
            assert page.pane.banner.title == "This profile is read only: nothing was sent."

    run_window(body, profile="Acme")
    for typed in BODIES:
        (tmp_path / "body").write_text(typed)
        line = ["call", CHECK, "--param", "id=conn_hubspot_1", "--body", str(tmp_path / "body"), "--yes"]
        assert run_command([*line, "--profile", "Acme"]) == 2
        assert "read only" in capfd.readouterr().err
    # A connection without any list: nothing could be read.
    assert run_command(["check", "--profile", "Acme", "--max-calls", "60"]) == 4
    assert run_command(["profiles", "test", "Acme"]) in (0, 1)
    assert not [one for one in plain.requests if "_check" in one.path]
    assert plain.requests, "the quality run and the test did ask"
    assert plain.writes == 0


def test_an_open_profile_checks_and_the_stored_connection_is_changed(
    folders: Folders, plain: PlainService, capfd: pytest.CaptureFixture[str]
) -> None:
    save(folders, plain, "conn_hubspot_1", Guard.ASK)
    line = ["call", CHECK, "--param", "id=conn_hubspot_1", "--profile", "Acme"]
    assert run_command(line) == 2
    assert plain.writes == 0
    assert run_command([*line, "--yes"]) == 0
    assert plain.writes == 1


# ------------------------------------------------------------------ a sign-in page

SAYS = "with a web page titled “Log in”: this looks like a sign-in page."


def editing(app: Application, button: QPushButton) -> None:
    """Press *Edit profile*: the dialog stands on the profile in use."""
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = app.window.findChild(ProfilesDialog)
    assert dialog is not None
    assert dialog.isVisible()
    assert dialog.form.name.text() == "Acme"
    dialog.reject()


def test_a_list_and_a_call_say_that_a_sign_in_page_came(
    run_window: RunWindow, folders: Folders, plain: PlainService
) -> None:
    save(folders, plain, "conn_greenhouse_1", Guard.OPEN)
    plain.sign_in_page = True

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page("ats/job")
        page = app.window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.banner.isVisible(), "the banner")
        assert page.banner.title == "Page 1 failed: received a web page, no rows"
        assert SAYS in page.banner.text
        assert "Sign-in page" in app.window.status.words()
        assert "Connected" not in app.window.status.words()
        editing(app, next(b for b in page.banner.buttons() if b.text() == "Edit profile"))
        assert page.model.rowCount() == 0
        for operation, values in (
            ("accounting/customer-balance", {"query": {"customer": "1"}}),
            ("core/customer/put", {"path": {"id": "cus_1"}}),
            ("crm/account/batch_read", {"body": {"ids": ["1"], "properties": []}}),
        ):
            call = page_of(app, operation)
            for place, value in values.items():
                getattr(call.pane.form, place).set_value(value)
            await send(call)
            banner = call.pane.banner
            assert banner is not None, operation
            assert SAYS in banner.title
            assert ("may have been done" in banner.text) is (operation == "core/customer/put")
            assert call.pane.panel.badge.text() == "Sign-in page"
            assert "Connected" not in app.window.status.words()
            editing(app, next(b for b in banner.buttons() if b.text() == "Edit profile"))
        plain.sign_in_page = False
        page_again = page.banner
        app.window.open_page("ats/job")
        button = next(b for b in page_again.buttons() if b.text() == "Try page 1 again")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        await until(lambda: page.model.rowCount() > 0, "the rows")
        assert "Connected" in app.window.status.words()

    run_window(body, profile="Acme")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("pull ats/job", 5),
        ("call ats/job", 5),
        ("call GET /v0/openapi.json", 5),
        ("call core/customer/put --param id=1 --yes", 5),
        ("profiles test Acme", 1),
    ],
)
def test_the_command_line_says_that_a_sign_in_page_came(
    line: str, code: int, folders: Folders, plain: PlainService, capfd: pytest.CaptureFixture[str]
) -> None:
    save(folders, plain, "conn_greenhouse_1", Guard.OPEN)
    plain.sign_in_page = True
    ended = run_command([*line.split(), *(["--profile", "Acme"] if "test" not in line else [])])
    out, error = capfd.readouterr()
    assert ended == code
    assert SAYS in error + out
    if "test" not in line:
        assert "Check the address in the profile." in error
    if line.startswith("pull"):
        assert out == ""


# ------------------------------------------------------------------ the words of an error


def test_words_that_stand_in_json_text_are_shown(
    run_window: RunWindow, folders: Folders, plain: PlainService, capfd: pytest.CaptureFixture[str]
) -> None:
    """The plain server wraps what is wrong with an input into its message, as JSON text of many lines."""
    save(folders, plain, "conn_hubspot_1", Guard.OPEN)
    says = "The service refuses the input: customerId: String must contain at least 1 character(s)."

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        page = page_of(app, "connect/magic-link")
        assert page.pane.form.body is not None
        page.pane.form.body.set_value({"customerId": ""})
        page.send()
        QTest.mouseClick(page.head.anyway, Qt.MouseButton.LeftButton)
        await until(lambda: not page.tasks.busy() and page.pane.banner is not None, "the answer")
        banner = page.pane.banner
        assert banner is not None
        assert banner.title == says
        assert "request log" not in banner.text

    run_window(body, profile="Acme")
    assert run_command(["call", "connect/magic-link", "--yes", "--profile", "Acme"]) == 4
    error = capfd.readouterr().err
    assert "customerId: Required" in error
    assert "[" not in error


def test_a_refused_write_is_not_said_to_be_worth_another_try(
    folders: Folders, plain: PlainService, capfd: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    save(folders, plain, "conn_hubspot_1", Guard.OPEN)
    (tmp_path / "body").write_text('{"record": {"email": "a@example.com"}}')
    for status in (400, 409, 500):
        plain.connections["conn_hubspot_1"].refuses_create = status
        line = ["call", "crm/contact/create", "--body", str(tmp_path / "body"), "--yes", "--profile", "Acme"]
        assert run_command(line) == 5
        error = capfd.readouterr().err
        assert "third party" in error
        assert "ry again" not in error
        assert "request log" in error, "the third party's own words are there"
