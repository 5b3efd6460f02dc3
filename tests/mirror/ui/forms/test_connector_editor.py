"""Connector names: joined as the contract wants them, and a word of caution on those that are not known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from explorer.catalog.builtin.connect import MagicLinkBody, WebhookPath, connector_names
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.connector_editor import ConnectorChips, ConnectorEditor, JoinedChips, unknown_names


def field(name: str) -> Field:
    return next(one for one in (*fields_of(MagicLinkBody), *fields_of(WebhookPath)) if one.name == name)


@pytest.mark.usefixtures("qapp")
@given(st.none() | st.text(alphabet='ab, ;\n"') | st.lists(st.text()))
def test_a_text_is_held_exactly_or_not_at_all(value: object) -> None:
    editor = JoinedChips(field("integrationIds"), "body")
    if editor.set_value(value):
        assert editor.value() == value
    else:
        assert editor.value() is ABSENT
    editor.deleteLater()


@pytest.mark.parametrize("value", ["a", "a,b", "", None, ABSENT])
def test_what_the_contract_wants_is_held(qtbot: QtBot, value: object) -> None:
    editor = JoinedChips(field("integrationIds"), "body")
    qtbot.addWidget(editor)
    assert editor.set_value(value)
    assert editor.value() == value
    if value == "":
        assert editor.input().placeholderText() == '"" (empty text)'


def test_known_names_need_no_word() -> None:
    names = connector_names()
    assert len(names) == 171
    assert unknown_names(names, names) is None
    assert unknown_names([], names) is None


def test_names_that_are_not_known_are_counted_and_shown_plainly() -> None:
    one = unknown_names(["hubspot", "x\u202e"], ["hubspot"])
    assert one is not None
    assert one.role == "caution"
    assert one.words == "x‹U+202E› is not among the 1 names known in August 2025. It is sent anyway."
    many = unknown_names([*"abcdea", "y" * 99], ["hubspot"])
    assert many is not None
    assert many.words.startswith("a, b, c and 3 more are not among")


def test_the_word_stands_for_chips_and_for_one_name(qtbot: QtBot) -> None:
    chips = ConnectorChips(field("connectorNames"), "body", ("hubspot",))
    one = ConnectorEditor(field("connector_name"), "path")
    for editor in (chips, one):
        qtbot.addWidget(editor)
        assert editor.hint() is None
        assert editor.set_value("acme")
        hint = editor.hint()
        assert hint is not None
        assert hint.words.startswith("acme is not among")
        assert editor.set_value("hubspot")
        assert editor.hint() is None
