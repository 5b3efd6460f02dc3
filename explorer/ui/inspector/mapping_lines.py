"""The lines of the Mapping tab: each unified value of a record, and where in raw_data it comes from, in words.

What tells a mapping is imported when a record is first traced: comparing values is no part of the start.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from explorer import words
from explorer.catalog.fields import fields_of
from explorer.catalog.spec import raw_field
from explorer.jsontext.members import place_of
from explorer.jsontext.pointer import step
from explorer.ui.kit.plain import visible
from explorer.ui.records.cells import ABSENT_CELL, Cell, cell_of
from explorer.ui.records.record_view import RecordView

if TYPE_CHECKING:
    from explorer.quality.mapping.search import Found
    from explorer.quality.mapping.trace import Line

_HOW = {
    "equal": "the same value",
    "case and space": "the same except for case and spaces",
    "number": "the same number",
    "date": "the same moment",
    "words": "another word for it",
    "opposite": "its opposite",
    "there": "whether something is there",
    "table": "a value for each of its values",
    "parts": "joined from parts",
    "part": "this part of it",
    "names": "its names",
}


TRACED = 300_000
"""Bytes of a record whose values are traced. Reading it holds the whole program, in whichever thread."""


Look = Literal["path", "caution", "quiet"]
"""Of a source: a path, words that need a look, or words that need none."""


@dataclass(frozen=True, slots=True)
class MappingLine:
    """One line as it is shown."""

    line: Line
    name: str
    cell: Cell
    source: str
    """A path in raw_data, or words."""
    look: Look
    more: str
    """What the tooltip adds."""

    @property
    def value(self) -> str:
        """The unified value, on one line."""
        return f"{self.cell.text} {self.cell.more}".strip()

    @property
    def whence(self) -> Sequence[str]:
        """The source, and what the tooltip adds."""
        return [text for text in (self.source, self.more) if text]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What the Mapping tab shows of one record."""

    lines: tuple[MappingLine, ...]
    said: str
    """How many fields were traced."""
    unused: tuple[str, ...]
    unused_said: str
    raw: bytes
    """The record's raw_data as received; empty when it has none."""


def learn(raws: Sequence[bytes], raw: str) -> dict[str, Found]:
    """The mapping as these records tell it; those that cannot be read are left out. Some tenths of a second for 150."""
    from explorer.quality.mapping.trace import learned

    return learned((value for value in map(_value, raws) if value is not None), raw)


def mapped(view: RecordView, found: Mapping[str, Found]) -> Mapped:
    """The lines of a record."""
    from explorer.quality.mapping.trace import trace

    if len(view.raw) > TRACED:
        return Mapped((), f"This record is too large to be traced: {words.size(len(view.raw))}", (), "", b"")
    record = _value(view.raw)
    name = raw_name(view)
    declared = (
        [f.name for f in fields_of(view.resource.record)] if view.resource and view.resource.record else []
    )
    made = trace(record, found, declared, name) if record is not None else None
    place = place_of(view.raw, f"/{step(name)}")
    raw = view.raw[place.start : place.end] if place is not None else b""
    if made is None:
        why = f"This record has no {name}" if not raw or raw == b"null" else f"Its {name} is not an object"
        return Mapped((), why, (), "", raw)
    return Mapped(
        tuple(_line(view, one) for one in made.lines),
        f"{made.traced} of {words.count(made.filled, 'field')} traced to {name}",
        made.unused,
        f"{len(made.unused)} of {words.count(made.raw_paths, 'raw path')} unused",
        raw,
    )


def raw_name(view: RecordView) -> str:
    """The field that holds the third party's own record, as the resource declares it; empty where it has none."""
    return raw_field(view.resource.record) if view.resource is not None else ""


def path_words(pointer: str) -> str:
    """A JSON pointer as people write a path."""
    from explorer.quality.mapping.trace import spoken

    return spoken(pointer)


def _value(raw: bytes) -> Mapping[str, Any] | None:
    if len(raw) > TRACED:
        return None
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _line(view: RecordView, line: Line) -> MappingLine:
    place = place_of(view.raw, line.pointer)
    columns = {c.field: c for c in view.resource.columns} if view.resource else {}
    column = columns.get(line.field)
    kind = column.kind if column is not None and line.pointer.count("/") == 1 else "any"
    cell = (
        cell_of(view.raw[place.start : place.end], kind, view.reading, column.summary if column else "name")
        if place is not None
        else ABSENT_CELL
    )
    return MappingLine(line, visible(path_words(line.pointer)[1:]), cell, *_source(line))


def _source(line: Line) -> tuple[str, Look, str]:
    """Its words, look, and what the tooltip adds."""
    paths = [visible(path_words(path) or "the whole") for path in line.sources]
    how = visible(line.words) or _HOW.get(line.how, "")
    if line.state == "traced":
        said = ", ".join(paths)
        more = f"{how}, judged from this record alone" if line.here_only else how
        return said, "path", more
    if line.state == "lost":
        return "has a value", "caution", f"Elsewhere it comes from {paths[0]}, which has a value here too"
    if line.state == "candidates":
        many = words.count(len(paths), "candidate")
        return many, "caution", "Could come from " + ", ".join(paths[:12])
    return ("", "quiet", "") if line.how == "nothing" else ("not found", "quiet", "No raw value matches it")
