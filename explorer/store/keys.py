"""Sort keys: one text for each cell, made so that keys compare (code point by code point) as the values do.

The order, from first to last, for every column and whatever its declared kind:

1. absent (the record lacks the field): no key at all
2. null, then false, then true
3. numbers by exact value: ``-Infinity``, negative, zero (``-0`` is zero), positive, ``Infinity``, ``NaN``; ``1`` equals
   ``1.0`` equals ``1e0``, and integers beyond 2^63 and long decimals lose nothing
4. texts by their casefold, then by their own code points. Only the first `TEXT_BOUND` characters count. Of texts that
   agree in these, the one that ends there comes first; longer ones stay in the order of their rows
5. arrays and objects: empty ones first (``[]`` before ``{}``), then by their label (the first item where that is a
   text, or the declared summary field of the first item or of the object where that is a text, else empty), then by the
   number of items of an array

A record that is not a JSON object has no fields: all its cells are absent.

A key is a text because a page of them is then one small JSON array, and Python compares texts in C.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any

TEXT_BOUND = 256
"""Characters of a text that count in the order."""
DIGITS_BOUND = 1000
"""Digits of a number that count; numbers that agree in these are equal."""

NULL, FALSE, TRUE = "0", "1", "2"
NUMBER, TEXT, NESTED = "3", "4", "5"
ZERO = NUMBER + "2"
EMPTY_TEXT = TEXT + "\n2"
EMPTY_ARRAY, EMPTY_OBJECT = NESTED + "0[", NESTED + "0{"
FULL_OBJECT = NESTED + "1\n2\n10{"
"""The key of an object that has members and no label."""
EMPTY = frozenset((EMPTY_TEXT, EMPTY_ARRAY, EMPTY_OBJECT))

_LOW = re.compile("[\x00-\x0b]")
"""Characters up to \\x0b.

A line feed ends the folded part of a key, so each of these is escaped: \\x0b and a letter.
"""
_HIGH = re.compile("\x0b(.)", re.DOTALL)
_NINES = str.maketrans("0123456789", "9876543210")
_SPECIAL = {"-Infinity": NUMBER + "0", "Infinity": NUMBER + "4", "NaN": NUMBER + "5"}
_TOKEN = re.compile(r"(-?)0*(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?\Z")


class Token(str):
    """A number as the characters that JSON has for it (``1.50``, ``1e400``, ``NaN``), so that no digit is lost."""

    __slots__ = ()


def key_of(value: Any, summary: str = "") -> str:
    """The key of a parsed JSON value; ``summary`` names the inner field that labels an array or object.

    Exact for int, Decimal and `Token`; a float counts as the digits that Python prints. Raises TypeError otherwise.
    """
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
    """The keys of many texts (one or more) at once, which is faster: characters to escape are searched once."""
    if max(map(len, texts)) > TEXT_BOUND or _LOW.search("".join(texts)):
        return [TEXT + text_part(text) for text in texts]
    # Folding neither makes nor takes away characters below the line feed.
    return [
        f"4{fold}\n2" if fold == text else f"4{fold}\n1{text}" if text < fold else f"4{fold}\n3{text}"
        for text, fold in zip(texts, map(str.casefold, texts), strict=True)
    ]


def text_part(text: str) -> str:
    """The folded text, a line feed, a digit that orders the text against its fold, and the text where it differs."""
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
    """The key of an array or object with this label.

    ``count``: items of an array; 0 or 1 for an empty or other object.
    """
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
        # Python refuses to convert integers of more than 4,300 digits to text.
        digits = "".join(map(str, Decimal(abs(number)).as_tuple().digits))
    return _number(number < 0, len(digits), digits)


def token_key(token: str) -> str:
    """The key of a number from its characters. Raises ValueError when they are not a number."""
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
    """The key of 0.``digits`` times ten to the power of ``exponent``; the first digit is not 0."""
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


# -------------------------------------------------------------------- reading a key


def folded(key: str) -> str | None:
    """The casefolded text of a text, or of the label of an array or object; None for other keys."""
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
    """Whether the text is longer than the part of it that the key holds."""
    if key[:1] not in (TEXT, NESTED) or "~" not in key:
        return False
    mark = key.find("\n") + 1
    if mark == 0:
        return False
    own = key[mark + 1 :] if key[0] == TEXT else key[mark + 1 : key.rindex("\n")]
    return own == "~" if key[mark] == "2" else len(own) > TEXT_BOUND


def plain_number(key: str) -> str | None:
    """A number in decimal notation, with an exponent where it would take more than 60 digits; None for other keys."""
    number = number_of(key)
    if number is None:
        return None
    if not number.is_finite():
        return {NUMBER + "0": "-Infinity", NUMBER + "4": "Infinity"}.get(key, "NaN")
    return f"{number:f}" if -60 < number.adjusted() < 60 else str(number)


def number_of(key: str) -> Decimal | None:
    """The exact value of a number's key, its exponent limited to what Decimal can hold; None for other keys."""
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
    """The value of a key for display: the text (its first `TEXT_BOUND` characters), the digits, or the label."""
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
