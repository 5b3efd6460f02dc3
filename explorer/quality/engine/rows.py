"""Records of one page, looked at together: a check that finds nothing wrong in a column skips its single values.

Most records of most lists are correct. What a check can decide for all values of a field at once (their types, the
longest, equality with raw data) takes a twentieth of the time that it takes one by one. Where it cannot decide, the
records are halved until the wrong ones are isolated, and these are looked at one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from explorer.catalog.spec import ABSENT
from explorer.quality.engine.row import Row

_NOTHING = frozenset((type(None), type(ABSENT)))
_FEW = 3
"""From this few records on they are looked at one by one."""


class Column:
    """The values of one field, in the order of the records; absent ones are ABSENT."""

    __slots__ = ("_filled", "types", "values")

    def __init__(self, values: list[Any]) -> None:
        self.values = values
        self.types = frozenset(map(type, values))
        """The types of all values."""
        self._filled: list[Any] | None = None

    @property
    def filled(self) -> list[Any]:
        """The values that are neither null nor absent."""
        if self._filled is None:
            none = not self.types & _NOTHING
            self._filled = self.values if none else [v for v in self.values if type(v) not in _NOTHING]
        return self._filled


class Rows:
    """Some records of one page. Columns are extracted once, for all watchers."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.records: list[Any] = [row.value for row in rows]
        self._columns: dict[str, Column] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def are_sound(self) -> bool:
        """Whether all are objects that mean the same to every reader."""
        return set(map(type, self.records)) == {dict} and not any(row.spoiled for row in self.rows)

    @property
    def flagged(self) -> frozenset[str] | None:
        """The fields that were reported in every one of them; None where they differ in that."""
        first = self.rows[0].flagged
        return frozenset(first) if all(row.flagged == first for row in self.rows) else None

    @cached_property
    def ids(self) -> list[str]:
        """The id of each of them as text; empty where it has none. For sound records."""
        column = self.column("id")
        return column.values if column.types == {str} else [row.id for row in self.rows]

    @cached_property
    def shapes(self) -> Counter[tuple[str, ...]]:
        """How many of them have the same fields in the same order. For sound records."""
        names = list(map(tuple, self.records))
        # Nearly always all are the same; to compare them is cheaper than to hash each.
        alike = bool(names) and names.count(names[0]) == len(names)
        return Counter({names[0]: len(names)}) if alike else Counter(names)

    @cached_property
    def names(self) -> frozenset[str]:
        """The fields that any of them has. For sound records."""
        return frozenset().union(*self.shapes)

    def column(self, name: str) -> Column:
        """The values of a field. For sound records."""
        found = self._columns.get(name)
        if found is None:
            found = self._columns[name] = Column(self._values(name))
        return found

    def _values(self, name: str) -> list[Any]:
        if len(self.shapes) > 1:
            return [record.get(name, ABSENT) for record in self.records]
        by_name = self._by_name
        return list(by_name[name]) if name in by_name else [ABSENT] * len(self.records)

    @cached_property
    def _by_name(self) -> dict[str, tuple[Any, ...]]:
        """The values of all fields, where all records have the same ones."""
        (names,) = self.shapes
        return dict(zip(names, zip(*[record.values() for record in self.records], strict=True), strict=True))

    @cached_property
    def halves(self) -> tuple[Rows, Rows]:
        """The first half and the second."""
        middle = len(self.rows) // 2
        return Rows(self.rows[:middle]), Rows(self.rows[middle:])


class Watcher(Protocol):
    """Receives records."""

    def row(self, row: Row) -> None:
        """Looks at one record."""


def tell(watcher: Watcher, rows: Rows) -> None:
    """Passes records to a watcher, all at once where that is enough.

    A watcher may have ``passes(rows)``: where it has nothing to report of any of them it counts them and returns True,
    else it returns False and changes nothing.
    """
    passes = getattr(watcher, "passes", None)
    if passes is None or len(rows) <= _FEW:
        for row in rows.rows:
            watcher.row(row)
    elif not passes(rows):
        for half in rows.halves:
            tell(watcher, half)
