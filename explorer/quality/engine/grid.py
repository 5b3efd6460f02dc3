"""Several runs side by side: for each check and connection the gravest verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import BAD, Check, Run, Verdict

GRAVEST = (Verdict.FAILS, Verdict.SUSPECT, Verdict.OBSERVED, Verdict.HOLDS, Verdict.SKIPPED)


@dataclass(frozen=True, slots=True)
class GridRow:
    """One check on every connection."""

    check: Check
    verdicts: tuple[Verdict | None, ...]
    """In the order of the connections; None where it was not part of the run."""

    @property
    def is_bad(self) -> bool:
        """Whether it fails or is suspect on any of them."""
        return any(verdict in BAD for verdict in self.verdicts)


@dataclass(frozen=True, slots=True)
class Grid:
    """Checks by connections."""

    connections: tuple[str, ...]
    rows: tuple[GridRow, ...]
    """In the order of the checks; checks that no run had are left out."""


def grid_of(runs: Sequence[Run]) -> Grid:
    """The grid of some runs. A check that was made on several lists has the gravest of its verdicts."""
    worst: dict[tuple[str, int], Verdict] = {}
    known = {check.id: check for check in CHECKS}
    for number, run in enumerate(runs):
        for result in run.results:
            known.setdefault(result.check.id, result.check)
            place = result.check.id, number
            before = worst.get(place, Verdict.SKIPPED)
            worst[place] = min(before, result.verdict, key=GRAVEST.index)
    columns = range(len(runs))
    rows = [
        GridRow(check, tuple(worst.get((name, number)) for number in columns))
        for name, check in known.items()
        if any((name, number) in worst for number in columns)
    ]
    return Grid(tuple(run.connection or run.profile for run in runs), tuple(rows))
