"""A thread that steps back: it rests until the loop comes round, and no longer than there is a loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

import pytest

from explorer.session import event_loop_yield as courtesy
from explorer.session.event_loop_yield import EventLoopYield

SECONDS = 30.0


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
    monkeypatch.setattr(courtesy, "EVERY", 0.0)
    monkeypatch.setattr(courtesy, "LONGEST", SECONDS)


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
