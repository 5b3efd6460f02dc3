"""The values in JSON text and where they stand, so that some can be replaced and every other byte stays as it is.

The text may be cut off anywhere and may break the rules of JSON inside: what can be told from quotes and brackets is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
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


@dataclass(slots=True, eq=False)
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
        inner = self.token[1:-1] if not self.alone else self.token[1:]
        if "\\" not in inner:
            return inner
        try:
            return str(json.loads(f'"{inner}"', strict=False))
        except ValueError:
            return inner.replace("\\", "")


@lru_cache(maxsize=4096)
def folded(name: str) -> str:
    """A name without case and signs: ``Phone_Number`` and ``phoneNumber`` are the same."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def leaves(text: str, key: str = "") -> list[Leaf]:
    """Every text, number and member's name, in order. ``key`` is the name under which the whole stands."""
    found: list[Leaf] = []
    box = Box(folded(key), None, is_object=False)
    member, is_name = box.key, False
    for match in _TOKEN.finditer(text):
        token = match[0]
        first = token[0]
        if first in "{[":
            box = Box(member, box, is_object=first == "{")
            is_name = box.is_object
        elif first in "}]":
            box = box.outer or box
            is_name = False
        elif first == ",":
            is_name = box.is_object
            member = box.key
        elif first == ":":
            is_name = False
        elif token not in _WORDS:
            alone = first == '"' and (len(token) < 2 or not _closed(token))
            leaf = Leaf(match.start(), match.end(), token, member, box, is_name, alone)
            if is_name:
                member = folded(leaf.value)
                box.names.add(member)
            found.append(leaf)
    return found


def replaced(text: str, changes: Iterable[tuple[Leaf, str]]) -> str:
    """``text`` with new tokens in the places of some leaves, given in order."""
    out: list[str] = []
    last = 0
    for leaf, token in changes:
        out += (text[last : leaf.start], token)
        last = leaf.end
    return "".join((*out, text[last:])) if out else text


def _closed(token: str) -> bool:
    if token[-1] != '"':
        return False
    inner = token[1:-1]
    return (len(inner) - len(inner.rstrip("\\"))) % 2 == 0
