"""How one date was made from another: its form, its zone, its precision, and the usual ways of misreading it."""

# ruff: noqa: DTZ001 - the local time is separate from its zone, which many sources omit

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_tz
from functools import lru_cache
from typing import Any, Literal

from explorer.quality.values.transform import MISSING, Transform, is_number

_TEXT = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:([T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(\s?(?:Z|UTC|[+-]\d\d(?::?\d\d)?))?)?",
    re.ASCII,
)
_SLASHED = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:,?[ T](\d{1,2}):(\d\d)(?::(\d\d))?)?", re.ASCII)
_EPOCH = re.compile(r"\d{9,10}(?:\.\d{1,6})?|\d{12,13}|\d{16}", re.ASCII)
_SPOKEN = re.compile(r"[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} ", re.ASCII)
_ORIGIN = datetime(1970, 1, 1)
_EARLIEST_UTC = datetime(1, 1, 1)
_UTC = timedelta(0)
_EARLIEST, _LATEST = -2_208_988_800, 7_258_118_400
"""1900 and 2200; a number between them may be an epoch."""
_QUARTER, _MOST = timedelta(minutes=15), timedelta(hours=26)

Form = Literal["text", "date", "slashed", "epoch"]
Mode = Literal["moment", "zoned", "wall", "dropped", "misread", "seconds as ms", "swapped"]


@dataclass(frozen=True, slots=True)
class DateReading:
    """A date as written: its local time, and its offset from UTC."""

    wall: datetime
    ahead: timedelta | None
    """None where there is no zone."""
    form: Form
    style: str = ""
    """Of a text, the separator of date and time; of an epoch, its unit and type; with slashes, the order of parts."""
    zone: str = ""
    """As written."""
    digits: int = 0
    """Digits of the fraction of a second."""
    seconds: bool = True

    @property
    def utc(self) -> datetime:
        """Its moment; without a zone it counts as UTC."""
        return self.wall - (self.ahead or _UTC)

    @property
    def is_midnight(self) -> bool:
        """Whether dropping its time loses nothing."""
        return not (self.wall.hour or self.wall.minute or self.wall.second or self.wall.microsecond)


@dataclass(frozen=True, slots=True)
class DateFormat:
    """The format of a date."""

    form: Form
    style: str
    zone: str
    """As written, or ``keep`` for the source's own."""
    digits: int | str
    """Digits of the fraction, or ``bare`` (no trailing zeros), ``six`` and ``three`` (those or none), ``keep``."""
    seconds: bool = True


def date_readings(value: Any) -> tuple[DateReading, ...]:
    """The readings of a value as a date: none, one, or two where day and month are ambiguous."""
    if is_number(value):
        return _epoch(value, "") if 1e8 <= abs(value) < 1e17 else ()
    return _read(value) if isinstance(value, str) and 8 <= len(value) <= 40 else ()


@lru_cache(maxsize=8192)
def _read(text: str) -> tuple[DateReading, ...]:
    try:
        if (found := _TEXT.fullmatch(text)) is not None:
            return tuple(one for one in _iso(found) if one.utc >= _EARLIEST_UTC)
        if _EPOCH.fullmatch(text):
            return _epoch(float(text) if "." in text else int(text), " as text")
        if (found := _SLASHED.fullmatch(text)) is not None:
            return _slashed(found)
        if _SPOKEN.match(text) and (parts := parsedate_tz(text)) is not None:
            return (DateReading(datetime(*parts[:6]), timedelta(seconds=parts[9] or 0), "text", "spoken"),)
    except (ValueError, OverflowError):
        pass
    return ()


def _iso(found: re.Match[str]) -> tuple[DateReading, ...]:
    day = int(found[1]), int(found[2]), int(found[3])
    if found[4] is None:
        return (DateReading(datetime(*day), None, "date"),)
    part = (found[8] or "").ljust(6, "0")[:6]
    wall = datetime(*day, int(found[5]), int(found[6]), int(found[7] or 0), int(part))
    zone = found[9] or ""
    return (
        DateReading(
            wall, _ahead(zone), "text", found[4], zone, len(found[8] or ""), seconds=found[7] is not None
        ),
    )


def _ahead(zone: str) -> timedelta | None:
    bare = zone.strip()
    if not bare:
        return None
    if bare in ("Z", "UTC"):
        return _UTC
    digits = bare[1:].replace(":", "").ljust(4, "0")
    return timedelta(hours=int(digits[:2]), minutes=int(digits[2:])) * (-1 if bare[0] == "-" else 1)


def _slashed(found: re.Match[str]) -> tuple[DateReading, ...]:
    clock = int(found[5] or 0), int(found[6] or 0), int(found[7] or 0)
    made = []
    for style, day, month in (("day first", found[1], found[3]), ("month first", found[3], found[1])):
        if int(month) <= 12 and int(day) <= 31:
            made.append(
                DateReading(datetime(int(found[4]), int(month), int(day), *clock), None, "slashed", style)
            )
    return tuple(made)


def _epoch(number: float, kind: str) -> tuple[DateReading, ...]:
    size = abs(number)
    unit, scale = ("s", 1) if size < 1e11 else ("ms", 1_000) if size < 1e14 else ("us", 1_000_000)
    seconds = number / scale
    if not _EARLIEST < seconds < _LATEST:
        return ()
    return (DateReading(_ORIGIN + timedelta(microseconds=round(seconds * 1e6)), _UTC, "epoch", unit + kind),)


def write_date(when: DateReading, how: DateFormat, source: DateReading) -> Any:
    """A date in the given format; MISSING where that is impossible."""
    if how.form == "epoch":
        return _as_epoch(when, how.style)
    if how.form == "date":
        return f"{when.wall:%Y-%m-%d}".zfill(10)
    if how.form != "text" or how.style == "spoken":
        return MISSING
    zone = source.zone if how.zone == "keep" else how.zone
    made = when.wall.isoformat(how.style, "seconds" if how.seconds else "minutes")
    return f"{made}{_fraction(when.wall.microsecond, how.digits, source.digits)}{zone}"


def _as_epoch(when: DateReading, style: str) -> Any:
    unit, _, text = style.partition(" ")
    micro = (when.utc - _ORIGIN) // timedelta(microseconds=1)
    if unit == "s":
        made: Any = micro // 1_000_000 if micro % 1_000_000 == 0 else micro / 1e6
    else:
        made = micro // 1_000 if unit == "ms" else micro
    return str(made) if text else made


def _fraction(micro: int, digits: int | str, kept: int) -> str:
    if digits == "keep":
        digits = kept
    six = f"{micro:06}"
    if digits == "bare":
        six = six.rstrip("0")
    elif digits in ("six", "three"):
        six = "" if not micro else six if digits == "six" else six[:3]
    elif isinstance(digits, int):
        six = six.ljust(digits, "0")[:digits]
    return f".{six}" if six else ""


Proposed = tuple[str, Mode, timedelta, bool, DateFormat]
"""The reading of the source, the treatment of its zone, the shift, whether its time is dropped, the format."""


def proposed(source: Any, made: Any) -> Iterator[Proposed]:
    """The ways in which one date may have been made from another."""
    for there in date_readings(made):
        for here in date_readings(source):
            for mode, moved in _modes(here, there):
                midnight = there.form == "date" or (there.is_midnight and not here.is_midnight)
                for form in _forms(here, there):
                    yield (here.style if here.form == "slashed" else "", mode, moved, False, form)
                    if midnight and (mode in ("moment", "dropped", "wall") or here.ahead is None):
                        yield (here.style if here.form == "slashed" else "", mode, moved, True, form)


def _forms(here: DateReading, there: DateReading) -> Iterator[DateFormat]:
    if there.form != "text":
        yield DateFormat(there.form, there.style, "", 0)
        return
    zones = [there.zone] + (["keep"] if there.zone and there.zone == here.zone else [])
    digits: list[int | str] = [there.digits]
    micro = f"{there.wall.microsecond:06}"
    if there.digits == 0 or micro[: there.digits].rstrip("0") == micro[: there.digits]:
        digits.append("bare")
    if there.digits in (0, 6):
        digits.append("six")
    if there.digits in (0, 3):
        digits.append("three")
    if there.digits == here.digits:
        digits.append("keep")
    for zone in zones:
        for each in digits:
            yield DateFormat("text", there.style, zone, each, there.seconds)


def _modes(here: DateReading, there: DateReading) -> Iterator[tuple[Mode, timedelta]]:
    """The possible treatments of the zone, each with the shift of the whole date."""
    same_day = there.form == "date" or there.is_midnight
    no_zone = there.ahead is None
    for mode, mine, its in (
        ("dropped" if no_zone and here.ahead is not None else "moment", here.utc, there.utc),
        ("dropped" if no_zone and here.ahead is not None else "misread", here.wall, there.wall),
    ):
        if mode == "misread" and (here.ahead is None or here.ahead == there.ahead):
            continue
        name: Mode = "wall" if mode == "dropped" and mine is here.wall and here.ahead else mode  # type: ignore[assignment]
        gap = its - mine
        if abs(gap) < timedelta(seconds=1) or (same_day and its.date() == mine.date()):
            yield name, _UTC
        elif abs(gap) <= _MOST and mode == "moment" and there.form != "date":
            rest = gap % _QUARTER
            if min(rest, _QUARTER - rest) < timedelta(seconds=1):
                # A zone is never whole days off: a different day means a shift.
                zoned = here.ahead is None and there.ahead is not None and round(gap / _QUARTER) % 96
                yield "zoned" if zoned else name, round(gap / _QUARTER) * _QUARTER
        elif same_day and mode == "moment" and abs((its.date() - mine.date()).days) == 1:
            yield name, timedelta(days=(its.date() - mine.date()).days)
    yield from _misread(here, there)


def _misread(here: DateReading, there: DateReading) -> Iterator[tuple[Mode, timedelta]]:
    since, its = here.utc - _ORIGIN, there.utc - _ORIGIN
    if here.form == "epoch" and abs(since / 1_000 - its) < timedelta(seconds=1):
        yield "seconds as ms", _UTC
    day = here.wall.day
    if (
        day <= 12
        and day != here.wall.month
        and there.wall == here.wall.replace(month=day, day=here.wall.month)
    ):
        yield "swapped", _UTC


_NAMES: dict[str, tuple[str, str, bool]] = {
    "moment": ("date read", "is read as a date", False),
    "zoned": ("date read", "is read as a date of another zone", False),
    "dropped": ("zone dropped", "loses its time zone", True),
    "wall": ("zone dropped", "loses its time zone", True),
    "misread": ("zone moved", "keeps its clock time under another zone", True),
    "seconds as ms": ("epoch misread", "has its seconds read as milliseconds", True),
    "swapped": ("day and month swapped", "has day and month swapped", True),
}


_ANY_ZONE = ("moment", "seconds as ms", "swapped")
"""Modes that apply to dates with a zone and without."""


def date_transform(reading: str, mode: Mode, moved: timedelta, timeless: bool, form: DateFormat) -> Transform:
    """The transform for one of the proposed ways."""
    name, words, lossy = _NAMES[mode]
    cost = 4 if form.digits in ("bare", "six", "three") else 3
    if form.form == "date" and mode in ("dropped", "wall"):
        name, words, lossy = _NAMES["moment"]
        cost += mode == "dropped"
    if mode == "zoned":
        words += f" ({_hours(-moved)})"
    if mode == "moment" and moved:
        name, words, lossy = "zone moved", f"is moved by {_hours(moved)}", True
    if timeless:
        lossless = not lossy
        name = "time dropped" if lossless else f"{name}, time dropped"
        words, lossy = ("loses its time of day" if lossless else f"{words} and its time of day"), True
    if reading:
        words += f", {reading}"

    def make(value: Any) -> Any:
        here = next((one for one in date_readings(value) if reading in ("", one.style)), None)
        if here is None:
            return MISSING
        if mode not in _ANY_ZONE and (here.ahead is None) is not (mode == "zoned"):
            return MISSING
        there = _made(here, mode, moved, form)
        if timeless:
            there = _at(there, there.wall.replace(hour=0, minute=0, second=0, microsecond=0))
        elif form.form == "date" and not here.is_midnight and not there.is_midnight:
            return MISSING
        return write_date(there, form, here)

    return Transform(name, words, lossy, make, cost + bool(moved) + timeless)


def _at(when: DateReading, wall: datetime) -> DateReading:
    return DateReading(wall, when.ahead, when.form, when.style, when.zone, when.digits, when.seconds)


def _made(here: DateReading, mode: Mode, moved: timedelta, form: DateFormat) -> DateReading:
    """The moment to be written, in the zone in which it is written."""
    zone = here.zone if form.zone == "keep" else form.zone
    ahead = (_ahead(zone) or _UTC) if form.form == "text" else _UTC
    if mode in ("wall", "misread"):
        return (
            _at(here, here.wall)
            if mode == "wall" or form.form != "epoch"
            else DateReading(here.wall, _UTC, "text")
        )
    if mode == "swapped" and here.wall.day <= 12:  # a day above 12 cannot be misread as a month
        return _at(here, here.wall.replace(month=here.wall.day, day=here.wall.month))
    utc = here.utc + moved
    if mode == "seconds as ms":
        utc = _ORIGIN + (here.utc - _ORIGIN) / 1_000
    return DateReading(utc + ahead, ahead, "text")


def _hours(moved: timedelta) -> str:
    minutes = round(moved / timedelta(minutes=1))
    sign, (hours, rest) = "−" if minutes < 0 else "+", divmod(abs(minutes), 60)
    if hours and hours % 24 == 0 and not rest:
        return f"{sign}{hours // 24} d"
    return f"{sign}{hours} h {rest} min" if rest else f"{sign}{hours} h"
