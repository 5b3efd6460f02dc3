"""Runs of several connections: what differs between them is named, and what was not made on all is none of it."""

from __future__ import annotations

from dataclasses import replace

from explorer.quality.engine.check import Verdict
from explorer.ui.pages.quality.several_runs import apart, grid_rows
from tests.mirror.ui.pages.quality.test_quality_words import FAILS, HOLDS, SUSPECT, result, run_of


def test_the_gravest_difference_between_connections_is_named() -> None:
    types_hold = result("records.types", Verdict.HOLDS)
    one = run_of(HOLDS, types_hold, SUSPECT)
    other = replace(run_of(HOLDS, FAILS, replace(SUSPECT, verdict=Verdict.HOLDS)), connection="conn_two")
    found = apart((one, other))
    assert (found.at, found.check, found.resource) == (0, "paging.ends", "ats/job"), "lost rows are graver"
    said = "They differ in 2 of 3 checks made on all of them. First, Jobs on conn_one: seen (suspect). conn_two: holds."
    assert found.words == said
    third = replace(one, connection="conn_three")
    assert apart((one, other, third)).words.endswith("conn_two: holds; conn_three: suspect.")


def test_what_was_not_made_on_all_is_no_difference() -> None:
    skipped = replace(FAILS, verdict=Verdict.SKIPPED)
    alike = apart((run_of(HOLDS, FAILS), replace(run_of(HOLDS, skipped), connection="conn_two")))
    assert (alike.words, alike.at) == ("They came out alike in 1 check made on all of them.", -1)
    assert apart((run_of(FAILS), run_of(skipped))).words == ""
    assert apart((run_of(FAILS), run_of(FAILS))).at == -1
    assert apart((run_of(FAILS), run_of(replace(FAILS, verdict=Verdict.SUSPECT)))).at == 0


def test_where_no_record_was_read_that_comes_first_and_what_holds_is_not_green() -> None:
    key = result("credentials.no-key", Verdict.HOLDS)
    ends = result("paging.ends", Verdict.HOLDS)
    empty = replace(run_of(ends, key), records=0)
    other = replace(empty, connection="conn_two")
    said = apart((empty, other))
    assert said.words == (
        "No record was read on either: nothing about records could be judged there. "
        "They came out alike in 2 checks made on all of them."
    )
    read = replace(run_of(FAILS, ends, key), connection="conn_two")
    assert apart((empty, read)).words.startswith("No record was read on conn_one: nothing about records")
    assert apart((empty, other, replace(other, connection="c"))).words.startswith(
        "No record was read on any of them"
    )
    for by_check in (True, False):
        badges = {
            row.name: [cell.badge for cell in row.cells]
            for row in grid_rows((empty, read), by_check=by_check)
        }
        assert badges[ends.check.sentence if by_check else "Paging"] == ["plain", "holds"]
        assert badges[key.check.sentence if by_check else "Credentials"] == ["holds", "holds"]
