"""Text search rules: a text, without regard to case unless asked otherwise, or a regular expression.

`explorer.store.find` searches records by these rules, and views use `highlights` to mark what was found. A regular
expression that may never end is refused.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable
from typing import Any

Highlights = Callable[[str], list[tuple[int, int]]]
"""A function that returns (start, stop) of each match in a text, from left to right."""
MOST = 20
"""The most matches in one text that are highlighted."""
LONGEST = 500
"""Characters of a text that are searched for highlights: a cell shows no more, and a pattern may be slow."""
_LAST_CASED = 0x1F000
"""The first code point after all letters that have a case."""
_STRETCH = 128


class PatternFault(ValueError):
    """A regular expression that cannot be used. The message says why, ``advice`` what to do."""

    def __init__(self, sentence: str, advice: str = "") -> None:
        super().__init__(sentence)
        self.advice = advice


def highlights(text: str, *, regex: bool = False, case: bool = False) -> Highlights | None:
    """A function that finds ``text`` by the rules of `explorer.store.find`; None for an empty or invalid one."""
    if not text:
        return None
    try:
        pattern = compiled(text, case) if regex else re.compile("".join(letter(c, case) for c in text))
    except PatternFault:
        return None

    def find(shown: str) -> list[tuple[int, int]]:
        found = []
        for match in pattern.finditer(shown, 0, LONGEST):
            if match.end() > match.start():
                found.append(match.span())
                if len(found) == MOST:
                    break
        return found

    return find


def fold(character: str) -> str:
    """The character by which ``character`` is compared when case is ignored."""
    if character.isascii():
        return character.lower()
    made = character.casefold()
    return made if len(made) == 1 and not made.isascii() else character


@functools.cache
def _alike() -> dict[str, tuple[str, ...]]:
    """For each fold outside ASCII that several characters share, all these characters."""
    found: dict[str, list[str]] = {}
    # Few blocks have letters with a case: testing a block at a time takes 4 ms instead of 35.
    for start in range(0x80, _LAST_CASED, _STRETCH):
        stretch = "".join(map(chr, range(start, min(start + _STRETCH, _LAST_CASED))))
        if stretch.casefold() == stretch:
            continue
        for character in stretch:
            folded = fold(character)
            if folded != character:
                found.setdefault(folded, [folded]).append(character)
    return {folded: tuple(characters) for folded, characters in found.items()}


def same(character: str, case: bool) -> tuple[str, ...]:
    """The characters that count as equal to ``character``."""
    if case:
        return (character,)
    folded = fold(character)
    if character.isascii():
        return (folded, folded.upper()) if folded != folded.upper() else (folded,)
    return _alike().get(folded, (folded,))


def letter(character: str, case: bool) -> str:
    """A regular expression for one character of a search text."""
    alike = same(character, case)
    return re.escape(alike[0]) if len(alike) == 1 else "[" + "".join(alike) + "]"


def compiled(pattern: str, case: bool) -> re.Pattern[str]:
    """The compiled pattern. Raises PatternFault when it is not valid or may never end."""
    try:
        if _repeats_repetition(pattern):
            raise PatternFault(
                "This pattern repeats a repetition, which can take forever on a long text.",
                "Write it with one repetition.",
            )
        return re.compile(pattern, 0 if case else re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternFault(f"This is not a valid regular expression: {error}.") from None


def _repeats_repetition(pattern: str) -> bool:
    """Whether an unbounded repetition contains another one: then the search may take exponential time."""
    parser: Any = importlib.import_module("re._parser")
    return _nested(parser.parse(pattern), parser.MAXREPEAT, False)


def _nested(tree: Iterable[Any], endless: int, inside: bool) -> bool:
    for item in tree:
        pair: tuple[Any, Any] = item if isinstance(item, tuple) and len(item) == 2 else (None, item)
        operation, argument = pair
        repeats = str(operation) in ("MAX_REPEAT", "MIN_REPEAT") and argument[1] >= endless
        if repeats and inside:
            return True
        for below in _subtrees(argument):
            if _nested(below, endless, inside or repeats):
                return True
    return False


def _subtrees(argument: Any) -> list[Iterable[Any]]:
    if hasattr(argument, "data"):
        return [argument]
    if isinstance(argument, (tuple, list)):
        return [tree for each in argument for tree in _subtrees(each)]
    return []
