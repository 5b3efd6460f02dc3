"""Lists within a list: every record of a narrower list must be in the whole list as well.

A parameter narrows a list where it takes an id of another list of its vertical (``drive_id``), of one of its own kinds
of record (``folder_id``, where a field of the record has ``folder`` as a value), or of what no list has
(``drive_group_id``): its ids are then those of the path of raw data that is called so. All follow from what the
resource declares.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

from explorer.catalog.fields import fields_of
from explorer.catalog.registry import Registry
from explorer.catalog.spec import Listing, Resource
from explorer.quality.checks.broken_walks import tell_broken_off
from explorer.quality.checks.containers import Containers, dotted_of
from explorer.quality.checks.other_content import tell_other_content
from explorer.quality.checks.paging import ReadPage, order_of
from explorer.quality.checks.reference_fields import lists_beside
from explorer.quality.checks.second_read import Second
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, skipped
from explorer.quality.engine.record_check import Walked
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.shared_pages import Asked, NoMoreCalls, Reasked, SideWalk
from explorer.quality.engine.walk_ids import SeenIds

WITHIN = Check(
    "completeness.within",
    "completeness",
    "Lists within the list agree with it",
    "id",
    "a list that can be narrowed",
)
_SUFFIX = "_id"
_PAGES = 2
"""Pages of a narrower list that are read unasked."""
_LOOKED = 3
"""Pages of the whole list that are searched for records a narrower list lacks."""
_THIN = 6
"""Containers that are requested unasked because the whole list has fewest of their records."""
_NOWHERE = "none"
_MANY = 3
"""From this many records on, it is no coincidence that some are said to be in no container."""
_NOBODY = "quality-run-nobody"
"""An id that no container has."""


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A parameter that narrows a list."""

    param: str
    other: str = ""
    """The key of the list whose ids it takes."""
    kind: tuple[str, str] = ("", "")
    """The field and the value by which a record of the list itself is one whose id it takes."""
    word: str = ""
    """Where no list has such records: what the path of raw data is called that names them (``group``)."""


def narrowings(resource: Resource, registry: Registry) -> list[Narrowing]:
    """The parameters of a list that take ids of another list of its vertical, or of some of its own records."""
    listing = resource.listing
    if listing is None:
        return []
    lists = lists_beside(resource.key, registry)
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
        elif word not in lists:
            made.append(Narrowing(one.name, word=word.rpartition("_")[2]))
    return made


@dataclass(frozen=True, slots=True)
class _List:
    """One narrower list."""

    param: str
    ident: str
    query: Mapping[str, Any]
    link: str
    """The raw path by which records say which container they are in; empty where none is known."""
    known: frozenset[str]
    """All ids that the parameter may have."""
    apart: bool = False
    """Whether nothing but the lists themselves tells which records are in which container."""


@dataclass(slots=True)
class Within:
    """Compares the narrower lists of one list with the whole one."""

    again: Reasked
    ids: SeenIds
    second: Second
    watched: Containers
    size: int | None = None
    """A page size that is small and has an effect, for further pages of lists that have one alone."""
    first: ReadPage | None = None
    """The first page of the plain walk that has rows."""
    missing: dict[str, str] = field(default_factory=dict)
    """Ids that only a narrower list has, each with the parameters that returned it."""
    certain: bool = False
    _walks: dict[tuple[str, str], list[SideWalk]] = field(default_factory=dict)
    """The lists of containers by parameter and id, where nothing but they tell what is in which."""
    _told: dict[str, set[str]] = field(default_factory=dict)
    """By parameter: the fields that were found to differ with it."""

    async def look(self, walked: Walked, found: Mapping[Narrowing, Sequence[str]]) -> Result:
        """Requests narrower lists; ``found`` are the ids that may narrow it, by parameter. Raises Spent."""
        key = walked.key
        if not found:
            return skipped(WITHIN, key, "this list takes no parameter that narrows it")
        if not walked.whole:
            return skipped(WITHIN, key, walked.cut_short or "the list was not read to its end")
        if not any(found.values()):
            return skipped(WITHIN, key, f"nothing to narrow it with: no id for {_params(found)}")
        tally, asked = FindingCollector(WITHIN), dict[str, str]()
        turns = [
            self._chosen_lists(narrowing, ids)
            for narrowing, ids in found.items()
            if ids and not await self._is_ignored(narrowing, ids, tally)
        ]
        # Alternating, so that the lists by one parameter do not use all the calls.
        for turn in zip_longest(*turns):
            for one in filter(None, turn):
                why = await self._hold_list(one, tally)
                asked[one.param] = "" if not why else asked.get(one.param, why)
        had = [param for param, why in asked.items() if not why]
        lacking = [f"by {param} there is none: {why}" for param, why in asked.items() if why]
        return tally.result(
            key,
            holds="; ".join((f"lists by {', '.join(had)}: all records are in the whole one", *lacking)),
            empty="; ".join(lacking) or "no record came",
        )

    async def _is_ignored(self, narrowing: Narrowing, ids: Sequence[str], tally: FindingCollector) -> bool:
        """Whether an id that does not exist returns the same as no parameter, where several ids narrow the list."""
        if len(ids) < 2 or self.first is None:
            return False
        param = narrowing.param
        # Pages without rows may come first; a list that has nothing ends with the first of them.
        walk = await self.again.walk({param: _NOBODY}, most=self.first.number)
        page = next((one for one in walk.pages if one.rows), None)
        if page is None or order_of(page.keys) != self.first.order:
            return False
        tally.look(len(page.rows))
        what = f"{param} has no effect: an id that nobody has brings the same records as none"
        # Not every third party has lists by a drive that none of its files is said to be in; of a folder, or of what no
        # list has, only the records' own words show that there are such lists.
        may_narrow = not self.watched.names_none(ids) if narrowing.other else bool(self.watched.link(ids))
        verdict = Verdict.SUSPECT if may_narrow else Verdict.OBSERVED
        tally.add("no effect", param, what, page.example(page.keys[0]), verdict=verdict)
        return True

    def _chosen_lists(self, narrowing: Narrowing, ids: Sequence[str]) -> list[_List]:
        """The lists by one parameter that are requested, in this order."""
        link, param = self.watched.link(ids), narrowing.param
        chosen = list(ids) if self._proves else self._chosen(link, ids)
        if len(ids) > len(chosen):
            self.again.more[f"all lists by {param}"] = len(ids) - len(chosen)
        known, apart = frozenset(ids), bool(narrowing.other) and not link and len(ids) > 1
        made = [_List(param, ident, {param: ident}, link, known, apart) for ident in chosen]
        if self.size and (link or apart):
            # The last one: where a parameter is forgotten, its further pages are those of the first.
            most = max(ids, key=lambda one: self.watched.count(link, one)) if link else ids[-1]
            # Early, because a record that is lost at a page border is in none of the others.
            query = {param: most, self.again.size_param: self.size}
            made.insert(1, _List(param, most, query, link, known, apart))
        return made

    @property
    def _proves(self) -> bool:
        return self.again.allowed is None

    async def _hold_list(self, one: _List, tally: FindingCollector) -> str:
        """Requests one narrower list and compares it with the whole; returns the reason where that was not possible."""
        most = 10**6 if self._proves else _PAGES
        walk = await self.again.walk(one.query, most=most, placed=self.watched.placed(one.link))
        if not walk.pages:
            return walk.error.sentence if walk.error else walk.stopped
        tally.look(len(walk.keys))
        await tell_broken_off(self.again, walk, tally, quiet=self.second.is_quiet)
        await self._hold(walk, one.param, one.ident, one.link, tally)
        await self._strangers(walk, one.param, one.ident, one.known, one.link, tally)
        await self._other_pages(walk, one, tally)
        await self._left_out(walk, one, tally)
        if self.again.size_param not in one.query:  # what a page size changes is reported for the whole list
            placed, told = self.watched.placed(one.link), self._told.setdefault(one.param, set())
            await tell_other_content(self.again, self.ids, self.second.read, walk, tally, told, placed)
        return ""

    async def _other_pages(self, walk: SideWalk, one: _List, tally: FindingCollector) -> None:
        """Judges pages of which most records are not in the same list on one page, also when asked again."""
        if not one.apart:
            return
        walks = self._walks.setdefault((one.param, one.ident), [])
        pairs = [pair for other in walks for pair in ((walk, other), (other, walk)) if pair[1].ended]
        walks.append(walk)
        for some, whole in pairs:
            its = set(whole.keys)
            for page in some.pages:
                strange = [key for key in page.keys if key not in its]
                if 2 * len(strange) > len(page.keys):
                    await self._say_strange(some, page, strange, one, tally)
                    return

    async def _say_strange(
        self, walk: SideWalk, page: Asked, strange: Sequence[str], one: _List, tally: FindingCollector
    ) -> None:
        now = await self.again.walk(walk.query, most=len(walk.pages), turn="once more")
        there = set(now.keys)
        for key in (key for key in strange if key in there):
            what = f"A list by {one.param} brings records on page {page.number} that it lacks on one page"
            example = page.example(key, f"with {one.param}={one.ident}")
            tally.add("other pages", one.param, what, example, verdict=Verdict.SUSPECT)

    async def _left_out(self, walk: SideWalk, one: _List, tally: FindingCollector) -> None:
        """Judges records that say they are in a container and that its list omits, also when it is requested again.

        They are searched for on the page of the plain walk that has the first of them.
        """
        came, ident = {row.key for page in walk.pages for row in page.rows}, one.ident
        inside = sum(row.place == ident for page in walk.pages for row in page.rows)
        if not one.link or not walk.ended or self.ids.again or inside >= self.watched.count(one.link, ident):
            return
        placed, first = self.watched.placed(one.link), self.watched.page_of(one.link, ident)
        lacking: list[tuple[Asked, str]] = []
        try:
            for page in [page for page in self.second.read if page.number >= first][:_LOOKED]:
                asked = await self.again.page({}, page.cursor, page.number, "placed", placed=placed)
                rows = [row for row in asked.rows if row.place == ident and row.key not in came]
                lacking += [(asked, row.key) for row in rows]
        except NoMoreCalls:
            return
        now = await self.again.walk(walk.query, most=len(walk.pages), turn="left out") if lacking else walk
        there = set(now.keys) if now.ended else came.union(key for _, key in lacking)
        for asked, key in lacking:
            if key not in there:
                what = f"A list by {one.param} lacks records that are in it: by {dotted_of(one.link)}"
                example = asked.example(key, f"with {one.param}={ident}")
                tally.add("left out", one.param, what, example, verdict=Verdict.SUSPECT)

    def _chosen(self, link: str, ids: Sequence[str]) -> list[str]:
        """The first, the last, a middle one; the one with most records, for its further pages; those with fewest."""
        spread = [ids[place] for place in (0, len(ids) - 1, len(ids) // 2)]
        if not link:
            return list(dict.fromkeys(spread))
        thin = sorted(ids, key=lambda one: self.watched.count(link, one))
        return list(dict.fromkeys([*thin[:_THIN], thin[-1], *spread]))

    async def _hold(self, walk: SideWalk, param: str, ident: str, link: str, tally: FindingCollector) -> None:
        extras = [one for one in walk.keys if one not in self.ids and one not in self.second.keys]
        if extras := list(dict.fromkeys(extras)):
            now = await self.again.walk(walk.query, most=len(walk.pages), turn="once more")
            if now.pages and now.error is None:
                there = set(now.keys)
                extras = [one for one in extras if one in there]
        last = self.second.read[-1]
        for cursor, number in {(None, 1), (last.cursor, last.number)} if extras else ():
            # Containers added since the second pull stand at the beginning or at the end.
            asked = await self.again.now(cursor, number, "late")
            late = set(asked.keys) if asked is not None else set()
            extras = [one for one in extras if one not in late]
        quiet = self.second.is_quiet
        if not extras or (not quiet and len(extras) <= 10 + 2 * len(self.second.read)):
            return
        # Where the whole list has nothing of any of them it may be defined otherwise, as the files of one's own drive.
        # A list that holds records of several containers holds them all.
        shared = any(one in self.ids for one in walk.keys) or self.watched.spans(link)
        verdict = Verdict.FAILS if quiet and shared else Verdict.SUSPECT
        self.certain = self.certain or verdict is Verdict.FAILS
        for one in extras:
            page = walk.at(one)
            example = page.example(one, f"with {param}={ident}") if page is not None else Example()
            what = f"A list by {param} brings records that the whole list lacks"
            if shared:
                self.missing[one] = f"{param}={ident}"
            else:
                what = f"A list by {param} brings records of which the whole list has none"
            tally.add("not in the whole", param, what, example, verdict=verdict)

    async def _strangers(
        self,
        walk: SideWalk,
        param: str,
        ident: str,
        known: Collection[str],
        link: str,
        tally: FindingCollector,
    ) -> None:
        """Judges records that say they are in another container, also when requested once more."""
        found = self._of_others(walk, ident, known, link)
        if not found:
            return
        now = await self.again.walk(
            walk.query, most=len(walk.pages), turn="once more", placed=self.watched.placed(link)
        )
        still = {key for _, key, _ in self._of_others(now, ident, known, link)}
        found = [one for one in found if one[1] in still]
        first = min((page.number for page, *_ in found), default=1)
        since = f", from page {first} on" if first > 1 else ""
        for page, key, place in found:
            what = f"A list by {param} brings records of another{since}: by {dotted_of(link)}"
            example = page.example(key, f"with {param}={ident}, in {place}")
            tally.add("of another", param, what, example, verdict=Verdict.SUSPECT)

    def _of_others(
        self, walk: SideWalk, ident: str, known: Collection[str], link: str
    ) -> list[tuple[Asked, str, str]]:
        rows = [(page, row) for page in walk.pages for row in page.rows]
        nowhere = [(page, row.key, _NOWHERE) for page, row in rows if not row.place and row.key != ident]
        if len(nowhere) < _MANY or not any(row.place == ident for _, row in rows):
            nowhere = []  # what lies in none may be shown everywhere
        return nowhere + [
            (page, row.key, row.place)
            for page, row in rows
            if row.place in known and not self.watched.is_inside(link, row.place, ident)
        ]


def _params(found: Mapping[Narrowing, Sequence[str]]) -> str:
    return ", ".join(one.param for one in found)


async def ids_of(listing: Listing, again: Reasked) -> list[str]:
    """The ids on the first page of another list. Raises Spent."""
    try:
        asked = await again.page({}, turn=listing.key, listing=listing)
    except NoMoreCalls:
        return []
    return [key for key in asked.keys if not key.startswith(NUMBER)]
