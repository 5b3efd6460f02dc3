"""What goes wrong from one page to the next."""

from __future__ import annotations

from tests.exam.calls3.answers import Call, Cut, RefusedError
from tests.exam.calls3.data import FILE, JOB, LISTS, SIZED, STATE, Row
from tests.exam.calls3.engine import Spot
from tests.exam.calls3.kinds import add, kind

OFFSETS = ("wide", "store")
"""The bases whose cursors hold the number of the row."""


def shifted(cut: Cut, by: int) -> Cut:
    """Goes on from another row than the next."""
    if cut.onward is not None:
        onward = cut.onward + by
        cut.onward = onward if onward < len(cut.rows) else None
    return cut


def ended(cut: Cut) -> Cut:
    cut.onward = None
    return cut


def cursor_name(page: Row) -> str:
    return "next_cursor" if "has_next_page" in page else "next_page_cursor"


def more(page: Row) -> bool:
    return bool(page.get(cursor_name(page)))


add("the first row of every further page is lost", "cut", LISTS, lambda _, call, cut: shifted(cut, 1))
add("the last row of a page comes again on the next", "cut", LISTS, lambda _, call, cut: shifted(cut, -1))


@kind("rows lost at the borders of pages whose size is not a multiple of ten", "cut", SIZED, bases=OFFSETS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    return shifted(cut, -cut.size % 10)


@kind("the row offset is sent on as the page number when a size is asked for", "cut", SIZED, bases=OFFSETS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if "page_size" in call.query and cut.onward is not None:
        cut.onward = cut.onward * cut.size
        cut.onward = cut.onward if cut.onward < len(cut.rows) else None
    return cut


@kind("a last page that is not full is never offered", "cut", LISTS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    left = len(cut.rows) - (cut.onward or 0)
    return ended(cut) if left < cut.size else cut


@kind("one single row left over is not offered", "cut", (JOB, FILE, STATE))
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    return ended(cut) if cut.onward == len(cut.rows) - 1 else cut


@kind("a list ends after thirty rows whatever the size of its pages", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    cut.items = cut.items[: max(0, 30 - cut.start)]
    return ended(cut) if cut.onward and cut.onward >= 30 else cut


@kind("without a page size there is never a next page", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    return cut if "page_size" in call.query or "cursor" in call.query else ended(cut)


@kind("a page size above twenty gives one page and no more", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    return ended(cut) if int(call.query.get("page_size", "0")) > 20 else cut


@kind("the list ends where a page is left empty by a filter of the connector", "cut", (JOB, FILE))
def _(spot: Spot, call: Call, cut: Cut) -> Cut:
    hidden = set(range(20, 45))
    cut.items = [row for at, row in enumerate(cut.items, cut.start) if at not in hidden]
    return cut if cut.items else ended(cut)


@kind("it says that there is more and gives no cursor", "page", SIZED)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"next_cursor": None} if more(page) and "cursor" in call.query else page


@kind("it says that there is no more and gives a cursor", "page", SIZED)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"has_next_page": False}


@kind("the cursor is not read: the first page for ever", "asked", LISTS)
def _(_: Spot, call: Call, query: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in query.items() if name != "cursor"}


@kind("the third page leads back to the second", "cut", LISTS, bases=OFFSETS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    return shifted(cut, -2 * cut.size) if cut.start // cut.size == 2 else cut


@kind("the last page leads to itself", "page", LISTS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    if more(page) or "cursor" not in call.query:
        return page
    known = {"has_next_page": True} if "has_next_page" in page else {}
    return page | {cursor_name(page): call.query["cursor"]} | known


@kind("after the end there are empty pages without end", "page", LISTS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    if more(page):
        return page
    spot.memo["n"] = spot.memo.get("n", 0) + 1
    known = {"has_next_page": True} if "has_next_page" in page else {}
    return page | {cursor_name(page): f"end-{spot.memo['n']}"} | known


@kind("after the end there are empty pages without end", "rows", LISTS)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    if call.query.get("cursor", "").startswith("end-"):
        call.query = {name: value for name, value in call.query.items() if name != "cursor"}
        return []
    return rows


@kind("rows have another order at every call", "rows", LISTS, bases=OFFSETS)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return spot.rng.sample(rows, len(rows))


@kind("the border jumps over rows changed in the same month", "cut", LISTS, bases=OFFSETS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    def changed(row: Row) -> str:
        return str(row.get("updated_at") or row.get("modified_at"))

    cut.rows = sorted(cut.rows, key=changed)
    cut.items = cut.rows[cut.start : cut.start + cut.size]
    if cut.onward is not None:
        last = changed(cut.rows[cut.onward - 1])[:7]
        while cut.onward < len(cut.rows) and changed(cut.rows[cut.onward])[:7] == last:
            cut.onward += 1
        cut.onward = cut.onward if cut.onward < len(cut.rows) else None
    return cut


@kind("with a page size the last row of every page is lost", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if "page_size" in call.query and cut.size > 1:
        cut.items = cut.items[:-1]
    return cut


@kind("the first row is missing as soon as a page size is given", "rows", SIZED, bases=OFFSETS)
def _(_: Spot, call: Call, rows: list[Row]) -> list[Row]:
    return rows[1:] if "page_size" in call.query else rows


@kind("a page size of one gives nothing and ends", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if call.query.get("page_size") in ("1", "2", "3"):
        cut.items = []
        return ended(cut)
    return cut


@kind("more rows than asked for", "size", SIZED)
def _(_: Spot, call: Call, size: int) -> int:
    return size + 1 if "page_size" in call.query else size


@kind("a few rows come twice, far apart", "rows", LISTS, rows=3, bases=OFFSETS)
def _(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    again = [row for row in rows if row["id"] in spot.guilty]
    return [*rows, *again]


@kind("the cursor is always the same text and the service counts along", "page", LISTS, bases=OFFSETS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    if not more(page):
        return page
    spot.memo["at"] = page[cursor_name(page)]
    return page | {cursor_name(page): "next"}


@kind("the cursor is always the same text and the service counts along", "asked", LISTS)
def _(spot: Spot, call: Call, query: dict[str, str]) -> dict[str, str]:
    return query | {"cursor": spot.memo["at"]} if query.get("cursor") == "next" else query


@kind("a cursor with a plus is decoded twice and starts from the beginning", "asked", LISTS, bases=("store",))
def _(_: Spot, call: Call, query: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in query.items() if name != "cursor" or "+" not in value}


@kind("one record makes its whole page fail", "cut", SIZED)
def _(spot: Spot, call: Call, cut: Cut) -> Cut:
    guilty = spot.memo.setdefault("guilty", spot.rng.choice(spot.engine.lists[spot.key])["id"])
    if any(row["id"] == guilty for row in cut.items):
        raise RefusedError(500, "Output validation failed")
    return cut


@kind("the cursor is a number", "page", LISTS, bases=OFFSETS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    if not more(page):
        return page
    at, _size = spot.engine.base.position(page[cursor_name(page)], [])
    return page | {cursor_name(page): at}


@kind("the cursor is a number", "asked", LISTS)
def _(spot: Spot, call: Call, query: dict[str, str]) -> dict[str, str]:
    cursor = query.get("cursor", "")
    if not cursor.isdecimal():
        return query
    size = int(query.get("page_size") or spot.engine.base.usual)
    return query | {"cursor": spot.engine.base.cursor([], int(cursor), size)}


add(
    "whether there is more is said as text",
    "page",
    SIZED,
    lambda _, call, page: page | {"has_next_page": str(page["has_next_page"]).lower()},
)
add(
    "nothing says whether there is more",
    "page",
    SIZED,
    lambda _, call, page: {name: value for name, value in page.items() if name != "has_next_page"},
)


@kind("the cursor stands under another name", "page", LISTS)
def _(_: Spot, call: Call, page: Row) -> Row:
    name = cursor_name(page)
    return {("nextCursor" if at == name else at): value for at, value in page.items()}


@kind("the rows of a list are keyed by id instead of in an array", "page", LISTS)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page | {"items": {row["id"]: row for row in page["items"]}}


@kind("the last page has null instead of rows", "page", LISTS)
def _(_: Spot, call: Call, page: Row) -> Row:
    return page if more(page) else page | {"items": None}


@kind("rows of further pages have lost fields", "cut", LISTS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    lost = ("name", "email", "state", "updated_at", "modified_at", "created_at")
    if cut.start:
        cut.items = [{at: None if at in lost else value for at, value in row.items()} for row in cut.items]
    return cut


@kind("rows have other values when a page size is given", "cut", SIZED, rows=4)
def _(spot: Spot, call: Call, cut: Cut) -> Cut:
    if "page_size" in call.query:
        cut.items = [
            row | {"name": f"{row['name']} (1)"} if row["id"] in spot.guilty else row for row in cut.items
        ]
    return cut


@kind("from the third page on the same page comes again", "cut", LISTS, bases=OFFSETS)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    if cut.start >= 2 * cut.size:
        cut.items = cut.rows[2 * cut.size : 3 * cut.size]
    return cut


@kind("the size is forgotten after the first page and the place with it", "size", SIZED, bases=("wide",))
def _(_: Spot, call: Call, size: int) -> int:
    return 100 if "cursor" in call.query else size


@kind("the size is forgotten after the first page and the place with it", "cut", SIZED)
def _(_: Spot, call: Call, cut: Cut) -> Cut:
    return shifted(cut, 100 - cut.size) if "page_size" in call.query and not cut.start else cut


@kind("two pages that are read at once disturb each other", "cut", STATE)
def _(spot: Spot, call: Call, cut: Cut) -> Cut:
    """The place is kept by the service for the connection: a second first page sets it back."""
    if "cursor" not in call.query:
        spot.memo["at"] = 0
    start = spot.memo.get("at", 0)
    spot.memo["at"] = start + cut.size
    cut.items = cut.rows[start : start + cut.size]
    cut.onward = start + cut.size if start + cut.size < len(cut.rows) else None
    return cut
