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
    """The records of some triples that differ in content or notation."""
    last: Any = None
    for ident, before, now in triples:
        near, last = last, before if before is not ABSENT else last
        if before is ABSENT or now is ABSENT:
            continue
        values = changed_values("", before, now)
        written = not values and repr(before) != repr(now)
        if values or written:
            yield ChangedRecord(ident, values, _given(now), _given(near), written)


def _given(value: Any) -> Callable[[], Any]:
    return lambda: value


def explained_triples(triples: Callable[[], Iterable[Triple]], wanted: Wanted = always) -> Explained:
    """Explains the differences in some triples, which contain all records of both states."""
    both = sum(one.before is not ABSENT and one.now is not ABSENT for one in triples())
    return explained(lambda: records_of(triples()), both, wanted=wanted)
