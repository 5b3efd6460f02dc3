"""Who and where: a profile names one service, how to reach it, on which connection and how carefully."""

from __future__ import annotations

import math
import re
import secrets
from enum import StrEnum
from typing import Any, Self
from urllib.parse import urlsplit

from pydantic import (
    BaseModel,
    ConfigDict,
    ModelWrapValidatorHandler,
    ValidationError,
    field_validator,
    model_validator,
)

from explorer.profiles.address import is_loopback, origin_of, read_address
from explorer.profiles.credential import PASTED, Auth
from explorer.profiles.fault import ProfileFault

SANDBOX_ID = "sandbox"
SANDBOX_NAME = "Sandbox"
SANDBOX_CONNECTIONS = (
    "conn_sandbox_clean",
    "conn_sandbox_messy",
    "conn_sandbox_flaky",
    "conn_sandbox_slow",
    "conn_sandbox_large",
)
"""The connections that the bundled sandbox knows."""


class Environment(StrEnum):
    """What a profile points at; it colours the window's edge and chooses the first guard."""

    SANDBOX = "sandbox"
    DEVELOPMENT = "development"
    STAGING = "staging"
    PRODUCTION = "production"


class Guard(StrEnum):
    """What happens before a write is sent. The client keeps it, whoever asks."""

    READ_ONLY = "read only"
    ASK = "ask first"
    OPEN = "open"


def first_guard(environment: Environment) -> Guard:
    """The guard of a new profile: production starts read only, the sandbox open, all else asks."""
    special = {Environment.PRODUCTION: Guard.READ_ONLY, Environment.SANDBOX: Guard.OPEN}
    return special.get(environment, Guard.ASK)


class Profile(BaseModel):
    """One service as one user sees it. Holds no secret. Making one checks it; only ProfileFault is raised.

    Fields that a newer version wrote are kept and written back.
    """

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True, protected_namespaces=())

    id: str = ""
    """Random hex when left out; names the store file and the secret. The built-in one is ``sandbox``."""
    name: str
    environment: Environment = Environment.DEVELOPMENT
    base_url: str
    """Normal form: scheme, host, port unless it is the default, path without trailing slash."""
    connection: str = ""
    """The connection id in use; may be empty."""
    connections: tuple[str, ...] = ()
    """All known connection ids, in order; `connection` is among them unless it is empty."""
    interface: str = ""
    """The key of the interface that the service speaks; empty for the built-in one. It is looked up when it is used."""
    auth: Auth = Auth.APIKEY
    guard: Guard = Guard.ASK
    """Left out: by environment, see `first_guard`."""
    deadline_seconds: float = 300.0
    """For a whole call; 300 is the observed limit of the service's own route."""
    connect_seconds: float = 10.0
    ca_file: str = ""
    """A PEM file that is trusted beside the system's store; empty for none."""
    proxy: str = ""
    """Empty: the system's settings (none for loopback); ``none``: none; else the proxy's address."""
    http_allowed: str = ""
    """The base address to which a person allowed plain http; it counts for that address alone (see `in_clear`)."""

    @model_validator(mode="wrap")
    @classmethod
    def _only_our_fault(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(_completed(data))
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False, include_context=False)[0]
            field = str(first["loc"][0]) if first["loc"] else ""
            words = field.replace("_", " ") or "entry"
            fault = ProfileFault(f"The profile's {words} cannot be used: {first['msg'].lower()}.", field)
        raise fault

    @field_validator("id")
    @classmethod
    def _id(cls, value: str) -> str:
        # It becomes a file name: nothing that a file system could read in another way.
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", value):
            raise ProfileFault("The profile's id may hold only a-z, 0-9 and -.", "id")
        return value

    @field_validator("name")
    @classmethod
    def _name(cls, value: str) -> str:
        name = " ".join(value.strip(PASTED).split())
        if not name:
            raise ProfileFault("The profile needs a name.", "name")
        if len(name) > 80 or not name.isprintable():
            raise ProfileFault("The profile's name is longer than 80 characters or cannot be shown.", "name")
        return name

    @field_validator("base_url")
    @classmethod
    def _base_url(cls, value: str) -> str:
        return read_address(value).url

    @field_validator("deadline_seconds", "connect_seconds")
    @classmethod
    def _seconds(cls, value: float, info: Any) -> float:
        if not (math.isfinite(value) and 0 < value <= 86400):
            raise ProfileFault("The number of seconds must be between 0 and 86400.", info.field_name)
        return value

    @field_validator("ca_file")
    @classmethod
    def _ca_file(cls, value: str) -> str:
        return value.strip(PASTED)

    @field_validator("proxy")
    @classmethod
    def _proxy(cls, value: str) -> str:
        value = value.strip(PASTED)
        if value.lower() in ("", "none"):
            return value.lower()
        if "@" in value:
            raise ProfileFault(
                "The proxy has a user name or password in it, which would be kept in a file. "
                "Set it in the system's settings instead.",
                "proxy",
            )
        try:
            # A proxy is spoken to in plain http unless its address says otherwise.
            return read_address(value if "://" in value else f"http://{value}", "proxy").url
        except ProfileFault as error:
            raise ProfileFault(error.sentence.replace("base address", "proxy"), "proxy") from None

    @property
    def origin(self) -> str:
        """Scheme, host and port: what a credential must never leave."""
        return origin_of(self.base_url)

    @property
    def is_builtin(self) -> bool:
        """True for the Sandbox, which comes with the program."""
        return self.id == SANDBOX_ID

    @property
    def in_clear(self) -> bool:
        """True when key and data go over the network in the clear: plain http to any but this machine."""
        parts = urlsplit(self.base_url)
        return parts.scheme == "http" and not is_loopback(parts.hostname or "")

    @property
    def in_clear_words(self) -> str:
        """What `in_clear` means, in a sentence."""
        what = "token" if self.auth is Auth.BEARER else "key"
        return f"{self.origin} is plain http: the {what} and all data go over the network unencrypted."

    @property
    def asks_for_http(self) -> bool:
        """True until a person has allowed plain http to this very address: before that the client sends nothing."""
        return self.in_clear and self.http_allowed != self.base_url

    def allowing_http(self) -> Profile:
        """This profile with plain http allowed to its address; nothing changes where it takes no word."""
        return self.changed(http_allowed=self.base_url) if self.asks_for_http else self

    def with_connection(self, connection: str) -> Profile:
        """This profile on another connection, which is added to the known ones when it is new."""
        return self.changed(connection=connection)

    def changed(self, **fields: Any) -> Profile:
        """A copy with other values, checked as a new one is. Raises ProfileFault."""
        return Profile.model_validate({**self.model_dump(), **fields})

    @classmethod
    def sandbox(cls, base_url: str = "http://127.0.0.1", **fields: Any) -> Profile:
        """The built-in profile, at the address where the sandbox listens this time."""
        first: dict[str, Any] = {"connection": SANDBOX_CONNECTIONS[0], "connections": SANDBOX_CONNECTIONS}
        fixed = {"id": SANDBOX_ID, "name": SANDBOX_NAME, "environment": Environment.SANDBOX}
        return cls.model_validate({**first, **fields, **fixed, "base_url": base_url})


def _completed(data: Any) -> Any:
    """``data`` with what follows from other fields: random id, guard by environment, connections."""
    if not isinstance(data, dict):
        return data
    given = dict(data)
    if not given.get("id"):
        given["id"] = secrets.token_hex(8)
    if given.get("guard") is None and given.get("environment", "development") in list(Environment):
        given["guard"] = first_guard(Environment(given.get("environment", "development")))
    one, many = given.get("connection", ""), given.get("connections", ())
    if isinstance(one, str) and isinstance(many, (list, tuple)) and all(isinstance(c, str) for c in many):
        one = given["connection"] = _connection(one)
        known = dict.fromkeys(filter(None, (*map(_connection, many), one)))
        given["connections"] = tuple(known)
    return given


def _connection(value: str) -> str:
    """A connection id as it will be sent. ``conn_`` in front is not checked: leaving it out is a test too."""
    cleaned = value.strip(PASTED)
    if any(not " " <= c <= "~" for c in cleaned):
        raise ProfileFault("The connection id has a character that a header cannot contain.", "connection")
    return cleaned
