"""A report as SARIF 2.1.0, for build servers and code hosts: a run for each connection, a result for each finding.

A finding's place is its list and field (a logical location); the list stands as an artifact too, as some readers show
no result without a file. What was accepted is marked (``baselineState``, ``suppressions``) and never left out.
The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from explorer import __version__
from explorer.quality.baseline.baseline import Accepted, Standing
from explorer.quality.engine.check import Check, Verdict
from explorer.quality.engine.identity import Identity
from explorer.quality.reports.report import Found, Line, Report, Section, finding_words

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Verdict.FAILS: "error", Verdict.SUSPECT: "warning"}
_STATES = {Standing.NEW: "new", Standing.GROWN: "updated"}
"""The baseline state by standing; all others are unchanged."""
_FINGERPRINT = "finding/v1"
"""The name of the fingerprint and its version; see `Identity.fingerprint`."""


def as_sarif(report: Report) -> bytes:
    """The report as UTF-8 JSON, indented, with a line feed at its end."""
    runs = [_run(section) for section in report.sections]
    if runs and report.fixed:
        # What is fixed was looked for on every connection, so that it stands once.
        runs[0]["results"] += [_fixed(one) for one in report.fixed]
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": runs}
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")


def _run(section: Section) -> dict[str, Any]:
    run = section.run
    checks = {line.result.check.id: line.result.check for line in section.lines}
    rules = {name: place for place, name in enumerate(checks)}
    bad = ((line, found) for line in section.bad for found in line.found if found.is_bad)
    undone = [
        {
            "level": "error",
            "message": _text(f"{one.check.sentence}: {one.seen}"),
            "descriptor": {"id": one.check.id},
        }
        for one in run.undone
    ]
    return {
        "tool": {
            "driver": {
                "name": "Unified Explorer",
                "version": __version__,
                "rules": [_rule(check) for check in checks.values()],
            }
        },
        "automationDetails": {"id": f"unified-explorer/{run.connection or run.profile}/"},
        "invocations": [
            {
                "executionSuccessful": not (run.stopped or undone),
                "startTimeUtc": f"{run.started_at:%Y-%m-%dT%H:%M:%SZ}",
                "toolExecutionNotifications": undone,
            }
        ],
        "results": [_result(line, found, rules) for line, found in bad],
        "properties": {"summary": section.sentence, "connection": run.connection},
    }


def _rule(check: Check) -> dict[str, Any]:
    return {"id": check.id, "shortDescription": _text(check.sentence), "properties": {"group": check.group}}


def _result(line: Line, found: Found, rules: Mapping[str, int]) -> dict[str, Any]:
    finding = found.finding
    made = {
        "ruleId": found.identity.check,
        "ruleIndex": rules[line.result.check.id],
        "level": _LEVELS[found.verdict],
        "rank": max(0.0, round(100 - line.result.rank / 50, 1)),
        "occurrenceCount": finding.count,
        **_of(found.identity, finding_words(finding)),
    }
    if found.standing is not None:
        made["baselineState"] = _STATES.get(found.standing, "unchanged")
    if found.accepted is not None:
        made["suppressions"] = [_suppression(found.accepted, held=found.standing is Standing.KNOWN)]
    made["properties"] = {
        "rule": found.identity.rule,
        "field": found.identity.field,
        "lookedAt": found.looked_at,
        "reproduce": line.command,
    }
    return made


def _fixed(accepted: Accepted) -> dict[str, Any]:
    words = "Fixed: it was accepted, and is found no more"
    return {
        "ruleId": accepted.identity.check,
        "level": "none",
        **_of(accepted.identity, words),
        "baselineState": "absent",
    }


def _of(identity: Identity, words: str) -> dict[str, Any]:
    place = identity.resource or "connection"
    name = "/".join(filter(None, (place, identity.field)))
    location = {
        "physicalLocation": {"artifactLocation": {"uri": place}},
        "logicalLocations": [
            {"fullyQualifiedName": name, "kind": "member" if identity.field else "resource"}
        ],
    }
    return {
        "message": _text(words),
        "locations": [location],
        "partialFingerprints": {_FINGERPRINT: identity.fingerprint},
    }


def _suppression(accepted: Accepted, *, held: bool) -> dict[str, Any]:
    """The acceptance of a finding; rejected when it no longer holds, so that the result counts."""
    about = {"atMost": accepted.at_most, "of": accepted.of, "ticket": accepted.ticket}
    made: dict[str, Any] = {
        "kind": "external",
        "status": "accepted" if held else "rejected",
        "properties": about,
    }
    if accepted.reason:
        made["justification"] = accepted.reason
    if accepted.expires is not None:
        made["properties"] = {**about, "expires": accepted.expires.isoformat()}
    return made


def _text(words: str) -> dict[str, str]:
    return {"text": words}
