"""All checks, for look-up, documents and reports."""

from __future__ import annotations

from functools import cache

from explorer.quality.checks import (
    again,
    batch,
    completeness,
    credentials,
    links,
    near_keys,
    paging,
    receipts,
    references,
    report_parts,
    reports,
    secrets,
    sync_mode,
    writes,
)
from explorer.quality.checks.envelope import EnvelopeChecks
from explorer.quality.checks.left import LEFT
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.transport import Transport
from explorer.quality.engine.check import Check

CHECKS: tuple[Check, ...] = (
    *Transport.checks,
    *secrets.OF_RUN,
    *credentials.CHECKS,
    *near_keys.CHECKS,
    *EnvelopeChecks.checks,
    *Paging.checks,
    *again.CHECKS,
    paging.SIZE,
    *Records.checks,
    *OwnKey.checks,
    secrets.RECORDS,
    *Plausible.checks,
    *references.Parents.checks,
    references.REFERENCES,
    *Lineage.checks,
    *sync_mode.CHECKS,
    *completeness.CHECKS,
    references.NAMED,
    *batch.CHECKS,
    *writes.CHECKS,
    LEFT,
    *reports.CHECKS,
    reports.ALIKE,
    report_parts.PARTS,
    report_parts.NOBODY,
    *receipts.CHECKS,
    *links.LINKS,
    *links.WEBHOOKS,
)


@cache
def check_ids() -> frozenset[str]:
    """The ids of all checks."""
    return frozenset(check.id for check in CHECKS)


@cache
def groups() -> tuple[str, ...]:
    """The names of the groups, in order."""
    return tuple(dict.fromkeys(check.group for check in CHECKS))
