"""What a text may be that somebody pasted: a link, a curl command, an address, a bundle, an id, a call of the log.

Recognising looks at the text alone: nothing is sent, opened or looked up. Keys in it stay out of all that is shown or
kept: `fill` masks them before a form gets what the command would send.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from urllib.request import url2pathname

from explorer.api.curl_and_har import CurlCommand, CurlFault, is_curl, read_curl
from explorer.api.magic_link import holds_link
from explorer.api.redact import MASK, Redactor
from explorer.api.sensitive import is_secret_parameter
from explorer.catalog.registry import Registry
from explorer.catalog.request import PARAMETER, query_text
from explorer.catalog.spec import FILLED, Listing, Operation, kind_of

LONGEST = 32_767
"""Characters of a text that is looked at; a field of one line takes no more."""
_LONGEST_ID = 200
_METHODS = ("GET", "POST", "PATCH", "PUT")
_SECRETS_IN = re.compile(r"[?&;#][^=&\s]{1,60}=", re.S)


@dataclass(frozen=True, slots=True)
class PastedLink:
    """A link with a token in it: a credential."""

    text: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class PastedCall:
    """A curl command, or an address that is no link, which is read as a GET of it."""

    command: CurlCommand
    is_address: bool = False


@dataclass(frozen=True, slots=True)
class PastedFault:
    """It begins as a curl command and is none that can be read."""

    sentence: str


@dataclass(frozen=True, slots=True)
class PastedBundle:
    """The path of a zip file; whether it is there is not looked at."""

    path: str


@dataclass(frozen=True, slots=True)
class PastedCallNumber:
    """The number of a call in the request log, as ``#12`` or ``request 12``."""

    number: int


@dataclass(frozen=True, slots=True)
class PastedId:
    """One word that may be the id of a connection or of a record."""

    text: str


Pasted = PastedLink | PastedCall | PastedFault | PastedBundle | PastedCallNumber | PastedId


def recognise(text: str, key_header: str = "") -> list[Pasted]:
    """What ``text`` may be, the likeliest first; empty for words. Never raises."""
    bare = text.strip()
    if not bare or len(text) > LONGEST:
        return []
    if is_curl(bare):
        try:
            return [PastedCall(read_curl(bare, key_header))]
        except CurlFault as fault:
            return [PastedFault(str(fault))]
    if holds_link(bare):
        return [PastedLink(bare)]
    if re.fullmatch(r"https?://\S+", bare, re.I):
        try:
            return [PastedCall(read_curl(f"curl '{bare.replace(chr(39), '%27')}'"), is_address=True)]
        except CurlFault:
            return []
    if "\n" in bare:
        return []
    path = bare.strip("\"'")
    if re.search(r"\S\.zip$", path, re.I) and "://" not in path.removeprefix("file://"):
        return [
            PastedBundle(url2pathname(path.removeprefix("file://")) if path.startswith("file://") else path)
        ]
    number = re.fullmatch(r"(?:#|request\s+#?|call\s+#?)(\d{1,9})", bare, re.I | re.A)
    if number is not None:
        return [PastedCallNumber(int(number[1]))]
    bare = bare.strip("\"'`,;")
    if len(bare) <= _LONGEST_ID and re.fullmatch(r"(?=\S*\d|\S*_)[^\s\"'<>]{3,}", bare):
        return [PastedId(bare)]
    return []


def is_secret(text: str, redactor: Redactor) -> bool:
    """Whether ``text`` is to be hidden while it stands in a field: it is, or may have, a credential."""
    if is_curl(text) or redactor.holds(text.encode("utf-8", "surrogatepass")):
        return True
    return redactor.text(text) != text or ("://" in text and _SECRETS_IN.search(text) is not None)


@dataclass(frozen=True, slots=True)
class FilledCall:
    """The values of a form that would send what the command sends, with its secrets masked."""

    operation: Operation
    path: dict[str, str]
    query: dict[str, Any]
    extra: tuple[tuple[str, str], ...]
    """Further parameters, and those that a field cannot hold as they were written."""
    body: str | None
    notes: tuple[str, ...]
    """A sentence for each part that does not fit."""


def fill(
    command: CurlCommand, registry: Registry, base_url: str, connection: str, secrets: Sequence[str] = ()
) -> FilledCall | str:
    """The form for ``command``; where no operation is like it, one sentence that says so.

    ``secrets``: the profile's. The command's own are masked as well.
    """
    redactor = Redactor([*secrets, *command.secrets], registry.interface.secret_names)
    parts, base = urlsplit(command.url), urlsplit(base_url)
    path = parts.path.removeprefix(base.path) if parts.path.startswith(base.path + "/") else parts.path
    operation = registry.match(command.method, path)
    if operation is None:
        others = [one for m in _METHODS if (one := registry.match(m, path)) is not None]
        least = min((one.path.count("{") for one in others), default=0)  # _upsert is an operation and no id
        methods = [one.method for one in others if one.path.count("{") == least]
        shown, method = redactor.url(path)[:80], redactor.text(command.method)[:20]
        if methods:
            return f"{shown} takes {' or '.join(methods)}, not {method}."
        return f"This interface has no {method} {shown}."
    notes = [*command.left_out, *_other_service(parts.netloc, base.netloc)]
    notes += _headers(command, registry, connection, redactor)
    query, extra = _query(operation, parts.query, redactor)
    if isinstance(operation, Listing) and operation.cursor_param in query:
        del query[operation.cursor_param]
        notes.append(f"{operation.cursor_param} is left out: a list begins at its first page.")
    body = redactor.data(command.body).decode("utf-8", "replace") if command.body else None
    if body is not None and operation.body is None and not operation.free_body:
        notes.append(f"The body is left out: {operation.title} takes none.")
        body = None
    values = {name: redactor.text(value) for name, value in _path_values(operation, path).items()}
    if MASK in f"{body}{query}{extra}{values}":
        notes.append("Secrets are masked: enter them yourself before you send.")
    return FilledCall(operation, values, query, tuple(extra), body, tuple(notes))


def _other_service(host: str, own: str) -> list[str]:
    return [f"It was for {host}; here it goes to {own}."] if host.lower() != own.lower() else []


def _headers(command: CurlCommand, registry: Registry, connection: str, redactor: Redactor) -> list[str]:
    notes, others = [], []
    for name, value in command.headers:
        low = name.lower()
        if low == registry.interface.connection_header:
            if value != connection:
                notes.append(
                    f"It was for the connection {redactor.text(value)[:80]}; {connection or 'none'} is open."
                )
        elif low == "content-type":
            if command.body is not None and "json" not in value.lower():
                notes.append("The body is sent as JSON (application/json), whatever the command says.")
        else:
            others.append(redactor.text(low)[:40])
    if others:
        notes.append(f"Left out, as the program sends its own: {', '.join(dict.fromkeys(others))}.")
    return notes


def _query(
    operation: Operation, query: str, redactor: Redactor
) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """What the fields hold, typed, and the other pairs. A secret's value is masked."""
    kinds = {name: kind_of(info.annotation, name) for name, info in operation.query.model_fields.items()}
    known, extra = dict[str, Any](), list[tuple[str, str]]()
    for name, written in parse_qsl(query, keep_blank_values=True):
        value = MASK if is_secret_parameter(name) and written else redactor.text(written)
        typed = _typed(value, kinds[name]) if name in kinds and name not in known else None
        if typed is not None:
            known[name] = typed
        else:
            extra.append((redactor.text(name), value))
    return known, extra


def _typed(text: str, kind: str) -> Any:
    """``text`` as a field of that kind holds it; None when it would be sent as another text."""
    value: Any = text
    if kind == "boolean":
        value = {"true": True, "false": False}.get(text)
    elif kind == "number":
        try:
            value = float(text) if "." in text else int(text)
        except ValueError:
            return None
    elif kind in ("array", "object", "any"):
        return None
    return value if value is not None and query_text(value) == text else None


def _path_values(operation: Operation, path: str) -> dict[str, str]:
    parts = FILLED.split(operation.path)
    found = re.fullmatch("".join("([^/]+)" if p.startswith("{") else re.escape(p) for p in parts), path)
    named = zip(FILLED.findall(operation.path), found.groups(), strict=True) if found else ()
    return {place[1:-1]: unquote(value) for place, value in named if PARAMETER.fullmatch(place)}
