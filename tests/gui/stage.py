"""How a test of the window runs: one loop that is Qt's and asyncio's, one way to wait, an end in order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from explorer.ui.app.application import Application, run_with
from explorer.ui.kit.notices import OUR_FAULT, Notice
from explorer.ui.kit.tasks import Tasks

LOOK = 0.005
PATIENCE = 4_000
"""Looks, each a turn of the loop, after which a wait has failed when no work is under way: 20 s at least, and longer
where the loop turns more slowly. A sound machine needs a fraction of it."""
AT_WORK = 4
"""So many times as many looks are taken while the window has work under way."""

_SELDOM = 200
"""Looks between two at whether work is under way."""

Given = TypeVar("Given")


async def until(holds: Callable[[], object], what: str = "what was waited for") -> None:
    """Let the loop turn until ``holds`` is true; fails when it is not within `PATIENCE` looks after the last work."""
    loop = asyncio.get_running_loop()
    idle = 0
    for look in range(PATIENCE * AT_WORK):
        if holds():
            return
        idle = 0 if look % _SELDOM == _SELDOM - 1 and works() else idle + 1
        assert idle < PATIENCE, f"{what} did not come, and nothing is under way"
        turn = loop.create_future()
        loop.call_later(LOOK, turn.set_result, None)
        await turn
    raise AssertionError(f"{what} did not come, and work is still under way")


def works() -> bool:
    """Whether any window has work under way."""
    return any(tasks.busy() for top in QApplication.topLevelWidgets() for tasks in top.findChildren(Tasks))


def run_loop(app: QApplication, work: Callable[[], Awaitable[Given]]) -> Given:
    """What ``work`` gives, run on the loop that the program runs on; what was to be deleted later is gone after it."""
    app.setQuitOnLastWindowClosed(False)  # or closing a page would end the loop under the scene
    given: list[Given] = []

    async def whole() -> int:
        given.append(await work())
        return 0

    try:
        run_with(app, whole)
    finally:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return given[0]


async def live(
    app: Application, body: Callable[[Application], Awaitable[None]], *, fault_wanted: bool = False
) -> int:
    """The program's whole life around ``body``; gives its exit code. The first thing that failed is what is raised.

    A fault of the program that the window told the user of fails the test as well, or the lack of one if it is wanted.
    """
    failures: list[BaseException] = []
    told: list[Notice] = []
    app.notices.posted.connect(told.append)

    async def script() -> None:
        try:
            await body(app)
        except BaseException as failure:  # noqa: BLE001 - raised below, when the window has ended in order
            failures.append(failure)
        finally:
            if shiboken6.isValid(app.window):  # a signal may have ended the program
                app.window.close()

    code, _ = await asyncio.gather(app.main(), script())
    if failures:
        raise failures[0]
    assert (OUR_FAULT in [notice.title for notice in told]) is fault_wanted
    return code
