"""Running the checks on one connection after another, each with its own client; a run can be stopped at once, and is
saved as it goes and at its end. Also here: the saved runs, which can be listed, opened and compared.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QMenu

from explorer.api.errors import ExplorerError
from explorer.quality.bundle.choice import Chosen, choose, choose_logged
from explorer.quality.bundle.evidence import BUDGET, Evidence
from explorer.quality.engine.check import Run
from explorer.quality.engine.progress import Expected, Progress
from explorer.quality.engine.run import QualityRun
from explorer.quality.engine.run_options import RunOptions
from explorer.quality.reports.json import as_json
from explorer.quality.reports.read import NoReport, read_runs
from explorer.quality.reports.report import report_of
from explorer.session import Session, StoreFault
from explorer.session.connection_client import ConnectionClient, aside
from explorer.session.kept_runs import CALLS, KeptRun, KeptRuns, spans_of
from explorer.ui.kit.notices import Notices
from explorer.ui.kit.plain import visible
from explorer.ui.pages.quality.quality_words import about, share_lists, short_moment
from explorer.words import count
from explorer.work import in_thread

_TURN = 0.0005
"""Python's thread switch interval during a run, in seconds. The checks read each page in a thread. With the usual 5 ms
every call that draws waits that long for it, and painting the request log took 140 ms (measured over 20,000 records);
with this value it took 33 ms, and the run was not slower.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """The progress of a run."""

    connection: str
    number: int
    """The connection's number among those of the run, counted from 1."""
    of: int
    progress: Progress | None
    """None until the connection reports its first progress."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run."""

    runs: tuple[Run, ...]
    """One run for each connection that was begun."""
    left: tuple[str, ...]
    """Connections that were not checked to the end, as the run was stopped or its budget ended."""
    kept: KeptRun | None
    """The saved report; None when it could not be saved."""


@dataclass(slots=True, eq=False)
class _ConnectionRun:
    """One connection of a run."""

    connection: str
    service: ConnectionClient | None = None
    run: QualityRun | None = None
    found: Run | None = None
    whole: bool = False
    evidence: Evidence | None = None
    """Its evidence, while it may be continued; afterwards only ``chosen`` is kept in memory."""
    chosen: Chosen | None = None


class QualityRunner(QObject):
    """Runs `RunOptions` on connections of the session's profile. The page starts `run` or `go_on` as its one task."""

    progressed = Signal(object)
    """Carries a `Step`."""
    found = Signal(object)
    """Carries the runs with what was found so far, masked as in a saved report: as it is found."""
    ended = Signal(object)
    """Carries an `RunResult`; emitted also after the run was stopped or failed."""

    def __init__(
        self,
        session: Session,
        kept: KeptRuns,
        parent: QObject,
        judged: Callable[[Sequence[Run]], tuple[Run, ...]] = tuple,
    ) -> None:
        """``judged`` puts runs beside what was accepted, for the words of the list of saved runs."""
        super().__init__(parent)
        self._session, self._kept, self._judged = session, kept, judged
        self._parts: list[_ConnectionRun] = []
        self._last: KeptRun | None = None
        self._ended: RunResult | None = None
        self._idle = asyncio.Event()
        self._idle.set()
        self.asked = RunOptions()
        self.begun = 0.0
        """When the present run began, in seconds of the monotonic clock."""
        self.step: Step | None = None
        self.last: Progress | None = None
        """How far the run on the last connection is, or was at its end."""

    async def run(self, asked: RunOptions, connections: Sequence[str]) -> None:
        """Check ``connections`` from the beginning. When cancelled, what was found is saved. Raises what failed."""
        await self.close()
        self._ended = None
        self._parts, self._last = [_ConnectionRun(connection) for connection in connections], None
        await self._go(asked)

    def about(self, asked: RunOptions, absent: Collection[str] = ()) -> Expected:
        """About how many calls a run makes on one connection; ``absent`` names lists that are not there.

        Nothing is sent.
        """
        return QualityRun(self._session, asked, stored=self._session.stored).progress("").expected(absent)

    async def go_on(self, asked: RunOptions) -> None:
        """Check what is left, with a full budget of ``asked`` again; what was read is not read again.

        Raises what failed, after `ended` was emitted.
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
        """Wait until a stopped run has ended, and close the clients of a run that could be continued."""
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
        """Whether there is evidence for the shown report: of the last run in memory, of others in the request log."""
        return self._at_hand(shown, runs) or bool(shown is not None and self._logged(shown))

    def _logged(self, kept: KeptRun) -> bool:
        archive = self._session.exchanges.archive
        last = [numbers[-1] for numbers in kept.calls if numbers]
        return archive is not None and bool(archive.heads(last))

    def _at_hand(self, shown: KeptRun | None, runs: Sequence[Run]) -> bool:
        ended = self._ended
        if ended is None or not all(part.evidence or part.chosen for part in self._parts if part.found):
            return False
        same = shown is not None and ended.kept is not None and shown.name == ended.kept.name
        return same or (bool(runs) and tuple(runs) == ended.runs)

    async def proof(self, shown: KeptRun | None, runs: Sequence[Run]) -> tuple[Chosen, ...]:
        """The shown report's runs as they were found, each with the evidence that a bundle holds of it."""
        if shown is not None and not self._at_hand(shown, runs):
            return await in_thread(choose_logged, runs, shown.calls, self._session)
        made = []
        for part in tuple(self._parts):
            chosen = part.chosen
            if chosen is None and part.found is not None and part.evidence is not None:
                chosen = await in_thread(choose, part.found, part.evidence.still())
            if chosen is not None:
                made.append(chosen)
        return tuple(made)

    def calls_of(self, run: Run, shown: KeptRun | None, runs: Sequence[Run]) -> Sequence[int]:
        """The numbers in the request log of the calls of ``run``, one of the shown report: of the last run, also while
        it is under way, and of a saved one.
        """
        if shown is not None and not self._at_hand(shown, runs):
            own = zip(runs, shown.calls, strict=False)
            return next((calls for one, calls in own if one.connection == run.connection), ())
        return self._numbers(run)

    def _room(self) -> int:
        """Bytes left for the evidence of one more connection, besides that of connections that may be continued."""
        return BUDGET - sum(part.evidence.weight for part in self._parts if part.evidence is not None)

    # ---------------------------------------------------------------- running

    async def _one(self, part: _ConnectionRun, number: int) -> None:
        def tell(progress: Progress | None) -> None:
            self.step = Step(part.connection, number, len(self._parts), progress)
            self.last = progress or self.last
            self.progressed.emit(self.step)

        tell(None)
        asked = self.asked
        if part.service is None:
            part.service = aside(self._session, part.connection)
        if part.evidence is None:
            # Open pages write to the same log, and their calls do not belong to the run.
            part.evidence = Evidence(part.service, budget=self._room(), shared_log=True)
        run, again = part.run, part.run is not None
        if run is None:
            stored = partial(self._session.stored, connection=part.connection)
            run = part.run = QualityRun(
                part.evidence,
                asked,
                tell,
                credential=part.service.credential,
                stored=stored,
                on_found=self._tell_found,
            )
        try:
            with part.evidence.noting():
                if again:
                    part.found = await run.continued(
                        calls=asked.calls,
                        records=asked.records,
                        pages=asked.pages,
                        seconds=asked.seconds,
                        quick=asked.quick,
                    )
                else:
                    part.found = await run.whole()
        except asyncio.CancelledError:
            part.found = await in_thread(run.so_far, f"Stopped at {count(run.calls, 'call')}")
            raise
        part.whole = not part.found.stopped
        if part.whole and not (asked.quick or part.found.broken_off):  # these two may still go on
            await part.service.aclose()
            part.service = part.run = None
            part.evidence.close()
            part.chosen = await in_thread(choose, part.found, part.evidence)
            part.evidence = None

    async def _tell_found(self, run: Run) -> None:
        """Show what was found so far and save it, as the program may be killed; `_end` saves the whole in its place."""
        before = [part.found for part in self._parts if part.found and part.connection != run.connection]
        calls = sum(part.run.calls for part in self._parts if part.run and part.connection == run.connection)
        cut = replace(run, stopped=f"Broken off, or still under way, at {count(calls, 'call')}")
        document, runs = await in_thread(self._reported, (*before, cut))
        self.found.emit((*runs[:-1], replace(runs[-1], stopped="")))
        with contextlib.suppress(StoreFault):  # tried again at the end, and said there
            await self._keep(document, runs)

    def try_again(self, key: str) -> None:
        """Begin a list that failed anew: in the run under way, else with `go_on`."""
        for part in self._parts:
            if part.run is not None:
                part.run.try_again(key)
                part.whole = False

    def look_at(self, *, quick: bool) -> None:
        """Change how much of each list the run under way looks at, from the page under way on."""
        self.asked = replace(self.asked, quick=quick)
        for part in self._parts:
            if part.run is not None:
                part.run.look_at(quick=quick)
                part.whole = False

    def is_last(self, runs: Sequence[Run]) -> bool:
        """Whether these are the runs that ended last, so that what is left of them can be asked for."""
        return bool(runs) and self._ended is not None and tuple(runs) == self._ended.runs

    def _found(self) -> tuple[Run, ...]:
        return tuple(part.found for part in self._parts if part.found is not None)

    async def _end(self) -> None:
        runs, kept = self._found(), None
        try:
            if runs:
                # Show what was saved: masked, and the same as at the next start.
                document, runs = await in_thread(self._reported, runs)
                kept = await self._keep(document, runs)
        finally:
            self._ended = RunResult(runs, self._unfinished, kept)
            self.ended.emit(self._ended)

    @property
    def _unfinished(self) -> tuple[str, ...]:
        return tuple(part.connection for part in self._parts if not part.whole)

    async def _keep(self, document: bytes, runs: Sequence[Run]) -> KeptRun:
        """Save a report in place of the one that was saved before of this run. Raises StoreFault."""
        shown = about(self._judged(runs), self._unfinished)
        shown[CALLS] = [spans_of(self._numbers(run)) for run in runs]
        self._last = await self._kept.keep(document, shown, instead=self._last)
        return self._last

    def _numbers(self, run: Run) -> list[int]:
        """The numbers in the request log of the calls of ``run``, one of the run that ended last or is under way."""
        held = (part.chosen or part.evidence for part in self._parts if part.connection == run.connection)
        return [call.id for one in held if one is not None for call in one.calls]

    def _reported(self, runs: tuple[Run, ...]) -> tuple[bytes, tuple[Run, ...]]:
        document = self._kept.redacted(as_json(report_of(runs)))
        return document, tuple(read_runs(document))


class _ShortTurns:
    """Shortens the thread switch interval while at least one run goes on; runs of two windows may end in any order."""

    def __init__(self) -> None:
        self._users, self._before = 0, 0.0

    @contextlib.contextmanager
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


class SavedRuns:
    """The saved runs, newest first, and which of them is shown."""

    def __init__(self, kept: KeptRuns, connection: str, notices: Notices) -> None:
        """``connection`` is the one in use."""
        self._kept, self._here, self._notices = kept, connection, notices
        self.shown: KeptRun | None = None
        self.listed: Sequence[KeptRun] = ()

    def list_in(self, combo: QComboBox) -> None:
        """Read which runs are saved, and list them in ``combo``."""
        self.listed = self._kept.all()
        combo.clear()
        combo.addItems([words_of(run, self._here) for run in self.listed])
        self.mark_in(combo)

    def mark_in(self, combo: QComboBox) -> None:
        """Select the shown run in ``combo``."""
        combo.setCurrentIndex(self._place())

    def named(self, name: str) -> KeptRun | None:
        """The saved run of that name, else the newest; None when there is none."""
        return next((run for run in self.listed if run.name == name), next(iter(self.listed), None))

    async def read(self, run: KeptRun) -> tuple[Run, ...]:
        """The runs of a saved report; empty, and a notice, when it cannot be read."""
        try:
            document = await self._kept.read(run)
            return tuple(await in_thread(read_runs, document))
        except (ExplorerError, NoReport) as error:
            said = error.sentence if isinstance(error, ExplorerError) else str(error)
            self._notices.tell("caution", "A saved run cannot be shown", said)
            return ()

    async def before(self, run: Run) -> Run | None:
        """The last saved run before ``run`` that looked at the same lists of its connection, or None."""
        place = self._place()
        if place < 0:
            return None
        for kept in self.listed[place + 1 :]:
            found = await self.of_connection(kept, run)
            if found is not None and share_lists(run, found):
                return found
        return None

    async def of_connection(self, kept: KeptRun, run: Run) -> Run | None:
        """The run of ``kept`` on the connection of ``run``, or None."""
        if not _holds(kept, run):
            return None
        return next((one for one in await self.read(kept) if one.connection == run.connection), None)

    def fill(self, menu: QMenu, run: Run | None, compare: Callable[[KeptRun], object]) -> None:
        """Add the other saved runs of the connection of ``run`` to ``menu``."""
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
    """When a saved run began, as the head of its page says; where that is not known, when it was saved."""
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
