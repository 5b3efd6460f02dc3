"""How long scrolling and loading hold the event loop: run it by hand, it prints figures and judges nothing.

    python -m tests.bench.bench_scrolling [ROWS]

A ticker of 5 ms notes each turn of the loop that came late, while (1) the wheel turns through rows that load
page by page, (2) Load all fetches the rest, (3) the view jumps about in all of it, and (4) all is selected. The
service is on loopback in a process of its own, the store is real. The goal is no hold above 50 ms.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.sandbox.process import SandboxProcess
from explorer.session import Session
from explorer.ui.app.application import application
from explorer.ui.inspector.inspector import Inspector
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from tests.gui.list_server import Kept, Stage, run, settled, until, wheel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TICK = 0.005


class Ticker:
    """Notes how late each turn of the loop is."""

    def __init__(self) -> None:
        self.holds: list[float] = []

    async def tick(self) -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(TICK)
            self.holds.append((time.perf_counter() - before - TICK) * 1000)


@asynccontextmanager
async def watched(name: str) -> AsyncIterator[None]:
    """Print how the loop did while the body ran."""
    ticker = Ticker()
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        ticking = group.create_task(ticker.tick())
        yield
        ticking.cancel()
    holds = sorted(ticker.holds)
    took = time.perf_counter() - began
    late = sum(1 for h in holds if h > 50)
    middle, high = holds[len(holds) // 2], holds[int(len(holds) * 0.99)]
    print(
        f"{name:28} {took:7.2f} s  turns {len(holds):6}  median {middle:5.1f} ms  p99 {high:5.1f} ms  "
        f"longest {holds[-1]:6.1f} ms  above 50 ms: {late}"
    )


async def measure(rows: int, folder: Path) -> None:
    """All four, on one page."""
    sandbox = await asyncio.to_thread(SandboxProcess.start)
    try:
        profile = Profile.sandbox(sandbox.base_url).with_connection("conn_sandbox_large")
        credential = Credential(Auth.APIKEY, sandbox.apikey)
        session = await Session.open(profile, credential, Folders.of_user(folder))

        async def no_write(_request: object) -> None:
            return None

        context = PageContext(session, Notices(), Commands(), theme(), Kept(), no_write)
        at = Stage(session, [], context)
        page = at.open(size=(1200, 800))
        inspector = Inspector()
        page.record_chosen.connect(inspector.show_record)
        theme().dress(inspector)
        inspector.show()
        await settled(page)

        async with watched("wheel through 20 pages"):
            while page.model.rowCount() < 2000:
                wheel(page.table)
                await asyncio.sleep(0.004)
        await settled(page)
        async with watched(f"Load all to {rows:,}"):
            page.load_all()
            await until_rows(page, rows)
            page.stop()
        await until(lambda: page.model.state != "loading")
        print(f"{'':28} {page.model.rowCount():,} rows")
        async with watched("jump about, choose rows"):
            bar = page.table.verticalScrollBar()
            chance = random.Random(7)
            for _ in range(150):
                bar.setValue(chance.randrange(bar.maximum()))
                await asyncio.sleep(0.004)
                page.table.setCurrentIndex(page.model.index(page.table.rowAt(50), 1))
                await asyncio.sleep(0.004)
        async with watched("select all, step"):
            page.table.selectAll()
            await asyncio.sleep(0.01)
            for _ in range(50):
                QTest.keyClick(page.table, Qt.Key.Key_Up)
                await asyncio.sleep(0.004)
        inspector.close()
        await at.close()
    finally:
        await asyncio.to_thread(sandbox.stop)


async def until_rows(page, rows: int) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """Wait until that many rows are at hand, or loading has ended."""
    while page.model.rowCount() < rows and page.tasks.busy("pull"):  # noqa: ASYNC110 - a condition of Qt
        await asyncio.sleep(0.01)


if __name__ == "__main__":
    app = application()
    theme().install("light")
    with tempfile.TemporaryDirectory() as home:
        run(app, measure(int(sys.argv[1]) if len(sys.argv) > 1 else 60_000, Path(home)))
