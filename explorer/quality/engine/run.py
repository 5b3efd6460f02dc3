"""The run: walks the lists that were asked for, lets the checks watch, makes the calls they need, and sums up.

All requests go through the service's one client, so that guard, log and redaction apply here too.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus

from explorer.api.answer import Answer
from explorer.api.errors import ExplorerError, Unreachable
from explorer.api.exchange import NOT_RECORDED, Exchange
from explorer.api.redact import Redactor
from explorer.api.sensitive import without_secrets
from explorer.catalog.request import Request, lacking
from explorer.catalog.spec import Listing, Resource
from explorer.profiles.profile import Credential
from explorer.quality.checks import paging, references
from explorer.quality.checks.left_behind import LEFT, LeftBehind
from explorer.quality.checks.lineage import laid_once
from explorer.quality.checks.own_key import OWN_KEY
from explorer.quality.checks.secrets import CALLS, RECORDS, CallSecrets
from explorer.quality.checks.transport import ANSWERED
from explorer.quality.engine.check import QUICK, Check, Result, Run, Verdict
from explorer.quality.engine.crashed_checks import undone
from explorer.quality.engine.finding_collector import skipped, together
from explorer.quality.engine.groups import CallGroup, groups_of
from explorer.quality.engine.one_list import ListRun
from explorer.quality.engine.probe import Found
from explorer.quality.engine.progress import Part, Progress, State
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.engine.service import Send, Service
from explorer.quality.engine.source import OFFLINE, Sources, words_of
from explorer.quality.engine.walk import Budget, Spent
from explorer.words import count
from explorer.work import in_thread

_PACE, _SHARE, _LONGEST = 0.5, 12, 2.0
"""Seconds between two sums of what was found so far, how many times the work of making one, and at most; a run stands
still while one is made and reported.
"""
_NOT_YET = "not looked at yet"
MASKED_AWAY = "the recording has secrets masked here, so that none can be found in it again"
_OF_SECRETS = (RECORDS, CALLS, OWN_KEY)
_OF_CALLS = ("credentials", "transport")
"""Groups of what is judged also where a connection has no list."""
_DOING = {
    "batch read": "Reading accounts by their ids",
    "reports": "Reading reports and receipts",
    "credentials": "Trying calls that must be refused: without a key, with a wrong one",
    "invalid requests": "Trying requests that the contract does not allow",
    "writes": "Writing records of its own",
    "links": "Making a magic link",
    "webhook": "Sending a webhook",
}
"""What each group does, in words."""
_TOLD = {
    "batch read": ("ids",),
    "reports": ("customer",),
    "writes": ("writes",),
    "links": ("writes",),
    "webhook": ("writes",),
}
"""What a group has to be told to make calls, as fields of `RunOptions`."""


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
        on_found: Callable[[Run], Awaitable[None]] | None = None,
    ) -> None:
        """``address`` is the service's, where no profile is used, for the commands that repeat a finding.

        ``stored`` has the rows of a run that makes no calls; of another it says how long a list is. ``on_found`` gets
        what was found so far, now and then; what is still to come is skipped in it.

        Raises KeyError for a resource that does not exist.
        """
        self._address, self._stored_of, self._on_found = address, stored, on_found
        self._next_sum = 0.0
        self._gone: list[ListRun] = []
        """Lists that were gone through, or are now."""
        self._heard_meanwhile: list[Exchange] | None = None
        for key in asked.resources:
            service.registry.resource(key)
        self._service, self._asked, self._on_progress = service, asked, on_progress
        bounds = asked.calls, asked.records, asked.pages, asked.seconds
        self._budget = Budget(*bounds, first=QUICK if asked.quick else None)
        self._begun, self._seconds, self._clock = datetime.now(UTC), 0.0, time.monotonic()
        self._first: datetime | None = None
        self._ended: datetime | None = None
        """These two of a run that was continued: when it began as a quick one, and when it ended last."""
        self._own = Redactor(credential.secrets) if credential is not None and credential.reveal() else None
        wanted = [
            one for one in service.registry.listings() if asked.covers(one.key) and self._lists_wanted()
        ]
        self._lists: list[ListRun] = []
        self._stored: list[str] = []
        self._unasked: dict[str, str] = {}
        for one in wanted:
            if one.record is None or one.listing is None:
                continue
            if needed := lacking(one.listing, {}):
                self._unasked[one.key] = (
                    f"it is asked for with {' and '.join(needed)}, of which a run knows no value"
                )
                continue
            self._lists.append(self._list_run(one, one.listing))
        self._groups = {one.name: one for one in groups_of(service, asked, credential, self._guarded)}
        self._done: dict[str, Found] = {}
        self._group = ""
        """The group whose calls are made now."""
        self._calls_of = Counter[str]()
        self._left = LeftBehind()
        self._secrets = CallSecrets(service.profile, service.registry, asked.covers)
        self._not_recorded: set[int] = set()
        self._is_answered = self._is_unanswered = False
        """Whether a call brought what it asked for, and whether one brought nothing at all."""
        self._running = False

    async def whole(self) -> Run:
        """Runs to the end, or to that of the budget. Cancelling stops at once; `so_far` and `continued` still work."""
        self._clock, self._running = time.monotonic(), True
        end = self._service.exchanges.subscribe(self._heard)
        try:
            self._report_progress("Starting")
            self._gone.clear()
            await self._go_through()
            while any(one not in self._gone for one in self._lists):  # more was chosen, or tried again
                await self._go_through()
        finally:
            self._seconds += time.monotonic() - self._clock
            self._ended = self._ended and datetime.now(UTC)
            self._running = False
            end()
        # Summing up a hundred thousand records takes a tenth of a second, too long for a window.
        return await in_thread(self.so_far)

    def _list_run(self, resource: Resource, listing: Listing) -> ListRun:
        source = None
        # Of a run that asks the service the store only tells how much there is to read.
        with nullcontext() if self._asked.offline else suppress(ExplorerError):
            source = self._stored_of(listing)
        known, source = (None if source is None else source.rows), (source if self._asked.offline else None)
        self._stored += [words_of(resource.key, source)] if source is not None else []

        told = self._tell_found, self._report_progress
        return ListRun(self._service, resource, self._asked, self._budget, *told, self._own, source, known)

    async def _go_through(self) -> None:
        """All lists, with those that are tried again meanwhile, then the calls that are about none of them."""
        while left := [one for one in self._lists if one not in self._gone]:
            self._gone.append(left[0])
            await left[0].go()
        for one in self._lists:
            await one.go_beside({other.resource.key: other for other in self._lists})
        await self._calls()

    def look_at(self, *, quick: bool) -> None:
        """From the page under way on, look at the first pages of each list alone, or at whole lists. A run that is not
        under way stays what it was until `continued`.
        """
        if self._running:
            self._budget.first, self._asked = QUICK if quick else None, replace(self._asked, quick=quick)
            self._gone.clear()

    def try_again(self, key: str) -> None:
        """Begin a list that failed anew: at once in a run under way, else with `continued`."""
        for place, one in enumerate(self._lists):
            if one.resource.key == key and one.part().state is State.FAILED and one.resource.listing:
                self._lists[place] = self._list_run(one.resource, one.resource.listing)
        self._report_progress("Trying again")

    def _heard(self, call: Exchange) -> None:
        if self._heard_meanwhile is not None:
            self._heard_meanwhile.append(call)
            return
        self._secrets.exchange(call)
        self._is_answered |= call.status is not None and call.status < HTTPStatus.BAD_REQUEST
        self._is_unanswered |= call.state == "failed"
        if call.is_not_recorded:
            self._not_recorded.add(call.id)

    def _as_recorded(self, result: Result) -> Result:
        """The result; skipped where a replay has no answer to all calls behind it, or has masked what is looked for."""
        examples = (example.exchange for finding in result.findings for example in finding.examples)
        calls = {*result.exchanges, *(number for number in examples if number is not None)}
        if calls and calls <= self._not_recorded and result.verdict is not Verdict.SKIPPED:
            return skipped(result.check, result.resource, NOT_RECORDED)
        holds = result.verdict is Verdict.HOLDS and result.check in _OF_SECRETS
        if holds and self._secrets.masked_in(result.resource):
            return skipped(result.check, result.resource, MASKED_AWAY)
        return result

    async def continued(
        self,
        *,
        calls: int | None = None,
        records: int | None = None,
        pages: int | None = None,
        seconds: float | None = None,
        quick: bool = False,
    ) -> Run:
        """Resumes after a stop or the end of its budget, from where each list stood, with a budget of its own;
        after a quick run, unless it stays ``quick``, with what is left of each list.

        Nothing is read twice and findings stay; the returned run covers everything. A step after a walk that was
        interrupted (a second walk, a group of calls) is made anew.
        """
        self._ended = datetime.now(UTC)
        if self._asked.quick and not quick:
            self._first, self._begun = self._first or self._begun, self._ended
        self._budget = Budget(calls, records, pages, seconds, first=QUICK if quick else None)
        self._asked = replace(self._asked, quick=quick)
        self._done = {name: found for name, found in self._done.items() if not found.cut}
        for one in self._lists:
            one.with_budget(self._budget)
        return await self.whole()

    async def _tell_found(self) -> None:
        """Tell what was found so far, where that is due. Nothing moves meanwhile: it is read in a thread."""
        if self._on_found is None or time.monotonic() < self._next_sum:
            return
        self._heard_meanwhile = []
        try:
            found, cost = await in_thread(self._summed)
        finally:
            late, self._heard_meanwhile = self._heard_meanwhile, None
            for call in late:
                self._heard(call)
        await self._on_found(replace(found, stopped=""))
        self._next_sum = time.monotonic() + pause_after(cost)

    def _summed(self) -> tuple[Run, float]:
        """What was found so far, and what that took of one core, in seconds."""
        begun = time.thread_time()
        return self.so_far(_NOT_YET), time.thread_time() - begun

    @property
    def calls(self) -> int:
        """How many calls were made so far."""
        return sum(one.part().calls for one in self._lists) + self._calls_of.total()

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
        results += [skipped(ANSWERED, key, why) for key, why in self._unasked.items()]
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
            self._asked.quick or any(one.is_short for one in self._lists),
            self._failure(results),
            first_at=self._first,
            ended_at=datetime.now(UTC) if self._ended and self._running else self._ended,
        )

    def _failure(self, results: Sequence[Result]) -> int:
        """The exit code of what kept it from reading anything; 0 when nothing did.

        That the connection has none of the lists is such a reason where nothing but calls was judged, and well: what
        was found on these stands.
        """
        if self._pages or self._stored:
            return 0
        judged = any(
            one.is_bad or (one.verdict is not Verdict.SKIPPED and one.check.group not in _OF_CALLS)
            for one in results
        )
        errors = [] if self._is_answered else [one.error for one in self._lists]
        errors += [] if judged else [one.lacks for one in self._lists]
        codes = [error.exit_code for error in errors if error is not None]
        if codes or self._is_answered:
            return codes[0] if codes else 0
        return Unreachable.exit_code if self._is_unanswered else 0

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
            self._group = name
            self._report_group()
            asked = replace(self._asked, records=self._budget.records_left)
            try:
                self._done[name] = found = await group.look(self._service, self._send, asked)
            except Spent as spent:
                self._budget.cut[str(spent)] = None
                self._group = ""
                return
            except Exception as error:  # noqa: BLE001 - said in the results
                found = Found([one for check, key in group.checks for one in undone((check,), key, error)])
                self._done[name] = found
            self._group = ""
            self._report_progress(f"{name.capitalize()}, done")
            await self._tell_found()
            self._budget.used_records += found.records
            if found.cut:
                self._budget.cut[f"the budget of {count(self._budget.records or 0, 'record')} is used up"] = (
                    None
                )

    async def _send(self, request: Request) -> Answer:
        return await self._guarded(self._service.send, request)

    async def _guarded(self, send: Send, request: Request) -> Answer:
        self._calls_of[self._group] += 1
        self._report_group()
        answer = await self._budget.call(partial(self._left.send, send), request)
        self._secrets.answer(request, answer)
        return answer

    @property
    def _records(self) -> int:
        return sum(one.rows for one in self._lists)

    @property
    def _pages(self) -> int:
        return sum(len(one.latencies) for one in self._lists)

    def progress(self, what: str) -> Progress:
        """How far it is; ``what`` says what it does, in words."""
        parts = [one.part() for one in self._lists]
        if not self._asked.offline:
            parts += [self._part_of(one) for one in self._groups.values()]
        seconds = self._seconds + (time.monotonic() - self._clock if self._running else 0.0)
        calls = self.calls
        most = self._budget.calls
        most = None if most is None else calls - self._budget.used_calls + most
        return Progress(what, self._records, self._pages, calls, seconds, tuple(parts), most)

    def _part_of(self, group: CallGroup) -> Part:
        calls, title = self._calls_of[group.name], group.name.capitalize()
        found = self._done.get(group.name)
        if found is not None:
            made = [one for one in found.results if one.verdict is not Verdict.SKIPPED]
            why = next((one.seen for one in found.results), "nothing to check")
            state, words = (State.DONE, "Done") if made else (State.ABSENT, f"Skipped: {why}")
            return Part(group.name, title, state, words, found.records, calls)
        # What a group has to be told and was not costs nothing.
        told = all(getattr(self._asked, name) for name in _TOLD.get(group.name, ()))
        share, besides = _CALLS_OF.get(group.name, (1.0, 0))
        left = max(round(len(group.checks) * share) + besides - calls, 1) if told else 0
        runs = self._group == group.name
        state, words = (State.RUNS, _DOING.get(group.name, "Asking")) if runs else (State.WAITS, "Waits")
        return Part(group.name, title, state, words, 0, calls, left)

    def _report_group(self) -> None:
        doing = _DOING.get(self._group, "Asking")
        self._report_progress(f"{self._group.capitalize()}, {doing[:1].lower()}{doing[1:]}")

    def _report_progress(self, what: str) -> None:
        if self._on_progress is not None:
            self._on_progress(self.progress(what))


_CALLS_OF = {"credentials": (1.0, 8), "invalid requests": (1.6, 1)}
"""About how many calls a group makes for each of its checks, and besides; one for each where nothing is said here.

Counted on a service with five lists, and on one of them alone.
"""


def pause_after(cost: float) -> float:
    """Seconds until what was found is summed up again, after a sum that took so many of one core.

    What it waited for a busy machine does not count: the findings would stand still for as long as that is multiplied.
    """
    return min(max(_PACE, _SHARE * cost), _LONGEST)


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
