"""The result of runs in the order and words of every report: made once from the runs, then only rendered."""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from explorer.quality.baseline.baseline import Accepted, Baseline, Standing
from explorer.quality.engine.check import BAD, UNDONE, Example, Finding, Head, Result, Run, Verdict
from explorer.quality.engine.grid import Grid, grid_of
from explorer.quality.engine.identity import Identity, identified
from explorer.quality.engine.mapping_result import MappingResult
from explorer.words import count as counted

MOST_NAMED = 50
"""Records of a finding that a text for people names."""
MOST_UNUSED = 30
"""How many unused paths of raw data are named for a list."""


@dataclass(frozen=True, slots=True)
class Found:
    """One finding of a result."""

    identity: Identity
    finding: Finding
    """The finding; for a bad result without findings, one made from its sentence."""
    verdict: Verdict
    count: int
    """How often it occurred, with others of the same identity."""
    looked_at: int
    """How many things the check looked at."""
    standing: Standing | None = None
    """None without a baseline, and of what is only observed."""
    accepted: Accepted | None = None

    @property
    def is_bad(self) -> bool:
        """Whether it fails or is suspect; others of its result are only observed."""
        return self.verdict in BAD

    @property
    def standing_words(self) -> str:
        """``new``, ``known: at most 12 of 4,000, they mend it (CRM-12)``; empty without a baseline."""
        if self.standing is None or self.accepted is None:
            return str(self.standing or "")
        return f"{self.standing}: {self.accepted.words}"


@dataclass(frozen=True, slots=True)
class Line:
    """One result."""

    result: Result
    command: str
    """The shell command that reproduces it; empty when nothing is wrong."""
    found: tuple[Found, ...]
    """Its bad findings."""
    fixed: tuple[Accepted, ...] = ()
    """Accepted findings of its check and list that are gone."""

    @property
    def details(self) -> tuple[Found, ...]:
        """The findings that say more than the line itself."""
        return self.found if self.result.findings else ()

    @property
    def standing(self) -> Standing | None:
        """The most urgent standing of its findings; None without a baseline, or when nothing is wrong."""
        there = [one.standing for one in self.found if one.standing is not None]
        return min(there, key=list(Standing).index, default=None)

    @property
    def standing_words(self) -> str:
        """The standings of its findings in one line, such as ``2 new · 1 known``; may be empty."""
        counts = Counter(str(one.standing) for one in self.found if one.standing is not None)
        said = [f"{counts[one]:,} {one}" for one in Standing if counts[one]]
        said += [f"{len(self.fixed):,} fixed"] if self.fixed else []
        return " · ".join(said)


@dataclass(frozen=True, slots=True)
class Section:
    """One run."""

    run: Run
    head: Head
    sentence: str
    """The first line: what was found, and how much was looked at."""
    coverage: str
    lines: tuple[Line, ...]
    """All results, in the order of the run."""
    mappings: tuple[MappingResult, ...]
    """The mappings of lists in which some field holds a value."""

    @property
    def ranked(self) -> list[Line]:
        """All lines: the bad ones by rank, then observed, holding and skipped ones."""
        rest = (Verdict.OBSERVED, Verdict.HOLDS, Verdict.SKIPPED)
        return [*self.bad, *(line for verdict in rest for line in self.of(verdict))]

    @property
    def bad(self) -> list[Line]:
        """The lines that fail or are suspect, the gravest first."""
        return sorted((one for one in self.lines if one.result.is_bad), key=lambda one: one.result.rank)

    @property
    def found(self) -> list[Found]:
        """Its bad findings, the gravest results first."""
        return [found for line in self.bad for found in line.found if found.is_bad]

    @property
    def unjudged(self) -> list[str]:
        """The reasons why the run cannot say that nothing else is wrong; empty when it can."""
        quick = [self.head.quick_words] if self.head.quick else []
        return list(dict.fromkeys((*self.head.little, *quick, *self.run.unread)))

    def of(self, verdict: Verdict) -> list[Line]:
        """The lines of one verdict, in the order of the run."""
        return [line for line in self.lines if line.result.verdict is verdict]


@dataclass(frozen=True, slots=True)
class Report:
    """The runs, one after another, and side by side where there are several."""

    sections: tuple[Section, ...]
    grid: Grid | None
    baseline: Baseline | None = None
    fixed: tuple[Accepted, ...] = ()
    """Accepted findings that are gone although they were looked for."""

    @property
    def found(self) -> list[Found]:
        """All bad findings, in the order of the runs."""
        return [found for section in self.sections for found in section.found]

    @property
    def read(self) -> list[Section]:
        """The runs that could read something: what the others found is of this day, not of the connector."""
        return [section for section in self.sections if not section.run.failure]

    @property
    def standings(self) -> dict[str, int]:
        """How many findings are new, grown, expired, known and fixed; empty without a baseline."""
        if self.baseline is None:
            return {}
        counts = Counter(one.standing for one in self.found)
        return {**{str(one): counts[one] for one in Standing}, "fixed": len(self.fixed)}

    @property
    def standing_words(self) -> str:
        """``2 new, 0 grown, 0 expired, 12 known, 3 fixed``; empty without a baseline."""
        return ", ".join(f"{number:,} {word}" for word, number in self.standings.items())


def report_of(
    runs: Sequence[Run], baseline: Baseline | None = None, clean: Callable[[str], str] = str
) -> Report:
    """The report of some runs, compared with accepted findings. ``clean`` masks what identifies a finding."""
    sections = tuple(_section(run, baseline, clean) for run in runs)
    report = Report(sections, grid_of(runs) if len(runs) > 1 else None, baseline)
    fixed = baseline.fixed(runs, (one.identity for one in report.found)) if baseline else ()
    return replace(report, fixed=fixed, sections=tuple(_with_fixed(one, fixed) for one in sections))


def fault_words(head: Head) -> str:
    """Why checks could not be done, a fault of the program among them by name: ``an error in the program itself (…),
    please report it: 8 checks could not be done``; empty where all were.
    """
    return "; ".join(
        f"{why.removeprefix(UNDONE)}: {counted(times, 'check')} could not be done"
        for why, times in head.because
        if why.startswith(UNDONE)
    )


def summary_of(head: Head) -> str:
    """The first line of a run without its ending: what could not be done and why, then the rest."""
    return "; ".join(filter(None, (fault_words(head), head.sentence)))


def _with_fixed(section: Section, fixed: Sequence[Accepted]) -> Section:
    of: dict[tuple[str, str], list[Accepted]] = defaultdict(list)
    for one in fixed:
        of[one.identity[:2]].append(one)
    places = ((line, (line.result.check.id, line.result.resource)) for line in section.lines)
    return replace(section, lines=tuple(replace(line, fixed=tuple(of[place])) for line, place in places))


def _section(run: Run, baseline: Baseline | None, clean: Callable[[str], str]) -> Section:
    head = run.head
    coverage = "not known" if head.coverage is None else f"{head.coverage:.0%}"
    mappings = tuple(one for one in run.mappings if one.filled)
    lines = tuple(_line(run, one, baseline, clean) for one in run.results)
    said = summary_of(head)
    sentence = f"{said[:1].upper()}{said[1:]}."
    return Section(run, head, sentence, coverage, lines, mappings)


def _line(run: Run, result: Result, baseline: Baseline | None, clean: Callable[[str], str]) -> Line:
    if not result.is_bad:
        return Line(result, "", ())
    found = found_of(run, result, baseline, clean)
    return Line(result, shlex.join(run.command(result)), found)


def found_of(
    run: Run, result: Result, baseline: Baseline | None = None, clean: Callable[[str], str] = str
) -> tuple[Found, ...]:
    """The findings of a result of ``run`` that is bad, in its order, each beside the baseline."""
    whole = Finding("", "", result.seen, max(result.affected, 1), (), result.verdict)
    named = [(Identity(*map(clean, key)), finding or whole) for key, finding in identified(result)]
    counts: Counter[Identity] = Counter()
    for identity, finding in named:
        counts[identity] += finding.count
    # A result that is bad has something that is: where none of its findings says so, all of them are it.
    own = any(finding.verdict in BAD for _, finding in named)
    found = []
    for identity, finding in named:
        times, verdict = counts[identity], finding.verdict if own else result.verdict
        one = Found(identity, finding, verdict, times, max(result.measured, times))
        if baseline is not None and one.is_bad:
            standing = baseline.standing(identity, times, one.looked_at, run.started_at.date())
            one = replace(one, standing=standing, accepted=baseline.accepted.get(identity))
        found.append(one)
    return tuple(found)


def finding_words(finding: Finding) -> str:
    """``size is text: 312 times``."""
    return f"{finding.sentence}: {counted(finding.count, 'time')}"


def more_words(finding: Finding, listed: int) -> str:
    """``and 17 more``, where so many of its places are listed; empty where these are all, or none is."""
    return f"and {finding.count - listed:,} more" if 0 < listed < finding.count else ""


def others_words(finding: Finding, listed: Sequence[Example]) -> str:
    """``and 5 more, in 5 further records: 7, 9, …``: `more_words` with the ids of records beside those that are listed.

    Of more than `MOST_NAMED` records it says where the others are.
    """
    more = more_words(finding, len(listed))
    shown = {one.id for one in listed}
    ids = [one for one in finding.ids if one not in shown]
    named = ids[: max(MOST_NAMED - len(listed), 0)]
    if not more or not named:
        return more
    further = (
        f"in {counted(len(ids), 'further record')}"
        if len(ids) == len(named)
        else (f"the next {len(named)} records of {len(finding.ids):,} that a JSON report names")
    )
    return f"{more}, {further}: {', '.join(named)}"


def example_words(example: Example) -> str:
    """Where an example is, its value and that of its source: ``row 7: "2 MB" (raw_data.size is 2296744)``."""
    beside = f"({example.source_words})" if example.source else ""
    value = " ".join(filter(None, (example.value, beside)))
    return ": ".join(filter(None, (place_words(example), value)))


def place_words(example: Example) -> str:
    """Where an example is: ``page 2, row 1,105, id 7``; ``call`` when it is of no page or row."""
    places = [f"page {example.page}"] if example.page else []
    places += [f"row {example.row:,}"] if example.row else []
    places += [f"id {example.id}"] if example.id else []
    return ", ".join(places) or "call"
