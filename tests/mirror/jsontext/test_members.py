"""Members of objects and arrays as places in the bytes: complete, in order, and never an exception."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.escape import read_excerpt, read_text
from explorer.jsontext.members import kind_at, parts, skip_value, trim

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=6), JSON, max_size=6), st.sampled_from([None, 1]), st.booleans())
def test_members_are_the_object(value: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    found = parts(data, *trim(data))
    assert not found.fault
    assert [m.key for m in found.members] == list(value)
    assert [json.loads(data[m.start : m.end]) for m in found.members] == list(value.values())


@given(st.lists(JSON, max_size=6), st.sampled_from([None, 1]))
def test_items_are_the_array(value: list[Any], indent: int | None) -> None:
    data = json.dumps(value, indent=indent).encode()
    found = parts(data, *trim(data))
    assert [json.loads(data[m.start : m.end]) for m in found.members] == value


@given(
    st.binary(max_size=120).map(lambda tail: b"{" + tail)
    | st.text('{}[]",:\\ 1a', max_size=60).map(str.encode)
)
def test_any_bytes_are_walked_to_an_end(data: bytes) -> None:
    start, end = trim(data)
    for member in parts(data, start, end).members:
        assert start <= member.key_start <= member.start <= member.end <= end
        kind_at(data, member.start, member.end)
        read_text(data, member.start, member.end)


@given(JSON)
def test_a_cut_off_text_is_still_walked(value: Any) -> None:
    data = json.dumps({"a": value, "b": [value]}).encode()
    for cut in range(0, len(data), 3):
        parts(data[:cut], 0, cut)


def test_equal_keys_are_both_there() -> None:
    data = b'{"a":1,"b":2,"a":3}'
    assert [(m.key, data[m.start : m.end]) for m in parts(data, 0, len(data)).members] == [
        ("a", b"1"), ("b", b"2"), ("a", b"3"),
    ]  # fmt: skip


def test_what_msgspec_refuses_is_read_all_the_same() -> None:
    data = b'{"a": NaN, "b": "\\ud800", "c": "\xff", "d": [1, {"e": Infinity}]}'
    found = parts(data, 0, len(data))
    assert [m.key for m in found.members] == ["a", "b", "c", "d"]
    assert data[found.members[3].start : found.members[3].end] == b'[1, {"e": Infinity}]'


@pytest.mark.parametrize(
    ("data", "fault"),
    [(b'{"a" 1}', "colon"), (b'{"a":1 "b":2}', "comma"), (b'{"a":1', "closing bracket"), (b"[1 2]", "comma")],
)
def test_what_is_wrong_is_said(data: bytes, fault: str) -> None:
    assert fault in parts(data, 0, len(data)).fault


def test_deep_nesting_is_stepped_over() -> None:
    data = b'{"a":' + b"[" * 50_000 + b"]" * 50_000 + b',"b":1}'
    assert [m.key for m in parts(data, 0, len(data)).members] == ["a", "b"]


def test_escaped_quotes_by_the_million_are_stepped_over() -> None:
    data = b'"' + b'x\\"' * 300_000 + b'" tail'
    assert skip_value(data, 0, len(data)) == len(data) - 5


@given(st.text(max_size=80), st.integers(1, 60), st.booleans())
def test_an_excerpt_is_the_beginning(text: str, bound: int, ascii_only: bool) -> None:
    token = json.dumps(text, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    excerpt, whole = read_excerpt(token, 0, len(token), bound)
    if whole:
        assert excerpt == text
    else:
        assert text.startswith(excerpt)
