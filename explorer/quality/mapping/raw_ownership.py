"""Whose raw data a list's records have: their own, another record's, always the same, or none worth mentioning.

And whether it has the shape of nearly all others, or is flattened, cut, or written as text. A third party may leave out
what is empty. It does not leave out half of what each of its other records has, nor write an object as text in a few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.engine.row import Row
from explorer.quality.mapping.field_state import EXAMPLES, FieldState, Group
from explorer.quality.mapping.learn import learned
from explorer.quality.mapping.name_match import is_id, is_of_another, words_of_path
from explorer.quality.mapping.normal_forms import forms, is_telling
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.record_batch import Seen
from explorer.quality.mapping.sample import OFTEN
from explorer.quality.values.flat import BOXES, leaves

FEWEST = 5
_JUDGED = 3
"""The fewest fields that tell whose raw data it is."""
_KNOWN = 0.34
"""The share of the fields with a source of its own from which on raw data is the record's."""
_MOST_KNOWN = 0.6
"""The share of the fields that another record's raw data has to explain."""
_FIELDS = 3
"""The fewest fields that are found one level deeper."""
_MOST = 60
"""Records that are compared with the raw data of their neighbours."""
_SHAPES = 400
"""The most shapes that are counted."""
_USUAL_OF = 30
"""The fewest records that have a usual shape."""
_USUAL = 0.97
"""The share of records that have what is usual."""
_RARE = 0.1
"""The share of records that may be odd."""
_LACKING = 2
"""The fewest members that an odd record lacks."""
_Shape = tuple[tuple[str, ...], tuple[type, ...]]


@dataclass(slots=True)
class RawSeen:
    """What raw data by itself shows, record by record."""

    empty: Group = field(default_factory=Group)
    same: Group = field(default_factory=Group)
    unified: Group = field(default_factory=Group)
    count: int = 0
    first: list[Example] = field(default_factory=list)
    """The first records."""
    _raw: Any = None

    def look(self, record: Mapping[str, Any], raw: str, row: Row) -> None:
        """Looks at one more record."""
        self.count += 1
        its = record[raw]
        if self.count == 1:
            self._raw = its
        if self.count <= EXAMPLES:
            self.first.append(row.example(row.id))
        if not its:
            self.empty.add(row.example(its))
            return
        if self.same.count + 1 == self.count and its == self._raw:
            self.same.add(row.example(row.id))
        if (
            self.unified.count + 1 == self.count
            and len(its) == len(record) - 1 > _JUDGED
            and all(name in record and record[name] == value for name, value in its.items())
        ):
            self.unified.add(row.example(row.id))

    def passes(self, raws: Sequence[Any]) -> bool:
        """Counts several more where there is nothing to report: none is empty, and earlier ones differed."""
        told = self.count < max(EXAMPLES, self.same.count + 1, self.unified.count + 1)
        if told or not all(raws):
            return False
        self.count += len(raws)
        return True


class RawShapes:
    """The members of the raw records of one list, and of which of them are objects and arrays."""

    def __init__(self) -> None:
        self._shapes: dict[_Shape, Group] = {}
        self._count = 0

    def look_all(self, raws: Sequence[Mapping[str, Any]], seen: Sequence[Seen]) -> None:
        """Looks at the raw data of several records."""
        self._count += len(raws)
        for raw, its in zip(raws, seen, strict=True):
            shape = tuple(raw), tuple(map(type, raw.values()))
            group = self._shapes.get(shape)
            if group is None:
                if len(self._shapes) >= _SHAPES:
                    continue
                group = self._shapes[shape] = Group()
            group.see(its, None)

    def odd(self) -> Iterator[tuple[str, str, Group]]:
        """The rule, the words and the records of what is of another shape, where few are."""
        if self._count < _USUAL_OF or len(self._shapes) >= _SHAPES:
            return
        there, boxes = Counter[str](), Counter[str]()
        for (names, types), group in self._shapes.items():
            for name, kind in zip(names, types, strict=True):
                there[name] += group.count
                boxes[name] += group.count * issubclass(kind, BOXES)
        usual = {name for name, count in there.items() if count >= _USUAL * self._count}
        boxed = {name for name, count in boxes.items() if count >= (1 - _RARE) * self._count}
        usual |= boxed
        lacking, flat = Group(), Group()
        for (names, types), group in self._shapes.items():
            gone = usual - set(names)
            texts = [name for name, kind in zip(names, types, strict=True) if kind is str and name in boxed]
            if len(gone) >= _LACKING and (2 * len(gone) >= len(usual) or gone >= boxed != set()):
                _add(lacking, group, ", ".join(sorted(gone)[:3]))
            elif texts:
                _add(flat, group, ", ".join(texts[:3]))
        for rule, group, words in (
            ("another shape", lacking, "lacks {}, which nearly all others have"),
            ("as text", flat, "has {} as text, where nearly all others have an object or array"),
        ):
            if 0 < group.count <= _RARE * self._count:
                yield rule, words.format(group.words), group


def _add(group: Group, some: Group, words: str) -> None:
    group.count += some.count
    group.words = group.words or words
    group.examples += some.examples


@dataclass(frozen=True, slots=True)
class RawFault:
    """What is wrong with the raw data of a list."""

    rule: str
    sentence: str
    group: Group


def of_all(seen: RawSeen, raw: str) -> RawFault | None:
    """What is wrong with the raw data of all records by itself; None when nothing is."""
    if seen.count < FEWEST:
        return None
    for rule, group, words in (
        ("empty", seen.empty, f"{raw} is empty"),
        ("same", seen.same, f"{raw} is the same"),
        ("unified again", seen.unified, f"{raw} is the unified record again, and not the third party's"),
    ):
        if group.count == seen.count:
            return RawFault(rule, f"{words} in all {seen.count:,} records", group)
    return None


def identifying_fields(records: Sequence[Mapping[str, Any]], raw: str) -> list[str]:
    """The fields whose values are unlikely to be equal by chance: many and nearly all different."""
    told = []
    for name in dict.fromkeys(name for record in records for name in record if name != raw):
        values = [record[name] for record in records if name in record and not is_empty(record[name])]
        plain = [value for value in values if is_telling(value)]
        if len(plain) >= FEWEST and len({repr(value) for value in plain}) >= max(FEWEST, 0.5 * len(plain)):
            told.append(name)
    return told


def raw_of_others(
    records: Sequence[Mapping[str, Any]], raw: str, known: Sequence[str]
) -> tuple[str, str] | None:
    """Whose the raw data of some records is, where almost no field comes from it: rule and words."""
    some = [record for record in records if isinstance(record.get(raw), dict)]
    told = identifying_fields(some, raw)
    own = [name for name in told if name in known]
    if len(told) < 2 or len(some) < FEWEST or len(own) >= _KNOWN * len(told):
        return None
    some = some[:_MOST]
    # Where the previous record's raw data explains this record, each has the raw data of the next one.
    for step, whose in ((-1, "behind it"), (1, "before it")):
        moved = _moved(some, raw, step)
        fits = learned(moved, raw, frozenset(told)).origins
        if len(fits) >= max(_MOST_KNOWN * len(told), len(own) + 1):
            return f"record {whose}", f"{raw} is that of the record {whose}"
    if _held_elsewhere(some, raw, told):
        return (
            "another record",
            f"{raw} is another record's: a record's values are in the {raw} of others",
        )
    if not own and len(told) >= _JUDGED:
        return "unrelated", f"{raw} explains none of the {len(told)} fields that could come from it"
    return None


def _moved(records: Sequence[Mapping[str, Any]], raw: str, step: int) -> list[dict[str, Any]]:
    """Records with the raw data of a neighbour."""
    places = range(max(0, -step), len(records) - max(0, step))
    return [{**records[at], raw: records[at + step][raw]} for at in places]


def _held_elsewhere(records: Sequence[Mapping[str, Any]], raw: str, told: Sequence[str]) -> bool:
    """Whether most significant values occur in some raw data, but not in that of their own record."""
    held = [{str(value) for value in leaves(record[raw]).values() if is_telling(value)} for record in records]
    everything = set().union(*held)
    values = [
        (at, str(record[name])) for at, record in enumerate(records) for name in told if record.get(name)
    ]
    elsewhere = sum(value in everything and value not in held[at] for at, value in values)
    return elsewhere >= 0.3 * len(values)


def moved_fields(records: Sequence[Mapping[str, Any]], raw: str, unknown: Sequence[str]) -> dict[str, str]:
    """Fields that are explained by a neighbour's raw data and not by their own, each with whose value it has."""
    some = [record for record in records if isinstance(record.get(raw), dict)][:_MOST]
    few = frozenset(name for name in unknown if _is_of_kinds(some, name))
    told = few | frozenset(name for name in identifying_fields(some, raw) if name in unknown)
    if not told or len(some) < 2 * FEWEST:
        return {}
    made: dict[str, str] = {}
    for step, whose in ((-1, "before"), (1, "behind")):
        fits = learned(_moved(some, raw, step), raw, told).origins
        made |= {
            name: whose
            for name, one in fits.items()
            if (one.support >= OFTEN and one.distinct >= 2 * FEWEST) or (name in few and one.support == 1)
        }
    return made


def _is_of_kinds(records: Sequence[Mapping[str, Any]], name: str) -> bool:
    """Whether a field has several values, each so frequent that another record's cannot explain all by chance."""
    values = Counter(repr(one[name]) for one in records if not is_empty(one.get(name)))
    usual = [count for count in values.values() if count >= 2 * FEWEST]
    return len(usual) > 1 and sum(usual) >= 0.5 * sum(values.values())


@dataclass(frozen=True, slots=True)
class Borrowed:
    """A field whose values are those of a raw path in other records of the list."""

    path: str
    rows: tuple[int, ...]
    """The indexes, among the given records, of those with another value of their own."""


def borrowed_fields(
    records: Sequence[Mapping[str, Any]], raw: str, unknown: Sequence[str]
) -> dict[str, Borrowed]:
    """Fields that have the value of one raw path of some record in the list, and hardly ever of their own.

    Where they are the very values of that path, each of them once, some may be their own. Only paths with many
    different values are evidence. Ids may legitimately refer to another record of the list, so those of the records
    themselves are not.
    """
    laid = [leaves(record[raw]) for record in records if isinstance(record.get(raw), dict)]
    if len(laid) < FEWEST or len(laid) < len(records):
        return {}
    counts = Counter(path for one in laid for path, value in one.items() if is_telling(value))
    columns: dict[str, set[str]] = {}
    for path, count in counts.items():
        pool = {_exactly(one[path]) for one in laid if is_telling(one.get(path))}
        if count >= 0.5 * len(laid) and len(pool) >= 0.5 * count:
            columns[path] = pool
    made: dict[str, Borrowed] = {}
    for name in unknown:
        values = [_exactly(one[name]) if is_telling(one.get(name)) else "" for one in records]
        different = set(filter(None, values))
        for path, pool in columns.items():
            unique = len(pool) >= OFTEN * counts[path] and words_of_path(path) != {"id"}
            if not different or is_of_another(name, path) or (is_id(name) and not unique):
                continue
            elsewhere = [
                at
                for at, value in enumerate(values)
                if value in pool and value != _exactly(laid[at].get(path))
            ]
            filled = sum(map(bool, values))
            known = len(different & pool)
            exchanged = different == pool and len(pool) == len(laid) and elsewhere
            moved = known >= 0.95 * len(different) and len(elsewhere) >= 0.5 * filled >= FEWEST
            if exchanged or (moved and len(laid) >= 4 * FEWEST):
                made[name] = Borrowed(path, tuple(elsewhere))
                break
    return made


def _exactly(value: Any) -> str:
    """A value as text; a moment in the same way, however it is written."""
    return str(next((at for kind, at in forms(value) if kind == "date"), value))


def deeper(states: Iterable[FieldState]) -> tuple[str, Group] | None:
    """The member in which the raw data of a few records stands as a whole, and these records; None where none does."""
    found: dict[str, list[Group]] = {}
    known = 0
    for state in states:
        first, second = state.origin, state.second
        known += first is not None and state.is_strong
        if first is None or second is None or not state.fallback.count:
            continue
        wrapper = second.paths[0].removesuffix(first.paths[0])
        if wrapper and wrapper != second.paths[0]:
            found.setdefault(wrapper, []).append(state.fallback)
    wrapper, groups = max(found.items(), key=lambda one: len(one[1]), default=("", []))
    if len(groups) < _FIELDS or 2 * len(groups) < known:
        return None
    return wrapper, max(groups, key=lambda one: one.count)
