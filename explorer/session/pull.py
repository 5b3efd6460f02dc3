"""A pull: one list, walked page by page, each page stored before it is shown.

`PullPhase` says what is allowed when. A page counts once it is stored with its cursor (pull_storage.py); while it is
being stored the next one is fetched (fetch_pipeline.py). A pull is used on the event loop's thread; packing and writing
run in the store's thread or in a process (page_writer_process.py), and in the window Load all runs in a process of its
own (loading.py).
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any

from explorer.api.answer import Answer
from explorer.api.errors import EndNotShown, ExplorerError, WalkStopped
from explorer.api.pages import CHANGED, Page, PageWalk, may_be_cut
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.listeners import Listeners
from explorer.session.fetch_pipeline import FetchPipeline
from explorer.session.loading import Loading
from explorer.session.pull_storage import PullStorage
from explorer.session.query_result import QueryResult
from explorer.store.query import Query
from explorer.store.values import PageDamaged, PageInfo, PullInfo, PullKey, PullMoved, Standing, StoreFault

Row = bytes
"""A record as received."""


class PullPhase(StrEnum):
    """The state of a pull. `Pull.restart`, `reload`, `settle`, `drop` and `close` are allowed in every state."""

    READY = "ready"
    """Further pages can be fetched: `more`, `load_all`."""
    LOADING = "loading"
    """Pages are being fetched for one caller; there is never a second. Stop is: cancel that caller's task."""
    COMPLETE = "complete"
    """The service showed that this was the last page. `go_past` continues where there is a next cursor all the same."""
    STOPPED = "stopped"
    """The walk found a loop or too many empty pages (`go_past` continues), or the service ended the list without
    showing that it is complete (`Pull.error` is EndNotShown).
    """
    FAILED = "failed"
    """`Pull.error` says why. Nothing is fetched until `retry` is called."""


class Pull:
    """One list of one connection with its parameters: its stored rows, and the ways to fetch more.

    Made by `Session.pull`. ``query`` and ``extra`` are as given there; `key` identifies the list in the store.
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
        """Use `Session.pull`. The second argument of ``send``: whether the log may leave out the answer's body.

        ``loading_process`` makes the process for `load_all`; its second argument says whether the user continues past
        an end. Without it `load_all` runs on this loop. Raises StoreFault when the store cannot be read.
        """
        self.listing, self.query, self.extra = listing, dict(query), tuple(extra)
        self._storage, self._send_request, self._loading_process = storage, send, loading_process
        self._walk_from = partial(PageWalk, self._send, self.listing, self.query, self.extra)
        self.state = PullPhase.READY
        self.error: ExplorerError | None = None
        """Why it failed or stopped; None otherwise."""
        self.last_page: Page | None = None
        """The page that was stored last by this object; None before the first."""
        self.mended: tuple[int, ...] = ()
        """Numbers of the damaged pages that were fetched again."""
        self._listeners = Listeners[[]]()
        self.subscribe = self._listeners.subscribe
        """Takes what is called after each change of state or rows, on the loop's thread; returns what ends that."""
        self._run = FetchPipeline(storage, self._walk)
        self.loading: Loading | None = None
        """The load process, while one is running."""
        self._past: PullPhase | None = None
        self._in_bulk = self._to_mend = False
        self._pending_fault: ExplorerError | None = None
        # A query reads while a view paints: the state changes only after that.
        storage.asker.found_wrong = lambda fault: storage.threads.soon(self._read_failed, fault)
        self._load()

    # ------------------------------------------------------------------ what is stored

    @property
    def key(self) -> PullKey:
        """The key of the list in the store."""
        return self._storage.key

    @property
    def info(self) -> PullInfo | None:
        """The state of the stored pull; None while no page is stored."""
        return self._storage.info

    @property
    def stored_id(self) -> int:
        """The id of the stored pull; 0 while no page is stored."""
        return self.info.id if self.info else 0

    @property
    def rows(self) -> int:
        """The number of stored rows."""
        return self.info.rows if self.info else 0

    @property
    def pages(self) -> int:
        """The number of stored pages, empty ones included."""
        return self.info.pages if self.info else 0

    @property
    def bytes(self) -> int:
        """Bytes of the stored pages as received, before compression."""
        return self.info.bytes if self.info else 0

    @property
    def unfit(self) -> int | None:
        """Rows that do not fit the contract's record model; counted when a page is stored.

        None when that is unknown for some page, which an earlier version stored.
        """
        return self.info.unfit if self.info else 0

    @property
    def observed(self) -> int | None:
        """Rows that fit but for nulls that running services are known to send; None where `unfit` is unknown."""
        return self.info.observed if self.info else 0

    @property
    def with_key(self) -> int:
        """Rows that contain the key or token of the request. They are stored as received all the same."""
        return self.info.with_key if self.info else 0

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the next page; None at the start and at the end."""
        return self.info.next_cursor if self.info else None

    @property
    def settled(self) -> bool:
        """Whether it was complete at some time, or the user accepted it as it is; see `PullInfo.settled`."""
        return self.info is not None and self.info.settled

    @property
    def standing(self) -> Standing:
        """The current, begun and earlier pulls of its key, as of when this was made or reloaded."""
        return self._storage.standing

    @property
    def may_be_cut(self) -> bool:
        """Whether the service called it complete after a single page of a common page size, see `pages.may_be_cut`."""
        return self.state == PullPhase.COMPLETE and may_be_cut(self.pages, self.rows)

    def window(self, start: int, stop: int) -> list[Row]:
        """The records of rows ``start`` to before ``stop`` as received; fewer at the end.

        Takes microseconds when the page is cached. Raises StoreFault when a row cannot be read as it was received; the
        state then becomes ``failed``.
        """
        start, stop = max(start, 0), min(stop, self.rows)
        try:
            return self._storage.window(start, stop) if start < stop else []
        except StoreFault as fault:
            # Views call this while they paint, and must not be notified in the middle of that.
            self._storage.threads.soon(self._read_failed, fault)
            raise

    def with_raw(self, rows: Sequence[int], records: Sequence[Row]) -> list[Row]:
        """The records of ``rows``, each with what its page's envelope has of its raw data as a last field.

        That field is called as the envelope declares it (`Envelope.raw`); without such raw data the records are as
        given. A page takes about a millisecond: for many rows call it in a thread. Raises StoreFault, IndexError.
        """
        return self._storage.with_raw(self.listing.envelope, rows, records)

    def page_at(self, row: int) -> PageInfo:
        """The page that holds ``row``. Raises IndexError beyond the last row, StoreFault when it was removed."""
        return self._storage.page_at(row)

    def page_list(self, after: int = 0, *, noted: bool = False) -> list[PageInfo]:
        """The stored pages after page ``after``, in order; ``noted``: only those that have notes."""
        return self._storage.page_list(after, noted=noted)

    async def view(self, question: Query) -> QueryResult:
        """The stored rows that match ``question``. Returns when the first are found; the result grows by itself.

        No request is sent. A later query cancels the earlier one. Raises QueryFault, StoreFault, and Superseded when
        another query began before this one had rows.
        """
        return await self._storage.asker.ask(question, self.info)

    # ------------------------------------------------------------------ actions

    async def more(self) -> int:
        """Fetches pages until one has rows, and returns how many rows were added.

        Does nothing and returns 0 unless the state is ``ready``. A failure is not raised: the state becomes ``failed``
        and `error` says why. Cancelling stops at once and leaves the pull ready; an answer that arrives after a restart
        is dropped. Raises CancelledError only.
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
        """Fetches pages until the list is complete, stopped, failed or restarted.

        ``on_progress`` is called after each write; an exception of it ends the loading and is raised. ``most``: end
        after that many pages with rows. To stop, cancel the task: within 200 ms the pull is ready again, with every
        page that had arrived.
        """
        run = self._run
        await self._until_not_loading()
        if self._to_mend and not run.over:
            await self.more()
        if self.state != PullPhase.READY or run.over:
            return
        fault: Exception | None = None

        def kept() -> bool:
            nonlocal fault
            self._show_last(run)
            self._listeners.tell()
            try:
                if on_progress is not None:
                    on_progress()
            except Exception as error:  # noqa: BLE001 - an error of the caller, not of the pull: raised below
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
        """Clears a failure, so that `more` requests the same page again; reloads if another window changed the pull.

        When a stored page is damaged, the next `more` or `load_all` first fetches the damaged pages again by their
        cursors. Then the state is that of before, or ``failed`` when the service returns other rows now.
        """
        if self.state != PullPhase.FAILED:
            return
        self._to_mend = isinstance(self.error, PageDamaged)
        unreadable = isinstance(self.error, StoreFault) and not self._to_mend and not self._run.arrived
        if unreadable or isinstance(self.error, PullMoved):
            self.reload()  # the pull that could not be read may have been complete
            return
        self.error = None
        self._set_state(PullPhase.READY)

    def go_past(self) -> None:
        """Makes a stopped or complete pull ready again, by the user's decision; does nothing without a next cursor."""
        if self.state not in {PullPhase.STOPPED, PullPhase.COMPLETE} or self.next_cursor is None:
            return
        self._past = self.state
        if self._run.walk is not None and self._run.walk.state != "ready":
            self._run.walk.go_past()
        self.error = self._run.last = None
        self._set_state(PullPhase.READY)

    def reload(self) -> None:
        """Reads the state from the store again, with pages of other windows, to continue from there."""
        self._begin_run()
        self.last_page = None
        self._load()
        self._listeners.tell()

    async def restart(self) -> None:
        """Begins a new pull from the first page. The old rows stay until its first page is stored.

        Answers under way are dropped. Cancelled before that page, the old pull is as it was. In the store the new pull
        replaces one that is not settled; a settled one stays current until the new one is complete.
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
        """Makes it the current pull of its key although it may be incomplete, by the user's decision.

        Raises StoreFault.
        """
        await self._storage.settle()

    async def drop(self) -> None:
        """Removes it from the store, as for a reload that is discarded. Raises StoreFault."""
        self._begin_run()
        await self._storage.drop()

    def close(self) -> None:
        """Stops what is under way and drops all listeners."""
        self._begin_run()
        self._listeners.clear()
        self._storage.asker.close()

    # ------------------------------------------------------------------ fetching, in the state ``loading``

    async def _while_loading(self, run: FetchPipeline, work: Coroutine[Any, Any, None]) -> bool:
        """Awaits ``work`` in the state ``loading``. False for an exception, which becomes the state ``failed``."""
        self._set_state(PullPhase.LOADING)
        fault: ExplorerError | None = None
        try:
            await work
        except ExplorerError as error:
            fault = error
        except Exception as error:  # noqa: BLE001 - a bug must not leave the state at ``loading`` for ever
            detail = "".join(traceback.format_tb(error.__traceback__))
            fault = ExplorerError(f"The program failed on a page ({type(error).__name__}).", detail=detail)
        finally:  # also after a Stop
            if not run.over:
                self._end_loading(run, fault)
        return fault is None

    async def _load_all_in_process(
        self, run: FetchPipeline, loading_process: Callable[[Pull, bool], Loading], kept: Callable[[], bool]
    ) -> None:
        """Runs the rest of the pull in a load process, and reads the pages that it stores from the store."""
        # A restarted pull replaces the old one with its first page. That is done here, before the process starts.
        await run.run(1 if run.restart else 0, kept)
        if run.over or run.restart or run.arrived or run.ended:
            return

        def heard(pull_id: int) -> None:
            if not run.over:
                self._storage.refresh(pull_id)
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
                self._adopt_stored_state()
        if error is not None and not isinstance(error, WalkStopped):
            raise error
        if self.state == PullPhase.STOPPED and run is self._run:
            self.error = error  # it has the number of its request in the log

    def _adopt_stored_state(self) -> None:
        """Takes over the state in which the load process left the stored pull."""
        self._past = self.last_page = None
        if self.stored_id:
            self._storage.refresh(self.stored_id)
            self._show_stored_state()
        else:
            self._load()

    async def _send(self, request: Request) -> Answer:
        """Sends a request of the walk. In a long pull the log leaves out the pages' bodies, which are in the store."""
        return await self._send_request(request, self._in_bulk)

    async def _walk(self, restart: bool) -> PageWalk:
        """A walk that continues after the last stored page, or with ``restart`` begins at the first."""
        info = None if restart else self.info
        if info is None:
            return self._walk_from()
        seen, digests = await self._storage.walked_so_far()
        counted = self.listing.is_counted
        return self._walk_from(
            number=info.pages,
            cursor=info.next_cursor,
            seen=seen,
            digests=digests,
            rows=info.rows,
            last=self._storage.body(info.pages) if counted else b"",
            changed=counted and any(CHANGED in " ".join(page.notes) for page in self.page_list(noted=True)),
            flag_counts=self._past != PullPhase.COMPLETE,
        )

    async def _mend(self, run: FetchPipeline) -> None:
        """Fetches the damaged pages again, then takes the state from the store."""

        async def fetch(number: int, cursor: str | None) -> Page:
            return await self._walk_from(number=number - 1, cursor=cursor).advance()

        mended = await self._storage.mend(fetch)
        if not run.over:
            self._to_mend, self.mended = False, (*self.mended, *mended)
            self.last_page = run.walk = run.last = None
            self._load()
            if self.error is not None and self.state == PullPhase.FAILED:
                raise self.error

    # ------------------------------------------------------------------ state

    def _begin_run(self, *, restart: bool = False) -> FetchPipeline:
        """Ends the present walk with all that it has under way, and makes a new pipeline."""
        before, self._pending_fault, self._to_mend = self._run, None, False
        before.end()
        loading, self.loading = self.loading, None
        if loading is not None:
            loading.cancel()
        self._run = FetchPipeline(self._storage, self._walk, restart=restart, before=before)
        return self._run

    def _load(self) -> None:
        self._storage.load()
        self._show_stored_state()

    def _show_stored_state(self) -> None:
        """Sets the state to that of the stored pull, or to ``failed`` when it does not agree with its pages."""
        info = self.info
        self.state, self.error, self._run.restart = PullPhase.READY, None, False
        if info is not None:
            self.state = PullPhase(info.state)
            self.error = _stop_reason(info) if info.state == "stopped" else None
            try:
                self._storage.check()
            except PageDamaged as fault:
                self.state, self.error = PullPhase.FAILED, fault

    def _end_loading(self, run: FetchPipeline, fault: ExplorerError | None) -> None:
        """Sets the state after fetching: failed, or as the last stored page or the process left it. Notifies once."""
        self._show_last(run)
        if fault is not None:
            self._fail(fault)
        elif run.last is not None and run.ended:
            self.error = run.last.why
            self._set_state(PullPhase(run.last.state))
        else:
            self._set_state(PullPhase.READY if self.state == PullPhase.LOADING else self.state)

    def _show_last(self, run: FetchPipeline) -> None:
        if run.last is not None:
            self.last_page = run.last.page

    def _read_failed(self, fault: ExplorerError) -> None:
        """A stored row could not be read. While loading, the state becomes ``failed`` only at the end of that."""
        if self.state == PullPhase.LOADING:
            self._pending_fault = fault
        elif self.state != PullPhase.FAILED:
            self._fail(fault)

    def _fail(self, error: ExplorerError) -> None:
        self.error, self._pending_fault = error, None
        self._set_state(PullPhase.FAILED)

    def _set_state(self, state: PullPhase) -> None:
        if self._pending_fault is not None and state != PullPhase.LOADING:
            state, self.error, self._pending_fault = PullPhase.FAILED, self._pending_fault, None
        self.state = state
        self._listeners.tell()

    async def _until_not_loading(self) -> None:
        """Waits while another caller is loading."""
        while self.state == PullPhase.LOADING:
            changed = asyncio.get_running_loop().create_future()
            end = self.subscribe(lambda done=changed: done.done() or done.set_result(None))  # type: ignore[misc]
            try:
                await changed
            finally:
                end()


def _stop_reason(info: PullInfo) -> WalkStopped:
    """The error of a stored pull that is stopped. Without a next cursor it is EndNotShown."""
    return (EndNotShown if info.next_cursor is None else WalkStopped)(info.why)
