"""Several records with their raw data, compared at once with how their fields are made.

Where every value of a field is what its origin makes, all of them are counted together. `sums` does no more than that:
where a single value differs it returns None, and the records are compared one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.engine.check import Example
from explorer.quality.engine.rows import Column, Rows
from explorer.quality.mapping.normal_forms import agreement, forms
from explorer.quality.mapping.origin import Origin, is_empty, is_less, loses_by, name_read_by
from explorer.quality.values.flat import BOXES
from explorer.quality.values.transforms import SAME

Seen = Callable[[Any], Example]
"""Makes a value the example of the current record."""
Pair = tuple[Mapping[str, Any], Any, Seen]
"""An item, the raw item that it comes from, and what makes an example of its record."""
_MOST_AGREEING = 2
"""Fields that only agree; with more, the raw data as a whole may be another record's."""
_TEXTS = frozenset((str, type(None)))
_SCALARS = _TEXTS | {int, float, bool}
_NONE = frozenset((type(None), type(ABSENT)))


class RecordBatch:
    """Records of a list, or items of an array in several of them."""

    def __init__(
        self,
        records: Sequence[Mapping[str, Any]],
        raws: Sequence[Any],
        seen: Sequence[Seen],
        raw: str,
        columns: Callable[[str], Column] | None = None,
    ) -> None:
        """``raw`` is the field that holds the third party's record; ``columns`` where they exist already."""
        self.records, self.raws, self.seen, self.raw = records, raws, seen, raw
        self._given = columns
        self._read: dict[Callable[[Any], Any], list[Any]] = {}

    @classmethod
    def of(cls, rows: Rows, raw: str) -> RecordBatch:
        """From the records of a page, which are sound and have raw data."""
        return cls(
            rows.records, rows.column(raw).values, [row.example for row in rows.rows], raw, rows.column
        )

    @classmethod
    def of_pairs(cls, pairs: Sequence[Pair], raw: str) -> RecordBatch:
        """From items of arrays, at least one."""
        items, raws, seen = zip(*pairs, strict=True)
        return cls(items, raws, seen, raw)

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[tuple[dict[str, Any], Seen]]:
        """Each record with its raw data, for comparison one by one."""
        for record, raw, seen in zip(self.records, self.raws, self.seen, strict=True):
            yield {**record, self.raw: raw}, seen

    def column(self, name: str) -> Column:
        """The values of a field."""
        if self._given is not None:
            return self._given(name)
        return Column([record.get(name, ABSENT) for record in self.records])

    def there(self, read: Callable[[Any], Any]) -> list[Any]:
        """The value that a reader finds in each raw record."""
        found = self._read.get(read)
        if found is None:
            found = self._read[read] = self._found_by(read)
        return found

    def _found_by(self, read: Callable[[Any], Any]) -> list[Any]:
        name = name_read_by(read)
        if name is None or self.raw_columns is None:
            return list(map(read, self.raws))
        return list(self.raw_columns.get(name, (None,) * len(self.raws)))

    @cached_property
    def raw_columns(self) -> dict[str, tuple[Any, ...]] | None:
        """The values of the raw records by name; None unless all are objects with the same names in the same order."""
        if set(map(type, self.raws)) != {dict}:
            return None
        names = tuple(self.raws[0])
        if any(tuple(raw) != names for raw in self.raws):
            return None
        return dict(zip(names, zip(*[raw.values() for raw in self.raws], strict=True), strict=True))

    @cached_property
    def raw_shapes(self) -> dict[str, set[tuple[str, ...]]]:
        """The names within the objects of `raw_columns`, by the name of the column; others have no entry."""
        columns = self.raw_columns or {}
        boxed = {name: set(map(type, values)) for name, values in columns.items()}
        return {
            name: set(map(tuple, columns[name] if types == {dict} else _objects_of(columns[name])))
            for name, types in boxed.items()
            if dict in types
        }

    def only(self, places: Sequence[int]) -> RecordBatch:
        """A selection of them by index."""
        records, raws, seen = self.records, self.raws, self.seen
        return RecordBatch(
            [records[at] for at in places], [raws[at] for at in places], [seen[at] for at in places], self.raw
        )

    def halves(self) -> tuple[RecordBatch, RecordBatch]:
        """The first half and the second."""
        middle = len(self.records) // 2
        return self.only(range(middle)), self.only(range(middle, len(self.records)))


@dataclass(slots=True)
class Sum:
    """The counts of one field."""

    filled: int = 0
    explained: int = 0
    empty: int = 0
    flagged: int = 0
    agreeing: int = 0
    """Of those explained, values that are their source in another form that no transform yields."""
    differs: int = 0
    """Objects and arrays that differ from what their origin makes."""
    defaulted: list[tuple[Any, Seen]] = field(default_factory=list)
    """Values that the origin's default explains, where its source is empty."""


@dataclass(slots=True)
class Rule:
    """How one field is made, as far as it matters here."""

    origin: Origin | None
    second: Origin | None
    """How values are made that the origin does not explain."""
    may_agree: bool
    """Whether agreement is enough, because enough of its values were tested for a loss."""
    guessed: bool
    """Whether nothing is reported where the field is empty and its source is not."""
    may_differ: bool
    """Whether objects and arrays that differ are only counted, because enough of them were kept."""


def sums(many: RecordBatch, rules: Mapping[str, Rule], flagged: frozenset[str]) -> dict[str, Sum] | None:
    """The counts of each field; None where a value is not as known, or a field is new.

    ``flagged`` are fields that other checks have reported in all of the records.
    """
    made: dict[str, Sum] = {}
    known = {name for name in rules if "." not in name or name.partition(".")[0] not in rules} | {many.raw}
    if not set().union(*many.records) <= known:
        return None
    for name in known:
        if name == many.raw:
            continue
        column = many.column(name)
        one = _sum(name, column, rules[name], many, name.partition(".")[0] in flagged)
        if one is None:
            return None
        made[name] = one
        inner = _inner(name, column, rules)
        if inner is None:
            return None
        for below, values in inner.items():
            some = many
            if column.types - _NONE - {dict}:
                # Where the object is replaced by another value, its fields are not judged.
                there = [
                    at
                    for at, value in enumerate(column.values)
                    if type(value) is dict or type(value) in _NONE
                ]
                values, some = [values[at] for at in there], many.only(there)
            one = _sum(below, Column(values), rules[below], some, name in flagged)
            if one is None:
                return None
            made[below] = one
    if sum(one.agreeing > 0 for one in made.values()) > _MOST_AGREEING:
        return None
    return made


def _inner(name: str, column: Column, rules: Mapping[str, Rule]) -> dict[str, list[Any]] | None:
    """The values within the objects of a column, by the names of their fields; None where one is new."""
    begin = f"{name}."
    made = {below: list[Any]() for below in rules if below.startswith(begin)}
    if dict in column.types:
        boxes = [value if type(value) is dict else {} for value in column.values]
        for step in set().union(*boxes):
            if "." in step:
                continue
            values = [box.get(step, ABSENT) for box in boxes]
            values = [ABSENT if type(value) is dict else value for value in values]
            if f"{begin}{step}" in made:
                made[f"{begin}{step}"] = values
            elif any(value is not ABSENT for value in values):
                return None
    return {below: values or [ABSENT] * len(column.values) for below, values in made.items()}


def _sum(name: str, column: Column, rule: Rule, many: RecordBatch, flagged: bool) -> Sum | None:
    values, origin = column.values, rule.origin
    if origin is None:
        return Sum(len(column.filled) - column.filled.count("") - column.filled.count([]))
    there = many.there(origin.read)
    loses, has_default = loses_by(origin, name), "default" in origin.transform.name
    is_same = origin.transform is SAME
    if is_same or not (origin.loose or loses or has_default):
        given = there if is_same else list(map(origin.transform, there))
        if _are_alike(column, given):
            filled = len(column.filled) - values.count("")
            return Sum(filled, filled, len(values) - len(column.filled))
    made = Sum()
    for value, source, raw, seen in zip(values, there, many.raws, many.seen, strict=True):
        if value is None or value is ABSENT:
            if origin.gives_nothing(source):
                made.empty += 1
            elif not rule.guessed and not flagged:
                return None
        elif not _is_nothing(value):
            made.filled += 1
            # An object cannot be another form of a value.
            is_other = type(value) is dict and origin.loose and type(source) is not dict
            if not is_other and origin.fits(value, source):
                if loses and is_less(origin, raw, value, name):
                    return None
                made.explained += 1
                if has_default and is_empty(source):
                    made.defaulted.append((value, seen))
            elif flagged:
                made.flagged += 1
            elif rule.second is not None and rule.second.explains(value, raw):
                return None
            elif (
                rule.may_agree
                and not isinstance(value, BOXES)  # they have no other forms
                and not is_empty(origin.transform(source))
                and agreement(forms(value), forms(source))
            ):
                made.explained += 1
                made.agreeing += 1
            elif rule.may_differ and isinstance(value, BOXES) and not is_empty(origin.transform(source)):
                made.differs += 1
            else:
                return None
    return made


def _objects_of(values: Sequence[Any]) -> list[dict[str, Any]]:
    return [value for value in values if type(value) is dict]


def _are_alike(column: Column, there: list[Any]) -> bool:
    """Whether each value equals its counterpart, type included."""
    values = column.values
    if type(ABSENT) in column.types:
        values = [None if value is ABSENT else value for value in values]
    if not column.types <= _SCALARS | _NONE or values != there:
        return False
    return column.types <= _TEXTS | _NONE or list(map(type, values)) == list(map(type, there))


def _is_nothing(value: Any) -> bool:
    return value is None or value is ABSENT or value == "" or value == []
