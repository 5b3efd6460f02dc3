"""Magic links that are not what was asked for, and webhooks that answer where they should not."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from tests.exam.calls.kinds import kind
from tests.exam.calls.links import DAYS_30, jwt
from tests.exam.calls.records import ORGANIZATION
from tests.exam.calls.service import Service
from tests.exam.calls.web import Answer, Request, refused
from tests.exam.calls.world import Row
from tests.exam.frame import KEY, Expected

GROUP = "links"
LINK = Expected("connect/magic-link")
WEBHOOK = Expected("webhook")
Parameters = list[tuple[str, str]]


@kind(GROUP, "link: the token's exp is in milliseconds", LINK, writes=True)
class ExpInMilliseconds(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        claims = super().claims(customer, seconds)
        return {**claims, "iat": claims["iat"] * 1000, "exp": claims["exp"] * 1000}


@kind(GROUP, "link: it has expired at once", LINK, writes=True)
class ExpiredAtOnce(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        claims = super().claims(customer, seconds)
        return {**claims, "exp": claims["iat"]}


@kind(GROUP, "link: seconds are taken for milliseconds", LINK, writes=True)
class ThousandTimesShorter(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return super().claims(customer, seconds / 1000)


@kind(GROUP, "link: validityInSeconds is ignored", LINK, writes=True)
class ValidityIgnored(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return super().claims(customer, DAYS_30)


@kind(GROUP, "link: it never expires", LINK, writes=True)
class NeverExpires(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return {name: value for name, value in super().claims(customer, seconds).items() if name != "exp"}


@kind(GROUP, "link: the token is another customer's", LINK, writes=True)
class TokenOfAnother(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return {**super().claims(customer, seconds), "sub": "globex-2", "customerId": "globex-2"}


@kind(GROUP, "link: the token is not signed", LINK, writes=True)
class Unsigned(Service):
    def token(self, claims: Row) -> str:
        return jwt(claims, {"alg": "none", "typ": "JWT"})


class OtherParameters(Service):
    """The link's parameters are not those asked for."""

    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return parameters

    def parameters(self, body: Row, token: str) -> Parameters:
        return self.other(body, super().parameters(body, token))


@kind(GROUP, "link: the customer in the url is another", LINK, writes=True)
class UrlOfAnother(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return [(name, "globex-2" if name == "customerId" else value) for name, value in parameters]


@kind(GROUP, "link: another view than the one asked for", LINK, writes=True)
class AnotherView(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        views = {"manage": "add", "add": "manage", "manage-deeplink": "manage", "add-deeplink": "add"}
        return [(name, views[value] if name == "view" else value) for name, value in parameters]


@kind(GROUP, "link: the theme turns round", LINK, writes=True)
class AnotherTheme(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        themes = {"light": "dark", "dark": "light"}
        return [(name, themes[value] if name == "theme" else value) for name, value in parameters]


@kind(GROUP, "link: a parameter stands twice with two values", LINK, writes=True)
class ParameterTwice(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return [*parameters, ("view", "manage"), ("customerId", "default")]


@kind(GROUP, "link: parameters are encoded twice", LINK, writes=True)
class EncodedTwice(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return [(name, value if name == "token" else quote(value, safe="")) for name, value in parameters]


@kind(GROUP, "link: parameters are not encoded, so they break apart", LINK, writes=True)
class NotEncoded(Service):
    def link(self, parameters: Parameters) -> str:
        return f"{self.portal}?" + "&".join(f"{name}={value}" for name, value in parameters)


@kind(GROUP, "link: what was left out stands there as null or undefined", LINK, writes=True)
class Undefined(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        known = {name for name, _ in parameters}
        absent = [
            name
            for name in ("displayName", "redirectUrl", "connectorNames", "theme", "view")
            if name not in known
        ]
        return [*parameters, *((name, "undefined") for name in absent)]


@kind(GROUP, "link: redirectUrl is lost", LINK, writes=True)
class RedirectLost(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return [one for one in parameters if one[0] != "redirectUrl"]


@kind(GROUP, "link: redirectUrl loses its own query", LINK, writes=True)
class RedirectCut(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return [
            (name, value.partition("?")[0] if name == "redirectUrl" else value) for name, value in parameters
        ]


@kind(GROUP, "link: it is http, not https", LINK, writes=True)
class PlainHttp(Service):
    portal = Service.portal.replace("https:", "http:")


@kind(GROUP, "link: it leads to the developer's own machine", LINK, writes=True)
class Localhost(Service):
    portal = "http://localhost:3000/connect/portal"


@kind(GROUP, "link: the organization's key is in it", LINK, writes=True)
class KeyInside(OtherParameters):
    def other(self, body: Row, parameters: Parameters) -> Parameters:
        return [*parameters, ("apikey", KEY)]


@kind(GROUP, "link: the organization's key is in the token", LINK, writes=True)
class KeyInToken(Service):
    def claims(self, customer: str, seconds: float) -> Row:
        return {**super().claims(customer, seconds), "apiKey": KEY, "orgId": ORGANIZATION}


@kind(GROUP, "link: it is a path without a host", LINK, writes=True)
class PathOnly(Service):
    portal = "/connect/portal"


@kind(GROUP, "link: url is missing, the field has another name", LINK, writes=True)
class UrlMissing(Service):
    def link_answer(self, url: str) -> Any:
        return {"link": url}


@kind(GROUP, "link: a customerId without characters gets one", LINK, writes=True)
class EmptyCustomer(Service):
    def asked_customer(self, customer: Any) -> None:
        """Whatever is sent will do."""


@kind(GROUP, "webhook: any connector name is taken", WEBHOOK, writes=True)
class AnyName(Service):
    def unknown_connector(self, connector: str) -> Any:
        return self.acknowledged(connector)


@kind(GROUP, "webhook: no key is needed", WEBHOOK, writes=True)
class NoBearer(Service):
    def bearer(self, request: Request) -> None:
        """Whoever comes may."""


@kind(GROUP, "webhook: a wrong key will do", WEBHOOK, writes=True)
class AnyBearer(Service):
    def bearer(self, request: Request) -> None:
        if not request.headers.get("authorization", "").lower().startswith("bearer "):
            super().bearer(request)


@kind(GROUP, "webhook: the status is a word of its own", Expected("webhook", ("status",)), writes=True)
class StatusSuccess(Service):
    def acknowledged(self, connector: str) -> Any:
        return {"status": "success", "info": {}}


@kind(GROUP, "webhook: the status is missing", Expected("webhook", ("status",)), writes=True)
class StatusMissing(Service):
    def acknowledged(self, connector: str) -> Any:
        return {"received": True}


@kind(GROUP, "webhook: the answer is the word OK", WEBHOOK, writes=True)
class PlainOk(Service):
    def acknowledged(self, connector: str) -> Any:
        return Answer(content=b"OK", kind="text/plain")


@kind(GROUP, "webhook: it crashes whatever comes", WEBHOOK, writes=True)
class WebhookCrashes(Service):
    def acknowledged(self, connector: str) -> Any:
        raise refused(500, "INTERNAL_SERVER_ERROR", "Cannot read properties of undefined (reading 'id')")
