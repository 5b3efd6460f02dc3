"""The input and the results of the search for a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from explorer.quality.mapping.normal_forms import Key, forms
from explorer.quality.values.flat import within

OFTEN = 0.9
"""The share of records with a value in which a source must explain it."""
_OWN = 0.9
"""From this share of the different raw records on a table has an entry for nearly each of them."""
FEWEST = 5
"""With fewer records that have a value, only equal and significant values count."""


@dataclass(frozen=True, slots=True)
class Found:
    """The source of one field."""

    paths: tuple[str, ...]
    """The best first, then those that hold the same in every record."""
    how: str
    support: float
    """The share of the records with a value that it explains."""
    words: str = ""
    """How the source is converted, where that was learned: ``is cut at 255 characters``."""

    @property
    def by_value(self) -> bool:
        """Whether the raw value itself agrees with the unified one, so that a single record can be looked up."""
        return self.how in ("equal", "case and space", "number", "date", "words")


@dataclass(slots=True)
class Sample:
    """Some records, flattened for comparison."""

    records: list[Mapping[str, Any]]
    flat: list[dict[str, tuple[Key, ...]]]
    plain: list[dict[str, Any]]
    boxes: list[dict[str, Any]]
    pointers: list[str]
    box_pointers: list[str]
    raw: str
    """The field that holds the third party's own record."""
    often: float = OFTEN
    """The share of records with a value in which a source has to explain it."""
    different: int = 0
    """How many different raw records there are, where that has been counted."""
    named: list[dict[str, Any]] = field(default_factory=list)
    """The values of each raw record that an array names, by their path; they stand in ``plain`` by their place."""
    _below: dict[tuple[int, str], set[Key]] = field(default_factory=dict)

    def tells_a_table(self, entries: int) -> bool:
        """Whether a table of so many entries says more than which raw record is which: items may be met again."""
        self.different = self.different or len({repr(one) for one in self.plain})
        return entries < _OWN * self.different

    def below(self, row: int, pointer: str) -> set[Key]:
        """The forms of all values below a pointer of a raw record; found once, for all fields."""
        found = self._below.get((row, pointer))
        if found is None:
            box = self.boxes[row].get(pointer)
            inner = within(box, without=self.raw) if box is not None else ()
            found = self._below[row, pointer] = {key for _, value in inner for key in forms(value)}
        return found
