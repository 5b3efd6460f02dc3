"""Jobs as Ashby has them: departments in a tree, a team with roles, places with addresses, dates to the millisecond."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
COUNT = 260
STATES = ("Draft", "Open", "Open", "Open", "Closed", "Archived")
MANAGER, RECRUITER = "Hiring Manager", "Recruiter"
ROLES = (MANAGER, RECRUITER, "Sourcer", "Recruiting Coordinator")
TREE = (
    ("Engineering", None),
    ("EMEA", None),
    ("APAC", None),
    ("People", None),
    ("Platform", 0),
    ("Mobile", 0),
    ("Operations", 1),
    ("Sales", 1),
    ("Operations", 2),
    ("Sales", 2),
    ("Site reliability", 4),
    ("Opérations terrain", 6),
    ("新卒採用", 3),
)
"""Name and number of the department above: two names stand at two places."""


def job(raw: Row) -> Row:
    """The unified record of this job."""
    places = [raw["location"], *raw["secondaryLocations"]]
    return {
        "id": raw["id"],
        "created_at": raw["createdAt"],
        "modified_at": raw["updatedAt"],
        "name": raw["title"],
        "confidential": raw["confidential"],
        "departments": [department(raw["department"])] if raw["department"] else [],
        "offices": [office(one) for one in places if one],
        "hiring_managers": [person(one) for one in raw["hiringTeam"] if one["role"] == MANAGER],
        "recruiters": [person(one) for one in raw["hiringTeam"] if one["role"] == RECRUITER],
        "raw_data": raw,
    }


def department(raw: Row) -> Row:
    return {
        "id": raw["id"],
        "created_at": raw["createdAt"],
        "modified_at": raw["updatedAt"],
        "name": raw["name"],
        "parent_id": raw["parentId"],
        "parent_department_external_id": None,
        "child_ids": [one["id"] for one in raw["children"]],
        "child_department_external_ids": [],
        "raw_data": raw,
    }


def office(raw: Row) -> Row:
    address = raw["address"]["postalAddress"]
    return {
        "id": raw["id"],
        "name": raw["name"],
        "city": address["addressLocality"],
        "region": address["addressRegion"],
        "country": address["addressCountry"],
        "remote": raw["isRemote"],
    }


def person(raw: Row) -> Row:
    return {
        "id": raw["userId"],
        "first_name": raw["firstName"],
        "last_name": raw["lastName"],
        "email": raw["email"],
    }


def jobs(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:ashby")
    departments = _departments(rng)
    places = [_place(rng, number) for number in range(len(words.CITIES))]
    people = [_person(rng, number) for number in range(26)]
    return [job(_raw(rng, number, departments, places, people)) for number in range(COUNT)]


def _departments(rng: Random) -> list[Row]:
    made: list[Row] = []
    for name, above in TREE:
        created = words.moment(rng, 2017, 2020)
        made.append(
            {
                "id": words.guid(rng),
                "name": name,
                "externalName": f"{name} team",
                "isArchived": rng.random() < 0.1,
                "parentId": None if above is None else made[above]["id"],
                "createdAt": words.iso(created),
                "updatedAt": words.iso(words.later(rng, created, 900)),
            }
        )
    for one in made:
        one["children"] = [
            {"id": below["id"], "name": below["name"]} for below in made if below["parentId"] == one["id"]
        ]
    return made


def _place(rng: Random, number: int) -> Row:
    city, region, country, _ = words.CITIES[number]
    return {
        "id": words.guid(rng),
        "name": f"{city} office" if number % 3 else f"{city} (remote)",
        "externalName": None,
        "isArchived": number == 5,
        "isRemote": number % 3 == 0,
        "parentLocationId": None,
        "address": {
            "postalAddress": {
                "addressLocality": city,
                "addressRegion": region,
                "addressCountry": country,
            }
        },
    }


def _person(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {
        "userId": words.guid(rng),
        "firstName": given,
        "lastName": family,
        "email": words.email(rng, number),
    }


def _raw(rng: Random, number: int, departments: list[Row], places: list[Row], people: list[Row]) -> Row:
    created = words.moment(rng, 2020, 2023)
    opened = words.later(rng, created, 60)
    changed = words.later(rng, opened, 300)
    state = rng.choice(STATES)
    within = rng.choice(departments) if rng.random() < 0.94 else None
    first, *others = rng.sample(places, rng.choice((1, 1, 2, 3)))
    team = [{**one, "role": rng.choice(ROLES)} for one in rng.sample(people, rng.randint(2, 6))]
    if rng.random() < 0.35:
        again = rng.choice(team)
        role = RECRUITER if again["role"] == MANAGER else MANAGER
        team.append({**again, "role": role})
    return {
        "id": words.guid(rng),
        "title": words.title(rng),
        "confidential": rng.random() < 0.18,
        "status": state,
        "employmentType": rng.choice(("FullTime", "PartTime", "Intern", "Contract", "Temporary")),
        "departmentId": within["id"] if within else None,
        "department": within,
        "locationId": first["id"],
        "location": first,
        "secondaryLocations": others,
        "hiringTeam": team,
        "customFields": [
            {
                "id": words.guid(rng),
                "title": "Cost centre",
                "isPrivate": False,
                "value": f"0{rng.randrange(1000, 9999)}",
            }
        ],
        "jobPostingIds": [words.guid(rng) for _ in range(rng.choice((0, 1, 1, 2)))],
        "customRequisitionId": words.often(rng, 0.5, f"REQ-{number:04d}"),
        "defaultInterviewPlanId": words.guid(rng),
        "author": people[number % len(people)],
        "openings": [{"id": words.guid(rng), "openedAt": words.iso(opened), "isArchived": False}],
        "createdAt": words.iso(created),
        "updatedAt": words.iso(changed),
        "openedAt": None if state == "Draft" else words.iso(opened),
        "closedAt": words.iso(words.later(rng, changed, 20)) if state in ("Closed", "Archived") else None,
    }
