"""Which fields changed is told from marks, and of no field too many."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from explorer.quality.engine.changed_fields import FieldMarks, changed_words
from explorer.quality.engine.row import read_row
from explorer.quality.engine.rows import Rows

NAMES = ("id", "name", "size", "raw_data")
MARKS = FieldMarks(NAMES)
_values = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=3)
)
_records = st.dictionaries(st.sampled_from([*NAMES, "more", "other"]), _values)


@given(_records, _records)
def test_the_fields_that_differ_are_named(before: dict[str, Any], now: dict[str, Any]) -> None:
    def differs(name: str) -> bool:
        here, there = before.get(name, ...), now.get(name, ...)
        return type(here) is not type(there) or here != there

    found = MARKS.changed(MARKS.of(before), MARKS.of(now))
    assert [name for name in found if name] == [name for name in NAMES if differs(name)]
    assert ("" in found) == (differs("more") or differs("other"))


def test_null_is_not_absent_and_order_is_no_change() -> None:
    assert MARKS.changed(MARKS.of({"name": None}), MARKS.of({})) == ("name",)
    one, other = {"raw_data": {"a": 1, "b": 2}}, {"raw_data": {"b": 2, "a": 1}}
    assert MARKS.changed(MARKS.of(one), MARKS.of(other)) == ()
    assert len(MARKS.of(one)) == 4 * (len(NAMES) + 1)


def test_what_no_encoder_takes_has_a_mark() -> None:
    assert MARKS.of({"name": 10**400, "size": float("nan"), "id": "\ud800"})


def test_words() -> None:
    assert changed_words(("name",)) == "name"
    assert changed_words(("name", "size", "")) == "name, size and undeclared fields"
    assert changed_words("abcdefg") == "a, b, c and 4 more"
    assert changed_words(()) == "nothing"


@given(st.lists(_records, min_size=1, max_size=6))
def test_records_have_the_same_marks_together_and_alone(records: list[dict[str, Any]]) -> None:
    rows = Rows([read_row(json.dumps(one).encode(), at, 1, 1) for at, one in enumerate(records)])
    assert MARKS.of_all(rows) == b"".join(map(MARKS.of, rows.records))
