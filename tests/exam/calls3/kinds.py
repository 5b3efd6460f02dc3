"""What a kind of defect is, and where it is put."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.exam.calls3.data import ACCOUNT, BASES, INCOME, Base, Row
from tests.exam.calls3.engine import Bend, Bending, Engine, Spot
from tests.exam.calls3.serve import serving
from tests.exam.frame import Case, Expected

Where = Callable[[Row], bool]


@dataclass(slots=True)
class Kind:
    """Something that a service gets wrong."""

    name: str
    keys: tuple[str, ...]
    """The resources that it can be put into."""
    bends: list[tuple[str, Bending]] = field(default_factory=list)
    about: tuple[str, ...] = ()
    """What the report may be about instead of the resource itself; an empty text for any."""
    fields: tuple[str, ...] = ()
    rows: int = 0
    """How many rows are guilty; none where it is not about single rows."""
    where: Where | None = None
    """Which rows can be guilty."""
    writes: bool = False
    bases: tuple[str, ...] = ()
    """The bases that it can be put into; empty for all that have the resource."""
    everywhere: bool = False
    """Whether all operations have it."""

    def places(self) -> Iterator[tuple[Base, str]]:
        for base in BASES.values():
            if not self.bases or base.name in self.bases:
                yield from ((base, key) for key in self.keys if key in base.keys)

    def engine(self, base: Base, key: str, seed: int) -> tuple[Engine, frozenset[str]]:
        """The spoilt service, and the guilty ids."""
        engine = Engine(base, seed)
        rng = Random(f"{self.name} {base.name} {key} {seed}")
        possible = [one["id"] for one in engine.lists.get(key, ()) if not self.where or self.where(one)]
        guilty = frozenset(rng.sample(possible, self.rows)) if self.rows else frozenset()
        spot = Spot(engine, key, rng, guilty)
        engine.bends = [
            (Bend(point, "" if self.everywhere else key, change), spot) for point, change in self.bends
        ]
        return engine, guilty

    def case(self, base: Base, key: str, seed: int) -> Case:
        guilty = self.engine(base, key, seed)[1]
        about = self.about or (("",) if self.everywhere else (key,))
        return Case(
            f"{base.name} {key}: {self.name}",
            serving(lambda: self.engine(base, key, seed)[0]),
            serving(lambda: Engine(base, seed)),
            tuple(Expected(one, self.fields, guilty) for one in about),
            told(Engine(base, seed)),
            writes=self.writes,
        )


KINDS: dict[str, Kind] = {}


def told(engine: Engine) -> tuple[str, ...]:
    """What a user of the connection knows and gives: ids that no list names."""
    options = ["--connector", "stripe"]
    if accounts := engine.lists.get(ACCOUNT):
        options += ["--ids", ",".join(row["id"] for row in accounts[:12])]
        options += ["--properties", "name,domain,industry,numberofemployees"]
    if INCOME in engine.base.keys:
        options += ["--customer", "1", "--transactions", "1001,1002"]
    return tuple(options)


def add(
    name: str,
    point: str,
    keys: Sequence[str] | str,
    change: Bending,
    *,
    about: Sequence[str] = (),
    fields: Sequence[str] = (),
    rows: int = 0,
    where: Where | None = None,
    writes: bool = False,
    bases: Sequence[str] = (),
    everywhere: bool = False,
) -> None:
    """A kind that bends one point; a name that is known bends another point as well."""
    if name not in KINDS:
        held = (keys,) if isinstance(keys, str) else tuple(keys)
        KINDS[name] = Kind(
            name, held, [], tuple(about), tuple(fields), rows, where, writes, tuple(bases), everywhere
        )
    KINDS[name].bends.append((point, change))


def kind(
    name: str,
    point: str,
    keys: Sequence[str] | str,
    *,
    about: Sequence[str] = (),
    fields: Sequence[str] = (),
    rows: int = 0,
    where: Where | None = None,
    writes: bool = False,
    bases: Sequence[str] = (),
    everywhere: bool = False,
) -> Callable[[Bending], Bending]:
    """The same for a function of several lines."""

    def taken(change: Bending) -> Bending:
        add(
            name,
            point,
            keys,
            change,
            about=about,
            fields=fields,
            rows=rows,
            where=where,
            writes=writes,
            bases=bases,
            everywhere=everywhere,
        )
        return change

    return taken


def chosen(one: Kind, seed: int, count: int) -> list[tuple[Base, str]]:
    """The places that a kind is put into."""
    places = list(one.places())
    return Random(f"{one.name} {seed}").sample(places, min(count, len(places)))
