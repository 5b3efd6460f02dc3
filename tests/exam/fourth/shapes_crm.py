"""Freshsales' accounts: flat fields, `cf_` fields, labelled telephones, stages by number, merged accounts."""

from __future__ import annotations

from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from tests.exam.fourth import texts
from tests.exam.third import vocabulary as words
from tests.exam.third.engine import ACCOUNT, Row, World

NAME = "freshsales"
ZONE = ZoneInfo("Europe/Berlin")
STAGES = {
    1: "subscriber",
    2: "lead",
    3: "marketingqualifiedlead",
    4: "salesqualifiedlead",
    5: "opportunity",
    6: "customer",
    7: "evangelist",
    8: "other",
}
INDUSTRIES = words.listed(
    "Agriculture|Apparel|Banking|Biotechnology|Chemicals|Construction|Education|Energy|Food & Beverage|"
    "Health Care|Insurance|Machinery|Media|Shipping"
)
FIRST_ID = 402_001_234_567_000_001


def _place(rng: Random) -> tuple[Row, str]:
    city, state, code, country, _, phone = rng.choice(words.PLACES)
    street = f"{rng.choice(words.STREETS)} {rng.randint(1, 140)}"
    made: Row = {"address": street, "city": city, "state": state, "zipcode": code, "country": country}
    return made, phone


def _phones(rng: Random, prefix: str) -> list[Row]:
    labels = rng.sample(("Work", "Mobile", "Fax", "Home"), rng.choice((0, 1, 1, 2, 2, 3)))
    chosen = rng.randrange(len(labels)) if labels else 0
    return [
        {
            "id": rng.randrange(10**9, 10**10),
            "value": f"{prefix}{rng.randint(1000, 9999)}",
            "label": label,
            "is_primary": at == chosen,
            "_destroy": False,
        }
        for at, label in enumerate(labels)
    ]


def _raw(rng: Random, at: int) -> Row:
    created = words.moment(rng)
    updated = words.later(rng, created)
    name = words.company(rng)
    domain = f"{words.slug(name)}.example"
    here, prefix = _place(rng)
    ship = _place(rng)[0] if rng.random() < 0.45 else None
    industry = rng.randrange(len(INDUSTRIES)) if rng.random() < 0.9 else None
    owner = rng.randrange(12)
    contacted = words.later(rng, created, 700) if rng.random() < 0.8 else None
    staff = None if rng.random() < 0.12 else int(10 ** rng.uniform(0.3, 4.6))
    return {
        "id": FIRST_ID + at * 7919 + rng.randrange(5000),
        "name": name,
        **here,
        "number_of_employees": None if staff is None else f"{staff:,}",
        "annual_revenue_cents": rng.randint(1, 900) * 1_000_000 + rng.randrange(100),
        "website": f"https://www.{domain}/" if rng.random() < 0.9 else None,
        "phones": _phones(rng, prefix),
        "owner": {"id": 402_000_500 + owner, "display_name": words.person(rng), "is_active": owner < 10},
        "creater_id": 402_000_500 + (owner + rng.choice((0, 0, 0, 3))) % 12,
        "industry_type": None
        if industry is None
        else {"id": 402_071 + industry, "name": INDUSTRIES[industry], "position": industry + 1},
        "custom_field": {
            "cf_lifecycle": rng.choice((*STAGES, None)),
            "cf_address_line_2": rng.choice(words.SECOND) if rng.random() < 0.3 else None,
            "cf_ship_to": ship,
            "cf_about": texts.markup(rng) if rng.random() < 0.85 else None,
            "cf_region": rng.choice(("EMEA", "AMER")),
        },
        "tags": rng.sample(["vip", "partner", "été", "q4"], rng.randrange(3)),
        "last_contacted": None if contacted is None else texts.epoch(contacted),
        "last_contacted_mode": None if contacted is None else rng.choice(("email", "call", "sms", "chat")),
        "created_at": created.astimezone(ZONE).isoformat(timespec="seconds"),
        "updated_at": updated.astimezone(ZONE).isoformat(timespec="seconds"),
        "is_deleted": rng.random() < 0.05,
        "merged_into": None,
    }


def address_of(place: Row, kind: str, second: str | None = None) -> Row:
    """The sound mapping of an address."""
    made = {
        "address_type": kind,
        "street_1": place["address"],
        "street_2": second,
        "city": place["city"],
        "state": place["state"],
        "postal_code": place["zipcode"],
        "country": place["country"],
    }
    return {name: of for name, of in made.items() if of is not None}


def phone_type(one: Row) -> str:
    """The label of a telephone, as the unified records know it."""
    if one["is_primary"]:
        return "primary"
    return {"Mobile": "mobile", "Fax": "fax"}.get(one["label"], "other")


def account_of(raw: Row) -> Row:
    """The sound mapping."""
    custom: dict[str, Any] = raw["custom_field"]
    addresses = [address_of(raw, "primary", custom["cf_address_line_2"])]
    if custom["cf_ship_to"]:
        addresses.append(address_of(custom["cf_ship_to"], "shipping"))
    staff = raw["number_of_employees"]
    return {
        "id": str(raw["id"]),
        "updated_at": texts.from_offset(raw["updated_at"]),
        "raw_data": raw,
        "name": raw["name"],
        "is_deleted": raw["is_deleted"] or raw["merged_into"] is not None,
        "website": raw["website"],
        "industry": raw["industry_type"] and raw["industry_type"]["name"],
        "number_of_employees": None if staff is None else int(staff.replace(",", "")),
        "owner_id": str(raw["owner"]["id"]),
        "created_at": texts.from_offset(raw["created_at"]),
        "description": texts.plain(custom["cf_about"]),
        "last_activity_at": texts.from_seconds(raw["last_contacted"]),
        "addresses": addresses,
        "phone_numbers": [
            {"phone_number": one["value"], "phone_number_type": phone_type(one)} for one in raw["phones"]
        ],
        "lifecycle_stage": STAGES.get(custom["cf_lifecycle"]),
        "last_modified_at": texts.from_offset(raw["updated_at"]),
    }


TRUTH = {
    "id": "id",
    "updated_at": "updated_at",
    "name": "name",
    "is_deleted": "is_deleted, or merged_into is set",
    "website": "website",
    "industry": "industry_type.name",
    "number_of_employees": "number_of_employees",
    "owner_id": "owner.id",
    "created_at": "created_at",
    "description": "custom_field.cf_about",
    "last_activity_at": "last_contacted",
    "addresses": "address, city, state, zipcode, country; custom_field.cf_ship_to",
    "phone_numbers": "phones",
    "lifecycle_stage": "custom_field.cf_lifecycle",
    "last_modified_at": "updated_at",
}


def raws(seed: int, count: int = 260) -> list[Row]:
    """Accounts as Freshsales tells them; some are merged into others."""
    rng = Random(f"{seed}:{NAME}")
    made = [_raw(rng, at) for at in range(count)]
    owners = {one["owner"]["id"]: one["owner"]["display_name"] for one in made}
    for one in made:
        one["owner"]["display_name"] = owners[one["owner"]["id"]]
    drawn = rng.sample(range(count), count // 10)
    for lost, kept in zip(drawn[::2], drawn[1::2], strict=True):
        made[lost]["merged_into"] = made[kept]["id"]
    return made


def freshsales(seed: int) -> World:
    """Accounts of Freshsales."""
    return World(NAME, {ACCOUNT: [account_of(raw) for raw in raws(seed)]})
