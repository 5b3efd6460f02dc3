"""Kinds that show only between records: references, repeats, mapping, sync mode."""

from __future__ import annotations

import json
from typing import Any

from tests.mutations.clean import ENVELOPE_A, FILE, JOB, MAILBOX, STATE, written
from tests.mutations.kinds import Draw, kind
from tests.mutations.of_records import CHANGED, DATES, TEXTS, WITH_CHANGED, rows_with
from tests.mutations.service import Defect


@kind("departments that go round", (JOB,))
def cycle(draw: Draw) -> Defect:
    defect = draw.defect("records.no-cycle")
    for at, _, record in rows_with(draw, ("departments",)):
        own = record["departments"]
        ids = [one["id"] for one in own]
        if len(own) == 1 or draw.rng.random() < 0.4:
            own[0]["parent_id"] = ids[0]
        else:
            for number, one in enumerate(own):
                one["parent_id"] = ids[(number + 1) % len(ids)]
        draw.data.put(at, record)
    return defect


@kind("department whose parent is nowhere", (JOB,))
def no_parent(draw: Draw) -> Defect:
    defect = draw.defect("records.parents")
    at, _, record = rows_with(draw, ("departments",), 0.01)[0]
    draw.rng.choice(record["departments"])["parent_id"] = f"dept-{draw.rng.randrange(10**6)}"
    draw.data.put(at, record)
    return defect


@kind("mailbox that is nowhere", (STATE,))
def no_mailbox(draw: Draw) -> Defect:
    draw.data = _with_mailboxes(draw)
    defect = draw.defect("records.references")
    for at, _, record in rows_with(draw, ("mailbox_id",), 0.03):
        record["mailbox_id"] = str(draw.rng.randrange(10**9, 10**10))
        draw.data.put(at, record)
    defect.asked = {"resources": (STATE, MAILBOX)}
    return defect


def _with_mailboxes(draw: Draw) -> Any:
    """States whose mailboxes are all listed, in their raw data as well."""
    listed = [json.loads(mailbox)["id"] for mailbox in draw.data.beside[MAILBOX]]
    for at, row in enumerate(draw.data.rows):
        record = json.loads(row)
        ident = record.get("mailbox_id")
        if ident is None:
            record["mailbox_id"] = draw.rng.choice(listed)
            draw.data.rows[at] = written(record)
        elif ident not in listed:
            draw.data.rows[at] = row.replace(ident.encode(), draw.rng.choice(listed).encode())
    return draw.data


@kind("record that comes twice")
def twice(draw: Draw) -> Defect:
    defect = draw.defect("paging.ids-once")
    for at in draw.some(0.05):
        draw.data.rows.insert(draw.rng.randrange(at, len(draw.data.rows)) + 1, draw.data.rows[at])
    return defect


@kind("two records with one id")
def same_id(draw: Draw) -> Defect:
    defect = draw.defect("paging.id-names-one")
    for at in draw.some(0.05):
        other = (at + draw.rng.randrange(1, len(draw.data.rows))) % len(draw.data.rows)
        record = draw.data.record(at)
        record["id"] = draw.data.record(other)["id"]
        draw.data.put(at, record)
    return defect


@kind("record again in an older state", WITH_CHANGED)
def older(draw: Draw) -> Defect:
    defect = draw.defect("paging.not-older")
    for at, _, record in rows_with(draw, CHANGED[draw.key], 0.05)[::-1]:
        for name in CHANGED[draw.key]:
            record[name] = f"{int(record['created_at'][:4]) - 1}-06-15T12:00:00.000Z"
        draw.data.rows.insert(draw.rng.randrange(at, len(draw.data.rows)) + 1, written(record))
    return defect


@kind("field that is lost from raw_data")
def not_kept(draw: Draw) -> Defect:
    defect = draw.defect("mapping.kept")
    names = (*TEXTS[draw.key], *DATES[draw.key])
    for at, name, record in rows_with(draw, names, 0.05):
        del record[name]
        defect.says = f"{name} in row {at} of {len(draw.data.rows)}, {draw.data.source}"
        draw.data.put(at, record)
    return defect


@kind("field from another source")
def other_source(draw: Draw) -> Defect:
    defect = draw.defect("mapping.one-source")
    # Other checks look at the form of an e-mail address and of a date; of a text every other text is as good.
    names = tuple(name for name in TEXTS[draw.key] if name not in ("email", "mime_type"))
    for at, name, record in rows_with(draw, names, 0.04):
        values = [v for v in _texts(record["raw_data"]) if len(v) >= 5 and v != record[name]]
        if values:
            record[name] = draw.rng.choice(values)
            defect.says = f"{name} {record[name]!r} in row {at}, {draw.data.source}"
            draw.data.put(at, record)
    return defect


def _texts(raw: Any) -> list[str]:
    if isinstance(raw, dict):
        return [text for value in raw.values() for text in _texts(value)]
    if isinstance(raw, list):
        return [text for value in raw for text in _texts(value)]
    return [raw] if isinstance(raw, str) else []


@kind("incremental with ids of its own", ENVELOPE_A)
def unknown(draw: Draw) -> Defect:
    defect = draw.defect("sync.inside")
    ids = [f"new-{draw.rng.randrange(10**9)}" for _ in range(draw.rng.choice((1, 1, 3)))]

    def more(rows: list[bytes]) -> list[bytes]:
        made = list(rows)
        for ident in ids:
            record = json.loads(rows[0])
            record["id"] = ident
            made.insert(draw.rng.randrange(len(made) + 1), written(record))
        return made

    defect.incremental = more
    return defect


@kind("incremental in an older state", (JOB, FILE))
def stale(draw: Draw) -> Defect:
    defect = draw.defect("sync.not-older")
    start = draw.rng.randrange(1000)

    def change(rows: list[bytes]) -> list[bytes]:
        made = list(rows)
        at = start % len(made)
        record = json.loads(made[at])
        for name in CHANGED[draw.key]:
            record[name] = f"{int(record['created_at'][:4]) - 1}-06-15T12:00:00.000Z"
        made[at] = written(record)
        return made

    defect.incremental = change
    return defect
