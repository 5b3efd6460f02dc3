"""Values that the tests of this room share: profiles, requests, and a client that is always closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from explorer.api.client import Client
from explorer.api.exchanges import Exchanges
from explorer.api.retry import RetryPolicy
from explorer.catalog.request import Request, build
from explorer.profiles.profile import Auth, Credential, Environment, Guard, Profile
from tests.builtin import registry

KEY = "ue-canary-7f3a9c51d2e84b60"
T = TypeVar("T")
E = TypeVar("E", bound=BaseException)
QUICK = RetryPolicy(base=0.001, cap=0.002)
ONCE = RetryPolicy(attempts=1)


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work`` on a plain loop; a test that hangs fails."""
    return asyncio.run(asyncio.wait_for(work, 60))


def profile(url: str, **fields: Any) -> Profile:
    """An open development profile for ``url``."""
    values = {"name": "Test", "base_url": url, "connection": "conn_one", "guard": Guard.OPEN, "proxy": "none"}
    return Profile.model_validate({**values, **fields})


def production(url: str, guard: Guard = Guard.ASK) -> Profile:
    return profile(url, environment=Environment.PRODUCTION, guard=guard, id="prod")


def key(kind: Auth = Auth.APIKEY) -> Credential:
    return Credential(kind, KEY)


@asynccontextmanager
async def client(url: str, retry: RetryPolicy = ONCE, **more: Any) -> AsyncIterator[Client]:
    """A client for ``url``; fields of the profile and arguments of Client may be given together."""
    own = {n: more.pop(n) for n in ("max_body_bytes", "transport", "exchanges") if n in more}
    who = more.pop("profile", None) or profile(url, **more)
    exchanges = own.pop("exchanges", None) or Exchanges()
    made = Client(who, Credential(who.auth, KEY), exchanges, retry=retry, **own)
    try:
        yield made
    finally:
        await made.aclose()


async def caught(work: Awaitable[Any], kind: type[E]) -> E:
    """The error of that kind which ``work`` raises."""
    with pytest.raises(kind) as info:
        await work
    return info.value


def read(path: str = "/v0/unified/ats/job", *query: tuple[str, str]) -> Request:
    return Request("GET", path, query)


def write(body: bytes = b'{"record":{}}', path: str = "/v0/unified/crm/contact") -> Request:
    return Request("POST", path, body=body)


def jobs(**query: Any) -> Request:
    return build(registry.operation("ats/job"), query=query, page=1)
