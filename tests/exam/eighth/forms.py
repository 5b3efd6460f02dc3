"""The five services: what each third party lets its connector say."""

from __future__ import annotations

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, RECEIPT, STATE
from tests.exam.eighth import shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.eighth.service import Connection
from tests.exam.sixth.parties import PARTIES, Party
from tests.exam.sixth.service import BATCH, CORE, CREATE, UPDATE, UPSERT, Form

CRM, JOBS, FILES, SALES, BOOKS = "attio", "bullhorn", "workdrive", "smartlead", "moneybird"
CONNECTORS = {CRM: CRM, JOBS: "greenhouse", FILES: "zoho", SALES: "outreach", BOOKS: "quickbooks"}
"""Names that the interface knows, for the webhook."""
FORMS = {
    CRM: Form(CONNECTORS[CRM], (CREATE, UPDATE, UPSERT, BATCH, *CORE)),
    JOBS: Form(CONNECTORS[JOBS], (JOB, *CORE), usual=40, most=100, cursors="offset", end="empty"),
    FILES: Form(CONNECTORS[FILES], (FILE, DRIVE, *CORE), usual=50, most=200, end="absent"),
    SALES: Form(CONNECTORS[SALES], (MAILBOX, STATE, *CORE), usual=50),
    BOOKS: Form(CONNECTORS[BOOKS], (BALANCE, INCOME, RECEIPT, *CORE)),
}
TRUE = {
    ACCOUNT: shapes_crm.account,
    JOB: shapes_jobs.job,
    FILE: shapes_files.file,
    DRIVE: shapes_files.drive,
    MAILBOX: shapes_sales.mailbox,
    STATE: shapes_sales.state,
}
"""How a correct connector makes a record of raw data."""
PARTIES |= {
    CRM: Party(
        FORMS[CRM],
        lambda seed: {ACCOUNT: shapes_crm.accounts(seed)},
        Connection,
        ids=shapes_crm.IDS,
        properties=shapes_crm.PROPERTIES,
    ),
    JOBS: Party(FORMS[JOBS], lambda seed: {JOB: shapes_jobs.jobs(seed)}, Connection),
    FILES: Party(
        FORMS[FILES],
        lambda seed: dict(zip((DRIVE, FILE), shapes_files.lists(seed), strict=True)),
        Connection,
    ),
    SALES: Party(
        FORMS[SALES],
        lambda seed: dict(zip((MAILBOX, STATE), shapes_sales.lists(seed), strict=True)),
        Connection,
    ),
    BOOKS: Party(FORMS[BOOKS], service=Connection),
}
