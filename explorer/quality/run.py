"""The run: walks the lists that were asked for, lets the checks watch, makes the calls they need, sums it up.

Everything goes through the service's one client, so that the guard, the log and the redaction hold here as elsewhere.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

from explorer.api.answer import Answer
from explorer.api.exchange import Exchange
from explorer.api.pages import Page
from explorer.catalog import registry
from explorer.catalog.request import Request
from explorer.catalog.spec import Resource
from explorer.profiles.profile import Credential
from explorer.quality.asked import Asked
from explorer.quality.check import Example, Latency, MappingResult, Result, Run
from explorer.quality.checks import (
    batch,
    credentials,
    links,
    paging,
    references,
    reports,
    sync_mode,
    transport,
    writes,
)
from explorer.quality.checks.envelope import EnvelopeChecks
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.references import Ids, Parents
from explorer.quality.checks.transport import Transport
from explorer.quality.service import Service
from explorer.quality.tally import skipped
from explorer.quality.walk import Budget, Walker
from explorer.quality.watch import Walked, Watcher


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    what: str
    """In words: ``Jobs, page 12``."""
    records: int
    pages: int
    calls: int


@dataclass(slots=True)
class _Gathered:
    """What a run has so far."""

    results: list[Result] = field(default_factory=list)
    latencies: list[Latency] = field(default_factory=list)
    mappings: list[MappingResult] = field(default_factory=list)
    ids: dict[str, Ids] = field(default_factory=dict)
    records: int = 0
    pages: int = 0


async def run(
    service: Service,
    asked: Asked | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    *,
    credential: Credential | None = None,
) -> Run:
    """Runs the checks on the service's connection. Cancelling stops at once; a failure of the service is a finding.

    ``credential`` is the profile's own, for the calls that try it on other connections; without it they are skipped.
    Raises KeyError for a resource that there is none of.
    """
    return await QualityRun(service, asked or Asked(), on_progress, credential=credential).whole()


class QualityRun:
    """One run under way; `so_far` gives what it has, also after it was stopped."""

    def __init__(
        self,
        service: Service,
        asked: Asked,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        credential: Credential | None = None,
    ) -> None:
        """Raises KeyError for a resource that there is none of."""
        for key in asked.resources:
            registry.resource(key)
        self._service, self._asked, self._on_progress = service, asked, on_progress
        self._try_keys = partial(credentials.look, credential=credential)
        self._budget = Budget(asked.calls, asked.records, asked.pages, asked.seconds)
        self._begun, self._clock = datetime.now(UTC), time.monotonic()
        self._got = _Gathered()
        self._stopped = ""

    async def whole(self) -> Run:
        """To the end, or to the end of the budget."""
        for resource in registry.listings():
            if self._asked.covers(resource.key) and self._lists_wanted():
                await self._list(resource)
        self._got.results += references.referred(self._got.ids)
        await self._calls()
        self._stopped = self._budget.spent
        return self.so_far()

    def so_far(self, stopped: str = "") -> Run:
        """What was found until now."""
        profile = self._service.profile
        return Run(
            profile.name,
            profile.connection,
            tuple(r.key for r in registry.resources() if self._asked.covers(r.key)),
            self._begun,
            time.monotonic() - self._clock,
            tuple(result for result in self._got.results if self._asked.wants(result.check)),
            self._got.records,
            self._got.pages,
            tuple(self._got.latencies),
            tuple(self._got.mappings),
            stopped or self._stopped,
            self._asked.options(),
        )

    def _lists_wanted(self) -> bool:
        groups = ("transport", "envelope", "paging", "records", "mapping", "sync mode")
        return any(self._asked.wants_group(group) for group in groups)

    async def _list(self, resource: Resource) -> None:
        """All that is looked at on one list."""
        record, listing = resource.record, resource.listing
        if record is None or listing is None:
            return
        again: list[Example] = []
        pages, ids, lineage = Paging(), Ids(resource.key), Lineage(resource)
        watchers: list[Watcher] = [Transport(again), EnvelopeChecks(listing.envelope.flag is not None), pages]
        watchers += [Records(record), Plausible(record)]
        watchers += [Parents()] if "departments" in record.model_fields else []
        watchers += [ids, lineage]
        walker = Walker(self._send, resource, watchers, self._budget, on_page=self._turn(resource))
        end = self._service.exchanges.subscribe(_noting(again, listing.key))
        try:
            walked = await walker.run()
        finally:
            end()
        self._got.latencies += walker.latencies
        if walker.lacks:
            # One line for the list: forty checks that do not apply would say no more.
            self._got.results.append(skipped(transport.ANSWERED, resource.key, walker.lacks))
            return
        for watcher in watchers:
            self._got.results += watcher.end(walked)
        self._got.ids[resource.key] = ids
        self._got.mappings.append(lineage.mapping())
        await self._more_of(resource, walked, pages, ids)

    async def _more_of(self, resource: Resource, walked: Walked, pages: Paging, ids: Ids) -> None:
        """What takes further calls on one list."""
        listing, key = walked.listing, walked.key
        if self._budget.spent or not walked.pages:
            why = self._budget.spent or walked.cut_short or "no page came"
            checks = (paging.FIRST, paging.AGAIN, paging.SIZE, *sync_mode.CHECKS)
            self._got.results += [skipped(check, key, why) for check in checks]
            return
        if self._asked.wants_group("paging"):
            self._got.results += await paging.asked_again(self._send, listing, key, pages.sample)
            self._got.results.append(await paging.page_size(self._send, listing, key, walked.rows))
        if self._asked.wants_group("sync mode"):
            self._got.results += await sync_mode.compared(self._send, resource, walked, ids, self._budget)

    async def _calls(self) -> None:
        """The groups that are not about one list."""
        asked = self._asked
        for group, look in (
            ("batch read", batch.look),
            ("reports", reports.look),
            ("credentials", self._try_keys),
            ("writes", writes.look),
            ("links", links.look),
            ("webhook", links.look_at_webhook),
        ):
            records = group == "batch read" and (asked.wants_group("records") or asked.wants_group("mapping"))
            if asked.wants_group(group) or records:
                self._say(f"{group.capitalize()}")
                found = await look(self._service, self._send, asked)
                self._got.results += found.results
                self._got.records += found.records
                self._got.latencies += found.latencies
                self._got.mappings += found.mappings

    async def _send(self, request: Request) -> Answer:
        return await self._service.send(request)

    def _turn(self, resource: Resource) -> Callable[[Page], Awaitable[None]]:
        async def turn(page: Page) -> None:
            self._got.pages += 1
            self._got.records += len(page.records)
            self._say(f"{resource.title}, page {page.number}")

        return turn

    def _say(self, what: str) -> None:
        if self._on_progress is not None:
            used = self._budget.used_calls
            self._on_progress(Progress(what, self._got.records, self._got.pages, used))


def _noting(again: list[Example], operation: str) -> Callable[[Exchange], None]:
    """Keeps each attempt at a list that failed and is made again."""

    def note(exchange: Exchange) -> None:
        if exchange.operation == operation and exchange.summary.startswith("retry"):
            why = str(exchange.status) if exchange.status else "no answer"
            again.append(Example(exchange.page, None, exchange.id, "", why))

    return note
