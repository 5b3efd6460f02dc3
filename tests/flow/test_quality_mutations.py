"""Defects put into clean data at random are found by the check meant for them, and nothing else complains.

A sample of the kinds; ``python -m tests.mutations`` runs as many as one likes and prints the figures.
"""

from __future__ import annotations

from random import Random

from explorer.quality.engine.all_checks import check_ids
from tests.mutations.clean import LISTS
from tests.mutations.kinds import KINDS
from tests.mutations.trial import spread, trials

SEED = 11


def test_clean_data_raises_no_alarm() -> None:
    with trials(SEED, scale=0.2) as made:
        assert made.clean(len(LISTS)).clean_alarms == []


def test_defects_at_random_are_found_and_nothing_else() -> None:
    names = Random(SEED).sample(sorted(KINDS), 36)
    with trials(SEED, scale=0.2) as made:
        figures = made.tried(names)
    told = "\n".join(figures.lines())
    assert figures.alarms == 0, told
    assert figures.found >= 0.95 * len(names), told


def test_there_are_kinds_for_most_checks_and_each_is_drawn_as_often() -> None:
    assert len(KINDS) >= 70
    names = spread(200, 1)
    counts = [names.count(name) for name in KINDS]
    assert (sum(counts), min(counts), max(counts)) == (200, 2, 3)
    assert "records.types" in check_ids()
