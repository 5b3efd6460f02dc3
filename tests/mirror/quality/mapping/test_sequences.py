"""Arrays beside the raw arrays they come from: what is missing, put together, or another's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.mapping.array_source import Source, texts
from explorer.quality.mapping.sequences import Array
from tests.mirror.quality.checks.test_lineage import bad


def records(count: int = 30) -> list[dict[str, Any]]:
    made = []
    for at in range(count):
        offices = [{"uid": 900 + one, "city": f"City {one}"} for one in (at % 11, at % 11 + at % 7 + 1)]
        shown = [{"id": str(one["uid"]), "name": one["city"]} for one in reversed(offices)]
        links = {f"text/{one}": "https://x.example" for one in (at % 5, 9)}
        raw = {"offices": offices, "links": links}
        made.append({"offices": shown, "formats": sorted(links), "raw_data": raw})
    return made


def mixed(change: Callable[[dict[str, Any], int], Any]) -> list[str]:
    array = Array("offices", Source("/offices", "/id", "/uid"), "raw_data", "raw_data.offices")
    for at, row in enumerate(records()):
        array.look(change(row, at), row["raw_data"], lambda value: Example(value=str(value)))
    return [one.rule for one in array.faults()]


def test_an_item_that_is_put_together_from_two() -> None:
    def crossed(row: dict[str, Any], at: int) -> Any:
        first, second = row["offices"]
        return [{**first, "name": second["name"]}, {**second, "name": first["name"]}]

    assert mixed(crossed) == ["mixed"]
    assert mixed(lambda row, at: crossed(row, at) if at == 7 else row["offices"]) == ["mixed"]


def test_an_item_that_names_another_is_none() -> None:
    def parents(row: dict[str, Any], at: int) -> Any:
        first, second = row["offices"]
        return [{**first, "parent_id": second["id"]}, {**second, "parent_id": None}]

    words = {"work": "other", "other": "other"}

    def told(row: dict[str, Any], at: int) -> Any:
        kinds = [{**one, "kind": list(words)[n]} for n, one in enumerate(row["raw_data"]["offices"])]
        row["raw_data"]["offices"] = kinds
        return [{"id": str(one["uid"]), "name": one["city"], "kind": words[one["kind"]]} for one in kinds]

    assert mixed(lambda row, at: row["offices"]) == []
    assert mixed(told) == []
    assert mixed(parents) == []


def test_items_of_another_kind_beside_those_of_the_array_s_own_name_are_told() -> None:
    roles = ("RECRUITER", "COORDINATOR", "INTERVIEW_TEAM", "SECOND_RECRUITER")

    def rows(*taken: str) -> list[dict[str, Any]]:
        made = []
        for at in range(60):
            team = [{"uid": 900 + at * 3 + one, "role": roles[(at + one) % 4]} for one in range(1 + at % 3)]
            shown = [{"id": str(one["uid"])} for one in team if one["role"] in taken]
            made.append({"id": f"j{at}", "recruiters": shown, "raw_data": {"ref": f"j{at}", "team": team}})
        return made

    assert bad(rows("RECRUITER"), "ats/job") == []
    assert bad(rows("RECRUITER", "SECOND_RECRUITER"), "ats/job") == []
    assert bad(rows("RECRUITER", "COORDINATOR"), "ats/job") == [
        ("mapping.made-alike", "another kind", "recruiters")
    ]
    assert bad(rows("COORDINATOR", "INTERVIEW_TEAM"), "ats/job") == []


def test_a_telephone_number_tells_an_item_however_its_figures_are_parted() -> None:
    assert texts({"tel": "+49 (89) 12.34-56"}) == {"/tel": "+4989123456"} == texts({"tel": "+4989123456"})
    assert texts({"at": "2024-05-01T10:00", "no": "12 34"}) == {"/at": "2024-05-01t10:00", "/no": "12 34"}


def test_two_arrays_that_have_each_other_s_kind_are_told() -> None:
    def rows(first: str, second: str) -> list[dict[str, Any]]:
        made = []
        for at in range(90):
            roles = [("recruiter", "hiring_manager", "reviewer")[(at + one) % 3] for one in range(1 + at % 3)]
            team = [{"uid": 900 + at * 3 + one, "role": role} for one, role in enumerate(roles)]
            shown = {role: [{"id": str(one["uid"])} for one in team if one["role"] == role] for role in roles}
            record = {"recruiters": shown.get(first, []), "hiring_managers": shown.get(second, [])}
            made.append({"id": f"j{at}", **record, "raw_data": {"ref": f"j{at}", "team": team}})
        return made

    assert bad(rows("recruiter", "hiring_manager"), "ats/job") == []
    wrong = [("mapping.made-alike", "another kind", name) for name in ("recruiters", "hiring_managers")]
    assert bad(rows("hiring_manager", "recruiter"), "ats/job") == wrong
