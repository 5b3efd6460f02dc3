"""One field beside the raw path that has its name: what both have in common over the records, and where they differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.conditions import are_of_a_kind
from explorer.quality.mapping.field_state import Group
from explorer.quality.mapping.learn import is_called
from explorer.quality.mapping.name_match import is_id, words_of_name, words_of_path
from explorer.quality.mapping.normal_forms import forms
from explorer.quality.mapping.same_name_texts import NamedTexts
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.transforms import is_number

MOST_VALUES = 20_000
"""The most values that are remembered."""
SEVERAL = 3
"""The fewest odd records that tell something."""
USUAL = 0.5
"""The usual share of records."""
WORDS = 6
"""The most words of a field that may be a truth value."""
_INVERTED = 20
"""The fewest records that show that a flag is inverted."""
_KINDS = 40
"""The most values, or letters of one, that may be words for a kind."""
_RARELY = 0.1
"""The share of the usual records that may have a value of the odd ones."""
_LONGEST_WORD = 5
"""The longest word that is not looked at as an id."""
_OTHERS = frozenset(
    {"user", "owner", "parent", "creator", "author", "folder", "drive", "account", "contact", "by"}
)
_NO_ID = frozenset(
    {"etag", "tag", "version", "revision", "rev", "hash", "checksum", "md5", "sha1", "sha256", "position"}
)
"""Names of values that change with a record. A third party may have several ids for a record, of which any will do."""


@dataclass(slots=True)
class NamedColumn:
    """One field and the raw path that has its name, with counts over the records so far."""

    name: str
    path: str
    read: Callable[[Any], Any]
    """Reads the value at the path."""
    both: int = 0
    """Records in which both have a value."""
    differs: Group = field(default_factory=Group)
    before: int = 0
    """Of the differing records, how many have the path's value of the record before."""
    here: int = 0
    """Of the differing records, how many have a value from elsewhere in their own raw record."""
    values: set[int] = field(default_factory=set)
    """Different values of the field."""
    there: set[int] = field(default_factory=set)
    """Different values at the path."""
    odd: set[int] = field(default_factory=set)
    """The field's values in differing records."""
    pair: tuple[Any, Any] | None = None
    last: Any = None
    """The path's value in the record before."""
    held_last: Any = None
    """The path's value in the last record in which it was not empty."""
    usual: list[dict[str, Any]] = field(default_factory=list)
    unusual: list[dict[str, Any]] = field(default_factory=list)
    paths: Counter[str] = field(default_factory=Counter)
    """For differing records, the raw paths at which the field's value was found instead."""
    texts: NamedTexts = field(default_factory=NamedTexts)
    nulls: Group = field(default_factory=Group)
    """Records with null in the field and a value at the path."""
    shaped: int = 0
    """Records in which both have the same form."""
    is_fuller: bool = False
    """Whether the path has more words than the field's name: then only what the field has lost is reported."""
    extra: Group = field(default_factory=Group)
    """Records in which the field has a value and the path none."""
    left: int = 0
    """Of those, how many have the path's last value."""
    extras: set[int] = field(default_factory=set)
    """The field's values in those."""
    alike: set[str | tuple[type, Any, Any]] = field(default_factory=set)
    """Values with their type that both have, not yet moved to `values` and `there`, where most never are needed."""

    def look_all(self, texts: list[str], others: list[tuple[Any, Any]]) -> None:
        """Adds several records in which both have the same value; see `_alike`."""
        self.both += len(texts) + len(others)
        self.shaped += len(texts) + len(others)
        self.texts.look_all(texts)
        if len(self.alike) < MOST_VALUES and (
            len(self.values) < MOST_VALUES or len(self.there) < MOST_VALUES
        ):
            self.alike.update(texts)
            self.alike.update([(type(value), value, its) for value, its in others])

    @property
    def is_mixed(self) -> bool:
        """Whether neighbouring records mostly differ at the path: then the list is not sorted by it."""
        held = [its.get(self.path) for its in self.usual]
        changes = sum(bool(a != b) for a, b in pairwise(held))
        return changes >= USUAL * (len(held) - 1)

    @property
    def is_inverted(self) -> bool:
        """Whether the field is true where the path has false, and false where it has true, in all records."""
        if self.pair is None or not all(isinstance(one, bool) for one in self.pair):
            return False
        return self.differs.count == self.both >= _INVERTED and len(self.values) > 1

    def fold(self) -> None:
        """Moves the values that both have to where they are looked up."""
        while self.alike:
            both = self.alike.pop()
            _, value, its = (str, both, both) if isinstance(both, str) else both
            for kept, one in ((self.values, value), (self.there, its)):
                if len(kept) < MOST_VALUES:
                    kept.add(hash(forms(one)[-1]))


def are_ids(pair: tuple[Any, Any] | None) -> bool:
    """Whether each step of a raw path is an id, where the field's has names: people read that one."""
    source, value = pair or (None, None)
    if not (isinstance(source, str) and isinstance(value, str) and "/" in source and "/" in value):
        return False
    ids, names = (list(filter(None, one.split("/"))) for one in (source, value))
    return ids != names and all(len(one) > _LONGEST_WORD and any(map(str.isdigit, one)) for one in ids)


def has_the_end(pair: tuple[Any, Any] | None) -> bool:
    """Whether a text holds the end of the other, as a path the folder's: a prefix where that never changes."""
    source, value = pair or (None, None)
    end = source.rpartition("/")[2] if isinstance(source, str) and "/" in source else ""
    return isinstance(value, str) and len(end) > SEVERAL and f"{end}/" in value


def is_said_within(pair: tuple[Any, Any] | None) -> bool:
    """Whether a text holds the value whole, as ``"A. Jones" <a@b.example>`` its address: it says nothing else then."""
    source, value = pair or (None, None)
    if not (isinstance(source, str) and isinstance(value, str) and len(value) > SEVERAL):
        return False
    return bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", source, re.IGNORECASE))


def is_own(name: str) -> bool:
    """Whether a field is the id of the record, or of the item, itself."""
    return name == "id" or name.endswith("].id")


def is_of_another(one: NamedColumn) -> bool:
    """Whether a path is in an object with an id of its own: then ``campaign.user_id`` tells whose the campaign is.

    So does one beside the id of something else: ``sender.userId`` beside ``sender.mailboxId`` is the sender's.
    """
    outer = one.path.rpartition("/")[0]
    is_other = words_of_name(one.name).isdisjoint(words_of_path(outer)) and is_called(one.name, one.path)
    if not (outer and is_other):
        return False
    is_users = words_of_name(one.name) == {"user", "id"}
    return any(
        its.get(path)
        for its in one.usual + one.unusual
        for path in (its if is_users else (f"{outer}/id",))
        if path == f"{outer}/id"
        or (path != one.path and path.rpartition("/")[0] == outer and is_id(path[1:]))
    )


def is_very_path(name: str, path: str) -> bool:
    """Whether a path has the field's full name, its parents included: ``location.name`` for ``/location/name``."""
    inner = name.rpartition("[].")[2].split(".")
    return len(inner) > 1 and steps(path) == inner


def is_no_own_id(path: str) -> bool:
    """Whether a path holds a value that changes with the record, or the id of another object."""
    words, names = words_of_path(path), [one for one in steps(path) if not one.isdigit()]
    inside = len(names) > 1 and words_of_name(names[-1]) == {"id"} and words != {"id"}
    return bool(words & _NO_ID) or inside or ("id" in words and bool(words & _OTHERS))


def is_of_form(value: Any, there: Any) -> bool:
    """Whether one value could stand for the other: both are truth values, or both dates, or neither."""
    mine, its = form_of(value), form_of(there)
    return mine == its or (mine == "date" and its == "number" and bool(date_readings(there)))


def form_of(value: Any) -> str:
    """Whether a value is a truth value, a number, a date or a text, in a word."""
    if isinstance(value, bool):
        return "truth"
    if is_number(value) or (isinstance(value, str) and value.isdigit()):
        return "number"
    return "date" if date_readings(value) else "text"


def is_formed(value: Any) -> bool:
    """Whether a text has more than letters."""
    return isinstance(value, str) and any(not sign.isalpha() for sign in value)


def is_separate(one: NamedColumn) -> bool:
    """Whether a raw value with few variants separates the differing records from the others: then it is a rule."""
    if len(one.unusual) < SEVERAL or not one.usual:
        return False
    for path in {path for its in one.unusual[:5] for path in its} | {
        path for its in one.usual[:5] for path in its
    }:
        odd = {repr(its.get(path)) for its in one.unusual}
        usual = [repr(its.get(path)) for its in one.usual]
        if len(odd | set(usual)) <= _KINDS and sum(value in odd for value in usual) <= 0.1 * len(usual):
            return True
    return False


def condition_of(one: NamedColumn) -> str:
    """The path whose value separates the differing records, in words, where no such path or value is about the field.

    What is archived may be told as deleted besides what is; what is finished is not.
    """
    if len(one.unusual) < SEVERAL or not one.usual or is_id(one.name):
        return ""
    wanted = words_of_name(one.name.rpartition(".")[2])
    found = ""
    for path, value in one.unusual[0].items():
        odd = {repr(its.get(path)) for its in one.unusual}
        usual = sum(repr(its.get(path)) in odd for its in one.usual)
        if path == one.path or len(odd) > WORDS // 2 or usual > _RARELY * len(one.usual):
            continue
        if not wanted.isdisjoint(words_of_path(path) | words_of_name(str(value)[:_KINDS])):
            return ""
        found = found or spoken(path)
    return found


def is_of_a_kind(one: NamedColumn) -> bool:
    """Whether the differing records are of a kind of which no other has the path's value."""
    there = one.pair[0] if one.pair is not None else None
    return are_of_a_kind(one.unusual, [its for its in one.usual if its.get(one.path) == there])


def is_truth(one: NamedColumn) -> bool:
    """Whether a field is true or false."""
    return one.pair is not None and isinstance(one.pair[1], bool)
