"""Email accounts and campaign contacts as Apollo has them: long hexadecimal ids, moments with milliseconds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
STATUSES = (
    "active",
    "active",
    "paused",
    "finished",
    "finished",
    "failed",
    "bounced",
    "spam_blocked",
    "replied",
)


def mailbox(raw: Row) -> Row:
    """The unified record of this email account."""
    return {
        "id": raw["id"],
        "email": raw["email"],
        "created_at": raw["created_at"],
        "updated_at": raw["updated_at"],
        "last_modified_at": raw["updated_at"],
        "user_id": raw["user_id"],
        "is_deleted": raw["revoked_at"] is not None,
        "raw_data": raw,
    }


def state(raw: Row) -> Row:
    """The unified record of this campaign contact."""
    return {
        "id": raw["id"],
        "state": raw["status"],
        "created_at": raw["added_at"],
        "updated_at": raw["updated_at"],
        "last_modified_at": raw["updated_at"],
        "sequence_id": raw["emailer_campaign"]["id"],
        "contact_id": raw["contact"]["id"],
        "mailbox_id": raw["send_email_from_email_account_id"],
        "user_id": raw["added_by_user_id"],
        "is_deleted": raw["deleted"],
        "raw_data": raw,
    }


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """What the connector gives: mailboxes and sequence states."""
    rng = Random(f"{seed}:apollo")
    users = [oid(rng) for _ in range(40)]
    boxes = [_mailbox(rng, n, users) for n in range(120)]
    campaigns = [
        {
            "id": oid(rng),
            "name": rng.choice(("Q1 outbound", "Démo 2024", "展示会", "Win-back")),
            "active": rng.random() < 0.6,
        }
        for _ in range(25)
    ]
    states = [_state(rng, n, boxes, users, campaigns) for n in range(500)]
    return [mailbox(one) for one in boxes], [state(one) for one in states]


def oid(rng: Random) -> str:
    """Twenty-four hexadecimal digits."""
    return words.token(rng, 24, "0123456789abcdef")


def stamped(at: datetime, hours: int) -> str:
    """A moment to the millisecond, at this distance from UTC."""
    return at.astimezone(timezone(timedelta(hours=hours))).isoformat(timespec="milliseconds")


def _mailbox(rng: Random, number: int, users: list[str]) -> Row:
    created = words.moment(rng, 2019, 2022)
    email = words.email(rng, number)
    revoked = words.later(rng, created, 800)
    return {
        "id": oid(rng),
        "user_id": rng.choice(users),
        "email": email,
        "reply_to": words.often(rng, 0.3, words.email(rng, number + 700)),
        "type": rng.choice(("gmail", "office365", "imap")),
        "active": rng.random() < 0.8,
        "default": rng.random() < 0.3,
        "created_at": words.iso(created),
        "updated_at": words.iso(words.later(rng, created, 900)),
        "last_synced_at": words.often(rng, 0.8, words.iso(words.later(rng, created, 950))),
        "revoked_at": words.often(rng, 0.15, words.iso(revoked)),
        "email_daily_threshold": rng.choice((50, 100, 200)),
        "signature_html": f"<p>{' '.join(words.person(rng))}</p>",
        "aliases": [words.email(rng, number + 300)] if rng.random() < 0.2 else [],
        "created_by_id": rng.choice(users),
    }


def _state(rng: Random, number: int, boxes: list[Row], users: list[str], campaigns: list[Row]) -> Row:
    hours = rng.choice((-8, -7, 0, 2))
    added = words.moment(rng, 2022, 2024)
    changed = words.later(rng, added, 60)
    status = rng.choice(STATUSES)
    given, family = words.person(rng)
    done = status == "finished"
    return {
        "id": oid(rng),
        "status": status,
        "current_step_position": rng.randrange(1, 7),
        "current_step_status": rng.choice(("scheduled", "completed", "skipped")),
        "inactive_reason": "Sequence completed" if done else words.often(rng, 0.2, "Manually stopped"),
        "contact": {
            "id": oid(rng),
            "name": f"{given} {family}",
            "account_id": oid(rng),
            "owner_id": rng.choice(users),
        },
        "emailer_campaign": rng.choice(campaigns),
        "emailer_step_id": oid(rng),
        "send_email_from_email_account_id": rng.choice(boxes)["id"],
        "send_email_from_user_id": rng.choice(users),
        "added_by_user_id": rng.choice(users),
        "added_at": stamped(added, hours),
        "updated_at": stamped(changed, hours),
        "paused_at": stamped(words.later(rng, added, 9), hours) if status == "paused" else None,
        "finished_at": stamped(words.later(rng, added, 50), hours) if done else None,
        "to_be_sent_at": words.often(rng, 0.4, stamped(words.later(rng, changed, 5), hours)),
        "deleted": rng.random() < 0.1,
        "bcc_emails": None,
        "open_count": rng.randrange(12),
        "number": number + 1,
    }
