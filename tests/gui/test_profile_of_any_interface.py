"""The profile form asks for exactly what an interface needs; its secrets are kept like the key, and Test uses them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from explorer.catalog import interfaces
from explorer.openapi.interface import interface_of
from explorer.openapi.proposal import read
from explorer.paths import Folders
from explorer.ui.app.application import Application
from explorer.ui.pages.list.list_page import ListPage
from explorer.ui.profiles.profiles_dialog import ProfilesDialog
from tests.gui.conftest import RunWindow, until
from tests.recording import Recording
from tests.token_service import Tokens
from tests.unified_interfaces import INTERFACES, known
from tests.unified_services import KEY, SERVICES, TOKEN


@dataclass(frozen=True)
class Case:
    """What is asked for, by label and in order, with what is typed there."""

    service: str
    typed: dict[str, str]
    page: str
    base: str = ""
    connection: str = ""
    secret: tuple[str, ...] = field(default=())
    """The labels of what is hidden as it is typed."""


CASES = [
    Case(
        "openint-v1",
        {"Bearer token": KEY, "Connections (connection_id)": "conn_1"},
        "v1/event",
        connection="conn_1",
        secret=("Bearer token",),
    ),
    Case(
        "supaglue",
        {"Key": KEY, "x-customer-id": "acme/west", "x-provider-name": "hubspot"},
        "crm/v2/contacts",
        connection="acme%2Fwest/hubspot",
        secret=("Key",),
    ),
    Case(
        "merge",
        {"Bearer token": KEY, "Connections": "acme", "account token": TOKEN},
        "employees",
        base="/api/hris/v1",
        connection="acme",
        secret=("Bearer token", "account token"),
    ),
    Case(
        "codat",
        {"User name": KEY, "Password": "", "companyId": "c1", "connectionId": "k1"},
        "companies/companyId/connections/connectionId/data/invoices",
        connection="c1/k1",
        secret=("User name", "Password"),
    ),
    Case(
        "in-query",
        {"Key": KEY, "Connections": "", "account": TOKEN},
        "contacts",
        secret=("Key", "account"),
    ),
    Case(
        "nango",
        {"Bearer token": KEY, "connection-id": "c1", "provider-config-key": "hubspot"},
        "records",
        connection="c1/hubspot",
        secret=("Bearer token",),
    ),
    Case("open", {"Connections (x-tenant)": "t1"}, "all", connection="t1"),
]


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with known():
        yield


def asked(dialog: ProfilesDialog) -> dict[str, QLineEdit | QPlainTextEdit]:
    """The fields that are shown between the address and More, by their labels, from the top."""
    form = dialog.form
    shown = {
        label.whole(): form.rows.editors[name]
        for name, (label, box) in form.rows.parts.items()
        if box.isVisible() and name not in ("interface", "base_url", "passphrase")
    }
    return {n: e for n, e in shown.items() if isinstance(e, QLineEdit | QPlainTextEdit)}


@pytest.mark.parametrize("case", CASES, ids=[case.service for case in CASES])
def test_what_is_asked_for_is_what_is_sent(run_window: RunWindow, folders: Folders, case: Case) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None, "the sandbox")
        window.desk = replace(window.desk, interfaces=lambda: [(k, i.title) for k, i in INTERFACES.items()])
        dialog = window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        assert form.interface.isVisible(), "with interfaces added it is the first thing to say"
        form.interface.setCurrentIndex(form.interface.findData(case.service))
        # Until it has been read, the form asks for what the interface before needs.
        await until(lambda: form.is_asking and list(asked(dialog)) == list(case.typed), "the interface")
        fields = asked(dialog)
        QTest.keyClicks(form.base_url, service.url + case.base)
        for label, text in case.typed.items():
            assert fields[label].accessibleName() == label
            QTest.keyClicks(fields[label], text)
            editor = fields[label]
            plain = not isinstance(editor, QLineEdit) or editor.echoMode() == QLineEdit.EchoMode.Normal
            assert plain == (label not in case.secret)
        QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
        await until(lambda: dialog.test.text() == "Test", "the end of the test")
        verdicts = [line.split(": ")[1].split(" ")[0] for line in dialog.lines.words()]
        key = "Unsure" if case.service == "open" else "Right"  # nothing shows that no key is needed
        assert verdicts == ["Right", key, "Right", "Right"], dialog.lines.words()
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and not app.session.profile.is_builtin, "the new session")
        assert app.session is not None
        assert app.session.profile.connection == case.connection
        window.open_page(case.page)
        page = window.tabs.current
        assert isinstance(page, ListPage)
        await until(lambda: page.pull is not None and page.pull.rows >= 10, "the first rows")
        again = window.show_profiles()
        await until(
            lambda: (
                again.form.is_asking
                and again.form.key_place.place is not None
                and list(asked(again)) == list(case.typed)
            ),
            "the kept profile",
        )
        shown = asked(again)
        for label in case.secret:
            editor = shown[label]
            assert editor.toPlainText() if isinstance(editor, QPlainTextEdit) else editor.text() == ""
        set_ = set(case.secret) - {"Password"}
        await until(
            lambda: (
                {label for label in case.secret if shown[label].placeholderText().startswith("Already set")}
                == set_
            ),
            "which secrets are kept",
        )
        named = {label: text for label, text in case.typed.items() if label not in case.secret}
        for label, text in named.items():
            editor = shown[label]
            assert (editor.toPlainText() if isinstance(editor, QPlainTextEdit) else editor.text()) == text
        QTest.mouseClick(again.test, Qt.MouseButton.LeftButton)
        await until(lambda: again.test.text() == "Test", "the test with what is kept")
        assert again.lines.words()[0].startswith("address: Right")
        again.reject()

    with SERVICES[case.service]() as service:
        assert run_window(body) == 0
        assert all(call.method == "GET" for call in service.calls)
    for file in Path(folders.config).parent.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert KEY.encode() not in data, file
            assert TOKEN.encode() not in data, file


def test_a_part_that_is_missing_is_said_at_its_field(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await until(lambda: app.session is not None, "the sandbox")
        window.desk = replace(window.desk, interfaces=lambda: [("supaglue", "Supaglue"), ("codat", "Codat")])
        dialog = window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        form.base_url.setText("https://api.example.com")
        form.interface.setCurrentIndex(1)
        await until(lambda: form.is_asking and "x-customer-id" in form.rows.editors, "the interface")
        QTest.keyClicks(form.rows.editors["x-customer-id"], "acme")
        dialog.save.click()
        assert form.faults() == {"x-provider-name": "The connection needs this as well."}
        form.interface.setCurrentIndex(2)
        await until(
            lambda: form.is_asking and "x-customer-id" not in form.rows.editors, "the other interface"
        )
        QTest.keyClicks(form.rows.editors["password"], "secret-word")
        dialog.save.click()
        assert form.faults() == {"secret": "Enter the user name as well: both are kept as one."}
        form.interface.setCurrentIndex(0)
        assert list(asked(dialog)) == ["Key", "Connections"]
        dialog.done(0)

    run_window(body)


def with_token_call() -> bytes:
    """A document of one list whose token is got by a call, at an address that gets nothing unasked."""
    row = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}
    page = {"type": "object", "properties": {"items": {"type": "array", "items": row}}}
    answer = {"200": {"description": "", "content": {"application/json": {"schema": page}}}}
    flow = {"clientCredentials": {"tokenUrl": "https://login.example.com/oauth/token", "scopes": {}}}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Tokens", "version": "1"},
        "security": [{"login": []}],
        "components": {"securitySchemes": {"login": {"type": "oauth2", "flows": flow}}},
        "servers": [{"url": "https://api.example.com"}],
        "paths": {
            "/contacts": {"get": {"responses": answer}},
            "/hooks": {"servers": [{"url": "https://hooks.example.com"}], "post": {"responses": answer}},
        },
    }
    return json.dumps(document).encode()


def test_a_token_call_is_proposed_by_the_document_and_made_where_the_profile_says(
    run_window: RunWindow, folders: Folders
) -> None:
    tokens = Tokens()

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        interfaces.register(interface_of(read(with_token_call()), "tokens"))
        app.window.desk = replace(app.window.desk, interfaces=lambda: [("tokens", "Tokens")])
        dialog = app.window.show_profiles(ProfilesDialog.start_new)
        form = dialog.form
        form.interface.setCurrentIndex(form.interface.findData("tokens"))
        await until(lambda: form.is_asking and "Client secret" in asked(dialog), "the interface")
        fields = asked(dialog)
        assert next(iter(fields)) == "Second address"
        assert list(fields)[1:] == ["Token address", "Further fields", "Client id", "Client secret"]
        assert form.second_url.text() == "https://hooks.example.com", "as the document proposes it"
        assert form.token_url.text() == "https://login.example.com/oauth/token"
        form.show_more()
        form.auth.setCurrentIndex(0)
        assert list(asked(dialog))[:2] == ["Second address", "Bearer token"]
        form.auth.setCurrentIndex(1)
        form.more.setChecked(False)
        await until(lambda: "Client secret" in asked(dialog), "its field")
        fields = asked(dialog)
        QTest.keyClicks(form.base_url, server.url)
        QTest.keyClicks(fields["Client id"], "my-app")
        form.token_url.setText("http://login.example.com/token")
        dialog.save.click()
        assert list(form.faults()) == ["token_url"]
        form.second_url.setText("http://hooks.example.com")
        dialog.save.click()
        assert list(form.faults()) == ["second_url"]
        form.second_url.setText(f"{server.url}/hooks")
        form.token_url.setText(f"{server.url}/oauth/token/")
        dialog.save.click()
        assert form.faults() == {
            "secret": "Client id and secret are both needed; as one text they are ID:SECRET."
        }
        QTest.keyClicks(fields["Client secret"], KEY)
        QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
        await until(lambda: dialog.test.text() == "Test", "the end of the test")
        assert [line.split(" ")[1] for line in dialog.lines.words()][:2] == ["Right", "Right"]
        QTest.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
        await until(lambda: app.session is not None and not app.session.profile.is_builtin, "the new session")
        again = app.window.show_profiles()
        await until(
            lambda: (
                again.form.is_asking
                and again.form.key_place.place is not None
                and "Client secret" in asked(again)
            ),
            "the kept profile",
        )
        assert again.form.token_url.text() == f"{server.url}/oauth/token/"
        assert again.form.second_url.text() == f"{server.url}/hooks"
        assert again.form.secret.placeholderText().startswith("Already set")
        again.reject()
        interfaces.forget("tokens")

    with Recording(answering=tokens) as server:
        assert run_window(body) == 0
        assert {got.target for got in server.got} == {"/oauth/token/", "/contacts"}
    for file in Path(folders.config).parent.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert KEY.encode() not in data, file
            assert b"canary-token" not in data, file
