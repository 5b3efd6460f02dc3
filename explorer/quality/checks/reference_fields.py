"""Ids by which records refer to other records, with the places where, and the lists that they may refer to."""

from __future__ import annotations

from dataclasses import dataclass, field

from explorer.catalog.registry import Registry
from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import shown
from explorer.quality.engine.row import Row

_MOST = 200_000


def lists_beside(key: str, registry: Registry) -> dict[str, str]:
    """The lists of the same vertical as ``key``, itself included: ``mailbox`` to ``sales-engagement/mailbox``."""
    vertical = key.partition("/")[0]
    return {r.key.rpartition("/")[2]: r.key for r in registry.listings() if r.key.startswith(f"{vertical}/")}


@dataclass(slots=True)
class Named:
    """Ids to which records refer, each with the first place where; kept until all lists were read."""

    places: dict[str, tuple[int | None, int, int, str]] = field(default_factory=dict)
    """By id: page, row, number in the request log and id of the record that refers to it."""
    counts: dict[str, int] = field(default_factory=dict)

    def add(self, ident: str, row: Row) -> None:
        """Notes that the record in ``row`` refers to ``ident``."""
        if ident not in self.counts and len(self.counts) >= _MOST:
            return
        self.counts[ident] = self.counts.get(ident, 0) + 1
        if ident not in self.places:
            self.places[ident] = (row.page, row.number, row.exchange, row.id[:100])

    def example(self, ident: str) -> Example:
        """The first place where ``ident`` is referred to."""
        return Example(*self.places[ident], shown(ident))
