"""The window's own commands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QWidget

from explorer.ui.app.navigation import import_interface, look_at_link
from explorer.ui.app.window import Window
from explorer.ui.app.window_layout import log_height, size_panels
from explorer.ui.app.zoom import zoom_by
from explorer.ui.frame.window_commands import COMMANDS
from explorer.ui.kit.banner import Banner
from explorer.ui.kit.theme import Choice, theme
from explorer.ui.log.panel import BOTTOM, LEFT, RIGHT
from explorer.ui.pages.quality.bundle_open import ask_bundle
from explorer.ui.profiles.profiles_dialog import ProfilesDialog


def connect_commands(window: Window) -> None:
    """Make every command of the window known, and bind those that do not wait for a page."""
    runs: dict[str, Callable[[], object]] = {
        "profiles.switch": window.show_switcher,
        "profiles.new": window.new_profile,
        "profiles.open": window.show_profiles,
        "profiles.import": lambda: window.show_profiles(ProfilesDialog.choose_import),
        "profiles.export": lambda: window.show_profiles(ProfilesDialog.choose_export),
        "interface.import": lambda: import_interface(window),
        "log.export_har": window.requests.export_har,
        "log.hand_over": window.requests.hand_over,
        "bundle.open": lambda: ask_bundle(window, window.tasks, window.notices),
        "link.look": lambda: look_at_link(window),
        "storage.open": lambda: show_stored_data(window),
        "app.quit": window.close,
        **window.editing.runs(),
        "view.zoom_in": lambda: zoom_by(window, 1),
        "view.zoom_out": lambda: zoom_by(window, -1),
        "view.zoom_reset": lambda: zoom_by(window, 0),
        "view.next_panel": lambda: next_panel(window),
        "view.notice": lambda: enter_notice(window),
        "view.menus": lambda: window.menus.enter(),  # noqa: PLW0108 - the menus are made after the commands
        "view.reset": lambda: reset_layout(window),
        "go.palette": window.show_palette,
        "go.next_tab": lambda: window.tabs.step(1),
        "go.previous_tab": lambda: window.tabs.step(-1),
        "go.further_tab": window.tabs.open_further,
        "go.close_tab": window.tabs.close_current,
        "go.close_others": window.tabs.close_others,
        "help.guide": lambda: show_guide(window),
        "help.shortcuts": lambda: show_shortcuts(window),
        "help.about": lambda: show_about(window),
        "help.log_folder": lambda: open_folder(window),
    }
    switches = _switches(window)
    for command in COMMANDS:
        window.commands.add(command, runs.get(command.id) or switches.get(command.id))
    looks: tuple[Choice, ...] = ("system", "light", "dark")
    for look in looks:
        window.commands.add(window.commands.get(f"view.theme_{look}"), partial(choose_theme, window, look))
    show_switches(window)


def _switches(window: Window) -> dict[str, Callable[[], object]]:
    def flip(command: str, act: Callable[[bool], object]) -> Callable[[], None]:
        def run() -> None:
            act(window.commands.action(command).isChecked())
            show_switches(window)

        return run

    acts: dict[str, Callable[[bool], object]] = {
        "view.sidebar": window.side.setVisible,
        "view.icons": partial(choose_icons, window),
        "view.log": lambda on: window.log.unfold() if on else window.log.hide(),
        "view.inspector": lambda on: window.beside.place(visible=on, below=window.beside.below),
        "view.inspector_below": lambda on: window.beside.place(visible=True, below=on),
        "view.sidebar_right": lambda on: window.side.place(window, RIGHT if on else LEFT),
        "view.log_right": lambda on: window.log.place(window, RIGHT if on else BOTTOM),
    }
    return {command: flip(command, act) for command, act in acts.items()}


def show_switches(window: Window) -> None:
    """Updates the ticks in the View menu."""
    held = {
        "view.sidebar": not window.side.isHidden(),
        "view.icons": window.sidebar.folded,
        "view.log": not window.log.isHidden() and not window.log.folded,
        "view.inspector": window.beside.shown,
        "view.inspector_below": window.beside.below,
        "view.sidebar_right": window.dockWidgetArea(window.side) == RIGHT,
        "view.log_right": window.dockWidgetArea(window.log) == RIGHT,
        **{f"view.theme_{look}": theme().choice == look for look in ("system", "light", "dark")},
    }
    for command, holds in held.items():
        window.commands.action(command).setChecked(holds)


def show_palette(window: Window) -> None:
    """Opens the palette: everything, found by a few letters, or by what is pasted."""
    from explorer.ui.app import entries  # requests and forms, first wanted with the palette

    prompt = "Go to a page, command, profile or connection, or paste anything"
    window.editing.look()
    window.palette_.ask(entries.everything(window), prompt, offer=partial(entries.offer, window))


def show_switcher(window: Window) -> None:
    """Opens the palette with profiles and connections alone; Enter goes back to the previous profile."""
    from explorer.ui.app import entries

    found, at = entries.elsewhere(window)
    window.palette_.ask(found, "Switch to a profile or connection", current=at)


def show_profiles(window: Window, run: Callable[[ProfilesDialog], object]) -> ProfilesDialog:
    """Opens the profiles dialog; ``run`` is what it does first."""
    dialog = ProfilesDialog(window.desk, window.profile.id if window.profile else "", window)
    dialog.saved.connect(window.profile_saved)
    dialog.removed.connect(window.profile_removed)
    window.open_dialog(dialog)
    run(dialog)
    return dialog


def choose_theme(window: Window, look: Choice) -> None:
    """Uses a colour scheme and keeps the choice."""
    theme().choose(look)
    window.kept.set("theme", look)
    show_switches(window)


def choose_icons(window: Window, icons: bool) -> None:
    """Shows icons alone in the sidebar, or names, and keeps the choice."""
    window.sidebar.choose(icons)
    window.kept.set("sidebar/icons", window.sidebar.choice)


def reset_layout(window: Window) -> None:
    """Resets the panels to their first places; tabs and columns stay."""
    window.side.place(window, LEFT)
    window.log.place(window, BOTTOM)
    window.side.show()
    window.log.show()
    window.log.tall = log_height(window.height())
    window.sidebar.restore(None)
    for name in ("inspector", "sidebar/"):
        window.kept.forget(name)
    window.beside.restore({"right": None, "below": None})
    size_panels(window)
    show_switches(window)


def next_panel(window: Window) -> None:
    """Moves the focus to the next panel: sidebar, page, inspector, log."""
    places: list[QWidget] = [window.sidebar.tree]
    if (page := window.tabs.current) is not None:
        places.append(page.body() or page)
    else:
        places.append(window.start)
    places += [p for p in (window.beside.frame, window.log) if p.isVisible()]
    focus = QApplication.focusWidget()
    inside = [i for i, p in enumerate(places) if focus is not None and (p is focus or p.isAncestorOf(focus))]
    at = max(inside, default=-1)
    for step in range(1, len(places) + 1):
        if enter(places[(at + step) % len(places)]):
            window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)  # as Tab does by itself
            return


def enter_notice(window: Window) -> None:
    """Moves the focus to the first button of the newest notice, else of a banner on the page in front."""
    page = window.tabs.current
    banners = [*window.strip.banners(), *(page.findChildren(Banner) if page is not None else ())]
    ways = (one for banner in banners if banner.isVisible() for one in (*banner.buttons(), banner))
    if any(map(enter, ways)):
        window.setAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)


def enter(place: QWidget) -> bool:
    """Moves the focus to the first control of ``place`` that takes it. Returns whether one did."""
    wanted = Qt.FocusPolicy.TabFocus.value
    for one in (place, *place.findChildren(QWidget)):
        if one.isVisible() and one.isEnabled() and one.focusPolicy().value & wanted:
            one.setFocus(Qt.FocusReason.TabFocusReason)
            return True
    return False


def show_guide(window: Window) -> None:
    """Explains what is chosen on the page in front, else opens the guides at the one for that page."""
    from explorer.ui.help import Guides, guide_for  # first wanted when somebody asks

    front = window.tabs.current
    if front is not None and front.explain():
        return
    window.open_dialog(Guides(guide_for(front.resource.key if front is not None else ""), window))


def show_shortcuts(window: Window) -> None:
    """Opens the list of all keyboard shortcuts."""
    from explorer.ui.help import Shortcuts

    window.open_dialog(Shortcuts(window.commands, window))


def show_about(window: Window) -> None:
    """Says what the program is, and which version."""
    from explorer.ui.help import About

    window.open_dialog(About(window))


def show_stored_data(window: Window) -> None:
    """Opens the dialog "Stored data"."""
    from explorer.ui.app.stored_data import open_stored_data

    open_stored_data(window)


def open_folder(window: Window) -> None:
    """Shows the log folder in the system's file browser, or says where it is."""
    folder = window.log_folder
    folder.mkdir(parents=True, exist_ok=True)
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        window.notices.tell("info", "The log folder", str(folder))
