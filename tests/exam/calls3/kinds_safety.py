"""What goes wrong with keys and secrets, with refusals, and with HTTP and JSON themselves."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from typing import Any

from tests.exam.calls3.answers import Call, Cut, Reply, error
from tests.exam.calls3.data import LISTS, REPORTS, Row
from tests.exam.calls3.engine import Bending, Spot
from tests.exam.calls3.kinds import add, kind
from tests.exam.frame import CONNECTION, KEY

READS = (*LISTS, *REPORTS)
ANY = ("",)


def refused(call: Call) -> int:
    """What the call would be refused with for its key or its connection."""
    if call.headers.get("x-apikey") != KEY:
        return 401
    connection = call.headers.get("x-connection-id")
    if not call.unified or connection == CONNECTION:
        return 0
    return 404 if connection else 400


# ---------------------------------------------------------------- keys and connections


def letting_in(name: str, lets: Any, *, everywhere: bool = False) -> None:
    def bend(spot: Spot, call: Call, refusal: Any) -> Any:
        if call.key not in spot.engine.base.keys or not lets(call):
            return refusal
        return None

    add(name, "allowed", LISTS, bend, about=ANY, everywhere=everywhere)


letting_in("a list is given without a key", lambda call: not call.headers.get("x-apikey"))
letting_in("a list is given for any key", lambda call: refused(call) == 401 and call.headers.get("x-apikey"))
letting_in(
    "any key is good if there is one",
    lambda call: refused(call) == 401 and call.headers.get("x-apikey"),
    everywhere=True,
)
letting_in(
    "only the beginning of the key is looked at",
    lambda call: str(call.headers.get("x-apikey")).startswith(KEY[:8]) and refused(call) == 401,
)
letting_in("no connection gives some connection's rows", lambda call: refused(call) == 400)
letting_in(
    "an unknown connection gives another one's rows", lambda call: refused(call) == 404, everywhere=True
)


@kind("a wrong key gives an empty list", "reply", LISTS, about=ANY)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 401:
        return reply
    return Reply({"items": [], "has_next_page": False, "next_cursor": None, "next_page_cursor": None})


@kind("a wrong key answers 500 and a stack trace", "reply", LISTS, about=ANY, everywhere=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 401:
        return reply
    trace = "JsonWebTokenError: jwt malformed\n    at verify (/app/node_modules/jsonwebtoken/verify.js:70:17)"
    return error(500, trace, "auth")


# ---------------------------------------------------------------- secrets


@kind("rows carry the token of the third party", "cut", LISTS)
def _(spot: Spot, call: Call, cut: Cut) -> Cut:
    secret = spot.memo.setdefault("token", f"ya29.{spot.rng.getrandbits(220):x}")
    cut.items = [row | {"raw_data": row["raw_data"] | {"access_token": secret}} for row in cut.items]
    return cut


@kind("the envelope carries the call to the third party with its headers", "page", LISTS)
def _(spot: Spot, call: Call, page: Row) -> Row:
    secret = spot.memo.setdefault("token", f"Bearer eyJhbGciOiJIUzI1NiJ9.{spot.rng.getrandbits(220):x}")
    return page | {"debug": {"request": {"headers": {"Authorization": secret}}}}


@kind("a header of the answer repeats the key", "reply", LISTS, about=ANY, everywhere=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    reply.headers["x-apikey"] = call.headers.get("x-apikey", "")
    return reply


@kind("a refusal repeats the key", "reply", LISTS, about=ANY, everywhere=True)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status >= 400 and call.headers.get("x-apikey"):
        reply.body |= {"message": f"{reply.body['message']} (x-apikey: {call.headers['x-apikey']})"}
    return reply


@kind("a cursor holds the key in base64", "page", LISTS, bases=("wide",))
def _(spot: Spot, call: Call, page: Row) -> Row:
    name = "next_cursor" if "has_next_page" in page else "next_page_cursor"
    if not page.get(name):
        return page
    at, _size = spot.engine.base.position(page[name], [])
    return page | {name: hidden({"o": at, "apikey": KEY})}


def hidden(value: Row) -> str:
    return urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# ---------------------------------------------------------------- refusals


def refusing(name: str, statuses: tuple[int, ...], change: Bending) -> None:
    """A kind of refusal that every operation has."""

    def bend(spot: Spot, call: Call, reply: Reply) -> Reply:
        changed: Reply = change(spot, call, reply) if reply.status in statuses else reply
        return changed

    add(name, "reply", LISTS, bend, about=ANY, everywhere=True)


HTML = b"<html><head><title>404 Not Found</title></head><body><center>nginx</center></body></html>"
TRACE = "Error: conn not found\n    at getConnection (/app/dist/db.js:112:13)\n    at async /app/dist/index.js:4:1"

refusing(
    "an unknown connection is refused by the web server's own page",
    (404,),
    lambda _, call, reply: Reply(raw=HTML, status=404, kind="text/html"),
)
refusing("an unknown connection is answered with 200 and an error", (404,), lambda _, call, r: Reply(r.body))
refusing(
    "a refusal shows where in the program it arose",
    (400, 404),
    lambda _, call, reply: Reply(reply.body | {"stack": TRACE}, reply.status),
)
refusing(
    "a refusal shows the statement to the database",
    (404,),
    lambda _, call, r: error(
        404, f"select * from connection where id = '{call.headers.get('x-connection-id')}'"
    ),
)
refusing("every refusal is a 500", (400, 401, 404, 501), lambda _, call, reply: Reply(reply.body, 500))
refusing(
    "a refusal has no body", (400, 401, 404), lambda _, call, r: Reply(raw=b"", status=r.status, kind="")
)
refusing(
    "a refusal's body names another status than the answer has",
    (400, 401, 404, 501),
    lambda _, call, r: Reply(r.body | {"data": r.body["data"] | {"httpStatus": 200}}, r.status),
)
refusing(
    "a refusal says nothing but its number",
    (400, 401, 404),
    lambda _, call, reply: Reply({"code": reply.status}, reply.status),
)


@kind("a cursor that cannot be read answers 500", "reply", LISTS)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    bad = reply.status == 400 and call.query.get("cursor")
    return error(500, "Unexpected token in JSON at position 0", "list") if bad else reply


@kind("a page size that is no number answers 500", "reply", ("ats/job", "file-storage/file"))
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    bad = reply.status == 400 and "page_size" in call.query and "cursor" not in call.query
    return error(500, 'invalid input syntax for type bigint: "NaN"', "list") if bad else reply


# ---------------------------------------------------------------- HTTP and JSON


def broken(name: str, change: Bending) -> None:
    """A kind of answer that is no sound HTTP or JSON, whatever list it is."""

    def bend(spot: Spot, call: Call, reply: Reply) -> Reply:
        changed: Reply = change(spot, call, reply) if reply.status == 200 else reply
        return changed

    add(name, "reply", READS, bend)


def with_raw(reply: Reply, raw: bytes, **headers: str) -> Reply:
    reply.raw = raw
    reply.headers |= {name.replace("_", "-"): value for name, value in headers.items()}
    return reply


@kind("the type of the content is HTML", "reply", READS)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    reply.kind = "text/html; charset=utf-8"
    return reply


broken("a comma stands before the last bracket", lambda _, call, r: with_raw(r, r.data()[:-1] + b",}"))
broken(
    "the text is in Latin-1",
    lambda _, call, r: with_raw(r, r.data()[:-1] + ', "by": "Bj\xf6rn"}'.encode("latin-1")),
)
broken("the answer breaks off in the middle", lambda _, call, r: with_raw(r, r.data()[: len(r.data()) // 2]))
broken("the answer is empty", lambda _, call, r: with_raw(r, b""))
broken("it says gzip and is not", lambda _, call, r: with_raw(r, r.data(), content_encoding="gzip"))
broken("a byte order mark stands before the JSON", lambda _, call, r: with_raw(r, b"\xef\xbb\xbf" + r.data()))
broken(
    "the JSON is a text within JSON", lambda _, call, r: with_raw(r, json.dumps(r.data().decode()).encode())
)


@kind("the stated length is shorter than the answer", "reply", LISTS)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.length = len(reply.data()) - 40
    return reply


@kind("a name stands twice in an object with two values", "reply", LISTS)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 200:
        return reply
    return with_raw(
        reply, reply.data().replace(b'"created_at":', b'"created_at": "1999-01-01T00:00:00Z", "created_at":')
    )


@kind("NaN stands where a number should", "reply", ("file-storage/file", *REPORTS))
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 200:
        return reply
    names = ("size", "totalBalance", "totalIncome")

    def bad(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: float("nan") if name in names else bad(one) for name, one in value.items()}
        return [bad(one) for one in value] if isinstance(value, list) else value

    return with_raw(reply, json.dumps(bad(reply.body)).encode())


@kind("half a character stands in a text", "reply", LISTS)
def _(_: Spot, call: Call, reply: Reply) -> Reply:
    if reply.status != 200:
        return reply
    return with_raw(reply, reply.data().replace(b'"created_at": "', b'"created_at": "\\ud83d'))


@kind("every fifth call fails", "reply", LISTS)
def _(spot: Spot, call: Call, reply: Reply) -> Reply:
    spot.memo["n"] = spot.memo.get("n", 0) + 1
    return error(500, "fetch failed", "list") if spot.memo["n"] % 5 == 0 else reply
