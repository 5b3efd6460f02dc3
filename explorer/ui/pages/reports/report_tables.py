"""The tab Table, which shows the arrays of objects in an answer as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QComboBox, QWidget

from explorer import words
from explorer.jsontext.pieces import AT_ONCE
from explorer.ui.call.answer_outcome import Outcome
from explorer.ui.call.call_pane import CallPane
from explorer.ui.call.page_spec import Tab
from explorer.ui.kit.elided_combo import ElidedCombo
from explorer.ui.kit.layout import STRETCH, bar, column
from explorer.ui.kit.tasks import Tasks
from explorer.ui.pages.reports.entries import TableFound, columns_for, tables_of
from explorer.ui.pages.reports.report_entries import EntriesTable

_TASK = "look for tables"


class TablesView(QWidget):
    """The arrays of objects in an answer, shown as a table one at a time."""

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self._found: list[TableFound] = []
        self.choice = ElidedCombo("Which array of the response")
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.table = EntriesTable(tasks)
        column(bar(self.choice, STRETCH), (self.table, 1), of=self)
        self.choice.currentIndexChanged.connect(self._show)

    def show_tables(self, found: Sequence[TableFound]) -> None:
        """Offer the tables ``found``, and show the first."""
        self._found = list(found)
        blocked = self.choice.blockSignals(True)
        self.choice.clear()
        for one in self._found:
            self.choice.addItem(f"{one.path or 'The answer'}, {words.count(len(one.rows), 'row')}")
        self.choice.blockSignals(blocked)
        self._show(0)

    def _show(self, place: int) -> None:
        if 0 <= place < len(self._found):
            rows = self._found[place].rows
            self.table.show_entries(rows, columns_for(rows))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._show(self.choice.currentIndex())


class TabledPane(CallPane):
    """A pane with a tab Table for answers that contain arrays of objects. The status bar says what was copied."""

    tables: TablesView

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.panel.shown.connect(self.show_outcome)
        self.offer_tables(b"")

    def make_tables(self) -> TablesView:
        """The tab Table."""
        self.tables = TablesView(self._tasks)
        self.tables.table.said.connect(self.say)
        return self.tables

    def show_outcome(self, outcome: Outcome) -> None:
        """Show an outcome, and the tables in it."""
        readable = outcome.answered and not outcome.is_bytes and not outcome.cut
        self.offer_tables(outcome.masked if readable else b"")

    def offer_tables(self, body: bytes) -> None:
        """Offer the arrays of objects in ``body``; without any, hide the tab."""
        self._offer([])
        self._tasks.take(_TASK, tables_of(body), done=self._offer, now=len(body) <= AT_ONCE)

    def _offer(self, found: list[TableFound]) -> None:
        self.panel.show_tab(TABLE.name, bool(found))
        if found:
            self.tables.show_tables(found)


TABLE = Tab("Table", TabledPane.make_tables, behind=True)
