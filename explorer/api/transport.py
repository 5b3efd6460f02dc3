"""The HTTP transport of a profile: connections to its origin only, with its trusted certificates and its proxy.

This is the one place that ensures that no credential is sent to another origin.
"""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx
import truststore

from explorer.api.errors import CannotSend
from explorer.api.proxy import proxy_of
from explorer.profiles.profile import Profile

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
