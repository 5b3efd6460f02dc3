"""Load all in a process of its own: a real process, HTTP server and store, and what is kept when it is killed."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from explorer.api.errors import CursorRepeated, ThirdPartyFailed
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Pull, PullMoved, Session
from explorer.session.loading import Loading, LoadingEnded
from tests.builtin import registry
from tests.mirror.session.endless import chunk, endless
from tests.recording import Recording, Reply, pages

JOBS = registry.listing("ats/job")
CANARY = "canary-of-the-loader-7d21"
KILLS = int(os.environ.get("UNIFIED_EXPLORER_KILLS", "3"))
"""How often the process is killed at a random point; 100 shows what one wants to know, and takes two minutes."""
posix = pytest.mark.skipif(sys.platform == "win32", reason="looks at /proc and sends signals")


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_user(tmp_path / "home")


@asynccontextmanager
async def opened(server: Recording, folders: Folders, **fields: Any) -> AsyncIterator[Session]:
    profile = Profile(id="00ff", name="Test", base_url=server.url, **{"connection": "conn_1", **fields})
    session = await Session.open(profile, Credential(Auth.APIKEY, CANARY), folders, in_window=True)
    try:
        yield session
    finally:
        await session.close()


def rows(pull: Pull) -> list[bytes]:
    return pull.window(0, pull.rows)


async def until(pull: Pull, condition: Callable[[], bool]) -> None:
    """Waits until the pull tells of something that makes it true."""
    told = asyncio.Event()
    end = pull.subscribe(told.set)
    while not condition():
        told.clear()
        await told.wait()
    end()


def served(*chunks: bytes, last: Any = None) -> list[Reply]:
    cursors: list[Any] = [f"c{n}" for n in range(1, len(chunks))]
    return pages("next_cursor", chunks, [*cursors, last], "has_next_page")


def loading_of(pull: Pull) -> Loading:
    assert pull.loading is not None
    return pull.loading


def test_it_loads_to_the_end_and_the_log_holds_each_request(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull, told = session.pull(JOBS, {"page_size": 2}, [("x", "y")]), []
            await pull.load_all(lambda: told.append(pull.rows))
            assert (pull.state, pull.error) == ("complete", None)
            assert rows(pull) == [b'{"id":%d}' % n for n in range(30)]
            assert told == sorted(told)
            assert told[-1] == 30
            log = session.exchanges.all()
            assert [(e.page, e.state, e.summary) for e in log] == [
                (n, "answered", "1 item") for n in range(1, 31)
            ]
            assert {dict(e.request_headers)["x-apikey"] for e in log} == {"••••••"}
            assert all(got.header("x-apikey") == CANARY for got in server.got)
            assert "page_size=2&x=y" in server.got[0].target
            assert await pull.more() == 0

    with Recording(served(*(b'[{"id":%d}]' % n for n in range(30)))) as server:
        run(test)


def test_it_goes_on_behind_rows_that_were_scrolled_to_and_hands_over_again(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            assert await pull.more() == 1
            await pull.load_all()
            assert (pull.state, pull.rows) == ("failed", 2)
            assert isinstance(pull.error, ThirdPartyFailed)
            assert pull.error.status == 400
            assert session.exchanges.get(pull.error.exchange or 0) is session.exchanges.all()[-1]
            assert session.exchanges.all()[-1].response_body
            pull.retry()
            assert await pull.more() == 1
            await pull.load_all()
            assert (pull.state, rows(pull)) == ("complete", [b'{"id":%d}' % n for n in (1, 2, 3, 4)])

    one, two, three, four = served(*(b'[{"id":%d}]' % n for n in (1, 2, 3, 4)))
    failed = Reply(400, b'{"class":"X","message":"broken","code":"INTERNAL_SERVER_ERROR","data":{}}')
    with Recording([one, two, failed, three, four]) as server:
        run(test)


def test_a_loop_stops_it_and_going_past_is_told_to_it(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.load_all()
            assert (pull.state, pull.rows) == ("stopped", 3)
            assert isinstance(pull.error, CursorRepeated)
            pull.go_past()
            assert (pull.state, pull.error) == ("ready", None)
            await pull.load_all()
            assert (pull.state, pull.rows) == ("complete", 5)

    chunks = [b'[{"id":%d}]' % n for n in range(5)]
    with Recording(pages("next_cursor", chunks, ["a", "b", "a", "d", None], "has_next_page")) as server:
        run(test)


def test_begun_anew_it_takes_the_place_of_the_rows_before(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.load_all()
            assert pull.rows == 2
            await pull.restart()
            assert pull.state == "failed"
            pull.retry()
            await pull.load_all()
            assert (pull.state, rows(pull)) == ("complete", [b'{"id":"n1"}', b'{"id":"n2"}'])

    new = served(b'[{"id":"n1"}]', b'[{"id":"n2"}]')
    failed = Reply(400, b'{"message":"m","code":"X"}')
    with Recording([*served(b'[{"id":1}]', b'[{"id":2}]'), failed, *new]) as server:
        run(test)


def test_stop_keeps_what_came_and_continue_goes_on(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            for _ in range(2):
                before = pull.rows
                async with asyncio.TaskGroup() as group:
                    task = group.create_task(pull.load_all())
                    await until(pull, lambda before=before: pull.rows > before)  # type: ignore[misc]
                    task.cancel()
                assert (pull.state, pull.error) == ("ready", None)
                assert rows(pull) == [row for n in range(pull.pages) for row in chunk(n)]
            assert await pull.more() > 0
            assert session.exchanges.all()[-1].page == pull.pages

    with Recording() as server:
        server.answering = endless
        run(test)


def test_stop_while_it_is_being_started(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            for turns in (1, 2, 5, 20):
                async with asyncio.TaskGroup() as group:
                    task = group.create_task(pull.load_all())
                    for _ in range(turns):
                        await asyncio.sleep(0)
                    task.cancel()
                assert pull.state == "ready"

    with Recording() as server:
        server.answering = endless
        run(test)


def test_a_restart_while_it_loads_ends_it(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            async with asyncio.TaskGroup() as group:
                group.create_task(pull.load_all())
                await until(pull, lambda: pull.rows > 0)
                first = pull.stored_id
                await pull.restart()
            assert (pull.state, pull.pages) == ("ready", 1)
            assert pull.stored_id != first
            assert rows(pull) == chunk(0)
            assert [info.id for info in session._store.pulls()] == [pull.stored_id]

    with Recording() as server:
        server.answering = endless
        run(test)


def test_several_at_once(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pulls = [session.pull(JOBS, {"page_size": n}) for n in (1, 2)]
            await asyncio.gather(*(pull.load_all() for pull in pulls))
            for pull in pulls:
                assert (pull.state, pull.pages) == ("complete", 40)
                assert rows(pull) == [row for n in range(40) for row in chunk(n)]

    with Recording() as server:
        server.answering = lambda got: endless(got, last=40)
        run(test)


@posix
@pytest.mark.usefixtures("real_processes")
def test_the_key_goes_through_the_pipe_and_nowhere_else(folders: Folders) -> None:
    async def test() -> None:
        os.environ["UNIFIED_EXPLORER_APIKEY"] = CANARY
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            async with asyncio.TaskGroup() as group:
                task = group.create_task(pull.load_all())
                await until(pull, lambda: pull.rows > 0)
                found = Path(f"/proc/{loading_of(pull).pid}")
                said = (found / "cmdline").read_bytes()
                assert said.endswith(b"--worker\0load\0")
                assert CANARY.encode() not in said + (found / "environ").read_bytes()
                assert b"PySide6" not in (found / "maps").read_bytes()
                task.cancel()
            assert found.name not in os.listdir("/proc")  # noqa: PTH208

    with Recording() as server:
        server.answering = endless
        try:
            run(test)
        finally:
            del os.environ["UNIFIED_EXPLORER_APIKEY"]


@posix
def test_it_ends_with_the_one_that_started_it(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            async with asyncio.TaskGroup() as group:
                group.create_task(pull.load_all())
                await until(pull, lambda: pull.rows > 0)
                loading = loading_of(pull)
                process = loading._process._process
                assert process is not None
                assert process.stdin is not None
                process.stdin.close()
                await loading.ended()
            assert process.returncode == 0
            assert pull.state == "ready"

    with Recording() as server:
        server.answering = endless
        run(test)


@posix
def test_killed_anywhere_nothing_is_lost_or_doubled_and_continue_ends_complete(folders: Folders) -> None:
    chance, last = random.Random(11), [10**9]

    async def test() -> None:
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            for _ in range(KILLS):
                more = pull.rows + chance.randrange(1, 40)
                async with asyncio.TaskGroup() as group:
                    group.create_task(pull.load_all())
                    await until(pull, lambda more=more: pull.rows >= more)  # type: ignore[misc]
                    for _ in range(chance.randrange(30)):
                        await asyncio.sleep(0)
                    os.kill(loading_of(pull).pid, signal.SIGKILL)
                assert pull.state == "failed"
                assert isinstance(pull.error, LoadingEnded)
                assert "Continue" in pull.error.advice
                assert rows(pull) == [row for n in range(pull.pages) for row in chunk(n)]
                pull.retry()
            last[0] = pull.pages + 20
            await pull.load_all()
            assert (pull.state, pull.error, pull.pages) == ("complete", None, last[0])
            assert rows(pull) == [row for n in range(last[0]) for row in chunk(n)]
        with sqlite3.connect(folders.data / "00ff.sqlite3") as file:
            numbers = [n for (n,) in file.execute("SELECT number FROM page ORDER BY id")]
        file.close()
        assert numbers == list(range(1, last[0] + 1))

    with Recording() as server:
        server.answering = lambda got: endless(got, last=last[0])
        asyncio.run(asyncio.wait_for(test(), 60 + 3 * KILLS))


def test_a_reload_is_loaded_beside_what_is_in_front(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            front = session.pull(JOBS, {})
            await front.load_all()
            new = session.pull(JOBS, {}, which="newest")
            await new.restart()
            assert (new.pages, session.kept()) == (1, {"ats/job": 2})
            await new.load_all()
            assert (new.state, new.settled, rows(new)) == ("complete", True, [b'{"id":"n1"}', b'{"id":"n2"}'])
            assert rows(front) == [b'{"id":1}', b'{"id":2}']
            front.reload()
            assert rows(front) == rows(new)

    with Recording(
        [*served(b'[{"id":1}]', b'[{"id":2}]'), *served(b'[{"id":"n1"}]', b'[{"id":"n2"}]')]
    ) as server:
        run(test)


def test_a_pull_that_went_away_before_it_is_loaded_is_told_of(folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session, opened(server, folders) as other:
            pull = session.pull(JOBS, {})
            await pull.more()
            await other.pull(JOBS, {}).restart()
            await pull.load_all()
            assert pull.state == "failed"
            assert isinstance(pull.error, PullMoved)
            pull.retry()
            await pull.load_all()
            assert (pull.state, pull.rows) == ("complete", 2)

    one, two = served(b'[{"id":1}]', b'[{"id":2}]')
    with Recording([one, one, two]) as server:
        run(test)
