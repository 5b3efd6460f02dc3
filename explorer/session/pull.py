"""One list walked page by page: how it stands, how more of it comes, each page kept before it is seen.

`PullPhase` says what may be done when. A page counts once it is kept with its cursor (pull_storage.py); while it is
being kept the next one is asked for (fetch_pipeline.py). All of it runs on the loop's thread: packing and writing run
in the store's thread or in a process (page_writer_process.py), and in the window Load all is a process of its own
(loading.py).
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from enum import StrEnum
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import EndNotShown, ExplorerError, WalkStopped
from explorer.api.pages import Page, PageWalk, may_be_cut
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.listeners import Listeners
from explorer.session.fetch_pipeline import FetchPipeline
from explorer.session.loading import Loading
from explorer.session.pull_storage import PullStorage
from explorer.session.query_result import QueryResult
from explorer.store import (
    PageDamaged,
    PageInfo,
    PullInfo,
    PullKey,
    PullMoved,
    Query,
    Standing,
    StoreFault,
)

Row = bytes
"""A record as received."""


class PullPhase(StrEnum):
    """How a pull stands. `Pull.restart`, `reload`, `settle`, `drop` and `close` are allowed at any time."""

    READY = "ready"
    """More may be asked for: `more`, `load_all`."""
    LOADING = "loading"
    """Pages are on their way, for one caller; there is never a second. Cancelling that caller's task is Stop."""
    COMPLETE = "complete"
    """The service showed that this was the last page. `go_past` where a cursor leads on all the same."""
    STOPPED = "stopped"
    """The walk found a loop or too many empty pages (`go_past` overrules it), or the service ended the list and did not
    show that it is complete: `Pull.error` is EndNotShown."""
    FAILED = "failed"
    """`Pull.error` says why. Nothing is asked for until `retry`."""


class Pull:
    """One list of one connection with its parameters: the rows at hand, and how to get more.

    Made by `Session.pull`. ``query`` and ``extra`` are as given; `key` names it in the store.
    """

    def __init__(
        self,
        listing: Listing,
        query: Mapping[str, Any],
        extra: Sequence[tuple[str, str]],
        storage: PullStorage,
        send: Callable[[Request, bool], Awaitable[Answer]],
        loading_process: Callable[[Pull, bool], Loading] | None = None,
    ) -> None:
        """For `Session.pull`; ``send`` is told whether the log may do without the answer's body.

        ``loading_process`` makes the process that `load_all` runs in, told whether the user goes past an end; without
        it, `load_all` runs here.

        Raises StoreFault when the store cannot be read.
        """
        self.listing, self.query, self.extra = listing, dict(query), tuple(extra)
        self._storage, self._send_request, self._loading_process = storage, send, loading_process
        self.state = PullPhase.READY
        self.error: ExplorerError | None = None
        """Why it failed or stopped; None otherwise."""
        self.last_page: Page | None = None
        """The page that came last in this run."""
        self.mended: tuple[int, ...] = ()
        """Numbers of pages that were damaged and were fetched again."""
        self._listeners = Listeners[[]]()
        self._run = FetchPipeline(storage, self._walk)
        self.loading: Loading | None = None
        """The process that loads it just now, if one does."""
        self._past: PullPhase | None = None
        self._in_bulk = self._to_mend = False
        self._wrong: ExplorerError | None = None
        # Views read while they paint, too.
        storage.asker.found_wrong = lambda fault: storage.threads.soon(self._found_wrong, fault)
        self._load()

    # ------------------------------------------------------------------ what is at hand

    @property
    def key(self) -> PullKey:
        """Its name in the store."""
        return self._storage.key

    @property
    def info(self) -> PullInfo | None:
        """How far it came, by the store; None while no page is kept."""
        return self._storage.info

    @property
    def stored_id(self) -> int:
        """The number of its pull in the store; 0 while nothing is kept."""
        return self.info.id if self.info else 0

    @property
    def rows(self) -> int:
        """Rows that are kept; an empty pull has none."""
        return self.info.rows if self.info else 0

    @property
    def pages(self) -> int:
        """Pages that are kept, empty ones included."""
        return self.info.pages if self.info else 0

    @property
    def bytes(self) -> int:
        """Of the pages as received."""
        return self.info.bytes if self.info else 0

    @property
    def unfit(self) -> int | None:
        """Rows that do not fit the record of the contract, told as they were kept; None while that is not known of all,
        as some were kept by an earlier version.
        """
        return self.info.unfit if self.info else 0

    @property
    def with_key(self) -> int:
        """Rows that hold the key or token that they were asked for with; they are kept as they were received."""
        return self.info.with_key if self.info else 0

    @property
    def next_cursor(self) -> str | None:
        """What the next page will be asked with."""
        return self.info.next_cursor if self.info else None

    @property
    def settled(self) -> bool:
        """Whether it was complete at some time, or put in front as it is: it stays there until a later one is."""
        return self.info is not None and self.info.settled

    @property
    def standing(self) -> Standing:
        """How the pulls of its key stood to each other when it was made or reloaded."""
        return self._storage.standing

    @property
    def may_be_cut(self) -> bool:
        """Whether it is complete by the service's word, after one page of a size at which services cut."""
        return self.state == PullPhase.COMPLETE and may_be_cut(self.pages, self.rows)

    @property
    def notes(self) -> Sequence[str]:
        """What is odd about the page that came last, a sentence each; `page_list` has those of every page."""
        return self.last_page.notes if self.last_page else ()

    def window(self, start: int, stop: int) -> list[Row]:
        """The raw records of rows ``start`` to before ``stop``; fewer at the end. Some microseconds when warm.

        Raises StoreFault when the store cannot give them as they were received; the pull then turns to ``failed``.
        """
        start, stop = max(start, 0), min(stop, self.rows)
        try:
            return self._storage.window(start, stop) if start < stop else []
        except StoreFault as fault:
            # Views call this while they paint: they must not be told of a change in the middle of that.
            self._storage.threads.soon(self._found_wrong, fault)
            raise

    def page_at(self, row: int) -> PageInfo:
        """The page that ``row`` came with. Raises IndexError beyond the rows, StoreFault when it is gone."""
        return self._storage.page_at(row)

    def page_list(self, after: int = 0, *, noted: bool = False) -> list[PageInfo]:
        """Every kept page from the one behind page ``after`` on, in order; with ``noted`` those that have notes."""
        return self._storage.page_list(after, noted=noted)

    async def view(self, question: Query) -> QueryResult:
        """The rows at hand that answer ``question``, as soon as the first are found; it fills on by itself.

        Asks nothing of the service. A later question calls the earlier off. Raises QueryFault, StoreFault, and
        Superseded when another question came before this one had rows.
        """
        return await self._storage.asker.ask(question, self.info)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls ``callback`` after each change of state or rows, on the loop's thread. Returns how to end it."""
        return self._listeners.subscribe(callback)

    # ------------------------------------------------------------------ what may be done

    async def more(self) -> int:
        """Asks for the next page that has rows, passing over empty ones, and returns how many rows came.

        Does nothing and returns 0 unless the state is ``ready``. A failure is no exception: the state turns to
        ``failed`` and `error` says why. Cancelling stops at once and leaves the pull ready; an answer that comes
        after a restart is dropped. Raises nothing but CancelledError.
        """
        if self.state != PullPhase.READY:
            return 0
        run = self._run
        if self._to_mend:
            await self._while_loading(run, self._mend(run))
            return 0
        before = 0 if run.restart else self.rows
        came = await self._while_loading(run, run.run(1, lambda: True))
        return max(self.rows - before, 0) if came and not run.over else 0

    async def load_all(
        self, on_progress: Callable[[], None] | None = None, *, most: int | None = None
    ) -> None:
        """Asks until the list is complete, stopped, failed or restarted; ``on_progress`` after each page.

        With ``most`` it ends after that many pages with rows. What ``on_progress`` raises ends it too. To stop, cancel
        the task: the pull is ready again within 200 ms, with all that had come.
        """
        run = self._run
        await self._not_loading()
        if self._to_mend and not run.over:
            await self.more()
        if self.state != PullPhase.READY or run.over:
            return
        fault: Exception | None = None

        def kept() -> bool:
            nonlocal fault
            self._show_last(run)
            self._notify()
            try:
                if on_progress is not None:
                    on_progress()
            except Exception as error:  # noqa: BLE001 - no fault of the pull: raised below
                fault = error
            return fault is None

        self._in_bulk = True
        try:
            start = self._loading_process if most is None else None
            work = self._load_all_in_process(run, start, kept) if start else run.run(most, kept)
            await self._while_loading(run, work)
        finally:
            self._in_bulk = False
        if fault is not None:
            raise fault

    def retry(self) -> None:
        """Takes a failure back, so that `more` asks for the same page again. Reloads if another window went on.

        After a page was found damaged, `more` (and `load_all`, before it goes on) fetches what is damaged again by its
        cursor: the state is then what it was, or ``failed`` when the service does not answer as it did.
        """
        if self.state != PullPhase.FAILED:
            return
        self._to_mend = isinstance(self.error, PageDamaged)
        unreadable = isinstance(self.error, StoreFault) and not self._to_mend and not self._run.arrived
        if unreadable or isinstance(self.error, PullMoved):
            self.reload()  # what could not be read may have been complete
            return
        self.error = None
        self._become(PullPhase.READY)

    def go_past(self) -> None:
        """Goes on in spite of what stopped or ended the walk, by the user's decision; nothing if no cursor leads on."""
        if self.state not in {PullPhase.STOPPED, PullPhase.COMPLETE} or self.next_cursor is None:
            return
        self._past = self.state
        if self._run.walk is not None and self._run.walk.state != "ready":
            self._run.walk.go_past()
        self.error = self._run.last = None
        self._become(PullPhase.READY)

    def reload(self) -> None:
        """Shows what the store has now for this key, another window's pages included, and goes on from there."""
        self._begin_run()
        self.last_page = None
        self._load()
        self._notify()

    async def restart(self) -> None:
        """Begins anew. The rows at hand stay until the first new page is kept; from then on this is the new pull.

        What was on its way is dropped. Cancelled before that page: the old pull is as it was. In the store the new pull
        takes the place of one that is not settled; a settled one stays in front until the new one is complete.
        """
        run = self._begin_run(restart=True)
        self.error, self.state = None, PullPhase.READY
        try:
            await self.more()
        except asyncio.CancelledError:
            if run.restart and not run.over:
                self.reload()
            raise

    async def settle(self) -> None:
        """Puts it in front as it is, by the user's decision. Raises StoreFault."""
        await self._storage.settle()

    async def drop(self) -> None:
        """Removes it from the store: a reload that nobody wants any more. Raises StoreFault."""
        self._begin_run()
        await self._storage.drop()

    def close(self) -> None:
        """Stops what is on its way and tells nobody any more."""
        self._begin_run()
        self._listeners.clear()
        self._storage.asker.close()

    # ------------------------------------------------------------------ fetching, as ``loading``

    async def _while_loading(self, run: FetchPipeline, work: Coroutine[Any, Any, None]) -> bool:
        """Does ``work`` as ``loading``; what it raises becomes the state, and False is returned."""
        self._become(PullPhase.LOADING)
        fault: ExplorerError | None = None
        try:
            await work
        except ExplorerError as error:
            fault = error
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave the table loading for ever
            detail = "".join(traceback.format_tb(error.__traceback__))
            fault = ExplorerError(f"The program failed on a page ({type(error).__name__}).", detail=detail)
        finally:  # after a Stop too
            if not run.over:
                self._come_to_rest(run, fault)
        return fault is None

    async def _load_all_in_process(
        self, run: FetchPipeline, loading_process: Callable[[Pull, bool], Loading], kept: Callable[[], bool]
    ) -> None:
        """All that follows in a process of its own, whose pages are taken up as they are kept."""
        # A pull begun anew takes the place of the one before with its first page: that is done here.
        await run.run(1 if run.restart else 0, kept)
        if run.over or run.restart or run.arrived or run.ended:
            return

        def heard(pull_id: int) -> None:
            if not run.over:
                self._storage.look(pull_id)
                self.last_page = None
                if not kept():
                    loading.cancel()

        run.walk = run.last = None
        loading = self.loading = loading_process(self, self._past is not None)
        try:
            error = await loading.run(heard)
        except asyncio.CancelledError:
            await loading.stop()
            raise
        finally:
            if not run.over:
                self.loading = None
                self._take_over()
        if error is not None and not isinstance(error, WalkStopped):
            raise error
        if self.state == PullPhase.STOPPED and run is self._run:
            self.error = error  # with its request in the log

    def _take_over(self) -> None:
        """The state as the other process left it."""
        self._past = self.last_page = None
        if self.stored_id:
            self._storage.look(self.stored_id)
            self._stand()
        else:
            self._load()

    async def _send(self, request: Request) -> Answer:
        """What the walk sends with: the log does without the bodies of a long pull, which are in the store."""
        return await self._send_request(request, self._in_bulk)

    async def _walk(self, restart: bool) -> PageWalk:
        """One that stands where the store does, or with ``restart`` at the beginning."""
        info = None if restart else self.info
        if info is None:
            return PageWalk(self._send, self.listing, self.query, self.extra)
        seen, digests = await self._storage.seen()
        return PageWalk(
            self._send,
            self.listing,
            self.query,
            self.extra,
            number=info.pages,
            cursor=info.next_cursor,
            seen=seen,
            digests=digests,
            flag_counts=self._past != PullPhase.COMPLETE,
        )

    async def _mend(self, run: FetchPipeline) -> None:
        """Fetches damaged pages again; then the state is what the store has."""

        async def fetch(number: int, cursor: str | None) -> Page:
            walk = PageWalk(
                self._send, self.listing, self.query, self.extra, number=number - 1, cursor=cursor
            )
            return await walk.advance()

        mended = await self._storage.mend(fetch)
        if not run.over:
            self._to_mend, self.mended = False, (*self.mended, *mended)
            self.last_page = run.walk = run.last = None
            self._load()
            if self.error is not None and self.state == PullPhase.FAILED:
                raise self.error

    # ------------------------------------------------------------------ the state

    def _begin_run(self, *, restart: bool = False) -> FetchPipeline:
        """Ends the walk and whatever it has on its way, and begins another."""
        before, self._wrong, self._to_mend = self._run, None, False
        before.end()
        loading, self.loading = self.loading, None
        if loading is not None:
            loading.cancel()
        self._run = FetchPipeline(self._storage, self._walk, restart=restart, before=before)
        return self._run

    def _load(self) -> None:
        self._storage.load()
        self._stand()

    def _stand(self) -> None:
        """The state is that of the kept pull."""
        info = self.info
        self.state, self.error, self._run.restart = PullPhase.READY, None, False
        if info is not None:
            self.state = PullPhase(info.state)
            self.error = _stop_of(info) if info.state == "stopped" else None
            try:
                self._storage.check()
            except PageDamaged as fault:
                self.state, self.error = PullPhase.FAILED, fault

    def _come_to_rest(self, run: FetchPipeline, fault: ExplorerError | None) -> None:
        """The state after fetching, told once: failed, or as the last kept page left it, or another process."""
        self._show_last(run)
        if fault is not None:
            self._fail(fault)
        elif run.last is not None and run.ended:
            self.error = run.last.why
            self._become(PullPhase(run.last.state))
        else:
            self._become(PullPhase.READY if self.state == PullPhase.LOADING else self.state)

    def _show_last(self, run: FetchPipeline) -> None:
        if run.last is not None:
            self.last_page = run.last.page

    def _found_wrong(self, fault: ExplorerError) -> None:
        """Rows that are at hand could not be read: said when nothing is on its way."""
        if self.state == PullPhase.LOADING:
            self._wrong = fault
        elif self.state != PullPhase.FAILED:
            self._fail(fault)

    def _fail(self, error: ExplorerError) -> None:
        self.error, self._wrong = error, None
        self._become(PullPhase.FAILED)

    def _become(self, state: PullPhase) -> None:
        if self._wrong is not None and state != PullPhase.LOADING:
            state, self.error, self._wrong = PullPhase.FAILED, self._wrong, None
        self.state = state
        self._notify()

    async def _not_loading(self) -> None:
        """Waits while another caller has a page on its way."""
        while self.state == PullPhase.LOADING:
            changed = asyncio.get_running_loop().create_future()
            end = self.subscribe(lambda done=changed: done.done() or done.set_result(None))  # type: ignore[misc]
            try:
                await changed
            finally:
                end()

    def _notify(self) -> None:
        self._listeners.tell()


def _stop_of(info: PullInfo) -> WalkStopped:
    """What stopped a pull, from what is kept of it: all but an end that was not shown leave a cursor to go on with."""
    return (EndNotShown if info.next_cursor is None else WalkStopped)(info.why)
