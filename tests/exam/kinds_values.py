"""Kinds of defects in dates, numbers, booleans, enumerations and what stands for a missing value."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.exam import words
from tests.exam.kinds import Spot, kind, value
from tests.exam.mapping import STAGES, at
from tests.exam.world import Row

ISO = (
    "greenhouse/job created_at",
    "lever/job modified_at",
    "google/file created_at",
    "google/file updated_at",
    "sharepoint/file created_at",
    "outreach/sequence_state created_at",
    "salesforce/account created_at",
)
CLOCK = datetime(2025, 3, 14, 9, 26, 53, 589_000, UTC)
"""The moment of the call, for a connector that writes it down."""
EMPLOYEES = "salesforce/account number_of_employees"
SIZES = ("google/file size", "sharepoint/file size")
BOOLEANS = (
    "greenhouse/job confidential",
    "lever/job confidential",
    "google/file downloadable",
    "sharepoint/file downloadable",
    "salesforce/account is_deleted",
)
EXPORTABLE = ("google/file exportable", "sharepoint/file exportable")
STATE = "outreach/sequence_state state"
STAGE = "salesforce/account lifecycle_stage"


def _again(text: str, moment: datetime) -> str:
    return words.iso(moment) if "." in text else words.iso_seconds(moment)


@value("local time of the server, with summer time, is called Z", *ISO)
def _(text: Any, row: Row) -> Any:
    moment = words.parsed(text)
    return _again(text, moment + timedelta(hours=2 if 3 < moment.month < 11 else 1))


@value("dates are five hours early", *ISO)
def _(text: Any, row: Row) -> Any:
    return _again(text, words.parsed(text) - timedelta(hours=5))


@value("dates are an hour late in summer", *ISO)
def _(text: Any, row: Row) -> Any:
    moment = words.parsed(text)
    return _again(text, moment + timedelta(hours=int(3 < moment.month < 11)))


@value("the zone of one date is wrong", *ISO, much="one")
def _(text: Any, row: Row) -> Any:
    return text.removesuffix("Z") + "+02:00"


@value("dates are a day early", *ISO)
def _(text: Any, row: Row) -> Any:
    return _again(text, words.parsed(text) - timedelta(days=1))


@value("hours of the afternoon are those of the morning", *ISO)
def _(text: Any, row: Row) -> Any:
    moment = words.parsed(text)
    return _again(text, moment.replace(hour=moment.hour % 12))


@value("months count from zero", *ISO)
def _(text: Any, row: Row) -> Any:
    moment = words.parsed(text)
    return _again(
        text, moment.replace(month=moment.month - 1, day=min(moment.day, 28)) if moment.month > 1 else moment
    )


@value("day and month are exchanged where the day is twelve at most", *ISO)
def _(text: Any, row: Row) -> Any:
    moment = words.parsed(text)
    return _again(text, moment.replace(day=moment.month, month=moment.day) if moment.day <= 12 else moment)


@value(
    "minutes stand where the month belongs", "google/file created_at", "outreach/sequence_state created_at"
)
def _(text: Any, row: Row) -> Any:
    return f"{text[:5]}{text[14:16]}{text[7:]}"


@value(
    "the year is that of the week",
    "google/file created_at",
    "google/file updated_at",
    "outreach/sequence_state created_at",
)
def _(text: Any, row: Row) -> Any:
    return f"{words.parsed(text).isocalendar().year}{text[4:]}"


@value("the year loses its century in some records", *ISO, much="some")
def _(text: Any, row: Row) -> Any:
    return "00" + text[2:]


@value("the time of day is lost, midnight stands for it", *ISO)
def _(text: Any, row: Row) -> Any:
    return text[:10] + ("T00:00:00.000Z" if "." in text else "T00:00:00Z")


@value("the time of day is cut off", *ISO)
def _(text: Any, row: Row) -> Any:
    return text[:10]


@value("milliseconds lose their leading zeros", "lever/job created_at", "lever/job modified_at")
def _(text: Any, row: Row) -> Any:
    return f"{text[:20]}{int(text[20:23])}Z"


@value("milliseconds are read as if they were microseconds", "lever/job created_at", "lever/job modified_at")
def _(text: Any, row: Row) -> Any:
    return words.iso(datetime.fromtimestamp(words.parsed(text).timestamp() / 1000, UTC))


@value("one date is that of the epoch", *ISO, much="one")
def _(text: Any, row: Row) -> Any:
    return "1970-01-01T00:00:00.000Z"


@value("one date lies eighty years ahead", *ISO, much="one")
def _(text: Any, row: Row) -> Any:
    return f"{int(text[:4]) + 80}{text[4:].replace('-02-29', '-02-28')}"


@value("one date is no date", *ISO, much="one")
def _(text: Any, row: Row) -> Any:
    return "Invalid Date"


@value("one date is of a month that there is not", *ISO, much="one")
def _(text: Any, row: Row) -> Any:
    return f"{text[:5]}13{text[7:]}"


@kind("the date is the moment of the call", *ISO)
def _(spot: Spot) -> None:
    for number, row in enumerate(spot.rows):
        row.body[spot.field] = words.iso(CLOCK + timedelta(milliseconds=number // 3))


@value("a missing date is the moment of the call", "salesforce/account last_activity_at", nulls=True)
def _(old: Any, row: Row) -> Any:
    return words.iso(CLOCK)


@value("a missing date is that of the epoch", "salesforce/account last_activity_at", nulls=True)
def _(old: Any, row: Row) -> Any:
    return "1970-01-01T00:00:00.000Z"


@value("a day moves back by the zone of the server", "salesforce/account last_activity_at")
def _(text: Any, row: Row) -> Any:
    return words.iso(words.parsed(text) - timedelta(days=1))


@value("size is in kilobytes", *SIZES)
def _(size: Any, row: Row) -> Any:
    return round(size / 1024)


@value("size has lost what does not fit into 32 bits", *SIZES)
def _(size: Any, row: Row) -> Any:
    return size % 2**32


@value("size is a signed number of 32 bits", *SIZES)
def _(size: Any, row: Row) -> Any:
    return (size + 2**31) % 2**32 - 2**31


@value("size is rounded to thousands", *SIZES)
def _(size: Any, row: Row) -> Any:
    return round(size, -3)


@value("size has lost its last digit in some records", *SIZES, much="some")
def _(size: Any, row: Row) -> Any:
    return size // 10


@value("one size is off by one", *SIZES, much="one")
def _(size: Any, row: Row) -> Any:
    return size + 1


@value("a missing size is minus one", "google/file size", nulls=True)
def _(old: Any, row: Row) -> Any:
    return -1


@value("the separator of thousands is read as a decimal point", EMPLOYEES)
def _(count: Any, row: Row) -> Any:
    return count / 1000 if count >= 1000 else count


@value("missing employees are zero", EMPLOYEES, nulls=True)
def _(old: Any, row: Row) -> Any:
    return 0


@value("employees are rounded down to hundreds", EMPLOYEES)
def _(count: Any, row: Row) -> Any:
    return count // 100 * 100


@value("boolean is the opposite", *BOOLEANS, *EXPORTABLE)
def _(old: Any, row: Row) -> Any:
    return not old


@value("boolean is the opposite in one record", *BOOLEANS, *EXPORTABLE, much="one")
def _(old: Any, row: Row) -> Any:
    return not old


@value("boolean is false throughout", *BOOLEANS, *EXPORTABLE)
def _(old: Any, row: Row) -> Any:
    return False


@value("boolean is true throughout", *BOOLEANS, "google/file exportable")
def _(old: Any, row: Row) -> Any:
    return True


@value("the right to download is the opposite", "google/file permissions", "sharepoint/file permissions")
def _(old: Any, row: Row) -> Any:
    return {"download": not old["download"]}


@value("a paused state is called active", STATE)
def _(state: Any, row: Row) -> Any:
    return {"paused": "active"}.get(state, state)


@value("the words for two states are exchanged", STATE)
def _(state: Any, row: Row) -> Any:
    return {"pending": "disabled", "disabled": "pending"}.get(state, state)


@value("state is active throughout", STATE)
def _(state: Any, row: Row) -> Any:
    return "active"


@value("state is a number of an inner list", STATE)
def _(state: Any, row: Row) -> Any:
    return str(len(state) % 7)


@value("the stages are moved by one", STAGE)
def _(stage: Any, row: Row) -> Any:
    known = list(STAGES.values())
    return known[(known.index(stage) + 1) % len(known)]


@value("the two kinds of qualified leads are exchanged", STAGE)
def _(stage: Any, row: Row) -> Any:
    return {
        "marketingqualifiedlead": "salesqualifiedlead",
        "salesqualifiedlead": "marketingqualifiedlead",
    }.get(stage, stage)


@value("stages stand in the third party's words", STAGE)
def _(stage: Any, row: Row) -> Any:
    return at(row.raw, "Lifecycle_Stage__c")


@value("qualified leads are leads", STAGE)
def _(stage: Any, row: Row) -> Any:
    return "lead" if "qualified" in stage else stage


@value("folders are called files", "google/file type", "sharepoint/file type")
def _(old: Any, row: Row) -> Any:
    return "file" if old == "folder" else old


@value("all are called folders", "google/file type", "sharepoint/file type")
def _(old: Any, row: Row) -> Any:
    return "folder"


@value("one folder is called a file", "google/file type", "sharepoint/file type", much="one")
def _(old: Any, row: Row) -> Any:
    return "file" if old == "folder" else old


@value("the kinds of two industries are exchanged", "salesforce/account industry")
def _(old: Any, row: Row) -> Any:
    return {"Banking": "Retail", "Retail": "Banking"}.get(old, old)


MISSING = (
    "google/file description",
    "sharepoint/file description",
    "salesforce/account website",
    "salesforce/account industry",
)


@value("a missing text is the word null", *MISSING, nulls=True)
def _(old: Any, row: Row) -> Any:
    return "null"


@value("a missing text is the word None", *MISSING, nulls=True)
def _(old: Any, row: Row) -> Any:
    return "None"


@value("a missing text is Unknown", *MISSING, nulls=True)
def _(old: Any, row: Row) -> Any:
    return "Unknown"


@value("a missing description is the name", *MISSING[:2], nulls=True)
def _(old: Any, row: Row) -> Any:
    return row.clean["name"]


LOST = (
    "google/file description",
    "google/file size",
    "sharepoint/file mime_type",
    "outreach/sequence_state mailbox_id",
    "outreach/mailbox user_id",
    "salesforce/account owner_id",
    "salesforce/account description",
    "greenhouse/job hiring_managers",
)


@value("value is null although there is one", *LOST)
def _(old: Any, row: Row) -> Any:
    return None


@value("value is null in one record although there is one", *LOST, much="one")
def _(old: Any, row: Row) -> Any:
    return None


@value("text is empty in some records although there is one", *MISSING, "greenhouse/job name", much="some")
def _(old: Any, row: Row) -> Any:
    return ""


@value("number is zero in some records although there is one", *SIZES, EMPLOYEES, much="some")
def _(old: Any, row: Row) -> Any:
    return 0


@kind(
    "fields are left out of one record although there are values",
    "greenhouse/job name",
    "outreach/sequence_state state",
)
def _(spot: Spot) -> None:
    del spot.one().body[spot.field]
