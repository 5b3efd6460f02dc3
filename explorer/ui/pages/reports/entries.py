"""Reads a report or receipt: its entries as rows, its totals, and arrays of objects anywhere in it as tables.

Amounts keep the digits that were received: they get thousands separators (``182,400.00``) and never become a float.
Any bytes may be given; what is missing or of another type is shown as that and not guessed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt

from explorer.catalog.fields import fields_of
from explorer.catalog.spec import Column, Kind, Report, Resource
from explorer.jsontext.members import Member, kind_at, parts, trim, walked
from explorer.jsontext.pieces import GROUP, Items, Members, stretch
from explorer.ui.kit.plain import tooltip, visible
from explorer.ui.records.cells import (
    ABSENT_CELL,
    Cell,
    CellKind,
    Reading,
    Row,
    cell_of,
    field_bytes,
    row_of,
    tooltip_text,
)
from explorer.ui.records.held_rows import HeldRows
from explorer.ui.records.records import Index, RecordsModel

COLUMNS_BOUND = 40
"""Most columns that are made from undeclared fields; the JSON tree has the rest."""
FIGURES_BOUND = 8
"""Most totals that are shown as cards."""
CHART_BOUND = 2_000
"""Most entries that the chart shows; the table has all of them."""
_LOOK = 200
"""Rows that are read to find columns and their kinds."""
_TABLES_BOUND = 50
_VISITS = 2_000
_DEEPEST = 30
"""Levels of nesting down to which tables are looked for."""
_AS_RECEIVED = Reading(None)
_TIP, _SPOKEN = int(Qt.ItemDataRole.ToolTipRole), int(Qt.ItemDataRole.AccessibleTextRole)

_PLAIN = re.compile(r"(-?)(\d+)(\.\d+)?\Z")


def grouped(token: str) -> str:
    """A JSON number with thousands separators and every digit as received; one with an exponent stays as it is."""
    found = _PLAIN.match(token)
    if found is None:
        return token
    sign, whole, part = found.groups()
    first = len(whole) % 3 or 3
    pieces = [whole[:first], *(whole[i : i + 3] for i in range(first, len(whole), 3))]
    return f"{sign}{','.join(pieces)}{part or ''}"


def amount(cell: Cell) -> Cell:
    """``cell`` with thousands separators, if it is a number."""
    if cell.kind != "number" or cell.elided:
        return cell
    return cell._replace(text=grouped(cell.text), received=cell.received or cell.text)


@dataclass(frozen=True, slots=True)
class Figure:
    """One total of a report."""

    name: str
    cell: Cell
    """With thousands separators if it is a number; absent and null are cells as well."""
    token: str = ""
    """The number as received; empty where it is no number."""


@dataclass(frozen=True, slots=True)
class ReportBody:
    """The parts of a report. ``rows`` is None where the entries are no array."""

    rows: Sequence[bytes] | None
    columns: tuple[Column, ...]
    figures: tuple[Figure, ...]
    currency: str
    """As received; empty where there is none."""
    subtitle: str
    """What the report calls itself and its period: ``CustomerIncome · 2025-01-01 to 2025-11-15``."""
    entries_words: str = ""
    """What the entries are, where they are no array: ``null``, ``absent``."""


def report_of(body: bytes, resource: Resource, report: Report) -> Generator[None, None, ReportBody | None]:
    """Read the report in ``body``, in pieces; returns None when nothing in it is as the contract shows (2.9, 2.10)."""
    start, end = trim(body)
    if kind_at(body, start, end) != "object" or report.answer is None:
        return None
    known = [field.name for field in fields_of(report.answer)]
    top = yield from _fields(body, start, end, {*known, report.entries})
    declared = [field.name for field in fields_of(report.answer) if field.kind == "number"]
    rows = _items(top.get(report.entries))
    if rows is not None:
        yield from rows.reading()
    if rows is None and not any(name in top for name in declared):
        return None
    names = declared + [n for n, raw in top.items() if n not in declared and _is_number(raw)]
    figures = tuple(_figure(name, top.get(name)) for name in names[:FIGURES_BOUND])
    entries = cell_of(top[report.entries], "array", _AS_RECEIVED) if report.entries in top else ABSENT_CELL
    return ReportBody(
        rows,
        columns_for(rows or (), resource.columns),
        figures,
        _text(top.get("currency")),
        _subtitle(top),
        "" if rows is not None else entries.text,
    )


def _fields(body: bytes, start: int, end: int, known: set[str]) -> Generator[None, None, dict[str, bytes]]:
    """The fields of an object: those that are ``known``, and the first of the others. Reads in pieces."""
    places: dict[str, Member] = {}
    walk = walked(body, start, end)
    while True:
        for member in stretch(walk):
            if member.key in known or member.key in places or len(places) < _VISITS:
                places[member.key] = member
        one = next(walk, walk)
        if one is walk:
            return {key: body[place.start : place.end] for key, place in places.items()}
        if isinstance(one, Member) and (one.key in known or len(places) < _VISITS):
            places[one.key] = one
        yield None


def _items(raw: bytes | None) -> Items | None:
    if raw is None:
        return None
    return Items(raw) if kind_at(raw, *trim(raw)) == "array" else None


def _is_number(raw: bytes) -> bool:
    return kind_at(raw, *trim(raw)) == "number"


def _figure(name: str, raw: bytes | None) -> Figure:
    if raw is None:
        return Figure(visible(name), ABSENT_CELL)
    cell = cell_of(raw, "number", _AS_RECEIVED)
    token = cell.received or cell.text
    return Figure(visible(name), amount(cell), token if cell.kind == "number" and not cell.elided else "")


def _text(raw: bytes | None) -> str:
    cell = cell_of(raw, "text", _AS_RECEIVED) if raw is not None else ABSENT_CELL
    return cell.text if cell.kind == "text" else ""


def _subtitle(top: dict[str, bytes]) -> str:
    start, end = _text(top.get("startPeriod")), _text(top.get("endPeriod"))
    period = f"{start} to {end}" if start and end else start or end
    said = (_text(top.get("reportName")), period, _text(top.get("reportDate")))
    return "  ·  ".join(part for part in said if part)


def columns_for(rows: Sequence[bytes], declared: Sequence[Column] = ()) -> tuple[Column, ...]:
    """The declared columns, then one for each further field of the first rows, with a kind that fits its values."""
    kinds: dict[str, set[CellKind]] = {column.field: set() for column in declared}
    for raw in rows[:_LOOK]:
        start, end = trim(raw)
        if kind_at(raw, start, end) != "object":
            continue
        for member in parts(raw, start, end).members:
            if member.key in kinds or len(kinds) < COLUMNS_BOUND:
                value = raw[member.start : member.end]
                kinds.setdefault(member.key, set()).add(cell_of(value, "any", _AS_RECEIVED).kind)
    known = {column.field for column in declared}
    return (*declared, *(Column(name, _kind(seen), 140) for name, seen in kinds.items() if name not in known))


def _kind(seen: set[CellKind]) -> Kind:
    only = seen - {"null", "empty"}
    if only == {"number"}:
        return "number"
    return "text" if only == {"text"} else "any"


@dataclass(frozen=True, slots=True)
class TableFound:
    """An array of objects in an answer: where it is, and its items."""

    path: str
    """Its path, such as ``Payment.Line``; empty for the answer itself."""
    rows: Sequence[bytes]


def tables_of(body: bytes) -> Generator[None, None, list[TableFound]]:
    """Find, in pieces, the arrays in ``body`` whose items are all objects, outer ones first. Their number, depth and
    the bytes read are bounded.
    """
    found: list[TableFound] = []
    waiting = deque([("", *trim(body), 0)])
    visits, left = 0, 1_000_000 + 8 * len(body)
    while waiting and len(found) < _TABLES_BOUND and visits < _VISITS and left > 0:
        path, start, end, depth = waiting.popleft()
        left -= end - start
        kind = kind_at(body, start, end)
        if kind not in ("array", "object"):
            continue
        members = Members(body, start, end)
        while not members.complete:
            members.go_on()
            yield None
        first = members.group(0)
        if kind == "array" and first and (yield from _all_objects(body, members)):
            rows = Items(body[start:end])
            yield from rows.reading()
            found.append(TableFound(path, rows))
        for place, member in enumerate(first):
            visits += 1
            if depth < _DEEPEST and body[member.start : member.start + 1] in (b"{", b"["):
                waiting.append((_step(path, member.key, place, kind), member.start, member.end, depth + 1))
        yield None
    return found


def _all_objects(body: bytes, members: Members) -> Generator[None, None, bool]:
    for number in range(-(-members.count // GROUP)):
        if not all(body[m.start : m.start + 1] == b"{" for m in members.group(number)):
            return False
        yield None
    return True


def _step(path: str, key: str, place: int, kind: str) -> str:
    if kind == "array":
        return f"{path}[{place}]"
    return f"{path}.{visible(key)}" if path else visible(key)


class EntriesModel(RecordsModel):
    """The entries of one answer, amounts with thousands separators; it also knows the most decimals of each column."""

    def __init__(self) -> None:
        super().__init__((), lambda: None, reading=_AS_RECEIVED)
        self._places: dict[int, int] = {}
        self._marks: Mapping[tuple[int, str], str] = {}

    def show(self, records: Sequence[bytes], columns: Sequence[Column]) -> None:
        """Show other records in other columns, without marks."""
        self._places, self._marks = {}, {}
        self.set_pull(HeldRows(records), columns)

    def mark(self, marks: Mapping[tuple[int, str], str]) -> None:
        """Mark cells with what is wrong with them: ``marks`` gives a sentence by row and field."""
        self._marks = marks
        if self.rowCount():
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def marked(self, row: int, column: int) -> str:
        """What is wrong with a cell, or an empty text; ``column`` is that of the view."""
        return self._marks.get((row, self.columns[column - 1].field), "") if column and self._marks else ""

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        """As in every table; a marked cell also says what is wrong, in its tooltip and to a screen reader."""
        found = super().data(index, role)
        wrong = self.marked(index.row(), index.column()) if index.isValid() else ""
        if not wrong or role not in (_TIP, _SPOKEN):
            return found
        cell = self.cell(index.row(), index.column())
        if role == _TIP:
            return tooltip(f"{tooltip_text(cell)}\n{wrong}")
        return f"{found}: {wrong}"

    def row(self, number: int) -> Row:
        """The cells of one row, amounts with thousands separators. Raises IndexError."""
        row = super().row(number)
        return row._replace(cells=tuple(map(amount, row.cells)))

    def cells(self, column: int) -> Iterator[Cell]:
        """The cells of a column by which its width is measured: those of the first rows."""
        return (self.cell(row, column) for row in range(min(self.rowCount(), _LOOK)))

    def places(self, column: int) -> int:
        """The most decimals of a number in that column, so that decimal points can be aligned."""
        if column not in self._places:
            numbers = (c.text for c in self.cells(column) if c.kind == "number" and _PLAIN.match(c.received))
            self._places[column] = max((decimals(text) for text in numbers), default=0)
        return self._places[column]


def decimals(text: str) -> int:
    """How many digits a number has behind the point."""
    return len(text.partition(".")[2])


@dataclass(frozen=True, slots=True)
class ChartRow:
    """One entry of a chart: its label, and for each series the number as received and its words, which say why there is
    none where that is so.
    """

    label: str
    tokens: tuple[str, ...]
    said: tuple[str, ...]


def chart_rows(report: ReportBody, labels: Sequence[str], series: Sequence[str]) -> list[ChartRow]:
    """The entries of the chart, each labelled by the first of the fields ``labels`` that holds a text."""
    made = []
    for number, raw in enumerate((report.rows or ())[:CHART_BOUND]):
        row = row_of(raw, [Column(name, "number") for name in series], _AS_RECEIVED)
        tokens = tuple(c.received if c.kind == "number" and not c.elided else "" for c in row.cells)
        said = tuple(
            amount(c).text if c.kind == "number" else c.spoken if c.kind != "text" else f"text “{c.text}”"
            for c in row.cells
        )
        named = (_text(field_bytes(raw, name)) for name in labels)
        made.append(ChartRow(next(filter(None, named), f"Entry {number + 1}"), tokens, said))
    return made
