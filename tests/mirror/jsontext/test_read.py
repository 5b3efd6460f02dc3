"""JSON read exactly: decimals, no floats, and a reader that says ValueError and nothing else."""

from __future__ import annotations

import json
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.read import (
    DEEPEST,
    equal,
    inspected,
    is_too_deep,
    object_of,
    read_exact,
    read_loosely,
)


def values(numbers: st.SearchStrategy[float]) -> st.SearchStrategy[object]:
    return st.recursive(
        st.none() | st.booleans() | st.integers() | numbers | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=8,
    )


JSON = values(st.floats(allow_nan=False, allow_infinity=False))
ANY = values(st.floats(allow_nan=False))


def test_numbers_are_the_decimals_that_they_write() -> None:
    text = b"[0.1, 1.10, 9007199254740993, -0, 1e400, 12345678901234567890.123456789]"
    found = read_exact(text)
    assert [str(number) for number in found] == [
        "0.1",
        "1.10",
        "9007199254740993",
        "-0",
        "1E+400",
        "12345678901234567890.123456789",
    ]
    assert found[0] + Decimal("0.2") == Decimal("0.3")
    assert read_exact("9" * 20_000) == Decimal("9" * 20_000)
    assert math.isnan(read_exact("1e99999999999999999999"))
    assert math.isnan(read_exact("NaN"))


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe\xff", b"[" * 100_000, "nul", '{"a":1}x'])
def test_what_is_no_json_is_a_value_error(text: bytes | str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_exact(text)


def test_names_that_stand_twice_are_told_and_the_last_counts() -> None:
    twice: list[str] = []
    assert read_exact('{"a":{"b":1,"b":2,"b":3},"c":0}', twice=twice) == {"a": {"b": 3}, "c": 0}
    assert twice == ["b"]


@given(ANY)
def test_a_value_equals_itself(value: object) -> None:
    assert equal(value, value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, Decimal("1.0"), True),
        (1.1, Decimal("1.1"), True),
        (1, True, False),
        (0, False, False),
        (None, "", False),
        ({}, [], False),
        ({}, None, False),
        ([1, 2], [2, 1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": None}, {}, False),
        ("1", 1, False),
        (float("nan"), float("nan"), True),
    ],
)
def test_equal(one: object, other: object, same: bool) -> None:
    assert equal(one, other) is same
    assert equal(other, one) is same


@given(JSON)
def test_all_ways_read_the_same_value(value: object) -> None:
    text = json.dumps(value)
    found = inspected(text.encode())
    assert found == (value, (), (), found.halves, False, False, False)
    assert read_loosely(text) == value
    assert equal(read_exact(text), value)


def test_loosely_takes_what_is_no_json_and_says_value_error_else() -> None:
    assert read_loosely(b'["\x01\xff", 1.50, NaN]', number=str, constant=str) == ["\x01\udcff", "1.50", "NaN"]
    assert read_loosely('{"a":1,"a":2}', members=list) == [("a", 1), ("a", 2)]
    for text in (b"", b"{", b"[" * 100_000, b"nul"):
        with pytest.raises(ValueError, match=r".+"):
            read_loosely(text)


def test_what_is_odd_is_noted() -> None:
    found = inspected(b'{"a": 1, "a": NaN, "b": "\\ud800", "c": "\t", "d": 1e999}')
    assert found.twice == ("a",)
    assert found.constants == ("NaN", "1e999")
    assert (found.halves, found.controls, found.unreadable) == (True, True, False)
    deep = inspected(b"[" * 100_000)
    assert (deep.value, deep.too_deep, deep.unreadable) == (None, True, True)
    assert inspected(b"[").unreadable
    assert not inspected(b"[").too_deep


@pytest.mark.parametrize("levels", [DEEPEST + 1, 9_000, 200_000])
def test_what_is_too_deep_is_the_same_on_every_python(levels: int) -> None:
    """Python's own parser takes 1,000, 10,000 or more levels, depending on its version."""
    text = "[" * levels + '"[[["' + "]" * levels
    assert is_too_deep(text)
    assert is_too_deep(text.encode())
    for read in (read_exact, read_loosely):
        with pytest.raises(ValueError, match="too deep"):
            read(text)
    assert inspected(text.encode()).too_deep
    assert object_of(f'{{"a":{text}}}'.encode(), 10**9) is None


def test_many_brackets_side_by_side_or_in_texts_are_not_deep() -> None:
    wide = "[" + "[]," * 5_000 + '"' + "[" * 5_000 + '\\""]'
    assert not is_too_deep(wide)
    assert len(read_loosely(wide)) == 5_001
    assert not inspected(wide.encode()).too_deep
