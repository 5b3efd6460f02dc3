"""The five services: what each third party lets its connector say, and what the program has to be told."""

from __future__ import annotations

from copy import deepcopy

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, RECEIPT, STATE, Row
from tests.exam.sixth import shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.sixth.books import Ledger
from tests.exam.sixth.service import BATCH, CORE, CREATE, UPDATE, UPSERT, Form, Service

CRM, JOBS, FILES, SALES, BOOKS = "zoho", "smartrecruiters", "egnyte", "lemlist", "sage"
FORMS = {
    CRM: Form(CRM, (CREATE, UPDATE, UPSERT, BATCH, *CORE)),
    JOBS: Form(JOBS, (JOB, *CORE), usual=50, most=100, end="absent"),
    FILES: Form(FILES, (FILE, DRIVE, *CORE), usual=40, cursors="odd"),
    SALES: Form(SALES, (MAILBOX, STATE, *CORE), usual=50, cursors="offset"),
    BOOKS: Form(BOOKS, (BALANCE, INCOME, RECEIPT, *CORE)),
}


def lists(name: str, seed: int) -> dict[str, list[Row]]:
    """What the connector for this third party lists."""
    if name == CRM:
        return {ACCOUNT: shapes_crm.accounts(seed)}
    if name == JOBS:
        return {JOB: shapes_jobs.jobs(seed)}
    if name == FILES:
        drives, files = shapes_files.lists(seed)
        return {DRIVE: drives, FILE: files}
    if name == SALES:
        mailboxes, states = shapes_sales.lists(seed)
        return {MAILBOX: mailboxes, STATE: states}
    return {}


def plain(name: str, seed: int, form: Form | None = None) -> Service:
    """The sound service of this third party; no two of its records share a part."""
    made = {key: [deepcopy(row) for row in rows] for key, rows in lists(name, seed).items()}
    return Service(form or FORMS[name], seed, made)


def options(name: str, seed: int) -> tuple[str, ...]:
    """What the program has to be told to ask this service."""
    given = ["--connector", CRM if name in (JOBS, SALES) else name]
    if name == CRM:
        given += ["--ids", ",".join(shapes_crm.IDS), "--properties", ",".join(shapes_crm.PROPERTIES)]
    if name == BOOKS:
        ledger = Ledger(seed)
        given += ["--customer", ledger.head, "--transactions", ",".join(list(ledger.payments)[:4])]
    return tuple(given)
