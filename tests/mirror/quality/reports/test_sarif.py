"""A report as SARIF 2.1.0: the structure that the format asks for, fingerprints, and what was accepted marked and kept.

The members and words that may stand are written out by hand from the specification (sections 3.13 to 3.52).
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import date
from typing import Any

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.engine.check import UNDONE, Result, Verdict
from explorer.quality.engine.identity import Identity
from explorer.quality.reports.report import report_of
from explorer.quality.reports.sarif import as_sarif
from tests.mirror.quality.made import HOSTILE, TYPES, made_run

DAY = date(2026, 11, 20)
FIRST = Identity("records.types", "ats/job", "text", HOSTILE)
SECOND = Identity("records.types", "file-storage/drive", "", "")
GONE = Identity("paging.ends", "ats/job", "empty pages", "")

MEMBERS = {
    "log": {"$schema", "version", "runs"},
    "run": {"tool", "automationDetails", "invocations", "results", "properties"},
    "driver": {"name", "version", "rules"},
    "rule": {"id", "shortDescription", "properties"},
    "invocation": {"executionSuccessful", "startTimeUtc", "toolExecutionNotifications"},
    "notification": {"level", "message", "descriptor"},
    "result": {
        *("ruleId", "ruleIndex", "level", "rank", "occurrenceCount", "message", "locations"),
        *("partialFingerprints", "baselineState", "suppressions", "properties"),
    },
    "location": {"physicalLocation", "logicalLocations"},
    "logical": {"fullyQualifiedName", "kind"},
    "suppression": {"kind", "status", "justification", "properties"},
}


def held(value: dict[str, Any], kind: str, *required: str) -> None:
    """That an object has no member that its kind has not, and all that are required."""
    assert set(required) <= set(value) <= MEMBERS[kind], kind


def is_text(message: dict[str, Any]) -> bool:
    return set(message) == {"text"} and isinstance(message["text"], str) and bool(message["text"])


def checked(document: dict[str, Any]) -> None:
    """Holds a log against what SARIF asks for."""
    held(document, "log", "version", "runs")
    assert document["version"] == "2.1.0"
    for run in document["runs"]:
        held(run, "run", "tool")
        assert set(run["tool"]) == {"driver"}
        held(run["tool"]["driver"], "driver", "name")
        rules = run["tool"]["driver"]["rules"]
        for rule in rules:
            held(rule, "rule", "id")
            assert is_text(rule["shortDescription"])
        assert len({rule["id"] for rule in rules}) == len(rules)
        for invocation in run["invocations"]:
            held(invocation, "invocation", "executionSuccessful")
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", invocation["startTimeUtc"])
            for told in invocation["toolExecutionNotifications"]:
                held(told, "notification", "message")
                assert is_text(told["message"])
                assert set(told["descriptor"]) == {"id"}
        for result in run["results"]:
            result_held(result, [rule["id"] for rule in rules])


def result_held(result: dict[str, Any], rules: list[str]) -> None:
    held(result, "result", "message", "ruleId", "locations", "partialFingerprints")
    assert is_text(result["message"])
    assert result["level"] in ("none", "note", "warning", "error")
    assert 0 <= result.get("rank", 0) <= 100
    assert result.get("occurrenceCount", 1) >= 1
    assert result.get("baselineState", "new") in ("new", "unchanged", "updated", "absent")
    if "ruleIndex" in result:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    assert [
        re.fullmatch(r"[0-9a-f]{32}", one) is not None for one in result["partialFingerprints"].values()
    ] == [True]
    for location in result["locations"]:
        held(location, "location")
        assert set(location["physicalLocation"]) == {"artifactLocation"}
        assert re.fullmatch(r"[a-z_-]+(/[a-z_-]+)*", location["physicalLocation"]["artifactLocation"]["uri"])
        for logical in location["logicalLocations"]:
            held(logical, "logical", "fullyQualifiedName")
    for one in result.get("suppressions", ()):
        held(one, "suppression", "kind")
        assert one["kind"] in ("inSource", "external")
        assert one["status"] in ("accepted", "underReview", "rejected")


def sarif(*accepted: Accepted, **fields: Any) -> dict[str, Any]:
    baseline = Baseline({one.identity: one for one in accepted}) if accepted else None
    document = json.loads(as_sarif(report_of([replace(made_run(), **fields)], baseline)))
    checked(document)
    return document  # type: ignore[no-any-return]


def states(document: dict[str, Any]) -> dict[str, tuple[str | None, list[str]]]:
    return {
        one["partialFingerprints"]["finding/v1"]: (
            one.get("baselineState"),
            [each["status"] for each in one.get("suppressions", ())],
        )
        for one in document["runs"][0]["results"]
    }


def test_without_a_baseline_every_finding_is_a_result_without_a_state() -> None:
    document = sarif()
    assert states(document) == {FIRST.fingerprint: (None, []), SECOND.fingerprint: (None, [])}
    first, second = document["runs"][0]["results"]
    assert (first["level"], first["occurrenceCount"]) == ("error", 312)
    assert first["properties"]["lookedAt"] == 21_400
    assert first["properties"]["reproduce"].startswith("unified-explorer check ats/job")
    assert (second["level"], second["message"]["text"]) == ("warning", "odd: 1 time")
    assert first["rank"] > second["rank"], "the graver ranks higher"
    assert document["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_what_was_accepted_is_marked_and_not_left_out() -> None:
    one = Accepted(FIRST, 400, 21_400, DAY, DAY, "they mend it", "CRM-12")
    assert states(sarif(one)) == {
        FIRST.fingerprint: ("unchanged", ["accepted"]),
        SECOND.fingerprint: ("new", []),
    }
    told = sarif(one)["runs"][0]["results"][0]["suppressions"][0]
    assert told["justification"] == "they mend it"
    assert told["properties"] == {"atMost": 400, "of": 21_400, "ticket": "CRM-12"}


def test_an_acceptance_that_no_longer_holds_is_rejected() -> None:
    grown, expired = (
        Accepted(FIRST, 3, 21_400, DAY, DAY),
        Accepted(SECOND, 1, 2, DAY, DAY, expires=date(2026, 1, 1)),
    )
    assert states(sarif(grown, expired)) == {
        FIRST.fingerprint: ("updated", ["rejected"]),
        SECOND.fingerprint: ("unchanged", ["rejected"]),
    }


def test_what_is_fixed_is_absent() -> None:
    made = sarif(Accepted(GONE, 1, 1, DAY, DAY))
    assert states(made)[GONE.fingerprint] == ("absent", [])


def test_a_run_that_was_stopped_or_could_not_do_a_check_was_no_success() -> None:
    undone = Result(TYPES, "ats/job", Verdict.SKIPPED, f"{UNDONE}the service failed")
    [stopped], [run] = (sarif(**one)["runs"] for one in ({"stopped": "It ended."}, {"results": (undone,)}))
    assert stopped["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["invocations"][0]["toolExecutionNotifications"][0]["descriptor"] == {"id": "records.types"}
