"""Dates and times in the forms in which third parties write them: read, and told from ISO 8601."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

_ISO = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)"
    r"(?:T(?P<time>\d\d:\d\d(?::\d\d)?)(?P<part>[.,]\d{1,9})?(?P<zone>Z|[+-]\d\d(?::?\d\d)?)?)?"
)
_BLANK = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s?(Z|UTC|[+-]\d\d:?\d\d)?")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,? (\d{1,2}):(\d\d)(?::(\d\d))?)?")
_EPOCH = re.compile(r"-?\d{9,10}(?:\.\d+)?|-?\d{12,13}|-?\d{16}")
_EARLIEST, _LATEST = -2_208_988_800, 7_258_118_400
"""1900 and 2200, between which a number may be an epoch."""


_NUMBERS = (int, float)


def is_iso(text: str) -> bool:
    """Whether a text is an ISO 8601 calendar date, or date and time, of a day that there is."""
    return _iso(text) is not None


def seconds_of(value: Any) -> float | None:
    """The moment that a value names, in seconds since 1970 (UTC where no zone is said), or None.

    Reads ISO 8601, a database's text form, day/month/year, and epoch seconds, milli- and microseconds as number or
    text.
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, _NUMBERS):
        return _epoch(float(value)) if abs(value) >= 100_000_000 else None
    if not isinstance(value, str) or not 8 <= len(value) <= 40:
        return None
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


@lru_cache(maxsize=4096)
def _iso(text: str) -> float | None:
    match = _ISO.fullmatch(text)
    if match is None:
        return None
    part = (match["part"] or "")[1:7]
    zone = match["zone"] or "+00:00"
    zone = "+00:00" if zone == "Z" else zone if len(zone) > 3 else zone + ":00"
    zone = zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"
    time = match["time"] or "00:00"
    time = time if len(time) > 5 else time + ":00"
    try:
        made = datetime.fromisoformat(f"{match['date']}T{time}{zone}")
        return made.timestamp() + (int(part) / 10 ** len(part) if part else 0.0)
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
