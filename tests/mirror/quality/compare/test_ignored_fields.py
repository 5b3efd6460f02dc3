"""Patterns of fields: what they hit, what they leave, and what is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from explorer.catalog.registry import Registry
from explorer.quality.compare.ignored_fields import Mask, MaskFault, default_patterns, left_out_words
from explorer.quality.compare.report import unexplained_words
from tests.builtin import registry
from tests.mirror.quality.compare.test_compare import compared
from tests.other_interface import OTHER

RECORD = {
    "id": 1,
    "updated_at": 2,
    "raw_data": {"a": {"b": 1}, "c": None},
    "items": [{"id": 3, "updated_at": 4, "raw_data": {"x": 1}}, 5],
    "a.b": {"c": 1, "d": 2},
}


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ([], RECORD),
        (["id"], {**RECORD, "id": None}),
        (["raw_data.*"], {**RECORD, "raw_data": {}}),
        (["raw_data.*.b"], {**RECORD, "raw_data": {"a": {}, "c": None}}),
        (["raw_data.a", "raw_data.c.x"], {**RECORD, "raw_data": {"c": None}}),
        (["items[].id"], {**RECORD, "items": [{"updated_at": 4, "raw_data": {"x": 1}}, 5]}),
        (["items[]"], {**RECORD, "items": []}),
        (['["a.b"].c'], {**RECORD, "a.b": {"d": 2}}),
        (
            default_patterns(registry),
            {**RECORD, "updated_at": None, "raw_data": {}, "items": [{"id": 3, "raw_data": {}}, 5]},
        ),
        (["**.x", "nothing.here"], {**RECORD, "items": [{"id": 3, "updated_at": 4, "raw_data": {}}, 5]}),
    ],
)
def test_what_is_left(patterns: list[str], expected: dict[str, Any]) -> None:
    # None stands for a top-level field that is gone; raw_data.c is null by itself.
    left = {name: value for name, value in expected.items() if value is not None}
    assert Mask(patterns).pruned(RECORD) == left
    assert RECORD["raw_data"] == {"a": {"b": 1}, "c": None}


def test_what_is_left_out_by_default_follows_from_the_raw_fields_that_an_interface_declares() -> None:
    dates = ("**.updated_at", "**.modified_at", "**.last_modified_at")
    assert default_patterns(registry) == (*dates, "**.raw_data.*")
    assert default_patterns(Registry(OTHER)) == (*dates, "**.origin.*")


ANYWHERE = ", wherever these stand in a record"


@pytest.mark.parametrize(
    ("patterns", "words"),
    [
        ([], ""),
        (["name"], "name"),
        (["raw_data.*", "items[].id"], "the content of raw_data and the field items[].id"),
        (["**.updated_at"], "updated_at, wherever it stands in a record"),
        (
            ["name", "**.updated_at", "**.modified_at", "**.raw_data.*"],
            f"the content of raw_data and the fields updated_at and modified_at{ANYWHERE}; name",
        ),
    ],
)
def test_what_is_left_out_in_words(patterns: list[str], words: str) -> None:
    assert left_out_words(patterns) == words


@pytest.mark.parametrize("pattern", ["", "a..b", ".a", "a.", "**", "**.**", "a[1]", "a]", '["a', "a[]b"])
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(MaskFault, match=r"not a path|nothing to compare"):
        Mask([pattern])


PEOPLE: list[dict[str, Any]] = [
    {"id": f"{at}", "at": {"city": f"c{at}"}, "units": [{"name": f"u{at}"}, {"name": f"v{at}"}]}
    for at in range(40)
]


@pytest.mark.parametrize(
    ("patterns", "change", "said"),
    [
        # All items look the same: which of them is gone, nobody can tell.
        (["units[].*"], lambda r: r | {"units": r["units"][1:]}, "units lost items in all 40 records"),
        (["units[].*"], lambda r: r | {"units": r["units"] * 2}, "units has items added in all 40 records"),
        (["at.*"], lambda r: r | {"at": None}, "at is now empty (null) in all 40 records"),
        # What an item still shows tells it from others.
        (
            ["units[].raw.*"],
            lambda r: r | {"units": r["units"][:1]},
            "units has now only its first item in all 40 records",
        ),
        (
            ["at.*"],
            lambda r: r | {"units": r["units"] * 2},
            "units has its items twice or more often, none other",
        ),
    ],
)
def test_what_is_left_out_is_not_said_to_be_empty_or_the_same(
    patterns: list[str], change: Callable[[dict[str, Any]], dict[str, Any]], said: str
) -> None:
    one = [json.dumps(record).encode() for record in PEOPLE]
    other = [json.dumps(change(record)).encode() for record in PEOPLE]
    with compared(one, other, Mask(patterns)) as made:
        assert [sentence.words.startswith(said) for sentence in made.explained.sentences] == [True]
        assert made.explained.unexplained == ()


def test_an_object_whose_content_is_left_out_is_named_so_where_nothing_explains_what_became_of_it() -> None:
    one = [json.dumps(record).encode() for record in PEOPLE]
    other = [json.dumps({**record, "at": f"{int(record['id']) * 7919 % 97:x}"}).encode() for record in PEOPLE]
    with compared(one, other, Mask(["at.*"])) as made:
        [left] = made.explained.unexplained
        assert unexplained_words(left).startswith(
            "at: 40 changes unexplained, as an object whose content is left out → "
        )
