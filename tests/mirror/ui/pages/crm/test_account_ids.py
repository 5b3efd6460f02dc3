"""The editor of ids: what is pasted, what it gives, and what it refuses to hold."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.crm import AccountBatchBody
from explorer.catalog.fields import fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.pages.crm.account_page import IdsEditor, text_of

FIELD = fields_of(AccountBatchBody)[0]


@pytest.fixture
def editor(qtbot: QtBot) -> IdsEditor:
    made = IdsEditor(FIELD, "body")
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", ABSENT),
        ("a\nb\n", ["a", "b"]),
        ("a, b, c", ["a", "b", "c"]),
        ("id,name\n1,x\n2,y", ["1", "2"]),
        ('["a", "b"]', ["a", "b"]),
        ("007\n7", ["007", "7"]),
    ],
)
def test_what_is_pasted(editor: IdsEditor, text: str, ids: Any) -> None:
    editor.text.setPlainText(text)
    assert editor.value() == ids


def test_null_and_empty_are_reached_and_told(editor: IdsEditor) -> None:
    for value, words in ((None, "null"), ([], "[] (empty list)")):
        assert editor.set_value(value)
        assert editor.value() == value
        assert editor.text.placeholderText() == words
    editor.text.setPlainText("a")
    assert editor.value() == ["a"]
    editor.text.setPlainText("")
    assert editor.value() is ABSENT


@pytest.mark.parametrize("value", [["a", "a"], ["a,b"], [" a"], [""], [1], "a", {}, ["id", "a"], ["[1]"]])
def test_what_no_text_gives_back_is_refused_and_nothing_changes(editor: IdsEditor, value: Any) -> None:
    editor.text.setPlainText("kept")
    assert not editor.set_value(value)
    assert editor.value() == ["kept"]


def test_the_text_as_pasted_stays_when_it_says_the_same(editor: IdsEditor) -> None:
    editor.text.setPlainText("id\tname\na\tx\nb\ty")
    assert editor.set_value(["a", "b"])
    assert editor.text.toPlainText().startswith("id\tname")


@given(st.lists(st.text(min_size=1, max_size=6), max_size=4))
def test_whatever_it_takes_it_gives_back(value: list[str]) -> None:
    made = IdsEditor(FIELD, "body")
    if made.set_value(value):
        assert made.value() == value
    made.deleteLater()


def test_ctrl_enter_breaks_no_line(editor: IdsEditor) -> None:
    editor.text.setPlainText("a")
    QTest.keyClick(editor.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert editor.text.toPlainText() == "a"


def test_files_as_text() -> None:
    assert (
        text_of("ü".encode("utf-8-sig"))
        == text_of("ü".encode("utf-16"))
        == text_of("ü".encode("cp1252"))
        == "ü"
    )
    for data, word in (
        (b"PK\x03\x04", "save it as CSV"),
        (b"\xd0\xcf\x11\xe0", "CSV"),
        (b"a\0b", "not text"),
    ):
        with pytest.raises(ValueError, match=word):
            text_of(data)
