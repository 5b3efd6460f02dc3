"""Finding agrees with a plain search in the resolved text, whichever way the bytes are written.

What a pattern cannot do without is never more than that: no match is missed, whatever the pattern.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.jsontext.escape import unescaped
from explorer.store.find import _ODD, Finder, QueryFault, required
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
@example([({"a": "é"}, True), ({"a": "é 00e9"}, True), ({"a": "é\n00e9"}, True)], "00e9", False)
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


letters = st.sampled_from(
    [*"abkKsSiI12 -/é", "ſ", "K", "İ", "ı", "\\d", "\\w", ".", "\\b", "^", "$", "[ab]", "[^k]"]
)
atoms = st.recursive(
    letters,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.builds("(?:{}){}".format, inner, st.sampled_from(["", "?", "{1,2}", "{0,2}", "{2}"])),
        st.builds("({}|{})".format, inner, inner),
        st.builds("(?i:{})".format, inner),
        st.builds("(?={})".format, inner),
        st.builds("(?!{})".format, inner),
    ),
    max_leaves=8,
)
searched_texts = st.lists(
    st.text(st.sampled_from([*'abABkKsSiI12 -/é"\n', "ſ", "K", "İ", "ı"]), max_size=8), min_size=1, max_size=4
)


@settings(max_examples=examples(500), deadline=None)
@given(atoms, searched_texts, st.booleans(), st.booleans())
@example("sks|KIS", ["ſKs", "KıS", "kis"], False, False)
@example("ab(?:12)?-", ["AB-", "ab12-", "a\\u0062-"], False, True)
@example("(?i:ab)12", ["AB12"], True, False)
@example("a/b", ["a/b"], True, True)
def test_patterns_find_what_plain_python_finds(
    pattern: str, values: list[str], case: bool, escapes: bool
) -> None:
    try:
        finder = Finder(pattern, regex=True, case=case)
    except QueryFault:
        return
    records = [written({"x": value}, escapes=escapes).encode() for value in values]
    records += [record.replace(b"b", b"\\u0062").replace(b"/", b"\\/") for record in records]
    plain = re.compile(pattern, 0 if case else re.IGNORECASE)
    expected = [n for n, record in enumerate(records) if plain.search(unescaped(record))]
    assert finder.places(packed(records)) == expected


@pytest.mark.parametrize(
    ("pattern", "case", "needed"),
    [
        (r"REQ-\d+7\b", False, ("req-",)),
        (r"^berlin$", False, ("berl",)),
        (r"^berlin$", True, ("berlin",)),
        (r"x(?:open|closed) \d", False, ("open", "clo")),
        (r"(abc)+d?efg(hj){0,3}", False, ("abc",)),
        (r"a(b(?:cd))e", False, ("abcde",)),
        (r"name\": \"Ad", True, ("name",)),
        (r"\d{4}-\d\d", False, None),
        (r"(?:abc)?", False, None),
        (r"abc|\d", False, None),
        (r"(?=abc)", False, None),
        (r"é", False, None),
        (r"(?x) a b c  # d", False, ("abc",)),
    ],
)
def test_the_longest_run_that_every_match_holds(
    pattern: str, case: bool, needed: tuple[str, ...] | None
) -> None:
    assert required(pattern, 0 if case else re.IGNORECASE) == needed


def test_pages_without_it_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    finder = Finder(r"req-\d+", regex=True)
    looked: list[bytes] = []
    whole = Finder.matches

    def noting(self: Finder, record: bytes) -> bool:
        looked.append(record)
        return whole(self, record)

    monkeypatch.setattr(Finder, "matches", noting)
    assert finder.places(packed([b'{"a":1}', b'{"a":"REQ-7"}', b'{"a":"req"}'])) == [1]
    assert looked == [b'{"a":"REQ-7"}']


def test_only_the_letters_that_are_left_out_are_found_outside_ascii() -> None:
    others = "".join(map(chr, [*range(0x80, 0xD800), *range(0xE000, 0x20000)]))
    for letter in "abcdefghijklmnopqrstuvwxyz":
        found = re.search(letter, others, re.IGNORECASE) is not None
        assert found is (letter in _ODD), letter
