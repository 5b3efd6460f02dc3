"""The sound services of the fourth exam, and what is odd and still right under the contract."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from random import Random
from typing import Any

from tests.exam.fourth import shapes_books, shapes_crm, shapes_files, shapes_jobs, shapes_sales, texts
from tests.exam.fourth.shapes_books import Ledger
from tests.exam.third.engine import (
    ACCOUNT,
    BALANCE,
    DRIVE,
    FILE,
    INCOME,
    JOB,
    MAILBOX,
    STATE,
    WITHIN,
    Ask,
    Query,
    Row,
    Wire,
    World,
)

SERVICES: dict[str, Callable[[int], World]] = {
    shapes_crm.NAME: shapes_crm.freshsales,
    shapes_jobs.NAME: shapes_jobs.smartrecruiters,
    shapes_files.NAME: shapes_files.nextcloud,
    shapes_sales.NAME: shapes_sales.lemlist,
    shapes_books.NAME: shapes_books.intacct,
}
NULLS = ("description", "created_at", "mime_type")


@dataclass(frozen=True, slots=True)
class Clean:
    """A service of which nothing may be said."""

    name: str
    service: str
    make: Callable[[int], World]
    wire: Wire = field(default_factory=Wire)


def _each(world: World, key: str, change: Callable[[Row], Row]) -> World:
    world.lists[key] = [{**one, **change(one)} for one in world.lists[key]]
    return world


def _custom_stages(seed: int) -> World:
    """Stages above eight are the customer's own, which the contract knows as other."""
    rng, raws = Random(f"{seed}:stages"), shapes_crm.raws(seed)
    for one in raws:
        if rng.random() < 0.25:
            one["custom_field"]["cf_lifecycle"] = rng.choice((9, 10, 11))

    def stage(row: Row) -> Row:
        own = (row["raw_data"]["custom_field"]["cf_lifecycle"] or 0) > max(shapes_crm.STAGES)
        return {"lifecycle_stage": "other"} if own else {}

    accounts = [shapes_crm.account_of(one) for one in raws]
    return _each(World(shapes_crm.NAME, {ACCOUNT: accounts}), ACCOUNT, stage)


def _branches(seed: int) -> World:
    """Branches of one company: name, website and telephones are the same."""
    raws = shapes_crm.raws(seed)
    for at in range(0, 120, 3):
        for one in raws[at + 1 : at + 3]:
            one.update({name: deepcopy(raws[at][name]) for name in ("name", "website", "phones")})
    return World(shapes_crm.NAME, {ACCOUNT: [shapes_crm.account_of(one) for one in raws]})


def _telephones(seed: int) -> World:
    """Every telephone number is given without its blanks."""

    def compact(row: Row) -> Row:
        return {
            "phone_numbers": [
                {**one, "phone_number": one["phone_number"].replace(" ", "")} for one in row["phone_numbers"]
            ]
        }

    return _each(shapes_crm.freshsales(seed), ACCOUNT, compact)


def _bare(seed: int) -> World:
    """Some accounts were made by a form: they have next to nothing, in raw data as well."""
    raws = shapes_crm.raws(seed)
    nothing: Row = {"website": None, "industry_type": None, "phones": [], "number_of_employees": None}
    for one in raws[::9]:
        one.update(nothing, last_contacted=None, last_contacted_mode=None)
        one["custom_field"].update(dict.fromkeys(("cf_lifecycle", "cf_ship_to", "cf_about")))
    return World(shapes_crm.NAME, {ACCOUNT: [shapes_crm.account_of(one) for one in raws]})


def _no_phones(seed: int) -> World:
    """No telephones are a null instead of an empty list, always."""
    return _each(
        shapes_crm.freshsales(seed), ACCOUNT, lambda row: {"phone_numbers": row["phone_numbers"] or None}
    )


def _same_title(seed: int) -> World:
    """One title for forty jobs; no recruiter is a null."""
    world = shapes_jobs.smartrecruiters(seed)
    for one in world.lists[JOB][::6]:
        one["name"] = one["raw_data"]["title"] = "Nurse (night shift)"
    return _each(world, JOB, lambda row: {"recruiters": row["recruiters"] or None})


def _epochs(seed: int) -> World:
    """The dates of jobs are epoch milliseconds as texts."""

    def told(one: Row) -> Row:
        dates = {name: datetime.fromisoformat(one[name]) for name in ("created_at", "modified_at")}
        return {name: str(texts.epoch_millis(at)) for name, at in dates.items()}

    def change(row: Row) -> Row:
        return {**told(row), "departments": [{**one, **told(one)} for one in row["departments"]]}

    return _each(shapes_jobs.smartrecruiters(seed), JOB, change)


def _changing(seed: int) -> World:
    """Every seventh call a job gets another title, and with it another time of change."""
    world, calls, rng = shapes_jobs.smartrecruiters(seed), count(1), Random(f"{seed}:changing")

    def answer(key: str, query: Query, body: Any, ask: Ask) -> Any:
        number = next(calls)
        if number % 7 == 0:
            at = rng.randrange(len(world.lists[JOB]))
            raw = deepcopy(world.lists[JOB][at]["raw_data"])
            raw["title"] = f"{raw['title']} (updated)"
            raw["updatedOn"] = f"2025-02-01T08:{number // 60 % 60:02}:{number % 60:02}.000Z"
            world.lists[JOB][at] = shapes_jobs.job_of(raw)
        return ask(query, body)

    world.bend = answer
    return world


def _absent(seed: int) -> World:
    """What a file has not is left out instead of null."""
    world = shapes_files.nextcloud(seed)
    world.lists[FILE] = [
        {name: of for name, of in one.items() if name not in NULLS or of is not None}
        for one in world.lists[FILE]
    ]
    return world


def _growing(seed: int) -> World:
    """Every ninth call a file is added at the end of the list."""
    world, calls = shapes_files.nextcloud(seed), count(1)

    def answer(key: str, query: Query, body: Any, ask: Ask) -> Any:
        number = next(calls)
        if number % 9 == 0:
            last = next(one for one in world.lists[FILE] if one["type"] == "file")
            raw = deepcopy(last["raw_data"])
            raw["prop"]["fileid"] = str(300_000 + number)
            raw["prop"]["getetag"] = f'"{number:013x}"'
            raw["prop"]["id"] = f"{300_000 + number:08}oc9z1k2m"
            folder = last["path"].rpartition("/")[0]
            shapes_files.renamed(raw, f"{folder}/new {number}{last['name'][-4:]}")
            world.lists[FILE].append({**shapes_files.file_of(raw), WITHIN: last[WITHIN]})
        return ask(query, body)

    world.bend = answer
    return world


def _undated_drives(seed: int) -> World:
    """The third party knows no dates of drives: they are null, and absent in raw data."""
    world = shapes_files.nextcloud(seed)
    for one in world.lists[DRIVE]:
        del one["raw_data"]["made"], one["raw_data"]["changed"]
    return _each(world, DRIVE, lambda row: {"created_at": None, "updated_at": None})


def _own_states(seed: int) -> World:
    """The states are the customer's words."""
    own = ("Geplant", "läuft", "En pause ⏸", "done", "Antwort da", "bounced (hard)", "STOP")
    return _each(shapes_sales.lemlist(seed), STATE, lambda row: {"state": own[row["raw_data"]["state"]]})


def _small_addresses(seed: int) -> World:
    """The third party keeps capitals in addresses; the connector gives small letters, always."""
    senders, enrolled = shapes_sales.lists(seed)
    for one in senders:
        for address in one["addresses"]:
            address["address"] = address["address"].title()
    world = shapes_sales.world_of(senders, enrolled)
    return _each(world, MAILBOX, lambda row: {"email": row["email"].lower()})


def _rounded(seed: int) -> World:
    """Every time of change is given in whole seconds."""
    return _each(
        shapes_sales.lemlist(seed),
        STATE,
        lambda row: {"updated_at": texts.from_seconds(row["raw_data"]["updatedAt"] // 1000)},
    )


def _dust(seed: int) -> World:
    """Totals are added up as floating-point numbers, with dust in the last digits."""
    world = shapes_books.intacct(seed)

    def answer(key: str, query: Query, body: Any, ask: Ask) -> Any:
        found = ask(query, body)
        if key == BALANCE:
            return {**found, "totalBalance": sum(one["balance"] for one in found["entries"])}
        if key == INCOME:
            names = ("totalIncome", "totalExpenses", "netIncome")
            return {**found, **{name: sum(one[name] for one in found["entries"]) for name in names}}
        return found

    world.bend = answer
    return world


def _nothing(seed: int) -> World:
    """A customer without anybody below it, and without a posting."""
    return shapes_books.world_of(Ledger({shapes_books.ROOT: "Quiet & Sons"}, []))


def _moving(seed: int) -> World:
    """The income report lists only those with an income or an expense."""
    world = shapes_books.intacct(seed)

    def answer(key: str, query: Query, body: Any, ask: Ask) -> Any:
        found = ask(query, body)
        if key != INCOME:
            return found
        kept = [one for one in found["entries"] if one["totalIncome"] or one["totalExpenses"]]
        return {**found, "entries": kept}

    world.bend = answer
    return world


CRM, JOBS, FILES, SALES, BOOKS = SERVICES
CLEAN = (
    *(Clean(f"{name}: plain", name, make) for name, make in SERVICES.items()),
    Clean(
        "freshsales: in reverse, only what is asked for",
        CRM,
        shapes_crm.freshsales,
        Wire(reversed_batch=True, heeds_properties=True),
    ),
    Clean("freshsales: stages of the customer's own", CRM, _custom_stages),
    Clean("freshsales: branches with equal names", CRM, _branches),
    Clean("freshsales: telephones without blanks", CRM, _telephones),
    Clean("freshsales: accounts with next to nothing", CRM, _bare),
    Clean("freshsales: null for no telephones", CRM, _no_phones),
    Clean(
        "smartrecruiters: long cursors and an empty last page",
        JOBS,
        shapes_jobs.smartrecruiters,
        Wire(page=46, long_cursor=True, empty_page=True),
    ),
    Clean("smartrecruiters: sizes not heeded", JOBS, shapes_jobs.smartrecruiters, Wire(heeds_size=False)),
    Clean("smartrecruiters: one title for many, null for no recruiters", JOBS, _same_title),
    Clean("smartrecruiters: dates in milliseconds", JOBS, _epochs),
    Clean("smartrecruiters: changed while read", JOBS, _changing),
    Clean("nextcloud: an empty cursor at the end", FILES, shapes_files.nextcloud, Wire(last="empty")),
    Clean("nextcloud: absent for null", FILES, _absent),
    Clean("nextcloud: files added while read", FILES, _growing),
    Clean("nextcloud: drives without dates", FILES, _undated_drives),
    Clean(
        "lemlist: no cursor at the end, small pages",
        SALES,
        shapes_sales.lemlist,
        Wire(page=30, last="absent"),
    ),
    Clean("lemlist: states in the customer's words", SALES, _own_states),
    Clean("lemlist: addresses in small letters", SALES, _small_addresses),
    Clean("lemlist: times in whole seconds", SALES, _rounded),
    Clean("intacct: sums with dust", BOOKS, _dust),
    Clean("intacct: nothing to report", BOOKS, _nothing),
    Clean("intacct: income of those who have any", BOOKS, _moving),
)
