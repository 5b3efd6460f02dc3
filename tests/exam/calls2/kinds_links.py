"""Magic links that are not what was asked for, and a webhook that does not look who calls."""

from __future__ import annotations

import time
from typing import Any

from tests.exam.calls.links import jwt
from tests.exam.calls.service import Service
from tests.exam.calls.web import Request
from tests.exam.calls.world import Row
from tests.exam.calls2.kinds import LINKS, WEBHOOKS, kind
from tests.exam.frame import KEY


@kind("links", "validity is taken in milliseconds", LINKS, writes=True)
class Milliseconds(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return super().claims(customer, seconds / 1000)


@kind("links", "validity is ignored: every link lives for a year", LINKS, writes=True)
class OneYear(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return super().claims(customer, 365 * 86400)


@kind("links", "without a validity the link lives for one day", LINKS, writes=True)
class OneDay(Service):
    def magic_link(self, request: Request, _: str) -> Any:
        self.short = request.body().get("validityInSeconds") is None
        return super().magic_link(request, _)

    def claims(self, customer: str, seconds: float) -> Row:
        return super().claims(customer, 86400 if self.short else seconds)


@kind("links", "the token never expires", LINKS, writes=True)
class NoExpiry(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return {key: value for key, value in super().claims(customer, seconds).items() if key != "exp"}


@kind("links", "the token is always that of the first customer", LINKS, writes=True)
class FirstCustomer(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return super().claims("acme-7", seconds)


@kind("links", "the token makes an organization's administrator of the customer", LINKS, writes=True)
class Administrator(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return {**super().claims(customer, seconds), "role": "org", "scope": "org:admin"}


@kind("links", "the link goes over http", LINKS, writes=True)
class PlainHttp(Service):
    portal = "http://connect.exam-service.example/connect/portal"


@kind("links", "the link has no host", LINKS, writes=True)
class NoHost(Service):
    portal = "/connect/portal"


@kind("links", "the link leads to the developer's own machine", LINKS, writes=True)
class LocalHost(Service):
    portal = "http://localhost:3000/connect/portal"


@kind("links", "the token is not signed", LINKS, writes=True)
class Unsigned(Service):
    def token(self, claims: Row) -> str:
        return jwt(claims, {"alg": "none", "typ": "JWT"})


@kind("links", "the link carries the organization's key", LINKS, writes=True)
class KeyInLink(Service):
    def parameters(self, body: Row, token: str) -> list[tuple[str, str]]:
        return [*super().parameters(body, token), ("apikey", KEY)]


@kind("links", "the token's claims have the organization's key in them", LINKS, writes=True)
class KeyInToken(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return {**super().claims(customer, seconds), "orgKey": KEY}


@kind("links", "the link has no token", LINKS, writes=True)
class NoToken(Service):
    def parameters(self, body: Row, token: str) -> list[tuple[str, str]]:
        return super().parameters(body, token)[1:]


@kind("links", "a link for nobody: an empty customerId is taken", LINKS, writes=True)
class Nobody(Service):
    def asked_customer(self, customer: Any) -> None:
        return None


@kind("links", "the view and theme that were asked are turned into others", LINKS, writes=True)
class OtherView(Service):
    def parameters(self, body: Row, token: str) -> list[tuple[str, str]]:
        return super().parameters({**body, "view": "manage", "theme": "light"}, token)


@kind("links", "the redirect is another than was asked", LINKS, writes=True)
class OtherRedirect(Service):
    def parameters(self, body: Row, token: str) -> list[tuple[str, str]]:
        elsewhere = "https://elsewhere.example/done"
        return super().parameters({**body, "redirectUrl": elsewhere}, token)


@kind("links", "the link is under link and not under url", LINKS, writes=True)
class OtherName(Service):
    def link_answer(self, url: str) -> Any:
        return {"link": url}


@kind("links", "the token was issued in the past and has run out", LINKS, writes=True)
class RunOut(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        then = int(time.time()) - 40 * 86400
        return {**super().claims(customer, seconds), "iat": then, "exp": then + int(seconds)}


@kind("webhook", "any bearer is accepted", WEBHOOKS, writes=True)
class AnyBearer(Service):
    def bearer(self, request: Request) -> None:
        if request.headers.get("authorization") is None:
            super().bearer(request)


@kind("webhook", "no bearer is needed", WEBHOOKS, writes=True)
class NoBearer(Service):
    def bearer(self, request: Request) -> None:
        if request.headers.get("authorization") is not None:
            super().bearer(request)


@kind("webhook", "the beginning of the key is enough", WEBHOOKS, writes=True)
class BearerBeginning(Service):
    def bearer(self, request: Request) -> None:
        token = request.headers.get("authorization", "").partition(" ")[2]
        if len(token) < 8 or not KEY.startswith(token):
            super().bearer(request)


@kind("webhook", "status is a word of its own", WEBHOOKS, writes=True)
class OtherStatus(Service):
    def acknowledged(self, connector: str) -> Any:
        return {"status": "accepted", "info": {"events": 0}}


@kind("webhook", "status is left out", WEBHOOKS, writes=True)
class NoStatus(Service):
    def acknowledged(self, connector: str) -> Any:
        return {"info": {"events": 0}}


@kind("webhook", "a bare text instead of an acknowledgment", WEBHOOKS, writes=True)
class BareText(Service):
    def acknowledged(self, connector: str) -> Any:
        return "ok"


@kind("webhook", "a name outside the enumeration is acknowledged", WEBHOOKS, writes=True)
class AnyConnector(Service):
    def unknown_connector(self, connector: str) -> Any:
        return self.acknowledged(connector)
