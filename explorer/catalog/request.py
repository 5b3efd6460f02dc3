"""A request to an operation, without origin, credentials and connection, which only the client adds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from explorer.catalog.fault import RequestFault
from explorer.catalog.spec import Listing, Operation
from explorer.jsontext.pointer import path_of

PARAMETER = re.compile(r"\{([\w.-]+)\}")
"""A place in an operation's path that the caller fills."""
_CONNECTION = re.compile(r"\{@([\w.-]+)\}")


@dataclass(frozen=True, slots=True)
class Request:
    """Method, path, query and body, each exactly as it is sent."""

    method: str
    path: str
    """Percent-encoded, from the root of the service, without the query; ``{@name}`` stands for the connection's."""
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
    address: str = ""
    """The address of the next page as the page before gave it: sent in place of path and query, which are then what is
    known of it. The client sends it to the profile's own origin only.
    """

    @property
    def target(self) -> str:
        """Path and query as one text."""
        return self.path + ("?" + urlencode(self.query) if self.query else "")


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


def lacking(
    listing: Listing, query: Mapping[str, Any], extra: Iterable[tuple[str, str]] = ()
) -> tuple[str, ...]:
    """The path parameters and required query parameters of a list that have no value: it cannot be asked for without.

    The parameter of its pages is none of them, as the first page is asked for without it.
    """
    given = {name: value for name, value in (*query.items(), *extra) if value is not None}
    in_path = PARAMETER.findall(listing.path)
    required = [name for name, field in listing.query.model_fields.items() if field.is_required()]
    return (
        *(name for name in in_path if given.get(name, "") == ""),
        *(name for name in required if name not in given and name != listing.cursor_param),
    )


def list_request(
    listing: Listing,
    query: Mapping[str, Any],
    extra: Iterable[tuple[str, str]] = (),
    *,
    cursor: str | None = None,
    page: int | None = None,
) -> Request:
    """The request of one page of a list. ``cursor``: what leads to it, None for the first page; see `Listing.paging`.

    Values go by their names: into the path, else into the body where it declares them, else into the query. Raw data is
    asked for where the list has a parameter for it that neither ``query`` nor ``extra`` names. Raises RequestFault.
    """
    extra = tuple(extra)
    if listing.paging == "url" and cursor is not None:
        known = tuple(parse_qsl(cursor.partition("?")[2], keep_blank_values=True))
        return Request("GET", listing.path, known, operation=listing, page=page, address=cursor)
    if listing.raw_option is not None and listing.raw_option[0] not in dict(extra):
        query = dict((listing.raw_option,)) | dict(query)
    if cursor is not None:
        query = {**query, listing.cursor_param: cursor}
    in_path = set(PARAMETER.findall(listing.path))
    if listing.method == "GET" and not in_path:
        return build(listing, query=query, extra=extra, page=page)
    in_body = set(listing.body.model_fields) if listing.body is not None else set[str]()
    if listing.cursor_in == "body":
        in_body |= {listing.cursor_param, listing.size_param}
    path, body = dict[str, str](), dict[str, Any]()
    sent, further = dict[str, Any](), list[tuple[str, str]]()
    for name, value in query.items():
        if name in in_path:
            path[name] = query_text(value)
        elif name in in_body:
            counted = name == listing.cursor_param and listing.paging in ("offset", "page")
            _put(body, name, int(value) if counted and str(value).isdecimal() else value)
        else:
            sent[name] = value
    for name, text in extra:
        if name in in_path:
            path[name] = text
        else:
            further.append((name, text))
    with_body = listing.method != "GET" and (body or listing.body is not None)
    return build(listing, path=path, query=sent, extra=further, body=body if with_body else None, page=page)


def _put(body: dict[str, Any], name: str, value: Any) -> None:
    """Sets the member at a dotted path. None is left out, as in a query."""
    *above, last = path_of(name)
    for step in above:
        body = body.setdefault(str(step), {})
    if value is not None:
        body[str(last)] = value


def fill_connection(path: str, values: Mapping[str, str]) -> str:
    """``path`` with each ``{@name}`` replaced by the connection's value. Raises PathFault, which quotes no value."""

    def one(match: re.Match[str]) -> str:
        value = values.get(match[1], "")
        if not value or value in (".", "..") or "/" in value or "\\" in value:
            why = "has a slash, or is a dot, and would change the path" if value else "is missing"
            raise PathFault(f"The connection's {match[1]} {why}")
        return quote(value, safe="")

    return _CONNECTION.sub(one, path)


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

    return PARAMETER.sub(one, template)


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
