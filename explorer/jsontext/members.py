"""Finds the position of each member of an object or array in the bytes, also in invalid JSON.

Nothing is converted or dropped. msgspec splits well-formed values at memory speed (40 MB in 10 ms, measured). Where it
refuses (NaN, lone surrogates, control characters, cut-off text) or would lose something (a key that occurs twice), a
tolerant walk over the bytes looks for quotes and brackets only. Neither raises on invalid JSON; `cut` does.

The walks are generators that yield None now and then, so that a caller can do other work in between ("a pause" below).
"""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Literal, NamedTuple, TypeVar, cast

from explorer.jsontext.escape import lenient_text, read_excerpt, read_text
from explorer.jsontext.pointer import number, steps
from explorer.jsontext.quick import ARRAY, OBJECT, refusals
from explorer.jsontext.scan import BARE_BYTES, NUMBER_BYTES, TEXT_BYTES, WHOLE_TEXTS_BYTES

Result = TypeVar("Result")
TokenKind = Literal["null", "text", "number", "boolean", "array", "object", "invalid"]

_BLANKS = b" \t\r\n"
_SPACE = re.compile(rb"[ \t\r\n]{0,16384}+")
_TURNS = re.compile(rb'["\[\]{}]')
_PLAIN_VALUE = rb'(?:"[^"\\]{0,2000}+"|[^,\]\}\s:"\[\{]{1,2000}+)'
_PLAIN_ITEM = re.compile(rb"(" + _PLAIN_VALUE + rb")[ \t\r\n]{0,2000}+,[ \t\r\n]{0,2000}+")
_PLAIN_MEMBER = re.compile(
    rb'("[^"\\]{0,2000}+")[ \t\r\n]{0,2000}+:[ \t\r\n]{0,2000}+('
    + _PLAIN_VALUE
    + rb")[ \t\r\n]{0,2000}+,[ \t\r\n]{0,2000}+"
)
STRETCH = 1 << 14
"""Bytes between two pauses of a walk: a millisecond where they are all punctuation and short texts."""
_FAR = 1 << 26
"""Bytes that are searched for a quote between two pauses, at memory speed: some milliseconds."""
_PACE, _SEARCH = 5, 6
"""How much faster quoted texts, and what is neither text nor bracket, are walked, as powers of two."""
LONGEST_NAME = 100_000
"""The most bytes of a member's name that are read; a longer one is shortened to these."""
_LONGEST_NUMBER = 1 << 16
"""The most bytes of a number that are checked; of a longer one only its beginning."""
_BRACKETS = 48
"""Brackets that are walked one by one before whole stretches are counted. Most values end within these."""
_DIGITS = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][+-]?[0-9]*)?\Z")
"""The beginning of a number."""
_IN_TEXT = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+){0,4096}+', re.DOTALL)
"""Continues inside a quoted text, over at most as many escapes as fit between two pauses."""

_FIRST: dict[int, TokenKind] = {0x22: "text", 0x5B: "array", 0x7B: "object"}
_WORDS: dict[bytes, TokenKind] = {b"null": "null", b"true": "boolean", b"false": "boolean"}


class Member(NamedTuple):
    """One member of an object or item of an array, as positions in the bytes."""

    key: str
    """The member's name; empty for an item."""
    key_start: int
    """Where the quoted name starts; for an item, where the value starts."""
    start: int
    end: int


class Parts(NamedTuple):
    """The members directly inside one object or array."""

    members: tuple[Member, ...]
    fault: str = ""
    """What is wrong with the text, in words; empty when it is well-formed."""


def kind_at(data: bytes, start: int, end: int) -> TokenKind:
    """The kind of the value ``data[start:end]``, which must have no white space around it."""
    if start >= end:
        return "invalid"
    by_first = _FIRST.get(data[start])
    if by_first is not None:
        return by_first
    if end - start <= 5:
        word = _WORDS.get(data[start:end])
        if word is not None:
            return word
    if end - start > _LONGEST_NUMBER:
        return "number" if _DIGITS.match(data, start, start + _LONGEST_NUMBER) else "invalid"
    return "number" if NUMBER_BYTES.fullmatch(data, start, end) else "invalid"


def trim(data: bytes, start: int = 0, end: int | None = None) -> tuple[int, int]:
    """``start`` and ``end`` without white space at either side."""
    end = len(data) if end is None else end
    while start < end and data[start] in _BLANKS:
        start = _end(_SPACE.match(data, start, end), start)
    while end > start and data[end - 1] in _BLANKS:
        first = max(start, end - STRETCH)
        end = first + len(data[first:end].rstrip(_BLANKS))
    return start, end


def parts(data: bytes, start: int, end: int) -> Parts:
    """The members of the object or array ``data[start:end]``; none for any other value. Never raises."""
    if start >= end or data[start] not in b"{[":
        return Parts(())
    quick = _quick_parts(data, start, end)
    return quick if quick is not None else _slow_parts(data, start, end)


def place_of(data: bytes, pointer: str) -> Member | None:
    """The position of a JSON pointer's value (RFC 6901) in ``data``; None when there is none.

    Of equal names the last one counts.
    """
    start, end = trim(data)
    found = Member("", start, start, end)
    for name in steps(pointer):
        inside = parts(data, found.start, found.end).members
        if kind_at(data, found.start, found.end) == "array":
            place = number(name, len(inside))
            hit = None if place is None else inside[place]
        else:
            hit = next((m for m in reversed(inside) if m.key == name), None)
        if hit is None:
            return None
        found = hit
    return found


def _quick_parts(data: bytes, start: int, end: int) -> Parts | None:
    """The members by the lengths that msgspec finds, checked against the bytes; None when these do not agree."""
    view = memoryview(data)[start:end]
    try:
        if data[start] == 0x5B:
            return _place_items(data, start, end, [len(memoryview(r)) for r in ARRAY.decode(view)])
        found = OBJECT.decode(view)
        return _place_members(data, start, end, [(k, len(memoryview(r))) for k, r in found.items()])
    except refusals():
        return None


def _place_items(data: bytes, start: int, end: int, lengths: list[int]) -> Parts | None:
    made = []
    at = start + 1
    space = _SPACE.match
    for length in lengths:
        if data[at] in b" \t\r\n":
            at = _end(space(data, at), at)
        made.append(Member("", at, at, at + length))
        at += length
        if data[at] != 0x2C:
            at = _end(space(data, at), at)
        if data[at] == 0x2C:
            at += 1
    at = _end(space(data, at), at)
    return Parts(tuple(made)) if at == end - 1 else None


def _place_members(data: bytes, start: int, end: int, lengths: list[tuple[str, int]]) -> Parts | None:
    made = []
    at = start + 1
    for key, length in lengths:
        at = _end(_SPACE.match(data, at), at)
        if data[at] != 0x22:
            return None
        key_start = at
        at = skip_text(data, at, end)
        if read_text(data, key_start, at) != key:  # a key occurs twice: msgspec has one entry for both
            return None
        at = _end(_SPACE.match(data, at), at)
        if data[at] != 0x3A:
            return None
        at = _end(_SPACE.match(data, at + 1), at + 1)
        made.append(Member(key, key_start, at, at + length))
        at = _end(_SPACE.match(data, at + length), at + length)
        if at < end - 1:
            if data[at] != 0x2C:
                return None
            at += 1
    return Parts(tuple(made)) if at == end - 1 else None


def _end(match: re.Match[bytes] | None, default: int) -> int:
    return match.end() if match else default


def _slow_parts(data: bytes, start: int, end: int) -> Parts:
    """The members by the tolerant walk, with what is wrong. Never raises."""
    walk = walked(data, start, end)
    made: list[Member] = []
    while True:
        try:
            member = next(walk)
        except StopIteration as over:
            return Parts(tuple(made), str(over.value))
        if member is not None:
            made.append(member)


def walked(data: bytes, start: int, end: int, at: int | None = None) -> Generator[Member | None, None, str]:
    """Yields the members of the object or array ``data[start:end]``, and returns what is wrong with it.

    A yielded None is a pause: no member yet, but as many bytes were walked as one turn of an event loop should. So a
    caller bounds its work by counting what it gets, whatever the text is. ``at``: begin with the member at that
    position.
    """
    is_object = data[start] == 0x7B
    closing = 0x7D if is_object else 0x5D
    plain = (_PLAIN_MEMBER if is_object else _PLAIN_ITEM).match
    fault, gone = "", 0
    at = start + 1 if at is None else at
    while at < end and data[at] != closing:
        if data[at] in _BLANKS:
            at = yield from _blanks_skipped(data, at, end)
            continue
        usual = plain(data, at, end)
        if usual is not None:
            first = usual.start()
            key = read_text(data, first, usual.end(1)) if is_object else ""
            value = usual.span(2 if is_object else 1)
            at = usual.end()
            yield Member(key, first, *value)
            continue
        key, key_start = "", at
        if is_object:
            at = yield from _skipped(data, at, end)
            key = _name(data, key_start, at)
            at = yield from _blanks_skipped(data, at, end)
            if at < end and data[at] == 0x3A:
                at = yield from _blanks_skipped(data, at + 1, end)
            else:
                fault = fault or "a member without a colon"
        value_start = at
        at = yield from _skipped(data, at, end)
        yield Member(key, key_start, value_start, at)
        gone += (at - value_start) >> (0 if data[value_start : value_start + 1] in (b"{", b"[") else _PACE)
        if gone >= STRETCH:  # many small values take as long as one large value
            gone = 0
            yield None
        at = yield from _blanks_skipped(data, at, end)
        if at < end and data[at] == 0x2C:
            at += 1
        elif at < end and data[at] != closing:
            fault = fault or "a comma is missing"
            at += at == key_start  # always advance
    if at >= end:
        fault = fault or "the text ends before its closing bracket"
    return fault


def _name(data: bytes, start: int, end: int) -> str:
    if data[start] == 0x22:
        return read_excerpt(data, start, end, LONGEST_NAME)[0]
    return lenient_text(data[start : min(end, start + LONGEST_NAME)])


def _blanks_skipped(data: bytes, at: int, end: int) -> Generator[None, None, int]:
    while at < end and data[at] in _BLANKS:
        stop = _end(_SPACE.match(data, at, end), at)
        if stop - at >= STRETCH:
            yield None
        at = stop
    return at


def skip_value(data: bytes, at: int, end: int) -> int:
    """The end of the value that starts at ``at``; ``end`` when it is cut off."""
    return finished(_skipped(data, at, end))


def _skipped(data: bytes, at: int, end: int) -> Generator[None, None, int]:
    """`skip_value` with pauses. Stretches in which the value cannot end are counted as a whole, at memory speed."""
    if at >= end:
        return end
    first = data[at]
    if first == 0x22:
        return (yield from _text_skipped(data, at, end))
    if first not in b"{[":
        return (yield from _bare_skipped(data, at, end))
    depth, width, done = 0, 256, 0
    while at < end:
        for _ in range(_BRACKETS):
            turn = _TURNS.search(data, at, min(at + (STRETCH << _SEARCH), end))
            if turn is None:
                if (at := at + (STRETCH << _SEARCH)) >= end:
                    return end
                yield None
                continue
            at = turn.start()
            if data[at] == 0x22:
                at = yield from _text_skipped(data, at, end)
                continue
            depth += 1 if data[at] in b"{[" else -1
            at += 1
            if depth == 0:
                return at
        done += _BRACKETS << 5
        while True:
            stop = _end(WHOLE_TEXTS_BYTES.match(data, at, min(at + width, end)), at)
            bare = TEXT_BYTES.sub(b"", data[at:stop])
            closed = bare.count(b"}") + bare.count(b"]")
            if closed >= depth or stop == at:
                width = 256
                break
            depth += bare.count(b"{") + bare.count(b"[") - closed
            done += stop - at
            at, width = stop, min(width * 2, STRETCH)
            if done >= STRETCH:
                done = 0
                yield None
        if done >= STRETCH:
            done = 0
            yield None
    return end


def skip_text(data: bytes, at: int, end: int) -> int:
    """The position after the closing quote of the text that starts at ``at``; ``end`` when it is cut off."""
    return finished(_text_skipped(data, at, end))


def _text_skipped(data: bytes, at: int, end: int) -> Generator[None, None, int]:
    at = far = at + 1
    while (quote := data.find(b'"', far, min(far + _FAR, end))) < 0:
        if (far := far + _FAR) >= end:
            return end
        yield None
    if data[quote - 1] != 0x5C:
        return quote + 1
    while at < end:  # a backslash precedes the quote: step over escapes, a bounded number at a time
        at = _end(_IN_TEXT.match(data, at, min(at + (STRETCH << _PACE), end)), at)
        if at < end and data[at] == 0x22:
            return at + 1
        if at >= end - 1:
            return end
        yield None
    return end


def _bare_skipped(data: bytes, at: int, end: int) -> Generator[None, None, int]:
    while True:
        stop = _end(BARE_BYTES.match(data, at, min(at + STRETCH, end)), at)
        if stop - at < STRETCH:
            return stop
        at = stop
        yield None


def finished(steps: Generator[object, None, Result]) -> Result:
    """Runs a walk to its end at once, without pauses, and returns its result."""
    while True:
        try:
            next(steps)
        except StopIteration as over:
            return cast(Result, over.value)


def value_text(raw: bytes) -> str:
    """One value as text: a text unescaped and without quotes, anything else as written."""
    start, end = trim(raw)
    if kind_at(raw, start, end) == "text":
        return read_text(raw, start, end)
    return lenient_text(raw[start:end])
