"""Paging: the walk ends, nothing comes twice, and asking again gives the same."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from explorer.api.answer import Answer
from explorer.api.errors import CursorRepeated, ExplorerError, PageRepeated
from explorer.api.pages import Page, page_of
from explorer.catalog.fields import fields_of
from explorer.catalog.request import Request, build
from explorer.catalog.spec import Listing
from explorer.quality.check import Check, Example, Result, Verdict
from explorer.quality.moments import seconds_of
from explorer.quality.row import Row
from explorer.quality.tally import Tally, skipped
from explorer.quality.watch import SeenPage, Walked

ENDS = Check("paging.ends", "paging", "The list comes to an end", "page")
CURSOR = Check("paging.cursor-once", "paging", "No cursor comes twice", "page")
PAGE = Check("paging.page-once", "paging", "Each cursor leads to other rows", "page")
EMPTY = Check("paging.no-empty-page", "paging", "No page before the last is empty", "page")
LAST = Check("paging.last-page", "paging", "Whether the last page has rows", "page")
IDS = Check("paging.ids-once", "paging", "No record comes twice", "id")
OLDER = Check("paging.not-older", "paging", "No record comes again in an older state", "id")
ONE = Check("paging.id-names-one", "paging", "An id names one record", "id")
FIRST = Check("paging.first-again", "paging", "The first page is the same when it is asked for again", "page")
AGAIN = Check("paging.again", "paging", "An old cursor is still good, and gives the same rows", "page")
SIZE = Check("paging.page-size", "paging", "page_size is honoured", "page", "a list that takes page_size")

_CHANGED = ("updated_at", "modified_at", "last_modified_at")
ASKED_SIZE = 7
"""An odd number that is nobody's own page size."""
MOST_IDS = 2_000_000
"""Ids that are remembered, at some 120 bytes each."""


class Paging:
    """Watches pages and ids of one walk."""

    checks = (ENDS, CURSOR, PAGE, EMPTY, LAST, IDS, OLDER, ONE)

    def __init__(self) -> None:
        self._tally = {check: Tally(check) for check in self.checks}
        self._empties: list[SeenPage] = []
        self._rows_in_last: int | None = None
        self._seen: dict[int, int] = {}
        self._whole, self._still = array("Q"), array("Q")
        self._moments, self._pages = array("d"), array("Q")
        self.sample: list[tuple[int, str | None, bytes]] = []
        """Number, cursor and digest of some pages, spread over the walk."""

    def page(self, seen: SeenPage) -> None:
        page = seen.page
        if page is None:
            return
        self._rows_in_last = len(page.records)
        if not page.records:
            self._empties.append(seen)
            del self._empties[1000:]
        if not seen.repeats:
            self._keep(page)

    def row(self, row: Row) -> None:
        if row.record is None or not row.id or row.unreadable or len(self._seen) >= MOST_IDS:
            return
        for check in (IDS, OLDER, ONE):
            self._tally[check].look()
        whole, still, moment = _hash(row.raw), _hash(_without_dates(row.value)), _moment(row.value)
        ident = _hash(row.id.encode("utf-8", "surrogatepass"))
        before = self._seen.get(ident)
        if before is None:
            self._seen[ident] = len(self._whole)
            self._whole.append(whole)
            self._still.append(still)
            self._moments.append(moment)
            self._pages.append(row.page or 0)
            return
        row.flagged.add("id")
        where = f"first on page {self._pages[before]}"
        if whole != self._whole[before] and still == self._still[before] and moment < self._moments[before]:
            row.flagged.update(_CHANGED)
            what = "A record comes again with an older date than before"
            self._tally[OLDER].add("older", "updated_at", what, row.example(text=where))
        elif still == self._still[before]:
            self._tally[IDS].add("twice", "id", "Records come a second time", row.example(text=where))
        else:
            what = "Two records with different content have the same id"
            self._tally[ONE].add("two records", "id", what, row.example(text=where))

    def end(self, walked: Walked) -> list[Result]:
        for check in (CURSOR, PAGE, EMPTY):
            self._tally[check].look(walked.pages)
        last = walked.pages
        for seen in self._empties:
            if seen.number != last or not walked.complete:
                what = "A page without rows leads on to others"
                self._tally[EMPTY].add("empty", "", what, seen.example(), verdict=Verdict.SUSPECT)
        self._loop(walked)
        made = [self._ends(walked)]
        made += [
            self._tally[check].result(walked.key, empty="no page came") for check in (CURSOR, PAGE, EMPTY)
        ]
        made.append(self._last(walked))
        return made + [
            self._tally[check].result(walked.key, empty="no record with an id came")
            for check in (IDS, OLDER, ONE)
        ]

    def _keep(self, page: Page) -> None:
        """Pages 1, 2, 3, then one at each doubling: few, and from everywhere."""
        if page.number <= 3 or page.number & (page.number - 1) == 0:
            self.sample.append((page.number, page.cursor, page.digest))

    def _loop(self, walked: Walked) -> None:
        why = walked.why
        if isinstance(why, CursorRepeated | PageRepeated):
            check = CURSOR if isinstance(why, CursorRepeated) else PAGE
            rule = "cursor again" if check is CURSOR else "page again"
            what = why.sentence.partition(": the walk")[0]
            self._tally[check].add(rule, "", what, Example(walked.pages, None, why.exchange))

    def _ends(self, walked: Walked) -> Result:
        if walked.cut_short:
            return skipped(ENDS, walked.key, walked.cut_short)
        if isinstance(walked.why, CursorRepeated | PageRepeated):
            return skipped(ENDS, walked.key, "it goes round: see the cursors")
        if walked.why is not None:
            self._tally[ENDS].add("empty pages", "", walked.why.sentence, Example(walked.pages))
        self._tally[ENDS].look(walked.pages)
        return self._tally[ENDS].result(walked.key)

    def _last(self, walked: Walked) -> Result:
        if not walked.complete or self._rows_in_last is None:
            return skipped(LAST, walked.key, "the end was not seen")
        seen = (
            f"the last page has {self._rows_in_last:,} rows"
            if self._rows_in_last
            else "the last page is empty"
        )
        return Result(LAST, walked.key, Verdict.OBSERVED, seen, 1)


async def asked_again(
    send: Callable[[Request], Awaitable[Answer]],
    listing: Listing,
    key: str,
    sample: list[tuple[int, str | None, bytes]],
) -> list[Result]:
    """The first page, and pages in the middle by their old cursors, once more: the same rows in the same order?"""
    made = []
    first, later = [one for one in sample if one[1] is None], [one for one in sample if one[1] is not None]
    for check, pages in ((FIRST, first), (AGAIN, later)):
        tally = Tally(check)
        for number, cursor, digest in pages:
            tally.look()
            query = {} if cursor is None else {listing.cursor_param: cursor}
            try:
                answer = await send(build(listing, query=query, page=number))
                page = page_of(answer, listing.envelope, number, cursor)
            except ExplorerError as error:
                what = f"Page {number} cannot be read again: {error.sentence}"
                tally.add("failed", "", what, Example(number, None, error.exchange))
                continue
            if page.digest != digest:
                what = f"Page {number} has other rows when it is asked for again"
                tally.add("other rows", "", what, Example(number, None, page.exchange))
        empty = "no page came" if check is FIRST else "the list has one page"
        made.append(tally.result(key, holds=_same(tally.measured), empty=empty))
    return made


async def page_size(
    send: Callable[[Request], Awaitable[Answer]], listing: Listing, key: str, rows: int
) -> Result:
    """Asks for a small first page and counts."""
    if "page_size" not in {field.name for field in fields_of(listing.query)}:
        return skipped(SIZE, key, "this list takes no page_size")
    if rows <= ASKED_SIZE:
        return skipped(SIZE, key, f"the list has no more than {ASKED_SIZE} rows")
    tally = Tally(SIZE)
    tally.look()
    try:
        answer = await send(build(listing, query={"page_size": ASKED_SIZE}, page=1))
        page = page_of(answer, listing.envelope, 1, None)
    except ExplorerError as error:
        return skipped(SIZE, key, f"page_size={ASKED_SIZE} was not answered: {error.sentence}")
    count = len(page.records)
    what = f"page_size={ASKED_SIZE} gives {count:,} rows"
    if count > ASKED_SIZE:
        tally.add("more", "page_size", what, Example(1, None, page.exchange))
    elif count < ASKED_SIZE and not page.is_last:
        tally.add("fewer", "page_size", what, Example(1, None, page.exchange), verdict=Verdict.SUSPECT)
    return tally.result(key, holds=f"{count} rows for page_size={ASKED_SIZE}")


def _same(count: int) -> str:
    return f"{count} {'page' if count == 1 else 'pages'} read again, byte for byte the same"


def _hash(data: bytes) -> int:
    order: Literal["big"] = "big"
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), order)


def _without_dates(record: Any) -> bytes:
    kept = {name: value for name, value in record.items() if name not in _CHANGED and name != "raw_data"}
    try:
        return json.dumps(kept, sort_keys=True).encode()
    except RecursionError:
        return b""


def _moment(record: Any) -> float:
    found = (seconds_of(record.get(name)) for name in _CHANGED)
    return next((moment for moment in found if moment is not None), 0.0)
