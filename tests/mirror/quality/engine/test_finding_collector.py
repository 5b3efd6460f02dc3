"""Findings are grouped, counted and bounded."""

from explorer.quality.engine.check import Check, Example, Verdict
from explorer.quality.engine.finding_collector import (
    EXAMPLES,
    FINDINGS,
    PLACES,
    FindingCollector,
    distinct,
    shown,
    skipped,
)

CHECK = Check("records.types", "records", "Values have the type of their field")


def test_findings_are_grouped_by_rule_and_field() -> None:
    tally = FindingCollector(CHECK)
    for row in range(1, 1001):
        tally.look()
        if row % 10 == 0:
            tally.add("text", "size", "size is text", Example(1, row))
        if row % 20 == 0:
            tally.add("null", "name", "name is null", Example(1, row))
    result = tally.result("file")
    assert [(f.rule, f.field, f.count, len(f.examples)) for f in result.findings] == [
        ("text", "size", 100, EXAMPLES),
        ("null", "name", 50, EXAMPLES),
    ]
    # A record with two faults is one record.
    assert (result.affected, result.measured, result.verdict) == (100, 1000, Verdict.FAILS)
    assert result.seen == "size is text; 1 more: name"


def test_a_record_with_two_faults_is_one_record_whatever_the_order() -> None:
    tally = FindingCollector(CHECK)
    tally.look(100)
    for row in (1, 5, 9):
        tally.add("text", "size", "size is text", Example(1, row, 8 if row == 9 else 7, f"r{row}"))
    for row in (5, 9, 20):
        tally.add("null", "name", "name is null", Example(1, row, id=f"r{row}"))
    result = tally.result("file")
    assert [one.count for one in result.findings] == [3, 3]
    assert result.measured_on == "4 of 100 records"
    assert result.findings[0].ids == ("r1", "r5", "r9")
    assert result.findings[0].exchange == (7, 8), "also of pages that no example is on"
    assert distinct(result.findings) == 4


def test_of_many_records_only_some_are_named_and_never_too_many_counted() -> None:
    tally = FindingCollector(CHECK)
    tally.look(3 * PLACES)
    for row in range(1, 2 * PLACES + 1):
        tally.add("text", "size", "size is text", Example(1, row, id=f"r{row}"))
    for row in range(PLACES, 2 * PLACES):
        tally.add("null", "name", "name is null", Example(1, row, id=f"r{row}"))
    result = tally.result("file")
    assert result.affected == 2 * PLACES
    assert len(result.findings[0].ids) == PLACES
    assert distinct(result.findings) == 2 * PLACES, "at least so many"


def test_many_different_findings_stay_few() -> None:
    tally = FindingCollector(CHECK)
    for row in range(10 * FINDINGS):
        tally.add(f"rule {row}", "", "odd", Example(1, row))
    assert len(tally.findings) == FINDINGS + 1
    assert sum(finding.count for finding in tally.findings) == 10 * FINDINGS


def test_fails_is_graver_than_suspect() -> None:
    tally = FindingCollector(CHECK, Verdict.SUSPECT)
    tally.add("a", "", "a", Example(1, 1))
    assert tally.result("").verdict is Verdict.SUSPECT
    tally.add("b", "", "b", Example(1, 2), verdict=Verdict.FAILS)
    tally.add("a", "", "a", Example(1, 3))
    assert tally.result("").verdict is Verdict.FAILS


def test_nothing_looked_at_is_skipped_and_nothing_found_holds() -> None:
    tally = FindingCollector(CHECK)
    assert tally.result("file", empty="no record came").seen == "no record came"
    tally.look()
    assert tally.result("file", holds="fine").verdict is Verdict.HOLDS
    assert skipped(CHECK, "file", "why").measured_on == ""


def test_values_are_shown_short_and_never_fail() -> None:
    assert shown({"a": None}) == '{"a": null}'
    assert len(shown("x" * 100_000)) == 200
    assert shown("\ud83d") == '"\\ud83d"'
