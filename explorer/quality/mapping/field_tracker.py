"""Compares every record with how its fields are made: what that explains, what not, and what the rest have in common.

How each field is made is learned from the first records. Every record is then compared as it arrives, and where a field
has another value the record is examined: its neighbours' values, its other raw values. A bounded number of unexplained
records is kept and learned from again, so that a field may be made in two ways. Memory does not grow with the rows.
Items of arrays are compared in the same way with the raw items that they come from.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.engine.finding_collector import PLACES
from explorer.quality.mapping.field_state import EXAMPLES, SAMPLE, FieldState, Group, Odd, flat, short
from explorer.quality.mapping.joined_texts import joined_of
from explorer.quality.mapping.learn import (
    MOSTLY,
    TRUTH_WORDS,
    as_loss,
    copied,
    is_part,
    learned,
    leaves_to_others,
    mostly,
    prevailing,
    without_number,
)
from explorer.quality.mapping.normal_forms import agreement, forms, is_telling
from explorer.quality.mapping.origin import Origin, is_empty, is_less, loses_by, reader
from explorer.quality.mapping.record_batch import Pair, RecordBatch, Rule, Seen, sums
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import BOXES, leaves, without_index
from explorer.quality.values.transforms import SAME, fitted

AGAIN = (300, 600, 1_200)
"""After these numbers of records a field of unknown source is learned again, from the latest records."""
_KEPT = 40
"""The records without an explanation that are kept of one field to learn from."""
_ENOUGH = 30
"""The kept records from which on a second way is searched for."""
_RECORDS = 60
"""A quarter of the records that are kept of all fields together."""
_FRESH = 60
"""The records before a new learning that are kept for it."""
_AGREEING = 200
"""Up to this many values that agree with their source in another form are tested for a loss."""
_ALL_BUT = 0.7
"""The share of records that a second way has to explain."""
_SEVERAL = 3
"""The fewest fields, or records, that tell something together."""
_WORDS = 20
"""The different values up to which a field has words, of which none is a longer form of another."""
_PATHS = 4
"""The most raw paths that are kept for one value that is not its source's."""
_ALONE = 2
"""Records that are looked at one by one without another halving."""


@dataclass(slots=True)
class _Waiting:
    """An odd value that may turn out to be the next record's."""

    state: FieldState
    odd: Odd
    kind: str
    record: Mapping[str, Any]


class FieldTracker:
    """Compares the records of one list, or the items of one array in all of them, with how their fields are made."""

    def __init__(self, raw: str, prefix: str = "", where: str = "", base: str = "") -> None:
        """``raw`` is the field that holds the third party's record; ``prefix`` precedes the fields' names.

        ``where`` is the place of the raw record in words, ``base`` the pointer to it from the outermost one.
        """
        self.raw, self.prefix, self.where, self._base = raw, prefix, where or raw, base
        self.states: dict[str, FieldState] = {}
        self.inner: dict[str, FieldTracker] = {}
        self.count = 0
        self.others: dict[str, Group] = {}
        """Records that have another record's raw data, by whose it seems to be."""
        self.learned_from: list[Mapping[str, Any]] = []
        """The records of the first sample, until they are judged."""
        self._first: list[tuple[Mapping[str, Any], frozenset[str], Seen]] | None = []
        self._fresh: list[Mapping[str, Any]] = []
        self._before: Mapping[str, Any] | None = None
        self._last: dict[str, Any] = {}
        """The last value that each field had."""
        self._waiting: list[_Waiting] = []
        self._stored = 0

    def look(self, record: Mapping[str, Any], flagged: frozenset[str], seen: Seen) -> set[str]:
        """Looks at one more record with raw data; returns the fields that are lost in it."""
        if self._first is None:
            return self._hold(record, flagged, seen)
        self._first.append((record, flagged, seen))
        if len(self._first) >= SAMPLE:
            self.settle()
        return set()

    def look_all(self, many: RecordBatch, flagged: frozenset[str] = frozenset()) -> None:
        """Looks at several records: together where all is as known, else halved until each is looked at alone."""
        if len(many) <= _ALONE:
            for record, seen in many:
                self.look(record, flagged, seen)
        elif not self.passes(many, flagged):
            for half in many.halves():
                self.look_all(half, flagged)

    def passes(self, many: RecordBatch, flagged: frozenset[str]) -> bool:
        """Counts several records in which every value is as known; returns False and counts nothing for others."""
        count = self.count + len(many)
        if self._first is not None or any(at - _FRESH < count and self.count < at for at in AGAIN):
            return False
        rules = {name: self._rule(state) for name, state in self.states.items()}
        made = sums(many, rules, flagged)
        if made is None:
            return False
        if self._waiting:
            self._flush({self.raw: many.raws[0]})
        self.count = count
        for name, one in made.items():
            state = self.states[name]
            state.filled += one.filled
            state.explained += one.explained
            state.empty += one.empty
            state.flagged += one.flagged
            state.agreeing += one.agreeing
            state.differs.count += one.differs
            for value, seen in one.defaulted:
                state.defaulted.see(seen, value)
                state.default_values = state.default_values or [value]
            if one.filled and len(state.first) < EXAMPLES:
                self._first_of(state, many)
            if one.filled and "." not in name and list in many.column(name).types:
                self._all_items(state, many, flagged)
        self._before = {**many.records[-1], self.raw: many.raws[-1]}
        self._last.update(self._last_of(many))
        return True

    def _last_of(self, many: RecordBatch) -> Iterator[tuple[str, Any]]:
        """The last value of each field in several records."""
        for name in self.states:
            outer, _, inner = name.partition(".")
            for one in reversed(many.column(outer).values):
                value = one.get(inner) if inner and type(one) is dict else one
                if not (value is None or value is ABSENT or value == "" or value == []):
                    yield name, value
                    break

    def _first_of(self, state: FieldState, many: RecordBatch) -> None:
        """Remembers the first records in which a field has a value, where they are among these."""
        for record, seen in many:
            value = dict(flat(record, self.raw)).get(state.name)
            if not (value is None or value == "" or value == []) and len(state.first) < EXAMPLES:
                state.first.append(seen(value))

    def _rule(self, state: FieldState) -> Rule:
        origin, kept = state.origin, len(state.kept) >= _KEPT
        kept = kept and (len(state.records) >= _KEPT or self._stored >= _RECORDS * 4)
        may_differ = kept and len(state.differs.examples) >= EXAMPLES and not state.is_strong
        guessed = origin is not None and origin.how in GUESSED and not state.is_always_there
        return Rule(origin, state.second, state.agreeing >= _AGREEING, guessed, may_differ)

    def settle(self) -> None:
        """Learns the origins from the first records, then compares these records with them too."""
        if self._first is None:
            return
        first, self._first = self._first, None
        sound = [
            {name: value for name, value in flat(record, self.raw) if name.partition(".")[0] not in flagged}
            for record, flagged, _ in first
        ]
        self._learn(sound)
        self.learned_from = [record for record, _, _ in first]
        for record, flagged, seen in first:
            self._hold(record, flagged, seen)

    def ended(self) -> None:
        """Ends the records: counts values that wait for the next one, and learns from those that are left."""
        self.settle()
        self._flush(None)
        for state in self.states.values():
            self._second(state, at_least=_SEVERAL)
        for inner in self.inner.values():
            inner.ended()

    @property
    def is_below(self) -> bool:
        """Whether its raw records lie within the outermost one."""
        return bool(self._base)

    def whole(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Makes paths start at the outermost raw record."""
        return tuple(self._base + path for path in paths) if self._base else paths

    def all_states(self) -> Iterator[tuple[str, FieldState, FieldTracker]]:
        """Every field with its full name and the object that tracks it, those within arrays after their own."""
        for state in self.states.values():
            yield self.prefix + state.name, state, self
            if state.name in self.inner:
                yield from self.inner[state.name].all_states()

    def _learn(self, records: list[dict[str, Any]], only: frozenset[str] = frozenset()) -> None:
        made = learned(records, self.raw, only)
        for name in dict.fromkeys(name for record in records for name in record if name != self.raw):
            if only and name not in only:
                continue
            state = self.states.setdefault(name, FieldState(name))
            origin = made.origins.get(name, state.origin)
            if origin is None:
                is_found = name in made.found
                parts = is_found and made.found[name].how == "parts"
                origin = joined_of(records, name, self.raw) if parts or not is_found else None
                origin = origin or prevailing(records, name, self.raw)
                if origin is None and not is_found:
                    origin = mostly(records, name, self.raw)
            if origin is not None and origin.transform.name == "table":
                origin = copied(origin, records, name, self.raw) or origin
            state.made_by(origin)
            state.sampled = sum(not is_empty(record.get(name)) for record in records)
            if state.origin is not None:
                state.without = without_number(state.origin, records, name, self.raw)
            state.found = made.found.get(name, state.found)

    def _hold(self, record: Mapping[str, Any], flagged: frozenset[str], seen: Seen) -> set[str]:
        raw = record[self.raw]
        self.count += 1
        if self._waiting:
            self._flush(record)
        odd: list[tuple[FieldState, Any, str]] = []
        strong, there, filled = 0, set(), dict[str, Any]()
        for name, value in flat(record, self.raw):
            if name == self.raw:
                continue
            if value is not None:
                there.add(name)
            state = self.states.get(name)
            if state is None:
                state = self.states[name] = FieldState(name)
            if type(value) is list and value and type(value[0]) is dict:
                self._items(state, value, record, flagged, seen)
            if value is None or value == "" or value == []:
                continue
            state.filled += 1
            filled[name] = value
            if len(state.first) < EXAMPLES:
                state.first.append(seen(value))
            origin = state.origin
            if origin is None:
                continue
            strong += state.is_strong
            if origin.explains(value, raw):
                state.explained += 1
                if "default" in origin.transform.name and is_empty(origin.read(raw)):
                    state.defaulted.see(seen, value)
                    state.default_values = state.default_values or [value]
                if loses_by(origin, name) and is_less(origin, raw, value, name):
                    state.lost.see(seen, value, _shown_pair(origin.read(raw), value))
            elif name.partition(".")[0] in flagged:
                state.flagged += 1
            elif state.second is not None and state.second.explains(value, raw):
                state.by_second += 1
                if (beside := state.way(raw)) is not state:
                    beside.filled += 1
                    beside.explained += 1
                if not is_empty(origin.read(raw)):
                    state.second_odd.see(seen, value, _shown_pair(origin.make(raw), value))
                else:
                    state.fallback.see(seen, value)
                if loses_by(state.second, name) and is_less(state.second, raw, value, name):
                    state.second_lost.see(seen, value, _shown_pair(state.second.read(raw), value))
            else:
                odd.append((state, value, name))
        lost = self._lost(record, raw, flagged, there)
        if odd or lost:
            self._judge_record(record, seen, odd, lost, strong)
        self._before = record
        self._last.update(filled)
        if self.count <= AGAIN[-1]:
            self._later(record, flagged)
        return set(lost)

    def _judge_record(
        self,
        record: Mapping[str, Any],
        seen: Seen,
        odd: list[tuple[FieldState, Any, str]],
        lost: Mapping[str, str],
        strong: int,
    ) -> None:
        """Judges a record that is not fully explained: either some of its fields, or its raw data as a whole."""
        wrong = sum(state.is_strong for state, _, _ in odd) + sum(
            self.states[name].is_strong for name in lost
        )
        own = self.states.get("id")
        is_its = own is not None and own.is_strong and all(state is not own for state, _, _ in odd)
        if wrong >= _SEVERAL and wrong >= _ALL_BUT * (strong + len(lost)) and not (is_its and "id" in record):
            self._another(record, seen, [(state, value) for state, value, _ in odd])
        else:
            for state, value, _ in odd:
                self._look_closer(state, value, record, seen)
            for name, how in lost.items():
                state = self.states[name]
                state.missing.setdefault(how, Group()).see(_empty(seen, how), None)

    def _lost(
        self, record: Mapping[str, Any], raw: Any, flagged: frozenset[str], present: set[str]
    ) -> dict[str, str]:
        """The fields that are empty though their source is not, each with how."""
        lost: dict[str, str] = {}
        for name, state in self.states.items():
            origin = state.origin
            if origin is None or name in present:
                continue
            outer, _, inner = name.partition(".")
            if inner and record.get(outer) is not None and not isinstance(record[outer], dict):
                continue
            if origin.gives_nothing(origin.read(raw)) or (state.without and state.without in raw):
                state.empty += 1
            elif origin.how not in GUESSED or (state.is_always_there and isinstance(record.get(outer), dict)):
                state.lost_and_told += outer in flagged
                lost[name] = "null" if record.get(outer, "") is None or inner else "absent"
        return lost

    def _another(self, record: Mapping[str, Any], seen: Seen, odd: list[tuple[FieldState, Any]]) -> None:
        """Counts a record of which almost nothing comes from its raw data."""
        raw = record[self.raw]
        whose = "empty" if is_empty(raw) else "another record's"
        if whose != "empty" and self._before is not None:
            its = self._before[self.raw]
            if sum(s.origin is not None and s.origin.explains(v, its) for s, v in odd) >= 0.5 * len(odd) > 0:
                whose = "that of the record behind it"  # the next record then has this one's
            elif self._before[self.raw] == raw:
                whose = "that of the record before it"
        shown = next((value for key in ("id", "name") for s, value in odd if s.name == key), None)
        self.others.setdefault(whose, Group()).see(seen, shown)

    def _look_closer(self, state: FieldState, value: Any, record: Mapping[str, Any], seen: Seen) -> None:
        """Examines one unexplained value: a neighbour's, another raw path's, or one without a source."""
        raw, first = record[self.raw], state
        state = state.way(raw)
        state.filled += state is not first
        origin = state.origin
        if origin is None:
            return
        source = origin.read(raw)
        odd = Odd(source, value, seen(value))
        kind = "differs"
        if is_empty(source) or is_empty(origin.make(raw)):
            kind = "extra"
            state.left += self._last.get(state.name) == value
        elif _has_more(value, source, are_words=origin.distinct <= _WORDS):
            self._count(state, odd, kind)
            return
        elif agreement(forms(value), forms(source)) and not _is_truth_for(source, value, origin):
            state.agreeing += 1
            if (
                type(value) is str
                and type(source) is str
                and value != source
                and value.casefold() == source.casefold()
            ):
                state.respelt.add(odd.example)
                state.spelt += [(source, value)] if len(state.spelt) < _KEPT else []
            if state.agreeing > _AGREEING or not _loses(origin.make(raw), value):
                state.explained += 1
                return
            self._count(state, odd, kind, record)
            return
        if is_telling(value) and not isinstance(value, BOXES):
            paths = _elsewhere(value, raw, origin)
            if paths and kind != "extra":
                state.other.setdefault(paths, Group()).add(odd.example)
                return
            if (
                state.is_unique
                and self._before is not None
                and origin.explains(value, self._before[self.raw])
            ):
                state.before.add(odd.example)
                return
            if state.is_unique:
                self._waiting.append(_Waiting(state, odd, kind, record))
                return
        before = self._before[self.raw] if self._before is not None else None
        state.of_before += kind == "differs" and before is not None and origin.explains(value, before)
        self._count(state, odd, kind, record)

    def _flush(self, following: Mapping[str, Any] | None) -> None:
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            origin = one.state.origin
            if (
                following is not None
                and origin is not None
                and origin.explains(one.odd.value, following[self.raw])
            ):
                one.state.after.add(one.odd.example)
            else:
                self._count(one.state, one.odd, one.kind, one.record)

    def _count(self, state: FieldState, odd: Odd, kind: str, record: Mapping[str, Any] | None = None) -> None:
        """Counts an unexplained value; ``record`` where it may be made in another way that can be learned."""
        group = state.extra if kind == "extra" else state.differs
        group.add(odd.example)
        if len(state.kept) < PLACES:
            state.kept.append(odd)
        if record is not None:
            self._keep(state, odd, kind, record)

    def _keep(self, state: FieldState, odd: Odd, kind: str, record: Mapping[str, Any]) -> None:
        """Keeps a record to learn from, and learns as soon as there are enough."""
        if len(state.records) < _KEPT and self._stored < _RECORDS * 4:
            self._stored += 1
            state.records.append({**record, state.name: odd.value})
            state.odds.append((state.extra if kind == "extra" else state.differs, odd))
        if len(state.records) >= _ENOUGH and not state.tried:
            self._second(state, at_least=_ENOUGH)

    def _second(self, state: FieldState, at_least: int) -> None:
        """Learns how the unexplained values are made; those counted so far are counted anew."""
        if state.second is not None or len(state.records) < max(at_least, state.tried + 1):
            return
        state.tried = len(state.records)
        second = learned(state.records, self.raw, frozenset((state.name,))).origins.get(state.name)
        if second is None or second.support < _ALL_BUT:
            return
        first, name = state.origin, state.name
        whole = first is not None and first.transform is SAME and first.paths[0] == second.paths[0]
        if whole and is_part(second, name) and not leaves_to_others(second, state.records, name, self.raw):
            second = as_loss(second)
        state.second = second
        if second.how not in GUESSED:
            state.beside = FieldState(name)
            state.beside.made_by(second)
        self._stored -= len(state.records)
        records, odds, state.records, state.odds = state.records, state.odds, [], []
        for record, (group, odd) in zip(records, odds, strict=True):
            self._sort_again(state, second, record, group, odd)

    def _sort_again(
        self, state: FieldState, second: Origin, record: Mapping[str, Any], group: Group, odd: Odd
    ) -> None:
        """Counts an odd value where it belongs now that a second way is known."""
        raw, beside = record[self.raw], state.way(record[self.raw])
        covered = second.explains(odd.value, raw)
        if not covered and beside is state:
            return
        group.take(odd.example)
        state.kept = [one for one in state.kept if one is not odd]
        if covered:
            state.by_second += 1
            (state.second_odd if group is state.differs else state.fallback).add(odd.example)
            if len(state.second_of) < _SEVERAL:
                state.second_of.append(record)
            if loses_by(second, state.name) and is_less(second, raw, odd.value, state.name):
                state.second_lost.add(odd.example, _shown_pair(second.read(raw), odd.value))
        if beside is not state:
            beside.filled += 1
            beside.explained += covered
            if not covered:
                self._count(beside, Odd(second.read(raw), odd.value, odd.example), "differs")

    def _later(self, record: Mapping[str, Any], flagged: frozenset[str]) -> None:
        """Learns fields of unknown source again from later records, a few times."""
        due = next((at for at in AGAIN if self.count <= at), 0)
        if not due or self.count <= due - _FRESH:
            return
        self._fresh.append(record)
        if self.count < due:
            return
        fresh, self._fresh = self._fresh, []
        unknown = frozenset(
            name for name, state in self.states.items() if state.filled and state.origin is None
        )
        unknown -= flagged
        if unknown:
            records = [dict(flat(one, self.raw)) for one in fresh]
            self._learn(records, unknown)

    def _items(
        self,
        state: FieldState,
        items: list[Any],
        record: Mapping[str, Any],
        flagged: frozenset[str],
        seen: Seen,
    ) -> None:
        """Compares the items of an array with their own raw data, or with those of the array they come from."""
        if state.name not in flagged:
            for item, raw in self._pairs(state, items, record[self.raw]):
                self.inner[state.name].look({**item, self.raw: raw}, frozenset(), seen)

    def _all_items(self, state: FieldState, many: RecordBatch, flagged: frozenset[str]) -> None:
        """The same for the arrays of several records."""
        pairs: list[Pair] = []
        for items, raw, seen in zip(many.column(state.name).values, many.raws, many.seen, strict=True):
            if state.name not in flagged and type(items) is list and items and type(items[0]) is dict:
                pairs += [(item, its, seen) for item, its in self._pairs(state, items, raw)]
        if pairs:
            self.inner[state.name].look_all(RecordBatch.of_pairs(pairs, self.raw))

    def _pairs(self, state: FieldState, items: list[Any], raw: Any) -> list[tuple[dict[str, Any], Any]]:
        """The items that are objects, each with the raw item that it comes from."""
        own = all(isinstance(item, dict) and isinstance(item.get(self.raw), dict) for item in items)
        raws = [item[self.raw] for item in items] if own else self._aligned(state, items, raw)
        if raws and state.name not in self.inner:
            self.inner[state.name] = self._inner(state, own=own)
        pairs = zip(items, raws, strict=True) if raws else ()
        return [(item, its) for item, its in pairs if isinstance(item, dict)]

    def _inner(self, state: FieldState, *, own: bool) -> FieldTracker:
        prefix = f"{self.prefix}{state.name}[]."
        array = state.found.paths[0] if state.found is not None and state.found.paths else ""
        where = f"{prefix}{self.raw}" if own else f"{self.where}{spoken(array)}[]"
        return FieldTracker(self.raw, prefix, where, f"{self._base}{array}/*" if array else "")

    def _aligned(self, state: FieldState, items: list[Any], raw: Any) -> list[dict[str, Any]]:
        """The raw items that some items come from, one each; none where their numbers differ."""
        if state.found is None:
            return []
        there = reader(state.found.paths[0])(raw)
        if not isinstance(there, list) or len(there) != len(items):
            return []
        return there if all(isinstance(one, dict) for one in there) else []


def _is_truth_for(source: Any, value: Any, origin: Origin) -> bool:
    """Whether a text is a truth value in words where its source is another word, and others are no truth values."""
    both = isinstance(source, str) and isinstance(value, str) and origin.distinct > len(TRUTH_WORDS)
    return both and value.casefold() in TRUTH_WORDS and source.casefold() not in TRUTH_WORDS


GUESSED = frozenset({"table", "ending", "there", "not there", "opposite", "names", MOSTLY})
"""Conversions that always have a result, so that a field that is empty now and then is not reported."""


def _empty(seen: Seen, how: str) -> Seen:
    """What makes the example of a record in which the field is ``null`` or ``absent``."""
    return lambda value: replace(seen(value), value=how)


def _elsewhere(value: Any, raw: Any, origin: Origin) -> tuple[str, ...]:
    """The other raw paths that hold just this value, or this moment: a few of them."""
    own = {without_index(path) for path in origin.paths}
    moment = next((key for key in forms(value) if key[0] == "date"), None)
    there = (
        path
        for path, one in leaves(raw).items()
        if (one == value or (moment is not None and moment in forms(one))) and without_index(path) not in own
    )
    return tuple(islice(there, _PATHS))


def _has_more(value: Any, source: Any, *, are_words: bool) -> bool:
    """Whether a text is its source with spaces around it or, for a few words, in other letters: no rule does that to
    some of them.
    """
    if type(value) is not str or type(source) is not str or value.strip().lower() != source.lower():
        return False
    return value != value.strip() or (are_words and value != source)


def _loses(expected: Any, value: Any) -> bool:
    return any(one.transform.lossy for one in fitted([(expected, value)], share=1.0))


def _shown_pair(source: Any, value: Any) -> str:
    return f"{short(source)} became {short(value)}"
