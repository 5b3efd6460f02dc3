"""What a profile of an interface has to say of its key and its connection, as the interface declares it. No Qt.

The key is one field, or two where it is user and password. A connection that one value chooses stays a line of the
list of connections; several values are a field each; secret ones are kept like the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from explorer.catalog.interface import ConnectionPart, Interface, connection_text, connection_values
from explorer.catalog.interfaces import registry_of
from explorer.profiles.credential import Auth
from explorer.profiles.fault import ProfileFault

PASSWORD = "password"  # noqa: S105 - the name of a field
TOKEN_CALL = Auth.TOKEN_CALL.value
_KEYS = {"header": "Key", "bearer": "Bearer token", "basic": "User name", "query": "Key"}
_SENT = {
    "header": "Sent in the header {}",
    "bearer": "Sent as Authorization: Bearer",
    "basic": "With the password sent as Basic; a key alone goes here",
    "query": "Sent as the query parameter {}",
}


@dataclass(frozen=True, slots=True)
class PartField:
    """One field below the key."""

    name: str
    label: str
    secret: bool
    hint: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionFields:
    """Which fields the form of a profile has for an interface, and their words."""

    key: str = "Key"
    """The label of the key; empty: no key is asked for."""
    key_hint: str = "Paste the key or token"
    connections: str = "Connections"
    """The label of the list of connections; empty: there is no such list."""
    connections_hint: str = ""
    parts: tuple[PartField, ...] = ()
    ways: Mapping[str, str] = field(default_factory=dict)
    """How a profile may authorize, as its value and its words; where there is one the interface alone says it."""
    token_url: str = ""
    """The token address that the document proposes."""
    second_url: str = ""
    """The address that the document proposes for operations that are not at the first."""

    def by_token_call(self) -> ConnectionFields:
        """The same where a token call brings the token: client id and secret in place of the key."""
        secret = PartField(PASSWORD, "Client secret", True, "Sent to the token address alone")
        parts = (secret, *(one for one in self.parts if one.name != PASSWORD))
        return replace(self, key="Client id", key_hint="As the service gave it", parts=parts)


def _ways(interface: Interface) -> dict[str, str]:
    how = interface.authorization
    bearer, call = "Bearer token (Authorization)", {TOKEN_CALL: "Token call, with a client id and secret"}
    if how.kind == "header":
        return {"api key": f"API key ({how.name})", "bearer token": bearer, **call}
    return {"api key": bearer, **call} if how.kind == "bearer" else {"api key": ""}


BUILTIN = ConnectionFields(
    connections_hint="conn_…   one per line, the first is used", ways=_ways(registry_of().interface)
)


def fields_for(interface: Interface) -> ConnectionFields:
    """The fields for an interface that was added."""
    how, named = interface.authorization, named_parts(interface)
    secret = [part for part in interface.connection if part.secret]
    parts = [PartField(PASSWORD, "Password", True, "Left empty where the user name is the key")]
    parts = parts if how.kind == "basic" else []
    parts += [_field(part) for part in named if len(named) > 1]
    parts += [_field(part) for part in secret]
    label = f"Connections ({_label(named[0])})" if len(named) == 1 else ""
    hint = "One per line, the first is used"
    if secret and not named:
        label, hint = "Connections", "A name of your own for it; may be empty"
    return ConnectionFields(
        key=_KEYS.get(how.kind, ""),
        key_hint=_SENT.get(how.kind, "").format(how.name),
        connections=label,
        connections_hint=hint,
        parts=tuple(parts),
        ways=_ways(interface),
        token_url=how.token_url,
        second_url=interface.second_url,
    )


def named_parts(interface: Interface) -> list[ConnectionPart]:
    """The parts of its connection that are no secret, in the order in which a profile's text has them."""
    return [part for part in interface.connection if not part.secret]


def _label(part: ConnectionPart) -> str:
    return part.title or part.name


def _field(part: ConnectionPart) -> PartField:
    places = {"header": "Sent as a header", "query": "Sent in the query", "path": "Part of every path"}
    whose = ", for the connection in use" if part.secret else ""
    return PartField(part.name, _label(part), part.secret, places[part.place] + whose)


def typed_key(key: str, password: str) -> str:
    """The key of what was typed into its one or two fields. Raises ProfileFault (field ``secret``)."""
    if password and not key:
        raise ProfileFault("Enter the user name as well: both are kept as one.", "secret")
    return f"{key}:{password}" if password else key


def connection_of(fields: ConnectionFields, typed: Mapping[str, str]) -> str:
    """The connection that the fields for its parts name; empty where all are. Raises ProfileFault."""
    values = {one.name: typed.get(one.name, "").strip() for one in fields.parts if not one.secret}
    missing = [name for name, value in values.items() if not value]
    if missing and len(missing) < len(values):
        raise ProfileFault("The connection needs this as well.", missing[0])
    return "" if missing else connection_text(list(values.values()))


def parts_of(fields: ConnectionFields, connection: str) -> dict[str, str]:
    """What stands in the fields for the parts of ``connection``."""
    names = [one.name for one in fields.parts if not one.secret]
    values = connection_values(connection)
    return dict(zip(names, values, strict=True)) if len(values) == len(names) else {}
