"""Services without a defect: thirteen that differ in all that the contract leaves open, and oddities that are legal."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.exam.mapping import Json
from tests.exam.service import Wire
from tests.exam.shapes import SHAPES
from tests.exam.shapes_files import google, sharepoint
from tests.exam.shapes_jobs import greenhouse, lever
from tests.exam.shapes_sales import outreach, salesforce
from tests.exam.world import World, given, remade

Make = Callable[[Random], World]
PLAIN = Wire()


@dataclass(frozen=True, slots=True)
class Clean:
    """A service of which nothing may be said."""

    name: str
    make: Make
    wire: Wire = PLAIN
    shape: str = ""
    """The plain service that it is compared with; empty for a service of its own."""

    def world(self, seed: int) -> World:
        return self.make(Random(f"{self.shape or self.name} {seed}"))


def _raw(make: Make, name: str, change: Callable[[int, Json], object]) -> Make:
    return lambda rng: remade(make(rng), name, change)


def _body(make: Make, name: str, change: Callable[[int, Json], object]) -> Make:
    return lambda rng: given(make(rng), name, change)


def _set(**values: Any) -> Callable[[int, Json], object]:
    return lambda number, record: record.update(deepcopy(values))


def _newest_first(make: Make, name: str, by: str) -> Make:
    def turned(rng: Random) -> World:
        world = make(rng)
        world.listing(name).rows.sort(key=lambda row: str(row.body[by]), reverse=True)
        return world

    return turned


def _japanese(number: int, raw: Json) -> None:
    raw["name"] = ("経理担当", "営業企画（東京）", "データサイエンティスト", "ﾊﾟｰﾄ事務")[number % 4] + "　" * (
        number % 2
    )
    raw["notes"] = "募集要項は別紙を参照してください。"


def _arabic(number: int, raw: Json) -> None:
    raw["name"] = f"عقد رقم {number}.pdf"
    raw["description"] = "\u200fملف مشترك مع الفريق"


def _database_dates(number: int, raw: Json) -> None:
    for name in ("created_at", "updated_at", "opened_at"):
        raw[name] = raw[name].replace("T", " ").replace("Z", "+00")


def _epoch(number: int, body: Json) -> None:
    body["created_at"], body["modified_at"] = (
        str(body["raw_data"]["createdAt"]),
        str(body["raw_data"]["updatedAt"]),
    )


def _address_as_id(number: int, raw: Json) -> None:
    raw["id"] = f"https://jobs.third.example/o/42/postings/{number:05d}?v=1&x=%2F"


def _numbers_as_ids(number: int, raw: Json) -> None:
    raw["id"] = f"{number:012d}"


def _without_raw(number: int, body: Json) -> None:
    del body["raw_data"]


def _further_fields(number: int, body: Json) -> None:
    body |= {
        "remote_url": f"https://x.example/{number}",
        "_meta": {"version": 3, "tags": []},
        "url": None,
        "custom": [1, "b"],
    }


SERVICES = (
    Clean(
        "700 jobs, pages of 100, numbers as cursors",
        lambda rng: greenhouse(rng, 700),
        Wire(100, 500, True, "number", "empty"),
    ),
    Clean("no jobs at all", lambda rng: greenhouse(rng, 0), Wire(end="absent")),
    Clean("one job, no mark of the end", lambda rng: lever(rng, 1), Wire(end="absent", header=True)),
    Clean("three jobs in pages of two", lambda rng: lever(rng, 3), Wire(2, 2, True, "odd")),
    Clean(
        "50 files and three drives, the last page full, an empty one after it",
        lambda rng: google(rng, 50, 3),
        Wire(25, 25, False, "address", empty_last=True),
    ),
    Clean(
        "files in Arabic, drives without raw data, page_size without effect",
        _body(_raw(lambda rng: google(rng, 180), "file", _arabic), "drive", _without_raw),
        Wire(64, honours=False),
    ),
    Clean("SharePoint in pages of seven at most", lambda rng: sharepoint(rng, 60, 15), Wire(7, 7)),
    Clean(
        "SharePoint with escapes, indents and long cursors",
        lambda rng: sharepoint(rng, 200),
        Wire(cursor="long", ascii=True, indent=2),
    ),
    Clean(
        "Outreach, the latest first, the connection in a header",
        _newest_first(
            _newest_first(lambda rng: outreach(rng, 50, 300), "mailbox", "updated_at"),
            "sequence_state",
            "updated_at",
        ),
        Wire(100, end="empty", header=True, cursor="number"),
    ),
    Clean(
        "Outreach with 700 states in pages of uneven length",
        lambda rng: outreach(rng, 60, 700),
        Wire(ragged=(90, 3, 0, 140)),
    ),
    Clean("Salesforce with nulls left out", lambda rng: salesforce(rng), Wire(absent_nulls=True)),
    Clean(
        "jobs in Japanese with further fields, incremental gives the recent ones only",
        _body(_raw(lambda rng: greenhouse(rng, 120), "job", _japanese), "job", _further_fields),
        Wire(recent_only=True, end="absent"),
    ),
    Clean(
        "jobs with milliseconds as dates and addresses as ids",
        _body(_raw(lambda rng: lever(rng, 90), "job", _address_as_id), "job", _epoch),
        Wire(30, cursor="long"),
    ),
)


def _bare_department(number: int, raw: Json) -> None:
    if number % 9 == 0:
        raw["departments"] = [
            {"id": None, "name": None, "child_ids": [], "child_department_external_ids": []}
        ]


def _copied_file(number: int, raw: Json) -> None:
    if number % 5 == 0:
        raw["createdTime"], raw["modifiedTime"] = raw["modifiedTime"], raw["createdTime"]


def _twins(number: int, raw: Json) -> None:
    if number in (10, 11):
        keep = raw["id"]
        raw |= {**_TWIN, "id": keep}


_TWIN: Json = {
    "name": "Barista",
    "requisition_id": None,
    "created_at": "2023-05-01T08:00:00.000Z",
    "updated_at": "2023-05-02T08:00:00.000Z",
    "opened_at": "2023-05-01T09:00:00.000Z",
    "offices": [],
    "notes": None,
}


def _never_changed(number: int, raw: Json) -> None:
    raw["attributes"]["updatedAt"] = raw["attributes"]["createdAt"]


def _sizes(number: int, raw: Json) -> None:
    if "size" in raw:
        raw["size"] = str((0, 0, 9 * 10**15, 1)[number % 4])


NAMES = (
    "null",
    "None",
    "[object Object]",
    "R&amp;D manager",
    "MÃ¼nchen office lead",
    "  leading and trailing  ",
    "two\nlines",
    "👩‍🚀 Astronaut 🚀",
    "\u202eright to left",
    "x" * 2000,
    "100%25 remote",
    '\\u00e9 "quoted"',
    "N/A",
    "12345",
    "true",
    "2023-01-05T00:00:00Z",
)


def _odd_names(number: int, raw: Json) -> None:
    if number < len(NAMES):
        raw["name"] = NAMES[number]


def _nobody(number: int, raw: Json) -> None:
    raw |= {"departments": [], "offices": [], "hiring_team": {"hiring_managers": [], "recruiters": []}}


def _any_managers(number: int, body: Json) -> None:
    managers = body["hiring_managers"]
    body["hiring_managers"] = (
        {"ids": [one["id"] for one in managers], "count": len(managers)} if managers else None
    )


def _gone_mailbox(number: int, raw: Json) -> None:
    if number == 77:
        raw["relationships"]["mailbox"]["data"]["id"] = 999_123


def _one_user(number: int, raw: Json) -> None:
    raw["attributes"]["userId"] = 7
    raw["relationships"]["user"]["data"]["id"] = 7


def _odd_ids(number: int, raw: Json) -> None:
    raw["id"] = (f"a/b {number}%20?x", f"id:{number};v=1", f"ключ-{number}", f"{number}")[number % 4]


def _old_and_new(number: int, raw: Json) -> None:
    if number == 3:
        raw |= {"createdDateTime": "1985-06-01T00:00:00Z", "lastModifiedDateTime": "1985-06-01T00:00:00Z"}
    if number == 4:
        raw["lastModifiedDateTime"] = "2031-01-01T00:00:00Z"


def _free_states(number: int, raw: Json) -> None:
    raw["attributes"]["state"] = ("Step 3: waiting", "已暂停", "ACTIVE", "active ", "", "null")[number % 6]


def _empty_descriptions(number: int, body: Json) -> None:
    body["description"] = body["description"] or ""


def _decimal_size(number: int, body: Json) -> None:
    if body["size"] is not None:
        body["size"] = float(body["size"])


def _reversed_keys(number: int, body: Json) -> None:
    items = list(body.items())[::-1]
    body.clear()
    body.update(items)


def _no_places(number: int, raw: Json) -> None:
    for name in raw:
        if name.startswith(("Billing", "Shipping")) or name in ("Phone", "Fax"):
            raw[name] = None


def _no_arrays(number: int, body: Json) -> None:
    body["addresses"] = body["addresses"] or None
    body["phone_numbers"] = body["phone_numbers"] or None


def _with_nulls(make: Make) -> Make:
    return lambda rng: replace(make(rng), absent_nulls=False)


def _null_parents(number: int, body: Json) -> None:
    for one in body["departments"]:
        one.setdefault("parent_id", None)
        one.setdefault("parent_department_external_id", None)


def _odd(
    name: str, shape: str, change: Callable[[Make], Make] = lambda make: make, wire: Wire = PLAIN
) -> Clean:
    return Clean(name, change(SHAPES[shape].make), wire, shape)


def _in_raw(name: str, shape: str, listed: str, change: Callable[[int, Json], object]) -> Clean:
    return _odd(name, shape, lambda make: _raw(make, listed, change))


def _in_body(name: str, shape: str, listed: str, change: Callable[[int, Json], object]) -> Clean:
    return _odd(name, shape, lambda make: _body(make, listed, change))


ODDITIES = (
    _in_raw("departments without id and name", "greenhouse", "job", _bare_department),
    _in_raw(
        "files that were changed before they were created, as copies are", "google", "file", _copied_file
    ),
    _in_body("dates are milliseconds as text", "lever", "job", _epoch),
    _in_raw("dates in a database's form", "greenhouse", "job", _database_dates),
    _odd("a full last page is followed by an empty one", "google", wire=Wire(60, 60, empty_last=True)),
    _odd("empty pages in the middle", "outreach", wire=Wire(ragged=(40, 0, 0, 75))),
    _odd("cursors of three thousand characters", "greenhouse", wire=Wire(cursor="long")),
    _odd("cursors of odd characters", "lever", wire=Wire(cursor="odd")),
    _odd("page_size has no effect", "sharepoint", wire=Wire(honours=False)),
    _odd("pages of nine at most", "lever", wire=Wire(most=9)),
    _odd("incremental gives the recent ones only", "google", wire=Wire(recent_only=True)),
    _odd("JSON with escapes and indents", "greenhouse", wire=Wire(ascii=True, indent=1)),
    _odd("fields of files that the third party lacks are null in Google Drive", "google", _with_nulls),
    _odd("fields of files that the third party lacks are null in SharePoint", "sharepoint", _with_nulls),
    _in_body("departments have null where the third party has it", "greenhouse", "job", _null_parents),
    _odd("a record appears at the head while the list is read", "greenhouse", wire=Wire(grows_after=9)),
    _in_body("fields that are not declared", "google", "file", _further_fields),
    _in_raw("two jobs that are alike but for the id", "greenhouse", "job", _twins),
    _in_raw("no sequence state was ever changed", "outreach", "sequence_state", _never_changed),
    _in_raw("no job is confidential", "lever", "job", _set(confidentiality="non-confidential")),
    _in_raw("sizes of zero and of nine petabytes", "google", "file", _sizes),
    _in_raw("names that look damaged and are not", "greenhouse", "job", _odd_names),
    _in_raw("jobs without departments, offices and people", "greenhouse", "job", _nobody),
    _in_body("hiring managers are an object or null", "greenhouse", "job", _any_managers),
    _in_body("drives without raw data", "google", "drive", _without_raw),
    _in_raw(
        "a sequence state of a mailbox that is not listed any more",
        "outreach",
        "sequence_state",
        _gone_mailbox,
    ),
    _in_raw("all mailboxes belong to one user", "outreach", "mailbox", _one_user),
    _in_raw("ids with slashes, blanks and other scripts", "lever", "job", _odd_ids),
    _in_raw("ids that look like numbers with leading zeros", "lever", "job", _numbers_as_ids),
    _in_raw("a file of 1985 and one of the future", "sharepoint", "file", _old_and_new),
    _in_raw("states in free words", "outreach", "sequence_state", _free_states),
    _in_body("missing descriptions are empty texts", "google", "file", _empty_descriptions),
    _in_body("sizes are written as decimal numbers", "sharepoint", "file", _decimal_size),
    _in_body("keys in another order", "outreach", "mailbox", _reversed_keys),
    _odd(
        "accounts without addresses and phones, null instead of arrays",
        "salesforce",
        lambda make: _body(_raw(make, "account", _no_places), "account", _no_arrays),
    ),
)
