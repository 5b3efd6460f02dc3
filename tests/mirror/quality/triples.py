"""Records in two states, explained without a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changed_values import ChangedRecord, changed_values
from explorer.quality.compare.explain import explained
from explorer.quality.compare.explained import Explained
from explorer.quality.compare.rows import Wanted, always


class Triple(NamedTuple):
    """A record in both states, as parsed JSON; ABSENT where a state does not have it."""

    id: str
    before: Any
    now: Any


def records_of(triples: Iterable[Triple]) -> Iterator[ChangedRecord]:
    """The records of some triples that differ in content."""
    last: Any = None
    for ident, before, now in triples:
        near, last = last, before if before is not ABSENT else last
        if before is ABSENT or now is ABSENT:
            continue
        if values := changed_values("", before, now):
            yield ChangedRecord(ident, values, _given(now), _given(near))


def _given(value: Any) -> Callable[[], Any]:
    return lambda: value


def written_otherwise(triples: Iterable[Triple]) -> int:
    """How many records have the same content in both states in another notation."""
    both = ((a, b) for _, a, b in triples if a is not ABSENT and b is not ABSENT)
    return sum(repr(a) != repr(b) and not changed_values("", a, b) for a, b in both)


def explained_triples(triples: Callable[[], Iterable[Triple]], wanted: Wanted = always) -> Explained:
    """Explains the differences in some triples, which contain all records of both states."""
    both = sum(one.before is not ABSENT and one.now is not ABSENT for one in triples())
    written = written_otherwise(triples())
    return explained(lambda: records_of(triples()), both, written=written, wanted=wanted)
