"""The way out: connections to one origin only, with the system's trust store, a custom CA, and a proxy if one is set.

Here is the one place where it is made sure that no credential leaves the profile's origin.
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
"""The request extension that asks for a new connection: on a kept one that the other side has just closed, a
write would be lost in a way that looks as if it might have arrived."""

TARGET = "explorer.target"
"""The request extension with the bytes of path and query as they are to be sent."""

_CONNECTIONS = 10


class _Exact(httpx.URL):
    """An address whose path and query go out byte for byte: httpx would change codes and refuse long cursors."""

    def __init__(self, url: httpx.URL, target: bytes) -> None:
        super().__init__(url)
        self._target = target

    @property
    def raw_path(self) -> bytes:
        return self._target


class PinnedTransport(httpx.AsyncBaseTransport):
    """Lets requests to one origin pass and refuses every other, whoever asks."""

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


def way_out(profile: Profile, transport: httpx.AsyncBaseTransport | None = None) -> PinnedTransport:
    """The transport of a profile: pinned. It follows no redirect, keeps no cookie and reads no environment.

    An httpx client around it would add all three, only to be told not to, and 0.2 ms a call (measured).

    Raises CannotSend when the CA file or the proxy cannot be used.
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
    """Trust in the system's store, and in the profile's CA file beside it. Raises CannotSend, with the file's name."""
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not profile.ca_file:
        return context
    name = Path(profile.ca_file).name
    try:
        context.load_verify_locations(cafile=profile.ca_file)
    except (OSError, ValueError) as error:
        # SSLError, an OSError too, means that the file is there and holds no certificate.
        unfit = isinstance(error, ssl.SSLError | ValueError)
        why = "holds no certificate in PEM form" if unfit else "cannot be read"
        advice = "Choose another file in the profile, or none."
    else:
        return context
    raise CannotSend(f"The CA file {name} {why}: nothing was sent.", advice)
