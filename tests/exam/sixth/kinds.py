"""What a kind of defect is, how one is written down, and the halves that kinds fall into."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tests.exam.calls3.data import Row
from tests.exam.frame import Expected
from tests.exam.sixth.parties import plain
from tests.exam.sixth.service import Bend, Service
from tests.exam.world import same

Damage = Callable[[Service, Random], set[str]]
"""Changes what a service answers, and says which rows are guilty: none where it is not about rows."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One thing that a connector does wrong."""

    part: str
    """``data`` or ``calls``."""
    name: str
    wrong: str
    """One sentence: what is wrong, so that contract and raw data prove it."""
    service: str
    resource: str
    """The list or endpoint that a finding has to name; empty when any will do."""
    fields: tuple[str, ...]
    damage: Damage
    writes: bool = False
    also: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Further lists or endpoints, with their fields, at which it is proven just as well."""

    def spoilt(self, seed: int) -> tuple[Service, Expected]:
        """The service with the defect, and what a report has to say first of all."""
        service = plain(self.service, seed)
        ids = self.damage(service, Random(f"{seed}:{self.name}"))
        return service, Expected(self.resource, self.fields, frozenset(ids))

    def accepted(self, seed: int) -> tuple[Expected, ...]:
        """What a report may say: any one counts."""
        first = self.spoilt(seed)[1]
        ids = {self.resource: first.ids}
        others = (Expected(where, fields, ids.get(where, frozenset())) for where, fields in self.also)
        return (first, *others)


def either(one: Kind, *places: str) -> Kind:
    """The kind, proven as well at these places: a list or endpoint and its fields, as `crm/account owner_id`."""
    parts = (place.partition(" ") for place in places)
    return replace(one, also=tuple((resource, tuple(fields.split())) for resource, _, fields in parts))


def half(kinds: list[Kind], which: str, seed: int) -> list[Kind]:
    """The first half of an exam's kinds as the seed shuffles them, or the other one: as many of each part."""
    first: set[str] = set()
    for part in ("data", "calls"):
        names = sorted(one.name for one in kinds if one.part == part)
        Random(f"{seed}:{part}:half").shuffle(names)
        first |= set(names[: len(names) // 2])
    return [one for one in kinds if (one.name in first) == (which == "first")]


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a change stands: the sound rows around it, and chance."""

    rng: Random
    rows: list[Row]
    number: int

    @property
    def before(self) -> Row:
        """The row ahead of this one; of the first, the last."""
        return self.rows[self.number - 1]


ChangeValue = Callable[[Any, Row, Spot], Any]
"""Old value, raw record, spot: the new value."""
ChangeRow = Callable[[Row, Spot], Any]
"""Changes the unified record that it is given."""
SHARES = {"half": 0.5, "tenth": 0.1, "fiftieth": 0.02}


def drawn(numbers: list[int], rows: str, of: int, rng: Random) -> set[int]:
    """The rows to be damaged: ``all``, a share, or ``one``."""
    if rows == "all":
        return set(numbers)
    count = 1 if rows == "one" else max(2, round((len(numbers) if rows == "half" else of) * SHARES[rows]))
    return set(rng.sample(numbers, min(count, len(numbers))))


@dataclass(frozen=True, slots=True)
class Table:
    """Writes down the kinds of one list."""

    service: str
    resource: str
    writes: bool = False
    """Whether its operations are tried only by a run that may write."""

    def row(self, name: str, wrong: str, fields: str, change: ChangeRow, rows: str = "all") -> Kind:
        """Records of which something is changed."""

        def damage(service: Service, rng: Random) -> set[str]:
            held = service.lists[self.resource]
            sound = deepcopy(held)
            bad = deepcopy(held)
            for number, row in enumerate(bad):
                change(row, Spot(rng, sound, number))
            numbers = [n for n, row in enumerate(bad) if same(row) != same(sound[n])]
            guilty = drawn(numbers, rows, len(held), rng)
            for number in guilty:
                held[number] = bad[number]
            return {str(one[n]["id"]) for n in guilty for one in (sound, bad)}

        return Kind("data", name, wrong, self.service, self.resource, tuple(fields.split()), damage)

    def value(
        self, name: str, wrong: str, field: str, change: ChangeValue, rows: str = "all", nulls: bool = False
    ) -> Kind:
        """Records of which one field has another value; null is left alone unless said."""

        def whole(row: Row, spot: Spot) -> None:
            if nulls or row[field] is not None:
                row[field] = change(row[field], row["raw_data"], spot)

        return self.row(name, wrong, field, whole, rows)

    def each(
        self, name: str, wrong: str, place: str, change: Callable[[Row, Row, Spot], Any], rows: str = "all"
    ) -> Kind:
        """Records of whose array each item is changed; gets item, raw record and spot."""

        def whole(row: Row, spot: Spot) -> None:
            for item in row[place]:
                change(item, row["raw_data"], spot)

        return self.row(name, wrong, place, whole, rows)

    def whole(self, name: str, wrong: str, damage: Damage, fields: str = "") -> Kind:
        """The list as a whole: rows that are lost, doubled or let in."""
        return Kind("data", name, wrong, self.service, self.resource, tuple(fields.split()), damage)

    def call(self, name: str, wrong: str, fields: str, point: str, key: str, change: Bend) -> Kind:
        """What an operation does or answers."""

        def damage(service: Service, rng: Random) -> set[str]:
            service.on(point, key, change)
            return set()

        return Kind(
            "calls", name, wrong, self.service, self.resource, tuple(fields.split()), damage, self.writes
        )

    def program(self, name: str, wrong: str, fields: str, damage: Callable[[Service], Any]) -> Kind:
        """The same, where more than one place of the service has to be changed."""

        def whole(service: Service, rng: Random) -> set[str]:
            damage(service)
            return set()

        return Kind(
            "calls", name, wrong, self.service, self.resource, tuple(fields.split()), whole, self.writes
        )


def put(item: Row, name: str, value: Any) -> None:
    """Sets a member that is there."""
    if name in item:
        item[name] = value


def mojibake(text: str) -> str:
    """UTF-8 read as Latin-1."""
    return text.encode().decode("latin-1")
