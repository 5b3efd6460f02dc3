"""Dates that are written another way than before, or that are other moments."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

from tests.exam.mapping import Json
from tests.exam.states2.registry import ACCOUNT, COMPANY, FILE, ITEM, JOB, MAILBOX, POSTING, STATE, value


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@value(
    "modified_at has the offset -05:00 for the same moment",
    JOB,
    "modified_at",
    "zone|offset|-05|same|five|5 hours|format",
)
def _offset(text: Any, _: Json) -> Any:
    return moment(text).astimezone(timezone(timedelta(hours=-5))).isoformat(timespec="milliseconds")


@value(
    "created_at is the day alone, without the time",
    JOB,
    "created_at",
    "day|time|date only|cut|truncat|precision|first",
)
def _day(text: Any, _: Json) -> Any:
    return text[:10]


@value(
    "created_at is midnight of its day",
    POSTING,
    "created_at",
    "midnight|day|time of|00:00|round|truncat|precision",
)
def _midnight(text: Any, _: Json) -> Any:
    return f"{text[:10]}T00:00:00.000Z"


@value(
    "the third party gives seconds for milliseconds, and created_at is in 1970",
    POSTING,
    "created_at",
    "1970|thousand|1,?000|second|factor|divid|unit",
    raw="createdAt",
)
def _seconds(number: Any, _: Json) -> Any:
    return number // 1000


@value("updated_at is rounded down to the hour", FILE, "updated_at", "hour|minute|round|trunc|precision|cut")
def _hour(text: Any, _: Json) -> Any:
    return f"{text[:14]}00:00.000Z"


@value(
    "created_at is a number of seconds since 1970 (Unix)",
    FILE,
    "created_at",
    "unix|epoch|second|timestamp|number|1970",
)
def _unix(text: Any, _: Json) -> Any:
    return int(moment(text).timestamp())


@value(
    "updated_at is Pacific time called UTC: seven or eight hours earlier",
    ITEM,
    "updated_at",
    "hour|zone|pacific|summer|moved|shift|earlier|offset",
)
def _pacific(text: Any, _: Json) -> Any:
    local = moment(text).astimezone(ZoneInfo("America/Los_Angeles"))
    return f"{local:%Y-%m-%dT%H:%M:%S}Z"


@value(
    "created_at ends in +00:00 instead of Z",
    ITEM,
    "created_at",
    r"Z|\+00:00|offset|zone|format|suffix|same|written",
)
def _plus(text: Any, _: Json) -> Any:
    return text.replace("Z", "+00:00")


@value(
    "created_at has a blank instead of T and no zone",
    MAILBOX,
    "created_at",
    r"blank|space|zone|Z|format|separator|replac",
)
def _sql(text: Any, _: Json) -> Any:
    return text.replace("T", " ").removesuffix("Z")


@value(
    "last_modified_at is written in the American way, month first",
    MAILBOX,
    "last_modified_at",
    "month|american|us|format|slash|/|order|written",
)
def _american(text: Any, _: Json) -> Any:
    return f"{moment(text):%m/%d/%Y %I:%M:%S %p}"


@value(
    "day and month of created_at are swapped where that makes a date",
    STATE,
    "created_at",
    "day|month|swap|exchang|order|revers",
)
def _day_month(text: Any, _: Json) -> Any:
    at = moment(text)
    return f"{text[:4]}-{text[8:10]}-{text[5:7]}{text[10:]}" if at.day <= 12 else text


@value(
    "updated_at has six digits behind the second",
    STATE,
    "updated_at",
    r"six|digit|micro|precision|000|zero|pad|fraction",
)
def _micro(text: Any, _: Json) -> Any:
    return text.replace("Z", "000Z")


@value(
    "last_activity_at is five hours earlier, on the day before (zone)",
    ACCOUNT,
    "last_activity_at",
    "hour|zone|day|moved|shift|earlier|offset",
)
def _day_before(text: Any, _: Json) -> Any:
    return written(moment(text) - timedelta(hours=5))


@value("created_at is one day earlier", COMPANY, "created_at", "day|24|hour|moved|shift|earlier|86,?400|back")
def _yesterday(text: Any, _: Json) -> Any:
    return written(moment(text) - timedelta(days=1))


@value(
    "created_at is written in words (RFC 1123)",
    ACCOUNT,
    "created_at",
    "words|rfc|1123|2822|format|GMT|weekday|http|written|name",
)
def _words(text: Any, _: Json) -> Any:
    return f"{moment(text):%a, %d %b %Y %H:%M:%S} GMT"


@value(
    "last_modified_at is a century earlier: 2023 became 1923",
    COMPANY,
    "last_modified_at",
    "century|hundred|100|19|year|moved|shift|earlier",
)
def _century(text: Any, _: Json) -> Any:
    return f"19{text[2:]}"
