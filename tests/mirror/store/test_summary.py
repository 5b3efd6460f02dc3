"""A column's summary agrees with counting by hand."""

from __future__ import annotations

import tempfile
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.store import summary
from explorer.store.indexed_columns import IndexedColumns
from explorer.store.reader import Unwanted
from explorer.store.store import Store
from explorer.store.summary import BINS, Summary, summarise
from explorer.store.values import Field
from tests.mirror.store.made import KEY, page
from tests.mirror.store.reference import GONE, Digits, cells, place, written
from tests.thorough import examples

SHAPE = IndexedColumns([Field("a", "name", "text")])


def summed(values: list[Any], within: list[int] | None = None) -> Summary:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "x.sqlite3")
        pull = store.start(KEY).id
        for n, start in enumerate(range(0, len(values), 4), start=1):
            made = [
                written({"a": v}, escapes=True).encode("utf-8", "surrogatepass")
                for v in values[start : start + 4]
            ]
            store.keep(pull, page(n, made), "ready", "", shape=SHAPE)
        reader = store.reader(pull, SHAPE, lambda: True)
        try:
            return summarise(reader, ("a", "name"), within)
        finally:
            reader.close()
            store.close()


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(cells, max_size=20), st.booleans())
def test_counts_agree_with_counting(values: list[Any], some: bool) -> None:
    rows = [n for n in range(len(values)) if not some or n % 2]
    found = summed(values, rows if some else None)
    asked = [values[n] for n in rows]
    assert found.rows == len(asked)
    assert found.nulls == sum(v is None for v in asked)
    assert found.absents == sum(v is GONE for v in asked)
    assert found.empties == sum(isinstance(v, (str, list, dict)) and not v for v in asked)
    told = [
        v for v in asked if v is not None and v is not GONE and (v or not isinstance(v, (str, list, dict)))
    ]
    places = Counter(map(place, told))
    assert (found.distinct, found.more) == (len(places), False)
    assert [each.rows for each in found.top] == [n for _, n in places.most_common(10)]
    assert all(place(values[each.row]) in places for each in found.top)
    if places:
        assert found.least is not None
        assert found.greatest is not None
        assert place(values[found.least.row]) == min(places)
        assert place(values[found.greatest.row]) == max(places)


def test_more_values_than_are_counted_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "DISTINCT_BOUND", 10)
    found = summed([f"{n}" for n in range(100)] + [None, GONE, ""])
    assert (found.distinct, found.more) == (10, True)
    assert (found.rows, found.nulls, found.absents, found.empties) == (103, 1, 1, 1)
    assert found.least is not None
    assert (found.least.text, found.least.row) == ("0", 0)


def test_numbers_and_dates_are_spread() -> None:
    found = summed([*range(100), Digits("1e400"), Digits("NaN"), "x"])
    assert (len(found.spread), sum(each.rows for each in found.spread), found.of_dates) == (BINS, 100, False)
    assert [each.rows for each in found.spread] == [5] * BINS
    dates = summed([f"2026-01-{day:02d}T00:00:00Z" for day in range(1, 29)] + ["1767225600000", "2026-01-01"])
    assert dates.of_dates
    assert sum(each.rows for each in dates.spread) == 30
    assert dates.spread[0].low == 1767225600.0
    assert summed(["x"]).spread == ()
    assert summed([7, 7]).spread[0].rows == 2


def test_the_mean_is_exact_and_of_finite_numbers_alone() -> None:
    found = summed([1, 1, 1, Digits("2.50"), 10**40, Digits("NaN"), "7", None])
    assert (found.numbers, found.present) == (5, 7)
    assert found.mean == Decimal(f"2{'0' * 38}1.1")
    assert summed(["a", None]).mean is None
    assert summed([Digits("1e400"), Digits("1e400")]).mean == Decimal("1e400")


def test_what_stands_for_an_array_is_said_with_how_many_items_it_has() -> None:
    found = summed([[{"name": "Design"}], [{"name": "Design"}, 2, 3], [1, 2], {"name": "One"}, {"x": 1}])
    assert {each.text for each in found.top} == {"Design", "Design +2", "[…] of 2", "One", "{…}"}


def test_it_ends_when_it_is_called_off(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    pull = store.start(KEY).id
    for n in range(1, 5):
        store.keep(pull, page(n, [b'{"a": 1}']), "ready", "", shape=SHAPE)
    asked = 0

    def wanted() -> bool:
        nonlocal asked
        asked += 1
        return asked < 3

    reader = store.reader(pull, SHAPE, wanted)
    with pytest.raises(Unwanted):
        summarise(reader, ("a", "name"))
    assert asked == 3
    reader.close()
    store.close()
