"""Parses a whole JSON text into Python values: exactly, or leniently.

Exactly: each number becomes the Decimal of its digits, never a float. Leniently: as Python's parser with strict=False,
which accepts control characters, NaN and lone surrogates; `inspected` notes which of these there are. In all of them
the last of two equal names counts.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from itertools import accumulate
from typing import Any, NamedTuple

from explorer.jsontext.escape import ESCAPED_HALF, lenient_text
from explorer.jsontext.scan import TEXT

Members = list[tuple[str, Any]]
_DIGITS = 300
"""Digits of a whole number that surely is within the range of a double, exactly or not."""
_CONTROL = re.compile("[\x00-\x1f]")
_SIGNS = re.compile(r"[\[\]{}]")
DEEPEST = 1000
"""Levels of objects and arrays up to which a text is parsed. Python's own parser takes some 1,000 up to version 3.11,
some 10,000 from 3.12 on, and more later; what is said of a record must not depend on that."""


def read_exact(data: bytes | str, *, twice: list[str] | None = None) -> Any:
    """The value of a JSON text: numbers as Decimal, NaN and the infinities (which are not JSON) as float.

    A number whose exponent Decimal cannot hold becomes NaN too. Names that occur twice in one object are added to
    ``twice``. Raises ValueError for a text that is not JSON or too deeply nested.
    """
    members = None if twice is None else _noting(twice)
    if is_too_deep(data):
        raise ValueError("too deep to be read")
    try:
        return json.loads(data, parse_float=_number, parse_int=_number, object_pairs_hook=members)
    except RecursionError:
        raise ValueError("too deep to be read") from None


def equal(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal: 1 equals 1.0; 1 and true differ, and so do null, "" and {}."""
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
    """The value of a JSON text, parsed leniently; bytes that are not UTF-8 become surrogateescape characters.

    ``number`` makes numbers from their digits, ``constant`` NaN and the infinities from their names, ``members``
    objects from their pairs. Pass functions of a module, not closures, because parsers are cached by them. Raises
    ValueError for a text that is not JSON or too deeply nested, and what these functions raise.
    """
    text = lenient_text(data) if isinstance(data, bytes) else data
    if is_too_deep(text):
        raise ValueError("too deep to be read")
    try:
        return _reader(number, constant, members).decode(text)
    except RecursionError:
        raise ValueError("too deep to be read") from None


def is_too_deep(data: bytes | str) -> bool:
    """Whether a JSON text is nested deeper than `DEEPEST`."""
    if isinstance(data, bytes):
        if data.count(b"[") + data.count(b"{") <= DEEPEST:
            return False
        data = data.decode("latin-1")
    elif data.count("[") + data.count("{") <= DEEPEST:
        return False
    signs = _SIGNS.findall(TEXT.sub("", data))
    return max(accumulate(1 if sign in "[{" else -1 for sign in signs), default=0) > DEEPEST


@functools.lru_cache(maxsize=16)
def _reader(number: Any, constant: Any, members: Any) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=number, parse_float=number, parse_constant=constant, object_pairs_hook=members, strict=False
    )


class Inspected(NamedTuple):
    """A value parsed leniently, and what is wrong with its text."""

    value: Any
    """The value; None when it is ``unreadable``."""
    twice: tuple[str, ...]
    """Names that occur twice in one object."""
    constants: tuple[str, ...]
    """NaN and the infinities as written, and numbers beyond the range of a double."""
    halves: bool
    """Whether it has a lone surrogate or bytes that are not UTF-8."""
    controls: bool
    """Whether a text in it has an unescaped control character."""
    too_deep: bool
    """Whether it is unreadable only because it is too deeply nested."""
    unreadable: bool


def inspected(raw: bytes) -> Inspected:
    """Parses a text that is not strict JSON, or may have a name twice. Never raises: see `Inspected.unreadable`."""
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
        if is_too_deep(text):
            raise RecursionError("more levels than are parsed")
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
    """A function that makes an object from its pairs and adds names that occur twice to ``twice``."""

    def members(pairs: Members) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            often = Counter(name for name, _ in pairs)
            twice.extend(name for name in made if often[name] > 1)
        return made

    return members


def read_or_none(data: bytes | str) -> Any:
    """The value of a JSON text as Python's own parser reads it; None where that refuses it."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def object_of(raw: bytes, most: int) -> dict[str, Any] | None:
    """The object that a record of up to ``most`` bytes is; None for a larger one, other values, and what is no JSON."""
    if len(raw) > most or is_too_deep(raw):
        return None
    value = read_or_none(raw)
    return value if isinstance(value, dict) else None


def _number(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:
        return float("nan")


def _has_control(text: str) -> bool:
    """Whether there is an unescaped control character within quotes."""
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
