"""Encoded texts: finds what percent-encoding, HTML, base64, hex, escapes and line breaks hide from a plain search."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_RUN = re.compile(r"[A-Za-z0-9+/_-]{12,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){6,}")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\"\\/]))")
_BREAK = re.compile(r"(?:=?\r?\n|\\r|\\n)[ \t]*")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_NO_SIGNS = bytes(byte for byte in range(256) if not (32 <= byte < 127 or byte in (9, 10, 13)))
_DEEPEST = 3
_READABLE = 0.9


def decodings(text: str, depth: int = 0) -> Iterator[str]:
    """The texts that ``text`` becomes when one encoding after another is removed; not itself."""
    for step in _STEPS:
        form = step(text)
        if form and form != text:
            yield form
            if depth + 1 < _DEEPEST:
                yield from decodings(form, depth + 1)


def _percent(text: str) -> str:
    return unquote(text) if "%" in text else ""


def _named(text: str) -> str:
    return html.unescape(text) if "&" in text else ""


def _escaped(text: str) -> str:
    if "\\" not in text:
        return ""
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else m[3], text)


def _unbroken(text: str) -> str:
    return _BREAK.sub("", text) if "\n" in text or "\\n" in text or "\\r" in text else ""


def _seen(text: str) -> str:
    return "" if text.isascii() else _UNSEEN.sub("", text)


def _untagged(text: str) -> str:
    return _TAG.sub("", text) if "<" in text else ""


def _base64(text: str) -> str:
    return "\n".join(
        found for match in _RUN.finditer(text) for found in (readable_base64(match[0]),) if found
    )


def _hex(text: str) -> str:
    found = (_readable(bytes.fromhex(match[0])) for match in _HEX.finditer(text))
    return "\n".join(one for one in found if one is not None)


def readable_base64(run: str) -> str:
    """The content of a run of base64, starting at whichever of its first four characters decodes; empty without any."""
    plain = run.rstrip("=").replace("-", "+").replace("_", "/")
    for start in range(4):
        part = plain[start:]
        part = part[: len(part) - 1] if len(part) % 4 == 1 else part
        try:
            data = base64.b64decode(part + "=" * (-len(part) % 4))
        except (binascii.Error, ValueError):
            continue
        if (found := _readable(data)) is not None:
            return found
    return ""


def _readable(data: bytes) -> str | None:
    """Bytes as text if they look like text, else None."""
    if len(data) < 6:
        return None
    if data.count(0) * 3 > len(data):  # UTF-16, as some systems encode it
        data = data.replace(b"\0", b"")
    if len(data.translate(None, _NO_SIGNS)) < len(data) * _READABLE:
        return None
    return data.decode("utf-8", "replace")


_STEPS: tuple[Callable[[str], str], ...] = (
    _percent,
    _named,
    _escaped,
    _unbroken,
    _seen,
    _untagged,
    _base64,
    _hex,
)
