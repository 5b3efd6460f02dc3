"""`python -m tests.exam.states2`: the second exam about the differences between two states of a list."""

from __future__ import annotations

from tests.exam.states.sitting import sit
from tests.exam.states2.kinds import RECIPES

if __name__ == "__main__":
    raise SystemExit(sit("tests.exam.states2", RECIPES))
