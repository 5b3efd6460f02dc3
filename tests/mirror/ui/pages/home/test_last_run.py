"""What Home says of the last run is what its saved report says, and worse is only what the run before judged better."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from explorer.quality.baseline.baseline import Baseline
from explorer.quality.baseline.baseline_file import baseline_text
from explorer.quality.engine.all_checks import CHECKS
from explorer.quality.engine.check import Run, Verdict
from explorer.quality.reports.json import as_json
from explorer.quality.reports.report import report_of
from explorer.ui.pages.home.last_run import last_run
from tests.mirror.quality.made import made_run

RUN = made_run()
HERE = RUN.connection


def document(*runs: Run) -> bytes:
    return as_json(report_of(runs))


def judged(run: Run, **verdicts: Verdict) -> Run:
    """``run`` whose results are one for each verdict: of a resource, by a check of its own."""
    checks = list({result.check.id: result.check for result in run.results}.values())
    one = run.results[0]
    results = [
        replace(one, check=check, resource=resource, verdict=verdict, findings=())
        for check, (resource, verdict) in zip(checks, verdicts.items(), strict=False)
    ]
    return replace(run, results=tuple(results))


def test_it_counts_what_the_report_counts_and_names_the_gravest_of_each_resource() -> None:
    found = last_run([document(RUN)], HERE)
    assert found is not None
    head = RUN.head.verdicts
    assert found.counts == (head[Verdict.FAILS], head[Verdict.SUSPECT], head[Verdict.HOLDS])
    assert found.sentence.lower() == f"{RUN.head.sentence}.".lower()
    assert (found.at, found.before, found.worse) == (RUN.started_at, None, ())
    bad = {result.resource for result in RUN.results if result.verdict is Verdict.FAILS and result.resource}
    assert bad
    assert {key for key, verdict in found.verdicts.items() if verdict == "fails"} == bad


@pytest.mark.parametrize(
    ("before", "now", "worse"),
    [
        (Verdict.HOLDS, Verdict.FAILS, True),
        (Verdict.HOLDS, Verdict.SUSPECT, True),
        (Verdict.SUSPECT, Verdict.FAILS, True),
        (Verdict.FAILS, Verdict.FAILS, False),
        (Verdict.FAILS, Verdict.HOLDS, False),
        (Verdict.SKIPPED, Verdict.FAILS, False),
        (Verdict.OBSERVED, Verdict.SUSPECT, False),
    ],
)
def test_worse_is_what_the_same_check_judged_better_before(
    before: Verdict, now: Verdict, worse: bool
) -> None:
    earlier = replace(judged(RUN, jobs=before), started_at=RUN.started_at - timedelta(days=2))
    found = last_run([document(judged(RUN, jobs=now)), document(earlier)], HERE)
    assert found is not None
    assert found.worse == (("jobs",) if worse else ())
    assert found.before == earlier.started_at


def test_what_is_skipped_or_observed_is_no_verdict() -> None:
    found = last_run([document(judged(RUN, jobs=Verdict.SKIPPED, files=Verdict.OBSERVED))], HERE)
    assert found is not None
    assert found.verdicts == {}


def test_without_a_report_of_this_connection_there_is_none() -> None:
    assert last_run([], HERE) is None
    assert last_run([b"{}"], HERE) is None
    assert last_run([document(replace(RUN, connection="conn_other"))], HERE) is None


def test_of_several_connections_it_takes_its_own() -> None:
    other = replace(judged(RUN, files=Verdict.FAILS), connection="conn_other")
    found = last_run([document(other, judged(RUN, jobs=Verdict.HOLDS))], HERE)
    assert found is not None
    assert found.verdicts == {"jobs": "holds"}


def narrow(run: Run, verdict: Verdict, **given: object) -> Run:
    """``run`` an hour later, of jobs alone."""
    made = judged(run, jobs=verdict)
    return replace(made, resources=("jobs",), started_at=run.started_at + timedelta(hours=1), **given)  # type: ignore[arg-type]


WHOLE = replace(
    judged(RUN, jobs=Verdict.SUSPECT, files=Verdict.FAILS), resources=("jobs", "files"), partial=()
)


def test_a_run_of_fewer_lists_does_not_hide_the_one_before() -> None:
    small = narrow(WHOLE, Verdict.HOLDS)
    found = last_run([document(small), document(WHOLE)], HERE)
    assert found is not None
    assert found.at == small.started_at
    assert found.verdicts == {"jobs": "suspect", "files": "fails"}, "the worst of both"
    assert found.counts == (1, 1, 0), "those of the run that came out worse"
    said = found.sentence.split("\n")
    assert said[0].startswith("1 of 2 lists and operations: ")
    assert said[1].startswith("The larger run of ")
    assert said[1].lower().endswith(f"{WHOLE.head.sentence}.".lower())


def test_a_run_that_broke_off_does_not_hide_the_lists_that_it_did_not_get_to() -> None:
    """It was asked for all lists, and broke off between two of them: neither was read in part."""
    made = judged(WHOLE, jobs=Verdict.HOLDS, files=Verdict.SKIPPED)
    broken = replace(made, stopped="Broken off", started_at=WHOLE.started_at + timedelta(hours=1))
    assert broken.looked_at == {"jobs"}
    found = last_run([document(broken), document(WHOLE)], HERE)
    assert found is not None
    assert found.verdicts["files"] == "fails"
    assert found.sentence.startswith("Not read to the end: ")


def test_the_worse_counts_where_the_smaller_run_came_out_worse() -> None:
    whole = replace(judged(WHOLE, jobs=Verdict.HOLDS, files=Verdict.HOLDS))
    small = narrow(whole, Verdict.FAILS)
    found = last_run([document(small), document(whole)], HERE)
    assert found is not None
    assert found.verdicts == {"jobs": "fails", "files": "holds"}
    assert found.counts == (1, 0, 0)
    assert found.worse == ("jobs",)


def test_the_one_before_is_found_behind_several_smaller_ones() -> None:
    small = narrow(WHOLE, Verdict.HOLDS)
    found = last_run([document(small), document(small), document(WHOLE)], HERE)
    assert found is not None
    assert found.verdicts["files"] == "fails"


def test_a_run_of_the_same_lists_takes_the_place_of_the_one_before() -> None:
    again = replace(
        judged(WHOLE, jobs=Verdict.HOLDS, files=Verdict.HOLDS), started_at=WHOLE.started_at + timedelta(1)
    )
    found = last_run([document(again), document(WHOLE)], HERE)
    assert found is not None
    assert found.verdicts == {"jobs": "holds", "files": "holds"}
    assert "\n" not in found.sentence


def test_lists_that_were_read_in_part_do_not_take_the_place_of_whole_ones() -> None:
    quick = replace(
        judged(WHOLE, jobs=Verdict.HOLDS, files=Verdict.HOLDS),
        started_at=WHOLE.started_at + timedelta(1), partial=("files",),
    )  # fmt: skip
    found = last_run([document(quick), document(WHOLE)], HERE)
    assert found is not None
    assert found.verdicts == {"jobs": "suspect", "files": "fails"}
    assert found.sentence.startswith("Not read to the end: ")


def test_the_worst_is_the_gravest_of_the_newest_run_and_of_a_larger_one_before() -> None:
    found = last_run([document(RUN)], HERE)
    assert found is not None
    assert found.worst is not None
    first = RUN.bad[0]
    assert (found.worst.check, found.worst.resource) == (first.check.id, first.resource)
    assert (found.worst.at, found.worst.document) == (RUN.started_at, 0)
    assert found.worst.sentence.endswith("(312 of 21,400 records)")
    assert found.worst.others == "1 suspect"
    clean = replace(judged(RUN, jobs=Verdict.HOLDS), resources=("ats/job",))
    larger = replace(RUN, resources=("ats/job", "file-storage/file"))
    later = last_run([document(clean), b"{}", document(larger)], HERE)
    assert later is not None
    assert later.worst is not None
    assert (later.worst.check, later.worst.document) == (first.check.id, 2)


def test_where_nothing_was_found_nothing_is_the_worst() -> None:
    found = last_run([document(judged(RUN, jobs=Verdict.HOLDS))], HERE)
    assert found is not None
    assert found.worst is None
    both = last_run([document(judged(RUN, jobs=Verdict.FAILS, files=Verdict.FAILS))], HERE)
    assert both is not None
    assert both.worst is not None
    assert both.worst.others == "1 more fails"


def test_what_fails_is_worse_than_what_is_suspect_and_may_cost_more() -> None:
    graver = next(check for check in CHECKS if check.id == "paging.ends")
    lost = replace(RUN.results[0], check=graver, verdict=Verdict.SUSPECT, affected=1, measured=1)
    both = replace(RUN, results=(lost, RUN.results[0]))
    assert both.bad[0] is lost
    found = last_run([document(both)], HERE)
    assert found is not None
    assert found.worst is not None
    assert (found.worst.verdict, found.worst.others) == ("fails", "1 suspect")


def test_what_was_accepted_leaves_the_counts_and_does_not_hold() -> None:
    found = report_of([RUN]).found
    day = RUN.started_at.date()
    counts = [(one.identity, one.count, one.looked_at) for one in found]
    accepted = baseline_text(Baseline({}).accepting(counts, day, "known")).encode("utf-8", "backslashreplace")
    told = last_run([document(RUN)], HERE, accepted)
    assert told is not None
    assert (told.counts[:2], told.worst, told.worse) == ((0, 0), None, ())
    assert f"{len(found)} accepted" in told.sentence
    assert told.accepted == len(found)
    bad = {result.resource for result in RUN.bad}
    assert {key for key, verdict in told.verdicts.items() if verdict == "accepted"} == bad
    assert last_run([document(RUN)], HERE, b"damaged") == last_run([document(RUN)], HERE)
