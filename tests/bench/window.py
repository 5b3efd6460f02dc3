"""What the real list page costs over a store that is full or empty: time to rows shown, holds of the loop, memory.

    python -m tests.bench.window FOLDER [ACTION ...]

``FOLDER`` is one that `tests.bench.measures.filled` made. Each action is begun the way a user begins it, through the
page's own parts, under Qt without a screen; nothing listens at the profile's address. Printed is one JSON line for each
action: ``ms`` to its first rows painted, ``whole_ms`` to its end, ``hold_ms`` (the longest turn of the loop meanwhile),
``rss`` and ``peak`` (resident MB after it and at most meanwhile), ``sent`` (requests). The first line is the open page
itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from explorer.export.text import Form
from explorer.paths import Folders
from explorer.profiles.profile import Auth, Credential, Environment, Profile
from explorer.session import Filter, Query, Session
from explorer.ui.app.application import application
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.theme import theme
from explorer.ui.page import PageContext
from explorer.ui.pages.list.list_page import ListPage
from tests.bench.measures import CONNECTION, NOWHERE, PROFILE
from tests.gui.list_server import Kept, Stage, run

TICK = 0.002
PATIENCE = 120.0


def profile() -> Profile:
    """The profile whose store the benches fill."""
    return Profile(
        id=PROFILE, name="Bench", environment=Environment.DEVELOPMENT, base_url=NOWHERE,
        connection=CONNECTION, connections=(CONNECTION,),
    )  # fmt: skip


def memory(field: str) -> float:
    """``VmRSS`` or ``VmHWM`` of this process, in MB; 0 where the system has no /proc."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    return 0.0


def forget_peak() -> None:
    """Let ``VmHWM`` begin at what is in use now."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


class Paints(QObject):
    """Counts how often a widget was painted."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.number = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.number += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


class Scene:
    """One open page, and what is measured while something happens to it."""

    def __init__(self, page: ListPage, session: Session) -> None:
        self.page, self._session = page, session
        self.shown_ms = 0.0
        self._began = 0.0
        self._paints = Paints(page.table.viewport())

    @contextlib.asynccontextmanager
    async def measured(self, name: str) -> AsyncIterator[None]:
        """Prints the line of one action."""
        forget_peak()
        holds = [0.0]
        sent = len(self._session.exchanges)

        async def tick() -> None:
            while True:
                before = time.perf_counter()
                await asyncio.sleep(TICK)
                holds.append((time.perf_counter() - before - TICK) * 1000)

        ticking = asyncio.ensure_future(tick())
        await asyncio.sleep(0.02)
        self.shown_ms, self._began = 0.0, time.perf_counter()
        yield
        whole = (time.perf_counter() - self._began) * 1000
        await asyncio.sleep(0.05)
        ticking.cancel()
        told = {
            "action": name, "ms": round(self.shown_ms or whole, 2), "whole_ms": round(whole, 2),
            "hold_ms": round(max(holds), 1), "rss": round(memory("VmRSS"), 1), "peak": round(memory("VmHWM"), 1),
            "rows": self.page.model.rowCount(), "sent": len(self._session.exchanges) - sent,
        }  # fmt: skip
        print(json.dumps(told), flush=True)

    def paint(self) -> None:
        """Paints the rows now and takes the time."""
        self.page.table.viewport().repaint()
        self.shown_ms = (time.perf_counter() - self._began) * 1000

    async def until(self, holds: Callable[[], object]) -> None:
        """Turn by turn until it holds."""
        end = time.monotonic() + PATIENCE
        while not holds():
            if time.monotonic() > end:
                raise TimeoutError
            await asyncio.sleep(0.001)

    async def ask(self, question: Query, seconds: float = PATIENCE) -> None:
        """Ask as the page's controls do, wait for the first rows painted, and for the last as long as is said."""
        asked, before, painted = self.page.question, self.page.question.view, self._paints.number
        asked.ask(question)
        picks = bool(question.picks or question.sort)
        await self.until(
            lambda: (
                asked.fault
                or (asked.view is None and not picks)
                or (asked.view is not before and asked.view is not None and asked.view.question == question)
            )
        )
        await self.until(lambda: self._paints.number > painted or not self.page.isVisible())
        self.shown_ms = (time.perf_counter() - self._began) * 1000
        end = time.monotonic() + seconds
        await self.until(
            lambda: asked.view is None or asked.view.state != "building" or time.monotonic() > end
        )

    async def copied(self, form: str) -> None:
        """Copy the selected rows and wait until it is done or refused."""
        self.page.menu.copy_rows(form)  # type: ignore[arg-type]
        self.paint()
        await self.until(lambda: not self.page.tasks.busy("copy"))

    async def exported(self, form: Form) -> None:
        """Write the rows shown to a file."""
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            self.page.menu.export(Path(folder) / "rows", form)
            await self.until(lambda: not self.page.tasks.busy("export"))
            self.shown_ms = (time.perf_counter() - self._began) * 1000
            await asyncio.to_thread(stack.pop_all().close)  # a large file takes a while to be gone

    async def key(self, key: Qt.Key, *, control: bool = False) -> None:
        """Press a key in the table and paint what it brings."""
        modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(self.page.table, key, modifier)
        self.paint()

    async def held(self, key: Qt.Key, times: int) -> None:
        """A key held down: pressed again as soon as its rows are painted. The time shown is the longest of all."""
        longest = 0.0
        for _ in range(times):
            self._began, began = time.perf_counter(), self._began
            await self.key(key)
            longest = max(longest, self.shown_ms)
            self._began = began
            await asyncio.sleep(0)
        self.shown_ms = longest


Action = Callable[[Scene], Awaitable[None]]
BY_NAME = (("name", False),)


def _asking(question: Query, seconds: float = PATIENCE) -> Action:
    return lambda scene: scene.ask(question, seconds)


async def _fit(scene: Scene) -> None:
    scene.page.table.fit_column(2)
    scene.paint()


async def _select_all(scene: Scene) -> None:
    scene.page.table.selectAll()
    scene.paint()


async def _unselect(scene: Scene) -> None:
    scene.page.table.clearSelection()
    QGuiApplication.clipboard().clear()
    scene.paint()


async def _jump(scene: Scene) -> None:
    bar = scene.page.table.verticalScrollBar()
    longest = 0.0
    for at in range(1, 60):
        scene._began, began = time.perf_counter(), scene._began
        bar.setValue(bar.maximum() * (at * 37 % 60) // 60)
        scene.paint()
        longest = max(longest, scene.shown_ms)
        scene._began = began
        await asyncio.sleep(0)
    scene.shown_ms = longest


def _typing(text: str) -> Action:
    async def typed(scene: Scene) -> None:
        for end in range(1, len(text)):
            scene.page.question.ask(Query(find=text[:end]))
            await asyncio.sleep(0.03)
        scene._began = time.perf_counter()
        await scene.ask(Query(find=text), 1)

    return typed


ACTIONS: dict[str, Action] = {
    "Ctrl End": lambda scene: scene.key(Qt.Key.Key_End, control=True),
    "Ctrl Home": lambda scene: scene.key(Qt.Key.Key_Home, control=True),
    "Page Down held": lambda scene: scene.held(Qt.Key.Key_PageDown, 60),
    "jump about": _jump,
    "auto-fit a column": _fit,
    "select all": _select_all,
    "copy all as TSV": lambda scene: scene.copied("tsv"),
    "copy all ids": lambda scene: scene.copied("ids"),
    "unselect": _unselect,
    "sort": _asking(Query(sort=BY_NAME)),
    "sort, jump about": _jump,
    "sort, Page Down held": lambda scene: scene.held(Qt.Key.Key_PageDown, 60),
    "sort by another": _asking(Query(sort=(("modified_at", True),))),
    "sort again": _asking(Query(sort=BY_NAME)),
    "sort by two": _asking(Query(sort=(("confidential", False), ("created_at", True)))),
    "sort by number": _asking(Query(sort=(("id", True),))),
    "sort, export JSON Lines": lambda scene: scene.exported("jsonl"),
    "as received": _asking(Query()),
    "find": _asking(Query(find="berlin"), 1),
    "find, typed on": _asking(Query(find="berlin, 7"), 1),
    "find, typed": _typing("engineering"),
    "find, outside ASCII": _asking(Query(find="é"), 1),
    "find, pattern": _asking(Query(find=r"REQ-\d+7\b", regex=True), 1),
    "find, rare pattern": _asking(Query(find=r"REQ-00077\d+1\b", regex=True), 1),
    "filter": _asking(Query(filters=(Filter("name", "contains", "legal"),))),
    "filter and sort": _asking(Query(filters=(Filter("name", "contains", "legal"),), sort=BY_NAME)),
    "all again": _asking(Query()),
    "export JSON Lines": lambda scene: scene.exported("jsonl"),
}


async def play(folder: Path, names: list[str]) -> None:
    """Open the page and do all that is named."""
    session = await Session.open(profile(), Credential(Auth.APIKEY, "k"), Folders.of_user(folder))

    async def no_write(_request: object) -> None:
        return None

    context = PageContext(session, Notices(), Commands(), theme(), Kept(), no_write)
    at = Stage(session, [], context)
    page = at.open(size=(1200, 800))
    scene: Any = Scene(page, session)
    await scene.until(lambda: page.pull is not None and not page.tasks.busy("pull"))
    gc.freeze()  # as `explorer.ui.app.opening` does
    async with scene.measured("open"):
        await asyncio.sleep(0.5)
    for name in names or list(ACTIONS):
        async with scene.measured(name):
            await ACTIONS[name](scene)
    await at.close()


if __name__ == "__main__":
    made = application()
    theme().install("light")
    run(made, play(Path(sys.argv[1]), sys.argv[2:]))
