"""What is lost of a text beside its source, and words that stand for each other."""

from __future__ import annotations

import pytest

from explorer.quality.engine.check import Example
from explorer.quality.mapping.same_name_texts import NamedTexts

PLACE = Example(1, 1, 1, "a", "a")


def lost(*pairs: tuple[str, str]) -> list[str]:
    seen = NamedTexts()
    for source, value in pairs * 3:
        seen.look(source, value, lambda _: PLACE)
    return [words for words, _ in seen.losses()]


@pytest.mark.parametrize(
    ("source", "value", "words"),
    [
        ("Mechanic, night shift", "Mechanic", "has lost a part of its text"),
        ("Use <new> names", "Use  names", "has lost a part of its text"),
        ("Senior Engineer", "senior engineer", "has lost upper and lower case"),
        ("One.\nTwo.", "One.Two.", "joins words of separate lines without a space"),
        ("C++ Developer", "C   Developer", "has lost its plus signs"),
        ("https://a.example", "https://https://a.example", "has its scheme twice"),
    ],
)
def test_losses_are_named(source: str, value: str, words: str) -> None:
    assert lost((source, value)) == [words]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("<p>Two <b>words</b></p>", "Two words"),
        ("Smith &amp; Sons", "Smith & Sons"),
        ("  Two   words ", "Two words"),
        ("Ann Lee <ann@a.example>", "ann@a.example"),
        ("TWO WORDS", "two words"),
        ("en-US", "en"),
    ],
)
def test_what_keeps_all_letters_is_no_loss(source: str, value: str) -> None:
    assert lost((source, value)) == []


def exchanged(**table: str) -> list[tuple[str, str]]:
    seen = NamedTexts()
    for source, value in list(table.items()) * 6:
        seen.look(source, value, lambda _: PLACE)
    return [(source, value) for source, value, _ in seen.exchanged()]


def test_words_that_stand_for_each_other() -> None:
    assert exchanged(new="open", open="new", won="won", lost="lost") == [("new", "open"), ("open", "new")]
    assert exchanged(new="new", open="open", won="won", lost="lost") == []
    assert exchanged(NEW="new", OPEN="open", WON="won", LOST="lost") == []
    assert exchanged(draft="closed", live="open", held="open", gone="closed") == []
