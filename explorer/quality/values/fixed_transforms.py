"""The transforms without parameters: texts, numbers, truth values, escapes, charsets, written-out nulls."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from html.entities import codepoint2name
from typing import Any
from urllib.parse import quote, quote_plus, unquote, unquote_plus

from explorer.quality.values.date_transforms import date_readings
from explorer.quality.values.flat import BOXES
from explorer.quality.values.transform import MISSING, Transform, is_number, of_text

_NUMBER = re.compile(r"\s*([+-]?\d{1,40}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,2})?)\s*", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})*(?:\.\d+)?", re.ASCII)
_PARTED = re.compile(r"[+-]?\d{1,3}(?:([. '\u00a0\u202f])\d{3})(?:\1\d{3})*", re.ASCII)
_THOUSANDS = re.compile(r"[+-]?(?:\d{1,3}|[1-9]\d{0,2},\d{3})", re.ASCII)
_COMMA = re.compile(r"[+-]?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+", re.ASCII)
_BEGUN = re.compile(r"([+-]?\d{1,3})(?:[,. '\u00a0\u202f]\d{3})+", re.ASCII)
_FIRST = re.compile(
    r"(?:[<>≥≤~]|over|from|about)?\s?(?P<number>\d{1,3}(?:,\d{3})+|\d{1,12}(?:\.\d{1,6})?)\s?(?P<scale>[a-z]{1,8})?"
    r"(?:\s?\+|\s?(?:-|–|—|\.\.|to)\s?\d[\d,.]*\s?[a-z]{0,8}\+?)?(?:\s[a-z ]{1,20})?",
    re.ASCII | re.IGNORECASE,
)
"""A number, or a range of two, each with a letter or word for its thousands: ``1K-5K``, ``> 2 mio``, ``11-50``."""
_SCALES = {
    **dict.fromkeys(("k", "tsd", "thousand", "thousands"), 1_000),
    **dict.fromkeys(("m", "mn", "mio", "mln", "million", "millions"), 1_000_000),
    **dict.fromkeys(("b", "bn", "mrd", "billion", "billions"), 1_000_000_000),
}
"""How many times a number is meant by what stands behind it."""
_UNESCAPED = re.compile(r'[^!-~]|[<>"{}|\\^`]')
_TAG = re.compile(r"<[^<>]*>")
_GLUED = re.compile(
    r"[^\s<>](?:<[^<>]*>)*</?(?:blockquote|br|div|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)\b[^<>]*>(?:<[^<>]*>)*[^\s<>]",
    re.IGNORECASE,
)
"""Two words with nothing but tags between them, one of which begins another line."""
_BLOCK = re.compile(
    r"\s*</?(?:blockquote|br|div|h[1-6]|hr|li|ol|p|pre|table|td|th|tr|ul)\b[^<>]*>\s*", re.IGNORECASE
)
_KNOWN_TAG = re.compile(
    r"</?(?:a|b|blockquote|body|br|code|div|em|font|h[1-6]|hr|html|i|img|li|ol|p|pre|s|span|strong|sub|sup|table|tbody"
    r"|td|th|thead|tr|u|ul)(?=[\s/>])[^<>]*>",
    re.IGNORECASE,
)
_BRACKETED = re.compile(
    r"<(?!(?:a|abbr|b|br|button|details|hr|i|img|input|li|ol|option|p|script|td|th|video)\s)\w[^\s<>=/\"]*\s[^<>=/\"]*>"
)
"""Words between the signs of a tag, which are none: ``<later than 9 am>``."""
_BREAK = re.compile(r"[\r\n]+")
_LONG = re.compile(r"-?\d{16,40}", re.ASCII)
_TRUE = frozenset({"true", "yes", "y", "1", "on", "t"})
_FALSE = frozenset({"false", "no", "n", "0", "off", "f"})
_LONGEST, _DIGITS = 100_000, 40
"""Longest text in characters that is tried, and most digits of a number."""
_PYTHON = (*BOXES, bool, str)
"""What Python writes in another way than JSON."""


_text = partial(of_text, longest=_LONGEST)


def number_of(value: Any) -> Any:
    """The number in a text; MISSING where it is not one."""
    if not isinstance(value, str):
        return MISSING
    if value.isdecimal() and value.isascii() and len(value) <= _DIGITS:
        return int(value)  # most are
    if (found := _NUMBER.fullmatch(value)) is None:
        return MISSING
    return _plain(Decimal(found[1]))


def _plain(number: Decimal) -> int | float:
    whole = number == number.to_integral_value()
    return int(number) if whole else float(number)


def _grouped(text: str) -> Any:
    return _plain(Decimal(text.replace(",", ""))) if _GROUPED.fullmatch(text) else MISSING


def _parted(text: str) -> Any:
    """A whole number whose thousands are parted by points, blanks or apostrophes."""
    return int(re.sub(r"[^\d+-]", "", text)) if _PARTED.fullmatch(text) else number_of(text)


def _begun(text: str) -> Any:
    """What reading a number up to its first other sign gives: 1 of ``1,240``."""
    found = _BEGUN.fullmatch(text.strip())
    return int(found[1]) if found else number_of(text)


def _scale_of(text: str) -> tuple[Decimal, int] | None:
    """The first number of a text, and what it is to be multiplied with; None for a text of another form."""
    found = _FIRST.fullmatch(text.strip())
    scale = (found["scale"] or "").casefold() if found else ""
    if found is None or (scale and scale not in _SCALES):
        return None
    return Decimal(found["number"].replace(",", "")), _SCALES.get(scale, 1)


def is_scaled(text: str) -> bool:
    """Whether a letter or word multiplies the first number of a text: ``1K-5K``."""
    found = _scale_of(text)
    return found is not None and found[1] > 1


def _first_scaled(text: str) -> Any:
    found = _scale_of(text)
    return _plain(found[0] * found[1]) if found else MISSING


def _first_bare(text: str) -> Any:
    """The leading digits of a text, whatever multiplies them: 1 of ``1K-5K``."""
    found = _scale_of(text)
    return _plain(found[0]) if found else MISSING


def _comma(text: str) -> Any:
    found = _COMMA.fullmatch(text)
    return _plain(Decimal(text.replace(".", "").replace(",", "."))) if found else MISSING


def _thousands(text: str) -> Any:
    """A number whose comma for thousands is taken for the decimal sign."""
    return _plain(Decimal(text.replace(",", "."))) if _THOUSANDS.fullmatch(text) else MISSING


def is_glued(text: str) -> bool:
    """Whether words of separate lines run into each other where the tags of a text are taken out."""
    return _GLUED.search(text) is not None


def _unescaped_again(text: str) -> Any:
    """A text that is unescaped once more than it was escaped: after the first time it has signs that addresses lack."""
    once = unquote(text)
    return unquote(once) if "%" not in once or _UNESCAPED.search(once) else MISSING


def _unescaped_form(text: str) -> Any:
    """A text of a form unescaped; one with signs that no form leaves as they are was not escaped, nor is its plus."""
    return MISSING if "+" in text and _UNESCAPED.search(text) else unquote_plus(text)


def _unescaped_html_again(text: str) -> Any:
    once = html.unescape(text)
    return html.unescape(once) if html.unescape(once) != once else MISSING


def _lines(between: str) -> Callable[[str], Any]:
    """The text of some HTML, its blocks parted and its entities unescaped."""

    def made(text: str) -> Any:
        if "<" not in text:
            return MISSING
        parts = (_TAG.sub("", one).strip() for one in _BLOCK.split(text))
        return html.unescape(between.join(one for one in parts if one))

    return made


def _lines_again(between: str) -> Callable[[str], Any]:
    once = _lines(between)
    return lambda text: html.unescape(made) if (made := once(text)) is not MISSING else MISSING


def _stripped(tag: re.Pattern[str]) -> Callable[[str], Any]:
    return lambda text: MISSING if is_glued(text) or _BRACKETED.search(text) else tag.sub("", text)


def _unbracketed(text: str) -> Any:
    return MISSING if is_glued(text) else _TAG.sub("", text)


def _run_together(text: str) -> str:
    return _BREAK.sub("", text)


def _glued(text: str) -> Any:
    return MISSING if _BRACKETED.search(text) else _TAG.sub("", text)


def text_of(value: Any) -> Any:
    """A number as text, in its shortest form: ``12``, ``12.5``."""
    if not is_number(value):
        return MISSING
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    return str(value)


def _point(value: Any) -> Any:
    whole = is_number(value) and float(value).is_integer() and abs(value) < 1e15
    return f"{int(value)}.0" if whole else MISSING


def _exponent(value: Any) -> Any:
    if not is_number(value):
        return MISSING
    written = repr(float(value))
    return written if "e" in written else MISSING


def _truth(value: Any) -> Any:
    if is_number(value):
        return {0: False, 1: True}.get(value, MISSING)
    return True if is_yes(value) else False if is_no(value) else MISSING


def is_yes(value: Any) -> bool:
    """Whether a text is a word for true."""
    return isinstance(value, str) and value.strip().casefold() in _TRUE


def is_no(value: Any) -> bool:
    """Whether a text is a word for false."""
    return isinstance(value, str) and value.strip().casefold() in _FALSE


def _opposite(value: Any) -> Any:
    return (not value) if isinstance(value, bool) else MISSING


def _filled(value: Any) -> bool:
    return value is not None and value != "" and value != [] and value != {}


def _doubled(value: Any) -> Any:
    """A long whole number as it is after passing through a double."""
    if isinstance(value, str):
        made = _doubled(int(value)) if _LONG.fullmatch(value) else MISSING
        return made if made is MISSING else str(made)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) < 2**53:
        return MISSING
    return int(Decimal(repr(float(value))))


def _doubled_whole(value: Any) -> Any:
    if isinstance(value, str):
        return str(int(float(int(value)))) if _LONG.fullmatch(value) else MISSING
    long = isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53
    return int(float(value)) if long else MISSING


def _of_width(bits: int, *, signed: bool) -> Callable[[Any], Any]:
    """A whole number as it is in so many bits; one that fits stays as it is."""

    def made(value: Any) -> Any:
        if isinstance(value, str):
            return str(made(int(value))) if _LONG.fullmatch(value) or value.isdecimal() else MISSING
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            return MISSING
        rest = value % 2**bits
        return rest - 2**bits if signed and rest >= 2 ** (bits - 1) else rest

    return made


def _latin(text: str) -> str:
    return text.encode("utf-8").decode("latin-1")


def _windows(text: str) -> str:
    made = []
    for byte in text.encode("utf-8"):
        try:
            made.append(bytes((byte,)).decode("cp1252"))
        except UnicodeDecodeError:
            made.append(chr(byte))
    return "".join(made)


def _foreign(
    sign: str, *, per: Callable[[str], int] = lambda _: 1, beyond: int = 127
) -> Callable[[str], str]:
    """A function that replaces each letter beyond a charset by ``sign``, as often as ``per`` says."""

    def replaced(text: str) -> str:
        return "".join(one if ord(one) <= beyond else sign * per(one) for one in text)

    return replaced


def _units(letter: str) -> int:
    return len(letter.encode("utf-16-le")) // 2


def _bytes(letter: str) -> int:
    return len(letter.encode("utf-8"))


def _bare(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(one for one in apart if not unicodedata.combining(one)))


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _html(quotes: tuple[str, str]) -> Callable[[str], str]:
    def escaped(text: str) -> str:
        made = html.escape(text, quote=False)
        return made.replace('"', quotes[0]).replace("'", quotes[1])

    return escaped


def _entities(text: str) -> str:
    return "".join(f"&{codepoint2name[ord(s)]};" if ord(s) in codepoint2name else s for s in text)


def _unescaped_json(text: str) -> Any:
    made = json.loads(f'"{text}"')
    made.encode()
    return made


def _fixed_up(text: str) -> str:
    return text.encode("latin-1").decode("utf-8")


def _phone(text: str) -> Any:
    digits = "".join(sign for sign in text if sign in "0123456789")
    if not 5 <= len(digits) <= 20 or any(sign.isalpha() for sign in text):
        return MISSING
    return f"+{digits}" if text.lstrip().startswith(("+", "(+")) else digits


def _international(text: str) -> Any:
    return f"+{text[2:]}" if re.fullmatch(r"00[1-9]\d{5,18}", text, re.ASCII) else MISSING


def _no_zeros(text: str) -> Any:
    bare = text.lstrip("0")
    return bare if bare != text and bare[:1].isdigit() else MISSING


def _without(text: str, rest: str) -> Any:
    # A date loses its zone instead, not a character; nothing is lost with a slash at the end.
    return rest if rest and not date_readings(text) and rest + "/" != text else MISSING


def _written(spaces: bool, plain: bool) -> Callable[[Any], Any]:
    def written(value: Any) -> Any:
        if not isinstance(value, BOXES):
            return MISSING
        separators = None if spaces else (",", ":")
        return json.dumps(value, ensure_ascii=not plain, separators=separators)

    return written


def _python(value: Any) -> Any:
    return repr(value) if isinstance(value, _PYTHON) else MISSING


def _object(value: Any) -> Any:
    if isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        return ",".join("[object Object]" for _ in value)
    return "[object Object]" if isinstance(value, dict) else MISSING


def _list(make: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    def of_list(value: Any) -> Any:
        return make(value) if isinstance(value, list) else MISSING

    return of_list


def _nulled(text: str) -> Transform:
    def nulled(value: Any) -> Any:
        return text if value is None else value

    if not text:
        return Transform("null as empty", "is empty where the source is null", False, nulled, 1, True)
    return Transform("null as text", f'is "{text}" where the source is null', True, nulled, 1, True)


T = Transform
TRIMMED = T("trimmed", "is trimmed", False, _text(str.strip))
NUMBER = T("number read", "is read as a number", False, number_of)
TEXT = T("number as text", "is written as text", False, text_of)
LOWER = T("case", "is in lower case", False, _text(str.lower))
THOUSANDS_LEFT_OUT = "thousands left out"
_CHARSET = "decoded with the wrong charset"
_LETTERS = "letters replaced"
_HTML, _URL, _JSON = "escaped for HTML", "escaped for URLs", "escaped for JSON"
_WIDTHS = tuple(
    T(
        "overflow",
        f"overflows at {bits} bits{' with a sign' if signed else ''}",
        True,
        _of_width(bits, signed=signed),
        3,
    )
    for bits in (32, 16)
    for signed in (False, True)
)
TEXTS: tuple[Transform, ...] = (
    TRIMMED,
    T("spaces", "has its runs of spaces joined", False, _text(lambda t: " ".join(t.split())), 2),
    LOWER,
    T("case", "is in upper case", False, _text(str.upper)),
    T("case", "has its first letter in upper case", False, _text(str.capitalize)),
    T("case", "has each word in upper case", False, _text(str.title), 2),
    NUMBER,
    T("number read", "is read as a number with thousands apart", False, _text(_grouped)),
    T("thousands misread", "has its comma for thousands read as a decimal sign", True, _text(_thousands)),
    T("number read", "is read as a number with a comma", False, _text(_comma), 2),
    T("number read", "is read as a number with points for thousands", False, _text(_parted), 2),
    T("boolean words", "is read as true or false", False, _truth),
    T("number begun", "is read as a number only up to the sign between its thousands", True, _text(_begun)),
    T("first of a range", "is the first number of its range", False, _text(_first_scaled), 2),
    T(THOUSANDS_LEFT_OUT, "is a number without the letter for its thousands", True, _text(_first_bare), 3),
    T(_HTML, f"is {_HTML}", True, _text(_html(("&quot;", "&#x27;")))),
    T(_HTML, f"is {_HTML} (&#39;)", True, _text(_html(("&quot;", "&#39;")))),
    T(_HTML, f"is {_HTML} (&#039;)", True, _text(_html(("&quot;", "&#039;")))),
    T(_HTML, f"is {_HTML} (&#34; &#39;)", True, _text(_html(("&#34;", "&#39;")))),
    T(_HTML, f"is {_HTML} (&apos;)", True, _text(_html(("&quot;", "&apos;")))),
    T(_HTML, f"is {_HTML} (double quotes only)", True, _text(_html(("&quot;", "'")))),
    T(_HTML, f"is {_HTML} (quotes left)", True, _text(_html(('"', "'")))),
    T(_HTML, f"is {_HTML} (letters by name)", True, _text(_entities)),
    T(_HTML, f"is {_HTML} (letters by number)", True, _text(lambda t: t.encode("ascii", "xmlcharrefreplace").decode())),
    T(_URL, f"is {_URL}", True, _text(lambda t: quote(t, safe=""))),
    T(_URL, f"is {_URL} (slashes left)", True, _text(lambda t: quote(t, safe="/"))),
    T(_URL, f"is {_URL} (signs left)", True, _text(lambda t: quote(t, safe="!'()*~-_."))),
    T(_URL, f"is {_URL} (whole address)", True, _text(lambda t: quote(t, safe=";,/?:@&=+$-_.!~*'()#"))),
    T(_URL, f"is {_URL} (+ for spaces)", True, _text(quote_plus)),
    T(_JSON, f"is {_JSON}", True, _text(lambda t: json.dumps(t, ensure_ascii=False)[1:-1])),
    T(_JSON, f"is {_JSON} (letters too)", True, _text(lambda t: json.dumps(t)[1:-1])),
    T("quoted", "is in quotes", True, _text(lambda t: json.dumps(t, ensure_ascii=False)), 2),
    T("quoted", "is in quotes, with letters escaped", True, _text(json.dumps), 3),
    T("quoted", "is in single quotes", True, _text(repr), 2),
    T("unescaped", "is unescaped from HTML", False, _text(html.unescape)),
    T("unescaped", "is unescaped from a URL", False, _text(unquote)),
    T("unescaped again", "is unescaped from a URL once too often", True, _text(_unescaped_again)),
    T("unescaped", "is unescaped from a URL with +", False, _text(_unescaped_form)),
    T("unescaped again", "is unescaped from HTML once too often", True, _text(_unescaped_html_again)),
    T("unescaped", "is unescaped from JSON", False, _text(_unescaped_json)),
    T(_CHARSET, f"is {_CHARSET} (UTF-8 as Latin-1)", True, _text(_latin)),
    T(_CHARSET, f"is {_CHARSET} (UTF-8 as Windows-1252)", True, _text(_windows)),
    T("charset repaired", "is decoded as UTF-8 again", False, _text(_fixed_up)),
    T(_LETTERS, "has question marks in place of letters", True, _text(_foreign("?"))),
    T(_LETTERS, "has two question marks in place of some letters", True, _text(_foreign("?", per=_units))),
    T(_LETTERS, "has a question mark in place of each byte of a letter", True, _text(_foreign("?", per=_bytes))),
    T(_LETTERS, "has question marks in place of letters beyond Latin-1", True, _text(_foreign("?", beyond=255))),
    T(_LETTERS, "has U+FFFD in place of letters", True, _text(_foreign("\ufffd"))),
    T(_LETTERS, "has U+FFFD in place of each byte of a letter", True, _text(_foreign("\ufffd", per=_bytes))),
    T("letters lost", "loses all letters beyond ASCII", True, _text(_foreign(""))),
    T("letters lost", "loses signs beyond the basic plane", True, _text(_foreign("", beyond=0xFFFF))),
    T("accents stripped", "loses its accents", True, _text(_bare)),
    T("accents stripped", "is reduced to ASCII letters", True, _text(_ascii)),
    T("Unicode form", "is in Unicode's composed form", False, _text(lambda t: unicodedata.normalize("NFC", t))),
    T("Unicode form", "is in Unicode's decomposed form", False, _text(lambda t: unicodedata.normalize("NFD", t))),
    T("tags stripped", "is without its HTML tags", False, _text(_stripped(_TAG))),
    T("text of HTML", "is the text of its HTML", False, _text(_lines("\n")), 2),
    T("text of HTML", "is the text of its HTML, with a blank line for each block", False, _text(_lines("\n\n")), 3),
    T("text of HTML", "is the text of its HTML, in one line", False, _text(_lines(" ")), 3),
    T("unescaped again", "is the text of its HTML, unescaped once too often", True, _text(_lines_again("\n")), 3),
    T("unescaped again", "is its HTML in one line, unescaped once too often", True, _text(_lines_again(" ")), 4),
    T("words joined", "joins the words of separate lines without a space", True, _text(_glued), 2),
    T("words in brackets lost", "loses the words between < and >, which are no tag", True, _text(_unbracketed), 2),
    T("line breaks lost", "loses its line breaks, so that words run together", True, _text(_run_together), 2),
    T("tags stripped", "is without the usual HTML tags", False, _text(_stripped(_KNOWN_TAG)), 2),
    T("tags stripped", "is without its HTML tags, a space for each", False, _text(lambda t: _TAG.sub(" ", t)), 2),
    T("slash dropped", "is without the slash behind it", False, _text(lambda t: t.removesuffix("/")), 2),
    T("phone number", "is normalised as a phone number", False, _text(_phone)),
    T("phone number", "is normalised to +", False, _text(_international)),
    T("leading zeros lost", "loses its leading zeros", True, _text(_no_zeros)),
    T("plus sign lost", "loses its plus sign", True, _text(lambda t: t[1:] if t[:1] == "+" else MISSING)),
    T("digits lost", "loses digits (read as a double)", True, _doubled),
    T("digits lost", "loses digits (whole value of a double)", True, _doubled_whole),
    *_WIDTHS,
    T("first character lost", "loses its first character", True, _text(lambda t: _without(t, t[1:])), 2),
    T("last character lost", "loses its last character", True, _text(lambda t: _without(t, t[:-1])), 2),
    T("empty as null", "is null where the source is empty", False, lambda v: None if v == "" else v),
)  # fmt: skip
"""For texts, including numbers written as text."""
OTHERS: tuple[Transform, ...] = (
    TEXT,
    T("decimal point added", "is written as text with a decimal point", True, _point),
    T("exponent", "is written as text with an exponent", True, _exponent),
    T("digits lost", "loses digits (read as a double)", True, _doubled),
    T("digits lost", "loses digits (whole value of a double)", True, _doubled_whole),
    *_WIDTHS,
    T("fraction lost", "loses its fraction", True, lambda v: int(v) if isinstance(v, float) else MISSING),
    T("boolean words", "is read as true or false", False, _truth),
    T("boolean as number", "is 1 or 0", False, lambda v: int(v) if isinstance(v, bool) else MISSING),
    T("boolean as text", "is written as text", False, lambda v: str(v).lower() if isinstance(v, bool) else MISSING),
    T("boolean inverted", "is the opposite", False, _opposite),
    T("Python text", "is written as Python writes it", True, _python),
    T("JSON text", "is written as JSON text", True, _written(False, True)),
    T("JSON text", "is written as JSON text (with spaces)", True, _written(True, True)),
    T("JSON text", "is written as JSON text (letters as they are)", True, _written(False, False)),
    T("JSON text", "is written as JSON text (with spaces, letters as they are)", True, _written(True, False)),
    T("object as text", 'is "[object Object]"', True, _object),
    T("first item", "is the first item", False, _list(lambda v: v[0])),
    T("last item", "is the last item", False, _list(lambda v: v[-1]), 2),
    T("count", "is the number of items", False, _list(len)),
    T("listed", "is put into a list", False, lambda v: [v], 2),
    T("there", "says whether there is something", False, _filled, 5, True),
    T("not there", "says whether there is nothing", False, lambda v: not _filled(v), 5, True),
)  # fmt: skip
"""For numbers, truth values, arrays, objects and null."""
NULLS = tuple(_nulled(text) for text in ("null", "None", "undefined", "NaN", "nil", "[object Object]", ""))
"""Null written as a text, any other value unchanged; only an empty text loses nothing."""
