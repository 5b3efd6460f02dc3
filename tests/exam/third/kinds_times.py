"""Kinds about times and dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.exam.third import vocabulary as words
from tests.exam.third.engine import Row
from tests.exam.third.kinds import Batch, row_kind, text_kind
from tests.exam.third.shapes_jobs import instant

CREATED = "dynamics.created_at copper.created_at files.created_at states.created_at jobs.created_at"
CHANGED = "dynamics.updated_at copper.updated_at files.updated_at states.updated_at jobs.modified_at"


def like(told: str, at: datetime) -> str:
    """A moment in the form of another one."""
    return words.millis(at) if "." in told else words.seconds(at)


def _moved(change: Callable[[datetime], datetime]) -> Callable[[Any], Any]:
    def moved(told: Any) -> Any:
        return like(told, change(instant(told)))

    return moved


def _raw_time(row: Row, at: str) -> str:
    return str(row["raw_data"]["attributes"]["created-at" if at == "created_at" else "updated-at"])


@row_kind("the offset of the time is cut off and Z put in its place", "jobs.created_at jobs.modified_at")
def _offset_cut(row: Row, at: str, _: Batch) -> None:
    row[at] = f"{_raw_time(row, at)[:-6]}Z"


@row_kind("the offset is taken off twice", "jobs.created_at jobs.modified_at")
def _offset_twice(row: Row, at: str, _: Batch) -> None:
    offset = datetime.fromisoformat(_raw_time(row, at)).utcoffset() or timedelta()
    row[at] = like(row[at], instant(row[at]) - offset)


@row_kind("only offsets east of Greenwich are reckoned with", "jobs.created_at jobs.modified_at")
def _offset_west(row: Row, at: str, _: Batch) -> None:
    if _raw_time(row, at)[-6] == "-":
        row[at] = f"{_raw_time(row, at)[:-6]}Z"


text_kind("an hour too late in summer", f"{CREATED} drives.created_at mailboxes.created_at")(
    _moved(lambda at: at + timedelta(hours=4 <= at.month < 11))
)


text_kind("day and month change places where they can", CREATED)(
    _moved(lambda at: at.replace(month=at.day, day=at.month) if at.day <= 12 else at)
)


text_kind("the hours of the afternoon are told by twelve", CHANGED)(
    _moved(lambda at: at.replace(hour=at.hour % 12))
)


text_kind(
    "the year is that of the week", "dynamics.created_at copper.created_at jobs.created_at files.created_at"
)(_moved(lambda at: at.replace(year=at.isocalendar().year)))


text_kind(
    "the minutes show the month", "dynamics.created_at copper.created_at drives.updated_at files.updated_at"
)(_moved(lambda at: at.replace(minute=at.month)))


text_kind("months are counted from nought", "drives.created_at mailboxes.created_at copper.updated_at")(
    _moved(lambda at: at.replace(month=at.month - 1 or 12, day=min(at.day, 28)))
)


text_kind("the time of day is lost", "dynamics.last_activity_at files.created_at states.created_at")(
    _moved(lambda at: at.replace(hour=0, minute=0, second=0, microsecond=0))
)


text_kind("the seconds are lost", "dynamics.created_at files.updated_at")(
    _moved(lambda at: at.replace(second=0))
)


text_kind("late in the evening it is told as the next day", CREATED)(
    _moved(lambda at: at + timedelta(days=at.hour >= 22))
)


text_kind(
    "the leap day becomes the first of March", "dynamics.created_at files.created_at states.created_at"
)(_moved(lambda at: at + timedelta(days=(at.month, at.day) == (2, 29))))


text_kind(
    "the century of years before 2020 is lost", "dynamics.created_at copper.created_at jobs.created_at"
)(_moved(lambda at: at.replace(year=at.year - 100) if at.year < 2020 else at))


text_kind(
    "the fraction of a second is read without its leading noughts", "jobs.created_at states.updated_at"
)(lambda told: re.sub(r"\.0(\d+)Z", lambda at: f".{at[1]:<03}Z", told))


text_kind(
    "seconds since 1970 are taken for milliseconds",
    "copper.created_at copper.updated_at copper.last_activity_at",
)(_moved(lambda at: datetime.fromtimestamp(at.timestamp() / 1000, UTC)))


text_kind(
    "seconds since 1970 wrap where they are past 1.6 thousand million", "copper.created_at copper.updated_at"
)(_moved(lambda at: at - timedelta(seconds=1 << 31) if at.timestamp() > 1_600_000_000 else at))


@row_kind(
    "an activity that never was is told as of 1970", "dynamics.last_activity_at copper.last_activity_at"
)
def _never(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or "1970-01-01T00:00:00Z"


@row_kind("without an activity the creation is told", "dynamics.last_activity_at copper.last_activity_at")
def _created_for_activity(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at] or row["created_at"]


@row_kind(
    "of inactive or deleted ones the creation is told",
    "dynamics.updated_at copper.updated_at mailboxes.updated_at",
)
def _created_for_gone(row: Row, at: str, _: Batch) -> None:
    if row["is_deleted"]:
        row[at] = row["created_at"]


@row_kind(
    "the date of the file system stands for the item's in some", "files.created_at files.updated_at", 0.4
)
def _file_system(row: Row, at: str, _: Batch) -> None:
    name = "createdDateTime" if at == "created_at" else "lastModifiedDateTime"
    row[at] = row["raw_data"]["fileSystemInfo"][name]


@row_kind("folders have creation and change exchanged", "files.created_at", also="updated_at")
def _folders_exchanged(row: Row, at: str, _: Batch) -> None:
    if row["type"] == "folder":
        row["created_at"], row["updated_at"] = row["updated_at"], row["created_at"]


@row_kind("creation and change are exchanged for a few", "states.created_at jobs.created_at", 0.05)
def _few_exchanged(row: Row, at: str, batch: Batch) -> None:
    other = "modified_at" if batch.place == "jobs" else "updated_at"
    row[at], row[other] = row[other], row[at]


@row_kind("changes of the last year have not arrived", CHANGED)
def _stale(row: Row, at: str, _: Batch) -> None:
    if row[at] > "2023-06":
        created = instant(row["created_at"])
        row[at] = like(row[at], created + (instant(row[at]) - created) / 3)


@row_kind(
    "what is finished or paused tells that moment as its change", "states.updated_at states.last_modified_at"
)
def _finished(row: Row, at: str, _: Batch) -> None:
    raw = row["raw_data"]
    row[at] = raw["finished_at"] or raw["paused_at"] or row[at]


@row_kind(
    "the last synchronisation stands for the change", "mailboxes.updated_at mailboxes.last_modified_at", 0.2
)
def _synced(row: Row, at: str, _: Batch) -> None:
    row[at] = row["raw_data"]["last_synced_at"]


@row_kind(
    "the last contact stands for the change where it is later", "copper.updated_at copper.last_modified_at"
)
def _contact_later(row: Row, at: str, _: Batch) -> None:
    row[at] = max(row[at], row["last_activity_at"] or "")


@row_kind("the change of a department stands for that of the job where it is later", "jobs.modified_at")
def _department_later(row: Row, at: str, _: Batch) -> None:
    row[at] = max(row[at], *(one["modified_at"] for one in row["departments"]))


@row_kind("departments get the dates of their job", "jobs.departments", 0.25)
def _department_dates(row: Row, at: str, _: Batch) -> None:
    for one in row[at]:
        one["created_at"] = row["created_at"]


@row_kind(
    "one of the two dates of a change lags behind", "states.last_modified_at dynamics.last_modified_at", 0.06
)
def _lags(row: Row, at: str, _: Batch) -> None:
    row[at] = row["created_at"]


@row_kind("a zone is told that is not the time's", f"{CREATED} {CHANGED}", 0.1)
def _other_zone(row: Row, at: str, _: Batch) -> None:
    row[at] = f"{row[at][:-1]}+02:00"


@row_kind("no zone is told for some", "dynamics.created_at copper.updated_at files.updated_at", 0.12)
def _no_zone(row: Row, at: str, _: Batch) -> None:
    row[at] = row[at][:-1].replace("T", " ")
