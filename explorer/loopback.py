"""Serves an ASGI application on 127.0.0.1, here or in a process of its own: the sandbox, and recordings.

uvicorn is imported when something is served, since the program imports this module at its start.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO, Any, Self

HOST = "127.0.0.1"
START_SECONDS = 30.0
END_SECONDS = 5.0
LARGEST_BODY = 8_000_000
_SECRET_VARIABLES = tuple(f"UNIFIED_EXPLORER_{name}" for name in ("APIKEY", "TOKEN", "CLIENT", "PASSPHRASE"))
"""Of the service that the user really asks: an environment is readable for as long as its process runs."""
_LAST_MOMENT = 3.0
_LARGEST_HEAD = 262_144


class ServiceNotStarted(Exception):
    """A service could not be started; the text is one sentence for the user and holds no secret."""


class CannotListen(Exception):
    """The port is taken or may not be used; the text is the reason in words."""


def serve(
    app: Callable[..., Any],
    port: int,
    announce: Callable[[str], None],
    *,
    protocol: Any = "h11",
    end_with_parent: bool = False,
) -> None:
    """Serves until SIGINT, SIGTERM or, with ``end_with_parent``, the end of standard input.

    ``port``: 0 takes a free one. ``announce`` gets the base address once it listens. ``protocol``: uvicorn's HTTP
    protocol, by name or class. Raises CannotListen.
    """
    listening = _listening(port)
    with contextlib.closing(listening):
        _run(app, listening, announce, protocol, end_with_parent)


def _listening(port: int) -> socket.socket:
    # The protocol is named because asyncio sets TCP_NODELAY only on such sockets; else a small answer waits 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        # On Windows the option would let two programs share the port.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(128)
    except (OSError, OverflowError) as error:
        listening.close()
        raise CannotListen(getattr(error, "strerror", None) or "no such port") from None
    listening.setblocking(False)
    return listening


def _run(
    app: Callable[..., Any],
    listening: socket.socket,
    announce: Callable[[str], None],
    protocol: Any,
    end_with_parent: bool,
) -> None:
    import uvicorn

    server = uvicorn.Server(
        uvicorn.Config(
            app,
            http=protocol,
            ws="none",
            lifespan="off",
            loop="asyncio",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=_LARGEST_HEAD,
        )
    )

    def stop(number: int = 0, frame: FrameType | None = None) -> None:
        server.should_exit = True

    if threading.current_thread() is threading.main_thread():
        # The server raises a signal again when it has ended; here that is no reason to die of it.
        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)
    if end_with_parent:
        threading.Thread(target=_watch_parent, args=(stop,), name="loopback-parent", daemon=True).start()
    announce(f"http://{HOST}:{listening.getsockname()[1]}")
    server.run(sockets=[listening])


def _watch_parent(stop: Callable[[], None]) -> None:
    """Waits for the end of standard input, which comes however the parent ends, then stops, if need be hard."""
    # Not sys.stdin: it is None in a windowed program, and a thread blocked in it disturbs the interpreter's end.
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    stop()
    threading.Event().wait(_LAST_MOMENT)
    os._exit(0)


async def request_body(receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> bytes | None:
    """The body of a request; None when it has more than `LARGEST_BODY` bytes, or ended early and nobody listens."""
    parts = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts += message.get("body", b"")
        if len(parts) > LARGEST_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(parts)


def refusal(scope: Mapping[str, Any], headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Why a request is refused that a web page may have sent, in words; empty when it is let in.

    Names other than the loopback's own in Host are DNS rebinding; Origin and a Sec-Fetch-Site other than ``none`` or
    ``same-origin`` come from pages of other sites, and nothing that is served here has pages of its own.
    """
    hosts = [value.decode("latin-1").lower() for name, value in headers if name == b"host"]
    port = scope["server"][1]
    allowed = {f"{HOST}:{port}", f"localhost:{port}"} | ({HOST, "localhost"} if port == 80 else set())
    if len(hosts) != 1 or hosts[0] not in allowed:
        return "Host is not allowed"
    other = (b"none", b"same-origin")
    if any(
        name == b"origin" or (name == b"sec-fetch-site" and value not in other) for name, value in headers
    ):
        return "Requests from web pages are not allowed"
    return ""


class ServiceProcess:
    """A service on loopback in a process that the program started; it ends with the program in all cases.

    Its command prints one line of JSON when it listens: ``{"base_url", "apikey"}`` and more, or ``{"error"}``; it ends
    at the end of its standard input.
    """

    name = "service"
    """What sentences call it."""

    def __init__(self, process: subprocess.Popen[bytes], told: Mapping[str, Any]) -> None:
        """``told``: what it printed."""
        self.base_url, self.apikey = str(told["base_url"]), str(told["apikey"])
        self.token = str(told.get("token", ""))
        self.connections: Sequence[str] = tuple(map(str, told.get("connections", ())))
        self._process = process
        self._stopping = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self.base_url!r}, pid={self._process.pid})"

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    @classmethod
    def start(cls, command: Sequence[str]) -> Self:
        """Starts a service and waits until it listens, some hundred milliseconds; call it from a worker thread.

        Raises ServiceNotStarted when it could not be started, or did not listen within `START_SECONDS`.
        """
        try:
            process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise ServiceNotStarted(f"The {cls.name} could not be started: {error.strerror}.") from None
        try:
            return cls(process, _told(process, cls.name))
        except BaseException:
            _end(process)
            raise

    def stop(self) -> None:
        """Ends the sandbox and waits for it, a few hundred milliseconds; may be called again."""
        with self._stopping:
            _end(self._process)


def _environment() -> dict[str, str]:
    """The child's environment: it finds the same package, no proxy can matter to it, and it gets no real key."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and name not in _SECRET_VARIABLES
    }
    if not getattr(sys, "frozen", False):
        package = str(Path(__file__).resolve().parents[1])
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([package, known]) if known else package
    return environment


def _told(process: subprocess.Popen[bytes], service: str) -> dict[str, Any]:
    """The line that the child prints when it listens."""
    lines: list[bytes] = []
    out: IO[bytes] | None = process.stdout
    if out is None:
        raise ServiceNotStarted(f"The {service} has no standard output.")
    reader = threading.Thread(target=lambda: lines.append(out.readline()), name="loopback-start", daemon=True)
    reader.start()
    reader.join(START_SECONDS)
    if not lines:
        raise ServiceNotStarted(f"The {service} did not answer within {START_SECONDS:.0f} s of its start.")
    try:
        told = json.loads(lines[0])
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise ServiceNotStarted(f"The {service} ended before it could say where it listens.")
    if "error" in told:
        raise ServiceNotStarted(str(told["error"]))
    if not {"base_url", "apikey"} <= told.keys():
        raise ServiceNotStarted(f"The {service} did not say where it listens.")
    return told


def _end(process: subprocess.Popen[bytes]) -> None:
    """Closes the child's standard input, which ends it on every platform; kills it when that does not help."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
