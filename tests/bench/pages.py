"""Pages for the benches: jobs of about 1.4 kB, a hundred a page, every page another, always the same for a number."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime

from explorer.api.pages import Page

SIZE = 100
_TITLES = ("Staff", "Senior", "Lead", "Junior", "Principal", "Associate")
_FIELDS = (
    "Customer Support",
    "Engineering",
    "Data Science",
    "Sales",
    "Qualité",
    "Legal",
    "Finance",
    "Design",
)
_ROLES = ("Agent", "Manager", "Analyst", "Architect", "Ingénieur·e", "Partner")
_PEOPLE = ("Ingrid de Souza", "Priya वर्मा", "Ada Brandt", "José Álvarez", "Mei 王", "Tom O'Neil")
_PLACES = ("Berlin", "München", "Lisboa", "New York", "東京", "Nairobi")


def record(number: int, chance: random.Random) -> dict[str, object]:
    """One job."""
    name = f"{chance.choice(_TITLES)} {chance.choice(_FIELDS)} {chance.choice(_ROLES)} {chance.randrange(100_000)}"
    day, hour = f"{chance.randrange(1, 12):02d}-{chance.randrange(1, 29):02d}", f"{number % 24:02d}"
    created = f"20{chance.randrange(18, 26)}-{day}T08:00:{number % 60:02d}.003Z"
    modified = f"2026-{day}T{hour}:01:{number % 60:02d}.{chance.randrange(1000):03d}Z"
    person, place = chance.choice(_PEOPLE), chance.choice(_PLACES)
    part = {
        "id": str(500_000 + number % 900),
        "name": chance.choice(_FIELDS),
        "child_ids": ["500105", "500106"],
    }
    people = [{"id": chance.randrange(10**6), "name": person, "first_name": person.split()[0]}]
    office = {"id": 70_005, "name": place, "location": {"name": f"{place}, {chance.randrange(100)}"}}
    return {
        "id": str(4_000_000_000 + number),
        "created_at": created,
        "modified_at": modified,
        "name": name if number % 97 else None,
        "confidential": bool(number % 3),
        "departments": [
            {**part, "raw_data": {**part, "parent_id": None, "external_id": f"D{number % 900:03d}"}}
        ],
        "offices": [office],
        "hiring_managers": people,
        "recruiters": people,
        "raw_data": {
            "id": 4_000_000_000 + number,
            "requisition_id": f"REQ-{number:07d}",
            "notes": None,
            "status": chance.choice(("open", "closed", "draft")),
            "created_at": created,
            "updated_at": modified,
            "departments": [
                {**part, "parent_department_external_id": None, "external_id": f"D{number % 900:03d}"}
            ],
            "offices": [office],
            "hiring_team": {"hiring_managers": people, "recruiters": people},
            "description": f"<p>{name}<\\/p>\nWe look for somebody in {place}.",
            "budget_minor_units": chance.randrange(10**12),
        },
    }


def items(number: int) -> list[bytes]:
    """The records of page ``number``, counted from 1, each as JSON."""
    chance = random.Random(number)
    first = (number - 1) * SIZE
    return [json.dumps(record(first + n, chance), ensure_ascii=False).encode() for n in range(SIZE)]


def body(number: int, last: int) -> bytes:
    """The answer that page ``number`` of ``last`` comes in."""
    more = number < last
    tail = json.dumps({"has_next_page": more, "next_cursor": f"p{number + 1}" if more else None})[1:]
    return b'{"items": [' + b", ".join(items(number)) + b"], " + tail.encode()


def page(number: int, last: int) -> Page:
    """The same as the store is given it."""
    return Page(
        number=number,
        cursor=f"p{number}" if number > 1 else None,
        next_cursor=f"p{number + 1}" if number < last else None,
        flag=number < last,
        records=tuple(items(number)),
        body=body(number, last),
        notes=(),
        received_at=datetime(2026, 1, 1, tzinfo=UTC),
        elapsed_ms=1.0,
        exchange=number,
    )
