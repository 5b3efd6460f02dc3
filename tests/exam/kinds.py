"""What a kind of defect is, and how it is put into a service."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.exam.frame import Expected
from tests.exam.shapes import SHAPES
from tests.exam.world import Listing, Row, Shape, World, same

MOST = 0.95
"""From this share of guilty records on a report may name any record."""


@dataclass(slots=True)
class Spot:
    """Where a defect is put: a field of a list of a service."""

    rng: Random
    world: World
    listing: Listing
    field: str

    @property
    def rows(self) -> list[Row]:
        return self.listing.rows

    def one(self, *, where: Callable[[Row], bool] = lambda row: True) -> Row:
        return self.rng.choice([row for row in self.rows if where(row)])

    def some(self, *, where: Callable[[Row], bool] = lambda row: True) -> list[Row]:
        """About one in twenty-five, at least three."""
        rows = [row for row in self.rows if where(row)]
        return self.rng.sample(rows, min(len(rows), max(3, len(rows) // 25)))

    def other(self, row: Row) -> Row:
        """Another record."""
        return self.one(where=lambda one: one is not row)

    def before(self) -> Iterator[tuple[Row, Row]]:
        """Each record with the one before it; the first with the last."""
        for at, row in enumerate(self.rows):
            yield row, self.rows[at - 1]


Put = Callable[[Spot], Expected | None]
Value = Callable[[Any, Row], Any]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of defect."""

    name: str
    """In words, unique."""
    places: tuple[str, ...]
    """Where it can be: ``google/file size``."""
    put: Put
    also: tuple[str, ...]
    """Further fields that a report may name instead; ``*`` for any."""


KINDS: list[Kind] = []


def kind(name: str, *places: str, also: str = "", into: list[Kind] = KINDS) -> Callable[[Put], Put]:
    """A kind that changes the rows itself; what it returns replaces the expectation made from them."""

    def add(put: Put) -> Put:
        into.append(Kind(name, places, put, tuple(also.split())))
        return put

    return add


def value(
    name: str,
    *places: str,
    much: str = "all",
    also: str = "",
    nulls: bool = False,
    into: list[Kind] = KINDS,
) -> Callable[[Value], Value]:
    """A kind that makes another value of a field: in all records, in some, or in one.

    Nulls stay as they are; with `nulls` it is only them that change.
    """

    def add(function: Value) -> Value:
        def put(spot: Spot) -> None:
            changes: list[tuple[Row, Any]] = []
            for row in spot.rows:
                old = row.body.get(spot.field)
                if (old is None) is not nulls:
                    continue
                new = function(deepcopy(old), row)
                if same(new) != same(old):
                    changes.append((row, new))
            if not changes:
                raise ValueError("nothing to change")
            if much == "one":
                changes = [spot.rng.choice(changes)]
            elif much == "some":
                changes = spot.rng.sample(changes, min(len(changes), max(3, len(spot.rows) // 25)))
            for row, new in changes:
                row.body[spot.field] = new

        into.append(Kind(name, places, put, tuple(also.split())))
        return function

    return add


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A service with a defect in it."""

    kind: str
    place: str
    world: World
    expected: Expected


def spoilt(one: Kind, place: str, seed: int, shapes: Mapping[str, Shape] = SHAPES) -> Spoilt:
    """Puts the kind into a fresh service."""
    where, field = place.split(" ")
    shape, _, name = where.partition("/")
    world = shapes[shape].world(seed)
    listing = world.listing(name)
    everyone = frozenset(str(row.clean["id"]) for row in listing.rows if "id" in row.clean)
    expected = one.put(Spot(Random(f"{one.name} {place} {seed}"), world, listing, field))
    if expected is None:
        guilty, count = listing.guilty, sum(row.spoilt for row in listing.rows)
        if not count:
            raise ValueError(f"{one.name} changes nothing in {place}")
        fields = () if "*" in one.also else (field, *one.also)
        ids = guilty | everyone if count >= MOST * len(listing.rows) else guilty
        expected = Expected(resource(listing), fields, ids)
    return Spoilt(one.name, place, world, expected)


def resource(listing: Listing) -> str:
    """The key that a report has for the list; any will do for a service that has the batch read only."""
    return "" if listing.envelope == "batch" else listing.key


def chosen(one: Kind, seed: int, most: int, shapes: Mapping[str, Shape] = SHAPES) -> Iterator[Spoilt]:
    """The kind in as many places as wanted, drawn by the seed; places where it would change nothing are passed over."""
    count = 0
    for place in Random(f"{one.name} {seed}").sample(one.places, len(one.places)):
        try:
            made = spoilt(one, place, seed, shapes)
        except (ValueError, IndexError):
            continue
        yield made
        count += 1
        if count == most:
            return
