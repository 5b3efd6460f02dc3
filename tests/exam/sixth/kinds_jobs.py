"""What goes wrong in the records of jobs."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from tests.exam.calls3.data import JOB, Row
from tests.exam.sixth.forms import JOBS
from tests.exam.sixth.kinds import Spot, Table, put
from tests.exam.sixth.shapes_jobs import member, seconds

J = Table(JOBS, JOB)


def _team(*roles: str) -> Any:
    return lambda old, raw, at: [member(one) for one in raw["hiringTeam"] if one["role"] in roles]


def _week_year(old: str) -> str:
    """The pattern YYYY in place of yyyy: the year of the week, American weeks."""
    day = datetime.fromisoformat(old)
    saturday = day + timedelta(days=(5 - day.weekday()) % 7)
    return f"{saturday.year}{old[4:]}"


def _names_swapped(item: Row, raw: Row, at: Spot) -> None:
    item["first_name"], item["last_name"] = item["last_name"], item["first_name"]


def _address_of_another(item: Row, raw: Row, at: Spot) -> None:
    others = [one["person"]["email"] for one in raw["hiringTeam"] if one["person"]["id"] != item["id"]]
    if others:
        item["email"] = others[0]


def _managers_swapped(row: Row, at: Spot) -> None:
    row["hiring_managers"], row["recruiters"] = row["recruiters"], row["hiring_managers"]


def _raw_of_another(row: Row, at: Spot) -> None:
    row["raw_data"] = at.before["raw_data"]


def _late_rows_bare(row: Row, at: Spot) -> None:
    if at.number >= 200:
        row["recruiters"] = []


def _one_city(row: Row, at: Spot) -> None:
    for one in row["offices"]:
        one["city"] = row["offices"][0]["city"]


def _same_parent(row: Row, at: Spot) -> None:
    for one in row["departments"]:
        if one["parent_id"] is None:
            one["parent_id"] = one["id"]


KINDS = [
    J.value(
        "title for insiders",
        "name is internalTitle, which only the company itself sees",
        "name",
        lambda old, raw, at: raw["internalTitle"],
    ),
    J.value("title of 48 letters", "names end after 48 letters", "name", lambda old, raw, at: old[:48]),
    J.value(
        "title with capitals of its own",
        "only the first letter of each word of a name is a capital: QA became Qa",
        "name",
        lambda old, raw, at: " ".join(word.capitalize() for word in old.split(" ")),
    ),
    J.value(
        "title up to the comma",
        "what follows a comma in a name is lost",
        "name",
        lambda old, raw, at: old.partition(",")[0],
    ),
    J.value(
        "title without tags",
        "what looks like markup was taken out of names: Nurse <ICU> nights lost its ward",
        "name",
        lambda old, raw, at: re.sub(r"<[^>]*>", "", old),
    ),
    J.value(
        "confidential by the wrong field",
        "confidential is the custom field about the salary band",
        "confidential",
        lambda old, raw, at: raw["properties"][1]["value"],
    ),
    J.value(
        "confidential jobs laid open",
        "confidential is false for jobs whose visibility is CONFIDENTIAL, in half of them",
        "confidential",
        lambda old, raw, at: False,
        "half",
    ),
    J.value(
        "created when published",
        "created_at is publishedOn where there is one",
        "created_at",
        lambda old, raw, at: raw["publishedOn"] or old,
    ),
    J.value(
        "creation on half a clock",
        "hours of the afternoon are those of the morning in created_at",
        "created_at",
        lambda old, raw, at: f"{old[:11]}{int(old[11:13]) % 12:02}{old[13:]}",
    ),
    J.value(
        "modified when closed",
        "modified_at is closedOn for closed jobs",
        "modified_at",
        lambda old, raw, at: raw["closedOn"] or old,
    ),
    J.value(
        "modified just now",
        "one record in fifty was modified at the moment of the call",
        "modified_at",
        lambda old, raw, at: "2026-11-23T15:00:00.000Z",
        "fiftieth",
    ),
    J.value(
        "year of the week",
        "the last days of December have the next year in modified_at",
        "modified_at",
        lambda old, raw, at: _week_year(old),
    ),
    J.value(
        "one modification a day late",
        "a single modified_at is one day after updatedOn",
        "modified_at",
        lambda old, raw, at: (
            (datetime.fromisoformat(old) + timedelta(days=1)).isoformat(timespec="milliseconds")[:23] + "Z"
        ),
        "one",
    ),
    J.value(
        "one department a job",
        "only the first department is given",
        "departments",
        lambda old, raw, at: old[:1],
    ),
    J.row(
        "departments are their own parents",
        "parent_id of a department at the top is its own id",
        "departments",
        _same_parent,
    ),
    J.each(
        "parent by code",
        "parent_id is the parent's external code",
        "departments",
        lambda item, raw, at: put(item, "parent_id", item["parent_department_external_id"]),
    ),
    J.each(
        "department by its outer name",
        "a department's name is publicLabel in half of the records",
        "departments",
        lambda item, raw, at: put(item, "name", item["raw_data"]["publicLabel"]),
        "half",
    ),
    J.each(
        "last child lost",
        "the last of child_ids is missing",
        "departments",
        lambda item, raw, at: put(item, "child_ids", item["child_ids"][:-1]),
    ),
    J.each(
        "department of 1970",
        "a department's created_at took seconds for milliseconds",
        "departments",
        lambda item, raw, at: put(item, "created_at", seconds(item["raw_data"]["created"] // 1000)),
    ),
    J.each(
        "codes of children as numbers",
        "leading zeros of child_department_external_ids are lost",
        "departments",
        lambda item, raw, at: put(
            item,
            "child_department_external_ids",
            [one.lstrip("0") for one in item["child_department_external_ids"]],
        ),
    ),
    J.value(
        "departments of the job before",
        "one job in fifty has the departments of the job before",
        "departments",
        lambda old, raw, at: at.before["departments"],
        "fiftieth",
    ),
    J.value(
        "first office alone", "locations after the first are missing", "offices", lambda old, raw, at: old[:1]
    ),
    J.row("all offices in one city", "every office of a job has the first one's city", "offices", _one_city),
    J.each(
        "office named for its region",
        "an office's name is its region in half of the records",
        "offices",
        lambda item, raw, at: put(
            item,
            "name",
            next(one["region"] for one in raw["locations"] if one["id"] == item["id"]),
        ),
        "half",
    ),
    J.value(
        "helpers among the recruiters",
        "coordinators are given as recruiters in half of the records",
        "recruiters",
        _team("RECRUITER", "COORDINATOR"),
        "half",
    ),
    J.each(
        "recruiters' names swapped", "first and last name are swapped", "recruiters", _names_swapped, "tenth"
    ),
    J.each(
        "recruiters with another's address",
        "email is that of somebody else in the team",
        "recruiters",
        _address_of_another,
    ),
    J.row(
        "recruiters of the first pages only",
        "recruiters are empty from the two hundredth record on",
        "recruiters",
        _late_rows_bare,
    ),
    J.value(
        "the author manages",
        "hiring_managers is the author where there is no hiring manager",
        "hiring_managers",
        lambda old, raw, at: old or [member(raw["creator"])],
    ),
    J.row(
        "recruiters and managers swapped",
        "recruiters are given as hiring managers and the other way about, in half of the jobs",
        "hiring_managers recruiters",
        _managers_swapped,
        "half",
    ),
    J.row(
        "raw data of another job",
        "raw_data of one record in fifty is that of the record before",
        "raw_data id name created_at modified_at",
        _raw_of_another,
        "fiftieth",
    ),
    J.value(
        "id by requisition",
        "id is refNumber in a tenth of the records and the third party's id in the others",
        "id",
        lambda old, raw, at: raw["refNumber"],
        "tenth",
    ),
]
