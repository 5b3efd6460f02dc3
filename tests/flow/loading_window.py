"""A window that loads all of Jobs and says on standard output how far it is; test_window_killed starts and kills it.

``python -m tests.flow.loading_window HOME`` prints ``rows N PID`` (the process that loads, 0 for none), and at last
``complete N``. It presses the page's own button, whatever that offers, and closes when the list is complete.
``python -m tests.flow.loading_window HOME PULL`` does the same with Reload, until another pull than PULL is in front.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from explorer.paths import Folders
from explorer.ui.app.application import Application, application
from explorer.ui.app.loop import run_with
from explorer.ui.pages.list.list_page import ListPage


async def _turn() -> None:
    future = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_later(0.005, future.set_result, None)
    await future


async def _load(app: Application, front: int) -> None:
    while app.session is None:
        await _turn()
    app.window.open_page("ats/job")
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    told = ""
    while page.pull is None or page.model.state != "complete" or page.pull.stored_id == front:
        await _turn()
        button = page.head.primary_button
        if page.pull is not None and button.isEnabled() and button.text() in ("Load all", "Continue"):
            button.click()
        pull, rows = page.pull, page.model.rowCount()
        if front and pull is not None:
            pull, rows = page.reloading.pull, page.reloading.info.rows if page.reloading.info else 0
            if pull is None and not page.tasks.busy("pull"):
                page.head.reload_button.click()
        loading = pull.loading if pull is not None else None
        says = f"rows {rows} {loading.pid if loading is not None else 0}"
        if says != told:
            told = says
            print(says, flush=True)
    print(f"complete {page.model.rowCount()}", flush=True)
    app.window.close()


async def _life() -> int:
    app = Application(Folders.of_user(Path(sys.argv[1])))
    code, _ = await asyncio.gather(app.main(), _load(app, int(sys.argv[2]) if len(sys.argv) > 2 else 0))
    return code


def main() -> int:
    """The exit code of the program."""
    return run_with(application(), _life)


if __name__ == "__main__":
    sys.exit(main())
