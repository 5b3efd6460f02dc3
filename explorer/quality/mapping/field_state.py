"""What is known of one field of a list: how it is made, what that explains, and examples of what it does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import PLACES, shown
from explorer.quality.engine.row import PLACE
from explorer.quality.mapping.origin import Origin, is_empty
from explorer.quality.mapping.record_batch import Seen
from explorer.quality.mapping.sample import Found

SAMPLE = 150
"""Records from which it is learned how fields are made."""
EXAMPLES = 5
"""Most examples that are shown of one kind of odd value."""
LONGEST_CLASS = 80
"""Characters by which results are told apart that several records have."""
_STRONG, _FEW = 0.95, 50
Rows = Sequence[tuple[Mapping[str, Any], Seen]]
"""Records, or items of arrays, each with what makes a value of it an example."""


def places_of(odd: Iterable[int], rows: Rows, name: str) -> tuple[Example, ...]:
    """The rows at the indexes ``odd`` as places of a finding, each with its value of ``name``: `PLACES` at most."""
    return tuple(rows[at][1](rows[at][0].get(name)) for at in islice(odd, PLACES))


@dataclass(slots=True)
class Odd:
    """One value that differs from what its field's origin makes."""

    source: Any
    """What the origin reads there."""
    value: Any
    example: Example


@dataclass(slots=True)
class Group:
    """Odd values that have something in common."""

    count: int = 0
    examples: list[Example] = field(default_factory=list)
    """The first places, more than are shown: all of them are marked in their list, and counted once."""
    words: str = ""

    def add(self, example: Example, words: str = "") -> None:
        """Adds one more."""
        self.count += 1
        self.words = self.words or words
        if len(self.examples) < PLACES:
            self.examples.append(example)

    def take(self, example: Example) -> None:
        """Removes one that was added."""
        self.count -= 1
        self.examples = [one for one in self.examples if one is not example]

    def see(self, seen: Seen, value: Any, words: str = "") -> None:
        """Adds one more; its example is made only if it is needed."""
        self.count += 1
        self.words = self.words or words
        if len(self.examples) < PLACES:
            self.examples.append(seen(value if len(self.examples) < EXAMPLES else PLACE))


@dataclass(slots=True)
class FieldState:
    """What is known of one field so far."""

    name: str
    origin: Origin | None = None
    found: Found | None = None
    second: Origin | None = None
    """How the records are made that the origin does not explain."""
    sampled: int = 0
    """How many values the origin was learned from."""
    filled: int = 0
    explained: int = 0
    by_second: int = 0
    without: str = ""
    """The raw object that a record has which is to have no value here; see `learn.without_number`."""
    empty: int = 0
    """Records in which neither the field nor its source has a value."""
    flagged: int = 0
    """Values that another check has reported."""
    lost_and_told: int = 0
    """Values that are lost although their source has one, and that another check has reported."""
    lost: Group = field(default_factory=Group)
    """Values that contain less than their source, where the origin is lossy."""
    second_lost: Group = field(default_factory=Group)
    second_odd: Group = field(default_factory=Group)
    """Values that are made in the second way though the first source has a value."""
    fallback: Group = field(default_factory=Group)
    """Values that are made in the second way where the first source has none."""
    first: list[Example] = field(default_factory=list)
    """The first records in which the field has a value."""
    defaulted: Group = field(default_factory=Group)
    """Values that the origin's default explains, where its source is empty."""
    default_values: list[Any] = field(default_factory=list)
    respelt: Group = field(default_factory=Group)
    """Values that are their source in other letters."""
    spelt: list[tuple[str, str]] = field(default_factory=list)
    """Of the first of these, the source and the value."""
    of_before: int = 0
    """Of the values that differ, how many are what the record before gives."""
    agreeing: int = 0
    """Values that agree with their source and were tested for a loss all the same."""
    missing: dict[str, Group] = field(default_factory=dict)
    """Records in which the source has a value and the field none, by ``null`` and ``absent``."""
    before: Group = field(default_factory=Group)
    after: Group = field(default_factory=Group)
    other: dict[tuple[str, ...], Group] = field(default_factory=dict)
    """Values of another raw path, by all paths that have it."""
    extra: Group = field(default_factory=Group)
    """Values where the source has none."""
    left: int = 0
    """Of those, how many are the field's value in the record before."""
    differs: Group = field(default_factory=Group)
    kept: list[Odd] = field(default_factory=list)
    records: list[Mapping[str, Any]] = field(default_factory=list)
    """Records that the origin does not explain, to learn from, until a second way is found."""
    odds: list[tuple[Group, Odd]] = field(default_factory=list)
    """What is odd in each of them, with the group that counts it."""
    beside: FieldState | None = None
    """The records that are made in the second way because the first source is empty: judged like a field."""
    tried: int = 0
    second_of: list[Mapping[str, Any]] = field(default_factory=list)
    """Some records from which the second way was learned."""

    is_strong: bool = False
    """Whether a record that the origin does not explain is significant."""

    def way(self, raw: Any) -> FieldState:
        """The state that a value of this raw record is judged by: of the second way where only that has a source."""
        first, beside = self.origin, self.beside
        if first is None or beside is None or beside.origin is None or not is_empty(first.read(raw)):
            return self
        return self if is_empty(beside.origin.read(raw)) else beside

    def by_path(self) -> dict[str, Group]:
        """Values of another raw path by that path: of several that have a value the one that has most of them."""
        left, made = dict(self.other), dict[str, Group]()
        while left:
            counts = Counter[str]()
            for paths, group in left.items():
                counts.update(dict.fromkeys(paths, group.count))
            path = counts.most_common(1)[0][0]
            some = [left.pop(paths) for paths in list(left) if path in paths]
            made[path] = Group(sum(one.count for one in some), [at for one in some for at in one.examples])
        return made

    def made_by(self, one: Origin | None) -> None:
        """Sets the origin that values are compared with from now on."""
        self.origin = one
        strong = one is not None and one.support >= _STRONG and one.distinct >= EXAMPLES
        self.is_strong = one is not None and strong and not one.loose

    @property
    def is_unique(self) -> bool:
        """Whether hardly two records share a value, so that having a neighbour's is not a coincidence."""
        one = self.origin
        filled = max(1, self.filled, self.sampled)
        return one is not None and one.distinct >= 0.5 * one.support * min(SAMPLE, filled)

    @property
    def is_always_there(self) -> bool:
        """Whether each of many objects had this member, so that an object without it is odd."""
        return "." in self.name and not self.empty and self.filled >= _FEW


def flat(record: Mapping[str, Any], raw: str) -> Iterator[tuple[str, Any]]:
    """The fields of a record with their values, those of objects as ``permissions.download``; raw data as it is."""
    for name, value in record.items():
        yield name, value
        if type(value) is dict and name != raw:
            for inner, below in value.items():
                if type(below) is not dict and "." not in inner:
                    yield f"{name}.{inner}", below


def class_of(value: Any) -> str:
    """A text that is the same for the same results: an array in any order, nothing for what is empty."""
    if is_empty(value):
        return ""
    return repr(sorted(map(str, value)) if isinstance(value, list) else value)[:LONGEST_CLASS]


def short(value: Any) -> str:
    """A value as JSON, its middle left out where it is long."""
    said = shown(value)
    return said if len(said) <= 60 else f"{said[:40]}…{said[-15:]}"
