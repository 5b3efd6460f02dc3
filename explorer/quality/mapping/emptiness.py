"""Why a unified field is empty: what its source in the raw record holds where the field is empty or different.

The source is learned from the records, as for the mapping checks. Where values do not reveal it, because the field is
always empty or made in an unknown way, raw paths with similar names are used instead, and the result says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.quality.mapping.learn import learned
from explorer.quality.mapping.normal_forms import likeness
from explorer.quality.mapping.origin import is_empty, reader
from explorer.quality.values.flat import containers, leaves

_LEARNED = 150
"""Records from which the source is learned, which takes some tenths of a second."""
_SOUNDED = 300
"""Records whose raw paths are compared by name."""
_ALIKE = 0.5
_PATHS = 3
NAMED = 6
"""How many rows of each kind are listed, the first ones."""

Numbered = tuple[int, Mapping[str, Any]]
"""The number of a row, counted from 0, and its record."""


@dataclass(frozen=True, slots=True)
class Places:
    """How many records are of one kind, and the numbers of the first rows."""

    count: int = 0
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Emptiness:
    """The comparison of one field with its source."""

    looked: int
    """Records with raw data."""
    paths: tuple[str, ...]
    """Pointers into the raw record, the best first; empty when none was found."""
    is_told: bool
    """Whether the source was found by values; otherwise by a similar name."""
    words: str
    """How the source is converted, in words; empty where it is used unchanged."""
    source_filled: int
    """Records in which the source has a value."""
    lost: Places
    """Records in which the source has a value and the field has none."""
    neither: Places
    differs: Places
    """Records in which both have a value, and the field's is not made from the source's. Only where `is_told`."""
    only_field: Places
    """Records in which the field has a value and the source has none."""


def emptiness(records: Sequence[Numbered], field: str, raw: str) -> Emptiness:
    """Compares ``field`` in ``records`` with its source; ``raw`` is the field with the third party's record."""
    sound = [(row, record) for row, record in records if isinstance(record.get(raw), dict)]
    paths, read, explains, words, told = _source([record for _, record in sound], field, raw)
    found: dict[tuple[bool, bool], list[int]] = {}
    differs: list[int] = []
    for row, record in sound if paths else ():
        value, source = record.get(field), read(record[raw])
        there = not is_empty(value), not is_empty(source)
        if there == (True, True) and not explains(value, record[raw]):
            differs.append(row)
        else:
            found.setdefault(there, []).append(row)
    lost = _places(found.get((False, True), []))
    return Emptiness(
        len(sound),
        paths,
        told,
        words,
        lost.count + len(differs) + len(found.get((True, True), ())),
        lost,
        _places(found.get((False, False), [])),
        _places(differs),
        _places(found.get((True, False), [])),
    )


def _places(rows: Sequence[int]) -> Places:
    return Places(len(rows), tuple(rows[:NAMED]))


_Source = tuple[tuple[str, ...], Callable[[Any], Any], Callable[[Any, Any], bool], str, bool]


def _source(records: Sequence[Mapping[str, Any]], field: str, raw: str) -> _Source:
    """The source of ``field``: paths, reader, a test whether a value is made from it, words, whether by values."""
    filled = [record for record in records if not is_empty(record.get(field))]
    bare = [record for record in records if is_empty(record.get(field))]
    made = learned([*_spread(filled, _LEARNED), *_spread(bare, _LEARNED)], raw, (field,))
    origin, found = made.origins.get(field), made.found.get(field)
    if origin is not None:
        return origin.paths[:_PATHS], origin.read, origin.explains, origin.words, True
    if found is not None:
        return found.paths[:_PATHS], reader(found.paths[0]), _any, found.words, True
    paths = _sounding_alike(_spread(records, _SOUNDED), field, raw)
    return paths, reader(paths[0] if paths else ""), _any, "", False


def _any(_value: Any, _raw: Any) -> bool:
    return True


def _spread(records: Sequence[Mapping[str, Any]], most: int) -> Sequence[Mapping[str, Any]]:
    step = max(len(records) // most, 1)
    return records[::step][:most]


def _sounding_alike(records: Sequence[Mapping[str, Any]], field: str, raw: str) -> tuple[str, ...]:
    """Raw paths that have a value somewhere and a name similar to the field's."""
    counts = Counter[str]()
    for record in records:
        whole = leaves(record[raw]) | containers(record[raw])
        counts.update(path for path, value in whole.items() if path and not is_empty(value))
    alike = {path: one for path in counts if (one := likeness(field, path)) >= _ALIKE}
    ranked = sorted(alike, key=lambda path: (alike[path], counts[path], -path.count("/")), reverse=True)
    return tuple(ranked[:_PATHS])
