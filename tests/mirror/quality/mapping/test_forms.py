"""Forms of values, and raw records laid out flat."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.pointer import at
from explorer.quality.mapping.forms import (
    MOST_LEAVES,
    agreement,
    containers,
    forms,
    is_telling,
    leaves,
    likeness,
)


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [
        ("Ann", "Ann", "equal"),
        ("Ann  Lee ", "ann lee", "case and space"),
        (4000000001, "4000000001", "number"),
        ("12.50", 12.5, "number"),
        ("2024-05-06T07:08:09.123Z", 1714979289123, "date"),
        ("2024-05-06T07:08:09.000Z", "2024-05-06T09:08:09+02:00", "date"),
        (True, "yes", "words"),
        (True, True, "equal"),
        (1, True, ""),
        ("Ann", "Anna", ""),
        (None, None, ""),
        ("", "", ""),
        ([1], [1], ""),
    ],
)
def test_how_two_values_agree(one: Any, other: Any, how: str) -> None:
    assert agreement(forms(one), forms(other)) == how
    assert agreement(forms(other), forms(one)) == how


def test_pointers_lead_back() -> None:
    raw = {"a/b": {"~": [1, {"x": "y"}]}, "@t": None, "deep": {"er": True}}
    flat = leaves(raw)
    assert flat == {"/a~1b/~0/0": 1, "/a~1b/~0/1/x": "y", "/@t": None, "/deep/er": True}
    assert [at(raw, pointer) for pointer in flat] == list(flat.values())
    assert list(containers(raw)) == ["", "/a~1b", "/a~1b/~0", "/deep"]
    assert at(raw, "/no/where") is None


RAW = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=30,
)


@given(st.dictionaries(st.text(max_size=4), RAW))
def test_every_leaf_lies_where_its_pointer_says(raw: dict[str, Any]) -> None:
    for pointer, value in leaves(raw).items():
        assert at(raw, pointer) == value


def test_large_records_stay_bounded() -> None:
    assert len(leaves({str(n): n for n in range(10_000)})) <= 400
    deep: Any = 1
    for _ in range(5_000):
        deep = {"a": deep}
    assert leaves(deep) == {}


def test_names_that_sound_alike() -> None:
    assert likeness("created_at", "/attributes/createdAt") == 1.0
    assert likeness("created_at", "/opened_at") < likeness("created_at", "/created_at")
    assert likeness("user_id", "/user/id") > likeness("user_id", "/id")
    assert likeness("name", "") == 0.0


def test_what_is_met_by_chance_tells_nothing() -> None:
    assert not any(map(is_telling, (True, None, 0, 999, "abc", "")))
    assert all(map(is_telling, (1000, "Anna")))


class Counted(dict[str, Any]):
    """An object that counts how many of its members were taken."""

    taken = 0

    def items(self) -> Any:
        for pair in super().items():
            self.taken += 1
            yield pair


def test_an_object_with_very_many_members_is_laid_out_in_part() -> None:
    many = Counted({f"k{number}": number for number in range(50_000)})
    assert len(leaves(many)) == MOST_LEAVES
    assert many.taken <= MOST_LEAVES + 1
    assert list(containers({"a": {"b": 1, "c": [1]}, "d": 2})) == ["", "/a", "/a/c"]
