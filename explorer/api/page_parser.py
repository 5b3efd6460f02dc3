"""Splits a list's body into its records without changing a byte, even where the body is not valid JSON.

msgspec splits strict JSON in well under a millisecond a page. What it rejects (NaN, lone surrogates, control
characters, a byte order mark, deep nesting) is split by its quotes and brackets alone.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from explorer.catalog.spec import Envelope
from explorer.jsontext.cut import Unsliceable, cut
from explorer.jsontext.pointer import path_of
from explorer.jsontext.strict import ARRAY, OBJECT, REFUSED

__all__ = ["Sliced", "Unsliceable", "ids_of", "joined", "raw_of_rows", "slice_list"]

_RAW_STEPS = 4
"""So many steps into an envelope's raw data its array of rows is looked for: itself, and three names."""
_BLANKS = b" \t\r\n"
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Sliced:
    """A list's body, split into its parts."""

    records: tuple[bytes, ...] | None
    """The bytes of each row; None when the rows are missing or not an array."""
    cursor: bytes | None
    """The next cursor or address as JSON; None when its key is absent."""
    flag: bytes | None
    """The flag as JSON; None when its key is absent."""
    elsewhere: tuple[str, bytes] | None
    """Key and JSON of a cursor under the key of another envelope, where the envelope's own key is absent."""
    bare: bool
    """Whether the body is an array without the envelope that it should have."""
    notes: tuple[str, ...]
    total: bytes | None = None
    """The number of rows of the whole list as JSON; None when it is absent."""
    pages: bytes | None = None
    """The number of pages of the whole list as JSON; None when it is absent."""
    raw: bytes | None = None
    """Raw data that stands once for the page, as JSON; None when it is absent."""


@dataclass(frozen=True, slots=True)
class _Level:
    """What is looked for in one object of the body."""

    paths: Mapping[str, str]
    """By key: the dotted path of a part that stands there."""
    below: Mapping[str, _Level]
    """By key: what is looked for further down."""
    big: str
    """The key that holds the rows, or leads to them; empty where they are not in here."""
    wanted: tuple[str, ...]
    """All keys, those of other envelopes included."""
    quoted: tuple[bytes, ...]
    """The envelope's own keys as they stand in JSON."""
    elsewhere: tuple[str, ...] = ()


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
        expected = envelope.items == "$"
        if not expected:
            notes.append("The rows come as a bare array, without the envelope.")
        return Sliced(_elements(text, notes), None, None, None, bare=not expected, notes=tuple(notes))
    found: dict[str, list[bytes]] = {}
    _collect(text, _levels(envelope), notes, found)
    rows: list[bytes] = []
    is_list = False
    for value in found.get(envelope.items, ()):
        if value[:1] == b"[":
            is_list = True
            rows.extend(_elements(value, notes))
    for path in filter(None, (envelope.items, envelope.cursor, envelope.flag)):
        if len(found.get(path, ())) > 1:
            both = "the rows of all are kept" if path == envelope.items else "the last one counts"
            notes.append(f"The key {path} stands {len(found[path])} times; {both}.")
    return Sliced(
        tuple(rows) if is_list else None,
        _last(found, envelope.cursor),
        _last(found, envelope.flag),
        _elsewhere(found, envelope),
        bare=False,
        notes=tuple(dict.fromkeys(notes)),
        total=_last(found, envelope.total),
        pages=_last(found, envelope.pages),
        raw=_last(found, envelope.raw),
    )


def raw_of_rows(sliced: Sliced) -> tuple[bytes, ...]:
    """The raw data of each row, by its place, of a page that has it once in its envelope.

    That is the array with an object for each row which lies outermost in the envelope's raw data. Empty where there is
    none such, or several beside each other.
    """
    count = len(sliced.records or ())
    level = [sliced.raw] if sliced.raw is not None and count else []
    with contextlib.suppress(Unsliceable):
        for _ in range(_RAW_STEPS):
            arrays = [_elements(value, []) for value in level if value[:1] == b"["]
            fits = [one for one in arrays if len(one) == count and all(each[:1] == b"{" for each in one)]
            if fits:
                return fits[0] if len(fits) == 1 else ()
            inner = [_by_name(value) for value in level if value[:1] == b"{"]
            level = [values[-1] for members in inner for values in members.values()]
    return ()


def joined(record: bytes, name: str, raw: bytes) -> bytes:
    """A record with ``raw`` as its last field; as it is where it is no object."""
    if record[:1] != b"{":
        return record
    members = record.rstrip()[1:-1]
    return b"{%b%b%b:%b}" % (members, b"," if members.strip() else b"", json.dumps(name).encode(), raw)


@cache
def _levels(envelope: Envelope) -> _Level:
    parts = (envelope.items, envelope.cursor, envelope.flag, envelope.total, envelope.pages, envelope.raw)
    steps = {path: tuple(map(str, path_of(path))) for path in parts if path and path != "$"}
    return _level(steps, steps.get(envelope.items, ()), envelope.elsewhere)


def _level(
    steps: Mapping[str, tuple[str, ...]], rows: tuple[str, ...], elsewhere: tuple[str, ...] = ()
) -> _Level:
    further: dict[str, dict[str, tuple[str, ...]]] = {}
    for path, (first, *rest) in steps.items():
        if rest:
            further.setdefault(first, {})[path] = tuple(rest)
    paths = {one[0]: path for path, one in steps.items() if len(one) == 1}
    keys = dict.fromkeys((*paths, *further))
    return _Level(
        paths,
        {key: _level(inner, rows[1:] if rows[:1] == (key,) else ()) for key, inner in further.items()},
        rows[0] if rows else "",
        tuple(dict.fromkeys((*keys, *elsewhere))),
        tuple(b'"%b"' % key.encode() for key in keys),
        elsewhere,
    )


def _collect(text: bytes, level: _Level, notes: list[str], found: dict[str, list[bytes]]) -> None:
    """Adds each part that is looked for, under its dotted path, with the bytes of each of its values in order."""
    members = _members(text, level, notes)
    for key, path in level.paths.items():
        if key in members:
            found.setdefault(path, []).extend(members[key])
    for key in level.elsewhere:
        if key in members:
            found.setdefault(key, members[key])
    for key, below in level.below.items():
        for value in members.get(key, ()):
            if value[:1] == b"{":
                _collect(value, below, notes, found)


def _last(found: dict[str, list[bytes]], path: str | None) -> bytes | None:
    values = found.get(path) if path else None
    return values[-1] if values else None


def _elsewhere(found: dict[str, list[bytes]], envelope: Envelope) -> tuple[str, bytes] | None:
    if envelope.cursor in found:
        return None
    return next(((key, found[key][-1]) for key in envelope.elsewhere if key in found), None)


def _members(text: bytes, level: _Level, notes: list[str]) -> dict[str, list[bytes]]:
    """Each key of one object that is looked for, with the bytes of each of its values, in order."""
    try:
        strict = OBJECT.decode(text)
    except REFUSED:
        _loose(notes)
        return _by_name(text)
    rows = bytes(strict.get(level.big, b""))
    # The decoder keeps the last of two equal keys. The text beside the rows is short: it is searched for a second one.
    rest = _without(text, rows) if rows else text
    if b"\\" in rest or any(rest.count(key) > 1 for key in level.quoted):
        names = Counter(one.key for one in cut(rest, b"{"))
        if any(names[key] > 1 for key in level.wanted):
            return _by_name(text)
    return {key: [rows if key == level.big else bytes(strict[key])] for key in level.wanted if key in strict}


def _without(text: bytes, part: bytes) -> bytes:
    """``text`` with 0 in place of the first ``part`` in it.

    Faster than bytes.replace, which prepares its search for a long part.
    """
    head = part[:64]
    at = text.find(head)
    while not text.startswith(part, at):
        at = text.find(head, at + 1)
    return b"%b0%b" % (text[:at], text[at + len(part) :])


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


def ids_of(records: Sequence[bytes], fields: tuple[str, ...]) -> frozenset[tuple[bytes, ...]]:
    """What tells each record from others: its ``fields`` as JSON. Records that lack one of them are left out."""
    one, all_ = _ids(fields)
    try:
        found = all_(b"[%b]" % b",".join(records))
    except REFUSED:
        found = []
        for record in records:
            with contextlib.suppress(*REFUSED):
                found.append(one(record))
    values = map(msgspec.structs.astuple, found)
    return frozenset(tuple(map(bytes, each)) for each in values if all(each))


@cache
def _ids(fields: tuple[str, ...]) -> tuple[Callable[[bytes], Any], Callable[[bytes], list[Any]]]:
    names = {f"f{place}": field for place, field in enumerate(fields)}
    members = [(name, msgspec.Raw, msgspec.Raw()) for name in names]
    struct = msgspec.defstruct("Ids", members, rename=names, gc=False)
    many = msgspec.json.Decoder(list[struct])  # type: ignore[valid-type]
    return msgspec.json.Decoder(struct).decode, many.decode
