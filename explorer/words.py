"""Numbers, sizes and times as text, the same on every page and in every command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30.44, "day"), (12, "month"))


def count(number: int, one: str = "", many: str = "") -> str:
    """``1,200`` or, with a noun, ``1,200 rows`` and ``1 row``."""
    if not one:
        return f"{number:,}"
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """``Jobs``, ``Jobs, Files and Drives``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def a(noun: str) -> str:
    """The noun with its article: ``a token``, ``an internal host``. It goes by the first letter."""
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def size(octets: int) -> str:
    """An amount of data in decimal units: ``0.2 kB``, ``148 kB``, ``40.0 MB``; below 100 bytes ``42 bytes``."""
    if octets < 100:
        return count(octets, "byte")
    kilo = octets / 1000
    if kilo < 1000:
        return f"{kilo:.1f} kB" if kilo < 10 else f"{kilo:.0f} kB"
    mega = kilo / 1000
    return f"{mega:.1f} MB" if mega < 1000 else f"{mega / 1000:.1f} GB"


def duration(milliseconds: float) -> str:
    """A duration: ``128 ms``, ``2.4 s``, ``3 min 20 s``."""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def relative(at: datetime, now: datetime | None = None) -> str:
    """The distance of ``at`` (with time zone) from now: ``3 hours ago``, ``in 2 days``, ``now``."""
    away = (at - (now or datetime.now(UTC))).total_seconds()
    amount = abs(away)
    if amount < 1:
        return "now"
    unit = "year"
    for step, name in _STEPS:
        if amount < step:
            unit = name
            break
        amount /= step
    said = count(int(amount), unit)
    return f"in {said}" if away > 0 else f"{said} ago"


_MEDIA = {
    "application/json": "JSON",
    "application/msword": "Word document",
    "application/pdf": "PDF document",
    "application/rtf": "RTF document",
    "application/vnd.google-apps.document": "Google document",
    "application/vnd.google-apps.folder": "Google folder",
    "application/vnd.google-apps.presentation": "Google presentation",
    "application/vnd.google-apps.spreadsheet": "Google spreadsheet",
    "application/vnd.ms-excel": "Excel spreadsheet (xls)",
    "application/vnd.ms-powerpoint": "PowerPoint presentation (ppt)",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "PowerPoint presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "Excel spreadsheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word document (docx)",
    "application/xml": "XML",
    "application/zip": "ZIP archive",
    "text/csv": "CSV table",
    "text/html": "HTML page",
    "text/markdown": "Markdown text",
    "text/plain": "Plain text",
}
_MEDIA_FAMILIES = {"image": "image", "audio": "sound", "video": "video"}
_MEDIA_NAME = re.compile(r"[a-z0-9]{2,5}")


def media_type(received: str) -> str:
    """``PDF document`` for ``application/pdf``, ``PNG image`` for ``image/png``; any other type as received."""
    family, _, name = received.partition("/")
    if family in _MEDIA_FAMILIES and _MEDIA_NAME.fullmatch(name):
        return f"{name.upper()} {_MEDIA_FAMILIES[family]}"
    return _MEDIA.get(received, received)


def near_time(at: datetime, now: datetime | None = None) -> str:
    """``today 09:04``, ``yesterday 16:20``, else `day_and_time`: local. ``now``: with a zone, else the present time."""
    here, today = at.astimezone(), (now or datetime.now().astimezone()).astimezone().date()
    days = (today - here.date()).days
    return f"{('today', 'yesterday')[days]} {here:%H:%M}" if days in (0, 1) else day_and_time(at)


def day_and_time(at: datetime) -> str:
    """Local date and time: ``20 Nov 09:12``; with the year when it is not the present one."""
    here, now = at.astimezone(), datetime.now().astimezone()
    return f"{here:%d %b %H:%M}" if here.year == now.year else f"{here:%d %b %Y %H:%M}"
