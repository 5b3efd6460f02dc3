"""The guard: decides for every caller whether a write may be sent. Whether a request writes is told from the request.

The rules for a write (reads always pass):

=================  ==========================================================================
read only          refused, with or without a permit
production         needs a permit for the profile: its name was typed, ten minutes ago at most
ask first          needs a permit for exactly this request
open               passes
=================  ==========================================================================

Before these: plain http to another machine must have been allowed for that very address, for reads as well.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import unquote

from pydantic import BaseModel

from explorer.api.error_body import plain
from explorer.api.errors import Refused
from explorer.api.interface import registry_for
from explorer.catalog.fields import fields_of
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing, Operation
from explorer.jsontext.pointer import path_of
from explorer.profiles.profile import Environment, Guard, Profile

LONGEST = timedelta(minutes=10)
"""The longest validity of a permit for a production profile."""

_HARMLESS = frozenset({"GET", "HEAD"})
# Escapes and characters that a service may decode or resolve before routing: the route of such a path is uncertain.
_DOUBTFUL = re.compile(r"%(?:2[ef]|5c|25|00|3b|3f|23)|[;\\?#]|//|/\.{1,2}(?:/|\Z)", re.IGNORECASE)
_JSON = re.compile(r'application/json(?: *; *charset="?utf-8"?)?', re.IGNORECASE)
# Names, without punctuation, of headers and parameters by which frameworks override a request's method.
_OVERRIDES = frozenset(
    {"method", "httpmethod", "xhttpmethod", "methodoverride", "xmethodoverride", "httpmethodoverride"}
    | {"xhttpmethodoverride"}
)

_DECODINGS = 5


@dataclass(frozen=True, slots=True)
class Permit:
    """The user's consent to a write: to one request, or to all writes on a production profile until a time."""

    digest: bytes
    """The hash of the request, or of the profile."""
    until: datetime | None = None
    """When it ends, in UTC; None for a permit for one request."""

    @classmethod
    def for_request(cls, profile: Profile, request: Request) -> Permit:
        """A permit for exactly this request to this profile's address and connection. It may be used again."""
        return cls(_request_digest(profile, request))

    @classmethod
    def for_profile(cls, profile: Profile, until: datetime | None = None) -> Permit:
        """A permit for all writes on ``profile``, whose name was just typed: until ``until``, ten minutes at most."""
        end = datetime.now(UTC) + LONGEST
        return cls(_profile_digest(profile), end if until is None else min(until.astimezone(UTC), end))

    def remaining(self, now: datetime | None = None) -> float:
        """Seconds left of a permit for a profile; 0 when it has ended or is for one request."""
        left = (self.until - (now or datetime.now(UTC))).total_seconds() if self.until else 0.0
        # Setting the clock back must not extend it.
        return left if 0 < left <= LONGEST.total_seconds() else 0.0


def effect(profile: Profile, request: Request) -> Literal["read", "write"]:
    """Whether ``request`` may change something, from method, path, query and body alone; in doubt it is a write.

    GET and HEAD without a body are reads, unless the interface of ``profile`` says that the operation writes. Other
    methods are reads only where the interface declares it and query and body have known fields only. A name that
    overrides the method makes any request a write; it can be in query, path and body only, as a `Request` has no
    headers of the user's own.
    """
    return "read" if why_write(profile, request) is None else "write"


def why_write(profile: Profile, request: Request) -> str | None:
    """None for a read. For a write the reason in words where it looks like a read, else an empty text."""
    method = request.method.upper()
    operation = None if _DOUBTFUL.search(request.path) else registry_for(profile).match(method, request.path)
    if (operation is None and method not in _HARMLESS) or (operation and operation.writes == "always"):
        return ""
    further = re.split(r"[;?&]", _decoded(f"{request.path}?{request.address}"))[1:]
    override = _override((*(name for name, _ in request.query), *further))
    if override:
        return f"{override} can change its method"
    if method in _HARMLESS:
        return None if request.body is None else "it has a body"
    return _unknown_input(operation, request) if operation is not None else ""


def check(
    profile: Profile, request: Request, permit: Permit | None = None, *, now: datetime | None = None
) -> None:
    """Returns when ``request`` may be sent, else raises Refused; `Refused.can_confirm` says whether a permit helps."""
    if (refused := withheld(profile)) is not None:
        raise refused
    why = why_write(profile, request)
    if why is None or (profile.guard is Guard.OPEN and not _is_production(profile)):
        return
    counts = f"This call counts as a write, because {why}. " if why else ""
    if request.page is not None:
        raise Refused(
            "A list is only read: nothing was sent.",
            f"{counts}Remove what makes it one from the list's parameters; a write is sent as a single call.",
        )
    if profile.guard is Guard.READ_ONLY:
        raise Refused(
            "This profile is read only: nothing was sent.",
            f"{counts}To write, change “Writes” in the profile.",
        )
    if _is_production(profile):
        if permit and permit.digest == _profile_digest(profile) and permit.remaining(now) > 0:
            return
        ended = permit is not None and permit.until is not None and permit.remaining(now) == 0
        raise Refused(
            "The ten minutes for writing on production are over: nothing was sent."
            if ended
            else "This profile is production: nothing is sent until its name is typed.",
            f"{counts}Type the profile's name to allow writes for ten minutes.",
            can_confirm=True,
        )
    if permit and permit.until is None and permit.digest == _request_digest(profile, request):
        return
    raise Refused(
        "This profile asks before each write: nothing was sent.",
        f"{counts}Confirm this request to send it.",
        can_confirm=True,
    )


def withheld(profile: Profile) -> Refused | None:
    """Why no request can be sent for ``profile`` (plain http that was not allowed); None when requests can be sent."""
    if not profile.asks_for_http:
        return None
    return Refused(
        f"{profile.in_clear_words} Nothing was sent.", "Use https, or allow plain http to this address."
    )


def _is_production(profile: Profile) -> bool:
    return profile.environment is Environment.PRODUCTION


def _unknown_input(operation: Operation, request: Request) -> str | None:
    """What a read with a body has beyond its declared query and body, in words; None when there is nothing."""
    paging = _paging_names(operation)
    if unknown := _beyond(operation.query, (name for name, _ in request.query), paging):
        return f"its query has parameters that a read does not accept ({unknown})"
    if request.body is None:
        return None
    if not _JSON.fullmatch(request.content_type.strip()):
        return "its body is not sent as JSON in UTF-8"
    names: list[str] = []

    def note(found: list[tuple[str, Any]]) -> dict[str, Any]:
        # Every occurrence counts, at any depth: which of two equal keys the service uses is unknown.
        names.extend(name for name, _ in found)
        return dict(found)

    try:
        body = json.loads(request.body.decode("utf-8"), object_pairs_hook=note)
    except (ValueError, RecursionError):
        return "its body is not readable JSON"
    if not isinstance(body, dict):
        return "its body is not a JSON object"
    if unknown := _beyond(operation.body, names, paging):
        return f"its body has fields that a read does not accept ({unknown})"
    return None


def _paging_names(operation: Operation) -> frozenset[str]:
    """The names by which a list is paged, which are part of its declaration."""
    if not isinstance(operation, Listing):
        return frozenset()
    names = (operation.cursor_param, operation.size_param)
    if operation.cursor_in == "query":
        return frozenset(names)
    return frozenset(str(step) for name in names for step in path_of(name))


def _beyond(model: type[BaseModel] | None, names: Iterable[str], further: frozenset[str]) -> str:
    """The first of ``names`` that is neither a field of ``model`` nor in ``further``, cut for a sentence; or empty."""
    known = further.union(_names_in(model))
    return next((plain(name, 40) or "an empty name" for name in names if name not in known), "")


def _names_in(model: type[BaseModel] | None) -> Iterable[str]:
    """The names of a model's fields, and of those of the models inside it."""
    waiting, met = [model], set[type[BaseModel]]()
    while waiting:
        one = waiting.pop()
        if one is None or one in met:
            continue
        met.add(one)
        for field in fields_of(one):
            yield field.name
            waiting.append(field.model)


def _override(names: Iterable[str]) -> str:
    """The first of ``names`` that may override the method, in any case and encoding; empty when there is none.

    ``method`` alone is an ordinary parameter.
    """
    for name in names:
        for part in re.split(r"[;?&]", unicodedata.normalize("NFKC", _decoded(name))):
            named = part.partition("=")[0]
            folded = "".join(sign for sign in named.casefold() if sign.isalnum())
            if folded in _OVERRIDES and named.casefold() != "method":
                return plain(named, 40)
    return ""


def _decoded(text: str) -> str:
    """``text`` percent-decoded, several times over where it was encoded so."""
    for _ in range(_DECODINGS):
        text = unquote(text)
    return text


def _request_digest(profile: Profile, request: Request) -> bytes:
    body = request.body
    parts = (
        *(profile.id, profile.addresses, profile.connection, request.method.upper(), request.path),
        repr(request.query),
        *(() if body is None else (request.content_type,)),
    )
    return _digest(
        b"request", *(p.encode("utf-8", "surrogatepass") for p in parts), *(() if body is None else (body,))
    )


def _profile_digest(profile: Profile) -> bytes:
    return _digest(b"profile", profile.id.encode(), profile.addresses.encode())


def _digest(*parts: bytes) -> bytes:
    made = hashlib.blake2b(digest_size=32)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()
