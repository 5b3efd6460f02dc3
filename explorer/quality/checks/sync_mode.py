"""Sync mode: what an incremental list gives, held against the full one."""

from __future__ import annotations

from typing import Any

from explorer.api.errors import ExplorerError
from explorer.api.pages import PageWalk
from explorer.catalog.fields import fields_of
from explorer.catalog.spec import Resource
from explorer.quality.check import Check, Result, Verdict, counted
from explorer.quality.checks.references import Ids, short
from explorer.quality.row import read_row
from explorer.quality.service import Send
from explorer.quality.tally import Tally, skipped
from explorer.quality.walk import Budget
from explorer.quality.watch import Walked

INSIDE = Check(
    "sync.inside",
    "sync mode",
    "Incremental lies inside full",
    "id",
    "a list that takes sync_mode, read whole",
)
EFFECT = Check("sync.effect", "sync mode", "What sync_mode does", "record", "a list that takes sync_mode")
CHECKS = (INSIDE, EFFECT)


async def compared(send: Send, resource: Resource, walked: Walked, full: Ids, budget: Budget) -> list[Result]:
    """Walks the list with ``sync_mode=incremental`` and looks every id up among those of the full walk."""
    key, listing = walked.key, walked.listing
    if "sync_mode" not in {field.name for field in fields_of(listing.query)}:
        return [skipped(check, key, "this list takes no sync_mode") for check in CHECKS]
    query: dict[str, Any] = {"sync_mode": "incremental"}
    walk = PageWalk(send, listing, query)
    tally = Tally(INSIDE, Verdict.SUSPECT)
    count, failed = 0, ""
    while walk.state == "ready" and not (failed := budget.spent):
        try:
            page = await walk.advance()
        except ExplorerError as error:
            failed = error.sentence
            break
        budget.used_calls += 1
        for raw in page.records:
            count += 1
            row = read_row(raw, count, page.number, page.exchange)
            if not row.id or row.unreadable:
                continue
            tally.look()
            if short(row.id) not in full.there:
                what = "Ids came with incremental that full never returned"
                tally.add("unknown", "id", what, row.example(row.id))
    if failed:
        return [skipped(check, key, f"the incremental walk ended early: {failed}") for check in CHECKS]
    same = count == walked.rows
    seen = f"{counted(count, 'record')} against {walked.rows:,}" + (": it has no effect" if same else "")
    effect = Result(EFFECT, key, Verdict.OBSERVED, seen, count)
    if not full.complete:
        return [skipped(INSIDE, key, "the full list was not seen whole"), effect]
    return [tally.result(key, empty="the incremental list is empty"), effect]
