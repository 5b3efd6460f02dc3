"""Whether a list gives the same when it is read a second time: single pages by their old cursors, or the whole list in
a second walk.

Lists change while they are read. A change is told from a fault like this: when a record is inserted into a list or
deleted from it, the rows of a page keep their order and move on to the neighbouring page; a record that was edited has
a later date of change. Only what neither explains is suspect. Nothing here fails, because the contract promises neither
that old cursors stay valid nor an order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from explorer.api.errors import AnswerError, ExplorerError, Unreachable
from explorer.quality.checks.paging import IDS, OLDER, ONE, ReadPage, order_of
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, gone, skipped
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.shared_pages import Asked, BriefRow, Reasked, SideWalk
from explorer.quality.engine.walk_ids import SeenIds
from explorer.words import count

FIRST = Check("paging.first-again", "paging", "The first page is the same when requested again", "page")
AGAIN = Check("paging.again", "paging", "An old cursor is still valid, and gives the same rows", "page")
LOST = Check(
    "sync.nothing-lost",
    "sync mode",
    "No record is missing in a second full pull",
    "id",
    "a list read to its end",
)
CHANGED = Check("completeness.changed", "completeness", "What changed while the list was read", "record")
CHECKS = (FIRST, AGAIN)

_LOOKED_AFTER = 6
"""At most this many missing records have their page requested once more, to tell a deleted record from one left out."""
_BETWEEN = 3
"""The number of the page that is requested behind the first one."""
_MANY = 3
"""From this many records on, half of a page changing without a new date means that values differ at each call."""

Exists = Callable[[str], Awaitable[bool | None]]
"""Whether a record exists now, asked in another way than by the plain list; None where there is no such way."""


async def _unknown(_: str) -> bool | None:
    return None


@dataclass(slots=True)
class Second:
    """A second reading of a list's pages: which are the same, which changed, and which differ without a reason."""

    again: Reasked
    ids: SeenIds
    read: Sequence[ReadPage]
    exists: Exists = _unknown
    first: FindingCollector = field(default_factory=lambda: FindingCollector(FIRST, Verdict.SUSPECT))
    old: FindingCollector = field(default_factory=lambda: FindingCollector(AGAIN, Verdict.SUSPECT))
    keys: Counter[str] = field(default_factory=Counter)
    """The ids of the second walk, each with how often it occurred."""
    whole: bool = False
    """Whether the second walk reached the end of the list."""
    why: str = ""
    """Why there was no second walk, or no complete one."""
    inserted: dict[str, None] = field(default_factory=dict)
    deleted: dict[str, None] = field(default_factory=dict)
    changed: dict[str, None] = field(default_factory=dict)
    """These three: ids of records that changed so between two calls, as dates, order and repeated requests show."""
    moved: set[int] = field(default_factory=set)
    """Numbers of pages whose rows differ now."""
    volatile: int = 0
    """How many records hold a value that differs at each call."""
    refused: list[tuple[ReadPage, ExplorerError]] = field(default_factory=list)
    """Pages whose old cursor the service no longer accepts."""
    _orders: list[tuple[ReadPage, Asked]] = field(default_factory=list)
    _odd: list[tuple[ReadPage, Asked, str, str]] = field(default_factory=list)
    """Pages with fewer or more rows though no other page changed: the page before and now, an id, and what is odd."""
    _others: int = 0
    """How many pages of the second walk have other rows, or another order, than the same page of the first."""
    _held: set[int] = field(default_factory=set)
    _gone: str = ""

    @property
    def is_quiet(self) -> bool:
        """Whether no record was inserted or deleted and the order is the same: a missing record is then really gone."""
        orders = self._orders and not self._keeps_walks
        return not (self.inserted or self.deleted or self.moved or orders)

    @property
    def is_ordered(self) -> bool:
        """Whether rows that were received again had the same order."""
        return not self._orders or self._keeps_walks

    @property
    def is_lasting(self) -> bool:
        """Whether the second pull shares any id with the first; True where there was no second pull to compare."""
        return (
            not self.whole
            or len(self.ids) < _MANY
            or not self.keys
            or any(key in self.ids for key in self.keys)
        )

    @property
    def changes(self) -> str:
        """What changed, in words; empty when nothing did."""
        parts = ((self.inserted, "came"), (self.deleted, "went"), (self.changed, "changed"))
        said = ", ".join(f"{count(len(ids), 'record')} {word}" for ids, word in parts if ids)
        return said or (f"{count(len(self.moved), 'page')} with other rows by now" if self.moved else "")

    def wants(self) -> int:
        """About how many calls a second walk takes."""
        return len(self.read)

    async def look(self, walked: Walked, *, by_name: bool = False) -> None:
        """Reads the whole list again where the budget allows it, and a few of the other pages by their old cursors.

        ``by_name``: the user asked for this check, so the second walk is made whatever it costs. Raises Spent.
        """
        self.why = walked.cut_short or ("" if walked.whole else "the list was not read to its end")
        if by_name and self.again.allowed is not None:
            self.again.allowed += self.wants() + _LOOKED_AFTER
        if not self.why and self.wants() + _LOOKED_AFTER > self.again.left:
            self.why = (
                f"a second pull of {count(self.wants(), 'call')} is more than a list may cost unasked: "
                f"ask for it with --only {LOST.id}, or with --prove"
            )
            self.again.more["a second pull"] = self.wants()
        if not self.why:
            await self._between(await self._walk())
        for page in few(self.read):
            if self._gone:
                break
            if page.number not in self._held:
                await self._old(page)

    async def _walk(self) -> SideWalk:
        pages = len(self.read)
        most = pages + 2 + pages // 10
        walk = await self.again.walk({}, most=most, turn="again")
        at = {page.number: page for page in self.read}
        for asked in walk.pages:
            self.keys.update(asked.keys)
        self.whole = walk.ended
        if self.whole:
            self.ids.later = {key for key in self.keys if key not in self.ids}
        for asked in walk.pages:
            before = at.get(asked.number)
            self._others += before is None or before.order != order_of(asked.keys)
            if before is not None and before.cursor == asked.cursor:
                await self.hold(before, asked)
        odd = {key for _, asked, *_ in self._odd for key in asked.keys}
        self.inserted.update(dict.fromkeys(key for key in self.ids.later if key not in odd))
        if walk.error is not None:
            self.why = f"the second pull ended early: {walk.error.sentence}"
            before = at.get(len(walk.pages) + 1)
            cursor = walk.pages[-1].next_cursor if walk.pages else None
            if before is not None and before.cursor == cursor:
                self._failed(before, walk.error)
        elif not walk.ended:
            self.why = f"the second pull ended early: {walk.stopped}"
        return walk

    async def _between(self, walk: SideWalk) -> None:
        """Requests the first page between two others: a service may keep the place of a reader instead of the cursor.

        Then two people who read the list at the same time get each other's pages. Raises Spent.
        """
        if len(walk.pages) < _BETWEEN or not (self.whole and self.is_quiet) or self._others:
            return
        page = shown = walk.pages[_BETWEEN - 1]
        for turn in ("between", "between again"):
            if await self.again.now(None, 1, turn) is None:
                return
            asked = await self.again.now(page.cursor, page.number, turn)
            if asked is None or asked.error is not None or order_of(asked.keys) == order_of(page.keys):
                return
            shown = asked
        what = f"Page {page.number} has other rows when the first page was requested in between"
        text = "the service keeps the place of one reader: two at a time get each other's pages"
        self.old.look()
        self.old.add("in between", "", what, replace(shown.example(), value=text))

    async def _old(self, page: ReadPage) -> None:
        """Requests one page by its old cursor and compares it."""
        asked = await self.again.now(page.cursor, page.number)
        if asked is not None and asked.error is not None:
            self._failed(page, asked.error)
        elif asked is not None:
            await self.hold(page, asked)

    def _failed(self, page: ReadPage, error: ExplorerError) -> None:
        if isinstance(error, Unreachable):
            self._gone = gone(error)
            return
        if page.number in self._held:
            return
        self._held.add(page.number)
        tally = self._tally(page)
        tally.look()
        if page.cursor is not None and isinstance(error, AnswerError) and 400 <= error.status < 500:
            self.refused.append((page, error))
            return
        what = f"Page {page.number} cannot be read again: {error.sentence}"
        tally.add("failed", "", what, Example(page.number, None, error.exchange))

    def _tally(self, page: ReadPage) -> FindingCollector:
        return self.first if page.cursor is None else self.old

    async def hold(self, before: ReadPage, asked: Asked) -> None:
        """Compares a page with itself as it was first received, both requested with the same cursor."""
        if before.number in self._held:
            return
        self._held.add(before.number)
        self._tally(before).look()
        if before.digest == asked.digest:
            return
        keys = asked.keys
        if before.order == order_of(keys) and before.rows == len(asked.rows):
            await self._content(before, asked)
            return
        # Lists sorted by their date of change show a record that was edited meanwhile in another place.
        later = [row.key for row in asked.rows if self._is_later(row)]
        self.changed.update(dict.fromkeys(later))
        stayed = [key for key in keys if key not in later]
        places = [place for key in stayed if (place := self.ids.place(key)) is not None]
        if any(one >= other for one, other in pairwise(places)):
            self._orders.append((before, asked))
            return
        await self._moved(before, asked)

    def _is_later(self, row: BriefRow) -> bool:
        """Whether a record has a later date of change than when it was first received."""
        state = self.ids.state(row.key) if row.key else None
        return state is not None and row.moment > state.moment > 0

    async def _moved(self, before: ReadPage, asked: Asked) -> None:
        """Judges a page from which rows are gone, or to which rows were added, the others being in their order."""
        was, now = self.ids.on_page(before.number), set(asked.keys)
        went = [key for key in was if key not in now]
        if len(went) == len(was) >= _MANY and await self._works_once(before, asked):
            return
        came = [key for key in asked.keys if self.ids.place(key) is None]
        handed_on = any(self.ids.page_of(key) not in (0, before.number) for key in now) or (went and came)
        if not handed_on and (went or came) and before.next_cursor == asked.next_cursor:
            there = [await self.exists(key) for key in went[:1]]
            is_last = before.next_cursor is None
            if there == [True] or (there in ([], [None]) and not is_last):
                rows = count(len(went or came), "row")
                text = f"{rows} {'fewer' if went else 'more'}, and no other page has others for it"
                self._odd.append((before, asked, (went or came)[0], text))
                return
        self.moved.add(before.number)
        self.inserted.update(dict.fromkeys(came))
        if self.whole:
            self.deleted.update(dict.fromkeys(key for key in went if key not in self.keys))

    async def _works_once(self, before: ReadPage, asked: Asked) -> bool:
        """Whether a cursor gives other rows each time that it is used, or the first page from the second time on.

        A list that changes does not lose whole pages between any two calls. Raises Spent.
        """
        if before.cursor is None or 1 in self.moved:
            return False
        third = await self.again.now(before.cursor, before.number, "third")
        if third is None or third.error is not None or not asked.keys:
            return False
        others = set(third.keys).isdisjoint({*asked.keys, *self.ids.on_page(before.number)})
        if not others and order_of(asked.keys) != self.read[0].order:
            return False
        what = f"Page {before.number} has other rows each time that its cursor is used"
        text = "whoever repeats a call, as after a failure, loses a page"
        self._tally(before).add("works once", "", what, replace(asked.example(), value=text))
        return True

    async def _content(self, before: ReadPage, asked: Asked) -> None:
        """Judges a page that has the same records in the same order, some of them with other bytes."""
        silent, later = [], []
        for row in asked.rows:
            state = self.ids.state(row.key) if row.key else None
            if state is None or state.whole == row.whole:
                continue
            if row.moment > state.moment > 0 or (not state.moment and row.still != state.still):
                later.append(row.key)
            else:
                silent.append(row)
        if _is_most(len(later), len(asked.rows)):
            self.volatile += len(later)  # the time of the call stands in place of a date of change
        else:
            self.changed.update(dict.fromkeys(later))
        if not silent:
            return
        third = await self.again.now(before.cursor, before.number, "third") or asked
        now = {row.key: row.whole for row in third.rows}
        stay = [row for row in silent if now.get(row.key, row.whole) == row.whole]
        if len(silent) > len(stay) or _is_most(len(silent), len(asked.rows)):
            self.volatile += len(silent)
            return
        what = f"Page {before.number} has other rows when requested again"
        text = "other content, and no later date of change"
        self._tally(before).add("other content", "", what, replace(asked.example(stay[0].key), value=text))

    # ---------------------------------------------------------------- results

    def results(self, key: str) -> list[Result]:
        """The results of the checks on the first page and on later ones."""
        for page, asked, ident, text in self._odd if self.is_quiet else ():
            what = f"Page {page.number} has other rows when requested again"
            self._tally(page).add("other rows", "", what, replace(asked.example(ident), value=text))
        if self._odd and not self.is_quiet:
            self.moved.update(page.number for page, *_ in self._odd)
        if self._orders and not self._keeps_walks:
            page, asked = self._orders[0]  # an order that is not kept is reported once
            what = f"Page {page.number} has its rows in another order when requested again"
            text = "where the order is not kept, pages may lose or repeat records"
            self._tally(page).add("order", "", what, replace(asked.example(), value=text))
        return [
            self._result(self.first, key, "no page came"),
            self._result(self.old, key, "the list has one page"),
        ]

    @property
    def _keeps_walks(self) -> bool:
        """Whether both walks are complete and only the order differs: the second has each record exactly once."""
        every = self.whole and 2 * self._others >= len(self.read) and not self.ids.again
        return every and len(self.keys) == self.keys.total() == len(self.ids) and not self.ids.later

    def _result(self, tally: FindingCollector, key: str, empty: str) -> Result:
        pages = {page.number for page, _ in self._orders} | self.moved
        first = tally is self.first
        other = [number for number in pages if (number == 1) == first]
        seen = ""
        if other:
            seen = f"{count(len(other), 'page')} with other rows by now: the list changed while it was read"
        if self._orders and not tally:
            seen = "the order of the rows is not kept"
        if self.refused and not first:
            page, error = self.refused[0]
            seen = f"the old cursor of page {page.number} is no longer taken: {error.sentence}"
        if self.volatile and not seen:
            seen = f"the same rows; values of {count(self.volatile, 'record')} are others at each call"
        if tally or not tally.measured or not seen:
            return tally.result(key, holds=_same(tally.measured), empty=self._gone or empty)
        return Result(tally.check, key, Verdict.OBSERVED, seen, tally.measured)

    async def lost(self, key: str) -> Result:
        """Whether the second walk lacks records of the first. One found nowhere any more was deleted. Raises Spent."""
        if self.why or not self.whole:
            return skipped(LOST, key, self.why or "the second pull ended early")
        if self.first or self.old or (self._orders and not self._keeps_walks):
            return skipped(LOST, key, "pages have other rows when requested again: see that check")
        tally = FindingCollector(LOST, Verdict.SUSPECT)
        tally.look(len(self.ids))
        exchanges = {page.number: page.exchange for page in self.read}
        if not self.is_lasting:
            what = "The ids of a second pull are others than those of the first"
            first = self.ids.order[0]
            tally.add("other ids", "id", what, self.ids.example(first, exchanges), count=len(self.ids))
            return tally.result(key)
        changing = not self.is_quiet
        pages: dict[int, list[str]] = {}
        for ident in self.ids.order:
            if ident not in self.keys:
                pages.setdefault(self.ids.page_of(ident), []).append(ident)
        still: list[str] = []
        for number, lost in list(pages.items())[:_LOOKED_AFTER]:
            there = await self._still(number)
            for ident in lost:
                if ident in there or await self.exists(ident):
                    still.append(ident)
                else:
                    self.deleted[ident] = None
        if changing or self.deleted:
            # A record at the end of a page slips past the next request when one before it is deleted.
            self.deleted.update(dict.fromkeys(ident for lost in pages.values() for ident in lost))
        else:
            for ident in still:
                what = "Records of the first pull are missing in a second one"
                tally.add("lost", "id", what, self.ids.example(ident, exchanges))
        if self.deleted:
            words = f"{count(len(self.deleted), 'record')} went while the list was read"
            return Result(LOST, key, Verdict.OBSERVED, words, len(self.ids))
        return tally.result(
            key, holds=f"{len(self.keys):,} ids in a second pull", empty="no record has an id"
        )

    async def _still(self, number: int) -> set[str]:
        """The ids that the page with this number holds when its old cursor is requested now."""
        page = next((page for page in self.read if page.number == number), None)
        if page is None or page.cursor is None:
            return set()
        asked = await self.again.now(page.cursor, page.number)
        return set(asked.keys) if asked is not None else set()

    async def repeats(self, ended: Iterable[Result], repeats: dict[str, tuple[int, int]]) -> list[Result]:
        """The results on repeated records, corrected where a change of the list explains the repetition. Raises Spent.

        A record moves to the next page when another one is inserted before it, and is then received twice. The pages on
        which it occurred have other rows by now; if they are unchanged, nothing moved.
        """
        bad = [one for one in ended if one.check in (IDS, OLDER, ONE) and one.is_bad]
        if not bad or not repeats or await self._stand(repeats):
            return []
        why = "the pages on which they came have other rows by now: the list changed while it was read"
        return [
            replace(
                one,
                verdict=Verdict.OBSERVED,
                seen=f"{count(one.affected, 'record')} came again, and {why}",
                affected=0,
                findings=(),
            )
            for one in bad
        ]

    async def _stand(self, repeats: dict[str, tuple[int, int]]) -> bool:
        """Whether some record still occurs twice, in the same places."""
        at = {page.number: page for page in self.read}
        tried: set[tuple[int, int]] = set()
        for ident, pair in repeats.items():
            if pair in tried:
                continue
            tried.add(pair)
            if len(tried) > _LOOKED_AFTER:
                break
            same = [await self._is_same(at[number]) for number in set(pair) if number in at]
            if None in same and self.whole and self.refused:
                same = [self.keys[ident] > 1]
            if all(one is not False for one in same):
                return True
        return False

    async def _is_same(self, page: ReadPage) -> bool | None:
        """Whether a page still has the rows it had; None when that cannot be requested."""
        asked = await self.again.now(page.cursor, page.number)
        return None if asked is None or asked.error is not None else order_of(asked.keys) == page.order

    def what_changed(self, key: str) -> Result:
        """Records that were inserted, deleted or edited while the list was read: no fault, only recorded."""
        seen = self.changes
        if self.volatile:
            words = f"values of {count(self.volatile, 'record')} are others at each call"
            seen = f"{seen}; {words}" if seen else words
        total = len(self.inserted) + len(self.deleted) + len(self.changed)
        if seen:
            return Result(CHANGED, key, Verdict.OBSERVED, f"changed while it was read: {seen}", total)
        if not self._held:
            return skipped(CHANGED, key, self._gone or "no page was asked for again")
        return Result(
            CHANGED, key, Verdict.HOLDS, f"nothing, on {count(len(self._held), 'page')}", len(self.ids)
        )


def _is_most(part: int, rows: int) -> bool:
    return part >= _MANY and 2 * part >= rows


def few(read: Sequence[ReadPage]) -> Iterator[ReadPage]:
    """Pages 1, 2 and 3, then one at each doubling: a small sample from the whole list."""
    return (page for page in read if page.number <= 3 or page.number & (page.number - 1) == 0)


def _same(number: int) -> str:
    return f"{count(number, 'page')} read again, byte for byte the same"
