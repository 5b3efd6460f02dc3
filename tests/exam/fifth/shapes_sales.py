"""Reply.io's accounts and people in sequences: dates with the offset of their owner, ids of 17 digits, flags."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from random import Random
from typing import Any

from tests.exam import words

Row = dict[str, Any]

NAME = "replyio"
STATES = ("Active", "Finished", "Paused", "Replied", "OutOfSequence", "OptedOut", "Bounced", "New")
WEIGHTS = (40, 25, 9, 8, 6, 6, 4, 4)
OFFSETS = (0, 60, 120, -300, -240, 330, 345, 540)


def _told(at: datetime, minutes: int) -> str:
    local = at.astimezone(timezone(timedelta(minutes=minutes))).isoformat(timespec="seconds")
    return local.replace("+00:00", "Z")


def moment(text: str | None) -> str | None:
    """The sound form of a date."""
    return None if text is None else words.iso(datetime.fromisoformat(text).astimezone(UTC))


def _account(rng: Random, number: int, offset: int, user: int) -> Row:
    connected = words.moment(rng, 2020, 2024)
    changed = words.later(rng, connected, 400)
    first, last = words.person(rng)
    address = words.email(rng, number)
    local, _, domain = address.partition("@")
    if rng.random() < 0.12:
        address = f"{local}+{rng.choice(('sales', 'dach', 'news'))}@{domain}"
    login = address if rng.random() < 0.8 else f"relay-{number}@smtp.{domain}"
    gone = rng.random() < 0.09
    return {
        "id": 31_000 + number * 7,
        "emailAddress": address,
        "senderName": f"{first} {last}",
        "smtp": {"login": login, "host": f"smtp.{domain}", "port": rng.choice((465, 587))},
        "provider": rng.choice(("Gmail", "Office365", "Smtp")),
        "userId": user,
        "teamId": 880 + user % 5,
        "isActive": not gone and rng.random() < 0.85,
        "deletedAt": _told(changed, offset) if gone else None,
        "dailyLimit": rng.choice((50, 100, 200)),
        "connectedAt": _told(connected, offset),
        "modifiedAt": _told(changed, offset),
    }


def _sequence(rng: Random, number: int) -> Row:
    return {
        "id": 7_400 + number * 3,
        "name": f"{rng.choice(('Outbound', 'Webinar', 'Rückruf', 'Relance', 'Q1'))} {number + 1}",
        "clonedFromId": 7_400 + 3 * rng.randrange(number) if number and rng.random() < 0.4 else None,
        "status": rng.choice(("Running", "Running", "Stopped", "Archived")),
    }


def _enrolment(rng: Random, sequences: list[Row], accounts: list[Row], offsets: dict[int, int]) -> Row:
    account = rng.choice(accounts)
    offset = offsets[account["userId"]]
    added = words.moment(rng, 2020, 2024)
    if rng.random() < 0.06:
        day = datetime(rng.choice((2020, 2021, 2022, 2023, 2024)), 12, 30, tzinfo=UTC)
        added = day + timedelta(seconds=rng.randrange(1, 160_000))
    number = 90_071_992_547_000_000 + rng.randrange(10**9)
    address = words.email(rng, rng.randrange(10_000))
    value = rng.choices(STATES, WEIGHTS)[0]
    return {
        "id": words.guid(rng),
        "sequence": rng.choice(sequences),
        "person": {"id": str(number), "email": address, "company": rng.choice(words.COMPANIES)},
        "emailAccountId": account["id"],
        "ownerUserId": words.often(rng, 0.9, account["userId"]),
        "status": {
            "value": value,
            "opened": rng.random() < 0.5,
            "replied": value == "Replied",
            "bounced": value == "Bounced",
        },
        "currentStep": rng.randint(1, 9),
        "archived": rng.random() < 0.08,
        "addedAt": words.often(rng, 0.95, _told(added, offset)),
        "updatedAt": _told(words.later(rng, added), offset),
    }


def mailbox_of(raw: Row) -> Row:
    """The sound mapping."""
    return {
        "id": str(raw["id"]),
        "email": raw["emailAddress"],
        "created_at": moment(raw["connectedAt"]),
        "updated_at": moment(raw["modifiedAt"]),
        "last_modified_at": moment(raw["modifiedAt"]),
        "user_id": str(raw["userId"]),
        "is_deleted": raw["deletedAt"] is not None,
        "raw_data": raw,
    }


def state_of(raw: Row) -> Row:
    """The sound mapping; what an enrolment does not have is left out."""
    owner = raw["ownerUserId"]
    made = {
        "id": raw["id"],
        "state": raw["status"]["value"],
        "created_at": moment(raw["addedAt"]),
        "updated_at": moment(raw["updatedAt"]),
        "last_modified_at": moment(raw["updatedAt"]),
        "sequence_id": str(raw["sequence"]["id"]),
        "contact_id": raw["person"]["id"],
        "mailbox_id": str(raw["emailAccountId"]),
        "user_id": None if owner is None else str(owner),
        "is_deleted": raw["archived"],
        "raw_data": raw,
    }
    return {name: of for name, of in made.items() if of is not None}


MAILBOX_TRUTH = {
    "id": "id",
    "email": "emailAddress",
    "created_at": "connectedAt",
    "updated_at": "modifiedAt",
    "last_modified_at": "modifiedAt",
    "user_id": "userId",
    "is_deleted": "deletedAt is set",
}
STATE_TRUTH = {
    "id": "id",
    "state": "status.value",
    "created_at": "addedAt",
    "updated_at": "updatedAt",
    "last_modified_at": "updatedAt",
    "sequence_id": "sequence.id",
    "contact_id": "person.id",
    "mailbox_id": "emailAccountId",
    "user_id": "ownerUserId",
    "is_deleted": "archived",
}


def raws(seed: int) -> tuple[list[Row], list[Row]]:
    """E-mail accounts, and people in sequences."""
    rng = Random(f"{seed}:{NAME}")
    offsets = {5_200 + number: rng.choice(OFFSETS) for number in range(34)}
    accounts = []
    for number in range(210):
        user = rng.choice(list(offsets))
        accounts.append(_account(rng, number, offsets[user], user))
    sequences = [_sequence(rng, number) for number in range(26)]
    enrolments = [_enrolment(rng, sequences, accounts, offsets) for _ in range(520)]
    return accounts, enrolments


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """The mailboxes and states that a sound connector lists."""
    accounts, enrolments = raws(seed)
    return [mailbox_of(one) for one in accounts], [state_of(one) for one in enrolments]
