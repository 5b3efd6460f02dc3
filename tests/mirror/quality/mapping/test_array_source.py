"""The raw array that an array comes from, numbered raw fields as one, and by what their items belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from explorer.quality.checks.lineage import Lineage
from explorer.quality.mapping.array_source import Source, slots_of, source_of, texts
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row

ACCOUNTS = "crm/account"
TOWNS = (("Lund", "Skåne"), ("Umeå", "Västerbotten"), ("Falun", "Dalarna"), ("Växjö", "Kronoberg"))
KINDS = ("billing", "shipping", "other")
Rows = list[dict[str, Any]]


def records(count: int = 30) -> list[dict[str, Any]]:
    made = []
    for at in range(count):
        offices = [{"uid": 900 + one, "city": f"City {one}"} for one in (at % 11, at % 11 + at % 7 + 1)]
        shown = [{"id": str(one["uid"]), "name": one["city"]} for one in reversed(offices)]
        links = {f"text/{one}": "https://x.example" for one in (at % 5, 9)}
        raw = {"offices": offices, "links": links}
        made.append({"offices": shown, "formats": sorted(links), "raw_data": raw})
    return made


def test_items_belong_together_by_their_id_and_not_by_place() -> None:
    assert source_of(records(), "offices", "raw_data") == Source("/offices", "/id", "/uid")


def test_the_names_of_an_object_are_items_too() -> None:
    assert source_of(records(), "formats", "raw_data") == Source("/links", "", "<name>")


def test_a_first_name_that_others_have_too_is_no_key_beside_an_id() -> None:
    made = []
    for at in range(42):
        team = [{"uid": f"u{(at * 7 + one) % 83:04}", "given": f"Ann {(at + one) % 11}"} for one in range(9)]
        shown = [{"id": one["uid"], "first_name": one["given"]} for one in team[:4]]
        team += [{"uid": f"x{at:04}", "given": team[0]["given"]}] if at % 3 == 0 else []
        made.append({"recruiters": shown, "raw_data": {"team": team}})
    source = source_of(made, "recruiters", "raw_data")
    assert source is not None
    assert (source.mine, source.its) == ("/id", "/uid")


def test_names_that_the_one_in_front_shares_by_chance_are_no_key_beside_an_id() -> None:
    made = []
    for at in range(60):
        team = [{"uid": f"u{at:03}{one}", "given": f"Ann {one}"} for one in range(8)]
        owner = {"uid": f"o{at:03}", "given": f"Ann {at % 8 if at % 4 == 0 else 9 + at}"}
        shown = [{"id": one["uid"], "first_name": one["given"]} for one in (owner, *team)]
        made.append({"recruiters": shown, "raw_data": {"team": team}})
    source = source_of(made, "recruiters", "raw_data")
    assert source is not None
    assert (source.mine, source.its) == ("/id", "/uid")


def test_the_lead_ahead_of_the_crew_has_the_first_name_of_one_of_them() -> None:
    made = []
    for at in range(60):
        crew = [
            {"no": 1_040 + one * 3, "given": f"Name {one % 8}"} for one in (at % 9, at % 9 + 1, at % 9 + 3)
        ]
        lead = {"no": 2_040 + at, "given": f"Name {at % 9 % 8}" if at % 4 == 1 else f"Lead {at}"}
        ahead = [lead, *crew] if at % 2 else [crew[2], *crew[:2]]
        shown = [{"id": str(one["no"]), "first_name": one["given"]} for one in ahead]
        guest = {"no": 9_000 + at, "given": f"Name {at % 8}"}
        made.append({"recruiters": shown, "raw_data": {"lead": ahead[0], "guest": guest, "crew": crew}})
    found = source_of(made, "recruiters", "raw_data")
    assert found is not None
    assert (found.paths, found.mine, found.its) == (("/lead", "/crew"), "/id", "/no")
    both = found.read({"lead": {"no": 1}, "crew": [{"no": 2}, {"no": 1}]})
    assert both == [{"no": 1}, {"no": 2}], "somebody who is in both is one"


def test_arrays_of_few_words_belong_to_those_of_raw_data() -> None:
    formats = ("pdf", "txt", "jpg")
    made = [
        {"formats": list(formats[: at % 4]), "raw_data": {"renditions": list(formats[: at % 4])}}
        for at in range(40)
    ]
    assert source_of(made, "formats", "raw_data") == Source("/renditions", "", "")


def test_the_array_of_the_record_before_is_met() -> None:
    rows = records()
    moved = [{**row, "offices": rows[at - 1]["offices"]} for at, row in enumerate(rows)]
    source = source_of(moved, "offices", "raw_data")
    assert source is not None
    assert source.moved == -1


def test_the_texts_of_an_item_leave_out_what_is_no_key() -> None:
    assert texts({"id": 1, "is": True, "in": [1], "raw_data": {"a": 1}}, "raw_data") == {"/id": "1"}


def accounts(count: int = 160) -> Rows:
    """Accounts with up to two addresses, either of which may be empty; a number tells the kind of each."""
    made = []
    for at in range(count):
        raw: dict[str, Any] = {
            "no": f"a{at}",
            "label": f"Firm {at * 31}",
            "place1_key": f"k{at}",
            "place2_key": f"l{at}",
        }
        for slot, there in ((1, at % 5 > 0), (2, at % 3 == 0)):
            town, region = TOWNS[(at * slot + slot) % 4]
            parts = (at * slot) % 3, f"{at * slot + slot} Elm Road", town, region, f"{slot}{at:04}"
            for name, part in zip(("kind", "line", "town", "region", "code"), parts, strict=True):
                raw[f"place{slot}_{name}"] = part if there else None
        made.append({"id": raw["no"], "name": raw["label"], "addresses": addresses(raw), "raw_data": raw})
    return made


def addresses(raw: dict[str, Any]) -> Rows:
    return [
        {
            "address_type": KINDS[raw[f"place{slot}_kind"]],
            "street_1": raw[f"place{slot}_line"],
            "city": raw[f"place{slot}_town"],
            "state": raw[f"place{slot}_region"],
            "postal_code": raw[f"place{slot}_code"],
        }
        for slot in (1, 2)
        if raw[f"place{slot}_line"]
    ]


def bad(rows: Rows) -> list[tuple[str, str, int]]:
    watcher = Lineage(registry.resource(ACCOUNTS))
    for at, one in enumerate(rows, 1):
        watcher.row(row(one, at))
    found = watcher.results(ACCOUNTS)
    return [(f.field, f.sentence, f.count) for one in found if one.is_bad for f in one.findings]


def test_an_item_comes_from_whichever_slot_is_filled() -> None:
    assert bad(accounts()) == []


def exchanged(items: Rows) -> Rows:
    return [{**one, "city": one["state"], "state": one["city"]} for one in items]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (exchanged, "addresses[].city"),
        (lambda items: items[:-1], "addresses"),
        (lambda items: [{**one, "postal_code": f"{one['postal_code']}x"} for one in items], "addresses[].postal_code"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_an_item_of_a_slot_is_named(change: Callable[[Rows], Rows], field: str) -> None:
    rows = accounts()
    for at in (30, 60, 90):
        rows[at]["addresses"] = change(rows[at]["addresses"])
    assert (field, 3) in {(name, count) for name, _, count in bad(rows)}


def test_the_only_item_left_over_is_that_of_the_only_slot_left_over() -> None:
    rows = accounts()
    for one in rows:
        one["raw_data"] |= {
            "place1_code": "1",
            "place2_code": "1",
        }  # the street alone tells two addresses apart
        for item in one["addresses"]:
            item["postal_code"] = "1"
    assert bad(rows) == []
    wrong = [one for one in rows[1::9] if one["addresses"]]
    for one in wrong:
        one["addresses"][0]["street_1"] = one["addresses"][0]["city"]
    [(field, said, count)] = bad(rows)
    assert (field, count) == ("addresses[].street_1", len(wrong))
    assert "elsewhere from" in said


def test_numbers_in_names_are_slots_only_where_several_members_share_them() -> None:
    lines = [{"line1": "a", "line2": "b", "phone1": "1", "phone2": "2", "top10_city": "x"}]
    assert slots_of(lines) == []
    [found] = slots_of([one["raw_data"] for one in accounts()])
    assert found.name == "place1|place2"
    assert found.filled({"place1_key": "k", "place2_key": "l", "place2_town": "Lund"}) == [
        {"key": "l", "kind": None, "line": None, "town": "Lund", "region": None, "code": None}
    ]
