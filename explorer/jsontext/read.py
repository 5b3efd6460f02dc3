"""A whole JSON text read into Python values: exactly, or loosely.

Exactly: each number is the decimal that its digits write, nothing passes through a float. Loosely: as Python's own
reader does where it is not strict, control characters, NaN and half surrogates included; `inspected` notes what of that
was there. The last of two equal names counts in all of them.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from explorer.jsontext.escape import ESCAPED_HALF, lenient_text
from explorer.jsontext.scan import TEXT

Members = list[tuple[str, Any]]
_DIGITS = 300
"""Of a whole number that any double holds, if not exactly."""
_CONTROL = re.compile("[\x00-\x1f]")


def read_exact(data: bytes | str, *, twice: list[str] | None = None) -> Any:
    """The value of a JSON text: numbers as Decimal, NaN and the infinities (which are no JSON) as float.

    A number whose exponent no Decimal can hold becomes a NaN too. Names that stand twice in one object are added to
    ``twice``. Raises ValueError for what is no JSON or too deep to be read.
    """
    members = None if twice is None else _noting(twice)
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


def read_loosely(
    data: bytes | str,
    *,
    number: Callable[[str], Any] | None = None,
    constant: Callable[[str], Any] | None = None,
    members: Callable[[Members], Any] | None = None,
) -> Any:
    """The value of a JSON text as Python reads it at its loosest; bytes that are no UTF-8 become surrogateescapes.

    ``number`` makes numbers of their digits, ``constant`` NaN and the infinities of their words, ``members`` objects of
    their pairs; each is a name of a module, as readers are kept by them. Raises ValueError for what is no JSON or too
    deep to be read, and what these raise.
    """
    text = lenient_text(data) if isinstance(data, bytes) else data
    try:
        return _reader(number, constant, members).decode(text)
    except RecursionError:
        raise ValueError("too deep to be read") from None


@functools.lru_cache(maxsize=16)
def _reader(number: Any, constant: Any, members: Any) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=number, parse_float=number, parse_constant=constant, object_pairs_hook=members, strict=False
    )


class Inspected(NamedTuple):
    """A value read loosely, and what is wrong with its text."""

    value: Any
    """As Python reads it; None with ``unreadable`` when it does not."""
    twice: tuple[str, ...]
    """Names that stand twice in one object."""
    constants: tuple[str, ...]
    """NaN and the infinities, as written, and numbers that no double holds."""
    halves: bool
    """A text of it holds half a character, or bytes that are no UTF-8."""
    controls: bool
    """A text of it holds a control character that is not escaped."""
    too_deep: bool
    """It is unreadable for its depth alone."""
    unreadable: bool


def inspected(raw: bytes) -> Inspected:
    """Reads what strict JSON is not, or what may hold a name twice. Never raises: what cannot be read says so."""
    twice: list[str] = []
    constants: list[str] = []

    def constant(text: str) -> float:
        constants.append(text)
        return float(text.replace("Infinity", "inf"))

    def number_of(text: str) -> float:
        made = float(text)
        if math.isinf(made):
            constants.append(text)
        return made

    def whole(text: str) -> float:
        return int(text) if len(text) < _DIGITS else number_of(text)

    value: Any = None
    halves = too_deep = unreadable = False
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        halves, text = True, raw.decode("utf-8", "replace")
    try:
        value = json.loads(
            text,
            object_pairs_hook=_noting(twice),
            parse_constant=constant,
            parse_float=number_of,
            parse_int=whole,
            strict=False,
        )
    except ValueError:
        unreadable = True
    except RecursionError:
        unreadable = too_deep = True
    controls = not unreadable and _has_control(text)
    halves = halves or (ESCAPED_HALF.search(raw) is not None and _has_half(value))
    return Inspected(value, tuple(twice), tuple(constants), halves, controls, too_deep, unreadable)


def _noting(twice: list[str]) -> Callable[[Members], dict[str, Any]]:
    """Makes objects of their pairs, and adds the names that stand twice in one to ``twice``."""

    def members(pairs: Members) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            often = Counter(name for name, _ in pairs)
            twice.extend(name for name in made if often[name] > 1)
        return made

    return members


def _number(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:
        return float("nan")


def _has_control(text: str) -> bool:
    """Whether a control character stands within quotes as it is."""
    if not _CONTROL.search(text):
        return False
    return any(_CONTROL.search(match[0]) for match in TEXT.finditer(text))


def _has_half(value: Any) -> bool:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            try:
                one.encode()
            except UnicodeEncodeError:
                return True
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return False
