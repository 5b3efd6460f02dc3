"""The tab Side by side of the page of snapshots: both compared lists in one split, row beside row, scrolled together.

Which rows stand beside each other, and which differ, is what the comparison of the tab Differences found.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QButtonGroup, QMenu, QWidget

from explorer import words
from explorer.api.interface import registry_for
from explorer.catalog.spec import Column, Resource
from explorer.quality.compare.aligned import DIFFERS, ONLY_LEFT, ONLY_RIGHT, Aligned, align
from explorer.quality.compare.compare import Comparison
from explorer.quality.compare.found import Difference
from explorer.quality.compare.report import mask_words, oddities
from explorer.quality.compare.rows import Wanted
from explorer.ui.forms.flow import FlowLayout
from explorer.ui.kit.clipboard import copy_text
from explorer.ui.kit.layout import STRETCH, bar, column, push_button, row
from explorer.ui.kit.plain import PlainLabel
from explorer.ui.page import Settings
from explorer.ui.pages.snapshots.compare_choice import state_words
from explorer.ui.pages.snapshots.difference_rows import PairedRows, SideModel, difference_at
from explorer.ui.pages.snapshots.snapshots_work import TabContext
from explorer.ui.records.columns import ColumnChoice, columns_menu
from explorer.ui.records.record_view import RecordView
from explorer.ui.records.records_table import RecordsTable
from explorer.work import cancellable, in_thread

_ALIGN, _LINES, _RECORD = "align", "lines", "record"
"""The names of the tasks."""
_SIDES = ("Before", "After")
_MIDDLE = QAbstractItemView.ScrollHint.PositionAtCenter
_NOT_YET = "Nothing was compared yet. Choose two above, then Compare."
_KINDS: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("All lines ({})", ()),
    ("{} not the same", (DIFFERS, ONLY_LEFT, ONLY_RIGHT)),
    ("{} differ{s}", (DIFFERS,)),
    ("{} only left", (ONLY_LEFT,)),
    ("{} only right", (ONLY_RIGHT,)),
)
"""The switches: their words, and the states of the lines that each shows; none: of all."""


@dataclass(frozen=True, slots=True)
class _Found:
    aligned: Aligned
    differing: Sequence[int]


class _Half(RecordsTable):
    """The table of one side. What the columns of the left one need is what both do: they are as wide."""

    beside: RecordsTable | None = None

    def sizeHintForColumn(self, column: int) -> int:
        other = self.beside.sizeHintForColumn(column) if self.beside is not None else 0
        return max(super().sizeHintForColumn(column), other)


class SidesTab(QWidget):
    """Shows a comparison that the tab Differences owns, until `show_made` is told of another one, or of none."""

    record_chosen = Signal(object)
    pull_wanted = Signal()
    """The list whose second state is missing is to be opened, where it can be pulled."""

    def __init__(self, ground: TabContext, settings: Settings) -> None:
        super().__init__()
        self._ground, self._tasks, self._settings = ground, ground.tasks, settings
        self.made: Comparison | None = None
        self.pairs: PairedRows | None = None
        self.tables: tuple[RecordsTable, ...] = ()
        self._choice: ColumnChoice | None = None
        self._moving = False
        self._seeking = -1
        """The line in which the first cell that differs is wanted, as soon as it has been read."""
        self._wanted: Difference | None = None
        self.told = PlainLabel(_NOT_YET, role="muted", wrap=True)
        self.pull = push_button("Pull…", tip="Opens the list; nothing is sent before you press Reload there.")
        self.pull.clicked.connect(lambda _: self.pull_wanted.emit())
        self._empty = QWidget()
        parts = (self.told, (self.pull, Qt.AlignmentFlag.AlignLeft), STRETCH)
        column(*parts, of=self._empty, margins=16, spacing=12)
        self.switches = [push_button("", kind="choice", checkable=True) for _ in _KINDS]
        group = QButtonGroup(self)
        for (_, states), button in zip(_KINDS, self.switches, strict=True):
            group.addButton(button)
            button.clicked.connect(partial(self._show_only, states))
        self.columns_button = push_button("Columns…", kind="quiet")
        self.next = push_button("Next difference  F8", kind="link", name="Next difference")
        self.next.clicked.connect(lambda _: self.step(1))
        ways, top = QWidget(), Qt.AlignmentFlag.AlignTop
        flow = FlowLayout(ways, line_gap=4)
        for button in self.switches:
            flow.addWidget(button)
        others = ((self.next, top), (self.columns_button, top))
        self._tools = bar((ways, 1), *others, margins=(12, 4, 12, 4))
        self.odd = PlainLabel("", role="caution", wrap=True)
        self.odd.setContentsMargins(12, 2, 12, 2)
        self.body = QWidget(accessibleName="Both lists, side by side")
        self._both = QWidget()
        self._halves = row(of=self._both)
        column(self._empty, self._tools, self.odd, (self._both, 1), of=self.body)
        column((self.body, 1), of=self)
        self.say(_NOT_YET)

    # ---------------------------------------------------------------- what is shown

    def say(self, sentence: str, *, pull: str = "") -> None:
        """Show a sentence in place of two lists; ``pull``: the list that can be pulled, by its title."""
        self.show_made(None)
        self.told.setText(sentence)
        self.pull.setText(f"Pull {pull}…")
        self.pull.setVisible(bool(pull))

    def show_made(self, made: Comparison | None) -> None:
        """Show a comparison; None: there is none any more."""
        if made is self.made and made is not None:
            return
        for name in (_ALIGN, _LINES, _RECORD):
            self._tasks.cancel(name)
        if self.pairs is not None:
            self.pairs.stop()
            self.pairs.deleteLater()
        for half in self._both.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            half.hide()
            half.deleteLater()
        self.made, self.pairs, self.tables, self._seeking = made, None, (), -1
        self._show_parts()
        self.odd.setText(_said_above(made) if made is not None else "")
        self.told.setText(_NOT_YET if made is None else "Putting the rows side by side…")
        self.pull.hide()
        self.record_chosen.emit(None)
        if made is not None:

            def work(wanted: Wanted) -> _Found:
                aligned = align(made.partners, made.sides[1].rows, made.found.changed_rows(), wanted)
                return _Found(aligned, aligned.lines((DIFFERS, ONLY_LEFT, ONLY_RIGHT)))

            self._tasks.start(_ALIGN, cancellable(work), done=partial(self._show_aligned, made))

    def _show_parts(self) -> None:
        shown = self.pairs is not None
        self._empty.setVisible(not shown)
        for part in (self._tools, self._both):
            part.setVisible(shown)
        self.odd.setVisible(shown and bool(self.odd.whole()))

    def _show_aligned(self, made: Comparison, found: _Found) -> None:
        columns = {one.field: one for side in (0, 1) for one in self._columns(made, side)}
        self.pairs = pairs = PairedRows(made, found.aligned, tuple(columns.values()), self._tasks)
        pairs.differing = found.differing
        left, right = (self._table(pairs, side) for side in (0, 1))
        left.beside = right
        self.tables = (left, right)
        pairs.show(pairs.lines)
        # A layout of its own: half a window has other widths than the list's page.
        key = f"{made.sides[0].about.resource}/beside"
        self._choice = ColumnChoice(key, *self._left, self._settings)
        self.columns_button.setMenu(columns_menu(self._choice, self.columns_button))
        self._follow(*self.tables)
        self._follow(*reversed(self.tables))
        counts = made.counts
        different = counts.changed + counts.gone + counts.added
        numbers = (len(found.aligned), different, counts.changed, counts.gone, counts.added)
        for button, (said, _), number in zip(self.switches, _KINDS, numbers, strict=True):
            button.setText(said.format(words.count(number), s="s" if number == 1 else ""))
            button.setEnabled(number > 0)
        self.switches[0].setChecked(True)
        self.next.setEnabled(different > 0)
        self._show_parts()
        pairs.came.connect(self._fit_once)
        pairs.came.connect(self._seek)
        if self._wanted is not None:
            self.go_to(self._wanted)
        elif len(found.aligned):
            self._stand_on(max(pairs.next_difference(-1, 1), 0))
        if self.isVisible():
            self.tables[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _resource(self, made: Comparison, side: int) -> Resource | None:
        """The list of that side; None for one that this profile's interface does not have."""
        return registry_for(self._ground.profile).listed(made.sides[side].about.resource)

    def _columns(self, made: Comparison, side: int) -> Sequence[Column]:
        known = self._resource(made, side)
        if known is not None:
            return known.columns
        names = dict.fromkeys(("id", *(name.partition(".")[0].partition("[")[0] for name in made.fields)))
        return [Column(name, "id" if name == "id" else "any") for name in names if name]

    @property
    def _left(self) -> tuple[SideModel, RecordsTable]:
        model = self.tables[0].model()
        assert isinstance(model, SideModel)  # noqa: S101 - made in `_table`
        return model, self.tables[0]

    def _table(self, pairs: PairedRows, side: int) -> _Half:
        """One half: what it is, and its rows."""
        half, of = QWidget(), pairs.made.sides[side]
        table = _Half(SideModel(pairs, side, half))
        table.setAccessibleName(f"{_SIDES[side]}: {of.name}")
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # both halves are as high
        table.copy_wanted.connect(partial(self._copy, table))
        table.menu_wanted.connect(partial(self._menu, table))
        head = bar(
            PlainLabel(_SIDES[side], role="heading"),
            (PlainLabel(f"{state_words(of)} · {words.count(of.rows, 'row')}", role="muted", elide=True), 1),
            margins=(12, 4, 12, 4),
        )
        column(head, (table, 1), of=half)
        self._halves.addWidget(half, 1)
        return table

    # ---------------------------------------------------------------- both as one

    def _follow(self, one: RecordsTable, other: RecordsTable) -> None:
        """Let ``other`` do what is done in ``one``."""
        for mine, bar_of in (
            (one.verticalScrollBar(), other.verticalScrollBar()),
            (one.horizontalScrollBar(), other.horizontalScrollBar()),
        ):
            mine.valueChanged.connect(partial(self._together, bar_of.setValue))
        own, head = one.horizontalHeader(), other.horizontalHeader()
        own.sectionResized.connect(lambda at, _, wide: self._together(self._resize, other, at, wide))
        own.sectionMoved.connect(lambda _, was, now: self._together(head.moveSection, was, now))
        for at in range(own.count()):
            if one is self.tables[0]:
                head.moveSection(head.visualIndex(own.logicalIndex(at)), at)
                self._resize(other, at, one.columnWidth(at))
        one.selectionModel().currentChanged.connect(partial(self._stand_beside, other))

    def _together(self, do: Callable[..., object], *what: object) -> None:
        """Do it to the other side, which must not answer: its end may be some pixels nearer."""
        if not self._moving:
            self._moving = True
            do(*what)
            self._moving = False

    def _resize(self, table: RecordsTable, at: int, wide: int) -> None:
        table.setColumnHidden(at, wide == 0)
        if wide:
            table.setColumnWidth(at, wide)

    def _stand_beside(self, other: RecordsTable, index: QModelIndex, _was: QModelIndex) -> None:
        other.setCurrentIndex(other.model().index(index.row(), index.column()))
        if self.pairs is None or not index.isValid() or other is self.tables[0]:
            return  # told once, by the left one
        line = self.pairs.lines[index.row()]
        work = in_thread(self.pairs.made.records, difference_at(self.pairs.aligned, line))
        self._tasks.start(_RECORD, work, done=partial(self._show_records, line))

    def _show_records(self, line: int, raws: tuple[bytes | None, bytes | None]) -> None:
        if self.pairs is None or self._choice is None:
            return
        made, aligned = self.pairs.made, self.pairs.aligned
        views = tuple(
            RecordView(
                raw, self._resource(made, side), numbers[line], reading=self._choice.reading, title=title
            )
            for side, (raw, numbers, title) in enumerate(
                zip(raws, (aligned.left, aligned.right), _SIDES, strict=True)
            )
            if raw is not None
        )
        self.record_chosen.emit(replace(views[-1], among=views if len(views) > 1 else ()))

    def _fit_once(self, *_: object) -> None:
        """Widths follow the first rows that came."""
        if self.pairs is not None and self._choice is not None:
            self.pairs.came.disconnect(self._fit_once)
            self._choice.fit_once()

    # ---------------------------------------------------------------- going through it

    def _show_only(self, states: tuple[int, ...], *_: object) -> None:
        pairs = self.pairs
        if pairs is None:
            return
        at = pairs.lines[self._at] if pairs.rows else -1

        def show(lines: Sequence[int]) -> None:
            if self.pairs is pairs:
                pairs.show(lines)
                self._stand_on(min(bisect_left(lines, at), len(lines) - 1))

        aligned = pairs.aligned
        work = in_thread(aligned.lines, states) if states else in_thread(range, len(aligned))
        self._tasks.start(_LINES, work, done=show)

    @property
    def _at(self) -> int:
        return max(self.tables[0].currentIndex().row(), 0) if self.tables else 0

    def _stand_on(self, at: int, place: int = 0) -> None:
        front = next((one for one in self.tables if one.hasFocus()), self.tables[0])
        index = front.model().index(at, place or max(front.currentIndex().column(), 1))
        front.setCurrentIndex(index)
        # A table that has got other rows has not counted them yet: it cannot scroll there before the loop has turned.
        QTimer.singleShot(0, front, lambda: _bring_into_sight(front))

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) line that is not the same on both sides."""
        at = self.pairs.next_difference(self._at, by) if self.pairs is not None else -1
        if at >= 0:
            self._stand_on(at)
            self._seeking = at
            self._seek()

    def _seek(self, *_: object) -> None:
        """Go sideways to the first cell that differs, so that F8 never leads to a row without a mark in sight."""
        if self.pairs is None or self._seeking != self._at:
            return
        cells = enumerate(self.pairs.pair(self._at).rows[1].cells, 1)
        place = next((at for at, cell in cells if cell.differs and not self.tables[0].isColumnHidden(at)), 0)
        if place:
            self._seeking = -1
            self._stand_on(self._at, place)

    def go_to(self, line: Difference) -> None:
        """Go to the records of a difference, as soon as they stand beside each other."""
        self._wanted = line
        if self.pairs is None:
            return
        self._wanted = None
        aligned = self.pairs.aligned
        row_a, row_b = line.row_a, line.row_b
        at = aligned.left.index(row_a) if row_a is not None else aligned.right.index(row_b or 0)
        if len(self.pairs.lines) != len(aligned):
            self.pairs.show(range(len(aligned)))
            self.switches[0].setChecked(True)
        self._stand_on(at)

    def _copy(self, table: RecordsTable) -> None:
        copy_text(table.currentIndex().data(Qt.ItemDataRole.UserRole) or "", "cell")

    def _menu(self, table: RecordsTable, at: QPoint) -> None:
        menu = QMenu(table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy cell", partial(self._copy, table))
        menu.addAction("Next difference", partial(self.step, 1))
        menu.addAction("Previous difference", partial(self.step, -1))
        menu.popup(at)


def _said_above(made: Comparison) -> str:
    """What makes the two hard to compare; and where nothing differs, what was not compared."""
    said = oddities(made)
    return " ".join(said if made.counts.different else (*said, mask_words(made)))


def _bring_into_sight(table: RecordsTable) -> None:
    """Scroll to the chosen row with some rows around it, and sideways no further than its cell needs."""
    sideways = table.horizontalScrollBar()
    was = sideways.value()
    table.scrollTo(table.currentIndex(), _MIDDLE)
    sideways.setValue(was)
    table.scrollTo(table.currentIndex())
