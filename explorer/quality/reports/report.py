"""What runs found, in the order and the words of every report: made once of the runs, and only rendered after that."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.quality.engine.check import Example, Finding, Head, MappingResult, Result, Run, Verdict
from explorer.quality.engine.grid import Grid, grid_of
from explorer.quality.engine.identity import Identity, identified
from explorer.words import count

MOST_UNUSED = 30
"""Paths of raw_data that are named of a list, where nothing comes from them."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finding of a result."""

    identity: Identity
    finding: Finding
    """Of a result that has none of its own, what it says as a whole."""
    looked_at: int
    """Among how many things, as its check counts them."""


@dataclass(frozen=True, slots=True)
class Line:
    """One result."""

    result: Result
    command: str
    """What makes it again, as a shell takes it; empty where nothing is wrong."""
    found: tuple[Found, ...]
    """What is wrong; empty where nothing is."""

    @property
    def details(self) -> tuple[Found, ...]:
        """What is wrong beyond what the line itself says."""
        return self.found if self.result.findings else ()


@dataclass(frozen=True, slots=True)
class Section:
    """One run."""

    run: Run
    head: Head
    sentence: str
    """What was found, and how much was looked at: before all else."""
    coverage: str
    lines: tuple[Line, ...]
    """Of all results, as they were found."""
    mappings: tuple[MappingResult, ...]
    """Of the lists of which some field holds a value."""

    @property
    def ranked(self) -> list[Line]:
        """All lines: what is bad by its rank, then what was observed, what holds and what was skipped."""
        rest = (Verdict.OBSERVED, Verdict.HOLDS, Verdict.SKIPPED)
        return [*self.bad, *(line for verdict in rest for line in self.of(verdict))]

    @property
    def bad(self) -> list[Line]:
        """What fails or is suspect, the gravest first."""
        return sorted((one for one in self.lines if one.result.is_bad), key=lambda one: one.result.rank)

    def of(self, verdict: Verdict) -> list[Line]:
        """The lines of one verdict, as they were found."""
        return [line for line in self.lines if line.result.verdict is verdict]


@dataclass(frozen=True, slots=True)
class Report:
    """The runs, one after another, and side by side where there are several."""

    sections: tuple[Section, ...]
    grid: Grid | None


def report_of(runs: Sequence[Run]) -> Report:
    """The report of some runs."""
    return Report(tuple(map(_section, runs)), grid_of(runs) if len(runs) > 1 else None)


def _section(run: Run) -> Section:
    head = run.head
    coverage = "not known" if head.coverage is None else f"{head.coverage:.0%}"
    mappings = tuple(one for one in run.mappings if one.filled)
    lines = tuple(_line(run, one) for one in run.results)
    return Section(run, head, f"{head.sentence[:1].upper()}{head.sentence[1:]}.", coverage, lines, mappings)


def _line(run: Run, result: Result) -> Line:
    if not result.is_bad:
        return Line(result, "", ())
    whole = Finding("", "", result.seen, max(result.affected, 1), (), result.verdict)
    found = ((identity, finding or whole) for identity, finding in identified(result))
    made = (Found(identity, one, max(result.measured, one.count)) for identity, one in found)
    return Line(result, shlex.join(run.command(result)), tuple(made))


def finding_words(finding: Finding) -> str:
    """``size is text: 312 times``."""
    return f"{finding.sentence}: {count(finding.count, 'time')}"


def place_words(example: Example) -> str:
    """Where an example stands: ``page 2, row 1,105, id 7``; ``call`` where it is of no page or row."""
    places = [f"page {example.page}"] if example.page else []
    places += [f"row {example.row:,}"] if example.row else []
    places += [f"id {example.id}"] if example.id else []
    return ", ".join(places) or "call"
