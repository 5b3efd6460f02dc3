"""Laws of faults: they follow from the seed, and who tries again gets through."""

from __future__ import annotations

from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.faults.kinds import ANY_KIND, KINDS, MIXED, MOST_IN_A_ROW, Faults

TARGETS = st.lists(st.sampled_from(("a", "b", "c")), min_size=1, max_size=60)


def met(faults: Faults, wanted: str, targets: list[str]) -> list[tuple[str, str | None]]:
    return [(target, faults.kind(wanted, target, number)) for number, target in enumerate(targets, 1)]


@given(st.integers(0, 1000), TARGETS)
def test_the_mix_follows_from_its_seed_and_never_fails_a_request_three_times_in_a_row(
    seed: int, targets: list[str]
) -> None:
    found = met(Faults(seed, rate=0.9), ANY_KIND, targets)
    assert found == met(Faults(seed, rate=0.9), ANY_KIND, targets)
    for target in set(targets):
        of_target = [kind for one, kind in found if one == target]
        for failed, run in groupby(of_target, key=lambda kind: kind is not None):
            assert not failed or len(list(run)) <= MOST_IN_A_ROW


def test_the_mix_has_every_kind_of_it_and_another_seed_another_order() -> None:
    targets = [str(number) for number in range(400)]
    one, other = (met(Faults(seed), ANY_KIND, targets) for seed in (1, 2))
    assert one != other
    assert {kind for _, kind in one} == {None, *MIXED}
    assert 100 < sum(kind is not None for _, kind in one) < 180, "about a third of 400"


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_single_kind_meets_the_first_tries_of_each_request(kind: str) -> None:
    found = [one for _, one in met(Faults(), kind, ["a", "b", "a", "b", "a", "b", "a"])]
    assert found == [kind, kind, kind, kind, None, None, None]
