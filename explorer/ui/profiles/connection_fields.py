"""What a profile of an interface has to say of its key and its connection, as the interface declares it. No Qt.

The key is one field, or two where it is user and password. A connection that one value chooses stays a line of the
list of connections; several values are a field each; secret ones are kept like the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from explorer.catalog.interface import ConnectionPart, Interface, connection_text, connection_values
from explorer.catalog.interfaces import registry_of
from explorer.profiles.fault import ProfileFault

PASSWORD = "password"  # noqa: S105 - the name of a field
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
    chooses_auth: bool = True
    """Whether the profile says how the key is sent; else the interface alone does."""
    key_header: str = ""
    """The header that an API key is sent in; empty where it goes elsewhere."""


BUILTIN = ConnectionFields(
    connections_hint="conn_…   one per line, the first is used", key_header=registry_of().interface.key_header
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
        chooses_auth=how.kind == "header",
        key_header=interface.key_header,
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
