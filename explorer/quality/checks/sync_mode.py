"""Sync mode: what an incremental list returns, compared with the full list and with the contract."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from explorer.api.errors import Unreachable
from explorer.catalog.spec import Record
from explorer.quality.checks.records import faults_of
from explorer.quality.checks.second_read import LOST
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, named, skipped
from explorer.quality.engine.probe import is_lacking
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.shared_pages import (
    ROUND,
    Asked,
    BriefRow,
    Broken,
    Inspect,
    Reasked,
    SideWalk,
)
from explorer.quality.engine.walk_ids import CHANGED, SeenIds
from explorer.quality.values.moments import spoken
from explorer.words import count

_NEEDS = "a list that takes sync_mode"
INSIDE = Check("sync.inside", "sync mode", "Incremental is part of full", "id", f"{_NEEDS}, read whole")
OLDER = Check(
    "sync.not-older",
    "sync mode",
    "Incremental returns nothing in an older state than full",
    "id",
    f"{_NEEDS}, and dates",
)
ANSWERS = Check("sync.answers", "sync mode", "The list works with sync_mode=incremental", "page", _NEEDS)
EFFECT = Check("sync.effect", "sync mode", "What sync_mode does", "record", _NEEDS)
SINCE = Check("sync.since", "sync mode", "How far back incremental goes", "id", f"{_NEEDS}, and dates")
SAME = Check(
    "sync.same",
    "sync mode",
    "An incremental record is the same as in full, and keeps the contract",
    "record",
    _NEEDS,
)
NEWEST = Check("sync.newest", "sync mode", "Incremental has what changed last", "id", f"{_NEEDS}, and dates")
TWICE = Check("sync.twice", "sync mode", "Whether incremental gives the same twice", "page", _NEEDS)
INCREMENTAL = (ANSWERS, INSIDE, OLDER, NEWEST, SAME, EFFECT, SINCE, TWICE)
CHECKS = (*INCREMENTAL, LOST)

PARAM = "sync_mode"
QUERY: dict[str, Any] = {PARAM: "incremental"}
_FEW = 10
"""By this many records, or a tenth of all, a list that changes may differ from one pull to the next."""
_ENOUGH = 5
"""From this many records on it is no coincidence that a date separates the included from the omitted ones."""
_CHANCE = 0.01
"""So likely at most may it be that all omitted records changed between pages for another reason."""
_SINGLE = 3
"""Up to this many fields that differ in a record are reported one by one."""
_TWICE = 2
"""Pages that are requested twice."""


@dataclass(slots=True)
class Incremental:
    """The incremental list compared with the ids of the full one."""

    again: Reasked
    full: SeenIds
    walk: SideWalk = field(default_factory=lambda: SideWalk(QUERY))
    twice: SideWalk = field(default_factory=lambda: SideWalk(QUERY))
    larger: SideWalk = field(default_factory=lambda: SideWalk(QUERY))
    """With a page size beyond what came, where a full page ended it."""
    inside: FindingCollector = field(default_factory=lambda: FindingCollector(INSIDE, Verdict.SUSPECT))
    older: FindingCollector = field(default_factory=lambda: FindingCollector(OLDER, Verdict.SUSPECT))
    same: FindingCollector = field(default_factory=lambda: FindingCollector(SAME, Verdict.SUSPECT))
    count: int = 0
    oldest: float = 0.0
    newest: float = 0.0

    async def look(self, reserve: int, own: int = 0) -> None:
        """Walks the list with ``sync_mode=incremental``, and its first pages twice. Raises Spent.

        ``reserve`` calls are left for others; ``own`` is how many rows the full list's first page has: an incremental
        list that ends with a page of so many is requested on one larger page as well.
        """
        self.walk = await self.again.walk(QUERY, most=max(1, self.again.left - reserve))
        if self.walk.pages:
            most = min(_TWICE, len(self.walk.pages))
            self.twice = await self.again.walk(QUERY, most=most, turn="twice")
        size = self.again.size_param
        if size and self.walk.ended and own and len(self.walk.pages[-1].rows) == own:
            self.larger = await self.again.walk({**QUERY, size: 2 * len(self.walk.keys) + 1}, most=1)

    def judge(
        self,
        walked: Walked,
        known: Collection[tuple[str, str]] | None = (),
        *,
        missing: Collection[str] = (),
        quiet: bool = True,
    ) -> list[Result]:
        """The results of all checks on it.

        ``known`` are rule and field of what was found in the full list already, None where that is not known;
        ``missing`` are ids that the full list is known to lack; ``quiet``: it did not change while it was read.
        """
        key, error = walked.key, self.walk.error
        answers = FindingCollector(ANSWERS)
        answers.look(len(self.walk.pages))
        why = ""
        if error is not None:
            why = f"the incremental pull ended early: {error.sentence}"
            if not is_lacking(error) and not isinstance(error, Unreachable):
                number = len(self.walk.pages) + 1
                what = f"Page {number}: {error.sentence}"
                answers.add("not answered", PARAM, what, Example(number, None, error.exchange))
        elif not self.walk.pages:
            why = self.walk.stopped or "no page of the incremental list was asked for"
        if quiet and walked.whole and self.walk.stopped == ROUND:
            number = len(self.walk.pages)
            what = (
                f"Page {number} of the incremental list leads back to an earlier one, so that it never ends"
            )
            answers.add("goes round", PARAM, what, self.walk.pages[-1].example())
        sure = quiet and not missing
        if more := set(self.larger.keys) - set(self.walk.keys) if sure else set[str]():
            page, [size] = self.larger.pages[0], [name for name in self.larger.query if name != PARAM]
            what = (
                f"Incremental ends after {count(len(self.walk.keys), 'record')}, and "
                f"{size}={self.larger.query[size]} brings {count(len(more), 'record')} more"
            )
            answers.add("ends early", PARAM, what, page.example(min(more)), verdict=Verdict.SUSPECT)
        first = answers.result(key, empty=why)
        if why:
            return [first, *(skipped(check, key, why) for check in INCREMENTAL[1:])]
        if quiet:
            self._forgotten()
        unstable = self._unstable()
        for page in self.walk.pages:
            self._page(page, missing)
        self._contents(unstable, known)
        return [
            first,
            self._newest(key, walked, missing, quiet=quiet),
            *self._results(key, walked, quiet=quiet),
        ]

    def _forgotten(self) -> None:
        """Judges an incremental list whose first page leaves records out, and whose later ones leave out none.

        Both must be in the order of the full list: its records then follow one another from the second page on.
        """
        first, later = self.walk.pages[0].keys, [key for page in self.walk.pages[1:] for key in page.keys]
        left_out, none = (self._left_out(keys) for keys in (first, later))
        if left_out is not None and left_out >= _ENOUGH and none == 0 and len(later) > _ENOUGH:
            page = self.walk.pages[1]
            what = "The mode is forgotten after the first page: from the second one on incremental has all records"
            self.inside.look()
            self.inside.add("forgotten", PARAM, what, page.example(page.keys[0]))

    def _left_out(self, keys: Sequence[str]) -> int | None:
        """How many records of the full list lie between these and are none of them; None in another order."""
        places = [self.full.place(key) for key in keys]
        known = [place for place in places if place is not None]
        if len(known) < len(places) or any(one >= other for one, other in pairwise(known)):
            return None
        return known[-1] - known[0] + 1 - len(known) if known else 0

    def _unstable(self) -> set[str]:
        """Ids of records whose bytes differ at each call, where their pages were requested twice."""
        now = {row.key: row.whole for page in self.twice.pages for row in page.rows}
        return {
            row.key
            for page in self.walk.pages
            for row in page.rows
            if now.get(row.key, row.whole) != row.whole
        }

    def _page(self, page: Asked, missing: Collection[str]) -> None:
        """Compares one more page with the full list."""
        for row in page.rows:
            self.count += 1
            ident, moment = row.key, row.moment
            if not ident:
                continue
            self.inside.look()
            place = Example(page.number, self.count, page.exchange, page.example(ident).id)
            if ident in self.full.later or ident in missing:
                continue  # it is new, or the order is not kept, or that it is missing was reported already
            if ident not in self.full:
                what = "Incremental returned ids that full never returned"
                self.inside.add("unknown", "id", what, place)
            elif moment and ident not in self.full.again and (before := self.full.moment(ident)):
                self.older.look()
                self.oldest = min(moment, self.oldest or moment)
                self.newest = max(moment, self.newest)
                if moment < before:
                    what = "Incremental returns records in an older state than full"
                    self.older.add("older", "updated_at", what, place)

    def _contents(self, unstable: set[str], known: Collection[tuple[str, str]] | None) -> None:
        """Judges records whose content differs from the full list at the same date, and what breaks the contract.

        The items of an array count where the incremental list gave them twice: some come in another order each time.
        """
        twice = set(self.twice.keys)
        for page in self.walk.pages:
            for row in page.rows:
                state = self.full.state(row.key) if row.key else None
                self.same.look(bool(row.key))
                example = page.example(row.key)
                for fault in row.faults:
                    if known is not None and (fault.rule, fault.field) not in known:
                        what = f"In incremental records: {fault.sentence}"
                        self.same.add(fault.rule, fault.field, what, example, verdict=Verdict.FAILS)
                if state is None or row.key in unstable or not self._differs(row):
                    continue
                names = [name for name in row.changed if name not in CHANGED]
                if names and (row.still != state.still or row.key in twice):
                    self._tell_other(names, example)

    def _tell_other(self, names: Sequence[str], example: Example) -> None:
        """Reports the fields of one record that differ from the full list; many of them at once, as of one cause."""
        if len(names) > _SINGLE:
            what = "Incremental records say other things than in full, with the same date of change"
            self.same.add("other content", "", f"{what}: {named(names)}", example)
            return
        for name in names:
            what = f"{name} of incremental records is another than in full, with the same date of change"
            self.same.add("other content", name, what, example)

    def _differs(self, row: BriefRow) -> bool:
        unsure = not row.key or row.key in self.full.again or row.key in self.full.spoiled
        state = None if unsure else self.full.state(row.key)
        return state is not None and state.whole != row.whole and state.moment == row.moment

    def _results(self, key: str, walked: Walked, *, quiet: bool) -> list[Result]:
        more = "" if self.walk.ended else f", and more follow: {self.walk.stopped}"
        same = self.count == walked.rows and self.walk.ended
        seen = f"{count(self.count, 'record')}{more} against {walked.rows:,}"
        # Of no record nothing shows whether it takes some out.
        seen += (": it has no effect" if self.count else ": nothing to compare") if same else ""
        effect = Result(EFFECT, key, Verdict.OBSERVED, seen, self.count)
        content = self.same.result(key, empty="no record is in both")
        twice = self._twice(key)
        if not walked.whole:
            why = "the full list was not read to its end"
            return [
                skipped(INSIDE, key, why),
                skipped(OLDER, key, why),
                content,
                effect,
                skipped(SINCE, key, why),
                twice,
            ]
        older = self.older.result(key, empty="no record has a date of change")
        if self.inside and self.full.unread:
            why = f"the ids of {count(self.full.unread, 'record')} of the full list could not be read"
            return [skipped(INSIDE, key, why), older, content, effect, skipped(SINCE, key, why), twice]
        inside = self.inside.result(key, empty="the incremental list is empty")
        if self.inside and not quiet and self.inside.affected <= _FEW + self.inside.measured // 10:
            words = f"but for {count(self.inside.affected, 'record')}: the list changed while it was read"
            inside = Result(INSIDE, key, Verdict.OBSERVED, words, self.inside.measured)
        if not self.oldest:
            return [
                inside,
                older,
                content,
                effect,
                skipped(SINCE, key, "no record has a date of change"),
                twice,
            ]
        since = f"the oldest record that it returns changed on {spoken(self.oldest)}"
        if self.newest > self.oldest:
            newest = f"the newest record that it returns changed on {spoken(self.newest)}"
            since = f"{newest}, the oldest on {spoken(self.oldest)}"
        made = Result(SINCE, key, Verdict.OBSERVED, since, self.older.measured)
        return [inside, older, content, effect, made, twice]

    def _newest(self, key: str, walked: Walked, missing: Collection[str], *, quiet: bool) -> Result:
        """Whether it omits exactly the latest changes, though an incremental list is there to return them."""
        if not walked.whole or not self.walk.ended or not quiet:
            why = (
                "the full list was not read to its end" if not walked.whole else "it was not read to its end"
            )
            return skipped(NEWEST, key, why if quiet else "the list changed while it was read")
        came = {row.key for page in self.walk.pages for row in page.rows}
        lacks = [ident for ident in self.full.order if ident not in came]
        latest = max((self.full.moment(ident) for ident in came), default=0.0)
        if not latest:
            return skipped(
                NEWEST, key, "no record has a date of change" if came else "the incremental list is empty"
            )
        tally = FindingCollector(NEWEST, Verdict.SUSPECT)
        tally.look(len(came))
        enough = len(came) >= _ENOUGH and len(lacks) > 1
        if enough and all(self.full.moment(ident) > latest for ident in lacks):
            for ident in lacks:
                what = f"Incremental has all that changed until {spoken(latest)}, and nothing of what changed since"
                tally.add("newest missing", "", what, self.full.example(ident, {}))
        for ident in self._between_pages(lacks) if enough and not missing else ():
            what = "Incremental leaves out records between two of its pages"
            tally.add("between pages", "", what, self.full.example(ident, {}))
        return tally.result(key)

    def _between_pages(self, lacks: Collection[str]) -> list[str]:
        """Records that changed at the border of two pages of the incremental list and are on neither.

        Empty where pages are not sorted by date, or where records are omitted elsewhere too, for some other reason.
        """
        spans = [
            (min(moments), max(moments))
            for page in self.walk.pages
            if (moments := [self.full.moment(key) for key in page.keys if key in self.full])
        ]
        if len(spans) < 2:
            return []
        if spans[0] > spans[-1]:
            spans.reverse()
        if any(one[1] > other[0] for one, other in pairwise(spans)):
            return []
        first, last = spans[0][0], spans[-1][1]
        within = [one for one in lacks if first < self.full.moment(one) < last]
        if not within or any(low < self.full.moment(one) < high for one in within for low, high in spans):
            return []
        between = sum(other[0] - one[1] for one, other in pairwise(spans)) / (last - first)
        # Pages of a few records have most of the time between them, and with it whatever else is omitted.
        return within if between ** len(within) < _CHANCE else []

    def _twice(self, key: str) -> Result:
        """What a second incremental pull returns: the contract does not say whether it begins where the first ended."""
        if not self.twice.pages:
            why = self.twice.error.sentence if self.twice.error else self.twice.stopped
            return skipped(TWICE, key, why or "it was not asked for twice")
        before = [row for page in self.walk.pages[: len(self.twice.pages)] for row in page.keys]
        now, pages = self.twice.keys, len(self.twice.pages)
        if before == now:
            return Result(TWICE, key, Verdict.HOLDS, f"the same on {count(pages, 'page')}", pages)
        gone, came = set(before) - set(now), set(now) - set(before)
        seen = f"{count(len(before), 'record')}, then {len(now):,}"
        if not gone and not came:
            seen = "the same records in another order"
        elif not now:
            seen += ": the second one starts where the first ended"
        return Result(TWICE, key, Verdict.OBSERVED, seen, pages)


def inspector(model: type[Record]) -> Inspect:
    """A function that lists what in a record breaks its model, in the way that the full list's records are judged."""

    def broken(raw: bytes, record: Mapping[str, Any]) -> Iterator[Broken]:
        for fault in faults_of(model, raw, record):
            yield Broken(fault.rule, fault.field, fault.sentence)

    return broken
