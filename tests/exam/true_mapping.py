"""How much of the true mapping of each service the program finds: `python -m tests.exam --part mapping`.

A field counts as right when a path that is said to be its source is one of its true ones, or lies in one (an array's
items) or around several (parts joined to one). Only fields that some record fills are counted, and none that is made of
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tests.exam.frame import report
from tests.exam.service import serving
from tests.exam.world import Listing, Shape


@dataclass(slots=True)
class Counts:
    """Fields of all lists of all services."""

    true: int = 0
    """With a source."""
    said: int = 0
    """For which the program names a source."""
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """The share of the named sources that are right."""
        return self.right / self.said if self.said else 1.0

    @property
    def recall(self) -> float:
        """The share of the true sources that are named."""
        return self.right / self.true if self.true else 1.0


def measured(shapes: Mapping[str, Shape], seed: int) -> Counts:
    """The mappings of the plain service of each shape, held against the true ones."""
    counts = Counts()
    for name, shape in shapes.items():
        world = shape.world(seed)
        with serving(world)() as address:
            document = report(address, (*shape.options, "--only", "mapping"))
        told = {
            (mapping["resource"], one["field"]): one["from"]
            for run in document["runs"]
            for mapping in run["mappings"]
            for one in mapping["fields"]
        }
        for listing in world.lists:
            for one, true in _true(listing):
                paths = [_plain(path) for path in told.get((listing.key, one), ())]
                _count(counts, f"{name} {listing.key} {one}", true, paths)
    return counts


def _true(listing: Listing) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The fields that some record fills, with their true paths."""
    for made in listing.mapping:
        if made.paths and any(row.clean.get(made.field) not in (None, "", [], {}) for row in listing.rows):
            yield made.field, made.paths


def _count(counts: Counts, where: str, true: tuple[str, ...], paths: list[str]) -> None:
    counts.true += 1
    counts.said += bool(paths)
    right = any(
        path == one
        or path.startswith(f"{one}/")
        or (len(true) > 1 and f"{one}/".startswith(f"{path}/".lstrip("/")))
        for path in paths
        for one in true
    )
    counts.right += right
    if not right:
        counts.wrong.append(f"{where}: {', '.join(true)}; found {', '.join(paths) or 'nothing'}")


def _plain(pointer: str) -> str:
    """A JSON pointer with plain keys, as the exam writes its paths."""
    return "/".join(key.replace("~1", "/").replace("~0", "~") for key in pointer.split("/")[1:])
