"""Sent against returned: every field once and rightly named, and passthrough fields found again in raw_data."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT
from explorer.jsontext.read import equal
from explorer.quality.compare.changes import Change, can_compare, compare, differences, record_of, trace
from tests.builtin import registry

KEYS = st.sampled_from(["a", "b", "c.d", ""])
LEAVES: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers(0, 1) | st.just("") | st.just([]) | st.just([{"a": 1}])
)
VALUES = st.recursive(LEAVES, lambda inner: st.dictionaries(KEYS, inner, max_size=3), max_leaves=8)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=4)
CREATE, UPSERT = registry.operation("crm/contact/create"), registry.operation("crm/contact/upsert")
PIPELINE, PUT = registry.operation("core/pipeline/update"), registry.operation("core/customer/put")


def at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return ABSENT
        value = value[name]
    return value


def paths(value: Any, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Every path to something that is no object, or an empty one."""
    if not isinstance(value, dict) or (not value and path):
        return [path]
    return [each for name, inner in value.items() for each in paths(inner, (*path, name))]


@given(OBJECTS, OBJECTS)
def test_the_changes_part_the_fields_among_them(sent: Any, returned: Any) -> None:
    found = differences(sent, returned)
    where = [change.path for change in found]
    assert len(set(where)) == len(where)
    # Each field on either side lies at or below exactly one change, and no change lies within another.
    for each in {*paths(sent), *paths(returned)}:
        above = [path for path in where if path == each[: len(path)]]
        assert len(above) == 1 or (not above and each in {path[: len(each)] for path in where})
    for one in where:
        assert [path for path in where if path == one[: len(path)]] == [one]
    for change in found:
        one, other = at(sent, change.path), at(returned, change.path)
        assert (change.sent, change.returned) == (one, other)
        expected = (
            "added"
            if one is ABSENT
            else "dropped"
            if other is ABSENT
            else "kept"
            if equal(one, other)
            else "changed"
        )
        assert change.what == expected


@given(OBJECTS)
def test_the_same_is_kept_and_nothing_else(value: Any) -> None:
    assert {change.what for change in differences(value, json.loads(json.dumps(value)))} <= {"kept"}


def test_null_absent_and_empty_are_three_things() -> None:
    sent = {"a": None, "b": None, "c": "", "d": "", "e": {}, "f": {}, "g": {"h": 1}, "i": None}
    returned = {"b": "", "c": None, "d": "", "e": {"x": 1}, "f": {}, "g": {}, "i": None, "j": None}
    found = {change.field: change.what for change in differences(sent, returned)}
    assert found == {
        "a": "dropped",
        "b": "changed",
        "c": "changed",
        "d": "kept",
        "e": "changed",
        "f": "kept",
        "g.h": "dropped",
        "i": "kept",
        "j": "added",
    }


def test_a_contact_sent_and_returned() -> None:
    sent = {
        "upsert_on": {"key": "email", "values": ["a@b.test"]},
        "record": {"first_name": "Ada", "last_name": "L", "email": None, "passthrough_fields": {"x": 1}},
    }
    answer = {
        "record": {
            "id": "003",
            "updated_at": "2026-11-20",
            "first_name": "Ada",
            "last_name": "Lovelace",
            "phone": "+44",
            "raw_data": {"x": 1},
        }
    }
    expected = [
        ("first_name", "kept", ""),
        ("last_name", "changed", ""),
        ("email", "dropped", ""),
        ("passthrough_fields", "dropped", "not answered"),
        ("id", "added", "new"),
        ("updated_at", "added", "new"),
        ("phone", "added", "not sent"),
    ]
    body = json.dumps(answer).encode()
    for given_ in (sent, json.dumps(sent).encode()):
        found = compare(UPSERT, {}, given_, body)
        assert [(change.field, change.what, change.why) for change in found] == expected
    assert record_of(UPSERT, body) == answer["record"]


def test_numbers_are_compared_as_they_are_written() -> None:
    found = compare(
        PUT,
        {"id": "c"},
        b'{"metadata":{"n":9007199254740993,"m":1.10}}',
        b'{"id":"c","orgId":"o","metadata":{"n":9007199254740992,"m":1.1,"k":true}}',
    )
    assert [(change.field, change.what, change.why) for change in found] == [
        ("id", "kept", ""),
        ("metadata.n", "changed", ""),
        ("metadata.m", "kept", ""),
        ("metadata.k", "added", "not sent"),
        ("orgId", "added", "new"),
    ]
    assert found[1] == Change(
        ("metadata", "n"), Decimal(9007199254740993), Decimal(9007199254740992), "changed"
    )


def test_what_cannot_be_compared_is_empty() -> None:
    assert can_compare(CREATE)
    assert can_compare(PIPELINE)
    for key in ("crm/account/batch_read", "core/connection/check", "ats/job", "connect/magic-link"):
        operation = registry.operation(key)
        assert not can_compare(operation)
        assert compare(operation, {}, {"ids": []}, b"{}") == []
    for answer in (b"", b"no json", b"[]", b'"text"', b"{}", b'{"record":null}', b"[" * 50_000):
        assert compare(CREATE, {}, {"record": {"email": "a"}}, answer) == []
    bodies: list[Any] = [None, b"", b"no json", {"record": 5}, []]
    for sent in bodies:
        found = compare(CREATE, {}, sent, b'{"record":{"id":"1"}}')
        assert [(change.field, change.what) for change in found] == [("id", "added")]


def test_a_very_deep_answer_is_taken() -> None:
    deep: Any = 1
    for _ in range(3000):
        deep = {"a": deep}
    assert [change.what for change in differences(deep, {"a": {"a": 2}})] == ["changed"]


# ---------------------------------------------------------------- passthrough fields in raw_data


def test_passthrough_fields_are_found_by_name_and_by_value() -> None:
    raw = {
        "id": "003",
        "properties": {"lead_source": "conference", "HS-Lead-Status": "NEW", "score": "41", "vip": "true"},
        "history": [{"was": "conference"}, {"was": "other"}],
        "custom": {"region": {"code": "EU"}},
    }
    sent = {
        "lead_source": "conference",
        "hs_lead_status": "OPEN",
        "score": 41,
        "vip": True,
        "region": {"code": "EU", "zone": "north"},
        "flag": True,
        "gone": "nowhere at all",
        "renamed": "003",
    }
    found = {one.field: one for one in trace(sent, raw, "raw_data")}
    assert list(found) == [
        "lead_source",
        "hs_lead_status",
        "score",
        "vip",
        "region.code",
        "region.zone",
        "flag",
        "gone",
        "renamed",
    ]
    assert [(place.field, place.how) for place in found["lead_source"].places] == [
        ("raw_data.properties.lead_source", "same"),
        ("raw_data.history[0].was", "other name"),
    ]
    assert {name: one.how for name, one in found.items()} == {
        "lead_source": "same",
        "hs_lead_status": "other value",
        "score": "same",
        "vip": "same",
        "region.code": "same",
        "region.zone": "nowhere",
        "flag": "nowhere",
        "gone": "nowhere",
        "renamed": "other name",
    }


@given(OBJECTS)
def test_what_was_kept_as_it_was_sent_is_found_at_its_place(sent: Any) -> None:
    for one in trace(sent, {"fields": json.loads(json.dumps(sent))}, "raw_data", most=1000):
        exact = [place for place in one.places if place.path == ("fields", *one.path)]
        assert [place.how for place in exact] == ["same"]


@pytest.mark.parametrize(("sent", "raw"), [(None, {}), ([1], {}), ({}, {}), ("x", "x")])
def test_what_is_no_object_leaves_no_trace(sent: Any, raw: Any) -> None:
    assert trace(sent, raw, "raw_data") == []


def test_odd_raw_data_and_bounds() -> None:
    assert trace({"a": "xyz"}, None, "raw_data")[0].how == "nowhere"
    assert trace({"a": "xyz"}, "xyz", "raw_data")[0].how == "other name"
    assert len(trace({"a": "xyz"}, ["xyz"] * 500, "raw_data", most=7)[0].places) == 7
    assert trace({"a": "xyz"}, [0] * 500 + ["xyz"], "raw_data", look_at=400)[0].how == "nowhere"
