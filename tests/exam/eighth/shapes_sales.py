"""Mailboxes and leads in campaigns as Smartlead has them: numbers for ids, words for statuses, offsets in dates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
STATES = {
    "STARTED": "pending",
    "INPROGRESS": "active",
    "COMPLETED": "finished",
    "PAUSED": "paused",
    "STOPPED": "stopped",
    "BLOCKED": "blocked",
}
CATEGORIES = ("Interested", "Meeting Request", "Not Interested", "Do Not Contact", "Out Of Office")
INDIA = timezone(timedelta(hours=5, minutes=30))


def utc(text: str | None) -> str | None:
    """The moment in UTC."""
    return words.iso(datetime.fromisoformat(text).astimezone(UTC)) if text else None


def text_of(number: int | None) -> str | None:
    return None if number is None else str(number)


def mailbox(raw: Row) -> Row:
    """The unified record of this e-mail account."""
    changed = utc(raw["updated_at"])
    return {
        "id": str(raw["id"]),
        "email": raw["from_email"],
        "created_at": utc(raw["created_at"]),
        "updated_at": changed,
        "last_modified_at": changed,
        "user_id": str(raw["user_id"]),
        "is_deleted": raw["deleted_at"] is not None,
        "raw_data": raw,
    }


def state(raw: Row) -> Row:
    """The unified record of this lead in its campaign."""
    changed = utc(raw["updated_at"])
    return {
        "id": raw["campaign_lead_map_id"],
        "state": STATES[raw["status"]],
        "created_at": utc(raw["created_at"]),
        "updated_at": changed,
        "last_modified_at": changed,
        "sequence_id": str(raw["campaign"]["id"]),
        "contact_id": str(raw["lead"]["id"]),
        "mailbox_id": text_of(raw["email_account_id"]),
        "user_id": str(raw["campaign"]["user_id"]),
        "is_deleted": raw["removed_at"] is not None,
        "raw_data": raw,
    }


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """What the connector gives: mailboxes and states."""
    rng = Random(f"{seed}:smartlead")
    users = [9_010 + number * 6 for number in range(8)]
    boxes = [_box(rng, number, users) for number in range(70)]
    campaigns = [
        {"id": 55_101 + n * 11, "name": f"{rng.choice(words.DEPARTMENTS)} {n}", "user_id": rng.choice(users)}
        for n in range(13)
    ]
    leads = [_lead(rng, number) for number in range(220)]
    chosen = [*leads, *rng.sample(leads, 90)]
    return [mailbox(one) for one in boxes], [
        state(_state(rng, number, lead, campaigns, boxes)) for number, lead in enumerate(chosen)
    ]


def _zoned(at: datetime) -> str:
    return at.astimezone(INDIA).isoformat(timespec="milliseconds")


def _box(rng: Random, number: int, users: list[int]) -> Row:
    created = words.moment(rng, 2022, 2024)
    given, family = words.person(rng)
    login, _, domain = words.email(rng, number).partition("@")
    address = f"{login}{rng.choice(('', '', '+sales', '+dach'))}@{domain}"
    gone = words.later(rng, created, 300)
    return {
        "id": 481_021 + number * 17,
        "created_at": _zoned(created),
        "updated_at": words.often(rng, 0.85, _zoned(words.later(rng, created, 300))),
        "deleted_at": words.often(rng, 0.12, _zoned(gone)),
        "user_id": rng.choice(users),
        "from_name": words.often(rng, 0.8, f"{given} {family}"),
        "from_email": address,
        "username": address,
        "type": rng.choice(("GMAIL", "OUTLOOK", "SMTP")),
        "is_smtp_success": rng.random() < 0.85,
        "is_imap_success": rng.random() < 0.9,
        "message_per_day": rng.choice((20, 30, 50)),
        "client_id": words.often(rng, 0.4, 300 + number % 5),
        "signature": words.often(rng, 0.5, f"<div>{given}<br>{family}</div>"),
        "warmup_details": {"status": rng.choice(("ACTIVE", "INACTIVE")), "warmup_reputation": "100%"},
        "tags": [{"id": n, "name": one} for n, one in enumerate(words.few(rng, ("EU", "cold", "VIP"), 0, 2))],
    }


def _lead(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {
        "id": 700_341 + number * 23,
        "created_at": _zoned(words.moment(rng, 2020, 2021)),
        "first_name": given,
        "last_name": words.often(rng, 0.9, family),
        "email": f"lead{number}.{rng.choice(words.LATIN)}@{rng.choice(words.DOMAINS)}",
        "phone_number": words.often(rng, 0.5, f"+1 415 555 {rng.randrange(10**4):04d}"),
        "company_name": rng.choice(words.COMPANIES),
        "custom_fields": {"Title": words.title(rng), "Loom_URL": None},
        "is_unsubscribed": rng.random() < 0.15,
    }


def _state(rng: Random, number: int, lead: Row, campaigns: list[Row], boxes: list[Row]) -> Row:
    created = words.moment(rng, 2025, 2025)
    changed = words.later(rng, created, 60)
    status = rng.choice(tuple(STATES))
    sent = 0 if status == "STARTED" else rng.randrange(1, 6)
    return {
        "campaign_lead_map_id": str(243_366_409_112_340_017 + number * 1_234_567),
        "status": status,
        "created_at": _zoned(created),
        "updated_at": _zoned(changed),
        "removed_at": words.often(rng, 0.1, _zoned(changed)),
        "last_sent_at": _zoned(created + (changed - created) / 2) if sent else None,
        "email_account_id": rng.choice(boxes)["id"] if sent else None,
        "lead_category": words.often(rng, 0.5, rng.choice(CATEGORIES)),
        "campaign": dict(rng.choice(campaigns)),
        "lead": lead,
        "statistics": {
            "lead_email": lead["email"],
            "sent_count": sent,
            "open_count": rng.randrange(sent + 1),
            "last_seq_number": sent or None,
        },
    }
