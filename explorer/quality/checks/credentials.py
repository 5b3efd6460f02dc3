"""Credentials: without a key, with a wrong one, without a connection or with an unknown one the service must refuse."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial

from explorer.api.answer import Answer
from explorer.api.client import Client
from explorer.api.errors import NetworkError
from explorer.api.exchange import Exchange
from explorer.api.retry import RetryPolicy
from explorer.catalog.request import Request, build
from explorer.profiles.profile import Credential
from explorer.quality.engine.check import Check, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.probe import Found, Tried, said, tried
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service

NO_KEY = Check("credentials.no-key", "credentials", "A call without a key is refused", "call")
WRONG_KEY = Check("credentials.wrong-key", "credentials", "An unknown key is refused clearly", "call")
NO_CONNECTION = Check(
    "credentials.no-connection", "credentials", "A call without a connection is refused", "call"
)
UNKNOWN = Check(
    "credentials.unknown-connection", "credentials", "An unknown connection is refused clearly", "call"
)
CHECKS = (NO_KEY, WRONG_KEY, NO_CONNECTION, UNKNOWN)

_WRONG = "not-a-key-of-anybody"  # not a secret: it is meant to be refused
_NOBODY = "conn_of_nobody_at_all"


async def look(
    service: Service,
    send: Send,
    asked: RunOptions,
    *,
    credential: Credential | None = None,
    guarded: Callable[[Send, Request], Awaitable[Answer]] | None = None,
) -> Found:
    """Asks for a first page in four ways that must not work. Nothing is retried.

    ``credential`` is the profile's own, for the two calls that differ by their connection alone; without it those
    are skipped. No secret but a made-up one is sent in the place of a key. ``guarded`` sends within a budget.
    """
    found = Found()
    key = next((r.key for r in service.registry.listings() if asked.covers(r.key)), "")
    if not key:
        return found
    profile = service.profile
    wrong = Credential(profile.auth, _WRONG)
    for check, who, sent in (
        (NO_KEY, profile, None),
        (WRONG_KEY, profile, wrong),
        (NO_CONNECTION, profile.changed(connection="", connections=()), credential),
        (UNKNOWN, profile.with_connection(_NOBODY), credential),
    ):
        if sent is None and check is not NO_KEY:
            found.results.append(skipped(check, key, "it needs the profile's own key"))
            continue
        once_only = RetryPolicy(attempts=1)
        client = Client(who, sent, service.exchanges, retry=once_only, keyless=True)
        once = client.send if guarded is None else partial(guarded, client.send)
        try:
            call = await tried(once, build(service.registry.listing(key)))
        finally:
            await client.aclose()
        found.results.append(_judged(check, key, call, _body(service.exchanges.get(call.exchange))))
    return found


def _judged(check: Check, key: str, call: Tried, body: str) -> Result:
    if call.answer is not None:
        return said(check, key, Verdict.FAILS, f"answered with {call.status} instead of being refused", call)
    if call.status is None or isinstance(call.error, NetworkError):
        return skipped(check, key, call.sentence)
    clear = 400 <= call.status < 500
    shape = "" if clear else ", which does not say whose fault it is"
    verdict = Verdict.HOLDS if clear else Verdict.SUSPECT
    return said(check, key, verdict, f"refused with {call.status} and {body}{shape}", call)


def _body(exchange: Exchange | None) -> str:
    """What an answer's body is, in words."""
    data = exchange.response_body if exchange is not None else b""
    if not data.strip():
        return "no body"
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return "an HTML page" if data.lstrip()[:1] == b"<" else "a body that is not JSON"
    code = value.get("code") if isinstance(value, dict) else None
    if isinstance(value, dict) and "error_detail" in value:
        return "a JSON body with a stack trace"
    return f"a JSON body, code {code[:60]}" if isinstance(code, str) else "a JSON body"
