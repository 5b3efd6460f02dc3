"""Whose values the fields of a list have: a few records that exchanged theirs are named, however short the list is.

Raw records of another shape than most of their list are named, and what is merely left out is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad, files

Row = dict[str, Any]
DRIVES = "file-storage/drive"
NAMES = ("Finance", "Projekte", "Marketing", "Archive", "Legal")


def test_two_of_five_that_have_each_other_s_value_are_named() -> None:
    rows = [
        {"id": str(at), "name": one, "raw_data": {"no": at, "mount": one}} for at, one in enumerate(NAMES)
    ]
    assert bad(rows, DRIVES) == []
    rows[1]["name"], rows[3]["name"] = rows[3]["name"], rows[1]["name"]
    assert bad(rows, DRIVES) == [("mapping.made-alike", "other records", "name")]
    for row in rows:  # a name of its own is no exchange
        row["name"] = f"Drive {row['name']}"
    rows[2]["name"] = "Elsewhere"
    assert bad(rows, DRIVES) == []


def shaped(change: Callable[[Row], Row]) -> list[Row]:
    rows = files()
    for at, row in enumerate(rows):
        raw = row["raw_data"] | {"owner": {"id": at % 7}, "labels": [at % 5], "links": {"self": f"/x/{at}"}}
        if at % 3 == 0:
            del raw["note"]  # as third parties do that leave out what is empty
        row["raw_data"] = change(raw) if at in (40, 222) else raw
    return rows


def flat(raw: Row) -> Row:
    return {name: value for name, value in raw.items() if not isinstance(value, dict | list)}


def as_text(raw: Row) -> Row:
    return {name: "[object Object]" if isinstance(value, dict) else value for name, value in raw.items()}


def test_what_third_parties_leave_out_is_no_shape_of_its_own() -> None:
    assert bad(shaped(dict)) == []
    assert bad(shaped(lambda raw: {name: value for name, value in raw.items() if name != "labels"})) == []


@pytest.mark.parametrize(("change", "rule"), [(flat, "another shape"), (as_text, "as text")])
def test_the_records_of_another_shape_are_named(change: Callable[[Row], Row], rule: str) -> None:
    assert bad(shaped(change)) == [("mapping.raw-own", rule, "raw_data")]


def test_raw_data_one_level_deeper_in_a_few_is_told_as_that() -> None:
    rows = files()
    for row in rows[10::11]:
        row["raw_data"] = {"data": row["raw_data"]}
    assert ("mapping.raw-own", "deeper", "raw_data") in bad(rows)
    for row in rows:
        row["raw_data"] = {"data": row["raw_data"].get("data", row["raw_data"])}
    assert bad(rows) == []
