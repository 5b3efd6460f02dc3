"""The findings on how fields are made: values that lose something, and records that are made differently.

A field that is made in two sound ways, has a source only sometimes, or needs information that raw data does not have is
not a finding: it stays in the mapping table with its figures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.conditions import (
    are_told_apart,
    have_something,
    is_exact,
    is_told,
)
from explorer.quality.mapping.field_state import FieldState, Group, Odd, short
from explorer.quality.mapping.field_tracker import GUESSED, FieldTracker
from explorer.quality.mapping.judge_source import (
    FEWEST_JUDGED,
    Kind,
    MappingFinding,
    OfSource,
    words_in,
    words_of,
)
from explorer.quality.mapping.learn import MOSTLY, is_called
from explorer.quality.mapping.name_match import has_its_name, is_id
from explorer.quality.mapping.normal_forms import is_telling, likeness
from explorer.quality.mapping.origin import Origin, is_country, is_empty
from explorer.quality.mapping.placeholders import is_placeholder, is_stand_in
from explorer.quality.mapping.same_name_texts import losses_of
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import leaves
from explorer.quality.values.learned_transforms import LIMITED
from explorer.quality.values.sign_transforms import LEAST as OF_SIGNS
from explorer.quality.values.transforms import MISSING, Transform, equal, fitted

__all__ = ["FEWEST_JUDGED", "Kind", "MappingFinding", "mapping_findings", "note_of", "tokens_of", "words_of"]

_FEW = 50
"""With fewer values an unexplained one is insignificant."""
_RARE = 0.03
"""The share of records that is rare."""
_SOME = 0.1
"""The share of records that are some."""
_HALF = 0.5
_RARE_OF_MANY = 0.06
"""The rare share where a field has many different values and is made of them exactly, so that chance explains none."""
_MANY = 20
"""The different values that are many."""
_BY_CHANCE = 0.2
"""The share of records in which something else in raw data has an odd value as well."""
_UNITS = frozenset(
    {
        *("kb", "kib", "mb", "mib", "gb", "gib", "cents", "cent", "minor", "millis", "ms", "milliseconds"),
        *("seconds", "secs", "minutes", "hours", "micros", "percent", "pct", "bps", "thousandths", "k"),
    }
)
_ROUNDED = frozenset({"rounded", "fraction lost"})
_COORDINATES = frozenset({"latitude", "longitude", "lat", "lon", "lng", "long"})
_DAYS = ("date", "on", "day", "birthday", "period")
_ADDRESSES = ("url", "website", "link", "href", "uri")
_MEDIA_TYPE = re.compile(r"(?i)(application|audio|font|image|message|model|text|video)/(?!x-)[\w.+-]+")
_SAYS_LITTLE = frozenset({"text/plain", "application/octet-stream"})
_SEVERAL, _EACH = 3, 0.95
_LOSSY_HERE = frozenset({"constant", "unit", "quoted"})
"""Conversions that are lossy only over many records: they say nothing about single ones."""


def mapping_findings(tracker: FieldTracker) -> Iterator[MappingFinding]:
    """The findings on all fields of ``tracker``."""
    for name, state, its in tracker.all_states():
        for way in (state, state.beside):
            if way is not None and way.origin is not None:
                yield from _Judge(name, way, way.origin, its).all()


def note_of(state: FieldState) -> str:
    """Why a field's origin does not explain each of its values, in a few words."""
    left = state.filled - state.explained
    if not left or state.origin is None:
        return "" if not left else "no raw value matches"
    said = [f"{state.by_second:,} in a second way"] if state.by_second else []
    rest = left - state.by_second - state.flagged
    said += [f"{state.extra.count:,} without a source"] if state.extra.count else []
    rest -= state.extra.count
    for path, group in state.by_path().items():
        said.append(f"{group.count:,} from {spoken(path)[1:]}")
        rest -= group.count
    said += [f"{rest:,} differ"] if rest > 0 else []
    said += [f"{state.flagged:,} found wrong already"] if state.flagged else []
    return ", ".join(said)


class _Judge(OfSource):
    """Judges one field: by its source, then by its values."""

    def all(self) -> Iterator[MappingFinding]:
        state = self._state
        guessed = self._origin.how in GUESSED
        crossed = list(self._crossed())
        for how, group in state.missing.items() if not (crossed or list(self._itself())) else ():
            if guessed and group.count > max(1, _RARE * state.filled):
                continue
            if state.lost_and_told >= group.count and not state.empty:
                continue  # none is empty but these: the other check has told all that there is
            yield self._said("kept", how, f"{self._name} is {how} where {self._source} has a value", group)
        yield from crossed
        yield from self._inverted()
        yield from self._glued()
        yield from self._itself()
        yield from self._address()
        yield from self._coarser()
        yield from self._lossy(self._origin, state.lost)
        if state.second is not None:
            yield from self._lossy(state.second, state.second_lost)
        partly = self._origin.support < 0.9
        for path, group in self._others():
            if other := self._exchanged_with(path):
                what = f"{self._name} and {self._tracker.prefix}{other} have each other's value"
                yield self._said("same", "exchanged", what + self._share(group), group)
                continue
            few = not partly and (group.count <= _SOME * state.filled or group.count <= 2)
            foreign = group.count >= _SEVERAL and (self._is_foreign(path) or self._are_addresses(group))
            if foreign or (few and not self._goes_first(path)):
                what = f"{self._name} comes from {self._raw}{spoken(path)}, elsewhere from {self._source}"
                yield self._said("same", path, what, group)
        yield from self._entry()
        yield from self._by_place()
        yield from self._piece()
        yield from self._translated()
        yield from self._other_words()
        yield from self._fallback()
        for rule, group in (("record before", state.before), ("record behind", state.after)):
            if group.count:
                what = f"{self._name} is the value of the {rule}{' it' if rule != 'record before' else ''}"
                yield self._said("alike", rule, what + self._share(group), group)
        yield from self._defaults() or self._left_over() or (() if partly else self._extra())
        yield from self._differing()
        yield from self._in_other_letters()

    def _lossy(self, origin: Origin, group: Group) -> Iterator[MappingFinding]:
        if group.count == 1 and self._state.filled < _FEW:
            return  # a single value of a short list may be shorter for any reason
        if group.count and not origin.loose and _matters(self._name, origin, group):
            other = is_country(self._name) and not origin.is_lossy
            words = "is another country than its source" if other else origin.transform.words
            what = f"{self._name} {words}{self._share(group)}"
            yield self._said("lossless", origin.transform.name, f"{what}: {group.words}", group)

    def _defaults(self) -> list[MappingFinding]:
        """One value wherever the source has none, unless it is a word that a person would choose."""
        state = self._state
        odds = [odd for odd in state.kept if is_empty(odd.source)]
        group = state.defaulted if state.defaulted.count else state.extra
        values = state.default_values if state.defaulted.count else [odd.value for odd in odds]
        one_value = all(equal(one, values[0]) for one in values)
        is_made_up = one_value and (is_id(self._name) or self._is_for_some())
        if group.count < _SEVERAL or not values or not (is_made_up or is_stand_in(values)):
            return []
        second, raw = state.second, self._tracker.raw
        if second is not None and any(not is_empty(second.read(one[raw])) for one in state.records):
            return []  # a value of the second source that was not met while that was learned
        what = f"{self._name} is {short(values[0])} where {self._source} has nothing{self._share(group)}"
        return [self._said("alike", "default", what, group)]

    def _is_for_some(self) -> bool:
        """Whether about as many records without a source have no value, and nothing in raw data tells which."""
        name, raw = self._state.name, self._tracker.raw
        odd = self._raw_of(self._state.records)
        bare = self._raw_of(
            one
            for one in self._tracker.learned_from
            if is_empty(one.get(name)) and is_empty(self._origin.read(one[raw]))
        )
        few = min(len(odd), len(bare)) < FEWEST_JUDGED or self._state.extra.count > 2 * self._state.empty
        return not few and not are_told_apart(odd, bare) and not have_something(odd, bare)

    def _left_over(self) -> list[MappingFinding]:
        """The value of the record before where the source has none, unless records often have that."""
        state, group = self._state, self._state.extra
        if group.count < FEWEST_JUDGED or state.left < _EACH * group.count or not self._is_mixed():
            return []
        what = f"{self._name} is the value of the record before, where {self._source} has none"
        return [self._said("alike", "record before", what + self._share(group), group)]

    def _extra(self) -> Iterator[MappingFinding]:
        """A value without a source is reported where the field is empty in all other records without one."""
        state, group = self._state, self._state.extra
        if self._origin.transform.name == "table" and not any(is_empty(odd.source) for odd in state.kept):
            return  # words that the table does not have
        rule = state.empty >= 3 and state.empty > 3 * group.count
        if state.filled >= _FEW and state.is_strong and rule and 0 < group.count <= _RARE * state.filled:
            what = f"{self._name} has a value where {self._source} has none{self._share(group)}"
            yield self._said("alike", "no source", what, group)

    def _is_mixed(self) -> bool:
        """Whether neighbouring records mostly have different values."""
        values = [one.get(self._state.name) for one in self._tracker.learned_from]
        return 2 * sum(bool(one == other) for one, other in pairwise(values)) < len(values)

    def _differing(self) -> Iterator[MappingFinding]:
        state, group = self._state, self._state.differs
        odds = [odd for odd in state.kept if not is_empty(odd.source)]
        if not group.count or not odds or state.filled < FEWEST_JUDGED:
            return
        respelt = [odd for odd in odds if _is_respelt(self._expected(odd), odd.value)]
        if len(respelt) == len(odds) >= FEWEST_JUDGED > len({odd.value for odd in odds}):
            what = f"{self._name} is in other letters than {self._source}{self._share(group)}: {self._pair(odds[0])}"
            yield self._said("lossless", "other letters", what, group)
            return
        more = [odd for odd in odds if _has_blanks(self._expected(odd), odd.value)]
        if len(more) >= _SEVERAL:
            odds = _without(odds, more)
            what = f"{self._name} has blanks around it that {self._source} does not have"
            if odds:
                yield self._odd(
                    "alike", "blanks", f"{what}{self._of_these(more)}: {self._pair(more[0])}", more
                )
            else:
                yield self._said(
                    "alike", "blanks", f"{what}{self._share(group)}: {self._pair(more[0])}", group
                )
        if self._state.of_before >= _EACH * group.count >= 2 * FEWEST_JUDGED and self._is_mixed():
            what = f"{self._name} is the value of the record before{self._share(group)}"
            yield self._said("alike", "record before", what, group)
            return
        for transform, some in self._transforms(odds):
            odds = _without(odds, some)
            what = f"{self._name} {transform.words}{self._of_these(some)}: {self._pair(some[0])}"
            yield self._odd("lossless", transform.name, what, some)
        swapped = _exchanged_pairs(odds)
        if swapped:
            odds = _without(odds, swapped)
            what = f"{self._name} has two values in each other's place{self._of_these(swapped)}"
            what += f": {self._pair(swapped[0])}"
            yield self._odd("alike", "exchanged", what, swapped)
        for rule, words, some in self._alike(odds):
            odds = _without(odds, some)
            yield self._odd(
                "alike", rule, f"{self._name} {words}{self._of_these(some)}: {self._pair(some[0])}", some
            )
        lacking = [odd for odd in odds if self._lacks(odd)] if self._is_joined() else []
        if len(lacking) >= _SEVERAL and not self._may_differ(len(odds)):
            odds = lacking
        if odds and (
            odds is lacking
            or (
                self._may_differ(len(odds))
                and not self._has_one_more_reason(odds)
                and not self._are_of_a_kind(odds)
            )
            or self._are_other_types(odds)
        ):
            what = (
                f"{self._name} is not what {self._source} gives{self._of_these(odds)}: {self._pair(odds[0])}"
            )
            yield self._odd("alike", "differs", what, odds)
        elif odds and self._is_from_nowhere(odds):
            what = f"{self._name} is not what {self._source} gives{self._share(group)}, nor anything else in"
            what += f" {self._raw}: {self._pair(odds[0])}"
            yield self._said("alike", "from nowhere", what, group)

    def _in_other_letters(self) -> Iterator[MappingFinding]:
        """Values in other letters than their source, where most others that could be so are not."""
        group, pairs = self._state.respelt, self._state.spelt
        if group.count < _SEVERAL or self._origin.how == "parts":
            return
        raw, name = self._tracker.raw, self._state.name
        for change in (str.lower, str.upper, str.title, str.capitalize):
            if all(change(source) == value for source, value in pairs):
                others = [
                    one[name]
                    for one in self._tracker.learned_from
                    if isinstance(one.get(name), str) and self._origin.read(one[raw]) == one[name]
                ]
                if sum(change(one) != one for one in others) > group.count * len(others) / self._state.filled:
                    source, value = pairs[0]
                    what = f"{self._name} is in other letters than {self._source}{self._share(group)}"
                    what += f": {short(value)} where {self._source} gives {short(source)}"
                    yield self._said("lossless", "other letters", what, group)
                return

    def _is_from_nowhere(self, odds: list[Odd]) -> bool:
        """Whether odd values are dates, numbers or ids that nothing in their raw records gives, whatever they share.

        Another rule for some of the records would take them from there.
        """
        few = min(len(odds), len({repr(odd.value) for odd in odds})) < _SEVERAL
        own = self._origin.distinct >= _MANY or has_its_name(self._name, self._origin.paths[0])
        if few or not own or self._origin.is_lossy or self._origin.how in GUESSED - {MOSTLY}:
            return False
        if not all(is_exact(odd.value) and is_exact(self._expected(odd)) for odd in odds):
            return False
        raw, name = self._tracker.raw, self._state.name
        some = self._state.records
        told = sum(is_told(one.get(name), leaves(one[raw]).values()) for one in some)
        return bool(some) and told <= _BY_CHANCE * len(some)

    def _are_other_types(self, odds: list[Odd]) -> bool:
        """Whether some media types became others of the source's own.

        A table may rename all of one type; not so where elsewhere the same one stays, or where the other says less.
        """
        few = _SEVERAL <= len(odds) <= _RARE_OF_MANY * self._state.filled
        if not few or self._origin.transform.name != "same" or self._has_condition():
            return False
        rows = [(one.get(self._name), one[self._tracker.raw]) for one in self._tracker.learned_from]
        kept = {value for value, raw in rows if isinstance(value, str) and self._origin.read(raw) == value}
        return all(
            isinstance(odd.source, str)
            and isinstance(odd.value, str)
            and odd.value in kept
            and _MEDIA_TYPE.fullmatch(odd.source)
            and (odd.source in kept or odd.value in _SAYS_LITTLE)
            for odd in odds
        )

    def _is_joined(self) -> bool:
        """Whether a field is joined of pieces, and those of it that differ hold no other raw value in their place."""
        raw, name, odd = self._tracker.raw, self._state.name, 0
        for record in self._state.records:
            held = {str(one).casefold() for one in leaves(record[raw]).values() if is_telling(one)}
            expected = set(words_in(self._origin.make(record[raw])))
            odd += any(word in held for word in words_in(record.get(name)) if word not in expected)
        few = odd <= _SOME * len(self._state.records) and not self._has_condition()
        return self._origin.how == "parts" and self._origin.distinct >= _MANY and few

    def _lacks(self, odd: Odd) -> bool:
        """Whether a text lacks a word of what it is joined of."""
        return not set(words_in(self._expected(odd))) <= set(words_in(odd.value))

    def _transforms(self, odds: list[Odd]) -> Iterator[tuple[Transform, list[Odd]]]:
        """What some odd values lost, by the transform that makes them from what was expected."""
        left = [odd for odd in odds if isinstance(odd.value, str | int | float)]
        least = _HALF if self._origin.how == MOSTLY else 0.0
        for _ in range(4):
            pairs = [(self._expected(odd), odd.value) for odd in left]
            fits = [
                one
                for one in (fitted(pairs, share=max(least, 1 / len(pairs))) if pairs else ())
                if (one.transform.lossy or self._is_put_on(one.transform))
                and not _LOSSY_HERE & set(one.transform.name.split(", "))
                and not (self._origin.how == "parts" and one.transform.name in OF_SIGNS)
                and (one.transform.name != LIMITED or self._stops_all(one.transform))
            ]
            if not fits:
                return
            some = [left[at] for at in fits[0].indexes]
            yield fits[0].transform, some
            left = _without(left, some)

    def _stops_all(self, transform: Transform) -> bool:
        """Whether an end of numbers is one: no other record has one beyond it."""
        raw, name = self._tracker.raw, self._state.name
        kept = [one for one in self._tracker.learned_from if self._origin.explains(one.get(name), one[raw])]
        return all(equal(transform(self._origin.make(one[raw])), self._origin.make(one[raw])) for one in kept)

    def _is_put_on(self, transform: Transform) -> bool:
        """Whether a text that is joined elsewhere has something more, or less, before or behind it."""
        return self._origin.how == "parts" and transform.name.partition(" ")[0] in ("prefix", "suffix")

    def _alike(self, odds: list[Odd]) -> Iterator[tuple[str, str, list[Odd]]]:
        """Placeholders, and dates that are older or later than expected."""
        if self._origin.how == "parts":
            for words, some in self._lost_texts(odds):
                yield words, words, some
                odds = _without(odds, some)
            renamed = self._renamed(odds)
            if len(renamed) >= _SEVERAL:
                yield "another name", f"has another name in it than {self._source}", renamed
                odds = _without(odds, renamed)
        holders = [odd for odd in odds if is_placeholder(odd.value)]
        if holders:
            yield "placeholder", "is a placeholder", holders
        rest = _without(odds, holders)
        by_value: dict[str, list[Odd]] = {}
        for odd in rest:
            by_value.setdefault(repr(odd.value), []).append(odd)
        for some in by_value.values():
            apart = len({repr(odd.source) for odd in some})
            if (
                len(some) >= 3
                and apart >= 0.5 * len(some)
                and self._state.is_unique
                and not self._has_condition()
            ):
                yield "one value", "is the same in records whose sources differ", some
                rest = _without(rest, some)
        few = self._may_differ(len(rest)) or (self._state.is_unique and len(rest) >= FEWEST_JUDGED)
        if few and not self._has_condition():
            older = [odd for odd in rest if self._is_older(odd)]
            if older and len(older) >= 0.9 * len(rest):
                yield "stale", f"is older than {self._source}", older

    def _renamed(self, odds: list[Odd]) -> list[Odd]:
        """Joined texts with as many pieces as expected, of which one is another that raw data does not have."""
        raws = {str(one.get(self._state.name)): one[self._tracker.raw] for one in self._state.records}
        made, strange = list[Odd](), 0
        for odd in odds:
            one, its = str(self._expected(odd)).split("/"), str(odd.value).split("/")
            other = [mine for mine, there in zip(its, one, strict=False) if words_in(mine) != words_in(there)]
            if len(one) == len(its) and len(other) == 1 and words_in(other[0]) and "%" not in other[0]:
                made.append(odd)
                raw = raws.get(str(odd.value))
                strange += raw is not None and other[0] not in map(str, leaves(raw).values())
        return made if strange >= _SEVERAL else []

    def _lost_texts(self, odds: list[Odd]) -> list[tuple[str, list[Odd]]]:
        """What joined texts lost of their pieces, in words."""
        made: dict[str, list[Odd]] = {}
        for odd in odds:
            expected = self._expected(odd)
            if isinstance(expected, str) and isinstance(odd.value, str):
                for words in losses_of(expected, odd.value):
                    made.setdefault(words, []).append(odd)
        return [(words, some) for words, some in made.items() if len(some) >= _SEVERAL]

    def _is_older(self, odd: Odd) -> bool:
        mine, its = date_readings(odd.value), date_readings(self._expected(odd))
        return bool(mine and its) and mine[0].utc < its[0].utc

    def _may_differ(self, count: int) -> bool:
        """Whether this many unexplained values are few enough to be faults, and no second rule."""
        state, origin = self._state, self._origin
        most = _RARE
        own = has_its_name(self._name, origin.paths[0])
        if not origin.is_lossy and (own or (state.is_strong and origin.distinct >= _MANY)):
            most = _RARE_OF_MANY
        if state.filled < _FEW or count > max(1, most * state.filled):
            return False
        if not state.is_strong:
            named = own or likeness(self._name, origin.paths[0]) >= _HALF
            named = named or is_called(self._name, origin.paths[0])
            plain = origin.transform.name in ("same", "boolean words", "boolean inverted", "number read")
            if not (named and plain and origin.distinct > 1 and state.filled >= 50 and not origin.loose):
                return False
        return not self._has_condition()

    def _has_one_more_reason(self, odds: list[Odd]) -> bool:
        """Whether a flag is also true where the raw record has something that hardly any other has."""
        odd = self._raw_of(self._state.records)
        return all(one.value is True for one in odds) and have_something(odd, self._usual())

    def _expected(self, odd: Odd) -> Any:
        made = self._origin.transform(odd.source)
        return None if made is MISSING else made

    def _pair(self, odd: Odd) -> str:
        return f"{short(odd.value)} where {self._source} gives {short(self._expected(odd))}"

    def _of_these(self, some: list[Odd]) -> str:
        """In how many values, which are at least so many where more are odd than are kept."""
        kept = self._state.kept
        capped = self._state.differs.count + self._state.extra.count > len(kept)
        return self._of(len(some)).replace(" in ", " in at least ", 1) if capped else self._of(len(some))

    def _odd(self, kind: Kind, rule: str, sentence: str, some: list[Odd]) -> MappingFinding:
        examples = tuple(odd.example for odd in some[:PLACES])
        return MappingFinding(kind, rule, self._name, sentence, len(some), examples)


def _without(odds: list[Odd], some: list[Odd]) -> list[Odd]:
    gone = {id(odd) for odd in some}
    return [odd for odd in odds if id(odd) not in gone]


def _exchanged_pairs(odds: list[Odd]) -> list[Odd]:
    """The odd values of which one stands for another and that one for it, several times each: no rule does that."""
    pairs = Counter(
        (str(odd.source), str(odd.value)) for odd in odds if is_telling(odd.value) or _is_word(odd.value)
    )
    both = {
        (one, other)
        for (one, other), count in pairs.items()
        if one != other and min(count, pairs[other, one]) >= _SEVERAL
    }
    return [odd for odd in odds if (str(odd.source), str(odd.value)) in both]


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and len(value) > 1


def _has_blanks(expected: Any, value: Any) -> bool:
    """Whether a text is the other with blanks around it."""
    both = isinstance(expected, str) and isinstance(value, str)
    return both and value != expected and value.strip() == expected


def _is_respelt(expected: Any, value: Any) -> bool:
    """Whether two texts differ in capitals alone."""
    both = isinstance(expected, str) and isinstance(value, str)
    return both and expected != value and expected.casefold() == value.casefold()


def _matters(name: str, origin: Origin, group: Group) -> bool:
    """Whether a loss matters: not where names say that a unit changes, or that only a day is meant."""
    last = name.rpartition(".")[2].rpartition("[]")[2].lower()
    tokens = {token for one in steps(origin.paths[0])[-2:] for token in tokens_of(one)}
    families = set(origin.transform.name.split(", "))
    if "unit" in families and (
        tokens & _UNITS
        or _UNITS & set(tokens_of(last))
        or (likeness(last, origin.paths[0]) < _HALF and not has_its_name(name, origin.paths[0]))
    ):
        return False
    if "time dropped" in families and last.endswith(_DAYS):
        return False
    if (
        families & _ROUNDED
        and set(tokens_of(last)) & _COORDINATES
        and re.search(r"[3-9] places", origin.words)
    ):
        return False  # some metres
    if any(one.startswith("escaped for URLs") for one in families) and last.endswith(_ADDRESSES):
        return False
    return not ({"constant", "zone moved"} & families and not group.examples)


def tokens_of(name: str) -> list[str]:
    """The words of a name, in lower case."""
    made, word = [], ""
    for sign in name:
        if not sign.isalnum() or (sign.isupper() and word[-1:].islower()):
            made.append(word)
            word = ""
        word += sign if sign.isalnum() else ""
    return [one.lower() for one in (*made, word) if one]
