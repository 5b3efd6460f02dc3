"""The window's own commands, as data. Pages add theirs while they are current, and bind the ids that they share."""

from __future__ import annotations

import sys

from explorer.ui.kit.actions import Command

_MAC = sys.platform == "darwin"

# On a Mac Qt writes the Command key as Ctrl, and the Control key as Meta.
_NEXT, _BACK = ("Meta+Tab", "Meta+Shift+Tab") if _MAC else ("Ctrl+Tab", "Ctrl+Shift+Tab")

MENUS = ("File", "Edit", "View", "Go", "Request", "Help")

COMMANDS: tuple[Command, ...] = (
    Command("profiles.switch", "Switch profile or connection…", "Ctrl+P", "person", group="File"),
    Command("profiles.new", "New profile…", "Ctrl+N", "plus", group="File"),
    Command("profiles.open", "Profiles…", "Ctrl+Shift+O", group="File"),
    Command("profiles.import", "Import profiles…", group="File", section="exchange"),
    Command("profiles.export", "Export profiles…", group="File", section="exchange"),
    Command("interface.import", "Import an interface…", when="session", group="File", section="exchange"),
    Command("storage.open", "Stored data…", when="session", group="File", section="storage"),
    Command("bundle.open", "Open evidence bundle…", group="File", section="har"),
    Command("link.look", "Look at a link…", group="File", section="har"),
    Command("log.export_har", "Export HAR…", when="session", group="File", section="har"),
    Command("app.quit", "Quit", "Ctrl+Q", group="File", section="end"),
    # Without shortcuts of their own: a window shortcut would take Ctrl+C from the fields and tables it is meant for.
    Command("edit.undo", "Undo", when="edit.undo", group="Edit"),
    Command("edit.redo", "Redo", when="edit.redo", group="Edit"),
    Command("edit.cut", "Cut", when="edit.cut", group="Edit", section="clipboard"),
    Command("edit.copy", "Copy", icon="copy", when="edit.copy", group="Edit", section="clipboard"),
    Command("edit.paste", "Paste", when="edit.paste", group="Edit", section="clipboard"),
    Command("edit.select_all", "Select all", when="edit.select_all", group="Edit", section="all"),
    Command("view.theme_system", "Theme: follow the system", group="View", checkable=True),
    Command("view.theme_light", "Theme: light", group="View", checkable=True),
    Command("view.theme_dark", "Theme: dark", group="View", checkable=True),
    Command("view.zoom_in", "Zoom in", "Ctrl++; Ctrl+=", group="View", section="zoom"),
    Command("view.zoom_out", "Zoom out", "Ctrl+-", group="View", section="zoom"),
    Command("view.zoom_reset", "Zoom 100 %", "Ctrl+0", group="View", section="zoom"),
    Command("view.sidebar", "Sidebar", "Ctrl+B", group="View", checkable=True, section="panels"),
    Command(
        "view.icons",
        "Icons alone in the sidebar",
        "Ctrl+Alt+B",
        group="View",
        checkable=True,
        section="panels",
    ),
    Command(
        "view.inspector", "Inspector", "Ctrl+I", "panel-right", group="View", checkable=True, section="panels"
    ),
    Command(
        "view.log", "Request log", "Ctrl+L", "panel-bottom", group="View", checkable=True, section="panels"
    ),
    Command("view.sidebar_right", "Sidebar on the right", group="View", checkable=True, section="places"),
    Command(
        "view.inspector_below", "Inspector below the table", group="View", checkable=True, section="places"
    ),
    Command("view.log_right", "Request log on the right", group="View", checkable=True, section="places"),
    Command("view.next_panel", "Next panel", "F6", group="View", section="reset"),
    Command("view.notice", "Buttons of the newest notice or banner", "F9", group="View", section="reset"),
    Command("view.menus", "Menu bar", "F10", group="View", section="reset"),
    Command("view.reset", "Reset layout", group="View", section="reset"),
    Command("go.palette", "Go to…", "Ctrl+K", "search", group="Go"),
    Command("go.next_tab", "Next tab", _NEXT, when="tabs", group="Go", section="tabs"),
    Command("go.previous_tab", "Previous tab", _BACK, when="tabs", group="Go", section="tabs"),
    Command("go.further_tab", "Open in another tab", "Ctrl+Shift+T", when="list", group="Go", section="tabs"),
    Command("go.close_tab", "Close tab", "Ctrl+W", "close", when="tabs", group="Go", section="tabs"),
    Command("go.close_others", "Close other tabs", when="tabs", group="Go", section="tabs"),
    Command("request.send", "Send", "Ctrl+Return; Ctrl+Enter", "play", group="Request"),
    Command("request.stop", "Stop", "Ctrl+.", "stop", group="Request"),
    Command("request.reload", "Reload", "F5; Ctrl+R", "reload", group="Request"),
    Command("request.load_all", "Load all", "Ctrl+Shift+L", group="Request"),
    Command("request.beside", "Open side by side", "Ctrl+Shift+B", group="Request", section="beside"),
    Command("request.copy_curl", "Copy as cURL", "Ctrl+Shift+C", "copy", group="Request", section="copy"),
    Command(
        "log.hand_over",
        "Hand over the chosen request…",
        "Ctrl+Shift+Y",
        when="session",
        group="Request",
        section="copy",
    ),
    Command("help.guide", "Guide to this page", "F1", group="Help"),
    Command("help.shortcuts", "Keyboard shortcuts", "Ctrl+/", group="Help"),
    Command("help.log_folder", "Open log folder", group="Help"),
    Command("help.about", "About Unified Explorer", group="Help", section="about"),
)
