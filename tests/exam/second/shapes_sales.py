"""Salesloft (integer ids, links to what belongs to it) and Copper (own fields by number, epochs in seconds)."""

from __future__ import annotations

from random import Random
from zoneinfo import ZoneInfo

from tests.exam import words
from tests.exam.mapping import STAGES, Json, made
from tests.exam.second.hows import EMPLOYEES, INDUSTRY, STAGE
from tests.exam.world import World, listing

NEW_YORK = ZoneInfo("America/New_York")
STATES = ("active", "active", "completed", "removed", "removed_no_action", "reassigned", "staged")
COMPANY_IDS = tuple(str(9_607_000 + number * 37) for number in range(120))
INDUSTRIES = ("Software", "Food & Drink", "Maschinenbau", "Logistique", "小売", "Banking", "Health care")

SALESLOFT_MAILBOX = (
    made("id", "id", how="as text"),
    made("email", "sending_email_address"),
    made("created_at", "created_at", how="in UTC"),
    made("updated_at", "updated_at", how="in UTC"),
    made("last_modified_at", "updated_at", how="in UTC"),
    made("user_id", "user/id", how="as text"),
    made("is_deleted", "active", how="not true"),
)
SALESLOFT_STATE = (
    made("id", "id", how="as text"),
    made("state", "current_state"),
    made("created_at", "created_at", how="in UTC"),
    made("updated_at", "updated_at", how="in UTC"),
    made("last_modified_at", "updated_at", how="in UTC"),
    made("sequence_id", "cadence/id", how="as text"),
    made("contact_id", "person/id", how="as text"),
    made("mailbox_id", "mailbox/id", how="as text"),
    made("user_id", "user/id", how="as text"),
    made("is_deleted", "person_deleted", how="is true"),
)
COPPER_ACCOUNT = (
    made("id", "id", how="as text"),
    made("updated_at", "date_modified", how="date of seconds"),
    made("name", "name"),
    made("is_deleted", how="never"),
    made("website", "websites", how="first address"),
    made("industry", "custom_fields", how="own field: industry"),
    made("number_of_employees", "custom_fields", how="own field: employees"),
    made("owner_id", "assignee_id", how="as text"),
    made("created_at", "date_created", how="date of seconds"),
    made("description", "details"),
    made("last_activity_at", "date_last_contacted", how="date of seconds"),
    made("addresses", "address", how="address of Copper"),
    made("phone_numbers", "phone_numbers", how="phones of Copper"),
    made("lifecycle_stage", "custom_fields", how="own field: stage"),
    made("last_modified_at", "date_modified", how="date of seconds"),
)


def _link(kind: str, key: int) -> Json:
    return {"id": key, "_href": f"https://api.salesloft.com/v2/{kind}/{key}"}


def _dates(rng: Random) -> Json:
    created = words.moment(rng)
    created = created.replace(microsecond=created.microsecond + rng.randrange(1000))
    changed = words.later(rng, created)
    return {
        "created_at": created.astimezone(NEW_YORK).isoformat(timespec="microseconds"),
        "updated_at": changed.astimezone(NEW_YORK).isoformat(timespec="microseconds"),
    }


def _mailbox(rng: Random, number: int, user: int) -> Json:
    given, family = words.person(rng)
    address = words.email(rng, number)
    return {
        "id": 7_310_000 + number * 11,
        **_dates(rng),
        "name": f"{given} {family}",
        "active": rng.random() < 0.85,
        "sending_email_address": address,
        "full_email_address": f'"{given} {family}" <{address}>',
        "bcc_email_address": f"{words.token(rng, 10)}@smtp.salesloft.example",
        "time_zone": rng.choice(("US/Eastern", "Europe/Berlin", "Asia/Tokyo")),
        "email_signature": f"<p>{given}</p>",
        "email_signature_click_tracking_disabled": rng.random() < 0.2,
        "daily_limit": rng.choice((150, 500, 1000)),
        "user": _link("users", user),
        "slack_username": None,
    }


def _membership(rng: Random, number: int, users: list[int], boxes: list[int], cadences: list[int]) -> Json:
    at = rng.randrange(len(users))
    state = rng.choice(STATES)
    return {
        "id": 55_400_000 + number * 23 + rng.randrange(23),
        "added_at": None,
        **_dates(rng),
        "person_deleted": rng.random() < 0.08,
        "currently_on_cadence": state in ("active", "staged"),
        "current_state": state,
        "cadence": _link("cadences", rng.choice(cadences)),
        "person": _link("people", 90_200_000 + rng.randrange(10**6)),
        "mailbox": words.often(rng, 0.8, _link("mailboxes", boxes[at])),
        "user": words.often(rng, 0.93, _link("users", users[at])),
        "latest_action": words.often(rng, 0.7, _link("actions", rng.randrange(10**6, 10**7))),
        "counts": {"views": rng.randrange(9), "clicks": rng.randrange(4), "replies": 0, "bounces": 0},
    }


def salesloft(rng: Random) -> World:
    users = rng.sample(range(210_000, 240_000), 70)
    mailboxes = [_mailbox(rng, number, user) for number, user in enumerate(users)]
    boxes = [one["id"] for one in mailboxes]
    cadences = rng.sample(range(18_000, 19_000), 25)
    states = [_membership(rng, number, users, boxes, cadences) for number in range(560)]
    lists = [
        listing("sales-engagement/mailbox", "B", mailboxes, SALESLOFT_MAILBOX),
        listing("sales-engagement/sequence_state", "B", states, SALESLOFT_STATE),
    ]
    return World("salesloft", lists, absent_nulls=True)


def _phone(rng: Random) -> Json:
    country = rng.choice(("+1 415", "+49 89", "+33 1", "+81 3", "+44 20"))
    category = rng.choice(("work", "work", "mobile", "home", "other", "fax"))
    return {
        "number": f"{country} {rng.randrange(100, 999)} {rng.randrange(1000, 9999)}",
        "category": category,
    }


def _company(rng: Random, number: int) -> Json:
    created = words.moment(rng).replace(microsecond=0)
    city, state, country, code = rng.choice(words.CITIES)
    street = f"{rng.choice(('Main Street', 'Hauptstraße', 'rue du Lac', 'ул. Ленина'))} {rng.randint(1, 200)}"
    parts = {"street": street, "city": city, "state": state, "postal_code": code, "country": country}
    heads = rng.choice((0, rng.randrange(2, 900), rng.randrange(1000, 90_000)))
    stage = words.often(rng, 0.8, rng.choice(tuple(STAGES)))
    contacted = words.often(rng, 0.6, int(words.later(rng, created).timestamp()))
    fields = (
        (INDUSTRY, words.often(rng, 0.7, rng.choice(INDUSTRIES))),
        (EMPLOYEES, words.often(rng, 0.8, f"{heads:,}".replace(",", "."))),
        (STAGE, stage),
        (100767, words.often(rng, 0.5, rng.randrange(10**6, 10**9))),
    )
    domain = f"company{number}.example"
    return {
        "id": int(COMPANY_IDS[number]),
        "name": f"{rng.choice(words.COMPANIES)} {rng.choice(words.FORMS)}".strip() + f" {number}",
        "address": words.often(rng, 0.8, parts),
        "assignee_id": words.often(rng, 0.85, rng.choice((137_658, 137_659, 140_001, 151_020))),
        "contact_type_id": rng.choice((451_490, 451_491)),
        "details": words.often(rng, 0.6, words.text(rng, 3)),
        "email_domain": domain,
        "phone_numbers": [_phone(rng) for _ in range(rng.randrange(4))],
        "socials": [{"url": f"https://social.example/{number}", "category": "linkedin"}],
        "tags": words.few(rng, ("key", "partner", "été"), 0, 2),
        "websites": [{"url": f"https://www.{domain}/", "category": "work"}] if rng.random() < 0.85 else [],
        "custom_fields": [{"custom_field_definition_id": key, "value": value} for key, value in fields],
        "interaction_count": rng.randrange(90),
        "date_created": int(created.timestamp()),
        "date_modified": int(words.later(rng, created).timestamp()),
        "date_last_contacted": contacted,
    }


def copper(rng: Random) -> World:
    raws = [_company(rng, number) for number in range(len(COMPANY_IDS))]
    return World("copper", [listing("crm/account", "batch", raws, COPPER_ACCOUNT)])
