"""What a kind of defect is, and how one is put into a service."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.exam.frame import Expected
from tests.exam.third.engine import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, STATE, Row, World

Make = Callable[[int], World]
LISTS = {
    "dynamics": ("dynamics", ACCOUNT),
    "copper": ("copper", ACCOUNT),
    "jobs": ("teamtailor", JOB),
    "files": ("graph", FILE),
    "drives": ("graph", DRIVE),
    "mailboxes": ("apollo", MAILBOX),
    "states": ("apollo", STATE),
    "balance": ("quickbooks", BALANCE),
    "income": ("quickbooks", INCOME),
}


@dataclass(frozen=True, slots=True)
class Batch:
    """The records that a kind may change, and what it may look at."""

    rows: list[Row]
    """Copies: changed in place."""
    at: str
    """The field."""
    place: str
    """The list: a key of LISTS."""
    rng: Random
    world: World
    guilty: set[str] = field(default_factory=set)
    """Ids of guilty records that are not changed themselves."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One mistake that connectors make."""

    name: str
    places: tuple[str, ...]
    """Where it fits: ``files.path``, the list and the field."""
    spoil: Callable[[Batch], None]
    also: tuple[str, ...]
    """Other fields under which it is told just as well."""


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A service with one defect."""

    kind: str
    place: str
    world: World
    expected: Expected


KINDS: list[Kind] = []
ReportChange = Callable[[Row], None]
REPORT_CHANGES: dict[str, ReportChange] = {}


def kind(name: str, places: str, also: str = "") -> Callable[[Callable[[Batch], None]], None]:
    """Makes a kind of a function over all records of a list. Places and other fields are parted by spaces."""

    def add(spoil: Callable[[Batch], None]) -> None:
        KINDS.append(Kind(name, tuple(places.split()), spoil, tuple(also.split())))

    return add


RowChange = Callable[[Row, str, Batch], None]


def row_kind(
    name: str, places: str, share: float = 1, *, most: int = 0, also: str = ""
) -> Callable[[RowChange], None]:
    """Makes a kind of a function over one record, which may leave it as it is.

    `share` is the part of the records that it would change, drawn at random; `most` their largest number.
    """

    def add(change: RowChange) -> None:
        def spoil(batch: Batch) -> None:
            changed = {}
            for at, row in enumerate(batch.rows):
                other = copy.deepcopy(row)
                change(other, batch.at, batch)
                if other != row:
                    changed[at] = other
            count = max(1, round(share * len(changed)))
            for at in batch.rng.sample(sorted(changed), min(count, most or count, len(changed))):
                batch.rows[at] = changed[at]

        kind(name, places, also)(spoil)

    return add


def text_kind(
    name: str, places: str, share: float = 1, *, most: int = 0, also: str = ""
) -> Callable[[Callable[[Any], Any]], None]:
    """Makes a kind of a function over one value; what is null stays so."""

    def add(change: Callable[[Any], Any]) -> None:
        def one(row: Row, at: str, _: Batch) -> None:
            if row[at] is not None:
                row[at] = change(row[at])

        row_kind(name, places, share, most=most, also=also)(one)

    return add


def report_kind(name: str, places: str, also: str = "") -> Callable[[ReportChange], None]:
    """Makes a kind of a function over an accounting report."""

    def add(change: ReportChange) -> None:
        def spoil(batch: Batch) -> None:
            key = LISTS[batch.place][1]
            sound = batch.world.reports[key]

            def served(query: dict[str, str]) -> Row:
                report = sound(query)
                change(report)
                return report

            batch.world.reports[key] = served

        kind(name, places, also)(spoil)

    return add


def _guilty(before: Sequence[Row], after: Sequence[Row]) -> frozenset[str]:
    """The ids of the records that are not as they were, or stand there more often than they did."""
    left = [*before]
    guilty = set()
    for row in after:
        if row in left:
            left.remove(row)
        else:
            guilty.add(str(row["id"]))
    return frozenset(guilty)


def spoilt(one: Kind, where: str, seed: int, services: Mapping[str, Make]) -> Spoilt:
    """A service with the defect at one of its places. Raises ValueError when it changes nothing."""
    place, _, at = where.partition(".")
    service, key = LISTS[place]
    world = services[service](seed)
    rng = Random(f"{seed}:{one.name}:{where}")
    before = world.lists.get(key, [])
    rows = copy.deepcopy(before)
    batch = Batch(rows, at, place, rng, world)
    one.spoil(batch)
    guilty = _guilty(before, rows) | batch.guilty
    if key in world.lists and not guilty:
        raise ValueError(f"{one.name} changes nothing at {where}")
    if key in world.lists:
        world.lists[key] = rows
    resource = key if key not in (ACCOUNT, BALANCE, INCOME) else ""
    fields = tuple(filter(None, (at, *one.also)))
    return Spoilt(one.name, where, world, Expected(resource, fields, guilty))
