"""Which pull of a list its page shows, and all that fetches: the first page, scrolling, Load all, Reload, Continue.

There is the pull in front and, while a complete one is reloaded, a second beside it. One task fetches for both, so that
a list never has two pages in flight. What is allowed when is not decided here: see `list_state`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.list_head import ListHead
from explorer.ui.pages.list.list_state import Act, ListState, ReloadFacts
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.row_export import EXPORT

if TYPE_CHECKING:
    from explorer.catalog.spec import Listing
    from explorer.session import Pull, PullInfo, Session
    from explorer.session.pull_storage import Which

PULL = "pull"
"""The name of the one task that fetches."""
NONE = "There is no previous pull of this list: the next Reload of all its pages makes one"


class ListReload(QObject):
    """The pull that a reload of a complete list brings, until it takes the place of the one in front."""

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

    def facts(self, failed_call: Callable[[Pull], Any]) -> ReloadFacts | None:
        """How it stands; None while there is none."""
        pull, front = self._pull if self.running else self.pull, self._front
        if pull is None or front is None:
            return None
        return ReloadFacts(pull, front, running=self.running, anew=self._anew, call=failed_call(pull))

    # ---- what is done with it, in the one task that fetches

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


class ListPulls(QObject):
    """The pull that is shown, the reload beside it, and the task that fetches for either."""

    changed = Signal()
    """What can be done, or is to be said, is another."""
    followed = Signal(bool)
    """Another pull is shown from now on; whether the user is to stay on the same row."""
    rows_going = Signal()
    """The rows that are shown are about to be others."""
    hinted = Signal(str)

    def __init__(
        self,
        session: Session,
        listing: Listing,
        head: ListHead,
        model: RecordsModel,
        tasks: Tasks,
        state: Callable[[], ListState],
    ) -> None:
        """``state`` says what may be done now; it is asked for while a pull is shown."""
        super().__init__(tasks)
        self._session, self._listing = session, listing
        self._head, self._model, self._tasks, self._state = head, model, tasks, state
        self.beside = ListReload(session, listing, self)
        self.beside.changed.connect(self.changed)
        self.pull: Pull | None = None
        self.looking = False
        """The previous pull is shown, and nothing can be asked for."""
        self.halted = False
        """The user stopped it."""
        self._asked: Any = None
        self._bulk_since: tuple[float, int] | None = None
        tasks.changed.connect(self._task_changed)

    # ---- how it stands

    @property
    def differs(self) -> bool:
        """Whether the parameters are others than those that were asked with."""
        return self._asked is not None and self._head.asked() != self._asked

    @property
    def bulk(self) -> tuple[float, int] | None:
        """While all pages are loaded: for how many seconds, and how many rows there were before."""
        if self._bulk_since is None:
            return None
        began, before = self._bulk_since
        return time.monotonic() - began, before

    def shown(self) -> set[int]:
        """Ids of the pulls that are shown, or being brought."""
        shown = self.pull.stored_id if self.pull is not None else 0
        return {shown, *self.beside.ids()} - {0}

    # ---- which is shown

    def take(self, *, fetch: bool = True, which: Which = "front", stay: bool = False) -> None:
        """Show what is kept for the parameters as they stand, or the pull of that id of those that are shown.

        With nothing kept, ``fetch`` asks for the first page; ``stay``: the user stays on the same row.
        """
        self.looking = which != "front"
        query, extra = self._asked = self._asked if self.looking else self._head.asked()
        made = self._session.pull(self._listing, query, extra, which=which)
        if not self.looking:
            self.beside.follow(made)
        if self.pull is not None:
            self.pull.close()
        self.pull, self.halted = made, False
        self.followed.emit(stay)
        if fetch and not made.pages and self._model.state == "ready":
            self.fetch()

    def look_at_newest(self) -> None:
        """Show the pull that is in front, from the same row on."""
        self.take(fetch=False, stay=True)

    def look_at_previous(self) -> None:
        """Show the pull before the last reload, to be read only; asked once more, go back."""
        if self.looking or self.pull is None:
            self.look_at_newest()
            return
        info = self._session.standing(self.pull.key).previous
        if info is None:  # it may have gone since the page was opened
            self.look_at_newest()
            self.hinted.emit(NONE)
        else:
            self.rows_going.emit()
            self.take(fetch=False, which=info.id)

    def look_again(self) -> None:
        """Another window or the command line may have brought another pull to the front, or begun one."""
        if self.pull is None or self.looking or self._tasks.busy(PULL) or self._tasks.busy(EXPORT):
            return
        now = self._session.standing(self.pull.key)
        new = now.front is not None and now.front.settled and now.front.id != self.pull.stored_id
        if new or now.begun != self.beside.info:
            self.beside.release()
            self.look_at_newest()

    def _show_new(self) -> None:
        """Show the new pull once it is complete; an export of the rows before it is waited for."""
        if self.beside.complete and not self._tasks.busy(EXPORT) and not self._tasks.busy(PULL):
            self.rows_going.emit()
            self.look_at_newest()

    # ---- fetching

    def fetch(self) -> None:
        """Ask for the next page."""
        # What the profile lacks is said over the pages: a page that only shows itself has not failed.
        if self.pull is not None and not self.looking and self._session.withheld is None:
            self.run(self.pull.more)

    def run(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Do ``ask`` as the one task that fetches, in place of what is under way."""
        if self.pull is not None:
            self._tasks.start(PULL, self._when_quiet(ask))

    async def _when_quiet(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        await self._quiet()
        await ask()
        if self._bulk_since is not None and self.pull is not None:
            await self.pull.load_all()  # Load all was pressed while one page was on its way

    async def _quiet(self) -> None:
        """A Stop takes a moment to end (a page being written): what is asked right after it waits for that."""
        for pull in filter(None, (self.pull, self.beside.pull)):
            quiet = asyncio.Event()
            end = pull.subscribe(quiet.set)
            try:
                while pull.state == "loading":
                    quiet.clear()
                    await quiet.wait()
            finally:
                end()

    async def let_go(self) -> None:
        """What is kept of this list is about to be cleared: stop, and wait until nothing is being written."""
        self.rows_going.emit()
        self._tasks.cancel(PULL)
        await self._quiet()

    def reload(self) -> None:
        """Ask anew with the parameters as they stand. Rows that are complete stay until the new ones are, others until
        the first page is there.
        """
        if self.looking:
            self.take(fetch=False)
        if self.pull is None or self._state().reload == "other":
            self.rows_going.emit()
            self._tasks.cancel(PULL)
            self.take()
            return
        self.halted = False
        if self._state().reload == "beside":
            self.run(self.beside.begin)
            return
        self.rows_going.emit()
        self._model.expect_restart()
        self.run(self.pull.restart)

    def load_all(self) -> None:
        """Fetch page after page until the list ends, fails or is stopped; a reload that was stopped goes on."""
        pull = self.pull
        load = self._state().load if pull is not None else ""
        if load == "reload":
            self.run(self.beside.go_on)
        elif load == "pull" and pull is not None:
            busy = self._tasks.busy(PULL)
            if self._model.state == "stopped" and not busy:
                pull.go_past()
            self.halted = False
            self._bulk_since = (time.monotonic(), pull.rows)
            self._model.set_bulk(True)
            if not busy:
                self.run(pull.load_all)
            self.changed.emit()

    def press_primary(self) -> None:
        """What the primary button says: Stop, or load on from where it stands, a failed page included."""
        if self.pull is None:
            return
        state = self._state()
        if state.primary.does == "stop":
            self.stop()
            return
        if state.load == "pull" and self._model.state == "failed" and not self._tasks.busy(PULL):
            self.pull.retry()
        self.load_all()

    def stop(self) -> None:
        """Stop fetching now. What is loaded stays; Continue goes on from there."""
        if self._tasks.busy(PULL):
            self.halted = True
            self._tasks.cancel(PULL)

    def act(self, act: Act, *, of_reload: bool) -> None:
        """What a button of the banner says, of the pull that is shown or of the reload beside it."""
        if act == "drop":
            self.run(self.beside.drop)
        elif act == "front":
            self.run(self.beside.settle)
        elif act == "back":
            self.look_at_newest()
        elif of_reload:
            self.run(self.beside.go_on)
        elif self.pull is not None and not self._tasks.busy(PULL):
            # Past what made the walk stop, by the user's decision; or the page that failed once more, and no other.
            (self.pull.go_past if act == "past" else self.pull.retry)()
            self.fetch()

    async def reach(self, row: int | None, page: int | None) -> int | None:
        """Fetch as far as row number ``row``, or else the first of page number ``page``, both counted from 1.

        Returns its place, counted from 0; None when it did not come.
        """
        pull = self.pull
        if pull is None:
            return None

        def came() -> bool:
            return pull.rows >= row if row is not None else pull.pages >= (page or 0)

        while pull.state == "ready" and not came():
            await pull.more()
        if not came():
            return None
        if row is not None:
            return row - 1
        found = next((one for one in pull.page_list() if one.number == page), None)
        return found.first_row if found is not None and found.rows else None

    def release(self) -> None:
        """Follow nothing any more; what is under way ends."""
        self.beside.release()
        if self.pull is not None:
            self.pull.close()

    def _task_changed(self, name: str, busy: bool) -> None:
        if busy or name not in (PULL, EXPORT):
            return
        if name == PULL:
            self._bulk_since = None
            self._model.set_bulk(False)
        # Not at once: it may have been replaced by another task, which is told of next.
        QTimer.singleShot(0, self, self._show_new)
