"""A page that the service withholds: narrowed down to the record, by smaller pages from the same cursor.

One record that does not fit the unified shape fails the whole page that it is on. How many rows in front of
it come is found by halving the page_size. Where a smaller page from the same cursor starts elsewhere (the
cursor counts pages, or carries its own size), pages from the start of the list are asked for instead, as
large as the place of the record.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from explorer.api.errors import ExplorerError, ServiceFailed
from explorer.quality.checks.paging import ReadPage
from explorer.quality.checks.sizes import PARAM
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.reasked import Asked, NoMoreCalls, Reasked
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.seen import SeenIds

WITHHELD = Check("completeness.withheld", "completeness", "No page is withheld over one record", "page")
_USUAL = 100
"""Rows of a page, where none came that says how many there are."""
_MOST = 1000
_SURE = 2
"""Cursors that have to be the number of rows in front, before one is reckoned."""
MOST_RECORDS = 10
"""Records that are narrowed down in one list."""


@dataclass(frozen=True, slots=True)
class Place:
    """A record that makes its page fail."""

    row: int
    """Counted from 1 over the list."""
    page: int
    after: str
    """The id in front of it; empty for the first of the list."""
    exchange: int
    """The request of the smallest page that fails."""
    sentence: str
    front: dict[str, int] | None = None
    """Parameters with which the cursor of its page leads to the rows in front of it; None where there are none."""
    onward: str | None = None
    """A cursor that leads behind it, where cursors can be reckoned."""


@dataclass(slots=True)
class Withheld:
    """Looks for the records over which pages of one list are withheld."""

    again: Reasked
    ids: SeenIds
    read: Sequence[ReadPage]
    places: list[Place] = field(default_factory=list)
    whole_pages: list[str] = field(default_factory=list)
    """Why a page that failed could not be narrowed down, in words."""

    async def narrow(self, error: ExplorerError, cursor: str | None, rows: int) -> Place | None:
        """The record over which the page behind ``cursor`` fails; ``rows`` stand in front of it. Raises Spent."""
        if not isinstance(error, ServiceFailed) or len(self.places) >= MOST_RECORDS:
            return None
        size = self.read[0].rows if self.read else 0
        turn = f"withheld {len(self.places)}"
        front: dict[str, int] | None = None
        onward: str | None = None
        try:
            made = await self._from_cursor(cursor, size or _USUAL, turn)
            if made is not None:
                front = {PARAM: made[0]}
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
            self._before(in_front, page),
            error.exchange or 0,
            error.sentence,
            front,
            onward,
        )
        self.places.append(place)
        return place

    def _before(self, in_front: int, page: Asked | None) -> str:
        """The id of the record in front of the one that is withheld."""
        if page is not None and page.keys:
            return page.keys[-1].removeprefix(NUMBER)
        return self.ids.order[-1].removeprefix(NUMBER) if len(self.ids) else ""

    async def _from_cursor(self, cursor: str | None, size: int, turn: str) -> tuple[int, Asked | None] | None:
        """Halve the page behind a cursor: how many rows in front come, and the page of these."""

        async def ask(number: int) -> Asked:
            return await self.again.page({PARAM: number}, cursor, len(self.read) + 1, turn)

        return await self._halved(ask, size, 0)

    async def _from_start(self, rows: int, size: int, turn: str) -> tuple[int, Asked | None] | None:
        """The same with pages from the start of the list, which take in what came already."""
        if self.places or not 0 < rows + size <= _MOST:
            return None

        async def ask(number: int) -> Asked:
            return await self.again.page({PARAM: rows + number}, None, 1, turn)

        return await self._halved(ask, size, rows)

    async def _halved(
        self, ask: Callable[[int], Awaitable[Asked]], size: int, known: int
    ) -> tuple[int, Asked | None] | None:
        """The largest page that comes, and how many rows of it are not among the first ``known``; None where no size
        tells: where the whole page comes, or rows of other places.
        """
        good, bad = 0, size
        best: Asked | None = None
        whole = await ask(size)
        if whole.error is None:
            same = len(whole.rows) == known + size
            said = f"the same rows come with {PARAM}={size + known}" if same else f"{PARAM} has no effect"
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
                self.whole_pages.append(f"{PARAM} is refused: {asked.error.sentence}")
                return None
        if good:
            return good, best
        # Every page fails: over its first row, or over its cursor, or altogether. The rows in front of it tell.
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
        """A cursor behind the record, where every cursor so far was the number of the rows in front of its page."""
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
            one = await self.again.page({PARAM: 1}, cursor, len(self.read) + 1, turn)
            known.append(one.next_cursor == str(rows + 1))
        enough = len(known) >= _SURE or bool(self.places)
        return str(rows + in_front + 1) if enough and all(known) else None

    def result(self, key: str, error: ExplorerError | None, pages: int) -> Result:
        """The places as findings; where none was found, why."""
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
