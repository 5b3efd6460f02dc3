"""What goes wrong in lists as a whole: rows lost, doubled or let in, and pages that mislead."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from tests.exam.calls3.data import DRIVE, FILE, JOB, MAILBOX, STATE, Row
from tests.exam.sixth.forms import FILES, JOBS, SALES
from tests.exam.sixth.kinds import Damage, Kind, Table
from tests.exam.sixth.service import Bend, Call, Cut, Reply, Service, ancestor

F, D, J = Table(FILES, FILE), Table(FILES, DRIVE), Table(JOBS, JOB)
M, S = Table(SALES, MAILBOX), Table(SALES, STATE)


def _page(key: str, change: Bend) -> Damage:
    """Pages that are cut otherwise; no row of it is guilty."""

    def damage(service: Service, rng: Random) -> set[str]:
        service.on("cut", key, change)
        return set()

    return damage


def _border(call: Call, cut: Cut) -> Cut:
    """The page is one row short, and the next one starts where it should have."""
    if cut.onward is not None:
        cut.size -= 1
    return cut


def _page_number(call: Call, cut: Cut) -> Cut:
    """With page_size, each second page is passed over."""
    if call.query.get("page_size") and cut.onward is not None:
        cut.onward = min(cut.onward + cut.size, len(cut.rows))
    return cut


def _no_last(call: Call, cut: Cut) -> Cut:
    """A page that would not be full is not announced."""
    if cut.onward is not None and len(cut.rows) - cut.onward < cut.size:
        cut.onward = None
    return cut


def _overlap(service: Service, rng: Random) -> set[str]:
    """The last row of a page is the first of the next one, with the usual size."""
    rows, size = service.lists[JOB], service.form.usual
    service.on("cut", JOB, lambda call, cut: _back(cut))
    made = [rows[at]["id"] for at in range(size - 1, len(rows) - 1, size - 1)]
    return set(made)


def _back(cut: Cut) -> Cut:
    if cut.onward is not None and cut.size > 1:
        cut.onward -= 1
    return cut


def _doubled(service: Service, rng: Random) -> set[str]:
    """The first thirty rows come once more at the end."""
    rows = service.lists[STATE]
    rows += deepcopy(rows[:30])
    return {row["id"] for row in rows[:30]}


def _older_version(service: Service, rng: Random) -> set[str]:
    """Five rows come twice: as they are, and as they were."""
    rows = service.lists[MAILBOX]
    for row in rng.sample(rows, 5):
        old = deepcopy(row)
        old["updated_at"] = old["last_modified_at"] = old["raw_data"]["updatedAt"] = old["created_at"]
        rows.insert(rng.randrange(len(rows)), old)
    ids = [row["id"] for row in rows]
    return {one for one in ids if ids.count(one) > 1}


def _without_closed(service: Service, rng: Random) -> set[str]:
    """Filled jobs come with an incremental read alone."""

    def change(call: Call, rows: list[Row]) -> list[Row]:
        full = call.query.get("sync_mode", "full") == "full"
        return [row for row in rows if row["raw_data"]["status"] != "FILLED" or not full]

    service.on("rows", JOB, change)
    return set()


def _leak(service: Service, rng: Random) -> set[str]:
    """Files of the first drive are let in whatever drive is asked for."""
    first = service.lists[DRIVE][0]["id"]
    asked = service.lists[FILE]

    def change(call: Call, rows: list[Row]) -> list[Row]:
        drive = call.query.get("drive_id")
        if not drive or drive == first:
            return rows
        return [row for row in asked if ancestor(row) in (drive, first)]

    service.on("rows", FILE, change)
    return {row["id"] for row in asked if ancestor(row) == first}


def _subset(service: Service, rng: Random) -> set[str]:
    """Without drive_id, files of the first half of the drives alone are given."""
    known = {row["id"] for row in service.lists[DRIVE][: len(service.lists[DRIVE]) // 2]}

    def change(call: Call, rows: list[Row]) -> list[Row]:
        return rows if call.query.get("drive_id") else [row for row in rows if ancestor(row) in known]

    service.on("rows", FILE, change)
    return set()


def _shuffled(service: Service, rng: Random) -> set[str]:
    """Each call has an order of its own."""

    def change(call: Call, rows: list[Row]) -> list[Row]:
        return rng.sample(rows, len(rows))

    service.on("rows", JOB, change)
    return set()


def _endless_last(call: Call, cut: Cut) -> Cut:
    cut.onward = cut.start if cut.onward is None else cut.onward
    return cut


def _first_for_ever(call: Call, cut: Cut) -> Cut:
    return Cut(cut.rows, 0, cut.size, cut.size)


def _no_more(call: Call, body: Row) -> Row:
    return {**body, "has_next_page": False}


def _always_more(call: Call, body: Row) -> Row:
    return {**body, "has_next_page": True}


def _no_items_at_end(call: Call, body: Row) -> Row:
    """The last page of all has null for its items."""
    return body if body["has_next_page"] else {**body, "items": None}


def _numbered(call: Call, body: Row) -> Row:
    cursor = body.get("next_cursor")
    return {**body, "next_cursor": int(cursor.rpartition("~")[2]) if cursor else cursor}


def _error_as_page(call: Call, body: Row) -> Any:
    if call.query.get("cursor") and body["next_page_cursor"] is None:
        return {
            "message": "[429 Too Many Requests] GET https://api.third.example",
            "code": "INTERNAL_SERVER_ERROR",
        }
    return body


def _stateful(service: Service) -> None:
    """A cursor that is used again gives the page that follows."""
    used: dict[str, int] = {}

    def change(call: Call, cut: Cut) -> Cut:
        cursor = call.query.get("cursor", "")
        again = used.get(cursor, 0)
        if cursor:
            used[cursor] = again + 1
        start = min(cut.start + again * cut.size, len(cut.rows))
        after = start + cut.size
        return Cut(cut.rows, start, cut.size, after if after < len(cut.rows) else None)

    service.on("cut", STATE, change)


def _bytes(change: Any) -> Bend:
    """What is sent of a success, changed as bytes."""

    def bend(call: Call, reply: Reply) -> Reply:
        if reply.status == 200:
            reply.body = change(reply.data())
        return reply

    return bend


KINDS: list[Kind] = [
    J.whole(
        "a row lost at each border",
        "the last row of every page but the last is missing; another page_size shows it",
        _page(JOB, _border),
    ),
    J.whole(
        "rows passed over with page_size",
        "with page_size every second page is passed over",
        _page(JOB, _page_number),
    ),
    F.whole(
        "the last page never announced",
        "the page that would not be full is never announced; another page_size shows its rows",
        _page(FILE, _no_last),
    ),
    D.whole(
        "a drive lost at each border",
        "with page_size the last drive of each page is missing",
        _page(DRIVE, _border),
    ),
    J.whole("a row twice at each border", "each page begins with the last row of the one before", _overlap),
    S.whole("the beginning once more", "the first thirty rows come again at the end", _doubled),
    M.whole(
        "rows as they are and as they were",
        "five mailboxes come twice with different content",
        _older_version,
    ),
    J.whole(
        "full is less than incremental",
        "a full read lacks filled jobs that an incremental one has",
        _without_closed,
    ),
    F.whole("another drive's files", "files of the first drive come whatever drive is asked for", _leak),
    F.whole("files of some drives", "without drive_id files of half of the drives are missing", _subset),
    J.whole(
        "an order of its own each time",
        "rows are shuffled for each page: some come twice, some never",
        _shuffled,
    ),
    J.call(
        "the end in the middle",
        "has_next_page is false on pages that are followed by others",
        "",
        "body",
        JOB,
        _no_more,
    ),
    F.call(
        "more after the end",
        "has_next_page is true on the last page, whose cursor is null",
        "",
        "body",
        FILE,
        _always_more,
    ),
    J.call(
        "the last page for ever",
        "the last page names itself as the next one, so that the list never ends",
        "",
        "cut",
        JOB,
        _endless_last,
    ),
    S.call(
        "the first page for ever",
        "the cursor is ignored: every page is the first one",
        "",
        "cut",
        STATE,
        _first_for_ever,
    ),
    F.call(
        "no items at the end",
        "items of the last page is null, where the contract has an array",
        "",
        "body",
        FILE,
        _no_items_at_end,
    ),
    F.call(
        "a number for a cursor",
        "next_cursor is a number, where the contract has a text",
        "next_cursor",
        "body",
        FILE,
        _numbered,
    ),
    S.program("a cursor works once", "a cursor that is used again gives another page", "", _stateful),
    M.call(
        "a failure that is called a success",
        "the last page is answered with 200 and the body of a failure, without items",
        "",
        "body",
        MAILBOX,
        _error_as_page,
    ),
    D.call(
        "text in Latin-1",
        "the answer is no UTF-8 and so no JSON",
        "",
        "reply",
        DRIVE,
        _bytes(lambda data: data.decode().encode("latin-1", "replace")),
    ),
    F.call(
        "not a number",
        "sizes of zero are written NaN, which is no JSON",
        "",
        "reply",
        FILE,
        _bytes(lambda data: data.replace(b'"size": 0,', b'"size": NaN,')),
    ),
    S.call(
        "an answer cut off",
        "the last byte of each answer is missing: no sound JSON",
        "",
        "reply",
        STATE,
        _bytes(lambda data: data[:-1]),
    ),
]
