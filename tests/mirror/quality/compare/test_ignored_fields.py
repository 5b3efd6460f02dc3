"""Patterns of fields: what they hit, what they leave, and what is none."""

from __future__ import annotations

from typing import Any

import pytest

from explorer.catalog.registry import Registry
from explorer.quality.compare.ignored_fields import Mask, MaskFault, default_patterns, left_out_words
from tests.builtin import registry
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
