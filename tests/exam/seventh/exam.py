"""All kinds of the exam."""

from __future__ import annotations

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
from tests.exam.sixth.kinds import Kind

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
KINDS: list[Kind] = [one for module in MODULES for one in module.KINDS]
