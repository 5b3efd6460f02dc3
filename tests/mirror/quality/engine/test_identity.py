"""What names a finding is the same whatever the order of rows, pages and results, and wherever it was seen."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.engine.check import Example, Finding, Result, Verdict
from explorer.quality.engine.identity import Identity, identified
from explorer.quality.reports.report import report_of
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row, walked
from tests.mirror.quality.made import ENDS, TYPES, made_run

JOB = "ats/job"
FINE: dict[str, Any] = {
    "id": "1",
    "name": "Engineer",
    "confidential": False,
    "departments": [],
    "created_at": "2026-01-01T00:00:00Z",
    "modified_at": "2026-01-02T00:00:00Z",
    "raw_data": {"id": "1"},
}
ROWS = [
    *({**FINE, "id": str(number), "raw_data": {"id": str(number)}} for number in range(20)),
    {**FINE, "name": 7},
    {**FINE, "name": 8},
    {**FINE, "departments": None},
    {**FINE, "created_at": "0000-00-00 00:00:00"},
    {**FINE, "modified_at": "2016-01-02T00:00:00Z"},
    {name: value for name, value in FINE.items() if name != "raw_data"},
    None,
    "text",
]


def identities(rows: list[Any], size: int) -> set[Identity]:
    """Of all that two watchers find wrong with rows in pages of that size."""
    record = registry.listing(JOB).record
    found: set[Identity] = set()
    for watcher in (Records(record), Plausible(record)):
        for number, value in enumerate(rows, 1):
            watcher.row(row(value, number, -(-number // size)))
        results = watcher.end(walked(JOB, pages=-(-len(rows) // size), rows=len(rows)))
        found |= {one for result in results if result.is_bad for one, _ in identified(result)}
    return found


EVERY = identities(ROWS, 100)


@given(st.permutations(ROWS), st.integers(1, 30))
def test_shuffled_rows_in_other_pages_are_the_same_findings(rows: list[Any], size: int) -> None:
    assert len(EVERY) >= 6
    assert identities(rows, size) == EVERY


places = st.builds(Example, st.integers(1, 9), st.integers(1, 999), st.integers(1, 99), st.text(), st.text())


@given(st.data())
def test_other_places_orders_and_connections_are_the_same_findings(data: st.DataObject) -> None:
    findings = tuple(
        Finding(rule, field, "", 1) for rule in ("null", "row 17", "text") for field in ("a", "b")
    )
    run = replace(
        made_run(),
        results=(
            Result(TYPES, JOB, Verdict.FAILS, "", 9, 9, findings),
            Result(TYPES, "crm/account", Verdict.FAILS, "", 9, 9, findings[:2]),
            Result(ENDS, JOB, Verdict.SUSPECT, "it never ends", 9, 9),
        ),
    )
    results = [
        replace(
            result,
            seen=data.draw(st.text()),
            findings=tuple(
                replace(one, sentence=data.draw(st.text()), examples=(data.draw(places),))
                for one in data.draw(st.permutations(result.findings))
            ),
        )
        for result in data.draw(st.permutations(run.results))
    ]
    other = replace(
        run, results=tuple(results), connection=data.draw(st.text()), profile=data.draw(st.text(min_size=1))
    )
    here, there = ({one.identity for one in report_of([each]).found} for each in (run, other))
    assert here == there
    assert len(here) == 9
    assert {one.fingerprint for one in here} == {one.fingerprint for one in there}
    assert len({one.fingerprint for one in here}) == len(here)


def test_a_row_that_is_withheld_is_the_same_finding_at_another_place() -> None:
    one, other = (
        Result(TYPES, JOB, Verdict.FAILS, "", 1, 1, (Finding(f"row {n}", "", "", 1),)) for n in (3, 17)
    )
    assert identified(one)[0][0] == identified(other)[0][0] == Identity("records.types", JOB, "row", "")


def test_the_fingerprint_stays_from_release_to_release() -> None:
    assert Identity("records.types", JOB, "number", "name").fingerprint == "107abb13f17edae1a94c416a180b696c"
