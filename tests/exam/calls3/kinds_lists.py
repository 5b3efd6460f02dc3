"""What goes wrong with what a list holds: filters, incremental reading, ids that other lists name, lists in rows."""

from __future__ import annotations

from tests.exam.calls3.answers import Call, Cut, RefusedError, Reply
from tests.exam.calls3.data import ACCOUNT, DRIVE, FILE, JOB, MAILBOX, SIZED, STATE, Row
from tests.exam.calls3.engine import Spot, within
from tests.exam.calls3.kinds import add, kind

Query = dict[str, str]


def without(query: Query, *names: str) -> Query:
    return {name: value for name, value in query.items() if name not in names}


def incremental(call: Call) -> bool:
    return call.query.get("sync_mode") == "incremental"


def changed(row: Row) -> str:
    return str(row.get("updated_at") or row.get("modified_at"))


def filtered(call: Call) -> bool:
    return any(call.query.get(name) for name in ("drive_id", "folder_id", "drive_group_id"))


# ---------------------------------------------------------------- filters

for _name in ("drive_id", "folder_id"):
    add(
        f"{_name} is not read",
        "asked",
        FILE,
        lambda _, call, query, name=_name: without(query, name),  # type: ignore[misc]
    )
add("drive_group_id is not read", "asked", DRIVE, lambda _, call, query: without(query, "drive_group_id"))


@kind("folder_id is taken for the id of a drive", "asked", FILE)
def _(_: Spot, call: Call, query: Query) -> Query:
    return without(query, "folder_id") | ({"drive_id": query["folder_id"]} if query.get("folder_id") else {})


@kind("the filter is forgotten after the first page", "asked", FILE)
def _(_: Spot, call: Call, query: Query) -> Query:
    return without(query, "drive_id", "folder_id") if "cursor" in query else query


@kind("a filter that nothing matches gives everything", "rows", (FILE, DRIVE))
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return rows or spot.engine.lists[spot.key]


@kind("without a drive only the files of the first one come", "rows", FILE)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    first = within(spot.engine.lists[FILE][0], "driveId")
    return rows if filtered(call) else [row for row in rows if within(row, "driveId") == first]


@kind("the list of all files lacks what lies in folders", "rows", FILE)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return rows if filtered(call) else [row for row in rows if not within(row, "id")]


@kind("a drive's own list lacks what lies in folders", "rows", FILE)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return [row for row in rows if not within(row, "id")] if call.query.get("drive_id") else rows


@kind("a folder's list has the files of its drive that lie in no folder", "rows", FILE)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    if not call.query.get("folder_id") or not rows:
        return rows
    drive = within(rows[0], "driveId")
    every = spot.engine.lists[FILE]
    return rows + [row for row in every if within(row, "driveId") == drive and not within(row, "id")]


@kind("a few files are in no list but that of their drive", "rows", FILE, rows=5)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return rows if filtered(call) else [row for row in rows if row["id"] not in spot.guilty]


@kind("a filtered list gives the same files with another name", "cut", FILE)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if filtered(call):
        cut.items = [row | {"name": row["path"].rpartition("/")[0] or row["name"]} for row in cut.items]
    return cut


@kind("a filter and a page size together give a page and no more", "cut", FILE)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if filtered(call) and "page_size" in call.query:
        cut.onward = None
    return cut


@kind("a group's drives are those of all groups but this", "rows", DRIVE)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    if not call.query.get("drive_group_id"):
        return rows
    return [row for row in spot.engine.lists[DRIVE] if row not in rows]


# ---------------------------------------------------------------- incremental against full


@kind("incremental leaves out what has not changed for long", "rows", SIZED)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return [row for row in rows if changed(row) > "2024-04"] if incremental(call) else rows


@kind("incremental gives one page and no more", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    cut.onward = None if incremental(call) else cut.onward
    return cut


@kind("incremental gives an older state of some rows", "cut", SIZED, rows=4)
def _(spot: Spot, call: Call, cut: Cut) -> Cut:
    if incremental(call):
        cut.items = [
            row | {"name": f"{row['name']} old"} if row["id"] in spot.guilty else row for row in cut.items
        ]
    return cut


@kind("incremental fails", "rows", SIZED)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    if incremental(call):
        raise RefusedError(500, "Cannot read properties of undefined (reading 'cursor')")
    return rows


@kind("a full reading leaves out rows that an incremental one has", "rows", SIZED, rows=6)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    full = call.query.get("sync_mode") == "full"
    return [row for row in rows if row["id"] not in spot.guilty] if full else rows


@kind("incremental gives rows in which most fields are null", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if incremental(call):
        cut.items = [
            row | dict.fromkeys(("name", "created_at", "departments", "size", "description"))
            for row in cut.items
        ]
    return cut


@kind("incremental gives other ids", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if incremental(call):
        cut.items = [row | {"id": f"{row['id']}:{changed(row)[:10]}"} for row in cut.items]
    return cut


@kind("the mode is not known after the first page", "asked", SIZED)
def _(_: Spot, call: Call, query: Query) -> Query:
    if "cursor" in query and "sync_mode" in query:
        raise RefusedError(400, "sync_mode cannot be combined with cursor")
    return query


# ---------------------------------------------------------------- ids that other lists name


@kind("mailboxes that sequence states name are not in the list", "rows", MAILBOX, about=(MAILBOX, STATE))
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return [row for at, row in enumerate(rows) if at % 9 != 4]


@kind(
    "mailboxes have an id of another form than sequence states name", "cut", MAILBOX, about=(MAILBOX, STATE)
)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    cut.items = [row | {"id": f"mailbox-{row['id']}"} for row in cut.items]
    return cut


@kind("sequence states name the user where the mailbox belongs", "cut", STATE, fields=("mailbox_id",))
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    cut.items = [row | {"mailbox_id": row["user_id"]} for row in cut.items]
    return cut


@kind("the list of drives lacks two that files lie in", "rows", DRIVE, about=(DRIVE, FILE))
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return [row for row in rows if row not in spot.engine.lists[DRIVE][2:4]]


@kind("folders that files lie in are not in the list", "rows", FILE)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["type"] != "folder"]


# ---------------------------------------------------------------- lists in rows


@kind("only the first of several offices is given", "cut", JOB, fields=("offices",))
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    cut.items = [row | {"offices": row["offices"][:1]} for row in cut.items]
    return cut


@kind("lists in a row are cut after two", "cut", JOB, fields=("departments", "offices", "recruiters"))
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    names = ("departments", "offices", "recruiters")
    cut.items = [row | {name: row[name][:2] for name in names} for row in cut.items]
    return cut


@kind("departments of the row before are still there", "cut", JOB, fields=("departments",))
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    before = [cut.items[0], *cut.items] if cut.items else []
    cut.items = [
        row | {"departments": last["departments"] + row["departments"]}
        for last, row in zip(before, cut.items, strict=False)
    ]
    return cut


@kind("a department's parent is an id that no department has", "cut", JOB, fields=("departments",))
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    cut.items = [
        row | {"departments": [one | {"parent_id": f"x{one['id']}"} for one in row["departments"]]}
        for row in cut.items
    ]
    return cut


# ---------------------------------------------------------------- batch reads


@kind("ids that do not exist give empty records", "found", ACCOUNT)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    known = {row["id"] for row in rows}
    unknown = [of for of in call.sent["ids"] if of not in known]
    return rows + [{"id": of, "updated_at": "1970-01-01T00:00:00Z", "raw_data": {}} for of in unknown]


@kind("one unknown id makes the whole read fail", "found", ACCOUNT)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    if len(rows) < len(set(call.sent["ids"])):
        raise RefusedError(500, "Cannot read properties of undefined (reading 'id')")
    return rows


@kind("no ids at all give all accounts", "found", ACCOUNT)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return rows if call.sent["ids"] else spot.engine.lists[ACCOUNT]


@kind("the first ten accounts come whatever ids are asked for", "found", ACCOUNT)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return spot.engine.lists[ACCOUNT][:10]


add("only the first account of a batch comes", "found", ACCOUNT, lambda _, call, rows: rows[:1])


@kind("a batch read is wrapped in an object", "reply", ACCOUNT)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if isinstance(reply.body, list):
        reply.body = {"items": reply.body}
    return reply


@kind("accounts of a batch carry each other's ids", "found", ACCOUNT)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return [row | {"id": other["id"]} for row, other in zip(rows, rows[1:] + rows[:1], strict=True)]
