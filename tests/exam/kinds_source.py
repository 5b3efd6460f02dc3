"""Kinds of defects in where a value comes from: another field, another record, an earlier moment."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.exam import words
from tests.exam.kinds import Spot, kind, value
from tests.exam.mapping import at, unified
from tests.exam.shapes_jobs import LEVER_PERSON, PERSON
from tests.exam.world import Row

CHANGED = (
    "greenhouse/job modified_at",
    "lever/job modified_at",
    "google/file updated_at",
    "sharepoint/file updated_at",
    "sharepoint/drive updated_at",
    "outreach/sequence_state updated_at",
    "salesforce/account last_modified_at",
)
TEXTS = (
    "greenhouse/job name",
    "lever/job name",
    "google/file name",
    "sharepoint/file path",
    "outreach/mailbox email",
    "salesforce/account name",
)
MANY = (
    *TEXTS,
    "google/file size",
    "sharepoint/file size",
    "google/drive name",
    "outreach/sequence_state contact_id",
    "outreach/sequence_state state",
    "salesforce/account owner_id",
    "lever/job created_at",
    "greenhouse/job modified_at",
)
OPTIONAL = (
    "google/file description",
    "google/file size",
    "sharepoint/file description",
    "salesforce/account website",
    "salesforce/account number_of_employees",
    "salesforce/account last_activity_at",
)


@value("the date of the change is that of the creation", *CHANGED)
def _(old: Any, row: Row) -> Any:
    return row.clean["created_at"]


@value("the date of the change is that of the creation in some records", *CHANGED, much="some")
def _(old: Any, row: Row) -> Any:
    return row.clean["created_at"]


@value(
    "the date of the creation is that of the change", *(one.split(" ")[0] + " created_at" for one in CHANGED)
)
def _(old: Any, row: Row) -> Any:
    return next(
        row.clean[one] for one in ("modified_at", "last_modified_at", "updated_at") if row.clean.get(one)
    )


SOURCES: tuple[tuple[str, str, str], ...] = (
    ("created_at is the day of opening", "greenhouse/job created_at", "opened_at"),
    ("modified_at is the day of opening", "greenhouse/job modified_at", "opened_at"),
    ("name is the number of the requisition", "greenhouse/job name", "requisition_id"),
    ("name is the employment type", "greenhouse/job name", "custom_fields/employment_type"),
    ("name is the team", "lever/job name", "categories/team"),
    ("updated_at is when it was last seen", "google/file updated_at", "viewedByMeTime"),
    ("name is that of the original upload", "google/file name", "originalFilename"),
    ("size is the used quota", "google/file size", "quotaBytesUsed"),
    ("name is the folder's", "sharepoint/file name", "parentReference/name"),
    ("description is the address", "sharepoint/file description", "webUrl"),
    (
        "updated_at is when the state changed",
        "outreach/sequence_state updated_at",
        "attributes/stateChangedAt",
    ),
    ("created_at is when it became active", "outreach/sequence_state created_at", "attributes/activeAt"),
    (
        "sequence_id is the step's",
        "outreach/sequence_state sequence_id",
        "relationships/sequenceStep/data/id",
    ),
    ("contact_id is the account's", "outreach/sequence_state contact_id", "relationships/account/data/id"),
    ("user_id is the creator's", "outreach/sequence_state user_id", "relationships/creator/data/id"),
    ("user_id is the last editor's", "outreach/mailbox user_id", "relationships/updater/data/id"),
    ("email is the name for the login", "outreach/mailbox email", "attributes/username"),
    ("name is the account number", "salesforce/account name", "AccountNumber"),
    ("owner_id is who changed it last", "salesforce/account owner_id", "LastModifiedById"),
    ("industry is the kind of account", "salesforce/account industry", "Type"),
    ("number_of_employees is the revenue", "salesforce/account number_of_employees", "AnnualRevenue"),
    ("description is the name", "salesforce/account description", "Name"),
)


def _taken_from(name: str, place: str, path: str) -> None:
    @value(name, place)
    def _(old: Any, row: Row) -> Any:
        found = at(row.raw, path)
        if isinstance(old, str):
            return None if found is None else str(found)
        return None if found is None else float(found) if isinstance(found, float) else int(found)


for _source in SOURCES:
    _taken_from(*_source)


@value("department is the team", "lever/job departments")
def _(old: Any, row: Row) -> Any:
    return [{"name": at(row.raw, "categories/team")}]


@value("office is the first of all locations, not the main one", "lever/job offices")
def _(old: Any, row: Row) -> Any:
    return [{"name": at(row.raw, "categories/allLocations")[0]}]


@value("hiring manager is who made the posting", "lever/job hiring_managers")
def _(old: Any, row: Row) -> Any:
    return [unified(row.raw["user"], LEVER_PERSON)]


@value("recruiters are the coordinators", "greenhouse/job recruiters")
def _(old: Any, row: Row) -> Any:
    return [unified(one, PERSON) for one in at(row.raw, "hiring_team/coordinators")]


@value("the right to download is the right to edit", "google/file permissions")
def _(old: Any, row: Row) -> Any:
    return {"download": at(row.raw, "capabilities/canEdit")}


@value("downloadable is whether it may be copied", "google/file downloadable")
def _(old: Any, row: Row) -> Any:
    return at(row.raw, "capabilities/canCopy")


@value(
    "mime_type is application/octet-stream throughout", "google/file mime_type", "sharepoint/file mime_type"
)
def _(old: Any, row: Row) -> Any:
    return "application/octet-stream"


@kind("two fields are swapped", "outreach/sequence_state contact_id", also="sequence_id")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body |= {"contact_id": row.clean["sequence_id"], "sequence_id": row.clean["contact_id"]}


@kind("hiring managers and recruiters are swapped", "greenhouse/job hiring_managers", also="recruiters")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body |= {"hiring_managers": row.clean["recruiters"], "recruiters": row.clean["hiring_managers"]}


@kind("every record has the value of the one before", *MANY)
def _(spot: Spot) -> None:
    for row, before in spot.before():
        row.body[spot.field] = before.clean[spot.field]


@kind("one record has the value of the one before", *MANY)
def _(spot: Spot) -> None:
    differing = [pair for pair in spot.before() if pair[0].clean[spot.field] != pair[1].clean[spot.field]]
    row, before = spot.rng.choice(differing)
    row.body[spot.field] = before.clean[spot.field]


@kind("a missing value is the last one that there was", *OPTIONAL)
def _(spot: Spot) -> None:
    last: Any = None
    for row in spot.rows:
        last = row.clean[spot.field] if row.clean[spot.field] is not None else last
        row.body[spot.field] = last


@kind("all have the value of the first", *MANY)
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body[spot.field] = spot.rows[0].clean[spot.field]


@kind("each fifty have the value of the first of them", *MANY)
def _(spot: Spot) -> None:
    for number, row in enumerate(spot.rows):
        row.body[spot.field] = spot.rows[number // 50 * 50].clean[spot.field]


@kind("the column is sorted by itself", *MANY)
def _(spot: Spot) -> None:
    values = sorted((row.clean[spot.field] for row in spot.rows), key=lambda one: (one is None, one))
    for row, found in zip(spot.rows, values, strict=True):
        row.body[spot.field] = found


@kind("two records have each other's value", *MANY)
def _(spot: Spot) -> None:
    one = spot.one()
    two = spot.one(where=lambda row: row.clean[spot.field] != one.clean[spot.field])
    one.body[spot.field], two.body[spot.field] = two.clean[spot.field], one.clean[spot.field]


@kind(
    "an earlier name has remained in some records",
    "greenhouse/job name",
    "lever/job name",
    "salesforce/account name",
)
def _(spot: Spot) -> None:
    for row in spot.some():
        row.body["name"] = f"{words.title(spot.rng)} (new)"


@kind("an earlier address has remained in one record", "outreach/mailbox email")
def _(spot: Spot) -> None:
    row = spot.one()
    row.body["email"] = "old." + row.clean["email"]


@kind("an earlier date of change has remained in some records", *CHANGED)
def _(spot: Spot) -> None:
    for row in spot.some():
        raw = row.clean[spot.field]
        moment = words.parsed(raw) - timedelta(days=spot.rng.randint(3, 90), seconds=spot.rng.randrange(9999))
        row.body[spot.field] = words.iso(moment) if "." in raw else words.iso_seconds(moment)


@kind("an earlier state has remained in some records", "outreach/sequence_state state")
def _(spot: Spot) -> None:
    for row in spot.some(where=lambda one: one.clean["state"] != "active"):
        row.body["state"] = "active"
