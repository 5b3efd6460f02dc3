"""A length of time is read as people write it, sent in seconds, and comes back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from explorer.api.durations import duration_text
from explorer.catalog.builtin.connect import MagicLinkBody
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import ABSENT
from explorer.ui.forms.duration_editor import DurationEditor
from explorer.ui.forms.exact import RawJson


def field() -> Field:
    return next(one for one in fields_of(MagicLinkBody) if one.name == "validityInSeconds")


@pytest.fixture
def editor(qtbot: QtBot) -> DurationEditor:
    made = DurationEditor(field(), "body")
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("30 days", 2_592_000),
        ("1 h 30 min", 5400),
        ("90m", 5400),
        (" 2592000 ", 2_592_000),
        ("1.5", 1.5),
        ("-2", -2),
        ("1e3", RawJson("1e3")),
        ("soon", "soon"),
        ("", ABSENT),
    ],
)
def test_what_is_typed_is_seconds(editor: DurationEditor, typed: str, value: object) -> None:
    editor.input().setText(typed)
    assert editor.value() == value
    assert type(editor.value()) is type(value)
    assert bool(editor.faults()) == (value == "soon")


@pytest.mark.usefixtures("qapp")
@given(st.integers(-(10**16), 10**16) | st.floats(allow_nan=False, allow_infinity=False) | st.text())
def test_what_it_takes_it_gives_back(value: object) -> None:
    editor = DurationEditor(field(), "body")
    before = editor.value()
    if editor.set_value(value):
        assert editor.value() == value
        assert type(editor.value()) is type(value)
    else:
        assert editor.value() is before
    editor.deleteLater()


def test_seconds_come_back_in_words(editor: DurationEditor) -> None:
    assert editor.set_value(2_592_000)
    assert editor.input().text() == duration_text(2_592_000) == "30 days"
    assert not editor.set_value(True)
    assert not editor.set_value([1])
    assert editor.value() == 2_592_000


def test_the_hint_says_seconds_and_end(editor: DurationEditor) -> None:
    def hint() -> tuple[str, str]:
        found = editor.hint()
        return (found.words, found.role) if found else ("", "")

    assert hint()[0].startswith("2,592,000 s · until ")
    editor.input().setText("0")
    assert hint() == ("0 s · Observed: zero or less gives a link that has already ended", "caution")
    editor.input().setText("9999999 weeks")
    assert hint()[1] == "caution"
    assert hint()[0].endswith(" s · ends beyond the year 9999")
    editor.input().setText("soon")
    assert hint() == ("", "")
