"""What is said reaches standard error alone, and does nothing to the terminal."""

import pytest

from explorer.cli.words import plain, say
from explorer.words import count


def test_words_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("A sentence.")
    assert capsys.readouterr() == ("", "A sentence.\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("a\rb\tc", "a\\x0db\\x09c"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("two\nlines é 日本", "two\nlines é 日本"),
    ],
)
def test_remote_text_does_nothing(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_counts() -> None:
    assert [count(n, "row") for n in (0, 1, 1200)] == ["0 rows", "1 row", "1,200 rows"]
