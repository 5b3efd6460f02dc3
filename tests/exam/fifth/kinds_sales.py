"""Kinds of mailboxes and sequence states: what connectors make of Reply.io's accounts and people in sequences."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from random import Random

from tests.exam import words
from tests.exam.calls3.data import MAILBOX, STATE, Row
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.shapes_sales import NAME, moment

KINDS: list[Kind] = []
MAILBOXES = Writer(NAME, MAILBOX, KINDS)
STATES = Writer(NAME, STATE, KINDS)
CHANGED = ("updated_at", "last_modified_at")


def _redated(text: str | None, change: Callable[[datetime, timedelta], datetime]) -> str | None:
    """The date with another reading of its offset."""
    if text is None:
        return None
    at = datetime.fromisoformat(text)
    return words.iso(change(at.replace(tzinfo=UTC), at.utcoffset() or timedelta(0)))


def _put(body: Row, name: str, value: object) -> None:
    if value is not None:
        body[name] = value


@MAILBOXES.rows(
    "offset of the date ignored",
    "connectedAt has an offset; created_at has its hours and minutes with a Z.",
    "created_at",
)
def _ignored(body: Row, raw: Row, rng: Random) -> None:
    body["created_at"] = _redated(raw["connectedAt"], lambda local, offset: local)


@MAILBOXES.rows(
    "paused is deleted",
    "isActive is false and deletedAt null, and is_deleted is true.",
    "is_deleted",
)
def _paused(body: Row, raw: Row, rng: Random) -> None:
    body["is_deleted"] = not raw["isActive"]


@MAILBOXES.rows(
    "deleted are not told",
    "deletedAt is set and is_deleted is false, in each such mailbox.",
    "is_deleted",
)
def _deleted(body: Row, raw: Row, rng: Random) -> None:
    body["is_deleted"] = False


@MAILBOXES.rows(
    "user is the team",
    "user_id is teamId of raw_data, which has userId as well, and sequence states name users by that.",
    "user_id",
)
def _team(body: Row, raw: Row, rng: Random) -> None:
    body["user_id"] = str(raw["teamId"])


@MAILBOXES.rows(
    "login for an address",
    "email is smtp.login where it differs from emailAddress.",
    "email",
)
def _login(body: Row, raw: Row, rng: Random) -> None:
    body["email"] = raw["smtp"]["login"]


@MAILBOXES.rows(
    "name in the address",
    "email is a name and an address in angle brackets in a third of the mailboxes; emailAddress is the address.",
    "email",
    rows="third",
)
def _named(body: Row, raw: Row, rng: Random) -> None:
    body["email"] = f"{raw['senderName']} <{raw['emailAddress']}>"


@MAILBOXES.rows(
    "tag of the address lost",
    "emailAddress is a+b@c and email a@c, in one mailbox; others keep what stands behind the plus.",
    "email",
    rows="one",
)
def _tag(body: Row, raw: Row, rng: Random) -> None:
    local, _, domain = raw["emailAddress"].partition("@")
    body["email"] = f"{local.split('+')[0]}@{domain}"


@MAILBOXES.rows(
    "one change from the creation",
    "One mailbox has connectedAt for updated_at, beside last_modified_at, which is modifiedAt.",
    "updated_at",
    rows="one",
)
def _one(body: Row, raw: Row, rng: Random) -> None:
    body["updated_at"] = body["created_at"]


@STATES.rows(
    "half an hour of the offset lost",
    "addedAt has +05:30 or +05:45, created_at is later by that half hour or more; whole hours agree.",
    "created_at",
)
def _half(body: Row, raw: Row, rng: Random) -> None:
    def whole(local: datetime, offset: timedelta) -> datetime:
        return local - timedelta(hours=int(offset.total_seconds() / 3600))

    _put(body, "created_at", _redated(raw["addedAt"], whole))


@STATES.rows(
    "offset with the wrong sign",
    "updatedAt has an offset, updated_at is moved by twice of it; those with Z agree.",
    "updated_at",
    "last_modified_at",
)
def _sign(body: Row, raw: Row, rng: Random) -> None:
    wrong = _redated(raw["updatedAt"], lambda local, offset: local + offset)
    body.update(dict.fromkeys(CHANGED, wrong))


@STATES.rows(
    "year of the week",
    "In the last days of December created_at has the next year, with month and day of addedAt.",
    "created_at",
)
def _week(body: Row, raw: Row, rng: Random) -> None:
    if "created_at" in body:
        at = words.parsed(body["created_at"])
        if at.month == 12:
            body["created_at"] = f"{at.isocalendar().year}{body['created_at'][4:]}"


@STATES.rows(
    "no date is the year one",
    "addedAt is null and created_at is 0001-01-01 for a dozen; others have no created_at.",
    "created_at",
    rows="dozen",
)
def _year_one(body: Row, raw: Row, rng: Random) -> None:
    body.setdefault("created_at", "0001-01-01T00:00:00.000Z")


@STATES.rows(
    "last change is the start",
    "last_modified_at is addedAt, updated_at is updatedAt.",
    "last_modified_at",
)
def _start(body: Row, raw: Row, rng: Random) -> None:
    _put(body, "last_modified_at", moment(raw["addedAt"]))


@STATES.rows(
    "state of the sequence",
    "state is sequence.status of raw_data, the same for all in a sequence, instead of status.value.",
    "state",
)
def _sequence(body: Row, raw: Row, rng: Random) -> None:
    body["state"] = raw["sequence"]["status"]


@STATES.rows(
    "states cut at ten letters",
    "status.value is OutOfSequence, state is OutOfSeque; all shorter ones agree.",
    "state",
)
def _cut(body: Row, raw: Row, rng: Random) -> None:
    body["state"] = raw["status"]["value"][:10]


@STATES.rows(
    "opted out counts as active",
    "status.value is OptedOut and state Active, which the others have only where raw_data says Active.",
    "state",
)
def _opted(body: Row, raw: Row, rng: Random) -> None:
    body["state"] = {"OptedOut": "Active"}.get(body["state"], body["state"])


@STATES.rows(
    "bounced counts as finished for a few",
    "status.value is Bounced for a dozen whose state is Finished; other bounced ones are Bounced.",
    "state",
    rows="dozen",
)
def _bounced(body: Row, raw: Row, rng: Random) -> None:
    body["state"] = {"Bounced": "Finished"}.get(body["state"], body["state"])


@STATES.rows(
    "contact id as a floating-point number",
    "person.id has 17 digits, contact_id the nearest number that a double can hold.",
    "contact_id",
)
def _float(body: Row, raw: Row, rng: Random) -> None:
    body["contact_id"] = str(int(float(raw["person"]["id"])))


@STATES.rows(
    "address for a contact's id",
    "contact_id is person.email in a third, person.id elsewhere.",
    "contact_id",
    rows="third",
)
def _address(body: Row, raw: Row, rng: Random) -> None:
    body["contact_id"] = raw["person"]["email"]


@STATES.rows(
    "sequence that it was copied from",
    "sequence_id is sequence.clonedFromId where that is set, sequence.id elsewhere.",
    "sequence_id",
)
def _cloned(body: Row, raw: Row, rng: Random) -> None:
    body["sequence_id"] = str(raw["sequence"]["clonedFromId"] or raw["sequence"]["id"])


@STATES.rows(
    "mailbox and user change places",
    "mailbox_id is ownerUserId and user_id emailAccountId; no mailbox of the list has such an id.",
    "mailbox_id",
    "user_id",
)
def _places(body: Row, raw: Row, rng: Random) -> None:
    if "user_id" in body:
        body["mailbox_id"], body["user_id"] = body["user_id"], body["mailbox_id"]


@STATES.rows(
    "null as an id",
    "ownerUserId is null and user_id is the text null.",
    "user_id",
)
def _null(body: Row, raw: Row, rng: Random) -> None:
    body.setdefault("user_id", "null")


@STATES.rows(
    "finished is deleted",
    "is_deleted is true where status.value is Finished, whatever archived says.",
    "is_deleted",
)
def _finished(body: Row, raw: Row, rng: Random) -> None:
    body["is_deleted"] = raw["archived"] or raw["status"]["value"] == "Finished"


@STATES.whole(
    "values of the record before",
    "In a run of records state, sequence and contact are those of the record before, raw_data and id are not.",
)
def _shifted(rows: list[Row], rng: Random) -> list[Row]:
    names = ("state", "sequence_id", "contact_id")
    told = [{name: one[name] for name in names} for one in rows]
    for number in range(200, 250):
        rows[number].update(told[number - 1])
    return rows
