"""A text cut into its members: each says what json reads, and what does not hold together is refused in words."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.cut import Unsliceable, cut
from explorer.jsontext.members import parts, trim

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=6) | st.lists(JSON, max_size=6), st.booleans())
def test_members_are_where_the_tolerant_walk_finds_them(value: Any, ascii_only: bool) -> None:
    data = json.dumps(value, indent=1, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    found = cut(data, b"{" if isinstance(value, dict) else b"[")
    assert tuple(found) == parts(data, *trim(data)).members
    assert repr([json.loads(data[one.start : one.end]) for one in found]) == repr(
        list(value.values()) if isinstance(value, dict) else value
    )
    assert [one.key for one in found] == (list(value) if isinstance(value, dict) else [""] * len(value))


@given(st.binary(max_size=80) | st.text('{}[],:"\\ 1a', max_size=40).map(str.encode))
def test_any_bytes_are_cut_or_refused(data: bytes) -> None:
    openings: tuple[Literal[b"{", b"["], ...] = (b"{", b"[")
    for opening in openings:
        end = 0
        try:
            for one in cut(data, opening):
                assert end < one.key_start <= one.start < one.end < len(data)
                end = one.end
        except Unsliceable:
            continue


def test_equal_names_stand_as_often_as_they_came_and_depth_is_no_limit() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    data = b'{"a":1,"a":' + deep + b",}"
    assert [(one.key, data[one.start : one.end]) for one in cut(data, b"{")] == [("a", b"1"), ("a", deep)]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"[1]", "{ is missing"),
        (b"{a:1}", "a key is not text"),
        (b'{"a', "a key is not text"),
        (b'{"a" 1}', ": is missing"),
        (b'{"a":1 "b":2}', ", is missing"),
        (b'{"a":[1}}', "brackets do not match"),
        (b'{"a":["b}]}', "a text is not closed"),
        (b'{"a":"b}]}', "a value is not JSON"),
        (b'{"a":@}', "a value is not JSON"),
        (b'{"a":[1', "the body stops in the middle"),
        (b'{"a":1', ", is missing"),
        (b'{"a":1,', "the body stops in the middle"),
        (b'{"a":1}x', "there is text after the end"),
    ],
)
def test_why_it_is_refused_is_said(data: bytes, why: str) -> None:
    with pytest.raises(Unsliceable) as caught:
        cut(data, b"{")
    assert str(caught.value) == why
