"""Jobs as SmartRecruiters has them: units with parent and children, a team of persons with roles in capitals."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
COUNT = 600
ROLES = ("RECRUITER", "RECRUITER", "HIRING_MANAGER", "COORDINATOR", "SOURCER")


def job(raw: Row) -> Row:
    """The unified record of this job."""
    return {
        "id": raw["id"],
        "created_at": raw["createdOn"],
        "modified_at": raw["updatedOn"],
        "name": raw["title"],
        "confidential": raw["posting"]["visibility"] == "CONFIDENTIAL",
        "departments": [_department(one) for one in raw["orgUnits"]],
        "offices": [
            {"id": one["id"], "name": one["label"], "city": one["city"], "country": one["country"]["label"]}
            for one in raw["locations"]
        ],
        "hiring_managers": _people(raw, "HIRING_MANAGER"),
        "recruiters": _people(raw, "RECRUITER"),
        "raw_data": raw,
    }


def seconds(stamp: int) -> str:
    """Epoch seconds as ISO 8601."""
    return datetime.fromtimestamp(stamp, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _department(raw: Row) -> Row:
    parent = raw["parent"] or {"id": None, "code": None}
    return {
        "id": str(raw["id"]),
        "created_at": seconds(raw["created"]),
        "modified_at": seconds(raw["updated"]),
        "name": raw["label"],
        "parent_id": None if parent["id"] is None else str(parent["id"]),
        "parent_department_external_id": parent["code"],
        "child_ids": [str(one["id"]) for one in raw["children"]],
        "child_department_external_ids": [one["code"] for one in raw["children"]],
        "raw_data": raw,
    }


def member(raw: Row) -> Row:
    """The unified person of a member of the team."""
    person = raw["person"]
    names = {"first_name": person["firstName"], "last_name": person["lastName"]}
    return {"id": person["id"], **names, "email": person["email"]}


def _people(raw: Row, role: str) -> list[Row]:
    return [member(one) for one in raw["hiringTeam"] if one["role"] == role]


def jobs(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:smartrecruiters")
    users = [_user(rng, n) for n in range(45)]
    units = _units(rng)
    places = [_place(rng, *one) for one in words.CITIES]
    return [job(_raw(rng, n, users, units, places)) for n in range(COUNT)]


def _user(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {"id": words.token(rng, 24, "0123456789abcdef"), "firstName": given, "lastName": family,
            "email": words.email(rng, number), "active": rng.random() < 0.9}  # fmt: skip


def _units(rng: Random) -> list[Row]:
    short = [
        {"id": 4000 + n * 3, "code": f"0{rng.randrange(100, 999)}-{n:02}"}
        for n in range(len(words.DEPARTMENTS))
    ]
    parents = {n: n % 4 for n in range(4, len(short))}
    made = []
    for n, name in enumerate(words.DEPARTMENTS):
        created = int(words.moment(rng, 2015, 2018).timestamp())
        made.append(
            {
                **short[n],
                "label": name,
                "publicLabel": f"Team {name}",
                "archived": n == 11,
                "parent": short[parents[n]] if n in parents else None,
                "children": [short[child] for child, of in parents.items() if of == n],
                "created": created,
                "updated": created + rng.randrange(1000, 90_000_000),
            }
        )
    return made


def _place(rng: Random, city: str, state: str, country: str, code: str) -> Row:
    return {
        "id": words.guid(rng),
        "label": f"{city} office",
        "remote": rng.random() < 0.2,
        "city": city,
        "region": state,
        "postalCode": code,
        "country": {"code": country[:2].lower(), "label": country},
    }


def _raw(rng: Random, number: int, users: list[Row], units: list[Row], places: list[Row]) -> Row:
    created = words.moment(rng, 2019, 2024)
    published = words.later(rng, created, 20)
    closed = rng.random() < 0.4
    title = words.title(rng)
    visibility = "CONFIDENTIAL" if rng.random() < 0.1 else rng.choice(("PUBLIC", "PUBLIC", "INTERNAL"))
    return {
        "id": words.guid(rng),
        "refNumber": f"REF{number + 1:05}K",
        "title": title,
        "internalTitle": f"{title} ({rng.choice(('backfill', 'new', 'pool'))})",
        "posting": {"visibility": visibility, "language": {"code": "en"}, "channels": rng.randrange(5)},
        "status": "FILLED" if closed else rng.choice(("SOURCING", "SOURCING", "CREATED", "ON_HOLD")),
        "typeOfEmployment": rng.choice(
            ({"id": "permanent", "label": "Full-time"}, {"id": "intern", "label": "Intern"})
        ),
        "orgUnits": rng.sample(units, rng.choice((1, 1, 1, 2, 3))),
        "locations": rng.sample(places, rng.choice((1, 1, 1, 2, 3))),
        "hiringTeam": [
            {"role": rng.choice(ROLES), "person": one} for one in rng.sample(users, rng.randint(0, 6))
        ],
        "creator": {"role": "CREATOR", "person": rng.choice(users)},
        "createdOn": words.iso(created),
        "updatedOn": words.iso(words.later(rng, created, 300)),
        "publishedOn": words.often(rng, 0.8, words.iso(published)),
        "closedOn": words.iso(words.later(rng, published, 200)) if closed else None,
        "properties": [
            {"id": "cost_centre", "label": "Cost centre", "value": f"0{rng.randrange(1000, 9999)}"},
            {"id": "salary", "label": "Confidential salary band", "value": rng.random() < 0.5},
        ],
        "positions": [
            {"id": words.guid(rng), "number": n + 1, "state": rng.choice(("OPEN", "FILLED"))}
            for n in range(rng.randint(0, 3))
        ],
    }
