"""Kinds of defects in arrays and in what they hold, in ids, and in references from record to record."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.exam.kinds import Spot, kind, value
from tests.exam.mapping import at
from tests.exam.world import Row

DEPARTMENTS = "greenhouse/job departments"
OFFICES = "greenhouse/job offices"
MANAGERS = "greenhouse/job hiring_managers"
ARRAYS = (DEPARTMENTS, OFFICES, MANAGERS, "greenhouse/job recruiters", "google/file export_formats")
SALES = ("salesforce/account addresses", "salesforce/account phone_numbers")
PLACES, PHONES = SALES
IDS = (
    "greenhouse/job id",
    "google/file id",
    "sharepoint/file id",
    "outreach/mailbox id",
    "outreach/sequence_state id",
)
REFERENCES = (
    "outreach/mailbox user_id",
    "outreach/sequence_state mailbox_id",
    "outreach/sequence_state sequence_id",
    "outreach/sequence_state contact_id",
)


@value("array has its first item only", *ARRAYS, *SALES)
def _(items: Any, row: Row) -> Any:
    return items[:1]


@value("array has its last item only", *ARRAYS, *SALES)
def _(items: Any, row: Row) -> Any:
    return items[-1:]


@value("array lacks its first item", *ARRAYS, *SALES)
def _(items: Any, row: Row) -> Any:
    return items[1:]


@value("array lacks its last item in one record", *ARRAYS, *SALES, much="one")
def _(items: Any, row: Row) -> Any:
    return items[:-1]


@value("array is empty throughout", *ARRAYS, *SALES)
def _(items: Any, row: Row) -> Any:
    return []


@value("array is empty in one record", *ARRAYS, *SALES, much="one")
def _(items: Any, row: Row) -> Any:
    return []


@value("the first item stands twice", *ARRAYS, *SALES)
def _(items: Any, row: Row) -> Any:
    return items[:1] + items


@value("the first item stands in the place of each", DEPARTMENTS, OFFICES, *SALES)
def _(items: Any, row: Row) -> Any:
    return [deepcopy(items[0]) for _ in items]


@kind("array is that of the record before", *ARRAYS, *SALES)
def _(spot: Spot) -> None:
    for row, before in spot.before():
        row.body[spot.field] = deepcopy(before.clean[spot.field])


@kind("array of one record is another's", *ARRAYS, *SALES)
def _(spot: Spot) -> None:
    row = spot.one()
    another = spot.one(where=lambda one: one.clean[spot.field] != row.clean[spot.field])
    row.body[spot.field] = deepcopy(another.clean[spot.field])


@kind("array still has the items of the record before", DEPARTMENTS, OFFICES, *SALES)
def _(spot: Spot) -> None:
    for row, before in spot.before():
        row.body[spot.field] = deepcopy(before.clean[spot.field] + row.clean[spot.field])


@kind("an item of another record is added in one record", DEPARTMENTS, OFFICES, *SALES)
def _(spot: Spot) -> None:
    row = spot.one()
    known = row.clean[spot.field]
    others = [item for one in spot.rows for item in one.clean[spot.field] if item not in known]
    row.body[spot.field].append(deepcopy(spot.rng.choice(others)))


def _zipped(items: Any, part: str) -> Any:
    """Each item with this part of the one after it."""
    return [{**item, part: items[(n + 1) % len(items)].get(part)} for n, item in enumerate(items)]


@value("names of the items are moved by one", DEPARTMENTS, OFFICES, MANAGERS)
def _(items: Any, row: Row) -> Any:
    return _zipped(items, "name")


@value("ids of the items are moved by one", DEPARTMENTS, OFFICES, MANAGERS)
def _(items: Any, row: Row) -> Any:
    return _zipped(items, "id")


@value("ids of the items are their numbers", DEPARTMENTS, OFFICES, MANAGERS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "id": str(n)} for n, item in enumerate(items)]


@value("names of the offices are those of the departments", OFFICES, "lever/job offices")
def _(items: Any, row: Row) -> Any:
    names = [one["name"] for one in row.clean["departments"]]
    return [{**item, "name": names[n % len(names)]} for n, item in enumerate(items)]


@value("the parent of a department is the department itself", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "parent_id": item["id"]} for item in items]


@value("the parent of a department is lost", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "parent_id": None} if "parent_id" in item else item for item in items]


@value("the parent of a department is its first child", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "parent_id": item["child_ids"][0]} if item["child_ids"] else item for item in items]


@value("parent and outer id of the parent are exchanged", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    other = {"parent_id": "parent_department_external_id", "parent_department_external_id": "parent_id"}
    return [{other.get(name, name): part for name, part in item.items()} for item in items]


@value("of the children only the first is there", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "child_ids": item["child_ids"][:1]} for item in items]


@value("children are the siblings in the job", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "child_ids": [one["id"] for one in items if one is not item]} for item in items]


@value("children are numbers", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "child_ids": [int(one) for one in item["child_ids"]]} for item in items]


@value("raw_data of a department is that of the next", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return _zipped(items, "raw_data")


@value("raw_data of a department is the unified one again", DEPARTMENTS)
def _(items: Any, row: Row) -> Any:
    return [
        {**item, "raw_data": {name: part for name, part in item.items() if name != "raw_data"}}
        for item in items
    ]


@value("first and last names are exchanged", MANAGERS)
def _(items: Any, row: Row) -> Any:
    return [{**item, "first_name": item["last_name"], "last_name": item["first_name"]} for item in items]


@value("first and last name are joined without a space", MANAGERS, "greenhouse/job recruiters")
def _(items: Any, row: Row) -> Any:
    return [{**item, "name": item["first_name"] + item["last_name"]} for item in items]


@value("leading zeros of the employee's number are lost", MANAGERS)
def _(items: Any, row: Row) -> Any:
    return [
        item | {"employee_id": item["employee_id"].lstrip("0")} if "employee_id" in item else item
        for item in items
    ]


@value("a person stands as the text of an object", MANAGERS, "lever/job hiring_managers")
def _(items: Any, row: Row) -> Any:
    return [{**item, "name": "[object Object]"} for item in items]


@value("export formats are the addresses", "google/file export_formats")
def _(items: Any, row: Row) -> Any:
    return sorted((row.raw.get("exportLinks") or {}).values())


@value("export formats are one text", "google/file export_formats")
def _(items: Any, row: Row) -> Any:
    return [";".join(items)] if len(items) > 1 else items


def _in_addresses(items: Any, **change: str) -> Any:
    """The addresses with parts of these names taken from the parts named."""
    return [item | {part: item[of] for part, of in change.items() if of in item} for item in items]


@value("city and state are exchanged", PLACES)
def _(items: Any, row: Row) -> Any:
    return _in_addresses(items, city="state", state="city")


@value("the state is the country", PLACES)
def _(items: Any, row: Row) -> Any:
    return _in_addresses(items, state="country")


@value("the second line of the street is the first again", PLACES)
def _(items: Any, row: Row) -> Any:
    return _in_addresses(items, street_2="street_1")


@value("the second line of the street is lost", PLACES)
def _(items: Any, row: Row) -> Any:
    return [{name: part for name, part in item.items() if name != "street_2"} for item in items]


@value("leading zeros of the postal code are lost", PLACES)
def _(items: Any, row: Row) -> Any:
    return [item | {"postal_code": item["postal_code"].lstrip("0")} for item in items]


@value("the postal code ends at its first space or hyphen", PLACES)
def _(items: Any, row: Row) -> Any:
    return [item | {"postal_code": item["postal_code"].replace("-", " ").split(" ")[0]} for item in items]


@value("billing and shipping are exchanged", PLACES)
def _(items: Any, row: Row) -> Any:
    other = {"billing": "shipping", "shipping": "billing"}
    return [item | {"address_type": other[item["address_type"]]} for item in items]


@value("the city of the billing address is that of shipping", PLACES)
def _(items: Any, row: Row) -> Any:
    if len(items) == 2:
        items[0]["city"] = items[1]["city"]
    return items


@value("one address has the country of another record", PLACES, much="one")
def _(items: Any, row: Row) -> Any:
    return [item | {"country": "Brazil" if item["country"] != "Brazil" else "Japan"} for item in items]


@value("the fax number is called the first", PHONES)
def _(items: Any, row: Row) -> Any:
    return [item | {"phone_number_type": "primary"} for item in items]


@value("phone and fax are exchanged", PHONES)
def _(items: Any, row: Row) -> Any:
    other = {"primary": "fax", "fax": "primary"}
    return [item | {"phone_number_type": other[item["phone_number_type"]]} for item in items]


@value(
    "id is a decimal number as text", "greenhouse/job id", "outreach/mailbox id", "outreach/sequence_state id"
)
def _(uid: Any, row: Row) -> Any:
    return f"{uid}.0"


@value("id has lost its last digit", *IDS)
def _(uid: Any, row: Row) -> Any:
    return uid[:-1]


@value("id is in lower case", "google/file id", "sharepoint/file id", "google/drive id")
def _(uid: Any, row: Row) -> Any:
    return uid.lower()


@kind("two records have each other's ids", *IDS)
def _(spot: Spot) -> None:
    one = spot.one()
    two = spot.other(one)
    one.body["id"], two.body["id"] = two.clean["id"], one.clean["id"]


@value("id is that of its first department", "greenhouse/job id")
def _(uid: Any, row: Row) -> Any:
    return row.clean["departments"][0]["id"]


@value("id is that of the folder", "google/file id", "sharepoint/file id")
def _(uid: Any, row: Row) -> Any:
    return at(row.raw, "parentReference/id") or row.raw["parents"][0]


@value("id is the user's", "outreach/mailbox id")
def _(uid: Any, row: Row) -> Any:
    return row.clean["user_id"]


@value("id is the tag of the version", "sharepoint/file id")
def _(uid: Any, row: Row) -> Any:
    return row.raw["eTag"]


@value("reference is the id of the record itself", *REFERENCES)
def _(uid: Any, row: Row) -> Any:
    return row.clean["id"]


@value("reference is a decimal number as text", *REFERENCES)
def _(uid: Any, row: Row) -> Any:
    return f"{uid}.0"


@value("reference has lost its last digit", *REFERENCES)
def _(uid: Any, row: Row) -> Any:
    return uid[:-1]


@value("reference of one record points nowhere", *REFERENCES, much="one")
def _(uid: Any, row: Row) -> Any:
    return str(int(uid) + 7_000_000)


@value("reference is the text of an object", *REFERENCES)
def _(uid: Any, row: Row) -> Any:
    return "[object Object]"


@value(
    "a sequence state names the user of its mailbox in place of the mailbox",
    "outreach/sequence_state mailbox_id",
)
def _(uid: Any, row: Row) -> Any:
    return row.clean["user_id"]
