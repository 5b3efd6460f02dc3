"""Sound services, and whatever the contract leaves open and real services do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, RECEIPT, STATE, Row
from tests.exam.eighth.forms import BOOKS, CRM, FILES, FORMS, JOBS, SALES
from tests.exam.eighth.shapes_crm import COUNTRIES, STAGES
from tests.exam.sixth.parties import Change, Sound
from tests.exam.sixth.service import BATCH, CHECKED, CREATE, UPDATE, UPSERT, Bend, Call, Reply, Service

NORWEGIAN = ("Nyhetsbrev", "Ny", "Varm (M)", "Varm (S)", "Uaktuell", "Forhandling", "Vunnet", "Ambassadør")
OSLO = timezone(timedelta(hours=2))


def _each(change: Callable[[Row], Any], *keys: str) -> Change:
    """A service whose records of these lists are otherwise, in a legal way."""

    def whole(service: Service) -> None:
        for key in keys:
            for row in service.lists[key]:
                change(row)

    return whole


def _bent(point: str, change: Bend, *keys: str) -> Change:
    """A service whose operations are otherwise, in a legal way."""

    def whole(service: Service) -> None:
        for key in keys:
            service.on(point, key, change)

    return whole


def _dates(change: Callable[[datetime], str], *names: str) -> Callable[[Row], None]:
    def each(row: Row) -> None:
        for name in names:
            row[name] = row[name] and change(datetime.fromisoformat(row[name]))

    return each


def _own_words(row: Row) -> None:
    """Stages have the organization's own titles, by a table that only the connector has."""
    for one in row["raw_data"]["values"]["stage"]:
        one["status"]["title"] = dict(zip(STAGES, NORWEGIAN, strict=True))[one["status"]["title"]]


def _countries(row: Row) -> None:
    """Countries are written out."""
    names = {code: name for name, code in COUNTRIES.items()}
    for one in row["addresses"]:
        one["country"] = names[one["country"]]


def _composed(row: Row) -> None:
    """Letters and their accents are two characters at the third party, and one here."""
    said = row["raw_data"]["attributes"]
    for name in ("name", "path"):
        said[name] = unicodedata.normalize("NFD", said[name])


def _spaced(row: Row) -> None:
    """People leave blanks at the ends of titles, which the connector takes off."""
    row["raw_data"]["title"] = f" {row['name']}  "


def _named(row: Row) -> None:
    """Hiring managers are texts."""
    row["hiring_managers"] = [f"{one['first_name']} {one['last_name']}" for one in row["hiring_managers"]]


def _never_changed(row: Row) -> None:
    """A mailbox that was never changed was last changed when it was made."""
    for name in ("updated_at", "last_modified_at"):
        row[name] = row[name] or row["created_at"]


def _some_boxes(service: Service) -> None:
    """Mailboxes of people who have left are no longer listed, and states still name them."""
    del service.lists[MAILBOX][10:16]


def _normal(call: Call, sent: Row) -> Row:
    """The third party writes addresses in small letters and numbers without blanks, in raw data as well."""
    record = dict(sent.get("record") or {})
    if isinstance(record.get("email"), str):
        record["email"] = record["email"].lower()
    if isinstance(record.get("phone"), str):
        record["phone"] = re.sub(r"[^\d+]", "", record["phone"])
    on = dict(sent.get("upsert_on") or {})
    if isinstance(on.get("values"), list):
        on["values"] = [str(one).lower() for one in on["values"]]
    return {**sent, "record": record, **({"upsert_on": on} if on else {})}


def _dusty(call: Call, body: Row) -> Row:
    """Sums are added up in floating point."""

    def dust(of: Row) -> Row:
        return {name: value + 7e-10 if isinstance(value, float) else value for name, value in of.items()}

    return {**dust(body), "entries": [dust(one) for one in body["entries"]]}


def _booked(call: Call, body: Row) -> Row:
    """Customers for whom nothing was booked have no line."""
    sums = ("balance", "totalIncome", "totalExpenses")
    return {**body, "entries": [one for one in body["entries"] if any(one.get(name) for name in sums)]}


def _by_id(call: Call, body: list[Row]) -> list[Row]:
    """Accounts come in the order of their ids."""
    return sorted(body, key=lambda row: str(row["id"]))


def _pdf(call: Call, body: Any) -> Reply:
    """A receipt is a document."""
    return Reply(200, b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF\n", type="application/pdf")


CLEAN: tuple[Sound, ...] = (
    *(Sound(f"{name} as it is", name, writes=name in (CRM, JOBS)) for name in FORMS),
    Sound("absent for null in accounts", CRM, form=(("absent_nulls", True),)),
    Sound("absent for null in jobs", JOBS, form=(("absent_nulls", True),)),
    Sound("properties have no effect", CRM, form=(("heeds_properties", False),)),
    Sound("stages in the organization's words", CRM, _each(_own_words, ACCOUNT)),
    Sound("countries written out", CRM, _each(_countries, ACCOUNT)),
    Sound("accounts in the order of their ids", CRM, _bent("body", _by_id, BATCH)),
    Sound("contacts in a normal form", CRM, _bent("take", _normal, CREATE, UPDATE, UPSERT), writes=True),
    Sound("check that is a word", CRM, _bent("body", lambda call, body: "connected", CHECKED), writes=True),
    Sound("full last page and an empty one", JOBS, form=(("usual", 46), ("empty_page", True))),
    Sound("all jobs on one page", JOBS, form=(("usual", 1000), ("most", 1000), ("end", "null"))),
    Sound("incremental read of the latest", JOBS, form=(("recent", True),)),
    Sound("JSON in ASCII", JOBS, form=(("ascii", True),)),
    Sound(
        "dates of jobs with an offset",
        JOBS,
        _each(_dates(lambda at: at.astimezone(OSLO).isoformat(), "created_at", "modified_at"), JOB),
    ),
    Sound("managers by name", JOBS, _each(_named, JOB)),
    Sound("titles without blanks at their ends", JOBS, _each(_spaced, JOB)),
    Sound("size of pages has no effect", FILES, form=(("heeds_size", False),)),
    Sound("cursors that are addresses", FILES, form=(("cursors", "odd"), ("end", "empty"))),
    Sound("cursors of two thousand characters", FILES, form=(("cursors", "long"),)),
    Sound("more in the envelope", FILES, form=(("extra", (("total", None), ("took_ms", 12))),)),
    Sound(
        "dates of files in milliseconds",
        FILES,
        _each(
            _dates(lambda at: str(round(at.timestamp() * 1000)), "created_at", "updated_at"),
            FILE,
            DRIVE,
        ),
    ),
    Sound(
        "empty text for no description",
        FILES,
        _each(lambda row: row.update(description=row["description"] or ""), FILE, DRIVE),
    ),
    Sound("names in another normal form", FILES, _each(_composed, FILE)),
    Sound("ragged pages", SALES, form=(("ragged", (7, 50, 1, 23, 50)),)),
    Sound("no cursor on the last page", SALES, form=(("cursors", "offset"), ("end", "absent"))),
    Sound("mailboxes that are not listed", SALES, _some_boxes),
    Sound("never changed since it was made", SALES, _each(_never_changed, MAILBOX)),
    Sound("ids of states with a prefix", SALES, _each(lambda row: row.update(id=f"map_{row['id']}"), STATE)),
    Sound("sums with dust", BOOKS, _bent("body", _dusty, BALANCE, INCOME)),
    Sound("no lines of noughts", BOOKS, _bent("body", _booked, BALANCE, INCOME)),
    Sound("receipts as documents", BOOKS, _bent("body", _pdf, RECEIPT)),
)
