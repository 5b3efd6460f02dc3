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


def test_null_throughout_though_the_path_of_its_name_is_filled() -> None:
    made = [{**row, "size": None} for row in rows()]
    assert bad(made) == [("mapping.kept", "never", "size")]
    assert bad([{n: v for n, v in row.items() if n != "size"} for row in made]) == []


def test_a_number_of_few_values_that_lacks_a_digit_in_some() -> None:
    made = rows()
    for at, row in enumerate(made):
        row["raw_data"]["size"] = row["size"] = (10, 250, 1200, 34_000)[at % 4]
    assert bad(made) == []
    for at in (31, 62, 73, 104, 155, 176, 197, 208, 219):
        made[at]["size"] //= 10
    assert [field for _, _, field in bad(made)] == ["size"]


def test_a_truth_value_that_is_the_opposite_in_one_record() -> None:
    made = rows()
    for row in made:
        row["raw_data"]["canDownload"] = row["raw_data"].pop("downloadable")
    made[77]["downloadable"] = not made[77]["downloadable"]
    assert bad(made) == [("mapping.made-alike", "differs", "downloadable")]


def test_a_number_of_the_very_name_in_another_unit() -> None:
    assert bad([{**row, "size": row["size"] * 1000} for row in rows()]) == [
        ("mapping.nothing-lost", "unit", "size")
    ]


def test_what_a_name_has_lost_is_not_beside_it_in_a_path_that_holds_it_whole() -> None:
    made = rows()
    for row in made:
        row["raw_data"]["name"] = row["raw_data"].pop("title")
        row["raw_data"]["where"] = row["path"] = f"/all/{row['name']}"
    assert bad(made) == []
    for change in (lambda text: text[:-1], lambda text: text.split(" ")[0]):
        cut = [{**row, "name": change(row["name"])} for row in made]
        assert [field for _, _, field in bad(cut)] == ["name"]
