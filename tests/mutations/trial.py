"""Trials: a defect is put into clean data, the checks run over HTTP, and what was found is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from explorer.api.answer import Answer
from explorer.api.client import Client
from explorer.api.exchanges import Exchanges
from explorer.api.guard import Permit
from explorer.catalog.request import Request
from explorer.profiles.profile import Auth, Credential, Profile
from explorer.quality.engine.check import Run
from explorer.quality.engine.run import run
from explorer.quality.engine.run_options import RunOptions
from explorer.sandbox.process import SandboxProcess, sandbox_command
from tests.mutations import (  # noqa: F401 - they declare the kinds
    of_bytes,
    of_calls,
    of_completeness,
    of_odd_services,
    of_records,
    of_relations,
)
from tests.mutations.clean import LISTS, SOURCES, Material
from tests.mutations.kinds import KINDS, Draw
from tests.mutations.service import Defect, Service


class Asker:
    """One profile on one connection, without a store: a run needs none."""

    def __init__(self, profile: Profile, credential: Credential) -> None:
        self.profile, self.exchanges = profile, Exchanges()
        self._client = Client(profile, credential, self.exchanges)
        self.registry = self._client.registry

    async def send(
        self, request: Request, *, permit: Permit | None = None, credential: Credential | None = None
    ) -> Answer:
        return await self._client.send(request, permit=permit, credential=credential)

    async def aclose(self) -> None:
        await self._client.aclose()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one defect."""

    kind: str
    says: str
    check: str
    found: bool
    others: tuple[str, ...] = ()
    """Checks that complained and were not meant: false alarms."""


@dataclass(slots=True)
class Figures:
    """Found, missed and false alarms, by kind."""

    outcomes: list[Outcome] = field(default_factory=list)
    clean: int = 0
    """Runs over data without a defect."""
    clean_alarms: list[str] = field(default_factory=list)

    @property
    def found(self) -> int:
        return sum(one.found for one in self.outcomes)

    @property
    def alarms(self) -> int:
        return sum(len(one.others) for one in self.outcomes) + len(self.clean_alarms)

    def lines(self) -> Iterator[str]:
        """A table, and what went wrong."""
        yield f"{'kind':38} {'meant':28} {'put in':>6} {'found':>6} {'missed':>6} {'false alarms':>12}"
        for name in dict.fromkeys(one.kind for one in self.outcomes):
            own = [one for one in self.outcomes if one.kind == name]
            meant = ", ".join(sorted({one.check for one in own}))
            found, alarms = sum(one.found for one in own), sum(len(one.others) for one in own)
            yield f"{name:38} {meant:28} {len(own):6} {found:6} {len(own) - found:6} {alarms:12}"
        count = len(self.outcomes)
        share = self.found / count if count else 1.0
        kinds = len({one.kind for one in self.outcomes})
        yield f"{count} defects of {kinds} kinds: {self.found} found ({share:.1%}), {self.alarms} false alarms"
        yield f"{self.clean} runs without a defect: {len(self.clean_alarms)} false alarms"
        for one in self.outcomes:
            if not one.found or one.others:
                what = "missed" if not one.found else "found"
                yield f"  {what}: {one.kind} ({one.says}), meant {one.check}, others {one.others}"
        yield from (f"  clean: {alarm}" for alarm in self.clean_alarms)


class Trials:
    """Runs the checks on one defect after another, against one sandbox."""

    def __init__(self, sandbox: SandboxProcess, service: Service, seed: int) -> None:
        self._service, self._key = service, Credential(Auth.APIKEY, sandbox.apikey)
        self._material, self._seed = Material(sandbox), seed

    def tried(self, kinds: Sequence[str]) -> Figures:
        """One defect of each of the kinds, in order; a kind may stand there more than once."""
        return asyncio.run(self._tried(kinds))

    async def _tried(self, kinds: Sequence[str]) -> Figures:
        figures = Figures()
        for number, name in enumerate(kinds):
            defect = self._drawn(name, number)
            made = await self._checked(defect, Random(f"{self._seed}/told/{number}"))
            bad = {(result.check.id, result.resource) for result in made.bad}
            meant = (defect.check, defect.resource)
            # The verdict on a list sums up what the check found that is meant for it.
            # A list by folder has what the whole one loses, whichever way of asking shows the loss first.
            same = [
                "completeness.list",
                *(["completeness.within"] if meant[0].startswith("completeness.") else ()),
            ]
            told = {meant, *((check, meant[1]) for check in same)} if meant in bad else {meant}
            others = tuple(f"{check} on {resource}" for check, resource in sorted(bad - told))
            figures.outcomes.append(Outcome(name, defect.says, defect.check, meant in bad, others))
        return figures

    def clean(self, count: int) -> Figures:
        """So many runs over slices in which nothing is wrong."""
        return asyncio.run(self._clean(count))

    async def _clean(self, count: int) -> Figures:
        figures = Figures(clean=count)
        for number in range(count):
            rng = Random(f"{self._seed}/clean/{number}")
            key = LISTS[number % len(LISTS)]
            source = SOURCES[key][number // len(LISTS) % len(SOURCES[key])]
            data = self._material.slice(rng, key, source)
            made = await self._checked(Draw(rng, data).defect(""), rng)
            figures.clean_alarms += [f"{r.check.id} on {key} of {source}: {r.seen}" for r in made.bad]
        return figures

    def _drawn(self, name: str, number: int) -> Defect:
        """A defect that the data can take; not every slice has what a kind changes."""
        for attempt in range(20):
            try:
                return KINDS[name].drawn(Random(f"{self._seed}/{number}/{attempt}/{name}"), self._material)
            except (LookupError, ValueError):
                continue
        raise LookupError(f"no slice takes the kind {name}")

    async def _checked(self, defect: Defect, rng: Random) -> Run:
        profile = Profile.sandbox(self._service.base_url).with_connection(self._service.add(defect))
        asker = Asker(profile, self._key)
        try:
            asked = RunOptions(**{"resources": (defect.resource,), **defect.asked})
            return await run(asker, asked, credential=self._key)
        finally:
            await asker.aclose()


def spread(count: int, seed: int) -> list[str]:
    """So many kinds: each as often as any other, but for one, and in an order of their own."""
    names = sorted(KINDS)
    Random(f"{seed}/kinds").shuffle(names)
    return [names[at % len(names)] for at in range(count)]


@contextmanager
def trials(seed: int, scale: float = 1.0) -> Iterator[Trials]:
    """A sandbox that lets nobody wait, the service in front of it, and the trials with a seed.

    ``scale`` multiplies the records that slices are taken from.
    """
    command = sandbox_command(retry_after=0, drip_seconds=0.0005, slow_seconds=0.0005, scale=scale)
    sandbox = SandboxProcess.start(command)
    try:
        with Service(sandbox) as service:
            yield Trials(sandbox, service, seed)
    finally:
        sandbox.stop()
