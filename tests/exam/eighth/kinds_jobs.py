"""Jobs of Bullhorn, wrongly made."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta
from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.calls3.data import JOB, Row
from tests.exam.eighth.forms import JOBS
from tests.exam.eighth.kinds import Sheet
from tests.exam.eighth.shapes_jobs import moment, person
from tests.exam.sixth.kinds import Kind, Spot, Table, mojibake
from tests.exam.sixth.service import Service

KINDS: list[Kind] = []
ORDERS = Sheet(Table(JOBS, JOB), KINDS)
PARIS = ZoneInfo("Europe/Paris")


@ORDERS.row("five entities of a list", "recruiters")
def _five(row: Row, spot: Spot) -> None:
    """Only the first five of the assigned users are read, as many as the third party puts into a record unasked."""
    raw = row["raw_data"]
    first = {str(one["id"]) for one in (raw["owner"], *raw["assignedUsers"]["data"][:5])}
    row["recruiters"] = [one for one in row["recruiters"] if one["id"] in first]


@ORDERS.value("made when the work begins", "created_at", f"{JOB} modified_at")
def _begins(value: str, raw: Row, spot: Spot) -> str | None:
    """The start date of the job, where there is one, is taken for the date on which it was added."""
    return moment(raw["startDate"]) or value


@ORDERS.value("any answer is a yes", "confidential")
def _truthy(value: bool, raw: Row, spot: Spot) -> bool:
    """The text of a custom field is taken for a boolean, and No is true."""
    return bool(raw["confidentialSearch"])


@ORDERS.each("parent by name", "departments")
def _parent(item: Row, raw: Row, spot: Spot) -> None:
    """The name of the parent category stands where its id belongs."""
    if item["raw_data"]["parent"]:
        item["parent_id"] = item["raw_data"]["parent"]["name"]


@ORDERS.value("title up to the slash", "name")
def _slash(value: str, raw: Row, spot: Spot) -> str:
    """What stands behind a slash is cut off as if it were always the place."""
    return value.partition(" / ")[0]


@ORDERS.row("offices share a name", "offices")
def _closure(row: Row, spot: Spot) -> None:
    """Each office is named by a function that reads the loop's variable when the loop is over."""
    for one in row["offices"]:
        one["name"] = row["offices"][-1]["name"]


@ORDERS.value("winter time all the year", "modified_at")
def _winter(value: str, raw: Row, spot: Spot) -> str:
    """Dates go through the zone of Paris and back with its winter offset, so those of summer are an hour late."""
    at = words.parsed(value)
    return words.iso(at + (at.astimezone(PARIS).dst() or timedelta()))


@ORDERS.whole(
    "deleted jobs are listed",
    "",
    proof=lambda p: {row["id"] for row in p.rows(JOB) if row["raw_data"]["isDeleted"]},
)
def _deleted(service: Service, rng: Random) -> set[str]:
    """The query lacks the condition that leaves out what was deleted."""
    guilty = rng.sample(service.lists[JOB], 14)
    for row in guilty:
        row["raw_data"] |= {"isDeleted": True, "isOpen": False, "status": "Archive"}
    return {str(row["id"]) for row in guilty}


@ORDERS.each("department as old as the job", "departments")
def _as_old(item: Row, raw: Row, spot: Spot) -> None:
    """The date of the job is spread over the objects within it."""
    item["created_at"] = moment(raw["dateAdded"])


@ORDERS.each("office names in Latin-1", "offices")
def _latin(item: Row, raw: Row, spot: Spot) -> None:
    """Names of offices come from a second endpoint whose answer is read as Latin-1."""
    item["name"] = mojibake(item["name"])


@ORDERS.row("owner twice", "recruiters")
def _twice(row: Row, spot: Spot) -> None:
    """Owner and assigned users are put together without a look at who is in both."""
    raw = row["raw_data"]
    row["recruiters"] = [person(one) for one in (raw["owner"], *raw["assignedUsers"]["data"])]


@ORDERS.row("manager by the recruiter's name", "hiring_managers")
def _mixed(row: Row, spot: Spot) -> None:
    """Contact and owner are spread into one object, so the manager's id goes with the owner's name and address."""
    for one in row["hiring_managers"]:
        one |= {**person(row["raw_data"]["owner"]), "id": one["id"]}


@ORDERS.each("children in one text", "departments")
def _children(item: Row, raw: Row, spot: Spot) -> None:
    """The ids of several children are joined by commas into one item of the list."""
    if len(item["child_ids"]) > 1:
        item["child_ids"] = [",".join(item["child_ids"])]


@ORDERS.row("older than its raw data", "name modified_at", rows="tenth")
def _stale(row: Row, spot: Spot) -> None:
    """The unified record comes from a cache that is emptied on the hour, its raw data from the third party."""
    row["raw_data"]["title"] += " (m/w/d)"
    row["raw_data"]["dateLastModified"] += 86_400_000 + spot.number * 977


@ORDERS.row("departments of one name are one", "departments")
def _one_name(row: Row, spot: Spot) -> None:
    """Categories are looked up by their name, and the first of a name stands for all."""
    known: dict[str, str] = {}
    for one in (item for other in spot.rows for item in other["departments"]):
        known.setdefault(one["name"], one["id"])
    for one in row["departments"]:
        one["id"] = known[one["name"]]


@ORDERS.row("departments pile up", "departments")
def _pile(row: Row, spot: Spot) -> None:
    """The list of departments is made outside of the loop and never emptied before the next ten jobs."""
    first = spot.number - spot.number % 10
    ahead = [item for other in spot.rows[first : spot.number] for item in other["departments"]]
    row["departments"] = deepcopy(ahead) + row["departments"]


@ORDERS.each("given name up to the blank", "recruiters")
def _given(item: Row, raw: Row, spot: Spot) -> None:
    """People are read by their full name, which is cut at its first blank."""
    first, _, rest = f"{item['first_name']} {item['last_name']}".partition(" ")
    item |= {"first_name": first, "last_name": rest}


@ORDERS.each("children by another id", "departments")
def _prefixed(item: Row, raw: Row, spot: Spot) -> None:
    """Ids of children keep the prefix that is taken off everywhere else, and lead to no department."""
    item["child_ids"] = [f"category_{one}" for one in item["child_ids"]]
