"""Which pull of a list its page shows, and all that fetches: the first page, scrolling, Load all, Reload, Continue.

There is the current pull and, while a complete one is reloaded, a second beside it. One task fetches for both, so that
a list never has two pages in flight. What is allowed when is not decided here: see `list_state`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from explorer.api.errors import ExplorerError
from explorer.catalog.request import lacking
from explorer.session import Superseded
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.list_facts import ReloadFacts
from explorer.ui.pages.list.list_head import ListHead
from explorer.ui.pages.list.list_state import Act, ListState
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.row_export import EXPORT

if TYPE_CHECKING:
    from explorer.api.exchange import Exchange
    from explorer.catalog.spec import Listing
    from explorer.session import Pull, PullInfo, Session
    from explorer.session.pull_storage import Which

PULL = "pull"
"""The name of the one task that fetches."""
_FILLING = 5
"""Pages that are fetched at once at most, to fill the view with rows."""
NONE = "There is no previous pull of this list: the next Reload of all its pages makes one"


class ListReload(QObject):
    """A reload of a complete list: the new pull, until it is complete and becomes the current one."""

    changed = Signal()
    """The reload began, fetched pages or ended."""

    def __init__(self, session: Session, listing: Listing, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._listing = session, listing
        self._front: Pull | None = None
        self._pull: Pull | None = None
        self._runs = 0

    def follow(self, front: Pull) -> None:
        """Look for a reload of ``front`` that was begun earlier or in another window. Raises StoreFault.

        A reload that is known already is kept.
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
        """End the subscriptions; what is being fetched is cancelled."""
        if self._pull is not None:
            self._pull.close()
        self._front = self._pull = None

    # ---- state

    @property
    def pull(self) -> Pull | None:
        """The new pull; None while there is no reload."""
        pull = self._pull
        if pull is None or (self._anew and pull.state not in ("loading", "failed")):
            return None
        return pull

    @property
    def info(self) -> PullInfo | None:
        """What the store has of the new pull; None while it has nothing."""
        return self._pull.info if self._pull is not None and not self._anew else None

    def ids(self) -> set[int]:
        """Ids in the store of the current and of the new pull; 0 for one that is not stored."""
        return {one.stored_id for one in (self._front, self._pull) if one is not None}

    @property
    def running(self) -> bool:
        """Whether its pages are being fetched."""
        return self._runs > 0

    @property
    def complete(self) -> bool:
        """Whether the new pull is complete, so that it may become the current one."""
        return self.pull is not None and self.pull.settled and not self._anew

    @property
    def _anew(self) -> bool:
        """Whether no page of it is stored yet."""
        return self._pull is None or self._front is None or self._pull.stored_id == self._front.stored_id

    def facts(self, failed_call: Callable[[Pull], Any]) -> ReloadFacts | None:
        """The facts about the reload for `state_of`; None while there is no reload."""
        pull, front = self._pull if self.running else self.pull, self._front
        if pull is None or front is None:
            return None
        return ReloadFacts(pull, front, running=self.running, anew=self._anew, call=failed_call(pull))

    # ---- what is done with it, in the one task that fetches

    async def begin(self) -> None:
        """Fetch the list again, to its end."""
        front = self._front
        if front is not None:
            pull = self._hold(self._newest(front))
            with self._running():
                await pull.restart()
                await pull.load_all()

    async def go_on(self) -> None:
        """Continue after its last stored page: a failed page is fetched again, a walk that stopped goes on anyway."""
        pull = self._pull
        if pull is not None:
            pull.retry()
            if pull.state == "stopped":
                pull.go_past()
            with self._running():
                await pull.load_all()

    async def settle(self) -> None:
        """Make the new pull the current one as it is, complete or not. Raises StoreFault."""
        if self._pull is not None:
            await self._pull.settle()

    async def drop(self) -> None:
        """Delete the new pull. Raises StoreFault."""
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
        """Emits `changed` at the beginning and the end only, as pages may arrive many times a second."""
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
    """What the page shows or allows may have changed."""
    followed = Signal(bool)
    """Another pull is shown from now on. Carries whether the user is to stay on the same row."""
    rows_going = Signal()
    """Other rows are about to be shown."""
    hinted = Signal(str)

    def __init__(
        self,
        session: Session,
        listing: Listing,
        head: ListHead,
        model: RecordsModel,
        tasks: Tasks,
        state: Callable[[], ListState],
        in_sight: Callable[[], int],
    ) -> None:
        """``state`` gives the page's state now, for what may be done; it is called only while a pull is shown.

        ``in_sight``: how many rows the view has room for.
        """
        super().__init__(tasks)
        self._session, self._listing = session, listing
        self._head, self._model, self._tasks, self._state = head, model, tasks, state
        self._in_sight = in_sight
        self.beside = ListReload(session, listing, self)
        self.beside.changed.connect(self.changed)
        self.pull: Pull | None = None
        self.previous_shown = False
        """The previous pull is shown, and nothing can be fetched for it."""
        self.halted = False
        """The user stopped the fetching."""
        self._asked: Any = None
        self._bulk_since: tuple[float, int] | None = None
        self._turn = self._over = 0
        """The number of the task that fetches, and of the last one that no longer looks whether all is wanted: a task
        counts as busy for a moment longer.
        """
        tasks.changed.connect(self._task_changed)

    # ---- state

    @property
    def differs(self) -> bool:
        """Whether the parameters differ from those that the shown pull was fetched with."""
        return self._asked is not None and self._head.asked() != self._asked

    @property
    def bulk(self) -> tuple[float, int] | None:
        """During Load all: for how many seconds it runs, and how many rows there were before; else None."""
        if self._bulk_since is None:
            return None
        began, before = self._bulk_since
        return time.monotonic() - began, before

    @property
    def unasked(self) -> bool:
        """Whether the shown pull has not all parameters without which the list cannot be asked for."""
        return self._asked is None or bool(lacking(self._listing, *self._asked))

    def shown(self) -> set[int]:
        """Ids of the pulls that are shown or being fetched."""
        shown = self.pull.stored_id if self.pull is not None else 0
        return {shown, *self.beside.ids()} - {0}

    # ---- which is shown

    def take(self, *, fetch: bool = True, which: Which = "front", stay: bool = False) -> None:
        """Show what is stored for the present parameters: the current pull, or which one ``which`` names.

        With nothing stored, ``fetch`` fetches the first page. ``stay`` keeps the user on the same row.
        """
        self.previous_shown = which != "front"
        query, extra = self._asked = self._asked if self.previous_shown else self._head.asked()
        made = self._session.pull(self._listing, query, extra, which=which)
        if not self.previous_shown:
            self.beside.follow(made)
        if self.pull is not None:
            self.pull.close()
        self.pull, self.halted = made, False
        self.followed.emit(stay)
        if fetch and not made.pages and self._model.state == "ready":
            self.fetch()

    def look_at_newest(self) -> None:
        """Show the current pull, at the same row."""
        self.take(fetch=False, stay=True)

    def look_at_previous(self) -> None:
        """Show the pull before the last reload, read only; called again, go back to the current one."""
        if self.previous_shown or self.pull is None:
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
        """Look again, as another tab, window or the command line may have gone on with, completed or begun a pull of
        this list.
        """
        if self.pull is None or self.previous_shown or self._tasks.busy(PULL) or self._tasks.busy(EXPORT):
            return
        now = self._session.standing(self.pull.key)
        front, own = now.front, self.pull.info
        longer = front is not None and own is not None and front.id == own.id and front.pages > own.pages
        new = longer or (front is not None and front.settled and front.id != self.pull.stored_id)
        if new or now.begun != self.beside.info:
            self.beside.release()
            self.look_at_newest()

    def _show_new(self) -> None:
        """Show the new pull once it is complete, but not before an export of the present rows has ended."""
        if self.beside.complete and not self._tasks.busy(EXPORT) and not self._tasks.busy(PULL):
            self.rows_going.emit()
            self.look_at_newest()

    # ---- fetching

    def fetch(self) -> None:
        """Fetch the next page; of short ones some more, until the view is full: else nothing could be scrolled."""
        # A profile that is incomplete is reported above all pages. A page that fetches by itself must not fail for it.
        if self.unasked:
            return
        if self.pull is not None and not self.previous_shown and self._session.withheld is None:
            self.run(partial(self._fill, self.pull))

    async def _fill(self, pull: Pull) -> None:
        await pull.more()
        for _ in range(_FILLING - 1):
            if pull.state != "ready" or pull.rows > self._in_sight():
                return
            await pull.more()

    def run(self, ask: Callable[[], Coroutine[Any, Any, Any]]) -> None:
        """Run ``ask`` as the one task that fetches, in place of the present one."""
        if self.pull is not None:
            self._turn += 1
            self._tasks.start(PULL, self._when_quiet(ask, self._turn))

    async def _when_quiet(self, ask: Callable[[], Coroutine[Any, Any, Any]], turn: int) -> None:
        try:
            await self._quiet()
            await ask()
            if self._bulk_since is not None and self.pull is not None:
                await self.pull.load_all()  # Load all was pressed while a single page was being fetched
        except Superseded:
            pass  # other rows were asked for before the one to go to was found, which is no failure
        finally:
            self._over = turn

    async def _quiet(self) -> None:
        """Wait until a Stop has ended, which takes a moment where a page is being written."""
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
        """The stored rows of this list are about to be cleared: stop, and wait until nothing is being written."""
        self.rows_going.emit()
        self._tasks.cancel(PULL)
        await self._quiet()

    def reload(self) -> None:
        """Fetch the list again, with the parameters as they are now. The rows of a complete pull stay until the new
        pull is complete; those of an incomplete one stay until its first page arrives.
        """
        if self._head.lacks:
            return
        if self.previous_shown:
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
        """Fetch page after page until the list ends, fails or is stopped; a stopped reload is continued."""
        if self.unasked and not self._head.lacks:
            self.take(fetch=False)
        pull = self.pull
        load = self._state().load if pull is not None else ""
        if load == "reload":
            self.run(self.beside.go_on)
        elif load == "pull" and pull is not None:
            busy = self._tasks.busy(PULL) and self._over != self._turn
            if self._model.state == "stopped" and not busy:
                pull.go_past()
            self.halted = False
            if not busy:
                self.run(pull.load_all)
            self._bulk_since = (time.monotonic(), pull.rows)
            self._model.set_bulk(True)
            self.changed.emit()

    def press_primary(self) -> None:
        """Do what the primary button says: stop, or fetch the rest, beginning with a page that failed."""
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
        """Stop fetching. What is loaded stays, and Continue fetches the rest."""
        if self._tasks.busy(PULL):
            self.halted = True
            self._tasks.cancel(PULL)

    def act(self, act: Act, *, of_reload: bool) -> None:
        """Do what a button of the banner says, for the shown pull or (``of_reload``) for the reload beside it."""
        if act == "drop":
            self.run(self.beside.drop)
        elif act == "front":
            self.run(self.beside.settle)
        elif act == "back":
            self.look_at_newest()
        elif of_reload:
            self.run(self.beside.go_on)
        elif self.pull is not None and not self._tasks.busy(PULL):
            # Either go past what stopped the walk, as the user decided, or fetch the failed page alone once more.
            (self.pull.go_past if act == "past" else self.pull.retry)()
            self.fetch()

    def call_of(self, row: int) -> tuple[Exchange | None, str]:
        """The call that brought that row of the pull, counted from 0, else the list's last one; and which that is."""
        with contextlib.suppress(ExplorerError, IndexError):
            page = self.pull.page_at(row) if self.pull is not None and row >= 0 else None
            call = self._session.exchanges.get(page.exchange) if page is not None else None
            if page is not None and call is not None and call.operation == self._listing.key:
                return call, f"page {page.number:,}"
        calls = [one for one in self._session.exchanges.all() if one.operation == self._listing.key]
        return calls[-1] if calls else None, "the last call"

    async def reach(self, row: int | None, page: int | None) -> int | None:
        """Fetch until row number ``row``, or else the first row of page ``page``, is there; both count from 1.

        Returns the row's number counted from 0; None when the fetching ended before it.
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
        """End the subscriptions; what is being fetched is cancelled."""
        self.beside.release()
        if self.pull is not None:
            self.pull.close()

    def _task_changed(self, name: str, busy: bool) -> None:
        if busy or name not in (PULL, EXPORT):
            return
        if name == PULL:
            self._bulk_since = None
            self._model.set_bulk(False)
        # Not at once: another task may have replaced it, whose own signal comes next.
        QTimer.singleShot(0, self, self._show_new)
