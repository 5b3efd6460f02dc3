"""A query over the loaded rows (find, filters, order), and its result in the table.

Nothing is requested from the service. A new query cancels the one before; rows that arrive later are not in a result
until the query is run again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QObject, Qt, QTimer, Signal

from explorer import words
from explorer.api.errors import ExplorerError
from explorer.session import Query, Superseded
from explorer.ui.kit.tasks import LateTasks, Tasks
from explorer.ui.pages.list.list_facts import QueryFacts
from explorer.ui.pages.list.list_state import result_words
from explorer.ui.records.records import RecordsModel
from explorer.ui.records.records_table import RecordsTable
from explorer.work import in_thread

if TYPE_CHECKING:
    from explorer.session import Pull, QueryResult, Summary

ASK = "question"
_PIECE = 100
"""Rows of a sample that are read together, as they lie together on a page."""
_SAY_MS = 150
"""Milliseconds between two updates of the words, as pages may arrive much faster than those can be read."""


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

    async def sampled(
        self, ranges: Sequence[tuple[int, int]], most: int
    ) -> AsyncIterator[tuple[list[int], list[bytes]]]:
        """Up to ``most`` of the rows shown, from everywhere among them, in pieces: their numbers and records.

        Each record has the raw data of its page's envelope as a last field, where the list has it there. ``ranges``:
        only among these places, [start, stop); none for all. Raises StoreFault, Superseded.
        """
        pull = self._pull
        if pull is None:
            return
        view = self.view or await pull.view(Query())
        if view.state == "building":
            await view.done()
        wanted = ranges or [(0, view.rows)]
        pieces = [(at, min(at + _PIECE, stop)) for start, stop in wanted for at in range(start, stop, _PIECE)]
        step = -(-sum(stop - start for start, stop in pieces) // most) or 1
        for start, stop in pieces[::step]:
            places = range(start, min(stop, view.rows))
            numbers, records = [view.row(place) for place in places], await view.records(places)
            if pull.listing.envelope.raw:
                records = await in_thread(pull.with_raw, numbers, records)
            yield numbers, records

    def raw(self, number: int) -> bytes:
        """The pull's row ``number`` as received; empty when it is gone or cannot be read, which the page reports."""
        try:
            return next(iter(self._pull.window(number, number + 1)), b"") if self._pull is not None else b""
        except ExplorerError:
            return b""

    def over(self) -> str:
        """The rows that a summary is over, in words: ``12 match, of 1,200 loaded``."""
        if self.view is not None and self.view.question.picks:
            return result_words(self.view)
        rows = self.view.total if self.view is not None else self._pull.rows if self._pull is not None else 0
        return f"{words.count(rows, 'row')} loaded"

    @property
    def going_on(self) -> bool:
        """Whether the query is still running."""
        return self._tasks.busy(ASK) or (self.view is not None and self.view.state == "building")

    def facts(self, running: LateTasks) -> QueryFacts:
        """The facts about the query for `state_of`; ``running`` knows for how long it has been running."""
        late = running.late(ASK)
        return QueryFacts(
            self.view,
            self.unanswered,
            self.fault,
            late,
            running.seconds(ASK) if late and self._tasks.busy(ASK) else None,
            self.stopped,
            self.question.unfit,
            self.question.observed,
        )

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

    def stand_on(self, row: int) -> None:
        """Select the pull's row ``row``, where the table shows all rows and has that one."""
        if 0 <= row < self._model.rowCount() and not self._model.shows_result:
            self._table.setCurrentIndex(self._model.index(row, 1))
            # The table has not counted its new rows yet: it cannot scroll there before the loop has turned.
            QTimer.singleShot(0, self._table, lambda: self._table.scrollTo(self._table.currentIndex()))

    def show_row(self, row: int) -> bool:
        """Select the pull's row ``row`` at the top of the table, with the keyboard focus; whether the table has it."""
        place = self.place_of(row)
        if place >= 0:
            index = self._model.index(place, 1)
            self._table.setCurrentIndex(index)
            self._table.scrollTo(index, self._table.ScrollHint.PositionAtTop)
            self._table.setFocus(Qt.FocusReason.OtherFocusReason)
        return place >= 0

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) match; after the last comes the first."""
        rows, at = self._model.rowCount(), self._table.currentIndex().row()
        if rows:
            self.go_to((at + by) % rows if at >= 0 else (0 if by > 0 else rows - 1))
