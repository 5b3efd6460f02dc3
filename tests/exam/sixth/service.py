"""One service that speaks the whole interface, with places where a kind of defect may change what it does."""

from __future__ import annotations

import base64
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import unquote, urlencode

from tests.exam.calls3.data import (
    ACCOUNT,
    BALANCE,
    CHECK,
    CONTACT,
    CUSTOMER,
    DRIVE,
    FILE,
    INCOME,
    JOB,
    LINK,
    MAILBOX,
    PIPELINE,
    RECEIPT,
    STATE,
    WEBHOOK,
    Row,
)
from tests.exam.frame import CONNECTION, KEY
from tests.exam.sixth.books import Ledger
from tests.exam.sixth.shapes_crm import account

BATCH = f"{ACCOUNT}/batch_read"
CREATE, UPDATE, UPSERT = (f"{CONTACT}/{one}" for one in ("create", "update", "upsert"))
MAKE, CHANGE = f"{PIPELINE}/create", f"{PIPELINE}/update"
CHECKED, PUT = f"{CHECK}/check", f"{CUSTOMER}/put"
CORE = (MAKE, CHANGE, CHECKED, PUT, LINK, WEBHOOK)
LISTS = (JOB, FILE, DRIVE, MAILBOX, STATE)
ROUTES = (
    ("POST", r"/v0/unified/crm/contact/_upsert", UPSERT),
    ("POST", r"/v0/unified/crm/contact", CREATE),
    ("PATCH", r"/v0/unified/crm/contact/(?P<id>[^/]+)", UPDATE),
    ("POST", r"/v0/unified/crm/account/_batch_read", BATCH),
    *(("GET", f"/v0/unified/{key}", key) for key in (*LISTS, BALANCE, INCOME, RECEIPT)),
    ("POST", r"/v0/core/pipeline", MAKE),
    ("PATCH", r"/v0/core/pipeline/(?P<id>[^/]+)", CHANGE),
    ("POST", r"/v0/core/connection/(?P<id>[^/]+)/_check", CHECKED),
    ("PUT", r"/v0/core/customer/(?P<id>[^/]+)", PUT),
    ("POST", r"/v0/connect/magic-link", LINK),
    ("POST", r"/v1/webhook/(?P<id>[^/]+)", WEBHOOK),
)
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
"""When the third party was last written to, before the exam writes."""
CONTACT_FIELDS = {"first_name": "First_Name", "last_name": "Last_Name", "email": "Email", "phone": "Phone"}


@dataclass(slots=True)
class Call:
    """One request, read."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    text: bytes
    key: str = ""
    id: str = ""
    sent: Any = None
    number: int = 0
    """How many calls of this operation there were, this one included."""


@dataclass(slots=True)
class Reply:
    """One answer."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    type: str = "application/json"
    ascii: bool = False

    def data(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return json.dumps(self.body, ensure_ascii=self.ascii).encode()


@dataclass(slots=True)
class Cut:
    """What a page takes of the rows that match."""

    rows: list[Row]
    start: int
    size: int
    onward: int | None


class Refused(Exception):
    """An answer that is no success."""

    def __init__(self, status: int, message: str, code: str = "", issues: list[Row] | None = None) -> None:
        self.status, self.issues = status, issues
        names = {400: "BAD_REQUEST", 401: "UNAUTHORIZED", 404: "NOT_FOUND", 501: "NOT_IMPLEMENTED"}
        self.code = code or names.get(status, "INTERNAL_SERVER_ERROR")
        super().__init__(message)


def wrong(path: str, message: str = "Invalid input") -> Refused:
    """Input that breaks the contract."""
    issue = {"code": "custom", "message": message, "path": [path]}
    return Refused(400, "Input validation failed", issues=[issue])


@dataclass(frozen=True, slots=True)
class Form:
    """What the contract leaves open, as one connector does it."""

    name: str
    keys: tuple[str, ...]
    usual: int = 50
    """Rows of a page when nothing is asked for."""
    most: int = 200
    cursors: str = "token"
    """``token``, ``offset``, ``last`` (the row that was given last), ``odd`` or ``long``."""
    end: str = "null"
    """The cursor of the last page: ``null``, ``absent`` or ``empty``."""
    heeds_size: bool = True
    heeds_properties: bool = True
    empty_page: bool = False
    """Whether a full last page is followed by an empty one."""
    recent: bool = False
    """Whether an incremental read gives the last tenth alone."""
    ragged: tuple[int, ...] = ()
    """Lengths that the pages have in turn, whatever is asked for."""
    absent_nulls: bool = False
    """Whether members that are null are left out of records."""
    ascii: bool = False
    extra: tuple[tuple[str, Any], ...] = ()
    """Further members of the envelope."""

    def cursor(self, rows: list[Row], offset: int) -> str:
        if self.cursors == "offset":
            return str(offset)
        if self.cursors == "last":
            return f"after:{rows[offset - 1]['id']}"
        if self.cursors == "odd":
            return f"https://api.third.example/next?$skip={offset}&t=/+ü%41#~{offset}"
        if self.cursors == "long":
            return "eyJhbGciOiJub25lIn0." * 120 + f"~{offset}"
        return base64.b64encode(json.dumps({"at": offset, "v": 3}).encode()).decode()

    def offset(self, cursor: str, rows: list[Row]) -> int:
        try:
            if self.cursors == "token":
                offset = int(json.loads(base64.b64decode(cursor, validate=True))["at"])
            elif self.cursors == "last":
                offset = [f"after:{row['id']}" for row in rows].index(cursor) + 1
            else:
                offset = int(cursor.rpartition("~")[2])
            if offset > len(rows) or self.cursor(rows, offset) != cursor:
                raise ValueError(cursor)
        except (ValueError, KeyError, TypeError):
            raise Refused(400, "The cursor is not valid") from None
        return offset


Bend = Callable[[Call, Any], Any]


class Service:
    """A connection to one third party."""

    ledger: type[Ledger] = Ledger

    def __init__(self, form: Form, seed: int, lists: dict[str, list[Row]]) -> None:
        self.form, self.seed, self.lists = form, seed, lists
        self.books = self.ledger(seed)
        self.contacts: dict[str, Row] = {}
        self.pipelines: dict[str, Row] = {}
        self.customers: dict[str, Row] = {}
        self.bends: list[tuple[str, str, Bend]] = []
        self.counts: dict[str, int] = {}
        self.ticks: dict[str, int] = {}
        self.lock = threading.Lock()

    def on(self, point: str, key: str, change: Bend) -> None:
        """Lets what stands at this point be changed: ``take`` (what was sent), ``rows`` and ``cut`` of a list,
        ``body`` of a success, ``reply`` of any call. The key may be empty for all calls.
        """
        self.bends.append((point, key, change))

    def bent(self, point: str, call: Call, value: Any) -> Any:
        for at, key, change in self.bends:
            if at == point and key in ("", call.key):
                value = change(call, value)
        return value

    def tick(self, of: str) -> str:
        """A moment later than every one before of these."""
        self.ticks[of] = self.ticks.get(of, 0) + 1
        return (NOW + timedelta(seconds=self.ticks[of])).strftime("%Y-%m-%dT%H:%M:%SZ")

    def reply(self, call: Call) -> Reply:
        """The answer to a call."""
        with self.lock:
            try:
                given = self.bent("body", call, self._answer(call))
                reply = given if isinstance(given, Reply) else Reply(200, given)
            except Refused as refused:
                reply = failure(refused, call.path)
            except (TypeError, ValueError, KeyError, AttributeError):
                reply = failure(Refused(500, "Internal server error"), call.path)
            reply.ascii = self.form.ascii
            made: Reply = self.bent("reply", call, reply)
            return made

    def _answer(self, call: Call) -> Any:
        self._route(call)
        self._admit(call)
        if call.key not in self.form.keys:
            raise Refused(501, "This connector does not implement the operation")
        if call.method != "GET" and call.text:
            try:
                call.sent = json.loads(call.text)
            except ValueError:
                raise Refused(400, "Unexpected token in JSON", "PARSE_ERROR") from None
            if not isinstance(call.sent, dict):
                raise wrong("", "Expected object")
        elif call.method != "GET" and call.key != WEBHOOK:
            raise wrong("", "Required")
        call.sent = self.bent("take", call, call.sent)
        if call.key in LISTS:
            return self._page(call)
        return self._operation(call)

    def _route(self, call: Call) -> None:
        for method, pattern, key in ROUTES:
            found = re.fullmatch(pattern, call.path)
            if found and method == call.method:
                call.key, call.id = key, unquote(found.groupdict().get("id") or "")
                self.counts[key] = call.number = self.counts.get(key, 0) + 1
                return
        raise Refused(404, "Not found")

    def _admit(self, call: Call) -> None:
        bearer = call.headers.get("authorization")
        keyed = call.key != WEBHOOK and call.headers.get("x-apikey") == KEY
        if not (bearer == f"Bearer {KEY}" if bearer else keyed):
            raise Refused(401, "UNAUTHORIZED")
        if call.path.startswith("/v0/unified/"):
            connection = call.headers.get("x-connection-id")
            if not connection:
                raise Refused(400, "x-connection-id is missing")
            if connection != CONNECTION:
                raise Refused(404, f"conn not found: {connection}")

    # -- lists

    def _page(self, call: Call) -> Row:
        form, cursor = self.form, call.query.get("cursor", "")
        rows: list[Row] = self.bent("rows", call, self._filtered(call))
        start = form.offset(cursor, rows) if cursor else 0
        size = self._size(call)
        if form.ragged:
            size = form.ragged[start % len(form.ragged)]
        after = start + size
        more = after < len(rows) or (form.empty_page and after == len(rows) and size > 0)
        cut: Cut = self.bent("cut", call, Cut(rows, start, size, after if more else None))
        items = [self._shown(row) for row in cut.rows[cut.start : cut.start + cut.size]]
        page: Row = {**dict(form.extra), "items": items}
        sized = call.key in (JOB, FILE, DRIVE)
        if sized:
            page["has_next_page"] = cut.onward is not None
        name = "next_cursor" if sized else "next_page_cursor"
        if cut.onward is not None:
            page[name] = form.cursor(cut.rows, cut.onward)
        elif form.end != "absent":
            page[name] = "" if form.end == "empty" else None
        return page

    def _filtered(self, call: Call) -> list[Row]:
        rows = self.lists[call.key]
        for number, name in enumerate(("drive_id", "folder_id")):
            if call.key == FILE and (asked := call.query.get(name)):
                rows = [row for row in rows if self.within(row)[number] == asked]
        if self.form.recent and call.query.get("sync_mode") == "incremental":
            rows = rows[-max(1, len(rows) // 10) :]
        if call.query.get("sync_mode", "full") not in ("full", "incremental"):
            raise wrong("sync_mode", "Invalid enum value")
        return rows

    def within(self, row: Row) -> tuple[str, str]:
        """The ids of the drive and of the folder that a file is in."""
        return ancestor(row), row["raw_data"]["parent_id"]

    def _size(self, call: Call) -> int:
        asked = call.query.get("page_size")
        if not asked or call.key in (MAILBOX, STATE) or not self.form.heeds_size:
            return self.form.usual
        try:
            number = int(float(asked))
        except (ValueError, OverflowError):
            number = 0
        if number < 1:
            raise wrong("page_size", "Expected a positive number")
        return min(number, self.form.most)

    def _shown(self, row: Row) -> Row:
        if not self.form.absent_nulls:
            return row
        return {name: value for name, value in row.items() if value is not None}

    # -- other operations

    def _operation(self, call: Call) -> Any:
        if call.key == BATCH:
            return self._batch(call)
        if call.key in (CREATE, UPDATE, UPSERT):
            return {"record": contact_of(self._contact(call))}
        if call.key in (BALANCE, INCOME):
            if not call.query.get("customer"):
                raise wrong("customer", "Required")
            return (self.books.balance if call.key == BALANCE else self.books.income)(call.query)
        if call.key == RECEIPT:
            if not (number := call.query.get("customer_transaction_id")):
                raise wrong("customer_transaction_id", "Required")
            if number not in self.books.payments:
                raise Refused(404, f"[404 Not Found] payment {number}")
            return self.books.payments[number]
        if call.key in (MAKE, CHANGE):
            return self._pipeline(call)
        if call.key == PUT:
            kept = {"metadata": call.sent["metadata"]} if "metadata" in call.sent else {}
            self.customers[call.id] = {"id": call.id, "orgId": "org_exam", **kept}
            return dict(self.customers[call.id])
        if call.key == CHECKED:
            if not call.id.startswith("conn_"):
                raise wrong("id", "Is not a valid connection id, expecting conn_")
            if call.id != CONNECTION:
                raise Refused(404, f"conn not found: {call.id}")
            return {"id": call.id, "status": "healthy", "connectorName": self.form.name, "disabled": False}
        if call.key == LINK:
            return {"url": magic_link(call.sent)}
        if call.id != self.form.name:
            raise Refused(501, f"{call.id} does not take webhooks")
        return {"status": "ok", "info": {"received": len(call.text)}}

    def _batch(self, call: Call) -> list[Row]:
        for name in ("ids", "properties"):
            if not isinstance(call.sent.get(name), list):
                raise wrong(name, "Required")
        wanted = {str(one) for one in call.sent["ids"]}
        found = [row for row in self.lists[ACCOUNT] if self.number(row["raw_data"]) in wanted]
        if self.form.heeds_properties:
            named = set(map(str, call.sent["properties"]))
            found = [self.limited(row, named) for row in found]
        return [self._shown(row) for row in found]

    def number(self, raw: Row) -> str:
        """The id that the third party gives an account."""
        return str(raw["id"])

    def limited(self, row: Row, properties: set[str]) -> Row:
        """An account as it is when these properties of the third party are asked for."""
        return limited(row, properties)

    def _contact(self, call: Call) -> Row:
        record = call.sent.get("record")
        if not isinstance(record, dict):
            raise wrong("record", "Required")
        passed = record.get("passthrough_fields") or {}
        if not isinstance(passed, dict):
            raise wrong("record.passthrough_fields", "Expected object")
        names = CONTACT_FIELDS.items()
        given = {theirs: record[ours] for ours, theirs in names if ours in record} | passed
        if call.key == UPSERT:
            on = call.sent.get("upsert_on")
            if not isinstance(on, dict) or on.get("key") not in CONTACT_FIELDS:
                raise wrong("upsert_on", "Required")
            theirs = CONTACT_FIELDS[on["key"]]
            matches = [one for one in self.contacts.values() if one[theirs] in on.get("values", [])]
            if len(matches) > 1:
                raise Refused(400, "several contacts match")
            held = matches[0] if matches else self._new_contact()
        elif call.key == UPDATE:
            if call.id not in self.contacts:
                raise Refused(404, f"[404 Not Found] PATCH /crm/v6/Contacts/{call.id}")
            held = self.contacts[call.id]
        else:
            held = self._new_contact()
        held.update(given, Modified_Time=self.tick(CONTACT))
        return held

    def _new_contact(self) -> Row:
        number = str(3652397000000700000 + len(self.contacts) * 13)
        made = {"id": number, **dict.fromkeys(CONTACT_FIELDS.values()), "Created_Time": self.tick(CONTACT)}
        self.contacts[number] = made
        return made

    def _pipeline(self, call: Call) -> Row:
        number = call.id or call.sent.get("id")
        if not isinstance(number, str) or not number.startswith("pipe_"):
            raise wrong("id", "Is not a valid pipeline id, expecting pipe_")
        for side in ("sourceId", "destinationId"):
            if call.key == MAKE and not str(call.sent.get(side, "conn_")).startswith("conn_"):
                raise wrong(side, "Is not a valid connection id, expecting conn_")
        if call.key == CHANGE and number not in self.pipelines:
            raise Refused(404, f"pipeline not found: {number}")
        now = self.tick(PIPELINE)
        held = self.pipelines.setdefault(number, {"id": number, "createdAt": now, "disabled": False})
        names: tuple[str, ...] = ("metadata", "disabled", "streams")
        names += ("sourceId", "destinationId") if call.key == MAKE else ()
        for name in names:
            if name not in call.sent:
                continue
            given: Any = call.sent[name]
            had = held.get(name)
            if name == "streams" and not isinstance(given, dict | None):
                raise wrong(name, "Expected object")
            given = bool(given) if name == "disabled" else given
            merges = call.key == CHANGE and isinstance(had, dict) and isinstance(given, dict)
            held[name] = {**had, **given} if merges and had else given
        held["updatedAt"] = now
        return dict(held)


def ancestor(row: Row) -> str:
    """The id of the root folder that a file is in."""
    return str(row["raw_data"]["top_folder_id"])


def limited(row: Row, properties: set[str]) -> Row:
    """An account as it is when these properties of the third party are asked for."""
    raw = {name: value for name, value in row["raw_data"].items() if name in properties or name == "id"}
    full, made = account(row["raw_data"]), account({**dict.fromkeys(row["raw_data"]), **raw})
    shown: Row = {}
    for name, value in row.items():
        if name in ("id", "updated_at"):
            shown[name] = value
        elif made.get(name) or made.get(name) == full.get(name):
            shown[name] = value if value != full.get(name) else made[name]
        elif made.get(name) is not None and made[name] != []:
            shown[name] = value
    return {**shown, "raw_data": raw}


def contact_of(raw: Row) -> Row:
    """The unified contact of the third party's."""
    fields = {ours: raw[theirs] for ours, theirs in CONTACT_FIELDS.items()}
    return {"id": raw["id"], "updated_at": raw["Modified_Time"], "raw_data": dict(raw), **fields}


def magic_link(sent: Row) -> str:
    """A link that ends when it was asked to."""
    customer = sent.get("customerId")
    if not isinstance(customer, str) or not customer:
        raise wrong("customerId", "String must contain at least 1 character")
    for name, words in (
        ("theme", ("light", "dark")),
        ("view", ("manage", "manage-deeplink", "add", "add-deeplink")),
    ):
        if sent.get(name) is not None and sent[name] not in words:
            raise wrong(name, "Invalid enum value")
    valid = sent.get("validityInSeconds", 2592000)
    if not isinstance(valid, int | float):
        raise wrong("validityInSeconds", "Expected number")
    claims = {"customerId": customer, "exp": int(datetime.now(UTC).timestamp() + valid)}
    names = (
        "displayName",
        "redirectUrl",
        "connectorNames",
        "integrationIds",
        "connectionId",
        "theme",
        "view",
    )
    asked = {name: sent[name] for name in names if sent.get(name) is not None}
    return "https://connect.third.example/connect/portal?" + urlencode({"token": signed(claims), **asked})


def signed(claims: Row) -> str:
    """A token with these claims."""
    parts = (json.dumps({"alg": "HS256", "typ": "JWT"}), json.dumps(claims), "not a real signature")
    return ".".join(base64.urlsafe_b64encode(one.encode()).decode().rstrip("=") for one in parts)


def failure(refused: Refused, path: str) -> Reply:
    """The body that a running service was seen to give."""
    data = {"code": refused.code, "httpStatus": refused.status, "path": path[4:].replace("/", ".")}
    body: Row = {"message": str(refused), "code": refused.code, "data": data}
    if refused.issues:
        body["issues"] = refused.issues
    return Reply(refused.status, body)
