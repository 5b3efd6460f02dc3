"""What the clean services and the oddities are made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.exam.mapping import Json
from tests.exam.second.shapes import SHAPES
from tests.exam.second.spots import source
from tests.exam.service import Wire
from tests.exam.world import Row, World

Change = Callable[[World], object]
DATES = ("created_at", "modified_at", "updated_at", "last_modified_at", "last_activity_at")


@dataclass(frozen=True, slots=True)
class Service:
    """A service without a defect: one of the shapes, changed in legal ways."""

    name: str
    base: str
    """The shape that it is made of."""
    change: Change = lambda world: None
    wire: Wire = field(default_factory=Wire)
    odd: bool = False
    """Whether it is held against the plain service of its shape: an oddity."""

    @property
    def shape(self) -> str:
        return self.base if self.odd else ""

    def world(self, seed: int) -> World:
        world = SHAPES[self.base].make(Random(f"{self.name} {seed}"))
        self.change(world)
        return world


def bodies(name: str, change: Callable[[int, Json], object]) -> Change:
    """Changes the connector's records in the list of this name, raw_data among their members."""

    def all_of(world: World) -> None:
        for number, row in enumerate(world.listing(name).rows):
            change(number, row.body)

    return all_of


def every(change: Callable[[Row], object]) -> Change:
    """Changes every record of every list."""

    def all_of(world: World) -> None:
        for one in world.lists:
            for row in one.rows:
                change(row)

    return all_of


def both(*changes: Change) -> Change:
    """One change after the other."""

    def in_turn(world: World) -> None:
        for change in changes:
            change(world)

    return in_turn


def shortened(count: int, name: str = "") -> Change:
    """Only the first records of each list, or of one of them."""

    def cut(world: World) -> None:
        for one in world.lists:
            if not name or one.key.endswith(f"/{name}"):
                del one.rows[count:]

    return cut


def dates(write: Callable[[str, Row], str]) -> Change:
    """Writes all dates of the records in another way."""

    def change(row: Row) -> None:
        for name in DATES:
            if row.body.get(name) is not None:
                row.body[name] = write(row.body[name], row)

    return every(change)


def dates_as_they_come() -> Change:
    """The dates just as the third party writes them."""
    return dates(lambda date, row: source(row, date))


def turned(row: Row) -> None:
    """The members of a record the other way round."""
    row.body = dict(reversed(row.body.items()))


def more(members: Json) -> Callable[[Row], None]:
    """Further members that the contract does not name."""

    def add(row: Row) -> None:
        row.body = {**members, **row.body}

    return add


def without(*names: str) -> Callable[[int, Json], None]:
    """Records that lack these members everywhere."""

    def drop(_: int, body: Json) -> None:
        for name in names:
            body.pop(name, None)

    return drop
