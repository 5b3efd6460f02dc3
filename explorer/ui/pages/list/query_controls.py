"""The controls that make queries over a list's rows: find field, filter chips, the table's head, menus and commands."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column, Resource
from explorer.session import Filter, Query
from explorer.text_match import highlights
from explorer.ui.kit.actions import Command
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.column_summary import ColumnSummary
from explorer.ui.pages.list.filters import FilterPopup
from explorer.ui.pages.list.list_state import AS_BEFORE
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.row_query import RowQuery
from explorer.ui.pages.list.row_state import (
    filter_of,
    filters_of,
    kept,
    kept_place,
    paths_below,
    place_of,
    sort_of,
)
from explorer.ui.pages.list.summary_words import sorted_by, stands_for
from explorer.ui.pages.list.why_empty import SAMPLE, Reason, WhyEmpty, reason_of
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.records import CELL_ROLE
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_delegate import RowDelegate
from explorer.work import in_thread

HIDE = "hide empty"
"""The name of the task that looks for columns without a value."""
_PATHS_OF = 300
"""Records from which the paths are told that a filter offers."""
_READ = 20_000_000
"""Bytes of records after which a sample ends."""
_CONDITIONS = {"null": "is null", "absent": "is absent", "empty": "is empty"}
"""The filter for rows that have as little in a column as a cell of that kind."""
_STOPPED = f"Stopped. {AS_BEFORE}"


class QueryControls(QObject):
    """Find field, filter chips, table header and commands: each change of one makes a new query."""

    row_wanted = Signal(int)
    """Go to that row of the pull, counted from 0."""

    def __init__(
        self,
        question: RowQuery,
        tools: ListTools,
        table: RecordsTable,
        columns: ColumnChoice,
        tasks: Tasks,
        resource: Resource,
    ) -> None:
        super().__init__(table)
        self._tasks, self._resource = tasks, resource
        self._marked = ("", False, False)
        self._hinted = ("", Query())
        """The hint that is about the rows shown, and the query that they were the answer of."""
        self._question, self._tools, self._table, self._columns = question, tools, table, columns
        tools.finder.asked.connect(self._find)
        tools.finder.step.connect(question.step)
        tools.finder.left.connect(self._to_rows)
        tools.filters_changed.connect(self._filter)
        tools.paths_wanted.connect(self._find_paths)
        tools.unfit_wanted.connect(self._only_unfit)
        tools.observed_wanted.connect(self._only_observed)
        question.changed.connect(self.mark)
        tools.again.connect(self._again)
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._clicked)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(lambda at: self._head_menu(head.logicalIndexAt(at), at))
        table.column_menu_wanted.connect(self._head_menu_below)
        columns.hide_empty = self.hide_empty

    # ---- from the controls

    def _find(self, text: str, regex: bool, case: bool) -> None:
        # Without a text the options have no effect: switching them must not run a query.
        regex, case = regex and bool(text), case and bool(text)
        self._question.ask(replace(self._question.question, find=text, regex=regex, case=case))

    def _to_rows(self) -> None:
        """Go to the rows: to the chosen one, else to the first."""
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self._table.currentIndex().isValid() and self._table.model().rowCount():
            self._question.go_to(0)

    def mark(self) -> None:
        """Highlight in the cells the text that was found, and take back a hint about a Stop or about other rows."""
        hint, of = self._tools.hint.whole(), self._question.question
        over = hint == self._hinted[0] and of != self._hinted[1]
        if over or (not self._question.stopped and hint == _STOPPED):
            self._tools.hint.setText("")
        view = self._question.view
        asked = view.question if view is not None else None
        sought = (asked.find, asked.regex, asked.case) if asked is not None else ("", False, False)
        delegate = self._table.itemDelegate()
        if sought != self._marked and isinstance(delegate, RowDelegate):
            self._marked = sought
            delegate.mark(highlights(sought[0], regex=sought[1], case=sought[2]))
            self._table.viewport().update()

    def hint_of_rows(self, said: str) -> None:
        """Say something about the rows shown; it is taken back when others are asked for."""
        self._tools.hint.setText(said)
        self._hinted = said, self._question.question

    def _filter(self) -> None:
        self._question.ask(replace(self._question.question, filters=self._tools.chips.filters()))

    def _find_paths(self, popup: FilterPopup, field: str) -> None:
        def offer(paths: Sequence[str]) -> None:
            if shiboken6.isValid(popup):
                popup.offer_paths(field, paths)

        self._tasks.start("paths", self._paths(field), done=offer)

    async def _paths(self, field: str) -> list[str]:
        records: list[bytes] = []
        with contextlib.suppress(ExplorerError):  # then nothing is offered, and a path can be typed
            async for _, some in self._question.sampled((), _PATHS_OF):
                records += some
        return await in_thread(paths_below, records, field)

    def _only_unfit(self, only: bool) -> None:
        self._question.ask(replace(self._question.question, unfit=only, observed=False))

    def _only_observed(self, only: bool) -> None:
        self._question.ask(replace(self._question.question, unfit=False, observed=only))

    def _again(self) -> None:
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)  # the button disappears
        self._question.ask_again()

    def _clicked(self, section: int) -> None:
        """A click on a column's head: ascending, then descending, then as received; on the row numbers, as received."""
        if section == 0:
            self.sort(None)
            return
        field = self._table.columns[section - 1].field
        now = self._question.question.sort
        if not now or now[0][0] != field:
            self.sort((field, False))
        else:
            self.sort(None if now[0][1] else (field, True))

    def sort(self, by: tuple[str, bool] | None) -> None:
        """Sort ``by`` a field, descending if its second item is True; None: as received."""
        self._table.show_sorted(by)
        if by is not None:
            self._columns.make_room(by[0])
        self._question.ask(replace(self._question.question, sort=(by,) if by is not None else ()))
        # A nested column does not show what it is sorted by, so the hint says it.
        column = self._column(by[0]) if by is not None else None
        nested = column is not None and column.kind in ("array", "object")
        self._tools.hint.setText(sorted_by(column) if column is not None and nested else "")

    # ---- from the keyboard

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        """The commands, so that all of it can be done by keyboard."""
        said = (
            ("rows.find", "Find in the rows", "Ctrl+F", self._tools.finder.focus),
            ("rows.find_next", "Next match", "F3", lambda: self._step(1)),
            ("rows.find_previous", "Previous match", "Shift+F3", lambda: self._step(-1)),
            ("rows.filter", "Add a filter…", "Ctrl+Shift+F", lambda: self._tools.open_filter(self.field)),
            ("rows.sort", "Sort by this column", "Ctrl+Shift+S", self._sort_current),
            ("rows.summary", "Summary of this column", "Ctrl+Shift+M", lambda: self.summarise(self.field)),
            ("rows.why_empty", "Why is it empty?", "Ctrl+Shift+E", lambda: self.explain(self.field)),
            ("rows.filter_value", "Filter by this value", "", lambda: self.filter_by_value(self.field)),
            ("rows.hide_empty", "Hide columns that are empty", "", self.hide_empty),
        )
        return [
            (Command(name, text, keys, group="Edit", section="rows"), run) for name, text, keys, run in said
        ]

    def fill(self, menu: QMenu) -> None:
        """Add the entries for the column that the user is on to ``menu``."""
        field = self.field
        if field:
            menu.addSeparator()
            chosen = self._table.selected_count()
            self._fill(menu, field, self._table.ranges() if chosen > 1 else ())

    def _fill(self, menu: QMenu, field: str, ranges: Sequence[tuple[int, int]] = ()) -> None:
        column = self._column(field)
        menu.setToolTipsVisible(True)
        chosen = words.count(sum(stop - start for start, stop in ranges), "row")
        why = f"Why is it empty in these {chosen}?" if ranges else "Why is it empty?"
        menu.addAction(why, lambda: self.explain(field, ranges))
        by_value = menu.addAction("Filter by this value", lambda: self.filter_by_value(field))
        by_value.setEnabled(self._question.chosen >= 0)
        if not by_value.isEnabled():
            by_value.setToolTip("Choose a row first: its value is the one to filter by")
        for text, down in (("Sort ascending", False), ("Sort descending", True)):
            action = menu.addAction(text, partial(self.sort, (field, down)))
            if column is not None:
                action.setToolTip(tooltip(sort_rule(column)))
        menu.addAction("Rows as received", lambda: self.sort(None))
        menu.addAction("Filter by this column…", lambda: self._tools.open_filter(field))
        menu.addAction("Summary of this column", lambda: self.summarise(field))

    def _head_menu_below(self, section: int) -> None:
        head = self._table.horizontalHeader()
        self._head_menu(section, QPoint(max(head.sectionViewportPosition(section), 0), head.height()))

    def _head_menu(self, section: int, at: QPoint) -> None:
        """Open the menu of a column at ``at`` of the table's head."""
        head = self._table.horizontalHeader()
        if section < 1:
            return
        field = self._table.columns[section - 1].field
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(f"Column {field}")
        self._fill(menu, field)
        menu.addSeparator()
        hide = menu.addAction("Hide this column", lambda: self._columns.show(field, False))
        hide.setEnabled(self._columns.shown() != [field])
        menu.popup(head.viewport().mapToGlobal(at))

    # ---- the summary of a column

    def summarise(self, field: str = "") -> None:
        """Open the summary of a column over the rows shown; without a name, of the first column."""
        shown = self._columns.shown()
        column = self._column(field or (shown[0] if shown else ""))
        if column is None or not self._table.model().rowCount():
            return
        name = column.field
        popup = ColumnSummary(
            self._resource.title,
            column,
            self._question.over(),
            lambda: self._question.summary(name),
            self._tasks,
            self._table,
        )
        popup.value_wanted.connect(
            lambda value: self._add_filter(filter_of(column, self._question.raw(value.row)))
        )
        popup.missing_wanted.connect(lambda condition: self._add_filter(filter_of(column, condition)))
        popup.open_at(*self._below_head(name), self._table)

    def _below_head(self, field: str) -> tuple[QWidget, QPoint]:
        """Where a frame about a column opens: a widget, and the place in it."""
        head = self._table.horizontalHeader()
        number = next(i for i, c in enumerate(self._table.columns, start=1) if c.field == field)
        return head.viewport(), QPoint(max(head.sectionViewportPosition(number), 0), head.height() + 2)

    # ---- columns without a value

    def hide_empty(self) -> None:
        """Hide the columns that have no value in any of the rows shown, and say how many."""
        self._tasks.start(HIDE, self._hide_empty())

    async def _hide_empty(self) -> None:
        over, asked = self._question.over(), self._question.question
        try:
            empty = [
                name for name in self._columns.shown() if not (await self._question.summary(name)).present
            ]
        except ExplorerError as error:
            self._tools.hint.setText(error.sentence)
            return
        for name in empty:
            self._columns.show(name, False)
        hidden = f"{words.count(len(empty), 'column')} hidden, empty in {over}"
        if self._question.question == asked:
            self.hint_of_rows(hidden if empty else f"No column is empty in {over}")

    # ---- why a column is empty

    def explain(self, field: str = "", ranges: Sequence[tuple[int, int]] = ()) -> None:
        """Open what says why ``field`` is empty in the rows shown, or in those at ``ranges`` of places alone."""
        shown = self._columns.shown()
        name = field or (shown[0] if shown else "")
        if self._column(name) is None or not self._table.model().rowCount():
            return
        rows = sum(stop - start for start, stop in ranges)
        over = f"{words.count(rows, 'row')} chosen" if rows else self._question.over()
        popup = WhyEmpty(name, over, self._tasks, self._table)
        popup.missing_wanted.connect(lambda condition: self._add_filter(Filter(name, condition)))
        popup.row_wanted.connect(self.row_wanted)
        popup.open_at(*self._below_head(name), self._table, lambda: self._reason(name, ranges))

    async def _reason(self, field: str, ranges: Sequence[tuple[int, int]]) -> Reason:
        summary = None if ranges else await self._question.summary(field)
        raw = self._resource.raw_name
        numbers: list[int] = []
        raws: list[bytes] = []
        async for some, records in self._question.sampled(ranges, SAMPLE):
            numbers += some
            raws += records
            if sum(map(len, raws)) > _READ:
                break
        found = await in_thread(reason_of, numbers, raws, field, raw) if raw else None
        rows = summary.rows if summary is not None else sum(stop - start for start, stop in ranges)
        return Reason(field, raw, rows, summary, found, len(numbers))

    def filter_by_value(self, field: str) -> None:
        """Show only the rows that have the same in that column as the row that the user is on."""
        column, index = self._column(field), self._table.currentIndex()
        if column is None or not index.isValid():
            self._tools.hint.setText("Choose a row first: its value is the one to filter by")
            return
        cell = index.siblingAtColumn(self._table.columns.index(column) + 1).data(CELL_ROLE)
        held = _CONDITIONS.get(cell.kind) or self._question.raw(self._question.chosen)
        self._add_filter(filter_of(column, held))

    def only(self, field: str, values: Sequence[str]) -> None:
        """Filter by some values of a field, in place of those named in this way before; without any, take that off."""
        for chip in [one for one in self._tools.chips.chips if one.given.op == "is one of"]:
            chip.remove.click()
        if values and self._column(field) is not None:
            self._tools.chips.add(Filter(field, "is one of", "\n".join(values)))

    def shows_only(self, field: str) -> bool:
        """Whether `only` picks rows by ``field``."""
        return any((one.column, one.op) == (field, "is one of") for one in self._question.question.filters)

    def _add_filter(self, made: Filter | None) -> None:
        if made is not None:
            self._tools.chips.add(made)
        else:
            self._tools.hint.setText("Rows cannot be filtered by that value")

    def _column(self, field: str) -> Column | None:
        return next((c for c in self._table.columns if c.field == field), None)

    def _step(self, by: int) -> None:
        if self._question.question.picks:
            self._question.step(by)
        else:
            self._tools.finder.focus()

    def _sort_current(self) -> None:
        column = self._table.currentIndex().column()
        self._clicked(column if column > 0 else 1)

    @property
    def field(self) -> str:
        """The field of the cell that is chosen; empty where none is."""
        column = self._table.currentIndex().column()
        return self._table.columns[column - 1].field if column > 0 else ""

    # ---- for the next start

    def save(self) -> dict[str, Any]:
        """Filters, order and the chosen row as JSON values; the text to find is not saved (see row_state.py)."""
        asked = self._question.question
        return kept(asked.filters, asked.sort) | {"place": kept_place(*self._question.place)}

    def restore(self, state: Any) -> None:
        """Restore what `save` gave: filters as chips, the order in the column's head, and where the user was."""
        place = place_of(state)
        if place is not None:
            self._question.leave_at(place)
        for made in filters_of(state, self._table.columns):
            self._tools.chips.add(made)
        by = sort_of(state, self._table.columns)
        if by is not None:
            self.sort(by)

    # ---- stopping

    def stop(self) -> None:
        """Stop the query."""
        self._question.stop()
        if self._question.unanswered:
            self._tools.hint.setText(_STOPPED)


def sort_rule(column: Column) -> str:
    """How the values of a column are ordered, in a sentence or two; the order itself is the store's."""
    rule = "First absent and null, then false and true, numbers by value, texts ignoring case."
    return f"{rule} {stands_for(column)}" if column.kind in ("array", "object") else rule
