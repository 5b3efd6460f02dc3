"""The lines of the Mapping tab: each unified value of a record, and where in its raw record it comes from, in words.

The raw record is the field that the record's model marks as such, ``raw_data`` in the built-in interface, or what the
page's envelope has of it (`Resource.raw_name`).
What learns a mapping is imported when a record is first traced, as the window opens without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from explorer import words
from explorer.catalog.fields import fields_of
from explorer.jsontext.members import place_of
from explorer.jsontext.pointer import step
from explorer.jsontext.read import object_of
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
"""Most bytes of a record that is traced: reading JSON blocks the whole program, whichever thread does it."""


Look = Literal["path", "caution", "quiet"]
"""How a source is painted: as a path, as words that need attention, or as words that need none."""


@dataclass(frozen=True, slots=True)
class MappingLine:
    """One line of the table: a unified value, and its source in words."""

    line: Line
    name: str
    cell: Cell
    source: str
    """A path in the raw record, or words."""
    look: Look
    more: str
    """What the tooltip says besides the source."""

    @property
    def value(self) -> str:
        """The unified value, on one line."""
        return f"{self.cell.text} {self.cell.more}".strip()

    @property
    def source_lines(self) -> Sequence[str]:
        """The source, and what the tooltip says besides it."""
        return [text for text in (self.source, self.more) if text]


@dataclass(frozen=True, slots=True)
class RecordMapping:
    """What the Mapping tab shows of one record."""

    lines: tuple[MappingLine, ...]
    said: str
    """How many fields were traced, or why none could be."""
    raw_name: str
    """The name of the record's raw field; empty when its model declares none."""
    unused: tuple[str, ...] = ()
    """JSON pointers into the raw record that no unified field comes from."""
    unused_said: str = ""
    raw: bytes = b""
    """The raw record as received; empty when there is none."""


def raw_name_of(view: RecordView) -> str:
    """The name of the record's raw field, or the path in its page's envelope; empty when neither is declared."""
    return view.resource.raw_name if view.resource is not None else ""


def learn(raws: Sequence[bytes], raw_name: str) -> dict[str, Found]:
    """The mapping, learned from these records; unreadable ones are left out. Takes some tenths of a second for 150."""
    from explorer.quality.mapping.trace import learned  # not needed to show the window: see above

    values = (object_of(raw, TRACED) for raw in raws)
    return learned((value for value in values if value is not None), raw_name)


def mapped(view: RecordView, found: Mapping[str, Found]) -> RecordMapping:
    """The mapping of one record, given what `learn` found in records of its list."""
    from explorer.quality.mapping.trace import trace  # not needed to show the window: see above

    name = raw_name_of(view)
    if not name or view.resource is None or view.resource.record is None:
        return RecordMapping((), "This list declares no raw record to trace fields to", name)
    whole = view.joined or view.raw
    if len(whole) > TRACED:
        return RecordMapping((), f"This record is too large to be traced: {words.size(len(whole))}", name)
    record = object_of(whole, TRACED)
    declared = [field.name for field in fields_of(view.resource.record)]
    made = trace(record, found, declared, name) if record is not None else None
    place = place_of(whole, f"/{step(name)}")
    raw = whole[place.start : place.end] if place is not None else b""
    if made is None:
        why = f"This record has no {name}" if not raw or raw == b"null" else f"Its {name} is not an object"
        if name not in declared:
            why = f"The {name} of its page has no entry for each row"
        return RecordMapping((), why, name, raw=raw)
    return RecordMapping(
        tuple(_line(view, one) for one in made.lines),
        f"{made.traced} of {words.count(made.filled, 'field')} traced to {name}",
        name,
        made.unused,
        f"{len(made.unused)} of {words.count(made.raw_paths, 'raw path')} unused",
        raw,
    )


def path_words(pointer: str) -> str:
    """A JSON pointer as people write a path: ``.departments[0].name``."""
    from explorer.quality.mapping.trace import spoken  # not needed to show the window: see above

    return spoken(pointer)


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
    """The source of a line in words, how it is painted, and what the tooltip says besides."""
    paths = [visible(path_words(path) or "the whole") for path in line.sources]
    how = visible(line.words) or _HOW.get(line.how, "")
    if line.state == "traced":
        said = ", ".join(paths)
        more = f"{how}, judged from this record alone" if line.here_only else how
        return said, "path", more
    if line.state == "lost":
        return (
            f"{paths[0]} has a value",
            "caution",
            f"It comes from {paths[0]} in other records, and is empty here",
        )
    if line.state == "candidates":
        many = words.count(len(paths), "candidate")
        return many, "caution", "Could come from " + ", ".join(paths[:12])
    return ("", "quiet", "") if line.how == "nothing" else ("not found", "quiet", "No raw value matches it")
