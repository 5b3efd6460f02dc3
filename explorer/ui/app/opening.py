"""A cold start: the window shows first, then its rows, then everything else is imported and put into it.

What is in front of the first paint is Qt, a small file of layout and a picture (first_sight.py). After it come, in
slices between which the window answers: the theme and the rows of the last tab, the loop, and the program.
"""

from __future__ import annotations

import gc
import linecache
import os
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QRect, QTimer

from explorer.paths import Folders
from explorer.ui.app.first_sight import FirstSight, Opened, read, scheme
from explorer.ui.app.main_window import MainWindow
from explorer.ui.app.screen import CANNOT_START, application, missing_screen
from explorer.ui.app.window_layout import place
from explorer.ui.frame.layout import Layout

if TYPE_CHECKING:
    from typing import Protocol

    class Glance(Protocol):
        """The store as a start sees it (`explorer.store.glance.Glance`)."""

        def rows(self, pull: int, resource: str) -> int:
            """How many there are."""

        def records(self, pull: int, resource: str, start: int, stop: int) -> list[bytes]:
            """Some of them."""


_PAINT_MS = 500
"""A screen that has not asked for a paint by then will do so later."""


def run(
    folders: Folders,
    profile_name: str | None = None,
    connection: str | None = None,
    *,
    glance: Callable[[Path, str], Glance],
    ahead: Sequence[str] = (),
    later: Sequence[str] = (),
    aside: Collection[str] = (),
    told: Callable[[str], object] = lambda _: None,
) -> int:
    """Open the window and stay until it is closed. Returns the exit code: 0, or 3 when it cannot start.

    ``profile_name`` (a name or id) and ``connection`` choose what to open first; else it is what was open last.
    ``glance`` looks into a store file for a connection; ``ahead`` and ``later`` name modules to import one by one,
    before the window is furnished and after it, those in ``aside`` in a thread; ``told`` hears ``shown``, ``rows`` and
    ``ready``.
    """
    if sentence := missing_screen(os.environ):
        sys.stderr.write(sentence + "\n")
        return CANNOT_START
    app = application()
    opened = show(folders, profile_name, connection, told)
    show_rows(opened, folders, glance)
    _dress(opened)
    app.processEvents()
    import asyncio  # noqa: F401 - the half of what the loop takes

    app.processEvents()
    from explorer.ui.app.loop import run_with

    opened.aside = aside

    async def main() -> int:
        await opened.load(ahead)
        if opened.closed:
            opened.window.close_now()
            return 0
        from explorer.ui.app.application import Application

        gc.freeze()  # what was imported stays: no later collection need look at it
        linecache.clearcache()  # Qt for Python read the source of all that was imported so far
        opened.later = later
        return await Application(folders, profile_name, connection, opened=opened).main()

    return run_with(app, main)


def show(
    folders: Folders, profile_name: str | None, connection: str | None, told: Callable[[str], object]
) -> Opened:
    """The window, painted once with what is kept of it."""
    layout = Layout(folders.state)
    window = MainWindow()
    place(window, layout)
    sight = FirstSight(window, read(folders, profile_name, connection, layout), scheme(layout))
    opened = Opened(window, layout, sight, told)
    window.show()
    _painted(sight)
    opened.tell("shown")
    return opened


def _dress(opened: Opened) -> None:
    from explorer.ui.kit.theme import icon, kept_choice, theme

    theme().install(kept_choice(opened.layout.get("theme")))
    opened.window.setWindowIcon(icon("app"))
    opened.sight.listen()
    opened.sight.dressed(theme().scheme)


def show_rows(opened: Opened, folders: Folders, glance: Callable[[Path, str], Glance]) -> None:
    """Paint the rows of the last tab, as far as they are in the store."""
    kept = opened.sight.kept
    if kept is None or not kept.known.get("table") or opened.closed:
        return
    from explorer.ui.kit.theme import kept_choice, theme
    from explorer.ui.records.first_rows import FirstRows

    theme().prepare(kept_choice(opened.layout.get("theme")))
    opened.sight.dressed(theme().scheme)
    looked = glance(folders.data / f"{kept.profile}.sqlite3", kept.known["connection"])
    try:
        opened.sight.rows = FirstRows(kept.known["table"], looked.rows, looked.records)
    except (LookupError, TypeError, ValueError):
        return
    _painted(opened.sight, opened.sight.rows.room)
    opened.tell("rows")


def _painted(sight: FirstSight, part: QRect | None = None) -> None:
    """Let Qt turn until ``sight``, or a part of it, has been painted."""
    turn = QEventLoop()
    sight.painted.connect(turn.quit)
    QTimer.singleShot(_PAINT_MS, turn, turn.quit)
    sight.update(sight.rect() if part is None else part)
    turn.exec()
    sight.painted.disconnect(turn.quit)
