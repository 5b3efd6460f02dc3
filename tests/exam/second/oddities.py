"""Odd, yet allowed by the contract and as services were seen to do: none of it is a defect."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime
from typing import Any

from tests.exam.mapping import Json
from tests.exam.second.sound import (
    Change,
    Service,
    bodies,
    both,
    dates,
    every,
    more,
    shortened,
    without,
)
from tests.exam.second.spots import source
from tests.exam.service import Wire
from tests.exam.world import Row, World, remade

LOOKS_WRONG = (
    "R&amp;D (sic)", "How to cook cafÃ©", "null", "[object Object] is no object", "What????", "{{ name }} in templates",
    "undefined", "N/A", "Test", "  ", "0", "false", "%20 in addresses", "C:\\temp\\new", "1970-01-01", "-",
)  # fmt: skip


def _epochs(row: Row) -> None:
    """The third party writes milliseconds, and so does the connector."""
    text = {"created_at": "created-at", "modified_at": "updated-at"}
    for name, theirs in text.items():
        number = round(datetime.fromisoformat(row.body[name]).timestamp() * 1000)
        row.body[name] = str(number)
        row.body["raw_data"]["attributes"][theirs] = number
    for part in row.body["departments"]:
        without("created_at", "modified_at", "raw_data")(0, part)


def _days(row: Row) -> None:
    """The third party knows days only."""
    for name, theirs in {"created_at": "Created_Time", "modified_at": "Modified_Time"}.items():
        row.body["raw_data"][theirs] = row.body[name] = source(row, row.body[name])[:10]


def _blanks(number: int, raw: Json) -> None:
    if number % 9 == 0:
        raw["Posting_Title"] = f" {raw['Posting_Title']}  "


def _trimmed(world: World) -> None:
    remade(world, "job", _blanks)
    for row in world.listing("job").rows:
        row.body["name"] = row.body["name"].strip()


def _capitals(world: World) -> None:
    def change(number: int, raw: Json) -> None:
        if number % 3 == 0:
            raw["sending_email_address"] = raw["sending_email_address"].title()

    remade(world, "mailbox", change)
    for row in world.listing("mailbox").rows:
        row.body["email"] = row.body["email"].lower()


def _twins(number: int, raw: Json) -> None:
    raw |= {"name": "scan.pdf", "type": "file", "size": 1024, "description": None} if number % 6 == 0 else {}
    raw.setdefault("permissions", {"can_download": True})


def _imported(number: int, raw: Json) -> None:
    if number % 20 == 0:
        raw["Created_Time"], raw["Modified_Time"] = raw["Modified_Time"], raw["Created_Time"]


def _wrong_looks(number: int, raw: Json) -> None:
    raw["Posting_Title"] = LOOKS_WRONG[number % len(LOOKS_WRONG)] if number % 5 == 0 else raw["Posting_Title"]


def _odd_ids(number: int, raw: Json) -> None:
    raw["id"] = (f"id:a b/{number}", f"ключ-{number}", f"📁{number}", f"<{number}>&", f"{number}")[number % 5]


def _shared(number: int, raw: Json) -> None:
    if number % 4 == 0:
        raw["sending_email_address"] = "team@example.com"


def _far(number: int, raw: Json) -> None:
    years = {
        7: "1970-01-01T00:00:00+01:00",
        90: "2099-12-31T23:59:59+01:00",
        200: "1899-12-31T12:00:00+01:00",
    }
    if number in years:
        raw["Created_Time"] = raw["Modified_Time"] = years[number]


def _german_states(_: int, raw: Json) -> None:
    words = {"active": "aktiv", "completed": "beendet", "removed": "entfernt (vom Nutzer)", "staged": ""}
    raw["current_state"] = words.get(raw["current_state"], raw["current_state"])


def _long(number: int, raw: Json) -> None:
    if number == 40:
        raw["description"] = "Kapitel für Kapitel. " * 9000


def _all_empty(_: int, raw: Json) -> None:
    if "size" in raw:
        raw["size"] = 0


def _single(_: int, body: Json) -> None:
    body["hiring_managers"] = body["hiring_managers"][0] if body["hiring_managers"] else None


def _in_array(_: int, body: Json) -> None:
    body["raw_data"] = [deepcopy(body["raw_data"]), {"source": "items", "version": 2}]


def _as_floats(_: int, body: Json) -> None:
    body["size"] = None if body["size"] is None else float(body["size"])


def _texts_for_nothing(_: int, body: Json) -> None:
    body["description"] = body["description"] or ""


def _reversed(world: World) -> None:
    for one in world.lists:
        one.rows.reverse()


def _tabbed(_: int, body: Json) -> None:
    body["raw_data"] = {"record": body["raw_data"], "fetched": "list", "schema": 3}


def _inactive(_: int, raw: Json) -> None:
    raw["active"] = False


def _seconds(date: str, row: Row) -> str:
    return datetime.fromisoformat(date).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _database(date: str, row: Row) -> str:
    return datetime.fromisoformat(date).astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + "+00"


def _dust(world: World) -> None:
    """Sums of floating-point numbers, as they come out."""
    for one in world.lists:
        body = one.rows[0].body
        for name in ("totalBalance", "totalIncome"):
            part = "balance" if name == "totalBalance" else name
            if name in body:
                body[name] = sum(entry[part] for entry in body["entries"]) + 2e-9


def _no_entries(world: World) -> None:
    for one in world.lists:
        body = one.rows[0].body
        body["entries"] = []
        names = ("totalBalance", "totalIncome", "totalExpenses", "netIncome")
        body.update({name: 0 for name in names if name in body})


def _theirs(name: str, change: Any) -> Change:
    return lambda world: remade(world, name, change)


def _odd(name: str, base: str, change: Change, wire: Wire | None = None) -> Service:
    return Service(name, base, change, wire or Wire(), odd=True)


ODDITIES = (
    _odd("dates are milliseconds as text, there as here", "teamtailor", every(_epochs)),
    _odd("dates are days, there as here", "zoho", every(_days)),
    _odd("dates in a database's form", "salesloft", dates(_database)),
    _odd("dates without the fraction of a second", "teamtailor", dates(_seconds)),
    _odd("names are trimmed", "zoho", _trimmed),
    _odd("addresses in small letters", "salesloft", _capitals),
    _odd("many files of one name, size and right", "box", _theirs("file", _twins)),
    _odd("changed before they were made, at the third party too", "zoho", _theirs("job", _imported)),
    _odd("names that look like mistakes, at the third party too", "zoho", _theirs("job", _wrong_looks)),
    _odd("ids with blanks, slashes and signs", "dropbox", _theirs("file", _odd_ids)),
    _odd("mailboxes that share an address", "salesloft", _theirs("mailbox", _shared)),
    _odd("three dates far away, at the third party too", "zoho", _theirs("job", _far)),
    _odd("states in German, one of them empty", "salesloft", _theirs("sequence_state", _german_states)),
    _odd("one very long text", "box", _theirs("file", _long)),
    _odd("all files are empty", "dropbox", _theirs("file", _all_empty)),
    _odd("hiring managers are one object or null", "zoho", bodies("job", _single)),
    _odd("raw_data of files is an array", "box", bodies("file", _in_array)),
    _odd("raw_data of all records has a wrapping", "salesloft", bodies("sequence_state", _tabbed)),
    _odd("sizes are written as 12.0", "dropbox", bodies("file", _as_floats)),
    _odd("an absent description is empty text", "box", bodies("file", _texts_for_nothing)),
    _odd("the newest last instead of first", "dropbox", _reversed),
    _odd(
        "members of their own in every record",
        "zoho",
        every(more({"id_hash": "x", "_version": 3, "url": None})),
    ),
    _odd("every mailbox is deleted", "salesloft", _theirs("mailbox", _inactive)),
    _odd("incremental gives the last tenth only", "teamtailor", both(), Wire(recent_only=True)),
    _odd("a record is added while the list is read", "zoho", both(), Wire(grows_after=4)),
    _odd("no page is as long as asked for", "box", both(), Wire(ragged=(11, 3, 29), end="absent")),
    _odd(
        "no media types and no paths",
        "dropbox",
        bodies("file", without("mime_type", "path")),
    ),
    _odd("sums with dust in the last digits", "books", _dust),
    _odd("reports without entries", "books", _no_entries),
    _odd("forty drives, two files", "dropbox", both(shortened(2, "file"), shortened(40, "drive"))),
)
