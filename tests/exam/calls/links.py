"""Magic links and the webhook of a correct service."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from typing import Any
from urllib.parse import urlencode

from tests.exam.calls.records import ORGANIZATION, bad
from tests.exam.calls.web import Answer, Refused, Request, refused
from tests.exam.calls.world import Row, World
from tests.exam.frame import KEY

VIEWS = ("manage", "manage-deeplink", "add", "add-deeplink")
THEMES = ("light", "dark")
DAYS_30 = 2592000
CONNECTOR = "hubspot"
TAKING = (CONNECTOR, "greenhouse")
"""Connectors that take webhooks."""
OTHERS = (
    "salesforce",
    "pipedrive",
    "lever",
    "qbo",
    "xero",
    "google-drive",
    "outreach",
    "salesloft",
    "apollo",
    "plaid",
)
"""Names of the enumeration whose connectors take none."""


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def jwt(claims: Row, header: Row | None = None) -> str:
    """A signed token."""
    head = header or {"alg": "HS256", "typ": "JWT"}
    told = ".".join(_b64(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
    if head["alg"] == "none":
        return f"{told}."
    return f"{told}.{_b64(hmac.new(b'not for anyone', told.encode(), hashlib.sha256).digest())}"


class Links:
    """Links and webhook. What a defect changes has a method of its own."""

    world: World
    portal = "https://connect.exam-service.example/connect/portal"

    def magic_link(self, request: Request, _: str) -> Any:
        body = request.body()
        customer, seconds = body.get("customerId"), body.get("validityInSeconds")
        self.asked_customer(customer)
        if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, int | float)):
            raise bad("Expected number", "validityInSeconds", code="invalid_type")
        for name, allowed in (("view", VIEWS), ("theme", THEMES)):
            if body.get(name) is not None and body[name] not in allowed:
                raise bad(f"Invalid enum value. Expected {' | '.join(allowed)}", name)
        token = self.token(self.claims(str(customer), DAYS_30 if seconds is None else seconds))
        return self.link_answer(self.link(self.parameters(body, token)))

    def asked_customer(self, customer: Any) -> None:
        if not isinstance(customer, str) or not customer:
            raise bad("String must contain at least 1 character(s)", "customerId", code="too_small")

    def claims(self, customer: str, seconds: float) -> Row:
        """What the token says."""
        issued = int(time.time())
        return {
            "role": "customer",
            "sub": customer,
            "customerId": customer,
            "orgId": ORGANIZATION,
            "iat": issued,
            "exp": issued + int(seconds),
        }

    def token(self, claims: Row) -> str:
        return jwt(claims)

    def parameters(self, body: Row, token: str) -> list[tuple[str, str]]:
        """What the link carries besides its host."""
        names = (
            "customerId",
            "displayName",
            "redirectUrl",
            "connectorNames",
            "integrationIds",
            "connectionId",
        )
        sent = [(name, str(body[name])) for name in (*names, "theme", "view") if body.get(name) is not None]
        return [("token", token), *sent]

    def link(self, parameters: list[tuple[str, str]]) -> str:
        return f"{self.portal}?{urlencode(parameters)}"

    def link_answer(self, url: str) -> Any:
        return {"url": url}

    # ------------------------------------------------------------ webhook

    def bearer(self, request: Request) -> None:
        """Only the organization's key is accepted."""
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or token.strip() != KEY:
            raise Refused(Answer({"error_type": "UNAUTHORIZED", "error_detail": "Invalid bearer token"}, 401))

    def webhook(self, request: Request, connector: str) -> Any:
        self.bearer(request)
        if connector in TAKING:
            return self.acknowledged(connector)
        if connector in OTHERS:
            raise refused(501, "NOT_IMPLEMENTED", f"{connector} takes no webhooks", path="webhook")
        return self.unknown_connector(connector)

    def acknowledged(self, connector: str) -> Any:
        return {"status": "ok", "info": {"events": 0}}

    def unknown_connector(self, connector: str) -> Any:
        raise bad("Invalid enum value", "connector_name", code="invalid_enum_value")
