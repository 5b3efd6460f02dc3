"""A service's records: what the third party holds, what the connector gives of it, and what it should give."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.exam.mapping import Json, Made, unified


@dataclass(slots=True)
class Row:
    """One record."""

    raw: Json
    """As the third party has it."""
    body: Json
    """As the connector gives it; a kind of defect changes this and nothing else."""
    clean: Json
    """As a correct connector gives it."""

    @property
    def spoilt(self) -> bool:
        return same(self.body) != same(self.clean)

    @property
    def ids(self) -> frozenset[str]:
        """What a report may call it: the id that it is given with, and the right one."""
        return frozenset(str(one["id"]) for one in (self.body, self.clean) if "id" in one)


def same(value: Any) -> str:
    """Text that is equal for equal JSON only (1, 1.0 and true differ)."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


@dataclass(slots=True)
class Listing:
    """One list, or the records of the batch read."""

    key: str
    """``ats/job``."""
    envelope: str
    """``A``, ``B``, ``batch``, or ``report``: one row, which is the whole answer."""
    rows: list[Row]
    mapping: tuple[Made, ...] = ()
    """How a correct connector makes a record of them."""
    filters: dict[str, str] = field(default_factory=dict)
    """Query parameter: the raw path that it is compared with."""

    @property
    def guilty(self) -> frozenset[str]:
        return frozenset(name for row in self.rows if row.spoilt for name in row.ids)


@dataclass(slots=True)
class World:
    """All that one service lists."""

    shape: str
    lists: list[Listing]
    absent_nulls: bool = False
    """Whether fields that the third party lacks are left out: the contract has no null for those of files."""

    def listing(self, name: str) -> Listing:
        return next(one for one in self.lists if one.key.rpartition("/")[2] == name)


@dataclass(frozen=True, slots=True)
class Shape:
    """A third party, and the connector for it."""

    name: str
    make: Callable[[Random], World]
    options: tuple[str, ...] = ()
    """Further options of the program that this shape needs."""

    def world(self, seed: int) -> World:
        return self.make(Random(f"{self.name} {seed}"))


def listing(
    key: str,
    envelope: str,
    raws: Sequence[Json],
    mapping: Sequence[Made],
    filters: dict[str, str] | None = None,
) -> Listing:
    """What a correct connector lists of these raw records."""
    rows = []
    for raw in raws:
        body = {**unified(raw, mapping), "raw_data": deepcopy(raw)}
        rows.append(Row(raw, body, deepcopy(body)))
    return Listing(key, envelope, rows, tuple(mapping), filters or {})


def remade(world: World, name: str, change: Callable[[int, Json], object]) -> World:
    """The world after the third party's own records in the list of this name were changed; the connector is right."""
    one = world.listing(name)
    raws = [deepcopy(row.raw) for row in one.rows]
    for number, raw in enumerate(raws):
        change(number, raw)
    one.rows = listing(one.key, one.envelope, raws, one.mapping).rows
    return world


def given(world: World, name: str, change: Callable[[int, Json], object]) -> World:
    """The world after the connector's records in the list of this name were changed, in a legal way."""
    for number, row in enumerate(world.listing(name).rows):
        change(number, row.body)
    return world
