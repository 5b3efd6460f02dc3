"""Kinds about what is nested: phones, addresses, departments, offices and people."""

from __future__ import annotations

import copy
import re

from tests.exam.third.engine import Row
from tests.exam.third.kinds import Batch, kind, row_kind, text_kind
from tests.exam.third.shapes_jobs import person_of

PHONES = "dynamics.phone_numbers copper.phone_numbers"
ADDRESSES = "dynamics.addresses copper.addresses"
MANY = f"{PHONES} jobs.departments jobs.offices jobs.recruiters jobs.hiring_managers dynamics.addresses"


def _each(name: str, places: str, pattern: str, put: str, inner: str, share: float = 1) -> None:
    """Another text in a field of every item."""

    def change(items: list[Row]) -> list[Row]:
        return [{**one, inner: one[inner] and re.sub(pattern, put, one[inner])} for one in items]

    text_kind(name, places, share)(change)


text_kind("only the first of many", MANY)(lambda items: items[:1])
text_kind("the last of many is missing", "copper.phone_numbers jobs.departments jobs.recruiters")(
    lambda items: items[:-1] if len(items) > 1 else items
)
text_kind("nothing is told where there are three or more", f"{PHONES} jobs.departments jobs.offices")(
    lambda items: items if len(items) < 3 else []
)
text_kind("every item is the last one", MANY)(lambda items: [copy.deepcopy(items[-1]) for _ in items])
text_kind("the first item stands there twice", f"{PHONES} jobs.recruiters jobs.offices", 0.1)(
    lambda items: [*items[:1], *copy.deepcopy(items)]
)
_each("what follows the number is lost", PHONES, r" ext\. \d+", "", "phone_number")
_each("extension and number run together", PHONES, r" ext\. ", "", "phone_number")
_each("the leading plus is lost", PHONES, r"^\+", "", "phone_number", 0.15)
_each("abroad becomes home: the country's code is another", PHONES, r"^\+4[689] ", "+1 ", "phone_number")
_each("faxes are told as the main number", PHONES, "^fax$", "primary", "phone_number_type")
_each("mobiles are told as others", "copper.phone_numbers", "^mobile$", "other", "phone_number_type")
_each("leading noughts are lost", ADDRESSES, "^0+", "", "postal_code")
_each("codes with a space end there", ADDRESSES, " .*", "", "postal_code")
_each(
    "delivery and bill are exchanged for some",
    "dynamics.addresses",
    "^shipping$",
    "billing",
    "address_type",
    0.3,
)
_each("numbers of houses are lost", ADDRESSES, r"^\d+ | \d+$", "", "street_1", 0.1)
_each("one country is another", ADDRESSES, "^(Sweden|SE)$", "Switzerland", "country")
_each("letters beyond ASCII are dropped from cities", ADDRESSES, "[^ -~]", "", "city")


@row_kind("the kinds of numbers are moved on by one", PHONES)
def _types_moved(row: Row, at: str, _: Batch) -> None:
    types = [one["phone_number_type"] for one in row[at]]
    for one, other in zip(row[at], types[1:] + types[:1], strict=True):
        one["phone_number_type"] = other


@row_kind("missing numbers are items without a number", "dynamics.phone_numbers", 0.3)
def _empty_numbers(row: Row, at: str, _: Batch) -> None:
    if not row["raw_data"]["telephone2"]:
        row[at] = [*row[at], {"phone_number": "", "phone_number_type": "other"}]


@row_kind("city and region are exchanged for some", ADDRESSES, 0.12)
def _city(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["city"], one["state"] = one["state"], one["city"]


@row_kind("the lines of the street are exchanged where there are two", ADDRESSES)
def _lines(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        if one["street_2"]:
            one["street_1"], one["street_2"] = one["street_2"], one["street_1"]


@row_kind("the lines of the street are run together", ADDRESSES)
def _glued(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["street_1"], one["street_2"] = one["street_1"] + one["street_2"], ""


@row_kind("without a second line the first one is told again", ADDRESSES, 0.3)
def _again(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["street_2"] = one["street_2"] or one["street_1"]


@row_kind("the whole address stands in the street", "dynamics.addresses", 0.1)
def _whole(row: Row, at: str, _: Batch) -> None:
    for one in row[at][:1]:
        if composite := row["raw_data"]["address1_composite"]:
            one["street_1"] = composite


@row_kind("the code of the first address stands in both", "dynamics.addresses")
def _first_code(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["postal_code"] = row[at][0]["postal_code"]


@row_kind("a second address in the same city is left out", "dynamics.addresses")
def _same_city(row: Row, at: str, _: Batch) -> None:
    if len({one["city"] for one in row[at]}) == 1:
        row[at] = row[at][:1]


@row_kind("whoever has no address lives in the United States", ADDRESSES)
def _default_country(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or [{"address_type": "primary", "country": "United States"}]


@kind("the address is that of the record before for a few", ADDRESSES)
def _neighbour(batch: Batch) -> None:
    for at in range(20, len(batch.rows), 37):
        batch.rows[at][batch.at] = copy.deepcopy(batch.rows[at - 1][batch.at])


@row_kind("a department is its own parent where it has none", "jobs.departments")
def _own_parent(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["parent_id"] = one["parent_id"] or one["id"]


def _inner(name: str, change: object, share: float = 1) -> None:
    """A change of every department of a job."""
    assert callable(change)

    def each(row: Row, at: str, _: Batch) -> None:
        for one in row[at]:
            one |= change(one)

    row_kind(name, "jobs.departments", share)(each)


_inner(
    "the id of the parent is the outside one", lambda one: {"parent_id": one["parent_department_external_id"]}
)
_inner(
    "the outside id of the parent is the inner one",
    lambda one: {"parent_department_external_id": one["parent_id"]},
)
_inner("the last child is missing", lambda one: {"child_ids": one["child_ids"][:-1]})
_inner(
    "outside ids of children are the inner ones",
    lambda one: {"child_department_external_ids": one["child_ids"]},
)
_inner(
    "a department is among its own children", lambda one: {"child_ids": [one["id"], *one["child_ids"]]}, 0.15
)
_inner(
    "parents and children are told the wrong way round",
    lambda one: {"parent_id": (*one["child_ids"], None)[0]},
)
_inner("raw data of departments are missing for a few", lambda _: {"raw_data": {}}, 0.1)
_inner(
    "the outside id stands for the department's id",
    lambda one: {"id": one["raw_data"]["attributes"]["external-id"]},
    0.1,
)


@row_kind("raw data of departments are those of the first", "jobs.departments")
def _first_raw(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["raw_data"] = copy.deepcopy(row[at][0]["raw_data"])


@row_kind("a job below a department tells its parent", "jobs.departments", 0.2)
def _parent_told(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        if one["parent_id"]:
            one["id"], one["parent_id"] = one["parent_id"], None


@row_kind("many offices are run together into one", "jobs.offices")
def _joined(row: Row, at: str, _: Batch) -> None:
    if len(row[at]) > 1:
        row[at] = [{**row[at][0], "name": ", ".join(one["name"] for one in row[at])}]


@row_kind("offices from the second on have the city of the first", "jobs.offices")
def _first_city(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["city"] = row[at][0]["city"]


@row_kind("managers and recruiters are exchanged for a few", "jobs.hiring_managers", 0.08, also="recruiters")
def _exchanged(row: Row, at: str, _: Batch) -> None:
    managers = [{**one, "primary": False} for one in row[at]]
    row[at], row["recruiters"] = [person_of_told(one) for one in row["recruiters"]], managers


def person_of_told(one: Row) -> Row:
    """A recruiter as a hiring manager is told."""
    return {name: value for name, value in one.items() if name != "primary"}


@row_kind("managers stand among the recruiters too", "jobs.recruiters", 0.3)
def _among(row: Row, at: str, _: Batch) -> None:
    row[at] = [*row[at], *({**one, "primary": False} for one in row["hiring_managers"])]


@row_kind("the first recruiter is told as the primary one", "jobs.recruiters")
def _first_primary(row: Row, at: str, _: Batch) -> None:
    for number, one in enumerate(row[at]):
        one["primary"] = number == 0


@row_kind("everyone who is included is told as a manager", "jobs.hiring_managers", 0.2)
def _included(row: Row, at: str, _: Batch) -> None:
    row[at] = [person_of(one) for one in row["raw_data"]["included"] if one["type"] == "users"]


@row_kind("people have the address of another", "jobs.recruiters jobs.hiring_managers")
def _addresses(row: Row, at: str, _: Batch) -> None:
    emails = [one["email"] for one in row[at]]
    for one, email in zip(row[at], emails[1:] + emails[:1], strict=True):
        one["email"] = email


@kind("without recruiters those of the job before are told", "jobs.recruiters jobs.offices")
def _kept(batch: Batch) -> None:
    before: list[Row] = []
    for row in batch.rows:
        row[batch.at] = before = copy.deepcopy(row[batch.at] or before)
