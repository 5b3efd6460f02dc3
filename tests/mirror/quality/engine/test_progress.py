"""How far a run is: calls of about how many, and the time that is left, from what its lists and groups say."""

from dataclasses import replace

import pytest

from explorer.quality.engine.progress import Part, Progress, State
from explorer.quality.engine.run import pause_after


def part(calls: int, left: int | None) -> Part:
    return Part("ats/job", "Jobs", State.RUNS, "Reading page 3", 200, calls, left)


def test_calls_are_about_so_many_until_nothing_is_left() -> None:
    some = Progress("Jobs, page 2", 200, 2, 18, 9.0, (part(18, 20), part(0, 24)))
    assert (some.about, some.is_certain) == (62, False)
    assert [one.about for one in some.parts] == [38, 24]
    over = Progress("Done", 200, 2, 18, 9.0, (part(18, 0),))
    assert (over.about, over.is_certain, over.seconds_left) == (18, True, 0.0)


def test_time_left_is_said_after_five_calls_and_where_the_lists_are_known() -> None:
    assert Progress("", 0, 0, 4, 2.0, (part(4, 20),)).seconds_left is None
    five = Progress("", 0, 0, 5, 2.5, (part(5, 20),))
    assert (five.seconds_left, five.seconds_of(4)) == (10.0, 2.0)
    unknown = Progress("", 0, 0, 18, 9.0, (part(18, None), part(0, 24)))
    assert (unknown.about, unknown.seconds_left) == (None, None)


def test_a_limit_of_calls_bounds_what_is_to_come() -> None:
    assert Progress("", 0, 0, 5, 2.5, (part(5, 95),), most=20).about == 20
    assert Progress("", 0, 0, 5, 2.5, (part(5, None),), most=20).about == 20


def test_before_a_run_its_calls_are_a_range_or_what_is_certain_of_them() -> None:
    def said(*parts: Part, most: int | None = None, absent: tuple[str, ...] = ()) -> str:
        return Progress("", 0, 0, 0, parts=parts, most=most).expected(absent).words

    some = replace(part(0, 80), more=35)
    assert said(some) == "About 80 to 120 calls"
    assert said(part(0, 6)) == "About 6 calls"
    assert said(some, absent=("ats/job",)) == "About 1 call"
    assert said() == ""
    unknown = part(0, None)
    assert said(part(0, 24), unknown) == "At least 25 calls: nobody knows yet how long Jobs is"
    assert said(part(0, 24), unknown, unknown) == "At least 26 calls: nobody knows yet how long 2 lists are"
    assert said(part(0, 24), unknown, most=20) == "About 20 calls"
    assert Progress("", 0, 0, 0, parts=(some,)).expected().times(2).range == "160 to 230 calls"


def test_findings_stand_still_for_two_seconds_at_most_however_long_a_sum_takes() -> None:
    assert [pause_after(cost) for cost in (0.0, 0.01, 0.1, 30.0)] == [0.5, 0.5, pytest.approx(1.2), 2.0]
