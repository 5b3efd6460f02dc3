"""The client and the walk on the window's own loop (qasync): the same calls, retries, deadline and cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from explorer.api.errors import DeadlinePassed
from explorer.api.pages import PageWalk
from tests.builtin import registry
from tests.mirror.api.made import QUICK, caught, client, read
from tests.recording import Recording, Reply, pages, reply


def on_qt(app: QApplication, work: Coroutine[Any, Any, None]) -> None:
    """Run ``work`` on a loop that is Qt's."""
    from qasync import QEventLoop

    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        runner.run(asyncio.wait_for(work, 60))


@pytest.fixture
def app(qapp: QApplication) -> QApplication:
    return qapp


def test_a_walk_with_retries_and_large_pages(app: QApplication) -> None:
    rows = b'[{"text": "' + b"x" * 100_000 + b'"}, {"id": 2}]'
    first, second = pages("next_cursor", [rows, b"[3]"], ["a", None], "has_next_page")

    async def main() -> None:
        async with client(server.url, retry=QUICK) as c:
            walk = PageWalk(c.send, registry.listing("ats/job"), {})
            got = [await walk.advance(), await walk.advance()]
            assert [len(page.records) for page in got] == [2, 1]
            assert walk.state == "complete"
            assert [e.attempt for e in c.exchanges.all()] == [1, 1, 2]

    with Recording([first, reply({}, 503), second]) as server:
        on_qt(app, main())


def test_deadline_and_cancel(app: QApplication) -> None:
    async def main() -> None:
        async with client(server.url) as c:
            await caught(c.send(read(), deadline=0.1), DeadlinePassed)
            await asyncio.to_thread(server.arrived.acquire)
            task = asyncio.get_running_loop().create_task(c.send(read()))
            await asyncio.to_thread(server.arrived.acquire)
            task.cancel()
            await asyncio.wait({task})
            assert task.cancelled()
            assert c.exchanges.all()[-1].state == "stopped"

    with Recording([Reply(silent=True)]) as server:
        on_qt(app, main())
