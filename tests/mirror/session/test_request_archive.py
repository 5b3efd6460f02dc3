"""The request log on a real file: there again after a restart, beside others, within its budget, and after kill -9."""

from __future__ import annotations

import asyncio
import dataclasses
import random
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from explorer.api.errors import ExplorerError
from explorer.api.exchanges import Exchange, Exchanges
from explorer.api.redact import MASK
from explorer.catalog.request import Request
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.session import Session
from explorer.session import request_archive as module
from explorer.session.request_archive import RequestArchive
from explorer.work import StoreThreads
from tests.forked import FORKS
from tests.recording import Recording, reply

NOW = datetime(2026, 11, 20, 9, 12, tzinfo=UTC)
ROOT = Path(__file__).resolve().parents[3]
KEY = "canary-5b1e77-7a"


def call(**fields: Any) -> Exchange:
    base: dict[str, Any] = {
        "started_at": NOW, "method": "GET", "url": "https://h/v0/job?a=1", "path": "/v0/job?a=1",
        "request_headers": (("accept", "*/*"), ("x-apikey", MASK)), "state": "answered", "status": 200,
        "reason": "OK", "response_headers": (("content-type", "application/json"),), "elapsed_ms": 12.5,
        "response_body": b'{"items":[]}', "size": 12, "operation": "ats/job", "page": 1, "summary": "0 items",
        "connection": "conn_1", "verdict": "ok",
    }  # fmt: skip
    return Exchange(**(base | fields))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "00ff.requests.sqlite3"


@asynccontextmanager
async def opened(path: Path, **more: Any) -> AsyncIterator[tuple[Exchanges, RequestArchive]]:
    """A log with its archive; at the end it is closed as a session closes it."""
    threads = StoreThreads()
    archive = await threads.write(RequestArchive, path, threads, more.pop("notices", []))
    try:
        yield Exchanges(archive=archive, **more), archive
    finally:
        await threads.close(archive.close)


async def numbers(archive: RequestArchive, *words: str) -> list[int]:
    return list((await archive.find(words)).numbers)


def test_calls_are_there_again_as_they_were_and_numbers_go_on(path: Path) -> None:
    async def scene() -> None:
        made = (
            call(),
            call(request_body=b'{"a":\xff}', request_truncated=True, page=None, elapsed_ms=None),
            call(state="failed", status=None, summary="it said \ud800 and \u202e", response_body=b"\0\xff"),
        )
        async with opened(path) as (log, _):
            kept = [log.add(one) for one in made]
        async with opened(path) as (log, archive):
            assert await numbers(archive) == [1, 2, 3]
            assert [log.get(n) for n in (1, 2, 3)] == kept
            assert [dataclasses.replace(one, id=0) for one in archive.heads([1, 2])] == [
                dataclasses.replace(made[0], response_body=b""),
                dataclasses.replace(made[1], response_body=b"", request_body=None),
            ]
            assert (log.get(4), list(log.all())) == (None, [])
            assert log.add(call()).id == 4

    asyncio.run(scene())


def test_what_memory_let_go_is_read_from_the_disk(path: Path) -> None:
    async def scene() -> None:
        async with opened(path, budget=10_000, most=20) as (log, _):
            for number in range(60):
                log.add(call(response_body=b"%d" % number * 2000))
            assert len(log) <= 20
            assert [len(log.get(n).response_body) for n in (1, 30, 50, 60)] == [2000, 4000, 4000, 4000]  # type: ignore[union-attr]

    asyncio.run(scene())


def test_several_logs_give_each_number_once_and_none_overwrites_another(path: Path) -> None:
    async def scene() -> None:
        async with opened(path) as (one, _), opened(path) as (other, _):
            for step in range(50):
                one.add(call(summary="one", started_at=NOW + timedelta(seconds=2 * step)))
                other.add(call(summary="other", started_at=NOW + timedelta(seconds=2 * step + 1)))
            assert not {e.id for e in one.all()} & {e.id for e in other.all()}
        async with opened(path) as (_, archive):
            found = await numbers(archive)
            assert len(found) == 100
            assert [e.summary for n in found if (e := archive.read(n))] == ["one", "other"] * 50, "by time"
            assert await numbers(archive, "other") == found[1::2]

    asyncio.run(scene())


def test_a_block_of_numbers_that_is_used_up_is_followed_by_the_next(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", 8)

    async def scene() -> None:
        async with opened(path) as (one, first), opened(path) as (other, second):
            for _ in range(10):
                for log in (one, other):
                    log.add(call(method="POST"))
                    log.add(call(method="POST"))
                # Both wait until what they logged is written, as a call takes longer than that.
                await first.usage()
                await asyncio.wait_for(_written(first), 10)
                await asyncio.wait_for(_written(second), 10)
            given = [e.id for log in (one, other) for e in log.all()]
            assert len(set(given)) == 40
        async with opened(path) as (_, archive):
            assert sorted(given) == sorted(await numbers(archive))

    asyncio.run(scene())


async def _written(archive: RequestArchive) -> None:
    """What waits is written now, not when the archive's own timer says."""
    while archive._pending or archive._under_way:
        await archive._threads.write(archive._write)


def test_the_oldest_go_beyond_the_budget_and_the_budget_lasts(path: Path) -> None:
    async def scene() -> None:
        noise = [random.Random(n).randbytes(50_000) for n in range(60)]
        async with opened(path) as (log, archive):
            await archive.grant(1_000_000)
            for number, body in enumerate(noise):
                log.add(call(response_body=body, started_at=NOW + timedelta(minutes=number)))
                await _written(archive)
        async with opened(path) as (log, archive):
            usage = await archive.usage()
            left = await numbers(archive)
            assert 500_000 < usage.bytes <= usage.budget == 1_000_000
            assert left == list(range(61 - usage.calls, 61)), "the newest"
            assert usage.since == NOW + timedelta(minutes=60 - usage.calls)
            assert log.get(left[0] - 1) is None

    asyncio.run(scene())
    assert path.stat().st_size < 3_000_000


def test_without_any_room_nothing_is_on_the_disk(path: Path) -> None:
    async def scene() -> None:
        async with opened(path) as (log, archive):
            log.add(call(response_body=b"before"))
            assert (await archive.usage()).calls == 1
            await archive.grant(0)
            log.add(call(method="POST", request_body=b"after"))
            usage = await archive.usage()
            assert (usage.calls, usage.bytes, archive.fault) == (0, 0, "")
            assert (log.get(1), len(log)) == (log.all()[0], 2), "in memory they are there"
        async with opened(path) as (_, archive):
            assert (await archive.usage()).budget == 0
            assert await numbers(archive) == []

    asyncio.run(scene())
    with sqlite3.connect(path) as database:
        assert [*database.execute("PRAGMA freelist_count")] == [(0,)]
    database.close()


def test_a_damaged_or_newer_file_is_set_aside_and_said(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 1000)

    async def scene() -> None:
        notices: list[str] = []
        async with opened(path, notices=notices) as (log, _):
            log.add(call())
        with sqlite3.connect(path) as database:
            database.execute("PRAGMA user_version = 99")
        database.close()
        async with opened(path, notices=notices) as (_, archive):
            assert await numbers(archive) == []
        assert ["is damaged" in notices[0], "newer version" in notices[1]] == [True, True]
        assert all("request log" in one for one in notices)
        aside = sorted(file.name.split("-")[0] for file in path.parent.glob("00ff.requests.*-*.sqlite3"))
        assert aside == ["00ff.requests.damaged", "00ff.requests.newer"]

    asyncio.run(scene())


def test_a_damaged_entry_says_so_and_the_others_stay(path: Path) -> None:
    async def scene() -> None:
        async with opened(path) as (log, _):
            for _ in range(3):
                log.add(call())
        with sqlite3.connect(path) as database:
            database.execute("UPDATE call SET head = x'28b52ffd00' WHERE number = 2")
        database.close()
        async with opened(path) as (_, archive):
            assert [e.summary for e in archive.heads([1, 2, 3])] == [
                "0 items",
                "This entry of the request log is damaged and cannot be read.",
                "0 items",
            ]

    asyncio.run(scene())


def test_what_cannot_be_written_is_said_and_written_later(path: Path) -> None:
    async def scene() -> None:
        async with opened(path) as (log, archive):
            with sqlite3.connect(path) as database:
                database.execute("ALTER TABLE call RENAME TO away")
            database.close()
            log.add(call(method="POST"))
            await archive._threads.write(lambda: None)
            assert "no such table" in archive.fault
            assert log.get(1) is not None
            with sqlite3.connect(path) as database:
                database.execute("ALTER TABLE away RENAME TO call")
            database.close()
            log.add(call(method="POST"))
            await archive._threads.write(lambda: None)
            assert archive.fault == ""
            assert await numbers(archive) == [1, 2]

    asyncio.run(scene())


KILLED = """
import asyncio, os, sys
from pathlib import Path
from explorer.api.exchanges import Exchanges
from explorer.session.request_archive import RequestArchive
from explorer.work import StoreThreads
from tests.mirror.session.test_request_archive import _written, call

async def main():
    threads = StoreThreads()
    archive = await threads.write(RequestArchive, Path(sys.argv[1]), threads, [])
    log = Exchanges(archive=archive)
    for number in range(10_000):
        log.add(call(method="POST", state="waiting", status=None, summary="", verdict="none"))
        await _written(archive)
        print(number, flush=True)

asyncio.run(main())
"""


def test_what_was_written_survives_kill_9_and_a_write_under_way_is_said_to_be_open(path: Path) -> None:
    path.parent.mkdir(parents=True)
    run = FORKS.quick([sys.executable, "-c", KILLED, str(path)])
    with subprocess.Popen(run, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 20:
                process.kill()
                break
        process.stdout.read()  # to its end, which is that of the process
    said = int(line)

    async def scene() -> None:
        notices: list[str] = []
        async with opened(path, notices=notices) as (log, archive):
            assert notices == []
            found = await numbers(archive)
            assert found[: said + 1] == list(range(1, said + 2))
            last = archive.read(found[-1])
            assert last is not None
            assert (last.state, last.summary) == (
                "stopped",
                "no answer: the program ended, or another window waits: it may or may not have happened",
            )
            assert log.add(call()).id > found[-1]

    asyncio.run(scene())


def test_a_session_keeps_its_log_over_connections_and_starts_and_no_secret_in_it(tmp_path: Path) -> None:
    folders = Folders.of_user(tmp_path / "home")
    file = folders.data / "00ff.requests.sqlite3"

    async def session(url: str, connection: str, **more: Any) -> list[int]:
        profile = Profile(id="00ff", name="Test", base_url=url, connection=connection, http_allowed=url)
        made = await Session.open(profile, Credential(Auth.APIKEY, KEY), folders, **more)
        with pytest.raises(ExplorerError):
            await made.send(Request("GET", "/v0/none", query=(("apikey", KEY),)))
        given = [e.id for e in made.exchanges.all()]
        await made.close()
        return given

    async def scene(url: str) -> None:
        given = await session(url, "conn_1")
        given += await session(url, KEY)
        assert await session(url, "conn_1", exchanges=Exchanges()) == [1], "a log of somebody else"
        async with opened(file) as (_, archive):
            assert await numbers(archive) == given == [1, 2]
            assert [e.connection for e in archive.heads(given)] == ["conn_1", MASK]
            texts = [repr(archive.read(number)) for number in given]
        assert not any(KEY in text for text in texts)
        with sqlite3.connect(file) as database:
            rows = [*database.execute("SELECT * FROM call"), *database.execute("SELECT * FROM body")]
        database.close()
        assert rows
        assert not any(KEY.encode() in value for row in rows for value in row if isinstance(value, bytes))
        assert sys.platform == "win32" or not file.stat().st_mode & 0o077

    with Recording(answering=lambda _: reply({"echo": KEY}, 404)) as service:
        asyncio.run(scene(service.url))


def test_a_file_that_cannot_be_used_leaves_a_log_in_memory_and_a_sentence(tmp_path: Path) -> None:
    folders = Folders.of_user(tmp_path / "home")
    (folders.data / "00ff.requests.sqlite3").mkdir(parents=True)

    async def scene() -> None:
        profile = Profile(id="00ff", name="Test", base_url="http://127.0.0.1:9", connection="conn_1")
        made = await Session.open(profile, None, folders)
        assert made.exchanges.archive is None
        assert any("request log will not be saved" in one for one in made.notices)
        assert made.exchanges.add(call()).id == 1
        await made.close()

    asyncio.run(scene())
