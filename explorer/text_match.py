"""How a text is looked for: letters compared without case unless asked otherwise, or a regular expression.

The rules are those of `explorer.store.find`, which searches records, and of whatever marks in a text on the screen what
was found there. A pattern that may run for ever is refused.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable
from typing import Any

Highlights = Callable[[str], list[tuple[int, int]]]
"""Gives [start, stop) of each place in a text, from left to right."""
MOST = 20
"""Places in one text that are told; more are not told apart by eye."""
LONGEST = 500
"""Characters of a text that are looked at: a pattern may take long on very much, and more is not shown in a cell."""
_LAST_CASED = 0x1F000
"""No character from here on has a case."""
_STRETCH = 128


class PatternFault(ValueError):
    """A regular expression that cannot be used: the sentence says why, ``advice`` what to do."""

    def __init__(self, sentence: str, advice: str = "") -> None:
        super().__init__(sentence)
        self.advice = advice


def highlights(text: str, *, regex: bool = False, case: bool = False) -> Highlights | None:
    """How to find ``text`` by the rules of `explorer.store.find`; None when there is nothing to look for."""
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
    """What a character is compared by when case does not count."""
    if character.isascii():
        return character.lower()
    made = character.casefold()
    return made if len(made) == 1 and not made.isascii() else character


@functools.cache
def _alike() -> dict[str, tuple[str, ...]]:
    """For each fold outside ASCII that several characters share: all of them."""
    found: dict[str, list[str]] = {}
    # Few stretches hold a letter with a case: asked a stretch at a time it takes 4 ms in place of 35.
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
    """A regular expression for one character of a text that is looked for."""
    alike = same(character, case)
    return re.escape(alike[0]) if len(alike) == 1 else "[" + "".join(alike) + "]"


def compiled(pattern: str, case: bool) -> re.Pattern[str]:
    """A pattern ready for use. Raises PatternFault for one that is none or could run for ever."""
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
    """Whether an unbounded repetition holds another one: Python's search may then take exponential time."""
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
