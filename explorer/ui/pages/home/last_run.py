"""What Home says of the last quality run of a connection: values, read from its saved report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from explorer import words

RunVerdict = Literal["fails", "suspect", "holds"]
_BY_RANK: tuple[RunVerdict, ...] = ("holds", "suspect", "fails")
RANK: Mapping[str, int] = {verdict: rank for rank, verdict in enumerate(_BY_RANK)}


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run of a connection, and what got worse since the one before."""

    at: datetime
    sentence: str
    counts: tuple[int, int, int]
    """Results that fail, are suspect, hold."""
    looked: str
    """How much was read, and in which time."""
    verdicts: Mapping[str, RunVerdict]
    """The gravest verdict on each resource, by its key."""
    before: datetime | None = None
    worse: tuple[str, ...] = ()
    """Resources whose verdict was better in the run before."""


def last_run(documents: Sequence[bytes], connection: str) -> LastRun | None:
    """The last run of ``connection``. ``documents``: its saved reports, the newest first; one or two are looked at.

    None where the newest cannot be read, or has nothing of that connection. To be called in a thread.
    """
    # Here: the checks take 0.2 s to import, and Home may be the first page that a window shows.
    from explorer.quality.engine.check import Run
    from explorer.quality.reports.read import NoReport, read_runs

    def read(document: bytes) -> Run | None:
        try:
            return next((run for run in read_runs(document) if run.connection == connection), None)
        except NoReport:
            return None

    def ranks(run: Run | None) -> dict[tuple[str, str], int]:
        """How grave each check of each resource ended; what was skipped or only observed is left out."""
        results = run.results if run is not None else ()
        return {
            (r.resource, r.check.id): RANK[r.verdict] for r in results if r.resource and r.verdict in RANK
        }

    run = read(documents[0]) if documents else None
    if run is None:
        return None
    before = read(documents[1]) if len(documents) > 1 else None
    now, then = ranks(run), ranks(before)
    gravest: dict[str, int] = {}
    for (resource, _), rank in now.items():
        gravest[resource] = max(rank, gravest.get(resource, 0))
    # A check that was not made before says nothing of what changed.
    worse = [resource for (resource, check), rank in now.items() if rank > then.get((resource, check), rank)]
    said, spent = run.head.sentence, words.duration(run.seconds * 1000)
    verdicts = [str(result.verdict) for result in run.results]
    return LastRun(
        run.started_at,
        f"{said[:1].upper()}{said[1:]}.",
        (verdicts.count("fails"), verdicts.count("suspect"), verdicts.count("holds")),
        f"{words.count(run.records, 'record')} · {words.count(run.pages, 'page')} · {spent}",
        {resource: _BY_RANK[rank] for resource, rank in gravest.items()},
        before.started_at if before is not None else None,
        tuple(dict.fromkeys(worse)),
    )
