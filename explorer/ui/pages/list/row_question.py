"""What is asked of the rows at hand (find, filters, order), and the view that answers it in the table.

It asks nothing of the service. The last question wins; rows that come later wait until it is asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QObject, QTimer, Signal

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.ui.kit.tasks import Tasks
from explorer.ui.records.picked_rows import PickedRows
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable

if TYPE_CHECKING:
    from explorer.session import Pull, Query, QueryResult, Summary

ASK = "question"
_SAY_MS = 150
"""Pages may come in much faster than words about them can be read."""


class RowQuestion(QObject):
    """Puts the answer to one question into ``model``, and keeps the user on the record that was chosen."""

    changed = Signal()
    """There is something else to say: rows found, rows that came later, a fault."""

    def __init__(self, model: RecordsModel, table: RecordsTable, tasks: Tasks) -> None:
        from explorer.session import Query

        super().__init__(table)
        self.question = Query()
        self.view: QueryResult | None = None
        self.fault = ""
        """Why the question could not be answered, in a sentence."""
        self._model, self._table, self._tasks = model, table, tasks
        self._pull: Pull | None = None
        self._ends: list[Callable[[], None]] = []
        self._chosen: int | None = None
        """The row of the pull that the user is on; it stays when a view does not hold it."""
        self._soon = QTimer(self, singleShot=True, interval=_SAY_MS)
        self._soon.timeout.connect(self.changed)
        table.row_chosen.connect(self._row_chosen)

    # ---- asking

    def follow(self, pull: Pull) -> None:
        """Ask the same of another pull."""
        self.release()
        self._pull, self._chosen = pull, None
        self._ends = [pull.subscribe(self._pull_told)]
        self.view = None
        self._model.set_view(None)
        self._ask()

    def ask(self, question: Query) -> None:
        """Show the rows that answer ``question``; the empty one shows all."""
        if question != self.question:
            self.question = question
            self._ask()

    def ask_again(self) -> None:
        """Ask the same once more, of all rows that are at hand by now."""
        self._ask()

    async def summary(self, column: str) -> Summary:
        """What ``column`` holds in the rows that the table shows, all of them found. Raises StoreFault, Superseded."""
        from explorer.session import Query, Superseded

        pull, view = self._pull, self.view
        if pull is None or not pull.rows:
            raise Superseded("There are no rows.")
        if view is None:
            view = await pull.view(Query())
        if view.state == "building":
            await view.done()
        return await view.summary(column)

    def rows_to_sum(self) -> int:
        """How many rows a summary would look at."""
        return self._model.rowCount()

    def raw(self, number: int) -> bytes:
        """The pull's row ``number`` as received; empty when it is gone or cannot be read, which the page says."""
        try:
            return next(iter(self._pull.window(number, number + 1)), b"") if self._pull is not None else b""
        except ExplorerError:
            return b""

    def over(self) -> str:
        """What rows a summary is over, in words: ``12 of 1,200 rows at hand``."""
        if self.view is not None and self.view.question.picks:
            return self.words()
        rows = self.view.total if self.view is not None else self._pull.rows if self._pull is not None else 0
        return f"{words.count(rows, 'row')} loaded"

    def release(self) -> None:
        """Ask and follow nothing any more."""
        self._tasks.cancel(ASK)
        self._soon.stop()
        while self._ends:
            self._ends.pop()()

    def _ask(self) -> None:
        self.fault = ""
        if self._pull is None or not (self.question.picks or self.question.sort):
            self._tasks.cancel(ASK)
            self._show(None)
        else:
            self._tasks.start(ASK, self._answer(self._pull, self.question))

    async def _answer(self, pull: Pull, question: Query) -> None:
        from explorer.session import Superseded

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
        self._model.set_view(PickedRows(pull, view) if view is not None else None)
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
        """More rows came, or the pull began anew: then a view of the old one shows nothing that is still kept."""
        view, pull = self.view, self._pull
        if pull is None or not (self.question.picks or self.question.sort):
            return
        if view is not None and pull.stored_id != view.pull_id:
            self._chosen = None
            self.view = None
            del self._ends[1:]
            self._model.set_view(None)
            self._ask()
        elif not self._soon.isActive():
            self._soon.start()

    # ---- the chosen record

    @property
    def chosen(self) -> int:
        """The row of the pull that the user is on, or was on before a view left it out; -1 for none."""
        return -1 if self._chosen is None else self._chosen

    def _row_chosen(self, row: int) -> None:
        if row >= 0:
            self._chosen = self._model.number(row)

    def place_of(self, number: int) -> int:
        """Where the pull's row ``number`` stands in the table; -1 when it is not among the rows shown."""
        if self.view is None:
            return number if number < self._model.rowCount() else -1
        place = self.view.place(number)
        return place if place < self._model.rowCount() else -1

    def _choose_again(self) -> None:
        place = self.place_of(self._chosen) if self._chosen is not None else -1
        if place >= 0:
            self.go_to(place)

    def go_to(self, place: int) -> None:
        """Put the user on the row at ``place``; the keys stay where they are."""
        column = max(self._table.currentIndex().column(), 1)
        while self._table.isColumnHidden(column) and column < self._model.columnCount() - 1:
            column += 1
        flags = QItemSelectionModel.SelectionFlag
        index = self._model.index(place, column)
        self._table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) match, round at the ends."""
        rows, at = self._model.rowCount(), self._table.currentIndex().row()
        if rows:
            self.go_to((at + by) % rows if at >= 0 else (0 if by > 0 else rows - 1))

    # ---- in words

    @property
    def later(self) -> int:
        """Rows that came after the question was asked, and are not in its answer."""
        return max(self._pull.rows - self.view.total, 0) if self.view is not None and self._pull else 0

    def words(self) -> str:
        """``12 of 1,200 rows at hand``; empty while all rows are shown as received."""
        view = self.view
        if view is None:
            return ""
        whole = words.count(view.total, "row")
        if view.state == "building":
            return f"{words.count(view.rows)} so far of {whole} loaded"
        if view.state == "superseded":
            return f"{words.count(view.rows)} of {whole} loaded, stopped"
        if view.question.picks:
            return f"{words.count(view.rows)} of {whole} loaded"
        return f"{whole} loaded, sorted"
