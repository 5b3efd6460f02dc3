"""A plain server that answers as one running service with this interface was seen to do; an independent
witness, sharing nothing with the sandbox.

It was written from the interface's description and from the page of what was observed, and from nothing else.
Where both are silent the answer is the simplest one that breaks neither. All data is in memory. Use it so:

    with PlainService(connections=[Connection("conn_1", "crm")]) as service:
        httpx.get(service.base_url + "/v0/openapi.json")
        assert service.requests[0].path == "/v0/openapi.json"
"""

import base64
import hashlib
import hmac
import json
import math
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, Literal, Self, cast
from urllib.parse import parse_qsl, unquote, urlencode

NOW = "{now}"  # in a row: an absent date, which is answered as the moment of the call
GOOD_KEY = "key_plain_secret"
REASONS = {400: "Bad Request", 404: "Not Found", 409: "Conflict", 429: "Too Many Requests"}
REASONS[500] = "Internal Server Error"
REVOKED = "Provider Config Error - the refresh token was revoked"
SIGN_IN = "<!doctype html><title>Log in</title><form><input name=user><input type=password></form>"
WEBHOOKS: Mapping[str, Mapping[str, Any]] = {
    "hubspot": {"status": "ok", "info": {"received": 1}},
    "plaid": {"status": "error", "info": "no connection for this item"},
}


def now() -> str:
    """The moment of the call as ISO 8601 text."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


# ---- answers


@dataclass(frozen=True)
class Answer:
    """What goes back: without a content type there is no body either (shape D)."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = None
    headers: tuple[tuple[str, str], ...] = ()


class Refusal(Exception):
    """Ends the handling of a call with this answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status)
        self.answer = answer


def as_json(body: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Answer:
    """An answer of JSON."""
    return Answer(status, json.dumps(body).encode(), "application/json", headers)


def shape_a(status: int, code: str, message: str, path: str = "", issues: list[Any] | None = None) -> Refusal:
    """A failure of the service itself."""
    body: dict[str, Any] = {"message": message, "code": code}
    body["data"] = {"code": code, "httpStatus": status, "path": path}
    return Refusal(as_json(body | ({"issues": issues} if issues else {}), status))


def shape_b(status: int, message: str) -> Refusal:
    """A failure of the third party, under the third party's own status."""
    body = {"class": "HttpError", "message": message, "code": "INTERNAL_SERVER_ERROR", "data": {}}
    return Refusal(as_json(body, status))


def shape_c(status: int, kind: str, words: str) -> Refusal:
    """A call that is refused before routing: a stack trace of many lines."""
    trace = [f"    at step{n} (server/context.js:{40 + n}:{7 + n})" for n in range(12)]
    return Refusal(as_json({"error_type": kind, "error_detail": "\n".join([words, *trace])}, status))


def shape_d() -> Refusal:
    """A crash: 500 without body and without content type."""
    return Refusal(Answer(500))


def third_party(status: int, words: str) -> Refusal:
    """Shape B in the form of a third party's answer to a request of the service."""
    first = f"[{status} {REASONS.get(status, 'Refused')}] GET https://api.third-party.example/v3/objects"
    return shape_b(status, f"{first}\n{json.dumps({'error': words})}")


# ---- the third party's data


@dataclass
class PlainList:
    """The rows behind one list, and the ways in which it was seen to serve them."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    page_size: int | None = None  # the list's own size; None puts all rows on one page
    obeys_page_size: bool = True
    cursor_form: str = "{}"  # any text; {} becomes a number
    end: Literal["absent", "null", "empty"] = "absent"  # the cursor on the last page
    empty_last_page: bool = False  # a full page always says that there is more
    repeats: Literal["no", "same cursor", "new cursor"] = "no"  # serves its first page for ever
    more_without_cursor: bool = False  # has_next_page is true and no cursor is given
    offset_as_page: bool = False  # the row offset is used as page number; without page_size: never more
    rows_without_drive: int | None = None  # how many rows a call without drive_id is shown
    bad_record: str | None = None  # the id of a record that fails every page it is on
    before_page: Callable[[list[dict[str, Any]]], None] | None = None  # changes the rows while they are read
    handed_out: dict[str, int] = field(default_factory=dict)

    def page(self, query: Mapping[str, Any], cursor_key: str) -> dict[str, Any]:
        """One page: its items, whether there is more, and the cursor under the given key."""
        if self.before_page:
            self.before_page(self.rows)
        start = self._start(query.get("cursor"))
        rows = self.rows if query.get("drive_id") else self.rows[: self.rows_without_drive]
        asked = int(min(query.get("page_size") or 0, 10**9)) if self.obeys_page_size else 0
        size = asked if asked > 0 else self.page_size or max(len(rows), 1)
        first = (max(start, 1) - 1) * size if self.offset_as_page else start
        first = 0 if self.repeats != "no" else first
        items = rows[first : first + size]
        more = first + size < len(rows)
        if self.empty_last_page or self.offset_as_page:
            more = len(items) == size and not (self.offset_as_page and asked <= 0)
        more = more or self.repeats != "no"
        following = size if self.repeats == "same cursor" else start + size
        page = {"items": [{k: now() if v == NOW else v for k, v in row.items()} for row in items]}
        return page | {"has_next_page": more} | self._cursor(cursor_key, following if more else None)

    def _start(self, cursor: str | None) -> int:
        """The row that a cursor stands for; a cursor that was never handed out is the third party's 400."""
        if cursor and cursor not in self.handed_out and self.repeats == "no":
            raise third_party(400, "invalid cursor")
        return self.handed_out.get(cursor or "", 0)

    def _cursor(self, key: str, following: int | None) -> dict[str, Any]:
        """The cursor of the next page, or one of the forms of there being none."""
        if following is None or self.more_without_cursor:
            forms: dict[str, dict[str, Any]] = {"absent": {}, "null": {key: None}, "empty": {key: ""}}
            return forms[self.end]
        cursor = self.cursor_form.replace("{}", str(following))
        self.handed_out[cursor] = following
        return {key: cursor}


@dataclass
class Connection:
    """One connection, with the third party behind it."""

    id: str
    vertical: str
    connector: str = "hubspot"
    org: str = "org_plain"
    customer: str = "customer_1"
    operations: Collection[str] | None = None  # None: every operation of its vertical
    third_party: Literal["ok", "revoked", "revoked 400", "throttled", "failing"] = "ok"
    refuses_create: int | None = None  # the status with which the third party refuses new contacts
    normalises: bool = True  # e-mail addresses in lower case, phone numbers as digits
    names_itself: bool = True  # answers carry x-connection-id
    check_text: str | None = None  # a check answers this bare JSON string
    lists: dict[str, PlainList] = field(default_factory=dict)
    contacts: dict[str, dict[str, Any]] = field(default_factory=dict)
    accounts: dict[str, dict[str, Any]] = field(default_factory=dict)  # id -> the third party's properties
    balances: list[dict[str, Any]] = field(default_factory=list)
    incomes: list[dict[str, Any]] = field(default_factory=list)
    receipts: dict[str, Any] = field(default_factory=dict)  # bytes are answered as a PDF
    created_at: str = field(default_factory=now)
    updated_at: str = field(default_factory=now)
    writes: int = 0

    def row(self) -> dict[str, Any]:
        """The whole stored row, its secrets included."""
        tokens = {"access_token": f"at-{self.id}-secret", "refresh_token": f"rt-{self.id}-secret"}
        settings = {"oauth": {"credentials": tokens}, "apiKey": f"ak-{self.id}-secret"}
        row = {"id": self.id, "orgId": self.org, "customerId": self.customer, "connectorName": self.connector}
        row |= {"createdAt": self.created_at, "updatedAt": self.updated_at}
        return row | {"integrationId": None, "disabled": False, "settings": settings, "metadata": None}

    def fail_if_ailing(self) -> None:
        """Refuse as the third party does when it is not well."""
        if self.third_party.startswith("revoked"):
            raise shape_b(400 if self.third_party == "revoked 400" else 424, REVOKED)
        if self.third_party != "ok":
            raise third_party({"throttled": 429, "failing": 500}[self.third_party], "try later")


# ---- what a call may bring


@dataclass(frozen=True)
class Field:
    """One field of an input."""

    kind: str = "string"  # also number, boolean, object, any, strings, streams, filled, pipe_, conn_, or a|b
    required: bool = False
    nullable: bool = False
    inner: Mapping[str, "Field"] | None = None


Spec = Mapping[str, Field]


def spec(words: str, **objects: Mapping[str, Field]) -> Spec:
    """Fields from words `name:kind`: ! after a name is required, ? may be null; objects are required too."""
    fields = {name: Field("object", required=True, inner=inner) for name, inner in objects.items()}
    for word in words.split():
        name, _, kind = word.partition(":")
        fields[name.rstrip("!?")] = Field(kind or "string", name.endswith("!"), name.endswith("?"))
    return fields


JSON_TYPES = {str: "string", bool: "boolean", int: "number", float: "number", list: "array", dict: "object"}


def issue(code: str, message: str, path: list[Any], **more: Any) -> dict[str, Any]:
    """One complaint about an input."""
    return {"code": code, **more, "message": message, "path": path}


def loose_number(value: Any) -> float:
    """A number as JavaScript would coerce it; NaN when it cannot."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return 0
    try:
        return float(value) if isinstance(value, (str, int, float)) else math.nan
    except (ValueError, OverflowError):
        return math.nan


def read(wanted: Spec, given: Any, at: list[Any], issues: list[Any]) -> dict[str, Any]:
    """The known fields of an object, coerced; what does not fit is added to the issues."""
    if not isinstance(given, dict):
        issues.append(wrong_type("object", given, at))
        return {}
    taken = {k: read_value(f, given[k], [*at, k], issues) for k, f in wanted.items() if k in given}
    for name, each in wanted.items():
        if each.required and name not in given:
            issues.append(issue("invalid_type", "Required", [*at, name], received="undefined"))
    return taken


def wrong_type(wanted: str, value: Any, at: list[Any]) -> dict[str, Any]:
    """The complaint about a value of another type."""
    received = JSON_TYPES.get(type(value), "null")
    words = f"Expected {wanted}, received {received}"
    return issue("invalid_type", words, at, expected=wanted, received=received)


def read_value(wanted: Field, value: Any, at: list[Any], issues: list[Any]) -> Any:
    """One value, coerced loosely when it is a number or a boolean."""
    kind = wanted.kind
    if (value is None and wanted.nullable) or kind == "any":
        return value
    if kind == "boolean":
        return value is not None and value is not False and value != 0 and value != ""
    if kind == "number":
        number = loose_number(value)
        if not math.isfinite(number):
            issues.append(issue("invalid_type", "Expected number, received nan", at, received="nan"))
        return number
    if kind in ("object", "streams"):
        if wanted.inner is not None or not isinstance(value, dict):
            return read(wanted.inner or {}, value, at, issues)
        stream = spec("disabled:boolean fields:strings")
        return value if kind == "object" else {k: read(stream, v, [*at, k], issues) for k, v in value.items()}
    if kind == "strings":
        if not isinstance(value, list):
            issues.append(wrong_type("array", value, at))
            return []
        return [read_value(Field(), each, [*at, n], issues) for n, each in enumerate(value)]
    if not isinstance(value, str):
        issues.append(wrong_type("string", value, at))
    elif kind in ("pipe_", "conn_") and not value.startswith(kind):
        name = {"pipe_": "pipeline", "conn_": "connection"}[kind]
        issues.append(issue("custom", f"Is not a valid {name} id, expecting {kind}", at))
    elif kind == "filled" and not value:
        issues.append(issue("too_small", "String must contain at least 1 character(s)", at, minimum=1))
    elif "|" in kind and value not in kind.split("|"):
        issues.append(issue("invalid_enum_value", f"Invalid enum value, received '{value}'", at))
    return value


@dataclass
class Call:
    """One call on its way to a handler."""

    service: "PlainService"
    operation: str
    org: str
    customer: str | None
    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, Any] = field(default_factory=dict)
    body: dict[str, Any] = field(default_factory=dict)
    connection: Connection | None = None

    def refuse(self, status: int, code: str, message: str, issues: list[Any] | None = None) -> Refusal:
        """A failure of the service itself, under this operation's name."""
        return shape_a(status, code, message, self.operation, issues)

    def find(self, connection_id: str) -> Connection:
        """A connection that the caller may see."""
        found = self.service.connections.get(connection_id)
        if found is None or found.org != self.org or self.customer not in (None, found.customer):
            raise self.refuse(404, "NOT_FOUND", f"conn not found: {connection_id}")
        return found

    @property
    def used(self) -> Connection:
        """The connection of a unified call."""
        assert self.connection is not None
        return self.connection


# ---- handlers


def store_contact(connection: Connection, contact_id: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Write a contact at the third party and answer it."""
    contact = connection.contacts.setdefault(contact_id, {"id": contact_id, "raw_data": {}})
    fields = {k: v for k, v in record.items() if k != "passthrough_fields"}
    if connection.normalises and fields.get("email"):
        fields["email"] = fields["email"].lower()
    if connection.normalises and fields.get("phone"):
        fields["phone"] = "+" + "".join(c for c in fields["phone"] if c.isdigit())
    contact.update(fields | {"updated_at": now()})
    contact["raw_data"] = contact["raw_data"] | (record.get("passthrough_fields") or {})
    return {"record": contact}


def create_contact(call: Call) -> Any:
    """Endpoint 1."""
    if call.used.refuses_create:
        raise third_party(call.used.refuses_create, "the contact was refused")
    number = len(call.used.contacts) + 1
    while str(number) in call.used.contacts:
        number += 1
    return store_contact(call.used, str(number), call.body["record"])


def update_contact(call: Call) -> Any:
    """Endpoint 2: what is left out stays."""
    if call.path["id"] not in call.used.contacts:
        raise third_party(404, "no such contact")
    return store_contact(call.used, call.path["id"], call.body["record"])


def upsert_contact(call: Call) -> Any:
    """Endpoint 3: no match creates, one updates, more are refused."""
    key, values = call.body["upsert_on"]["key"], {v.lower() for v in call.body["upsert_on"]["values"]}
    stored = call.used.contacts.items()
    matches = [name for name, contact in stored if str(contact.get(key) or "").lower() in values]
    if len(matches) > 1:
        raise call.refuse(400, "BAD_REQUEST", f"{len(matches)} contacts match {key}")
    return store_contact(call.used, matches[0], call.body["record"]) if matches else create_contact(call)


ACCOUNT_FIELDS = spec(
    "name is_deleted website industry number_of_employees owner_id created_at description last_activity_at"
    " addresses phone_numbers lifecycle_stage last_modified_at"
)
THIRD_PARTY_NAMES = {"domain": "website", "numberofemployees": "number_of_employees"}
THIRD_PARTY_NAMES |= {"lifecyclestage": "lifecycle_stage", "createdate": "created_at"}


def batch_read(call: Call) -> Any:
    """Endpoint 4: unknown ids are left out, the order is its own, only asked properties are there."""
    answer = []
    for account_id in sorted(set(call.body["ids"]) & set(call.used.accounts), reverse=True):
        stored = call.used.accounts[account_id]
        asked = {name: stored[name] for name in call.body["properties"] if name in stored}
        unified = {THIRD_PARTY_NAMES.get(k, k): v for k, v in asked.items()}
        account = {k: v for k, v in unified.items() if k in ACCOUNT_FIELDS}
        updated = stored.get("updated_at") or now()
        answer.append({"id": account_id, "updated_at": updated, "raw_data": asked} | account)
    return answer


def list_page(call: Call) -> Any:
    """Endpoints 5 to 9: one page of a list, in the envelope of its kind."""
    rows = call.used.lists.setdefault(call.operation.split(".")[1], PlainList())
    short = call.used.vertical == "sales-engagement"
    page = rows.page(call.query, "next_page_cursor" if short else "next_cursor")
    if any(item.get("id") == rows.bad_record for item in page["items"] if rows.bad_record):
        raise call.refuse(500, "INTERNAL_SERVER_ERROR", "Output validation failed")
    if short:
        del page["has_next_page"]
    return page


def report(call: Call) -> Any:
    """Endpoints 10 and 11: the entries of one customer, sums with the dust that floating point leaves."""
    start, end = call.query.get("start_date", "2025-01-01"), call.query.get("end_date", "2025-03-31")
    source, head, sums = call.used.balances, {"reportDate": end}, {"totalBalance": "balance"}
    if call.operation == "accounting.customerIncome":
        source, head = call.used.incomes, {"startPeriod": start, "endPeriod": end}
        sums = {name: name for name in ("totalIncome", "totalExpenses", "netIncome")}
    entries = [entry for entry in source if entry["customerId"] == call.query["customer"]]
    totals = {name: sum(entry[key] for entry in entries) for name, key in sums.items()}
    name = call.operation.split(".")[1]
    return {"reportName": name, **head, "currency": "USD", "entries": entries, **totals}


def receipt(call: Call) -> Any:
    """Endpoint 12: JSON, or the bytes of a PDF."""
    if call.query["customer_transaction_id"] not in call.used.receipts:
        raise third_party(404, "no such transaction")
    found = call.used.receipts[call.query["customer_transaction_id"]]
    return Answer(200, found, "application/pdf") if isinstance(found, bytes) else found


def merge_pipeline(pipeline: dict[str, Any], body: Mapping[str, Any]) -> dict[str, Any]:
    """Change a pipeline: metadata and streams merge at the top level only, null clears them."""
    for name, value in body.items():
        old = pipeline.get(name)
        mixed = name in ("metadata", "streams") and isinstance(old, dict) and isinstance(value, dict)
        pipeline[name] = {**cast(dict[str, Any], old), **value} if mixed else value
    pipeline["updatedAt"] = now()
    return pipeline


def create_pipeline(call: Call) -> Any:
    """Endpoint 13: an upsert by id; without both ends it answers 404 and is stored all the same."""
    fresh: dict[str, Any] = {"id": call.body["id"], "createdAt": now(), "disabled": False, "linkOptions": []}
    fresh |= dict.fromkeys(["lastSyncStartedAt", "lastSyncCompletedAt"])
    fresh |= {"sourceState": {}, "destinationState": {}}
    pipeline = merge_pipeline(call.service.pipelines.setdefault(call.body["id"], fresh), call.body)
    for end in ("source", "destination"):
        pipeline[f"{end}Vertical"] = call.find(pipeline.get(f"{end}Id") or "undefined").vertical
    return pipeline


def update_pipeline(call: Call) -> Any:
    """Endpoint 14."""
    if call.path["id"] not in call.service.pipelines:
        raise call.refuse(404, "NOT_FOUND", f"pipe not found: {call.path['id']}")
    return merge_pipeline(call.service.pipelines[call.path["id"]], call.body)


def check(call: Call) -> Any:
    """Endpoint 15: a write whatever the flags say, and the row with its secrets or a bare string."""
    connection = call.find(call.path["id"])
    connection.writes += 1
    connection.updated_at = now()
    connection.fail_if_ailing()
    return connection.row() if connection.check_text is None else connection.check_text


def put_customer(call: Call) -> Any:
    """Endpoint 16: creates or replaces."""
    customer = {"id": call.path["id"], "orgId": call.org} | call.body
    call.service.customers[call.path["id"]] = customer
    return customer


def encode(part: bytes) -> str:
    """Base 64 for urls, without padding."""
    return base64.urlsafe_b64encode(part).rstrip(b"=").decode()


def magic_link(call: Call) -> Any:
    """Endpoint 17: the url carries the parameters and a token that acts as the customer."""
    expires = int(time.time() + call.body.get("validityInSeconds", 2592000))
    claims = {"org_id": call.org, "sub": call.body["customerId"], "role": "customer", "exp": expires}
    parts = [encode(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    token = ".".join([*parts, encode(hmac.digest(b"plain", ".".join(parts).encode(), hashlib.sha256))])
    call.service.links[token] = (call.org, call.body["customerId"], expires)
    asked = {k: v for k, v in call.body.items() if v is not None and k != "validityInSeconds"}
    return {"url": f"{call.service.base_url}/connect/portal?{urlencode({'token': token} | asked)}"}


def webhook(call: Call) -> Any:
    """Endpoint 18: few connectors take webhooks."""
    name, takers = call.path["connector_name"], call.service.webhooks
    if takers is None:
        raise call.refuse(404, "NOT_FOUND", "Not found")
    if name in takers:
        return takers[name]
    if name not in call.service.connector_names:
        wrong = [issue("invalid_enum_value", "Invalid enum value", ["connector_name"], received=name)]
        raise call.refuse(400, "BAD_REQUEST", json.dumps(wrong, indent=2), wrong)
    raise call.refuse(501, "NOT_IMPLEMENTED", f"{name} takes no webhooks")


def openapi(call: Call) -> Any:
    """The small document of this interface."""
    paths: dict[str, Any] = {}
    for route in ROUTES:
        name = route.operation.replace(".", "-")
        paths.setdefault(route.path, {})[route.method.lower()] = {"operationId": name}
    return {"openapi": "3.1.0", "info": {"title": "Plain service", "version": "0.0.0"}, "paths": paths}


# ---- the routing table


@dataclass(frozen=True)
class Route:
    """One endpoint; `operation` is also the path that its failures name."""

    method: str
    path: str
    operation: str
    handler: Callable[[Call], Any]
    path_spec: Spec = field(default_factory=dict)
    query: Spec = field(default_factory=dict)
    body: Spec = field(default_factory=dict)

    @property
    def vertical(self) -> str | None:
        """The vertical of a unified route."""
        return self.path.split("/")[3] if self.path.startswith("/v0/unified/") else None

    def match(self, method: str, segments: list[str]) -> dict[str, str] | None:
        """The path parameters, or None when this is another route."""
        wanted = self.path.split("/")
        if method != self.method or len(wanted) != len(segments):
            return None
        pairs = list(zip(wanted, segments, strict=True))
        if any(not given if want.startswith("{") else want != given for want, given in pairs):
            return None
        return {want[1:-1]: unquote(given) for want, given in pairs if want.startswith("{")}


U, CORE = "/v0/unified", "/v0/core"
SALES, BOOKS = f"{U}/sales-engagement", f"{U}/accounting"
PERSON = spec("first_name? last_name? email? phone? passthrough_fields?:object")
RECORD = spec("", record=PERSON)
UPSERT = spec("", upsert_on=spec("key! values!:strings"), record=PERSON)
BATCH = spec("ids!:strings properties!:strings")
PAGE = "sync_mode:full|incremental cursor page_size:number drive_group_id"
FILES = spec(f"{PAGE} drive_id folder_id")
REPORT = spec("customer! start_date end_date sort_order department date_macro summarize_by")
CHANGE = spec("metadata:any disabled:boolean streams?:streams")
PIPELINE = spec("id!:pipe_ metadata:any disabled:boolean sourceId:conn_ streams:streams destinationId:conn_")
CHECK = spec(
    "skipCache?:boolean import?:boolean updateWebhook?:boolean"
    " sandboxSimulateUpdate?:boolean sandboxSimulateDisconnect?:boolean"
)
LINK = spec(
    "customerId!:filled validityInSeconds:number displayName? redirectUrl? connectorNames? integrationIds?"
    " connectionId? theme?:light|dark view?:manage|manage-deeplink|add|add-deeplink"
)

PAGES, CURSOR, RECEIPT = spec(PAGE), spec("cursor"), spec("customer_transaction_id!")
PIPE, CONN, ANY = spec("id:pipe_"), spec("id:conn_"), spec("metadata:any")

ROUTES = [
    Route("POST", f"{U}/crm/contact", "crm.createContact", create_contact, body=RECORD),
    Route("PATCH", f"{U}/crm/contact/{{id}}", "crm.updateContact", update_contact, body=RECORD),
    Route("POST", f"{U}/crm/contact/_upsert", "crm.upsertContact", upsert_contact, body=UPSERT),
    Route("POST", f"{U}/crm/account/_batch_read", "crm.batchReadAccounts", batch_read, body=BATCH),
    Route("GET", f"{U}/ats/job", "ats.listJobs", list_page, query=PAGES),
    Route("GET", f"{U}/file-storage/file", "fileStorage.listFiles", list_page, query=FILES),
    Route("GET", f"{U}/file-storage/drive", "fileStorage.listDrives", list_page, query=PAGES),
    Route("GET", f"{SALES}/mailbox", "sales.listMailboxes", list_page, query=CURSOR),
    Route("GET", f"{SALES}/sequence_state", "sales.listSequenceStates", list_page, query=CURSOR),
    Route("GET", f"{BOOKS}/customer-balance", "accounting.customerBalance", report, query=REPORT),
    Route("GET", f"{BOOKS}/customer-income", "accounting.customerIncome", report, query=REPORT),
    Route("GET", f"{BOOKS}/payment-receipt", "accounting.receipt", receipt, query=RECEIPT),
    Route("POST", f"{CORE}/pipeline", "core.createPipeline", create_pipeline, body=PIPELINE),
    Route("PATCH", f"{CORE}/pipeline/{{id}}", "core.updatePipeline", update_pipeline, PIPE, body=CHANGE),
    Route("POST", f"{CORE}/connection/{{id}}/_check", "core.checkConnection", check, CONN, body=CHECK),
    Route("PUT", f"{CORE}/customer/{{id}}", "core.putCustomer", put_customer, body=ANY),
    Route("POST", "/v0/connect/magic-link", "connect.createMagicLink", magic_link, body=LINK),
    Route("POST", "/v1/webhook/{connector_name}", "webhook.receive", webhook),
    Route("GET", "/v0/openapi.json", "openapi", openapi),
]  # fmt: skip


# ---- the server


@dataclass(frozen=True)
class Received:
    """One request as it came in."""

    method: str
    path: str  # with the query, as sent
    headers: list[tuple[str, str]]
    body: bytes


class PlainService(ThreadingHTTPServer):
    """The server, on a free port of the loopback address; a context manager."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(
        self,
        *,
        keys: Mapping[str, str] | None = None,
        unknown_org_prefix: str = "key_unknownorg_",
        malformed_keys: Collection[str] = ("key_",),
        customer_tokens: Mapping[str, str] | None = None,
        connections: Iterable[Connection] | None = None,
        ambiguous_connections: Collection[str] = (),
        webhooks: Mapping[str, Mapping[str, Any]] | None = WEBHOOKS,
        connector_names: Collection[str] = ("hubspot", "plaid", "greenhouse", "quickbooks", "google-drive"),
    ) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.keys = {GOOD_KEY: "org_plain"} if keys is None else dict(keys)
        self.unknown_org_prefix, self.malformed_keys = unknown_org_prefix, malformed_keys
        self.customer_tokens = dict(customer_tokens or {})  # token -> customer, of the first organization
        given = sample_connections() if connections is None else connections
        self.connections = {each.id: each for each in given}
        self.ambiguous_connections = ambiguous_connections
        self.webhooks, self.connector_names = webhooks, connector_names
        self.pipelines: dict[str, dict[str, Any]] = {}
        self.customers: dict[str, dict[str, Any]] = {}
        self.requests: list[Received] = []
        self.links: dict[str, tuple[str, str, int]] = {}  # token -> organization, customer, end
        self.sign_in_page = False
        self.gateway: int | None = None
        self.delay = 0.0  # seconds before every answer
        self.stopped = False
        self.lock = threading.RLock()
        self.base_url = f"http://127.0.0.1:{self.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self.stopped = True
        self.shutdown()
        self.server_close()

    @property
    def writes(self) -> int:
        """How often a check has written to a connection."""
        return sum(each.writes for each in self.connections.values())

    def read_bearer(self, token: str, keys_too: bool) -> tuple[str, str | None]:
        """The organization and customer behind a bearer token."""
        if keys_too and token in self.keys:
            return self.keys[token], None
        if token in self.customer_tokens:
            return next(iter(self.keys.values()), "org_plain"), self.customer_tokens[token]
        org, customer, expires = self.links.get(token, ("", "", 0))
        if expires > time.time():
            return org, customer
        raise shape_c(401, "UNAUTHORIZED", "TRPCError: Invalid bearer token")

    def identify(self, headers: Message, hook: bool) -> tuple[str, str | None] | None:
        """Who calls, None for nobody; a bearer is looked at before the key."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self.read_bearer(token.strip(), keys_too=hook)
        key = headers.get("x-apikey")
        if not key or hook:
            return None
        if key in self.malformed_keys:
            raise shape_c(400, "BAD_REQUEST", "TRPCError: Malformed API key")
        if not key.startswith("key_"):
            words = "TRPCError: Authorization Bearer Token must be a JWT or an API key"
            raise shape_c(500, "INTERNAL_SERVER_ERROR", words)
        if key.startswith(self.unknown_org_prefix):
            raise shape_d()
        return (self.keys[key], None) if key in self.keys else None

    def answer(self, method: str, target: str, headers: Message, body: bytes) -> Answer:
        """The answer to one request."""
        if self.gateway is not None:
            page = f"<html><head><title>{self.gateway}</title></head><body>Gateway error</body></html>"
            return Answer(self.gateway, page.encode(), "text/html")
        if self.sign_in_page:
            return Answer(200, SIGN_IN.encode(), "text/html; charset=utf-8")
        try:
            with self.lock:
                return self.route(method, target, headers, body)
        except Refusal as refusal:
            return refusal.answer

    def route(self, method: str, target: str, headers: Message, body: bytes) -> Answer:
        """Caller and connection header; then the route, the connection, the input and the work."""
        path, _, query = target.partition("?")
        caller = self.identify(headers, path.startswith("/v1/webhook/"))
        connection_id = headers.get("x-connection-id")
        if connection_id is not None and not connection_id.startswith("conn_"):
            raise shape_d()
        if connection_id in self.ambiguous_connections:
            raise shape_c(400, "BAD_REQUEST", "TRPCError: Several connections match")
        found = [(r, m) for r in ROUTES if (m := r.match(method, path.split("/"))) is not None]
        if not found:
            raise shape_a(404, "NOT_FOUND", "Not found")
        route, parameters = found[0]
        if caller is None and route.handler is not openapi:
            raise shape_a(401, "UNAUTHORIZED", "UNAUTHORIZED", route.operation)
        org, customer = caller or ("", None)
        call = Call(self, route.operation, org, customer, parameters)
        if route.vertical:
            if connection_id is None:
                raise call.refuse(400, "BAD_REQUEST", "x-connection-id is required")
            call.connection = call.find(connection_id)
        self.read_input(call, route, query, body)
        if call.connection:
            self.look_at_third_party(call, route)
        result = route.handler(call)
        named = call.connection is not None and call.connection.names_itself
        extra = (("x-connection-id", call.used.id),) if named else ()
        if isinstance(result, Answer):
            return Answer(result.status, result.body, result.content_type, extra)
        return as_json(result, headers=extra)

    def read_input(self, call: Call, route: Route, query: str, body: bytes) -> None:
        """Check and coerce what the call brought."""
        try:
            given = json.loads(body) if body and route.body else {}
        except (ValueError, RecursionError):
            raise call.refuse(400, "PARSE_ERROR", "Failed to parse request body") from None
        issues: list[Any] = []
        read(route.path_spec, call.path, [], issues)
        pairs = dict(reversed(parse_qsl(query, keep_blank_values=True)))
        call.query = read(route.query, pairs, [], issues)
        call.body = read(route.body, given, [], issues)
        if issues:
            prefix = all(each["code"] == "custom" for each in issues)
            message = "Input validation failed" if prefix else json.dumps(issues, indent=2)
            raise call.refuse(400, "BAD_REQUEST", message, issues)

    def look_at_third_party(self, call: Call, route: Route) -> None:
        """Refuse what the connection's connector cannot do, or what its third party does not let through."""
        connection, name = call.used, route.operation.split(".")[1]
        if connection.vertical != route.vertical:
            raise call.refuse(400, "BAD_REQUEST", f"Adapter {connection.connector} not found")
        if connection.operations is not None and name not in connection.operations:
            raise call.refuse(501, "NOT_IMPLEMENTED", f"{connection.connector} does not implement {name}")
        connection.fail_if_ailing()


class Handler(BaseHTTPRequestHandler):
    """Takes each request in and writes its answer."""

    protocol_version = "HTTP/1.1"
    wbufsize: ClassVar[int] = 65536
    disable_nagle_algorithm: ClassVar[bool] = True

    def handle_any(self) -> None:
        """Record the request, then answer it."""
        service = cast(PlainService, self.server)
        if service.stopped:
            self.close_connection = True
            return
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        with service.lock:
            service.requests.append(Received(self.command, self.path, list(self.headers.items()), body))
        threading.Event().wait(service.delay)
        answer = service.answer(self.command, self.path, self.headers, body)
        self.send_response(answer.status)
        if answer.content_type:
            self.send_header("Content-Type", answer.content_type)
        for name, value in answer.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = handle_any

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""


# ---- data to begin with


def sample_connections() -> list[Connection]:
    """One connection for each vertical, with null and odd values where they were seen."""
    department: dict[str, Any] = dict.fromkeys(["id", "created_at", "modified_at", "name", "parent_id"])
    department |= dict.fromkeys(["parent_department_external_id"])
    department |= dict.fromkeys(["child_ids", "child_department_external_ids", "raw_data"])
    job: dict[str, Any] = {"created_at": "2025-01-02T03:04:05Z", "modified_at": "1735787045000", "name": ""}
    job |= {"confidential": False, "departments": [department], "raw_data": {}}
    job |= dict.fromkeys(["offices", "hiring_managers", "recruiters"])
    file: dict[str, Any] = dict.fromkeys(["name", "description", "path", "mime_type", "size", "created_at"])
    file["export_formats"] = None
    file |= {"downloadable": True, "permissions": {"download": True}, "exportable": False, "raw_data": None}
    kinds = ("file", "folder", "url")
    files = [{"id": f"file_{n}", "type": kinds[n % 3], "updated_at": None} | file for n in range(6)]
    drive: dict[str, Any] = {"id": "drive_1", "name": "Drive", "description": None, "raw_data": {}}
    drive |= {"updated_at": None, "created_at": NOW}
    dates = {"created_at": "2025-01-02 03:04:05.678+00", "updated_at": NOW, "last_modified_at": ""}
    person: dict[str, Any] = {"user_id": "u_1", "is_deleted": False, "raw_data": {}} | dates
    mailbox = {"id": "mb_1", "email": "a@example.com"} | person
    state = {"id": "ss_1", "state": "active", "sequence_id": "s_1", "contact_id": "c_1"} | person
    state["mailbox_id"] = "mb_1"
    accounts = {str(n): {"name": f"Account {n}", "domain": None, "numberofemployees": n} for n in range(1, 4)}
    customer = {"customerId": "1", "customerName": "Ada"}
    income = {"totalIncome": 0.1 + 0.2, "totalExpenses": 0.1, "netIncome": 0.1 + 0.2 - 0.1}
    return [
        Connection("conn_hubspot_1", "crm", accounts=accounts),
        Connection("conn_greenhouse_1", "ats", "greenhouse", check_text="ok",
                   lists={"listJobs": PlainList([{"id": f"job_{n}"} | job for n in range(5)], page_size=2)}),
        Connection("conn_drive_1", "file-storage", "google-drive",
                   lists={"listFiles": PlainList(files, end="null"), "listDrives": PlainList([drive])}),
        Connection("conn_outreach_1", "sales-engagement", "outreach",
                   lists={"listMailboxes": PlainList([mailbox], end="empty"),
                          "listSequenceStates": PlainList([state], end="null")}),
        Connection("conn_quickbooks_1", "accounting", "quickbooks",
                   balances=[customer | {"balance": 0.1}, customer | {"balance": 0.2}],
                   incomes=[customer | income],
                   receipts={"1": {"Payment": {"Id": "1"}}, "2": b"%PDF-1.4\n%%EOF\n"}),
    ]  # fmt: skip
