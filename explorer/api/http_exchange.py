"""One HTTP exchange: sends an `HttpRequest`, reads the whole answer, and maps errors of libraries to errors.py.

Only this module, transport.py and error_mapping.py import httpx. The client imports this at its first call, so that a
window that shows stored rows does not wait for httpx.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast
from urllib.parse import urlsplit

import httpx

import explorer.api.bare_httpx  # noqa: F401 - before anything imports httpx with its command line
from explorer.api.error_mapping import FOREIGN, ours
from explorer.api.errors import ExplorerError
from explorer.api.http_request import HttpAnswer, HttpRequest
from explorer.api.inflate import read_body
from explorer.api.transport import FRESH, TARGET, transport_of
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
