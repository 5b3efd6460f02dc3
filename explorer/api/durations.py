"""Durations as people write them, to seconds and back: ``30 days``, ``1 h 30 min``, ``90m``, ``2592000``."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from decimal import Decimal

_UNITS: dict[str, tuple[int, tuple[str, ...]]] = {
    "week": (604_800, ("w", "wk", "wks", "week", "weeks")),
    "day": (86_400, ("d", "day", "days")),
    "h": (3_600, ("h", "hr", "hrs", "hour", "hours")),
    "min": (60, ("m", "min", "mins", "minute", "minutes")),
    "s": (1, ("s", "sec", "secs", "second", "seconds")),
}
_SECONDS = {name: seconds for seconds, names in _UNITS.values() for name in names}
_NO_LENGTH = frozenset({"mo", "month", "months", "y", "yr", "yrs", "year", "years"})
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_PART = re.compile(rf"({_NUMBER})\s*([^\W\d_]*)\.?\s*(?:(?:,|and\b)\s*(?=\d))?")
_LONGEST = 18
"""The most characters of one number; Decimal is exact for these."""
EXAMPLES = "30 days, 1 h 30 min, 90m or 2592000"


class DurationFault(ValueError):
    """The text is not a duration. The message is one plain sentence."""


def read_duration(text: str) -> int | float:
    """The seconds of ``text``: parts with units, each unit once, or one number of seconds without a unit.

    A leading minus is accepted: the service answers it with a link that has already expired (observed). Whole seconds
    are an int, others a float. Raises DurationFault.
    """
    rest = text.strip().lower()
    if not rest:
        raise DurationFault(f"No duration is given: write {EXAMPLES}")
    sign = -1 if rest[0] in "-−" else 1
    rest = rest[1:].lstrip() if rest[0] in "-−+" else rest
    if not rest:
        raise DurationFault(_why(text.strip()))
    total, seen, place = Decimal(0), set[int](), 0
    while place < len(rest):
        part = _PART.match(rest, place)
        if part is None:
            raise DurationFault(_why(rest[place:]))
        seconds = _unit(part[2], bare=place == 0 and part.end() == len(rest))
        if seconds in seen:
            raise DurationFault(f"The unit {part[2]} is given twice")
        seen.add(seconds)
        number = part[1].replace(",", "")
        if len(number) > _LONGEST:
            raise DurationFault("The number is too long for a duration")
        total += Decimal(number) * seconds
        place = part.end()
    total *= sign
    return int(total) if total == total.to_integral_value() else float(total)


def duration_text(seconds: float) -> str:
    """``seconds`` in words, such as ``29 days 23 h 59 min``, which `read_duration` reads. Raises ValueError for NaN."""
    left = abs(Decimal(str(seconds)))
    if not left.is_finite():
        raise ValueError("not a duration")
    whole = int(left)
    made, part = [], left - whole
    for name in ("day", "h", "min"):
        count, whole = divmod(whole, _UNITS[name][0])
        if count:
            made.append(f"{count} {name}{'s' if name == 'day' and count != 1 else ''}")
    left = whole + part
    if left or not made:
        text = f"{left:f}"
        made.append(f"{text.rstrip('0').rstrip('.') if '.' in text else text} s")
    return ("-" if seconds < 0 else "") + " ".join(made)


def end_of(seconds: float, start: datetime) -> datetime | None:
    """``start`` plus ``seconds``; None beyond the year 9999."""
    try:
        return start + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        return None


def _unit(name: str, *, bare: bool) -> int:
    if not name:
        if bare:
            return 1
        raise DurationFault(f"A number has no unit: write {EXAMPLES}")
    if name in _NO_LENGTH:
        instead = "30 days" if name.startswith("mo") else "365 days"
        raise DurationFault(
            f"A {'month' if name.startswith('mo') else 'year'} has no fixed length: write {instead}"
        )
    if name not in _SECONDS:
        raise DurationFault(f"{name} is not a unit: use weeks, days, h, min or s")
    return _SECONDS[name]


def _why(rest: str) -> str:
    if re.match(r"[-−+].", rest):
        return "Put the sign before the whole, not inside it"
    word = (rest.split(maxsplit=1) or [rest])[0]
    shown = word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…"
    return f"{shown} is not a duration: write {EXAMPLES}"
