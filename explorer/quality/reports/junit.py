"""Runs as JUnit XML: a suite for each connection, a case for each check on each list.

What fails or is suspect is a failure, what could not be checked is skipped, what is only observed passes and says so.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from explorer.quality.engine.check import Result, Run, Verdict
from explorer.quality.reports.markdown import sentence

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(runs: Sequence[Run]) -> bytes:
    """The runs as one document in UTF-8."""
    total = sum(len(run.results) for run in runs)
    bad = sum(len(run.bad) for run in runs)
    out = ['<?xml version="1.0" encoding="UTF-8"?>']
    errors = sum(len(run.undone) for run in runs)
    out.append(f'<testsuites name="Unified Explorer" tests="{total}" failures="{bad}" errors="{errors}">')
    for run in runs:
        out += _suite(run)
    out.append("</testsuites>")
    return ("\n".join(out) + "\n").encode("utf-8", "backslashreplace")


def _suite(run: Run) -> list[str]:
    skipped = sum(result.verdict is Verdict.SKIPPED for result in run.results) - len(run.undone)
    name, moment = _attribute(run.connection or run.profile), f"{run.started_at:%Y-%m-%dT%H:%M:%S}"
    errors = len(run.undone)
    counts = f'tests="{len(run.results)}" failures="{len(run.bad)}" errors="{errors}" skipped="{skipped}"'
    out = [f'  <testsuite name={name} {counts} time="{run.seconds:.3f}" timestamp="{moment}">']
    summary = _attribute(sentence(run.head.sentence))
    out.append(f'    <properties><property name="summary" value={summary}/></properties>')
    for result in run.ranked:
        out += _case(run, result)
    out.append("  </testsuite>")
    return out


def _case(run: Run, result: Result) -> list[str]:
    place = result.resource or "connection"
    name = f"{result.check.id}: {result.check.sentence}"
    opening = f'    <testcase classname={_attribute(place)} name={_attribute(name)} time="0"'
    if result.verdict is Verdict.HOLDS:
        return [f"{opening}/>"]
    if result.is_undone:
        inner = f"      <error message={_attribute(result.seen)}/>"
    elif result.verdict is Verdict.SKIPPED:
        inner = f"      <skipped message={_attribute(result.seen)}/>"
    elif result.verdict is Verdict.OBSERVED:
        inner = f"      <system-out>{_text(result.seen)}</system-out>"
    else:
        inner = (
            f"      <failure type={_attribute(result.verdict)} message={_attribute(result.seen)}>"
            f"{_text(_details(run, result))}</failure>"
        )
    return [f"{opening}>", inner, "    </testcase>"]


def _details(run: Run, result: Result) -> str:
    lines = [result.measured_on]
    for finding in result.findings:
        lines.append(f"{finding.sentence} ({finding.count:,})")
        for example in finding.examples:
            places = [f"page {example.page}"] if example.page else []
            places += [f"row {example.row}"] if example.row else []
            lines.append(f"  {', '.join(places) or 'call'}: {example.value}".rstrip(": "))
    lines.append(shlex.join(run.command(result)))
    return "\n".join(lines)


def _attribute(value: object) -> str:
    return quoteattr(_NOT_XML.sub("�", str(value)))


def _text(value: str) -> str:
    return escape(_NOT_XML.sub("�", value))
