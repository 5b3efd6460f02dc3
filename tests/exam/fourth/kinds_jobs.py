"""Kinds of applicant tracking: SmartRecruiters' jobs."""

from __future__ import annotations

import html
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.exam.fourth import texts
from tests.exam.fourth.kinds import GONE, ONE, Ids, Kind, Writer, moved
from tests.exam.fourth.shapes_jobs import NAME, person_of, recruiter_of, team_of
from tests.exam.third.engine import JOB, Ask, Query, Row

KINDS: list[Kind] = []
OF = Writer(NAME, JOB, KINDS)


@OF.records(
    "parent and child swapped",
    "The external ids of a department's parent and of its first child are swapped where it has both.",
    "departments",
)
def _parents(row: Row, rng: Random) -> Row | None:
    for one in row["departments"]:
        above, below = one["parent_department_external_id"], one["child_department_external_ids"]
        if above and below:
            one["parent_department_external_id"] = below[0]
            one["child_department_external_ids"] = [above, *below[1:]]
    return {"departments": row["departments"]}


@OF.records(
    "ids of two levels",
    "A department's parent_id is its own id where it has no children.",
    "departments",
    share=0.1,
)
def _own_parent(row: Row, rng: Random) -> Row | None:
    for one in row["departments"]:
        if one["parent_id"] and not one["child_ids"]:
            one["parent_id"] = one["id"]
    return {"departments": row["departments"]}


@OF.records(
    "dates of departments in another unit",
    "The milliseconds of a department's creation are divided by a million where it is a top department.",
    "departments",
)
def _unit(row: Row, rng: Random) -> Row | None:
    for one in row["departments"]:
        if one["parent_id"] is None:
            one["created_at"] = texts.from_millis(one["raw_data"]["createdOn"] // 1000)
    return {"departments": row["departments"]}


@OF.records(
    "no department is a null in the list",
    "A job without a department has a list with a null in it.",
    "departments",
)
def _null_department(row: Row, rng: Random) -> Row | None:
    return None if row["departments"] else {"departments": [None]}


@OF.records(
    "the first office skipped",
    "The loop over the locations starts at the second where a job has three.",
    "offices",
)
def _offices(row: Row, rng: Random) -> Row | None:
    return {"offices": row["offices"][1:]} if len(row["offices"]) == 3 else None


@OF.records(
    "Sweden is Switzerland",
    "The table of countries has Switzerland for the code of Sweden.",
    "offices",
)
def _country(row: Row, rng: Random) -> Row | None:
    for one in row["offices"]:
        if one["country"] == "Sweden":
            one["country"] = "Switzerland"
    return {"offices": row["offices"]}


@OF.records(
    "coordinators are recruiters",
    "The members of the team who only coordinate are listed among the recruiters.",
    "recruiters",
)
def _coordinators(row: Row, rng: Random) -> Row | None:
    more = team_of(row["raw_data"], "COORDINATOR")
    return {"recruiters": [*row["recruiters"], *map(recruiter_of, more)]} if more else None


@OF.records(
    "managers only in the first place",
    "The hiring manager is looked for at the head of the team, and there is none where another one stands.",
    "hiring_managers",
    share=0.1,
)
def _manager(row: Row, rng: Random) -> Row | None:
    team = row["raw_data"]["hiringTeam"]
    return None if team[0]["role"] == "HIRING_MANAGER" else {"hiring_managers": []}


@OF.records(
    "the first recruiter is primary",
    "The first recruiter is called primary, whoever leads.",
    "recruiters",
)
def _primary(row: Row, rng: Random) -> Row | None:
    made = [{**one, "primary": at == 0} for at, one in enumerate(row["recruiters"])]
    return {"recruiters": made}


@OF.records(
    "names of people in the wrong order",
    "Managers with a family name of two words have it before the first name.",
    "hiring_managers",
)
def _order(row: Row, rng: Random) -> Row | None:
    made = []
    for one in team_of(row["raw_data"], "HIRING_MANAGER"):
        told = person_of(one)
        if " " in one["lastName"]:
            told["name"] = f"{one['lastName']} {one['firstName']}"
        made.append(told)
    return {"hiring_managers": made}


@OF.records(
    "the template's title",
    "A job that was made of a template has the template's title as its name.",
    "name",
    share=0.1,
)
def _template(row: Row, rng: Random) -> Row | None:
    template = row["raw_data"]["template"]
    return {"name": template["title"]} if template else None


@OF.records("escaped names", "The name of a job is escaped as for a web page: & becomes &amp;.", "name")
def _escaped(row: Row, rng: Random) -> Row | None:
    return {"name": html.escape(row["name"])}


@OF.records(
    "a comment sign cuts the name",
    "Names are cut at a number sign that follows another one.",
    "name",
)
def _sign(row: Row, rng: Random) -> Row | None:
    parts = row["name"].split("#")
    return {"name": parts[0].strip()} if len(parts) > 2 else None


@OF.records(
    "internal is confidential",
    "Jobs that are only shown within the company are given as confidential.",
    "confidential",
)
def _internal(row: Row, rng: Random) -> Row | None:
    return {"confidential": True} if row["raw_data"]["postingStatus"] == "INTERNAL" else None


@OF.records(
    "private jobs on hold are open",
    "A private job that is on hold is not confidential: the status is asked first.",
    "confidential",
)
def _on_hold(row: Row, rng: Random) -> Row | None:
    return {"confidential": False} if row["raw_data"]["status"] == "ON_HOLD" else None


@OF.records(
    "truth as a text",
    "confidential is the text false in the jobs of one importer.",
    "confidential",
    share=0.04,
)
def _text(row: Row, rng: Random) -> Row | None:
    return None if row["confidential"] else {"confidential": "false"}


@OF.records(
    "opened for created",
    "Where a job replaces somebody the day on which its first position was opened is given as its creation.",
    "created_at",
    share=0.1,
)
def _opened(row: Row, rng: Random) -> Row | None:
    positions = row["raw_data"]["positions"]
    if not positions or positions[0]["type"] != "REPLACEMENT":
        return None
    return {"created_at": positions[0]["positionOpenDate"]}


@OF.records(
    "one creation an hour off",
    "One job was made in the hour in which the clocks change, and is an hour off.",
    "created_at",
    share=ONE,
)
def _hour(row: Row, rng: Random) -> Row | None:
    return {"created_at": moved(row["created_at"], lambda at: at - timedelta(hours=1))}


@OF.records(
    "half a day lost at noon",
    "modified_at is read with a clock of twelve hours: between noon and one it is midnight.",
    "modified_at",
)
def _noon(row: Row, rng: Random) -> Row | None:
    def early(at: datetime) -> datetime:
        return at - timedelta(hours=12) if at.hour == 12 else at

    return {"modified_at": moved(row["modified_at"], early)}


@OF.records(
    "filled jobs without their change",
    "modified_at is left out of jobs that are filled.",
    "modified_at",
    share=0.08,
)
def _filled(row: Row, rng: Random) -> Row | None:
    return {"modified_at": GONE} if row["raw_data"]["status"] == "FILLED" else None


@OF.lists("ids used again", "A copied job keeps the id of the job that it was copied from.", "id")
def _used_again(rows: list[Row], rng: Random) -> Ids:
    pairs = rng.sample(range(len(rows)), 6)
    for to, of in zip(pairs[:3], pairs[3:], strict=True):
        rows[to] = {**rows[to], "id": rows[of]["id"]}
    return frozenset(rows[at]["id"] for at in pairs)


@OF.lists("raw data of the next job", "One job carries the raw data of the job after it.")
def _raw(rows: list[Row], rng: Random) -> Ids:
    at = rng.randrange(len(rows) - 1)
    rows[at] = {**rows[at], "raw_data": rows[at + 1]["raw_data"]}
    return frozenset({rows[at]["id"]})


@OF.lists("a job for each location", "A job is listed once for each of its locations where it has three.")
def _each_location(rows: list[Row], rng: Random) -> Ids:
    guilty = [one for one in rows if len(one["offices"]) == 3]
    rows[:] = [one for one in rows for _ in range(3 if one in guilty else 1)]
    return frozenset(one["id"] for one in guilty)


@OF.answers(
    "the border of a page twice", "Each page after the first begins with the last record of the one before."
)
def _border(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    if not query.get("cursor") or not found["items"]:
        return found
    everything = ask({"page_size": "9999"}, None)["items"]
    at = [one["id"] for one in everything].index(found["items"][0]["id"])
    return {**found, "items": [everything[at - 1], *found["items"]]}


@OF.answers(
    "the cancelled hidden by size", "Cancelled jobs are left out as soon as a size of pages is asked for."
)
def _hidden(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    if not query.get("page_size"):
        return found
    return {**found, "items": [one for one in found["items"] if one["raw_data"]["status"] != "CANCELLED"]}


@OF.answers(
    "the first incremental run loses",
    "Read incrementally from the start, jobs that never changed since 2021 are not listed.",
)
def _incremental(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    if query.get("sync_mode") != "incremental":
        return found
    return {**found, "items": [one for one in found["items"] if one["modified_at"] >= "2021"]}
