r"""Full-text search: finds a text or a regular expression anywhere in a record, its raw data included.

The text that is searched is the record's JSON as received, with each escape (``\n``, ``\"``, ``\u00e9``, a surrogate
pair) replaced by its character; so keys and punctuation are found too. Case is ignored unless asked otherwise,
character by character: two characters are equal when both casefold to the same single character. A letter outside ASCII
never equals an ASCII letter (the Kelvin sign is not k), and one character never equals two (ß is not ss). A regular
expression follows Python's rules. Bytes that are not UTF-8 match nothing.

Speed: a page's bytes are searched as a whole, at some 10 GB/s, for a literal that every match must contain. Only the
records that contain it are decoded and searched, which takes a pattern 20 µs a record; and where the literal is the
whole text, only those in which it may be part of an escape. The literals of a regular expression (`required`) are found
with Python's own parser: of the literal runs that every match contains the longest; of an alternation (``open|closed``)
one from each branch.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Sequence
from typing import Any

from explorer.jsontext.escape import escaped, unescaped
from explorer.store.packing import Packed
from explorer.store.values import StoreFault
from explorer.text_match import PatternFault, compiled, letter, same

_ORDINARY = re.compile(r"""[ !#-.0-\[\]-~]+""")
"""Runs of ASCII characters that JSON writes as themselves (not as a short escape such as ``\\n``)."""
LEAST = 2
"""Characters of the shortest run that is worth searching for."""
_MOST_WAYS = 16
_ODD = frozenset("iks")
"""ASCII letters that Python's search without case also finds in letters outside ASCII (``ſ``, ``ı``, the Kelvin
sign)."""
_PLAIN = frozenset(map(chr, range(0x20, 0x7F))) - set('"/\\')
"""Characters that JSON writes only as themselves or as \\u00XX."""


class QueryFault(StoreFault):
    """The query cannot be run: a regular expression that is not valid, or a filter without a usable value."""


class Finder:
    """One text or regular expression to find. Raises QueryFault for one that is not valid or may never end."""

    def __init__(self, text: str, *, regex: bool = False, case: bool = False) -> None:
        self._anchors: tuple[bytes, ...] | None = None
        """Every match contains one of these, in the record's bytes in lower case; None: every record is searched."""
        self._ascii = self._whole = False
        if regex:
            self._search = _compiled(text, case).search
            needed = required(text, 0 if case else re.IGNORECASE)
            if needed is not None:
                self._anchors, self._ascii = tuple(each.encode() for each in needed), True
            return
        self._search = re.compile("".join(letter(c, case) for c in text)).search
        runs = _ORDINARY.findall(text)
        longest = max(runs, key=len, default="")
        others = [c for c in text if not c.isascii()]
        if len(longest) > 1 or (longest and not others):
            self._anchors, self._ascii = (longest.lower().encode(),), True
            self._whole = longest == text and (not case or not any(map(str.isalpha, text)))
        elif others:
            self._anchors = _variants(others[0], case)

    def matches(self, record: bytes) -> bool:
        """Whether one record matches."""
        return self._search(unescaped(record)) is not None

    def places(self, page: Packed, among: Sequence[int] | None = None) -> list[int]:
        """The positions (from 0 within the page) of matching records, in order. ``among``: only these are looked at."""
        wanted = range(page.rows) if among is None else among
        if self._anchors is None:
            return [place for place in wanted if self.matches(page.record(place))]
        low = page.block
        if any(anchor != anchor.upper() for anchor in self._anchors):  # digits and signs have no case
            low = low.lower()
        found = set[int]()
        for anchor in self._anchors:
            page.holders(low, anchor, found)
        if self._ascii:
            # An ASCII character may also be written as \u00XX.
            page.holders(low, b"\\u00", found)
        if among is not None:
            found.intersection_update(among)
        whole = self._anchors[0] if self._whole else b""
        return [
            place
            for place in sorted(found)
            if (whole and _stands_plainly(low, whole, *page.span(place))) or self.matches(page.record(place))
        ]


def _stands_plainly(low: bytes, text: bytes, start: int, stop: int) -> bool:
    """Whether ``text`` is in ``low[start:stop]`` where no escape reaches into it: five bytes follow a backslash."""
    at = low.find(text, start, stop)
    while at >= 0 and low.find(b"\\", max(at - 5, start), at) >= 0:
        at = low.find(text, at + 1, stop)
    return at >= 0


def _variants(character: str, case: bool) -> tuple[bytes, ...]:
    """How a character outside ASCII may be written in a record, in lower case: as UTF-8 and as an escape."""
    made = []
    for one in same(character, case):
        made += [one.encode("utf-8", "surrogatepass"), escaped(one).encode()]
    return tuple(made)


def _compiled(pattern: str, case: bool) -> re.Pattern[str]:
    try:
        return compiled(pattern, case)
    except PatternFault as fault:
        raise QueryFault(str(fault), fault.advice) from None


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
