"""Queries over the loaded rows (find, filters, order): the controls that make them, and their result in the table.

Nothing is requested from the service. A new query cancels the one before; rows that arrive later are not in a result
until the query is run again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QItemSelectionModel, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.catalog.spec import Column
from explorer.session import Query, Superseded
from explorer.ui.kit.actions import Command
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.column_summary import ColumnSummary
from explorer.ui.pages.list.list_state import AS_BEFORE, result_words
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.row_state import filter_of, filters_of, kept, sort_of
from explorer.ui.pages.list.summary_words import sorted_by, stands_for
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_delegate import RowDelegate

if TYPE_CHECKING:
    from explorer.session import Filter, Pull, QueryResult, Summary

ASK = "question"
_SAY_MS = 150
"""Milliseconds between two updates of the words, as pages may arrive much faster than those can be read."""
_STOPPED = f"Stopped. {AS_BEFORE}"


class RowQuery(QObject):
    """Puts the result of a query into ``model``, and keeps the user on the record that was chosen."""

    changed = Signal()
    """What is to be said changed: rows found, rows that arrived later, a fault."""

    def __init__(self, model: RecordsModel, table: RecordsTable, tasks: Tasks) -> None:
        super().__init__(table)
        self.question = Query()
        self.view: QueryResult | None = None
        self.fault = ""
        """Why the query could not be answered, in a sentence; else empty."""
        self.stopped = False
        """The last query was stopped before it ended."""
        self._model, self._table, self._tasks = model, table, tasks
        self._pull: Pull | None = None
        self._ends: list[Callable[[], None]] = []
        self.chosen = -1
        """The row of the pull that the user is on, or was on before a result left it out; -1 for none."""
        self._soon = QTimer(self, singleShot=True, interval=_SAY_MS)
        self._soon.timeout.connect(self.changed)
        table.row_chosen.connect(self._row_chosen)

    # ---- asking

    def follow(self, pull: Pull) -> None:
        """Run the present query over another pull, or over one that was restarted."""
        self.release()
        self._pull, self.chosen = pull, -1
        self._ends = [pull.subscribe(self._pull_told)]
        self.view = None
        self._model.set_view(None)
        self.ask_again()

    def ask(self, question: Query) -> None:
        """Run a query and show its result; an empty query shows all rows."""
        if question != self.question:
            self.question = question
            self.ask_again()

    async def summary(self, column: str) -> Summary:
        """Summarise ``column`` over the rows shown, once all are found. Raises StoreFault, Superseded."""
        pull, view = self._pull, self.view
        if pull is None or not pull.rows:
            raise Superseded("There are no rows.")
        if view is None:
            view = await pull.view(Query())
        if view.state == "building":
            await view.done()
        return await view.summary(column)

    def raw(self, number: int) -> bytes:
        """The pull's row ``number`` as received; empty when it is gone or cannot be read, which the page reports."""
        try:
            return next(iter(self._pull.window(number, number + 1)), b"") if self._pull is not None else b""
        except ExplorerError:
            return b""

    def over(self) -> str:
        """The rows that a summary is over, in words: ``12 of 1,200 rows loaded``."""
        if self.view is not None and self.view.question.picks:
            return result_words(self.view)
        rows = self.view.total if self.view is not None else self._pull.rows if self._pull is not None else 0
        return f"{words.count(rows, 'row')} loaded"

    @property
    def going_on(self) -> bool:
        """Whether the query is still running."""
        return self._tasks.busy(ASK) or (self.view is not None and self.view.state == "building")

    @property
    def unanswered(self) -> bool:
        """Whether the table still shows the result of the query before."""
        now = self.question
        return self.view.question != now if self.view is not None else bool(now.picks or now.sort)

    def stop(self) -> None:
        """Stop the query: what it found stays; if it found nothing yet, the result of the query before stays."""
        self.stopped = True
        if self._tasks.busy(ASK):
            self._tasks.cancel(ASK)
        elif self.view is not None:
            self.view.cancel()
        self.changed.emit()

    def release(self) -> None:
        """Stop the query and end the subscription to the pull."""
        self._tasks.cancel(ASK)
        self._soon.stop()
        while self._ends:
            self._ends.pop()()

    def ask_again(self) -> None:
        """Run the query again, over all rows that are loaded by now."""
        self.fault, self.stopped = "", False
        if self._pull is None or not (self.question.picks or self.question.sort):
            self._tasks.cancel(ASK)
            self._show(None)
        else:
            self._tasks.start(ASK, self._answer(self._pull, self.question))

    async def _answer(self, pull: Pull, question: Query) -> None:
        try:
            view = await pull.view(question)
        except Superseded:
            return
        except ExplorerError as error:
            self.fault = error.sentence
            self.changed.emit()
            return
        self._show(view)

    # ---- showing

    def _show(self, view: QueryResult | None) -> None:
        pull, before = self._pull, self.view
        if pull is None or (view is None and before is None):
            self.changed.emit()
            return
        self.view = view
        del self._ends[1:]
        self._model.set_view(view)
        if view is not None:
            self._ends.append(view.subscribe(self._view_told))
        self._choose_again()
        if view is not None and view.question.sort != (before.question.sort if before else ()):
            self._table.scrollToTop()
        self.changed.emit()

    def _view_told(self) -> None:
        view = self.view
        if view is None:
            return
        if view.state == "building":
            if not self._soon.isActive():
                self._soon.start()
            return
        if view.error is not None:
            self.fault = view.error.sentence
        self._model.sync()
        if not self._table.currentIndex().isValid():
            self._choose_again()
        self.changed.emit()

    def _pull_told(self) -> None:
        """More rows arrived, or the pull was restarted: then the rows of a result are no longer stored."""
        view, pull = self.view, self._pull
        if pull is None or not (self.question.picks or self.question.sort):
            return
        if view is not None and pull.stored_id != view.pull_id:
            self.follow(pull)
        elif not self._soon.isActive():
            self._soon.start()

    # ---- the chosen record

    def _row_chosen(self, row: int) -> None:
        if row >= 0:
            self.chosen = self._model.number(row)

    def place_of(self, number: int) -> int:
        """The table's row that shows the pull's row ``number``; -1 when none does."""
        place = self.view.place(number) if self.view is not None else number
        return place if place < self._model.rowCount() else -1

    def _choose_again(self) -> None:
        place = self.place_of(self.chosen)
        if place >= 0:
            self.go_to(place)

    def go_to(self, place: int) -> None:
        """Select the table's row ``place``; the keyboard focus stays where it is."""
        column = max(self._table.currentIndex().column(), 1)
        while self._table.isColumnHidden(column) and column < self._model.columnCount() - 1:
            column += 1
        flags = QItemSelectionModel.SelectionFlag
        index = self._model.index(place, column)
        self._table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) match; after the last comes the first."""
        rows, at = self._model.rowCount(), self._table.currentIndex().row()
        if rows:
            self.go_to((at + by) % rows if at >= 0 else (0 if by > 0 else rows - 1))


class QueryControls(QObject):
    """Find field, filter chips, table header and commands: each change of one makes a new query."""

    def __init__(
        self,
        question: RowQuery,
        tools: ListTools,
        table: RecordsTable,
        columns: ColumnChoice,
        tasks: Tasks,
        title: str,
    ) -> None:
        super().__init__(table)
        self._tasks, self._title = tasks, title
        self._marked = ("", False, False)
        self._question, self._tools, self._table, self._columns = question, tools, table, columns
        tools.finder.asked.connect(self._find)
        tools.finder.step.connect(question.step)
        tools.finder.left.connect(lambda: table.setFocus(Qt.FocusReason.OtherFocusReason))
        tools.filters_changed.connect(self._filter)
        question.changed.connect(self.mark)
        tools.again.connect(self._again)
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._clicked)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._head_menu)

    # ---- from the controls

    def _find(self, text: str, regex: bool, case: bool) -> None:
        # Without a text the options have no effect: switching them must not run a query.
        regex, case = regex and bool(text), case and bool(text)
        self._question.ask(replace(self._question.question, find=text, regex=regex, case=case))

    def mark(self) -> None:
        """Highlight in the cells the text that was found, and take back the hint about a Stop."""
        from explorer.text_match import highlights  # not at the top: it is not needed to show the window

        if not self._question.stopped and self._tools.hint.whole() == _STOPPED:
            self._tools.hint.setText("")
        view = self._question.view
        asked = view.question if view is not None else None
        sought = (asked.find, asked.regex, asked.case) if asked is not None else ("", False, False)
        delegate = self._table.itemDelegate()
        if sought != self._marked and isinstance(delegate, RowDelegate):
            self._marked = sought
            delegate.mark(highlights(sought[0], regex=sought[1], case=sought[2]))
            self._table.viewport().update()

    def _filter(self) -> None:
        self._question.ask(replace(self._question.question, filters=self._tools.chips.filters()))

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
            ("rows.filter", "Add a filter…", "Ctrl+Shift+F", lambda: self._tools.open_filter(self._field())),
            ("rows.sort", "Sort by this column", "Ctrl+Shift+S", self._sort_current),
            ("rows.summary", "Summary of this column", "Ctrl+Shift+M", lambda: self.summarise(self._field())),
        )
        return [
            (Command(name, text, keys, group="Edit", section="rows"), run) for name, text, keys, run in said
        ]

    def fill(self, menu: QMenu) -> None:
        """Add the entries for the column that the user is on to ``menu``."""
        field = self._field()
        if field:
            menu.addSeparator()
            self._fill(menu, field)

    def _fill(self, menu: QMenu, field: str) -> None:
        column = self._column(field)
        menu.setToolTipsVisible(True)
        for text, down in (("Sort ascending", False), ("Sort descending", True)):
            action = menu.addAction(text, partial(self.sort, (field, down)))
            if column is not None:
                action.setToolTip(tooltip(sort_rule(column)))
        menu.addAction("Rows as received", lambda: self.sort(None))
        menu.addAction("Filter by this column…", lambda: self._tools.open_filter(field))
        menu.addAction("Summary of this column", lambda: self.summarise(field))

    def _head_menu(self, at: QPoint) -> None:
        """Open the menu of the column whose head is at ``at``."""
        head = self._table.horizontalHeader()
        section = head.logicalIndexAt(at)
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
            self._title,
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
        head = self._table.horizontalHeader()
        number = next(i for i, c in enumerate(self._table.columns, start=1) if c.field == name)
        at = QPoint(max(head.sectionViewportPosition(number), 0), head.height() + 2)
        popup.open_at(head.viewport(), at, self._table)

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

    def _field(self) -> str:
        column = self._table.currentIndex().column()
        return self._table.columns[column - 1].field if column > 0 else ""

    # ---- for the next start

    def save(self) -> dict[str, Any]:
        """Filters and order as JSON values; the text to find is not saved (see row_state.py)."""
        return kept(self._question.question.filters, self._question.question.sort)

    def restore(self, state: Any) -> None:
        """Restore what `save` gave: filters as chips, and the order in the column's head."""
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
