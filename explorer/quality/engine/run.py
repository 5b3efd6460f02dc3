"""The run: walks the lists that were asked for, lets the checks watch, makes the calls they need, and sums up.

All requests go through the service's one client, so that guard, log and redaction apply here too.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from explorer.api.answer import Answer
from explorer.api.exchange import NOT_RECORDED, Exchange
from explorer.api.pages import Page
from explorer.api.redact import Redactor
from explorer.api.sensitive import without_secrets
from explorer.catalog.request import PARAMETER, Request
from explorer.catalog.spec import Resource
from explorer.profiles.profile import Credential
from explorer.quality.checks import paging, references
from explorer.quality.checks.left import LEFT, LeftBehind
from explorer.quality.checks.lineage import laid_once
from explorer.quality.checks.secrets import CallSecrets
from explorer.quality.checks.transport import ANSWERED
from explorer.quality.engine.check import Check, Result, Run, Verdict
from explorer.quality.engine.finding_collector import skipped, together
from explorer.quality.engine.groups import groups_of
from explorer.quality.engine.one_list import ListRun
from explorer.quality.engine.probe import Found
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.engine.source import OFFLINE, Sources, words_of
from explorer.quality.engine.undone import undone
from explorer.quality.engine.walk import Budget, Spent
from explorer.words import count
from explorer.work import in_thread


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    what: str
    """In words: ``Jobs, page 12``."""
    records: int
    pages: int
    calls: int


async def run(
    service: Service,
    asked: RunOptions | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    *,
    credential: Credential | None = None,
) -> Run:
    """Runs the checks on the service's connection. Cancelling stops at once; a failure of the service is a finding.

    ``credential`` is the profile's own, for the calls that try it on other connections; without it they are skipped.
    Raises KeyError for a resource that does not exist.
    """
    return await QualityRun(service, asked or RunOptions(), on_progress, credential=credential).whole()


class QualityRun:
    """One run in progress: `so_far` returns its results at any time, and `continued` resumes it after a stop."""

    def __init__(
        self,
        service: Service,
        asked: RunOptions,
        on_progress: Callable[[Progress], None] | None = None,
        *,
        credential: Credential | None = None,
        address: str = "",
        stored: Sources = lambda _: None,
    ) -> None:
        """``address`` is the service's, where no profile is used, for the commands that repeat a finding.

        ``stored`` has the rows of a run that makes no calls.

        Raises KeyError for a resource that does not exist.
        """
        self._address = address
        for key in asked.resources:
            service.registry.resource(key)
        self._service, self._asked, self._on_progress = service, asked, on_progress
        self._budget = Budget(asked.calls, asked.records, asked.pages, asked.seconds)
        self._begun, self._seconds, self._clock = datetime.now(UTC), 0.0, time.monotonic()
        self._records = self._pages = 0
        self._own = Redactor(credential.secrets) if credential is not None and credential.reveal() else None
        wanted = [
            one for one in service.registry.listings() if asked.covers(one.key) and self._lists_wanted()
        ]
        self._lists: list[ListRun] = []
        self._stored: list[str] = []
        self._without_parent: dict[str, str] = {}
        for one in wanted:
            if one.record is None or one.listing is None:
                continue
            if needed := PARAMETER.findall(one.listing.path):
                self._without_parent[one.key] = (
                    f"it is asked for with {' and '.join(needed)} of another list's row"
                )
                continue
            source = stored(one.listing) if asked.offline else None
            self._stored += [words_of(one.key, source)] if source is not None else []
            turn = self._turn(one)
            self._lists.append(ListRun(service, one, asked, self._budget, turn, self._own, source))
        self._groups = {one.name: one for one in groups_of(service, asked, credential, self._guarded)}
        self._done: dict[str, Found] = {}
        self._left = LeftBehind()
        self._secrets = CallSecrets(service.profile, service.registry)
        self._not_recorded: set[int] = set()
        self._running = False

    async def whole(self) -> Run:
        """Runs to the end, or to that of the budget. Cancelling stops at once; `so_far` and `continued` still work."""
        self._clock, self._running = time.monotonic(), True
        end = self._service.exchanges.subscribe(self._heard)
        try:
            for one in self._lists:
                await one.go()
            for one in self._lists:
                await one.go_beside({other.resource.key: other for other in self._lists})
            await self._calls()
        finally:
            self._seconds += time.monotonic() - self._clock
            self._running = False
            end()
        # Summing up a hundred thousand records takes a tenth of a second, too long for a window.
        return await in_thread(self.so_far)

    def _heard(self, call: Exchange) -> None:
        self._secrets.exchange(call)
        if call.is_not_recorded:
            self._not_recorded.add(call.id)

    def _as_recorded(self, result: Result) -> Result:
        """The result; skipped where all calls behind it are ones that a replay has no answer to."""
        examples = (example.exchange for finding in result.findings for example in finding.examples)
        calls = {*result.exchanges, *(number for number in examples if number is not None)}
        if calls and calls <= self._not_recorded and result.verdict is not Verdict.SKIPPED:
            return skipped(result.check, result.resource, NOT_RECORDED)
        return result

    async def continued(
        self,
        *,
        calls: int | None = None,
        records: int | None = None,
        pages: int | None = None,
        seconds: float | None = None,
    ) -> Run:
        """Resumes after a stop or the end of its budget, from where each list stood, with a budget of its own.

        Nothing is read twice and findings stay; the returned run covers everything. A step after a walk that was
        interrupted (a second walk, a group of calls) is made anew.
        """
        self._budget = Budget(calls, records, pages, seconds)
        self._done = {name: found for name, found in self._done.items() if not found.cut}
        for one in self._lists:
            one.with_budget(self._budget)
        return await self.whole()

    def planned(self) -> list[tuple[Check, str]]:
        """The checks of this run before it is made, each with the resource key that it is about; makes no call."""
        for one in self._lists:
            one.begun = True  # a list that was not begun has no results
        return [(one.check, one.resource) for one in self.so_far("not made yet").results]

    @property
    def stored(self) -> tuple[str, ...]:
        """Of a run that makes no request, which rows it looks at, in words."""
        return tuple(self._stored)

    def so_far(self, stopped: str = "") -> Run:
        """The results so far; ``stopped`` is why it ended, in a sentence."""
        profile, reason = self._service.profile, "; ".join(self._budget.cut)
        found, words = self._done.values(), (stopped[:1].lower() + stopped[1:]).rstrip(".")
        results = [result for one in self._lists for result in one.results(words)]
        ids = {one.resource.key: one.ids for one in self._lists if one.ids is not None}
        try:
            results += references.referred(ids, self._service.registry)
            results += references.unlisted(
                ids, self._service.registry, {one.resource.key: one.containers for one in self._lists}
            )
        except Exception as error:  # noqa: BLE001 - said in the results
            results += undone((references.REFERENCES,), "", error)
        results += [result for one in found for result in one.results]
        results += self._secrets.results()
        results += [skipped(ANSWERED, key, why) for key, why in self._without_parent.items()]
        empty = [one for one in results if one.check is paging.EMPTY]
        results = [one for one in results if one.check is not paging.EMPTY] + together(paging.EMPTY, empty)
        results = laid_once(results) + self._not_made(OFFLINE if self._asked.offline else reason or words)
        left = self._left.results()
        stay = {one.resource for one in left}
        results = [self._as_recorded(one) for one in results if self._asked.wants(one.check)]
        results = [one for one in results if one.check is not LEFT or one.resource not in stay] + left
        mappings = [one.mapping() for one in self._lists]
        since = time.monotonic() - self._clock if self._running else 0.0
        return Run(
            profile.name,
            profile.connection,
            tuple(r.key for r in self._service.registry.resources() if self._asked.covers(r.key)),
            self._begun,
            self._seconds + since,
            tuple(_without(self._own, result) for result in results),
            self._records + sum(one.records for one in found),
            self._pages,
            (
                *(time_ for one in self._lists for time_ in one.latencies),
                *(time_ for one in found for time_ in one.latencies),
            ),
            (*(one for one in mappings if one is not None), *(m for one in found for m in one.mappings)),
            stopped or reason,
            self._asked.options(),
            self._address,
            tuple(self._stored),
            tuple(one.resource.key for one in self._lists if one.is_partial),
            tuple(one.resource.key for one in self._lists if one.is_broken_off),
        )

    def _not_made(self, why: str) -> list[Result]:
        """Skipped results for the groups of calls that were not made."""
        left = [one for name, one in self._groups.items() if name not in self._done]
        return [skipped(check, key, why) for one in left for check, key in one.checks] if why else []

    def _lists_wanted(self) -> bool:
        groups = ("transport", "envelope", "paging", "records", "mapping", "sync mode", "completeness")
        return any(self._asked.wants_group(group) for group in groups)

    async def _calls(self) -> None:
        """Makes the groups of calls that are not about one list."""
        if self._asked.offline:
            return
        for name, group in self._groups.items():
            if name in self._done:
                continue
            if why := self._budget.no_calls:
                self._budget.cut[why] = None
                return
            self._report_progress(name.capitalize())
            asked = replace(self._asked, records=self._budget.records_left)
            try:
                self._done[name] = found = await group.look(self._service, self._send, asked)
            except Spent as spent:
                self._budget.cut[str(spent)] = None
                return
            except Exception as error:  # noqa: BLE001 - said in the results
                found = Found([one for check, key in group.checks for one in undone((check,), key, error)])
                self._done[name] = found
            self._budget.used_records += found.records
            if found.cut:
                self._budget.cut[f"the budget of {count(self._budget.records or 0, 'record')} is used up"] = (
                    None
                )

    async def _send(self, request: Request) -> Answer:
        return await self._guarded(self._service.send, request)

    async def _guarded(self, send: Send, request: Request) -> Answer:
        answer = await self._budget.call(partial(self._left.send, send), request)
        self._secrets.answer(request, answer)
        return answer

    def _turn(self, resource: Resource) -> Callable[[Page, int], Awaitable[None]]:
        async def turn(page: Page, rows: int) -> None:
            self._pages = sum(len(one.latencies) for one in self._lists)
            self._records += rows
            self._report_progress(f"{resource.title}, page {page.number}")

        return turn

    def _report_progress(self, what: str) -> None:
        if self._on_progress is not None:
            used = self._budget.used_calls
            self._on_progress(Progress(what, self._records, self._pages, used))


def _without(own: Redactor | None, result: Result) -> Result:
    """``result`` with the profile's key, and values with a secret's name, masked in its quotations.

    A result is shown, stored and passed on, and each report format escapes a name before a secret differently.
    """

    def clean(text: str) -> str:
        data = text.encode("utf-8", "surrogatepass")
        if own is not None and own.holds(data):
            text = own.own(data).decode("utf-8", "surrogatepass")
        return without_secrets(text)

    findings = tuple(
        replace(
            one,
            sentence=clean(one.sentence),
            examples=tuple(replace(at, id=clean(at.id), value=clean(at.value)) for at in one.examples),
        )
        for one in result.findings
    )
    return replace(result, seen=clean(result.seen), findings=findings)
