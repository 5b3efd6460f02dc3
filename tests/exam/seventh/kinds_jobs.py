"""Jobs of Ashby, wrongly made."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from tests.exam.calls3.data import JOB, Row
from tests.exam.seventh.forms import JOBS
from tests.exam.seventh.shapes_jobs import MANAGER, RECRUITER, person
from tests.exam.sixth.kinds import Spot, Table
from tests.exam.sixth.service import Service
from tests.exam.words import iso, parsed

TABLE = Table(JOBS, JOB)


def _one_role(row: Row, spot: Spot) -> None:
    """Members are put into a dictionary by their user before they are told apart by role."""
    team = {one["userId"]: one for one in row["raw_data"]["hiringTeam"]}.values()
    row["recruiters"] = [person(one) for one in team if one["role"] == RECRUITER]
    row["hiring_managers"] = [person(one) for one in team if one["role"] == MANAGER]


def _whole_team(row: Row, spot: Spot) -> None:
    if row["hiring_managers"]:
        row["hiring_managers"] = [person(one) for one in row["raw_data"]["hiringTeam"]]


def _names_shifted(row: Row, spot: Spot) -> None:
    """Ids are of those who recruit, names of the whole team in its order."""
    for one, member in zip(row["recruiters"], row["raw_data"]["hiringTeam"], strict=False):
        one["first_name"], one["last_name"] = member["firstName"], member["lastName"]


def _cached_by_name(service: Service, rng: Random) -> set[str]:
    """Departments are kept by their name: two of one name become one."""
    kept: Row = {}
    guilty = set()
    for row in service.lists[JOB]:
        for number, one in enumerate(row["departments"]):
            first = kept.setdefault(one["name"], one)
            if first["id"] != one["id"]:
                row["departments"][number] = dict(first)
                guilty.add(str(row["id"]))
    return guilty


def _depth(row: Row, spot: Spot) -> None:
    """The department above is the topmost one."""
    above = {
        one["id"]: one["parent_id"] for other in spot.rows for one in other["departments"] if one["parent_id"]
    }
    for one in row["departments"]:
        while above.get(one["parent_id"]):
            one["parent_id"] = above[one["parent_id"]]


def _summer(value: str, raw: Row, spot: Spot) -> str:
    """In summer the clock of the server is an hour ahead."""
    if not 4 <= int(value[5:7]) <= 10:
        return value
    at = parsed(value)
    return iso(at.replace(hour=(at.hour + 1) % 24)) if at.hour < 23 else value


def _posting(row: Row, spot: Spot) -> None:
    if row["raw_data"]["jobPostingIds"]:
        row["id"] = row["raw_data"]["jobPostingIds"][0]


def _first_half(value: str, raw: Row, spot: Spot) -> str:
    return value.split(" / ", maxsplit=1)[0].split(",", maxsplit=1)[0]


def _inner(row: Row, name: str, change: Any) -> None:
    for one in row[name]:
        change(one)


def _by_requisition(service: Service, rng: Random) -> set[str]:
    """A job that was found by its requisition is taken for another one."""
    rows = service.lists[JOB]
    chosen = rng.sample([row for row in rows if row["raw_data"]["customRequisitionId"]], 5)
    for row in chosen:
        other = {**deepcopy(row), "id": row["raw_data"]["customRequisitionId"]}
        rows.insert(rng.randrange(len(rows)), other)
    return {one for row in chosen for one in (str(row["id"]), str(row["raw_data"]["customRequisitionId"]))}


KINDS = [
    TABLE.row(
        "one role of a person",
        "Who stands twice in raw `hiringTeam`, as Hiring Manager and as Recruiter, is given only for the later role.",
        "recruiters hiring_managers",
        _one_role,
    ),
    TABLE.row(
        "whole team as hiring managers",
        "`hiring_managers` are all of raw `hiringTeam`, Sourcers and Recruiters included, whatever their `role`.",
        "hiring_managers",
        _whole_team,
        "half",
    ),
    TABLE.row(
        "names of other team members",
        "Ids and e-mail addresses of `recruiters` stand with the names of the first members of raw `hiringTeam`, "
        "who are other users there.",
        "recruiters",
        _names_shifted,
    ),
    TABLE.row(
        "places in other letters are lost",
        "A place whose raw `name` has a letter that ASCII lacks (München, 東京) is not among `offices`; the others of "
        "raw `location` and `secondaryLocations` are.",
        "offices",
        lambda row, spot: row.update(offices=[one for one in row["offices"] if one["name"].isascii()]),
    ),
    TABLE.row(
        "secondary place twice",
        "The last of several `offices` stands twice in the same job; raw data have it once.",
        "offices",
        lambda row, spot: row["offices"].append(dict(row["offices"][-1])) if row["offices"][1:] else None,
        "fiftieth",
    ),
    TABLE.each(
        "region for the country",
        "`country` of an office is raw `addressRegion`; raw `addressCountry` is something else.",
        "offices",
        lambda item, raw, spot: item.update(country=item["region"]),
        "fiftieth",
    ),
    TABLE.whole(
        "departments kept by their name",
        "Of two departments with one name the first is given for both: `departments[].id` is not raw `departmentId`.",
        _cached_by_name,
        "departments",
    ),
    TABLE.row(
        "topmost department as parent",
        "`parent_id` of a department at the third level is the id of the topmost one, not raw `parentId`.",
        "departments",
        _depth,
    ),
    TABLE.row(
        "department is its own child",
        "`child_ids` of a department without raw `children` holds the department's own id.",
        "departments",
        lambda row, spot: _inner(
            row, "departments", lambda one: one.update(child_ids=one["child_ids"] or [one["id"]])
        ),
    ),
    TABLE.row(
        "outside name of a department for closed jobs",
        "For jobs with raw status Closed a department's `name` is raw `externalName`, for the others raw `name`: one "
        "id has two names.",
        "departments",
        lambda row, spot: _inner(
            row,
            "departments" if row["raw_data"]["status"] == "Closed" else "offices",
            lambda one: one.update(name=one["raw_data"]["externalName"]) if "raw_data" in one else None,
        ),
    ),
    TABLE.value(
        "archived jobs are not confidential",
        "`confidential` is false for each job with raw status Archived, raw `confidential` true included.",
        "confidential",
        lambda value, raw, spot: value and raw["status"] != "Archived",
    ),
    TABLE.value(
        "half of a title",
        "`name` ends where raw `title` has a comma or a slash between blanks.",
        "name",
        _first_half,
    ),
    TABLE.value(
        "title in title case",
        "`name` is raw `title` with other capitals (`QA` is `Qa`, `d’études` is `D’Études`).",
        "name",
        lambda value, raw, spot: value.title(),
        "half",
    ),
    TABLE.value(
        "moment of opening for that of making",
        "`created_at` is raw `openedAt` where the job is open, and raw `createdAt` for the others.",
        "created_at",
        lambda value, raw, spot: raw["openedAt"] if raw["status"] == "Open" else value,
    ),
    TABLE.value(
        "an hour ahead in summer",
        "`modified_at` from April to October is an hour later than raw `updatedAt`, which says the same zone.",
        "modified_at",
        _summer,
    ),
    TABLE.row(
        "id of the posting",
        "In a tenth `id` is the first of raw `jobPostingIds`; in the others it is raw `id`.",
        "id",
        _posting,
        "tenth",
    ),
    TABLE.value(
        "one title of the next page",
        "One job has the `name` of another job of the list; its raw `title` is its own.",
        "name",
        lambda value, raw, spot: spot.rows[spot.number - 60]["name"],
        "one",
    ),
    TABLE.whole(
        "job under its requisition too",
        "Five jobs are listed twice: by raw `id` and, with the same raw data, by raw `customRequisitionId`.",
        _by_requisition,
    ),
]
