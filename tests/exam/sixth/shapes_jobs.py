"""Jobs as Ashby has them: a hiring team with roles, one team and its parents, places apart from postings."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
COUNT = 600
ROLES = ("Recruiter", "Recruiter", "Hiring Manager", "Coordinator", "Sourcer")


def job(raw: Row) -> Row:
    """The unified record of this job."""
    return {
        "id": raw["id"],
        "created_at": raw["createdAt"],
        "modified_at": raw["updatedAt"],
        "name": raw["title"],
        "confidential": raw["visibility"] == "Confidential",
        "departments": [_department(one) for one in raw["departments"]],
        "offices": [
            {
                "id": one["id"],
                "name": one["name"],
                "city": one["address"]["city"],
                "country": one["address"]["country"],
            }
            for one in (raw["location"], *raw["secondaryLocations"])
        ],
        "hiring_managers": _people(raw, "Hiring Manager"),
        "recruiters": _people(raw, "Recruiter"),
        "raw_data": raw,
    }


def seconds(stamp: int) -> str:
    """Epoch seconds as ISO 8601."""
    return datetime.fromtimestamp(stamp, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _department(raw: Row) -> Row:
    return {
        "id": str(raw["id"]),
        "created_at": seconds(raw["created"]),
        "modified_at": seconds(raw["updated"]),
        "name": raw["name"],
        "parent_id": None if raw["parentId"] is None else str(raw["parentId"]),
        "parent_department_external_id": raw["parentExternalId"],
        "child_ids": [str(one) for one in raw["childIds"]],
        "child_department_external_ids": raw["childExternalIds"],
        "raw_data": raw,
    }


def _people(raw: Row, role: str) -> list[Row]:
    return [
        {
            "id": one["userId"],
            "first_name": one["firstName"],
            "last_name": one["lastName"],
            "email": one["email"],
        }
        for one in raw["hiringTeam"]
        if one["role"] == role
    ]


def jobs(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:ashby")
    users = [_user(rng, n) for n in range(45)]
    departments = _departments(rng)
    places = [_place(rng, *one) for one in words.CITIES]
    return [job(_raw(rng, n, users, departments, places)) for n in range(COUNT)]


def _user(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {
        "userId": words.guid(rng),
        "firstName": given,
        "lastName": family,
        "email": words.email(rng, number),
    }


def _departments(rng: Random) -> list[Row]:
    ids = [4000 + n * 3 for n in range(len(words.DEPARTMENTS))]
    codes = [f"0{rng.randrange(100, 999)}-{n:02}" for n in range(len(ids))]
    parents = {n: n % 4 for n in range(4, len(ids))}
    made = []
    for n, name in enumerate(words.DEPARTMENTS):
        parent = parents.get(n)
        children = [child for child, of in parents.items() if of == n]
        created = int(words.moment(rng, 2015, 2018).timestamp())
        made.append(
            {
                "id": ids[n],
                "name": name,
                "externalName": f"Team {name}",
                "externalId": codes[n],
                "isArchived": n == 11,
                "parentId": None if parent is None else ids[parent],
                "parentExternalId": None if parent is None else codes[parent],
                "childIds": [ids[child] for child in children],
                "childExternalIds": [codes[child] for child in children],
                "created": created,
                "updated": created + rng.randrange(1000, 90_000_000),
            }
        )
    return made


def _place(rng: Random, city: str, state: str, country: str, code: str) -> Row:
    return {
        "id": words.guid(rng),
        "name": f"{city} office",
        "externalName": f"{city}, {country}",
        "isRemote": rng.random() < 0.2,
        "address": {"city": city, "region": state, "postalCode": code, "country": country},
    }


def _raw(rng: Random, number: int, users: list[Row], departments: list[Row], places: list[Row]) -> Row:
    created = words.moment(rng, 2019, 2024)
    changed = words.later(rng, created, 300)
    opened = words.later(rng, created, 20)
    team = rng.sample(users, rng.randint(0, 6))
    location, *more = rng.sample(places, rng.choice((1, 1, 1, 2, 3)))
    closed = rng.random() < 0.4
    title = words.title(rng)
    return {
        "id": words.guid(rng),
        "requisitionId": f"R-{number + 1:05}",
        "title": title,
        "internalTitle": f"{title} ({rng.choice(('backfill', 'new', 'pool'))})",
        "visibility": "Confidential" if rng.random() < 0.1 else "Public",
        "status": "Closed" if closed else rng.choice(("Open", "Open", "Draft", "Archived")),
        "employmentType": rng.choice(("FullTime", "PartTime", "Intern", "Contract")),
        "departments": rng.sample(departments, rng.choice((1, 1, 1, 2, 3))),
        "location": location,
        "secondaryLocations": more,
        "hiringTeam": [{**one, "role": rng.choice(ROLES)} for one in team],
        "author": rng.choice(users),
        "createdAt": words.iso(created),
        "updatedAt": words.iso(changed),
        "openedAt": words.often(rng, 0.8, words.iso(opened)),
        "closedAt": words.iso(words.later(rng, opened, 200)) if closed else None,
        "customFields": [
            {"id": "cf_1", "title": "Cost centre", "value": f"0{rng.randrange(1000, 9999)}"},
            {"id": "cf_2", "title": "Confidential salary band", "value": rng.random() < 0.5},
        ],
        "openings": [
            {
                "id": words.guid(rng),
                "identifier": f"O-{number}-{n}",
                "state": rng.choice(("Approved", "Filled")),
            }
            for n in range(rng.randint(0, 3))
        ],
    }
