"""The explanation of the differences between two states: sentences with counts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as of
from typing import Any

from explorer import words
from explorer.quality.compare.claims import MEANINGS, Claim, Meaning, shown
from explorer.quality.compare.found import NO_RAW_DATA, RawData

MOST = 20
"""Most sentences."""
_NAMED = 6
_ONLY_MORE = ("filled", "default", "items added")
"""What a mapping that reads more than before does: no value became another one."""
"""Fields that a sentence names with their counts."""


@dataclass(frozen=True, slots=True)
class Example:
    """One value that a sentence is about."""

    id: str
    field: str
    before: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """One explanation: what happened to which fields, in how many records."""

    words: str
    name: str
    """A stable word for what happened: ``plus sign lost``; for the last sentence of too many, several words."""
    fields: Mapping[str, int]
    """The changed values that it claims, by field."""
    count: int
    """The number of these values; in a rename or a swap the two fields of a record count once."""
    meaning: Meaning
    examples: tuple[Example, ...] = ()
    claims: frozenset[int] = of(default=frozenset(), repr=False)
    """The numbers of its claims, as passed to a sink."""
    raw: RawData = NO_RAW_DATA
    """What became of raw data of its records."""
    what: str = ""
    """``added`` or ``gone`` for a sentence about records that are in one state only."""


@dataclass(frozen=True, slots=True)
class Unexplained:
    """The unexplained changes of a field."""

    field: str
    count: int
    examples: tuple[Example, ...] = ()
    claims: frozenset[int] = of(default=frozenset(), repr=False)
    """Its number, as passed to a sink."""
    raw: RawData = NO_RAW_DATA
    """What became of raw data of its records."""

    @property
    def words(self) -> str:
        """As a sentence."""
        return f"{self.field or '(whole record)'}: {words.count(self.count, 'change')} unexplained"


@dataclass(frozen=True, slots=True)
class Explained:
    """The differences between two states: each changed value is claimed by one sentence, or unexplained."""

    sentences: tuple[Sentence, ...] = ()
    """The worst first, then those with most values."""
    unexplained: tuple[Unexplained, ...] = ()
    """By field, the most frequent first."""
    changed: int = 0
    """Values that differ: one for each field (items of an array together) of each record."""
    claimed: int = 0
    left_out: Mapping[str, tuple[str, int]] = of(default_factory=dict)
    """Fields that change at every pull: the reason for that conclusion, and in how many records they differ."""

    @property
    def left_out_words(self) -> str:
        """The fields that are ignored because they change at every pull; empty without one."""
        if not self.left_out:
            return ""
        return (
            f"Left out, as {'it changes' if len(self.left_out) == 1 else 'they change'} at every pull: "
            + (", ".join(f"{name} ({why})" for name, (why, _) in self.left_out.items()) + ".")
        )


def with_more(made: Explained, more: Sequence[Sentence]) -> Explained:
    """An explanation with further sentences about whole records: the 20 worst in all."""
    if not more:
        return made
    everything = sorted((*made.sentences, *more), key=_rank)
    return replace(made, sentences=tuple(everything) if len(everything) <= MOST else _gathered(everything))


def with_raw(made: Explained, raw_of: Callable[[frozenset[int]], RawData], raw: Sequence[str]) -> Explained:
    """An explanation whose sentences say what became of raw data (in the fields ``raw``) of their records.

    Another value from the same raw data is the mapping's doing: suspect, and no edit.
    """

    def is_raw(name: str) -> bool:
        return any(step in raw for step in re.split(r"[.\[]", name))

    def judged(one: Sentence) -> Sentence:
        if not one.claims or all(map(is_raw, one.fields)):
            return one
        found = raw_of(one.claims)
        another = one.meaning == "edited" and one.name not in _ONLY_MORE
        return replace(
            one, raw=found, meaning="suspect" if another and found.same > found.changed else one.meaning
        )

    told = sorted(map(judged, made.sentences[: MOST - 1]), key=_rank)
    unexplained = tuple(
        one if is_raw(one.field) else replace(one, raw=raw_of(one.claims)) for one in made.unexplained
    )
    return replace(made, sentences=(*told, *map(judged, made.sentences[MOST - 1 :])), unexplained=unexplained)


def _rank(one: Sentence) -> tuple[int, int, str]:
    return MEANINGS.index(one.meaning), -one.count, one.words


def sentences_of(
    under: Mapping[Claim, int],
    examples: Mapping[Claim, tuple[Example, ...]],
    numbers: Mapping[Claim | str, int],
    records: int,
    written: int,
    alone: frozenset[Claim] = frozenset(),
) -> tuple[Sentence, ...]:
    """The claims as sentences, with their numbers of values: the same claim for several fields is one sentence.

    Of the claims ``alone`` all values are the same, so that the sentence names it in place of a rule.
    """
    groups: dict[tuple[str, str, str], list[Claim]] = defaultdict(list)
    for claim, count in under.items():
        told = claim.worded(count, records)
        groups[told.name, told.words, told.subject].append(claim)
    made = [_sentence(some, under, examples, numbers, records, alone) for some in groups.values()]
    if written:
        said = _of(written, records)
        made.append(
            Sentence(
                f"Only written differently (order of names, form of numbers, spaces) {said}",
                "written differently",
                {},
                written,
                "harmless",
            )
        )
    made.sort(key=_rank)
    return tuple(made) if len(made) <= MOST else _gathered(made)


def _sentence(
    some: Sequence[Claim],
    under: Mapping[Claim, int],
    examples: Mapping[Claim, tuple[Example, ...]],
    numbers: Mapping[Claim | str, int],
    records: int,
    alone: frozenset[Claim],
) -> Sentence:
    ranked = sorted(some, key=lambda one: (-under[one], one.field))
    first = ranked[0].worded(under[ranked[0]], records)
    fields = {one.field: under[one] for one in ranked}
    total = under[ranked[0]] if first.subject else sum(fields.values())
    if first.subject:
        text = f"{first.subject} {first.words} {_of(total, records)}"
    elif len(ranked) == 1 and ranked[0] in alone and 1 < total < records:
        one = examples[ranked[0]][0]
        text = f"{first.field}: {shown(one.before)} became {shown(one.now)} {_of(total, records)}"
    elif len(ranked) == 1:
        text = f"{first.field or '(whole record)'} {first.words} {_of(total, records)}"
    else:
        where = f"in {words.count(total, 'value')}: {_named(fields)}"
        text = f"{len(ranked)} {_sort_of(some)}fields {plural(first.words)} {where}"
    told = [example for one in ranked for example in examples.get(one, ())]
    claimed = frozenset(numbers[one] for one in some if one in numbers)
    return Sentence(text, first.name, fields, total, first.meaning, tuple(told[:3]), claimed)


def _sort_of(some: Sequence[Claim]) -> str:
    dates = ("zone", "date", "time", "fraction of a second", "day and month", "epoch")
    return "date " if any(one.name.startswith(dates) for one in some[:1]) else ""


def _of(count: int, records: int) -> str:
    if count == records:
        return f"in all {words.count(records, 'record')}" if records > 1 else "in the one record"
    return f"in {count:,} of {words.count(records, 'record')}"


def _named(fields: Mapping[str, int]) -> str:
    some = [f"{name} ({count:,})" for name, count in list(fields.items())[:_NAMED]]
    more = len(fields) - len(some)
    return ", ".join(some) + (f" and {more:,} more" if more else "")


_PLURAL = (
    (r"^is\b", "are"),
    (r"^has\b", "have"),
    (r"^was\b", "were"),
    (r"\bits\b", "their"),
    (r"\bit\b", "them"),
    (r"\band is\b", "and are"),
    (r"\band was\b", "and were"),
    (r"\band has\b", "and have"),
)


def plural(text: str) -> str:
    """The words about one field, changed for several."""
    for pattern, other in _PLURAL:
        text = re.sub(pattern, other, text)
    return text


def _gathered(made: list[Sentence]) -> tuple[Sentence, ...]:
    """The sentences with most values, and one that combines the others."""
    ranked = sorted(made, key=lambda one: -one.count)
    kept, rest = ranked[: MOST - 1], ranked[MOST - 1 :]
    fields: dict[str, int] = defaultdict(int)
    for one in rest:
        for name, count in one.fields.items():
            fields[name] += count
    total = sum(one.count for one in rest)
    some = "; ".join(one.words for one in rest[:4]) + ("; …" if len(rest) > 4 else "")
    last = Sentence(
        f"{len(rest)} other explanations of {words.count(total, 'value')}: {some}",
        ", ".join(dict.fromkeys(one.name for one in rest)),
        dict(fields),
        total,
        min((one.meaning for one in rest), key=MEANINGS.index),
        tuple(one.examples[0] for one in rest if one.examples)[:3],
        frozenset().union(*(one.claims for one in rest)),
    )
    kept.sort(key=_rank)
    return (*kept, last)
