"""A report in a few lines of Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from explorer.quality.baseline.baseline import Standing
from explorer.quality.reports.markdown import table_head, table_row, text
from explorer.quality.reports.report import Found, Line, Report
from explorer.words import count

MOST = 15
"""How many findings are named; of more only the number is given."""
_LONGEST = 200
"""The longest cell in characters, as a value may have any length."""


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
        out += ["", *table_head("", "check", "where", "what was seen", "measured on")]
    for line, found in wanted[:MOST]:
        result, finding = line.result, found.finding
        where = " ".join(filter(None, (result.resource, found.identity.field)))
        said = str(found.standing or result.verdict)
        measured = f"{finding.count:,} of {found.looked_at:,}"
        out.append(table_row(*map(_cut, (said, result.check.id, where, finding.sentence, measured))))
    if len(wanted) > MOST:
        out += ["", f"and {len(wanted) - MOST:,} more: a report has them all"]
    if report.fixed:
        out += ["", "Fixed:", ""]
        out += [f"- {_cell(one.identity.words)}" for one in report.fixed[:MOST]]
        out += [f"- and {len(report.fixed) - MOST:,} more"] if len(report.fixed) > MOST else []
    return ("\n".join(out) + "\n").encode("utf-8", "backslashreplace")


def _wanted(report: Report) -> Iterator[tuple[Line, Found]]:
    """The findings that were not accepted, the gravest first on each connection."""
    for section in report.sections:
        for line in section.bad:
            for found in line.found:
                if found.is_bad and found.standing is not Standing.KNOWN:
                    yield line, found


def _cell(words: str) -> str:
    return text(_cut(words))


def _cut(words: str) -> str:
    """Cut to the longest cell, never within a word: half a secret would no longer be masked."""
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST].rpartition(' ')[0]} …".lstrip()
