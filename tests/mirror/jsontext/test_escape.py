"""What texts say, and characters as escapes: each way back is the way there."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.escape import escaped, read_text, text_of, unescaped

CHARACTERS = st.characters(exclude_categories=()) | st.sampled_from('"\\\b\f\n\r\t/é\ud800\U0001f600')


@given(st.text(CHARACTERS), st.booleans())
def test_a_text_says_what_json_reads_in_it(text: str, ascii_only: bool) -> None:
    token = json.dumps(text, ensure_ascii=ascii_only)
    assert text_of(token) == json.loads(token)
    data = token.encode("utf-8", "surrogatepass")
    if ascii_only:
        assert read_text(data, 0, len(data)) == json.loads(token)
        assert unescaped(data).encode("utf-16", "surrogatepass") == f'"{text}"'.encode(
            "utf-16", "surrogatepass"
        )


@given(CHARACTERS)
def test_an_escape_is_the_one_that_json_writes(character: str) -> None:
    assert json.loads(f'"{escaped(character)}"') == character


@given(st.text(), st.integers(1, 40))
def test_of_a_cut_text_the_beginning_is_read(text: str, length: int) -> None:
    token = json.dumps(text, ensure_ascii=False)[:-1]
    said = text_of(token[:length])
    assert said == text[: len(said)] or "\\" in token[:length]


@pytest.mark.parametrize(
    ("token", "said"),
    [
        ('"', ""),
        ('"a', "a"),
        ('"a\\', "a"),
        ('"\\u0041b', "Ab"),
        ('"\\u004', "u004"),
        ('"\\q"', "q"),
        ('"\\"', '"'),
        ('"a\nb"', "a\nb"),
    ],
)
def test_a_damaged_text_is_read_as_far_as_it_goes(token: str, said: str) -> None:
    assert text_of(token) == said
