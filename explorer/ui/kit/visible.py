"""Makes the invisible characters of a text visible. It imports nothing of Qt, as the first rows of a start need it."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Generator

from explorer.jsontext.members import value_text

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)
"""What cannot be seen, turns the direction of writing, or is half a character."""
_HALF = re.compile("[\ud800-\udfff]")
_SHORT = 300
_PIECE = 100_000
"""Bytes or characters that are made ready for the clipboard in one turn: 10 ms where every tenth of them is odd."""
COPY_BOUND = 16_000_000
"""Bytes of a value that go to the clipboard; a larger one is saved to a file instead."""


def visible(text: str, *, keep_lines: bool = False) -> str:
    """``text`` with control, direction-changing and unseen characters drawn: ``␊`` for a line break, ``‹U+202E›``.

    ``keep_lines`` leaves line breaks and tabs alone, for places that show several lines. Lone surrogates become
    their number, as nothing can draw or encode them.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub(_kept if keep_lines else _seen, text)


def _kept(found: re.Match[str]) -> str:
    return found[0] if found[0] in "\n\t" else _seen(found)


def _seen(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else f"‹U+{code:04X}›"


def shortened(text: str, most: int = _SHORT) -> str:
    """The beginning of a long name, on one line, whatever a service gives."""
    return text if len(text) <= most else text[:most] + "…"


def encodable_octets(raw: bytes) -> Generator[None, None, bytes]:
    """The bytes of ``encodable(lenient_text(raw))``, with a breath after each piece.

    That is ``raw`` itself where it is UTF-8: nothing is made of it.
    """
    decoder, changed = getincrementaldecoder("utf-8")("surrogateescape"), False
    made: list[bytes] = []
    for start in range(0, len(raw), _PIECE):
        if start:
            yield
        piece = decoder.decode(raw[start : start + _PIECE], final=start + _PIECE >= len(raw))
        text = encodable(piece)
        changed = changed or text is not piece
        made.append(text.encode())
    return b"".join(made) if changed else raw


def shown_octets(raw: bytes) -> Generator[None, None, bytes]:
    """The bytes of `shown_text`, with a breath after each piece."""
    text = value_text(raw)
    made: list[bytes] = []
    for start in range(0, len(text), _PIECE):
        if start:
            yield
        made.append(encodable(text[start : start + _PIECE]).encode())
    return b"".join(made)


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
