"""Items of arrays asked what records are asked: the same item is told alike, and of the kind that its place says."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.mirror.quality.checks.test_lineage import JOBS, bad, looked

ACCOUNTS = "crm/account"
Row = dict[str, Any]
UNITS = [
    {
        "id": 400 + n * 3,
        "label": f"Unit {n * 7919}",
        "publicLabel": f"Team {n * 7919}",
        "made": 1_500_000_000 + n * 86_411,
    }
    for n in range(14)
]


def jobs(share: float, *, inside: bool = True) -> list[Row]:
    """Jobs whose departments have their public name in a share; ``inside``: each item has raw data of its own."""
    rng, rows = Random(5), []
    for at in range(240):
        units = rng.sample(UNITS, rng.choice((1, 1, 2)))
        other = rng.random() < share
        raw = {"id": f"j{at * 7919:06}", "title": f"Job {at * 31}", "units": units}
        items = [
            {
                "id": str(one["id"]),
                "name": one["publicLabel" if other else "label"],
                **({"raw_data": one} if inside else {}),
            }
            for one in units
        ]
        rows.append({"id": raw["id"], "name": raw["title"], "departments": items, "raw_data": raw})
    return rows


@pytest.mark.parametrize("share", [0.1, 0.33, 0.5])
def test_the_same_item_is_told_alike(share: float) -> None:
    rows = jobs(share)
    results = looked(rows, JOBS).values()
    found = [one for result in results for one in result.findings if one.field == "departments[].name"]
    guilty = {row["id"] for row in rows if "Team" in row["departments"][0]["name"]}
    assert {one.id for one in found[0].examples} <= guilty


def test_items_that_are_alike_are_no_finding() -> None:
    assert bad(jobs(0.0), JOBS) == []
    assert bad(jobs(1.0), JOBS) == []


def accounts(kinds: dict[str, str], share: float = 1.0) -> list[Row]:
    rng, rows = Random(9), []
    for at in range(200):
        raw: Row = {"no": f"a{at * 7919:06}", "Phone": f"+49 89 {at * 104_729 % 10**6:06}"}
        raw["Mobile"] = f"+49 171 {at * 15_485_863 % 10**7:07}" if at % 3 else None
        raw["Fax"] = f"+49 30 {at * 32_452_843 % 10**6:06}" if at % 4 == 0 else None
        given = kinds if rng.random() < share else {}
        names = {"Phone": "primary", "Mobile": "mobile", "Fax": "fax"}
        numbers = [
            {"phone_number": raw[name], "phone_number_type": given.get(kind, kind)}
            for name, kind in names.items()
            if raw[name]
        ]
        row = {
            "id": raw["no"],
            "updated_at": "2024-01-02T03:04:05Z",
            "phone_numbers": numbers,
            "raw_data": raw,
        }
        rows.append(row)
    return rows


@pytest.mark.parametrize("share", [0.05, 0.5, 1.0])
def test_a_number_is_of_the_kind_of_its_place(share: float) -> None:
    rows = accounts({"mobile": "fax"}, share)
    assert ("mapping.made-alike", "another kind", "phone_numbers[].phone_number_type") in bad(rows, ACCOUNTS)


def test_kinds_that_are_the_connectors_own_are_no_finding() -> None:
    assert bad(accounts({}), ACCOUNTS) == []
    assert bad(accounts({"primary": "other"}), ACCOUNTS) == []
