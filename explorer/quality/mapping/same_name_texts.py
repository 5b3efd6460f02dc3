"""What a field lost of the text at the path with its own name, even where a transform is sound in general.

Taking the first part, removing tags or using a table is sound in itself. Compared with the path of the field's own name
it is a loss: letters are gone, or one state is named with another's word.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.mapping.field_state import Group, short
from explorer.quality.mapping.record_batch import Seen

_TAG = re.compile(
    r"</?(?:a|b|br|code|div|em|font|h[1-6]|hr|i|img|li|ol|p|pre|s|span|strong|sub|sup|table|tbody|td|th|tr|u|ul)\b[^<>]*>",
    re.IGNORECASE,
)
_LONGEST = 2_000
"""The longest text that is compared."""
_MOST_KINDS = 60
"""The most different texts of a table."""
_SEVERAL = 3
"""The fewest records with one loss."""
_PROSE = 0.5
"""The share of records whose text has several words."""
_ALIKE = 0.6
"""The share of texts that have to become another of the source's own."""
_TWICE, _PART = "has its scheme twice", "has lost a part of its text"
_CODED = "is a number where the source has a word"
_ANY_TEXT = (_TWICE, _CODED)
"""Losses that also happen to texts of one word."""


@dataclass(slots=True)
class NamedTexts:
    """The texts of one field beside those at the path of its name."""

    is_code: bool = False
    """Whether each letter and digit counts, as for a postal code or a phone number."""
    count: int = 0
    prose: int = 0
    """Sources of several words."""
    lost: dict[str, Group] = field(default_factory=lambda: defaultdict(Group))
    """What was lost, in words, with the places."""
    table: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each source yields each value, while there are few."""
    words: dict[tuple[str, bool], Group] = field(default_factory=lambda: defaultdict(Group))
    """Words that occur beside true and false, while there are few."""
    places: dict[tuple[str, str], Group] = field(default_factory=lambda: defaultdict(Group))
    many: bool = False

    def look(self, source: Any, value: Any, seen: Seen, beside: Iterable[Any] = ()) -> None:
        """Looks at one more record in which both have a value; ``beside`` are the values of its other fields.

        A part that another field holds, such as the second line of a street, is not lost.
        """
        if isinstance(value, bool) and isinstance(source, str) and len(self.words) <= _MOST_KINDS:
            self.words[source, value].see(seen, value)
        if not isinstance(source, str) or not isinstance(value, str) or len(source) > _LONGEST:
            return
        self.count += 1
        self.prose += len(source.split()) > 1 or "@" in source
        self._kind(source, value, seen)
        if source != value:
            for words in _code_losses(source, value) if self.is_code else losses_of(source, value):
                if words == _PART and is_beside(source, value, beside):
                    continue
                self.lost[words].see(seen, value, f"{short(source)} became {short(value)}")

    def look_all(self, texts: Sequence[str]) -> None:
        """Looks at several records in which both have the same value."""
        texts = [text for text in texts if len(text) <= _LONGEST]
        self.count += len(texts)
        whole = "".join(texts)
        if "@" in whole or len(whole.split()) > 1:
            self.prose += sum(["@" in text or len(text.split()) > 1 for text in texts])
        if not self.many:
            self.table.update(zip(texts, texts, strict=True))
            self._bound()

    def _kind(self, source: str, value: str, seen: Seen) -> None:
        if self.many:
            return
        pair = (source, value)
        self.table[pair] += 1
        if source != value:
            self.places[pair].see(seen, value)
        self._bound()

    def _bound(self) -> None:
        if len(self.table) > _MOST_KINDS:
            self.many = True
            self.table.clear()
            self.places.clear()

    def losses(self) -> Iterator[tuple[str, Group]]:
        """What was lost in several records, in words."""
        if self.prose < _PROSE * self.count and not self.is_code:
            some = [(words, self.lost[words]) for words in _ANY_TEXT if words in self.lost]
            yield from ((words, group) for words, group in some if group.count >= _SEVERAL)
            return
        for words, group in sorted(self.lost.items(), key=lambda one: -one[1].count):
            if group.count >= _SEVERAL:
                yield words, group
                return

    def exchanged(self) -> Iterator[tuple[str, str, Group]]:
        """Source and value where one of the source's own words is replaced by another, in every such record."""
        if self.many or not len(self.table) >= _SEVERAL or self.count < 20:
            return
        kinds = {_folded(source): source for source, _ in self.table}
        given: dict[str, set[str]] = defaultdict(set)
        for source, value in self.table:
            given[_folded(source)].add(_folded(value))
        if any(len(values) > 1 for values in given.values()):
            return
        told = {source: next(iter(values)) for source, values in given.items()}
        kept = sum(source == value for source, value in told.items())
        inside = sum(value in kinds for value in told.values())
        if inside < _ALIKE * len(told) or len(told) < 4:
            return
        for pair, group in self.places.items():
            source, value = _folded(pair[0]), _folded(pair[1])
            swapped = told.get(value) not in (value, None)
            if source != value and value in kinds and (swapped or kept >= 5 or kept >= 0.6 * len(told)):
                yield pair[0], pair[1], group


def losses_of(source: str, value: str) -> Iterator[str]:
    """What a text lost of its source, in words."""
    if value == source.lower() or value == source.upper() or value == source.title():
        if " " in source.strip() and not source.isupper() and not source.islower():
            yield "has lost upper and lower case"
        return
    if value == source[::-1]:
        yield "is reversed"
        return
    if value.isdecimal() and not any(one.isdecimal() for one in source) and source.strip():
        yield _CODED
        return
    if source.count("://") == 1 and value.count("://") == 2 and value.endswith(source):
        yield _TWICE
        return
    if f"<{value}>" in source or source.startswith(f"{value};"):
        return
    plain = _TAG.sub("", html.unescape(source))
    mine, its = _letters(value), _letters(plain)
    if not mine or ("%" in value and "%" not in source):
        return
    if mine == its:
        tagged = plain != html.unescape(source)
        if not tagged and 0 < len(value.split()) < len(source.split()) and "\n" in source:
            yield "joins words of separate lines without a space"
        elif not tagged and "+" in source and value == source.replace("+", " "):
            yield "has lost its plus signs"
    elif len(mine) < len(its) and _is_within(mine, its):
        yield _PART


def _code_losses(source: str, value: str) -> Iterator[str]:
    """What a code lost at its beginning or end; separators and 00 for + are ignored."""
    mine, its = _letters(value), _letters(source)
    if its.startswith("00") and value.startswith("+"):
        its = its[2:]
    if mine and len(mine) < len(its) and (its.startswith(mine) or its.endswith(mine)):
        yield _PART


def is_beside(source: str, value: str, beside: Iterable[Any]) -> bool:
    """Whether what a text has lost stands in another field of the record, without the rest of it."""
    whole = _letters(source)
    rest = whole.replace(_letters(value), "", 1)
    others = (_letters(one) for one in beside if isinstance(one, str)) if len(rest) >= _SEVERAL else ()
    return any(rest in one and whole not in one for one in others)


def _letters(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFKC", text).casefold() if one.isalnum())


def _is_within(part: str, whole: str) -> bool:
    """Whether the letters of a text occur in another in their order."""
    if part in whole:
        return True
    rest = iter(whole)
    return len(part) >= 0.5 * len(whole) and all(one in rest for one in part)


def _folded(text: str) -> str:
    return _letters(text)
