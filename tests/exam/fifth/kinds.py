"""What a kind of defect is, and the ways of writing one down."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.exam.calls3.answers import Call
from tests.exam.calls3.data import Row
from tests.exam.calls3.engine import Spot
from tests.exam.fifth.service import Service, plain
from tests.exam.frame import Expected
from tests.exam.world import same

GONE: Any = object()
"""Stands for a member that is left out."""
AMOUNTS = {"all": 1.0, "third": 1 / 3}
COUNTS = {"dozen": 12, "one": 1}

ChangeRow = Callable[[Row, Row, Random], object]
"""Changes the record that the connector gives; the second is what the third party holds, to be read."""
ChangeRows = Callable[[list[Row], Random], list[Row]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A defect of one service."""

    name: str
    service: str
    resource: str
    """The list or operation that is guilty; empty where every one is."""
    fields: tuple[str, ...]
    proof: str
    """How a careful person proves it from the answers alone."""
    part: str
    """``data`` or ``calls``."""
    spoil: Callable[[Service], frozenset[str]]
    """Puts the defect into a sound service, and tells the ids of the guilty records."""
    writes: bool = False

    def spoilt(self, seed: int) -> tuple[Service, Expected]:
        """The service with the defect, and what is expected of a report."""
        service = plain(self.service, seed)
        guilty = self.spoil(service)
        return service, Expected(self.resource, self.fields, guilty)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes down kinds of one list or operation."""

    service: str
    resource: str
    kinds: list[Kind]

    def rows(
        self, name: str, proof: str, *fields: str, rows: str = "all"
    ) -> Callable[[ChangeRow], ChangeRow]:
        """A defect of single records: of all that it can hit, of a third, a dozen, or one of them."""

        def take(change: ChangeRow) -> ChangeRow:
            def spoil(service: Service) -> frozenset[str]:
                rng = Random(f"{service.seed}:{name}")
                listed = service.lists[self.resource]
                hit = {number: row for number, row in enumerate(listed) if changed(row, change, rng)}
                made = {number: bent(row, change, rng) for number, row in hit.items()}
                guilty: set[str] = set()
                for number in drawn(list(made), rows, rng):
                    guilty |= {str(listed[number]["id"]), str(made[number]["id"])}
                    listed[number] = made[number]
                return frozenset(guilty)

            full = f"{self.service}: {name}"
            self.kinds.append(Kind(full, self.service, self.resource, fields, proof, "data", spoil))
            return change

        return take

    def whole(self, name: str, proof: str, *fields: str) -> Callable[[ChangeRows], ChangeRows]:
        """A defect that shows in how records stand beside each other."""

        def take(change: ChangeRows) -> ChangeRows:
            def spoil(service: Service) -> frozenset[str]:
                rng = Random(f"{service.seed}:{name}")
                before = service.lists[self.resource]
                after = change(deepcopy(before), rng)
                service.lists[self.resource] = after
                known = {str(one["id"]): same(one) for one in before}
                ids = [str(one["id"]) for one in after]
                return frozenset(
                    of
                    for of, one in zip(ids, after, strict=True)
                    if known.get(of) != same(one) or ids.count(of) > 1
                )

            full = f"{self.service}: {name}"
            self.kinds.append(Kind(full, self.service, self.resource, fields, proof, "data", spoil))
            return change

        return take

    def call(
        self,
        point: str,
        name: str,
        proof: str,
        *fields: str,
        writes: bool = False,
        everywhere: bool = False,
        anywhere: bool = False,
    ) -> Callable[[Callable[[Spot, Call, Any], Any]], Callable[[Spot, Call, Any], Any]]:
        """A defect of what is done by a call: of this operation or of all (everywhere).

        A report may speak of this operation, or, if it is about safety (anywhere), of none.
        """

        def take(change: Callable[[Spot, Call, Any], Any]) -> Callable[[Spot, Call, Any], Any]:
            def spoil(service: Service) -> frozenset[str]:
                service.bend(point, "" if everywhere else self.resource, change)
                return frozenset()

            full = f"{self.service}: {name}"
            resource = "" if everywhere or anywhere else self.resource
            self.kinds.append(Kind(full, self.service, resource, fields, proof, "calls", spoil, writes))
            return change

        return take


def bent(row: Row, change: ChangeRow, rng: Random) -> Row:
    """The record with the defect."""
    made, raw = deepcopy(row), deepcopy(row["raw_data"])
    change(made, raw, rng)
    return {name: of for name, of in made.items() if of is not GONE}


def changed(row: Row, change: ChangeRow, rng: Random) -> bool:
    """Whether the defect makes a difference to this record."""
    return same(bent(row, change, rng)) != same(row)


def drawn(numbers: list[int], rows: str, rng: Random) -> list[int]:
    """All of them, a third, a dozen or one."""
    if rows in COUNTS:
        return rng.sample(numbers, min(COUNTS[rows], len(numbers)))
    return rng.sample(numbers, max(1, round(len(numbers) * AMOUNTS[rows])))
