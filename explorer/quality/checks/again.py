"""Asked for again: the same pages once more by their cursors, or the whole list in a second walk with nothing lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from explorer.api.errors import ExplorerError, Unreachable
from explorer.api.pages import PageWalk, page_of
from explorer.catalog.request import build
from explorer.catalog.spec import Listing
from explorer.quality.checks.paging import ReadPage
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, gone, skipped
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.row import read_row
from explorer.quality.engine.seen import SeenIds, moment_of
from explorer.quality.engine.service import Send
from explorer.quality.engine.walk import Budget
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
CHECKS = (FIRST, AGAIN)

MOST_PAGES = 200
"""A longer list is walked a second time only when `LOST` is asked for by name."""


class _Brief(msgspec.Struct):
    """What of a record is looked at in a second walk."""

    id: Any = None
    updated_at: Any = None
    modified_at: Any = None
    last_modified_at: Any = None


_BRIEF = msgspec.json.Decoder(_Brief)


def briefly(raw: bytes) -> tuple[str, float]:
    """The key of a record's id, empty when it has none, and when it changed last (0 when it does not say so)."""
    try:
        one = _BRIEF.decode(raw)
        if not isinstance(one.id, str):
            raise ValueError
        dates = {
            "updated_at": one.updated_at,
            "modified_at": one.modified_at,
            "last_modified_at": one.last_modified_at,
        }
        return one.id, moment_of(dates)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        row = read_row(raw, 0, None, 0)
        return row.key, moment_of(row.record or {})


@dataclass(slots=True)
class _Second:
    """The second walk of a list against the first."""

    read: dict[int, ReadPage]
    first: FindingCollector = field(default_factory=lambda: FindingCollector(FIRST))
    again: FindingCollector = field(default_factory=lambda: FindingCollector(AGAIN))
    ids: set[str] = field(default_factory=set)
    same: set[int] = field(default_factory=set)
    """Pages that were asked for by the same cursor as before."""
    failed: str = ""
    gone: str = ""
    """Why nothing can be asked any more: that says nothing of any page."""

    def hold(self, number: int, cursor: str | None, digest: bytes, exchange: int) -> None:
        """One page against the one of its number, when it was come to in the same way."""
        before = self.read.get(number)
        if before is None or before.cursor != cursor:
            return
        self.same.add(number)
        tally = self.first if cursor is None else self.again
        tally.look()
        if before.digest != digest:
            what = f"Page {number} has other rows when requested again"
            tally.add("other rows", "", what, Example(number, None, exchange))

    def fail(self, page: ReadPage, error: ExplorerError) -> None:
        """A page that came before does not come again."""
        if isinstance(error, Unreachable):
            self.gone = gone(error)
            return
        tally = self.first if page.cursor is None else self.again
        tally.look()
        what = f"Page {page.number} cannot be read again: {error.sentence}"
        tally.add("failed", "", what, Example(page.number, None, error.exchange))
        self.same.add(page.number)

    def results(self, key: str) -> list[Result]:
        """Of both checks on pages."""
        return [
            self.first.result(key, holds=_same(self.first.measured), empty=self.gone or "no page came"),
            self.again.result(
                key, holds=_same(self.again.measured), empty=self.gone or "the list has one page"
            ),
        ]


async def compared(
    send: Send,
    walked: Walked,
    read: Sequence[ReadPage],
    ids: SeenIds,
    budget: Budget,
    *,
    paging: bool,
    lost: bool,
    by_name: bool,
) -> list[Result]:
    """The pages again, and whether a second walk loses anything.

    ``paging`` and ``lost`` say which of both is wanted; ``by_name`` that a long list may be walked again as well.
    """
    listing, key = walked.listing, walked.key
    second = _Second({page.number: page for page in read})
    why = walked.cut_short or ("" if walked.whole else "the list was not read to its end")
    if not why and walked.pages > MOST_PAGES and not by_name:
        why = f"a list of {count(walked.pages, 'page')} is walked twice only with --only {LOST.id}"
    made: list[Result] = []
    if not why:
        await _walk(send, listing, budget, second)
        ids.later = {ident for ident in second.ids if ident not in ids}
        why = second.failed
    if paging:
        await _old_cursors(send, listing, read, second)
        made += second.results(key)
    if lost:
        made.append(skipped(LOST, key, why) if why else _lost(key, ids, second, read))
    return made


async def _walk(send: Send, listing: Listing, budget: Budget, second: _Second) -> None:
    walk = PageWalk(send, listing, {})
    while walk.state == "ready":
        if limit := budget.spent:
            budget.cut[limit] = None
            second.failed = f"the second pull ended early: {limit}"
            return
        number, cursor = walk.number + 1, walk.cursor
        try:
            page = await walk.advance()
        except ExplorerError as error:
            before = second.read.get(number)
            if before is not None and before.cursor == cursor:
                second.fail(before, error)
            second.failed = f"the second pull ended early: {error.sentence}"
            return
        budget.used_records += len(page.records)
        second.hold(number, cursor, page.digest, page.exchange)
        second.ids.update(briefly(raw)[0] for raw in page.records)
        if number < len(second.read):
            walk.go_past()  # where a flag ends it early: that is a matter of the envelope


async def _old_cursors(send: Send, listing: Listing, read: Sequence[ReadPage], second: _Second) -> None:
    """Of the pages that a second walk did not come to by the same cursor, some by their old ones."""
    for page in few(read):
        if second.gone:
            return
        if page.number in second.same:
            continue
        query = {} if page.cursor is None else {listing.cursor_param: page.cursor}
        try:
            answer = await send(build(listing, query=query, page=page.number))
            got = page_of(answer, listing.envelope, page.number, page.cursor)
        except ExplorerError as error:
            second.fail(page, error)
            continue
        second.hold(page.number, page.cursor, got.digest, got.exchange)


def _lost(key: str, ids: SeenIds, second: _Second, read: Sequence[ReadPage]) -> Result:
    if second.first or second.again:
        return skipped(LOST, key, "pages have other rows when requested again: see that check")
    tally = FindingCollector(LOST, Verdict.SUSPECT)
    tally.look(len(ids))
    exchanges = {page.number: page.exchange for page in read}
    for ident in ids.without(second.ids):
        what = "Records of the first pull are missing in a second one"
        tally.add("lost", "id", what, ids.example(ident, exchanges))
    return tally.result(key, holds=f"{len(second.ids):,} ids in a second pull", empty="no record has an id")


def few(read: Sequence[ReadPage]) -> Iterator[ReadPage]:
    """Pages 1, 2, 3, then one at each doubling: few, and from everywhere."""
    return (page for page in read if page.number <= 3 or page.number & (page.number - 1) == 0)


def _same(count: int) -> str:
    return f"{count} {'page' if count == 1 else 'pages'} read again, byte for byte the same"
