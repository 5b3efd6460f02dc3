"""The pages of all that is no list: from typing to the answer, through the real session and the real sandbox."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
import qasync
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit
from pytestqt.qtbot import QtBot

from explorer.api.guard import Permit
from explorer.api.unsent import curl_of
from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Guard, Profile
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from explorer.ui.app.application import Application
from explorer.ui.app.page_registry import make_page
from explorer.ui.call.answer_changes import can_compare
from explorer.ui.call.answer_outcome import masked_link, named
from explorer.ui.call.answer_panel import AnswerPanel
from explorer.ui.call.call_page import CallPage
from explorer.ui.call.call_pane import CallPane
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import Page, PageContext
from tests.builtin import registry
from tests.gui.conftest import RunWindow, until

# Completion opens a popup, which the offscreen platform remarks on.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

Typing = dict[str, str]


class Kept(dict[str, Any]):
    """Settings of one test, in memory."""

    def set(self, key: str, value: Any) -> None:
        self[key] = json.loads(json.dumps(value))


@dataclass
class Stage:
    """A session on the sandbox, and pages on it."""

    session: Session
    settings: Kept = field(default_factory=Kept)
    asked: list[Request] = field(default_factory=list)
    answer: bool = True
    pages: list[CallPage] = field(default_factory=list)

    async def confirm(self, request: Request) -> Permit | None:
        self.asked.append(request)
        return Permit.for_request(self.session.profile, request) if self.answer else None

    def open(self, operation: str, make: Callable[[Resource, PageContext], Page] = CallPage) -> CallPage:
        resource = next(r for r in registry.resources() if any(o.key == operation for o in r.operations))
        context = PageContext(self.session, Notices(), Commands(), theme(), self.settings, self.confirm)
        page = make(resource, context)
        assert isinstance(page, CallPage)
        page.choose([o.key for o in resource.operations].index(operation))
        page.resize(1208, 810)
        theme().dress(page)
        page.show()
        self.pages.append(page)
        return page


Play = Callable[[Callable[[Stage], Awaitable[None]]], None]
Profiled = Callable[..., Play]


@pytest.fixture
def on_profile(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Profiled:
    """Runs a scene on the sandbox, with fields of its profile as given."""

    def profiled(**fields: Any) -> Play:
        async def whole(scene: Callable[[Stage], Awaitable[None]]) -> None:
            given = {"guard": Guard.OPEN, **fields}
            if "environment" in given:
                profile = Profile(
                    name="Acme live", base_url=service.base_url, connection="conn_sandbox_clean", **given
                )
            else:
                profile = Profile.sandbox(service.base_url, **given)
            session = await Session.open(profile, Credential(Auth.APIKEY, service.apikey), folders)
            stage = Stage(session)
            try:
                await scene(stage)
            finally:
                for page in stage.pages:
                    await page.shutdown()
                    page.close()
                    page.deleteLater()
                await session.close()

        def play(scene: Callable[[Stage], Awaitable[None]]) -> None:
            with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(dressed)) as runner:
                runner.run(whole(scene))

        return play

    return profiled


@pytest.fixture
def play(on_profile: Profiled) -> Play:
    return on_profile()


def editor_at(page: CallPage, name: str) -> Any:
    """The editor of ``body:record.email`` or ``path:id``."""
    place, _, path = name.partition(":")
    form: Any = getattr(page.pane.form, place)
    if isinstance(form, JsonEdit):
        return form
    grid = form.grid
    *outer, last = path.split(".")
    for step in outer:
        grid = grid.editors[step].grid
    return grid.editors[last].input()


def type_in(page: CallPage, typing: Typing) -> None:
    for name, text in typing.items():
        widget = editor_at(page, name)
        if isinstance(widget, QComboBox):
            for _ in range(int(text)):
                QTest.keyClick(widget, Qt.Key.Key_Down)
        elif isinstance(widget, QLineEdit):
            QTest.keyClicks(widget, text)
        else:
            widget.insertPlainText(text)


async def send(page: CallPage) -> None:
    """Ctrl Enter in a field of the form, and wait for what becomes of it."""
    QTest.keyClick(page.pane.form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    await until(lambda: not page.tasks.busy(), "the answer")


def answered(page: CallPage) -> Any:
    body = page.pane.panel.answer.shown
    return json.loads(body) if body is not None else None


UPSERT = {
    "body:upsert_on.key": "email",
    "body:upsert_on.values": "ada@lovelace.dev,",
    "body:record.first_name": "Ada",
    "body:record.email": "ada@lovelace.dev",
    "body:record.passthrough_fields": '{"lead_source": "conference"}',
}

GOOD: list[tuple[str, Typing, Callable[[Any], object]]] = [
    ("crm/contact/create", {"body:record.first_name": "Ada"}, lambda a: a["record"]["first_name"] == "Ada"),
    ("crm/contact/upsert", UPSERT, lambda a: a["record"]["email"] == "ada@lovelace.dev"),
    (
        "crm/account/batch_read",
        {"body:ids": "001SB0000000001AAA,001SB0000000002AAA", "body:properties": "Name"},
        lambda a: {r["id"] for r in a} == {"001SB0000000001AAA", "001SB0000000002AAA"},
    ),
    ("accounting/customer-balance", {"query:customer": "1,2"}, lambda a: "totalBalance" in a),
    ("accounting/customer-income", {"query:customer": "1,2"}, lambda a: "netIncome" in a),
    ("accounting/payment-receipt", {"query:customer_transaction_id": "1001"}, lambda a: bool(a)),
    (
        "core/pipeline/create",
        {
            "body:id": "pipe_typed",
            "body:sourceId": "conn_a",
            "body:metadata": '{"a": 1}',
            "body:disabled": "1",
        },
        lambda a: a["id"] == "pipe_typed" and a["metadata"] == {"a": 1} and a["disabled"] is True,
    ),
    ("core/connection/check", {"path:id": "conn_sandbox_clean"}, lambda a: a["id"] == "conn_sandbox_clean"),
    ("core/customer/put", {"path:id": "acme", "body:metadata": "[1.5]"}, lambda a: a["metadata"] == [1.5]),
    ("connect/magic-link", {"body:customerId": "acme", "body:theme": "2"}, lambda a: "url" in a),
    ("webhook", {"path:connector_name": "hubspot", "free:": '{"a": 1}'}, lambda a: a["status"] == "ok"),
]


@pytest.mark.parametrize(("operation", "typing", "holds"), GOOD, ids=[g[0] for g in GOOD])
def test_what_is_typed_is_sent_and_the_answer_is_shown(
    play: Play, operation: str, typing: Typing, holds: Callable[[Any], object]
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(operation)
        assert list(at.session.exchanges.all()) == [], "opening a page sends nothing"
        type_in(page, typing)
        assert list(at.session.exchanges.all()) == [], "typing sends nothing"
        await send(page)
        assert page.pane.banner is None
        assert page.pane.panel.badge.text() == "200 OK"
        assert page.pane.panel.front == "Response"
        assert holds(answered(page))
        assert len(at.session.exchanges.all()) == 1

    play(scene)


def test_a_contact_is_created_then_updated_by_its_id(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, {"body:record.first_name": "Ada", "body:record.phone": "1"})
        await send(page)
        contact = answered(page)["record"]["id"]
        page.choose(1)
        type_in(page, {"path:id": contact, "body:record.first_name": "Grace"})
        assert page.head.path.whole() == f"PATCH /v0/unified/crm/contact/{contact}"
        await send(page)
        assert answered(page)["record"]["first_name"] == "Grace"
        became = {c.field: c.what for c in page.pane.panel.changes.changes}
        assert became["first_name"] == "kept"
        assert became["phone"] == "added"

    play(scene)


def test_a_pipeline_is_updated(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/pipeline/create")
        type_in(page, {"body:id": "pipe_two", "body:metadata": '{"a": 1}'})
        await send(page)
        page.choose(1)
        type_in(page, {"path:id": "pipe_two", "body:metadata": '{"b": 2.50}'})
        assert page.pane.form.request().body == b'{"metadata":{"b":2.50}}'
        await send(page)
        assert answered(page)["metadata"] == {"a": 1, "b": 2.5}
        became = {c.field: c.what for c in page.pane.panel.changes.changes}
        assert (became["metadata.b"], became["metadata.a"]) == ("kept", "added")

    play(scene)


BAD: list[tuple[str, Typing, str]] = [
    (
        "crm/contact/create",
        {"body:record.passthrough_fields": '{"a" 1}'},
        'Line 1: a colon is missing after "a"',
    ),
    ("crm/contact/update", {"body:record.first_name": "Ada"}, "Required"),
    ("crm/contact/upsert", {"body:record.passthrough_fields": "[1]"}, "Must be an object, as { … }"),
    ("crm/account/batch_read", {"body:ids": "a"}, "Required"),
    ("accounting/customer-income", {"query:department": "x"}, "Required"),
    ("core/pipeline/create", {"body:sourceId": "source"}, "Must start with conn_"),
    ("core/pipeline/update", {"path:id": "line_1"}, "Must start with pipe_"),
    ("core/connection/check", {"path:id": "x"}, "Must start with conn_"),
    ("core/customer/put", {"body:metadata": "{"}, "Line 1: the { of line 1 is not closed"),
    ("connect/magic-link", {"body:validityInSeconds": "soon"}, "Must be a number"),
    (
        "webhook",
        {"path:connector_name": "hubspot", "free:": "{a}"},
        "Line 1: the name a must be in double quotes",
    ),
]


@pytest.mark.parametrize(("operation", "typing", "sentence"), BAD, ids=[b[0] for b in BAD])
def test_what_breaks_the_contract_is_not_sent_and_is_told(
    play: Play, operation: str, typing: Typing, sentence: str
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(operation)
        type_in(page, typing)
        await send(page)
        assert list(at.session.exchanges.all()) == []
        assert sentence in [f.sentence for f in page.pane.form.faults()]
        assert page.status_text.endswith("to mend before sending")

    play(scene)


@pytest.mark.parametrize(
    ("operation", "typing", "badge", "sentence"),
    [
        ("accounting/customer-balance", {}, "400 Bad Request", "The service says: Required"),
        (
            "accounting/payment-receipt",
            {"query:customer_transaction_id": "9"},
            "404 Not Found",
            "third party",
        ),
        (
            "webhook",
            {"path:connector_name": "github"},
            "501 Not Implemented",
            "github does not handle webhooks",
        ),
    ],
)
def test_a_refusal_is_a_banner_with_the_form_kept(
    play: Play, operation: str, typing: Typing, badge: str, sentence: str
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(operation)
        type_in(page, typing)
        before = page.pane.form.draft()
        await send(page)
        banner = page.pane.banner
        assert banner is not None
        assert page.pane.panel.badge.text() == badge
        notes = [str(widget.property("text")) for widget in page.pane.form.findChildren(type(page.head.path))]
        assert any(sentence in text for text in (banner.title, banner.text, *notes))
        assert page.pane.form.draft() == before

    play(scene)


def test_send_anyway_breaks_the_contract_outside_production(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/pipeline/create")
        type_in(page, {"body:id": "pipe_x", "body:sourceId": "source"})
        await send(page)
        assert page.head.anyway.isVisible()
        QTest.mouseClick(page.head.anyway, Qt.MouseButton.LeftButton)
        await until(lambda: not page.tasks.busy())
        assert at.session.exchanges.all()[0].request_body == b'{"id":"pipe_x","sourceId":"source"}'
        row = page.pane.form.body.grid.rows["sourceId"]  # type: ignore[union-attr]  # it has a body
        assert "The service says" in row.editor.input().accessibleDescription()

    play(scene)


def test_on_production_nothing_goes_out_against_the_contract(on_profile: Profiled) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/pipeline/create")
        type_in(page, {"body:sourceId": "source"})
        await send(page)
        page.send_anyway()
        assert not page.head.anyway.isVisible()
        assert not page.tasks.busy()
        assert list(at.session.exchanges.all()) == []

    on_profile(environment=Environment.PRODUCTION, guard=Guard.ASK)(scene)


def test_a_write_asks_and_no_is_no(on_profile: Profiled) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/customer/put")
        type_in(page, {"path:id": "acme"})
        at.answer = False
        await send(page)
        assert [r.path for r in at.asked] == ["/v0/core/customer/acme"]
        assert list(at.session.exchanges.all()) == []
        assert page.status_text == "Not sent"
        at.answer = True
        await send(page)
        assert page.pane.panel.badge.text() == "200 OK"

    on_profile(guard=Guard.ASK)(scene)


def test_read_only_is_refused_and_logged(on_profile: Profiled) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/customer/put")
        type_in(page, {"path:id": "acme"})
        await send(page)
        assert page.pane.panel.badge.text() == "Refused"
        assert page.pane.banner is not None
        assert "read only" in page.pane.banner.title
        assert [e.state for e in at.session.exchanges.all()] == ["refused"]

    on_profile(guard=Guard.READ_ONLY)(scene)


def test_stopping_a_write_says_that_its_outcome_is_unknown(on_profile: Profiled) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, {"body:record.first_name": "Ada"})
        QTest.keyClick(page.pane.form, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: len(at.session.exchanges.all()) == 1)
        assert page.head.stop_button.isVisible()
        QTest.keyClick(page.pane.form, Qt.Key.Key_Escape)
        assert not page.tasks.busy()
        assert page.pane.banner is not None
        assert "outcome unknown" in page.pane.banner.title
        await until(lambda: at.session.exchanges.all()[0].state != "waiting")
        assert len(at.session.exchanges.all()) == 1, "it is not sent again by itself"

    on_profile(connection="conn_sandbox_slow")(scene)


def test_a_write_without_an_answer_is_told_as_unknown_and_not_sent_again(on_profile: Profiled) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, {"body:record.first_name": "Ada"})
        await send(page)
        assert page.pane.panel.badge.text() == "Outcome unknown"
        banner = page.pane.banner
        assert banner is not None
        assert [b.text() for b in banner.buttons()] == ["Show what was sent"]
        banner.buttons()[0].click()
        assert page.pane.panel.front == "Request"
        assert len(at.session.exchanges.all()) == 1

    on_profile(connection="conn_sandbox_slow", deadline_seconds=0.4)(scene)


def test_the_link_is_masked_until_asked_for(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("connect/magic-link")
        type_in(page, {"body:customerId": "acme"})
        await send(page)
        answer = page.pane.panel.answer
        assert answer.outcome is not None
        url = json.loads(answer.outcome.body)["url"]
        assert answer.link.isVisible()
        token = url.partition("?")[2]
        assert token not in answer.link.line.text()
        assert answered(page) == {"url": "••••••"}
        answer.link.copy.click()
        assert QApplication.clipboard().text() == url
        answer.link.reveal.click()
        assert answer.link.line.text() == url
        answer.hidden.button.click()
        assert json.loads(answer.shown or b"")["url"] == url
        await page.shutdown()
        assert token not in json.dumps(at.settings)

    play(scene)


def test_secrets_of_a_connection_are_masked_until_asked_for(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/connection/check")
        type_in(page, {"path:id": "conn_sandbox_clean"})
        await send(page)
        answer = page.pane.panel.answer
        assert answered(page)["settings"]["apiKey"] == "••••••"
        answer.hidden.button.click()
        assert answered(page)["settings"]["apiKey"] != "••••••"

    play(scene)


def test_a_pdf_is_told_by_its_size_and_saved_as_received(play: Play, folders: Folders) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("accounting/payment-receipt")
        type_in(page, {"query:customer_transaction_id": "1002"})
        await send(page)
        answer = page.pane.panel.answer
        assert answer.file.what.text().startswith("PDF, ")
        target = folders.data / "receipt.pdf"
        answer.file.write(target)
        assert answer.outcome is not None
        assert target.read_bytes() == answer.outcome.body
        assert target.read_bytes().startswith(b"%PDF-")

    play(scene)


def test_an_edit_marks_the_answer_as_older_and_undoing_it_takes_that_back(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, {"body:record.first_name": "Ada"})
        await send(page)
        figures = page.pane.panel.figures
        assert "before the last edit" not in figures.whole()
        type_in(page, {"body:record.first_name": "x"})
        assert "before the last edit" in figures.whole()
        QTest.keyClick(editor_at(page, "body:record.first_name"), Qt.Key.Key_Backspace)
        assert "before the last edit" not in figures.whole()

    play(scene)


def test_what_was_typed_is_there_again_half_typed_json_included(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/upsert")
        type_in(page, {**UPSERT, "body:record.passthrough_fields": ', "more"'})
        await until(lambda: bool(at.settings), "the draft, which is kept without being asked for")
        kept = page.pane.form.draft()
        await until(
            lambda: at.settings.get(f"drafts/sandbox/{at.session.connection}/crm/contact/upsert") == kept
        )
        again = at.open("crm/contact/upsert")
        assert again.pane.form.draft() == kept
        assert again.pane.form.request() == page.pane.form.request()
        assert list(at.session.exchanges.all()) == []

    play(scene)


def test_the_request_is_shown_as_it_goes_out_with_the_key_masked(play: Play, service: SandboxProcess) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("core/customer/put")
        preview = page.pane.panel.preview
        assert preview.note.text() == "Missing: id. Without it there is no address."
        type_in(page, {"path:id": "a/b", "body:metadata": '{"n": 1.10}'})
        page.pane.form.extra.set_pairs([("x", "1 2")])
        page.pane.form.extra.changed.emit()
        text = preview.text.toPlainText()
        assert f"PUT {service.base_url}/v0/core/customer/a%2Fb?x=1+2" in text
        assert "x-apikey: ••••••" in text
        assert '"n": 1.10' in text
        page.copy_as_curl()
        copied = QApplication.clipboard().text()
        assert copied == curl_of(at.session.profile, page.pane.form.request())
        assert "$UNIFIED_EXPLORER_APIKEY" in copied
        assert service.apikey not in copied + text
        assert list(at.session.exchanges.all()) == []

    play(scene)


BUTTONS = {
    "accounting/customer-balance": "Run report",
    "accounting/customer-income": "Run report",
    "accounting/payment-receipt": "Get receipt",
    "connect/magic-link": "Create link",
    "core/connection/check": "Check",
    "crm/account/batch_read": "Read",
}


def test_every_page_has_its_parts(play: Play) -> None:
    async def scene(at: Stage) -> None:
        for operation in registry.operations():
            if operation.number in (5, 6, 7, 8, 9):
                continue
            page = at.open(operation.key, make_page)
            assert isinstance(page.pane, CallPane)
            assert isinstance(page.pane.panel, AnswerPanel)
            assert isinstance(page.pane.form.query, ModelForm)
            assert page.head.send_button.accessibleName() == BUTTONS.get(
                operation.key, page.spec.send or "Send"
            )
            tabs = [page.pane.panel.tabs.tabText(i) for i in range(page.pane.panel.tabs.count())]
            assert ("Changes" in tabs) == can_compare(operation)
            state = page.save_state()
            page.choose(0)
            page.restore_state(state)
            assert page.pane.operation is operation

    play(scene)


def test_in_the_window_ctrl_enter_sends_once(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        app.window.open_page("core/customer")
        page = app.window.tabs.current
        assert isinstance(page, CallPage)
        assert app.session is not None
        type_in(page, {"path:id": "acme"})
        QTest.keyClick(editor_at(page, "path:id"), Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: page.pane.panel.badge.text() == "200 OK", "the answer")
        log = app.session.exchanges.all()
        assert [e.path for e in log if e.operation == "core/customer/put"] == ["/v0/core/customer/acme"]

    assert run_window(body) == 0


def test_words_of_an_outcome() -> None:
    assert named(404) == "404 Not Found"
    assert named(799) == "799"
    assert masked_link("https://a.test/p?token=x") == "https://a.test/p?••••••"
    assert masked_link("http://127.0.0.1:41873/connect/portal?token=x") == (
        "http://127.0.0.1:41873/connect/portal?••••••"
    )
    assert masked_link("http://user:secret@[::1]:80/p?t=x") == "http://[::1]:80/p?••••••"
    assert masked_link("http://a.test:port/p?t=x") == "••••••", "no port is taken from what is none"


def test_what_was_cleared_can_be_brought_back_until_something_is_typed(on_profile: Profiled) -> None:
    async def scene(stage: Stage) -> None:
        page = stage.open("crm/contact/upsert")
        lines = {line.accessibleName(): line for line in page.findChildren(QLineEdit)}
        QTest.keyClicks(lines["first_name"], "Ada")
        QTest.keyClicks(lines["email"], "ada@example.org")
        before = page.pane.form.draft()
        QTest.mouseClick(page.head.clear_button, Qt.MouseButton.LeftButton)
        assert page.pane.form.draft() != before
        assert page.pane.banner is not None
        [undo] = page.pane.banner.buttons()
        QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
        assert page.pane.form.draft() == before
        assert page.pane.banner is None
        QTest.mouseClick(page.head.clear_button, Qt.MouseButton.LeftButton)
        QTest.keyClicks(lines["first_name"], "Eve")
        assert page.pane.banner is None, "it would take away what was typed since"
        QTest.mouseClick(page.head.clear_button, Qt.MouseButton.LeftButton)
        QTest.mouseClick(page.head.clear_button, Qt.MouseButton.LeftButton)
        assert page.pane.banner is not None, "clearing an empty form takes nothing away"

    on_profile()(scene)
