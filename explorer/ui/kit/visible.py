"""Text with what cannot be seen in it made visible. Nothing of Qt: the first rows of a start are read with it."""

from __future__ import annotations

import re
import unicodedata

from explorer.jsontext.members import value_text

_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_UNSEEN = frozenset("\u00ad\u200b\u2060\ufeff\u2028\u2029")
_HALF = re.compile("[\ud800-\udfff]")
COPY_BOUND = 16_000_000
"""Bytes of a value that go to the clipboard; a larger one is saved to a file instead."""


def visible(text: str, *, keep_lines: bool = False) -> str:
    """``text`` with control, direction-changing and unseen characters drawn: ``␊`` for a line break, ``‹U+202E›``.

    ``keep_lines`` leaves line breaks and tabs alone, for places that show several lines. Lone surrogates become
    their number, as nothing can draw or encode them.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_seen(c, keep_lines) for c in text)


def _seen(char: str, keep_lines: bool) -> str:
    code = ord(char)
    if keep_lines and char in "\n\t":
        return char
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if char in _DIRECTION or char in _UNSEEN or unicodedata.category(char) in ("Cc", "Cs"):
        return f"‹U+{code:04X}›"
    return char


def shown_text(raw: bytes) -> str:
    """A JSON value as `value_text` says it, made `encodable`."""
    return encodable(value_text(raw))


def encodable(text: str) -> str:
    """``text`` with visible signs for half surrogates and stray bytes, which neither Qt nor a file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _HALF.sub(lambda found: visible(found[0]), text)
    return text
