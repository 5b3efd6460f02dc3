"""One pull's access to the store: reads on the event loop's thread, writes in the store's thread or in a process."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Literal

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError
from explorer.api.exchange import Exchange
from explorer.api.page_parser import Unsliceable, joined, raw_of_rows, slice_list
from explorer.api.pages import Page
from explorer.api.redact import Redactor
from explorer.catalog.interfaces import registry_of, remake_of
from explorer.catalog.request import query_text
from explorer.catalog.spec import Envelope, Listing
from explorer.session.page_writer_process import PageWriterProcess
from explorer.session.query_result import QueryRunner
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.mending import Gap, survey
from explorer.store.page_integrity import damaged
from explorer.store.page_writer import Opening
from explorer.store.schema_validator import SchemaValidator, model_of
from explorer.store.store import PageWrite, Store
from explorer.store.values import Field, PageDamaged, PageInfo, PullInfo, PullKey, Standing, StoreFault
from explorer.work import StoreThreads

_PIECE = 1_000
"""Rows that are searched for the key in one step."""
Which = Literal["front", "newest"] | int
"""Which pull of a key: the current one, the newest (a reload under way, where there is one), or the one of that id."""


class PullStorage:
    """The stored pages of one pull of ``key``. Its state is `info`, which changes only by the methods that say so."""

    def __init__(
        self,
        key: PullKey,
        store: Store,
        threads: StoreThreads,
        own: Redactor,
        which: Which = "front",
        interface: str = "",
    ) -> None:
        """``own`` knows the key or token of the requests, to count the rows that contain it.

        ``interface``: the key of the list's interface.
        """
        self.key = key
        self.standing = Standing()
        """The current, begun and earlier pulls of the key, as of the last `load`."""
        self.threads = threads
        self.info: PullInfo | None = None
        """The state of the pull; None while no page is stored."""
        self.writer: PageWriterProcess | None = None
        """The page writer process of a long pull; see `start_writer`."""
        self._sent: list[bytes] = []
        self._fresh: list[bytes] = []
        """The rows that were stored last, so that an export that follows need not unpack them."""
        self._interface, self._model = interface, model_of(key.resource, interface)
        shape = shape_of(key.resource, interface)
        fits = (SchemaValidator(self._model, shape.fields).fit_of,) if self._model is not None else ()
        self.asker = QueryRunner(store, threads, shape, *fits)
        self._store = store
        self._own = own
        self._which = which
        self._newest: int | None = None

    def load(self) -> None:
        """Reads `info` and `standing` from the store. Raises StoreFault, PullMoved when the pull was removed."""
        standing = self.standing = self._store.standing(self.key)
        newest = standing.begun or standing.front
        self._newest = newest.id if newest is not None else None
        self._fresh = []
        if isinstance(self._which, int):
            self.info = self._store.pull(self._which)
        else:
            self.info = newest if self._which == "newest" else standing.front

    def check(self) -> None:
        """Raises PageDamaged when the pull's row does not agree with its last page."""
        if self.info is not None:
            self._store.checked(self.info, ended=True)

    async def mend(self, fetch: Callable[[int, str | None], Awaitable[Page]]) -> Sequence[int]:
        """Fetches every damaged page again (``fetch`` takes number and cursor), stores it, and returns their numbers.

        Raises PageDamaged when the service no longer returns a page as it was; pages before it are repaired by then.
        Raises StoreFault.
        """
        info = self.info
        if info is None:
            return ()
        found = await self.threads.read(survey, self._store.path, info)
        for gap in found.gaps:
            for page in await _fetched_again(gap, fetch):
                await self.threads.write(self._mend, info.id, page)
        await self.threads.write(self._recount, info.id, found.last)
        return [number for gap in found.gaps for number in range(gap.first, gap.last + 1)]

    def _recount(self, pull_id: int, last: int) -> None:
        """Recounts a repaired pull, also the rows that contain the key: how many the lost pages had is not known."""
        info, held = self._store.recount(pull_id, last), 0
        for start in range(0, info.rows, _PIECE):
            rows = self._store.rows(pull_id, start, start + _PIECE)
            held += sum(map(self._own.holds, rows)) if self._own.holds(b"\n".join(rows)) else 0
        self._store.count_with_key(pull_id, held)

    def _mend(self, pull_id: int, page: Page) -> None:
        self._store.mend(pull_id, page, shape=self.asker.shape, model=self._model)

    def refresh(self, pull_id: int) -> None:
        """Sets `info` to what another process has stored; unchanged where that cannot be read. Takes 35 µs."""
        self._fresh = []
        with contextlib.suppress(StoreFault):
            self._set_info(self._store.pull(pull_id))

    def accept(self, info: PullInfo) -> None:
        """Sets `info` to the result of a write."""
        self._set_info(info)
        self._fresh, self._sent = self._sent, []

    def _set_info(self, info: PullInfo) -> None:
        if info.settled and not (self.info and self.info.settled):
            self.threads.reap(self._store.reap)  # the oldest of the earlier pulls was removed
        self.info, self._newest = info, max(self._newest or 0, info.id)

    async def settle(self) -> None:
        """Makes the pull the current one of its key, complete or not. Raises StoreFault."""
        if self.info is not None:
            self._set_info(await self.threads.write(self._store.settle, self.info.id))

    async def drop(self) -> None:
        """Removes the pull from the store. Raises StoreFault."""
        if self.info is not None:
            await self.threads.write(self._store.forget, self.info.id)
            self.threads.reap(self._store.reap)

    def window(self, start: int, stop: int) -> list[bytes]:
        """The records of rows ``start`` to before ``stop``, all of them.

        Raises PullMoved when another window removed the pull, PageDamaged when a page is missing or not as received.
        """
        if self.info is None:
            return []
        if self._fresh and (start, stop) == (self.info.rows - len(self._fresh), self.info.rows):
            return self._fresh
        found = self._store.rows(self.info.id, start, stop)
        if len(found) < stop - start:
            self._store.pull(self.info.id)
            raise damaged(self.info.pages)
        return found

    def body(self, number: int) -> bytes:
        """The body of page ``number`` as received. Raises StoreFault."""
        return self._store.body(self.info.id, number) if self.info is not None else b""

    def with_raw(self, envelope: Envelope, rows: Sequence[int], records: Sequence[bytes]) -> list[bytes]:
        """The records of ``rows``, each with what its page has of its raw data; see `Pull.with_raw`."""
        made = list(records)
        found: dict[int, tuple[bytes, ...]] = {}
        for place, row in enumerate(rows if envelope.raw else ()):
            page = self.page_at(row)
            if page.number not in found:
                with contextlib.suppress(Unsliceable):
                    found[page.number] = raw_of_rows(slice_list(self.body(page.number), envelope))
            if raws := found.get(page.number):
                made[place] = joined(made[place], envelope.raw, raws[row - page.first_row])
        return made

    def page_at(self, row: int) -> PageInfo:
        """The page that holds ``row``. Raises IndexError beyond the last row, StoreFault."""
        if self.info is None or not 0 <= row < self.info.rows:
            raise IndexError(row)
        return self._store.page_of(self.info.id, row)

    def page_list(self, after: int = 0, *, noted: bool = False) -> list[PageInfo]:
        """The pages after page ``after``, in order; ``noted``: only those that have notes. Raises StoreFault."""
        return self._store.pages(self.info.id, after=after, noted=noted) if self.info else []

    def keep(self, pages: Sequence[PageWrite], *, restart: bool) -> asyncio.Future[PullInfo]:
        """Starts writing consecutive pages: all of them in the process, where it is ready, else the first in a thread.

        Begins a new pull with ``restart``, or when no page is stored. The future fails with StoreFault; after
        PageWriterEnded call `without_writer`.
        """
        info = None if restart else self.info
        if info is not None and self.writer is not None and self.writer.ready:
            self._sent = [record for each in pages for record in each.page.records]
            return self.writer.keep(info.id, [self._counted(each) for each in pages])
        self._sent = []
        return self.threads.submit(self._keep, pages[0], info, self._newest)

    def start_writer(self) -> PageWriterProcess:
        """A process to write the pages once it is ready. Until then, and after it ended, a thread writes them."""
        fields, listing = self.asker.shape.fields, self.key.resource
        opening = Opening(self._store.path, fields, listing, self._interface, remake_of(self._interface))
        self.writer = PageWriterProcess(opening)
        return self.writer

    def without_writer(self) -> None:
        """After the process ended: sets `info` to what it has stored, and lets a thread write the rest."""
        self.writer = None
        if self.info is not None:
            self.refresh(self.info.id)

    async def walked_so_far(self) -> tuple[set[str], list[bytes]]:
        """Cursors and digests of the stored pages, by which a resumed walk recognises loops. Raises StoreFault."""
        if self.info is None:
            return set(), []
        return await self.threads.write(self._seen, self.info.id)

    def _seen(self, pull_id: int) -> tuple[set[str], list[bytes]]:
        return self._store.seen_cursors(pull_id), self._store.digests(pull_id)

    def _counted(self, write: PageWrite) -> PageWrite:
        """``write`` with the number of its records that contain the key. A page without it costs one search."""
        page = write.page
        held = sum(map(self._own.holds, page.records)) if self._own.holds(page.body) else 0
        return write._replace(with_key=held)

    def _keep(self, write: PageWrite, info: PullInfo | None, newest: int | None) -> PullInfo:
        """Packs and writes one page, in the store's thread; without ``info`` as the first page of a new pull."""
        page, state, why, _, with_key = self._counted(write)
        beside: Any = {"shape": self.asker.shape, "model": self._model, "with_key": with_key}
        if info is not None:
            return self._store.keep(info.id, page, state, why, **beside)
        made = self._store.begin(self.key, page, state, why, after=newest, **beside)
        if newest is not None:
            self.threads.reap(self._store.reap)
        return made


async def _fetched_again(gap: Gap, fetch: Callable[[int, str | None], Awaitable[Page]]) -> Sequence[Page]:
    """The pages of a gap, fetched again. Raises PageDamaged when they are not the pages that were stored."""
    pages: list[Page] = []
    cursor, why = gap.cursor, "the service now answers differently"
    try:
        for number in range(gap.first, gap.last + 1):
            pages.append(await fetch(number, cursor))
            cursor = pages[-1].next_cursor
            if cursor is None and number < gap.last:
                break
        else:
            if (made := gap.placed(pages)) is not None:
                return made
        exchange = pages[-1].exchange if pages else None
    except ExplorerError as error:
        why, exchange = error.sentence.rstrip("."), error.exchange
    raise PageDamaged(
        f"Page {gap.first:,} is damaged in the store, and could not be fetched again: {why}.",
        "Pull the list again: use *Reload* in the window, or `pull` without `--resume`.",
        page=gap.first,
        exchange=exchange,
    )


def key_of(
    listing: Listing, query: Mapping[str, Any], extra: Sequence[tuple[str, str]], place: tuple[str, str]
) -> PullKey:
    """The key of a list at ``place`` (connection, origin). Query values count as sent, their order does not."""
    sent = sorted((name, query_text(value)) for name, value in query.items() if value is not None)
    return PullKey(*place, listing.key, json.dumps({"query": sent, "extra": [list(pair) for pair in extra]}))


@cache
def shape_of(listing: str, interface: str = "") -> IndexedColumns:
    """The indexed columns of a list: those that its resource declares. Raises KeyError for an unknown interface."""
    found = registry_of(interface).listed(listing)
    return (
        IndexedColumns(Field(c.field, c.summary, c.kind) for c in found.columns)
        if found
        else IndexedColumns(())
    )


class StoredPages:
    """One stored pull, with the pages that it had when this was made."""

    def __init__(self, store: Store, info: PullInfo, exchange_of: Callable[[int], Exchange | None]) -> None:
        """``exchange_of`` returns the exchange of the log with that number, or None."""
        self._store, self._info, self._exchange_of = store, info, exchange_of

    @property
    def pulled_at(self) -> datetime:
        """When its last page was received, in UTC."""
        return self._info.updated_at

    @property
    def rows(self) -> int:
        """The number of stored rows."""
        return self._info.rows

    @property
    def is_whole(self) -> bool:
        """Whether the pull reached the end of the list."""
        return self._info.state == "complete"

    def answer(self, number: int) -> Answer | None:
        """The answer with page ``number`` (from 1); None after the last page.

        Blocking. Raises StoreFault, also as PullMoved when the pull was removed, and PageDamaged.
        """
        if number > self._info.pages:
            return None
        body = self._store.body(self._info.id, number)
        (page,) = self._store.pages(self._info.id, number)
        call = self._exchange_of(page.exchange)
        # In the log of another program run the same number belongs to another call.
        same = call is not None and call.page == number and call.started_at <= page.received_at
        same = same and call is not None and call.operation == self._info.key.resource
        return Answer(200, (), body, page.elapsed_ms, page.exchange if same else 0)
