"""A report as JSON: for other programs, and the whole of what the other reports show a part of.

All that changes from one run to the next while the service stays the same (times, log numbers) stands under ``when``
and ``exchange``.
"""

from __future__ import annotations

import json
from typing import Any

from explorer.quality.engine.check import Example, Finding
from explorer.quality.engine.grid import Grid
from explorer.quality.engine.mapping_result import MappingResult
from explorer.quality.reports.report import Found, Line, Report, Section, summary_of

VERSION = 1


def as_json(report: Report) -> bytes:
    """The report as UTF-8 JSON, indented, with a line feed at its end."""
    document: dict[str, Any] = {"format": "unified-explorer quality run", "version": VERSION}
    if report.grid is not None:
        document["grid"] = _grid(report.grid)
    if report.baseline is not None:
        fixed = [one.identity._asdict() for one in report.fixed]
        document["baseline"] = {**report.standings, "fixed_findings": fixed}
    document["runs"] = [_section(section) for section in report.sections]
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")


def _grid(grid: Grid) -> list[dict[str, Any]]:
    """For each check its verdict by connection, null where it was not part of the run."""
    names = grid.connections
    return [
        {"check": row.check.id, "verdicts": dict(zip(names, row.verdicts, strict=True))} for row in grid.rows
    ]


def _section(section: Section) -> dict[str, Any]:
    run, head = section.run, section.head
    return {
        "profile": run.profile,
        "connection": run.connection,
        **({"address": run.address} if run.address else {}),
        "options": list(run.options),
        **({"stored": list(run.stored)} if run.stored else {}),
        **({"quick": True} if run.quick else {}),
        **({"failure": run.failure} if run.failure else {}),
        **({"one_of": run.of} if run.of else {}),
        **({"not_read_whole": list(run.partial)} if run.partial else {}),
        **({"broken_off": list(run.broken_off)} if run.broken_off else {}),
        "resources": list(run.resources),
        "summary": summary_of(head),
        "judged_little": list(head.little),
        "checks": head.verdicts,
        "records": head.records,
        "pages": head.pages,
        "mapping_coverage": None if head.coverage is None else round(head.coverage, 4),
        "stopped": run.stopped,
        "results": [_line(line) for line in section.lines],
        "mappings": [mapping_json(mapping) for mapping in run.mappings],
        "when": {
            "started_at": run.started_at.isoformat(),
            **({"first_at": run.first_at.isoformat()} if run.first_at else {}),
            **({"ended_at": run.ended_at.isoformat()} if run.ended_at else {}),
            "seconds": round(run.seconds, 3),
            "latencies": [
                {"resource": one.resource, "page": one.page, "ms": round(one.milliseconds, 1)}
                for one in head.latencies
            ],
        },
    }


def _line(line: Line) -> dict[str, Any]:
    result = line.result
    made: dict[str, Any] = {
        "check": result.check.id,
        "group": result.check.group,
        "sentence": result.check.sentence,
        "resource": result.resource,
        "verdict": str(result.verdict),
        "seen": result.seen,
        "measured": result.measured,
        "affected": result.affected,
        "measured_on": result.measured_on,
    }
    if result.is_bad:
        made |= {"harm": str(result.harm), "rank": result.rank, "reproduce": line.command}
    if result.check.id == "transport.latency":
        made["when"] = {"seen": made.pop("seen")}
    if result.findings:
        own = line.found or [None] * len(result.findings)
        made["findings"] = [_finding(*pair) for pair in zip(result.findings, own, strict=True)]
    elif line.standing:
        made |= _beside(line.found[0])
    if result.exchanges:
        made["exchange"] = list(result.exchanges)
    return made


def _beside(found: Found | None) -> dict[str, Any]:
    """What a baseline adds: the standing of the finding, and its identity."""
    if found is None or found.standing is None:
        return {}
    return {"baseline": str(found.standing), "fingerprint": found.identity.fingerprint}


def _finding(finding: Finding, found: Found | None) -> dict[str, Any]:
    return {
        "rule": finding.rule,
        "field": finding.field,
        "sentence": finding.sentence,
        "verdict": str(finding.verdict),
        "rank": finding.rank,
        "count": finding.count,
        **_beside(found),
        "examples": [_example(example) for example in finding.examples],
        **({"ids": list(finding.ids)} if finding.ids else {}),
        **({"exchange": list(finding.exchange)} if finding.exchange else {}),
    }


def _example(example: Example) -> dict[str, Any]:
    made = {
        "page": example.page,
        "row": example.row,
        "id": example.id,
        "value": example.value,
        "source": [_without_nothing({"path": one.path, "value": one.value}) for one in example.source],
        "exchange": example.exchange,
    }
    return _without_nothing(made)


def _without_nothing(made: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in made.items() if value not in (None, "", [])}


def mapping_json(mapping: MappingResult) -> dict[str, Any]:
    """One mapping as plain values."""
    coverage = mapping.coverage
    return {
        "resource": mapping.resource,
        "records": mapping.records,
        "coverage": None if coverage is None else round(coverage, 4),
        "fields": [
            {
                "field": source.field,
                "from": list(source.paths),
                "how": source.how,
                "words": source.words,
                "note": source.note,
                "filled": source.filled,
                "explained": source.explained,
            }
            for source in mapping.sources
        ],
        "unused": [{"path": one.path, "fill": round(one.fill, 4)} for one in mapping.unused],
    }
