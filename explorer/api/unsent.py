"""A request that is not sent: as it would go over the wire, or as a curl command, without the key."""

from __future__ import annotations

from datetime import UTC, datetime

from explorer.api.curl_and_har import OWN_SHELL, Shell, as_curl
from explorer.api.exchange import Exchange
from explorer.api.http_request import HttpRequest, http_request_of
from explorer.api.interface import registry_for
from explorer.api.redact import MASK, Redactor
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile

# A placeholder for the key, so that the headers are made as they will be sent; it is masked before anything is shown.
_STAND_IN = "stand-in-for-the-key"


def masked_wire(profile: Profile, request: Request) -> HttpRequest:
    """The HTTP request that will be sent for ``request``, with the key masked in its headers. Raises CannotSend."""
    bearer = request.operation is not None and request.operation.bearer
    kind = Auth.BEARER if bearer or profile.auth is Auth.TOKEN_CALL else profile.auth
    secret_parts = [part.name for part in registry_for(profile).interface.connection if part.secret]
    parts = dict.fromkeys(((profile.connection, name) for name in secret_parts), _STAND_IN)
    wire = http_request_of(profile, Credential(kind, _STAND_IN, parts), request)
    redactor = Redactor((_STAND_IN,))
    return HttpRequest(
        wire.method,
        wire.origin,
        wire.target.replace(_STAND_IN, MASK),
        redactor.headers(wire.headers),
        wire.body,
    )


def curl_of(profile: Profile, request: Request, shell: Shell = OWN_SHELL) -> str:
    """``request`` as a cURL command: the key is a variable, other secrets are masked. Raises CannotSend."""
    wire = masked_wire(profile, request)
    redactor = Redactor((_STAND_IN,))
    return as_curl(
        Exchange(
            started_at=datetime.now(UTC),
            method=wire.method,
            url=redactor.url(wire.url),
            path=wire.target,
            request_headers=wire.headers,
            request_body=None if wire.body is None else redactor.data(wire.body),
        ),
        shell=shell,
    )
