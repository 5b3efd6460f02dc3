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
KNOWN_NULL = {
    JOB: ("offices", "recruiters"),
    FILE: ("name", "mime_type", "path", "created_at", "updated_at", "export_formats"),
    DRIVE: ("created_at",),
}
"""Where running services send null, which is observed."""
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
    for at, name, record in rows_with(draw, tuple(n for n in names if n not in KNOWN_NULL.get(draw.key, ()))):
        record[name] = None
        defect.says = name
        draw.data.put(at, record)
    return defect


@kind("field under another spelling")
def undeclared(draw: Draw) -> Defect:
    """Fields beyond the contract are no defect; one that stands in the place of its own is."""
    defect = draw.defect("records.undeclared")
    spelled = draw.rng.choice((str.title, str.upper, lambda name: name.replace("_", " "), _camel))
    names = tuple(n for n in (*TEXTS[draw.key], *DATES[draw.key]) if spelled(n) != n)
    for at, name, record in rows_with(draw, names):
        record[spelled(name)] = record.pop(name)
        defect.says = spelled(name)
        draw.data.put(at, record)
    return defect


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(map(str.title, rest))


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
    for at in draw.some(0.4):  # what half of a list lacks is how it is
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
    name = draw.rng.choice([n for n in TEXTS[draw.key] if _mostly(draw, n) and _copied(draw, n)])
    for at, _, record in rows_with(draw, (name,), 0.05):
        record[name] = ""
        draw.data.put(at, record)
    return defect


def _mostly(draw: Draw, name: str) -> bool:
    rows = [json.loads(row) for row in draw.data.rows]
    return sum(bool(row.get(name)) for row in rows) > 0.9 * len(rows)


def _copied(draw: Draw, name: str) -> bool:
    """Whether raw_data has the text as it is: what is made of several parts may be empty for many reasons."""
    rows = [json.loads(row) for row in draw.data.rows]
    held = [json.dumps(row[name]) in json.dumps(row["raw_data"]) for row in rows if row.get(name)]
    return all(held) and bool(held)


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


@kind("kind of file in another spelling", (FILE,))
def new_value(draw: Draw) -> Defect:
    """A kind that nobody saw before is no defect; one that others write in another way is."""
    defect = draw.defect("records.known-values")
    files = [at for at in range(len(draw.data.rows)) if draw.data.record(at).get("type") == "file"]
    for at in files[: max(1, len(files) // draw.rng.choice((3, 10, 100)))]:
        record = draw.data.record(at)
        record["type"] = draw.rng.choice((" file", "FILE", "File"))
        draw.data.put(at, record)
    return defect


@kind("row that is no record")
def no_record(draw: Draw) -> Defect:
    defect = draw.defect("records.objects")
    for at in draw.some():
        other: Any = draw.rng.choice((None, "error", 404, [], [draw.data.record(at)], True))
        draw.data.put(at, other)
    return defect
