"""A run under way: one connection after another, each with a client of its own; stopped at once, kept in the end."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from explorer.quality.bundle.choice import Chosen, choose
from explorer.quality.bundle.evidence import BUDGET, Evidence
from explorer.quality.engine.check import Run
from explorer.quality.engine.run import Progress, QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import read_runs
from explorer.quality.reports.report import report_of
from explorer.session import Session
from explorer.session.connection_client import ConnectionClient, aside
from explorer.session.kept_runs import KeptRun, KeptRuns
from explorer.ui.pages.quality.quality_words import about
from explorer.work import in_thread

STOPPED = "It was stopped."
_TURN = 0.0005
"""Seconds after which a busy thread lets another have its turn, while a run goes on. The checks look at each page in a
thread; with Python's 5 ms each call that draws waits for it anew, and painting the request log took 140 ms (measured
over 20,000 records; 33 ms with this, and the run itself was no slower).
"""


@dataclass(frozen=True, slots=True)
class Step:
    """How far a run is."""

    connection: str
    number: int
    """Of the connection, counted from 1."""
    of: int
    progress: Progress | None
    """None before the first word of it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What a run came to."""

    runs: tuple[Run, ...]
    """One for each connection that was begun."""
    left: tuple[str, ...]
    """Connections that were not looked at to the end: it was stopped, or its budget ended."""
    asked: RunOptions
    kept: KeptRun | None
    """None when it could not be kept."""


@dataclass(slots=True, eq=False)
class _Part:
    """One connection of a run."""

    connection: str
    service: ConnectionClient | None = None
    run: QualityRun | None = None
    found: Run | None = None
    whole: bool = False
    evidence: Evidence | None = None
    """While it may still go on; then only what a bundle holds of it is kept."""
    chosen: Chosen | None = None


class Running(QObject):
    """Runs `RunOptions` on connections of the session's profile. The owner starts `run` or `go_on` as its one task."""

    progressed = Signal(object)
    """A `Step`."""
    moved = Signal()
    """One more connection was looked at, and others are still to come."""
    ended = Signal(object)
    """An `Ended`; also after it was stopped or failed."""

    def __init__(self, session: Session, kept: KeptRuns, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._kept = session, kept
        self._parts: list[_Part] = []
        self._last: KeptRun | None = None
        self._ended: Ended | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self.asked = RunOptions()
        self.begun = 0.0
        """When the present run began, on the monotonic clock."""
        self.step: Step | None = None

    async def run(self, asked: RunOptions, connections: Sequence[str]) -> None:
        """Looks at ``connections`` anew. Cancelled, it keeps what was found until then. Raises what failed."""
        await self.close()
        self._ended = None
        self._parts, self._last = [_Part(connection) for connection in connections], None
        await self._go(asked)

    async def go_on(self, asked: RunOptions) -> None:
        """Looks at what is left, with the budget of ``asked`` anew; what was read is not read again.

        Raises what failed, after `ended`.
        """
        await self._idle.wait()
        await self._go(asked)

    async def _go(self, asked: RunOptions) -> None:
        self._idle.clear()
        self.asked, self.begun = asked, time.monotonic()
        try:
            with short_turns():
                for number, part in enumerate(self._parts, 1):
                    if not part.whole:
                        await self._one(part, number)
        finally:
            self.step = None
            try:
                await self._end()
            finally:
                self._idle.set()

    async def close(self) -> None:
        """Waits for the end of what was stopped, and ends the clients of what could still go on."""
        await self._idle.wait()
        for part in self._parts:
            if part.service is not None:
                await part.service.aclose()
                part.service = None
            if part.evidence is not None:
                part.evidence.close()
            part.evidence = part.chosen = None

    # ---------------------------------------------------------------- evidence

    def proves(self, shown: KeptRun | None, runs: Sequence[Run]) -> bool:
        """Whether what proves the report that is shown is at hand: only that of the last run is."""
        ended = self._ended
        if ended is None or not all(part.evidence or part.chosen for part in self._parts if part.found):
            return False
        same = shown is not None and ended.kept is not None and shown.name == ended.kept.name
        return same or (bool(runs) and tuple(runs) == ended.runs)

    async def proof(self) -> tuple[Chosen, ...]:
        """Each run of the last report as it was found, with what a bundle holds of it."""
        made = []
        for part in tuple(self._parts):
            chosen = part.chosen
            if chosen is None and part.found is not None and part.evidence is not None:
                chosen = await in_thread(choose, part.found, part.evidence.still())
            if chosen is not None:
                made.append(chosen)
        return tuple(made)

    def _room(self) -> int:
        """What the evidence of one more connection may take, beside that of those that were stopped."""
        return BUDGET - sum(part.evidence.weight for part in self._parts if part.evidence is not None)

    # ---------------------------------------------------------------- running

    async def _one(self, part: _Part, number: int) -> None:
        def tell(progress: Progress | None) -> None:
            self.step = Step(part.connection, number, len(self._parts), progress)
            self.progressed.emit(self.step)

        tell(None)
        asked = self.asked
        if part.service is None:
            part.service = aside(self._session, part.connection)
        if part.evidence is None:
            # The pages that are open write to the same log: their calls are not the run's.
            part.evidence = Evidence(part.service, budget=self._room(), shared_log=True)
        run, again = part.run, part.run is not None
        if run is None:
            stored = partial(self._session.stored, connection=part.connection)
            run = part.run = QualityRun(
                part.evidence, asked, tell, credential=part.service.credential, stored=stored
            )
        try:
            with part.evidence.noting():
                if again:
                    part.found = await run.continued(
                        calls=asked.calls, records=asked.records, pages=asked.pages, seconds=asked.seconds
                    )
                else:
                    part.found = await run.whole()
        except asyncio.CancelledError:
            part.found = await in_thread(run.so_far, STOPPED)
            raise
        part.whole = not part.found.stopped
        if part.whole:
            await part.service.aclose()
            part.service = part.run = None
            part.evidence.close()
            part.chosen = await in_thread(choose, part.found, part.evidence)
            part.evidence = None
        if number < len(self._parts):
            self.moved.emit()

    async def so_far(self) -> tuple[Run, ...]:
        """What was found on the connections that were looked at, masked as what is kept."""
        return (await in_thread(self._reported, self._found()))[1]

    def _found(self) -> tuple[Run, ...]:
        return tuple(part.found for part in self._parts if part.found is not None)

    async def _end(self) -> None:
        runs, kept = self._found(), None
        left = tuple(part.connection for part in self._parts if not part.whole)
        try:
            if runs:
                # What is shown is what was kept: masked, and the same at the next start.
                document, runs = await in_thread(self._reported, runs)
                kept = await self._kept.keep(document, about(runs, left), instead=self._last)
                self._last = kept
        finally:
            self._ended = Ended(runs, left, self.asked, kept)
            self.ended.emit(self._ended)

    def _reported(self, runs: tuple[Run, ...]) -> tuple[bytes, tuple[Run, ...]]:
        document = self._kept.redacted(as_json(report_of(runs)))
        return document, tuple(read_runs(document))


class _ShortTurns:
    """Threads take shorter turns while one run at least goes on: two windows may run at once, and end in any order."""

    def __init__(self) -> None:
        self._users, self._before = 0, 0.0

    @contextmanager
    def __call__(self) -> Iterator[None]:
        if not self._users:
            self._before = sys.getswitchinterval()
            sys.setswitchinterval(min(self._before, _TURN))
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            if not self._users:
                sys.setswitchinterval(self._before)


short_turns = _ShortTurns()
