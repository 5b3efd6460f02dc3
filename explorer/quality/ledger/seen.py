"""A summary of one field's values, counted in bounded memory."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from explorer.quality.compare.records import written
from explorer.quality.values.moments import seconds_of

DISTINCT = 1_000
"""Different values that are counted exactly; of more, only "more than this many" is stated."""
VALUES = 50
"""Different short values that are counted one by one."""
VALUE_LENGTH = 60
"""Characters of a value that is kept, as an example or to be counted."""
EXAMPLES = 3
DATES_TRIED = 20
"""Texts of a field that must all be dates for it to count as a date field, where it is not declared as one."""
ZONES = {
    "UTC": "in UTC",
    "offset": "with an offset from UTC",
    "none": "without a time zone",
}
"""How times are written, in words."""
_ZONE = re.compile(r":\d\d(?:\.\d+)?\s*([Zz]|[+-]\d\d:?\d\d)$")
_TRUE, _FALSE = "\x00true", "\x00false"


@dataclass(frozen=True, slots=True)
class Declared:
    """The contract's declaration of a field."""

    kind: str
    """As in the catalog: id, text, number, boolean, date, object, array or any."""
    required: bool = False
    nullable: bool = False
    choices: tuple[str, ...] = ()

    @property
    def json_type(self) -> str:
        """The JSON type it should have; empty where any is allowed."""
        return {"id": "text", "date": "text", "any": ""}.get(self.kind, self.kind)

    @property
    def words(self) -> str:
        """For people: ``text, required``, ``number or null``."""
        words = f"{self.kind} or null" if self.nullable and self.kind != "any" else self.kind
        return f"{words}, required" if self.required else words


@dataclass(frozen=True, slots=True)
class FieldSeen:
    """One field of a list: declared, seen, or both. It counts places: a field of array items once for each item."""

    path: str
    """With dots, ``[]`` for the items of an array."""
    declared: Declared | None
    free: bool
    """Whether the contract leaves its content open (inside the raw record, for instance): undeclared is then fine."""
    of: int
    """Places where it could have been: objects around it, or items of the array."""
    present: int
    types: Mapping[str, int]
    """How often each JSON type occurred: null, boolean, number, text, array, object."""
    empty: int
    """Empty texts, arrays and objects."""
    distinct: int
    """Different values that are neither null, array nor object."""
    more: bool
    """Whether there are more than `distinct`."""
    values: tuple[tuple[str, int], ...] | None
    """Every such value with its count, as JSON, the most frequent first; None when they are too many or too long."""
    numbers: tuple[str, str] | None
    """The smallest and the largest, in their own digits."""
    moments: tuple[str, str] | None
    """The earliest and the latest, as received."""
    lengths: tuple[int, int] | None
    """Of the shortest and the longest text, in characters."""
    examples: tuple[str, ...]
    """As JSON, short."""
    at_longest: int = 0
    """How many texts are as long as the longest."""
    zones: Mapping[str, int] = field(default_factory=dict)
    """Of a field of dates, how its times are written, see `ZONES`, each with how often; days alone do not count."""

    @property
    def null(self) -> int:
        """How often it was null."""
        return self.types.get("null", 0)

    @property
    def absent(self) -> int:
        """How often it was absent."""
        return self.of - self.present

    @property
    def filled(self) -> int:
        """How often it had a value that is not null or empty."""
        return self.present - self.null - self.empty

    @property
    def fill(self) -> float | None:
        """The share of places where it is filled; None without any place."""
        return self.filled / self.of if self.of else None

    @property
    def range_words(self) -> str:
        """The range for people: of numbers or dates, else of lengths; empty when there is none."""
        if self.moments or self.numbers:
            low, high = self.moments or self.numbers or ("", "")
            return low if low == high else f"{low} to {high}"
        if self.lengths is None:
            return ""
        low, high = map(str, self.lengths)
        return f"{low if low == high else f'{low} to {high}'} characters"

    @property
    def distinct_words(self) -> str:
        """``12``, or ``more than 1,000``; empty where nothing is counted, as of objects, arrays and nulls alone."""
        if not self.distinct:
            return ""
        return f"more than {self.distinct:,}" if self.more else f"{self.distinct:,}"

    @property
    def notes(self) -> tuple[str, ...]:
        """Deviations from the contract, a few words each."""
        if self.declared is None:
            return () if self.free else ("not declared",)
        if not self.of:
            return ()
        if not self.present:
            return ("required, never seen",) if self.declared.required else ("declared, never seen",)
        made = []
        if self.declared.required and self.absent:
            made.append(f"required, absent {self.absent:,} times")
        wanted = self.declared.json_type
        for kind, count in self.types.items():
            if kind == "null" and not self.declared.nullable:
                made.append(f"null {count:,} times")
            elif kind not in ("null", wanted) and wanted:
                made.append(f"{kind} {count:,} times")
        if self.declared.choices and self.values is not None:
            known = {written(choice) for choice in self.declared.choices}
            strange = [value for value, _ in self.values if value not in known]
            if strange:
                made.append("not in the contract: " + ", ".join(strange[:5]))
        return tuple(made)


@dataclass(slots=True)
class Node:
    """One field while it is counted, with those inside it."""

    path: str
    declared: Declared | None = None
    free: bool = False
    types: dict[str, int] = field(default_factory=dict)
    empty: int = 0
    members: dict[str, Node] = field(default_factory=dict)
    items: Node | None = None
    item_count: int = 0
    distinct: set[int] | None = field(default_factory=set)
    values: dict[Any, int] | None = field(default_factory=dict)
    low: Decimal | int | None = None
    high: Decimal | int | None = None
    shortest: int = -1
    longest: int = -1
    at_longest: int = 0
    zones: dict[str, int] = field(default_factory=dict)
    dates: bool | None = None
    """None while it is unknown whether the texts are dates."""
    tried: int = 0
    earliest: tuple[float, str] | None = None
    latest: tuple[float, str] | None = None
    examples: list[str] = field(default_factory=list)

    def saw(self, kind: str) -> None:
        """Counts a value of that JSON type."""
        self.types[kind] = self.types.get(kind, 0) + 1

    def text(self, value: str) -> None:
        """Counts a text."""
        self.saw("text")
        size = len(value)
        if not size:
            self.empty += 1
        if size > self.longest:
            self.longest, self.at_longest = size, 0
        self.at_longest += size == self.longest
        if size < self.shortest or self.shortest < 0:
            self.shortest = size
        if size and self.dates is not False:
            self._moment(value)
        self._counted(value, hash(value), size)

    def number(self, value: Any) -> None:
        """Counts a number, exact; NaN and the infinities as float."""
        self.saw("number")
        if isinstance(value, float) or (isinstance(value, Decimal) and not value.is_finite()):
            return
        if self.low is None or value < self.low:
            self.low = value
        if self.high is None or value > self.high:
            self.high = value
        # Hashing a Decimal with a large exponent is slow, and its text is as good.
        key = value if isinstance(value, int) or -30 < value.adjusted() < 30 else str(value)
        self._counted(key, hash(key), 0)

    def boolean(self, value: bool) -> None:
        """Counts a truth value."""
        self.saw("boolean")
        key = _TRUE if value else _FALSE
        self._counted(key, hash(key), 0)

    def _counted(self, value: Any, digest: int, size: int) -> None:
        if self.distinct is not None:
            self.distinct.add(digest)
            if len(self.distinct) > DISTINCT:
                self.distinct = None
        if self.values is not None:
            count = self.values.get(value)
            if count is not None:
                self.values[value] = count + 1
            elif size > VALUE_LENGTH or len(self.values) >= VALUES:
                self._take_examples(value)
                self.values = None
            else:
                self.values[value] = 1

    def _take_examples(self, last: Any) -> None:
        """Keeps some values as examples, because there are too many to count one by one."""
        self.examples += [_shown(value) for value in [*(self.values or {}), last][:EXAMPLES]]

    def _moment(self, value: str) -> None:
        self.tried += self.dates is None
        # Plain digits may be an epoch, but are far more often an id: they count only where the contract says date.
        seconds = None if self.dates is None and value.isdigit() else seconds_of(value)
        if seconds is None:
            if self.dates is None:
                self.dates, self.earliest, self.latest = False, None, None
            return
        if self.tried >= DATES_TRIED:
            self.dates = True
        if ":" in value:
            zone = _zone_of(value)
            self.zones[zone] = self.zones.get(zone, 0) + 1
        if self.earliest is None or seconds < self.earliest[0]:
            self.earliest = (seconds, value[:VALUE_LENGTH])
        if self.latest is None or seconds > self.latest[0]:
            self.latest = (seconds, value[:VALUE_LENGTH])

    def result(self, of: int) -> FieldSeen:
        """The summary, for ``of`` places."""
        values = None
        if self.values is not None:
            order = sorted(self.values.items(), key=lambda pair: -pair[1])
            values = tuple((_shown(value), count) for value, count in order)
        return FieldSeen(
            path=self.path,
            declared=self.declared,
            free=self.free,
            of=of,
            present=sum(self.types.values()),
            types=dict(sorted(self.types.items(), key=lambda pair: -pair[1])),
            empty=self.empty,
            distinct=DISTINCT if self.distinct is None else len(self.distinct),
            more=self.distinct is None,
            values=values,
            numbers=None if self.low is None or self.high is None else (str(self.low), str(self.high)),
            moments=(self.earliest[1], self.latest[1]) if self.earliest and self.latest else None,
            lengths=None if self.longest < 0 else (self.shortest, self.longest),
            examples=_examples(values) if values else tuple(self.examples),
            at_longest=self.at_longest,
            zones=dict(self.zones) if self.earliest else {},
        )


def _zone_of(moment: str) -> str:
    """How the time zone of a moment is written, one of `ZONES`."""
    found = _ZONE.search(moment)
    if found is None:
        return "none"
    return "UTC" if not found[1].strip("+-0:") or found[1] in "Zz" else "offset"


def _examples(values: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    return tuple(value for value, _ in values if value != '""')[:EXAMPLES]


def _shown(value: Any) -> str:
    if isinstance(value, str) and value in (_TRUE, _FALSE):
        return value[1:]
    if isinstance(value, str) and len(value) > VALUE_LENGTH:
        value = value[: VALUE_LENGTH - 1] + "…"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return written(value)
