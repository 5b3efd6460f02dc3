"""A service on loopback in front of the sandbox: each of its connections has one defect and is clean otherwise.

It pages through lists by itself, with cursors of its own, and hands everything else on to the sandbox. It shares
nothing with explorer/quality.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit

import httpx

from explorer.sandbox.process import SandboxProcess
from tests.mutations.clean import ENVELOPE_A, LISTS, Slice

PREFIX = "conn_mutant_"
NARROWING = ("drive_id", "folder_id", "drive_group_id")
"""Parameters by which the sandbox's lists are narrowed."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page before it is written; a defect may change any of it."""

    key: str
    number: int
    """Counted from 1 within its walk."""
    last: bool
    items: list[bytes]
    """Each row's own bytes."""
    next: str | None
    """The cursor, or None at the end."""
    parts: dict[str, bytes] | None = None
    """The members of the envelope as JSON, in the place of the sound ones."""
    walk: int = 1
    """Which walk of the list this is: a request without a cursor begins a new one, whatever its page_size."""
    visit: int = 1
    """How often this very page was asked for, however it was come to."""
    size: int | None = None
    """The page_size that was asked for."""
    mode: str = ""

    @property
    def envelope(self) -> dict[str, bytes]:
        """The members as they are written."""
        if self.parts is not None:
            return self.parts
        items = b"[" + b",".join(self.items) + b"]"
        cursor = json.dumps(self.next).encode()
        if self.key in ENVELOPE_A:
            flag = b"false" if self.next is None else b"true"
            return {"items": items, "has_next_page": flag, "next_cursor": cursor}
        return {"items": items, "next_page_cursor": cursor}

    def with_part(self, name: str, value: bytes | None) -> Page:
        """Another value of one member; None leaves it out."""
        parts = dict(self.envelope)
        if value is None:
            parts.pop(name, None)
        else:
            parts[name] = value
        return replace(self, parts=parts)


@dataclass(frozen=True, slots=True)
class Reply:
    """What is answered."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": "application/json"})


@dataclass(frozen=True, slots=True)
class Sent:
    """A request as it came."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    """By lower name."""

    @property
    def json(self) -> Any:
        """Its body, read."""
        return json.loads(self.body)


@dataclass(slots=True)
class Defect:
    """One defect in one connection; what it does not say stays clean."""

    kind: str
    check: str
    """The check meant for it, by id."""
    resource: str
    data: Slice | None = None
    says: str = ""
    incremental: Callable[[list[bytes]], list[bytes]] | None = None
    page: Callable[[Page], Page] | None = None
    route: Callable[[int], int] | None = None
    """The page that a page's cursor leads to, by number, where it is another than the next."""
    body: Callable[[Page, bytes], bytes] | None = None
    reply: Callable[[Page, Reply], Reply] | None = None
    through: Callable[[Sent, Reply], Reply] | None = None
    """Of what the sandbox answered."""
    asked: dict[str, Any] = field(default_factory=dict)
    """What the run has to be told besides."""
    base: str = "conn_sandbox_clean"
    walks: Counter[str] = field(default_factory=Counter)
    visits: Counter[str] = field(default_factory=Counter)

    def answer(self, key: str, query: Mapping[str, str]) -> Reply:
        """A page of a list."""
        made = self._page(key, query)
        if made is None:
            text = {"message": "Invalid input", "code": "BAD_REQUEST", "data": {"code": "BAD_REQUEST"}}
            return Reply(400, json.dumps(text).encode())
        if self.page is not None and key == self.resource:
            made = self.page(made)
        parts = made.envelope
        body = b"{" + b",".join(json.dumps(name).encode() + b":" + v for name, v in parts.items()) + b"}"
        if "" in parts:
            body = parts[""]
        if self.body is not None and key == self.resource:
            body = self.body(made, body)
        reply = Reply(200, body)
        return self.reply(made, reply) if self.reply is not None and key == self.resource else reply

    def _page(self, key: str, query: Mapping[str, str]) -> Page | None:
        data = self.data
        assert data is not None
        rows = data.rows if key == data.key else data.beside.get(key, [])
        mode = query.get("sync_mode", "") if key in ENVELOPE_A else ""
        if mode == "incremental":
            rows = rows[3::7]
            rows = self.incremental(rows) if self.incremental is not None else rows
        narrowed = {name: query[name] for name in NARROWING if name in query}
        rows = [row for row in rows if all(_is_in(row, ident) for ident in narrowed.values())]
        sized = "page_size" in query and key in ENVELOPE_A
        if sized and not query["page_size"].isdecimal():
            return None
        asked = int(query["page_size"]) if sized else None
        if query.get("cursor", "").isdigit() and self.numbers:
            walk, (number, size) = 1, divmod(int(query["cursor"]), 1000)
        elif query.get("cursor"):
            if not query["cursor"].startswith("c~"):
                return None
            walk, number, size = map(int, query["cursor"].split("~")[1:])
        else:
            self.walks[key] += 1
            walk, number, size = self.walks[key], 1, asked or data.size
        start = (number - 1) * size
        last = start + size >= len(rows)
        after = number + 1 if self.route is None else self.route(number)
        token = None if last else f"c~{walk if self.walks_differ else 1}~{after}~{size}"
        place = f"{key} {number} {size} {mode} {narrowed}"
        self.visits[place] += 1
        items = rows[start : start + size]
        return Page(key, number, last, items, token, None, walk, self.visits[place], asked, mode)

    numbers: bool = False
    """Whether cursors that are numbers are taken as well: a thousand times the page, and the page size."""
    walks_differ: bool = False
    """Whether each walk has cursors of its own."""


class Service:
    """The server; `add` gives each defect a connection of its own."""

    def __init__(self, sandbox: SandboxProcess) -> None:
        self._sandbox = sandbox
        self._defects: dict[str, Defect] = {}
        self._client = httpx.Client(base_url=sandbox.base_url, trust_env=False, timeout=30)
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        # The default looks twice a second whether to end, and each of hundreds of tests would wait for that.
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), name="mutations")

    @property
    def base_url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self._client.close()

    def add(self, defect: Defect) -> str:
        """The id of the connection that has it."""
        name = f"{PREFIX}{len(self._defects)}"
        self._defects[name] = defect
        return name

    def answer(self, sent: Sent) -> Reply:
        """One request."""
        headers = sent.headers
        defect = self._defects.get(headers.get("x-connection-id", ""))
        key = sent.path.removeprefix("/v0/unified/")
        known = headers.get("x-apikey") == self._sandbox.apikey
        if defect is not None and known and defect.data is not None and key in LISTS:
            return defect.answer(key, sent.query)
        passed = dict(headers)
        if defect is not None:
            passed["x-connection-id"] = defect.base
        # Nobody but the newest connection is asked at a time, so a call without one is about that.
        about = defect or next(reversed(self._defects.values()), None)
        reply = self._forwarded(sent, passed)
        return about.through(sent, reply) if about is not None and about.through is not None else reply

    def _forwarded(self, sent: Sent, headers: Mapping[str, str]) -> Reply:
        kept = {n: v for n, v in headers.items() if n.startswith(("x-", "auth", "content-type"))}
        answer = self._client.request(
            sent.method, sent.path, params=sent.query, content=sent.body, headers=kept
        )
        kind = answer.headers.get("content-type")
        return Reply(answer.status_code, answer.content, {"content-type": kind} if kind else {})


def _is_in(row: bytes, ident: str) -> bool:
    """Whether a row, which may be damaged, names a folder or drive that it is not itself."""
    quoted = json.dumps(ident, ensure_ascii=False).encode()
    return quoted in row and b'"id":' + quoted not in row.partition(b'"raw_data":')[0]


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that refuses an answer hangs up: that is no error of the server."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def _handler(service: Service) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        timeout = 60

        def _serve(self) -> None:
            parts = urlsplit(self.path)
            length = int(self.headers.get("content-length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(parts.query))
            reply = service.answer(Sent(self.command, parts.path, query, self.rfile.read(length), headers))
            self.send_response_only(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        do_GET = do_POST = do_PATCH = do_PUT = _serve

        def log_message(self, *_: Any) -> None:
            """Nothing is written to standard error."""

    return Handler
