"""Fields that hold another thing's value wherever there is one, or wherever their own source has nothing.

The first of two that holds something is a sound way to fill a field. It is none where the field's own source, by its
name, is filled and says something else: a record is not created when it is published. Nor is the value of another field
a sound one for none: a description that is the name says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.field_state import FieldState, Rows, places_of
from explorer.quality.mapping.judge import MappingFinding
from explorer.quality.mapping.name_match import has_its_name, is_id, words_of_name, words_of_path
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import date_readings

_FEWEST, _SEVERAL, _NEARLY, _SOME = 50, 10, 0.98, 0.1
"""The fewest records, and of each kind, that tell anything; the shares that are nearly all and some of them."""


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
