"""How a record's bytes become the cells of a table row.

The bytes are the truth: a number is shown by its own digits (an integer beyond 2^53, ``1e400``), and null, absent,
empty text, ``false``, ``0``, ``[]`` and ``{}`` each look and read differently. What reaches Qt is bounded: a value of
40 MB becomes a short text before anything is laid out. No input raises.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Literal, NamedTuple

from explorer import words
from explorer.jsontext.escape import lenient_text, read_excerpt
from explorer.jsontext.members import Member, kind_at, parts, trim, walked
from explorer.jsontext.pieces import stretch
from explorer.jsontext.quick import ARRAY, OBJECT, refusals
from explorer.quality.values.moments import is_iso
from explorer.ui.kit.visible import visible

if TYPE_CHECKING:  # the first rows are read before the catalog is imported
    from explorer.catalog.spec import Column
    from explorer.catalog.spec import Kind as FieldKind

CellKind = Literal[
    "null", "absent", "empty", "text", "number", "boolean", "date", "array", "object", "invalid"
]

TEXT_BOUND = 400
"""Characters of a value that reach the view; the rest is elided. The inspector shows all of it."""
TIP_BOUND = 2000
SUMMARY_BOUND = 100_000
"""Most bytes of an array or object that is read for its summary; of a larger one the size is shown instead."""

LARGE = 256_000
"""Bytes of a record above which a table reads only its beginning, so that painting a row takes one turn of the loop."""
_BEGINNING = 1_250
"""Tokens that are read of such a record: a few milliseconds."""

NO_ZONE = "no zone"
_ZONED = re.compile(r"T.*(?:Z|[+-]\d\d(?::?\d\d)?)$", re.ASCII)
"""A date whose time has a zone."""
NO_ISO_DATE = "not ISO 8601"
"""`Cell.misfit` of a text in a column of dates that is none by ISO 8601."""


class Cell(NamedTuple):
    """One value as it is shown."""

    text: str
    """What is painted: one line, never longer than `TEXT_BOUND` characters."""
    kind: CellKind
    """The kind of the value, not of its column: a text in a number column is a text."""
    more: str = ""
    """Painted behind the text in a quieter colour: ``+1`` for one more item."""
    received: str = ""
    """The value as received, cut at `TIP_BOUND` bytes, for the tooltip; empty where it equals `text`."""
    at: datetime | None = None
    """The moment that a date stands for; None for a date without a zone."""
    repeated: bool = False
    """The record has this key more than once; the last value is shown."""
    elided: bool = False
    """`received` is only the beginning."""
    misfit: str = ""
    """How the value does not fit its field, in a few words; empty where it fits, or where nobody looked."""
    observed: str = ""
    """The same of a null that running services are known to send there: nothing is wrong with it."""
    differs: str = ""
    """How it differs from the record beside it: both values, before and after; empty where it does not."""
    later: bool = False
    """Of a value that differs: the one after, which is marked more strongly."""

    @property
    def lacks_zone(self) -> bool:
        """A date with a time and no zone: where dates are shown in a zone it looks like one that has one."""
        written = self.received or self.text
        return self.kind == "date" and self.at is None and "T" in written and _ZONED.search(written) is None

    @property
    def spoken(self) -> str:
        """The cell for a screen reader: what colour and form show is said in words."""
        said = self._value_spoken()
        if self.lacks_zone and not self.more:
            said += f", {NO_ZONE}"
        if self.misfit:
            said += f", does not fit: {self.misfit}"
        if self.observed:
            said += f", observed: {self.observed}"
        if self.differs:
            said += f", differs: {self.differs}"
        return f"{said}, the field appears twice" if self.repeated else said

    def marked(self, misfit: str) -> Cell:
        """The cell of a value that does not fit, for that reason: a text is shown as received, with its quotes."""
        if self.kind in ("text", "date"):
            text = f'"{_bounded(visible(self.received or self.text))}"'
            return self._replace(text=text, kind="text", at=None, misfit=misfit)
        return self._replace(misfit=misfit)

    def _value_spoken(self) -> str:
        if self.received and self.kind == "absent":
            said = self.text
        elif self.kind in ("null", "absent", "invalid"):
            said = f"{self.kind}: {self.text}" if self.kind == "invalid" else self.kind
        elif self.kind == "empty":
            said = _EMPTY_WORDS.get(self.text, "empty")
        else:
            said = f"{self.text} {self.more}".strip()
        return said


_EMPTY_WORDS = {'""': "empty text", "[]": "empty array", "{}": "empty object"}

ABSENT_CELL = Cell("absent", "absent")
UNREAD_CELL = Cell("not read here", "absent", received="too far into a very large record: see the inspector")
NULL_CELL = Cell("null", "null")
_TRUE, _FALSE = Cell("true", "boolean"), Cell("false", "boolean")
_FIXED = {b"null": NULL_CELL, b"true": _TRUE, b"false": _FALSE, b'""': Cell('""', "empty"), b"[]": Cell("[]", "empty"),
          b"{}": Cell("{}", "empty")}  # fmt: skip


class Reading(NamedTuple):
    """How a table turns received values into what it displays."""

    zone: tzinfo | None = UTC
    """The zone that dates are shown in; None shows them as received."""


class Row(NamedTuple):
    """One record, ready to be painted."""

    cells: tuple[Cell, ...]
    """In the order of the columns."""
    fault: str = ""
    """What is wrong with the record's JSON, in a sentence; empty when nothing is."""
    unfit: str = ""
    """How many of its values do not fit the contract, in words; empty when all do, or where nobody looked."""
    gap: bool = False
    """There is no record: only the list beside this one has it."""


def row_of(raw: bytes, columns: Sequence[Column], reading: Reading) -> Row:
    """The cells of one record for ``columns``, in their order. A record that is no object gives invalid cells."""
    if len(raw) > LARGE:
        return _large_row(raw, columns, reading)
    quick = _quick_fields(raw)
    fault = ""
    if quick is None:
        fields, repeated, fault = _slow_fields(raw)
    else:
        fields, repeated = quick, frozenset()
    if fields is None:
        return Row(
            (_not_an_object(raw), *(ABSENT_CELL for _ in columns[1:])), fault or "this row is not an object"
        )
    cells = []
    for column in columns:
        value = fields.get(column.field)
        if value is None:
            cells.append(ABSENT_CELL)
            continue
        cell = cell_of(value, column.kind, reading, column.summary)
        if column.in_words and cell.kind == "text" and (said := words.media_type(cell.text)) != cell.text:
            cell = cell._replace(text=said)
        cells.append(cell._replace(repeated=True) if column.field in repeated else cell)
    return Row(tuple(cells), fault)


def _large_row(raw: bytes, columns: Sequence[Column], reading: Reading) -> Row:
    """As `row_of`, for a large record: works with the positions of values, so that no long value is copied."""
    fields, repeated, whole = beginning_of(raw)
    if fields is None:
        return Row((_not_an_object(raw), *(ABSENT_CELL for _ in columns[1:])), "this row is not an object")
    cells = []
    for column in columns:
        place = fields.get(column.field)
        if place is None:
            cells.append(ABSENT_CELL if whole else UNREAD_CELL)
            continue
        cell = cell_at(raw, place.start, place.end, column.kind, reading, column.summary)
        cells.append(cell._replace(repeated=True) if column.field in repeated else cell)
    return Row(tuple(cells))


def beginning_of(raw: bytes) -> tuple[dict[str, Member] | None, frozenset[str], bool]:
    """Reads the beginning of a large record. Returns its fields by name (None if the record is no object), the names
    that appeared twice, and whether the whole record was read.
    """
    start, end = trim(raw)
    if kind_at(raw, start, end) != "object":
        return None, frozenset(), True
    fields: dict[str, Member] = {}
    repeated = set()
    walk = walked(raw, start, end)
    for member in stretch(walk, _BEGINNING):
        if member.key in fields:
            repeated.add(member.key)
        fields[member.key] = member
    return fields, frozenset(repeated), next(walk, walk) is walk


def _quick_fields(raw: bytes) -> dict[str, bytes] | None:
    """Each field's own bytes, read fast; None when the record is invalid, has a key twice, or has spaces other than one
    behind each colon and comma: then `_slow_fields` reads it.

    msgspec silently keeps the last of two equal keys; the lengths of the pieces then do not add up to the record's.
    """
    try:
        found = OBJECT.decode(raw)
    except refusals():
        return None
    total = 1 + len(found) if found else 2
    fields = {}
    for key, value in found.items():
        octets = bytes(value)
        fields[key] = octets
        total += len(octets) + len(key) + 3
        if not key.isascii():
            total += len(key.encode()) - len(key)
    return fields if total == len(raw) or _stand_apart(raw, fields) else None


def _stand_apart(raw: bytes, fields: dict[str, bytes]) -> bool:
    """Whether ``raw`` is exactly these fields in this order, with one space behind each colon and comma."""
    at = 1
    for key, octets in fields.items():
        head = b'"%b": ' % key.encode()
        if not raw.startswith(head, at):
            return False
        at += len(head) + len(octets) + 2
    return at == len(raw) + 1


def _slow_fields(raw: bytes) -> tuple[dict[str, bytes] | None, frozenset[str], str]:
    start, end = trim(raw)
    if kind_at(raw, start, end) != "object":
        return None, frozenset(), "this row is not an object"
    found = parts(raw, start, end)
    fields: dict[str, bytes] = {}
    repeated = set()
    for member in found.members:
        if member.key in fields:
            repeated.add(member.key)
        fields[member.key] = raw[member.start : member.end]
    fault = found.fault or (f"{', '.join(sorted(repeated))} appears more than once" if repeated else "")
    return fields, frozenset(repeated), visible(fault)


def _not_an_object(raw: bytes) -> Cell:
    return Cell(visible(lenient_text(raw[:TEXT_BOUND])), "invalid", received=lenient_text(raw[:TIP_BOUND]))


def cell_of(value: bytes, kind: FieldKind, reading: Reading, summary: str = "") -> Cell:
    """The cell of one value. ``kind`` is what its column expects; of an object the field ``summary`` is shown."""
    return cell_at(value, 0, len(value), kind, reading, summary)


def cell_at(data: bytes, start: int, end: int, kind: FieldKind, reading: Reading, summary: str = "") -> Cell:
    """The cell of the value that fills ``data[start:end]``; of a long one only its beginning is read."""
    fixed = _FIXED.get(data[start:end]) if end - start < 6 else None
    if fixed is not None:
        return fixed
    start, end = trim(data, start, end)
    what = kind_at(data, start, end)
    if what == "text":
        return _text_cell(data, start, end, kind, reading)
    if what in ("array", "object"):
        return _nested_cell(data, start, end, what, summary)
    if what in ("null", "boolean"):
        return _FIXED[data[start:end]]
    token = lenient_text(data[start : min(end, start + TIP_BOUND)])
    return Cell(_bounded(visible(token)), "number" if what == "number" else "invalid", received=token,
                elided=end - start > TIP_BOUND)  # fmt: skip


def _text_cell(value: bytes, start: int, end: int, kind: FieldKind, reading: Reading) -> Cell:
    text, whole = read_excerpt(value, start, end, TIP_BOUND)
    if not text:
        return _FIXED[b'""']
    if kind == "date" and not (whole and is_iso(text)):
        shown = Cell(
            visible(text), "text", "" if whole else words.size(end - start - 2), text, elided=not whole
        )
        return shown.marked(NO_ISO_DATE)
    if kind == "date":
        date, at = date_text(text, reading.zone)
        return Cell(date, "date", received=text, at=at)
    if whole and len(text) <= TEXT_BOUND:
        return Cell(visible(text), "text", received=text)
    more = "" if whole else words.size(end - start - 2)
    return Cell(_bounded(visible(text)), "text", more=more, received=text, elided=not whole)


def _bounded(text: str) -> str:
    return text if len(text) <= TEXT_BOUND else text[:TEXT_BOUND] + "…"


def date_text(text: str, zone: tzinfo | None) -> tuple[str, datetime | None]:
    """A date of ISO 8601 as ``2026-11-20 09:00`` in ``zone``, and its moment where it has a zone.

    A date without a zone is not converted, a day without a time gets none, and seconds are shown in the tooltip only.
    What Python's calendar cannot hold (24:00, a leap second) stays as received.
    """
    try:
        at = datetime.fromisoformat(text.replace(",", "."))
    except (ValueError, OverflowError):
        return visible(text), None
    if zone is None or "T" not in text:
        return visible(text), at if at.tzinfo else None
    try:
        local = at.astimezone(zone) if at.tzinfo else at
    except (OverflowError, OSError, ValueError):
        local = at
    return local.strftime("%Y-%m-%d %H:%M").zfill(16), at if at.tzinfo else None


def _nested_cell(data: bytes, start: int, end: int, what: str, summary: str) -> Cell:
    received, elided = lenient_text(data[start : min(end, start + TIP_BOUND)]), end - start > TIP_BOUND
    if end - start > SUMMARY_BOUND:
        said = f"{'items' if what == 'array' else 'object'}, {words.size(end - start)}"
        return Cell(said, "array" if what == "array" else "object", received=received, elided=True)
    value = data[start:end]
    if what == "array":
        number, first = _items(value)
        if not number:
            return _FIXED[b"[]"]
        label = _label(first, summary)
        more = f"+{number - 1}" if label and number > 1 else ""
        return Cell(
            label or words.count(number, "item"), "array", more=more, received=received, elided=elided
        )
    number = _keys(value)
    if not number:
        return _FIXED[b"{}"]
    label = _label(value, summary)
    return Cell(label or f"{{ {words.count(number, 'key')} }}", "object", received=received, elided=elided)


def _items(value: bytes) -> tuple[int, bytes]:
    """How many items an array has, and the first one's bytes."""
    try:
        found = ARRAY.decode(value)
        return len(found), bytes(found[0]) if found else b""
    except refusals():
        inside = parts(value, 0, len(value)).members
        return len(inside), value[inside[0].start : inside[0].end] if inside else b""


def _keys(value: bytes) -> int:
    """How many members an object has. A key that appears twice counts once where msgspec reads the object."""
    try:
        return len(OBJECT.decode(value))
    except refusals():
        return len(parts(value, 0, len(value)).members)


def _label(item: bytes, summary: str) -> str:
    """The text shown for an item: itself if it is a text, else its field ``summary``; empty when it has neither."""
    if item.startswith(b'"'):
        text, _ = read_excerpt(item, 0, len(item), TEXT_BOUND)
        return _bounded(visible(text))
    if not summary or not item.startswith(b"{"):
        return ""
    inner = field_bytes(item, summary)
    if inner is None or not inner.startswith(b'"'):
        return ""
    return _bounded(visible(read_excerpt(inner, 0, len(inner), TEXT_BOUND)[0]))


def tooltip_text(cell: Cell, now: datetime | None = None) -> str:
    """A cell's tooltip in plain text: the value as received, how long ago a date was, and what is odd about it."""
    if cell is UNREAD_CELL:
        return f"not read: {cell.received}"
    if cell.differs:
        return cell.differs
    if cell.kind == "absent":
        return "absent: the record does not have this field"
    if cell.kind == "null":
        return "null: the field is there and has no value"
    if cell.kind == "empty":
        said = cell.spoken
    else:
        said = cell.received or cell.text
        said += "…" if cell.elided else ""
    if cell.lacks_zone:
        said += f"\n{NO_ZONE}"
    if cell.at is not None:
        said += f"\n{words.relative(cell.at, now)}"
    if cell.kind == "invalid":
        said += "\nThis is not a JSON value."
    if cell.repeated:
        said += "\nThe record has this field more than once; the last value is shown."
    return said


def field_bytes(raw: bytes, field: str) -> bytes | None:
    """The bytes of one field as received, or None when the record lacks it; of a repeated key the last value."""
    try:
        found = OBJECT.decode(raw).get(field)
    except refusals():
        pass
    else:
        return None if found is None else bytes(found)
    start, end = trim(raw)
    for member in reversed(parts(raw, start, end).members):
        if member.key == field:
            return raw[member.start : member.end]
    return None
