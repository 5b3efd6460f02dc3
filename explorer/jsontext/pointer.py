"""The position of a value inside another: as a JSON pointer (RFC 6901), or as a dotted path.

The program uses pointers, as third parties use dots and ``@`` in names; dotted paths are for people to read and write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

Path = tuple[str, ...]
"""The names that lead to a value through objects."""


def step(name: str) -> str:
    """A name escaped as one step of a pointer."""
    return name.replace("~", "~0").replace("/", "~1") if "~" in name or "/" in name else name


def steps(pointer: str) -> list[str]:
    """The steps of a pointer: names, and numbers of items."""
    return [one.replace("~1", "/").replace("~0", "~") for one in pointer.split("/")[1:]]


def number(name: str, count: int) -> int | None:
    """The index of the item that a step names in an array of ``count`` items; None when there is none."""
    return int(name) if name.isdecimal() and len(name) < 10 and int(name) < count else None


def at(value: Any, pointer: str) -> Any:
    """The value at a pointer; None where there is none."""
    for name in steps(pointer):
        if isinstance(value, Mapping):
            value = value.get(name)
        elif isinstance(value, list) and (place := number(name, len(value))) is not None:
            value = value[place]
        else:
            return None
    return value


_STEP = re.compile(r"""\.?([^.\[\]" \t\r\n]+)|\[("(?:[^"\\]|\\.)*")\]|\[(\d{1,9})\]""")


@cache
def path_of(text: str) -> tuple[str | int, ...]:
    """The steps of a path as `dotted` writes it; none for ``$`` and the empty text. Raises ValueError."""
    made: list[str | int] = []
    at = 0
    while text != "$" and at < len(text):
        match = _STEP.match(text, at)
        if match is None or (text[at] == ".") != bool(at and match[1]):
            raise ValueError(f"{text!r} is no dotted path")
        made.append(match[1] or (json.loads(match[2]) if match[2] else int(match[3])))
        at = match.end()
    return tuple(made)


def value_at(value: Any, path: Sequence[str | int], absent: Any = None) -> Any:
    """The value at the steps of a path; ``absent`` where there is none."""
    for one in path:
        holds = (
            isinstance(value, list) and one < len(value)
            if isinstance(one, int)
            else isinstance(value, Mapping)
        )
        if not holds or (isinstance(one, str) and one not in value):
            return absent
        value = value[one]
    return value


def dotted(path: tuple[str | int, ...]) -> str:
    """A path for display: ``a.b[2].c``. Names with dots, brackets, quotes or spaces are quoted, and so is ``$``."""
    text = ""
    for one in path:
        if isinstance(one, int):
            text += f"[{one}]"
        elif one and one != "$" and not any(sign in one for sign in '.[]" \t\r\n'):
            text += f".{one}" if text else one
        else:
            text += f"[{json.dumps(one, ensure_ascii=False)}]"
    return text
