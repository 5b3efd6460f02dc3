"""An interface as a value: the resources of a service, how it is authorized, how a connection is chosen, how it fails.

A profile names its interface by key. What belongs to one interface and to no single operation is declared here, so that
nothing outside of the interface's own folder knows it by name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from explorer.catalog.spec import Vertical

_HEADER = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]+")
_OWN_HEADERS = frozenset(
    {"host", "content-length", "content-type", "transfer-encoding", "connection", "accept-encoding"}
)


def can_be_header(name: str) -> bool:
    """Whether an interface can have a header of that name, in lower case: HTTP allows it and has no use of its own."""
    return bool(_HEADER.fullmatch(name)) and name not in _OWN_HEADERS


@dataclass(frozen=True, slots=True)
class Authorization:
    """How the key is sent. A profile that holds a bearer token sends ``Authorization: Bearer`` whatever stands here."""

    kind: Literal["header", "bearer", "basic", "query", "none"]
    """``basic``: the key is ``user:password``, or a user name alone. ``none``: no key is asked for or sent."""
    name: str = ""
    """The header, in lower case, or the query parameter; empty for the other kinds."""
    prefix: str = ""
    """What stands before the key in its header, with its space, such as ``Token ``."""
    token_url: str = ""
    """Where a token call could go: a proposal for the form of a profile, and only what that names gets anything."""


@dataclass(frozen=True, slots=True)
class ConnectionPart:
    """One value that says for which connection a call is."""

    name: str
    """A header in lower case, a query parameter, or a path's ``{@name}``."""
    place: Literal["header", "query", "path"] = "header"
    secret: bool = False
    """Whether it is a credential: it is kept with the key and masked like it."""
    title: str = ""
    """Its label in forms; empty: its name."""


def connection_text(values: Sequence[str]) -> str:
    """The one text by which profiles name a connection that several values choose; a slash inside is escaped."""
    return "/".join(value.replace("%", "%25").replace("/", "%2F") for value in values)


def connection_values(text: str) -> list[str]:
    """The values that `connection_text` made one text of."""
    return [unquote(value) for value in text.split("/")]


@dataclass(frozen=True, slots=True)
class ErrorFormat:
    """Where in the JSON of a failed answer its words stand, as dotted paths; empty where there are none."""

    message: str = ""
    code: str = ""
    third_party: str = ""
    """What the third party said. Where it is there and not null, the third party failed and not the service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interface:
    """One interface. Raises ValueError when two of its parts have the same key, or a header cannot be sent."""

    key: str
    """Its name in profiles and on the command line."""
    title: str
    """Its name for display."""
    verticals: tuple[Vertical, ...]
    """The groups of the sidebar, in order."""
    authorization: Authorization
    connection: tuple[ConnectionPart, ...] = ()
    """Empty where the key itself is the connection, or there is none."""
    headers: tuple[tuple[str, str], ...] = ()
    """Constant headers of every request, names in lower case."""
    second_url: str = ""
    """Where its operations at a second address could be: a proposal for the form of a profile, as `token_url` is."""
    errors: ErrorFormat | None = None
    """None for the shapes of body that `explorer.api.error_body` tells apart by itself."""

    def __post_init__(self) -> None:
        """Checks it when it is made, so that a wrong declaration is never used."""
        resources = [r for v in self.verticals for r in v.resources]
        operations = [o for r in resources for o in r.operations]
        for kind, parts in (("groups", self.verticals), ("resources", resources), ("operations", operations)):
            twice = [key for key, count in Counter(part.key for part in parts).items() if count > 1]
            if twice:
                raise ValueError(f"{self.key}: two {kind} have the same key: {', '.join(twice)}")
        own = [self.authorization.name] if self.authorization.kind == "header" else []
        carried = [part.name for part in self.connection if part.place == "header"]
        names = [*own, *carried, *(name for name, _ in self.headers)]
        wrong = [name for name in names if not can_be_header(name) or names.count(name) > 1]
        if wrong:
            raise ValueError(f"{self.key}: no header of its own can be called {', '.join(wrong)}")

    @property
    def key_header(self) -> str:
        """The header that carries an API key, in lower case; empty where it goes elsewhere."""
        return self.authorization.name if self.authorization.kind == "header" else ""

    @property
    def connection_header(self) -> str:
        """The header with the whole id of a connection, in lower case, by which answers name it too; or empty."""
        named = [part for part in self.connection if not part.secret]
        return named[0].name if len(named) == 1 and named[0].place == "header" else ""

    @property
    def secret_names(self) -> frozenset[str]:
        """Names of headers and parameters, in lower case, that carry the key or a secret part of the connection."""
        return frozenset(
            name.lower()
            for name in (self.authorization.name, *(p.name for p in self.connection if p.secret))
            if name
        )
