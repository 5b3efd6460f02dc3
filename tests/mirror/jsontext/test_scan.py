"""Tokens: nothing is lost between them, whatever the bytes; of JSON they are what json reads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.escape import text_of
from explorer.jsontext.scan import NUMBER, NUMBER_BYTES, TEXT, TOKEN, TOKEN_BYTES, is_closed

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
BROKEN = st.text('{}[],:"\\ \n1a', max_size=40)


def built(tokens: list[str]) -> Any:
    """The value that a valid text's tokens write, put together with a stack and no recursion."""
    outer: list[Any] = []
    names: list[str | None] = []
    done: list[Any] = []
    for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
        if token in "{[":
            outer.append({} if token == "{" else [])
            names.append(None)
            continue
        if token in ",:":
            continue
        if token[0] == '"' and after == ":" and isinstance(outer[-1], dict):
            names[-1] = text_of(token)
            continue
        if token in "}]":
            value = outer.pop()
            names.pop()
        else:
            value = text_of(token) if token[0] == '"' else json.loads(token)
        if not outer:
            done.append(value)
        elif isinstance(outer[-1], dict):
            outer[-1][names[-1]] = value
        else:
            outer[-1].append(value)
    assert len(done) == 1
    return done[0]


@given(st.binary(max_size=120) | BROKEN.map(str.encode))
def test_tokens_and_the_space_between_are_all_of_the_bytes(data: bytes) -> None:
    rest, end = b"", 0
    for match in TOKEN_BYTES.finditer(data):
        assert data[end : match.start()].isspace() or match.start() == end
        rest += data[end : match.end()]
        end = match.end()
    assert not data[end:].strip()
    assert rest + data[end:] == data


@given(BROKEN)
def test_texts_and_bytes_have_the_same_tokens(text: str) -> None:
    assert [token.encode() for token in TOKEN.findall(text)] == TOKEN_BYTES.findall(text.encode())


@given(BROKEN)
def test_only_the_last_text_can_be_without_its_end(text: str) -> None:
    texts = [token for token in TOKEN.findall(text) if token[0] == '"']
    assert texts == TEXT.findall(text)
    assert all(map(is_closed, texts[:-1]))
    if texts and not is_closed(texts[-1]):
        assert text.endswith(texts[-1])


@given(JSON, st.sampled_from((None, 1)), st.booleans())
def test_the_tokens_of_json_write_what_json_reads(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert built(TOKEN.findall(text)) == json.loads(text) == value


def test_depth_and_length_are_no_limit() -> None:
    assert sum(1 for _ in TOKEN.finditer("[" * 100_000 + "]" * 100_000)) == 200_000
    assert TOKEN.findall('"' + 'x\\"' * 300_000) == ['"' + 'x\\"' * 300_000]


@pytest.mark.parametrize(
    ("token", "closed"),
    [
        ('""', True),
        ('"a"', True),
        ('"', False),
        ('"a', False),
        ('"\\"', False),
        ('"\\\\"', True),
        ("a", False),
    ],
)
def test_a_text_is_closed_by_a_quote_that_is_no_escape(token: str, closed: bool) -> None:
    assert is_closed(token) is closed


@given(st.text("0123456789.eE+-", max_size=8))
def test_numbers_are_those_that_json_reads(text: str) -> None:
    try:
        json.loads(text)
        right = True
    except ValueError:
        right = False
    assert (NUMBER.fullmatch(text) is not None) == right
    assert (NUMBER_BYTES.fullmatch(text.encode()) is not None) == right
