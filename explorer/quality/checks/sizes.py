"""The same list requested in other ways: which records they return that the plain walk never had, and which they omit.

Small pages are followed for some pages, larger ones to the end of the list where that is cheap, and the default mode
(``sync_mode=full``) is requested by name. The ids of all pages are compared with those of the plain walk, in their
order. One of the larger sizes cuts the list into some eight pages, the last of them not full, because rows are lost at
borders and at the end. Each difference is requested again before it counts, so that a list that changes, one without an
order, and one whose order depends on the size are told from one that loses records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from explorer.api.errors import AnswerError, Unreachable
from explorer.catalog.spec import Listing
from explorer.quality.checks.broken_walks import tell_broken_off
from explorer.quality.checks.other_content import tell_other_content
from explorer.quality.checks.paging import ASKED_SIZE, ReadPage
from explorer.quality.checks.second_read import Second
from explorer.quality.engine.check import Check, Example, Result, Verdict
from explorer.quality.engine.finding_collector import FindingCollector, gone, skipped
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.shared_pages import Asked, Reasked, SideWalk, takes
from explorer.quality.engine.walk_ids import SeenIds
from explorer.words import count

_NEEDS = "a list that takes a page size"
MORE = Check(
    "completeness.more", "completeness", "Nothing follows where the list says that it ends", "id", _NEEDS
)
BORDERS = Check("completeness.borders", "completeness", "No record is lost between two pages", "id", _NEEDS)
BEYOND = Check(
    "completeness.beyond",
    "completeness",
    "A page size as large as the list gives the same records",
    "id",
    _NEEDS,
)
SIZES = Check("completeness.sizes", "completeness", "Small page sizes give the same records", "id", _NEEDS)
FULL = Check(
    "completeness.full",
    "completeness",
    "Asked for by name, the full list is the same",
    "id",
    "a list that takes sync_mode",
)
CHECKS = (MORE, BORDERS, BEYOND, SIZES, FULL)

MODE = "sync_mode"
_LADDER = (1000, 500, 250, 200, 100, 50, 25)
"""Sizes that are tried where one larger than the list is refused: the largest that is accepted counts."""
_TRIES = 4
_LARGEST, _LARGEST_PROOF = 5_000, 20_000
"""The most records that one call requests, because a page of so many is held in memory at once."""
_FEW, _SMALL, _LARGE = 3, 8, 30
"""Pages that are followed unasked: of one record each, of seven, and of the largest size that is accepted."""
_PARTS = 8
"""Into this many pages a list that fits on one page is cut; a short one into two."""
_RESERVED = 22
"""Calls that are left to later checks, besides a second walk."""
_AGAIN = 6
"""At most this many pages are requested again before a difference counts."""
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Missing:
    """A record that the plain walk never had, and its place."""

    key: str
    check: Check
    example: Example
    where: str
    """Where it belongs, in words: ``between pages 2 and 3``."""


@dataclass(slots=True)
class Sizes:
    """The walks of one list with other page sizes, and what they showed."""

    again: Reasked
    ids: SeenIds
    read: Sequence[ReadPage]
    small: SideWalk | None = None
    single: SideWalk | None = None
    large: SideWalk | None = None
    parts: SideWalk | None = None
    """With a size that cuts the list into some eight pages, or two of a short one, the last one not full."""
    full: SideWalk | None = None
    """With ``sync_mode=full``, without a page size."""
    refused: list[int] = field(default_factory=list)
    """Sizes that were refused."""
    missing: dict[str, Missing] = field(default_factory=dict)
    """By id: records that the plain walk never had. They were requested again to exclude that they are new."""
    certain: bool = False
    """Whether ``missing`` holds beyond a doubt: the list was seen not to change."""
    withheld: bool = False
    """Whether some page of the plain walk was withheld: that its rows are on smaller pages is then expected."""
    since: dict[str, None] = field(default_factory=dict)
    """Ids that other sizes returned, and whose absence from the plain walk a change explains."""

    @property
    def rows(self) -> int:
        """How many rows the plain walk has."""
        return sum(page.rows for page in self.read)

    @property
    def own(self) -> int:
        """How many rows its first page has."""
        return self.read[0].rows if self.read else 0

    @property
    def has_effect(self) -> bool:
        """Whether the page size changes what a page holds."""
        walks = [walk for walk in (self.small, self.single, self.large, self.parts) if walk is not None]
        return any(len(walk.pages[0].rows) != self.own for walk in walks if walk.pages)

    @property
    def whole(self) -> SideWalk | None:
        """A walk with another size that reached the end of the list with the same records; None without one."""
        for walk in (self.large, self.parts, self.small, self.single):
            if walk is not None and walk.ended and (self.has_effect or self.rows == 1):
                keys = walk.keys
                if set(keys) >= set(self.ids.order) and all(key in self.ids for key in keys):
                    return walk
        return None

    # ---------------------------------------------------------------- what is asked

    async def look(self, listing: Listing, *, whole: bool) -> None:
        """Requests pages of other sizes; only one page of a list that was not read to its end. Raises Spent."""
        if not self.rows:
            return
        if whole and takes(listing, MODE):
            self.full = await self.again.walk({MODE: "full"}, most=_FEW)
        if not self.again.size_param:
            return
        if not whole:
            self.small = await self._walk(ASKED_SIZE, 1) if self.rows > ASKED_SIZE else None
            return
        prove = self.again.allowed is None
        if self.rows > ASKED_SIZE:
            self.small = await self._walk(ASKED_SIZE, 10**6 if prove else _SMALL)
        await self._large(prove)
        small = self.small.pages[0] if self.small is not None and self.small.pages else None
        if 1 < self.rows <= ASKED_SIZE or (small is not None and len(small.rows) != self.own):
            self.single = await self._walk(1, self.rows if self.rows <= ASKED_SIZE else _FEW)
        if self.large is not None and self.large.ended and self.has_effect:
            await self._in_parts()
        steps = -(-self.rows // ASKED_SIZE)
        if not prove and steps > _SMALL and self.whole is None and self.has_effect:
            self.again.more[f"all pages of {ASKED_SIZE}"] = steps - _SMALL

    async def _walk(self, size: int, most: int, turn: str = "") -> SideWalk:
        return await self.again.walk({self.again.size_param: size}, most=most, turn=turn)

    async def _large(self, prove: bool) -> None:
        # Twice as many rows as were received: more than one page may have been left out.
        beyond = min(2 * self.rows + 1, _LARGEST_PROOF if prove else _LARGEST)
        sizes = [beyond, *[size for size in _LADDER if size < beyond][:_TRIES]]
        if self.own not in (0, *sizes):
            sizes.append(self.own)
        for size in sizes:
            walk = await self._walk(size, 1)
            if walk.pages:
                break
            if not walk.error or isinstance(walk.error, Unreachable):
                return
            self.refused.append(size)
        else:
            return
        rows = len(walk.pages[0].rows)
        steps = -(-self.rows // max(1, rows)) + 2
        # A page larger than the list's own proves most for the fewest calls; any other size has to fit the calls left.
        most = max(self.again.left - len(self.read) - _RESERVED, _LARGE if rows > self.own else _FEW)
        if not prove and steps > most:
            self.again.more["all pages of the largest size"] = steps
            steps = _FEW
        self.large = await self._walk(size, 10**6 if prove else steps)

    async def _in_parts(self) -> None:
        size = self.rows // _PARTS + 1
        size = size if size > ASKED_SIZE else self.rows // 2 + 1
        while self.rows % size == 0 or size == self.own:
            size += 1
        biggest = max(len(page.rows) for page in self.large.pages) if self.large is not None else 0
        if ASKED_SIZE < size < biggest:
            self.parts = await self._walk(size, self.rows // size + 2)

    async def exists(self, key: str) -> bool | None:
        """Whether a record is now on a page of another size; None where none had it. Raises Spent."""
        for walk in (self.large, self.parts, self.small, self.single):
            page = walk.at(key) if walk is not None else None
            if walk is None or page is None:
                continue
            now = await self.again.walk(walk.query, most=page.number, turn="after")
            if len(now.pages) == page.number:
                return key in now.keys
        return None

    # ---------------------------------------------------------------- what it shows

    async def judge(self, key: str, second: Second, *, takes_mode: bool = True) -> list[Result]:
        """The results of the checks, after the list was requested again. Raises Spent.

        ``takes_mode``: the list accepts the other sync_mode; that it does not is reported elsewhere.
        """
        every = (self.large, self.small, self.single, self.parts, self.full)
        walks = [walk for walk in every if walk is not None and walk.pages]
        tallies = {check: FindingCollector(check) for check in CHECKS}
        for walk in walks:
            await self._extras(walk, second)
        self._settle()
        for walk in walks:
            # Rows that are lost at page borders are lost at the borders of any size: that is reported once.
            if not any(one.check is BORDERS for one in self.missing.values()):
                await self._gaps(walk, second, tallies)
        known = set[str]()
        for walk in walks:
            tally = tallies[self._checks_of(walk)[-1]]
            await tell_other_content(self.again, self.ids, self.read, walk, tally, known)
            await tell_broken_off(self.again, walk, tally, quiet=second.is_quiet)
        self.certain = second.is_quiet
        self._tell(tallies, second)
        made = []
        refused = self.full.error if self.full is not None else None
        if isinstance(refused, AnswerError) and takes_mode:
            what = f"{MODE}=full failed: {refused.sentence}"
            tallies[FULL].add(
                "not answered", MODE, what, Example(1, None, refused.exchange), verdict=Verdict.SUSPECT
            )
        for check, tally in tallies.items():
            looked = [walk for walk in walks if check in self._checks_of(walk)]
            tally.look(sum(len(walk.keys) for walk in looked))
            made.append(self._result(tally, key, looked))
        return made

    def _checks_of(self, walk: SideWalk) -> tuple[Check, ...]:
        """The checks for which a walk is looked at: records that it omits belong to the last."""
        if walk is self.full:
            return (FULL,)
        return (MORE, BORDERS, BEYOND) if walk is self.large else (SIZES,)

    def _why_none(self, check: Check) -> str:
        if check is FULL:
            error = self.full.error if self.full is not None else None
            return (
                f"{MODE}=full failed: {error.sentence}"
                if error
                else f"this list takes no {MODE}, or has no row"
            )
        for walk in (self.small, self.large):
            if walk is not None and walk.error is not None:
                error = walk.error
                return (
                    gone(error) if isinstance(error, Unreachable) else f"{how(walk)} failed: {error.sentence}"
                )
        if self.refused:
            return f"no {self.again.size_param} is taken"
        return "this list takes no page size, or has no row"

    def _result(self, tally: FindingCollector, key: str, looked: Sequence[SideWalk]) -> Result:
        if not tally and not looked:
            return skipped(tally.check, key, self._why_none(tally.check))
        if not tally and tally.check is not FULL and not self.has_effect and self.own > 1:
            return Result(
                tally.check, key, Verdict.OBSERVED, f"{self.again.size_param} has no effect", tally.measured
            )
        said = [f"{how(walk)}: {count(len(walk.keys), 'record')}" for walk in looked]
        said = [f"{one} to its end" if walk.ended else one for one, walk in zip(said, looked, strict=True)]
        if not tally and any(not self._in_order(walk) for walk in looked):
            words = "; ".join(said)
            return Result(tally.check, key, Verdict.OBSERVED, f"in another order: {words}", tally.measured)
        return tally.result(key, holds="; ".join(said), empty="no record came")

    def _in_order(self, walk: SideWalk) -> bool:
        often = Counter(walk.keys)  # an id that names two records has no place of its own
        places = [
            place for one in walk.keys if often[one] == 1 and (place := self.ids.place(one)) is not None
        ]
        return all(one < other for one, other in pairwise(places))

    async def _extras(self, walk: SideWalk, second: Second) -> None:
        """Judges ids that a walk has and the plain walk does not."""
        extras = [key for key in self._against(walk)[0] if key not in self.missing]
        if not extras or self.withheld:
            return
        first = walk.at(extras[0])
        most = first.number if first is not None else 1
        now = await self._once_more(walk, min(most + 1, _AGAIN))
        near, wanted = self._near(walk.keys), set(extras)
        plain = await self._plain_now([near[key][0] for key in extras[:_NAMED]], second)
        for page in walk.pages:
            for row in page.rows:
                if row.key not in wanted or row.key in self.missing:
                    continue
                back = now is not None and page.number <= len(now.pages) and row.key not in now.keys
                if back or row.key in second.keys or row.key in plain:
                    self.since[row.key] = None
                else:
                    self.missing[row.key] = self._placed(walk, page, row.key, near[row.key])

    def _settle(self) -> None:
        """Where rows are missing within pages, those missing at a border belong to the same finding."""
        kinds = Counter(one.check for one in self.missing.values())
        if kinds[BEYOND] > kinds[BORDERS]:
            for key, one in self.missing.items():
                if one.check is BORDERS:
                    self.missing[key] = replace(one, check=BEYOND)

    async def _once_more(self, walk: SideWalk, most: int) -> SideWalk | None:
        now = await self.again.walk(walk.query, most=most, turn="once more")
        return now if now.pages and now.error is None else None

    async def _plain_now(self, before: Sequence[str], second: Second) -> set[str]:
        """Requests the plain pages of some ids, and the last page, by their cursors: the ids they have now."""
        if second.whole:
            return set()  # the whole list was walked again, after all others
        found, pages = set[str](), {page.number: page for page in self.read}
        numbers = {number for key in before for number in (self.ids.page_of(key), self.ids.page_of(key) + 1)}
        for number in sorted((numbers | {len(self.read)}) & set(pages))[:_AGAIN]:
            asked = await self.again.now(pages[number].cursor, number)
            if asked is None:
                break
            found.update(asked.keys)
        return found

    def _placed(self, walk: SideWalk, page: Asked, key: str, near: tuple[str, str]) -> Missing:
        """The place in the plain walk of a record that it never had; ``near`` are the ids on both sides of it."""
        before, after = near
        example = page.example(key, f"with {how(walk)}")
        if before and not after and self.ids.place(before) == len(self.ids) - 1:
            return Missing(key, MORE, example, "behind the last")
        if not before or not after:
            return Missing(key, BEYOND, example, "")
        one, other = self.ids.page_of(before), self.ids.page_of(after)
        if other == one + 1 and self.ids.place(after) == (self.ids.place(before) or 0) + 1:
            return Missing(key, BORDERS, example, f"between pages {one} and {other}")
        return Missing(key, BEYOND, example, f"on page {one}")

    def _near(self, keys: Sequence[str]) -> dict[str, tuple[str, str]]:
        """For each id the nearest before and behind it that the plain walk has too, empty where there is none."""
        before, after = list[str](), list[str]()
        for one, made in ((keys, before), (keys[::-1], after)):
            last = ""
            for key in one:
                made.append(last)
                last = key if key in self.ids else last
        return dict(zip(keys, zip(before, after[::-1], strict=True), strict=True))

    async def _gaps(self, walk: SideWalk, second: Second, tallies: dict[Check, FindingCollector]) -> None:
        """Judges records of the plain walk that a walk with another size omits, or has twice."""
        keys = walk.keys
        check = self._checks_of(walk)[-1]
        left_out = self._against(walk)[1]
        counts = Counter(keys)
        twice = [key for key, number in counts.items() if number > 1 and key not in self.ids.again]
        if not left_out and not twice:
            return
        now = await self._once_more(walk, _AGAIN)
        if now is not None:
            again_out = set(self._against(now)[1])
            left_out = [key for key in left_out if key in again_out or self._beyond(now, key)]
            repeated = Counter(now.keys)
            twice = [key for key in twice if repeated[key] > 1 or len(now.pages) < len(walk.pages)]
        left_out = [key for key in left_out if await self._is_there(key, second)]
        sure = walk.ended and second.is_quiet and now is not None
        if not second.is_quiet and len(left_out) <= _changes(second, walk):
            left_out, twice = [], []
        for key in left_out:
            what = f"{how(walk)} leaves out records that come without it"
            place = self.ids.example(key, {page.number: page.exchange for page in self.read})
            verdict = Verdict.FAILS if sure else Verdict.SUSPECT
            tallies[check].add("left out", next(iter(walk.query)), what, place, verdict=verdict)
        for key in twice:
            what = f"{how(walk)} brings records twice that come once without it"
            page = walk.at(key)
            example = page.example(key) if page is not None else Example()
            tallies[check].add("twice", next(iter(walk.query)), what, example, verdict=Verdict.SUSPECT)

    def _against(self, walk: SideWalk) -> tuple[list[str], list[str]]:
        """Ids that only ``walk`` has, and ids that it should have and does not.

        Between two records that both walks have, one must have more rows than the other: the same number of rows with
        other ids are the same records under other names, which does not concern completeness.
        """
        rows = [row.key for page in walk.pages for row in page.rows]
        extras = [key for key in rows if key and key not in self.ids]
        there = set(rows)
        if not self._in_order(walk):
            # In another order only a walk that reached its end omits anything.
            more, fewer = len(rows) > self.rows or not walk.ended, walk.ended and len(rows) < self.rows
            return (extras if more else []), [
                key for key in self.ids.order if key not in there
            ] if fewer else []
        common = [(at, key) for at, key in enumerate(rows) if key in self.ids]
        ends = [(at, self.ids.row_of(key), self.ids.place(key) or 0) for at, key in common]
        last = (len(rows), self.rows + 1, len(self.ids))
        borders = [(-1, 0, -1), *ends, last]
        only, out = list[str](), list[str]()
        for (at, row, place), (at_, row_, place_) in pairwise(borders):
            here, plain = at_ - at - 1, row_ - row - 1
            if here > plain:
                only += [key for key in rows[at + 1 : at_] if key]
            elif here < plain and (walk.ended or at_ < len(rows)):
                out += [key for key in self.ids.order[place + 1 : place_] if key not in there]
        return only, out

    def _beyond(self, now: SideWalk, key: str) -> bool:
        """Whether a repeated walk stopped before the place of an id."""
        places = [place for one in now.keys if (place := self.ids.place(one)) is not None]
        return not now.ended and (self.ids.place(key) or 0) > max(places, default=-1)

    async def _is_there(self, key: str, second: Second) -> bool:
        """Whether a record of the plain walk still exists."""
        if second.whole:
            return key in second.keys
        page = next((one for one in self.read if one.number == self.ids.page_of(key)), None)
        if page is None:
            return True
        asked = await self.again.now(page.cursor, page.number)
        return asked is None or asked.error is not None or key in asked.keys

    def _tell(self, tallies: dict[Check, FindingCollector], second: Second) -> None:
        """Adds the records that the plain walk never had as findings."""
        if not self.certain and len(self.missing) <= _changes(
            second, *filter(None, (self.large, self.parts, self.small))
        ):
            self.since.update(dict.fromkeys(self.missing))
            self.missing.clear()
        verdict = Verdict.FAILS if self.certain else Verdict.SUSPECT
        for one in self.missing.values():
            size = one.example.value.removeprefix("with ")
            what = f"{size} brings records that never come without it"
            if one.check is MORE:
                what = f"The list ends after {count(self.rows, 'record')}, and {size} brings more"
            value = f"belongs {one.where}" if one.where else one.example.value
            tallies[one.check].add(
                "never came", "id", what, replace(one.example, value=value), verdict=verdict
            )


def _changes(second: Second, *walks: SideWalk) -> int:
    """How many records a changing list may gain or lose while so many pages are read, generously."""
    pages = sum(len(walk.pages) for walk in walks) + len(second.read)
    seen = len(second.inserted) + len(second.deleted) + len(second.moved)
    return 2 * (pages + seen) + 10


def how(walk: SideWalk) -> str:
    """The parameter by which a walk differs from the plain one: ``page_size=7``."""
    return ", ".join(f"{name}={value}" for name, value in walk.query.items())


def named(ids: Iterable[str]) -> str:
    """The first few ids in words: ``a, b, c and 12 more``."""
    every = [one.removeprefix(NUMBER)[:60] for one in ids]
    more = f" and {count(len(every) - _NAMED)} more" if len(every) > _NAMED else ""
    return ", ".join(every[:_NAMED]) + more
