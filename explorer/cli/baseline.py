"""The baseline of ``check``: read before anything is asked, written at the end, never over what it cannot read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from explorer.cli.exits import CannotStart, UsageFault, without_secrets
from explorer.cli.words import say
from explorer.files import write_whole
from explorer.quality.baseline.baseline import Baseline
from explorer.quality.baseline.baseline_file import BaselineFault, baseline_bytes, read_baseline
from explorer.quality.engine.check import Run
from explorer.quality.reports.report import Report, report_of
from explorer.words import count

_MOST = 25
"""Fixed findings that are said; the reports have all of them."""


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """The file that was named, as it was before the run."""

    path: Path
    before: bytes | None
    """None where there was none."""
    baseline: Baseline
    update: bool
    prune: bool

    def judged(self, runs: Sequence[Run], *, whole: bool) -> tuple[Report, dict[str, Callable[[], None]]]:
        """The runs beside the baseline, and what writes it where that was asked for and the runs are ``whole``.

        Then they stand beside what is written. That raises CannotStart where it cannot be, and OSError.
        """
        works: dict[str, Callable[[], None]] = {}
        report = report_of(runs, self.baseline, without_secrets)
        if whole and (self.update or self.prune) and not report.read:
            say(f"{self.path} was not written, as nothing could be read.")
        elif whole and (self.update or self.prune):
            made = self._changed(report)
            report = report_of(runs, made, without_secrets)
            works["baseline"] = partial(self._write, made)
        say(f"Beside {self.path}: {report.standing_words}.")
        for one in report.fixed[:_MOST]:
            say(without_secrets(f"Fixed    {one.identity.words}"))
        return report, works

    def _changed(self, report: Report) -> Baseline:
        made = self.baseline
        if self.update:
            day = max(section.run.started_at.date() for section in report.read)
            found = (one for section in report.read for one in section.found)
            made = made.updated(((one.identity, one.count, one.looked_at) for one in found), day)
        return made.without(report.fixed) if self.prune else made

    def _write(self, baseline: Baseline) -> None:
        try:
            data = baseline_bytes(baseline, without_secrets)
        except BaselineFault:
            raise CannotStart(
                f"{self.path} was not written: this profile's key is a word that stands in it."
            ) from None
        if _data(self.path) != self.before:
            raise CannotStart(f"{self.path} was not written: it was changed while the run was under way.")
        write_whole(self.path, data, private=False)
        now, old = baseline.accepted, self.baseline.accepted
        raised = sum(one.at_most > old[key].at_most for key, one in now.items() if key in old)
        added, gone = count(len(now.keys() - old.keys()), "finding"), len(old.keys() - now.keys())
        say(f"{self.path} was written: {added} added, {raised:,} with a higher ceiling, {gone:,} removed.")


def open_baseline(path: Path | None, *, update: bool, prune: bool) -> BaselineFile | None:
    """The baseline that was named; None without one. Raises UsageFault where it cannot be used, and OSError."""
    if path is None:
        if update or prune:
            raise UsageFault("--baseline-update and --baseline-prune need --baseline FILE.")
        return None
    data = _data(path)
    if data is None and not update:
        raise UsageFault(f"There is no baseline {path}: make it with --baseline-update.")
    try:
        found = Baseline({}) if data is None else read_baseline(data)
    except BaselineFault as fault:
        raise UsageFault(f"{path}: {fault}") from None
    return BaselineFile(path, data, found, update, prune)


def _data(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
