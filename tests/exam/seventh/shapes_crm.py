"""Accounts and contacts as Capsule has them: parties, with custom fields in a list, and numbers for ids."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
STAGES = {
    "Newsletter": "subscriber",
    "Lead": "lead",
    "Qualified by marketing": "marketingqualifiedlead",
    "Qualified": "salesqualifiedlead",
    "Disqualified": "other",
    "In negotiation": "opportunity",
    "Client": "customer",
    "Reference client": "evangelist",
}
ADDRESSES = {"Office": "primary", "Postal": "mailing", "Billing": "billing", "Shipping": "shipping"}
PHONES = {"Work": "primary", "Mobile": "mobile", "Fax": "fax"}
INDUSTRIES = (
    "Agriculture",
    "Automotive & Parts",
    "Chemicals",
    "Food and Drink",
    "Insurance",
    "Media / Publishing",
    "Public sector",
    "Real estate",
    "Textiles",
    "Wholesale",
)
DEFINITIONS = {
    "Lead source": 340011,
    "Industry": 340012,
    "Employees": 340013,
    "Stage": 340014,
    "Renewal date": 340015,
    "VAT number": 340016,
    "Partner discount": 340017,
}
STREETS = ("Deansgate", "Königsallee", "Rue Saint-Honoré", "ул. Мира", "桜通り", "Gran Vía", "Strandgade")
SOURCES = {
    "name": "name",
    "website": "websites",
    "industry": "fields",
    "number_of_employees": "fields",
    "lifecycle_stage": "fields",
    "owner_id": "owner",
    "created_at": "createdAt",
    "last_modified_at": "updatedAt",
    "description": "about",
    "last_activity_at": "lastContactedAt",
    "addresses": "addresses",
    "phone_numbers": "phoneNumbers",
}
"""What each field of an account is read from."""
COUNT = 300


def stamp(at: datetime) -> str:
    return words.iso_seconds(at)


def custom(raw: Row, name: str) -> Any:
    """The value of a custom field; null where the party has none."""
    return next((one["value"] for one in raw["fields"] if one["definition"]["name"] == name), None)


def account(raw: Row) -> Row:
    """The unified record of this organisation."""
    sites = [one["address"] for one in raw["websites"] if one["service"] == "URL"]
    return {
        "id": str(raw["id"]),
        "updated_at": raw["updatedAt"],
        "name": raw["name"],
        "is_deleted": False,
        "website": sites[0] if sites else None,
        "industry": custom(raw, "Industry"),
        "number_of_employees": custom(raw, "Employees"),
        "owner_id": str(raw["owner"]["id"]) if raw["owner"] else None,
        "created_at": raw["createdAt"],
        "description": raw["about"],
        "last_activity_at": raw["lastContactedAt"],
        "addresses": [_address(one) for one in raw["addresses"]],
        "phone_numbers": [
            {"phone_number": one["number"], "phone_number_type": PHONES.get(one["type"], "other")}
            for one in raw["phoneNumbers"]
        ],
        "lifecycle_stage": STAGES.get(custom(raw, "Stage")),
        "last_modified_at": raw["updatedAt"],
        "raw_data": raw,
    }


def _address(raw: Row) -> Row:
    first, _, second = (raw["street"] or "").partition("\n")
    whole = {
        "address_type": ADDRESSES.get(raw["type"], "other"),
        "street_1": first,
        "street_2": second,
        "city": raw["city"],
        "state": raw["state"],
        "postal_code": raw["zip"],
        "country": raw["country"],
    }
    return {name: value for name, value in whole.items() if value}


def contact(raw: Row) -> Row:
    """The unified record of this person."""
    emails, phones = raw["emailAddresses"], raw["phoneNumbers"]
    return {
        "id": str(raw["id"]),
        "updated_at": raw["updatedAt"],
        "raw_data": dict(raw),
        "first_name": raw["firstName"],
        "last_name": raw["lastName"],
        "email": emails[0]["address"] if emails else None,
        "phone": phones[0]["number"] if phones else None,
    }


def accounts(seed: int) -> list[Row]:
    """What the connector gives."""
    rng = Random(f"{seed}:capsule")
    owners = [_owner(rng, number) for number in range(11)]
    return [account(_raw(rng, number, owners)) for number in range(COUNT)]


def account_id(number: int) -> int:
    """The id of the n-th account: the same for every seed."""
    return 183_442_901 + number * 53


def _owner(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {
        "id": 61_105 + number * 7,
        "username": f"{rng.choice(words.LATIN)}{number}",
        "name": f"{given} {family}",
        "pictureURL": f"https://facehub.capsule.example/{number}.png",
    }


def _raw(rng: Random, number: int, owners: list[Row]) -> Row:
    created = words.moment(rng, 2017, 2023)
    uid = account_id(number)
    name = f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}".strip()
    return {
        "id": uid,
        "type": "organisation",
        "name": name + (f" {number}" if rng.random() < 0.7 else ""),
        "about": words.often(rng, 0.6, words.text(rng)),
        "createdAt": stamp(created),
        "updatedAt": stamp(words.later(rng, created, 500)),
        "lastContactedAt": words.often(rng, 0.7, stamp(words.later(rng, created, 700))),
        "pictureURL": "https://capsule.example/theme/default/images/org_avatar_70.png",
        "owner": words.often(rng, 0.85, rng.choice(owners)),
        "team": words.often(rng, 0.3, {"id": 900 + number % 4, "name": f"Team {number % 4}"}),
        "lastEditedBy": rng.choice(owners),
        "addresses": [_place(rng, uid, n) for n in range(rng.choice((0, 1, 1, 1, 2, 2, 3)))],
        "phoneNumbers": [_phone(rng, uid, n) for n in range(rng.choice((0, 1, 1, 2, 2, 3)))],
        "websites": _websites(rng, uid),
        "emailAddresses": [{"id": uid * 10 + 7, "type": "Work", "address": words.email(rng, number)}],
        "tags": [
            {"id": 70 + n, "name": one, "dataTag": False}
            for n, one in enumerate(words.few(rng, ("VIP", "EMEA", "Fair 2023", "no mailing"), 0, 2))
        ],
        "fields": _fields(rng, uid),
    }


def _place(rng: Random, uid: int, number: int) -> Row:
    city, state, country, code = rng.choice(words.CITIES)
    street = f"{rng.randrange(1, 400)} {rng.choice(STREETS)}" + rng.choice(
        ("", "", "\nUnit 7", "\nc/o Reception")
    )
    return {
        "id": uid * 10 + number,
        "type": rng.choice((*ADDRESSES, *ADDRESSES, None)),
        "street": words.often(rng, 0.85, street),
        "city": city,
        "state": words.often(rng, 0.7, state),
        "zip": words.often(rng, 0.9, code),
        "country": country,
    }


def _phone(rng: Random, uid: int, number: int) -> Row:
    written = (
        f"+44 161 {rng.randrange(10**3):03d} {rng.randrange(10**4):04d}",
        f"+49 (0)211 / {rng.randrange(10**6):06d}",
        f"0161 496 {rng.randrange(10**4):04d} ext. {rng.randrange(10, 99)}",
        f"+1-212-555-{rng.randrange(10**4):04d}",
        f"+33 1 {rng.randrange(10**8):08d}",
    )
    kind = rng.choice((*PHONES, *PHONES, "Direct", None))
    return {"id": uid * 10 + 5 + number, "type": kind, "number": rng.choice(written)}


def _websites(rng: Random, uid: int) -> list[Row]:
    domain = f"{words.token(rng, 7).lower()}.example"
    address = rng.choice((f"https://www.{domain}", f"http://{domain}/de?ref=a&lang=de", f"www.{domain}"))
    url: Row = {"service": "URL", "address": address, "type": "Work", "url": address}
    handle = domain.partition(".")[0]
    social: Row = {
        "service": "TWITTER",
        "address": f"@{handle}",
        "type": None,
        "url": f"https://twitter.example/{handle}",
    }
    chosen: list[Row] = rng.choice(([url], [url], [social, url], [url, social], [social], []))
    return [{"id": uid * 10 + n, **one} for n, one in enumerate(chosen)]


def _fields(rng: Random, uid: int) -> list[Row]:
    """Custom fields stand in the order in which somebody filled them in."""
    day = stamp(words.moment(rng, 2025, 2026))[:10]
    values: dict[str, Any] = {
        "Lead source": words.often(rng, 0.7, rng.choice(("Web", "Trade fair", "Referral", "Cold call"))),
        "Industry": words.often(rng, 0.85, rng.choice(INDUSTRIES)),
        "Employees": words.often(rng, 0.8, rng.choice((1, 6, 48, 250, 1200, 15_300, rng.randrange(2, 900)))),
        "Stage": words.often(rng, 0.9, rng.choice(tuple(STAGES))),
        "Renewal date": words.often(rng, 0.5, day),
        "VAT number": words.often(rng, 0.4, f"GB{rng.randrange(10**8, 10**9)}"),
        "Partner discount": words.often(rng, 0.4, rng.choice((5, 7.5, 10, 12.5))),
    }
    names = [name for name, value in values.items() if value is not None]
    rng.shuffle(names)
    return [
        {
            "id": uid * 100 + n,
            "definition": {"id": DEFINITIONS[name], "name": name},
            "value": values[name],
            "tagId": None,
        }
        for n, name in enumerate(names)
    ]


IDS = tuple(str(account_id(number)) for number in range(COUNT))
PROPERTIES = tuple(name for name in _raw(Random(0), 0, [{"id": 1}]) if name != "id")
