"""The words of a summary: shares that do not lie, numbers without exponents, dates where there are dates."""

from __future__ import annotations

from decimal import Decimal

import pytest

from explorer.session import Bin, Summary, Valued
from explorer.ui.pages.list import summary_words
from tests.builtin import registry

COLUMNS = {c.field: c for c in registry.resource("ats/job").columns}


def made(**more: object) -> Summary:
    given: dict[str, object] = {
        "rows": 10, "nulls": 1, "absents": 2, "empties": 3, "distinct": 2, "more": False,
        "least": Valued("a", 0, 3), "greatest": Valued("b", 1, 1), "top": (Valued("a", 0, 3), Valued("b", 1, 1)),
        "spread": (), "of_dates": False,
    }  # fmt: skip
    return Summary(**(given | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("part", "whole", "said"),
    [
        (0, 10, "0 %"),
        (10, 10, "100 %"),
        (1, 8, "12.5 %"),
        (1, 10**6, "under 0.1 %"),
        (999_999, 10**6, "99.9 %"),
        (0, 0, "0 %"),
    ],
)
def test_what_is_there_is_never_nothing_and_what_lacks_never_all(part: int, whole: int, said: str) -> None:
    assert summary_words.share(part, whole) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Decimal(12), "12"),
        (Decimal("1234567.5"), "1,234,567.5"),
        (Decimal(1) / 3, "about 0.333333"),
        (Decimal(2**70), f"{2**70:,}"),
        (Decimal(0), "0"),
    ],
)
def test_a_mean_is_written_out(value: Decimal, said: str) -> None:
    assert summary_words.number(value) == said


def test_the_text_for_the_clipboard_says_everything() -> None:
    found = made(spread=(Bin(0.0, 86_400.0, 3), Bin(86_400.0, 7 * 86_400.0, 1)), of_dates=True, more=True)
    assert summary_words.as_text("Jobs", COLUMNS["departments"], "10 rows loaded", found).splitlines() == [
        "departments of Jobs: 10 rows loaded",
        "With a value: 4",
        "Distinct: more than 2",
        "Least: a",
        "Greatest: b",
        "Null: 1",
        "Absent: 2",
        "Empty: 3",
        "Commonest values:",
        "  3 (75.0 %)  a",
        "  1 (25.0 %)  b",
        "Spread:",
        "  1970-01-01 to 1970-01-02: 3 rows",
        "  1970-01-02 to 1970-01-08: 1 row",
        "Most common among the first 2 different values.",
        "Arrays count by the name of their first item, then by how many items they have.",
        "Dates are grouped in UTC.",
    ]


def test_values_that_all_stand_once_are_no_commonest_ones() -> None:
    assert summary_words.unique(made(top=(Valued("a", 0, 1),)))
    many = made(top=(Valued("a", 0, 1),), distinct=50_000, more=True)
    assert summary_words.unique(many), "five values that stand once each are not the commonest"
    assert summary_words.none_twice(many) == "None of the first 50,000 different values appears twice."
    assert not any(note.startswith("Commonest") for note in summary_words.notes(many, COLUMNS["id"]))
    assert not summary_words.unique(made())
    assert not summary_words.unique(made(top=()))
