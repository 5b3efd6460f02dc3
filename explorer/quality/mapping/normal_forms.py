"""Normal forms in which values of both sides of a mapping are compared, and how similar two names are."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from explorer.quality.values.flat import by_name
from explorer.quality.values.moments import seconds_of

Key = tuple[str, Any]
"""A form of a value: its kind and the value in that form. Two values agree when they share one."""

_BOXES, _NUMBERS = (dict, list), (int, float)
"""A tuple, because ``dict | list`` would be built anew for every value that is tested."""
_SHORT = 100
"""Longest text whose forms are cached; the cache stays below some 10 MB."""
_PART = 0.0015
"""Seconds by which two fractions of a second may differ: one may be rounded, the other cut."""
_NUMBER = re.compile(r"[+-]?\d{1,40}(?:\.\d{1,20})?")
_WORDS = {"true": True, "yes": True, "false": False, "no": False}
_ORDER = {"same": "equal", "text": "case and space", "number": "number", "date": "date", "word": "words"}


def forms(value: Any) -> tuple[Key, ...]:
    """The forms of a scalar, the most exact first; none for null, empty texts, objects and arrays."""
    if value is None or value == "" or isinstance(value, _BOXES):
        return ()
    if isinstance(value, str):
        return _forms_kept(value) if len(value) <= _SHORT else _forms_of_text(value)
    if isinstance(value, bool):
        return (("same", value), ("word", value))
    return _with_moment(value, [("same", value), ("number", _number(str(value)))])


@lru_cache(maxsize=16_384)
def _forms_kept(value: str) -> tuple[Key, ...]:
    """Cached, because names, kinds and ids repeat on both sides."""
    return _forms_of_text(value)


def _forms_of_text(value: str) -> tuple[Key, ...]:
    folded = " ".join(value.split()).casefold()
    made: list[Key] = [("same", value), ("text", folded)]
    if _NUMBER.fullmatch(value):
        made.append(("number", _number(value)))
    if folded in _WORDS:
        made.append(("word", _WORDS[folded]))
    return _with_moment(value, made)


def _with_moment(value: Any, made: list[Key]) -> tuple[Key, ...]:
    moment = seconds_of(value)
    if moment is not None:
        # Many third parties have no fractions of a second.
        made += [("date", round(moment, 3)), ("date", float(int(moment)))]
    return tuple(made)


def agreement(one: tuple[Key, ...], other: tuple[Key, ...]) -> str:
    """How two values agree, as one word; empty when they do not."""
    if not one or not other:
        return ""
    if one[0] == other[0] and type(one[0][1]) is type(other[0][1]):
        return "equal"
    shared = set(one) & set(other)
    shared = {key for key in shared if key[0] != "same"}
    kinds = [kind for kind in ("text", "number", "date", "word") if any(key[0] == kind for key in shared)]
    if kinds == ["date"] and _has_other_part(one, other):
        return ""
    return _ORDER[kinds[0]] if kinds else ""


def _has_other_part(one: tuple[Key, ...], other: tuple[Key, ...]) -> bool:
    """Whether two moments of the same second both have a fraction, and different ones."""
    mine, its = (float(next(at for kind, at in keys if kind == "date")) for keys in (one, other))
    return mine % 1 > 0 and its % 1 > 0 and abs(mine - its) > _PART


def is_telling(value: Any) -> bool:
    """Whether two values are unlikely to be equal by chance: no truth value, small number or word of two letters.

    Two characters of a script with thousands of them say as much as four Latin letters.
    """
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, _NUMBERS):
        return abs(value) >= 1000
    return isinstance(value, str) and len(value) >= (4 if value.isascii() else 2)


def likeness(field: str, pointer: str) -> float:
    """How similar a field's name is to a pointer's last steps, from 0 to 1."""
    wanted, steps = _tokens(field), by_name(pointer).split("/")[1:]
    if not wanted or not steps:
        return 0.0
    last = _tokens(steps[-1]) | (
        _tokens(steps[-2]) if len(steps) > 1 and len(_tokens(steps[-1])) == 1 else set()
    )
    shared = sum(max((_alike(token, other) for other in last), default=0.0) for token in wanted)
    return shared / max(len(wanted), len(last))


def _tokens(name: str) -> set[str]:
    parts = re.split(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])", name)
    return {part.lower() for part in parts if part}


def _alike(one: str, other: str) -> float:
    if one == other:
        return 1.0
    short, long = sorted((one, other), key=len)
    return 0.8 if len(short) >= 4 and long.startswith(short[: max(4, len(short) - 3)]) else 0.0


def _number(text: str) -> Any:
    try:
        return Decimal(text).normalize()
    except InvalidOperation:
        return text
