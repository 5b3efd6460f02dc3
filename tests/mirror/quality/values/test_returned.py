"""What was sent against what came back: which forms are another way to say it, and which have lost something."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.catalog.spec import ABSENT
from explorer.quality.values.returned import returned


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_what_comes_as_it_was_sent_is_the_same(value: object) -> None:
    assert returned("metadata.x", value, value).how == "same"


@given(st.text(st.characters(categories=("L", "N", "P", "Zs", "S")), min_size=1))
def test_a_text_is_never_lost_by_spaces_or_unicode_forms(text: str) -> None:
    if text.strip():
        assert not returned("name", text, f" {text} ").is_lost


@pytest.mark.parametrize(
    ("sent", "came"),
    [
        ("+49 30 5550100", "+49305550100"),
        ("+49 30 5550100", "49305550100"),
        ("+49 30 5550100", "0049 30 5550100"),
        ("+49 30 5550100", "030 5550100"),
        ("+49 30 5550100", "+49 (30) 555-0100"),
        ("+1 415 555 0100", "(415) 555-0100"),
        ("0049 30 5550199", "+49 30 5550199"),
        ("0049 30 5550199", "030 5550199"),
        ("030 5550199", "+49305550199"),
        ("030 5550199", "030/5550199"),
    ],
)
def test_numbers_in_another_form(sent: str, came: str) -> None:
    assert returned("phone", sent, came).how == "other form"


@pytest.mark.parametrize(
    ("sent", "came"),
    [
        ("+49 30 5550100", "+49 30 555010"),
        ("+49 30 5550100", "30 5550100"),
        ("+49 30 5550100", "+1 930 5550100"),
        ("+49 30 5550100", "(930) 555-0100"),
        ("+49 30 5550100", "+4.930555e+10"),
        ("0049 30 5550199", "49305550199"),
        ("030 5550199", "305550199"),
        ("+1 415 555 0100", "4155550101"),
    ],
)
def test_numbers_that_lost_digits(sent: str, came: str) -> None:
    assert returned("record.phone", sent, came).how == "lost"


@pytest.mark.parametrize(
    ("sent", "came", "words"),
    [
        ("Zoé", "Zoe", "reduced to ASCII letters"),
        ("Zoé", "ZoÃ©", "wrong charset"),
        ("Zoé 李", "Zo? ?", "question marks"),
        ("Zoé 😀", "Zoé ", "basic plane"),
        ("a & b", "a &amp; b", "HTML"),
        ('O\'Neil & "Co"', "O&amp;#x27;Neil &amp;amp; &amp;quot;Co&amp;quot;", "twice"),
        ('a "b"', 'a \\"b\\"', "JSON"),
        ("a b", "a%20b", "escaped for URLs"),
        ("a %41", "a A", "unescaped"),
        ("a long text", "a long", "cut at 6 characters"),
        ("a long text", "a long…", "cut at 7 characters"),
        ("007", 7, "something else"),
        ("x", None, "is null"),
        ("x", "", "is empty"),
        ("x", ABSENT, "did not come back"),
    ],
)
def test_what_is_lost_is_named(sent: object, came: object, words: str) -> None:
    found = returned("metadata.text", sent, came)
    assert found.is_lost
    assert words in found.words


@pytest.mark.parametrize("came", [None, "", ABSENT])
@pytest.mark.parametrize("sent", [None, ""])
def test_nothing_has_three_forms(sent: object, came: object) -> None:
    assert returned("name", sent, came).how == "same"


def test_an_address_in_lower_case_is_another_form() -> None:
    assert returned("email", "Ada@Example.org", "ada@example.org").how == "other form"
    assert returned("email", "ada@example.org", "ada@example.com").how == "lost"
