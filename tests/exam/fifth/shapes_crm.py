"""Insightly's organisations: names in capitals, own fields as a list of pairs, dates in a database's form."""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]

NAME = "insightly"
STAGES = {
    "Subscriber": "subscriber",
    "Lead": "lead",
    "Marketing Qualified Lead": "marketingqualifiedlead",
    "Sales Qualified Lead": "salesqualifiedlead",
    "Opportunity": "opportunity",
    "Customer": "customer",
    "Evangelist": "evangelist",
    "Former Customer": "other",
    "Vendor": "other",
}
WEIGHTS = (12, 60, 18, 14, 25, 90, 14, 22, 16)
INDUSTRIES = (
    "Agriculture",
    "Banking & Finance",
    "Biotechnology",
    "Construction",
    "Education",
    "Energy",
    "Health Care",
    "Media",
    "Retail",
    "Shipping",
    "Öffentlicher Dienst",
)
REGIONS = ("EMEA", "AMER", "APAC")
STREETS = (
    "Main Street",
    "Königsallee",
    "Rue de l’Église",
    "Calle Mayor",
    "Harbour Road",
    "Dorfstrasse",
    "ул. Ленина",
)
SECOND = ("Suite 400", "2. OG", "Bâtiment B", "Dock 7", "PO Box 1188")
PREFIXES = ("+1 415 555 ", "+49 30 2093 ", "+44 20 7946 ", "+81 3 5555 ", "(212) 555-", "030 901 ")
PARTS = ("STREET", "CITY", "STATE", "POSTCODE", "COUNTRY")
PLACES = (("BILLING", "billing"), ("SHIP", "shipping"))
PROPERTIES: dict[str, tuple[str, ...]] = {
    "ORGANISATION_ID": (),
    "ORGANISATION_NAME": ("name",),
    "BACKGROUND": ("description",),
    "IMAGE_URL": (),
    "WEBSITE": ("website",),
    "OWNER_USER_ID": ("owner_id",),
    "CREATED_USER_ID": (),
    "DATE_CREATED_UTC": ("created_at",),
    "DATE_UPDATED_UTC": ("last_modified_at",),
    "LAST_ACTIVITY_DATE_UTC": ("last_activity_at",),
    "PHONE": ("phone_numbers",),
    "PHONE_FAX": ("phone_numbers",),
    **{f"ADDRESS_{kind}_{part}": ("addresses",) for kind, _ in PLACES for part in PARTS},
    "CUSTOMFIELDS": ("industry", "number_of_employees", "lifecycle_stage", "phone_numbers"),
    "TAGS": (),
    "EMAILDOMAINS": (),
}
"""The third party's property: the unified fields that are made of it."""


def _text(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S")


def _place(rng: Random, kind: str, share: float) -> Row:
    names = [f"ADDRESS_{kind}_{part}" for part in PARTS]
    if rng.random() > share:
        return dict.fromkeys(names)
    city, state, country, code = rng.choice(words.CITIES)
    street = f"{rng.choice(STREETS)} {rng.randint(1, 190)}"
    if rng.random() < 0.25:
        street += f"\n{rng.choice(SECOND)}"
    return dict(
        zip(names, (None if rng.random() < 0.15 else street, city, state, code, country), strict=True)
    )


def _phone(rng: Random, share: float) -> str | None:
    number = f"{rng.choice(PREFIXES)}{rng.randint(1000, 9999)}"
    return words.often(rng, share, number + (f" x{rng.randint(10, 999)}" if rng.random() < 0.09 else ""))


def _own(rng: Random) -> list[Row]:
    staff = 0 if rng.random() < 0.05 else int(10 ** rng.uniform(0.3, 4.7))
    values = {
        "Industry__c": words.often(rng, 0.85, rng.choice(INDUSTRIES)),
        "Employees__c": words.often(rng, 0.88, f"{staff:,}"),
        "Stage__c": words.often(rng, 0.95, rng.choices(list(STAGES), WEIGHTS)[0]),
        "Mobile__c": _phone(rng, 0.35),
        "Region__c": rng.choice(REGIONS),
    }
    made = [
        {"FIELD_NAME": name, "FIELD_VALUE": value, "CUSTOM_FIELD_ID": name}
        for name, value in values.items()
        if value is not None
    ]
    rng.shuffle(made)
    return made


def _website(rng: Random, domain: str) -> str | None:
    return rng.choice((f"https://www.{domain}", f"http://{domain}/", domain, f"www.{domain}", None))


def _raw(rng: Random, number: int) -> Row:
    created = words.moment(rng, 2020, 2024)
    updated = words.later(rng, created)
    seen = words.later(rng, created, 500)
    company = f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}".strip()
    domain = f"{words.token(rng, 9, 'abcdefghiklmnoprstuvw')}.example"
    owner = 1_950_000 + rng.randrange(14)
    maker = owner if rng.random() < 0.62 else 1_950_000 + rng.randrange(14)
    return {
        "ORGANISATION_ID": 148_200_000 + number * 613 + rng.randrange(600),
        "ORGANISATION_NAME": f"{company} {rng.randint(2, 99)}" if rng.random() < 0.4 else company,
        "BACKGROUND": words.often(rng, 0.85, words.text(rng, 9)),
        "IMAGE_URL": None,
        "OWNER_USER_ID": owner,
        "CREATED_USER_ID": maker,
        "DATE_CREATED_UTC": _text(created),
        "DATE_UPDATED_UTC": _text(updated),
        "LAST_ACTIVITY_DATE_UTC": words.often(rng, 0.8, _text(seen)),
        "PHONE": _phone(rng, 0.85),
        "PHONE_FAX": _phone(rng, 0.4),
        "WEBSITE": _website(rng, domain),
        **_place(rng, "BILLING", 0.9),
        **_place(rng, "SHIP", 0.5),
        "CUSTOMFIELDS": _own(rng),
        "TAGS": [{"TAG_NAME": name} for name in words.few(rng, ("vip", "partner", "été", "q4"), 0, 3)],
        "EMAILDOMAINS": [{"EMAIL_DOMAIN": domain}],
    }


def own(raw: Row, name: str) -> Any:
    """The value of one of the customer's own fields."""
    return next((one["FIELD_VALUE"] for one in raw["CUSTOMFIELDS"] if one["FIELD_NAME"] == name), None)


def moment(text: str | None) -> str | None:
    """The sound form of a date; Insightly's are in UTC and do not say so."""
    return text and f"{text.replace(' ', 'T')}.000Z"


def addresses(raw: Row) -> list[Row]:
    """The sound mapping of addresses."""
    made = []
    for kind, named in PLACES:
        street, city, state, code, country = (raw[f"ADDRESS_{kind}_{part}"] for part in PARTS)
        first, _, second = (street or "").partition("\n")
        parts = {
            "street_1": first or None,
            "street_2": second or None,
            "city": city,
            "state": state,
            "postal_code": code,
            "country": country,
        }
        if any(parts.values()):
            given = {name: of for name, of in parts.items() if of is not None}
            made.append({"address_type": named, **given})
    return made


def phones(raw: Row) -> list[Row]:
    """The sound mapping of telephones."""
    numbers = (("primary", raw["PHONE"]), ("fax", raw["PHONE_FAX"]), ("mobile", own(raw, "Mobile__c")))
    return [{"phone_number": of, "phone_number_type": kind} for kind, of in numbers if of]


def account_of(raw: Row) -> Row:
    """The sound mapping."""
    staff = own(raw, "Employees__c")
    return {
        "id": str(raw["ORGANISATION_ID"]),
        "updated_at": moment(raw["DATE_UPDATED_UTC"]),
        "raw_data": raw,
        "name": raw["ORGANISATION_NAME"],
        "is_deleted": False,
        "website": raw["WEBSITE"],
        "industry": own(raw, "Industry__c"),
        "number_of_employees": None if staff is None else int(staff.replace(",", "")),
        "owner_id": str(raw["OWNER_USER_ID"]),
        "created_at": moment(raw["DATE_CREATED_UTC"]),
        "description": raw["BACKGROUND"],
        "last_activity_at": moment(raw["LAST_ACTIVITY_DATE_UTC"]),
        "addresses": addresses(raw),
        "phone_numbers": phones(raw),
        "lifecycle_stage": STAGES.get(own(raw, "Stage__c") or ""),
        "last_modified_at": moment(raw["DATE_UPDATED_UTC"]),
    }


TRUTH = {
    "id": "ORGANISATION_ID",
    "updated_at": "DATE_UPDATED_UTC",
    "name": "ORGANISATION_NAME",
    "website": "WEBSITE",
    "industry": "CUSTOMFIELDS[Industry__c]",
    "number_of_employees": "CUSTOMFIELDS[Employees__c]",
    "owner_id": "OWNER_USER_ID",
    "created_at": "DATE_CREATED_UTC",
    "description": "BACKGROUND",
    "last_activity_at": "LAST_ACTIVITY_DATE_UTC",
    "addresses": "ADDRESS_BILLING_*, ADDRESS_SHIP_*",
    "phone_numbers": "PHONE, PHONE_FAX, CUSTOMFIELDS[Mobile__c]",
    "lifecycle_stage": "CUSTOMFIELDS[Stage__c]",
    "last_modified_at": "DATE_UPDATED_UTC",
}


def raws(seed: int, count: int = 260) -> list[Row]:
    """Organisations as Insightly tells them."""
    rng = Random(f"{seed}:{NAME}")
    return [_raw(rng, number) for number in range(count)]


def accounts(seed: int) -> list[Row]:
    """What a sound connector reads."""
    return [account_of(raw) for raw in raws(seed)]
