"""The window's loop: a call at a later time that was called off leaves nothing behind."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable

from PySide6.QtWidgets import QApplication

from explorer.ui.app.loop import run_with

LATE = 3600.0
MANY = 50


def on_the_loop(app: QApplication, work: Callable[[], Awaitable[None]]) -> None:
    async def main() -> int:
        await work()
        return 0

    app.setQuitOnLastWindowClosed(False)
    assert run_with(app, main) == 0


def test_deadlines_that_were_kept_leave_nothing(qapp: QApplication) -> None:
    async def work() -> None:
        gc.collect()
        before = [one for one in gc.get_objects() if isinstance(one, asyncio.Handle)]
        for _ in range(MANY):
            async with asyncio.timeout(LATE):
                await asyncio.sleep(0)
        gc.collect()
        known = {id(one) for one in before}
        new = [one for one in gc.get_objects() if isinstance(one, asyncio.Handle) and id(one) not in known]
        assert len(new) < MANY / 5, "as many as deadlines were kept"

    on_the_loop(qapp, work)


def test_calls_come_in_their_order_and_not_when_called_off(qapp: QApplication) -> None:
    heard: list[str] = []

    async def work() -> None:
        loop = asyncio.get_running_loop()
        done = loop.create_future()
        off = loop.call_later(0.01, heard.append, "off")
        twin = loop.call_later(0.01, heard.append, "off")
        soon = loop.call_soon(heard.append, "soon, off")
        at = loop.call_at(loop.time() + 0.02, heard.append, "at")
        loop.call_later(0.06, done.set_result, None)
        off.cancel()
        off.cancel()
        twin.cancel()
        soon.cancel()
        assert off.cancelled()
        assert at.when() > loop.time()
        await done
        at.cancel()  # after it was made: nothing to call off

    on_the_loop(qapp, work)
    assert heard == ["at"]


def test_what_a_call_holds_goes_with_the_loop(qapp: QApplication) -> None:
    class Held:
        def __call__(self) -> None: ...

    held: list[weakref.ref[Held]] = []

    async def work() -> None:
        one = Held()
        held.append(weakref.ref(one))
        asyncio.get_running_loop().call_later(LATE, one)

    on_the_loop(qapp, work)
    gc.collect()
    assert held[0]() is None
