"""Load all in the real list page while it scrolls without pause: the frames, the holds, the rate, the memory.

    python -m tests.bench.load_all ADDRESS ROWS

``ADDRESS`` is that of `tests.bench.server`. The rows are scrolled without pause, three of them and a frame every 16 ms,
from the press on Load all until the last row is in the table. Printed is one JSON line: ``rate`` (rows a second),
``p99`` and ``longest`` (ms from one painted frame to the next), ``hold`` (the longest turn of the loop, ms), ``late``
(frames of more than 50 ms), ``rss`` and ``peak`` (MB of the window), ``more`` (MB at most above the window before the
press), ``window`` (processor time of the window's process in that time, as a share of one processor), ``work``
(processor time of the processes that load and keep, their start included, us a row), ``rows``.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Session
from explorer.ui.app.application import application
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from explorer.ui.pages.list.list_page import ListPage
from tests.bench.window import forget_peak, memory
from tests.gui.list_server import Kept, Stage, run

FRAME = 0.016
TICK = 0.005
STEP = 90
"""Pixels from one frame to the next: some three rows."""


async def scroll(page: ListPage, frames: list[float]) -> None:
    """Scrolls for ever: down over rows that were never seen, and some way back up where the end is reached."""
    bar, by, low, last = page.table.verticalScrollBar(), STEP, 0, time.perf_counter()
    while True:
        began = time.perf_counter()
        if bar.value() + by > bar.maximum():
            by, low = -STEP, max(bar.maximum() - 400 * STEP, 0)
        elif bar.value() + by < low:
            by = STEP
        bar.setValue(bar.value() + by)
        # What has to be painted now, and no more, as the system would ask for it.
        QApplication.sendPostedEvents(page.window(), QEvent.Type.UpdateRequest.value)
        now = time.perf_counter()
        frames.append((now - last) * 1000)
        last = now
        await asyncio.sleep(max(FRAME - (now - began), 0.001))


async def tick(holds: list[float]) -> None:
    """Notes how late each turn of the loop comes."""
    while True:
        before = time.perf_counter()
        await asyncio.sleep(TICK)
        holds.append((time.perf_counter() - before - TICK) * 1000)


async def measure(address: str, rows: int, folder: str) -> None:
    """Press, scroll, wait for the end, tell."""
    profile = Profile(
        id="bench", name="Bench", environment=Environment.DEVELOPMENT, base_url=address,
        connection="c", connections=("c",),
    )  # fmt: skip
    session = await Session.open(
        profile, Credential(Auth.APIKEY, "k"), Folders.of_user(folder), in_window=True
    )

    async def no_write(_request: object) -> None:
        return None

    at = Stage(session, [], PageContext(session, Notices(), Commands(), theme(), Kept(), no_write))
    page = at.open(size=(1200, 800))
    while page.pull is None or page.tasks.busy("pull") or not page.model.rowCount():  # noqa: ASYNC110 - as below
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.5)
    gc.freeze()  # as `explorer.ui.app.opening` does
    frames: list[float] = []
    holds: list[float] = []
    before, empty = page.model.rowCount(), memory("VmRSS")
    forget_peak()
    async with asyncio.TaskGroup() as group:
        others = [group.create_task(tick(holds)), group.create_task(scroll(page, frames))]
        began, worked = time.perf_counter(), time.process_time()
        page.load_all()
        while page.tasks.busy("pull") and page.model.rowCount() < rows:  # noqa: ASYNC110 - a condition of Qt
            await asyncio.sleep(0.01)
        took, worked = time.perf_counter() - began, time.process_time() - worked
        for other in others:
            other.cancel()
    frames = sorted(frames[1:])
    came = page.model.rowCount() - before
    told = {
        "rate": round(came / took),
        "p99": round(frames[int(len(frames) * 0.99)], 1),
        "longest": round(frames[-1], 1),
        "late": sum(frame > 50 for frame in frames),
        "hold": round(max(holds), 1),
        "rss": round(memory("VmRSS"), 1),
        "peak": round(memory("VmHWM"), 1),
        "more": round(memory("VmHWM") - empty, 1),
        "window": round(worked / took, 2),
        "rows": page.model.rowCount(),
    }
    await at.close()
    ended = os.times()  # they have been waited for by now
    told["work"] = round((ended.children_user + ended.children_system) / came * 1e6, 1)
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    made = application()
    theme().install("light")
    with tempfile.TemporaryDirectory() as home:
        run(made, measure(sys.argv[1], int(sys.argv[2]), str(Path(home))))
