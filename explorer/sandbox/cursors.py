"""Cursors: opaque, stateless, the same after a restart, and in the odd forms that third parties use."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

_ODD_START = 'p/ä&ø=+%20"#? \\漢字🚀 <'
_ODD_END = "> e\u0301; ,"
_LONG = 6_000


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page of a list begins.

    Attributes:
        position: how many records of the selection come before it.
        kind: set where a list does something unusual there, such as serving an empty page.
    """

    position: int
    kind: str = ""


def _check(scope: str, text: str) -> str:
    return hashlib.blake2b(f"{scope}|{text}".encode(), digest_size=6).hexdigest()


def _filler(core: str) -> str:
    stretch = hashlib.shake_256(core.encode()).hexdigest((_LONG - len(core)) // 2)
    return f"{core}.{stretch}"


def encoded(place: Place, scope: str, style: str) -> str:
    """The cursor for a place. `scope` names connection and list, so that a cursor of one does not fit another."""
    text = f"{place.position}:{place.kind}"
    core = base64.urlsafe_b64encode(f"{text}:{_check(scope, text)}".encode()).decode().rstrip("=")
    if style == "long":
        return _filler(core)
    return f"{_ODD_START}{core}{_ODD_END}" if style == "odd" else core


def decoded(cursor: str, scope: str, style: str) -> Place | None:
    """The place behind a cursor, or None when it was not made by `encoded` for this scope and style."""
    core = cursor
    if style == "long":
        core = cursor.partition(".")[0]
    elif style == "odd":
        core = cursor.removeprefix(_ODD_START).removesuffix(_ODD_END)
    try:
        text = base64.urlsafe_b64decode(core + "=" * (-len(core) % 4)).decode()
        position, kind, _ = text.split(":")
        place = Place(int(position), kind)
    except (ValueError, binascii.Error):
        return None
    return place if place.position >= 0 and encoded(place, scope, style) == cursor else None
