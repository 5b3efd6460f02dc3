"""Flattened JSON values: every scalar by its pointer, every object and array, and all scalars below a value.

A path is a JSON pointer (RFC 6901), because third parties use dots and ``@`` in their keys. All results are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from explorer.jsontext.pointer import step

BOXES = (dict, list)
"""A tuple, because ``dict | list`` would be built anew for every value that is tested."""
MOST_LEAVES, DEEPEST, FIRST_OF_ARRAY = 400, 8, 4


def leaves(raw: Any) -> dict[str, Any]:
    """Every scalar of a raw record by its pointer; of arrays the first entries. Bounded in depth and number."""
    made: dict[str, Any] = {}
    if isinstance(raw, BOXES):
        _spread(raw, "", 0, made)
    else:
        made[""] = raw
    return made


def _spread(box: Any, pointer: str, depth: int, made: dict[str, Any]) -> None:
    if depth > DEEPEST:
        return
    inner: Iterable[tuple[Any, Any]] = (
        box.items() if isinstance(box, dict) else enumerate(box[:FIRST_OF_ARRAY])
    )
    for name, below in inner:
        if len(made) >= MOST_LEAVES:
            return
        if isinstance(below, BOXES):
            _spread(below, _below(pointer, name), depth + 1, made)
        else:
            made[_below(pointer, name)] = below


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
