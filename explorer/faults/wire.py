"""Faults below HTTP: an answer that is cut off, a reset connection, an answer that never ends.

The server hands an application no way to its socket, so `SocketProtocol` notes the transport of each client.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
from typing import Any
from weakref import WeakValueDictionary

from starlette.responses import Response
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

_transports: WeakValueDictionary[tuple[str, int], asyncio.Transport] = WeakValueDictionary()


class SocketProtocol(H11Protocol):
    """HTTP/1.1 that remembers which socket belongs to which client."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.client is not None:
            _transports[self.client] = transport


def reset(scope: Scope) -> None:
    """Ends a request's connection with a TCP reset."""
    transport = _transports.get(tuple(scope["client"])) if scope.get("client") else None
    if transport is None:
        raise RuntimeError("the server in use does not tell its sockets")
    sock = transport.get_extra_info("socket")
    form = "hh" if sys.platform == "win32" else "ii"
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack(form, 1, 0))
    transport.abort()


async def _begin(send: Send, whole: Response | None) -> None:
    """The head of an answer; of one that never ends when there is none."""
    headers = [(b"content-type", b"application/json")] if whole is None else whole.raw_headers
    status = 200 if whole is None else whole.status_code
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _gone(receive: Receive, seconds: float) -> bool:
    """Waits. Returns whether the client has closed the connection meanwhile."""
    try:
        message = await asyncio.wait_for(receive(), seconds)
    except TimeoutError:
        return False
    return bool(message["type"] == "http.disconnect")


class Cut(Response):
    """Half of an answer; then the connection closes, or is reset."""

    def __init__(self, whole: Response, *, with_reset: bool) -> None:
        super().__init__()
        self._whole = whole
        self._with_reset = with_reset

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _begin(send, self._whole)
        body = body_of(self._whole)
        half = body[: len(body) // 2]
        await send({"type": "http.response.body", "body": half, "more_body": True})
        if self._with_reset:
            # What was written must reach the client before the reset throws the rest away.
            await asyncio.sleep(0.02)
            reset(scope)


class Dropped(Response):
    """No answer at all: the connection is reset."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        reset(scope)


_PIECES = 20
"""In so many pieces a whole answer drips."""


class Drip(Response):
    """An answer that comes byte by byte.

    Args:
        whole: what is to be sent; None sends spaces for ever.
        seconds: the pause between two pieces.
    """

    def __init__(self, whole: Response | None, seconds: float) -> None:
        super().__init__()
        self._whole = whole
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _begin(send, self._whole)
        if self._whole is None:
            while not await _gone(receive, self._seconds):
                await send({"type": "http.response.body", "body": b" ", "more_body": True})
            return
        whole = body_of(self._whole)
        step = len(whole) // _PIECES + 1
        for start in range(0, len(whole), step):
            if await _gone(receive, self._seconds):
                return
            await send({"type": "http.response.body", "body": whole[start : start + step], "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def body_of(response: Response) -> bytes:
    """The bytes of a response that was made whole."""
    found: Any = response.body
    return bytes(found)
