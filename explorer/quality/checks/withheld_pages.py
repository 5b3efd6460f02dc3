"""Pages that the service withholds, narrowed down to the record at fault by smaller pages from the same cursor.

One record that does not fit the unified shape fails the whole page it is on. How many rows before it can be received is
found by halving the page size. Where a smaller page from the same cursor starts elsewhere (the cursor counts pages, or
carries its own size), pages from the start of the list are requested instead, as large as the place of the record.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from explorer.api.errors import ExplorerError, ServiceFailed
from explorer.quality.checks.paging import ReadPage
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.shared_pages import Asked, NoMoreCalls, Reasked
from explorer.quality.engine.walk_ids import SeenIds

WITHHELD = Check("completeness.withheld", "completeness", "No page is withheld over one record", "page")
_USUAL = 100
"""Rows assumed for a page, where no page was received that shows how many there are."""
_MOST = 1000
_SURE = 2
"""How many cursors must have been the number of rows before them, before one is calculated."""
MOST_RECORDS = 10
"""At most this many records are located in one list."""


@dataclass(frozen=True, slots=True)
class Place:
    """A record that makes its page fail."""

    row: int
    """Counted from 1 over the list."""
    page: int
    after: str
    """The id of the record before it; empty for the first of the list."""
    exchange: int
    """The request of the smallest page that fails."""
    sentence: str
    front: dict[str, int] | None = None
    """Parameters with which its page's cursor returns only the rows before it; None where there are none."""
    onward: str | None = None
    """A cursor that leads behind it, where cursors can be calculated."""


@dataclass(slots=True)
class Withheld:
    """Locates the records because of which pages of one list are withheld."""

    again: Reasked
    ids: SeenIds
    read: Sequence[ReadPage]
    places: list[Place] = field(default_factory=list)
    whole_pages: list[str] = field(default_factory=list)
    """Why a page that failed could not be narrowed down, in words."""

    async def narrow(self, error: ExplorerError, cursor: str | None, rows: int) -> Place | None:
        """Locates the record that makes the page behind ``cursor`` fail, with ``rows`` rows before it. Raises Spent."""
        if not isinstance(error, ServiceFailed) or len(self.places) >= MOST_RECORDS:
            return None
        if not self.again.size_param:
            self.whole_pages.append("this list takes no page size")
            return None
        size = self.read[0].rows if self.read else 0
        turn = f"withheld {len(self.places)}"
        front: dict[str, int] | None = None
        onward: str | None = None
        try:
            made = await self._from_cursor(cursor, size or _USUAL, turn)
            if made is not None:
                front = {self.again.size_param: made[0]}
            elif cursor is not None:
                made = await self._from_start(rows, size or _USUAL, turn)
            onward = await self._onward(cursor, rows, made, front, turn)
        except NoMoreCalls:
            made = None
            self.whole_pages.append("the list has used its calls")
        if made is None:
            return None
        in_front, page = made
        place = Place(
            rows + in_front + 1,
            len(self.read) + 1,
            self._before(page),
            error.exchange or 0,
            error.sentence,
            front,
            onward,
        )
        self.places.append(place)
        return place

    def _before(self, page: Asked | None) -> str:
        """The id of the record before the withheld one."""
        if page is not None and page.keys:
            return page.keys[-1].removeprefix(NUMBER)
        return self.ids.order[-1].removeprefix(NUMBER) if len(self.ids) else ""

    async def _from_cursor(self, cursor: str | None, size: int, turn: str) -> tuple[int, Asked | None] | None:
        """Halves the page behind a cursor: how many rows can be received, and the page of these."""

        async def ask(number: int) -> Asked:
            return await self.again.page({self.again.size_param: number}, cursor, len(self.read) + 1, turn)

        return await self._halved(ask, size, 0)

    async def _from_start(self, rows: int, size: int, turn: str) -> tuple[int, Asked | None] | None:
        """The same with pages from the start of the list, which include the rows received already."""
        if self.places or not 0 < rows + size <= _MOST:
            return None

        async def ask(number: int) -> Asked:
            return await self.again.page({self.again.size_param: rows + number}, None, 1, turn)

        return await self._halved(ask, size, rows)

    async def _halved(
        self, ask: Callable[[int], Awaitable[Asked]], size: int, known: int
    ) -> tuple[int, Asked | None] | None:
        """The largest page that can be received, and how many of its rows are not among the first ``known``.

        None where no size decides: the whole page is received, or rows of another place.
        """
        good, bad, param = 0, size, self.again.size_param
        best: Asked | None = None
        whole = await ask(size)
        if whole.error is None:
            same = len(whole.rows) == known + size
            said = f"the same rows come with {param}={size + known}" if same else f"{param} has no effect"
            self.whole_pages.append(said)
            return None
        while bad - good > 1:
            middle = (good + bad) // 2
            asked = await ask(middle)
            if asked.error is None:
                if len(asked.rows) != known + middle or not self._is_new(asked, known):
                    self.whole_pages.append("a smaller page from the same cursor has rows of another place")
                    return None
                good, best = middle, asked
            elif isinstance(asked.error, ServiceFailed):
                bad = middle
            else:
                self.whole_pages.append(f"{param} is refused: {asked.error.sentence}")
                return None
        if good:
            return good, best
        # Every page fails: over its first row, its cursor, or altogether. The rows before it decide which.
        return (0, None) if known and (await ask(0)).error is None else None

    def _is_new(self, asked: Asked, known: int) -> bool:
        keys = [row.key for row in asked.rows[known:]]
        return not any(key in self.ids for key in keys if key)

    async def _onward(
        self,
        cursor: str | None,
        rows: int,
        made: tuple[int, Asked | None] | None,
        front: dict[str, int] | None,
        turn: str,
    ) -> str | None:
        """A cursor behind the record, where every cursor so far was the number of the rows before its page."""
        if made is None or (self.read and cursor != str(rows)):
            return None
        seen, known = 0, list[bool]()
        for page in self.read[: len(self.read) if not self.places else 0]:
            seen += page.rows
            known.append(page.next_cursor == str(seen))
        in_front, best = made
        if front is not None and best is not None:
            known.append(best.next_cursor == str(rows + in_front))
        if len(known) < _SURE and front is not None and in_front > 1:
            one = await self.again.page({self.again.size_param: 1}, cursor, len(self.read) + 1, turn)
            known.append(one.next_cursor == str(rows + 1))
        enough = len(known) >= _SURE or bool(self.places)
        return str(rows + in_front + 1) if enough and all(known) else None

    def result(self, key: str, error: ExplorerError | None, pages: int) -> Result:
        """The located records as findings; where there is none, the reason."""
        if not self.places:
            if not isinstance(error, ServiceFailed):
                if not pages:
                    return skipped(WITHHELD, key, "no page came")
                return Result(WITHHELD, key, Verdict.HOLDS, "", pages)
            why = self.whole_pages[0] if self.whole_pages else "pages of every size fail"
            return Result(WITHHELD, key, Verdict.OBSERVED, f"it is not over one record: {why}", 1)
        tally = FindingCollector(WITHHELD)
        tally.look(pages + len(self.places))
        for place in self.places:
            where = f"Row {place.row}, behind {place.after}," if place.after else f"Row {place.row}"
            what = f"{where} makes its page fail: {place.sentence}"
            example = Example(place.page, place.row, place.exchange, "", f"behind {place.after or 'nothing'}")
            tally.add(f"row {place.row}", "", what, example)
        return tally.result(key)
