"""The values in JSON text with their positions, so that some can be replaced while every other byte stays.

The text may be cut anywhere and may be invalid JSON inside: it is read as far as quotes and brackets allow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from explorer.api.sensitive import folded
from explorer.jsontext.escape import text_of
from explorer.jsontext.read import read_loosely
from explorer.jsontext.scan import TOKEN, is_closed

SHORTEST = 7
"""Digits of the shortest number that may identify a person."""
_WORDS = frozenset({"null", "true", "false"})


@dataclass(slots=True, eq=False)
class Box:
    """An object or an array."""

    key: str
    """The folded name of its field; in an array that of the array."""
    outer: Box | None
    is_object: bool
    names: set[str] = field(default_factory=set)
    """Folded names of an object's members."""


@dataclass(
    slots=True, eq=False
)  # not frozen: a page has thousands, and freezing makes creation three times as slow
class Leaf:
    """One text, number or member name."""

    start: int
    end: int
    token: str
    """As written, with quotes."""
    key: str
    """The folded name of the member, or of the array that contains it."""
    box: Box
    is_name: bool = False
    """Whether it is the name of a member."""
    alone: bool = False
    """Whether the text ends before its closing quote."""

    @property
    def is_text(self) -> bool:
        """Whether it is a string, else a number or something like one."""
        return self.token[:1] == '"'

    @property
    def value(self) -> str:
        """The content of a string, or a number as written."""
        if not self.is_text:
            return self.token
        return text_of(self.token)


Skip = Callable[[str, str, Box], bool]
"""Whether a text, as written, with a folded name in an object or array, can be skipped."""


def leaves(text: str, key: str = "", skip: Skip | None = None) -> list[Leaf]:
    """Every text, member name and number of at least seven characters, in order, unless ``skip`` skips it.

    ``key`` is the name of the field that holds the whole text.
    """
    found: list[Leaf] = []
    box = Box(folded(key), None, is_object=False)
    member, is_name, last = box.key, False, len(text)
    for match in TOKEN.finditer(text):
        token = match[0]
        first = token[0]
        if first == '"':
            start, end = match.span()
            alone = end == last and not is_closed(token)
            if is_name:
                box.names.add(member := folded(text_of(token)))
            if alone or skip is None or not skip(token, "" if is_name else member, box):
                found.append(Leaf(start, end, token, member, box, is_name, alone))
        elif first == ",":
            is_name, member = box.is_object, box.key
        elif first == ":":
            is_name = False
        elif first in "{[":
            box = Box(member, box, is_object=first == "{")
            is_name = box.is_object
        elif first in "}]":
            box = box.outer or box
            is_name = False
        elif token not in _WORDS:
            if is_name:
                box.names.add(member := folded(token))
            if len(token) >= SHORTEST:
                found.append(Leaf(match.start(), match.end(), token, member, box, is_name))
    return found


Told = tuple[str, Box, str]
"""A value: its folded name, the object or array that contains it, and its content."""


def values(text: str) -> list[Told] | None:
    """Every text and number of a body that is valid JSON, with the same keys as `leaves`; None for other bodies."""
    try:
        whole = read_loosely(text, number=str, members=_Members)
    except ValueError:
        return None
    found: list[Told] = []
    top = Box("", None, is_object=False)
    waiting: list[tuple[Any, str, Box]] = [(whole, "", top)]
    while waiting:
        value, key, outer = waiting.pop()
        if not isinstance(value, list):
            continue
        box = Box(key, outer, is_object=isinstance(value, _Members))
        if box.is_object:
            pairs = [(folded(name), inner) for name, inner in value]
            box.names.update(name for name, _ in pairs)
        else:
            pairs = [(key, inner) for inner in value]
        for name, inner in pairs:
            if type(inner) is str:
                found.append((name, box, inner))
            elif inner is not None and inner is not True and inner is not False:
                waiting.append((inner, name, box))
    return found


class _Members(list[tuple[str, Any]]):
    """The members of one object, repeated ones included."""


def replaced(text: str, changes: Iterable[tuple[Leaf, str]]) -> str:
    """``text`` with new tokens in place of some leaves, which are in order."""
    out: list[str] = []
    last = 0
    for leaf, token in changes:
        out += (text[last : leaf.start], token)
        last = leaf.end
    return "".join((*out, text[last:])) if out else text
