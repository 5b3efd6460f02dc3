"""Runs the second exam about calls and completeness: ``python -m tests.exam.calls2``."""

from __future__ import annotations

from tests.exam.calls.sitting import sit
from tests.exam.calls2 import (
    changing,
    clean,
    kinds_batch,
    kinds_contacts,
    kinds_credentials,
    kinds_links,
    kinds_loss,
    kinds_parameters,
    kinds_pipelines,
    kinds_repeats,
    kinds_reports,
    kinds_secrets,
)
from tests.exam.calls2.kinds import CLEAN, KINDS

MODULES = (
    kinds_loss, kinds_repeats, kinds_parameters, kinds_batch, kinds_contacts, kinds_pipelines, kinds_reports,
    kinds_links, kinds_credentials, kinds_secrets, changing, clean,
)  # fmt: skip
"""Importing them has entered their kinds."""

if __name__ == "__main__":
    sit("tests.exam.calls2", KINDS, CLEAN)
