"""A profile: one service, how to reach it, on which connection, and how its writes are guarded."""

from __future__ import annotations

import math
import re
import secrets
from enum import StrEnum
from typing import Any, Self, TypeVar
from urllib.parse import parse_qsl, urlsplit

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
LONGEST_NAME = 80
"""Characters of a profile's name at most."""


_Made = TypeVar("_Made", bound="Profile")


class Environment(StrEnum):
    """The kind of system that a profile leads to. It decides the colour of the window's edge and the first guard."""

    SANDBOX = "sandbox"
    DEVELOPMENT = "development"
    STAGING = "staging"
    PRODUCTION = "production"


class Guard(StrEnum):
    """What is required before a write is sent. The client enforces it for every caller; see api/guard.py."""

    READ_ONLY = "read only"
    ASK = "ask first"
    OPEN = "open"


def first_guard(environment: Environment) -> Guard:
    """The guard of a new profile: read only for production, open for the sandbox, else ask first."""
    special = {Environment.PRODUCTION: Guard.READ_ONLY, Environment.SANDBOX: Guard.OPEN}
    return special.get(environment, Guard.ASK)


class Profile(BaseModel):
    """One profile, without any secret. Its values are checked when it is made; ProfileFault is the only error raised.

    Unknown fields, which a newer version wrote, are kept and written back.
    """

    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True, protected_namespaces=())

    id: str = ""
    """Random hex when left out. It names the store's file and the secret. That of the built-in one is ``sandbox``."""
    name: str
    environment: Environment = Environment.DEVELOPMENT
    base_url: str
    """Normal form: scheme, host, port unless it is the default, path without trailing slash."""
    second_url: str = ""
    """The address of the operations that the interface has at an address of their own; empty: they are at the first."""
    connection: str = ""
    """The connection id in use; may be empty."""
    connections: tuple[str, ...] = ()
    """All known connection ids, in order; includes `connection` unless that is empty."""
    interface: str = ""
    """The key of the service's interface; empty for the built-in one. It is looked up when it is used."""
    auth: Auth = Auth.APIKEY
    token_url: str = ""
    """Where a token call goes, which a profile with that way of `auth` needs; no other address ever gets its secret."""
    token_fields: str = ""
    """Further fields of the token call's form, such as ``scope=read&audience=x``; nothing secret."""
    client_in_body: bool = False
    """Whether client id and secret go into the form of the token call; else they are sent as Basic."""
    guard: Guard = Guard.ASK
    """When left out, `first_guard` of the environment."""
    deadline_seconds: float = 300.0
    """The time limit of a whole call, in seconds. 300 is the service's own limit (observed)."""
    connect_seconds: float = 10.0
    ca_file: str = ""
    """A PEM file with certificates to trust beside the system's; empty for none."""
    proxy: str = ""
    """The address of the proxy; ``none`` for none; empty for the system's settings (which never apply to loopback)."""
    http_allowed: str = ""
    """The base address for which the user allowed plain http; for any other one it does not count (see `in_clear`)."""

    @model_validator(mode="wrap")
    @classmethod
    def _only_our_fault(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return _with_token_address(handler(_completed(data)))
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False, include_context=False)[0]
            field = str(first["loc"][0]) if first["loc"] else ""
            words = field.replace("_", " ") or "entry"
            fault = ProfileFault(f"The profile's {words} cannot be used: {first['msg'].lower()}.", field)
        raise fault

    @field_validator("id")
    @classmethod
    def _id(cls, value: str) -> str:
        # It becomes part of file names, so only characters that every file system keeps as they are.
        if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", value):
            raise ProfileFault("The profile's id may hold only a-z, 0-9 and -.", "id")
        return value

    @field_validator("name")
    @classmethod
    def _name(cls, value: str) -> str:
        name = " ".join(value.strip(PASTED).split())
        if not name:
            raise ProfileFault("The profile needs a name.", "name")
        if len(name) > LONGEST_NAME or not name.isprintable():
            said = f"The profile's name is longer than {LONGEST_NAME} characters or cannot be shown."
            raise ProfileFault(said, "name")
        return name

    @field_validator("base_url")
    @classmethod
    def _base_url(cls, value: str) -> str:
        return read_address(value, included="").url

    @field_validator("second_url")
    @classmethod
    def _second_url(cls, value: str) -> str:
        return _further_address(value, "second_url", "second address", "the key")

    @field_validator("token_url")
    @classmethod
    def _token_url(cls, value: str) -> str:
        value = value.strip(PASTED)
        url = _further_address(value, "token_url", "token address", "the client secret")
        parts = urlsplit(url)
        # Servers tell an address with a slash at its end from one without.
        return url + "/" if value.endswith("/") and parts.path else url

    @field_validator("token_fields")
    @classmethod
    def _token_fields(cls, value: str) -> str:
        value = value.strip(PASTED)
        try:
            pairs = parse_qsl(value, keep_blank_values=True, strict_parsing=bool(value))
        except ValueError:
            raise ProfileFault(
                "Write the fields as name=value, with & between them.", "token_fields"
            ) from None
        if any(name in ("client_id", "client_secret") for name, _ in pairs):
            raise ProfileFault("Client id and secret have their own fields: leave them out.", "token_fields")
        return value

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
            # Without a scheme a proxy is used by plain http.
            return read_address(value if "://" in value else f"http://{value}", "proxy").url
        except ProfileFault as error:
            raise ProfileFault(error.sentence.replace("base address", "proxy"), "proxy") from None

    @property
    def origin(self) -> str:
        """Scheme, host and port. A credential is never sent to another origin."""
        return origin_of(self.base_url)

    @property
    def addresses(self) -> str:
        """What its secrets are kept for: the base address, and the second one where there is one."""
        return f"{self.base_url} {self.second_url}" if self.second_url else self.base_url

    @property
    def key_for(self) -> str:
        """What its key is kept for: its addresses, and that of the token call where the key goes there."""
        return f"{self.addresses} {self.token_url}" if self.auth is Auth.TOKEN_CALL else self.addresses

    def reaching(self, *, second: bool) -> Profile:
        """This profile with one address: the second, for what is there and where it has one, else the first."""
        return self.changed(base_url=self.second_url, second_url="") if second and self.second_url else self

    @property
    def is_builtin(self) -> bool:
        """Whether it is the Sandbox, which comes with the program."""
        return self.id == SANDBOX_ID

    @property
    def address_for_others(self) -> str:
        """The address that a command names which others are to run, as they have not this profile; may be empty.

        The sandbox is at another address with each start, and an interface of a document is the sender's own.
        """
        return "" if self.is_builtin or self.interface else self.base_url

    @property
    def in_clear(self) -> bool:
        """Whether key and data are sent unencrypted over the network: plain http to another machine."""
        parts = urlsplit(self.base_url)
        return parts.scheme == "http" and not is_loopback(parts.hostname or "")

    @property
    def in_clear_words(self) -> str:
        """The sentence that warns of `in_clear`."""
        return (
            f"{self.origin} is plain http: the {self.auth.sent} and all data go over the network unencrypted."
        )

    @property
    def asks_for_http(self) -> bool:
        """Whether the user still has to allow plain http to this address. Until then the client sends nothing."""
        return self.in_clear and self.http_allowed != self.base_url

    def allowing_http(self) -> Profile:
        """This profile with plain http allowed to its address; itself where that is not needed."""
        return self.changed(http_allowed=self.base_url) if self.asks_for_http else self

    def with_connection(self, connection: str) -> Profile:
        """This profile with another connection, which is added to the known ones when it is new."""
        return self.changed(connection=connection)

    def changed(self, **fields: Any) -> Profile:
        """A copy with other values, checked like a new profile. Raises ProfileFault."""
        return Profile.model_validate({**self.model_dump(), **fields})

    @classmethod
    def sandbox(cls, base_url: str = "http://127.0.0.1", **fields: Any) -> Profile:
        """The built-in profile with the address where the sandbox listens at present."""
        first: dict[str, Any] = {"connection": SANDBOX_CONNECTIONS[0], "connections": SANDBOX_CONNECTIONS}
        fixed = {"id": SANDBOX_ID, "name": SANDBOX_NAME, "environment": Environment.SANDBOX}
        return cls.model_validate({**first, **fields, **fixed, "base_url": base_url})


def _completed(data: Any) -> Any:
    """``data`` completed: a random id, the guard by environment, `connection` among `connections`.

    The address of the built-in interface is read here, as no field of a model knows another: what it may have too much
    belongs to that interface.
    """
    if not isinstance(data, dict):
        return data
    given = dict(data)
    if not given.get("id"):
        given["id"] = secrets.token_hex(8)
    if not given.get("interface") and isinstance(given.get("base_url"), str):
        given["base_url"] = read_address(given["base_url"]).url
    if given.get("guard") is None and given.get("environment", "development") in list(Environment):
        given["guard"] = first_guard(Environment(given.get("environment", "development")))
    one, many = given.get("connection", ""), given.get("connections", ())
    if isinstance(one, str) and isinstance(many, (list, tuple)) and all(isinstance(c, str) for c in many):
        one = given["connection"] = _connection(one)
        known = dict.fromkeys(filter(None, (*map(_connection, many), one)))
        given["connections"] = tuple(known)
    return given


def _further_address(value: str, field: str, name: str, sent: str) -> str:
    """An address beside the base address in normal form; empty where none is given. Raises ProfileFault."""
    value = value.strip(PASTED)
    if not value:
        return ""
    try:
        url = read_address(value, field, included="").url
    except ProfileFault as error:
        raise ProfileFault(error.sentence.replace("base address", name), field) from None
    parts = urlsplit(url)
    if parts.scheme == "http" and not is_loopback(parts.hostname or ""):
        raise ProfileFault(f"The {name} has to be https: {sent} goes there.", field)
    return url


def _with_token_address(profile: _Made) -> _Made:
    if profile.auth is Auth.TOKEN_CALL and not profile.token_url:
        raise ProfileFault("Enter the address where the token is got.", "token_url")
    return profile


def _connection(value: str) -> str:
    """A connection id as it is sent. The prefix ``conn_`` is not required: sending an id without it is a test too."""
    cleaned = value.strip(PASTED)
    if any(not " " <= c <= "~" for c in cleaned):
        raise ProfileFault("The connection id has a character that a header cannot contain.", "connection")
    return cleaned
