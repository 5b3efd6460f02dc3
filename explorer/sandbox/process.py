"""The sandbox as a process of its own: serving on loopback, and being started and ended by the program.

The server's libraries are imported only when it serves, since the program imports this module at its start.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Self

from explorer import loopback
from explorer.loopback import HOST, ServiceNotStarted, ServiceProcess
from explorer.sandbox.config import SandboxConfig
from explorer.worker_main import own_command


def serve(config: SandboxConfig, announce: Callable[[str, str], None]) -> None:
    """Serves on 127.0.0.1 until SIGINT, SIGTERM or, with `end_with_parent`, the end of standard input.

    Args:
        config: where and what; a missing key is made. The token stays unusable when it is empty.
        announce: called with the base address and the key once the sandbox listens.

    Raises:
        ServiceNotStarted: the port is taken or may not be used.
    """
    from explorer.faults.wire import SocketProtocol
    from explorer.sandbox.service import create_app

    if not config.apikey:
        config = replace(config, apikey=SandboxConfig.fresh_apikey())
    try:
        loopback.serve(
            create_app(config),
            config.port,
            lambda address: announce(address, config.apikey),
            protocol=SocketProtocol,
            end_with_parent=config.end_with_parent,
        )
    except loopback.CannotListen as error:
        raise ServiceNotStarted(f"The sandbox cannot listen on {HOST}:{config.port}: {error}.") from None


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
        return own_command("sandbox", *options)
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
    except ServiceNotStarted as error:
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


class SandboxProcess(ServiceProcess):
    """A sandbox that the program started, with its address and credentials. It ends with the program in all cases."""

    name = "sandbox"

    @classmethod
    def start(cls, command: Sequence[str] | None = None) -> Self:
        """Starts a sandbox, with the given command if there is one; see `ServiceProcess.start`."""
        return super().start(sandbox_command() if command is None else command)
