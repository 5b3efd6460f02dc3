"""Kinds of defects in whole records: types, names of fields, duplicates, fields at odds with each other."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta
from typing import Any

from tests.exam import words
from tests.exam.frame import Expected
from tests.exam.kinds import Spot, kind, resource, value
from tests.exam.world import Row

LISTS = (
    "greenhouse/job id",
    "lever/job id",
    "google/file id",
    "sharepoint/drive id",
    "outreach/mailbox id",
    "outreach/sequence_state id",
)
NAMES = (
    "greenhouse/job name",
    "lever/job name",
    "google/file name",
    "sharepoint/drive name",
    "salesforce/account name",
)
CONFIDENTIAL = ("greenhouse/job confidential", "lever/job confidential")
DELETED = (
    "outreach/mailbox is_deleted",
    "outreach/sequence_state is_deleted",
    "salesforce/account is_deleted",
)
DATES = (
    "greenhouse/job created_at",
    "google/file updated_at",
    "outreach/sequence_state created_at",
    "salesforce/account updated_at",
)
SIZES = ("google/file size", "sharepoint/file size")


@value("id is a number", "greenhouse/job id", "outreach/mailbox id", "outreach/sequence_state id")
def _(uid: Any, row: Row) -> Any:
    return int(uid)


@value(
    "id of one record is a number",
    "greenhouse/job id",
    "outreach/mailbox id",
    "outreach/sequence_state id",
    much="one",
)
def _(uid: Any, row: Row) -> Any:
    return int(uid)


@value("id of one record is empty", *LISTS, much="one")
def _(uid: Any, row: Row) -> Any:
    return ""


@kind("id of one record is null", *LISTS)
def _(spot: Spot) -> Expected:
    row = spot.one()
    row.body["id"] = None
    return Expected(resource(spot.listing), ("id",))


@kind("one record has no id", *LISTS)
def _(spot: Spot) -> Expected:
    del spot.one().body["id"]
    return Expected(resource(spot.listing), ("id",))


@value("reference is a number", "outreach/sequence_state mailbox_id", "outreach/mailbox user_id")
def _(uid: Any, row: Row) -> Any:
    return int(uid)


@value("name of one record is an object", *NAMES, much="one")
def _(text: Any, row: Row) -> Any:
    return {"en": text}


@value("name of one record is an array", *NAMES, much="one")
def _(text: Any, row: Row) -> Any:
    return [text]


@value("name of one record is a number", *NAMES, much="one")
def _(text: Any, row: Row) -> Any:
    return len(text)


@value("boolean is a text", *CONFIDENTIAL, *DELETED)
def _(old: Any, row: Row) -> Any:
    return str(old).lower()


@value("boolean is a number", *CONFIDENTIAL, *DELETED)
def _(old: Any, row: Row) -> Any:
    return int(old)


@value("boolean of one record is a text", *CONFIDENTIAL, *DELETED, "google/file downloadable", much="one")
def _(old: Any, row: Row) -> Any:
    return str(old).lower()


@value("number is a text", *SIZES, "salesforce/account number_of_employees")
def _(old: Any, row: Row) -> Any:
    return str(old)


@value("number of one record is a text", *SIZES, "salesforce/account number_of_employees", much="one")
def _(old: Any, row: Row) -> Any:
    return str(old)


@value("date is a number", *DATES)
def _(old: Any, row: Row) -> Any:
    return words.millis(words.parsed(old))


@value("date of one record is a number", *DATES, much="one")
def _(old: Any, row: Row) -> Any:
    return words.millis(words.parsed(old))


@value("date of one record is an object", *DATES, much="one")
def _(old: Any, row: Row) -> Any:
    return {"value": old}


@value("array of one is the item alone", "greenhouse/job departments", "salesforce/account addresses")
def _(items: Any, row: Row) -> Any:
    return items[0] if len(items) == 1 else items


@value("array is an object with numbers as keys", "greenhouse/job departments", "greenhouse/job offices")
def _(items: Any, row: Row) -> Any:
    return {str(n): item for n, item in enumerate(items)}


@value("items are names instead of objects", "greenhouse/job departments", "greenhouse/job offices")
def _(items: Any, row: Row) -> Any:
    return [item["name"] for item in items]


@value("phones are texts instead of objects", "salesforce/account phone_numbers")
def _(items: Any, row: Row) -> Any:
    return [item["phone_number"] for item in items]


@value(
    "export formats are a text instead of an array",
    "google/file export_formats",
    "sharepoint/file export_formats",
)
def _(items: Any, row: Row) -> Any:
    return ",".join(items)


@value(
    "permissions are a boolean instead of an object", "google/file permissions", "sharepoint/file permissions"
)
def _(old: Any, row: Row) -> Any:
    return old["download"]


@value("the right to download is a word", "google/file permissions", "sharepoint/file permissions")
def _(old: Any, row: Row) -> Any:
    return {"download": "yes" if old["download"] else "no"}


@value("one stage is outside of the enumeration", "salesforce/account lifecycle_stage", much="one")
def _(old: Any, row: Row) -> Any:
    return "churned"


@kind("the required updated_at is null in one record", "salesforce/account updated_at")
def _(spot: Spot) -> None:
    spot.one().body["updated_at"] = None


@kind("the required updated_at is left out", "salesforce/account updated_at")
def _(spot: Spot) -> None:
    for row in spot.rows:
        del row.body["updated_at"]


@kind(
    "a field has a name in another style",
    "greenhouse/job created_at",
    "outreach/mailbox user_id",
    "google/file mime_type",
)
def _(spot: Spot) -> None:
    first, *rest = spot.field.split("_")
    for row in spot.rows:
        row.body[first + "".join(one.capitalize() for one in rest)] = row.body.pop(spot.field)


@kind(
    "a field has a misspelt name",
    "greenhouse/job departments",
    "google/file downloadable",
    "outreach/mailbox email",
)
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body[spot.field[:-2] + spot.field[-1]] = row.body.pop(spot.field)


@kind("one record has its id only", *LISTS, also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    row.body = {"id": row.body["id"]}


@kind("records stand under a further key", *LISTS)
def _(spot: Spot) -> Expected:
    for row in spot.rows:
        row.body = {"record": row.body}
    return Expected(resource(spot.listing))


@kind("one record stands twice", *LISTS)
def _(spot: Spot) -> Expected:
    row = spot.one()
    spot.rows.insert(spot.rng.randrange(len(spot.rows)), deepcopy(row))
    return Expected(resource(spot.listing), (), row.ids)


@kind("ten records in a row stand twice", *LISTS)
def _(spot: Spot) -> Expected:
    start = spot.rng.randrange(len(spot.rows) - 10)
    again = deepcopy(spot.rows[start : start + 10])
    spot.rows[start + 10 : start + 10] = again
    return Expected(resource(spot.listing), (), frozenset().union(*(row.ids for row in again)))


@kind("two records have the same id", *LISTS)
def _(spot: Spot) -> Expected:
    one = spot.one()
    two = spot.other(one)
    two.body["id"] = one.body["id"]
    return Expected(resource(spot.listing), (), one.ids | two.ids)


@kind(
    "one record twice, the second time with other values",
    "google/file name",
    "greenhouse/job name",
    "lever/job name",
)
def _(spot: Spot) -> Expected:
    row = spot.one()
    again = deepcopy(row)
    again.body[spot.field] = again.body["raw_data"]["text" if "text" in again.raw else "name"] = "Copy"
    spot.rows.append(again)
    return Expected(resource(spot.listing), (), row.ids)


@kind("one record was changed before it was created", *(one for one in DATES if "created" in one), also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    changed = next(name for name in ("modified_at", "updated_at") if name in row.body)
    row.body["created_at"] = words.iso(words.parsed(row.clean[changed]) + timedelta(days=40))


@value(
    "one file is downloadable without the right to it",
    "google/file downloadable",
    "sharepoint/file downloadable",
    much="one",
    also="permissions",
)
def _(old: Any, row: Row) -> Any:
    return True if not row.clean["permissions"]["download"] else old


@value(
    "one file has export formats and is not exportable",
    "google/file exportable",
    "sharepoint/file exportable",
    much="one",
    also="export_formats",
)
def _(old: Any, row: Row) -> Any:
    return False


@value("formats are given for files that cannot be exported", "google/file export_formats", also="exportable")
def _(old: Any, row: Row) -> Any:
    return old or ["application/pdf"]


@kind(
    "last_modified_at and updated_at of some are at odds",
    "outreach/sequence_state last_modified_at",
    also="updated_at",
)
def _(spot: Spot) -> None:
    for row in spot.some():
        row.body["last_modified_at"] = row.clean["created_at"]


@value("all records are deleted", "salesforce/account is_deleted")
def _(old: Any, row: Row) -> Any:
    return True


@value("deleted and not deleted are exchanged in some records", "salesforce/account is_deleted", much="some")
def _(old: Any, row: Row) -> Any:
    return not old


@value("an industry is an array", "salesforce/account industry", much="some")
def _(old: Any, row: Row) -> Any:
    return [old]


@value("employees are a range", "salesforce/account number_of_employees", much="some")
def _(old: Any, row: Row) -> Any:
    return f"1-{old}"
