"""Forms under the hand: keys, paste and menus reach every state of every kind of field."""

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget
from pytestqt.qtbot import QtBot

from explorer.catalog.fields import fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.chips_editor import ChipsEditor, split
from explorer.ui.forms.choice_editor import BooleanEditor, ChoiceEditor
from explorer.ui.forms.editor import Editor
from explorer.ui.forms.extra import ExtraParameters
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.forms.form import ModelForm
from explorer.ui.forms.grid import editor_of
from explorer.ui.forms.json_edit import JsonEdit, JsonEditor
from explorer.ui.forms.operation_form import OperationForm
from explorer.ui.forms.text_editor import NumberEditor, TextEditor
from explorer.ui.kit.theme import theme
from tests.builtin import registry

Key = Qt.Key


def field_editor(operation: str, name: str, place: str = "body") -> Editor:
    model = getattr(
        registry.operation(operation), {"body": "body", "query": "query", "path": "path_input"}[place]
    )
    field = next(f for f in fields_of(model) if f.name == name)
    return editor_of(field, place)  # type: ignore[arg-type]  # one of the three places


KEPT: list[QWidget] = []
"""A menu that closes is deleted a moment later: what it belongs to has to be there still."""


@pytest.fixture(autouse=True)
def let_menus_end(qapp: QApplication) -> Iterator[None]:
    yield
    qapp.processEvents()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    KEPT.clear()


def shown(qtbot: QtBot, widget: QWidget) -> QWidget:
    qtbot.addWidget(widget)
    KEPT.append(widget)
    widget.resize(420, 700)
    theme().dress(widget)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def choose(editor: Editor, words: str) -> None:
    menu = editor.fill_menu(QMenu(editor))
    action = next(a for a in menu.actions() if a.text() == words)
    action.trigger()


def test_text_is_typed_cleared_and_sent_empty(qtbot: QtBot) -> None:
    editor = field_editor("connect/magic-link", "displayName")
    assert isinstance(editor, TextEditor)
    shown(qtbot, editor)
    line = editor.input()
    assert line.placeholderText() == "Left out"
    qtbot.keyClicks(line, "Acme")
    assert editor.value() == "Acme"
    line.selectAll()
    qtbot.keyClick(line, Key.Key_Delete)
    assert editor.value() is ABSENT
    choose(editor, "Send as empty text")
    assert editor.value() == ""
    assert line.placeholderText() == '"" (empty text)'
    choose(editor, "Send null")
    assert editor.value() is None
    assert line.placeholderText() == "null"
    qtbot.keyClick(line, Key.Key_Backspace)
    assert editor.value() is ABSENT


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_alt_down_opens_the_states_by_keyboard(qtbot: QtBot) -> None:
    editor = field_editor("connect/magic-link", "displayName")
    shown(qtbot, editor)
    qtbot.keyClick(editor.input(), Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert [a.text() for a in menu.actions()] == ["Leave out", "Send null", "Send as empty text"]
    qtbot.keyClick(menu, Key.Key_Down)
    qtbot.keyClick(menu, Key.Key_Down)
    qtbot.keyClick(menu, Key.Key_Return)
    assert editor.value() is None


def test_null_is_not_offered_where_neither_contract_nor_observation_allows_it(qtbot: QtBot) -> None:
    def words(editor: Editor) -> list[str]:
        qtbot.addWidget(editor)
        return [text for text, _ in editor.choices_of_state()]

    assert "Send null" not in words(field_editor("core/pipeline/create", "sourceId"))
    assert "Send null" in words(field_editor("core/pipeline/create", "metadata"))
    assert "Send null" not in words(field_editor("accounting/customer-income", "department", "query"))


@pytest.mark.parametrize("typed", ["2592000", "0.10", "-1e3", "123456789012345678901234567890"])
def test_a_number_stays_as_typed(qtbot: QtBot, typed: str) -> None:
    form = ModelForm(_body("connect/magic-link"))
    shown(qtbot, form)
    editor = form.grid.editors["validityInSeconds"]
    assert isinstance(editor, NumberEditor)
    qtbot.keyClicks(editor.input(), typed)
    assert form.body() == b'{"validityInSeconds":' + typed.encode() + b"}"
    assert form.faults() == []


def test_what_is_no_number_goes_as_text_and_is_said(qtbot: QtBot) -> None:
    form = ModelForm(_body("connect/magic-link"))
    shown(qtbot, form)
    qtbot.keyClicks(form.grid.editors["validityInSeconds"].input(), "12 days")
    assert form.body() == b'{"validityInSeconds":"12 days"}'
    assert [f.sentence for f in form.faults()] == ["Must be a number"]


def test_a_flag_is_left_out_true_false_or_null_by_keyboard(qtbot: QtBot) -> None:
    editor = field_editor("core/connection/check", "import")
    assert isinstance(editor, BooleanEditor)
    shown(qtbot, editor)
    seen = [editor.value()]
    for _ in range(3):
        qtbot.keyClick(editor.input(), Key.Key_Down)
        seen.append(editor.value())
    assert seen == [ABSENT, True, False, None]
    qtbot.keyClick(editor.input(), Key.Key_Backspace)
    assert editor.value() is ABSENT


def test_scrolling_over_a_choice_changes_nothing(qtbot: QtBot) -> None:
    editor = field_editor("connect/magic-link", "view")
    assert isinstance(editor, ChoiceEditor)
    shown(qtbot, editor)
    editor.set_value("manage")
    none = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    wheel = QWheelEvent(QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), *none, False)
    QApplication.sendEvent(editor.input(), wheel)
    assert editor.value() == "manage"


def test_chips_are_made_by_typing_pasting_and_leaving(qtbot: QtBot) -> None:
    editor = field_editor("crm/account/batch_read", "ids")
    assert isinstance(editor, ChipsEditor)
    other = QLineEdit()
    shown(qtbot, editor)
    shown(qtbot, other)
    line = editor.input()
    qtbot.keyClicks(line, "a1,")
    qtbot.keyClicks(line, "a2")
    assert editor.value() == ["a1", "a2"], "what stands in the line counts before it is a chip"
    qtbot.keyClick(line, Key.Key_Return)
    QApplication.clipboard().setText("b1\r\nb2;b3\tb4, b5\n\n")
    line.paste()
    assert editor.value() == ["a1", "a2", "b1", "b2", "b3", "b4", "b5"]


def test_chips_are_walked_and_removed_by_keyboard(qtbot: QtBot) -> None:
    editor = field_editor("crm/account/batch_read", "ids")
    assert isinstance(editor, ChipsEditor)
    shown(qtbot, editor)
    editor.set_value(["a", "b", "c"])
    line = editor.input()
    qtbot.keyClick(line, Key.Key_Left)
    qtbot.keyClick(line, Key.Key_Left)
    qtbot.keyClick(line, Key.Key_Delete)
    assert editor.value() == ["a", "c"]
    for _ in range(2):
        qtbot.keyClick(line, Key.Key_Backspace)
    assert editor.value() is ABSENT
    choose(editor, "Send as empty list")
    assert editor.value() == []


def test_a_long_list_shows_its_first_part_and_keeps_all(qtbot: QtBot) -> None:
    editor = field_editor("crm/account/batch_read", "ids")
    assert isinstance(editor, ChipsEditor)
    shown(qtbot, editor)
    many = [f"id {n}" for n in range(3000)]
    editor.set_value(many)
    assert editor.value() == many
    assert len(editor.findChildren(QWidget)) < 400
    assert isinstance(editor._flow, FlowLayout)


def test_a_pasted_list_is_split_at_every_separator() -> None:
    assert split(" a ,b;c\td\r\ne\n") == ["a", "b", "c", "d", "e"]


def test_json_is_checked_as_it_is_typed_and_the_fault_is_underlined(qtbot: QtBot) -> None:
    form = ModelForm(_body("core/pipeline/create"))
    shown(qtbot, form)
    editor = form.grid.editors["streams"]
    assert isinstance(editor, JsonEditor)
    edit = editor.input()
    for text in ("{", '"contact" true'):
        qtbot.keyClicks(edit, text)
        qtbot.keyClick(edit, Key.Key_Return)
    qtbot.keyClicks(edit, "}")
    assert [f.sentence for f in form.faults()] == ['Line 2: a colon is missing after "contact"']
    assert [s.cursor.selectedText() for s in edit.extraSelections()] == ["true"]
    edit.set_text('{"contact": {"disabled": true}}')
    assert form.faults() == []
    assert form.body() == b'{"streams":{"contact":{"disabled":true}}}'


def test_setting_out_anew_and_non_breaking_spaces_keep_the_text(qtbot: QtBot) -> None:
    edit = JsonEdit()
    shown(qtbot, edit)
    edit.set_text('{"a":"x\u00a0y","n":1.10}')
    qtbot.keyClick(edit, Key.Key_F, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert edit.text() == '{\n  "a": "x\u00a0y",\n  "n": 1.10\n}'


def test_the_whole_body_as_json_and_back(qtbot: QtBot) -> None:
    form = ModelForm(_body("crm/contact/create"))
    shown(qtbot, form)
    form.set_value({"record": {"first_name": "Ada"}})
    qtbot.mouseClick(form.toggle, Qt.MouseButton.LeftButton)
    assert form.is_raw
    form.raw.set_text('{"record": {"first_name": 7}, "more": []}')
    assert form.body() == b'{"record":{"first_name":7},"more":[]}'
    qtbot.mouseClick(form.toggle, Qt.MouseButton.LeftButton)
    assert form.is_raw, "fields cannot hold what the contract does not know"
    form.raw.set_text('{"record": {"first_name": "Bob"}}')
    qtbot.mouseClick(form.toggle, Qt.MouseButton.LeftButton)
    assert not form.is_raw
    assert form.value() == {"record": {"first_name": "Bob"}}


def test_further_parameters_may_repeat_and_go_by_keyboard(qtbot: QtBot) -> None:
    extra = ExtraParameters()
    shown(qtbot, extra)
    row = extra.add_row()
    qtbot.keyClicks(row.name, "expand")
    qtbot.keyClicks(row.text, "a b")
    qtbot.keyClick(row.text, Key.Key_Return)
    following = extra.add_row("expand", "")
    assert extra.pairs() == (("expand", "a b"), ("expand", ""))
    qtbot.keyClick(following.text, Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
    assert extra.pairs() == (("expand", "a b"),)


@pytest.mark.parametrize("operation", registry.operations(), ids=[o.key for o in registry.operations()])
def test_every_input_of_every_form_has_a_name(qtbot: QtBot, operation: Any) -> None:
    form = OperationForm(operation)
    qtbot.addWidget(form)
    for widget in form.findChildren(QWidget):
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and not widget.objectName().startswith("qt_"):
            named = widget.accessibleName() or getattr(widget, "text", str)()
            assert named, f"{operation.key}: {type(widget).__name__} has no name"


def _body(operation: str) -> Any:
    return registry.operation(operation).body
