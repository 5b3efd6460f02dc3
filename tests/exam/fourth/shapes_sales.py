"""Lemlist's senders and enrolments: states by number with their history, epochs of two units, locale dates."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

from tests.exam.fourth import texts
from tests.exam.third import vocabulary as words
from tests.exam.third.engine import MAILBOX, STATE, Row, World

NAME = "lemlist"
STATES = {
    0: "scheduled",
    1: "active",
    2: "paused",
    3: "finished",
    4: "replied",
    5: "bounced",
    6: "unsubscribed",
}
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"


def token(rng: Random, prefix: str) -> str:
    """An id as Lemlist makes them: a prefix and 17 letters of both cases."""
    return f"{prefix}_{''.join(rng.choices(LETTERS, k=17))}"


def _mailbox(rng: Random, at: int, users: list[str]) -> Row:
    created = words.moment(rng, 2014, 2016)
    name = words.person(rng)
    domain = rng.choice(("sales.example", "mail.example", "out.example"))
    local = words.address_of(name, domain).partition("@")[0]
    plus = f"+{rng.choice(('eu', 'team', 'q3'))}" if rng.random() < 0.25 else ""
    main = {"address": f"{local}{at}{plus}@{domain}", "primary": True}
    others = [
        {"address": f"{local}{at}.alias{n}@{domain}", "primary": False} for n in range(rng.randrange(3))
    ]
    addresses = [*others, main]
    rng.shuffle(addresses)
    return {
        "_id": token(rng, "usm"),
        "addresses": addresses,
        "provider": rng.choice(("google", "microsoft", "smtp")),
        "userId": None if at % 11 == 5 else rng.choice(users),
        "status": rng.choices(("connected", "error", "archived"), (8, 1, 2))[0],
        "signature": texts.markup(rng),
        "dailyLimit": rng.choice((50, 100, 200)),
        "createdAt": words.millis(created),
        "updatedAt": texts.epoch_millis(words.later(rng, created)),
    }


def _enrolment(rng: Random, senders: list[Row], campaigns: list[Row], users: list[str]) -> Row:
    created = words.moment(rng)
    at, history = texts.epoch(created) + 60, []
    codes = [0, *rng.sample((1, 2, 3, 4, 5, 6), rng.choice((0, 1, 1, 2, 3)))]
    for code in codes:
        at += rng.randint(60, 900_000)
        history.append({"state": code, "at": at})
    sender = rng.choice(senders)
    imported = rng.random() < 0.3
    if imported:
        created = created.replace(second=0, microsecond=0)
    return {
        "_id": token(rng, "lst"),
        "campaign": rng.choice(campaigns),
        "contactId": token(rng, "ctc"),
        "leadId": token(rng, "lea"),
        "sender": {
            "mailboxId": sender["_id"],
            "userId": sender["userId"] or rng.choice(users),
            "previousMailboxId": rng.choice(senders)["_id"] if rng.random() < 0.15 else None,
        },
        "state": codes[-1],
        "history": history,
        "createdAt": None if imported else words.millis(created),
        "importedOn": f"{created:%d/%m/%Y %H:%M}" if imported else None,
        "updatedAt": at * 1000 + rng.randrange(1000) + rng.randrange(90) * 1000,
        "deletedAt": (at + 5) * 1000 if rng.random() < 0.06 else None,
        "variables": {"firstName": rng.choice(words.FIRST), "company": words.company(rng)},
    }


def main_address(raw: Row) -> str:
    """The primary one of a sender's addresses."""
    found: str = next(one["address"] for one in raw["addresses"] if one["primary"])
    return found


def mailbox_of(raw: Row) -> Row:
    """The sound mapping of a sender; one without a user has no field for it."""
    updated = texts.from_millis(raw["updatedAt"])
    user = {"user_id": raw["userId"]} if raw["userId"] else {}
    return {
        "id": raw["_id"],
        "email": main_address(raw),
        "created_at": raw["createdAt"],
        "updated_at": updated,
        "last_modified_at": updated,
        **user,
        "is_deleted": raw["status"] == "archived",
        "raw_data": raw,
    }


def imported_at(told: str, form: str = "%d/%m/%Y %H:%M") -> str:
    """The moment of a locale date, which is told in UTC."""
    return words.millis(datetime.strptime(told, form).replace(tzinfo=UTC))


def state_of(raw: Row) -> Row:
    """The sound mapping of an enrolment."""
    return {
        "id": raw["_id"],
        "state": STATES[raw["state"]],
        "created_at": raw["createdAt"] or imported_at(raw["importedOn"]),
        "updated_at": texts.from_millis(raw["updatedAt"]),
        "last_modified_at": texts.from_seconds(raw["history"][-1]["at"]),
        "sequence_id": raw["campaign"]["_id"],
        "contact_id": raw["contactId"],
        "mailbox_id": raw["sender"]["mailboxId"],
        "user_id": raw["sender"]["userId"],
        "is_deleted": raw["deletedAt"] is not None,
        "raw_data": raw,
    }


MAILBOX_TRUTH = {
    "id": "_id",
    "email": "addresses, the primary one",
    "created_at": "createdAt",
    "updated_at": "updatedAt",
    "last_modified_at": "updatedAt",
    "user_id": "userId",
    "is_deleted": "status is archived",
}
STATE_TRUTH = {
    "id": "_id",
    "state": "state",
    "created_at": "createdAt, else importedOn",
    "updated_at": "updatedAt",
    "last_modified_at": "the last at of history",
    "sequence_id": "campaign._id",
    "contact_id": "contactId",
    "mailbox_id": "sender.mailboxId",
    "user_id": "sender.userId",
    "is_deleted": "deletedAt is set",
}


def lists(seed: int) -> tuple[list[Row], list[Row]]:
    """Senders and enrolments as Lemlist tells them; an enrolment tells of its campaign how many it has."""
    rng = Random(f"{seed}:{NAME}")
    users = [token(rng, "usr") for _ in range(14)]
    campaigns = [
        {
            "_id": token(rng, "cam"),
            "name": f"{rng.choice(words.STEMS)} {at}",
            "ownerId": rng.choice(users),
            "stats": {"enrolled": 0},
        }
        for at in range(9)
    ]
    senders = [_mailbox(rng, at, users) for at in range(64)]
    enrolled = [_enrolment(rng, senders, campaigns, users) for _ in range(430)]
    for one in enrolled:
        one["campaign"]["stats"]["enrolled"] += 1
    return senders, enrolled


def world_of(senders: list[Row], enrolled: list[Row]) -> World:
    """The world that their sound mapping makes."""
    return World(NAME, {MAILBOX: list(map(mailbox_of, senders)), STATE: list(map(state_of, enrolled))})


def lemlist(seed: int) -> World:
    """Senders and enrolments of Lemlist."""
    return world_of(*lists(seed))
