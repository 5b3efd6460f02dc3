"""What a table shows: one list walked page by page, each page kept before it is seen, and how that stands.

State: ``ready`` (more may be asked for), ``loading`` (one page is on its way; there is never a second), ``complete``,
``stopped`` (the walk found a loop or too many empties: `Pull.go_past` overrules it; or the service ended the list and
did not show that it is complete: `Pull.error` is EndNotShown), ``failed`` (sticky until `Pull.retry`). How a page is
got is in pull_base.py. `load_all` asks for the next page while those before it are being kept (fetch_pipeline.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from explorer.api.pages import may_be_cut
from explorer.session.pull_base import ProgressCallback, PullBase, PullPhase
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

__all__ = ["Pull", "PullPhase", "Row"]

Row = bytes
"""A record as received."""


class Pull(PullBase):
    """One list of one connection with its parameters: the rows at hand, and how to get more.

    Made by `Session.pull`. ``key`` names it in the store; ``query`` and ``extra`` are as given.
    """

    # ------------------------------------------------------------------ what is at hand

    @property
    def key(self) -> PullKey:
        """Its name in the store."""
        return self._shelf.key

    @property
    def info(self) -> PullInfo | None:
        """How far it came, by the store; None while no page is kept."""
        return self._shelf.info

    @property
    def settled(self) -> bool:
        """Whether it was complete at some time, or put in front as it is: it stays there until a later one is."""
        return self._shelf.info is not None and self._shelf.info.settled

    @property
    def standing(self) -> Standing:
        """How the pulls of its key stood to each other when it was made or reloaded."""
        return self._shelf.standing

    @property
    def bytes(self) -> int:
        """Of the pages as received."""
        return self._shelf.info.bytes if self._shelf.info else 0

    @property
    def unfit(self) -> int | None:
        """Rows that do not fit the record of the contract, told as they were kept; None while that is not known of all,
        as some were kept by an earlier version.
        """
        return self._shelf.info.unfit if self._shelf.info else 0

    @property
    def with_key(self) -> int:
        """Rows that hold the key or token that they were asked for with; they are kept as they were received."""
        return self._shelf.info.with_key if self._shelf.info else 0

    @property
    def next_cursor(self) -> str | None:
        """What the next page will be asked with."""
        return self._shelf.info.next_cursor if self._shelf.info else None

    @property
    def may_be_cut(self) -> bool:
        """Whether it is complete by the service's word, after one page of a size at which services cut."""
        return self.state == "complete" and may_be_cut(self.pages, self.rows)

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
            return self._shelf.window(start, stop) if start < stop else []
        except StoreFault as fault:
            # Views call this while they paint: they must not be told of a change in the middle of that.
            self._shelf.worker.soon(self._found_wrong, fault)
            raise

    def page_at(self, row: int) -> PageInfo:
        """The page that ``row`` came with. Raises IndexError beyond the rows, StoreFault when it is gone."""
        return self._shelf.page_at(row)

    def page_list(self, after: int = 0, *, noted: bool = False) -> list[PageInfo]:
        """Every kept page from the one behind page ``after`` on, in order; with ``noted`` those that have notes."""
        return self._shelf.page_list(after, noted=noted)

    async def view(self, question: Query) -> QueryResult:
        """The rows at hand that answer ``question``, as soon as the first are found; it fills on by itself.

        Asks nothing of the service. A later question calls the earlier off. Raises QuestionFault, StoreFault, and
        Superseded when another question came before this one had rows.
        """
        return await self._shelf.asker.ask(question, self._shelf.info)

    # ------------------------------------------------------------------ getting more

    async def more(self) -> int:
        """Asks for the next page that has rows, passing over empty ones, and returns how many rows came.

        Does nothing and returns 0 unless the state is ``ready``. A failure is no exception: the state turns to
        ``failed`` and `error` says why. Cancelling stops at once and leaves the pull ready; an answer that comes
        after a restart is dropped. Raises nothing but CancelledError.
        """
        if self.state != "ready":
            return 0
        generation = self._generation
        if self._to_mend:
            await self._while_loading(generation, self._mend(generation))
            return 0
        before = 0 if self._restart else self.rows

        async def until_rows() -> None:
            while not await self._step(generation) and generation == self._generation and self.rows <= before:
                pass

        came = await self._while_loading(generation, until_rows())
        return max(self.rows - before, 0) if generation == self._generation and came else 0

    async def load_all(
        self, on_progress: Callable[[], None] | None = None, *, most: int | None = None
    ) -> None:
        """Asks until the list is complete, stopped, failed or restarted; ``on_progress`` after each page.

        With ``most`` it ends after that many pages with rows. What ``on_progress`` raises ends it too. To stop, cancel
        the task: the pull is ready again within 200 ms, with all that had come.
        """
        generation = self._generation
        await self._settled()
        if self._to_mend and generation == self._generation:
            await self.more()
        if self.state == "ready" and generation == self._generation:
            self._in_bulk = True
            try:
                flow = self._flow if self.apart is None or most is not None else self._flow_apart
                told = ProgressCallback(on_progress)
                await self._while_loading(generation, flow(generation, told, most))
            finally:
                self._in_bulk = False
            if told.fault is not None:
                raise told.fault

    def retry(self) -> None:
        """Takes a failure back, so that `more` asks for the same page again. Reloads if another window went on.

        After a page was found damaged, `more` (and `load_all`, before it goes on) fetches what is damaged again by its
        cursor: the state is then what it was, or ``failed`` when the service does not answer as it did.
        """
        if self.state != "failed":
            return
        if isinstance(self.error, PullMoved):
            self.reload()
            return
        self._to_mend = isinstance(self.error, PageDamaged)
        if isinstance(self.error, StoreFault) and not self._to_mend and not self._unkept:
            self.reload()  # what could not be read may have been complete
            return
        self.error = None
        self._become("ready")

    def reload(self) -> None:
        """Shows what the store has now for this key, another window's pages included, and goes on from there."""
        self._drop()
        self.last_page = None
        self._load()
        self._notify()

    def go_past(self) -> None:
        """Goes on in spite of what stopped or ended the walk, by the user's decision; nothing if no cursor leads on."""
        if self.state not in ("stopped", "complete") or self.next_cursor is None:
            return
        self._past = self.state
        if self._walk is not None and self._walk.state != "ready":
            self._walk.go_past()
        self.error = None
        self._become("ready")

    async def restart(self) -> None:
        """Begins anew. The rows at hand stay until the first new page is kept; from then on this is the new pull.

        What was on its way is dropped. Cancelled before that page: the old pull is as it was. In the store the new pull
        takes the place of one that is not settled; a settled one stays in front until the new one is complete.
        """
        self._drop()
        generation = self._generation
        self._restart = True
        self.error = None
        self.state = "ready"
        try:
            await self.more()
        except asyncio.CancelledError:
            if generation == self._generation and self._restart:
                self.reload()
            raise

    async def settle(self) -> None:
        """Puts it in front as it is, by the user's decision. Raises StoreFault."""
        await self._shelf.settle()

    async def drop(self) -> None:
        """Removes it from the store: a reload that nobody wants any more. Raises StoreFault."""
        self._drop()
        await self._shelf.drop()

    def close(self) -> None:
        """Stops what is on its way and tells nobody any more."""
        self._drop()
        self._listeners.clear()
        self._shelf.asker.close()
