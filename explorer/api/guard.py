"""Read only, ask first, open: kept here, for every caller. Whether a call writes is read from its wire form.

The rules, for a call that writes (reads always pass):

=================  ==========================================================================
read only          refused, whatever permit is shown
production         a permit for the profile, from typing its name, for ten minutes at most
ask first          a permit for exactly this request
open               passes
=================  ==========================================================================
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from explorer.api.errors import Refused
from explorer.catalog import registry
from explorer.catalog.fields import fields_of
from explorer.catalog.request import Request
from explorer.catalog.spec import Operation
from explorer.profiles.profile import Environment, Guard, Profile

LONGEST = timedelta(minutes=10)
"""How long a permit for a production profile lasts at most."""

_HARMLESS = frozenset({"GET", "HEAD"})
# Codes and signs that a service may undo before it looks up the route: what such a path means is unsure.
_DOUBTFUL = re.compile(r"%(?:2[ef]|5c|25|00|3b|3f|23)|[;\\?#]|//|/\.{1,2}(?:/|\Z)", re.IGNORECASE)
_OFF: tuple[Any, ...] = (False, None)


@dataclass(frozen=True, slots=True)
class Permit:
    """A person's word that a write may go: for one request, or for a production profile until a time."""

    digest: bytes
    """Of the request, or of the profile."""
    until: datetime | None = None
    """UTC; None for a permit for one request."""

    @classmethod
    def for_request(cls, profile: Profile, request: Request) -> Permit:
        """For exactly this request to this profile's address and connection; again for the very same one."""
        return cls(_request_digest(profile, request))

    @classmethod
    def for_profile(cls, profile: Profile, until: datetime | None = None) -> Permit:
        """For writes on ``profile``, whose name was typed just now: until then, ten minutes at most."""
        end = datetime.now(UTC) + LONGEST
        return cls(_profile_digest(profile), end if until is None else min(until.astimezone(UTC), end))

    def remaining(self, now: datetime | None = None) -> float:
        """Seconds that are left of a permit for a profile; 0 when it has ended or is for one request."""
        left = (self.until - (now or datetime.now(UTC))).total_seconds() if self.until else 0.0
        # A clock that was set back does not make it longer.
        return left if 0 < left <= LONGEST.total_seconds() else 0.0


def effect(request: Request) -> Literal["read", "write"]:
    """Whether sending ``request`` changes something, from method, path and body alone; in doubt it writes.

    GET and HEAD read. Of the others only what the catalog says does: the batch read, and the connection check
    while no flag with a side effect is set. Such flags count as set unless they are false or null, as the
    service reads any other value as true (observed).
    """
    method = request.method.upper()
    if method in _HARMLESS:
        return "read"
    operation = None if _DOUBTFUL.search(request.path) else registry.match(method, request.path)
    if operation is None or operation.writes == "always":
        return "write"
    if operation.writes == "never":
        return "read"
    return "write" if _flagged(operation, request) else "read"


def check(
    profile: Profile, request: Request, permit: Permit | None = None, *, now: datetime | None = None
) -> None:
    """Let ``request`` pass, or raise Refused with the reason. ``can_confirm`` says whether a permit would do."""
    if effect(request) == "read" or (profile.guard is Guard.OPEN and not _is_production(profile)):
        return
    if profile.guard is Guard.READ_ONLY:
        raise Refused(
            "This profile is read only: nothing was sent.",
            "To write, change its guard in the profile.",
        )
    if _is_production(profile):
        if permit and permit.digest == _profile_digest(profile) and permit.remaining(now) > 0:
            return
        ended = permit is not None and permit.until is not None and permit.remaining(now) == 0
        raise Refused(
            "The ten minutes for writing on production are over: nothing was sent."
            if ended
            else "This profile is production: nothing is sent before its name has been typed.",
            "Type the profile's name to allow writes for ten minutes.",
            can_confirm=True,
        )
    if permit and permit.until is None and permit.digest == _request_digest(profile, request):
        return
    raise Refused(
        "This profile asks before each write: nothing was sent.",
        "Confirm this very request.",
        can_confirm=True,
    )


def _is_production(profile: Profile) -> bool:
    return profile.environment is Environment.PRODUCTION


def _flagged(operation: Operation, request: Request) -> bool:
    """True unless every flag with a side effect is certainly off."""
    model = operation.body
    fields = fields_of(model) if model else ()
    flags = {f.name for f in fields if f.observed is not None and f.observed.side_effect}
    if not flags or any(name in flags for name, _ in request.query):
        return True
    if request.body is None:
        return False
    if request.content_type.partition(";")[0].strip().lower() != "application/json":
        return True
    pairs: list[tuple[str, Any]] = []

    def note(found: list[tuple[str, Any]]) -> dict[str, Any]:
        # Every occurrence counts: which of two equal keys the service takes is its own choice.
        pairs.extend(found)
        return dict(found)

    try:
        body = json.loads(request.body.decode("utf-8"), object_pairs_hook=note)
    except (ValueError, RecursionError):
        return True
    if not isinstance(body, dict):
        return True
    return any(name in flags and not any(value is off for off in _OFF) for name, value in pairs)


def _request_digest(profile: Profile, request: Request) -> bytes:
    body = request.body
    parts = (
        *(profile.id, profile.base_url, profile.connection, request.method.upper(), request.path),
        repr(request.query),
        *(() if body is None else (request.content_type,)),
    )
    return _digest(
        b"request", *(p.encode("utf-8", "surrogatepass") for p in parts), *(() if body is None else (body,))
    )


def _profile_digest(profile: Profile) -> bytes:
    return _digest(b"profile", profile.id.encode(), profile.base_url.encode())


def _digest(*parts: bytes) -> bytes:
    made = hashlib.blake2b(digest_size=32)
    for part in parts:
        made.update(len(part).to_bytes(8, "big") + part)
    return made.digest()
