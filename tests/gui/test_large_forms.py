"""Forms that hold very much: a key press does a bounded piece of work, and what is sent stays what was given."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.api.http_request import http_request_of
from explorer.catalog.fields import Field, fields_of
from explorer.jsontext.typed import check, compact
from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.ui.forms import exact
from explorer.ui.forms.chips_editor import ChipsEditor
from explorer.ui.forms.choice_editor import ChoiceEditor
from explorer.ui.forms.connector_editor import ConnectorEditor
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.held_line import LINE_MOST
from explorer.ui.forms.json_edit import JsonEdit
from explorer.ui.forms.streams_editor import StreamsEditor
from explorer.ui.forms.text_editor import TextEditor
from explorer.ui.kit.theme import theme
from tests.builtin import registry
from tests.gui.stage import until
from tests.gui.write_stage import Scene, play, send, texts
from tests.recording import Recording, Reply
from tests.watching import allocating, watched

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

LONG = "lorem ipsum " * 420_000
MANY_ITEMS = json.dumps({"a": [f"item {number}" for number in range(5_000)]}, indent=1)
DEEP = '{"a":' * 1_000 + "1" + "}" * 1_000
LARGE_JSON = {
    "one line": json.dumps({"t": LONG}),
    "many lines": json.dumps({f"k{number}": "lorem ipsum " * 10 for number in range(40_000)}, indent=1),
    "many items": MANY_ITEMS,
    "no JSON": '{"a": [' + "1, " * 40_000 + "}",
}
A_TURN = 400_000
"""Bytes that Python may take in one handler beside a text of five million."""


def pasted(text: str) -> None:
    QApplication.clipboard().setText(text)


@pytest.fixture
def on_wire(dressed: QApplication, qtbot: QtBot, folders: Folders) -> Callable[[Scene], list[bytes]]:
    """Plays a scene on a plain server; gives the bodies that it received."""

    def begin(scene: Scene) -> list[bytes]:
        with Recording([Reply(200, b'{"record":{}}')]) as server:
            play(dressed, folders, Profile.sandbox(server.url, guard=Guard.OPEN), "own-key", scene)
            return [one.body for one in server.got]

    return begin


@pytest.fixture
def edit(qtbot: QtBot) -> JsonEdit:
    made = JsonEdit()
    qtbot.addWidget(made)
    theme().dress(made)
    made.show()
    return made


def read_to_its_end(edit: JsonEdit) -> int:
    turns = 0
    while edit.reading:
        QCoreApplication.processEvents()
        turns += 1
    return turns


# ---- a line


def test_a_long_text_is_held_beside_its_line_and_goes_out_to_the_letter(qtbot: QtBot) -> None:
    editor = TextEditor(Field("name", "text", False, False), "body")
    qtbot.addWidget(editor)
    line = editor.input()
    line.setText("ab\U0001f600cd")
    line.setSelection(1, 3)
    pasted(LONG)
    QTest.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert editor.value() == f"a{LONG}cd"
    assert line.text() == "", "none of it is laid out"
    assert line.placeholderText().startswith(f"{len(LONG) + 3:,} characters, kept as they are: alorem ipsum")
    assert (
        exact.encode({"name": editor.value()})
        == json.dumps({"name": f"a{LONG}cd"}, separators=(",", ":")).encode()
    )
    QTest.keyClick(line, Qt.Key.Key_X)
    assert editor.value() == "x", "typing takes its place"


@pytest.mark.parametrize("way", ["menu", "drop", "value"])
def test_a_long_text_is_held_whichever_way_it_comes(qtbot: QtBot, way: str) -> None:
    editor = TextEditor(Field("name", "text", False, False), "body")
    qtbot.addWidget(editor)
    line, text = editor.input(), "x" * (LINE_MOST + 1)
    if way == "menu":
        pasted(text)
        menu = line.createStandardContextMenu()
        next(action for action in menu.actions() if action.objectName() == "edit-paste").trigger()
        menu.deleteLater()
    elif way == "drop":
        line.insert(text)
    else:
        assert editor.set_value(text)
    assert (editor.value(), line.text()) == (text, "")
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert (editor.state, line.held) == ("left out", "")


def test_a_text_that_can_be_edited_is(qtbot: QtBot) -> None:
    editor = TextEditor(Field("name", "text", False, False), "body")
    qtbot.addWidget(editor)
    pasted("y" * LINE_MOST)
    editor.input().paste()
    assert (editor.value(), editor.input().text(), editor.input().held) == ("y" * LINE_MOST,) * 2 + ("",)


# ---- chips and choices


def told_by(editor: QWidget) -> int:
    """The longest text that any part of an editor lays out, names or carries as a tip."""
    return max(map(len, texts(editor)))


@pytest.mark.parametrize("way", ["paste", "menu", "drop", "value"])
def test_a_long_text_is_one_chip_that_shows_its_beginning(qtbot: QtBot, way: str) -> None:
    editor = ChipsEditor(Field("names", "array", False, False, items="text"), "body")
    qtbot.addWidget(editor)
    line, text = editor.input(), "lorem\u00a0ipsum/" * 400_000
    assert editor.set_value(["first"])
    pasted(text)
    if way == "paste":
        QTest.keyClick(line, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    elif way == "menu":
        menu = line.createStandardContextMenu()
        next(action for action in menu.actions() if action.objectName() == "edit-paste").trigger()
        menu.deleteLater()
    elif way == "drop":
        line.insert(text)
    else:
        assert editor.set_value(["first", text])
    assert editor.value() == ["first", text]
    assert line.text() == "", "none of it is laid out"
    assert told_by(editor) < 3_000
    with allocating() as allocated, allocated.step("a key"):
        QTest.keyClick(line, Qt.Key.Key_X)
    assert editor.value() == ["first", text, "x"]
    assert allocated.most < A_TURN, allocated.most
    line.clear()
    QTest.keyClick(line, Qt.Key.Key_Backspace)
    assert editor.value() == ["first"]


def test_a_pasted_list_of_long_texts_is_split(qtbot: QtBot) -> None:
    editor = ChipsEditor(Field("names", "array", False, False, items="text"), "body")
    qtbot.addWidget(editor)
    long = "x" * (LINE_MOST + 1)
    editor.input().setText("a")
    pasted(f"b, {long}\n{long} ")
    editor.input().paste()
    assert editor.value() == ["ab", long, long]
    assert told_by(editor) < 3_000


def test_of_a_long_name_of_a_connector_the_beginning_is_made_visible(qtbot: QtBot) -> None:
    known = registry.operation("webhook").path_input
    editor = ConnectorEditor(fields_of(known)[0], "path")
    qtbot.addWidget(editor)
    name = "\u00e9\u200b" * 1_200_000
    assert editor.set_value(name)
    with allocating() as allocated, allocated.step("what is said of it"):
        hint = editor.hint()
    assert hint is not None
    assert hint.words.startswith("\u00e9‹U+200B›\u00e9")
    assert " is not among the " in hint.words
    assert allocated.most < A_TURN, allocated.most
    assert editor.value() == name


def test_a_long_text_in_a_box_of_choices_is_held_to_the_letter(qtbot: QtBot) -> None:
    editor = ChoiceEditor(Field("view", "text", False, False, choices=("add", "manage")), "body")
    qtbot.addWidget(editor)
    assert editor.set_value(LONG)
    box = editor.input()
    assert editor.value() == LONG
    assert box.currentText().startswith(f"{len(LONG):,} characters, kept as they are: lorem ipsum")
    assert max(len(box.itemText(place)) for place in range(box.count())) < 200
    QTest.keyClick(box, Qt.Key.Key_Backspace)
    assert editor.state == "left out"


def test_the_name_of_a_stream_may_be_long(qtbot: QtBot) -> None:
    editor = StreamsEditor(Field("streams", "object", False, False), "body")
    qtbot.addWidget(editor)
    assert editor.set_value({LONG: {"disabled": True}})
    assert editor.value() == {LONG: {"disabled": True}}
    assert editor.rows[0].name.text() == "", "none of it is laid out"
    assert told_by(editor) < 3_000
    QTest.keyClicks(editor.rows[0].name, "y")
    assert editor.value() == {"y": {"disabled": True}}


# ---- JSON


@pytest.mark.parametrize("shape", LARGE_JSON)
def test_large_json_is_held_and_read_some_tokens_a_turn(edit: JsonEdit, shape: str) -> None:
    text = LARGE_JSON[shape]
    pasted(text)
    with allocating() as allocated:
        edit.paste()
        assert edit.document().characterCount() < 2_000, "its beginning alone is laid out"
        assert edit.isReadOnly()
        assert edit.reading
        assert edit.fault() is not None, "it is not sent before it is known whether it is JSON"
        while edit.reading:
            with allocated.step("a turn"):
                QCoreApplication.processEvents()
    assert edit.text() == text
    fault = check(text)
    assert edit.fault() == fault
    assert edit.value() == RawJson(compact(text) if fault is None else text)
    assert allocated.most < 3 * len(text) + 100_000
    QTest.keyClick(edit, Qt.Key.Key_Delete)
    assert (edit.text(), edit.isReadOnly(), edit.fault()) == ("", False, None)


def test_the_number_of_turns_follows_the_number_of_tokens(edit: JsonEdit) -> None:
    turns = []
    for count in (20_000, 40_000):
        edit.set_text("[" + "1234," * count + "1]")
        turns.append(read_to_its_end(edit))
    assert turns[0] > 20
    assert turns[1] == pytest.approx(2 * turns[0], abs=4)


def test_nothing_of_a_beginning_is_ever_sent(edit: JsonEdit) -> None:
    edit.set_text('{"own": 1}')
    edit.set_text(LARGE_JSON["many lines"])
    edit.undo()
    assert edit.text() == LARGE_JSON["many lines"]
    edit.set_text("[2]")
    assert edit.text() == "[2]"
    while edit.document().isUndoAvailable():
        edit.undo()
    assert edit.text() in ("", "[2]")
    edit.set_text(LARGE_JSON["many lines"])
    pasted(LARGE_JSON["many items"])
    QTest.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert edit.text() == LARGE_JSON["many items"]
    read_to_its_end(edit)


def test_json_that_makes_a_text_large_stands_where_the_cursor_was(edit: JsonEdit) -> None:
    edit.set_text('{"a": , "b\U0001f600": 1}')
    cursor = edit.textCursor()
    cursor.setPosition(6)
    edit.setTextCursor(cursor)
    pasted(LARGE_JSON["many items"])
    edit.paste()
    assert edit.text() == '{"a": ' + LARGE_JSON["many items"] + ', "b\U0001f600": 1}'
    read_to_its_end(edit)
    assert edit.fault() is None


def test_many_levels_are_looked_at_once_a_key(edit: JsonEdit) -> None:
    edit.set_text(DEEP)
    with watched(check) as seen:
        QTest.keyClick(edit, Qt.Key.Key_Space)
        edit.fault()
        assert edit.value() == RawJson(DEEP)
        edit.fault()
    assert len(seen) == 1
    edit.set_out()
    assert edit.text() == " " + DEEP, "two million blanks in front of its lines would make it large"


def test_a_long_text_is_coloured_some_lines_a_turn(edit: JsonEdit) -> None:
    colored: list[int] = []
    own = edit._colors.color_line

    def noted(line: int, text: str) -> None:
        colored.append(line)
        own(line, text)

    edit._colors.color_line = noted  # type: ignore[method-assign]
    edit.set_text("[\n" + "1,\n" * 3_000 + "1\n]")
    at_once = len(colored)
    assert at_once <= 500
    turns = [at_once]
    while len(set(colored)) < 3_003:
        before = len(colored)
        QCoreApplication.processEvents()
        turns.append(len(colored) - before)
    assert max(turns) <= 1_000
    assert edit.document().lastBlock().layout().formats() == []
    assert edit.document().findBlockByNumber(3_000).layout().formats() != []


# ---- the page


def record(page: Any) -> Any:
    return page.pane.form.body.grid.editors["record"].grid.editors


def test_beside_a_large_value_the_request_is_made_once_a_pause(
    on_wire: Callable[[Scene], list[bytes]],
) -> None:
    async def scene(at: Any) -> None:
        page = at.open("crm/contact")
        preview = page.pane.panel.preview
        pasted(LONG)
        record(page)["first_name"].input().paste()
        assert preview.text.toPlainText() == "…", "what stood there is not what the form says now"
        await until(lambda: preview.whole and len(preview.text.toPlainText()) > 1, "the request")
        assert "lorem ipsum" in preview.text.toPlainText()
        assert len(preview.text.toPlainText()) < 210_000
        line = record(page)["last_name"].input()
        with watched(http_request_of, exact.encode) as seen, allocating() as allocated:
            for letter in "Lovelace":
                with allocated.step(letter):
                    QTest.keyClicks(line, letter)
                assert preview.text.toPlainText() == "…"
            assert seen == []
            assert allocated.most < A_TURN, allocated.most
            await until(lambda: preview.whole and len(preview.text.toPlainText()) > 1, "the request")
        names = [name for name, _ in seen]
        assert (names.count("http_request_of"), names.count("encode")) == (1, 1)
        QTest.keyClicks(line, "s")
        await send(page)
        assert page.pane.history.entries()[0].data["form"]["left out"] == "5.0 MB"

    [body] = on_wire(scene)
    given = {"record": {"first_name": LONG, "last_name": "Lovelaces"}}
    assert body == json.dumps(given, separators=(",", ":")).encode()


def test_the_request_is_laid_out_a_piece_a_turn_and_left_when_it_is_an_old_one(
    on_wire: Callable[[Scene], list[bytes]],
) -> None:
    async def scene(at: Any) -> None:
        page = at.open("crm/contact")
        preview = page.pane.panel.preview
        page.pane.form.body.set_raw("[" + '"text",' * 10_000 + "1]")
        await until(lambda: not page.pane.form.body.raw.reading, "the text")
        page.pane._follow()
        sizes = [preview.text.document().characterCount()]
        while not preview.whole:
            QCoreApplication.processEvents()
            sizes.append(preview.text.document().characterCount())
        assert sizes[-1] > 70_000
        assert max(b - a for a, b in zip([0, *sizes], sizes, strict=False)) <= 25_000
        page.pane.form.body.set_raw("[" + '"other",' * 10_000 + "1]")
        page.pane._follow()
        assert not preview.whole
        page.pane.form.body.raw.set_text("[]")
        assert '"other"' not in preview.text.toPlainText()
        await until(lambda: preview.whole, "the request")
        assert preview.text.toPlainText().endswith("[]")

    assert on_wire(scene) == []


def test_send_does_not_wait_for_the_preview(on_wire: Callable[[Scene], list[bytes]]) -> None:
    async def scene(at: Any) -> None:
        page = at.open("crm/contact")
        pasted(LONG)
        record(page)["first_name"].input().paste()
        page.pane._preview_timer.stop()
        await send(page)
        assert page.pane.panel.preview.text.toPlainText() == "…"

    [body] = on_wire(scene)
    assert body == json.dumps({"record": {"first_name": LONG}}, separators=(",", ":")).encode()


def test_large_json_goes_out_as_it_always_did_once_it_is_read(
    on_wire: Callable[[Scene], list[bytes]],
) -> None:
    async def scene(at: Any) -> None:
        page = at.open("crm/contact")
        field = record(page)["passthrough_fields"].input()
        pasted(MANY_ITEMS)
        field.paste()
        await send(page)
        assert page.pane.status_text == "1 field to mend before sending", "it is being read"
        await until(lambda: not field.reading, "the text")
        await send(page)

    [body] = on_wire(scene)
    assert body == b'{"record":{"passthrough_fields":' + compact(MANY_ITEMS).encode() + b"}}"


def test_a_large_call_is_copied_in_a_thread(on_wire: Callable[[Scene], list[bytes]]) -> None:
    from explorer.ui.call.request_preview import as_command, as_curl

    async def scene(at: Any) -> None:
        page = at.open("crm/contact")
        pasted(LONG)
        record(page)["first_name"].input().paste()
        for copy in (page.copy_as_curl, page.copy_as_command):
            with watched(as_curl, as_command) as seen:
                copy()
                await until(
                    lambda: LONG in QApplication.clipboard().text() and not page.tasks.busy(), "the copy"
                )
            assert [in_window for _, in_window in seen] == [False]
            pasted("")

    assert on_wire(scene) == []


@pytest.mark.parametrize("levels", [300, 400, 900, 3_000])
def test_json_of_any_depth_goes_into_the_fields_and_back(qtbot: QtBot, levels: int) -> None:
    operation = next(one for one in registry.operations() if one.key == "crm/contact/upsert")
    assert operation.body is not None
    form = ModelForm(operation.body)
    qtbot.addWidget(form)
    deep = '{"a":' * levels + "1" + "}" * levels
    form.set_value({"record": {"passthrough_fields": exact.read(deep)}})
    sent = b'{"record":{"passthrough_fields":' + deep.encode() + b"}}"
    assert form.body() == sent
    form.toggle.click()
    assert form.body() == sent
    form.toggle.click()
    assert (form.body(), form.faults()) == (sent, [])
