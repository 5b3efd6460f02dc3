"""The mapping over five further third parties, made from seeds: precision and recall, and nothing by chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.quality.mapping.search import sources
from explorer.quality.mapping.trace import trace
from tests.mirror.quality.third_parties import SHAPES, Shape, arrays, joined
from tests.thorough import examples

SEEDS = 6


def made(maker: int, seed: int) -> Shape:
    rng = Random(f"{seed}/{maker}")
    return SHAPES[maker](rng, rng.randint(50, 160))


def figures(shape: Shape) -> tuple[int, int, int, list[str]]:
    """To find, said, right, and what is wrong in words."""
    found = sources(shape.rows[:150], "raw_data")
    wrong = []
    for name in {**shape.true, **found}:
        true, one = shape.true.get(name, ()), found.get(name)
        # Of a value that is made from several, one of them alone would be half the truth.
        fits = one is not None and (
            set(true) <= set(one.paths) if len(true) > 1 else true[:1] == one.paths[:1]
        )
        if not fits:
            wrong.append(f"{shape.name}: {name} from {true}, found {one}")
    right = len(found) - sum(1 for line in wrong if not line.endswith("None"))
    return len(shape.true), len(found), right, wrong


def test_precision_and_recall_over_five_further_shapes() -> None:
    for maker in range(len(SHAPES)):
        each = [figures(made(maker, seed)) for seed in range(SEEDS)]
        to_find, said, right = (sum(one[at] for one in each) for at in range(3))  # type: ignore[misc]
        name, wrong = made(maker, 0).name, [line for one in each for line in one[3]]
        print(
            f"\n{name}: {to_find} fields, {said} found, {right} right: {right / said:.3f}, {right / to_find:.3f}"
        )
        assert right / said >= 0.95, wrong
        assert right / to_find >= 0.95, wrong


@settings(max_examples=examples(25))
@given(st.integers(0, len(SHAPES) - 1), st.integers(0, 10**6))
def test_any_seed_gives_nearly_all_and_nothing_wrong(maker: int, seed: int) -> None:
    to_find, said, right, wrong = figures(made(maker, seed))
    assert said - right <= 1, wrong
    assert right >= to_find - 1, wrong


@pytest.mark.parametrize("maker", range(len(SHAPES)))
def test_beside_the_raw_data_of_others_nothing_is_found(maker: int) -> None:
    rows = made(maker, 1).rows
    moved = [{**row, "raw_data": rows[(at * 7 + 3) % len(rows)]["raw_data"]} for at, row in enumerate(rows)]
    assert not sources(moved, "raw_data")


def test_an_entry_is_traced_to_its_place_in_this_record() -> None:
    rows = arrays(Random(3), 60).rows
    found = sources(rows, "raw_data")
    places = set()
    for row in rows:
        looked = trace(row, found, ["email"], "raw_data")
        assert looked is not None
        line = next(line for line in looked.lines if line.pointer == "/email")
        place = int(line.sources[0].split("/")[3])
        assert row["raw_data"]["contact"]["mails"][place]["address"] == row["email"]
        assert line.how == "entry"
        places.add(place)
    assert places == {0, 1, 2}


def test_a_piece_is_a_whole_word_and_no_chance() -> None:
    rows = joined(Random(3), 60).rows
    assert sources(rows, "raw_data")["first_name"].how == "piece"
    # Part of a word is none, nor is a word that all the others have as well.
    inside = [
        {"state": row["city"], "raw_data": {"text": f"x{row['city']}y {at}"}} for at, row in enumerate(rows)
    ]
    assert not sources(inside, "raw_data")
    everywhere = [{"state": f"w{at % 3}", "raw_data": {"text": f"w0 w1 w2 {at}"}} for at in range(60)]
    assert not sources(everywhere, "raw_data")
