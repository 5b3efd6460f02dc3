"""JSON values laid out flat: every scalar by its pointer, every object and array, and all that stands below a value.

A path is a JSON pointer (RFC 6901), as third parties put dots and ``@`` into their keys. All of it is bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from explorer.jsontext.pointer import step

_BOXES = (dict, list)
"""A tuple, as ``dict | list`` is made anew each time that it is looked at, and this is looked at for every value."""
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


def containers(raw: Any) -> dict[str, Any]:
    """Every object and array of a raw record by its pointer, the whole one too, but none within an array."""
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
    """Every scalar below a value with the name that it stands under, but for what lies in ``without``."""
    waiting: list[tuple[str, Any]] = [("", value)]
    while waiting:
        name, here = waiting.pop()
        if isinstance(here, Mapping):
            waiting += [(key, below) for key, below in here.items() if key != without]
        elif isinstance(here, list):
            waiting += [(name, below) for below in here]
        elif here is not None and here != "":
            yield name, here
