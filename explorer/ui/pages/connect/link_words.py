"""What is said of a magic link without giving it away: when it was made, when it ends, what it opens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from explorer.api.durations import duration_text
from explorer.api.links import Link
from explorer.ui.forms.duration_editor import moment_text
from explorer.ui.kit.rows_table import Tone
from explorer.words import count

_SOON = timedelta(days=1)
_DAY = 86_400


def made_words(at: datetime, now: datetime) -> str:
    """``12:04`` today, ``Yesterday``, ``1 Oct``, and with its year ``1 Oct 2025``."""
    here, today = at.astimezone(), now.astimezone()
    if here.date() == today.date():
        return f"{here:%H:%M}"
    if here.date() == today.date() - timedelta(days=1):
        return "Yesterday"
    day = moment_text(at).partition(",")[0]
    return day.rpartition(" ")[0] if here.year == today.year else day


def end_words(ends: datetime | None, now: datetime) -> tuple[str, Tone]:
    """``in 30 days``, within a day ``in 2 h`` as a caution, ``Expired``, or that it is not known."""
    if ends is None:
        return "not known", "quiet"
    left = ends - now
    if left <= timedelta(0):
        return "Expired", "fails"
    seconds = left.total_seconds()
    if left >= _SOON:
        days = round(seconds / _DAY)
        return f"in {count(days, 'day')}", "text"
    if seconds >= 3600:
        return f"in {round(seconds / 3600)} h", "caution"
    return (f"in {round(seconds / 60)} min" if seconds >= 60 else f"in {max(int(seconds), 1)} s"), "caution"


def valid_words(link: Link, now: datetime) -> str:
    """``Valid for 29 days 23 h 59 min``, ``Ended 5 min ago``, or why that cannot be said."""
    if link.ends is None:
        return link.why_no_end
    seconds = (link.ends - now).total_seconds()
    whole = _spoken(abs(seconds))
    return f"Valid for {whole}" if seconds > 0 else f"Ended {whole} ago"


def _spoken(seconds: float) -> str:
    """To the minute; under one minute to the second."""
    return duration_text(int(seconds) // 60 * 60 if seconds >= 60 else int(seconds))


def end_line(link: Link) -> str:
    """When it ends, and that nobody has verified it."""
    if link.ends is None:
        return "Only the service knows when it ends."
    return f"Ends {moment_text(link.ends)}, by the link's own token, which was read and not verified."


def opens_words(body: Mapping[str, Any]) -> str:
    """What the link opens, from the body that asked for it: ``opens add-deeplink for greenhouse, hubspot``."""
    view = body.get("view")
    said = f"opens {view}" if view else "opens the service's own view"
    for name, words in (("connectorNames", "for"), ("integrationIds", "for integrations")):
        if body.get(name):
            said += f" {words} {', '.join(str(body[name]).split(','))}"
    return said + (f" on {body['connectionId']}" if body.get("connectionId") else "")


def addressee(body: Mapping[str, Any]) -> str:
    """Who the link is for: the name that the user is called by, else the customer's id."""
    name = str(body.get("displayName") or body.get("customerId") or "").strip()
    return name or "this customer"
