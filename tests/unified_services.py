"""Stand-ins for unified APIs as their documents describe them, on the standard library's HTTP server and nothing else.

They share no code with the program, so that a mistake there cannot agree with itself. Each asks for its key and its
connection as its service does and refuses anything else; the bytes of its rows say whether they were touched.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Self
from urllib.parse import parse_qsl, unquote, urlsplit

KEY = "ue-key-of-the-stand-in-4711/+="
TOKEN = "ue-token-of-the-account-0815/+="


def row(number: int) -> bytes:
    """A record as no serializer writes it, so that reading and writing it again would show."""
    return b'{ "id":"r%d" , "name": "Zo\\u00eb \xe2\x82\xac %d", "n": 1.50, "raw_data": {"a":  %d}}' % (
        (number,) * 3
    )


def joined(rows: list[bytes]) -> bytes:
    """Rows as a JSON array."""
    return b"[" + b" ,\n".join(rows) + b"]"


class Refused(Exception):
    """An answer with a status of failure."""

    def __init__(self, status: int, body: Any = None) -> None:
        super().__init__(status)
        self.status, self.body = status, body


class Call:
    """One request as it arrived."""

    def __init__(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> None:
        self.method, self.target, self.body = method, target, body
        self.headers = {name.lower(): value for name, value in headers.items()}
        parts = urlsplit(target)
        self.path = parts.path
        self.pairs = parse_qsl(parts.query, keep_blank_values=True)
        self.query = dict(self.pairs)
        self.json: dict[str, Any] = json.loads(body) if body else {}

    def demand(self, **wanted: str) -> None:
        """Refuses the call when a header (``_`` for ``-``) has another value."""
        for name, value in wanted.items():
            if self.headers.get(name.replace("_", "-")) != value:
                raise Refused(401, {"message": f"{name} is not accepted"})

    def whole(self, name: str, default: int) -> int:
        """A number of the query."""
        return int(self.query.get(name, default))


class Service:
    """One service with one list of 37 rows, ten on a page where no size is asked for."""

    name: ClassVar[str] = ""
    paths: ClassVar[tuple[str, ...]] = ()

    def __init__(self, rows: int = 37) -> None:
        self.rows = [row(number) for number in range(rows)]
        self.size = 10
        self.calls: list[Call] = []
        self.change: Callable[[Service, Call], None] | None = None
        """Called before each answer, to change the list while it is read."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                length = int(self.headers.get("content-length") or 0)
                call = Call(self.command, self.path, dict(self.headers.items()), self.rfile.read(length))
                outer.calls.append(call)
                try:
                    status, body = 200, outer.served(call)
                except Refused as error:
                    status, body = error.status, json.dumps(error.body).encode() if error.body else b""
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def served(self, call: Call) -> bytes:
        if self.change is not None:
            self.change(self, call)
        if self.paths and call.path not in self.paths:
            raise Refused(404, {"message": "no such path"})
        return self.answer(call)

    def answer(self, call: Call) -> bytes:
        raise NotImplementedError

    def cut(self, at: int, size: int | None = None) -> tuple[bytes, int | None]:
        """The rows from ``at`` on as an array, and where the next page begins."""
        end = at + (size or self.size)
        return joined(self.rows[at:end]), end if end < len(self.rows) else None


def cursor_of(at: int | None) -> str | None:
    """A cursor with characters in it that an address has to escape."""
    return None if at is None else f"c+/=&é {at}"


def place_of(cursor: str | None) -> int:
    """The row that a cursor stands for; refuses one that was never given."""
    if not cursor:
        return 0
    if not cursor.startswith("c+/=&é "):
        raise Refused(400, {"message": "unknown cursor"})
    return int(cursor.rpartition(" ")[2])


class OpenIntOne(Service):
    """Bearer; the connection as a filter of the query; limit and offset beside a total and a flag."""

    name, paths = "openint-v1", ("/v1/event",)

    def answer(self, call: Call) -> bytes:
        call.demand(authorization=f"Bearer {KEY}")
        if call.query.get("connection_id") != "conn_1":
            raise Refused(404, {"message": "no such connection", "code": "NOT_FOUND", "issues": []})
        at, size = call.whole("offset", 0), call.whole("limit", self.size)
        rows, more = self.cut(at, size)
        flag = json.dumps(more is not None).encode()
        return b'{"items": %b, "total": %d, "limit": %d, "offset": %d, "has_next_page": %b}' % (
            rows, len(self.rows), size, at, flag,
        )  # fmt: skip


class Supaglue(Service):
    """Key header; two headers choose the connection; a token below ``pagination``; raw data when it is asked for."""

    name, paths = "supaglue", ("/crm/v2/contacts",)

    def answer(self, call: Call) -> bytes:
        if call.headers.get("x-api-key") != KEY:
            raise Refused(
                401, {"errors": [{"id": "e1", "detail": "The key is unknown to Supaglue", "code": "NO"}]}
            )
        call.demand(x_customer_id="acme/west", x_provider_name="hubspot")
        rows, more = self.cut(place_of(call.query.get("cursor")), call.whole("page_size", self.size))
        if call.query.get("include_raw_data") != "true":
            rows = rows.replace(b'"raw_data"', b'"_none"')
        return b'{"pagination": {"total_count": 9, "next": %b, "previous": null}, "records": %b}' % (
            json.dumps(cursor_of(more)).encode(), rows,
        )  # fmt: skip


class Merge(Service):
    """Bearer, and a token of the account; ``next`` sounds like an address and is a cursor."""

    name, paths = "merge", ("/api/hris/v1/employees",)

    def answer(self, call: Call) -> bytes:
        call.demand(authorization=f"Bearer {KEY}", x_account_token=TOKEN)
        rows, more = self.cut(place_of(call.query.get("cursor")), call.whole("page_size", self.size))
        return b'{"next":%b,"previous":null,"results":%b}' % (json.dumps(cursor_of(more)).encode(), rows)


class Kombo(Service):
    """Everything two steps down."""

    name, paths = "kombo", ("/v1/hris/employees",)

    def answer(self, call: Call) -> bytes:
        if call.headers.get("x-integration-id") != "workday:1":
            said = {"code": "INTEGRATION.NOT_FOUND", "message": "There is no integration of that id"}
            raise Refused(400, {"status": "error", "error": said})
        call.demand(authorization=f"Bearer {KEY}")
        rows, more = self.cut(place_of(call.query.get("cursor")))
        following = json.dumps(cursor_of(more)).encode()
        return b'{"status":"success","data":{"results":%b, "next" : %b}}' % (rows, following)


class UnifiedTo(Service):
    """The connection in the path, a bare array, offset and limit."""

    name, paths = "unified-to", ("/hris/conn%3A1/employee",)

    def answer(self, call: Call) -> bytes:
        call.demand(authorization=KEY)
        return self.cut(call.whole("offset", 0), call.whole("limit", self.size))[0]


class Codat(Service):
    """Basic; two ids in the path; the address of the next page, from the root on."""

    name, paths = "codat", ("/companies/c1/connections/k1/data/invoices",)

    def answer(self, call: Call) -> bytes:
        call.demand(authorization="Basic " + base64.b64encode(f"{KEY}:".encode()).decode())
        page, size = call.whole("page", 1), call.whole("pageSize", self.size)
        rows, more = self.cut((page - 1) * size, size)
        following = f"{call.path}?page={page + 1}&pageSize={size}&query=a%20b+c%2F" if more else None
        links = {"self": {"href": call.target}, **({"next": {"href": following}} if following else {})}
        head = f'{{"pageNumber": {page}, "totalResults": {len(self.rows)}, "_links": {json.dumps(links)}, "results": '
        return head.encode() + rows + b"}"


class Panora(Service):
    """A key header and a token of the connection; ``limit`` beside a cursor."""

    name, paths = "panora", ("/crm/contacts",)

    def answer(self, call: Call) -> bytes:
        call.demand(x_api_key=KEY, x_connection_token=TOKEN)
        rows, more = self.cut(place_of(call.query.get("cursor")), call.whole("limit", self.size))
        return b'{"prev_cursor":null,"next_cursor":%b,"data":%b}' % (
            json.dumps(cursor_of(more)).encode(),
            rows,
        )


class Nango(Service):
    """Two headers choose the connection; one list goes by cursor, another by page number up to a total."""

    name, paths = "nango", ("/records", "/environment")

    def answer(self, call: Call) -> bytes:
        call.demand(authorization=f"Bearer {KEY}", connection_id="c1", provider_config_key="hubspot")
        if call.path == "/records":
            rows, more = self.cut(place_of(call.query.get("cursor")))
            return b'{"next_cursor": %b, "records": %b}' % (json.dumps(cursor_of(more)).encode(), rows)
        rows, _ = self.cut(call.whole("page", 0) * self.size)
        return b'{"data": %b, "pagination": {"total": %d, "page": %d}}' % (
            rows, len(self.rows), call.whole("page", 0),
        )  # fmt: skip


class InQuery(Service):
    """Key and connection in the query, a token that goes into ``page``, raw data once in the envelope."""

    name, paths = "in-query", ("/contacts",)

    def answer(self, call: Call) -> bytes:
        if call.pairs.count(("api_key", KEY)) != 1 or call.pairs.count(("account", TOKEN)) != 1:
            raise Refused(401, {"message": "key or account is not accepted"})
        rows, more = self.cut(place_of(call.query.get("page")))
        following = json.dumps(cursor_of(more)).encode()
        return b'{"meta":{"cursors":{"next":%b}},"data":%b,"_raw":{"page": [1.0]}}' % (following, rows)


class ByPost(Service):
    """The key itself is the connection; a list by POST with the cursor in its body, and another in the query."""

    name, paths = "by-post", ("/search", "/list")

    def answer(self, call: Call) -> bytes:
        call.demand(authorization=f"Token {KEY}", content_type="application/json")
        if call.method != "POST":
            raise Refused(405, {"message": "only POST"})
        inside = call.json.get("page", {}).get("after") if call.path == "/search" else call.query.get("after")
        if call.json.get("filter") != {"kind": "person"} or set(call.json) - {"filter", "page"}:
            raise Refused(400, {"message": "the body is not as it should be"})
        rows, more = self.cut(place_of(inside))
        return b'{"rows": %b, "after": %b}' % (rows, json.dumps(cursor_of(more)).encode())


class Open(Service):
    """No security; a constant header beside that of the connection; three kinds of paging in one document."""

    name, paths = "open", ("/numbered", "/linked", "/all", "/job/j%201/opening")

    def answer(self, call: Call) -> bytes:
        call.demand(x_version="2025-01", x_tenant="t1")
        if "authorization" in call.headers:
            raise Refused(400, {"message": "nobody asked for a key"})
        if call.path == "/all":
            return b'{"rows": %b}' % joined(self.rows)
        if call.path == "/linked":
            rows, more = self.cut(call.whole("from", 0))
            link = f"{self.url}/linked?from={more}&x=%5B%5D" if more else ""
            return b'{"rows": %b, "paging": {"@next.link": "%b"}}' % (rows, link.replace("/", "\\/").encode())
        if call.path.startswith("/job/") and call.query.get("since") != "2025-01-01":
            raise Refused(400, {"message": "since is required"})
        page = call.whole("page", 1)
        rows, _ = self.cut((page - 1) * self.size)
        return b'{"rows": %b, "page_count": "%d"}' % (rows, -(-len(self.rows) // self.size))


SERVICES: Mapping[str, type[Service]] = {
    one.name: one
    for one in (OpenIntOne, Supaglue, Merge, Kombo, UnifiedTo, Codat, Panora, Nango, InQuery, ByPost, Open)
}


def in_clear(call: Call) -> str:
    """Target and headers of a call as one text, percent codes undone."""
    return unquote(call.target) + repr(call.headers)
