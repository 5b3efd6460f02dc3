"""Records whose content differs when their list is requested with other parameters.

A parameter chooses records, or how many are on a page; it should not change what a record says. Because values may
differ at each call, and records may be edited meanwhile, both ways are requested again before a difference counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from explorer.quality.checks.paging import ReadPage
from explorer.quality.engine.check import Verdict
from explorer.quality.engine.finding_collector import FindingCollector
from explorer.quality.engine.shared_pages import Placed, Reasked, SideWalk
from explorer.quality.engine.walk_ids import SeenIds

_AGAIN = 3
"""At most this many pages are requested again, for either way."""


async def tell_other_content(
    again: Reasked,
    ids: SeenIds,
    read: Sequence[ReadPage],
    walk: SideWalk,
    tally: FindingCollector,
    known: set[str],
    placed: Placed | None = None,
) -> None:
    """Adds to ``tally`` the fields in which records of ``walk`` differ from the plain walk, each once for a list.

    ``read`` are the pages of the plain walk, ``known`` the fields that were reported before. Raises Spent.
    """
    others = [
        (page, row)
        for page in walk.pages
        for row in page.rows
        if row.key not in ids.again and row.key not in ids.spoiled and not known.issuperset(row.changed)
    ]
    if not others:
        return
    most = min(others[0][0].number, _AGAIN)
    now = await again.walk(walk.query, most=most, turn="once more", placed=placed)
    still = {row.key: set(row.changed) for page in now.pages for row in page.rows}
    how = " and ".join(f"{name}={value}" for name, value in walk.query.items())
    same = await _unchanged(
        again, ids, read, [row.key for _, row in others if row.key in still], f"late {how}"
    )
    sure = {
        name for _, row in others if row.key in same for name in still.get(row.key, set()) & {*row.changed}
    }
    for page, row in others:
        for name in row.changed:
            if name in sure and name not in known:
                what = f"{name} is another when the list is asked for with {', '.join(walk.query)}"
                example = page.example(row.key, f"with {how}")
                tally.add("other content", name, what, example, verdict=Verdict.SUSPECT)
    known |= sure


async def _unchanged(
    again: Reasked, ids: SeenIds, read: Sequence[ReadPage], keys: Sequence[str], turn: str
) -> set[str]:
    """Requests the plain pages of some ids again by their cursors: the records that say the same as at first.

    ``turn`` is one of its own for each walk, as pages of an earlier turn may be of before a change.
    """
    pages, found = {page.number: page for page in read}, set[str]()
    for number in list(dict.fromkeys(ids.page_of(key) for key in keys))[:_AGAIN]:
        page = pages.get(number)
        asked = await again.now(page.cursor, number, turn) if page is not None else None
        found |= {row.key for row in asked.rows if not row.changed} if asked is not None else set()
    return found
