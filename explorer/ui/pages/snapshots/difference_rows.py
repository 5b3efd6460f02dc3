"""A comparison as the tab Differences shows it: its sentences as rows, and its lines, read as they are scrolled to."""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.jsontext.read import read_exact
from explorer.quality.compare.changes import Change, differences
from explorer.quality.compare.claims import Meaning, around, shown_change
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.explained import Example
from explorer.quality.compare.found import Difference, What

_UNEXPLAINED_FIELDS = 12
_CELL = 30
"""Characters that a value's cell has room for in a small window."""
_BLOCK = 100
_BLOCKS = 20
Read = Callable[[Sequence[int]], Sequence[Difference]]


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A row of the summary: a sentence about some of the differences, and which lines those are."""

    meaning: str
    count: int
    words: str
    example: str = ""
    claims: frozenset[int] | None = None
    """The numbers of the claims whose lines it is about; None: lines of any claim."""
    what: tuple[What, ...] = ()
    all: bool = False


def summary_rows(made: Comparison) -> list[SummaryRow]:
    """The summary of a comparison: all differences, then what happened, the worst first."""
    explained, counts = made.explained, made.counts
    rows = [
        SummaryRow(
            one.meaning.capitalize(),
            one.count,
            one.words,
            _example(one.examples),
            None if one.what else one.claims,
            what=_whats(one.what),
        )
        for one in explained.sentences
    ]
    unexplained = [
        SummaryRow("Unexplained", one.count, one.words, _example(one.examples), one.claims)
        for one in explained.unexplained[:_UNEXPLAINED_FIELDS]
    ]
    if len(explained.unexplained) > _UNEXPLAINED_FIELDS:
        count = explained.changed - explained.claimed
        every = frozenset().union(*(one.claims for one in explained.unexplained))
        words = f"{len(explained.unexplained):,} fields: {count:,} changes unexplained"
        unexplained = [SummaryRow("Unexplained", count, words, "", every)]
    lone = [
        SummaryRow(kind.capitalize(), count, made.lone[kind], what=(kind,))
        for kind, count in (("gone", counts.gone), ("added", counts.added))
        if kind in made.lone
    ]
    if not rows and not unexplained and not lone:
        return []
    worst: Meaning = "suspect"
    place = sum(one.meaning == worst.capitalize() for one in rows)
    rows[place:place] = unexplained
    everything = counts.added + counts.gone + sum(made.fields.values())
    return [SummaryRow("", everything, "All differences", all=True), *lone, *rows]


def _whats(what: str) -> tuple[What, ...]:
    return ("added",) if what == "added" else ("gone",) if what == "gone" else ()


def _example(examples: Iterable[Example]) -> str:
    first = next(iter(examples), None)
    return "" if first is None else shown_change(first.before, first.now)


class Lines(Sequence[Difference]):
    """The lines of a comparison, however many. They are read in blocks, when the first line of a block is needed."""

    def __init__(self, numbers: array[int] | None = None, read: Read = lambda _: ()) -> None:
        """``numbers`` are the lines to show; ``read`` returns lines by number, in a few milliseconds for a block."""
        self.numbers, self._read = numbers if numbers is not None else array("q"), read
        self._blocks: OrderedDict[int, Sequence[Difference]] = OrderedDict()

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, row: Any) -> Any:
        block = row // _BLOCK
        lines = self._blocks.get(block)
        if lines is None:
            lines = self._blocks[block] = self._read(self.numbers[block * _BLOCK : (block + 1) * _BLOCK])
            if len(self._blocks) > _BLOCKS:
                self._blocks.popitem(last=False)
        return lines[row % _BLOCK]


def id_words(line: Difference) -> str:
    """The record's id; without one, its row."""
    row = line.row_a if line.row_b is None else line.row_b
    return line.id or f"(no id, row {(row or 0) + 1:,})"


def field_words(line: Difference) -> str:
    """The field that changed, or that the whole record was added or is gone."""
    return (line.field if line.what == "changed" else "") or "(the whole record)"


def value_words(line: Difference) -> tuple[str, str]:
    """Both values of the changed field from before where they differ; empty for a record in one state only."""
    if line.what != "changed":
        return "", ""
    if line.old is None or line.new is None:
        return line.old or "absent", line.new or "absent"
    return around(line.old, line.new, _CELL)


def record_changes(made: Comparison, line: Difference) -> tuple[str, list[Change]]:
    """What is to be said of a line's record beside its fields, or why it has none to show; and the fields: those that
    differ, or all of a record that was added or is gone. May take a while, so it belongs into a thread.
    """
    old, new = made.records(line)
    if old is not None and new is not None:
        return "", list(made.changes(line))
    try:
        values = [{} if raw is None else read_exact(raw) for raw in (old, new)]
    except (ValueError, RecursionError):
        return "This record cannot be read.", []
    fields = differences(*values)
    if not fields:
        return "This record has no fields.", fields
    return "Gone: all of its fields as they were" if new is None else "Added: all of its fields", fields
