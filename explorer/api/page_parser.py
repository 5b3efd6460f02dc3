"""Splits a list's body into its records without changing a byte, even where the body is not valid JSON.

msgspec splits strict JSON in well under a millisecond a page. What it rejects (NaN, lone surrogates, control
characters, a byte order mark, deep nesting) is split by its quotes and brackets alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from explorer.catalog.spec import Envelope
from explorer.jsontext.cut import Unsliceable, cut
from explorer.jsontext.strict import ARRAY, OBJECT, REFUSED

__all__ = ["Sliced", "Unsliceable", "slice_list"]

_BLANKS = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Sliced:
    """A list's body, split into its parts."""

    records: tuple[bytes, ...] | None
    """The bytes of each row; None when the rows are missing or not an array."""
    cursor: bytes | None
    """The next cursor as JSON; None when its key is absent."""
    flag: bytes | None
    """The flag as JSON; None when its key is absent."""
    elsewhere: tuple[str, bytes] | None
    """Key and JSON of a cursor under the key of another envelope, where the envelope's own key is absent."""
    bare: bool
    """Whether the body is an array without an envelope."""
    notes: tuple[str, ...]


def slice_list(body: bytes, envelope: Envelope) -> Sliced:
    """Splits ``body`` as ``envelope`` says. When a key occurs twice, the rows of both are kept, else the last counts.

    Raises Unsliceable when the body is not JSON, even loosely.
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
    """Each key of the outermost object with the bytes of each of its values, in order."""
    try:
        strict = OBJECT.decode(text)
    except REFUSED:
        _loose(notes)
        return _by_name(text)
    rows = bytes(strict.get(envelope.items, b""))
    # The decoder keeps the last of two equal keys. The text beside the rows is short: it is searched for a second one.
    rest = _without(text, rows) if rows else text
    keys = filter(None, (envelope.items, envelope.cursor, envelope.flag))
    if b"\\" in rest or any(rest.count(b'"' + key.encode() + b'"') > 1 for key in keys):
        return _by_name(text)
    return {key: [bytes(value)] for key, value in strict.items()}


def _without(text: bytes, part: bytes) -> bytes:
    """``text`` without the first ``part`` in it.

    Faster than bytes.replace, which prepares its search for a long part.
    """
    head = part[:64]
    at = text.find(head)
    while not text.startswith(part, at):
        at = text.find(head, at + 1)
    return text[:at] + text[at + len(part) :]


def _elements(text: bytes, notes: list[str]) -> tuple[bytes, ...]:
    try:
        return tuple(map(bytes, ARRAY.decode(text)))
    except REFUSED:
        _loose(notes)
    return tuple(text[one.start : one.end] for one in cut(text, b"["))


def _loose(notes: list[str]) -> None:
    notes.append("The page is not strict JSON; its rows are kept as received.")


def _by_name(text: bytes) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for one in cut(text, b"{"):
        found.setdefault(one.key, []).append(text[one.start : one.end])
    return found
