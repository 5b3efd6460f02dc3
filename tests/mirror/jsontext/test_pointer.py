"""Pointers lead to the value that they were made for; dotted paths read as people write them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.jsontext.pointer import at, dotted, path_of, step, steps, value_at


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
    assert path_of(dotted(("$",))) == ("$",), "no bare array"
    assert dotted(()) == ""


@given(st.lists(st.text(min_size=1) | st.integers(0, 999_999_999), min_size=1, max_size=4))
def test_a_dotted_path_is_read_as_it_is_written(path: list[str | int]) -> None:
    assert path_of(dotted(tuple(path))) == tuple(path)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("data.results", ("data", "results")),
        ("_links.next.href", ("_links", "next", "href")),
        ('["@odata.nextLink"]', ("@odata.nextLink",)),
        ('meta["next.page"].to', ("meta", "next.page", "to")),
        ("errors[0].detail", ("errors", 0, "detail")),
        ("$", ()),
        ("", ()),
    ],
)
def test_dotted_paths_as_people_write_them(text: str, path: tuple[str | int, ...]) -> None:
    assert path_of(text) == path


@pytest.mark.parametrize("text", [".a", "a..b", "a.", "a b", "a[", 'a["b"', "a[x]", "a].b"])
def test_what_is_no_dotted_path_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no dotted path"):
        path_of(text)


def test_the_value_at_a_path() -> None:
    value = {"errors": [{"detail": "x"}], "a.b": {"c": None}}
    assert value_at(value, ("errors", 0, "detail")) == "x"
    assert value_at(value, ("a.b", "c")) is None
    assert [
        value_at(value, path) for path in (("errors", 1), ("errors", "detail"), ("a.b", 0), ("z", "y"))
    ] == [None] * 4
    assert value_at(value, ()) is value
