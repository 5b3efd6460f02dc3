"""Jobs in the forms of three applicant tracking systems."""

from __future__ import annotations

from typing import Any

from explorer.sandbox.draw import (
    Draw,
    Moments,
    epoch_milliseconds,
    iso,
    person,
    sentences,
    unscramble,
    uuid_of,
    words,
)
from explorer.sandbox.thirdparty.shape import Json, Shape

_GREENHOUSE_BASE = 4_000_000_000
_GREENHOUSE_DEPARTMENT = 500_100


def _title(draw: Draw) -> str:
    vocabulary = words()
    return str(draw.pick(vocabulary["job_levels"]) + draw.pick(vocabulary["job_titles"]))


def _department_line(draw: Draw) -> list[int]:
    """Indices of departments, from the one chosen up to its root; seldom none, seldom the whole line."""
    tree = words()["departments"]
    if draw.chance(0.03):
        return []
    line = [draw.below(len(tree))]
    if draw.chance(0.2):
        while tree[line[-1]][1] >= 0:
            line.append(tree[line[-1]][1])
    return line


def _children(index: int) -> list[int]:
    return [child for child, entry in enumerate(words()["departments"]) if entry[1] == index]


def _greenhouse_department(index: int) -> Json:
    name, parent = words()["departments"][index]
    children = _children(index)
    return {
        "id": _GREENHOUSE_DEPARTMENT + index,
        "name": name,
        "parent_id": _GREENHOUSE_DEPARTMENT + parent if parent >= 0 else None,
        "parent_department_external_id": f"D{parent:03d}" if parent >= 0 else None,
        "child_ids": [_GREENHOUSE_DEPARTMENT + child for child in children],
        "child_department_external_ids": [f"D{child:03d}" for child in children],
        "external_id": f"D{index:03d}",
    }


def _greenhouse_person(draw: Draw) -> Json:
    first, last = person(draw)
    return {
        "id": 300_000 + draw.below(90_000),
        "first_name": first,
        "last_name": last,
        "name": f"{first} {last}",
    }


def _greenhouse_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return str(_GREENHOUSE_BASE + number), f"REQ-{number:07d}", iso(moments.made), iso(moments.changed)


def _greenhouse_number(text: str) -> int | None:
    return int(text) - _GREENHOUSE_BASE if text.isascii() and text.isdigit() else None


def _greenhouse(draw: Draw, number: int) -> Json:
    ident, code, made, changed = _greenhouse_texts(number)
    city, state, _, country = draw.pick(words()["cities"])
    long = 40 if draw.chance(0.01) else 1
    return {
        "id": int(ident),
        "name": _title(draw),
        "requisition_id": code,
        "notes": sentences(draw, long) if draw.chance(0.6) else draw.pick([None, ""]),
        "confidential": draw.chance(0.1),
        "status": draw.pick(["open", "closed", "draft"]),
        "created_at": made,
        "opened_at": made if draw.chance(0.8) else None,
        "updated_at": changed,
        "departments": [_greenhouse_department(index) for index in _department_line(draw)],
        "offices": [
            {"id": 70_000 + draw.below(99), "name": city, "location": {"name": f"{city}, {state}, {country}"}}
        ],
        "hiring_team": {
            "hiring_managers": [_greenhouse_person(draw) for _ in range(draw.below(2))],
            "recruiters": [_greenhouse_person(draw) for _ in range(draw.below(2))],
        },
        "custom_fields": {
            "employment_type": draw.pick(["Full-time", "Part-time", "Contract", None]),
            "budget_minor_units": 9_007_199_254_740_993 + draw.below(9_000_000),
        },
    }


_LEVER_TEAM_KIND = 7


def _lever_person(draw: Draw) -> Json:
    first, last = person(draw)
    return {"id": uuid_of(9, draw.below(400)), "name": f"{first} {last}"}


def _lever_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    made, changed = epoch_milliseconds(moments.made), epoch_milliseconds(moments.changed)
    return uuid_of(1, number), f"LV-{number:07d}", str(made), str(changed)


def _lever_department(index: int) -> Json:
    name, parent = words()["departments"][index]
    return {
        "id": uuid_of(_LEVER_TEAM_KIND, index),
        "text": name,
        "parent": uuid_of(_LEVER_TEAM_KIND, parent) if parent >= 0 else None,
    }


def _lever(draw: Draw, number: int) -> Json:
    ident, code, made, changed = _lever_texts(number)
    line = _department_line(draw)
    tree = words()["departments"]
    cities = [draw.pick(words()["cities"]) for _ in range(1 + draw.below(2))]
    return {
        "id": ident,
        "text": _title(draw),
        "state": draw.pick(["published", "internal", "closed", "draft", "pending"]),
        "confidentiality": "confidential" if draw.chance(0.1) else "non-confidential",
        "distributionChannels": ["public", "internal"] if draw.chance(0.5) else [],
        "owner": _lever_person(draw) if draw.chance(0.9) else None,
        "hiringManager": _lever_person(draw) if draw.chance(0.8) else None,
        "categories": {
            "team": tree[line[0]][0] if line else None,
            "department": tree[line[-1]][0] if line else None,
            "location": cities[0][0],
            "allLocations": [{"name": city[0], "country": city[3]} for city in cities],
            "commitment": draw.pick(["Full-time", "Part-time", "Intern", ""]),
        },
        "departmentTree": [_lever_department(index) for index in line],
        "content": {"description": sentences(draw, 2), "lists": [], "closing": ""},
        "reqCode": code,
        "urls": {
            "show": f"https://jobs.example.com/acme/{ident}",
            "apply": f"https://jobs.example.com/acme/{ident}/apply",
        },
        "createdAt": int(made),
        "updatedAt": int(changed),
        "salaryRange": {
            "currency": "EUR",
            "min": 30_000 + 500 * draw.below(90),
            "interval": "per-year-salary",
        },
    }


def _ashby_person(draw: Draw, role: str) -> Json:
    first, last = person(draw)
    number = draw.below(400)
    return {
        "role": role,
        "userId": uuid_of(9, number),
        "firstName": first,
        "lastName": last,
        "email": f"u{number}@acme.example",
    }


def _ashby_texts(number: int) -> tuple[str, ...]:
    moments = Moments(number)
    return uuid_of(2, number), f"ASH{number:07d}", _ashby_date(moments.made), _ashby_date(moments.changed)


def _ashby_date(moment: Any) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}+00:00"


def _ashby_department(index: int) -> Json:
    name, parent = words()["departments"][index]
    moments = Moments(9_000 + index)
    return {
        "id": uuid_of(8, index),
        "name": name,
        "parentId": uuid_of(8, parent) if parent >= 0 else None,
        "childIds": [uuid_of(8, child) for child in _children(index)],
        "isArchived": False,
        "createdAt": _ashby_date(moments.made),
        "updatedAt": _ashby_date(moments.changed),
    }


def _ashby(draw: Draw, number: int) -> Json:
    ident, code, made, changed = _ashby_texts(number)
    city, state, code_of_place, country = draw.pick(words()["cities"])
    roles = ["Hiring Manager", "Recruiter", "Coordinator"]
    return {
        "id": ident,
        "title": _title(draw),
        "confidential": draw.chance(0.1),
        "status": draw.pick(["Open", "Closed", "Draft", "Archived"]),
        "employmentType": draw.pick(["FullTime", "PartTime", "Contract", "Temporary"]),
        "customRequisitionId": code,
        "departments": [_ashby_department(index) for index in _department_line(draw)[:1]],
        "location": {"name": city, "region": state, "postalCode": code_of_place, "country": country}
        if draw.chance(0.9)
        else None,
        "hiringTeam": [_ashby_person(draw, role) for role in roles[: draw.below(4)]],
        "customFields": [{"title": "Budget", "value": {"minor": 2**60 + draw.below(10_000)}}],
        "jobPostingIds": [],
        "author": None,
        "createdAt": made,
        "updatedAt": changed,
    }


def uuid_number(text: str) -> int | None:
    """The record's number behind a UUID made by `uuid_of`."""
    try:
        return unscramble(int(text.rsplit("-", 1)[1][:10], 16))
    except (IndexError, ValueError):
        return None


JOBS = {
    "greenhouse": Shape(_greenhouse, _greenhouse_texts, _greenhouse_number),
    "lever": Shape(_lever, _lever_texts, uuid_number),
    "ashby": Shape(_ashby, _ashby_texts, uuid_number),
}
