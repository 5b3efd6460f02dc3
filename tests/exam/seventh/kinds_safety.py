"""Keys, connections and answers that say too much or cannot be read."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

from tests.exam.calls3.data import BALANCE, DRIVE, FILE, JOB, MAILBOX, STATE, WEBHOOK, Row
from tests.exam.frame import KEY
from tests.exam.seventh.forms import BOOKS, CONNECTORS, FILES, JOBS, SALES
from tests.exam.sixth.kinds import Spot, Table, either
from tests.exam.sixth.service import Call, Reply, Service

JOB_LIST, FILE_LIST, DRIVE_LIST = Table(JOBS, JOB), Table(FILES, FILE), Table(FILES, DRIVE)
BOXES, STATE_LIST, BALANCES = Table(SALES, MAILBOX), Table(SALES, STATE), Table(BOOKS, BALANCE)
HOOKS = Table(SALES, WEBHOOK, writes=True)
TOKEN = "1!Zx8vQ0yq3LrTn5wKf2Jb7dHc9GmSaEpUoIiX4t6NYlRkMjWeVDBh"


def _open_later(service: Service) -> None:
    """Who holds a cursor is not asked for a key."""

    def opened(call: Call, reply: Reply) -> Reply:
        if reply.status == 401 and call.key == JOB and call.query.get("cursor"):
            return Reply(200, service._page(call))
        return reply

    service.on("reply", "", opened)


def _packed(service: Service) -> None:
    """The whole request is packed into the cursor, its headers too."""

    def unpack(call: Call, sent: Any) -> Any:
        if call.query.get("cursor"):
            call.query["cursor"] = json.loads(base64.b64decode(call.query["cursor"]))["after"]
        return sent

    def pack(call: Call, page: Row) -> Row:
        if page["next_cursor"]:
            held = {"after": page["next_cursor"], "headers": {"x-apikey": call.headers.get("x-apikey")}}
            page["next_cursor"] = base64.b64encode(json.dumps(held).encode()).decode()
        return page

    service.on("take", FILE, unpack)
    service.on("body", FILE, pack)


def _request_told(call: Call, reply: Reply) -> Reply:
    if reply.status == 404 and isinstance(reply.body, dict):
        held = {"method": call.method, "url": call.path, "headers": {"x-apikey": KEY}}
        reply.body = {**reply.body, "data": {**reply.body["data"], "request": held}}
    return reply


def _traced(call: Call, reply: Reply) -> Reply:
    reply.headers["x-upstream-authorization"] = f"Bearer {TOKEN}"
    return reply


def _with_token(row: Row, spot: Spot) -> None:
    if row["type"] == "file":
        link = f"https://dl.box.example/2.0/files/{row['id']}/content?access_token={TOKEN}"
        row["raw_data"]["authenticated_download_url"] = link


def _latin(call: Call, reply: Reply) -> Reply:
    if reply.status == 200:
        reply.body = json.dumps(reply.body, ensure_ascii=False).encode("latin-1", "replace")
    return reply


def _error_as_success(call: Call, reply: Reply) -> Reply:
    if reply.status == 400 and call.query.get("cursor"):
        reply.status, reply.body = 200, {"error": {"message": "The cursor is not valid"}}
    return reply


def _any_token(service: Service) -> None:
    """A token is looked at for its form alone."""

    def opened(call: Call, reply: Reply) -> Reply:
        if reply.status == 401 and call.headers.get("authorization", "").startswith("Bearer "):
            known = call.id == CONNECTORS[SALES]
            return Reply(200, {"status": "ok", "info": None}) if known else reply
        return reply

    service.on("reply", WEBHOOK, opened)


MADE = [
    JOB_LIST.program(
        "no key beside a cursor",
        "A call with a cursor and a wrong key is answered with the rows of the next page; without a cursor it is "
        "refused.",
        "",
        _open_later,
    ),
    FILE_LIST.program(
        "key in the cursor",
        "`next_cursor`, read as Base64, holds the key of the caller.",
        "",
        _packed,
    ),
    JOB_LIST.call(
        "key in the body of an error",
        "The answer to a call that is not found repeats the caller's `x-apikey`.",
        "",
        "reply",
        JOB,
        _request_told,
    ),
    DRIVE_LIST.call(
        "token of the third party in a header",
        "Answers have a header `x-upstream-authorization` with the third party's bearer token.",
        "",
        "reply",
        DRIVE,
        _traced,
    ),
    replace(
        FILE_LIST.row(
            "token in the address of a file",
            "Raw data of one file hold an address with `access_token`: whoever reads the record can act at the third "
            "party.",
            "raw_data",
            _with_token,
            "one",
        ),
        part="calls",
    ),
    STATE_LIST.call(
        "answers in Latin-1",
        "Answers are not UTF-8, as JSON has to be: letters of `first_name` are single bytes or question marks.",
        "",
        "reply",
        STATE,
        _latin,
    ),
    JOB_LIST.call(
        "error with status 200",
        "A cursor that does not exist is answered with status 200 and an `error`: the required `items` and "
        "`has_next_page` are missing.",
        "",
        "reply",
        JOB,
        _error_as_success,
    ),
    HOOKS.program(
        "any token opens the webhook",
        "The webhook acknowledges a call whose bearer token is none of the organization's, with status 200 and `ok`.",
        "",
        _any_token,
    ),
]
KINDS = [one if one.fields else either(one, "") for one in MADE]
"""Of a key that gets out or in a report may speak wherever it likes."""
