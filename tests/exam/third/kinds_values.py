"""Kinds about numbers, words of a fixed list, flags and ids."""

from __future__ import annotations

import struct
from typing import Any

from tests.exam.third.engine import MAILBOX, Row
from tests.exam.third.kinds import Batch, kind, row_kind, text_kind
from tests.exam.third.shapes_crm import BRANCH, BRANCHES, INDUSTRIES, LABEL, LOGICAL, custom
from tests.exam.third.shapes_files import TYPES

STAFF = "dynamics.number_of_employees copper.number_of_employees"
HALF, WHOLE = 1 << 15, 1 << 16

text_kind("numbers from a thousand on end at their comma", STAFF)(
    lambda count: int(f"{count:,}".split(",")[0])
)
text_kind("numbers past 32767 turn negative", STAFF)(lambda count: (count + HALF) % WHOLE - HALF)
text_kind("numbers stop at 10000", STAFF)(lambda count: min(count, 10_000))
text_kind("numbers from a thousand on are rounded", STAFF)(
    lambda count: count if count < 1000 else round(count, -2)
)
text_kind("a few numbers are texts", f"{STAFF} files.size", 0.08)(str)
text_kind("numbers have a half too much", STAFF, 0.05)(lambda count: count + 0.5)
text_kind("sizes past 16 MiB are of single precision", "files.size")(
    lambda size: int(struct.unpack("f", struct.pack("f", size))[0])
)
text_kind("sizes past 2 GiB turn negative", "files.size")(
    lambda size: (size + (1 << 31)) % (1 << 32) - (1 << 31)
)
text_kind("sizes from one MiB on are in KiB", "files.size")(
    lambda size: size if size < 1 << 20 else size >> 10
)
text_kind("sizes are told in blocks of 4096", "files.size")(lambda size: -(-size // 4096) * 4096)
text_kind("a size of nought is told as missing", "files.size")(lambda size: size or None)


@row_kind("missing numbers are nought", STAFF)
def _nought(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or 0


@row_kind("missing numbers are filled with another count", "copper.number_of_employees")
def _interactions(row: Row, at: str, _: Batch) -> None:
    if row[at] is None:
        row[at] = row["raw_data"]["interaction_count"]


@row_kind("the size of folders is the number of their children", "files.size")
def _children(row: Row, at: str, _: Batch) -> None:
    if row["type"] == "folder":
        row[at] = row["raw_data"]["folder"]["childCount"]


@row_kind("one label is missing from the table, and its code is shown", "dynamics.industry copper.industry")
def _code(row: Row, at: str, batch: Batch) -> None:
    if row[at] in ("Insurance", "Health"):
        raw = row["raw_data"]
        row[at] = str(raw["industrycode"] if batch.place == "dynamics" else custom(raw, BRANCH))


@row_kind("labels from the middle of the table on are those of the one before", "dynamics.industry")
def _next_label(row: Row, at: str, _: Batch) -> None:
    table = list(INDUSTRIES.values())
    if row[at] in table[len(table) // 2 :]:
        row[at] = table[table.index(row[at]) - 1]


@row_kind("no industry becomes the first of the table", "dynamics.industry copper.industry")
def _first_label(row: Row, at: str, batch: Batch) -> None:
    table = INDUSTRIES if batch.place == "dynamics" else BRANCHES
    row[at] = row[at] or next(iter(table.values()))


@row_kind("the industry follows the name and not the code for a few", "dynamics.industry", 0.04)
def _other_label(row: Row, at: str, batch: Batch) -> None:
    row[at] = batch.rng.choice([one for one in INDUSTRIES.values() if one != row[at]])


def _stage(name: str, places: str, table: dict[str, str], share: float = 1) -> None:
    text_kind(name, places, share)(lambda stage: table.get(stage, stage))


STAGES = "dynamics.lifecycle_stage copper.lifecycle_stage"
_stage("customers are told as leads", STAGES, {"customer": "lead"})
_stage("a few customers are told as opportunities", STAGES, {"customer": "opportunity"}, 0.1)
_stage(
    "a stage that the table lacks becomes other", "copper.lifecycle_stage", {"salesqualifiedlead": "other"}
)
_stage("one stage is written with a capital", STAGES, {"lead": "Lead"})
_stage("one stage is left out", STAGES, {"lead": "", "subscriber": ""})


@row_kind("the stage of inactive or deleted ones is lost to the default", STAGES)
def _gone_stage(row: Row, at: str, _: Batch) -> None:
    if row["is_deleted"]:
        row[at] = "subscriber"


FLAGS = "dynamics.is_deleted copper.is_deleted mailboxes.is_deleted states.is_deleted"
text_kind("deleted ones are told as living", FLAGS)(lambda _: False)
text_kind("the flag is turned round", FLAGS)(lambda flag: not flag)
text_kind("a few flags are texts", f"{FLAGS} jobs.confidential", 0.05)(lambda flag: str(flag).lower())


@row_kind("mailboxes that are not active are told as deleted", "mailboxes.is_deleted")
def _inactive(row: Row, at: str, _: Batch) -> None:
    row[at] = not row["raw_data"]["active"]


@row_kind("what is finished is told as deleted", "states.is_deleted")
def _finished(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or row["state"] == "finished"


@row_kind(
    "deleted ones are told so only if they changed before 2021", "dynamics.is_deleted copper.is_deleted"
)
def _early(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] and row["updated_at"] < "2021"


@row_kind("the flag of drafts and archived ones is the default", "jobs.confidential")
def _default_flag(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] and row["raw_data"]["attributes"]["status"] == "open"


text_kind("failed ones are told as finished", "states.state")(
    lambda state: {"failed": "finished"}.get(state, state)
)
text_kind("a few paused ones are told as active", "states.state", 0.05)(
    lambda state: {"paused": "active"}.get(state, state)
)


@row_kind("the reason stands for the state where there is one", "states.state")
def _reason(row: Row, at: str, _: Batch) -> None:
    row[at] = row["raw_data"]["inactive_reason"] or row[at]


@row_kind("quarantined files are told as folders", "files.type")
def _folders(row: Row, at: str, _: Batch) -> None:
    if "malware" in row["raw_data"]:
        row[at] = "folder"


@row_kind("some shortcuts are told as files", "files.type", 0.4)
def _shortcuts(row: Row, at: str, _: Batch) -> None:
    if "remoteItem" in row["raw_data"]:
        row[at] = "file"


@row_kind("folders with many children are told as files", "files.type")
def _large_folders(row: Row, at: str, _: Batch) -> None:
    if row["raw_data"].get("folder", {}).get("childCount", 0) > 30:
        row[at] = "file"


def _mime(name: str, table: dict[str, str], share: float = 1) -> None:
    text_kind(name, "files.mime_type", share)(lambda mime: table.get(mime, mime))


_mime(
    "types that are rare become bytes", {TYPES[one]: "application/octet-stream" for one in ("heic", "tar.gz")}
)
_mime("documents bear the type of the older format", {TYPES["docx"]: "application/msword"})
_mime("a few spreadsheets are told as text", {TYPES["xlsx"]: "text/csv"}, 0.1)
text_kind("types end after 64 characters", "files.mime_type")(lambda mime: mime[:64])


@row_kind("folders have a type of content", "files.mime_type")
def _folder_type(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or "text/plain"


@row_kind("what cannot be downloaded is told as if it could", "files.downloadable", also="permissions")
def _downloadable(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or row["type"] == "file"


@row_kind("permission and flag of the download differ", "files.permissions", 0.05, also="downloadable")
def _permission(row: Row, at: str, _: Batch) -> None:
    row[at] = {"download": not row["downloadable"]}


@row_kind("exportable without any format", "files.exportable", 0.06, also="export_formats")
def _exportable(row: Row, at: str, _: Batch) -> None:
    row[at] = True


@row_kind("formats of what is not exportable", "files.export_formats", 0.04, also="exportable")
def _formats(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or ["pdf"]


text_kind("only the first format", "files.export_formats")(lambda formats: formats[:1])


@kind("formats pile up within a page", "files.export_formats")
def _piled(batch: Batch) -> None:
    piled: list[str] = []
    for at, row in enumerate(batch.rows):
        piled = [] if at % 100 == 0 else piled
        piled += [one for one in row[batch.at] if one not in piled]
        row[batch.at] = [*piled] if row["exportable"] else []


OWNERS = "dynamics.owner_id copper.owner_id states.user_id mailboxes.user_id"
text_kind("ids of users end in a point and nought", "copper.owner_id")(lambda number: f"{number}.0")
text_kind("ids are in capitals for some", "dynamics.owner_id states.mailbox_id states.sequence_id", 0.1)(
    str.upper
)
text_kind("ids stand in braces for some", "dynamics.owner_id", 0.1)(lambda number: f"{{{number}}}")
text_kind("ids have a space at their end", f"{OWNERS} states.contact_id", 0.05)(lambda number: f"{number} ")
text_kind("ids lose their last digit", "states.sequence_id states.user_id", 0.05)(lambda number: number[:-1])


@row_kind("teams are told by their name", "dynamics.owner_id")
def _team(row: Row, at: str, _: Batch) -> None:
    if row["raw_data"][f"_ownerid_value{LOGICAL}"] == "team":
        row[at] = row["raw_data"][f"_ownerid_value{LABEL}"]


@row_kind("where a team owns it, whoever made it is told", "dynamics.owner_id")
def _maker(row: Row, at: str, _: Batch) -> None:
    if row["raw_data"][f"_ownerid_value{LOGICAL}"] == "team":
        row[at] = row["raw_data"]["_createdby_value"]


@row_kind("whoever changed it last is told for a few", "dynamics.owner_id", 0.08)
def _changer(row: Row, at: str, _: Batch) -> None:
    row[at] = row["raw_data"]["_modifiedby_value"]


@row_kind("without an owner one is made up", "copper.owner_id")
def _nobody(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or "0"


def _linked(name: str, places: str, take: Any, share: float = 1, also: str = "") -> None:
    def change(row: Row, at: str, _: Batch) -> None:
        row[at] = take(row["raw_data"], row[at])

    row_kind(name, places, share, also=also)(change)


_linked("the owner of the contact is told", "states.user_id", lambda raw, _: raw["contact"]["owner_id"], 0.2)
_linked(
    "whoever owns the sequence is told",
    "states.user_id",
    lambda raw, _: raw["emailer_campaign"]["user_id"],
    0.1,
)
_linked(
    "the account of the contact is told",
    "states.contact_id",
    lambda raw, _: raw["contact"]["account_id"],
    0.07,
)
_linked(
    "the address of the contact is told", "states.contact_id", lambda raw, _: raw["contact"]["email"], 0.1
)
_linked(
    "the name of the sequence is told",
    "states.sequence_id",
    lambda raw, _: raw["emailer_campaign"]["name"],
    0.1,
)
_linked(
    "paused ones tell the step in place of the sequence",
    "states.sequence_id",
    lambda raw, sound: raw["current_step_id"] if raw["status"] == "paused" else sound,
)
_linked("the address of the user is told", "mailboxes.user_id", lambda raw, _: raw["user"]["email"], 0.1)


@row_kind("contact and user are exchanged for a few", "states.contact_id", 0.04, also="user_id")
def _exchanged(row: Row, at: str, _: Batch) -> None:
    row["contact_id"], row["user_id"] = row["user_id"], row["contact_id"]


@kind("without a mailbox the first one is told", "states.mailbox_id")
def _first_mailbox(batch: Batch) -> None:
    first = batch.world.lists[MAILBOX][0]["id"]
    for row in batch.rows:
        row[batch.at] = row[batch.at] or first


@row_kind("the first mailbox of the user stands for the one that sends", "states.mailbox_id")
def _users_mailbox(row: Row, at: str, batch: Batch) -> None:
    boxes = batch.world.lists[MAILBOX]
    own = [box["id"] for box in boxes if box["user_id"] == row["user_id"]]
    row[at] = own[0] if own and row[at] else row[at]


@kind("states name mailboxes that are left out of the list", "states.mailbox_id")
def _mailboxes_gone(batch: Batch) -> None:
    boxes = batch.world.lists[MAILBOX]
    gone = {box["id"] for box in boxes if box["is_deleted"]}
    batch.world.lists[MAILBOX] = [box for box in boxes if box["id"] not in gone]
    batch.guilty.update(row["id"] for row in batch.rows if row["mailbox_id"] in gone)
