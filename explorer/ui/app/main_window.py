"""The main window: wiring only. What it shows lives in the modules around it.

It stands before they are imported: an empty one shows first, `furnish` puts everything else into it
(window_parts.py). So nothing of the program is imported here at the top; what a method needs it names itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog

from explorer.ui.app import window_layout
from explorer.ui.app.window import Window
from explorer.ui.kit.theme import theme

if TYPE_CHECKING:
    from explorer.api.exchanges import Exchange
    from explorer.api.guard import Permit
    from explorer.catalog.request import Request
    from explorer.catalog.spec import Resource
    from explorer.profiles.profile import Profile
    from explorer.session import Session
    from explorer.session.connection_facts import Learning
    from explorer.ui.frame.layout import Layout
    from explorer.ui.kit.notices import Notices
    from explorer.ui.page import Page, PageContext
    from explorer.ui.profiles.profiles_dialog import ProfilesDialog, ProfileServices
    from explorer.ui.records.record_view import RecordView


LEAST = (640, 400)
"""The window is never smaller, in pixels."""


class MainWindow(Window):
    """The main window; see `Window`."""

    def __init__(self) -> None:
        super().__init__()
        theme().dress(self)
        self.profile: Profile | None = None
        self.session: Session | None = None
        self.context: PageContext | None = None
        self.learning: Learning | None = None
        self._tested: dict[str, Sequence[Exchange]] = {}
        """The calls of tests of profiles at each address, until a session there has learned of them."""
        self._hears_test = False
        self.before = ""
        self.furnished = False
        self._subscription: Callable[[], None] | None = None
        self._may_close = self._sure = False
        self._drafts: dict[str, Any] = {}
        self._wanted = ""
        self._then: tuple[str, Callable[[], object]] | None = None
        self.setWindowTitle("Unified Explorer")
        self.setMinimumSize(QSize(*LEAST))

    def furnish(
        self, desk: ProfileServices, notices: Notices, layout: Layout, log_folder: Path
    ) -> Iterator[None]:
        """Put everything into the window, a piece at each step; the loop may turn between them."""
        from explorer.ui.app.window_parts import furnish

        self.desk, self.notices, self.kept, self.log_folder = desk, notices, layout, log_folder
        yield from furnish(self)
        self.furnished = True

    # ------------------------------------------------------------ profile and session

    def show_profile(self, profile: Profile) -> list[Page]:
        """Shows the colours and name of ``profile`` at once. Returns the pages of the previous one, to be ended."""
        last = self.profile
        if last is not None and last.id != profile.id:
            self.before = last.id
        self.on_other_connection = (
            last is not None and last.id == profile.id and last.connection != profile.connection
        )
        self.gate.leave(profile.id)
        pages = self.leave()
        self._wanted, self._then = "", None
        self.profile = profile
        self.sidebar.head.show_profile(profile)
        self.sidebar.model.set_counts({})
        self.start.offer(False)
        self.status.source(profile)
        self.status.connection("opening")
        self._say_title(None)
        return pages

    def _say_title(self, page: Page | None) -> None:
        """Names page, connection and profile: with a narrow sidebar the connection stands nowhere else."""
        from explorer.ui.kit.plain import visible

        profile = self.profile
        named = (profile.connection, profile.name) if profile is not None else ()
        said = " · ".join(filter(None, (page.resource.title if page else "", *named)))
        self.setWindowTitle(visible(f"{said} – Unified Explorer" if said else "Unified Explorer"))

    def leave(self) -> list[Page]:
        """Disconnects from the session. Returns its pages, to be ended."""
        window_layout.save(self)
        if self._subscription is not None:
            self._subscription()
        if self.learning is not None:
            self.learning.close()
        self._subscription = self.session = self.context = self.learning = None
        self.commands.allow("session", False)
        self.palette_.dismiss()
        self.inspector.show_record(None)
        self.requests.set_exchanges(None)
        pages = self.tabs.take_all()
        for page in pages:
            self.beside.forget(page)
        return pages

    def tested(self, address: str, calls: Sequence[Exchange]) -> None:
        """A profile at that address was tested with these calls: what its connection has is known by now.

        They are in the request log: of the open session where it is at that address, else of the next that is.
        """
        if self.learning is not None and self.profile is not None and self.profile.base_url == address:
            self._take_test(calls)
        else:
            self._tested[address] = (*self._tested.get(address, ()), *calls)

    def entering(self, session: Session) -> Iterator[None]:
        """Shows ``session``: its log, its counts, the tabs that were open last.

        In steps: the loop may turn between them. To be dropped when another profile is shown meanwhile.
        """
        from explorer.session.connection_facts import Learning
        from explorer.ui.app.navigation import navigator_of
        from explorer.ui.app.stored_room import room_of
        from explorer.ui.app.window_parts import restore_tabs
        from explorer.ui.own_pages import HOME, page_resources, verticals
        from explorer.ui.page import PageContext
        from explorer.ui.pages.home.last_run import mark_found

        yield
        self.session = session
        self.profile = session.profile
        self.status.source(session.profile)
        self.status.connection("idle")
        self._subscription = session.exchanges.subscribe(self._heard)
        self.learning = Learning(session)
        self._take_test(self._tested.pop(session.profile.base_url, ()))
        self.learning.subscribe(self.show_missing)
        self.context = PageContext(
            session,
            self.notices,
            self.commands,
            theme(),
            self.kept,
            self.confirm_write,
            self.desk.secrets,
            navigator_of(self),
            learning=self.learning,
            drafts=self._drafts,
        )
        self.requests.set_exchanges(session.exchanges)
        self.sidebar.show_verticals(verticals(session.registry))
        self.sidebar.model.set_counts(session.kept())
        self.show_missing()
        self.commands.allow("session")
        yield from restore_tabs(self)
        room_of(self).look_soon()
        self.tasks.start("found", mark_found(session, self.context.found))
        wanted, self._wanted = self._wanted, ""
        # Until now the sidebar showed what could be asked of the profile before.
        if wanted in page_resources(session.registry):
            self.open_page(wanted)
        elif not self.tabs.bar.count():
            self.open_page(HOME.key)
        then, self._then = self._then, None
        if then is not None and then[0] == session.connection:
            then[1]()

    def do_on(self, connection: str, do: Callable[[], object]) -> None:
        """Do something on that connection of the profile: switch to it first, where it is not open."""
        if self.session is not None and self.session.connection == connection:
            do()
        else:
            self.connection_wanted.emit(connection)
            self._then = connection, do

    def show_missing(self) -> None:
        """Let the sidebar show what the connection does not have, as far as answers have shown it."""
        from explorer.session.connection_facts import missing

        if self.session is not None and self.learning is not None:
            self.sidebar.model.set_missing(missing(self.session, self.learning.known()))

    async def confirm_write(self, request: Request) -> Permit | None:
        """Asks the user, if the profile wants it."""
        from explorer.ui.call.write_dialog import confirm_write

        return await confirm_write(request, self.session.profile, self) if self.session else None

    def _take_test(self, calls: Sequence[Exchange]) -> None:
        if self.learning is not None:
            self.learning.of_test(calls)
            self._hears_test = True
            try:
                self.learning.log_test(calls)
            finally:
                self._hears_test = False

    def _heard(self, exchange: Exchange) -> None:
        if not self._hears_test:  # what was typed for a test may not be what the profile has
            self.status.heard(exchange)

    # ------------------------------------------------------------ pages

    def open_page(self, key: str, *, asks: bool = True) -> None:
        """Bring the page of a resource to the front; while a session is being opened, as soon as it is.

        ``asks``: what a page held back after a switch may be sent now.
        """
        from explorer.ui.own_pages import page_resources

        if self.context is None:
            self._wanted = key
        else:
            resource = page_resources(self.registry)[key]
            self.tabs.open(resource, self.kept.get(window_layout.key(self, f"page/{key}")))
            page = self.tabs.page(key)
            if page is not None and page.restored and asks:
                page.ask_again()

    def make_page(self, resource: Resource) -> Page:
        from explorer.ui.app.page_registry import make_page
        from explorer.ui.app.stored_room import room_of

        if self.context is None:
            raise RuntimeError("a page needs a session")
        page = make_page(resource, self.context)
        page.record_chosen.connect(lambda record, page=page: self._chosen(page, record))
        page.status.connect(lambda words, page=page: self._said(page, words))
        page.commands_changed.connect(lambda page=page: self._offer(page))
        page.rows_changed.connect(self.sidebar.model.set_count)
        room_of(self).watch(page)
        return page

    def show_front(self, page: Page | None) -> None:
        from explorer.ui.app.window_runs import enter
        from explorer.ui.own_pages import HOME

        if page is None and self.context is not None and not self.tabs.bar.count():
            self.open_page(HOME.key)
            return
        self._say_title(page)
        self.sidebar.show_current(page.resource.key if page else None)
        self.commands.allow("tabs", page is not None)
        self.commands.allow("list", page is not None and page.resource.listing is not None)
        self.commands.offer(page.commands() if page else [])
        why = self.sidebar.model.why_missing(page.resource.key) if page else ""
        said = [page.status_text if page else "", f"Not on this connection: {why}" if why else ""]
        self.status.page("  ·  ".join(filter(None, said)))
        self.inspector.show_record(None)
        self.beside.show_on(page)
        self.strip.leave_page()
        self.gate.leave_page()
        if page is not None and not enter(page.body() or page):
            enter(page)

    def _chosen(self, page: Page, record: RecordView | None) -> None:
        if page is self.tabs.current:
            self.inspector.show_record(record)

    def _said(self, page: Page, words: str) -> None:
        if page is self.tabs.current:
            self.status.page(words)

    def _offer(self, page: Page) -> None:
        if page is self.tabs.current:
            self.commands.offer(page.commands())

    def end_page(self, page: Page, state: dict[str, Any]) -> None:
        from explorer.ui.page import end_pages

        self.kept.set(window_layout.key(self, f"page/{page.tab}"), state)
        self.beside.forget(page)
        self.tasks.start(f"end {id(page)}", end_pages([page]))

    # ------------------------------------------------------------ palette and dialogs

    def show_palette(self) -> None:
        """Opens the palette: everything, found by a few letters."""
        from explorer.ui.app.window_runs import show_palette

        show_palette(self)

    def show_switcher(self) -> None:
        """Opens the palette with profiles and connections alone; Enter goes back to the previous profile."""
        from explorer.ui.app.window_runs import show_switcher

        show_switcher(self)

    def show_profiles(self, run: Callable[[ProfilesDialog], object] = lambda _: None) -> ProfilesDialog:
        """Opens the profiles dialog; ``run`` is what it does first."""
        from explorer.ui.app.window_runs import show_profiles

        return show_profiles(self, run)

    def new_profile(self) -> None:
        """Opens the profiles dialog on an empty form."""
        self.show_profiles(lambda dialog: dialog.start_new())

    def enter_key(self) -> None:
        """Opens the profiles dialog at the key of the profile in use."""
        self.show_profiles(lambda dialog: dialog.enter_key())

    def open_dialog(self, dialog: QDialog) -> None:
        """Shows a dialog without blocking, and deletes it when it is closed."""
        from PySide6.QtCore import Qt

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
        if self.furnished:  # before that nothing can have been changed, and little of it could be told
            if self.unfinished.holds_window() and not self._sure:
                self.again = False
                return
            window_layout.save(self)
        self.closing.emit()

    def end(self) -> None:
        """Closes without asking about unfinished work."""
        self._sure = True
        self.close()

    def close_now(self) -> None:
        """Closes the window once everything has ended."""
        self._may_close = True
        self.close()
