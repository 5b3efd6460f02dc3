"""Finding agrees with a plain search in the resolved text, whichever way the bytes are written."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.store.find import Finder, QueryFault
from explorer.store.packing import Packed, Packer
from explorer.text_match import fold
from tests.mirror.store.reference import holds, odd_letters, searched, texts, written
from tests.thorough import examples

values = st.dictionaries(st.sampled_from(["a", "Éb"]), texts | st.lists(texts, max_size=2), max_size=2)


def packed(records: list[bytes]) -> Packed:
    body = b",".join(records)
    packer = Packer()
    return packer.unpack(packer.pack(body, records), len(records), len(body), None)


@settings(max_examples=examples(600), deadline=None)
@given(
    st.lists(st.tuples(values, st.booleans()), min_size=1, max_size=5),
    st.text(odd_letters, min_size=1, max_size=3),
    st.booleans(),
)
@example([({"a": "STRASSE ß"}, True)], "ss", False)
@example([({"a": "x\ny"}, False)], "ny", False)
@example([({"a": "\\u0041"}, False)], "A", True)
@example([({"a": "😀"}, True)], "😀", True)
@example([({"a": "É"}, True), ({"a": "é"}, False)], "é", False)
def test_records_are_found_by_their_characters(
    given_records: list[tuple[dict[str, object], bool]], sought: str, case: bool
) -> None:
    records = [written(v, escapes=e).encode("utf-8", "surrogatepass") for v, e in given_records]
    expected = [n for n, (v, _) in enumerate(given_records) if holds(searched(v), sought, case=case)]
    finder = Finder(sought, case=case)
    assert finder.places(packed(records)) == expected
    assert [n for n, record in enumerate(records) if finder.matches(record)] == expected
    some = [n for n in range(len(records)) if n % 2]
    assert finder.places(packed(records), some) == [n for n in expected if n % 2]


def test_ascii_written_as_escapes_is_found() -> None:
    page = packed([b'{"a":"\\u0041bc"}', b'{"a":"\\\\u0041bc"}', b'{"a":"x\\/y"}', b'{"a":"\xff abc"}'])
    assert Finder("abc").places(page) == [0, 3]
    assert Finder("Abc", case=True).places(page) == [0]
    assert Finder("x/y").places(page) == [2]
    assert Finder("\\u0041bc").places(page) == [1]


def test_patterns_are_searched_in_the_same_text() -> None:
    page = packed([b'{"a":"Jos\\u00e9 1"}', b'{"a":"jos\xc3\x89 22"}', b'{"a":"none"}'])
    assert Finder(r"josé \d+", regex=True).places(page) == [0, 1]
    assert Finder(r"josé \d+", regex=True, case=True).places(page) == []
    assert Finder(r"É \d\d", regex=True, case=True).places(page) == [1]


@pytest.mark.parametrize("pattern", ["(", "(a+)+b", "(x*y)*?", "a**", "(?:(?:ab*)c)+"])
def test_a_pattern_that_is_none_or_never_ends_is_refused(pattern: str) -> None:
    with pytest.raises(QueryFault):
        Finder(pattern, regex=True)


def test_the_words_about_case_hold_for_every_character() -> None:
    for number in range(0x110000):
        character = chr(number)
        folded = fold(character)
        assert fold(folded) == folded, character
        assert folded == character or number < 0x1F000, character
