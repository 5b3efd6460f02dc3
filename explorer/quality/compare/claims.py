"""Claims about a changed value: the second half of a sentence, and the test whether it is true of a value."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as of
from decimal import Decimal
from typing import Any, Literal

from explorer.catalog.spec import ABSENT
from explorer.jsontext.pointer import value_at
from explorer.quality.compare.changed_values import (
    ChangedRecord,
    ChangedValue,
    below,
    canonical,
    counted,
    first_difference,
    is_empty,
    plain_json,
    same_items,
)
from explorer.quality.compare.formats import written_otherwise
from explorer.quality.compare.ignored_fields import LeftOut, is_vague
from explorer.quality.compare.records import written
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.transform import Transform, equal, is_number

Meaning = Literal["suspect", "unexplained", "edited", "harmless"]
MEANINGS: tuple[Meaning, ...] = ("suspect", "unexplained", "edited", "harmless")
"""The worst first. Harmless: the same content in another notation; another case may be another value."""
Holds = Callable[[ChangedValue, ChangedRecord], bool]
_HARMLESS = {"trimmed", "spaces", "Unicode form", "date read", "phone number", "number read"}
_HARMLESS |= {
    "number as text",
    "decimal point added",
    "boolean as text",
    "empty as null",
    "spelling",
    "listed",
}
_DEEPEST = 12
_SHOWN = 40
_BEFORE = 12
"""Characters that are shown before the place where two long texts differ."""
_COMPARED = 10_000
"""Characters in which that place is searched."""
_OF_A_TABLE = 25
_FORMS = 3
_FEW, _FEW_SHARE = 20, 0.05
"""Up to this many records, and this share of all, a common new value counts as an edit instead of a rule."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One way in which values of a field changed."""

    field: str
    name: str
    """A stable word, for reports: ``plus sign lost``, ``swapped``."""
    words: str
    """What follows the field's name in the sentence: ``lost its leading +``."""
    meaning: Meaning
    holds: Holds = of(compare=False, repr=False)
    cost: int = of(default=5, compare=False, repr=False)
    subject: str = ""
    """The subject of the sentence when that is more than the field: ``first_name and last_name``."""
    exact: bool = of(default=False, compare=False, repr=False)
    """Whether one value is enough evidence."""
    transform: Transform | None = of(default=None, compare=False, repr=False)
    of_few: str = of(default="", compare=False, repr=False)
    """The words where it is true of few records, for an edit instead of a rule; empty where they are the same."""

    def worded(self, count: int, records: int) -> Claim:
        """The claim as worded where it is true of ``count`` of all records."""
        if not self.of_few or count >= _FEW or count >= _FEW_SHARE * records:
            return self
        return replace(self, name="value changed", words=self.of_few, meaning="edited")


# ---------------------------------------------------------------- of nothing, to nothing

_NOTHING: dict[str, str] = {"absent": "absent", "null": "null", "''": '""', "[]": "[]", "{}": "{}"}
_WAS = {kind: f"was empty ({told})" for kind, told in _NOTHING.items()}
_WAS["absent"] = "is new, was empty (absent)"


def kind_of(value: Any) -> str:
    """The kind of a JSON value, with each way of being empty as its own kind."""
    if value is ABSENT:
        return "absent"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int | float | Decimal):
        return "number"
    if isinstance(value, str):
        return "text" if value else "''"
    if isinstance(value, list):
        return "array" if value else "[]"
    return "object" if value or isinstance(value, LeftOut) else "{}"


def of_emptiness(value: ChangedValue) -> Claim | None:
    """The claim about a value that is or was empty; None where it is neither, or its items differ in that."""
    kinds = {(kind_of(before), kind_of(now)) for before, now in value.pairs}
    if len(kinds) != 1:
        return None
    [(was, became)] = kinds
    if was not in _NOTHING and became not in _NOTHING:
        return None

    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        return all((kind_of(a), kind_of(b)) == (was, became) for a, b in value.pairs)

    if was in _NOTHING and became in _NOTHING:
        words = f"was {_NOTHING[was]} and is now {_NOTHING[became]}"
        return Claim(value.field, "empty otherwise", words, "harmless", holds, 9, exact=True)
    if became in _NOTHING:
        words = f"is now empty ({_NOTHING[became]})"
        return Claim(value.field, "now empty", words, "suspect", holds, 9, exact=True)
    words = f"{_WAS[was]} and has a value now"
    return Claim(value.field, "filled", words, "edited", holds, 9, exact=True)


# ---------------------------------------------------------------- by transforms

_SAID: dict[str, str] = {
    "plus sign lost": "lost its leading +",
    "leading zeros lost": "lost its leading zeros",
    "number read": "is a number now and was text",
    "number as text": "is text now and was a number",
    "zone dropped": "lost its time zone",
    "date read": "is written in another form, the same moment",
    "trimmed": "lost the spaces around it (trimmed)",
}
_TURNED = (
    (re.compile(r"(^|and |, )loses "), r"\1lost "),
    (re.compile(r"(^|and )keeps "), r"\1kept "),
    (re.compile(r"^(is|has) (?!now )"), r"\1 now "),
    (re.compile(r"× ([\d,]+)"), r"\1 times larger"),
    (re.compile(r"÷ ([\d,]+)"), r"\1 times smaller"),
    (re.compile(r"moved by ([+−])([\d.]+) h(?: (\d+) min)?"), r"moved by \1\2 hours \3 (time zone)"),
    (re.compile(r"moved by ([+−])0 hours (\d+)"), r"moved by \1\2 minutes"),
    (re.compile(r"([+−]1) hours"), r"\1 hour"),
    (re.compile(r"hours? +\("), "hours ("),
    (re.compile(r"moved by ([+−]1) hours"), r"moved by \1 hour"),
    (re.compile(r"moved by ([+−])(\d+) d\b"), r"moved by \1\2 days"),
    (re.compile(r"to 1 places"), "to 1 place"),
    (re.compile(r"under another zone"), "under another time zone"),
    (
        re.compile(r"normalised as a phone number$"),
        "normalised as a phone number, without spaces and punctuation",
    ),
    (re.compile(r"^is now the first part, split at space$"), "is cut to its first word"),
    (re.compile(r"^is now the (\w+) part, split at "), r"is cut to the \1 part, split at "),
    (re.compile(r"^is now all before the last space$"), "lost its last word"),
    (re.compile(r"^is now all before the last "), "lost its ending, is now all before the last "),
)


def words_of(transform: Transform) -> str:
    """A transform worded as a change between two states."""
    known = _SAID.get(transform.name) if " like " not in transform.words else None
    if known is not None:
        return known
    text = transform.words
    for pattern, other in _TURNED:
        text = pattern.sub(other, text)
    return text


def by_transform(name: str, one: Transform, pairs: Sequence[tuple[Any, Any]] = ()) -> list[Claim]:
    """The claims that follow from a transform of a field; for dates, keeping the same moment is a claim of its own.

    Some ``pairs`` show how unchanged dates are written now.
    """

    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        return all(equal(one(before), now) for before, now in value.pairs)

    meaning: Meaning = "edited"
    steps = set(one.name.split(", "))
    if steps <= _HARMLESS:
        meaning = "harmless"
    elif one.lossy or "unit" in steps or "charset" in one.name:
        meaning = "suspect"
    made = Claim(name, one.name, words_of(one), meaning, holds, one.cost, transform=one)
    if one.name != "date read":
        return [made]

    words = "lost its fraction of a second"
    lost = Claim(name, "fraction of a second lost", words, "suspect", holds, one.cost + 1, transform=one)
    told = Counter(how for how in (written_otherwise(*pair) for pair in pairs) if how)
    forms = [_same_moment(name, one, holds, how) for how, _ in told.most_common(_FORMS)]
    return [*forms, _same_moment(name, one, holds, ""), lost]


def _same_moment(name: str, one: Transform, holds: Holds, how: str) -> Claim:
    """The same moment in another notation; with an empty ``how`` in any notation."""

    def exact(value: ChangedValue, record: ChangedRecord) -> bool:
        if not holds(value, record) or not all(_moments(a) & _moments(b) for a, b in value.pairs):
            return False
        return not how or all(written_otherwise(*pair) == how for pair in value.pairs)

    words = words_of(one) + (f": {how}" if how else "")
    return Claim(name, "date read", words, "harmless", exact, one.cost + (not how), transform=one)


def _moments(value: Any) -> set[Any]:
    return {when.utc for when in date_readings(value)} if isinstance(value, str | int | float) else set()


# ---------------------------------------------------------------- of arrays


def of_arrays(name: str) -> tuple[Claim, ...]:
    """The claims about an array as a whole."""

    def all_pairs(test: Callable[[list[Any], list[Any]], bool]) -> Holds:
        def holds(value: ChangedValue, _: ChangedRecord) -> bool:
            lists = all(isinstance(a, list) and isinstance(b, list) for a, b in value.pairs)
            return lists and all(test(a, b) for a, b in value.pairs)

        return holds

    def gone(one: list[Any], other: list[Any]) -> bool:
        return len(other) < len(one) and not counted(other) - counted(one)

    def more(one: list[Any], other: list[Any]) -> bool:
        return gone(other, one)

    def again(one: list[Any], other: list[Any]) -> bool:
        had, has = counted(one), counted(other)
        repeated = more(one, other) and had.keys() == has.keys()
        return repeated and not any(
            is_vague(item) for item in one if has[canonical(item)] > had[canonical(item)]
        )

    def others(one: list[Any], other: list[Any]) -> bool:
        return bool(counted(one) & counted(other))

    kinds: tuple[tuple[str, str, Meaning, Callable[[list[Any], list[Any]], bool], int], ...] = (
        ("array order", "has the same items in another order", "harmless", same_items, 1),
        ("items repeated", "has its items twice or more often, none other", "suspect", again, 2),
        ("items gone", "lost items", "suspect", gone, 6),
        ("items added", "has items added", "edited", more, 6),
        ("items exchanged", "has some items gone and others added", "edited", others, 8),
    )
    return tuple(
        Claim(name, kind, words, meaning, all_pairs(test), cost, exact=True)
        for kind, words, meaning, test, cost in kinds
    )


# ---------------------------------------------------------------- of values that come back


def telling(value: Any) -> bool:
    """Whether finding a value elsewhere is significant."""
    if value is ABSENT or value is None or isinstance(value, bool):
        return False
    return not is_number(value) or abs(value) >= 100


def shown(value: Any) -> str:
    """A value as it is shown in a sentence."""
    return cut_short(_as_text(value), _SHOWN)


def shown_change(before: Any, now: Any, most: int = _SHOWN) -> str:
    """Two values as an example shows them, shortened around the place where they differ."""
    texts = around(_as_text(before), _as_text(now), most)
    return " → ".join(cut_short(text, _SHOWN) for text in texts)


def _as_text(value: Any) -> str:
    if value is ABSENT:
        return "absent"
    if isinstance(value, LeftOut):
        return "an object whose content is left out"
    return f'"{value}"' if isinstance(value, str) else canonical(value)


def cut_short(text: str, most: int) -> str:
    """A text of at most ``most`` characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def line_values(old: str, new: str, most: int) -> tuple[str, str, str]:
    """The path of the first item that differs in two values as JSON texts, where these are arrays; and both texts,
    around the place where they differ, when they have more than ``most`` characters.
    """
    if old.startswith("[") and new.startswith("["):
        try:
            path, *values = first_difference(plain_json(old), plain_json(new))
        except ValueError:
            path, values = "", []
        if path:
            old, new = ("absent" if value is ABSENT else written(value) for value in values)
            return (path, *around(old, new, most))
    return ("", *around(old, new, most))


def around(one: str, other: str, most: int) -> tuple[str, str]:
    """Two texts without most of a beginning that both have, where they do not fit into ``most`` characters."""
    ahead = zip(range(_COMPARED), one, other, strict=False)
    same = next((at for at, a, b in ahead if a != b), min(_COMPARED, len(one), len(other)))
    start = same - _BEFORE if max(len(one), len(other)) > most and same > max(most // 2, _BEFORE) else 0
    return (f"…{one[start:]}", f"…{other[start:]}") if start else (one, other)


def constant(name: str, now: Any) -> Claim:
    """The same value now, whatever it was before."""
    return Claim(
        name,
        "constant",
        f"has a new constant value: {shown(now)}",
        "suspect",
        lambda value, _: all(equal(one, now) for one in value.nows) and not any(map(is_empty, value.befores)),
        6,
        of_few=f"changed from other values to {shown(now)}",
    )


def filled_with(name: str, before: Any, now: Any, *, always: bool = True) -> Claim:
    """Empty before, and the same value in each now: ``always``, or only in some of those that were filled."""
    was = kind_of(before)
    return Claim(
        name,
        "default",
        f"{_WAS[was]} and is now {'always ' if always else ''}{shown(now)}",
        "edited",
        lambda value, _: all(kind_of(a) == was and equal(b, now) for a, b in value.pairs),
        6,
    )


def from_to(name: str, entries: dict[str, tuple[Any, Any]]) -> Claim:
    """One new value for each old value, by its content."""
    some = [f"from {shown(a)} to {shown(b)}" for a, b in entries.values()]
    words = "changed " + ", ".join(some[:3])
    if len(some) > 3:
        kinds = {(kind_of(a), kind_of(b)) for a, b in entries.values()}
        retyped = " from texts to numbers" if kinds == {("text", "number")} else ""
        retyped = retyped or (" from numbers to texts" if kinds == {("number", "text")} else "")
        words = f"changed{retyped} by a table of {len(some)} values ({', '.join(some[:2])}, …)"

    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        found = ((entries.get(canonical(before)), now) for before, now in value.pairs)
        return all(entry is not None and equal(entry[1], now) for entry, now in found)

    # One rule for all entries is better than listing them.
    kind, cost = ("table", _OF_A_TABLE) if len(some) > 1 else ("value changed", 5)
    return Claim(name, kind, words, "edited", holds, cost)


# ---------------------------------------------------------------- of other fields and records


def steps_of(path: str) -> tuple[str, ...]:
    """The names in a path without array items."""
    found = re.findall(r'\["(?:[^"\\]|\\.)*"\]|[^.\[\]]+', path)
    return tuple(json.loads(one[1:-1]) if one.startswith('["') else one for one in found)


def leaves(value: Any, path: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Every value that is not an object, with its path."""
    if isinstance(value, dict) and value and depth < _DEEPEST:
        for name, inner in value.items():
            yield from leaves(inner, below(path, name), depth + 1)
    elif path:
        yield path, value


def renamed(old: str, new: str) -> tuple[Claim, Claim]:
    """A field under another name."""

    def holds(_: ChangedValue, record: ChangedRecord) -> bool:
        one, other = record.values.get(old), record.values.get(new)
        if one is None or other is None or len(one.befores) != len(other.nows):
            return False
        gone = all(now is ABSENT for now in one.nows) and all(was is ABSENT for was in other.befores)
        return gone and all(map(equal, one.befores, other.nows))

    words = f"is now called {new}"
    return (
        Claim(old, "renamed", words, "suspect", holds, 1, old, exact=True),
        Claim(new, "renamed", words, "suspect", holds, 1, old, exact=True),
    )


def swapped(one: str, other: str) -> tuple[Claim, Claim]:
    """Two fields whose values were swapped."""
    first, second = sorted((one, other))

    def holds(_: ChangedValue, record: ChangedRecord) -> bool:
        a, b = record.values.get(first), record.values.get(second)
        if a is None or b is None or len(a.befores) != len(b.nows):
            return False
        return all(map(equal, a.befores, b.nows)) and all(map(equal, b.befores, a.nows))

    subject, words = f"{first} and {second}", "are swapped"
    return (
        Claim(first, "swapped", words, "suspect", holds, 1, subject),
        Claim(second, "swapped", words, "suspect", holds, 1, subject),
    )


def was_of(name: str, source: str) -> Claim:
    """The value that another field, or a member of it, had before."""

    def holds(value: ChangedValue, record: ChangedRecord) -> bool:
        return len(value.nows) == 1 and any(
            path == source and equal(was, value.nows[0])
            for other in record.values.values()
            if source.startswith(other.field) and other.field != name and len(other.befores) == 1
            for path, was in leaves(other.befores[0], other.field)
        )

    return Claim(name, "value of another field before", f"is now what {source} was", "suspect", holds, 4)


def copy_of(name: str, source: str) -> Claim:
    """The value that another field has now and did not have before: an unchanged value would explain neither."""
    steps = steps_of(source)

    def holds(value: ChangedValue, record: ChangedRecord) -> bool:
        now = value_at(record.now(), steps, ABSENT)
        return (
            len(value.nows) == 1 and equal(now, value.nows[0]) and not _went_along(value, source, now, record)
        )

    return Claim(name, "value of another field", f"is now the value of {source}", "suspect", holds, 3)


def _went_along(value: ChangedValue, source: str, now: Any, record: ChangedRecord) -> bool:
    """Whether another field had the same content before, as text or as a number."""
    other = record.values.get(source)
    if other is not None:
        was = other.befores[0]
    else:
        # What is left out of the comparison may have changed as well.
        earlier = record.before()
        was = now if earlier is None else value_at(earlier, steps_of(source), ABSENT)
    return canonical(was).strip('"') == canonical(value.befores[0]).strip('"')


def of_neighbour(name: str) -> Claim:
    """The value of the record before it."""
    steps = steps_of(name)

    def holds(value: ChangedValue, record: ChangedRecord) -> bool:
        near = record.neighbour()
        return (
            near is not None and len(value.nows) == 1 and equal(value_at(near, steps, ABSENT), value.nows[0])
        )

    return Claim(
        name, "value of the record before", "is now the value of the record before", "suspect", holds, 2
    )


def of_another(name: str, known: set[str]) -> Claim:
    """The value of this field in some other record; ``known`` are the changed values, in the form of `canonical`."""

    def holds(value: ChangedValue, _: ChangedRecord) -> bool:
        return all(canonical(now) in known for now in value.nows)

    return Claim(name, "value of another record", "is now the value of another record", "suspect", holds, 7)
