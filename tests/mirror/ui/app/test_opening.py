"""A cold start: nothing heavy before the window shows, and a close at any time ends in order."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from explorer.paths import Folders, private_folder
from explorer.profiles.book import Profiles
from explorer.profiles.profile import Profile
from explorer.ui.app import opening
from explorer.ui.app.application import Application
from explorer.ui.frame.layout import VERSION, Layout
from explorer.ui.kit.theme import DARK, LIGHT, theme
from explorer.ui.own_pages import HOME
from explorer.ui.page import end_pages
from explorer.ui.pages.list.list_page import ListPage
from tests.forked import WINDOWS
from tests.gui.conftest import RunWindow, dressed, folders, run_window, service, until
from tests.house.sources import ROOT

__all__ = ["dressed", "folders", "run_window", "service"]

COLD = """
import linecache, os, sys
from explorer.cli.window import open_window, read_window_arguments
from PySide6.QtWidgets import QApplication, QPushButton

def told(stage):
    read = ["source read"] if any(file.endswith("list_state.py") for file in linecache.cache) else []
    print(stage, *sorted(sys.modules), *read, sep="\t", flush=True)
    if stage == sys.argv[2]:
        if sys.argv[3] == "exit":
            os._exit(0)
        next(w for w in QApplication.topLevelWidgets() if w.inherits("QMainWindow")).close()

sys.exit(open_window(read_window_arguments(["--home", sys.argv[1]]), told))
"""


def cold(home: Path, stage: str, then: str = "exit", *, warm: bool = False) -> dict[str, set[str]]:
    """The modules that are loaded at each stage of a start in a process of its own, up to ``stage``; ``warm``: all."""
    command = [sys.executable, "-c", COLD, str(home), stage, then]
    done = subprocess.run(
        WINDOWS.quick(command) if warm else command,
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {stage: set(modules) for stage, *modules in lines}


def on(modules: set[str], *names: str) -> set[str]:
    """Those of ``names`` that are loaded, or have a module below them that is."""
    return {n for n in names if any(m == n or m.startswith(n + ".") for m in modules)}


async def rows_there(app: Application) -> ListPage:
    """The list in front, with its rows laid out."""
    await until(lambda: app.window.tabs.current is not None, "the page")
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    await until(lambda: page.model.rowCount() and page._fitted and not page.tasks.busy(), "rows")
    turns = iter(range(10))
    await until(lambda: next(turns, None) is None, "the layout")
    return page


def test_nothing_heavy_is_loaded_before_the_first_paint_and_no_http_before_the_first_call(
    own_home: Path, folders: Folders
) -> None:
    _keep_connection_without_key(folders)
    stages = cold(own_home, "ready")
    heavy = ("pydantic", "httpx", "explorer.catalog", "explorer.api", "explorer.session", "explorer.profiles")
    not_yet = ("sqlite3", "asyncio", "qasync", "msgspec", "typer", "rich", "ssl", "explorer.store")
    assert on(stages["shown"], *heavy, *not_yet) == set()
    assert on(stages["ready"], "explorer.ui.pages.list.list_page")
    assert on(stages["ready"], "httpx", "typer", "rich", "click", "pygments") == set()
    assert on(stages["ready"], "keyring.core")
    assert on(stages["ready"], "keyring.backends.macOS", "keyring.backends.Windows") == set()
    assert "source read" not in stages["ready"], "Qt for Python looks for its features in each module"


def _keep_connection_without_key(folders: Folders) -> None:
    """A profile that nothing is sent for, with a list in front."""
    book = Profiles(folders)
    profile = Profile(
        id="acme", name="Acme", base_url="http://127.0.0.1:9", connection="c", connections=("c",)
    )
    book.save(profile)
    book.last_used = profile.id
    tabs = {"front": "ats/job", "open": [{"key": "ats/job", "state": {}}]}
    kept = {"version": VERSION, "values": {"tabs@acme": tabs}}
    (private_folder(folders.state) / "layout.json").write_text(json.dumps(kept))


@pytest.mark.parametrize("stage", ["shown", "ready"])
def test_a_close_at_any_time_ends_in_order(own_home: Path, folders: Folders, stage: str) -> None:
    stages = cold(own_home, stage, "close")
    assert ("ready" in stages) is (stage == "ready")
    assert (folders.state / "layout.json").exists() is (stage == "ready")


@pytest.mark.parametrize("choice", ["light", "dark"])
def test_the_window_shows_in_the_colours_that_were_chosen(
    dressed: QApplication, folders: Folders, choice: str
) -> None:
    private_folder(folders.state)
    kept = Layout(folders.state)
    kept.set("theme", choice)
    kept.save()
    before = theme().choice
    try:
        start = opening.show(Layout(folders.state))
        ground = start.window.grab().toImage().pixelColor(400, 300).name()
        assert ground == (DARK if choice == "dark" else LIGHT).window.lower()
        start.window.close_now()
        start.window.deleteLater()
    finally:
        theme().choose(before)


def test_pictures_that_earlier_versions_kept_are_removed(own_home: Path, folders: Folders) -> None:
    private_folder(folders.data)
    for name in ("sandbox.sight", "sandbox.sight.tmp"):
        (folders.data / name).write_bytes(b"a picture")
    cold(own_home, "ready", "close", warm=True)
    assert not list(folders.data.glob("*.sight*"))


def test_between_the_steps_of_entering_a_session_the_tabs_are_those_that_were_left(
    run_window: RunWindow,
) -> None:
    async def body(app: Application) -> None:
        window = app.window
        await rows_there(app)
        window.open_page("core/pipeline")
        left = window.tabs.save()
        session = app.session
        assert session is not None
        await end_pages(window.leave())
        turns = 0
        for _ in window.entering(session):
            turns += 1
            await until(lambda: True, "a turn")
            # What is kept when the window closes here; before the session is there, the tabs are left as they were.
            assert window.session is None or window.tabs.save()["front"] == left["front"]
        assert turns > 1
        assert window.tabs.current is not None
        assert window.tabs.current.resource.key == "core/pipeline"
        assert [one["key"] for one in window.tabs.save()["open"]] == [one["key"] for one in left["open"]]

    run_window(body)


def test_nothing_is_offered_while_a_profile_is_opened(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        def offered() -> bool:
            return any(button.isVisible() for button in app.window.start.findChildren(QPushButton))

        await rows_there(app)
        assert app.session is not None
        app.switch(app.session.profile.id)
        assert app.window.tabs.current is None
        assert not offered()
        await rows_there(app)
        app.window.tabs.close_current()
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource is HOME
        await until(lambda: not app.window.tasks.busy(), "the end of the page")

    run_window(body)


def test_a_page_that_is_asked_for_before_the_session_is_there_opens_with_it(run_window: RunWindow) -> None:
    async def body(app: Application) -> None:
        app.window.open_page("file-storage/drive")
        await until(lambda: app.window.tabs.current is not None, "the page")
        assert app.window.tabs.current is not None
        assert app.window.tabs.current.resource.key == "file-storage/drive"

    run_window(body)
