"""Fields beside the raw path of their own name: another field, another record, one value for all."""

from __future__ import annotations

from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import bad, files

NAMED = "name"


def rows(count: int = 240) -> list[dict[str, Any]]:
    made = files(count)
    for at, row in enumerate(made):
        raw = row["raw_data"]
        raw["other"] = f"Scan {at * 31 + 7}"
        raw["size"] = raw.pop("bytes")
    return made


def test_another_raw_field_for_all() -> None:
    made = [{**row, "name": row["raw_data"]["other"]} for row in rows()]
    assert bad(made) == [("mapping.one-source", "another source", NAMED)]


def test_a_field_of_the_same_meaning_will_do() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["displayName"] = row["name"] = f"Shown {at}"
    assert bad(made) == []


def test_the_first_of_each_fifty() -> None:
    made = rows()
    moved = [{**row, "name": made[at // 50 * 50]["name"]} for at, row in enumerate(made)]
    assert ("mapping.made-alike", "other records", NAMED) in bad(moved)


def test_a_sorted_column() -> None:
    made = rows()
    names = sorted(row["name"] for row in made)
    moved = [{**row, "name": name} for row, name in zip(made, names, strict=True)]
    assert ("mapping.made-alike", "other records", NAMED) in bad(moved)


@pytest.mark.parametrize("every", [20, 4])
def test_values_of_nowhere_in_some(every: int) -> None:
    made = [
        {**row, "name": f"Old {at * 977}" if at % every == 3 else row["name"]}
        for at, row in enumerate(rows())
    ]
    assert ("mapping.made-alike", "differs", NAMED) in bad(made)


def test_a_rule_that_raw_data_tells_is_no_finding() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["locked"] = at % 4 == 3
        if at % 4 == 3:
            row["name"] = f"Hidden {at * 977}"
    assert bad(made) == []
