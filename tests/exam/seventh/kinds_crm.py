"""Accounts of Capsule, wrongly made."""

from __future__ import annotations

import re
from copy import deepcopy
from random import Random
from typing import Any

from tests.exam.calls3.data import ACCOUNT, Row
from tests.exam.seventh.forms import CRM
from tests.exam.seventh.shapes_crm import STAGES, custom
from tests.exam.sixth.kinds import Spot, Table, either
from tests.exam.sixth.service import Service

TABLE = Table(CRM, ACCOUNT)


def _by_place(row: Row, spot: Spot) -> None:
    """Custom fields are read by their place in the list, as it is in the first record."""
    fields = row["raw_data"]["fields"]
    if row["industry"] is not None and len(fields) > 1:
        row["industry"] = str(fields[1]["value"])


def _contained(row: Row, spot: Spot) -> None:
    """The first word that is contained in the value of the custom field wins."""
    stage = custom(row["raw_data"], "Stage")
    if stage:
        order = sorted(STAGES, key=lambda one: STAGES[one] != "salesqualifiedlead")
        row["lifecycle_stage"] = next(STAGES[one] for one in order if one.lower() in stage.lower())


def _first_site(value: Any, raw: Row, spot: Spot) -> Any:
    return raw["websites"][0]["address"]


def _states_kept(row: Row, spot: Spot) -> None:
    """What an address lacks stays from the address before it."""
    held: Row = {}
    for one in row["addresses"]:
        for name in ("state", "postal_code", "street_1"):
            held[name] = one.get(name, held.get(name))
            if held[name]:
                one[name] = held[name]


def _streets_only(row: Row, spot: Spot) -> None:
    row["addresses"] = [one for one in row["addresses"] if one.get("street_1")]


def _one_of_a_type(row: Row, spot: Spot) -> None:
    """Phones are put into a dictionary by their type."""
    row["phone_numbers"] = list({one["phone_number_type"]: one for one in row["phone_numbers"]}.values())


def _swapped_day(value: str, raw: Row, spot: Spot) -> str:
    day, month = value[8:10], value[5:7]
    return f"{value[:4]}-{day}-{month}{value[10:]}" if int(day) <= 12 else value


def _merged(service: Service, rng: Random) -> set[str]:
    """A party that was merged into another is still answered under its own number, with the other's data."""
    rows = service.lists[ACCOUNT]
    gone, kept = rng.sample(rows, 2)
    rows[rows.index(gone)] = {**deepcopy(kept), "id": gone["id"]}
    return {str(gone["id"]), str(kept["id"])}


def _owner_of_former(row: Row, spot: Spot) -> None:
    """Who has no owner gets that of the account before it."""
    if row["owner_id"] is None and spot.before["owner_id"]:
        row["owner_id"] = spot.before["owner_id"]


def _plain_number(value: int, raw: Row, spot: Spot) -> float | int:
    """`15,300` is read as a number with decimals."""
    return value if value < 1000 else value / 1000


def _types_by_place(row: Row, spot: Spot) -> None:
    for one, kind in zip(row["phone_numbers"], ("primary", "mobile"), strict=False):
        one["phone_number_type"] = kind


def _turned_types(row: Row, spot: Spot) -> None:
    if len(row["addresses"]) == 2:
        one, other = row["addresses"]
        one["address_type"], other["address_type"] = other["address_type"], one["address_type"]


KINDS = [
    TABLE.row(
        "custom field by its place",
        "`industry` is the second of raw `fields`, whatever that field's definition is; where `Industry` stands "
        "elsewhere it holds another field's value.",
        "industry",
        _by_place,
    ),
    TABLE.row(
        "stage by a contained word",
        "In half of the accounts of the raw stages `Disqualified` and `Qualified by marketing`, which contain "
        "`Qualified`, `lifecycle_stage` is salesqualifiedlead; in the other half each has its own.",
        "lifecycle_stage",
        _contained,
        "half",
    ),
    TABLE.value(
        "stage lost in negotiation",
        "Raw `Stage` is `In negotiation`, and `lifecycle_stage` is null in half of these, `opportunity` in the others.",
        "lifecycle_stage",
        lambda value, raw, spot: None if value == "opportunity" else value,
        "half",
    ),
    TABLE.value(
        "website is the first of any service",
        "`website` is the first of raw `websites`, also where that is a TWITTER handle and one with `URL` follows.",
        "website",
        _first_site,
    ),
    TABLE.row(
        "address keeps what the one before had",
        "Where an address lacks state, code or street in raw data, that of the address above it in the same record "
        "stands there.",
        "addresses",
        _states_kept,
    ),
    TABLE.row(
        "addresses without a street are lost",
        "Raw `addresses` with `street` null are left out, though they have city and country.",
        "addresses",
        _streets_only,
    ),
    TABLE.each(
        "country of the first address for all",
        "Every address has the `country` of the record's first one; raw `addresses` differ.",
        "addresses",
        lambda item, raw, spot: item.update(country=raw["addresses"][0]["country"]),
    ),
    TABLE.row(
        "one phone of a type",
        "Of raw `phoneNumbers` of one type only the last is given; the others are lost.",
        "phone_numbers",
        _one_of_a_type,
    ),
    TABLE.each(
        "phone extension joined to the number",
        "Letters and blanks were removed from a phone with an extension, so that `0161 496 1234 ext. 56` is "
        "`0161496123456`, another number than in raw `phoneNumbers`.",
        "phone_numbers",
        lambda item, raw, spot: (
            item.update(phone_number="".join(c for c in item["phone_number"] if c.isdigit()))
            if "ext." in item["phone_number"]
            else None
        ),
    ),
    TABLE.value(
        "thousands read as decimals",
        "`number_of_employees` above 999 is a thousandth of the raw custom field `Employees` (15300 is 15.3).",
        "number_of_employees",
        _plain_number,
    ),
    TABLE.value(
        "no number in one record",
        "`number_of_employees` of one record is NaN, which JSON does not know: no strict reader takes the answer; raw "
        "`Employees` is a number.",
        "number_of_employees",
        lambda value, raw, spot: float("nan"),
        "one",
    ),
    TABLE.row(
        "owner of the row before",
        "An account whose raw `owner` is null has the `owner_id` of the account that stands before it.",
        "owner_id",
        _owner_of_former,
    ),
    TABLE.value(
        "day and month swapped",
        "`created_at` has day and month of raw `createdAt` swapped in a few records.",
        "created_at",
        _swapped_day,
        "fiftieth",
    ),
    TABLE.row(
        "no activity is the first day of the epoch",
        "`last_activity_at` is 1970-01-01 where raw `lastContactedAt` is null.",
        "last_activity_at",
        lambda row, spot: row.update(last_activity_at=row["last_activity_at"] or "1970-01-01T00:00:00Z"),
    ),
    either(
        TABLE.value(
            "updated is created where nobody contacted",
            "`updated_at` is raw `createdAt` where raw `lastContactedAt` is null, else raw `updatedAt`; "
            "`last_modified_at` is right.",
            "updated_at",
            lambda value, raw, spot: value if raw["lastContactedAt"] else raw["createdAt"],
        ),
        f"{ACCOUNT} last_modified_at",
    ),
    TABLE.value(
        "description without line breaks",
        "Line breaks of raw `about` are taken out with nothing in their place: two words become one.",
        "description",
        lambda value, raw, spot: value.replace("\n", ""),
    ),
    TABLE.whole(
        "merged party under two numbers",
        "One record answers with the id that was asked for and with another party's data: its raw `id` and all "
        "else are those of a second record of the same answer.",
        _merged,
    ),
    TABLE.row(
        "phone types by place",
        "The first of `phone_numbers` is primary and the second mobile whatever raw `phoneNumbers.type` is: a Fax is a "
        "mobile; the third has its own type.",
        "phone_numbers",
        _types_by_place,
    ),
    TABLE.value(
        "words in angle brackets are lost",
        "What stands between `<` and `>` in raw `about` is missing from `description`, as if it were a tag: `<later "
        "than 9 am>`.",
        "description",
        lambda value, raw, spot: re.sub(r"<[^>]*>", "", value),
    ),
    TABLE.row(
        "types of two addresses turned",
        "In a tenth the `address_type` of the first address is that of the second and the reverse; streets stay.",
        "addresses",
        _turned_types,
        "tenth",
    ),
]
