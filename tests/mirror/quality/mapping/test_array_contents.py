"""Arrays beside the raw arrays they come from: what is missing, put together, or another's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.mapping.array_contents import Array
from explorer.quality.mapping.array_source import Source, texts
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


CITIES = (("Lund", "Skåne"), ("Umeå", "Västerbotten"), ("Falun", "Dalarna"), ("Växjö", "Kronoberg"))


def test_items_with_one_key_are_told_apart_by_what_else_they_say() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(90):
        cities = [CITIES[at % 4], CITIES[(at // 3) % 4], CITIES[(at // 7) % 4]][: 1 + at % 3]
        raw = [
            {"town": town, "part": part if (at + n) % 3 else None, "road": f"{at * 7 + n} Road"}
            for n, (town, part) in enumerate(cities)
        ]
        shown = [{"city": one["town"], "state": one["part"]} for one in raw]
        rows.append({"id": str(at), "addresses": shown, "raw_data": {"uid": at, "places": raw}})
    assert bad(rows, "crm/account") == []
    rows[44]["addresses"][1]["state"] = "Uppland"
    assert bad(rows, "crm/account") != []


def test_somebody_with_two_parts_in_a_team_is_taken_for_the_part_of_the_array() -> None:
    roles = ("Hiring Manager", "Recruiter", "Sourcer")
    rows = []
    for at in range(90):
        team = [{"user": f"u{(at * 7 + n) % 41:03}", "role": roles[(at + n) % 3]} for n in range(2 + at % 4)]
        if at % 3 == 0:
            other = "Recruiter" if team[0]["role"] == "Hiring Manager" else "Hiring Manager"
            team.append({**team[0], "role": other})
        its = [{"id": one["user"]} for one in team if one["role"] == "Recruiter"]
        rows.append({"id": f"j{at}", "recruiters": its, "raw_data": {"uid": f"j{at}", "team": team}})
    assert bad(rows, "ats/job") == []


def test_items_may_stand_in_an_object_and_in_an_array_behind_it() -> None:
    rows: list[dict[str, Any]] = []
    for at in range(90):
        first, *others = [
            {"key": f"k{(at * 5 + n * 3) % 17:02}", "title": f"Office {(at * 5 + n * 3) % 17}"}
            for n in range(1 + at % 3)
        ]
        shown = [{"id": one["key"], "name": one["title"]} for one in (first, *others)]
        raw = {"uid": f"j{at}", "location": first, "secondary": others}
        rows.append({"id": f"j{at}", "offices": shown, "raw_data": raw})
    assert bad(rows, "ats/job") == []
    rows[44]["offices"] = [*rows[44]["offices"], rows[44]["offices"][-1]]
    assert bad(rows, "ats/job") == [("mapping.made-alike", "twice", "offices")]


def test_a_whole_team_in_some_records_is_more_than_the_array_s_own_part() -> None:
    roles = ("Recruiter", "Hiring Manager", "Sourcer")

    def jobs(whole: Callable[[int], bool]) -> list[dict[str, Any]]:
        rows = []
        for at in range(120):
            team = [{"user": f"u{(at * 7 + n) % 41:03}", "role": roles[n % 3]} for n in range(1 + at % 4)]
            its = [{"id": one["user"]} for one in team if one["role"] == "Recruiter" or whole(at)]
            rows.append({"id": f"j{at}", "recruiters": its, "raw_data": {"uid": f"j{at}", "team": team}})
        return rows

    assert bad(jobs(lambda at: False), "ats/job") == []
    assert bad(jobs(lambda at: at % 8 < 4), "ats/job") == [
        ("mapping.made-alike", "another kind", "recruiters")
    ]
