"""What gets more of a list: pages asked for, kept in order, and how the pull stands after each.

Everything runs on the loop's thread; packing and writing run in the session's worker thread, or in a process of its own
(page_writer_process.py). A page counts when it is kept. Each run belongs to a round: what comes after a restart is
dropped. What of this is for others is in pull.py.
"""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from explorer.api.answer import Answer
from explorer.api.errors import EndNotShown, ExplorerError, WalkStopped
from explorer.api.pages import Page, PageWalk
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.listeners import Listeners
from explorer.session.fetch_pipeline import ALONE, FetchPipeline, drained
from explorer.session.loading import Loading
from explorer.session.page_writer_process import PageWriterEnded
from explorer.session.pull_storage import PullStorage
from explorer.store import PageDamaged, PullInfo, PullState
from explorer.store.store import PageWrite

PullPhase = Literal["ready", "loading", "complete", "stopped", "failed"]
STOP_SECONDS = 0.15
"""A Stop that meets a write waits for it this long; a slower one ends by itself and is taken up by the next call."""


@dataclass(frozen=True, slots=True)
class _Came:
    """A page that has come, and how the walk stood after it."""

    page: Page
    state: PullState
    why: WalkStopped | None

    @property
    def keep(self) -> PageWrite:
        """What the store is given."""
        return PageWrite(self.page, self.state, self.why.sentence if self.why else "")


class PullBase:
    """The walk of one pull, the pages that came and are not kept yet, and the state that they leave it in."""

    def __init__(
        self,
        listing: Listing,
        query: Mapping[str, Any],
        extra: Sequence[tuple[str, str]],
        shelf: PullStorage,
        send: Callable[[Request, bool], Awaitable[Answer]],
    ) -> None:
        """For `Session.pull`; ``send`` is told whether the log may do without the answer's body. Raises StoreFault when
        the store cannot be read.
        """
        self.listing, self.query, self.extra = listing, dict(query), tuple(extra)
        self._shelf, self._send_request = shelf, send
        self.state: PullPhase = "ready"
        self.error: ExplorerError | None = None
        """Why it failed or stopped; None otherwise."""
        self.last_page: Page | None = None
        """The page that came last in this run."""
        self._listeners = Listeners[[]]()
        self._walk: PageWalk | None = None
        self._restart = False
        self._generation = 0
        self._asking: asyncio.Task[Page | ExplorerError] | FetchPipeline | Loading | None = None
        self._writing: asyncio.Future[PullInfo] | None = None
        self._late: asyncio.Future[PullInfo] | None = None
        self.apart: Callable[[bool], Loading] | None = None
        """Makes the process that `load_all` runs in, told whether the user goes past an end; None: it runs here."""
        self._past: PullPhase | None = None
        self._unkept: deque[_Came] = deque()
        self._stands: _Came | None = None
        self._in_bulk, self._taking = False, 0
        self._wrong: ExplorerError | None = None
        self._to_mend = False
        # Views read while they paint, too.
        shelf.asker.found_wrong = lambda fault: shelf.worker.soon(self._found_wrong, fault)
        self.mended: tuple[int, ...] = ()
        """Numbers of pages that were damaged and were fetched again."""
        self._load()

    @property
    def stored_id(self) -> int:
        """The number of its pull in the store; 0 while nothing is kept."""
        return self._shelf.info.id if self._shelf.info else 0

    @property
    def rows(self) -> int:
        """Rows that are kept; an empty pull has none."""
        return self._shelf.info.rows if self._shelf.info else 0

    @property
    def pages(self) -> int:
        """Pages that are kept, empty ones included."""
        return self._shelf.info.pages if self._shelf.info else 0

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls ``callback`` after each change of state or rows, on the loop's thread. Returns how to end it."""
        return self._listeners.subscribe(callback)

    async def _settled(self) -> None:
        """Waits while another caller has a page on its way."""
        while self.state == "loading":
            changed = asyncio.get_running_loop().create_future()
            end = self.subscribe(lambda done=changed: done.done() or done.set_result(None))  # type: ignore[misc]
            try:
                await changed
            finally:
                end()

    async def _while_loading(self, generation: int, work: Coroutine[Any, Any, None]) -> bool:
        """Does ``work`` as ``loading``; what it raises becomes the state, and False is returned."""
        self._become("loading")
        try:
            await work
            return True
        except asyncio.CancelledError:
            if generation == self._generation:
                self._rest()
            raise
        except ExplorerError as error:
            if generation == self._generation:
                self._fail(error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave the table loading for ever
            if generation == self._generation:
                detail = "".join(traceback.format_tb(error.__traceback__))
                self._fail(
                    ExplorerError(f"The program failed on a page ({type(error).__name__}).", detail=detail)
                )
        return False

    def _rest(self) -> None:
        """The state after a Stop: as the last kept page left it."""
        if self._writing is None and not self._unkept and self._stands and self._stands.state != "ready":
            self._settle(self._generation)
        elif self.state in ("complete", "stopped"):  # as another process had left it
            self._notify()
        else:
            self._become("ready")

    async def _step(self, generation: int) -> bool:
        """One page asked for and kept. True when none follows."""
        if self._late is not None and not await self._caught_up(self._late, generation):
            return True
        if self._writing is None and not self._unkept:
            walk = await self._walked(generation)
            got = await self._ask(walk, generation) if walk else None
            if generation != self._generation or got is None:
                return True
            if isinstance(got, ExplorerError):
                raise got
        # Else a Stop came while a page was being kept: it may be at hand already.
        await self._keep_first(generation)
        return self._settle(generation)

    async def _flow(self, generation: int, told: ProgressCallback, most: int | None) -> None:
        """Page after page, each kept while the next is on its way."""
        if not await self._caught_up_with(generation, told, most):
            return
        walk = await self._walked(generation)
        if walk is None:
            return

        kept_here = 0

        async def keep() -> int:
            nonlocal kept_here
            kept = await self._keep_first(generation)
            if generation != self._generation:
                return 0
            self._notify()
            kept_here += kept
            if kept_here == ALONE:
                flow.beside(self._shelf.keep_beside().work())
            return kept if told() else 0

        flow = self._asking = FetchPipeline(walk, lambda page: self._came(page, walk, generation), keep)
        try:
            await flow.run(most)
        except asyncio.CancelledError:
            await self._drain(generation)
            raise
        finally:
            self._shelf.keeping = None
            if self._asking is flow:
                self._asking = None
        self._settle(generation)

    async def _caught_up_with(
        self, generation: int, told: ProgressCallback, most: int | None, *, first: bool = False
    ) -> bool:
        """Keeps what an earlier run left, with ``first`` also the first page of one begun anew. False: that was all."""
        began = 0 if self._restart else self.rows
        while (
            self._late is not None or self._writing is not None or self._unkept or (first and self._restart)
        ):
            ended = await self._step(generation)
            if generation == self._generation and not told():
                return False
            if ended or generation != self._generation or (most is not None and self.rows > began):
                return False
        return True

    async def _flow_apart(self, generation: int, told: ProgressCallback, most: int | None) -> None:
        """The same in a process of its own, whose pages are taken up as they are kept."""
        # A pull begun anew takes the place of the one before with its first page: that is done here.
        if self.apart is None or not await self._caught_up_with(generation, told, most, first=True):
            return

        def heard(pull_id: int) -> None:
            if generation == self._generation:
                self._shelf.look(pull_id)
                self.last_page = None
                self._notify()
                if not told():
                    loading.cancel()

        self._walk = self._stands = None
        loading = self._asking = self.apart(self._past is not None)
        try:
            error = await loading.run(heard)
        except asyncio.CancelledError:
            await loading.stop()
            raise
        finally:
            if generation == self._generation:
                self._asking = None
                self._take_over()
        if generation != self._generation:
            return
        if error is not None and not isinstance(error, WalkStopped):
            raise error
        self.error = error if self.state == "stopped" else None
        self._notify()

    def _take_over(self) -> None:
        """The state as the other process left it."""
        self._past = self.last_page = None
        if self.stored_id:
            self._shelf.look(self.stored_id)
            self._stand()
        else:
            self._load()

    async def _drain(self, generation: int) -> None:
        """Keeps what had come when Stop was pressed, as far as there is time for it."""

        async def keep() -> bool:
            if generation != self._generation or not (self._writing or self._unkept):
                return False
            await self._keep_first(generation)
            return True

        await drained(keep, STOP_SECONDS)

    async def _walked(self, generation: int) -> PageWalk | None:
        """The walk, made to stand where the store does if there is none; None when a restart came meanwhile."""
        if self._walk is None:
            resumed = await self._resumed()
            if generation != self._generation:
                return None
            self._walk = resumed
        return self._walk

    def _came(self, page: Page, walk: PageWalk, generation: int) -> None:
        """The walk has moved: a Stop that comes just now must not lose the page."""
        if generation == self._generation:
            state: PullState = "ready" if walk.state in ("ready", "loading") else walk.state  # type: ignore[assignment]
            self._unkept.append(_Came(page, state, walk.why))

    async def _caught_up(self, late: asyncio.Future[PullInfo], generation: int) -> bool:
        """Waits for a page of an earlier round that was still being written. False when this round is over too."""
        await asyncio.wait({late})
        if generation != self._generation:
            return False
        self._late = None
        if not late.cancelled() and late.exception() is None:
            self._shelf.take(late.result())
        return True

    async def _ask(self, walk: PageWalk, generation: int) -> Page | ExplorerError | None:
        """The next page, its failure, or None when a restart called it off."""

        async def asked() -> Page | ExplorerError:
            try:
                page = await walk.advance()
            except ExplorerError as error:
                return error
            self._came(page, walk, generation)
            return page

        try:
            async with asyncio.TaskGroup() as group:
                task = self._asking = group.create_task(asked())
        except ExceptionGroup as faults:
            raise faults.exceptions[0] from None
        if self._asking is task:
            self._asking = None
        return None if task.cancelled() else task.result()

    async def _keep_first(self, generation: int) -> int:
        """Keeps the first pages that came, or waits for them to be kept, and returns how many those are."""
        writing = self._writing
        if writing is None:
            writing, self._taking = self._shelf.keep(
                [came.keep for came in self._unkept], restart=self._restart
            )
            self._writing = writing
        taking = self._taking
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            # The page may be in the file by now: what is shown must say so.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({writing}, timeout=STOP_SECONDS)
            if writing.done() and generation == self._generation:
                self._take(writing)
            raise
        except PageWriterEnded:
            return await self._kept_or_again(generation, taking)
        except ExplorerError:
            if generation == self._generation:
                self._writing = None
                raise
        else:
            if generation == self._generation:
                self._take(writing)
        return taking

    async def _kept_or_again(self, generation: int, taking: int) -> int:
        """After the process that kept pages went away: what it had kept shows in the store, the rest is kept here."""
        if generation != self._generation:
            return taking
        self._writing, self._shelf.keeping, before = None, None, self.pages
        self._shelf.look(self.stored_id)
        if self.pages == before:
            return await self._keep_first(generation)
        self._pop(taking)
        return taking

    def _take(self, writing: asyncio.Future[PullInfo]) -> None:
        """What was written becomes what is shown."""
        self._writing = None
        if writing.cancelled() or writing.exception() is not None:
            return
        self._shelf.take(writing.result())
        self._pop(self._taking)

    def _pop(self, kept: int) -> None:
        """So many of the pages that came are kept."""
        for _ in range(kept):
            stands = self._stands = self._unkept.popleft()
            self.last_page, self._restart = stands.page, False

    def _settle(self, generation: int) -> bool:
        """After a page was kept: the state that it left the walk in, told once. True when no page follows by itself."""
        if generation != self._generation:
            return True
        stands = self._stands
        if stands is None or stands.state == "ready":
            self._become("loading" if stands and not stands.page.records else "ready")
            return False
        self.error = stands.why
        self._become("complete" if stands.state == "complete" else "stopped")
        return True

    async def _send(self, request: Request) -> Answer:
        """What the walk sends with: the log does without the bodies of a long pull, which are in the store."""
        return await self._send_request(request, self._in_bulk)

    async def _resumed(self) -> PageWalk:
        """A walk that stands where the store does."""
        info = self._shelf.info
        if info is None or self._restart:
            return PageWalk(self._send, self.listing, self.query, self.extra)
        seen, digests = await self._shelf.seen()
        return PageWalk(
            self._send,
            self.listing,
            self.query,
            self.extra,
            number=info.pages,
            cursor=info.next_cursor,
            seen=seen,
            digests=digests,
            flag_counts=self._past != "complete",
        )

    def _load(self) -> None:
        self._shelf.load()
        self._stand()

    def _stand(self) -> None:
        """The state is that of the kept pull."""
        info = self._shelf.info
        self.state, self.error, self._restart = "ready", None, False
        if info is not None:
            self.state = info.state
            self.error = _stop_of(info) if info.state == "stopped" else None
            try:
                self._shelf.check()
            except PageDamaged as fault:
                self.state, self.error = "failed", fault

    def _found_wrong(self, fault: ExplorerError) -> None:
        """Rows that are at hand could not be read: said when nothing is on its way."""
        if self.state == "loading":
            self._wrong = fault
        elif self.state != "failed":
            self._fail(fault)

    async def _mend(self, generation: int) -> None:
        """Fetches damaged pages again; then the state is what the store has."""

        async def fetch(number: int, cursor: str | None) -> Page:
            walk = PageWalk(
                self._send, self.listing, self.query, self.extra, number=number - 1, cursor=cursor
            )
            return await walk.advance()

        mended = await self._shelf.mend(fetch)
        if generation == self._generation:
            self._to_mend, self.mended = False, (*self.mended, *mended)
            self.last_page = None
            self._load()
            if self.error is not None and self.state == "failed":
                raise self.error
            self._notify()

    def _drop(self) -> None:
        """Ends the walk and whatever it has on its way; late answers belong to an earlier round."""
        self._generation += 1
        self._wrong, self._to_mend = None, False
        if self._writing is not None and not self._writing.done():
            self._late = self._writing
        self._walk = self._writing = self._stands = None
        self._unkept.clear()
        asking, self._asking = self._asking, None
        if asking is not None:
            asking.cancel()

    def _fail(self, error: ExplorerError) -> None:
        self.error, self._wrong = error, None
        self._become("failed")

    def _become(self, state: PullPhase) -> None:
        if self._wrong is not None and state != "loading":
            state, self.error, self._wrong = "failed", self._wrong, None
        self.state = state
        self._notify()

    def _notify(self) -> None:
        self._listeners.tell()


def _stop_of(info: PullInfo) -> WalkStopped:
    """What stopped a pull, from what is kept of it: all but an end that was not shown leave a cursor to go on with."""
    return (EndNotShown if info.next_cursor is None else WalkStopped)(info.why)


class ProgressCallback:
    """Whoever wants to hear of progress, and what went wrong there, which is no fault of the pull."""

    def __init__(self, on_progress: Callable[[], None] | None) -> None:
        self._on_progress = on_progress
        self.fault: Exception | None = None

    def __call__(self) -> bool:
        """False when it went wrong."""
        try:
            if self._on_progress is not None:
                self._on_progress()
        except Exception as error:  # noqa: BLE001 - raised again by `load_all`
            self.fault = error
        return self.fault is None
