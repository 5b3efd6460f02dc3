"""JSON read exactly: decimals, no floats, and a reader that says ValueError and nothing else."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.values.reading import dotted, equal, read_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def test_numbers_are_the_decimals_that_they_write() -> None:
    text = b"[0.1, 1.10, 9007199254740993, -0, 1e400, 12345678901234567890.123456789]"
    found = read_json(text)
    assert [str(number) for number in found] == [
        "0.1",
        "1.10",
        "9007199254740993",
        "-0",
        "1E+400",
        "12345678901234567890.123456789",
    ]
    assert found[0] + Decimal("0.2") == Decimal("0.3")
    assert read_json("9" * 20_000) == Decimal("9" * 20_000)
    assert math.isnan(read_json("1e99999999999999999999"))
    assert math.isnan(read_json("NaN"))


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe\xff", b"[" * 100_000, "nul", '{"a":1}x'])
def test_what_is_no_json_is_a_value_error(text: bytes | str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        read_json(text)


def test_names_that_stand_twice_are_told_and_the_last_counts() -> None:
    twice: list[str] = []
    assert read_json('{"a":{"b":1,"b":2,"b":3},"c":0}', twice=twice) == {"a": {"b": 3}, "c": 0}
    assert twice == ["b"]


@given(JSON)
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


def test_paths_as_people_write_them() -> None:
    assert dotted(("raw_data", "a", 2, "b.c", "", "d e", "é-1")) == 'raw_data.a[2]["b.c"][""]["d e"].é-1'
    assert dotted(("a.b",)) == '["a.b"]'
    assert dotted(()) == ""
