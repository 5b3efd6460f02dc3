r"""Finding a text anywhere in a record, ``raw_data`` included.

What is searched is the record's JSON text as received, in which every escape (``\n``, ``\"``, ``\u00e9``, a pair of
surrogates) stands for its character; so keys and punctuation are found too. Letters are compared without case, unless
asked otherwise, character by character: two are equal when their casefolds are one and the same character; a letter
outside ASCII never equals one of ASCII (the Kelvin sign is not k) and one character never equals two (ß is not ss).
A regular expression is searched in the same text, with Python's rules, in the records that hold what it cannot do
without (`literals`). Bytes that are no UTF-8 match nothing.

A page is searched as a whole by the bytes that a match must hold; only records that hold them are looked at more
closely, and plain ones (ASCII sought, no escapes) not even then.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from explorer.jsontext.escape import escaped, unescaped
from explorer.store.packing import Packed
from explorer.store.required_literals import required
from explorer.store.values import StoreFault
from explorer.text_match import PatternFault, compiled, letter, same

_ORDINARY = re.compile(r"""[ !#-.0-\[\]-~]+""")
"""Runs of ASCII characters that JSON has no short escape for."""


class QueryFault(StoreFault):
    """The question cannot be asked: a regular expression or a filter that says nothing."""


class Finder:
    """One text or pattern to find. Raises QueryFault for a pattern that is none or could run for ever."""

    def __init__(self, text: str, *, regex: bool = False, case: bool = False) -> None:
        self._anchors: tuple[bytes, ...] | None = None
        """A match holds one of these in the record's lowered bytes; None: every record is looked at."""
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
        """The places of the page's records that match, in order; only of those ``among`` if they are given."""
        wanted = range(page.rows) if among is None else among
        if self._anchors is None:
            return [place for place in wanted if self.matches(page.record(place))]
        low = page.block.lower()
        found = set[int]()
        for anchor in self._anchors:
            page.holders(low, anchor, found)
        if self._ascii:
            # An ASCII character may be written as an escape of its number.
            page.holders(low, b"\\u00", found)
        if among is not None:
            found.intersection_update(among)
        exact = self._exact if self._whole else self.matches
        return [place for place in sorted(found) if exact(page.record(place))]

    def _exact(self, record: bytes) -> bool:
        return b"\\" not in record or self.matches(record)


def _variants(character: str, case: bool) -> tuple[bytes, ...]:
    """How a character outside ASCII may stand in a record, in lowered bytes."""
    made = []
    for one in same(character, case):
        made += [one.encode("utf-8", "surrogatepass"), escaped(one).encode()]
    return tuple(made)


def _compiled(pattern: str, case: bool) -> re.Pattern[str]:
    try:
        return compiled(pattern, case)
    except PatternFault as fault:
        raise QueryFault(str(fault), fault.advice) from None
