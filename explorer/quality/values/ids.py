"""Ids read from pasted or imported text, cut into chunks for calls, and compared with those returned.

An id is opaque text: it is never turned into a number, and its case counts. The form of a text (lines, CSV, spreadsheet
cells, JSON) is guessed, shown, and can be overruled.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

Form = Literal["lines", "list", "csv", "tsv", "json"]

_HEADER = re.compile(r"(?:(?:account|contact|company|customer|record|crm|external|object)[ _-]?)?ids?", re.I)
"""Headings of id columns, which are not ids themselves."""
_ID_LIKE = re.compile(r".*(?:[ _-]ids?|[a-z]I[dD]s?)")
_QUOTES = (('"', '"'), ("'", "'"), ("`", "`"), ("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»"))


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids in a text, and how it was read."""

    all: tuple[str, ...]
    """In order, repetitions included."""
    form: Form
    columns: tuple[str, ...] = ()
    """Of a table: the names in its first line, else ``column 1``, ``column 2``, …; empty otherwise."""
    column: int | None = None
    """Of a table: the column that was used, counted from 0."""
    header: bool = False
    """Whether the first line was taken for headings."""
    passed_over: int = 0
    """How many empty cells, nulls and other values without an id were skipped."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Each id once, in order of first occurrence."""
        return tuple(dict.fromkeys(self.all))

    @property
    def twice(self) -> dict[str, int]:
        """The repeated ids, with their number of occurrences."""
        return {ident: count for ident, count in Counter(self.all).items() if count > 1}

    @property
    def sentence(self) -> str:
        """The result in words."""
        count = len(self.ids)
        text = f"{count:,} {'id' if count == 1 else 'ids'}"
        if self.column is not None:
            text += f" from {self.columns[self.column]}"
        repeats = len(self.all) - count
        text += f", {repeats:,} repeated" if repeats else ""
        return text + (f", {self.passed_over:,} skipped without an id" if self.passed_over else "")


def read_ids(
    text: str, *, column: int | str | None = None, header: bool | None = None, form: Form | None = None
) -> Ids:
    """The ids in ``text``. ``column`` (counted from 0, or its name), ``header`` and ``form`` overrule the guess.

    Read as JSON: an array of texts or numbers, of objects, such a list under ``ids`` or ``items``, or one object a
    line. Read as a table: tabs, or commas or semicolons that form columns; otherwise each line or list item is an id.
    Raises ValueError when the column does not exist.
    """
    text = text.removeprefix("\ufeff")
    if form in (None, "json"):
        values = _json(text)
        if values is not None:
            return _of_json(values, column)
    delimiter = _delimiter(text, form)
    rows = _rows(text, delimiter) if delimiter else [[_bare(line)] for line in text.splitlines()]
    rows = [row for row in rows if any(row)]
    wide = max((len(row) for row in rows), default=0)
    table = wide > 1 and (
        form in ("csv", "tsv") or column is not None or (form is None and _is_table(rows, delimiter))
    )
    if table:
        return _of_table(rows, wide, column, header, "tsv" if delimiter == "\t" else "csv")
    if (
        wide <= 1
        and rows
        and (header or (header is None and len(rows) > 1 and _HEADER.fullmatch(rows[0][0])))
    ):
        return Ids(tuple(row[0] for row in rows[1:]), "lines", header=True)
    cells = [cell for row in rows for cell in row]
    kept = tuple(filter(None, cells))
    return Ids(kept, "list" if wide > 1 else "lines", passed_over=len(cells) - len(kept))


@dataclass(frozen=True, slots=True)
class IdComparison:
    """A comparison of requested with returned ids."""

    missing: tuple[str, ...] = ()
    """Requested and not returned, in the order requested."""
    extra: tuple[str, ...] = ()
    """Returned and not requested, in the order returned."""
    twice: tuple[tuple[str, int], ...] = ()
    """Returned more than once, and how often."""
    moved: tuple[str, ...] = ()
    """Out of order among those both requested and returned, in the order returned."""
    without_id: int = 0
    """Records that have no id, or one that is neither text nor a number."""
    as_number: int = 0
    """Records whose id is a number; it was read as text."""

    @property
    def sentence(self) -> str:
        """The result in words."""
        said = [
            f"{len(self.missing):,} missing" if self.missing else "",
            f"{len(self.extra):,} not requested" if self.extra else "",
            f"{len(self.twice):,} more than once" if self.twice else "",
            f"{self.without_id:,} without an id" if self.without_id else "",
            "in another order" if self.moved else "",
        ]
        return ", ".join(filter(None, said)) or "Each requested id was returned once, in the same order"


def compare_ids(asked: Iterable[str], returned: Iterable[Any]) -> IdComparison:
    """Compares the ids of the returned records, unchanged, with the requested ones."""
    wanted = dict.fromkeys(asked)
    read, without, numbers = [], 0, 0
    for ident in returned:
        if isinstance(ident, str):
            read.append(ident)
        elif isinstance(ident, int | float | Decimal) and not isinstance(ident, bool):
            read.append(str(ident))
            numbers += 1
        else:
            without += 1
    counted = Counter(read)
    there = [ident for ident in counted if ident in wanted]
    expected = [ident for ident in wanted if ident in counted]
    return IdComparison(
        missing=tuple(ident for ident in wanted if ident not in counted),
        extra=tuple(ident for ident in counted if ident not in wanted),
        twice=tuple((ident, count) for ident, count in counted.items() if count > 1),
        moved=tuple(one for one, other in zip(there, expected, strict=True) if one != other),
        without_id=without,
        as_number=numbers,
    )


def chunks(ids: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """``ids`` in order, in lists of ``size``; the last may be shorter. Raises ValueError for a size below 1."""
    if size < 1:
        raise ValueError("a chunk holds at least one id")
    return [tuple(ids[start : start + size]) for start in range(0, len(ids), size)]


# ---------------------------------------------------------------- JSON


def _json(text: str) -> list[Any] | None:
    """The values of a JSON list, or None when the text is not one. Numbers stay as they are written."""
    tight = text.strip().rstrip(",;").rstrip()
    if tight[:1] not in ("[", "{"):
        return None
    found = _loaded(tight)
    if found is None:
        found = _loaded(re.sub(r",\s*\]$", "]", tight))
    if isinstance(found, Mapping):
        lists = [found[name] for name in ("ids", "items") if isinstance(found.get(name), list)]
        found = lists[0] if lists else [found]
    if isinstance(found, list):
        return found
    lines = [_loaded(line.rstrip(" ,")) for line in tight.splitlines() if line.strip()]
    return lines if len(lines) > 1 and all(isinstance(line, Mapping) for line in lines) else None


class _Number(str):
    """A number as written."""

    __slots__ = ()


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, parse_int=_Number, parse_float=_Number, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None


def _of_json(values: list[Any], column: int | str | None) -> Ids:
    objects = [value for value in values if isinstance(value, Mapping)]
    if not objects:
        kept = tuple(str(value) for value in values if isinstance(value, str) and value)
        return Ids(kept, "json", passed_over=len(values) - len(kept))
    names = tuple(dict.fromkeys(name for value in objects for name in value))
    if not names:
        return Ids((), "json", passed_over=len(values))
    rows = [
        [str(value[name]) if isinstance(value.get(name), str) else "" for name in names]
        if isinstance(value, Mapping)
        else [""] * len(names)
        for value in values
    ]
    chosen = _chosen(names, column) if column is not None else _guessed(names, rows)
    kept = tuple(row[chosen] for row in rows if row[chosen])
    return Ids(kept, "json", names, chosen, header=True, passed_over=len(values) - len(kept))


# ---------------------------------------------------------------- tables and lists


def _delimiter(text: str, form: Form | None) -> str:
    """The separator of cells; empty when each line is one cell."""
    if form == "lines":
        return ""
    if form == "tsv" or (form is None and any("\t" in line.strip() for line in text.splitlines())):
        return "\t"
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(",;", key=lambda sign: (first.count(sign), text.count(sign)))


def _rows(text: str, delimiter: str) -> list[list[str]]:
    # An unpaired quote would swallow every line after it.
    quotes = '"' if text.count('"') % 2 == 0 else None
    source = io.StringIO(text, newline="")
    try:
        found = list(
            csv.reader(
                source,
                delimiter=delimiter,
                quotechar=quotes,
                quoting=csv.QUOTE_MINIMAL if quotes else csv.QUOTE_NONE,
                skipinitialspace=True,
            )
        )
    except csv.Error:  # a cell over 128 kB
        found = [line.split(delimiter) for line in text.splitlines()]
    rows = [[_bare(cell) for cell in row] for row in found]
    for row in rows:
        while row and not row[-1]:
            row.pop()
    return rows


def _bare(cell: str) -> str:
    """A cell without spaces, invisible characters, a trailing comma and quotes around the id."""
    cell = cell.strip(" \t\r\n\f\v\u00a0\u200b\u2060\ufeff").rstrip(",;").rstrip()
    for opening, closing in _QUOTES:
        if len(cell) > 1 and cell.startswith(opening) and cell.endswith(closing):
            return cell[1:-1].strip()
    return cell


def _is_table(rows: list[list[str]], delimiter: str) -> bool:
    """Whether rows of several cells are a table, and not a list that was broken into lines."""
    if len(rows) < 2:
        return False
    named = any(_HEADER.fullmatch(cell) or _ID_LIKE.fullmatch(cell) for cell in rows[0])
    return delimiter == "\t" or named or len({len(row) for row in rows}) == 1


def _of_table(
    rows: list[list[str]], wide: int, column: int | str | None, header: bool | None, form: Form
) -> Ids:
    rows = [row + [""] * (wide - len(row)) for row in rows]
    if header is None:
        named = any(_HEADER.fullmatch(cell) or _ID_LIKE.fullmatch(cell) for cell in rows[0])
        header = len(rows) > 1 and (named or isinstance(column, str) or _stands_out(rows, column))
    numbered = [f"column {number}" for number in range(1, wide + 1)]
    names = [cell or other for cell, other in zip(rows[0], numbered, strict=True)] if header else numbered
    body = rows[1:] if header else rows
    chosen = _chosen(names, column) if column is not None else _guessed(names, body)
    kept = tuple(row[chosen] for row in body if row[chosen])
    return Ids(kept, form, tuple(names), chosen, header, len(body) - len(kept))


def _stands_out(rows: list[list[str]], column: int | str | None) -> bool:
    """Whether the first row is a heading: it has no digit in a column where all others have one."""
    places = [column] if isinstance(column, int) and 0 <= column < len(rows[0]) else range(len(rows[0]))
    for place in places:
        digits = [any(sign.isdigit() for sign in row[place]) for row in rows if row[place]]
        if rows[0][place] and len(digits) > 1 and not digits[0] and all(digits[1:]):
            return True
    return False


def _chosen(names: Sequence[str], column: int | str) -> int:
    if isinstance(column, int):
        if 0 <= column < len(names):
            return column
        raise ValueError(f"There is no column {column + 1}: there are only {len(names)}")
    for fold in (str, str.casefold):
        wanted = [fold(name) for name in names]
        if fold(column) in wanted:
            return wanted.index(fold(column))
    raise ValueError(f"There is no column {column}: columns are {', '.join(names)}")


def _guessed(names: Sequence[str], rows: list[list[str]]) -> int:
    """The column whose heading names ids, else the one with most different values without a space."""
    exact = [place for place, name in enumerate(names) if name.casefold() == "id"]
    header = [place for place, name in enumerate(names) if _HEADER.fullmatch(name)]
    like = [place for place, name in enumerate(names) if _ID_LIKE.fullmatch(name)]
    if found := exact or header or like:
        return found[0]

    def telling(place: int) -> int:
        return len({row[place] for row in rows if row[place] and not re.search(r"[\s@]", row[place])})

    return max(range(len(names)), key=lambda place: (telling(place), -place))
