"""Pointers lead to the value that they were made for; dotted paths read as people write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.pointer import at, dotted, step, steps


@given(st.lists(st.text(st.sampled_from("a~/01.é"), max_size=4), max_size=5))
def test_the_names_of_a_pointer_are_those_it_was_made_of(names: list[str]) -> None:
    pointer = "".join(f"/{step(name)}" for name in names)
    assert steps(pointer) == names
    value: Any = "end"
    for name in reversed(names):
        value = {name: value}
    assert at(value, pointer) == "end"


@pytest.mark.parametrize("pointer", ["/a/2", "/a/-1", "/a/²", "/a/b", "/b", "/a/0/x", "/a/" + "9" * 5000])
def test_where_nothing_is_there_is_none(pointer: str) -> None:
    assert at({"a": [1, 2]}, pointer) is None


def test_paths_as_people_write_them() -> None:
    assert dotted(("raw_data", "a", 2, "b.c", "", "d e", "é-1")) == 'raw_data.a[2]["b.c"][""]["d e"].é-1'
    assert dotted(("a.b",)) == '["a.b"]'
    assert dotted(()) == ""
