"""What of earlier runs is run again."""

from __future__ import annotations

from dataclasses import replace

from explorer.quality.checks.references import REFERENCES
from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.failed import failed_of
from explorer.quality.engine.run_options import RunOptions
from tests.mirror.quality.made import ENDS, TYPES, made_run


def test_only_what_failed_where_it_failed_and_as_it_was_told() -> None:
    [again] = failed_of([made_run()])
    assert again.connection == "conn_one two"
    assert again.asked == RunOptions(
        resources=("ats/job", "file-storage/drive"), only=("records.types",), customer="all ones"
    )


def test_what_is_said_now_goes_before_what_was_told_then() -> None:
    [again] = failed_of([made_run()], RunOptions(customer="17", seconds=5.0))
    assert (again.asked.customer, again.asked.seconds) == ("17", 5.0)


def test_options_are_read_as_they_are_written() -> None:
    told = RunOptions(
        ids=("a", "b"),
        properties=("P",),
        customer="c",
        transactions=("1", "2"),
        connector="x",
        writes=True,
        prove=True,
    )
    [again] = failed_of([replace(made_run(), options=told.options())])
    assert replace(again.asked, resources=(), only=()) == told


def test_a_check_over_two_lists_takes_all_lists_along() -> None:
    bad = Result(REFERENCES, "sales-engagement/sequence_state", Verdict.SUSPECT, "", 2, 1)
    lists = ("sales-engagement/mailbox", "sales-engagement/sequence_state")
    [again] = failed_of([replace(made_run(), resources=lists, results=(bad,))])
    assert again.asked.resources == lists


def test_a_run_without_findings_is_left_out() -> None:
    held = Result(ENDS, "ats/job", Verdict.HOLDS)
    assert failed_of([replace(made_run(), results=(held,))]) == ()
    gone = Result(replace(TYPES, id="records.gone"), "ats/job", Verdict.FAILS)
    assert failed_of([replace(made_run(), results=(gone,))]) == ()
