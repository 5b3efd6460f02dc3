"""The content of arrays, record by record: compared with the raw array or the raw fields that it comes from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.mapping import raw_ownership
from explorer.quality.mapping.array_contents import Array, where_of
from explorer.quality.mapping.array_source import RawArrays, slotted_source_of, source_of
from explorer.quality.mapping.assembled_arrays import Layout, crossed, layout_of
from explorer.quality.mapping.choice_fields import ChoiceFields
from explorer.quality.mapping.columns import Columns
from explorer.quality.mapping.field_state import EXAMPLES, SAMPLE, FieldState, Group
from explorer.quality.mapping.field_tracker import FieldTracker
from explorer.quality.mapping.included_parts import Links, links_of
from explorer.quality.mapping.judge import Kind, MappingFinding, mapping_findings
from explorer.quality.mapping.learn import is_called
from explorer.quality.mapping.marked_items import MarkedItems
from explorer.quality.mapping.name_match import (
    has_its_name,
    has_its_name_and_more,
    is_part_of,
    words_of_name,
    words_of_path,
)
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.record_batch import Pair, RecordBatch, Seen
from explorer.quality.mapping.sample import FEWEST, OFTEN
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import containers, leaves, within

_FEW, _USUAL = 0.2, 0.75
"""The share of items whose raw data may be missing by mistake; where more have none, the third party gives none."""
_KINDS: dict[str, Kind] = {"missing": "kept", "another source": "same"}


class Nested:
    """The arrays of the records of one list."""

    def __init__(self, raw: str, inner: Mapping[str, Mapping[str, Collection[str]]] | None = None) -> None:
        """``inner`` are the fields that the contract has for the entries of each array, where it says so, each with the
        words that it is known to have.
        """
        self._raw, self._declared = raw, inner or {}
        self._first: list[tuple[Mapping[str, Any], frozenset[str], Seen]] | None = []
        self._arrays: dict[str, Array] = {}
        self._inner: dict[str, _Inner] = {}
        self._layouts: dict[str, Layout] = {}
        self._empty: dict[str, _Empty] = {}
        self._own: dict[str, _Own] = {}
        self._flat: dict[str, FieldTracker] = {}
        self._columns: dict[str, Columns] = {}
        self._marked: dict[str, MarkedItems] = {}
        self._doubled: dict[str, Group] = {}
        self._shown: dict[str, list[Example]] = {}
        """The first records with entries, by array."""
        self._links: Links | None = None

    def look(self, record: Mapping[str, Any], flagged: frozenset[str], seen: Seen) -> None:
        """Looks at one more record with raw data."""
        if self._first is None:
            self._hold(self._followed(record), flagged, seen)
            return
        self._first.append((record, flagged, seen))
        if len(self._first) >= SAMPLE:
            self._settle()

    def look_all(self, many: RecordBatch, flagged: frozenset[str]) -> None:
        """Looks at several more."""
        if self._first is not None:
            for record, seen in many:
                self.look(record, flagged, seen)
            return
        if self._links is not None:
            many = RecordBatch(many.records, list(map(self._links.followed, many.raws)), many.seen, self._raw)
        for name, array in self._arrays.items():
            if name not in flagged:
                self._hold_all(name, array, many)
        for name, layout in self._layouts.items():
            if name not in flagged:
                values = many.column(name).values
                laid = [layout.flattened(name, value or None, self._raw) for value in values]
                found = RecordBatch(laid, many.raws, many.seen, self._raw)
                self._flat[name].look_all(found)
                self._columns[name].look_all(found)
                for value, seen in zip(values, many.seen, strict=True):
                    if layout.has_double(value or None):
                        self._doubled[name].see(seen, value)
        for name, empty in self._empty.items():
            for record, seen in many:
                empty.look(name, record, seen)
        for name, own_raw in self._own.items():
            if name not in flagged:
                own_raw.look_all(many.column(name).values, many.seen)

    def _hold_all(self, name: str, array: Array, many: RecordBatch) -> None:
        found: list[Pair] = []
        for value, raw, seen in zip(many.column(name).values, many.raws, many.seen, strict=True):
            pairs = array.look(value, raw, seen)
            self._marked[name].look(pairs, seen)
            found += [(item, its, seen) for item, its in pairs]
        if found:
            self._inner_of(name, array).look_all(found)

    def _inner_of(self, name: str, array: Array) -> _Inner:
        if name not in self._inner:
            self._inner[name] = _Inner(name, self._raw, f"{array.where}[]", self._declared.get(name, {}))
        return self._inner[name]

    def ended(self) -> None:
        """Ends the records."""
        self._settle()
        for flat in self._flat.values():
            flat.ended()
        for inner in self._inner.values():
            inner.tracker.ended()
        for own_raw in self._own.values():
            own_raw.arrays.ended()

    def states(self, trackers: Mapping[str, FieldTracker]) -> Mapping[str, Mapping[str, FieldState]]:
        """What is known of the fields of each array's items; ``trackers`` as in `findings`."""
        own = {name: inner.tracker.states for name, inner in self._inner.items()}
        return own | {name: tracker.states for name, tracker in trackers.items()}

    def findings(
        self, trackers: Mapping[str, FieldTracker] = MappingProxyType({})
    ) -> Iterator[MappingFinding]:
        """The findings on all arrays; ``trackers`` compare the items that have raw data of their own."""
        for name, own_raw in self._own.items():
            if name in trackers:
                yield from own_raw.findings(trackers[name].states)
        for name, array in self._arrays.items():
            for one in array.faults():
                kind: Kind = _KINDS.get(one.rule, "alike")
                group = one.group
                what = f"{name} {one.words}"
                yield MappingFinding(kind, one.rule, name, what, group.count, tuple(group.examples))
        yield from self._exchanged()
        yield from self._same()
        for name, inner in self._inner.items():
            said = [*inner.findings()]
            told = {one.field for one in said}
            yield from said
            yield from (one for one in self._marked[name].findings() if one.field not in told)
        for name, flat in self._flat.items():
            shown = tuple(self._shown[name])
            said = [*mapping_findings(flat)]
            said += [*crossed(flat), *(replace(one, examples=shown) for one in self._moved(flat))]
            sure = {one.field for one in said if one.kind != "kept"}
            named = list(self._columns[name].findings(flat.states, sure))
            wrong = {one.field for one in named}
            yield from (one for one in said if one.field not in wrong)
            yield from named
            for whose, group in flat.others.items():
                what = f"{name} is empty or another record's in {group.count:,} of {flat.count:,} records"
                yield MappingFinding("alike", whose, name, what, group.count, tuple(group.examples))
            double = self._doubled[name]
            if double.count and double.count <= max(1, 0.03 * flat.count):
                what = f"{name} has two entries of one kind in {double.count:,} of {flat.count:,} records"
                yield MappingFinding("alike", "twice", name, what, double.count, tuple(double.examples))
        taken = {array.source.path for array in self._arrays.values()}
        for name, empty in self._empty.items():
            yield from empty.findings(name, taken)

    def _exchanged(self) -> Iterator[MappingFinding]:
        """Arrays with another name than their raw array, while another array uses the raw one with their name."""
        for name, array in self._arrays.items():
            wanted = words_of_name(name)
            if array.source.moved or array.other.count or wanted & words_of_path(array.source.path):
                continue
            for other, its in self._arrays.items():
                there = words_of_path(its.source.path)
                if (
                    other != name
                    and not its.source.moved
                    and there <= wanted
                    and not there & words_of_name(other)
                ):
                    what = f"{name} comes from {array.where}, although {other} comes from {its.where}"
                    shown = tuple(array.first)
                    yield MappingFinding("same", "exchanged", name, what, array.filled, shown)

    def _same(self) -> Iterator[MappingFinding]:
        """Arrays that have all items of a raw array with another array's name, from which that one comes as well."""
        for name, array in self._arrays.items():
            path = array.source.path
            for other, its in self._arrays.items():
                both = path == its.source.path and array.chosen is None and its.chosen is None
                if both and has_its_name(other, path) and not words_of_name(name) & words_of_path(path):
                    what = f"{name} comes from {array.where}, as {other} does, whose name that has"
                    yield MappingFinding("same", "exchanged", name, what, array.filled, tuple(array.first))
                    break

    def _moved(self, flat: FieldTracker) -> Iterator[MappingFinding]:
        states = flat.states
        unknown = [name for name, state in states.items() if state.filled and state.origin is None]
        moved = raw_ownership.moved_fields(flat.learned_from, self._raw, unknown)
        for name, whose in moved.items():
            what = f"{name} is the value of the record {whose} it in all {states[name].filled:,} records"
            yield MappingFinding("alike", f"record {whose}", name, what, states[name].filled, ())

    def _settle(self) -> None:
        if self._first is None:
            return
        first, self._first = self._first, None
        self._links = links_of([record[self._raw] for record, _, _ in first])
        first = [(self._followed(record), flagged, seen) for record, flagged, seen in first]
        names = dict.fromkeys(
            name
            for record, _, _ in first
            for name, value in record.items()
            if name != self._raw and isinstance(value, list)
        )
        arrays = RawArrays(record[self._raw] for record, _, _ in first) if names else None
        for name in names:
            sound = [record for record, flagged, _ in first if name not in flagged]
            if any(_has_own(item, self._raw) for record in sound for item in record.get(name) or ()):
                self._own[name] = _Own(name, self._raw)
            known = arrays if len(sound) == len(first) else None
            source = source_of(sound, name, self._raw, known) or slotted_source_of(sound, name, self._raw)
            if source is None and (fewer := _without_longest(sound, name)):
                source = source_of(fewer, name, self._raw)
            layout = layout_of(sound, name) if source is None or source.is_partial else None
            if source is not None and not (layout is not None and layout.kind):
                where = " and ".join(where_of(self._raw, path) for path in source.paths)
                array = Array(name, source, self._raw, where, tuple(names))
                array.choose((record.get(name), record[self._raw]) for record in sound)
                self._arrays[name] = array
                self._marked[name] = MarkedItems(name, array.where)
                continue
            if layout is not None:
                self._layouts[name] = layout
                self._flat[name], self._doubled[name] = FieldTracker(self._raw), Group()
                self._columns[name] = Columns(self._raw, (name,))
                filled = [(record[name], seen) for record, _, seen in first if not is_empty(record.get(name))]
                self._shown[name] = [seen(value) for value, seen in filled[:EXAMPLES]]
            if all(is_empty(record.get(name)) for record in sound):
                self._empty[name] = _Empty(self._raw, self._declared.get(name, ()))
        for one in first:
            self._hold(*one)

    def _followed(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """A record in whose raw data references are replaced by the parts they refer to."""
        if self._links is None:
            return record
        return {**record, self._raw: self._links.followed(record[self._raw])}

    def _hold(self, record: Mapping[str, Any], flagged: frozenset[str], seen: Seen) -> None:
        raw = record[self._raw]
        for name, array in self._arrays.items():
            if name in flagged:
                continue
            value = record.get(name)
            pairs = array.look(value, raw, seen)
            self._marked[name].look(pairs, seen)
            for item, its in pairs:
                self._inner_of(name, array).look(item, its, seen)
        for name, layout in self._layouts.items():
            if name not in flagged:
                laid = layout.flattened(name, record.get(name), self._raw)
                self._flat[name].look({**laid, self._raw: raw}, frozenset(), seen)
                self._columns[name].look({**laid, self._raw: raw}, seen)
                if layout.has_double(record.get(name)):
                    self._doubled[name].see(seen, record.get(name))
        for name, empty in self._empty.items():
            empty.look(name, record, seen)
        for name, own_raw in self._own.items():
            if name not in flagged:
                own_raw.look_all((record.get(name),), (seen,))


def _has_own(item: Any, raw: str) -> bool:
    return isinstance(item, dict) and isinstance(item.get(raw), dict) and bool(item[raw])


class _Own:
    """The items of one array that have raw data of their own: in each the fields by name, and the arrays."""

    def __init__(self, name: str, raw: str) -> None:
        self._prefix, self._raw = f"{name}[].", raw
        self._columns = Columns(raw, (), name, f"{self._prefix}{raw}")
        self.arrays = Nested(raw)
        self._count, self._empty = 0, Group()
        """The items, and the records of those whose raw data is empty."""

    def look_all(self, values: Sequence[Any], seen: Sequence[Seen]) -> None:
        """Looks at the items of several records."""
        for value, its in zip(values, seen, strict=True):
            for item in value if isinstance(value, list) else ():
                self._count += 1
                if _has_own(item, self._raw):
                    self._columns.look(item, its)
                    self.arrays.look(item, frozenset(), its)
                elif isinstance(item, dict) and self._raw in item:
                    self._empty.see(its, item[self._raw])

    def findings(self, states: Mapping[str, FieldState]) -> Iterator[MappingFinding]:
        """The findings on the items."""
        found = list(self._columns.findings(states, ()))
        if 0 < self._empty.count <= _FEW * self._count:
            what = f"{self._prefix}{self._raw} is empty in {self._empty.count:,} of {self._count:,} items"
            field = f"{self._prefix}{self._raw}"
            found.append(
                MappingFinding("kept", "empty", field, what, self._empty.count, tuple(self._empty.examples))
            )
        told = {one.field for one in found}
        for one in self.arrays.findings():
            name = f"{self._prefix}{one.field}"
            if name not in told:
                sentence = f"{self._prefix}{one.sentence.replace(self._raw, f'{self._prefix}{self._raw}')}"
                found.append(replace(one, field=name, sentence=sentence))
        yield from found


class _Inner:
    """The items of one array, each with the raw item that it belongs to."""

    def __init__(
        self, name: str, raw: str, where: str, choices: Mapping[str, Collection[str]] = MappingProxyType({})
    ) -> None:
        self.tracker = FieldTracker(raw, f"{name}[].", where)
        self._choices = ChoiceFields(raw, choices, f"{name}[].", where)
        self._raw = raw
        self._called: dict[str, list[int]] = {}
        self._examples: dict[str, list[Example]] = {}
        self._paths: dict[str, str] = {}
        self._names: set[str] = set()
        self._columns = Columns(raw, (), name, where)
        self._lists: set[str] = set()
        """The fields for which the raw item has an array of the same name."""

    def look(self, item: Mapping[str, Any], its: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more pair."""
        fields = self._named(item, its, seen)
        self.tracker.look({**fields, self._raw: its}, frozenset(), seen)
        self._columns.look({**fields, self._raw: its}, seen)
        self._choices.look({**fields, self._raw: its}, seen)

    def look_all(self, pairs: Sequence[Pair]) -> None:
        """Looks at several pairs more."""
        fields = [(self._named(*pair), *pair[1:]) for pair in pairs]
        many = RecordBatch.of_pairs(fields, self._raw)
        self.tracker.look_all(many)
        self._columns.look_all(many)
        self._choices.look_all(many)

    def _named(self, item: Mapping[str, Any], its: Mapping[str, Any], seen: Seen) -> dict[str, Any]:
        """Compares an item's fields with those of the same name in the raw item; returns the item without raw data."""
        fields = {name: value for name, value in item.items() if name != self._raw}
        self._names.update(fields)
        for name, there in its.items():
            # The value under exactly the same name.
            if is_empty(there) or isinstance(there, dict):
                continue
            counts = self._called.setdefault(name, [0, 0, 0])
            if isinstance(there, list):
                self._lists.add(name)
            value = item.get(name)
            counts[0] += 1
            counts[1] += is_empty(value)
            counts[2] += not is_empty(value) and _is_same(value, there)
            if len(self._examples.setdefault(name, [])) < 5 and not _is_same(value, there):
                self._examples[name].append(seen(value))
        return fields

    def findings(self) -> Iterator[MappingFinding]:
        """The findings on the items, each field once."""
        said = [*mapping_findings(self.tracker), *self._by_name()]
        said += self._columns.findings(self.tracker.states, {one.field for one in said})
        yield from said
        told = {one.field for one in said}
        yield from (one for one in self._choices.findings() if one.field not in told)

    def _by_name(self) -> Iterator[MappingFinding]:
        """Inner fields that nothing explains though the raw item has one with the same name, or that are swapped."""
        prefix, where = self.tracker.prefix, self.tracker.where
        for name, (count, lost, same) in self._called.items():
            state = self.tracker.states.get(name)
            if count < FEWEST or state is None:
                continue
            examples = tuple(self._examples.get(name, ()))
            if not state.filled and lost == count:
                what = f"{prefix}{name} is empty in all {count:,} items where {where}.{name} has a value"
                yield MappingFinding("kept", "never", f"{prefix}{name}", what, count, examples)
            elif (
                state.filled
                and state.origin is None
                and same <= (OFTEN if name in self._lists else 0.5) * count
            ):
                what = f"{prefix}{name} is not what {where}.{name} gives, and nothing else explains it"
                yield MappingFinding("alike", "unexplained", f"{prefix}{name}", what, count - same, examples)
            elif state.origin is not None and same <= 0.5 * (count - lost):
                other = state.origin.paths[0].lstrip("/")
                if other != name and other in self._names and other in self._called:
                    what = f"{prefix}{name} comes from {where}.{other}, which is not {where}.{name}"
                    yield MappingFinding("same", "exchanged", f"{prefix}{name}", what, count - same, examples)


def _is_same(value: Any, there: Any) -> bool:
    if isinstance(there, list):
        return isinstance(value, list) and sorted(map(str, value)) == sorted(map(str, there))
    return str(value).strip().casefold() == str(there).strip().casefold()


class _Empty:
    """An array that is always empty."""

    def __init__(self, raw: str, inner: Collection[str]) -> None:
        self._raw, self._inner = raw, inner
        self._group: dict[str, Group] = {}
        self._parts: dict[str, set[str]] = {}
        """Raw paths by the inner field that they could be a source of."""
        self._part = Group()
        self._is_filled = False

    def look(self, name: str, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record."""
        if not is_empty(record.get(name)):
            self._is_filled = True
            return
        for path, box in containers(record[self._raw]).items():
            if not path or next(within(box), None) is None:
                continue
            fuller = isinstance(box, list) and has_its_name_and_more(name, path)
            if fuller or has_its_name(name, path) or is_called(name, path):
                self._group.setdefault(path, Group()).see(seen, record.get(name))
        self._look_for_parts(name, record, seen)

    def _look_for_parts(self, name: str, record: Mapping[str, Any], seen: Seen) -> None:
        found = False
        for path, value in leaves(record[self._raw]).items() if self._inner else ():
            if not isinstance(value, str) or not value.strip():
                continue
            for inner in self._inner:
                if is_part_of(name, inner, path):
                    self._parts.setdefault(inner, set()).add(path)
                    found = True
        if found:
            self._part.see(seen, record.get(name))

    def findings(self, name: str, taken: Collection[str]) -> Iterator[MappingFinding]:
        """The raw array of the same name with entries; one ``taken`` by another field counts only by its words."""
        found = {
            path: group
            for path, group in self._group.items()
            if path not in taken or has_its_name(name, path)
        }
        best = max(found.items(), key=lambda one: one[1].count, default=None)
        if self._is_filled:
            return
        if best is None or best[1].count < FEWEST:
            yield from self._of_parts(name)
            return
        path, group = best
        what = f"{name} is empty in all records, {where_of(self._raw, path)} is filled in {group.count:,}"
        yield MappingFinding("kept", "never", name, what, group.count, tuple(group.examples))

    def _of_parts(self, name: str) -> Iterator[MappingFinding]:
        """The plain raw values of which its entries could be made: several for an address, one for a number."""
        if self._part.count < FEWEST or len(self._parts) < min(3, (len(self._inner) + 1) // 2):
            return
        paths = sorted({path for some in self._parts.values() for path in some})[:3]
        there = " and ".join(f"{self._raw}{spoken(path)}" for path in paths)
        what = f"{name} is empty in all records, and {there} are filled in {self._part.count:,}"
        yield MappingFinding("kept", "never", name, what, self._part.count, tuple(self._part.examples))


def _without_longest(records: Sequence[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    """Some records without those whose arrays have the most items, which may hold what others left behind.

    Empty where no few of them are longer than the rest.
    """
    lengths = sorted(len(one[name]) for one in records if isinstance(one.get(name), list) and one[name])
    most = lengths[int(_USUAL * len(lengths))] if lengths else 0
    kept = [one for one in records if not isinstance(one.get(name), list) or len(one[name]) <= most]
    return kept if len(kept) < len(records) else []
