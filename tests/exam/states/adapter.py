"""Where the exam meets the program: `tell` is bound to it here."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from explorer.catalog.spec import ABSENT
from explorer.quality.compare.changed_values import ChangedRecord, ChangedValue
from explorer.quality.compare.explain import explained
from tests.exam.states.frame import Told
from tests.mirror.quality.triples import Triple, records_of, written_otherwise


class _Claimed:
    """Which records each claim is made of, by the number that the program gives it."""

    def __init__(self) -> None:
        self.ids: dict[tuple[int, str], set[str]] = defaultdict(set)
        self.names: list[str] = []

    def begin(self) -> None:
        self.ids.clear()

    def take(self, value: ChangedValue, number: int, *, explained: bool) -> None:
        self.ids[number, value.field].add(self.names[value.line])

    def left_out(self, value: ChangedValue) -> None:
        """A field that changes at every pull is said of no record."""


def tell(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[Told]:
    """What the program says of the differences between two states: a sentence for each field that it is about."""
    then, later = ({str(one["id"]): one for one in state} for state in (before, now))
    triples = [
        Triple(ident, then.get(ident, ABSENT), later.get(ident, ABSENT))
        for ident in dict.fromkeys((*then, *later))
    ]
    claimed = _Claimed()

    def changes() -> Iterator[ChangedRecord]:
        claimed.names = []
        for record in records_of(triples):
            for value in record.values.values():
                value.line = len(claimed.names)
            claimed.names.append(record.id)
            yield record

    made = explained(
        changes, len(then.keys() & later.keys()), written=written_otherwise(triples), sink=claimed
    )
    told = []
    for one in made.sentences:
        for field in one.fields:
            ids = (claimed.ids.get((number, field), set()) for number in one.claims)
            told.append(Told(field, one.words, frozenset().union(*ids)))
    return told
