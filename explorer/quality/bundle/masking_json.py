"""The values in JSON text and where they stand, so that some can be replaced and every other byte stays as it is.

The text may be cut off anywhere and may break the rules of JSON inside: what can be told from quotes and brackets is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from explorer.jsontext.escape import text_of
from explorer.jsontext.read import read_loosely
from explorer.jsontext.scan import TOKEN, is_closed

SHORTEST = 7
"""Digits of the shortest number that tells of anybody."""
_WORDS = frozenset({"null", "true", "false"})


@dataclass(slots=True, eq=False)
class Box:
    """An object or an array."""

    key: str
    """The folded name under which it stands; in an array that of the array."""
    outer: Box | None
    is_object: bool
    names: set[str] = field(default_factory=set)
    """Folded names of an object's members."""


@dataclass(
    slots=True, eq=False
)  # not frozen: a page has thousands, and freezing makes each three times as dear
class Leaf:
    """One text, number or name of a member."""

    start: int
    end: int
    token: str
    """As written, with quotes."""
    key: str
    """The folded name of the member, or of the array it stands in."""
    box: Box
    is_name: bool = False
    """It is the name of a member."""
    alone: bool = False
    """The text ends before its closing quote."""

    @property
    def is_text(self) -> bool:
        """Whether it is a string, else a number or what looks like one."""
        return self.token[:1] == '"'

    @property
    def value(self) -> str:
        """What a string means, or a number as written."""
        if not self.is_text:
            return self.token
        return text_of(self.token)


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name without case and signs: ``Phone_Number`` and ``phoneNumber`` are the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


Skip = Callable[[str, str, Box], bool]
"""Whether a text, as written, under a folded name in an object or array, can be passed over."""


def leaves(text: str, key: str = "", skip: Skip | None = None) -> list[Leaf]:
    """Every text, member's name and number of seven signs or more, in order, but for what ``skip`` passes over.

    ``key`` is the name under which the whole stands.
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
"""A value: the folded name it stands under, the object or array that it is in, and what it says."""


def values(text: str) -> list[Told] | None:
    """Every text and number of a body that is JSON as a whole, told as `leaves` tells them; None where it is not."""
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
    """The members of one object, each as often as it stands there."""


def replaced(text: str, changes: Iterable[tuple[Leaf, str]]) -> str:
    """``text`` with new tokens in the places of some leaves, given in order."""
    out: list[str] = []
    last = 0
    for leaf, token in changes:
        out += (text[last : leaf.start], token)
        last = leaf.end
    return "".join((*out, text[last:])) if out else text
