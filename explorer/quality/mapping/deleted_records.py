"""Records of which raw data says that they are gone: deleted, in the trash, or merged into another.

A table or a tree learns what a connector does; that it leaves deleted records as if they were there is told by the
words of the raw record alone: a flag that is set, a date that is there, the id of the record that took its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import step
from explorer.quality.mapping.conditions import Laid, have_something
from explorer.quality.mapping.field_state import Group
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.name_match import words_of_name
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.record_batch import RecordBatch, Seen
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import leaves
from explorer.quality.values.transforms import is_number

_GONE = frozenset({"deleted", "deletion", "trash", "trashed", "trashbin", "removed", "purged"})
_INTO = frozenset({"into", "to"})
_BESIDE = frozenset(
    {
        "is",
        "was",
        "has",
        "been",
        "at",
        "on",
        "in",
        "since",
        "when",
        "date",
        "time",
        "timestamp",
        "moment",
        "utc",
        "soft",
    }
    | {"flag", "state", "status", "record", "item", "entry", "now", "already", "permanently"}
)
"""Words that may stand beside it: with another one it is possible (`can_delete`), or of something else (`person`)."""
_YES = frozenset({"true", "yes", "y", "1", "deleted", "trashed", "removed"})
_LIKE = _GONE | {"archived", "archive", "hidden", "expired", "merged", "obsolete", "cancelled"}
"""Words of states that may be told as deleted."""
_STATES = frozenset({"status", "state", "lifecycle"})
_OF_RECORDS = frozenset({"record", "item", "entry", "object", "system", "current", "s", "c", "life", "cycle"})
"""Words that may stand beside those of states, which then are the record's own."""
_FEWEST = 3
"""The fewest records of each kind that tell anything."""
_KEPT = 60
"""The most raw records that are kept to be compared."""
_FLAGS = frozenset((bool, type(None)))
_MOST = 0.5
"""The share of records that may be told wrongly as live."""
_RARE = 0.1
"""The same where no field could say it: a list of which more is deleted has it because it is meant to."""
_PATHS = 20
"""The most raw paths that are followed."""


@dataclass(slots=True)
class DeletedRecords:
    """The records of one list."""

    raw: str
    declared: Collection[str]
    """The names of the contract's fields."""
    count: int = 0
    _said: dict[str, Group] = field(default_factory=dict)
    """Records that are told as if they were there, by the raw path that says otherwise."""

    _unsaid: dict[str, Group] = field(default_factory=dict)
    """Records that are told as deleted, by the raw path that says otherwise: it is there, and false or empty."""
    _agreed: Counter[str] = field(default_factory=Counter)
    """Records that are told as deleted, by the raw path that says so."""
    _odd: list[Laid] = field(default_factory=list)
    _live: list[Laid] = field(default_factory=list)
    """Raw records of some that are told as deleted and do not say so, and of some that are not."""
    _flag: str = ""

    def __post_init__(self) -> None:
        self._flag = next(filter(_is_flag, self.declared), "")

    def look(self, record: Mapping[str, Any], seen: Seen) -> None:
        """Looks at one more record with raw data."""
        self.count += 1
        flag = self._flag
        if flag and record.get(flag) is True:
            self._look_at_gone(record[self.raw], seen)
        elif flag and len(self._live) < _KEPT:
            self._live.append(leaves(record[self.raw]))
        for path in _gone(record[self.raw]) if not flag or record.get(flag) is False else ():
            if _kind(path[1:]) == "state" and not (flag and self._is_untold(path[1:], record)):
                continue
            if path in self._said or len(self._said) < _PATHS:
                self._said.setdefault(path, Group()).see(seen, record.get(flag or "id"))

    def _is_untold(self, name: str, record: Mapping[str, Any]) -> bool:
        """Whether no field has the very word of a raw state: it then says what the field is about."""
        return all(record.get(one) != record[self.raw][name] for one in self.declared)

    def _look_at_gone(self, raw: Mapping[str, Any], seen: Seen) -> None:
        """Looks at the raw data of a record that is told as deleted."""
        said = set(_gone(raw))
        self._agreed.update(said)
        words = {*map(str.casefold, filter(_is_text, leaves(raw).values()))}
        true = [path for path, value in leaves(raw).items() if value is True]
        if said or words & _LIKE or any(_LIKE & {*tokens_of(path)} for path in true):
            return
        if len(self._odd) < _KEPT:
            self._odd.append(leaves(raw))
        for name in _telling(tuple(raw)):
            if len(self._unsaid) < _PATHS and _kind(name) == "gone":
                self._unsaid.setdefault(f"/{step(name)}", Group()).see(seen, True)

    def look_all(self, many: RecordBatch) -> None:
        """Looks at several more; one by one only where one of them may say that it is gone."""
        few = self.count < _KEPT
        told = self._flag and (few or True in many.column(self._flag).values)
        if told or many.raw_columns is None or _any_gone(many.raw_columns, many.raw_shapes):
            for record, seen in many:
                self.look(record, seen)
        else:
            self.count += len(many)

    def findings(self) -> Iterator[MappingFinding]:
        """The findings, one for each raw path."""
        flag = self._flag
        for path, group in self._said.items():
            if group.count > (_MOST if flag else _RARE) * self.count:
                continue  # it does not tell what it seems to, or lists have what is deleted
            where = f"{self.raw}{spoken(path)}"
            what = f"{flag} is false" if flag else "a record is listed as if it were there"
            what += f" although {where} says that it is gone, in {group.count:,} of {self.count:,} records"
            yield MappingFinding("alike", "gone", flag or "id", what, group.count, tuple(group.examples))
        for path, group in self._unsaid.items():
            if self._agreed[path] >= _FEWEST <= group.count and not have_something(self._odd, self._live):
                what = f"{flag} is true although {self.raw}{spoken(path)} does not say so, as it does of others, in"
                what += f" {group.count:,} of {self.count:,} records"
                yield MappingFinding("alike", "not gone", flag, what, group.count, tuple(group.examples))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(name: str) -> bool:
    """Whether a field says that its record is deleted."""
    return name.startswith("is_") and bool(_GONE & set(tokens_of(name)))


def _gone(raw: Mapping[str, Any]) -> Iterator[str]:
    """The paths of the first two levels of a raw record which say that it is gone."""
    for name in _telling(tuple(raw)):
        if _says(name, raw[name]):
            yield f"/{step(name)}"
    for outer, box in raw.items():
        if type(box) is dict:
            for name in _telling(tuple(box)):
                if _kind(name) != "state" and _says(name, box[name]):
                    yield f"/{step(outer)}/{step(name)}"


def _any_gone(columns: Mapping[str, Sequence[Any]], shapes: Mapping[str, set[tuple[str, ...]]]) -> bool:
    """Whether `_gone` yields a path for any of the raw records of a `RecordBatch`."""
    for name in _telling(tuple(columns)):
        values = columns[name]
        if any(_says(name, one) for one in (set(values) if set(map(type, values)) <= _FLAGS else values)):
            return True
    for outer, inner in shapes.items():
        for name in {name for shape in inner for name in _telling(shape)}:
            if any(_says(name, box[name]) for box in columns[outer] if type(box) is dict and name in box):
                return True
    return False


@lru_cache(maxsize=1024)
def _telling(names: tuple[str, ...]) -> tuple[str, ...]:
    """The members of an object that may say so; cached, because a list's objects have few shapes."""
    return tuple(name for name in names if _kind(name))


@lru_cache(maxsize=4096)
def _kind(name: str) -> str:
    words = set(tokens_of(name))
    if words & _STATES and words <= _STATES | _OF_RECORDS:
        return "state"
    if "merged" in words and words & _INTO:
        return "merged"
    return "gone" if words & _GONE and words <= _GONE | _BESIDE else ""


def _says(name: str, value: Any) -> bool:
    if _kind(name) == "merged":
        return not is_empty(value) and not isinstance(value, bool | list)
    if _kind(name) == "state":
        said = set(tokens_of(value)) if isinstance(value, str) else set()
        return bool(said & _GONE) and said <= _GONE | _BESIDE
    if isinstance(value, str):
        return value.strip().casefold() in _YES or bool(date_readings(value))
    if is_number(value):
        return value == 1 or bool(date_readings(value))
    plain = isinstance(value, dict) and words_of_name(name) == {"deleted"}
    return value is True or (plain and not is_empty(value))
