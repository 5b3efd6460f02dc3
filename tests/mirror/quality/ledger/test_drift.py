"""Drift by its rules, each with what is just not enough for it; and ledgers side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from explorer.quality.ledger.drift import drift, side_by_side
from explorer.quality.ledger.report import beside, drift_json, drift_table, fill_words, ledger_json, table
from tests.mirror.quality.ledger.test_ledger import line, made


def found(before: Sequence[Any], after: Sequence[Any]) -> set[tuple[str, str]]:
    return {(one.path, one.rule) for one in drift(made(before), made(after))}


TWENTY = range(1, 21)


def times(zone: str, days: Sequence[int] = TWENTY) -> list[str]:
    return [f"2024-05-{day:02}T07:08:09{zone}" for day in days]


def raw(*values: Any) -> list[Any]:
    return [{"raw_data": {"x": value}} for value in values]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (raw(*["a"] * 100), raw(*["a"] * 96, *[""] * 4), set()),
        (raw(*["a"] * 100), raw(*["a"] * 95, *[""] * 5), {("raw_data.x", "fill")}),
        (raw(*["a"] * 19), raw(*[""] * 19), set()),
        (raw(1, 2), raw(1, 2, "2"), {("raw_data.x", "types")}),
        (raw(1, None), raw(1), {("raw_data.x", "types")}),
        (raw(*["a", "b"] * 10), raw("a", "c"), {("raw_data.x", "values")}),
        (raw(*"abcdefghijklmnopqrst"), raw("a", "ü"), set()),
        (raw(5, 9), raw(6, 7), set()),
        (raw(5, 9), raw(5, 9.5), {("raw_data.x", "range")}),
        (raw("2024-01-01", "2024-02-01"), raw("2024-01-01", "2026-02-01"), set()),
        (raw("2024-01-01", "2024-02-01"), raw("2023-12-31"), {("raw_data.x", "range")}),
        (raw("x" * 30), raw("x" * 60), set()),
        (raw("x" * 30), raw("x" * 61), {("raw_data.x", "range")}),
        (raw("x" * 30, "y" * 12), raw(*[f"{n:<20}" for n in range(3)]), {("raw_data.x", "range")}),
        (raw("x" * 30, "y" * 12), raw(*[f"{n:<20}" for n in range(2)], "y"), set()),
        (raw("x" * 30), raw(*["y" * 20] * 5), set()),  # the longest of few values is gone
        (raw(f"{'x' * 70}"), raw(*[f"{n:<65}" for n in range(3)]), {("raw_data.x", "range")}),
        (raw(*times("Z")), raw(*times("Z", TWENTY[:-1]), *times("", [20])), {("raw_data.x", "zone")}),
        (raw(*times("Z")), raw(*times("-02:00")), {("raw_data.x", "zone")}),
        (raw(*times("Z")), raw(*times("+00:00")), set()),
        (raw(*times("-0200")), raw(*times("-03:00")), set()),
        (raw(*times("Z")), raw(*[f"2024-05-{day:02}" for day in TWENTY[1:]]), set()),  # days have no zone
        ([{"id": "a"}], [{"id": "a", "n": {"deep": {"er": 1}}}], {("n", "appeared")}),
        ([{"id": "a", "n": {"deep": {"er": 1}}}], [{"id": "a"}], {("n", "vanished")}),
        (
            [{"id": "a", "departments": [{"id": "b"}]}],
            [{"id": "a", "departments": []}],
            {("departments[]", "vanished")},
        ),
        ([], [{"id": "a"}], set()),
    ],
)
def test_rules(before: list[Any], after: list[Any], expected: set[tuple[str, str]]) -> None:
    assert found(before, after) == expected
    assert found(after, after) == set()


def test_a_value_beyond_the_contracts_enumeration_is_new_after_few_rows() -> None:
    # The rule asks for twenty rows of which each value comes four times, unless the contract names the values.
    assert found(raw(*["a"] * 19), raw("b")) == set()


def test_side_by_side_has_each_path_once_near_its_neighbours() -> None:
    one, other = made([{"id": 1, "a": 1, "c": 1}]), made([{"id": 1, "a": 1, "b": {"x": 1}, "c": None}])
    lines = dict(side_by_side([one, other]))
    order = list(lines)
    assert len(order) == len(set(order)) == len({f.path for f in (*one.fields, *other.fields)})
    assert order.index("b") == order.index("a") + 1
    assert lines["b"][0] is None
    assert lines["c"][1] is line(other, "c")
    text = beside([one, other])
    assert "b.x" in text
    assert next(row for row in text.splitlines() if row.split()[:1] == ["c"]).split()[1:] == [
        "100%",
        "number",
        "0%",
        "null",
    ]


def test_reports_say_it_in_words_and_as_json() -> None:
    before, after = made([{"id": "a"}] * 400), made([{"id": "a"}] * 399 + [{"zip": "1"}])
    changes = drift(before, after)
    assert "zip" in drift_table(changes, "morning")
    assert drift_table((), "morning") == "Against morning: nothing drifted."
    assert [one["rule"] for one in drift_json(changes)] == ["appeared"]
    assert fill_words(line(after, "id")) == "99%"
    assert fill_words(line(after, "zip")) == "1%"
    assert fill_words(None) == "-"
    text = table(after)
    assert "! not declared" in text
    assert "! declared, never seen" in text
    document = ledger_json(after)
    assert document["undeclared"] == ["zip"]
    [field] = [one for one in document["fields"] if one["path"] == "id"]
    assert (field["present"], field["absent"], field["distinct"]) == (399, 1, {"count": 1, "more": False})
