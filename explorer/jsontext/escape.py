"""Unescapes quoted JSON texts, and escapes characters.

None of these functions raises. They differ for texts with invalid escapes: `read_text`, for display, keeps the
backslashes; `text_of`, for redaction, drops them, so that no secret is hidden by one; `unescaped`, for searching,
resolves the escapes of a whole record, with its quotes and punctuation.
"""

from __future__ import annotations

import json
import re

from explorer.jsontext.quick import TEXT, refusals
from explorer.jsontext.scan import is_closed

_TOLERANT = json.JSONDecoder(strict=False)

ESCAPED_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
"""The beginning of the escape of a surrogate, which may or may not be part of a pair."""
_HIGH_HALF = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}")
_ESCAPE = re.compile(
    rb"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\"\\/bfnrt])"
)
_SHORT = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def lenient_text(octets: bytes) -> str:
    """Bytes as text: UTF-8, with other bytes as surrogateescape characters."""
    return octets.decode("utf-8", "surrogateescape")


def read_text(data: bytes, start: int, end: int) -> str:
    """The text of the quoted token ``data[start:end]``, unescaped.

    Lone surrogates stay, bytes that are not UTF-8 become surrogateescape characters. A token with invalid escapes is
    returned as written.
    """
    token = data[start:end]
    if b"\\" not in token:
        return lenient_text(token[1:-1] if token.endswith(b'"') and len(token) > 1 else token[1:])
    try:
        return TEXT.decode(token)
    except refusals():
        pass
    text = lenient_text(token)
    try:
        return str(_TOLERANT.raw_decode(text)[0])
    except ValueError:
        return text.strip('"')


def read_excerpt(data: bytes, start: int, end: int, bound: int) -> tuple[str, bool]:
    """The first ``bound`` bytes of a quoted text, unescaped, and whether that is the whole text."""
    if end - start <= bound + 2:
        return read_text(data, start, end), True
    cut = start + bound
    while data[cut] & 0xC0 == 0x80:  # not inside a character
        cut -= 1
    cut = _before_escape(data, start + 1, cut)
    high = _HIGH_HALF.match(data, cut - 6, cut)
    if high and _before_escape(data, start + 1, cut - 5) == cut - 6:  # its other half is cut off
        cut -= 6
    return read_text(data[start:cut] + b'"', 0, cut - start + 1), False


def _before_escape(data: bytes, start: int, cut: int) -> int:
    """``cut``, or the start of the escape that a cut there would split (or may split)."""
    last = data.rfind(b"\\", max(start, cut - 6), cut)
    if last < 0:
        return cut
    first = last
    while first > start and data[first - 1] == 0x5C:
        first -= 1
    return last if (last - first) % 2 == 0 else cut  # an even run is whole pairs


def text_of(token: str) -> str:
    """The text of a quoted token, also of one that is cut off; backslashes of invalid escapes are dropped."""
    if "\\" not in token:
        return token[1:-1] if token.endswith('"') and len(token) > 1 else token[1:]
    inner = token[1:-1] if is_closed(token) else token[1:]
    try:
        return str(_TOLERANT.decode(f'"{inner}"'))
    except ValueError:
        return inner.replace("\\", "")


def unescaped(record: bytes) -> str:
    """A record's text with its escapes resolved; bytes that are not UTF-8 become surrogateescape characters."""
    if b"\\" in record:
        record = _ESCAPE.sub(_character, record)
    try:
        return record.decode()
    except UnicodeDecodeError:
        pass
    try:
        return record.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return record.decode("utf-8", "surrogateescape")


def _character(match: re.Match[bytes]) -> bytes:
    escape = match.group()[1:]
    if escape[:1] != b"u":
        return _SHORT.get(escape, escape)
    number = int(escape[1:5], 16)
    if len(escape) > 5:
        number = 0x10000 + ((number - 0xD800) << 10) + int(escape[7:], 16) - 0xDC00
    return chr(number).encode("utf-8", "surrogatepass")


def escaped(character: str) -> str:
    """One character as its JSON escape; outside the basic plane two escapes, one for each surrogate."""
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
