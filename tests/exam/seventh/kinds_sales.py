"""Mailboxes and sequence states of Woodpecker, wrongly made."""

from __future__ import annotations

from datetime import UTC
from random import Random

from tests.exam.calls3.data import MAILBOX, STATE, Row
from tests.exam.seventh.forms import FORMS, SALES
from tests.exam.seventh.shapes_sales import moment
from tests.exam.sixth.kinds import Spot, Table, either
from tests.exam.sixth.service import Service
from tests.exam.words import iso_seconds

BOXES = Table(SALES, MAILBOX)
TABLE = Table(SALES, STATE)
PAGE = FORMS[SALES].usual


def _untagged(value: str, raw: Row, spot: Spot) -> str:
    name, _, domain = value.partition("@")
    return f"{name.partition('+')[0]}@{domain}"


def _twelve(value: str, raw: Row, spot: Spot) -> str:
    """Hours are those of a clock with twelve."""
    hour = int(value[11:13])
    return f"{value[:11]}{(hour - 1) % 12 + 1:02d}{value[13:]}"


def _turned(value: str, raw: Row, spot: Spot) -> str:
    """The distance to UTC is added in place of taken away."""
    at = moment(raw["updated"])
    return iso_seconds(at.replace(tzinfo=UTC) + (at.utcoffset() or at - at))


def _page_moment(service: Service, rng: Random) -> set[str]:
    """The moment is kept in a variable of the page."""
    rows = service.lists[MAILBOX]
    guilty = set()
    first = ""
    for number, row in enumerate(rows):
        if number % PAGE == 0:
            first = row["last_modified_at"]
        if row["last_modified_at"] != first:
            row["last_modified_at"] = first
            guilty.add(str(row["id"]))
    return guilty


def _one_campaign(service: Service, rng: Random) -> set[str]:
    """Rows are joined with a table of campaigns by the prospect alone: the last campaign wins."""
    last = {row["contact_id"]: row["sequence_id"] for row in service.lists[STATE]}
    guilty = set()
    for row in service.lists[STATE]:
        if row["sequence_id"] != last[row["contact_id"]]:
            row["sequence_id"] = last[row["contact_id"]]
            guilty.add(str(row["id"]))
    return guilty


def _last_word(value: str, raw: Row, spot: Spot) -> str:
    return value.rpartition("-")[2]


def _other_box(row: Row, spot: Spot) -> None:
    """A mailbox that is deleted is replaced by the first one."""
    if row["raw_data"]["mailbox_deleted"]:
        row["mailbox_id"] = spot.rows[0]["mailbox_id"]


def _last_raw(service: Service, rng: Random) -> set[str]:
    """A variable of the loop is read when the page is written."""
    rows = service.lists[STATE]
    guilty = set()
    for number, row in enumerate(rows):
        last = min(number - number % PAGE + PAGE, len(rows)) - 1
        if number != last:
            row["raw_data"] = rows[last]["raw_data"]
            guilty.add(str(row["id"]))
    return guilty


def _prospect_id(service: Service, rng: Random) -> set[str]:
    rows = service.lists[STATE]
    for row in rows:
        row["id"] = row["contact_id"]
    ids = [str(row["id"]) for row in rows]
    return {one for one in ids if ids.count(one) > 1}


KINDS = [
    BOXES.value(
        "tag of an address is cut off",
        "`email` lacks the part from the plus on that raw `details.email` has: `+outreach` is gone.",
        "email",
        _untagged,
    ),
    BOXES.value(
        "login for the address",
        "`email` of mailboxes with raw `type` SMTP is raw `details.login`, of the others raw `details.email`.",
        "email",
        lambda value, raw, spot: raw["details"]["login"] if raw["type"] == "SMTP" else value,
    ),
    BOXES.row(
        "nobody is user 0",
        "`user_id` is `0` where raw `owner` is null.",
        "user_id",
        lambda row, spot: row.update(user_id=row["user_id"] or "0"),
    ),
    BOXES.value(
        "idle mailboxes are deleted",
        "`is_deleted` is true where raw `active` is false, raw `deleted` false included.",
        "is_deleted",
        lambda value, raw, spot: not raw["active"],
    ),
    BOXES.value(
        "clock of twelve hours",
        "`created_at` in the afternoon is twelve hours before raw `created`.",
        "created_at",
        _twelve,
    ),
    either(
        BOXES.whole(
            "moment of the first row of a page",
            "`last_modified_at` is the same in all rows of a page, that of its first one; raw `updated` differs.",
            _page_moment,
            "last_modified_at",
        ),
        f"{MAILBOX} updated_at",
    ),
    TABLE.value(
        "automatic reply is a reply",
        "In half of the rows with a hyphen in raw `status`, `state` is what follows it: `auto-replied` is `replied`, "
        "`opt-out` is `out`; the same raw words stand whole in the other half.",
        "state",
        _last_word,
        "half",
    ),
    TABLE.value(
        "interest for the state",
        "In a few of those with raw `interested` set, `state` holds that, not raw `status`.",
        "state",
        lambda value, raw, spot: raw["interested"].lower() or value,
        "fiftieth",
    ),
    TABLE.value(
        "sequence id as a decimal",
        "`sequence_id` is `1430017.0` where the prospect was never contacted; raw `campaign_id` is 1430017.",
        "sequence_id",
        lambda value, raw, spot: f"{value}.0" if raw["last_contacted"] is None else value,
    ),
    TABLE.whole(
        "last campaign of a prospect for all",
        "Rows of one prospect in two campaigns have the `sequence_id` of the later row; raw `campaign_id` and `id` "
        "differ.",
        _one_campaign,
        "sequence_id id",
    ),
    TABLE.value(
        "contact by its address",
        "In a single row `contact_id` is raw `email`, in the others raw `id`.",
        "contact_id",
        lambda value, raw, spot: raw["email"],
        "one",
    ),
    TABLE.value(
        "contact id with separators",
        "`contact_id` is raw `id` as a person writes it, `911,223,041`.",
        "contact_id",
        lambda value, raw, spot: f"{int(value):,}",
        "half",
    ),
    TABLE.row(
        "first mailbox for a deleted one",
        "Where the mailbox is deleted, `mailbox_id` is that of the list's first row; raw `mailbox_id` is another, "
        "which is listed.",
        "mailbox_id",
        _other_box,
    ),
    TABLE.value(
        "user of another numbering",
        "`user_id` is raw `mailbox_id` in the rows that have replied; raw `owner_id` is another number.",
        "user_id",
        lambda value, raw, spot: str(raw["mailbox_id"]) if raw["last_replied"] else value,
    ),
    either(
        TABLE.value(
            "zone turned round",
            "`updated_at` is twice the distance to UTC off raw `updated`: it was added, not taken away.",
            "updated_at",
            _turned,
        ),
        f"{STATE} last_modified_at",
    ),
    TABLE.value(
        "contacted for created",
        "`created_at` is raw `last_contacted` where there is one, else raw `created`.",
        "created_at",
        lambda value, raw, spot: (
            iso_seconds(moment(raw["last_contacted"]).astimezone(UTC)) if raw["last_contacted"] else value
        ),
    ),
    TABLE.row(
        "one state of another prospect",
        "In a single row all but `id` and raw data belong to the row before it.",
        "state contact_id sequence_id mailbox_id user_id created_at updated_at last_modified_at is_deleted",
        lambda row, spot: row.update(
            {name: value for name, value in spot.before.items() if name not in ("id", "raw_data")}
        ),
        "one",
    ),
    BOXES.value(
        "name beside the address",
        "`email` of a few is `name <address>`, with raw `details.from_name` in front of raw `details.email`.",
        "email",
        lambda value, raw, spot: f"{raw['details']['from_name']} <{value}>",
        "fiftieth",
    ),
    TABLE.whole(
        "raw data of the last row of a page",
        "All rows of a page have the raw data of its last one: raw `id`, `email` and `status` are those of another "
        "prospect.",
        _last_raw,
    ),
    TABLE.whole(
        "id of the prospect for the state",
        "`id` is the prospect's alone, so two rows of one prospect in two campaigns have one `id`.",
        _prospect_id,
    ),
]
