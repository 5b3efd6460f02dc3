"""One service that speaks the whole interface; what is wrong with it is bent into it at named points."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any
from urllib.parse import unquote

from tests.exam.calls3.answers import Call, Cut, RefusedError, Reply, error, wrong
from tests.exam.calls3.data import (
    ACCOUNT,
    BALANCE,
    CHECK,
    CONTACT,
    CUSTOMER,
    DRIVE,
    FILE,
    LINK,
    LISTS,
    PIPELINE,
    RECEIPT,
    REPORTS,
    SIZED,
    WEBHOOK,
    Base,
    Row,
    World,
    stamp,
)
from tests.exam.calls3.money import Books, period_of
from tests.exam.calls3.tokens import magic_url
from tests.exam.frame import CONNECTION, KEY

ORGANIZATION = "org_exam"
NAMES_OF_CONNECTORS = frozenset(
    [
        "hubspot",
        "salesforce",
        "pipedrive",
        "greenhouse",
        "lever",
        "ashby",
        "workable",
        "outreach",
        "salesloft",
        "apollo",
        "quickbooks",
        "xero",
        "google-drive",
        "sharepoint",
        "dropbox",
        "box",
        "stripe",
        "slack",
        "notion",
    ]
)
THEMES, VIEWS = ("light", "dark"), ("manage", "manage-deeplink", "add", "add-deeplink")


Bending = Callable[["Spot", Call, Any], Any]


@dataclass(frozen=True, slots=True)
class Bend:
    """A change of what the engine does at one point, for one resource or (empty) for all."""

    at: str
    key: str
    change: Bending


@dataclass(slots=True)
class Spot:
    """Where a bend stands: what its function is given."""

    engine: Engine
    key: str
    rng: Random
    guilty: frozenset[str] = frozenset()
    memo: dict[str, Any] = field(default_factory=dict)


class Engine:
    """The service. Points to bend: allowed, asked, rows, size, cut, page, sent, kept, shown, found, match, reply."""

    def __init__(self, base: Base, seed: int) -> None:
        self.base, self.world = base, World(base, seed)
        self.lists = self.world.lists
        self.books = Books(seed)
        self.kept: dict[str, dict[str, Row]] = {CONTACT: {}, PIPELINE: {}, CUSTOMER: {}}
        self.bends: list[tuple[Bend, Spot]] = []

    def bent(self, point: str, call: Call, value: Any) -> Any:
        for bend, spot in self.bends:
            if bend.at == point and bend.key in ("", call.key):
                value = bend.change(spot, call, value)
        return value

    def now(self) -> str:
        return stamp(datetime.now(UTC))

    # ------------------------------------------------------------ the way of a call

    def answer(self, call: Call) -> Reply:
        self._route(call)
        try:
            self._allow(call)
            reply = self._answered(call)
        except RefusedError as refused:
            reply = error(refused.status, refused.message, f"{call.key}.{call.act}", refused.issues)
        done: Reply = self.bent("reply", call, reply)
        return done

    def _route(self, call: Call) -> None:
        """Finds the resource and what is asked of it."""
        parts = [unquote(part) for part in call.path.strip("/").split("/")]
        match parts[:1], parts[1:], call.method:
            case ["v0"], ["unified", vertical, name], method:
                key = f"{vertical}/{name}"
                if method == "GET" and key in (*LISTS, *REPORTS, RECEIPT):
                    call.key, call.act = key, "list" if key in LISTS else "read"
                elif (key, method) == (CONTACT, "POST"):
                    call.key, call.act = key, "create"
            case ["v0"], ["unified", "crm", "contact", "_upsert"], "POST":
                call.key, call.act = CONTACT, "upsert"
            case ["v0"], ["unified", "crm", "contact", of], "PATCH":
                call.key, call.act, call.of = CONTACT, "patch", of
            case ["v0"], ["unified", "crm", "account", "_batch_read"], "POST":
                call.key, call.act = ACCOUNT, "read"
            case ["v0"], ["core", "pipeline"], "POST":
                call.key, call.act = PIPELINE, "create"
            case ["v0"], ["core", "pipeline", of], "PATCH":
                call.key, call.act, call.of = PIPELINE, "patch", of
            case ["v0"], ["core", "connection", of, "_check"], "POST":
                call.key, call.act, call.of = CHECK, "check", of
            case ["v0"], ["core", "customer", of], "PUT":
                call.key, call.act, call.of = CUSTOMER, "put", of
            case ["v0"], ["connect", "magic-link"], "POST":
                call.key, call.act = LINK, "create"
            case ["v1"], ["webhook", of], "POST":
                call.key, call.act, call.of = WEBHOOK, "hook", of
            case _:
                pass

    def _allow(self, call: Call) -> None:
        """Key and connection."""
        refusal: RefusedError | None = self.bent("allowed", call, self._refusal(call))
        if refusal:
            raise refusal

    def _refusal(self, call: Call) -> RefusedError | None:
        if not call.key:
            return RefusedError(404, "Not found")
        bearer = call.headers.get("authorization", "").removeprefix("Bearer ")
        key = bearer if call.key == WEBHOOK else call.headers.get("x-apikey") or bearer
        if key != KEY:
            return RefusedError(401, "UNAUTHORIZED")
        if not call.unified:
            return None
        connection = call.headers.get("x-connection-id")
        if not connection:
            return RefusedError(400, "x-connection-id header is required")
        if connection != CONNECTION:
            return RefusedError(404, f"conn not found: {connection}")
        if call.key not in self.base.keys:
            adapter = f"Adapter {self.base.name} not found"
            return RefusedError(
                self.base.absent[0], "Not implemented" if self.base.absent[0] == 501 else adapter
            )
        return None

    def _answered(self, call: Call) -> Reply:
        call.query = self.bent("asked", call, call.query)
        if call.method != "GET" and call.key != WEBHOOK:
            call.sent = self.bent("sent", call, self._parsed(call))
        handlers: dict[str, Callable[[Call], Any]] = {
            CONTACT: self._contact,
            ACCOUNT: self._batch,
            PIPELINE: self._pipeline,
            CHECK: self._check,
            CUSTOMER: self._customer,
            LINK: self._link,
            WEBHOOK: self._webhook,
            RECEIPT: self._receipt,
        }
        handle = self._list if call.act == "list" else self._report if call.key in REPORTS else None
        body = (handle or handlers[call.key])(call)
        return body if isinstance(body, Reply) else Reply(body)

    def _parsed(self, call: Call) -> Any:
        try:
            sent = json.loads(call.body or b"{}")
        except ValueError:
            raise RefusedError(400, "The body is not JSON") from None
        if not isinstance(sent, dict):
            raise wrong(message="expected an object")
        return sent

    # ------------------------------------------------------------ lists

    def _list(self, call: Call) -> Row:
        if call.query.get("sync_mode", "full") not in ("full", "incremental"):
            raise wrong("sync_mode", message="expected full or incremental")
        rows: list[Row] = self.bent("rows", call, self.filtered(call, self.lists[call.key]))
        start, held = 0, None
        if cursor := call.query.get("cursor"):
            try:
                start, held = self.base.position(cursor, rows)
            except (ValueError, KeyError, TypeError):
                raise wrong("cursor", message="Invalid cursor") from None
        size: int = self.bent("size", call, self._size(call, held))
        onward = start + size if start + size < len(rows) else None
        cut: Cut = self.bent("cut", call, Cut(rows, start, size, rows[start : start + size], onward))
        return self.bent("page", call, self.page(call, cut))  # type: ignore[no-any-return]

    def _size(self, call: Call, held: int | None) -> int:
        if call.key not in SIZED:
            return self.base.usual
        asked = call.query.get("page_size")
        if asked is None:
            return held or self.base.usual
        if not asked.isdecimal() or len(asked) > 9 or int(asked) < 1:
            raise wrong("page_size", message="expected a positive number")
        return held or min(int(asked), self.base.most)

    def page(self, call: Call, cut: Cut) -> Row:
        """The envelope."""
        sized = call.key in SIZED
        name = "next_cursor" if sized else "next_page_cursor"
        page: Row = {"items": cut.items} | ({"has_next_page": cut.onward is not None} if sized else {})
        if cut.onward is None:
            return page | dict.fromkeys([name] if self.base.end else [], self.base.end.get("next_cursor"))
        return page | {name: self.base.cursor(cut.rows, cut.onward, cut.size)}

    def filtered(self, call: Call, rows: list[Row]) -> list[Row]:
        """The rows that the parameters ask for."""
        asked = call.query
        if call.key == DRIVE and (group := asked.get("drive_group_id")):
            return [row for row in rows if row["raw_data"]["owner"]["group"]["id"] == group]
        if call.key == FILE:
            if group := asked.get("drive_group_id"):
                of = {
                    one["id"] for one in self.lists[DRIVE] if one["raw_data"]["owner"]["group"]["id"] == group
                }
                rows = [row for row in rows if within(row, "driveId") in of]
            for name, part in (("drive_id", "driveId"), ("folder_id", "id")):
                if wanted := asked.get(name):
                    rows = [row for row in rows if within(row, part) == wanted]
        return rows

    def _batch(self, call: Call) -> list[Row]:
        for name in ("ids", "properties"):
            if not isinstance(call.sent.get(name), list):
                raise wrong(name, message="expected an array")
        wanted = {str(one) for one in call.sent["ids"]}
        named = {str(one) for one in call.sent["properties"]}
        always = ("id", "updated_at", "raw_data")
        rows = []
        for row in self.lists[ACCOUNT]:
            if row["id"] in wanted:
                own = {name: value for name, value in row["raw_data"]["properties"].items() if name in named}
                theirs = {"website": "domain", "number_of_employees": "numberofemployees"}
                shown = {
                    name: value
                    for name, value in row.items()
                    if name in always or theirs.get(name, name) in named
                }
                rows.append(shown | {"raw_data": {"id": row["id"], "properties": own}})
        return self.bent("found", call, rows)  # type: ignore[no-any-return]

    # ------------------------------------------------------------ contacts

    def _contact(self, call: Call) -> Row:
        kept, record = self.kept[CONTACT], call.sent.get("record")
        if not isinstance(record, dict):
            raise wrong("record", message="expected an object")
        texts = ("first_name", "last_name", "email", "phone")
        for name in texts:
            if not isinstance(record.get(name), str | None):
                raise wrong("record", name, message="expected a string")
        if not isinstance(record.get("passthrough_fields"), dict | None):
            raise wrong("record", "passthrough_fields", message="expected an object")
        act, of = call.act, call.of
        if act == "upsert":
            of = self._matching(call)
            act = "patch" if of else "create"
        if act == "patch" and of not in kept:
            raise RefusedError(404, f"contact not found: {of}")
        given = {name: record[name] for name in texts if name in record}
        old: Row = kept.get(of) or {"id": self.world.new_id(), "passthrough": {}}
        row = old | given | {"passthrough": old["passthrough"] | (record.get("passthrough_fields") or {})}
        row = self.bent("kept", call, row | {"updated_at": self.now()})
        kept[row["id"]] = row
        return self.bent("shown", call, {"record": self.shown(row)})  # type: ignore[no-any-return]

    def shown(self, row: Row) -> Row:
        """A contact as it is answered."""
        own: Row = {name: row[name] for name in ("first_name", "last_name", "email", "phone") if name in row}
        raw = {name.replace("_", ""): value for name, value in own.items()} | row["passthrough"]
        given = {"id": row["id"], "updated_at": row["updated_at"], **own}
        return {**given, "raw_data": {"id": row["id"], "properties": raw}}

    def _matching(self, call: Call) -> str:
        upsert_on = call.sent.get("upsert_on")
        if not isinstance(upsert_on, dict) or not isinstance(upsert_on.get("values"), list):
            raise wrong("upsert_on", message="expected an object with key and values")
        if upsert_on.get("key") != "email":
            raise wrong("upsert_on", "key", message="expected email")
        values = {str(one).lower() for one in upsert_on["values"]}
        found = [
            of for of, row in self.kept[CONTACT].items() if str(row.get("email") or "").lower() in values
        ]
        found = self.bent("match", call, found)
        if len(found) > 1:
            raise RefusedError(400, f"{len(found)} contacts match")
        return found[0] if found else ""

    # ------------------------------------------------------------ reports

    def _report(self, call: Call) -> Row:
        customer = call.query.get("customer")
        if not customer:
            raise wrong("customer", message="Required")
        try:
            start, end = period_of(call.query)
        except ValueError as failed:
            raise wrong("start_date", message=str(failed)) from None
        make = self.books.balance if call.key == BALANCE else self.books.income
        return self.bent("page", call, make(customer.split(","), start, end))  # type: ignore[no-any-return]

    def _receipt(self, call: Call) -> Any:
        number = call.query.get("customer_transaction_id")
        if not number:
            raise wrong("customer_transaction_id", message="Required")
        if number not in map(str, range(1001, 1041)):
            raise RefusedError(404, f"[404 Not Found] payment {number}")
        if self.base.name == "store":
            return Reply(raw=b"%PDF-1.4\n%%EOF\n", kind="application/pdf")
        return {"id": number, "amount": int(number) * 1.25, "currency": self.books.currency}

    # ------------------------------------------------------------ core, links, webhook

    def _pipeline(self, call: Call) -> Row:
        kept, sent = self.kept[PIPELINE], call.sent
        of = call.of or sent.get("id")
        if not isinstance(of, str) or not of.startswith("pipe_"):
            raise wrong("id", message="Is not a valid pipeline id, expecting pipe_")
        for name in ("sourceId", "destinationId") if call.act == "create" else ():
            if (value := sent.get(name)) is not None:
                if not str(value).startswith("conn_"):
                    raise wrong(name, message="Is not a valid connection id, expecting conn_")
                if value != CONNECTION:
                    raise RefusedError(404, f"conn not found: {value}")
        if not isinstance(sent.get("disabled"), bool | None):
            raise wrong("disabled", message="expected a boolean")
        if call.act == "patch" and of not in kept:
            raise RefusedError(404, f"pipeline not found: {of}")
        made: Row = {
            "id": of,
            "createdAt": self.now(),
            "sourceState": {},
            "destinationState": {},
            "linkOptions": [],
        }
        made |= {"disabled": False, "metadata": None, "streams": None}
        old = kept.get(of) or made
        names = ["disabled", "streams", "metadata"]
        if call.act == "create":
            names += ["sourceId", "destinationId"]
        given = {name: sent[name] for name in names if name in sent}
        for name in ("metadata", "streams"):
            if isinstance(given.get(name), dict) and call.act == "patch":
                before = old.get(name)
                given[name] = (before if isinstance(before, dict) else {}) | given[name]
        kept[of] = self.bent("kept", call, old | given | {"updatedAt": self.now()})
        return dict(kept[of])

    def _check(self, call: Call) -> Any:
        if not call.of.startswith("conn_"):
            raise wrong("id", message="Is not a valid connection id, expecting conn_")
        if call.of != CONNECTION:
            raise RefusedError(404, f"conn not found: {call.of}")
        return {"id": call.of, "connectorName": self.base.name, "status": "healthy"}

    def _customer(self, call: Call) -> Row:
        row: Row = {"id": call.of, "orgId": ORGANIZATION}
        row |= {"metadata": call.sent["metadata"]} if "metadata" in call.sent else {}
        row = self.bent("kept", call, row)
        self.kept[CUSTOMER][call.of] = row
        return row

    def _link(self, call: Call) -> Row:
        sent = call.sent
        if not isinstance(sent.get("customerId"), str) or not sent["customerId"]:
            raise wrong("customerId", message="String must contain at least 1 character(s)")
        for name, known in (("theme", THEMES), ("view", VIEWS)):
            if sent.get(name) not in (None, *known):
                raise wrong(name, message=f"expected one of {', '.join(known)}")
        seconds = sent.get("validityInSeconds", 2592000)
        if not isinstance(seconds, int | float) or isinstance(seconds, bool):
            raise wrong("validityInSeconds", message="expected a number")
        if abs(seconds) > 10**12:
            raise wrong("validityInSeconds", message="too large")
        return {"url": magic_url(sent, seconds)}

    def _webhook(self, call: Call) -> Reply:
        if call.of not in NAMES_OF_CONNECTORS:
            raise wrong("connector_name", message="Invalid enum value")
        if len(call.of) % 2:
            raise RefusedError(501, "Not implemented")
        return Reply({"status": "ok", "info": {"events": 0}})


def within(row: Row, part: str) -> Any:
    """What a file is in: ``driveId`` or ``id`` of the folder."""
    return row["raw_data"]["parentReference"][part]
