"""JSON as received, with each number as the decimal that its digits write: nothing passes through a float."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

Path = tuple[str, ...]
"""The keys that lead to a value through objects."""


def read_json(data: bytes | str, *, twice: list[str] | None = None) -> Any:
    """The value of a JSON text: numbers as Decimal, NaN and the infinities (which are no JSON) as float.

    A number whose exponent no Decimal can hold becomes a NaN too. Names that stand twice in one object are added to
    ``twice``; the last one counts. Raises ValueError for what is no JSON or too deep to be read.
    """

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if twice is not None and len(made) < len(pairs):
            often = Counter(name for name, _ in pairs)
            twice.extend(name for name in made if often[name] > 1)
        return made

    try:
        return json.loads(data, parse_float=_number, parse_int=_number, object_pairs_hook=members)
    except RecursionError:
        raise ValueError("too deep to be read") from None


def equal(one: Any, other: Any) -> bool:
    """Whether two JSON values say the same: 1 and 1.0 do, 1 and true do not, nor do null, "" and {}."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, int | float | Decimal) and isinstance(other, int | float | Decimal):
        left, right = Decimal(str(one)), Decimal(str(other))
        return left == right or (left.is_nan() and right.is_nan())
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return set(one) == set(other) and all(equal(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(equal, one, other))
    return type(one) is type(other) and bool(one == other)


def dotted(path: tuple[str | int, ...]) -> str:
    """A path as people write it: ``a.b[2].c``; names that would read as something else stand in quotes."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step and not any(sign in step for sign in '.[]" \t\r\n'):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def _number(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:
        return float("nan")
