"""The item of an array that raw data marks as the one that counts, and fields that take or mark another by its place.

Of several addresses one is the primary one, and a flag says which; of a history the entry holds now that has no end. A
program that takes the first instead is right as long as the first is the one, so that most records do not show it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.mapping.field_state import FieldState, Group, Rows, places_of
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.origin import Origin, is_empty, reader
from explorer.quality.mapping.record_batch import Seen
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import containers, is_within_array, leaves
from explorer.quality.values.transforms import SAME, equal

_MOST = 600
"""The most records that are kept."""
_FEWEST = 3
"""The fewest that tell something."""
_ONE = 0.9
"""The share of arrays in which a flag marks just one item."""
_AGREE = 0.5
"""The share of arrays with several in which a mark is the flag's, where a name says that it is one."""
_MOSTLY = 0.7
"""The same where no name says so."""
_KINDS = 12
"""The most kinds of items."""
_MARKS = frozenset({"primary", "main", "default", "preferred", "lead", "principal", "current", "favourite"})
"""Names of flags that one of several items has."""
_ENDS = frozenset(
    {"until", "to", "end", "ended", "ends", "thru", "through", "till", "left", "closed", "superseded"}
)
_BEGINS = frozenset({"from", "since", "start", "started", "starts", "begin", "began", "begins", "entered"})
"""Words for the two ends of the time in which an entry of a history holds."""
Laid = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Mark:
    """What marks an item: a flag, or an end that it does not have."""

    path: str
    is_end: bool = False

    def is_on(self, item: Laid) -> bool:
        """Whether it marks an item."""
        return is_empty(item.get(self.path)) if self.is_end else bool(item.get(self.path))


@dataclass(slots=True)
class _Row:
    """The items of one record: the unified ones, and the raw one of each as scalars by path."""

    items: list[Mapping[str, Any]]
    raws: list[Laid]
    seen: Seen


@dataclass(slots=True)
class MarkedItems:
    """The items of one array in the first records, matched with their raw ones."""

    name: str
    where: str
    _rows: list[_Row] = field(default_factory=list)

    def look(self, pairs: Sequence[tuple[Mapping[str, Any], Any]], seen: Seen) -> None:
        """Looks at the items of one more record, each with its raw item."""
        if len(pairs) > 1 and len(self._rows) < _MOST:
            self._rows.append(_Row([one for one, _ in pairs], [leaves(its) for _, its in pairs], seen))

    def findings(self) -> Iterator[MappingFinding]:
        """Fields that mark one item of several, and not the one that raw data marks."""
        flags = _flags([row.raws for row in self._rows])
        for inner, value in self._marks() if flags else ():
            for flag in flags:
                group, agree = Group(), 0
                for row in self._rows:
                    mine = [at for at, one in enumerate(row.items) if equal(one.get(inner), value)]
                    its = [at for at, one in enumerate(row.raws) if one.get(flag) is True]
                    agree += mine == its
                    if len(its) == 1 and len(mine) == 1 and mine != its:
                        group.see(row.seen, value)
                named = bool(_words(flag) & (_MARKS | _words(inner) | _words(str(value))))
                by_place = self._is_by_place(inner, value)
                is_its = agree >= (_AGREE if named else _MOSTLY) * len(self._rows)
                if group.count >= _FEWEST and (named if by_place else is_its):
                    field_ = f"{self.name}[].{inner}"
                    what = f"{field_} marks another item than {self.where}[]{spoken(flag)} does"
                    what += f" in {group.count:,} of {len(self._rows):,} records with several"
                    yield MappingFinding(
                        "alike", "another item", field_, what, group.count, tuple(group.examples)
                    )
                    break

    def _marks(self) -> Iterator[tuple[str, Any]]:
        """The inner fields and their values that at most one item of each record has, and most records have."""
        counts: defaultdict[tuple[str, str], list[Any]] = defaultdict(lambda: [0, 0, None])
        for row in self._rows:
            told: defaultdict[tuple[str, str], int] = defaultdict(int)
            for one in row.items:
                for name, value in one.items():
                    if value is True or (isinstance(value, str) and value.isalpha()):
                        told[name, str(value)] += 1
                        counts[name, str(value)][2] = value
            for key, count in told.items():
                counts[key][0] += 1
                counts[key][1] += count > 1
        for (name, _), (present, several, value) in counts.items():
            if not several and present >= _ONE * len(self._rows):
                yield name, value

    def _is_by_place(self, inner: str, value: Any) -> bool:
        return all(equal(row.items[0].get(inner), value) for row in self._rows)


def _flags(arrays: Sequence[Sequence[Laid]]) -> list[str]:
    """The paths of raw items that are true for one item of nearly each array, and false for the others."""
    if len(arrays) < _FEWEST:
        return []
    paths = dict.fromkeys(
        path for items in arrays for one in items for path, its in one.items() if its is True
    )
    made = []
    for path in paths:
        counts = [sum(one.get(path) is True for one in items) for items in arrays]
        if max(counts) == 1 and sum(counts) >= _ONE * len(counts):
            made.append(path)
    return made


def _present(arrays: Sequence[Sequence[Laid]]) -> list[str]:
    """The paths that are empty for one item of nearly each array: the ends of entries of which one holds now."""
    if len(arrays) < _FEWEST:
        return []
    paths = dict.fromkeys(path for items in arrays for one in items for path in one)
    begins = {_before(path) for path in paths if _words(path.rpartition("/")[2]) & _BEGINS}
    made = []
    for path in paths:
        if _words(path.rpartition("/")[2]) & _ENDS and _before(path) in begins:
            counts = [sum(is_empty(one.get(path)) for one in items) for items in arrays]
            if max(counts) == 1 and sum(counts) >= _ONE * len(counts):
                made.append(path)
    return made


def _before(path: str) -> str:
    """The path of the object in which a value stands."""
    return path.rpartition("/")[0]


class MarkedItemFields:
    """Fields of some records of a list, compared with the items of raw arrays one of which is marked."""

    def __init__(self, rows: Rows, raw: str) -> None:
        self._rows, self._raw = rows, raw

    def findings(self, states: Mapping[str, FieldState]) -> Iterator[MappingFinding]:
        """Fields with a value of another item than the marked one, which is taken by its place."""
        names = [name for name, state in states.items() if "." not in name and _is_by_place(state)]
        arrays = self._arrays() if names else {}
        for name in names:
            for path, (mark, items) in arrays.items():
                found = self._of(name, states[name].origin, path, mark, items)
                if found is not None:
                    yield found
                    break

    def _arrays(self) -> dict[str, tuple[_Mark, dict[int, list[Laid]]]]:
        """The arrays of objects of which one is marked, by path: how, and the items by record."""
        held: defaultdict[str, dict[int, list[Laid]]] = defaultdict(dict)
        for at, (record, _) in enumerate(self._rows):
            for path, box in containers(record[self._raw]).items():
                if isinstance(box, list) and len(box) > 1 and not is_within_array(path):
                    held[path][at] = [leaves(one) for one in box if isinstance(one, dict)]
        made = {}
        for path, items in held.items():
            arrays = list(items.values())
            marks = [_Mark(one) for one in _flags(arrays) if _words(one) & _MARKS]
            marks += [_Mark(one, is_end=True) for one in _present(arrays)]
            if marks:
                made[path] = marks[0], items
        return made

    def _of(
        self, name: str, origin: Origin | None, path: str, mark: _Mark, items: Mapping[int, list[Laid]]
    ) -> MappingFinding | None:
        group, inner, count, first, last = Group(), "", 0, 0, 0
        convert = SAME
        if origin is not None and origin.paths[0].startswith(f"{path}/"):
            inner, convert = (
                f"/{origin.paths[0].removeprefix(f'{path}/').partition('/')[2]}",
                origin.transform,
            )
        taken, marked = list[Laid](), list[Laid]()
        for at, some in items.items():
            record, seen = self._rows[at]
            value = record.get(name)
            if not isinstance(value, str) or not value:
                continue
            told = {
                (below, mark.is_on(one))
                for one in some
                for below, its in one.items()
                if (not inner or below == inner) and equal(convert(its), value)
            }
            inner = inner or next((below for below, _ in sorted(told)), "")
            count += any(below == inner for below, _ in told)
            first += equal(convert(some[0].get(inner)), value)
            last += equal(convert(some[-1].get(inner)), value)
            if (inner, False) in told and (inner, True) not in told:
                group.see(seen, value)
                taken += [one for one in some if equal(convert(one.get(inner)), value)][:1]
                marked += [one for one in some if mark.is_on(one)][:1]
        if (
            group.count < _FEWEST
            or _has_kind(taken, marked, inner)
            or count < _ONE * len(items)
            or max(first, last) < count
        ):
            return None
        where = f"{self._raw}{spoken(path)}"
        what = f"{name} is that of an item of {where} which {where}[]{spoken(mark.path)} "
        what += "says has ended" if mark.is_end else "does not mark"
        what += f", in {group.count:,} of {count:,} records with several"
        return MappingFinding("same", "another item", name, what, group.count, tuple(group.examples))


def left_kinds(rows: Rows, raw: str, states: Mapping[str, FieldState]) -> Iterator[MappingFinding]:
    """Fields with the value of an item by its place that have it though items of its kind are left out elsewhere.

    Where such an item is alone the field is empty: it is not meant, and where others stand behind it one of them is.
    """
    for name, state in states.items():
        if "." in name or not _is_by_place(state) or state.origin is None:
            continue
        array, _, inner = state.origin.paths[0].rpartition("/")
        array, _, place = array.rpartition("/")
        read = reader(f"{array}/{place}")
        taken: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        left: Counter[tuple[str, str]] = Counter()
        for at, (record, _) in enumerate(rows if place.isdecimal() else ()):
            item, value = read(record[raw]), record.get(name)
            if not isinstance(item, dict) or is_empty(item.get(inner)) or isinstance(value, dict | list):
                continue
            kinds = [(one, its) for one, its in item.items() if one != inner and isinstance(its, str) and its]
            for one in kinds:
                if is_empty(value):
                    left[one] += 1
                elif equal(value, item[inner]):
                    taken[one].append(at)
        for (member, kind), odd in taken.items():
            others = [other for other in taken if other[0] == member and other[1] != kind]
            few = min(left[member, kind], len(odd)) < _FEWEST or len(others) >= _KINDS
            kept = sum(len(taken[other]) for other in others)
            if few or kept < len(odd) or any(left[other] for other in others):
                continue
            where = f"{raw}{spoken(array)}"
            what = f"{name} is that of an item of {where} with {member} {kind}, which is left out where it stands"
            what += f" alone, in {len(odd):,} of {len(odd) + kept:,} records"
            yield MappingFinding("same", "another kind", name, what, len(odd), places_of(odd, rows, name))
            break


def _has_kind(taken: Sequence[Laid], marked: Sequence[Laid], inner: str) -> bool:
    """Whether all items that are taken are of a kind that no marked one has: that kind goes first."""
    return any(
        path != inner
        and isinstance(value, str)
        and all(one.get(path) == value for one in taken)
        and not any(one.get(path) == value for one in marked)
        for path, value in (taken[0].items() if taken else ())
    )


def _words(name: str) -> frozenset[str]:
    return frozenset(tokens_of(name))


def _is_by_place(state: FieldState) -> bool:
    """Whether a field is known to come from an item by its place alone, or not known to come from anywhere."""
    origin = state.origin
    if origin is None:
        return bool(state.filled)
    steps = origin.paths[0].split("/")
    return origin.how != "entry" and any(one.isdecimal() or one in ("[last]", "*") for one in steps)
