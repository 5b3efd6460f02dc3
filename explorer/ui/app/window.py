"""The main window as its parts see it: its pieces by name, and what they may ask of it.

`MainWindow` is the one that there is. Its parts name this class, so that none of them imports the window that is made
of them; it imports nothing of the program, as the window stands before that is imported.
"""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QMainWindow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from explorer.catalog.registry import Registry
    from explorer.catalog.spec import Resource
    from explorer.profiles.profile import Profile
    from explorer.session import Session
    from explorer.session.connection_facts import Learning
    from explorer.ui.frame.editing import Editing
    from explorer.ui.frame.inspector_place import InspectorPlace
    from explorer.ui.frame.layout import Layout
    from explorer.ui.frame.menus import Menus
    from explorer.ui.frame.palette import Palette
    from explorer.ui.frame.sidebar import Sidebar
    from explorer.ui.frame.start_page import StartPage
    from explorer.ui.frame.status import Status
    from explorer.ui.frame.tabs import Tabs
    from explorer.ui.frame.unfinished import Unfinished
    from explorer.ui.inspector.inspector import Inspector
    from explorer.ui.kit.actions import Commands
    from explorer.ui.kit.banner import NoticeStrip
    from explorer.ui.kit.notices import Notices
    from explorer.ui.kit.tasks import Tasks
    from explorer.ui.log.panel import LogPanel, Panel
    from explorer.ui.log.request_log import RequestLog
    from explorer.ui.page import Page
    from explorer.ui.profiles.needs_strip import Gate
    from explorer.ui.profiles.profiles_dialog import ProfilesDialog, ProfileServices


class Window(QMainWindow):
    """Shows one session at a time. What the user wants beyond it (another profile, the end) it only says."""

    profile_wanted = Signal(str)
    connection_wanted = Signal(str)
    elsewhere_wanted = Signal(str, str)
    """The id of a profile, and one of its connections."""
    profile_saved = Signal(object, bool)
    profile_removed = Signal(str)
    closing = Signal()

    profile: Profile | None
    session: Session | None
    learning: Learning | None
    """Learns from the session's answers what its connection has."""
    before: str
    """The profile that was in use before this one: Enter in the switcher goes back to it."""
    on_other_connection: bool = False
    """The profile was in use before with another connection: the page in front was chosen for that one."""
    again: bool = False
    """The program is to start again when this window has closed."""
    furnished: bool
    """Whether the window is filled."""

    # What `window_parts.furnish` sets.
    desk: ProfileServices
    notices: Notices
    kept: Layout
    log_folder: Path
    tasks: Tasks
    commands: Commands
    editing: Editing
    menus: Menus
    sidebar: Sidebar
    start: StartPage
    tabs: Tabs
    inspector: Inspector
    beside: InspectorPlace
    requests: RequestLog
    side: Panel
    log: LogPanel
    status: Status
    palette_: Palette
    strip: NoticeStrip
    gate: Gate
    unfinished: Unfinished

    @property
    def registry(self) -> Registry:
        """The registry of the profile in use; the built-in interface's while none is open."""
        from explorer.catalog.interfaces import registry_of  # not at the top: the window stands before it

        return self.session.registry if self.session is not None else registry_of()

    @abstractmethod
    def furnish(
        self, desk: ProfileServices, notices: Notices, layout: Layout, log_folder: Path
    ) -> Iterator[None]:
        """Fills the window, a piece at each step; the loop may run between them."""

    @abstractmethod
    def open_page(self, key: str, *, asks: bool = True) -> None:
        """Bring the page of a resource to the front; while a session is being opened, as soon as it is.

        ``asks``: what a page held back after a switch may be sent now.
        """

    @abstractmethod
    def do_on(self, connection: str, do: Callable[[], object]) -> None:
        """Do something on that connection of the profile: switch to it first, where it is not open."""

    @abstractmethod
    def make_page(self, resource: Resource) -> Page:
        """Makes the page of a resource and connects it to the window."""

    @abstractmethod
    def show_front(self, page: Page | None) -> None:
        """Shows what belongs to the page that came to the front: title, counts, commands."""

    @abstractmethod
    def end_page(self, page: Page, state: dict[str, Any]) -> None:
        """Saves the state of a page that was closed, and ends it."""

    @abstractmethod
    def show_palette(self) -> None:
        """Everything there is, by a few letters."""

    @abstractmethod
    def show_switcher(self) -> None:
        """Profiles and connections alone; Enter goes back to the profile before."""

    @abstractmethod
    def show_profiles(self, run: Callable[[ProfilesDialog], object] = ...) -> ProfilesDialog:
        """The profiles dialog; ``run`` is what it does first."""

    @abstractmethod
    def new_profile(self) -> None:
        """The profiles dialog on an empty form."""

    @abstractmethod
    def open_dialog(self, dialog: QDialog) -> None:
        """Show it without blocking, and delete it in the end."""
