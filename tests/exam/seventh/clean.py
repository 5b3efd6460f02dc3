"""Sound services, and whatever the contract leaves open and real services do."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, LINK, MAILBOX, STATE, Row
from tests.exam.seventh.forms import BOOKS, CRM, FILES, FORMS, JOBS, SALES
from tests.exam.seventh.shapes_sales import moment
from tests.exam.sixth.parties import Change, Sound
from tests.exam.sixth.service import BATCH, CHECKED, CREATE, UPDATE, UPSERT, Call, Refused, Service, wrong


def _each(key: str, change: Callable[[Row], Any]) -> Change:
    """A service whose records of one list are otherwise, in a legal way."""

    def whole(service: Service) -> None:
        for row in service.lists[key]:
            change(row)

    return whole


def _one_walk(service: Service) -> None:
    """A cursor is good until another walk begins."""
    walk = 0

    def unpack(call: Call, sent: Any) -> Any:
        nonlocal walk
        if call.key not in (MAILBOX, STATE):
            return sent
        if not call.query.get("cursor"):
            walk += 1
            return sent
        begun, _, cursor = call.query["cursor"].partition(":")
        if begun != str(walk):
            raise Refused(400, "The cursor has expired")
        call.query["cursor"] = cursor
        return sent

    def pack(call: Call, page: Any) -> Any:
        if call.key in (MAILBOX, STATE) and page.get("next_page_cursor"):
            page["next_page_cursor"] = f"{walk}:{page['next_page_cursor']}"
        return page

    service.on("take", "", unpack)
    service.on("body", "", pack)


def _normal_contacts(service: Service) -> None:
    """The third party writes addresses in small letters and numbers without blanks, in raw data as well."""

    def normal(call: Call, sent: Row) -> Row:
        record = dict(sent.get("record") or {})
        if isinstance(record.get("email"), str):
            record["email"] = record["email"].lower()
        if isinstance(record.get("phone"), str):
            record["phone"] = re.sub(r"[^\d+]", "", record["phone"])
        on = dict(sent.get("upsert_on") or {})
        if isinstance(on.get("values"), list):
            on["values"] = [str(one).lower() for one in on["values"]]
        return {**sent, "record": record, **({"upsert_on": on} if on else {})}

    for key in (CREATE, UPDATE, UPSERT):
        service.on("take", key, normal)


def _zoned(row: Row) -> None:
    """The same moments as of Kathmandu."""
    for name in ("created_at", "modified_at"):
        at = datetime.fromisoformat(row[name]).astimezone(timezone(timedelta(hours=5, minutes=45)))
        row[name] = at.isoformat(timespec="microseconds")


def _archived(row: Row) -> None:
    """Organisations with a tag are archived ones, and called deleted."""
    row["is_deleted"] = any(one["name"] == "no mailing" for one in row["raw_data"]["tags"])
    for one in row["raw_data"]["tags"]:
        one["name"] = one["name"].replace("no mailing", "archived")


def _millis(row: Row) -> None:
    """Moments as numbers in text."""
    for name, raw in (("created_at", "created"), ("updated_at", "updated"), ("last_modified_at", "updated")):
        row[name] = str(round(moment(row["raw_data"][raw]).timestamp() * 1000))


def _old_and_far(row: Row) -> None:
    year = {"0": "1904", "1": "2098"}.get(row["raw_data"]["id"][-1])
    if year:
        at = f"{year}-02-03T04:05:06+00:00"
        row["raw_data"]["modified_at"] = at
        row["updated_at"] = at.replace("+00:00", "Z")
    if year == "1904":
        row["raw_data"]["created_at"] = "1904-01-01T00:00:00+00:00"
        row["created_at"] = "1904-01-01T00:00:00Z"


def _own_words(row: Row) -> None:
    words = {"opt-out": "Opted out ✋", "to-check": "Needs a look / soon", "auto-replied": "OOO"}
    row["state"] = words.get(row["state"], row["state"])


def _dust(service: Service) -> None:
    """Sums of binary numbers have dust in the last digit, and who owes nothing has no line."""

    def balance(call: Call, body: Row) -> Row:
        entries = [one for one in body["entries"] if one["balance"]]
        return {**body, "entries": entries, "totalBalance": sum(one["balance"] for one in entries)}

    def income(call: Call, body: Row) -> Row:
        totals = {
            name: sum(one[name] for one in body["entries"]) for name in ("totalIncome", "totalExpenses")
        }
        return {**body, **totals, "netIncome": totals["totalIncome"] - totals["totalExpenses"]}

    service.on("body", BALANCE, balance)
    service.on("body", INCOME, income)


def _no_dates(row: Row) -> None:
    """The third party keeps no moments of its topmost folders."""
    for name in ("created_at", "updated_at"):
        row[name] = None
    row["raw_data"]["created_at"] = row["raw_data"]["modified_at"] = None


def _one_title(row: Row) -> None:
    row["name"] = row["raw_data"]["title"] = "Care assistant (all sites)"


def _no_rows(service: Service) -> None:
    service.lists[MAILBOX].clear()
    service.lists[STATE].clear()


def _more_members(row: Row) -> None:
    row |= {
        "_links": {"self": f"/job/{row['id']}"},
        "status": row["raw_data"]["status"].lower(),
        "x-rank": 0.5,
    }


def _in_path(call: Call, body: Row) -> Row:
    """The token stands behind a number sign, as browsers keep it from servers."""
    return {"url": body["url"].replace("/portal?", "/portal#/?")}


def _no_hours(call: Call, sent: Row) -> Row:
    if isinstance(sent.get("validityInSeconds"), int | float) and sent["validityInSeconds"] <= 0:
        raise wrong("validityInSeconds", "Number must be greater than 0")
    return sent


def _by_name(service: Service) -> None:
    service.lists[FILE].sort(key=lambda row: str(row["name"]).casefold())
    service.lists[DRIVE].reverse()


CLEAN = [
    *(Sound(f"{name} as it is", name, writes=name in (CRM, JOBS)) for name in FORMS),
    Sound("absent for null in files", FILES, form=(("absent_nulls", True),)),
    Sound("absent for null in accounts", CRM, form=(("absent_nulls", True),)),
    Sound("a size that is not heeded", JOBS, form=(("heeds_size", False), ("usual", 45))),
    Sound("files by name, drives from the last", FILES, _by_name),
    Sound("cursors good for one walk", SALES, _one_walk),
    Sound("contacts in a normal form", CRM, _normal_contacts, writes=True),
    Sound("moments of a zone with 45 minutes", JOBS, _each(JOB, _zoned)),
    Sound("moments in milliseconds", SALES, _each(STATE, _millis)),
    Sound("moments of 1904 and 2098", FILES, _each(FILE, _old_and_far)),
    Sound(
        "members that the contract lacks", JOBS, _each(JOB, _more_members), (("extra", (("total", 260),)),)
    ),
    Sound("no mailboxes and no states", SALES, _no_rows, (("end", "null"),)),
    Sound("archived accounts", CRM, _each(ACCOUNT, _archived)),
    Sound("all jobs on one page", JOBS, form=(("usual", 500), ("most", 500))),
    Sound("states in words of its own", SALES, _each(STATE, _own_words)),
    Sound("an empty page at the end", FILES, form=(("empty_page", True), ("usual", 42))),
    Sound("pages of changing length", SALES, form=(("ragged", (13, 40, 1, 27)),)),
    Sound("an incremental read of the last tenth", JOBS, form=(("recent", True),)),
    Sound("long cursors and escaped letters", FILES, form=(("cursors", "long"), ("ascii", True))),
    Sound("dust in sums, nobody who owes nothing", BOOKS, _dust),
    Sound("drives without moments", FILES, _each(DRIVE, _no_dates)),
    Sound("jobs of one title", JOBS, _each(JOB, _one_title)),
    Sound(
        "accounts in the order of their names", CRM, lambda s: s.lists[ACCOUNT].sort(key=lambda r: r["name"])
    ),
    Sound("properties that are not heeded", CRM, form=(("heeds_properties", False),)),
    Sound(
        "a check that says one word", JOBS, lambda s: s.on("body", CHECKED, lambda c, b: "ok"), writes=True
    ),
    Sound(
        "a link with its token behind a number sign",
        FILES,
        lambda s: s.on("body", LINK, _in_path),
        writes=True,
    ),
    Sound("a link that has to last", SALES, lambda s: s.on("take", LINK, _no_hours), writes=True),
    Sound(
        "files of types of its own",
        FILES,
        _each(FILE, lambda row: row.update(type="shortcut" if row["type"] == "url" else row["type"])),
    ),
    Sound("accounts in a turned order", CRM, lambda s: s.on("body", BATCH, lambda c, b: b[::-1])),
]
