"""Paging: the walk ends, no record occurs twice, and requesting a page again gives the same."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.api.errors import CursorRepeated, EndNotShown, PageRepeated, TooManyEmpty, Unreachable
from explorer.quality.engine.changed_fields import changed_words
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, gone, skipped
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import Row
from explorer.quality.engine.rows import Rows
from explorer.quality.engine.shared_pages import SideWalk
from explorer.quality.engine.walk_ids import CHANGED, SeenIds, moment_of

ENDS = Check("paging.ends", "paging", "The list comes to an end", "page")
CURSOR = Check("paging.cursor-once", "paging", "No cursor is repeated", "page")
PAGE = Check("paging.page-once", "paging", "Each cursor leads to other rows", "page")
EMPTY = Check("paging.no-empty-page", "paging", "No page before the last is empty", "page")
LAST = Check("paging.last-page", "paging", "Whether the last page has rows", "page")
IDS = Check("paging.ids-once", "paging", "No record is repeated", "id")
OLDER = Check("paging.not-older", "paging", "No record is repeated in an older state", "id")
ONE = Check("paging.id-names-one", "paging", "An id names one record", "id")
SIZE = Check(
    "paging.page-size", "paging", "The page size is honoured", "page", "a list that takes a page size"
)

ASKED_SIZE = 7
"""An odd number that no service has as its own page size."""
_MOST_REPEATS = 10_000


@dataclass(slots=True)
class ReadPage:
    """What is kept of a page, to compare it with the same page when it is requested again."""

    number: int
    cursor: str | None
    """The cursor it was requested with; None for the first page."""
    digest: bytes
    exchange: int
    next_cursor: str | None = None
    order: int = 0
    """A hash of the ids of its records in their order: see `order_of`."""
    rows: int = 0


def order_of(keys: list[str], made: int = 0) -> int:
    """A hash of ids in their order, valid within this process; ``made`` is that of the ids before them."""
    for key in keys:
        made = hash((made, key))
    return made


class Paging:
    """Watches the pages and ids of one walk."""

    checks = (ENDS, CURSOR, PAGE, EMPTY, LAST, IDS, OLDER, ONE)

    def __init__(self, ids: SeenIds | None = None) -> None:
        """``ids`` is filled with those of the walk, so that others can look them up in it."""
        # The contract says nothing about a record that is received twice, with the same content or another.
        self._tally = {check: FindingCollector(check) for check in self.checks}
        self._tally |= {check: FindingCollector(check, Verdict.SUSPECT) for check in (IDS, OLDER, ONE)}
        self._empties: list[SeenPage] = []
        self._rows_in_last: int | None = None
        self._repeat: SeenPage | None = None
        self._ids = SeenIds() if ids is None else ids
        self.read: list[ReadPage] = []
        """Every page that was read, in order, except repeated ones."""
        self.repeats: dict[str, tuple[int, int]] = {}
        """Ids that occurred more than once, with the pages of the first and the last time; some thousand at most."""

    def page(self, seen: SeenPage) -> None:
        page = seen.page
        if page is None:
            return
        self._rows_in_last = len(page.records)
        if not page.records:
            self._empties.append(seen)
            del self._empties[1000:]
        self._repeat = seen if seen.repeats else self._repeat
        if not seen.repeats:
            self.read.append(
                ReadPage(
                    page.number,
                    page.cursor,
                    page.digest,
                    page.exchange,
                    page.next_cursor,
                    rows=len(page.records),
                )
            )

    def row(self, row: Row) -> None:
        self._ids.unread += row.unreadable
        if row.key and self.read and self.read[-1].number == row.page:
            self.read[-1].order = hash((self.read[-1].order, row.key))
        if row.record is None or not row.id or row.unreadable or self._ids.is_full:
            return
        for check in (IDS, OLDER, ONE):
            self._tally[check].look()
        before = self._ids.add(row)
        if before is None:
            return
        if len(self.repeats) < _MOST_REPEATS:
            self.repeats[row.key] = before.page, row.page or 0
        whole, still, moment = hash(row.raw), self._ids.still_of(row.value), moment_of(row.value)
        row.flagged.add("id")
        where = f"first on page {before.page}"
        if before.changed:
            where += f", now with another {changed_words(before.changed)}"
        if whole != before.whole and still == before.still and moment < before.moment:
            row.flagged.update(CHANGED)
            what = "A record is repeated with an older date than before"
            self._tally[OLDER].add("older", "updated_at", what, row.example(text=where))
        elif still == before.still:
            self._tally[IDS].add("twice", "id", "Records are repeated", row.example(text=where))
        else:
            what = "Two records with different content have the same id"
            self._tally[ONE].add("two records", "id", what, row.example(text=where))

    def passes(self, rows: Rows) -> bool:
        """Handles several records at once if all their ids are new."""
        if not rows.are_sound or self._ids.is_full or not self._ids.add_all(rows):
            return False
        if self.read and self.read[-1].number == rows.rows[0].page:
            self.read[-1].order = order_of(rows.column("id").values, self.read[-1].order)
        for check in (IDS, OLDER, ONE):
            self._tally[check].look(len(rows))
        return True

    def end(self, walked: Walked) -> list[Result]:
        for check in (CURSOR, PAGE, EMPTY):
            self._tally[check].look(walked.pages)
        last = walked.pages
        # A list that ends in empty pages only is reported once, as one without an end.
        endless = isinstance(walked.why, TooManyEmpty)
        verdict = Verdict.OBSERVED if self._is_uneven else Verdict.SUSPECT
        for seen in () if endless else self._empties:
            if seen.number != last or not walked.complete:
                what = "An empty page is followed by others"
                self._tally[EMPTY].add("empty", "", what, seen.example(), verdict=verdict)
        self._loop(walked)
        made = [self._ends(walked)]
        made += [
            self._tally[check].result(walked.key, empty="no page came") for check in (CURSOR, PAGE, EMPTY)
        ]
        made.append(self._last(walked))
        return made + [
            self._tally[check].result(walked.key, empty="no record has an id") for check in (IDS, OLDER, ONE)
        ]

    @property
    def _is_uneven(self) -> bool:
        """Whether pages before the last differ in length, as where rows are filtered out; then a page may be empty."""
        lengths = [page.rows for page in self.read if page.rows]
        return len(set(lengths[:-1])) > 1

    def _loop(self, walked: Walked) -> None:
        why = walked.why
        if isinstance(why, CursorRepeated | PageRepeated):
            check = CURSOR if isinstance(why, CursorRepeated) else PAGE
            rule = "cursor again" if check is CURSOR else "page again"
            what = why.sentence.partition(": the pull")[0]
            self._tally[check].add(rule, "", what, Example(walked.pages, None, why.exchange))
        elif self._repeat is not None:
            what = f"Page {self._repeat.number} is byte for byte the same as an earlier page"
            self._tally[PAGE].add("page again", "", what, self._repeat.example())

    def _ends(self, walked: Walked) -> Result:
        if walked.cut_short:
            return skipped(ENDS, walked.key, walked.cut_short)
        if isinstance(walked.why, CursorRepeated | PageRepeated):
            return skipped(ENDS, walked.key, "it repeats itself: see the cursors")
        if isinstance(walked.why, EndNotShown):
            return skipped(ENDS, walked.key, "it may be incomplete: see flag and cursor")
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


def page_size(walk: SideWalk, key: str, own: int, single: SideWalk | None = None) -> Result:
    """The result on a small page size: ``walk`` was made with it and ``single`` with a size of one; ``own`` is the size
    of the list's first page without any.

    That it has no effect, or gives fewer rows, is observed: the contract sets no bounds, and lost rows are judged as
    completeness. A refusal is suspect, and so are more rows than were requested that differ from the list's own size.
    """
    tally = FindingCollector(SIZE, Verdict.SUSPECT)
    tally.look(max(1, len(walk.pages)))
    [param] = walk.query
    if not walk.pages:
        if isinstance(walk.error, Unreachable) or walk.error is None:
            return skipped(SIZE, key, gone(walk.error) if walk.error else walk.stopped)
        # The contract gives no bounds for it; that a small one is refused is odd all the same.
        what = f"{param}={ASKED_SIZE} failed: {walk.error.sentence}"
        tally.add("not answered", param, what, Example(1, None, walk.error.exchange))
        return tally.result(key)
    first = walk.pages[0]
    count = len(first.rows)
    what = f"{param}={ASKED_SIZE} gives {count:,} rows"
    least = single is not None and bool(single.pages) and len(single.pages[0].rows) == count
    if count > ASKED_SIZE and count != own and not least:
        tally.add("more", param, f"{what}, more than were asked for", first.example())
        return tally.result(key)
    if count > ASKED_SIZE or (count < ASKED_SIZE and not first.is_last):
        effect = "the least that it gives" if least and count != own else "it has no effect"
        said = f"{what}: {effect}" if count > ASKED_SIZE else f"{what}, and more follow"
        return Result(SIZE, key, Verdict.OBSERVED, said, tally.measured)
    return tally.result(key, holds=f"{count} rows for {param}={ASKED_SIZE}")
