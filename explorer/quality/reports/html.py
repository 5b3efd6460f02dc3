"""Runs as one HTML page that needs nothing else: no script, no network, light and dark as the reader's system is."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from html import escape

from explorer.quality.engine.check import BAD, Finding, Latency, MappingResult, Result, Run, Verdict
from explorer.quality.engine.grid import Grid, GridRow, grid_of
from explorer.quality.reports.markdown import plain, sentence
from explorer.words import count

_MOST_BARS, _MOST_UNUSED = 120, 30
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
:root{color-scheme:light dark;--window:#f5f6f8;--surface:#fff;--line:#dce0e7;--text:#1b1f27;--muted:#667085;
--accent:#2f6fed;--holds:#1a7f4b;--holds-g:#dff3e8;--caution:#a85b08;--caution-g:#fbeed8;
--fails:#c4322b;--fails-g:#fbe4e2;--info-g:#eceef2}
@media (prefers-color-scheme:dark){:root{--window:#14171c;--surface:#1b1f26;--line:#2b313b;--text:#e5e8ee;
--muted:#98a2b3;--accent:#6ea1ff;--holds:#4cc38a;--holds-g:#183326;--caution:#e7a94f;--caution-g:#3a2c14;
--fails:#f2776f;--fails-g:#3c1f1e;--info-g:#171a20}}
*{box-sizing:border-box}body{margin:0;background:var(--window);color:var(--text);font:14px/1.45 system-ui,sans-serif}
main{max-width:1400px;margin:0 auto;padding:24px}h1{font-size:20px;margin:0}h2{font-size:16px;margin:28px 0 8px}
.muted{color:var(--muted)}.cards{display:flex;flex-wrap:wrap;gap:12px;margin:16px 0}
.card{background:var(--surface);border:1px solid var(--line);border-radius:5px;padding:12px 16px;min-width:150px}
.card b{display:block;font-size:18px;margin:4px 0}.wide{flex:1}
.bars{display:flex;align-items:flex-end;gap:1px;height:40px}
.bars i{flex:1;min-width:1px;background:var(--accent)}.bars i.slow{background:var(--fails)}
table{border-collapse:collapse;width:100%;background:var(--surface);border:1px solid var(--line)}
th,td{text-align:left;padding:6px 10px;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td.any{overflow-wrap:anywhere}td i{font-style:normal;white-space:nowrap}
th{color:var(--muted);font-weight:600;font-size:12px}
th.n,td.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
h1+table{margin-top:12px}section+section{margin-top:36px}section>details{margin-top:8px}
.badge{display:inline-block;border-radius:9px;padding:0 8px;font-size:12px;white-space:nowrap;background:var(--info-g)}
.fails{background:var(--fails-g);color:var(--fails)}.suspect{background:var(--caution-g);color:var(--caution)}
.holds{background:var(--holds-g);color:var(--holds)}code,pre{font:12px/1.5 ui-monospace,monospace}
pre{white-space:pre-wrap;background:var(--info-g);padding:6px 8px;border-radius:5px;margin:8px 0 0}
details>summary{cursor:pointer}ul{margin:4px 0;padding-left:20px}.scroll{overflow-x:auto}
@media (max-width:720px){main{padding:12px}.card{min-width:0;flex:1 1 40%}.wide{flex:1 1 100%}
table.lines,table.lines tbody,table.lines tr{display:block}table.lines thead{display:none}
table.lines tr{padding:8px 10px;border-bottom:1px solid var(--line)}
table.lines td{display:block;border:0;padding:2px 0;overflow-wrap:anywhere}
table.lines td:empty{display:none}table.lines td.n{text-align:left;white-space:normal;color:var(--muted)}}
@media print{:root{color-scheme:light;--window:#fff;--surface:#fff;--line:#c9ced8;--text:#000;--muted:#475067;
--accent:#2f6fed;--holds:#14653b;--holds-g:#dff3e8;--caution:#8a4806;--caution-g:#fbeed8;--fails:#a82722;
--fails-g:#fbe4e2;--info-g:#eceef2}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{font-size:10px}main{padding:0;max-width:none}th,td{padding:3px 5px}li,pre,.card{break-inside:avoid}
th.n,td.n{white-space:normal}td.any{width:50%}code,pre{font-size:9px}pre{margin:4px 0 0;padding:3px 5px}
thead{display:table-header-group}h2{break-after:avoid}
details::details-content{display:block;content-visibility:visible;block-size:auto}}
"""


def as_html(runs: Sequence[Run]) -> bytes:
    """The runs as one page in UTF-8."""
    body = _grid(grid_of(runs)) if len(runs) > 1 else ""
    body += "".join(_run(run) for run in runs)
    page = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Quality run</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>\n"
    )
    return page.encode("utf-8", "backslashreplace")


def _grid(grid: Grid) -> str:
    """Connections side by side: what is not well on some of them, and the others folded."""
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


def _run(run: Run) -> str:
    results = run.ranked
    rows = "".join(_row(run, result) for result in results if result.verdict is not Verdict.SKIPPED)
    skipped = [result for result in results if result.verdict is Verdict.SKIPPED]
    stopped = f'<p class="badge suspect">{_text(run.stopped)}</p>' if run.stopped else ""
    return (
        f"<section><h1>Quality run</h1><p class=muted>{_text(run.profile)} · {_text(run.connection)} · "
        f"{run.started_at:%d %b %Y %H:%M} UTC</p>"
        f"<p>{_text(sentence(run.head.sentence))}</p>{stopped}{_cards(run)}"
        "<table class=lines><thead><tr><th>Result<th>Check<th>Where<th>What was seen<th class=n>Measured on</thead>"
        f"<tbody>{rows}</tbody></table>{_skipped(skipped)}{''.join(map(_mapping, run.mappings))}</section>"
    )


def _cards(run: Run) -> str:
    head = run.head
    coverage = "not known" if head.coverage is None else f"{head.coverage:.0%}"
    pages = f"{count(head.pages, 'page')} in {run.seconds:,.0f} s"
    cards = (
        ("Checks", head.checks_words, f"{head.looked_words}: {head.others_words}"),
        ("Records read", f"{head.records:,}", pages),
        ("Mapping coverage", coverage, "of the fields that hold values"),
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


def _row(run: Run, result: Result) -> str:
    seen = _text(result.seen)
    if result.verdict in BAD:
        inner = "".join(_finding(finding) for finding in result.findings)
        listed = f"<ul>{inner}</ul>" if inner else ""
        command = f"<pre>{_text(shlex.join(run.command(result)))}</pre>"
        seen = f"<details><summary>{seen}</summary>{listed}{command}</details>"
    return (
        f"<tr><td>{_badge(result.verdict)}"
        f"<td>{_text(result.check.sentence)}<br><code class=muted>{_text(result.check.id)}</code>"
        f"<td>{_place(result.resource)}<td class=any>{seen}<td class=n>{_text(result.measured_on)}</tr>"
    )


def _finding(finding: Finding) -> str:
    made = []
    for example in finding.examples:
        places = [f"page {example.page}"] if example.page else []
        places += [f"row {example.row:,}"] if example.row else []
        places += [f"id {_text(example.id)}"] if example.id else []
        value = f" <code>{_text(example.value)}</code>" if example.value else ""
        made.append(f"<li class=muted>{', '.join(places) or 'call'}{value}")
    inner = f"<ul>{''.join(made)}</ul>" if made else ""
    return f"<li>{_text(finding.sentence)}: {count(finding.count, 'time')}{inner}"


def _skipped(results: Sequence[Result]) -> str:
    if not results:
        return ""
    rows = "".join(
        f"<tr><td>{_text(r.check.sentence)}<td>{_place(r.resource)}<td class=any>{_text(r.seen)}</tr>"
        for r in results
    )
    return (
        f"<h2>Skipped</h2><details><summary>{count(len(results), 'check')}</summary>"
        f"<table class=lines><thead><tr><th>Check<th>Where<th>Why</thead><tbody>{rows}</tbody></table></details>"
    )


def _mapping(mapping: MappingResult) -> str:
    if not mapping.filled:
        return ""
    rows = []
    for source in mapping.sources:
        if source.filled:
            where = source.paths[0] or "(the whole)" if source.paths else ""
            said = f"<code>{_text(where)}</code>" if where else '<span class="badge suspect">not known</span>'
            rows.append(
                f"<tr><td>{_text(source.field)}<td class=any>{said}<td>{_text(source.done)}"
                f"<td class=n>{_text(source.share)}</tr>"
            )
    unused = ", ".join(
        f"<code>{_text(one.path)}</code> {one.fill:.0%}" for one in mapping.unused[:_MOST_UNUSED]
    )
    below = f"<p class=muted>Never used: {unused}</p>" if unused else ""
    return (
        f"<h2>Mapping of {_text(mapping.resource)}</h2><table class=lines><thead><tr><th>Field<th>From raw_data<th>How"
        f"<th class=n>Explained</thead><tbody>{''.join(rows)}</tbody></table>{below}"
    )


def _place(key: str) -> str:
    """A key that breaks at its slash and nowhere else."""
    return "/<wbr>".join(f"<i>{_text(part)}</i>" for part in key.split("/")) if key else ""


def _text(value: str) -> str:
    return escape(plain(value))
