"""Kinds of what lists and the batch read do with pages, sizes, parameters and ids."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.exam.calls3.answers import Call, Cut, RefusedError
from tests.exam.calls3.data import ACCOUNT, FILE, JOB, MAILBOX, STATE, Row
from tests.exam.calls3.engine import Spot
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.service import limited
from tests.exam.fifth.shapes_crm import NAME as CRM
from tests.exam.fifth.shapes_files import NAME as STORE
from tests.exam.fifth.shapes_jobs import NAME as HIRING
from tests.exam.fifth.shapes_sales import NAME as SELLING

KINDS: list[Kind] = []
JOBS = Writer(HIRING, JOB, KINDS)
FILES = Writer(STORE, FILE, KINDS)
MAILBOXES = Writer(SELLING, MAILBOX, KINDS)
STATES = Writer(SELLING, STATE, KINDS)
ACCOUNTS = Writer(CRM, ACCOUNT, KINDS)


def _cut(cut: Cut, start: int, end: int, onward: int | None) -> Cut:
    return Cut(cut.rows, start, cut.size, cut.rows[start:end], onward)


@JOBS.call(
    "cut",
    "a row lost at each border",
    "Pages of another size give jobs that are not in the list read with the usual size, one for each border.",
)
def _border(spot: Spot, call: Call, cut: Cut) -> Cut:
    start = cut.start + (1 if cut.start else 0)
    return _cut(cut, start, cut.start + cut.size, cut.onward)


@STATES.call(
    "cut",
    "the last row of a page comes again",
    "The first record of each further page has the id of the last one of the page before.",
)
def _again(spot: Spot, call: Call, cut: Cut) -> Cut:
    return _cut(cut, max(0, cut.start - 1), cut.start + cut.size, cut.onward)


@JOBS.call(
    "cut",
    "the last page is dropped where it is not full",
    "A read with page_size 10 gives 330 jobs, one with 50 gives 300: what does not fill a page is missing.",
)
def _short(spot: Spot, call: Call, cut: Cut) -> Cut:
    full = cut.onward is not None and cut.onward + cut.size <= len(cut.rows)
    cut.onward = cut.onward if full else None
    return cut


@FILES.call(
    "page",
    "there is always a next page",
    "has_next_page is true on a page whose next_cursor is null.",
)
def _always(spot: Spot, call: Call, page: Row) -> Row:
    return {**page, "has_next_page": True}


@JOBS.call(
    "page",
    "has_next_page says no beside a cursor",
    "has_next_page is false on the first page, whose next_cursor leads to more jobs.",
)
def _never(spot: Spot, call: Call, page: Row) -> Row:
    return {**page, "has_next_page": False}


@JOBS.call(
    "asked",
    "plus in a cursor read as a blank",
    "A cursor with a plus, sent back as it came and encoded, is refused; those without are taken.",
)
def _plus(spot: Spot, call: Call, query: Row) -> Row:
    return {name: of.replace("+", " ") if name == "cursor" else of for name, of in query.items()}


@FILES.call(
    "cut",
    "the list ends at 300",
    "A read with drive_id gives files that the whole list does not have; it has exactly 300.",
)
def _ends(spot: Spot, call: Call, cut: Cut) -> Cut:
    end = cut.start + cut.size
    return _cut(cut, cut.start, min(end, 300), None if end >= 300 else cut.onward)


@JOBS.call(
    "cut",
    "size is bounded and the cursor is not",
    "With page_size 200 pages have 100 jobs and the next begins at 200: the jobs between are in no page.",
)
def _bounded(spot: Spot, call: Call, cut: Cut) -> Cut:
    asked = int(call.query.get("page_size") or cut.size)
    onward = cut.start + asked
    return _cut(cut, cut.start, cut.start + cut.size, onward if onward < len(cut.rows) else None)


@JOBS.call(
    "asked",
    "an incremental read does not advance",
    "With sync_mode=incremental the page behind the cursor is the first page again, without an end.",
)
def _first(spot: Spot, call: Call, query: Row) -> Row:
    ignored = "cursor" if query.get("sync_mode") == "incremental" else ""
    return {name: of for name, of in query.items() if name != ignored}


@FILES.call(
    "cut",
    "one page of each drive",
    "A read with drive_id ends after one page, and the whole list has more files of that drive.",
)
def _one_page(spot: Spot, call: Call, cut: Cut) -> Cut:
    cut.onward = None if call.query.get("drive_id") else cut.onward
    return cut


@STATES.call(
    "rows",
    "pages cut out of an unstable order",
    "Records come on two pages and others on none, and two reads in a row differ in which.",
)
def _unstable(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
    spot.memo["calls"] = spot.memo.get("calls", 0) + 1
    rng = Random(spot.memo["calls"])
    made = list(rows)
    for start in range(0, len(made), 24):
        part = made[start : start + 24]
        rng.shuffle(part)
        made[start : start + 24] = part
    return made


@MAILBOXES.call(
    "cut",
    "one mailbox fails its page",
    "The page that holds one certain mailbox is answered with 500 and Output validation failed, each time.",
)
def _fails(spot: Spot, call: Call, cut: Cut) -> Cut:
    if cut.start <= 123 < cut.start + len(cut.items):
        raise RefusedError(500, "Output validation failed")
    return cut


@MAILBOXES.call(
    "page",
    "the last page leads to itself",
    "next_page_cursor of the last page is the cursor that it was asked with; following it never ends.",
)
def _itself(spot: Spot, call: Call, page: Row) -> Row:
    if page.get("next_page_cursor") or "cursor" not in call.query:
        return page
    return {**page, "next_page_cursor": call.query["cursor"]}


@JOBS.call(
    "cut",
    "offset and size are joined as texts",
    "With page_size 20 the third page begins at row 2020 instead of 40: it is empty, and the list seems at its end.",
)
def _texts(spot: Spot, call: Call, cut: Cut) -> Cut:
    if "page_size" in call.query and cut.start >= 2 * cut.size:
        return _cut(cut, cut.start, cut.start, None)
    return cut


@ACCOUNTS.call(
    "found",
    "only the first hundred ids",
    "Of 150 ids 100 records come back; the others come when they are asked for alone.",
)
def _hundred(spot: Spot, call: Call, found: list[Row]) -> list[Row]:
    wanted = [str(one) for one in call.sent["ids"]][:100]
    return [one for one in found if one["id"] in wanted]


@ACCOUNTS.call(
    "found",
    "ids are compared by their beginning",
    "One id is asked for, and records with other ids come as well, which begin with the same six digits.",
)
def _beginning(spot: Spot, call: Call, found: list[Row]) -> list[Row]:
    named = [str(one) for one in call.sent["properties"]]
    starts = tuple({str(one)[:6] for one in call.sent["ids"]})
    rows = spot.engine.lists[ACCOUNT]
    return [limited(one, named) for one in rows if one["id"].startswith(starts)]


@ACCOUNTS.call(
    "found",
    "wrapped in an object",
    "The contract has an array for the answer, and it is an object with items.",
)
def _wrapped(spot: Spot, call: Call, found: list[Row]) -> Any:
    return {"items": found, "has_next_page": False}


@ACCOUNTS.call(
    "found",
    "answer kept by the number of ids",
    "A second read with other ids, as many as before, gives the records of the first.",
)
def _kept(spot: Spot, call: Call, found: list[Row]) -> list[Row]:
    key = f"{len(call.sent['ids'])} {call.sent['properties']}"
    kept: list[Row] = spot.memo.setdefault(key, found)
    return kept
