"""The services: one engine that speaks the whole interface, and what each third party lets it say."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.exam import words
from tests.exam.calls3.answers import Call, Cut, RefusedError, Reply, wrong
from tests.exam.calls3.data import (
    ACCOUNT,
    BALANCE,
    CONTACT,
    CORE,
    DRIVE,
    FILE,
    INCOME,
    JOB,
    MAILBOX,
    RECEIPT,
    STATE,
    Base,
    Row,
)
from tests.exam.calls3.engine import Bend, Bending, Engine, Spot
from tests.exam.fifth import shapes_books, shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.fifth.shapes_books import Ledger

ALWAYS = ("id", "updated_at", "is_deleted")


@dataclass(frozen=True, slots=True)
class Form(Base):
    """What the contract leaves open, as one connector does it."""

    cursors: str = "token"
    """``token``, ``offset``, ``last`` (the row that was given last) or ``odd``."""
    heeds_size: bool = True
    heeds_properties: bool = True
    reversed_batch: bool = False
    empty_page: bool = False
    """Whether a full last page is followed by an empty one."""
    recent: bool = False
    """Whether an incremental read gives the last tenth alone."""

    def cursor(self, rows: list[Row], offset: int, size: int) -> str:
        if self.cursors == "offset":
            return str(offset)
        if self.cursors == "last":
            return f"after:{rows[offset - 1]['id']}" if offset else "after:"
        if self.cursors == "odd":
            return f"https://api.third.example/next?$skip={offset}&t=/+ü%41#~{offset}"
        text = json.dumps({"o": offset, "k": "ÿ>?~"}, ensure_ascii=False)
        return base64.b64encode(text.encode("latin-1")).decode()

    def position(self, cursor: str, rows: list[Row]) -> tuple[int, int | None]:
        if self.cursors == "offset":
            offset = int(cursor)
        elif self.cursors == "last":
            last = cursor.removeprefix("after:")
            offset = next((number + 1 for number, row in enumerate(rows) if str(row["id"]) == last), -1)
        elif self.cursors == "odd":
            offset = int(cursor.rpartition("~")[2])
        else:
            offset = int(json.loads(base64.b64decode(cursor, validate=True).decode("latin-1"))["o"])
        if not 0 <= offset <= len(rows):
            raise ValueError(cursor)
        return offset, None


class Service(Engine):
    """A connection to one third party."""

    form: Form

    def __init__(self, form: Form, seed: int, lists: dict[str, list[Row]]) -> None:
        super().__init__(form, seed)
        self.form, self.seed = form, seed
        self.lists = lists
        if form.name == shapes_books.NAME:
            self.books = Ledger(seed)

    def bend(self, point: str, key: str, change: Bending) -> None:
        """Lets what stands at this point of the engine be changed."""
        spot = Spot(self, key, Random(f"{self.seed}:{point}:{key}"))
        self.bends.append((Bend(point, key, change), spot))

    def filtered(self, call: Call, rows: list[Row]) -> list[Row]:
        if call.key == FILE:
            if drive := call.query.get("drive_id"):
                rows = [row for row in rows if drive_within(row) == drive]
            if folder := call.query.get("folder_id"):
                rows = [row for row in rows if row["raw_data"]["Parent"]["Id"] == folder]
        if self.form.recent and call.query.get("sync_mode") == "incremental":
            rows = rows[-max(1, len(rows) // 10) :]
        return rows

    def page(self, call: Call, cut: Cut) -> Row:
        more = cut.onward is not None
        if self.form.empty_page and not more and cut.items and len(cut.items) == cut.size:
            cut.onward = len(cut.rows)
        return super().page(call, cut)

    def _size(self, call: Call, held: int | None) -> int:
        return super()._size(call, held) if self.form.heeds_size else self.form.usual

    def _batch(self, call: Call) -> list[Row]:
        for name in ("ids", "properties"):
            if not isinstance(call.sent.get(name), list):
                raise wrong(name, message="expected an array")
        wanted = {str(one) for one in call.sent["ids"]}
        named = [str(one) for one in call.sent["properties"]]
        found = [row for row in self.lists[ACCOUNT] if row["id"] in wanted]
        if self.form.heeds_properties:
            found = [limited(row, named) for row in found]
        if self.form.reversed_batch:
            found.reverse()
        bent: list[Row] = self.bent("found", call, found)
        return bent

    def _receipt(self, call: Call) -> Any:
        number = call.query.get("customer_transaction_id")
        if not number:
            raise wrong("customer_transaction_id", message="Required")
        at = transactions(self.seed).index(number) if number in transactions(self.seed) else -1
        if at < 0:
            raise RefusedError(404, f"[404 Not Found] payment {number}")
        receipt = {
            "id": number,
            "amount": 120.5 + at * 31.25,
            "currency": "NZD",
            "date": f"2025-03-{at + 1:02}",
        }
        return self.bent("page", call, receipt)

    def _check(self, call: Call) -> Any:
        return self.bent("page", call, super()._check(call))

    def _link(self, call: Call) -> Row:
        made: Row = self.bent("page", call, super()._link(call))
        return made

    def _webhook(self, call: Call) -> Reply:
        reply: Reply = self.bent("page", call, super()._webhook(call))
        return reply


def limited(row: Row, properties: Sequence[str]) -> Row:
    """The record as it is when these properties of the third party are asked for."""
    fields = {name for one in properties for name in shapes_crm.PROPERTIES.get(one, ())}
    made = {name: of for name, of in row.items() if name in ALWAYS or name in fields}
    raw = {
        name: of for name, of in row["raw_data"].items() if name in properties or name == "ORGANISATION_ID"
    }
    return {**made, "raw_data": raw}


def drive_within(row: Row) -> str:
    """The id of the root folder that a file is in."""
    return str(row["raw_data"]["Path"].split("/")[1])


def transactions(seed: int) -> list[str]:
    """Ids of the payments of which there are receipts."""
    rng = Random(f"{seed}:payments")
    return [words.guid(rng) for _ in range(12)]


def _number(rng: Random, number: int) -> str:
    return str(148_900_000 + number * 7)


def _token(rng: Random, number: int) -> str:
    return words.token(rng, 12, "0123456789abcdef")


CRM, JOBS, FILES = shapes_crm.NAME, shapes_jobs.NAME, shapes_files.NAME
SALES, BOOKS = shapes_sales.NAME, shapes_books.NAME
LACKING = (501, "NOT_IMPLEMENTED")
NULL: Row = {"next_cursor": None}
FORMS = {
    CRM: Form(CRM, (CONTACT, ACCOUNT, *CORE), {}, 50, 100, _number, NULL, LACKING),
    JOBS: Form(JOBS, (JOB, *CORE), {}, 50, 100, _token, NULL, LACKING),
    FILES: Form(FILES, (FILE, DRIVE, *CORE), {}, 60, 200, _token, NULL, LACKING, cursors="odd"),
    SALES: Form(SALES, (MAILBOX, STATE, CONTACT, *CORE), {}, 50, 100, _number, NULL, LACKING, cursors="last"),
    BOOKS: Form(BOOKS, (BALANCE, INCOME, RECEIPT, *CORE), {}, 50, 100, _token, NULL, LACKING),
}


def _lists(name: str, seed: int) -> dict[str, list[Row]]:
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


def plain(
    name: str, seed: int, form: Form | None = None, lists: dict[str, list[Row]] | None = None
) -> Service:
    """The sound service of this third party."""
    made = _lists(name, seed) if lists is None else lists
    return Service(form or FORMS[name], seed, deepcopy(made))


def options(name: str, seed: int) -> tuple[str, ...]:
    """What the program has to be told to ask this service."""
    given = ["--connector", "workable"]
    if name == CRM:
        ids = [one["id"] for one in _lists(name, seed)[ACCOUNT]]
        given += ["--ids", ",".join(ids), "--properties", ",".join(shapes_crm.PROPERTIES)]
    if name == BOOKS:
        given += ["--customer", Ledger(seed).head, "--transactions", ",".join(transactions(seed)[:4])]
    return tuple(given)


Make = Callable[[int], Service]
