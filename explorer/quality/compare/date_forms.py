"""How a date is written, found out from a date and its text: the order of its parts, their names and their lengths.

A form is a sequence of parts: what one of `PARTS` writes, or signs that stand there as they are. A text has several
where two parts of its date are the same number; those of several dates decide between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from explorer.quality.values.date_transforms import When

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
"""What writes one part of a date, by what the clock shows and how far it is ahead of UTC."""
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
"""Of each at most one is in a date; of the first three one has to be."""
_BEHIND = {"minute": _ONCE[3], "second": ("minute",), "milliseconds": ("second", *_ONCE[5][1:])}
_BEHIND["microseconds"] = _BEHIND["milliseconds"]
"""What has to stand somewhere before a part."""


def date_in(form: tuple[str, ...], wall: datetime, ahead: timedelta) -> str:
    """A date in a form."""
    return "".join(PARTS[part](wall, ahead) if part in PARTS else part for part in form)


def is_timeless(form: tuple[str, ...]) -> bool:
    """Whether a form leaves out the time of day."""
    return not any(part in _ONCE[3] for part in form)


def forms_of(when: When, text: str, utc: bool) -> list[tuple[str, ...]]:
    """The forms in which a text may be written, by the clock of its date or in UTC."""
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
