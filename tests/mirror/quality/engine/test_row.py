"""A record is read once, and what is wrong with its bytes is said."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.engine.row import read_row


def test_a_sound_record() -> None:
    row = read_row(b'{"id":"a","n":[1,2.5,null]}', 7, 2, 11)
    assert (row.id, row.spoiled, row.value) == ("a", False, {"id": "a", "n": [1, 2.5, None]})
    example = row.example("x")
    assert (example.row, example.page, example.exchange, example.id, example.value) == (7, 2, 11, "a", '"x"')


def test_names_that_stand_twice() -> None:
    row = read_row(b'{"a":{"b":1,"b":2}}', 1, 1, 1)
    assert row.twice == ("b",)
    assert row.spoiled


@pytest.mark.parametrize(
    "text",
    [
        b'{"a" :1,"a":2}',
        b'{"a":1,"a"\n:2,"t":"\\":"}',
        b'{"a" :1,"a" :2,"t":"\\":"}',
        b'[{"a":1},{"b\\\\":1,"b\\\\":2}]',
        b'{"\\u0061":1,"a":2}',
    ],
)
def test_names_twice_behind_spaces_and_quotes(text: bytes) -> None:
    assert read_row(text, 1, 1, 1).twice


@given(st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), min_size=1), st.booleans(), st.data())
def test_a_name_twice_is_never_passed_over(
    pairs: list[tuple[str, str]], spaced: bool, data: st.DataObject
) -> None:
    colon = " : " if spaced else ":"
    own = list(dict(pairs).items())
    repeated = data.draw(st.booleans())
    shown = [*own, own[0]] if repeated else own
    text = "{" + ",".join(json.dumps(n) + colon + json.dumps(v) for n, v in shown) + "}"
    assert bool(read_row(text.encode(), 1, 1, 1).twice) is repeated


def test_numbers_that_are_none() -> None:
    assert read_row(b'{"a":NaN,"b":-Infinity}', 1, 1, 1).constants == ("NaN", "-Infinity")


def test_half_characters_and_bytes_that_are_no_utf8() -> None:
    assert read_row(b'{"a":"half \\ud83d of"}', 1, 1, 1).halves
    assert read_row(b'{"\\uDE00":1}', 1, 1, 1).halves
    assert read_row(b'{"a":"\xff"}', 1, 1, 1).halves
    assert not read_row(b'{"a":"\\ud83d\\ude00"}', 1, 1, 1).halves


def test_what_cannot_be_read_is_no_error() -> None:
    assert read_row(b'{"a":', 1, 1, 1).unreadable
    assert read_row(b"[" * 100_000 + b"]" * 100_000, 1, 1, 1).unreadable


def test_an_id_that_is_a_number_is_an_id() -> None:
    assert read_row(b'{"id":77}', 1, 1, 1).id == "77"
    assert read_row(b'{"id":true}', 1, 1, 1).id == ""
    assert read_row(b"null", 1, 1, 1).record is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_any_json_is_read_and_not_spoiled(value: object) -> None:
    row = read_row(json.dumps(value).encode(), 1, None, 1)
    assert row.value == value
    assert not row.spoiled
