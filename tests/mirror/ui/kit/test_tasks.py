"""Owned work: replaced, cancelled, ended with its owner, failures led to one place."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import qasync
import shiboken6
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from explorer.ui.kit.tasks import Tasks
from explorer.work import in_thread


def on_qt(app: QApplication, main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app)) as runner:
        runner.run(main())


def test_the_result_goes_to_done_and_a_failure_to_report(qapp: QApplication) -> None:
    async def main() -> None:
        owner, told = QObject(), []
        ended = asyncio.Event()
        results: list[int] = []

        def report(error: BaseException) -> None:
            told.append(error)
            ended.set()

        async def seven() -> int:
            return 7

        async def fail() -> None:
            raise ValueError("no")

        tasks = Tasks(owner, report)
        changes: list[tuple[str, bool]] = []
        tasks.changed.connect(lambda name, busy: changes.append((name, busy)))
        tasks.start("a", seven(), done=results.append)
        assert tasks.busy("a")
        tasks.start("b", fail(), done=results.append)
        await ended.wait()
        assert results == [7]
        assert [type(e) for e in told] == [ValueError]
        assert not tasks.busy()
        assert changes == [("a", True), ("b", True), ("a", False), ("b", False)]

    on_qt(qapp, main)


def test_a_name_in_use_cancels_the_earlier_and_its_result_is_dropped(qapp: QApplication) -> None:
    async def main() -> None:
        owner = QObject()
        results: list[str] = []
        ended = asyncio.Event()
        gate = asyncio.Event()

        async def slow() -> str:
            try:
                await gate.wait()
            except asyncio.CancelledError:
                return "late"  # work that swallows its cancelling must not be heard either
            return "never"

        async def quick() -> str:
            return "new"

        def done(result: str) -> None:
            results.append(result)
            ended.set()

        tasks = Tasks(owner, lambda error: results.append(repr(error)))
        tasks.start("page", slow(), done=results.append)
        await asyncio.sleep(0)
        tasks.start("page", quick(), done=done)
        await ended.wait()
        await tasks.close()
        assert results == ["new"]

    on_qt(qapp, main)


def test_work_ends_with_its_owner(qapp: QApplication) -> None:
    async def main() -> None:
        owner = QObject()
        cancelled = asyncio.Event()
        reported: list[BaseException] = []

        async def forever() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        Tasks(owner, reported.append).start("w", forever(), done=lambda _: reported.append(ValueError()))
        await asyncio.sleep(0)
        shiboken6.delete(owner)
        await asyncio.wait_for(cancelled.wait(), 10)
        await asyncio.sleep(0)
        assert reported == []

    on_qt(qapp, main)


def test_without_a_loop_nothing_is_left_behind(qapp: QApplication) -> None:
    async def work() -> None: ...

    with pytest.raises(RuntimeError):
        Tasks(QObject(), print).start("w", work())


def test_a_thread_that_never_ends_does_not_hold_the_loop(qapp: QApplication) -> None:
    gate = threading.Event()

    async def main() -> None:
        owner = QObject()
        tasks = Tasks(owner, print)
        tasks.start("blocked", in_thread(gate.wait))
        await asyncio.sleep(0)
        await tasks.close()

    on_qt(qapp, main)  # returns although the thread still waits
    gate.set()
