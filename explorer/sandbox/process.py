"""The sandbox as a process of its own: serving on loopback, and being started and ended by the program.

The server's libraries are imported only when it serves, since the program imports this module at its start.
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import IO, Any

from explorer.sandbox.config import SandboxConfig

HOST = "127.0.0.1"
START_SECONDS = 30.0
END_SECONDS = 5.0
_LAST_MOMENT = 3.0
_LARGEST_HEAD = 262_144
_SECRET_VARIABLES = ("UNIFIED_EXPLORER_APIKEY", "UNIFIED_EXPLORER_TOKEN", "UNIFIED_EXPLORER_PASSPHRASE")
"""Of the service that the user really asks: an environment is readable for as long as its process runs."""


class SandboxNotStarted(Exception):
    """The sandbox could not be started; the text is one sentence for the user and holds no secret."""


def serve(config: SandboxConfig, announce: Callable[[str, str], None]) -> None:
    """Serves on 127.0.0.1 until SIGINT, SIGTERM or, with `end_with_parent`, the end of standard input.

    Args:
        config: where and what; a missing key is made. The token stays unusable when it is empty.
        announce: called with the base address and the key once the sandbox listens.

    Raises:
        SandboxNotStarted: the port is taken or may not be used.
    """
    if not config.apikey:
        config = replace(config, apikey=SandboxConfig.fresh_apikey())
    listening = _listening(config.port)
    with contextlib.closing(listening):
        _run(config, listening, announce)


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
        reason = getattr(error, "strerror", None) or "no such port"
        raise SandboxNotStarted(f"The sandbox cannot listen on {HOST}:{port}: {reason}.") from None
    listening.setblocking(False)
    return listening


def _run(config: SandboxConfig, listening: socket.socket, announce: Callable[[str, str], None]) -> None:
    import uvicorn

    from explorer.sandbox.service import create_app
    from explorer.sandbox.wire import SandboxProtocol

    server = uvicorn.Server(
        uvicorn.Config(
            create_app(config),
            http=SandboxProtocol,
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
    if config.end_with_parent:
        threading.Thread(target=_watch_parent, args=(stop,), name="sandbox-parent", daemon=True).start()
    announce(f"http://{HOST}:{listening.getsockname()[1]}", config.apikey)
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


SETTINGS: dict[str, Callable[[str], int | float]] = {
    "seed": int,
    "slow_seconds": float,
    "scale": float,
    "large_count": int,
    "flaky_rate": float,
    "flaky_tries": int,
    "retry_after": int,
    "drip_seconds": float,
}
"""Settings of `SandboxConfig` that the sandbox's own command line takes, with what reads their text."""


def sandbox_command(**settings: float) -> list[str]:
    """The command that starts a sandbox for a parent, with settings out of `SETTINGS`; for `SandboxProcess.start`."""
    options = ["--port", "0", "--announce", "--end-with-parent"]
    for name, value in settings.items():
        options += [f"--{name.replace('_', '-')}", str(value)]
    if getattr(sys, "frozen", False):
        return [sys.executable, "sandbox", *options]
    # -P: a file in the working directory must not take the place of a module.
    return [sys.executable, "-P", "-m", "explorer.sandbox", *options]


def run(
    port: int = 0,
    announce: bool = False,
    end_with_parent: bool = False,
    settings: Mapping[str, float] | None = None,
) -> int:
    """The command `sandbox`: serves, and says where on standard output.

    With `announce` it writes one line of JSON, `{"base_url", "apikey", "token"}`, or `{"error"}` when it cannot
    start; else words. Returns the exit code, 3 when it cannot start.
    """
    config = SandboxConfig(
        port=port,
        apikey=SandboxConfig.fresh_apikey(),
        token=SandboxConfig.fresh_token(),
        end_with_parent=end_with_parent,
    )
    config = replace(config, **(settings or {}))  # type: ignore[arg-type]

    def say(base_url: str, apikey: str) -> None:
        if announce:
            _print_line(json.dumps({"base_url": base_url, "apikey": apikey, "token": config.token}))
            return
        _print_line(f"Sandbox at {base_url}")
        _print_line(f"x-apikey: {apikey}")
        _print_line(f"Authorization: Bearer {config.token}")
        _print_line("x-connection-id: conn_sandbox_clean (others are in docs/sandbox.md). Ctrl+C ends it.")

    try:
        serve(config, say)
    except SandboxNotStarted as error:
        if announce:
            _print_line(json.dumps({"error": str(error)}))
        else:
            sys.stderr.write(f"{error}\n")
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


def _print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class SandboxProcess:
    """A sandbox that the program started, with its address and credentials. It ends with the program in all cases."""

    def __init__(self, process: subprocess.Popen[bytes], base_url: str, apikey: str, token: str) -> None:
        self.base_url = base_url
        self.apikey = apikey
        self.token = token
        self._process = process
        self._stopping = threading.Lock()

    def __repr__(self) -> str:
        return f"SandboxProcess(base_url={self.base_url!r}, pid={self._process.pid})"

    @property
    def pid(self) -> int:
        """The process's number."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    @classmethod
    def start(cls, command: Sequence[str] | None = None) -> SandboxProcess:
        """Starts a sandbox and waits until it listens, some hundred milliseconds; call it from a worker thread.

        Raises:
            SandboxNotStarted: it could not be started, or did not say where it listens within `START_SECONDS`.
        """
        try:
            process = subprocess.Popen(
                list(command) if command is not None else sandbox_command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise SandboxNotStarted(f"The sandbox could not be started: {error.strerror}.") from None
        try:
            told = _told(process)
            return cls(process, str(told["base_url"]), str(told["apikey"]), str(told.get("token", "")))
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
        package = str(Path(__file__).resolve().parents[2])
        known = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([package, known]) if known else package
    return environment


def _told(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The line that the child prints when it listens."""
    lines: list[bytes] = []
    out: IO[bytes] | None = process.stdout
    if out is None:
        raise SandboxNotStarted("The sandbox has no standard output.")
    reader = threading.Thread(target=lambda: lines.append(out.readline()), name="sandbox-start", daemon=True)
    reader.start()
    reader.join(START_SECONDS)
    if not lines:
        raise SandboxNotStarted(f"The sandbox did not answer within {START_SECONDS:.0f} s of its start.")
    try:
        told = json.loads(lines[0])
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise SandboxNotStarted("The sandbox ended before it could say where it listens.")
    if "error" in told:
        raise SandboxNotStarted(str(told["error"]))
    if not {"base_url", "apikey"} <= told.keys():
        raise SandboxNotStarted("The sandbox did not say where it listens.")
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
