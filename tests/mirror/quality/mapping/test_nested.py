"""What stands in arrays, over whole lists: clean ones are not complained of, what is wrong is named with its rows."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import findings, told
from tests.mirror.quality.checks.test_lineage import bad as all_bad

PEOPLE = [
    ("Ada", "Lovelace"),
    ("Grace", "Hopper"),
    ("Alan", "Turing"),
    ("Edsger", "Dijkstra"),
    ("Barbara", "Liskov"),
]
Rows = list[dict[str, Any]]


def jobs(count: int = 120) -> Rows:
    """Jobs with the people of a team."""
    rows = []
    for at in range(count):
        team = [
            {
                "id": 5000 + 11 * one,
                "first_name": PEOPLE[one % 5][0],
                "last_name": f"{PEOPLE[one * 3 % 5][1]} {one}",
                "active": one % 4 > 0,
            }
            for one in sorted({at * 7 % 23, at * 5 % 19, at * 3 % 13})
        ]
        people = [{**one, "id": str(one["id"])} for one in team]
        for one in people:
            del one["active"]
        raw = {"key": f"job {at}", "team": {"hiring_managers": team, "others": team[1:2]}}
        rows.append({"id": f"job {at}", "hiring_managers": people, "raw_data": raw})
    return rows


def bad(rows: Rows) -> list[tuple[str, int]]:
    found = told(Lineage(registry.resource("ats/job")), "ats/job", deepcopy(rows)).values()
    return [(f.sentence, f.count) for one in found if one.is_bad for f in one.findings]


def changed(change: Callable[[list[dict[str, Any]], int], list[dict[str, Any]]], *, only: int = -1) -> Rows:
    rows = jobs()
    for at, row in enumerate(rows):
        if only in (-1, at):
            row["hiring_managers"] = change(row["hiring_managers"], at)
    return rows


def test_clean_arrays_are_no_finding() -> None:
    assert bad(jobs()) == []


def test_a_filter_that_holds_for_all_is_no_finding() -> None:
    rows = jobs()
    for row in rows:
        active = {str(one["id"]) for one in row["raw_data"]["team"]["hiring_managers"] if one["active"]}
        row["hiring_managers"] = [one for one in row["hiring_managers"] if one["id"] in active]
    assert bad(rows) == []


def test_a_filter_that_leaves_the_first_of_each_is_no_finding() -> None:
    rows = jobs()
    for row in rows:
        team = row["raw_data"]["team"]["hiring_managers"]
        for place, one in enumerate(team):
            one["role"] = "hiring manager" if place == 0 else "interviewer"
        row["hiring_managers"] = row["hiring_managers"][:1]
    assert bad(rows) == []


@pytest.mark.parametrize(
    ("change", "only", "words"),
    [
        (lambda items, at: items[1:], -1, "lacks its first item"),
        (lambda items, at: items[:1], -1, "lacks all items but the first"),
        (lambda items, at: items[:2], -1, "is cut at 2 items"),
        (
            lambda items, at: items if len(items) < 3 else [],
            -1,
            "is empty where raw_data.team.hiring_managers has 3",
        ),
        (lambda items, at: items[:-1], 40, "lacks 1 of 3 items"),
        (lambda items, at: [], 40, "lacks 3 of 3 items"),
        (lambda items, at: [], -1, "is empty in all records"),
        (lambda items, at: [*items, items[0]], -1, "holds an item twice"),
        (lambda items, at: [*items, {**items[0], "id": "9999"}], 40, "holds 1 of 4 items that"),
        (lambda items, at: jobs()[at - 1]["hiring_managers"], -1, "is that of the record before it"),
    ],
)
def test_what_is_wrong_with_an_array_is_said(change: Any, only: int, words: str) -> None:
    assert [said for said, _ in bad(changed(change, only=only)) if f"hiring_managers {words}" in said]


def test_inner_fields_that_are_exchanged_or_lost_are_named() -> None:
    def exchange(items: list[dict[str, Any]], at: int) -> list[dict[str, Any]]:
        return [{**one, "first_name": one["last_name"], "last_name": one["first_name"]} for one in items]

    def lose(items: list[dict[str, Any]], at: int) -> list[dict[str, Any]]:
        return [{**one, "last_name": None} for one in items]

    exchanged = [said for said, _ in bad(changed(exchange))]
    assert any(said.startswith("hiring_managers[].first_name comes from") for said in exchanged)
    assert any("hiring_managers[].last_name is empty in all" in said for said, _ in bad(changed(lose)))


CITIES = (
    ("Umeå", "Sverige"),
    ("Köln", "Deutschland"),
    ("Lyon", "France"),
    ("Porto", "Portugal"),
    ("東京", "日本"),
)


def document(at: int) -> dict[str, Any]:
    """A job as JSON:API has it: what belongs to it is named by type and id, and stands among what is included."""
    places: Rows = [
        {
            "type": "locations",
            "id": str(31 + 13 * one),
            "attributes": {"city": CITIES[one][0], "land": CITIES[one][1]},
        }
        for one in sorted({at % 5, at * 3 % 5, at * 7 % 4})[: at % 4]
    ]
    users: Rows = [
        {"type": "users", "id": str(640 + one), "attributes": {"name": f"{PEOPLE[one % 5][0]} {one}"}}
        for one in dict.fromkeys((at * 7 % 23, at * 5 % 19, at * 3 % 13))
    ]
    parts = {"locations": places, "managers": users[1:], "user": users[:1]}
    named = {name: [{"type": one["type"], "id": one["id"]} for one in some] for name, some in parts.items()}
    relations = {name: {"data": some if name != "user" else some[0]} for name, some in named.items()}
    people = [{"id": one["id"], "name": one["attributes"]["name"]} for one in users]
    offices = [
        {"id": one["id"], "city": one["attributes"]["city"], "country": one["attributes"]["land"]}
        for one in places
    ]
    raw = {"id": f"job {at}", "relationships": relations, "included": [*users, *places]}
    return {
        "id": f"job {at}",
        "offices": offices,
        "hiring_managers": people[1:],
        "recruiters": people[:1],
        "raw_data": raw,
    }


def exchanged(row: dict[str, Any]) -> None:
    for one in row["offices"]:
        one["city"], one["country"] = one["country"], one["city"]


def paired(row: dict[str, Any]) -> None:
    for one, ident in zip(
        row["offices"], sorted((o["id"] for o in row["offices"]), reverse=True), strict=True
    ):
        one["id"] = ident


def single_lost(row: dict[str, Any]) -> None:
    if len(row["offices"]) == 1:
        row["offices"] = []


def roles(row: dict[str, Any]) -> None:
    row["recruiters"], row["hiring_managers"] = row["hiring_managers"], row["recruiters"]


def test_what_a_document_only_names_is_no_finding() -> None:
    assert bad([document(at) for at in range(160)]) == []


@pytest.mark.parametrize("change", [exchanged, paired, single_lost, roles])
def test_what_a_document_only_names_is_looked_up_in_it(change: Callable[[dict[str, Any]], None]) -> None:
    rows = [document(at) for at in range(160)]
    for row in rows:
        change(row)
    assert bad(rows)


def test_an_array_that_keeps_what_the_last_record_with_one_had() -> None:
    rows, last = jobs(240), list[dict[str, Any]]()
    for at, row in enumerate(rows):
        if at % 5 in (2, 3):
            row["raw_data"]["team"]["hiring_managers"] = row["hiring_managers"] = []
    assert bad(rows) == []
    for row in rows:
        last = row["hiring_managers"] = row["hiring_managers"] or last
    assert "record before" in bad(rows)[0][0]


def departments(at: int) -> dict[str, Any]:
    """A job with departments that have raw data of their own."""
    told = [at * 7 % 40, 40 + at * 11 % 30]
    raws = [
        {
            "id": f"{900 + one}",
            "parent": {"id": f"{700 + one % 9}"},
            "parent-external-id": f"DEP-{one % 9:03}",
        }
        for one in told
    ]
    made = [
        {
            "id": raw["id"],
            "parent_id": raw["parent"]["id"],  # type: ignore[index]
            "parent_department_external_id": raw["parent-external-id"],
            "raw_data": raw,
        }
        for raw in raws
    ]
    return {"id": f"j{at}", "departments": made, "raw_data": {"key": f"j{at}", "places": raws}}


OWN: list[tuple[Callable[[dict[str, Any], int], Any], list[str]]] = [
    (lambda one, at: None, []),
    (
        lambda one, at: one.update(parent_id=one["parent_department_external_id"]),
        ["departments[].parent_id comes from"],
    ),
    (
        lambda one, at: one.update(parent_department_external_id=one["parent_id"]),
        ["departments[].parent_department_external_id comes from"],
    ),
    (
        lambda one, at: one.update(raw_data={}) if at % 12 == 0 else None,
        ["departments[].raw_data is empty in"],
    ),
]


@pytest.mark.parametrize(("change", "words"), OWN)
def test_items_with_raw_data_of_their_own_are_records(change: Any, words: list[str]) -> None:
    rows = [departments(at) for at in range(90)]
    for at, row in enumerate(rows):
        for one in row["departments"]:
            change(one, at)
    said = [one for one, _ in bad(rows)]
    assert (
        [one[: len(words[0])] for one in said if one.startswith(words[0])] == words if words else said == []
    )


def test_what_heaps_up_from_record_to_record_is_named() -> None:
    """A list that is not emptied between some records holds what those before have; all else is as it should be."""
    rows, heap = [], list[Any]()
    for at in range(200):
        mine = [{"key": f"r{at * 7919 % 31:03}", "label": f"Person {at * 7919 % 31}"}] if at % 4 else []
        heap = [*heap, *mine] if 40 <= at < 56 else mine
        there = [
            {"id": one["key"], "name": one["label"]} for one in {one["key"]: one for one in heap}.values()
        ]
        raw = {"uid": f"j{at * 7919:06}", "crew": mine}
        rows.append({"id": raw["uid"], "recruiters": there, "raw_data": raw})
    made = told(Lineage(registry.resource("ats/job")), "ats/job", rows)
    assert [one[:2] for one in findings(made["mapping.made-alike"])] == [("record before", "recruiters")]


def test_an_array_that_has_the_items_of_another_is_told() -> None:
    def jobs(managers: str) -> list[dict[str, Any]]:
        made = []
        for at in range(60):
            raw: dict[str, Any] = {"no": f"j{at}"}
            raw["departments"] = [
                {"uid": f"d{at * 3 + one}", "label": f"D {at}"} for one in range(1 + at % 3)
            ]
            raw["managers"] = [{"uid": f"m{at * 5 + one}", "label": f"M {at}"} for one in range(1 + at % 2)]
            shown = {
                name: [{"id": one["uid"], "name": one["label"]} for one in raw[name]]
                for name in list(raw)[1:]
            }
            row = {"departments": shown["departments"], "hiring_managers": shown[managers]}
            made.append({"id": raw["no"], **row, "raw_data": raw})
        return made

    assert all_bad(jobs("managers"), "ats/job") == []
    assert ("mapping.one-source", "exchanged", "hiring_managers") in all_bad(jobs("departments"), "ats/job")
