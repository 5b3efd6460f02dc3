"""Kinds about raw_data and whole records."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from tests.exam.frame import Expected
from tests.exam.kinds import Spot
from tests.exam.second.spots import kind, value, wanted
from tests.exam.world import Row

ZOHO, TEAM, BOX, DROP = (
    f"{one} raw_data" for one in ("zoho/job", "teamtailor/job", "box/file", "dropbox/file")
)
STATE, MAILBOX, COPPER = (
    f"{one} raw_data" for one in ("salesloft/sequence_state", "salesloft/mailbox", "copper/account")
)


@value("raw_data is JSON within a text", ZOHO, STATE)
def _(old: Any, row: Row) -> str:
    return json.dumps(old)


@value("raw_data is the unified record once more", DROP, STATE, ZOHO)
def _(old: Any, row: Row) -> Any:
    return {name: part for name, part in row.clean.items() if name != "raw_data" and part is not None}


@value("raw_data is empty for one group", BOX, TEAM, STATE)
def _(old: Any, row: Row) -> Any:
    group = (row.raw.get("type"), row.raw.get("current_state"), row.raw.get("attributes", {}).get("status"))
    return {} if {"folder", "completed", "draft"} & set(group) else old


@value("raw_data is null in a few records", ZOHO, STATE, BOX, much="some")
def _(old: Any, row: Row) -> None:
    return None


@value("raw_data is what the third party said of a failure in a few records", TEAM, ZOHO, DROP, much="some")
def _(old: Any, row: Row) -> Any:
    return {"errors": [{"title": "Too many requests", "status": "429"}]}


@value("raw_data carries the connector's credentials", TEAM, MAILBOX, ZOHO)
def _(old: Any, row: Row) -> Any:
    bearer = "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhcHAtMTciLCJzY29wZSI6ImFsbCJ9.q3v0bX1mTn7sKJd2Lw9zRA"
    return {**old, "_request": {"method": "GET", "headers": {"Authorization": bearer}}}


@value("raw_data is wrapped in a few records", ZOHO, DROP, STATE, much="some")
def _(old: Any, row: Row) -> Any:
    return {"data": [old]}


@value("long ids in raw_data are rounded numbers", ZOHO, also="id")
def _(old: Any, row: Row) -> Any:
    return {**old, "id": int(float(old["id"]))}


@value(
    "the texts of raw_data are UTF-8 read as Latin-1",
    TEAM,
    DROP,
    also="name path offices departments recruiters",
)
def _(old: Any, row: Row) -> Any:
    return json.loads(json.dumps(old, ensure_ascii=False).encode().decode("latin-1"), strict=False)


@kind("raw_data is another record's in one record", ZOHO, BOX, STATE, COPPER)
def _(spot: Spot) -> Expected:
    row = spot.one()
    other = spot.other(row)
    row.body["raw_data"] = deepcopy(other.raw)
    return wanted(spot, [row, other])


@kind("raw_data is the same in all records", BOX, MAILBOX, also="*")
def _(spot: Spot) -> None:
    for row in spot.rows:
        row.body["raw_data"] = deepcopy(spot.rows[0].raw)


@kind("raw_data is that of the record before", ZOHO, STATE, DROP, also="*")
def _(spot: Spot) -> None:
    for row, before in spot.before():
        row.body["raw_data"] = deepcopy(before.raw)


def _again(row: Row) -> Row:
    return Row(row.raw, deepcopy(row.body), row.clean)


@kind("a few records are there twice", BOX, STATE, TEAM)
def _(spot: Spot) -> Expected:
    rows = spot.some()
    for row in rows:
        spot.rows.insert(spot.rng.randrange(len(spot.rows)), _again(row))
    return wanted(spot, rows)


@kind("one record is there twice in a row", DROP, MAILBOX, ZOHO)
def _(spot: Spot) -> Expected:
    row = spot.one()
    spot.rows.insert(spot.rows.index(row), _again(row))
    return wanted(spot, [row])


@kind("the whole list is there twice", "dropbox/drive raw_data", MAILBOX)
def _(spot: Spot) -> Expected:
    rows = list(spot.rows)
    spot.rows.extend(_again(row) for row in rows)
    return wanted(spot, rows)


@kind("one record is there a second time under another id", ZOHO, DROP, STATE)
def _(spot: Spot) -> Expected:
    row = spot.one()
    twin = _again(row)
    twin.body["id"] = f"{row.body['id'][:-2]}{spot.rng.randrange(100):02d}x"
    spot.rows.append(twin)
    return wanted(spot, [row, twin])


@kind("two records have the same id", ZOHO, STATE, BOX)
def _(spot: Spot) -> Expected:
    row = spot.one()
    other = spot.other(row)
    row.body["id"] = other.body["id"]
    return wanted(spot, [row, other])


@kind("one record is half another", TEAM, DROP, COPPER, MAILBOX, also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    other = spot.other(row)
    fields = [name for name in row.body if name not in ("id", "raw_data")]
    for name in fields[: len(fields) // 2 + 1]:
        row.body[name] = deepcopy(other.clean[name])


@kind("one record is all empty", TEAM, STATE, ZOHO, also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    for name, part in row.body.items():
        if name != "id":
            row.body[name] = {} if name == "raw_data" else [] if isinstance(part, list) else None


@kind("the last record breaks off after its first fields", ZOHO, BOX, STATE, also="*")
def _(spot: Spot) -> None:
    body = spot.rows[-1].body
    for name in list(body)[3:]:
        del body[name]


STALE = {"job": ("modified_at", "name"), "file": ("updated_at", "name")}


@kind("one record is older than its raw_data", ZOHO, BOX, TEAM, also="*")
def _(spot: Spot) -> None:
    row = spot.one()
    date, name = STALE[spot.listing.key.rpartition("/")[2]]
    row.body[date] = row.body["created_at"]
    row.body[name] = f"{row.body[name]} (old)"


@kind("one record is of another kind", "salesloft/sequence_state raw_data", "dropbox/drive raw_data")
def _(spot: Spot) -> Expected:
    other = spot.world.listing("mailbox" if spot.world.shape == "salesloft" else "file")
    stray = _again(spot.rng.choice(other.rows))
    spot.rows.insert(spot.rng.randrange(len(spot.rows)), stray)
    return wanted(spot, [stray])
