"""The five services: what each third party lets its connector say, and what the program has to be told."""

from __future__ import annotations

from copy import deepcopy

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, RECEIPT, STATE, Row
from tests.exam.seventh import shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.seventh.books import Books
from tests.exam.seventh.service import Connection
from tests.exam.sixth.service import BATCH, CORE, CREATE, UPDATE, UPSERT, Form

CRM, JOBS, FILES, SALES, BOOKS = "capsule", "ashby", "box", "woodpecker", "freeagent"
CONNECTORS = {CRM: "hubspot", JOBS: "greenhouse", FILES: "box", SALES: "outreach", BOOKS: "quickbooks"}
"""Names that the interface knows, for the webhook."""
FORMS = {
    CRM: Form(CONNECTORS[CRM], (CREATE, UPDATE, UPSERT, BATCH, *CORE)),
    JOBS: Form(CONNECTORS[JOBS], (JOB, *CORE), usual=60, most=100),
    FILES: Form(CONNECTORS[FILES], (FILE, DRIVE, *CORE), usual=50, most=1000, cursors="last", end="empty"),
    SALES: Form(CONNECTORS[SALES], (MAILBOX, STATE, *CORE), usual=40, cursors="offset", end="absent"),
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


def plain(name: str, seed: int, form: Form | None = None) -> Connection:
    """The sound service of this third party; no two of its records share a part."""
    made = {key: [deepcopy(row) for row in rows] for key, rows in lists(name, seed).items()}
    return Connection(form or FORMS[name], seed, made)


def options(name: str, seed: int) -> tuple[str, ...]:
    """What the program has to be told to ask this service."""
    given = ["--connector", CONNECTORS[name]]
    if name == CRM:
        given += ["--ids", ",".join(shapes_crm.IDS), "--properties", ",".join(shapes_crm.PROPERTIES)]
    if name == BOOKS:
        books = Books(seed)
        given += ["--customer", books.head, "--transactions", ",".join(list(books.payments)[:4])]
    return tuple(given)
