"""Learns claims about a field from some of its changed values; the claims are then tested on all values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.compare import claims, relations
from explorer.quality.compare.changed_values import ITEMS, Sample, canonical, is_empty
from explorer.quality.compare.claims import Claim
from explorer.quality.compare.state_transforms import FIXED, proposed_between
from explorer.quality.values.date_transforms import date_readings, date_transform, proposed
from explorer.quality.values.fixed_transforms import OTHERS, TEXTS
from explorer.quality.values.transform import Transform, is_number
from explorer.quality.values.transforms import fitted

MOST_CLAIMS = 10
"""Most claims of one field."""
_PAIRS = 320
"""Most pairs that transforms are fitted to."""
_LOOKED_AT = 40
"""Samples whose other fields are searched."""
_LEAVES = 300
_DATES = 30
_WITHOUT_PARAMETERS = frozenset((*TEXTS, *OTHERS, *FIXED))
# These are true of any change of a truth value, or of anything with few values, or are better said of states.
_NOT_BETWEEN_STATES = {"same", "there", "not there", "constant", "table", "default", "boolean inverted"}
_NOT_BETWEEN_STATES |= {"null as text", "null as empty", "count"}
_ENTRIES = 60
_DISTINCT = 0.8
"""The share of values that are different where a value identifies a record."""
_LONG = 20
"""From this length in characters, a common beginning of two texts is not a coincidence."""
_NEARLY_ALL, _MEANT = 0.9, 0.8
_SWAPPED = 0.8
"""The share of samples from which on a swap is assumed: the others were edited as well."""
_RETYPED = {"number as text", "number read", "boolean as text", "JSON text"}
_NO_RULE = {"value changed", "constant", "value of another record", "value of the record before"}
"""What lists values, or is true of many by chance: no reason against a table."""
_OF_SIGNS = ("prefix", "suffix", "part", "cut", "text")
_BESIDE_DATES = 20
"""Cost added to a claim about characters where dates differ in zone or time, so that it is tried last."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a field besides its samples."""

    field: str
    others: set[str] | None
    """The field's earlier values in changed records, in the form of `canonical`; None when they are too many, or not
    different enough to identify records.
    """
    everywhere: bool
    """Whether nearly all records changed in it."""


def learned(known: Known, samples: Sequence[Sample]) -> list[Claim]:
    """Claims about a field, in the order in which to try them; also those about a field that changed with it."""
    made: list[Claim] = []
    left = list(samples)
    while left and len(made) < MOST_CLAIMS:
        found = _best(known, left)
        if not found:
            break
        made += found
        left = [one for one in left if not found[0].holds(*one)]
    return made


def _best(known: Known, left: Sequence[Sample]) -> list[Claim]:
    """The claim that is true of most samples, and those that belong to it."""
    best: list[Claim] = []
    rank: tuple[int, int] = (0, 0)
    table: list[Claim] = []
    of_table, by_rules = 0, set[int]()
    for some in _candidates(known, left):
        covered = [one for one in left if some[0].holds(*one)]
        if covered and _earned(some[0], covered, left):
            if some[0].name == "table":
                table, of_table = some, len(covered)
                continue
            if some[0].name not in _NO_RULE:
                by_rules.update(map(id, covered))
            swap = some[0].name == "swapped" and len(covered) >= _SWAPPED * len(left)
            mine = (
                len(left) if swap else len(covered),
                -some[0].cost - _BESIDE_DATES * _cuts_dates(some[0], covered),
            )
            if mine > rank or not best:
                best, rank = some, mine
    # Listing values is the last resort: it has to tell of some value that no rule explains, and of more values.
    unruled = any(id(one) not in by_rules and table[0].holds(*one) for one in left) if table else False
    return table if table and (not best or (unruled and of_table > rank[0])) else best


def _cuts_dates(claim: Claim, covered: Sequence[Sample]) -> bool:
    """Whether a claim about lost or added characters concerns dates, where it is the zone or the time."""
    steps = claim.transform.name.split(", ") if claim.transform is not None else ()
    if not any(step.startswith(_OF_SIGNS) for step in steps):
        return False
    return any(
        date_readings(before) and isinstance(now, str)
        for before, now in covered[0].value.pairs
        if _scalar(before) and _scalar(now)
    )


def _candidates(known: Known, left: Sequence[Sample]) -> Iterator[list[Claim]]:
    filled = [one for one in left if not any(map(is_empty, one.value.befores)) and not _any_empty(one)]
    from_nothing = [one for one in left if all(map(is_empty, one.value.befores)) and not _any_empty(one)]
    yield from _of_pairs(known, filled)
    yield from _of_constants(known.field, filled, from_nothing)
    with_value = [*filled, *from_nothing]
    yield from _of_fields(known.field, with_value)
    gone = [one for one in left if all(now is ABSENT for now in one.value.nows)]
    yield from ([one] for one in relations.of_places(known.field, gone))
    yield from _of_names(known.field, [*gone, *from_nothing])
    if filled and ITEMS not in known.field:
        yield [claims.of_neighbour(known.field)]
    if filled and known.others is not None:
        yield [claims.of_another(known.field, known.others)]


def _any_empty(one: Sample) -> bool:
    return any(map(is_empty, one.value.nows))


def _of_pairs(known: Known, filled: Sequence[Sample]) -> Iterator[list[Claim]]:
    pairs = [pair for one in filled for pair in one.value.pairs]
    pairs = pairs[:: max(1, len(pairs) // _PAIRS)]
    if not pairs:
        return
    if any(isinstance(before, list) and isinstance(now, list) for before, now in pairs):
        yield from ([one] for one in claims.of_arrays(known.field))
    share = min(0.9, max(0.04, 1 / len(pairs)))
    found: Iterable[Transform] = (one.transform for one in fitted(pairs, share=share))
    yield from ([one] for one in relations.of_numbers(known.field, pairs))
    yield from ([one] for one in relations.in_ranges(known.field, pairs))
    if any(isinstance(before, dict | list) and isinstance(now, str) for before, now in pairs):
        yield [relations.as_json(known.field)]
    if any(isinstance(before, str) and isinstance(now, str) for before, now in pairs):
        yield from ([one] for one in relations.alike(known.field))
        yield from ([one] for one in relations.escaped_in_part(known.field, pairs))
        yield from ([one] for one in relations.of_varied_ends(known.field, pairs))
    for one in chain(found, _of_dates(pairs), proposed_between(pairs)):
        if one.name not in _NOT_BETWEEN_STATES or (one.name == "boolean inverted" and known.everywhere):
            yield from ([each] for each in claims.by_transform(known.field, one, pairs))


def _of_dates(pairs: Sequence[tuple[Any, Any]]) -> list[Transform]:
    """Possible transforms of dates, even if something else explains them as well."""
    votes: Counter[tuple[Any, ...]] = Counter()
    for before, now in pairs[:: max(1, len(pairs) // _LOOKED_AT)]:
        if _scalar(before) and _scalar(now):
            votes.update(proposed(before, now))
    return [date_transform(*each) for each, _ in votes.most_common(_DATES)]


def _of_constants(
    name: str, filled: Sequence[Sample], from_nothing: Sequence[Sample]
) -> Iterator[list[Claim]]:
    pairs = [(before, now) for one in filled for before, now in one.value.pairs if _scalar(now)]
    nows = {canonical(now): now for _, now in pairs}
    for text, often in Counter(canonical(now) for _, now in pairs).most_common(2):
        if often >= 3 and len({canonical(a) for a, b in pairs if canonical(b) == text}) >= 2:
            yield [claims.constant(name, nows[text])]
    told: dict[str, Counter[str]] = defaultdict(Counter)
    values: dict[str, Any] = {}
    for before, now in pairs:
        if _scalar(before):
            told[canonical(before)][canonical(now)] += 1
            values[canonical(before)], values[canonical(now)] = before, now
    entries = {}
    for before, found in list(told.items())[:_ENTRIES]:
        [(now, often)] = found.most_common(1)
        if often >= 2 and often >= _MEANT * sum(found.values()):
            entries[before] = values[before], values[now]
    if entries and len(entries) <= max(3, len(pairs) // 4):
        yield [claims.from_to(name, entries)]
    # Where a value became several others, the most frequent one is a claim of its own.
    for before, found in list(told.items())[:_ENTRIES]:
        now, often = found.most_common(1)[0]
        if often >= 3 and len(found) > 1:
            yield [claims.from_to(name, {before: (values[before], values[now])})]
    empties = Counter(
        (claims.kind_of(a), canonical(b)) for one in from_nothing for a, b in one.value.pairs if _scalar(b)
    )
    for (kind, text), often in empties.most_common(3):
        if often >= 3:
            pair = next(
                (a, b)
                for one in from_nothing
                for a, b in one.value.pairs
                if claims.kind_of(a) == kind and canonical(b) == text
            )
            same_kind = sum(often for (other, _), often in empties.items() if other == kind)
            yield [claims.filled_with(name, *pair, always=often >= _NEARLY_ALL * same_kind)]


def _scalar(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _of_names(name: str, samples: Sequence[Sample]) -> Iterator[list[Claim]]:
    """A field that disappeared, and another that appeared with its value."""
    votes: Counter[tuple[str, str]] = Counter()
    for value, record in samples[:_LOOKED_AT]:
        for other in record.values.values():
            old, new = (value, other) if value.nows[0] is ABSENT else (other, value)
            if old.field != new.field and old.nows[0] is ABSENT and new.befores[0] is ABSENT:
                votes[old.field, new.field] += 1
    for (was, now), _ in votes.most_common(3):
        yield list(claims.renamed(was, now))[:: 1 if name == was else -1]


def _of_fields(name: str, samples: Sequence[Sample]) -> Iterator[list[Claim]]:
    """Other fields of the record that have this value now, or had it before."""
    now_of: Counter[str] = Counter()
    was_of: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for value, record in samples[:_LOOKED_AT]:
        for other in record.values.values():
            if other.field == name:
                continue
            if len(other.befores) == len(value.nows) and _all_same(other.befores, value.nows):
                both[other.field] += _all_same(value.befores, other.nows)
            if len(other.befores) == len(value.nows) == 1:
                for path, was in claims.leaves(other.befores[0], other.field):
                    was_of[path] += claims.telling(was) and canonical(was) == canonical(value.nows[0])
        if len(value.nows) == 1 and claims.telling(value.nows[0]):
            text = canonical(value.nows[0])
            for _, (path, now) in zip(range(_LEAVES), claims.leaves(record.now()), strict=False):
                now_of[path] += path != name and claims.telling(now) and canonical(now) == text
    yield from ([one] for one in relations.of_sources(name, samples))
    yield from ([one] for one in relations.of_number_sources(name, samples))
    yield from ([one] for one in relations.of_truth_sources(name, samples))
    for twin, often in both.most_common(1):
        if often:
            yield list(claims.swapped(name, twin))[:: 1 if name < twin else -1]
    yield from ([claims.copy_of(name, path)] for path, often in now_of.most_common(2) if often)
    yield from ([claims.was_of(name, path)] for path, often in was_of.most_common(2) if often)


def _all_same(one: Sequence[Any], other: Sequence[Any]) -> bool:
    return all(canonical(a) == canonical(b) for a, b in zip(one, other, strict=True))


# ---------------------------------------------------------------- whether it is borne out


def _earned(claim: Claim, covered: Sequence[Sample], left: Sequence[Sample]) -> bool:
    """Whether enough different values support a claim that a single value could fulfil by chance."""
    if claim.exact:
        return True
    pairs = {(canonical(a), canonical(b)): (a, b) for one in covered for a, b in one.value.pairs}
    nows = {canonical(now) for _, now in pairs.values()}
    much = len(covered) >= 0.5 * len(left)
    if claim.name == "constant":
        # A value that other records had before is one of a few choices, and occurs by chance.
        usual = {canonical(before) for one in left for before in one.value.befores}
        return (
            len(covered) >= 5 and much if nows & usual else len(covered) >= 5 or (len(covered) >= 3 and much)
        )
    if claim.name in ("default", "value changed", "table"):
        changed_alike = claim.name == "value changed" and (len(covered) >= 3 or len(covered) == len(left))
        return len(covered) >= 5 or (len(covered) >= 3 and much) or changed_alike
    if claim.name == "amount added to a numeral" and len(covered) < _MEANT * len(left):
        return False  # versions and counters as text grow by small amounts, each by its own
    if claim.transform is not None:
        return _earned_by_transform(claim.transform, list(pairs.values()), much)
    if claim.name == "swapped":
        return len(pairs) >= 2 or all(claims.telling(now) for one in covered for now in one.value.nows)
    if claim.name in ("prefix of several", "suffix of several"):
        return len(covered) >= 5 and much
    if claim.name in ("rounded", "unit, rounded"):
        return len(pairs) >= 3 and much and any(_informative(*pair) for pair in pairs.values())
    if claim.name == "moved":
        return len(pairs) >= 3 or len(covered) == len(left)
    if claim.name == "value of another record":
        return len(nows) >= 5 and much and len(nows) >= _DISTINCT * len(covered)
    if claim.name == "value of the record before":
        rare = len(nows) >= _DISTINCT * len(covered) and all(len(now) >= 10 for now in nows)
        return len(nows) >= 3 and (rare or len(covered) >= _DISTINCT * len(left))
    long = [now for one in covered for now in one.value.nows if isinstance(now, str) and len(now) >= 6]
    return len(nows) >= 3 or (bool(long) and len(covered) == len(left))


def _earned_by_transform(one: Transform, pairs: Sequence[tuple[Any, Any]], much: bool) -> bool:
    if one in _WITHOUT_PARAMETERS and one.name in _RETYPED:
        return True
    if one.name == "boolean inverted":
        return len(pairs) == 2
    if one.name == "cut" and any(isinstance(now, str) and len(now) >= _LONG for _, now in pairs):
        return True  # even if all have the same beginning, so that they are equal now
    if one not in _WITHOUT_PARAMETERS and len(pairs) >= 3 and len({canonical(now) for _, now in pairs}) == 1:
        return False  # a constant is reported as one
    told = [pair for pair in pairs if _informative(*pair)]
    if one in _WITHOUT_PARAMETERS and told:
        return True
    steps = one.name.count(", ") + 1
    least = {"amount added": 3, "date moved": 3, "text replaced": 3, "text left out": 2, "cut": 3}
    if one.name == "amount added" and not much:
        return False
    if len(told) >= max(least.get(one.name, 2), steps):
        return True
    return len(pairs) >= 3 and much


def _informative(before: Any, now: Any) -> bool:
    """Whether a value has too much content to be equal by chance."""
    for one in (before, now):
        if isinstance(one, str):
            if len(one) < 3:
                return False
        elif is_number(one):
            if len(str(one).replace(".", "").strip("0-")) < 3 and abs(one) < 1000:
                return False
        elif isinstance(one, bool):
            return False
    return True
