"""Teamtailor's jobs: JSON:API with kebab-case attributes, relationships and included resources."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import JOB, Row, World

UNITS = words.listed(
    "Engineering|Backend|Frontend|Sales|Inside Sales|Försäljning|People & Culture|Finance|Support|Customer Care|"
    "Logistik|R&D"
)
ROLES = (
    "Engineer",
    "Account Executive",
    "Säljare",
    "C++ Developer",
    "Head of R&D",
    "Kundtjänst",
    "iOS Developer",
)
HINTS = ("(m/w/d)", "– Malmö", "Part-time, 50%", "/ Summer 2024", "")


def _local(rng: Random, at: datetime) -> str:
    """With the offset of an office: the same moment, told elsewhere."""
    hours = rng.choice((0, 1, 2, 2, -5))
    told = at.astimezone(timezone(timedelta(hours=hours)))
    return f"{told:%Y-%m-%dT%H:%M:%S}.{told.microsecond // 1000:03}{told:%z}"[:-2] + ":00"


def instant(told: str) -> datetime:
    """The moment that a text with an offset or a Z means."""
    return datetime.fromisoformat(told).astimezone(UTC)


def _links(kind: str, numbers: list[str]) -> Row:
    return {"data": [{"type": kind, "id": one} for one in numbers]}


def _departments(rng: Random) -> dict[str, Row]:
    made: dict[str, Row] = {}
    for at, name in enumerate(UNITS):
        number = str(5100 + at * 3)
        parent = str(5100 + (at % 4) * 3) if at >= 4 else None
        created = words.moment(rng, 2018, 2019)
        made[number] = {
            "id": number,
            "type": "departments",
            "attributes": {
                "name": name,
                "external-id": f"DEP-{at:03}",
                "created-at": _local(rng, created),
                "updated-at": _local(rng, words.later(rng, created)),
            },
            "relationships": {"parent": {"data": parent and {"type": "departments", "id": parent}}},
        }
    for number, one in made.items():
        under = [key for key, other in made.items() if (_parent(other)) == number]
        one["relationships"]["children"] = _links("departments", under)
        outer = _parent(one)
        one["attributes"]["parent-external-id"] = outer and made[outer]["attributes"]["external-id"]
        one["attributes"]["child-external-ids"] = [made[key]["attributes"]["external-id"] for key in under]
    return made


def _parent(department: Row) -> str | None:
    at = department["relationships"]["parent"]["data"]
    return at["id"] if at else None


def _offices(rng: Random) -> dict[str, Row]:
    made: dict[str, Row] = {}
    for at, (city, state, code, country, _, phone) in enumerate(words.PLACES):
        number = str(880 + at * 11)
        street = f"{rng.choice(words.STREETS)} {rng.randint(1, 99)}"
        attributes: Row = {"name": f"{city} office", "city": city, "region": state, "country": country}
        attributes |= {"address": street, "zip": code, "phone": f"{phone}0000", "headquarters": at == 4}
        made[number] = {"id": number, "type": "locations", "attributes": attributes}
    return made


def _users(rng: Random) -> dict[str, Row]:
    made: dict[str, Row] = {}
    for at in range(24):
        name, number = words.person(rng), str(30100 + at * 5)
        attributes = {
            "name": name,
            "email": words.address_of(name, "corp.example"),
            "title": rng.choice(ROLES),
        }
        made[number] = {"id": number, "type": "users", "attributes": attributes}
    return made


def _raw(rng: Random, at: int, known: dict[str, dict[str, Row]]) -> Row:
    created = words.moment(rng)
    published = rng.random() < 0.7
    title = " ".join(
        filter(None, (rng.choice(("Senior", "Junior", "")), rng.choice(ROLES), rng.choice(HINTS)))
    )
    drawn = {
        kind: rng.sample(list(known[kind]), most)
        for kind, most in (("departments", rng.choice((1, 1, 2, 3))), ("locations", rng.choice((0, 1, 2, 3))))
    }
    people = rng.sample(list(known["users"]), 5)
    managers, recruiters = people[: rng.choice((1, 1, 2))], people[2 : 2 + rng.choice((0, 1, 2, 3))]
    status = rng.choices(("open", "draft", "archived", "unlisted"), (6, 2, 3, 1))[0]
    least = rng.randint(20, 90) * 100_000
    raw: Row = {
        "id": str(4_410_000 + at * 13 + rng.randrange(13)),
        "type": "jobs",
        "links": {"careersite-job-url": f"https://career.example/jobs/{at}"},
        "attributes": {
            "title": title,
            "internal-name": f"REQ-{at:04} {title}",
            "body": rng.choice(words.HTML),
            "pitch": words.prose(rng, 1),
            "created-at": _local(rng, created),
            "updated-at": _local(rng, words.later(rng, created, 200)),
            "start-date": f"{words.later(rng, created):%Y-%m-%d}" if published else None,
            "status": status,
            "internal": rng.random() < 0.15,
            "pinned": rng.random() < 0.1,
            "language-code": rng.choice(("sv", "en", "de")),
            "apply-button-text": {"sv": "Sök jobbet", "en": "Apply", "de": "Jetzt bewerben"},
            "min-salary-minor": least,
            "max-salary-minor": least + rng.randint(1, 50) * 100_000,
            "currency": rng.choice(("SEK", "EUR", "GBP")),
            "tags": rng.sample(["remote", "urgent", "été"], rng.randrange(3)),
        },
        "relationships": {
            "departments": _links("departments", drawn["departments"]),
            "locations": _links("locations", drawn["locations"]),
            "hiring-managers": _links("users", managers),
            "recruiters": {
                "data": [
                    {"type": "users", "id": one, "meta": {"primary": one == recruiters[-1]}}
                    for one in recruiters
                ]
            },
        },
    }
    pairs = (*drawn.items(), ("users", managers + recruiters))
    raw["included"] = [known[kind][number] for kind, numbers in pairs for number in numbers]
    return raw


def linked(raw: Row, name: str) -> list[Row]:
    """The included resources that a relationship names."""
    found = {(one["type"], one["id"]): one for one in raw["included"]}
    return [found[one["type"], one["id"]] for one in raw["relationships"][name]["data"]]


def department_of(one: Row) -> Row:
    """The sound mapping of a department."""
    attributes = one["attributes"]
    return {
        "id": one["id"],
        "created_at": words.millis(instant(attributes["created-at"])),
        "modified_at": words.millis(instant(attributes["updated-at"])),
        "name": attributes["name"],
        "parent_id": _parent(one),
        "parent_department_external_id": attributes["parent-external-id"],
        "child_ids": [child["id"] for child in one["relationships"]["children"]["data"]],
        "child_department_external_ids": attributes["child-external-ids"],
        "raw_data": one,
    }


def _office(one: Row) -> Row:
    attributes = one["attributes"]
    return {
        "id": one["id"],
        "name": attributes["name"],
        "city": attributes["city"],
        "country": attributes["country"],
    }


def person_of(one: Row) -> Row:
    """The sound mapping of a user."""
    return {"id": one["id"], "name": one["attributes"]["name"], "email": one["attributes"]["email"]}


def job_of(raw: Row) -> Row:
    """The sound mapping."""
    attributes = raw["attributes"]
    first = {one["id"] for one in raw["relationships"]["recruiters"]["data"] if one["meta"]["primary"]}
    return {
        "id": raw["id"],
        "created_at": words.millis(instant(attributes["created-at"])),
        "modified_at": words.millis(instant(attributes["updated-at"])),
        "name": attributes["title"],
        "confidential": attributes["internal"],
        "departments": [department_of(one) for one in linked(raw, "departments")],
        "offices": [_office(one) for one in linked(raw, "locations")],
        "hiring_managers": [person_of(one) for one in linked(raw, "hiring-managers")],
        "recruiters": [
            {**person_of(one), "primary": one["id"] in first} for one in linked(raw, "recruiters")
        ],
        "raw_data": raw,
    }


TRUTH = {
    "id": "id",
    "created_at": "attributes.created-at",
    "modified_at": "attributes.updated-at",
    "name": "attributes.title",
    "confidential": "attributes.internal",
    "departments": "relationships.departments.data",
    "offices": "relationships.locations.data",
    "hiring_managers": "relationships.hiring-managers.data",
    "recruiters": "relationships.recruiters.data",
}


def teamtailor(seed: int) -> World:
    """Jobs of Teamtailor."""
    rng = Random(f"{seed}:teamtailor")
    known = {"departments": _departments(rng), "locations": _offices(rng), "users": _users(rng)}
    return World("teamtailor", {JOB: [job_of(_raw(rng, at, known)) for at in range(160)]})
