"""A view: the rows at hand that answer a question, in its order, while they are being found.

The work runs in the store's reading threads with a connection of its own, never on the loop, and never in the thread
that keeps pages. Portions come to the loop as they are found, so the first rows show long before the last. Each pull
answers one question at a time: a later one calls the earlier off. Rows that arrive later are not in the view: it is
about the `QueryResult.total` rows that were at hand when it was asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from array import array
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Literal

from explorer.api.errors import ExplorerError
from explorer.listeners import Listeners
from explorer.store.answer import Plan, narrows
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.query import Query
from explorer.store.reader import Reader, Unwanted
from explorer.store.sorting import Spread
from explorer.store.store import Store
from explorer.store.summary import Summary, summarise
from explorer.store.values import Field, Fit, PageDamaged, PullInfo, PullKey, PullMoved, StoreFault
from explorer.work import EventLoopYield, StoreThreads, cancellable, trim_heap

ViewState = Literal["building", "complete", "superseded", "failed"]
PORTION_SECONDS = 0.05
"""How often what was found is told to the loop; the first rows at once."""
KEPT_ORDERS = 3
"""Whole orders that are kept for sorting again, 4 bytes a row each, the one that is shown among them."""
STREAMED_ROWS = 1000
"""Rows that a stream reads at once; a sorted view of more is brought into its order first (`store.sorting`)."""


class Superseded(ExplorerError):
    """A later question, or the end of the pull, called this one off before it had rows. Nothing to tell the user."""


class QueryResult:
    """The rows that answer a question. Made by `Pull.view`; lives on the loop's thread."""

    def __init__(self, asker: QueryRunner, question: Query, info: PullInfo) -> None:
        self.question = question
        self.total = info.rows
        """Rows that were at hand when it was asked: the view is "of N rows at hand"."""
        self.state: ViewState = "building"
        self.error: ExplorerError | None = None
        self.pull_id = info.id
        self._asker, self._rows = asker, array("I")
        self._listeners = Listeners[[]]()
        self.subscribe = self._listeners.subscribe
        """Takes what is called on the loop's thread when rows were added or the state changed; returns what ends it."""
        self._first = asyncio.Event()
        self._ended = asyncio.Event()

    @property
    def rows(self) -> int:
        """Rows found so far; all of them once `state` is ``complete``."""
        return len(self._rows)

    def row(self, place: int) -> int:
        """The row of the pull that stands at ``place``. Raises IndexError."""
        if place < 0:
            raise IndexError(place)
        return self._rows[place]

    def place(self, row: int) -> int:
        """Where the pull's ``row`` stands, as far as the view goes by now; -1 when it is not in it."""
        if not 0 <= row < self.total:
            return -1
        # Searched as bytes: a million rows take 2 ms, and 20 as numbers.
        sought, among, at = array("I", [row]).tobytes(), self._rows.tobytes(), -1
        while (at := among.find(sought, at + 1)) >= 0:
            if at % len(sought) == 0:
                return at // len(sought)
        return -1

    def window(self, start: int, stop: int) -> list[bytes]:
        """The raw records of places ``start`` to before ``stop``. Raises StoreFault.

        In a sorted view each record lies in a page of its own: about 0.1 ms a record until the page has been seen.
        """
        with self._asker.telling():
            return self._asker.store.rows_at(self.pull_id, self._rows[max(start, 0) : max(stop, 0)])

    async def done(self) -> QueryResult:
        """Waits until it is complete. Raises Superseded or the fault."""
        await self._ended.wait()
        return self._checked()

    def cancel(self) -> None:
        """Stops looking; the rows found stay."""
        self._asker.call_off(self)

    async def summary(self, column: str) -> Summary:
        """What ``column`` holds in the rows of this view (those found so far). Raises StoreFault, Superseded."""
        within = self.settled() if self.question.picks or self.state != "complete" else None
        return await self._asker.summary(self.pull_id, column, within)

    async def records(self, places: Sequence[int]) -> list[bytes]:
        """The records at those places as received, read in a thread, each page once. Raises IndexError, StoreFault."""
        return await self._asker.records(self.pull_id, array("I", [self.row(place) for place in places]))

    async def stream(self, ranges: Sequence[tuple[int, int]] | None = None) -> AsyncIterator[list[bytes]]:
        """The records in the view's order, in portions, in bounded memory. Raises StoreFault, Superseded.

        All of them, or those of ``ranges``: [start, stop) of places, in order.

        Few rows are read at once. For many it waits until the view is complete, reads all of it and picks from that.
        """
        if ranges is not None and sum(stop - start for start, stop in ranges) <= STREAMED_ROWS:
            for start, stop in ranges:
                yield self.window(start, stop)
            return
        await self.done()
        left, first = list(ranges or [(0, self.rows)]), 0
        async with contextlib.aclosing(self._portions()) as portions:
            async for portion in portions:
                end = first + len(portion)
                while left and left[0][0] < end:
                    start, stop = left[0]
                    yield portion[max(start - first, 0) : min(stop, end) - first]
                    if stop > end:
                        break
                    left.pop(0)
                first = end
                if not left:
                    return

    async def _portions(self) -> AsyncGenerator[list[bytes], None]:
        """All records, once they are found."""
        asker = self._asker
        if self.question.sort and len(self._rows) > STREAMED_ROWS:
            async with asker.spread(self.pull_id, self._rows) as spread:
                for number in range(spread.portions):
                    yield await asker.portion(spread, number)
            return
        for at in range(0, len(self._rows), STREAMED_ROWS):
            yield await asker.records(self.pull_id, self._rows[at : at + STREAMED_ROWS])

    # ------------------------------------------------------------------ for the asker

    async def begun(self) -> QueryResult:
        """Waits for the first rows, or for the end."""
        await self._first.wait()
        return self if self.rows else self._checked()

    def settled(self) -> array[int]:
        """The rows found so far, which nobody changes any more: not copied once the view is complete."""
        return self._rows[:] if self.state == "building" else self._rows

    def add(self, rows: array[int]) -> None:
        """Rows that were found, which nobody changes any more; on the loop's thread."""
        if self.state != "building":
            return
        if self._rows:
            self._rows.extend(rows)
        else:
            self._rows = rows
        if self._rows:
            self._first.set()
        self._listeners.tell()

    def end(self, state: ViewState, error: ExplorerError | None = None) -> None:
        """The last word; on the loop's thread."""
        if self.state != "building":
            return
        self.state, self.error = state, error
        if isinstance(error, PageDamaged):
            self._asker.found_wrong(error)
        self._first.set()
        self._ended.set()
        self._listeners.tell()

    def _checked(self) -> QueryResult:
        if self.error is not None:
            raise self.error
        if self.state == "superseded":
            raise Superseded("Another query was started.")
        return self


class QueryRunner:
    """Answers questions about the pulls of one list, one at a time. Belongs to the loop's thread."""

    def __init__(
        self,
        store: Store,
        threads: StoreThreads,
        shape: IndexedColumns,
        fit_of: Callable[[bytes], Fit | None] = lambda _record: None,
    ) -> None:
        """``fit_of``: whether one record fits its contract, for queries that pick those that do not."""
        self.store = store
        self._fit_of = fit_of
        self.shape = shape
        self._threads = threads
        self._current: QueryResult | None = None
        self._answering: asyncio.Future[None] | None = None
        self._latest: tuple[int, int, Query, array[int]] | None = None
        self._orders: OrderedDict[tuple[int, int, tuple[tuple[str, bool], ...]], array[int]] = OrderedDict()
        self._closing = threading.Event()
        self.found_wrong: Callable[[PageDamaged], None] = lambda _: None
        """Told of a page that could not be read as it was kept, on the loop's thread."""

    @contextlib.contextmanager
    def telling(self) -> Iterator[None]:
        """Tells of a damaged page that the block finds, and of its end when it is not wanted any more."""
        try:
            yield
        except PageDamaged as fault:
            self.found_wrong(fault)
            raise
        except Unwanted:
            raise Superseded("Another query was started.") from None

    async def ask(self, question: Query, info: PullInfo | None) -> QueryResult:
        """The view that answers ``question``, as soon as it has rows or is complete. Calls an earlier one off.

        Raises QuestionFault, PullMoved, StoreFault, and Superseded when another question comes first.
        """
        if info is None or self._closing.is_set():
            view = QueryResult(self, question, info) if info else _empty(self, question)
            view.end("superseded" if self._closing.is_set() else "complete")
            return await view.begun()
        summaries = {field.name: field.summary for field in self.shape.fields}
        plan = Plan(question, summaries, self._fit_of)
        self.call_off(self._current)
        view = self._current = QueryResult(self, question, info)
        if (known := self._known_order(view)) is not None:
            view.add(known)
            view.end("complete")
            return view
        loop = asyncio.get_running_loop()
        self._answering = self._threads.read(self._answer, loop, view, plan, info, self._within(view))
        try:
            return await view.begun()
        except asyncio.CancelledError:
            self.call_off(view)
            raise

    def call_off(self, view: QueryResult | None) -> None:
        """Ends a view that is being built: a thread at work on it sees that, one that has not begun never will."""
        if view is None:
            return
        view.end("superseded")
        if view is self._current and self._answering is not None:
            self._answering.cancel()

    async def summary(self, pull_id: int, column: str, within: array[int] | None) -> Summary:
        """See `QueryResult.summary`."""
        shape = self._shape((column,))
        inner = next(field.summary for field in shape.fields if field.name == column)

        def work(wanted: Callable[[], bool]) -> Summary:
            with self._reading(pull_id, shape, wanted) as reader:
                return summarise(reader, (column, inner), within)

        with self.telling():
            return await cancellable(work, start=self._threads.read)

    @contextlib.asynccontextmanager
    async def spread(self, pull_id: int, rows: array[int]) -> AsyncIterator[Spread]:
        """The records of those rows, made ready to be had in their order. Raises StoreFault, Superseded."""

        def work(wanted: Callable[[], bool]) -> Spread:
            with self._reading(pull_id, self.shape, wanted) as reader:
                return Spread(reader, rows)

        try:
            with self.telling():
                made = await cancellable(work, drop=Spread.close, start=self._threads.read)
            with contextlib.closing(made):
                yield made
        finally:
            trim_heap()

    async def portion(self, spread: Spread, number: int) -> list[bytes]:
        """One portion of what `spread` made. Raises StoreFault."""
        return await self._threads.read(spread.portion, number)

    async def records(self, pull_id: int, rows: array[int]) -> list[bytes]:
        """The records of those rows, each page opened once. Raises StoreFault."""
        with self.telling():
            return await self._threads.read(self.store.rows_apart, pull_id, rows)

    def close(self) -> None:
        """Calls everything off."""
        self._closing.set()
        self.call_off(self._current)

    # ------------------------------------------------------------------ inside

    def _shape(self, columns: tuple[str, ...]) -> IndexedColumns:
        """The declared fields, and those asked about beside them."""
        known = {field.name for field in self.shape.fields}
        more = [Field(name) for name in columns if name not in known]
        return IndexedColumns((*self.shape.fields, *more)) if more else self.shape

    def _known_order(self, view: QueryResult) -> array[int] | None:
        if view.question.picks or not view.question.sort:
            return None
        found = self._orders.get((view.pull_id, view.total, view.question.sort))
        if found is not None:
            self._orders.move_to_end((view.pull_id, view.total, view.question.sort))
        return found

    def _within(self, view: QueryResult) -> array[int] | None:
        """The only rows that can match, where the question narrows the last one that was answered whole."""
        if self._latest is None or not view.question.picks:
            return None
        pull_id, total, earlier, rows = self._latest
        if (pull_id, total) != (view.pull_id, view.total) or not narrows(view.question, earlier):
            return None
        return rows

    def _keep(self, view: QueryResult) -> None:
        rows = view.settled()
        if view.question.picks:
            self._latest = view.pull_id, view.total, view.question, rows
        elif view.question.sort:
            self._orders[(view.pull_id, view.total, view.question.sort)] = rows
            while len(self._orders) > KEPT_ORDERS:
                self._orders.popitem(last=False)

    @contextlib.contextmanager
    def _reading(self, pull_id: int, shape: IndexedColumns, wanted: Callable[[], bool]) -> Iterator[Reader]:
        reader = self.store.reader(pull_id, shape, lambda: wanted() and not self._closing.is_set())
        try:
            yield reader
        finally:
            reader.close()

    def _answer(
        self,
        loop: asyncio.AbstractEventLoop,
        view: QueryResult,
        plan: Plan,
        info: PullInfo,
        within: array[int] | None,
    ) -> None:
        """In the thread: finds the rows and tells the loop of them."""

        def tell(work: Callable[..., None], *args: object) -> None:
            # The loop may have ended before the thread noticed that nobody waits any more.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(work, *args)

        courtesy = EventLoopYield(loop)

        def wanted() -> bool:
            courtesy()
            return view.state == "building"

        def whole() -> None:
            if view.state == "building":
                view.end("complete")
                self._keep(view)

        try:
            shape = self._shape(view.question.columns)
            with self._reading(view.pull_id, shape, wanted) as reader:
                if reader.info.rows < info.rows:
                    raise PullMoved("This pull was removed or restarted in another window.")
                reader.info = info
                found, told, any_told = array("I"), time.monotonic(), False
                for rows in plan.rows(reader, within):
                    found.extend(rows)
                    now = time.monotonic()
                    if not any_told or now - told > PORTION_SECONDS:
                        tell(view.add, found)
                        found, told, any_told = array("I"), now, True
                tell(view.add, found)
            tell(whole)
        except Unwanted:
            tell(view.end, "superseded")
        except ExplorerError as error:
            tell(view.end, "failed", error)
        except Exception as error:  # noqa: BLE001 - whoever waits for the view must be told
            fault = StoreFault(f"The program failed on a query ({type(error).__name__}).", detail=str(error))
            tell(view.end, "failed", fault)
        finally:
            if view.question.sort:
                trim_heap()


def _empty(asker: QueryRunner, question: Query) -> QueryResult:
    """The view of a pull without pages."""
    never = datetime.fromtimestamp(0, UTC)
    return QueryResult(
        asker, question, PullInfo(0, PullKey("", "", "", ""), "ready", "", 0, 0, 0, None, never, never)
    )
