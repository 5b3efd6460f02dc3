"""A service of calls that are no lists, as a test describes it: writes, batch read, reports, receipts, links, webhooks.

It keeps what it is sent in memory and answers soundly; `change` spoils single answers, `store` what the third party
makes of a contact, `before` answers without doing anything, and `lets_in` looks away where a credential is missing.
"""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from explorer.profiles.profile import Auth, Credential, Guard, Profile
from explorer.quality.engine.check import Result, Run, Verdict
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from tests.mutations.trial import Asker
from tests.recording import Got, Recording, Reply, reply

KEY, CONNECTION, ORG = "key_org1_9f8a7b6c5d4e3f2a1b0c", "conn_acme_1", "org_1"
NOBODY = "quality-run-nobody"
Json = dict[str, Any]
_EARNED = "2025-01-01"
_MACROS = {"Last Month": ("2025-05-01", "2025-05-31"), "Last Fiscal Year": ("2024-01-01", "2024-12-31")}
_ROUTES = {
    ("POST", "/v0/unified/crm/contact"): "contact.create",
    ("POST", "/v0/unified/crm/contact/_upsert"): "contact.upsert",
    ("POST", "/v0/unified/crm/account/_batch_read"): "accounts",
    ("GET", "/v0/unified/ats/job"): "jobs",
    ("GET", "/v0/unified/accounting/customer-balance"): "balance",
    ("GET", "/v0/unified/accounting/customer-income"): "income",
    ("GET", "/v0/unified/accounting/payment-receipt"): "receipt",
    ("POST", "/v0/core/pipeline"): "pipeline.create",
    ("POST", "/v0/connect/magic-link"): "link",
}
_BY_ID = {
    ("PATCH", "/v0/unified/crm/contact/"): "contact.update",
    ("PATCH", "/v0/core/pipeline/"): "pipeline.update",
    ("PUT", "/v0/core/customer/"): "customer.put",
    ("POST", "/v0/core/connection/"): "check",
    ("POST", "/v1/webhook/"): "webhook",
}


def failed(status: int, message: str, code: str = "BAD_REQUEST") -> Reply:
    """A failure of the service itself."""
    return reply({"message": message, "code": code, "data": {"code": code, "httpStatus": status}}, status)


def third_party(status: int, words: str) -> Reply:
    """A failure of the third party, with its words behind a line break."""
    first = f"[{status} Refused] POST https://api.third-party.example/v3/objects"
    body = {"class": "HttpError", "message": f"{first}\n{words}", "code": "INTERNAL_SERVER_ERROR", "data": {}}
    return reply(body, status)


def jwt(claims: Json) -> str:
    """A token with these claims, signed by nobody."""
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
    return ".".join([*(base64.urlsafe_b64encode(p).decode().rstrip("=") for p in parts), "c2lnbmF0dXJl" * 3])


def link_of(body: Json, **changed: Any) -> str:
    """A sound magic link; ``changed`` are other claims."""
    now = int(time.time())
    claims = {"sub": body["customerId"], "iat": now, "exp": now + int(body.get("validityInSeconds", 2592000))}
    shown = {n: v for n, v in body.items() if n not in ("customerId", "validityInSeconds") and v is not None}
    query = urlencode({"token": jwt({**claims, **changed}), **shown}, quote_via=quote)
    return f"https://connect.acme.example/portal?{query}"


def balance(customer: str, **changed: Any) -> Json:
    """A balance report that adds up."""
    entries = [{"customerId": customer, "customerName": "Ada Ltd", "balance": 10.25}]
    made = {"reportName": "Balance", "reportDate": "2025-12-31", "currency": "EUR", "entries": entries}
    return {**made, "totalBalance": 10.25, **changed}


def income(customer: str, **changed: Any) -> Json:
    """An income report that adds up."""
    figures = {"totalIncome": 30.5, "totalExpenses": 10.25, "netIncome": 20.25}
    entries = [{"customerId": customer, "customerName": "Ada Ltd", **figures}]
    made = {"reportName": "Income", "startPeriod": "2025-01-01", "endPeriod": "2025-12-31", "currency": "EUR"}
    return {**made, "entries": entries, **figures, **changed}


def empty(report: Json) -> Json:
    """The same report of somebody without bookings."""
    totals = ("totalBalance", "totalIncome", "totalExpenses", "netIncome")
    return {**report, "entries": [], **{name: 0 for name in totals if name in report}}


@dataclass(frozen=True)
class Asked:
    """One call as the service sees it."""

    operation: str
    ident: str
    query: dict[str, str]
    body: Any
    got: Got

    @property
    def has_key(self) -> bool:
        """Whether it brings the right key."""
        name, value = ("authorization", f"Bearer {KEY}") if self.operation == "webhook" else ("x-apikey", KEY)
        return self.got.header(name) == value


def _is_invalid(asked: Asked) -> bool:
    """Whether the contract does not allow it: a record that is none, and what has to be there."""
    record = asked.body.get("record") if isinstance(asked.body, dict) else None
    if asked.operation.startswith("contact."):
        texts = record if isinstance(record, dict) else {"": 0}
        return any(
            not isinstance(value, dict if name == "passthrough_fields" else str | None)
            for name, value in texts.items()
        )
    if asked.operation == "accounts":
        return not isinstance(asked.body.get("ids"), list)
    if asked.operation == "receipt":
        return "customer_transaction_id" not in asked.query
    if asked.operation == "link":
        views = (None, "manage", "manage-deeplink", "add", "add-deeplink")
        return asked.body.get("theme") not in (None, "light", "dark") or asked.body.get("view") not in views
    days = [value for name, value in asked.query.items() if name.endswith("_date")]
    return asked.operation in ("balance", "income") and (
        not asked.query.get("customer") or not all(day[:4].isdecimal() for day in days)
    )


@dataclass
class Calls:
    """What the service does, and what it has been told."""

    change: Mapping[str, Callable[[Asked, Any], Any]] = field(default_factory=dict)
    before: Mapping[str, Callable[[Asked], Reply | None]] = field(default_factory=dict)
    store: Callable[[Json], Json] = dict
    lets_in: Callable[[Asked], bool] = lambda _: False
    ends: Callable[[str], bool] = lambda ident: ident.startswith("conn_")
    """Whether a pipeline may begin or end there."""
    invalid: Callable[[Asked], Reply] = lambda _: failed(400, "Invalid input")
    """The answer to what the contract does not allow."""
    unique: bool = False
    """The third party refuses a second contact with the same address."""
    contacts: dict[str, Json] = field(default_factory=dict)
    pipelines: dict[str, Json] = field(default_factory=dict)
    customers: dict[str, Json] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    turn: int = 0

    def answer(self, got: Got) -> Reply:
        """One call."""
        target = urlsplit(got.target)
        try:
            asked = self._read(got, target.path, dict(parse_qsl(target.query, keep_blank_values=True)))
        except ValueError:
            return failed(400, "The body is not JSON", "PARSE_ERROR")
        if asked is None:
            return failed(404, "Not found", "NOT_FOUND")
        self.asked.append(asked)
        if not self.lets_in(asked):
            if not asked.has_key:
                return failed(401, "UNAUTHORIZED", "UNAUTHORIZED")
            connection = got.header("x-connection-id")
            if target.path.startswith("/v0/unified") and connection != CONNECTION:
                status = 404 if connection else 400
                return failed(status, f"conn not found: {connection}", "NOT_FOUND")
        early: Reply | None = self.before.get(asked.operation, lambda _: None)(asked)
        if early is not None:
            return early
        if _is_invalid(asked):
            return self.invalid(asked)
        made: Any = getattr(self, "_" + asked.operation.replace(".", "_"))(asked)
        if isinstance(made, Reply):
            return made
        made = json.loads(json.dumps(made))
        changed = self.change.get(asked.operation)
        made = made if changed is None else changed(asked, made)
        if isinstance(made, Reply):
            return made
        return Reply(body=json.dumps(made, ensure_ascii=False).encode())

    def _read(self, got: Got, path: str, query: dict[str, str]) -> Asked | None:
        body = json.loads(got.body) if got.body else None
        if (got.method, path) in _ROUTES:
            return Asked(_ROUTES[got.method, path], "", query, body, got)
        for (method, start), operation in _BY_ID.items():
            if got.method == method and path.startswith(start):
                ident = path.removeprefix(start).removesuffix("/_check")
                return Asked(operation, unquote(ident), query, body, got)
        return None

    def _now(self) -> str:
        self.turn += 1
        moment = datetime.now(UTC) + timedelta(milliseconds=self.turn)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def _write(self, ident: str, fields: Json) -> Json:
        kept = self.store({n: v for n, v in fields.items() if n != "passthrough_fields"})
        contact = self.contacts.setdefault(ident, {"id": ident})
        contact.update(kept, updated_at=self._now(), raw_data={"Id": ident})
        return {"record": contact}

    def _matching(self, value: str) -> list[str]:
        return [i for i, one in self.contacts.items() if str(one.get("email", "")).lower() == value.lower()]

    def _contact_create(self, asked: Asked) -> Any:
        fields = asked.body["record"]
        if self.unique and self._matching(str(fields.get("email", ""))):
            return third_party(409, '{"message":"Contact already exists"}')
        return self._write(f"c{len(self.contacts) + 1}", fields)

    def _contact_update(self, asked: Asked) -> Any:
        if asked.ident not in self.contacts:
            return third_party(404, "no such contact")
        return self._write(asked.ident, asked.body["record"])

    def _contact_upsert(self, asked: Asked) -> Any:
        found = self._matching(asked.body["upsert_on"]["values"][0])
        if len(found) > 1:
            return failed(400, f"{len(found)} contacts match")
        return self._write(found[0] if found else f"c{len(self.contacts) + 1}", asked.body["record"])

    def _accounts(self, asked: Asked) -> Any:
        moment = "2025-01-01T00:00:00Z"
        return [
            {"id": one, "updated_at": moment, "raw_data": {"Id": one}}
            for one in asked.body["ids"]
            if one != "no-such-account"
        ]

    def _jobs(self, asked: Asked) -> Any:
        return {"items": [], "has_next_page": False, "next_cursor": None}

    def _balance(self, asked: Asked) -> Any:
        return empty(balance("")) if asked.query["customer"] == NOBODY else balance(asked.query["customer"])

    def _income(self, asked: Asked) -> Any:
        first, last = _MACROS.get(asked.query.get("date_macro", ""), ("", ""))
        period = {
            "startPeriod": asked.query.get("start_date", first),
            "endPeriod": asked.query.get("end_date", last),
        }
        made = income(asked.query["customer"], **period)
        # All of it was earned on one day.
        has_it = period["startPeriod"] <= _EARNED <= period["endPeriod"]
        return made if has_it and asked.query["customer"] != NOBODY else empty(made)

    def _receipt(self, asked: Asked) -> Any:
        return {"Payment": {"Id": asked.query["customer_transaction_id"]}}

    def _merge(self, pipeline: Json, body: Json) -> Json:
        for name in ("metadata", "streams", "disabled", "sourceId", "destinationId"):
            if name in body:
                old, new = pipeline.get(name), body[name]
                merges = name in ("metadata", "streams") and isinstance(old, dict) and isinstance(new, dict)
                pipeline[name] = {**(old or {}), **new} if merges else new
        pipeline["updatedAt"] = self._now()
        return pipeline

    def _pipeline_create(self, asked: Asked) -> Any:
        ident = asked.body["id"]
        if not ident.startswith("pipe_"):
            return failed(400, "Is not a valid pipeline id, expecting pipe_")
        for name in ("sourceId", "destinationId"):
            if not self.ends(asked.body.get(name, "conn_")):
                return failed(400, f"{name} is not a valid connection id, expecting conn_")
        made = {"id": ident, "createdAt": self._now(), "disabled": False, "linkOptions": []}
        return self._merge(self.pipelines.setdefault(ident, made), asked.body)

    def _pipeline_update(self, asked: Asked) -> Any:
        if asked.ident not in self.pipelines:
            return failed(404, "pipe not found", "NOT_FOUND")
        return self._merge(self.pipelines[asked.ident], asked.body)

    def _customer_put(self, asked: Asked) -> Any:
        self.customers[asked.ident] = {"id": asked.ident, "orgId": ORG, **(asked.body or {})}
        return self.customers[asked.ident]

    def _check(self, asked: Asked) -> Any:
        if not asked.ident.startswith("conn_"):
            return failed(400, "Is not a valid connection id, expecting conn_")
        return (
            {"id": asked.ident} if asked.ident == CONNECTION else failed(404, "conn not found", "NOT_FOUND")
        )

    def _link(self, asked: Asked) -> Any:
        if not asked.body["customerId"]:
            return failed(400, "String must contain at least 1 character(s)")
        return {"url": link_of(asked.body)}

    def _webhook(self, asked: Asked) -> Any:
        if asked.ident.startswith("no-connector"):
            return failed(400, "Invalid enum value")
        return {"status": "ok", "info": None}


class Serving:
    """The server; what it does may change between runs."""

    def __init__(self) -> None:
        self.calls = Calls()
        self._server = Recording(answering=lambda got: self.calls.answer(got))

    @property
    def url(self) -> str:
        """Where it listens."""
        return self._server.url

    def run(
        self,
        calls: Calls,
        *resources: str,
        guard: Guard = Guard.OPEN,
        most: int | None = None,
        **asked: Any,
    ) -> Run:
        """All checks on some resources, writes included unless said otherwise; ``most`` calls."""
        self.calls = calls
        told = {"resources": resources, "writes": True, "calls": most, **asked}
        return asyncio.run(self._run(RunOptions(**told), guard))

    async def _run(self, asked: RunOptions, guard: Guard) -> Run:
        credential = Credential(Auth.APIKEY, KEY)
        profile = Profile.sandbox(self.url, guard=guard).with_connection(CONNECTION)
        asker = Asker(profile, credential)
        try:
            return await QualityRun(asker, asked, credential=credential).whole()
        finally:
            await asker.aclose()


@contextmanager
def serving() -> Iterator[Serving]:
    """A server, for as long as a module's tests take."""
    made = Serving()
    with made._server:
        yield made


def bad(run: Run) -> set[tuple[str, str]]:
    """What was found: checks and the fields of their findings."""
    return {(one.check.id, finding.field) for one in run.bad for finding in one.findings} | {
        (one.check.id, "") for one in run.bad if not one.findings
    }


def the(run: Run, check: str, resource: str = "") -> Result:
    """The result of a check that must be there."""
    found = run.result(check, resource)
    assert found is not None, f"{check} did not run"
    return found


def words(run: Run, check: str, resource: str = "") -> str:
    """All that a result says."""
    found = the(run, check, resource)
    return " | ".join([found.seen, *(one.sentence for one in found.findings)])


def held(run: Run) -> bool:
    """Whether nothing fails, is suspect or could not be done."""
    return not run.bad and not [one for one in run.results if one.is_undone or one.verdict is Verdict.FAILS]
