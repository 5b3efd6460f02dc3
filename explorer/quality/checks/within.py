"""Lists within a list: what a narrower list has, the whole one has as well.

A parameter narrows a list where it names a record of another list of its vertical (``drive_id``), or one of
its own kinds of record (``folder_id``, where a field of the record is known to say ``folder``): both follow
from what the resource declares.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from explorer.catalog.fields import fields_of
from explorer.catalog.registry import Registry
from explorer.catalog.spec import Listing, Resource
from explorer.quality.checks.again import Second
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.reasked import NoMoreCalls, Reasked, SideWalk
from explorer.quality.engine.record_check import SeenPage, Walked
from explorer.quality.engine.row import NUMBER, Row
from explorer.quality.engine.seen import SeenIds

WITHIN = Check(
    "completeness.within",
    "completeness",
    "Lists within the list have no record that it lacks",
    "id",
    "a list that can be narrowed",
)
_SUFFIX = "_id"
_CONTAINERS, _PAGES = 3, 2
"""Narrower lists that are asked for unasked, and pages of each."""
_MOST = 200
"""Containers of one's own that are remembered: the first, and one at each doubling behind them."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A parameter that narrows a list."""

    param: str
    other: str = ""
    """The key of the list whose records it names."""
    kind: tuple[str, str] = ("", "")
    """The field and the value by which a record of the list itself can be named."""


def narrowings(resource: Resource, registry: Registry) -> list[Narrowing]:
    """The parameters of a list that name records of another list of its vertical, or some of its own."""
    listing = resource.listing
    if listing is None:
        return []
    vertical = resource.key.partition("/")[0]
    lists = {r.key.rpartition("/")[2]: r.key for r in registry.listings() if r.key.startswith(f"{vertical}/")}
    kinds = {
        choice: (one.name, choice)
        for one in fields_of(listing.record)
        for choice in (*one.choices, *(one.observed.choices if one.observed else ()))
    }
    made = []
    for one in fields_of(listing.query):
        word = one.name.removesuffix(_SUFFIX)
        if word == one.name or one.name == listing.cursor_param:
            continue
        if word in lists and lists[word] != resource.key:
            made.append(Narrowing(one.name, other=lists[word]))
        elif word in kinds:
            made.append(Narrowing(one.name, kind=kinds[word]))
    return made


@dataclass(slots=True)
class Containers:
    """Watches a list for records of its own that can narrow it."""

    kinds: Sequence[tuple[str, str]]
    found: dict[tuple[str, str], list[str]] = field(default_factory=dict)
    checks: tuple[Check, ...] = ()

    def page(self, seen: SeenPage) -> None:
        """Pages are no matter of the records."""

    def row(self, row: Row) -> None:
        """Remembers a record that is a container."""
        record = row.record
        if record is None or not row.id or row.spoiled:
            return
        for kind in self.kinds:
            if record.get(kind[0]) == kind[1]:
                known = self.found.setdefault(kind, [])
                if len(known) < _MOST:
                    known.append(row.id)

    def end(self, walked: Walked) -> list[Result]:
        """Nothing is said of them here."""
        return []


@dataclass(slots=True)
class Within:
    """The narrower lists of one list against the whole one."""

    again: Reasked
    ids: SeenIds
    second: Second
    missing: dict[str, str] = field(default_factory=dict)
    """Ids that only a narrower list has, each with how it was asked."""
    certain: bool = False

    async def look(self, walked: Walked, found: Mapping[Narrowing, Sequence[str]]) -> Result:
        """Ask for narrower lists; ``found`` are the ids that may narrow it, by parameter. Raises Spent."""
        key = walked.key
        if not found:
            return skipped(WITHIN, key, "this list takes no parameter that narrows it")
        if not walked.whole:
            return skipped(WITHIN, key, walked.cut_short or "the list was not read to its end")
        tally, said = FindingCollector(WITHIN), list[str]()
        prove = self.again.allowed is None
        for narrowing, ids in found.items():
            chosen = list(ids) if prove else list(_spread(ids))
            if len(ids) > len(chosen):
                self.again.more[f"all lists by {narrowing.param}"] = len(ids) - len(chosen)
            for ident in chosen:
                query = {narrowing.param: ident}
                walk = await self.again.walk(query, most=10**6 if prove else _PAGES)
                if not walk.pages:
                    said.append(
                        f"{narrowing.param} failed: {walk.error.sentence}" if walk.error else walk.stopped
                    )
                    continue
                tally.look(len(walk.keys))
                await self._hold(walk, narrowing.param, ident, tally)
        if not any(found.values()):
            return skipped(WITHIN, key, f"nothing to narrow it with: no id for {_params(found)}")
        names = _params(found)
        return tally.result(
            key,
            holds=f"lists by {names}: all records are in the whole one",
            empty="; ".join(said[:1]) or "no record came",
        )

    async def _hold(self, walk: SideWalk, param: str, ident: str, tally: FindingCollector) -> None:
        extras = [one for one in walk.keys if one not in self.ids and one not in self.second.keys]
        if extras := list(dict.fromkeys(extras)):
            now = await self.again.walk(walk.query, most=len(walk.pages), turn="once more")
            if now.pages and now.error is None:
                there = set(now.keys)
                extras = [one for one in extras if one in there]
        last = self.second.read[-1]
        for cursor, number in {(None, 1), (last.cursor, last.number)} if extras else ():
            # What came since the second pull stands at the head, or at the end.
            with contextlib.suppress(NoMoreCalls):
                late = set((await self.again.page({}, cursor, number, "late")).keys)
                extras = [one for one in extras if one not in late]
        quiet = self.second.is_quiet
        if not extras or (not quiet and len(extras) <= 10 + 2 * len(self.second.read)):
            return
        shared = any(one in self.ids for one in walk.keys)
        # Where nothing of it is in the whole list, that may mean other things: the files of one's own drive, say.
        verdict = Verdict.FAILS if quiet and shared else Verdict.SUSPECT
        self.certain = self.certain or verdict is Verdict.FAILS
        for one in extras:
            self.missing[one] = f"{param}={ident}"
            page = walk.at(one)
            example = page.example(one, f"with {param}={ident}") if page is not None else Example()
            what = f"A list by {param} brings records that the whole list lacks"
            if not shared:
                what = f"A list by {param} brings records of which the whole list has none"
            tally.add("not in the whole", param, what, example, verdict=verdict)


def _params(found: Mapping[Narrowing, Sequence[str]]) -> str:
    return ", ".join(one.param for one in found)


def _spread(ids: Sequence[str]) -> Iterator[str]:
    """The first, the last, and one in the middle."""
    places = dict.fromkeys((0, len(ids) - 1, len(ids) // 2))
    return (ids[place] for place in [one for one in places if 0 <= one < len(ids)][:_CONTAINERS])


async def ids_of(listing: Listing, again: Reasked) -> list[str]:
    """The ids on the first page of another list. Raises Spent."""
    try:
        asked = await again.page({}, turn=listing.key, listing=listing)
    except NoMoreCalls:
        return []
    return [key for key in asked.keys if not key.startswith(NUMBER)]
