"""Serves a world over HTTP on loopback, as the contract says and as a deployment was seen to answer."""

from __future__ import annotations

import base64
import binascii
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.exam.frame import CONNECTION, KEY, Serve, served
from tests.exam.mapping import Json, at
from tests.exam.world import Listing, Row, World

LISTS = {
    "/v0/unified/ats/job": "ats/job",
    "/v0/unified/file-storage/file": "file-storage/file",
    "/v0/unified/file-storage/drive": "file-storage/drive",
    "/v0/unified/sales-engagement/mailbox": "sales-engagement/mailbox",
    "/v0/unified/sales-engagement/sequence_state": "sales-engagement/sequence_state",
}
BATCH = "/v0/unified/crm/account/_batch_read"
REPORTS = {
    "/v0/unified/accounting/customer-balance": "accounting/customer-balance",
    "/v0/unified/accounting/customer-income": "accounting/customer-income",
}
LACKING = (
    ("GET", "/v0/unified/accounting/"),
    ("POST", "/v0/unified/crm/contact"),
    ("PATCH", "/v0/unified/crm/contact/"),
    ("POST", "/v0/core/"),
    ("PATCH", "/v0/core/"),
    ("PUT", "/v0/core/"),
    ("POST", "/v0/connect/magic-link"),
    ("POST", "/v1/webhook/"),
)


@dataclass(frozen=True, slots=True)
class Wire:
    """What the contract leaves open."""

    page: int = 50
    """Records of a page when nothing is asked for."""
    most: int = 200
    """The largest page."""
    honours: bool = True
    """Whether page_size has an effect."""
    cursor: str = "base64"
    """``base64``, ``number``, ``address``, ``odd`` or ``long``."""
    end: str = "null"
    """The cursor of the last page: ``null``, ``absent`` or ``empty``."""
    empty_last: bool = False
    """Whether a full last page is followed by an empty one."""
    ragged: tuple[int, ...] = ()
    """Lengths that the pages have in turn whatever is asked for, zero included."""
    absent_nulls: bool = False
    """Whether fields that are null are left out."""
    ascii: bool = False
    """Whether other characters are written as escapes."""
    indent: int | None = None
    header: bool = False
    """Whether x-connection-id comes back."""
    recent_only: bool = False
    """Whether sync_mode=incremental gives the last tenth only."""
    grows_after: int = 0
    """After so many answers the last record appears, at the head; 0: it is there from the start."""
    extra: tuple[tuple[str, Any], ...] = ()
    """Further members of the envelope, ahead of what the contract names."""


class Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, code: str, message: str, issues: list[Json] | None = None) -> None:
        self.status, self.code, self.issues = status, code, issues
        super().__init__(message)


class Answers:
    """What the service answers."""

    def __init__(self, world: World, wire: Wire) -> None:
        self.wire = wire
        self.lists = {one.key: one for one in world.lists}
        self.absent = wire.absent_nulls or world.absent_nulls
        self.bodies = {one.key: [self._body(row) for row in one.rows] for one in world.lists}
        self.lock = threading.Lock()
        self.asked = 0

    def _body(self, row: Row) -> Any:
        if not self.absent:
            return row.body
        return {
            name: part
            for name, part in row.body.items()
            if not (part is None and row.clean.get(name) is None)
        }

    def answer(self, method: str, path: str, query: dict[str, str], headers: Any, body: bytes) -> Any:
        """The JSON of a success, or Refused."""
        if headers.get("x-apikey") != KEY and headers.get("authorization") != f"Bearer {KEY}":
            raise Refused(401, "UNAUTHORIZED", "UNAUTHORIZED")
        listed = method == "GET" and path in LISTS
        lacking = any(method == verb and path.startswith(start) for verb, start in LACKING)
        if not (listed or lacking or (method == "POST" and path == BATCH)):
            raise Refused(404, "NOT_FOUND", "Not found")
        if path.startswith("/v0/unified/"):
            connection = headers.get("x-connection-id")
            if not connection:
                raise Refused(400, "BAD_REQUEST", "x-connection-id is missing")
            if connection != CONNECTION:
                raise Refused(404, "NOT_FOUND", f"conn not found: {connection}")
        if listed and LISTS[path] in self.lists:
            return self._page(self.lists[LISTS[path]], query)
        if path == BATCH and "crm/account" in self.lists:
            return self._batch(self.lists["crm/account"], body)
        if method == "GET" and REPORTS.get(path) in self.lists:
            return self._report(REPORTS[path], query)
        raise Refused(501, "NOT_IMPLEMENTED", "This connector does not implement the operation")

    def _batch(self, listing: Listing, body: bytes) -> list[Any]:
        try:
            asked = json.loads(body)
        except ValueError:
            raise Refused(400, "PARSE_ERROR", "Unexpected token in JSON") from None
        issues = [
            {"code": "invalid_type", "message": "Required", "path": [name]}
            for name in ("ids", "properties")
            if not isinstance(asked, dict) or not isinstance(asked.get(name), list)
        ]
        if issues:
            raise Refused(400, "BAD_REQUEST", "Input validation failed", issues)
        wanted = set(map(str, asked["ids"]))
        pairs = zip(listing.rows, self.bodies[listing.key], strict=True)
        properties = set(map(str, asked["properties"]))
        return [_limited(given, properties, listing) for row, given in pairs if row.clean["id"] in wanted]

    def _report(self, key: str, query: dict[str, str]) -> Any:
        if not query.get("customer"):
            issue = {"code": "invalid_type", "message": "Required", "path": ["customer"]}
            raise Refused(400, "BAD_REQUEST", "Input validation failed", [issue])
        body = self.bodies[key][0]
        if "startPeriod" not in body:
            return body
        period = [query.get("start_date") or body["startPeriod"], query.get("end_date") or body["endPeriod"]]
        if body["startPeriod"] > body["endPeriod"]:
            period.sort(reverse=True)
        return {**body, "startPeriod": period[0], "endPeriod": period[1]}

    def _page(self, listing: Listing, query: dict[str, str]) -> Json:
        wire = self.wire
        cursor = query.get("cursor", "")
        start = decoded(cursor, wire.cursor) if cursor else 0
        bodies = self._chosen(listing, query, first=not cursor)
        size, step = self._size(listing, query), 0
        if wire.ragged:
            start, step = divmod(start, 1000)
            size = wire.ragged[step % len(wire.ragged)]
        items = bodies[start : start + size]
        after = start + size
        more = after < len(bodies) or (wire.empty_last and after == len(bodies) and size > 0)
        following = after * 1000 + step + 1 if wire.ragged else after
        page = _envelope(listing.envelope, items, encoded(following, wire.cursor) if more else None, wire.end)
        return {**dict(wire.extra), **page}

    def _size(self, listing: Listing, query: dict[str, str]) -> int:
        asked = query.get("page_size") if listing.envelope == "A" else None
        if asked is None or asked == "" or not self.wire.honours:
            return self.wire.page
        try:
            number = int(float(asked))
        except (ValueError, OverflowError):
            number = 0
        if number < 1:
            issue = {"code": "invalid_type", "message": "Expected a positive number", "path": ["page_size"]}
            raise Refused(400, "BAD_REQUEST", "Input validation failed", [issue])
        return min(number, self.wire.most)

    def _chosen(self, listing: Listing, query: dict[str, str], *, first: bool) -> list[Any]:
        bodies = self.bodies[listing.key]
        asked = {name: query[name] for name in listing.filters if query.get(name)}
        if asked:
            pairs = zip(listing.rows, bodies, strict=True)
            bodies = [
                body
                for row, body in pairs
                if all(_holds(at(row.raw, listing.filters[name]), value) for name, value in asked.items())
            ]
        if self.wire.recent_only and query.get("sync_mode") == "incremental":
            bodies = bodies[-max(1, len(bodies) // 10) :]
        if self.wire.grows_after and bodies:
            with self.lock:
                self.asked += 1
                grown = self.asked > self.wire.grows_after
            bodies = [bodies[-1], *bodies[:-1]] if grown else bodies[:-1]
        return bodies


def _limited(body: Json, properties: set[str], listing: Listing) -> Json:
    """The record as it is when these properties of the third party are asked for; what is required comes always."""
    known = {one.field: one.paths for one in listing.mapping}
    kept = {
        name: part
        for name, part in body.items()
        if name in ("id", "updated_at") or name not in known or properties & set(known[name])
    }
    raw = kept.get("raw_data")
    if isinstance(raw, dict) and "attributes" in raw:
        kept["raw_data"] = {
            name: part for name, part in raw.items() if name in properties or name == "attributes"
        }
    return kept


def _holds(value: Any, wanted: str) -> bool:
    return wanted in value if isinstance(value, list) else value == wanted


def _envelope(kind: str, items: list[Any], cursor: str | None, end: str) -> Json:
    name = "next_cursor" if kind == "A" else "next_page_cursor"
    page: Json = {"items": items}
    if kind == "A":
        page["has_next_page"] = cursor is not None
    if cursor is not None or end != "absent":
        page[name] = cursor if cursor is not None else {"null": None, "empty": ""}[end]
    return page


def encoded(offset: int, form: str) -> str:
    """The cursor to this offset."""
    if form == "base64":
        return base64.b64encode(json.dumps({"v": 2, "offset": offset}).encode()).decode()
    if form == "number":
        return str(offset)
    lead = {
        "address": "https://api.third.example/v2/list?page%5Bsize%5D=50&after=",
        "odd": "→ ü/+%&=?#;\"'<日本>|",
        "long": "eyJhbGciOiJub25lIn0." * 150,
    }
    return f"{lead[form]}~{offset}"


def decoded(cursor: str, form: str) -> int:
    """The offset that a cursor stands for."""
    try:
        if form == "base64":
            return int(json.loads(base64.b64decode(cursor, validate=True))["offset"])
        offset = int(cursor if form == "number" else cursor.rpartition("~")[2])
        if encoded(offset, form) != cursor:
            raise ValueError(cursor)
        return offset
    except (ValueError, KeyError, TypeError, binascii.Error):
        raise Refused(400, "BAD_REQUEST", "The cursor is not valid") from None


def _handler(answers: Answers) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _do(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            try:
                status, given = 200, answers.answer(self.command, parts.path, query, self.headers, body)
            except Refused as refused:
                status, given = refused.status, _failure(refused, parts.path)
            text = json.dumps(given, ensure_ascii=answers.wire.ascii, indent=answers.wire.indent)
            content = text.encode("utf-8", "surrogatepass")
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            if answers.wire.header and status == 200:
                self.send_header("x-connection-id", CONNECTION)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = _do

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name it has in the library
            pass

    return Handler


def _failure(refused: Refused, path: str) -> Json:
    body: Json = {
        "message": str(refused),
        "code": refused.code,
        "data": {
            "code": refused.code,
            "httpStatus": refused.status,
            "path": path.removeprefix("/v0/").replace("/", "."),
        },
    }
    if refused.issues:
        body["issues"] = refused.issues
    return body


def serving(world: World, wire: Wire | None = None) -> Serve:
    """Starts and ends the service on entering and leaving."""
    return lambda: served(_handler(Answers(world, wire or Wire())))
