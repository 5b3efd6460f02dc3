"""What does not fit the contract in a record, by its model, and what is said of a value that does not fit its field.

A date that is none by ISO 8601 does not fit its field either, whether the contract says so or asks for a text alone.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec
from pydantic import BaseModel, ValidationError

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.fields import Field, fields_of
from explorer.catalog.misfits import Misfit as Refused
from explorer.catalog.misfits import located
from explorer.catalog.spec import Column
from explorer.quality.values.moments import form_of
from explorer.ui.kit.visible import shortened, visible
from explorer.ui.records.cells import NO_ISO_DATE, Cell, Row

if TYPE_CHECKING:
    from explorer.session import PageInfo

CHECK_BOUND = 128_000
"""Bytes up to which a record is checked against its model. The worst case, where nothing fits, takes 40 ms."""
_MOST_FINDINGS = 2_000
"""Values that do not fit: of more, only the number is shown."""
_SAID = 5
"""Findings that are said of one field; further ones are counted."""
_THERE = 300
"""Characters of a value that are shown as received."""
_SUCH = "2024-05-06T07:08:09Z"
_PAGES_KNOWN = 4_096
MARKED = 200
"""Values of one record that a table marks: naming them takes 4 ms. Of a record with more only the number is said."""


OBSERVED_TITLE = "is null, as running services send it"
OBSERVED_NOTE = "Observed: it is no defect, and the record counts as fitting the contract."


class Findings(NamedTuple):
    """What does not fit in a record: short sentences by top-level field."""

    broken: dict[str, list[str]]
    observed: dict[str, list[str]]
    """Nulls that running services are known to send, in fields of which nothing else is wrong or something is."""


class PagedRows(Protocol):
    """Rows that came in pages (`records.Rows`)."""

    def page_at(self, row: int) -> PageInfo: ...


class UnfitPages:
    """Which pages of a pull hold records that do not fit or are observed: only their records are looked at."""

    def __init__(self) -> None:
        self._firsts: list[int] = []
        self._pages: list[PageInfo] = []

    def forget(self) -> None:
        """Other rows are shown."""
        self._firsts.clear()
        self._pages.clear()

    def may_hold(self, rows: PagedRows, row: int) -> bool:
        """Whether that row of ``rows`` may not fit. Where nothing was counted, as in rows in memory, any may."""
        unfit = getattr(rows, "unfit", None)
        if not unfit:
            return unfit is None
        place = bisect_right(self._firsts, row) - 1
        page = self._pages[place] if place >= 0 else None
        if page is None or row >= page.first_row + page.rows:
            try:
                page = rows.page_at(row)
            except (ExplorerError, IndexError):
                return False  # nobody can read the row either
            if len(self._pages) >= _PAGES_KNOWN:
                self.forget()
            place = bisect_right(self._firsts, page.first_row)
            self._firsts.insert(place, page.first_row)
            self._pages.insert(place, page)
        return page.unfit != 0 or page.observed != 0


@dataclass(frozen=True, slots=True)
class Misfit:
    """What is said of a value that does not fit its field."""

    field: str
    expected: str
    there: str
    """The value as received, with its quotes; of a long one the beginning."""
    missing: str
    title: str = "does not fit the contract"
    note: str = "Shown as received."


def marked(row: Row, raw: bytes, columns: Sequence[Column], model: type[BaseModel]) -> Row:
    """``row``, made of the record ``raw``, with the cells marked whose values do not fit ``model``."""
    found, observed = findings_of(raw, model, MARKED)
    if not (found or observed):
        return row
    if "" in found:
        return row._replace(unfit=found[""][0])
    cells = tuple(
        with_findings(cell, found.get(column.field, ()), observed.get(column.field, ()))
        for cell, column in zip(row.cells, columns, strict=True)
    )
    unfit = words.count(len(found), "value does not fit", "values do not fit") if found else ""
    return Row(cells, row.fault, unfit)


def with_findings(cell: Cell, broken: Sequence[str], observed: Sequence[str]) -> Cell:
    """``cell`` with what does not fit in it, and else with what is only observed."""
    if broken:
        return cell.marked(said_of([*broken, *observed]))
    return cell._replace(observed=said_of(observed)) if observed else cell


def misfit_in(column: Column, cell: Cell, model: type[BaseModel] | None) -> Misfit:
    """What is said of a ``cell`` in that column, which has a misfit."""
    fields = fields_of(model) if model is not None else ()
    field = next((one for one in fields if one.name == column.field), None)
    declared = field or Field(column.field, column.kind, required=False, nullable=True)
    return misfit_of(declared, cell)


def misfit_of(field: Field, cell: Cell) -> Misfit:
    """What is said of a ``field`` whose ``cell`` has a misfit, or of which something is observed."""
    # The text of a cell with a misfit has its quotes; of the others `received` is more than fits into a cell.
    there = cell.text if cell.kind == "text" else cell.received or cell.text
    there = "nothing: the field is absent" if cell.kind == "absent" else visible(shortened(there, _THERE))
    if cell.observed and not cell.misfit:
        missing = _missing(field, cell) if cell.kind == "null" else cell.observed
        return Misfit(field.name, _expected(field), there, missing, OBSERVED_TITLE, OBSERVED_NOTE)
    if cell.misfit != NO_ISO_DATE:
        return Misfit(field.name, _expected(field), there, _missing(field, cell))
    expected = f"a date as ISO 8601, such as {_SUCH}"
    missing = _no_date(cell.received)
    if field.format:
        return Misfit(field.name, expected, there, missing)
    note = "Shown as received. The contract asks for a text alone, so the record counts as fitting it."
    return Misfit(field.name, expected, there, missing, "is no date of ISO 8601", note)


def _expected(field: Field) -> str:
    words = {"boolean": "true or false", "number": "a number", "array": "an array", "object": "an object"}
    if field.choices:
        said = type_words(field).removesuffix(", required")
    else:
        said = words.get(field.kind, "text")
        if field.kind == "array" and field.items:
            said += f" of {_TYPE_WORDS.get(field.items, field.items)}"
        said += " or null" if field.nullable else ""
    return said


def _missing(field: Field, cell: Cell) -> str:
    if cell.kind == "absent":
        return "the field itself: the contract requires it"
    if cell.kind == "null":
        return "a value: the contract has no null here"
    word, _, rest = cell.misfit.partition(", ")
    if word in _A and rest.endswith(" expected") and ";" not in rest:
        return f"{_expected(field)}: this is {_A[word]}"
    return cell.misfit


def _no_date(text: str) -> str:
    form = form_of(text)
    if form == "a database's own text":
        zone = text.endswith(("Z", "UTC")) or "+" in text[10:] or "-" in text[10:]
        return "the T between day and time" + ("" if zone else ", and the zone: the moment is not known")
    return (
        f"the form of ISO 8601: this is {form}" if form else "a day of the calendar: no moment is named here"
    )


_TYPE_WORDS = {"id": "text", "text": "text", "date": "date as text", "any": "any"}


def type_words(field: Field) -> str:
    """A field's declared type in words: ``text, required``, ``array of object or null``."""
    said = _TYPE_WORDS.get(field.kind, field.kind)
    if field.kind == "array" and field.items:
        said = f"array of {_TYPE_WORDS.get(field.items, field.items)}"
    if field.choices:
        said = "one of " + ", ".join(field.choices)
    if field.nullable and field.kind != "any":
        said += " or null"
    return said + (", required" if field.required else "")


def said_of(sentences: Sequence[str]) -> str:
    """What does not fit in one field, in a line; of many findings the first, and how many more there are."""
    more = len(sentences) - _SAID
    return "; ".join([*sentences[:_SAID], *([f"and {more:,} more like these"] if more > 0 else [])])


def findings_of(raw: bytes, model: type[BaseModel], most: int = _MOST_FINDINGS) -> Findings:
    """What does not fit ``model``. Empty for a record that is too large to check; where more than ``most`` values do
    not fit, only how many, under an empty name.
    """
    if len(raw) > CHECK_BOUND:
        return Findings({}, {})
    try:
        model.model_validate_json(raw)
    except ValidationError as refused:
        if refused.error_count() > most:
            said = f"{refused.error_count():,} values do not fit, too many to name each"
            return Findings({"": [said]}, {})
        found: tuple[dict[str, dict[str, None]], ...] = ({}, {})
        record = None
        for error in refused.errors(include_url=False, include_context=True):
            place, is_known = error["loc"], False
            if not place:
                continue
            if error["input"] is None and error["type"] != "missing":
                record = json.loads(raw) if record is None else record
                is_known = Refused(error["type"], *located(place, record, model), {}).is_known_null
            sentence = _sentence(error["type"], error["msg"], tuple(place[1:]), error["input"])
            found[is_known].setdefault(str(place[0]), {})[sentence] = None
        return Findings(*({name: list(said) for name, said in one.items()} for one in found))
    except (ValueError, RecursionError, msgspec.DecodeError):
        pass
    return Findings({}, {})


_EXPECTED = {
    "string_type": "text expected", "int_type": "number expected", "float_type": "number expected",
    "bool_type": "true or false expected", "list_type": "array expected", "dict_type": "object expected",
    "model_type": "object expected", "model_attributes_type": "object expected", "int_from_float": "number expected",
    "finite_number": "a finite number expected",
}  # fmt: skip


def _sentence(kind: str, message: str, inside: tuple[Any, ...], value: Any) -> str:
    if kind == "missing":
        said = "required and absent"
    else:
        expected = _EXPECTED.get(kind, message[:1].lower() + message[1:])
        said = f"{_KINDS.get(type(value), 'null')}, {expected}"
    if inside:
        steps = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in inside if not _is_branch(s))
        said = f"{steps.lstrip('.')}: {said}" if steps else said
    return visible(said)


_KINDS = {
    str: "text", int: "number", float: "number", bool: "boolean", list: "array", dict: "object"
}  # fmt: skip
"""The word for a value in a sentence, by the Python type that pydantic reads it as."""


_A = {
    "text": "a text",
    "number": "a number",
    "boolean": "true or false",
    "array": "an array",
    "object": "an object",
}


def _is_branch(step: Any) -> bool:
    """Whether a step of pydantic's path names a branch of a union (``float``, ``list[str]``) and no field."""
    return isinstance(step, str) and (
        step in ("str", "int", "float", "bool") or "[" in step or step[:1].isupper()
    )
