"""Apollo: mailboxes, and the states of contacts in sequences, with ids of 24 hexadecimal digits."""

from __future__ import annotations

from random import Random

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import MAILBOX, STATE, Row, World

STATUSES = ("active", "paused", "finished", "failed", "not_sent")


def _users(rng: Random) -> list[Row]:
    names = list(dict.fromkeys(words.person(rng) for _ in range(26)))
    return [
        {"id": words.hexadecimal(rng), "name": one, "email": words.address_of(one, "acme.example")}
        for one in names
    ]


def _mailbox(rng: Random, user: Row, at: int, first: bool) -> Row:
    created = words.moment(rng)
    gone = rng.random() < 0.1
    local, _, domain = user["email"].partition("@")
    email = (
        user["email"]
        if first
        else f"{local}{rng.choice((f'+out{at}', f'.sales{at}', f'-{at}'))}@{rng.choice(('get', 'try'))}{domain}"
    )
    modified = words.later(rng, created)
    return {
        "id": words.hexadecimal(rng),
        "user_id": user["id"],
        "user": user,
        "email": email,
        "aliases": [f"hello.{email}"] if rng.random() < 0.3 else [],
        "type": rng.choice(("gmail", "outlook")),
        "active": not gone and rng.random() < 0.85,
        "default": first,
        "created_at": words.millis(created),
        "updated_at": words.millis(modified),
        "last_synced_at": words.millis(words.later(rng, modified, 20)),
        "deleted_at": words.millis(modified) if gone else None,
        "email_daily_threshold": rng.choice((25, 50, 200)),
        "deliverability_score": {
            "overall": round(rng.random(), 4),
            "domain_score": {"spf": True, "dkim": False},
        },
        "signature_html": rng.choice(words.HTML),
    }


def _state(rng: Random, boxes: list[Row], sequences: list[Row], users: list[Row]) -> Row:
    added = words.moment(rng)
    changed = words.later(rng, added, 90)
    status = rng.choices(STATUSES, (5, 3, 6, 1, 2))[0]
    box, sequence = rng.choice(boxes), rng.choice(sequences)
    name = words.person(rng)
    contact = {"id": words.hexadecimal(rng), "name": name, "email": words.address_of(name, "client.example")}
    contact |= {"owner_id": rng.choice(users)["id"], "account_id": words.hexadecimal(rng)}
    step = rng.randrange(len(sequence["steps"]))
    return {
        "id": words.hexadecimal(rng),
        "contact_id": contact["id"],
        "contact": contact,
        "emailer_campaign_id": sequence["id"],
        "emailer_campaign": {key: sequence[key] for key in ("id", "name", "user_id")},
        "send_email_from_email_account_id": box["id"] if rng.random() < 0.93 else None,
        "added_by_user_id": box["user_id"] if rng.random() < 0.6 else rng.choice(users)["id"],
        "status": status,
        "inactive_reason": rng.choice(("bounced", "replied", "manual"))
        if status in ("paused", "failed")
        else None,
        "current_step_id": sequence["steps"][step],
        "current_step_position": step + 1,
        "created_at": words.millis(added),
        "added_at": words.seconds(added),
        "updated_at": words.millis(changed),
        "finished_at": words.millis(words.later(rng, added, 30)) if status == "finished" else None,
        "paused_at": words.millis(words.later(rng, added, 30)) if status == "paused" else None,
        "deleted": rng.random() < 0.05,
        "opens": rng.randrange(9),
    }


def mailbox_of(raw: Row) -> Row:
    """The sound mapping."""
    return {
        "id": raw["id"],
        "email": raw["email"],
        "created_at": raw["created_at"],
        "updated_at": raw["updated_at"],
        "last_modified_at": raw["updated_at"],
        "user_id": raw["user_id"],
        "is_deleted": raw["deleted_at"] is not None,
        "raw_data": raw,
    }


def state_of(raw: Row) -> Row:
    """The sound mapping."""
    return {
        "id": raw["id"],
        "state": raw["status"],
        "created_at": raw["created_at"],
        "updated_at": raw["updated_at"],
        "last_modified_at": raw["updated_at"],
        "sequence_id": raw["emailer_campaign_id"],
        "contact_id": raw["contact_id"],
        "mailbox_id": raw["send_email_from_email_account_id"] or "",
        "user_id": raw["added_by_user_id"],
        "is_deleted": raw["deleted"],
        "raw_data": raw,
    }


MAILBOX_TRUTH = {
    "id": "id",
    "email": "email",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "last_modified_at": "updated_at",
    "user_id": "user_id",
    "is_deleted": "deleted_at",
}
STATE_TRUTH = {
    "id": "id",
    "state": "status",
    "created_at": "created_at",
    "updated_at": "updated_at",
    "last_modified_at": "updated_at",
    "sequence_id": "emailer_campaign_id",
    "contact_id": "contact_id",
    "mailbox_id": "send_email_from_email_account_id",
    "user_id": "added_by_user_id",
    "is_deleted": "deleted",
}


def apollo(seed: int) -> World:
    """Mailboxes and sequence states of Apollo."""
    rng = Random(f"{seed}:apollo")
    users = _users(rng)
    boxes = [
        _mailbox(rng, user, at, at < len(users)) for at, user in enumerate(users + rng.choices(users, k=44))
    ]
    sequences: list[Row] = [
        {
            "id": words.hexadecimal(rng),
            "name": f"{rng.choice(words.TRADES)} {at}",
            "user_id": rng.choice(users)["id"],
            "steps": [words.hexadecimal(rng) for _ in range(4)],
        }
        for at in range(12)
    ]
    states = [_state(rng, boxes, sequences, users) for _ in range(460)]
    lists = {MAILBOX: [mailbox_of(raw) for raw in boxes], STATE: [state_of(raw) for raw in states]}
    return World("apollo", lists)
