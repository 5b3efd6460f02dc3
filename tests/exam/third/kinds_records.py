"""Kinds about whole records and their raw data."""

from __future__ import annotations

import copy
import json
from datetime import timedelta

from tests.exam.third.engine import WITHIN, Row
from tests.exam.third.kinds import Batch, kind, row_kind
from tests.exam.third.kinds_times import like
from tests.exam.third.shapes_files import file_of
from tests.exam.third.shapes_jobs import instant

RAW = "dynamics.raw_data copper.raw_data jobs.raw_data files.raw_data states.raw_data drives.raw_data"


@row_kind("raw data are null for a few", RAW, 0.03)
def _null(row: Row, at: str, _: Batch) -> None:
    row[at] = None


@row_kind("raw data are empty for a few", RAW, 0.05)
def _empty(row: Row, at: str, _: Batch) -> None:
    row[at] = {}


@row_kind("raw data are a text for some", RAW, 0.1)
def _text(row: Row, at: str, _: Batch) -> None:
    row[at] = json.dumps(row[at])


@row_kind("raw data are the unified record again for some", RAW, 0.05)
def _unified(row: Row, at: str, _: Batch) -> None:
    row[at] = {name: value for name, value in row.items() if name not in (at, WITHIN)}


@row_kind("raw data stand one level too deep for some", RAW, 0.05)
def _deep(row: Row, at: str, _: Batch) -> None:
    row[at] = {"data": row[at]}


@row_kind(
    "raw data have lost what was nested", "jobs.raw_data files.raw_data states.raw_data copper.raw_data", 0.06
)
def _flat(row: Row, at: str, _: Batch) -> None:
    row[at] = {name: value for name, value in row[at].items() if not isinstance(value, dict | list)}


@row_kind(
    "what is nested in raw data is shown as an object of JavaScript", "jobs.raw_data files.raw_data", 0.06
)
def _object(row: Row, at: str, _: Batch) -> None:
    row[at] = {name: "[object Object]" if isinstance(of, dict) else of for name, of in row[at].items()}


@kind("raw data are those of the record before for a few", RAW)
def _before(batch: Batch) -> None:
    for at in range(11, len(batch.rows), 29):
        batch.rows[at][batch.at] = copy.deepcopy(batch.rows[at - 1][batch.at])


@kind("the raw data of one record are those of another", RAW)
def _one_other(batch: Batch) -> None:
    one, other = batch.rng.sample(batch.rows, 2)
    one[batch.at] = copy.deepcopy(other[batch.at])


@kind("a record stands there twice", "jobs.id files.id mailboxes.id states.id drives.id")
def _twice(batch: Batch) -> None:
    for at in sorted(batch.rng.sample(range(len(batch.rows)), 3), reverse=True):
        batch.rows.insert(at + batch.rng.randint(1, 5), copy.deepcopy(batch.rows[at]))


@kind(
    "a record stands there twice, once as it was before",
    "jobs.id files.id states.id",
    also="modified_at updated_at",
)
def _twice_old(batch: Batch) -> None:
    changed = "modified_at" if batch.place == "jobs" else "updated_at"
    for at in batch.rng.sample(range(len(batch.rows)), 3):
        old = copy.deepcopy(batch.rows[at])
        old[changed] = like(old[changed], instant(old["created_at"]) + timedelta(seconds=1))
        batch.rows.append(old)


@kind("two records bear the same id", "jobs.id files.id mailboxes.id states.id")
def _same_id(batch: Batch) -> None:
    one, other = batch.rng.sample(batch.rows, 2)
    one["id"] = other["id"]


@row_kind("the id of a shortcut is that of its target", "files.id")
def _target(row: Row, at: str, _: Batch) -> None:
    row[at] = row["raw_data"].get("remoteItem", row["raw_data"])["id"]


@row_kind("the id is that of another thing for a few", "jobs.id states.id mailboxes.id", 0.04)
def _other_thing(row: Row, at: str, batch: Batch) -> None:
    row[at] = {
        "jobs": lambda: row["raw_data"]["attributes"]["internal-name"].split(" ")[0],
        "states": lambda: row["contact_id"],
        "mailboxes": lambda: row["email"],
    }[batch.place]()


@kind("deleted items are listed as if they were there", "files.")
def _deleted(batch: Batch) -> None:
    for old in batch.rng.sample(batch.rows, 9):
        raw = copy.deepcopy(old["raw_data"])
        raw["id"] = "01" + "".join(batch.rng.choices("0123456789ABCDEF", k=32))
        raw["deleted"] = {"state": "softdeleted"}
        batch.rows.insert(batch.rng.randrange(len(batch.rows)), file_of(raw))


@kind(
    "from the hundred-and-first on nothing is looked up",
    "dynamics.owner_id copper.industry states.mailbox_id jobs.offices",
)
def _hundred(batch: Batch) -> None:
    for row in batch.rows[100:]:
        row[batch.at] = [] if isinstance(row[batch.at], list) else None


@kind(
    "the last of every twenty lacks a value",
    "dynamics.website copper.description files.size states.user_id jobs.name",
)
def _twentieth(batch: Batch) -> None:
    for row in batch.rows[19::20]:
        row[batch.at] = None


@row_kind(
    "a value is missing for records with letters beyond ASCII",
    "dynamics.created_at files.size jobs.modified_at",
)
def _not_ascii(row: Row, at: str, _: Batch) -> None:
    if not row["name"].isascii():
        row[at] = None


@row_kind(
    "records with letters beyond ASCII are told without their details",
    "dynamics.description copper.addresses jobs.offices",
)
def _details(row: Row, at: str, _: Batch) -> None:
    if not row["name"].isascii():
        row[at] = [] if isinstance(row[at], list) else None


@row_kind(
    "what is gone is told without a value",
    "dynamics.owner_id copper.name mailboxes.user_id states.sequence_id",
)
def _gone(row: Row, at: str, _: Batch) -> None:
    if row["is_deleted"]:
        row[at] = None


@row_kind(
    "a value lies one level too deep for some", "dynamics.name jobs.name files.mime_type states.state", 0.05
)
def _wrapped(row: Row, at: str, _: Batch) -> None:
    row[at] = {"value": row[at]}


@row_kind(
    "a value is an array of one for some",
    "copper.name dynamics.industry mailboxes.email states.contact_id",
    0.05,
)
def _array(row: Row, at: str, _: Batch) -> None:
    row[at] = [row[at]]


@row_kind(
    "one record is a year off",
    "dynamics.created_at files.created_at states.created_at jobs.created_at",
    most=1,
)
def _year(row: Row, at: str, _: Batch) -> None:
    row[at] = like(row[at], instant(row[at]) - timedelta(days=365))


@row_kind("one number has two digits exchanged", "dynamics.number_of_employees files.size", most=1)
def _digits(row: Row, at: str, _: Batch) -> None:
    told = str(row[at] or "")
    if len(told) > 2 and told[-1] != told[-2]:
        row[at] = int(told[:-2] + told[-1] + told[-2])


@row_kind("one record has another's kind", "files.type dynamics.lifecycle_stage states.state", most=1)
def _one_kind(row: Row, at: str, batch: Batch) -> None:
    row[at] = batch.rng.choice(sorted({one[at] for one in batch.rows} - {row[at]}))


@row_kind(
    "one flag is wrong", "dynamics.is_deleted states.is_deleted jobs.confidential files.exportable", most=1
)
def _one_flag(row: Row, at: str, _: Batch) -> None:
    row[at] = not row[at]


@kind(
    "fields of one page are read from the page before",
    "files.description states.sequence_id dynamics.industry",
)
def _page(batch: Batch) -> None:
    values = [copy.deepcopy(row[batch.at]) for row in batch.rows]
    for at in range(100, min(150, len(values))):
        batch.rows[at][batch.at] = values[at - 100]
