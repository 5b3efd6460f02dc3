"""One record as the inspector shows it: its label, its fields against the declared ones, and what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any, Literal, Protocol

import msgspec
from pydantic import BaseModel, ValidationError

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import Column, Resource
from explorer.jsontext.members import Member, parts, trim, walked
from explorer.jsontext.pieces import AT_ONCE, PIECE, stretch
from explorer.ui.kit.plain import visible
from explorer.ui.kit.visible import shortened, shown_text
from explorer.ui.records.cells import (
    ABSENT_CELL,
    LARGE,
    Cell,
    Reading,
    beginning_of,
    cell_at,
)

CHECK_BOUND = 128_000
"""Bytes up to which a record is checked against its model. The worst case, where nothing fits, takes 40 ms."""
_MOST_FINDINGS = 2_000
"""Values that do not fit: of more, only the number is shown."""
_SAID = 5
"""Findings that are shown for one field; further ones are counted."""
MOST = 1_000
"""Undeclared fields that are listed; the JSON tree shows all of them."""


_AS_USUAL = Reading()
_NAMELESS = (b"", b"null", b'""')


class PageFacts(Protocol):
    """What is shown of the page that brought a record (store.PageInfo)."""

    @property
    def number(self) -> int: ...


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One line of the Fields tab."""

    name: str
    cell: Cell
    declared: str
    """The declared type in words; empty for a field that is not declared."""
    finding: str = ""
    """How the value breaks the declaration, in words; empty when it fits or nothing is declared."""
    state: Literal["declared", "undeclared", "absent"] = "declared"
    place: Member | None = None
    """Its position in the record, and its name as received; None for an absent field."""


@dataclass(frozen=True)
class RecordView:
    """What the inspector shows: a record's bytes, and which list, row and page they are from."""

    raw: bytes
    resource: Resource | None = None
    row: int | None = None
    """Counted from 0, in its table."""
    page: PageFacts | None = None
    reading: Reading = _AS_USUAL
    """How its table displays values, so that the inspector shows dates in the same zone."""
    sample: Callable[[], list[bytes]] | None = None
    """Returns some records of the same list, from which the mapping is learned; None when there is no list."""
    sample_of: object = None
    """Compares equal for two views with the same sample, so that the mapping is learned once."""

    @cached_property
    def _beginning(self) -> dict[str, Member]:
        """The positions of its fields; of a large record, of those at its beginning."""
        if len(self.raw) > LARGE:
            return beginning_of(self.raw)[0] or {}
        start, end = trim(self.raw)
        return {member.key: member for member in parts(self.raw, start, end).members}

    @property
    def identifier(self) -> str:
        """The record's ``id`` as received, or an empty text."""
        place = self._beginning.get("id")
        return visible(shown_text(self.raw[place.start : min(place.end, place.start + 400)])) if place else ""

    @property
    def label(self) -> str:
        """A name for the record: the first label field that holds a text, else its id, else the resource's title."""
        for name in self.resource.label if self.resource else ("name",):
            place = self._beginning.get(name)
            if place is not None and self.raw[place.start : min(place.end, place.start + 5)] not in _NAMELESS:
                return cell_at(self.raw, place.start, place.end, "text", Reading(None)).text
        return self.identifier or (self.resource.title if self.resource else "Record")

    @property
    def place(self) -> str:
        """Which record it is: ``id 40230 · row 2``."""
        said = [f"id {self.identifier}"] if self.identifier else []
        if self.row is not None:
            said.append(f"row {self.row + 1:,}")
        return "  ·  ".join(said)


SAMPLE = 150
"""Rows from which the mapping of a list's fields is learned."""


class SampledRows(Protocol):
    """Rows of which a sample is taken (session.Pull)."""

    @property
    def rows(self) -> int: ...
    def window(self, start: int, stop: int) -> list[bytes]: ...


def sample_of(rows: SampledRows) -> tuple[Callable[[], list[bytes]], object]:
    """The `sample` and `sample_of` of a `RecordView`: up to `SAMPLE` rows from the beginning, the middle and the end.

    Rows that arrive later give another sample only while there are few, or once their number has doubled.
    """
    count = rows.rows
    step = SAMPLE // 3
    grown = count if count <= SAMPLE else SAMPLE << (count // SAMPLE).bit_length()

    def taken() -> list[bytes]:
        if count <= SAMPLE:
            return rows.window(0, count)
        starts = (0, (count - step) // 2, count - step)
        return [raw for start in starts for raw in rows.window(start, start + step)]

    return taken, (id(rows), getattr(rows, "stored_id", 0), grown)


@dataclass(slots=True)
class Fields:
    """A record's fields, read a bounded piece at a time: call `go_on` until `complete` is true."""

    view: RecordView
    rows: list[FieldRow] = field(default_factory=list)
    """All rows, once `complete` is true."""
    more: int = 0
    """How many undeclared fields are not listed, as there are more than `MOST`."""
    unlisted: str = ""
    """A sentence about the values that do not fit, where there are too many to name; else empty."""
    complete: bool = False
    _found: dict[str, Member] = field(default_factory=dict)
    _repeated: set[str] = field(default_factory=set)
    _walk: Iterator[Member | None] | None = None

    def go_on(self, steps: int = PIECE) -> None:
        """Read the next ``steps`` tokens. A record of ordinary size is read whole at the first call."""
        raw = self.view.raw
        start, end = trim(raw)
        if end - start <= AT_ONCE:
            self._take(parts(raw, start, end).members)
            self._end()
            return
        if self._walk is None:
            self._walk = walked(raw, start, end) if raw[start] in b"{[" else iter(())
        self._take(stretch(self._walk, steps))
        one = list(islice(self._walk, 1))
        self._take(member for member in one if member is not None)
        if not one:
            self._end()

    def _take(self, members: Iterable[Member]) -> None:
        found, declared = self._found, self._declared()
        for member in members:
            if member.key in found:
                self._repeated.add(member.key)
            elif len(found) >= MOST + len(declared) and member.key not in declared:
                self.more += 1
                continue
            found[member.key] = member

    def _declared(self) -> dict[str, Field]:
        model = self.view.resource.record if self.view.resource else None
        return {f.name: f for f in fields_of(model)} if model else {}

    def bytes_of(self, name: str) -> bytes | None:
        """A field's bytes as received, or None when absent; of a repeated key the last value."""
        found = self._found.get(name)
        return self.view.raw[found.start : found.end] if found is not None else None

    def _end(self) -> None:
        view, declared = self.view, self._declared()
        model = view.resource.record if view.resource else None
        columns = {c.field: c for c in view.resource.columns} if view.resource else {}
        findings = findings_of(view.raw, model) if model else {}
        self.unlisted = "; ".join(findings.pop("", ()))
        made = []
        for name, one in declared.items():
            said = findings.get(name, ())
            made.append(_declared_row(view, one, columns.get(name), self._found.get(name), said))
        for name, place in self._found.items():
            if name not in declared:
                cell = cell_at(view.raw, place.start, place.end, "any", view.reading, "name")
                state: Literal["undeclared", "declared"] = "undeclared" if model else "declared"
                made.append(FieldRow(visible(shortened(name)), cell, "", "", state, place))
        self.rows = [
            replace(r, cell=r.cell._replace(repeated=True), finding=_twice(r.finding))
            if r.place is not None and r.place.key in self._repeated
            else r
            for r in made
        ]
        self.complete = True


def field_rows(view: RecordView) -> list[FieldRow]:
    """The record's fields: the declared ones in their order, then the undeclared ones."""
    fields = Fields(view)
    while not fields.complete:
        fields.go_on()
    return fields.rows


def _twice(finding: str) -> str:
    return "; ".join(filter(None, (finding, "the field appears twice, the last value is shown")))


def _declared_row(
    view: RecordView, field: Field, column: Column | None, place: Member | None, findings: Sequence[str]
) -> FieldRow:
    more = len(findings) - _SAID
    said = "; ".join([*findings[:_SAID], *([f"and {more:,} more like these"] if more > 0 else [])])
    if place is None:
        return FieldRow(field.name, ABSENT_CELL, type_words(field), said, "absent")
    summary = column.summary if column else "name"
    cell = cell_at(view.raw, place.start, place.end, field.kind, view.reading, summary)
    return FieldRow(field.name, cell, type_words(field), said, place=place)


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


def findings_of(raw: bytes, model: type[BaseModel]) -> dict[str, list[str]]:
    """What does not fit ``model``: short sentences by top-level field. Empty for a record that is too large to check;
    where too much does not fit, only how much, under an empty name.
    """
    if len(raw) > CHECK_BOUND:
        return {}
    try:
        model.model_validate_json(raw)
    except ValidationError as refused:
        if refused.error_count() > _MOST_FINDINGS:
            return {"": [f"{refused.error_count():,} values do not fit, too many to name each"]}
        found: dict[str, dict[str, None]] = {}
        for error in refused.errors(include_url=False, include_context=True):
            place = error["loc"]
            if not place:
                continue
            sentence = _sentence(error["type"], error["msg"], tuple(place[1:]), error["input"])
            found.setdefault(str(place[0]), {})[sentence] = None
        return {name: list(sentences) for name, sentences in found.items()}
    except (ValueError, RecursionError, msgspec.DecodeError):
        return {}
    return {}


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


def _is_branch(step: Any) -> bool:
    """Whether a step of pydantic's path names a branch of a union (``float``, ``list[str]``) and no field."""
    return isinstance(step, str) and (
        step in ("str", "int", "float", "bool") or "[" in step or step[:1].isupper()
    )
