"""A report as one self-contained HTML page: no script, no network, light or dark as the reader's system is."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.paths import resource
from explorer.quality.engine.check import Latency, Verdict
from explorer.quality.engine.grid import Grid, GridRow
from explorer.quality.engine.mapping_result import MappingResult
from explorer.quality.reports.markdown import plain
from explorer.quality.reports.report import (
    MOST_UNUSED,
    Found,
    Line,
    Report,
    Section,
    finding_words,
    more_words,
    place_words,
)
from explorer.words import count

_MOST_BARS = 120
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def as_html(report: Report) -> bytes:
    """The report as one page in UTF-8."""
    body = (_grid(report.grid) if report.grid else "") + "".join(map(_section, report.sections))
    body = _baseline(report) + body
    style = resource("report.css").read_text("utf-8")
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Quality run</title><style>\n{style}</style></head><body><main>{body}</main></body></html>\n"
    )
    return page.encode("utf-8", "backslashreplace")


def _baseline(report: Report) -> str:
    """How many findings are new, known and fixed, and which are fixed."""
    if report.baseline is None:
        return ""
    fixed = "".join(f"<li>{_text(one.identity.words)}" for one in report.fixed)
    folded = f"<details><summary>Fixed</summary><ul>{fixed}</ul></details>" if fixed else ""
    return f"<section><h1>Beside the baseline: {_text(report.standing_words)}</h1>{folded}</section>"


def _grid(grid: Grid) -> str:
    """Connections side by side: the checks that are bad on some of them, the others folded."""
    heads = "".join(f"<th>{_text(name)}" for name in grid.connections)
    opening = f"<div class=scroll><table class=grid><thead><tr><th>Check{heads}</thead><tbody>"
    bad = "".join(_grid_row(row) for row in grid.rows if row.is_bad)
    others = [row for row in grid.rows if not row.is_bad]
    folded = (
        f"<details><summary>{count(len(others), 'other check')}</summary>"
        f"{opening}{''.join(map(_grid_row, others))}</tbody></table></div></details>"
        if others
        else ""
    )
    first = f"{opening}{bad}</tbody></table></div>" if bad else "<p>Nothing was found on any of them.</p>"
    return f"<section><h1>{len(grid.connections)} connections</h1>{first}{folded}</section>"


def _grid_row(row: GridRow) -> str:
    cells = "".join(f"<td>{_badge(verdict) if verdict else ''}" for verdict in row.verdicts)
    return (
        f"<tr><td>{_text(row.check.sentence)}<br><code class=muted>{_text(row.check.id)}</code>{cells}</tr>"
    )


def _badge(verdict: Verdict) -> str:
    return f'<span class="badge {verdict}">{str(verdict).capitalize()}</span>'


def _section(section: Section) -> str:
    run = section.run
    rows = "".join(_row(line) for line in section.ranked if line.result.verdict is not Verdict.SKIPPED)
    stopped = f'<p class="badge suspect">{_text(run.stopped)}</p>' if run.stopped else ""
    return (
        f"<section><h1>Quality run</h1><p class=muted>{_text(run.profile)} · {_text(run.connection)} · "
        f"{run.started_at:%d %b %Y %H:%M} UTC</p>"
        f"<p>{_text(section.sentence)}</p>{stopped}{_cards(section)}"
        "<table class=lines><thead><tr><th>Result<th>Check<th>Where<th>What was seen<th class=n>Found in</thead>"
        f"<tbody>{rows}</tbody></table>{_skipped(section.of(Verdict.SKIPPED))}"
        f"{''.join(map(_mapping, section.mappings))}</section>"
    )


def _cards(section: Section) -> str:
    head = section.head
    pages = f"{count(head.pages, 'page')} in {section.run.seconds:,.0f} s"
    cards = (
        ("Checks", head.checks_words, f"{head.looked_words}: {head.others_words}"),
        ("Records read", f"{head.records:,}", pages),
        ("Mapping coverage", section.coverage, "of the fields that hold values"),
    )
    made = "".join(
        f"<div class=card><span class=muted>{_text(title)}</span><b>{_text(value)}</b>"
        f"<span class=muted>{_text(more)}</span></div>"
        for title, value, more in cards
    )
    return f"<div class=cards>{made}{_bars(head.latencies)}</div>"


def _bars(latencies: Sequence[Latency]) -> str:
    """The slowest of each few pages as a bar."""
    if not latencies:
        return ""
    step = -(-len(latencies) // _MOST_BARS)
    groups = [latencies[start : start + step] for start in range(0, len(latencies), step)]
    peaks = [max(group, key=lambda one: one.milliseconds) for group in groups]
    most = max(one.milliseconds for one in peaks) or 1.0
    middle = sorted(one.milliseconds for one in peaks)[len(peaks) // 2]
    bars = "".join(
        f'<i{" class=slow" if one.milliseconds > 3 * middle else ""} style="height:'
        f'{max(one.milliseconds / most, 0.03):.0%}" title="{_text(one.resource)}'
        f'{f", page {one.page}" if one.page else ""}: {one.milliseconds:,.0f} ms"></i>'
        for one in peaks
    )
    title = f"Latency by page, {most:,.0f} ms at most"
    return f'<div class="card wide"><span class=muted>{title}</span><div class=bars>{bars}</div></div>'


def _row(line: Line) -> str:
    result, seen = line.result, _text(line.result.seen)
    if line.found:
        inner = "".join(map(_finding, line.details))
        listed = f"<ul>{inner}</ul>" if inner else ""
        seen = f"<details><summary>{seen}</summary>{listed}<pre>{_text(line.command)}</pre></details>"
    return (
        f"<tr><td>{_badge(result.verdict)}{_note(line.standing_words)}"
        f"<td>{_text(result.check.sentence)}<br><code class=muted>{_text(result.check.id)}</code>"
        f"<td>{_place(result.resource)}<td class=any>{seen}<td class=n>{_text(result.found_in)}</tr>"
    )


def _finding(found: Found) -> str:
    finding, standing = found.finding, found.standing_words
    made = "".join(
        f"<li class=muted>{_text(place_words(one))}"
        + (f" <code>{_text(one.value)}</code>" if one.value else "")
        + "".join(
            f", {_text(beside.path)} is <code>{_text(beside.value_words)}</code>" for beside in one.source
        )
        for one in finding.examples
    )
    more = more_words(finding, len(finding.examples))
    made += f"<li class=muted>{more}" if more else ""
    return f"<li>{_text(finding_words(finding))}{_note(standing)}" + (f"<ul>{made}</ul>" if made else "")


def _note(standing: str) -> str:
    """The standing beside the baseline of a finding, or of all findings of a line."""
    return f" <span class=badge>{_text(standing)}</span>" if standing else ""


def _skipped(lines: Sequence[Line]) -> str:
    if not lines:
        return ""
    rows = "".join(
        f"<tr><td>{_text(r.check.sentence)}<td>{_place(r.resource)}<td class=any>{_text(r.seen)}</tr>"
        for r in (line.result for line in lines)
    )
    return (
        f"<h2>Skipped</h2><details><summary>{count(len(lines), 'check')}</summary>"
        f"<table class=lines><thead><tr><th>Check<th>Where<th>Why</thead><tbody>{rows}</tbody></table></details>"
    )


def _mapping(mapping: MappingResult) -> str:
    unknown = '<span class="badge suspect">not known</span>'
    rows = "".join(
        f"<tr><td>{_text(one.field)}<td class=any>{f'<code>{_text(one.where)}</code>' if one.where else unknown}"
        f"<td>{_text(one.done)}<td class=n>{_text(one.share)}</tr>"
        for one in mapping.sources
        if one.filled
    )
    unused = ", ".join(
        f"<code>{_text(one.path)}</code> {one.fill:.0%}" for one in mapping.unused[:MOST_UNUSED]
    )
    below = f"<p class=muted>Never used: {unused}</p>" if unused else ""
    return (
        f"<h2>Mapping of {_text(mapping.resource)}</h2><table class=lines><thead><tr><th>Field<th>From raw data<th>How"
        f"<th class=n>Explained</thead><tbody>{rows}</tbody></table>{below}"
    )


def _place(key: str) -> str:
    """A key in which a line may break only after the slash."""
    return "/<wbr>".join(f"<i>{_text(part)}</i>" for part in key.split("/")) if key else ""


def _text(value: str) -> str:
    return escape(plain(value))
