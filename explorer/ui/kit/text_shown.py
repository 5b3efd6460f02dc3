"""Bytes as text for a plain text field: bounded, laid out in lines that Qt can bear, nothing hidden in silence."""

from __future__ import annotations

import re

import msgspec

from explorer import words
from explorer.jsontext.escape import lenient_text
from explorer.jsontext.read import is_too_deep
from explorer.ui.kit.plain import visible

TEXT_BOUND = 512_000
"""Bytes that are shown; what is left out is said."""
LINE_BOUND = 2_000
"""Characters of a line: the cost of laying out text comes from its longest line. Longer ones are broken."""
_LONG = re.compile(rf"[^\n]{{{LINE_BOUND}}}(?=[^\n])")


def shown_as_text(data: bytes, *, as_json: bool = True, bound: int = TEXT_BOUND) -> str:
    """``data`` for reading, ``bound`` bytes of it. JSON is indented (its tokens stay), other text stays as it is.

    What holds a NUL or is mostly no text is not shown: its size and its first bytes are said.
    """
    if _binary(data):
        head = " ".join(f"{octet:02x}" for octet in data[:64])
        return f"{words.size(len(data))} that are not text. The first bytes:\n{head}"
    shown = data
    if as_json and len(data) <= bound and not is_too_deep(data):
        try:
            shown = msgspec.json.format(data, indent=2)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            shown = data
    text = lenient_text(shown[:bound])
    text = _LONG.sub(lambda m: m[0] + "\n", visible(text.replace("\r\n", "\n"), keep_lines=True))
    if len(shown) > bound:
        text += f"\n… {words.size(len(shown) - bound)} more of {words.size(len(shown))} are not shown here"
    return text


def _binary(data: bytes) -> bool:
    head = data[:4096]
    if b"\0" in head or head.startswith(b"%PDF"):
        return True
    strange = sum(1 for octet in head if octet < 9 or 13 < octet < 32)
    return strange * 10 > len(head) > 0
