"""What was accepted stands apart, counts as no finding and never as holding; what grew past it counts again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from explorer.quality.baseline.baseline import Accepted, Baseline
from explorer.quality.engine.check import Finding, Result, Run, Verdict
from explorer.quality.engine.identity import Identity
from explorer.quality.reports.beside import beside
from tests.mirror.quality.made import ENDS, TYPES, made_run

DAY = date(2026, 11, 20)
NULL = Identity("records.types", "ats/job", "null", "name")
TEXT = Identity("records.types", "ats/job", "text", "size")
ENDLESS = Identity("paging.ends", "ats/job", "", "")
BOTH = Result(
    TYPES,
    "ats/job",
    Verdict.FAILS,
    "size is text; 1 more: name",
    40,
    5,
    (
        Finding("text", "size", "size is text", 3, (), Verdict.FAILS),
        Finding("null", "name", "name is null", 2, (), Verdict.SUSPECT),
        Finding("new", "type", "It is new", 3, (), Verdict.OBSERVED),
    ),
)
HOLDS = Result(ENDS, "file-storage/drive", Verdict.HOLDS, "", 1)


def run(*results: Result, **fields: object) -> Run:
    return replace(made_run(), results=results, mappings=(), **fields)  # type: ignore[arg-type]


def baseline(*identities: Identity, at_most: int = 3, expires: date | None = None) -> Baseline:
    made = (Accepted(one, at_most, 40, DAY, DAY, "they mend it", expires=expires) for one in identities)
    return Baseline({one.identity: one for one in made})


def test_what_is_accepted_in_whole_leaves_the_counts_and_is_said() -> None:
    found = beside(run(BOTH, HOLDS), baseline(NULL, TEXT))
    head = found.head
    assert (found.bad, head.verdicts[Verdict.FAILS], head.accepted) == ((), 0, 1)
    assert head.checks_words == "nothing else found · 1 accepted"
    assert head.looked_at == run(BOTH, HOLDS).head.looked_at == 2
    assert found.results[0].accepted == "since 20 Nov 2026, at most 3 of 40, they mend it"
    assert found.results[0].findings == BOTH.findings


def test_what_is_accepted_in_part_is_a_result_of_its_own() -> None:
    found = beside(run(BOTH, HOLDS), baseline(TEXT))
    left, accepted, _ = found.results
    assert [one.field for one in left.findings] == ["name", "type"]
    assert (left.verdict, left.seen, left.affected) == (Verdict.SUSPECT, "name is null", 2)
    assert (accepted.verdict, [one.field for one in accepted.findings]) == (Verdict.FAILS, ["size"])
    assert found.bad == (left,)
    assert found.head.checks_words == "1 suspect · 1 accepted"
    assert found.head.looked_at == 2


def test_a_result_without_findings_of_its_own_is_accepted_as_one() -> None:
    endless = Result(ENDS, "ats/job", Verdict.SUSPECT, "it never ends", 3, 1)
    assert beside(run(endless), baseline(ENDLESS)).head.checks_words == "nothing else found · 1 accepted"


@pytest.mark.parametrize(
    ("accepted", "said"),
    [
        (baseline(TEXT, at_most=2), "More than was accepted (at most 2 of 40, they mend it): "),
        (
            baseline(TEXT, expires=date(2026, 11, 19)),
            "No longer accepted (at most 3 of 40, until 2026-11-19, ",
        ),
    ],
)
def test_what_grew_or_whose_day_is_over_counts_again_and_says_so(accepted: Baseline, said: str) -> None:
    found = beside(run(BOTH), accepted)
    [left] = found.results
    assert (left.accepted, left.findings, found.head.accepted) == ("", BOTH.findings, 0)
    assert left.seen.startswith(said)
    assert left.seen.endswith(BOTH.seen)


def test_a_run_that_judged_little_or_was_quick_says_no_more_than_that() -> None:
    assert beside(run(BOTH, stopped="x"), baseline(NULL, TEXT)).head.checks_words == (
        "little was judged · 1 accepted"
    )
    assert beside(run(BOTH, quick=True), baseline(NULL, TEXT)).head.checks_words == (
        "nothing else found · 1 accepted"
    )


def test_without_anything_accepted_it_is_the_same_run() -> None:
    made = run(BOTH, HOLDS)
    assert beside(made, Baseline({})) is made
    assert beside(made, baseline(ENDLESS)) == made
