"""One record as the inspector shows it: its label, its fields against the declared ones, and what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Literal, Protocol

from explorer.catalog.fields import Field, fields_of
from explorer.catalog.spec import Column, Resource
from explorer.jsontext.members import Member, parts, trim, walked
from explorer.jsontext.pieces import AT_ONCE, PIECE, stretch
from explorer.ui.kit.plain import visible
from explorer.ui.kit.visible import shortened, shown_text
from explorer.ui.records.cells import ABSENT_CELL, LARGE, NO_ZONE, Cell, Reading, beginning_of, cell_at
from explorer.ui.records.misfits import Findings, Misfit, findings_of, misfit_of, type_words, with_findings

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
    misfit: Misfit | None = None
    """What is said of a value that does not fit; None for one that does."""


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
    explain: str = ""
    """The field of which the inspector is to say why its value does not fit; empty for none."""
    among: tuple[RecordView, ...] = ()
    """Of several chosen records all, this one too, in their order: the inspector compares them."""
    title: str = ""
    """What stands above it among others; empty: its row."""
    joined: bytes = b""
    """The record with the raw data of its page's envelope as a last field; empty where it has its own, or none."""

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


def sample_of(
    rows: SampledRows, joined: Callable[[Sequence[int], Sequence[bytes]], list[bytes]] | None = None
) -> tuple[Callable[[], list[bytes]], object]:
    """The `sample` and `sample_of` of a `RecordView`: up to `SAMPLE` rows from the beginning, the middle and the end.

    ``joined`` makes records of rows what `RecordView.joined` is. Rows that arrive later give another sample only while
    there are few, or once their number has doubled.
    """
    count = rows.rows
    step = SAMPLE // 3
    grown = count if count <= SAMPLE else SAMPLE << (count // SAMPLE).bit_length()

    def window(start: int, stop: int) -> list[bytes]:
        found = rows.window(start, stop)
        return joined(range(start, start + len(found)), found) if joined is not None else found

    def taken() -> list[bytes]:
        if count <= SAMPLE:
            return window(0, count)
        starts = (0, (count - step) // 2, count - step)
        return [raw for start in starts for raw in window(start, start + step)]

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
        findings = findings_of(view.raw, model) if model else Findings({}, {})
        self.unlisted = "; ".join(findings.broken.pop("", ()))
        made = []
        for name, one in declared.items():
            made.append(_declared_row(view, one, columns.get(name), self._found.get(name), findings))
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
    view: RecordView, field: Field, column: Column | None, place: Member | None, findings: Findings
) -> FieldRow:
    cell = ABSENT_CELL
    if place is not None:
        summary = column.summary if column else "name"
        cell = cell_at(view.raw, place.start, place.end, field.kind, view.reading, summary)
        if cell.lacks_zone:
            cell = cell._replace(more=NO_ZONE)
    cell = with_findings(cell, findings.broken.get(field.name, ()), findings.observed.get(field.name, ()))
    misfit = misfit_of(field, cell) if cell.misfit or cell.observed else None
    state: Literal["declared", "absent"] = "absent" if place is None else "declared"
    return FieldRow(field.name, cell, type_words(field), cell.misfit, state, place, misfit)
