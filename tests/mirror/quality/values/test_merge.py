"""The shallow merge: its law at the top level, and exactly what vanishes beneath it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT
from explorer.jsontext.read import equal
from explorer.quality.values.merge import MergePreview, Patch, patch_for, preview

KEYS = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.just("") | st.just([{"a": 1}]),
    lambda inner: st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)


def flat(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every path below an object with its value, objects and their members alike; written apart from the code."""
    found: dict[tuple[str, ...], Any] = {}
    if isinstance(value, dict):
        for name, inner in value.items():
            found[(*path, name)] = inner
            found |= flat(inner, (*path, name))
    return found


def bare(value: Any) -> bool:
    return not isinstance(value, dict) or not value


@given(OBJECTS, OBJECTS)
def test_the_result_is_the_old_with_the_patch_over_it_at_the_top(old: Any, patch: Any) -> None:
    assert preview(old, patch).result == {**old, **patch}


@given(OBJECTS | VALUES, OBJECTS | VALUES)
def test_lost_changed_and_added_are_exactly_that(old: Any, patch: Any) -> None:
    found = preview(old, patch)
    before, after = flat(old), flat(found.result)
    assert set(found.lost) == {path for path, value in before.items() if bare(value) and path not in after}
    assert set(found.added) == {path for path, value in after.items() if bare(value) and path not in before}
    assert set(found.changed) == {
        path
        for path in before.keys() & after.keys()
        if (bare(before[path]) or bare(after[path])) and not equal(before[path], after[path])
    }
    for paths in (found.lost, found.changed, found.added):
        assert len(set(paths)) == len(paths)


@given(OBJECTS)
def test_nothing_sent_changes_nothing(old: Any) -> None:
    nothing: list[Any] = [{}, ABSENT]
    for patch in nothing:
        assert preview(old, patch) == MergePreview(old)


def test_nested_keys_that_are_lost_are_pointed_out() -> None:
    old = {
        "tier": "gold",
        "sync": {"every": 5, "deep": {"x": 1, "y": 2}},
        "owner": {"id": 7},
        "tags": [{"a": 1}],
    }
    found = preview(old, {"sync": {"every": 10}, "owner": None, "tags": [], "new": {"k": {}}})
    assert found.result == {
        "tier": "gold",
        "sync": {"every": 10},
        "owner": None,
        "tags": [],
        "new": {"k": {}},
    }
    assert found.lost == (("sync", "deep", "x"), ("sync", "deep", "y"), ("owner", "id"))
    assert found.changed == (("sync", "every"), ("tags",), ("owner",))
    assert found.added == (("new", "k"),)
    assert found.nulled == (("owner",),)


@pytest.mark.parametrize("patch", [None, 5, "text", [], [1]])
def test_what_is_no_object_replaces_all_of_it(patch: Any) -> None:
    found = preview({"a": {"b": 1}, "c": {}}, patch)
    assert found.result == patch
    assert found.lost == (("a", "b"), ("c",))
    assert found.nulled == ()


@pytest.mark.parametrize("old", [None, 5, "text", [1]])
def test_what_is_stored_and_no_object_is_replaced(old: Any) -> None:
    assert preview(old, {"a": None}) == MergePreview({"a": None}, added=(("a",),))


def test_what_is_stored_may_be_unknown() -> None:
    found = preview(ABSENT, {"a": {"b": 1}})
    assert (found.result, found.lost, found.added, found.known) == ({"a": {"b": 1}}, (), (("a", "b"),), False)


@given(OBJECTS, OBJECTS)
def test_the_least_patch_does_what_can_be_done(old: Any, new: Any) -> None:
    found = patch_for(old, new)
    left = {name: old[name] for name in found.unremovable}
    assert preview(old, found.patch).result == {**left, **new}
    assert left.keys() == old.keys() - new.keys()
    assert all(name not in old or not equal(old[name], value) for name, value in found.patch.items())


def test_a_patch_of_what_is_the_same_is_empty() -> None:
    assert patch_for({"a": 1, "b": {"c": 1}}, {"b": {"c": 1.0}, "a": 1}) == Patch({}, ())
    assert patch_for({"a": 1}, {"a": True}).patch == {"a": True}


def test_a_very_deep_object_is_taken() -> None:
    deep: Any = {}
    for _ in range(5000):
        deep = {"a": deep}
    assert preview(deep, {"a": 1}).lost == (("a",) * 5000,)
