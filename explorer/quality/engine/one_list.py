"""All that is looked at on one list, step by step: the walk with its watchers, then what takes further calls."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from explorer.api.answer import Answer
from explorer.api.exchange import Exchange
from explorer.api.pages import Page
from explorer.api.redact import Redactor
from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.quality.checks import again, paging, sync_mode, transport
from explorer.quality.checks.envelope import EnvelopeChecks
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.references import Ids, Parents
from explorer.quality.checks.transport import Transport
from explorer.quality.engine.check import UNDONE, Check, Example, Latency, MappingResult, Result, Verdict
from explorer.quality.engine.finding_collector import skipped
from explorer.quality.engine.record_check import RecordCheck, Walked
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.seen import SeenIds
from explorer.quality.engine.service import Service
from explorer.quality.engine.undone import Guarded, undone, why_of
from explorer.quality.engine.walk import Budget, Spent, Walker

STOPPED = "it was stopped"
_NO_PAGE = "no page came"


@dataclass(slots=True)
class _Kept:
    """What the watchers of one walk share or give away."""

    seen: SeenIds
    paging: Paging
    ids: Ids
    lineage: Lineage
    again: list[Example]


class ListRun:
    """One list of one run. `go` may be called again after it was stopped or the budget ended."""

    def __init__(
        self,
        service: Service,
        resource: Resource,
        asked: RunOptions,
        budget: Budget,
        on_page: Callable[[Page, int], Awaitable[None]],
        own: Redactor | None = None,
    ) -> None:
        """``own`` knows the profile's key or token, where there is one. Raises ValueError for what is no list."""
        if resource.listing is None or resource.record is None:
            raise ValueError(f"{resource.key} is no list")
        self.resource, self._listing, self._asked = resource, resource.listing, asked
        self._service, self.budget = service, budget
        seen, attempts = SeenIds(), list[Example]()
        pages, ids, lineage = Paging(seen), Ids(resource.key, service.registry, seen), Lineage(resource)
        self._kept = _Kept(seen, pages, ids, lineage, attempts)
        record = resource.record
        watchers: list[RecordCheck] = [Transport(attempts)]
        watchers += [EnvelopeChecks(resource.listing.envelope.flag is not None), pages]
        watchers += [Records(record), OwnKey(own), Plausible(record)]
        watchers += [Parents()] if "departments" in record.model_fields else []
        self._watchers = [Guarded(watcher) for watcher in (*watchers, ids, lineage)]
        self._mapped: Lineage | None = None
        self._walker = Walker(self._send, resource, self._watchers, budget, on_page=on_page)
        self._walked: Walked | None = None
        self._ended: list[Result] = []
        self._steps: dict[str, list[Result]] = {}
        self._partly: dict[str, list[Result]] = {}
        self.begun = False

    @property
    def ids(self) -> Ids | None:
        """Those of a walk that is over; None before."""
        return self._kept.ids if self._walked is not None and not self._walker.lacks else None

    @property
    def latencies(self) -> list[Latency]:
        """Of the pages so far."""
        return self._walker.latencies

    def with_budget(self, budget: Budget) -> None:
        """From now on another budget counts."""
        self.budget = budget
        self._walker.use(budget)

    async def go(self) -> None:
        """Everything that is left of it. Raises nothing but CancelledError."""
        self.begun = True
        if self._walked is None:
            end = self._service.exchanges.subscribe(_noting(self._kept.again, self._listing.key))
            try:
                walked = await self._walker.run()
            except Exception as error:  # noqa: BLE001 - said in the results
                self._walked = self._walker.walked(f"{UNDONE}{why_of(error)}")
                checks = [check for watcher in self._watchers for check in watcher.checks]
                self._ended = undone(checks, self.resource.key, error)
                return
            finally:
                end()
            if not walked.limit:
                self._walked = walked
                self._ended = self._results(self._watchers, walked)
            elif self.budget.spent:
                return
        else:
            walked = self._walked
        if walked.pages and not self._walker.lacks:
            await self._go_further(walked)

    async def _go_further(self, walked: Walked) -> None:
        for name, (checks, step) in self._further(walked).items():
            if name in self._steps:
                continue
            if why := self.budget.spent:
                self._skip(checks, why)
                continue
            cut = len(self.budget.cut)
            try:
                made = await step()
            except Spent as spent:
                self._skip(checks, str(spent))
                continue
            except Exception as error:  # noqa: BLE001 - said in the results
                made = undone(checks, self.resource.key, error)
            # What a budget cut short is shown, and made anew with the next one.
            whole = cut == len(self.budget.cut) and self._walked is not None
            (self._steps if whole else self._partly)[name] = made

    def _skip(self, checks: tuple[Check, ...], why: str) -> None:
        if any(self._asked.wants(check) for check in checks):
            self.budget.cut[why] = None

    def results(self, stopped: str = "") -> list[Result]:
        """What was found so far; ``stopped`` says why there is no more of it."""
        if not self.begun:
            return []
        if self._walker.lacks:
            # One line for the list: forty checks that do not apply would say no more.
            return [skipped(transport.ANSWERED, self.resource.key, self._walker.lacks)]
        why = self.budget.spent or stopped or STOPPED
        if self._walked is None:
            # What watches goes on later, so that only copies are ended.
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
        return [_why(one, walked) for one in made]

    def mapping(self) -> MappingResult | None:
        """Where its fields come from, as far as the last `results` saw it; None before them."""
        if self._mapped is None:
            return None
        with contextlib.suppress(Exception):  # its checks say what is wrong with it
            return self._mapped.mapping()
        return None

    def _results(self, watchers: list[Guarded], walked: Walked) -> list[Result]:
        return [result for watcher in watchers for result in watcher.end(walked)]

    def _further(
        self, walked: Walked
    ) -> dict[str, tuple[tuple[Check, ...], Callable[[], Awaitable[list[Result]]]]]:
        """The steps after the walk by name: their checks, and what they do."""
        asked, made = (
            self._asked,
            dict[str, tuple[tuple[Check, ...], Callable[[], Awaitable[list[Result]]]]](),
        )
        pages, lost = asked.wants_group("paging"), asked.wants(again.LOST)
        if pages or lost:
            by_name = any(name in (again.LOST.id, again.LOST.group) for name in asked.only)

            async def second() -> list[Result]:
                return await again.compared(
                    self._send_counted,
                    walked,
                    self._kept.paging.read,
                    self._kept.seen,
                    self.budget,
                    paging=pages,
                    lost=lost,
                    by_name=by_name,
                )

            checks = (*(again.CHECKS if pages else ()), *((again.LOST,) if lost else ()))
            made["again"] = checks, second
        if pages:

            async def size() -> list[Result]:
                key = self.resource.key
                return [await paging.page_size(self._send_counted, self._listing, key, walked.rows)]

            made["page size"] = (paging.SIZE,), size
        if asked.wants_group("sync mode"):

            async def incremental() -> list[Result]:
                return await sync_mode.compared(self._send_counted, walked, self._kept.seen, self.budget)

            made["sync mode"] = sync_mode.INCREMENTAL, incremental
        return made

    async def _send(self, request: Request) -> Answer:
        return await self._service.send(request)

    async def _send_counted(self, request: Request) -> Answer:
        return await self.budget.call(self._send, request)


def _noting(again_: list[Example], operation: str) -> Callable[[Exchange], None]:
    """Keeps each attempt at a list that failed and is made again."""

    def note(exchange: Exchange) -> None:
        if exchange.operation == operation and exchange.summary.startswith("retry"):
            why = str(exchange.status) if exchange.status else "no answer"
            again_.append(Example(exchange.page, None, exchange.id, "", why))

    return note


def _why(result: Result, walked: Walked) -> Result:
    """That no page came is no reason: what kept them away is said with it."""
    if walked.error is None or result.verdict is not Verdict.SKIPPED or result.seen != _NO_PAGE:
        return result
    return replace(result, seen=f"{_NO_PAGE}: {walked.error.sentence}")
