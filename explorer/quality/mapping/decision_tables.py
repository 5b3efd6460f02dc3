"""Fields of few values that several raw values decide together, and the records that are against what decides them.

``type`` is ``folder`` where there is a folder, ``url`` where something is linked, else ``file``: no table of one raw
value says that. A small tree over raw values of which there are few, and over what is there, tells it. What is left
in it, though the same raw values give another result in the others, is a finding. A tree has to explain four in five of
the records that the commonest value does not, with groups that chance does not make.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.field_state import LONGEST_CLASS, FieldState, Rows, class_of, places_of, short
from explorer.quality.mapping.judge import MappingFinding
from explorer.quality.mapping.origin import ending, is_empty, reader
from explorer.quality.mapping.record_batch import Seen
from explorer.quality.mapping.trace import spoken
from explorer.quality.mapping.word_tables import against_words, cut_word
from explorer.quality.values.flat import containers, is_within_array, leaves
from explorer.quality.values.transforms import is_number

_MOST = 600
"""The most records that are kept."""
_FEWEST = 50
"""The fewest records that tell anything."""
_MINORITY = 10
"""The fewest records with another value than the commonest."""
_VALUES = 24
"""The most different values of a raw path."""
_CLASSES = 16
"""The most different values of a field."""
_PATHS = 120
"""The most raw paths that are compared."""
_DEEPEST = 4
"""The most raw paths that decide together."""
_BINARY = 4
"""The values of a field from which on a path may part its records into several groups."""
_GAIN = 3
"""The fewest records that a further path has to explain."""
_SHARE = 0.25
"""The share of the unexplained records that it has to explain."""
_GROUP = 8
"""The fewest records of a group that has one value."""
_PURE = 0.55
"""The share of a group from which on a value is the one of the group."""
_ORDERED = 5
"""The fewest words whose order tells something."""
_LEFT = 0.06
"""The share of records that may be against the rule."""
_TOLD = 0.2
"""The share of the less common values that may be against it."""
_CODES = 0.3
"""The share of words that may be numbers, or in other letters."""
_ALIKE = 0.9
"""The share of records with the same raw value from which on a word is theirs."""
_Rows = Sequence[int]


class DecisionTables:
    """The first records of one list."""

    def __init__(self, raw: str, choices: Mapping[str, Sequence[str]] = MappingProxyType({})) -> None:
        """``choices`` are the words of each field in the contract's order, where it has some."""
        self._raw, self._choices = raw, choices
        self._rows: list[tuple[Mapping[str, Any], Seen]] = []
        self._laid: list[Mapping[str, Any]] = []

    @property
    def rows(self) -> Rows:
        """The records that are kept, and where each stands."""
        return self._rows

    @property
    def laid(self) -> Sequence[Mapping[str, Any]]:
        """For each of `rows` its raw values that are in no array, by path."""
        for record, _ in self._rows[len(self._laid) :]:
            values = leaves(record[self._raw]).items()
            self._laid.append({path: value for path, value in values if not is_within_array(path)})
        return self._laid

    @property
    def is_full(self) -> bool:
        """Whether no further record is looked at."""
        return len(self._rows) >= _MOST

    def look(self, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record with raw data."""
        if not self.is_full:
            self._rows.append((record, seen))

    def findings(
        self, states: Mapping[str, FieldState], settled: Collection[str]
    ) -> Iterator[MappingFinding]:
        """The findings on fields that are not in ``settled``: numbers among words, words in other letters, and what is
        against the rule.
        """
        names = [name for name in states if name not in settled and "." not in name]
        coded = (
            [
                *self._coded(names, states),
                *self._respelt(names),
                *self._out_of_order(names),
                *self._against_words(names, states),
            ]
            if len(self._rows) >= _FEWEST
            else []
        )
        yield from coded
        done = {one.field for one in coded}
        open_ = [name for name in names if name not in done and _is_open(states[name])]
        names = open_ if len(self._rows) >= _FEWEST else []
        features = self._features() if names else {}
        for name in names:
            if name in done:
                continue
            classes = [class_of(record.get(name)) for record, _ in self._rows]
            if any(isinstance(record.get(name), dict) for record, _ in self._rows):
                continue  # its fields are judged by themselves
            counts = Counter(classes)
            common = counts.most_common(1)[0][1]
            most = len(counts) - ("" in counts)
            if 1 < most <= _CLASSES and len(classes) - common >= _MINORITY:
                yield from self._of(name, classes, len(classes) - common, features)

    def _coded(self, names: Collection[str], states: Mapping[str, FieldState]) -> Iterator[MappingFinding]:
        """Fields of words that are bare numbers in a few records: what a table lacks is shown as its code."""
        for name in names:
            values = [record.get(name) for record, _ in self._rows]
            origin = states[name].origin
            if origin is not None and all(
                origin.read(record[self._raw]) == one
                for (record, _), one in zip(self._rows, values, strict=True)
                if isinstance(one, str) and one.strip()
            ):
                continue  # words and numbers are the third party's own
            words = Counter(one for one in values if isinstance(one, str) and one.strip())
            codes = [one for one in words if one.isdecimal()]
            count = sum(words[one] for one in codes)
            told = [one for one in words if any(map(str.isalpha, one)) and words[one] >= _GAIN]
            few = len(words) <= _CLASSES and len(codes) < len(told) and len(told) >= _GAIN
            if count and few and count <= _CODES * sum(words.values()):
                odd = [at for at, one in enumerate(values) if one in codes]
                what = f"{name} is a number where others are words, in {count:,} of {len(values):,} records: "
                what += short(codes[0])
                examples = tuple(self._rows[at][1](values[at]) for at in odd[:PLACES])
                yield MappingFinding("lossless", "code", name, what, count, examples)

    def _respelt(self, names: Collection[str]) -> Iterator[MappingFinding]:
        """Fields of few words, one of which is in a few records written in other letters than in the rest."""
        for name in names:
            values = [one if isinstance(one := record.get(name), str) else "" for record, _ in self._rows]
            words = Counter(one for one in values if one.strip())
            folded: defaultdict[str, list[str]] = defaultdict(list)
            for one, _ in words.most_common():
                folded[one.casefold()].append(one)
            several = {one for spelt in folded.values() if len(spelt) > 1 for one in spelt}
            own = {at: self._is_raw(at, one) for at, one in enumerate(values) if one in several}
            odd = [at for at, is_own in own.items() if not is_own]
            rare = [at for at in odd if values[at] != folded[values[at].casefold()][0]]
            kept = [at for at, is_own in own.items() if is_own]
            unsaid = {values[at].casefold() for at in odd} - {values[at].casefold() for at in kept}
            if unsaid or len(kept) < _CODES * len(own):
                # Raw data does not write each of the words, so that the rare spelling is odd.
                odd = rare if len(rare) <= _CODES * words.total() else []
            if odd and len(folded) <= _CLASSES:
                usual = next(one for one in folded[values[odd[0]].casefold()] if one != values[odd[0]])
                what = f"{name} is {short(values[odd[0]])} where others are {short(usual)}"
                what += f", in {len(odd):,} of {len(values):,} records"
                examples = tuple(self._rows[at][1](values[at]) for at in odd[:PLACES])
                yield MappingFinding("alike", "another spelling", name, what, len(odd), examples)

    def _out_of_order(self, names: Collection[str]) -> Iterator[MappingFinding]:
        """Fields that follow numbers in the contract's order, but for one number that has another's word."""
        for name in names:
            words = list(self._choices.get(name, ()))
            held: dict[str, dict[float, Counter[str]]] = {}
            for record, _ in self._rows if len(words) >= _ORDERED else ():
                for path, value in leaves(record[self._raw]).items() if record.get(name) in words else ():
                    if is_number(value):
                        held.setdefault(path, {}).setdefault(value, Counter())[record[name]] += 1
            for path, column in held.items():
                told = [its.most_common(1)[0][0] for _, its in sorted(column.items())]
                wrong = [at for at, (one, own) in enumerate(zip(told, words, strict=False)) if one != own]
                if len(told) == len(words) and len(wrong) == 1 and words[wrong[0]] not in told:
                    yield self._in_place(name, path, sorted(column)[wrong[0]], words[wrong[0]])
                    break

    def _against_words(
        self, names: Collection[str], states: Mapping[str, FieldState]
    ) -> Iterator[MappingFinding]:
        """Fields of few words that are another word than raw data says, one word for two codes, or cut."""
        for name in names:
            origin = states[name].origin
            found = against_words(self._rows, self._raw, name, self._choices.get(name, ()), origin)
            if found is None and origin is not None:
                found = cut_word(self._rows, self._raw, name, origin)
            if found is not None:
                yield found

    def _in_place(self, name: str, path: str, number: float, word: str) -> MappingFinding:
        read = reader(path)
        odd = [at for at, (record, _) in enumerate(self._rows) if read(record[self._raw]) == number]
        value = self._rows[odd[0]][0].get(name)
        what = f"{name} is {short(value)} where {self._raw}{spoken(path)} is {short(number)}, and never {short(word)},"
        what += f" which would follow the order of the others, in {len(odd):,} of {len(self._rows):,} records"
        examples = tuple(self._rows[at][1](value) for at in odd[:PLACES])
        return MappingFinding("alike", "out of order", name, what, len(odd), examples)

    def _is_raw(self, at: int, value: Any) -> bool:
        """Whether the raw record itself has a text."""
        return value in leaves(self._rows[at][0][self._raw]).values()

    def _of(
        self, name: str, classes: Sequence[str], minority: int, features: Mapping[str, Sequence[str]]
    ) -> Iterator[MappingFinding]:
        groups = list(_grown(range(len(classes)), classes, features, _DEEPEST, ()))
        wrong = sum(_wrong(rows, classes) for rows, _ in groups)
        if not 0 < wrong <= min(_LEFT * len(classes), _TOLD * minority) or len(groups) * _GROUP > len(
            classes
        ):
            return
        odd, beside, where = list[int](), list[int](), ""
        decided = {Counter(classes[at] for at in rows).most_common(1)[0][0] for rows, _ in groups}
        for rows, path in groups:
            usual, often = Counter(classes[at] for at in rows).most_common(1)[0]
            if len(rows) >= _GROUP and often >= _PURE * len(rows):
                # A word that nothing decides is the connector's own.
                some = [at for at in rows if classes[at] != usual and classes[at] in decided]
                odd += some
                beside += [at for at in rows if classes[at] == usual] if some else []
                where = where or (path[-1] if often < len(rows) and path else "")
        if len(odd) <= 0.5 * wrong or not where or _is_rule(odd, beside, classes, features):
            return
        yield self._against(name, where, odd)

    def _against(self, name: str, where: str, odd: Sequence[int]) -> MappingFinding:
        value = self._rows[odd[0]][0].get(name)
        what = f"{name} is not what the same raw data gives elsewhere, by {self._raw}{spoken(where)},"
        what += f" in {len(odd):,} of {len(self._rows):,} records: {short(value)}"
        examples = places_of(odd, self._rows, name)
        return MappingFinding("alike", "against the rule", name, what, len(odd), examples)

    def _features(self) -> dict[str, list[str]]:
        """For each raw path that may decide something, what each record has there."""
        held: defaultdict[str, dict[int, str]] = defaultdict(dict)
        for at, (record, _) in enumerate(self._rows):
            raw = record[self._raw]
            for path, value in leaves(raw).items():
                if is_within_array(path) or is_empty(value):
                    continue
                held[path][at] = str(value)[:LONGEST_CLASS]
                if (end := ending(value)) is not None:
                    held[f"{path} "][at] = end
            for path in containers(raw):
                held[path].setdefault(at, "there")
        made: dict[str, list[str]] = {}
        for path, values in held.items():
            some = values if len(set(values.values())) <= _VALUES else dict.fromkeys(values, "there")
            column = [some.get(at, "") for at in range(len(self._rows))]
            if len(set(column)) > 1 and len(made) < _PATHS:
                made[path] = column
        return made


def _is_open(state: FieldState) -> bool:
    return bool(state.filled) and (state.origin is None or state.explained < state.filled)


def _is_rule(
    odd: _Rows, beside: _Rows, classes: Sequence[str], features: Mapping[str, Sequence[str]]
) -> bool:
    """Whether all that is odd has a raw value that gives the very same elsewhere, and those beside it have not."""
    for column in features.values():
        value = column[odd[0]]
        if all(column[at] == value for at in odd):
            its = Counter(one for one, there in zip(classes, column, strict=True) if there == value)
            rare = sum(column[at] == value for at in beside) <= (1 - _ALIKE) * len(beside)
            if rare and its[classes[odd[0]]] >= _ALIKE * its.total():
                return True
    return False


def _wrong(rows: _Rows, classes: Sequence[str]) -> int:
    return len(rows) - max(Counter(classes[at] for at in rows).values(), default=0)


def _grown(
    rows: _Rows,
    classes: Sequence[str],
    features: Mapping[str, Sequence[str]],
    depth: int,
    path: tuple[str, ...],
) -> Iterator[tuple[_Rows, tuple[str, ...]]]:
    """The groups into which raw values divide some records, with the paths that do."""
    wrong = _wrong(rows, classes)
    best, parts = "", list[list[int]]()
    least = wrong - max(_GAIN, _SHARE * wrong) if depth and wrong else -1.0
    several = len({classes[at] for at in rows}) > _BINARY
    for name, column in features.items() if least >= 0 else ():
        split: defaultdict[str, list[int]] = defaultdict(list)
        for at in rows:
            split[column[at]].append(at)
        for some in _divided(split, several):
            left = sum(_wrong(one, classes) for one in some) + 0.5 * (len(some) - 2)
            if left <= least:
                best, parts, least = name, some, left - 0.25
    if not best:
        yield rows, path
        return
    for one in parts:
        yield from _grown(one, classes, features, depth - 1, (*path, best.rstrip()))


def _divided(split: Mapping[str, list[int]], several: bool) -> Iterator[list[list[int]]]:
    """The ways in which a raw path divides records: by each of its values, or one value against the others."""
    if len(split) > 1 and several:
        yield list(split.values())
    for value, some in split.items() if len(split) > 1 and not several else ():
        yield [some, [at for other, rest in split.items() if other != value for at in rest]]
