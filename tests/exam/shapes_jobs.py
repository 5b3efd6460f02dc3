"""Jobs as Greenhouse and as Lever have them, and what a unified job is made of in each."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words
from tests.exam.mapping import Json, made
from tests.exam.world import Shape, World, listing

PERSON = (
    made("id", "id", how="as text"),
    made("first_name", "first_name"),
    made("last_name", "last_name"),
    made("name", "name"),
    made("employee_id", "employee_id"),
)
GREENHOUSE_JOB = (
    made("id", "id", how="as text"),
    made("created_at", "created_at"),
    made("modified_at", "updated_at"),
    made("name", "name"),
    made("confidential", "confidential"),
    made(
        "departments",
        "departments",
        how=(
            made("id", "id", how="as text"),
            made("name", "name"),
            made("parent_id", "parent_id", how="as text"),
            made("parent_department_external_id", "parent_department_external_id"),
            made("child_ids", "child_ids", how="as texts"),
            made("child_department_external_ids", "child_department_external_ids", how="as texts"),
            made("raw_data", ""),
        ),
    ),
    made(
        "offices",
        "offices",
        how=(made("id", "id", how="as text"), made("name", "name"), made("location", "location/name")),
    ),
    made("hiring_managers", "hiring_team/hiring_managers", how=PERSON),
    made("recruiters", "hiring_team/recruiters", how=PERSON),
)
LEVER_PERSON = (made("id", "id"), made("name", "name"), made("email", "email"))
LEVER_JOB = (
    made("id", "id"),
    made("created_at", "createdAt", how="date of milliseconds"),
    made("modified_at", "updatedAt", how="date of milliseconds"),
    made("name", "text"),
    made("confidential", "confidentiality", how="is confidential"),
    made("departments", "categories", how=(made("name", "department"),)),
    made("offices", "categories", how=(made("name", "location"),)),
    made("hiring_managers", "hiringManager", how=LEVER_PERSON),
    made("recruiters", "owner", how=LEVER_PERSON),
)


def _greenhouse_departments(rng: Random) -> list[Json]:
    """A tree of two levels: the second half of them have parents in the first."""
    ids = rng.sample(range(4_011_000_002, 4_011_990_002), len(words.DEPARTMENTS))
    tree: list[Json] = [
        {
            "id": ids[n],
            "name": name,
            "parent_id": None,
            "parent_department_external_id": None,
            "child_ids": [],
            "child_department_external_ids": [],
            "external_id": words.often(rng, 0.6, f"D-{n:03d}"),
        }
        for n, name in enumerate(words.DEPARTMENTS)
    ]
    for one in tree[6:]:
        parent = rng.choice(tree[:6])
        one["parent_id"], one["parent_department_external_id"] = parent["id"], parent["external_id"]
        parent["child_ids"].append(one["id"])
        if one["external_id"]:
            parent["child_department_external_ids"].append(one["external_id"])
    return tree


def _greenhouse_offices(rng: Random) -> list[Json]:
    return [
        {
            "id": 4_000_500_002 + 7 * n,
            "name": f"{city} {rng.choice(('HQ', 'Office', 'Studio'))}",
            "location": {"name": f"{city}, {state}, {country}"},
            "primary_contact_user_id": words.often(rng, 0.5, rng.randrange(4_000_000, 4_900_000)),
            "parent_id": None,
            "parent_office_external_id": None,
            "child_ids": [],
            "child_office_external_ids": [],
            "external_id": None,
        }
        for n, (city, state, country, _) in enumerate(words.CITIES)
    ]


def _greenhouse_people(rng: Random) -> list[Json]:
    people = []
    for n in range(45):
        first, last = words.person(rng)
        number = words.often(rng, 0.8, f"{rng.randrange(100, 99_999):06d}")
        whom = {"first_name": first, "last_name": last, "name": f"{first} {last}", "employee_id": number}
        people.append({"id": 4_084_275_002 + 13 * n, **whom})
    return people


def greenhouse(rng: Random, count: int = 260) -> World:
    """Jobs of the Harvest API."""
    departments, offices, people = (
        _greenhouse_departments(rng),
        _greenhouse_offices(rng),
        _greenhouse_people(rng),
    )
    raws: list[Json] = []
    for n in range(count):
        created = words.moment(rng)
        opened = words.later(rng, created, 20)
        closed = words.often(rng, 0.3, words.later(rng, opened, 120))
        recruiters = words.few(rng, people, 0, 3)
        raw: Json = {
            "id": 4_000_123_002 + n * 37 + rng.randrange(30),
            "name": words.title(rng),
            "requisition_id": words.often(rng, 0.8, f"REQ-{rng.randrange(10_000):04d}"),
            "notes": words.often(rng, 0.5, f"<p>{words.text(rng)}</p>"),
            "confidential": rng.random() < 0.3,
            "is_template": rng.random() < 0.05,
            "copied_from_id": words.often(rng, 0.3, rng.randrange(4_000_000_002, 4_000_100_002)),
            "status": "closed" if closed else rng.choice(("open", "open", "draft")),
            "created_at": words.iso(created),
            "opened_at": words.iso(opened),
            "closed_at": words.iso(closed) if closed else None,
            "updated_at": words.iso(words.later(rng, closed or opened, 90)),
            "departments": words.few(rng, departments, 1, 3),
            "offices": words.few(rng, offices, 0, 4),
            "hiring_team": {
                "hiring_managers": words.few(rng, people, 1, 2),
                "recruiters": [{**one, "responsible": at == 0} for at, one in enumerate(recruiters)],
                "coordinators": [{**one, "responsible": False} for one in words.few(rng, people, 0, 2)],
                "sourcers": [],
            },
            "openings": [
                {
                    "id": 4_300_000_002 + 5 * n + k,
                    "opening_id": f"{n}-{k + 1}",
                    "status": "closed" if closed else "open",
                    "opened_at": words.iso(opened),
                    "closed_at": words.iso(closed) if closed else None,
                    "application_id": None,
                    "close_reason": None,
                }
                for k in range(rng.randint(1, 2))
            ],
            "custom_fields": {
                "employment_type": rng.choice(("Full-Time", "Part-Time", "Contract", None)),
                "maximum_budget": words.often(rng, 0.4, str(rng.randrange(40, 200) * 1000)),
            },
        }
        raws.append(raw)
    return World("greenhouse", [listing("ats/job", "A", raws, GREENHOUSE_JOB)])


def lever(rng: Random, count: int = 140) -> World:
    """Postings, with the users of each expanded."""
    people: list[Json] = []
    for n in range(30):
        name = " ".join(words.person(rng))
        people.append({"id": words.guid(rng), "name": name, "email": words.email(rng, n)})
    places = [city for city, *_ in words.CITIES]
    raws: list[Json] = []
    for _ in range(count):
        created = words.moment(rng, 2015)
        others = words.few(rng, places, 1, 4)
        body = words.text(rng)
        uid = words.guid(rng)
        categories: dict[str, Any] = {
            "team": rng.choice(words.DEPARTMENTS),
            "department": rng.choice(words.DEPARTMENTS),
            "location": rng.choice(others),
            "allLocations": others,
            "commitment": rng.choice(("Full-time", "Part-time", "Intern", "Contract")),
            "level": None,
        }
        raws.append(
            {
                "id": uid,
                "text": words.title(rng),
                "createdAt": words.millis(created),
                "updatedAt": words.millis(words.later(rng, created)),
                "user": rng.choice(people),
                "owner": words.often(rng, 0.9, rng.choice(people)),
                "hiringManager": words.often(rng, 0.8, rng.choice(people)),
                "confidentiality": rng.choice(("non-confidential", "non-confidential", "confidential")),
                "categories": categories,
                "tags": words.few(rng, ("remote", "urgent", "Führung", "新卒", "2024", "H&R"), 0, 3),
                "state": rng.choice(("published", "internal", "closed", "draft", "pending")),
                "distributionChannels": ["internal", "public"],
                "reqCode": words.often(rng, 0.5, f"{rng.randrange(1000):04d}"),
                "requisitionCodes": [],
                "salaryRange": words.often(
                    rng, 0.3, {"max": rng.randrange(90, 200) * 1000, "min": 60_000, "currency": "EUR"}
                ),
                "salaryDescription": None,
                "content": {
                    "description": body,
                    "descriptionHtml": f"<div>{body}</div>",
                    "lists": [],
                    "closing": "",
                },
                "country": rng.choice(("US", "DE", "FR", "JP", "BR", None)),
                "workplaceType": rng.choice(("onsite", "remote", "hybrid", "unspecified")),
                "followers": [rng.choice(people)["id"]],
                "urls": {
                    "list": "https://jobs.lever.co/example",
                    "show": f"https://jobs.lever.co/example/{uid}",
                    "apply": f"https://jobs.lever.co/example/{uid}/apply",
                },
            }
        )
    return World("lever", [listing("ats/job", "A", raws, LEVER_JOB)])


GREENHOUSE = Shape("greenhouse", greenhouse)
LEVER = Shape("lever", lever)
