"""The disk space of stored rows: kept within the limit that the user sets, and cleared on request.

It looks a moment after a profile was opened and after a pull has ended, in a thread. Whatever is open in a tab stays,
and so does the newest pull of each profile; what went is said in one notice.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer import words
from explorer.catalog.interfaces import registry_of
from explorer.session import stored
from explorer.ui.app.window import Window
from explorer.ui.pages.list.list_page import ListPage
from explorer.work import in_thread

if TYPE_CHECKING:
    from pathlib import Path

    from explorer.session import PullInfo, Session
    from explorer.ui.page import Page

BUDGET = "storage/budget"
"""Where the layout keeps how many bytes are granted."""
LEAST = 10**8
_SOON_MS = 1500
"""After a pull has ended, or a profile was opened: what the user waits for comes first."""
_LOOK = "look at the room"
_NAMED = 3
"""Pulls that the notice names one by one."""


class StoredRoom(QObject):
    """Keeps stored rows within the limit; one for each window."""

    changed = Signal()
    """Sent when something was cleared or removed."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.look)

    @property
    def budget(self) -> int:
        """The limit for all stored rows, in bytes."""
        kept = self._window.kept.get(BUDGET)
        return max(kept, LEAST) if isinstance(kept, int) else stored.DEFAULT_BUDGET

    def grant(self, budget: int) -> None:
        """Sets another limit, in bytes."""
        if budget != self.budget:
            self._window.kept.set(BUDGET, budget)
            self.look()

    def watch(self, page: Page) -> None:
        """Checks the limit when a pull of ``page`` has ended."""
        page.busy_changed.connect(self._busy)

    def _busy(self, busy: bool) -> None:
        if not busy:
            self.look_soon()

    def look_soon(self) -> None:
        """Checks the limit in a moment, unless a check is scheduled already."""
        if not self._soon.isActive():
            self._soon.start()

    def look(self) -> None:
        """Removes what is beyond the limit, now."""
        self._soon.stop()
        session = self._window.session
        if session is not None:
            self._window.tasks.start(_LOOK, self._trim(session))

    async def _trim(self, session: Session) -> None:
        folder, profile = stored.folder_of(session), session.profile.id
        asked = self._asked()

        def work() -> list[tuple[str, PullInfo]]:
            if stored.fits(folder, budget):
                return []
            keep = shown | stored.asked_for(session, asked)
            return stored.trim(folder, budget, {profile: keep})

        budget = self.budget
        shown = {number for page in self._lists() for number in page.shown_pulls()}
        gone = await in_thread(work)
        if gone:
            self._told(gone, session)

    def _asked(self) -> list[Any]:
        """What every tab on a list asks with, those that wait to be chosen too."""
        known = {r.key: r.listing for r in self._window.registry.listings()}
        made = []
        for one in self._window.tabs.save()["open"]:
            listing, state = known.get(one["key"]), one["state"]
            if listing is not None:
                query, extra = state.get("query"), state.get("extra")
                pairs = [(str(p[0]), str(p[1])) for p in extra] if isinstance(extra, list) else []
                made.append((listing, query if isinstance(query, dict) else {}, pairs))
        return made

    def _lists(self) -> list[ListPage]:
        return [page for page in self._window.tabs.pages() if isinstance(page, ListPage)]

    def _told(self, gone: list[tuple[str, PullInfo]], session: Session) -> None:
        self._count(session)
        rows = sum(info.rows for _, info in gone)
        named = [f"{title_of(info)} ({words.count(info.rows, 'row')})" for _, info in gone[:_NAMED]]
        more = [f"{words.count(len(gone) - _NAMED)} more"] if len(gone) > _NAMED else []
        self._window.notices.tell(
            "info",
            f"{words.count(rows, 'row')} deleted: saved data stays within {words.size(self.budget)}",
            (
                "Earlier pulls go first, then the lists unchanged longest. Deleted: "
                f"{', '.join(named + more)}. They can be loaded again."
            ),
            ("Stored data…", lambda: self._window.commands.run("storage.open")),
        )
        self.changed.emit()

    def _count(self, session: Session) -> None:
        if self._window.session is session:
            self._window.sidebar.model.set_counts(session.kept())

    # ---- clearing

    def clear(self, folder: Path, profile: str, pulls: Collection[int] | None = None) -> None:
        """Removes these pulls of a profile, or all. Tabs that show one stop and release it first."""
        self._window.tasks.start(f"clear {profile}", self._clear(folder, profile, pulls))

    async def _clear(self, folder: Path, profile: str, pulls: Collection[int] | None) -> None:
        session = self._window.session
        here = session is not None and session.profile.id == profile
        shown = [p for p in self._lists() if here and p.pull is not None]
        pages = [p for p in shown if pulls is None or p.shown_pulls() & set(pulls)]
        for page in pages:
            await page.let_go()
        try:
            await in_thread(stored.clear, folder, profile, pulls)
        finally:
            for page in pages:
                page.cleared()
            if session is not None:
                self._count(session)
            self.changed.emit()


def room_of(window: Window) -> StoredRoom:
    """The `StoredRoom` of ``window``."""
    return window.findChild(StoredRoom) or StoredRoom(window)


def title_of(info: PullInfo) -> str:
    """The title of the page of a pull's list."""
    found = registry_of().listed(info.key.resource)
    return found.title if found is not None else info.key.resource
