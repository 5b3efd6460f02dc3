"""Maps exceptions of httpx, the system and other libraries to the classes of errors.py.

The messages of these exceptions may quote header values and whole addresses, so none is passed on, except for the
reason why a certificate was rejected and the names in the system's error table.
"""

from __future__ import annotations

import errno
import os
import socket
import ssl
from collections.abc import Iterator

import httpx

from explorer.api.errors import (
    BadAnswer,
    CannotSend,
    ConnectionLost,
    DeadlinePassed,
    ExplorerError,
    TlsFailed,
    Unreachable,
)

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
