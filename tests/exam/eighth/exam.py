"""All kinds of the exam, and the halves they fall into."""

from __future__ import annotations

from tests.exam.eighth import (
    kinds_crm,
    kinds_files,
    kinds_jobs,
    kinds_links,
    kinds_lists,
    kinds_reports,
    kinds_safety,
    kinds_sales,
    kinds_writes,
)
from tests.exam.sixth.kinds import Kind

MODULES = (
    kinds_crm,
    kinds_jobs,
    kinds_files,
    kinds_sales,
    kinds_lists,
    kinds_writes,
    kinds_links,
    kinds_reports,
    kinds_safety,
)
KINDS: list[Kind] = [one for module in MODULES for one in module.KINDS]


def half(kinds: list[Kind], which: str, seed: int) -> list[Kind]:
    """The kinds that stand in the first half of their files, or the others: the same for every seed."""
    first = {one.name for module in MODULES for one in module.KINDS[: len(module.KINDS) // 2]}
    return [one for one in kinds if (one.name in first) == (which == "first")]
