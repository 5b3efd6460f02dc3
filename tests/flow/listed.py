"""One list served by a plain server, as a test describes it, and a quality run on it: no sandbox, no store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from tests.mutations.trial import Asker
from tests.recording import Got, Recording, Reply, reply

KEY, CONNECTION = "test-key-0123456789", "conn_listed"
FLAGGED = ("ats/job", "file-storage/file", "file-storage/drive")


@dataclass
class Listed:
    """What is served: rows, how they are cut into pages, and how the last one ends."""

    key: str = "ats/job"
    rows: Sequence[Any] = ()
    size: int = 10
    prefix: str = "c"
    """Of its cursors."""
    end: Any = None
    """The cursor of the last page; ``...`` leaves it out."""
    empty_last: bool = False
    pretty: bool = False
    change: Callable[[int, dict[str, Any]], Reply | dict[str, Any]] | None = None
    """What becomes of a page, by its number, and 0 for one that is no page of the plain walk."""
    refuses: str = ""
    """A parameter with which a call is refused."""
    invalid: Reply = field(
        default_factory=lambda: reply({"message": "no number", "code": "BAD_REQUEST"}, 400)
    )
    """The answer to a page size that is no number."""
    asked: list[dict[str, str]] = field(default_factory=list)

    def answer(self, got: Got) -> Reply:
        """One request, refused without the right key and connection."""
        target = urlsplit(got.target)
        query = dict(parse_qsl(target.query, keep_blank_values=True))
        if got.header("x-apikey") != KEY or got.header("x-connection-id") != CONNECTION:
            return reply({"message": "refused", "code": "UNAUTHORIZED"}, 401)
        if target.path != f"/v0/unified/{self.key}":
            return reply({"message": "nothing is here", "code": "NOT_FOUND"}, 404)
        self.asked.append(query)
        if self.refuses in query:
            return reply({"message": "no such parameter", "code": "BAD_REQUEST"}, 400)
        if not query.get("page_size", "1").isdecimal():
            return self.invalid
        number, body = self._page(query)
        if number < 0:
            return reply({"message": "no such cursor", "code": "BAD_REQUEST"}, 400)
        made = body if self.change is None else self.change(number, body)
        if isinstance(made, Reply):
            return made
        text = json.dumps(made, ensure_ascii=False, indent=2 if self.pretty else None)
        return Reply(body=text.encode("utf-8", "surrogatepass"))

    def _page(self, query: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        mode = query.get("sync_mode", "")
        rows = self.rows[::3] if mode == "incremental" else self.rows
        start, size = 0, int(query.get("page_size", self.size))
        if "cursor" in query:
            if not query["cursor"].startswith(self.prefix):
                return -1, {}
            start, size = map(int, query["cursor"].removeprefix(self.prefix).split("-"))
        after = start + size
        more = after < len(rows) or (self.empty_last and start < len(rows))
        body: dict[str, Any] = {"items": list(rows[start:after])}
        name = "next_cursor" if self.key in FLAGGED else "next_page_cursor"
        if more or self.end is not ...:
            body[name] = f"{self.prefix}{after}-{size}" if more else self.end
        if self.key in FLAGGED:
            body["has_next_page"] = more
        plain = not mode and size == self.size
        return (start // size + 1 if plain else 0), body


class Serving:
    """The server; what it serves may change between runs."""

    def __init__(self) -> None:
        self.listed = Listed()
        self._server = Recording(answering=lambda got: self.listed.answer(got))

    @property
    def url(self) -> str:
        """Where it listens."""
        return self._server.url

    def run(self, listed: Listed, **asked: Any) -> Run:
        """All checks on one list."""
        self.listed = listed
        self._server.got.clear()
        return asyncio.run(self._run(RunOptions(**{"resources": (listed.key,), **asked})))

    async def _run(self, asked: RunOptions) -> Run:
        credential = Credential(Auth.APIKEY, KEY)
        asker = Asker(Profile.sandbox(self._server.url).with_connection(CONNECTION), credential)
        try:
            return await QualityRun(asker, asked, credential=credential).whole()
        finally:
            await asker.aclose()


@contextmanager
def serving() -> Iterator[Serving]:
    """A server of one list at a time."""
    made = Serving()
    with made._server:
        yield made


def job(number: int, **fields: Any) -> dict[str, Any]:
    """A job with nothing wrong."""
    changed = f"2024-02-{number % 28 + 1:02}T00:00:00Z"
    raw = {
        "key": f"j{number}",
        "title": f"Job {number}",
        "created": "2024-01-01T00:00:00Z",
        "touched": changed,
    }
    made = {"id": f"j{number}", "name": f"Job {number}", "created_at": raw["created"], "modified_at": changed}
    return {**made, "confidential": False, "raw_data": raw, **fields}


def bad(run: Run) -> set[tuple[str, str]]:
    """What was found: checks and the rules of their findings."""
    return {(one.check.id, finding.rule) for one in run.bad for finding in one.findings} | {
        (one.check.id, "") for one in run.bad if not one.findings
    }
