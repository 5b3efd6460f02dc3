"""JSON that a person types: the first fault with its line, and compact and pretty printing.

`check` finds the first fault. It splits the text more finely than `scan`: a quoted text ends with its line, and
numbers, words and other characters are different kinds, so that the fault is reported where it was typed. `compact` and
`pretty` change only the white space between tokens: numbers, escapes, the order of names and repeated names stay as
typed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from io import StringIO
from typing import Literal, cast

from explorer.jsontext.escape import escaped
from explorer.jsontext.members import finished
from explorer.jsontext.scan import NUMBER, TOKEN, is_closed

TokenKind = Literal["mark", "text", "number", "word", "other"]

_TOKEN = re.compile(
    r"""(?P<space>[ \t\n\r]+)
      | (?P<mark>[{}\[\]:,])
      | (?P<text>"(?:[^"\\\n\r]++|\\.)*+"?)
      | (?P<number>[-+.]?[0-9][0-9A-Za-z_.+-]*)
      | (?P<word>[^\W\d][\w$-]*)
      | (?P<other>'(?:[^'\\\n\r]|\\.)*'?|.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrt]|u[0-9a-fA-F]{4}|(?P<bad>.|$))", re.DOTALL)
_CONTROL = re.compile("[\x00-\x1f]")
_WORDS = {"true", "false", "null"}
_LONG = 100_000
_A_TURN = 400
"""Tokens that are read in one turn of the event loop: a millisecond or two."""
# A Qt text widget changes or drops these characters; as JSON escapes they survive.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Token:
    """One token, and its position in code points."""

    kind: TokenKind
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class JsonFault:
    """The first fault of a text as JSON. ``start`` and ``length`` are in code points, lines count from 1."""

    line: int
    start: int
    length: int
    problem: str

    @property
    def sentence(self) -> str:
        """``Line 3: a colon is missing after "lead_status"``; without a line (0) the problem alone."""
        return f"Line {self.line}: {self.problem}" if self.line else self.problem


def tokens(text: str) -> Iterator[Token]:
    """The tokens of ``text``, valid or not; invalid ones have the kind ``other``."""
    for found in _TOKEN.finditer(text):
        if found.lastgroup != "space":
            yield Token(cast(TokenKind, found.lastgroup), found[0], found.start())


def check(text: str) -> JsonFault | None:
    """The first fault of ``text`` as JSON (RFC 8259: no NaN, comments or trailing commas); None when it is valid."""
    try:
        json.loads(text, parse_int=str, parse_float=str, parse_constant=_refuse)
        return None  # the usual case, in C; the reader below finds out what is wrong
    except (ValueError, RecursionError):
        pass
    return finished(in_pieces(text))[1]


def in_pieces(text: str) -> Generator[None, None, tuple[str, JsonFault | None]]:
    """`compact` of a text of any size, and its first fault; yields now and then, so that it can run on an event loop.

    A text with a fault is returned unchanged.
    """
    reader, tight = _Reader(text), StringIO()
    try:
        for number, token in enumerate(tokens(text), 1):
            if len(token.text) > _LONG:  # finding it took a while, and checking it takes another
                yield
            reader.take(token)
            tight.write(token.text)
            if number % _A_TURN == 0 or len(token.text) > _LONG:
                yield
        reader.end()
    except _Wrong as wrong:
        place = wrong.start
        return text, JsonFault(text.count("\n", 0, place) + 1, place, wrong.length, wrong.problem)
    return tight.getvalue(), None


def compact(text: str) -> str:
    """``text`` without white space between tokens. It must be valid JSON."""
    return "".join(TOKEN.findall(text))


def pretty(text: str) -> str:
    """``text`` with one value on each line, indented; characters that a text field cannot hold become escapes.

    It must be valid JSON.
    """
    out: list[str] = []
    depth = 0
    before = ""
    for piece in TOKEN.findall(text):
        first = piece[0]
        if first in "}]":
            depth -= 1
            if before not in ("{", "["):
                out.append("\n" + "  " * depth)
        elif before in ("{", "[", ","):
            out.append("\n" + "  " * depth)
        elif before == ":":
            out.append(" ")
        if first in "{[":
            depth += 1
        out.append(_UNSAFE.sub(lambda m: escaped(m[0]), piece) if first == '"' else piece)
        before = piece if first in "{}[],:" else "value"
    return "".join(out)


def _refuse(word: str) -> None:
    raise ValueError(word)


class _Wrong(Exception):
    """The first fault was found."""

    def __init__(self, start: int, length: int, problem: str) -> None:
        super().__init__(problem)
        self.start, self.length, self.problem = start, max(length, 1), problem


@dataclass(slots=True)
class _Open:
    """An object or array that is being read, and what is expected next in it."""

    token: Token
    line: int
    expects: Literal["first", "name", "colon", "value", "comma"] = "first"
    name: str = ""
    is_object: bool = field(init=False)

    def __post_init__(self) -> None:
        self.is_object = self.token.text == "{"


class _Reader:
    """Validates one JSON value with a stack of its own, so that nesting is not limited. Raises _Wrong."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[_Open] = []
        self._done = False
        self._last: Token | None = None
        self._counted, self._line = 0, 1

    def _line_at(self, place: int) -> int:
        """The line of a position; call it with ascending positions."""
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
        return self._line

    def end(self) -> None:
        """Call it after the last token. Raises _Wrong for what is still open."""
        if self._open:
            inner = self._open[-1]
            if inner.expects == "colon":
                raise self._at_end(f"a colon is missing after {_short(inner.name)}")
            raise self._at_end(f"the {inner.token.text} of line {inner.line} is not closed")
        if not self._done:
            raise _Wrong(0, len(self._text), "there is no value")

    def _at_end(self, problem: str) -> _Wrong:
        last = self._last
        return _Wrong(last.start, len(last.text), problem) if last else _Wrong(0, 1, problem)

    def take(self, token: Token) -> None:
        """Read one further token."""
        self._put(token)
        self._last = token

    def _put(self, token: Token) -> None:
        if not self._open:
            if self._done:
                raise _Wrong(
                    token.start, len(token.text), f"nothing may follow the end, but {_short(token.text)} does"
                )
            self._value(token)
            return
        inner = self._open[-1]
        if token.kind == "mark" and token.text in "}]":
            self._close(token, inner)
        elif inner.expects == "comma":
            self._comma(token)
            inner.expects = "name" if inner.is_object else "value"
        elif inner.expects == "colon":
            if token.text != ":":
                raise _Wrong(token.start, len(token.text), f"a colon is missing after {_short(inner.name)}")
            inner.expects = "value"
        elif inner.is_object and inner.expects in ("first", "name"):
            self._name(token)
            inner.name, inner.expects = token.text, "colon"
        else:
            inner.expects = "comma"  # for when the value that starts here is over
            self._value(token)

    def _comma(self, token: Token) -> None:
        if token.text == ",":
            return
        before = self._last
        told = f" after {_short(before.text)}" if before else ""
        if token.text == ":":
            raise _Wrong(token.start, 1, f"a colon is not expected{told}")
        raise _Wrong(token.start, len(token.text), f"a comma is missing{told}")

    def _close(self, token: Token, inner: _Open) -> None:
        pair = "}" if inner.is_object else "]"
        if token.text != pair:
            raise _Wrong(
                token.start, 1, f"{token.text} does not close the {inner.token.text} of line {inner.line}"
            )
        if inner.expects == "colon":
            raise _Wrong(token.start, 1, f"a colon is missing after {_short(inner.name)}")
        if inner.expects in ("name", "value"):
            if self._last is not None and self._last.text == ",":
                raise _Wrong(self._last.start, 1, f"there is a comma before the closing {token.text}")
            raise _Wrong(token.start, 1, f"a value is missing after {_short(inner.name)}")
        self._open.pop()
        self._done = not self._open

    def _name(self, token: Token) -> None:
        if token.kind == "text":
            _text_ok(token)
            return
        if token.text == ",":
            raise _Wrong(token.start, 1, "there is a comma too many here")
        if token.kind == "mark":
            raise _Wrong(token.start, 1, f"a name in double quotes is expected before {token.text}")
        raise _Wrong(token.start, len(token.text), f"the name {_short(token.text)} must be in double quotes")

    def _value(self, token: Token) -> None:
        self._done = not self._open
        if token.kind == "mark":
            if token.text in "{[":
                self._open.append(_Open(token, self._line_at(token.start)))
                self._done = False
                return
            told = f" after {_short(self._last.text)}" if self._last and self._last.kind != "mark" else ""
            raise _Wrong(token.start, 1, f"a value is missing before {token.text}" + told)
        if token.kind == "text":
            _text_ok(token)
        elif token.kind == "number":
            if not NUMBER.fullmatch(token.text):
                raise _Wrong(
                    token.start, len(token.text), f"{_short(token.text)} is not how JSON writes a number"
                )
        elif token.text not in _WORDS:
            raise _Wrong(token.start, len(token.text), _word(token.text))


def _word(text: str) -> str:
    if text.lower() in _WORDS:
        return f"{text} is written {text.lower()} in JSON"
    if text.lower() in ("none", "undefined", "nil"):
        return f"{text} is written null in JSON"
    if text.lower() in ("nan", "infinity"):
        return f"JSON has no {text}"
    if text.startswith("'"):
        return f"the text {_short(text)} must be in double quotes"
    if text.startswith("/"):
        return "JSON has no comments"
    if len(text) > 1 or text.isalpha():
        return f"the text {_short(text)} must be in double quotes"
    return f"{_short(text)} is not expected here"


def _text_ok(token: Token) -> None:
    text = token.text
    if not is_closed(text):
        raise _Wrong(token.start, len(text), f"the text {_short(text)} has no closing quote")
    for found in _ESCAPE.finditer(text, 1, len(text) - 1):
        if found["bad"] is not None:
            raise _Wrong(token.start + found.start(), 2, f"{_short(found[0])} is not a valid escape in JSON")
    control = _CONTROL.search(text)
    if control is not None:
        problem = "a text holds a control character: write it as an escape, such as \\t"
        raise _Wrong(token.start + control.start(), 1, problem)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"
