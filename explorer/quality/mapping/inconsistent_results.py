"""Fields that one raw value decides, and the records in which that very value gives something else.

A table gives each raw value one word, or none. Where some of its values have two results, each several times, while the
others have one, and nothing else in raw data tells when, the records are not made alike. Of the two results that one is
wrong which is another raw value's own, or none; else the rarer one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from explorer.quality.mapping.conditions import are_told_apart, divide, have_something, share_a_value
from explorer.quality.mapping.field_state import LONGEST_CLASS, Rows, class_of, flat, places_of, short
from explorer.quality.mapping.judge import Kind, MappingFinding
from explorer.quality.mapping.name_match import has_its_name
from explorer.quality.mapping.normal_forms import likeness
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.flat import BOXES, named_entries

_FEWEST = 50
"""The fewest records that tell anything."""
_SEVERAL = 3
"""The fewest records with another result."""
_GROUP = 5
"""The fewest records of a raw value that has one result."""
_VALUES = 24
"""The most values of a raw path."""
_CLASSES = 16
"""The most results of a field."""
_OWN = 4
"""The results that are one raw value's each, from which on the path need not have the field's name."""
_CLEAR = 0.6
"""The share of its records from which on a result is that of a raw value."""
_TOLD = 0.34
"""The share of records whose raw value has one result."""
_SURE = 25.0
"""How unlikely chance has to be, as a natural logarithm."""
_BOTH = 0.9
"""The share of the records of a raw value that two results have together."""
_OFTEN = 0.2
"""The share of these that the rarer result has at least."""
_RARER = 0.4
"""How often a wrong result may be, of the right one, where it is not the rarer of the two."""


@dataclass(frozen=True, slots=True)
class _Split:
    """A raw path that decides a field but for some of its values."""

    path: str
    column: Sequence[str]
    groups: Mapping[str, Counter[str]]
    pure: Mapping[str, str]
    """The values of which most records have one result."""
    wrong: int


def inconsistent_results(
    rows: Rows, laid: Sequence[Mapping[str, Any]], raw: str, settled: Collection[str], where: str = ""
) -> Iterator[MappingFinding]:
    """The findings on some records, except for the fields in ``settled``; ``laid`` as in `DecisionTables`.

    ``where`` is the place of the raw records in words.
    """
    if len(rows) < _FEWEST:
        return
    told = [dict(flat(record, raw)) for record, _ in rows]
    columns: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for one in told for name in one if name != raw):
        if any(_holds_objects(one.get(name)) for one in told):
            continue  # what is within them is judged by itself
        classes = [class_of(one.get(name)) for one in told]
        if name.partition(".")[0] in settled or not 1 < len(set(classes)) <= _CLASSES + 1:
            continue
        columns = columns or _columns([record[raw] for record, _ in rows], laid)
        best = _best(name, classes, columns)
        if best is None:
            continue
        found = _of(name, classes, best, rows, laid, raw, where or raw)
        if found is not None:
            yield found


def _columns(raws: Sequence[Any], laid: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The raw paths with few values, named entries of arrays among them, with the value that each record has there."""
    held: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for at, (its, flat_raw) in enumerate(zip(raws, laid, strict=True)):
        for path, value in (*flat_raw.items(), *named_entries(its).items()):
            if not is_empty(value):
                held[path][at] = str(value)[:LONGEST_CLASS]
    few = {path: values for path, values in held.items() if 1 < len(set(values.values())) <= _VALUES}
    return {path: [values.get(at, "") for at in range(len(raws))] for path, values in few.items()}


def _best(name: str, classes: Sequence[str], columns: Mapping[str, Sequence[str]]) -> _Split | None:
    """The raw path that leaves the fewest results open; None where one leaves none, or where all leave too many."""
    shares = {value: count / len(classes) for value, count in Counter(classes).items()}
    best: tuple[tuple[float, ...], _Split] | None = None
    for path, column in columns.items():
        groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for there, own in zip(column, classes, strict=True):
            groups[there][own] += 1
        wrong = sum(its.total() - max(its.values()) for there, its in groups.items() if there)
        rank = (-wrong, has_its_name(name, path), likeness(name, path))
        if best is not None and rank <= best[0]:
            continue
        usual = {there: its.most_common(1)[0] for there, its in groups.items()}
        pure = {
            there: own
            for there, (own, count) in usual.items()
            if there and count >= max(_GROUP, _CLEAR * groups[there].total())
        }
        sure = sum(
            count * log(count / groups[there].total() / shares[own])
            for there in pure
            for own, count in groups[there].items()
        )
        least = 2 if has_its_name(name, path) else _OWN
        rows = sum(groups[there].total() for there in pure)
        if len({*pure.values()} - {""}) >= least and sure >= _SURE and rows >= _TOLD * len(classes):
            best = rank, _Split(path, column, groups, pure, wrong)
    return best[1] if best is not None and best[1].wrong >= _SEVERAL else None


def _of(
    name: str,
    classes: Sequence[str],
    best: _Split,
    rows: Rows,
    laid: Sequence[Mapping[str, Any]],
    raw: str,
    where: str,
) -> MappingFinding | None:
    odd, kept = list[int](), list[int]()
    told = {*best.pure.values()}
    for value, its in best.groups.items():
        several = [one for one, _ in its.most_common()]
        if not value or len(several) < 2:
            continue
        both, second = its[several[0]] + its[several[1]], its[several[1]]
        if second >= max(_SEVERAL, _OFTEN * its.total()) and both >= _BOTH * its.total():
            wrong = {_wrong(value, several[:2], its, best)}
        elif value in best.pure:
            wrong = {one for one in several[1:] if one in told}
        else:
            continue
        odd += [at for at, there in enumerate(best.column) if there == value and classes[at] in wrong]
        kept += [at for at, there in enumerate(best.column) if there == value and classes[at] not in wrong]
    if len(odd) < _SEVERAL:
        return None
    its_raw = {at: {**laid[at], **named_entries(rows[at][0][raw])} for at in (*odd, *kept)}
    if _tells_when([its_raw[at] for at in odd], [its_raw[at] for at in kept]):
        return None
    odd.sort()
    same = best.column[odd[0]]
    usual = next(at for at in kept if best.column[at] == same)
    mine, other = (dict(flat(rows[at][0], raw)).get(name) for at in (odd[0], usual))
    what = f"{name} is {short(mine)} where {where}{spoken(best.path)} is {short(same)}, and {short(other)} in others"
    what += f" with the same, in {len(odd):,} of {len(rows):,} records; nothing else tells when"
    kind: Kind = "kept" if is_empty(mine) else "alike"
    return MappingFinding(
        kind, "against the rule", name, what, len(odd), places_of(odd, rows, name), best.path
    )


def _wrong(value: str, several: Sequence[str], its: Counter[str], best: _Split) -> str:
    """Of the two results of a raw value the wrong one: none, that of another raw value, or the rarer."""
    own = [one for one in several if _is_same(one, value)]
    if own and any(_is_same(result, there) for there, result in best.pure.items()):
        return _other(several, own[0])  # the others are told as they are
    if "" in several:
        return ""
    taken = [one for one in several if one in best.pure.values()]
    if len(taken) == 1 and its[several[1]] > _RARER * its[several[0]]:
        return taken[0]
    return several[1]


def _is_same(result: str, value: str) -> bool:
    """Whether a result is the raw value, in letters of any case."""
    return result.casefold() == repr(value).casefold()


def _other(several: Sequence[str], one: str) -> str:
    return several[0] if several[1] == one else several[1]


def _tells_when(odd: Sequence[Mapping[str, Any]], kept: Sequence[Mapping[str, Any]]) -> bool:
    """Whether something in raw data tells two groups of raw records apart; how long an array is tells nothing."""
    return any(
        tells(one, other)
        for tells in (are_told_apart, have_something, share_a_value, divide)
        for one, other in ((odd, kept), (kept, odd))
    )


def _holds_objects(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and any(isinstance(one, BOXES) for one in value)
    )
