"""Work off the loop: left behind or waited for, a store's writes in order beside its readers, and what steps back."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable
from contextvars import ContextVar

import pytest

from explorer import work
from explorer.work import EventLoopYield, StoreThreads, by_size, cancellable, in_thread, to_end

SECONDS = 30.0


def test_a_thread_gives_its_result_and_its_failure() -> None:
    place: ContextVar[str] = ContextVar("place")

    async def main() -> None:
        place.set("here")
        for way in (in_thread, to_end):
            assert await way(divmod, 7, 2) == (3, 1)
            assert await way(place.get) == "here"
            with pytest.raises(ZeroDivisionError):
                await way(divmod, 7, 0)

    asyncio.run(main())


def test_a_thread_that_is_done_does_the_next_and_a_blocked_one_holds_nothing_up() -> None:
    async def main() -> None:
        for _ in range(20):
            used = {await in_thread(threading.current_thread) for _ in range(8)}
            assert len(used) < 8, "a new one for each"
        gate = threading.Event()
        blocked = [asyncio.ensure_future(in_thread(gate.wait, SECONDS)) for _ in range(9)]
        assert await in_thread(divmod, 7, 2) == (3, 1)
        gate.set()
        assert all(await asyncio.gather(*blocked))

    asyncio.run(main())


def test_little_is_done_at_once_and_much_in_a_thread() -> None:
    async def main() -> None:
        here = threading.get_ident()
        assert await by_size(10, threading.get_ident, at_once=10) == here
        assert await by_size(11, threading.get_ident, at_once=10) != here

    asyncio.run(main())


def test_what_writes_is_waited_for_though_its_task_was_cancelled() -> None:
    told: list[str] = []

    async def main() -> None:
        begun, gate = threading.Event(), threading.Event()

        def write() -> None:
            begun.set()
            assert gate.wait(SECONDS)
            told.append("written")

        async def save() -> None:
            try:
                await to_end(write)
            finally:
                told.append("over")

        async with asyncio.TaskGroup() as group:
            task = group.create_task(save())
            assert await in_thread(begun.wait, SECONDS)
            task.cancel()
            for _ in range(10):  # turns of the loop
                await asyncio.sleep(0)
            assert told == []
            gate.set()

    asyncio.run(main())
    assert told == ["written", "over"]


def test_long_work_hears_that_it_is_not_wanted_and_what_comes_too_late_is_dropped() -> None:
    begun, over, dropped = threading.Event(), threading.Event(), list[str]()

    def work(wanted: Callable[[], bool]) -> str:
        begun.set()
        while wanted():
            pass
        return "late"

    def drop(made: str) -> None:
        dropped.append(made)
        over.set()

    async def main() -> None:
        assert await cancellable(lambda wanted: wanted()) is True
        async with asyncio.TaskGroup() as group:
            task = group.create_task(cancellable(work, drop=drop))
            assert await in_thread(begun.wait, SECONDS)
            task.cancel()
        assert await in_thread(over.wait, SECONDS)

    asyncio.run(main())
    assert dropped == ["late"]


def test_a_store_is_read_twice_while_it_is_written_and_writes_keep_their_order() -> None:
    async def main() -> None:
        threads, gate, done = StoreThreads(), threading.Event(), list[int]()
        both = threading.Barrier(2)

        def write(number: int) -> None:
            assert gate.wait(SECONDS)
            done.append(number)

        writes = [threads.submit(write, number) for number in range(5)]
        await asyncio.gather(*(threads.read(both.wait, SECONDS) for _ in range(2)))
        assert done == []
        gate.set()
        await threads.close(lambda: done.append(5))
        assert done == [0, 1, 2, 3, 4, 5]
        assert all(one.done() for one in writes)

    asyncio.run(main())


def test_a_write_that_nobody_waits_for_any_more_is_done() -> None:
    async def main() -> None:
        threads, gate, done = StoreThreads(), threading.Event(), list[str]()

        def write() -> None:
            assert gate.wait(SECONDS)
            done.append("done")

        async with asyncio.TaskGroup() as group:
            task = group.create_task(threads.write(write))
            await asyncio.sleep(0)
            task.cancel()
        assert done == []
        gate.set()
        await threads.close(lambda: None)
        assert done == ["done"]

    asyncio.run(main())


class Noticed(threading.Event):
    """Says when somebody waits for it."""

    def __init__(self) -> None:
        super().__init__()
        self.waited = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        self.waited.set()
        return super().wait(timeout)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EventLoopYield, "EVERY", 0.0)
    monkeypatch.setattr(EventLoopYield, "LONGEST", SECONDS)


@pytest.mark.usefixtures("at_once")
def test_it_rests_until_a_busy_loop_comes_round() -> None:
    told: list[str] = []

    async def main() -> None:
        courteous = EventLoopYield(asyncio.get_running_loop())
        courteous._answered = answered = Noticed()
        answered.set()

        def work() -> None:
            courteous()  # asks
            courteous()  # no answer yet
            told.append("went on")

        thread = threading.Thread(target=work)
        thread.start()
        # The loop is busy: it stands here.
        assert answered.waited.wait(SECONDS), "the thread did not step back"
        told.append("the loop goes on")
        await asyncio.to_thread(thread.join, SECONDS)

    asyncio.run(main())
    assert told == ["the loop goes on", "went on"]


@pytest.mark.usefixtures("at_once")
def test_an_idle_loop_and_one_that_has_ended_hold_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> EventLoopYield:
        made = EventLoopYield(asyncio.get_running_loop())

        def work() -> None:
            for _ in range(100):
                made()

        await asyncio.to_thread(work)
        return made

    ended = asyncio.run(main())

    def never(_self: object, _timeout: float) -> bool:
        raise AssertionError("it waits for a loop that has ended")

    ended._answered.set()
    monkeypatch.setattr(threading.Event, "wait", never)
    for _ in range(10):
        ended()


def test_the_loop_is_not_asked_all_the_time() -> None:
    asked: list[Callable[[], object]] = []

    class Loop:
        def call_soon_threadsafe(self, work: Callable[[], object]) -> None:
            asked.append(work)
            work()

    courteous = EventLoopYield(Loop())  # type: ignore[arg-type]
    courteous._asked = float("inf")
    for _ in range(100):
        courteous()
    assert not asked
    courteous._asked = 0.0
    courteous()
    assert len(asked) == 1


def test_it_is_asked_of_the_c_library_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(work, "_trim", lambda: asked.append)
    work.trim_heap()
    assert asked == [256 * 1024]
    monkeypatch.setattr(work, "_trim", lambda: None)
    work.trim_heap()
    assert len(asked) == 1


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_nothing_to_ask(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert work._trim.__wrapped__() is None


def test_memory_goes_back_once_what_was_forgotten_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reload frees pages of every size, and the C library would keep the gaps between them."""
    done: list[str] = []

    async def main() -> None:
        loop = asyncio.get_running_loop()
        over = loop.create_future()
        bites = iter([True, True, False])

        def bite() -> bool:
            done.append("bite")
            return next(bites)

        def given_back() -> None:
            done.append("given back")
            loop.call_soon_threadsafe(over.set_result, None)

        monkeypatch.setattr(work, "trim_heap", given_back)
        one = StoreThreads()
        one.reap(bite)
        await asyncio.wait_for(over, 20)
        await one.close(lambda: None)

    asyncio.run(main())
    assert done == ["bite", "bite", "bite", "given back"]
