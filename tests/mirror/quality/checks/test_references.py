"""References between records, sums of reports, and the mapping over a walk."""

from __future__ import annotations

import json
from typing import Any

import pytest

from explorer.api.answer import Answer
from explorer.profiles.profile import Environment, Guard, Profile
from explorer.quality.checks import batch, credentials, links, sync_mode
from explorer.quality.checks.lineage import SAMPLE, Lineage
from explorer.quality.checks.receipts import sniffed
from explorer.quality.checks.references import Ids, Parents, _goes_round, referred, targets_of
from explorer.quality.checks.reports import judged
from explorer.quality.checks.writes import may_write
from explorer.quality.engine.check import Verdict
from explorer.quality.engine.probe import Tried
from tests.builtin import registry
from tests.mirror.quality.checks.rows import by_id, findings, told

JOBS, STATES, BOXES = "ats/job", "sales-engagement/sequence_state", "sales-engagement/mailbox"


def job(*departments: tuple[str, str | None]) -> dict[str, Any]:
    pairs = [{"id": ident, **({"parent_id": parent} if parent else {})} for ident, parent in departments]
    return {"id": "1", "departments": pairs}


def test_cycles_and_parents() -> None:
    results = told(Parents(), JOBS, [job(("a", "b"), ("b", "a")), *[job(("a", None))] * 5])
    assert findings(results["records.no-cycle"]) == [("cycle", "departments[].parent_id", 1)]
    own = {"id": "1", "departments": [{"id": "a", "child_ids": ["b", "a"]}, {"id": "b", "child_ids": []}]}
    found = told(Parents(), JOBS, [own, *[job(("a", None))] * 5])["records.no-cycle"]
    assert findings(found) == [("own child", "departments[].child_ids", 1)]
    many = [job((f"c{at}", f"p{at}")) for at in range(9)] + [job((f"p{at}", None)) for at in range(9)]
    assert told(Parents(), JOBS, many)["records.parents"].verdict is Verdict.HOLDS
    one_lost = told(Parents(), JOBS, [*many, job(("x", "gone"))])["records.parents"]
    assert one_lost.findings[0].examples[0].value == '"gone"'
    # When nearly all are elsewhere the list says nothing about them.
    assert told(Parents(), JOBS, many[:9])["records.parents"].verdict is Verdict.SKIPPED


def test_a_long_line_of_parents_is_followed_once() -> None:
    class Counted(dict[str, str]):
        looked = 0

        def __getitem__(self, name: str) -> str:
            self.looked += 1
            return super().__getitem__(name)

    line = Counted({str(number): str(number + 1) for number in range(3000)})
    assert not _goes_round(line)
    assert line.looked == 3000
    assert _goes_round({**line, "3000": "1500"})


def test_ids_of_another_list() -> None:
    assert targets_of(STATES, registry) == {"mailbox_id": BOXES}
    states, boxes = Ids(STATES, registry), Ids(BOXES, registry)
    told(boxes, BOXES, [{"id": f"m{at}"} for at in range(10)])
    told(states, STATES, [{"id": str(at), "mailbox_id": f"m{at}"} for at in range(11)])
    [result] = referred({STATES: states, BOXES: boxes}, registry)
    assert (result.verdict, findings(result)) == (Verdict.SUSPECT, [("nowhere", "mailbox_id", 1)])
    [alone] = referred({STATES: states}, registry)
    assert alone.verdict is Verdict.SKIPPED


def test_the_mapping_is_held_against_every_record() -> None:
    def record(number: int, **change: Any) -> dict[str, Any]:
        raw = {"title": f"Job {number}", "code": f"REQ-{number}", "idle": "x" if number % 2 else None}
        return {
            "id": f"id-{number}",
            "name": f"Job {number}",
            "raw_data": {**raw, "key": f"id-{number}"},
            **change,
        }

    values = [record(number) for number in range(2 * SAMPLE)]
    values[10]["name"] = "REQ-10"
    del values[SAMPLE + 5]["name"]
    watcher = Lineage(registry.resource(JOBS))
    results = told(watcher, JOBS, values)
    assert findings(results["mapping.one-source"]) == [("/code", "name", 1)]
    assert results["mapping.one-source"].findings[0].examples[0].row == 11
    assert findings(results["mapping.kept"]) == [("absent", "name", 1)]
    assert results["mapping.coverage"].seen == "2 of 2 fields"
    mapping = watcher.mapping()
    assert (mapping.records, mapping.coverage) == (2 * SAMPLE, 1.0)
    assert [(one.path, one.fill) for one in mapping.unused] == [("/code", 1.0), ("/idle", 0.5)]
    name = next(source for source in mapping.sources if source.field == "name")
    assert (name.paths, name.how, name.filled, name.explained) == (("/title",), "equal", 299, 298)


GOOD = {
    "reportName": "r",
    "startPeriod": "2025-01-01",
    "endPeriod": "2025-02-01",
    "currency": "EUR",
    "entries": [
        {"customerId": "1", "customerName": "a", "totalIncome": 0.1, "totalExpenses": 0.0, "netIncome": 0.1},
        {"customerId": "2", "customerName": "b", "totalIncome": 0.2, "totalExpenses": 0.1, "netIncome": 0.1},
    ],
    "totalIncome": 0.3,
    "totalExpenses": 0.1,
    "netIncome": 0.2,
}


@pytest.mark.parametrize(
    ("change", "check"),
    [
        ({}, None),
        ({"totalIncome": 0.30000001}, "reports.sums"),
        ({"entries": [{**GOOD["entries"][0], "netIncome": 0.2}, GOOD["entries"][1]]}, "reports.net"),  # type: ignore[index]
        (
            {"entries": [GOOD["entries"][0]] * 2, "totalIncome": 0.2, "totalExpenses": 0, "netIncome": 0.2},  # type: ignore[index]
            "reports.customer-once",
        ),
        ({"currency": None}, "reports.currency"),
        ({"endPeriod": "2024-01-01"}, "reports.period"),
        ({"startPeriod": "1/2/2025"}, "reports.period"),
        ({"reportName": None}, "reports.fields"),
    ],
)
def test_reports(change: dict[str, Any], check: str | None) -> None:
    answer = Answer(200, (), json.dumps({**GOOD, **change}).encode(), 1.0, 1)
    results = judged(registry.operation("accounting/customer-income"), Tried(answer), answer)
    assert [result.check.id for result in results if result.is_bad] == ([check] if check else [])


def test_what_bytes_are() -> None:
    assert (sniffed(b"%PDF-1.7"), sniffed(b'{"a":1}'), sniffed(b"<p>")) == (
        "application/pdf",
        "application/json",
        "",
    )


def test_only_an_open_profile_outside_production_may_write() -> None:
    for environment, guard, may in (
        (Environment.STAGING, Guard.OPEN, True),
        (Environment.STAGING, Guard.ASK, False),
        (Environment.SANDBOX, Guard.READ_ONLY, False),
        (Environment.PRODUCTION, Guard.OPEN, False),
    ):
        profile = Profile(name="p", base_url="https://api.example.com", environment=environment, guard=guard)
        assert may_write(profile) is may


def test_what_needs_calls_says_what_it_needs() -> None:
    for checks in (batch.CHECKS, links.LINKS):
        assert all(check.needs for check in checks)
    assert len(credentials.CHECKS) == 4
    assert {check.group for check in sync_mode.CHECKS} == {"sync mode"}
    assert by_id([]) == {}
