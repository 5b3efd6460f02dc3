"""What the kinds of this exam have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from tests.exam import kinds
from tests.exam.frame import Expected
from tests.exam.kinds import Kind, Spot, resource
from tests.exam.mapping import Json
from tests.exam.world import Row

KINDS: list[Kind] = []
kind = partial(kinds.kind, into=KINDS)
value = partial(kinds.value, into=KINDS)


def lost(
    name: str, *places: str, much: str = "all"
) -> Callable[[Callable[[Row, Any], bool]], Callable[[Row, Any], bool]]:
    """A kind that loses a field where the function says so: as the service has it, by null or by leaving it out."""

    def add(applies: Callable[[Row, Any], bool]) -> Callable[[Row, Any], bool]:
        def put(spot: Spot) -> None:
            values = [(row, own(spot, row)) for row in spot.rows]
            rows = [row for row, old in values if old is not None and applies(row, old)]
            if much != "all":
                rows = spot.rng.sample(rows, 1 if much == "one" else max(3, len(spot.rows) // 25))
            for row in rows:
                row.body[spot.field] = None
                if spot.world.absent_nulls:
                    del row.body[spot.field]

        KINDS.append(Kind(name, places, put, ()))
        return applies

    return add


def leaves(raw: Any) -> Iterator[Any]:
    """The single values in a raw record."""
    if isinstance(raw, dict):
        raw = list(raw.values())
    if isinstance(raw, list):
        for part in raw:
            yield from leaves(part)
    else:
        yield raw


def source(row: Row, date: str) -> str:
    """The text of the third party that this date was made of; the date itself if it is none."""
    wanted = datetime.fromisoformat(date)
    for leaf in leaves(row.raw):
        if isinstance(leaf, str) and len(leaf) > 18 and leaf[4:5] == "-":
            found = datetime.fromisoformat(leaf)
            if found.replace(microsecond=found.microsecond // 1000 * 1000) == wanted:
                return leaf
    return date


def each(items: Any, change: Callable[[Json], Json]) -> list[Json]:
    """The array with every item changed."""
    return [change(item) for item in items]


def wanted(spot: Spot, rows: list[Row], *fields: str) -> Expected:
    """The expectation when the rows themselves do not show which of them are guilty."""
    return Expected(resource(spot.listing), fields, frozenset(name for row in rows for name in row.ids))


def own(spot: Spot, row: Row) -> Any:
    """The value of the spot's field in a row."""
    return row.body.get(spot.field)
