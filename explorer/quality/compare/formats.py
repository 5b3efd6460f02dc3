"""Transforms that write a date or a number as people and older services write them.

How a date is written is learned from a date and its text: the order, names and lengths of its parts. A form is a
sequence of parts: one of `PARTS`, or literal characters. A text has several forms where two parts of its date are the
same number; further dates decide between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any

from explorer.quality.values.date_transforms import DateFormat, DateReading, date_readings, write_date
from explorer.quality.values.transform import MISSING, Transform, is_number, of_number, of_text

_SHOWN_DATE = datetime(2024, 6, 28, 14, 8, 9)  # noqa: DTZ001 - a local time
_NAMED = {
    "text": "ISO 8601",
    "date": "a date without time",
    "slashed": "figures with slashes or dots",
    "epoch": "a Unix timestamp",
}
_UNITS = (10**3, 1024, 10**6, 1024**2, 10**9, 1024**3)
_NUMERAL = re.compile(r"(\D{0,6}?)(-?\d[\d.,' ]*?)(?:([.,])(\d{1,6}))?(\D{0,6})", re.ASCII)


def formats(before: Any, now: Any) -> Iterator[Transform]:
    """The transforms that may have written ``now``."""
    here = date_readings(before) if isinstance(before, str) else ()
    if here and isinstance(now, str):
        if not _written_as_before(now):
            yield from (
                date_format(form, utc) for utc in (False, True) for form in forms_of(here[0], now, utc)
            )
        yield from (date_cut(unit) for unit in ("minute", "hour", "day"))
    elif here and is_number(now) and 1e8 < abs(now) < 1e14:
        yield from (date_number(milli) for milli in (False, True))
    elif is_number(before) and isinstance(now, str) and (found := _NUMERAL.fullmatch(now)) is not None:
        lead, whole, point, places, tail = found.groups()
        for group in {sign for sign in whole if not sign.isdigit() and sign != "-"} or {""}:
            yield formatted(lead, group, point or "", len(places or ""), tail)
            yield formatted(lead, group, point or "", -1, tail)
            if tail.strip().isalpha():
                yield from (formatted(lead, group, point or "", len(places or ""), tail, by) for by in _UNITS)
    elif isinstance(before, str) and isinstance(now, str) and 2 <= len(now) < len(before):
        yield last_signs(len(now))


def _when(value: Any) -> DateReading | None:
    found = date_readings(value) if isinstance(value, str) else ()
    return found[0] if found and found[0].form != "slashed" else None


def _written_as_before(now: str) -> bool:
    """Whether it has a form that the date transforms write."""
    return any(one.form in ("text", "date", "epoch") and one.style != "spoken" for one in date_readings(now))


def date_format(form: tuple[str, ...], utc: bool) -> Transform:
    """A date in a form, in its own zone or in UTC."""

    def make(value: Any) -> Any:
        here = _when(value)
        if here is None:
            return MISSING
        return date_in(
            form, here.utc if utc else here.wall, timedelta() if utc else here.ahead or timedelta()
        )

    timeless = is_timeless(form)
    words = f"is written in another format, as {date_in(form, _SHOWN_DATE, timedelta())}"
    words += ", without leading zeros" if any(part.endswith("without zero") for part in form) else ""
    words += " in UTC" if utc else ""
    words += " and loses its time of day" if timeless else ""
    return Transform("date format", words, timeless, make, 4 + utc)


def written_otherwise(before: Any, now: Any) -> str:
    """How a date with the same meaning is written now, in words; empty where that is unclear."""
    one, other = (next(iter(date_readings(value)), None) for value in (before, now))
    if one is None or other is None:
        return ""
    if other.form == "epoch" and one.form != "epoch":
        unit = {"s": "seconds", "ms": "milliseconds", "us": "microseconds"}[other.style.partition(" ")[0]]
        return f"a Unix timestamp in {unit}" + (", as text" if isinstance(now, str) else "")
    if one.form != "text" or other.form != "text" or "spoken" in (one.style, other.style):
        return f"{_NAMED[one.form]} before, {_NAMED[other.form]} now" if one.form != other.form else ""
    found = []
    if one.style != other.style:
        found.append("with a space in place of T" if other.style == " " else "with T in place of a space")
    if one.zone != other.zone:
        same = one.ahead == other.ahead or not (one.ahead or other.ahead)
        instead = f" instead of {one.zone.strip() or 'none'}" if same else ""
        found.append(f"with the zone {other.zone.strip() or 'left out'}{instead}")
    if one.digits > other.digits:
        found.append("without zeros at the end of its fraction of a second")
    elif one.digits < other.digits:
        found.append(f"with {other.digits} digits of a fraction of a second")
    if one.seconds != other.seconds:
        found.append("with its seconds" if other.seconds else "without its seconds, which are zero")
    return ", ".join(found)


def date_cut(unit: str) -> Transform:
    """A date truncated to its minute, hour or day, in its own zone."""

    def make(value: Any) -> Any:
        here = _when(value)
        if here is None or here.form != "text":
            return MISSING
        wall = here.wall.replace(second=0, microsecond=0)
        wall = wall if unit == "minute" else wall.replace(minute=0)
        wall = wall.replace(hour=0) if unit == "day" else wall
        there = DateReading(wall, here.ahead, here.form, here.style, here.zone, here.digits, here.seconds)
        return write_date(there, DateFormat(here.form, here.style, "keep", "keep", here.seconds), here)

    name, words = "time cut", f"is cut to the {unit}"
    if unit == "day":
        name, words = "time dropped", "loses its time of day"
    return Transform(name, words, True, make, 4)


def date_number(milli: bool) -> Transform:
    """A date as a whole number of seconds or milliseconds."""

    def make(value: Any) -> Any:
        here = _when(value)
        if here is None:
            return MISSING
        return (here.utc - datetime(1970, 1, 1)) // timedelta(milliseconds=1 if milli else 1000)  # noqa: DTZ001

    unit = "milliseconds" if milli else "seconds"
    return Transform("date as number", f"is written in whole {unit} since 1970", False, make, 4)


def formatted(lead: str, group: str, point: str, places: int, tail: str, by: int = 1) -> Transform:
    """A number as people write it, in a unit ``by`` times larger; ``places`` -1: as many as it has."""

    @of_number
    def make(value: Any) -> Any:
        exact = Decimal(str(value)) / by
        text = f"{exact:,f}" if places < 0 else f"{exact:,.{places}f}"
        return lead + text.replace(",", "\0").replace(".", point).replace("\0", group) + tail

    shown = f"{lead}1{group}234{point}{'5' * max(places, 1) if point else ''}{tail}"
    words = f'is written as text like "{shown}"' + (f", in a unit {by:,} times larger" if by > 1 else "")
    return Transform("number as text", words, by > 1, make, 4)


def last_signs(count: int) -> Transform:
    """The end of a text."""
    return Transform(
        "cut", f"is only its last {count} characters", True, of_text(lambda value: value[-count:]), 4
    )


# ---------------------------------------------------------------- how a date is written

_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August"]
_MONTHS += ["September", "October", "November", "December"]
_DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
_TOKEN = re.compile(r"[+-]\d\d:?\d\d$|[A-Za-z]+|\d+|.", re.ASCII | re.DOTALL)
_MOST, _TOKENS, _LONGEST = 12, 24, 60


def _offset(ahead: timedelta, colon: str) -> str:
    minutes = abs(ahead) // timedelta(minutes=1)
    return f"{'-' if ahead < timedelta() else '+'}{minutes // 60:02}{colon}{minutes % 60:02}"


Write = Callable[[datetime, timedelta], str]
PARTS: dict[str, Write] = {
    "year": lambda d, _: f"{d.year:04}",
    "year of two digits": lambda d, _: f"{d.year % 100:02}",
    "month": lambda d, _: f"{d.month:02}",
    "month without zero": lambda d, _: f"{d.month}",
    "day": lambda d, _: f"{d.day:02}",
    "day without zero": lambda d, _: f"{d.day}",
    "hour": lambda d, _: f"{d.hour:02}",
    "hour without zero": lambda d, _: f"{d.hour}",
    "hour of 12": lambda d, _: f"{(d.hour + 11) % 12 + 1:02}",
    "hour of 12 without zero": lambda d, _: f"{(d.hour + 11) % 12 + 1}",
    "minute": lambda d, _: f"{d.minute:02}",
    "second": lambda d, _: f"{d.second:02}",
    "milliseconds": lambda d, _: f"{d.microsecond // 1000:03}",
    "microseconds": lambda d, _: f"{d.microsecond:06}",
    "whole day": lambda d, _: f"{d.year:04}{d.month:02}{d.day:02}",
    "whole time": lambda d, _: f"{d.hour:02}{d.minute:02}{d.second:02}",
    "day and time": lambda d, _: f"{d.year:04}{d.month:02}{d.day:02}{d.hour:02}{d.minute:02}{d.second:02}",
    "name of the month": lambda d, _: _MONTHS[d.month - 1],
    "short name of the month": lambda d, _: _MONTHS[d.month - 1][:3],
    "weekday": lambda d, _: _DAYS[d.weekday()],
    "short weekday": lambda d, _: _DAYS[d.weekday()][:3],
    "AM or PM": lambda d, _: "AM" if d.hour < 12 else "PM",
    "am or pm": lambda d, _: "am" if d.hour < 12 else "pm",
    "offset": lambda _, ahead: _offset(ahead, ""),
    "offset with colon": lambda _, ahead: _offset(ahead, ":"),
}
"""Functions that write one part of a date, given its local time and its offset from UTC."""
_ONCE = (
    ("year", "year of two digits", "whole day", "day and time"),
    (
        "month",
        "month without zero",
        "name of the month",
        "short name of the month",
        "whole day",
        "day and time",
    ),
    ("day", "day without zero", "whole day", "day and time"),
    ("hour", "hour without zero", "hour of 12", "hour of 12 without zero", "whole time", "day and time"),
    ("minute", "whole time", "day and time"),
    ("second", "whole time", "day and time"),
)
"""At most one of each group is in a date, and one of each of the first three groups is required."""
_BEHIND = {"minute": _ONCE[3], "second": ("minute",), "milliseconds": ("second", *_ONCE[5][1:])}
_BEHIND["microseconds"] = _BEHIND["milliseconds"]
"""Parts that must occur somewhere before a part."""


def date_in(form: tuple[str, ...], wall: datetime, ahead: timedelta) -> str:
    """A date in a form."""
    return "".join(PARTS[part](wall, ahead) if part in PARTS else part for part in form)


def is_timeless(form: tuple[str, ...]) -> bool:
    """Whether a form has no time of day."""
    return not any(part in _ONCE[3] for part in form)


def forms_of(when: DateReading, text: str, utc: bool) -> list[tuple[str, ...]]:
    """The forms in which a text may be written, for its date in its own zone or in UTC."""
    if len(text) > _LONGEST:
        return []
    wall, ahead = (when.utc, timedelta()) if utc else (when.wall, when.ahead or timedelta())
    tokens = [found[0] for found in _TOKEN.finditer(text)]
    if not 1 <= len(tokens) <= _TOKENS:
        return []
    said = {name: write(wall, ahead) for name, write in PARTS.items()}
    choices = []
    for token in tokens:
        some = [name for name, one in said.items() if one == token]
        if not some and any(sign.isdigit() for sign in token):
            return []
        choices.append(some or [token])
    return list(islice(_whole(choices, ()), _MOST))


def _whole(choices: list[list[str]], so_far: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if len(so_far) == len(choices):
        if all(any(part in some for part in so_far) for some in _ONCE[:3]):
            yield so_far
        return
    for part in choices[len(so_far)]:
        taken = any(part in some and any(other in some for other in so_far) for some in _ONCE)
        known = part not in _BEHIND or any(other in _BEHIND[part] for other in so_far)
        if not taken and known:
            yield from _whole(choices, (*so_far, part))
