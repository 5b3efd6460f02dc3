"""Mailboxes and prospects of campaigns as Woodpecker has them: numbers for ids, moments as `+0200`, capitals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
BOXES, STATES = 130, 430
WORDS = (
    "ACTIVE",
    "ACTIVE",
    "ACTIVE",
    "PAUSED",
    "REPLIED",
    "AUTO-REPLIED",
    "BOUNCED",
    "OPT-OUT",
    "FINISHED",
    "TO-CHECK",
)


def local(at: datetime) -> str:
    """A moment in Warsaw."""
    hours = 2 if 4 <= at.month <= 10 else 1
    return at.astimezone(timezone(timedelta(hours=hours))).strftime("%Y-%m-%dT%H:%M:%S%z")


def moment(text: str) -> datetime:
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")


def utc(text: str | None) -> str | None:
    """The same moment in UTC."""
    return None if text is None else moment(text).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def mailbox(raw: Row) -> Row:
    """The unified record of this mailbox."""
    return {
        "id": str(raw["id"]),
        "email": raw["details"]["email"],
        "created_at": utc(raw["created"]),
        "updated_at": utc(raw["updated"]),
        "last_modified_at": utc(raw["updated"]),
        "user_id": str(raw["owner"]["id"]) if raw["owner"] else None,
        "is_deleted": raw["deleted"],
        "raw_data": raw,
    }


def state(raw: Row) -> Row:
    """The unified record of this prospect in this campaign."""
    return {
        "id": f"{raw['campaign_id']}-{raw['id']}",
        "state": raw["status"].lower(),
        "created_at": utc(raw["created"]),
        "updated_at": utc(raw["updated"]),
        "last_modified_at": utc(raw["updated"]),
        "sequence_id": str(raw["campaign_id"]),
        "contact_id": str(raw["id"]),
        "mailbox_id": str(raw["mailbox_id"]),
        "user_id": str(raw["owner_id"]),
        "is_deleted": not raw["in_campaign"],
        "raw_data": raw,
    }


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """Mailboxes, and prospects of campaigns."""
    rng = Random(f"{seed}:woodpecker")
    users = [{"id": 30_211 + n * 3, "name": " ".join(words.person(rng))} for n in range(8)]
    boxes = [_mailbox(rng, number, users) for number in range(BOXES)]
    campaigns = [
        {"id": 1_430_000 + n * 17, "name": f"{words.DEPARTMENTS[n]} Q{n % 4 + 1}"} for n in range(12)
    ]
    prospects = [_prospect(rng, number) for number in range(STATES - 120)]
    pairs = [(one, rng.choice(campaigns)) for one in prospects]
    while len(pairs) < STATES:
        one, _ = rng.choice(pairs)
        other = rng.choice(campaigns)
        if all((one["id"], other["id"]) != (a["id"], b["id"]) for a, b in pairs):
            pairs.append((one, other))
    rng.shuffle(pairs)
    states = [_state(rng, one, campaign, rng.choice(boxes), users) for one, campaign in pairs]
    return [mailbox(one) for one in boxes], [state(one) for one in states]


def _mailbox(rng: Random, number: int, users: list[Row]) -> Row:
    created = words.moment(rng, 2019, 2023)
    name, _, domain = words.email(rng, number).partition("@")
    tag = rng.choice(("", "", "", "+outreach"))
    email = f"{name}{tag}@{domain}"
    deleted = rng.random() < 0.1
    return {
        "id": 512_004 + number * 31,
        "type": rng.choice(("SMTP", "GOOGLE", "MICROSOFT")),
        "details": {
            "email": email,
            "login": f"{name}@{domain}",
            "from_name": " ".join(words.person(rng)),
            "server": f"smtp.{domain}",
            "port": rng.choice((25, 465, 587)),
            "daily_sending_limit": rng.choice((50, 100, 200)),
        },
        "owner": words.often(rng, 0.85, rng.choice(users)),
        "created": local(created),
        "updated": local(words.later(rng, created, 400)),
        "active": not deleted and rng.random() < 0.8,
        "deleted": deleted,
        "error": words.often(rng, 0.15, "535 5.7.8 Authentication failed"),
    }


def _prospect(rng: Random, number: int) -> Row:
    given, family = words.person(rng)
    return {
        "id": 911_223_000 + number * 41,
        "email": words.email(rng, number + 500),
        "first_name": given,
        "last_name": family,
        "company": rng.choice(words.COMPANIES),
        "tags": rng.choice(("", "#VIP", "#VIP #fair")),
        "snippet1": rng.choice(("", words.text(rng, 1))),
    }


def _state(rng: Random, one: Row, campaign: Row, box: Row, users: list[Row]) -> Row:
    created = words.moment(rng, 2022, 2023)
    changed = words.later(rng, created, 200)
    word = rng.choice(WORDS)
    return {
        **one,
        "campaign_id": campaign["id"],
        "campaign_name": campaign["name"],
        "mailbox_id": box["id"],
        "mailbox_email": box["details"]["email"],
        "mailbox_deleted": box["deleted"],
        "owner_id": rng.choice(users)["id"],
        "status": word,
        "in_campaign": rng.random() < 0.9,
        "interested": rng.choice(("", "INTERESTED", "MAYBE-LATER", "NOT-INTERESTED")),
        "emails_sent": rng.randrange(0, 6),
        "last_contacted": words.often(rng, 0.8, local(words.later(rng, created, 100))),
        "last_replied": local(changed) if "REPLIED" in word else None,
        "created": local(created),
        "updated": local(changed),
    }
