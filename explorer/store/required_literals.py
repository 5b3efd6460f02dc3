"""Literals that every match of a regular expression must contain, so that not every record has to be searched with it.

A pattern is parsed with Python's own parser. Of the literal runs that every match contains the longest is taken; of an
alternation (``open|closed``) one from each branch. Searching a page's bytes for them runs at some 10 GB/s, where the
pattern itself takes 20 µs a record.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable
from typing import Any

LEAST = 2
"""Characters of the shortest run that is worth searching for."""
_MOST_WAYS = 16
_ODD = frozenset("iks")
"""ASCII letters that Python's search without case also finds in letters outside ASCII (``ſ``, ``ı``, the Kelvin
sign)."""
_PLAIN = frozenset(map(chr, range(0x20, 0x7F))) - set('"/\\')
"""Characters that JSON writes only as themselves or as \\u00XX."""


def required(pattern: str, flags: int) -> tuple[str, ...] | None:
    """Lower-case ASCII texts, at least one of which every match contains (ignoring case); None where there are none.

    ``pattern`` must compile with ``flags``.
    """
    parser: Any = importlib.import_module("re._parser")
    try:
        tree = parser.parse(pattern, flags)
        without_case = bool(tree.state.flags & re.IGNORECASE) or _switches_case(tree)
        return _Runs(without_case).of(tree)
    except (AttributeError, TypeError, ValueError, RecursionError):
        return None  # another version of Python's parser: then every record is searched


class _Runs:
    """Collects the literal runs of a parsed pattern, from left to right."""

    def __init__(self, without_case: bool) -> None:
        self._left_out = _ODD if without_case else frozenset[str]()

    def of(self, tree: Iterable[Any]) -> tuple[str, ...] | None:
        """The best set of literals in one sequence: the one whose shortest alternative is longest."""
        found: list[tuple[str, ...]] = []
        self._walk(tree, [""], found)
        fit = [ways for ways in found if len(ways) <= _MOST_WAYS and min(map(len, ways)) >= LEAST]
        return max(fit, key=lambda ways: (min(map(len, ways)), -len(ways)), default=None)

    def _walk(self, tree: Iterable[Any], run: list[str], found: list[tuple[str, ...]]) -> None:
        """Adds runs to ``found``. ``run`` holds the literal characters directly before the present position."""
        for operation, argument in tree:
            name = str(operation)
            if name == "LITERAL" and self._tells(chr(argument)):
                run[0] += chr(argument).lower()
            elif name == "SUBPATTERN":
                self._walk(argument[3], run, found)
            elif name == "ATOMIC_GROUP":
                self._walk(argument, run, found)
            elif name != "AT":  # an anchor (^, $, \b) matches no character and does not end a run
                self._end(run, found)
                self._within(name, argument, found)
        # At the end of a group the run may go on; what it has so far counts by itself as well.
        if run[0]:
            found.append((run[0],))

    def _within(self, name: str, argument: Any, found: list[tuple[str, ...]]) -> None:
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1:
            self._walk(argument[2], [""], found)
        elif name == "BRANCH":
            ways = [self.of(way) for way in argument[1]]
            if all(ways):
                found.append(tuple(dict.fromkeys(text for way in ways if way for text in way)))

    def _tells(self, character: str) -> bool:
        return character in _PLAIN and character.lower() not in self._left_out

    @staticmethod
    def _end(run: list[str], found: list[tuple[str, ...]]) -> None:
        if run[0]:
            found.append((run[0],))
        run[0] = ""


def _switches_case(tree: Iterable[Any]) -> bool:
    """Whether a group of the pattern ignores case (an inline flag)."""
    for operation, argument in tree:
        if str(operation) == "SUBPATTERN" and argument[1] & re.IGNORECASE:
            return True
        if any(map(_switches_case, _below(argument))):
            return True
    return False


def _below(argument: Any) -> list[Iterable[Any]]:
    if hasattr(argument, "data"):
        return [argument.data]
    if isinstance(argument, (tuple, list)):
        return [tree for each in argument for tree in _below(each)]
    return []
