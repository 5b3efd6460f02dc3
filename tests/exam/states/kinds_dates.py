"""Kinds of change in dates: how they are written, how precise they are, and where they point."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any
from zoneinfo import ZoneInfo

from tests.exam.mapping import Json
from tests.exam.states.frame import one_in, record, value
from tests.exam.words import iso, millis, parsed

ZONE = "zone|offset|hour|shift|earlier|later|moved|daylight|DST|local time"
SOURCE = (
    "fill|taken from|comes? from|copie|copy of|same as|equal|now holds|value of|values of|from raw|source|mapped"
    "|read from|is now the|are now the|identical"
)
DATED = "greenhouse/job"


@value(
    "the milliseconds of the dates are dropped",
    DATED,
    "created_at modified_at",
    "millisecond|fraction|precision|sub-?second|whole second|to the second|full second|decimals",
)
def _(old: Any, job: Json) -> Any:
    return old[:19] + "Z"


@value(
    "dates are written with +00:00 instead of Z (another way to write the zone)",
    DATED,
    "created_at modified_at",
    r"\bZ\b|offset|\+00|zone|UTC",
)
def _(old: Any, job: Json) -> Any:
    return old.replace("Z", "+00:00")


@value(
    "created_at is shifted by the time zone: local time of New York, still called UTC",
    "salesforce/account",
    "created_at",
    ZONE,
)
def _(old: Any, account: Json) -> Any:
    return iso(parsed(old).astimezone(ZoneInfo("America/New_York")).replace(tzinfo=UTC))


@value(
    "dates are the same moments, written in the zone +02:00",
    "outreach/state",
    "created_at updated_at last_modified_at",
    r"zone|offset|\+02|same moment|same instant|same time|same point",
)
def _(old: Any, state: Json) -> Any:
    return parsed(old).astimezone(timezone(timedelta(hours=2))).isoformat(timespec="milliseconds")


@value(
    "created_at moved by one hour (summer time, zone)",
    "hubspot/account",
    "created_at",
    ZONE,
)
def _(old: Any, account: Json) -> Any:
    return iso(parsed(old) + timedelta(hours=1)) if 4 <= parsed(old).month <= 9 else old


@value(
    "the time of day is dropped: updated_at is a date without time",
    "outreach/mailbox",
    "updated_at last_modified_at",
    "time of day|time part|dates? only|only the date|only a date|without a? ?time|without the time|day only|cut"
    "|truncat|no time|no longer .*time|lost .*time|time .*dropped|precision",
)
def _(old: Any, mailbox: Json) -> Any:
    return old[:10]


@value(
    "created_at is at midnight: its time of day is set to zero",
    "google/file",
    "created_at",
    "midnight|time of day|time part|00:00|zero|rounded|truncat|precision|start of the day|lost .*time",
)
def _(old: Any, file: Json) -> Any:
    return old[:11] + "00:00:00.000Z"


@value(
    "created_at is a Unix timestamp in milliseconds, as a text",
    "lever/job",
    "created_at",
    "epoch|unix|millisecond|timestamp|since 1970|number",
)
def _(old: Any, job: Json) -> Any:
    return str(millis(parsed(old)))


@value(
    "created_at is a number of seconds since 1970 (Unix time)",
    "google/file",
    "created_at",
    "epoch|unix|seconds|timestamp|since 1970|number|numeric|integer",
)
def _(old: Any, file: Json) -> Any:
    return int(parsed(old).timestamp())


@value(
    "day and month of updated_at are swapped where both read as a month",
    "sharepoint/file",
    "updated_at",
    "day .*month|month .*day|day/month|month/day|swap|exchang|interchang|switch",
)
def _(old: Any, file: Json) -> Any:
    at = parsed(old)
    return old if at.day > 12 else f"{at.year}-{at.day:02d}-{at.month:02d}{old[10:]}"


@value(
    "created_at has the American format, month first, with AM and PM",
    "salesforce/account",
    "created_at",
    r"MM/DD|month first|american|\bUS\b|slash|format|\bAM\b|12-hour|written differently|no longer ISO|notation",
)
def _(old: Any, account: Json) -> Any:
    return parsed(old).strftime("%m/%d/%Y %I:%M:%S %p")


@value(
    "dates are written in the format of mail headers (RFC 2822)",
    "outreach/mailbox",
    "created_at",
    "RFC|2822|822|format|mail|HTTP|written differently|no longer ISO|notation|weekday",
)
def _(old: Any, mailbox: Json) -> Any:
    return format_datetime(parsed(old))


@value(
    "a space stands where the T of the date was (format of databases)",
    DATED,
    "modified_at",
    r"space|blank|\bT\b|format|database|SQL|separator",
)
def _(old: Any, job: Json) -> Any:
    return old.replace("T", " ")


@value(
    "the zone is left out: dates lost their Z",
    "sharepoint/file",
    "created_at updated_at",
    r"\bZ\b|zone|offset|UTC|naive|local",
)
def _(old: Any, file: Json) -> Any:
    return old.removesuffix("Z")


@value(
    "last_activity_at is one day earlier",
    "salesforce/account",
    "last_activity_at",
    "one day|a day|1 day|day earlier|24 h|shift|earlier|moved|zone|previous day|day before",
)
def _(old: Any, account: Json) -> Any:
    return iso(parsed(old) - timedelta(days=1))


@record(
    "last_activity_at is 1970 where it was null",
    "hubspot/account",
    "last_activity_at",
    "1970|epoch|null|empty|default|placeholder|unset|no value|absent|zero",
)
def _(account: Json) -> None:
    if account["last_activity_at"] is None:
        account["last_activity_at"] = "1970-01-01T00:00:00.000Z"


@value(
    "created_at is one constant value, the moment of the pull",
    DATED,
    "created_at",
    "constant|same|one value|single value|identical|all .*2026|today|of the pull|fetch|every record",
)
def _(old: Any, job: Json) -> Any:
    return "2026-03-04T05:00:00.000Z"


@record(
    "created_at is now filled from modified_at",
    DATED,
    "created_at",
    rf"{SOURCE}|modified_at|updated_at",
)
def _(job: Json) -> None:
    job["created_at"] = job["modified_at"]


@record(
    "created_at and updated_at are swapped",
    "sharepoint/file",
    "created_at updated_at",
    "swap|exchang|interchang|trade|each other|switch|mixed up|the other way|cross",
)
def _(file: Json) -> None:
    file["created_at"], file["updated_at"] = file["updated_at"], file["created_at"]


@record(
    "modified_at is now read from opened_at in the raw data",
    DATED,
    "modified_at",
    rf"{SOURCE}|opened_at",
)
def _(job: Json) -> None:
    job["modified_at"] = job["raw_data"]["opened_at"]


@value(
    "dates have six decimals of the second instead of three (zeros added, precision)",
    "outreach/state",
    "created_at",
    "micro|decimal|digit|precision|zero|fraction",
)
def _(old: Any, state: Json) -> Any:
    return old.replace("Z", "000Z")


@value(
    "updated_at is rounded down to the minute, the seconds are zero",
    "google/file",
    "updated_at",
    "minute|round|precision|truncat|seconds? .*zero|seconds? .*00|seconds? .*lost|seconds? .*dropp|without seconds"
    "|lost .*second|dropp.*second",
)
def _(old: Any, file: Json) -> Any:
    return old[:17] + "00.000Z"


@value(
    "the year of the date has two digits",
    "lever/job",
    "modified_at",
    "year|two digits|2 digits|two-digit|century|format",
)
def _(old: Any, job: Json) -> Any:
    return old[2:]


@value(
    "the time is on a 12-hour clock: afternoons became mornings (12 hours earlier)",
    "outreach/mailbox",
    "created_at",
    "12.?h|12 hours|twelve|AM|PM|clock|afternoon|noon|earlier|shift|moved",
)
def _(old: Any, mailbox: Json) -> Any:
    at = parsed(old)
    return iso(at - timedelta(hours=12)) if at.hour >= 13 else old


@value(
    "the third party writes all its dates with an offset of +0000 (zone), and the connector passes them on",
    DATED,
    "created_at modified_at",
    r"offset|zone|\+00|\bZ\b|UTC|format",
    raw="created_at updated_at opened_at",
)
def _(old: Any, job: Json) -> Any:
    return old.replace("Z", "+0000")


@value(
    "in one record of three created_at is the date in the future: the year is 2099 (placeholder)",
    "hubspot/account",
    "created_at",
    "2099|future|year|placeholder|constant|same value|one value",
)
def _(old: Any, account: Json) -> Any:
    return "2099-12-31T00:00:00.000Z" if one_in(3, account) else old


@value(
    "updated_at is the date of now for deleted accounts only (constant)",
    "salesforce/account",
    "updated_at",
    "constant|same|one value|identical|deleted|single value|2026",
)
def _(old: Any, account: Json) -> Any:
    return iso(datetime(2026, 3, 4, 5, tzinfo=UTC)) if account["is_deleted"] else old
