"""A run under way: one connection after another, each with a client of its own; stopped at once, kept in the end. And
the runs that were kept: listed, opened, and found for a comparison.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QMenu

from explorer.api.errors import ExplorerError
from explorer.quality.bundle.choice import Chosen, choose
from explorer.quality.bundle.evidence import BUDGET, Evidence
from explorer.quality.engine.check import Run
from explorer.quality.engine.run import Progress, QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import NoReport, read_runs
from explorer.quality.reports.report import report_of
from explorer.session import Session
from explorer.session.connection_client import ConnectionClient, aside
from explorer.session.kept_runs import KeptRun, KeptRuns
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import visible
from explorer.ui.pages.quality.quality_words import about, short_moment
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


class Earlier:
    """The kept runs, newest first, and the one that is shown."""

    def __init__(self, kept: KeptRuns, connection: str, notices: Notices) -> None:
        """``connection`` is the one in use."""
        self._kept, self._here, self._notices = kept, connection, notices
        self.shown: KeptRun | None = None
        self.listed: Sequence[KeptRun] = ()

    def list_in(self, combo: QComboBox) -> None:
        """Look again, and offer what is there."""
        self.listed = self._kept.all()
        combo.clear()
        combo.addItems([words_of(run, self._here) for run in self.listed])
        self.mark_in(combo)

    def mark_in(self, combo: QComboBox) -> None:
        """Choose the one that is shown."""
        combo.setCurrentIndex(self._place())

    def named(self, name: str) -> KeptRun | None:
        """The one of that name, else the newest; None when none is kept."""
        return next((run for run in self.listed if run.name == name), next(iter(self.listed), None))

    async def read(self, run: KeptRun) -> tuple[Run, ...]:
        """What it found; nothing, and a word to the user, when it cannot be read."""
        try:
            document = await self._kept.read(run)
            return tuple(await in_thread(read_runs, document))
        except (ExplorerError, NoReport) as error:
            said = error.sentence if isinstance(error, ExplorerError) else str(error)
            self._notices.tell("caution", "A saved run cannot be shown", said)
            return ()

    async def before(self, run: Run) -> Run | None:
        """The run before the one that is shown, on the same connection."""
        place = self._place()
        if place < 0:
            return None
        for kept in self.listed[place + 1 :]:
            if (found := await self.of_connection(kept, run)) is not None:
                return found
        return None

    async def of_connection(self, kept: KeptRun, run: Run) -> Run | None:
        """What ``kept`` holds of the connection of ``run``."""
        if not _holds(kept, run):
            return None
        return next((one for one in await self.read(kept) if one.connection == run.connection), None)

    def fill(self, menu: QMenu, run: Run | None, compare: Callable[[KeptRun], object]) -> None:
        """Offer the other runs of the connection of ``run``."""
        menu.clear()
        for kept in self.listed:
            shown = self.shown is not None and kept.name == self.shown.name
            if run is not None and not shown and _holds(kept, run):
                menu.addAction(words_of(kept, run.connection), partial(compare, kept))
        if menu.isEmpty():
            menu.addAction("No other run of this connection is saved").setEnabled(False)

    def _place(self) -> int:
        names = [kept.name for kept in self.listed]
        return names.index(self.shown.name) if self.shown is not None and self.shown.name in names else -1


def _holds(kept: KeptRun, run: Run) -> bool:
    connections = kept.about.get("connections")
    return isinstance(connections, list) and run.connection in connections


def _begun(kept: KeptRun) -> datetime:
    """When it began, as the head of its page says; where that is not known, when it was kept."""
    try:
        begun = datetime.fromisoformat(str(kept.about.get("started_at", "")))
    except ValueError:
        return kept.at
    return begun if begun.tzinfo is not None else kept.at


def words_of(kept: KeptRun, here: str = "") -> str:
    """``20 Nov 12:04 · 2 fail · conn_1``; the connection only where it is not the one in use."""
    connections = kept.about.get("connections")
    known = connections if isinstance(connections, list) else []
    where = str(known[0]) if len(known) == 1 else f"{len(known)} connections"
    said = (short_moment(_begun(kept)), str(kept.about.get("words", "")), "" if known == [here] else where)
    return visible(" · ".join(filter(None, said)))
