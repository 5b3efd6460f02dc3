"""From the controls of a list to its question and back: find field, chips, header and the commands of the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMenu

from explorer.ui.actions import Command
from explorer.ui.views.columns import ColumnChoice
from explorer.ui.views.list_tools import ListTools
from explorer.ui.views.records_table import RecordsTable
from explorer.ui.views.row_question import RowQuestion


class RowAsking(QObject):
    """Makes every change of a control one question, and says what came of it in the tools."""

    def __init__(
        self, question: RowQuestion, tools: ListTools, table: RecordsTable, columns: ColumnChoice
    ) -> None:
        super().__init__(table)
        self._question, self._tools, self._table, self._columns = question, tools, table, columns
        tools.finder.asked.connect(self._find)
        tools.finder.step.connect(question.step)
        tools.finder.left.connect(lambda: table.setFocus(Qt.FocusReason.OtherFocusReason))
        tools.filters_changed.connect(self._filter)
        tools.again.connect(self._again)
        head = table.horizontalHeader()
        head.setSectionsClickable(True)
        head.sectionClicked.connect(self._clicked)

    # ---- from the controls

    def _find(self, text: str, regex: bool, case: bool) -> None:
        # Without a text the options ask nothing: switching them must not cost an answer.
        regex, case = regex and bool(text), case and bool(text)
        self._question.ask(replace(self._question.question, find=text, regex=regex, case=case))

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

    # ---- from the keyboard

    def commands(self) -> list[tuple[Command, Callable[[], object]]]:
        """What can be done without the mouse."""
        said = (
            ("rows.find", "Find in the rows", "Ctrl+F", self._tools.finder.focus),
            ("rows.find_next", "Next match", "F3", lambda: self._step(1)),
            ("rows.find_previous", "Previous match", "Shift+F3", lambda: self._step(-1)),
            ("rows.filter", "Add a filter…", "Ctrl+Shift+F", lambda: self._tools.open_filter(self._field())),
            ("rows.sort", "Sort by this column", "Ctrl+Shift+S", self._sort_current),
        )
        return [
            (Command(name, text, keys, group="Edit", section="rows"), run) for name, text, keys, run in said
        ]

    def fill(self, menu: QMenu) -> None:
        """The entries for the column that the user is on."""
        field = self._field()
        if field:
            menu.addSeparator()
            menu.addAction("Sort ascending", lambda: self.sort((field, False)))
            menu.addAction("Sort descending", lambda: self.sort((field, True)))
            menu.addAction("Rows as received", lambda: self.sort(None))
            menu.addAction("Filter by this column…", lambda: self._tools.open_filter(field))

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

    # ---- words

    def say(self, rows: int) -> None:
        """Say in the tools how the question stands, over ``rows`` at hand."""
        asked = self._question
        self._tools.show_view(asked.words(), asked.later, asked.fault, rows)

    def none_words(self) -> str:
        """What stands in the table when no row passes; empty while there is no question."""
        view = self._question.view
        if view is None:
            return ""
        if view.state == "building":
            return "Looking through the rows at hand…"
        return "No row at hand passes. Rows that are not loaded were not looked at."
