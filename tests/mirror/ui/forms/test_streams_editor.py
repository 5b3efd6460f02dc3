"""The table of streams holds what it is given, key for key; what it cannot hold is shown as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.core import PipelineUpdateBody
from explorer.catalog.fields import fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.forms import exact
from explorer.ui.forms.exact import RawJson
from explorer.ui.forms.streams_editor import StreamsEditor

FIELD = next(field for field in fields_of(PipelineUpdateBody) if field.name == "streams")
NAMES = st.sampled_from(["deal", "contact", "x y", "é"])
STREAM = st.fixed_dictionaries(
    {},
    optional={
        "cursor": st.integers() | st.none(),
        "disabled": st.booleans(),
        "fields": st.lists(st.sampled_from(["id", "email", "a,b", ""]), max_size=3),
        "own": st.dictionaries(st.sampled_from("ab"), st.booleans(), max_size=2),
    },
)
ANY = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.text("ab", max_size=2)
    | st.lists(st.none(), max_size=1)
)


@pytest.fixture(scope="module")
def editor(qapp: object) -> StreamsEditor:
    return StreamsEditor(FIELD, "body")


@given(value=st.dictionaries(NAMES, STREAM, max_size=3))
def test_streams_come_back_as_they_were_given(editor: StreamsEditor, value: dict[str, Any]) -> None:
    assert editor.set_value(value)
    assert not editor.is_json
    assert exact.encode(editor.value()) == exact.encode(value), "in the same order, too"


@given(value=ANY | st.dictionaries(NAMES, STREAM | ANY, max_size=3))
def test_what_the_table_cannot_hold_is_held_as_json(editor: StreamsEditor, value: Any) -> None:
    assert editor.set_value(value)
    assert exact.encode(editor.value()) == exact.encode(value)
    editor.toggle.click()
    assert json.loads(exact.encode(editor.value())) == value


def test_left_out_null_and_empty_are_three(editor: StreamsEditor) -> None:
    for value, state in ((ABSENT, "left out"), (None, "null"), ({}, "empty")):
        assert editor.set_value(value)
        assert editor.state == state
    assert [words for words, _ in editor.choices_of_state()] == [
        "Leave out",
        "Send null",
        "Send as empty object",
    ]


def test_rows_are_typed_and_taken_away(editor: StreamsEditor, qtbot: QtBot) -> None:
    editor.set_value(None)
    editor.show()
    QTest.mouseClick(editor.add_button, Qt.MouseButton.LeftButton)
    row = editor.rows[0]
    assert editor.value() is ABSENT, "an empty row is not sent, and the field is no longer null"
    QTest.keyClicks(row.name, "deal")
    QTest.keyClicks(row.fields.input(), "id;email;")
    QTest.keyClick(row.disabled.input(), Qt.Key.Key_Down)
    QTest.keyClick(row.disabled.input(), Qt.Key.Key_Down)
    assert editor.value() == {"deal": {"disabled": False, "fields": ["id", "email"]}}
    editor.remove_row(row)
    assert editor.value() is ABSENT
    editor.hide()


def test_half_typed_json_is_kept_and_told(editor: StreamsEditor) -> None:
    assert editor.set_value(RawJson('{"deal": '))
    assert editor.is_json
    [fault] = editor.faults()
    assert fault.sentence.startswith("Line 1: ")
    editor.toggle.click()
    assert editor.is_json, "the table cannot take it"
    assert "as JSON only" in editor.said.whole()


def test_a_narrow_form_gives_the_fields_a_line_of_their_own(editor: StreamsEditor, qtbot: QtBot) -> None:
    editor.set_value({"deal": {"fields": ["id"]}})
    editor.resize(260, 300)
    editor.show()
    row = editor.rows[0]
    assert row.minimumSizeHint().width() <= 260
    qtbot.waitUntil(lambda: row.fields.y() > row.name.y())
    assert row.name.width() >= 80
    editor.resize(480, 300)
    qtbot.waitUntil(lambda: row.fields.y() == row.name.y())
    editor.hide()
