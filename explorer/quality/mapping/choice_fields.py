"""Fields of a few known words, compared with raw values that contain one of those words themselves.

A table that maps ``mimeType`` to ``type`` explains the field even where every folder is called a file. The word itself
is better evidence: a raw value that contains ``folder`` in some records and not in others says what the record is.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import step
from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.engine.row import PLACE
from explorer.quality.mapping.field_state import EXAMPLES, Group
from explorer.quality.mapping.judge import MappingFinding
from explorer.quality.mapping.name_match import words_of_name
from explorer.quality.mapping.record_batch import RecordBatch, Seen
from explorer.quality.mapping.sample import FEWEST
from explorer.quality.mapping.trace import spoken

_KINDS = frozenset({"type", "kind", "mime", "category", "class", "format", "object", "tag"})
_LONGEST, _MOST_PATHS = 100, 60
_MOST_ALIKE = 2_000
_ALWAYS = 0.95
"""The share of records from which on a raw word says nothing, as nearly all have it."""
_ALL = 0.95
"""The share of records with a raw word from which on all are told otherwise."""
_RARE = 0.03
"""The share of them that is rare."""
_MANY = 20
"""The fewest of them of which some are rare."""
_USUAL = 0.5
"""The share from which on a pair of words is usual."""
_WORD = re.compile(r"[a-z]+")
_Fields = tuple[tuple[str, str], ...]
_Words = tuple[tuple[str, frozenset[str]], ...]


@dataclass(slots=True)
class _Said:
    """The records in which one raw path contains one of the words."""

    right: int = 0
    wrong: dict[str, Group] = field(default_factory=dict)
    """By the word that the field has instead."""


@dataclass(slots=True)
class _Alike:
    """Records of which fields and raw data say the same words."""

    count: int = 0
    examples: list[tuple[Example, ...]] = field(default_factory=list)
    """Of the first records, one for each field."""


class ChoiceFields:
    """Compares the fields of known words in the records of one list with raw values that contain one."""

    def __init__(
        self, raw: str, choices: Mapping[str, Collection[str]], prefix: str = "", where: str = ""
    ) -> None:
        """``choices`` are the words of each field, as far as they are known.

        ``prefix`` stands before the fields' names, ``where`` is how people write the place of the raw record.
        """
        self._raw, self._prefix, self._where = raw, prefix, where or raw
        self._choices = {name: frozenset(words) for name, words in choices.items() if len(words) > 1}
        self._words = frozenset().union(*self._choices.values())
        self._alike: dict[tuple[_Fields, _Words], _Alike] = {}
        self._said: dict[tuple[str, str, str], _Said] = {}
        """By field, path and the word found there."""
        self._unsaid: dict[tuple[str, str], Group] = {}
        """Records in which a path has a word, but not the one that the field has."""
        self._contradictions: dict[tuple[str, str, str, str], Group] = {}
        """Records that say another word and not their own, by field, path, that word and their own."""
        self._filled: Counter[str] = Counter()
        self._given: dict[str, set[str]] = {}

    def __bool__(self) -> bool:
        """Whether there is a field of known words."""
        return bool(self._choices)

    def look(self, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record with raw data."""
        self._see(self._key(record, record[self._raw]), [seen])

    def look_all(self, many: RecordBatch) -> None:
        """Looks at several more; those whose values are the same wherever a word is looked for are read once."""
        names = tuple(self._choices)
        told = many.raw_columns
        if not names or told is None:
            for record, seen in many if names else ():
                self.look(record, seen)
            return
        columns = [many.column(name).values for name in names]
        columns += [list(map(_text, told[name])) for name in _kinds_among(tuple(told))]
        for name, shapes in many.raw_shapes.items():
            if any(map(_kinds_among, shapes)):
                columns.append(list(map(_texts, told[name])))
                continue
            filled = [type(its) is dict and bool(its) for its in told[name]]
            if len(set(filled)) > 1:
                columns.append(filled)
        alike: defaultdict[tuple[Any, ...], list[int]] = defaultdict(list)
        for at, held in enumerate(zip(*columns, strict=True)):
            alike[held].append(at)
        places: defaultdict[tuple[_Fields, _Words], list[int]] = defaultdict(list)
        for some in alike.values():
            places[self._key(many.records[some[0]], many.raws[some[0]])] += some
        for key, some in places.items():
            self._see(key, [many.seen[at] for at in sorted(some)])

    def _key(self, record: Mapping[str, Any], raw: Mapping[str, Any]) -> tuple[_Fields, _Words]:
        """The fields of a record that have one of their words, and what its raw data says."""
        fields = tuple(
            [(name, its) for name, known in self._choices.items() if (its := record.get(name)) in known]
        )
        return fields, _said(raw, self._words) if fields else ()

    def _see(self, key: tuple[_Fields, _Words], seen: Sequence[Seen]) -> None:
        """Counts records that say the same."""
        if not key[0]:
            return
        alike = self._alike.get(key)
        if alike is None:
            if len(self._alike) >= _MOST_ALIKE:
                return
            alike = self._alike[key] = _Alike()
        alike.count += len(seen)
        for one in seen[: PLACES - len(alike.examples)]:
            shows = len(alike.examples) < EXAMPLES
            alike.examples.append(tuple(one(value if shows else PLACE) for _, value in key[0]))

    def _sum_up(self) -> None:
        """Counts by field and path what was counted by all that a record says."""
        for (fields, said), alike in self._alike.items():
            for at, (name, value) in enumerate(fields):
                some = Group(alike.count, [one[at] for one in alike.examples])
                self._filled[name] += alike.count
                self._given.setdefault(name, set()).add(value)
                for path, words in said:
                    if value not in words and len(self._unsaid) < _MOST_PATHS:
                        _add(self._unsaid.setdefault((name, path), Group()), some)
                    there = words & self._choices[name]
                    if len(there) == 1:
                        self._count(name, path, next(iter(there)), value, some)
        self._contradicted()
        self._alike.clear()

    def _contradicted(self) -> None:
        """Counts records that say another word in the very place in which those of that word do, and not their own."""
        of, own = Counter[tuple[str, str]](), Counter[tuple[str, str, str]]()
        told = Counter[tuple[str, str, str]]()
        for (fields, said), alike in self._alike.items():
            for name, value in fields:
                of[name, value] += alike.count
                for path, words in said:
                    own[name, path, value] += alike.count * (value in words)
                    told.update({(name, path, word): alike.count for word in words})
        usual: dict[tuple[str, str], str] = {}
        exact: dict[tuple[str, str], float] = {}
        for (name, path, value), count in own.items():
            key, share = (name, value), count / max(1, told[name, path, value])
            if count >= _USUAL * of[key] and share >= max(_USUAL, exact.get(key, 0.0)):
                usual[key], exact[key] = path, share
        for (fields, said), alike in self._alike.items():
            places = dict(said)
            for at, (name, value) in enumerate(fields):
                others = (
                    self._choices[name] - {value} if usual.get((name, value), "") not in ("", *places) else ()
                )
                for word in others:
                    if word in places.get(usual.get((name, word), ""), ()):
                        some = Group(alike.count, [one[at] for one in alike.examples])
                        _add(
                            self._contradictions.setdefault((name, usual[name, word], word, value), Group()),
                            some,
                        )

    def _count(self, name: str, path: str, word: str, value: str, some: Group) -> None:
        one = self._said.get((name, path, word))
        if one is None:
            if len(self._said) >= _MOST_PATHS:
                return
            one = self._said[name, path, word] = _Said()
        if value == word:
            one.right += some.count
        else:
            _add(one.wrong.setdefault(value, Group()), some)

    def findings(self) -> Iterator[MappingFinding]:
        """Fields that have another word than the raw record, and fields that have one word throughout."""
        self._sum_up()
        done: set[str] = set()
        for (name, path, word, value), group in self._contradictions.items():
            what = f'{self._prefix}{name} is "{value}" where {self._where}{spoken(path)} says "{word}"'
            what += f" in {group.count:,} of {self._filled[name]:,} records"
            field_ = f"{self._prefix}{name}"
            yield MappingFinding("alike", "another word", field_, what, group.count, tuple(group.examples))
            done.add(name)
        for (name, path, word), one in self._said.items():
            wrong = sum(group.count for group in one.wrong.values())
            count, filled = one.right + wrong, self._filled[name]
            if name in done or count < FEWEST or count > _ALWAYS * filled:
                continue  # a word that every record has does not describe any of them
            group = max(one.wrong.values(), key=lambda one: one.count, default=Group())
            rare = count >= _MANY and (wrong <= max(1, _RARE * count) or self._tells_both(name, path, one))
            if wrong and (rare or group.count >= _ALL * count):
                value = next(value for value, its in one.wrong.items() if its is group)
                what = f'{self._prefix}{name} is "{value}" where {self._where}{spoken(path)} says "{word}"'
                what += f" in {group.count:,} of {count:,} records"
                yield MappingFinding(
                    "alike", "another word", f"{self._prefix}{name}", what, group.count, tuple(group.examples)
                )
                done.add(name)
            elif not wrong and len(self._given[name]) == 1 and count <= 0.5 * filled:
                what = f'{self._prefix}{name} is "{word}" in all {filled:,} records'
                what += f", and {self._where}{spoken(path)} says so in {count:,} alone"
                group = self._unsaid.get((name, path), Group())
                yield MappingFinding(
                    "alike",
                    "another word",
                    f"{self._prefix}{name}",
                    what,
                    filled - count,
                    tuple(group.examples),
                )
                done.add(name)

    def _tells_both(self, name: str, path: str, one: _Said) -> bool:
        """Whether a path says in other records, and rightly, each word that stands in place of the one it says."""
        others = [self._said.get((name, path, word), _Said()) for word in one.wrong]
        wrong = sum(group.count for group in one.wrong.values())
        right = all(it.right >= max(FEWEST, sum(group.count for group in it.wrong.values())) for it in others)
        return bool(others) and right and one.right > wrong


def _add(group: Group, some: Group) -> None:
    group.count += some.count
    group.examples += some.examples[: PLACES - len(group.examples)]


def _said(raw: Mapping[str, Any], among: frozenset[str]) -> _Words:
    """Paths that may say what a record is, with those of some words there: a kind, or an object with such a name.

    Only the first two levels are read, so that each record costs little.
    """
    made = [
        (_path(name), _words(value, among))
        for name in _kinds_among(tuple(raw))
        if (value := _text(raw[name])) is not None
    ]
    for name, box in raw.items():
        if type(box) is dict and box:
            made.append((_path(name), _named(name, among)))
            made += [
                (_path(name, inner), _words(below, among))
                for inner in (() if _is_parent(name) else _kinds_among(tuple(box)))
                if (below := _text(box[inner])) is not None
            ]
    return tuple(made)


def _text(value: Any) -> str | None:
    """A value that may say what a record is."""
    return value if type(value) is str and len(value) <= _LONGEST else None


def _texts(box: Any) -> tuple[tuple[str, str | None], ...] | None:
    """The same of the members of an object; None of one without any."""
    if type(box) is not dict or not box:
        return None
    return tuple([(name, _text(box[name])) for name in _kinds_among(tuple(box))])


@lru_cache(maxsize=4096)
def _is_kind(name: str) -> bool:
    return not words_of_name(name).isdisjoint(_KINDS)


@lru_cache(maxsize=1024)
def _kinds_among(names: tuple[str, ...]) -> tuple[str, ...]:
    """The members of an object that may say of what kind it is; cached, because a list's objects have few shapes."""
    return tuple(filter(_is_kind, names))


@lru_cache(maxsize=4096)
def _path(*names: str) -> str:
    return "".join(f"/{step(name)}" for name in names)


@lru_cache(maxsize=4096)
def _is_parent(name: str) -> bool:
    return "parent" in name.lower()


@lru_cache(maxsize=4096)
def _named(name: str, among: frozenset[str]) -> frozenset[str]:
    return among & {name.lower()}


@lru_cache(maxsize=4096)
def _words(value: str, among: frozenset[str]) -> frozenset[str]:
    return among.intersection(_WORD.findall(value.lower()))
