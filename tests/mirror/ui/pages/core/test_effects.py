"""What an update is said to do, against the law of the merge: sending what differs has the result of sending all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT
from explorer.jsontext.read import equal
from explorer.quality.values.merge import preview
from explorer.ui.forms import exact
from explorer.ui.pages.core.effects import (
    advice,
    changed_only,
    effect_of,
    mask_sentence,
    masked_paths,
    read,
)
from explorer.ui.pages.core.known_entities import Entity

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "b", 1.5])
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


def thing(**data: Any) -> Entity:
    return Entity("pipeline", "pipe_x", {"id": "pipe_x", **data}, datetime.now(UTC), "answer")


@given(JSON, JSON)
def test_sending_what_differs_has_the_result_of_sending_all(old: Any, typed: Any) -> None:
    for name in ("metadata", "streams"):
        sent = changed_only({name: old}, {name: typed})
        afterwards = preview(old, sent.get(name, ABSENT)).result
        assert equal(afterwards, preview(old, typed).result)
    assert changed_only({"disabled": old}, {"disabled": typed}) == (
        {} if equal(old, typed) else {"disabled": typed}
    )


@given(JSON, JSON)
def test_a_key_is_said_to_be_lost_when_it_is(old: Any, typed: Any) -> None:
    lost = preview(old, typed).lost
    assert bool([s for s in advice("metadata", old, typed) if "will be lost" in s]) == bool(lost)
    effect = effect_of(thing(metadata=old), "pipe_x", {"metadata": typed}, None)
    assert any("will be lost" in caution for caution in effect.cautions) == bool(lost)


def test_tokens_stay_as_typed() -> None:
    typed = {"metadata": exact.read('{"a": 1.10, "b": 2.0, "c": {"d": 1e2}}')}
    sent = changed_only({"metadata": {"a": 1, "b": 2, "c": {"d": 100}}}, typed)
    assert exact.encode(sent) == b'{"metadata":{"a":1.10}}'


@pytest.mark.parametrize(
    ("old", "typed", "said"),
    [
        ({"o": {"t": 1, "n": 2}}, {"o": {"n": 2}}, ["nested key o.t will be lost"]),
        ({"o": {"t": 1, "u": 2}}, {"o": 1}, ["nested keys o.t, o.u will be lost"]),
        ({"a": 1}, None, ["null clears all of metadata: a will be lost"]),
        ({"a": 1}, [1], ["metadata is replaced whole: a will be lost"]),
        ({"a": 1}, {"a": None}, ["a stays, as null: a merge removes no key"]),
        ({"a": 1}, {"b": 1}, []),
        (ABSENT, {"a": {"b": 1}}, ["What is stored is not known: keys inside nested objects may be lost"]),
        (ABSENT, {"a": 1}, []),
    ],
)
def test_advice(old: Any, typed: Any, said: list[str]) -> None:
    assert advice("metadata", old, typed) == said


def test_null_and_absent_are_kept_apart() -> None:
    known = {"metadata": {"a": None}, "streams": None}
    assert changed_only(known, {"metadata": {"a": None, "b": None}, "streams": None}) == {
        "metadata": {"b": None}
    }
    assert changed_only(known, {"metadata": None}) == {"metadata": None}
    assert changed_only({}, {"streams": None}) == {"streams": None}, "not known is not null"


def test_what_is_said_of_what_is_sent_and_kept() -> None:
    typed = {"metadata": {"a": 2}, "disabled": False}
    known = thing(metadata={"a": 1, "b": 1}, disabled=False)
    effect = effect_of(known, "pipe_x", typed, changed_only(known.data, typed))
    assert effect.notes == [
        "Sent: metadata.a · left out, as they are the same: disabled",
        "metadata: not typed, so kept: b",
    ]
    assert effect_of(known, "pipe_x", {"disabled": False}, {}).notes == [
        "Nothing differs from the last known record: the body is {}"
    ]
    assert "Only the id of pipe_x is known" in effect_of(thing(), "pipe_x", typed, None).against
    assert effect_of(None, "", {}, None).against.startswith("Enter the id")


def test_masks_are_found() -> None:
    assert masked_paths({"a": ["x", {"b": "••••••"}], "c": "Bearer ••••••"}) == [("a", "b"), ("c",)]
    assert mask_sentence({"a": 1}) == ""
    assert mask_sentence(read(exact.RawJson('"••••••"'))).startswith("The value is ••••••")
