"""Entries made of plain raw fields: told apart by their kind, each with sources of its own."""

from __future__ import annotations

from typing import Any

from explorer.quality.mapping.assembled_arrays import crossed, layout_of
from explorer.quality.mapping.field_tracker import FieldTracker
from tests.mirror.quality.checks.rows import row
from tests.mirror.quality.checks.test_lineage import bad

ACCOUNTS = "crm/account"
TOWNS = (("Lund", "Skåne"), ("Umeå", "Västerbotten"), ("Falun", "Dalarna"), ("Växjö", "Kronoberg"))


def records(first: str = "primary", second: str = "fax") -> list[dict[str, Any]]:
    made = []
    for at in range(60):
        raw = {"Phone": f"+49 89 {at * 7919:08}", "Fax": f"+1 415 {at * 104729:08}"}
        phones = [{"number": raw["Phone"], "type": first}, {"number": raw["Fax"], "type": second}]
        made.append({"id": str(at), "phones": phones[: 1 + at % 2], "raw_data": raw})
    return made


def crossings(rows: list[dict[str, Any]]) -> list[str]:
    layout, held = layout_of(rows, "phones"), FieldTracker("raw_data")
    assert layout is not None
    for at, one in enumerate(rows):
        laid = layout.flattened("phones", one["phones"], "raw_data")
        held.look({**laid, "raw_data": one["raw_data"]}, frozenset(), row(one, at).example)
    held.ended()
    return [one.sentence for one in crossed(held)]


def test_entries_are_laid_out_by_their_kind() -> None:
    layout = layout_of(records(), "phones")
    assert layout is not None
    assert layout.kinds == {"primary", "fax"}
    entries = [{"number": "1", "type": "fax"}, {"number": "2", "type": "fax"}]
    assert layout.flattened("phones", entries, "raw_data") == {"phones[fax].number": "1"}
    assert layout.has_double(entries)


def test_a_kind_that_comes_from_the_field_of_another_is_named() -> None:
    assert crossings(records()) == []
    said = "phones[fax].number comes from raw_data.Phone in all 60 records, phones[primary].number from raw_data.Fax"
    assert crossings(records("fax", "primary")) == [said]


def accounts(count: int = 160) -> list[dict[str, Any]]:
    """Accounts whose first address stands in plain raw fields, and a second one in an object; flags for two reasons."""
    made = []
    for at in range(count):
        place = [
            {
                "road": f"{at * one + 3} Elm Road",
                "town": TOWNS[at * one % 4][0],
                "area": TOWNS[at * one % 4][1],
            }
            for one in (3, 7)
        ]
        numbers = [
            {"figures": f"+46 8 {at * 7919 % 10**6:06} {one}", "of": f"w{one}"} for one in range(at % 3)
        ]
        raw: dict[str, Any] = {"no": f"a{at}", "label": f"Firm {at * 31}", **place[0], "numbers": numbers}
        raw |= {"own": {"second": place[1] if at % 5 < 3 else None}, "removed": at % 19 == 0}
        raw |= {"became": f"a{at + 1}" if at % 23 == 7 else None}
        kinds = zip(("primary", "shipping"), place[: 1 + (at % 5 < 3)], strict=False)
        made.append(
            {
                "id": raw["no"],
                "name": raw["label"],
                "is_deleted": raw["removed"] or raw["became"] is not None,
                "addresses": [
                    {"address_type": kind, "street_1": one["road"], "city": one["town"], "state": one["area"]}
                    for kind, one in kinds
                ],
                "phone_numbers": [{"phone_number": one["figures"].replace(" ", "")} for one in numbers],
                "raw_data": raw,
            }
        )
    return made


def test_items_of_an_array_may_come_from_several_places_of_raw_data() -> None:
    rows = accounts()
    assert bad(rows, ACCOUNTS) == []
    for at in (30, 60, 90):
        rows[at]["addresses"][1]["street_1"] = rows[at]["addresses"][0]["street_1"]
        rows[at]["phone_numbers"] = rows[at]["phone_numbers"][:-1]
    rows[47]["phone_numbers"] = rows[47]["phone_numbers"][:-1]
    found = [("mapping.one-source", "addresses[shipping].street_1"), ("mapping.kept", "phone_numbers")]
    assert sorted((check, field) for check, _, field in bad(rows, ACCOUNTS)) == sorted(found)
