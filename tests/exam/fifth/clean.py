"""The sound services of this exam, and what is odd and still right under the contract."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any

from tests.exam import words
from tests.exam.calls3.answers import Call
from tests.exam.calls3.data import ACCOUNT, CONTACT, FILE, INCOME, JOB, MAILBOX, STATE, Row
from tests.exam.calls3.engine import Spot
from tests.exam.fifth import shapes_crm, shapes_files, shapes_jobs, shapes_sales
from tests.exam.fifth.service import BOOKS, CRM, FILES, FORMS, JOBS, SALES, Service, plain
from tests.exam.fifth.shapes_books import Ledger

OWN_STAGES = ("Reseller", "Investor", "Pressekontakt")


@dataclass(frozen=True, slots=True)
class Sound:
    """A service of which nothing may be said."""

    name: str
    service: str
    make: Callable[[int], Service]
    writes: bool = False


def _plain(name: str) -> Callable[[int], Service]:
    return lambda seed: plain(name, seed)


def _formed(name: str, **changes: Any) -> Callable[[int], Service]:
    """The same records, with something else that the contract leaves open."""
    return lambda seed: plain(name, seed, replace(FORMS[name], **changes))


def _each(service: Service, key: str, change: Callable[[Row], Row]) -> Service:
    service.lists[key] = [{**one, **change(one)} for one in service.lists[key]]
    return service


def _own_stages(seed: int) -> Service:
    """Stages of the customer's own, which the contract knows as other."""
    rng, raws = Random(f"{seed}:stages"), shapes_crm.raws(seed)
    rows = []
    for raw in raws:
        stage = next((one for one in raw["CUSTOMFIELDS"] if one["FIELD_NAME"] == "Stage__c"), None)
        own = stage is not None and rng.random() < 0.2
        if own and stage:
            stage["FIELD_VALUE"] = rng.choice(OWN_STAGES)
        rows.append({**shapes_crm.account_of(raw), **({"lifecycle_stage": "other"} if own else {})})
    return plain(CRM, seed, lists={ACCOUNT: rows})


def _compact(seed: int) -> Service:
    """Telephone numbers are given without blanks, null stands for no addresses and no telephones."""

    def change(row: Row) -> Row:
        phones = [
            {**one, "phone_number": one["phone_number"].replace(" ", "")} for one in row["phone_numbers"]
        ]
        return {"phone_numbers": phones or None, "addresses": row["addresses"] or None}

    return _each(plain(CRM, seed), ACCOUNT, change)


def _normalised(seed: int) -> Service:
    """The third party keeps addresses in small letters and telephone numbers without blanks."""

    def change(spot: Spot, call: Call, row: Row) -> Row:
        made = dict(row)
        if isinstance(made.get("email"), str):
            made["email"] = made["email"].lower()
        if isinstance(made.get("phone"), str):
            made["phone"] = made["phone"].replace(" ", "")
        return made

    service = plain(CRM, seed)
    service.bend("kept", CONTACT, change)
    return service


def _twins(seed: int) -> Service:
    """Many jobs with one title, in one department, made in one second; null for nobody."""
    raws = shapes_jobs.raws(seed)
    for one in raws[::6]:
        one.update(
            title="Nurse (night shift)", department_hierarchy=deepcopy(raws[0]["department_hierarchy"])
        )
        one.update(full_title=one["title"], code=None, created_at="2024-03-01T08:00:00Z")
        one["updated_at"] = max(one["updated_at"], "2024-03-02T08:00:00Z")
    service = plain(JOBS, seed, lists={JOB: shapes_jobs.jobs_of(raws)})
    return _each(
        service,
        JOB,
        lambda row: {name: row[name] or None for name in ("hiring_managers", "recruiters")},
    )


def _epochs(seed: int) -> Service:
    """Dates are epoch milliseconds as text."""

    def told(text: str) -> str:
        return str(words.millis(datetime.fromisoformat(text)))

    return _each(
        plain(JOBS, seed), JOB, lambda row: {name: told(row[name]) for name in ("created_at", "modified_at")}
    )


def _nulls(seed: int) -> Service:
    """What a file does not have is null instead of absent."""
    service = plain(FILES, seed, replace(FORMS[FILES], end={"next_cursor": ""}))
    return _each(service, FILE, lambda row: {name: row.get(name) for name in ("description", "mime_type")})


def _growing(seed: int) -> Service:
    """With every ninth page of files another file comes to the end of the list."""

    def change(spot: Spot, call: Call, rows: list[Row]) -> list[Row]:
        spot.memo["calls"] = number = spot.memo.get("calls", 0) + 1
        if number % 9 == 0:
            every = spot.engine.lists[FILE]
            last = next(one for one in every if one["type"] == "file")
            raw = deepcopy(last["raw_data"])
            raw["Id"] = f"fi{number:06}-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
            raw["StreamID"], raw["HasMultipleVersions"] = f"st{raw['Id'][2:]}", False
            folder = raw["SemanticPath"].rpartition("/")[0]
            raw["Name"] = raw["FileName"] = f"new {number}.{shapes_files.ending_of(raw['Name'])}"
            raw["SemanticPath"] = f"{folder}/{raw['Name']}"
            raw["CreationDate"] = raw["ProgenyEditDate"] = f"2025-02-01T08:{number % 60:02}:00Z"
            every.append(shapes_files.file_of(raw))
            return service.filtered(call, every)
        return rows

    service = plain(FILES, seed)
    service.bend("rows", FILE, change)
    return service


def _words(seed: int) -> Service:
    """States in the customer's words, one for each; addresses in small letters, which the third party does not keep."""
    own = dict(
        zip(
            shapes_sales.STATES,
            ("läuft", "done", "En pause ⏸", "Antwort da", "raus", "STOP", "bounced (hard)", "geplant"),
            strict=True,
        )
    )
    accounts, enrolments = shapes_sales.raws(seed)
    for one in accounts:
        one["emailAddress"] = one["emailAddress"].title()
    boxes = [{**shapes_sales.mailbox_of(one), "email": one["emailAddress"].lower()} for one in accounts]
    states = [shapes_sales.state_of(one) for one in enrolments]
    service = plain(SALES, seed, replace(FORMS[SALES], end={}, usual=30), {MAILBOX: boxes, STATE: states})
    return _each(service, STATE, lambda row: {"state": own[row["state"]]})


def _verbatim(seed: int) -> Service:
    """Dates are given as the third party has them, each with the offset of its owner."""

    def told(row: Row, names: dict[str, str]) -> Row:
        return {name: row["raw_data"][of] for name, of in names.items() if row["raw_data"][of]}

    service = plain(SALES, seed)
    changed = ("updated_at", "last_modified_at")
    boxes = {"created_at": "connectedAt", **dict.fromkeys(changed, "modifiedAt")}
    states = {"created_at": "addedAt", **dict.fromkeys(changed, "updatedAt")}
    _each(service, MAILBOX, lambda row: told(row, boxes))
    return _each(service, STATE, lambda row: told(row, states))


def _dust(seed: int) -> Service:
    """Totals are added up as floating-point numbers, with dust in the last digits."""

    def change(spot: Spot, call: Call, found: Row) -> Row:
        names = [name for name in found if name.startswith(("total", "net"))]
        of = {"totalBalance": "balance"}
        sums = {name: sum(one[of.get(name, name)] for one in found["entries"]) for name in names}
        return {**found, **sums}

    service = plain(BOOKS, seed)
    for key in ("accounting/customer-balance", INCOME):
        service.bend("page", key, change)
    return service


def _quiet(seed: int) -> Service:
    """Contacts without a single posting."""
    service = plain(BOOKS, seed)
    assert isinstance(service.books, Ledger)
    service.books.postings = {of: [] for of in service.books.postings}
    return service


def _moving(seed: int) -> Service:
    """The income report leaves out those who have neither income nor expenses."""

    def change(spot: Spot, call: Call, found: Row) -> Row:
        kept = [one for one in found["entries"] if one["totalIncome"] or one["totalExpenses"]]
        return {**found, "entries": kept}

    service = plain(BOOKS, seed)
    service.bend("page", INCOME, change)
    return service


CLEAN = (
    *(Sound(f"{name}: plain", name, _plain(name)) for name in FORMS),
    Sound(
        "insightly: in reverse, whatever is asked for",
        CRM,
        _formed(CRM, reversed_batch=True, heeds_properties=False),
    ),
    Sound("insightly: stages of the customer's own", CRM, _own_stages),
    Sound("insightly: numbers without blanks, null for none", CRM, _compact),
    Sound("insightly: writes are normalised", CRM, _normalised, writes=True),
    Sound(
        "workable: sizes not heeded, an empty last page, numbers as cursors",
        JOBS,
        _formed(JOBS, heeds_size=False, empty_page=True, usual=33, end={}, cursors="offset"),
    ),
    Sound("workable: one title for many, null for nobody", JOBS, _twins),
    Sound("workable: dates in milliseconds", JOBS, _epochs),
    Sound("workable: incremental is recent", JOBS, _formed(JOBS, recent=True)),
    Sound("sharefile: null for absent, an empty cursor at the end", FILES, _nulls),
    Sound("sharefile: files added while read", FILES, _growing),
    Sound("replyio: the customer's words, small pages", SALES, _words),
    Sound("replyio: dates as they come", SALES, _verbatim),
    Sound("xero: sums with dust", BOOKS, _dust),
    Sound("xero: nothing to report", BOOKS, _quiet),
    Sound("xero: income of those who have any", BOOKS, _moving),
)
