"""What drifted between two ledgers of one list, by fixed rules, and ledgers of several connections side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from explorer.quality.ledger.ledger import Ledger
from explorer.quality.ledger.seen import ZONES, FieldSeen
from explorer.quality.values.moments import seconds_of

Rule = Literal["appeared", "vanished", "fill", "types", "values", "range", "zone"]

FILL_POINTS = 5.0
"""A fill rate counts as changed when it differs by this many percentage points or more."""
FEWEST = 20
"""Places that a field must have on both sides for its fill rate and its values to be compared."""
REPEATED = 4
"""A field has few values when each occurred this often on average; then a new value is reported."""
LENGTH_FACTOR = 2
"""A text is out of range when it is longer than this many times the longest before."""
CUT_ALIKE = 3
"""So many different texts that end at one length, shorter than the longest before, may be cut."""


@dataclass(frozen=True, slots=True)
class Drift:
    """One difference between two ledgers."""

    path: str
    rule: Rule
    sentence: str
    was: str = ""
    now: str = ""


def drift(before: Ledger, after: Ledger) -> tuple[Drift, ...]:
    """The differences, in the order of the later ledger's fields, with those of missing fields at the end."""
    was = {one.path: one for one in before.fields if one.present}
    now = {one.path: one for one in after.fields if one.present}
    made: list[Drift] = []
    for path, field in now.items():
        old = was.get(path)
        if old is not None:
            made += _differs(old, field)
        elif _could_be(before, path):
            made.append(Drift(path, "appeared", f"was never there, is now in {_share(field)}"))
    made += [
        Drift(path, "vanished", f"was in {_share(old)}, is now in none")
        for path, old in was.items()
        if path not in now and _could_be(after, path)
    ]
    return tuple(made)


def side_by_side(ledgers: Sequence[Ledger]) -> Iterator[tuple[str, tuple[FieldSeen | None, ...]]]:
    """Each path of any ledger once, with its field in each; a path of a later ledger follows its neighbour there."""
    order: list[str] = []
    for ledger in ledgers:
        at = 0
        known = set(order)
        for field in ledger.fields:
            if field.path in known:
                at = order.index(field.path) + 1
            else:
                order.insert(at, field.path)
                at += 1
    lines = [{field.path: field for field in ledger.fields} for ledger in ledgers]
    for path in order:
        yield path, tuple(one.get(path) for one in lines)


def _could_be(ledger: Ledger, path: str) -> bool:
    """Whether the field's parent existed at all; otherwise only the outermost new field is reported."""
    parent = _parent(path)
    if parent is None:
        return ledger.rows > 0
    around = ledger.field(parent)
    return around is not None and around.present > 0


def _parent(path: str) -> str | None:
    if path.endswith("[]"):
        return path[:-2]
    if path.endswith('"]'):
        return path[: path.rindex('["')] or None
    head, dot, _ = path.rpartition(".")
    return head if dot else None


def _differs(old: FieldSeen, new: FieldSeen) -> Iterator[Drift]:
    path = old.path
    if old.fill is not None and new.fill is not None and min(old.of, new.of) >= FEWEST:
        points = (new.fill - old.fill) * 100
        if abs(points) >= FILL_POINTS:
            yield Drift(
                path,
                "fill",
                f"filled in {new.fill:.0%}, was {old.fill:.0%}",
                f"{old.fill:.1%}",
                f"{new.fill:.1%}",
            )
    gained, lost = new.types.keys() - old.types.keys(), old.types.keys() - new.types.keys()
    if gained or lost:
        words = [f"is sometimes {kind}" for kind in sorted(gained)] + [
            f"is never {kind} any more" for kind in sorted(lost)
        ]
        yield Drift(
            path, "types", ", ".join(words), ", ".join(sorted(old.types)), ", ".join(sorted(new.types))
        )
    strange = _new_values(old, new)
    if strange:
        shown = ", ".join(strange[:5]) + (f" and {len(strange) - 5} more" if len(strange) > 5 else "")
        yield Drift(path, "values", f"new values: {shown}", f"{len(old.values or ())} values", shown)
    if old.zones and new.zones and (zones := _zones(old, new)):
        yield Drift(path, "zone", zones, _zone_words(old), _zone_words(new))
    words_of_range = _left(old, new)
    if words_of_range:
        yield Drift(path, "range", words_of_range, old.range_words, new.range_words)


def _new_values(old: FieldSeen, new: FieldSeen) -> list[str]:
    if old.values is None or new.values is None or "boolean" in new.types:
        return []
    # That it is empty now is reported by its fill rate.
    known = {value for value, _ in old.values} | {'""'}
    seen = sum(count for _, count in old.values)
    few = bool(old.declared and old.declared.choices) or (seen >= FEWEST and seen >= REPEATED * len(known))
    return [value for value, _ in new.values if value not in known] if few and "text" in new.types else []


def _left(old: FieldSeen, new: FieldSeen) -> str:
    """How a range was left, in words. Later moments in later records are expected; an earlier one is reported."""
    if old.moments and new.moments:
        was, now = seconds_of(old.moments[0]), seconds_of(new.moments[0])
        early = was is not None and now is not None and now < was
        return f"begins at {new.moments[0]}, was {old.moments[0]}" if early else ""
    if old.numbers and new.numbers:
        low = Decimal(new.numbers[0]) < Decimal(old.numbers[0])
        high = Decimal(new.numbers[1]) > Decimal(old.numbers[1])
        return f"range {new.range_words}, was {old.range_words}" if low or high else ""
    if old.lengths and new.lengths and new.lengths[1] > LENGTH_FACTOR * max(old.lengths[1], 10):
        return f"up to {new.lengths[1]:,} characters long, was {old.lengths[1]:,}"
    if old.lengths and new.lengths and new.lengths[1] < old.lengths[1] and _ends_alike(new):
        return (
            f"no longer than {new.lengths[1]:,} characters, which {new.at_longest:,} have: perhaps cut, "
            f"was up to {old.lengths[1]:,}"
        )
    return ""


def _ends_alike(field: FieldSeen) -> bool:
    """Whether several different texts are as long as the longest."""
    longest = field.lengths[1] if field.lengths else 0
    if field.values is None:
        return field.at_longest >= CUT_ALIKE
    return (
        sum(len(json.loads(value)) == longest for value, _ in field.values if value[:1] == '"') >= CUT_ALIKE
    )


def _zones(old: FieldSeen, new: FieldSeen) -> str:
    """How the zones of a field's times changed, in words; empty where they did not."""
    said = [
        f"{count:,} times are {ZONES[zone]}, none was"
        for zone, count in new.zones.items()
        if zone not in old.zones
    ]
    said += [f"none is {ZONES[zone]} any more" for zone in old.zones if zone not in new.zones]
    return "; ".join(said)


def _zone_words(field: FieldSeen) -> str:
    return ", ".join(f"{ZONES[zone]} {count:,}" for zone, count in field.zones.items())


def _share(field: FieldSeen) -> str:
    return f"{field.present:,} of {field.of:,}"
