"""What kinds of defects there are, by name: each makes one defect at random out of clean data.

A kind is written from the interface's own words and from what services were seen to do; it names the check that is
meant for it and knows nothing of how that check works.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from tests.mutations.clean import LISTS, Material, Slice
from tests.mutations.service import Defect


@dataclass(slots=True)
class Draw:
    """What a kind draws from."""

    rng: Random
    data: Slice

    @property
    def key(self) -> str:
        """The list that the defect is put into."""
        return self.data.key

    def one(self) -> int:
        """A row at random."""
        return self.rng.randrange(len(self.data.rows))

    def some(self, most: float = 1.0) -> list[int]:
        """One row or a few, at times many; never more than ``most`` of them all."""
        count = len(self.data.rows)
        bound = max(1, int(most * count))
        wanted = self.rng.choice((1, 1, 2, 3, count // 10, count // 2))
        return sorted(self.rng.sample(range(count), min(bound, max(1, wanted))))

    def page(self, first: int = 1, last: int = 0) -> int:
        """A page at random, from ``first`` to ``last`` before the end."""
        return self.rng.randint(first, max(first, self.data.pages - last))

    def defect(self, check: str, says: str = "") -> Defect:
        """A defect in this list, to be given what it does."""
        return Defect("", check, self.key, self.data, says)


Make = Callable[[Draw], Defect]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of defect."""

    name: str
    make: Make
    keys: tuple[str, ...]
    """The lists that it may be put into; of what is no list, empty."""

    def drawn(self, rng: Random, material: Material, key: str = "") -> Defect:
        """One at random."""
        if self.keys:
            made = self.make(Draw(rng, material.slice(rng, key or rng.choice(self.keys))))
        else:
            made = self.make(Draw(rng, Slice("", "", [], 1)))
        made.kind = self.name
        return made


KINDS: dict[str, Kind] = {}


def kind(name: str, keys: Sequence[str] = LISTS) -> Callable[[Make], Make]:
    """Declares the function below it as a kind."""

    def keep(make: Make) -> Make:
        KINDS[name] = Kind(name, make, tuple(keys))
        return make

    return keep
