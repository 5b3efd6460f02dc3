"""What `conn_sandbox_messy` does wrong, declared one by one.

`conn_sandbox_messy` shows those with `mixed` all at once, spread so that one walk of each list passes them;
`conn_sandbox_messy.<id>` shows one alone on otherwise clean data, `conn_sandbox_messy.<id>+<id>` some of them.
docs/sandbox.md has the same table, and a test keeps the two in step.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

EVERY = 100
"""A defect of single records shows in one row of each hundred."""
_NONE: Mapping[Any, tuple[str, str]] = {}


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


def _of(
    resource: str,
    rows: Mapping[int, tuple[str, str]] = _NONE,
    whole: Mapping[str, tuple[str, str]] = _NONE,
    alone: Mapping[str, tuple[str, str]] = _NONE,
) -> Iterator[Defect]:
    """The defects of one resource.

    Args:
        resource: its name, or that of a report or receipt.
        rows: number of a row, counted from 0, to name and sentence; one below `EVERY` shows in each hundred.
        whole: name to sentence and place, of those that show in pages, parameters or whole answers.
        alone: the same of those that the mix does not have.
    """
    first = resource.removeprefix("customer_").removeprefix("payment_").partition("_")[0]
    for slot, (name, says) in rows.items():
        where = f"row {slot + 1} of each hundred" if slot < EVERY else f"row {slot + 1} alone"
        yield Defect(f"{first}-{name}", resource, says, where, slot=slot)
    for mixed, group in ((True, whole), (False, alone)):
        for name, (says, where) in group.items():
            yield Defect(f"{first}-{name}", resource, says, where, mixed)


DEFECTS: tuple[Defect, ...] = (
    *_of(
        "job",
        rows={
            1: ("confidential-text", 'confidential is the text "yes" in place of a boolean.'),
            4: ("name-number", "name is a number in place of text."),
            7: ("departments-null", "departments is null where the contract has an array."),
            10: ("created-at-zero", 'created_at is "0000-00-00 00:00:00".'),
            13: ("created-at-epoch", "created_at is epoch milliseconds written as text."),
            16: ("modified-before-created", "modified_at lies ten years before created_at."),
            19: ("raw-data-missing", "raw_data is absent."),
            22: ("undeclared-field", "Fields come along that the contract does not have."),
            25: ("department-cycle", "Two departments are each other's parent."),
            28: ("department-dangling", "A department names a parent that is nowhere."),
            31: ("digits-lost", "The id in raw_data was rounded on its way, so it no longer agrees with id."),
            34: ("id-number", "id is a number in place of text."),
            37: ("id-missing", "id is absent."),
            40: ("item-null", "null stands where a record should."),
            43: ("item-text", "A text stands where a record should."),
            46: ("name-empty", "name is empty text."),
            49: ("name-markup", "name holds HTML, control characters and a change of writing direction."),
            52: ("wrong-mapping", "name is taken from the requisition number and not from the title."),
            55: ("recruiters-object", "recruiters is one object in place of an array."),
            58: ("name-cut", "name is cut after nine characters."),
            61: ("name-escaped-twice", "name is escaped for HTML twice."),
            64: ("zone-dropped", "modified_at has lost its zone."),
            67: ("raw-data-of-neighbour", "raw_data is that of the record before it."),
            70: ("token-in-raw-data", "raw_data holds a token."),
            # Broken JSON stands late in the list: a strict reader stops only after the other defects.
            1155: ("duplicate-key", "The JSON text of a record has the key name twice."),
            1165: ("nan", "The JSON text of a record holds NaN, which is no JSON."),
            1175: ("lone-surrogate", "name holds half of a surrogate pair, which is no character."),
        },
        whole={
            "duplicate-over-pages": (
                "Each page begins with the last record of the page before.",
                "pages 2 and on",
            ),
            "page-size-ignored": ("page_size has no effect: pages always have 100 records.", "every page"),
            "false-with-cursor": (
                "has_next_page is false beside a cursor that leads to more records.",
                "page 12",
            ),
            "incremental-unknown": (
                "sync_mode=incremental returns records that full never had.",
                "the last three rows of an incremental list",
            ),
            "incremental-other": (
                "With sync_mode=incremental a record has another name than in full, and the same date of change.",
                "the first three rows of each page of an incremental list",
            ),
        },
        alone={
            "border-lost": ("Between two pages a record is lost.", "at the end of every page"),
            "broken-json": (
                "A page is cut off in the middle of a record, with status 200 and a length that fits.",
                "page 3",
            ),
            "byte-order-mark": ("The answer begins with a byte order mark.", "every page"),
            "has-next-absent": ("has_next_page is absent, though required.", "every page"),
        },
    ),
    *_of(
        "file",
        rows={
            2: ("type-unknown", 'type is "shortcut", which was never seen.'),
            5: ("size-text", 'size is text with separators, as "12,345".'),
            8: ("size-negative", "size is negative."),
            11: ("size-rounded", "size has lost its last digits: raw_data has 9007199254740993."),
            14: ("export-formats-null", "export_formats is null where the contract has an array."),
            17: ("permissions-text", "permissions is text in place of an object."),
            20: ("downloadable-null", "downloadable is null where the contract has a boolean."),
            23: ("updated-at-words", 'updated_at is "yesterday".'),
            26: ("name-missing", "name is absent."),
            29: ("same-id", "The record has the id of the one before it, with other content."),
            32: ("updated-at-day-first", "updated_at is 31/12/2024 23:59."),
            35: ("size-unit", "size is in units of 1,024 bytes."),
            38: ("mime-type-default", "mime_type is application/octet-stream, whatever the third party has."),
            41: ("name-wrong-charset", "name was decoded with the wrong charset."),
            204: ("long-value", "description is one line of 400,000 characters."),
        },
        whole={
            "empty-page": (
                "An empty page with a next cursor lies in the middle of the list.",
                "after row 500, and again after row 1,000",
            ),
            "page-too-long": ("Each page has three records more than page_size asked for.", "every page"),
            "next-without-cursor": ("has_next_page is true and there is no cursor.", "the last page"),
        },
        alone={
            "folder-left-out": (
                "The files of one folder come only when that folder is asked for.",
                "what lies in the folder of row 1,126",
            ),
            "drive-forgotten": (
                "Beside a cursor drive_id has no effect.",
                "pages 2 and on of a list by drive_id",
            ),
        },
    ),
    *_of(
        "drive",
        rows={
            1: ("updated-at-empty", "updated_at is empty text."),
            3: ("name-null", "name is null where the contract has text."),
            5: ("raw-data-text", "raw_data is JSON within a text."),
        },
        whole={
            "first-page-for-ever": (
                "The cursor is ignored: the first page comes for ever, with the same next cursor.",
                "every page",
            ),
        },
        alone={
            "content-type": ("The answer says text/html and is JSON.", "every page"),
            "items-null": ("items is null, though a required array.", "every page"),
        },
    ),
    *_of(
        "mailbox",
        rows={
            2: ("email-missing", "email is absent."),
            4: ("email-malformed", 'email is "not an address".'),
            6: ("deleted-number", "is_deleted is 0 or 1 in place of a boolean."),
            8: ("updated-at-local", "updated_at has neither a T nor a time zone."),
        },
        whole={
            "empty-last-page": ("The last records are followed by an empty page.", "the last page"),
            "cursor-empty-text": ("The end is marked by a cursor of empty text.", "the last page"),
        },
        alone={
            "cursor-absent": ("The end is marked by an absent cursor.", "the last page"),
            "other-envelope": (
                "The page comes in the other envelope, with has_next_page and next_cursor.",
                "every page",
            ),
            "cursor-number": ("The next cursor is a number in place of text.", "every page but the last"),
        },
    ),
    *_of(
        "sequence_state",
        rows={
            3: ("state-null", "state is null where the contract has text."),
            6: ("mailbox-dangling", "mailbox_id names a mailbox that the list of mailboxes does not have."),
            9: ("deleted-text", 'is_deleted is the text "false".'),
            12: ("user-of-neighbour", "user_id is that of the record before it."),
        },
        whole={
            "cursor-loop": (
                "The cursors go round: after the third page the second comes again, and so on for ever.",
                "pages 3 and on",
            ),
            "going-back": (
                "A record comes again with an older updated_at than before.",
                "row 150 comes again after row 250",
            ),
        },
    ),
    *_of(
        "account",
        whole={
            "extra": ("The batch holds an account that was not asked for.", "every batch"),
            "double": ("The batch holds its first account twice.", "every batch"),
            "updated-at-missing": (
                "updated_at is absent, though required.",
                "accounts with a number that 5 divides",
            ),
            "lifecycle-unknown": (
                'lifecycle_stage is "zombie", outside its enumeration.',
                "accounts whose number leaves 1 when divided by 5",
            ),
            "employees-text": (
                'number_of_employees is text, as "1,000-5,000".',
                "accounts whose number leaves 2 when divided by 5",
            ),
            "addresses-object": (
                "addresses is one object in place of an array.",
                "accounts whose number leaves 3 when divided by 5",
            ),
            "properties-ignored": ("properties has no effect: all of them come.", "every batch"),
        },
    ),
    *_of(
        "contact",
        whole={
            "phone-dropped": (
                "A written phone is neither kept nor answered, with status 200.",
                "create, update, upsert",
            ),
            "plus-lost": (
                "A plus in a written e-mail address becomes a blank, with status 200.",
                "create, update, upsert",
            ),
        },
        alone={
            "wrapper-missing": (
                "The answer is the record itself, without record around it.",
                "create, update, upsert",
            ),
        },
    ),
    *_of(
        "customer_balance",
        whole={
            "total-broken": ("totalBalance is not the sum of the entries.", "every report"),
            "customer-twice": ("The first customer has two entries.", "every report with an entry"),
            "number-text": ('balance is text, as "1.234,56".', "the last entry"),
        },
    ),
    *_of(
        "customer_income",
        whole={
            "net-broken": ("netIncome of an entry is not its income less its expenses.", "the first entry"),
            "total-broken": ("totalIncome is not the sum of the entries.", "every report"),
            "period-reversed": ("startPeriod lies after endPeriod.", "every report"),
            "currency-missing": ("currency is absent, though required.", "every report"),
        },
    ),
    *_of(
        "payment_receipt",
        whole={
            "wrong-type": ("The bytes of a PDF are called application/json.", "every receipt that is a PDF"),
        },
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
