"""The sandbox's service: the paths of the 18 endpoints, the order in which a request is looked at, and serving them.

Order: guards (against hostile web pages, and a bound on bodies), the log of requests, credentials, connection, body,
input, what the connector can do.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, NoReturn
from urllib.parse import parse_qsl, unquote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from explorer import loopback
from explorer.faults.answers import spoiled
from explorer.faults.wire import Drip, SocketProtocol
from explorer.loopback import ServiceNotStarted
from explorer.sandbox import books, core, crm, lists
from explorer.sandbox.calls import Call, Sandbox
from explorer.sandbox.config import ORG_ID, SandboxConfig
from explorer.sandbox.connections import Connection
from explorer.sandbox.failures import (
    Refusal,
    as_json,
    before_routing,
    crashed,
    credentials_revoked,
    not_found,
    refused,
)
from explorer.sandbox.resources import LISTS

Work = Callable[[Call], Response]

STATE_PATH = "/_sandbox/state"
_SHOWN_BODY = 16_000
_LEFT_OUT = "(left out)"
_KEY_FORM = re.compile(r"sbx_(?P<org>.+)_[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One row of the contract's table of endpoints."""

    method: str
    path: str
    procedure: str
    work: Work

    @property
    def vertical(self) -> str:
        """As `file-storage` for the unified ones, else empty."""
        return self.path.split("/")[3] if self.path.startswith("/v0/unified/") else ""


_CRM, _BOOKS = "/v0/unified/crm", "/v0/unified/accounting"

ENDPOINTS = (
    Endpoint("POST", f"{_CRM}/contact", "crm.createContact", crm.create_contact),
    Endpoint("POST", f"{_CRM}/contact/_upsert", "crm.upsertContact", crm.upsert_contact),
    Endpoint("PATCH", f"{_CRM}/contact/{{id}}", "crm.updateContact", crm.update_contact),
    Endpoint("POST", f"{_CRM}/account/_batch_read", "crm.batchReadAccount", crm.batch_read_accounts),
    *(Endpoint("GET", one.path, one.procedure, partial(lists.page_of, one)) for one in LISTS),
    Endpoint("GET", f"{_BOOKS}/customer-balance", "accounting.getCustomerBalance", books.customer_balance),
    Endpoint("GET", f"{_BOOKS}/customer-income", "accounting.getCustomerIncome", books.customer_income),
    Endpoint("GET", f"{_BOOKS}/payment-receipt", "accounting.getPaymentReceipt", books.payment_receipt),
    Endpoint("POST", "/v0/core/pipeline", "core.createPipeline", core.create_pipeline),
    Endpoint("PATCH", "/v0/core/pipeline/{id}", "core.updatePipeline", core.update_pipeline),
    Endpoint("POST", "/v0/core/connection/{id}/_check", "core.checkConnection", core.check_connection),
    Endpoint("PUT", "/v0/core/customer/{id}", "core.upsertCustomer", core.put_customer),
    Endpoint("POST", "/v0/connect/magic-link", "connect.createMagicLink", core.create_magic_link),
    Endpoint("POST", "/v1/webhook/{connector_name}", "webhook.receive", core.receive_webhook),
)


def create_app(config: SandboxConfig) -> Starlette:
    """The sandbox as an application. `config` holds the credentials that it asks for."""
    sandbox = Sandbox.made(config)
    routes = [Route(one.path, _endpoint(sandbox, one), methods=[one.method]) for one in ENDPOINTS]
    for route in routes:
        # Starlette adds HEAD to GET; the contract has no such method.
        route.methods = {
            one.method for one in ENDPOINTS if one.path == route.path and one.method in (route.methods or ())
        }
    routes.append(Route(STATE_PATH, _state(sandbox), methods=["GET"]))
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, sandbox=sandbox)],
        exception_handlers={Refusal: _refusal, 404: _unknown, 405: _unknown, Exception: _crash},
    )
    app.router.redirect_slashes = False
    return app


async def _refusal(request: Request, error: Exception) -> Response:
    return error.response() if isinstance(error, Refusal) else crashed().response()


async def _unknown(request: Request, error: Exception) -> Response:
    return not_found("Not found").response()


async def _crash(request: Request, error: Exception) -> Response:
    return crashed().response()


def _endpoint(sandbox: Sandbox, endpoint: Endpoint) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        _let_in(sandbox.config, request, endpoint)
        connection = _connection(sandbox, request, endpoint) if endpoint.vertical else None
        call = Call(
            sandbox,
            endpoint.procedure,
            endpoint.method,
            connection,
            dict(request.query_params),
            await _given(request, endpoint),
            {name: unquote(str(value)) for name, value in request.path_params.items()},
        )
        if connection is None:
            return endpoint.work(call)
        response = await carried_out(call, endpoint.work)
        if response.status_code == 200:
            response.headers["x-connection-id"] = connection.id
        return response

    return answer


async def carried_out(call: Call, work: Work) -> Response:
    """The answer to a call on a unified endpoint, with the faults of its connection applied."""
    connection, config, memory = call.reached, call.sandbox.config, call.sandbox.memory
    if connection.fault == "revoked" or connection.id in memory.disconnected:
        raise credentials_revoked(connection.connector)
    if connection.fault == "slow":
        await asyncio.sleep(config.slow_seconds)
    if connection.fault == "slow drip":
        return Drip(None, config.drip_seconds)
    if connection.fault in ("", "slow", "unfit"):
        return work(call)
    target = "|".join((connection.id, call.procedure, *call.path.values(), call.query.get("cursor", "")))
    kind = call.sandbox.faults.kind(connection.fault, target, memory.request_count)
    if kind is None:
        return work(call)
    url = f"https://api.{next(iter(connection.parties.values()))}.example/v1/list"
    return spoiled(kind, call.sandbox.faults, call.method, call.procedure, url, lambda: work(call))


def _same(given: str, wanted: str) -> bool:
    return bool(wanted) and hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())


def _let_in(config: SandboxConfig, request: Request, endpoint: Endpoint) -> None:
    """Credentials, in the order observed: bearer before key, and what is malformed before what is wrong."""
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    key = request.headers.get("x-apikey")
    if scheme.lower() == "bearer":
        if not (_same(bearer.strip(), config.token) or _same(bearer.strip(), config.apikey)):
            raise before_routing(401, "AuthenticationError", "invalid bearer token")
    elif endpoint.path.startswith("/v1/"):
        raise refused(401, "UNAUTHORIZED", "UNAUTHORIZED", endpoint.procedure)
    elif not key or not _same(key, config.apikey):
        _refuse_key(key, endpoint)
    connection_id = request.headers.get("x-connection-id")
    if connection_id is not None and not connection_id.startswith("conn_"):
        raise crashed()


def _refuse_key(key: str | None, endpoint: Endpoint) -> NoReturn:
    if key and (not key.isascii() or not key.isprintable() or " " in key):
        raise before_routing(400, "MalformedKeyError", "the API key cannot be read")
    form = _KEY_FORM.fullmatch(key or "")
    if form and form["org"] != ORG_ID:
        raise crashed()
    raise refused(401, "UNAUTHORIZED", "UNAUTHORIZED", endpoint.procedure)


def _connection(sandbox: Sandbox, request: Request, endpoint: Endpoint) -> Connection:
    connection_id = request.headers.get("x-connection-id")
    if connection_id is None:
        raise refused(400, "BAD_REQUEST", "x-connection-id header is required", endpoint.procedure)
    connection = sandbox.connection(connection_id)
    if connection is None:
        raise not_found(f"conn not found: {connection_id}", endpoint.procedure)
    if endpoint.vertical not in connection.parties:
        raise refused(400, "BAD_REQUEST", f"Adapter {connection.connector} not found", endpoint.procedure)
    return connection


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


async def _given(request: Request, endpoint: Endpoint) -> Any:
    """The JSON of the body. A webhook may bring anything (contract 4, endpoint 18)."""
    body = await request.body()
    if not body or request.method == "GET":
        return {}
    if endpoint.path.startswith("/v1/") and "json" not in request.headers.get("content-type", ""):
        return {}
    try:
        return json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise refused(400, "PARSE_ERROR", "The body is not JSON", endpoint.procedure) from None


def _state(sandbox: Sandbox) -> Callable[[Request], Awaitable[Response]]:
    """For tests: what was written and what was asked, with credentials left out. It is no part of the interface."""

    async def answer(request: Request) -> Response:
        if not _same(request.headers.get("x-apikey", ""), sandbox.config.apikey):
            raise refused(401, "UNAUTHORIZED", "UNAUTHORIZED")
        memory = sandbox.memory
        return as_json(
            {
                "contacts": {name: asdict(book)["raw"] for name, book in memory.contacts.items()},
                "pipelines": memory.pipelines,
                "customers": memory.customers,
                "connections": memory.connections,
                "disconnected": sorted(memory.disconnected),
                "request_count": memory.request_count,
                "requests": list(memory.requests),
            }
        )

    return answer


class Guard:
    """Refuses what a web page could send and reads the body, before the application sees a request."""

    def __init__(self, app: ASGIApp, sandbox: Sandbox) -> None:
        self._app = app
        self._sandbox = sandbox

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        entry: dict[str, Any] = {"status": None}
        try:
            body = await loopback.request_body(receive)
            if body is None:
                raise refused(413, "PAYLOAD_TOO_LARGE", "The body is too large")
            self._note(entry, scope, headers, body)
            if why := loopback.refusal(scope, headers):
                raise refused(403, "FORBIDDEN", why)
        except Refusal as refusal:
            entry["status"] = refusal.status
            await refusal.response()(scope, receive, send)
            return
        replayed = False
        # The path as it was sent: a slash that is part of an id arrives as %2F and must not split the path.
        scope = {**scope, "path": scope["raw_path"].decode("ascii")}

        async def again() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def watched(message: Message) -> None:
            if message["type"] == "http.response.start":
                entry["status"] = message["status"]
            await send(message)

        await self._app(scope, again, watched)

    def _note(
        self, entry: dict[str, Any], scope: Scope, headers: Iterable[tuple[bytes, bytes]], body: bytes
    ) -> None:
        """Logs a request without the values of its headers, and with credentials left out wherever else they stand."""
        memory = self._sandbox.memory
        if scope["path"] == STATE_PATH:
            return
        memory.request_count += 1
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        entry |= {
            "number": memory.request_count,
            "method": scope["method"],
            "path": self._clean(scope["raw_path"].decode("ascii")),
            "query": [[self._clean(name), self._clean(value)] for name, value in pairs],
            "headers": sorted({name.decode("latin-1") for name, _ in headers}),
            "connection": next(
                (
                    self._clean(value.decode("latin-1"))
                    for name, value in headers
                    if name == b"x-connection-id"
                ),
                None,
            ),
            "body": self._clean(body[:_SHOWN_BODY].decode("utf-8", "replace")),
        }
        memory.requests.append(entry)

    def _clean(self, text: str) -> str:
        for secret in (self._sandbox.config.apikey, self._sandbox.config.token):
            if secret:
                text = text.replace(secret, _LEFT_OUT).replace(json.dumps(secret)[1:-1], _LEFT_OUT)
        return text


def serve(config: SandboxConfig, announce: Callable[[str, str], None]) -> None:
    """Serves on 127.0.0.1 until SIGINT, SIGTERM or, with `end_with_parent`, the end of standard input.

    Args:
        config: where and what; a missing key is made. The token stays unusable when it is empty.
        announce: called with the base address and the key once the sandbox listens.

    Raises:
        ServiceNotStarted: the port is taken or may not be used.
    """
    if not config.apikey:
        config = replace(config, apikey=SandboxConfig.fresh_apikey())
    try:
        loopback.serve(
            create_app(config),
            config.port,
            lambda address: announce(address, config.apikey),
            protocol=SocketProtocol,
            end_with_parent=config.end_with_parent,
        )
    except loopback.CannotListen as error:
        raise ServiceNotStarted(
            f"The sandbox cannot listen on {loopback.HOST}:{config.port}: {error}."
        ) from None


def run(
    port: int = 0,
    announce: bool = False,
    end_with_parent: bool = False,
    settings: Mapping[str, float] | None = None,
) -> int:
    """The command `sandbox`: serves, and says where on standard output.

    With `announce` it writes one line of JSON, `{"base_url", "apikey", "token"}`, or `{"error"}` when it cannot
    start; else words. Returns the exit code, 3 when it cannot start.
    """
    config = SandboxConfig(
        port=port,
        apikey=SandboxConfig.fresh_apikey(),
        token=SandboxConfig.fresh_token(),
        end_with_parent=end_with_parent,
    )
    config = replace(config, **(settings or {}))  # type: ignore[arg-type]

    def say(base_url: str, apikey: str) -> None:
        if announce:
            _print_line(json.dumps({"base_url": base_url, "apikey": apikey, "token": config.token}))
            return
        _print_line(f"Sandbox at {base_url}")
        _print_line(f"x-apikey: {apikey}")
        _print_line(f"Authorization: Bearer {config.token}")
        _print_line("x-connection-id: conn_sandbox_clean (others are in docs/sandbox.md). Ctrl+C ends it.")

    try:
        serve(config, say)
    except ServiceNotStarted as error:
        if announce:
            _print_line(json.dumps({"error": str(error)}))
        else:
            sys.stderr.write(f"{error}\n")
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
