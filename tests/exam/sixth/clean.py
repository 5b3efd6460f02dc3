"""Sound services: plain ones, and such as are odd where the contract is silent. Nothing may be said of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any

from tests.exam.calls3.data import ACCOUNT, BALANCE, DRIVE, FILE, INCOME, JOB, MAILBOX, STATE, Row
from tests.exam.sixth.forms import BOOKS, CRM, FILES, FORMS, JOBS, SALES
from tests.exam.sixth.parties import plain
from tests.exam.sixth.service import BATCH, CHECKED, CREATE, UPDATE, UPSERT, Call, Service
from tests.exam.words import COMPANIES


@dataclass(frozen=True, slots=True)
class Sound:
    """A service that keeps the contract."""

    name: str
    service: str
    make: Callable[[int], Service]
    writes: bool = False


def _formed(service: str, name: str, *, writes: bool = False, **form: Any) -> Sound:
    """What the contract leaves open, done otherwise."""
    return Sound(name, service, lambda seed: plain(service, seed, replace(FORMS[service], **form)), writes)


def _changed(service: str, name: str, key: str, change: Callable[[Row, Random], Any]) -> Sound:
    """Every record of a list is another one, legally."""

    def make(seed: int) -> Service:
        made, rng = plain(service, seed), Random(f"{seed}:{name}")
        for row in made.lists[key]:
            change(row, rng)
        return made

    return Sound(name, service, make)


def _bent(
    service: str, name: str, key: str, change: Callable[[Call, Any], Any], *, writes: bool = False
) -> Sound:
    """An answer is another one, legally."""

    def make(seed: int) -> Service:
        made = plain(service, seed)
        made.on("body", key, change)
        return made

    return Sound(name, service, make, writes)


def _phones(row: Row, rng: Random) -> None:
    """Numbers without what people put between digits."""
    for one in row["phone_numbers"]:
        digits = re.sub(r"[ ()-]", "", one["phone_number"].partition(" ext")[0])
        raw = {name: row["raw_data"][name] for name in ("Phone", "Mobile", "Fax")}
        for name, value in raw.items():
            if value == one["phone_number"]:
                row["raw_data"][name] = value.partition(" ext")[0]
        one["phone_number"] = digits


STAGES = {
    "subscriber": "Newsletter",
    "lead": "Neuer Kontakt",
    "marketingqualifiedlead": "warm (M)",
    "salesqualifiedlead": "warm (V)",
    "opportunity": "Angebot",
    "customer": "Bestandskunde",
    "evangelist": "Empfiehlt uns",
    "other": "Archiv",
}


def _stages(row: Row, rng: Random) -> None:
    """The organization's own words for stages, by a table that only the connector has."""
    if row["lifecycle_stage"]:
        row["raw_data"]["Account_Stage"] = STAGES[row["lifecycle_stage"]]


def _enriched(row: Row, rng: Random) -> None:
    """The trade and the size are looked up elsewhere: raw data has neither."""
    row["raw_data"]["Industry"] = row["raw_data"]["Employees"] = None


def _richer(row: Row, rng: Random) -> None:
    """Raw data with a lot around the record."""
    row["raw_data"] = {
        "data": row["raw_data"],
        "links": {"self": f"https://api.third.example/job/{row['id']}"},
        "included": [{"type": "company", "name": rng.choice(COMPANIES), "size": rng.randrange(10**6)}],
        "meta": {"requestId": f"{rng.getrandbits(64):x}", "apiVersion": "2024-01"},
    }


def _located(row: Row, rng: Random) -> None:
    """Offices with coordinates, which the contract lacks, in four decimals of the third party's seven."""
    raw = row["raw_data"]
    for one, place in zip(row["offices"], raw["locations"], strict=True):
        place["geo"] = {
            "latitude": round(rng.uniform(-60, 60), 7),
            "longitude": round(rng.uniform(-170, 170), 7),
        }
        one["latitude"] = round(place["geo"]["latitude"], 4)
        one["longitude"] = round(place["geo"]["longitude"], 4)


def _epoch(row: Row, rng: Random) -> None:
    """Moments as milliseconds in a text, raw data's own form."""
    raw = row["raw_data"]
    for ours, theirs in (
        ("created_at", "createdAt"),
        ("updated_at", "updatedAt"),
        ("last_modified_at", "updatedAt"),
    ):
        value = raw[theirs]
        if not value.isdigit():
            value = str(round(datetime.fromisoformat(value).timestamp() * 1000))
        raw[theirs] = row[ours] = value


def _bare(row: Row, rng: Random) -> None:
    row["raw_data"] = None


def _empty_text(row: Row, rng: Random) -> None:
    """A text that was null at the third party comes as an empty one."""
    if row["description"] == "":
        row["raw_data"]["custom_metadata"]["doc.description"] = None


def _unmapped(row: Row, rng: Random) -> None:
    """Whether it is deleted is never said."""
    del row["is_deleted"]


def _managers_unknown(row: Row, rng: Random) -> None:
    """The third party gives its team to nobody without the right."""
    row["hiring_managers"] = row["recruiters"] = None
    row["raw_data"]["hiringTeam"] = []


def _dusty(call: Call, body: Row) -> Row:
    """Sums of floating-point numbers, added one after another."""
    names = ("totalIncome", "totalExpenses", "netIncome")
    return {**body, **{name: sum(one[name] for one in body["entries"]) for name in names}}


def _normalised(service: Service) -> None:
    """The third party keeps addresses in lower case and numbers without blanks."""

    def take(call: Call, sent: Row) -> Row:
        record = dict(sent.get("record") or {})
        if isinstance(record.get("email"), str):
            record["email"] = record["email"].lower()
        if isinstance(record.get("phone"), str):
            record["phone"] = re.sub(r"[ ()-]", "", record["phone"])
        upsert = dict(sent.get("upsert_on") or {})
        if upsert.get("key") == "email" and isinstance(upsert.get("values"), list):
            upsert["values"] = [str(one).lower() for one in upsert["values"]]
        return {
            **sent,
            **({"record": record} if "record" in sent else {}),
            **({"upsert_on": upsert} if upsert else {}),
        }

    for key in (CREATE, UPDATE, UPSERT):
        service.on("take", key, take)


def _contacts(seed: int) -> Service:
    service = plain(CRM, seed)
    _normalised(service)
    return service


CLEAN: list[Sound] = [
    _formed(CRM, "Zoho as it is", writes=True),
    _formed(JOBS, "SmartRecruiters as it is", writes=True),
    _formed(FILES, "Egnyte as it is"),
    _formed(SALES, "Lemlist as it is"),
    _formed(BOOKS, "Sage as it is", writes=True),
    _formed(CRM, "accounts without members that are null", absent_nulls=True),
    _formed(CRM, "properties are not heeded", heeds_properties=False),
    _bent(
        CRM,
        "a batch in an order of its own",
        BATCH,
        lambda call, body: sorted(body, key=lambda one: one["id"][::-1]),
    ),
    _changed(CRM, "numbers without blanks", ACCOUNT, _phones),
    _changed(CRM, "stages by a table of the organization", ACCOUNT, _stages),
    _changed(CRM, "trade and size from elsewhere", ACCOUNT, _enriched),
    Sound("contacts in the third party's form", CRM, _contacts, writes=True),
    _formed(JOBS, "long cursors and pages of odd lengths", cursors="long", ragged=(17, 50, 3, 41)),
    _formed(JOBS, "an incremental read of the last tenth", recent=True, heeds_size=False, end="null"),
    _changed(JOBS, "raw data with a lot around it", JOB, _richer),
    _changed(JOBS, "offices on the map", JOB, _located),
    _changed(JOBS, "a team that nobody may see", JOB, _managers_unknown),
    _formed(FILES, "an empty last page", cursors="last", end="empty", empty_page=True, usual=50),
    _formed(
        FILES,
        "escapes and absent members",
        ascii=True,
        absent_nulls=True,
        extra=(("total", 500), ("took", 12)),
    ),
    _changed(FILES, "drives without raw data", DRIVE, _bare),
    _changed(FILES, "no text as an empty text", FILE, _empty_text),
    _changed(SALES, "moments in milliseconds", STATE, _epoch),
    _changed(SALES, "nothing said of deletion", MAILBOX, _unmapped),
    _formed(SALES, "cursors that look like addresses", cursors="odd", end="empty"),
    _bent(BOOKS, "dust in the last digit", INCOME, _dusty),
    _bent(
        BOOKS,
        "a customer without a balance",
        BALANCE,
        lambda call, body: {**body, "entries": [], "totalBalance": 0},
    ),
    _bent(FILES, "a check of one word", CHECKED, lambda call, body: "healthy", writes=True),
]
