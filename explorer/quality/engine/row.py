"""One record as the checks see it: its bytes read once, and what is wrong with the bytes themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from explorer.jsontext.escape import ESCAPED_HALF
from explorer.jsontext.read import inspected
from explorer.quality.engine.check import Example
from explorer.quality.engine.finding_collector import shown

_UNSURE = re.compile(rb'\\":|"[ \t\r\n]+:')
"""A colon behind an escaped quote, or behind a quote and a space: there counting says nothing."""

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
        value = msgspec.json.decode(raw)
        # A quote before a colon ends a name, but for an escaped one; with as many as there are names none stands twice.
        once = raw.count(b'":') == _names_in(value) and not _UNSURE.search(raw)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return Row(number, page, exchange, raw, *inspected(raw))
    if once and not (b"\\u" in raw and ESCAPED_HALF.search(raw)):
        return Row(number, page, exchange, raw, value)
    return Row(number, page, exchange, raw, *inspected(raw))


def _names_in(value: Any) -> int:
    """How many names the objects of a value have in all. Every record passes here, so it is written to be quick."""
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
