"""A request to an operation, without address and credentials, which only the client adds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from explorer.catalog.spec import Operation


@dataclass(frozen=True, slots=True)
class Request:
    """Method, path, query and body, each exactly as it is sent."""

    method: str
    path: str
    """Percent-encoded, from the root of the service, without the query."""
    query: tuple[tuple[str, str], ...] = ()
    """(name, value) pairs in the order in which they are sent; a name may occur more than once."""
    body: bytes | None = None
    """None sends no body and no content type."""
    content_type: str = "application/json"
    """The content type of the body; sent only when there is a body."""
    operation: Operation | None = None
    """The operation that it was built from; None for a request that the user wrote by hand."""
    page: int | None = None
    """For a list: the number of the requested page, from 1. For the log and the guard; it is not sent."""

    @property
    def target(self) -> str:
        """Path and query as one text."""
        return self.path + ("?" + urlencode(self.query) if self.query else "")


class RequestFault(ValueError):
    """The given values cannot be made into a request. The message is one plain sentence."""


class PathFault(RequestFault):
    """A path parameter is missing, or its value cannot be part of a path."""


class QueryFault(RequestFault):
    """The value of a query parameter cannot be sent in an address."""


def build(
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, Any] | None = None,
    extra: Iterable[tuple[str, str]] = (),
    body: Any = None,
    page: int | None = None,
) -> Request:
    """The request of an operation, made of the values that were set; nothing else is sent.

    ``query`` values may be texts, numbers, booleans or None, which is left out, as a query has no null. ``extra``:
    further query parameters that the user gave. ``body``: any JSON value, or bytes that are sent as they are. Raises
    PathFault when a path parameter is missing or empty (the path would lead to another endpoint), QueryFault when a
    query parameter cannot be sent, ValueError for a body that is not JSON (NaN, infinity).
    """
    pairs = [(name, query_text(value)) for name, value in (query or {}).items() if value is not None]
    extra = tuple(extra)
    for name, value in (*pairs, *extra):
        if not (_has_utf8(name) and _has_utf8(value)):
            raise QueryFault(
                f"{name!a} has half a character (a lone surrogate), which cannot be sent in an address"
            )
    return Request(
        method=operation.method,
        path=fill(operation.path, path or {}),
        query=(*pairs, *extra),
        body=body if body is None or isinstance(body, bytes) else encode(body),
        operation=operation,
        page=page,
    )


def fill(template: str, values: Mapping[str, str]) -> str:
    """``template`` with each ``{name}`` replaced by its percent-encoded value. Raises PathFault."""

    def one(match: re.Match[str]) -> str:
        name = match[1]
        value = values.get(name, "")
        if not value:
            raise PathFault(f"{name} is missing: without it the address would mean another endpoint")
        if value in (".", ".."):
            raise PathFault(f"{name} cannot be {value!r}: it would change the path")
        if not _has_utf8(value):
            raise PathFault(
                f"{name} has half a character (a lone surrogate), which cannot be sent in an address"
            )
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", one, template)


def query_text(value: Any) -> str:
    """A query value as text: booleans as ``true`` and ``false``, whole floats without fraction, others as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, str | int | float):
        return str(value)
    return encode(value).decode()


def _has_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def encode(body: Any) -> bytes:
    """A JSON value as bytes to send: UTF-8, compact, keys in the given order. Raises ValueError for NaN."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form; its JSON escape does
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
