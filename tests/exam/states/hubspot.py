"""Accounts as HubSpot has its companies: all properties are texts, in an object of their own."""

from __future__ import annotations

from random import Random

from tests.exam import words
from tests.exam.mapping import STAGES, Json, made

PLACE = ("address", "city", "state", "zip", "country")
NOWHERE = ("-",) * len(PLACE)
HUBSPOT_ACCOUNT = (
    made("id", "id"),
    made("updated_at", "updatedAt"),
    made("name", "properties/name"),
    made("is_deleted", "archived"),
    made("website", "properties/website"),
    made("industry", "properties/industry"),
    made("number_of_employees", "properties/numberofemployees", how="as a number"),
    made("owner_id", "properties/hubspot_owner_id"),
    made("created_at", "createdAt"),
    made("description", "properties/description"),
    made("last_activity_at", "properties/notes_last_updated"),
    made("addresses", *(f"properties/{part}" for part in PLACE), *NOWHERE, how="billing and shipping"),
    made("phone_numbers", "properties/phone", "-", how="phone and fax"),
    made("lifecycle_stage", "properties/lifecyclestage"),
    made("last_modified_at", "properties/hs_lastmodifieddate"),
)
INDUSTRIES = (
    "ACCOUNTING",
    "BANKING",
    "COMPUTER_SOFTWARE",
    "FOOD_BEVERAGES",
    "HOSPITAL_HEALTH_CARE",
    "INSURANCE",
    "RETAIL",
)


def hubspot(rng: Random, count: int) -> list[Json]:
    """Companies."""
    owners = [str(rng.randrange(10**7, 10**9)) for _ in range(14)]
    return [_company(rng, owners, n) for n in range(count)]


def _company(rng: Random, owners: list[str], n: int) -> Json:
    created = words.moment(rng)
    changed = words.iso(words.later(rng, created, 300))
    city, state, country, code = rng.choice(words.CITIES)
    domain = f"{words.token(rng, 6).lower()}.example"
    code_of = rng.choice(("1415555", "4989", "4930", "33142", "4143", "81354", "551130"))
    return {
        "id": str(8_000_100_000 + 61 * n + rng.randrange(60)),
        "properties": {
            "name": f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}".strip(),
            "domain": domain,
            "website": words.often(rng, 0.8, f"https://www.{domain}"),
            "industry": words.often(rng, 0.8, rng.choice(INDUSTRIES)),
            "numberofemployees": words.often(rng, 0.85, str(rng.randrange(1, 12_000))),
            "hubspot_owner_id": words.often(rng, 0.9, rng.choice(owners)),
            "description": words.often(rng, 0.6, words.text(rng)),
            "notes_last_updated": words.often(rng, 0.6, words.iso(words.later(rng, created, 400))),
            "hs_lastmodifieddate": changed,
            "phone": words.often(rng, 0.85, f"+{code_of}{rng.randrange(10**5):05d}"),
            "lifecyclestage": words.often(rng, 0.9, rng.choice(tuple(STAGES.values()))),
            "annualrevenue": words.often(rng, 0.5, str(rng.randrange(10**5, 10**9))),
            "address": f"{rng.randrange(1, 300)} {rng.choice(('High Street', 'Bahnhofstr.', 'Calle Mayor'))}",
            "city": city,
            "state": state,
            "zip": code,
            "country": country,
        },
        "createdAt": words.iso(created),
        "updatedAt": changed,
        "archived": rng.random() < 0.12,
    }
