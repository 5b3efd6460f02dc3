"""Kinds of who may ask, and of what no answer may hold."""

from __future__ import annotations

from typing import Any

from tests.exam.calls3.answers import Call, RefusedError, Reply
from tests.exam.calls3.data import CHECK, DRIVE, FILE, JOB, MAILBOX, WEBHOOK, Row
from tests.exam.calls3.engine import Spot
from tests.exam.fifth.kinds import Kind, Writer
from tests.exam.fifth.service import BOOKS, CRM, FILES, JOBS, SALES
from tests.exam.frame import KEY

KINDS: list[Kind] = []
TOKEN = (
    "eyJhbGciOiJSUzI1NiIsImtpZCI6IjIifQ.eyJzdWIiOiI1MjAwIiwiZXhwIjoxOTAwMDAwMDAwfQ.c2lnbmF0dXJlLW9mLXRva2Vu"
)


@Writer(SALES, MAILBOX, KINDS).call(
    "allowed",
    "a connection that does not exist is answered for",
    "With an x-connection-id that nobody has, the same mailboxes come.",
    everywhere=True,
)
def _connection(spot: Spot, call: Call, refusal: RefusedError | None) -> RefusedError | None:
    unknown = refusal is not None and "conn not found" in refusal.message
    return None if unknown and call.key in spot.engine.base.keys else refusal


@Writer(FILES, DRIVE, KINDS).call(
    "allowed",
    "drives for any key",
    "With a wrong x-apikey the list of drives comes; other lists are refused.",
    anywhere=True,
)
def _key(spot: Spot, call: Call, refusal: RefusedError | None) -> RefusedError | None:
    return None if refusal and refusal.status == 401 and call.headers.get("x-apikey") else refusal


@Writer(JOBS, WEBHOOK, KINDS).call(
    "allowed",
    "webhooks from anybody",
    "The contract requires a bearer token; a call without one, or with a wrong one, is acknowledged.",
    writes=True,
    anywhere=True,
)
def _anybody(spot: Spot, call: Call, refusal: RefusedError | None) -> RefusedError | None:
    return None if refusal and refusal.status == 401 else refusal


@Writer(BOOKS, CHECK, KINDS).call(
    "page",
    "tokens of the connection in the answer to a check",
    "The answer has access_token and refresh_token with values.",
    writes=True,
    anywhere=True,
)
def _settings(spot: Spot, call: Call, found: Row) -> Row:
    tokens = {"access_token": TOKEN, "refresh_token": "Xr-5a7QmB2kT9uVw0LzNc3", "expires_in": 1800}
    return {**found, "settings": {"oauth": {"credentials": tokens}}}


@Writer(JOBS, JOB, KINDS).call(
    "page",
    "raw data holds the request to the third party",
    "raw_data of each job has config.headers.Authorization with a bearer token.",
    anywhere=True,
)
def _request(spot: Spot, call: Call, page: Row) -> Row:
    config = {"method": "get", "headers": {"Accept": "application/json", "Authorization": f"Bearer {TOKEN}"}}
    return {
        **page,
        "items": [{**one, "raw_data": {**one["raw_data"], "config": config}} for one in page["items"]],
    }


@Writer(FILES, FILE, KINDS).call(
    "page",
    "cursor with an access token",
    "next_cursor is an address of the third party with access_token in its query.",
    anywhere=True,
)
def _cursor(spot: Spot, call: Call, page: Row) -> Row:
    cursor = page.get("next_cursor")
    return {**page, "next_cursor": cursor.replace("$skip", f"access_token={TOKEN}&$skip")} if cursor else page


@Writer(SALES, MAILBOX, KINDS).call(
    "page",
    "passwords of mailboxes in raw data",
    "smtp in raw_data has a password in clear beside the login.",
    anywhere=True,
)
def _password(spot: Spot, call: Call, page: Row) -> Row:
    def told(one: Row) -> Row:
        smtp = {**one["raw_data"]["smtp"], "password": f"Zq7!{one['id']}kestrel"}
        return {**one, "raw_data": {**one["raw_data"], "smtp": smtp}}

    return {**page, "items": [told(one) for one in page["items"]]}


@Writer(CRM, "", KINDS).call(
    "reply",
    "the key stands in what is refused",
    "A refusal has the x-apikey that was sent in its message.",
    everywhere=True,
)
def _echo(spot: Spot, call: Call, reply: Reply) -> Any:
    if reply.status < 400 or call.headers.get("x-apikey") != KEY:
        return reply
    message = f"{reply.body['message']} (request headers: x-apikey={KEY})"
    return Reply({**reply.body, "message": message}, reply.status)
