"""Fields that hold another thing's value wherever there is one, or wherever their own source has nothing.

The first of two that holds something is a sound way to fill a field. It is none where the field's own source, by its
name, is filled and says something else: a record is not created when it is published. Nor is the value of another field
a sound one for none: a description that is the name says nothing. The number of a step or a version is no id at all,
nor is who set a value the one whom the value names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.field_state import FieldState, Rows, places_of
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.name_match import has_its_name, is_id, words_of_name, words_of_path
from explorer.quality.mapping.origin import Origin, is_empty, reader
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import is_maker, leaves

_FEWEST = 50
"""The fewest records that tell anything."""
_SEVERAL = 10
"""The fewest records of each kind."""
_NEARLY = 0.98
"""The share that is nearly all of them."""
_SOME = 0.1
"""The share that is some of them."""
_HIGHEST = 100
"""Numbers up to it count something; ids that are numbers are mostly higher."""
_FEWEST_NUMBERS = 3
"""Fewer different numbers tell nothing."""
_SHARED = 3
"""The fewest values of two raw paths in common that show that both are of one kind."""
_NUMBERS = frozenset({"number", "no", "nr", "num"})
_ORDINALS = frozenset(
    {"step", "position", "index", "order", "version", "revision", "count", "rank", "seq", "attempt"}
)
"""Words for the number of something in a row, which is no id whatever it belongs to."""


def fallback_sources(
    rows: Rows,
    laid: Sequence[Mapping[str, Any]],
    raw: str,
    states: Mapping[str, FieldState],
    settled: Collection[str],
) -> Iterator[MappingFinding]:
    """The findings on some records, except for the fields in ``settled``; ``laid`` as in `DecisionTables`."""
    if len(rows) < _FEWEST:
        return
    for name, state in states.items():
        if name in settled or not state.filled or "." in name or "[" in name:
            continue
        if name != "id":
            yield from _of_its_name(name, rows, raw, laid)
        if is_id(name) and name != "id":
            yield from _of_number(name, rows, raw, laid)
        if state.origin is not None:
            yield from _of_maker(name, state.origin, rows, raw)
        if not is_id(name) and "name" not in words_of_name(name):
            yield from _of_text(name, rows, raw, laid)


def _of_its_name(
    name: str, rows: Rows, raw: str, laid: Sequence[Mapping[str, Any]]
) -> Iterator[MappingFinding]:
    """A date or a reference, taken from one of something else wherever there is one."""
    read = _ident if is_id(name) else _moment
    mine = [read(record.get(name)) for record, _ in rows]
    if sum(value is not None for value in mine) < _FEWEST:
        return
    held = [{path: its for path, value in one.items() if (its := read(value)) is not None} for one in laid]
    filled = Counter(path for one in held for path in one)
    named = [
        path
        for path, count in filled.items()
        if has_its_name(name, path) and count >= _NEARLY * len(rows) and _is_own(name, path)
    ]
    both = [at for at, value in enumerate(mine) if value is not None and named and named[0] in held[at]]
    odd = [at for at in both if mine[at] not in (held[at].get(path) for path in named)]
    if not _SEVERAL <= len(odd) < len(both):
        return
    for path, count in filled.items():
        taken = [at for at in both if path in held[at]]
        words = words_of_path(path) - {"id"}
        if count < _SEVERAL or not words or words & words_of_name(name):
            continue
        if len(taken) > len(both) - _SEVERAL:
            continue  # never the field's own where both are there: another source, and no first of two
        if any(mine[at] != held[at][path] for at in taken) or not set(odd) <= set(taken):
            continue
        if is_id(name) or _is_no_choice(name, [(mine[at], held[at][named[0]]) for at in odd]):
            what = f"{name} is {raw}{spoken(path)} where there is one, although {raw}{spoken(named[0])}"
            what += f" is there and differs in {len(odd):,} of {len(both):,} records"
            yield MappingFinding("same", "another first", name, what, len(odd), places_of(odd, rows, name))
            return


def _of_number(
    name: str, rows: Rows, raw: str, laid: Sequence[Mapping[str, Any]]
) -> Iterator[MappingFinding]:
    """A reference that is the number of a step, a place or a version wherever there is one."""
    mine = [_ident(record.get(name)) for record, _ in rows]
    wanted = words_of_name(name) - {"id"}
    for path in dict.fromkeys(path for one in laid for path in one):
        words = {*tokens_of(steps(path)[-1])}
        if "id" in words or not words & (_ORDINALS | _NUMBERS) or wanted & words_of_path(path):
            continue
        numbers = [_small(its.get(path)) for its in laid]
        both = [at for at, one in enumerate(numbers) if one is not None and mine[at] is not None]
        if len(both) < _FEWEST or len({numbers[at] for at in both}) < _FEWEST_NUMBERS:
            continue
        if any(mine[at] != str(numbers[at]) for at in both):
            continue
        rest = [at for at, one in enumerate(mine) if one is not None and numbers[at] is None]
        others = [
            other
            for other, there in (laid[rest[0]].items() if rest else ())
            if "id" in tokens_of(steps(other)[-1])
            and all(_ident(laid[at].get(other)) == mine[at] for at in rest)
            and sum(_ident(laid[at].get(other)) not in (None, mine[at]) for at in both) >= _NEARLY * len(both)
        ]
        if (len(rest) >= _SEVERAL and others) or (not rest and words & _ORDINALS):
            what = f"{name} is {raw}{spoken(path)}, a number of something else,"
            what += f" in {len(both):,} of {len(rows):,} records"
            yield MappingFinding("same", "a number", name, what, len(both), places_of(both, rows, name), path)
            return


def _small(value: Any) -> int | None:
    """A whole number that may count something; None for anything else, and for nought, which often is none."""
    return value if type(value) is int and 0 < value <= _HIGHEST else None


def _of_maker(name: str, origin: Origin, rows: Rows, raw: str) -> Iterator[MappingFinding]:
    """Who made a value, in place of whom the value beside it refers to."""
    names = origin.paths[0].split("/")
    at = next((at for at, one in enumerate(names) if is_maker(one)), 0)
    box, wanted = "/".join(names[:at]), words_of_name(name) - {"id"}
    if not at or not wanted or not wanted <= words_of_path(box):
        return
    read = reader(box)
    made = [
        (number, str(value), leaves(read(record[raw])))
        for number, (record, _) in enumerate(rows)
        if not is_empty(value := record.get(name)) and origin.explains(value, record[raw])
    ]
    makers = {value for _, value, _ in made}
    for path in made[0][2] if len(made) >= _SEVERAL else ():
        beside = [str(there[path]) for _, _, there in made if not is_empty(there.get(path))]
        if is_maker(path.split("/")[1]) or len(beside) < _NEARLY * len(made):
            continue
        odd = [number for number, value, there in made if str(there.get(path)) != value]
        if len(odd) >= _SEVERAL and len(makers.intersection(beside)) >= _SHARED:
            what = f"{name} is {raw}{spoken(origin.paths[0])}, by whom the value was made, although"
            what += (
                f" {raw}{spoken(box + path)} is there and differs in {len(odd):,} of {len(made):,} records"
            )
            yield MappingFinding("same", "maker", name, what, len(odd), places_of(odd, rows, name))
            return


def _is_own(name: str, path: str) -> bool:
    """Whether a path stands in no object of another name, whose owner or date it would be."""
    return all(words_of_name(one) <= words_of_name(name) for one in steps(path)[:-1])


def _is_no_choice(name: str, pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether dates are neither the earlier of two creations nor the later of two of anything else.

    The later of two dates of change is what is meant, as is the earlier of two of creation.
    """
    later = sum(bool(value > there) for value, there in pairs)
    earlier = len(pairs) - later
    least = max(_SEVERAL, _SOME * len(pairs))
    if words_of_name(name) == {"created"}:
        return later >= least
    return earlier >= least and (words_of_name(name) == {"updated"} or later >= least)


def _ident(value: Any) -> str | None:
    """A text or number that may be an id."""
    return (
        str(value) if isinstance(value, str | int) and not isinstance(value, bool) and value != "" else None
    )


def _of_text(name: str, rows: Rows, raw: str, laid: Sequence[Mapping[str, Any]]) -> Iterator[MappingFinding]:
    """A text that is another field's where the path of its own name has nothing."""
    values = [record.get(name) for record, _ in rows]
    if not any(isinstance(one, str) for one in values):
        return
    for path in dict.fromkeys(path for its in laid for path in its):
        own = [its.get(path) for its in laid]
        kept = [at for at, there in enumerate(own) if not is_empty(there) and there == values[at]]
        bare = [at for at, there in enumerate(own) if is_empty(there) and not is_empty(values[at])]
        if len(bare) < _SEVERAL or len(kept) < max(_SEVERAL, _NEARLY * sum(not is_empty(one) for one in own)):
            continue
        if len({values[at] for at in bare}) < _SEVERAL:
            continue
        for other in rows[bare[0]][0]:
            if other in (name, raw) or any(rows[at][0].get(other) != values[at] for at in bare):
                continue
            if any(rows[at][0].get(other) == values[at] for at in kept[:_SEVERAL]):
                continue
            if not has_its_name(name, path) and words_of_name(other) != {"name"}:
                continue  # a second source as sound as the first
            what = f"{name} is what {other} is where {raw}{spoken(path)} has nothing in {len(bare):,} of"
            what += f" {len(rows):,} records"
            yield MappingFinding("alike", "another field", name, what, len(bare), places_of(bare, rows, name))
            return


def _moment(value: Any) -> datetime | None:
    found = date_readings(value)
    return found[0].utc.replace(microsecond=0) if len(found) == 1 and found[0].form != "date" else None
