"""A view shows what it has as it comes, gives way to the next question, and never holds more than it must."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from explorer.api.answer import Answer
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.session import Filter, Pull, Query, QueryFault, QueryResult, Superseded
from explorer.session import query_result as view_module
from explorer.session.pull_storage import PullStorage, shape_of
from explorer.store import sorting
from explorer.store.reader import Reader
from explorer.store.store import Store
from explorer.store.values import PullKey, PullMoved
from explorer.work import READERS, StoreThreads
from tests.builtin import registry
from tests.mirror.store.made import page

KEY = PullKey("conn_1", "https://api.example.com", "ats/job", "{}")
SECONDS = 30


def job(number: int) -> bytes:
    made: dict[str, object] = {
        "id": f"{number}",
        "name": f"Job {number * 7919 % 1000:04d}",
        "confidential": number % 3 == 0,
    }
    if number % 10 == 0:
        made["name"] = None
    return json.dumps(made).encode()


def fill(store: Store, pages: int, *, start: int = 1, size: int = 20) -> None:
    info = store.newest(KEY) or store.start(KEY)
    for n in range(start, start + pages):
        records = [job((n - 1) * size + k) for k in range(size)]
        store.keep(info.id, page(n, records), "ready", "", shape=shape_of(KEY.resource))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "one.sqlite3")
    yield made
    made.close()


@asynccontextmanager
async def opened(store: Store, threads: StoreThreads | None = None) -> AsyncIterator[Pull]:
    async def never(_: Request, __: bool) -> Answer:
        raise AssertionError("a view never asks the service")

    threads = threads or StoreThreads()
    listing = registry.listing("ats/job")
    made = Pull(listing, {}, (), PullStorage(KEY, store, threads, Redactor([])), never)
    try:
        yield made
    finally:
        made.close()
        await threads.close(lambda: None)


def held(monkeypatch: pytest.MonkeyPatch, pages: int) -> threading.Event:
    """Reading stops after that many pages until the event is set."""
    gate, passed, check = threading.Event(), [0], Reader.check

    def gated(self: Reader) -> None:
        passed[0] += 1
        if passed[0] > pages:
            gate.wait(SECONDS)
        check(self)

    monkeypatch.setattr(Reader, "check", gated)
    return gate


def run(store: Store, work: Callable[[Pull], object]) -> None:
    async def main() -> None:
        async with asyncio.timeout(SECONDS), opened(store) as pull:
            await work(pull)  # type: ignore[misc]

    asyncio.run(main())


def test_a_view_gives_rows_and_records_in_its_order(store: Store) -> None:
    fill(store, 50)

    async def work(pull: Pull) -> None:
        view = await pull.view(
            Query(filters=(Filter("confidential", "equals", True),), sort=(("name", True),))
        )
        await view.done()
        jobs = [json.loads(job(n)) for n in range(1000)]
        wanted = sorted(
            (n for n in range(1000) if n % 3 == 0), key=lambda n: jobs[n]["name"] or "", reverse=True
        )
        assert view.rows == len(wanted)
        assert [view.row(n) for n in range(view.rows)] == wanted
        assert [view.place(n) for n in wanted] == list(range(view.rows))
        assert {view.place(n) for n in (-1, 1, 2, 1000)} == {-1}
        assert view.window(5, 9) == [job(n) for n in wanted[5:9]]
        assert [record async for part in view.stream() for record in part] == [job(n) for n in wanted]
        assert (view.total, view.state) == (1000, "complete")
        with pytest.raises(IndexError):
            view.row(-1)

    run(store, work)


def test_a_stream_holds_no_more_than_its_portion(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 50)
    monkeypatch.setattr(view_module, "STREAMED_ROWS", 90)
    for name, size in (("PORTION_BYTES", 6000), ("HELD_BYTES", 9000)):
        monkeypatch.setattr(sorting, name, size)
    monkeypatch.setattr(sorting, "MEMORY_BYTES", 2000)

    async def work(pull: Pull) -> None:
        view = await pull.view(Query(sort=(("id", False),)))
        parts = [part async for part in view.stream()]
        assert max(map(len, parts)) <= 200
        assert [json.loads(r)["id"] for part in parts for r in part] == sorted(f"{n}" for n in range(1000))
        some = await pull.view(Query(filters=(Filter("confidential", "equals", True),), sort=(("id", True),)))
        found = [json.loads(r)["id"] async for part in some.stream() for r in part]
        assert found == sorted((f"{n}" for n in range(0, 1000, 3)), reverse=True)
        await (await pull.view(Query(find="job"))).done()
        found = [json.loads(r)["id"] async for part in some.stream() for r in part]
        assert len(found) == 334, "a stream goes on though another question was asked"

    run(store, work)


def test_a_stream_that_nobody_reads_on_leaves_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 50)
    monkeypatch.setattr(view_module, "STREAMED_ROWS", 90)
    closed: list[object] = []
    end = sorting.Spread.close

    def noting(self: sorting.Spread) -> None:
        closed.append(self)
        end(self)

    monkeypatch.setattr(sorting.Spread, "close", noting)

    async def work(pull: Pull) -> None:
        view = await pull.view(Query(sort=(("id", False),)))
        stream = view.stream()
        assert await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]
        assert closed

    run(store, work)
    assert {file.name for file in tmp_path.iterdir()} <= {
        "one.sqlite3", "one.sqlite3-wal", "one.sqlite3-shm", "one.sqlite3.lock"
    }  # fmt: skip


def test_the_last_question_wins(store: Store) -> None:
    fill(store, 400, size=5)

    async def work(pull: Pull) -> None:
        async with asyncio.TaskGroup() as group:
            asked = [group.create_task(outcome(pull, f"Job {n}")) for n in range(6)]
        *earlier, last = [task.result() for task in asked]
        assert isinstance(last, QueryResult)
        assert [json.loads(r)["name"][:5] for r in last.window(0, 50)] == ["Job 5"] * last.rows
        assert all(isinstance(each, Superseded) or each.state == "superseded" for each in earlier)

    async def outcome(pull: Pull, text: str) -> QueryResult | Superseded:
        try:
            view = await pull.view(Query(find=f'"{text}'))
            return await view.done()
        except Superseded as off:
            return off

    run(store, work)


def test_a_late_query_that_waits_for_a_reader_is_never_begun(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, 3)
    begun: list[object] = []
    reader = store.reader

    def noting(*given: object) -> Reader:
        begun.append(given)
        return reader(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "reader", noting)

    async def main() -> None:
        threads, gate = StoreThreads(), threading.Event()
        async with asyncio.timeout(SECONDS), opened(store, threads) as pull:
            busy = [threads.read(gate.wait, SECONDS) for _ in range(READERS)]
            try:
                late = [asyncio.ensure_future(pull.view(Query(find=text))) for text in ("Job 00", "Job 0")]
                await asyncio.wait(late[:1])
                assert isinstance(late[0].exception(), Superseded)
            finally:
                gate.set()
            last = await (await late[1]).done()
            await asyncio.gather(*busy)
            assert last.rows
            assert len(begun) == 1

    asyncio.run(main())


def test_rows_that_come_later_are_not_in_the_view(store: Store) -> None:
    fill(store, 3)

    async def work(pull: Pull) -> None:
        view = await (await pull.view(Query(find="job"))).done()
        count = view.rows
        fill(store, 2, start=4)
        assert (view.rows, view.total) == (count, 60)
        pull.reload()
        again = await (await pull.view(Query(find="job"))).done()
        assert (again.total, again.rows) == (100, sum(n % 10 != 0 for n in range(100)))

    run(store, work)


def test_sorting_again_is_answered_from_what_is_known(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 5)

    async def work(pull: Pull) -> None:
        question = Query(sort=(("name", False),))
        first = await (await pull.view(question)).done()
        await asyncio.sleep(0)
        monkeypatch.setattr(store, "reader", None)
        again = await pull.view(question)
        assert again.state == "complete"
        assert again.settled() == first.settled()

    run(store, work)


def test_the_first_rows_show_long_before_the_last(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 30)
    gate = held(monkeypatch, 5)

    async def work(pull: Pull) -> None:
        view = await pull.view(Query(find="job"))
        assert view.state == "building"
        assert 0 < view.rows <= 90
        seen: list[tuple[int, str]] = []
        end = view.subscribe(lambda: seen.append((view.rows, view.state)))
        gate.set()
        await view.done()
        end()
        assert seen == sorted(seen, key=lambda each: each[0])
        assert seen[-1] == (540, "complete")

    run(store, work)


def test_cancelling_keeps_what_was_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store, 300)
    gate = held(monkeypatch, 5)

    async def work(pull: Pull) -> None:
        view = await pull.view(Query(find="job"))
        view.cancel()
        gate.set()
        rows = view.rows
        assert rows
        with pytest.raises(Superseded):
            await view.done()
        other = await (await pull.view(Query(find="job 0007"))).done()
        assert other.state == "complete"
        assert view.rows == rows

    run(store, work)


def test_faults_are_told(store: Store) -> None:
    fill(store, 3)

    async def work(pull: Pull) -> None:
        with pytest.raises(QueryFault):
            await pull.view(Query(find="(", regex=True))
        info = store.newest(KEY)
        assert info is not None
        store.forget(info.id)
        with pytest.raises(PullMoved):
            await (await pull.view(Query(find="x"))).done()

    run(store, work)


def test_a_pull_without_pages_and_a_closed_one(store: Store) -> None:
    async def work(pull: Pull) -> None:
        view = await (await pull.view(Query(sort=(("name", False),)))).done()
        assert (view.rows, view.total) == (0, 0)
        pull.close()
        with pytest.raises(Superseded):
            await pull.view(Query())

    run(store, work)


def test_the_summary_of_a_column(store: Store) -> None:
    fill(store, 50)

    async def work(pull: Pull) -> None:
        view = await pull.view(Query(filters=(Filter("confidential", "equals", False),)))
        await view.done()
        summary = await view.summary("name")
        numbers = [n for n in range(1000) if n % 3]
        names = [json.loads(job(n))["name"] for n in numbers]
        assert (summary.rows, summary.nulls) == (len(numbers), names.count(None))
        assert (summary.absents, summary.empties) == (0, 0)
        assert (summary.distinct, summary.more) == (len({*names} - {None}), False)
        assert summary.least is not None
        assert summary.least.text == min(name for name in names if name)
        absent = await view.summary("no such field")
        assert (absent.absents, absent.distinct, absent.top) == (len(numbers), 0, ())

    run(store, work)
