"""Keys compare as the values do, and say what they stand for."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.store.keys import Token, is_cut, key_of, number_of, text_key, text_keys, text_of
from tests.mirror.store.reference import GONE, Digits, cells, numbers, place, texts
from tests.thorough import examples

present = cells.filter(lambda value: value is not GONE)


def plain(value: object) -> object:
    """As the store's loose reading gives it."""
    if isinstance(value, Digits):
        return Token(value.token)
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value


@settings(max_examples=examples(800), deadline=None)
@given(present, present)
@example("ss", "ß")
@example("a", "A")
@example("a\x00", "a")
@example(Digits("-1e5000"), Digits("-1e4998"))
@example(Digits("1e-9999"), Digits("0"))
@example(["a"], [{"name": "a"}, 1])
def test_keys_compare_as_values_do(one: object, other: object) -> None:
    here, there = key_of(plain(one), "name"), key_of(plain(other), "name")
    assert (here < there) == (place(one) < place(other))
    assert (here == there) == (place(one) == place(other))


@given(numbers)
def test_numbers_come_back_exactly(value: object) -> None:
    assert number_of(key_of(plain(value))) == Decimal(repr(value))


@given(st.lists(texts, min_size=1))
def test_many_texts_at_once_have_the_keys_of_each(many: list[str]) -> None:
    assert text_keys(many) == [text_key(text) for text in many]


@given(texts, st.integers(0, 300))
def test_a_text_comes_back_as_far_as_it_was_kept(text: str, more: int) -> None:
    text += "x~" * more
    key = text_key(text)
    assert text_of(key) == text[:256]
    assert is_cut(key) == (len(text) > 256)


def test_numbers_of_absurd_size_are_taken() -> None:
    sizes = [
        "-1e" + "9" * 200,
        "-1e5000",
        "-7",
        "0",
        "1e-" + "9" * 200,
        "7",
        "1" * 5000,
        "1e5000",
        "1e" + "9" * 99,
    ]
    keys = [key_of(Token(size)) for size in sizes]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert key_of(10**5000 + 1) == key_of(Token("1e5000"))


def test_what_is_no_number_is_refused() -> None:
    for wrong in ("", "-", "1x", "0x10"):
        with pytest.raises(ValueError, match=r".*"):
            key_of(Token(wrong))
