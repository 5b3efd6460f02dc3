"""Accounts and contacts as Attio has them: every attribute is a list of values that hold from a moment to another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
STAGES = {
    "Newsletter": "subscriber",
    "New": "lead",
    "Marketing qualified": "marketingqualifiedlead",
    "Sales qualified": "salesqualifiedlead",
    "Not qualified": "other",
    "Negotiation": "opportunity",
    "Won": "customer",
    "Ambassador": "evangelist",
}
CATEGORIES = (
    "B2B",
    "SaaS",
    "Logistics",
    "Food & Drink",
    "R&D",
    "Telecoms",
    "Banking",
    "Public sector",
    "E-commerce",
)
RANGES = {"1-10": 1, "11-50": 11, "51-250": 51, "251-1K": 251, "1K-5K": 1000, "5K-10K": 5000}
"""Sizes of companies, and the least of each."""
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
    "Norway": "NO",
}
CITIES = (*words.CITIES, ("Oslo", "Oslo", "Norway", "0150"), ("Tromsø", "Troms", "Norway", "9008"))
STREETS = ("Karl Johans gate", "Sihlstrasse", "Rua Augusta", "ул. Мира", "桜通り", "Elm Street", "Długa")
PLACES = {"primary_location": "primary", "billing_location": "billing"}
PHONES = {"phone_numbers": "primary", "mobile_numbers": "mobile", "fax_numbers": "fax"}
SOURCES: dict[str, tuple[str, ...]] = {
    "name": ("name",),
    "website": ("domains",),
    "industry": ("categories",),
    "number_of_employees": ("employee_count", "employee_range"),
    "lifecycle_stage": ("stage",),
    "owner_id": ("owner",),
    "description": ("description",),
    "last_activity_at": ("last_interaction",),
    "addresses": tuple(PLACES),
    "phone_numbers": tuple(PHONES),
}
"""The attributes that each field of an account is made of."""
COUNT = 260
WORKSPACE = "5f0c7b1e-93f5-4a0c-8d57-0b6a54c1e2aa"


def stamp(at: datetime) -> str:
    """A moment to the nanosecond."""
    return f"{words.iso(at)[:-1]}000000Z"


def current(raw: Row, slug: str) -> Row | None:
    """The value that an attribute has now."""
    return next((one for one in raw["values"].get(slug) or () if one["active_until"] is None), None)


def latest(raw: Row) -> str:
    """When a value was last set: the third party has no other date of change."""
    moments = [str(one["active_from"]) for of in raw["values"].values() for one in of]
    return max(moments, default=str(raw["created_at"]))


def account(raw: Row) -> Row:
    """The unified record of this company."""
    member, stage = current(raw, "owner"), current(raw, "stage")
    titles = [one["option"]["title"] for one in raw["values"].get("categories") or ()]
    places = ((kind, current(raw, slug)) for slug, kind in PLACES.items())
    changed = latest(raw)
    return {
        "id": raw["id"]["record_id"],
        "updated_at": changed,
        "name": _value(raw, "name"),
        "is_deleted": False,
        "website": _value(raw, "domains", "domain"),
        "industry": ", ".join(titles) or None,
        "number_of_employees": _employees(raw),
        "owner_id": member["referenced_actor_id"] if member else None,
        "created_at": raw["created_at"],
        "description": _value(raw, "description"),
        "last_activity_at": _value(raw, "last_interaction", "interacted_at"),
        "addresses": [address(kind, one) for kind, one in places if one],
        "phone_numbers": [
            {"phone_number": one["original_phone_number"], "phone_number_type": kind}
            for slug, kind in PHONES.items()
            for one in raw["values"].get(slug) or ()
        ],
        "lifecycle_stage": STAGES.get(stage["status"]["title"]) if stage else None,
        "last_modified_at": changed,
        "raw_data": raw,
    }


def address(kind: str, raw: Row) -> Row:
    """The unified address of a location."""
    whole = {
        "address_type": kind,
        "street_1": raw["line_1"],
        "street_2": raw["line_2"],
        "city": raw["locality"],
        "state": raw["region"],
        "postal_code": raw["postcode"],
        "country": raw["country_code"],
    }
    return {name: value for name, value in whole.items() if value}


def contact(raw: Row) -> Row:
    """The unified record of this person."""
    return {
        "id": raw["id"]["record_id"],
        "updated_at": latest(raw),
        "raw_data": raw,
        "first_name": _value(raw, "name", "first_name"),
        "last_name": _value(raw, "name", "last_name"),
        "email": _value(raw, "email_addresses", "original_email_address"),
        "phone": _value(raw, "phone_numbers", "original_phone_number"),
    }


def _employees(raw: Row) -> int | None:
    """The count, or the least of the range."""
    count: int | None = _value(raw, "employee_count")
    within = current(raw, "employee_range")
    return RANGES[within["option"]["title"]] if count is None and within else count


def _value(raw: Row, slug: str, member: str = "value") -> Any:
    one = current(raw, slug)
    return one[member] if one else None


def accounts(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:attio")
    members = [words.guid(rng) for _ in range(9)]
    return [account(_raw(rng, number, members)) for number in range(COUNT)]


def account_id(number: int) -> str:
    """The id of the n-th company: the same for every seed."""
    return words.guid(Random(f"attio:{number}"))


def identity(of: str, record: str) -> Row:
    return {"workspace_id": WORKSPACE, "object_id": words.guid(Random(f"object:{of}")), "record_id": record}


def _raw(rng: Random, number: int, members: list[str]) -> Row:
    created = words.moment(rng, 2020, 2023)
    record = account_id(number)
    values = {
        slug: [
            {
                "active_from": stamp(words.later(rng, created, 600)),
                "active_until": None,
                "created_by_actor": {"type": "workspace-member", "id": rng.choice(members)},
                **one,
            }
            for one in held
        ]
        for slug, held in _values(rng, number, created, members).items()
    }
    for before, after in zip(values["stage"], values["stage"][1:], strict=False):
        after["active_from"] = stamp(
            words.parsed(before["active_from"][:23] + "Z") + timedelta(days=40, hours=3)
        )
        before["active_until"] = after["active_from"]
    return {
        "id": identity("companies", record),
        "created_at": stamp(created),
        "web_url": f"https://app.attio.example/sunrise/company/{record}",
        "values": values,
    }


def _values(rng: Random, number: int, created: datetime, members: list[str]) -> dict[str, list[Row]]:
    """The attributes of a company; the last stage is the present one."""
    name = f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}".strip()
    label = words.token(rng, 7).lower()
    domains = words.few(rng, [f"{label}.example", f"shop.{label}.example", f"{label}-group.example"], 0, 2)
    count = rng.choice((1, 4, 37, 180, 950, 1200, 4_800, 9_400, rng.randrange(2, 2000)))
    meeting = stamp(datetime.fromisoformat("2026-09-01T08:30:00+00:00") + timedelta(days=rng.randrange(40)))
    return {
        "name": _plain("text", name + (f" {number}" if rng.random() < 0.6 else "")),
        "domains": [
            {"domain": one, "root_domain": one.removeprefix("shop."), "attribute_type": "domain"}
            for one in domains
        ],
        "description": _plain("text", words.often(rng, 0.75, words.text(rng, 8))),
        "categories": [_option(one) for one in words.few(rng, CATEGORIES, 0, 3)],
        "employee_range": [_option([text for text, least in RANGES.items() if count >= least][-1])],
        "employee_count": _plain("number", words.often(rng, 0.65, count)),
        "primary_location": list(_location(rng, 0.9)),
        "billing_location": list(_location(rng, 0.35)),
        "phone_numbers": [_phone(rng) for _ in range(rng.choice((0, 1, 1, 2)))],
        "mobile_numbers": [_phone(rng) for _ in range(rng.choice((0, 0, 1)))],
        "fax_numbers": [_phone(rng) for _ in range(rng.choice((0, 0, 0, 1)))],
        "stage": [_stage(one) for one in words.few(rng, tuple(STAGES), 0, 3)],
        "owner": [
            {
                "referenced_actor_type": "workspace-member",
                "referenced_actor_id": one,
                "attribute_type": "actor-reference",
            }
            for one in words.few(rng, members, 0, 1) * (rng.random() < 0.9)
        ],
        "last_interaction": _interaction(words.often(rng, 0.7, stamp(words.later(rng, created, 700)))),
        "next_interaction": _interaction(words.often(rng, 0.3, meeting)),
        "renewal_date": _plain("date", words.often(rng, 0.4, meeting[:10])),
        "contract_value": [
            {"currency_value": one, "currency_code": rng.choice(("EUR", "NOK")), "attribute_type": "currency"}
            for one in words.few(rng, (1200, 48_000.5, 99.99, 310_000), 0, 1)
        ],
    }


def _plain(kind: str, value: Any) -> list[Row]:
    return [] if value is None else [{"value": value, "attribute_type": kind}]


def _option(title: str) -> Row:
    option = {
        "id": {"option_id": words.guid(Random(f"option:{title}"))},
        "title": title,
        "is_archived": False,
    }
    return {"option": option, "attribute_type": "select"}


def _stage(title: str) -> Row:
    status = {
        "id": {"status_id": words.guid(Random(f"status:{title}"))},
        "title": title,
        "is_archived": False,
    }
    return {"status": status, "attribute_type": "status"}


def _interaction(at: str | None) -> list[Row]:
    one = {"interaction_type": "calendar-event", "interacted_at": at, "attribute_type": "interaction"}
    return [one] if at else []


def _location(rng: Random, share: float) -> Iterator[Row]:
    if rng.random() >= share:
        return
    city, state, country, code = rng.choice(CITIES)
    yield {
        "line_1": words.often(rng, 0.85, f"{rng.choice(STREETS)} {rng.randrange(1, 300)}"),
        "line_2": words.often(rng, 0.3, rng.choice(("2nd floor", "c/o Reception", "Hus B"))),
        "line_3": None,
        "line_4": None,
        "locality": words.often(rng, 0.85, city),
        "region": words.often(rng, 0.8, state),
        "postcode": words.often(rng, 0.9, code),
        "country_code": COUNTRIES[country],
        "latitude": f"{rng.uniform(-60, 70):.6f}",
        "longitude": f"{rng.uniform(-170, 170):.6f}",
        "attribute_type": "location",
    }


def _phone(rng: Random) -> Row:
    written, country = rng.choice(
        (
            (f"+47 22 {rng.randrange(10**6):06d}", "NO"),
            (f"+49 (0)30 / {rng.randrange(10**6):06d}", "DE"),
            (f"+1 212-555-{rng.randrange(10**4):04d}", "US"),
            (f"+1 (617) 555-{rng.randrange(10**4):04d} ext. {rng.randrange(10, 999)}", "US"),
            (f"+44 20 7946 {rng.randrange(10**4):04d}", "GB"),
        )
    )
    return {"original_phone_number": written, "country_code": country, "attribute_type": "phone-number"}


IDS = tuple(account_id(number) for number in range(COUNT))
PROPERTIES = tuple(_raw(Random(0), 0, ["-"])["values"])
