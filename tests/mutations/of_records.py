"""Kinds in the records of a list: contract, plausibility, mapping, references, sync mode."""

from __future__ import annotations

import json
from typing import Any

from tests.mutations.clean import DRIVE, FILE, JOB, LISTS, MAILBOX, STATE
from tests.mutations.kinds import Draw, kind
from tests.mutations.service import Defect

# By hand, after the interface's tables of fields.
DATES = {
    JOB: ("created_at", "modified_at"),
    FILE: ("created_at", "updated_at"),
    DRIVE: ("created_at",),
    MAILBOX: ("created_at", "updated_at", "last_modified_at"),
    STATE: ("created_at", "updated_at", "last_modified_at"),
}
CHANGED = {
    JOB: ("modified_at",),
    FILE: ("updated_at",),
    DRIVE: (),
    MAILBOX: ("updated_at", "last_modified_at"),
    STATE: ("updated_at", "last_modified_at"),
}
TEXTS = {
    JOB: ("name",),
    FILE: ("name", "mime_type", "path"),
    DRIVE: ("name",),
    MAILBOX: ("email", "user_id"),
    STATE: ("state", "sequence_id", "contact_id", "user_id"),
}
FLAGS = {
    JOB: ("confidential",),
    FILE: ("downloadable", "exportable"),
    DRIVE: (),
    MAILBOX: ("is_deleted",),
    STATE: ("is_deleted",),
}
ARRAYS = {JOB: ("departments", "offices", "recruiters"), FILE: ("export_formats",)}
WITH_CHANGED = tuple(key for key in LISTS if CHANGED[key])


def rows_with(draw: Draw, names: tuple[str, ...], most: float = 1.0) -> list[tuple[int, str, dict[str, Any]]]:
    """Some rows with one name each that stands in them and holds something."""
    made = []
    for at in draw.some(most):
        record = draw.data.record(at)
        held = [name for name in names if record.get(name) not in (None, "", [])]
        if held:
            made.append((at, draw.rng.choice(held), record))
    if made:
        return made
    for at in draw.rng.sample(range(len(draw.data.rows)), len(draw.data.rows)):
        record = draw.data.record(at)
        held = [name for name in names if record.get(name) not in (None, "", [])]
        if held:
            return [(at, draw.rng.choice(held), record)]
    raise LookupError(f"no row of {draw.key} has {names}")


@kind("value of another type")
def wrong_type(draw: Draw) -> Defect:
    defect = draw.defect("records.types")
    key = draw.key
    group = draw.rng.choice([g for g in (("id",), TEXTS[key], FLAGS[key], ARRAYS.get(key, ())) if g])
    for at, name, record in rows_with(draw, group):
        value = record[name]
        if isinstance(value, bool):
            record[name] = draw.rng.choice(("yes", "true", 1, 0, [value]))
        elif isinstance(value, list):
            record[name] = draw.rng.choice(("none", 3, {"first": "one"}, True))
        else:
            # Of an id each another number: two records with one would be a defect of its own.
            record[name] = draw.rng.choice((17 + at, 3.5 + at, True, [value], {"value": value}))
        defect.says = f"{name} {record[name]!r}"
        draw.data.put(at, record)
    return defect


@kind("inner value of another type", (JOB, FILE))
def inner_type(draw: Draw) -> Defect:
    defect = draw.defect("records.types")
    for at, _, record in rows_with(draw, ("departments",) if draw.key == JOB else ("permissions",)):
        if draw.key == JOB:
            entry = draw.rng.choice(record["departments"])
            entry[draw.rng.choice(("name", "id"))] = draw.rng.choice((5, False, ["x"]))
        else:
            record["permissions"]["download"] = draw.rng.choice(("yes", 1, []))
        draw.data.put(at, record)
    return defect


@kind("null that the contract does not allow")
def null(draw: Draw) -> Defect:
    defect = draw.defect("records.nulls")
    names = (*TEXTS[draw.key], *FLAGS[draw.key], *DATES[draw.key], *ARRAYS.get(draw.key, ()))
    for at, name, record in rows_with(draw, names):
        record[name] = None
        defect.says = name
        draw.data.put(at, record)
    return defect


@kind("field outside of the contract")
def undeclared(draw: Draw) -> Defect:
    defect = draw.defect("records.undeclared")
    name = draw.rng.choice(("isDeleted", "custom", "_links", "Name", "ID", "created_At"))
    for at in draw.some():
        record = draw.data.record(at)
        inner = record.get("departments") if draw.rng.random() < 0.4 else None
        holder = inner[0] if inner else record
        holder[name] = draw.rng.choice(("x", None, 5, {"a": 1}))
        draw.data.put(at, record)
    return defect


@kind("record without an id")
def no_id(draw: Draw) -> Defect:
    defect = draw.defect("records.ids")
    absent = draw.rng.random() < 0.5
    for at in draw.some():
        record = draw.data.record(at)
        record["id"] = ""
        if absent:
            del record["id"]
        draw.data.put(at, record)
    return defect


@kind("raw_data that is none")
def no_raw(draw: Draw) -> Defect:
    defect = draw.defect("records.raw-data")
    for at in draw.some():
        record = draw.data.record(at)
        raw = record.pop("raw_data")
        if draw.key in (FILE, DRIVE) and draw.rng.random() < 0.6:
            record["raw_data"] = draw.rng.choice((None, json.dumps(raw), [raw], 0))
        draw.data.put(at, record)
    return defect


@kind("date in another form")
def date(draw: Draw) -> Defect:
    defect = draw.defect("records.dates")
    forms: tuple[str, ...] = (
        "1700000000000",
        "1700000000",
        "12/31/2024",
        "31.12.2024 10:00",
        "yesterday",
        "",
        "never",
    )
    forms += ("2024-13-45T10:00:00Z", "2023-02-29", "2024-01-02 10:11:12", "0000-00-00 00:00:00", "20240102")
    for at, name, record in rows_with(draw, DATES[draw.key]):
        record[name] = draw.rng.choice(forms)
        defect.says = f"{name} {record[name]!r}"
        draw.data.put(at, record)
    return defect


@kind("changed before it was made", WITH_CHANGED)
def date_order(draw: Draw) -> Defect:
    defect = draw.defect("records.date-order")
    for at, _, record in rows_with(draw, ("created_at",), 0.05):
        year = int(record["created_at"][:4]) - draw.rng.randint(1, 15)
        for name in CHANGED[draw.key]:
            record[name] = f"{year}{record['created_at'][4:8]}15T10:00:00.000Z"
        draw.data.put(at, record)
    return defect


@kind("empty text where others have one")
def empty(draw: Draw) -> Defect:
    defect = draw.defect("records.empty-text")
    name = draw.rng.choice([n for n in TEXTS[draw.key] if _mostly(draw, n)])
    for at, _, record in rows_with(draw, (name,), 0.05):
        record[name] = ""
        draw.data.put(at, record)
    return defect


def _mostly(draw: Draw, name: str) -> bool:
    rows = [json.loads(row) for row in draw.data.rows]
    return sum(bool(row.get(name)) for row in rows) > 0.9 * len(rows)


@kind("control characters in a text")
def unseen(draw: Draw) -> Defect:
    defect = draw.defect("records.clean-text")
    for at, name, record in rows_with(draw, tuple(n for n in TEXTS[draw.key] if not n.endswith("_id"))):
        sign = draw.rng.choice(("\x00", "\x1b[31m", "\x07", "\u202e", "\u2067", "\x7f"))
        where = draw.rng.randrange(len(record[name]) + 1)
        record[name] = record[name][:where] + sign + record[name][where:]
        draw.data.put(at, record)
    return defect


@kind("text of unheard length")
def long(draw: Draw) -> Defect:
    defect = draw.defect("records.length")
    for at, name, record in rows_with(draw, TEXTS[draw.key], 0.02)[:3]:
        record[name] = draw.rng.choice("ax ") + record[name] * draw.rng.randint(20_000, 40_000)
        draw.data.put(at, record)
    return defect


@kind("address that is none", (MAILBOX,))
def email(draw: Draw) -> Defect:
    defect = draw.defect("records.emails")
    for at, _, record in rows_with(draw, ("email",)):
        name, _, host = record["email"].partition("@")
        bad = (name, f"{name}@", f"@{host}", f"{name} at {host}", f"{name}@@{host}", f"{name}@host", "n/a")
        record["email"] = draw.rng.choice(bad)
        draw.data.put(at, record)
    return defect


@kind("negative size", (FILE,))
def negative(draw: Draw) -> Defect:
    defect = draw.defect("records.signs")
    for at, _, record in rows_with(draw, ("size",)):
        record["size"] = -draw.rng.choice((1, 0.5, 4096, record["size"] or 1))
        draw.data.put(at, record)
    return defect


@kind("kind of file never seen", (FILE,))
def new_value(draw: Draw) -> Defect:
    defect = draw.defect("records.known-values")
    for at in draw.some():
        record = draw.data.record(at)
        record["type"] = draw.rng.choice(("shortcut", "File", "document", "package"))
        draw.data.put(at, record)
    return defect


@kind("row that is no record")
def no_record(draw: Draw) -> Defect:
    defect = draw.defect("records.objects")
    for at in draw.some():
        other: Any = draw.rng.choice((None, "error", 404, [], [draw.data.record(at)], True))
        draw.data.put(at, other)
    return defect
