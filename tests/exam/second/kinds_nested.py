"""Kinds about arrays and the objects in them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.exam.kinds import Spot
from tests.exam.mapping import Json
from tests.exam.second.spots import each, kind, own, value
from tests.exam.world import Row

PEOPLE, OFFICES = "zoho/job recruiters", "teamtailor/job offices"
PHONES, ADDRESSES = "copper/account phone_numbers", "copper/account addresses"
DEPARTMENTS = ("zoho/job departments", "teamtailor/job departments")
PLACES = ("zoho/job offices", OFFICES, ADDRESSES)


@value("only the first of several is there", OFFICES, PEOPLE, PHONES)
def _(old: list[Any], row: Row) -> list[Any]:
    return old[:1]


@value("the last of three and more is lost", PEOPLE, OFFICES)
def _(old: list[Any], row: Row) -> list[Any]:
    return old[:-1] if len(old) > 2 else old


@value("a single item is lost", "zoho/job offices", OFFICES, "teamtailor/job hiring_managers")
def _(old: list[Any], row: Row) -> list[Any]:
    return [] if len(old) == 1 else old


@value("the items are bare names", PEOPLE, "teamtailor/job recruiters")
def _(old: list[Any], row: Row) -> list[Any]:
    return [item["name"] for item in old]


@value("an array of one is the item itself", *DEPARTMENTS)
def _(old: list[Any], row: Row) -> Any:
    return old[0] if len(old) == 1 else old


@value("an empty array has an item without contents", *DEPARTMENTS, "zoho/job hiring_managers")
def _(old: list[Any], row: Row) -> list[Any]:
    return old or [{"id": None, "name": None}]


@value("the department has the id of the job", *DEPARTMENTS)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, lambda item: {**item, "id": row.clean["id"]})


@value("the department's name is an object made text", *DEPARTMENTS)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, lambda item: {**item, "name": "[object Object]"})


@kind("an empty array has what the record before had", "zoho/job departments", "teamtailor/job hiring_managers",
      PHONES)  # fmt: skip
def _(spot: Spot) -> None:
    last: list[Any] = []
    for row in spot.rows:
        if row.clean[spot.field]:
            last = row.clean[spot.field]
        else:
            row.body[spot.field] = deepcopy(last)


@kind("arrays grow by what the record before had", PEOPLE, OFFICES, PHONES)
def _(spot: Spot) -> None:
    for row, before in spot.before():
        row.body[spot.field] = [*deepcopy(before.clean[spot.field]), *row.body[spot.field]]


@value("one item is there twice", OFFICES, PHONES, PEOPLE, much="one")
def _(old: list[Any], row: Row) -> list[Any]:
    return [*old, deepcopy(old[-1])] if old else old


@value("one array has lost an item", OFFICES, PHONES, PEOPLE, much="one")
def _(old: list[Any], row: Row) -> list[Any]:
    return old[1:] if len(old) > 1 else old


def _exchanged(item: Json) -> Json:
    if "city" not in item or "country" not in item:
        return item
    return {**item, "city": item["country"], "country": item["city"]}


@value("city and country are exchanged", *PLACES)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, _exchanged)


@value("city and country are exchanged in one record", *PLACES, much="one")
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, _exchanged)


@value("postal codes have lost the zero ahead", *PLACES)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(
        old,
        lambda item: (
            {**item, "postal_code": item["postal_code"].lstrip("0")} if "postal_code" in item else item
        ),
    )


@value("the country is lost for one of the languages", *PLACES)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(
        old,
        lambda item: {**item, "country": None} if item.get("country") in ("日本", "Россия") else item,
    )


@value("names and ids of several are paired wrongly", PEOPLE, OFFICES)
def _(old: list[Any], row: Row) -> list[Any]:
    ids = sorted(item["id"] for item in old)
    return [{**item, "id": key} for item, key in zip(old, ids, strict=True)]


@value("family names are lost", PEOPLE, "teamtailor/job recruiters", "zoho/job hiring_managers")
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, lambda item: {**item, "name": item["name"].split(" ")[0]})


@value("the plus of telephone numbers is lost", PHONES)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, lambda item: {**item, "phone_number": item["phone_number"].lstrip("+")})


@value("one telephone number has two digits exchanged", PHONES, much="one")
def _(old: list[Any], row: Row) -> list[Any]:
    return each(
        old,
        lambda item: {**item, "phone_number": item["phone_number"][:-2] + item["phone_number"][:-3:-1]},
    )


@value("fax numbers are called mobile", PHONES)
def _(old: list[Any], row: Row) -> list[Any]:
    kinds = {"fax": "mobile"}
    return each(
        old,
        lambda item: {
            **item,
            "phone_number_type": kinds.get(item["phone_number_type"], item["phone_number_type"]),
        },
    )


@value("the whole address stands in the first line", ADDRESSES)
def _(old: list[Any], row: Row) -> list[Any]:
    return each(
        old, lambda item: {**item, "street_1": f"{item['street_1']}, {item['city']}, {item['country']}"}
    )


@kind(
    "recruiters and hiring managers are exchanged",
    PEOPLE,
    "teamtailor/job recruiters",
    also="hiring_managers",
)
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body["recruiters"] = row.clean["hiring_managers"]
        row.body["hiring_managers"] = row.clean["recruiters"]


@kind("one record has another one's people", "zoho/job hiring_managers", "teamtailor/job recruiters", PEOPLE)
def _(spot: Spot) -> None:
    row = spot.one(where=lambda one: bool(own(spot, one)))
    mine = row.clean[spot.field]
    other = spot.one(where=lambda one: bool(own(spot, one)) and own(spot, one) != mine)
    row.body[spot.field] = deepcopy(other.clean[spot.field])


@kind(
    "a stretch of records has nothing of what is fetched apart",
    "teamtailor/job departments",
    PEOPLE,
    ADDRESSES,
)
def _(spot: Spot) -> None:
    start = spot.rng.randrange(len(spot.rows) // 2)
    for row in spot.rows[start : start + 22]:
        row.body[spot.field] = []


@value("several formats are one text", "dropbox/file export_formats")
def _(old: list[Any], row: Row) -> list[Any]:
    return [", ".join(old)] if len(old) > 1 else old


@value("one department has the name of another", *DEPARTMENTS, much="one")
def _(old: list[Any], row: Row) -> list[Any]:
    return each(old, lambda item: {**item, "name": "Sales" if item["name"] != "Sales" else "People"})
