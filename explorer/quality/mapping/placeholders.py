"""Values that stand for none: words for nothing, dates that clocks begin with, one made-up value for many."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.transforms import equal, is_number

_PLACEHOLDERS = frozenset(
    {
        *("n/a", "na", "none", "null", "undefined", "nan", "unknown", "-", "--", "?", "tbd", "test", "todo"),
        *("not set", "not available", "not provided", "unspecified", "n.a.", "xxx"),
        *("string", "example", "placeholder", "[object object]", "0000-00-00", "0000-00-00t00:00:00z"),
    }
)
_SEVERAL, _CALL = 3, timedelta(minutes=10)
_NEVER = frozenset({datetime(1970, 1, 1), datetime(1, 1, 1), datetime(1900, 1, 1), datetime(9999, 12, 31)})  # noqa: DTZ001 - as `date_readings` has them
"""The first and last moments of common clocks and calendars."""


def is_placeholder(value: Any) -> bool:
    """Whether a value is a text that means none."""
    if isinstance(value, str):
        return value.strip().lower() in _PLACEHOLDERS or any(
            one.utc in _NEVER for one in date_readings(value)
        )
    return is_number(value) and value in (0, -1)


def is_stand_in(values: Sequence[Any]) -> bool:
    """Whether values without a source are one made-up value: a number, a date, the time of the call, not a word."""
    first = values[0]
    if isinstance(first, bool) or any(type(one) is not type(first) for one in values):
        return False
    if all(equal(one, first) for one in values):
        return is_number(first) or is_placeholder(first) or bool(date_readings(first))
    return is_within_a_call(values)


def is_within_a_call(values: Sequence[Any]) -> bool:
    """Whether different dates are so close together that they are the times of the service's calls."""
    moments = [read[0].utc for one in values if (read := date_readings(one))]
    several = len(moments) == len(values) and len(set(moments)) >= _SEVERAL
    return several and max(moments) - min(moments) <= _CALL
