"""Dates and times in the formats that third parties use: parsed, and checked against ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from operator import itemgetter
from typing import Any

_ISO = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d|\d{4}-\d{3}|\d{4}-W\d\d-\d)"
    r"(?:T(?P<time>\d\d:\d\d(?::\d\d)?)(?P<part>[.,]\d{1,9})?(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_BASIC = re.compile(
    r"(?P<date>\d{8}|\d{7}|\d{4}W\d{3})T(?P<time>\d{4}(?:\d\d)?)(?P<part>[.,]\d{1,9})?(?P<zone>Z|[+-]\d\d(?:\d\d)?)?",
    re.ASCII,
)
_SHORT = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])|\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])", re.ASCII)
_BLANK = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s?(Z|UTC|[+-]\d\d(?::?\d\d)?)?")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?)?")
_EPOCH = re.compile(r"-?\d{9,10}(?:\.\d+)?|-?\d{12,13}|-?\d{16}")
_LARGEST = 1e17
_EPOCH_DAY, _EPOCH_UTC = date(1970, 1, 1).toordinal(), datetime(1970, 1, 1, tzinfo=UTC)
_EARLIEST, _LATEST = -2_208_988_800, 7_258_118_400
"""1900 and 2200; a number between them may be an epoch."""


_NUMBERS = (int, float)
_DAY = 86_400.0
_USUAL = {20: ("-", "-", "T", ":", ":", "Z"), 24: ("-", "-", "T", ":", ":", ".")}
"""Separators of the most frequent dates by length: UTC, without a fraction of a second or with three digits."""
_marks = itemgetter(4, 7, 10, 13, 16, 19)


def is_iso(text: str) -> bool:
    """Whether a text is an ISO 8601 date, or date and time, of an existing day.

    Calendar, week and ordinal dates count, in the extended format and, with a time, in the basic one; so do a month or
    week alone, the end of a day as 24:00 and a leap second. Eight digits alone do not, because they may be a number.
    """
    if _iso(text) is not None:
        return True
    return _SHORT.fullmatch(text) is not None


def seconds_of(value: Any) -> float | None:
    """The moment of a value, in seconds since 1970 (UTC where there is no zone), or None.

    Reads ISO 8601, a database's text form, day/month/year, and epoch seconds, milli- and microseconds as number or
    text.
    """
    if not isinstance(value, str):
        number = isinstance(value, _NUMBERS) and not isinstance(value, bool)
        return _epoch(float(value)) if number and 100_000_000 <= abs(value) < _LARGEST else None
    if not 8 <= len(value) <= 40:
        return None
    usual = _USUAL.get(len(value))
    found = _usual(value) if usual is not None and _marks(value) == usual and value[-1] == "Z" else None
    if found is None:
        found = _iso(value)
    if found is not None:
        return found
    if match := _BLANK.fullmatch(value):
        zone = "Z" if match[3] in (None, "UTC") else match[3]
        return _iso(f"{match[1]}T{match[2]}{zone}")
    if _EPOCH.fullmatch(value):
        return _epoch(float(value))
    if match := _SLASHED.fullmatch(value):
        return _slashed(match)
    return None


def form_of(value: Any) -> str:
    """The format of a date in words; empty for a value that is not a date."""
    if isinstance(value, str) and is_iso(value):
        return "ISO 8601"
    if seconds_of(value) is None:
        forms = _UNREAD if isinstance(value, str) and len(value) <= 60 else ()
        return next((name for pattern, name in forms if pattern.fullmatch(value)), "")
    if isinstance(value, _NUMBERS) or _EPOCH.fullmatch(value):
        return "a number of seconds or milliseconds"
    return "a database's own text" if _BLANK.fullmatch(value) else "day, month and year with slashes or dots"


def is_iso_but_for_a_blank(text: str) -> bool:
    """Whether a date differs from ISO 8601 only by a space in place of T, which RFC 3339 allows in section 5.6.

    Databases write this with a zone; without a zone it may come from anywhere.
    """
    match = _BLANK.fullmatch(text)
    return match is not None and match[3] is not None


_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?"
_CLOCK = r"(?:,?[ T]+\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[AaPp]\.?[Mm]\.?)?(?: ?(?:Z|[A-Z]{2,5}|[+-]\d\d:?\d\d))?)?"
_UNREAD = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (
            rf"(?:[A-Z][a-z]{{2,8}},? )?\d{{1,2}}[ -]{_MONTH}[ -]\d{{2,4}}{_CLOCK}",
            "a date with its month by name",
        ),
        (rf"(?:[A-Z][a-z]{{2,8}},? )?{_MONTH} \d{{1,2}},? \d{{4}}{_CLOCK}", "a date with its month by name"),
        (rf"\d{{4}}[/.]\d{{1,2}}[/.]\d{{1,2}}{_CLOCK}", "year, month and day with slashes or dots"),
        (rf"\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{2,4}}{_CLOCK}", "day, month and year with slashes or dots"),
        (r"/Date\(-?\d{1,16}(?:[+-]\d{4})?\)/", "milliseconds in /Date()/"),
        (r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{6})?", "digits of year, month and day"),
        (r"0000-00-00(?:[T ]00:00:00(?:\.0+)?Z?)?", "a database's date that was never set"),
    )
)
"""Formats whose moment is not computed, because it is ambiguous or never needed."""


def precision_of(value: Any) -> float:
    """The possible error of a date in seconds: a day where it has no time, or no zone."""
    if not isinstance(value, str) or _EPOCH.fullmatch(value):
        return 1.0
    zoned = value.endswith(("Z", "UTC")) or re.search(r"[T ].*[+-]\d\d:?(?:\d\d)?$", value) is not None
    return 1.0 if zoned else _DAY


def spoken(seconds: float) -> str:
    """A moment in readable form; the first or last of the calendar for one beyond it."""
    first, last = (1 - _EPOCH_DAY) * 86_400, (date.max.toordinal() - _EPOCH_DAY) * 86_400
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=min(max(seconds, first), last))
    return f"{moment:%Y-%m-%d %H:%M} UTC"


def _usual(text: str) -> float | None:
    """The result of `_iso` for most dates, in a quarter of its time; None where that is not certain."""
    try:
        made = datetime.fromisoformat(text) - _EPOCH_UTC
    except ValueError:
        return None
    whole = made.days * 86_400 + made.seconds
    return whole + (made.microseconds / 1_000_000 if made.microseconds else 0.0)


@lru_cache(maxsize=4096)
def _iso(text: str) -> float | None:
    match = _ISO.fullmatch(text) or _BASIC.fullmatch(text)
    if match is None:
        return None
    day = _day(match["date"].replace("-", ""))
    clock = (match["time"] or "00:00").replace(":", "")
    hour, minute, second = int(clock[:2]), int(clock[2:4]), int(clock[4:] or 0)
    if day is None or (hour == 24 and minute + second) or hour > 24 or minute > 59:
        return None
    if second > 59 and not (second == 60 and minute % 15 == 14):  # zones differ by quarters of an hour
        return None
    part = (match["part"] or "")[1:7]
    zone = match["zone"] or "Z"
    ahead = 0 if zone == "Z" else int(f"{zone[0]}1") * (int(zone[1:3]) * 60 + int(zone[3:].lstrip(":") or 0))
    if abs(ahead) >= 24 * 60:
        return None
    days = day - _EPOCH_DAY
    whole = days * 86_400 + hour * 3_600 + (minute - ahead) * 60 + second
    return whole + (int(part) / 10 ** len(part) if part else 0.0)


def _day(text: str) -> int | None:
    """The number of a day written as 20240131, 2024W051 or 2024031; None when there is no such day."""
    try:
        if "W" in text:
            return date.fromisocalendar(int(text[:4]), int(text[5:7]), int(text[7:])).toordinal()
        if len(text) == 7:
            made = date(int(text[:4]), 1, 1).toordinal() + int(text[4:]) - 1
            return made if text[4:] != "000" and date.fromordinal(made).year == int(text[:4]) else None
        return date(int(text[:4]), int(text[4:6]), int(text[6:])).toordinal()
    except (ValueError, OverflowError):
        return None


def _epoch(number: float) -> float | None:
    size = abs(number)
    seconds = number if size < 1e11 else number / 1e3 if size < 1e14 else number / 1e6
    return seconds if _EARLIEST < seconds < _LATEST else None


def _slashed(match: re.Match[str]) -> float | None:
    day, month, year = int(match[1]), int(match[2]), int(match[3])
    if month > 12:
        day, month = month, day
    try:
        made = datetime(
            year, month, day, int(match[4] or 0), int(match[5] or 0), int(match[6] or 0), tzinfo=UTC
        )
    except ValueError:
        return None
    return made.timestamp()
