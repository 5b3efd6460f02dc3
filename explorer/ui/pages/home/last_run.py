"""What the saved quality runs of a connection tell: what Home says of the last one, and the rows that lists mark.

A run that looked at less does not hide the one before: both are said, and the worst of both counts.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from explorer import words
from explorer.session import Session, StoreFault
from explorer.session.kept_runs import kept_runs
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.quality.engine.check import Result, Run
    from explorer.ui.page import FoundRows

RunVerdict = Literal["fails", "suspect", "accepted", "holds"]
_BY_RANK: tuple[RunVerdict, ...] = ("holds", "accepted", "suspect", "fails")
READ = 5
"""Reports that are looked at: behind so many smaller runs a larger one is found."""
RANK: Mapping[str, int] = {verdict: rank for rank, verdict in enumerate(_BY_RANK)}


@dataclass(frozen=True, slots=True)
class Worst:
    """The gravest finding: of those that fail the first one of the page of runs, else of those that are suspect."""

    resource: str
    """The key of the list or operation; empty where it is about the connection as a whole."""
    check: str
    verdict: str
    sentence: str
    """What was seen, and in how much of what was looked at."""
    at: datetime
    """When the run began that found it."""
    others: str
    """``5 more fail · 20 suspect``, in the same run; empty where it is the only one."""
    document: int
    """The place of its report among those that were read, counted from 0."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run of a connection, and what got worse since the one before."""

    at: datetime
    sentence: str
    """Where it looked at less than an earlier one, two lines, the second about that one."""
    counts: tuple[int, int, int]
    """Results that fail, are suspect, hold; of the two runs, those of the one that came out worse."""
    looked: str
    """How much was read, and in which time."""
    verdicts: Mapping[str, RunVerdict]
    """The gravest verdict on each resource, by its key."""
    before: datetime | None = None
    worse: tuple[str, ...] = ()
    """Resources whose verdict was better in the run before."""
    worst: Worst | None = None
    """None where nothing was found."""
    accepted: int = 0
    """Results that were accepted, which count as none of the others."""


async def mark_found(session: Session, found: FoundRows) -> None:
    """Have the lists mark the rows that saved runs of the connection name, as after the run itself."""
    left = {one.key for one in session.registry.listings()}
    with contextlib.suppress(StoreFault):  # gone or damaged: the page of runs says so
        kept = kept_runs(session)
        for run in kept.of(session.connection, READ) if left else ():
            accepted = await in_thread(kept.accepted_bytes)
            read = await in_thread(_read, await kept.read(run), session.connection, accepted)
            if read is not None:
                found.tell(read)
                left -= read.looked_at
            if not left:
                return


def _read(document: bytes, connection: str, accepted: bytes | None) -> Run | None:
    """The run of ``connection`` in a saved report, beside what is accepted; None without one, or where it is no report.

    To be called in a thread.
    """
    # Here: the checks take 0.2 s to import, and Home may be the first page that a window shows.
    from explorer.quality.reports.beside import accepted_in, beside
    from explorer.quality.reports.read import NoReport, read_runs

    try:
        found = next((run for run in read_runs(document) if run.connection == connection), None)
    except NoReport:
        return None
    return beside(found, accepted_in(accepted)) if found is not None else None


def last_run(documents: Sequence[bytes], connection: str, accepted: bytes | None = None) -> LastRun | None:
    """The last run of ``connection``. ``documents``: its saved reports, the newest first, `READ` of them at most;
    ``accepted``: the profile's baseline, None where it has none or one that cannot be read.

    None where the newest cannot be read, or has nothing of that connection. To be called in a thread.
    """

    def ranks(run: Run | None) -> dict[tuple[str, str], int]:
        """How grave each check of each resource ended; what was skipped or only observed is left out."""
        made: dict[tuple[str, str], int] = {}
        for r in run.results if run is not None else ():
            if r.resource and r.verdict in RANK:
                key = r.resource, r.check.id
                made[key] = max(made.get(key, 0), RANK["accepted" if r.accepted else r.verdict])
        return made

    run = _read(documents[0], connection, accepted) if documents else None
    if run is None:
        return None
    every = [run, *(_read(one, connection, accepted) for one in documents[1:])]
    earlier = [one for one in every[1:] if one is not None]
    before = earlier[0] if earlier else None
    larger = next((one for one in earlier if not _covers(run, one)), None)
    now, then = ranks(run), ranks(before)
    gravest: dict[str, int] = {}
    for (resource, _), rank in (*now.items(), *ranks(larger).items()):
        gravest[resource] = max(rank, gravest.get(resource, 0))
    # A check that was not made before says nothing of what changed.
    least = RANK["accepted"]
    worse = [
        resource
        for (resource, check), rank in now.items()
        if rank > max(least, then.get((resource, check), rank))
    ]
    spent = words.duration(run.seconds * 1000)
    return LastRun(
        run.started_at,
        _sentence(run, larger),
        max(_counts(run), _counts(larger) if larger is not None else (0, 0, 0)),
        f"{words.count(run.records, 'record')} · {words.count(run.pages, 'page')} · {spent}",
        {resource: _BY_RANK[rank] for resource, rank in gravest.items()},
        before.started_at if before is not None else None,
        tuple(dict.fromkeys(worse)),
        _worst([(0, run), *((place, one) for place, one in enumerate(every) if one is larger)]),
        run.head.accepted,
    )


def _worst(runs: Sequence[tuple[int, Run | None]]) -> Worst | None:
    """The gravest finding of ``runs``, each with the place of its report; of equally grave ones the first run's."""
    found = [(place, run, result) for place, run in runs if run is not None for result in run.bad]
    if not found:
        return None
    # What fails is certain: it comes before what is suspect, however much that would cost.
    place, run, result = min(found, key=lambda one: (-RANK[one[2].verdict], one[2].rank))
    rest = Counter(str(one.verdict) for one in run.bad if one is not result)
    same = " more" if rest[str(result.verdict)] else ""
    named = (("fails", "fails" if rest["fails"] == 1 else "fail"), ("suspect", "suspect"))
    others = [
        f"{rest[verdict]:,}{same if verdict == result.verdict else ''} {word}"
        for verdict, word in named
        if rest[verdict]
    ]
    return Worst(
        result.resource,
        result.check.id,
        str(result.verdict),
        _said(result),
        run.started_at,
        " · ".join(others),
        place,
    )


def _said(result: Result) -> str:
    """``departments is null, where the contract has an array (12 of 1,189 records)``."""
    said = (result.seen or result.check.sentence).rstrip(".")
    return f"{said} ({result.found_in})" if result.affected else said


def _covers(run: Run, other: Run) -> bool:
    """Whether ``run`` looked at all that ``other`` looked at, and as far."""
    return other.looked_at <= run.looked_at and set(run.partial) <= set(other.partial)


def _counts(run: Run) -> tuple[int, int, int]:
    verdicts = [str(result.verdict) for result in run.results if not result.accepted]
    return verdicts.count("fails"), verdicts.count("suspect"), verdicts.count("holds")


def _sentence(run: Run, larger: Run | None) -> str:
    from explorer.quality.reports.report import summary_of  # here, as above

    said = summary_of(run.head)
    if larger is None:
        return f"{said[:1].upper()}{said[1:]}."
    of = len({*run.resources, *larger.resources})
    less = len(run.resources) < of
    first = f"{len(run.resources)} of {of} lists and operations" if less else "Not read to the end"
    then = words.day_and_time(larger.started_at)
    return f"{first}: {said}.\nThe larger run of {then}: {larger.head.sentence}."
