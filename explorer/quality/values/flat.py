"""Flattened JSON values: every scalar by its pointer, every object and array, and all scalars below a value.

A path is a JSON pointer (RFC 6901), because third parties use dots and ``@`` in their keys. All results are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import step

BOXES = (dict, list)
"""A tuple, because ``dict | list`` would be built anew for every value that is tested."""
MOST_LEAVES = 400
"""The most scalars, or objects and arrays, of one record."""
DEEPEST = 8
"""The levels below the record that are looked at."""
FIRST_OF_ARRAY = 4
"""The entries of an array that are looked at."""
DEEPEST_OBJECT = 5
"""The levels below the record from which objects are taken."""
MOST_NAMED = 60
"""The entries of an array that names them."""
LONGEST_NAME = 80
"""The longest name of one."""
_OF_VALUES = ("value",)
_OF_NAMES = ("key", "name", "field", "code", "label", "title", "slug", "property", "attribute", "id")
"""How the members of an entry are called, at their end, that hold its value and its name, the likeliest first."""
_MAKER = re.compile(
    r"(?:last)?(?:created|updated|modified|changed|edited|set|added|inserted|entered|recorded)by.*"
    r"|author.*|creator.*|editor.*|source(?:id|user)"
)
_NAMED = re.compile(rf"(.*)/\[[^/=]*(?:{'|'.join(_OF_NAMES)})=([^/]+)\]/[^/]*value", re.IGNORECASE)


def leaves(raw: Any) -> dict[str, Any]:
    """Every scalar of a raw record by its pointer; of arrays the first entries. Bounded in depth and number."""
    made: dict[str, Any] = {}
    if isinstance(raw, BOXES):
        _spread(raw, "", 0, made)
    else:
        made[""] = raw
    return made


def objects(raw: Any, deep: int = DEEPEST_OBJECT) -> Iterator[Mapping[str, Any]]:
    """The raw object itself and every object in it, outer ones first, down to ``deep`` levels below."""
    if isinstance(raw, dict):
        yield raw
    if isinstance(raw, BOXES) and deep:
        for one in raw.values() if isinstance(raw, dict) else raw:
            yield from objects(one, deep - 1)


def named_entries(raw: Any) -> dict[str, Any]:
    """Every scalar that an array names beside it, as custom fields are: ``/fields/[name=Region]/value``.

    The names of an array differ, and each stands in a member that is called so, or in an object beside the value
    (``[definition.name=Region]``); what says a kind (``type``) is none.
    """
    made: dict[str, Any] = {}
    waiting: list[tuple[str, Any, int]] = [("", raw, 0)]
    while waiting:
        pointer, box, depth = waiting.pop()
        inner = box.items() if isinstance(box, dict) else ()
        for name, below in inner:
            if isinstance(below, dict) and depth < DEEPEST:
                waiting.append((_below(pointer, name), below, depth + 1))
            elif isinstance(below, list) and below and isinstance(below[0], dict):
                made.update(_named(_below(pointer, name), below[:MOST_NAMED]))
    return made


def _named(array: str, items: list[Any]) -> Iterator[tuple[str, Any]]:
    value = next((name for name in items[0] if name.lower().endswith(_OF_VALUES)), "")
    members = [name for name in items[0] if name != value and not is_maker(name)] if value else []
    members += [
        f"{name}.{below}" for name in members if isinstance(items[0][name], dict) for below in items[0][name]
    ]
    for name in (one for end in _OF_NAMES for one in members if one.lower().endswith(end)):
        keys = [member(one, name) for one in items]
        if all(_is_name(key, name) for key in keys) and len(set(keys)) == len(keys):
            for key, item in zip(keys, items, strict=True):
                if value in item and not isinstance(item[value], BOXES):
                    yield f"{_below(array, f'[{name}={key}]')}/{step(value)}", item[value]
            return


@lru_cache(maxsize=4096)
def is_maker(name: str) -> bool:
    """Whether a member of a value says by whom it was made, and not what it is: ``created_by_actor``."""
    return _MAKER.fullmatch(re.sub(r"[^a-z]", "", name.lower())) is not None


def member(item: Any, name: str) -> Any:
    """A member of an entry, or that of an object in it: ``definition.name``; None where there is none."""
    if not isinstance(item, dict) or name in item:
        return item.get(name) if isinstance(item, dict) else None
    outer, _, inner = name.partition(".")
    return member(item.get(outer), inner) if inner else None


def _is_name(key: Any, name: str) -> bool:
    """Whether a key names an entry: a word, or the id of what it is an entry of, which is not its own."""
    if isinstance(key, str):
        return 0 < len(key) <= LONGEST_NAME and (not key.isdecimal() or name != "id")
    return type(key) is int and name != "id"


@lru_cache(maxsize=4096)
def by_name(path: str) -> str:
    """The path under which a named entry would stand if it were a member: ``/fields/Region``; others as they are."""
    found = _NAMED.fullmatch(path)
    return f"{found[1]}/{found[2]}" if found is not None else path


def _spread(box: Any, pointer: str, depth: int, made: dict[str, Any]) -> None:
    if depth > DEEPEST:
        return
    inner: Iterable[tuple[Any, Any]] = (
        box.items() if isinstance(box, dict) else enumerate(box[:FIRST_OF_ARRAY])
    )
    for name, below in inner:
        if len(made) >= MOST_LEAVES:
            return
        path = _below(pointer, name)
        if isinstance(below, BOXES):
            _spread(below, path, depth + 1, made)
        else:
            made[path] = below


@lru_cache(maxsize=8192)
def _below(pointer: str, name: str | int) -> str:
    """The pointer to a member or entry; cached, as the records of a list have the same ones."""
    return f"{pointer}/{name if isinstance(name, int) else step(name)}"


@lru_cache(maxsize=4096)
def is_within_array(path: str) -> bool:
    """Whether a path leads through an entry of an array."""
    return any(map(str.isdigit, path.split("/")))


def without_index(path: str) -> str:
    """A path with ``*`` in place of each index of an array."""
    return "/".join("*" if name.isdigit() else name for name in path.split("/"))


def containers(raw: Any) -> dict[str, Any]:
    """Every object and array of a raw record by its pointer, itself included, but none inside an array."""
    made: dict[str, Any] = {}
    waiting: list[tuple[str, Any, int]] = [("", raw, 0)] if isinstance(raw, BOXES) else []
    while waiting and len(made) < MOST_LEAVES:
        pointer, value, depth = waiting.pop()
        made[pointer] = value
        if isinstance(value, dict) and depth < DEEPEST:
            boxes = [(name, below) for name, below in value.items() if isinstance(below, BOXES)]
            inner = [(_below(pointer, name), below, depth + 1) for name, below in boxes[:MOST_LEAVES]]
            waiting += reversed(inner)
    return made


def within(value: Any, *, without: str | None = None) -> Iterator[tuple[str, Any]]:
    """Every scalar below a value with its own name, except those in ``without``."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, here = waiting.pop()
        if isinstance(here, dict):
            waiting += [(key, below) for key, below in here.items() if key != without]
        elif isinstance(here, list):
            waiting += [(name, below) for below in here]
        elif here is not None and here != "":
            yield name, here
