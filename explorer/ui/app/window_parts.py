"""What stands in the main window, and its first tabs, put there piece by piece: no piece holds the loop for long.

The whole of it takes some hundred milliseconds of a cold start, and the window is on the screen by then.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtGui import QKeySequence

from explorer.ui.app import window_layout
from explorer.ui.app.window import Window
from explorer.ui.app.window_runs import connect_commands, show_switches
from explorer.ui.frame.editing import Editing
from explorer.ui.frame.inspector_place import InspectorPlace, SmallWindow
from explorer.ui.frame.menus import Menus
from explorer.ui.frame.palette import Palette
from explorer.ui.frame.sidebar import Sidebar
from explorer.ui.frame.start_page import StartPage
from explorer.ui.frame.status import Status
from explorer.ui.frame.tabs import FURTHER, Tabs
from explorer.ui.frame.unfinished import Unfinished
from explorer.ui.inspector.inspector import Inspector
from explorer.ui.kit.actions import Commands
from explorer.ui.kit.banner import NoticeStrip
from explorer.ui.kit.focus_ring import FocusRing
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import icon
from explorer.ui.log.panel import add_panels
from explorer.ui.log.request_log import RequestLog
from explorer.ui.own_pages import page_resources, verticals
from explorer.ui.profiles.needs_strip import Gate

_FIRST = "ats/job"
"""What the sandbox opens on at the first start."""


def furnish(window: Window) -> Iterator[None]:
    """Make every part of ``window`` and wire it; after the last step the window is whole."""
    window.setWindowIcon(icon("app"))
    window.tasks = Tasks(window, window.notices.report)
    window.commands = Commands(window)
    window.editing = Editing(window.commands, window)
    window.sidebar = _sidebar(window)
    yield
    window.start = _start(window)
    window.tabs = _tabs(window)
    window.sidebar.tree.is_open = window.tabs.has
    window.sidebar.close_wanted.connect(window.tabs.close_page)
    window.gate = Gate()
    window.tabs.put_over_page(window.gate)
    window.setCentralWidget(window.tabs)
    yield
    window.inspector = Inspector()
    window.beside = InspectorPlace(window.inspector, window)
    yield
    window.requests = RequestLog(notices=window.notices)
    window.side, window.log = add_panels(window, window.sidebar, window.requests)
    window.status = Status(window)
    window.setStatusBar(window.status)
    window.sidebar.folded_changed.connect(window.status.name_connection)
    yield
    window.palette_ = Palette(window)
    window.strip = NoticeStrip(window, window.log)
    window.unfinished = Unfinished(window.tabs, window.notices, window.close)
    FocusRing(window)
    connect_commands(window)
    window.menus = Menus(window, window.commands)
    window.menus.menu("Edit").aboutToShow.connect(window.editing.look_with_clipboard)
    window.sidebar.set_goto_shortcut(_keys(window, "go.palette"))
    window.sidebar.head.set_shortcut(_keys(window, "profiles.switch"))
    window.sidebar.set_names_shortcut(_keys(window, "view.icons"))
    window.sidebar.names.clicked.connect(lambda _: window.commands.run("view.icons"))
    window.notices.posted.connect(window.strip.show_notice)
    yield
    window_layout.restore(window)
    room = SmallWindow(window, window.tabs, window.beside, window.log, window.sidebar)
    room.changed.connect(lambda: show_switches(window))
    show_switches(window)


def _sidebar(window: Window) -> Sidebar:
    made = Sidebar(verticals(window.registry))
    made.opened.connect(window.open_page)
    made.goto_wanted.connect(window.show_palette)
    made.switch_wanted.connect(window.show_switcher)
    return made


def _start(window: Window) -> StartPage:
    made = StartPage()
    made.goto_wanted.connect(window.show_palette)
    made.new_profile_wanted.connect(window.new_profile)
    return made


def _tabs(window: Window) -> Tabs:
    made = Tabs(window.start, window.make_page)
    made.current_changed.connect(window.show_front)
    made.closed.connect(window.end_page)
    return made


def _keys(window: Window, command: str) -> str:
    keys = window.commands.action(command).shortcut()
    return keys.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")


def restore_tabs(window: Window) -> Iterator[None]:
    """The tabs that were open last in this profile, the one in front last; at the very first, the sandbox's jobs.

    Tabs whose page is gone are left out. If the front one was such a tab, the tab that is selected in its place shows.
    """
    known = page_resources(window.registry)
    kept = window.kept.get(window_layout.key(window, "tabs"))
    if not isinstance(kept, dict):
        if window.profile is not None and window.profile.is_builtin and _FIRST in known:
            window.open_page(_FIRST)
        return
    for one in kept.get("open", []):
        tab = str(one.get("key")) if isinstance(one, dict) else ""
        if (resource := known.get(tab.partition(FURTHER)[0])) is not None:
            window.tabs.open(resource, one.get("state"), front=False, key=tab)
    front = kept.get("front") if window.tabs.has(kept.get("front", "")) else window.tabs.selected
    if front is not None:
        there = window.tabs.page(front)
        window.tabs.prepare(front)
        if there is None and (page := window.tabs.page(front)) is not None:
            page.restored = window.on_other_connection
        yield
        window.tabs.open(known[front.partition(FURTHER)[0]], key=front)
