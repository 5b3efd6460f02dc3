"""A cold start: an empty window in the theme's colours shows first, then the program is imported and put into it.

What stands in front of the first paint is Qt, the theme and a small file of layout. The rest is imported module by
module, with the loop turning in between, so that the window can be moved and closed meanwhile.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence

from explorer.paths import Folders
from explorer.ui.app.main_window import MainWindow
from explorer.ui.app.screen import CANNOT_START, application, missing_screen
from explorer.ui.app.start import Start
from explorer.ui.app.window_layout import place
from explorer.ui.app.zoom import KEY, kept_zoom
from explorer.ui.frame.layout import Layout
from explorer.ui.kit.theme import kept_choice, theme


def run(
    folders: Folders,
    profile_name: str | None = None,
    connection: str | None = None,
    *,
    ahead: Sequence[str] = (),
    later: Sequence[str] = (),
    in_thread: Collection[str] = (),
    told: Callable[[str], object] = lambda _: None,
    again: Callable[[], object] = lambda: None,
) -> int:
    """Open the window and stay until it is closed. Returns the exit code: 0, or 3 when it cannot start.

    ``profile_name`` (a name or id) and ``connection`` choose what to open first; else it is what was open last.
    ``ahead`` and ``later`` name modules to import one by one, before the window is filled and after it, those of
    ``in_thread`` in a thread; ``told`` hears ``shown`` and ``ready``; ``again`` starts the program once more, after
    everything has ended.
    """
    if sentence := missing_screen(os.environ):
        sys.stderr.write(sentence + "\n")
        return CANNOT_START
    layout = Layout(folders.state)
    app = application(kept_zoom(layout.get(KEY)))
    start = show(layout, told, later, in_thread)
    app.processEvents()
    start.tell("shown")
    from explorer.ui.app.loop import run_with  # asyncio and qasync come after the first paint

    async def main() -> int:
        await start.load(ahead)
        if start.closed:
            start.window.close_now()
            return 0
        from explorer.ui.app.application import Application

        _remove_pictures(folders)
        return await Application(folders, profile_name, connection, start=start).main()

    code = run_with(app, main)
    if start.window.again:
        again()
    return code


def show(
    layout: Layout,
    told: Callable[[str], object] = lambda _: None,
    later: Sequence[str] = (),
    in_thread: Collection[str] = (),
) -> Start:
    """The window in its place, empty, in the colours that the user chose."""
    theme().install(kept_choice(layout.get("theme")))
    window = MainWindow()
    place(window, layout)
    window.show()
    return Start(window, layout, told, later, in_thread)


def _remove_pictures(folders: Folders) -> None:
    """Earlier versions kept a picture of the window beside each store."""
    for picture in folders.data.glob("*.sight*"):
        picture.unlink(missing_ok=True)
