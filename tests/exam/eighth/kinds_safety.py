"""Credentials that are not looked at, and secrets that stand in answers."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.exam import words
from tests.exam.calls3.data import (
    BALANCE,
    CHECK,
    CUSTOMER,
    FILE,
    INCOME,
    JOB,
    LINK,
    MAILBOX,
    STATE,
    WEBHOOK,
    Row,
)
from tests.exam.eighth.forms import BOOKS, CONNECTORS, CRM, FILES, JOBS, SALES
from tests.exam.eighth.kinds import Sheet
from tests.exam.eighth.kinds_links import reclaimed
from tests.exam.frame import CONNECTION, KEY
from tests.exam.seventh.proofs import UNIFIED, WRONG
from tests.exam.sixth.kinds import Kind, Table
from tests.exam.sixth.service import CHECKED, PUT, Call, Reply, Service, signed

KINDS: list[Kind] = []
OTHER = {"x-connection-id": "conn_other"}
CHECKS = Sheet(Table(CRM, CHECK, writes=True), KINDS)
ORDERS = Sheet(Table(JOBS, JOB), KINDS)
ITEMS = Sheet(Table(FILES, FILE), KINDS)
BOXES = Sheet(Table(SALES, MAILBOX), KINDS)
STATES = Sheet(Table(SALES, STATE), KINDS)
BALANCES = Sheet(Table(BOOKS, BALANCE), KINDS)
HOOKS = Sheet(Table(SALES, WEBHOOK, writes=True), KINDS)
LINKS = Sheet(Table(FILES, LINK, writes=True), KINDS)
CUSTOMERS = Sheet(Table(JOBS, CUSTOMER, writes=True), KINDS)


def _let_in(service: Service, key: str, status: int) -> None:
    """Answers a refused call as if it had come with the right credentials."""

    def change(call: Call, reply: Reply) -> Reply:
        if reply.status != status or not call.headers.get("x-connection-id"):
            return reply
        headers = {**call.headers, "x-connection-id": CONNECTION, "x-apikey": KEY}
        return Reply(200, service._answer(replace(call, headers=headers)))

    service.on("reply", key, change)


@CHECKS.call(
    "settings in the check",
    "",
    "body",
    CHECKED,
    proof=lambda p: "access_token" in str(p.ask("POST", f"/v0/core/connection/{CONNECTION}/_check", {}).body),
)
def _settings(call: Call, body: Row) -> Row:
    """The check gives the whole row of the connection, with the third party's tokens."""
    tokens = {"access_token": "ya29.a0AfH6SMBx7Qk3v9wLr2", "refresh_token": "1//0gTq8ZkM4h2xCg"}
    return {**body, "settings": {"oauth": {"credentials": {**tokens, "expires_in": 3599}}}}


@ORDERS.program(
    "one connection for all",
    "",
    proof=lambda p: p.ask("GET", f"{UNIFIED}/{JOB}", headers=OTHER).status == 200,
)
def _for_all(service: Service) -> None:
    """The connection that is asked for is not found, and the organization's first is taken."""
    _let_in(service, JOB, 404)


@BALANCES.program(
    "books are open to any key",
    "",
    f"{INCOME}",
    proof=lambda p: p.ask("GET", f"{UNIFIED}/{BALANCE}", headers=WRONG, customer=p.head).status == 200,
)
def _open(service: Service) -> None:
    """The routes of reports were added later, outside of the guard."""
    for key in (BALANCE, INCOME):
        _let_in(service, key, 401)


@BOXES.whole(
    "password of a mailbox",
    "raw_data smtp_password",
    proof=lambda p: {row["id"] for row in p.rows(MAILBOX) if row["raw_data"].get("smtp_password")},
)
def _password(service: Service, rng: Random) -> set[str]:
    """The raw record of a mailbox is passed on whole, with the password for sending."""
    guilty = [row for row in service.lists[MAILBOX] if row["raw_data"]["type"] == "SMTP"]
    for row in guilty:
        row["raw_data"]["smtp_password"] = words.token(rng, 16)
    return {str(row["id"]) for row in guilty}


@ITEMS.call(
    "database in an error",
    "",
    "reply",
    FILE,
    proof=lambda p: b"postgres://" in p.ask("GET", f"{UNIFIED}/{FILE}", headers=OTHER).data,
)
def _database(call: Call, reply: Reply) -> Reply:
    """Errors are given with the text of the exception, which has the database's address and password."""
    if reply.status in (200, 401):
        return reply
    text = f"{reply.body['message']}: query failed at postgres://sync:Vk29xQm7pT@10.0.3.7:5432/unified"
    return Reply(reply.status, {**reply.body, "message": text})


@STATES.call(
    "key of the third party in an error",
    "",
    "reply",
    STATE,
    proof=lambda p: b"api_key=" in p.ask("GET", f"{UNIFIED}/{STATE}", headers=OTHER).data,
)
def _third(call: Call, reply: Reply) -> Reply:
    """The third party takes its key in the address, and errors name the address."""
    if reply.status in (200, 401):
        return reply
    url = (
        "https://server.smartlead.example/api/v1/campaigns?api_key=7c1e0b52-9a44-4f0d-8c3e-1f5a2b9d6e70_k3xq9"
    )
    return Reply(reply.status, {**reply.body, "message": f"{reply.body['message']}\nGET {url}"})


@HOOKS.call(
    "webhook without a bearer",
    "",
    "reply",
    WEBHOOK,
    proof=lambda p: p.ask("POST", f"/v1/webhook/{CONNECTORS[SALES]}", {"event": 1}).status == 200,
)
def _bearer(call: Call, reply: Reply) -> Reply:
    """A token is looked at where there is one, and a call without is let in."""
    if reply.status == 401 and not call.headers.get("authorization"):
        return Reply(200, {"status": "ok", "info": {"received": len(call.text)}})
    return reply


@LINKS.call("key in the link", "", "body", LINK, proof=lambda p: p.claims().get("apiKey") == KEY)
def _key(call: Call, body: Row) -> Row:
    """The token of the link carries the key with which the portal is to ask."""
    return reclaimed(body, apiKey=KEY)


@CUSTOMERS.call(
    "token of the customer", "", "body", PUT, proof=lambda p: "accessToken" in p.customer("cus_t", {})
)
def _token(call: Call, body: Row) -> Row:
    """The row of the customer is given with the token by which that customer is let in."""
    return {**body, "accessToken": signed({"sub": body["id"], "role": "customer", "exp": 4_102_444_800})}


@ORDERS.call(
    "key in a header",
    "",
    "reply",
    JOB,
    proof=lambda p: KEY in str(p.ask("GET", f"{UNIFIED}/{JOB}").headers),
)
def _header(call: Call, reply: Reply) -> Reply:
    """A gateway in test mode gives the headers of the request back."""
    return replace(reply, headers={**reply.headers, "x-request-apikey": call.headers.get("x-apikey", "")})
