"""What real third parties show and the contract allows: none of it fails, and next to nothing is suspect.

Each oddity is served alone, then all that fit one list together.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from explorer.quality.engine.check import Run, Verdict
from tests.flow.listed import Listed, Serving, bad, serving
from tests.recording import Reply

Row = dict[str, Any]
JOB, FILE, DRIVE = "ats/job", "file-storage/file", "file-storage/drive"
MAILBOX, STATE = "sales-engagement/mailbox", "sales-engagement/sequence_state"
COUNT = 45


@pytest.fixture(scope="module")
def service() -> Iterator[Serving]:
    with serving() as made:
        yield made


# ---------------------------------------------------------------- lists with nothing odd


def day(number: int, month: int = 2) -> str:
    return f"2024-{month:02}-{number % 28 + 1:02}T0{number % 10}:00:00Z"


def plain(key: str, number: int) -> Row:
    """A record with nothing odd, and where its values come from."""
    raw: Row = {"key": f"k{number}", "made": day(number, 1), "touched": day(number), "kind": "thing"}
    row: Row = {"id": raw["key"], "created_at": raw["made"]}
    row["modified_at" if key == JOB else "updated_at"] = raw["touched"]
    if key in (JOB, FILE, DRIVE):
        row["name"] = raw["title"] = f"Number {number} of all"
    if key == FILE:
        raw |= {"bytes": 100 + number, "where": f"/a/{number}", "about": f"About number {number}"}
        row |= {"type": "file", "mime_type": "text/plain", "size": raw["bytes"], "path": raw["where"]}
        row |= {"downloadable": True, "exportable": False, "description": raw["about"]}
        row |= {"permissions": {"download": True}, "export_formats": []}
    if key == MAILBOX:
        row["email"] = raw["address"] = f"person.{number}@mail.example"
    if key == STATE:
        row |= {"state": "active", "contact_id": f"c{number}", "sequence_id": "s1", "is_deleted": False}
        raw |= {"contact": row["contact_id"], "status": "active"}
    return {**row, "raw_data": raw}


def listed(key: str, of_row: Callable[[Row, int], Row] | None = None, **more: Any) -> Listed:
    rows = [plain(key, number) for number in range(COUNT)]
    return Listed(key, [of_row(row, n) if of_row else row for n, row in enumerate(rows)], **more)


def both(row: Row, name: str, raw: str, value: Any, source: Any = ...) -> Row:
    """A value that the third party has as well."""
    there = value if source is ... else source
    return {**row, name: value, "raw_data": {**row["raw_data"], raw: there}}


def some(change: Callable[[Row, int], Row], step: int = 9) -> Callable[[Row, int], Row]:
    """In one record of a few."""
    return lambda row, number: change(row, number) if number % step == 4 else row


# ---------------------------------------------------------------- in the records


def nest(depth: int) -> Any:
    value: Any = "ground"
    for _ in range(depth):
        value = {"in": [value]}
    return value


def tombstone(row: Row, number: int) -> Row:
    return {"id": row["id"], "is_deleted": True, "raw_data": {"key": row["id"], "removed": True}}


def retyped(value: Any) -> Callable[[Row, int], Row]:
    return lambda row, number: {**row, "raw_data": value}


ZWJ = "👨‍👩‍👧‍👦 \u2067שלום\u2069 é \u00a0soft\u00adhyphen\u200b\x0b 𝒳 &amp; <b>“q”</b> "
Change = Callable[[Row, int], Row]
RECORDS: dict[str, tuple[str, Change]] = {
    "properties beyond the contract": (
        FILE,
        lambda r, n: {**r, "owner": {"id": n}, "_links": [], "ETag": None, "": 1},
    ),
    "a media type that is the third party's own, against the ending": (
        FILE,
        some(lambda r, n: both({**both(r, "name", "title", "plan.png")}, "mime_type", "kind", "text/csv")),
    ),
    "a property beyond it that is part of the name": (JOB, lambda r, n: {**r, "tag": r["name"][:9]}),
    "properties beyond it in an inner record": (
        FILE,
        lambda r, n: {**r, "permissions": {"download": True, "share": 1}},
    ),
    "nulls in a file": (
        FILE,
        some(
            lambda r, n: (
                {**r, **dict.fromkeys(("description", "path", "mime_type", "size", "export_formats"))}
                | {
                    "raw_data": {
                        "key": r["id"],
                        "title": r["name"],
                        "made": r["created_at"],
                        "touched": r["updated_at"],
                    }
                }
            )
        ),
    ),
    "nulls in a drive": (
        DRIVE,
        lambda r, n: {
            **r,
            "description": None,
            "updated_at": None,
            "created_at": None,
            "raw_data": {"key": r["id"], "title": r["name"]},
        },
    ),
    "nulls in departments": (
        JOB,
        lambda r, n: {
            **r,
            "offices": None,
            "recruiters": None,
            "hiring_managers": None,
            "departments": [
                dict.fromkeys(("id", "name", "parent_id", "child_ids", "raw_data", "created_at"))
            ],
        },
    ),
    "no raw data": (JOB, lambda r, n: {k: v for k, v in r.items() if k != "raw_data"}),
    "raw data that is null": (FILE, retyped(None)),
    "raw data that is text": (DRIVE, retyped('<drive name="x"/>')),
    "raw data that is an array": (FILE, retyped([1, "two", None])),
    "deep raw data": (JOB, lambda r, n: {**r, "raw_data": {**r["raw_data"], "tree": nest(200)}}),
    "huge raw data": (
        JOB,
        some(lambda r, n: {**r, "raw_data": {**r["raw_data"], "blob": "QUJD" * 60_000}}, 20),
    ),
    "epoch milliseconds as text": (
        FILE,
        lambda r, n: both(
            both(r, "created_at", "made", str(1704067200000 + n * 1000), 1704067200 + n),
            "updated_at",
            "touched",
            str(1714067200000 + n * 1000),
            1714067200 + n,
        ),
    ),
    "a database's dates": (
        STATE,
        lambda r, n: both(
            both(r, "created_at", "made", f"2024-01-02 03:04:{n % 60:02}"),
            "updated_at",
            "touched",
            f"2024-02-02 03:04:{n % 60:02}",
        ),
    ),
    "dates of mail": (
        JOB,
        lambda r, n: both(
            both(r, "created_at", "made", f"Tue, 02 Jan 2024 03:04:{n % 60:02} GMT"),
            "modified_at",
            "touched",
            f"Sat, 03 Feb 2024 03:04:{n % 60:02} +0000",
        ),
    ),
    "dates of .NET, and no raw data": (
        JOB,
        lambda r, n: {"id": r["id"], "name": r["name"], "created_at": f"/Date({1704067200000 + n})/"},
    ),
    "dates of days alone beside moments": (
        FILE,
        lambda r, n: both(r, "updated_at", "touched", r["created_at"][:10]),
    ),
    "a date that the third party never set": (
        DRIVE,
        some(lambda r, n: both(r, "updated_at", "touched", "0000-00-00 00:00:00")),
    ),
    "absent dates as empty text": (FILE, some(lambda r, n: both(r, "updated_at", "touched", "", None))),
    "absent texts as empty text": (JOB, some(lambda r, n: both(r, "name", "title", "", None))),
    "files older than their place": (
        FILE,
        some(lambda r, n: both(r, "updated_at", "touched", "2011-06-07T08:09:10Z"), 2),
    ),
    "changed a moment before it was made": (
        JOB,
        lambda r, n: both(
            both(r, "created_at", "made", "2024-01-01T00:00:00.900Z"),
            "modified_at",
            "touched",
            "2024-01-01T00:00:00.100Z",
        ),
    ),
    "texts of every script": (JOB, lambda r, n: both(r, "name", "title", f"{ZWJ}{n}")),
    "texts of lines, tabs and markup": (
        FILE,
        lambda r, n: both(r, "description", "about", f"=1+{n}\r\n\t<script>{n}</script>\f"),
    ),
    "a text with a control character of the third party's": (
        FILE,
        some(lambda r, n: both(r, "name", "title", f"a\x00b\x1b{n}")),
    ),
    "long texts": (FILE, some(lambda r, n: both(r, "description", "about", f"{n} " * 40_000), 20)),
    "kinds of file of its own": (
        FILE,
        lambda r, n: {**r, "type": ("shortcut", "notebook", "FOLDER", "file")[n % 4]},
    ),
    "media types of its own": (
        FILE,
        lambda r, n: {**r, "mime_type": ("application/x-unknown; charset=binary", "?", "TEXT")[n % 3]},
    ),
    "states of its own": (
        STATE,
        lambda r, n: both(r, "state", "status", ("Aktiv", "PAUSED ", "true", "", "1")[n % 5] or "·"),
    ),
    "sizes with a point, of nothing and of no file": (
        FILE,
        lambda r, n: both(r, "size", "bytes", (1.0, 0, -1, 2.5e9, 2**53)[n % 5]),
    ),
    "addresses as people wrote them": (
        MAILBOX,
        lambda r, n: both(
            r,
            "email",
            "address",
            (
                f"Jo {n} <jo{n}@x.example>",
                f"jo{n}@münchen.example",
                f"o'hara+{n}@a.b.example",
                "n/a",
                f"/o=ex/cn={n}",
            )[n % 5],
        ),
    ),
    "ids of any form": (
        FILE,
        lambda r, n: both(
            r,
            "id",
            "key",
            (
                f"00{n}",
                f"a/b c?{n}&",
                f"🗂{n}",
                "x" * 900 + str(n),
                f"{{{n}-ABCD}}",
                f"Ab{n}" if n % 2 else f"aB{n - 1}",
            )[n % 6],
        ),
    ),
    "removed records with hardly a field": (STATE, some(tombstone)),
    "records that say the same but for their ids": (
        FILE,
        lambda r, n: {
            **plain(FILE, 3),
            "id": r["id"],
            "raw_data": {**plain(FILE, 3)["raw_data"], "key": r["id"]},
        },
    ),
    "fields that few records have": (
        FILE,
        lambda r, n: (
            r
            if n % 15 == 7
            else {"id": r["id"], "name": r["name"], "raw_data": {"key": r["id"], "title": r["name"]}}
        ),
    ),
    "empty arrays and objects": (
        JOB,
        lambda r, n: {**r, "departments": [], "offices": [{}], "recruiters": [], "hiring_managers": {}},
    ),
    "texts that look like other types": (
        JOB,
        lambda r, n: both(r, "name", "title", ("007", "true", "null", "1e5", "[]")[n % 5] + f" {n}"),
    ),
}


@pytest.mark.parametrize("name", RECORDS)
def test_nothing_of_it_fails(service: Serving, name: str) -> None:
    key, change = RECORDS[name]
    run = service.run(listed(key, change))
    assert _held(run) == []


# ---------------------------------------------------------------- in bytes, HTTP and envelopes

Wire = Callable[[int, Row], Any]


def body_of(page: Row) -> bytes:
    return json.dumps(page, ensure_ascii=False).encode()


def kind(text: str) -> Wire:
    return lambda number, page: Reply(body=body_of(page), headers=(("content-type", text),))


def shouted(number: int, page: Row) -> Reply:
    return Reply(
        body=body_of(page), headers=(("CONTENT-TYPE", "Application/JSON; Charset=UTF-8"), ("x-ODD", "ü"))
    )


def packed(number: int, page: Row) -> Reply:
    return Reply(
        body=gzip.compress(body_of(page)),
        headers=(("content-type", "application/json"), ("Content-Encoding", "gzip")),
    )


def chunked(number: int, page: Row) -> Reply:
    body = body_of(page)
    pieces = [body[at : at + 700] for at in range(0, len(body), 700)]
    chunks = b"".join(b"%x;ext=1\r\n%s\r\n" % (len(piece), piece) for piece in pieces)
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    return Reply(raw=head + chunks + b"0\r\nx-trailer: 1\r\n\r\n")


def escaped(number: int, page: Row) -> Reply:
    return Reply(body=json.dumps(page).replace("/", "\\/").encode())


def turned(number: int, page: Row) -> Row:
    """The keys in another order, of the envelope and of every second record."""
    rows = [dict(reversed(row.items())) if at % 2 else row for at, row in enumerate(page["items"])]
    return dict(reversed({**page, "items": rows}.items()))


@dataclass
class Once:
    """The first attempt at some pages is answered in another way."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    pages: frozenset[int] = frozenset({2})
    had: set[int] = field(default_factory=set)

    def __call__(self, number: int, page: Row) -> Any:
        if number not in self.pages or number in self.had:
            return page
        self.had.add(number)
        return Reply(self.status, b"", (("Retry-After", "0"), *self.headers))


WIRE: dict[str, Callable[[], Wire]] = {
    "a character set": lambda: kind("application/json; charset=utf-8"),
    "a vendor's JSON": lambda: kind("application/vnd.api+json"),
    "problem+json": lambda: kind("application/problem+json"),
    "text/json": lambda: kind("text/json"),
    "headers in odd case": lambda: shouted,
    "a packed body": lambda: packed,
    "a body in chunks": lambda: chunked,
    "everything escaped": lambda: escaped,
    "keys in another order": lambda: turned,
    "more in the envelope": lambda: (
        lambda n, page: {
            **page,
            "total": 45.0,
            "request_id": f"r{n}",
            "next_page_cursor": None,
            "warnings": [],
        }
    ),
    "asked to wait once": lambda: Once(429),
    "asked to wait on every page": lambda: Once(429, pages=frozenset(range(1, 9))),
    "out of service once": lambda: Once(503),
    "a gateway that failed once": lambda: Once(502),
    "a cursor on the last page": lambda: (
        lambda n, page: {**page, "next_cursor": page["next_cursor"] or "c90-10"}
    ),
    "spaces around the body": lambda: lambda n, page: Reply(body=b"\r\n \t" + body_of(page) + b"\n\n"),
}


@pytest.mark.parametrize("name", WIRE)
def test_nothing_of_its_bytes_fails(service: Serving, name: str) -> None:
    change = RECORDS["texts of every script"][1]
    run = service.run(listed(JOB, change, change=WIRE[name]()))
    assert _held(run) == []


LISTS: dict[str, Listed] = {
    "cursors of any characters": listed(JOB, prefix='é&=+ %/"\\\U0001f600' * 90),
    "an end that is absent": listed(STATE, end=...),
    "an end of empty text": listed(JOB, end=""),
    "an empty page after the last": listed(JOB, empty_last=True),
    "one record": replace(listed(FILE), rows=[plain(FILE, 1)]),
    "no record": replace(listed(FILE), rows=[]),
}


@pytest.mark.parametrize("name", LISTS)
def test_nothing_of_its_paging_fails(service: Serving, name: str) -> None:
    assert _held(service.run(LISTS[name])) == []


@pytest.mark.parametrize("key", [JOB, FILE, DRIVE, MAILBOX, STATE])
def test_all_that_one_list_can_show_together(service: Serving, key: str) -> None:
    """Record by record another oddity: what most records are like is not what these are like."""
    alone = (
        "raw data that is null",
        "raw data that is text",
        "raw data that is an array",
        "no raw data",
        "dates of .NET, and no raw data",
    )
    changes = [one for name, (of, one) in RECORDS.items() if of == key and name not in alone]

    def change(row: Row, number: int) -> Row:
        return changes[number % len(changes)](row, number)

    wire = Once(429, pages=frozenset({1, 3})) if key == JOB else None
    run = service.run(listed(key, change, change=wire))
    fails = [(one.check.id, one.seen) for one in run.bad if one.verdict is Verdict.FAILS]
    assert fails == []
    assert len(run.bad) <= 1, [(one.check.id, one.findings[:2]) for one in run.bad]


def _held(run: Run) -> list[tuple[str, Verdict, str, Any]]:
    assert not run.stopped
    assert {one.check.id for one in run.undone} == set()
    return [(one.check.id, one.verdict, one.seen, one.findings[:1]) for one in run.bad]


def test_what_is_broken_beside_it_still_fails(service: Serving) -> None:
    """The service of these tests is one on which findings are made."""
    change = some(lambda row, number: {**row, "name": 5, "created_at": "x"})
    assert ("records.types", "a number") in bad(service.run(listed(JOB, change)))
