"""The lines of two lists side by side: each row once, in the order that is documented, gaps where a side has none."""

from __future__ import annotations

from array import array
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.compare.aligned import DIFFERS, GAP, ONLY_LEFT, ONLY_RIGHT, SAME, align
from explorer.quality.compare.rows import CalledOff
from tests.mirror.quality.compare.test_compare import compared

_IDS = st.lists(st.sampled_from("123456"), max_size=12)


def partners_of(one: list[str], other: list[str]) -> array[int]:
    """The first of one id belongs to the first, the second to the second."""
    rows: dict[str, list[int]] = {}
    for row, ident in enumerate(other):
        rows.setdefault(ident, []).append(row)
    return array("i", (rows[ident].pop(0) if rows.get(ident) else GAP for ident in one))


@given(_IDS, _IDS, st.sets(st.integers(0, 11)))
def test_every_row_stands_in_one_line_beside_its_record(
    one: list[str], other: list[str], some: set[int]
) -> None:
    partners = partners_of(one, other)
    changed = [row for row in some if row < len(one) and partners[row] != GAP]
    lines = align(partners, len(other), changed)
    pairs = list(zip(lines.left, lines.right, lines.states, strict=True))
    # Each row of each side once; the first list in its own order, and its records beside their partners.
    assert [left for left, _, _ in pairs if left != GAP] == list(range(len(one)))
    assert sorted(right for _, right, _ in pairs if right != GAP) == list(range(len(other)))
    assert [right for left, right, _ in pairs if left != GAP] == list(partners)
    for line, (left, right, state) in enumerate(pairs):
        assert state == (
            ONLY_LEFT if right == GAP else ONLY_RIGHT if left == GAP else DIFFERS if left in changed else SAME
        )
        # What only the second list has stands behind the row that precedes it there.
        if left == GAP:
            assert (pairs[line - 1][1] if line else GAP) == right - 1
    counts = Counter(lines.states)
    assert [len(lines.lines([state])) for state in range(4)] == [counts[state] for state in range(4)]


def test_a_comparison_is_aligned_with_the_counts_that_it_says() -> None:
    ids, others = ["1", "2", "2", "3", "", ""], ["2", "4", "2", "2", "1", "", ""]
    one = [{"id": ident, "name": "a"} for ident in ids]
    other = [{"id": ident, "name": "b" if ident == "1" else "a"} for ident in others]
    other[-1]["name"] = "c"  # without an id, and in no row of the first
    with compared(one, other) as made:
        lines = align(made.partners, made.sides[1].rows, made.found.changed_rows())
        counts = made.counts
    assert list(lines.left) == [0, 1, GAP, 2, GAP, 3, 4, GAP, 5]
    assert list(lines.right) == [4, 0, 1, 2, 3, GAP, 5, 6, GAP]
    assert Counter(lines.states) == {
        SAME: counts.same,
        DIFFERS: counts.changed,
        ONLY_LEFT: counts.gone,
        ONLY_RIGHT: counts.added,
    }
    assert (
        lines.left.itemsize + lines.right.itemsize + 1 == 9
    )  # bytes a line: two lists of a million take 18 MB
    with pytest.raises(CalledOff):
        align(array("i", range(5_000)), 5_000, (), lambda: False)
