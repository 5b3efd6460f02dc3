"""What the runs of the command line share: a sandbox, its own rows by a bare HTTP client, and a started program."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
import msgspec

from explorer.sandbox.process import SandboxProcess
from tests.builtin import registry
from tests.forked import FORKS


@contextmanager
def sandbox() -> Iterator[SandboxProcess]:
    """A sandbox for one module's tests."""
    process = SandboxProcess.start()
    try:
        yield process
    finally:
        process.stop()


def environment(service: SandboxProcess, home: Path, **more: str) -> dict[str, str]:
    """The environment of a run that asks ``service``: no profile, the key in a variable."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("UNIFIED_EXPLORER_")}
    return {**kept, "UNIFIED_EXPLORER_HOME": str(home), "UNIFIED_EXPLORER_APIKEY": service.apikey, **more}


def program(*arguments: str) -> list[str]:
    """The command of a real start of the program."""
    return [sys.executable, "-m", "explorer", *arguments]


def run(
    arguments: Sequence[str], env: Mapping[str, str], given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """The program started, ended and read; forked, which is quicker (tests/forked.py)."""
    return subprocess.run(
        FORKS.quick(program(*arguments)), env=env, input=given, capture_output=True, timeout=60, check=False
    )


def rows_as_sent(service: SandboxProcess, key: str, connection: str, **query: str) -> list[bytes]:
    """Every record of a list in the sandbox's own bytes, walked without any of the program's own client.

    A request that a flaky connection spoils is made again until it gives a page.
    """
    listing = registry.listing(key)
    headers = {"x-apikey": service.apikey, "x-connection-id": connection}
    found: list[bytes] = []
    with httpx.Client(base_url=service.base_url, headers=headers, trust_env=False) as client:
        cursor: str | None = None
        while True:
            params = {**query, **({"cursor": cursor} if cursor else {})}
            envelope = _page(client, listing.path, params)
            items = msgspec.json.decode(envelope[listing.envelope.items], type=list[msgspec.Raw])
            found += [bytes(raw) for raw in items]
            raw_cursor = envelope.get(listing.envelope.cursor)
            cursor = msgspec.json.decode(raw_cursor) if raw_cursor is not None else None
            if not cursor:
                return found


def _page(client: httpx.Client, path: str, params: Mapping[str, str]) -> dict[str, msgspec.Raw]:
    for _ in range(50):
        try:
            answer = client.get(path, params=params)
            if answer.status_code == 200:
                return msgspec.json.decode(answer.content, type=dict[str, msgspec.Raw])
        except (httpx.HTTPError, msgspec.DecodeError):
            continue
    raise AssertionError(f"{path} gave no page in 50 requests")
