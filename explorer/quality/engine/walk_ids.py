"""The ids of one walk, with what distinguishes the states of a record: some 300 bytes each, and no record."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.quality.engine.changed_fields import FieldMarks
from explorer.quality.engine.check import Example
from explorer.quality.engine.row import NUMBER, Row
from explorer.quality.engine.rows import Rows
from explorer.quality.values.moments import seconds_of

CHANGED = ("updated_at", "modified_at", "last_modified_at")
"""The fields that say when a record changed last; the first that holds a date counts."""
_BOXES = frozenset((dict, list))
MOST_IDS = 2_000_000
"""Most ids that are remembered."""


@dataclass(frozen=True, slots=True)
class Before:
    """What was kept of a record when its id occurred first."""

    whole: int
    still: int
    moment: float
    page: int
    changed: tuple[str, ...] = ()
    """The fields that differ now, where the record was received again and fields are told apart."""


class SeenIds:
    """Every id of a walk once, in the order received."""

    def __init__(self, fields: Iterable[str] = (), raw: str = "") -> None:
        """``fields`` are compared when a record is received again: four bytes each, for every record.

        ``raw`` is the field that holds the third party's raw record; empty where there is none.
        """
        self.raw = raw
        self._aside = frozenset((*CHANGED, raw))
        names = tuple(fields)
        self._fields = FieldMarks(names) if names else None
        self._marks = bytearray()
        self._at: dict[str, int] = {}
        self.again: set[str] = set()
        """Ids that occurred more than once: which of their states counts is unknown."""
        self.later: set[str] = set()
        """Further ids that another walk of the whole list returned."""
        self.spoiled: set[str] = set()
        """Ids of records on whose content readers may disagree."""
        self.unread = 0
        """How many records have no readable id."""
        self._order: list[str] = []
        self._whole, self._still = array("q"), array("q")
        self._moments, self._pages, self._rows = array("d"), array("I"), array("Q")

    def __len__(self) -> int:
        return len(self._at)

    def __contains__(self, ident: object) -> bool:
        return isinstance(ident, str) and (ident in self._at or self._found(ident) is not None)

    def __deepcopy__(self, _: object) -> SeenIds:
        # Interim results are made from copies, and ids are only ever added.
        return self

    @property
    def is_full(self) -> bool:
        """Whether no further id is remembered."""
        return len(self._at) >= MOST_IDS

    def add(self, row: Row) -> Before | None:
        """Remembers the id of a row; returns what was kept of it when it occurred before, else None."""
        value: Mapping[str, Any] = row.value
        key = row.key
        if row.spoiled:
            self.spoiled.add(key)
        at = self._at.get(key)
        if at is None:
            self._at[key] = len(self._whole)
            self._marks += self._fields.of(value) if self._fields is not None else b""
            self._whole.append(hash(row.raw))
            self._still.append(self.still_of(value))
            self._moments.append(moment_of(value))
            self._pages.append(row.page or 0)
            self._rows.append(row.number)
            return None
        self.again.add(key)
        changed = self.changed(key, value)
        return Before(self._whole[at], self._still[at], self._moments[at], self._pages[at], changed)

    def add_all(self, rows: Rows) -> bool:
        """Remembers sound records whose ids are texts and all new; for others returns False and remembers nothing."""
        column = rows.column("id")
        if column.types != {str}:
            return False
        ids: list[str] = column.values
        fresh = set(ids)
        if "" in fresh or len(fresh) < len(ids) or not self._at.keys().isdisjoint(fresh):
            return False
        self._at.update(zip(ids, range(len(self._whole), len(self._whole) + len(ids)), strict=True))
        self._marks += self._fields.of_all(rows) if self._fields is not None else b""
        self._whole.extend([hash(row.raw) for row in rows.rows])
        self._still.extend(self._stills_of(rows))
        self._moments.extend(_moments_of(rows))
        self._pages.extend([row.page or 0 for row in rows.rows])
        self._rows.extend([row.number for row in rows.rows])
        return True

    def still_of(self, record: Mapping[str, Any]) -> int:
        """A hash of a record without its dates of change and its raw record, valid within this process.

        Objects and arrays count by their size only, for speed: every record passes here, and few ids occur twice.
        """
        kept = {name: value for name, value in record.items() if name not in self._aside}
        return hash((tuple(kept), tuple([len(v) if type(v) in _BOXES else v for v in kept.values()])))

    def _stills_of(self, rows: Rows) -> Iterable[int]:
        """`still_of` for several sound records."""
        if len(rows.shapes) > 1:
            return map(self.still_of, rows.records)
        names = tuple(name for name in next(iter(rows.shapes)) if name not in self._aside)
        columns = [rows.column(name) for name in names]
        sized = [
            [len(v) if type(v) in _BOXES else v for v in one.values] if one.types & _BOXES else one.values
            for one in columns
        ]
        return [hash((names, values)) for values in zip(*sized, strict=True)]

    def moment(self, ident: str) -> float:
        """When a record had changed last, in seconds since 1970; 0 when that is not known."""
        at = self._found(ident)
        return 0.0 if at is None else self._moments[at]

    @property
    def order(self) -> list[str]:
        """The ids in the order received; not to be changed."""
        if len(self._order) != len(self._at):
            self._order = list(self._at)
        return self._order

    def place(self, ident: str) -> int | None:
        """The index of an id in `order`; None for an unknown one."""
        at = self._at.get(ident)
        return self._found(ident) if at is None else at

    def page_of(self, ident: str) -> int:
        """The page on which an id occurred first, counted from 1; 0 for an unknown one."""
        at = self._found(ident)
        return 0 if at is None else self._pages[at]

    def row_of(self, ident: str) -> int:
        """The row in which an id occurred first, counted from 1 over the walk; 0 for an unknown one."""
        at = self._found(ident)
        return 0 if at is None else self._rows[at]

    def on_page(self, page: int) -> list[str]:
        """The ids that occurred first on a page, in order."""
        return self.order[bisect_left(self._pages, page) : bisect_right(self._pages, page)]

    def state(self, ident: str) -> Before | None:
        """What was kept of a record; None for an unknown id."""
        at = self._found(ident)
        if at is None:
            return None
        return Before(self._whole[at], self._still[at], self._moments[at], self._pages[at])

    def changed(self, ident: str, record: Mapping[str, Any]) -> tuple[str, ...]:
        """The fields in which a record differs from the first with its id; empty for an unknown id."""
        at = self._found(ident)
        if at is None or self._fields is None:
            return ()
        marks = self._fields.of(record)
        return self._fields.changed(bytes(self._marks[at * len(marks) : (at + 1) * len(marks)]), marks)

    def has_same(self, ident: str, whole: int) -> bool:
        """Whether a record with this id had the same bytes, by their hash."""
        at = self._found(ident)
        return at is not None and self._whole[at] == whole

    def _found(self, ident: str) -> int | None:
        """The index of an id, whether it was received as a text or as a number."""
        at = self._at.get(ident)
        if at is not None:
            return at
        return self._at.get(ident[1:] if ident.startswith(NUMBER) else f"{NUMBER}{ident}")

    def example(self, ident: str, exchanges: Mapping[int, int]) -> Example:
        """The place where an id occurred first; ``exchanges`` are the numbers in the log by page."""
        at = self._at[ident]
        page = self._pages[at]
        return Example(page or None, self._rows[at], exchanges.get(page), ident.removeprefix(NUMBER)[:100])


def _moments_of(rows: Rows) -> Iterable[float]:
    """`moment_of` for several sound records, most of which say it in the first field."""
    values = rows.column(CHANGED[0]).values
    made = [moment for value in values if (moment := seconds_of(value)) is not None]
    return made if len(made) == len(values) else map(moment_of, rows.records)


def moment_of(record: Mapping[str, Any]) -> float:
    """When a record changed last, in seconds since 1970; 0 when it does not say so."""
    for name in CHANGED:
        moment = seconds_of(record.get(name))
        if moment is not None:
            return moment
    return 0.0
