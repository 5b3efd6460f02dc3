"""What a table shows: one list walked page by page, each page kept before it is seen, and how that stands.

State: ``ready`` (more may be asked for), ``loading`` (one page is on its way; there is never a second), ``complete``,
``stopped`` (the walk found a loop or too many empties; `Pull.go_past` overrules it), ``failed`` (sticky until
`Pull.retry`). Everything runs on the loop's thread; packing and writing run in the session's worker thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, WalkStopped
from explorer.api.pages import Page, PageWalk
from explorer.catalog.request import Request
from explorer.catalog.spec import Listing
from explorer.session.shelf import Shelf
from explorer.session.view import View
from explorer.store import PageInfo, PullInfo, PullKey, PullMoved, PullState, Question, StoreFault

Row = bytes
"""A record as received."""
PullPhase = Literal["ready", "loading", "complete", "stopped", "failed"]
STOP_SECONDS = 0.15
"""A Stop that meets a write waits for it this long; a slower one ends by itself and is taken up by the next call."""


class Pull:
    """One list of one connection with its parameters: the rows at hand, and how to get more.

    Made by `Session.pull`. ``key`` names it in the store; ``query`` and ``extra`` are as given.
    """

    def __init__(
        self,
        listing: Listing,
        query: Mapping[str, Any],
        extra: Sequence[tuple[str, str]],
        shelf: Shelf,
        send: Callable[[Request], Awaitable[Answer]],
    ) -> None:
        """For `Session.pull`. Raises StoreFault when the store cannot be read."""
        self.listing, self.query, self.extra = listing, dict(query), tuple(extra)
        self._shelf, self._send = shelf, send
        self.state: PullPhase = "ready"
        self.error: ExplorerError | None = None
        """Why it failed or stopped; None otherwise."""
        self.last_page: Page | None = None
        """The page that came last in this run."""
        self._listeners: dict[object, Callable[[], None]] = {}
        self._walk: PageWalk | None = None
        self._anew = False
        self._round = 0
        self._asking: asyncio.Task[Page | ExplorerError] | None = None
        self._writing: asyncio.Future[PullInfo] | None = None
        self._late: asyncio.Future[PullInfo] | None = None
        self._unkept: Page | None = None
        self._load()

    # ------------------------------------------------------------------ what is at hand

    @property
    def key(self) -> PullKey:
        """Its name in the store."""
        return self._shelf.key

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

    @property
    def bytes(self) -> int:
        """Of the pages as received."""
        return self._shelf.info.bytes if self._shelf.info else 0

    @property
    def next_cursor(self) -> str | None:
        """What the next page will be asked with."""
        return self._shelf.info.next_cursor if self._shelf.info else None

    @property
    def notes(self) -> Sequence[str]:
        """What is odd about the page that came last, a sentence each; `page_list` has those of every page."""
        return self.last_page.notes if self.last_page else ()

    def window(self, start: int, stop: int) -> list[Row]:
        """The raw records of rows ``start`` to before ``stop``; fewer at the end. Some microseconds when warm.

        A row that the store cannot give is empty bytes, and the pull turns to ``failed``.
        """
        start, stop = max(start, 0), min(stop, self.rows)
        found: list[Row] = []
        try:
            found = self._shelf.window(start, stop)
        except StoreFault as fault:
            # Views call this while they paint: they must not be told of a change in the middle of that.
            self._shelf.worker.soon(self._fail, fault)
        return found + [b""] * (stop - start - len(found))

    def page_at(self, row: int) -> PageInfo:
        """The page that ``row`` came with. Raises IndexError beyond the rows, StoreFault when it is gone."""
        return self._shelf.page_at(row)

    def page_list(self) -> list[PageInfo]:
        """Every kept page, in order."""
        return self._shelf.page_list()

    async def view(self, question: Question) -> View:
        """The rows at hand that answer ``question``, as soon as the first are found; it fills on by itself.

        Asks nothing of the service. A later question calls the earlier off. Raises QuestionFault, StoreFault, and
        Superseded when another question came before this one had rows.
        """
        return await self._shelf.asker.ask(question, self._shelf.info)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Calls ``callback`` after each change of state or rows, on the loop's thread. Returns how to end it."""
        token = object()
        self._listeners[token] = callback

        def end() -> None:
            self._listeners.pop(token, None)

        return end

    # ------------------------------------------------------------------ getting more

    async def more(self) -> int:
        """Asks for the next page that has rows, passing over empty ones, and returns how many rows came.

        Does nothing and returns 0 unless the state is ``ready``. A failure is no exception: the state turns to
        ``failed`` and `error` says why. Cancelling stops at once and leaves the pull ready; an answer that comes
        after a restart is dropped. Raises nothing but CancelledError.
        """
        if self.state != "ready":
            return 0
        mine = self._round
        before = 0 if self._anew else self.rows
        self._become("loading")
        try:
            while True:
                ended = await self._step(mine)
                if mine != self._round:
                    return 0
                if ended or self.rows > before:
                    return max(self.rows - before, 0)
        except asyncio.CancelledError:
            if mine == self._round:
                self._rest()
            raise
        except ExplorerError as error:
            if mine == self._round:
                self._fail(error)
        except Exception as error:  # noqa: BLE001 - a fault of ours must not leave the table loading for ever
            if mine == self._round:
                detail = "".join(traceback.format_tb(error.__traceback__))
                self._fail(
                    ExplorerError(f"The program failed over a page ({type(error).__name__}).", detail=detail)
                )
        return 0

    async def load_all(self, on_progress: Callable[[], None] | None = None) -> None:
        """Calls `more` until the list is complete, stopped, failed or restarted; ``on_progress`` after each page.

        To stop, cancel the task: the pull is ready again within 200 ms.
        """
        mine = self._round
        await self._settled()
        while self.state == "ready" and mine == self._round:
            await self.more()
            await self._settled()
            if on_progress is not None and mine == self._round:
                on_progress()

    def retry(self) -> None:
        """Takes a failure back, so that `more` asks for the same page again. Reloads if another window went on."""
        if self.state != "failed":
            return
        if isinstance(self.error, PullMoved):
            self.reload()
            return
        self.error = None
        self._become("ready")

    def reload(self) -> None:
        """Shows what the store has now for this key, another window's pages included, and goes on from there."""
        self._drop()
        self.last_page = None
        self._load()
        self._tell()

    def go_past(self) -> None:
        """Goes on in spite of what stopped or ended the walk, by the user's decision; nothing if no cursor leads on."""
        if self.state not in ("stopped", "complete") or self.next_cursor is None:
            return
        if self._walk is not None and self._walk.state != "ready":
            self._walk.go_past()
        self.error = None
        self._become("ready")

    async def restart(self) -> None:
        """Begins anew. The rows at hand stay until the first new page is kept, then they are forgotten.

        What was on its way is dropped. Cancelled before that page: the old pull is as it was.
        """
        self._drop()
        mine = self._round
        self._anew = True
        self.error = None
        self.state = "ready"
        try:
            await self.more()
        except asyncio.CancelledError:
            if mine == self._round and self._anew:
                self.reload()
            raise

    def close(self) -> None:
        """Stops what is on its way and tells nobody any more."""
        self._drop()
        self._listeners.clear()
        self._shelf.asker.close()

    # ------------------------------------------------------------------ inside

    async def _settled(self) -> None:
        """Waits while another caller has a page on its way."""
        while self.state == "loading":
            changed = asyncio.get_running_loop().create_future()
            end = self.subscribe(lambda done=changed: done.done() or done.set_result(None))  # type: ignore[misc]
            try:
                await changed
            finally:
                end()

    def _rest(self) -> None:
        """The state after a Stop: as the last kept page left it."""
        walk = self._walk
        if (
            self._writing is None
            and self._unkept is None
            and walk is not None
            and walk.state in ("complete", "stopped")
        ):
            self._settle(self._round)
        else:
            self._become("ready")

    async def _step(self, mine: int) -> bool:
        """One page asked for and kept. True when none follows."""
        if self._late is not None and not await self._caught_up(self._late, mine):
            return True
        if self._writing is not None:
            # A Stop came while this page was being kept: it may be at hand already.
            await self._kept(self._writing, mine)
            return self._settle(mine)
        page = self._unkept
        if page is None:
            if self._walk is None:
                resumed = await self._resumed()
                if mine != self._round:
                    return True
                self._walk = resumed
            got = await self._ask(self._walk, mine)
            if mine != self._round or got is None:
                return True
            if isinstance(got, ExplorerError):
                raise got
            page = got
        state, why = _state_of(self._walk)
        writing = self._shelf.keep(page, state, why, anew=self._anew)
        self._writing = writing
        await self._kept(writing, mine)
        return self._settle(mine)

    async def _caught_up(self, late: asyncio.Future[PullInfo], mine: int) -> bool:
        """Waits for a page of an earlier round that was still being written. False when this round is over too."""
        await asyncio.wait({late})
        if mine != self._round:
            return False
        self._late = None
        if not late.cancelled() and late.exception() is None:
            self._shelf.take(late.result())
        return True

    async def _ask(self, walk: PageWalk, mine: int) -> Page | ExplorerError | None:
        """The next page, its failure, or None when a restart called it off."""

        async def asked() -> Page | ExplorerError:
            try:
                page = await walk.advance()
            except ExplorerError as error:
                return error
            if mine == self._round:
                # The walk has moved: a Stop that comes just now must not lose the page.
                self._unkept = page
            return page

        try:
            async with asyncio.TaskGroup() as group:
                task = self._asking = group.create_task(asked())
        except ExceptionGroup as faults:
            raise faults.exceptions[0] from None
        if self._asking is task:
            self._asking = None
        return None if task.cancelled() else task.result()

    async def _kept(self, writing: asyncio.Future[PullInfo], mine: int) -> None:
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            # The page may be in the file by now: what is shown must say so.
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait({writing}, timeout=STOP_SECONDS)
            if writing.done() and mine == self._round:
                self._take(writing)
            raise
        except ExplorerError:
            if mine == self._round:
                self._writing = None
                raise
        else:
            if mine == self._round:
                self._take(writing)

    def _take(self, writing: asyncio.Future[PullInfo]) -> None:
        """What was written becomes what is shown."""
        self._writing = None
        if writing.cancelled() or writing.exception() is not None:
            return
        self._shelf.take(writing.result())
        self.last_page, self._unkept, self._anew = self._unkept, None, False

    def _settle(self, mine: int) -> bool:
        """After a page was kept: the state that the walk is in, told once. True when no page follows by itself."""
        if mine != self._round:
            return True
        walk = self._walk
        if walk is None or walk.state == "ready":
            self._become("loading" if self.last_page and not self.last_page.records else "ready")
            return False
        self.error = walk.why
        self._become("complete" if walk.state == "complete" else "stopped")
        return True

    async def _resumed(self) -> PageWalk:
        """A walk that stands where the store does."""
        info = self._shelf.info
        if info is None or self._anew:
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
        )

    def _load(self) -> None:
        info = self._shelf.load()
        self.state, self.error, self._anew = "ready", None, False
        if info is not None:
            self.state = info.state
            self.error = WalkStopped(info.why) if info.state == "stopped" else None

    def _drop(self) -> None:
        """Ends the walk and whatever it has on its way; late answers belong to an earlier round."""
        self._round += 1
        if self._writing is not None and not self._writing.done():
            self._late = self._writing
        self._walk = self._unkept = self._writing = None
        asking, self._asking = self._asking, None
        if asking is not None:
            asking.cancel()

    def _fail(self, error: ExplorerError) -> None:
        self.error = error
        self._become("failed")

    def _become(self, state: PullPhase) -> None:
        self.state = state
        self._tell()

    def _tell(self) -> None:
        for callback in tuple(self._listeners.values()):
            callback()


def _state_of(walk: PageWalk | None) -> tuple[PullState, str]:
    if walk is None or walk.state in ("ready", "loading"):
        return "ready", ""
    if walk.state == "complete":
        return "complete", ""
    return "stopped", walk.why.sentence if walk.why else ""
