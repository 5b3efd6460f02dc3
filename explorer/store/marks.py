"""Where in a text that is shown the sought one stands: for marking what `explorer.store.find` found."""

from __future__ import annotations

import re
from collections.abc import Callable

from explorer.store.find import QuestionFault, _class, _compiled

Marks = Callable[[str], list[tuple[int, int]]]
"""Gives [start, stop) of each place in a text, from left to right."""
MOST = 20
"""Places in one text that are told; more are not told apart by eye."""
LONGEST = 500
"""Characters of a text that are looked at: a pattern may take long on very much, and more is not shown in a cell."""


def marks(text: str, *, regex: bool = False, case: bool = False) -> Marks | None:
    """How to find ``text`` by the rules of `explorer.store.find`; None when there is nothing to look for."""
    if not text:
        return None
    try:
        pattern = _compiled(text, case) if regex else re.compile("".join(_class(c, case) for c in text))
    except QuestionFault:
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
