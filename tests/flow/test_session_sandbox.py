"""Sessions through the real sandbox: every list, the flaky and the messy connection, and kills in the middle."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.sandbox.process import SandboxProcess, sandbox_command
from explorer.session import Session, TestResult
from tests.builtin import registry
from tests.forked import FORKS
from tests.thorough import THOROUGH

ROOT = Path(__file__).parents[2]
LISTS = [resource.key for resource in registry.listings()]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[SandboxProcess]:
    process = SandboxProcess.start(sandbox_command(retry_after=0, drip_seconds=0.0005, large_count=4000))
    yield process
    process.stop()


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_user(tmp_path / "home")


async def session_on(sandbox: SandboxProcess, folders: Folders, connection: str, **fields: object) -> Session:
    profile = Profile.sandbox(sandbox.base_url, **fields).with_connection(connection)
    return await Session.open(profile, Credential(Auth.APIKEY, sandbox.apikey), folders)


async def pulled(
    sandbox: SandboxProcess, folders: Folders, connection: str, key: str, times: int = 1
) -> tuple[list[bytes], str, int]:
    """Rows, state and pages of a whole walk; failures are retried up to ``times``."""
    session = await session_on(sandbox, folders, connection)
    try:
        pull = session.pull(registry.listing(key), {})
        for _ in range(times):
            await pull.load_all()
            pull.retry()
            if pull.state != "ready":
                break
        return pull.window(0, pull.rows), pull.state, pull.pages
    finally:
        await session.close()


@pytest.mark.parametrize("key", LISTS)
def test_every_list_is_walked_to_its_end_and_is_there_after_reopening(
    sandbox: SandboxProcess, folders: Folders, key: str
) -> None:
    rows, state, pages = asyncio.run(pulled(sandbox, folders, "conn_sandbox_clean", key))
    assert state == "complete"
    assert pages >= 1
    ids = Counter(json.loads(row)["id"] for row in rows)
    assert rows
    assert set(ids.values()) == {1}
    stop_first = asyncio.run(_kept(sandbox, folders, key))
    assert stop_first == rows


async def _kept(sandbox: SandboxProcess, folders: Folders, key: str) -> list[bytes]:
    session = await session_on(sandbox, folders, "conn_sandbox_clean")
    try:
        pull = session.pull(registry.listing(key), {})
        assert (session.kept(), len(session.exchanges.all())) == ({key: pull.rows}, 0)
        return pull.window(0, pull.rows)
    finally:
        await session.close()


@pytest.mark.parametrize("key", LISTS)
def test_no_defect_of_the_messy_connection_ends_in_a_crash_or_in_loading_for_ever(
    sandbox: SandboxProcess, folders: Folders, key: str
) -> None:
    _, state, pages = asyncio.run(pulled(sandbox, folders, "conn_sandbox_messy", key))
    assert state in ("complete", "stopped", "failed")
    assert pages >= 1


KILLED = """
import asyncio, sys
from tests.builtin import registry
from tests.forked import FORKS
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session

async def main():
    home, address, key = sys.argv[1], sys.argv[2], sys.stdin.readline().strip()
    profile = Profile.sandbox(address).with_connection("conn_sandbox_large")
    session = await Session.open(profile, Credential(Auth.APIKEY, key), Folders.of_user(home))
    pull = session.pull(registry.listing("ats/job"), {"page_size": 50})
    print(pull.pages, flush=True)
    await pull.load_all(lambda: print(pull.pages, flush=True))
    print(pull.state, flush=True)
    await session.close()

asyncio.run(main())
"""


def killed(sandbox: SandboxProcess, home: Path, pages: int) -> list[str]:
    """What a walk printed that was killed once it had said that it has ``pages`` more, or that ran to its end."""
    process = subprocess.Popen(
        FORKS.quick([sys.executable, "-c", KILLED, str(home), sandbox.base_url]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(sandbox.apikey + "\n")
    process.stdin.close()
    told = []
    for line in process.stdout:
        told.append(line.strip())
        if len(told) > pages:
            process.kill()
            break
    process.stdout.read()  # to its end, which is that of the process
    process.wait(60)
    process.stdout.close()
    return told


def test_a_walk_that_is_killed_again_and_again_ends_whole(sandbox: SandboxProcess, tmp_path: Path) -> None:
    home, reached = tmp_path / "home", 0
    for kill in range(8 if THOROUGH else 4):
        told = killed(sandbox, home, 1 + kill % 5 * 2)
        assert int(told[0]) >= reached
        reached = int(told[-1])
    assert killed(sandbox, home, 10_000)[-1] == "complete"
    whole, state, _ = asyncio.run(_large(sandbox, Folders.of_user(tmp_path / "other")))
    kept, _, asked = asyncio.run(_large(sandbox, Folders.of_user(home)))
    assert state == "complete"
    assert len(whole) == 4000
    assert kept == whole
    assert asked == 0


async def _large(sandbox: SandboxProcess, folders: Folders) -> tuple[list[bytes], str, int]:
    session = await session_on(sandbox, folders, "conn_sandbox_large")
    try:
        pull = session.pull(registry.listing("ats/job"), {"page_size": 50})
        await pull.load_all()
        return pull.window(0, pull.rows), pull.state, len(session.exchanges.all())
    finally:
        await session.close()


def test_the_connection_test_finds_what_is_wrong_with_the_sandboxs_profile(
    sandbox: SandboxProcess, folders: Folders
) -> None:
    async def tried(connection: str, key: str, address: str = sandbox.base_url) -> TestResult:
        profile = Profile.sandbox(address).changed(connection=connection, connections=())
        session = await Session.open(profile, Credential(Auth.APIKEY, key), folders)
        try:
            return await session.test()
        finally:
            await session.close()

    def wrong(connection: str, key: str, address: str = sandbox.base_url) -> str | None:
        step = asyncio.run(tried(connection, key, address)).wrong
        return step.name if step else None

    assert wrong("conn_sandbox_clean", sandbox.apikey) is None
    assert wrong("conn_sandbox_clean", "wrong-key") == "key"
    assert wrong("conn_unknown", sandbox.apikey) == "connection"
    assert wrong("", sandbox.apikey) == "connection"
    assert wrong("unreadable", sandbox.apikey) == "connection"
    assert wrong("conn_sandbox_clean", sandbox.apikey, f"{sandbox.base_url}/elsewhere") == "address"


def test_the_flaky_connection_gives_every_record_once_and_as_sent(
    sandbox: SandboxProcess, folders: Folders
) -> None:
    rows, state, _ = asyncio.run(pulled(sandbox, folders, "conn_sandbox_flaky", "ats/job", times=50))
    assert state == "complete"
    steady, _, _ = asyncio.run(
        pulled(
            sandbox,
            Folders(folders.config, folders.data / "x", folders.state),
            "conn_sandbox_flaky",
            "ats/job",
            50,
        )
    )
    assert rows == steady
    assert len({json.loads(row)["id"] for row in rows}) == len(rows) > 0
