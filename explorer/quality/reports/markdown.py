"""A report as Markdown, for an issue or a pull request: the five numbers, what is wrong, and how to see it again.

`as_summary` says the same in a few lines, for a comment.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from explorer.quality.baseline.baseline import Standing
from explorer.quality.engine.check import Verdict
from explorer.quality.engine.mapping_result import MappingResult
from explorer.quality.reports.report import (
    MOST_UNUSED,
    Found,
    Line,
    Report,
    Section,
    example_words,
    finding_words,
    others_words,
)
from explorer.words import count

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#]|&(?=#?\w+;))")
"""What Markdown reads as its own. That is also a ``&`` that begins an entity: shown as a sign, it hides a defect."""
MOST = 15
"""How many findings are named; of more only the number is given."""
_LONGEST = 200
"""The longest cell in characters, as a value may have any length."""


def as_markdown(report: Report) -> bytes:
    """The report as UTF-8 Markdown with tables."""
    lines = [f"Beside the baseline: {report.standing_words}.", ""] if report.baseline else []
    lines += [line for section in report.sections for line in _section(section)]
    lines += (
        ["## Fixed", "", *(f"- {text(one.identity.words)}" for one in report.fixed)] if report.fixed else []
    )
    return ("\n".join(lines).rstrip() + "\n").encode("utf-8", "backslashreplace")


def _section(section: Section) -> list[str]:
    run, head, bad, observed = section.run, section.head, section.bad, section.of(Verdict.OBSERVED)
    out = [f"# Quality run: {text(run.profile)} · {text(run.connection)}", "", text(section.sentence), ""]
    out += [f"{run.started_at:%Y-%m-%d %H:%M} UTC, {run.seconds:,.0f} s", ""]
    checks = f"{head.checks_words} ({head.others_words})"
    out += table_head("checks", "records", "pages", "mapping coverage")
    out.append(table_row(checks, f"{head.records:,}", f"{head.pages:,}", section.coverage))
    out += ["", f"Stopped: {text(run.stopped)}."] if run.stopped else []
    if bad:
        out += ["", *table_head("result", "check", "where", "what was seen", "found in")]
        for line in bad:
            r = line.result
            verdict = ", ".join(filter(None, (r.verdict, line.standing_words)))
            out.append(table_row(verdict, r.check.sentence, r.resource, r.seen, r.measured_on))
        out += ["", "## Evidence", ""]
        for line in bad:
            out += _evidence(line)
    if observed:
        out += ["", "## Observed", "", *table_head("check", "where", "what was seen")]
        out += [table_row(r.check.sentence, r.resource, r.seen) for r in (line.result for line in observed)]
    for mapping in section.mappings:
        out += _mapping(mapping)
    return [*out, ""]


def table_head(*heads: str) -> list[str]:
    """The header of a table, in two lines."""
    return [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]


def table_row(*cells: str) -> str:
    """A row of a table. Its cells are escaped, so that they stay text."""
    return f"| {' | '.join(map(text, cells))} |"


def _evidence(line: Line) -> list[str]:
    out = [f"### {text(line.result.check.sentence)} ({text(line.result.resource)})", ""]
    for found in line.details:
        standing = f" ({found.standing_words})" if found.standing else ""
        out.append(f"- {text(finding_words(found.finding) + standing)}")
        out += [f"  - {text(example_words(one))}" for one in found.finding.examples]
        more = others_words(found.finding, found.finding.examples)
        out += [f"  - {text(more)}"] if more else []
    return [*out, "```", plain(line.command), "```", ""]


def _mapping(mapping: MappingResult) -> list[str]:
    known = f"{mapping.known} of {mapping.filled} fields, over {count(mapping.records, 'record')}"
    out = ["", f"## Mapping of {text(mapping.resource)}", "", known, ""]
    out += table_head("field", "from raw data", "how", "explained")
    filled = (one for one in mapping.sources if one.filled)
    out += [table_row(one.field, one.where or "not known", one.done, one.share) for one in filled]
    unused = ", ".join(f"{text(one.path)} ({one.fill:.0%})" for one in mapping.unused[:MOST_UNUSED])
    return [*out, "", f"Never used: {unused}"] if unused else out


def plain(value: str) -> str:
    """``value`` on one line, with control and direction-changing characters in a visible form."""
    return "".join(_seen(sign) for sign in value)


def text(value: str) -> str:
    """``value`` as text that Markdown leaves as it is."""
    return _SPECIAL.sub(r"\\\1", plain(value))


def _seen(sign: str) -> str:
    if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") and sign != "\u200d":
        code = ord(sign)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return sign


def as_summary(report: Report) -> bytes:
    """The report as UTF-8 Markdown of some 50 lines at most: what needs a look, and nothing that was accepted."""
    out = [f"### Quality run: {report.standing_words or count(len(report.found), 'finding')}", ""]
    for section in report.sections[:MOST]:
        out.append(f"- {_cell(section.run.connection or section.run.profile)}: {_cell(section.sentence)}")
        out += [f"  - {_cell(f'It could not judge all: {why}')}" for why in section.unjudged[:3]]
    if len(report.sections) > MOST:
        out.append(f"- and {len(report.sections) - MOST:,} more connections")
    wanted = list(_wanted(report))
    if wanted:
        out += ["", *table_head("", "check", "where", "what was seen", "found in")]
    for section, line, found in wanted[:MOST]:
        result, finding = line.result, found.finding
        whose = section.run.connection if len(report.sections) > 1 else ""
        where = " ".join(filter(None, (whose, result.resource, found.identity.field)))
        said = found.standing_words or str(result.verdict)
        rows = [one.id for one in finding.examples if one.id]
        measured = f"{finding.count:,} of {found.looked_at:,}{f', such as id {rows[0]}' if rows else ''}"
        out.append(table_row(*map(_cut, (said, result.check.id, where, finding.sentence, measured))))
    if len(wanted) > MOST:
        out += ["", f"and {len(wanted) - MOST:,} more: a report has them all"]
    if report.fixed:
        out += ["", "Fixed:", ""]
        out += [f"- {_cell(one.identity.words)}" for one in report.fixed[:MOST]]
        out += [f"- and {len(report.fixed) - MOST:,} more"] if len(report.fixed) > MOST else []
    return ("\n".join(out) + "\n").encode("utf-8", "backslashreplace")


def _wanted(report: Report) -> Iterator[tuple[Section, Line, Found]]:
    """The findings that were not accepted, the gravest first on each connection."""
    for section in report.sections:
        for line in section.bad:
            for found in line.found:
                if found.is_bad and found.standing is not Standing.KNOWN:
                    yield section, line, found


def _cell(words: str) -> str:
    return text(_cut(words))


def _cut(words: str) -> str:
    """Cut to the longest cell, never within a word: half a secret would no longer be masked."""
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rpartition(' ')[0]} …".lstrip()
