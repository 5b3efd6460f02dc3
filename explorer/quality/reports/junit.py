"""A report as JUnit XML: a suite for each connection, a case for each check on each list.

What fails or is suspect is a failure, unless all of it was accepted: then it is skipped, as what could not
be checked is. What is only observed passes and says so.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from explorer.quality.baseline.baseline import Standing
from explorer.quality.engine.check import Verdict
from explorer.quality.reports.report import Line, Report, Section, example_words, more_words

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(report: Report) -> bytes:
    """The report as one document in UTF-8."""
    out = ['<?xml version="1.0" encoding="UTF-8"?>']
    total, bad = sum(len(one.lines) for one in report.sections), sum(map(_failures, report.sections))
    errors = sum(one.head.undone for one in report.sections)
    out.append(f'<testsuites name="Unified Explorer" tests="{total}" failures="{bad}" errors="{errors}">')
    for section in report.sections:
        out += _suite(section)
    out.append("</testsuites>")
    return ("\n".join(out) + "\n").encode("utf-8", "backslashreplace")


def _suite(section: Section) -> list[str]:
    run, errors = section.run, section.head.undone
    failures = _failures(section)
    skipped = section.head.verdicts[Verdict.SKIPPED] - errors + len(section.bad) - failures
    name, moment = _attribute(run.connection or run.profile), f"{run.started_at:%Y-%m-%dT%H:%M:%S}"
    counts = f'tests="{len(run.results)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    out = [f'  <testsuite name={name} {counts} time="{run.seconds:.3f}" timestamp="{moment}">']
    summary = _attribute(section.sentence)
    out.append(f'    <properties><property name="summary" value={summary}/></properties>')
    for line in section.ranked:
        out += _case(line)
    return [*out, "  </testsuite>"]


def _failures(section: Section) -> int:
    """The number of cases that fail: all that are bad, except those whose findings were all accepted."""
    return sum(line.standing is not Standing.KNOWN for line in section.bad)


def _case(line: Line) -> list[str]:
    result = line.result
    place = result.resource or "connection"
    name = f"{result.check.id}: {result.check.sentence}"
    opening = f'    <testcase classname={_attribute(place)} name={_attribute(name)} time="0"'
    seen = _attribute(result.seen)
    fixed = [f"fixed: {one.identity.words}" for one in line.fixed]
    if result.verdict is Verdict.HOLDS and not fixed:
        return [f"{opening}/>"]
    if result.verdict is Verdict.SKIPPED:
        inner = f"<{'error' if result.is_undone else 'skipped'} message={seen}/>"
    elif result.verdict in (Verdict.OBSERVED, Verdict.HOLDS):
        inner = f"<system-out>{_text('; '.join(filter(None, (result.seen, *fixed))))}</system-out>"
    elif line.standing is Standing.KNOWN:
        why = "; ".join(dict.fromkeys(one.standing_words for one in line.found))
        inner = f"<skipped message={_attribute(f'accepted: {result.seen} ({why})')}/>"
    else:
        several = [one.finding.sentence for one in line.details if one.standing is not Standing.KNOWN]
        seen = _attribute("; ".join(several)) if len(several) > 1 else seen
        inner = (
            f"<failure type={_attribute(result.verdict)} message={seen}>{_text(line_details(line))}</failure>"
        )
    return [f"{opening}>", f"      {inner}", "    </testcase>"]


def line_details(line: Line) -> str:
    """What is wrong, row by row, with its standing beside a baseline and the command that reproduces it."""
    lines = [line.result.measured_on]
    for found in line.details:
        finding, standing = found.finding, found.standing_words
        lines.append(f"{finding.sentence} ({finding.count:,}){f', {standing}' if standing else ''}")
        lines += [f"  {example_words(one)}" for one in finding.examples]
        more = more_words(finding, len(finding.examples))
        lines += [f"  {more}"] if more else []
    lines += [f"fixed: {one.identity.words}" for one in line.fixed]
    return "\n".join((*lines, line.command))


def _attribute(value: object) -> str:
    return quoteattr(_NOT_XML.sub("�", str(value)))


def _text(value: str) -> str:
    return escape(_NOT_XML.sub("�", value))
