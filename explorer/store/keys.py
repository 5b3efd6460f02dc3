"""The order of values: one text per cell that compares, code point by code point, as the values themselves do.

The order, from first to last, for every column and whatever its declared kind:

1. absent (the record lacks the field): no key at all
2. null, then false, then true
3. numbers by exact value: ``-Infinity``, negative, zero (``-0`` is zero), positive, ``Infinity``, ``NaN``; ``1`` equals
   ``1.0`` equals ``1e0``, and integers beyond 2^63 and long decimals lose nothing
4. texts by their casefold, then by their own code points. The first `TEXT_BOUND` characters count; of texts that
   agree in these, whole ones come before longer ones, and longer ones keep the order of the rows
5. arrays and objects: empty ones (``[]`` before ``{}``), then by the text that stands for them (the first item that
   is a text, or the declared field of the first item or of the object where that is a text, else an empty text), then
   by how many items an array has

A record that is no JSON object has no fields: all its cells are absent.

Keys are texts so that a page of them is one small JSON array, and so that Python compares them in C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

TEXT_BOUND = 256
"""Characters of a text that count in the order."""
DIGITS_BOUND = 1000
"""Digits of a number that count; a number of more digits equals one that agrees in these."""

NULL, FALSE, TRUE = "0", "1", "2"
NUMBER, TEXT, NESTED = "3", "4", "5"
ZERO = NUMBER + "2"
EMPTY_TEXT = TEXT + "\n2"
EMPTY_ARRAY, EMPTY_OBJECT = NESTED + "0[", NESTED + "0{"
FULL_OBJECT = NESTED + "1\n2\n10{"
"""An object with members that nothing stands for."""
EMPTY = frozenset((EMPTY_TEXT, EMPTY_ARRAY, EMPTY_OBJECT))

_LOW = re.compile("[\x00-\x0b]")
"""Characters up to the one after the line feed, which ends a folded text; each is written as \\x0b and a sign."""
_HIGH = re.compile("\x0b(.)", re.DOTALL)
_NINES = str.maketrans("0123456789", "9876543210")
_SPECIAL = {"-Infinity": NUMBER + "0", "Infinity": NUMBER + "4", "NaN": NUMBER + "5"}
_TOKEN = re.compile(r"(-?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\Z")


class Token(str):
    """A number by its own characters, as JSON has it (``1.50``, ``1e400``, ``NaN``)."""

    __slots__ = ()


def key_of(value: Any, summary: str = "") -> str:
    """The key of a JSON value as Python has it. Exact for int, Decimal and `Token`; a float counts as its digits."""
    maker = _MAKERS.get(type(value))
    if maker is not None:
        return maker(value)
    if isinstance(value, list):
        return nested_key("[", _label(value[0], summary) if value else "", len(value))
    if isinstance(value, dict):
        return nested_key("{", _label(value, summary), 1 if value else 0)
    raise TypeError(type(value).__name__)


def _label(item: Any, summary: str) -> str:
    if isinstance(item, dict) and summary:
        item = item.get(summary)
    return item if isinstance(item, str) and not isinstance(item, Token) else ""


def text_key(text: str) -> str:
    """The key of a text."""
    return TEXT + text_part(text)


def text_keys(texts: Sequence[str]) -> list[str]:
    """The keys of many texts at once: one look for rare characters in all of them."""
    if max(map(len, texts)) > TEXT_BOUND or _LOW.search("".join(texts)):
        return [TEXT + text_part(text) for text in texts]
    # Folding neither makes nor takes away characters below the line feed.
    return [
        f"4{fold}\n2" if fold == text else f"4{fold}\n1{text}" if text < fold else f"4{fold}\n3{text}"
        for text, fold in zip(texts, map(str.casefold, texts), strict=True)
    ]


def text_part(text: str) -> str:
    """The folded text, a line feed, and the text itself unless it is its own fold (``2``)."""
    cut = ""
    if len(text) > TEXT_BOUND:
        text, cut = text[:TEXT_BOUND], "~"
    fold = text.casefold()
    shown = _LOW.sub(_escaped, fold) if _LOW.search(fold) else fold
    if fold == text:
        return f"{shown}\n2{cut}"
    return f"{shown}\n1{text}{cut}" if text < fold else f"{shown}\n3{text}{cut}"


def _escaped(match: re.Match[str]) -> str:
    return "\x0b" + chr(ord(match.group()) + 0x30)


def _unescaped(match: re.Match[str]) -> str:
    return chr(ord(match.group(1)) - 0x30)


def nested_key(opening: str, label: str, count: int) -> str:
    """The key of an array or object. ``count``: items of an array, 0 or 1 for an object without or with members."""
    if not count:
        return NESTED + "0" + opening
    number = str(count if opening == "[" else 0)
    return f"{NESTED}1{text_part(label)}\n{len(number)}{number}{opening}"


def int_key(number: int) -> str:
    """The key of a whole number of any size."""
    if not number:
        return ZERO
    try:
        digits = str(abs(number))
    except ValueError:
        # Python writes no longer ones as text unless told to.
        digits = "".join(map(str, Decimal(abs(number)).as_tuple().digits))
    return _number(number < 0, len(digits), digits)


def token_key(token: str) -> str:
    """The key of a number's own characters. Raises ValueError when they are none."""
    if token in _SPECIAL:
        return _SPECIAL[token]
    match = _TOKEN.match(token)
    if match is None or token in ("", "-"):
        raise ValueError(token[:20])
    sign, whole, fraction, exponent = match.groups()
    digits = whole + (fraction or "")
    if exponent and len(exponent) > 100:
        exponent = exponent[0].strip("0123456789") + "9" * 99
    place = len(whole) + int(exponent or 0)
    lead = len(digits) - len(digits.lstrip("0"))
    return _number(bool(sign), place - lead, digits[lead:])


def _number(negative: bool, exponent: int, digits: str) -> str:
    """The key of 0.``digits`` times ten to ``exponent``; the first digit is none of 0."""
    digits = digits[:DIGITS_BOUND].rstrip("0")
    if not digits:
        return ZERO
    if -5000 < exponent < 4999:
        scale = f"{exponent + 5000:04d}"
    else:
        size = str(abs(exponent))
        long = f"{len(size):03d}{size}"
        scale = "9999" + long if exponent > 0 else "0000" + long.translate(_NINES)
    if not negative:
        return f"{NUMBER}3{scale}{digits}"
    return f"{NUMBER}1{(scale + digits).translate(_NINES)}~"


_FLOATS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}
_MAKERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda _: NULL,
    bool: lambda value: TRUE if value else FALSE,
    int: int_key,
    Token: token_key,
    Decimal: lambda value: token_key(str(value)),
    float: lambda value: token_key(_FLOATS.get(repr(value), repr(value))),
    str: text_key,
}


# -------------------------------------------------------------------- what a key says


def folded(key: str) -> str | None:
    """The casefolded text that a text, an array or an object is found by; None for other keys."""
    if key[:1] == TEXT:
        fold = key[1 : key.index("\n")]
    elif key[:2] == NESTED + "1":
        fold = key[2 : key.index("\n")]
    elif key[:1] == NESTED:
        return ""
    else:
        return None
    return _HIGH.sub(_unescaped, fold) if "\x0b" in fold else fold


def is_cut(key: str) -> bool:
    """True when the text was longer than what its key holds."""
    if key[:1] not in (TEXT, NESTED) or "~" not in key:
        return False
    mark = key.find("\n") + 1
    if mark == 0:
        return False
    own = key[mark + 1 :] if key[0] == TEXT else key[mark + 1 : key.rindex("\n")]
    return own == "~" if key[mark] == "2" else len(own) > TEXT_BOUND


def plain_number(key: str) -> str | None:
    """A number in plain decimal notation where that takes at most 60 characters, else with an exponent; else None."""
    number = number_of(key)
    if number is None:
        return None
    if not number.is_finite():
        return {NUMBER + "0": "-Infinity", NUMBER + "4": "Infinity"}.get(key, "NaN")
    return f"{number:f}" if -60 < number.adjusted() < 60 else str(number)


def number_of(key: str) -> Decimal | None:
    """The exact value of a number's key (its exponent bounded as Decimal's is), or None."""
    if key[:1] != NUMBER:
        return None
    if key in _SPECIAL.values():
        return Decimal({NUMBER + "0": "-Infinity", NUMBER + "4": "Infinity"}.get(key, "NaN"))
    if key == ZERO:
        return Decimal(0)
    body = key[2:]
    negative = key[1] == "1"
    if negative:
        body = body[:-1].translate(_NINES)
    scale, rest = body[:4], body[4:]
    exponent = int(scale) - 5000
    if scale in ("9999", "0000"):
        tail = rest if scale == "9999" else rest.translate(_NINES)
        length = int(tail[:3])
        size, rest = int(tail[3 : 3 + length]), rest[3 + length :]
        exponent = size if scale == "9999" else -size
    exponent = max(min(exponent, 10**17), -(10**17))
    return Decimal((int(negative), tuple(map(int, rest)), exponent - len(rest)))


def text_of(key: str) -> str:
    """What a key stands for, for a person: the text (its first `TEXT_BOUND` characters), digits, or the label."""
    named = {NULL: "null", FALSE: "false", TRUE: "true", EMPTY_ARRAY: "[]", EMPTY_OBJECT: "{}"}
    if key in named:
        return named[key]
    number = plain_number(key)
    if number is not None:
        return number
    mark = key.index("\n") + 1
    own = key[mark + 1 :] if key[0] == TEXT else key[mark + 1 : key.rindex("\n")]
    if is_cut(key):
        own = own[:-1]
    return (folded(key) or "") if key[mark] == "2" else own
