"""What is known to go wrong with lazy tables, tabs, loops and screens, tried on the whole window.

Each of these was seen to fail in a program that did not guard against it. What a room's own tests hold already is not
tried here again.
"""

from __future__ import annotations

import ast
import asyncio
import gc
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from explorer.paths import Folders
from explorer.profiles.profile import Guard, Profile
from explorer.ui.app.application import Application, application
from explorer.ui.own_pages import HOME
from explorer.ui.page import Page
from explorer.ui.pages.list.list_page import ListPage
from tests.flow.runs import program
from tests.gui.conftest import RunWindow, dressed, folders, run_window
from tests.gui.stage import until
from tests.house.sources import PACKAGE, dotted, modules
from tests.recording import Recording, Reply

__all__ = ["dressed", "folders", "run_window"]

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


async def list_page(app: Application, key: str) -> ListPage:
    """The page of a list, in front, with its first rows."""
    await until(lambda: app.session is not None, "the session")
    app.window.open_page(key)
    page = app.window.tabs.current
    assert isinstance(page, ListPage)
    await until(lambda: page.model.rowCount() > 0 and not page.tasks.busy("pull"), "the first rows")
    return page


def test_scrolling_passes_an_empty_page_in_the_middle(run_window: RunWindow) -> None:
    """A view asks again only when rows came: an empty page would be its end."""

    async def body(app: Application) -> None:
        page = await list_page(app, "file-storage/file")
        page.table.setFocus()
        bar = page.table.verticalScrollBar()

        def at_the_end() -> bool:
            # Neither of them fetches.
            page.table.setCurrentIndex(page.model.index(page.model.rowCount() - 1, 1))
            page.table.scrollToBottom()
            return bar.value() == bar.maximum() > page.model.rowCount()

        for rows in range(100, 600, 100):
            assert page.model.rowCount() == rows
            await until(at_the_end, "the last row in view")
            QTest.keyClick(page.table, Qt.Key.Key_Down)
            # One key, and nothing more: what follows is the table's own doing.
            await until(lambda rows=rows: page.model.rowCount() > rows, f"rows beyond {rows}")  # type: ignore[misc]
            await until(lambda: not page.tasks.busy("pull"), "the end of the page")
        assert page.pull is not None
        assert 0 in [each.rows for each in page.pull.page_list()]
        assert page.pull.state != "stopped"

    run_window(body, connection="conn_sandbox_messy.file-empty-page")


def test_closed_tabs_are_gone(run_window: RunWindow) -> None:
    """A tab that is only taken out of its bar keeps its page, its model and its rows for ever."""

    def pages() -> list[Page]:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        every = [widget for widget in QApplication.allWidgets() if isinstance(widget, Page)]
        return [page for page in every if page.resource is not HOME]  # which stands where no tab is open

    async def body(app: Application) -> None:
        await list_page(app, "ats/job")
        keys = [
            "ats/job",
            "file-storage/drive",
            "crm/contact",
            "connect/magic-link",
            "accounting/customer-income",
        ]

        async def around() -> int:
            for key in keys:
                app.window.open_page(key)
            assert len(pages()) == len(keys)
            while (page := app.window.tabs.current) is not None and page.resource is not HOME:
                app.window.tabs.close_current()
            await until(lambda: not pages() and not app.window.tasks.busy(), "the end of the closed pages")
            gc.collect()  # which the program leaves to a timer
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            return len(QApplication.allWidgets())

        first = await around()
        assert [await around() for _ in range(2)] == [first, first], (
            "as many widgets as after the first round"
        )

    run_window(body)


def test_closing_the_window_while_a_page_is_on_its_way_ends_in_order(run_window: RunWindow) -> None:
    """The end of the last window must not end the loop under what still runs."""
    sandboxes = []

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the session")
        assert app.session is not None
        app.window.open_page("ats/job")
        await until(lambda: app.session is not None and len(app.session.exchanges.all()) > 0, "a request")
        assert app.session.exchanges.all()[-1].state == "waiting"
        sandboxes.append(app._sandbox)

    assert run_window(body, connection="conn_sandbox_slow.drip") == 0
    assert [s is not None and s.running for s in sandboxes] == [False]


def test_the_loop_does_not_end_with_the_last_window(dressed: QApplication) -> None:
    assert not application().quitOnLastWindowClosed()


NUMBERS = {
    "id": "9223372036854775808",
    "name": "1234567890.12",
    "created_at": "-0.0",
    "modified_at": "1E400",
}


def test_numbers_that_neither_qt_nor_sqlite_holds_are_shown_and_kept_as_received(
    run_window: RunWindow, folders: Folders
) -> None:
    row = b'{"id": 9223372036854775808, "name": 1234567890.12, "created_at": -0.0, "modified_at": 1E400}'
    odd = b'{"id": NaN, "name": "\\ud800", "name": "twice", "confidential": -Infinity}'
    body_of_page = b'{"items": [' + row + b", " + odd + b'], "has_next_page": false, "next_cursor": null}'

    async def body(app: Application) -> None:
        await until(lambda: app.session is not None, "the sandbox")
        other = Profile(name="Odd", base_url=server.url, connection="conn_1", guard=Guard.OPEN, proxy="none")
        app.profiles.save(other)
        app.secrets.save(other, "k-0123456789")
        app.switch(other.id)
        await until(lambda: app.session is not None and app.session.profile.id == other.id, "the service")
        page = await list_page(app, "ats/job")
        columns = [column.field for column in page.model.columns]
        page.columns.set_zone("as received")
        for name, text in NUMBERS.items():
            if name in columns:
                cell = page.model.index(0, 1 + columns.index(name)).data()
                assert cell == text, name
        assert page.pull is not None
        assert page.pull.window(0, 2) == [row, odd]

    with Recording([Reply(body=body_of_page)]) as server:
        run_window(body)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there always is a screen")
def test_without_a_screen_one_sentence_and_code_3(tmp_path: Path) -> None:
    """Qt itself aborts, with a word about a library that is not what is missing."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    env = {k: v for k, v in os.environ.items() if k not in hidden} | {"UNIFIED_EXPLORER_HOME": str(tmp_path)}
    done = subprocess.run(program(), env=env, capture_output=True, timeout=60, check=False)
    said = done.stderr.decode()
    assert (done.returncode, done.stdout) == (3, b"")
    assert len(said.splitlines()) == 1
    assert "DISPLAY" in said
    assert "xcb" not in said


WORDS = (
    "SortFilterProxy",
    "QIdentityProxy",
    "QtAsyncio",
    "QEventLoop",
    "exec",
    "aboutToQuit",
    "loop_factory",
)
"""A file in which none of them stands has none of what `breaches` finds."""


def breaches(tree: ast.Module) -> list[str]:
    """What Qt and its loop offer and this program must not use, with its line.

    A proxy over lazy rows stops asking; a modal loop inside a coroutine and ``aboutToQuit`` hold or hang the end;
    QtAsyncio cannot run the client; ``asyncio.run`` takes no loop factory on 3.11; numbers belong to no cell's text.
    """
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            wrong = [
                n for n in names if re.search(r"SortFilterProxy|QIdentityProxy|QtAsyncio|QEventLoop$", n)
            ]
            found += [n for n in wrong if not n.startswith("qasync.")]
        elif isinstance(node, ast.Attribute) and node.attr in ("exec", "exec_", "aboutToQuit"):
            found.append(f"{dotted(node)}, line {node.lineno}")
        elif isinstance(node, ast.Call) and dotted(node.func) != "asyncio.Runner":
            found += [
                f"{dotted(node.func)}, line {node.lineno}" for w in node.keywords if w.arg == "loop_factory"
            ]
    return found


WITHOUT_A_LOOP = {"explorer/ui/app/opening.py", "explorer/cli/open.py"}
"""The first paints of the start, before there is a loop of asyncio, and a window that never has one."""


def test_what_hangs_or_goes_blind_is_not_used() -> None:
    found = {path: wrong for path, tree in modules(PACKAGE, WORDS) if (wrong := breaches(tree))}
    assert {path: wrong for path, wrong in found.items() if path not in WITHOUT_A_LOOP} == {}
    for path in WITHOUT_A_LOOP:
        assert all(re.search(r"exec|QEventLoop", wrong) for wrong in found.get(path, []))
        tree = ast.parse((PACKAGE.parent / path).read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.AsyncFunctionDef):
                assert breaches(ast.Module([node], [])) == [], f"{path}: inside a coroutine"


@pytest.mark.parametrize(
    "line",
    [
        "from PySide6.QtCore import QSortFilterProxyModel",
        "dialog.exec()",
        "menu.exec_(at)",
        "app.aboutToQuit.connect(end)",
        "from PySide6 import QtAsyncio",
        "asyncio.run(main(), loop_factory=f)",
    ],
)
def test_the_rule_sees(line: str) -> None:
    assert breaches(ast.parse(line))


def test_the_rule_lets_the_runner_pass() -> None:
    assert not breaches(ast.parse("asyncio.Runner(loop_factory=lambda: qasync.QEventLoop(app))"))
    assert asyncio.Runner is not None
