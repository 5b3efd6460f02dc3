"""Redaction: masks known secrets in any encoding, and what looks like one, in all that is shown, logged or exported.

JSON is redacted token by token, not as formatted text: only the tokens of secret values change, and every other byte of
a logged body is as received.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote, unquote

from explorer.api.sensitive import MASK, is_sensitive, is_signed_text, may_hide, without_secrets
from explorer.jsontext.escape import text_of
from explorer.jsontext.scan import TEXT, TOKEN

__all__ = ["MASK", "Redactor"]

_HINT = re.compile(r"eyJ|[=:%]|earer|asic|BEARER|BASIC|PRIVATE")
_CODED = re.compile(r"[\\%&\r\n]")
"""What stands in every text that has something encoded, as `_opened` decodes it."""
_TELLING = re.compile(f"{_HINT.pattern}|{_CODED.pattern}")
_STRICT = re.compile(rf"(?:[\s{{}}\[\],:0-9eE+.-]++|true|false|null|{TEXT.pattern})*+", re.DOTALL)
"""JSON text without a word that JSON does not have."""
_NAME = re.compile(
    r'(?:[^"]++|"(?:[^"\\]++|\\.)*+"(?!\s*+:))*+(?:"((?:[^"\\]++|\\.)*+)"\s*+:|.*+)', re.DOTALL
)
"""The next name of a member, with all that stands before it; behind the last one all the rest, or each place in a long
value would be a beginning.
"""
_MOMENT = re.compile(r'"\d{4}-\d\d-\d\d[T ][\d:.Z+-]*"', re.ASCII)
"""A time: half of the texts with a colon are one, and none of them hides anything."""
_BEHIND_VALUE = re.compile(r"\s*+[,\]}]")
_MASKED = f'"{MASK}"'
_LITERALS = frozenset({"null", "true", "false"})
_OF_JSON = frozenset('"{}[],:-0123456789')
"""What a token of JSON that is none of the literals begins with."""
_DEEPEST = 150
_HALF = re.compile("[\ud800-\udc7f\udd00-\udfff]")
"""Lone surrogates, except for those by which ``surrogateescape`` represents bytes that are not UTF-8."""
_NESTED = 3
_HEADERS_KEPT = 200
_NOTHING: frozenset[str] = frozenset()


class Redactor:
    """Masks secrets: the values that are known to be secret, and what its name or form shows to be one."""

    def __init__(self, secrets: Iterable[str], names: Iterable[str] = ()) -> None:
        """``secrets``: the known values. ``names``: in lower case, those under which the interface sends secrets
        (`Interface.secret_names`); what stands under one, as a header, parameter or JSON key, is hidden as well.
        """
        self._all = tuple(s for s in secrets if s)
        # Nearly every such name is sensitive by itself, and then nothing more has to be looked for.
        self._names = tuple(name for name in names if not is_sensitive(name))
        self._named = re.compile(
            rf"([?&;](?:{'|'.join(map(re.escape, self._names))})=)[^&;#\s]+", re.IGNORECASE
        )
        self._known = EncodedSecrets(self._all)
        self._headers: dict[tuple[str, str], tuple[str, str]] = {}

    @property
    def margin(self) -> int:
        """Characters to redact beyond the place where a text is cut, so that no secret is cut in two and missed."""
        return self._known.longest

    def text(self, text: str) -> str:
        """``text`` without secrets; a JSON text is redacted value by value."""
        return self._text(text, _NOTHING, 0)

    def data(self, data: bytes, hide: frozenset[str] = _NOTHING) -> bytes:
        """A body without secrets: JSON (complete or cut off) value by value, other bytes by pattern.

        ``hide``: further JSON keys whose values are secret in this body. Without secrets the same object is returned.
        """
        if not data:
            return data
        text = data.decode("utf-8", "surrogateescape")
        clean = self._text(text, hide, 0)
        data = data if clean is text else _bytes_of(clean)
        if b"\0" in data:
            for secret in self._all:
                for form in ("utf-16-le", "utf-16-be"):
                    data = data.replace(secret.encode(form, "surrogatepass"), MASK.encode(form))
        return data

    def holds(self, data: bytes) -> bool:
        """Whether ``data`` contains a known secret in a usual encoding; takes 20 µs for 140 kB."""
        return self._known.usual(data)

    def own(self, data: bytes) -> bytes:
        """``data`` without the known secrets; what only looks like a secret stays. Without any, the same object."""
        if not self._known.usual(data):
            return data
        text = data.decode("utf-8", "surrogateescape")
        return self._known.mask(text, MASK).encode("utf-8", "surrogateescape")

    def json(self, value: Any, hide: frozenset[str] = _NOTHING) -> Any:
        """A parsed JSON value without secrets; equal to ``value`` when it has none. ``hide``: as in `data`."""
        return self._value(value, hide, hidden=False, depth=0)

    def headers(self, pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Headers without secrets. An ``Authorization`` header keeps its scheme."""
        return tuple(map(self._pair, pairs))

    def _pair(self, pair: tuple[str, str]) -> tuple[str, str]:
        """One header. Most are the same in the next call, so results are cached (saves 0.2 ms a call, measured)."""
        found = self._headers.get(pair)
        if found is None:
            if len(self._headers) >= _HEADERS_KEPT:
                self._headers.clear()
            name, value = pair
            found = self._headers[pair] = self.text(name), self._header(name, value)
        return found

    def url(self, url: str) -> str:
        """An address without user names, passwords and secret parameters."""
        # Known secrets first: a pattern may match only part of one, and the rest would no longer be recognised.
        masked = without_secrets(self._known.mask(url, MASK))
        return self._named.sub(rf"\1{MASK}", masked) if self._names else masked

    def _header(self, name: str, value: str) -> str:
        if any(value == secret for secret in self._all):
            return MASK
        if not self._is_secret(name):
            return self.text(value)
        scheme, space, _ = value.partition(" ")
        known = space and "authorization" in name.lower() and scheme.lower() in ("bearer", "basic", "digest")
        return f"{scheme} {MASK}" if known else MASK

    def _is_secret(self, name: str) -> bool:
        """Whether a value under this name, of a header or a JSON key, is hidden whatever it is."""
        return is_sensitive(name) or name.lower() in self._names

    def _text(self, text: str, hide: frozenset[str], nested: int) -> str:
        known = self._known.present(text)
        named = bool(self._names) and any(name in text.lower() for name in self._names)
        if not known and not hide and not named and not may_hide(text):
            return text
        start = text.lstrip("\ufeff \t\r\n")[:1]
        structured = (start in ("{", "[") or (start == '"' and nested == 0)) and nested < _NESTED
        if structured:
            clean = None if known else self._values(text, hide, nested)
            if clean is None:
                clean = self._spans(text, hide, nested, known=known)
            return self._known.mask(clean, MASK) if known else clean
        return without_secrets(self._known.mask(text, MASK) if known else text)

    def _string(self, text: str, hide: frozenset[str], nested: int) -> str:
        if len(text) < 3 or not (_HINT.search(text) or self._known.present(text)):
            return text
        return self._text(text, hide, nested + 1)

    def _values(self, text: str, hide: frozenset[str], nested: int) -> str | None:
        """`_spans` of a text without known secrets in which no name hides a value, as of most pages; else None.

        Only quoted texts are looked at, and of them only those in which something may be: four times as fast.
        """
        if not _STRICT.fullmatch(text) or any(
            name in hide or self._is_secret(name) for name in set(_NAME.findall(text))
        ):
            return None
        out: list[str] = []
        last = 0
        for match in TEXT.finditer(text):
            token = match[0]
            if not _TELLING.search(token) or _MOMENT.fullmatch(token):
                continue
            if not _BEHIND_VALUE.match(text, match.end()):
                return None  # a name that may be encoded, or the text is cut off
            new = self._scalar(token, False, hide, nested)
            if new is not token:
                out += (text[last : match.start()], new)
                last = match.end()
        return "".join((*out, text[last:])) if out else text

    def _spans(self, text: str, hide: frozenset[str], nested: int, *, known: bool) -> str:
        """JSON text, complete or cut off anywhere, with the tokens of secret values replaced.

        ``known``: whether a known secret is in it. Where none is, a token in which nothing is encoded has none either,
        and most tokens of a page are such: looking into each takes three times as long as all else here.
        """
        out: list[str] = []
        last = 0
        # For each open container: whether it is an object, and whether everything in it is hidden.
        stack: list[tuple[bool, bool]] = []
        key_next = hidden = loose = False
        below = ""  # the name that alone hides the value behind it
        for match in TOKEN.finditer(text):
            token = match[0]
            first = token[0]
            # A word that JSON does not have: "[500 Internal Server Error] GET https://…" only begins like it.
            loose = loose or (first not in _OF_JSON and token not in _LITERALS)
            if first in "{[":
                stack.append((first == "{", hidden))
                key_next = first == "{"
                continue
            if first in "}]":
                hidden = stack.pop()[1] if stack else False
                key_next = False
                continue
            if first == ",":
                key_next, hidden = stack[-1] if stack else (False, False)
                continue
            if first == ":":
                key_next = False
                continue
            if key_next:
                name = text_of(token) if first == '"' else token
                outer = stack[-1][1] or name in hide
                hidden = outer or self._is_secret(name)
                below = "" if outer else name
                plain = not known and not _CODED.search(token)
                new = token if plain or not self._known.present(name) else _MASKED
            else:
                if not (known or hidden or _TELLING.search(token)):
                    continue
                text_below = hidden and below and first == '"' and is_signed_text(below, text_of(token))
                new = self._scalar(token, hidden and not text_below, hide, nested)
            if new is not token:
                out += (text[last : match.start()], new)
                last = match.end()
        made = "".join((*out, text[last:])) if out else text
        return without_secrets(made) if loose else made

    def _scalar(self, token: str, hidden: bool, hide: frozenset[str], nested: int) -> str:
        if token[0] != '"':
            if token in _LITERALS or not (hidden or self._known.present(token)):
                return token
            return _MASKED
        if hidden:
            return _MASKED if len(token) > 2 else token
        value = text_of(token)
        clean = self._string(value, hide, nested)
        return token if clean == value else json.dumps(clean, ensure_ascii=False)

    def _value(self, value: Any, hide: frozenset[str], *, hidden: bool, depth: int) -> Any:
        if value is None or isinstance(value, bool):
            return value
        if depth > _DEEPEST:
            return MASK
        if isinstance(value, str):
            return (MASK if hidden else self._string(value, hide, 0)) if value else value
        if isinstance(value, dict):
            kept = {}
            for key, inner in value.items():
                name = MASK if self._known.present(str(key)) else key
                secret = hidden or key in hide or self._is_secret(str(key))
                if secret and isinstance(inner, str) and is_signed_text(str(key), inner):
                    secret = hidden or key in hide
                kept[name] = self._value(inner, hide, hidden=secret, depth=depth + 1)
            return kept
        if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
            return [self._value(inner, hide, hidden=hidden, depth=depth + 1) for inner in value]
        return MASK if hidden or self._known.present(str(value)) else value


def _bytes_of(text: str) -> bytes:
    """``text`` as bytes: surrogateescape characters as the bytes they were, lone surrogates as JSON escapes."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text).encode("utf-8", "surrogateescape")


SHORTEST = 4
"""Characters of the shortest secret that is searched for in text.

A shorter one would match ordinary text too often; it is masked only where it is a whole header value.
"""

_SLASH = r"(?:\\|%(?:25)*5[Cc])"
"""A backslash, plain or percent-encoded."""
_BREAK = rf"(?:(?:\r\n|\r|\n|{_SLASH}r{_SLASH}n|{_SLASH}r|{_SLASH}n)[ \t]*)?"
_BREAKS = re.compile(r"(?:\r|\n|\\r|\\n)[ \t]*")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"\\/]))")
_PERCENT = re.compile(r"%[0-9a-fA-F]{2}")
_ROUNDS = 3
_CORE = 8


class EncodedSecrets:
    """Finds and masks known secrets in text, in every encoding that requests, answers and error messages use."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._plain = tuple(sorted({s for s in secrets if len(s) >= SHORTEST}, key=len, reverse=True))
        self._packed = tuple(dict.fromkeys(core for s in self._plain for core in _packed(s)))
        self._forms = (*self._plain, *self._packed)
        self._quick = tuple(dict.fromkeys(form for s in self._plain for form in _usual(s)))
        self._pattern: re.Pattern[str] | None = None
        self.longest = max((len(s) for s in self._plain), default=0) * 12
        """The most characters that one of the secrets takes in its longest encoding."""

    def present(self, text: str) -> bool:
        """Whether ``text`` contains one of the secrets, in any encoding."""
        if not self._plain:
            return False
        return any(map(self._inside, _opened(text))) if _CODED.search(text) else self._inside(text)

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
        return any(map(text.__contains__, self._forms))


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
    return unquote(text) if _PERCENT.search(text) else text


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
