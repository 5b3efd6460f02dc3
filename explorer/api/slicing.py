"""Cutting a list's body into its records without changing a byte, whatever JSON rules the service breaks inside.

msgspec slices strict JSON in well under a millisecond a page; what it refuses (NaN, lone surrogates, control
characters, a byte order mark, deep nesting) goes through a scanner that looks at quotes and brackets only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from explorer.catalog.spec import Envelope

_RAW = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIST = msgspec.json.Decoder(list[msgspec.Raw])
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]+|"', re.DOTALL)
_BLANKS = b" \t\r\n"
_SCALAR = re.compile(rb"[A-Za-z0-9+.-]+")
_BOM = b"\xef\xbb\xbf"
_CLOSE = {b"}": b"{", b"]": b"["}


class Unsliceable(ValueError):
    """The bytes are no JSON, not even loosely."""


@dataclass(frozen=True, slots=True)
class Sliced:
    """A list's body, cut."""

    records: tuple[bytes, ...] | None
    """Each row's own bytes; None when the rows are missing or no array."""
    cursor: bytes | None
    """The JSON of the next cursor, or None when its key is absent."""
    flag: bytes | None
    """The JSON of the flag, or None when its key is absent."""
    elsewhere: tuple[str, bytes] | None
    """A cursor under the key of another envelope, where the envelope's own key is absent."""
    bare: bool
    """The body is an array without any envelope."""
    notes: tuple[str, ...]


def slice_list(body: bytes, envelope: Envelope) -> Sliced:
    """Cut ``body`` as ``envelope`` says. A key that stands twice: the rows of both are kept, else the last counts.

    Raises Unsliceable.
    """
    notes: list[str] = []
    text = body
    if text.startswith(_BOM):
        text = text[len(_BOM) :]
        notes.append("The body begins with a byte order mark.")
    if text.lstrip(_BLANKS)[:1] == b"[":
        notes.append("The rows come as a bare array, without the envelope.")
        return Sliced(_elements(text, notes), None, None, None, bare=True, notes=tuple(notes))
    members = _members(text, envelope, notes)
    rows: list[bytes] = []
    found = False
    for value in members.get(envelope.items, ()):
        if value[:1] == b"[":
            found = True
            rows.extend(_elements(value, notes))
    for key in filter(None, (envelope.items, envelope.cursor, envelope.flag)):
        if len(members.get(key, ())) > 1:
            both = "the rows of all are kept" if key == envelope.items else "the last one counts"
            notes.append(f"The key {key} stands {len(members[key])} times; {both}.")
    return Sliced(
        tuple(rows) if found else None,
        _last(members, envelope.cursor),
        _last(members, envelope.flag) if envelope.flag else None,
        _elsewhere(members, envelope),
        bare=False,
        notes=tuple(dict.fromkeys(notes)),
    )


def _last(members: dict[str, list[bytes]], key: str) -> bytes | None:
    values = members.get(key)
    return values[-1] if values else None


def _elsewhere(members: dict[str, list[bytes]], envelope: Envelope) -> tuple[str, bytes] | None:
    if envelope.cursor in members:
        return None
    return next(((key, members[key][-1]) for key in envelope.elsewhere if key in members), None)


def _members(text: bytes, envelope: Envelope, notes: list[str]) -> dict[str, list[bytes]]:
    """Each key of the outermost object with the bytes of its values, in order."""
    try:
        strict = _RAW.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        _loose(notes)
        return _loose_members(text)
    rows = bytes(strict.get(envelope.items, b""))
    # A decoder keeps the last of two equal keys. What is left beside the rows is short, so a second key is seen there.
    rest = _without(text, rows) if rows else text
    keys = filter(None, (envelope.items, envelope.cursor, envelope.flag))
    if b"\\" in rest or any(rest.count(b'"' + key.encode() + b'"') > 1 for key in keys):
        return _loose_members(text)
    return {key: [bytes(value)] for key, value in strict.items()}


def _without(text: bytes, part: bytes) -> bytes:
    """``text`` without the first ``part`` in it. bytes.replace would prepare a search for all of a long part."""
    head = part[:64]
    at = text.find(head)
    while not text.startswith(part, at):
        at = text.find(head, at + 1)
    return text[:at] + text[at + len(part) :]


def _elements(text: bytes, notes: list[str]) -> tuple[bytes, ...]:
    try:
        return tuple(map(bytes, _LIST.decode(text)))
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        _loose(notes)
    tokens = _Tokens(text)
    tokens.take(b"[")
    return tuple(tokens.values(b"]", last=True))


def _loose(notes: list[str]) -> None:
    notes.append("The page is no strict JSON; its rows are kept as received.")


def _loose_members(text: bytes) -> dict[str, list[bytes]]:
    tokens = _Tokens(text)
    tokens.take(b"{")
    found: dict[str, list[bytes]] = {}
    while not tokens.at(b"}"):
        key = tokens.key()
        tokens.take(b":")
        found.setdefault(key, []).append(tokens.value())
        if not tokens.at(b"}"):
            tokens.take(b",")
    tokens.take(b"}")
    tokens.end()
    return found


def object_members(record: bytes) -> dict[str, bytes]:
    """The members of an object, each value in its own bytes, the last of a name; however deep, and whatever JSON rules
    are broken within. Raises Unsliceable.
    """
    return {key: values[-1] for key, values in _loose_members(record).items()}


class _Tokens:
    """A reader over the tokens of a body: quotes, brackets and what lies between."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._all = _TOKEN.finditer(text)
        self._next: re.Match[bytes] | None = next(self._all, None)

    def at(self, token: bytes) -> bool:
        return self._next is not None and self._next[0] == token

    def take(self, token: bytes) -> None:
        if not self.at(token):
            raise Unsliceable(f"{token.decode()} is missing")
        self._next = next(self._all, None)

    def end(self) -> None:
        if self._next is not None:
            raise Unsliceable("something follows the end")

    def key(self) -> str:
        token = self._step()[0]
        if token[:1] != b'"' or len(token) < 2:
            raise Unsliceable("a key is no text")
        try:
            return str(json.loads(token.decode("utf-8", "surrogateescape"), strict=False))
        except ValueError:
            return token[1:-1].decode("utf-8", "surrogateescape")

    def values(self, closing: bytes, *, last: bool) -> Iterator[bytes]:
        """The values up to ``closing``, which is taken too."""
        while not self.at(closing):
            yield self.value()
            if not self.at(closing):
                self.take(b",")
        self.take(closing)
        if last:
            self.end()

    def value(self) -> bytes:
        """The bytes of one whole value."""
        first = self._step()
        token = first[0]
        if token not in (b"{", b"["):
            if (token[:1] == b'"' and len(token) > 1) or _SCALAR.fullmatch(token):
                return token
            raise Unsliceable("a value is no JSON")
        open_: list[bytes] = [token]
        last = first.end()
        while open_:
            match = self._step()
            token = match[0]
            if token in (b"{", b"["):
                open_.append(token)
            elif token in _CLOSE:
                if open_.pop() != _CLOSE[token]:
                    raise Unsliceable("brackets do not match")
            elif token == b'"':
                raise Unsliceable("a text does not end")
            last = match.end()
        return self._text[first.start() : last]

    def _step(self) -> re.Match[bytes]:
        match = self._next
        if match is None:
            raise Unsliceable("the body stops in the middle")
        self._next = next(self._all, None)
        return match
