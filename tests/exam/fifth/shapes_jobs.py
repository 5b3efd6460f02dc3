"""Workable's jobs: a chain of departments, several locations, members with roles, dates with and without parts."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]

NAME = "workable"
TREE = (
    ("Engineering", None),
    ("Platform", "Engineering"),
    ("Mobile", "Engineering"),
    ("Databases", "Platform"),
    ("Réseau & sécurité", "Platform"),
    ("Sales", None),
    ("Vertrieb DACH", "Sales"),
    ("Enterprise", "Sales"),
    ("Key Accounts", "Enterprise"),
    ("人事部", None),
    ("Finance", None),
    ("Payroll", "Finance"),
    ("Support", None),
)
ROLES = ("recruiter", "hiring_manager", "reviewer", "standard")
DECORATED = ("🚀 ", "", "", "", "", "")
ENDINGS = (" - Remote", " – 80%", " - Night shift", "", "", "", "", "")
COUNTRIES = {
    "United States": "US",
    "Germany": "DE",
    "Switzerland": "CH",
    "Brazil": "BR",
    "日本": "JP",
    "Россия": "RU",
    "United Kingdom": "GB",
    "Poland": "PL",
    "India": "IN",
}


def _stamp(rng: Random, at: Any) -> str:
    return words.iso_seconds(at) if rng.random() < 0.3 else words.iso(at)


def _departments(rng: Random) -> dict[str, Row]:
    made: dict[str, Row] = {}
    for name, above in TREE:
        parent = made[above]["id"] if above else None
        made[name] = {
            "id": words.token(rng, 6, "0123456789abcdef"),
            "name": name,
            "parent_id": parent,
            "sample": False,
        }
    return made


def _chain(name: str, departments: dict[str, Row]) -> list[Row]:
    parents = dict(TREE)
    names = [name]
    while above := parents[names[0]]:
        names.insert(0, above)
    return [departments[one] for one in names]


def _location(rng: Random, number: int) -> Row:
    city, region, country, code = rng.choice(words.CITIES)
    away = rng.random() < 0.12
    given = None if away else city
    return {
        "id": 55_000 + number,
        "location_str": country if away else f"{city}, {country}",
        "city": given,
        "region": None if away else region,
        "country": country,
        "country_code": COUNTRIES[country],
        "zip_code": None if away else code,
        "telecommuting": away,
    }


def _raw(rng: Random, departments: dict[str, Row], sites: list[Row], people: list[Row]) -> Row:
    created = words.moment(rng, 2021, 2024)
    title = f"{rng.choice(DECORATED)}{words.title(rng)}{rng.choice(ENDINGS)}"
    code = words.often(rng, 0.5, f"{rng.choice('ABCDEFG')}-{rng.randint(100, 999)}")
    shortcode = words.token(rng, 10, "0123456789ABCDEF")
    chosen = rng.sample(people, rng.choice((2, 3, 3, 4, 5)))
    members = [{**one, "role": rng.choices(ROLES, (4, 4, 3, 2))[0]} for one in chosen]
    here = rng.sample(sites, rng.choices((1, 2, 3, 4), (60, 24, 12, 4))[0])
    return {
        "id": words.token(rng, 7, "0123456789abcdef"),
        "title": title,
        "full_title": f"{title} - {code}" if code else title,
        "shortcode": shortcode,
        "code": code,
        "state": rng.choices(("published", "draft", "closed", "archived"), (60, 8, 20, 12))[0],
        "sample": False,
        "confidential": rng.random() < 0.07,
        "department_hierarchy": _chain(rng.choice(TREE)[0], departments),
        "url": f"https://nordwind.workable.example/jobs/{rng.randrange(10**6, 10**7)}",
        "shortlink": f"https://apply.workable.example/j/{shortcode}",
        "workplace_type": rng.choice(("on_site", "hybrid", "remote")),
        "locations": here,
        "salary": {"salary_from": 40_000, "salary_to": 65_000, "salary_currency": "eur"},
        "members": members,
        "created_at": _stamp(rng, created),
        "updated_at": _stamp(rng, words.later(rng, created)),
    }


def moment(text: str) -> str:
    """The sound form of a date."""
    return words.iso(words.parsed(text))


def person_of(one: Row) -> Row:
    """The sound mapping of a member."""
    return {"id": one["id"], "name": one["name"], "email": one["email"]}


def office_of(one: Row) -> Row:
    """The sound mapping of a location."""
    inside = {name: one[name] for name in ("city", "region", "country")}
    return {"id": str(one["id"]), "name": one["location_str"], "location": inside}


def department_of(one: Row, children: dict[str, list[str]]) -> Row:
    """The sound mapping of a department."""
    return {
        "id": one["id"],
        "name": one["name"],
        "created_at": None,
        "modified_at": None,
        "parent_id": one["parent_id"],
        "parent_department_external_id": None,
        "child_ids": children.get(one["id"], []),
        "child_department_external_ids": [],
        "raw_data": one,
    }


def job_of(raw: Row, children: dict[str, list[str]]) -> Row:
    """The sound mapping."""
    roles = {
        role: [person_of(one) for one in raw["members"] if one["role"] == role]
        for role in ("hiring_manager", "recruiter")
    }
    return {
        "id": raw["id"],
        "created_at": moment(raw["created_at"]),
        "modified_at": moment(raw["updated_at"]),
        "name": raw["title"],
        "confidential": raw["confidential"],
        "departments": [department_of(one, children) for one in raw["department_hierarchy"]],
        "offices": [office_of(one) for one in raw["locations"]],
        "hiring_managers": roles["hiring_manager"],
        "recruiters": roles["recruiter"],
        "raw_data": raw,
    }


TRUTH = {
    "id": "id",
    "created_at": "created_at",
    "modified_at": "updated_at",
    "name": "title",
    "confidential": "confidential",
    "departments": "department_hierarchy",
    "offices": "locations",
    "hiring_managers": "members[role=hiring_manager]",
    "recruiters": "members[role=recruiter]",
}


def children_of(raws: list[Row]) -> dict[str, list[str]]:
    """Department id: the ids of those right below it."""
    known = {one["id"]: one["parent_id"] for raw in raws for one in raw["department_hierarchy"]}
    above = {parent for parent in known.values() if parent}
    return {parent: sorted(of for of, one in known.items() if one == parent) for parent in above}


def raws(seed: int, count: int = 330) -> list[Row]:
    """Jobs as Workable tells them."""
    rng = Random(f"{seed}:{NAME}")
    departments = _departments(rng)
    sites = [_location(rng, number) for number in range(22)]
    people = []
    for number in range(36):
        first, last = words.person(rng)
        of = words.token(rng, 8, "0123456789abcdef")
        people.append(
            {"id": of, "name": f"{first} {last}", "email": words.email(rng, number), "active": True}
        )
    return [_raw(rng, departments, sites, people) for _ in range(count)]


def jobs_of(made: list[Row]) -> list[Row]:
    """What a sound connector lists of these."""
    children = children_of(made)
    return [job_of(raw, children) for raw in made]


def jobs(seed: int) -> list[Row]:
    """What a sound connector lists."""
    return jobs_of(raws(seed))
