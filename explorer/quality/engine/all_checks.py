"""All checks, for look-up, documents and reports."""

from __future__ import annotations

from functools import cache

from explorer.quality.checks import (
    batch,
    completeness,
    credentials,
    invalid,
    links,
    near_keys,
    paging,
    receipts,
    references,
    report_parts,
    report_ways,
    reports,
    second_read,
    secrets,
    sync_mode,
    writes,
)
from explorer.quality.checks.envelope import EnvelopeChecks
from explorer.quality.checks.left_behind import LEFT
from explorer.quality.checks.lineage import Lineage
from explorer.quality.checks.own_key import OwnKey
from explorer.quality.checks.paging import Paging
from explorer.quality.checks.plausible import Plausible
from explorer.quality.checks.records import Records
from explorer.quality.checks.transport import Transport
from explorer.quality.engine.check import Check, Run, Verdict

CHECKS: tuple[Check, ...] = (
    *Transport.checks,
    *secrets.OF_RUN,
    invalid.INVALID,
    *credentials.CHECKS,
    *near_keys.CHECKS,
    *EnvelopeChecks.checks,
    *Paging.checks,
    *second_read.CHECKS,
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
    report_parts.AGAIN,
    report_ways.WAYS,
    *receipts.CHECKS,
    *links.LINKS,
    *links.WEBHOOKS,
)

_OF_ANY_CALL = frozenset((*secrets.OF_RUN, invalid.INVALID))
"""Checks that need nothing but some answer, and be it the refusal of a request that the contract does not allow."""


@cache
def check_ids() -> frozenset[str]:
    """The ids of all checks."""
    return frozenset(check.id for check in CHECKS)


@cache
def groups() -> tuple[str, ...]:
    """The names of the groups, in order."""
    return tuple(dict.fromkeys(check.group for check in CHECKS))


def was_checked(run: Run) -> bool:
    """Whether a run judged anything that it was asked to.

    Invalid requests of a resource are sent also where the inputs of its checks are missing. That they are refused is no
    good end of a run that skipped all other checks; a finding on them is one.
    """
    made = [one for one in run.results if one.verdict is not Verdict.SKIPPED or one.is_undone]
    if len(made) == len(run.results):
        return bool(made)
    return any(one.is_bad or one.is_undone or one.check not in _OF_ANY_CALL for one in made)
