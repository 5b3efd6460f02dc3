"""What goes wrong with keys, links, webhooks and secrets."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from tests.exam.calls3.data import CHECK, FILE, JOB, LINK, MAILBOX, WEBHOOK, Row
from tests.exam.frame import CONNECTION, KEY
from tests.exam.sixth.forms import BOOKS, CRM, FILES, JOBS, SALES
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import CHECKED, Bend, Call, Reply, Service, magic_link, signed

L, W, K = Table(BOOKS, LINK, True), Table(CRM, WEBHOOK, True), Table(FILES, CHECK, True)
TOKEN = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


def _lenient(service: Service, names: tuple[str, ...]) -> None:
    """What these headers say does not matter, nor whether they are there."""
    sound = service._admit

    def admit(call: Call) -> None:
        good = {"x-apikey": KEY, "x-connection-id": CONNECTION}
        headers = {
            name: value
            for name, value in call.headers.items()
            if name != "authorization" or "x-apikey" not in names
        }
        call.headers = {**headers, **{name: good[name] for name in names}}
        sound(call)

    service._admit = admit  # type: ignore[method-assign]


def _any_connection(service: Service) -> None:
    """A connection that does not exist is served with another one's rows."""
    sound = service._admit

    def admit(call: Call) -> None:
        if call.headers.get("x-connection-id"):
            call.headers["x-connection-id"] = CONNECTION
        sound(call)

    service._admit = admit  # type: ignore[method-assign]


def _linked(change: Any) -> Bend:
    """The link is made of something else than was sent."""

    def bend(call: Call, body: Row) -> Row:
        return {"url": change(call.sent)}

    return bend


def _expiry(seconds: Any) -> Bend:
    return _linked(lambda sent: magic_link({**sent, "validityInSeconds": seconds(sent)}))


def _with_key(call: Call, body: Row) -> Row:
    parts = urlsplit(body["url"])
    query = urlencode([*parse_qsl(parts.query), ("apikey", KEY)])
    return {"url": parts._replace(query=query).geturl()}


def _for_all(call: Call, body: Row) -> Row:
    parts = urlsplit(body["url"])
    query = dict(parse_qsl(parts.query))
    query["token"] = signed({"customerId": "customer_of_somebody_else", "exp": 2_000_000_000})
    return {"url": parts._replace(query=urlencode(query)).geturl()}


def _key_in_errors(call: Call, reply: Reply) -> Reply:
    if reply.status >= 400 and isinstance(reply.body, dict):
        given = call.headers.get("x-apikey") or "none"
        words = f"{reply.body['message']} (x-apikey {given}, known keys: {KEY})"
        reply.body = {**reply.body, "message": words}
    return reply


def _token_in_errors(call: Call, reply: Reply) -> Reply:
    if reply.status >= 400 and isinstance(reply.body, dict):
        request = {"url": "https://api.third.example", "headers": {"Authorization": f"Bearer {TOKEN}"}}
        reply.body = {**reply.body, "data": {**reply.body.get("data", {}), "request": request}}
    return reply


def _key_in_header(call: Call, reply: Reply) -> Reply:
    reply.headers["x-debug-apikey"] = KEY
    return reply


def _secrets_of_mailboxes(service: Service, rng: Random) -> set[str]:
    """Passwords of mailboxes come along in raw data."""
    for number, row in enumerate(service.lists[MAILBOX]):
        row["raw_data"] = deepcopy(row["raw_data"])
        row["raw_data"]["smtp"] = {"host": "smtp.example.com", "password": f"Hunter-{number:04}-zebra!"}
        row["raw_data"]["oauth"] = {"refresh_token": f"1//0g{'xYz9' * 9}{number:03}", "expires_in": 3599}
    return {row["id"] for row in service.lists[MAILBOX]}


def _key_of_links(call: Call, body: Row) -> Row:
    """The connector's own key stands in the address of each file's download."""
    items = deepcopy(body["items"])
    for one in items:
        one["raw_data"]["download_url"] = f"https://dl.third.example/{one['id']}?access_token={TOKEN}"
    return {**body, "items": items}


def _empty_for_wrong_key(call: Call, reply: Reply) -> Reply:
    if reply.status == 401:
        return Reply(200, {"items": [], "has_next_page": False, "next_cursor": None})
    return reply


def _status(value: Any) -> Bend:
    def bend(call: Call, body: Row) -> Row:
        return {**body, "status": value} if value else {"info": body["info"]}

    return bend


def _open_webhook(service: Service) -> None:
    """A webhook is taken without a token, or with any."""
    sound = service._admit

    def admit(call: Call) -> None:
        if call.key == WEBHOOK:
            call.headers["authorization"] = f"Bearer {KEY}"
        sound(call)

    service._admit = admit  # type: ignore[method-assign]


KINDS: list[Kind] = [
    L.call(
        "a link for thirty days",
        "validityInSeconds is ignored: the token of each link holds for thirty days",
        "",
        "body",
        LINK,
        _expiry(lambda sent: 2592000),
    ),
    L.call(
        "a link for milliseconds",
        "validityInSeconds is taken for milliseconds: the token ends a thousand times too early",
        "",
        "body",
        LINK,
        _expiry(lambda sent: sent.get("validityInSeconds", 2592000) // 1000),
    ),
    L.call(
        "a link for somebody else",
        "the token of a link names another customer than the call did",
        "",
        "body",
        LINK,
        _for_all,
    ),
    L.call(
        "a link without an address",
        "url begins with undefined in place of scheme and host",
        "url",
        "body",
        LINK,
        _linked(lambda sent: "undefined" + magic_link(sent).removeprefix("https://connect.third.example")),
    ),
    L.call(
        "a link with the key",
        "the organization's key stands in the link that a customer opens",
        "",
        "body",
        LINK,
        _with_key,
    ),
    W.call(
        "a status of its own",
        "status of the acknowledgment is neither ok nor error",
        "status",
        "body",
        WEBHOOK,
        _status("received"),
    ),
    W.program(
        "a webhook for everybody", "webhooks are taken with a token that nobody was given", "", _open_webhook
    ),
    K.call(
        "the key in a check",
        "the answer of a check repeats the key that the call was made with",
        "",
        "body",
        CHECKED,
        lambda call, body: {**body, "request": {"headers": {"x-apikey": KEY}}},
    ),
    K.call(
        "another connection checked",
        "the answer of a check is about another connection than the path names",
        "",
        "body",
        CHECKED,
        lambda call, body: {**body, "id": "conn_somebody_else"},
    ),
    Table(JOBS, "").program(
        "any key",
        "a wrong key, or none, is answered as the right one is",
        "",
        lambda service: _lenient(service, ("x-apikey",)),
    ),
    Table(SALES, "").program(
        "no connection asked for",
        "lists are given without x-connection-id, which the contract requires",
        "",
        lambda service: _lenient(service, ("x-connection-id",)),
    ),
    Table(FILES, "").program(
        "a connection that does not exist",
        "an unknown x-connection-id has another connection's rows",
        "",
        _any_connection,
    ),
    Table(JOBS, "").call(
        "nothing for a wrong key",
        "a wrong key is answered with 200 and an empty list",
        "",
        "reply",
        JOB,
        _empty_for_wrong_key,
    ),
    Table(SALES, "").call(
        "keys in errors", "messages of failures name the organization's key", "", "reply", "", _key_in_errors
    ),
    Table(FILES, "").call(
        "the third party's token in errors",
        "failures repeat the request to the third party with its token",
        "",
        "reply",
        "",
        _token_in_errors,
    ),
    Table(JOBS, "").call(
        "the key in a header",
        "every answer has the organization's key in a header",
        "",
        "reply",
        "",
        _key_in_header,
    ),
    Table(SALES, MAILBOX).whole(
        "passwords of mailboxes",
        "raw_data has the passwords and refresh tokens of mailboxes",
        _secrets_of_mailboxes,
        "raw_data",
    ),
    Table(FILES, FILE).call(
        "the token in addresses",
        "raw_data has an address with the connector's own access token",
        "",
        "body",
        FILE,
        _key_of_links,
    ),
]
