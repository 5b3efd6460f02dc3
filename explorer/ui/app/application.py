"""The window's life: Qt, the event loop, one session at a time, and an orderly end.

The program opens its window before this module is imported (opening.py) and hands it over; everything is put into it
in steps, so that it answers in between. Closing sets an event that `Application.main` awaits: sessions, sandbox and
tasks end before the loop does, which Qt's own "last window closed" would cut short.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer

from explorer import session as sessions  # its names are imported when they are first used
from explorer.api.errors import Unreachable
from explorer.api.exchanges import Exchanges
from explorer.loopback import ServiceNotStarted
from explorer.openapi.finder import find_in, kept_in
from explorer.paths import Folders
from explorer.profiles.book import Profiles
from explorer.profiles.credential import Credential
from explorer.profiles.fault import ProfileFault
from explorer.profiles.secrets import Secrets
from explorer.sandbox.process import SandboxProcess
from explorer.ui.app.loop import run_with
from explorer.ui.app.main_window import MainWindow
from explorer.ui.app.screen import CANNOT_START, application, missing_screen
from explorer.ui.app.start import Start
from explorer.ui.frame.layout import Layout
from explorer.ui.kit.notices import LogFile, Notices, notice_of
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import kept_choice, theme
from explorer.ui.page import Page, end_pages
from explorer.ui.profiles.plain_http import ask_for_http
from explorer.ui.profiles.profiles_dialog import ProfileServices
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.profiles.profile import Profile
    from explorer.session import Session, TestResult

__all__ = ["CANNOT_START", "Application", "application", "missing_screen", "run_with"]


class Application:
    """The running program: one window, one session, and the sandbox while a profile uses it."""

    def __init__(
        self,
        folders: Folders,
        profile_name: str | None = None,
        connection: str | None = None,
        *,
        start: Start | None = None,
    ) -> None:
        """``profile_name`` (a name or id) and ``connection`` choose what to open first; else it is what was open last.

        Without ``start`` the window is made here, whole, and shows when `main` runs.
        """
        self._folders = folders
        self._wanted = profile_name
        self._connection = connection
        self._ended = asyncio.Event()
        self._leaving: list[tuple[list[Page], Session | None]] = []
        self._sandbox: SandboxProcess | None = None
        self._sandbox_lock = threading.Lock()
        self._last: Profile | None = None
        self.session: Session | None = None
        self.notices = Notices()
        self.tasks = Tasks(self.notices, self._failed)
        self.profiles = Profiles(folders)
        self.secrets = Secrets(folders)
        self.log = LogFile(folders.state / "log")
        self._start = start
        self.layout = Layout(folders.state) if start is None else start.layout
        self.window = MainWindow() if start is None else start.window
        self._steps = self._furnish()
        if start is None:
            theme().install(kept_choice(self.layout.get("theme")))
            self._finish()

    def _furnish(self) -> Iterator[None]:
        find_in(self._folders.config)
        kept = partial(kept_in, self._folders.config)
        desk = ProfileServices(self.profiles, self.secrets, self._probe, kept, self._logged)
        self.window.closing.connect(self._ended.set)
        if self._start is not None and self._start.closed:
            self._ended.set()
        yield from self.window.furnish(desk, self.notices, self.layout, self.log.folder)
        self.window.profile_wanted.connect(self.switch)
        self.window.connection_wanted.connect(self.switch_connection)
        self.window.elsewhere_wanted.connect(self.switch_connection_of)
        self.window.profile_saved.connect(self._saved)
        self.window.profile_removed.connect(self._removed)

    def _finish(self) -> None:
        for _ in self._steps:
            pass

    async def main(self) -> int:
        """Shows the window, opens the profile, waits until the window is closed, and ends everything."""
        undo = self._lead_errors_here()
        try:
            for _ in self._steps:
                await asyncio.sleep(0)
                if self._ended.is_set():
                    return 0
            self.window.show()
            self.begin()
            await self._ended.wait()
            return 0
        finally:
            await self.end()
            undo()

    def begin(self) -> None:
        """Opens the profile that was asked for, else the last one, else the sandbox."""
        self._tell_what_was_set_aside()
        try:
            profile = self.profiles.get(self._wanted or self.profiles.last_used or "sandbox")
        except ProfileFault as fault:
            if self._wanted:
                self.notices.report(fault)
            profile = self.profiles.get("sandbox")
        if self._connection:
            profile = profile.with_connection(self._connection)
        self.open(profile)

    # ------------------------------------------------------------ switching

    def switch(self, name: str) -> None:
        """Switches to another profile: its colours at once, then its session."""
        try:
            self.open(self.profiles.get(name))
        except ProfileFault as fault:
            self.notices.report(fault)

    def switch_connection(self, connection: str) -> None:
        """Switches to another connection of the profile in use, and keeps the choice."""
        if self._last is not None:
            self._open_on(self._last, connection)

    def switch_connection_of(self, name: str, connection: str) -> None:
        """Switches to a connection of another profile, and keeps the choice."""
        try:
            self._open_on(self.profiles.get(name), connection)
        except ProfileFault as fault:
            self.notices.report(fault)

    def _open_on(self, profile: Profile, connection: str) -> None:
        profile = profile.with_connection(connection)
        self.open(profile)
        self.tasks.start("keep profile", in_thread(self.profiles.save, profile))

    def open(self, profile: Profile) -> None:
        """Closes what is open and opens ``profile``. From here on nothing of the old one is shown or sent."""
        self.tasks.cancel("plain http")
        old, self.session = self.session, None
        self._leaving.append((self.window.show_profile(profile), old))
        self._last = profile
        self.tasks.start("open", self._open(profile))

    async def _open(self, profile: Profile) -> None:
        await self._leave()
        (profile, credential), _ = await asyncio.gather(self._credential(profile), self._load())
        session = await sessions.Session.open(profile, credential, self._folders, in_window=True)
        if self._last is None or self._last.id != profile.id or self._last.connection != profile.connection:
            await session.close()
            return
        self.session = session
        for _ in self.window.entering(session):
            if self._start is not None:
                await asyncio.sleep(0)
        self._ready()
        for sentence in session.notices:
            self.notices.tell("caution", sentence)
        if not profile.is_builtin or self.profiles.last_used:
            await in_thread(self._remember, profile.id)
        await self._say_what_lacks(session)

    async def _say_what_lacks(self, session: Session) -> None:
        """Nothing can be sent before the profile has its key, and a word for plain http: ask for it."""
        lack, profile = session.withheld, session.profile
        if lack is None:
            self.window.gate.show_mended(profile)
            return
        locked = (await in_thread(self.secrets.holding, profile)).locked
        if self.session is not session:
            return
        self.window.status.connection("idle", "Nothing is sent")
        self.window.gate.show_lack(
            profile, lack, locked=locked, enter=self.window.enter_key, allow=self._ask_for_http
        )
        if profile.asks_for_http:
            self._ask_for_http()

    def _ask_for_http(self) -> None:
        if self._last is not None:
            self.tasks.start("plain http", self._allow_http(self._last))

    async def _allow_http(self, profile: Profile) -> None:
        """Ask, keep a yes with the profile as it is in the file, and open it again."""
        allowed = await ask_for_http(profile, self.window)
        if allowed is None or self._last is not profile:
            return
        kept = self.profiles.get(profile.id).changed(http_allowed=allowed.http_allowed)
        await in_thread(self.profiles.save, kept)
        self.open(allowed)

    async def _load(self) -> None:
        """Imports what a session and its pages need, while the sandbox starts or a key is fetched."""
        if self._start is not None:
            await self._start.load_later()

    def _ready(self) -> None:
        """Called when the pages that were open last are in the window."""
        start, self._start = self._start, None
        if start is not None:
            start.tell("ready")

    def _remember(self, profile_id: str) -> None:
        self.profiles.last_used = profile_id

    async def _leave(self) -> None:
        # Kept in the list until they have ended: a switch that overtakes this one goes on with them.
        while self._leaving:
            pages, session = self._leaving[0]
            await end_pages(pages)
            if session is not None:
                await session.close()
            self._leaving.pop(0)

    async def _credential(self, profile: Profile) -> tuple[Profile, Credential | None]:
        if not profile.is_builtin:
            credential = await self._kept_credential(profile)
        else:
            sandbox = await in_thread(self._running_sandbox)
            profile = profile.changed(base_url=sandbox.base_url)
            credential = Credential(profile.auth, sandbox.apikey)
        for secret in credential.secrets if credential is not None else ():
            self.log.hide(secret)
        return profile, credential

    async def _kept_credential(self, profile: Profile) -> Credential | None:
        try:
            return await in_thread(self.secrets.load, profile)
        except ProfileFault as fault:
            if fault.field != "passphrase":
                raise
            self.notices.report(fault)  # the variable's passphrase is wrong: the user may know a better one
            return None

    def _running_sandbox(self) -> SandboxProcess:
        """The running sandbox, started in a thread if needed. A start that is overtaken stays for the next switch."""
        with self._sandbox_lock:
            if self._sandbox is None or not self._sandbox.running:
                try:
                    self._sandbox = SandboxProcess.start()
                except ServiceNotStarted as error:
                    raise Unreachable(str(error)) from None
            return self._sandbox

    async def stop_sandbox(self) -> None:
        """Ends the sandbox; the next switch to its profile starts another."""

        def stop() -> None:
            with self._sandbox_lock:
                if self._sandbox is not None:
                    self._sandbox.stop()

        await in_thread(stop)

    async def _probe(self, profile: Profile, credential: Credential | None) -> TestResult:
        """Tests a profile that may not have been saved; what its answers show of the connection is learned."""
        if profile.is_builtin:
            profile, credential = await self._credential(profile)
        elif credential is not None:
            for secret in credential.secrets:
                self.log.hide(secret)
        calls = Exchanges()
        try:
            return await sessions.test_profile(profile, credential, calls)
        finally:
            self.window.tested(profile.base_url, calls.all())

    def _logged(self, profile: Profile) -> str:
        """In which request log the calls of a test of ``profile`` are; that of a session at its address has them."""
        there = self.session.profile if self.session is not None else None
        same = there is not None and (
            there.is_builtin if profile.is_builtin else there.base_url == profile.base_url
        )
        if there is None or not same:
            return "The request log shows what was sent as soon as this profile is opened."
        return f"The request log of {there.name} shows what was sent."

    # ------------------------------------------------------------ what is heard

    def _saved(self, profile: Profile, open_it: bool) -> None:
        if open_it or (self._last is not None and profile.id == self._last.id):
            self.open(profile)

    def _removed(self, profile_id: str) -> None:
        if self._last is not None and self._last.id == profile_id:
            self.switch("sandbox")

    def _failed(self, error: BaseException) -> None:
        self._start = None
        if self.session is not None:
            self.notices.report(error)
            return
        self.window.status.connection("failed", "Not opened")
        self.window.start.offer(True)
        notice = notice_of(error)
        self.notices.tell(notice.kind, notice.title, notice.text, ("Try again", self._try_again))

    def _try_again(self) -> None:
        if self._last is not None:
            self.open(self._last)

    def _tell_what_was_set_aside(self) -> None:
        for sentence in self.profiles.notices:
            self.notices.tell("caution", sentence)
        if self.layout.set_aside is not None:
            self.notices.tell(
                "caution",
                "The window's layout could not be read",
                f"It was kept as {self.layout.set_aside.name}.",
            )

    def _lead_errors_here(self) -> Callable[[], None]:
        loop = asyncio.get_running_loop()

        def of_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            error = context.get("exception")
            self.notices.report(error if error is not None else RuntimeError(str(context.get("message"))))

        def of_python(_: type[BaseException], error: BaseException, __: TracebackType | None) -> None:
            if isinstance(error, KeyboardInterrupt):
                self._ended.set()
            else:
                self.notices.report(error)

        before, sys.excepthook = sys.excepthook, of_python
        loop.set_exception_handler(of_loop)
        signals = _on_signals(loop, self.window.end)

        def undo() -> None:
            sys.excepthook = before
            loop.set_exception_handler(None)
            signals()

        return undo

    # ------------------------------------------------------------ the end

    async def end(self) -> None:
        """Ends tasks, session and sandbox, in this order, then the window."""
        if not self.window.furnished:
            self.log.close()
            self.window.close_now()
            self.window.deleteLater()
            return
        self._leaving.append((self.window.leave(), self.session))
        self.session = None
        await self.tasks.close()
        await self.window.tasks.close()
        with contextlib.suppress(Exception):
            await self._leave()
        await self.stop_sandbox()
        self.log.close()
        self.window.close_now()
        self.window.deleteLater()


def _on_signals(loop: asyncio.AbstractEventLoop, end: Callable[[], object]) -> Callable[[], None]:
    """Lets SIGINT and SIGTERM close the window as its close button does. Returns what undoes it."""
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = {}
    for kind in kinds:
        with contextlib.suppress(
            ValueError
        ):  # not the main thread: a test, where signals are others' business
            before[kind] = signal.signal(kind, lambda *_: loop.call_soon_threadsafe(end))
    # Python looks at signals only between its own instructions; Qt's loop waits in C.
    tick = QTimer()
    tick.setInterval(200)
    tick.timeout.connect(_nothing)
    tick.start()

    def undo() -> None:
        tick.stop()
        for kind, handler in before.items():
            signal.signal(kind, handler)

    return undo


def _nothing() -> None:
    """Does nothing: called so that Python gets to handle its signals."""
