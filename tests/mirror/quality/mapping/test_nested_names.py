"""Arrays and their entries beside the raw fields of their names: another array, another kind, another object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from explorer.quality.checks.lineage import Lineage
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row

Row = dict[str, Any]
CITIES = ("Leipzig", "Boston", "Lyon", "Porto", "Kyoto", "Tartu", "Oulu")
CODES = ("04109", "02110-1301", "69001", "4050-253", "604-8571", "EC1A 1BB", "90100")


def people(at: int, team: str, count: int) -> list[Row]:
    return [
        {"id": f"{team}{at * 7 % 40 + n * 3}", "name": f"{team} {at * 7 % 40 + n * 3}"} for n in range(count)
    ]


def job(at: int) -> Row:
    """Its teams are arrays, its department and its lead single objects."""
    raw: Row = {
        "key": f"k{at}", "team": {"hiringManagers": people(at, "M", at % 3 + 1), "recruiters": people(at, "R", at % 4)},
        "hiringLead": people(at, "L", 1)[0], "author": people(at * 3, "A", 1)[0],
        "groups": {"department": f"Dep {at % 9}", "squad": f"Squad {at * 5 % 11}"},
    }  # fmt: skip
    return {
        "id": raw["key"], "hiring_managers": raw["team"]["hiringManagers"], "recruiters": raw["team"]["recruiters"],
        "departments": [{"name": raw["groups"]["department"]}], "offices": [raw["hiringLead"]], "raw_data": raw,
    }  # fmt: skip


def account(at: int) -> Row:
    raw: Row = {
        "Key": f"a{at}",
        "Phone": f"+49 {at * 7919:07}",
        "Fax": f"0{at * 104729 % 10**7}-{at % 90:02}",
    }
    kinds = {"billing": at, "shipping": at * 3 + 1}
    for kind, one in kinds.items():
        there = kind == "billing" or at % 2
        raw[f"{kind}City"] = CITIES[one % 7] if there else None
        raw[f"{kind}Zip"] = CODES[one % 7] if there else None
        raw[f"{kind}Street"] = f"{one} Road" + ("\nSuite 4" if one % 3 == 0 else "") if there else None
    addresses = [
        {
            "address_type": kind, "city": raw[f"{kind}City"], "postal_code": raw[f"{kind}Zip"],
            "street_1": raw[f"{kind}Street"].partition("\n")[0],
        }
        | ({"street_2": "Suite 4"} if "\n" in raw[f"{kind}Street"] else {})
        for kind in kinds
        if raw[f"{kind}City"]
    ]  # fmt: skip
    phones = [
        {"phone_number": raw["Phone"], "phone_number_type": "primary"},
        {"phone_number": raw["Fax"], "phone_number_type": "fax"},
    ]
    base: Row = {"id": raw["Key"], "updated_at": "2024-01-02T03:04:05Z", "raw_data": raw}
    return base | {"addresses": addresses, "phone_numbers": phones}


def bad(key: str, make: Callable[[int], Row], change: Callable[[Row], Row]) -> list[tuple[str, str]]:
    watcher = Lineage(registry.resource(key))
    for at, one in enumerate(map(make, range(140)), 1):
        watcher.row(row(one | change(one), at))
    return [(f.rule, f.field) for one in watcher.results(key) if one.is_bad for f in one.findings]


def places(change: Callable[[Row, Row], Row]) -> Callable[[Row], Row]:
    """Changes each address, given the address and the raw record."""
    return lambda row: {"addresses": [one | change(one, row["raw_data"]) for one in row["addresses"]]}


def test_clean_ones_are_no_finding() -> None:
    assert bad("ats/job", job, lambda row: {}) == []
    assert bad("crm/account", account, lambda row: {}) == []


JOBS: list[tuple[str, Callable[[Row], Row]]] = [
    ("recruiters", lambda r: {"recruiters": r["raw_data"]["team"]["hiringManagers"]}),
    ("hiring_managers", lambda r: {"hiring_managers": r["recruiters"]}),
    ("departments[].name", lambda r: {"departments": [{"name": r["raw_data"]["groups"]["squad"]}]}),
]


@pytest.mark.parametrize(("field", "change"), JOBS, ids=[one[0] for one in JOBS])
def test_another_array_or_object_than_that_of_the_name(field: str, change: Callable[[Row], Row]) -> None:
    assert ("another source", field) in bad("ats/job", job, change)


def test_arrays_that_are_exchanged() -> None:
    found = bad(
        "ats/job", job, lambda r: {"recruiters": r["hiring_managers"], "hiring_managers": r["recruiters"]}
    )
    assert set(found) == {("another source", "recruiters"), ("another source", "hiring_managers")}


def test_the_city_of_another_kind_in_those_that_have_both() -> None:
    def both(row: Row) -> Row:
        first, *others = row["addresses"]
        return {"addresses": [first | {"city": others[0]["city"]} if others else first, *others]}

    assert ("another source", "addresses[billing].city") in bad("crm/account", account, both)


CODE = "postal_code"
LOSSES: list[tuple[str, Callable[[Row, Row], Row]]] = [
    (CODE, lambda one, raw: {CODE: one[CODE].lstrip("0")}),
    (CODE, lambda one, raw: {CODE: one[CODE].replace("-", " ").split(" ")[0]}),
    (CODE, lambda one, raw: {CODE: one[CODE][:5]}),
    ("street_2", lambda one, raw: {"street_2": one["street_1"]}),
]


@pytest.mark.parametrize(("field", "change"), LOSSES)
def test_what_is_lost_of_a_part_is_named(field: str, change: Callable[[Row, Row], Row]) -> None:
    assert f"addresses[billing].{field}" in [name for _, name in bad("crm/account", account, places(change))]


def test_a_second_line_that_goes_nowhere_is_lost() -> None:
    def one_line(row: Row) -> Row:
        return {"addresses": [{n: v for n, v in one.items() if n != "street_2"} for one in row["addresses"]]}

    assert "addresses[billing].street_1" in [name for _, name in bad("crm/account", account, one_line)]


@pytest.mark.parametrize("cut", ["-", " "])
def test_a_phone_that_ends_at_a_sign_is_cut(cut: str) -> None:
    def short(row: Row) -> Row:
        return {
            "phone_numbers": [
                one | {"phone_number": one["phone_number"].partition(cut)[0]} for one in row["phone_numbers"]
            ]
        }

    assert any(name.startswith("phone_numbers[") for _, name in bad("crm/account", account, short))


@pytest.mark.parametrize("field", ["addresses", "phone_numbers"])
def test_an_array_that_is_empty_throughout_though_raw_data_has_its_parts(field: str) -> None:
    assert ("never", field) in bad("crm/account", account, lambda row: {field: []})


def test_an_array_of_one_object_that_is_empty_throughout() -> None:
    assert ("never", "departments") in bad("ats/job", single, lambda row: {"departments": []})
    assert bad("ats/job", single, lambda row: {}) == []


def test_an_array_that_is_empty_throughout_beside_one_that_no_other_field_takes() -> None:
    def lost(row: Row) -> Row:
        return {"recruiters": [], "raw_data": row["raw_data"] | {"Assigned_Recruiter": people(7, "R", 2)}}

    assert ("never", "recruiters") in bad("ats/job", single, lost)

    def taken(row: Row) -> Row:
        managers = people(7, "R", 2) + people(int(row["id"][1:]), "M", 2)
        return {
            "recruiters": [],
            "hiring_managers": managers,
            "raw_data": row["raw_data"] | {"Manager_And_Recruiter": managers},
        }

    assert ("never", "recruiters") not in bad("ats/job", single, taken)


def test_an_object_that_holds_nothing_but_null_is_not_filled() -> None:
    def nobody(row: Row) -> Row:
        raw = row["raw_data"] | {"department": {"data": None, "links": {"self": "", "more": []}}}
        return {"departments": [], "raw_data": raw}

    assert bad("ats/job", single, nobody) == []


def single(at: int) -> Row:
    """A job whose department is an object."""
    raw: Row = {"key": f"k{at}", "department": {"id": 700 + at % 9, "label": f"Dep {at % 9}"}}
    there = {"id": str(700 + at % 9), "name": f"Dep {at % 9}"}
    return {"id": raw["key"], "departments": [there], "raw_data": raw}


def test_ids_of_items_that_are_their_places() -> None:
    change = {"departments[].id"} & {
        name
        for _, name in bad(
            "ats/job", single, lambda row: {"departments": [row["departments"][0] | {"id": "0"}]}
        )
    }
    assert change


def sorted_phones(at: int, wrong: bool) -> Row:
    kinds = ("work", "mobile", "fax", "home")
    raw = [
        {"value": f"+49 30 {at * 7919 + n:07}", "category": kinds[(at + n) % 4]} for n in range(1 + at % 3)
    ]
    known = {"mobile": "mobile", "fax": "mobile" if wrong else "fax"}
    phones = [
        {"phone_number": one["value"], "phone_number_type": known.get(one["category"], "other")}
        for one in raw
    ]
    base: Row = {"id": f"a{at}", "updated_at": "2024-01-02T03:04:05Z", "phone_numbers": phones}
    return base | {"raw_data": {"Key": f"a{at}", "phones": raw}}


@pytest.mark.parametrize("wrong", [True, False])
def test_an_item_of_another_kind_than_raw_data_says(wrong: bool) -> None:
    said = bad("crm/account", lambda at: sorted_phones(at, wrong), lambda row: {})
    assert said == ([("another word", "phone_numbers[].phone_number_type")] if wrong else [])
