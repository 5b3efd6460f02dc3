"""One record as the checks see it: its bytes parsed once, and what is wrong with the bytes themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.jsontext.escape import ESCAPED_HALF
from explorer.jsontext.read import DEEPEST, inspected, is_too_deep
from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import shown

_SPACED = re.compile(rb'"[ \t\r\n]+:')
"""A colon after a quote and a space, where counting quotes and colons decides nothing."""
_BEHIND = re.compile(rb'\\":')
"""A colon after an escaped quote."""
_decode, _encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
_REFUSED = (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError, TypeError, ValueError)
TOGETHER, _MOST_BYTES = 128, 256 * 1024
"""Most records that are looked at together, and most bytes of them; a time budget is checked after each such batch."""

PLACE = object()
"""In place of a value: only where the record is matters."""
NUMBER = "\0"
"""The prefix of a record's key where its id is a number."""


@dataclass(slots=True)
class Row:
    """A record of a walk or a batch read."""

    number: int
    """Counted from 1 over the walk."""
    page: int | None
    exchange: int
    raw: bytes
    value: Any
    """The parsed value; None with ``unreadable`` where parsing failed."""
    twice: tuple[str, ...] = ()
    """Names that occur twice in one object."""
    constants: tuple[str, ...] = ()
    """NaN and the infinities, as written, and numbers beyond the range of a double."""
    halves: bool = False
    """Whether a text of it has an unpaired surrogate, or bytes that are not UTF-8."""
    controls: bool = False
    """Whether a text of it has a control character that is not escaped."""
    too_deep: bool = False
    """Whether it is unreadable only because it is nested too deeply."""
    unreadable: bool = False
    flagged: set[str] = field(default_factory=set)
    """Top-level fields that a check has reported already."""
    beside: Any = None
    """Its raw data, where that stands in the page's envelope; None where it does not."""
    shown: bool = False
    """Whether it was made the example of a finding."""

    def __deepcopy__(self, _: object) -> Row:
        # The value never changes and may be large, so only what checks note on the row is copied.
        return replace(self, flagged=set(self.flagged))

    @property
    def spoiled(self) -> bool:
        """Whether readers may disagree on what it holds: nothing further is reported of such a record."""
        return bool(self.twice or self.constants or self.halves or self.controls or self.unreadable)

    @property
    def record(self) -> Mapping[str, Any] | None:
        """The record when it is an object."""
        return self.value if isinstance(self.value, dict) else None

    @property
    def id(self) -> str:
        """Its id as text; empty when it has none."""
        ident = self.value.get("id") if isinstance(self.value, dict) else None
        if isinstance(ident, str):
            return ident
        return str(ident) if isinstance(ident, int | float) and not isinstance(ident, bool) else ""

    @property
    def key(self) -> str:
        """Its id with its type: a number is not the same as a text of the same digits, though it may be meant to be."""
        ident = self.id
        return ident if not ident or isinstance(self.value["id"], str) else f"{NUMBER}{ident}"

    def example(self, value: Any = None, *, text: str | None = None) -> Example:
        """This row as the place of a finding; with `PLACE` as its value it is counted, and never shown."""
        if value is PLACE:
            return Example(self.page, self.number, self.exchange, self.id[:100])
        self.shown = True
        return Example(
            self.page, self.number, self.exchange, self.id[:100], shown(value) if text is None else text
        )


def read_row(raw: bytes, number: int, page: int | None, exchange: int) -> Row:
    """Parses one record. Never raises: a failure is noted on the row."""
    try:
        value = _decode(raw)
        if not is_too_deep(raw) and _is_plain(raw, value):
            return Row(number, page, exchange, raw, value)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        pass
    return Row(number, page, exchange, raw, *inspected(raw))


def read_rows(raws: Sequence[bytes], number: int, page: int | None, exchange: int) -> list[Row]:
    """Parses records as `read_row` does, in less time; ``number`` is that of the first.

    Returns as many as are looked at together, at least one.
    """
    count = size = 0
    for raw in raws[:TOGETHER]:
        size += len(raw)
        if count and size > _MOST_BYTES:
            break
        count += 1
    some = raws[:count]
    try:
        values = list(map(_decode, some))
        written = list(map(_encode, values))
    except _REFUSED:
        values, written = [], []
    # Each level of what was parsed has two brackets, so that a short record is never too deep.
    may_be_deep = max(map(len, some), default=0) > 2 * DEEPEST
    if not values or (may_be_deep and any(map(is_too_deep, some))):
        return [read_row(raw, at, page, exchange) for at, raw in enumerate(some, number)]
    return [
        # If serialising returns the same bytes, no name occurs twice, nothing is escaped and there are no spaces.
        Row(at, page, exchange, raw, value) if raw == again else read_row(raw, at, page, exchange)
        for at, raw, value, again in zip(range(number, number + count), some, values, written, strict=True)
    ]


def _is_plain(raw: bytes, value: Any) -> bool:
    """Whether a record certainly means the same to every reader: no name twice, no unpaired surrogate."""
    if _SPACED.search(raw):
        return False
    if b"\\u" in raw:
        # Serialised, an escaped quote or colon may look like the end of a name.
        return (
            not _BEHIND.search(raw) and raw.count(b'":') == _names_in(value) and not ESCAPED_HALF.search(raw)
        )
    try:
        # A quote before a colon ends a name, or is part of a text, in both forms: equal counts mean that no name occurs
        # twice.
        return raw.count(b'":') == _encode(value).count(b'":')
    except _REFUSED:
        return False


def _names_in(value: Any) -> int:
    """How many names the objects within a value have in all."""
    inner: Iterable[Any]
    if type(value) is dict:
        count, inner = len(value), value.values()
    elif type(value) is list:
        count, inner = 0, value
    else:
        return 0
    for below in inner:
        kind = type(below)
        if kind is dict or kind is list:
            count += _names_in(below)
    return count
