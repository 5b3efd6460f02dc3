"""A service of the tests' own that loses records in the ways in which services do, changes its data at each
call, or is odd and legal: lists in memory, cut into pages in the way of some third party, over real HTTP.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from tests.mutations.trial import Asker
from tests.recording import Got, Recording, Reply, reply

KEY, CONNECTION = "test-key-0123456789", "conn_lossy"
JOBS, FILES, DRIVES = "ats/job", "file-storage/file", "file-storage/drive"
MAILBOXES, STATES = "sales-engagement/mailbox", "sales-engagement/sequence_state"
Row = dict[str, Any]
Query = Mapping[str, str]
WITHHELD = {"message": "Output validation failed", "code": "INTERNAL_SERVER_ERROR",
            "data": {"code": "INTERNAL_SERVER_ERROR", "httpStatus": 500, "path": "x"}}  # fmt: skip


class Refused(Exception):
    """Answered with 400 and these words."""


class Broken(Exception):
    """Answered with 500, as a page that does not fit."""


def moment(number: int) -> str:
    """A date that goes on with its number, an hour each."""
    day, hour = divmod(number, 24)
    month, day = divmod(day, 28)
    year, month = divmod(month, 12)
    return f"{2020 + year}-{month + 1:02}-{day + 1:02}T{hour:02}:00:00.000Z"


def row(key: str, number: int, **fields: Any) -> Row:
    """A sound record of a list."""
    made: Row = {"id": f"r{number}", "created_at": moment(number)}
    if key == JOBS:
        made |= {"name": f"Job {number}", "modified_at": moment(number + 50), "confidential": number % 2 == 0}
    elif key in (FILES, DRIVES):
        made |= {"name": f"File {number}.txt", "updated_at": moment(number + 50)}
        made |= {"type": "file"} if key == FILES else {}
    else:
        made |= {"updated_at": moment(number + 50), "user_id": f"u{number % 5}"}
        made |= {"email": f"m{number}@example.com"} if key == MAILBOXES else {"state": "active"}
    made |= fields
    raw = {"key": made["id"], "made": made["created_at"], "title": made.get("name", f"t{number}")}
    return {**made, "raw_data": raw}


def rows(key: str, count: int, **fields: Any) -> list[Row]:
    """So many of them, in the order of their making."""
    return [row(key, number, **fields) for number in range(1, count + 1)]


@dataclass
class Lossy:
    """Lists, and how they are served; the defaults are sound paging by offsets of 20 rows."""

    lists: dict[str, list[Row]]
    size: int = 20
    page: Callable[[Lossy, str, list[Row], Query], tuple[list[Row], str | None]] | None = None
    """Rows and next cursor of one page, in place of `offsets`."""
    select: Callable[[str, list[Row], Query], list[Row]] | None = None
    """The rows that a request means, in place of `chosen`."""
    change: Callable[[list[Row], int], None] | None = None
    """What becomes of the first list before each call, by the number of the call."""
    before: Callable[[Row, int], Row] | None = None
    """What becomes of each row that is sent, by the number of the call."""
    calls: int = 0
    asked: list[dict[str, str]] = field(default_factory=list)

    def answer(self, got: Got) -> Reply:
        """One request."""
        target = urlsplit(got.target)
        query = dict(parse_qsl(target.query, keep_blank_values=True))
        key = target.path.removeprefix("/v0/unified/")
        if got.header("x-apikey") != KEY or got.header("x-connection-id") != CONNECTION:
            return reply({"message": "refused", "code": "UNAUTHORIZED"}, 401)
        if key not in self.lists:
            return reply({"message": "No such operation", "code": "NOT_IMPLEMENTED",
                          "data": {"code": "NOT_IMPLEMENTED", "httpStatus": 501, "path": key}}, 501)  # fmt: skip
        self.calls += 1
        self.asked.append(query)
        if self.change is not None:
            self.change(next(iter(self.lists.values())), self.calls)
        try:
            found = (self.select or chosen)(key, self.lists[key], query)
            items, cursor = (self.page or offsets)(self, key, found, query)
        except (Refused, ValueError) as refused:
            return reply({"message": str(refused), "code": "BAD_REQUEST"}, 400)
        except Broken:
            return reply(WITHHELD, 500)
        sent = [self.before(one, self.calls) if self.before else one for one in items]
        sent = [{name: v for name, v in one.items() if not name.startswith("x_")} for one in sent]
        if key in (MAILBOXES, STATES):
            return Reply(body=json.dumps({"items": sent, "next_page_cursor": cursor}).encode())
        return Reply(
            body=json.dumps(
                {"items": sent, "has_next_page": cursor is not None, "next_cursor": cursor}
            ).encode()
        )


def chosen(key: str, found: list[Row], query: Query) -> list[Row]:
    """The filters as they are meant; an incremental list has what changed last."""
    for name in ("drive_id", "folder_id"):
        if name in query:
            found = [one for one in found if one.get(f"x_{name}") == query[name]]
    return found[len(found) // 2 :] if query.get("sync_mode") == "incremental" else found


def asked_size(lossy: Lossy, query: Query) -> int:
    return int(query["page_size"]) if "page_size" in query else lossy.size


def offsets(lossy: Lossy, key: str, found: list[Row], query: Query) -> tuple[list[Row], str | None]:
    """Paging by the number of rows before."""
    start, size = int(query.get("cursor", 0)), asked_size(lossy, query)
    after = start + size
    return found[start:after], str(after) if after < len(found) else None


def keyset(lossy: Lossy, key: str, found: list[Row], query: Query) -> tuple[list[Row], str | None]:
    """Paging by the last id, in the order of the list, wherever that row is by now."""
    size, last = asked_size(lossy, query), query.get("cursor", "")
    number = int(last.removeprefix("after-r") or 0) if last else 0
    behind = sorted((one for one in found if int(one["id"][1:]) > number), key=lambda one: int(one["id"][1:]))
    items = behind[:size]
    return items, f"after-{items[-1]['id']}" if len(behind) > size else None


def numbered(lossy: Lossy, key: str, found: list[Row], query: Query) -> tuple[list[Row], str | None]:
    """Paging by the number of the page, counted from 1."""
    number, size = int(query.get("cursor", 1)), asked_size(lossy, query)
    start = (number - 1) * size
    return found[start : start + size], str(number + 1) if start + size < len(found) else None


class Serving:
    """The server; what it serves may change between runs."""

    def __init__(self) -> None:
        self.lossy = Lossy({})
        self._server = Recording(answering=lambda got: self.lossy.answer(got))

    def run(self, lossy: Lossy, **asked: Any) -> Run:
        """All checks on its lists."""
        self.lossy = lossy
        self._server.got.clear()
        return asyncio.run(self._run(RunOptions(**{"resources": tuple(lossy.lists), **asked})))

    def run_in_parts(self, lossy: Lossy, *, calls: int, **asked: Any) -> Run:
        """The same, a few calls at a time."""
        self.lossy = lossy
        return asyncio.run(self._run(RunOptions(**{"resources": tuple(lossy.lists), **asked}), calls))

    async def _run(self, asked: RunOptions, calls: int | None = None) -> Run:
        credential = Credential(Auth.APIKEY, KEY)
        asker = Asker(Profile.sandbox(self._server.url).with_connection(CONNECTION), credential)
        try:
            run = QualityRun(asker, replace(asked, calls=calls or asked.calls), credential=credential)
            made = await run.whole()
            while calls is not None and made.stopped:
                made = await run.continued(calls=calls)
            return made
        finally:
            await asker.aclose()


@contextmanager
def serving() -> Iterator[Serving]:
    """A server for one module's tests."""
    made = Serving()
    with made._server:
        yield made


def shuffled(found: list[Row], seed: str) -> list[Row]:
    """The same rows in an order of their own."""
    made = list(found)
    random.Random(seed).shuffle(made)
    return made
