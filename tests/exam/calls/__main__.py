"""Runs the exam about calls and completeness: ``python -m tests.exam.calls``."""

from __future__ import annotations

from tests.exam.calls import (
    kinds_batch,
    kinds_changing,
    kinds_completeness,
    kinds_core,
    kinds_credentials,
    kinds_links,
    kinds_reports,
    kinds_secrets,
    kinds_writes,
)
from tests.exam.calls.clean import CLEAN
from tests.exam.calls.kinds import KINDS
from tests.exam.calls.sitting import sit

MODULES = (
    kinds_completeness, kinds_changing, kinds_writes, kinds_core, kinds_reports, kinds_links, kinds_credentials,
    kinds_secrets, kinds_batch,
)  # fmt: skip
"""Importing them has entered their kinds."""

if __name__ == "__main__":
    sit("tests.exam.calls", KINDS, CLEAN)
