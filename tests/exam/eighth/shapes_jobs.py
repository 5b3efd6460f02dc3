"""Jobs as Bullhorn has them: milliseconds since 1970, and each list of entities as its total and its data."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
COUNT = 230
BRANCHES = (
    ("Nord", "Süd", "Île-de-France"),
    ("東京支店", "Zürich HB", "Kraków"),
    ("Boston", "Newark", "São Paulo"),
)


def moment(value: int | None) -> str | None:
    """The milliseconds as text."""
    return (
        None if value is None else words.iso(datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=value))
    )


def job(raw: Row) -> Row:
    """The unified record of this job order."""
    owner, assigned = raw["owner"], raw["assignedUsers"]["data"]
    return {
        "id": str(raw["id"]),
        "created_at": moment(raw["dateAdded"]),
        "modified_at": moment(raw["dateLastModified"]),
        "name": raw["title"],
        "confidential": raw["confidentialSearch"] == "Yes",
        "departments": [department(one) for one in raw["categories"]["data"]],
        "offices": [office(one) for one in raw["locations"]["data"]],
        "hiring_managers": [person(raw["clientContact"])] if raw["clientContact"] else [],
        "recruiters": [
            person(one) for one in (owner, *(one for one in assigned if one["id"] != owner["id"]))
        ],
        "raw_data": raw,
    }


def person(raw: Row) -> Row:
    return {
        "id": str(raw["id"]),
        "first_name": raw["firstName"],
        "last_name": raw["lastName"],
        "email": raw["email"],
    }


def office(raw: Row) -> Row:
    place = raw["address"]
    return {
        "id": str(raw["id"]),
        "name": raw["title"],
        "city": place["city"],
        "state": place["state"],
        "country": place["countryName"],
    }


def department(raw: Row) -> Row:
    parent = str(raw["parent"]["id"]) if raw["parent"] else None
    children = [str(one["id"]) for one in raw["children"]["data"]]
    return {
        "id": str(raw["id"]),
        "created_at": moment(raw["dateAdded"]),
        "modified_at": moment(raw["dateLastModified"]),
        "name": raw["name"],
        "parent_id": parent,
        "parent_department_external_id": parent,
        "child_ids": children,
        "child_department_external_ids": list(children),
        "raw_data": raw,
    }


def many(data: list[Row]) -> Row:
    """Entities as they stand within another one."""
    return {"total": len(data), "data": data}


def jobs(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:bullhorn")
    users = [_person(rng, 1_040 + n * 3) for n in range(14)]
    users[3]["firstName"], users[8]["firstName"] = "Mary Ann", "Ana Sofía"
    clients = [_person(rng, 52_011 + n * 7) for n in range(30)]
    categories, locations = _categories(rng), _locations(rng)
    return [job(_raw(rng, n, users, clients, categories, locations)) for n in range(COUNT)]


def _person(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {"id": number, "firstName": given, "lastName": family, "email": words.email(rng, number)}


def _categories(rng: Random) -> list[Row]:
    """Fields of work in two levels; the same name stands below more than one."""
    made: list[Row] = []
    for number in range(16):
        added = words.moment(rng, 2015, 2018)
        made.append(
            {
                "id": 1_100 + number * 9,
                "name": words.DEPARTMENTS[number % 12],
                "enabled": True,
                "dateAdded": words.millis(added),
                "dateLastModified": words.millis(words.later(rng, added, 900)),
                "parent": None,
            }
        )
    for one in made[4:]:
        parent = rng.choice(made[:4])
        one["parent"] = {"id": parent["id"], "name": parent["name"]}
    for one in made:
        below = [{"id": each["id"]} for each in made if each["parent"] and each["parent"]["id"] == one["id"]]
        one["children"] = many(below)
    return made


def _locations(rng: Random) -> list[Row]:
    made = []
    for number in range(12):
        city, state, country, code = rng.choice(words.CITIES)
        place = {
            "address1": f"{rng.randrange(1, 90)} Hauptstrasse",
            "city": city,
            "state": words.often(rng, 0.7, state),
            "zip": code,
            "countryName": country,
        }
        title = f"{rng.choice(rng.choice(BRANCHES))} {number + 1}"
        made.append({"id": 310 + number, "title": title, "address": place})
    return made


def _raw(
    rng: Random,
    number: int,
    users: list[Row],
    clients: list[Row],
    categories: list[Row],
    locations: list[Row],
) -> Row:
    added = words.moment(rng, 2021, 2024)
    title = rng.choice((words.title(rng), f"{words.title(rng)} / {rng.choice(words.CITIES)[0]}"))
    owner, *others = rng.sample(users, rng.choice((1, 2, 3, 4, 8, 9)))
    assigned = ([owner] if rng.random() < 0.5 else []) + others
    rng.shuffle(assigned)
    return {
        "id": 81_207 + number * 4,
        "title": title,
        "status": rng.choice(("Accepting Candidates", "On Hold", "Filled", "Covered")),
        "isOpen": rng.random() < 0.7,
        "isDeleted": False,
        "isPublic": rng.choice((0, 1)),
        "dateAdded": words.millis(added),
        "dateLastModified": words.millis(words.later(rng, added, 300)),
        "startDate": words.often(rng, 0.8, words.millis(words.later(rng, added, 120))),
        "dateEnd": None,
        "employmentType": rng.choice(("Direct Hire", "Contract", "Contract To Hire")),
        "numOpenings": rng.choice((1, 1, 1, 2, 5)),
        "salary": float(rng.randrange(30, 140) * 1000),
        "salaryUnit": "Yearly",
        "owner": owner,
        "assignedUsers": many(assigned),
        "clientCorporation": {
            "id": 4_400 + number % 17,
            "name": f"{words.COMPANIES[number % 17]} {number % 17}",
        },
        "clientContact": words.often(rng, 0.8, rng.choice(clients)),
        "categories": many(words.few(rng, categories, 0, 3)),
        "locations": many(words.few(rng, locations, 0, 3)),
        "publicDescription": f"<p>{words.text(rng)}</p>",
        "customText1": words.often(rng, 0.5, rng.choice(("Tier 1", "Tier 2"))),
        "confidentialSearch": words.often(rng, 0.7, rng.choice(("Yes", "No", "No"))),
    }
