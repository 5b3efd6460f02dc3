"""Contacts: from typing to what the service stored, what became of each field, and filling from records seen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from explorer.paths import Folders
from explorer.sandbox.process import SandboxProcess
from explorer.ui.call.call_page import CallPage
from explorer.ui.pages.crm.contact_fill import FillDialog
from explorer.ui.pages.crm.contact_page import ContactPage, ContactPane
from tests.builtin import registry
from tests.gui.conftest import until
from tests.gui.core_stage import QUIET, Play, Stage, badge, player, send, sentences

pytestmark = QUIET
CLEAN = "conn_sandbox_clean"


@pytest.fixture
def play(dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess) -> Play:
    return player(dressed, folders, service)


def grid(page: CallPage, path: str) -> tuple[Any, str]:
    """The grid that holds ``path:id`` or ``body:record.email``, and the field's name in it."""
    place, _, steps = path.partition(":")
    *outer, last = steps.split(".")
    found = getattr(page.pane.form, place).grid
    for step in outer:
        found = found.editors[step].grid
    return found, last


def editor(page: CallPage, path: str) -> Any:
    found, last = grid(page, path)
    return found.editors[last]


def type_in(page: CallPage, **typed: str) -> None:
    """Type into fields of the record; ``id``, ``key`` and ``values`` stand elsewhere."""
    places = {"id": "path:id", "key": "body:upsert_on.key", "values": "body:upsert_on.values"}
    for name, text in typed.items():
        widget = editor(page, places.get(name, f"body:record.{name}")).input()
        widget.setFocus()
        if name == "passthrough_fields":
            widget.insertPlainText(text)
        elif name == "values":
            QApplication.clipboard().setText(text)
            QTest.keyClick(widget, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
            QTest.keyClick(widget, Qt.Key.Key_Return)
        else:
            widget.selectAll()
            QTest.keyClicks(widget, text)


def choose_state(page: CallPage, path: str, words: str) -> None:
    """Left out, null or empty, by the menu of a field."""
    menu = editor(page, path).open_menu()
    next(action for action in menu.actions() if action.text() == words).trigger()
    menu.close()


def stored(at: Stage, ident: str) -> dict[str, Any]:
    """What the third party of the sandbox has under that id."""
    found: dict[str, Any] = at.state()["contacts"][at.session.connection][ident]
    return found


def record(page: CallPage) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.pane.panel.answer.shown or b"")["record"]
    return found


def test_a_contact_is_created_with_fields_set_null_and_left_out(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        assert isinstance(page, ContactPage)
        type_in(page, first_name="Ada", email="ada@lovelace.dev", passthrough_fields='{"Level__c": "gold"}')
        choose_state(page, "body:record.last_name", "Send null")
        choose_state(page, "body:record.phone", "Send as empty text")
        assert list(at.session.exchanges.all()) == [], "typing sends nothing"
        await send(page)
        assert badge(page) == "200 OK"
        sent = {"first_name": "Ada", "last_name": None, "email": "ada@lovelace.dev", "phone": ""}
        assert at.bodies() == [{"record": {**sent, "passthrough_fields": {"Level__c": "gold"}}}]
        raw = stored(at, record(page)["id"])
        kept = {name: raw[name] for name in ("FirstName", "LastName", "Email", "Phone", "Level__c")}
        assert list(kept.values()) == ["Ada", None, "ada@lovelace.dev", "", "gold"]

    play(scene)


def test_an_update_leaves_what_was_left_out(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, first_name="Ada", phone="1")
        await send(page)
        ident = record(page)["id"]
        page.choose(1)
        type_in(page, id=ident, first_name="Grace")
        await send(page)
        assert at.session.exchanges.all()[-1].path == f"/v0/unified/crm/contact/{ident}"
        raw = stored(at, ident)
        assert (raw["FirstName"], raw["Phone"]) == ("Grace", "1")
        became = {c.field: (c.what, c.why) for c in page.pane.panel.changes.changes}
        assert became["id"] == became["first_name"] == ("kept", "")
        assert became["phone"] == ("added", "not sent")
        assert became["updated_at"] == ("added", "new")

    play(scene)


def test_the_same_upsert_again_is_one_click_and_makes_no_second_contact(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/upsert")
        type_in(page, key="email", values="one@upsert.example\ntwo@upsert.example; three@upsert.example")
        type_in(page, first_name="Ada", email="one@upsert.example")
        chips = editor(page, "body:upsert_on.values")
        assert chips.value() == ["one@upsert.example", "two@upsert.example", "three@upsert.example"]
        await send(page)
        first = record(page)["id"]
        QTest.mouseClick(page.head.send_button, Qt.MouseButton.LeftButton)
        await until(lambda: not page.tasks.busy(), "the second answer")
        assert record(page)["id"] == first
        one, other = at.bodies()
        assert one == other
        assert one["upsert_on"] == {"key": "email", "values": chips.value()}
        emails = [raw["Email"] for raw in at.state()["contacts"][CLEAN].values()]
        assert emails.count("one@upsert.example") == 1

    play(scene)


def test_what_raw_data_shows_of_the_passthrough_fields(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        given = '{"Tier__c": 7, "lead": {"source": "fair"}, "email": "x@other.example"}'
        type_in(page, email="ada@trace.example", passthrough_fields=given)
        await send(page)
        panel = page.pane.panel
        shown = {trace.field: trace for trace in page.pane.traces.traces}
        assert [place.field for place in shown["Tier__c"].places] == ["raw_data.Tier__c"]
        assert shown["lead.source"].places[0].field == "raw_data.lead.source"
        cells = [
            [page.pane.traces.table.model().index(row, column).data() for column in range(4)]
            for row in range(page.pane.traces.table.model().rowCount())
        ]
        assert cells[0] == ["Tier__c", "7", "raw_data.Tier__c", "there, same value"]
        panel.turn_to("Changes")
        said = "3 of 3 passthrough fields stand in raw_data as sent"
        assert said in sentences(page)
        page.clear()
        await send(page)
        assert not page.pane.traces.isVisibleTo(page), "nothing was passed through this time"

    play(scene)


def test_a_dropped_and_a_changed_field_are_told_apart(
    dressed: QApplication, qtbot: QtBot, folders: Folders, service: SandboxProcess
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, first_name="Ada", phone="+44 20")
        await send(page)
        became = {c.field: c.what for c in page.pane.panel.changes.changes}
        assert became["first_name"] == "kept"
        assert became["phone"] in ("changed", "dropped"), "the connection loses it"
        assert page.pane.panel.changes.said.text().startswith("1 kept · 1 ")

    player(dressed, folders, service, connection="conn_sandbox_messy.contact-phone-dropped")(scene)


def test_the_comparison_stands_beside_the_answer_where_there_is_room(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, first_name="Ada")
        await send(page)
        panel = page.pane.panel
        assert panel.front == "Response"
        assert panel.beside.isVisible()
        page.setMinimumSize(400, 200)  # as the window's tabs have it
        page.resize(792, 400)
        await until(lambda: not panel.beside.isVisible(), "the narrow page")
        assert panel.answer.isVisible()
        folded = [button.text() for button in page.head.folded]
        assert folded[:2] == ["Clear", "Copy as command"]
        assert page.head.more.isVisible()
        menu = page.head.more.menu()
        menu.aboutToShow.emit()
        assert [action.text() for action in menu.actions()] == folded[::-1]
        page.resize(1500, 400)
        await until(lambda: not page.head.folded, "the wide page")
        assert page.head.command_button.isVisible()

    play(scene)


BAD: list[tuple[str, dict[str, str], str, bool]] = [
    ("crm/contact/create", {"passthrough_fields": '{"a" 1}'}, 'Line 1: a colon is missing after "a"', False),
    ("crm/contact/create", {"passthrough_fields": "[1]"}, "Must be an object, as { … }", False),
    (
        "crm/contact/create",
        {"email": "ada"},
        "The third party behind conn_sandbox_clean, not the service, answered 400 Bad Request",
        True,
    ),
    ("crm/contact/update", {"first_name": "Ada"}, "Required", False),
    ("crm/contact/update", {"id": "nobody", "first_name": "Ada"}, "It did not find this: check the id", True),
    ("crm/contact/update", {"id": "..", "first_name": "Ada"}, "id cannot be '..'", False),
    (
        "crm/contact/upsert",
        {"key": "email", "values": "twice@example.com", "first_name": "Ada"},
        "2 contacts match email; expected one at most",
        True,
    ),
    ("crm/contact/upsert", {"values": "a@b.example"}, "The service says: ", True),
    (
        "crm/contact/upsert",
        {"passthrough_fields": '{\n"a": 1,\n"b" 2}'},
        'Line 3: a colon is missing after "b"',
        False,
    ),
]


@pytest.mark.parametrize(("operation", "typed", "sentence", "goes"), BAD)
def test_bad_input_is_told_where_the_user_looks(
    play: Play, operation: str, typed: dict[str, str], sentence: str, goes: bool
) -> None:
    async def scene(at: Stage) -> None:
        page = at.open(operation)
        type_in(page, **typed)
        before = page.pane.form.draft()
        await send(page)
        shown = " ".join(sentences(page))
        if page.pane.banner is not None:
            shown += f" {page.pane.banner.title} {page.pane.banner.text}"
        assert sentence in shown
        assert len(at.session.exchanges.all()) == int(goes)
        assert page.pane.form.draft() == before, "what was typed stays"

    play(scene)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"record": {"email": 7}}', "record.email: Must be text"),
        ('{"record": []}', "record: Must be an object, as { … }"),
        ('{"upsert_on": {"values": [1]}}', "upsert_on.values[0]: Each must be text"),
    ],
)
def test_bad_json_of_the_whole_body_is_told(play: Play, text: str, sentence: str) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/upsert")
        page.pane.form.body.set_raw(text)
        await send(page)
        assert any(sentence in said for said in sentences(page))
        assert list(at.session.exchanges.all()) == []
        QTest.mouseClick(page.head.anyway, Qt.MouseButton.LeftButton)
        await until(lambda: not page.tasks.busy())
        assert at.bodies() == [json.loads(text)]

    play(scene)


def opened(page: ContactPage) -> FillDialog:
    QTest.mouseClick(page.fill_button, Qt.MouseButton.LeftButton)
    return page.findChildren(FillDialog)[-1]


def test_a_form_is_filled_from_a_contact_seen_in_an_answer(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        QTest.mouseClick(page.fill_button, Qt.MouseButton.LeftButton)
        assert page.findChild(FillDialog) is None
        assert at.told[0].title == "There is no record to fill from yet"
        type_in(page, first_name="Ada", email="ada@fill.example")
        await send(page)
        ident = record(page)["id"]
        page.choose(1)
        type_in(page, phone="5")
        dialog = opened(page)
        assert dialog.source.currentText() == "Contacts seen in responses, 1"
        assert dialog.fill.text() == "Fill 3 fields"
        phone = next(one for one in dialog.mappings if one.target.name == "record.phone")
        assert phone.shows.whole() == "absent: left as it is"
        QTest.mouseClick(dialog.fill, Qt.MouseButton.LeftButton)
        assert page.pane.form.path_values() == {"id": ident}
        body = {"record": {"first_name": "Ada", "email": "ada@fill.example", "phone": "5"}}
        assert page.pane.form.sent() == body
        page.choose(2)
        dialog = opened(page)
        QTest.keyClick(dialog.table, Qt.Key.Key_Return)
        on = {"key": "email", "values": ["ada@fill.example"]}
        assert page.pane.form.sent() == {
            "upsert_on": on,
            "record": {"first_name": "Ada", "email": "ada@fill.example"},
        }
        assert len(at.session.exchanges.all()) == 1, "filling sends nothing"

    play(scene)


def test_a_form_is_filled_from_a_row_of_any_list_at_hand(play: Play) -> None:
    async def scene(at: Stage) -> None:
        await at.session.pull(registry.listing("sales-engagement/mailbox"), {}).more()
        await at.session.pull(registry.listing("ats/job"), {"page_size": 7}, [("x", "1")]).more()
        calls = len(at.session.exchanges.all())
        page = at.open("crm/contact/create")
        type_in(page, last_name="Byron")
        dialog = opened(page)
        titles = [dialog.source.itemText(place) for place in range(dialog.source.count())]
        assert titles[0] == "Jobs, 7 rows loaded"
        assert len(titles) == 2
        dialog.source.setCurrentIndex(next(i for i, t in enumerate(titles) if t.startswith("Mailboxes")))
        rows = dialog.model.rowCount()
        dialog.model.scrolled_to_end()
        assert dialog.model.state == "complete", "there is nothing more to be asked for here"
        wanted = dialog.model.cell(3, [c.field for c in dialog.model.columns].index("email") + 1).text
        QTest.keyClicks(dialog.filter, wanted)
        await until(lambda: 0 < dialog.model.rowCount() < rows, "the filtered rows")
        last = next(one for one in dialog.mappings if one.target.name == "record.first_name")
        last.choice.setCurrentText("user_id")
        QTest.mouseClick(dialog.fill, Qt.MouseButton.LeftButton)
        sent = page.pane.form.sent()["record"]
        assert sent["email"] == wanted
        assert sent["last_name"] == "Byron"
        assert sent["first_name"]
        assert len(at.session.exchanges.all()) == calls, "choosing fetches nothing"

    play(scene)


def test_a_body_that_is_no_json_is_not_filled_over(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/create")
        type_in(page, email="a@b.example")
        await send(page)
        page.pane.form.body.set_raw("{half")
        dialog = opened(page)
        QTest.mouseClick(dialog.fill, Qt.MouseButton.LeftButton)
        assert page.pane.form.body.raw.text() == "{half"
        assert page.pane.panel is not None
        assert isinstance(page.pane, ContactPane)
        assert "Not filled" in page.pane._said

    play(scene)


def test_every_button_of_the_head_says_what_it_is(play: Play) -> None:
    async def scene(at: Stage) -> None:
        page = at.open("crm/contact/upsert")
        names = [button.accessibleName() or button.text() for button in page.head.findChildren(QPushButton)]
        assert all(names)
        ids = [command.id for command, _ in page.commands()]
        assert {"contact.fill", "request.history", "request.copy_command"} <= set(ids)

    play(scene)
