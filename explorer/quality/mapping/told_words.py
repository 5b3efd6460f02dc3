"""Fields of few words that one raw value decides, where that is another of the contract's words itself, or two get one.

A table from codes or words to words is written by hand, so that an entry may be that of the line above. What the raw
value says itself shows that, and so does one word for two codes where each other code has its own.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.field_state import short
from explorer.quality.mapping.judge import Judged
from explorer.quality.mapping.many import Seen
from explorer.quality.mapping.named import has_its_name
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import is_within_array, leaves
from explorer.quality.values.transforms import is_number

_VALUES, _LONGEST, _PURE, _FEWEST, _CODES, _OFTEN = 24, 60, 0.9, 3, 5, 3
"""The most values that decide a word, and their longest; the share of records in which each has its word; the fewest
values, the fewest codes among which one without a word of its own is odd, and the fewest records of each.
"""
_WORD = re.compile(r"[a-z]+")
Rows = Sequence[tuple[Mapping[str, Any], Seen]]


@dataclass(slots=True)
class _Column:
    """One raw value beside a field: for each of its values the rows, by the field's word."""

    path: str
    groups: dict[Any, Counter[str]] = field(default_factory=dict)

    @property
    def usual(self) -> dict[Any, str]:
        """The word of each value."""
        return {value: words.most_common(1)[0][0] for value, words in self.groups.items()}

    @property
    def decides(self) -> bool:
        """Whether the values give the words."""
        right = sum(words.most_common(1)[0][1] for words in self.groups.values())
        filled = sum(words.total() for words in self.groups.values())
        several = len(self.groups) >= _FEWEST and len(set(self.usual.values())) > 1
        return several and right >= _PURE * filled


def against_words(rows: Rows, raw: str, name: str, choices: Sequence[str]) -> Judged | None:
    """Records whose word is not what the raw value that decides it says; ``choices`` are the contract's words."""
    held = [(at, record, record.get(name)) for at, (record, _) in enumerate(rows)]
    filled = [(at, record[raw], value) for at, record, value in held if isinstance(value, str) and value]
    if len({value for _, _, value in filled}) > _VALUES:
        return None
    for column in _columns(filled):
        for value, wrong, words in _said_otherwise(column, choices) if choices else _merged(column, name):
            odd = [at for at, its, own in filled if own in wrong and leaves(its).get(column.path) == value]
            own = rows[odd[0]][0].get(name)
            what = f"{name} is {short(own)} where {raw}{spoken(column.path)} is {short(value)}{words},"
            what += f" in {len(odd):,} of {len(filled):,} records"
            examples = tuple(rows[at][1](rows[at][0].get(name)) for at in odd[:PLACES])
            return Judged("alike", "another word", name, what, len(odd), examples)
    return None


def _columns(filled: Sequence[tuple[int, Any, str]]) -> Iterator[_Column]:
    """The raw values of which there are few, and that decide the words."""
    made: dict[str, _Column | None] = {}
    for _, its, own in filled:
        for path, value in leaves(its).items():
            if is_empty(value) or isinstance(value, bool) or is_within_array(path):
                continue
            column = made.setdefault(path, _Column(path))
            if column is None:
                continue
            if len(str(value)) > _LONGEST or len(column.groups) > _VALUES:
                made[path] = None
                continue
            column.groups.setdefault(value, Counter())[own] += 1
    yield from (one for one in made.values() if one is not None and one.decides)


def _said_otherwise(column: _Column, choices: Sequence[str]) -> Iterator[tuple[Any, set[str], str]]:
    """The values that are one of the contract's words, with the others that stand in its place."""
    known = {"".join(_WORD.findall(one.lower())): one for one in choices}
    for value, words in column.groups.items():
        said = known.get("".join(_WORD.findall(value.lower()))) if isinstance(value, str) else None
        wrong = {own for own in words if said and own in choices and own != said}
        if sum(words[own] for own in wrong) >= min(_OFTEN, words.total()) > 0:
            yield value, wrong, ""


def _merged(column: _Column, name: str) -> Iterator[tuple[Any, set[str], str]]:
    """The one code whose word is another code's as well, where each of the others has its own."""
    codes = [one for one in column.groups if is_number(one) or (isinstance(one, str) and one.isdecimal())]
    often = all(words.total() >= _OFTEN for words in column.groups.values())
    if (
        len(codes) < len(column.groups)
        or len(codes) < _CODES
        or not often
        or not has_its_name(name, column.path)
    ):
        return
    by_word: defaultdict[str, list[Any]] = defaultdict(list)
    for value, word in column.usual.items():
        by_word[word].append(value)
    double = [values for values in by_word.values() if len(values) > 1]
    if len(double) == 1 and len(double[0]) == _FEWEST - 1:
        first, later = sorted(double[0], key=float)
        yield (
            later,
            {column.usual[later]},
            f", as it is where that is {short(first)}, and each other has its own word",
        )
