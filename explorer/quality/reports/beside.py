"""A run beside a baseline, for who looks at it: what was accepted stands apart and counts as no finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.quality.baseline.baseline import Baseline, Standing, since_words
from explorer.quality.baseline.baseline_file import BaselineFault, read_baseline
from explorer.quality.engine.check import BAD, Finding, Result, Run
from explorer.quality.engine.finding_collector import and_more, distinct
from explorer.quality.reports.report import Found, found_of

_CHANGED = {
    Standing.GROWN: "More than was accepted ({})",
    Standing.EXPIRED: "No longer accepted ({})",
}
"""What is said of a finding that was accepted and counts again, with how it was accepted."""


def accepted_in(document: bytes | None) -> Baseline:
    """The baseline of a profile's file; an empty one where it has none, or one that cannot be read."""
    try:
        return read_baseline(document) if document is not None else Baseline({})
    except BaselineFault:
        return Baseline({})


def beside(run: Run, baseline: Baseline) -> Run:
    """``run`` with its accepted results marked; of a result of which only some findings are, they are one of their own,
    behind the rest.
    """
    if not baseline.accepted:
        return run
    results = (part for result in run.results for part in _parts(run, result, baseline))
    return replace(run, results=tuple(results))


def _parts(run: Run, result: Result, baseline: Baseline) -> tuple[Result, ...]:
    found = found_of(run, result, baseline) if result.is_bad else ()
    if not any(one.accepted for one in found):
        return (result,)
    known = [one for one in found if one.standing is Standing.KNOWN]
    left = [one for one in found if one.is_bad and one.standing is not Standing.KNOWN]
    words = since_words(one.accepted for one in known if one.accepted is not None)
    if not left:
        return (replace(result, accepted=words),)
    parts = [_changed(result, left)]
    if known:
        observed = [one for one in found if not one.is_bad]
        parts = [_changed(_with(result, [*left, *observed]), left)]
        parts.append(replace(_with(result, known), accepted=words))
    return tuple(parts)


def _changed(result: Result, left: Sequence[Found]) -> Result:
    """The result, saying first where more was found than was accepted, or its day is over."""
    for standing, words in _CHANGED.items():
        one = next((one for one in left if one.standing is standing), None)
        if one is not None and one.accepted is not None:
            return replace(result, seen=f"{words.format(one.accepted.words)}: {result.seen}")
    return result


def _with(result: Result, found: Sequence[Found]) -> Result:
    """The result with these of its findings alone."""
    own: tuple[Finding, ...] = tuple(one.finding for one in found)
    bad = [one for one in found if one.is_bad]
    verdict = min((one.verdict for one in bad), key=BAD.index)
    alike = [one.finding for one in bad if one.verdict is verdict]
    affected = min(result.affected, distinct([one.finding for one in bad]))
    seen = f"{alike[0].sentence}{and_more(alike)}"
    return replace(result, verdict=verdict, seen=seen, affected=affected, findings=own)
