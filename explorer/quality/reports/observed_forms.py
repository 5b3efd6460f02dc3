"""Forms of values in words: what a cursor looks like, how a date is written, what a body calls itself."""

from __future__ import annotations

import base64
import binascii
import re

from explorer.api.exchange import Exchange

_DATES = (
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "ISO 8601 in seconds, with Z"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.,]\d+Z", "ISO 8601 with fractions of a second, with Z"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?[+-]\d\d:?\d\d", "ISO 8601 with an offset"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?", "ISO 8601 without a zone"),
    (r"\d{4}-\d\d-\d\d", "ISO 8601, date only"),
    (r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d([.,]\d+)?)?.*", "day and time with a space between"),
    (r"-?\d{13}", "milliseconds since 1970 as digits"),
    (r"-?\d{9,10}", "seconds since 1970 as digits"),
    (r"[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} .*", "as in e-mail headers"),
    (r"\d\d?[/.]\d\d?[/.]\d{2,4}.*", "day and month with dots or slashes"),
    (r"", "empty"),
)


def date_form(value: str | int | float) -> str:
    """In which form a date is written."""
    if not isinstance(value, str):
        return "a JSON number"
    return next((words for form, words in _DATES if re.fullmatch(form, value.strip())), "another text")


def cursor_form(cursor: str) -> str:
    """What a cursor looks like; it stays opaque all the same."""
    if re.fullmatch(r"\d+", cursor):
        return "digits"
    if re.fullmatch(r"[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}", cursor, re.IGNORECASE):
        return "a UUID"
    if re.match(r"https?://|/", cursor):
        return "an address or path"
    if cursor.lstrip()[:1] in ("{", "["):
        return "JSON"
    if re.fullmatch(r"(?:[0-9a-fA-F]{2}){8,}", cursor):
        return "hex digits"
    if re.fullmatch(r"[A-Za-z0-9+/_-]{8,}={0,2}", cursor):
        inside = _inside(cursor)
        if inside:
            return f"base64 that contains {'JSON' if inside.lstrip()[:1] in ('{', '[') else 'text'}"
        return "letters and digits"
    return "other text"


def media_type(exchange: Exchange) -> str:
    """The content type of an answer without parameters, in lower case; empty when it names none."""
    found = next((value for name, value in exchange.response_headers if name.lower() == "content-type"), "")
    return found.partition(";")[0].strip().lower()


def _inside(text: str) -> str:
    plain = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return ""
    good = sum(32 <= byte < 127 for byte in data)
    return data.decode("ascii", "replace") if data and good == len(data) else ""
