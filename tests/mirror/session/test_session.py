"""A session and its pulls against a real HTTP server: what is asked, kept, shown, stopped, resumed and dropped."""

from __future__ import annotations

import asyncio
import dataclasses
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from explorer.api.errors import CursorRepeated, ServiceFailed, WalkStopped
from explorer.catalog.request import build
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile, ProfileFault
from explorer.session import Filter, Pull, PullMoved, Query, Session, StoreFault
from explorer.session import session as session_module
from explorer.session.fetch_pipeline import AHEAD
from explorer.session.request_archive import RequestArchive
from explorer.session.stored import clear, folder_of
from explorer.store.store import Store
from tests.builtin import registry
from tests.other_interface import OTHER, known
from tests.recording import Got, Recording, Reply, pages

JOBS = registry.listing("ats/job")
MAILBOXES = registry.listing("sales-engagement/mailbox")
CANARY = "canary-3c9a51"


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 60))


@pytest.fixture
def server() -> Any:
    with Recording() as recording:
        yield recording


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    return Folders.of_user(tmp_path / "home")


@asynccontextmanager
async def opened(server: Recording, folders: Folders, **fields: Any) -> AsyncIterator[Session]:
    profile = Profile(
        id="00ff",
        name="Test",
        base_url=server.url,
        **{"connection": "conn_1", "deadline_seconds": 300, **fields},
    )
    session = await Session.open(profile, Credential(Auth.APIKEY, CANARY), folders)
    try:
        yield session
    finally:
        await session.close()


def rows(pull: Pull) -> list[bytes]:
    return pull.window(0, pull.rows)


def served(*chunks: bytes, last: Any = None) -> list[Reply]:
    """Pages whose cursors are c1, c2, …; the last leads to ``last``."""
    cursors: list[Any] = [f"c{n}" for n in range(1, len(chunks))]
    return pages("next_cursor", chunks, [*cursors, last], "has_next_page")


def cursors_asked(server: Recording) -> list[str | None]:
    return [parse_qs(urlsplit(got.target).query).get("cursor", [None])[0] for got in server.got]


async def arrived(server: Recording) -> None:
    assert await asyncio.to_thread(server.arrived.acquire, timeout=20)


class Seen:
    """Every state and number of rows that a view was told of."""

    def __init__(self, pull: Pull) -> None:
        self.pull = pull
        self.told: list[tuple[str, int]] = []
        self.end = pull.subscribe(self)

    def __call__(self) -> None:
        self.told.append((self.pull.state, len(rows(self.pull))))


# ---------------------------------------------------------------- paging


def test_pages_come_one_at_a_time_and_are_kept_before_they_are_seen(
    server: Recording, folders: Folders
) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1.10},{"id": "\xc3\xa9"}]', b'[{"id":9007199254740993}]'))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {"page_size": 2})
            seen = Seen(pull)
            assert (pull.state, pull.rows, server.got) == ("ready", 0, [])
            assert await pull.more() == 2
            assert rows(pull) == [b'{"id":1.10}', b'{"id": "\xc3\xa9"}']
            assert await pull.more() == 1
            assert await pull.more() == 0
            assert seen.told == [("loading", 0), ("ready", 2), ("loading", 2), ("complete", 3)]
            assert cursors_asked(server) == [None, "c1"]
            assert [p.number for p in pull.page_list()] == [1, 2]
            assert (pull.page_at(2).number, pull.page_at(0).cursor, pull.next_cursor) == (2, None, None)
            with pytest.raises(IndexError):
                pull.page_at(3)
            assert session.kept() == {"ats/job": 3}
            seen.end()
            await pull.restart()
            assert len(seen.told) == 4

    run(test)


def test_empty_pages_are_passed_over_and_kept(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(*served(b"[]", b"[]", b'[{"id":1}]', b"[]", b"[]"))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            assert await pull.more() == 1
            assert len(server.got) == 3
            assert await pull.more() == 0
            assert (pull.state, pull.pages, pull.rows) == ("complete", 5, 1)

    run(test)


def test_asking_while_a_page_is_on_its_way_asks_for_no_second(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1}]', b'[{"id":2}]'))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            assert sorted(await asyncio.gather(*(pull.more() for _ in range(10)))) == [0] * 9 + [1]
            assert len(server.got) == 1
            await asyncio.gather(pull.more(), pull.load_all(), pull.load_all())
            assert (pull.state, rows(pull), len(server.got)) == ("complete", [b'{"id":1}', b'{"id":2}'], 2)

    run(test)


def test_a_failure_is_sticky_until_retry_and_then_the_same_page_is_asked(
    server: Recording, folders: Folders
) -> None:
    async def test() -> None:
        one, two = served(b'[{"id":1}]', b'[{"id":2}]')
        failure = Reply(500, b'{"message":"broken","code":"INTERNAL","data":{"code":"INTERNAL"}}')
        server.answer(one, failure, two)
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.more()
            assert await pull.more() == 0
            assert (pull.state, pull.rows) == ("failed", 1)
            assert isinstance(pull.error, ServiceFailed)
            for _ in range(10):
                assert await pull.more() == 0
            await pull.load_all()
            assert len(server.got) == 2
            pull.retry()
            assert [pull.state, pull.error] == ["ready", None]
            assert await pull.more() == 1
            assert cursors_asked(server) == [None, "c1", "c1"]
            assert (rows(pull), pull.state) == ([b'{"id":1}', b'{"id":2}'], "complete")

    run(test)


def test_load_all_tells_each_page_and_ends(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(*served(*(b'[{"id":%d}]' % n for n in range(30))))
        async with opened(server, folders) as session:
            pull, told = session.pull(JOBS, {}), []
            await pull.load_all(lambda: told.append(pull.rows))
            # A write takes all pages that have arrived by then, on a busy machine more than one.
            steps = [after - before for before, after in pairwise([0, *told])]
            assert told[-1:] == [30]
            assert all(1 <= step <= AHEAD for step in steps), steps
            assert (pull.state, len(server.got)) == ("complete", 30)

    run(test)


# ---------------------------------------------------------------- loops


def test_a_loop_stops_and_going_past_it_is_the_users_choice(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        chunks = [b'[{"id":%d}]' % n for n in range(5)]
        server.answer(*pages("next_cursor", chunks, ["a", "b", "a", "d", None], "has_next_page"))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.load_all()
            assert (pull.state, pull.rows, len(server.got)) == ("stopped", 3, 3)
            assert isinstance(pull.error, CursorRepeated)
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            assert (pull.state, pull.rows) == ("stopped", 3)
            assert isinstance(pull.error, WalkStopped)
            assert "Page 3" in pull.error.sentence
            assert await pull.more() == 0
            pull.go_past()
            assert [pull.state, pull.error] == ["ready", None]
            await pull.load_all()
            assert (pull.state, pull.rows, cursors_asked(server)) == (
                "complete",
                5,
                [None, "a", "b", "a", "d"],
            )
            pull.go_past()
            assert pull.state == "complete"

    run(test)


def test_a_resumed_walk_knows_the_cursors_and_pages_from_before(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        chunks = [b'[{"id":1}]', b'[{"id":2}]', b'[{"id":3}]']
        server.answer(*pages("next_cursor", chunks, ["a", "b", "a"], "has_next_page"))
        for expected in ("ready", "ready", "stopped"):
            async with opened(server, folders) as session:
                pull = session.pull(JOBS, {})
                await pull.more()
                assert pull.state == expected
        server.answer(*pages("next_cursor", [b'[{"id":7}]', b'[{"id":7}]'], ["x", "y"], "has_next_page"))
        async with opened(server, folders) as session:
            await session.pull(JOBS, {"sync_mode": "full"}).more()
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {"sync_mode": "full"})
            await pull.more()
            assert pull.state == "stopped"
            assert pull.error is not None
            assert "the same" in pull.error.sentence

    run(test)


# ---------------------------------------------------------------- stop, resume, restart


@pytest.mark.parametrize("last", ["store", "request log"])
def test_what_was_being_opened_when_it_was_cancelled_is_closed(
    folders: Folders, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """The profile is switched, or the window closed, while the disk is slow."""
    begun, go_on = threading.Event(), threading.Event()
    of_profile, request_log = Store.of_profile, RequestArchive
    made: list[Any] = []

    def slow(open_it: Callable[..., Any], waits: bool) -> Callable[..., Any]:
        def opening(*args: Any) -> Any:
            if waits:
                begun.set()
                assert go_on.wait(30)
            made.append(open_it(*args))
            return made[-1]

        return opening

    monkeypatch.setattr(Store, "of_profile", slow(of_profile, last == "store"))
    monkeypatch.setattr(session_module, "RequestArchive", slow(request_log, last == "request log"))

    async def test() -> None:
        profile = Profile(id="00ff", name="Test", base_url="http://127.0.0.1:9", connection="conn_1")
        task = asyncio.create_task(Session.open(profile, Credential(Auth.APIKEY, CANARY), folders))
        assert await asyncio.to_thread(begun.wait, 30)
        task.cancel()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(StoreFault):
            made[0].pulls()
        assert [one for one in made[1:] if one.read(1) is not None] == []

    run(test)


def test_stop_acts_at_once_and_leaves_the_pull_ready(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        one, two = served(b'[{"id":1}]', b'[{"id":2}]')
        server.answer(one, Reply(silent=True), two)
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            task = asyncio.create_task(pull.load_all())
            await arrived(server)
            await arrived(server)
            assert pull.state == "loading"
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (pull.state, pull.rows, pull.error) == ("ready", 1, None)
            assert session.exchanges.all()[-1].state == "stopped"
            assert await pull.more() == 1
            assert cursors_asked(server) == [None, "c1", "c1"]

    run(test)


@pytest.mark.parametrize("after", range(0, 60, 3))
def test_stopping_anywhere_loses_nothing_and_doubles_nothing(
    server: Recording, folders: Folders, after: int
) -> None:
    async def test() -> None:
        chunks = [b'[{"id":%d}]' % n for n in range(6)]
        by_cursor = dict(zip([None, "c1", "c2", "c3", "c4", "c5"], served(*chunks), strict=True))
        server.answering = lambda got: by_cursor[
            parse_qs(urlsplit(got.target).query).get("cursor", [None])[0]
        ]
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            for steps in (after, after // 2, 7):
                task = asyncio.create_task(pull.load_all())
                for _ in range(steps):  # that many turns of the loop
                    await asyncio.sleep(0)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                assert pull.state in ("ready", "complete")
                assert rows(pull) == [chunk[1:-1] for chunk in chunks[: pull.rows]]
            await pull.load_all()
            assert (pull.state, pull.error, rows(pull)) == ("complete", None, [c[1:-1] for c in chunks])

    run(test)


def test_a_pull_goes_on_in_the_next_session_from_the_cursor_it_had_reached(
    server: Recording, folders: Folders
) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1}]', b'[{"id":2}]', b'[{"id":3}]'))
        async with opened(server, folders) as session:
            await session.pull(JOBS, {"page_size": 1}).more()
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {"page_size": 1.0})
            assert (pull.state, pull.pages, rows(pull), len(server.got)) == ("ready", 1, [b'{"id":1}'], 1)
            await pull.load_all()
            assert (rows(pull), cursors_asked(server)) == (
                [b'{"id":%d}' % n for n in (1, 2, 3)],
                [None, "c1", "c2"],
            )
            assert session.pull(JOBS, {}).rows == 0
            assert session.pull(MAILBOXES, {}).rows == 0
        async with opened(server, folders, connection="conn_2") as session:
            assert session.pull(JOBS, {"page_size": 1}).rows == 0
            assert session.kept() == {}

    run(test)


def test_restart_keeps_the_old_rows_until_the_first_new_page(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1},{"id":2}]', b'[{"id":3}]'))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.load_all()
            server.answer(Reply(500, b'{"message":"m","code":"X"}'), *served(b'[{"id":"new"}]'))
            seen = Seen(pull)
            await pull.restart()
            assert (pull.state, pull.rows) == ("failed", 3)
            pull.retry()
            await pull.more()
            assert (pull.state, rows(pull)) == ("complete", [b'{"id":"new"}'])
            assert {count for _, count in seen.told} == {3, 1}
            assert cursors_asked(server)[-2:] == [None, None]

    run(test)


def test_restart_that_is_stopped_leaves_the_old_pull_as_it_was(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        one, two = served(b'[{"id":1}]', b'[{"id":2}]')
        server.answer(one, Reply(silent=True), two)
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.more()
            await arrived(server)
            task = asyncio.create_task(pull.restart())
            await arrived(server)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            assert (pull.state, rows(pull)) == ("ready", [b'{"id":1}'])
            await pull.more()
            assert cursors_asked(server) == [None, None, "c1"]
            assert (pull.state, pull.rows) == ("complete", 2)

    run(test)


def test_a_late_answer_of_the_walk_before_a_restart_is_dropped(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        one, _ = served(b'[{"id":1}]', b'[{"id":2}]')
        server.answer(one, Reply(silent=True), *served(b'[{"id":"new"}]'))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.more()
            await arrived(server)
            late = asyncio.create_task(pull.load_all())
            await arrived(server)
            await pull.restart()
            await late
            assert (pull.state, rows(pull)) == ("complete", [b'{"id":"new"}'])
            assert [info.rows for info in session._store.pulls()] == [1]

    run(test)


@pytest.mark.parametrize("after", range(0, 50, 4))
def test_restarting_anywhere_in_a_walk_gives_one_whole_walk(
    server: Recording, folders: Folders, after: int
) -> None:
    async def test() -> None:
        chunks = [b'[{"id":%d}]' % n for n in range(4)]
        by_cursor = dict(zip([None, "c1", "c2", "c3"], served(*chunks), strict=True))
        server.answering = lambda got: by_cursor[
            parse_qs(urlsplit(got.target).query).get("cursor", [None])[0]
        ]
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            walking = asyncio.create_task(pull.load_all())
            for _ in range(after):
                await asyncio.sleep(0)
            again = asyncio.create_task(pull.restart())
            for _ in range(after // 3):
                await asyncio.sleep(0)
            again.cancel()
            await asyncio.gather(walking, again, return_exceptions=True)
            await pull.restart()
            await pull.load_all()
            assert (pull.state, pull.error) == ("complete", None)
            assert rows(pull) == [chunk[1:-1] for chunk in chunks]

    run(test)


# ---------------------------------------------------------------- two at once


def test_of_two_pulls_on_one_key_the_second_is_told_and_can_reload(
    server: Recording, folders: Folders
) -> None:
    async def test() -> None:
        by_cursor = dict(
            zip([None, "c1", "c2"], served(b'[{"id":1}]', b'[{"id":2}]', b'[{"id":3}]'), strict=True)
        )
        server.answering = lambda got: by_cursor[
            parse_qs(urlsplit(got.target).query).get("cursor", [None])[0]
        ]
        async with opened(server, folders) as session, opened(server, folders) as other:
            left, right = session.pull(JOBS, {}), other.pull(JOBS, {})
            await left.more()
            assert await right.more() == 0
            assert right.state == "failed"
            assert isinstance(right.error, PullMoved)
            assert "another window" in right.error.sentence
            right.retry()
            assert (right.state, rows(right)) == ("ready", [b'{"id":1}'])
            await right.more()
            await left.more()
            assert isinstance(left.error, PullMoved)
            left.reload()
            await left.load_all()
            assert (left.state, rows(left)) == ("complete", [b'{"id":%d}' % n for n in (1, 2, 3)])
            assert [info.rows for info in session._store.pulls()] == [3]

    run(test)


def test_a_pull_that_another_window_restarted_or_cleared_says_so(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        big = b"[" + b",".join(b'{"id":"%d-%s"}' % (n, b"x" * 1000) for n in range(100)) + b"]"
        server.answer(*served(big))
        async with opened(server, folders) as session, opened(server, folders) as other:
            left, right = session.pull(JOBS, {}), other.pull(JOBS, {})
            await left.load_all()
            right.reload()
            seen = asyncio.Event()
            right.subscribe(lambda: seen.set() if right.state == "failed" else None)
            await asyncio.to_thread(clear, folder_of(session), session.profile.id)
            with pytest.raises(PullMoved):
                right.window(0, 2)
            assert right.state == "complete"  # not in the middle of a paint
            await seen.wait()
            assert isinstance(right.error, PullMoved)
            right.retry()
            assert (right.state, right.rows) == ("ready", 0)

    run(test)


# ---------------------------------------------------------------- trouble with the store


def test_a_page_that_cannot_be_kept_is_not_shown_and_not_asked_again(
    server: Recording, folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1}]', b'[{"id":2}]'))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.more()
            # Real trouble: another program holds the file, and the wait for it is cut short.
            blocker = sqlite3.connect(session._store.path, isolation_level=None)
            session._store._writer.execute("PRAGMA busy_timeout = 20")
            blocker.execute("BEGIN IMMEDIATE")
            assert await pull.more() == 0
            assert (pull.state, pull.rows) == ("failed", 1)
            assert isinstance(pull.error, StoreFault)
            blocker.execute("ROLLBACK")
            blocker.close()
            pull.retry()
            assert await pull.more() == 1
            assert (pull.state, rows(pull), len(server.got)) == ("complete", [b'{"id":1}', b'{"id":2}'], 2)

    run(test)


def test_the_own_secret_in_an_answer_is_kept_as_it_came_and_counted(
    server: Recording, folders: Folders
) -> None:
    async def test() -> None:
        import base64

        packed = base64.b64encode(b"x" + CANARY.encode())
        chunk = b'[{"id":1,"n":1.0},{"you":"%s","sent":"%s"}]' % (CANARY.encode(), packed)
        server.answer(*pages("next_cursor", [chunk, b'[{"id":2}]'], [f"c-{CANARY}", None], "has_next_page"))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.load_all()
            assert rows(pull)[0] == b'{"id":1,"n":1.0}'
            assert rows(pull)[1] == chunk[len(b'[{"id":1,"n":1.0},') : -1]
            assert cursors_asked(server) == [None, f"c-{CANARY}"]
            assert chunk in session._store.body(session._store.pulls()[0].id, 1)
            assert (pull.rows, pull.with_key) == (3, 1)
            assert [page.cursor for page in pull.page_list()] == [None, f"c-{CANARY}"]
            assert all(CANARY not in repr(call) for call in session.exchanges.all())

    run(test)


def test_a_store_set_aside_is_among_the_notices(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        folders.data.mkdir(parents=True)
        (folders.data / "00ff.sqlite3").write_bytes(b"rubbish" * 1000)
        async with opened(server, folders) as session:
            assert "kept unchanged" in session.notices[0]

    run(test)


def test_closing_in_the_middle_ends_cleanly_and_twice(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(Reply(silent=True))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            task = asyncio.create_task(pull.more())
            await arrived(server)
            await session.close()
            assert await task == 0
            await session.close()
            assert not list(folders.data.glob("*-wal"))

    run(test)


def test_pages_of_several_megabytes_come_back_whole(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        records = [b'{"id":%d,"text":"%s"}' % (n, b"lorem ipsum " * 4000) for n in range(100)]
        server.answer(*served(b"[" + b",".join(records) + b"]"))
        async with opened(server, folders) as session:
            pull = session.pull(JOBS, {})
            await pull.more()
            assert rows(pull) == records

    run(test)


def test_the_sandboxs_rows_are_found_on_another_port(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1}]'))
        with Recording() as second:
            for place, expected in ((server, 0), (second, 1)):
                session = await Session.open(
                    Profile.sandbox(place.url), Credential(Auth.APIKEY, CANARY), folders
                )
                pull = session.pull(JOBS, {})
                assert pull.rows == expected
                await pull.load_all()
                await session.close()

    run(test)


def test_send_goes_through_the_profiles_client(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(Reply(body=b'{"items":[]}'))
        async with opened(server, folders) as session:
            answer = await session.send(build(JOBS))
            assert answer.json() == {"items": []}
            assert server.got[0].header("x-connection-id") == session.connection == "conn_1"
            assert len(session.exchanges.all()) == 1

    run(test)


def test_got_is_what_the_tests_read(server: Recording) -> None:
    assert {field.name for field in dataclasses.fields(Got)} >= {"method", "target", "headers"}


# ---------------------------------------------------------------- a reload beside what is complete


def test_a_complete_pull_is_at_hand_until_the_reload_is_complete(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        server.answer(*served(b'[{"id":1}]', b'[{"id":2}]'))
        async with opened(server, folders) as session, opened(server, folders) as other:
            front = session.pull(JOBS, {})
            await front.load_all()
            server.answer(*served(b'[{"id":"a"}]', b'[{"id":"b"}]', b'[{"id":"c"}]'))
            new = session.pull(JOBS, {}, which="newest")
            await new.restart()
            assert (front.state, rows(front)) == ("complete", [b'{"id":1}', b'{"id":2}'])
            assert session.kept() == other.kept() == {"ats/job": 2}
            at_hand = other.at_hand(JOBS)
            assert at_hand is not None
            assert at_hand.rows == 2
            again = other.pull(JOBS, {}, which="newest")
            assert (again.state, rows(again)) == ("ready", [b'{"id":"a"}'])
            await again.load_all()
            assert session.kept() == {"ats/job": 3}
            front.reload()
            assert rows(front) == [b'{"id":"a"}', b'{"id":"b"}', b'{"id":"c"}']
            previous = front.standing.previous
            assert previous is not None
            before = session.pull(JOBS, {}, which=previous.id)
            assert (before.state, rows(before)) == ("complete", [b'{"id":1}', b'{"id":2}'])
            assert cursors_asked(server)[2:] == [None, "c1", "c2"]

    run(test)


def test_what_changed_since_hides_no_whole_list(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        whole, some = served(b'[{"id":1},{"id":2}]'), served(b'[{"id":2}]')
        server.answer(*whole, *some, *whole)
        async with opened(server, folders) as session:
            front = session.pull(JOBS, {"sync_mode": "full"})
            assert session.counts(front.key), "nothing is stored"
            await front.load_all()
            later = session.pull(JOBS, {"sync_mode": "incremental"})
            assert not session.counts(later.key)
            await later.load_all()
            assert (session.kept(), later.state, later.rows) == ({"ats/job": 2}, "complete", 1)
            assert (session.counts(front.key), session.counts(later.key)) == (True, False)
            assert (session.beside(later.key), session.beside(front.key)) == (front.info, later.info)
            smaller = session.pull(JOBS, {"page_size": 50})
            await smaller.load_all()
            assert session.beside(later.key) == smaller.info, "a page size narrows nothing"

    run(test)


def test_a_reload_is_dropped_or_put_in_front(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        one, two = served(b'[{"id":1}]', b'[{"id":2}]')
        server.answer(one, two, one, one)
        async with opened(server, folders) as session:
            front = session.pull(JOBS, {})
            await front.load_all()
            for settle in (False, True):
                new = session.pull(JOBS, {}, which="newest")
                await new.restart()
                assert not new.settled
                await (new.settle() if settle else new.drop())
                assert session.kept() == {"ats/job": 1 if settle else 2}
            front.reload()
            assert (front.state, rows(front)) == ("ready", [b'{"id":1}'])
            await front.drop()
            with pytest.raises(PullMoved):
                session.pull(JOBS, {}, which=front.stored_id)
            front.reload()
            assert (front.state, front.rows) == ("complete", 2)

    run(test)


# ---------------------------------------------------------------- the interface of the profile


def test_a_session_is_not_opened_for_an_interface_that_is_not_here(folders: Folders) -> None:
    async def test() -> None:
        profile = Profile(name="Shop", base_url="http://127.0.0.1:9", interface="nowhere")
        with pytest.raises(ProfileFault, match=r"^The profile Shop names the interface 'nowhere',"):
            await Session.open(profile, None, folders)

    run(test)
    assert not folders.data.exists(), "no store is made for it"


def test_a_session_speaks_the_interface_of_its_profile(server: Recording, folders: Folders) -> None:
    async def test() -> None:
        async with opened(server, folders) as session:
            assert session.registry is registry
        with known() as there:
            async with opened(server, folders, interface=OTHER.key) as session:
                assert session.registry is there
                pull = session.pull(there.listing("hr/person"), {})
                await pull.load_all()
                assert (pull.rows, pull.pages, pull.state, pull.unfit) == (3, 2, "complete", 1)
                found = await (await pull.view(Query(filters=(Filter("grade", ">", 1),)))).done()
                assert found.rows == 2
                every = session.pull(there.listing("hr/person"), {"scope": "every"})
                await every.load_all()
                assert session.counts(every.key), "with all that there is it stands for the list"
                assert not session.counts(session.pull(there.listing("hr/person"), {"sync_mode": "full"}).key)

    first = b'{"people":[{"id":"1","name":"Ada","grade":3},{"id":2,"grade":1}],"after":"b c"}'
    last = b'{"people":[{"id":"3","grade":2}],"after":null}'
    server.replies = [Reply(body=first), Reply(body=last), Reply(body=last)]
    run(test)
    assert [got.target for got in server.got] == ["/people", "/people?after=b+c", "/people?scope=every"]
    assert {(got.header("x-people"), got.header("x-tenant")) for got in server.got} == {(CANARY, "conn_1")}
    assert all(got.header("x-apikey") is None for got in server.got)
