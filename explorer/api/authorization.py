"""What a profile adds to a request: its key, what chooses its connection, and its interface's constant headers."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.api.errors import CannotSend
from explorer.api.interface import registry_for
from explorer.catalog.interface import ConnectionPart, Interface, connection_values
from explorer.catalog.request import Request
from explorer.profiles.credential import PART_VARIABLE, part_key
from explorer.profiles.profile import Auth, Credential, Profile

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Additions:
    """What a request gets from its profile, credential and interface."""

    headers: Pairs = ()
    query: Pairs = ()
    path: Mapping[str, str] = field(default_factory=dict)
    """What stands for ``{@name}`` in the request's path."""


def additions(profile: Profile, credential: Credential | None, request: Request) -> Additions:
    """What ``request`` gets. An operation that takes a bearer token gets that and no connection.

    A query parameter that the request has already is not added again. Raises CannotSend for a connection that lacks one
    of its parts.
    """
    registry = registry_for(profile)
    interface = registry.interface
    operation = registry.match(request.method, request.path) or request.operation
    if operation is not None and operation.bearer:
        return Additions((*_bearer(credential), *interface.headers))
    headers, query = _key(interface, credential)
    values = [(part, _value(part, profile, credential, interface)) for part in interface.connection]
    given = [(part, value) for part, value in values if value]
    if operation is None or operation.connected:
        headers += tuple((part.name, value) for part, value in given if part.place == "header")
        query += tuple((part.name, value) for part, value in given if part.place == "query")
    known = {name for name, _ in request.query}
    return Additions(
        (*headers, *interface.headers),
        tuple(pair for pair in query if pair[0] not in known),
        {part.name: value for part, value in given if part.place == "path"},
    )


def secrets_of(interface: Interface, credential: Credential) -> tuple[str, ...]:
    """The secrets of a credential as an answer may repeat them: for Basic also the password by itself."""
    password = credential.reveal().partition(":")[2] if interface.authorization.kind == "basic" else ""
    return (*credential.secrets, *filter(None, (password,)))


def _key(interface: Interface, credential: Credential | None) -> tuple[Pairs, Pairs]:
    """The key as headers and as query parameters."""
    how = interface.authorization
    if credential is None or (how.kind == "none" and credential.kind is Auth.APIKEY):
        return (), ()
    if credential.kind is Auth.TOKEN_CALL:
        return (), ()  # what it brings is sent in its place: token_call.py
    secret = credential.reveal()
    if how.kind == "bearer":
        return _bearer(credential), ()
    if credential.kind is Auth.BEARER or how.kind == "header":
        return tuple((n.lower(), v) for n, v in credential.headers(how.name, how.prefix).items()), ()
    if how.kind == "query":
        return (), ((how.name, secret),)
    user = secret if ":" in secret else f"{secret}:"
    return (("authorization", f"Basic {base64.b64encode(user.encode()).decode()}"),), ()


def _bearer(credential: Credential | None) -> Pairs:
    if credential is None or credential.kind is Auth.TOKEN_CALL:
        return ()
    return (("authorization", f"Bearer {credential.reveal()}"),)


def _value(
    part: ConnectionPart, profile: Profile, credential: Credential | None, interface: Interface
) -> str:
    """The value of one part of the profile's connection; empty where it has none. Raises CannotSend."""
    if not part.secret:
        named = [one for one in interface.connection if not one.secret]
        return _named(profile.connection, named)[named.index(part)]
    value = credential.part(profile.connection, part.name) if credential is not None else ""
    if credential is not None and not value:
        whose = f"The connection {profile.connection}" if profile.connection else "The connection"
        raise CannotSend(
            f"{whose} has no {part.title or part.name}: nothing was sent.",
            f"Enter it in the profile, or set {PART_VARIABLE}{part_key(part.name)}.",
        )
    return value


def _named(connection: str, parts: list[ConnectionPart]) -> list[str]:
    """The values of several parts that are not secret, from the one text that names a connection."""
    if len(parts) == 1 or not connection:
        return [connection] * len(parts)
    values = connection_values(connection)
    if len(values) == len(parts) and all(values):
        return values
    names = "/".join(part.title or part.name for part in parts)
    raise CannotSend(
        f"The connection {connection} has not the {len(parts)} parts that choose one: nothing was sent.",
        f"Write them as {names}, with %2F for a slash inside one of them.",
    )
