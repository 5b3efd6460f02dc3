"""Walks of a list with other parameters that break off: a later page fails, or leads back to an earlier one.

The plain walk reports its own end. Whoever relies on one with a page size, a mode or a container loses what would have
followed.
"""

from __future__ import annotations

from explorer.api.errors import AnswerError, BadAnswer, DataWithheld
from explorer.quality.engine.check import Verdict
from explorer.quality.engine.finding_collector import FindingCollector
from explorer.quality.engine.shared_pages import ROUND, Reasked, SideWalk


async def tell_broken_off(again: Reasked, walk: SideWalk, tally: FindingCollector, *, quiet: bool) -> None:
    """Adds to ``tally`` that a walk broke off behind its first page, where it does so once more. Raises Spent.

    ``quiet``: the list does not change. Where rows are put in at its head, a page brings those of the one before.
    """
    fails = isinstance(walk.error, AnswerError | BadAnswer) and not isinstance(walk.error, DataWithheld)
    if not walk.pages or not (fails or (quiet and walk.stopped == ROUND)):
        return
    number = len(walk.pages)
    now = await again.walk(walk.query, most=number + 1, turn="once more")
    if len(now.pages) != number or now.stopped != walk.stopped or (now.error is None) == fails:
        return
    params = ", ".join(walk.query)
    if walk.error is not None:
        what = f"With {params} page {number + 1} fails: {walk.error.sentence}"
        tally.add("breaks off", params, what, walk.pages[-1].example(), verdict=Verdict.SUSPECT)
    else:
        what = f"With {params} page {number} leads back to an earlier one, so that the list never ends"
        tally.add("goes round", params, what, walk.pages[-1].example(), verdict=Verdict.SUSPECT)
