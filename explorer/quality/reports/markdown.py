"""Runs as Markdown, for an issue or a pull request: the five numbers, what is wrong, and how to see it again."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Sequence

from explorer.quality.engine.check import Finding, MappingResult, Result, Run, Verdict
from explorer.words import count

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~#])")
MOST_UNUSED = 15


def as_markdown(runs: Sequence[Run]) -> bytes:
    """The runs as UTF-8 Markdown with tables."""
    return ("\n".join(line for run in runs for line in _run(run)).rstrip() + "\n").encode(
        "utf-8", "backslashreplace"
    )


def _run(run: Run) -> list[str]:
    head = run.head
    coverage = "not known" if head.coverage is None else f"{head.coverage:.0%}"
    out = [f"# Quality run: {text(run.profile)} · {text(run.connection)}", ""]
    out += [text(sentence(head.sentence)), ""]
    out.append(f"{run.started_at:%Y-%m-%d %H:%M} UTC, {run.seconds:,.0f} s")
    out += ["", "| checks | records | pages | mapping coverage |", "|---|---|---|---|"]
    out.append(
        f"| {head.checks_words} ({head.others_words}) | {head.records:,} | {head.pages:,} | {coverage} |"
    )
    out += ["", f"Stopped: {text(run.stopped)}."] if run.stopped else []
    if run.bad:
        out += ["", "| result | check | where | what was seen | measured on |", "|---|---|---|---|---|"]
        out += [_line(result) for result in run.bad]
        out += ["", "## Evidence", ""]
        for result in run.bad:
            out += _evidence(run, result)
    observed = [result for result in run.results if result.verdict is Verdict.OBSERVED]
    if observed:
        out += ["", "## Observed", "", "| check | where | what was seen |", "|---|---|---|"]
        out += [f"| {text(r.check.sentence)} | {text(r.resource)} | {text(r.seen)} |" for r in observed]
    for mapping in run.mappings:
        out += _mapping(mapping)
    return [*out, ""]


def _line(result: Result) -> str:
    cells = (str(result.verdict), result.check.sentence, result.resource, result.seen, result.measured_on)
    return "| " + " | ".join(text(cell) for cell in cells) + " |"


def _evidence(run: Run, result: Result) -> list[str]:
    out = [f"### {text(result.check.sentence)} ({text(result.resource)})", ""]
    for finding in result.findings:
        out += _finding(finding)
    return [*out, "```", plain(shlex.join(run.command(result))), "```", ""]


def _finding(finding: Finding) -> list[str]:
    out = [f"- {text(finding.sentence)}: {count(finding.count, 'time')}"]
    for example in finding.examples:
        places = [f"page {example.page}"] if example.page else []
        places += [f"row {example.row}"] if example.row else []
        places += [f"id {text(example.id)}"] if example.id else []
        value = f": {text(example.value)}" if example.value else ""
        out.append(f"  - {', '.join(places) or 'call'}{value}")
    return out


def _mapping(mapping: MappingResult) -> list[str]:
    if not mapping.filled:
        return []
    out = ["", f"## Mapping of {text(mapping.resource)}", ""]
    out.append(f"{mapping.known} of {mapping.filled} fields, over {count(mapping.records, 'record')}")
    out += ["", "| field | from raw_data | how | explained |", "|---|---|---|---|"]
    for source in mapping.sources:
        if source.filled:
            where = source.paths[0] or "(the whole)" if source.paths else "not known"
            said = (source.field, where, source.done, source.share)
            out.append(f"| {' | '.join(map(text, said))} |")
    unused = ", ".join(f"{text(one.path)} ({one.fill:.0%})" for one in mapping.unused[:MOST_UNUSED])
    return [*out, "", f"Never used: {unused}"] if unused else out


def sentence(words: str) -> str:
    """``words`` with a capital at their head and a stop at their end."""
    return f"{words[:1].upper()}{words[1:]}."


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
