"""The main window: wiring only. What it shows lives in the modules around it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QMainWindow

from explorer.catalog import registry
from explorer.catalog.spec import Resource
from explorer.ui.actions import Commands
from explorer.ui.notices import Notices
from explorer.ui.tasks import Tasks
from explorer.ui.theme import icon, theme
from explorer.ui.views import entries, window_layout
from explorer.ui.views.banner import NoticeStrip
from explorer.ui.views.beside import Beside
from explorer.ui.views.inspector import Inspector
from explorer.ui.views.layout import Layout
from explorer.ui.views.menus import Menus
from explorer.ui.views.page import Page, PageContext, end_pages
from explorer.ui.views.pages import make_page
from explorer.ui.views.palette import Palette
from explorer.ui.views.panel import add_panels
from explorer.ui.views.profiles_dialog import Desk, ProfilesDialog
from explorer.ui.views.request_log import RequestLog
from explorer.ui.views.sidebar import Sidebar
from explorer.ui.views.start_page import StartPage
from explorer.ui.views.status import Status
from explorer.ui.views.tabs import Tabs
from explorer.ui.views.window_runs import connect_commands, enter

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange
    from explorer.api.guard import Permit
    from explorer.catalog.request import Request
    from explorer.profiles.profile import Profile
    from explorer.session import Session
    from explorer.ui.models.record_view import RecordView


class MainWindow(QMainWindow):
    """Shows one session at a time. What the user wants beyond it (another profile, the end) it only says."""

    profile_wanted = Signal(str)
    connection_wanted = Signal(str)
    profile_saved = Signal(object, bool)
    profile_removed = Signal(str)
    closing = Signal()

    def __init__(self, desk: Desk, notices: Notices, layout: Layout, log_folder: Path) -> None:
        super().__init__()
        self.desk, self.notices, self.kept, self.log_folder = desk, notices, layout, log_folder
        self.profile: Profile | None = None
        self.session: Session | None = None
        self.context: PageContext | None = None
        self.before = ""
        """The profile that was in use before this one: Enter in the switcher goes back to it."""
        self._subscription: Callable[[], None] | None = None
        self._may_close = False
        self.setWindowTitle("Unified Explorer")
        self.setWindowIcon(icon("app"))
        self.setMinimumSize(QSize(800, 520))
        self.tasks = Tasks(self, notices.report)
        self.commands = Commands(self)
        self._build()
        connect_commands(self)
        self.menus = Menus(self, self.commands)
        self.sidebar.set_goto_shortcut(self._keys("go.palette"))
        self.sidebar.head.set_shortcut(self._keys("profiles.switch"))
        notices.posted.connect(self.strip.show_notice)
        window_layout.restore(self)

    def _keys(self, command: str) -> str:
        keys = self.commands.action(command).shortcut()
        return keys.toString(QKeySequence.SequenceFormat.NativeText).replace("+", " ")

    def _build(self) -> None:
        self.sidebar = Sidebar()
        self.sidebar.opened.connect(self.open_page)
        self.sidebar.goto_wanted.connect(self.show_palette)
        self.sidebar.switch_wanted.connect(self.show_switcher)
        self.start = StartPage([r for r in registry.resources() if r.listing])
        self.start.open_wanted.connect(self.open_page)
        self.start.goto_wanted.connect(self.show_palette)
        self.start.new_profile_wanted.connect(self.new_profile)
        self.tabs = Tabs(self.start, self._make_page)
        self.tabs.current_changed.connect(self._front)
        self.tabs.closed.connect(self._closed)
        self.setCentralWidget(self.tabs)
        self.inspector = Inspector()
        self.beside = Beside(self.inspector, self)
        self.requests = RequestLog()
        self.side, self.log = add_panels(self, self.sidebar, self.requests)
        self.status = Status(self)
        self.setStatusBar(self.status)
        self.palette_ = Palette(self)
        self.strip = NoticeStrip(self)

    # ------------------------------------------------------------ profile and session

    def show_profile(self, profile: Profile) -> list[Page]:
        """Take the colours and name of ``profile`` at once. Gives back the pages of the one before, to be ended."""
        if self.profile is not None and self.profile.id != profile.id:
            self.before = self.profile.id
        pages = self.leave()
        self.profile = profile
        self.sidebar.head.show_profile(profile)
        self.sidebar.model.set_counts({})
        self.start.show_profile(profile)
        self.status.source(profile)
        self.status.connection("opening")
        self.setWindowTitle(f"{profile.name} – Unified Explorer")
        return pages

    def leave(self) -> list[Page]:
        """Let go of the session: nothing of it is heard any more. Gives back its pages, to be ended."""
        window_layout.save(self)
        if self._subscription is not None:
            self._subscription()
        self._subscription = self.session = self.context = None
        self.commands.allow("session", False)
        self.palette_.dismiss()
        self.inspector.show_record(None)
        self.requests.set_exchanges(None)
        pages = self.tabs.take_all()
        for page in pages:
            self.beside.forget(page)
        return pages

    def enter(self, session: Session) -> None:
        """Show ``session``: its log, its counts, the tabs that were open last."""
        self.session = session
        self.profile = session.profile
        self.status.source(session.profile)
        self.status.connection("idle")
        self._subscription = session.exchanges.subscribe(self._heard)
        self.context = PageContext(
            session, self.notices, self.commands, theme(), self.kept, self.confirm_write, self.desk.secrets
        )
        self.requests.set_exchanges(session.exchanges)
        self.sidebar.model.set_counts(session.kept())
        self.commands.allow("session")
        window_layout.restore_tabs(self)

    async def confirm_write(self, request: Request) -> Permit | None:
        """Ask the user, where the profile wants it."""
        from explorer.ui.views.write_dialog import confirm_write

        return await confirm_write(request, self.session.profile, self) if self.session else None

    def _heard(self, exchange: Exchange) -> None:
        self.status.heard(exchange)

    # ------------------------------------------------------------ pages

    def open_page(self, key: str) -> None:
        """Bring the page of a resource to the front."""
        if self.context is not None:
            self.tabs.open(registry.resource(key), self.kept.get(window_layout.key(self, f"page/{key}")))

    def _make_page(self, resource: Resource) -> Page:
        if self.context is None:
            raise RuntimeError("a page needs a session")
        page = make_page(resource, self.context)
        page.record_chosen.connect(lambda record, page=page: self._chosen(page, record))
        page.status.connect(lambda words, page=page: self._said(page, words))
        page.commands_changed.connect(lambda page=page: self._offer(page))
        page.rows_changed.connect(self.sidebar.model.set_count)
        return page

    def _front(self, page: Page | None) -> None:
        self.sidebar.show_current(page.resource.key if page else None)
        self.commands.allow("tabs", page is not None)
        self.commands.offer(page.commands() if page else [])
        self.status.page(page.status_text if page else "")
        self.inspector.show_record(None)
        self.beside.show_on(page)
        if page is not None:
            enter(page.body() or page)

    def _chosen(self, page: Page, record: RecordView | None) -> None:
        if page is self.tabs.current:
            self.inspector.show_record(record)

    def _said(self, page: Page, words: str) -> None:
        if page is self.tabs.current:
            self.status.page(words)

    def _offer(self, page: Page) -> None:
        if page is self.tabs.current:
            self.commands.offer(page.commands())

    def _closed(self, page: Page, state: dict[str, Any]) -> None:
        self.kept.set(window_layout.key(self, f"page/{page.resource.key}"), state)
        self.beside.forget(page)
        self.tasks.start(f"end {id(page)}", end_pages([page]))

    # ------------------------------------------------------------ palette and dialogs

    def show_palette(self) -> None:
        """Everything there is, by a few letters."""
        self.palette_.ask(entries.everything(self), "Go to a page, command, profile or connection")

    def show_switcher(self) -> None:
        """Profiles and connections alone; Enter goes back to the profile before."""
        found, at = entries.elsewhere(self)
        self.palette_.ask(found, "Switch to a profile or connection", current=at)

    def show_profiles(self, run: Callable[[ProfilesDialog], object] = lambda _: None) -> ProfilesDialog:
        """The profiles dialog; ``run`` is what it does first."""
        dialog = ProfilesDialog(self.desk, self.profile.id if self.profile else "", self)
        dialog.saved.connect(self.profile_saved)
        dialog.removed.connect(self.profile_removed)
        self.open_dialog(dialog)
        run(dialog)
        return dialog

    def new_profile(self) -> None:
        """The profiles dialog on an empty form."""
        self.show_profiles(ProfilesDialog.start_new)

    def open_dialog(self, dialog: QDialog) -> None:
        """Show it without blocking, and delete it in the end."""
        self.palette_.dismiss()
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # ------------------------------------------------------------ the end

    def closeEvent(self, event: QCloseEvent) -> None:
        # The loop still runs work that uses the window: it goes when that has ended (application.py).
        if self._may_close:
            super().closeEvent(event)
            return
        event.ignore()
        window_layout.save(self)
        self.closing.emit()

    def close_now(self) -> None:
        """Close for good, when everything has ended."""
        self._may_close = True
        self.close()
