"""One record as the checks see it: its bytes read once, and what is wrong with the bytes themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.jsontext.escape import ESCAPED_HALF
from explorer.jsontext.read import inspected
from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import shown

_SPACED = re.compile(rb'"[ \t\r\n]+:')
"""A colon behind a quote and a space: there counting says nothing."""
_BEHIND = re.compile(rb'\\":')
"""A colon behind an escaped quote."""
_decode, _encode = msgspec.json.Decoder().decode, msgspec.json.Encoder().encode
_REFUSED = (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError, TypeError, ValueError)
TOGETHER, _MOST_BYTES = 128, 256 * 1024
"""Records that are looked at together, and their bytes: a budget of seconds is looked at behind them."""

NUMBER = "\0"
"""Before the key of a record whose id is a number."""


@dataclass(slots=True)
class Row:
    """A record of a walk or a batch."""

    number: int
    """Counted from 1 over the walk."""
    page: int | None
    exchange: int
    raw: bytes
    value: Any
    """As Python reads it; None with ``unreadable`` when it does not."""
    twice: tuple[str, ...] = ()
    """Names that stand twice in one object."""
    constants: tuple[str, ...] = ()
    """NaN and the infinities, as written, and numbers that no double holds."""
    halves: bool = False
    """A text of it holds half a character, or bytes that are no UTF-8."""
    controls: bool = False
    """A text of it holds a control character that is not escaped."""
    too_deep: bool = False
    """It is unreadable for its depth alone."""
    unreadable: bool = False
    flagged: set[str] = field(default_factory=set)
    """Top-level fields that a check has found wrong already."""

    def __deepcopy__(self, _: object) -> Row:
        # A record is never changed, and may be large: only what checks note on it is copied.
        return replace(self, flagged=set(self.flagged))

    @property
    def spoiled(self) -> bool:
        """Whether readers may differ on what it holds: nothing further is said of such a record."""
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
        """Its id, told from the same digits in another type: a number is no text, though it may be meant for one."""
        ident = self.id
        return ident if not ident or isinstance(self.value["id"], str) else f"{NUMBER}{ident}"

    def example(self, value: Any = None, *, text: str | None = None) -> Example:
        """This row as the place of a finding."""
        return Example(
            self.page, self.number, self.exchange, self.id[:100], shown(value) if text is None else text
        )


def read_row(raw: bytes, number: int, page: int | None, exchange: int) -> Row:
    """Reads one record. Never raises: what cannot be read says so."""
    try:
        value = _decode(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Row(number, page, exchange, raw, *inspected(raw))
    if _is_plain(raw, value):
        return Row(number, page, exchange, raw, value)
    return Row(number, page, exchange, raw, *inspected(raw))


def read_rows(raws: Sequence[bytes], number: int, page: int | None, exchange: int) -> list[Row]:
    """Reads records as `read_row` does, in less time; ``number`` is that of the first.

    As many as are looked at together: one at least.
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
        return [read_row(raw, at, page, exchange) for at, raw in enumerate(some, number)]
    return [
        # What is written again as it came has no name twice, nothing escaped and no spaces.
        Row(at, page, exchange, raw, value) if raw == again else read_row(raw, at, page, exchange)
        for at, raw, value, again in zip(range(number, number + count), some, values, written, strict=True)
    ]


def _is_plain(raw: bytes, value: Any) -> bool:
    """Whether a record means one thing to every reader for certain: no name twice, no half character."""
    if _SPACED.search(raw):
        return False
    if b"\\u" in raw:
        # Written again, a quote or colon that was escaped may look like the end of a name.
        return (
            not _BEHIND.search(raw) and raw.count(b'":') == _names_in(value) and not ESCAPED_HALF.search(raw)
        )
    try:
        # A quote before a colon ends a name, or stands in a text, there as here: as many, and no name stands twice.
        return raw.count(b'":') == _encode(value).count(b'":')
    except _REFUSED:
        return False


def _names_in(value: Any) -> int:
    """How many names the objects of a value have in all."""
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
