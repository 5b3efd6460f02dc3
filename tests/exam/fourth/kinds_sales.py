"""Kinds of sales engagement: Lemlist's senders and enrolments."""

from __future__ import annotations

import html
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from tests.exam.fourth import texts
from tests.exam.fourth.kinds import GONE, ONE, Ids, Kind, Writer, bend
from tests.exam.fourth.shapes_sales import NAME, STATES, imported_at
from tests.exam.frame import Expected
from tests.exam.third.engine import MAILBOX, STATE, Ask, Query, Row, World

KINDS: list[Kind] = []
OF = Writer(NAME, STATE, KINDS)
BOXES = OF.at(MAILBOX)


@OF.records(
    "one state wrong in the table",
    "The table of states has bounced where unsubscribed belongs.",
    "state",
)
def _table(row: Row, rng: Random) -> Row | None:
    return {"state": STATES[5]} if row["state"] == STATES[6] else None


@OF.records(
    "the state before the last",
    "The state comes of the history, one too early, where there were four of them.",
    "state",
)
def _before(row: Row, rng: Random) -> Row | None:
    history = row["raw_data"]["history"]
    return {"state": STATES[history[-2]["state"]]} if len(history) == 4 else None


@OF.records(
    "capital letters in some states",
    "States of imported leads are in capital letters.",
    "state",
    share=0.05,
)
def _capitals(row: Row, rng: Random) -> Row | None:
    return {"state": row["state"].upper()} if row["raw_data"]["importedOn"] else None


@OF.records(
    "no state is zero",
    "The state 0 is taken for none, so that scheduled enrolments have a null.",
    "state",
)
def _zero(row: Row, rng: Random) -> Row | None:
    return {"state": None} if row["raw_data"]["state"] == 0 else None


@OF.records(
    "the mailbox of before",
    "Enrolments that got another sender still name the mailbox that they had.",
    "mailbox_id",
    share=0.1,
)
def _previous(row: Row, rng: Random) -> Row | None:
    before = row["raw_data"]["sender"]["previousMailboxId"]
    return {"mailbox_id": before} if before else None


@OF.records(
    "one enrolment without its mailbox",
    "One enrolment has a null for its mailbox, which the third party names.",
    "mailbox_id",
    share=ONE,
)
def _no_mailbox(row: Row, rng: Random) -> Row | None:
    return {"mailbox_id": None}


@OF.records(
    "mailboxes in small letters",
    "The id of the mailbox is put in small letters, so that it names none of the list.",
    "mailbox_id",
)
def _small(row: Row, rng: Random) -> Row | None:
    return {"mailbox_id": row["mailbox_id"].lower()}


@OF.records(
    "the owner of the campaign for the sender",
    "user_id of paused enrolments is the campaign's owner.",
    "user_id",
)
def _owner(row: Row, rng: Random) -> Row | None:
    return {"user_id": row["raw_data"]["campaign"]["ownerId"]} if row["state"] == "paused" else None


@OF.records(
    "leads for contacts",
    "contact_id is the id of the lead where the lead was imported.",
    "contact_id",
    share=0.04,
)
def _lead(row: Row, rng: Random) -> Row | None:
    raw = row["raw_data"]
    return {"contact_id": raw["leadId"]} if raw["importedOn"] else None


@OF.lists(
    "the contact of another enrolment",
    "Two enrolments have each other's contact.",
    "contact_id",
)
def _swapped(rows: list[Row], rng: Random) -> Ids:
    a, b = rng.sample(range(len(rows)), 2)
    first, second = rows[a]["contact_id"], rows[b]["contact_id"]
    rows[a], rows[b] = {**rows[a], "contact_id": second}, {**rows[b], "contact_id": first}
    return frozenset({rows[a]["id"], rows[b]["id"]})


@OF.records(
    "names of sequences for their ids",
    "sequence_id is the campaign's name where the lead was imported.",
    "sequence_id",
    share=0.05,
)
def _name(row: Row, rng: Random) -> Row | None:
    raw = row["raw_data"]
    return {"sequence_id": raw["campaign"]["name"]} if raw["importedOn"] else None


@OF.records(
    "days and months swapped",
    "The locale date of imported leads is read with the month first, where that is possible.",
    "created_at",
)
def _month_first(row: Row, rng: Random) -> Row | None:
    told = row["raw_data"]["importedOn"]
    if not told or int(told[:2]) > 12:
        return None
    return {"created_at": imported_at(told, "%m/%d/%Y %H:%M")}


@OF.records(
    "imported leads lose their time",
    "Of the locale date of imported leads the time of day is not read.",
    "created_at",
    share=0.06,
)
def _day_only(row: Row, rng: Random) -> Row | None:
    told = row["raw_data"]["importedOn"]
    return {"created_at": imported_at(told[:10], "%d/%m/%Y")} if told else None


@OF.records(
    "seconds as milliseconds",
    "last_modified_at of replied enrolments takes seconds for milliseconds.",
    "last_modified_at",
)
def _unit(row: Row, rng: Random) -> Row | None:
    last = row["raw_data"]["history"][-1]["at"]
    return {"last_modified_at": texts.from_seconds(last // 1000)} if row["state"] == "replied" else None


@OF.records(
    "the first change for the last",
    "last_modified_at comes of the first entry of the history.",
    "last_modified_at",
    share=0.1,
)
def _first(row: Row, rng: Random) -> Row | None:
    return {"last_modified_at": texts.from_seconds(row["raw_data"]["history"][0]["at"])}


@OF.records(
    "the zone of the server",
    "updated_at has the local time of New York with a Z behind it in the winter months.",
    "updated_at",
)
def _winter(row: Row, rng: Random) -> Row | None:
    at = datetime.fromtimestamp(row["raw_data"]["updatedAt"] / 1000, UTC)
    if at.month not in {12, 1, 2}:
        return None
    return {"updated_at": texts.from_millis(texts.epoch_millis(at - timedelta(hours=5)))}


@OF.records(
    "deleted enrolments live",
    "is_deleted is only true for deleted enrolments that had finished.",
    "is_deleted",
)
def _live(row: Row, rng: Random) -> Row | None:
    return {"is_deleted": False} if row["is_deleted"] and row["state"] != "finished" else None


@OF.records("ids cut short", "Ids are cut at six characters, so that some enrolments have the same.", "id")
def _cut(row: Row, rng: Random) -> Row | None:
    return {"id": row["id"][:6]}


@OF.lists("listed for each step", "An imported enrolment with four states in its history is listed twice.")
def _steps(rows: list[Row], rng: Random) -> Ids:
    raws = {one["id"]: one["raw_data"] for one in rows}
    guilty = [one for one in rows if len(raws[one["id"]]["history"]) == 4 and raws[one["id"]]["importedOn"]]
    rows.extend(guilty)
    return frozenset(one["id"] for one in guilty)


@OF.answers(
    "the last page never comes", "The last page, which is not full, is never asked for: the list ends before."
)
def _last(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    after = found.get("next_page_cursor")
    if after and not ask({**query, "cursor": after}, body).get("next_page_cursor"):
        return {**found, "next_page_cursor": None}
    return found


@OF.answers("the first of each later page lost", "Each page after the first leaves out its first record.")
def _lost(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return {**found, "items": found["items"][1:]} if query.get("cursor") else found


@BOXES.records(
    "the first address of a sender",
    "The email is the first of the addresses, whichever is primary.",
    "email",
)
def _address(row: Row, rng: Random) -> Row | None:
    return {"email": row["raw_data"]["addresses"][0]["address"]}


@BOXES.records("the plus of an address", "What follows a plus is cut off an address.", "email")
def _plus(row: Row, rng: Random) -> Row | None:
    local, _, domain = row["email"].partition("@")
    return {"email": f"{local.partition('+')[0]}@{domain}"}


@BOXES.records(
    "nobody is an empty text",
    "A mailbox without a user has an empty text for the user, in the place of no field.",
    "user_id",
)
def _nobody(row: Row, rng: Random) -> Row | None:
    return None if row.get("user_id") else {"user_id": ""}


@BOXES.records("deleted by numbers", "is_deleted is 0 or 1.", "is_deleted")
def _numbers(row: Row, rng: Random) -> Row | None:
    return {"is_deleted": int(row["is_deleted"])}


@BOXES.records(
    "one address escaped",
    "One mailbox has its address with an escaped apostrophe or at sign.",
    "email",
    share=ONE,
)
def _escaped(row: Row, rng: Random) -> Row | None:
    return {"email": html.escape(row["email"]).replace("@", "&#64;")}


@BOXES.records(
    "changes left out where there is an error",
    "A mailbox in error has no updated_at at all.",
    "updated_at",
)
def _error(row: Row, rng: Random) -> Row | None:
    return {"updated_at": GONE} if row["raw_data"]["status"] == "error" else None


def _archived(world: World, rng: Random) -> Ids:
    gone = {one["id"] for one in world.lists[MAILBOX] if one["is_deleted"]}

    def bent(found: Any, query: Query, body: Any, ask: Ask) -> Any:
        return {**found, "items": [one for one in found["items"] if one["id"] not in gone]}

    bend(world, MAILBOX, bent)
    return frozenset(one["id"] for one in world.lists[STATE] if one["mailbox_id"] in gone)


KINDS.append(
    Kind(
        f"{NAME}: archived mailboxes are not listed",
        "Archived mailboxes are left out of their list, while enrolments still name them.",
        NAME,
        STATE,
        ("mailbox_id",),
        _archived,
        also=(Expected(MAILBOX),),
    )
)
