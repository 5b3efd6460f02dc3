"""The Mapping tab: where in its raw record each unified value of the record comes from.

Choosing a value highlights its source in the raw record, and the other way round. The mapping is learned from up to
`SAMPLE` rows of the same list, in a thread, once while the list does not change. What learns it is imported when a
record is first traced, as the window opens without it.

The raw record is the field that the record's model marks as such, ``raw_data`` in the built-in interface, or what the
page's envelope has of it (`Resource.raw_name`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QSplitter, QTreeView, QWidget

from explorer.jsontext.members import place_of
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.inspector.value_cell import ValuePaint
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.columns import Column, follow_selection
from explorer.ui.kit.json_delegate import JsonDelegate
from explorer.ui.kit.json_find import JsonWay
from explorer.ui.kit.json_tree import JsonTreeModel, Node
from explorer.ui.kit.layout import column
from explorer.ui.kit.plain import PlainLabel, tooltip
from explorer.ui.kit.rows_table import RowsModel, RowsTable
from explorer.ui.kit.tasks import Tasks
from explorer.ui.kit.theme import mono
from explorer.ui.records.cells import tooltip_text
from explorer.ui.records.record_view import RecordView
from explorer.ui.records.row_delegate import MARGIN
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.quality.mapping.search import Found
    from explorer.quality.mapping.trace import Line
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from explorer import words
from explorer.catalog.fields import fields_of
from explorer.jsontext.pointer import step
from explorer.jsontext.read import object_of
from explorer.ui.kit.plain import visible
from explorer.ui.records.cells import ABSENT_CELL, Cell, cell_of

_HOW = {
    "equal": "the same value",
    "case and space": "the same except for case and spaces",
    "number": "the same number",
    "date": "the same moment, written in another way",
    "date without its zone": "the same moment, without its zone",
    "date with a zone": "the same date and time, with a zone added",
    "date to the second": "the same moment to the second",
    "words": "another word for it",
    "opposite": "its opposite",
    "there": "whether something is there",
    "table": "a value for each of its values",
    "parts": "joined",
    "part": "a part of it",
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
    """Paths in the raw record with what was made of them, as ``.first and .last, joined``, or words."""
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


def _behind(words_: str) -> str:
    """What is made of a source, behind its path: ``÷ 1,024``, ``with "/" put before it``."""
    return f"with {words_[4:]}" if words_.startswith("has ") else words_.removeprefix("is ")


def _source(line: Line) -> tuple[str, Look, str]:
    """The source of a line in words, how it is painted, and what the tooltip says besides."""
    paths = [visible(path_words(path) or "the whole") for path in line.sources]
    if line.state == "traced":
        how = _behind(visible(line.words)) or _HOW.get(line.how, "")
        made = "" if line.how == "equal" and not line.words else how
        said = ", ".join(filter(None, (words.listed(paths), made)))
        told = how if not made else ""
        alone = "judged from this record alone" if line.here_only else ""
        return said, "path", ", ".join(filter(None, (told, alone)))
    if line.state == "lost":
        return (
            f"{paths[0]} has a value",
            "caution",
            f"It comes from {paths[0]} in other records, and is empty here",
        )
    if line.state == "cut":
        said = f"begins like {paths[0]}, cut at {line.length:,}"
        return (
            said,
            "caution",
            f"Of the text there only the beginning is here: {words.count(line.length, 'character')}",
        )
    if line.state == "candidates":
        many = words.count(len(paths), "candidate")
        return many, "caution", "Could come from " + ", ".join(paths[:12])
    return ("", "quiet", "") if line.how == "nothing" else ("not found", "quiet", "No raw value matches it")


_SHARES = (30, 39, 31)
"""Shares of the width for names, values and sources where all need more; with these a date is seen whole."""
_OPEN_AT_ONCE = 400
"""Values of the raw record that are expanded when it is shown."""
_READ_AT_ONCE = 500_000
"""Most bytes of it that are read for that."""


class MappingView(QWidget):
    """The table of values with their sources, and below it the raw record as a tree."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("mapping")
        self.setAccessibleName("Mapping of the record")
        self.tasks = Tasks(self, self._failed)
        self._told: tuple[object, dict[str, Found]] | None = None
        self._shown: RecordMapping | None = None
        self._raw_name = ""
        self.said = PlainLabel("", role="muted", elide=True)
        self.unused = PlainLabel("", role="muted", elide=True)
        self._paint = ValuePaint(self)
        self.title = PlainLabel("", role="path")
        self.model = RowsModel[MappingLine](self._columns())
        self.table = RowsTable(self.model, "Unified values and where they come from")
        self.table.setObjectName("fields")
        self.table.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.table.chosen.connect(lambda _: self._light())
        self.raw = JsonTreeModel(self)
        self.tree = _RawTree(self.raw, lambda: self._raw_name)
        self.tree.selectionModel().currentChanged.connect(lambda now, _: self._value_chosen(now))
        self._build()

    def _columns(self) -> tuple[Column[MappingLine], ...]:
        return (
            Column(
                "Unified field",
                lambda one: one.name,
                "mono",
                width=partial(self._width, 0),
                cut=lambda one: _cut(one.name),
            ),
            Column(
                "Value",
                lambda one: one.value,
                tip=lambda one: tooltip_text(one.cell),
                width=partial(self._width, 1),
                spoken=lambda one: one.cell.spoken,
                paint=lambda painter, option, one: self._paint.draw(painter, option, one.cell),
            ),
            Column(
                f"From {self._raw_name}" if self._raw_name else "From",
                lambda one: one.source,
                lambda one: one.look,
                lambda one: "\n".join(one.source_lines),
                cut=lambda one: _cut(one.source),
                spoken=lambda one: ", ".join(one.source_lines) or f"nothing in {self._raw_name}",
            ),
        )

    def _width(self, place: int, room: int) -> int:
        """The width of the column at ``place``: what it needs, or its share where ``room`` is too small for all."""
        metrics = QFontMetrics(mono())
        needs = []
        for shown in self.model.columns:
            texts = (shown.text(one)[:80] for one in self.model.rows)
            widest = max(map(metrics.horizontalAdvance, texts), default=0) + 2 * MARGIN + 2
            needs.append(max(widest, 96))
        return _shared(room, needs)[place]

    def _build(self) -> None:
        sums = QWidget()
        head = FlowLayout(sums, gap=16, line_gap=2)
        head.setContentsMargins(12, 8, 12, 8)
        head.addWidget(self.said)
        head.addWidget(self.unused)
        self.title.setContentsMargins(12, 6, 12, 4)
        below = QWidget()
        column(self.title, (self.tree, 1), of=below)
        self.split = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False, handleWidth=1)
        self.split.addWidget(self.table)
        self.split.addWidget(below)
        self.split.setSizes([220, 300])
        column(sums, (self.split, 1), of=self)

    # ---- showing

    def show_record(self, view: RecordView | None) -> None:
        """Trace another record, or none. The lines of the one before stay until its own are known."""
        if view is None:
            self.tasks.cancel("trace")
            self._show(None)
            return
        if self._shown is None:
            self.said.setText("Looking for where its values come from…")
        self.tasks.start("trace", self._trace(view), done=self._show)

    async def _trace(self, view: RecordView) -> RecordMapping:
        told = self._told
        if told is None or told[0] != view.sample_of:
            raws = view.sample() if view.sample is not None else [view.raw]
            told = (view.sample_of, await in_thread(learn, raws, raw_name_of(view)))
            self._told = told
        return await in_thread(mapped, view, told[1])

    def _failed(self, error: BaseException) -> None:
        self._show(None)
        self.said.setText("Where its values come from could not be determined")
        self.said.setToolTip(tooltip(type(error).__name__))

    def _show(self, shown: RecordMapping | None) -> None:
        chosen = self._chosen()
        before = chosen.pointer if chosen else ""
        self._shown = shown
        if shown is not None and shown.raw_name != self._raw_name:
            self._name_raw(shown.raw_name)
        self.table.show_rows(shown.lines if shown else ())
        self.said.setText(shown.said if shown else "")
        self.unused.setText(shown.unused_said if shown else "")
        self.unused.setToolTip(
            tooltip(
                "Nothing in the unified record comes from\n" + "\n".join(map(path_words, shown.unused[:30]))
            )
            if shown and shown.unused
            else ""
        )
        self.tree.light(())
        self.raw.set_bytes(shown.raw if shown else b"")
        self.tree.open_all()
        self.table.share()
        row = self._first(lambda line: line.pointer == before) if before else -1
        if row >= 0:
            self.table.selectRow(row)

    def _name_raw(self, name: str) -> None:
        """Call the raw record by the name that its field has in this list."""
        self._raw_name = name
        self.title.setText(name)
        self.tree.setAccessibleName(f"{name} of the record" if name else "Raw record")
        self.model.show_columns(self._columns(), ())

    # ---- both sides

    def _chosen(self) -> Line | None:
        one: MappingLine | None = self.table.row()
        return one.line if one is not None else None

    def _first(self, fits: Callable[[Line], bool]) -> int:
        return self.model.first(lambda one: fits(one.line))

    def _light(self) -> None:
        line = self._chosen()
        places = (place_of(self.raw.data_bytes, path) for path in (line.sources if line else ()))
        self.tree.light([place.start for place in places if place is not None])

    def _value_chosen(self, index: QModelIndex) -> None:
        """Select the line whose source is the chosen raw value, else one around it or within it."""
        node = self.raw.node(index)
        if node is None or not self.tree.hasFocus():
            return
        here = node.pointer()
        row = self._first(lambda line: here in line.sources)
        if row < 0:
            row = self._first(
                lambda line: any(here.startswith(f"{p}/") or p.startswith(f"{here}/") for p in line.sources)
            )
        if row >= 0:
            self.table.selectRow(row)
        else:
            self.table.setCurrentIndex(QModelIndex())
            self.table.clearSelection()


class _RawTree(QTreeView):
    """The raw record as a tree, in which values can be highlighted."""

    def __init__(self, model: JsonTreeModel, name: Callable[[], str]) -> None:
        """``name`` gives the raw field's name, with which a copied path begins."""
        super().__init__()
        self._name = name
        self._model = model
        self.setObjectName("json-tree")
        self.setAccessibleName("Raw record")
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(16)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setModel(model)
        follow_selection(self)
        self._delegate = JsonDelegate(self)
        self.setItemDelegate(self._delegate)
        self._way = JsonWay(self, model)
        self._way.arrived.connect(self._show_lit)

    def open_all(self) -> None:
        """Expand all of a small record; of a large one as much as `_OPEN_AT_ONCE` and `_READ_AT_ONCE` allow."""
        root = self._model.root
        if root is None or not root.branch:
            return
        waiting, opened, read = [root], 0, 0
        while waiting and opened < _OPEN_AT_ONCE and read < _READ_AT_ONCE:
            node = waiting.pop(0)
            self.expand(self._model.index_of(node))
            children = node.children()
            opened += len(children)
            read += node.size
            waiting += [child for child in children if child.branch]

    def light(self, starts: list[int] | tuple[int, ...]) -> None:
        """Highlight the values that begin at these positions, and scroll to the first."""
        self._delegate.lit = frozenset(starts)
        self._way.stop()
        if starts:
            self._way.start(starts[0])
        self.viewport().update()

    def _show_lit(self, node: Node) -> None:
        self.scrollTo(self._model.index_of(node))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        node = self._model.node(self.currentIndex())
        if event.matches(QKeySequence.StandardKey.Copy) and node is not None:
            copy_text(f"{self._name()}{path_words(node.pointer())}", "path")
            return
        super().keyPressEvent(event)


def _cut(path: str) -> Qt.TextElideMode:
    """Where to shorten a path: of a place inside an array the end says more, unless words follow it."""
    is_inside = "]" in path and ", " not in path
    return Qt.TextElideMode.ElideLeft if is_inside else Qt.TextElideMode.ElideRight


def _shared(room: int, needs: Sequence[int]) -> list[int]:
    """What each column may have of ``room`` pixels: what it needs, or its share of what the others leave."""
    widths, left, shares = [0] * len(needs), room, sum(_SHARES)
    for at in sorted(range(len(needs)), key=lambda at: needs[at] / _SHARES[at]):
        widths[at] = min(needs[at], left * _SHARES[at] // shares)
        left, shares = left - widths[at], shares - _SHARES[at]
    return widths
