"""Kinds about numbers, booleans and words out of a set."""

from __future__ import annotations

import struct
from typing import Any

from tests.exam.kinds import Spot
from tests.exam.mapping import STAGES
from tests.exam.second.hows import STAGE
from tests.exam.second.shapes_sales import STATES
from tests.exam.second.spots import kind, lost, own, value
from tests.exam.world import Row

SIZES = ("box/file size", "dropbox/file size")
BIG = 2**31


@value("the size is in kilobytes", *SIZES)
def _(old: int, row: Row) -> int:
    return round(old / 1024)


@value("sizes from two gigabytes on turn over", *SIZES)
def _(old: int, row: Row) -> int:
    return (old + BIG) % (2 * BIG) - BIG


@value("sizes from two gigabytes on are texts", *SIZES)
def _(old: int, row: Row) -> Any:
    return str(old) if old >= BIG else old


@value("large sizes are rounded as short floating-point numbers", *SIZES)
def _(old: int, row: Row) -> int:
    return int(struct.unpack("f", struct.pack("f", old))[0])


@value("an absent size becomes -1", *SIZES, nulls=True)
def _(old: None, row: Row) -> int:
    return -1


@value("one size has lost its last digit", *SIZES, much="one")
def _(old: int, row: Row) -> int:
    return old // 10


@value("one number is negative", "box/file size", "copper/account number_of_employees", much="one")
def _(old: int, row: Row) -> int:
    return -old


@lost("a number of 0 is lost", *SIZES, "copper/account number_of_employees")
def _(row: Row, old: Any) -> bool:
    return bool(old == 0)


@value("the thousands point is read as a decimal point", "copper/account number_of_employees")
def _(old: int, row: Row) -> Any:
    return old / 1000 if old >= 1000 else old


@kind("a few sizes are those of the record before", *SIZES)
def _(spot: Spot) -> None:
    pairs = [(row, before) for row, before in spot.before() if own(spot, row) and own(spot, before)]
    for row, before in spot.rng.sample(pairs, 5):
        row.body[spot.field] = before.clean[spot.field]


@value(
    "a boolean is always false",
    "zoho/job confidential",
    "teamtailor/job confidential",
    "salesloft/sequence_state is_deleted",
)
def _(old: bool, row: Row) -> bool:
    return False


@value(
    "a boolean is the wrong way round",
    "salesloft/mailbox is_deleted",
    "dropbox/file downloadable",
    "zoho/job confidential",
)
def _(old: bool, row: Row) -> bool:
    return not old


@value(
    "a boolean is text", "salesloft/mailbox is_deleted", "teamtailor/job confidential", "box/file exportable"
)
def _(old: bool, row: Row) -> str:
    return str(old).lower()


@value("a boolean is 0 or 1", "salesloft/sequence_state is_deleted", "zoho/job confidential")
def _(old: bool, row: Row) -> int:
    return int(old)


@value(
    "one boolean is wrong",
    "zoho/job confidential",
    "box/file downloadable",
    "salesloft/mailbox is_deleted",
    "salesloft/sequence_state is_deleted",
    much="one",
)
def _(old: bool, row: Row) -> bool:
    return not old


@value("false is lost", "teamtailor/job confidential", "salesloft/mailbox is_deleted")
def _(old: bool, row: Row) -> bool | None:
    return old or None


@value(
    "the right to download says yes where the third party says no",
    "box/file permissions",
    "dropbox/file permissions",
    also="downloadable",
)
def _(old: Any, row: Row) -> Any:
    refused = (
        row.raw.get("permissions", {}).get("can_download") is False or row.raw.get("is_downloadable") is False
    )
    return {"download": True} if refused else old


@value(
    "one record has permissions without the right",
    "box/file permissions",
    "dropbox/file permissions",
    much="one",
)
def _(old: Any, row: Row) -> Any:
    return {}


@value("files that cannot be exported are exportable", "dropbox/file exportable", "box/file exportable",
       also="export_formats")  # fmt: skip
def _(old: bool, row: Row) -> bool:
    return True if str(row.raw["name"]).endswith("pdf") else old


@value("folders are files", "box/file type", "dropbox/file type")
def _(old: str, row: Row) -> str:
    return "file" if old == "folder" else old


COMMON = {"url": "file", "reassigned": "active", "salesqualifiedlead": "lead"}


@value(
    "a word that the table lacks becomes the most frequent one",
    "box/file type",
    "salesloft/sequence_state state",
    "copper/account lifecycle_stage",
)
def _(old: str, row: Row) -> str:
    return COMMON.get(old, old)


MERGED = {"marketingqualifiedlead": "salesqualifiedlead"}


@value("two words become one", "copper/account lifecycle_stage")
def _(old: str, row: Row) -> str:
    return MERGED.get(old, old)


@value(
    "every word is the next one of the set",
    "salesloft/sequence_state state",
    "copper/account lifecycle_stage",
)
def _(old: str, row: Row) -> str:
    known = tuple(dict.fromkeys(STATES)) if old in STATES else tuple(STAGES.values())
    return known[(known.index(old) + 1) % len(known)]


@value("a few words are in capitals or end in a blank", "box/file type", "salesloft/sequence_state state",
       "dropbox/file type", much="some")  # fmt: skip
def _(old: str, row: Row) -> str:
    return f"{old} " if len(row.raw["id"] if isinstance(row.raw["id"], str) else "") % 2 else old.capitalize()


@value("one word is that of another state", "salesloft/sequence_state state", "box/file type",
       "copper/account lifecycle_stage", much="one")  # fmt: skip
def _(old: str, row: Row) -> str:
    other = {"file": "folder", "folder": "file", "customer": "lead", "active": "completed"}
    return other.get(old, old)


@value("stages are the third party's labels", "copper/account lifecycle_stage")
def _(old: str, row: Row) -> Any:
    fields = row.raw["custom_fields"]
    return next(one["value"] for one in fields if one["custom_field_definition_id"] == STAGE)


@value("the state is made of another member", "salesloft/sequence_state state")
def _(old: str, row: Row) -> str:
    return "active" if row.raw["counts"]["clicks"] else "inactive"
