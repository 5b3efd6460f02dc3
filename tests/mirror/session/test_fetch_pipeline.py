"""Asking ahead and keeping behind: in order, few pages in between, and nothing that came is lost by a failure."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from explorer.api.errors import AnswerError
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.session.fetch_pipeline import AHEAD
from tests.builtin import registry
from tests.mirror.session.endless import chunk, endless
from tests.recording import Recording, Reply

JOBS = registry.listing("ats/job")
KEY = Credential(Auth.APIKEY, "key-of-the-engine")


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


def profile(server: Recording) -> Profile:
    return Profile(id="00ff", name="Test", base_url=server.url, connection="conn_1")


def test_no_more_pages_wait_than_there_is_room_for_and_all_are_kept_in_order(tmp_path: Path) -> None:
    async def test() -> None:
        session = await Session.open(profile(server), KEY, Folders.of_user(tmp_path))
        pull, gate = session.pull(JOBS, {}), threading.Event()
        holding = session._threads.submit(gate.wait)  # nothing is kept until then
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(pull.load_all())
                while len(pull._run.arrived) < AHEAD:  # noqa: ASYNC110 - turns of the loop
                    await asyncio.sleep(0)
                for _ in range(100):
                    await asyncio.sleep(0)
                assert (len(server.got), len(pull._run.arrived), pull.pages) == (AHEAD, AHEAD, 0)
                gate.set()
        finally:
            gate.set()
        await holding
        assert (pull.state, len(server.got)) == ("complete", 30)
        assert [page.number for page in pull.page_list()] == list(range(1, 31))
        await session.close()

    with Recording() as server:
        server.answering = lambda got: endless(got, last=30)
        run(test)


def test_a_failure_in_the_middle_comes_after_the_pages_before_it(tmp_path: Path) -> None:
    async def test() -> None:
        session = await Session.open(profile(server), KEY, Folders.of_user(tmp_path))
        pull = session.pull(JOBS, {})
        for expected in (9, 9, 30):
            await pull.load_all()
            assert pull.pages == expected
            assert pull.window(0, pull.rows) == [row for n in range(expected) for row in chunk(n)]
            if expected == 9:
                assert pull.state == "failed"
                assert isinstance(pull.error, AnswerError)
                pull.retry()
        assert pull.state == "complete"
        await session.close()

    failing = [Reply(400, b"{}"), Reply(400, b"{}")]
    with Recording() as server:
        server.answering = lambda got: (
            failing.pop() if "cursor=9" in got.target and failing else endless(got, last=30)
        )
        run(test)


def test_only_so_many_pages_are_asked_for_as_are_wanted(tmp_path: Path) -> None:
    async def test() -> None:
        session = await Session.open(profile(server), KEY, Folders.of_user(tmp_path))
        pull = session.pull(JOBS, {})
        await pull.load_all(most=3)
        await pull.load_all(most=2)
        assert (pull.state, pull.pages, len(server.got)) == ("ready", 5, 5)
        with pytest.raises(ZeroDivisionError):
            await pull.load_all(lambda: 1 // 0)  # type: ignore[arg-type]
        assert (pull.state, pull.error) == ("ready", None)
        await session.close()

    with Recording() as server:
        server.answering = endless
        run(test)
