"""Mailboxes and sequence states of Smartlead, wrongly made."""

from __future__ import annotations

import re
from random import Random

from tests.exam.calls3.data import MAILBOX, STATE, Row
from tests.exam.eighth.forms import SALES
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.eighth.shapes_sales import utc
from tests.exam.sixth.kinds import Kind, Spot, Table
from tests.exam.sixth.service import Service

KINDS: list[Kind] = []
BOXES = Sheet(Table(SALES, MAILBOX), KINDS)
STATES = Sheet(Table(SALES, STATE), KINDS)


@STATES.value("blocked is active", "state")
def _blocked(value: str, raw: Row, spot: Spot) -> str:
    """The status that the table lacks falls to its default, active."""
    return "active" if value == "blocked" else value


@STATES.value("nothing was ever removed", "is_deleted")
def _never(value: bool, raw: Row, spot: Spot) -> bool:
    """Whether a lead was removed is written down as false."""
    return False


@STATES.value("clock of India in UTC", "created_at", f"{STATE} updated_at last_modified_at")
def _clock(value: str, raw: Row, spot: Spot) -> str:
    """The offset is cut off the text and a Z put there."""
    return re.sub(r"\+05:30$", "Z", raw["created_at"])


@STATES.value("mailbox nought", "mailbox_id", nulls=True)
def _nought(value: str | None, raw: Row, spot: Spot) -> str:
    """A lead that has no mailbox yet gets the number nought."""
    return value or "0"


@BOXES.value("address with its name", "email")
def _header(value: str, raw: Row, spot: Spot) -> str:
    """The address is written as in the header of a mail, with the name of its owner."""
    return f"{raw['from_name']} <{value}>" if raw["from_name"] else value


@STATES.value("id through a float", "id")
def _float(value: str, raw: Row, spot: Spot) -> str:
    """Ids of eighteen digits go through a floating-point number."""
    return str(int(float(value)))


@BOXES.value("failing is deleted", "is_deleted")
def _failing(value: bool, raw: Row, spot: Spot) -> bool:
    """A mailbox that cannot send is called deleted."""
    return not raw["is_smtp_success"]


@STATES.value("step for the sequence", "sequence_id")
def _step(value: str, raw: Row, spot: Spot) -> str:
    """The number of the step that was sent last is taken for the id of the sequence."""
    return str(raw["statistics"]["last_seq_number"] or value)


@STATES.value("changed by sending", "updated_at", f"{STATE} last_modified_at")
def _sent(value: str, raw: Row, spot: Spot) -> str | None:
    """The moment of the last mail is taken for the moment of the last change."""
    return utc(raw["last_sent_at"]) or value


@STATES.whole("mailbox by its address", "mailbox_id")
def _addressed(service: Service, rng: Random) -> set[str]:
    """States of one provider refer to a mailbox by address, and those of the others by id."""
    boxes = {box["id"]: box["raw_data"] for box in service.lists[MAILBOX]}
    guilty = set()
    for row in service.lists[STATE]:
        box = boxes.get(row["mailbox_id"])
        if box and box["type"] == "OUTLOOK":
            row["mailbox_id"] = box["from_email"]
            guilty.add(str(row["id"]))
    return guilty


@BOXES.value("client for the user", "user_id")
def _client(value: str, raw: Row, spot: Spot) -> str:
    """Where a mailbox is kept for a client the client's id is given for its user's."""
    return str(raw["client_id"] or value)


@STATES.value("everything is mine", "user_id")
def _mine(value: str, raw: Row, spot: Spot) -> str:
    """Every state has the user to whom the API key belongs."""
    return "9010"


@BOXES.value("address without its tag", "email")
def _tag(value: str, raw: Row, spot: Spot) -> str:
    """What stands behind a plus is taken out of an address, as if it were no part of it."""
    return re.sub(r"\+[^@]*", "", value)


@BOXES.row("date that is none", "updated_at last_modified_at")
def _invalid(row: Row, spot: Spot) -> None:
    """A date library is asked to write a date that is null."""
    for name in ("updated_at", "last_modified_at"):
        row[name] = row[name] or "Invalid Date"


@STATES.value("unsubscribed is deleted", "is_deleted")
def _unsubscribed(value: bool, raw: Row, spot: Spot) -> bool:
    """A lead that wants no more mails is called deleted, although it is still in its campaign."""
    return value or raw["lead"]["is_unsubscribed"]


def _of_others(p: Reader) -> set[str]:
    raws = [row["raw_data"] for row in p.rows(STATE)]
    return {
        one["campaign_lead_map_id"] for one in raws if one["lead"]["email"] != one["statistics"]["lead_email"]
    }


@STATES.whole("statistics of the lead beside", "raw_data contact_id statistics lead_email", proof=_of_others)
def _beside(service: Service, rng: Random) -> set[str]:
    """Leads and their statistics come from two endpoints and are joined by place, which a lost one shifts."""
    rows = service.lists[STATE]
    start = rng.randrange(60, 200)
    raws = [row["raw_data"] for row in rows[start:]]
    figures = [raw["statistics"] for raw in raws]
    for raw, one in zip(raws, (*figures[1:], figures[0]), strict=True):
        raw["statistics"] = one
    return {
        str(row["id"])
        for row in rows
        if row["raw_data"]["lead"]["email"] != row["raw_data"]["statistics"]["lead_email"]
    }


@STATES.row("mailbox of the campaign's first lead", "mailbox_id")
def _of_first(row: Row, spot: Spot) -> None:
    """The mailbox is cached by campaign, although a campaign sends from many."""
    same = (one for one in spot.rows if one["sequence_id"] == row["sequence_id"] and one["mailbox_id"])
    row["mailbox_id"] = row["mailbox_id"] and next(same)["mailbox_id"]


@STATES.whole("user of the mailbox", "user_id")
def _of_mailbox(service: Service, rng: Random) -> set[str]:
    """The user is read from the mailbox and not from the campaign, where there is a mailbox."""
    users = {box["id"]: box["user_id"] for box in service.lists[MAILBOX]}
    guilty = [
        row for row in service.lists[STATE] if users.get(row["mailbox_id"], row["user_id"]) != row["user_id"]
    ]
    for row in guilty:
        row["user_id"] = users[row["mailbox_id"]]
    return {str(row["id"]) for row in guilty}
