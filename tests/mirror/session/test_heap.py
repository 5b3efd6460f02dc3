"""Giving memory back works where the C library can, and asks nothing where it cannot."""

from __future__ import annotations

import asyncio
import sys

import pytest

from explorer.session import heap as memory
from explorer.session import worker


def test_it_is_asked_of_the_c_library_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(memory, "_trim", lambda: asked.append)
    memory.trim_heap()
    assert asked == [256 * 1024]
    monkeypatch.setattr(memory, "_trim", lambda: None)
    memory.trim_heap()
    assert len(asked) == 1


@pytest.mark.parametrize("platform", ["darwin", "win32"])
def test_other_systems_have_nothing_to_ask(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert memory._trim.__wrapped__() is None


def test_memory_goes_back_once_what_was_forgotten_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reload frees pages of every size, and the C library would keep the gaps between them."""
    done: list[str] = []

    async def work() -> None:
        loop = asyncio.get_running_loop()
        over = loop.create_future()
        bites = iter([True, True, False])

        def bite() -> bool:
            done.append("bite")
            return next(bites)

        def given_back() -> None:
            done.append("given back")
            loop.call_soon_threadsafe(over.set_result, None)

        monkeypatch.setattr(worker, "trim_heap", given_back, raising=False)
        one = worker.Worker()
        one.reap(bite)
        await asyncio.wait_for(over, 20)
        await one.close(lambda: None)

    asyncio.run(work())
    assert done == ["bite", "bite", "bite", "given back"]
