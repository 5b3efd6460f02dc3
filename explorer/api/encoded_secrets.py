"""Finds known secrets in any encoding: percent codes, JSON escapes, HTML entities, base64, hex, across line breaks."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

SHORTEST = 4
"""Characters of the shortest secret that is searched for in text.

A shorter one would match ordinary text too often; it is masked only where it is a whole header value.
"""

_SLASH = r"(?:\\|%(?:25)*5[Cc])"
"""A backslash, plain or percent-encoded."""
_BREAK = rf"(?:(?:\r\n|\r|\n|{_SLASH}r{_SLASH}n|{_SLASH}r|{_SLASH}n)[ \t]*)?"
_BREAKS = re.compile(r"(?:\r|\n|\\r|\\n)[ \t]*")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"\\/]))")
_ROUNDS = 3
_CORE = 8


class EncodedSecrets:
    """Finds and masks known secrets in text, in every encoding that requests, answers and error messages use."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._plain = tuple(sorted({s for s in secrets if len(s) >= SHORTEST}, key=len, reverse=True))
        self._packed = tuple(dict.fromkeys(core for s in self._plain for core in _packed(s)))
        self._quick = tuple(dict.fromkeys(form for s in self._plain for form in _usual(s)))
        self._pattern: re.Pattern[str] | None = None
        self.longest = max((len(s) for s in self._plain), default=0) * 12
        """The most characters that one of the secrets takes in its longest encoding."""

    def present(self, text: str) -> bool:
        """Whether ``text`` contains one of the secrets, in any encoding."""
        return bool(self._plain) and any(self._inside(form) for form in _opened(text))

    def usual(self, data: bytes) -> bool:
        """Whether ``data`` contains a secret in an encoding that services use: a fast check of a whole body."""
        return any(form in data for form in self._quick)

    def mask(self, text: str, mask: str) -> str:
        """``text`` with ``mask`` in place of each secret; the same object when there is none."""
        if not self.present(text):
            return text
        if self._pattern is None:
            self._pattern = re.compile("|".join([*map(_spelled, self._plain), *map(_run, self._packed)]))
        masked = self._pattern.sub(mask, text)
        # An encoding that `present` can undo and the pattern cannot match: then all of the text is masked.
        return mask if self.present(masked) else masked

    def _inside(self, text: str) -> bool:
        return any(s in text for s in self._plain) or any(core in text for core in self._packed)


def _opened(text: str) -> Iterable[str]:
    """``text``, then the text after each decoding step; the steps are repeated in rounds, for nested encodings."""
    yield text
    form = text
    for _ in range(_ROUNDS):
        before = form
        for step in (_unbroken, _unescaped, _named, _unquoted):
            changed = step(form)
            if changed != form:
                form = changed
                yield form
        if form == before:
            return


def _unbroken(text: str) -> str:
    return _BREAKS.sub("", text) if any(sign in text for sign in ("\n", "\r", "\\n", "\\r")) else text


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], text) if "\\" in text else text


def _named(text: str) -> str:
    return html.unescape(text) if "&" in text else text


def _unquoted(text: str) -> str:
    return unquote(text) if "%" in text else text


def _spelled(secret: str) -> str:
    return _BREAK.join(_letter(c) for c in secret)


def _letter(c: str) -> str:
    """A pattern for one character in every encoding."""
    code = "".join(rf"%(?:25)*{_either(f'{byte:02X}')}" for byte in c.encode("utf-8", "surrogatepass"))
    units = c.encode("utf-16-be", "surrogatepass")
    unicode = "".join(rf"{_SLASH}u{_either(units[i : i + 2].hex().upper())}" for i in range(0, len(units), 2))
    entity = rf"&#(?:0*{ord(c)}|[xX]0*{_either(f'{ord(c):X}')});?"
    ways = [re.escape(c), code, unicode, entity]
    if c in '"\\/':
        ways += [_SLASH + re.escape(c), _SLASH + code]
    if c in "&<>\"'":
        ways.append(re.escape(html.escape(c)))
    return f"(?:{'|'.join(ways)})"


def _either(digits: str) -> str:
    return "".join(f"[{d}{d.lower()}]" if d.isalpha() else d for d in digits)


def _packed(secret: str) -> Iterable[str]:
    """The part of a secret's base64 that does not depend on its neighbours, at the three alignments; and its hex."""
    raw = secret.encode("utf-8", "surrogatepass")
    for before in range(3):
        text = base64.b64encode(b"\0" * before + raw).decode()
        core = text[(0, 2, 3)[before] : (before + len(raw)) * 8 // 6]
        if len(core) >= _CORE:
            yield core
            yield core.replace("+", "-").replace("/", "_")
    if len(raw) * 2 >= _CORE:
        yield raw.hex()
        yield raw.hex().upper()


def _usual(secret: str) -> Iterable[bytes]:
    """The usual encodings: plain, JSON with and without escaped slashes, percent codes, HTML, base64 and hex."""
    raw = secret.encode("utf-8", "surrogatepass")
    inside = json.dumps(secret)[1:-1].encode()
    yield from (raw, inside, inside.replace(b"/", b"\\/"))
    yield quote(secret, safe="", errors="surrogatepass").encode()
    yield html.escape(secret).encode("utf-8", "surrogatepass")
    for core in _packed(secret):
        yield core.encode()


def _run(core: str) -> str:
    letters = _BREAK.join(_letter(c) if c in "+/=" else re.escape(c) for c in core)
    return rf"{letters}=?=?"
