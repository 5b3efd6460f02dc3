"""Splits a whole JSON text into the members of its object or array, or raises.

A value may be invalid JSON inside: it is taken as received. But quotes and brackets must match to the last byte,
because otherwise it is unknown where a value ends. `members` does the same for display and never raises.
"""

from __future__ import annotations

import re
from typing import Literal

from explorer.jsontext.escape import lenient_text, read_text
from explorer.jsontext.members import Member
from explorer.jsontext.scan import TOKEN_BYTES, is_closed

_SCALAR = re.compile(rb"[A-Za-z0-9+.-]+")
_CLOSING = {b"{": b"}", b"[": b"]"}
_OPENING = {b"}": b"{", b"]": b"["}


class Unsliceable(ValueError):
    """The bytes cannot be split: they are not JSON, not even loosely."""


def cut(data: bytes, opening: Literal[b"{", b"["]) -> list[Member]:
    """The members of the object (``opening`` ``{``) or array (``[``) in ``data``, in order. Raises Unsliceable.

    A name that occurs twice is in the list twice. A comma before the closing bracket is ignored.
    """
    tokens = _Tokens(data)
    closing = _CLOSING[opening]
    tokens.take(opening)
    found: list[Member] = []
    while not tokens.at(closing):
        key, key_start = "", -1
        if opening == b"{":
            key, key_start = tokens.key()
            tokens.take(b":")
        start, end = tokens.value()
        found.append(Member(key, start if key_start < 0 else key_start, start, end))
        if not tokens.at(closing):
            tokens.take(b",")
    tokens.take(closing)
    tokens.end()
    return found


def object_members(record: bytes) -> dict[str, bytes]:
    """The members of an object by name, each value as its bytes, however deep or invalid inside.

    Of equal names the last one counts. Raises Unsliceable.
    """
    return {one.key: record[one.start : one.end] for one in cut(record, b"{")}


class _Tokens:
    """Reads the tokens of a text one after another. Each method raises Unsliceable where they do not match."""

    def __init__(self, data: bytes) -> None:
        self._all = TOKEN_BYTES.finditer(data)
        self._next: re.Match[bytes] | None = next(self._all, None)
        self._last: re.Match[bytes] | None = None

    def at(self, token: bytes) -> bool:
        return self._next is not None and self._next[0] == token

    def take(self, token: bytes) -> None:
        if not self.at(token):
            raise Unsliceable(f"{token.decode()} is missing")
        self._step()

    def end(self) -> None:
        if self._next is not None:
            raise Unsliceable("there is text after the end")

    def key(self) -> tuple[str, int]:
        """A member's name, unescaped, and where it starts."""
        match = self._step()
        if not _is_text(match):
            raise Unsliceable("a key is not text")
        return read_text(match[0], 0, len(match[0])), match.start()

    def value(self) -> tuple[int, int]:
        """The start and end of the next value."""
        first = match = self._step()
        if first[0] not in _CLOSING:
            if _is_text(first) or _SCALAR.fullmatch(first[0]):
                return first.span()
            raise Unsliceable("a value is not JSON")
        open_ = [first[0]]
        while open_:
            match = self._step()
            token = match[0]
            if token in _CLOSING:
                open_.append(token)
            elif token in _OPENING and open_.pop() != _OPENING[token]:
                raise Unsliceable("brackets do not match")
        return first.start(), match.end()

    def _step(self) -> re.Match[bytes]:
        match = self._next
        if match is None:
            cut_off = self._last is not None and self._last[0][:1] == b'"' and not _is_text(self._last)
            raise Unsliceable("a text is not closed" if cut_off else "the body stops in the middle")
        self._last, self._next = match, next(self._all, None)
        return match


def _is_text(match: re.Match[bytes]) -> bool:
    """Whether it is a quoted text with its closing quote. Only the last token of a text can lack it."""
    token = match[0]
    return token[:1] == b'"' and (match.end() < len(match.string) or is_closed(lenient_text(token)))
