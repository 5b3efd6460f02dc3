"""The sandbox as a process of its own, started and ended by the program. It imports nothing that serves."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Self

from explorer.loopback import ServiceProcess
from explorer.worker_main import own_command

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
"""Settings of `sandbox.config.SandboxConfig` that the sandbox's own command line takes, with what reads their text."""


def sandbox_command(**settings: float) -> list[str]:
    """The command that starts a sandbox for a parent, with settings out of `SETTINGS`; for `SandboxProcess.start`."""
    options = ["--port", "0", "--announce", "--end-with-parent"]
    for name, value in settings.items():
        options += [f"--{name.replace('_', '-')}", str(value)]
    if getattr(sys, "frozen", False):
        return own_command("sandbox", *options)
    # -P: a file in the working directory must not take the place of a module.
    return [sys.executable, "-P", "-m", "explorer.sandbox", *options]


class SandboxProcess(ServiceProcess):
    """A sandbox that the program started, with its address and credentials. It ends with the program in all cases."""

    name = "sandbox"

    @classmethod
    def start(cls, command: Sequence[str] | None = None) -> Self:
        """Starts a sandbox, with the given command if there is one; see `ServiceProcess.start`."""
        return super().start(sandbox_command() if command is None else command)
