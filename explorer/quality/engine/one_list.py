"""All checks on one list, step by step: the walk with its watchers, then the steps that take further calls."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from explorer.api.answer import Answer
from explorer.api.errors import DataWithheld, ExplorerError, NotRecorded
from explorer.api.exchange import Exchange
from explorer.api.pages import Page
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.catalog.spec import Record, Resource, raw_field
from explorer.quality.checks import completeness, lists_within, paging, second_read, sync_mode, transport
from explorer.quality.checks.containers import Containers
from explorer.quality.checks.envelope import EnvelopeChecks
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.references import PARENTS, Ids, Parents
from explorer.quality.checks.secrets import RecordSecrets
from explorer.quality.checks.sizes import CHECKS as SIZE_CHECKS
from explorer.quality.checks.sizes import Sizes
from explorer.quality.checks.transport import Transport
from explorer.quality.checks.withheld_pages import WITHHELD, Withheld
from explorer.quality.engine.check import QUICK_WORDS, UNDONE, Check, Example, Latency, Result, Verdict
from explorer.quality.engine.crashed_checks import Guarded, undone, why_of
from explorer.quality.engine.cursor_again import with_cursor
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.mapping_result import MappingResult
from explorer.quality.engine.progress import Part, State
from explorer.quality.engine.record_check import RecordCheck, Walked
from explorer.quality.engine.row import NUMBER
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Service
from explorer.quality.engine.shared_pages import FIXED, Reasked, takes
from explorer.quality.engine.source import NOTHING_STORED, OFFLINE, Source
from explorer.quality.engine.walk import Budget, Spent, Walker
from explorer.quality.engine.walk_ids import SeenIds
from explorer.words import count

STOPPED = "it was stopped"
_NO_PAGE, _NO_RECORD = "no page came", "no record "
"""Why a check of a list that brought nothing is skipped, in its own words, and how these begin."""
EMPTY = "the list is empty"
_BESIDE = "within"
"""The step that needs the other lists of the run."""
_SIZES, _MOST_SIZES, _ONE_SIZE = 12, 12, 1
"""Calls of the step "page size": of a list read to its end these, and one a page up to so many; of others one."""
_INCREMENTAL, _AGAIN, _WITHIN = 4, 2, 8
"""Calls of other steps, of "again" besides one a page. These only tell about how many are left."""
_OF_WHOLE = ("completeness", _BESIDE)
"""Steps that judge whether a list is whole, which a quick run never does."""
_QUICK_CALLS = 15
"""Calls that a list may cost a quick run beyond its first pages."""
_USUAL_PAGE = 100
"""Rows of a page, until one has come."""
_FOR_OTHERS = 20
"""Calls that an incremental pull leaves to later checks of the list, besides one for each page of the list."""

Step = tuple[tuple[Check, ...], Callable[[], Awaitable[list[Result]]]]
"""A step after the walk: its checks, and the function that makes them."""


@dataclass(slots=True)
class _Kept:
    """What the watchers of one walk share or pass on."""

    seen: SeenIds
    paging: Paging
    ids: Ids
    lineage: Lineage
    again: list[Example]
    containers: Containers
    narrowings: list[lists_within.Narrowing]


def _of_records(record: type[Record], own: Redactor | None) -> list[RecordCheck]:
    """What watches the records alone, whatever the list."""
    parents = [Parents()] if "departments" in record.model_fields else []
    return [Records(record), OwnKey(own), RecordSecrets(own), Plausible(record), *parents]


@dataclass(slots=True)
class _Asked:
    """What was requested besides the walk, and what it showed so far."""

    reasked: Reasked
    sizes: Sizes
    withheld: Withheld
    second: second_read.Second
    incremental: sync_mode.Incremental


class ListRun:
    """One list of one run. `go` may be called again after it was stopped or the budget ended."""

    def __init__(
        self,
        service: Service,
        resource: Resource,
        asked: RunOptions,
        budget: Budget,
        on_page: Callable[[], Awaitable[None]],
        on_move: Callable[[str], object],
        own: Redactor | None = None,
        source: Source | None = None,
        known_rows: int | None = None,
    ) -> None:
        """``on_page`` is awaited after each page and each step, when something more may have been found; ``on_move`` is
        told in words what it does, whenever `part` changes. ``own`` knows the profile's key or token, where there is
        one; ``source`` has the rows of a run without calls, None where nothing is stored; ``known_rows`` is how many
        rows an earlier pull brought, None where that is not known. Raises ValueError for a resource that is no list.
        """
        if resource.listing is None or resource.record is None:
            raise ValueError(f"{resource.key} is no list")
        self.resource, self._listing, self._asked = resource, resource.listing, asked
        self._service, self.budget = service, budget
        self._on_page, self._on_move, self._known_rows = on_page, on_move, known_rows
        self._state, self._words, self._calls = State.WAITS, "Waits", 0
        self.is_short = False
        """Whether its walk ended behind the first pages, as a quick run's does."""
        self._step_from = 0
        """The number of calls before the step that is under way."""
        raw = raw_field(resource.record)
        seen, attempts = SeenIds(resource.record.model_fields, raw), list[Example]()
        pages, ids, lineage = Paging(seen), Ids(resource.key, service.registry, seen), Lineage(resource)
        narrowings = lists_within.narrowings(resource, service.registry)
        kinds = [one.kind for one in narrowings if one.kind[0]]
        others = [one.other for one in narrowings if one.other]
        containers = Containers(kinds, raw, others)
        self._kept = _Kept(seen, pages, ids, lineage, attempts, containers, narrowings)
        wire: list[RecordCheck] = [Transport(attempts, raw), EnvelopeChecks(resource.listing.envelope), pages]
        of_records = [*_of_records(resource.record, own), *([containers] if narrowings else []), ids, lineage]
        self._watchers = [Guarded(watcher) for watcher in (*wire, *of_records)]
        reasked = Reasked(self._send_counted, resource.listing, seen, sync_mode.inspector(resource.record))
        self._more = _Asked(
            reasked,
            sizes := Sizes(reasked, seen, pages.read),
            Withheld(reasked, seen, pages.read),
            second_read.Second(reasked, seen, pages.read, sizes.exists),
            sync_mode.Incremental(reasked, seen),
        )
        reasked.budget, reasked.on_call = budget, self._tries
        self._beside: Mapping[str, ListRun] = {}
        self._failed: Walked | None = None
        """A walk that failed, while the record at fault is being located."""
        self._mapped: Lineage | None = None
        self._walker = Walker(self._send, resource, self._watchers, budget, on_page=self._page, source=source)
        if asked.offline and source is None:
            self._walker.lacks = NOTHING_STORED
        self._walked: Walked | None = None
        self._ended: list[Result] = []
        self._steps: dict[str, list[Result]] = {}
        self._partly: dict[str, list[Result]] = {}
        self.begun = False

    @property
    def ids(self) -> Ids | None:
        """The ids of its walk, once that has ended; None before."""
        return self._kept.ids if self._walked is not None and not self._walker.lacks else None

    @property
    def containers(self) -> Containers:
        """In which containers its raw records say they are."""
        return self._kept.containers

    @property
    def latencies(self) -> list[Latency]:
        """How long each page took so far."""
        return self._walker.latencies

    @property
    def rows(self) -> int:
        """How many of its rows were looked at so far."""
        return self._walker.rows

    def part(self) -> Part:
        """How far it is."""
        left = 0 if self._state in (State.DONE, State.ABSENT, State.FAILED) else self._calls_left()
        title = self.resource.title
        more = self._calls_more(left)
        return Part(self.resource.key, title, self._state, self._words, self.rows, self._calls, left, more)

    def _say(self, words: str, state: State = State.RUNS, what: str = "") -> None:
        self._state, self._words = state, words
        self._on_move(what or f"{self.resource.title}, {words[:1].lower()}{words[1:]}")

    def _tries(self, what: str) -> None:
        self._say(what)

    def _calls_left(self) -> int | None:
        """About how many calls it still makes; None where nothing tells how long the list is."""
        read, more = len(self.latencies), self._more.reasked
        whole = read if self._walked is not None else self._pages_about(read)
        if whole is None or self._asked.offline:
            return 0 if self._asked.offline else None
        made = self._partly if self.is_quick else self._steps
        steps = [name for name in self._wanted_steps(self._walker.walked()) if name not in made]
        about = sum(self._calls_of(name, whole) for name in steps)
        about -= self._calls - self._step_from if self._step_from else 0
        allowed = about if self._asked.prove else min(about, self._allowed(whole) - more.calls)
        return max(whole - read, 0) + max(allowed, int(bool(steps)))

    def _calls_of(self, step: str, pages: int) -> int:
        """About how many calls a step takes of a list of so many pages; none where the list takes no such request."""
        ends = self._walked.whole if self._walked is not None else not self.is_quick
        if step == "page size" and self._listing.size_param:
            return _SIZES + min(pages, _MOST_SIZES) if ends else _ONE_SIZE
        if step == "incremental" and takes(self._listing, sync_mode.PARAM):
            return _INCREMENTAL
        if step == "again":
            return pages + (_AGAIN if ends else 0)
        return _WITHIN if step == _BESIDE and self._kept.narrowings else 0

    def _calls_more(self, left: int | None) -> int:
        """How many more calls than ``left`` it may make: a list that ends within a quick run is looked at closer."""
        if not left or self._walked is not None:
            return 0
        if self.is_quick:
            return max(self._allowed(left) - left, 0) + 3 if self._listing.size_param else 2
        return left // 4

    @property
    def is_quick(self) -> bool:
        """Whether only its first pages are looked at."""
        return self.budget.first is not None

    def _wanted_steps(self, walked: Walked) -> dict[str, Step]:
        steps = self._further(walked)
        return {name: one for name, one in steps.items() if not (self.is_quick and name in _OF_WHOLE)}

    def _allowed(self, pages: int) -> int:
        """Calls that it may cost beyond its plain walk, unless completeness is to be proved."""
        return _QUICK_CALLS if self.is_quick else FIXED + pages // 2

    def _pages_about(self, read: int) -> int | None:
        bounds = [bound for bound in (self.budget.pages, self.budget.first) if bound is not None]
        if self._known_rows is not None:
            usual = self.rows / read if read and self.rows else _USUAL_PAGE
            bounds.append(max(1, round(self._known_rows / usual)))
        return min(bounds, default=None)

    async def _page(self, page: Page, _: int) -> None:
        words = f"Page {page.number} read" if page.is_last else f"Reading page {page.number + 1}"
        self._say(words, what=f"{self.resource.title}, page {page.number}")
        await self._on_page()

    def with_budget(self, budget: Budget) -> None:
        """Replaces the budget from now on."""
        self.budget = budget
        self._more.reasked.budget = budget
        self._walker.use(budget)

    async def go(self) -> None:
        """Makes all that is left. Raises nothing but CancelledError."""
        self.begun = True
        if self._state is State.WAITS:
            self._say("Reading page 1", what=f"Asking for {self.resource.title}")
        await self._go()
        waits = self._walked is not None and _BESIDE in self._wanted_steps(self._walked)
        if waits and not self._walker.lacks and not self._asked.offline and _BESIDE not in self._steps:
            self._say("Waits for the other lists", State.WAITS)
        else:
            self._end()
        await self._on_page()

    def _end(self) -> None:
        error = self._walked.error if self._walked is not None else None
        if self._walker.lacks:
            self._say(f"Not here: {self._walker.lacks}", State.ABSENT)
        elif error is not None:
            self._say(error.sentence, State.FAILED)
        else:
            part = f"The first {count(len(self.latencies), 'page')} read"
            self._say("Done" if self._walked is not None else part, State.DONE)

    async def _go(self) -> None:
        if self._walker.lacks:
            return
        if self._walked is None:
            end = self._service.exchanges.subscribe(_noting(self._kept.again, self._listing.key))
            try:
                walked = await self._walk()
            except Exception as error:  # noqa: BLE001 - said in the results
                self._walked = self._walker.walked(f"{UNDONE}{why_of(error)}")
                checks = [check for watcher in self._watchers for check in watcher.checks]
                self._ended = undone(checks, self.resource.key, error)
                return
            finally:
                end()
            self.is_short = walked.limit == QUICK_WORDS
            if not walked.limit:
                self._walked = walked
                self._ended = self._results(self._watchers, walked)
            elif self.budget.spent:
                return
        else:
            walked = self._walked
        if walked.pages and not self._walker.lacks:
            await self._go_further(walked)

    async def go_beside(self, lists: Mapping[str, ListRun]) -> None:
        """Makes the step that needs the other lists, once all were walked. Raises nothing but CancelledError."""
        self._beside = lists
        if self._walked is not None and self._walked.pages and not self._walker.lacks:
            await self._go_further(self._walked, beside=True)
        self._end()

    async def _walk(self) -> Walked:
        """Walks the list, and continues behind withheld pages where their record can be located."""
        while True:
            walked = self._failed or await self._walker.run()
            if walked.error is None or walked.limit or not self._asked.wants_group("completeness"):
                return walked
            self._failed = walked
            withheld = self._more.withheld
            rows = walked.rows + len(withheld.places)
            try:
                place = await withheld.narrow(walked.error, self._walker.cursor, rows)
            except Spent as spent:
                self.budget.cut[str(spent)] = None
                return replace(walked, limit=str(spent))
            self._failed = None
            if place is None or (place.front is None and place.onward is None):
                return walked
            self._walker.go_on(place.front, place.onward)
            if place.onward is None:
                return await self._walker.run()

    async def _go_further(self, walked: Walked, *, beside: bool = False) -> None:
        if self._asked.offline:
            return
        self._more.reasked.allowed = None if self._asked.prove else self._allowed(walked.pages)
        for name, (checks, step) in self._wanted_steps(walked).items():
            if name in self._steps or (name == _BESIDE) != beside:
                continue
            if why := self.budget.spent:
                self._skip(checks, why)
                continue
            cut, self._step_from = len(self.budget.cut), self._calls
            try:
                made = await step()
            except Spent as spent:
                self._skip(checks, str(spent))
                continue
            except Exception as error:  # noqa: BLE001 - said in the results
                made = undone(checks, self.resource.key, error)
            # Steps that a budget cut short are shown as they are, and made anew with the next one.
            # So is what a quick run did with few calls, where whole lists are looked at behind it.
            whole = cut == len(self.budget.cut) and self._walked is not None and not self.is_quick
            (self._steps if whole else self._partly)[name] = made
            await self._on_page()

    def _skip(self, checks: tuple[Check, ...], why: str) -> None:
        if any(self._asked.wants(check) for check in checks):
            self.budget.cut[why] = None

    def results(self, stopped: str = "") -> list[Result]:
        """The results so far; ``stopped`` says why there are no more of them."""
        if not self.begun:
            return []
        if self._walker.lacks:
            # One line for the list: forty skipped checks would say no more.
            wanted = (one for watcher in self._watchers for one in watcher.checks if self._asked.wants(one))
            first = next(wanted, transport.ANSWERED)
            return [skipped(first, self.resource.key, self._walker.lacks)]
        quick = QUICK_WORDS if self.is_short or (self.is_quick and not self._asked.offline) else ""
        why = self.budget.spent or stopped or quick or (OFFLINE if self._asked.offline else STOPPED)
        if self._walked is None:
            # The watchers go on later, so only copies of them are ended.
            with self._walker.lock:
                walked = self._walker.walked(next(iter(self.budget.cut), why))
                watchers = copy.deepcopy(self._watchers)
            made = self._results(watchers, walked)
            self._mapped = next(w.watcher for w in watchers if isinstance(w.watcher, Lineage))
        else:
            walked, made = self._walked, list(self._ended)
            self._mapped = self._kept.lineage
        for name, (checks, _) in self._further(walked).items():
            reason = walked.cut_short or ("" if walked.pages else _NO_PAGE) or why
            known = self._steps.get(name) or self._partly.get(name)
            made += known or [skipped(check, walked.key, reason) for check in checks]
        # Requesting again may explain a finding of the walk: the later result counts.
        latest = {one.check.id: one for one in made}
        whole, parents = (latest.get(check.id) for check in (completeness.LIST, PARENTS))
        if whole is not None and whole.is_bad and parents is not None and parents.is_bad:
            # A parent may be referred to by the missing id itself: that is reported once.
            why = f"the list is not complete: see {completeness.LIST.id}"
            latest[PARENTS.id] = skipped(PARENTS, self.resource.key, why)
        made = [_why(one, walked) for one in latest.values()]
        with contextlib.suppress(Exception):  # its checks report the fault
            return self._mapped.with_sources(made)
        return made

    @property
    def is_partial(self) -> bool:
        """Whether it was begun, and not all of it was seen."""
        whole = self._walked is not None and self._walked.whole
        return self.begun and not self._walker.lacks and not whole

    @property
    def error(self) -> ExplorerError | None:
        """What ended it; None also of a list that the connector lacks."""
        return None if self._walked is None or self._walker.lacks else self._walked.error

    @property
    def lacks(self) -> ExplorerError | None:
        """What said that the connection does not have it; None where nothing did, or a recording has no answer."""
        error = self._walker.error if self._walker.lacks else None
        return None if isinstance(error, NotRecorded) else error

    @property
    def is_broken_off(self) -> bool:
        """Whether the service ended it early, rather than a limit or the user."""
        return self.is_partial and self._walked is not None and not self._walked.limit

    def mapping(self) -> MappingResult | None:
        """The sources of its fields, as far as the last `results` saw them; None before."""
        if self._mapped is None:
            return None
        with contextlib.suppress(Exception):  # its checks report the fault
            return self._mapped.mapping()
        return None

    def _results(self, watchers: list[Guarded], walked: Walked) -> list[Result]:
        made = [result for watcher in watchers for result in watcher.end(walked)]
        return with_cursor(made, walked, self._kept.paging.read, self._walker.last)

    def _further(self, walked: Walked) -> dict[str, Step]:
        """The steps after the walk by name, in order: each is made once, and shares its pages with the others."""
        asked = self._asked
        whole = asked.wants_group("completeness")
        pages, lost = asked.wants_group("paging"), asked.wants(second_read.LOST)
        sync = asked.wants_group("sync mode")
        made: dict[str, Step] = {}
        if pages or whole or sync:
            made["page size"] = ((paging.SIZE,) if pages else ()), lambda: self._page_size(walked)
        if sync or whole:
            made["incremental"] = (), self._read_incremental
        if pages or lost or sync or whole:
            checks = (*(second_read.CHECKS if pages else ()), *((second_read.LOST,) if lost else ()))
            made["again"] = checks, lambda: self._second(walked, pages=pages, lost=lost)
        if whole or sync:
            checks = (*completeness.JUDGED, WITHHELD) if whole else ()
            made["completeness"] = checks, lambda: self._completeness(walked)
        if sync:
            made["sync mode"] = sync_mode.INCREMENTAL, lambda: self._judge_incremental(walked)
        if whole:
            made[_BESIDE] = (lists_within.WITHIN, completeness.LIST), lambda: self._within(walked)
        return made

    async def _page_size(self, walked: Walked) -> list[Result]:
        key, more = self.resource.key, self._more
        await more.sizes.look(self._listing, whole=walked.whole)
        if not self._listing.size_param:
            return [skipped(paging.SIZE, key, "this list takes no page size")]
        if more.sizes.small is None:
            return [skipped(paging.SIZE, key, f"the list has no more than {paging.ASKED_SIZE} rows")]
        return [paging.page_size(more.sizes.small, key, more.sizes.own, more.sizes.single)]

    async def _read_incremental(self) -> list[Result]:
        more = self._more
        more.incremental = sync_mode.Incremental(more.reasked, self._kept.seen)
        if takes(self._listing, sync_mode.PARAM):
            pages = len(self._kept.paging.read)
            reserve = min(_FOR_OTHERS + pages, more.reasked.left // 2)
            await more.incremental.look(reserve, more.sizes.own)
        return []

    async def _second(self, walked: Walked, *, pages: bool, lost: bool) -> list[Result]:
        more, key = self._more, self.resource.key
        # Rows before a withheld record cannot be requested by the cursor alone.
        parts = {place.page for place in more.withheld.places if place.front is not None}
        read = [page for page in self._kept.paging.read if page.number not in parts]
        second = more.second = second_read.Second(more.reasked, self._kept.seen, read, more.sizes.exists)
        by_name = second_read.LOST.id in self._asked.only
        await second.look(walked, by_name=by_name)
        made = second.results(key) if pages else []
        if lost or pages:
            made.append(await second.lost(key))
        return made + await second.repeats(self._ended, self._kept.paging.repeats)

    async def _judge_incremental(self, walked: Walked) -> list[Result]:
        if not takes(self._listing, sync_mode.PARAM):
            why = "this list takes no sync_mode"
            return [skipped(check, self.resource.key, why) for check in sync_mode.INCREMENTAL]
        # Of a list that was cut short, the faults of unread records are not known.
        ended = self._ended if not walked.limit else None
        known = None if ended is None else {(f.rule, f.field) for one in ended for f in one.findings}
        more = self._more
        error = more.incremental.walk.error
        if more.withheld.places and isinstance(error, DataWithheld):
            why = "a page is withheld over a record: see completeness.withheld"
            return [skipped(check, self.resource.key, why) for check in sync_mode.INCREMENTAL]
        if not more.second.is_lasting:
            why = "ids are others in each pull: see sync.nothing-lost"
            return [skipped(check, self.resource.key, why) for check in sync_mode.INCREMENTAL]
        missing, quiet = more.sizes.missing, more.second.is_quiet
        return more.incremental.judge(walked, known, missing=missing, quiet=quiet)

    async def _completeness(self, walked: Walked) -> list[Result]:
        more, key = self._more, self.resource.key
        more.sizes.withheld = bool(more.withheld.places)
        if walked.whole:
            takes_mode = more.incremental.walk.error is None
            made = await more.sizes.judge(key, more.second, takes_mode=takes_mode)
        else:
            why = walked.cut_short or "the list was not read to its end"
            made = [skipped(check, key, why) for check in SIZE_CHECKS]
        evidence = self._evidence(walked)
        made += [evidence.round(), more.second.what_changed(key)]
        return [*made, more.withheld.result(key, walked.error, walked.pages)]

    async def _within(self, walked: Walked) -> list[Result]:
        kept = self._kept
        first = next((page for page in kept.paging.read if page.rows), None)
        size = paging.ASKED_SIZE if self._more.sizes.has_effect else None
        inner = lists_within.Within(
            self._more.reasked, kept.seen, self._more.second, kept.containers, size, first
        )
        found = {one: await self._containers(one) for one in self._kept.narrowings}
        made = await inner.look(walked, found)
        evidence = self._evidence(walked)
        evidence.within = inner
        return [made, evidence.result()]

    async def _containers(self, narrowing: lists_within.Narrowing) -> list[str]:
        """The ids that narrow this list by one parameter: of another list, or of its own records."""
        if narrowing.word:
            return self._kept.containers.called(narrowing.word)
        if not narrowing.other:
            return self._kept.containers.found.get(narrowing.kind, [])
        other = self._beside.get(narrowing.other)
        if other is not None and other.ids is not None:
            return [ident for ident in other.ids.there.order if not ident.startswith(NUMBER)]
        listing = self._service.registry.listing(narrowing.other)
        return await lists_within.ids_of(listing, self._more.reasked)

    def _evidence(self, walked: Walked) -> completeness.Evidence:
        more = self._more
        return completeness.Evidence(walked, more.reasked, more.sizes, more.second, more.withheld)

    async def _send(self, request: Request) -> Answer:
        self._calls += 1
        return await self._service.send(request)

    async def _send_counted(self, request: Request) -> Answer:
        return await self.budget.call(self._send, request)


def _noting(again_: list[Example], operation: str) -> Callable[[Exchange], None]:
    """A listener that keeps each failed attempt at a list that is repeated."""

    def note(exchange: Exchange) -> None:
        if exchange.operation == operation and exchange.summary.startswith("retry"):
            why = str(exchange.status) if exchange.status else "no answer"
            again_.append(Example(exchange.page, None, exchange.id, "", why))

    return note


def _why(result: Result, walked: Walked) -> Result:
    """The result with what is behind it, where it says only that no page or no record was received."""
    nothing = result.seen == _NO_PAGE or (result.seen.startswith(_NO_RECORD) and not walked.rows)
    if result.verdict is not Verdict.SKIPPED or not nothing:
        return result
    if walked.error is not None and not walked.pages:
        return replace(result, seen=f"{_NO_PAGE}: {walked.error.sentence}")
    return replace(result, seen=EMPTY) if walked.whole else result
