"""Filters and order come back as they were, whatever they say; what cannot be read is left out."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.session import Filter
from explorer.ui.pages.list.row_state import (
    MOST,
    filter_of,
    filters_of,
    kept,
    kept_place,
    of_connection,
    parameters_of,
    paths_below,
    place_of,
    sort_of,
    with_connection,
)
from tests.builtin import registry

COLUMNS = registry.resource("ats/job").columns
NAMES = st.sampled_from([c.field for c in COLUMNS])
VALUES = st.text(max_size=20) | st.booleans() | st.decimals(allow_nan=False, allow_infinity=False)
OPS = st.sampled_from(["contains", "equals", "<", "between"])
FILTERS = st.builds(Filter, NAMES, OPS, VALUES, VALUES, st.sampled_from(["", "owner.name", "/a.b"]))


@pytest.mark.parametrize("place", [(0, "a"), (7, ""), (-1, "sought"), (3, "x" * 1000)])
def test_the_place_comes_back(place: tuple[int, str]) -> None:
    assert place_of(json.loads(json.dumps({"place": kept_place(*place)}))) == place


def test_no_place_and_an_odd_one_are_none() -> None:
    assert kept_place(-1, "") == []
    assert kept_place(5, "x" * 1001) == [5, ""], "pasted or made up: not for a file of settings"
    for odd in ({}, {"place": [True, "a"]}, {"place": [1]}, {"place": ["a", 1]}, {"place": 3}, None):
        assert place_of(odd) is None


@given(st.lists(FILTERS, max_size=4), NAMES, st.booleans())
def test_what_was_kept_comes_back(filters: list[Filter], column: str, down: bool) -> None:
    state = json.loads(json.dumps(kept(filters, ((column, down),))))
    assert filters_of(state, COLUMNS) == filters
    assert sort_of(state, COLUMNS) == (column, down)


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        {"filters": 3, "sort": "name"},
        {"filters": [{"column": "name"}, {"column": "gone", "op": "equals", "values": ["a", None]}, None]},
        {"filters": [{"column": "name", "op": "drop", "values": ["a", None]}], "sort": [["gone", True]]},
        {"filters": [{"column": "name", "op": "equals", "values": [{"number": "NaN"}, None]}]},
        {"filters": [{"column": "name", "op": "equals", "values": [{"number": "x"}, 3]}]},
        {"filters": [{"column": "raw_data", "path": "a..b", "op": "equals", "values": ["a", None]}]},
        {"filters": [{"column": "raw_data", "path": 3, "op": "equals", "values": ["a", None]}]},
    ],
)
def test_what_cannot_be_read_is_left_out(state: Any) -> None:
    assert filters_of(state, COLUMNS) == []
    assert sort_of(state, COLUMNS) is None


def test_a_pasted_value_of_great_length_is_not_kept() -> None:
    assert kept([Filter("name", "equals", "x" * 2000)], ())["filters"] == []


@pytest.mark.parametrize(
    ("field", "record", "wanted"),
    [
        ("name", b'{"name": "Ad\\u00e9"}', Filter("name", "equals", "Adé")),
        ("name", b'{"name": 12345678901234567890.50}', Filter("name", "equals", Decimal("12345678901234567890.50"))),
        ("confidential", b'{"confidential": false}', Filter("confidential", "equals", False)),
        ("departments", b'{"departments": [{"name": "Design"}, 2]}', Filter("departments", "equals", "Design")),
        ("departments", b'{"departments": [[1]]}', None),
        ("name", b"[]", None),
        ("name", b"", None),
    ],
)  # fmt: skip
def test_a_filter_is_made_of_what_a_row_holds(field: str, record: bytes, wanted: Filter | None) -> None:
    column = next(c for c in COLUMNS if c.field == field)
    assert filter_of(column, record) == wanted


def test_a_condition_without_a_value_is_a_filter_too() -> None:
    assert filter_of(COLUMNS[0], "is null") == Filter(COLUMNS[0].field, "is null")


def test_the_paths_of_a_field_are_those_of_its_records() -> None:
    records = [b'{"raw_data": {"status": "open", "owner": {"name": 1}}}', b"[", b'{"raw_data": {"n": [2]}}']
    assert paths_below(records, "raw_data") == ["status", "owner.name", "n"]
    assert paths_below(records, "name") == []


def test_each_connection_has_its_own_and_those_used_last_stay() -> None:
    mine = {"query": {"limit": "5"}, "extra": [["a", "1"], ["b"]], "filters": []}
    saved: Any = "no state"
    for number in range(MOST + 2):
        saved = with_connection(saved, f"conn_{number}", mine)
    saved = with_connection(saved, "conn_5", mine)
    assert list(saved) == [*(f"conn_{n}" for n in range(2, MOST + 2) if n != 5), "conn_5"]
    assert parameters_of(of_connection(saved, "conn_5")) == ({"limit": "5"}, [("a", "1")])
    assert parameters_of(of_connection(saved, "conn_0")) == ({}, [])
    assert "conn_5" not in with_connection(saved, "conn_5", {"query": {}, "extra": []})
