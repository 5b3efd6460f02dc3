"""Zoho Recruit (flat records with lookups) and Teamtailor (JSON:API with what it points to)."""

from __future__ import annotations

from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.mapping import Json, made
from tests.exam.second.hows import PERSON
from tests.exam.world import World, listing

BERLIN = ZoneInfo("Europe/Berlin")
STOCKHOLM = ZoneInfo("Europe/Stockholm")
STATUSES = (
    "In-progress",
    "In-progress",
    "Waiting for approval",
    "On-Hold",
    "Filled",
    "Cancelled",
    "Inactive",
)

ZOHO_JOB = (
    made("id", "id"),
    made("created_at", "Created_Time", how="in UTC"),
    made("modified_at", "Modified_Time", how="in UTC"),
    made("name", "Posting_Title"),
    made("confidential", "Is_Confidential", how="is true"),
    made("departments", "Department_Name", how=(made("id", "id"), made("name", "name"))),
    made("offices", "City", "State1", "Country1", "Zip_Code", how="office of the job"),
    made("hiring_managers", "Hiring_Manager", how=PERSON),
    made("recruiters", "Assigned_Recruiter", how=PERSON),
)
TEAMTAILOR_JOB = (
    made("id", "id"),
    made("created_at", "attributes/created-at", how="in UTC"),
    made("modified_at", "attributes/updated-at", how="in UTC"),
    made("name", "attributes/title"),
    made("confidential", "attributes/status", how="unlisted"),
    made("departments", "", how="related departments"),
    made("offices", "", how="related locations"),
    made("hiring_managers", "", how="related managers"),
    made("recruiters", "", how="related recruiters"),
)


def _zoho_id(rng: Random) -> str:
    return f"4150868000{rng.randrange(10**8, 10**9)}"


def _at(moment: datetime, zone: ZoneInfo, parts: str = "seconds") -> str:
    return moment.astimezone(zone).isoformat(timespec=parts)


def _people(rng: Random, count: int) -> list[Json]:
    made_people = []
    for number in range(count):
        given, family = words.person(rng)
        address = words.email(rng, number)
        made_people.append({"name": f"{given} {family}", "id": _zoho_id(rng), "email": address})
    return made_people


def _zoho_raw(rng: Random, number: int, departments: list[Json], people: list[Json]) -> Json:
    created = words.moment(rng).replace(microsecond=0)
    city, state, country, code = rng.choice(words.CITIES)
    placed = rng.random() < 0.85
    pay = rng.randrange(30, 160) * 1000 + rng.randrange(0, 1000, 50)
    return {
        "id": _zoho_id(rng),
        "Job_Opening_ID": f"ZR_{number + 1}_JOB",
        "Posting_Title": words.title(rng),
        "Department_Name": words.often(rng, 0.9, rng.choice(departments)),
        "Hiring_Manager": words.often(rng, 0.8, rng.choice(people)),
        "Assigned_Recruiter": words.few(rng, people, 0, 4),
        "Created_Time": _at(created, BERLIN),
        "Modified_Time": _at(words.later(rng, created), BERLIN),
        "Date_Opened": words.later(rng, created, 20).date().isoformat(),
        "Target_Date": words.often(rng, 0.6, words.later(rng, created, 120).date().isoformat()),
        "Job_Opening_Status": rng.choice(STATUSES),
        "Job_Type": rng.choice(("Full time", "Part time", "Contract", None)),
        "Is_Confidential": rng.choice((False, False, False, True, None)),
        "Is_Locked": rng.random() < 0.1,
        "Publish": rng.random() < 0.7,
        "Remote_Job": rng.random() < 0.3,
        "Number_of_Positions": str(rng.randint(1, 12)),
        "Salary": words.often(rng, 0.7, f"{pay:,}".replace(",", ".") + ",00 EUR"),
        "Budget_Cents": words.often(rng, 0.7, pay * 100),
        "City": city if placed else None,
        "State1": state if placed else None,
        "Country1": country if placed else None,
        "Zip_Code": code if placed else None,
        "Required_Skills": ", ".join(words.few(rng, ("SQL", "Python", "Excel", "Go", "CAD", "日本語"), 0, 4)),
        "Job_Description": f"<p>{words.text(rng, 3)}</p>",
        "Tag": [{"name": "hot", "id": _zoho_id(rng)}] if rng.random() < 0.1 else [],
        "$currency_symbol": "€",
        "$editable": True,
        "$approval": {"delegate": False, "approve": False, "reject": False},
    }


def zoho(rng: Random) -> World:
    departments = [{"name": name, "id": _zoho_id(rng)} for name in words.DEPARTMENTS]
    people = _people(rng, 24)
    raws = [_zoho_raw(rng, number, departments, people) for number in range(260)]
    return World("zoho", [listing("ats/job", "A", raws, ZOHO_JOB)])


def _resource(kind: str, key: int, attributes: Json) -> Json:
    return {"id": str(key), "type": kind, "attributes": attributes}


def _teamtailor_parts(rng: Random) -> dict[str, list[Json]]:
    departments = []
    for number, name in enumerate(words.DEPARTMENTS):
        made_at = words.moment(rng, 2017, 2018)
        dates = {
            "created-at": _at(made_at, STOCKHOLM, "milliseconds"),
            "updated-at": _at(words.later(rng, made_at, 900), STOCKHOLM, "milliseconds"),
        }
        departments.append(_resource("departments", 88_100 + number * 7, {"name": name, **dates}))
    locations = [
        _resource(
            "locations",
            31_000 + number * 13,
            {
                "name": f"{city} HQ",
                "city": city,
                "zip": code,
                "country": country,
                "headquarters": number == 0,
            },
        )
        for number, (city, _, country, code) in enumerate(words.CITIES)
    ]
    users = []
    for number in range(30):
        given, family = words.person(rng)
        attributes = {"name": f"{given} {family}", "email": words.email(rng, number), "locale": "sv"}
        users.append(_resource("users", 640_001 + number * 3, attributes))
    return {"departments": departments, "locations": locations, "users": users}


def _points(one: Json) -> Json:
    return {"type": one["type"], "id": one["id"]}


def _teamtailor_raw(rng: Random, number: int, parts: dict[str, list[Json]]) -> Json:
    created = words.moment(rng)
    key = 5_012_000 + number * 17 + rng.randrange(17)
    department = words.often(rng, 0.85, rng.choice(parts["departments"]))
    locations = words.few(rng, parts["locations"], 0, 4)
    managers = words.few(rng, parts["users"][:12], 0, 2)
    user = words.often(rng, 0.95, rng.choice(parts["users"][12:]))
    low = rng.randrange(2_500_000, 7_000_000, 50_000)
    self_address = f"https://api.teamtailor.com/v1/jobs/{key}"
    single = {"department": department, "user": user}
    several = {"locations": locations, "managers": managers}
    relationships: Json = {name: {"data": _points(one) if one else None} for name, one in single.items()}
    relationships |= {name: {"data": [_points(one) for one in many]} for name, many in several.items()}
    return {
        "id": str(key),
        "type": "jobs",
        "links": {"self": self_address, "careersite-job-url": f"https://career.example/jobs/{key}"},
        "attributes": {
            "title": words.title(rng),
            "pitch": words.often(rng, 0.5, rng.choice(words.SENTENCES)),
            "body": f"<p>{words.text(rng, 3)}</p>",
            "created-at": _at(created, STOCKHOLM, "milliseconds"),
            "updated-at": _at(words.later(rng, created), STOCKHOLM, "milliseconds"),
            "start-date": words.often(rng, 0.3, words.later(rng, created, 90).date().isoformat()),
            "status": rng.choice(("open", "open", "open", "draft", "archived", "unlisted")),
            "employment-type": rng.choice(("full_time", "part_time", "none")),
            "remote-status": rng.choice(("none", "hybrid", "fully")),
            "language-code": rng.choice(("sv", "en", "de", "ja", "fr")),
            "internal": rng.random() < 0.05,
            "tags": words.few(rng, ("new", "student", "åre", "hybrid"), 0, 3),
            "currency": "SEK",
            "min-salary": words.often(rng, 0.5, low),
            "max-salary": words.often(rng, 0.5, low + 500_000),
        },
        "relationships": relationships,
        "included": [one for one in (department, user) if one] + locations + managers,
    }


def teamtailor(rng: Random) -> World:
    parts = _teamtailor_parts(rng)
    raws = [_teamtailor_raw(rng, number, parts) for number in range(190)]
    return World("teamtailor", [listing("ats/job", "A", raws, TEAMTAILOR_JOB)])
