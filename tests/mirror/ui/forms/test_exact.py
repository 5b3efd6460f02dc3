"""What was typed is what is sent: no number is rounded, no name is lost, and drafts bring back the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.typed import compact
from explorer.ui.forms.exact import RawJson, encode, from_draft, number, plain, read, to_draft

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_a_value_survives_encoding_and_reading(value: object) -> None:
    assert plain(read(encode(value).decode())) == value


@pytest.mark.parametrize(
    "text",
    [
        "1.10",
        "1e5",
        "-0",
        "123456789012345678901234567890",
        "0.1000000000000000055511151231257827",
        "1" * 5000,
        '{"a":1,"a":2}',
        r'"\u0041"',
        '{"a":[1.0,2.50]}',
    ],
)
def test_the_tokens_of_a_json_text_are_sent_as_typed(text: str) -> None:
    assert encode({"metadata": read(text)}) == b'{"metadata":' + compact(text).encode() + b"}"


@pytest.mark.parametrize("text", ["", "abc", "01", "1.", ".5", "+1", "0x1", "NaN", "1 2", "١"])
def test_what_is_no_json_number_is_none(text: str) -> None:
    assert number(text) is None


def test_plain_numbers_are_plain_and_others_are_raw() -> None:
    assert number("7") == 7
    assert number("1.5") == 1.5
    assert number("1.50") == RawJson("1.50")


def test_a_text_that_is_no_json_is_kept_and_found() -> None:
    value = {"a": [read("{oops")]}
    assert encode(value) == b'{"a":[{oops]}'
    assert value == {"a": [RawJson("{oops")]}
    assert {"a": read("[1]")} == {"a": [1]}


def test_a_lone_surrogate_goes_as_its_escape() -> None:
    assert encode({"a": "x\ud800"}) == b'{"a":"x\\ud800"}'


@given(JSON, st.text())
def test_a_draft_brings_back_the_same(value: object, raw: str) -> None:
    kept = {"a": value, "b": RawJson(raw), "c": [RawJson(raw)]}
    assert from_draft(json.loads(json.dumps(to_draft(kept)))) == kept
