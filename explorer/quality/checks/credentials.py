"""Credentials: the service must refuse calls without a key, with a wrong key, without a connection or with an unknown
one.

Every ``/v0`` endpoint lists the key and the connection as required headers, the webhook its bearer token (contract 5).
Only unified endpoints use the connection (observed), so that others need not check it.
"""

from __future__ import annotations

import random
import secrets
import string
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Self

from explorer.api.answer import Answer
from explorer.api.client import Client
from explorer.api.errors import NetworkError
from explorer.api.exchange import Exchange
from explorer.api.links import read_claims
from explorer.api.retry import RetryPolicy
from explorer.catalog.request import Request, build, lacking, list_request
from explorer.catalog.spec import Batch, Listing, Operation
from explorer.jsontext.pointer import path_of, value_at
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Tried, json_of, said, tried, value_of
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.words import count

NO_KEY = Check("credentials.no-key", "credentials", "A call without a key is refused", "call")
WRONG_KEY = Check("credentials.wrong-key", "credentials", "An unknown key is refused clearly", "call")
NO_CONNECTION = Check(
    "credentials.no-connection", "credentials", "A call without a connection is refused", "call"
)
UNKNOWN = Check(
    "credentials.unknown-connection", "credentials", "An unknown connection is refused clearly", "call"
)
CHECKS = (NO_KEY, WRONG_KEY, NO_CONNECTION, UNKNOWN)
OF_KEYS = (NO_KEY, WRONG_KEY)
_WAYS = {
    NO_KEY: "without a key",
    WRONG_KEY: "with a wrong key",
    NO_CONNECTION: "without a connection",
    UNKNOWN: "with an unknown connection",
}
"""How the calls of each check are sent, in words."""

_NOBODY = "conn_of_nobody_at_all"
_WITHOUT = ("core/", "connect/")
"""Routes that do not depend on a connection, though the contract lists its header for them as well."""
_NOT_FOUND = 404
_BETWEEN = "_-.:"
"""What stands between the parts of a key."""
_LEAST = 8
"""At least this many characters at the end of a key are its secret part; those before them say whose key it is."""


def checks_of(key: str) -> tuple[Check, ...]:
    """The checks that are made on the calls of a resource."""
    return OF_KEYS if key == "webhook" else CHECKS


class Attempts:
    """Sends calls with wrong or missing credentials, each once. A context manager: it keeps one client for each way."""

    def __init__(
        self,
        service: Service,
        asked: RunOptions,
        credential: Credential | None = None,
        guarded: Callable[[Send, Request], Awaitable[Answer]] | None = None,
    ) -> None:
        """``credential`` is the profile's own: needed for calls with another connection, and for the format of a wrong
        key; those calls are skipped without it. ``guarded`` sends within a budget.
        """
        self._service, self._asked = service, asked
        self._credential, self._guarded = credential, guarded
        self._clients: dict[Check, Client] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()

    @property
    def wanted(self) -> bool:
        """Whether any of these checks was asked for."""
        return self._asked.wants_group("credentials")

    async def on(
        self,
        key: str,
        request: Request,
        usual: Tried | None = None,
        checks: Sequence[Check] | None = None,
    ) -> list[Result]:
        """The results for one route. ``request`` must change nothing, even if it is let through.

        ``usual`` is the same call with correct credentials: where that fails, a refusal with the same status says
        nothing about credentials. Without ``usual`` that call is made where it would decide. ``checks`` are those of
        the route.
        """
        wanted = self._wanted_of(checks_of(key) if checks is None else checks)
        made = [(check, await self.with_credentials_of(check, request)) for check in wanted]
        if usual is None and any((call.status or 0) >= 500 for _, call in made):
            usual = await tried(self._guarded_send(self._service.send), request)
        return [self._judged(check, key, request, call, usual) for check, call in made]

    def skip(self, keys: Iterable[str], why: str) -> list[Result]:
        """The results for routes that are not tried, with the reason."""
        return [skipped(check, key, why) for key in keys for check in self._wanted_of(checks_of(key))]

    def _wanted_of(self, checks: Iterable[Check]) -> list[Check]:
        return [check for check in checks if self._asked.wants(check)]

    async def with_credentials_of(self, check: Check, request: Request) -> Tried:
        """One call with the credentials of a check; a call that was not made has neither an answer nor an error."""
        if check is not NO_KEY and not self._secret:
            return Tried()
        if check not in self._clients:
            self._clients[check] = self._client(check)
        return await tried(self._guarded_send(self._clients[check].send), request)

    def _guarded_send(self, send: Send) -> Send:
        return send if self._guarded is None else partial(self._guarded, send)

    def _judged(self, check: Check, key: str, request: Request, call: Tried, usual: Tried | None) -> Result:
        if call.answer is None and call.error is None:
            return skipped(check, key, "it needs the profile's own key")
        exchange = self._service.exchanges.get(call.exchange)
        if call.answer is None and (given := _given(request.operation, exchange)):
            what = f"refused with {call.status}, and the body has {given} all the same"
            return said(check, key, Verdict.FAILS, what, call)
        return _judged(check, key, call, _body(exchange), usual)

    async def as_sent_with(self, credential: Credential | None, request: Request) -> Tried:
        """One call on the profile's own connection with another credential, or without any."""
        who = self._service.profile
        way = "without a key" if credential is None else "with another key"
        client = self._made(who, credential, way)
        try:
            return await tried(self._guarded_send(client.send), request)
        finally:
            await client.aclose()

    async def invalid(self, request: Request) -> Tried:
        """One call that the contract does not allow, with the profile's own credential; nothing is retried."""
        client = self._made(self._service.profile, self._credential, "with an invalid value")
        try:
            return await tried(
                self._guarded_send(client.send if self._secret else self._service.send), request
            )
        finally:
            await client.aclose()

    @property
    def own(self) -> Credential | None:
        """The profile's own credential, where the run was given it."""
        return self._credential if self._secret else None

    @property
    def _secret(self) -> str:
        return self._credential.reveal() if self._credential is not None else ""

    def _client(self, check: Check) -> Client:
        """A client with the credentials of a check: it sends no secret but the profile's own and made-up ones."""
        who, sent = self._service.profile, self._credential
        if check is NO_KEY:
            sent = None
        elif check is WRONG_KEY:
            # Where a token call brings the token, a wrong one is sent in its place.
            kind = Auth.APIKEY if who.auth is Auth.APIKEY else Auth.BEARER
            sent = Credential(kind, like(self._secret))
        elif check is NO_CONNECTION:
            who = who.changed(connection="", connections=())
        else:
            who = who.with_connection(_nobody(who))
        return self._made(who, sent, _WAYS[check])

    def _made(self, who: Profile, sent: Credential | None, way: str) -> Client:
        once = RetryPolicy(attempts=1)
        return Client(who, sent, self._service.exchanges, retry=once, keyless=True, on_purpose=way)


def reads(service: Service, asked: RunOptions) -> Iterator[tuple[str, Request]]:
    """A reading call by resource key: each list, and the accounts, reports and receipts that the options name."""
    registry = service.registry
    for listing in registry.listings():
        # A list below a parent's rows cannot be requested without one of them.
        if asked.covers(listing.key) and not lacking(registry.listing(listing.key), {}):
            yield listing.key, list_request(registry.listing(listing.key), {})
    if asked.covers("crm/account") and asked.ids:
        body = {"ids": [asked.ids[0]], "properties": list(asked.properties)}
        yield "crm/account", build(registry.operation("crm/account/batch_read"), body=body)
    for key in ("accounting/customer-balance", "accounting/customer-income"):
        if asked.covers(key) and asked.customer:
            yield key, build(registry.operation(key), query={"customer": asked.customer})
    receipt = "accounting/payment-receipt"
    if asked.covers(receipt) and asked.transactions:
        extra = [("customer_transaction_id", asked.transactions[0])]
        yield receipt, build(registry.operation(receipt), extra=extra)


def like(secret: str, choose: Callable[[str], str] = secrets.choice) -> str:
    """A wrong secret in the same format: the front part of a key stays, because it says whose key it is.

    Of a token only the signature changes. ``choose`` draws a character from a text. The result is never ``secret``.
    """
    kept = 0
    if read_claims(secret) is not None:
        kept = secret.rindex(".") + 1
    elif ends := [at + 1 for at, sign in enumerate(secret) if sign in _BETWEEN]:
        kept = max((end for end in ends if len(secret) - end >= _LEAST), default=ends[0])
    while True:
        made = secret[:kept] + "".join(_other(c, secret[kept:], choose) for c in secret[kept:])
        if made != secret:
            return made


def _other(sign: str, among: str, choose: Callable[[str], str]) -> str:
    """Another character of the same kind; for a hexadecimal number another hexadecimal digit."""
    if not sign.isalnum():
        return sign
    if all(c in "0123456789abcdef" or not c.isalnum() for c in among):
        return choose("0123456789abcdef")
    kinds = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    return choose(next((kind for kind in kinds if sign in kind), string.ascii_lowercase))


def _nobody(profile: Profile) -> str:
    """An id in the format of the profile's own connection that no connection has. It is the same at each run, so that a
    run over a recording finds its answer.
    """
    own = profile.connection
    return (
        like(own, random.Random(own).choice)
        if own.startswith("conn_") and len(own) >= len("conn_") + _LEAST
        else _NOBODY
    )


def _judged(check: Check, key: str, call: Tried, body: str, usual: Tried | None) -> Result:
    if call.answer is not None:
        value = json_of(call)
        if key == "webhook" and isinstance(value, dict) and value.get("status") == "error":
            return said(check, key, Verdict.OBSERVED, "acknowledged with status error", call)
        if check not in OF_KEYS and key.startswith(_WITHOUT):
            seen = f"answered with {call.status}: this route looks at no connection"
            return said(check, key, Verdict.OBSERVED, seen, call)
        return said(check, key, Verdict.FAILS, f"answered with {call.status} instead of being refused", call)
    if call.status is None or isinstance(call.error, NetworkError):
        return skipped(check, key, call.sentence)
    missing = usual is not None and usual.status == call.status == _NOT_FOUND
    if missing and check in OF_KEYS and key.startswith(_WITHOUT):
        seen = f"refused with {call.status} for what nobody has, as with the right key: the key was not looked at"
        return said(check, key, Verdict.SUSPECT, seen, call)
    if usual is not None and usual.answer is None and usual.status == call.status:
        seen = f"refused with {call.status}, as it is with the right key"
        return said(check, key, Verdict.OBSERVED, seen, call)
    clear = 400 <= call.status < 500
    shape = "" if clear else ", which does not say whose fault it is"
    verdict = Verdict.HOLDS if clear else Verdict.SUSPECT
    return said(check, key, verdict, f"refused with {call.status} and {body}{shape}", call)


def _given(operation: Operation | None, exchange: Exchange | None) -> str:
    """What the body of a refusal has of the good answer, in words; empty where it has nothing of it.

    A status alone keeps nothing back: whoever reads the body has what was refused.
    """
    value = value_of(exchange.response_body) if exchange is not None else None
    if operation is None or value is None:
        return ""
    if isinstance(operation, Listing | Batch):
        rows = value_at(value, path_of(operation.envelope.items)) if isinstance(value, dict) else value
        there = [row for row in rows if isinstance(row, dict) and row] if isinstance(rows, list) else []
        return count(len(there), "record") if there else ""
    fields = operation.answer.model_fields if operation.answer is not None else {}
    named = [name for name in fields if isinstance(value, dict) and value.get(name) not in (None, "", [], {})]
    return " and ".join(named) if named and 2 * len(named) >= len(fields) else ""


def _body(exchange: Exchange | None) -> str:
    """What the body of an answer is, in words."""
    data = exchange.response_body if exchange is not None else b""
    if not data.strip():
        return "no body"
    value = value_of(data)
    if value is None:
        return "an HTML page" if data.lstrip()[:1] == b"<" else "a body that is not JSON"
    code = value.get("code") if isinstance(value, dict) else None
    if isinstance(value, dict) and "error_detail" in value:
        return "a JSON body with a stack trace"
    return f"a JSON body, code {code[:60]}" if isinstance(code, str) else "a JSON body"
