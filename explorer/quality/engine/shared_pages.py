"""Pages of one list that are requested besides its plain walk: each once, shared between the checks of that list.

Of each page only what identifies its records is kept (id, hash of the bytes, date of change). A list may cost half as
many calls as its plain walk has pages, and `FIXED` more, unless completeness is to be proved; that bounds memory too.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from explorer.api.errors import ExplorerError, NetworkError
from explorer.api.page import Page
from explorer.api.paging import page_alone
from explorer.catalog.fault import RequestFault
from explorer.catalog.fields import fields_of
from explorer.catalog.request import list_request
from explorer.catalog.spec import Listing
from explorer.quality.engine.check import Example
from explorer.quality.engine.row import NUMBER, read_row
from explorer.quality.engine.service import Send
from explorer.quality.engine.walk import Budget, Spent
from explorer.quality.engine.walk_ids import SeenIds, moment_of

FIXED = 57
"""Calls that a list may cost beyond one and a half times its plain walk: 60 with its three invalid requests."""
_FAULTS = 5
ROUND = "it goes round"
"""Why a walk stopped whose page leads to an earlier one."""


class NoMoreCalls(Exception):
    """A list has used all the calls it may cost without being asked to prove more."""


class _Brief(msgspec.Struct):
    """The members of a record that are read when it is received again."""

    id: Any = None
    updated_at: Any = None
    modified_at: Any = None
    last_modified_at: Any = None


_BRIEF = msgspec.json.Decoder(_Brief)


def briefly(raw: bytes) -> tuple[str, float]:
    """The key of a record's id, empty when it has none, and when it changed last (0 when it does not say so)."""
    try:
        one = _BRIEF.decode(raw)
        if not isinstance(one.id, str):
            raise ValueError
        dates = {
            "updated_at": one.updated_at,
            "modified_at": one.modified_at,
            "last_modified_at": one.last_modified_at,
        }
        return one.id, moment_of(dates)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        row = read_row(raw, 0, None, 0)
        return row.key, moment_of(row.record or {})


class Broken(NamedTuple):
    """A fault in one value of a record."""

    rule: str
    field: str
    sentence: str


Placed = Callable[[Mapping[str, Any]], str]
"""Reads from a record the id of the container it says it is in; empty where it says none."""
Inspect = Callable[[bytes, Mapping[str, Any]], Iterable[Broken]]
"""Lists what breaks the contract in a record, given its bytes and the parsed value."""


class BriefRow(NamedTuple):
    """A record that was received again."""

    key: str
    """The key of its id; empty when it has none."""
    whole: int
    """A hash of its bytes."""
    moment: float
    """When it changed last, in seconds since 1970; 0 when it does not say so."""
    still: int | None = None
    """`SeenIds.still_of` the record, where its bytes differ from those of the plain walk."""
    changed: tuple[str, ...] = ()
    """Fields that differ from the plain walk, raw data aside."""
    faults: tuple[Broken, ...] = ()
    """Faults against the contract, where its bytes differ from those of the plain walk."""
    place: str = ""
    """The id of its container, where that was asked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One page that was requested, or its failure."""

    number: int
    """Counted from 1 within its walk."""
    cursor: str | None
    rows: tuple[BriefRow, ...] = ()
    digest: bytes = b""
    next_cursor: str | None = None
    is_last: bool = True
    exchange: int = 0
    error: ExplorerError | None = None

    @property
    def keys(self) -> list[str]:
        """The ids of its records that have one, in order."""
        return [row.key for row in self.rows if row.key]

    def example(self, key: str = "", value: str = "") -> Example:
        """This page, or a record on it, as the place of a finding."""
        return Example(self.number, None, self.exchange, key.removeprefix(NUMBER)[:100], value)


@dataclass(slots=True)
class SideWalk:
    """A walk of the list with other parameters than the plain one, to its end or for some pages."""

    query: Mapping[str, Any]
    pages: list[Asked] = field(default_factory=list)
    ended: bool = False
    """Its last page says that it is the last."""
    error: ExplorerError | None = None
    stopped: str = ""
    """Why it went no further, in words, where nothing failed and it had not ended."""

    @property
    def keys(self) -> list[str]:
        """The ids in the order received."""
        return [key for page in self.pages for key in page.keys]

    @property
    def exchanges(self) -> tuple[int, ...]:
        """The numbers of its pages in the request log."""
        return tuple(page.exchange for page in self.pages)

    def at(self, key: str) -> Asked | None:
        """The page that contains an id; None without one."""
        return next((page for page in self.pages if any(row.key == key for row in page.rows)), None)


class Reasked:
    """Requests pages of one list, each once for each turn."""

    def __init__(
        self, send: Send, listing: Listing, ids: SeenIds, inspect: Inspect = lambda _raw, _record: ()
    ) -> None:
        """``send`` counts against the budget of the run and raises Spent; ``ids`` are those of the plain walk."""
        self._send, self._listing, self._ids, self._inspect = send, listing, ids, inspect
        self._kept: dict[tuple[object, ...], Asked] = {}
        self.budget = Budget()
        self.allowed: int | None = FIXED
        """Calls that may be made in all; None: no limit but the run's own."""
        self.more: dict[str, int] = {}
        """What was left out for lack of calls: a name, and about how many calls it would take."""
        self.on_call: Callable[[str], object] = lambda _: None
        """Told before each call what is tried by it."""

    def __deepcopy__(self, _: object) -> Reasked:
        return copy.copy(self)

    @property
    def size_param(self) -> str:
        """The parameter by which the list is asked for a page size; empty where none is declared."""
        return self._listing.size_param

    @property
    def calls(self) -> int:
        """How many calls were made; a page that was interrupted and requested anew counts once."""
        return len(self._kept)

    @property
    def left(self) -> int:
        """Calls that may still be made."""
        return 1_000_000 if self.allowed is None else max(0, self.allowed - self.calls)

    async def page(
        self,
        query: Mapping[str, Any],
        cursor: str | None = None,
        number: int = 1,
        turn: str = "",
        listing: Listing | None = None,
        placed: Placed | None = None,
    ) -> Asked:
        """The page of ``query`` behind ``cursor``. Another ``turn`` requests a page anew that was requested before.

        ``listing`` is another list, of which ids are needed; ``placed`` reads each record's container. A failure is a
        value of the page. Raises Spent for the budget of the run, NoMoreCalls for that of the list.
        """
        place = (tuple(sorted(query.items())), cursor, turn)
        known = self._kept.get(place)
        if known is not None:
            return known
        if not self.left:
            raise NoMoreCalls
        if limit := self.budget.spent:
            raise Spent(limit)
        self.on_call(_tried_words(query, number, listing or self._listing))
        asked, page = await self._asked(listing or self._listing, query, cursor, number)
        if placed is not None and page is not None:
            rows = zip(asked.rows, page.records, strict=True)
            placed_rows = tuple(row._replace(place=_place(raw, placed)) for row, raw in rows)
            asked = replace(asked, rows=placed_rows)
        self.budget.used_records += len(page.records) if page is not None else 0
        if not isinstance(asked.error, NetworkError):
            self._kept[place] = asked
        return asked

    async def now(self, cursor: str | None, number: int, turn: str = "again") -> Asked | None:
        """The page of the plain walk behind ``cursor`` as it is now; None where the list has used its calls.

        ``turn`` as in `page`. Raises Spent.
        """
        try:
            return await self.page({}, cursor, number, turn)
        except NoMoreCalls:
            return None

    async def _asked(
        self, listing: Listing, query: Mapping[str, Any], cursor: str | None, number: int
    ) -> tuple[Asked, Page | None]:
        try:
            answer = await self._send(list_request(listing, query, cursor=cursor, page=number))
            page = page_alone(answer, listing, number, cursor, query.get(listing.size_param))
        except ExplorerError as error:
            return Asked(number, cursor, exchange=error.exchange or 0, error=error), None
        except RequestFault as fault:
            return Asked(number, cursor, error=ExplorerError(f"It cannot be requested: {fault}.")), None
        rows = tuple(self._brief(raw) for raw in page.records)
        next_ = page.next_cursor
        return Asked(number, cursor, rows, page.digest, next_, page.is_last, page.exchange), page

    def _brief(self, raw: bytes) -> BriefRow:
        key, moment = briefly(raw)
        whole = hash(raw)
        if key and self._ids.has_same(key, whole):
            return BriefRow(key, whole, moment)
        row = read_row(raw, 0, None, 0)
        if row.record is None or row.spoiled:
            return BriefRow(key, whole, moment)
        return BriefRow(
            key,
            whole,
            moment,
            self._ids.still_of(row.record),
            tuple(name for name in self._ids.changed(key, row.record) if name and name != self._ids.raw),
            tuple(self._inspect(raw, row.record))[:_FAULTS],
        )

    async def walk(
        self, query: Mapping[str, Any], *, most: int, turn: str = "", placed: Placed | None = None
    ) -> SideWalk:
        """Up to ``most`` pages of ``query`` from its first one on. Raises Spent and nothing else.

        Like the plain walk it follows a cursor even where the flag says that the page is the last; if that leads to
        nothing new, the page was the last.
        """
        made = SideWalk(query)
        cursor, cursors, digests, past = None, set[str | None](), set[bytes](), False
        while len(made.pages) < most or past:
            try:
                page = await self.page(query, cursor, len(made.pages) + 1, turn, placed=placed)
            except NoMoreCalls:
                made.stopped = "the list has used its calls"
                return made
            again = bool(page.rows) and page.digest in digests
            if past and (page.error is not None or not page.rows or again):
                made.ended = True
                return made
            if len(made.pages) == most:
                break  # it goes on, whatever the flag says
            if page.error is not None:
                made.error = page.error
                return made
            made.pages.append(page)
            if page.next_cursor is None:
                made.ended = True
                return made
            cursors.add(cursor)
            if page.next_cursor in cursors or again:
                made.stopped = ROUND
                return made
            digests.add(page.digest)
            cursor, past = page.next_cursor, page.is_last
        made.stopped = f"{most} pages are enough"
        return made


def _tried_words(query: Mapping[str, Any], number: int, listing: Listing) -> str:
    """``Trying page_size=7, page 2``; of a container only by which parameter, as its id is the third party's."""
    if not query:
        return f"Trying page {number} once more"
    plain = (listing.size_param, "sync_mode")
    said = (f"{name}={value}" if name in plain else f"one {name}" for name, value in query.items())
    return f"Trying {' and '.join(said)}, page {number}"


def takes(listing: Listing, param: str) -> bool:
    """Whether a list has a parameter, by its declaration."""
    return param in {one.name for one in fields_of(listing.query)}


def _place(raw: bytes, placed: Placed) -> str:
    row = read_row(raw, 0, None, 0)
    return placed(row.record) if row.record is not None and not row.spoiled else ""
