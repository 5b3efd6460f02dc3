"""A listener can fail without harm to the pull, and a pull that failed asks for nothing until it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.session.pull import PullPhase
from tests.builtin import registry
from tests.mirror.session.endless import endless
from tests.recording import Recording, Reply

JOBS = registry.listing("ats/job")
KEY = Credential(Auth.APIKEY, "key-of-getting")


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


def profile(server: Recording) -> Profile:
    return Profile(id="00ff", name="Test", base_url=server.url, connection="conn_1")


class Cross(Exception):
    """What a listener raises here."""


def test_what_a_listener_raises_ends_the_pull_and_harms_nothing(tmp_path: Path) -> None:
    async def test() -> None:
        session = await Session.open(profile(server), KEY, Folders.of_user(tmp_path))
        pull = session.pull(JOBS, {})
        times = 0

        def cross() -> None:
            nonlocal times
            times += 1
            if times == 2:
                raise Cross

        with pytest.raises(Cross):
            await pull.load_all(cross)
        kept = pull.rows
        assert 0 < kept < 12
        assert pull.state == "ready"
        assert pull.error is None
        await pull.load_all()
        assert (pull.rows, pull.state) == (12, "complete")
        await session.close()

    with Recording(answering=lambda got: endless(got, last=6)) as server:
        run(test)


def test_a_failed_pull_asks_for_nothing_until_it_is_told_to(tmp_path: Path) -> None:
    async def test() -> None:
        session = await Session.open(profile(server), KEY, Folders.of_user(tmp_path))
        pull = session.pull(JOBS, {})
        seen: list[PullPhase] = []
        end = pull.subscribe(lambda: seen.append(pull.state))
        await pull.more()
        assert (seen, pull.rows) == (["loading", "failed"], 0)
        asked = len(server.got)
        await pull.more()
        await pull.load_all()
        assert len(server.got) == asked
        end()
        pull.retry()
        assert (pull.state, seen) == ("ready", ["loading", "failed"])
        await session.close()

    with Recording(answering=lambda _got: Reply(404, b'{"error":"no such list"}')) as server:
        run(test)
