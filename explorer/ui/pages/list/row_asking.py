"""From the controls of a list to its question and back: find field, chips, header and the commands of the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from explorer.catalog.spec import Column
from explorer.ui.kit.actions import Command
from explorer.ui.kit.plain import tooltip
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.list.column_summary import ColumnSummary
from explorer.ui.pages.list.list_tools import ListTools
from explorer.ui.pages.list.row_looking import RowLooking
from explorer.ui.pages.list.row_question import RowQuestion
from explorer.ui.pages.list.row_state import filter_of, filters_of, kept, sort_of
from explorer.ui.pages.list.summary_words import sorted_by, stands_for
from explorer.ui.records.columns import ColumnChoice
from explorer.ui.records.records_table import RecordsTable
from explorer.ui.records.row_delegate import RowDelegate

if TYPE_CHECKING:
    from explorer.session import Filter


_AS_BEFORE = "The rows are those of the previous query."
_STOPPED = f"Stopped. {_AS_BEFORE}"


class RowAsking(QObject):
    """Makes every change of a control one question, and says what came of it in the tools."""

    def __init__(
        self,
        question: RowQuestion,
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
        self.looking = RowLooking(question, tasks)
        tools.finder.asked.connect(self._find)
        tools.finder.step.connect(question.step)
        tools.finder.left.connect(lambda: table.setFocus(Qt.FocusReason.OtherFocusReason))
        tools.filters_changed.connect(self._filter)
        question.changed.connect(self._mark)
        tools.again.connect(self._again)
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._clicked)
        head.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        head.customContextMenuRequested.connect(self._head_menu)

    # ---- from the controls

    def _find(self, text: str, regex: bool, case: bool) -> None:
        # Without a text the options ask nothing: switching them must not cost an answer.
        regex, case = regex and bool(text), case and bool(text)
        self._question.ask(replace(self._question.question, find=text, regex=regex, case=case))

    def _mark(self) -> None:
        """Let the cells show where the text stands that the rows in the table were found by."""
        from explorer.text_match import highlights  # not at the top: the window stands before

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
        self._table.setFocus(Qt.FocusReason.OtherFocusReason)  # the button goes
        self._question.ask_again()

    def _clicked(self, section: int) -> None:
        """Ascending, descending, as received. The row numbers' own head is as received."""
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
        """Sort by a column, True for from the greatest down; None: as received."""
        self._table.show_sorted(by)
        if by is not None:
            self._columns.make_room(by[0])
        self._question.ask(replace(self._question.question, sort=(by,) if by is not None else ()))
        # What a nested column is sorted by cannot be seen in it.
        column = self._column(by[0]) if by is not None else None
        nested = column is not None and column.kind in ("array", "object")
        self._tools.hint.setText(sorted_by(column) if column is not None and nested else "")

    # ---- from the keyboard

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        """What can be done without the mouse."""
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
        """The entries for the column that the user is on."""
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
        """The menu of the column whose head is under the pointer."""
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
        """Show what one column holds in the rows shown; without a name, the first column shown."""
        shown = self._columns.shown()
        column = self._column(field or (shown[0] if shown else ""))
        if column is None or not self._question.rows_to_sum():
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
        """Filters and order as JSON values; what is looked for is not kept (see row_state.py)."""
        return kept(self._question.question.filters, self._question.question.sort)

    def restore(self, state: Any) -> None:
        """Take what `save` gave: each filter stands there as a chip, the order in its column's head."""
        for made in filters_of(state, self._table.columns):
            self._tools.chips.add(made)
        by = sort_of(state, self._table.columns)
        if by is not None:
            self.sort(by)

    # ---- words

    def say(self, rows: int) -> None:
        """Say in the tools how the question stands, over ``rows`` at hand."""
        asked = self._question
        fault, stopped = self._fault(), self.looking.stopped
        if not stopped and self._tools.hint.whole() == _STOPPED:
            self._tools.hint.setText("")
        self._tools.show_view(asked.words(), asked.later, fault, rows, stopped=stopped)

    def count_words(self, rows: int) -> str:
        """How many rows there are to see, out of ``rows`` at hand; empty while all are shown as received."""
        return self.looking.words(rows) or self._question.words()

    def stop(self) -> None:
        """Answer the question no further."""
        self.looking.stop()
        if self._unanswered:
            self._tools.hint.setText(_STOPPED)

    @property
    def _unanswered(self) -> bool:
        """Whether the rows in the table answer another question than the last one."""
        view = self._question.view
        now = self._question.question
        return view.question != now if view is not None else bool(now.picks or now.sort)

    def _fault(self) -> str:
        fault = self._question.fault
        return f"{fault} {_AS_BEFORE}" if fault and self._unanswered else fault

    def none_words(self) -> str:
        """What stands in the table when no row passes; empty while there is no question."""
        view = self._question.view
        if self._question.fault:
            return "No row matched the previous query." if view is not None else ""
        if self.looking.late or (view is not None and view.state == "building"):
            return "Searching the loaded rows…"
        if view is None:
            return ""
        if view.state == "superseded":
            return "No row had matched when it was stopped."
        return "No loaded row matches. Rows that are not loaded were not searched."


def sort_rule(column: Column) -> str:
    """In which order a column is sorted, in a sentence or two (the store's order)."""
    rule = "First absent and null, then false and true, numbers by value, texts ignoring case."
    return f"{rule} {stands_for(column)}" if column.kind in ("array", "object") else rule
