"""One HTTP exchange: sends an `HttpRequest` to the profile's origin alone, reads the answer, maps errors to errors.py.

This is the one place that ensures that no credential is sent to another origin. The messages of the exceptions of
httpx, the system and other libraries may quote header values and whole addresses, so none is passed on, except for the
reason why a certificate was rejected and the names in the system's error table.

No other module imports httpx. The client imports this at its first call, so that a window that shows stored rows does
not wait for httpx.
"""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import explorer.api.bare_httpx  # noqa: F401 - before anything imports httpx with its command line

# isort: split
import httpx
import truststore

from explorer.api.errors import (
    BadAnswer,
    CannotSend,
    ConnectionLost,
    DeadlinePassed,
    ExplorerError,
    TlsFailed,
    Unreachable,
)
from explorer.api.http_request import HttpAnswer, HttpRequest
from explorer.api.inflate import read_body
from explorer.api.proxy import proxy_of
from explorer.profiles.profile import Profile

_OF_FIRST_CONNECTION = ("sniffio", "httpcore._backends.anyio", "anyio._backends._asyncio")
"""What httpcore imports at its first connection, in 90 ms, on the loop: a `HttpSender` is made in a thread before."""


class HttpSender:
    """The connections to one profile's origin."""

    def __init__(
        self, profile: Profile, max_body_bytes: int, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """``transport`` replaces the network. Raises CannotSend when the CA file or the proxy cannot be used."""
        for name in _OF_FIRST_CONNECTION:
            import_module(name)
        self._host = urlsplit(profile.origin).netloc
        self._connect_seconds = profile.connect_seconds
        self._most = max_body_bytes
        self._transport = transport_of(profile, transport)

    async def exchange(
        self,
        wire: HttpRequest,
        *,
        fresh: bool,
        sent: Callable[[bool], object],
        headers: Callable[[list[tuple[str, str]]], object],
    ) -> HttpAnswer:
        """See `HttpSenderProtocol`."""
        fault: ExplorerError
        try:
            return await self._exchange(wire, fresh, sent, headers)
        except ExplorerError as error:
            fault = error
        except FOREIGN as error:
            fault = ours(error, self._host, self._connect_seconds)
            if isinstance(error, httpx.LocalProtocolError):
                sent(False)  # h11 rejects the request before its first byte, after `sent(True)` was called
        # Raised outside of the except blocks, so that the original error, which may quote secrets, is not attached.
        raise fault

    async def _exchange(
        self,
        wire: HttpRequest,
        fresh: bool,
        sent: Callable[[bool], object],
        heard: Callable[[list[tuple[str, str]]], object],
    ) -> HttpAnswer:
        request = httpx.Request(
            wire.method,
            wire.origin,
            headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in wire.headers],
            content=wire.body,
            extensions={
                TARGET: wire.target.encode("ascii"),
                "timeout": httpx.Timeout(None, connect=self._connect_seconds).as_dict(),
                "trace": _watch(sent),
                FRESH: fresh,
            },
        )
        response = await self._transport.handle_async_request(request)
        try:
            headers = [(n.decode("latin-1"), v.decode("latin-1")) for n, v in response.headers.raw]
            heard(headers)
            packing = ",".join(value for name, value in headers if name.lower() == "content-encoding")
            body = await read_body(cast(httpx.AsyncByteStream, response.stream), packing, self._most)
        finally:
            with contextlib.suppress(httpx.HTTPError, OSError):
                await response.aclose()
        return HttpAnswer(response.status_code, response.reason_phrase, headers, body)

    async def aclose(self) -> None:
        """Closes every connection."""
        await self._transport.aclose()


def _watch(sent: Callable[[bool], object]) -> Callable[[str, dict[str, Any]], Any]:
    """The trace hook of httpcore that calls ``sent`` when the first byte may be sent.

    From then on the outcome of a write is unknown when its answer is lost.
    """

    async def trace(event: str, info: dict[str, Any]) -> None:
        if event.endswith("send_request_headers.started") and info["request"].method != b"CONNECT":
            sent(True)

    return trace


FRESH = "explorer.fresh"
"""The request extension that asks for a new connection.

A write on a kept-alive connection that the server has just closed would be lost, and its outcome unknown.
"""

TARGET = "explorer.target"
"""The request extension with path and query, as the bytes to send."""

_CONNECTIONS = 10


class _Exact(httpx.URL):
    """A URL whose path and query are sent byte for byte: httpx would normalise escapes and reject long cursors."""

    def __init__(self, url: httpx.URL, target: bytes) -> None:
        super().__init__(url)
        self._target = target

    @property
    def raw_path(self) -> bytes:
        return self._target


class PinnedTransport(httpx.AsyncBaseTransport):
    """Sends requests to one origin, and raises CannotSend for any other."""

    def __init__(self, origin: str, kept: httpx.AsyncBaseTransport, fresh: httpx.AsyncBaseTransport) -> None:
        self._origin = _origin(httpx.URL(origin))
        self._kept = kept
        self._fresh = fresh

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        host = request.headers.get("host", "")
        named = _origin(httpx.URL(f"{request.url.scheme}://{host}/"))
        if _origin(request.url) != self._origin or named != self._origin or request.url.userinfo:
            raise CannotSend("The request goes to another address than the profile's: nothing was sent.")
        target = request.extensions.get(TARGET)
        if target is not None:
            request.url = _Exact(request.url, target)
        inner = self._fresh if request.extensions.get(FRESH) else self._kept
        return await inner.handle_async_request(request)

    async def aclose(self) -> None:
        await self._kept.aclose()
        if self._fresh is not self._kept:
            await self._fresh.aclose()


def _origin(url: httpx.URL) -> tuple[str, bytes, int | None]:
    return url.scheme, url.raw_host, url.port or {"http": 80, "https": 443}.get(url.scheme)


def transport_of(profile: Profile, transport: httpx.AsyncBaseTransport | None = None) -> PinnedTransport:
    """The transport of a profile, pinned to its origin.

    It follows no redirects, keeps no cookies, reads no environment.

    There is no httpx client around it: that would add all three, and 0.2 ms a call (measured). ``transport`` replaces
    the network. Raises CannotSend when the CA file or the proxy cannot be used.
    """
    kept = fresh = transport
    if kept is None or fresh is None:
        context = tls_context(profile)
        proxy = proxy_of(profile)
        kept = _transport(context, proxy, keep=_CONNECTIONS)
        fresh = _transport(context, proxy, keep=0)
    return PinnedTransport(profile.origin, kept, fresh)


def _transport(context: ssl.SSLContext, proxy: str, *, keep: int) -> httpx.AsyncHTTPTransport:
    limits = httpx.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=keep)
    try:
        chosen = (
            httpx.Proxy(proxy, ssl_context=context if proxy.startswith("https:") else None) if proxy else None
        )
        return httpx.AsyncHTTPTransport(verify=context, proxy=chosen, limits=limits, trust_env=False)
    except (ImportError, ValueError, httpx.InvalidURL):
        pass
    raise CannotSend(
        "The proxy's address cannot be used: only http and https proxies are supported.",
        "Change it in the profile.",
    )


def tls_context(profile: Profile) -> ssl.SSLContext:
    """A TLS context that trusts the system's store and the profile's CA file.

    Raises CannotSend, which names the file, when that cannot be used.
    """
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not profile.ca_file:
        return context
    name = Path(profile.ca_file).name
    try:
        context.load_verify_locations(cafile=profile.ca_file)
    except (OSError, ValueError) as error:
        # SSLError, which is an OSError too, means that the file exists and has no certificate.
        unfit = isinstance(error, ssl.SSLError | ValueError)
        why = "holds no certificate in PEM form" if unfit else "cannot be read"
        advice = "Choose another file in the profile, or none."
    else:
        return context
    raise CannotSend(f"The CA file {name} {why}: nothing was sent.", advice)


FOREIGN: tuple[type[Exception], ...] = (
    httpx.HTTPError,
    httpx.InvalidURL,
    httpx.StreamError,
    httpx.CookieConflict,
    UnicodeError,
    OSError,
    ValueError,
    RuntimeError,
    LookupError,
)
"""The exceptions of libraries that sending may raise. `idna.IDNAError` is a UnicodeError."""

_LOST = ("disconnected", "closed", "incomplete", "EOF")


def ours(error: BaseException, host: str, connect_seconds: float = 0.0) -> ExplorerError:
    """The ExplorerError for ``error`` in a call to ``host`` (host and port, for the sentence)."""
    if isinstance(error, ExplorerError):
        return error
    if isinstance(error, httpx.ProxyError):
        return _proxy(error)
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return Unreachable(
            f"{host} did not accept the connection within {connect_seconds:g} s.",
            "Check the address, the network and any firewall in between.",
        )
    if isinstance(error, httpx.ConnectError) or (
        isinstance(error, OSError) and not isinstance(error, TimeoutError)
    ):
        return _unconnected(error, host)
    if isinstance(error, httpx.RemoteProtocolError) and not any(word in str(error) for word in _LOST):
        return BadAnswer(
            f"The server at {host} does not speak valid HTTP.", "Check the address and its port."
        )
    if isinstance(
        error, httpx.UnsupportedProtocol | httpx.LocalProtocolError | httpx.InvalidURL | ValueError
    ):
        return CannotSend("The request cannot be sent: its address or a header is not valid.", "Check them.")
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return DeadlinePassed(
            f"{host} did not answer in time.", "Try again, or raise the profile's deadline."
        )
    if isinstance(error, httpx.TransportError | httpx.StreamError):
        return ConnectionLost(
            f"The connection to {host} broke before the response was complete.", "Try again."
        )
    return CannotSend(
        "The request could not be sent: the connection client is closed or broken.", "Open the profile again."
    )


def _proxy(error: httpx.ProxyError) -> Unreachable:
    wants = "407" in str(error)
    return Unreachable(
        "The proxy asks for a user name and password."
        if wants
        else "The proxy refuses the connection or fails.",
        "Check the profile's proxy, or the system's.",
    )


def _unconnected(error: BaseException, host: str) -> ExplorerError:
    chain = list(_chain(error))
    for each in chain:
        if isinstance(each, ssl.SSLCertVerificationError):
            why = _one_line(each.verify_message) or "it is not trusted"
            return TlsFailed(
                f"The certificate of {host} is not accepted: {why}.",
                "If the service uses its own certificate authority, choose its CA file in the profile.",
            )
        if isinstance(each, ssl.SSLError):
            return TlsFailed(
                f"No secure connection to {host} could be made.",
                "Check the address, and that this port uses https.",
            )
    if any(isinstance(each, socket.gaierror) for each in chain):
        return Unreachable(f"The host {host} was not found.", "Check the address for a typing error.")
    number = next((e.errno for e in chain if isinstance(e, OSError) and isinstance(e.errno, int)), None)
    if number == errno.ECONNREFUSED or any(isinstance(e, ConnectionRefusedError) for e in chain):
        return Unreachable(
            f"Nothing answers at {host}: the connection was refused.",
            "Check that the service runs, and its port.",
        )
    why = f": {os.strerror(number).lower()}" if number else ""
    return Unreachable(f"{host} cannot be reached{why}.", "Check the address and the network.")


def _chain(error: BaseException, depth: int = 0) -> Iterator[BaseException]:
    """An error, its causes and contexts, and the members of exception groups (several addresses tried at once)."""
    if depth > 8:
        return
    yield error
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    for each in (error.__cause__, error.__context__, *inner):
        if each is not None:
            yield from _chain(each, depth + 1)


def _one_line(text: str) -> str:
    return " ".join(str(text).split()).rstrip(".")[:200]
