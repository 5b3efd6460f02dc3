"""Items that are left out by what they say are no loss; those that say the same as the taken ones are."""

from __future__ import annotations

from typing import Any

from explorer.quality.mapping.chosen_items import choice_of
from tests.mirror.quality.checks.test_lineage import bad

ROLES = ("LEAD", "SCOUT", "SCOUT", "GUEST")


def test_a_choice_is_learned_from_what_is_left_out() -> None:
    items = [
        ({"/uid": str(at), "/role": ROLES[at % 4], "/on": at % 3 > 0}, at % 4 in (1, 2) and at % 3 > 0)
        for at in range(60)
    ]
    choice = choice_of(items, without="/uid")
    assert choice is not None
    assert dict(choice.taken) == {"/role": frozenset({"'SCOUT'"}), "/on": frozenset({"True"})}
    assert choice.takes({"uid": "1", "role": "SCOUT", "on": True})
    assert not choice.takes({"uid": "1", "role": "SCOUT", "on": False})
    assert not choice.takes({"uid": "1", "role": "new", "on": True})


def test_what_chance_leaves_out_is_no_choice() -> None:
    items = [({"/uid": str(at), "/role": ROLES[at % 4]}, at * 7919 % 10 > 3) for at in range(60)]
    assert choice_of(items, without="/uid") is None


def jobs(count: int = 160) -> list[dict[str, Any]]:
    rows = []
    for at in range(count):
        crew = [
            {
                "uid": f"u{(at * 5 + one * 3) % 41}",
                "full": f"Person {(at * 5 + one * 3) % 41}",
                "role": ROLES[(at + one) % 4],
            }
            for one in range(2 + at % 3)
        ]
        shown = [{"id": one["uid"], "name": one["full"]} for one in crew if one["role"] == "SCOUT"]
        rows.append({"id": f"j{at}", "recruiters": shown, "raw_data": {"no": f"j{at}", "crew": crew}})
    return rows


def test_one_of_the_chosen_that_is_missing_is_found_beside_all_that_are_left_out() -> None:
    rows = jobs()
    assert bad(rows, "ats/job") == []
    for row in rows:
        if row["raw_data"]["crew"][0]["role"] != "SCOUT" and int(row["id"][1:]) % 5 == 0:
            row["recruiters"] = []
    assert bad(rows, "ats/job") == [("mapping.kept", "missing", "recruiters")]


def test_the_same_place_that_is_always_missing_under_a_condition_is_named() -> None:
    rows = jobs()
    for row in rows:
        row["recruiters"] = [{"id": one["uid"], "name": one["full"]} for one in row["raw_data"]["crew"]]
    assert bad(rows, "ats/job") == []
    for row in rows:
        row["recruiters"] = row["recruiters"][len(row["recruiters"]) == 4 :]
    assert bad(rows, "ats/job") == [("mapping.kept", "missing", "recruiters")]
