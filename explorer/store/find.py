r"""Full-text search: finds a text or a regular expression anywhere in a record, its raw data included.

The text that is searched is the record's JSON as received, with each escape (``\n``, ``\"``, ``\u00e9``, a surrogate
pair) replaced by its character; so keys and punctuation are found too. Case is ignored unless asked otherwise,
character by character: two characters are equal when both casefold to the same single character. A letter outside ASCII
never equals an ASCII letter (the Kelvin sign is not k), and one character never equals two (ß is not ss). A regular
expression follows Python's rules. Bytes that are not UTF-8 match nothing.

Speed: a page's bytes are searched as a whole for a literal that every match must contain (`required_literals`). Only
the records that contain it are decoded and searched, and where the literal is the whole pattern not even these.
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
"""Runs of ASCII characters that JSON writes as themselves (not as a short escape such as ``\\n``)."""


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
        low = page.block.lower()
        found = set[int]()
        for anchor in self._anchors:
            page.holders(low, anchor, found)
        if self._ascii:
            # An ASCII character may also be written as \u00XX.
            page.holders(low, b"\\u00", found)
        if among is not None:
            found.intersection_update(among)
        exact = self._exact if self._whole else self.matches
        return [place for place in sorted(found) if exact(page.record(place))]

    def _exact(self, record: bytes) -> bool:
        return b"\\" not in record or self.matches(record)


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
