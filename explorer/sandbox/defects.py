"""What `conn_sandbox_messy` does wrong, declared one by one.

`conn_sandbox_messy` shows those with `mixed` all at once, spread so that one walk of each list passes them;
`conn_sandbox_messy.<id>` shows one alone on otherwise clean data. docs/sandbox.md has the same table, and a test
keeps the two in step.
"""

from __future__ import annotations

from dataclasses import dataclass

EVERY = 100
"""A defect of single records shows in one row of each hundred."""


@dataclass(frozen=True, slots=True)
class Defect:
    """One way to break the contract, or to be awkward within it.

    Attributes:
        id: the resource and a few words.
        resource: what is read when it shows.
        says: a sentence on what it does.
        where: the rows, pages or parameters where it shows.
        mixed: whether `conn_sandbox_messy` has it among its mix.
        slot: for defects of single records, the number of the row within each hundred, counted from 0.
    """

    id: str
    resource: str
    says: str
    where: str
    mixed: bool = True
    slot: int | None = None


def _row(resource: str, slot: int, name: str, says: str) -> Defect:
    return Defect(
        f"{resource.partition('_')[0]}-{name}", resource, says, f"row {slot + 1} of each hundred", slot=slot
    )


def _once(resource: str, slot: int, name: str, says: str) -> Defect:
    return Defect(f"{resource}-{name}", resource, says, f"row {LATE + slot + 1} alone", slot=LATE + slot)


LATE = 1150
"""Rows with broken JSON stand late in the list, so that a strict reader stops only after the other defects."""

DEFECTS: tuple[Defect, ...] = (
    _row("job", 1, "confidential-text", 'confidential is the text "yes" in place of a boolean.'),
    _row("job", 4, "name-number", "name is a number in place of text."),
    _row("job", 7, "departments-null", "departments is null where the contract has an array."),
    _row("job", 10, "created-at-zero", 'created_at is "0000-00-00 00:00:00".'),
    _row("job", 13, "created-at-epoch", "created_at is epoch milliseconds written as text."),
    _row("job", 16, "modified-before-created", "modified_at lies ten years before created_at."),
    _row("job", 19, "raw-data-missing", "raw_data is absent."),
    _row("job", 22, "undeclared-field", "Fields come along that the contract does not have."),
    _row("job", 25, "department-cycle", "Two departments are each other's parent."),
    _row("job", 28, "department-dangling", "A department names a parent that is nowhere."),
    _row(
        "job", 31, "digits-lost", "The id in raw_data was rounded on its way, so it no longer agrees with id."
    ),
    _row("job", 34, "id-number", "id is a number in place of text."),
    _row("job", 37, "id-missing", "id is absent."),
    _row("job", 40, "item-null", "null stands where a record should."),
    _row("job", 43, "item-text", "A text stands where a record should."),
    _row("job", 46, "name-empty", "name is empty text."),
    _row("job", 49, "name-markup", "name holds HTML, control characters and a change of writing direction."),
    _row("job", 52, "wrong-mapping", "name is taken from the requisition number and not from the title."),
    _row("job", 55, "recruiters-object", "recruiters is one object in place of an array."),
    _row("job", 58, "name-cut", "name is cut after nine characters."),
    _row("job", 61, "name-escaped-twice", "name is escaped for HTML twice."),
    _row("job", 64, "zone-dropped", "modified_at has lost its zone."),
    _row("job", 67, "raw-data-of-neighbour", "raw_data is that of the record before it."),
    _row("job", 70, "token-in-raw-data", "raw_data holds a token."),
    _once("job", 5, "duplicate-key", "The JSON text of a record has the key name twice."),
    _once("job", 15, "nan", "The JSON text of a record holds NaN, which is no JSON."),
    _once("job", 25, "lone-surrogate", "name holds half of a surrogate pair, which is no character."),
    Defect(
        "job-duplicate-over-pages",
        "job",
        "Each page begins with the last record of the page before.",
        "pages 2 and on",
    ),
    Defect(
        "job-page-size-ignored",
        "job",
        "page_size has no effect: pages always have 100 records.",
        "every page",
    ),
    Defect(
        "job-false-with-cursor",
        "job",
        "has_next_page is false beside a cursor that leads to more records.",
        "page 12",
    ),
    Defect(
        "job-incremental-unknown",
        "job",
        "sync_mode=incremental returns records that full never had.",
        "the last three rows of an incremental list",
    ),
    Defect(
        "job-incremental-other",
        "job",
        "With sync_mode=incremental a record has another name than in full, and the same date of change.",
        "the first three rows of each page of an incremental list",
    ),
    Defect(
        "job-border-lost",
        "job",
        "Between two pages a record is lost.",
        "at the end of every page",
        mixed=False,
    ),
    Defect(
        "job-broken-json",
        "job",
        "A page is cut off in the middle of a record, with status 200 and a length that fits.",
        "page 3",
        mixed=False,
    ),
    Defect(
        "job-byte-order-mark", "job", "The answer begins with a byte order mark.", "every page", mixed=False
    ),
    Defect(
        "job-has-next-absent", "job", "has_next_page is absent, though required.", "every page", mixed=False
    ),
    _row("file", 2, "type-unknown", 'type is "shortcut", which was never seen.'),
    _row("file", 5, "size-text", 'size is text with separators, as "12,345".'),
    _row("file", 8, "size-negative", "size is negative."),
    _row("file", 11, "size-rounded", "size has lost its last digits: raw_data has 9007199254740993."),
    _row("file", 14, "export-formats-null", "export_formats is null where the contract has an array."),
    _row("file", 17, "permissions-text", "permissions is text in place of an object."),
    _row("file", 20, "downloadable-null", "downloadable is null where the contract has a boolean."),
    _row("file", 23, "updated-at-words", 'updated_at is "yesterday".'),
    _row("file", 26, "name-missing", "name is absent."),
    _row("file", 29, "same-id", "The record has the id of the one before it, with other content."),
    _row("file", 32, "updated-at-day-first", "updated_at is 31/12/2024 23:59."),
    _row("file", 35, "size-unit", "size is in units of 1,024 bytes."),
    _row(
        "file",
        38,
        "mime-type-default",
        "mime_type is application/octet-stream, whatever the third party has.",
    ),
    _row("file", 41, "name-wrong-charset", "name was decoded with the wrong charset."),
    Defect(
        "file-folder-left-out",
        "file",
        "The files of one folder come only when that folder is asked for.",
        "what lies in the folder of row 1,126",
        mixed=False,
    ),
    Defect(
        "file-drive-forgotten",
        "file",
        "Beside a cursor drive_id has no effect.",
        "pages 2 and on of a list by drive_id",
        mixed=False,
    ),
    Defect(
        "file-long-value", "file", "description is one line of 400,000 characters.", "row 205 alone", slot=204
    ),
    Defect(
        "file-empty-page",
        "file",
        "An empty page with a next cursor lies in the middle of the list.",
        "after row 500, and again after row 1,000",
    ),
    Defect(
        "file-page-too-long",
        "file",
        "Each page has three records more than page_size asked for.",
        "every page",
    ),
    Defect(
        "file-next-without-cursor", "file", "has_next_page is true and there is no cursor.", "the last page"
    ),
    Defect(
        "drive-first-page-for-ever",
        "drive",
        "The cursor is ignored: the first page comes for ever, with the same next cursor.",
        "every page",
    ),
    _row("drive", 1, "updated-at-empty", "updated_at is empty text."),
    _row("drive", 3, "name-null", "name is null where the contract has text."),
    _row("drive", 5, "raw-data-text", "raw_data is JSON within a text."),
    Defect(
        "drive-content-type", "drive", "The answer says text/html and is JSON.", "every page", mixed=False
    ),
    Defect("drive-items-null", "drive", "items is null, though a required array.", "every page", mixed=False),
    _row("mailbox", 2, "email-missing", "email is absent."),
    _row("mailbox", 4, "email-malformed", 'email is "not an address".'),
    _row("mailbox", 6, "deleted-number", "is_deleted is 0 or 1 in place of a boolean."),
    _row("mailbox", 8, "updated-at-local", "updated_at has neither a T nor a time zone."),
    Defect(
        "mailbox-empty-last-page",
        "mailbox",
        "The last records are followed by an empty page.",
        "the last page",
    ),
    Defect(
        "mailbox-cursor-empty-text",
        "mailbox",
        "The end is marked by a cursor of empty text.",
        "the last page",
    ),
    Defect(
        "mailbox-cursor-absent",
        "mailbox",
        "The end is marked by an absent cursor.",
        "the last page",
        mixed=False,
    ),
    Defect(
        "mailbox-other-envelope",
        "mailbox",
        "The page comes in the other envelope, with has_next_page and next_cursor.",
        "every page",
        mixed=False,
    ),
    Defect(
        "mailbox-cursor-number",
        "mailbox",
        "The next cursor is a number in place of text.",
        "every page but the last",
        mixed=False,
    ),
    Defect(
        "sequence-cursor-loop",
        "sequence_state",
        "The cursors go round: after the third page the second comes again, and so on for ever.",
        "pages 3 and on",
    ),
    _row("sequence_state", 3, "state-null", "state is null where the contract has text."),
    _row(
        "sequence_state",
        6,
        "mailbox-dangling",
        "mailbox_id names a mailbox that the list of mailboxes does not have.",
    ),
    _row("sequence_state", 9, "deleted-text", 'is_deleted is the text "false".'),
    _row("sequence_state", 12, "user-of-neighbour", "user_id is that of the record before it."),
    Defect(
        "sequence-going-back",
        "sequence_state",
        "A record comes again with an older updated_at than before.",
        "row 150 comes again after row 250",
    ),
    Defect("account-extra", "account", "The batch holds an account that was not asked for.", "every batch"),
    Defect("account-double", "account", "The batch holds its first account twice.", "every batch"),
    Defect(
        "account-updated-at-missing",
        "account",
        "updated_at is absent, though required.",
        "accounts with a number that 5 divides",
    ),
    Defect(
        "account-lifecycle-unknown",
        "account",
        'lifecycle_stage is "zombie", outside its enumeration.',
        "accounts whose number leaves 1 when divided by 5",
    ),
    Defect(
        "account-employees-text",
        "account",
        'number_of_employees is text, as "1,000-5,000".',
        "accounts whose number leaves 2 when divided by 5",
    ),
    Defect(
        "account-addresses-object",
        "account",
        "addresses is one object in place of an array.",
        "accounts whose number leaves 3 when divided by 5",
    ),
    Defect(
        "account-properties-ignored", "account", "properties has no effect: all of them come.", "every batch"
    ),
    Defect(
        "contact-phone-dropped",
        "contact",
        "A written phone is neither kept nor answered, with status 200.",
        "create, update, upsert",
    ),
    Defect(
        "contact-plus-lost",
        "contact",
        "A plus in a written e-mail address becomes a blank, with status 200.",
        "create, update, upsert",
    ),
    Defect(
        "contact-wrapper-missing",
        "contact",
        "The answer is the record itself, without record around it.",
        "create, update, upsert",
        mixed=False,
    ),
    Defect(
        "balance-total-broken",
        "customer_balance",
        "totalBalance is not the sum of the entries.",
        "every report",
    ),
    Defect(
        "balance-customer-twice",
        "customer_balance",
        "The first customer has two entries.",
        "every report with an entry",
    ),
    Defect("balance-number-text", "customer_balance", 'balance is text, as "1.234,56".', "the last entry"),
    Defect(
        "income-net-broken",
        "customer_income",
        "netIncome of an entry is not its income less its expenses.",
        "the first entry",
    ),
    Defect(
        "income-total-broken", "customer_income", "totalIncome is not the sum of the entries.", "every report"
    ),
    Defect("income-period-reversed", "customer_income", "startPeriod lies after endPeriod.", "every report"),
    Defect(
        "income-currency-missing", "customer_income", "currency is absent, though required.", "every report"
    ),
    Defect(
        "receipt-wrong-type",
        "payment_receipt",
        "The bytes of a PDF are called application/json.",
        "every receipt that is a PDF",
    ),
)

MIX = frozenset(defect.id for defect in DEFECTS if defect.mixed)
BY_ID = {defect.id: defect for defect in DEFECTS}


def table() -> str:
    """The defects as the table that the documentation holds."""
    lines = ["| defect | resource | what it does | where it shows | in the mix |", "|---|---|---|---|---|"]
    lines += [
        f"| `{d.id}` | {d.resource} | {d.says} | {d.where} | {'yes' if d.mixed else 'no'} |" for d in DEFECTS
    ]
    return "\n".join(lines) + "\n"
