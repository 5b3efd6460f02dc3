"""Lists and batch reads that lose, double or change records on the way."""

from __future__ import annotations

import math
from typing import Any

from tests.exam.calls3.data import ACCOUNT, DRIVE, FILE, JOB, MAILBOX, STATE, Row
from tests.exam.eighth.forms import CRM, FILES, FORMS, JOBS, SALES
from tests.exam.eighth.kinds import Reader, Sheet
from tests.exam.eighth.shapes_crm import latest
from tests.exam.seventh.proofs import NAME, UNIFIED
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import BATCH, Call, Cut, Reply, Service

KINDS: list[Kind] = []
ORDERS = Sheet(Table(JOBS, JOB), KINDS)
ITEMS = Sheet(Table(FILES, FILE), KINDS)
DRIVES = Sheet(Table(FILES, DRIVE), KINDS)
STATES = Sheet(Table(SALES, STATE), KINDS)
BOXES = Sheet(Table(SALES, MAILBOX), KINDS)
ACCOUNTS = Sheet(Table(CRM, ACCOUNT), KINDS)
NOBODY = "00000000-0000-4000-8000-000000000000"


def fewer(key: str, **query: Any) -> Any:
    """Proves that a list which is asked for in this way has fewer rows."""
    return lambda p: len(p.rows(key, **query)) < len(p.rows(key))


def otherwise(key: str, name: str, **query: Any) -> Any:
    """Proves that a field of the same records is otherwise when they are asked for in this way."""

    def proof(p: Reader) -> bool:
        plain = {row["id"]: row[name] for row in p.rows(key)}
        return any(plain[row["id"]] != row[name] for row in p.rows(key, **query))

    return proof


@ORDERS.call("one job behind each page", "", "cut", JOB, proof=fewer(JOB, page_size=9))
def _skipped(call: Call, cut: Cut) -> Cut:
    """The third party counts its offsets from one, so a job is lost behind each page."""
    cut.onward = cut.onward and min(cut.onward + 1, len(cut.rows))
    return cut


def _strangers(p: Reader) -> bool:
    return any(
        row["raw_data"]["attributes"]["library_id"] != drive["id"]
        for drive in p.rows(DRIVE)
        for row in p.rows(FILE, drive_id=drive["id"], page_size=10)
    )


@ITEMS.program("drive of the first page alone", "", proof=_strangers)
def _unfiltered(service: Service) -> None:
    """The filter by drive goes into the first request and is forgotten in those that bring a cursor."""
    service.on("rows", FILE, lambda call, rows: service.lists[FILE] if call.query.get("cursor") else rows)


@ORDERS.call("next offset by what was asked", "", "cut", JOB, proof=fewer(JOB, page_size=150))
def _asked(call: Call, cut: Cut) -> Cut:
    """The third party gives a hundred jobs at most, and the next offset goes by the size that was asked for."""
    asked = int(call.query.get("page_size") or cut.size)
    after = cut.start + asked
    cut.onward = after if after < len(cut.rows) else None
    return cut


@DRIVES.call(
    "always another page",
    "",
    "body",
    DRIVE,
    proof=lambda p: any(one["has_next_page"] and not one.get("next_cursor") for one in p.walk(DRIVE)),
)
def _always(call: Call, body: Row) -> Row:
    """Whether there is another page is written down as true."""
    return {**body, "has_next_page": True}


@ACCOUNTS.call(
    "ends of chunks twice",
    "",
    "body",
    BATCH,
    proof=lambda p: len({row["id"] for row in p.accounts(p.ids)}) < len(p.accounts(p.ids)),
)
def _chunks(call: Call, body: list[Row]) -> list[Row]:
    """Ids are asked for in chunks of fifty whose last one is the first of the next chunk."""
    return [row for n, row in enumerate(body) for _ in range(2 if n % 50 == 49 and n + 1 < len(body) else 1)]


def _as_asked(p: Reader) -> bool:
    full = {row["id"]: row["updated_at"] for row in p.accounts(p.ids[:40])}
    return any(row["updated_at"] != full[row["id"]] for row in p.accounts(p.ids[:40], NAME))


@ACCOUNTS.call("change of what was asked", "updated_at last_modified_at", "body", BATCH, proof=_as_asked)
def _of_asked(call: Call, body: list[Row]) -> list[Row]:
    """The date of change is the latest among the attributes that were asked for, and not among all."""
    return [{**row, "updated_at": latest(row["raw_data"])} for row in body]


@STATES.call(
    "cursor by its name elsewhere",
    "",
    "body",
    STATE,
    proof=lambda p: any("next_cursor" in page for page in p.walk(STATE)),
)
def _elsewhere(call: Call, body: Row) -> Row:
    """The envelope of the other lists is used, with next_cursor in place of next_page_cursor."""
    return {("next_cursor" if name == "next_page_cursor" else name): value for name, value in body.items()}


@ITEMS.call(
    "size that is no number",
    "size",
    "body",
    FILE,
    proof=lambda p: b"NaN" in p.ask("GET", f"{UNIFIED}/{FILE}").data,
)
def _nan(call: Call, body: Row) -> Row:
    """The size of a folder is a text turned into a number, and stands in JSON as NaN."""
    rows = [{**row, "size": math.nan} if row["size"] is None else row for row in body["items"]]
    return {**body, "items": rows}


@ORDERS.call(
    "dates of the change feed",
    "modified_at",
    "body",
    JOB,
    proof=otherwise(JOB, "modified_at", sync_mode="incremental"),
)
def _feed(call: Call, body: Row) -> Row:
    """An incremental read has its own mapper, which leaves milliseconds as they are."""
    if call.query.get("sync_mode") != "incremental":
        return body
    rows = [{**row, "modified_at": str(row["raw_data"]["dateLastModified"])} for row in body["items"]]
    return {**body, "items": rows}


@DRIVES.call(
    "changed when it was read",
    "updated_at",
    "body",
    DRIVE,
    proof=otherwise(DRIVE, "updated_at", sync_mode="incremental"),
)
def _read(call: Call, body: Row) -> Row:
    """An incremental read puts the moment of the reading where the date of change belongs."""
    if call.query.get("sync_mode") != "incremental":
        return body
    return {**body, "items": [{**row, "updated_at": "2026-03-02T09:00:00.000Z"} for row in body["items"]]}


@STATES.call("last page for ever", "", "cut", STATE, proof=lambda p: len(p.walk(STATE, 30)) == 30)
def _for_ever(call: Call, cut: Cut) -> Cut:
    """The cursor of the last page is that page's own, because a page with rows is thought to have one behind it."""
    cut.onward = cut.start if cut.onward is None and cut.start else cut.onward
    return cut


@BOXES.call(
    "last mailbox again",
    "",
    "cut",
    MAILBOX,
    proof=lambda p: len({row["id"] for row in p.rows(MAILBOX)}) < len(p.rows(MAILBOX)),
)
def _again(call: Call, cut: Cut) -> Cut:
    """The next page begins at the row of the cursor and not behind it."""
    cut.start -= 1 if cut.start else 0
    return cut


@ORDERS.call("null for what does not fit", "", "body", JOB, proof=lambda p: None in p.rows(JOB))
def _unfit(call: Call, body: Row) -> Row:
    """A job without an office throws in the mapper, which gives null for it."""
    return {**body, "items": [row if row["offices"] else None for row in body["items"]]}


@ACCOUNTS.program("somebody for nobody", "", proof=lambda p: bool(p.accounts([NOBODY])))
def _somebody(service: Service) -> None:
    """A search that finds nothing by id goes on without the condition, and its first hit is given."""

    def change(call: Call, body: list[Row]) -> list[Row]:
        known = {row["id"] for row in service.lists[ACCOUNT]}
        return [*body, *service.lists[ACCOUNT][:1]] if set(call.sent["ids"]) - known else body

    service.on("body", BATCH, change)


@BOXES.call(
    "page of text",
    "",
    "reply",
    MAILBOX,
    proof=lambda p: p.ask("GET", f"{UNIFIED}/{MAILBOX}").headers["content-type"] == "text/html",
)
def _text(call: Call, reply: Reply) -> Reply:
    """The answer is written by a framework that calls every text a page."""
    reply.type = "text/html"
    return reply


@ITEMS.call("short page is the last", "", "cut", FILE, proof=fewer(FILE, page_size=20))
def _short(call: Call, cut: Cut) -> Cut:
    """A page with fewer rows than usual is thought to be the last, although fewer were asked for."""
    cut.onward = None if cut.size < FORMS[FILES].usual else cut.onward
    return cut
