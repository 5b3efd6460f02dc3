"""The five services: what each third party lets its connector say."""

from __future__ import annotations

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, RECEIPT, STATE
from tests.exam.sixth import shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.sixth.parties import PARTIES, Party
from tests.exam.sixth.service import BATCH, CORE, CREATE, UPDATE, UPSERT, Form

CRM, JOBS, FILES, SALES, BOOKS = "zoho", "smartrecruiters", "egnyte", "lemlist", "sage"
FORMS = {
    CRM: Form(CRM, (CREATE, UPDATE, UPSERT, BATCH, *CORE)),
    JOBS: Form(JOBS, (JOB, *CORE), usual=50, most=100, end="absent"),
    FILES: Form(FILES, (FILE, DRIVE, *CORE), usual=40, cursors="odd"),
    SALES: Form(SALES, (MAILBOX, STATE, *CORE), usual=50, cursors="offset"),
    BOOKS: Form(BOOKS, (BALANCE, INCOME, RECEIPT, *CORE)),
}
PARTIES |= {
    CRM: Party(
        FORMS[CRM],
        lambda seed: {ACCOUNT: shapes_crm.accounts(seed)},
        ids=shapes_crm.IDS,
        properties=shapes_crm.PROPERTIES,
    ),
    JOBS: Party(FORMS[JOBS], lambda seed: {JOB: shapes_jobs.jobs(seed)}, connector=CRM),
    FILES: Party(FORMS[FILES], lambda seed: dict(zip((DRIVE, FILE), shapes_files.lists(seed), strict=True))),
    SALES: Party(
        FORMS[SALES],
        lambda seed: dict(zip((MAILBOX, STATE), shapes_sales.lists(seed), strict=True)),
        connector=CRM,
    ),
    BOOKS: Party(FORMS[BOOKS]),
}
