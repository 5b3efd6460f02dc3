"""Lists and the batch read: what goes wrong between the pages, with parameters, and from call to call."""

from __future__ import annotations

from typing import Any

from tests.exam.calls3.data import ACCOUNT, DRIVE, FILE, JOB, MAILBOX, STATE, Row
from tests.exam.seventh.forms import CRM, FILES, FORMS, JOBS, SALES
from tests.exam.sixth.kinds import Table
from tests.exam.sixth.service import BATCH, Call, Cut, wrong

JOB_LIST, FILE_LIST, DRIVE_LIST = Table(JOBS, JOB), Table(FILES, FILE), Table(FILES, DRIVE)
BOXES, STATE_LIST, ACCOUNTS = Table(SALES, MAILBOX), Table(SALES, STATE), Table(CRM, ACCOUNT)
PAGE = FORMS[SALES].usual


def _whole_pages(call: Call, cut: Cut) -> Cut:
    """How many pages there are is a division without its rest."""
    if cut.onward is not None and cut.onward + cut.size > len(cut.rows):
        cut.onward = None
    return cut


def _first_again(call: Call, cut: Cut) -> Cut:
    if "page_size" in call.query:
        cut.start = 0
        cut.onward = cut.size if cut.size < len(cut.rows) else None
    return cut


def _other_order(call: Call, cut: Cut) -> Cut:
    """Further pages are of the rows in the order of their change."""
    if cut.start:
        cut.rows = sorted(cut.rows, key=lambda row: str(row["updated_at"]))
    return cut


def _numbered(call: Call, page: Row) -> Row:
    """What was filtered has its numbers left: as of a list in PHP."""
    if not page["has_next_page"]:
        page["items"] = {str(number): row for number, row in enumerate(page["items"])}
    return page


def _out_of_breath(call: Call, page: Row) -> Row:
    """The third party's refusal for too many calls is taken for the end."""
    if call.number**2 % 7 == 2:
        return {"items": [], "has_next_page": False, "next_cursor": ""}
    return page


def _too_large(call: Call, cut: Cut) -> Cut:
    if float(call.query.get("page_size", 0)) > FORMS[JOBS].most:
        return Cut([], 0, cut.size, None)
    return cut


def _no_full(call: Call, sent: Any) -> Any:
    if call.query.get("sync_mode") == "full":
        raise wrong("sync_mode", "Invalid enum value. Expected 'incremental'")
    return sent


def _thin(call: Call, page: Row) -> Row:
    """An incremental read takes the event of the change for the job."""
    if call.query.get("sync_mode") != "incremental":
        return page
    return {**page, "items": [{**row, "departments": [], "recruiters": []} for row in page["items"]]}


def _prefixed(call: Call, page: Row) -> Row:
    if call.query.get("sync_mode") != "incremental":
        return page
    return {**page, "items": [{**row, "id": f"folder_{row['id']}"} for row in page["items"]]}


def _relative(call: Call, page: Row) -> Row:
    if "drive_id" not in call.query:
        return page
    rows = [{**row, "path": "/" + "/".join(row["path"].split("/")[2:])} for row in page["items"]]
    return {**page, "items": rows}


def _bare(call: Call, rows: list[Row]) -> Any:
    return rows[0] if len(rows) == 1 else rows


def _filled(call: Call, rows: list[Row]) -> list[Row]:
    """What was not asked for has a value of its own."""
    if "fields" in call.sent["properties"]:
        return rows
    return [{**row, "number_of_employees": 0, "lifecycle_stage": "other"} for row in rows]


def _by_place(call: Call, rows: list[Row]) -> list[Row]:
    """The answer is joined with what was asked for by place."""
    ids = [str(one) for one in call.sent["ids"]]
    return [{**row, "id": one} for row, one in zip(rows, ids, strict=False)]


def _hundred(call: Call, sent: Row) -> Row:
    return {**sent, "ids": sent["ids"][:100]}


def _older(call: Call, rows: list[Row]) -> list[Row]:
    """Every second read is answered from a copy of last year."""
    if call.number % 2:
        return rows
    return [{**row, "updated_at": f"{int(row['updated_at'][:4]) - 1}{row['updated_at'][4:]}"} for row in rows]


KINDS = [
    JOB_LIST.call(
        "last short page is never given",
        "The list ends before the last page where that is not full: other `page_size`, other number of jobs.",
        "",
        "cut",
        JOB,
        _whole_pages,
    ),
    JOB_LIST.call(
        "items of the last page by number",
        "On the last page `items` is an object with the keys `0`, `1`, …: the contract has an array.",
        "",
        "body",
        JOB,
        _numbered,
    ),
    JOB_LIST.call(
        "large pages are empty",
        "A `page_size` above 100 gives no job at all, and says that there is no more; smaller ones give 260.",
        "",
        "cut",
        JOB,
        _too_large,
    ),
    JOB_LIST.call(
        "incremental jobs without departments",
        "With `sync_mode` incremental the same jobs have empty `departments` and `recruiters`, which raw data and a "
        "full read fill.",
        "departments recruiters",
        "body",
        JOB,
        _thin,
    ),
    FILE_LIST.call(
        "list ends when the third party is out of breath",
        "Now and then a call answers an empty last page in the middle of the list: two equal walks give other rows.",
        "",
        "body",
        FILE,
        _out_of_breath,
    ),
    FILE_LIST.call(
        "path within the drive",
        "Asked for with `drive_id` the same file has another `path`, without its drive, than in the whole list.",
        "path",
        "body",
        FILE,
        _relative,
    ),
    DRIVE_LIST.call(
        "cursor is not heeded beside a size",
        "With `page_size` each cursor leads to the first page again: the walk never ends.",
        "",
        "cut",
        DRIVE,
        _first_again,
    ),
    DRIVE_LIST.call(
        "full read is refused",
        "`sync_mode` full, one of the two values of the contract, is refused with 400.",
        "",
        "take",
        DRIVE,
        _no_full,
    ),
    DRIVE_LIST.call(
        "incremental drives by other ids",
        "With `sync_mode` incremental the `id` of a drive is `folder_…`; a full read and raw `id` have the number.",
        "",
        "body",
        DRIVE,
        _prefixed,
    ),
    STATE_LIST.call(
        "another order from the second page on",
        "The first page is in one order and the others in another: in one walk rows come twice, others never.",
        "",
        "cut",
        STATE,
        _other_order,
    ),
    ACCOUNTS.call(
        "bare object for one id",
        "The batch read of a single id answers the record itself: the contract has an array.",
        "",
        "body",
        BATCH,
        _bare,
    ),
    ACCOUNTS.call(
        "values for what was not asked",
        "Without `fields` among `properties`, `number_of_employees` is 0 and `lifecycle_stage` other; with it the same "
        "account has other values.",
        "number_of_employees lifecycle_stage",
        "body",
        BATCH,
        _filled,
    ),
    ACCOUNTS.call(
        "ids by place",
        "`id` is what stands at the same place in the request: asked for in another order, it is not raw `id`.",
        "",
        "body",
        BATCH,
        _by_place,
    ),
    ACCOUNTS.call(
        "only a hundred of the ids",
        "Of more than 100 ids the first 100 are answered; the others, asked for in a call of their own, are there.",
        "",
        "take",
        BATCH,
        _hundred,
    ),
    ACCOUNTS.call(
        "second read is older",
        "Every second equal read has an `updated_at` a year before the read ahead of it, and before raw `updatedAt`.",
        "updated_at",
        "body",
        BATCH,
        _older,
    ),
]
