"""Flattened JSON values: every scalar by its pointer, every object and array, and all scalars below a value.

A path is a JSON pointer (RFC 6901), because third parties use dots and ``@`` in their keys. All results are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from explorer.jsontext.pointer import step

_BOXES = (dict, list)
"""A tuple, because ``dict | list`` would be built anew for every value that is tested."""
MOST_LEAVES, DEEPEST, FIRST_OF_ARRAY = 400, 8, 4


def leaves(raw: Any) -> dict[str, Any]:
    """Every scalar of a raw record by its pointer; of arrays the first entries. Bounded in depth and number."""
    made: dict[str, Any] = {}
    _spread(raw, "", 0, made)
    return made


def _spread(value: Any, pointer: str, depth: int, made: dict[str, Any]) -> None:
    if isinstance(value, dict):
        inner: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list):
        inner = enumerate(value[:FIRST_OF_ARRAY])
    else:
        made[pointer] = value
        return
    if depth > DEEPEST or len(made) >= MOST_LEAVES:
        return
    for name, below in inner:
        if len(made) >= MOST_LEAVES:
            return
        place = f"{pointer}/{name if isinstance(name, int) else step(name)}"
        if isinstance(below, _BOXES):
            _spread(below, place, depth + 1, made)
        else:
            made[place] = below


def without_index(path: str) -> str:
    """A path with ``*`` in place of each index of an array."""
    return "/".join("*" if name.isdigit() else name for name in path.split("/"))


def containers(raw: Any) -> dict[str, Any]:
    """Every object and array of a raw record by its pointer, itself included, but none inside an array."""
    made: dict[str, Any] = {}
    waiting: list[tuple[str, Any, int]] = [("", raw, 0)] if isinstance(raw, _BOXES) else []
    while waiting and len(made) < MOST_LEAVES:
        pointer, value, depth = waiting.pop()
        made[pointer] = value
        if isinstance(value, dict) and depth < DEEPEST:
            boxes = [(name, below) for name, below in value.items() if isinstance(below, _BOXES)]
            inner = [(f"{pointer}/{step(name)}", below, depth + 1) for name, below in boxes[:MOST_LEAVES]]
            waiting += reversed(inner)
    return made


def within(value: Any, *, without: str | None = None) -> Iterator[tuple[str, Any]]:
    """Every scalar below a value with its own name, except those in ``without``."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, here = waiting.pop()
        if isinstance(here, Mapping):
            waiting += [(key, below) for key, below in here.items() if key != without]
        elif isinstance(here, list):
            waiting += [(name, below) for below in here]
        elif here is not None and here != "":
            yield name, here
