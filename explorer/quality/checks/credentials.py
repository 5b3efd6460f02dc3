"""Credentials: without a key, with a wrong one, without a connection or with an unknown one the service must refuse."""

from __future__ import annotations

from explorer.api.client import Client
from explorer.api.errors import NetworkError
from explorer.api.retry import RetryPolicy
from explorer.catalog import registry
from explorer.catalog.request import build
from explorer.profiles.profile import Credential
from explorer.quality.asked import Asked
from explorer.quality.check import Check, Result, Verdict
from explorer.quality.probe import Found, Tried, said, tried
from explorer.quality.service import Send, Service
from explorer.quality.tally import skipped

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


async def look(service: Service, send: Send, asked: Asked, credential: Credential | None = None) -> Found:
    """Asks for a first page in four ways that must not work. Nothing is retried.

    ``credential`` is the profile's own, for the two calls that differ by their connection alone; without it those
    are skipped. No secret but a made-up one is sent in the place of a key.
    """
    found = Found()
    key = next((r.key for r in registry.listings() if asked.covers(r.key)), "")
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
        client = Client(who, sent, service.exchanges, retry=RetryPolicy(attempts=1))
        try:
            call = await tried(client.send, build(registry.listing(key)))
        finally:
            await client.aclose()
        found.results.append(_judged(check, key, call))
    return found


def _judged(check: Check, key: str, call: Tried) -> Result:
    if call.answer is not None:
        return said(check, key, Verdict.FAILS, f"answered with {call.status} in place of being refused", call)
    if call.status is None or isinstance(call.error, NetworkError):
        return skipped(check, key, call.sentence)
    clear = 400 <= call.status < 500
    shape = "" if clear else ", which does not say whose fault it is"
    return said(
        check, key, Verdict.HOLDS if clear else Verdict.SUSPECT, f"refused with {call.status}{shape}", call
    )
