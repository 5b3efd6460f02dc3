"""A request as it is sent over HTTP: address, headers and body, each checked before it is sent.

Only these headers are sent: ``host``, ``accept: */*``, ``accept-encoding: gzip, deflate``, ``user-agent:
unified-explorer``; those that carry key and connection as the interface declares it (authorization.py), unless the
profile's connection is empty; and with a body ``content-type`` and ``content-length`` (POST, PUT and PATCH without a
body send ``content-length: 0``, as RFC 9110 asks).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from urllib.parse import quote, urlencode, urljoin, urlsplit

from explorer.api.authorization import Pairs, additions
from explorer.api.error_body import plain
from explorer.api.errors import CannotSend, LeadsElsewhere
from explorer.api.inflate import ACCEPTED
from explorer.api.interface import reached, registry_for
from explorer.catalog.request import PathFault, Request, fill_connection
from explorer.profiles.address import DEFAULT_PORTS
from explorer.profiles.profile import Credential, Profile

USER_AGENT = "unified-explorer"

_METHOD = re.compile(r"[A-Z][A-Z-]{0,30}")
_PATH = re.compile(r"/[\x21-\x7e]*")
_IN_ADDRESS = "".join(map(chr, range(0x21, 0x7F)))


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request as it is sent."""

    method: str
    origin: str
    target: str
    """Path and query, as in the request line."""
    headers: tuple[tuple[str, str], ...]
    """Without ``content-length``, which follows from the body."""
    body: bytes | None

    @property
    def url(self) -> str:
        """The whole address. It may contain secrets that the user put into the query."""
        return self.origin + self.target


class HttpAnswer(NamedTuple):
    """An answer, successful or not."""

    status: int
    reason: str
    headers: list[tuple[str, str]]
    body: bytes


class HttpSenderProtocol(Protocol):
    """The type of `http_exchange.HttpSender`, which the client imports only at its first call."""

    async def exchange(
        self,
        wire: HttpRequest,
        *,
        fresh: bool,
        sent: Callable[[bool], object],
        headers: Callable[[list[tuple[str, str]]], object],
    ) -> HttpAnswer:
        """Sends ``wire`` and reads the whole answer. Raises ExplorerError.

        ``fresh``: use a new connection. ``sent`` is called with whether bytes of the request may have been sent,
        ``headers`` with the answer's headers before its body is read.
        """

    async def aclose(self) -> None:
        """Closes every connection."""


def http_request_of(profile: Profile, credential: Credential | None, request: Request) -> HttpRequest:
    """``request`` as it is sent for ``profile``. Percent-escapes stay as given; the query keeps its order.

    Raises CannotSend with a sentence that quotes no header value.
    """
    profile = reached(profile, request)
    method = request.method.upper()
    if not _METHOD.fullmatch(method):
        raise CannotSend(
            "The method is not an HTTP method.", "Use GET, POST, PATCH, PUT or another of HTTP's."
        )
    added = additions(profile, credential, request)
    headers = [
        ("host", urlsplit(profile.origin).netloc),
        ("accept", "*/*"),
        ("accept-encoding", ACCEPTED),
        ("user-agent", USER_AGENT),
        *added.headers,
    ]
    if request.body is not None and request.content_type:
        headers.append(("content-type", request.content_type))
    registry = registry_for(profile)
    interface = registry.interface
    called = {interface.key_header: "key", interface.connection_header: "connection id"}
    for name, value in headers:
        _check_header(value, called.get(name) or _CALLED.get(name, f"header {name}"))
    try:
        path = fill_connection(_path(request.path, registry.example_path), added.path)
    except PathFault as fault:
        raise CannotSend(f"{fault}: nothing was sent.", "Set the connection in the profile.") from None
    base = profile.base_url.removeprefix(profile.origin)
    if request.address:
        target = _followed(profile, base + path, request.address, added.query)
    else:
        target = base + path + _query((*request.query, *added.query))
    return HttpRequest(method, profile.origin, target, tuple(headers), request.body)


def _followed(profile: Profile, here: str, address: str, further: Pairs) -> str:
    """Path and query of the address that a page gave for the next one, byte for byte as far as they can be sent.

    Raises LeadsElsewhere, with nothing of it but scheme and host, when it is not on the profile's origin.
    """
    try:
        # Characters that no address can hold are sent as percent codes, before urllib leaves some of them out.
        found = urlsplit(urljoin(profile.origin + here, quote(address, safe=_IN_ADDRESS)))
        there = found.scheme, found.hostname, found.port or DEFAULT_PORTS.get(found.scheme)
    except ValueError:
        raise CannotSend(
            "The address of the next page cannot be read: nothing was sent.", "The rows so far are kept."
        ) from None
    own = urlsplit(profile.origin)
    if there != (own.scheme, own.hostname, own.port or DEFAULT_PORTS[own.scheme]) or "@" in found.netloc:
        raise LeadsElsewhere(
            f"The address of the next page is on {plain(f'{found.scheme}://{found.hostname}', 100)}, not on"
            f" {profile.origin}: nothing was sent.",
            "The rows so far are kept. If the service has moved, put its new address into the profile.",
        )
    query = "&".join(filter(None, (found.query, urlencode(further))))
    return (found.path or "/") + (f"?{query}" if query else "")


def _path(path: str, example: str) -> str:
    if not path.startswith("/"):
        raise CannotSend(
            "The path does not begin with a slash.", f"Write it from the root, such as {example}."
        )
    if "?" in path or "#" in path:
        raise CannotSend("The path has a ? or # in it.", "Give parameters separately from the path.")
    if not _PATH.fullmatch(path):
        raise CannotSend(
            "The path has a space or a character beyond ASCII in it.",
            "Write such characters as percent codes.",
        )
    return path


def _query(pairs: Pairs) -> str:
    try:
        return "?" + urlencode(pairs) if pairs else ""
    except UnicodeError:
        pass
    raise CannotSend(
        "A query parameter has half a character (a lone surrogate), which cannot be sent in an address.",
        "If it is a cursor of the service, the list cannot be followed beyond this page.",
    )


_CALLED = {"authorization": "token", "content-type": "content type"}
"""What a sentence calls the values of headers, beside those that the interface names."""


def _check_header(value: str, what: str) -> None:
    advice = f"Set the {what} again."
    if "\r" in value or "\n" in value:
        raise CannotSend(f"The {what} has a line break in it: nothing was sent.", advice)
    if any(c != "\t" and not " " <= c <= "~" and not "\xa0" <= c <= "\xff" for c in value):
        raise CannotSend(
            f"The {what} has a character that a header cannot contain: nothing was sent.", advice
        )
    if value != value.strip():
        raise CannotSend(f"The {what} begins or ends with a space: nothing was sent.", advice)
