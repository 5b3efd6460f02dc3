"""A comparison as rows: its sentences and its lines (tab Differences), and both lists side by side (tab Side by side).

Lines and records are read a block at a time when the first of them comes into sight; records in a thread.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import ABSENT, Column
from explorer.jsontext.read import read_exact
from explorer.quality.compare.aligned import DIFFERS, GAP, Aligned
from explorer.quality.compare.changes import Change, differences
from explorer.quality.compare.claims import Meaning, line_values, shown, shown_change
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.explained import Example, Sentence
from explorer.quality.compare.found import SHOWN, Difference, What
from explorer.quality.compare.records import written
from explorer.quality.compare.rows import Wanted, always
from explorer.session import PageInfo
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.visible import encodable, visible
from explorer.ui.records.cells import Cell, Reading, Row, row_of
from explorer.ui.records.records import Index, RecordsModel
from explorer.work import cancellable

_UNEXPLAINED_FIELDS = 12
_EXAMPLE = 18
"""Characters from which on the two values of an example are cut around the place where they differ."""
_CELL = 30
"""Characters that a value's cell has room for in a small window."""
_BLOCK = 100
_NO_NAME = re.compile(r"[^\w]+")
_BLOCKS = 20
Read = Callable[[Sequence[int]], Sequence[Difference]]


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """A row of the summary: a sentence about some of the differences, and which lines those are."""

    meaning: str
    count: int
    words: str
    example: str = ""
    raw: str = ""
    """What became of raw data of its records; empty where nothing is known."""
    claims: frozenset[int] | None = None
    """The numbers of the claims whose lines it is about; None: lines of any claim."""
    what: tuple[What, ...] = ()
    all: bool = False
    counted: str = "record"
    """What `count` counts."""

    @property
    def how_many(self) -> str:
        """``87 records``; of several fields ``112 values``."""
        return words.count(self.count, self.counted)


def summary_rows(made: Comparison) -> list[SummaryRow]:
    """The summary of a comparison: all differences, then what happened, the worst first."""
    explained, counts = made.explained, made.counts
    rows = [
        SummaryRow(
            one.meaning.capitalize(),
            one.count,
            one.words,
            _example(one.examples),
            one.raw.words,
            None if one.what else one.claims,
            what=_whats(one.what),
            counted=_counted(one),
        )
        for one in explained.sentences
    ]
    unexplained = [
        SummaryRow("Unexplained", one.count, one.words, _example(one.examples), one.raw.words, one.claims)
        for one in explained.unexplained[:_UNEXPLAINED_FIELDS]
    ]
    if len(explained.unexplained) > _UNEXPLAINED_FIELDS:
        left = explained.changed - explained.claimed
        every = frozenset().union(*(one.claims for one in explained.unexplained))
        said = f"{len(explained.unexplained):,} fields: {left:,} changes unexplained"
        unexplained = [SummaryRow("Unexplained", left, said, claims=every, counted="value")]
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
    first = SummaryRow(
        "", how_many(made), "All differences", raw=made.raw.words, all=True, counted="difference"
    )
    return [first, *lone, *rows]


def how_many(made: Comparison) -> int:
    """How many differences there are: records on one side alone, and fields of the others."""
    return made.counts.added + made.counts.gone + sum(made.fields.values())


def file_stem(made: Comparison, part: int | None) -> str:
    """``differences-ats-job-conn_1-2026-11-23-5-of-199``: of what, of when, and where only a part is saved how many."""
    about = made.sides[1].about
    some = "" if part is None else f"{part} of {how_many(made)}"
    said = f"differences {about.resource} {about.connection} {about.updated_at.astimezone():%Y-%m-%d} {some}"
    return _NO_NAME.sub("-", said).strip("-")[:120]


def _counted(one: Sentence) -> str:
    """What a sentence counts: records, where a record has one value of it, or two that were swapped."""
    several = len(one.fields) > 1 and one.count == sum(one.fields.values())
    return "value" if several else "record"


def _whats(what: str) -> tuple[What, ...]:
    return ("added",) if what == "added" else ("gone",) if what == "gone" else ()


def _example(examples: Iterable[Example]) -> str:
    first = next(iter(examples), None)
    return "" if first is None else shown_change(first.before, first.now, _EXAMPLE)


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
    path = _values(line)[0] if line.what == "changed" else ""
    return (line.field + path if line.what == "changed" else "") or "(the whole record)"


def value_words(line: Difference) -> tuple[str, str]:
    """Both values of the changed field from before where they differ; empty for a record in one state only."""
    return _values(line)[1:] if line.what == "changed" else ("", "")


def _values(line: Difference) -> tuple[str, str, str]:
    """The path below the field, and both values there."""
    if line.old is None or line.new is None:
        return "", line.old or "absent", line.new or "absent"
    return line_values(line.old, line.new, _CELL)


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


READ = "read lines"
"""The name of the task that reads a block."""
_PAIRS = 32
_BLOCKS_OF_PAIRS = 64
_WAITING = 6
"""Blocks that may wait to be read: what was scrolled past meanwhile is left."""
_NAMED = 6
"""Fields of a record that are named where it differs."""
_DISPLAY, _MORE = int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.AccessibleDescriptionRole)
_BLANK = Cell("", "text")
_NOT_THERE = "not there"


class Pair(NamedTuple):
    """One line: the row of either side, and in which fields they differ, in words."""

    rows: tuple[Row, Row]
    said: str = ""


def read_pairs(
    made: Comparison,
    aligned: Aligned,
    lines: Sequence[int],
    columns: Sequence[Column],
    reading: Reading,
    wanted: Wanted = always,
) -> list[Pair]:
    """These lines, with what differs marked; fewer where they are no longer ``wanted``. Blocks: for a worker thread."""
    return [_pair(made, aligned, line, columns, reading) for line in lines if wanted()]


def _pair(made: Comparison, aligned: Aligned, line: int, columns: Sequence[Column], reading: Reading) -> Pair:
    records = difference_at(aligned, line)
    try:
        raws = made.records(records)
        changes = made.changes(records) if aligned.states[line] == DIFFERS else ()
    except ExplorerError as fault:
        unread = Row(tuple(_BLANK for _ in columns), fault=fault.sentence)
        return Pair((unread, unread))
    said: dict[str, list[str]] = {}
    texts = dict[str, tuple[str, str]]()
    for change in changes:
        values = f"before {shown(change.sent)}\nafter {shown(change.returned)}"
        inner = f"{change.field}: " if len(change.path) > 1 else ""
        if len(change.path) == 1 and ABSENT not in (change.sent, change.returned):
            texts[change.field] = line_values(written(change.sent), written(change.returned), _CELL)[1:]
        said.setdefault(change.path[0] if change.path else columns[0].field, []).append(inner + values)
    left, right = (
        _gap(columns)
        if raw is None
        else _marked(row_of(raw, columns, reading), columns, said, side == 1, texts)
        for side, raw in enumerate(raws)
    )
    names = ", ".join(list(said)[:_NAMED]) + (", …" if len(said) > _NAMED else "")
    return Pair((left, right), f"differs in {names}" if said else "")


def difference_at(aligned: Aligned, line: int) -> Difference:
    """The records of a line, as a comparison takes them."""
    left, right = (None if row == GAP else row for row in (aligned.left[line], aligned.right[line]))
    return Difference(0, "gone" if right is None else "added" if left is None else "changed", "", left, right)


def _gap(columns: Sequence[Column]) -> Row:
    return Row((Cell(_NOT_THERE, "absent", received=_NOT_THERE), *(_BLANK for _ in columns[1:])), gap=True)


def _marked(
    row: Row,
    columns: Sequence[Column],
    said: dict[str, list[str]],
    later: bool,
    texts: dict[str, tuple[str, str]],
) -> Row:
    """With what differs marked, and shown as received around the place where it does."""
    cells = (
        _received(cell, texts.get(column.field, ("", ""))[later])._replace(
            differs="\n".join(said[column.field]), later=later
        )
        if column.field in said
        else cell
        for column, cell in zip(columns, row.cells, strict=True)
    )
    return row._replace(cells=tuple(cells))


def _received(cell: Cell, text: str) -> Cell:
    if not text or cell.kind == "null":
        return cell
    shown = encodable(visible(text))[:SHOWN]
    return cell._replace(text=shown, kind="text", more="", at=None, received=cell.received or cell.text)


class PairedRows(QObject):
    """The lines of a comparison that are shown: all, or those of some states. Both tables are windows onto it."""

    replaced = Signal()
    """Other lines are shown, or the same ones in another way."""
    came = Signal(int, int)
    """Lines were read, from the first to the last of these."""
    state = "complete"

    def __init__(self, made: Comparison, aligned: Aligned, columns: Sequence[Column], tasks: Tasks) -> None:
        super().__init__(tasks)
        self.made, self.aligned, self.columns = made, aligned, tuple(columns)
        self.lines: Sequence[int] = range(len(aligned))
        self.differing: Sequence[int] = ()
        """The numbers of all lines that are not the same on both sides."""
        self._tasks, self._reading = tasks, Reading()
        self._blocks: OrderedDict[int, list[Pair]] = OrderedDict()
        self._waiting: dict[int, None] = {}
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._read_next)
        self._blank = Row(tuple(_BLANK for _ in self.columns))

    def show(self, lines: Sequence[int]) -> None:
        """Show these lines of `aligned`, given in their order."""
        self.lines = lines
        self._forget()

    def set_reading(self, reading: Reading) -> None:
        """Display values in another way, such as dates in another zone."""
        if reading != self._reading:
            self._reading = reading
            self._forget()

    def _forget(self) -> None:
        self.stop()
        self._blocks.clear()
        self.replaced.emit()

    def stop(self) -> None:
        """Read nothing more that is waiting."""
        self._waiting.clear()
        self._tasks.cancel(READ)

    def pair(self, at: int) -> Pair:
        """The line at that place; an empty one until it has been read."""
        block, place = divmod(at, _PAIRS)
        found = self._blocks.get(block)
        if found is None:
            self._waiting.pop(block, None)
            self._waiting[block] = None  # what was asked for last is read first
            self._soon.start()
            return Pair((self._blank, self._blank))
        self._blocks.move_to_end(block)
        return found[place]

    def _read_next(self) -> None:
        if not self._waiting or self._tasks.busy(READ):
            return
        block, _ = self._waiting.popitem()
        self._waiting = dict.fromkeys(list(self._waiting)[-_WAITING:])
        lines = self.lines[block * _PAIRS : (block + 1) * _PAIRS]
        work = partial(read_pairs, self.made, self.aligned, lines, self.columns, self._reading)
        self._tasks.start(READ, cancellable(work), done=partial(self._take, block))

    def _take(self, block: int, pairs: list[Pair]) -> None:
        self._blocks[block] = pairs
        if len(self._blocks) > _BLOCKS_OF_PAIRS:
            self._blocks.popitem(last=False)
        self._waiting.pop(block, None)
        self.came.emit(block * _PAIRS, block * _PAIRS + len(pairs) - 1)
        self._read_next()

    def next_difference(self, at: int, by: int) -> int:
        """The place of the next (1) or previous (-1) line that is not the same on both sides; -1 where none follows."""
        if len(self.lines) == len(self.aligned):
            place = bisect_right(self.differing, at) if by > 0 else bisect_left(self.differing, at) - 1
            return self.differing[place] if 0 <= place < len(self.differing) else -1
        return at + by if 0 <= at + by < len(self.lines) else -1

    # ---- as a `Rows`, which a model takes

    @property
    def rows(self) -> int:
        """How many lines are shown."""
        return len(self.lines)

    def window(self, start: int, stop: int) -> list[bytes]:
        """Nothing: records are read in a thread (`pair`)."""
        return []

    def page_at(self, row: int) -> PageInfo:
        """Raises IndexError: a line has two pages, or one."""
        raise IndexError(row)

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Never calls ``callback``: the model hears `replaced`."""
        return lambda: None


class SideModel(RecordsModel):
    """One side of the lines, 0 or 1: a table of records in which a line may be a gap. Empty until `PairedRows.show`."""

    def __init__(self, pairs: PairedRows, side: int, parent: QObject) -> None:
        super().__init__(pairs.columns, lambda: None, parent=parent)
        self._pairs, self._side = pairs, side
        pairs.replaced.connect(lambda: self.set_pull(pairs))
        pairs.came.connect(self._lines_came)

    def _lines_came(self, first: int, last: int) -> None:
        self.dataChanged.emit(self.index(first, 0), self.index(last, self.columnCount() - 1))

    def set_reading(self, reading: Reading) -> None:
        self._pairs.set_reading(reading)

    def row(self, number: int) -> Row:
        return self._pairs.pair(number).rows[self._side]

    def number(self, row: int) -> int:
        aligned = self._pairs.aligned
        return (aligned.right if self._side else aligned.left)[self._pairs.lines[row]]

    def found(self, row: int) -> str:
        return self._pairs.pair(row).said

    @property
    def highest(self) -> int:
        return self._pairs.made.sides[self._side].rows

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if index.isValid() and index.row() < self.rowCount() and self.number(index.row()) == GAP:
            if role == _MORE:
                return "only the list beside this one has the record"
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return _NOT_THERE
            if index.column() == 0:
                return "" if role == _DISPLAY else None
        return super().data(index, role)
