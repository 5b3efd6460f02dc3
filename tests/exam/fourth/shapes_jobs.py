"""SmartRecruiters' jobs: a hiring team by roles, locations, positions with dates, departments in a tree."""

from __future__ import annotations

from random import Random

from tests.exam.fourth import texts
from tests.exam.third import vocabulary as words
from tests.exam.third.engine import JOB, Row, World

NAME = "smartrecruiters"
UNITS = words.listed(
    "Operations|Commercial|Technology|Warehouse & Transport|Customer Success|Field Sales|Platform|Data|"
    "Quality|Forschung & Entwicklung|Legal|Payroll"
)
ROLES = words.listed(
    "Warehouse Lead|R&D Engineer|C# Developer|Account Manager|Chef de Partie|Ingénieur QA|Nurse (night shift)|"
    "Data Analyst|Fahrer C/E|UX Writer & Editor"
)
COUNTRIES = {"us": "United States", "de": "Germany", "se": "Sweden", "pl": "Poland"} | {
    "gb": "United Kingdom",
    "fr": "France",
}
STATUSES = ("CREATED", "SOURCING", "INTERVIEW", "OFFER", "FILLED", "ON_HOLD", "CANCELLED")


def _departments(rng: Random) -> list[Row]:
    made: list[Row] = []
    for at, label in enumerate(UNITS):
        created = words.moment(rng, 2018, 2019)
        made.append(
            {
                "id": str(2_310_400 + at * 17),
                "label": label,
                "externalId": f"OU{at + 1:03}",
                "createdOn": texts.epoch_millis(created),
                "updatedOn": texts.epoch_millis(words.later(rng, created)),
                "parent": None,
                "children": [],
            }
        )
    for at, one in enumerate(made[3:], 3):
        above = made[(at - 3) // 2] if at < 9 else made[at - 5]
        one["parent"] = {"id": above["id"], "externalId": above["externalId"]}
        above["children"].append({"id": one["id"], "externalId": one["externalId"]})
    return made


def _locations(rng: Random) -> list[Row]:
    return [
        {
            "id": words.guid(rng),
            "city": city,
            "region": state,
            "countryCode": code.lower(),
            "postalCode": postal,
            "address": f"{rng.choice(words.STREETS)} {rng.randint(1, 99)}",
            "remote": at % 5 == 4,
        }
        for at, (city, state, postal, _, code, _) in enumerate(words.PLACES)
    ]


def _users(rng: Random) -> list[Row]:
    made: list[Row] = []
    for _ in range(26):
        first, last = words.person(rng).split(" ", 1)
        made.append(
            {
                "id": words.hexadecimal(rng),
                "firstName": first,
                "lastName": last,
                "email": words.address_of(f"{first} {last}", "staff.example"),
            }
        )
    return made


def _team(rng: Random, users: list[Row]) -> list[Row]:
    roles = ["HIRING_MANAGER"] * rng.choice((1, 1, 1, 2)) + ["RECRUITER"] * rng.choice((0, 1, 2, 2))
    roles += ["COORDINATOR"] * (rng.random() < 0.35) + ["INTERVIEW_TEAM"] * rng.choice((0, 1, 2))
    rng.shuffle(roles)
    people = rng.sample(users, len(roles))
    leads = [at for at, role in enumerate(roles) if role == "RECRUITER"]
    lead = rng.choice(leads) if leads else -1
    return [
        {**one, "role": role, "lead": at == lead}
        for at, (one, role) in enumerate(zip(people, roles, strict=True))
    ]


def _raw(rng: Random, at: int, known: dict[str, list[Row]]) -> Row:
    created = words.moment(rng)
    updated = words.later(rng, created, 200)
    role = rng.choice(ROLES)
    template = rng.random() < 0.3
    opened = words.later(rng, created, 40)
    units = rng.choices((0, 1, 2), (1, 8, 3))[0]
    return {
        "id": words.guid(rng),
        "title": " ".join(filter(None, (rng.choice(("Senior", "Junior", "", "")), role, f"#{at % 60 + 1}"))),
        "refNumber": f"REF{at // 2 + 1000}{'A' if at % 2 else 'B'}",
        "createdOn": words.millis(created),
        "updatedOn": words.millis(updated),
        "status": rng.choice(STATUSES),
        "postingStatus": rng.choices(("PUBLIC", "INTERNAL", "NOT_PUBLISHED", "PRIVATE"), (6, 2, 2, 2))[0],
        "template": {"id": words.hexadecimal(rng, 8), "title": f"{role} (template)"} if template else None,
        "departments": rng.sample(known["departments"], units),
        "locations": rng.sample(known["locations"], rng.choice((0, 1, 1, 2, 3))),
        "hiringTeam": _team(rng, known["users"]),
        "positions": [
            {
                "type": rng.choice(("NEW", "REPLACEMENT")),
                "positionOpenDate": words.millis(opened),
                "targetStartDate": f"{words.later(rng, opened, 90):%d.%m.%Y}",
            }
            for _ in range(rng.choice((0, 1, 1, 2)))
        ],
        "compensation": {"min": rng.randint(20, 60) * 1000, "max": rng.randint(61, 140) * 1000},
        "jobAd": {"sections": {"jobDescription": {"title": "Job", "text": texts.markup(rng)}}},
        "properties": [{"id": "grade", "value": {"id": str(rng.randint(1, 9)), "label": "Grade"}}],
    }


def department_of(one: Row) -> Row:
    """The sound mapping of a department."""
    parent = one["parent"]
    return {
        "id": one["id"],
        "created_at": texts.from_millis(one["createdOn"]),
        "modified_at": texts.from_millis(one["updatedOn"]),
        "name": one["label"],
        "parent_id": parent and parent["id"],
        "parent_department_external_id": parent and parent["externalId"],
        "child_ids": [child["id"] for child in one["children"]],
        "child_department_external_ids": [child["externalId"] for child in one["children"]],
        "raw_data": one,
    }


def office_of(one: Row) -> Row:
    """The sound mapping of a location."""
    return {
        "id": one["id"],
        "name": f"{one['city']}, {COUNTRIES[one['countryCode']]}",
        "city": one["city"],
        "country": COUNTRIES[one["countryCode"]],
        "postal_code": one["postalCode"],
    }


def person_of(one: Row) -> Row:
    """The sound mapping of a member of the team."""
    return {"id": one["id"], "name": f"{one['firstName']} {one['lastName']}", "email": one["email"]}


def team_of(raw: Row, role: str) -> list[Row]:
    """The members of a role, as the third party has them."""
    return [one for one in raw["hiringTeam"] if one["role"] == role]


def recruiter_of(one: Row) -> Row:
    """The sound mapping of a recruiter."""
    return {**person_of(one), "primary": one["lead"]}


def job_of(raw: Row) -> Row:
    """The sound mapping."""
    return {
        "id": raw["id"],
        "created_at": raw["createdOn"],
        "modified_at": raw["updatedOn"],
        "name": raw["title"],
        "confidential": raw["postingStatus"] == "PRIVATE",
        "departments": [department_of(one) for one in raw["departments"]],
        "offices": [office_of(one) for one in raw["locations"]],
        "hiring_managers": [person_of(one) for one in team_of(raw, "HIRING_MANAGER")],
        "recruiters": [recruiter_of(one) for one in team_of(raw, "RECRUITER")],
        "raw_data": raw,
    }


TRUTH = {
    "id": "id",
    "created_at": "createdOn",
    "modified_at": "updatedOn",
    "name": "title",
    "confidential": "postingStatus is PRIVATE",
    "departments": "departments",
    "offices": "locations",
    "hiring_managers": "hiringTeam of the role HIRING_MANAGER",
    "recruiters": "hiringTeam of the role RECRUITER",
}


def smartrecruiters(seed: int) -> World:
    """Jobs of SmartRecruiters."""
    rng = Random(f"{seed}:{NAME}")
    known = {"departments": _departments(rng), "locations": _locations(rng), "users": _users(rng)}
    return World(NAME, {JOB: [job_of(_raw(rng, at, known)) for at in range(230)]})
