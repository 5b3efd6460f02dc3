"""Sync mode: what an incremental list gives, held against the full one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from explorer.api.errors import ExplorerError, Unreachable
from explorer.api.pages import Page, PageWalk
from explorer.catalog.fields import fields_of
from explorer.quality.checks.again import LOST, briefly
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.probe import is_lacking
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.seen import SeenIds
from explorer.quality.engine.service import Send
from explorer.quality.engine.walk import Budget
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
INCREMENTAL = (ANSWERS, INSIDE, OLDER, EFFECT, SINCE)
CHECKS = (*INCREMENTAL, LOST)


@dataclass(slots=True)
class _Held:
    """The incremental list against the ids of the full one."""

    full: SeenIds
    inside: FindingCollector = field(default_factory=lambda: FindingCollector(INSIDE, Verdict.SUSPECT))
    older: FindingCollector = field(default_factory=lambda: FindingCollector(OLDER, Verdict.SUSPECT))
    count: int = 0
    oldest: float = 0.0

    def page(self, page: Page) -> None:
        """One more page."""
        for raw in page.records:
            self.count += 1
            ident, moment = briefly(raw)
            if not ident:
                continue
            self.inside.look()
            place = Example(page.number, self.count, page.exchange, ident.removeprefix(NUMBER)[:100])
            if ident in self.full.later:
                continue  # the full list has it, and does not keep its order: that is a matter of paging
            if ident not in self.full:
                what = "Incremental returned ids that full never returned"
                self.inside.add("unknown", "id", what, place)
            elif moment and ident not in self.full.again and (before := self.full.moment(ident)):
                self.older.look()
                self.oldest = min(moment, self.oldest or moment)
                if moment < before:
                    what = "Incremental returns records in an older state than full"
                    self.older.add("older", "updated_at", what, place)


async def compared(send: Send, walked: Walked, full: SeenIds, budget: Budget) -> list[Result]:
    """Walks the list with ``sync_mode=incremental`` and looks every id up among those of the full walk."""
    key, listing = walked.key, walked.listing
    if "sync_mode" not in {one.name for one in fields_of(listing.query)}:
        return [skipped(check, key, "this list takes no sync_mode") for check in INCREMENTAL]
    query: dict[str, Any] = {"sync_mode": "incremental"}
    walk, held = PageWalk(send, listing, query), _Held(full)
    answers, failed = FindingCollector(ANSWERS), ""
    while walk.state == "ready" and not (failed := budget.spent):
        try:
            page = await walk.advance()
        except ExplorerError as error:
            failed = error.sentence
            if not is_lacking(error) and not isinstance(error, Unreachable):
                where = Example(walk.number + 1, None, error.exchange)
                answers.add("not answered", "sync_mode", f"Page {walk.number + 1}: {failed}", where)
            break
        answers.look()
        budget.used_records += len(page.records)
        held.page(page)
    if failed and failed == budget.spent:
        budget.cut[failed] = None
    first = answers.result(key, empty=f"the incremental pull ended early: {failed}")
    if failed:
        why = f"the incremental pull ended early: {failed}"
        return [first, *(skipped(check, key, why) for check in INCREMENTAL[1:])]
    return [first, *_results(key, walked, held)]


def _results(key: str, walked: Walked, held: _Held) -> list[Result]:
    same = held.count == walked.rows
    seen = f"{count(held.count, 'record')} against {walked.rows:,}" + (": it has no effect" if same else "")
    effect = Result(EFFECT, key, Verdict.OBSERVED, seen, held.count)
    if not walked.whole:
        why = "the full list was not read to its end"
        return [skipped(INSIDE, key, why), skipped(OLDER, key, why), effect, skipped(SINCE, key, why)]
    if held.inside and held.full.unread:
        why = f"the ids of {count(held.full.unread, 'record')} of the full list could not be read"
        return [
            skipped(INSIDE, key, why),
            held.older.result(key, empty="no record has a date of change"),
            effect,
            skipped(SINCE, key, why),
        ]
    inside = held.inside.result(key, empty="the incremental list is empty")
    older = held.older.result(key, empty="no record has a date of change")
    if not held.oldest:
        return [inside, older, effect, skipped(SINCE, key, "no record has a date of change")]
    since = f"the oldest record that it returns changed on {spoken(held.oldest)}"
    return [inside, older, effect, Result(SINCE, key, Verdict.OBSERVED, since, held.older.measured)]
