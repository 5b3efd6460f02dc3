"""One request as it will be sent, but for the address and the credentials, which only the client adds."""

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
    """Method, path, query and body, each exactly as it goes on the wire."""

    method: str
    path: str
    """Percent-encoded, from the root of the service, without query."""
    query: tuple[tuple[str, str], ...] = ()
    """In the order in which they are sent; a name may stand more than once."""
    body: bytes | None = None
    """None sends no body and no content type."""
    content_type: str = "application/json"
    """Of the body; sent only with one."""
    operation: Operation | None = None
    """The endpoint this came from, or None for a request that the user wrote by hand."""
    page: int | None = None
    """For a list: which page this asks for, counted from 1. For the log and the guard; it is not sent."""

    @property
    def target(self) -> str:
        """Path and query as one text."""
        return self.path + ("?" + urlencode(self.query) if self.query else "")


class RequestFault(ValueError):
    """The values given make no request. The text is one plain sentence."""


class PathFault(RequestFault):
    """A path parameter is missing, or cannot stand in a path."""


class QueryFault(RequestFault):
    """A query parameter has no form in which it can be sent."""


def build(
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, Any] | None = None,
    extra: Iterable[tuple[str, str]] = (),
    body: Any = None,
    page: int | None = None,
) -> Request:
    """The request of an operation from the values that were set; what is not in the mappings is not sent.

    ``query`` values may be text, numbers, booleans or None (left out: a query has no null); ``extra`` are
    further query parameters as given by the user; ``body`` is any JSON value, or bytes that are sent as they
    are. Raises PathFault when a path parameter is missing or empty (the address would mean another endpoint),
    QueryFault when a query parameter cannot be written, and ValueError for a body that is no JSON (NaN,
    infinity).
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
    """A query value as text: booleans in JSON's words, whole numbers without a fraction, arrays and objects
    as JSON.
    """
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
    """A JSON value as the bytes that are sent: UTF-8, compact, keys in the given order. NaN raises
    ValueError.
    """
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate has no UTF-8 form; its JSON escape does
        return json.dumps(body, separators=(",", ":"), allow_nan=False).encode()
