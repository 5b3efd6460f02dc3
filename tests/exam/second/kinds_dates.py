"""Kinds about dates."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.exam.kinds import Spot
from tests.exam.second.hows import instant
from tests.exam.second.spots import kind, source, value
from tests.exam.words import iso
from tests.exam.world import Row

OFFSET = re.compile(r"(Z|[+-]\d\d:\d\d)$")
WINTER = timedelta(hours=1)


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _back(moment: datetime, like: str) -> str:
    """As the connector writes its dates."""
    return iso(moment.astimezone(UTC)) if "." in like else moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@value(
    "the offset of a date is cut off and Z put in its place",
    "zoho/job created_at",
    "teamtailor/job modified_at",
    "box/file created_at",
    "salesloft/mailbox created_at",
)
def _(old: str, row: Row) -> str:
    return OFFSET.sub("Z", source(row, old))


@value(
    "the offset of a date is taken away the wrong way round",
    "box/file updated_at",
    "zoho/job modified_at",
    "salesloft/sequence_state created_at",
)
def _(old: str, row: Row) -> str:
    offset = _moment(source(row, old)).utcoffset() or timedelta()
    return _back(_moment(old) + 2 * offset, old)


@value(
    "dates in summer time are an hour off, those in winter right",
    "zoho/job modified_at",
    "teamtailor/job created_at",
)
def _(old: str, row: Row) -> str:
    offset = _moment(source(row, old)).utcoffset() or timedelta()
    return _back(_moment(old) + (offset - WINTER), old)


@value(
    "afternoons are read with a clock of twelve hours",
    "salesloft/sequence_state created_at",
    "dropbox/file updated_at",
    "copper/account created_at",
)
def _(old: str, row: Row) -> str:
    at = _moment(old)
    return _back(at - timedelta(hours=12), old) if at.hour > 12 else old


@value(
    "only the day of a date is kept, at midnight",
    "teamtailor/job modified_at",
    "box/file updated_at",
    "salesloft/mailbox updated_at",
)
def _(old: str, row: Row) -> str:
    return f"{old[:10]}T00:00:00.000Z"


@value(
    "day and month are exchanged wherever the day can be a month",
    "zoho/job created_at",
    "dropbox/drive created_at",
    "copper/account created_at",
)
def _(old: str, row: Row) -> str:
    return f"{old[:5]}{old[8:10]}-{old[5:7]}{old[10:]}" if int(old[8:10]) <= 12 else old


@value(
    "day and month are exchanged in a few records",
    "box/file created_at",
    "salesloft/sequence_state updated_at",
    much="some",
)
def _(old: str, row: Row) -> str:
    return f"{old[:5]}{old[8:10]}-{old[5:7]}{old[10:]}" if int(old[8:10]) <= 12 else old


@value(
    "an absent date becomes the beginning of 1970",
    "dropbox/file updated_at",
    "copper/account last_activity_at",
    nulls=True,
)
def _(old: None, row: Row) -> str:
    return "1970-01-01T00:00:00Z"


@value(
    "an absent date becomes the moment of the call",
    "dropbox/file updated_at",
    "copper/account last_activity_at",
    nulls=True,
)
def _(old: None, row: Row) -> str:
    return f"2026-11-20T09:30:00.{len(str(row.raw)) % 1000:03d}Z"


@value(
    "epoch seconds are read as milliseconds", "copper/account created_at", "copper/account last_activity_at"
)
def _(old: str, row: Row) -> str:
    return iso(datetime.fromtimestamp(_moment(old).timestamp() / 1000, UTC))


@value("a fraction of six digits is read as milliseconds", "salesloft/mailbox created_at",
       "salesloft/sequence_state created_at")  # fmt: skip
def _(old: str, row: Row) -> str:
    at = _moment(source(row, old))
    return iso(at.astimezone(UTC).replace(microsecond=0) + timedelta(milliseconds=at.microsecond))


OTHERS = {
    "zoho": "Date_Opened",
    "box": "content_created_at",
    "dropbox": "client_modified",
    "salesloft": "created_at",
}


@kind(
    "a date is taken from another date of the third party",
    "zoho/job created_at",
    "box/file created_at",
    "dropbox/file updated_at",
    "salesloft/sequence_state updated_at",
)
def _(spot: Spot) -> None:
    for row in spot.rows:
        other = row.raw.get(OTHERS[spot.world.shape])
        if other is not None:
            row.body[spot.field] = instant(other if len(other) > 10 else f"{other}T00:00:00Z")


PAIRS = {"job": "modified_at", "file": "updated_at", "sequence_state": "updated_at"}


@kind(
    "creation and change are exchanged in a few records",
    "box/file created_at",
    "salesloft/sequence_state created_at",
    "teamtailor/job created_at",
    also="updated_at modified_at last_modified_at",
)
def _(spot: Spot) -> None:
    other = PAIRS[spot.listing.key.rpartition("/")[2]]
    for row in spot.some():
        row.body[spot.field], row.body[other] = row.body[other], row.body[spot.field]


@value(
    "the last and first days of a year get the year of their week",
    "zoho/job created_at",
    "box/file updated_at",
    "salesloft/sequence_state created_at",
)
def _(old: str, row: Row) -> str:
    return f"{_moment(old).isocalendar().year:04d}{old[4:]}"


@value(
    "one year has lost its century",
    "zoho/job modified_at",
    "box/file created_at",
    "copper/account updated_at",
    much="one",
)
def _(old: str, row: Row) -> str:
    return f"00{old[2:]}"


@value(
    "one date is no day of the calendar",
    "salesloft/sequence_state created_at",
    "teamtailor/job created_at",
    much="one",
)
def _(old: str, row: Row) -> str:
    return f"{old[:5]}02-30{old[10:]}"


@value(
    "a few dates are in the words of a program",
    "copper/account updated_at",
    "teamtailor/job modified_at",
    "dropbox/file updated_at",
    much="some",
)
def _(old: str, row: Row) -> str:
    return _moment(old).strftime("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)")


@value(
    "a few dates are the texts of failed reading",
    "zoho/job created_at",
    "salesloft/mailbox updated_at",
    much="some",
)
def _(old: str, row: Row) -> str:
    return "Invalid Date"


@value(
    "one date lies a century ahead",
    "salesloft/mailbox updated_at",
    "dropbox/drive created_at",
    "zoho/job modified_at",
    much="one",
)
def _(old: str, row: Row) -> str:
    return f"21{old[2:]}"


@value("the seconds of dates are lost", "zoho/job created_at", "dropbox/file updated_at")
def _(old: str, row: Row) -> str:
    return f"{old[:17]}00{old[19:]}"


@kind("every record has the date of the first", "salesloft/sequence_state created_at", "box/file created_at")
def _(spot: Spot) -> None:
    first: Any = spot.rows[0].clean[spot.field]
    for row in spot.rows:
        row.body[spot.field] = first


@value("one date is a day early", "teamtailor/job created_at", "dropbox/drive created_at", "box/file updated_at",
       much="one")  # fmt: skip
def _(old: str, row: Row) -> str:
    return _back(_moment(old) - timedelta(days=1), old)
