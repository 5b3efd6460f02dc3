"""Mailboxes and leads of campaigns as Lemlist has them: ids with prefixes, moments with milliseconds and offsets."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]
STATES = (
    "contacted", "contacted", "opened", "paused", "done", "done", "failed", "bounced", "unsubscribed", "replied",
)  # fmt: skip


def mailbox(raw: Row) -> Row:
    """The unified record of this mailbox."""
    return {
        "id": raw["_id"],
        "email": raw["email"],
        "created_at": raw["createdAt"],
        "updated_at": raw["updatedAt"],
        "last_modified_at": raw["updatedAt"],
        "user_id": raw["userId"],
        "is_deleted": raw["removedAt"] is not None,
        "raw_data": raw,
    }


def state(raw: Row) -> Row:
    """The unified record of this lead."""
    return {
        "id": raw["_id"],
        "state": raw["state"],
        "created_at": raw["createdAt"],
        "updated_at": raw["updatedAt"],
        "last_modified_at": raw["updatedAt"],
        "sequence_id": raw["campaign"]["_id"],
        "contact_id": raw["contact"]["_id"],
        "mailbox_id": raw["sender"]["mailboxId"],
        "user_id": raw["createdBy"],
        "is_deleted": raw["isRemoved"],
        "raw_data": raw,
    }


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """What the connector gives: mailboxes and sequence states."""
    rng = Random(f"{seed}:lemlist")
    users = [_id(rng, "usr") for _ in range(40)]
    boxes = [_mailbox(rng, n, users) for n in range(120)]
    names = ("Q1 outbound", "Démo 2024", "展示会", "Win-back")
    campaigns = [
        {"_id": _id(rng, "cam"), "name": f"{rng.choice(names)} {n}", "running": rng.random() < 0.6}
        for n in range(25)
    ]
    states = [_state(rng, n, boxes, users, campaigns) for n in range(500)]
    return [mailbox(one) for one in boxes], [state(one) for one in states]


def _id(rng: Random, prefix: str) -> str:
    return f"{prefix}_{words.token(rng, 17)}"


def _stamped(at: datetime, hours: int) -> str:
    """A moment to the millisecond, at this distance from UTC."""
    return at.astimezone(timezone(timedelta(hours=hours))).isoformat(timespec="milliseconds")


def _mailbox(rng: Random, number: int, users: list[str]) -> Row:
    created = words.moment(rng, 2019, 2022)
    return {
        "_id": _id(rng, "usm"),
        "userId": rng.choice(users),
        "email": words.email(rng, number),
        "replyTo": words.often(rng, 0.3, words.email(rng, number + 700)),
        "provider": rng.choice(("google", "microsoft", "custom")),
        "connected": rng.random() < 0.8,
        "createdAt": words.iso(created),
        "updatedAt": words.iso(words.later(rng, created, 900)),
        "lastSyncAt": words.often(rng, 0.8, words.iso(words.later(rng, created, 950))),
        "removedAt": words.often(rng, 0.15, words.iso(words.later(rng, created, 800))),
        "dailyLimit": rng.choice((50, 100, 200)),
        "signature": f"<p>{' '.join(words.person(rng))}</p>",
        "aliases": [words.email(rng, number + 300)] if rng.random() < 0.2 else [],
        "createdBy": rng.choice(users),
    }


def _state(rng: Random, number: int, boxes: list[Row], users: list[str], campaigns: list[Row]) -> Row:
    hours = rng.choice((-8, -7, 0, 2))
    created = words.moment(rng, 2022, 2024)
    changed = words.later(rng, created, 60)
    state = rng.choice(STATES)
    given, family = words.person(rng)
    return {
        "_id": _id(rng, "lea"),
        "state": state,
        "step": {
            "_id": _id(rng, "stp"),
            "index": rng.randrange(7),
            "state": rng.choice(("scheduled", "sent", "skipped")),
        },
        "contact": {
            "_id": _id(rng, "ctc"),
            "fullName": f"{given} {family}",
            "companyId": _id(rng, "cpn"),
            "ownerId": rng.choice(users),
        },
        "campaign": rng.choice(campaigns),
        "sender": {"mailboxId": rng.choice(boxes)["_id"], "userId": rng.choice(users)},
        "createdBy": rng.choice(users),
        "createdAt": _stamped(created, hours),
        "updatedAt": _stamped(changed, hours),
        "pausedAt": _stamped(words.later(rng, created, 9), hours) if state == "paused" else None,
        "doneAt": _stamped(words.later(rng, created, 50), hours) if state == "done" else None,
        "nextAt": words.often(rng, 0.4, _stamped(words.later(rng, changed, 5), hours)),
        "isRemoved": rng.random() < 0.1,
        "openCount": rng.randrange(12),
        "number": number + 1,
    }
