"""Reads a magic link locally: its token, the token's claims, and when it expires.

The token is a JWT (observed): its claims can be read by anyone who has it, and only the service can verify them.
Whoever has the link acts as that customer, so neither the link nor its token is in the ``repr`` of anything here.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

_JWT = re.compile(r"[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]*")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS = 1e11
"""A claim's time above it, in the year 5138, is taken for milliseconds."""
EMPTY_WORDS = frozenset({"null", "undefined", "none", "nan", "[object object]"})
"""What programs write into an address where a value is missing, in lower case."""


@dataclass(frozen=True, slots=True)
class Link:
    """The content of a magic link."""

    token: str = field(repr=False)
    """Empty when the link has none."""
    claims: Mapping[str, Any] = field(repr=False)
    """The claims of the token, not verified; empty when it is not a JWT."""
    parameters: tuple[tuple[str, str], ...] = ()
    """The link's other parameters, in order, without the token."""
    made: datetime | None = None
    """When it was issued (claim ``iat``), in UTC; None when it does not say."""
    ends: datetime | None = None
    """When it expires (claim ``exp``), in UTC; None when it does not say."""
    why_no_end: str = ""
    """Why `ends` is None, one sentence."""

    @property
    def ends_in_milliseconds(self) -> bool:
        """Whether ``exp`` is in milliseconds, where RFC 7519 has seconds: read as seconds, the link does not end."""
        exp = self.claims.get("exp")
        return isinstance(exp, int | float) and not isinstance(exp, bool) and exp > _MILLISECONDS

    def has_ended(self, now: datetime) -> bool | None:
        """Whether it has expired at ``now``; None when it does not say when it expires."""
        return None if self.ends is None else self.ends <= now


def read_link(url: str) -> Link:
    """Reads a link. Never raises: for a text without a link or a JWT, `Link.why_no_end` says what is wrong."""
    token, parameters = _token(url.strip())
    if not token:
        return Link("", {}, parameters, why_no_end="The link contains no token")
    claims = read_claims(token)
    if claims is None:
        return Link(token, {}, parameters, why_no_end="The token is not a JWT, so its end cannot be read")
    ends = read_moment(claims.get("exp"))
    why = ""
    if ends is None:
        why = (
            "The token's exp is not a valid time"
            if "exp" in claims
            else "The token does not say when it ends"
        )
    return Link(token, claims, parameters, read_moment(claims.get("iat")), ends, why)


def read_claims(token: str) -> dict[str, Any] | None:
    """The claims of a JWT, not verified; None when ``token`` is not a JWT."""
    if not _JWT.fullmatch(token):
        return None
    head, claims = map(_part, token.split(".")[:2])
    return claims if head is not None else None


def algorithm_of(token: str) -> str:
    """The ``alg`` of a JWT's header; empty when the header cannot be read or has none."""
    header = _part(token.partition(".")[0]) or {}
    return str(header.get("alg", ""))


def is_unsigned(token: str) -> bool:
    """Whether a JWT has no signature, or says itself that nothing signs it (RFC 7519, section 6: alg none)."""
    return not token.rpartition(".")[2] or algorithm_of(token).lower() == "none"


def _part(text: str) -> dict[str, Any] | None:
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        value = json.loads(data)
    except (binascii.Error, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _token(url: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The token of an address (the parameter of that name, else what looks like a JWT) and its other parameters."""
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query, keep_blank_values=True)
        # A single-page application may have its parameters after the #.
        inner = parts.fragment.partition("?")[2] or parts.fragment
        pairs += parse_qsl(inner, keep_blank_values=True) if "=" in inner else []
    except ValueError:
        return "", ()
    token = next((value for name, value in pairs if name.lower() == "token" and value), "")
    token = token or next((value for _, value in pairs if read_claims(value) is not None), "")
    if not token:
        steps = [*reversed(parts.path.split("/")), *reversed(parts.fragment.split("/"))]
        token = next((step for step in steps if read_claims(step) is not None), "")
    return token, tuple(pair for pair in pairs if pair[1] != token or not token)


def read_moment(value: Any) -> datetime | None:
    """The time of a claim, in seconds since 1970 (RFC 7519); None when it is not a valid time."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,15}(?:\.\d{1,9})?", value):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return _EPOCH + timedelta(seconds=value)
    except (OverflowError, ValueError):
        return None
