"""One sandbox, a process of its own, for all tests of this room; and clients that speak real HTTP to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import httpx
import pytest

from explorer.sandbox.process import SandboxProcess, sandbox_command

Connect = Callable[[str], httpx.Client]


@pytest.fixture(scope="session")
def sandbox() -> Iterator[SandboxProcess]:
    process = SandboxProcess.start(sandbox_command(slow_seconds=0.05, retry_after=0, drip_seconds=0.002))
    yield process
    process.stop()


@pytest.fixture(scope="session")
def connect(sandbox: SandboxProcess) -> Iterator[Connect]:
    """A client for the connection `conn_sandbox_<name>`."""
    clients: dict[str, httpx.Client] = {}

    def client(name: str) -> httpx.Client:
        if name not in clients:
            headers = {"x-apikey": sandbox.apikey, "x-connection-id": f"conn_sandbox_{name}"}
            # No connection is kept: a reset of one must not be seen by the next request.
            limits = httpx.Limits(max_keepalive_connections=0)
            clients[name] = httpx.Client(
                base_url=sandbox.base_url, headers=headers, trust_env=False, limits=limits, timeout=20
            )
        return clients[name]

    yield client
    for made in clients.values():
        made.close()


@pytest.fixture(scope="session")
def clean(connect: Connect) -> httpx.Client:
    return connect("clean")
