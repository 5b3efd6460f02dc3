"""Cutting a list's body into its records without changing a byte, whatever JSON rules the service breaks inside.

msgspec slices strict JSON in well under a millisecond a page; what it refuses (NaN, lone surrogates, control
characters, a byte order mark, deep nesting) is cut by its quotes and brackets alone.
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
        strict = OBJECT.decode(text)
    except REFUSED:
        _loose(notes)
        return _by_name(text)
    rows = bytes(strict.get(envelope.items, b""))
    # A decoder keeps the last of two equal keys. What is left beside the rows is short, so a second key is seen there.
    rest = _without(text, rows) if rows else text
    keys = filter(None, (envelope.items, envelope.cursor, envelope.flag))
    if b"\\" in rest or any(rest.count(b'"' + key.encode() + b'"') > 1 for key in keys):
        return _by_name(text)
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
