"""What stands in the main window, put there piece by piece: no piece holds the loop for long.

The whole of it takes some hundred milliseconds of a cold start, and the window is on the screen by then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from explorer.catalog import registry
from explorer.ui.actions import Commands
from explorer.ui.tasks import Tasks
from explorer.ui.theme import icon
from explorer.ui.views import window_layout
from explorer.ui.views.banner import NoticeStrip
from explorer.ui.views.beside import Beside
from explorer.ui.views.focus_ring import FocusRing
from explorer.ui.views.gate import Gate
from explorer.ui.views.inspector import Inspector
from explorer.ui.views.menus import Menus
from explorer.ui.views.palette import Palette
from explorer.ui.views.panel import add_panels
from explorer.ui.views.request_log import RequestLog
from explorer.ui.views.sidebar import Sidebar
from explorer.ui.views.start_page import StartPage
from explorer.ui.views.status import Status
from explorer.ui.views.tabs import Tabs
from explorer.ui.views.unfinished import Unfinished
from explorer.ui.views.window_runs import connect_commands

if TYPE_CHECKING:
    from explorer.ui.views.main_window import MainWindow


def furnish(window: MainWindow) -> Iterator[None]:
    """Make every part of ``window`` and wire it; after the last step the window is whole."""
    window.setWindowIcon(icon("app"))
    window.tasks = Tasks(window, window.notices.report)
    window.commands = Commands(window)
    window.sidebar = _sidebar(window)
    yield
    window.start = _start(window)
    window.tabs = _tabs(window)
    window.gate = Gate()
    window.tabs.put_above(window.gate)
    window.setCentralWidget(window.tabs)
    yield
    window.inspector = Inspector()
    window.beside = Beside(window.inspector, window)
    yield
    window.requests = RequestLog()
    window.side, window.log = add_panels(window, window.sidebar, window.requests)
    window.status = Status(window)
    window.setStatusBar(window.status)
    yield
    window.palette_ = Palette(window)
    window.strip = NoticeStrip(window)
    window.unfinished = Unfinished(window)
    FocusRing(window)
    connect_commands(window)
    window.menus = Menus(window, window.commands)
    window.sidebar.set_goto_shortcut(_keys(window, "go.palette"))
    window.sidebar.head.set_shortcut(_keys(window, "profiles.switch"))
    window.notices.posted.connect(window.strip.show_notice)
    yield
    window_layout.restore(window)


def _sidebar(window: MainWindow) -> Sidebar:
    made = Sidebar()
    made.opened.connect(window.open_page)
    made.goto_wanted.connect(window.show_palette)
    made.switch_wanted.connect(window.show_switcher)
    return made


def _start(window: MainWindow) -> StartPage:
    made = StartPage([r for r in registry.resources() if r.listing])
    made.open_wanted.connect(window.open_page)
    made.goto_wanted.connect(window.show_palette)
    made.new_profile_wanted.connect(window.new_profile)
    return made


def _tabs(window: MainWindow) -> Tabs:
    made = Tabs(window.start, window.make_page)
    made.current_changed.connect(window.show_front)
    made.closed.connect(window.end_page)
    return made


def _keys(window: MainWindow, command: str) -> str:
    keys = window.commands.action(command).shortcut()
    return keys.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")
