"""Fields of few words that one raw value decides, where that is another of the contract's words itself, or two get one.

A table from codes or words to words is written by hand, so that an entry may be that of the line above. What the raw
value says itself shows that, and so does one word for two codes where each other code has its own. A word that ends
within itself is cut, though a table explains that as well.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from explorer.quality.mapping.field_state import Rows, places_of, short
from explorer.quality.mapping.judge import Kind, MappingFinding, tokens_of
from explorer.quality.mapping.name_match import has_its_name
from explorer.quality.mapping.origin import Origin, is_empty, reader
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import is_within_array, leaves
from explorer.quality.values.transforms import is_number

_VALUES = 24
"""The most values that decide a word."""
_LONGEST = 60
"""The longest of these values."""
_PURE = 0.9
"""The share of records in which each value has its word."""
_FEWEST = 3
"""The fewest values that decide a word."""
_CODES = 5
"""The fewest codes among which one without a word of its own is odd."""
_OFTEN = 3
"""The fewest records of each value."""
_INITIALS = re.compile(r"[A-Z]{3,6}")
_SHORTEST = 5
"""The shortest word that is cut."""
_SAME = 3
"""The fewest words that are not cut."""
_STEM = 4
"""The letters of a stem."""
_GOES_ON = frozenset(
    {
        "active",
        "running",
        "live",
        "open",
        "enabled",
        "started",
        "going",
        "pending",
        "queued",
        "new",
        "scheduled",
    }
)
"""Words of states that go on, or are to begin."""
_WENT_WRONG = frozenset(
    {
        *("blocked", "failed", "failure", "error", "bounced", "rejected", "declined", "expired", "suspended"),
        *("terminated", "aborted", "refused", "invalid"),
    }
)
"""Words of states that do not: what a table without them falls back to is no word for them."""
_UNLIKE = frozenset(
    {
        *(
            "former",
            "formerly",
            "ex",
            "previous",
            "past",
            "old",
            "lost",
            "churned",
            "inactive",
            "ended",
            "cancelled",
        ),
        *(
            "not",
            "non",
            "no",
            "never",
            "un",
            "potential",
            "prospective",
            "future",
            "possible",
            "almost",
            "pre",
        ),
    }
)
"""Words beside which another does not hold: a former customer is none."""


@dataclass(slots=True)
class _Column:
    """One raw value beside a field: for each of its values the rows, by the field's word."""

    path: str
    read: Callable[[Any], Any]
    groups: dict[Any, Counter[str]] = field(default_factory=dict)
    bare: Counter[Any] = field(default_factory=Counter)
    """How often each value stands beside no word."""

    @property
    def usual(self) -> dict[Any, str]:
        """The word of each value."""
        return {value: words.most_common(1)[0][0] for value, words in self.groups.items()}

    @property
    def decides(self) -> bool:
        """Whether the values give the words."""
        right = sum(words.most_common(1)[0][1] for words in self.groups.values())
        filled = sum(words.total() for words in self.groups.values())
        return len(self.groups) >= _FEWEST and right >= _PURE * filled

    @property
    def is_constant(self) -> bool:
        """Whether all values give one word."""
        return len(set(self.usual.values())) == 1


def against_words(
    rows: Rows, raw: str, name: str, choices: Sequence[str], origin: Origin | None
) -> MappingFinding | None:
    """Records whose word is not what the raw value that decides it says; ``choices`` are the contract's words."""
    told = list(_worded(rows, raw, name))
    if len({value for _, _, value in told}) > _VALUES:
        return None
    for column in _columns(told, origin):
        found = (
            _otherwise(column, choices) if choices else chain(_merged(column, name), _renamed(column, name))
        )
        for value, wrong, words in found:
            odd = [at for at, its, own in told if own in wrong and column.read(its) == value]
            own = rows[odd[0]][0].get(name)
            what = f"{name} is {short(own)} where {raw}{spoken(column.path)} is {short(value)}{words},"
            what += f" in {len(odd):,} of {len(told):,} records"
            return _said("alike" if own else "kept", "another word", name, what, odd, rows)
    return None


def cut_word(rows: Rows, raw: str, name: str, origin: Origin) -> MappingFinding | None:
    """A word that ends within itself, at the length that no other exceeds."""
    pairs = [(at, origin.read(its), value) for at, its, value in _worded(rows, raw, name) if value]
    texts = [one for one in pairs if isinstance(one[1], str)]
    longest = max((len(value) for _, _, value in texts), default=0)
    same = {value for _, source, value in texts if source == value}
    cut = [one for one in texts if one[1] != one[2] and one[1].startswith(one[2])]
    whole = all(len(value) == longest and _is_within(source, value) for _, source, value in cut)
    over = any(len(source) > longest and source == value for _, source, value in texts)
    if not cut or not whole or over or longest < _SHORTEST or len(same) < _SAME:
        return None
    if len({source for _, source, _ in cut}) > len(same) or len(same) > len(texts) / _SAME:
        return None  # texts of many kinds are looked at as they are learned
    what = (
        f"{name} is cut at {longest} characters: {short(cut[0][2])} where {raw}{spoken(origin.paths[0])} is "
    )
    what += f"{short(cut[0][1])}, in {len(cut):,} of {len(rows):,} records"
    return _said("lossless", "cut", name, what, [at for at, _, _ in cut], rows)


def _said(kind: Kind, rule: str, name: str, what: str, odd: Sequence[int], rows: Rows) -> MappingFinding:
    examples = places_of(odd, rows, name)
    return MappingFinding(kind, rule, name, what, len(odd), examples)


def _worded(rows: Rows, raw: str, name: str) -> Iterator[tuple[int, Any, str]]:
    """The records in which a field is a text or empty: index, raw record and the text."""
    for at, (record, _) in enumerate(rows):
        value = record.get(name)
        if value is None or isinstance(value, str):
            yield at, record[raw], value or ""


def _is_within(source: str, value: str) -> bool:
    """Whether a text ends between two small letters of the other."""
    at = len(value)
    return source[at - 1].isalpha() and source[at].islower()


def _columns(filled: Sequence[tuple[int, Any, str]], origin: Origin | None) -> Iterator[_Column]:
    """The raw values of which there are few, and that decide the words; the field's own source first."""
    made: dict[str, _Column | None] = {}
    if origin is not None:
        own = _Column(origin.paths[0], origin.read)
        made[own.path] = (
            own if all(_is_seen(own, origin.read(its), word) for _, its, word in filled) else None
        )
    for _, its, word in filled:
        for path, value in leaves(its).items():
            if is_within_array(path) or (origin is not None and path == origin.paths[0]):
                continue
            column = made.setdefault(path, _Column(path, reader(path)))
            if column is not None and not _is_seen(column, value, word):
                made[path] = None
    yield from (one for one in made.values() if one is not None and one.decides)


def _is_seen(column: _Column, value: Any, word: str) -> bool:
    """Counts a word, or none, beside its raw value; says whether there are still few of them."""
    if is_empty(value) or isinstance(value, bool | list | dict):
        return True
    if len(str(value)) > _LONGEST or len(column.groups) > _VALUES:
        return False
    if word:
        column.groups.setdefault(value, Counter())[word] += 1
    else:
        column.bare[value] += 1
    return True


def _otherwise(column: _Column, choices: Sequence[str]) -> Iterator[tuple[Any, set[str], str]]:
    """The values that are told as another of the contract's words than their own, or as none."""
    values = {*column.groups, *column.bare}
    begin = _common([one for one in values if isinstance(one, str)])
    said = {one: own for one in values if (own := _own_word(one, begin, choices))}
    if len(said) < 2 and column.is_constant:
        return
    for value, own in said.items():
        words = column.groups.get(value, Counter())
        wrong = {other for other in words if other in choices and other != own}
        if sum(words[one] for one in wrong) >= min(_OFTEN, words.total()) > 0:
            yield value, wrong, f", for which the contract has {short(own)}"
        elif column.bare[value] >= _OFTEN and not words and any(said.values()):
            yield value, {""}, f", for which the contract has {short(own)}"
    told = {own for value, own in said.items() if column.usual.get(value) == own}
    unsaid = [value for value in column.groups if value not in said]
    for value in unsaid:
        own, bare = column.usual[value], _bare(" ".join(_without_unlike(value)))
        if own in told and bare == _bare(own) != _bare(str(value)):
            yield value, {own}, f", as it is where that is {short(_of(own, said))}"
    free = {*choices} - {word for words in column.groups.values() for word in words}
    if (
        len(unsaid) == len(free) == 1
        and len(told) == len(said) == len(choices) - 1 > 1
        and column.usual[unsaid[0]] in told
    ):
        own = column.usual[unsaid[0]]
        words_ = f", as it is where that is {short(_of(own, said))}, and never {short(*free)}"
        yield unsaid[0], {own}, words_


def _common(texts: Sequence[str]) -> str:
    """What all texts begin with, up to a sign between words: ``Api.Models.`` of ``Api.Models.File``."""
    first, last = (min(texts), max(texts)) if len(texts) > 1 else ("", "")
    alike = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), 0)
    return first[: next((at for at in range(alike, 0, -1) if not first[at - 1].isalnum()), 0)]


def _own_word(value: Any, begin: str, choices: Sequence[str]) -> str:
    """The contract's word that a raw value is itself behind ``begin``; empty where it is none."""
    wanted = _bare(value.removeprefix(begin)) if isinstance(value, str) else ""
    own = next((one for one in choices if wanted and _bare(one) == wanted), "")
    if own or not (isinstance(value, str) and _INITIALS.fullmatch(value)):
        return own
    fit = [one for one in choices if _is_short_for(wanted, _bare(one))]
    return fit[0] if len(fit) == 1 else ""


def _is_short_for(initials: str, word: str) -> bool:
    """Whether letters follow one another in a word that begins with the first of them: ``mql``."""
    rest = iter(word)
    return word[:1] == initials[:1] and all(one in rest for one in initials)


def _without_unlike(value: Any) -> list[str]:
    return [one for one in tokens_of(str(value)) if one not in _UNLIKE]


def _of(word: str, said: Mapping[Any, str]) -> Any:
    """The raw value that is a word itself."""
    return next(value for value, own in said.items() if own == word)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def _merged(column: _Column, name: str) -> Iterator[tuple[Any, set[str], str]]:
    """A word for what went wrong that is told as what goes on, and the one code whose word is another code's as well,
    where each of the others has its own.
    """
    often = all(words.total() >= _OFTEN for words in column.groups.values())
    if column.is_constant or len(column.groups) < _CODES or not often or not has_its_name(name, column.path):
        return
    by_word: defaultdict[str, list[Any]] = defaultdict(list)
    for value, word in column.usual.items():
        by_word[word].append(value)
    for word, values in by_word.items():
        wrong = [one for one in values if _WENT_WRONG & {*tokens_of(str(one))}]
        if 0 < len(wrong) < len(values) and _GOES_ON & {*tokens_of(word)}:
            sound = next(one for one in values if one not in wrong)
            yield wrong[0], {word}, f", as it is where that is {short(sound)}"
            return
    double = [values for values in by_word.values() if len(values) > 1]
    are_codes = all(is_number(one) or (isinstance(one, str) and one.isdecimal()) for one in column.groups)
    if are_codes and len(double) == 1 and len(double[0]) == _FEWEST - 1:
        first, later = sorted(double[0], key=float)
        words = f", as it is where that is {short(first)}, and each other has its own word"
        yield later, {column.usual[later]}, words


def _renamed(column: _Column, name: str) -> Iterator[tuple[Any, set[str], str]]:
    """The one word that is told as another, where each of the others is told as it is."""
    usual = column.usual
    other = [value for value, word in usual.items() if _bare(str(value)) != _bare(word)]
    often = all(words.total() >= _OFTEN for words in column.groups.values())
    if len(other) != 1 or len(usual) <= _CODES or not often or not has_its_name(name, column.path):
        return
    value, word = other[0], usual[other[0]]
    if not isinstance(value, str) or _begin_alike(_bare(value), _bare(word)) or not _bare(word):
        return
    yield value, {word}, ", though each other word is told as it is"


def _begin_alike(one: str, other: str) -> bool:
    """Whether two words have a stem in common, or are one within the other."""
    return one[:_STEM] == other[:_STEM] or one in other or other in one
