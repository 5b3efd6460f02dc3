"""What is marked in a text that is shown is what find finds in it."""

from __future__ import annotations

import json

from hypothesis import assume, given
from hypothesis import strategies as st

from explorer.store.find import Finder
from explorer.text_match import LONGEST, MOST, highlights

LETTERS = "aAbBsSkKéÉßſKİıçÇ東 .*0"


@given(st.text(LETTERS, max_size=20), st.text(LETTERS, min_size=1, max_size=4), st.booleans())
def test_a_text_has_a_mark_if_and_only_if_it_is_found(text: str, sought: str, case: bool) -> None:
    find = highlights(sought, case=case)
    assert find is not None
    found = find(text)
    assert bool(found) == Finder(sought, case=case).matches(json.dumps(text, ensure_ascii=False).encode())
    assert all(find(text[start:stop]) == [(0, stop - start)] for start, stop in found)


@given(st.text("ab0", max_size=20))
def test_a_pattern_marks_what_it_matches(text: str) -> None:
    find = highlights("a+b", regex=True)
    assert find is not None
    assume("ab" in text)
    assert all(set(text[start : stop - 1]) == {"a"} and text[stop - 1] == "b" for start, stop in find(text))
    assert find(text)


def test_nothing_and_no_pattern_mark_nothing() -> None:
    assert highlights("") is None
    assert highlights("(", regex=True) is None
    assert highlights("(a+)+b", regex=True) is None, "it may take forever"
    find = highlights("x*", regex=True)
    assert find is not None
    assert find("aab") == []


def test_marks_are_bounded() -> None:
    find = highlights("a")
    assert find is not None
    assert len(find("a" * 1000)) == MOST
    assert find("b" * LONGEST + "a") == []
