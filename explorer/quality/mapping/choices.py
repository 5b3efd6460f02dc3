"""Fields of a few known words, compared with raw values that contain one of those words themselves.

A table that maps ``mimeType`` to ``type`` explains the field even where every folder is called a file. The word itself
is better evidence: a raw value that contains ``folder`` in some records and not in others says what the record is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import step
from explorer.quality.mapping.field_state import Group
from explorer.quality.mapping.judge import Judged
from explorer.quality.mapping.many import Seen
from explorer.quality.mapping.named import words_of_name
from explorer.quality.mapping.sample import FEWEST
from explorer.quality.mapping.trace import spoken

_KINDS = frozenset({"type", "kind", "mime", "category", "class", "format", "object", "tag"})
_LONGEST, _MOST_PATHS = 100, 60
_ALWAYS, _ALL, _RARE, _MANY = 0.95, 0.95, 0.03, 20
_WORD = re.compile(r"[a-z]+")


@dataclass(slots=True)
class _Said:
    """The records in which one raw path contains one of the words."""

    right: int = 0
    wrong: dict[str, Group] = field(default_factory=dict)
    """By the word that the field has instead."""


class Choices:
    """Compares the fields of known words in the records of one list with raw values that contain one."""

    def __init__(
        self, raw: str, choices: Mapping[str, Collection[str]], prefix: str = "", where: str = ""
    ) -> None:
        """``choices`` are the words of each field, as far as they are known.

        ``prefix`` stands before the fields' names, ``where`` is how people write the place of the raw record.
        """
        self._raw, self._prefix, self._where = raw, prefix, where or raw
        self._choices = {name: frozenset(words) for name, words in choices.items() if len(words) > 1}
        self._said: dict[tuple[str, str, str], _Said] = {}
        """By field, path and the word found there."""
        self._unsaid: dict[tuple[str, str], Group] = {}
        """Records in which a path has a word, but not the one that the field has."""
        self._filled: dict[str, int] = {}
        self._given: dict[str, dict[str, int]] = {}

    def __bool__(self) -> bool:
        """Whether there is a field of known words."""
        return bool(self._choices)

    def look(self, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record with raw data."""
        fields = {name: value for name in self._choices if (value := record.get(name)) in self._choices[name]}
        if not fields:
            return
        said = list(_said(record[self._raw]))
        for name, value in fields.items():
            self._filled[name] = self._filled.get(name, 0) + 1
            given = self._given.setdefault(name, {})
            given[value] = given.get(value, 0) + 1
            for path, words in said:
                if value not in words and len(self._unsaid) < _MOST_PATHS:
                    self._unsaid.setdefault((name, path), Group()).see(seen, value)
                there = words & self._choices[name]
                if len(there) == 1:
                    self._count(name, path, next(iter(there)), value, seen)

    def _count(self, name: str, path: str, word: str, value: Any, seen: Seen) -> None:
        one = self._said.get((name, path, word))
        if one is None:
            if len(self._said) >= _MOST_PATHS:
                return
            one = self._said[name, path, word] = _Said()
        if value == word:
            one.right += 1
        else:
            one.wrong.setdefault(value, Group()).see(seen, value)

    def judged(self) -> Iterator[Judged]:
        """Fields that have another word than the raw record, and fields that have one word throughout."""
        done: set[str] = set()
        for (name, path, word), one in self._said.items():
            wrong = sum(group.count for group in one.wrong.values())
            count, filled = one.right + wrong, self._filled[name]
            if name in done or count < FEWEST or count > _ALWAYS * filled:
                continue  # a word that every record has does not describe any of them
            group = max(one.wrong.values(), key=lambda one: one.count, default=Group())
            rare = count >= _MANY and wrong <= max(1, _RARE * count)
            if wrong and (rare or group.count >= _ALL * count):
                value = next(value for value, its in one.wrong.items() if its is group)
                what = f'{self._prefix}{name} is "{value}" where {self._where}{spoken(path)} says "{word}"'
                what += f" in {group.count:,} of {count:,} records"
                yield Judged(
                    "alike", "another word", f"{self._prefix}{name}", what, group.count, tuple(group.examples)
                )
                done.add(name)
            elif not wrong and len(self._given[name]) == 1 and count <= 0.5 * filled:
                what = f'{self._prefix}{name} is "{word}" in all {filled:,} records'
                what += f", and {self._where}{spoken(path)} says so in {count:,} alone"
                group = self._unsaid.get((name, path), Group())
                yield Judged(
                    "alike",
                    "another word",
                    f"{self._prefix}{name}",
                    what,
                    filled - count,
                    tuple(group.examples),
                )
                done.add(name)


def _said(raw: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[str]]]:
    """Paths that may say what a record is, with their words: a kind, or an object with such a name.

    Only the first two levels are read, so that each record costs little.
    """
    for name, value in raw.items():
        kind = type(value)
        if kind is str:
            if _is_kind(name) and len(value) <= _LONGEST:
                yield _path(name), _words(value)
        elif kind is dict and value:
            yield _path(name), _name(name)
            for inner in _kinds_among(tuple(value)) if "parent" not in name.lower() else ():
                below = value[inner]
                if type(below) is str and len(below) <= _LONGEST:
                    yield _path(name, inner), _words(below)


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
def _name(name: str) -> frozenset[str]:
    return frozenset({name.lower()})


@lru_cache(maxsize=4096)
def _words(value: str) -> frozenset[str]:
    return frozenset(_WORD.findall(value.lower()))
