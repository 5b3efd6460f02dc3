"""Pages kept by a process of its own: the same rows, whatever becomes of that process, and its faults are told."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Pull, PullMoved, Session
from explorer.session.fetch_pipeline import ALONE
from explorer.session.page_writer_process import PageWriterEnded, PageWriterProcess
from explorer.store.page_writer import Opening
from explorer.store.store import PageWrite, Store
from explorer.store.values import PullInfo
from tests.builtin import registry
from tests.mirror.session.endless import chunk, endless
from tests.recording import Recording

JOBS = registry.listing("ats/job")
KEY = Credential(Auth.APIKEY, "canary-of-the-keeper")
posix = pytest.mark.skipif(sys.platform == "win32", reason="sends signals")


@contextlib.asynccontextmanager
async def opened(server: Recording, folder: Path) -> AsyncIterator[Session]:
    profile = Profile(id="00ff", name="Test", base_url=server.url, connection="conn_1")
    session = await Session.open(profile, KEY, Folders.of_user(folder))
    try:
        yield session
    finally:
        await session.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(test(), 60))


def whole(pull: Pull) -> None:
    assert pull.window(0, pull.rows) == [row for n in range(pull.pages) for row in chunk(n)]
    assert [page.number for page in pull.page_list()] == list(range(1, pull.pages + 1))


async def until(pull: Pull, condition: Callable[[], object]) -> None:
    """Waits until the pull tells of something that makes it true."""
    told = asyncio.Event()
    end = pull.subscribe(told.set)
    while not condition():
        told.clear()
        await told.wait()
    end()


def keeping_of(pull: Pull) -> PageWriterProcess:
    assert pull._storage.writer is not None
    return pull._storage.writer


def kept_beside(pull: Pull) -> bool:
    """Whether the process has been given pages."""
    return pull._storage.writer is not None and pull._storage.writer.given > 0


def test_a_long_pull_is_kept_beside_and_ends_with_it(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(server, tmp_path) as session:
            pull = session.pull(JOBS, {})
            async with asyncio.TaskGroup() as group:
                group.create_task(pull.load_all())
                await until(pull, lambda: kept_beside(pull))
                keeping = keeping_of(pull)
                assert pull.pages >= ALONE
                last[0] = pull.pages + 50
            assert (pull.state, pull.pages) == ("complete", last[0])
            assert not keeping._process.running
            assert pull._storage.writer is None
            whole(pull)
            assert pull.unfit == pull.rows  # its ids are numbers
            assert {page.unfit for page in pull.page_list()} == {2}

    last = [10**9]
    with Recording() as server:
        server.answering = lambda got: endless(got, last=last[0])
        run(test)


@posix
@pytest.mark.usefixtures("real_processes")
def test_one_that_does_not_end_by_itself_is_ended(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(server, tmp_path) as session:
            pull = session.pull(JOBS, {})
            async with asyncio.TaskGroup() as group:
                loading = group.create_task(pull.load_all())
                await until(pull, lambda: kept_beside(pull))
                keeping = keeping_of(pull)
                os.kill(keeping.pid, signal.SIGSTOP)
                loading.cancel()
            assert not keeping._process.running
            with pytest.raises(ProcessLookupError):
                os.kill(keeping.pid, 0)
            whole(pull)

    with Recording(answering=endless) as server:
        run(test)


@posix
def test_killed_at_any_point_it_is_not_missed(tmp_path: Path) -> None:
    async def test() -> None:
        chance = random.Random(5)
        async with opened(server, tmp_path) as session:
            pull = session.pull(JOBS, {})
            for _ in range(2):
                last[0] = 10**9
                async with asyncio.TaskGroup() as group:
                    task = group.create_task(pull.load_all())
                    await until(pull, lambda: kept_beside(pull))
                    for _ in range(chance.randrange(40)):
                        await asyncio.sleep(0)
                    os.kill(keeping_of(pull).pid, signal.SIGKILL)
                    before = pull.pages
                    await until(pull, lambda before=before: pull.pages > before + 30)  # type: ignore[misc]
                    task.cancel()
                assert (pull.state, pull.error) == ("ready", None)
                whole(pull)
            last[0] = pull.pages + 10
            await pull.load_all()
            assert pull.state == "complete"
            whole(pull)

    last = [10**9]
    with Recording() as server:
        server.answering = lambda got: endless(got, last=last[0])
        run(test)


class Lost(PageWriterProcess):
    """One that goes away over every page, before or after it was kept: nobody hears which."""

    def __init__(self, store: Store, *, after: bool) -> None:
        super().__init__(Opening(store.path, ()))
        self._store, self._after = store, after

    @property
    def ready(self) -> bool:
        return True

    def keep(self, pull_id: int, kept: Sequence[PageWrite]) -> asyncio.Future[PullInfo]:
        if self._after:
            self._store.extend(pull_id, kept)
            self._after = False
        made: asyncio.Future[PullInfo] = asyncio.get_running_loop().create_future()
        made.set_exception(PageWriterEnded("Gone."))
        return made


@pytest.mark.parametrize("after", [False, True])
def test_what_it_kept_before_it_went_is_kept_once(tmp_path: Path, after: bool) -> None:
    async def test() -> None:
        async with opened(server, tmp_path) as session:
            pull = session.pull(JOBS, {})
            await pull.more()
            pull._storage.writer = Lost(session._store, after=after)
            await pull.load_all()
            assert (pull.state, pull.error, pull.pages) == ("complete", None, 6)
            whole(pull)

    with Recording() as server:
        server.answering = lambda got: endless(got, last=6)
        run(test)


def test_another_window_that_begins_anew_is_told_of(tmp_path: Path) -> None:
    async def test() -> None:
        async with opened(server, tmp_path) as session, opened(server, tmp_path) as other:
            pull = session.pull(JOBS, {})
            async with asyncio.TaskGroup() as group:
                group.create_task(pull.load_all())
                await until(pull, lambda: kept_beside(pull))
                await other.pull(JOBS, {}).restart()
            assert pull.state == "failed"
            assert isinstance(pull.error, PullMoved)
            pull.retry()
            assert (pull.state, pull.pages) == ("ready", 1)

    with Recording() as server:
        server.answering = endless
        run(test)
