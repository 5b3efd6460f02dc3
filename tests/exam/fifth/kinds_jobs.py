"""Kinds of jobs: what connectors make of Workable's."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.calls3.data import JOB, Row
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.shapes_jobs import NAME, person_of

KINDS: list[Kind] = []
JOBS = Writer(NAME, JOB, KINDS)
NEW_YORK = ZoneInfo("America/New_York")


@JOBS.rows(
    "change is the time of creation",
    "modified_at tells created_at of raw_data in each record, though raw_data has another updated_at.",
    "modified_at",
)
def _modified(body: Row, raw: Row, rng: Random) -> None:
    body["modified_at"] = body["created_at"]


@JOBS.rows(
    "dates without a fraction are lost",
    "created_at is null exactly where created_at of raw_data has whole seconds.",
    "created_at",
)
def _fraction(body: Row, raw: Row, rng: Random) -> None:
    if "." not in raw["created_at"]:
        body["created_at"] = None


@JOBS.rows(
    "local time called UTC",
    "created_at ends in Z as that of raw_data does, and is four or five hours earlier, by the season.",
    "created_at",
)
def _local(body: Row, raw: Row, rng: Random) -> None:
    local = words.parsed(raw["created_at"]).astimezone(NEW_YORK)
    body["created_at"] = words.iso(local.replace(tzinfo=UTC))


@JOBS.rows(
    "seconds taken for milliseconds",
    "modified_at lies in January 1970 for a dozen jobs, updated_at of raw_data in this decade.",
    "modified_at",
    rows="dozen",
)
def _seventy(body: Row, raw: Row, rng: Random) -> None:
    at = words.parsed(raw["updated_at"]).timestamp() / 1000
    body["modified_at"] = words.iso(datetime.fromtimestamp(at, UTC))


@JOBS.rows(
    "title up to the dash",
    "title of raw_data goes on behind a dash, name ends before it.",
    "name",
)
def _dash(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = raw["title"].split(" - ")[0].split(" – ")[0]


@JOBS.rows(
    "letters above the base plane lost",
    "title of raw_data begins with an emoji, name with a replacement character in its place.",
    "name",
)
def _emoji(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = "".join(letter if ord(letter) < 0x10000 else "\ufffd" for letter in raw["title"])


@JOBS.rows(
    "plus signs in a title become blanks",
    "title of raw_data has C++, name has C and two blanks.",
    "name",
)
def _plus(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = raw["title"].replace("+", " ")


@JOBS.rows(
    "name of one job is another's",
    "One job has a name that stands nowhere in its raw_data; name is title in all others.",
    "name",
    rows="one",
)
def _other(body: Row, raw: Row, rng: Random) -> None:
    body["name"] = "Nurse (night shift)"


@JOBS.rows(
    "drafts are confidential",
    "confidential is true where state of raw_data is draft, and raw_data says confidential is false.",
    "confidential",
)
def _draft(body: Row, raw: Row, rng: Random) -> None:
    body["confidential"] = raw["confidential"] or raw["state"] == "draft"


@JOBS.rows(
    "a confidential job is told to be open",
    "confidential of raw_data is true and confidential is false, in one job; the others agree.",
    "confidential",
    rows="one",
)
def _confidential(body: Row, raw: Row, rng: Random) -> None:
    body["confidential"] = False


@JOBS.rows(
    "roots are their own parents",
    "A department has its own id as parent_id where parent_id of its raw_data is null.",
    "departments",
)
def _roots(body: Row, raw: Row, rng: Random) -> None:
    for one in body["departments"]:
        one["parent_id"] = one["parent_id"] or one["id"]


@JOBS.rows(
    "parent is the root of the chain",
    "In chains of three the last department's parent_id is the first's id, its raw_data names the second.",
    "departments",
)
def _root(body: Row, raw: Row, rng: Random) -> None:
    for one in body["departments"][1:]:
        one["parent_id"] = body["departments"][0]["id"]


@JOBS.rows(
    "department named after the one above",
    "id of a department is that of its raw_data, name is that of its parent, in a third of the jobs.",
    "departments",
    rows="third",
)
def _above(body: Row, raw: Row, rng: Random) -> None:
    names = [one["name"] for one in body["departments"]]
    for one, name in zip(body["departments"][1:], names, strict=False):
        one["name"] = name


@JOBS.rows(
    "children only of this chain",
    "The same department has other child_ids on other jobs, although there is one tree.",
    "departments",
)
def _children(body: Row, raw: Row, rng: Random) -> None:
    ids = [one["id"] for one in body["departments"]]
    for number, one in enumerate(body["departments"]):
        one["child_ids"] = ids[number + 1 : number + 2]


@JOBS.rows(
    "only the first location",
    "locations of raw_data has several entries, offices one; jobs of one location agree.",
    "offices",
)
def _first(body: Row, raw: Row, rng: Random) -> None:
    body["offices"] = body["offices"][:1]


@JOBS.rows(
    "first location twice",
    "offices has one entry more than locations of raw_data, and the first two are the same.",
    "offices",
)
def _twice(body: Row, raw: Row, rng: Random) -> None:
    body["offices"] = [deepcopy(body["offices"][0]), *body["offices"]]


@JOBS.rows(
    "undefined in the name of an office",
    "name of an office is undefined and a country where city in raw_data is null, in a dozen jobs.",
    "offices",
    rows="dozen",
)
def _undefined(body: Row, raw: Row, rng: Random) -> None:
    for one in body["offices"]:
        if one["location"]["city"] is None:
            one["name"] = f"undefined, {one['location']['country']}"


@JOBS.rows(
    "managers and recruiters change places",
    "Those in hiring_managers have the role recruiter in members of raw_data, and the other way round.",
    "hiring_managers",
    "recruiters",
)
def _roles(body: Row, raw: Row, rng: Random) -> None:
    body["hiring_managers"], body["recruiters"] = body["recruiters"], body["hiring_managers"]


@JOBS.rows(
    "reviewers among the recruiters",
    "recruiters has members whose role in raw_data is reviewer.",
    "recruiters",
    rows="third",
)
def _reviewers(body: Row, raw: Row, rng: Random) -> None:
    chosen = [one for one in raw["members"] if one["role"] in ("recruiter", "reviewer")]
    body["recruiters"] = [person_of(one) for one in chosen]


@JOBS.rows(
    "address of the next recruiter",
    "In a dozen jobs a recruiter's email is that of the next one in members, id and name agree.",
    "recruiters",
    rows="dozen",
)
def _address(body: Row, raw: Row, rng: Random) -> None:
    addresses = [one["email"] for one in body["recruiters"]]
    for one, address in zip(body["recruiters"], [*addresses[1:], *addresses[:1]], strict=True):
        one["email"] = address


@JOBS.whole(
    "recruiters heap up",
    "In a run of jobs recruiters holds those of the jobs before as well, whom members does not have.",
    "recruiters",
)
def _heap(rows: list[Row], rng: Random) -> list[Row]:
    heap: list[Row] = []
    for one in rows[120:132]:
        heap += [person for person in one["recruiters"] if person not in heap]
        one["recruiters"] = deepcopy(heap)
    return rows


@JOBS.rows(
    "drafts have their shortcode for an id",
    "id is shortcode of raw_data where state is draft, and id of raw_data elsewhere.",
    "id",
)
def _shortcode(body: Row, raw: Row, rng: Random) -> None:
    if raw["state"] == "draft":
        body["id"] = raw["shortcode"]


@JOBS.whole(
    "one record for each location",
    "Jobs with several locations come several times, with the same id and one office each.",
)
def _joined(rows: list[Row], rng: Random) -> list[Row]:
    return [{**one, "offices": [office]} for one in rows for office in one["offices"]]
