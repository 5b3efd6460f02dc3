"""`python -m tests.exam.states`: the exam about the differences between two states of a list."""

from __future__ import annotations

from tests.exam.states import kinds
from tests.exam.states.frame import RECIPES
from tests.exam.states.sitting import sit

MODULES = (kinds,)
"""Importing it has entered all kinds."""

if __name__ == "__main__":
    raise SystemExit(sit("tests.exam.states", RECIPES))
