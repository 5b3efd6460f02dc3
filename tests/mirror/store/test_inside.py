"""What stands at a path inside a field is what plain Python finds there, however the record is written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.store.find import QueryFault
from explorer.store.inside import Inside, path_of, paths_in, steps_of

NAMES = st.sampled_from(["a", "b", "a.b", "a/b", "~1", "", "x[]", "x[1]", "é"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


def reached(value: Any, steps: tuple[str, ...]) -> list[Any]:
    if isinstance(value, list) and (value or steps):
        return [one for item in value for one in reached(item, steps)]
    if not steps:
        return [value]
    return reached(value[steps[0]], steps[1:]) if isinstance(value, dict) and steps[0] in value else []


def found(path: str, *records: bytes) -> list[list[Any]]:
    return Inside("raw", path).values(records)


@given(st.lists(VALUES, max_size=4), st.lists(NAMES, min_size=1, max_size=3))
def test_it_finds_what_a_walk_over_the_parsed_record_finds(values: list[Any], names: list[str]) -> None:
    steps = tuple(names)
    records = [json.dumps({"id": 1, "raw": value}).encode() for value in values]
    assert found(path_of(steps), *records) == [reached(value, steps) for value in values]


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_a_path_is_read_back_as_it_was_written(names: list[str]) -> None:
    assert steps_of(path_of(names)) == tuple(names)


def test_records_that_no_strict_parser_takes_are_looked_through_too() -> None:
    odd = b'{"raw": {"a": NaN, "b": "\\ud800", "c": 1.50}}'
    assert found("a", odd) == [["NaN"]]
    assert found("b", odd, b"[]", b"{", b'{"raw": 3}', b"{}") == [["\ud800"], [], [], [], []]
    assert found("c", odd) == [["1.50"]]
    assert found("c", b'{"raw": {"c": 12345678901234567890.10}}') == [["12345678901234567890.10"]]


def test_of_an_array_each_item_counts_and_an_empty_one_stands_for_itself() -> None:
    records = [b'{"raw": {"tags": [{"n": 1}, {"n": [2, 3]}, 4]}}', b'{"raw": {"tags": []}}']
    assert found("tags[].n", *records) == [[1, 2, 3], []]
    assert found("tags", records[1]) == [[[]]]


@pytest.mark.parametrize("path", ["", ".", "a..b", "a.", "[]", "a[0].b", ".".join("a" * 41)])
def test_what_is_no_path_is_said(path: str) -> None:
    with pytest.raises(QueryFault):
        steps_of(path)


def test_the_paths_of_a_sample_are_those_that_lead_to_a_value() -> None:
    sample = [{"a": {"b": 1, "c.d": None}, "e": [{"f": 1}, "g"]}, {"a": {"b": 2}, "h": {}}, 3]
    assert paths_in(sample) == ["a.b", "/a/c.d", "e.f", "e"]
