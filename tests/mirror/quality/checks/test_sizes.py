"""Ids of two walks held against each other, by the rows between what both have."""

from __future__ import annotations

import json

import pytest

from explorer.quality.checks.paging import ReadPage
from explorer.quality.checks.sizes import Sizes, named
from explorer.quality.engine.shared_pages import Asked, BriefRow, Reasked, SideWalk
from explorer.quality.engine.walk_ids import SeenIds
from tests.builtin import registry
from tests.mirror.quality.checks.rows import row


def two_walks(plain: str, other: str, *, ended: bool = True) -> tuple[Sizes, SideWalk]:
    """Each letter is an id, a dot a row without one."""
    ids = SeenIds()
    for number, one in enumerate(plain, 1):
        if one != ".":
            ids.add(row(json.dumps({"id": one}).encode(), number))
    reasked = Reasked(None, registry.listing("ats/job"), ids)  # type: ignore[arg-type]
    sizes = Sizes(reasked, ids, [ReadPage(1, None, b"", 1, rows=len(plain))])
    rows = tuple(BriefRow("" if one == "." else one, 0, 0.0) for one in other)
    return sizes, SideWalk({}, [Asked(1, None, rows)], ended)


def against(plain: str, other: str, *, ended: bool = True) -> tuple[str, str]:
    """What only the other walk has, and what it leaves out."""
    sizes, walk = two_walks(plain, other, ended=ended)
    only, out = sizes._against(walk)
    return "".join(only), "".join(out)


@pytest.mark.parametrize(
    ("plain", "other", "only", "out"),
    [
        ("abcd", "abcd", "", ""),
        ("abd", "abcd", "c", ""),
        ("abc", "abcde", "de", ""),
        ("bcd", "abcd", "a", ""),
        ("abcd", "abd", "", "c"),
        ("abcd", "abxd", "", ""),  # the same row by another id
        ("ab.d", "abcd", "", ""),  # a row whose id could not be read
        ("abcd", "wxyz", "", ""),  # ids that are others at each call
        ("abcd", "dcba", "", ""),  # another order
        ("abcd", "dcbax", "x", ""),
        ("abcd", "dca", "", "b"),
    ],
)
def test_rows_are_counted_between_records_that_both_have(plain: str, other: str, only: str, out: str) -> None:
    assert against(plain, other) == (only, out)


def test_of_a_walk_that_did_not_end_only_what_lies_within_counts() -> None:
    assert against("abcdef", "abc", ended=False) == ("", "")
    assert against("abcdef", "abd", ended=False) == ("", "c")
    assert against("abcdef", "dab", ended=False) == ("", "")


@pytest.mark.parametrize(
    ("plain", "other", "same"),
    [("abcd", "abcd", True), ("abcd", "acbd", False), ("abbcd", "abbcd", True), ("abbcd", "abbdc", False)],
)
def test_an_id_that_names_two_records_makes_no_other_order(plain: str, other: str, same: bool) -> None:
    sizes, walk = two_walks(plain, other)
    assert sizes._in_order(walk) is same


def test_the_first_few_ids_are_named() -> None:
    assert named("abc") == "a, b, c"
    assert named("abcdefg") == "a, b, c, d, e and 2 more"
