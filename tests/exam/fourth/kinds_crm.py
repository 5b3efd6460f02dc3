"""Kinds of the CRM: Freshsales' accounts."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta
from random import Random
from typing import Any

from tests.exam.fourth import texts
from tests.exam.fourth.kinds import ONE, Ids, Kind, Writer, bend, changed, moved
from tests.exam.fourth.shapes_crm import NAME, STAGES
from tests.exam.third.engine import ACCOUNT, Ask, Query, Row, World

KINDS: list[Kind] = []
OF = Writer(NAME, ACCOUNT, KINDS)


@OF.records(
    "an hour off in summer",
    "created_at takes every local time for winter time, so that those of summer are an hour late.",
    "created_at",
)
def _summer(row: Row, rng: Random) -> Row | None:
    if not row["raw_data"]["created_at"].endswith("+02:00"):
        return None
    return {"created_at": moved(row["created_at"], lambda at: at + timedelta(hours=1))}


@OF.records(
    "seconds of messages as milliseconds",
    "last_activity_at takes the seconds of accounts last reached by text message for milliseconds.",
    "last_activity_at",
    share=0.08,
)
def _short_messages(row: Row, rng: Random) -> Row | None:
    raw = row["raw_data"]
    if raw["last_contacted_mode"] != "sms":
        return None
    return {"last_activity_at": texts.from_seconds(raw["last_contacted"] // 1000)}


@OF.records(
    "never contacted is 1970",
    "An account that nobody has contacted has the first second of 1970 as its last activity.",
    "last_activity_at",
)
def _epoch(row: Row, rng: Random) -> Row | None:
    return {"last_activity_at": texts.from_seconds(0)} if row["last_activity_at"] is None else None


@OF.records(
    "one stage wrong in the table",
    "The table of stages has salesqualifiedlead where opportunity belongs.",
    "lifecycle_stage",
)
def _stage(row: Row, rng: Random) -> Row | None:
    return {"lifecycle_stage": STAGES[4]} if row["lifecycle_stage"] == STAGES[5] else None


@OF.records(
    "no stage is a subscriber",
    "Where the stage is not set the default of the table's first entry is given.",
    "lifecycle_stage",
    share=0.05,
)
def _no_stage(row: Row, rng: Random) -> Row | None:
    return {"lifecycle_stage": STAGES[1]} if row["lifecycle_stage"] is None else None


@OF.records(
    "the first telephone is primary",
    "Of three telephones the first is called primary, whatever is marked as such.",
    "phone_numbers",
)
def _first_phone(row: Row, rng: Random) -> Row | None:
    phones = row["phone_numbers"]
    if len(phones) < 3 or phones[0]["phone_number_type"] == "primary":
        return None
    for at, one in enumerate(phones):
        label = row["raw_data"]["phones"][at]["label"]
        other = {"Mobile": "mobile", "Fax": "fax"}.get(label, "other")
        one["phone_number_type"] = other if at else "primary"
    return {"phone_numbers": phones}


@OF.records(
    "the last telephone is lost",
    "The loop over the telephones ends one too early where there are three.",
    "phone_numbers",
)
def _last_phone(row: Row, rng: Random) -> Row | None:
    phones = row["phone_numbers"]
    return {"phone_numbers": phones[:-1]} if len(phones) > 2 else None


@OF.records(
    "the creator for an inactive owner",
    "Where the owner is no longer active the one who made the account is given as its owner.",
    "owner_id",
)
def _owner(row: Row, rng: Random) -> Row | None:
    raw = row["raw_data"]
    return None if raw["owner"]["is_active"] else {"owner_id": str(raw["creater_id"])}


@OF.records(
    "the comma of thousands is a point",
    "The number of employees is told with a comma for thousands, which is read as the decimal sign.",
    "number_of_employees",
)
def _comma(row: Row, rng: Random) -> Row | None:
    told = row["raw_data"]["number_of_employees"]
    if not told or "," not in told:
        return None
    return {"number_of_employees": float(told.replace(",", ".", 1).replace(",", ""))}


@OF.records(
    "trimmed zeros",
    "The zeros at the end of a number of employees are trimmed, as those of a decimal would be.",
    "number_of_employees",
    share=0.05,
)
def _trimmed(row: Row, rng: Random) -> Row | None:
    told = str(row["number_of_employees"] or "")
    return {"number_of_employees": int(told.rstrip("0"))} if told else None


@OF.records(
    "unknown staff is nobody",
    "A number of employees that is not known is given as 0.",
    "number_of_employees",
)
def _nobody(row: Row, rng: Random) -> Row | None:
    return {"number_of_employees": 0} if row["number_of_employees"] is None else None


@OF.records(
    "town and state swapped abroad",
    "City and state are swapped in the addresses of the United Kingdom.",
    "addresses",
)
def _swapped(row: Row, rng: Random) -> Row | None:
    for one in row["addresses"]:
        if one["country"] == "United Kingdom":
            one["city"], one["state"] = one["state"], one["city"]
    return {"addresses": row["addresses"]}


@OF.records(
    "postal codes as numbers",
    "The postal code of the shipping address goes through a number and loses its leading zero.",
    "addresses",
)
def _zero(row: Row, rng: Random) -> Row | None:
    for one in row["addresses"][1:]:
        if one["postal_code"].isdigit():
            one["postal_code"] = str(int(one["postal_code"]))
    return {"addresses": row["addresses"]}


@OF.records(
    "shipping filled from billing",
    "A shipping address has the street of the primary one.",
    "addresses",
    share=0.04,
)
def _street(row: Row, rng: Random) -> Row | None:
    for one in row["addresses"][1:]:
        one["street_1"] = row["addresses"][0]["street_1"]
    return {"addresses": row["addresses"]}


@OF.lists(
    "the website of the account before",
    "The websites are joined one off for a few accounts, which have that of the account before.",
    "website",
)
def _website(rows: list[Row], rng: Random) -> Ids:
    before = {one["id"]: rows[at - 1]["website"] for at, one in enumerate(rows)}
    return changed(rows, lambda row, _: {"website": before[row["id"]]}, rng, 0.03)


@OF.records(
    "two industries swapped",
    "Two names of industries are swapped in the table that the connector keeps.",
    "industry",
)
def _industry(row: Row, rng: Random) -> Row | None:
    pair = {"Insurance": "Machinery", "Machinery": "Insurance"}
    return {"industry": pair[row["industry"]]} if row["industry"] in pair else None


@OF.records(
    "paragraphs glued",
    "The tags of the description are taken out without a line or a blank in their place.",
    "description",
)
def _glued(row: Row, rng: Random) -> Row | None:
    told = row["raw_data"]["custom_field"]["cf_about"]
    return {"description": html.unescape(re.sub(r"<[^>]+>", "", told))} if told else None


@OF.records(
    "entities decoded twice",
    "The entities of the description are decoded twice, so that text about HTML becomes HTML.",
    "description",
)
def _twice(row: Row, rng: Random) -> Row | None:
    return {"description": html.unescape(row["description"])} if row["description"] else None


@OF.records("cut names", "Names are cut at 64 characters.", "name")
def _cut(row: Row, rng: Random) -> Row | None:
    return {"name": row["name"][:64]}


@OF.records(
    "merged accounts live",
    "An account that was merged into another one is not given as deleted.",
    "is_deleted",
)
def _merged(row: Row, rng: Random) -> Row | None:
    return {"is_deleted": row["raw_data"]["is_deleted"]}


@OF.lists(
    "a merged account answers as the other one",
    "For a merged account the values and raw data of the surviving one come under the old id.",
)
def _winner(rows: list[Row], rng: Random) -> Ids:
    known = {one["raw_data"]["id"]: one for one in rows}

    def other(row: Row, _: Random) -> Row | None:
        into = row["raw_data"]["merged_into"]
        return {**known[into], "id": row["id"]} if into else None

    return changed(rows, other, rng)


@OF.records(
    "one record with a stale change",
    "One account's updated_at is that of its creation.",
    "updated_at",
    share=ONE,
)
def _stale(row: Row, rng: Random) -> Row | None:
    return {"updated_at": row["created_at"]}


@OF.records(
    "changed on the wrong day after ten",
    "Day and time of last_modified_at come of two zones: after 22 o'clock UTC it is a day ahead.",
    "last_modified_at",
)
def _evening(row: Row, rng: Random) -> Row | None:
    def ahead(at: datetime) -> datetime:
        return at + timedelta(days=at.hour >= 22)

    return {"last_modified_at": moved(row["last_modified_at"], ahead)}


@OF.answers("a hundred ids at most", "A batch answers the first hundred ids, and says nothing of the rest.")
def _hundred(found: Any, query: Query, body: Any, ask: Ask) -> Any:
    return ask(query, {**body, "ids": body["ids"][:100]})


def _floating(world: World, rng: Random) -> Ids:
    """Ids beyond 2**53 lose their last digits on the way out; the batch is still asked by the sound ones."""

    def rounded(number: int) -> str:
        return str(int(float(number)))

    def bent(found: Any, query: Query, body: Any, ask: Ask) -> Any:
        return [{**one, "id": rounded(one["raw_data"]["id"])} for one in found]

    bend(world, ACCOUNT, bent)
    made = {one["id"]: rounded(one["raw_data"]["id"]) for one in world.lists[ACCOUNT]}
    return frozenset(new for old, new in made.items() if new != old)


KINDS.append(
    Kind(
        f"{NAME}: ids through a floating number",
        "The numbers of 18 digits that are the ids go through a floating-point number.",
        NAME,
        ACCOUNT,
        ("id",),
        _floating,
    )
)


@OF.lists(
    "the owner's id in the next account's place",
    "From one account on the owners are those of the account before: one was left out of the join.",
    "owner_id",
)
def _owners_off(rows: list[Row], rng: Random) -> Ids:
    start = rng.randrange(len(rows) - 24)
    part = rows[start : start + 20]
    owners = {one["id"]: rows[start + at + 1]["owner_id"] for at, one in enumerate(part)}

    def other(row: Row, _: Random) -> Row | None:
        return {"owner_id": owners[row["id"]]} if row["id"] in owners else None

    return changed(rows, other, rng)
