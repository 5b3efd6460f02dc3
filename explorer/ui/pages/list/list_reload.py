"""Reload of a list whose pull is complete: a second pull beside the one in front, until it takes its place."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from explorer.ui.pages.list.pull_words import BannerWords
from explorer.ui.pages.list.reload_words import reload_banner, reload_count_words

if TYPE_CHECKING:
    from explorer.catalog.spec import Listing
    from explorer.session import Pull, PullInfo, Session


class ListReload(QObject):
    """The pull that a reload brings. The page runs `begin` and `go_on` as its one task that fetches."""

    changed = Signal()
    """It runs, or has ended."""

    def __init__(self, session: Session, listing: Listing, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._listing = session, listing
        self._front: Pull | None = None
        self._pull: Pull | None = None
        self._runs = 0

    def follow(self, front: Pull) -> None:
        """Look for a reload of ``front`` that was begun earlier, or in another window. Raises StoreFault.

        One that is known already stays as it is.
        """
        before, pull = self._front, self.pull
        if pull is not None and before and (before.key, before.stored_id) == (front.key, front.stored_id):
            self._front = front
            return
        self.release()
        self._front = front
        if front.standing.begun is not None:
            self._hold(self._newest(front))

    def release(self) -> None:
        """Follow nothing any more; what is under way ends."""
        if self._pull is not None:
            self._pull.close()
        self._front = self._pull = None

    # ---- how it stands

    @property
    def pull(self) -> Pull | None:
        """The new pull, while it is another than the one in front, or may become one."""
        pull = self._pull
        if pull is None or (self._anew and pull.state not in ("loading", "failed")):
            return None
        return pull

    @property
    def info(self) -> PullInfo | None:
        """What is kept of it."""
        return self._pull.info if self._pull is not None and not self._anew else None

    def ids(self) -> set[int]:
        """Ids of the pull in front and of the new one, as far as they are kept; 0 for none."""
        return {one.stored_id for one in (self._front, self._pull) if one is not None}

    @property
    def running(self) -> bool:
        """Whether pages of it are on their way."""
        return self._runs > 0

    @property
    def complete(self) -> bool:
        """Whether the new pull may take the place of the one in front."""
        return self.pull is not None and self.pull.settled and not self._anew

    @property
    def _anew(self) -> bool:
        """Whether no page of it is kept yet."""
        return self._pull is None or self._front is None or self._pull.stored_id == self._front.stored_id

    @property
    def count_words(self) -> str:
        """For the count, while it runs; empty else."""
        if not self.running or self._front is None or self._pull is None:
            return ""
        return reload_count_words(self._front.rows, 0 if self._anew else self._pull.rows)

    def said(self, exchange: Any) -> BannerWords | None:
        """For the banner, while it does not run."""
        pull, front = self.pull, self._front
        if self.running or pull is None or front is None or front.info is None:
            return None
        state, at = pull.state, front.info.updated_at
        return reload_banner(state, pull, exchange, front, at, anew=self._anew)

    # ---- what is done with it

    async def begin(self) -> None:
        """Ask for the list anew, to its end."""
        front = self._front
        if front is not None:
            pull = self._hold(self._newest(front))
            with self._running():
                await pull.restart()
                await pull.load_all()

    async def go_on(self) -> None:
        """Go on from its last page that is kept; a failed one is asked for again, an end is gone past."""
        pull = self._pull
        if pull is not None:
            pull.retry()
            if pull.state == "stopped":
                pull.go_past()
            with self._running():
                await pull.load_all()

    async def settle(self) -> None:
        """Put the new pull in front as it is. Raises StoreFault."""
        if self._pull is not None:
            await self._pull.settle()

    async def drop(self) -> None:
        """Forget the new pull. Raises StoreFault."""
        pull, anew = self._pull, self._anew
        self._pull = None
        if pull is not None:
            if not anew:
                await pull.drop()
            pull.close()
        self.changed.emit()

    # ---- inside

    def _newest(self, front: Pull) -> Pull:
        return self._session.pull(self._listing, front.query, front.extra, which="newest")

    def _hold(self, pull: Pull) -> Pull:
        if self._pull is not None:
            self._pull.close()
        self._pull = pull
        return pull

    @contextlib.contextmanager
    def _running(self) -> Iterator[None]:
        """Told at both ends. Pages come many a second: how many there are is told at the page's pace."""
        self._runs += 1
        self.changed.emit()
        try:
            yield
        finally:
            self._runs -= 1
            self.changed.emit()
