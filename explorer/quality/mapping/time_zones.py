"""Moments without a zone that one field reads in another zone than its siblings, and dates that keep a part of one.

A program that reads a date without a zone takes the zone of where it runs. Where raw data names UTC, or several other
fields of the record read theirs as UTC, the field that differs is the one that is moved.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from explorer.jsontext.pointer import steps
from explorer.quality.mapping.field_state import FieldState
from explorer.quality.mapping.field_tracker import FieldTracker
from explorer.quality.mapping.judge import MappingFinding, tokens_of
from explorer.quality.mapping.normal_forms import likeness
from explorer.quality.mapping.origin import is_empty
from explorer.quality.mapping.trace import spoken
from explorer.quality.values.date_transforms import DateReading, date_readings
from explorer.quality.values.flat import leaves

_FEWEST = 20
"""The fewest records that tell anything."""
_OFTEN = 0.9
"""The share of records that all move, or all stay."""
_SEVERAL = 2
"""The fewest fields beside it that stay."""
_SOME = 0.5
"""The share of records that have a part of a date."""
_HOURS = 3_600
_OF_UTC, _OF_PLACES = frozenset({"utc", "gmt"}), frozenset({"local", "zone", "timezone"})


def moved(tracker: FieldTracker) -> Iterator[MappingFinding]:
    """The findings on the fields of a tracker, and on those of the items of its arrays."""
    for its in (tracker, *(one for one in tracker.inner.values())):
        yield from _of(its)


def _of(tracker: FieldTracker) -> Iterator[MappingFinding]:
    sure, away = dict[str, str](), dict[str, tuple[FieldState, str, float]]()
    for name, state in tracker.states.items():
        if state.origin is None or is_empty(state.filled):
            continue
        path = state.origin.paths[0]
        hours = _hours(tracker.learned_from, name, state, tracker.raw)
        if len(hours) < _FEWEST or _OF_PLACES & {*tokens_of(path)}:
            continue
        if sum(not one for one in hours) >= _OFTEN * len(hours):
            sure[path] = name
        elif sum(bool(one) for one in hours) >= _OFTEN * len(hours) and max(map(abs, hours)) <= 14:
            away[name] = state, path, hours[0]
    for name, (state, path, off) in away.items():
        says_so = _OF_UTC & {*tokens_of(steps(path)[-1])}
        if says_so or len(sure.keys() - {path}) >= _SEVERAL:
            other = "UTC by its name" if says_so else f"read as UTC in {' and '.join([*sure.values()][:2])}"
            what = (
                f"{tracker.prefix}{name} is {off:+g} h off {tracker.where}{spoken(path)}, which has no zone"
            )
            what += f" and is {other}" if says_so else f", as others have none that are {other}"
            what += f", in {state.filled:,} records"
            yield MappingFinding(
                "lossless", "another zone", f"{tracker.prefix}{name}", what, state.filled, tuple(state.first)
            )


def misread(tracker: FieldTracker) -> Iterator[MappingFinding]:
    """Dates that nothing makes, and that have a part of one raw date in nearly every record: its day, or its time."""
    for name, state in tracker.states.items():
        if state.origin is not None or state.filled < _FEWEST:
            continue
        counts, told = Counter[tuple[str, str]](), defaultdict[tuple[str, str], set[str]](set)
        both, same, looked = Counter[str](), Counter[str](), 0
        for record in tracker.learned_from:
            mine = date_readings(record.get(name))
            looked += len(mine) == 1
            for path, value in leaves(record[tracker.raw]).items() if len(mine) == 1 else ():
                its = date_readings(value)
                if len(its) != 1 or its[0].form == "date":
                    continue
                both[path] += 1
                same[path] += abs((mine[0].utc - its[0].utc).total_seconds()) < 1
                for part, text in _parts(mine[0]):
                    if text in dict(_parts(its[0])).values():
                        counts[path, part] += 1
                        told[path, part].add(text)
        fit = [
            (count / both[path], likeness(name, path), path, part)
            for (path, part), count in counts.items()
            if both[path] >= max(_FEWEST, _SOME * looked)
            and count >= _OFTEN * both[path]
            and same[path] <= _SOME * both[path]
            and len(told[path, part]) >= _SOME * count
        ]
        if fit:
            _, _, path, part = max(fit)
            what = f"{tracker.prefix}{name} has the {part} of {tracker.where}{spoken(path)}, and is another moment"
            what += f", in {state.filled:,} records"
            yield MappingFinding(
                "lossless", "misread", f"{tracker.prefix}{name}", what, state.filled, tuple(state.first)
            )


def _parts(reading: DateReading) -> Iterator[tuple[str, str]]:
    """The parts of a moment that a program that misreads it keeps."""
    yield "day", f"{reading.utc:%Y-%m-%d}"
    yield "time of day", f"{reading.utc:%H:%M:%S}"
    yield "hour and day", f"{reading.utc:%m-%dT%H}"
    yield "minute", f"{reading.utc:%Y-%m-%dT%H:%M}"


def _hours(records: Sequence[Mapping[str, Any]], name: str, state: FieldState, raw: str) -> list[float]:
    """By how many hours a field is off its source in each record in which that has a time, and no zone."""
    made: list[float] = []
    for record in records:
        mine = date_readings(record.get(name))
        its = date_readings(state.origin.read(record[raw])) if state.origin is not None else ()
        if len(mine) != 1 or len(its) != 1 or mine[0].ahead is None:
            continue
        if its[0].ahead is None and its[0].form != "date":
            hours = (mine[0].utc - its[0].utc).total_seconds() / _HOURS
            made.append(round(hours * 4) / 4)
    return made
