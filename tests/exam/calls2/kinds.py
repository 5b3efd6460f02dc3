"""The registry of this exam's kinds, and what their reports may be filed under."""

from __future__ import annotations

from functools import partial

from tests.exam.calls.kinds import ANY, FILES, JOBS, MAILBOXES, STATES, Kind
from tests.exam.calls.kinds import kind as entered
from tests.exam.frame import Expected

KINDS: list[Kind] = []
CLEAN: list[Kind] = []

kind = partial(entered, into=KINDS)
"""Enters a service with a defect."""
sound = partial(entered, into=CLEAN)
"""Enters a service in which nothing is wrong."""

DRIVES = Expected("file-storage/drive")
BATCH = Expected("crm/account")
CONTACTS = Expected("crm/contact")
PIPELINES = Expected("core/pipeline")
CUSTOMERS = Expected("core/customer")
BALANCE = Expected("accounting/customer-balance")
INCOME = Expected("accounting/customer-income")
RECEIPTS = Expected("accounting/payment-receipt")
LINKS = Expected("connect/magic-link")
WEBHOOKS = Expected("webhook")

__all__ = [
    "ANY",
    "BALANCE",
    "BATCH",
    "CLEAN",
    "CONTACTS",
    "CUSTOMERS",
    "DRIVES",
    "FILES",
    "INCOME",
    "JOBS",
    "KINDS",
    "LINKS",
    "MAILBOXES",
    "PIPELINES",
    "RECEIPTS",
    "STATES",
    "WEBHOOKS",
    "kind",
    "sound",
]
