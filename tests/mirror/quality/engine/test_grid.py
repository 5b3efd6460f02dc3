"""Several runs side by side."""

from __future__ import annotations

from dataclasses import replace

from explorer.quality.engine.check import Result, Verdict
from explorer.quality.engine.grid import grid_of
from tests.mirror.quality.made import ENDS, TYPES, made_run


def test_the_gravest_verdict_of_a_check_counts() -> None:
    one = made_run()
    other = replace(one, connection="conn_two", results=(Result(TYPES, "ats/job", Verdict.HOLDS, "", 3),))
    grid = grid_of([one, other])
    assert grid.connections == ("conn_one two", "conn_two")
    assert {row.check.id: row.verdicts for row in grid.rows} == {
        "paging.ends": (Verdict.OBSERVED, None),
        "records.types": (Verdict.FAILS, Verdict.HOLDS),
    }
    assert [row.check.id for row in grid.rows if row.is_bad] == [TYPES.id]
    assert [row.check.id for row in grid.rows] == [ENDS.id, TYPES.id]  # in the order of the checks
