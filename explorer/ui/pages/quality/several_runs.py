"""Runs of several connections side by side: a grid of their verdicts, and where they come out differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from explorer import words
from explorer.quality.engine.all_checks import groups
from explorer.quality.engine.check import Check, Result, Run, Verdict
from explorer.ui.pages.quality.quality_words import BADGES, ORDER, WORDS, group_title, verdict_words, where

_GRAVEST = (Verdict.FAILS, Verdict.SUSPECT, Verdict.HOLDS, Verdict.OBSERVED, Verdict.SKIPPED)


@dataclass(frozen=True, slots=True)
class GridCell:
    """One connection's results of a group or check."""

    results: tuple[Result, ...]
    unread: bool = False
    """Whether it is about records and its run read none: that such a check holds is then no good sign."""

    @property
    def words(self) -> str:
        """How many results have which verdict."""
        return verdict_words(self.results) or "Not looked at"

    @property
    def gravest(self) -> Verdict | None:
        """The verdict of the gravest finding; without findings, "holds" comes before what was only recorded."""
        verdicts = {result.verdict for result in self.results if not result.accepted}
        return next((verdict for verdict in _GRAVEST if verdict in verdicts), None)

    @property
    def badge(self) -> str:
        """The kind of badge for the gravest verdict; empty where nothing was checked."""
        gravest = self.gravest
        if self.unread and gravest is Verdict.HOLDS:
            return BADGES[Verdict.SKIPPED]
        return BADGES[gravest] if gravest is not None else ""

    @property
    def parts(self) -> tuple[str, str]:
        """The gravest verdict with its count, and the others with theirs."""
        gravest = self.gravest
        return (
            verdict_words(r for r in self.results if r.verdict is gravest and not r.accepted),
            verdict_words(r for r in self.results if r.verdict is not gravest or r.accepted),
        )

    @property
    def tip(self) -> str:
        """The tooltip: what was found, one line each."""
        bad = [f"{r.check.sentence}: {r.seen}" for r in self.results if r.is_bad]
        return "\n".join([self.words, *bad[:10]])


@dataclass(frozen=True, slots=True)
class GridRow:
    """A group or a check, with a cell for each connection."""

    name: str
    cells: tuple[GridCell, ...]


def grid_rows(runs: Sequence[Run], *, by_check: bool) -> list[GridRow]:
    """A row for each check that ran, the gravest first; or, unless ``by_check``, for each group."""
    names = {group: group_title(group) for group in groups()}
    if by_check:
        names = {result.check.id: result.check.sentence for run in runs for result in run.results}

    def key_of(check: Check) -> str:
        return check.id if by_check else check.group

    of_records = {key_of(r.check) for run in runs for r in run.results if r.check.group in _OF_RECORDS}
    rows = [
        GridRow(
            name,
            tuple(
                GridCell(
                    tuple(r for r in run.results if key_of(r.check) == key),
                    unread=read_nothing(run) and key in of_records,
                )
                for run in runs
            ),
        )
        for key, name in names.items()
    ]
    looked_at = [row for row in rows if any(cell.results for cell in row.cells)]
    if by_check:
        looked_at.sort(key=_rank)
    return looked_at


def _rank(row: GridRow) -> int:
    verdicts = (
        ORDER.index(result.verdict) for cell in row.cells for result in cell.results if not result.accepted
    )
    return min(verdicts, default=len(ORDER) - 1)


@dataclass(frozen=True, slots=True)
class Apart:
    """Where runs of several connections come out differently, and what to open to see it."""

    words: str
    at: int = -1
    """The number of the run that has the worst of it, counted from 0; -1 where they came out alike."""
    check: str = ""
    resource: str = ""


_OF_RECORDS = ("paging", "records", "mapping", "sync mode", "completeness")
"""Groups that judge records, or what becomes of them from page to page."""
_OF_LISTS = (*_OF_RECORDS, "transport", "envelope")
_JUDGED = (Verdict.FAILS, Verdict.SUSPECT, Verdict.OBSERVED, Verdict.HOLDS)
"""The verdicts of a check that was made."""


def read_nothing(run: Run) -> bool:
    """Whether ``run`` was to look at records, and read none."""
    return not run.records and any(r.check.group in _OF_LISTS for r in run.results)


def apart(runs: Sequence[Run]) -> Apart:
    """The gravest difference between the verdicts of ``runs``; what was not made on all of them is no difference.

    Where one of them read no record, that is said first.
    """
    found = _apart(runs)
    return replace(found, words=" ".join(filter(None, (_unread_words(runs), found.words))))


def _unread_words(runs: Sequence[Run]) -> str:
    unread = [_name(run) for run in runs if read_nothing(run)]
    if not unread:
        return ""
    whom = ", ".join(unread)
    if len(unread) == len(runs):
        whom = "either" if len(runs) == 2 else "any of them"
    return f"No record was read on {whom}: nothing about records could be judged there."


def _apart(runs: Sequence[Run]) -> Apart:
    by_place = [
        {(r.check.id, r.resource): r for r in run.results if r.verdict in _JUDGED and not r.accepted}
        for run in runs
    ]
    both = [key for key in by_place[0] if all(key in one for one in by_place)] if by_place else []
    found = []
    for key in both:
        results = [one[key] for one in by_place]
        if len({r.verdict for r in results if r.is_bad}) + any(not r.is_bad for r in results) > 1:
            at = min((n for n, r in enumerate(results) if r.is_bad), key=lambda n: results[n].rank)
            found.append((results[at].rank, at, results))
    if not found:
        made = words.count(len(both), "check")
        return Apart(f"They came out alike in {made} made on all of them." if both else "")
    _, at, results = min(found, key=lambda one: one[0])
    worst = results[at]
    names = [_name(run) for run in runs]
    others = "; ".join(f"{names[n]}: {WORDS[r.verdict].lower()}" for n, r in enumerate(results) if n != at)
    seen = worst.seen or worst.check.sentence
    differ = f"They differ in {len(found):,} of {words.count(len(both), 'check')} made on all of them."
    said = f"{differ} First, {where(worst.resource)} on {names[at]}: {seen} ({worst.verdict}). {others}."
    return Apart(said, at, worst.check.id, worst.resource)


def _name(run: Run) -> str:
    """What a run is called beside others: its connection, else its profile."""
    return run.connection or run.profile
