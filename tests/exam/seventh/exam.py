"""All kinds of the exam, and the halves they fall into."""

from __future__ import annotations

from random import Random

from tests.exam.seventh import (
    kinds_crm,
    kinds_files,
    kinds_jobs,
    kinds_lists,
    kinds_reports,
    kinds_safety,
    kinds_sales,
    kinds_writes,
)
from tests.exam.seventh.kinds import Kind, either
from tests.exam.sixth.kinds import Kind as Single

MODULES = (
    kinds_crm,
    kinds_jobs,
    kinds_files,
    kinds_sales,
    kinds_lists,
    kinds_writes,
    kinds_reports,
    kinds_safety,
)
ALL: list[Single] = [one for module in MODULES for one in module.KINDS]
KINDS: list[Kind] = [one if isinstance(one, Kind) else either(one) for one in ALL]


def half(kinds: list[Kind], which: str, seed: int) -> list[Kind]:
    """The first half of the kinds as the seed shuffles them, or the other one: as many of each part."""
    first: set[str] = set()
    for part in ("data", "calls"):
        names = sorted(one.name for one in KINDS if one.part == part)
        Random(f"{seed}:{part}:half").shuffle(names)
        first |= set(names[: len(names) // 2])
    return [one for one in kinds if (one.name in first) == (which == "first")]
