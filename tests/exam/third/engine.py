"""The service of the third exam: it serves a world of records over HTTP, as the contract says."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.exam.frame import CONNECTION, KEY, Serve, served

Row = dict[str, Any]
Query = dict[str, str]
Ask = Callable[[Query, Any], Any]
"""What the sound service answers to a query and a body."""
Bend = Callable[[str, Query, Any, Ask], Any]
"""An answer of its own to a call of a resource, its query and its body."""

ACCOUNT = "crm/account"
JOB = "ats/job"
FILE = "file-storage/file"
DRIVE = "file-storage/drive"
MAILBOX = "sales-engagement/mailbox"
STATE = "sales-engagement/sequence_state"
BALANCE = "accounting/customer-balance"
INCOME = "accounting/customer-income"

TYPE_A = (JOB, FILE, DRIVE)
UNIFIED = (
    *(("GET", key) for key in (*TYPE_A, MAILBOX, STATE, BALANCE, INCOME, "accounting/payment-receipt")),
    ("POST", "crm/contact"),
    ("POST", "crm/contact/_upsert"),
    ("POST", "crm/account/_batch_read"),
)


WITHIN = "_within"
"""Drive and folder of a file: what the service knows, and does not tell."""


def _wanted(row: Row, query: Query) -> bool:
    """Whether a file is of the drive and folder that are asked for."""
    drive, folder = row.get(WITHIN, ("", ""))
    return WITHIN not in row or (
        query.get("drive_id", drive) == drive and query.get("folder_id", folder) == folder
    )


@dataclass(frozen=True, slots=True)
class Wire:
    """What the contract leaves open about the way in which records are served."""

    page: int = 100
    """Records of a page, where no size is asked for."""
    heeds_size: bool = True
    last: str = "null"
    """The cursor of the last page: null, absent or empty."""
    empty_page: bool = False
    """A full last page is followed by an empty one."""
    long_cursor: bool = False
    reversed_batch: bool = False
    heeds_properties: bool = False


@dataclass(slots=True)
class World:
    """Everything that one connection holds."""

    service: str
    lists: dict[str, list[Row]] = field(default_factory=dict)
    """The records of each resource, `crm/account` among them."""
    reports: dict[str, Callable[[Query], Row]] = field(default_factory=dict)
    """The accounting reports: made for what is asked."""
    bend: Bend | None = None
    """Answers in the place of the sound service."""


class Refusal(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code

    def body(self, path: str) -> Row:
        data = {"code": self.code, "httpStatus": self.status, "path": path}
        return {"message": str(self), "code": self.code, "data": data}


def _page(world: World, wire: Wire, key: str, query: Query) -> Row:
    rows = [one for one in world.lists[key] if _wanted(one, query)]
    size = wire.page
    if wire.heeds_size and key in TYPE_A and query.get("page_size"):
        try:
            size = max(1, int(float(query["page_size"])))
        except ValueError:
            raise Refusal(400, "BAD_REQUEST", "Input validation failed") from None
    start = 0
    if cursor := query.get("cursor"):
        try:
            start = int(base64.b64decode(cursor.split(" ")[0]).decode().removeprefix("at:"))
        except ValueError:
            raise Refusal(400, "BAD_REQUEST", "Invalid cursor") from None
    items, end = rows[start : start + size], start + size
    more = end < len(rows) or (wire.empty_page and end == len(rows))
    tail = " /?&=+%#ü" * 40 if wire.long_cursor else ""
    following = base64.b64encode(f"at:{end}".encode()).decode() + tail if more else None
    page: Row = {"items": [{name: of for name, of in one.items() if name != WITHIN} for one in items]}
    if key in TYPE_A:
        page["has_next_page"] = more
    if following or wire.last != "absent":
        name = "next_cursor" if key in TYPE_A else "next_page_cursor"
        page[name] = following or ("" if wire.last == "empty" else None)
    return page


def _batch(world: World, wire: Wire, body: Any) -> list[Row]:
    if not isinstance(body, dict) or not all(
        isinstance(body.get(key), list) for key in ("ids", "properties")
    ):
        raise Refusal(400, "BAD_REQUEST", "Input validation failed")
    wanted = set(map(str, body["ids"]))
    rows = [one for one in world.lists[ACCOUNT] if one["id"] in wanted]
    if wire.heeds_properties and body["properties"]:
        kept = {*body["properties"], "accountid", "id"}
        raws = [{name: of for name, of in one["raw_data"].items() if name in kept} for one in rows]
        rows = [{**one, "raw_data": raw} for one, raw in zip(rows, raws, strict=True)]
    return rows[::-1] if wire.reversed_batch else rows


def _answer(world: World, wire: Wire, method: str, route: str, query: Query, body: Any) -> Any:
    key = route.removeprefix("/v0/unified/")
    if method == "GET" and key in world.lists and key != ACCOUNT:
        return _page(world, wire, key, query)
    if method == "POST" and key == "crm/account/_batch_read" and ACCOUNT in world.lists:
        return _batch(world, wire, body)
    if method == "GET" and key in world.reports:
        if not query.get("customer"):
            raise Refusal(400, "BAD_REQUEST", "Input validation failed")
        return world.reports[key](query)
    known = (method, key) in UNIFIED or (method == "PATCH" and key.startswith("crm/contact/"))
    if known or (route.startswith("/v0/") and not route.startswith("/v0/unified/") and method != "GET"):
        raise Refusal(501, "NOT_IMPLEMENTED", f"{key} is not implemented")
    raise Refusal(404, "NOT_FOUND", "Not found")


def _handler(world: World, wire: Wire) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            """Says nothing."""

        def _serve(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            split = urlsplit(self.path)
            try:
                found = self._checked(split.path, sent, dict(parse_qsl(split.query)))
                self._send(200, json.dumps(found, ensure_ascii=False).encode())
            except Refusal as refused:
                said = refused.body(split.path.rpartition("/")[2])
                self._send(refused.status, json.dumps(said).encode() if refused.code else b"")

        def _checked(self, route: str, sent: bytes, query: Query) -> Any:
            bearer = self.headers.get("Authorization")
            if route.startswith("/v1/webhook/"):
                raise Refusal(501, "NOT_IMPLEMENTED", "handleWebhook is not implemented")
            if not route.startswith("/v0/"):
                raise Refusal(404, "NOT_FOUND", "Not found")
            if self.headers.get("x-apikey") != KEY and bearer != f"Bearer {KEY}":
                raise Refusal(401, "UNAUTHORIZED", "UNAUTHORIZED")
            connection = self.headers.get("x-connection-id")
            if connection is not None and not connection.startswith("conn_"):
                raise Refusal(500, "", "")
            if route.startswith("/v0/unified/"):
                if connection is None:
                    raise Refusal(400, "BAD_REQUEST", "x-connection-id is required")
                if connection != CONNECTION:
                    raise Refusal(404, "NOT_FOUND", f"conn not found: {connection}")
            try:
                body = json.loads(sent) if sent else None
            except ValueError:
                raise Refusal(400, "PARSE_ERROR", "Unexpected token in JSON") from None

            def ask(asked: Query, said: Any) -> Any:
                return _answer(world, wire, self.command, route, asked, said)

            if world.bend is None:
                return ask(query, body)
            return world.bend(route.removeprefix("/v0/unified/"), query, body, ask)

        def _send(self, status: int, content: bytes) -> None:
            self.send_response(status)
            if content:
                self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = _serve

    return Handler


def serving(make: Callable[[], World], wire: Wire | None = None) -> Serve:
    """The context that serves a world on loopback; the world is made when it is entered."""
    return lambda: served(_handler(make(), wire or Wire()))
